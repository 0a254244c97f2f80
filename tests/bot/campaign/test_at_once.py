"""Two organisers, or two players, press the same at the same moment: it is done once; the other is told."""

from __future__ import annotations

import asyncio

import pytest

from bot.games.counterblast.building.hero_building import StartHero
from bot.games.counterblast.building.hero_drafts import BuyBuilt
from bot.store.row_types import CampaignRow, FixtureRow, LedgerRow, ResultRow, VeteranRow
from bot.table.campaign.administration import PairByHand, SecondOrganiser
from bot.table.campaign.campaign_crews import Adjust
from bot.table.campaign.campaign_report import RecordFixture
from bot.table.campaign.campaigns import AskEndCampaign, JoinCampaign, Schedule
from bot.table.campaign.corrections import AskCorrection
from bot.table.campaign.season import Season
from bot.table.request import Answer
from tests.bot.campaign.league import League

pytestmark = pytest.mark.crowded


@pytest.fixture
async def both(league: League) -> League:
    """Anna and Zed organise; Anna, Bo and Cy play."""
    await league.begin("anna", "bo", "cy")
    await league.done("anna", SecondOrganiser(league.scope, league.table.actor("zed").user_id))
    return league


async def once(league: League, *asked: tuple[str, Answer], label: str) -> None:
    """Each presses the button below what he was shown; one of them does it."""
    answers = await asyncio.gather(*(league.table.press(who, shown, label) for who, shown in asked))
    assert sorted(answer.changed for answer in answers) == [False, True]
    (late,) = [answer for answer in answers if not answer.changed]
    assert late.reply.private
    await league.balanced()


async def test_a_round_is_paired_once(both: League) -> None:
    shown = [(who, await both.do(who, Season(both.scope))) for who in ("anna", "zed")]
    await once(both, *shown, label="Pair round 1")
    row = (await both.book()).get(CampaignRow)
    assert row is not None
    assert row.round == 1
    assert len((await both.book()).all(FixtureRow)) == 2


async def test_a_report_is_confirmed_once_and_a_result_corrected_once(both: League) -> None:
    await both.done("anna", Schedule(both.scope))
    fixture = next(one for one in (await both.book()).all(FixtureRow) if one.away)
    report = await both.done("zed", RecordFixture(both.scope, 0, f"#{fixture.id}", 9, 2))
    await once(both, ("anna", report), ("zed", report), label="Confirm")
    assert len((await both.book()).all(ResultRow)) == 2
    names = {one.id: one.name for one in [await both.entrant(n) for n in ("Lancers", "Edo", "Mekkus")]}
    asked = AskCorrection(both.scope, names[fixture.home], 1, 2, 9, "the wrong way")
    shown = [(who, await both.do(who, asked)) for who in ("anna", "zed")]
    await once(both, *shown, label="Correct the result")
    rows = [one for one in (await both.book()).all(LedgerRow) if one.cause.startswith("correction")]
    assert len({(one.entrant, one.account) for one in rows}) == len(rows)


async def test_two_ways_to_open_one_report_leave_one_report(both: League) -> None:
    await both.done("anna", Schedule(both.scope))
    fixture = next(one for one in (await both.book()).all(FixtureRow) if one.away)
    answers = await asyncio.gather(
        *(both.table.do(who, RecordFixture(both.scope, 0, f"#{fixture.id}", 9, 2)) for who in ("anna", "zed"))
    )
    assert sorted(answer.changed for answer in answers) == [False, True]
    assert len((await both.book()).all(ResultRow)) == 2


async def test_a_fixture_is_added_a_crew_joins_and_a_hero_is_bought_once(both: League) -> None:
    await both.done("anna", Schedule(both.scope))
    fixtures = (await both.book()).all(FixtureRow)
    played, rests = (next(one for one in fixtures if bool(one.away) is there) for there in (True, False))
    report = await both.done("anna", RecordFixture(both.scope, 0, f"#{played.id}", 9, 2))
    await both.press("anna", report, "Confirm")
    names = {one.id: one.name for one in [await both.entrant(n) for n in ("Lancers", "Edo", "Mekkus")]}
    pair = PairByHand(both.scope, names[rests.home], names[played.home])
    answers = await asyncio.gather(*(both.table.do(who, pair) for who in ("anna", "zed")))
    assert sorted(answer.changed for answer in answers) == [False, True]

    await both.done("anna", Adjust(both.scope, "Edo", "requisition", 90, "to test"))
    await both.done("bo", StartHero(both.crews["bo"], "Human", "Zed"))
    answers = await asyncio.gather(*(both.table.do("bo", BuyBuilt(both.scope)) for _ in range(3)))
    assert [answer.changed for answer in answers].count(True) == 1
    assert len([one for one in (await both.book()).all(VeteranRow) if one.name.startswith("Zed")]) == 1


async def test_a_player_joins_once_with_whatever_crews(league: League) -> None:
    await league.begin("anna")
    await league.crew("bo")
    first = league.crews["bo"]
    answers = await asyncio.gather(
        *(league.table.do("bo", JoinCampaign(league.scope, first)) for _ in range(4))
    )
    assert [answer.changed for answer in answers].count(True) == 1
    await league.balanced()


async def test_a_campaign_is_ended_once(both: League) -> None:
    for number in (1, 2, 3):
        await both.done("anna", Schedule(both.scope))
        fixture = next(one for one in (await both.book()).all(FixtureRow) if one.away and one.round == number)
        report = await both.done("anna", RecordFixture(both.scope, 0, f"#{fixture.id}", 9, 2))
        await both.press("anna", report, "Confirm")
    shown = [(who, await both.do(who, AskEndCampaign(both.scope))) for who in ("anna", "zed")]
    await once(both, *shown, label="End the campaign")
