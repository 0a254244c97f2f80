"""Models with weapons, and models that hold each other, for the tests of combat."""

from __future__ import annotations

from dataclasses import replace

from rules.systems.counterblast.core.counters import ENGAGED_WITH
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.library import load
from tests.rules.counterblast.field import model


def weapon(key: str):
    return load().weapons[key]


def armed(number: int, side: int, *weapons: str, engaged: tuple[int, ...] = (), **changes) -> Fighter:
    """A model with weapons of the library, engaged with the models of these ids."""
    counters = {**changes.pop("counters", {}), **{ENGAGED_WITH.of(other): 1 for other in engaged}}
    made = model(number, side, counters=counters, **changes)
    return replace(made, weapons=tuple(map(weapon, weapons)))


def reasons(modifiers) -> dict[str, int]:
    return {modifier.reason: modifier.amount for modifier in modifiers}
