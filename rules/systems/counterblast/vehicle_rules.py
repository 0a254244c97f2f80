"""Vehicles: paths and Maneuvers, Critical Damage, fire and passengers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules.dice import Dice
from rules.effects import Effect, Gain, Leave, Propose
from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.counterblast.core.burning import build_burn_impact, catch_fire, find_protection
from rules.systems.counterblast.core.checks import PreparedCheck, Throw, throw
from rules.systems.counterblast.core.conditions import CASUALTY, require_able
from rules.systems.counterblast.core.dice_pools import prepare_check
from rules.systems.counterblast.core.fighter import Condition, Fighter, Until
from rules.systems.counterblast.core.general import chart_roll, distance_dice, impact, size_steps
from rules.systems.counterblast.core.impacts import Impact, suffer
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Note, Size
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.systems.counterblast.psionics.powers import floored
from rules.wording import times

MANEUVER_TARGET = 7
MAX_POINTS = 20
"""Maneuver points of which a check may be in need; all that it gets are of use."""
FREE_TURN = 45
TURNING = ("turn", "hard_turn", "u_turn")


def require_vehicle(model: Fighter) -> None:
    """Raise Forbidden for a model that is not a vehicle. Rules: CB-VEH-01, CB-VEH-02."""
    if not model.profile.is_vehicle:
        raise Forbidden(f"{model.name} is not a vehicle.", "CB-VEH-01")


def kind_of(model: Fighter) -> str:
    """Return cavalry, flyer, mech, tracked or wheeled; empty for a block that does not say.

    Rules: CB-VEH-02.
    """
    kinds = [note.key for note in load().vehicle_kinds]
    return next((kind for kind in model.profile.types if kind in kinds), "")


def is_airborne(model: Fighter) -> bool:
    """Return whether it moves above the ground; all vehicles but Flyers are subject to terrain.

    Rules: CB-VEH-02, CB-VEH-38.
    """
    return kind_of(model) == "flyer" or model.flies


def size_of(base: Size) -> Size:
    """Return the size a vehicle counts as: at least Medium. Very big ones without a base are Large.

    Rules: CB-VEH-03.
    """
    return "M" if base == "S" else base


def require_jump(model: Fighter) -> None:
    """Refuse, with Forbidden, a jump of wheels or treads; legged Mechs may. Rules: CB-VEH-08."""
    if kind_of(model) in ("wheeled", "tracked"):
        forbid(f"{model.name} has no legs, so it can't jump.", "CB-VEH-08")


# ------------------------------------------------------------------------------------------- motion


def in_motion(vehicle: Fighter, moved_before: float) -> bool:
    """Return whether a vehicle is In Motion this turn: it moved its full Mv or more in the turn before.

    moved_before: inches, 0 for a fresh vehicle or after a U-turn. Rules: CB-VEH-10.
    """
    return moved_before >= vehicle.profile.mv


@dataclass(frozen=True, slots=True)
class Path:
    """A vehicle's way in one activation.

    inches: travelled in all. moves: Move actions spent, 1 or 2. turns: degrees of each turn, in order.
    maneuvers: keys of the Maneuvers used. points: Maneuver points it has. edge_inches: to the table edge.
    reach_inches: what the Moves give on this ground where that is not Mv for each (`movement.move_distance`).
    """

    inches: float
    moves: int = 1
    turns: tuple[int, ...] = ()
    maneuvers: tuple[str, ...] = ()
    points: int = 0
    edge_inches: float = 1000
    reach_inches: float | None = None


def _notes(path: Path) -> tuple[Note, ...]:
    return tuple(load().maneuvers[key] for key in path.maneuvers)


def bounds(vehicle: Fighter, path: Path, moved_before: float) -> tuple[float, float]:
    """Return fewest and most inches of a path.

    A vehicle moves up to Mv for each Move; In Motion it has to travel its full Mv at least. Accelerating
    raises the most by 1/2 or 3/4 Mv, braking lowers the least as much. The ground may take inches, the table
    edge stops it. Rules: CB-VEH-02, CB-VEH-09, CB-VEH-10, CB-VEH-14, CB-VEH-15, CB-VEH-18, CB-VEH-19.
    """
    mv = vehicle.profile.mv
    quarters = [note.value("mv_quarters") for note in _notes(path)]
    farther = sum(number for number in quarters if number > 0) * mv / 4
    shorter = -sum(number for number in quarters if number < 0) * mv / 4
    reach = mv * path.moves if path.reach_inches is None else path.reach_inches
    most = min(reach + farther, path.edge_inches)
    least = max(0.0, mv - shorter) if in_motion(vehicle, moved_before) else 0.0
    return min(least, most), most


def require_path(vehicle: Fighter, path: Path, moved_before: float = 0) -> None:
    """Refuse, with Forbidden, a path that the vehicle cannot drive.

    Too short or too far; more Maneuvers than points; braking when not In Motion; turns without a free turn
    (one of up to 45 degrees for each Move, none In Motion) or a Maneuver that turns so far; a U-turn that is
    not the last thing after a full move. Raises InvalidInput for impossible values.
    Rules: CB-VEH-09 to CB-VEH-20.
    """
    require_vehicle(vehicle)
    if path.moves not in (1, 2) or path.inches < 0:
        raise InvalidInput("A path must have 1 or 2 Moves, and its length can't be negative.")
    _require_points(vehicle, path, moved_before)
    least, most = bounds(vehicle, path, moved_before)
    if path.inches > most:
        forbid(f"{vehicle.name} can travel at most {most:g} in.", "CB-VEH-09")
    if path.inches < least:
        forbid(f"{vehicle.name} is In Motion, so it has to travel at least {least:g} in.", "CB-VEH-10")
    _require_turns(vehicle, path, moved_before)


def _require_points(vehicle: Fighter, path: Path, moved_before: float) -> None:
    used = sum(note.value("points") for note in _notes(path))
    if used > path.points:
        need = "This Maneuver needs" if len(path.maneuvers) == 1 else "These Maneuvers need"
        held = f"only {path.points}" if path.points else "none"
        forbid(f"{need} {times(used, 'point')}, but you have {held}.", "CB-VEH-12")
    braking = any(note.value("mv_quarters") < 0 for note in _notes(path))
    if braking and not in_motion(vehicle, moved_before):
        forbid(
            f"{vehicle.name} is not In Motion, so it doesn't need to brake. Drive a shorter distance "
            "instead.",
            "CB-VEH-15",
        )


def _require_turns(vehicle: Fighter, path: Path, moved_before: float) -> None:
    moving = in_motion(vehicle, moved_before)
    bought = sorted((note.value("degrees") for note in _notes(path) if note.key in TURNING), reverse=True)
    free_turns = 0 if moving else path.moves
    allowed = sorted((*bought, *(FREE_TURN,) * free_turns), reverse=True)
    turns_wanted = sorted((abs(turn) for turn in path.turns), reverse=True)
    if "u_turn" in path.maneuvers:
        full_move = path.inches >= min(vehicle.profile.mv, path.edge_inches)
        if not full_move or not path.turns or abs(path.turns[-1]) != 180:
            forbid("A U-turn must be at the end of a full move.", "CB-VEH-20")
    if len(turns_wanted) > len(allowed) or any(
        turn > most for turn, most in zip(turns_wanted, allowed, strict=False)
    ):
        words = (
            "In Motion, it can only turn with Maneuvers"
            if moving
            else "It has one free turn of up to 45 degrees per Move"
        )
        forbid(f"{vehicle.name} can't turn that much. {words}.", "CB-VEH-11")


def counts_as_moved(path: Path) -> float:
    """Return the inches that count for being In Motion next turn: none after the full stop of a U-turn.

    Rules: CB-VEH-10, CB-VEH-20.
    """
    return 0.0 if "u_turn" in path.maneuvers else path.inches


# ------------------------------------------------------------------------------------------- Maneuvers


def prepare_maneuver(
    vehicle: Fighter, inches_left: float, *, order_token: bool = False, settings: Settings = DEFAULTS
) -> PreparedCheck:
    """Prepare a Maneuver check, 1 action during movement: the operator's Technology at 7.

    inches_left: what it can still travel, its full Mv or more. Raises Forbidden. Rules: CB-VEH-12.
    """
    require_vehicle(vehicle)
    if inches_left < vehicle.profile.mv:
        forbid(
            "To use Maneuvers, the vehicle must still be able to travel its full Mv of "
            f"{vehicle.profile.mv} in.",
            "CB-VEH-12",
        )
    return prepare_check(
        vehicle,
        "INT",
        MANEUVER_TARGET,
        skill="technology",
        with_equipment=True,
        target_reason="Maneuver",
        needed=MAX_POINTS,
        target_rule="CB-VEH-12",
        order_token=order_token,
        settings=settings,
    )


def maneuver(dice: Dice, throws: tuple[Throw, ...]) -> int:
    """Roll a Maneuver check: each success is one Maneuver point. Rules: CB-VEH-12."""
    return throw(dice, throws, label="Maneuver").net


def maneuver_points(vehicle: Fighter, successes: int) -> int:
    """Return Maneuver points after a check: one more for a Barnstormer. Rules: CB-VEH-12, CB-FEAT-07."""
    return successes + int(vehicle.has_feature("barnstormer"))


# ------------------------------------------------------------------------------------------- landing, riding


def passes_over(vehicle: Fighter) -> bool:
    """Return whether it moves over models, barriers and all ground. Rules: CB-VEH-38, CB-VEH-02."""
    return is_airborne(vehicle)


def require_boarding(
    vehicle: Fighter, passenger: Fighter, riding: Iterable[Fighter], capacity: int, *, moving: bool
) -> None:
    """Refuse, with Forbidden, a passenger that cannot get in or on.

    Vehicles with Transport load at any point of their turn, at a complete stop, up to a capacity that the
    players agree; Cavalry carries one model at least one base size smaller without it. Rules: CB-VEH-04,
    CB-VEH-05, CB-FEAT-64.
    """
    aboard = tuple(riding)
    require_able(passenger)
    if vehicle.profile.is_cavalry and not vehicle.has_feature("transport"):
        if aboard:
            forbid(f"{vehicle.name} can only carry one passenger.", "CB-VEH-04")
        if size_steps(vehicle.profile.size, passenger.profile.size) < 1:
            forbid(f"{passenger.name} is too big for {vehicle.name}.", "CB-VEH-04")
    elif not vehicle.has_feature("transport"):
        forbid(f"{vehicle.name} has no Transport, so it can't carry passengers.", "CB-VEH-05")
    elif len(aboard) >= capacity:
        forbid(f"{vehicle.name} can carry at most {times(capacity, 'passenger')}.", "CB-VEH-05")
    if moving:
        forbid(f"{vehicle.name} must stand still for passengers to board.", "CB-VEH-05")


def leap_off(dice: Dice, inches: float, defense: int, tough: bool = False) -> int:
    """Roll for a passenger that leaves a moving vehicle: damage as by a fall over what it moved so far.

    Gives the wounds; no shields help. Rules: CB-VEH-06, CB-FALL-03.
    """
    return dice.call(impact, distance_dice(inches), defense, "leap", tough=tough)


def after_vehicle_lost(passengers: Iterable[Fighter]) -> tuple[Effect, ...]:
    """Remove the passengers of a vehicle that leaves play, whatever the cause.

    Rules: CB-VEH-07, CB-VEH-01.
    """
    return tuple(Leave(passenger.id, CASUALTY) for passenger in passengers)


PASSENGER_COVER = 3
MOVING_VEHICLE = Modifier(-1, "moving vehicle", "CB-VEH-30")
PUSH_STEPS = 2
CAREENS = 3


# ------------------------------------------------------------------------------------------- collisions


def collides(vehicle: Fighter, inches: float, *, out_of_control: bool = False) -> bool:
    """Return whether touching a model or terrain after so many inches is a collision: at least half its Mv.

    Cavalry never causes one. Rules: CB-VEH-21, CB-VEH-04.
    """
    if vehicle.profile.is_cavalry and not out_of_control:
        return False
    return inches >= vehicle.profile.mv / 2


def absorbed_dice(vehicle: Fighter, *, ramming: bool) -> int:
    """Return the dice of its own collision damage that a Power Ram takes off when it rams in a melee attack.

    Rules: CB-VEH-54.
    """
    return int(ramming and any(arm.has_effect("absorbs_collision") for arm in vehicle.weapons))


def pushes_through(mover: Size, struck: Size, footprint: float = 0) -> bool:
    """Return whether a vehicle pushes a model aside: two size steps larger, or a footprint at least double.

    footprint: the vehicle's area divided by the model's, 0 when it was not measured. Rules: CB-VEH-26.
    """
    if footprint:
        return footprint >= 2
    return size_steps(mover, struck) >= PUSH_STEPS


def after_push(struck: Fighter, wounds: int) -> tuple[Effect, ...]:
    """Return the effects for a pushed survivor: it is at the edge of the path. Rules: CB-VEH-26."""
    if struck.damage + wounds >= struck.profile.life:
        return ()
    return floored(struck, "pushed aside")


# ------------------------------------------------------------------------------------------- shooting


def passenger_edges() -> tuple[Modifier, ...]:
    """Return the disadvantage of shooting at a passenger in sight; its Cover is `PASSENGER_COVER`.

    Rules: CB-VEH-28.
    """
    return (Modifier(-1, "passenger", "CB-VEH-28"),)


def moving_edges(
    shooter: Fighter, vehicle: Fighter, moved: float, moved_before: float, *, straight: bool = False
) -> tuple[Modifier, ...]:
    """Return the disadvantage of a non-vehicle against a vehicle that moved its full Mv in this turn or the
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
        raise InvalidInput("Damage beyond a vehicle's Life can't be below 0.")
    return load().charts["critical_damage"].row(chart_roll(dice, beyond, "critical damage")).key


def after_critical(vehicle: Fighter, row: str) -> tuple[Effect, ...]:
    """Return the effects of a row of the Critical Damage Table; a flyer crashes after it, unless it
    exploded.

    Rules: CB-VEH-32 to CB-VEH-36, CB-VEH-39.
    """
    effects: list[Effect] = []
    mv = vehicle.profile.mv
    if row == "out_of_control":
        reason = f"{vehicle.name} drives {mv} in straight ahead and hits whatever is in its path."
        effects.append(Propose("runaway", vehicle.id, reason, (("inches", mv),)))
    elif row == "careening":
        reason = f"{vehicle.name} makes three random Maneuvers as it careens {2 * mv} in."
        effects.append(Propose("careen", vehicle.id, reason, (("inches", 2 * mv),)))
    elif row == "burning":
        effects.append(Gain(vehicle.id, Condition.BURNING, until=Until.FREED, source="Critical Damage"))
    elif row == "explodes":
        reason = f"{vehicle.name} explodes, and every model within 3 in takes a hit (Power 7)."
        effects.append(Propose("vehicle_explodes", vehicle.id, reason, (("power", 7), ("inches", 3))))
    if is_airborne(vehicle) and row != "explodes":
        effects.append(Propose("crash", vehicle.id, f"{vehicle.name} falls out of the sky."))
    return tuple(effects)


def stays_in_play(row: str) -> bool:
    """Return whether a disabled vehicle stays on the table: a burning one, until it is put out.

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
    """Return the inches that a disabled flyer still moves straight ahead before it hits the ground: d10.

    `environment.collide` hits whatever is on its way and at its end over this distance. Rules: CB-VEH-39.
    """
    return dice.face(10, "crash")


# ------------------------------------------------------------------------------------------- fire


def explosion_impact(target: Fighter, settings: Settings = DEFAULTS) -> Impact:
    """Return the automatic hit of an exploding vehicle: 1 damage at the chart's Power; shields help.

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
    """Roll the hit of an exploding vehicle and return the wounds that come through. Rules: CB-VEH-36."""
    return suffer(dice, 1, 0, hit).through


def after_explosion(target: Fighter, inches: float) -> tuple[Effect, ...]:
    """Set models within 3 in of an exploding vehicle on fire, unless they are protected. Rules: CB-VEH-36."""
    reach = load().charts["critical_damage"].named("explodes").value("inches")
    return catch_fire(target) if inches <= reach else ()


def passengers_burnt(
    vehicle: Fighter, passengers: Iterable[Fighter], settings: Settings = DEFAULTS
) -> tuple[tuple[int, Impact], ...]:
    """Return the hits that passengers of an open or exposed burning vehicle take as a turn starts, by id.

    Power 5, 1 damage; Envirosuits, personal force fields and the Force Field power protect. Roll each with
    `burning.roll_burn`. Rules: CB-VEH-37.
    """
    if not vehicle.has(Condition.BURNING):
        return ()
    exposed = (rider for rider in passengers if not find_protection(rider, "burning"))
    return tuple((rider.id, build_burn_impact(rider, settings)) for rider in exposed)


def require_handling(model: Fighter) -> None:
    """Refuse, with Forbidden, to handle objects with a vehicle that has no mounted Pincers.

    Riders of Cavalry use their own hands. Rules: CB-VEH-53.
    """
    able = model.profile.is_cavalry or any(arm.key == "mounted_pincers" for arm in model.weapons)
    if model.profile.is_vehicle and not able:
        forbid(f"{model.name} has no Pincers, so it can't handle objects.", "CB-VEH-53")
