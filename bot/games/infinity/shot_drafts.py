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
    base_shot = Shoot(
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
    shot = replace(base_shot, surprise=placed(SURPRISES, ticked >> len(SWITCHES)), **switches)
    for number, piece in _split(draft.pieces):
        shot = _said_of_it(shot, piece) if number == HOW else shot
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


def _said_of_it(shot: Shoot, piece: int) -> Shoot:
    if piece >= FIRST_ORDER:
        return replace(shot, order=ORDERS[(piece - FIRST_ORDER) % len(ORDERS)])
    if piece in (BETTER, WORSE):
        return replace(shot, mod=shot.mod + (STEP if piece == BETTER else -STEP))
    if piece >= FIRST_GRADE:
        return replace(shot, visibility=GRADES[piece - FIRST_GRADE])
    return replace(shot, mode=MODES[piece])


@makes(SHARED, 9)
def sharing(act: Act, draft: Draft) -> Laid:
    """Return the dice of one attack. about: see `_packed`; words: inches to the target of the form.

    Rules: INF-F2F-07.
    """
    plan = _unpacked(act, draft)
    marks = _marks(act, plan, draft.pieces)
    names = {number: target_of(act, plan.plain.shooter, f"#{number}").current.name for number in marks}
    dice_left = max(0, plan.weapon.burst - sum(mark.dice for mark in marks.values()))
    shot = _shot(plan, list(marks.values()))
    lines = [
        f"{plan.plain.shooter.current.name} has {times(dice_left, 'die', 'dice')} left to share out",
        *joined_line(_terms_told(plan)),
        "Only you can see this.",
    ]
    for number, mark in marks.items():
        lines += joined_line(_share_terms(names[number], mark))
    lines += _refusal(act, shot)
    others = ("Add a target and its distance", tuple(_others(act, plan, marks, dice_left)))
    verb = "Hack" if plan.weapon.hacking else "Shoot"
    ready = (Button(verb, shot, "main", anytime=True), Button("Odds", replace(shot, odds=True), anytime=True))
    choices = tuple(_further(plan, marks, names, dice_left))
    terms = ("Change the fire mode, MODs or Order", tuple(_how(act, plan)))
    prompt = "Add a die, or change cover or line of fire"
    return Laid(tuple(lines), prompt, choices, () if dice_left else ready, (others, terms))


def _measured(act: Act, shooter: Trooper, number: int) -> Mark | None:
    """Return a further target with one die, as the board shows it; None if nothing is measured."""
    encounter = act.encounter
    distance, sight = facts.between(encounter, shooter.id, number), facts.sight(encounter, shooter.id, number)
    sight_back = facts.sight(encounter, number, shooter.id)
    if distance is None or sight is None or sight_back is None:
        return None
    cover = in_cover(encounter, shooter.id, number, sight).value
    unseen = is_unseen(encounter, number, shooter.id, sight_back).value
    return Mark(number, distance.value, 1, cover, unseen)


def _marks(act: Act, plan: Sharing, pieces: tuple[int, ...]) -> dict[int, Mark]:
    """Who is shot at so far, the form's target first; the later of two distances. Raises InvalidInput."""
    first = plan.plain
    number = first.target.id
    marks = {number: Mark(number, first.distance, first.dice, first.cover, first.unseen)}
    for number, piece in _split(pieces):
        old_mark = marks.get(number)
        if number == HOW:
            continue
        if FIRST_BAND <= piece < FIRST_BAND + len(plan.limits):
            lies = None if old_mark else _measured(act, first.shooter, number)
            mark = old_mark or Mark(number, dice=1)
            marks[number] = lies or replace(mark, inches=plan.limits[piece - FIRST_BAND])
        elif old_mark is None or piece not in (DIE, COVER, UNSEEN):
            raise InvalidInput("Start again with Shoot. You can't choose that here.")
        elif piece == DIE:
            marks[number] = replace(old_mark, dice=old_mark.dice + 1)
        elif piece == COVER:
            marks[number] = replace(old_mark, cover=not old_mark.cover)
        else:
            marks[number] = replace(old_mark, unseen=not old_mark.unseen)
    return marks


def _terms_told(plan: Sharing) -> list[str]:
    """With what, how, and what else the form said of the whole attack."""
    shot = plan.plain
    parts = [plan.weapon.name]
    parts += [shot.mode] if shot.mode is not Mode.DIRECT else []
    parts += terms_words(terms_of(shot, plan.weapon, ()))
    return [*parts, f"{shot.order.capitalize()} Order"] if shot.order != ORDERS[0] else parts


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


def _further(plan: Sharing, marks: dict[int, Mark], names: dict[int, str], dice: int) -> Iterator[Choice]:
    speculative = plan.plain.mode is Mode.SPECULATIVE
    for number in marks:
        if dice > 0:
            yield Choice(f"Add a die against {names[number]}", str(number * PLACE + DIE))
    for number, mark in marks.items():
        if not (speculative or plan.weapon.hacking):
            cover_text = "in the open" if mark.cover else "in cover"
            yield Choice(f"Mark {names[number]} as {cover_text}", str(number * PLACE + COVER))
        if plan.plain.sight and not speculative:
            sees = "having line of fire to you" if mark.unseen else "having no line of fire to you"
            yield Choice(f"Mark {names[number]} as {sees}", str(number * PLACE + UNSEEN))


def _others(act: Act, plan: Sharing, marks: dict[int, Mark], dice_left: int) -> Iterator[Choice]:
    """Every other enemy figure at each distance, those first that are not down."""
    if dice_left <= 0 or len(marks) >= MAX_TARGETS:
        return
    encounter = act.encounter
    rows = [
        row
        for row in encounter.models()
        if row.side != plan.plain.shooter.side
        and row.id not in marks
        and not concealment.is_marker(encounter, row.id)
    ]
    rows.sort(key=lambda row: target_of(act, plan.plain.shooter, f"#{row.id}").is_null)
    summary = game_of(encounter).model_summary
    for row, offer in zip(rows, models_offered(Asking(act, "target"), rows), strict=True):
        note = summary(encounter, row).removeprefix(row.name).lstrip(",: ")
        lies = _measured(act, plan.plain.shooter, row.id)
        if lies is not None:
            sight = facts.sight(encounter, plan.plain.shooter.id, row.id)
            if sight is not None and not sight.is_blocked:
                cover = ", in cover" if lies.cover else ""
                yield Choice(
                    f"{offer.label}: {lies.inches:g} in{cover}", str(row.id * PLACE + FIRST_BAND), note
                )
            continue
        for place, _ in enumerate(plan.limits):
            number = row.id * PLACE + FIRST_BAND + place
            yield Choice(f"{offer.label}: {plan.reach(place)}", str(number), note)


def _how(act: Act, plan: Sharing) -> Iterator[Choice]:
    shot, shooter = plan.plain, plan.plain.shooter
    modes = [Mode.DIRECT, *([Mode.SPECULATIVE] if plan.weapon.template else [])]
    modes += [Mode.TRIANGULATED] if shooter.levels(Skill.SENSOR) and not plan.weapon.hacking else []
    for mode in modes:
        if mode is not shot.mode:
            yield Choice(f"{mode} fire".capitalize(), str(MODES.index(mode)))
    for place, (word, amount) in enumerate(VISIBILITY.items()):
        if amount != shot.visibility:
            yield Choice(f"Visibility: {word if amount else 'normal'} ({amount})", str(FIRST_GRADE + place))
    for piece, step in ((BETTER, STEP), (WORSE, -STEP)):
        if abs(shot.mod + step) <= MAX_MOD:
            yield Choice(f"Add {step:+d} to the MOD", str(piece))
    paying = _paying(act, shooter)
    for word in paying if len(paying) > 1 else ():
        if word != shot.order:
            yield Choice(f"{word.capitalize()} Order", str(FIRST_ORDER + ORDERS.index(word)))


def _paying(act: Act, shooter: Trooper) -> list[str]:
    pool = pool_of(act.encounter, shooter.side)
    able = {
        "regular": pool.of_group(shooter.group) > 0,
        "irregular": shooter.id in pool.irregular,
        "lieutenant": pool.lieutenant == shooter.id,
    }
    return [word for word, may in able.items() if may]


def _shot(plan: Sharing, marks: list[Mark]) -> Shoot:
    first, *others = marks
    takes_all = not others and first.dice == plan.weapon.burst
    return replace(
        plan.plain,
        dice=0 if takes_all else first.dice,
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
    shot = read(act, action)
    assert isinstance(shot, Shoot)
    return Draft(SHARED, _packed(shot, weapon_of(shot)), words=repr(shot.distance))


SEVERAL[Shoot.command] = Several(
    "Several targets",
    "Choose targets, fire mode, visibility and MODs in the next step",
    _begins,
    frozenset({"dice", "target2", "distance2", "cover2", "more"}),
)
