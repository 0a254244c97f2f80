"""How vehicles move: straight moves, being In Motion, turns, Maneuvers, landing; who rides along.

Owns what a vehicle's path may be. Where it runs into something, and what shots do to it, is in
`vehicle_combat`. Distances are inches, turns are degrees.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules.dice import Dice
from rules.effects import Effect, Leave
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.counterblast.core.ability import prepare_check
from rules.systems.counterblast.core.casualties import CASUALTY
from rules.systems.counterblast.core.checks import Prepared, Throw, throw
from rules.systems.counterblast.core.conditions import must_be_able
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.general import distance_dice, impact, size_steps
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Note, Size
from rules.systems.counterblast.core.settings import DEFAULTS, Settings

MANEUVER_TARGET = 7
MOST_POINTS = 20
"""Maneuver points of which a check may be in need; all that it gets are of use."""
FREE_TURN = 45
TURNING = ("turn", "hard_turn", "u_turn")


def require_vehicle(model: Fighter) -> None:
    """Raise Forbidden for a model that is no vehicle. Rules: CB-VEH-01, CB-VEH-02."""
    if not model.profile.is_vehicle:
        raise Forbidden(f"{model.name} is no vehicle.", "CB-VEH-01")


def kind_of(model: Fighter) -> str:
    """Cavalry, flyer, mech, tracked or wheeled; empty for a vehicle whose block does not say.

    Rules: CB-VEH-02.
    """
    kinds = [note.key for note in load().vehicle_kinds]
    return next((kind for kind in model.profile.types if kind in kinds), "")


def is_airborne(model: Fighter) -> bool:
    """Whether it moves above the ground; all vehicles but Flyers are subject to terrain.

    Rules: CB-VEH-02, CB-VEH-38.
    """
    return kind_of(model) == "flyer" or model.flies


def size_of(base: Size) -> Size:
    """The size a vehicle counts as: Medium at least. Very big ones without a base are Large.

    Rules: CB-VEH-03.
    """
    return "M" if base == "S" else base


def require_jump(model: Fighter) -> None:
    """Refuse, with Forbidden, a jump of wheels or treads; legged Mechs may. Rules: CB-VEH-08."""
    if kind_of(model) in ("wheeled", "tracked"):
        forbid(f"{model.name} has no legs to jump with.", "CB-VEH-08")


# ------------------------------------------------------------------------------------------- motion


def in_motion(vehicle: Fighter, moved_before: float) -> bool:
    """Whether a vehicle is In Motion this turn: it moved its full Mv or more in the turn before.

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
    """Fewest and most inches of a path.

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
        raise InvalidInput("A path has 1 or 2 Moves and 0 inches or more.")
    _require_points(vehicle, path, moved_before)
    least, most = bounds(vehicle, path, moved_before)
    if path.inches > most:
        forbid(f"{vehicle.name} travels {most:g} in at most.", "CB-VEH-09")
    if path.inches < least:
        forbid(f"{vehicle.name} is In Motion and travels {least:g} in at least.", "CB-VEH-10")
    _require_turns(vehicle, path, moved_before)


def _require_points(vehicle: Fighter, path: Path, moved_before: float) -> None:
    used = sum(note.value("points") for note in _notes(path))
    if used > path.points:
        forbid(f"These Maneuvers take {used} points; there are {path.points}.", "CB-VEH-12")
    braking = any(note.value("mv_quarters") < 0 for note in _notes(path))
    if braking and not in_motion(vehicle, moved_before):
        forbid(f"{vehicle.name} is not In Motion: it just moves less.", "CB-VEH-15")


def _require_turns(vehicle: Fighter, path: Path, moved_before: float) -> None:
    moving = in_motion(vehicle, moved_before)
    bought = sorted((note.value("degrees") for note in _notes(path) if note.key in TURNING), reverse=True)
    free = 0 if moving else path.moves
    allowed = sorted((*bought, *(FREE_TURN,) * free), reverse=True)
    wanted = sorted((abs(turn) for turn in path.turns), reverse=True)
    if "u_turn" in path.maneuvers:
        full = path.inches >= min(vehicle.profile.mv, path.edge_inches)
        if not full or not path.turns or abs(path.turns[-1]) != 180:
            forbid("A U-turn ends a full move.", "CB-VEH-20")
    if len(wanted) > len(allowed) or any(turn > most for turn, most in zip(wanted, allowed, strict=False)):
        words = "In Motion it turns by Maneuvers only" if moving else "One free turn of 45 degrees a Move"
        forbid(f"{words}: that is more than {vehicle.name} may turn.", "CB-VEH-11")


def counts_as_moved(path: Path) -> float:
    """Inches that count for being In Motion next turn: none after the full stop of a U-turn.

    Rules: CB-VEH-10, CB-VEH-20.
    """
    return 0.0 if "u_turn" in path.maneuvers else path.inches


# ------------------------------------------------------------------------------------------- Maneuvers


def prepare_maneuver(
    vehicle: Fighter, inches_left: float, *, order_token: bool = False, settings: Settings = DEFAULTS
) -> Prepared:
    """Prepare a Maneuver check, 1 action during movement: the operator's Technology at 7.

    inches_left: what it can still travel, its full Mv or more. Raises Forbidden. Rules: CB-VEH-12.
    """
    require_vehicle(vehicle)
    if inches_left < vehicle.profile.mv:
        forbid(f"Maneuvers need the full Mv of {vehicle.profile.mv} in to be left to travel.", "CB-VEH-12")
    return prepare_check(
        vehicle,
        "INT",
        MANEUVER_TARGET,
        skill="technology",
        with_equipment=True,
        target_reason="Maneuver",
        wanted=MOST_POINTS,
        target_rule="CB-VEH-12",
        order_token=order_token,
        settings=settings,
    )


def maneuver(dice: Dice, throws: tuple[Throw, ...]) -> int:
    """Roll a Maneuver check: each success is one Maneuver point. Rules: CB-VEH-12."""
    return throw(dice, throws, label="Maneuver").net


def maneuver_points(vehicle: Fighter, successes: int) -> int:
    """Maneuver points after a check: one more for a Barnstormer. Rules: CB-VEH-12, CB-FEAT-07."""
    return successes + int(vehicle.has_feature("barnstormer"))


# ------------------------------------------------------------------------------------------- landing, riding


def passes_over(vehicle: Fighter) -> bool:
    """Whether it moves over models, barriers, Rugged and Impassable ground. Rules: CB-VEH-38, CB-VEH-02."""
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
    must_be_able(passenger)
    if vehicle.profile.is_cavalry and not vehicle.has_feature("transport"):
        if aboard:
            forbid(f"{vehicle.name} carries one passenger.", "CB-VEH-04")
        if size_steps(vehicle.profile.size, passenger.profile.size) < 1:
            forbid(f"{passenger.name} is too big for {vehicle.name}.", "CB-VEH-04")
    elif not vehicle.has_feature("transport"):
        forbid(f"{vehicle.name} has no Transport and carries nobody.", "CB-VEH-05")
    elif len(aboard) >= capacity:
        forbid(f"{vehicle.name} carries {capacity} at most.", "CB-VEH-05")
    if moving:
        forbid(f"{vehicle.name} must stand still to load.", "CB-VEH-05")


def leap_off(dice: Dice, inches: float, defense: int, tough: bool = False) -> int:
    """A passenger leaves a moving vehicle: damage as by a fall over what it moved so far this turn.

    Gives the wounds; no shields help. Rules: CB-VEH-06, CB-FALL-03.
    """
    return dice.call(impact, distance_dice(inches), defense, "leap", tough=tough)


def after_vehicle_lost(passengers: Iterable[Fighter]) -> tuple[Effect, ...]:
    """When a vehicle leaves play, whatever the cause, its passengers are lost with it.

    Rules: CB-VEH-07, CB-VEH-01.
    """
    return tuple(Leave(passenger.id, CASUALTY) for passenger in passengers)
