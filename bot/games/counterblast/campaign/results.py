"""Work out the result of a reported encounter, and recount it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bot.games.counterblast.state.missions import BROUGHT, OBJECTIVES, mission_of, scores
from bot.games.counterblast.state.models import settings_in
from bot.games.counterblast.state.table_state import SideState
from bot.store.row_types import FixtureRow, ProposalRow, ResultRow
from bot.store.rows import Counters
from bot.table.campaign.campaign_games import fielded
from bot.table.ledger.campaign_book import (
    BATTLE,
    CAMPAIGN,
    OBJECTIVE,
    PROPOSED,
    PURSE,
    Campaign,
    amount_words,
)
from bot.table.ledger.campaign_rules import Battle, Posts
from rules.counters import as_kept
from rules.systems.counterblast.campaign import OUT, Underdog, behind, reinforcements, underdog
from rules.systems.counterblast.core.settings import Settings
from rules.systems.counterblast.missions.score import Result, result
from rules.wording import times

BEHIND = "behind"
"""Fact of a result, trait of a side: how many points it was behind, which makes it the Underdog or not."""


def behind_of(camp: Campaign, entrant: int, opponent: int) -> int:
    """Return how many points a crew is behind the one that it meets. Rules: CB-UNDER-01."""
    own_points, rival_points = (
        sum(row.points for row in fielded(camp, owner)) for owner in (entrant, opponent)
    )
    unspent = camp.balance(entrant, PURSE) + sum(
        row.points for row in camp.veterans(entrant) if row.benched and not row.counters.get(OUT)
    )
    return behind(own_points, unspent, [rival_points])


def come_to(camp: Campaign, battle: Battle) -> dict[int, tuple[str, int, dict[str, str]]]:
    """Work out both entrants' Victory Points, result and sources. Rules: CB-SCORE-06, CB-CAMP-03."""
    settings = settings_in(camp.row.settings)
    if battle.encounter is None:
        return _typed(camp, battle, settings)
    scored = {score.side: score for score in scores(battle.encounter)}
    by_entrant: dict[int, tuple[str, int, dict[str, str]]] = {}
    for entrant in battle.entrants:
        side = battle.encounter.side(battle.sides[entrant])
        own_score = scored[battle.sides[entrant]]
        rival_score = scored[battle.sides[battle.opponent(entrant)]]
        mission = mission_of(battle.encounter, side.id)
        objective = sum(part.amount for part in own_score.parts if part.reason == OBJECTIVES)
        facts = {
            "objective": str(objective),
            "battle": str(sum(p.amount for p in own_score.parts if p.reason != OBJECTIVES)),
            "mission": mission.key if mission else "",
            "brought": side.traits.get(BROUGHT, ""),
            "successes": str(SideState(side).mission_successes),
            "success": "yes" if SideState(side).own_mission_points else "",
            "underdog": str(SideState(side).underdog_points),
            "underdog_bonus": str(SideState(side).underdog_bonus),
        }
        if BEHIND in side.traits:
            facts[BEHIND] = side.traits[BEHIND]
        won = result(own_score.points, rival_score.points, settings)
        if won.is_win:
            facts["brought"] = ",".join(filter(None, [facts["brought"], "won"]))
        by_entrant[entrant] = (str(won), own_score.points, facts)
    return by_entrant


def _typed(camp: Campaign, battle: Battle, settings: Settings) -> dict[int, tuple[str, int, dict[str, str]]]:
    deficits = {entrant: behind_of(camp, entrant, battle.opponent(entrant)) for entrant in battle.entrants}
    smaller = {entrant: underdog(deficits[entrant], settings) for entrant in battle.entrants}
    points = {entrant: battle.points[entrant] + smaller[entrant].battle_points for entrant in battle.entrants}
    return {
        entrant: (
            str(result(points[entrant], points[battle.opponent(entrant)], settings)),
            points[entrant],
            {
                "objective": str(battle.objectives.get(entrant, 0)),
                "battle": str(points[entrant] - battle.objectives.get(entrant, 0)),
                "underdog": str(smaller[entrant].battle_points),
                "underdog_bonus": str(smaller[entrant].campaign_points),
                BEHIND: str(deficits[entrant]),
            },
        )
        for entrant in battle.entrants
    }


def recounted(
    camp: Campaign, old: tuple[ResultRow, ResultRow], points: Mapping[int, int], objectives: Mapping[int, int]
) -> dict[int, ResultRow]:
    """Return both results of a fixture with other Victory Points.

    The missions' points stay, as far as they go, where `objectives` says no other. Rules: CB-CAMP-03,
    CB-UNDER-04.
    """
    new_results, settings = {}, settings_in(camp.row.settings)
    for row, other in (old, (old[1], old[0])):
        own_points = points[row.entrant]
        objective = objectives.get(row.entrant, min(int(row.facts["objective"]), own_points))
        facts = {**row.facts, "objective": str(objective), "battle": str(own_points - objective)}
        won = result(own_points, points[other.entrant], settings)
        brought = [name for name in facts.get("brought", "").split(",") if name and name != "won"]
        if "brought" in facts:
            facts["brought"] = ",".join([*brought, *(["won"] if won.is_win else [])])
        new_results[row.entrant] = replace(row, result=str(won), points=own_points, facts=facts)
    return new_results


def follow_points(camp: Campaign, item: ProposalRow) -> None:
    """Bring a report's totals, results and points for them into line with a line of points that was changed.

    Amounts that someone changed by hand stay. Rules: CB-CAMP-03, CB-CAMP-04, CB-CAMP-05, CB-SCORE-06.
    """
    own_row = next(row for row in camp.results(item.entrant, PROPOSED))
    rival_row = next(
        row for row in camp.results(own_row.opponent, PROPOSED) if row.fixture == own_row.fixture
    )
    parts = {key: int(own_row.facts[fact]) for key, fact in FACTS.items()} | {as_kept(item.text): item.amount}
    points = {own_row.entrant: sum(parts.values()), rival_row.entrant: rival_row.points}
    for entrant, fresh in recounted(
        camp, (own_row, rival_row), points, {own_row.entrant: parts[OBJECTIVE]}
    ).items():
        row = own_row if entrant == own_row.entrant else rival_row
        old_rewards, new_rewards = rewards(row), rewards(fresh)
        for line in camp.proposals(camp.fixture(own_row.fixture)):
            counted = (
                line.kind == "points" and line.entrant == entrant and not line.was and line.id != item.id
            )
            if counted and line.text in (CAMPAIGN, PURSE) and line.amount == old_rewards[as_kept(line.text)]:
                line.amount = new_rewards[as_kept(line.text)]
                line.reason = fresh.result if line.reason == row.result else line.reason
        row.result, row.points, row.facts = fresh.result, fresh.points, dict(fresh.facts)


FACTS = {OBJECTIVE: "objective", BATTLE: "battle"}
"""The facts of a result that hold its points, by account."""


def rewards(row: ResultRow) -> Counters:
    """Return the counted rewards of a result; the Underdog's point stays as it was.

    Rules: CB-CAMP-03, CB-CAMP-04, CB-CAMP-05.
    """
    return {
        CAMPAIGN: Result(row.result).campaign_points,
        OBJECTIVE: int(row.facts["objective"]),
        BATTLE: int(row.facts["battle"]),
        PURSE: reinforcements(row.points),
    }


def unsettled(camp: Campaign, fixture: FixtureRow, posts: Posts) -> list[str]:
    """Return later games whose Underdog would have been another with what the purse holds now.

    Battle Points of an Underdog count for who wins, so it is left to people whether that game is corrected
    too. Rules: CB-UNDER-01.
    """
    doubts, settings = [], settings_in(camp.row.settings)
    for entrant, account, amount in posts:
        for row in camp.results(entrant) if account == PURSE else ():
            later_fixture = camp.fixture(row.fixture)
            if later_fixture.round <= fixture.round or "underdog" not in row.facts:
                continue
            head = f"Round {later_fixture.round}, {camp.versus(later_fixture)}:"
            name = camp.entrant(entrant).name
            was = Underdog(int(row.facts["underdog"]), int(row.facts["underdog_bonus"]))
            if BEHIND not in row.facts:
                doubts.append(
                    f"{head} I can't tell whether {name} would still be the Underdog, so its bonus stays."
                )
                continue
            lag = int(row.facts[BEHIND])
            fresh = underdog(lag - amount, settings)
            if fresh != was:
                doubts.append(
                    f"{head} {name} {_behind(lag - amount, lag)}. Its Underdog bonus should be "
                    f"{_given(fresh)}, not {_given(was)}. To change the bonus, use /organise correct."
                )
    return doubts


def _behind(points: int, noted: int) -> str:
    return (
        f"was really {times(points, 'point')} behind, not {noted}" if points > 0 else "was not really behind"
    )


def _given(bonus: Underdog) -> str:
    parts = ((bonus.battle_points, BATTLE), (bonus.campaign_points, CAMPAIGN))
    return " and ".join(amount_words(amount, key) for amount, key in parts if amount) or "nothing"
