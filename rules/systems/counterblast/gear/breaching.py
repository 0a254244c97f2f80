"""Breaching charges: the test, the hole, whom the blast hits.

Owns charges on walls and doors; what structures are made of stands on the chart "structures".
"""

from __future__ import annotations

from rules.dice import Dice
from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.ability import prepare_check
from rules.systems.counterblast.core.checks import Prepared, Throw
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.initiative import one_success
from rules.systems.counterblast.core.profile import Gear
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.systems.counterblast.core.shields import Impact, suffer
from rules.systems.counterblast.ground.terrain import structure

BLAST_INCHES = 1


def require_charge(charge: Gear) -> None:
    """Raise Forbidden for gear that is no Breaching Charge. Rules: CB-GEAR-28."""
    if charge.key not in ("breaching_charge", "heavy_breaching_charge"):
        raise Forbidden(f"{charge.name} breaches nothing.", "CB-GEAR-28")


def prepare_breach(
    model: Fighter,
    kind: str,
    charge: Gear,
    earlier: int = 0,
    *,
    order_token: bool = False,
    settings: Settings = DEFAULTS,
) -> Prepared:
    """Prepare the Engineering test of the model that detonates a charge.

    kind: the structure's key. earlier: tests made on the same spot, each +1. A heavy charge gives +2.
    Raises Forbidden, InvalidInput. Rules: CB-GEAR-28, CB-GEAR-29, CB-GEAR-31.
    """
    require_charge(charge)
    if earlier < 0:
        raise InvalidInput("Earlier tests are 0 or more.")
    row = structure(kind)
    parts = [Modifier(earlier, "earlier charges", "CB-GEAR-29")] if earlier else []
    if charge.value("engineering"):
        parts.append(Modifier(charge.value("engineering"), charge.name, "CB-GEAR-31"))
    return prepare_check(
        model,
        "INT",
        row.value("target"),
        skill="engineering",
        with_equipment=True,
        modifiers=tuple(parts),
        target_reason=row.name,
        target_rule="CB-GEAR-29",
        order_token=order_token,
        settings=settings,
    )


def breach(dice: Dice, throws: tuple[Throw, ...]) -> bool:
    """Roll the test; true opens a hole. Rules: CB-GEAR-29."""
    return one_success(dice, throws, "breach")


def is_hit(inches: float, *, far_side: bool, breached: bool) -> bool:
    """Whether the blast hits a model: within 1 in, on the far side only when the breach succeeds.

    Rules: CB-GEAR-30.
    """
    return inches <= BLAST_INCHES and (breached or not far_side)


def blast_impact(target: Fighter, charge: Gear, settings: Settings = DEFAULTS) -> Impact:
    """The automatic hit of the blast: 1 damage, Power 4, of a heavy charge 6; shields help.

    Rules: CB-GEAR-30, CB-GEAR-31.
    """
    require_charge(charge)
    return Impact(
        power=charge.value("power"),
        damage=charge.value("damage"),
        shields=target.shield,
        tough=target.has_feature("tough"),
        ones_cancel=settings.shield_ones_cancel,
    )


def blast_wounds(dice: Dice, impact: Impact) -> int:
    """Take the hit of the blast; gives the wounds that come through. Rules: CB-GEAR-30."""
    return suffer(dice, 1, 0, impact).through
