"""What a result of Counterblast brings by counting alone, and the same with other Victory Points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bot.games.counterblast.core.fighters import settings_in
from bot.store.campaign_rows import ResultRow
from bot.table.campaign.campaign_book import BATTLE, CAMPAIGN, OBJECTIVE, PURSE, Campaign
from rules.systems.counterblast.campaign.campaign import reinforcements
from rules.systems.counterblast.missions.score import Result, result


def recounted(
    camp: Campaign, old: tuple[ResultRow, ResultRow], points: Mapping[int, int]
) -> dict[int, ResultRow]:
    """Both results of a fixture with other Victory Points; the missions' points stay, as far as they go.

    Rules: CB-CAMP-03, CB-UNDER-04.
    """
    found, settings = {}, settings_in(camp.row.settings)
    for row, other in (old, (old[1], old[0])):
        mine = points[row.entrant]
        objective = min(int(row.facts["objective"]), mine)
        facts = {**row.facts, "objective": str(objective), "battle": str(mine - objective)}
        won = result(mine, points[other.entrant], settings)
        brought = [one for one in facts.get("brought", "").split(",") if one and one != "won"]
        if "brought" in facts:
            facts["brought"] = ",".join([*brought, *(["won"] if won.is_win else [])])
        found[row.entrant] = replace(row, result=str(won), points=mine, facts=facts)
    return found


def rewards(row: ResultRow) -> dict[str, int]:
    """What a result brings by counting alone; the Underdog's point stays whatever it was.

    Rules: CB-CAMP-03, CB-CAMP-04, CB-CAMP-05.
    """
    return {
        CAMPAIGN: Result(row.result).campaign_points,
        OBJECTIVE: int(row.facts["objective"]),
        BATTLE: int(row.facts["battle"]),
        PURSE: reinforcements(row.points),
    }
