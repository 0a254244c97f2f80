"""Infinity at the table. `GAME` is what the bot knows of it; importing this registers its handlers."""

from bot.games.infinity import (
    attack_actions,
    battle_sheet,
    hiding_actions,
    movement_actions,
    order_resolution,
    profile_actions,
    reaction_actions,
    recovery_actions,
    roll_actions,
    search_actions,
    shot_drafts,
    turn_actions,
)
from bot.games.infinity.game import Infinity
from bot.table.asking.descriptions import group

GAME = Infinity()

group("inf", "Infinity: Orders, attacks and AROs", whole_game=True)
group("inf model", "Your own profiles and Combat Groups")

HANDLER_MODULES = (
    attack_actions,
    battle_sheet,
    hiding_actions,
    movement_actions,
    order_resolution,
    profile_actions,
    reaction_actions,
    recovery_actions,
    roll_actions,
    search_actions,
    shot_drafts,
    turn_actions,
)
"""Modules that register their handlers when they are imported."""

__all__ = ["GAME", "HANDLER_MODULES"]
