"""Blades at the table. `GAME` is what the bot knows of it; importing it registers its handlers."""

from bot.games.blades import strike_play
from bot.games.blades.game import Blades

from bot.table.asking.descriptions import group

GAME = Blades()

group("blades", "Blades", whole_game=True)

HANDLER_MODULES = (strike_play,)
"""Modules that register their handlers when they are imported."""

__all__ = ["GAME", "HANDLER_MODULES"]
