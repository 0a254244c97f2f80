"""Driving at the table: paths In Motion, turns, Maneuver checks and what their points buy."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.counterblast.core.common import again, carry_through, pay, price, require_plannable, settings
from bot.games.counterblast.core.fields import degrees, order, who
from bot.games.counterblast.core.narration import Finishing, ReadyCheck, Telling, due, finish
from bot.games.counterblast.core.wording import chance_lines, dice_words, reason, why_check
from bot.games.counterblast.movement.falls import check_for_drift, odds_of_keeping_feet
from bot.games.counterblast.movement.moves import (
    apart,
    end_field,
    ground_checks,
    impassable_switch,
    rugged_ground,
    touched,
)
from bot.games.counterblast.state.ground import Ground, gravity_here
from bot.games.counterblast.state.models import predict_after
from bot.games.counterblast.state.sight import forget_sightings
from bot.games.counterblast.state.table_state import ModelState
from bot.games.counterblast.state.vehicles import is_coasting, owes_move, read_inches_moved, store_drive
from bot.games.counterblast.state.vehicles import maneuvers as any_maneuvers
from bot.games.counterblast.vehicles.collisions import COLLISION_FORM, VehicleCrash
from bot.replies.chances import bars
from bot.replies.reply import Button, Reply
from bot.store.rows import ModelRow
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.names import find
from bot.table.steps import Chances, Weighed, in_steps
from bot.table.throw_purposes import Whose
from rules.dice import Dice
from rules.refusals import forbid, is_allowed
from rules.systems.counterblast import vehicle_rules
from rules.systems.counterblast.core.conditions import Event, end_conditions
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.tables import Note
from rules.systems.counterblast.movement.environment import must_check_drift
from rules.systems.counterblast.movement.ground import require_passable
from rules.systems.counterblast.movement.movement import move_distance
from rules.systems.counterblast.turn.activation import actions_left
from rules.systems.counterblast.vehicle_rules import Path, collides
from rules.wording import possessive, times

MAX_DISTANCE = 200
U_TURN_DEGREES = 180
NO_EDGE = 1000.0


def _find_maneuver(context: Asking, text: str) -> Note:
    """Return the Maneuver of that name. Raises InvalidInput."""
    return find(text, tuple(load().maneuvers), lambda one: one.name, "Maneuver")


@dataclass(frozen=True, slots=True)
class Drive(Action):
    """Drive a vehicle along its whole path.

    moves: 0 for the fewest that suffice. turns: in order. rugged: ratings of the ground touched; ground:
    dangerous places and hazards touched, by name; typed, the ratings stand among them.
    """

    command = "cb.veh.drive"
    typed = "vehicle drive"
    titled = "Drive"
    said_first = (
        *("vehicle", "inches", "moves", "turns", "maneuvers", "edge", "ground", "impassable", "end", "odds"),
    )
    facts = frozenset({"rugged"})

    vehicle: Fighter = who("Vehicle", called="model")
    inches: float = fields.inches(
        "Total distance (inches)", most=MAX_DISTANCE, default=0.0, needed=True, checked=True, fact=True
    )
    moves: int = fields.whole("Moves (1 or 2, default: as many as needed)", 1, 2, default=0)
    turns: tuple[int, ...] = degrees('Degrees of each turn, such as "45 90"')
    maneuvers: tuple[Note, ...] = fields.several(
        "Maneuvers, separated by commas", any_maneuvers, _find_maneuver, written=lambda row: row.name
    )
    edge: float = fields.inches("Distance to the table edge ahead (inches)", default=0.0, fact=True)
    rugged: tuple[int, ...] = fields.unordered()
    impassable: bool = impassable_switch()
    end: str = end_field()
    ground: tuple[Ground, ...] = touched('Rugged ratings and places crossed, such as "1 2, slick"')
    odds: bool = fields.odds()

    def as_typed_action(self) -> Drive:
        return apart(self)


@dataclass(frozen=True, slots=True)
class Maneuver(Action):
    """Roll a Maneuver check to get points for this turn's path.

    left: inches it can still travel, or 0 to use its actions.
    """

    command = "cb.veh.points"
    typed = "vehicle maneuver"
    titled = "Maneuver"

    vehicle: Fighter = who("Vehicle", called="model")
    left: float = fields.inches(
        "Distance the vehicle can still go (inches)", 0.0, 200.0, default=0.0, fact=True
    )
    order: bool = order()
    odds: bool = fields.odds()


def vehicle_turn(act: ActView) -> int:
    """Return the turn as vehicles count it."""
    return max(1, act.encounter.row.turn)


# ------------------------------------------------------------------------------------------- paths


@dataclass(frozen=True, slots=True)
class ReadyDrive:
    """A path that may be driven, why it may be so long, and the low gravity that it is checked for."""

    vehicle: Fighter
    path: Path
    why: tuple[str, ...]
    gravity: int


@in_steps(Drive)
class Driving(Weighed[Drive, ReadyDrive]):
    """One path of one or two Moves in an activation. Rules: CB-VEH-02, CB-VEH-09 to CB-VEH-20, CB-VEH-38."""

    label = "Drive"

    def prepare(self, act: ActView, action: Drive) -> ReadyDrive:
        """Return the whole path, once a turn. Raises InvalidInput, Forbidden."""
        vehicle = action.vehicle
        vehicle_rules.require_vehicle(vehicle)
        row, turn = act.encounter.model(vehicle.id), vehicle_turn(act)
        if read_inches_moved(row, turn)[0]:
            forbid(f"{vehicle.name} has already driven this turn.", "CB-VEH-09")
        old_inches = float(vehicle.profile.mv) if is_coasting(row, turn) else 0.0
        require_passable(vehicle, crosses=action.impassable, end=action.end)
        path, reasons = _build_path(act, vehicle, action, old_inches)
        vehicle_rules.require_path(vehicle, path, old_inches)
        moves = 0 if owes_move(row, turn) else path.moves
        if act.action.looks and moves:
            require_plannable(act, vehicle, "move")
        elif not act.action.looks:
            vehicle_after = vehicle
            for _ in range(moves):
                vehicle_after = predict_after(vehicle_after, price(act, vehicle_after, "move"))
        gravity = gravity_here(act.encounter, vehicle)
        must_check = gravity and must_check_drift(vehicle, path.inches)
        return ReadyDrive(vehicle, path, tuple(reasons), gravity if must_check else 0)

    def do(self, act: Act, action: Drive, ready: ReadyDrive) -> Reply:
        vehicle, path = ready.vehicle, ready.path
        row, turn = act.encounter.model(vehicle.id), vehicle_turn(act)
        for _ in range(0 if owes_move(row, turn) else path.moves):
            pay(act, again(act, vehicle), "move")
        is_moving = vehicle_rules.in_motion(vehicle, vehicle_rules.counts_as_moved(path))
        store_drive(row, turn, path.inches, moving=is_moving)
        ModelState(row).maneuver_points = 0
        forget_sightings(act.encounter, vehicle.id)
        telling = Telling([f"{vehicle.name} drives {path.inches:g} in."], list(ready.why))
        telling.lines += _path_lines(vehicle, path, is_moving=is_moving)
        telling.proposals += ground_checks(act, again(act, vehicle), action.ground)
        collision_buttons = (
            (Button("It hits something...", VehicleCrash(vehicle.id, path.inches), form=COLLISION_FORM),)
            if collides(vehicle, path.inches)
            else ()
        )
        if ready.gravity:
            return check_for_drift(act, telling, vehicle, ready.gravity, *collision_buttons)
        return finish(act, telling, (), *collision_buttons)

    def chances(self, act: ActView, action: Drive, ready: ReadyDrive) -> Chances:
        """Return how far it drives, and whether it drifts. Rules: CB-ENV-02."""
        lines = [f"{ready.vehicle.name} drives {ready.path.inches:g} in", *ready.why]
        if not ready.gravity:
            return Chances((*lines, "No dice are rolled."))
        odds = odds_of_keeping_feet(act, ready.vehicle)
        chance = odds.chance(bool)
        chance_bars = bars([("stays on the ground", chance), ("drifts", 1 - chance)])
        return Chances((*lines, *chance_bars), "stays on the ground", chance, (odds,))


def _build_path(act: ActView, vehicle: Fighter, action: Drive, old_inches: float) -> tuple[Path, list[str]]:
    """The path as the rules see it, with the fewest Moves that suffice, and why it may be so long."""
    row, turn = act.encounter.model(vehicle.id), vehicle_turn(act)
    keys = tuple(row.key for row in action.maneuvers)
    turn_degrees = action.turns
    if "u_turn" in keys and U_TURN_DEGREES not in map(abs, turn_degrees):
        turn_degrees = (*turn_degrees, U_TURN_DEGREES)
    points = ModelState(row).maneuver_points if ModelState(row).maneuver_turn == turn else 0
    ground = rugged_ground(action.rugged, action.ground)

    def of(moves: int) -> Path:
        reach_inches = move_distance(vehicle, moves, ground).inches
        return Path(action.inches, moves, turn_degrees, keys, points, action.edge or NO_EDGE, reach_inches)

    one_move_suffices = owes_move(row, turn) or is_allowed(
        vehicle_rules.require_path, vehicle, of(1), old_inches
    )
    move_count = action.moves or (1 if one_move_suffices else 2)
    path = of(move_count)
    min_inches, max_inches = vehicle_rules.bounds(vehicle, path, old_inches)
    reach_inches = move_distance(vehicle, move_count, ground)
    reasons = [
        f"Allowed distance: {min_inches:g} to {max_inches:g} in "
        f"({'In Motion' if old_inches else 'at rest'}) CB-VEH-10",
        reach_inches.moves,
    ]
    reasons += [reason(part) for part in reach_inches.parts]
    reasons += [
        f"{note.name} ({note.value('points')}) {note.rules[-1]}"
        for note in load().maneuvers
        if note.key in keys
    ]
    return path, reasons


def _path_lines(vehicle: Fighter, path: Path, *, is_moving: bool) -> list[str]:
    names = [load().maneuvers[key].name for key in path.maneuvers]
    lines = [f"Maneuvers: {', '.join(names)}"] if names else []
    if vehicle_rules.passes_over(vehicle):
        lines += [
            "It passes over models and all ground. It can't end its move on a model or on Impassable ground."
        ]
    lines.append("It will be In Motion next turn." if is_moving else "It won't be In Motion next turn.")
    return lines


# ------------------------------------------------------------------------------------------- Maneuvers


@dataclass(frozen=True, slots=True)
class ReadyManeuver(ReadyCheck):
    """A Maneuver check that may be made."""

    vehicle: Fighter | None = None

    @property
    def model(self) -> Fighter:
        """Return the vehicle."""
        assert self.vehicle is not None, "it is prepared"
        return self.vehicle


@in_steps(Maneuver)
class Maneuvering(Finishing[Maneuver, ReadyManeuver, int]):
    """The operator's Technology at 7, one point for each success. Rules: CB-VEH-12, CB-FEAT-07."""

    def prepare(self, act: ActView, action: Maneuver) -> ReadyManeuver:
        """Return the check, once, before the path is driven. Raises InvalidInput, Forbidden."""
        vehicle = action.vehicle
        vehicle_rules.require_vehicle(vehicle)
        row, turn, rules = act.encounter.model(vehicle.id), vehicle_turn(act), settings(act)
        if not act.action.looks:
            _require_maneuver_check(vehicle, row, turn)
        inches_left = action.left or _inches_left(act, vehicle, row, turn)
        check = vehicle_rules.prepare_maneuver(vehicle, inches_left, order_token=action.order, settings=rules)
        return ReadyManeuver(check, due(act, vehicle, "skill", order=action.order), vehicle)

    def whose(self, action: Maneuver, ready: ReadyManeuver) -> Whose:
        return Whose(ready.model.name, "Maneuver check", f"against {ready.prepared.throw.target}")

    def rule(self, dice: Dice, ready: ReadyManeuver) -> int:
        successes = vehicle_rules.maneuver(dice, (ready.prepared.throw,))
        return vehicle_rules.maneuver_points(ready.model, successes)

    def settle(self, act: Act, action: Maneuver, ready: ReadyManeuver, outcome: int) -> Telling:
        vehicle, turn = ready.model, vehicle_turn(act)
        row = act.encounter.model(vehicle.id)
        carry_through(act, ready.due)
        carry_through(act, end_conditions(vehicle, Event.INT_CHECKED))
        ModelState(row).maneuver_points = outcome
        ModelState(row).maneuver_turn = turn
        telling = Telling(
            [f"{vehicle.name}: {times(outcome, 'Maneuver point')}."],
            why_check(ready.prepared, f"{possessive(vehicle.name)} Maneuver check"),
            dice=[dice_words(ready.prepared, "INT")],
        )
        for note in load().maneuvers:
            cost = note.value("points")
            if cost <= outcome and (note.value("mv_quarters") >= 0 or is_coasting(row, turn)):
                telling.lines.append(f"{note.name} ({cost})")
        return telling

    def chances(self, act: ActView, action: Maneuver, ready: ReadyManeuver) -> Chances:
        odds = act.solve(self.rule, ready)
        rows = chance_lines(odds, [*(times(n, "point") for n in range(3)), "3 points or more"])
        lines = (f"{possessive(ready.model.name)} Maneuver check", dice_words(ready.prepared, "INT"), *rows)
        return Chances(lines, "at least 1 point", odds.chance(bool), (odds,))


def _require_maneuver_check(vehicle: Fighter, row: ModelRow, turn: int) -> None:
    """One check, before the path is driven. Raises Forbidden. Rules: CB-VEH-12."""
    if ModelState(row).maneuver_turn == turn:
        forbid(f"{vehicle.name} has already made its Maneuver check this turn.", "CB-VEH-12")
    if read_inches_moved(row, turn)[0]:
        forbid(f"{vehicle.name} has already driven. Make the Maneuver check before you drive.", "CB-VEH-12")


def _inches_left(act: ActView, vehicle: Fighter, row: ModelRow, turn: int) -> float:
    """Rules: CB-VEH-12."""
    if not act.encounter.row.turn or owes_move(row, turn):
        return float(vehicle.profile.mv)
    return float((actions_left(vehicle) - 1) * vehicle.profile.mv)
