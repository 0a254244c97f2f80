"""What a result of Counterblast brings by counting alone, and the same with other Victory Points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bot.games.counterblast.campaign.results import BEHIND
from bot.games.counterblast.core.fighters import settings_in
from bot.store.campaign_rows import FixtureRow, ProposalRow, ResultRow
from bot.store.rows import Counters
from bot.table.campaign.campaign_book import (
    BATTLE,
    CAMPAIGN,
    OBJECTIVE,
    PROPOSED,
    PURSE,
    Campaign,
    amount_words,
)
from bot.table.campaign.campaign_rules import Posts
from rules.counters import as_kept
from rules.systems.counterblast.campaign.campaign import Underdog, reinforcements, underdog
from rules.systems.counterblast.missions.score import Result, result


def recounted(
    camp: Campaign,
    old: tuple[ResultRow, ResultRow],
    points: Mapping[int, int],
    objectives: Mapping[int, int],
) -> dict[int, ResultRow]:
    """Return both results of a fixture with other Victory Points.

    The missions' points stay, as far as they go, where `objectives` says no other. Rules: CB-CAMP-03,
    CB-UNDER-04.
    """
    found, settings = {}, settings_in(camp.row.settings)
    for row, other in (old, (old[1], old[0])):
        mine = points[row.entrant]
        objective = objectives.get(row.entrant, min(int(row.facts["objective"]), mine))
        facts = {**row.facts, "objective": str(objective), "battle": str(mine - objective)}
        won = result(mine, points[other.entrant], settings)
        brought = [one for one in facts.get("brought", "").split(",") if one and one != "won"]
        if "brought" in facts:
            facts["brought"] = ",".join([*brought, *(["won"] if won.is_win else [])])
        found[row.entrant] = replace(row, result=str(won), points=mine, facts=facts)
    return found


def follow_points(camp: Campaign, of: ProposalRow) -> None:
    """Bring a report's totals, results and points for them into line with a line of points that was changed.

    Amounts that somebody changed by hand stay. Rules: CB-CAMP-03, CB-CAMP-04, CB-CAMP-05, CB-SCORE-06.
    """
    mine = next(row for row in camp.results(of.entrant, PROPOSED))
    theirs = next(row for row in camp.results(mine.opponent, PROPOSED) if row.fixture == mine.fixture)
    parts = {key: int(mine.facts[fact]) for key, fact in FACTS.items()} | {as_kept(of.text): of.amount}
    points = {mine.entrant: sum(parts.values()), theirs.entrant: theirs.points}
    for entrant, fresh in recounted(camp, (mine, theirs), points, {mine.entrant: parts[OBJECTIVE]}).items():
        row = mine if entrant == mine.entrant else theirs
        before, now = rewards(row), rewards(fresh)
        for line in camp.proposals():
            counted = line.kind == "points" and line.entrant == entrant and not line.was and line.id != of.id
            if counted and line.text in (CAMPAIGN, PURSE) and line.amount == before[as_kept(line.text)]:
                line.amount = now[as_kept(line.text)]
                line.reason = fresh.result if line.reason == row.result else line.reason
        row.result, row.points, row.facts = fresh.result, fresh.points, dict(fresh.facts)


FACTS = {OBJECTIVE: "objective", BATTLE: "battle"}
"""The facts of a result that hold its points, by account."""


def rewards(row: ResultRow) -> Counters:
    """What a result brings by counting alone; the Underdog's point stays whatever it was.

    Rules: CB-CAMP-03, CB-CAMP-04, CB-CAMP-05.
    """
    return {
        CAMPAIGN: Result(row.result).campaign_points,
        OBJECTIVE: int(row.facts["objective"]),
        BATTLE: int(row.facts["battle"]),
        PURSE: reinforcements(row.points),
    }


def unsettled(camp: Campaign, fixture: FixtureRow, posts: Posts) -> list[str]:
    """Games since then whose Underdog would have been another with what the purse holds now.

    Battle Points of an Underdog count for who wins, so it is left to people whether that game is corrected
    too. Rules: CB-UNDER-01.
    """
    found, settings = [], settings_in(camp.row.settings)
    for entrant, account, amount in posts:
        for row in camp.results(entrant) if account == PURSE else ():
            later = camp.fixture(row.fixture)
            if later.round <= fixture.round or "underdog" not in row.facts:
                continue
            head = f"round {later.round}, {camp.versus(later)}: {camp.entrant(entrant).name} as Underdog,"
            was = Underdog(int(row.facts["underdog"]), int(row.facts["underdog_bonus"]))
            if BEHIND not in row.facts:
                found.append(f"{head} not known with {amount:+d} requisition: stays")
                continue
            less = int(row.facts[BEHIND])
            now = underdog(less - amount, settings)
            if now != was:
                by = f"{less} > {less - amount} points behind, {_given(was)} > {_given(now)}"
                found.append(f"{head} {by}: stays; /organise correct that round")
    return found


def _given(found: Underdog) -> str:
    """What an Underdog gets, in words."""
    parts = ((found.battle_points, BATTLE), (found.campaign_points, CAMPAIGN))
    return " and ".join(amount_words(amount, key) for amount, key in parts if amount) or "none"
