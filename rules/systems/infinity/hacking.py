"""Hacking Attacks and Reset: rolls on WIP that need no line of fire, and what meets them.

A program is a weapon of the profile marked as one. Owns no effect of a program beyond its Damage.
"""

from __future__ import annotations

from rules.modifiers import Modifier
from rules.refusals import Forbidden
from rules.systems.infinity.profile import Weapon
from rules.systems.infinity.shooting import range_modifiers
from rules.systems.infinity.surprise import surprise_modifiers


def hacking_modifiers(
    program: Weapon,
    distance_inches: float | None,
    *,
    opposed: bool,
    surprise: int = 0,
    sixth_sense: frozenset[int] = frozenset(),
    others: tuple[Modifier, ...] = (),
) -> tuple[Modifier, ...]:
    """Every MOD to the WIP of a Hacking Attack: the program's range, if it has one, an enemy's Surprise Shot.

    Cover and camouflage take nothing from it. surprise: Level of the Surprise Shot it answers, 0 for none.
    Raises Forbidden for a weapon that is no program, and beyond its range.
    Rules: INF-BS-03, INF-SS-03, INF-SIX-04.
    """
    if not program.hacking:
        raise Forbidden(f"{program.name} is no hacking program.", "INF-ARM-04")
    return (
        *range_modifiers(program, distance_inches),
        *reset_modifiers(surprise, distance_inches, opposed=opposed, sixth_sense=sixth_sense, others=others),
    )


def reset_modifiers(
    surprise: int,
    distance_inches: float | None,
    *,
    opposed: bool,
    sixth_sense: frozenset[int] = frozenset(),
    others: tuple[Modifier, ...] = (),
) -> tuple[Modifier, ...]:
    """Every MOD to the WIP of a Reset. surprise: Level of the hacker's Surprise Shot, 0 for none.

    Rules: INF-SS-03, INF-SIX-04, INF-ROLL-02.
    """
    distance = float("inf") if distance_inches is None else distance_inches
    met = surprise_modifiers(surprise, distance, opposed=opposed, sixth_sense=sixth_sense)
    return (*met, *others)
