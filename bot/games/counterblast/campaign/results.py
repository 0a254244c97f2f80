"""Work out the result of a reported encounter, and recount it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bot.games.counterblast.state.missions import BROUGHT, OBJECTIVES, find_mission, scores
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
    format_amount,
)
from bot.table.ledger.campaign_rules import Battle, Posts
from rules.counters import as_kept
from rules.systems.counterblast.campaign import (
    ENCOUNTERS_OUT,
    Underdog,
    count_points_below,
    count_reinforcements,
    find_underdog_benefits,
)
from rules.systems.counterblast.core.settings import Settings
from rules.systems.counterblast.missions.score import Result, result
from rules.wording import times

POINTS_BEHIND = "behind"
"""Fact of a result, trait of a side: how many points it was behind, which makes it the Underdog or not."""


def count_points_behind(camp: Campaign, entrant: int, opponent: int) -> int:
    """Return how many points a crew is behind the one that it meets. Rules: CB-UNDER-01."""
    own_points, rival_points = (
        sum(row.points for row in fielded(camp, owner)) for owner in (entrant, opponent)
    )
    unspent = camp.balance(entrant, PURSE) + sum(
        row.points for row in camp.veterans(entrant) if row.benched and not row.counters.get(ENCOUNTERS_OUT)
    )
    return count_points_below(own_points, unspent, [rival_points])


def work_out_results(camp: Campaign, battle: Battle) -> dict[int, tuple[str, int, dict[str, str]]]:
    """Work out both entrants' Victory Points, result and sources. Rules: CB-SCORE-06, CB-CAMP-03."""
    settings = settings_in(camp.row.settings)
    if battle.encounter is None:
        return _work_out_typed_results(camp, battle, settings)
    scores_by_side = {score.side: score for score in scores(battle.encounter)}
    results: dict[int, tuple[str, int, dict[str, str]]] = {}
    for entrant in battle.entrants:
        side = battle.encounter.side(battle.sides[entrant])
        own_score = scores_by_side[battle.sides[entrant]]
        rival_score = scores_by_side[battle.sides[battle.opponent(entrant)]]
        mission = find_mission(battle.encounter, side.id)
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
        if POINTS_BEHIND in side.traits:
            facts[POINTS_BEHIND] = side.traits[POINTS_BEHIND]
        own_result = result(own_score.points, rival_score.points, settings)
        if own_result.is_win:
            facts["brought"] = ",".join(filter(None, [facts["brought"], "won"]))
        results[entrant] = (str(own_result), own_score.points, facts)
    return results


def _work_out_typed_results(
    camp: Campaign, battle: Battle, settings: Settings
) -> dict[int, tuple[str, int, dict[str, str]]]:
    deficits = {
        entrant: count_points_behind(camp, entrant, battle.opponent(entrant)) for entrant in battle.entrants
    }
    underdogs = {entrant: find_underdog_benefits(deficits[entrant], settings) for entrant in battle.entrants}
    points = {
        entrant: battle.points[entrant] + underdogs[entrant].battle_points for entrant in battle.entrants
    }
    return {
        entrant: (
            str(result(points[entrant], points[battle.opponent(entrant)], settings)),
            points[entrant],
            {
                "objective": str(battle.objectives.get(entrant, 0)),
                "battle": str(points[entrant] - battle.objectives.get(entrant, 0)),
                "underdog": str(underdogs[entrant].battle_points),
                "underdog_bonus": str(underdogs[entrant].campaign_points),
                POINTS_BEHIND: str(deficits[entrant]),
            },
        )
        for entrant in battle.entrants
    }


def recount_results(
    camp: Campaign, old: tuple[ResultRow, ResultRow], points: Mapping[int, int], objectives: Mapping[int, int]
) -> dict[int, ResultRow]:
    """Return both results of a fixture with other Victory Points.

    The missions' points stay, as far as they go, where `objectives` says no other. Rules: CB-CAMP-03,
    CB-UNDER-04.
    """
    new_results, settings = {}, settings_in(camp.row.settings)
    for row, rival in (old, (old[1], old[0])):
        own_points = points[row.entrant]
        objective = objectives.get(row.entrant, min(int(row.facts["objective"]), own_points))
        facts = {**row.facts, "objective": str(objective), "battle": str(own_points - objective)}
        own_result = result(own_points, points[rival.entrant], settings)
        brought_items = [name for name in facts.get("brought", "").split(",") if name and name != "won"]
        if "brought" in facts:
            facts["brought"] = ",".join([*brought_items, *(["won"] if own_result.is_win else [])])
        new_results[row.entrant] = replace(row, result=str(own_result), points=own_points, facts=facts)
    return new_results


def update_results(camp: Campaign, item: ProposalRow) -> None:
    """Bring a report's totals, results and points for them into line with a line of points that was changed.

    Amounts that someone changed by hand stay. Rules: CB-CAMP-03, CB-CAMP-04, CB-CAMP-05, CB-SCORE-06.
    """
    own_row = next(row for row in camp.results(item.entrant, PROPOSED))
    rival_row = next(
        row for row in camp.results(own_row.opponent, PROPOSED) if row.fixture == own_row.fixture
    )
    parts = {key: int(own_row.facts[fact]) for key, fact in FACT_KEYS.items()} | {
        as_kept(item.text): item.amount
    }
    points = {own_row.entrant: sum(parts.values()), rival_row.entrant: rival_row.points}
    for entrant, new_result in recount_results(
        camp, (own_row, rival_row), points, {own_row.entrant: parts[OBJECTIVE]}
    ).items():
        row = own_row if entrant == own_row.entrant else rival_row
        old_rewards, new_rewards = count_rewards(row), count_rewards(new_result)
        for line in camp.proposals(camp.fixture(own_row.fixture)):
            is_unedited = (
                line.kind == "points" and line.entrant == entrant and not line.was and line.id != item.id
            )
            if (
                is_unedited
                and line.text in (CAMPAIGN, PURSE)
                and line.amount == old_rewards[as_kept(line.text)]
            ):
                line.amount = new_rewards[as_kept(line.text)]
                line.reason = new_result.result if line.reason == row.result else line.reason
        row.result, row.points, row.facts = new_result.result, new_result.points, dict(new_result.facts)


FACT_KEYS = {OBJECTIVE: "objective", BATTLE: "battle"}
"""The facts of a result that hold its points, by account."""


def count_rewards(row: ResultRow) -> Counters:
    """Return the counted rewards of a result; the Underdog's point stays as it was.

    Rules: CB-CAMP-03, CB-CAMP-04, CB-CAMP-05.
    """
    return {
        CAMPAIGN: Result(row.result).campaign_points,
        OBJECTIVE: int(row.facts["objective"]),
        BATTLE: int(row.facts["battle"]),
        PURSE: count_reinforcements(row.points),
    }


def find_changed_underdogs(camp: Campaign, fixture: FixtureRow, posts: Posts) -> list[str]:
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
            old_bonus = Underdog(int(row.facts["underdog"]), int(row.facts["underdog_bonus"]))
            if POINTS_BEHIND not in row.facts:
                doubts.append(
                    f"{head} I can't tell whether {name} would still be the Underdog, so its bonus stays."
                )
                continue
            points_behind = int(row.facts[POINTS_BEHIND])
            new_bonus = find_underdog_benefits(points_behind - amount, settings)
            if new_bonus != old_bonus:
                doubts.append(
                    f"{head} {name} {_describe_deficit(points_behind - amount, points_behind)}. "
                    f"Its Underdog bonus should be {_describe_bonus(new_bonus)}, not "
                    f"{_describe_bonus(old_bonus)}. To change the bonus, use /organise correct."
                )
    return doubts


def _describe_deficit(points: int, noted_points: int) -> str:
    if points <= 0:
        return "wasn't behind after all"
    return f"was really {times(points, 'point')} behind{f', not {noted_points}' if noted_points > 0 else ''}"


def _describe_bonus(bonus: Underdog) -> str:
    parts = ((bonus.battle_points, BATTLE), (bonus.campaign_points, CAMPAIGN))
    return " and ".join(format_amount(amount, key) for amount, key in parts if amount) or "nothing"
