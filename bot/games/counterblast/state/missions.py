"""A side's mission: its needs, its state and its score."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from bot.actions import number_in
from bot.games.counterblast.state.models import fighter, settings_of, traits_of
from bot.games.counterblast.state.table_state import PlaceState, SideState
from bot.store.rows import ModelRow, SecretRow, SideRow, ThingRow
from bot.table.act import Act, ActView
from bot.table.encounter import ENDED, GONE, Encounter, EncounterView, set_counter
from rules.counters import PerNumber
from rules.modifiers import Modifier
from rules.refusals import InvalidInput, Missing
from rules.systems.counterblast.core.conditions import CASUALTY, FLED
from rules.systems.counterblast.core.fighter import Condition
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Note
from rules.systems.counterblast.missions.missions import Search, Secret
from rules.systems.counterblast.missions.missions import mission as noted
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
from rules.wording import possessive, times

HUNTS: tuple[HuntKind, ...] = (
    "big_game_hunters",
    "bounty_hunters",
    "harbingers_of_doom",
    "masters_of_metal",
    "witch_hunters",
)
"""Possible prey of a Hunting Party."""


OBJECTIVES = "objectives"
"""The name of objectives in the score."""


RESERVE = "reserve"
"""How a model is out of play that waits to enter; at the end it counts as fled."""


def list_losses(encounter: Encounter) -> tuple[Loss, ...]:
    """Return every model that counts at the end: lost, fled, or still panicked on the table.

    The side that brought it down scores it, unless that was its own side. Rules: CB-SCORE-02.
    """
    losses_found = []
    for model in encounter.models(gone=True):
        loss_kind = _find_loss_kind(encounter, model)
        if loss_kind:
            killer = model.hurt_side if model.hurt_side not in (0, model.side) else None
            losses_found.append(
                Loss(model.id, model.side, fighter(encounter, model).profile, loss_kind, killer)
            )
    return tuple(losses_found)


def _find_loss_kind(encounter: Encounter, model: ModelRow) -> How | None:
    if model.status == GONE:
        kinds: dict[str, How] = {CASUALTY: "casualty", FLED: "fled", RESERVE: "reserve"}
        return kinds.get(model.left_how)
    return "panicked" if encounter.condition(model.id, Condition.PANICKED) else None


def scores(encounter: Encounter) -> tuple[Score, ...]:
    """Return the points of every side as they stand."""
    sides = tuple(side.id for side in encounter.sides())
    all_losses = list_losses(encounter)
    return tuple(
        score(
            side.id,
            all_losses,
            sides,
            settings_of(encounter),
            objective=SideState(side).objective_points,
            bonuses=(*_list_survey_bonus(side), *_list_underdog_bonus(side)),
            hunting=_find_hunt_kind(side.traits.get("hunting", ""))
            if traits_of(side).has("hunting_party")
            else None,
        )
        for side in encounter.sides()
    )


def _list_survey_bonus(side: SideRow) -> tuple[Modifier, ...]:
    squares = SideState(side).squares if traits_of(side).has("survey_team") else 0
    return (Modifier(squares, "Survey Team", "CB-SPEC-23"),) if squares else ()


def _list_underdog_bonus(side: SideRow) -> tuple[Modifier, ...]:
    points = SideState(side).underdog_points
    return (Modifier(points, "Underdog", "CB-UNDER-02"),) if points else ()


def _find_hunt_kind(kind: str) -> HuntKind | None:
    return next((kind_known for kind_known in get_args(HuntKind) if kind_known == kind), None)


def _format_part(part: Modifier) -> str:
    reason = "objective" if part.reason == OBJECTIVES and abs(part.amount) == 1 else part.reason
    return f"{part.amount} {reason}"


def lead_lines(encounter: Encounter) -> list[str]:
    """Return who leads by how much, between two, and what a win takes. Rules: CB-SCORE-06."""
    lines = ranking(scores(encounter))
    if len(lines) != 2:
        return []
    (_, leading_score), (_, other) = lines
    lead = leading_score.points - other.points
    lead_text = (
        f"{encounter.side(leading_score.side).name} is ahead by {lead}" if lead else "No side is ahead"
    )
    return [f"{lead_text}. A side needs a lead of {MIN_WIN} to win."]


def result_lines(encounter: Encounter) -> list[str]:
    """Return the points of every side with what made them, and the result between two."""
    results = scores(encounter)
    lines = []
    for rank, scored in ranking(results):
        parts = ", ".join(_format_part(part) for part in scored.parts)
        lines.append(
            f"{rank}. {encounter.side(scored.side).name}: {scored.points}{f' ({parts})' if parts else ''}"
        )
    if len(results) == 2:
        best_score = max(results, key=lambda one: one.points)
        other_score = next(result for result in results if result is not best_score)
        outcome = result(best_score.points, other_score.points, settings_of(encounter))
        lines.append(
            f"{outcome} for {encounter.side(best_score.side).name}." if outcome.is_win else f"{outcome}."
        )
    return lines


CHOSEN, TRAP, PLACE = "mission", "mission trap", "mission place"
"""Kinds of rows: a side's mission, a trapped place, a place on the table."""


SCORED = "mission scored"
"""Trait of a side: its mission was counted."""
BROUGHT, FOUND = "mission brought", "mission found"
"""Traits of a side: whether its Recovery brought a model or equipment, and the name of it."""

PLANS = "secret plans"
"""Trait of a side: the key of what the Secret Plans it took detail."""


SEARCHER = PerNumber("found by ")
"""Counters of a place that begin so are the models that found there what a Recovery looks for."""
CAPTIVE = "captive"
"""How a model leaves play that is carried off; tokens of captives begin so."""
AWAY_CAPTIVE = "captive elsewhere"
"""Kind of the rows of a campaign's captives, whom a crew may seek or bring along."""


SALT_LETTERS = 32


@dataclass(frozen=True, slots=True)
class Mission:
    """A side's mission: its key, the model or thing it is about, where, and whether that was declared.

    captive: the row of the captive that it seeks.
    """

    row: int
    side: int
    key: str
    model: int = 0
    about: str = ""
    place: str = ""
    declared: bool = False
    revealed: bool = False
    captive: int = 0

    @property
    def note(self) -> Note:
        """Return the mission as the data has it."""
        return noted(self.key)

    @property
    def secret(self) -> Secret:
        """Return what the rules look at."""
        return Secret(self.model, self.place, self.declared, self.revealed)


def add_salt(act: Act, side: int, text: str) -> str:
    """Return the text behind a salt that can't be guessed while the game's seed is secret."""
    salt = hmac.new(act.seed, f"secret {side} {act.entry}".encode(), hashlib.sha256).hexdigest()
    return f"{salt[:SALT_LETTERS]} {text}"


def hash_content(content: str) -> str:
    """Return the hash that /dice show shows while something is hidden."""
    return hashlib.sha256(content.encode()).hexdigest()


def store_secret(act: Act, side: int, kind: str, values: dict[str, str | int | bool]) -> SecretRow:
    """Store a secret of a side; the row has the public hash."""
    content = add_salt(act, side, json.dumps(values, sort_keys=True, ensure_ascii=False))
    number = act.book.next_id(SecretRow)
    row = SecretRow(act.book.scope, number, act.actor.user_id, side, kind, content, hash_content(content))
    return act.book.add(row)


def read_secret(row: SecretRow) -> dict[str, str | int | bool]:
    """Return what a row of this module hides."""
    values: dict[str, str | int | bool] = json.loads(row.content[SALT_LETTERS + 1 :])
    return values


def list_hidden_missions(encounter: Encounter, side: int) -> list[str]:
    """Return what a side's mission hides, in words."""
    return ["mission"] if _secret_mission(encounter, side) else []


def withdraw_mission(encounter: Encounter, side: int) -> None:
    """Withdraw a secret mission, so that another can be chosen. Raises InvalidInput if none is secret."""
    row = _secret_mission(encounter, side)
    if row is None:
        raise InvalidInput("Your side has no secret mission to change.")
    encounter.book.remove(row)


def _secret_mission(encounter: Encounter, side: int) -> SecretRow | None:
    rows = (row for row in encounter.book.all(SecretRow) if row.kind == CHOSEN and row.side == side)
    return next((row for row in rows if not row.revealed), None)


def find_mission(encounter: EncounterView, side: int) -> Mission | None:
    """Return the mission of a side, None before it chose one."""
    for row in encounter.book.all(SecretRow):
        if row.kind == CHOSEN and row.side == side:
            values = read_secret(row)
            return Mission(
                row.id,
                side,
                str(values["mission"]),
                int(values.get("model", 0)),
                str(values.get("about", "")),
                str(values.get("place", "")),
                bool(values.get("declared", False)) or bool(SideState(encounter.side(side)).mission_declared),
                row.revealed or encounter.row.status == ENDED,
                int(values.get("captive", 0)),
            )
    return None


def require_mission(encounter: EncounterView, side: int) -> Mission:
    """Return the mission of a side. Raises InvalidInput before it chose one."""
    mission = find_mission(encounter, side)
    if mission is None:
        has_begun = encounter.row.turn > 0
        advice = (
            "Missions can only be chosen before the first turn."
            if has_begun
            else "Choose one with /mission choose."
        )
        raise InvalidInput(f"{encounter.side(side).name} has no mission. {advice}")
    return mission


def add_objective_points(side: SideRow, points: int) -> None:
    """Add objective points of a side's own mission, below 0 those that it loses again."""
    for counter in (SideState.objective_points.key, SideState.own_mission_points.key):
        set_counter(side.counters, counter, max(0, side.counters.get(counter, 0) + points))


def list_uncounted_sides(encounter: Encounter) -> list[SideRow]:
    """Return the sides whose missions are not counted yet."""
    return [
        side
        for side in encounter.sides()
        if not side.traits.get(SCORED) and find_mission(encounter, side.id) is not None
    ]


def may_see_secrets(encounter: EncounterView, user_id: int, side: int) -> bool:
    """Return whether a person may see a side's secrets: a player of it, or of all models if it has none."""
    seats = [seat for seat in encounter.seats() if seat.role != "spectator" and seat.side == side]
    if seats:
        return any(seat.user_id == user_id for seat in seats)
    return any(model.owner_id == user_id for model in encounter.models(side, gone=True))


def find_own_side(act: ActView, text: str) -> SideRow:
    """Return the side of that name or #number, whose secrets the asker sees. Raises InvalidInput."""
    encounter = act.encounter
    number = number_in(text)
    side = encounter.side(number) if number is not None else encounter.find_side(text)
    if side not in list_own_sides(act):
        raise InvalidInput(f"You don't play {side.name}. Choose your own side.")
    return side


def own_side(act: Act) -> SideRow:
    """Return the asker's side, the only one whose secrets the asker sees. Raises InvalidInput."""
    sides, seat = list_own_sides(act), act.seat
    for side in sides:
        if len(sides) == 1 or (seat is not None and seat.side == side.id):
            return side
    raise Missing("You play several sides. Choose the side you mean.")


def list_own_sides(act: ActView) -> list[SideRow]:
    """Return the sides whose secrets the person who asks sees. Raises InvalidInput where there is none.

    No organiser overrides this: what is secret stays with its players.
    """
    encounter, user = act.encounter, act.actor.user_id
    sides = [side for side in encounter.sides() if may_see_secrets(encounter, user, side.id)]
    if not sides:
        raise InvalidInput("You don't play a side here. Join with /encounter join.")
    return sides


def describe_mission(encounter: Encounter, mission: Mission) -> list[str]:
    """Return a mission in full."""
    lines = [mission.note.name]
    if mission.model:
        lines.append(f"Target: {encounter.model(mission.model).name}")
    if mission.about:
        lines.append(f"Looking for: {mission.about}")
    if mission.place:
        lines.append(f"Place: {mission.place}")
    if mission.declared:
        lines.append("Declared before the first turn")
    return lines


def reveal_mission(encounter: Encounter, mission: Mission) -> list[str]:
    """Reveal a mission to everyone. Return what it is, in lines."""
    row = encounter.book.get(SecretRow, mission.row)
    assert row is not None, "it was read"
    row.revealed = True
    name = encounter.side(mission.side).name
    title, *details = describe_mission(encounter, mission)
    return [f"{possessive(name)} mission: {title}.", *details]


def revealed_lines(encounter: Encounter) -> list[str]:
    """Return every secret mission and trap in a line each, for the end of the game."""
    lines = []
    for row in encounter.book.all(SecretRow):
        if row.kind not in (CHOSEN, TRAP) or row.revealed:
            continue
        name = encounter.side(row.side).name
        if row.kind == CHOSEN:
            mission = find_mission(encounter, row.side)
            assert mission is not None, "its row is there"
            title, *details = describe_mission(encounter, mission)
            detail_text = f" ({'; '.join(details)})" if details else ""
            lines.append(f"{possessive(name)} mission was {title}{detail_text}.")
        else:
            place = encounter.book.get(ThingRow, int(read_secret(row)["place"]))
            lines.append(f"{name} had set a trap at {place.name if place else 'a place'}.")
    return lines


# ------------------------------------------------------------------------------------ places


def places(encounter: EncounterView, side: int = 0) -> list[ThingRow]:
    """Return the places of missions on the table, of one side if given."""
    rows = [row for row in encounter.book.all(ThingRow) if row.kind == PLACE]
    return [row for row in rows if side in (0, PlaceState(row).side)]


def read_search(place: ThingRow) -> Search:
    """Return what was done at a place."""
    count = place.counters.get
    return Search(
        count(PlaceState.stored.key, 0),
        count(PlaceState.last_turn.key, 0),
        bool(count(PlaceState.closed.key, 0)),
    )


def list_finders(encounter: EncounterView, side: int) -> frozenset[int]:
    """Return who made the check that found what a Recovery looks for; empty before.

    Rules: CB-MISS-22, CB-MISS-23.
    """
    return frozenset(
        number for place in places(encounter, side) for number in SEARCHER.among(place.counters.items())
    )


def mark_found(place: ThingRow, searchers: Sequence[int]) -> None:
    """Note that it was found here, by these models."""
    place.counters = {**place.counters, **{SEARCHER.of(number): 1 for number in searchers}}


def write_search(place: ThingRow, search: Search) -> None:
    """Store what was done at a place."""
    values = {
        PlaceState.stored.key: search.stored,
        PlaceState.last_turn.key: search.last_turn,
        PlaceState.closed.key: int(search.closed),
    }
    place.counters = {
        **{key: amount for key, amount in place.counters.items() if key not in values},
        **{key: amount for key, amount in values.items() if amount},
    }


def place_lines(encounter: Encounter, rows: Sequence[ThingRow]) -> list[str]:
    """Return the places with what was done there."""
    lines = []
    for row in rows:
        search = read_search(row)
        state = " (nothing more can be done here)" if search.closed else ""
        lines.append(f"{row.name}: {times(search.stored, 'success', 'successes')}{state}")
    return lines


def list_plannable() -> list[str]:
    """Return what Secret Plans may detail: robots and equipment, by name."""
    library = load()
    robots = [profile.name for profile in library.profiles if profile.is_robot]
    return [*robots, *(item.name for item in (*library.weapons, *library.gear))]
