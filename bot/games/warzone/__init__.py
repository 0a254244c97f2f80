"""Ultimate Warzone at the table. `GAME` is what the bot knows of it; importing it registers handlers."""

from bot.games.warzone.core import lucky
from bot.games.warzone.game import Warzone
from bot.games.warzone.melee import break_play, fight_play
from bot.games.warzone.movement import gap_play, jump_play, move_play
from bot.games.warzone.nerves import (
    amok_play,
    chart_play,
    dire_play,
    nerve_play,
    rally_play,
    rampage_play,
    unhinged_play,
)
from bot.games.warzone.powers import backlash_play, power_play
from bot.games.warzone.roster import battle_sheet, roster_play
from bot.games.warzone.shooting import band_play, shoot_play, spot_play, terrain_play
from bot.games.warzone.templates import blast_play, template_drafts, template_play
from bot.games.warzone.turn import command_play, owed_play, squad_play, turn_play
from bot.games.warzone.vehicles import vehicle_play
from bot.games.warzone.waiting import wait_play
from bot.table.asking.groups import group

GAME = Warzone()

group("wz", "Ultimate Warzone", whole_game=True)
group("wz model", "Models, squads and their marks")
group("wz state", "What the table saw")
group("wz check", "Distances, without a roll")

HANDLER_MODULES = (
    amok_play,
    backlash_play,
    band_play,
    battle_sheet,
    blast_play,
    break_play,
    chart_play,
    command_play,
    dire_play,
    fight_play,
    gap_play,
    jump_play,
    lucky,
    move_play,
    nerve_play,
    owed_play,
    power_play,
    rally_play,
    rampage_play,
    roster_play,
    shoot_play,
    spot_play,
    squad_play,
    template_drafts,
    template_play,
    terrain_play,
    turn_play,
    unhinged_play,
    vehicle_play,
    wait_play,
)
"""Modules that register their handlers when they are imported."""

__all__ = ["GAME", "HANDLER_MODULES"]
