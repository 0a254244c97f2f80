"""A game begins by presses from /help and /games, as one that the server plays; the next one, too."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.app import ALL_GAMES
from bot.local.seen import Message, Modal
from bot.table.act import RUNS_ALREADY
from tests.bot.house import House

NAMES = [game.name for game in ALL_GAMES]


@pytest.fixture
async def server(file: Path) -> AsyncIterator[House]:
    """The bot as it serves Discord: a game's commands are only where it is shown."""
    async with House.open(file, options={"everything": False}) as house:
        yield house


async def plays(house: House, *names: str) -> None:
    await (
        await house.anna.select(await house.slash("games"), "Choose the games to show", list(names))
    ).message()
    await house.client.commands.settle()


def offered(form: Modal) -> list[str]:
    return [option.label for field in form.fields if field.custom_id == "system" for option in field.options]


async def started(house: House, form: Modal) -> Message:
    """What is told of the game that this form starts as it stands."""
    await (await house.bo.submit(form, {})).acknowledged()
    return await house.panel()


async def test_where_a_server_has_chosen_no_game_all_are_offered(server: House) -> None:
    asked = await server.slash("help", server.bo)
    assert [control.label for control in asked.controls] == ["Try a game", "Start a game"]
    for label in ("Try a game", "Start a game"):
        assert offered(await (await server.bo.press(asked, label)).modal()) == NAMES


@pytest.mark.parametrize("door", ["help", "games"])
async def test_of_several_games_of_a_server_one_is_chosen(server: House, door: str) -> None:
    await plays(server, "Infinity", "sol'una")
    form = await (await server.bo.press(await server.slash(door, server.bo), "Start a game")).modal()
    assert offered(form) == ["Infinity", "sol'una"]
    assert (await started(server, form)).content.startswith("Infinity: the game has been created.")
    await server.quiet()
    assert {"Join...", "Set up..."} <= {one.label for told in server.public for one in told.controls}


async def test_the_only_game_of_a_server_is_not_asked_for(server: House) -> None:
    await plays(server, "sol'una")
    form = await (await server.bo.press(await server.slash("help", server.bo), "Start a game")).modal()
    assert not offered(form)
    assert (await started(server, form)).content.startswith("sol'una: the game has been created.")


async def test_a_game_to_try_and_a_crew_are_of_a_game_that_the_server_plays(server: House) -> None:
    await plays(server, "sol'una")
    made = await server.slash("crew create", name="Foxes")
    assert made.content.startswith("Foxes is a new crew for sol'una.")
    assert (await server.slash("campaign start")).content.startswith(
        "Which format should the sol'una campaign have?"
    )
    tried = await server.press(await server.slash("help", server.bo), "Try a game", server.bo)
    assert tried.content.startswith("This is a sample game of sol'una.")


async def test_the_only_game_is_tried_by_the_command_alone(server: House) -> None:
    await plays(server, "sol'una")
    assert (await server.slash("demo")).content.startswith("This is a sample game of sol'una.")


@pytest.mark.parametrize("label", ["Try a game", "Start a game"])
async def test_where_a_game_runs_no_form_is_opened_for_another(server: House, label: str) -> None:
    asked = await server.slash("help", server.bo)
    await server.slash("demo", server.bo)
    told = await server.press(asked, label, server.bo)
    assert told.content.startswith(RUNS_ALREADY[0])


async def test_a_game_that_is_said_is_played_whatever_the_server_shows(server: House) -> None:
    await plays(server, "sol'una")
    assert (await server.slash("demo", system="warzone")).content.startswith(
        "This is a sample game of Ultimate Warzone"
    )


async def test_the_end_of_a_game_offers_the_next_one(server: House) -> None:
    await plays(server, "Infinity", "sol'una")
    await server.slash("demo", system="soluna")
    await server.quiet()
    ended = await server.press(await server.slash("encounter end"), "End the game")
    form = await (await server.bo.press(ended, "Start a game")).modal()
    (game,) = [field for field in form.fields if field.custom_id == "system"]
    assert [option.label for option in game.options if option.default] == ["sol'una"]
    assert (await started(server, form)).content.startswith("sol'una: the game has been created.")
