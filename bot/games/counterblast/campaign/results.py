"""What a battle of Counterblast came to for each crew: seen on the table, or typed in."""

from __future__ import annotations

from bot.games.counterblast.core.fighters import settings_in
from bot.games.counterblast.missions.mission_state import (
    BROUGHT,
    OWN,
    mission_of,
)
from bot.games.counterblast.missions.mission_work import SUCCESSES
from bot.games.counterblast.missions.scoring import OBJECTIVES, UNDERDOG, UNDERDOG_BONUS, scores
from bot.table.campaign.campaign_book import PURSE, Campaign
from bot.table.campaign.campaign_games import fielded
from bot.table.campaign.campaign_rules import Battle
from rules.systems.counterblast.campaign.aftermath import OUT
from rules.systems.counterblast.campaign.campaign import behind, underdog
from rules.systems.counterblast.core.settings import Settings
from rules.systems.counterblast.missions.score import result

BEHIND = "behind"
"""Fact of a result, trait of a side: how many points it was behind, which makes it the Underdog or not."""


def behind_of(camp: Campaign, entrant: int, opponent: int) -> int:
    """How many points a crew is behind the one that it meets. Rules: CB-UNDER-01."""
    mine, theirs = (sum(row.points for row in fielded(camp, one)) for one in (entrant, opponent))
    unspent = camp.balance(entrant, PURSE) + sum(
        row.points for row in camp.veterans(entrant) if row.benched and not row.counters.get(OUT)
    )
    return behind(mine, unspent, [theirs])


def come_to(camp: Campaign, battle: Battle) -> dict[int, tuple[str, int, dict[str, str]]]:
    """Victory Points, result and what made them, of both entrants. Rules: CB-SCORE-06, CB-CAMP-03."""
    settings = settings_in(camp.row.settings)
    if battle.encounter is None:
        return _typed(camp, battle, settings)
    scored = {one.side: one for one in scores(battle.encounter)}
    found: dict[int, tuple[str, int, dict[str, str]]] = {}
    for entrant in battle.entrants:
        side = battle.encounter.side(battle.sides[entrant])
        mine = scored[battle.sides[entrant]]
        theirs = scored[battle.sides[battle.opponent(entrant)]]
        mission = mission_of(battle.encounter, side.id)
        objective = sum(part.amount for part in mine.parts if part.reason == OBJECTIVES)
        facts = {
            "objective": str(objective),
            "battle": str(sum(p.amount for p in mine.parts if p.reason != OBJECTIVES)),
            "mission": mission.key if mission else "",
            "brought": side.traits.get(BROUGHT, ""),
            "successes": str(side.counters.get(SUCCESSES, 0)),
            "success": "yes" if side.counters.get(OWN) else "",
            "underdog": str(side.counters.get(UNDERDOG, 0)),
            "underdog_bonus": str(side.counters.get(UNDERDOG_BONUS, 0)),
        }
        if BEHIND in side.traits:
            facts[BEHIND] = side.traits[BEHIND]
        won = result(mine.points, theirs.points, settings)
        if won.is_win:
            facts["brought"] = ",".join(filter(None, [facts["brought"], "won"]))
        found[entrant] = (str(won), mine.points, facts)
    return found


def _typed(camp: Campaign, battle: Battle, settings: Settings) -> dict[int, tuple[str, int, dict[str, str]]]:
    """From Victory Points typed in; the Underdog's are added."""
    less = {entrant: behind_of(camp, entrant, battle.opponent(entrant)) for entrant in battle.entrants}
    smaller = {entrant: underdog(less[entrant], settings) for entrant in battle.entrants}
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
                BEHIND: str(less[entrant]),
            },
        )
        for entrant in battle.entrants
    }
