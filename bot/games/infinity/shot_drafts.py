"""The dice of one attack at several targets put together by pressing: die by die, each at its distance.

Weapon, mode, MODs and the Order that pays are said in the form, as for one target; its target comes along
with one die. So nothing is asked twice, and every further die is one press: who else is shot at, and how far
off, are one choice. Fields that the form would only have in its last line are pressed here too: the mode,
visibility, MODs, and whose Order. The buttons carry all of it in numbers, and the last one asks the very
attack of the form.

An ARO has no such draft: it is one die, or the whole Burst at a single target (INF-F2F-07, INF-TRX-01).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from bot.actions import Action, raw_of
from bot.games.infinity import concealment
from bot.games.infinity.attack_actions import VISIBILITY, Shoot, terms_of, weapon_of
from bot.games.infinity.duels import IN_ZONE
from bot.games.infinity.fields import in_cover, is_unseen
from bot.games.infinity.narration import joined_line
from bot.games.infinity.order_rows import Mark
from bot.games.infinity.orders import pool_of, terms_words
from bot.games.infinity.troops import ORDERS, own_trooper, target_of
from bot.replies.reply import Button, Choice
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.asking.offering import models_offered
from bot.table.asking.reading import read
from bot.table.board import facts
from bot.table.game import game_of
from bot.table.handlers import HANDLERS
from bot.table.offers.forms import SEVERAL, Several
from bot.table.session.drafts import OTHER_VERSION, Draft, Laid, makes, placed
from rules.refusals import Forbidden, InvalidInput
from rules.systems.infinity.profile import Skill, Weapon
from rules.systems.infinity.shooting import Mode
from rules.systems.infinity.trooper import Trooper
from rules.wording import times

SHARED = "inf.shot"

PLACE = 16
"""A piece is the target's number times this, plus what is said of it."""

DIE, COVER, UNSEEN, FIRST_BAND = 0, 1, 2, 3
"""One die more; the other way in cover, or in the open; the other way seeing the shooter, or not; and a first
die, within the first of the weapon's range bands, or within a further one."""

MAX_TARGETS = 5
"""Targets that the attack can be written down with, whatever is said of each."""

MODES, GRADES = tuple(Mode), tuple(VISIBILITY.values())

HOW = 0
"""In the place of a target: what follows is said of the whole attack."""

FIRST_GRADE, BETTER, WORSE, FIRST_ORDER = len(MODES), 6, 7, 8
"""What is said of it: a mode, from 0; the visibility; `STEP` more on the MOD, or less; which Order pays."""

STEP, MAX_MOD = 3, 12

SWITCHES = ("own_cover", "zero_visibility", "sight", "cover", "unseen")
"""The switches of the form, in the order of its bits; the last two are of its target."""

SURPRISES = (None, True, False)
"""The values for a Surprise Shot, above those bits."""


@dataclass(frozen=True, slots=True)
class Sharing:
    """A draft's contents beside its pieces: all fields of the form, including its target and dice."""

    plain: Shoot
    weapon: Weapon

    @property
    def limits(self) -> tuple[float, ...]:
        """Return how far off a target may be said to be: the ends of the weapon's range bands."""
        return tuple(float(band.limit) for band in self.weapon.bands) or (IN_ZONE, 2 * IN_ZONE)

    def reach(self, place: int) -> str:
        """Return one of them in words, with its MOD."""
        mods = [f" ({band.mod:+d})" for band in self.weapon.bands]
        return f"up to {self.limits[place]:g} in{mods[place] if mods else ''}"


def _packed(action: Shoot, weapon: Weapon) -> tuple[int, ...]:
    ticked = sum(getattr(action, name) << bit for bit, name in enumerate(SWITCHES))
    ticked += SURPRISES.index(action.surprise) << len(SWITCHES)
    return (
        action.shooter.id,
        action.shooter.current.weapons.index(weapon),
        ticked,
        MODES.index(action.mode),
        GRADES.index(action.visibility),
        action.mod,
        ORDERS.index(action.order),
        action.target.id,
        action.dice or 1,
    )


def _unpacked(act: Act, draft: Draft) -> Sharing:
    """Unpack a draft. Raises InvalidInput, NotAllowed for another's trooper, Forbidden for a Marker."""
    number, place, ticked, mode, grade, mod, order, target, dice = draft.about
    shooter = own_trooper(act, f"#{number}" if number > 0 else f"~{-number}")
    if not 0 <= place < len(shooter.current.weapons):
        raise InvalidInput(f"Start again with Shoot. {shooter.current.name} has different weapons now.")
    weapon = shooter.current.weapons[place]
    plain = Shoot(
        shooter,
        target_of(act, shooter, f"#{target}"),
        _inches(draft.words),
        weapon=weapon,
        mode=placed(MODES, mode),
        dice=dice,
        visibility=placed(GRADES, grade),
        mod=mod,
        order=placed(ORDERS, order),
    )
    switches: dict[str, Any] = {name: bool(ticked >> bit & 1) for bit, name in enumerate(SWITCHES)}
    shot = replace(plain, surprise=placed(SURPRISES, ticked >> len(SWITCHES)), **switches)
    for number, what in _split(draft.pieces):
        shot = _said_of_it(shot, what) if number == HOW else shot
    if abs(shot.mod) > MAX_MOD or not 0 < dice <= weapon.burst:
        raise InvalidInput(OTHER_VERSION)
    return Sharing(shot, weapon)


def _inches(words: str) -> float:
    """Return how far the target of the form is. Raises InvalidInput."""
    try:
        inches = float(words)
    except ValueError:
        raise InvalidInput(OTHER_VERSION) from None
    if not 0 <= inches <= fields.MAX_INCHES:
        raise InvalidInput(OTHER_VERSION)
    return inches


def _split(pieces: tuple[int, ...]) -> list[tuple[int, int]]:
    return [divmod(piece, PLACE) for piece in pieces]


def _said_of_it(shot: Shoot, what: int) -> Shoot:
    if what >= FIRST_ORDER:
        return replace(shot, order=ORDERS[(what - FIRST_ORDER) % len(ORDERS)])
    if what in (BETTER, WORSE):
        return replace(shot, mod=shot.mod + (STEP if what == BETTER else -STEP))
    if what >= FIRST_GRADE:
        return replace(shot, visibility=GRADES[what - FIRST_GRADE])
    return replace(shot, mode=MODES[what])


@makes(SHARED, 9)
def sharing(act: Act, draft: Draft) -> Laid:
    """Return the dice of one attack. about: see `_packed`; words: inches to the target of the form.

    Rules: INF-F2F-07.
    """
    said = _unpacked(act, draft)
    marks = _marks(act, said, draft.pieces)
    names = {number: target_of(act, said.plain.shooter, f"#{number}").current.name for number in marks}
    left = max(0, said.weapon.burst - sum(mark.dice for mark in marks.values()))
    shot = _shot(said, list(marks.values()))
    lines = [
        f"{said.plain.shooter.current.name} has {times(left, 'die', 'dice')} left",
        *joined_line(_terms_told(said)),
        "Only you can see this.",
    ]
    for number, mark in marks.items():
        lines += joined_line(_share_terms(names[number], mark))
    lines += _refusal(act, shot)
    others = ("Add a target and its distance", tuple(_others(act, said, marks, left)))
    does = "Hack" if said.weapon.hacking else "Shoot"
    ready = (Button(does, shot, "main", anytime=True), Button("Odds", replace(shot, odds=True), anytime=True))
    more = tuple(_further(said, marks, names, left))
    how = ("Change fire mode, MODs or Order", tuple(_how(act, said)))
    return Laid(tuple(lines), "Add a die, or set cover", more, () if left else ready, (others, how))


def _measured(act: Act, shooter: Trooper, number: int) -> Mark | None:
    """Return a further target with one die, as the board shows it; None if nothing is measured."""
    encounter = act.encounter
    far, there = facts.between(encounter, shooter.id, number), facts.sight(encounter, shooter.id, number)
    back = facts.sight(encounter, number, shooter.id)
    if far is None or there is None or back is None:
        return None
    cover = in_cover(encounter, shooter.id, number, there).value
    unseen = is_unseen(encounter, number, shooter.id, back).value
    return Mark(number, far.value, 1, cover, unseen)


def _marks(act: Act, said: Sharing, pieces: tuple[int, ...]) -> dict[int, Mark]:
    """Who is shot at so far, the form's target first; the later of two distances. Raises InvalidInput."""
    first = said.plain
    number = first.target.id
    marks = {number: Mark(number, first.distance, first.dice, first.cover, first.unseen)}
    for number, what in _split(pieces):
        known = marks.get(number)
        if number == HOW:
            continue
        if FIRST_BAND <= what < FIRST_BAND + len(said.limits):
            lies = None if known else _measured(act, first.shooter, number)
            mark = known or Mark(number, dice=1)
            marks[number] = lies or replace(mark, inches=said.limits[what - FIRST_BAND])
        elif known is None or what not in (DIE, COVER, UNSEEN):
            raise InvalidInput("You can't choose that here. Start again with Shoot.")
        elif what == DIE:
            marks[number] = replace(known, dice=known.dice + 1)
        elif what == COVER:
            marks[number] = replace(known, cover=not known.cover)
        else:
            marks[number] = replace(known, unseen=not known.unseen)
    return marks


def _terms_told(said: Sharing) -> list[str]:
    """With what, how, and what else the form said of the whole attack."""
    plain = said.plain
    parts = [said.weapon.name]
    parts += [plain.mode] if plain.mode is not Mode.DIRECT else []
    parts += terms_words(terms_of(plain, said.weapon, ()))
    return [*parts, f"{plain.order} Order"] if plain.order != ORDERS[0] else parts


def _share_terms(name: str, mark: Mark) -> list[str]:
    parts = [f"{times(mark.dice, 'die', 'dice')} at {name}", f"{mark.inches:g} in"]
    parts += ["in cover"] if mark.cover else []
    return [*parts, "the target has no line of fire"] if mark.unseen else parts


def _refusal(act: Act, shot: Shoot) -> list[str]:
    prepare = HANDLERS[Shoot.command].prepare
    assert prepare is not None
    try:
        prepare(act, shot)
    except (InvalidInput, Forbidden) as refusal:
        return [f"You can't shoot like this yet. {refusal.sentence}"]
    return []


def _further(said: Sharing, marks: dict[int, Mark], names: dict[int, str], left: int) -> Iterator[Choice]:
    speculative = said.plain.mode is Mode.SPECULATIVE
    for number in marks:
        if left > 0:
            yield Choice(f"{names[number]}: add a die", str(number * PLACE + DIE))
    for number, mark in marks.items():
        if not (speculative or said.weapon.hacking):
            where = "in the open" if mark.cover else "in cover"
            yield Choice(f"{names[number]}: {where}", str(number * PLACE + COVER))
        if said.plain.sight and not speculative:
            sees = "has line of fire" if mark.unseen else "has no line of fire"
            yield Choice(f"{names[number]} {sees}", str(number * PLACE + UNSEEN))


def _others(act: Act, said: Sharing, marks: dict[int, Mark], left: int) -> Iterator[Choice]:
    """Every other enemy figure at each distance, those first that are not down."""
    if left <= 0 or len(marks) >= MAX_TARGETS:
        return
    encounter = act.encounter
    rows = [
        row
        for row in encounter.models()
        if row.side != said.plain.shooter.side
        and row.id not in marks
        and not concealment.is_marker(encounter, row.id)
    ]
    rows.sort(key=lambda row: target_of(act, said.plain.shooter, f"#{row.id}").is_null)
    summary = game_of(encounter).model_summary
    for row, offer in zip(rows, models_offered(Asking(act, "target"), rows), strict=True):
        note = summary(encounter, row).removeprefix(row.name).lstrip(",: ")
        lies = _measured(act, said.plain.shooter, row.id)
        if lies is not None:
            sight = facts.sight(encounter, said.plain.shooter.id, row.id)
            if sight is not None and not sight.is_blocked:
                cover = ", in cover" if lies.cover else ""
                yield Choice(
                    f"{offer.label}: {lies.inches:g} in{cover}", str(row.id * PLACE + FIRST_BAND), note
                )
            continue
        for place, _ in enumerate(said.limits):
            number = row.id * PLACE + FIRST_BAND + place
            yield Choice(f"{offer.label}: {said.reach(place)}", str(number), note)


def _how(act: Act, said: Sharing) -> Iterator[Choice]:
    plain, shooter = said.plain, said.plain.shooter
    modes = [Mode.DIRECT, *([Mode.SPECULATIVE] if said.weapon.template else [])]
    modes += [Mode.TRIANGULATED] if shooter.levels(Skill.SENSOR) and not said.weapon.hacking else []
    for mode in modes:
        if mode is not plain.mode:
            yield Choice(f"{mode} fire".capitalize(), str(MODES.index(mode)))
    for place, (word, amount) in enumerate(VISIBILITY.items()):
        if amount != plain.visibility:
            yield Choice(f"Visibility: {word} ({amount})", str(FIRST_GRADE + place))
    for what, step in ((BETTER, STEP), (WORSE, -STEP)):
        if abs(plain.mod + step) <= MAX_MOD:
            yield Choice(f"MOD {step:+d}", str(what))
    paying = _paying(act, shooter)
    for word in paying if len(paying) > 1 else ():
        if word != plain.order:
            yield Choice(f"{word.capitalize()} Order", str(FIRST_ORDER + ORDERS.index(word)))


def _paying(act: Act, shooter: Trooper) -> list[str]:
    pool = pool_of(act.encounter, shooter.side)
    able = {
        "regular": pool.of_group(shooter.group) > 0,
        "irregular": shooter.id in pool.irregular,
        "lieutenant": pool.lieutenant == shooter.id,
    }
    return [word for word, may in able.items() if may]


def _shot(said: Sharing, marks: list[Mark]) -> Shoot:
    first, *others = marks
    alone = not others and first.dice == said.weapon.burst
    return replace(
        said.plain,
        dice=0 if alone else first.dice,
        cover=first.cover,
        unseen=first.unseen,
        more=tuple(others) or None,
    )


def _begins(act: Act, action: Action) -> Draft | None:
    """What was said of an attack, to go on from; None where it names further targets already.

    Its odds are a button of the draft. Raises InvalidInput, Forbidden for what the attack would refuse.
    """
    if raw_of(action).keys() & {"target2", "more", "under"}:
        return None
    said = read(act, action)
    assert isinstance(said, Shoot)
    return Draft(SHARED, _packed(said, weapon_of(said)), words=repr(said.distance))


SEVERAL[Shoot.command] = Several(
    "Several targets",
    "Choose targets, fire mode, visibility and MODs in the next step",
    _begins,
    frozenset({"dice", "target2", "distance2", "cover2", "more"}),
)
