"""The story of a season: pages, chronicles, files; nothing is told that was not open."""

from __future__ import annotations

import io
from html.parser import HTMLParser

from PIL import Image

from bot.replies.drawing import WIDTH
from bot.table.campaign.campaign_views import ShowStandings
from bot.table.campaign.campaigns import Schedule
from bot.table.campaign.corrections import CorrectResult
from bot.table.campaign.story import ExportStory, ShowStory, TellTale
from bot.table.journal.history import Undo
from tests.bot.campaign.league import League
from tests.bot.campaign.test_report import confirmed
from tests.bot.campaign.test_season import joined, recorded


async def shown(league: League, who: str, action: ShowStory) -> str:
    reply = (await league.do(who, action)).reply
    assert reply.private
    return joined(reply.text)


async def test_a_page_tells_who_met_what_turned_it_and_how(two: League) -> None:
    ended = await two.played("bo", ("GDF Ranger", "casualty", 2), ("Trapper", "fled", 0))
    await two.report("anna", ended)
    await confirmed(two)
    page = await shown(two, "anna", ShowStory(two.scope, "Lancers", 1))
    assert page.startswith("**Round 1: ")
    assert "Key moments:" in page
    turned = page[page.index("Key moments") :]
    assert "GDF Ranger" in turned
    assert "Trapper" in turned


async def test_what_was_taken_back_is_not_told(two: League) -> None:
    from bot.table.campaign.campaign_games import PlayFixture
    from bot.table.session.encounters import EndEncounter, NextStep
    from bot.table.session.models import RemoveModel

    await two.table.done("bo", PlayFixture(two.scope))
    await two.table.done("bo", NextStep())
    await two.table.done("bo", RemoveModel("Trapper", "fled"))
    await two.table.done("bo", Undo())
    ended = await two.table.done("bo", EndEncounter())
    await two.report("anna", ended)
    await confirmed(two)
    assert "Trapper" not in await shown(two, "anna", ShowStory(two.scope, "Lancers", 1))


async def test_players_tell_of_their_own_games(two: League) -> None:
    assert "no reported game" in await two.refused("bo", TellTale(two.scope, "we won"))
    await recorded(two, "Edo", 20, 3)
    await two.done("bo", TellTale(two.scope, "The *gate* fell @everyone"))
    page = await shown(two, "cy", ShowStory(two.scope, "Edo", 1))
    assert "bo: The gate fell everyone" in page
    assert "Only the players" in await two.refused("cy", TellTale(two.scope, "me too", 0, "Edo"))


async def test_the_chronicle_follows_the_ledger(two: League) -> None:
    await recorded(two, "Edo", 20, 3)
    text = await shown(two, "bo", ShowStory(two.scope))
    assert "Round 1 against Lancers: Mighty Victory, 20 points" in text
    assert "- Prime Leader joins - Spawnguard joins -" in text


class Page(HTMLParser):
    """Everything that a page would load, and whether its tags close."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.loads += [str(value) for name, value in attrs if name in ("src", "href")]
        if tag not in ("meta", "br", "path", "polyline"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.loads += [str(value) for name, value in attrs if name in ("src", "href")]


async def test_the_html_loads_nothing_and_its_tags_close(two: League) -> None:
    await recorded(two, "Edo", 20, 3)
    await two.done("bo", TellTale(two.scope, "a & b"))
    file = (await two.do("cy", ExportStory(two.scope))).reply.files[0]
    page = Page()
    page.feed(file.data.decode())
    assert page.loads == []
    assert page.open == []
    assert b"<script" not in file.data
    assert b"a &amp; b" in file.data
    assert b"<svg" in file.data


async def test_markdown_formats_nothing_that_was_typed(two: League) -> None:
    await recorded(two, "Edo", 20, 3)
    text = (await two.do("cy", ExportStory(two.scope, "markdown"))).reply.files[0].data.decode()
    assert text.startswith("# Rust Belt\n")
    assert "### Round 1: " in text


async def test_the_standings_are_drawn_and_told_with_corrections_where_they_belong(two: League) -> None:
    for mine, theirs in ((20, 3), (5, 5)):
        await recorded(two, "Edo", mine, theirs)
        await two.done("anna", Schedule(two.scope))
    await two.done("anna", CorrectResult(two.scope, "Edo", 1, 3, 20, "wrong way round"))
    picture = (await two.do("cy", ShowStandings(two.scope))).reply.files[0]
    assert "Lancers 0, 3, 4" in picture.words
    assert "Edo 0, 0, 1" in picture.words
    assert Image.open(io.BytesIO(picture.data)).width == WIDTH
