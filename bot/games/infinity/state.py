"""What a game of Infinity keeps: the turn, each side's Orders, what each model owes.

Secrets and the Order under way are rows of their own: see `concealment` and `order_rows`.
"""

from __future__ import annotations

from enum import StrEnum

from bot.table.encounter import OVER, Encounter
from bot.table.state import Flag, Number, State, Table
from rules.counters import CounterName
from rules.systems.infinity.orders import IRREGULAR_ORDERS, LIEUTENANT_ORDERS, REGULAR_ORDERS

GROUP = CounterName("group")
"""Key of a model's Combat Group, which a veil keeps too."""


class EncounterState(State):
    """The game as a whole. Sides are told by their numbers."""

    active_side = Number("active side", "Side whose Active Turn it is; 0 before the first turn.")
    initiative_winner = Number("initiative", "Side that won the Initiative Roll; 0 before it.")
    first_side = Number("first side", "Side that plays first; 0 until that is decided.")
    is_over = Flag(OVER, "The last turn is over.")
    turns_played = Number("turns played", "Player turns that are over in this round.")


class Appointment:
    """Values of `SideState.appointment`."""

    NONE, NOW, AFTER_TURN = range(3)


class SideState(State):
    """One side: its army and its Orders."""

    army_points = Number("army points", "Cost of all that it came with, in points.")
    army_counted = Flag("army counted", "Its points are counted: what joins it now is seen by everybody.")
    in_retreat = Flag("retreat", "Its last Tactical Phase found Retreat!.")
    lost_lieutenant = Flag("loss of lieutenant", "Its last Tactical Phase found Loss of Lieutenant.")
    strategos_unused = Flag("no strategos", "It leaves Strategos unused at the next count.")
    appointment = Number("may appoint", "Whether it may name a new Lieutenant (`Appointment`).")
    regular_orders = Table(REGULAR_ORDERS, "Regular Orders left, by Combat Group.")
    lieutenant_order = Flag(LIEUTENANT_ORDERS, "The Special Lieutenant Order is left.")

    def count_army(self, points: int) -> None:
        """Note what the army costs."""
        self.army_points, self.army_counted = points, True


class Fallen:
    """Values of `ModelState.fall`."""

    NOT, WAS_DOWN, STOOD = range(3)


class ModelState(State):
    """One figure or Marker."""

    kept_group = Number(GROUP, "Its Combat Group; 0 stands for the first.")
    own_order = Flag(IRREGULAR_ORDERS, "Its own Irregular Order is left.")
    guts_wip = Number("guts owed", "WIP of the Guts Roll it owes for the Order that is over; 0 if none.")
    guts_failed = Flag("guts failed", "It failed that Guts Roll: it goes to safety, or Prone.")
    fall = Number("fall open", "It has just fallen and its player chooses how it goes on (`Fallen`).")
    fall_guts_wip = Number("fall guts", "WIP of the Guts Roll it owes if it goes on after the fall.")
    fall_entry = Number("fall entry", "Number of the entry in which it fell, when its player's time begins.")

    @property
    def group(self) -> int:
        """Return its Combat Group, from 1."""
        return self.kept_group or 1

    @group.setter
    def group(self, number: int) -> None:
        self.kept_group = kept_group(number)

    def forget_fall(self) -> None:
        """Note that how it goes on after its fall is settled."""
        self.fall = self.fall_guts_wip = self.fall_entry = 0

    def forget_debts(self) -> None:
        """Note that nothing is owed for the Order that is over."""
        self.guts_wip, self.guts_failed = 0, False
        self.forget_fall()


class Debt(StrEnum):
    """What is owed before the next Order."""

    GUTS = "Guts Roll"
    FALL = "how it falls"


def kept_group(number: int) -> int:
    """Return how a Combat Group is kept: the first as 0."""
    return number if number > 1 else 0


def encounter_state(encounter: Encounter) -> EncounterState:
    """Return the state of the game."""
    return EncounterState(encounter.row)


def side_state(encounter: Encounter, side: int) -> SideState:
    """Return the state of a side by its number. Raises InvalidInput if there is none."""
    return SideState(encounter.side(side))


def model_state(encounter: Encounter, model: int) -> ModelState:
    """Return the state of a model by its number. Raises InvalidInput if there is none."""
    return ModelState(encounter.model(model))
