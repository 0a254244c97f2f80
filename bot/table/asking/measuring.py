"""Values that a board measures for the fields of actions. Each function is the `measures` of a field."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from bot.actions import declared
from bot.table.asking.kinds import Asking
from bot.table.asking.offering import friendly
from bot.table.asking.table_kinds import Sought
from bot.table.board import facts
from bot.table.board.facts import Fact
from bot.table.board.places import COMPASS
from bot.table.board.routes import Walk, planned
from bot.table.board.surface import has_board, place_of
from bot.table.encounter import Encounter
from rules.measure import Sight
from rules.refusals import InvalidInput, Missing

Measures = Callable[[Asking], Fact | None]


def both(asking: Asking, one: str, other: str) -> tuple[int, int] | None:
    """Return the numbers of the models that two fields name; None if one of them is empty."""
    first, second = (getattr(asking.so_far.get(name), "id", 0) for name in (one, other))
    return (first, second) if first > 0 and second > 0 else None


def distance(one: str, other: str) -> Measures:
    """Return the inches between the models in two fields."""

    def found(asking: Asking) -> Fact | None:
        pair = both(asking, one, other)
        return facts.between(asking.act.encounter, *pair) if pair else None

    return found


def seen(viewer: str, target: str, judged: Callable[[Encounter, int, int, Sight], Any]) -> Measures:
    """Return what a game makes of how one model sees another. judged: gives that, from their numbers."""

    def found(asking: Asking) -> Fact | None:
        pair = both(asking, viewer, target)
        if pair is None:
            return None
        sight = facts.sight(asking.act.encounter, *pair)
        return None if sight is None else judged(asking.act.encounter, *pair, sight)

    return found


# ------------------------------------------------------------------------------------ ways


def ways(asking: Asking) -> Sequence[str]:
    """Ways that a model may go, in words: towards each enemy, into contact, by the compass."""
    if not asking.act.has_encounter or not has_board(asking.act.encounter):
        return ()
    own = friendly(asking)
    others = [row for row in asking.act.encounter.models() if place_of(row) is not None]
    foes = [row.name for row in others if row.side not in own]
    return [
        *(f"6 towards {name}" for name in foes[:8]),
        *(f"into contact with {name}" for name in foes[:8]),
        *(f"6 {word}" for word in COMPASS),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Way(Sought):
    """A way on the board of the model in an earlier field: a `Walk`, None if nothing is said."""

    notation: bool = True

    on_board: ClassVar[bool] = True


def way(of: str, about: str = "Way on the board: 6 towards Trapper, D7") -> Any:
    """Return where the model in an earlier field goes on the board: a `Walk`, or None."""

    def found(asking: Asking, text: str) -> Walk:
        model = getattr(asking.so_far.get(of), "id", 0)
        if not model:
            raise Missing("Choose the model first.")
        if model < 0:
            raise InvalidInput("Place a hidden model with /board hide.")
        return planned(asking.act.encounter, model, text)

    return declared(Way(help=about, names=ways, find=found, written=lambda walk: walk.words), None)


def walked(of: str, told: Callable[[Walk], Any]) -> Measures:
    """Return what the way in a field tells of ground and distance. told: gives the fact."""

    def found(asking: Asking) -> Fact | None:
        walk = asking.so_far.get(of)
        return told(walk) if isinstance(walk, Walk) else None

    return found


def walked_inches(walk: Walk) -> Fact:
    """Return the length of a way."""
    inches = facts.inches(walk.length)
    return Fact(inches, f"{inches:g} in")
