"""The server as a whole: where it listens, and whom it points where."""

from __future__ import annotations

from contextlib import suppress

import discord
import pytest
from discord import asset, gateway, http

from bot.local.people import Person
from bot.local.server import LocalServer
from tests.local.conftest import running
from tests.local.sample import SampleBot


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.1", "::"])
async def test_only_loopback(host: str) -> None:
    with pytest.raises(ValueError, match="loopback"):
        await LocalServer().start(host)


async def test_settings_come_back(server: LocalServer) -> None:
    def pointers() -> list[object]:
        return [http.Route.BASE, gateway.DiscordWebSocket.DEFAULT_GATEWAY, asset.Asset.BASE]

    before = pointers()
    with suppress(RuntimeError), server.client_settings():
        assert http.Route.BASE.startswith(server.url)
        raise RuntimeError
    assert pointers() == before


async def test_names_are_unique(server: LocalServer, ann: Person) -> None:
    with pytest.raises(ValueError, match="already"):
        server.person("ann")


async def test_a_second_bot_run_finds_its_buttons(server: LocalServer, ann: Person) -> None:
    async with running(server, SampleBot()):
        panel = await (await ann.slash("panel")).message()
    async with running(server, SampleBot()):
        assert (await (await ann.press(panel, "Draw")).message()).content == "drawn"
    assert len(server.registry.all(None)) == len({each["name"] for each in server.registry.all(None)})


async def test_shards(server: LocalServer) -> None:
    for number in range(3):
        guild = server.world.add_guild(f"Guild {number}")
        server.world.add_channel("table", guild)

    class Sharded(discord.AutoShardedClient):
        async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
            return

    bot = Sharded(intents=discord.Intents(guilds=True), shard_count=2, guild_ready_timeout=0.02)
    async with running(server, bot):
        assert len(bot.guilds) == 4
        assert {each.shard for each in server.gateway.sessions.values()} == {(0, 2), (1, 2)}


async def test_people_and_places_are_the_same_on_every_start() -> None:
    """A kept game knows again who played it, the one at the keyboard first."""
    found = []
    for _ in range(2):
        async with LocalServer(channels=("table",)) as server:
            found.append(
                [server.person("host", admin=True).id, server.person("bo").id, server.channel("table")]
            )
    assert found[0] == found[1]


async def test_a_thread_is_found_whatever_letters_its_name_begins_with(server: LocalServer) -> None:
    thread = server.thread("Counterblast", server.channel("table"))
    assert server.channel("#counterblast") == server.channel("Counterblast") == thread.id
