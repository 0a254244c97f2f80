"""Options that the commands of Counterblast share."""

from __future__ import annotations

from discord import app_commands

from bot.commands.options import Choices, It, choices, encounter_of
from bot.games.counterblast.fighters import fighter
from bot.table.names import suggestions
from rules.refusals import InvalidInput

Inches = app_commands.Range[float, 0, 200]
Cover = app_commands.Range[int, 0, 3]
Dice = app_commands.Range[int, 1, 30]


async def carried_weapon(interaction: It, typed: str) -> Choices:
    """Weapons of the model that was chosen first."""
    encounter = await encounter_of(interaction)
    options = interaction.namespace
    name = next(
        (getattr(options, key, "") for key in ("shooter", "attacker", "model") if hasattr(options, key)), ""
    )
    if encounter is None or not name:
        return []
    try:
        model = fighter(encounter, encounter.find_model(name))
    except InvalidInput:
        return []
    return choices(suggestions(typed, [weapon.name for weapon in model.weapons]))
