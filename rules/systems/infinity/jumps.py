"""Jump and Super-Jump: how far, what else in the Order, Cover in the air, vaulting.

Owns lengths of jumps; what becomes of who falls short is in `falls`.
"""

from __future__ import annotations

from enum import StrEnum

from rules.refusals import Forbidden
from rules.systems.infinity.orders import Part, check_order
from rules.systems.infinity.profile import Profile, Skill


class JumpAs(StrEnum):
    """How a jump is declared."""

    FIRST_SHORT = "first short skill"
    SECOND_SHORT = "second short skill"
    ENTIRE_ORDER = "entire order"


def jump_inches(profile: Profile, declared: JumpAs = JumpAs.ENTIRE_ORDER) -> int:
    """Greatest length of one jump, in any direction. Raises Forbidden for a short jump without Super-Jump.

    Rules: INF-SJ-01, INF-SJ-03, INF-SJ-09.
    """
    first, second = profile.mov
    if not profile.has(Skill.SUPER_JUMP):
        if declared is not JumpAs.ENTIRE_ORDER:
            raise Forbidden("Without Super-Jump a Jump takes the Entire Order.", "INF-SJ-01")
        return first
    lengths = {
        JumpAs.FIRST_SHORT: first,
        JumpAs.SECOND_SHORT: second,
        JumpAs.ENTIRE_ORDER: first + second,
    }
    return lengths[declared]


def jump_part(profile: Profile) -> Part:
    """What a Jump is in an Order: a Short Movement Skill with Super-Jump, else an Entire Order.

    Rules: INF-SJ-01, INF-SJ-02.
    """
    return Part.SHORT_MOVEMENT if profile.has(Skill.SUPER_JUMP) else Part.ENTIRE


def check_jump_with(profile: Profile, other: Part) -> None:
    """Raise Forbidden unless the trooper can declare the other Skill with its Jump, in the air too.

    Rules: INF-SJ-02, INF-ORD-04.
    """
    check_order((jump_part(profile), other))


def cover_counts(*, in_air: bool, cover: bool) -> bool:
    """Whether Partial Cover applies: never in the air, as usual at the jump's start and end.

    Rules: INF-SJ-04.
    """
    return cover and not in_air


def vaults_freely(profile: Profile, obstacle_inches: float, height_inches: float) -> bool:
    """Whether moving on the ground the trooper crosses the obstacle without penalty: up to its own height.

    Rules: INF-SJ-05.
    """
    return profile.has(Skill.SUPER_JUMP) and obstacle_inches <= height_inches


MOVING_ARC = 360
STANDING_ARC = 180


def arc_degrees(*, moving: bool) -> int:
    """The LoF arc of a trooper: all round while it moves, jumps or falls. Rules: INF-SJ-10."""
    return MOVING_ARC if moving else STANDING_ARC


def check_trajectory(points: int) -> None:
    """Raise Forbidden unless the jump's exact path was declared: its start and end at least.

    The opponent needs it for AROs, which a free fall allows as any movement does. Rules: INF-SJ-10.
    """
    if points < 2:
        raise Forbidden("Declare the exact path of the jump: where it starts and ends.", "INF-SJ-10")
