"""Where a weapon can point: all round, or an arc around one side of the model.

Owns angles only; bearings are told by the players.
"""

from __future__ import annotations

from typing import Literal

from rules.refusals import InvalidInput, forbid
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.profile import Weapon

Mounting = Literal["carried", "pintle", "turret"]

ALL_ROUND = 360
FIXED_DEGREES = 90
PINTLE_DEGREES = 45


def field_of_fire(model: Fighter, mounting: Mounting = "carried") -> int:
    """Degrees of the arc in which a weapon fires: 90 for a Fixed Weapon, 45 on a pintle, else all round.

    Rules: CB-FEAT-28, CB-VEH-08.
    """
    if mounting == "pintle":
        return PINTLE_DEGREES
    if mounting == "turret":
        return ALL_ROUND
    return FIXED_DEGREES if model.has_feature("fixed_weapon") else ALL_ROUND


def bears(degrees: int, bearing: float) -> bool:
    """Whether an arc of so many degrees covers a bearing.

    bearing: the target's, -180 to 180 from the middle of the arc. Raises InvalidInput.
    Rules: CB-FEAT-28, CB-VEH-08.
    """
    if not -180 <= bearing <= 180:
        raise InvalidInput("A bearing is -180 to 180 degrees.")
    return abs(bearing) <= degrees / 2


def require_bearing(model: Fighter, weapon: Weapon, bearing: float, mounting: Mounting = "carried") -> None:
    """Refuse, with Forbidden, a target outside the weapon's arc.

    bearing: -180 to 180 degrees from the middle of the arc. Raises InvalidInput for others.
    Rules: CB-FEAT-28, CB-VEH-08.
    """
    degrees = field_of_fire(model, mounting)
    if not bears(degrees, bearing):
        rule = "CB-VEH-08" if mounting == "pintle" else "CB-FEAT-28"
        forbid(f"{weapon.name} fires in an arc of {degrees} degrees, {degrees / 2:g} to each side.", rule)
