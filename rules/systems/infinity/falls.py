"""Falls: how high, what Damage, and the ARM Rolls repeated until one is passed.

Heights are inches above the table. Owns no jumps; their length is in `jumps`.
"""

from __future__ import annotations

from math import ceil

from rules.dice import Dice
from rules.refusals import InvalidInput
from rules.systems.infinity.armour import saves
from rules.systems.infinity.profile import Profile, Skill
from rules.systems.infinity.settings import DEFAULT, Settings, SuperJumpFall

DAMAGE_PER_SECTION = 10
MAX_HEIGHT = 200
_TOLERANCE = 1e-6


def fall_inches(
    profile: Profile,
    start: float,
    up: float,
    landing: float,
    *,
    lands: bool = False,
    settings: Settings = DEFAULT,
) -> float:
    """Height of the fall after a jump that left `start` and went `up` inches (negative: down) in height.

    landing: height of the surface below the jump's end. lands: the jump itself reaches a place to stand.
    Raises InvalidInput for heights beyond 200 inches or a jump that ends below the landing.
    Rules: INF-SJ-12, INF-SJ-06, INF-SJ-09.
    """
    if not all(abs(height) <= MAX_HEIGHT for height in (start, up, landing)):
        raise InvalidInput(f"Heights are at most {MAX_HEIGHT} in.")
    whole = settings.superjump_fall is SuperJumpFall.TOTAL_DROP
    if whole and profile.has(Skill.SUPER_JUMP):
        return max(0.0, start - landing)
    end = start + up
    if end < landing - _TOLERANCE:
        raise InvalidInput("The jump ends below the surface it lands on.")
    return 0.0 if lands else end - landing


def free_inches(profile: Profile) -> int:
    """How deep the trooper falls unharmed: both MOV values with Super-Jump, else 0.

    Rules: INF-SJ-06, INF-SJ-09.
    """
    return sum(profile.mov) if profile.has(Skill.SUPER_JUMP) else 0


def fall_damage(profile: Profile, fall: float) -> int:
    """Damage of a fall of that height: 10 for each section, whole or not, of the first MOV value.

    Raises InvalidInput for a trooper without MOV. Rules: INF-SJ-06, INF-SJ-07, INF-SJ-09.
    """
    section = profile.mov[0]
    if section <= 0:
        raise InvalidInput(f"{profile.name} has no first MOV value.")
    harmful = fall - free_inches(profile)
    if harmful <= _TOLERANCE:
        return 0
    return DAMAGE_PER_SECTION * ceil(harmful / section - _TOLERANCE)


def survivable_inches(profile: Profile) -> int:
    """The highest fall that an ARM Roll can still survive. Rules: INF-SJ-11, INF-SJ-08."""
    sections = (19 + profile.arm) // DAMAGE_PER_SECTION
    return free_inches(profile) + sections * profile.mov[0]


def fall(dice: Dice, damage: int, armour: int, wounds: int) -> int:
    """Points lost in a fall: a failed ARM Roll costs one and is repeated until one is passed or all are gone.

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
