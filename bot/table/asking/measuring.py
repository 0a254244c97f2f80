"""Values that a board measures for the fields of actions. Each function is the `measures` of a field."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bot.table.asking.kinds import Asking
from bot.table.board import facts
from bot.table.board.facts import Fact
from bot.table.encounter import Encounter
from rules.measure import Sight

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
