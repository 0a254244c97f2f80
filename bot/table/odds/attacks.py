"""Every attack that a model can make, and what it may do to its target."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from bot.actions import ACTIONS, Action, Part, parts, reference_by_number
from bot.replies.chances import percent
from bot.store.rows import ModelRow
from bot.table.act import Act
from bot.table.asking.kinds import TableKind
from bot.table.asking.reading import understood
from bot.table.game import game
from bot.table.handlers import HANDLERS, Place
from bot.table.odds_budget import OddsTooLarge, Thinking
from bot.table.offers.comparisons import list_possible_values
from bot.table.offers.forms import MEASURED, AskForm, read_form, title_of
from bot.table.offers.legal_actions import Looking
from bot.table.steps import Chances, Hurt, as_asked, as_done
from rules.dice import Odds
from rules.measure import tenths
from rules.refusals import Forbidden, InvalidInput

SHARE, MIN_SHARE = 3, 0.15
"""How many times its part of the time left one of several questions may take, and what it may in any case."""


@dataclass(frozen=True, slots=True)
class Weight:
    """An action in its one form, and what it may come to. solved: the odds that this comes from."""

    action: Action
    chances: Chances
    solved: tuple[Odds[Any], ...] = ()


def weigh(act: Act, action: Action) -> Weight:
    """Return what an action may come to, to who asks. Raises InvalidInput, Forbidden: it is not possible."""
    handler = HANDLERS[action.command]
    if handler.weigh is None:
        raise InvalidInput("This action has no roll to compare.")
    told_before, act.told = act.told, []
    try:
        with act.considering(as_asked(action)):
            ready_action = understood(act, act.action)
            handler.permit(act, ready_action)
            chances = handler.weigh(act, ready_action)
            return Weight(as_done(act.canonical), chances, (*act.told, *chances.solved))
    finally:
        act.told = told_before


def can_be_done(act: Act, action: Action, *, asking: bool = True) -> bool:
    """Return whether an action that was weighed may be done just now, by who asks.

    asking: also where something is asked first that only a player can say.
    """
    handler = HANDLERS[action.command]
    try:
        with act.considering(as_done(action)):
            understood_action = understood(act, act.action)
            handler.permit(act, understood_action)
            ready = handler.prepare(act, understood_action) if handler.prepare else None
            return asking or handler.asks is None or handler.asks(act, understood_action, ready) is None
    except (InvalidInput, Forbidden):
        return False


def is_barred(act: Act, action: Action) -> bool:
    """Return whether who acts in it may not do such a thing just now, whatever else is said."""
    handler = HANDLERS[action.command]
    if handler.may is None:
        return False
    try:
        with act.considering(as_done(action)):
            handler.may(act, understood(act, act.action))
    except (InvalidInput, Forbidden):
        return True
    return False


def share_time(act: Act, questions_left: int) -> AbstractContextManager[None]:
    """Return the context in which one of the remaining questions is considered."""
    return act.thinking.sharing(max(MIN_SHARE, SHARE / questions_left))


def weigh_first_possible(act: Act, attempts: Iterable[Action]) -> Weight | None:
    """Return the first of these that is possible, None if none is. Raises OddsTooLarge."""
    for action in attempts:
        try:
            return weigh(act, action)
        except OddsTooLarge:
            raise
        except (InvalidInput, Forbidden):
            continue
    return None


def weigh_each(act: Act, variants: Sequence[Sequence[Action]]) -> list[Weight | OddsTooLarge | None]:
    """Return for each way the first try that is possible, or None; OddsTooLarge if there was no time."""
    weights: list[Weight | OddsTooLarge | None] = []
    for number, attempts in enumerate(variants):
        if act.thinking.late:
            return [*weights, *(OddsTooLarge() for _ in variants[number:])]
        try:
            with share_time(act, len(variants) - number):
                weights.append(weigh_first_possible(act, attempts))
        except OddsTooLarge as error:
            weights.append(error.with_traceback(None))
    return weights


TARGET_FIELDS, WEAPON_FIELDS = ("target", "targets"), ("weapon", "power")
"""The fields of an attack that name its target and its weapon."""

TAKES_OUT = frozenset({"out", "wrecked", "win"})
"""What is hoped for of attacks that tell no wounds, in the words of their games."""


USUAL_INCHES = 8.0
"""The assumed distance to models that were not measured."""


@dataclass(frozen=True, slots=True)
class Attack:
    """A possible attack.

    by, at: attacker and target. weapon: or power. bare: the action with only the attacker. said: its other
    fields. inches: the distance to models that were not measured.
    """

    by: ModelRow
    at: ModelRow
    weapon: str
    bare: Action
    said: tuple[tuple[str, Any], ...]
    inches: float

    @property
    def kind(self) -> type[Action]:
        """Return what kind of attack it is."""
        return type(self.bare)

    @property
    def tries(self) -> tuple[Action, ...]:
        """Return the action as asked, at the known distance, then at the assumed one.

        Where no distance is ever known what is not said means contact, and that comes last.
        """
        armed = replace(self.bare, **dict(self.said))
        at_distance = replace(armed, distance=self.inches) if means_contact(self.kind.command) else armed  # type: ignore[call-arg]
        return tuple(
            dict.fromkeys(
                (_at_distance(at_distance, self.inches), _at_distance(armed, self.inches, full=True))
            )
        )

    @property
    def pair(self) -> tuple[int, int]:
        """Return the numbers of the attacker and the target."""
        return self.by.id, self.at.id

    @property
    def how(self) -> str:
        """Return the kind and the weapon."""
        return ", ".join(filter(None, (title_of(self.kind), self.weapon)))


def list_attacks(
    act: Act, attacker: ModelRow, inches: float, foes: Sequence[int] = (), kinds: Sequence[type[Action]] = ()
) -> Iterator[Attack]:
    """Yield every attack that may be tried: on each foe with each weapon.

    foes: their numbers, or empty for all. kinds: only these kinds of attack, or empty for all.
    """
    for kind in kinds or list_attack_kinds(act.encounter.row.system):
        first, *others = parts(kind.command)
        attack: Action = kind(**{first.name: reference_by_number(attacker.id)})
        target = next(part for part in others if part.name in TARGET_FIELDS)
        weapon = next((part for part in others if part.name in WEAPON_FIELDS), None)
        weapons = list(list_possible_values(act, attack, weapon)) if weapon else []
        for row in act.encounter.models():
            if (
                row.side == attacker.side
                or (foes and row.id not in foes)
                or not _is_offered(act, attack, target, row)
            ):
                continue
            name = reference_by_number(row.id)
            aimed = (target.name, (name,) if target.wire == tuple[str, ...] else name)
            for raw, label in weapons or [("", "")]:
                choices = (aimed, (weapon.name, raw)) if weapon and raw else (aimed,)
                yield Attack(attacker, row, label, attack, choices, inches)


@cache
def list_attack_kinds(system: str) -> tuple[type[Action], ...]:
    """Return the kinds of attack of a game, likely ones first."""
    likely_kinds = list(game(system).likely)
    weighable = [
        ACTIONS[command]
        for command, handler in HANDLERS.items()
        if handler.weigh is not None and handler.place is Place.ENCOUNTER and handler.system == system
    ]
    aimed = [
        kind for kind in weighable if any(part.name in TARGET_FIELDS for part in parts(kind.command)[1:])
    ]
    return tuple(
        sorted(
            aimed,
            key=lambda kind: (
                likely_kinds.index(kind.command) if kind.command in likely_kinds else len(likely_kinds)
            ),
        )
    )


def split_attack_kinds(system: str) -> tuple[tuple[type[Action], ...], tuple[type[Action], ...]]:
    """Return the likeliest kinds of attack (from afar, in contact, powers), then the others."""
    kinds = list_attack_kinds(system)
    powers = tuple(kind for kind in kinds[2:] if _is_power(kind))
    return (*kinds[:2], *powers), tuple(kind for kind in kinds[2:4] if kind not in powers)


def _is_power(kind: type[Action]) -> bool:
    """Return whether it hurts by a power: each does something of its own."""
    return any(part.name == "power" for part in parts(kind.command))


def _is_offered(act: Act, attack: Action, target: Part, row: ModelRow) -> bool:
    """Return whether a foe may be aimed at, as far as who asks may know of it."""

    def names() -> frozenset[str]:
        return frozenset(str(raw) for raw, _ in list_possible_values(act, attack, target))

    offered_names = act.encounter.worked_out((_is_offered, attack.command, act.actor.user_id), names)
    return bool({row.name, reference_by_number(row.id)} & offered_names)


def _at_distance(action: Action, inches: float, *, full: bool = False) -> Action:
    """Return the action at that distance, where it must be said. full: also where it mostly is."""
    values: dict[str, Any] = {}
    for part in parts(action.command):
        kind = part.kind
        if not isinstance(kind, TableKind) or not (kind.needed or (full and kind.wanted)):
            continue
        if part.wire is float:
            values[part.name] = inches
        elif part.name == "distance":
            values[part.name] = f"{inches:g}"
    return replace(action, **values)


@cache
def means_contact(command: str) -> bool:
    """Return whether an attack for which no distance is said is one in contact."""
    part = next((part for part in parts(command) if part.name == "distance"), None)
    if part is None or part.wire is not float or part.name in ACTIONS[command].recalled:
        return False
    return (
        part.unsaid == 0 and isinstance(part.kind, TableKind) and not (part.kind.needed or part.kind.wanted)
    )


def is_assumed(attack: Attack, weight: Weight) -> bool:
    """Return whether its distance was assumed."""
    part = next((part for part in parts(weight.action.command) if part.name in ("distance", "inches")), None)
    if part is None:
        return False
    tried_values = [getattr(attempt, part.name) for attempt in attack.tries]
    value = part.kind.write(getattr(weight.action, part.name))
    return bool(value != part.unsaid and value in tried_values)


def is_attack(weight: Weight) -> bool:
    """Return whether an action is an attack: it names a target, or its only aim is to hurt."""
    return bool(weight.chances.hurts) or weight.chances.aim in TAKES_OUT


def get_hurt(weight: Weight, attack: Attack) -> Hurt:
    """Return what an attack does to its target, or only its aim if it has no wounds."""
    hurts = weight.chances.hurts
    return hurts[0] if hurts else Hurt(attack.at.id, weight.chances.chance, 0.0)


def find_possible_kinds(act: Act, candidates: Sequence[Attack]) -> set[type[Action]]:
    """Return the kinds of attack of which one can be made at once."""
    able = set[type[Action]]()
    first = {attack.kind: attack for attack in reversed(candidates)}
    barred = {kind for kind, attack in first.items() if is_barred(act, attack.tries[0])}
    for attack in candidates:
        if attack.kind in able or attack.kind in barred:
            continue
        if any(can_be_done(act, action, asking=False) for action in attack.tries):
            able.add(attack.kind)
    return able


def weigh_attacks(
    act: Act, candidates: Sequence[Attack], *, only_possible: bool = False, only_one_each: bool = False
) -> tuple[list[tuple[Attack, Weight]], list[Attack]]:
    """Return the possible attacks with their chances, and those without because time was up.

    possible: only those possible at once, without a question. one_each: only the first possible attack of
    each model on each foe; the others are left for later. An attack that can't hurt is dropped.
    """
    pairs, unweighed_attacks = list[tuple[Attack, Weight]](), list[Attack]()
    harmless, pairs_done = set[str](), set[tuple[int, int]]()
    for number, attack in enumerate(candidates):
        if act.thinking.late:
            return pairs, [*unweighed_attacks, *candidates[number:]]
        if attack.how in harmless:
            continue
        if only_one_each and attack.pair in pairs_done:
            unweighed_attacks.append(attack)
            continue
        attempts = [
            tried for tried in attack.tries if not only_possible or can_be_done(act, tried, asking=False)
        ][: 1 if only_possible else 2]
        try:
            with share_time(act, len(candidates) - number):
                weight = weigh_first_possible(act, attempts)
        except OddsTooLarge:
            unweighed_attacks.append(attack)
            continue
        if weight is not None and is_attack(weight):
            pairs.append((attack, weight))
            pairs_done.add(attack.pair)
        elif weight is not None:
            harmless.add(attack.how)
    return pairs, unweighed_attacks


FORM_SECONDS = 0.15
"""Seconds that the chances in a form may take while a person waits for it."""


def add_chances(act: Act, form: AskForm) -> AskForm:
    """Return the form of an attack with the chance beside each target.

    It is that at the distance which is known, or else at the end of the nearest band.
    """
    handler = HANDLERS.get(form.action.command)
    controls = {control.name: control for control in form.controls}
    control = controls.get(TARGET_FIELDS[0])
    if control is None or handler is None or handler.weigh is None or handler.beforehand is not None:
        return form
    act.thinking = Thinking(FORM_SECONDS, apart=True)
    current, _ = read_form(form.action, {control.name: list(control.said) for control in form.controls})
    distances = controls["distance"].choices if "distance" in controls else ()
    bands = [choice.value for choice in distances if choice.value != MEASURED][:1]
    aimed = [read_form(current, {control.name: [choice.value]})[0] for choice in control.choices]
    looking = Looking(act.book, act.actor)
    attempts = [
        [aim] * _has_distance(looking, aim) + [read_form(aim, {"distance": [band]})[0] for band in bands]
        for aim in aimed
    ]
    choices = [
        replace(choice, note=", ".join(filter(None, (choice.note, _format_chance(weight, choice.note)))))
        for choice, weight in zip(control.choices, weigh_each(act, attempts), strict=True)
    ]
    shown_controls = {**controls, control.name: replace(control, choices=tuple(choices))}
    return replace(form, controls=tuple(shown_controls.values()))


def _has_distance(looking: Looking, attack: Action) -> bool:
    """Return whether the distance of an attack is entered or measured, or needn't be."""
    part = next((part for part in parts(attack.command) if part.name == "distance"), None)
    if part is None or not isinstance(part.kind, TableKind) or not part.kind.needed:
        return True
    return bool(getattr(attack, part.name)) or looking.measured(attack, part) is not None


def _format_chance(weight: Weight | OddsTooLarge | None, note: str) -> str:
    """Return the chance of the aim, or nothing if none was found, and its distance unless the note has it."""
    if not isinstance(weight, Weight) or not weight.chances.aim:
        return ""
    chances = weight.chances
    words = chances.brief[0] if chances.brief else f"{chances.aim} {percent(chances.chance).strip()}"
    inches = getattr(weight.action, "distance", None)
    at = f"{tenths(inches):g} in" if isinstance(inches, float) and inches > 0 else ""
    return f"{words} at {at}" if at and not note.startswith(f"{at},") else words
