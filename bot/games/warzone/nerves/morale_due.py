"""Morale tests that are owed: found from the losses stored for every squad, kept until they are taken."""

from __future__ import annotations

from bot.games.warzone.core.units import DUE, HURT, LOST, models_of, squads_of
from bot.store.rows import SideRow
from bot.table.encounter import Encounter, set_counter
from rules.counters import CounterName
from rules.systems.warzone.model import Model, Squad
from rules.systems.warzone.morale import individual_morale_due, morale_due

ALONE = CounterName("tests alone")
"""Counter of a model: its squad has tested for losses while it was out of command, and it has not."""


def damage_of(squad: Squad) -> int:
    """Wounds lost by the living models of a squad."""
    return sum(model.damage for model in squad.models)


def newly_due(side: SideRow, squad: Squad) -> bool:
    """Whether what a squad suffered since it was last settled calls for a test.

    Rules: WZ-MORALE-01, WZ-MORALE-05, WZ-PANIC-05.
    """
    if not squad.models:
        return False
    if squad.starting == 1:
        wounds = squad.models[0].profile.wd
        return individual_morale_due(wounds, side.counters.get(HURT.of(squad.id), 0), damage_of(squad))
    return morale_due(squad.starting, side.counters.get(LOST.of(squad.id), 0), squad.lost)


def settle(encounter: Encounter) -> None:
    """At the end of an activation: what calls for a test is owed from now on. Rules: WZ-MORALE-01."""
    for squad in squads_of(encounter, gone=True):
        side = encounter.side(squad.side)
        if newly_due(side, squad):
            side.counters[DUE.of(squad.id)] = 1
        set_counter(side.counters, LOST.of(squad.id), squad.lost)
        set_counter(side.counters, HURT.of(squad.id), damage_of(squad))


def owed(encounter: Encounter, *, between: bool) -> list[Squad]:
    """Squads that owe a test. between: no unit acts, so that fresh losses count, too."""
    found = []
    for squad in squads_of(encounter):
        side = encounter.side(squad.side)
        if side.counters.get(DUE.of(squad.id)) or (between and newly_due(side, squad)):
            found.append(squad)
    return found


def owed_alone(encounter: Encounter) -> list[Model]:
    """Models that owe the test of their squad's losses for themselves. Rules: WZ-MORALE-02."""
    return [model for model in models_of(encounter) if model.count(ALONE)]


def names_owed(encounter: Encounter, *, between: bool) -> list[str]:
    """Everybody who owes a test, by name."""
    squads = [squad.name for squad in owed(encounter, between=between)]
    return squads + [model.name for model in owed_alone(encounter)]


def sides_owing(encounter: Encounter, *, between: bool) -> set[int]:
    """The sides of everybody who owes a test."""
    alone = {encounter.model(model.id).side for model in owed_alone(encounter)}
    return alone | {squad.side for squad in owed(encounter, between=between)}


def taken(encounter: Encounter, squad: Squad) -> None:
    """The squad has tested for its losses."""
    counters = encounter.side(squad.side).counters
    counters.pop(DUE.of(squad.id), None)
    set_counter(counters, LOST.of(squad.id), squad.lost)
    set_counter(counters, HURT.of(squad.id), damage_of(squad))
