"""Count missions and points, during the game and after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.core.common import settings
from bot.games.counterblast.core.crews import find_holder
from bot.games.counterblast.core.fields import side_played
from bot.games.counterblast.core.narration import Telling, finish, require_between
from bot.games.counterblast.missions.markers import measure_at_home, measure_to_marker
from bot.games.counterblast.missions.mission_events import (
    Control,
    ask_who_is_near,
    count_control,
    list_opponent_points,
    required_of,
)
from bot.games.counterblast.missions.traps import meant_side, near_marker, nobody_near
from bot.games.counterblast.setup.deployment import crew_points
from bot.games.counterblast.state.missions import (
    BROUGHT,
    CAPTIVE,
    HUNTS,
    PLANS,
    SCORED,
    Mission,
    add_objective_points,
    find_mission,
    list_plannable,
    list_uncounted_sides,
    places,
    require_mission,
    result_lines,
    reveal_mission,
)
from bot.games.counterblast.state.models import fighter, traits_of
from bot.games.counterblast.state.table_state import EncounterState, SideState
from bot.replies.reply import Button, Reply, say
from bot.store.rows import SideRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.board.facts import Fact
from bot.table.encounter import GONE, OVER, Encounter, set_counter
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.owners import ANYONE, PLAYER, in_play
from bot.table.session.preparations import END_BUTTON
from bot.table.waits import how_it_ends
from rules.modifiers import Modifier
from rules.refusals import InvalidInput, Missing, forbid
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.missions.missions import (
    CUSTOM,
    Abducted,
    keeps_invasion,
    score_abduction,
    score_escort,
    score_recovery,
    score_sabotage,
    score_scouting,
)
from rules.systems.counterblast.missions.score import HuntKind
from rules.wording import join_with_and, possessive, times

Parts = tuple[tuple[Modifier, ...], tuple[Modifier, ...]]

CUSTOM_KEYS = frozenset(one.key for one in CUSTOM)
FAR, UNKNOWN = 99.0, -1.0
MAX_OBJECTIVE_POINTS = 30


def _find_own_mission(context: Asking) -> Mission | None:
    side = meant_side(context)
    return find_mission(context.act.encounter, side.id) if side is not None else None


def _measure_home(context: Asking) -> Fact | None:
    """Return whether what one's mission is about is in the own deployment zone."""
    mission, encounter = _find_own_mission(context), context.act.encounter
    if mission is None or mission.key not in ("abduction", "recovery"):
        return None
    is_captive = mission.key == "abduction"
    finder = SideState(encounter.side(mission.side)).mission_finder
    holder = find_holder(encounter, f"{CAPTIVE} {mission.model}") if is_captive else finder
    model = encounter.model(holder) if holder else None
    return measure_at_home(encounter, model) if model is not None and model.side == mission.side else None


def _measure_escort(context: Asking) -> Fact | None:
    """Return the inches from the model that one escorts to its marker."""
    mission, encounter = _find_own_mission(context), context.act.encounter
    laid = places(encounter, mission.side) if mission is not None and mission.key == "escort" else []
    if mission is None or not laid:
        return None
    return measure_to_marker(encounter, [fighter(encounter, encounter.model(mission.model))], laid[0])


@dataclass(frozen=True, slots=True)
class ScoreMission(Action):
    """Score your mission when the game is over.

    Count one's mission at the end; what is left out and matters is asked.

    home: whether what it is about is in the own deployment area. inches: an escorted model's to its marker.
    near: models within 6 in of an Invasion's marker; nobody: no one is. points: of a mission of the group's
    own making.
    """

    command = "mission.score"
    typed = "mission score"
    titled = "Score the mission"
    said_first = ("home", "inches", "near", "nobody", "points", "side")
    decision_of = in_play("the side whose mission it is")

    home: bool | None = fields.one_of(
        "Is the target in your deployment area?", {"yes": True, "no": False}, measures=_measure_home
    )
    inches: float = fields.inches(
        "Distance to the marker (inches, Escort only)",
        0.0,
        200.0,
        default=-1.0,
        measures=_measure_escort,
    )
    near: tuple[Fighter, ...] = near_marker("Models within 6 in of the marker (Invasion only)")
    side: SideRow = side_played()
    nobody: bool = nobody_near("No model is within 6 in of the marker (Invasion only)")
    points: int = fields.whole("Points earned (custom missions only)", 0, 30, default=-1)


@dataclass(frozen=True, slots=True)
class StopGame(Action):
    """End the game before its last turn and score the missions.

    Then missions are counted. sure: the person was asked.
    """

    command = "mission.stop"
    typed = "mission stop"
    titled = "End early and score"
    decision_of = PLAYER

    sure: bool = False


@dataclass(frozen=True, slots=True)
class DetailPlans(Action):
    """Choose what the Secret Plans from an Abduction describe.

    They were taken with an abducted model.
    """

    command = "mission.plans"
    typed = "mission plans"
    titled = "Secret Plans"
    decision_of = in_play("the side whose mission it is")

    detail: str = fields.among(
        "Robot or piece of equipment",
        lambda asking: list_plannable(),
        what="robot or piece of equipment",
        needed=True,
    )
    side: SideRow = side_played()


# ------------------------------------------------------------------------------------ the game is over


def build_score_buttons(encounter: Encounter) -> tuple[Button, ...]:
    """Return one for each mission that is still to be counted, then the end."""
    score_buttons = [
        Button(f"Score {possessive(side.name)} mission", ScoreMission(side=side), "main")
        for side in list_uncounted_sides(encounter)
    ]
    return (*score_buttons, replace(END_BUTTON, style="plain" if score_buttons else "main"), UNDO)


def list_ending_lines(encounter: Encounter) -> list[str]:
    """Return what is to be done once the last turn is over."""
    names = [f"{possessive(side.name)} mission" for side in list_uncounted_sides(encounter)]
    if not names:
        return ["End the game to see the final score."]
    return [f"Score {join_with_and(names)}, then end the game."]


HIDDEN_CONTROL = Button("Score the marker (Invasion only)", Control(), anytime=True)
"""The same for everyone while a mission is hidden, so that nothing is told by it."""


def control_buttons(encounter: Encounter) -> tuple[Button, ...]:
    """Return a button for each public Invasion after an Upkeep, and one for all hidden missions together.

    Rules: CB-MISS-16.
    """
    missions = [mission for side in encounter.sides() if (mission := find_mission(encounter, side.id))]
    sides = [
        encounter.side(mission.side) for mission in missions if mission.revealed and mission.key == "invasion"
    ]
    public_buttons = [Button(f"Score the marker: {side.name}", Control(side=side)) for side in sides]
    return (*public_buttons, *([] if all(mission.revealed for mission in missions) else [HIDDEN_CONTROL]))


@handles(StopGame)
def stop_game(act: Act, action: StopGame) -> Reply:
    """Stop the game, as its players agreed; what has not happened is not counted."""
    encounter = act.encounter
    if not encounter.row.turn:
        raise InvalidInput("Begin the game first with /encounter next.")
    if encounter.count(OVER):
        raise InvalidInput(f"The last turn is over. {how_it_ends(act)}.")
    if not action.sure:
        return say(
            f"Do you want to end the game now, in turn {encounter.row.turn}?",
            "Do this only if all players agree. Everyone is told, and then the missions are scored.",
            private=True,
            buttons=(Button("End it and score", StopGame(sure=True), "main", anytime=True),),
        )
    for key in (OVER, EncounterState.stopped_early.key):
        set_counter(encounter.row.counters, key, 1)
    lines = list_ending_lines(encounter)
    return say(f"The game ends in turn {encounter.row.turn}.", *lines, buttons=build_score_buttons(encounter))


# ------------------------------------------------------------------------------------ counting


@handles(ScoreMission)
def score_mission(act: Act, action: ScoreMission) -> Reply:
    """Score a mission once the game is over, and show it to everyone. Rules: CB-SCORE-09."""
    encounter, side = act.encounter, action.side
    mission = require_mission(encounter, side.id)
    if side.traits.get(SCORED):
        raise InvalidInput("Your mission has already been scored. To score it again, undo that score first.")
    if not encounter.row.turn:
        raise InvalidInput("Begin the game first with /encounter next.")
    question = _question(act, mission, action)
    is_early = not encounter.count(OVER)
    if question is not None and (act.overrides or not is_early):
        return question
    if is_early:
        forbid(
            "Missions are scored after the last turn. To end the game earlier, use /mission stop.",
            "CB-SCORE-09",
        )
    earlier_points = SideState(side).own_mission_points
    last_points = _count_last_control(act, mission, action)
    own_parts, rival_parts = _score_parts(act, mission, action)
    add_objective_points(side, _sum(own_parts))
    lines = [
        f"{side.name}, {mission.note.name}: {times(_sum(own_parts) + last_points, 'objective point')}.",
        *([f"+{last_points} for holding the marker"] if last_points else []),
        *(f"{part.amount:+d} {part.reason}" for part in own_parts),
    ]
    if mission.key == "invasion" and earlier_points:
        lines.append(f"Scored in earlier turns: {times(earlier_points, 'objective point')}")
    for rival_id in _rival_sides(encounter, mission) if rival_parts else []:
        rival = encounter.side(rival_id)
        SideState(rival).objective_points += _sum(rival_parts)
        lines += [f"{rival.name} {part.amount:+d} {part.reason}" for part in rival_parts]
    side.traits[SCORED] = "yes"
    if _has_plans(act, mission):
        lines += [
            "What do the Secret Plans describe?",
            "Choose a robot or a piece of equipment with /mission plans.",
        ]
    lines += reveal_mission(encounter, mission) if not mission.revealed else []
    reasons = tuple(f"{part.amount:+d} {part.reason} {part.rule}" for part in (*own_parts, *rival_parts))
    return Reply((*lines, *result_lines(encounter)), buttons=build_score_buttons(encounter), why=reasons)


def _sum(parts: Sequence[Modifier]) -> int:
    return sum(part.amount for part in parts)


def _rival_sides(encounter: Encounter, mission: Mission) -> list[int]:
    """Rules: CB-MISS-09, CB-MISS-13."""
    if mission.key == "abduction":
        return [encounter.model(mission.model).side]
    return [side.id for side in encounter.sides() if side.id != mission.side]


# ------------------------------------------------------------------------------------ questions


def _question(act: Act, mission: Mission, action: ScoreMission) -> Reply | None:
    encounter = act.encounter
    match mission.key:
        case "abduction" if (
            _holds_captive(encounter, mission) and action.home is None and settings(act).abduction_zone
        ):
            return _ask_home(action, "Is your captive in your deployment area?")
        case "recovery" if _is_find_in_play(encounter, mission) and action.home is None:
            return _ask_home(action, f"Is {mission.about} in your deployment area?")
        case "escort" if _is_escorted_in_play(encounter, mission) and action.inches < 0:
            name = encounter.model(mission.model).name
            yes_action, no_action = replace(action, inches=0.0), replace(action, inches=FAR)
            buttons = (Button("Yes", yes_action, "main"), Button("No", no_action))
            return say(f"Is {name} within 2 in of the marker?", private=True, buttons=buttons)
        case "invasion" if (
            not action.near and not action.nobody and not _is_last_upkeep_counted(encounter, mission)
        ):
            return ask_who_is_near(encounter, "End of the game", action, replace(action, nobody=True))
        case key if key in CUSTOM_KEYS and not 0 <= action.points <= MAX_OBJECTIVE_POINTS:
            raise Missing(
                f"Enter the points your mission earned (0 to {MAX_OBJECTIVE_POINTS}), such as `/mission "
                "score points:3`."
            )
    return None


def _ask_home(action: ScoreMission, question: str) -> Reply:
    buttons = (Button("Yes", replace(action, home=True), "main"), Button("No", replace(action, home=False)))
    return say(question, private=True, buttons=buttons)


def _holds_captive(encounter: Encounter, mission: Mission) -> bool:
    """Return whether one of the own models holds the captive."""
    holder = find_holder(encounter, f"{CAPTIVE} {mission.model}")
    return bool(holder) and encounter.model(holder).side == mission.side


def _is_escorted_in_play(encounter: Encounter, mission: Mission) -> bool:
    row = encounter.model(mission.model)
    return row.status != GONE and not fighter(encounter, row).is_down


def _is_find_in_play(encounter: Encounter, mission: Mission) -> bool:
    """Return whether what was found is still in play: the model that joined, or the one that carries it."""
    finder = SideState(encounter.side(mission.side)).mission_finder
    return bool(finder) and encounter.model(finder).status != GONE


def _is_last_upkeep_counted(encounter: Encounter, mission: Mission) -> bool:
    """Whether the Upkeep that ended the game was counted: then it is known who was there at the end."""
    last_counted_turn = SideState(encounter.side(mission.side)).control_turn
    return not EncounterState(encounter.row).stopped_early and last_counted_turn == encounter.row.turn


# ------------------------------------------------------------------------------------ points


def _count_last_control(act: Act, mission: Mission, action: ScoreMission) -> int:
    """Count the last Upkeep of an Invasion too where that was not done; gives its points."""
    encounter = act.encounter
    if (
        mission.key != "invasion"
        or EncounterState(encounter.row).stopped_early
        or _is_last_upkeep_counted(encounter, mission)
    ):
        return 0
    return count_control(act, action.side, () if action.nobody else action.near)


def _score_parts(act: Act, mission: Mission, action: ScoreMission) -> Parts:
    encounter, rules = act.encounter, settings(act)
    sizes = list_opponent_points(encounter, mission.side)
    side = encounter.side(mission.side)
    successes = SideState(side).mission_successes
    match mission.key:
        case "abduction":
            end = Abducted(
                _holds_captive(encounter, mission),
                bool(action.home),
                mission.secret,
                _carries_plans(act, mission),
            )
            return score_abduction(end, sizes, rules)
        case "escort":
            inches = action.inches if _is_escorted_in_play(encounter, mission) else None
            return score_escort(inches, mission.secret, sizes, rules)
        case "invasion":
            return _lost_invasion_points(action), ()
        case "recovery":
            home = bool(action.home) and _is_find_in_play(encounter, mission)
            target_found = bool(side.traits.get(BROUGHT))
            return score_recovery(target_found, at_home=home, opponents=sizes, settings=rules), ()
        case "sabotage":
            return score_sabotage(successes, sizes, rules), ()
        case "scouting":
            return score_scouting(successes, crew_points(encounter, mission.side), rules), ()
    modifiers = (Modifier(action.points, "as agreed", "CB-MISS-01"),) if action.points else ()
    return modifiers, ()


def _lost_invasion_points(action: ScoreMission) -> tuple[Modifier, ...]:
    """All that it earned is lost where none of its models is there at the end. Rules: CB-MISS-16."""
    side = action.side
    earned_points = SideState(side).own_mission_points
    if action.near or action.nobody:
        near = () if action.nobody else action.near
        keeps_marker = keeps_invasion(side.id, [(model, 0.0) for model in near])
    else:
        keeps_marker = bool(SideState(side).invaders)
    return (
        ()
        if keeps_marker or not earned_points
        else (Modifier(-earned_points, "for having no model at the marker", "CB-MISS-16"),)
    )


# ------------------------------------------------------------------------------------ Secret Plans


def _carries_plans(act: Act, mission: Mission) -> bool:
    gear = fighter(act.encounter, act.encounter.model(mission.model)).gear
    return any(item.key == "secret_plans" for item in gear)


def _has_plans(act: Act, mission: Mission) -> bool:
    """Return whether the abductor has taken Secret Plans. Rules: CB-MISS-10."""
    if mission.key != "abduction" or not _holds_captive(act.encounter, mission):
        return False
    has_scored = bool(SideState(act.encounter.side(mission.side)).own_mission_points)
    return has_scored and _carries_plans(act, mission)


@handles(DetailPlans)
def detail_plans(act: Act, action: DetailPlans) -> Reply:
    """Choose which robot or equipment they detail; it can't be changed. Rules: CB-MISS-10."""
    side = action.side
    mission = required_of(act.encounter, side.id, "abduction")
    if not side.traits.get(SCORED) or not _has_plans(act, mission):
        raise InvalidInput(
            "Your crew has no Secret Plans. You get them only by scoring an Abduction whose target carried "
            "them."
        )
    if side.traits.get(PLANS):
        raise InvalidInput(f"The Secret Plans already describe {side.traits[PLANS]}.")
    side.traits[PLANS] = action.detail
    return say(f"{possessive(side.name)} Secret Plans describe {side.traits[PLANS]}.", buttons=[UNDO])


MAX_POINTS = 99
MAX_SQUARES = 144


@dataclass(frozen=True, slots=True)
class ShowScore(Action):
    """Show the score so far."""

    command = "cb.score"
    typed = "game score"
    titled = "Score so far"
    decision_of = ANYONE


@dataclass(frozen=True, slots=True)
class ScorePoints(Action):
    """Add or take away objective points.

    For a side's own mission; below 0 takes some back.
    """

    command = "cb.score.points"
    typed = "game points"
    titled = "Objective points"

    side: SideRow = fields.side("Side", mine=True, needed=True)
    points: int = fields.whole(
        "Points to add (below 0 to take away)", -MAX_POINTS, MAX_POINTS, default=1, checked=True
    )


@dataclass(frozen=True, slots=True)
class ScoreSquares(Action):
    """Set how many squares a Survey Team holds.

    Of 12 in, with a model of it and no opponent at the end.
    """

    command = "cb.score.squares"
    typed = "game squares"
    titled = "Survey squares"

    side: SideRow = fields.side("Side", mine=True, needed=True)
    squares: int = fields.whole("Number of squares", 0, MAX_SQUARES, default=0, needed=True)


@dataclass(frozen=True, slots=True)
class ChooseHunt(Action):
    """Choose the kind of hunters in a Hunting Party."""

    command = "cb.score.hunt"
    typed = "game hunt"
    titled = "Hunting Party"

    side: SideRow = fields.side("Side", mine=True, needed=True)
    kind: HuntKind = fields.among(
        "Kind of hunters",
        lambda asking: HUNTS,
        lambda kind: kind.replace("_", " "),
        what="kind of hunters",
        needed=True,
    )


@handles(ShowScore)
def show_score(act: Act, action: ShowScore) -> Reply:
    """Show the score as if the game ended now."""
    all_missions = [find_mission(act.encounter, side.id) for side in act.encounter.sides()]
    mission_lines = [
        f"{act.encounter.side(mission.side).name} plays {mission.note.name}."
        for mission in all_missions
        if mission and mission.revealed
    ]
    return Reply(("If the game ended now:", *result_lines(act.encounter), *mission_lines), private=True)


@handles(ScorePoints)
def score_points(act: Act, action: ScorePoints) -> Reply:
    """Add points by hand and announce them; the total never falls below 0."""
    side = action.side
    old_points = SideState(side).objective_points
    add_objective_points(side, action.points)
    new_points = SideState(side).objective_points
    verb = "scores" if action.points >= 0 else "loses"
    points_text = times(abs(new_points - old_points), "objective point")
    return finish(
        act,
        Telling(
            [f"{side.name} {verb} {points_text} and now has {new_points}.", *result_lines(act.encounter)]
        ),
    )


@handles(ScoreSquares)
def score_squares(act: Act, action: ScoreSquares) -> Reply:
    """Score one point each, for a crew with the Specialty; no more than the table has. Rules: CB-SPEC-23."""
    side = action.side
    require_between(
        action.squares, 0, EncounterState(act.encounter.row).square_feet or MAX_SQUARES, "Squares"
    )
    if not traits_of(side).has("survey_team"):
        forbid(f"{side.name} isn't a Survey Team, so it can't score squares.", "CB-SPEC-23")
    SideState(side).squares = action.squares
    return finish(act, Telling([f"{side.name} holds {times(action.squares, 'square')}."]))


@handles(ChooseHunt)
def choose_hunt(act: Act, action: ChooseHunt) -> Reply:
    """Choose one kind for the whole game."""
    side, kind = action.side, action.kind
    if not traits_of(side).has("hunting_party"):
        forbid(f"{side.name} isn't a Hunting Party, so it has no hunters to choose.", "CB-SPEC-08")
    side.traits["hunting"] = kind
    return finish(act, Telling([f"{side.name} hunts as a party of {kind.replace('_', ' ')}."]))
