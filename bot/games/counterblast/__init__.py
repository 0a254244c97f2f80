"""Counterblast at the table. `GAME` is what the bot knows of it; importing this registers its handlers."""

from bot.games.counterblast import (
    answers,
    arc_play,
    bag_play,
    casualty_play,
    charge_play,
    check_play,
    climb_play,
    contact,
    disengage_play,
    fall_play,
    field_play,
    fight_play,
    fire_play,
    hide_play,
    melee_play,
    move_play,
    overwatch_play,
    score_play,
    setup_play,
    shoot_play,
    skill_play,
    strike_play,
    structure_play,
    table_play,
    task_play,
    team_play,
    template_play,
    upkeep_play,
)
from bot.games.counterblast.game import Counterblast

GAME = Counterblast()

HANDLER_MODULES = (
    answers,
    arc_play,
    bag_play,
    casualty_play,
    charge_play,
    check_play,
    climb_play,
    contact,
    disengage_play,
    fall_play,
    field_play,
    fight_play,
    fire_play,
    hide_play,
    melee_play,
    move_play,
    overwatch_play,
    score_play,
    setup_play,
    shoot_play,
    skill_play,
    strike_play,
    structure_play,
    table_play,
    task_play,
    team_play,
    template_play,
    upkeep_play,
)
"""Modules that register their handlers when they are imported."""

__all__ = ["GAME", "HANDLER_MODULES"]
