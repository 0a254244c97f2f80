"""The Extraction Tool as a weapon: a short arm that wounds, a drain that switches an item off.

Owns what is particular to the tool; its attacks are prepared and rolled as any melee attack with the weapons
named here; its second try at a skill is in `ability`.
"""

from __future__ import annotations

from rules.effects import Effect, Gain, Mend
from rules.refusals import Forbidden
from rules.systems.counterblast.core.fighter import DRAINED_ITEM, Fighter, Until
from rules.systems.counterblast.core.profile import Gear, Weapon
from rules.systems.counterblast.core.shields import Suffered

ARM = Weapon(
    key="extraction_arm",
    name="Extraction Tool",
    group="hand",
    deliveries=("melee",),
    power=3,
    melee=True,
    reach_inches=2,
    rules=("CB-GEAR-34",),
)
"""The tool as a weapon: Power 3, reach 2 in, 1 damage. Rules: CB-GEAR-34, CB-VEH-51."""

DRAIN = Weapon(
    key="extraction_drain",
    name="Energy drain",
    group="hand",
    deliveries=("melee",),
    power=3,
    melee=True,
    reach_inches=2,
    damage=0,
    rules=("CB-GEAR-35",),
)
"""The tool as a drain: Power 3, reach 2 in, no damage. Rules: CB-GEAR-35, CB-VEH-51."""


def require_tool(user: Fighter) -> None:
    """Raise Forbidden for a model without a working Extraction Tool. Rules: CB-GEAR-33, CB-VEH-51."""
    if not user.has_gear("extraction_tool"):
        raise Forbidden(f"{user.name} has no Extraction Tool.", "CB-GEAR-33")


def drainable(target: Fighter) -> tuple[Weapon | Gear, ...]:
    """The items of a model that can be drained: energized weapons and gear. Rules: CB-GEAR-35, CB-GEAR-09."""
    arms = tuple(weapon for weapon in target.weapons if weapon.is_energized)
    return (*arms, *(item for item in target.gear if item.energized))


def require_drain(user: Fighter, target: Fighter, item: str) -> None:
    """Refuse, with Forbidden, a drain without a tool, or of an item that cannot be drained.

    item: its key, named before the attack is rolled. Rules: CB-GEAR-35.
    """
    require_tool(user)
    if item not in {one.key for one in drainable(target)}:
        raise Forbidden(f"{target.name} has no such item that can be drained.", "CB-GEAR-35")


def after_drain(user: Fighter, target: Fighter, item: str, suffered: Suffered) -> tuple[Effect, ...]:
    """A drain that came through: the item fails until the end of the target's next activation, and the user
    regains 1 Life that it lost. Rules: CB-GEAR-35.
    """
    require_drain(user, target, item)
    if suffered.through < 1:
        return ()
    off = Gain(target.id, DRAINED_ITEM + item, until=Until.NEXT_ACTIVATION_END, source="energy drain")
    return (off, Mend(user.id, 1)) if user.damage else (off,)
