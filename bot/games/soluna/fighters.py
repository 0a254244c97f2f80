"""From the table's rows to what the rules of sol'una look at: models, the clock, the readings chosen."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from bot.games.soluna.state import encounter_state
from bot.store.rows import ModelRow
from bot.table.encounter import Encounter
from rules.effects import Count, Effect, Harm
from rules.systems.soluna.board import Facing
from rules.systems.soluna.models import LOST, Clock, Model
from rules.systems.soluna.profile import Profile, read_profile

SYSTEM = "soluna"
"""The game's key."""

FACINGS = (Facing.NORTH, Facing.EAST, Facing.SOUTH, Facing.WEST)

LOST_HEALTH = LOST.of("health")
"""The rules' counter that the table keeps as a model's damage."""


@lru_cache(maxsize=1024)
def profile_of(text: str) -> Profile:
    """The profile in a model's row."""
    return read_profile(text)


def model_of(encounter: Encounter, row: ModelRow) -> Model:
    """A model in play as the rules see it; what it lost of its Health is the row's damage."""
    return encounter.worked_out((model_of, row.id), lambda: _made(encounter, row))


def _made(encounter: Encounter, row: ModelRow) -> Model:
    counters = tuple(row.counters.items())
    if row.damage:
        counters = (*counters, (LOST_HEALTH, row.damage))
    conditions = frozenset((each.kind, each.value) for each in encounter.conditions(row.id))
    return Model(row.id, row.name, row.side, profile_of(row.profile), conditions, counters)


def models_of(encounter: Encounter, side: int = 0) -> list[Model]:
    """All models in play, of one side if given."""
    everybody = encounter.worked_out(Model, lambda: [model_of(encounter, row) for row in encounter.models()])
    return [model for model in everybody if not side or model.side == side]


def as_the_table_keeps(effects: Iterable[Effect]) -> list[Effect]:
    """Effects with Health lost written as damage."""
    return [
        Harm(effect.id, effect.amount) if isinstance(effect, Count) and effect.key == LOST_HEALTH else effect
        for effect in effects
    ]


def clock_of(encounter: Encounter) -> Clock:
    """Turn and phase; before the game both are those of its beginning."""
    return encounter.worked_out(
        Clock, lambda: Clock(max(1, encounter.row.turn), max(1, encounter_state(encounter).phase))
    )
