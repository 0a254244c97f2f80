"""Where a weapon can point, at the table: arcs of Fixed Weapons and of what is mounted on pintles.

The bot cannot see facings: players tell the bearing where it matters, and once how a weapon is mounted.
"""

from __future__ import annotations

from bot.table.act import Act
from bot.table.encounter import set_counter
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.shooting.fields_of_fire import (
    ALL_ROUND,
    Mounting,
    field_of_fire,
    require_bearing,
)
from rules.systems.counterblast.templates.bursts import is_burst

PINTLE, TURRET = "pintle", "turret"
MOUNTED = "mounted: "
"""Counters of a model that begin so: how the weapon whose key follows is mounted, 1 a pintle, 2 a turret."""


def within_arc(
    act: Act, model: Fighter, weapon: Weapon, bearing: float = 0.0, mount: str = "", *, keep: bool = True
) -> list[str]:
    """Refuse a target outside the weapon's field of fire; gives the line that reminds of a narrow one.

    bearing: degrees from the middle of the arc. mount: pintle or turret; keep: from then on too. A burst
    goes off all round. Raises Forbidden, InvalidInput. Rules: CB-FEAT-28, CB-VEH-08.
    """
    if mount not in ("", PINTLE, TURRET):
        raise InvalidInput(f"A weapon is mounted on a {PINTLE} or in a {TURRET}.")
    counters = act.encounter.model(model.id).counters
    way = ("", PINTLE, TURRET).index(mount) or counters.get(MOUNTED + weapon.key, 0)
    if keep:
        keep_mounted(act, model, weapon, mount)
    if is_burst(weapon):
        return []
    ways: tuple[Mounting, ...] = ("carried", "pintle", "turret")
    mounting = ways[way]
    require_bearing(model, weapon, bearing, mounting)
    degrees = field_of_fire(model, mounting)
    if degrees == ALL_ROUND:
        return []
    rule = "CB-VEH-08" if mounting == "pintle" else "CB-FEAT-28"
    return [f"Field of fire: {degrees} degrees ({rule})."]


def keep_mounted(act: Act, model: Fighter, weapon: Weapon, mount: str) -> None:
    """Keep how a weapon is mounted, where that was said. mount: pintle, turret or empty."""
    if mount:
        set_counter(
            act.encounter.model(model.id).counters, MOUNTED + weapon.key, (PINTLE, TURRET).index(mount) + 1
        )
