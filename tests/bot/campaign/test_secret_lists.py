"""A crew whose list is secret keeps it between games, too: nobody but its player learns who is in it."""

from __future__ import annotations

import pytest

from bot.actions import Action, from_json
from bot.store.row_types import ProposalRow, VeteranRow
from bot.table.campaign.campaign_crews import Adjust, Bench, Buy, Dismiss, Lead
from bot.table.campaign.campaign_report import ConfirmReport, RecordFixture
from bot.table.campaign.campaign_views import PrintCampaign, ShowCampaign, ShowEntrant, ShowLedger
from bot.table.campaign.campaigns import CampaignSetting, CreateCampaign, JoinCampaign, Schedule
from bot.table.campaign.records import Records
from bot.table.campaign.season import MyCrew, Season
from bot.table.campaign.story import ExportStory, ShowStory
from bot.table.journal.history import Undo
from bot.table.offers.forms import build_form
from bot.table.offers.legal_actions import Looking
from bot.table.rosters.crews import CreateCrew, RecruitMember
from tests.bot.campaign.league import League
from tests.bot.tables import Table

NAMES = ("Ghost", "Shade", "Wisp", "Newcomer")


@pytest.fixture
async def secret(table: Table) -> League:
    """Anna organises and plays, as does Bo; his members are a Ghost, a Shade and a Wisp, and he buys one."""
    league = League(table)
    league.scope = (await table.done("anna", CreateCampaign("League", "infinity", start=200))).scope
    for who, names in (("anna", ("Able",)), ("bo", NAMES[:3])):
        crew = await table.done(who, CreateCrew(f"Crew of {who}", "infinity"))
        for name in names:
            await table.done(who, RecruitMember(crew.scope, "Angus", 1, name))
        joined = await league.done(who, JoinCampaign(league.scope, crew.scope))
        assert not any(word in joined.reply.text for word in ("member", "30 points")), "how many is secret"
    await league.done("anna", CampaignSetting(league.scope, "pay each game", "5"))
    await league.done("anna", Schedule(league.scope))
    return league


async def bought(league: League) -> VeteranRow:
    done = await league.done("bo", Buy(league.scope, "", "Wraith", "Newcomer"))
    assert done.reply.private
    assert "Newcomer" in done.reply.text
    return await league.veteran("Newcomer")


async def test_what_its_player_does_is_told_to_him_alone(secret: League) -> None:
    await bought(secret)
    for action in (
        Lead(secret.scope, "", "Newcomer"),
        Bench(secret.scope, "", ("Ghost",)),
        Dismiss(secret.scope, "", "Wisp"),
    ):
        done = await secret.done("bo", action)
        assert done.reply.private
        assert any(name in done.reply.text for name in NAMES)
        undone = await secret.press("bo", done, "Undo")
        assert not any(name in undone.reply.text for name in NAMES)
        await secret.done("bo", action)


async def test_nothing_that_anybody_reads_names_a_member(secret: League) -> None:
    await bought(secret)
    await secret.done("bo", Lead(secret.scope, "", "Newcomer"))
    await secret.done("bo", RecordFixture(secret.scope, 0, "Crew of bo", 9, 2))
    await secret.done("anna", ConfirmReport(secret.scope))
    scope = secret.scope
    looks: tuple[Action, ...] = (
        ShowLedger(scope, "Crew of bo"),
        ShowLedger(scope),
        ShowStory(scope, "Crew of bo"),
        ShowStory(scope, "Crew of bo", 1),
        Records(scope),
        Season(scope),
        ShowCampaign(scope),
        ExportStory(scope, "markdown"),
        ExportStory(scope, "html"),
    )
    for who in ("anna", "cy"):
        for look in looks:
            reply = (await secret.do(who, look)).reply
            told = reply.text + "".join(file.data.decode(errors="replace") for file in reply.files)
            assert "Crew of bo" in told, look
            assert not any(name in told for name in (*NAMES, "Wraith")), look
        printed = (await secret.do(who, PrintCampaign(scope))).reply.text
        assert ("battle sheets of 1 crew in" in printed) == (who == "anna"), "each prints its own list alone"
        for look in (ShowEntrant(scope, "Crew of bo"), MyCrew(scope, "Crew of bo")):
            refused = await secret.refused(who, look)
            assert not any(name in refused for name in NAMES)
    mine = (await secret.do("bo", ShowLedger(scope, "Crew of bo"))).reply.text
    assert "bought Wraith" in " ".join(mine.split())


async def test_who_went_down_is_named_whole_and_nobody_is_suggested(secret: League) -> None:
    asked = RecordFixture(secret.scope, 0, "Crew of bo", 9, 2)
    act = await secret.table.desk.look(secret.table.actor("anna"), asked)
    assert act is not None
    form = build_form(Looking(act.book, act.actor), asked, act.extra)
    assert not any(name in str(form) for name in NAMES)
    for guess in ("Gho", "Shad", "x"):
        lost = RecordFixture(secret.scope, 0, "Crew of bo", 9, 2, (guess,))
        hand = Adjust(secret.scope, "Crew of bo", "encounters out", 1, "to test", guess)
        for action in (lost, hand):
            refused = await secret.refused("anna", action)
            assert not any(name in refused for name in NAMES)
    report = await secret.done("anna", RecordFixture(secret.scope, 0, "Crew of bo", 9, 2, ("Ghost", "Able")))
    assert "Ghost: okay" in report.reply.text, "it lay on the table"


async def test_what_an_organiser_does_for_somebody_names_nobody(secret: League) -> None:
    panel = await secret.do("anna", MyCrew(secret.scope, "Crew of bo"), reason="bo is away")
    (told,) = panel.reply.also
    assert panel.reply.private
    assert "bo is away" in told.text, "the override is public, the list is not"
    assert not told.private
    assert not any(name in panel.reply.text for name in NAMES)
    done = await secret.done("anna", Buy(secret.scope, "Crew of bo", "Wraith", "Newcomer"), reason="away")
    assert not done.reply.private
    assert "A new member joins Crew of bo." in done.reply.lines
    assert not any(name in done.reply.text.replace('"', "") for name in ("Wraith", "32"))


async def test_of_two_that_are_called_alike_each_can_be_said(secret: League) -> None:
    """One's own is meant by the name alone; the opponent's with its crew."""
    await secret.done("anna", Buy(secret.scope, "", "Angus", "Ghost"))
    for said, whose in (("Ghost", "anna"), ("ghost (crew of bo)", "bo"), ("Ghost (Crew of anna)", "anna")):
        lost = RecordFixture(secret.scope, 0, "Crew of anna", 9, 2, (said,))
        await secret.done("anna", lost)
        (fate,) = [row for row in (await secret.book()).all(ProposalRow) if row.kind == "fate"]
        assert fate.entrant == (await secret.entrant(f"Crew of {whose}")).id, said
        kept = (await secret.table.desk.store.all_entries(secret.scope))[-1]
        await secret.done("anna", Undo(), scope=secret.scope)
        await secret.done("anna", from_json(kept.command, kept.input))
        (again,) = [row for row in (await secret.book()).all(ProposalRow) if row.kind == "fate"]
        assert again.member == fate.member, "what is kept says which"
        await secret.done("anna", Undo(), scope=secret.scope)


async def test_a_number_alone_finds_nobody_of_a_secret_crew(secret: League) -> None:
    ghost = await secret.veteran("Ghost")
    lost = RecordFixture(secret.scope, 0, "Crew of bo", 9, 2, (f"#{ghost.id}",))
    assert "Ghost" not in await secret.refused("anna", lost)
    hand = Adjust(secret.scope, "Crew of bo", "encounters out", 1, "to test", f"#{ghost.id}")
    assert "a member of Crew of bo: " in (told := (await secret.done("anna", hand)).reply.text)
    less = Adjust(secret.scope, "Crew of bo", "encounters out", -9, "to test", f"#{ghost.id}")
    assert "Ghost" not in told + await secret.refused("anna", less)
