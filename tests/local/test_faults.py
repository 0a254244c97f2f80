"""The real client under misbehaviour."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import aiohttp
import discord
import pytest

from bot.local.faults import ANSWERS, Trouble
from bot.local.people import Person
from bot.local.seen import EventKind
from bot.local.server import LocalServer
from tests.local.conftest import running
from tests.local.sample import SampleBot

SENDS = "POST /channels/*/messages"


async def until(condition: Callable[[], Any]) -> None:
    async with asyncio.timeout(5):
        while not condition():  # noqa: ASYNC110 - what it looks at tells nobody
            await asyncio.sleep(0.005)


@pytest.mark.parametrize("trouble", [Trouble.BUCKET_429, Trouble.GLOBAL_429])
async def test_rate_limits_are_waited_for(
    server: LocalServer, bot: SampleBot, ann: Person, trouble: Trouble
) -> None:
    fault = server.faults.arm(trouble, SENDS, seconds=0.05)
    outcome = await ann.slash("write", {"text": "hey"})
    assert (await outcome).kind is EventKind.DELETE
    assert [each.content for each in ann.messages()] == ["hey!"]
    assert fault.met == 1


async def test_a_ban_is_not_waited_for(server: LocalServer, bot: SampleBot, ann: Person) -> None:
    server.faults.arm(Trouble.CLOUDFLARE_429, ANSWERS)
    await ann.slash("bag draw")
    await until(lambda: bot.errors)
    assert isinstance(bot.errors[0], discord.HTTPException)
    assert bot.errors[0].status == 429


@pytest.mark.parametrize("status", [503, 403])
async def test_statuses(server: LocalServer, bot: SampleBot, ann: Person, status: int) -> None:
    server.faults.arm(Trouble.STATUS, SENDS, status=status)
    await ann.slash("write", {"text": "hey"})
    await until(lambda: bot.errors)
    assert isinstance(bot.errors[0], discord.HTTPException)
    assert bot.errors[0].status == status


@pytest.mark.parametrize(
    ("trouble", "done"), [(Trouble.DROP_BEFORE, 0), (Trouble.DROP_AFTER, 1), (Trouble.HANG, 0)]
)
async def test_dropped_connections(
    server: LocalServer, bot: SampleBot, ann: Person, trouble: Trouble, done: int
) -> None:
    server.faults.arm(trouble, ANSWERS, seconds=0.02)
    await ann.slash("bag draw")
    await until(lambda: bot.errors)
    assert isinstance(bot.errors[0], aiohttp.ClientError)
    assert len(ann.messages()) == done


@pytest.mark.parametrize("trouble", [Trouble.LATE, Trouble.SLOW_ANSWER])
async def test_slowness(server: LocalServer, bot: SampleBot, ann: Person, trouble: Trouble) -> None:
    server.faults.arm(trouble, ANSWERS, seconds=0.05)
    assert (await (await ann.slash("bag draw")).message()).content == "1 drawn"


async def test_too_late_an_answer(server: LocalServer, bot: SampleBot, ann: Person) -> None:
    outcome = await ann.slash("wait", {"seconds": 0.05})
    server.clock.advance(3)
    assert (await outcome).kind is EventKind.UNANSWERED
    await until(lambda: bot.errors)
    assert isinstance(bot.errors[0], discord.NotFound)
    assert bot.errors[0].code == 10062


async def test_duplicate_delivery(server: LocalServer, bot: SampleBot, ann: Person) -> None:
    outcome = await ann.slash("bag draw", deliveries=2)
    assert (await outcome.message()).content == "1 drawn"
    await until(lambda: bot.errors)
    assert isinstance(bot.errors[0], discord.HTTPException)
    assert bot.errors[0].code == 40060
    assert len(ann.messages()) == 1
    await outcome.deliver_again()
    await until(lambda: len(bot.errors) == 2)
    assert len(ann.messages()) == 1


def _abort(server: LocalServer) -> None:
    server.gateway.abort()


def _reconnect(server: LocalServer) -> None:
    server.gateway.reconnect()


def _invalid(server: LocalServer) -> None:
    server.gateway.invalidate(resumable=True)


@pytest.mark.parametrize("break_it", [_abort, _reconnect, _invalid])
async def test_a_lost_gateway_is_resumed_and_replayed(
    server: LocalServer, bot: SampleBot, ann: Person, break_it: Callable[[LocalServer], None]
) -> None:
    break_it(server)
    outcome = await ann.slash("bag draw")
    assert (await outcome.message()).content == "1 drawn"
    await until(lambda: bot.resumed)
    assert len(server.gateway.sessions) == 1


@pytest.mark.parametrize("code", [1000, 1001, 4000, 4009])
async def test_close_codes_that_are_resumed(server: LocalServer, bot: SampleBot, code: int) -> None:
    await server.gateway.close(code)
    await until(lambda: bot.resumed)
    assert len(server.gateway.sessions) == 1


async def test_lost_state_leads_to_a_new_session(server: LocalServer, bot: SampleBot, ann: Person) -> None:
    before = set(server.gateway.sessions)
    server.lose_state()
    await until(lambda: set(server.gateway.sessions) - before)
    assert (await (await ann.slash("bag draw")).message()).content == "1 drawn"
    assert bot.resumed == 0


async def test_refused_resume(server: LocalServer, bot: SampleBot, ann: Person) -> None:
    server.gateway.refuse_resume = True
    server.gateway.abort()
    await until(lambda: len(server.gateway.sessions) == 2)
    assert bot.resumed == 0


async def test_first_connection_that_fails_ends_the_client(server: LocalServer) -> None:
    server.gateway.on_connect = [4000]
    with pytest.raises(AttributeError):
        async with running(server, SampleBot()):
            raise AssertionError("the client is not expected to survive this")


async def test_malformed_event_ends_the_client(server: LocalServer) -> None:
    bot = SampleBot()
    with server.client_settings():
        task = asyncio.create_task(bot.start(server.token))
        await until(lambda: server.gateway.sessions)
        await bot.wait_until_ready()
        server.gateway.malformed("MESSAGE_CREATE")
        with pytest.raises(KeyError):
            await asyncio.wait_for(task, 5)
        await bot.close()


async def test_wrong_token(server: LocalServer) -> None:
    bot = SampleBot()
    with server.client_settings(), pytest.raises(discord.LoginFailure):
        await bot.start("wrong")
    await bot.close()


async def test_privileged_intents_that_are_not_granted() -> None:
    async with LocalServer(allowed_intents=0) as server:
        with pytest.raises(discord.PrivilegedIntentsRequired):
            async with running(server, SampleBot(discord.Intents(guilds=True, members=True))):
                await asyncio.sleep(5)
