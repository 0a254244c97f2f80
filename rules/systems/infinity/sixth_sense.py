"""Sixth Sense: which handicaps its user ignores, and when it may answer an attack it cannot see.

Levels come as the set of Levels whose effects the trooper has (`Profile.levels`). Knows no dice.
"""

from __future__ import annotations

from enum import StrEnum

ZONE_INCHES = 8
"""Reach of a Zone of Control. Rules: INF-ORD-06."""


class Handicap(StrEnum):
    """MODs that Sixth Sense may take away."""

    SURPRISE_SHOT = "surprise shot"
    SURPRISE_ATTACK = "surprise attack"
    ZERO_VISIBILITY = "zero visibility"
    BLIND_TEMPLATE = "template from outside LoF"
    BLIND_REACTION = "attack from outside LoF"


def in_zone(distance_inches: float) -> bool:
    """Whether something at that distance is inside a Zone of Control; LoF does not matter.

    Rules: INF-ORD-06.
    """
    return 0 <= distance_inches <= ZONE_INCHES


def ignores(levels: frozenset[int], handicap: Handicap, distance_inches: float) -> bool:
    """Whether the user of Sixth Sense ignores the handicap; distance is that to the attacker.

    Rules: INF-SIX-03, INF-SIX-04, INF-SIX-05, INF-SIX-07, INF-SIX-11, INF-SIX-12.
    """
    if 1 in levels and in_zone(distance_inches):
        return True
    return 2 in levels and handicap is not Handicap.SURPRISE_ATTACK


def answers_unseen(levels: frozenset[int], distance_inches: float, *, attacked: bool) -> bool:
    """Whether the user may answer with a Face to Face Roll, as if it faced an enemy it has no LoF to.

    attacked: the enemy's declared Skill is an Attack against the user; nothing else is answered so.
    Rules: INF-SIX-01, INF-SIX-02, INF-SIX-08, INF-SIX-09, INF-SIX-10.
    """
    return attacked and (2 in levels or (1 in levels and in_zone(distance_inches)))
