"""Campaigns against people who try: other crews' members, games not over, who leaves, foreign models."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.games.counterblast.campaign.downtime import BuildModel
from bot.games.counterblast.campaign.spoils import DiscardItem, Improve, Restart
from bot.store.row_types import FixtureRow
from bot.table.campaign.campaign_crews import Adjust, Buy, Dismiss, Equip, Lead, LeaveCampaign
from bot.table.campaign.campaign_games import PlayFixture
from bot.table.campaign.campaign_report import ConfirmReport, OpenReport
from bot.table.campaign.campaign_views import ShowEntrant
from bot.table.campaign.campaigns import CreateCampaign, JoinCampaign, Schedule
from bot.table.rosters.crews import RecruitMember
from bot.table.rosters.muster import SetTrait
from bot.table.session.encounters import EndEncounter, NextStep
from tests.bot.campaign.league import League


@pytest.mark.parametrize(
    "action",
    [
        Dismiss(0, "", "#1"),
        Lead(0, "", "#1"),
        Equip(0, "", "#1", "Med Gel"),
        Improve(0, "", "#1", "Brave"),
        DiscardItem(0, "", "#1", "Rocket Pack"),
    ],
)
async def test_a_number_names_nobody_of_another_crew(league: League, action: Dismiss) -> None:
    await league.begin("anna", "bo")
    assert "Choose a member of" in await league.refused("bo", replace(action, campaign=league.scope))
    assert (await league.veteran("Sally Starfield")).status == "fit"


@pytest.mark.parametrize(
    "action",
    [
        Buy(0, "", "Trapper"),
        Dismiss(0, "", "Trapper"),
        LeaveCampaign(0),
        Restart(0),
        Improve(0, "", "Trapper", "Brave"),
    ],
)
@pytest.mark.rule("CB-CAMP-09")
async def test_nothing_is_spent_before_the_game_is_over_and_reported(league: League, action: Buy) -> None:
    await league.begin("anna", "bo", start=200)
    await league.done("anna", Adjust(league.scope, "Edo", "requisition", 20, "a gift"))
    await league.done("anna", Schedule(league.scope))
    await league.table.done("bo", PlayFixture(league.scope))
    await league.table.done("bo", NextStep())
    action = replace(action, campaign=league.scope)
    assert "end the game, then use /campaign after" in await league.refused("bo", action)
    ended = await league.table.done("bo", EndEncounter())
    assert "end the game, then use /campaign after" in await league.refused("bo", action)
    await league.report("bo", ended)
    await league.done("anna", ConfirmReport(league.scope))
    assert "then use /campaign after" not in (await league.do("bo", action)).reply.text


async def test_a_fixture_that_is_played_at_a_table_is_not_played_twice_nor_recorded(league: League) -> None:
    await league.begin("anna", "bo")
    await league.done("anna", Schedule(league.scope))
    await league.table.done("bo", PlayFixture(league.scope))
    again = PlayFixture(league.scope)
    assert "already" in await league.refused(league.table.actor("anna", channel=99), again)
    record = OpenReport(league.scope, 0, "Edo", 20, 0)
    assert "Use /campaign after to report Edo - Lancers" in await league.refused("bo", record)
    told = await league.done("anna", record, reason="the table was closed")
    assert "Override by anna: the table was closed" in told.reply.text


@pytest.mark.rule("CB-CAMP-02")
async def test_who_was_to_meet_a_crew_that_leaves_rests(league: League) -> None:
    await league.begin("anna", "bo", "cy", "dee")
    await league.done("anna", Schedule(league.scope))
    fixture = next(one for one in (await league.book()).all(FixtureRow) if 2 in (one.home, one.away))
    other = fixture.home + fixture.away - 2
    told = await league.done("anna", LeaveCampaign(league.scope, "Edo"))
    assert told.reply.lines[1] == "anna removed the crew.", "an organiser takes nobody out in silence"
    await league.press("anna", told, "Undo")
    told = await league.done("bo", LeaveCampaign(league.scope))
    assert not any("Said by" in line for line in told.reply.lines)
    name = next(
        one.name
        for one in [await league.entrant(n) for n in ("Lancers", "Mekkus", "Watch")]
        if one.id == other
    )
    assert f"Round 1: {name} has no opponent." in told.reply.text
    rested = next(one for one in (await league.book()).all(FixtureRow) if one.id == fixture.id)
    assert (rested.home, rested.away, rested.status) == (other, 0, "rest")


async def edo_of_the_edofleini(league: League) -> None:
    await league.crew("anna")
    await league.crew("bo")
    await league.table.done("bo", SetTrait(league.crews["bo"], "affiliation", "Edofleini"))
    league.scope = (await league.table.done("anna", CreateCampaign("Rust Belt"))).scope
    for who in ("anna", "bo"):
        await league.done(who, JoinCampaign(league.scope, league.crews[who]))
    await league.done("anna", Adjust(league.scope, "Edo", "requisition", 200, "a gift"))
    await league.done("anna", Adjust(league.scope, "Edo", "salvage tokens", 20, "a gift"))


FAKE = "Trapper; beast, base M, 1 points; Mv 12, STR 5D+1, AGL 5D, INT 3D; Def 12, Life 9"


async def test_figures_of_somebodys_own_are_told_wherever_a_member_is(league: League) -> None:
    """Whatever it is called, bought in a campaign or brought along: all read that it is not printed."""
    await league.begin("anna", "bo", start=300)
    bought = await league.done("bo", Buy(league.scope, "", FAKE))
    assert bought.reply.lines[0].endswith("(custom model) joins Edo for 1 point.")
    assert "bought Trapper (custom model)" in {row.cause for row in await league.ledger()}
    shown = (await league.do("anna", ShowEntrant(league.scope, "Edo"))).reply.text
    assert shown.count("(custom model)") == 1
    crew = await league.crew("cy")
    await league.table.done("cy", RecruitMember(crew, FAKE, 1, "Aggressor"))
    joined = await league.done("cy", JoinCampaign(league.scope, crew))
    assert "Custom models: Aggressor 3." in joined.reply.lines


@pytest.mark.rule("CB-CREW-01")
async def test_a_crew_that_named_its_faction_buys_no_foreign_lackey_or_weapon(league: League) -> None:
    await edo_of_the_edofleini(league)
    assert "Lackeys can join this crew, so" in await league.refused("bo", Buy(league.scope, "", "GDF Sentry"))
    assert "Gamma Disruptor" in await league.refused(
        "bo", Equip(league.scope, "", "Trapper", "Gamma Disruptor Heavy")
    )
    await league.done("bo", Buy(league.scope, "", "Trapper"))
    await league.done("bo", Buy(league.scope, "", "GDF Lieutenant"))


@pytest.mark.rule("CB-SALV-08")
async def test_a_foreign_model_is_not_built_as_one_of_the_crews_own(league: League) -> None:
    await edo_of_the_edofleini(league)
    wish = BuildModel(league.scope, "", "GDF Sentry", ("Trapper",))
    assert "You need Secret Plans to build" in await league.refused("bo", wish)


@pytest.mark.rule("CB-UNDER-04")
async def test_what_an_underdog_gets_is_settled_as_the_encounter_begins(league: League) -> None:
    await league.begin("dee", "eve")
    await league.done("dee", Schedule(league.scope))
    ended = await league.played("dee")
    await league.done("dee", Adjust(league.scope, "Loners", "requisition", 119, "too late to count"))
    told = (await league.report("dee", ended)).reply.text
    assert "+10 battle points (including 10 as" in told
    assert "+1 campaign point (Underdog)" in told
