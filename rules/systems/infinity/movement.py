"""Jumps, falls and difficult terrain."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from math import ceil

from rules.dice import Dice
from rules.refusals import Forbidden, InvalidInput
from rules.systems.infinity.armour import saves
from rules.systems.infinity.orders import Part, check_order
from rules.systems.infinity.profile import Profile, Skill
from rules.systems.infinity.settings import DEFAULT, Settings, SuperJumpFall


class JumpAs(StrEnum):
    """How a jump is declared."""

    FIRST_SHORT = "first short skill"
    SECOND_SHORT = "second short skill"
    ENTIRE_ORDER = "entire order"


def jump_inches(profile: Profile, declared: JumpAs = JumpAs.ENTIRE_ORDER) -> int:
    """Return the greatest length of a jump, in any direction. Raises Forbidden without Super-Jump.

    Rules: INF-SJ-01, INF-SJ-03, INF-SJ-09.
    """
    first, second = profile.mov
    if not profile.has(Skill.SUPER_JUMP):
        if declared is not JumpAs.ENTIRE_ORDER:
            raise Forbidden(
                "Declare the Jump as an Entire Order. Only a trooper with Super-Jump can jump as a Short"
                " Movement Skill.",
                "INF-SJ-01",
            )
        return first
    lengths = {JumpAs.FIRST_SHORT: first, JumpAs.SECOND_SHORT: second, JumpAs.ENTIRE_ORDER: first + second}
    return lengths[declared]


def jump_part(profile: Profile) -> Part:
    """Return the part of an Order that a Jump uses: a Short Skill with Super-Jump, else an Entire Order.

    Rules: INF-SJ-01, INF-SJ-02.
    """
    return Part.SHORT_MOVEMENT if profile.has(Skill.SUPER_JUMP) else Part.ENTIRE


def check_jump_with(profile: Profile, other: Part) -> None:
    """Raise Forbidden unless the trooper can declare the other Skill with its Jump, in the air too.

    Rules: INF-SJ-02, INF-ORD-04.
    """
    check_order((jump_part(profile), other))


def cover_counts(*, in_air: bool, cover: bool) -> bool:
    """Return whether Partial Cover applies: never in the air, as usual at the jump's start and end.

    Rules: INF-SJ-04.
    """
    return cover and not in_air


def vaults_freely(profile: Profile, obstacle_inches: float, height_inches: float) -> bool:
    """Return whether the moving trooper crosses the obstacle without penalty: up to its own height.

    Rules: INF-SJ-05.
    """
    return profile.has(Skill.SUPER_JUMP) and obstacle_inches <= height_inches


MOVING_ARC = 360
STANDING_ARC = 180


def arc_degrees(*, moving: bool) -> int:
    """Return the LoF arc of a trooper: all round while it moves, jumps or falls. Rules: INF-SJ-10."""
    return MOVING_ARC if moving else STANDING_ARC


def check_trajectory(points: int) -> None:
    """Raise Forbidden unless the jump's exact path was declared: its start and end at least.

    The opponent needs it for AROs, which a free fall allows as any movement does. Rules: INF-SJ-10.
    """
    if points < 2:
        raise Forbidden(
            "Enter the path of the Jump, at least where it starts and where it ends.", "INF-SJ-10"
        )


DAMAGE_PER_SECTION = 10
MAX_HEIGHT = 200
_TOLERANCE = 1e-6


def fall_inches(
    profile: Profile,
    start: float,
    rise: float,
    landing: float,
    *,
    lands: bool = False,
    settings: Settings = DEFAULT,
) -> float:
    """Return the height of the fall after a jump that left `start` and rose `rise` inches (negative: down).

    landing: height of the surface below the jump's end. lands: the jump itself reaches a place to stand.
    Raises InvalidInput for heights beyond 200 inches or a jump that ends below the landing.
    Rules: INF-SJ-12, INF-SJ-06, INF-SJ-09.
    """
    if not all(abs(height) <= MAX_HEIGHT for height in (start, rise, landing)):
        raise InvalidInput(f"Heights must be between -{MAX_HEIGHT} and {MAX_HEIGHT} in.")
    total_drop = settings.superjump_fall is SuperJumpFall.TOTAL_DROP
    if total_drop and profile.has(Skill.SUPER_JUMP):
        return max(0.0, start - landing)
    end = start + rise
    if end < landing - _TOLERANCE:
        raise InvalidInput("Check the heights. The Jump can't end below the surface it lands on.")
    return 0.0 if lands else end - landing


def free_inches(profile: Profile) -> int:
    """Return how deep the trooper falls unharmed: both MOV values with Super-Jump, else 0.

    Rules: INF-SJ-06, INF-SJ-09.
    """
    return sum(profile.mov) if profile.has(Skill.SUPER_JUMP) else 0


def fall_damage(profile: Profile, fall: float) -> int:
    """Damage of a fall of that height: 10 for each section, whole or not, of the first MOV value.

    Raises InvalidInput for a trooper without MOV. Rules: INF-SJ-06, INF-SJ-07, INF-SJ-09.
    """
    section = profile.mov[0]
    if section <= 0:
        raise InvalidInput(f"Change the profile of {profile.name}. Its first MOV value must be above 0.")
    harmful = fall - free_inches(profile)
    if harmful <= _TOLERANCE:
        return 0
    return DAMAGE_PER_SECTION * ceil(harmful / section - _TOLERANCE)


def survivable_inches(profile: Profile) -> int:
    """Return the highest fall that an ARM Roll can still survive. Rules: INF-SJ-11, INF-SJ-08."""
    sections = (19 + profile.arm) // DAMAGE_PER_SECTION
    return free_inches(profile) + sections * profile.mov[0]


def fall(dice: Dice, damage: int, armour: int, wounds: int) -> int:
    """Return the points lost in a fall: a failed ARM Roll costs one and is repeated until it is passed.

    wounds: points left, 0 or more; a trooper is Dead when it has lost one more than these. Damage that cannot
    be overcome kills without a roll. Rules: INF-SJ-08, INF-ARM-01, INF-ARM-02.
    """
    lost = 0
    for _ in range(wounds + 1):
        failed = saves(dice, 1, damage - armour, label="fall")
        if not failed:
            break
        lost += failed
    return lost


REACTIVE_INCHES = 1
"""Most that a Dodge, Engage or failed Guts Roll moves in such terrain. Rules: INF-TER-02, INF-TER-03."""


class Ground(IntEnum):
    """The ground under a trooper."""

    OPEN = 0
    DIFFICULT = 1
    VERY_DIFFICULT = 2


@dataclass(frozen=True, slots=True)
class Allowance:
    """The inches that an Order allows for the first and second Move; second is 0 if there is none."""

    first: int
    second: int

    @property
    def total(self) -> int:
        """Return the most inches in the Order."""
        return self.first + self.second


def effective_ground(profile: Profile, ground: Ground, terrain_type: str) -> Ground:
    """Return the ground as it is for this trooper: open where its Terrain skill names the type.

    Rules: INF-TER-01.
    """
    known_terrain = terrain_type.strip().casefold() in profile.choices(Skill.TERRAIN)
    return Ground.OPEN if known_terrain else ground


def allowance(profile: Profile, ground: Ground) -> Allowance:
    """Return the inches for Move and Move in an Order begun on that ground. Rules: INF-TER-02, INF-TER-03."""
    first, second = profile.mov
    if ground is Ground.OPEN:
        return Allowance(first, second)
    return Allowance(second, second if ground is Ground.DIFFICULT else 0)


def stops_movement(ground: Ground) -> bool:
    """Return whether touching the ground ends the movement at once. Rules: INF-TER-02, INF-TER-03."""
    return ground is not Ground.OPEN


def reactive_inches(inches: int, ground: Ground) -> int:
    """Return a reactive move's inches on that ground. Rules: INF-TER-02, INF-TER-03."""
    return inches if ground is Ground.OPEN else min(inches, REACTIVE_INCHES)
