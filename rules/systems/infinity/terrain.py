"""Difficult and Very Difficult Terrain, and the Terrain skill that ignores it.

Owns how far an Order may move a trooper over such ground; measuring is the players'.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from rules.systems.infinity.profile import Profile, Skill

REACTIVE_INCHES = 1
"""Most that a Dodge, Engage or failed Guts Roll moves in such terrain. Rules: INF-TER-02, INF-TER-03."""


class Ground(IntEnum):
    """What a trooper stands on."""

    OPEN = 0
    DIFFICULT = 1
    VERY_DIFFICULT = 2


@dataclass(frozen=True, slots=True)
class Allowance:
    """What an Order allows: inches of the first and of the second Move; second is 0 where there is none."""

    first: int
    second: int

    @property
    def total(self) -> int:
        """Most inches in the Order."""
        return self.first + self.second


def effective_ground(profile: Profile, ground: Ground, terrain_type: str) -> Ground:
    """The ground as it is for this trooper: open where its Terrain skill names the type.

    Rules: INF-TER-01.
    """
    known = terrain_type.strip().casefold() in profile.choices(Skill.TERRAIN)
    return Ground.OPEN if known else ground


def allowance(profile: Profile, ground: Ground) -> Allowance:
    """Inches for Move and Move in an Order begun on that ground. Rules: INF-TER-02, INF-TER-03."""
    first, second = profile.mov
    if ground is Ground.OPEN:
        return Allowance(first, second)
    return Allowance(second, second if ground is Ground.DIFFICULT else 0)


def stops_movement(ground: Ground) -> bool:
    """Whether touching the ground ends the movement at once. Rules: INF-TER-02, INF-TER-03."""
    return ground is not Ground.OPEN


def reactive_inches(inches: int, ground: Ground) -> int:
    """A reactive move's inches on that ground. Rules: INF-TER-02, INF-TER-03."""
    return inches if ground is Ground.OPEN else min(inches, REACTIVE_INCHES)
