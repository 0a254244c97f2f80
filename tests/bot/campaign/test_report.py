"""The report after an encounter: one step, edited in the open, and what it leaves behind."""

from __future__ import annotations

import pytest

from bot.store.row_types import ProposalRow, ResultRow
from bot.table.campaign.campaign_crews import Adjust, Bench
from bot.table.campaign.campaign_games import PlayFixture
from bot.table.campaign.campaign_report import ConfirmReport, EditLine, OpenReport, PickLine
from bot.table.campaign.campaigns import Schedule
from bot.table.journal.history import Redo, Undo
from bot.table.ledger.campaign_book import PURSE
from bot.table.request import Answer
from bot.table.session.encounters import EndEncounter, JoinEncounter, NextStep, StartDemo
from bot.table.session.models import DamageModel, RemoveModel
from tests.bot.campaign.league import League

LOST = (("GDF Ranger", "casualty", 2), ("HOpR Bot", "fled", 0), ("Spawnguard", "casualty", 9))
TABLES = ("campaigns", "entrants", "veterans", "fixtures", "results", "proposals", "ledger")


async def confirmed(league: League, who: str = "anna") -> Answer:
    """Choose the first option of every open line, then confirm."""
    await chosen(league, who)
    return await league.done(who, ConfirmReport(league.scope))


async def chosen(league: League, who: str = "anna") -> None:
    """Choose the first option of every open line."""
    for _ in range(10):
        answer = await league.do(who, OpenReport(league.scope))
        menus = [menu for menu in answer.reply.menus if isinstance(menu.action, EditLine)]
        if not menus:
            break
        action = menus[0].action
        assert isinstance(action, EditLine)
        await league.done(who, EditLine(league.scope, action.line, menus[0].choices[0].value))


def faces_of(report: Answer) -> list[str]:
    """What was rolled for the members of a report, in lines."""
    return sorted(line for line in report.reply.lines if ", rolled " in line)


def kept(league: League) -> dict[str, list[tuple[object, ...]]]:
    return {name: rows for name, rows in league.table.state().items() if name in TABLES}


async def test_one_undo_of_a_confirmed_report_opens_it_again_byte_for_byte(two: League) -> None:
    ended = await two.played("anna", *LOST)
    before = kept(two)
    report = await two.report("anna", ended)
    assert kept(two) != before
    assert "Still to be chosen" in report.reply.text or report.reply.buttons[0].label == "Confirm"
    await chosen(two)
    reported = kept(two)
    await two.done("anna", ConfirmReport(two.scope))
    after = kept(two)
    book = await two.book()
    assert not book.all(ProposalRow)
    assert {row.status for row in book.all(ResultRow)} == {"confirmed"}
    await two.done("anna", Undo(), scope=two.scope)
    assert kept(two) == reported
    await two.done("anna", Redo(), scope=two.scope)
    assert kept(two) == after


@pytest.mark.rule("CB-SETUP-02")
async def test_only_a_campaign_encounter_leaves_anything_behind(two: League) -> None:
    before = kept(two)
    table = two.table
    await table.done("cy", StartDemo())
    await table.done("dee", JoinEncounter("Edo"))
    await table.done("cy", NextStep())
    await table.done("dee", DamageModel("Spawnguard", 9))
    await table.done("dee", RemoveModel("Spawnguard", "casualty"))
    ended = await table.done("cy", EndEncounter())
    assert "Report this game" not in [button.label for button in ended.reply.buttons]
    assert kept(two) == before
    ended = await two.played("anna", *LOST)
    await two.report("anna", ended)
    await confirmed(two)
    assert kept(two) != before


@pytest.mark.rule("CB-CAMP-08")
async def test_what_is_rolled_between_encounters_everybody_reads(two: League) -> None:
    report = await two.report("anna", await two.played("anna", ("Spawnguard", "casualty", 4)))
    assert not report.reply.private
    assert "Spawnguard: okay (wounded, rolled " in report.reply.text
    await two.done("anna", Undo(), scope=two.scope)


async def test_a_cancelled_report_leaves_no_row_and_its_dice_wait(two: League) -> None:
    ended = await two.played("anna", *LOST)
    before = kept(two)
    first = await two.report("anna", ended)
    cancelled = await two.press("bo", first, "Cancel")
    assert cancelled.changed
    now = kept(two)
    assert all(now[name] == before[name] for name in TABLES if name != "fixtures")
    again = await two.done("bo", OpenReport(two.scope))
    assert faces_of(again) == faces_of(first)
    assert any(line.startswith("These are the same dice") for line in again.reply.lines)


async def test_an_open_report_is_cancelled_by_the_two_whose_game_it_tells_alone(two: League) -> None:
    report = await two.report("anna", await two.played("anna", *LOST))
    before = kept(two)
    refused = await two.press("cy", report, "Cancel")
    assert refused.reply.lines == ("Only the players of Edo - Lancers or the organiser can do that.",)
    assert kept(two) == before
    assert (await two.press("bo", report, "Cancel")).changed
    assert not (await two.press("cy", report, "Cancel")).changed
    assert not (await two.do("cy", Redo(), scope=two.scope)).changed
    assert (await two.done("bo", Undo(), scope=two.scope)).changed
    assert kept(two) == before


async def test_nothing_else_happens_while_a_report_is_open(two: League) -> None:
    await two.report("anna", await two.played("anna", *LOST))
    assert "Play and report these games first: Edo - Lancers" in await two.refused(
        "anna", Schedule(two.scope)
    )
    assert "The report of Edo - Lancers is open" in await two.refused("bo", Bench(two.scope))
    shown = await two.do("cy", OpenReport(two.scope))
    assert shown.reply.private
    assert not shown.changed
    assert "Only the players" in await two.refused("cy", ConfirmReport(two.scope))


async def test_what_was_rolled_only_the_organiser_changes_and_everybody_sees_it(two: League) -> None:
    await two.report("anna", await two.played("anna", ("Spawnguard", "casualty", 4)))
    book = await two.book()
    fate = next(row for row in book.all(ProposalRow) if row.kind == "fate")
    other = "okay" if fate.text != "okay" else "Dead"
    assert "organiser" in await two.refused("bo", EditLine(two.scope, fate.id, other))
    assert "Only bo" in await two.refused("cy", EditLine(two.scope, fate.id, other))
    edited = await two.done("anna", EditLine(two.scope, fate.id, other))
    assert not edited.reply.private
    assert "[changed by anna; before:" in " ".join(edited.reply.text.split())
    await confirmed(two)
    veteran = await two.veteran("Spawnguard")
    assert veteran.status == ("fit" if other == "okay" else "dead")
    if other == "Dead":
        assert any("changed by anna" in row.cause for row in await two.ledger())


async def test_numbers_are_changed_by_a_form_and_nonsense_is_refused(two: League) -> None:
    await two.report("anna", await two.played("anna"))
    book = await two.book()
    line = next(row for row in book.all(ProposalRow) if row.kind == "points" and row.text == PURSE)
    picked = await two.do("anna", PickLine(two.scope, line.id))
    assert picked.reply.private
    assert picked.reply.buttons[0].form is not None
    for nonsense in ("many", "", "99999", "1e3"):
        await two.refused("anna", EditLine(two.scope, line.id, nonsense))
    await two.refused("anna", EditLine(two.scope, 99, "3"))
    await two.done("anna", EditLine(two.scope, line.id, "35"))
    await confirmed(two)
    name = "Lancers" if line.entrant == 1 else "Edo"
    assert (await two.entrant(name)).counters[PURSE] == 35


async def test_a_fixture_is_reported_once(two: League) -> None:
    ended = await two.played("anna")
    await two.report("anna", ended)
    await confirmed(two)
    again = await two.press("anna", ended, "Report this game")
    assert again.reply.private
    assert again.reply.lines[0] == "The report of Edo - Lancers is confirmed."
    assert len(again.reply.lines) == 3
    assert "Pair the next round first with /campaign schedule" in await two.refused(
        "anna", OpenReport(two.scope, 0, "Lancers", 3, 2)
    )


async def test_a_report_needs_a_game_that_has_ended(two: League) -> None:
    await two.table.done("anna", PlayFixture(two.scope))
    assert "End the game first" in await two.refused("anna", OpenReport(two.scope))


@pytest.mark.rule("CB-CASU-10")
async def test_who_is_out_of_action_is_not_fielded_and_comes_back(two: League) -> None:
    await two.report("anna", await two.played("anna", ("GDF Ranger", "casualty", 2)))
    fate = next(row for row in (await two.book()).all(ProposalRow) if row.kind == "fate")
    await two.done("anna", EditLine(two.scope, fate.id, "Out of Action for 1 encounter"))
    await confirmed(two)
    ranger = await two.veteran("GDF Ranger")
    assert ranger.counters["encounters out"] == 1
    assert ranger.counters["upgrade points"] == 1
    await two.done("anna", Schedule(two.scope))
    await two.played("anna")
    names = [model.name for model in (await _last(two)).models()]
    assert "GDF Ranger" not in names
    await two.done("anna", OpenReport(two.scope))
    await confirmed(two)
    assert "encounters out" not in (await two.veteran("GDF Ranger")).counters


async def _last(league: League):  # type: ignore[no-untyped-def]
    from bot.table.encounter import Encounter

    scope = await league.table.desk.store.last_in_channel(league.table.channel, kind="encounter")
    loaded = await league.table.desk.store.load(scope)
    assert loaded is not None
    return Encounter(loaded.book())


@pytest.mark.rule("CB-CASU-08")
async def test_an_injury_burdens_the_next_encounter(two: League) -> None:
    from bot.games.counterblast.state.models import fighter

    await two.report("anna", await two.played("anna", ("GDF Ranger", "casualty", 2)))
    fate = next(row for row in (await two.book()).all(ProposalRow) if row.kind == "fate")
    await two.done("anna", EditLine(two.scope, fate.id, "Major Injury: melee"))
    await confirmed(two)
    ranger = await two.veteran("GDF Ranger")
    assert ranger.counters == {"injury: melee": 1, "no upgrades": 1}
    await two.done("anna", Schedule(two.scope))
    await two.played("anna")
    encounter = await _last(two)
    shown = fighter(encounter, encounter.find_model("GDF Ranger"))
    assert [one.amount for one in shown.standing_modifiers("melee")] == [-1]


@pytest.mark.rule("CB-CAMP-05")
@pytest.mark.rule("CB-CAMP-06")
async def test_points_and_upgrades_follow_the_victory_points(two: League) -> None:
    await two.report(
        "anna", await two.played("anna", ("Prime Leader", "casualty", 9), ("Trapper", "casualty", 9))
    )
    await confirmed(two)
    lancers = await two.entrant("Lancers")
    assert lancers.counters["battle points"] == 3
    assert lancers.counters[PURSE] == 30
    assert (await two.veteran("Sally Starfield")).counters["upgrade points"] == 2
    assert (await two.veteran("GDF Ranger")).counters["upgrade points"] == 1


@pytest.mark.rule("CB-CASU-07")
async def test_a_dead_leader_must_be_replaced(two: League) -> None:
    await two.report("anna", await two.played("anna", ("Sally Starfield", "casualty", 9)))
    fate = next(row for row in (await two.book()).all(ProposalRow) if row.kind == "fate")
    await two.done("anna", EditLine(two.scope, fate.id, "Dead"))
    done = await two.done("anna", ConfirmReport(two.scope))
    assert "has no leader" in " ".join(done.reply.text.split())


@pytest.mark.rule("CB-UNDER-01")
@pytest.mark.rule("CB-UNDER-02")
async def test_the_underdog_begins_with_battle_points_and_hoarding_gains_nothing(two: League) -> None:
    await two.done("bo", Bench(two.scope, "Edo", ("Spawnguard", "Edo Guardling")))
    started = await two.table.done("anna", PlayFixture(two.scope))
    assert "Underdog" not in started.reply.text


async def test_by_points_alone_every_line_is_there_too(two: League) -> None:
    opened = await two.done("bo", OpenReport(two.scope, 0, "Edo", 9, 2))
    lines = opened.reply.lines
    assert any("Edo" in line and "Mighty Victory, 9" in line for line in lines)
    await two.done("anna", ConfirmReport(two.scope))
    assert (await two.entrant("Edo")).counters["campaign points"] == 3
    assert (await two.entrant("Lancers")).counters.get("campaign points", 0) == 0


async def test_a_balance_by_hand_needs_the_organiser_and_a_reason(two: League) -> None:
    assert "organiser" in await two.refused("bo", Adjust(two.scope, "Edo", "requisition", 5, "please"))
    assert "Enter a reason" in await two.refused("anna", Adjust(two.scope, "Edo", "requisition", 5, ""))
    assert "; this takes 3" in await two.refused("anna", Adjust(two.scope, "Edo", "requisition", -3, "fine"))
    told = await two.done("anna", Adjust(two.scope, "Edo", "requisition", 5, "a wreck"))
    assert "Edo: +5 requisition points, now 5" in told.reply.text
    assert "a wreck" in told.reply.text
