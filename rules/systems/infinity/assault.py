"""Assault: the Entire Order that charges over both MOV values into close combat.

Owns its conditions and measuring; its MOD is in the charts of `close_combat`.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.refusals import forbid
from rules.systems.infinity.profile import Profile, Skill


@dataclass(frozen=True, slots=True)
class Charge:
    """An Assault as measured before AROs: whether it reaches contact, and most inches along the path."""

    contact: bool
    inches: int


def charge_inches(profile: Profile) -> int:
    """Greatest distance of an Assault: both MOV values. Rules: INF-ASL-02, INF-ASL-03."""
    return sum(profile.mov)


def require_assault(profile: Profile) -> None:
    """Refuse, with Forbidden, a profile without the skill. Rules: INF-ASL-01."""
    if not (profile.has(Skill.ASSAULT) or profile.has(Skill.BERSERK)):
        forbid(f"{profile.name} has neither Assault nor Berserk.", "INF-ASL-01")


def assault(
    profile: Profile,
    distance_inches: float,
    *,
    line_of_fire: bool = True,
    active: bool = True,
    path_declared: bool = True,
) -> Charge:
    """Measure an Assault right after its declaration, before AROs; too far means the move without the attack.

    path_declared: path and target were both named. Raises Forbidden without the skill, the target in LoF, the
    declared path or the Active Turn.
    Rules: INF-ASL-01, INF-ASL-02, INF-ASL-03, INF-ASL-05, INF-ASL-06.
    """
    require_assault(profile)
    if not active:
        forbid("Assault is an Entire Order: not in ARO.", "INF-ASL-01")
    if not line_of_fire:
        forbid("Assault needs the target in line of fire when declared.", "INF-ASL-02")
    if not path_declared:
        forbid("Declare path and target together, before AROs.", "INF-ASL-05")
    reach = charge_inches(profile)
    return Charge(distance_inches <= reach, reach)
