"""Campaigns of the four other games: two rounds of each, with losses, notes, absences and standings."""

from __future__ import annotations

import pytest

from bot.store.doctor import examine
from bot.store.row_types import EntrantRow, ProposalRow
from bot.table.campaign.campaign_crews import Adjust, Buy
from bot.table.campaign.campaign_games import PlayFixture
from bot.table.campaign.campaign_report import ConfirmReport, EditLine, OpenReport
from bot.table.campaign.campaign_views import ShowCampaign, ShowEntrant, ShowLedger, ShowStandings
from bot.table.campaign.campaigns import CreateCampaign, EndCampaign, JoinCampaign, Schedule
from bot.table.campaign.corrections import AskCorrection, CorrectResult
from bot.table.campaign.story import ShowStory
from bot.table.game import game
from bot.table.journal.history import Redo, Undo
from bot.table.ledger.campaign_book import PURSE
from bot.table.rosters.crews import CreateCrew, RecruitMember
from bot.table.session.encounters import EndEncounter
from bot.table.session.models import RemoveModel
from tests.bot.campaign.league import League
from tests.bot.campaign.test_report import kept
from tests.bot.tables import Table, url_of
from tests.games import SYSTEMS


def recruit(system: str) -> str:
    """A statblock of the game: the dearest, which is no Henchman or Minion."""
    return max(game(system).recruits(), key=lambda one: one.points).name


@pytest.fixture(params=[one for one in SYSTEMS if one != "counterblast"])
async def league(table: Table, request: pytest.FixtureRequest) -> League:
    system, league = str(request.param), League(table)
    made = await table.done("anna", CreateCampaign("League", system, encounters=2))
    for who in ("anna", "bo"):
        crew = await table.done(who, CreateCrew(f"Crew of {who}", system))
        await table.done(who, RecruitMember(crew.scope, recruit(system), 3, f"Member of {who}"))
        league.scope = made.scope
        await league.done(who, JoinCampaign(league.scope, crew.scope))
    await league.done("anna", Schedule(league.scope))
    return league


async def system_of(league: League) -> str:
    from bot.store.row_types import CampaignRow

    row = (await league.book()).get(CampaignRow)
    assert row is not None
    return row.system


async def lines(league: League, kind: str) -> list[ProposalRow]:
    return [row for row in (await league.book()).all(ProposalRow) if row.kind == kind]


async def mine(league: League, who: str) -> list[str]:
    """Names of a player's models in the running encounter."""
    encounter = await league.table.encounter()
    return [one.name for one in encounter.models() if one.owner_id == league.table.ids[who]]


async def first_round(league: League) -> None:
    """Two of Bo's members leave play; Anna has won. One is hurt, the other misses an encounter."""
    await league.table.done("anna", PlayFixture(league.scope))
    lost = (await mine(league, "bo"))[:2]
    for name in lost:
        await league.table.done("bo", RemoveModel(name, "casualty"))
    report = await league.report("anna", await league.table.done("anna", EndEncounter()))
    assert "Choices that still have to be made: 2." in report.reply.lines
    for name in ("Crew of anna", "Crew of bo"):
        assert any(line.startswith(name) for line in report.reply.lines), "what is left is told"
    result = next(row for row in await lines(league, "result") if row.entrant == 1)
    await league.done("anna", EditLine(league.scope, result.id, "won"))
    hurt, absent = await lines(league, "fate")
    assert "Only bo" in await league.refused("cy", EditLine(league.scope, hurt.id, "hurt"))
    await league.done("bo", EditLine(league.scope, hurt.id, "hurt"))
    await league.done("bo", EditLine(league.scope, absent.id, "misses 1 game"))
    await league.done("anna", ConfirmReport(league.scope))


async def test_results_notes_absences_and_the_ledger_are_kept(league: League) -> None:
    before = kept(league)
    await first_round(league)
    book = await league.book()
    counters = {row.name: row.counters for row in book.all(EntrantRow)}
    assert counters["Crew of anna"]["campaign points"] == 3
    assert "campaign points" not in counters["Crew of bo"]
    crew = await league.do("bo", ShowEntrant(league.scope, "Crew of bo"))
    assert "hurt in round 1" in crew.reply.text
    assert "misses 1" in crew.reply.text
    after = kept(league)
    await league.done("anna", Undo(5), scope=league.scope)
    assert kept(league) == before
    await league.done("anna", Redo(5), scope=league.scope)
    assert kept(league) == after


async def test_ties_are_broken_by_what_the_opponent_lost_as_each_game_counts_it(league: League) -> None:
    system = await system_of(league)
    await first_round(league)
    counters = (await league.entrant("Crew of anna")).counters
    cost = next(one.points for one in game(system).recruits() if one.name == recruit(system))
    expected = {"infinity": 2 * cost}.get(system, 2)
    assert counters["battle points"] == expected
    assert not (await league.entrant("Crew of bo")).counters.get("battle points")


async def accounts(league: League, account: str) -> list[int]:
    return [(await league.entrant(f"Crew of {who}")).counters.get(account, 0) for who in ("anna", "bo")]


def scored(shown: str) -> set[int]:
    """The points of the one game that a campaign shows."""
    (line,) = [one for one in shown.splitlines() if one.startswith("#1 ")]
    return {int(one) for one in line.split()[-1].split(":")}


async def test_what_a_game_came_to_is_told_and_corrected_without_another_winner(league: League) -> None:
    """Points break ties and do not say who won a game that was played here: people do, and put it right."""
    await first_round(league)
    lost, _ = await accounts(league, "battle points")
    assert await accounts(league, "campaign points") == [3, 0]
    assert scored((await league.do("cy", ShowCampaign(league.scope))).reply.text) == {0, lost}
    told = (await league.do("anna", ShowStory(league.scope))).reply.text
    assert f"against Crew of bo: won, {lost} points" in " ".join(told.split())
    points = ("Crew of anna", 1, lost, 0, "to test")
    asked = await league.do("anna", AskCorrection(league.scope, *points))
    assert [one.label for one in asked.reply.buttons] == ["It was a draw", "Crew of bo won"]
    drawn = await league.press("anna", asked, "It was a draw")
    assert (await accounts(league, "campaign points"), await accounts(league, "battle points")) == (
        [1, 1],
        [lost, 0],
    )
    await league.press("anna", drawn, "Undo")
    other = AskCorrection(league.scope, "Crew of anna", 1, 0, 7, "they lost more")
    asked = await league.do("anna", other)
    assert [one.label for one in asked.reply.buttons] == [
        "Correct the result",
        "It was a draw",
        "Crew of bo won",
    ]
    await league.press("anna", asked, "Correct the result")
    assert (await accounts(league, "campaign points"), await accounts(league, "battle points")) == (
        [3, 0],
        [0, 7],
    )
    wrong = CorrectResult(league.scope, "Crew of anna", 1, 0, 7, "by hand", "mighty victory")
    assert "That result isn't possible in this game." in await league.refused("anna", wrong)


async def test_what_an_organiser_chooses_for_somebody_is_told_and_stays_in_the_ledger(league: League) -> None:
    """Bo's own choice takes the mark away again."""
    went_down = ("Member of bo", "Member of bo 2")
    await league.done("bo", OpenReport(league.scope, 0, "Crew of bo", 9, 2, went_down))
    hurt, lost = await lines(league, "fate")
    told = await league.done("anna", EditLine(league.scope, hurt.id, "hurt"))
    assert "Member of bo: hurt (went down) [chosen by anna]" in " ".join(told.reply.text.split())
    await league.done("anna", EditLine(league.scope, lost.id, "lost for good"))
    told = await league.done("bo", EditLine(league.scope, lost.id, "misses 1 game"))
    assert "Member of bo 2: misses 1 game (went down) [" not in " ".join(told.reply.text.split())
    await league.done("anna", ConfirmReport(league.scope))
    causes = {row.account: row.cause for row in await league.ledger() if row.member}
    assert causes["note"] == "round 1 (chosen by anna)"
    assert (await league.veteran("Member of bo")).note == "hurt in round 1"
    assert causes["encounters out"] == "round 1"


async def test_a_result_that_was_typed_the_wrong_way_round_is_turned_by_its_points(league: League) -> None:
    await league.done("bo", OpenReport(league.scope, 0, "Crew of bo", 9, 2))
    await league.done("anna", ConfirmReport(league.scope))
    asked = await league.do("anna", AskCorrection(league.scope, "Crew of bo", 1, 2, 9, "the wrong way"))
    assert asked.reply.buttons[0].label == "Correct the result"
    await league.press("anna", asked, "Correct the result")
    assert (await accounts(league, "campaign points"), await accounts(league, "battle points")) == (
        [3, 0],
        [9, 2],
    )


async def test_points_that_the_organiser_changes_in_a_report_are_those_of_the_game(league: League) -> None:
    await league.done("bo", OpenReport(league.scope, 0, "Crew of bo", 9, 2))
    nine = next(
        row for row in await lines(league, "points") if (row.text, row.amount) == ("battle points", 9)
    )
    await league.done("anna", EditLine(league.scope, nine.id, "8"))
    await league.done("anna", ConfirmReport(league.scope))
    assert scored((await league.do("cy", ShowCampaign(league.scope))).reply.text) == {8, 2}
    asked = await league.do("anna", AskCorrection(league.scope, "Crew of bo", 1, 10, 2, "counted again"))
    assert "(changed by anna; before: 9)" in " ".join(asked.reply.text.split())
    await league.press("anna", asked, "Correct the result")
    assert await accounts(league, "battle points") == [2, 10]


async def test_who_misses_an_encounter_stays_away_and_comes_back(league: League) -> None:
    await first_round(league)
    await league.done("anna", Schedule(league.scope))
    await league.table.done("anna", PlayFixture(league.scope))
    encounter = await league.table.encounter()
    sides = {side.name: len(encounter.models(side.id)) for side in encounter.sides()}
    hidden = await system_of(league) == "infinity"
    assert hidden or sides == {"Crew of anna": 3, "Crew of bo": 2}
    report = await league.report("anna", await league.table.done("anna", EndEncounter()))
    assert report.changed
    for row in await lines(league, "result"):
        await league.do("anna", EditLine(league.scope, row.id, "drawn"))
    await league.done("anna", ConfirmReport(league.scope))
    crew = await league.do("bo", ShowEntrant(league.scope, "Crew of bo"))
    assert "misses 1" not in crew.reply.text
    shown = await league.do("cy", ShowStandings(league.scope))
    assert shown.reply.lines[1].startswith("1. Crew of anna: CP 4")
    ended = await league.done("anna", EndCampaign(league.scope))
    assert ended.reply.lines[0] == "Crew of anna wins League."
    assert (await examine(url_of(league.table.file))).faults == ()


async def test_a_fixture_is_recorded_by_its_points_and_points_are_spent(league: League) -> None:
    await league.done("bo", OpenReport(league.scope, 0, "Crew of bo", 9, 2))
    await league.done("anna", ConfirmReport(league.scope))
    bo = (await league.entrant("Crew of bo")).counters
    assert (bo["campaign points"], bo["battle points"]) == (3, 9)
    assert (await league.entrant("Crew of anna")).counters == {"battle points": 2}
    await league.done("anna", Adjust(league.scope, "Crew of bo", PURSE, 500, "the prize"))
    name = recruit(await system_of(league))
    await league.done("bo", Buy(league.scope, "", name, "Newcomer"))
    assert (await league.veteran("Newcomer")).status == "fit"
    ledger = await league.do("bo", ShowLedger(league.scope, "Crew of bo"))
    assert "adjusted: the prize; anna" in " ".join(ledger.reply.text.split())


async def test_a_secret_list_stays_secret(league: League) -> None:
    await first_round(league)
    ledger = await league.do("cy", ShowLedger(league.scope))
    if await system_of(league) == "infinity":
        assert "can see its list" in await league.refused("bo", ShowEntrant(league.scope, "Crew of anna"))
        assert "Member of" not in ledger.reply.text
    else:
        assert (await league.do("bo", ShowEntrant(league.scope, "Crew of anna"))).reply.private
        assert "Member of" in ledger.reply.text
