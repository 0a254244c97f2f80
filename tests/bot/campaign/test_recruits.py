"""Free recruits that a win brings Edofleini and Neiran crews."""

from __future__ import annotations

import pytest

from bot.games.counterblast.campaign.spoils import TakeRecruit
from bot.store.row_types import ProposalRow
from bot.table.campaign.campaign_crews import Adjust, Bench, Buy, Dismiss, Lead
from bot.table.campaign.campaign_games import PlayFixture
from bot.table.campaign.campaigns import CreateCampaign, JoinCampaign, Schedule
from bot.table.rosters.crews import AppointLeader
from bot.table.rosters.muster import SetTrait
from tests.bot.campaign.league import League
from tests.bot.campaign.test_report import confirmed

EDO_LOSE = (("Prime Leader", "casualty", 9), ("Spawnguard", "casualty", 9))
WHY = "to test an alignment that this crew has not earned"
SKIP_LEFT = ("Skip Westmoreland", "fled", 0)


async def paired(league: League, alignment: str, limit: int = 0) -> None:
    """Anna, whose crew claims the benefits of an affiliation and is led by Skip (INT 2D+1), meets Bo."""
    for who in ("anna", "bo"):
        await league.crew(who)
    await league.table.do("anna", AppointLeader(league.crews["anna"], "Skip Westmoreland"))
    if alignment:
        await league.table.done("anna", SetTrait(league.crews["anna"], "alignment", alignment))
    made = await league.table.done("anna", CreateCampaign("Rust Belt", limit=limit))
    league.scope = made.scope
    for who in ("anna", "bo"):
        await league.done(who, JoinCampaign(league.scope, league.crews[who]), reason=WHY)
    await league.done("anna", Schedule(league.scope))


async def proposed(league: League) -> list[tuple[str, int]]:
    """What the open report proposes of free recruits: the reason, how many."""
    rows = (await league.book()).all(ProposalRow)
    return [(row.reason, row.amount) for row in rows if row.text == "free recruits"]


async def give(league: League, account: str, amount: int) -> None:
    await league.done("anna", Adjust(league.scope, "Lancers", account, amount, "to test"))


def take(league: League, who: str) -> TakeRecruit:
    return TakeRecruit(league.scope, "Lancers", who)


@pytest.mark.rule("CB-CREW-16", "CB-STAT-04")
async def test_a_win_brings_a_neiran_crew_as_many_as_its_leader_has_intellect_dice(league: League) -> None:
    """INT 2D+1: one Gladiator and one Arnt, or two Arnts; then no more until one is lost."""
    await paired(league, "neiran")
    assert "can't add a free recruit now. Win a game to earn one." in await league.refused(
        "anna", take(league, "Arnt")
    )
    await league.report("anna", await league.played("anna", *EDO_LOSE))
    assert await proposed(league) == [("for a win; the leader has INT 2D+1", 2)]
    told = await confirmed(league)
    assert "Lancers can add 2 free recruits. Use /spoils recruit." in " ".join(told.reply.text.split())
    assert "isn't a free recruit. Only Gladiators and Arnts are." in await league.refused(
        "anna", take(league, "Shadowsister")
    )
    first = await league.done("anna", take(league, "Gladiator"))
    assert first.reply.lines[:2] == (
        "Gladiator joins Lancers for free.",
        "You have 1 free recruit left to add.",
    )
    await league.done("anna", take(league, "Arnt"))
    assert "can't add a free recruit now. Win a game to earn one." in await league.refused(
        "anna", take(league, "Arnt")
    )
    await give(league, "free recruits", 1)
    assert "2 free recruits, which is the limit set by its leader's INT." in await league.refused(
        "anna", take(league, "Arnt")
    )
    await league.done("anna", Dismiss(league.scope, "", "Gladiator"))
    await league.done("anna", take(league, "Arnt"))


@pytest.mark.rule("CB-CREW-16")
@pytest.mark.parametrize(
    ("alignment", "lost"),
    [("gcw", EDO_LOSE), ("", EDO_LOSE), ("neiran", (*EDO_LOSE, SKIP_LEFT)), ("neiran", ())],
    ids=["of another alignment", "of none", "its leader gone", "no win"],
)
async def test_who_gets_no_recruits(
    league: League, alignment: str, lost: tuple[tuple[str, str, int], ...]
) -> None:
    await paired(league, alignment)
    await league.report("anna", await league.played("anna", *lost))
    assert await proposed(league) == []


@pytest.mark.rule("CB-CREW-09")
async def test_a_braindrone_is_the_block_of_a_lackey_under_that_name(league: League) -> None:
    await paired(league, "edofleini")
    await give(league, "free recruits", 2)
    assert "isn't a Lackey, so it can't become a Braindrone." in await league.refused(
        "anna", take(league, "Neema")
    )
    done = await league.done("anna", take(league, "Edo Guardling"))
    assert done.reply.lines[0] == "Braindrone joins Lancers for free."
    assert (await league.veteran("Braindrone")).counters == {"free recruit": 1}


@pytest.mark.rule("CB-CREW-09", "CB-CREW-16")
async def test_free_recruits_are_outside_the_point_limit_and_never_more_than_the_leader_can_lead(
    league: League,
) -> None:
    """128 points are fielded of the 128 agreed, and two Arnts besides; Neema has one INT die only."""
    await paired(league, "neiran", limit=128)
    await league.done("bo", Bench(league.scope, "", ("Prime Leader", "Edo Guardling 2")))
    await league.done("bo", Lead(league.scope, "", "Spawnguard"))
    await give(league, "free recruits", 2)
    for _ in range(2):
        await league.done("anna", take(league, "Arnt"))
    fielded = (await league.done("anna", Bench(league.scope, "", ("HOpR Bot",)))).reply.lines[1]
    assert fielded == "Members who play: 5 (128 points)."
    await give(league, "requisition", 40)
    await league.done("anna", Buy(league.scope, "", "Neema"))
    await league.done("anna", Bench(league.scope, "", ("HOpR Bot", "Sally Starfield")))
    await league.done("anna", Lead(league.scope, "", "Neema"))
    assert "1. Use /campaign dismiss" in await league.table.refused("anna", PlayFixture(league.scope))
    await league.done("anna", Dismiss(league.scope, "", "Arnt 2"))
    await league.table.done("anna", PlayFixture(league.scope), reason=WHY)
    assert (await league.table.encounter()).find_model("Arnt").profile
