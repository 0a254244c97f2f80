"""Work on a mission's objectives."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from bot.actions import Action, reference_by_number
from bot.games.counterblast.core.crews import apply_outcome, find_holder, lay_token, read_captive_id, tokens
from bot.games.counterblast.core.fields import helping, side_played, who
from bot.games.counterblast.core.narration import Telling, finish, require_between
from bot.games.counterblast.gear.skill_checks import (
    SkillAction,
    Team,
    build_reroll_buttons,
    build_team,
    check_price,
    describe_reroll,
    explain_checks,
    list_gear_reminders,
    relics_for,
    roll_check,
    team_dice,
    work_chances,
)
from bot.games.counterblast.missions.markers import MARKER_RADIUS, measure_spots, measure_to_marker
from bot.games.counterblast.missions.mission_events import FoundIt
from bot.games.counterblast.missions.traps import list_armed_sides, may_hold_trap, place
from bot.games.counterblast.state.missions import (
    PLACE,
    Mission,
    list_finders,
    list_own_sides,
    mark_found,
    places,
    read_search,
    require_mission,
    write_search,
)
from bot.games.counterblast.state.models import game_of, kept
from bot.games.counterblast.state.table_state import PlaceState, SideState
from bot.replies.reply import Button, Reply, say
from bot.store.rows import SideRow, ThingRow
from bot.table.act import Act, ActView
from bot.table.asking import fields, measuring
from bot.table.asking.kinds import Asking, nothing
from bot.table.asking.offering import model_said
from bot.table.board.facts import Fact
from bot.table.board.places import place_words
from bot.table.board.surface import board_of, has_board, mark_objective
from bot.table.encounter import EncounterView, set_counter
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.names import check_name
from bot.table.owners import in_play
from bot.table.reaction_windows import Cause
from bot.table.steps import Chances, Weighed, in_steps
from rules.effects import Effect
from rules.measure import tenths
from rules.refusals import Forbidden, InvalidInput, Missing, forbid
from rules.systems.counterblast.core.checks import CheckResult
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.profile import Skill
from rules.systems.counterblast.gear.skills import NAMES, Job, skill_check
from rules.systems.counterblast.missions.missions import (
    HELD,
    MarkerSpot,
    Search,
    is_found,
    recovery_markers,
    require_escort_marker,
    require_invasion_marker,
    require_search,
    require_spots,
    sabotaged,
    searched,
    stored,
    take_token,
)
from rules.systems.counterblast.vehicle_rules import require_handling
from rules.wording import join_with_and, times

any_token = kept(lambda encounter: [row.name for row in tokens(encounter)])


def searched_place(context: Asking) -> Sequence[str]:
    """Return the places of the side of the model that was said."""
    encounter, row = game_of(context), model_said(context, "worker")
    return [place.name for place in places(encounter, row.side if row else 0)] if encounter else []


RULES = {
    "recovery": ("CB-MISS-20", "CB-MISS-22"),
    "sabotage": ("CB-MISS-26", "CB-MISS-27"),
    "scouting": ("CB-MISS-30", "CB-MISS-31"),
}
"""Missions with places to work at: the rules of laying them and of the checks there."""

WITH_PLACES = frozenset({"escort", "invasion", *RULES})
"""Missions that are done at places on the table."""

MAX_TOKENS = 30

LETTERS = "ABCDEFGHIJ"
"""The names of a side's places, which limit how many it can have."""
MAX_PLACES = len(LETTERS)


def _read_spots(context: Asking, text: str) -> tuple[MarkerSpot, ...]:
    """The places that are typed, as `x y zone; ...`, or as places on the board. Raises InvalidInput."""
    marker_spots, is_on_board = [], has_board(context.act.encounter)
    for part in filter(None, (part.strip() for part in text.split(";"))):
        if is_on_board:
            marker_spots.append(MarkerSpot(*measuring.read_spot(context, part).at))
            continue
        try:
            numbers = [float(number) for number in part.replace(",", " ").split()]
            x, y, zone = numbers
        except ValueError:
            raise InvalidInput(
                "For each place, enter x, y and the distance to the deployment area. Separate places with "
                "semicolons, like this: `10 20 12; 30 20 12`."
            ) from None
        for inches in numbers:
            require_between(inches, 0, 500, "Distance (inches)")
        marker_spots.append(MarkerSpot(x, y, (zone,)))
    if not 1 <= len(marker_spots) <= MAX_PLACES:
        example = "D7; 12.5 30" if is_on_board else "10 20 12; 30 20 12"
        raise Missing(f"Enter 1 to {MAX_PLACES} places, such as `{example}`.")
    return tuple(marker_spots)


def _write_spots(spots: Sequence[MarkerSpot]) -> str:
    return "; ".join(" ".join(map(_format_number, (spot.x, spot.y, *spot.zone_inches))) for spot in spots)


def _format_number(inches: float) -> str:
    return repr(inches).removesuffix(".0")


@dataclass(frozen=True, slots=True)
class LayPlaces(Action):
    """Set up the places of your mission.

    spots: `x y zone; ...` in inches, zone to the deployment area that counts. For an Invasion zone is to
    the enemy's, 0 inside it; for an Escort to the opposite corner. On a board: `D7; 12.5 30`.
    """

    command = "mission.places"
    typed = "mission places"
    titled = "Set up places"
    decision_of = in_play("the side whose mission it is")

    spots: tuple[MarkerSpot, ...] = fields.sought(
        'Places, such as "10 20 12; 30 20 12" (x, y, inches to the deployment area); on a board "D7; E9"',
        nothing,
        _read_spots,
        written=_write_spots,
        needed=True,
        pointed="spots",
    )
    side: SideRow = side_played()


def _measure_to_place(context: Asking) -> Fact | None:
    """Return the inches to the place from who works there; help counts only from within reach of it too."""
    worker, place = context.so_far.get("worker"), context.so_far.get("place")
    if worker is None or place is None:
        return None
    team = (worker, *(context.so_far.get("helpers") or ()))
    return measure_to_marker(context.act.encounter, team, place)


@dataclass(frozen=True, slots=True)
class SearchPlace(SkillAction):
    """Search, scout or sabotage one of your mission's places.

    A place of one's own mission.
    """

    command = "mission.search"
    typed = "mission search"
    titled = "Search a place"
    said_first = ("worker", "place", "inches", "helpers", "order", "odds")

    worker: Fighter = who(called="model")
    helpers: tuple[Fighter, ...] = helping("Helpers, separated by commas")
    place: ThingRow = place("Place to search", searched_place, lambda asking: asking.before("worker").side)
    inches: float = fields.inches(
        "Distance to the place (inches)", default=0.0, fact=True, measures=_measure_to_place
    )
    by_hand: tuple[str, ...] = fields.by_hand()


def _read_token(context: Asking, text: str) -> str:
    """Return the name of a token on the table, or of a new one. Raises InvalidInput."""
    typed = " ".join(text.split())
    for row in tokens(context.act.encounter):
        if row.name.casefold() == typed.casefold():
            return row.name
    name = check_name(text, "token")
    if read_captive_id(name):
        raise InvalidInput("Use /mission subdue to carry off a captive.")
    return name


@dataclass(frozen=True, slots=True)
class TakeToken(Action):
    """Place, pick up or drop a token.

    It is taken by moving into contact; a name that is new lays it first. No model: it is only laid.
    """

    command = "mission.token"
    typed = "mission token"
    titled = "Mission token"
    done_by = "model"

    token: str = fields.sought("Name of the token", any_token, _read_token, needed=True)
    model: Fighter | None = who("Model that takes the token", needed=False)
    drop: bool = fields.switch("Drop the token")


# ------------------------------------------------------------------------------------ places


def _may_lay(act: ActView, action: LayPlaces) -> None:
    """Refuses who has no side, a side without a mission, what was laid, and once the game has begun.

    Where a side was not read only the first.
    """
    if not action.side:
        list_own_sides(act)
        return
    require_mission(act.encounter, action.side.id)
    if places(act.encounter, action.side.id):
        raise InvalidInput("Your places are already set up. To change them, undo the setup first.")
    if act.encounter.row.turn:
        forbid("You can only set up places before the first turn.", "CB-SETUP-11")


@handles(LayPlaces, may=_may_lay)
def lay_places(act: Act, action: LayPlaces) -> Reply:
    """Lay places after deployment, for the whole game."""
    encounter, side, spots = act.encounter, action.side, action.spots
    _may_lay(act, action)
    mission, board = require_mission(encounter, side.id), board_of(encounter)
    spots = measure_spots(encounter, board, mission, spots) if board is not None else spots
    try:
        _require_legal_spots(act, mission, spots)
    except Forbidden as refusal:
        measured = _describe_too_near(mission, spots) if board is not None else ""
        raise InvalidInput(f"{refusal.sentence}{measured}") from None
    letter_lines = []
    for letter, spot in zip(LETTERS, spots, strict=False):
        number = act.book.next_id(ThingRow)
        content = json.dumps({"x": spot.x, "y": spot.y})
        row = ThingRow(
            act.book.scope, number, PLACE, f"{side.name} {letter}", content, {PlaceState.side.key: side.id}
        )
        act.book.add(row)
        if board is None:
            letter_lines.append(f"{letter} at {spot.x:g}, {spot.y:g}")
        else:
            mark_objective(encounter, row.name, (spot.x, spot.y), MARKER_RADIUS, side.id)
            letter_lines.append(f"{letter} at {place_words(board, (spot.x, spot.y))}")
    lines = [f"{side.name} has set up {times(len(spots), 'place')}.", *letter_lines]
    if len(spots) == recovery_markers(len(encounter.sides())):
        lines += ["If this is a Recovery mission, each opponent can trap one place with /mission trap."]
    return say(*lines, buttons=[UNDO])


def _describe_too_near(mission: Mission, spots: Sequence[MarkerSpot]) -> str:
    """Return how far the places are that are too near to a deployment area, after a space; empty for none."""
    near = [
        f"{letter} is {tenths(min(spot.zone_inches)):g} in from it"
        for letter, spot in zip(LETTERS, spots, strict=False)
        if mission.key in RULES and spot.zone_inches
        if min(spot.zone_inches) < mission.note.value("zone_inches")
    ]
    return f" {join_with_and(near)}." if near else ""


def _require_legal_spots(act: Act, mission: Mission, spots: tuple[MarkerSpot, ...]) -> None:
    """A mission of the group's own making lays them as agreed.

    Rules: CB-MISS-12, CB-MISS-15, CB-MISS-20, CB-MISS-26, CB-MISS-28, CB-MISS-30.
    """
    note = mission.note
    if mission.key == "escort":
        require_spots(spots, 1, 0, 0, "CB-MISS-12")
        require_escort_marker(spots[0].zone_inches[0])
    elif mission.key == "invasion":
        require_spots(spots, 1, 0, 0, "CB-MISS-15")
        require_invasion_marker(in_enemy_zone=spots[0].zone_inches[0] == 0)
    elif mission.key in RULES:
        required_count = len(spots)
        if mission.key == "recovery":
            required_count = recovery_markers(len(act.encounter.sides()))
        elif mission.key == "scouting":
            required_count = note.value("markers")
        zone, spacing = note.value("zone_inches"), note.value("apart_inches")
        require_spots(spots, required_count, zone, spacing, RULES[mission.key][0])
    elif mission.key == "abduction":
        raise InvalidInput(f"{note.name} has no places to set up.")


# ------------------------------------------------------------------------------------ searching


@dataclass(frozen=True, slots=True)
class ReadyObjectiveSearch:
    """A search that may be tried, and what it costs. before: the place as it stands."""

    team: Team
    mission: Mission
    place: ThingRow
    before: Search
    asks: SearchPlace
    due: tuple[Effect, ...] = ()


@in_steps(SearchPlace)
class Searching(Weighed[SearchPlace, ReadyObjectiveSearch]):
    """One check: what it scores is stored at the place, for all to see."""

    def prepare(self, act: ActView, action: SearchPlace) -> ReadyObjectiveSearch:
        """Return the place, and who searches it. Raises InvalidInput, Forbidden."""
        encounter, worker, place = act.encounter, action.worker, action.place
        mission = require_mission(encounter, worker.side)
        sabotage = mission.key == "sabotage"
        if mission.key not in RULES:
            raise InvalidInput(f"{mission.note.name} has no places to search.")
        if list_finders(encounter, worker.side):
            raise InvalidInput(
                f"{mission.about} has already been found. Use /mission found to choose who takes it."
            )
        if not encounter.row.turn and not act.action.looks:
            raise InvalidInput("Begin the game first with /encounter next.")
        skill: Skill = "engineering" if sabotage else "technology"
        old_search = read_search(place)
        if not action.again and not action.stands:
            reach = 0 if sabotage else mission.note.value("search_inches")
            with act.overridable():
                turn = max(1, encounter.row.turn)
                rule = RULES[mission.key][1]
                require_search(old_search, turn, action.inches, reach, once_a_turn=not sabotage, rule=rule)
        job = Job(skill, mission.note.value("target"), purpose="objective")
        team = build_team(act, action, job)
        search_action = replace(action, skill=skill, odds=False)
        act.canonical = search_action
        return ReadyObjectiveSearch(
            team, mission, place, old_search, search_action, check_price(act, team, search_action)
        )

    def do(self, act: Act, action: SearchPlace, ready: ReadyObjectiveSearch) -> Reply:
        team, place, old_search, search_action = ready.team, ready.place, ready.before, ready.asks
        worker, skill = team.models[0], cast(Skill, ready.asks.skill)
        result = roll_check(act, team, search_action, ready.due, "search", place.name)
        choice = build_reroll_buttons(act, team, search_action, result)
        telling = Telling(why=explain_checks(team, order=action.order, title=NAMES[skill]))
        if choice and result.net_ones:
            telling.lines += describe_reroll(worker, skill, result)
        else:
            new_search = _search_after(act, ready, result)
            write_search(place, new_search)
            telling.lines += [
                *_describe_progress(act, team, ready.mission, place, old_search, new_search),
                *list_gear_reminders(act, team, skill),
            ]
            telling.lines += describe_reroll(worker, skill, result) if choice else []
            choice = (*build_taker_buttons(act, worker.side), *choice)
        relic_buttons = relics_for(act, team, search_action, result)
        dice = team_dice(team, order=action.order) if not action.stands else []
        return finish(act, telling, dice, *choice, *relic_buttons)

    def chances(self, act: ActView, action: SearchPlace, ready: ReadyObjectiveSearch) -> Chances:
        odds = act.solve(skill_check, ready.team.throws(order=action.order), label="search")
        rows = [("nothing", odds.chance(lambda result: not result.net and not result.net_ones))]
        rows += [(str(n), odds.chance(lambda result, n=n: result.net == n)) for n in (1, 2)]  # type: ignore[misc]
        rows.append(("3+", odds.chance(lambda result: result.net > 2)))
        rows.append(("critical failure", odds.chance(lambda result: result.net_ones > 0)))
        aim = ("at least 1 success", odds.chance(lambda result: result.net > 0))
        return work_chances(act, ready.team, ready.asks, ready.place.name, rows, aim)


def _search_after(act: Act, ready: ReadyObjectiveSearch, result: CheckResult) -> Search:
    """Return the place after the check. Rules: CB-MISS-22, CB-MISS-27, CB-MISS-28."""
    turn = max(1, act.encounter.row.turn)
    if ready.mission.key != "sabotage":
        return searched(ready.before, result, turn)
    several = len(places(act.encounter, ready.team.models[0].side)) > 1
    return sabotaged(ready.before, result, turn, several=several)


TRAP_TRIGGER = "trap"


def find_trap_cause(act: Act, action: Action) -> Cause | None:
    """Return the first search of a place, with a model of each other side that has set a trap somewhere.

    It is the same whether or not this place is trapped, so that nothing is told by it. Rules: CB-MISS-21.
    """
    if not isinstance(action, SearchPlace) or action.again or action.stands:
        return None
    encounter, worker, place = act.encounter, action.worker, action.place
    armed_sides = list_armed_sides(encounter, worker.side) if may_hold_trap(encounter, place) else []
    models = [encounter.models(side)[0].id for side in armed_sides if encounter.models(side)]
    event = f"{worker.name} is about to search {place.name}"
    return Cause(event, worker.side, tuple(models), worker.id, trigger=TRAP_TRIGGER, for_sides=True)


def list_trap_reactors(encounter: EncounterView, cause: Cause) -> list[int]:
    """Return the models of the sides that may still spring a trap."""
    armed_sides = list_armed_sides(encounter)
    return [row.id for row in encounter.models() if row.id in cause.models and row.side in armed_sides]


def build_taker_buttons(act: Act, side: int) -> tuple[Button, ...]:
    """Return one button for each searcher who may take what was found just now. Rules: CB-MISS-23."""
    searchers = sorted(list_finders(act.encounter, side))
    return tuple(
        Button(
            f"{act.encounter.model(searcher).name} takes it", FoundIt(reference_by_number(searcher)), "main"
        )
        for searcher in searchers
    )


def _describe_progress(
    act: Act, team: Team, mission: Mission, place: ThingRow, old_search: Search, new_search: Search
) -> list[str]:
    name = team.models[0].name
    searches = [read_search(row) for row in places(act.encounter, mission.side)]
    total_successes = stored(searches)
    SideState(act.encounter.side(mission.side)).mission_successes = total_successes
    gained = new_search.stored - old_search.stored
    if gained > 0:
        lines = [f"{name} gets {times(gained, 'success', 'successes')} at {place.name}."]
    elif gained < 0:
        lines = [f"{name} loses {times(-gained, 'success', 'successes')} at {place.name}."]
    else:
        lines = [f"{name} gets no successes at {place.name}."]
    lines.append(
        f"This place now has {times(new_search.stored, 'success', 'successes')}. All places together have "
        f"{total_successes}."
    )
    if new_search.closed and not old_search.closed:
        lines.append(f"{place.name} can no longer be searched.")
    if mission.key == "recovery" and is_found(total_successes):
        mark_found(place, [model.id for model in team.models])
        lines.append(f"{mission.about} is found here. Who takes it?")
    elif mission.key == "recovery" and all(search.closed for search in searches):
        lines.append(f"There is nowhere left to search, so {mission.about} won't be found.")
    return lines


# ------------------------------------------------------------------------------------ tokens


@handles(TakeToken)
def take(act: Act, action: TakeToken) -> Reply:
    """Pick it up in contact; its holder drops it when lost or panicked. Rules: CB-MISS-03, CB-SALV-04."""
    encounter, token, model = act.encounter, action.token, action.model
    token_names = [row.name for row in tokens(encounter)]
    if token not in token_names:
        if len(token_names) >= MAX_TOKENS:
            raise InvalidInput(f"Use fewer tokens. The table can have at most {MAX_TOKENS}.")
        lay_token(encounter, token)
    holder = find_holder(encounter, token)
    if action.drop:
        if not holder:
            raise InvalidInput(f"No model holds {token}, so there is nothing to drop.")
        act.require_model(encounter.model(holder))
        set_counter(encounter.row.counters, HELD.of(token), 0)
        return say(f"{encounter.model(holder).name} drops {token}.", buttons=[UNDO])
    if model is None:
        return say(f"{token} is on the table.", buttons=[UNDO])
    if holder and holder != model.id:
        forbid(f"{encounter.model(holder).name} holds {token} and has to drop it first.", "CB-MISS-03")
    require_handling(model)
    apply_outcome(encounter, take_token(model, token, in_contact=True))
    return say(f"{model.name} takes {token}.", buttons=[UNDO])
