"""The d20 against an Attribute: MODs summed and capped, successes, Criticals, Attributes above 20.

Owns what one die is worth and the Normal Roll; knows no opponent (see `f2f`) and no consequences.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from functools import cache

from rules.dice import Dice, Die, Facet
from rules.modifiers import Modifier, total
from rules.systems.infinity.settings import DEFAULT, Settings

SIDES = 20
CRITICAL_RANK = 20
"""Rank of a Critical; plain successes rank as the value they show, 1 to 19."""

MAX_BURST = 20
"""More dice in one attack than any weapon with every bonus throws."""


class Reading(IntEnum):
    """What one die of a roll says."""

    FAILURE = 0
    SUCCESS = 1
    CRITICAL = 2


@dataclass(frozen=True, slots=True)
class Hits:
    """Successes that count: plain ones, and Criticals."""

    plain: int = 0
    critical: int = 0

    def __bool__(self) -> bool:
        return self.plain + self.critical > 0

    @property
    def total(self) -> int:
        """Plain and Critical together. Rules: INF-F2F-05."""
        return self.plain + self.critical


NO_HITS = Hits()


def applied(modifiers: Iterable[Modifier], settings: Settings = DEFAULT) -> int:
    """The sum of all MODs of one roll, limited to the cap on either side. Rules: INF-ROLL-02."""
    return max(-settings.mod_cap, min(settings.mod_cap, total(modifiers)))


def modified(attribute: int, modifiers: Iterable[Modifier], settings: Settings = DEFAULT) -> int:
    """The value to roll against: Attribute plus the capped MODs; it may be below 1 or above 20.

    Rules: INF-ROLL-01, INF-ROLL-02.
    """
    return attribute + applied(modifiers, settings)


def excess(value: int) -> int:
    """What is added to every die because the modified Attribute exceeds 20. Rules: INF-ROLL-04."""
    return max(0, value - SIDES)


def rank(value: int, face: int) -> int:
    """What a face (1 to 20) is worth against a modified Attribute: 0 failure, 1 to 19 success, 20 Critical.

    Rules: INF-ROLL-01, INF-ROLL-03, INF-ROLL-04, INF-ROLL-05.
    """
    if value <= 0:
        return 0
    shown = face + excess(value)
    if shown < min(value, SIDES):
        return shown
    return CRITICAL_RANK if face == value or value > SIDES else 0


def reading(value: int, face: int) -> Reading:
    """Failure, success or Critical of one face against a modified Attribute. Rules: INF-ROLL-05."""
    worth = rank(value, face)
    if worth == CRITICAL_RANK:
        return Reading.CRITICAL
    return Reading.SUCCESS if worth else Reading.FAILURE


_FACETS = {
    Reading.FAILURE: Facet("failure", (0, 0)),
    Reading.SUCCESS: Facet("success", (1, 0)),
    Reading.CRITICAL: Facet("critical", (0, 1)),
}


@cache
def attribute_die(value: int) -> Die:
    """The d20 of a Normal Roll, with the tallies plain and critical."""
    facets = tuple(_FACETS[reading(value, face)] for face in range(1, SIDES + 1))
    return Die(("plain", "critical"), facets, shift=excess(value))


def normal_rolls(dice: Dice, burst: int, value: int, *, label: str = "roll") -> Hits:
    """Several dice against one modified Attribute, unopposed. No die is thrown where none can succeed.

    burst: 0 to 20 dice. Rules: INF-ROLL-01, INF-ROLL-03, INF-ROLL-04, INF-ROLL-05, INF-TRX-02.
    """
    if burst <= 0 or value <= 0:
        return Hits()
    return Hits(*dice.pool(burst, attribute_die(value), label))


def normal_roll(dice: Dice, value: int, *, label: str = "roll") -> Reading:
    """One die against a modified Attribute; automatic failure, without a die, below 1.

    Rules: INF-ROLL-01, INF-ROLL-03, INF-ROLL-04, INF-ROLL-05.
    """
    hits = normal_rolls(dice, 1, value, label=label)
    if hits.critical:
        return Reading.CRITICAL
    return Reading.SUCCESS if hits.plain else Reading.FAILURE


def round_up(part: int, whole: int) -> int:
    """part / whole as a whole number, rounded up; whole at least 1. Rules: INF-ROLL-07."""
    return -(-part // whole)
