"""The score at the table: objective points, squares of a Survey Team, standings."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.counterblast.core.fighters import traits_of
from bot.games.counterblast.core.narration import Telling, finish, require_between
from bot.games.counterblast.missions.mission_state import (
    HUNTS,
    OBJECTIVE,
    SQUARE_FEET,
    SQUARES,
    gain,
    mission_of,
    result_lines,
)
from bot.replies.reply import Reply
from bot.store.rows import SideRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.encounter import set_counter
from bot.table.handlers import handles
from bot.table.owners import ANYONE
from rules.refusals import forbid
from rules.systems.counterblast.missions.score import HuntKind
from rules.wording import times

MOST_POINTS = 99
MOST_SQUARES = 144


@dataclass(frozen=True, slots=True)
class ShowScore(Action):
    """The standings."""

    command = "cb.score"
    typed = "game score"
    titled = "Score so far"
    decision_of = ANYONE


@dataclass(frozen=True, slots=True)
class ScorePoints(Action):
    """Objective points.

    For a side's own mission; below 0 takes some back.
    """

    command = "cb.score.points"
    typed = "game points"
    titled = "Objective points"

    side: SideRow = fields.side("Whose", mine=True, needed=True)
    points: int = fields.whole("How many", -MOST_POINTS, MOST_POINTS, default=1, checked=True)


@dataclass(frozen=True, slots=True)
class ScoreSquares(Action):
    """Squares a Survey Team holds.

    Of 12 in, with a model of it and no opponent at the end.
    """

    command = "cb.score.squares"
    typed = "game squares"
    titled = "Survey squares"

    side: SideRow = fields.side("Whose", mine=True, needed=True)
    squares: int = fields.whole("How many", 0, MOST_SQUARES, default=0, needed=True)


@dataclass(frozen=True, slots=True)
class ChooseHunt(Action):
    """What a Hunting Party hunts."""

    command = "cb.score.hunt"
    typed = "game hunt"
    titled = "What is hunted"

    side: SideRow = fields.side("Whose", mine=True, needed=True)
    kind: HuntKind = fields.among(
        "What kind",
        lambda asking: HUNTS,
        lambda kind: kind.replace("_", " "),
        what="kind of hunter",
        needed=True,
    )


@handles(ShowScore)
def show_score(act: Act, action: ShowScore) -> Reply:
    """As it would be if the game ended now."""
    found = [mission_of(act.encounter, side.id) for side in act.encounter.sides()]
    missions = [
        f"{act.encounter.side(one.side).name} plays {one.note.name}." for one in found if one and one.revealed
    ]
    return Reply(("If the game ended now:", *result_lines(act.encounter), *missions), private=True)


@handles(ScorePoints)
def score_points(act: Act, action: ScorePoints) -> Reply:
    """Told to everybody; never below 0 in all."""
    side = action.side
    before = side.counters.get(OBJECTIVE, 0)
    gain(side, action.points)
    after = side.counters.get(OBJECTIVE, 0)
    verb = "scores" if action.points >= 0 else "loses"
    said = times(abs(after - before), "objective point")
    return finish(act, Telling([f"{side.name} {verb} {said}, {after} in all.", *result_lines(act.encounter)]))


@handles(ScoreSquares)
def score_squares(act: Act, action: ScoreSquares) -> Reply:
    """One point each, for a crew with the Specialty; no more than the table has. Rules: CB-SPEC-23."""
    side = action.side
    require_between(action.squares, 0, act.encounter.count(SQUARE_FEET) or MOST_SQUARES, "Squares")
    if not traits_of(side).has("survey_team"):
        forbid(f"{side.name} is no Survey Team.", "CB-SPEC-23")
    set_counter(side.counters, SQUARES, action.squares)
    return finish(act, Telling([f"{side.name} holds {times(action.squares, 'square')}."]))


@handles(ChooseHunt)
def choose_hunt(act: Act, action: ChooseHunt) -> Reply:
    """One kind for the whole game."""
    side, kind = action.side, action.kind
    if not traits_of(side).has("hunting_party"):
        forbid(f"{side.name} is no Hunting Party.", "CB-SPEC-08")
    side.traits["hunting"] = kind
    return finish(act, Telling([f"{side.name} are {kind.replace('_', ' ')}."]))
