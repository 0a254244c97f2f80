"""The season in records and pictures: counted from the books, said in words as fully as drawn."""

from __future__ import annotations

import io
import re

import pytest
from PIL import Image

from bot.games.counterblast.shooting.volleys import Shoot
from bot.replies.drawing import WIDTH
from bot.store.row_types import FixtureRow
from bot.table.campaign.campaign_crews import Adjust, LeaveCampaign
from bot.table.campaign.campaign_games import PlayFixture
from bot.table.campaign.campaign_report import RecordFixture
from bot.table.campaign.campaign_views import PrintCampaign
from bot.table.campaign.campaigns import Schedule, ranked
from bot.table.campaign.charts import Standings, Victor, beside, course_of, draw_casualties, draw_takedowns
from bot.table.campaign.corrections import CorrectResult
from bot.table.campaign.records import Records
from bot.table.campaign.season import Season
from bot.table.campaign.story import ShowStory
from bot.table.ledger.campaign_book import Campaign
from bot.table.rolling.dice_settings import DiceMode
from bot.table.rosters.printing import PrintCrew
from bot.table.session.encounters import EndEncounter, NextStep
from bot.table.session.models import RemoveModel
from rules.wording import times
from tests.bot.campaign.league import League


async def recorded(league: League, mine: int, theirs: int, *lost: str) -> None:
    await league.done("anna", Schedule(league.scope))
    report = await league.done("anna", RecordFixture(league.scope, 0, "Edo", mine, theirs, lost))
    await league.press("anna", report, "Confirm")


async def test_all_crews_are_printed_as_one_file_with_what_they_played(league: League) -> None:
    await league.begin("anna", "bo", "cy")
    await recorded(league, 20, 3)
    reply = (await league.do("bo", PrintCampaign(league.scope))).reply
    assert reply.private
    assert reply.text.startswith("Here are the battle sheets of 3 crews in Rust Belt (A4).")
    (whole,) = reply.files
    assert whole.name == "rust-belt.pdf"
    assert whole.data.startswith(b"%PDF-")
    assert whole.data.count(b"/Type /Page\n") == 3
    edo = (await league.do("bo", PrintCrew(league.crews["bo"], "text"))).reply.files[0].data.decode()
    assert re.search(
        r"^Games: Mighty Victory 20 to 3 against (Lancers|Mekkus) \(round 1\)$", edo, re.MULTILINE
    )
    assert "Choose one of these" in await league.refused("bo", PrintCampaign(league.scope, "csv"))


async def text_of(league: League) -> str:
    return " ".join((await league.do("cy", Records(league.scope))).reply.text.split())


async def test_records_rivals_and_runs_are_counted(league: League) -> None:
    await league.begin("anna", "bo")
    assert "First report a game" in await league.refused("cy", Records(league.scope))
    for mine, theirs in ((20, 3), (13, 9), (4, 25)):
        await recorded(league, mine, theirs)
    text = await text_of(league)
    assert "Records of Rust Belt (3 games)" in text
    assert "Most points: Lancers, 25 in round 3" in text
    assert "Biggest win: Lancers over Edo, 25:4 in round 3" in text
    assert "Most wins in a row: Edo (2)" in text
    assert "Rivals: of 3 games, Lancers won 1 and Edo won 2" in text
    await league.done("anna", CorrectResult(league.scope, "Edo", 3, 20, 4, "the wrong crew"))
    text = await text_of(league)
    assert "Most points: Edo, 20 in round 1" in text
    assert "Most wins in a row: Edo (3)" in text


@pytest.mark.parametrize("drawn", [(5, 5), (10, 7)])
async def test_a_draw_ends_a_run_and_is_nobodys_win(league: League, drawn: tuple[int, int]) -> None:
    """A lead of 3 wins nothing in Counterblast."""
    await league.begin("anna", "bo")
    for mine, theirs in ((20, 3), drawn, (20, 3)):
        await recorded(league, mine, theirs)
    text = await text_of(league)
    assert "in a row" not in text
    assert "Rivals: of 3 games, Lancers won 0 and Edo won 2" in text


async def test_who_was_hurt_or_lost_is_counted_once_and_against_whom(league: League) -> None:
    await league.begin("anna", "bo")
    everybody = ("GDF Ranger", "Skip Westmoreland", "Sally Starfield", "HOpR Bot")
    await league.done("anna", Schedule(league.scope))
    report = await league.done("anna", RecordFixture(league.scope, 0, "Edo", 9, 4, everybody))
    done = await league.press("anna", report, "Confirm")
    assert "is confirmed." in done.reply.text, done.reply.text
    members = [one for one in await league.ledger() if one.member and one.cause.startswith("round 1")]
    lasting = {
        one.member
        for one in members
        if (one.account == "status" and one.after in ("dead", "captive"))
        or one.account.startswith("injury")
        or (one.account == "encounters out" and one.amount > 0)
    }
    text = await text_of(league)
    assert f"Lancers: {len(lasting)} against Edo" in text if lasting else "Casualties" not in text
    story = (await league.do("anna", ShowStory(league.scope))).reply
    hurt = f", {times(len(lasting), 'member')} hurt or lost" if lasting else ""
    assert story.files[0].words == f"Lancers: round 1 against Edo: Defeat, 4 points{hurt}, 2nd place."


async def test_records_are_a_press_away_and_their_pictures_fit_a_phone(league: League) -> None:
    await league.begin("anna", "bo")
    labels = [one.label for one in (await league.do("cy", Season(league.scope))).reply.buttons]
    assert "Records" not in labels
    await recorded(league, 20, 3)
    shown = await league.do("cy", Season(league.scope))
    reply = (await league.press("cy", shown, "Records")).reply
    assert reply.private
    for file in reply.files:
        assert Image.open(io.BytesIO(file.data)).width == WIDTH
        assert file.words
    rows = (await league.book()).all(FixtureRow)
    assert [one.status for one in rows] == ["played"]


def test_equal_crews_share_a_place() -> None:
    worths = {1: ((0,), (3,), (6,)), 2: ((0,), (3,), (3,)), 3: ((0,), (9,), (6,))}
    course = Standings((1, 2), worths, {1: frozenset({1, 2}), 2: frozenset({1, 2}), 3: frozenset({2})})
    assert course.places(1) == {1: 1, 2: 1}
    assert course.places(2) == {1: 1, 2: 3}
    assert course.places(3) == {2: 1}, "it came late"


def test_no_line_of_the_chart_lies_on_another() -> None:
    aside = beside({"a": (0, 3, 6), "b": (0, 3, 7), "c": (0, 3, 6), "d": (0, 1, 1)})
    assert aside == {"a": (0, -1, -0.5), "b": (0, 0, 0), "c": (0, 1, 0.5), "d": (0, 0, 0)}


async def test_the_place_after_the_last_round_is_the_one_in_the_table(league: League) -> None:
    """Ties are broken as in the table, changes by hand count, who left stands in nobody's way."""
    await league.begin("anna", "bo", "cy", "dee", encounters=5)
    first: dict[int, int] = {}
    for number, helped in ((1, "Mekkus"), (2, "Edo")):
        await league.done("anna", Schedule(league.scope))
        still = [one for one in (await league.book()).all(FixtureRow) if one.status == "open"]
        for more, fixture in enumerate(still):
            report = await league.done("anna", RecordFixture(league.scope, 0, f"#{fixture.id}", 9 + more, 2))
            await league.press("anna", report, "Confirm")
        account = "campaign points"
        await league.done("anna", Adjust(league.scope, helped, account, 5 * number, "terrain"))
        act = await league.table.desk.look(league.table.actor("anna"), Season(league.scope))
        assert act is not None
        camp = Campaign(act)
        course = course_of(camp)
        assert {one.id: course.places(one.id)[number] for one in camp.entrants()} == {
            one.id: rank for rank, one in ranked(camp)
        }
        first = first or {one.id: course.places(one.id)[1] for one in camp.entrants()}
        assert all(course.places(one)[1] == place for one, place in first.items()), "what is past stays"
        if number == 1:
            await league.done("dee", LeaveCampaign(league.scope))


def test_a_toll_says_every_number_that_it_draws() -> None:
    words = draw_casualties("x", ("a", "b"), {("a", "b"): 3, ("b", "a"): 0}).words
    assert words == "x. a had 3 casualties against b."


def test_who_took_whom_down_says_every_name_that_it_draws() -> None:
    victors = [
        Victor("Sally", "Lancers", (("Smap", 2), ("Trapper", 1))),
        Victor("Prime", "Edo", (("Skip", 1),)),
    ]
    assert (
        draw_takedowns("x", victors).words == "x. Sally (Lancers) 3: Smap x2, Trapper; Prime (Edo) 1: Skip."
    )


async def test_who_took_whom_down_is_read_from_the_games_that_were_played(league: League) -> None:
    """By a shot, by a wound that was set by hand, and by flight: only the first is anybody's."""
    table = league.table
    await league.begin("anna", "bo")
    await league.done("anna", Schedule(league.scope))
    await table.done("anna", PlayFixture(league.scope))
    await table.done("anna", NextStep())
    encounter = await table.encounter()
    shooter, target = encounter.find_model("Sally Starfield"), encounter.find_model("Spawnguard")
    await table.done("anna", DiceMode("real"))
    await table.done("bo", DiceMode("real"))
    shot = Shoot(f"#{shooter.id}", f"#{target.id}", distance=6.0, cover=0)
    answer = await table.do("anna", shot, reason="nobody drew a token")
    while found := re.search(r"throws (\d+) d", answer.reply.text):
        face = 10 if answer.reply.text.startswith("anna") else 1
        answer = await table.enter("anna", (face,) * int(found[1]))
    assert answer.changed, answer.reply.text
    assert (await table.encounter()).find_model("Spawnguard").damage > 0
    for who in ("anna", "bo"):
        await table.done(who, DiceMode("bot"))
    await table.done("bo", RemoveModel("Spawnguard", "casualty"))
    await table.done("anna", RemoveModel("GDF Ranger", "casualty"))
    ended = await table.done("anna", EndEncounter())
    report = await league.report("anna", ended)
    await league.press("bo", report, "Confirm")
    assert "Models that took down the most enemies: - Sally Starfield (Lancers): Spawnguard" in await text_of(
        league
    )
    assert "GDF Ranger" not in await text_of(league)
    files = (await league.do("anna", Records(league.scope))).reply.files
    drawn = next(file for file in files if file.name == "downs.png")
    assert drawn.words == "Rust Belt: models taken down. Sally Starfield (Lancers) 1: Spawnguard."
    assert drawn.data.startswith(b"\x89PNG")
