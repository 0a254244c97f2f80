"""What is suggested in Ultimate Warzone's fields: weapons, squads, bands, grounds, obstacles."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.warzone.units import model_of, squads_of
from bot.table.asking.kinds import Asking
from bot.table.asking.offering import model_said
from rules.systems.warzone.profile import BANDS
from rules.systems.warzone.tables import TERRAINS, obstacles


def _runs(asking: Asking) -> bool:
    return asking.act.has_encounter and asking.act.encounter.row.system == "warzone"


def carried_weapon(asking: Asking) -> Sequence[str]:
    """Weapons of the model that fires or attacks."""
    row = model_said(asking, "firer", "attacker")
    if row is None or not _runs(asking):
        return []
    return [weapon.name for weapon in model_of(asking.act.encounter, row).profile.weapons]


def any_squad(asking: Asking) -> Sequence[str]:
    """Units in play."""
    return [squad.name for squad in squads_of(asking.act.encounter)] if _runs(asking) else []


def reach(asking: Asking) -> Sequence[str]:
    """Range bands."""
    return BANDS


def terrain_kinds(asking: Asking) -> Sequence[str]:
    """What ground there is."""
    return tuple(TERRAINS)


def obstacle_kinds(asking: Asking) -> Sequence[str]:
    """What can be shot to pieces."""
    return [each.name for each in obstacles().values()]
