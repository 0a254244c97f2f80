"""/help as "what now?": what the game waits for, what the person may do, commands that can be tapped."""

from __future__ import annotations

import re

import pytest

from bot.app import ALL_GAMES
from bot.panels.tapping import as_the_server_has_them
from bot.replies.reply import COLUMNS, Column, Note, Reply
from tests.bot.house import House


def first_part(text: str) -> str:
    return text.split("\n\n")[0]


async def test_without_a_game_it_says_how_one_begins(house: House) -> None:
    told = await house.slash("help")
    assert told.ephemeral
    assert told.content.startswith("There is no game in this channel.\n")
    number = next(one["id"] for one in house.server.registry.all(None) if one["name"] == "demo")
    assert f"Try one with </demo:{number}>" in told.content
    assert "Adjutant rolls the dice, does the sums" in told.content
    assert [control.label for control in told.controls] == ["Try a game", "Start a game"]


async def test_it_says_what_is_waited_for_and_what_one_may_do(house: House) -> None:
    await house.slash("demo")
    assert (
        "not begun yet.** Waiting for a player for Edo. Press Join..., or press Begin."
        in (await house.slash("help")).content
    )
    await house.slash("encounter join", house.bo, side="Edo")
    await house.begin(await house.panel())
    told = (await house.slash("help")).content
    assert re.search(r"turn 1\.\*\* Waiting for (Anna|Bo) to draw for ", told)
    assert "Buttons on the panel: Draw." in told
    panel = await house.panel()
    drawn = await house.press(panel, "Draw", house.bo)
    if "draws" not in drawn.content:
        drawn = await house.press(panel, "Draw")
    side = "Lancers" if "draws a token for Lancers" in drawn.content else "Edo"
    mine, other = (house.anna, house.bo) if side == "Lancers" else (house.bo, house.anna)
    model = drawn.controls[1].label
    await house.press(drawn, model, mine)
    told = first_part((await house.slash("help", mine)).content)
    assert f"Waiting for {mine.display_name} to act with {model}." in told
    ids = {one["name"]: one["id"] for one in house.server.registry.all(None)}
    assert f"</cb shoot:{ids['cb']}>" in told
    assert "cb shoot" not in first_part((await house.slash("help", other)).content)
    cy = house.server.person("cy")
    assert "You aren't playing" in first_part((await house.slash("help", cy)).content)


@pytest.mark.parametrize(
    ("system", "asked"), [("warzone", "choose a unit to activate"), ("fracd_earth", "choose who acts")]
)
async def test_it_names_the_menu_that_asks_and_no_button_beside_it(
    house: House, system: str, asked: str
) -> None:
    start = await house.slash("demo", system=system)
    await house.press(start, "Begin")
    told = first_part((await house.slash("help")).content)
    assert re.search(rf"Waiting for .* to {re.escape(asked)}", told)
    assert not re.search("Undo|Cards", told)


@pytest.mark.parametrize("system", [game.key for game in ALL_GAMES])
async def test_it_tells_in_every_game_what_waits(house: House, system: str) -> None:
    start = await house.slash("demo", system=system)
    assert "Waiting for " in first_part((await house.slash("help")).content)
    await house.press(start, "Begin")
    told = first_part((await house.slash("help")).content)
    assert "Waiting for " in told


async def test_who_plays_both_sides_is_told_both(house: House) -> None:
    await house.slash("demo")
    assert "You play Lancers and Edo." in first_part((await house.slash("help")).content)
    await house.slash("encounter join", house.bo, side="Edo")
    await house.begin(await house.panel())
    assert "You play Lancers." in first_part((await house.slash("help")).content)
    assert "You play Edo." in first_part((await house.slash("help", house.bo)).content)


async def test_a_topic_is_told_alone(house: House) -> None:
    told = await house.slash("help", topic="undo")
    assert told.content.startswith("</undo:")
    assert "There is no game" not in told.content


def test_only_what_the_server_has_is_tapped_and_nothing_where_that_is_not_known() -> None:
    lines = ("/crew create, recruit: /crew", "and/or /nothing", "/encounter start crew, or join")
    told = as_the_server_has_them(Reply(lines, tappable=True), {"crew": 5, "encounter": 6})
    assert told.lines == (
        "</crew create:5>, recruit: /crew",
        "and/or /nothing",
        "</encounter start:6> crew, or join",
    )
    assert as_the_server_has_them(Reply(lines, tappable=True), {}).lines == lines
    assert as_the_server_has_them(Reply(lines), {"crew": 5, "encounter": 6}).lines == lines


def test_what_the_server_has_not_is_said_by_a_line_or_by_what_is_pressed() -> None:
    lines = (Note("/sol attack, or /sol move"), Column("/bag draw"), "Bought with /spoils build")
    told = as_the_server_has_them(Reply(lines), {"do": 5, "crew": 6}).lines
    assert told == ("/do attack, or /do move", "/do draw", "Bought with /do spoils build")
    assert [type(line) for line in told] == [Note, Column, str]
    long = as_the_server_has_them(Reply(("1. Draw a token: the panel, /bag draw",)), {"do": 5}).lines
    assert max(map(len, long)) <= COLUMNS


async def test_a_reaction_that_is_waited_for_is_named_with_what_is_pressed(house: House) -> None:
    await house.slash("demo", system="infinity")
    await house.slash("encounter join", house.bo, side="Nightfall")
    began = await house.press(await house.everybody_ready(await house.panel(), house.anna), "Begin")
    winner = house.anna if began.content.startswith("Vanguard") else house.bo
    label = "Play first (only Anna)" if winner is house.anna else "Play second (only Bo)"
    first = await house.press(began, label, winner)
    await house.press(first, "First turn")
    await house.slash("inf shoot", model="Angus", target="Tracker", distance=12.0)
    told = " ".join((await house.slash("help", house.bo)).content.split())
    assert "Waiting for Bo to choose AROs (60 seconds)." in told
    assert "Buttons on the panel: React, Nobody reacts" in told
