"""Vehicles in harm's way: collisions, shots at them and their passengers, Critical Damage, fire, crashes.

Owns what hits do to vehicles beyond plain wounds. How they move is in `vehicle_move`; a collision is rolled
by `environment.collide` over the inches moved, with every model that the base touches.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules.dice import Dice
from rules.effects import Effect, Gain, Propose
from rules.modifiers import Modifier
from rules.refusals import InvalidInput, forbid
from rules.systems.counterblast.core.fighter import Condition, Fighter, Until
from rules.systems.counterblast.core.general import chart_roll, size_steps
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Size
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.systems.counterblast.core.shields import Impact, suffer
from rules.systems.counterblast.ground.burning import burn_impact, catch_fire
from rules.systems.counterblast.ground.protection import protection
from rules.systems.counterblast.psionics.mind_powers import floored
from rules.systems.counterblast.vehicles.vehicle_move import is_airborne

PASSENGER_COVER = 3
MOVING_VEHICLE = Modifier(-1, "moving vehicle", "CB-VEH-30")
PUSH_STEPS = 2
CAREENS = 3


# ------------------------------------------------------------------------------------------- collisions


def collides(vehicle: Fighter, inches: float, *, out_of_control: bool = False) -> bool:
    """Whether touching a model or terrain after so many inches is a collision: at least half its Mv.

    Cavalry never causes one. Rules: CB-VEH-21, CB-VEH-04.
    """
    if vehicle.profile.is_cavalry and not out_of_control:
        return False
    return inches >= vehicle.profile.mv / 2


def absorbed_dice(vehicle: Fighter, *, ramming: bool) -> int:
    """Dice of its own collision damage that a Power Ram takes off when it rams in a melee attack.

    Rules: CB-VEH-54.
    """
    return int(ramming and any(arm.has_effect("absorbs_collision") for arm in vehicle.weapons))


def pushes_through(mover: Size, struck: Size, footprint: float = 0) -> bool:
    """Whether a vehicle pushes a model aside: two size steps larger, or a footprint at least double.

    footprint: the vehicle's area divided by the model's, 0 when it was not measured. Rules: CB-VEH-26.
    """
    if footprint:
        return footprint >= 2
    return size_steps(mover, struck) >= PUSH_STEPS


def after_push(struck: Fighter, wounds: int) -> tuple[Effect, ...]:
    """A model that survives being pushed aside lies at the edge of the path. Rules: CB-VEH-26."""
    if struck.damage + wounds >= struck.profile.life:
        return ()
    return floored(struck, "pushed aside")


# ------------------------------------------------------------------------------------------- shooting


def passenger_edges() -> tuple[Modifier, ...]:
    """A passenger in sight is shot at with disadvantage; its Cover is `PASSENGER_COVER`.

    Rules: CB-VEH-28.
    """
    return (Modifier(-1, "passenger", "CB-VEH-28"),)


def moving_edges(
    shooter: Fighter, vehicle: Fighter, moved: float, moved_before: float, *, straight: bool = False
) -> tuple[Modifier, ...]:
    """Disadvantage of a non-vehicle that shoots at a vehicle which moved its full Mv in this turn or the one
    before; not when it moves straight towards or away from the shooter. Rules: CB-VEH-30.
    """
    if shooter.profile.is_vehicle or not vehicle.profile.is_vehicle or straight:
        return ()
    if max(moved, moved_before) < vehicle.profile.mv:
        return ()
    return (MOVING_VEHICLE,)


# ------------------------------------------------------------------------------------------- Critical Damage


def damage_beyond(life_left: int, damage: int) -> int | None:
    """Damage of one attack or collision beyond what disables a vehicle; None when it stays able.

    Rules: CB-VEH-27, CB-VEH-31.
    """
    return damage - life_left if life_left and damage >= life_left else None


def critical_damage(dice: Dice, beyond: int) -> str:
    """Roll on the Critical Damage Table: d10, 1 more for each point beyond.

    Gives the row: none, out_of_control, careening, burning or explodes. Rules: CB-VEH-31 to CB-VEH-36.
    """
    if beyond < 0:
        raise InvalidInput("Damage beyond what was needed is 0 or more.")
    return load().charts["critical_damage"].row(chart_roll(dice, beyond, "critical damage")).key


def after_critical(vehicle: Fighter, row: str) -> tuple[Effect, ...]:
    """What a row of the Critical Damage Table does; a flyer crashes after it, unless it exploded.

    Rules: CB-VEH-32 to CB-VEH-36, CB-VEH-39.
    """
    effects: list[Effect] = []
    mv = vehicle.profile.mv
    if row == "out_of_control":
        reason = f"{vehicle.name} shoots {mv} in straight ahead at once, with collisions."
        effects.append(Propose("runaway", vehicle.id, reason, (("inches", mv),)))
    elif row == "careening":
        reason = f"{vehicle.name} careens {2 * mv} in with three random Maneuvers."
        effects.append(Propose("careen", vehicle.id, reason, (("inches", 2 * mv),)))
    elif row == "burning":
        effects.append(Gain(vehicle.id, Condition.BURNING, until=Until.FREED, source="Critical Damage"))
    elif row == "explodes":
        reason = f"{vehicle.name} explodes: Power 7 on every model within 3 in."
        effects.append(Propose("vehicle_explodes", vehicle.id, reason, (("power", 7), ("inches", 3))))
    if is_airborne(vehicle) and row != "explodes":
        effects.append(Propose("crash", vehicle.id, f"{vehicle.name} falls out of the air."))
    return tuple(effects)


def stays_in_play(row: str) -> bool:
    """Whether a disabled vehicle stays on the table: a burning one, until it is put out.

    Rules: CB-VEH-35, CB-VEH-37.
    """
    return row == "burning"


@dataclass(frozen=True, slots=True)
class Careen:
    """A careening vehicle's random Maneuvers: their keys, made at a third, two thirds and the end of the
    path, and the inches of the whole path."""

    maneuvers: tuple[str, ...]
    inches: float


def careen(dice: Dice, mv: int) -> Careen:
    """Roll a careening vehicle: two moves and three random Maneuvers. Rules: CB-VEH-34."""
    chart = load().charts["careening"]
    rows = tuple(chart.row(chart_roll(dice, 0, "Maneuver")) for _ in range(CAREENS))
    quarters = sum(dict(row.values).get("mv_quarters", 0) for row in rows)
    return Careen(tuple(row.key for row in rows), 2 * mv + quarters * mv / 4)


def crash(dice: Dice) -> int:
    """Inches that a disabled flyer still moves straight ahead before it hits the ground: d10.

    What it hits on the way and where it comes down is struck as by `environment.collide` over this distance.
    Rules: CB-VEH-39.
    """
    return dice.face(10, "crash")


# ------------------------------------------------------------------------------------------- fire


def explosion_impact(target: Fighter, settings: Settings = DEFAULTS) -> Impact:
    """The automatic hit of an exploding vehicle: 1 damage at the chart's Power; shields help.

    Rules: CB-VEH-36.
    """
    row = load().charts["critical_damage"].named("explodes")
    return Impact(
        power=row.value("power"),
        damage=row.value("damage"),
        shields=target.shield,
        tough=target.has_feature("tough"),
        ones_cancel=settings.shield_ones_cancel,
    )


def explosion(dice: Dice, hit: Impact) -> int:
    """Take the hit of an exploding vehicle; gives the wounds that come through. Rules: CB-VEH-36."""
    return suffer(dice, 1, 0, hit).through


def after_explosion(target: Fighter, inches: float) -> tuple[Effect, ...]:
    """Models within 3 in of an exploding vehicle burn, unless they are protected. Rules: CB-VEH-36."""
    reach = load().charts["critical_damage"].named("explodes").value("inches")
    return catch_fire(target) if inches <= reach else ()


def passengers_burnt(
    vehicle: Fighter, passengers: Iterable[Fighter], settings: Settings = DEFAULTS
) -> tuple[tuple[int, Impact], ...]:
    """The hits that passengers of an open or exposed burning vehicle take as a turn starts, by id.

    Power 5, 1 damage; Envirosuits, personal force fields and the Force Field power protect. Roll each with
    `burning.burn`. Rules: CB-VEH-37.
    """
    if not vehicle.has(Condition.BURNING):
        return ()
    exposed = (rider for rider in passengers if not protection(rider, "burning"))
    return tuple((rider.id, burn_impact(rider, settings)) for rider in exposed)


def require_handling(model: Fighter) -> None:
    """Refuse, with Forbidden, to handle objects with a vehicle that has no mounted Pincers.

    Riders of Cavalry use their own hands. Rules: CB-VEH-53.
    """
    able = model.profile.is_cavalry or any(arm.key == "mounted_pincers" for arm in model.weapons)
    if model.profile.is_vehicle and not able:
        forbid(f"{model.name} has no Pincers to handle objects with.", "CB-VEH-53")
