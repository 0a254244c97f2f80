"""Every attack that somebody can make, and what each does to whom it is aimed at.

An attack is any action of the game that is weighed, names whom it is aimed at, and hurts. How they are ranked
and told is for others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from bot.actions import ACTIONS, Action, Part, numbered, parts
from bot.store.rows import ModelRow
from bot.table.act import Act
from bot.table.asking.forms import title_of
from bot.table.asking.kinds import TableKind
from bot.table.game import game
from bot.table.handlers import HANDLERS, Place
from bot.table.odds.ways import values
from bot.table.odds.weighing import Weight, can_be_done, first_possible, is_barred, sharing
from bot.table.rolling.thinking import OddsTooLarge
from bot.table.steps import Hurt

AIMED, ARMED = ("target", "targets"), ("weapon", "power")
"""The fields of an attack that say whom it is aimed at, and by what it hurts."""

TAKES_OUT = frozenset({"out", "wrecked", "win"})
"""What is hoped for of attacks that tell no wounds, in the words of their games."""


USUAL_INCHES = 8.0
"""How far it is taken to be to whom nobody has measured."""


@dataclass(frozen=True, slots=True)
class Attack:
    """One way to attack. by, at: who, at whom; weapon: or power.

    bare: the action that names only who attacks; said: what else it says; inches: to whom nobody measured.
    """

    by: ModelRow
    at: ModelRow
    weapon: str
    bare: Action
    said: tuple[tuple[str, Any], ...]
    inches: float

    @property
    def kind(self) -> type[Action]:
        """What kind of attack it is."""
        return type(self.bare)

    @property
    def tries(self) -> tuple[Action, ...]:
        """As it is asked, at the distance that is known, then at the one that is assumed.

        Where no distance is ever known what is not said means contact, and that comes last.
        """
        armed = replace(self.bare, **dict(self.said))
        far = replace(armed, distance=self.inches) if means_contact(self.kind.command) else armed  # type: ignore[call-arg]
        return tuple(dict.fromkeys((_at(far, self.inches), _at(armed, self.inches, wanted=True))))

    @property
    def pair(self) -> tuple[int, int]:
        """The numbers of who attacks and at whom."""
        return self.by.id, self.at.id

    @property
    def how(self) -> str:
        """The kind and the weapon."""
        return ", ".join(filter(None, (title_of(self.kind), self.weapon)))


def attacks(
    act: Act, who: ModelRow, inches: float, foes: Sequence[int] = (), kinds: Sequence[type[Action]] = ()
) -> Iterator[Attack]:
    """Every attack that may be tried: at each foe with each weapon. foes: their numbers; none: all.

    kinds: only these kinds of attack; none: all.
    """
    for kind in kinds or attacking_kinds(act.encounter.row.system):
        first, *others = parts(kind.command)
        bare: Action = kind(**{first.name: numbered(who.id)})
        target = next(part for part in others if part.name in AIMED)
        weapon = next((part for part in others if part.name in ARMED), None)
        weapons = list(values(act, bare, weapon)) if weapon else []
        for row in act.encounter.models():
            if row.side == who.side or (foes and row.id not in foes) or not _offered(act, bare, target, row):
                continue
            name = numbered(row.id)
            aimed = (target.name, (name,) if target.wire == tuple[str, ...] else name)
            for raw, label in weapons or [("", "")]:
                said = (aimed, (weapon.name, raw)) if weapon and raw else (aimed,)
                yield Attack(who, row, label, bare, said, inches)


@cache
def attacking_kinds(system: str) -> tuple[type[Action], ...]:
    """The kinds of attack of a game, likely ones first."""
    likely = list(game(system).likely)
    found = [
        ACTIONS[command]
        for command, handler in HANDLERS.items()
        if handler.weigh is not None and handler.place is Place.ENCOUNTER and handler.system == system
    ]
    aimed = [kind for kind in found if any(part.name in AIMED for part in parts(kind.command)[1:])]
    return tuple(
        sorted(aimed, key=lambda kind: likely.index(kind.command) if kind.command in likely else len(likely))
    )


def usual_kinds(system: str) -> tuple[tuple[type[Action], ...], tuple[type[Action], ...]]:
    """The likeliest kinds of attack (from afar, in contact, powers), then those for who can do none."""
    kinds = attacking_kinds(system)
    powers = tuple(kind for kind in kinds[2:] if _is_power(kind))
    return (*kinds[:2], *powers), tuple(kind for kind in kinds[2:4] if kind not in powers)


def _is_power(kind: type[Action]) -> bool:
    """Whether it hurts by a power: each does something of its own."""
    return any(part.name == "power" for part in parts(kind.command))


def _offered(act: Act, bare: Action, target: Part, row: ModelRow) -> bool:
    """Whether a foe may be aimed at, as far as who asks may know of it."""

    def names() -> frozenset[str]:
        return frozenset(str(raw) for raw, _ in values(act, bare, target))

    offered = act.encounter.worked_out((_offered, bare.command, act.actor.user_id), names)
    return bool({row.name, numbered(row.id)} & offered)


def _at(action: Action, inches: float, *, wanted: bool = False) -> Action:
    """The action at that distance, where it must be said. wanted: also where it mostly is."""
    said: dict[str, Any] = {}
    for part in parts(action.command):
        kind = part.kind
        if not isinstance(kind, TableKind) or not (kind.needed or (wanted and kind.wanted)):
            continue
        if part.wire is float:
            said[part.name] = inches
        elif part.name == "distance":
            said[part.name] = f"{inches:g}"
    return replace(action, **said)


@cache
def means_contact(command: str) -> bool:
    """Whether an attack for which no distance is said is one in contact."""
    part = next((part for part in parts(command) if part.name == "distance"), None)
    if part is None or part.wire is not float or part.name in ACTIONS[command].recalled:
        return False
    return (
        part.unsaid == 0 and isinstance(part.kind, TableKind) and not (part.kind.needed or part.kind.wanted)
    )


def is_assumed(one: Attack, weight: Weight) -> bool:
    """Whether it was weighed at a distance that nobody said."""
    part = next((part for part in parts(weight.action.command) if part.name in ("distance", "inches")), None)
    if part is None:
        return False
    taken = [getattr(tried, part.name) for tried in one.tries]
    meant = part.kind.write(getattr(weight.action, part.name))
    return bool(meant != part.unsaid and meant in taken)


def hurts(weight: Weight) -> bool:
    """Whether an action is an attack: it says whom it hurts, or hopes for nothing else."""
    return bool(weight.chances.hurts) or weight.chances.aim in TAKES_OUT


def hurt_of(weight: Weight, attack: Attack) -> Hurt:
    """What an attack does to whom it is aimed at; of one that tells no wounds, only what is hoped for."""
    told = weight.chances.hurts
    return told[0] if told else Hurt(attack.at.id, weight.chances.chance, 0.0)


def able_now(act: Act, every: Sequence[Attack]) -> set[type[Action]]:
    """The kinds of attack of which one can be made at once."""
    found = set[type[Action]]()
    first = {one.kind: one for one in reversed(every)}
    barred = {kind for kind, one in first.items() if is_barred(act, one.tries[0])}
    for one in every:
        if one.kind in found or one.kind in barred:
            continue
        if any(can_be_done(act, action, asking=False) for action in one.tries):
            found.add(one.kind)
    return found


def weighed_attacks(
    act: Act, every: Sequence[Attack], *, now: bool = False, once: bool = False
) -> tuple[list[tuple[Attack, Weight]], list[Attack]]:
    """Those that are possible, and those that were not weighed: there was no time for them.

    now: only what can be done at once, nothing asked first. once: of each at each only the first that is
    possible, the others are left for later. What hurts nobody is not gone on with.
    """
    found, left = list[tuple[Attack, Weight]](), list[Attack]()
    harmless, able = set[str](), set[tuple[int, int]]()
    for number, one in enumerate(every):
        if act.thinking.late:
            return found, [*left, *every[number:]]
        if one.how in harmless:
            continue
        if once and one.pair in able:
            left.append(one)
            continue
        tries = [one for one in one.tries if not now or can_be_done(act, one, asking=False)][
            : 1 if now else 2
        ]
        try:
            with sharing(act, len(every) - number):
                weight = first_possible(act, tries)
        except OddsTooLarge:
            left.append(one)
            continue
        if weight is not None and hurts(weight):
            found.append((one, weight))
            able.add(one.pair)
        elif weight is not None:
            harmless.add(one.how)
    return found, left
