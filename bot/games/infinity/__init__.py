"""Infinity at the table. `GAME` is what the bot knows of it; importing this registers its handlers."""

from bot.games.infinity import (
    attack_play,
    battle_sheet,
    calc_play,
    care_play,
    hide_play,
    library_play,
    lucky,
    melee_play,
    move_play,
    react_play,
    resolve_play,
    roll_play,
    search_play,
    shot_drafts,
    troop_play,
    turn_play,
)
from bot.games.infinity.game import Infinity
from bot.table.asking.groups import group

GAME = Infinity()

group("inf", "Infinity: Orders, attacks, AROs", whole_game=True)
group("inf model", "Profiles of your own")

HANDLER_MODULES = (
    battle_sheet,
    attack_play,
    calc_play,
    care_play,
    hide_play,
    library_play,
    lucky,
    melee_play,
    move_play,
    react_play,
    resolve_play,
    roll_play,
    search_play,
    shot_drafts,
    troop_play,
    turn_play,
)
"""Modules that register their handlers when they are imported."""

__all__ = ["GAME", "HANDLER_MODULES"]
