"""Ultimate Warzone at the table. `GAME` is what the bot knows of it; importing it registers handlers."""

from bot.games.warzone import (
    attacks,
    battle_sheet,
    blast_actions,
    break_away_actions,
    chart_actions,
    close_combat_actions,
    duties,
    jump_actions,
    morale_actions,
    move_actions,
    power_actions,
    rally_actions,
    roster_actions,
    shooting_actions,
    squad_actions,
    template_actions,
    turn_actions,
    unhinged_actions,
    unit_actions,
    vehicle_actions,
    waiting_actions,
)
from bot.games.warzone.game import Warzone
from bot.table.asking.descriptions import group

GAME = Warzone()

group("wz", "Ultimate Warzone", whole_game=True)
group("wz model", "Models, squads and vehicles")
group("wz state", "Record what happens to models")
group("wz check", "Check distances without a roll")

HANDLER_MODULES = (
    attacks,
    battle_sheet,
    blast_actions,
    break_away_actions,
    chart_actions,
    close_combat_actions,
    duties,
    jump_actions,
    morale_actions,
    move_actions,
    power_actions,
    rally_actions,
    roster_actions,
    shooting_actions,
    squad_actions,
    template_actions,
    turn_actions,
    unhinged_actions,
    unit_actions,
    vehicle_actions,
    waiting_actions,
)
"""Modules that register their handlers when they are imported."""

__all__ = ["GAME", "HANDLER_MODULES"]
