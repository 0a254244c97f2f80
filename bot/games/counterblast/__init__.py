"""Counterblast at the table. `GAME` is what the bot knows of it; importing this registers its handlers."""

from bot.games.counterblast.building import crews, hero_building, rulebook
from bot.games.counterblast.campaign import downtime, spoils
from bot.games.counterblast.core import checks, contact, debts, relics, wording
from bot.games.counterblast.game import Counterblast
from bot.games.counterblast.gear import breaching, devices, items, tasks
from bot.games.counterblast.ground import flames, hazards, places, walls
from bot.games.counterblast.melee import (
    answers,
    attacks,
    charges,
    disengagement,
    group_fights,
    minders,
    snap_shots,
    strikes,
)
from bot.games.counterblast.missions import mission_choices, mission_events, objectives, scores, traps
from bot.games.counterblast.movement import climbing, falls, hiding, moves
from bot.games.counterblast.psionics import power_choices, power_rolls, power_use, powers
from bot.games.counterblast.setup import deployment, infiltration, surroundings
from bot.games.counterblast.shooting import arcs, shots, team_shots, volleys
from bot.games.counterblast.templates import coverage, engulfing, template_attacks
from bot.games.counterblast.turn import activation_actions, activations, bag, overwatch
from bot.games.counterblast.upkeep import corrections, leaders, upkeep_actions, upkeep_odds
from bot.games.counterblast.vehicles import collisions, driving, riders, vehicle_damage
from bot.table.asking.descriptions import group

GAME = Counterblast()

group("bag", "The initiative bag")
group("order", "Spend order tokens")
group("cb", "Counterblast: move, shoot, fight and roll", whole_game=True)
group("cb move", "Move, climb, jump, fall and hide")
group("cb field", "Terrain, structures and dangerous areas")
group("cb fire", "Fire and acid")
group("game", "Counterblast: set up the table and keep score")
group("gear", "Counterblast: use gear and relics, and pair models")
group("vehicle", "Counterblast: drive, board and leave vehicles")
group("psi", "Counterblast: use psionic powers")
group("hero", "Counterblast: build a Hero or a vehicle")
group("spoils", "Counterblast campaigns: salvage, relics and upgrades")
group("mission", "Counterblast: missions and objectives")

HANDLER_MODULES = (
    crews,
    hero_building,
    rulebook,
    downtime,
    spoils,
    checks,
    contact,
    debts,
    relics,
    wording,
    breaching,
    devices,
    items,
    tasks,
    flames,
    hazards,
    places,
    walls,
    answers,
    attacks,
    charges,
    disengagement,
    group_fights,
    minders,
    snap_shots,
    strikes,
    mission_choices,
    mission_events,
    objectives,
    scores,
    traps,
    climbing,
    falls,
    hiding,
    moves,
    power_choices,
    power_rolls,
    power_use,
    powers,
    deployment,
    infiltration,
    surroundings,
    arcs,
    shots,
    team_shots,
    volleys,
    coverage,
    engulfing,
    template_attacks,
    activation_actions,
    activations,
    bag,
    overwatch,
    corrections,
    leaders,
    upkeep_actions,
    upkeep_odds,
    collisions,
    driving,
    riders,
    vehicle_damage,
)
"""Modules that register their handlers when they are imported."""

__all__ = ["GAME", "HANDLER_MODULES"]
