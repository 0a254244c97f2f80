"""Frac'd Earth at the table. `GAME` is what the bot knows of it; importing it registers handlers."""

from bot.games.fracd_earth import (
    activation_actions,
    area_actions,
    area_resolution,
    attack_actions,
    attack_results,
    battle_sheet,
    check_actions,
    detect_actions,
    edge_actions,
    hand_actions,
    hand_panel,
    move_actions,
    players,
    roster_actions,
    turn_actions,
)
from bot.games.fracd_earth.game import FracdEarth
from bot.table.asking.descriptions import group

GAME = FracdEarth()

group("fe", "Frac'd Earth", whole_game=True)
group("fe figure", "Crew Cards")
group("fe house", "House rules: the deck, the Effects Table and Morphs")

HANDLER_MODULES = (
    battle_sheet,
    activation_actions,
    attack_actions,
    area_actions,
    area_resolution,
    check_actions,
    move_actions,
    attack_results,
    detect_actions,
    hand_panel,
    hand_actions,
    players,
    roster_actions,
    edge_actions,
    turn_actions,
)
"""Modules that register their handlers when they are imported."""

__all__ = ["GAME", "HANDLER_MODULES"]
