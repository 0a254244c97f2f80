"""What is suggested in Ultimate Warzone's fields: squads, bands, grounds."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.warzone.core.units import squads_of
from bot.table.asking.kinds import Asking
from rules.systems.warzone.profile import BANDS
from rules.systems.warzone.tables import TERRAINS


def _runs(asking: Asking) -> bool:
    return asking.act.has_encounter and asking.act.encounter.row.system == "warzone"


def any_squad(asking: Asking) -> Sequence[str]:
    """Units in play."""
    return [squad.name for squad in squads_of(asking.act.encounter)] if _runs(asking) else []


def reach(asking: Asking) -> Sequence[str]:
    """Range bands."""
    return BANDS


def terrain_kinds(asking: Asking) -> Sequence[str]:
    """What ground there is."""
    return tuple(TERRAINS)
