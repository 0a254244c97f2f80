"""Warzone's dice: the characteristic test, its criticals, and the opposition of totals.

Owns what a d20 is worth; knows no models, no modifiers' reasons and no consequences.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cache

from rules.dice import Dice, Die, Facet, Ranks, Stop
from rules.systems.warzone.tables import SIDES

REROLLS = 12
"""Most times that equal totals are thrown again; after that the tie goes to the later side."""


class Grade(StrEnum):
    """The result of a characteristic test."""

    CRITICAL = "critical success"
    SUCCESS = "success"
    FAILURE = "failure"
    FUMBLE = "critical failure"

    @property
    def passed(self) -> bool:
        """Return whether the test succeeded."""
        return self in (Grade.CRITICAL, Grade.SUCCESS)


_GRADES = (Grade.CRITICAL, Grade.SUCCESS, Grade.FAILURE, Grade.FUMBLE)


@cache
def check_die(limit: int) -> Die:
    """Return the d20 of a characteristic test, a tally for each grade.

    A natural 1 succeeds and a natural 20 fails whatever the limit; otherwise the face must not exceed it.
    Rules: WZ-TEST-01 to WZ-TEST-04.
    """

    def facet(grade: Grade) -> Facet:
        return Facet(grade.value, tuple(int(grade is other) for other in _GRADES))

    middle_facets = (facet(Grade.SUCCESS if face <= limit else Grade.FAILURE) for face in range(2, SIDES))
    return Die(
        tuple(grade.value for grade in _GRADES), (facet(_GRADES[0]), *middle_facets, facet(_GRADES[3]))
    )


def check(dice: Dice, limit: int, *, label: str = "test") -> Grade:
    """Roll a characteristic test (RC, CC, LD or PW): a d20 of `limit` or less succeeds.

    limit: the characteristic with all its modifiers, of any size.
    Rules: WZ-TEST-01 to WZ-TEST-04.
    """
    return _GRADES[dice.pool(1, check_die(limit), label).index(1)]


def _leaders(state: tuple[int, ...], rank: int, counts: tuple[int, ...]) -> Stop[tuple[int, ...]]:
    return Stop(tuple(hand for hand, count in enumerate(counts) if count))


def highest(dice: Dice, bases: tuple[int, ...], label: str) -> tuple[int, ...]:
    """Roll a d20 and a base for everyone: the places (from 0) of the highest total, several if tied.

    Rules: WZ-TEST-05.
    """
    # whoever has the best base reaches `best + 1` with any face, so lower totals never matter: rank 0
    best = max(bases)
    faces = range(1, SIDES + 1)
    hands = tuple((1, Ranks(tuple(max(0, base + face - best) for face in faces))) for base in bases)
    return dice.sweep(hands, _leaders, (), label)


def contest(dice: Dice, bases: tuple[int, ...], *, label: str = "contest", rerolls: int = REROLLS) -> int:
    """Roll a d20 plus a base for everyone, and return the place (from 0) of the highest total.

    Those tied for the highest throw again, at most `rerolls` times; then the last of them wins.
    bases: one number for each who takes part, at least one. Rules: WZ-TEST-05, WZ-TURN-01.
    """
    places = tuple(range(len(bases)))
    for _ in range(rerolls + 1):
        leaders = dice.call(highest, tuple(bases[place] for place in places), label)
        places = tuple(places[k] for k in leaders)
        if len(places) == 1:
            break
    return places[-1]


def opposition(
    dice: Dice, active: int, passive: int, *, reroll_ties: bool = True, rerolls: int = REROLLS
) -> bool:
    """Roll an opposition test: each side adds a d20 to its total; True when the active side wins.

    Equal totals are thrown again, or go to the passive side without `reroll_ties`. Natural 1 and 20 mean
    nothing here. Rules: WZ-TEST-05.
    """
    count = rerolls if reroll_ties else 0
    return contest(dice, (active, passive), label="opposition", rerolls=count) == 0
