"""State of Infinity: the turn, each side's Orders, and each model's debts.

Secrets and the Order under way are rows of their own: see `concealment` and `order_rows`.
"""

from __future__ import annotations

from enum import StrEnum

from bot.table.encounter import OVER, EncounterView
from bot.table.state import Flag, Number, State, Table
from rules.counters import CounterName
from rules.systems.infinity.orders import IRREGULAR_ORDERS, LIEUTENANT_ORDERS, REGULAR_ORDERS

GROUP_COUNTER = CounterName("group")
"""Key of a model's Combat Group, which a veil keeps too."""


class EncounterState(State):
    """The game as a whole. Sides are told by their numbers."""

    active_side = Number("active side", "Side whose Active Turn it is, or 0 before the first turn.")
    initiative_winner = Number("initiative", "Side that won the Initiative Roll, or 0 before the roll.")
    first_side = Number("first side", "Side that plays first, or 0 until that is decided.")
    is_over = Flag(OVER, "The last turn is over.")
    turns_played = Number("turns played", "Player turns that are over in this round.")


class Appointment:
    """Values of `SideState.appointment`."""

    NONE, NOW, AFTER_TURN = range(3)


class SideState(State):
    """One side: its army and its Orders."""

    army_points = Number("army points", "Total Cost of the army it started with, in points.")
    army_counted = Flag("army counted", "Its points are counted, so everyone sees what joins it now.")
    in_retreat = Flag("retreat", "It is in Retreat! since its last Tactical Phase.")
    lost_lieutenant = Flag("loss of lieutenant", "It is in Loss of Lieutenant since its last Tactical Phase.")
    strategos_unused = Flag("no strategos", "It doesn't use Strategos at the next Order count.")
    appointment = Number("may appoint", "When it can choose a new Lieutenant (`Appointment`).")
    regular_orders = Table(REGULAR_ORDERS, "Regular Orders left, by Combat Group.")
    lieutenant_order = Flag(LIEUTENANT_ORDERS, "The Special Lieutenant Order is unspent.")

    def count_army(self, points: int) -> None:
        """Note what the army costs."""
        self.army_points, self.army_counted = points, True


class Fallen:
    """Values of `ModelState.fall`."""

    NOT, WAS_DOWN, STOOD = range(3)


class ModelState(State):
    """One figure or Marker."""

    kept_group = Number(GROUP_COUNTER, "Its Combat Group, or 0 for the first.")
    own_order = Flag(IRREGULAR_ORDERS, "Its own Irregular Order is unspent.")
    guts_wip = Number("guts owed", "WIP of the Guts Roll it must make after the last Order, or 0.")
    guts_failed = Flag("guts failed", "It failed that Guts Roll and moves to safety or goes Prone.")
    fall = Number("fall open", "It has just gone down and its player chooses what it does (`Fallen`).")
    fall_guts_wip = Number("fall guts", "WIP of the Guts Roll it must make if it keeps acting.")
    fall_entry = Number(
        "fall entry", "Number of the entry in which it went down, which starts its player's time."
    )

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

    GUTS = "make a Guts Roll for {}"
    FALL = "choose whether {} stays down"


def kept_group(number: int) -> int:
    """Return how a Combat Group is kept: the first as 0."""
    return number if number > 1 else 0


def encounter_state(encounter: EncounterView) -> EncounterState:
    """Return the state of the game."""
    return EncounterState(encounter.row)


def side_state(encounter: EncounterView, side: int) -> SideState:
    """Return the state of a side by its number. Raises InvalidInput if there is none."""
    return SideState(encounter.side(side))


def model_state(encounter: EncounterView, model: int) -> ModelState:
    """Return the state of a model by its number. Raises InvalidInput if there is none."""
    return ModelState(encounter.model(model))
