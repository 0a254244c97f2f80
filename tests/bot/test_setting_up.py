"""What is set up before a game by pressing: what may be done is offered, and why the rest may not is said."""

from __future__ import annotations

import re

import pytest

from bot.actions import ACTIONS
from bot.app import ALL_GAMES
from bot.table.game import GAMES
from bot.table.offers.forms import title_of
from tests.bot.house import House


@pytest.mark.parametrize("system", [game.key for game in ALL_GAMES])
async def test_what_is_offered_opens_or_is_done(house: House, system: str) -> None:
    await house.slash("demo", system=system)
    shown = await house.press(await house.panel(), "Set up...")
    assert shown.ephemeral
    labels = {one.label for one in shown.controls}
    assert {"Secret phrase for the dice", "House rules", "Move the game..."} <= labels
    real = "Real dice or the bot's"
    assert real in labels or f"{real}: The bot shuffles the cards for this game" in " ".join(
        shown.content.split()
    )
    outcome = await house.anna.press(shown, "Secret phrase for the dice")
    told = await house.submit(await outcome.modal(), {"text": "rain on tin"})
    assert told.content.startswith("Your phrase: rain on tin\n")
    again = await house.press(await house.panel(), "Set up...")
    assert "Secret phrases for the dice: 1" in again.content


async def test_only_the_organiser_is_offered_another_place(house: House) -> None:
    await house.slash("demo")
    await house.slash("encounter join", house.bo, side="Edo")
    shown = await house.press(await house.panel(), "Set up...", house.bo)
    labels = {one.label for one in shown.controls}
    assert "Move the game..." not in labels
    assert "Terrain" in labels
    assert "Place terrain" in shown.content


async def test_who_does_not_play_is_offered_no_choice_of_a_player(house: House) -> None:
    await house.slash("demo", system="infinity")
    shown = await house.press(await house.panel(), "Set up...")
    assert "Strategos L1" in {one.label for one in shown.controls}
    stranger = house.server.person("dee", "Dee")
    shown = await house.press(await house.panel(), "Set up...", stranger)
    assert "Strategos L1" not in {one.label for one in shown.controls}
    assert "Join..." in {one.label for one in shown.controls}
    assert "is not yours" not in shown.content
    told = " ".join(shown.content.split())
    assert re.search(r"Choose the Lieutenant, .*: Join this game first", told)


@pytest.mark.parametrize("system", [game.key for game in ALL_GAMES])
async def test_an_organiser_who_took_no_side_is_told_to_take_one(house: House, system: str) -> None:
    """Not whose model or which squad it would have been, of the side that somebody else brought."""
    await house.slash("encounter start", system=system)
    ways = await house.press(await house.panel(), "Join...", house.bo)
    await house.press(ways, next(one.label for one in ways.controls if "sample crew" in one.label), house.bo)
    shown = await house.press(await house.panel(), "Set up...")
    told = " ".join(shown.content.split())
    assert "is not yours" not in told
    assert "There is no such" not in told
    assert "is called" not in told
    assert "Join a side first with /encounter join." in told


READ_BY_ALL = {"House rules", "Join...", "Deck", "Effects Table"}
"""What anybody may open: to read it, or to take a place."""


@pytest.mark.parametrize("system", [game.key for game in ALL_GAMES])
async def test_who_has_no_seat_is_offered_only_what_may_be_read_and_a_place(
    house: House, system: str
) -> None:
    await house.slash("demo", system=system)
    stranger = house.server.person("dee", "Dee")
    shown = await house.press(await house.panel(), "Set up...", stranger)
    labels = {one.label for one in shown.controls}
    assert {"House rules", "Join..."} <= labels <= READ_BY_ALL
    settings = await house.press(shown, "House rules", stranger)
    assert "Choose a setting to read it." in settings.content


async def test_a_board_is_laid_by_pressing(house: House) -> None:
    await house.slash("demo", system="soluna")
    shown = await house.press(await house.panel(), "Set up...")
    assert any(one.label == "Create a board" for one in shown.controls), shown.controls


@pytest.mark.parametrize(
    ("system", "label"),
    [("infinity", "Choose the Lieutenant"), ("warzone", "Make a squad"), ("fracd_earth", "Deck")],
)
async def test_every_game_is_set_up_by_pressing(house: House, system: str, label: str) -> None:
    """Each thing has a button, or is told with why it may not be done now; a button opens its form."""
    await house.slash("demo", system=system)
    shown = await house.press(await house.panel(), "Set up...")
    labels = {one.label for one in shown.controls}
    for command in GAMES[system].sets_up:  # type: ignore[attr-defined]
        title = title_of(ACTIONS[command])
        assert title in labels or title in " ".join(shown.content.split()), command
    assert label in labels
    assert (await (await house.anna.press(shown, label)).modal()).title == label
