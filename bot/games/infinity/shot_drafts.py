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
from bot.games.infinity.attack_actions import VISIBILITY_MODS, Shoot, build_terms, choose_weapon
from bot.games.infinity.duels import ZONE_INCHES
from bot.games.infinity.fields import is_in_cover, is_unseen
from bot.games.infinity.narration import join_into_line
from bot.games.infinity.order_rows import Mark
from bot.games.infinity.orders import list_terms, pool_of
from bot.games.infinity.troops import ORDER_WORDS, require_own_trooper, require_target
from bot.replies.reply import Button, Choice
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.asking.offering import models_offered
from bot.table.asking.reading import read
from bot.table.board import facts
from bot.table.game import game_of
from bot.table.handlers import HANDLERS
from bot.table.offers.forms import SEVERAL_BY_COMMAND, Several
from bot.table.session.drafts import OTHER_VERSION, Draft, DraftView, register_maker, require_list_item
from rules.refusals import Forbidden, InvalidInput
from rules.systems.infinity.profile import Skill, Weapon
from rules.systems.infinity.shooting import Mode
from rules.systems.infinity.trooper import Trooper
from rules.wording import times

DRAFT_KIND = "inf.shot"

PIECE_BASE = 16
"""A piece is the target's number times this, plus what is said of it."""

ADD_DIE, TOGGLE_TARGET_COVER, TOGGLE_UNSEEN, FIRST_BAND = 0, 1, 2, 3
"""One die more; the other way in cover, or in the open; the other way seeing the shooter, or not; and a first
die, within the first of the weapon's range bands, or within a further one."""

MAX_TARGETS = 5
"""Targets that the attack can be written down with, whatever is said of each."""

MODES, VISIBILITY_VALUES = tuple(Mode), tuple(VISIBILITY_MODS.values())

WHOLE_ATTACK = 0
"""In the place of a target: what follows is said of the whole attack."""

FIRST_VISIBILITY, RAISE_MOD, LOWER_MOD, FIRST_ORDER = len(MODES), 6, 7, 8
"""What is said of it: a mode, from 0; the visibility; `STEP` more on the MOD, or less; which Order pays."""

MOD_STEP, MAX_MOD = 3, 12

SWITCH_FIELDS = ("own_cover", "zero_visibility", "sight", "cover", "unseen")
"""The switches of the form, in the order of its bits; the last two are of its target."""

SURPRISE_VALUES = (None, True, False)
"""The values for a Surprise Shot, above those bits."""


@dataclass(frozen=True, slots=True)
class Sharing:
    """A draft's contents beside its pieces: all fields of the form, including its target and dice."""

    plain: Shoot
    weapon: Weapon

    @property
    def limits(self) -> tuple[float, ...]:
        """Return how far off a target may be said to be: the ends of the weapon's range bands."""
        return tuple(float(band.limit) for band in self.weapon.bands) or (ZONE_INCHES, 2 * ZONE_INCHES)

    def reach(self, place: int) -> str:
        """Return one of them in words, with its MOD."""
        mods = [f" ({band.mod:+d})" for band in self.weapon.bands]
        return f"up to {self.limits[place]:g} in{mods[place] if mods else ''}"


def _pack_shot(action: Shoot, weapon: Weapon) -> tuple[int, ...]:
    switch_bits = sum(getattr(action, name) << bit for bit, name in enumerate(SWITCH_FIELDS))
    switch_bits += SURPRISE_VALUES.index(action.surprise) << len(SWITCH_FIELDS)
    return (
        action.shooter.id,
        action.shooter.current.weapons.index(weapon),
        switch_bits,
        MODES.index(action.mode),
        VISIBILITY_VALUES.index(action.visibility),
        action.mod,
        ORDER_WORDS.index(action.order),
        action.target.id,
        action.dice or 1,
    )


def _unpack_draft(act: Act, draft: Draft) -> Sharing:
    """Unpack a draft. Raises InvalidInput, NotAllowed for another's trooper, Forbidden for a Marker."""
    number, weapon_index, switch_bits, mode_index, visibility_index, mod, order, target, dice = draft.about
    shooter = require_own_trooper(act, f"#{number}" if number > 0 else f"~{-number}")
    if not 0 <= weapon_index < len(shooter.current.weapons):
        raise InvalidInput(f"Start the attack again. {shooter.current.name} has different weapons now.")
    weapon = shooter.current.weapons[weapon_index]
    base_shot = Shoot(
        shooter,
        require_target(act, shooter, f"#{target}"),
        _read_inches(draft.words),
        weapon=weapon,
        mode=require_list_item(MODES, mode_index),
        dice=dice,
        visibility=require_list_item(VISIBILITY_VALUES, visibility_index),
        mod=mod,
        order=require_list_item(ORDER_WORDS, order),
    )
    switches: dict[str, Any] = {name: bool(switch_bits >> bit & 1) for bit, name in enumerate(SWITCH_FIELDS)}
    shot = replace(
        base_shot, surprise=require_list_item(SURPRISE_VALUES, switch_bits >> len(SWITCH_FIELDS)), **switches
    )
    for number, piece in _split_pieces(draft.pieces):
        shot = _apply_piece(shot, piece) if number == WHOLE_ATTACK else shot
    if abs(shot.mod) > MAX_MOD or not 0 < dice <= weapon.burst:
        raise InvalidInput(OTHER_VERSION)
    return Sharing(shot, weapon)


def _read_inches(words: str) -> float:
    """Return how far the target of the form is. Raises InvalidInput."""
    try:
        inches = float(words)
    except ValueError:
        raise InvalidInput(OTHER_VERSION) from None
    if not 0 <= inches <= fields.MAX_INCHES:
        raise InvalidInput(OTHER_VERSION)
    return inches


def _split_pieces(pieces: tuple[int, ...]) -> list[tuple[int, int]]:
    return [divmod(piece, PIECE_BASE) for piece in pieces]


def _apply_piece(shot: Shoot, piece: int) -> Shoot:
    if piece >= FIRST_ORDER:
        return replace(shot, order=ORDER_WORDS[(piece - FIRST_ORDER) % len(ORDER_WORDS)])
    if piece in (RAISE_MOD, LOWER_MOD):
        return replace(shot, mod=shot.mod + (MOD_STEP if piece == RAISE_MOD else -MOD_STEP))
    if piece >= FIRST_VISIBILITY:
        return replace(shot, visibility=VISIBILITY_VALUES[piece - FIRST_VISIBILITY])
    return replace(shot, mode=MODES[piece])


@register_maker(DRAFT_KIND, 9)
def lay_out_draft(act: Act, draft: Draft) -> DraftView:
    """Return the dice of one attack. about: see `_pack_shot`; words: inches to the target of the form.

    Rules: INF-F2F-07.
    """
    plan = _unpack_draft(act, draft)
    marks = _collect_marks(act, plan, draft.pieces)
    names = {number: require_target(act, plan.plain.shooter, f"#{number}").current.name for number in marks}
    dice_left = max(0, plan.weapon.burst - sum(mark.dice for mark in marks.values()))
    shot = _build_shot(plan, list(marks.values()))
    lines = [
        f"{plan.plain.shooter.current.name} has {times(dice_left, 'die', 'dice')} left to share out",
        *join_into_line(_attack_terms(plan)),
        "Only you can see this.",
    ]
    for number, mark in marks.items():
        lines += join_into_line(_target_terms(names[number], mark))
    verb = "Hack" if plan.weapon.hacking else "Shoot"
    lines += _refusal_lines(act, shot, verb.lower())
    target_choices = ("Add a target and its distance", tuple(_target_choices(act, plan, marks, dice_left)))
    final_buttons = (
        Button(verb, shot, "main", anytime=True),
        Button("Odds", replace(shot, odds=True), anytime=True),
    )
    die_choices = tuple(_die_choices(plan, marks, names, dice_left))
    attack_choices = ("Change the fire mode, MODs or Order", tuple(_attack_choices(act, plan)))
    prompt = "Add a die, or change cover or line of fire"
    return DraftView(
        tuple(lines),
        prompt,
        die_choices,
        () if dice_left else final_buttons,
        (target_choices, attack_choices),
    )


def _measure_target(act: Act, shooter: Trooper, number: int) -> Mark | None:
    """Return a further target with one die, as the board shows it; None if nothing is measured."""
    encounter = act.encounter
    distance, sight = facts.between(encounter, shooter.id, number), facts.sight(encounter, shooter.id, number)
    sight_back = facts.sight(encounter, number, shooter.id)
    if distance is None or sight is None or sight_back is None:
        return None
    cover = is_in_cover(encounter, shooter.id, number, sight).value
    unseen = is_unseen(encounter, number, shooter.id, sight_back).value
    return Mark(number, distance.value, 1, cover, unseen)


def _collect_marks(act: Act, plan: Sharing, pieces: tuple[int, ...]) -> dict[int, Mark]:
    """Who is shot at so far, the form's target first; the later of two distances. Raises InvalidInput."""
    form_shot = plan.plain
    number = form_shot.target.id
    marks = {number: Mark(number, form_shot.distance, form_shot.dice, form_shot.cover, form_shot.unseen)}
    for number, piece in _split_pieces(pieces):
        old_mark = marks.get(number)
        if number == WHOLE_ATTACK:
            continue
        if FIRST_BAND <= piece < FIRST_BAND + len(plan.limits):
            measured_mark = None if old_mark else _measure_target(act, form_shot.shooter, number)
            mark_before = old_mark or Mark(number, dice=1)
            marks[number] = measured_mark or replace(mark_before, inches=plan.limits[piece - FIRST_BAND])
        elif old_mark is None or piece not in (ADD_DIE, TOGGLE_TARGET_COVER, TOGGLE_UNSEEN):
            raise InvalidInput("Start the attack again. You can't choose that here.")
        elif piece == ADD_DIE:
            marks[number] = replace(old_mark, dice=old_mark.dice + 1)
        elif piece == TOGGLE_TARGET_COVER:
            marks[number] = replace(old_mark, cover=not old_mark.cover)
        else:
            marks[number] = replace(old_mark, unseen=not old_mark.unseen)
    return marks


def _attack_terms(plan: Sharing) -> list[str]:
    """With what, how, and what else the form said of the whole attack."""
    shot = plan.plain
    parts = [plan.weapon.name]
    parts += [shot.mode] if shot.mode is not Mode.DIRECT else []
    parts += list_terms(build_terms(shot, plan.weapon, ()))
    return [*parts, f"{shot.order.capitalize()} Order"] if shot.order != ORDER_WORDS[0] else parts


def _target_terms(name: str, mark: Mark) -> list[str]:
    parts = [f"{times(mark.dice, 'die', 'dice')} at {name}", f"{mark.inches:g} in"]
    parts += ["in cover"] if mark.cover else []
    return [*parts, "the target has no line of fire"] if mark.unseen else parts


def _refusal_lines(act: Act, shot: Shoot, verb: str) -> list[str]:
    prepare = HANDLERS[Shoot.command].prepare
    assert prepare is not None
    try:
        prepare(act, shot)
    except (InvalidInput, Forbidden) as refusal:
        return [f"You can't {verb} like this yet. {refusal.sentence}"]
    return []


def _die_choices(plan: Sharing, marks: dict[int, Mark], names: dict[int, str], dice: int) -> Iterator[Choice]:
    speculative = plan.plain.mode is Mode.SPECULATIVE
    for number in marks:
        if dice > 0:
            yield Choice(f"Add a die against {names[number]}", str(number * PIECE_BASE + ADD_DIE))
    for number, mark in marks.items():
        if not (speculative or plan.weapon.hacking):
            cover_text = "in the open" if mark.cover else "in cover"
            yield Choice(
                f"Mark {names[number]} as {cover_text}", str(number * PIECE_BASE + TOGGLE_TARGET_COVER)
            )
        if plan.plain.sight and not speculative:
            sight_text = "having line of fire to you" if mark.unseen else "having no line of fire to you"
            yield Choice(f"Mark {names[number]} as {sight_text}", str(number * PIECE_BASE + TOGGLE_UNSEEN))


def _target_choices(act: Act, plan: Sharing, marks: dict[int, Mark], dice_left: int) -> Iterator[Choice]:
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
    rows.sort(key=lambda row: require_target(act, plan.plain.shooter, f"#{row.id}").is_null)
    summarise = game_of(encounter).model_summary
    for row, offer in zip(rows, models_offered(Asking(act, "target"), rows), strict=True):
        note = summarise(encounter, row).removeprefix(row.name).lstrip(",: ")
        measured_mark = _measure_target(act, plan.plain.shooter, row.id)
        if measured_mark is not None:
            sight = facts.sight(encounter, plan.plain.shooter.id, row.id)
            if sight is not None and not sight.is_blocked:
                cover = ", in cover" if measured_mark.cover else ""
                yield Choice(
                    f"{offer.label}: {measured_mark.inches:g} in{cover}",
                    str(row.id * PIECE_BASE + FIRST_BAND),
                    note,
                )
            continue
        for band_index, _ in enumerate(plan.limits):
            piece = row.id * PIECE_BASE + FIRST_BAND + band_index
            yield Choice(f"{offer.label}: {plan.reach(band_index)}", str(piece), note)


def _attack_choices(act: Act, plan: Sharing) -> Iterator[Choice]:
    shot, shooter = plan.plain, plan.plain.shooter
    modes = [Mode.DIRECT, *([Mode.SPECULATIVE] if plan.weapon.template else [])]
    modes += [Mode.TRIANGULATED] if shooter.levels(Skill.SENSOR) and not plan.weapon.hacking else []
    for mode in modes:
        if mode is not shot.mode:
            yield Choice(f"{mode} fire".capitalize(), str(MODES.index(mode)))
    for place, (visibility_word, amount) in enumerate(VISIBILITY_MODS.items()):
        if amount != shot.visibility:
            yield Choice(
                f"Visibility: {visibility_word if amount else 'normal'} ({amount})",
                str(FIRST_VISIBILITY + place),
            )
    for piece, step in ((RAISE_MOD, MOD_STEP), (LOWER_MOD, -MOD_STEP)):
        if abs(shot.mod + step) <= MAX_MOD:
            yield Choice(f"Add {step:+d} to the MOD", str(piece))
    paying_orders = _list_paying_orders(act, shooter)
    for order_word in paying_orders if len(paying_orders) > 1 else ():
        if order_word != shot.order:
            yield Choice(f"{order_word.capitalize()} Order", str(FIRST_ORDER + ORDER_WORDS.index(order_word)))


def _list_paying_orders(act: Act, shooter: Trooper) -> list[str]:
    pool = pool_of(act.encounter, shooter.side)
    can_pay = {
        "regular": pool.of_group(shooter.group) > 0,
        "irregular": shooter.id in pool.irregular,
        "lieutenant": pool.lieutenant == shooter.id,
    }
    return [word for word, is_possible in can_pay.items() if is_possible]


def _build_shot(plan: Sharing, marks: list[Mark]) -> Shoot:
    first_mark, *other_marks = marks
    uses_whole_burst = not other_marks and first_mark.dice == plan.weapon.burst
    return replace(
        plan.plain,
        dice=0 if uses_whole_burst else first_mark.dice,
        cover=first_mark.cover,
        unseen=first_mark.unseen,
        more=tuple(other_marks) or None,
    )


def _begin_draft(act: Act, action: Action) -> Draft | None:
    """What was said of an attack, to go on from; None where it names further targets already.

    Its odds are a button of the draft. Raises InvalidInput, Forbidden for what the attack would refuse.
    """
    if raw_of(action).keys() & {"target2", "more", "under"}:
        return None
    shot = read(act, action)
    assert isinstance(shot, Shoot)
    return Draft(DRAFT_KIND, _pack_shot(shot, choose_weapon(shot)), words=repr(shot.distance))


SEVERAL_BY_COMMAND[Shoot.command] = Several(
    "Several targets",
    "Choose targets, fire mode, visibility and MODs in the next step",
    _begin_draft,
    frozenset({"dice", "target2", "distance2", "cover2", "more"}),
)
