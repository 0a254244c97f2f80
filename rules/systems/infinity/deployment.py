"""Before the game: the Initiative Roll, who deploys when, and the reserve with Strategos.

Owns no armies; where figures stand is the players'.
"""

from __future__ import annotations

from rules.dice import Dice
from rules.systems.infinity.f2f import Side, face_to_face
from rules.systems.infinity.profile import Skill
from rules.systems.infinity.settings import DEFAULT, Settings
from rules.systems.infinity.trooper import Trooper

DEPLOYMENT_STEPS = (
    "first player: all but the reserve",
    "second player: all but the reserve",
    "first player: the reserve",
    "second player: the reserve",
)
"""Order of deployment. Rules: INF-DEP-02."""


def initiative(dice: Dice, wip_a: int, wip_b: int) -> int:
    """The Lieutenants' WIP Face to Face: 1 or 2 for the winner, 0 for a tie or double failure (roll again).

    Rules: INF-DEP-01.
    """
    return face_to_face(dice, Side(1, wip_a, attacks=False), Side(1, wip_b, attacks=False)).winner


def strategos(trooper: Trooper | None, settings: Settings = DEFAULT) -> frozenset[int]:
    """Levels of Strategos that work: those of the army's Lieutenant only. Rules: INF-STR-01, INF-LVL-01."""
    if trooper is None or not trooper.lieutenant:
        return frozenset()
    return trooper.levels(Skill.STRATEGOS, settings)


def reserve(own: frozenset[int], enemy: frozenset[int]) -> int:
    """Most troopers a player may deploy after the opponent; both as `strategos` gives them.

    Rules: INF-DEP-02, INF-STR-03, INF-STR-04, INF-STR-05.
    """
    return max(0, (2 if 2 in own else 1) - (1 if 3 in enemy else 0))
