"""Ultimate Warzone at the table. `GAME` is what the bot knows of it; importing it registers handlers."""

from bot.games.warzone import (
    amok_play,
    battle_sheet,
    blast_play,
    break_play,
    chart_play,
    check_play,
    dire_play,
    fight_play,
    hand_play,
    jump_play,
    lucky,
    move_play,
    nerve_play,
    power_play,
    rally_play,
    rampage_play,
    roster_play,
    shoot_play,
    spot_play,
    squad_play,
    template_play,
    turn_play,
    vehicle_play,
    wait_play,
)
from bot.games.warzone.game import Warzone
from bot.table.asking.groups import group

GAME = Warzone()

group("wz", "Ultimate Warzone", whole_game=True)
group("wz model", "Models, squads and their marks")
group("wz state", "What the table saw")
group("wz check", "Distances, without a roll")

HANDLER_MODULES = (
    battle_sheet,
    amok_play,
    blast_play,
    break_play,
    chart_play,
    check_play,
    dire_play,
    fight_play,
    hand_play,
    jump_play,
    lucky,
    move_play,
    nerve_play,
    power_play,
    rally_play,
    rampage_play,
    roster_play,
    shoot_play,
    spot_play,
    squad_play,
    template_play,
    turn_play,
    vehicle_play,
    wait_play,
)
"""Modules that register their handlers when they are imported."""

__all__ = ["GAME", "HANDLER_MODULES"]
