"""Frac'd Earth at the table. `GAME` is what the bot knows of it; importing it registers handlers."""

from bot.games.fracd_earth import (
    activation_play,
    ally_drafts,
    area_play,
    attack_play,
    avoid_play,
    battle_sheet,
    caught_play,
    check_play,
    contact_play,
    counter_play,
    detect_play,
    hand_drafts,
    hand_play,
    harm_play,
    late_play,
    lucky,
    move_play,
    odds_play,
    result_play,
    roster_play,
    spend_play,
    turn_play,
)
from bot.games.fracd_earth.game import FracdEarth
from bot.table.asking.groups import group

GAME = FracdEarth()

group("fe", "Frac'd Earth", whole_game=True)
group("fe figure", "Crew Cards")
group("fe house", "Deck and tables of this game")

HANDLER_MODULES = (
    battle_sheet,
    activation_play,
    ally_drafts,
    area_play,
    attack_play,
    avoid_play,
    caught_play,
    check_play,
    contact_play,
    counter_play,
    detect_play,
    hand_drafts,
    hand_play,
    harm_play,
    late_play,
    lucky,
    move_play,
    odds_play,
    result_play,
    roster_play,
    spend_play,
    turn_play,
)
"""Modules that register their handlers when they are imported."""

__all__ = ["GAME", "HANDLER_MODULES"]
