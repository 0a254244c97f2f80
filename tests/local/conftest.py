from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import aiohttp
import discord
import pytest

from bot.local.people import Person
from bot.local.server import LocalServer
from tests.local.raw import Api
from tests.local.sample import SampleBot
from tests.ready import until_ready


@asynccontextmanager
async def running(server: LocalServer, bot: discord.Client) -> AsyncIterator[None]:
    """The bot, started and ready; the server's settings are in force while it runs."""
    with server.client_settings():
        task = asyncio.create_task(bot.start(server.token))
        try:
            await until_ready(bot, task)
            yield
        finally:
            await bot.close()
            with suppress(asyncio.CancelledError, Exception):
                await asyncio.wait_for(task, 5)


@pytest.fixture
async def server() -> AsyncIterator[LocalServer]:
    async with LocalServer() as server:
        yield server


@pytest.fixture
async def bot(server: LocalServer) -> AsyncIterator[SampleBot]:
    bot = SampleBot()
    async with running(server, bot):
        yield bot


@pytest.fixture
def ann(server: LocalServer) -> Person:
    return server.person("ann", "Ann", admin=True)


@pytest.fixture
def bo(server: LocalServer) -> Person:
    return server.person("bo", "Bo")


@pytest.fixture
async def api(server: LocalServer) -> AsyncIterator[Api]:
    async with aiohttp.ClientSession() as session:
        yield Api(server, session)
