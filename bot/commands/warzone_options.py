"""Options that the commands of Ultimate Warzone share."""

from __future__ import annotations

from typing import Literal, TypeAlias

from bot.commands.options import Choices, It, choices, encounter_of, model_chosen
from bot.games.warzone.units import model_of, squads_of
from bot.table.names import suggestions
from rules.systems.warzone.profile import BANDS
from rules.systems.warzone.tables import TERRAINS, obstacles

SYSTEM = "warzone"

Cover: TypeAlias = Literal[
    "none",
    "obscured",
    "soft",
    "hard",
    "impenetrable",
    "obscured+soft",
    "obscured+hard",
    "soft+hard",
    "obscured+soft+hard",
]


async def carried_weapon(interaction: It, typed: str) -> Choices:
    """Weapons of the model that was chosen first."""
    found = await model_chosen(interaction, SYSTEM, "firer", "attacker")
    weapons = model_of(*found).profile.weapons if found else ()
    return choices(suggestions(typed, [weapon.name for weapon in weapons]))


async def any_squad(interaction: It, typed: str) -> Choices:
    """Units in play."""
    encounter = await encounter_of(interaction, SYSTEM)
    return choices(suggestions(typed, [squad.name for squad in squads_of(encounter)])) if encounter else []


async def model_list(interaction: It, typed: str) -> Choices:
    """Models with commas between them: what was typed, and the next one."""
    encounter = await encounter_of(interaction, SYSTEM)
    if encounter is None:
        return []
    before, _, last = typed.rpartition(",")
    head = f"{before.strip()}, " if before.strip() else ""
    names = [model.name for model in encounter.models() if model.name not in head]
    return choices(head + name for name in suggestions(last, names))


async def reach(interaction: It, typed: str) -> Choices:
    """Range bands."""
    return choices(suggestions(typed, BANDS))


async def terrain_kinds(interaction: It, typed: str) -> Choices:
    """What ground there is."""
    return choices(suggestions(typed, TERRAINS))


async def obstacle_kinds(interaction: It, typed: str) -> Choices:
    """What can be shot to pieces."""
    return choices(suggestions(typed, [each.name for each in obstacles().values()]))
