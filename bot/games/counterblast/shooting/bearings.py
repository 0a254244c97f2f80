"""Where a weapon can point, at the table: arcs of Fixed Weapons and of what is mounted on pintles.

The bot cannot see facings: players tell the bearing where it matters, and once how a weapon is mounted.
"""

from __future__ import annotations

from bot.table.act import Act
from bot.table.encounter import set_counter
from rules.counters import PerWord
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.profile import Weapon
from rules.systems.counterblast.shooting.special_attacks import (
    ALL_ROUND,
    Mounting,
    field_of_fire,
    require_bearing,
)
from rules.systems.counterblast.shooting.templates import is_burst

MOUNTED = PerWord("mounted: ")
"""Counters of a model by the key of a weapon: how that is mounted, by its place in `WAYS`."""

WAYS: tuple[Mounting, ...] = ("carried", "pintle", "turret")


def within_arc(
    act: Act, model: Fighter, weapon: Weapon, bearing: float = 0.0, mount: Mounting | None = None
) -> list[str]:
    """Refuse a target outside the weapon's field of fire; gives the line that reminds of a narrow one.

    bearing: degrees from the middle of the arc. mount: None for as it is known. A burst goes off all round.
    Raises Forbidden. Rules: CB-FEAT-28, CB-VEH-08.
    """
    if is_burst(weapon):
        return []
    kept = act.encounter.model(model.id).counters.get(MOUNTED.of(weapon.key), 0)
    mounting = mount or WAYS[kept]
    require_bearing(model, weapon, bearing, mounting)
    degrees = field_of_fire(model, mounting)
    if degrees == ALL_ROUND:
        return []
    rule = "CB-VEH-08" if mounting == "pintle" else "CB-FEAT-28"
    return [f"Field of fire: {degrees} degrees ({rule})."]


def keep_mounted(act: Act, model: Fighter, weapon: Weapon, mount: Mounting | None) -> None:
    """Keep how a weapon is mounted, where that was said."""
    if mount:
        set_counter(act.encounter.model(model.id).counters, MOUNTED.of(weapon.key), WAYS.index(mount))
