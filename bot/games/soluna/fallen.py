"""Blows struck at the same time: who falls in a melee before its own Action may still strike back.

What the model was is kept in a thing row until the phase ends. Rules: SU-MELEE-01.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from bot.games.soluna.common import now, settings
from bot.games.soluna.ground import add_thing, board_of, facing_of, packed, square_of, things
from bot.games.soluna.state import FallenState, state_of
from bot.games.soluna.strikes import Strike
from bot.store.rows import ThingRow
from bot.table.act import Act
from bot.table.encounter import Encounter
from rules.effects import Effect, Gain, Leave
from rules.systems.soluna.board import Board
from rules.systems.soluna.geometry import Facing
from rules.systems.soluna.melee import still_strikes
from rules.systems.soluna.models import Condition, Model

FELL = "fell"
"""Kind of the rows."""


def note_fall(act: Act, strike: Strike, before: Model, effects: Sequence[Effect]) -> bool:
    """Keep what a model was that an attack in melee puts out of action; whether it may still strike."""
    falls = any(
        isinstance(effect, Leave) or (isinstance(effect, Gain) and effect.condition == Condition.UNCONSCIOUS)
        for effect in effects
    )
    row = act.encounter.model(before.id)
    square = square_of(row)
    acted = state_of(before).acted_phase == now(act)
    if not falls or square is None or strike.attacker == before.id:
        return False
    if not still_strikes(
        fell_now=True, in_melee_with_striker=strike.melee, acted=acted, settings=settings(act)
    ):
        return False
    kept = {
        "square": list(square),
        "facing": facing_of(row).name,
        "conditions": sorted([kind, value] for kind, value in before.conditions),
        "counters": dict(before.counters),
    }
    state = FallenState(add_thing(act.encounter, FELL, row.name, packed(kept)))
    state.model, state.striker = before.id, strike.attacker
    return True


def fallen(encounter: Encounter, model: int) -> ThingRow | None:
    """The row of a model that fell in this phase and may still strike."""
    return next((row for row in things(encounter, FELL) if FallenState(row).model == model), None)


def as_it_was(encounter: Encounter, row: ThingRow, after: Model) -> tuple[Model, Board]:
    """The model as it was before it fell, and the board with it on its square."""
    kept = json.loads(row.content)
    conditions = frozenset((kind, value) for kind, value in kept["conditions"])
    model = Model(
        after.id, after.name, after.side, after.profile, conditions, tuple(kept["counters"].items())
    )
    x, y = kept["square"]
    return model, board_of(encounter).place(model.piece((x, y), Facing[kept["facing"]]))


def forget_fallen(encounter: Encounter) -> None:
    """The phase is over."""
    for row in things(encounter, FELL):
        encounter.book.remove(row)
