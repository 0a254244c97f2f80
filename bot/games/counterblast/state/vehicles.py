"""Losses of vehicles, and machines without uplink."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.games.counterblast.state.models import fighter, fighters, read_block
from bot.games.counterblast.state.table_state import ModelState
from bot.store.rows import ModelRow
from bot.table.asking.kinds import Asking
from bot.table.asking.offering import completing, own_model, such
from bot.table.encounter import Encounter, EncounterView, set_counter
from rules.counters import CounterName
from rules.effects import Propose
from rules.refusals import forbid
from rules.systems.counterblast.building.crew import needs_uplink, require_uplink_action
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.shooting.shooting import Mark
from rules.systems.counterblast.vehicle_rules import (
    MOVING_VEHICLE,
    PASSENGER_COVER,
    moving_edges,
    passenger_edges,
    passengers_burnt,
)

DRIVEN = CounterName("driven tenths")
DRIVEN_TURN = CounterName("driven in turn")
DRIVEN_BEFORE = CounterName("driven before tenths")
"""Counters of a vehicle: tenths of an inch moved in the turn named, and in the one before it."""


def read_inches_moved(row: ModelRow, turn: int) -> tuple[float, float]:
    """Return the inches that a vehicle moved in this turn and in the turn before."""
    counters = row.counters
    last_turn_driven, driven = counters.get(DRIVEN_TURN, 0), counters.get(DRIVEN, 0) / 10
    if last_turn_driven and last_turn_driven == turn:
        return driven, counters.get(DRIVEN_BEFORE, 0) / 10
    return 0.0, driven if last_turn_driven and last_turn_driven == turn - 1 else 0.0


def store_drive(row: ModelRow, turn: int, inches: float, *, moving: bool) -> None:
    """Store what a vehicle moved in this turn, and whether it begins the next one In Motion."""
    _, old_inches = read_inches_moved(row, turn)
    set_counter(row.counters, DRIVEN_BEFORE, round(10 * old_inches))
    set_counter(row.counters, DRIVEN, round(10 * inches))
    row.counters[DRIVEN_TURN] = turn
    ModelState(row).motion_turn = turn + 1 if moving else 0
    ModelState(row).drive_owed_turn = 0


def is_coasting(row: ModelRow, turn: int) -> bool:
    """Return whether a vehicle began this turn In Motion and has not driven yet. Rules: CB-VEH-10."""
    return bool(turn) and ModelState(row).motion_turn == turn


def is_in_motion(row: ModelRow, turn: int) -> bool:
    """Return whether it is In Motion, or will be from the next turn on. Rules: CB-VEH-05."""
    return ModelState(row).motion_turn >= turn


def must_drive(row: ModelRow, vehicle: Fighter, turn: int) -> bool:
    """Return whether a vehicle In Motion, free to drive, has not done so in this turn. Rules: CB-VEH-10."""
    if not vehicle.profile.is_vehicle or not is_coasting(row, turn):
        return False
    blocking = (Condition.PINNED, Condition.PANICKED)
    return not (vehicle.is_engaged or vehicle.is_incapacitated or any(map(vehicle.has, blocking)))


def owes_move(row: ModelRow, turn: int) -> bool:
    """Return whether an attack of this turn contained a Move that it may still drive."""
    return bool(turn) and ModelState(row).drive_owed_turn == turn


def list_riders(encounter: EncounterView, vehicle: int) -> tuple[Fighter, ...]:
    """Return the riders of a vehicle."""
    return tuple(
        fighter(encounter, row) for row in encounter.models() if row.counters.get(Counter.RIDES, 0) == vehicle
    )


def propose_burning_riders(encounter: Encounter) -> list[Propose]:
    """Return a proposal for each burning vehicle with unprotected passengers, who suffer as this turn starts.

    Rules: CB-VEH-37.
    """
    turn, proposals = max(1, encounter.row.turn), []
    for row in encounter.models():
        if ModelState(row).passengers_burnt_turn == turn or not encounter.condition(
            row.id, Condition.BURNING
        ):
            continue
        if not passengers_burnt(fighter(encounter, row), list_riders(encounter, row.id)):
            continue
        reason = f"{row.name} is burning. If it is an open vehicle, its passengers burn too."
        proposals.append(Propose("burn_riders", row.id, reason, (("name", row.name),)))
    return proposals


def apply_vehicle_edges(
    encounter: EncounterView, shooter: Fighter, mark: Mark, *, straight: bool = False
) -> Mark:
    """Return a mark with what makes a shot at a passenger or at a moving vehicle harder.

    straight: the vehicle moves straight towards or away from the shooter. Rules: CB-VEH-28, CB-VEH-30.
    """
    target = mark.target
    if target.count(Counter.RIDES):
        return replace(mark, cover=max(mark.cover, PASSENGER_COVER), edges=passenger_edges())
    inches_now, inches_before = read_inches_moved(encounter.model(target.id), max(1, encounter.row.turn))
    return replace(mark, edges=moving_edges(shooter, target, inches_now, inches_before, straight=straight))


def find_moving_target(marks: tuple[Mark, ...]) -> str:
    """Return the first target that is harder to hit because it is a moving vehicle; empty for none."""
    edges = ((mark.target.name, edge) for mark in marks for edge in mark.edges)
    return next((name for name, edge in edges if edge.rule == MOVING_VEHICLE.rule), "")


def _maneuvers(context: Asking) -> Sequence[str]:
    return [note.name for note in load().maneuvers]


maneuvers = completing(_maneuvers)
"""Maneuvers with commas between them."""


def _may_carry(encounter: EncounterView, row: ModelRow) -> bool:
    model = fighter(encounter, row)
    return model.profile.is_vehicle or model.has_feature("transport") or ModelState(row).passengers > 0


vehicles = such(_may_carry, "No vehicle here can carry passengers.", "CB-VEH-05", own_model)


DUE, LIMITED = 1, 2
FREE_ACTIONS = frozenset({"rally", "order", "scan"})


def lacks_uplink(encounter: Encounter, model: Fighter) -> bool:
    """Return whether the model must check: no living Hero came with its crew, and no able one has a node.

    Rules: CB-CREW-13, CB-FEAT-60.
    """
    profiles = [read_block(row.profile).profile for row in encounter.models(model.side, gone=True)]
    heroes = [profile for profile in profiles if profile.is_hero]
    return needs_uplink(model.side, heroes, fighters(encounter))


def require_uplink(model: Fighter, key: str) -> None:
    """Refuse, with Forbidden, what a model without uplink may not do now. Rules: CB-CREW-13."""
    state = model.count(ModelState.uplink.key)
    if not state or key in FREE_ACTIONS:
        return
    if state == DUE:
        forbid(f"{model.name} has no uplink and must make an uplink check first.", "CB-CREW-13")
    require_uplink_action(key, moves_made=model.count(Counter.MOVES))
