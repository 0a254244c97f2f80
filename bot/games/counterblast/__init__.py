"""Counterblast at the table. `GAME` is what the bot knows of it; importing this registers its handlers."""

from bot.games.counterblast.building import battle_sheet, book_play, crew_play, hero_play
from bot.games.counterblast.campaign import build_play, ransom_play, relics_play, spoils
from bot.games.counterblast.core import check_play, lucky, owed
from bot.games.counterblast.game import Counterblast
from bot.games.counterblast.gear import breach_play, devices, gear_play, relics, skill_play, tasks
from bot.games.counterblast.ground import (
    douse_play,
    field_play,
    fire_play,
    ground_places,
    hazard_play,
    structure_play,
)
from bot.games.counterblast.melee import (
    answers,
    charge_contact,
    charge_play,
    contact,
    disengage_play,
    fight_play,
    melee_drafts,
    melee_play,
    minder_play,
    strike_play,
)
from bot.games.counterblast.missions import (
    mission_events,
    mission_play,
    mission_score,
    mission_tasks,
    score_play,
    traps,
)
from bot.games.counterblast.movement import (
    climb_play,
    drift_play,
    fall_play,
    flee_play,
    hide_play,
    move_play,
)
from bot.games.counterblast.psionics import power_choices as psi_after
from bot.games.counterblast.psionics import power_drafts, psi_knowledge, psi_play, psi_rolls
from bot.games.counterblast.setup import infiltrate_play, lead_play, setup_play, table_play
from bot.games.counterblast.shooting import (
    arc_play,
    compare_play,
    overwatch_play,
    shoot_play,
    shot_drafts,
    snap_play,
    team_play,
)
from bot.games.counterblast.templates import coverage, engulf_play, template_attacks
from bot.games.counterblast.turn import activate_play, bag_play, order_play, pair_play, rest_play, uplink_play
from bot.games.counterblast.upkeep import casualty_play, upkeep_actions, upkeep_correct, upkeep_odds
from bot.games.counterblast.vehicles import (
    vehicle_blasts,
    vehicle_crash,
    vehicle_damage,
    vehicle_play,
    vehicle_riders,
)
from bot.table.asking.groups import group

GAME = Counterblast()

group("bag", "The initiative bag")
group("order", "Order tokens")
group("cb", "Counterblast: actions and rolls", whole_game=True)
group("cb move", "Moving, climbing, falling")
group("cb field", "Ground, structures, the table")
group("cb fire", "Fire and acid")
group("game", "Counterblast: before the first turn; points")
group("gear", "Counterblast: items and pairs")
group("vehicle", "Counterblast: vehicles")
group("psi", "Counterblast: psionic powers")
group("hero", "Counterblast: build Heroes, vehicles")
group("spoils", "Counterblast campaigns: salvage, relics, upgrades")
group("mission", "Counterblast: crew missions")

HANDLER_MODULES = (
    ransom_play,
    battle_sheet,
    activate_play,
    answers,
    arc_play,
    bag_play,
    book_play,
    breach_play,
    build_play,
    casualty_play,
    charge_contact,
    charge_play,
    check_play,
    climb_play,
    compare_play,
    contact,
    crew_play,
    devices,
    disengage_play,
    douse_play,
    drift_play,
    fall_play,
    field_play,
    fight_play,
    fire_play,
    flee_play,
    gear_play,
    devices,
    ground_places,
    hazard_play,
    hero_play,
    hide_play,
    infiltrate_play,
    lead_play,
    lucky,
    melee_drafts,
    melee_play,
    minder_play,
    mission_events,
    mission_play,
    mission_score,
    traps,
    mission_tasks,
    move_play,
    order_play,
    overwatch_play,
    owed,
    pair_play,
    power_drafts,
    psi_after,
    psi_rolls,
    psi_play,
    psi_knowledge,
    relics,
    relics_play,
    rest_play,
    score_play,
    relics,
    setup_play,
    shoot_play,
    shot_drafts,
    skill_play,
    snap_play,
    spoils,
    strike_play,
    structure_play,
    spoils,
    table_play,
    tasks,
    team_play,
    template_attacks,
    engulf_play,
    coverage,
    upkeep_correct,
    upkeep_odds,
    upkeep_actions,
    uplink_play,
    vehicle_blasts,
    vehicle_crash,
    vehicle_damage,
    vehicle_play,
    vehicle_riders,
)
"""Modules that register their handlers when they are imported."""

__all__ = ["GAME", "HANDLER_MODULES"]
