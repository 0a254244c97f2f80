"""The ledger in words, as a file and of crews that left; a panel of many crews; points reported apart."""

from __future__ import annotations

import csv
import io

import pytest

from bot.games.counterblast.campaign import gains
from bot.store.row_types import ProposalRow
from bot.table.campaign import charts
from bot.table.campaign.campaign_crews import Adjust, LeaveCampaign
from bot.table.campaign.campaign_report import EditLine, RecordFixture
from bot.table.campaign.campaign_views import ShowLedger, change_words
from bot.table.campaign.campaigns import JoinCampaign, Schedule
from bot.table.campaign.season import Season
from bot.table.campaign.story import ShowStory
from bot.table.ledger.campaign_book import Campaign
from bot.table.rosters.crews import AppointLeader, CreateCrew, RecruitMember
from rules.systems.counterblast.campaign import INJURY
from rules.systems.counterblast.core.counters import RELIC
from tests.bot.campaign.league import League


async def test_a_crew_that_left_has_its_ledger_and_its_story(league: League) -> None:
    await league.begin("anna", "bo")
    await league.done("anna", Adjust(league.scope, "Edo", "requisition", 7, "a gift"))
    await league.done("bo", LeaveCampaign(league.scope))
    shown = await league.do("anna", ShowLedger(league.scope, "Edo"))
    text = " ".join(shown.reply.text.split())
    assert "Edo: +7 requisition points, now 7 (adjusted: a gift; anna)" in text
    assert "Edo leaves (bo)" in " ".join(shown.reply.text.split())
    story = await league.do("anna", ShowStory(league.scope, "Edo"))
    assert "played by bo (left the campaign)" in story.reply.text


async def test_the_ledger_is_a_file_for_a_spreadsheet(league: League) -> None:
    await league.begin("anna", "bo")
    await league.done("anna", Adjust(league.scope, "Edo", "requisition", 7, "=a gift"))
    shown = await league.do("anna", ShowLedger(league.scope))
    (file,) = (await league.press("anna", shown, "Get as CSV")).reply.files
    rows = list(csv.DictReader(io.StringIO(file.data.decode("utf-8-sig"))))
    assert len(rows) == len(await league.ledger())
    last = rows[-1]
    assert (last["Crew"], last["Account"], last["Before"], last["After"], last["By"]) == (
        "Edo",
        "requisition",
        "0",
        "7",
        "anna",
    )
    assert not [cell for row in rows for cell in row.values() if cell.startswith(("=", "+", "-", "@"))]


async def test_the_ledger_says_words_and_no_raw_counters(league: League) -> None:
    await league.begin("anna", "bo")
    act = await league.table.desk.look(league.table.actor("anna"), Season(league.scope))
    assert act is not None
    camp = Campaign(act)
    lancers, edo = camp.entrants()
    ranger = camp.find_veteran(lancers.id, "GDF Ranger")
    gains.take_captive(camp, ranger, edo.id, "round 1")
    gains.free_captive(camp, ranger, "round 2")
    camp.post(lancers.id, INJURY.of("melee"), 1, "round 1", ranger.id)
    camp.post(lancers.id, RELIC.of("beacon"), 1, "round 1", ranger.id)
    for account, before, after in (
        *(("place", "fielded", "benched"), ("place", "benched", "fielded"), ("leader", "Neema", "Sally")),
        *(
            ("equipment", "", "{Grenade}"),
            ("equipment", "Grenade", ""),
            ("points", "10", "12"),
            ("note", "", "x"),
        ),
        *(("improved", "", "melee"), ("result", "Defeat", "Draw")),
        *(("fixture", "", "Lancers - Edo"), ("fixture", "Edo - Loners", "Lancers - Edo")),
    ):
        camp.write(lancers.id, account, before, after, "chosen", ranger.id)
    told = [change_words(camp, row).removeprefix("GDF Ranger") for row in camp.ledger()[-17:]]
    assert told[:5] == [
        " is captive",
        ": held captive by Edo",
        " is available again",
        ": no longer held by Edo",
        ": melee penalty from injuries is now -1 (was 0)",
    ]
    assert told[5].startswith(": gains ")
    assert told[6:] == [
        *(" sits out", " plays again", " is now led by Sally", " gets {Grenade}", " no longer has Grenade"),
        *(" now costs 12 points instead of 10", " has a new note: x", " improves melee"),
        " had its result corrected from Defeat to Draw",
        " has a new fixture: Lancers - Edo",
        " has a different fixture: Lancers - Edo (before: Edo - Loners)",
    ]
    ledger = (await league.do("anna", ShowLedger(league.scope))).reply.text
    assert "(joined" not in ledger


async def test_a_season_of_sixteen_crews_is_one_panel(league: League) -> None:
    await league.begin("anna", "bo")
    for number in range(3, 17):
        made = await league.table.done(f"player {number}", CreateCrew(f"Crew {number}", "counterblast"))
        await league.table.done(f"player {number}", RecruitMember(made.scope, "Neema"))
        await league.table.do(f"player {number}", AppointLeader(made.scope, "Neema"))
        await league.done(f"player {number}", JoinCampaign(league.scope, made.scope))
    await league.done("anna", Schedule(league.scope))
    reply = (await league.do("anna", Season(league.scope))).reply
    for number in range(3, 17):
        assert f"Crew {number} " in reply.text, "in the table"
    assert reply.text.count("to be played") == 8
    assert "more" not in reply.text.split()
    assert len(reply.text) < 3500, "it has room in one message"


@pytest.mark.parametrize("drawn", [(10, 7), (9, 9)])
async def test_objective_and_battle_points_are_reported_apart(league: League, drawn: tuple[int, int]) -> None:
    """The tie-break asks for both; who reports says them, not the organiser."""
    await league.begin("anna", "bo")
    await league.done("anna", Schedule(league.scope))
    report = await league.done(
        "bo", RecordFixture(league.scope, 0, "Edo", *drawn, objective=4, their_objective=1)
    )
    await league.press("anna", report, "Confirm")
    edo, lancers = await league.entrant("Edo"), await league.entrant("Lancers")
    assert (edo.counters["objective points"], edo.counters["battle points"]) == (4, drawn[0] - 4)
    assert (lancers.counters["objective points"], lancers.counters["battle points"]) == (1, drawn[1] - 1)
    await league.done("anna", Schedule(league.scope))
    assert "has 3 points, so it can have at most 3 objective points" in await league.refused(
        "bo", RecordFixture(league.scope, 0, "Edo", 3, 2, objective=4)
    )


def test_equal_crews_stand_at_their_points(monkeypatch: pytest.MonkeyPatch) -> None:
    """Marks of equal crews stand beside each other, none above or below its points."""
    drawn: list[tuple[float, int]] = []
    monkeypatch.setattr(charts, "_draw_mark", lambda pen, x, y, place: drawn.append((y, place)))
    crews = 12
    image = charts.chart("x", {f"crew {number}": (0, 3, 6) for number in range(crews)})
    assert image.data.startswith(b"\x89PNG")
    on_lines = drawn[crews:]  # the first stand beside the names
    heights = {tuple(y for y, place in on_lines if place == one) for one in range(crews)}
    assert len(heights) == 1
    ((start, middle, end),) = heights
    assert start - middle == middle - end > 0


async def test_objective_points_change_the_total_and_the_result(league: League) -> None:
    """A report of 7 to 5 is a draw; with 4 objective points more it is a win, and pays as one."""
    await league.begin("anna", "bo")
    await league.done("anna", Schedule(league.scope))
    await league.done("anna", RecordFixture(league.scope, 0, "Edo", 7, 5))
    lines = (await league.book()).all(ProposalRow)
    edo = (await league.entrant("Edo")).id
    line = next(one for one in lines if (one.entrant, one.text) == (edo, "objective points"))
    report = await league.done("anna", EditLine(league.scope, line.id, "4"))
    assert "**Edo**: Mighty Victory, 11 points" in report.reply.lines
    assert "**Lancers**: Defeat, 5 points" in report.reply.lines
    assert "before: 0]" in report.reply.text
    await league.press("anna", report, "Confirm")
    counters = (await league.entrant("Edo")).counters
    points = [
        counters[key] for key in ("campaign points", "objective points", "battle points", "requisition")
    ]
    assert points == [3, 4, 7, 110]
