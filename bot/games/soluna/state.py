"""What a game of sol'una keeps: the phase, each model's square and turn, and the things on the board."""

from __future__ import annotations

from bot.table.encounter import Encounter
from bot.table.state import Number, State, Table
from rules.systems.soluna.models import LOST, LOST_ITEM, Counter, Model


class EncounterState(State):
    """The game as a whole."""

    phase = Number("phase", "Phase of the turn, from 1; 0 before the game begins.")


class ModelState(State):
    """One model. Phases are counted from the start of the game."""

    column = Number("x", "Column on the board, from 1 in the west; 0 when the model is off the board.")
    row = Number("y", "Row on the board, from 1 in the south; 0 when the model is off the board.")
    facing = Number("looks", "Direction it faces: 1 north, 2 east, 3 south, 4 west.")
    place = Number("order", "Place in the order of Actions of this phase, from 1; 0 without one.")
    passed = Number("passed", "The last phase in which it gave up its Action.")
    combat_points = Number(Counter.POINTS, "Combat points left.")
    forced = Number(Counter.FORCED, "Actions that something forces on it.")
    acted_turn = Number(Counter.TURN, "The last turn in which it acted.")
    acted_phase = Number(Counter.ACTED, "The last phase in which it acted.")
    doing = Number(Counter.DOING, "The kind of Action it took in that phase (`Doing`).")
    weapon_used = Number(
        Counter.WEAPON, "The weapon it used in that phase, by its place in the profile from 1."
    )
    moved_phase = Number(Counter.MOVED, "The last phase in which it moved.")
    run = Number(Counter.RUN, "Squares it has run in a straight line.")
    speed_spent = Number(Counter.SPENT, "Speed spent in that phase, in squares.")
    lost = Table(LOST, "Points lost, by location.")
    lost_of_items = Table(LOST_ITEM, "Health lost by carried things, by place: weapons first, then items.")


class ObjectState(State):
    """An object on the board."""

    body = Number("body", "Body left.")
    whole_body = Number("whole", "Body it had at first.")


class ArtifactState(State):
    """An Artifact on the board."""

    health = Number("health", "Health left; 0 when it is ruined.")


class CloudState(State):
    """A cloud on the board."""

    placed = Number("placed", "The phase in which it was placed.")
    life = Number("life", "How many phases it stays.")


class PulseState(State):
    """A pulse that spreads over the board."""

    set_off = Number("set off", "The phase in which it was set off.")


class FallenState(State):
    """A model as it was before a blow of the same moment took it down."""

    model = Number("model", "The model, by its number.")
    striker = Number("striker", "The model that struck it, by its number.")


def encounter_state(encounter: Encounter) -> EncounterState:
    """Return the state of the game."""
    return EncounterState(encounter.row)


def model_state(encounter: Encounter, model: int) -> ModelState:
    """Return the state of a model by its number. Raises InvalidInput if there is none."""
    return ModelState(encounter.model(model))


def state_of(model: Model) -> ModelState:
    """Return the state of a model as the rules see it, to be read and not written."""
    return ModelState.of_counters(dict(model.counters))
