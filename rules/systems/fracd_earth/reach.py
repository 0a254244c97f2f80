"""Reach, range and lines: threat zones, stopping, inside reach, charging, disengaging, line of sight.

Owns what distances allow. Distances are inches between bases, 0 for base contact; the map belongs to the
table, except for the straight line between bases.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot
from typing import Literal

from rules.refusals import Forbidden, InvalidInput
from rules.systems.fracd_earth.outcome import edges
from rules.systems.fracd_earth.weapons import REACHES, Weapon

MAX_QUICK_RANGE = 12
MOVE_EDGE_INCHES = 2

Side = Literal["away", "left", "right", "behind", "toward"]


def threatens(reach_inches: float, distance_inches: float, *, in_front: bool) -> bool:
    """Whether a figure's weapon threatens a place.

    Adjacent places always; farther ones up to the Reach, in the 180 degree front only. Rules: FE-RCH-01.
    """
    return distance_inches <= 0 or (in_front and distance_inches <= reach_inches)


def wild_strike_allowed(reach_inches: float, closest_inches: float, *, in_front: bool, engages: bool) -> bool:
    """Whether a passing figure may be struck: it came within reach and does not engage. Rules: FE-RCH-02."""
    return not engages and threatens(reach_inches, closest_inches, in_front=in_front)


def must_stop(
    own_reach: float, opposing_reach: float, distance_inches: float, *, in_front: bool, charging: bool = False
) -> bool:
    """Whether a figure moving into a fight has to stop here.

    In front of the opponent's reach, or with the opponent in its own; a charge goes on to its own reach.
    in_front: the mover stands in the opponent's front. Rules: FE-RCH-03, FE-RCH-07.
    """
    if distance_inches <= own_reach:
        return True
    return not charging and threatens(opposing_reach, distance_inches, in_front=in_front)


def strike_refusal(weapon: Weapon, distance_inches: float) -> None:
    """Raise Forbidden unless the weapon reaches that far in a fight. Rules: FE-RCH-03, FE-ACT-02."""
    if weapon.reach_inches is None:
        raise Forbidden(f"{weapon.title} is no weapon for a Fight.", "FE-ACT-02")
    if distance_inches > weapon.reach_inches:
        raise Forbidden(
            f"The opponent stands {distance_inches:g} in away; "
            f"{weapon.title} reaches {weapon.reach_inches:g} in.",
            "FE-RCH-03",
        )


def enters_opponent(distance_inches: float, *, charging: bool) -> bool:
    """Whether a move ends in a Slam Challenge: a charge into the opponent's own place, below base contact.

    Raises Forbidden where a figure that does not charge goes there. Rules: FE-RCH-07.
    """
    if distance_inches >= 0:
        return False
    if not charging:
        raise Forbidden("Only a charge enters an opponent's place.", "FE-RCH-07")
    return True


def inside_reach(attacker_reach: float, defender_reach: float) -> bool:
    """Whether the attacker is two steps or more below the longer weapon. Rules: FE-RCH-04.

    Raises InvalidInput for a Reach that does not exist.
    """
    if attacker_reach not in REACHES or defender_reach not in REACHES:
        raise InvalidInput("A Reach is 0, 1/2, 1 or 2 inches.")
    return REACHES.index(defender_reach) - REACHES.index(attacker_reach) >= 2


@dataclass(frozen=True, slots=True)
class ClosingIn:
    """A Fight won at a reach disadvantage: the move instead of the primary success, then perhaps a strike."""

    inches: int
    strikes: bool
    edges_left: int


def close_in(margin: int) -> ClosingIn:
    """Move in as the primary success and strike with the first Edge.

    margin: how much the engaging figure won by, 1 or more. Raises Forbidden. Rules: FE-RCH-05.
    """
    if margin < 1:
        raise Forbidden("Only who wins the Fight may close in.", "FE-RCH-05")
    earned = edges(margin)
    return ClosingIn(MOVE_EDGE_INCHES, earned > 0, max(0, earned - 1))


def move_edge(inches: float, side: Side) -> float:
    """A Move up to 2 inches bought with an Edge; gives the inches. Never around behind the opponent.

    Raises Forbidden, InvalidInput. Rules: FE-RCH-06.
    """
    if side == "behind":
        raise Forbidden("This move goes left, right, in or out, not behind the opponent.", "FE-RCH-06")
    if not 0 <= inches <= MOVE_EDGE_INCHES:
        raise InvalidInput(f"This move is at most {MOVE_EDGE_INCHES} inches, not {inches:g}.")
    return inches


def disengage(*, restrained: bool, opponent_engaged_elsewhere: bool, by_edge: bool = False) -> bool:
    """Whether leaving a fight lets the opponent make a Quick attack (defended with Def or Manv).

    Raises Forbidden for a restrained figure. Rules: FE-DIS-01, FE-DIS-02.
    """
    if restrained:
        raise Forbidden("A restrained figure cannot move away.", "FE-DIS-01")
    return not by_edge and not opponent_engaged_elsewhere


def quick_range(effective_inches: float) -> float:
    """How far a Quick shot goes: 12 inches, or the effective range if less. Rules: FE-CMB-05, FE-RNG-02."""
    return min(MAX_QUICK_RANGE, effective_inches)


def beyond_mid_range(distance_inches: float, effective_inches: float, *, power: bool = False) -> bool:
    """Whether a shot or throw loses a card: beyond 4 inches and beyond half the range; never a power.

    Rules: FE-CMB-07.
    """
    return not power and distance_inches > 4 and 2 * distance_inches > effective_inches


@dataclass(frozen=True, slots=True)
class Base:
    """A round base on the map: centre and radius in inches."""

    id: int
    x: float
    y: float
    radius: float = 0.5


def adjacent(one: Base, other: Base) -> bool:
    """Whether two bases touch, within a hundredth of an inch."""
    return hypot(one.x - other.x, one.y - other.y) <= one.radius + other.radius + 0.01


def line_blocker(shooter: Base, target: Base, others: tuple[Base, ...]) -> Base | None:
    """The first base that the line of sight passes over, or None where the target can be seen.

    The line runs from centre to centre. A base in contact with the shooter does not block. Rules: FE-ACT-07.
    """
    blocking = (
        base
        for base in others
        if base.id not in (shooter.id, target.id)
        and not adjacent(shooter, base)
        and _crossed(base, shooter, target)
    )
    return min(blocking, key=lambda base: hypot(base.x - shooter.x, base.y - shooter.y), default=None)


def _crossed(base: Base, start: Base, end: Base) -> bool:
    along_x, along_y = end.x - start.x, end.y - start.y
    length = along_x**2 + along_y**2
    if length == 0:
        return False
    share = ((base.x - start.x) * along_x + (base.y - start.y) * along_y) / length
    share = min(max(share, 0.0), 1.0)
    apart = hypot(start.x + share * along_x - base.x, start.y + share * along_y - base.y)
    return apart < base.radius
