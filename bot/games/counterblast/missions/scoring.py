"""Points and result of a game, from the models that were lost."""

from __future__ import annotations

from typing import get_args

from bot.games.counterblast.core.fighters import fighter, settings_of, traits_of
from bot.store.rows import ModelRow, SideRow
from bot.table.encounter import GONE, Encounter
from rules.counters import CounterName
from rules.modifiers import Modifier
from rules.systems.counterblast.core.casualties import CASUALTY, FLED
from rules.systems.counterblast.core.fighter import Condition
from rules.systems.counterblast.missions.score import (
    MIN_WIN,
    How,
    HuntKind,
    Loss,
    Score,
    ranking,
    result,
    score,
)

HUNTS: tuple[HuntKind, ...] = (
    "big_game_hunters",
    "bounty_hunters",
    "harbingers_of_doom",
    "masters_of_metal",
    "witch_hunters",
)
"""What a Hunting Party may hunt."""

OBJECTIVE = CounterName("objective points")
"""Counter of a side: points of its own mission, entered by its players."""

OBJECTIVES = "objectives"
"""What the score calls them."""

SQUARES = CounterName("squares held")
"""Counter of a side: squares of 12 in that a Survey Team holds alone, entered by its players."""

SQUARE_FEET = CounterName("square feet")
"""Counter of the encounter: how large the table is, once it was said."""

UNDERDOG = CounterName("underdog")
UNDERDOG_BONUS = CounterName("underdog campaign points")
"""Counter of a side: battle points that an Underdog of a campaign starts with."""

RESERVE = "reserve"
"""How a model is out of play that waits to enter; at the end it counts as fled."""


def losses(encounter: Encounter) -> tuple[Loss, ...]:
    """Return every model that counts at the end: lost, fled, or still panicked on the table.

    The side that brought it down scores it; its own side's doing is nobody's blow. Rules: CB-SCORE-02.
    """
    found = []
    for model in encounter.models(gone=True):
        how = _how(encounter, model)
        if how:
            killer = model.hurt_side if model.hurt_side not in (0, model.side) else None
            found.append(Loss(model.id, model.side, fighter(encounter, model).profile, how, killer))
    return tuple(found)


def _how(encounter: Encounter, model: ModelRow) -> How | None:
    if model.status == GONE:
        known: dict[str, How] = {CASUALTY: "casualty", FLED: "fled", RESERVE: "reserve"}
        return known.get(model.left_how)
    return "panicked" if encounter.condition(model.id, Condition.PANICKED) else None


def scores(encounter: Encounter) -> tuple[Score, ...]:
    """The points of every side as they stand."""
    sides = tuple(side.id for side in encounter.sides())
    lost = losses(encounter)
    return tuple(
        score(
            side.id,
            lost,
            sides,
            settings_of(encounter),
            objective=side.counters.get(OBJECTIVE, 0),
            bonuses=(*_survey(side), *_underdog(side)),
            hunting=_hunting(side.traits.get("hunting", ""))
            if traits_of(side).has("hunting_party")
            else None,
        )
        for side in encounter.sides()
    )


def _survey(side: SideRow) -> tuple[Modifier, ...]:
    squares = side.counters.get(SQUARES, 0) if traits_of(side).has("survey_team") else 0
    return (Modifier(squares, "Survey Team", "CB-SPEC-23"),) if squares else ()


def _underdog(side: SideRow) -> tuple[Modifier, ...]:
    points = side.counters.get(UNDERDOG, 0)
    return (Modifier(points, "Underdog", "CB-UNDER-02"),) if points else ()


def _hunting(kind: str) -> HuntKind | None:
    return next((known for known in get_args(HuntKind) if known == kind), None)


def _part(part: Modifier) -> str:
    reason = "objective" if part.reason == OBJECTIVES and abs(part.amount) == 1 else part.reason
    return f"{part.amount} {reason}"


def lead_lines(encounter: Encounter) -> list[str]:
    """Between two: who leads by how much, and what a win takes. Rules: CB-SCORE-06."""
    found = ranking(scores(encounter))
    if len(found) != 2:
        return []
    (_, first), (_, other) = found
    lead = first.points - other.points
    ahead = f"{encounter.side(first.side).name} {lead} ahead" if lead else "Nobody is ahead"
    return [f"{ahead}; to win: {MIN_WIN} ahead."]


def result_lines(encounter: Encounter) -> list[str]:
    """Points of every side with what made them, and the result between two."""
    found = scores(encounter)
    lines = []
    for rank, one in ranking(found):
        parts = ", ".join(_part(part) for part in one.parts)
        lines.append(f"{rank}. {encounter.side(one.side).name}: {one.points}{f' ({parts})' if parts else ''}")
    if len(found) == 2:
        best = max(found, key=lambda one: one.points)
        other = next(one for one in found if one is not best)
        won = result(best.points, other.points, settings_of(encounter))
        lines.append(f"{won} for {encounter.side(best.side).name}." if won.is_win else f"{won}.")
    return lines
