"""Passengers at the table: getting in and on, getting out, leaping off while the vehicle moves."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.core.common import again
from bot.games.counterblast.core.fields import friend, who
from bot.games.counterblast.core.narration import FinishingOften, Telling, add_wounds, finish, wound_chances
from bot.games.counterblast.core.wording import reasons
from bot.games.counterblast.state.sight import forget_sightings
from bot.games.counterblast.state.table_state import ModelState
from bot.games.counterblast.state.vehicles import is_in_motion, list_riders, read_inches_moved, vehicles
from bot.replies.reply import Reply
from bot.store.rows import ModelRow
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.encounter import set_counter
from bot.table.handlers import handles
from bot.table.steps import Chances, in_steps
from bot.table.throw_purposes import Whose
from rules.dice import Dice
from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.counterblast import vehicle_rules
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.general import distance_dice
from rules.wording import times

DEFAULT_CAPACITY = 4
"""Passengers of a vehicle until people agree on a number."""


@dataclass(frozen=True, slots=True)
class Board(Action):
    """Get into or onto a vehicle.

    capacity: how many the vehicle carries, as agreed, or 0 for the last number.
    """

    command = "cb.veh.board"
    typed = "vehicle board"
    titled = "Get in"
    done_by = "passenger"

    vehicle: Fighter = friend("Vehicle", names=vehicles, needed=True, called="model")
    passenger: Fighter = who()
    capacity: int = fields.whole("Number of models the vehicle can carry", 1, 20, default=0)


@dataclass(frozen=True, slots=True)
class Alight(Action):
    """Get out of a vehicle, or leap off while it moves.

    inches: driven before it leaps off on the way, or 0 for the vehicle's present place.
    """

    command = "cb.veh.out"
    typed = "vehicle leave"
    titled = "Get out"

    passenger: Fighter = who(called="model")
    inches: float = fields.inches(
        "Distance driven before the leap (inches, default: the whole path)",
        0.0,
        200.0,
        default=0.0,
        checked=True,
        fact=True,
    )
    odds: bool = fields.odds()


@handles(Board)
def board_vehicle(act: Act, action: Board) -> Reply:
    """Board a vehicle at a complete stop. One that once carries passengers is a Transport from then on.

    Rules: CB-VEH-04, CB-VEH-05, CB-FEAT-64.
    """
    vehicle, passenger = action.vehicle, action.passenger
    if vehicle.side != passenger.side:
        raise InvalidInput(f"{passenger.name} can't get into {vehicle.name}, which belongs to another crew.")
    row = act.encounter.model(vehicle.id)
    agreed_capacity = ModelState(row).passengers
    capacity = action.capacity or agreed_capacity or DEFAULT_CAPACITY
    if agreed_capacity:
        vehicle = replace(vehicle, extra_features=vehicle.extra_features | {"transport"})
    passengers_aboard = list_riders(act.encounter, vehicle.id)
    if passenger.count(Counter.RIDES):
        raise Forbidden(f"{passenger.name} is already in a vehicle.", "CB-VEH-05")
    if passenger.is_engaged:
        forbid(f"{passenger.name} is engaged. It can Fight or Disengage.", "CB-ACT-10")
    is_moving = is_in_motion(row, max(1, act.encounter.row.turn))
    vehicle_rules.require_boarding(vehicle, passenger, passengers_aboard, capacity, moving=is_moving)
    if not vehicle.profile.is_cavalry or vehicle.has_feature("transport"):
        ModelState(row).passengers = capacity
    act.encounter.model(passenger.id).counters[Counter.RIDES] = vehicle.id
    forget_sightings(act.encounter, passenger.id)
    verb = "mounts" if vehicle.profile.is_cavalry else "gets into"
    telling = Telling([f"{passenger.name} {verb} {vehicle.name}."])
    if ModelState(row).passengers:
        telling.lines.append(f"Passengers aboard: {len(passengers_aboard) + 1} of {capacity}.")
    return finish(act, telling)


@dataclass(frozen=True, slots=True)
class ReadyToAlight:
    """The passenger that leaves, its vehicle, and the inches."""

    passenger: Fighter
    vehicle: str
    inches: float

    @property
    def number(self) -> int:
        """Return the dice on it."""
        return distance_dice(self.inches)

    @property
    def dice(self) -> str:
        """Return the same, in words."""
        dice = f"{times(self.number, 'die', 'dice')} against Defense {self.passenger.defense}"
        return f"{dice}, because the vehicle moved {self.inches:g} in (no shields)"


@in_steps(Alight)
class Alighting(FinishingOften[Alight, ReadyToAlight, int]):
    """Free at a stop; off a moving vehicle it is a fall over what was moved. Rules: CB-VEH-05, CB-VEH-06."""

    label = "Get out"

    def prepare(self, act: ActView, action: Alight) -> ReadyToAlight:
        passenger = action.passenger
        vehicle_id = passenger.count(Counter.RIDES)
        if not vehicle_id:
            raise Forbidden(f"{passenger.name} is not in a vehicle.", "CB-VEH-01")
        vehicle = act.encounter.model(vehicle_id)
        return ReadyToAlight(passenger, vehicle.name, _measure_leap(act, vehicle, action))

    def thrown(self, act: Act, action: Alight, ready: ReadyToAlight) -> int:
        if not ready.inches:
            return 0
        cause = f"from leaping off {ready.vehicle} after it moved {ready.inches:g} in"
        return act.roll(Whose(ready.passenger.name, "damage", cause), _roll_leap, ready)

    def settle(self, act: Act, action: Alight, ready: ReadyToAlight, outcome: int) -> Telling:
        passenger = ready.passenger
        set_counter(act.encounter.model(passenger.id).counters, Counter.RIDES, 0)
        forget_sightings(act.encounter, passenger.id)
        if not ready.inches:
            return Telling([f"{passenger.name} gets out of {ready.vehicle}."])
        fall_dice = [Modifier(ready.number, f"{ready.inches:g} in", "CB-VEH-06")]
        telling = Telling(why=reasons(f"Dice against {passenger.name}", fall_dice), dice=[ready.dice])
        add_wounds(act, telling, again(act, passenger), outcome, f"from leaping off {ready.vehicle}")
        return telling

    def chances(self, act: ActView, action: Alight, ready: ReadyToAlight) -> Chances:
        head = f"{ready.passenger.name} leaves {ready.vehicle}"
        return wound_chances(ready.passenger, act.solve(_roll_leap, ready), head, ready.dice)


def _roll_leap(dice: Dice, ready: ReadyToAlight) -> int:
    fighter = ready.passenger
    return vehicle_rules.leap_off(dice, ready.inches, fighter.defense, fighter.has_feature("tough"))


def _measure_leap(act: ActView, vehicle: ModelRow, action: Alight) -> float:
    """Inches that count as a fall: none at a stop, else what was moved this turn. Rules: CB-VEH-06."""
    turn = max(1, act.encounter.row.turn)
    inches_driven, _ = read_inches_moved(vehicle, turn)
    if action.inches > inches_driven:
        driven_text = f"has driven only {inches_driven:g} in" if inches_driven else "hasn't driven"
        raise InvalidInput(
            f"Enter at most {inches_driven:g} in, because {vehicle.name} {driven_text} this turn "
            f"(you entered {action.inches:g} in)."
        )
    return action.inches or (inches_driven if is_in_motion(vehicle, turn) else 0.0)
