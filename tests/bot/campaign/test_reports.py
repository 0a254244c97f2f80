"""Several games are reported at once: each report belongs to its game, and its other side confirms it."""

from __future__ import annotations

import pytest

from bot.store.row_types import EntrantRow, FixtureRow, ProposalRow
from bot.store.rows import PendingRow
from bot.table.campaign.campaign_crews import Bench
from bot.table.campaign.campaign_games import PlayFixture
from bot.table.campaign.campaign_report import (
    CancelReport,
    ConfirmReport,
    EditLine,
    OpenReport,
    RecordFixture,
)
from bot.table.campaign.campaign_views import Season
from bot.table.campaign.campaigns import Schedule
from bot.table.journal.history import Undo
from bot.table.realdice import EnterFaces
from bot.table.request import Answer
from bot.table.rolling.dice_settings import CampaignDice
from tests.bot.campaign.league import CREWS, League
from tests.bot.tables import waits

PEOPLE = ("anna", "bo", "cy", "dee")


@pytest.fixture
async def four(league: League) -> League:
    """Four crews; two and two meet. Anna organises and plays."""
    await league.begin(*PEOPLE)
    await league.done("anna", Schedule(league.scope))
    return league


async def pairs(league: League) -> tuple[tuple[str, str], tuple[str, str]]:
    """Anna and her opponent; the two who play the other game."""
    book = await league.book()
    owners = {row.id: row.owner for row in book.all(EntrantRow)}
    met = [(owners[one.home], owners[one.away]) for one in book.all(FixtureRow)]
    ours = next(pair for pair in met if "anna" in pair)
    theirs = next(pair for pair in met if pair != ours)
    return ("anna", next(one for one in ours if one != "anna")), theirs


def crew(who: str) -> str:
    return CREWS[who][0]


def member(who: str) -> str:
    """Somebody of that crew whose name no other crew has."""
    return CREWS[who][1][0]


async def recorded(league: League, who: str, *lost: str, mine: int = 9, theirs: int = 4) -> Answer:
    return await league.done(who, RecordFixture(league.scope, 0, crew(who), mine, theirs, lost))


async def test_an_open_report_locks_no_other_game(four: League) -> None:
    (anna, other), (one, two) = await pairs(four)
    await recorded(four, one)
    await recorded(four, anna)
    shown = (await four.do("anna", Season(four.scope))).reply.text
    assert shown.count("waiting to be confirmed") == 2
    assert crew(two) in (await four.do(two, OpenReport(four.scope))).reply.lines[0]
    await four.done(other, ConfirmReport(four.scope))
    await four.done(two, ConfirmReport(four.scope))
    assert [row.status for row in (await four.book()).all(FixtureRow)] == ["played", "played"]
    assert not (await four.book()).all(ProposalRow)


async def test_a_crew_spends_while_others_report(four: League) -> None:
    (_, other), (one, _) = await pairs(four)
    await recorded(four, one)
    told = await four.refused(one, Bench(four.scope))
    assert told.startswith("The report of ")
    await four.table.done(other, PlayFixture(four.scope, crew("anna")))
    await four.done(other, Bench(four.scope, "", (member(other),)))


async def test_the_other_side_confirms(four: League) -> None:
    _, (one, two) = await pairs(four)
    report = await recorded(four, one)
    assert f"{two} has to confirm this report." in report.reply.lines
    assert await four.refused(one, ConfirmReport(four.scope)) == (
        f"{two} has to confirm this report. You can't confirm it yourself."
    )
    other = (await pairs(four))[0][1]
    fixture = next(row.id for row in (await four.book()).all(FixtureRow) if row.report)
    assert "Only the players" in await four.refused(other, ConfirmReport(four.scope, fixture))
    done = await four.done(two, ConfirmReport(four.scope))
    assert not any("Confirmed by" in line for line in done.reply.lines)


async def test_the_organiser_confirms_for_somebody_and_everybody_reads_it(four: League) -> None:
    _, (one, two) = await pairs(four)
    await recorded(four, one)
    done = await four.done("anna", ConfirmReport(four.scope))
    assert f"The organiser, anna, confirmed this instead of {two}." in done.reply.lines


async def test_a_report_is_cancelled_under_another_and_keeps_its_dice(four: League) -> None:
    """Nobody fishes for casualties: however often and with whatever points it is opened again."""
    (anna, _), (one, two) = await pairs(four)
    lost = (member(one), member(two))
    first = await recorded(four, one, *lost)
    reasons = [row.reason for row in (await four.book()).all(ProposalRow) if row.kind == "fate"]
    await recorded(four, anna)
    assert (await four.do(one, Undo(), scope=four.scope)).reply.text.startswith(
        "Only anna or the organiser can undo that."
    )
    await four.press(one, first, "Cancel")
    for theirs, who in ((5, one), (4, two), (3, one)):
        again = await recorded(four, who, *reversed(lost), theirs=theirs)
        assert any(line.startswith("These are the same dice") for line in again.reply.lines)
        fates = [row.reason for row in (await four.book()).all(ProposalRow) if row.kind == "fate"]
        assert sorted(fates) == sorted(reasons)
        await four.done(two, CancelReport(four.scope))
    await recorded(four, one)
    await four.done(one, CancelReport(four.scope))
    await recorded(four, two, *lost)
    fates = [row.reason for row in (await four.book()).all(ProposalRow) if row.kind == "fate"]
    assert sorted(fates) == sorted(reasons)


async def test_a_line_belongs_to_its_report(four: League) -> None:
    (anna, other), (one, two) = await pairs(four)
    await recorded(four, anna)
    await recorded(four, one)
    book = await four.book()
    owners = {row.id: row.owner for row in book.all(EntrantRow)}
    line = next(
        row
        for row in book.all(ProposalRow)
        if row.kind == "points" and row.text == "battle points" and owners[row.entrant] == one
    )
    edited = await four.done("anna", EditLine(four.scope, line.id, "30"))
    assert crew(two) in edited.reply.text
    assert crew(other) not in edited.reply.text
    assert crew(anna) not in edited.reply.text


async def test_real_faces_between_games_are_asked_of_the_owner_whoever_reports(four: League) -> None:
    _, (one, two) = await pairs(four)
    await four.done(two, CampaignDice(four.scope, "real"))
    asked = await recorded(four, one, member(two))
    assert waits(asked)
    assert asked.reply.lines[0].startswith(f"{two} throws 1 d10 for {member(two)}'s casualty roll")
    told = f"Only {two} can enter those dice."
    assert (await four.press(one, asked, "10")).reply.text == told
    assert await four.refused("anna", EnterFaces((10,)), scope=four.scope) == told
    done = await four.done(two, EnterFaces((10,)))
    while waits(done):
        done = await four.done(two, EnterFaces((10,)))
    assert not (await four.book()).all(PendingRow)


async def test_nobody_begins_a_second_report_while_the_dice_of_the_first_wait(four: League) -> None:
    """Otherwise whoever finished first would report alone what the other has lost."""
    (anna, other), (one, two) = await pairs(four)
    for who in (two, other):
        await four.done(who, CampaignDice(four.scope, "real"))
    assert waits(await recorded(four, one, member(two)))
    second = RecordFixture(four.scope, 0, crew(two), 4, 9, (member(one),))
    told = await four.refused(two, second)
    assert f"It is waiting for {two} to roll 1 d10 for {member(two)}'s casualty roll" in told
    assert waits(await recorded(four, anna, member(other))), "the other game has a report of its own"


async def test_the_bot_throws_for_two_who_use_it_whatever_the_organiser_throws(four: League) -> None:
    _, (one, two) = await pairs(four)
    await four.done("anna", CampaignDice(four.scope, "real"))
    action = RecordFixture(four.scope, 0, crew(one), 9, 4, (member(two),))
    assert not waits(await four.done("anna", action))


async def test_nobody_confirms_what_was_changed_after_it_was_read(four: League) -> None:
    _, (one, two) = await pairs(four)
    report = await recorded(four, one)
    line = next(row for row in (await four.book()).all(ProposalRow) if row.kind == "points")
    edited = await four.done("anna", EditLine(four.scope, line.id, "30"))
    pressed = await four.press(two, report, "Confirm")
    assert pressed.reply.lines == (
        "This report has changed since you read it. Read it again with /campaign after.",
    )
    assert (await four.press(two, edited, "Confirm")).changed
