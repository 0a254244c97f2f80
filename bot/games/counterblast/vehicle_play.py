"""Driving at the table: paths In Motion, turns and Maneuvers, collisions by size and distance, passengers."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.attacks import Telling
from bot.games.counterblast.checking import (
    asked,
    finish,
    model_choices,
    odds_reply,
    ref,
    require_between,
    wound,
)
from bot.games.counterblast.common import again, named, own, pay, settings, spend_order
from bot.games.counterblast.fighters import fighter, fighters
from bot.games.counterblast.vehicle_marks import POINTS, RIDES, drive, moved, riders
from bot.games.counterblast.words import dice_words, exactness, times, why_check
from bot.replies.chances import bars
from bot.replies.reply import Blank, Button, Menu, Reply, form
from bot.table.act import Act
from bot.table.encounter import set_counter
from bot.table.handlers import handles
from bot.table.names import find
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast import vehicle_move
from rules.systems.counterblast.environment import collide
from rules.systems.counterblast.falling import Faller
from rules.systems.counterblast.general import distance_dice
from rules.systems.counterblast.library import load
from rules.systems.counterblast.vehicle_combat import absorbed_dice, after_push, collides, pushes_through

FARTHEST = 200
MET = form("cb.veh.hit", "Runs into something", Blank("inches", "Inches before contact", longest=5))


@dataclass(frozen=True, slots=True)
class Drive(Action):
    """A vehicle drives. turns: degrees of each, in order; maneuvers: by name; edge: inches to the edge."""

    command = "cb.veh.drive"

    vehicle: str = ""
    inches: float = 0.0
    moves: int = 1
    turns: tuple[int, ...] = ()
    maneuvers: tuple[str, ...] = ()
    edge: float = 0.0


@dataclass(frozen=True, slots=True)
class Maneuver(Action):
    """A Maneuver check: points for this turn's path. left: inches that it can still travel."""

    command = "cb.veh.points"

    vehicle: str = ""
    left: float = 0.0
    order: bool = False
    odds: bool = False


@dataclass(frozen=True, slots=True)
class Crash(Action):
    """A vehicle touches models or terrain after so many inches. sure: no model; wild: out of control.

    ram: it rams, as its attack in melee.
    """

    command = "cb.veh.hit"

    vehicle: int = 0
    inches: float = 0.0
    struck: tuple[int, ...] = ()
    sure: bool = False
    wild: bool = False
    ram: bool = False


@dataclass(frozen=True, slots=True)
class Board(Action):
    """A model gets in or on. capacity: how many the vehicle carries, as agreed."""

    command = "cb.veh.board"

    vehicle: str = ""
    passenger: str = ""
    capacity: int = 0


@dataclass(frozen=True, slots=True)
class Alight(Action):
    """A passenger gets out, leaping where the vehicle has moved this turn."""

    command = "cb.veh.out"

    passenger: str = ""


def vehicle_turn(act: Act) -> int:
    """The turn as vehicles count it."""
    return max(1, act.encounter.row.turn)


# ------------------------------------------------------------------------------------------- paths


@handles(Drive)
def drives(act: Act, action: Drive) -> Reply:
    """One path of one or two Moves in an activation. Rules: CB-VEH-09 to CB-VEH-20."""
    vehicle = own(act, action.vehicle)
    row, turn = act.encounter.model(vehicle.id), vehicle_turn(act)
    require_between(action.inches, 0, FARTHEST, "Inches")
    notes = tuple(load().maneuvers)
    keys = tuple(find(name, notes, lambda one: one.name, "Maneuver").key for name in action.maneuvers)
    act.canonical = replace(action, vehicle=ref(vehicle), maneuvers=action.maneuvers)
    now, before = moved(row, turn)
    if now:
        with act.overridable():
            raise Forbidden(f"{vehicle.name} has driven this turn: one path in all.", "CB-VEH-09")
    path = vehicle_move.Path(
        action.inches, action.moves, action.turns, keys, row.counters.get(POINTS, 0), action.edge or 1000
    )
    with act.overridable():
        vehicle_move.require_path(vehicle, path, before)
    for _ in range(action.moves):
        pay(act, again(act, vehicle), "move")
    drive(row, turn, vehicle_move.counts_as_moved(path))
    set_counter(row.counters, POINTS, 0)
    telling = Telling([f"{vehicle.name} drives {action.inches:g} in."])
    least, most = vehicle_move.bounds(vehicle, path, before)
    telling.why.append(
        f"From {least:g} to {most:g} in, {'In Motion' if before >= vehicle.profile.mv else 'at rest'}"
    )
    names = [load().maneuvers[key].name for key in keys]
    telling.lines += [f"Maneuvers: {', '.join(names)}"] if names else []
    after = vehicle_move.in_motion(vehicle, moved(row, turn)[0])
    telling.lines.append("It will be In Motion next turn." if after else "It is not In Motion next turn.")
    meets = Button("Touches something...", Crash(vehicle.id, action.inches), form=MET)
    return finish(act, telling, (), meets)


@handles(Maneuver)
def maneuvers(act: Act, action: Maneuver) -> Reply:
    """The operator's Technology at 7, one point for each success. Rules: CB-VEH-12, CB-FEAT-07."""
    vehicle = asked(act, action.vehicle, odds=action.odds)
    chosen, mv = settings(act), vehicle.profile.mv
    left = action.left or float(2 * mv)
    asks = replace(action, vehicle=ref(vehicle), odds=False)
    act.canonical = asks
    ready = vehicle_move.prepare_maneuver(vehicle, left, order_token=action.order, settings=chosen)
    said = [dice_words(ready, "INT")]
    if action.odds:
        odds = act.solve(vehicle_move.maneuver, (ready.throw,))
        points = odds.map(lambda got: vehicle_move.maneuver_points(vehicle, got))
        shown = [(times(n, "point"), points.chance(lambda got, n=n: got == n)) for n in range(3)]  # type: ignore[misc]
        shown.append(("3 or more", points.chance(lambda got: got > 2)))
        lines = [f"{vehicle.name}: Maneuver", *said, *bars(shown), exactness(odds)]
        plain, ordered = replace(asks, order=False), replace(asks, order=True)
        return odds_reply(act, vehicle.side, lines, "Roll", plain, ordered)
    pay(act, vehicle, "skill")
    if action.order:
        spend_order(act, vehicle.side)
    successes = act.roll(vehicle_move.maneuver, (ready.throw,))
    points_now = vehicle_move.maneuver_points(vehicle, successes)
    set_counter(act.encounter.model(vehicle.id).counters, POINTS, points_now)
    telling = Telling([f"{vehicle.name}: {times(points_now, 'Maneuver point')}."])
    telling.why += why_check(ready, f"{vehicle.name}, Maneuver")
    for note in load().maneuvers:
        cost = note.value("points")
        if cost <= points_now:
            telling.lines.append(f"{note.name} ({cost})")
    return finish(act, telling, said)


# ------------------------------------------------------------------------------------------- collisions


@handles(Crash)
def crashes(act: Act, action: Crash) -> Reply:
    """Dice for every full 3 in on the vehicle and on all that it touches.

    Rules: CB-VEH-21 to CB-VEH-27, CB-VEH-54.
    """
    row = act.encounter.model(action.vehicle)
    act.require_model(row)
    vehicle = fighter(act.encounter, row)
    require_between(action.inches, 0, FARTHEST, "Inches")
    if not collides(vehicle, action.inches, out_of_control=action.wild):
        half = vehicle.profile.mv / 2
        raise Forbidden(f"{vehicle.name} collides after {half:g} in or more.", "CB-VEH-21")
    if not action.struck and not action.sure:
        others = [one for one in fighters(act.encounter) if one.id != vehicle.id and not one.count(RIDES)]
        menu = Menu("Whom does it touch?", action, "struck", model_choices(others), 1, min(10, len(others)))
        none = Button("Terrain only", replace(action, sure=True), "main")
        said = f"{vehicle.name} runs into something after {action.inches:g} in."
        return Reply((said, "Models too?"), private=True, buttons=(none,), menus=(menu,))
    struck = [fighter(act.encounter, act.encounter.model(number)) for number in action.struck]
    hits = act.roll(
        collide,
        action.inches,
        Faller.of(vehicle),
        tuple(Faller.of(one) for one in struck),
        absorbed=absorbed_dice(vehicle, ramming=action.ram),
    )
    telling = Telling()
    wound(act, telling, vehicle, hits.mover, "by the collision")
    size = vehicle_move.size_of(vehicle.profile.size)
    for one, wounds in zip(struck, hits.struck, strict=True):
        wound(act, telling, one, wounds)
        if pushes_through(size, one.profile.size):
            pushed = after_push(one, wounds)
            act.encounter.apply(pushed)
            telling.lines += [f"{one.name} is pushed aside, prone."] if pushed else []
    number = distance_dice(action.inches)
    return finish(act, telling, [f"{times(number, 'die', 'dice')} for {action.inches:g} in, no shields"])


# ------------------------------------------------------------------------------------------- passengers


@handles(Board)
def boards(act: Act, action: Board) -> Reply:
    """At a complete stop. Rules: CB-VEH-04, CB-VEH-05."""
    vehicle, passenger = named(act, action.vehicle), own(act, action.passenger)
    if vehicle.side != passenger.side:
        raise InvalidInput(f"{vehicle.name} is of another crew.")
    act.canonical = replace(action, vehicle=ref(vehicle), passenger=ref(passenger))
    now, _ = moved(act.encounter.model(vehicle.id), vehicle_turn(act))
    aboard = riders(act.encounter, vehicle.id)
    with act.overridable():
        if passenger.count(RIDES):
            raise Forbidden(f"{passenger.name} rides already.", "CB-VEH-05")
        vehicle_move.require_boarding(vehicle, passenger, aboard, action.capacity or 4, moving=now > 0)
    act.encounter.model(passenger.id).counters[RIDES] = vehicle.id
    return finish(act, Telling([f"{passenger.name} gets into {vehicle.name}."]))


@handles(Alight)
def alights(act: Act, action: Alight) -> Reply:
    """Free at a stop; off a moving vehicle it is a fall over what was moved. Rules: CB-VEH-05, CB-VEH-06."""
    passenger = own(act, action.passenger)
    act.canonical = Alight(ref(passenger))
    number = passenger.count(RIDES)
    if not number:
        raise Forbidden(f"{passenger.name} rides in nothing.", "CB-VEH-01")
    vehicle = act.encounter.model(number)
    now, _ = moved(vehicle, vehicle_turn(act))
    set_counter(act.encounter.model(passenger.id).counters, RIDES, 0)
    telling = Telling([f"{passenger.name} leaves {vehicle.name}."])
    if not now:
        return finish(act, telling)
    tough = passenger.has_feature("tough")
    wounds = act.roll(vehicle_move.leap_off, now, passenger.defense, tough)
    telling.lines = []
    wound(act, telling, again(act, passenger), wounds, f"leaping off {vehicle.name}")
    return finish(act, telling, [f"{times(distance_dice(now), 'die', 'dice')} for {now:g} in, no shields"])
