"""Which games a server shows: its commands on Discord, over restarts, refusals and Discord's limits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.actions import ACTIONS
from bot.commands import registering
from bot.commands.registering import MAX_NEW_COMMANDS, game_of_command, in_picker
from bot.commands.typed import INSTALLABLE
from bot.games import PLAYED
from bot.local.faults import Trouble
from bot.local.people import ClientRefusal
from bot.local.seen import Message
from bot.store.doctor import examine
from bot.store.side_tables import Registration, registration, save_registration
from bot.table.act import Actor
from bot.table.request import Request
from bot.table.session.games import ChooseGames
from tests.bot.house import House, read
from tests.bot.tables import url_of

GAMES = {"counterblast": "Counterblast", "soluna": "sol'una"}


@pytest.fixture
async def server(file: Path) -> AsyncIterator[House]:
    """The bot as it serves Discord: a game's commands are only where it is shown."""
    async with House.open(file, options={"everything": False}) as house:
        yield house


def own(house: House, guild: int = 0) -> set[str]:
    return {one["name"] for one in house.server.registry.all(guild or house.server.world.home.id)}


def common(house: House) -> set[str]:
    return {one["name"] for one in house.server.registry.all(None)}


def sent(house: House) -> list[str]:
    """What was asked of Discord to alter commands, so far."""
    return [
        f"{one.method} {one.template}"
        for one in house.server.requests
        if one.template.endswith(("/commands", "/commands/{command_id}")) and one.method != "GET"
    ]


def of(*systems: str) -> set[str]:
    """The commands that the picker shows for these games."""
    return {name for name in every(*systems) if in_picker({"name": name}) is not None} - {*INSTALLABLE}


def every(*systems: str) -> set[str]:
    tops = {kind.typed.split()[0] for kind in ACTIONS.values() if kind.typed}
    return {name for name in tops if game_of_command(name) in systems}


async def choose(house: House, *names: str) -> Message:
    shown = await house.slash("games")
    told = read(await (await house.anna.select(shown, "Choose the games to show", list(names))).message())
    await house.client.commands.settle()
    return told


def test_every_first_word_belongs_to_one_game_or_to_all() -> None:
    words: dict[str, set[str]] = {}
    for kind in ACTIONS.values():
        if kind.typed:
            words.setdefault(kind.typed.split()[0], set()).add(kind.__module__.startswith("bot.games."))
    assert not [word for word, found in words.items() if len(found) > 1]


async def test_a_fresh_server_has_the_commands_of_every_table(server: House) -> None:
    assert {"demo", "do", "help", "encounter", "games", "roll"} <= common(server)
    assert not common(server) & of(*PLAYED)
    assert not own(server)
    with pytest.raises(ClientRefusal):
        await server.slash("cb shoot")
    assert "a sample game" in (await server.slash("demo")).content


async def test_chosen_games_show_their_commands(server: House) -> None:
    assert "This server shows no game commands." in (await server.slash("games")).content
    told = await choose(server, *GAMES.values())
    assert told.content.startswith("This server now shows the commands of Counterblast and sol'una.")
    assert not told.ephemeral
    assert own(server) == of(*GAMES)
    assert "no game" in (await server.slash("sol board show")).content
    await choose(server, "sol'una")
    assert own(server) == of("soluna")
    await server.press(await server.slash("games"), "Hide all games")
    await server.client.commands.settle()
    assert not own(server)


async def test_only_what_differs_is_sent(server: House) -> None:
    await choose(server, "sol'una")
    assert sent(server)[1:] == ["POST /applications/{application_id}/guilds/{guild_id}/commands"]
    await choose(server, "sol'una", "Ultimate Warzone")
    assert len(sent(server)) == 3
    ids = {one["name"]: one["id"] for one in server.server.registry.all(server.server.world.home.id)}
    await choose(server, *GAMES.values(), "Ultimate Warzone")
    assert sent(server)[3:] == ["POST /applications/{application_id}/guilds/{guild_id}/commands"]
    after = {one["name"]: one["id"] for one in server.server.registry.all(server.server.world.home.id)}
    assert ids.items() <= after.items()


async def test_nothing_is_sent_after_a_restart(server: House, file: Path) -> None:
    await choose(server, *GAMES.values())
    before = sent(server)
    await server.restart()
    await server.client.commands.settle()
    assert sent(server) == before
    assert own(server) == of(*GAMES)
    assert "Counterblast and sol'una" in (await server.slash("games")).content
    assert not (await examine(url_of(file))).faults


async def test_each_server_shows_its_own(server: House) -> None:
    world = server.server.world
    other = world.add_guild("Elsewhere")
    world.add_channel("den", other)
    await server.restart()
    await choose(server, "sol'una")
    assert own(server) == of("soluna")
    assert not own(server, other.id)


async def test_an_undo_takes_the_commands_back(server: House) -> None:
    told = await choose(server, "sol'una")
    await server.press(told, "Undo")
    await server.client.commands.settle()
    assert not own(server)


async def test_only_who_manages_the_server_chooses(server: House) -> None:
    told = await server.slash("games", server.bo)
    first, second, *_ = told.content.splitlines()
    assert first == "This server shows no game commands."
    assert second == "Only a server manager can choose which games are shown."
    assert [control.label for control in told.controls] == ["Try a game", "Start a game"], "no dead end"
    desk, bo = server.desk, server.bo
    actor = Actor(bo.id, "Bo", server.server.world.home.id, bo.here, manages=True)
    answer = await desk.perform(Request(ChooseGames(("soluna",)), actor, 7))
    assert not answer.changed
    await server.client.commands.settle()
    assert not own(server)


async def test_what_discord_refuses_is_told_and_tried_again(
    server: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[int] = []
    monkeypatch.setattr(server.client.commands, "_retry_later", lambda guild, wait: waits.append(wait))
    route = "POST /applications/*/guilds/*/commands"
    server.server.faults.arm(Trouble.STATUS, route, status=503)
    await choose(server, "sol'una")
    assert not own(server)
    assert waits == [60_000]
    await server.quiet()
    mine = [one for one in server.server.world.channels[server.anna.here].messages.values() if one.ephemeral]
    assert any(read(one).content.startswith("Discord didn't accept this server's commands") for one in mine)
    assert "The bot will try again at 22:14 UTC." in (await server.slash("games")).content
    later = server.desk.store.now() + 60_001
    monkeypatch.setattr(server.desk.store, "_clock", lambda: later)
    server.client.commands.changed(server.server.world.home.id)
    await server.client.commands.settle()
    assert own(server) == of("soluna")
    assert "tried again" not in (await server.slash("games")).content


async def test_a_failure_is_tried_again_after_a_restart(
    server: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.server.faults.arm(Trouble.STATUS, "POST /applications/*/guilds/*/commands", status=503)
    await choose(server, "sol'una")
    guild = server.server.world.home.id
    kept = await registration(server.desk.store, guild)
    await save_registration(server.desk.store, Registration(guild, due_ms=1, problem=kept.problem, tries=1))
    await server.restart()
    await asyncio.sleep(0.05)
    await server.client.commands.settle()
    assert own(server) == of("soluna")


async def test_the_limit_of_a_day_is_never_run_into(server: House, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[int] = []
    monkeypatch.setattr(server.client.commands, "_retry_later", lambda guild, wait: waits.append(wait))
    guild, now = server.server.world.home.id, server.desk.store.now()
    await save_registration(server.desk.store, Registration(guild, made_ms=(now,) * MAX_NEW_COMMANDS))
    before = len(sent(server))
    await choose(server, "sol'una")
    assert len(sent(server)) == before
    assert waits == [86_400_000]
    assert (
        "Discord won't accept any more new commands for this server today"
        in (await server.slash("games")).content
    )


@pytest.mark.parametrize(
    "trouble",
    [{"trouble": Trouble.STATUS, "status": 502}, {"trouble": Trouble.BUCKET_429, "seconds": 86_400}],
)
async def test_the_bot_starts_although_discord_takes_no_commands(
    server: House, monkeypatch: pytest.MonkeyPatch, trouble: dict[str, Any]
) -> None:
    """A bad hour of Discord's, and its limit of a day: played on, and asked again later."""
    await server.stop()
    roll = next(one for one in server.server.registry.all(None) if one["name"] == "roll")
    server.server.registry.delete(None, roll["id"])
    server.server.faults.arm(route="PUT /applications/*/commands", times=50, **trouble)
    with monkeypatch.context() as hurried:
        hurried.setattr(registering, "PATIENCE_SECONDS", 0.2)
        await server.start()
        assert "a sample game" in (await server.slash("demo")).content
        assert "roll" not in common(server)
    server.server.faults.clear()
    await server.client.commands._again_for_all(1)
    assert "roll" in common(server)


async def test_a_command_that_another_version_describes_otherwise_is_registered_at_the_start(
    server: House,
) -> None:
    """Its name alone is no reason to take it for the same."""
    before = next(one for one in server.server.registry.all(None) if one["name"] == "roll")
    server.server.registry.upsert(None, {**before, "description": "As the version before says it"})
    await server.restart()
    after = next(one for one in server.server.registry.all(None) if one["name"] == "roll")
    assert (after["id"], after["description"]) == (before["id"], before["description"])


async def test_a_server_that_comes_back_gets_its_commands_anew(server: House) -> None:
    await choose(server, "sol'una")
    guild = server.server.world.home.id
    for one in server.server.registry.all(guild):
        server.server.registry.delete(guild, one["id"])
    await server.client.on_guild_join(server.client.guilds[0])
    await server.client.commands.settle()
    assert own(server) == of("soluna")


async def test_a_server_that_played_before_goes_on_to_show_its_games(server: House) -> None:
    guild = server.server.world.home.id
    await save_registration(server.desk.store, Registration(guild, before=("soluna",)))
    await server.restart()
    await asyncio.sleep(0.05)
    await server.client.commands.settle()
    assert own(server) == of("soluna")
    assert "sol'una" in (await server.slash("games")).content


async def test_at_a_table_without_discord_all_commands_are_there(house: House) -> None:
    assert every("", *PLAYED) <= common(house)
    assert not own(house)
