"""Counterblast at the table. `GAME` is what the bot knows of it; importing this registers its handlers."""

from bot.games.counterblast import (
    bag_play,
    casualty_play,
    check_play,
    shoot_play,
    template_play,
    upkeep_play,
)
from bot.games.counterblast.game import Counterblast

GAME = Counterblast()

HANDLER_MODULES = (
    bag_play,
    casualty_play,
    check_play,
    shoot_play,
    template_play,
    upkeep_play,
)
"""Modules that register their handlers when they are imported."""

__all__ = ["GAME", "HANDLER_MODULES"]
