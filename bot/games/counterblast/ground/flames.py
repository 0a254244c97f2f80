"""What a model owes that burned, or was corroded, as its activation began: all its actions, or one more hit.

Kept as counters of the model; who puts itself out with a part of its actions owes the hit all the same.
"""

from __future__ import annotations

from bot.games.counterblast.core.fighters import fighter
from bot.games.counterblast.core.surroundings import climate_here
from bot.store.rows import ModelRow
from bot.table.encounter import Encounter, set_counter
from rules.counters import CounterName
from rules.systems.counterblast.core.burning import CONDITION, DUE, FOUGHT, Kind, must_suffer
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.movement.ground import climate
from rules.systems.counterblast.turn.activation import ACTIONS

HIT = CounterName("hit by fire in turn")
"""Counter of a model: the turn in which fire, or acid, last hit it or was fought instead."""


def become_due(encounter: Encounter, model: Fighter) -> list[Kind]:
    """A model becomes active: the fires that it still carries, whose hit it owes or all its actions.

    Rules: CB-BURN-06, CB-FEAT-04.
    """
    row, turn = encounter.model(model.id), max(1, encounter.row.turn)
    kinds = [] if _settled(row, turn) else [kind for kind in CONDITION if must_suffer(model, kind=kind)]
    set_counter(row.counters, FOUGHT, 0)
    for kind in CONDITION:
        set_counter(row.counters, DUE[kind], turn if kind in kinds else 0)
    return kinds


def owed(encounter: Encounter, model: Fighter) -> list[Kind]:
    """The fires whose hit a model has neither fought with all its actions nor suffered in this turn.

    Rules: CB-BURN-06, CB-FEAT-04.
    """
    row, turn = encounter.model(model.id), max(1, encounter.row.turn)
    if _settled(row, turn):
        return []
    return [kind for kind in CONDITION if row.counters.get(DUE[kind], 0) == turn]


def is_yet_to_come(encounter: Encounter, model: Fighter, kind: Kind) -> bool:
    """Whether a model carries a fire already whose hit comes with its activation, which has not begun.

    Rules: CB-BURN-05, CB-BURN-06.
    """
    waits = not model.has(Condition.ACTIVE) and not model.count(Counter.ACTIVATED)
    return model.has(CONDITION[kind]) and waits and bool(encounter.row.turn)


def settle(encounter: Encounter, model: Fighter) -> None:
    """This turn's hit was suffered, or all actions were spent on being spared it."""
    encounter.model(model.id).counters[HIT] = max(1, encounter.row.turn)


def fight(encounter: Encounter, model: Fighter) -> None:
    """A model spent an action on its own flames; once all are, it is spared this turn's hit.

    What heat or cold took from it is no action of its. Rules: CB-BURN-06, CB-HAZ-04.
    """
    row = encounter.model(model.id)
    set_counter(row.counters, FOUGHT, 1, add=True)
    if owed(encounter, model) and row.counters[FOUGHT] >= ACTIONS - lost_to_climate(encounter, model):
        settle(encounter, model)


def forgive(encounter: Encounter, model: Fighter, condition: str) -> None:
    """Players say that a model carries no such fire: it owes no hit of it either."""
    for kind, named in CONDITION.items():
        if named == condition:
            set_counter(encounter.model(model.id).counters, DUE[kind], 0)


def acted_elsewhere(encounter: Encounter, model: Fighter) -> bool:
    """Whether the model did something else in this activation. Rules: CB-BURN-06, CB-FEAT-04."""
    spent = fighter(encounter, encounter.model(model.id)).count(Counter.ACTIONS)
    return spent > lost_to_climate(encounter, model) + model.count(FOUGHT)


def lost_to_climate(encounter: Encounter, model: Fighter) -> int:
    """The actions that heat or cold takes from a model. Rules: CB-HAZ-04."""
    grade = climate_here(encounter, model)
    return ACTIONS - climate(model, grade).actions if grade else 0


def _settled(row: ModelRow, turn: int) -> bool:
    return row.counters.get(HIT, 0) == turn
