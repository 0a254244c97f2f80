"""State of sol'una (phase, squares, turns, things on the board), and its models in play."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from bot.store.rows import ModelRow
from bot.table.encounter import Encounter, EncounterView
from bot.table.state import Number, State, Table
from rules.effects import Count, Effect, Harm
from rules.systems.soluna.board import Facing
from rules.systems.soluna.models import LOST_ITEM_HEALTH, LOST_POINTS, Clock, Counter, Model
from rules.systems.soluna.profile import Profile, read_profile


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
    lost = Table(LOST_POINTS, "Points lost, by location.")
    lost_of_items = Table(
        LOST_ITEM_HEALTH, "Health lost by carried things, by place: weapons first, then items."
    )


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


def encounter_state(encounter: EncounterView) -> EncounterState:
    """Return the state of the game."""
    return EncounterState(encounter.row)


def model_state(encounter: Encounter, model: int) -> ModelState:
    """Return the state of a model by its number. Raises InvalidInput if there is none."""
    return ModelState(encounter.model(model))


def state_of(model: Model) -> ModelState:
    """Return the state of a model as the rules see it, to be read and not written."""
    return ModelState.of_counters(dict(model.counters))


SYSTEM = "soluna"
"""The game's key."""

FACINGS = (Facing.NORTH, Facing.EAST, Facing.SOUTH, Facing.WEST)

LOST_HEALTH = LOST_POINTS.of("health")
"""The rules' counter that the table keeps as a model's damage."""


@lru_cache(maxsize=1024)
def profile_of(text: str) -> Profile:
    """Return the profile in a model's row."""
    return read_profile(text)


def model_of(encounter: EncounterView, row: ModelRow) -> Model:
    """Return a model in play as the rules see it; what it lost of its Health is the row's damage."""
    return encounter.worked_out((model_of, row.id), lambda: _model_from_row(encounter, row))


def _model_from_row(encounter: EncounterView, row: ModelRow) -> Model:
    counters = tuple(row.counters.items())
    if row.damage:
        counters = (*counters, (LOST_HEALTH, row.damage))
    conditions = frozenset((condition.kind, condition.value) for condition in encounter.conditions(row.id))
    return Model(row.id, row.name, row.side, profile_of(row.profile), conditions, counters)


def models_of(encounter: EncounterView, side: int = 0) -> list[Model]:
    """Return all models in play, of one side if given."""
    all_models = encounter.worked_out(Model, lambda: [model_of(encounter, row) for row in encounter.models()])
    return [model for model in all_models if not side or model.side == side]


def stored_effects(effects: Iterable[Effect]) -> list[Effect]:
    """Return effects with Health lost written as damage."""
    return [
        Harm(effect.id, effect.amount) if isinstance(effect, Count) and effect.key == LOST_HEALTH else effect
        for effect in effects
    ]


def clock_of(encounter: EncounterView) -> Clock:
    """Turn and phase; before the game both are those of its beginning."""
    return encounter.worked_out(
        Clock, lambda: Clock(max(1, encounter.row.turn), max(1, encounter_state(encounter).phase))
    )
