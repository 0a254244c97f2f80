"""Reach and range: threat zones, stopping, inside reach, charging, disengaging.

Owns what distances allow. Distances are inches between bases, 0 for base contact; the map belongs to the
table.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.refusals import Forbidden, InvalidInput
from rules.systems.fracd_earth.outcome import edges
from rules.systems.fracd_earth.weapons import REACHES, Weapon

MAX_QUICK_RANGE = 12
MID_INCHES = 4
"""A shot that goes no farther loses no card, whatever its range."""
MOVE_EDGE_INCHES = 2


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


def breaks(weapon: Weapon) -> tuple[float, ...]:
    """The distances in inches up to which nothing changes for an attack with the weapon, the last its limit.

    A Fight ends with the Reach, a power with the Range; a shot also changes at half of it, a Quick one ends
    sooner. Rules: FE-RCH-03, FE-CMB-05, FE-CMB-07.
    """
    if weapon.reach_inches is not None:
        return (weapon.reach_inches,)
    far = float(weapon.range_inches or 0)
    if weapon.suit:
        return (far,)
    return tuple(sorted({max(float(MID_INCHES), far / 2), quick_range(far), far}))


def beyond_mid_range(distance_inches: float, effective_inches: float, *, power: bool = False) -> bool:
    """Whether a shot or throw loses a card: beyond 4 inches and beyond half the range; never a power.

    Rules: FE-CMB-07.
    """
    return not power and distance_inches > MID_INCHES and 2 * distance_inches > effective_inches
