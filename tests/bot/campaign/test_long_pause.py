"""A campaign that sleeps for 400 days, and a game entered days after it was played: the clock moves."""

from __future__ import annotations

from pathlib import Path

from bot.retention_task import let_go
from bot.store.row_types import ProposalRow
from bot.table.campaign.administration import Archive, Restore
from bot.table.campaign.campaign_report import RecordFixture
from bot.table.campaign.campaign_views import ListCampaigns, Season
from bot.table.campaign.campaigns import EndCampaign, Schedule
from bot.table.campaign.story import ShowStory
from bot.table.journal.history import Undo
from bot.table.realdice import EnterFaces
from bot.table.rolling.dice_settings import CampaignDice
from tests.bot.campaign.league import League
from tests.bot.campaign.test_report import confirmed
from tests.bot.campaign.test_season import joined, recorded
from tests.bot.tables import Table, opened, waits

DAY_MS = 86_400_000
PAUSE = 400 * DAY_MS


def after(table: Table, pause_ms: int) -> None:
    store = table.desk.store
    now = store.now() + pause_ms
    store._clock = lambda: now


async def test_a_campaign_is_found_and_played_on_after_400_days(two: League, file: Path) -> None:
    await recorded(two, "Edo", 20, 3)
    await two.done("anna", Schedule(two.scope))
    await two.done("anna", Archive(two.scope))
    ledger, state = await two.ledger(), two.table.state()
    page = joined((await two.do("bo", ShowStory(two.scope, "Edo", 1))).reply.text)
    async with opened(file, first_seed=9) as later:
        later.ids.update(two.table.ids)
        later.interactions = two.table.interactions
        after(later, PAUSE)
        assert await let_go(later.desk.store) == (0, 0), "nobody and nothing goes by itself"
        league = League(later, two.scope)
        assert (await league.ledger(), later.state()) == (ledger, state)
        assert "Rust Belt (archived)" in (await league.do("bo", ListCampaigns())).reply.text
        assert joined((await league.do("bo", ShowStory(two.scope, "Edo", 1))).reply.text) == page
        await league.done("anna", Restore(two.scope))
        assert "to be played" in joined((await league.do("bo", Season(two.scope))).reply.text)
        await recorded(league, "Edo", 5, 5)
        undone = await league.done("anna", Undo(2), scope=two.scope, reason="once more")
        assert undone.changed
        await recorded(league, "Edo", 6, 5)
        await league.done("anna", Schedule(two.scope))
        await recorded(league, "Edo", 4, 9)
        await league.done("anna", EndCampaign(two.scope))
        assert len(await league.ledger()) > len(ledger)


async def test_casualties_entered_days_later_are_thrown_by_hand_over_days(two: League, file: Path) -> None:
    await two.done("bo", CampaignDice(two.scope, "real"))
    after(two.table, 9 * DAY_MS)
    lost = ("Trapper", "Skip Westmoreland")
    asked = await two.done("bo", RecordFixture(two.scope, fixture="Edo", home=9, away=4, lost=lost))
    assert waits(asked)
    skip = "Skip Westmoreland's casualty roll"
    assert asked.reply.lines[0] == f"anna throws 1 d10 for {skip} on the Casualty Table."
    async with opened(file, first_seed=9) as later:
        later.ids.update(two.table.ids)
        later.interactions = two.table.interactions
        after(later, 40 * DAY_MS)
        league = League(later, two.scope)
        refused = await league.press("cy", asked, "10")
        assert refused.reply.lines == ("Only players can enter dice.",)
        told = "Only anna can enter those dice."
        assert (await league.press("bo", asked, "10")).reply.lines == (told,)
        done = await league.done("anna", EnterFaces((3,)))
        said = []
        while waits(done):
            said.append(done.reply.lines[0])
            done = await league.done(said[-1].split()[0], EnterFaces((3,)))
        assert any(one.startswith("bo throws 1 d10 for Trapper's casualty roll") for one in said)
        fates = [row.reason for row in (await league.book()).all(ProposalRow) if row.kind == "fate"]
        assert len(fates) == 2
        assert all("rolled 3" in reason for reason in fates)
        await confirmed(league)
        assert "9 points" in joined((await league.do("cy", ShowStory(two.scope, "Edo", 1))).reply.text)
