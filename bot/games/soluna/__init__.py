"""sol'una at the table. `GAME` is what the bot knows of it; importing this registers its handlers."""

from bot.games.soluna import (
    attack_actions,
    battle_sheet,
    board_actions,
    close_actions,
    flip_actions,
    look_actions,
    model_actions,
    move_actions,
)
from bot.games.soluna.game import Soluna
from bot.table.asking.descriptions import group

GAME = Soluna()

group("sol", "sol'una", whole_game=True)
group("sol board", "The board")
group("sol model", "Profiles and values")

HANDLER_MODULES = (
    battle_sheet,
    attack_actions,
    board_actions,
    close_actions,
    flip_actions,
    look_actions,
    move_actions,
    model_actions,
)
"""Modules that register their handlers when they are imported."""

__all__ = ["GAME", "HANDLER_MODULES"]
