"""What is suggested in fields of this room: Maneuvers, and what may carry somebody."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.counterblast.core.fighters import fighter
from bot.games.counterblast.vehicles.vehicle_marks import CARRIES
from bot.store.rows import ModelRow
from bot.table.asking.kinds import Asking
from bot.table.asking.offering import completing, own_model, such
from bot.table.encounter import Encounter
from rules.systems.counterblast.core.library import load


def _maneuvers(asking: Asking) -> Sequence[str]:
    return [note.name for note in load().maneuvers]


maneuvers = completing(_maneuvers)
"""Maneuvers with commas between them."""


def _may_carry(encounter: Encounter, row: ModelRow) -> bool:
    """Whether it is a vehicle, or carries others all the same: as agreed once, or let pass."""
    model = fighter(encounter, row)
    return model.profile.is_vehicle or model.has_feature("transport") or row.counters.get(CARRIES, 0) > 0


vehicles = such(
    _may_carry,
    "Nothing here carries anybody.",
    "CB-VEH-05",
    own_model,
)
