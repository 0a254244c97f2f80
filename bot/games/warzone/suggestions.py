"""What is suggested in Ultimate Warzone's fields: squads, bands, grounds."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.warzone.units import models_of, squads_of
from bot.table.asking.kinds import Asking, Offer
from bot.table.asking.offering import friend_rows, friendly, models_offered
from rules.systems.warzone.model import Model
from rules.systems.warzone.profile import BANDS
from rules.systems.warzone.tables import TERRAINS, movements


def _is_warzone(context: Asking) -> bool:
    return context.act.has_encounter and context.act.encounter.row.system == "warzone"


def own_squads(context: Asking) -> Sequence[str]:
    """Return units in play on the side of the acting model, or of the person."""
    if not _is_warzone(context):
        return []
    return [
        squad.name for side in sorted(friendly(context)) for squad in squads_of(context.act.encounter, side)
    ]


def vehicles(context: Asking) -> Sequence[Offer]:
    """Return other vehicles on the acting side."""
    if not _is_warzone(context):
        return []
    vehicle_ids = {model.id for model in models_of(context.act.encounter) if model.vehicle}
    return models_offered(context, [row for row in friend_rows(context) if row.id in vehicle_ids])


def list_bands(context: Asking) -> Sequence[str]:
    """Suggest range bands."""
    return BANDS


def terrain_kinds(context: Asking) -> Sequence[str]:
    """Return the kinds of ground that the acting model may enter. Rules: WZ-TERR-01."""
    model = next((value for value in context.so_far.values() if isinstance(value, Model)), None)
    if model is None:
        return TERRAINS
    row = movements()[model.profile.movement]
    return [terrain for terrain in TERRAINS if row.share(terrain) != "none"]
