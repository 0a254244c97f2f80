"""sol'una at the table. `GAME` is what the bot knows of it; importing this registers its handlers."""

from bot.games.soluna import (
    attack_play,
    battle_sheet,
    board_play,
    close_play,
    fall_play,
    flip_play,
    look_play,
    lucky,
    move_play,
    roster_play,
)
from bot.games.soluna.game import Soluna
from bot.table.asking.groups import group

GAME = Soluna()

group("sol", "sol'una", whole_game=True)
group("sol board", "The board")
group("sol model", "Profiles and values")

HANDLER_MODULES = (
    battle_sheet,
    attack_play,
    board_play,
    close_play,
    fall_play,
    flip_play,
    look_play,
    lucky,
    move_play,
    roster_play,
)
"""Modules that register their handlers when they are imported."""

__all__ = ["GAME", "HANDLER_MODULES"]
