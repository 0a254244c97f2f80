"""What the table knows of vehicles under way: inches moved this turn and the one before, who rides where.

Kept as counters of models; what they mean is decided by the rules that ask.
"""

from __future__ import annotations

from bot.games.counterblast.fighters import fighter
from bot.store.rows import ModelRow
from bot.table.encounter import Encounter, set_counter
from rules.modifiers import Modifier
from rules.systems.counterblast.fighter import Fighter
from rules.systems.counterblast.vehicle_combat import PASSENGER_COVER, moving_edges, passenger_edges

DRIVEN, DRIVEN_TURN, BEFORE = "driven tenths", "driven in turn", "driven before tenths"
"""Counters of a vehicle: tenths of an inch that count in the turn named, and in the one before it."""

POINTS = "Maneuver points"
RIDES = "rides"
"""Counter of a model: the number of the vehicle that it rides in or on."""


def moved(row: ModelRow, turn: int) -> tuple[float, float]:
    """Inches that a vehicle moved in this turn and in the turn before."""
    counters = row.counters
    last, driven = counters.get(DRIVEN_TURN, 0), counters.get(DRIVEN, 0) / 10
    if last and last == turn:
        return driven, counters.get(BEFORE, 0) / 10
    return 0.0, driven if last and last == turn - 1 else 0.0


def drive(row: ModelRow, turn: int, inches: float) -> None:
    """Keep what a vehicle moved in this turn."""
    now, before = moved(row, turn)
    set_counter(row.counters, BEFORE, round(10 * before))
    set_counter(row.counters, DRIVEN, round(10 * (now + inches)))
    row.counters[DRIVEN_TURN] = turn


def riders(encounter: Encounter, vehicle: int) -> tuple[Fighter, ...]:
    """Who rides in a vehicle."""
    return tuple(
        fighter(encounter, row) for row in encounter.models() if row.counters.get(RIDES, 0) == vehicle
    )


def shot_edges(
    encounter: Encounter, shooter: Fighter, target: Fighter, *, straight: bool
) -> tuple[Modifier, ...]:
    """What makes a shot at a passenger or at a moving vehicle harder. Rules: CB-VEH-28, CB-VEH-30."""
    if target.count(RIDES):
        return passenger_edges()
    now, before = moved(encounter.model(target.id), max(1, encounter.row.turn))
    return moving_edges(shooter, target, now, before, straight=straight)


def cover_of(target: Fighter, cover: int) -> int:
    """The cover of a target: a passenger has the vehicle's. Rules: CB-VEH-28."""
    return max(cover, PASSENGER_COVER) if target.count(RIDES) else cover
