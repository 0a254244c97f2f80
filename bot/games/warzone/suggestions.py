"""What is suggested in Ultimate Warzone's fields: weapons, squads, bands, grounds, obstacles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from bot.games.warzone.units import model_of, squads_of, weapons_for
from bot.table.asking.kinds import Asking
from bot.table.asking.offering import model_said
from rules.systems.warzone.model import Model
from rules.systems.warzone.profile import BANDS, Weapon
from rules.systems.warzone.tables import TERRAINS, obstacles


def _runs(asking: Asking) -> bool:
    return asking.act.has_encounter and asking.act.encounter.row.system == "warzone"


def carried_weapon(asking: Asking) -> Sequence[str]:
    """Weapons of the model that fires or attacks."""
    return _carried(asking, lambda model: model.profile.weapons)


def gun(asking: Asking) -> Sequence[str]:
    """Those that fire at one target."""
    return _carried(asking, partial(weapons_for, close=False))


def launcher(asking: Asking) -> Sequence[str]:
    """Those that fire templates."""
    return _carried(asking, partial(weapons_for, close=False, template=True))


def blade(asking: Asking) -> Sequence[str]:
    """Those for close combat."""
    return _carried(asking, partial(weapons_for, close=True))


def _carried(asking: Asking, fit: Callable[[Model], Iterable[Weapon]]) -> Sequence[str]:
    row = model_said(asking, "firer", "attacker")
    if row is None or not _runs(asking):
        return []
    return [weapon.name for weapon in fit(model_of(asking.act.encounter, row))]


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
