"""Whatever the gateway does, the bot comes back, or its keeper is told why it cannot."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from bot import client as client_module
from bot import retention_task
from bot import supervise as supervise_module
from bot.app import make_client
from bot.client import STOPPING, Adjutant
from bot.commands import registering
from bot.config import Config
from bot.local.faults import ANSWERS, Trouble
from bot.local.people import Person
from bot.local.server import LocalServer
from bot.supervise import CannotRun, supervise
from bot.table.desk import Desk
from tests.bot.house import House, read, written
from tests.bot.tables import contents, opened

IDENTIFY, RESUME = 2, 6

ASKED = ("dice", "demo", "model")


@dataclass
class Watched:
    """A supervised bot, which registers what is asked here: its lives so far, and the waits between them."""

    server: LocalServer
    desk: Desk
    person: Person
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    lives: list[Adjutant] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    born: asyncio.Event = field(default_factory=asyncio.Event)
    change: Callable[[Adjutant], None] = field(default=lambda _: None)

    def make(self) -> Adjutant:
        client = make_client(self.desk, Config(), pause=0.0, everything=True, guild_ready_timeout=0.0)

        async def at_once(*_: object, **__: object) -> None:
            return None

        client.before_identify_hook = at_once  # type: ignore[method-assign]
        client.commands._payloads = {name: written(client)[name] for name in ASKED}
        self.change(client)
        self.lives.append(client)
        self.born.set()
        return client

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)

    async def life(self, number: int) -> Adjutant:
        while len(self.lives) <= number:
            self.born.clear()
            await asyncio.wait_for(self.born.wait(), 10)
        client = self.lives[number]
        await until(lambda: client.is_ready())
        return client

    async def works(self) -> None:
        said = read(await (await self.person.slash("dice show")).message())
        assert "No game has been played" in said.content


async def until(holds: Callable[[], bool]) -> None:
    """Let everything else run until it holds; the test's own end is what limits it."""
    async with asyncio.timeout(10):
        while not holds():  # noqa: ASYNC110  what is waited for tells nobody
            await asyncio.sleep(0)


@asynccontextmanager
async def watched(
    file: Path, token: str = "", **more: Any
) -> AsyncIterator[tuple[Watched, asyncio.Task[None]]]:
    async with LocalServer() as server, opened(file) as table:
        bot = Watched(server, table.desk, server.person("anna", admin=True), **more)
        with server.client_settings():
            given = token or server.token
            task = asyncio.create_task(supervise(bot.make, given, stop=bot.stop, sleep=bot.sleep))
            try:
                yield bot, task
            finally:
                bot.stop.set()
                with suppress(CannotRun):
                    await asyncio.wait_for(task, 10)


def identified(server: LocalServer, op: int = IDENTIFY) -> int:
    return sum(code == op for code, _ in server.gateway.received)


async def test_a_bot_that_is_stopped_ends(file: Path) -> None:
    async with watched(file) as (bot, task):
        client = await bot.life(0)
        await bot.works()
        bot.stop.set()
        await asyncio.wait_for(task, 10)
        assert client.is_closed()
        assert (bot.waits, len(bot.lives)) == ([], 1)


@pytest.mark.parametrize("codes", [[0], [1000], [4000], [1011, 0, 4000]])
async def test_a_first_connection_that_fails_is_tried_again(file: Path, codes: list[int]) -> None:
    async with LocalServer() as server:
        server.gateway.on_connect += codes
        async with opened(file) as table:
            bot = Watched(server, table.desk, server.person("anna", admin=True))
            with server.client_settings():
                task = asyncio.create_task(supervise(bot.make, server.token, stop=bot.stop, sleep=bot.sleep))
                try:
                    await bot.life(len(codes))
                    await bot.works()
                finally:
                    bot.stop.set()
                    await task
    assert len(bot.waits) == len(codes)


@pytest.mark.parametrize("event", ["INTERACTION_CREATE", "GUILD_CREATE", "CHANNEL_UPDATE"])
async def test_a_payload_that_makes_no_sense_is_survived(file: Path, event: str) -> None:
    async with watched(file) as (bot, _):
        await bot.life(0)
        bot.server.gateway.malformed(event)
        await bot.life(1)
        await bot.works()


async def test_reconnecting_resumes_in_the_same_life(file: Path) -> None:
    async with watched(file) as (bot, _):
        await bot.life(0)
        gateway = bot.server.gateway
        for interrupt in (
            gateway.reconnect,
            lambda: gateway.invalidate(resumable=True),
            gateway.abort,
        ):
            resumed = identified(bot.server, RESUME)
            interrupt()
            await bot.works()
            await until(lambda before=resumed: identified(bot.server, RESUME) > before)  # type: ignore[misc]
        assert identified(bot.server) == 1
        assert len(bot.lives) == 1


async def test_a_session_that_is_lost_is_begun_anew(file: Path) -> None:
    async with watched(file) as (bot, _):
        await bot.life(0)
        bot.server.gateway.invalidate(resumable=False)
        await until(lambda: identified(bot.server) == 2)
        await bot.works()
        bot.server.gateway.refuse_resume = True
        bot.server.gateway.abort()
        await until(lambda: identified(bot.server) == 3)
        await bot.works()
        assert len(bot.lives) == 1


async def test_what_was_asked_while_the_bot_was_away_is_answered_once(file: Path) -> None:
    async with watched(file) as (bot, _):
        await bot.life(0)
        read(await (await bot.person.slash("demo")).message())
        bot.server.gateway.abort()
        outcome = await bot.person.slash("model damage", {"model": "Smap"})
        assert "Smap takes 1 wound (1 of " in read(await outcome.message()).content
    assert len(contents(file, "journal")["journal"]) == 2


async def test_a_gateway_that_drops_every_connection_is_not_stormed(file: Path) -> None:
    async with watched(file) as (bot, _):
        await bot.life(0)
        bot.server.gateway.on_connect += [4000] * 30
        bot.server.gateway.abort()
        while bot.server.gateway.on_connect:
            await asyncio.sleep(0)
            if bot.waits:
                bot.server.gateway.on_connect.clear()
        await bot.life(1)
        await bot.works()
        assert bot.waits
        assert bot.lives[0].is_closed()


async def test_waits_grow_and_stay_below_six_minutes(file: Path) -> None:
    async with LocalServer() as server:
        server.gateway.on_connect += [0] * 11
        async with opened(file) as table:
            bot = Watched(server, table.desk, server.person("anna", admin=True))
            with server.client_settings():
                task = asyncio.create_task(supervise(bot.make, server.token, stop=bot.stop, sleep=bot.sleep))
                try:
                    await bot.life(11)
                finally:
                    bot.stop.set()
                    await task
    assert bot.waits[0] == supervise_module.FIRST_WAIT
    assert all(later > earlier for earlier, later in zip(bot.waits[:7], bot.waits[1:8], strict=True))
    assert max(bot.waits) <= supervise_module.MAX_WAIT_LENGTH * 1.1
    assert min(bot.waits[-2:]) >= supervise_module.MAX_WAIT_LENGTH * 0.9


async def test_a_connection_that_lasted_starts_the_waiting_over(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervise_module, "STEADY_SECONDS", 0.0)
    async with watched(file) as (bot, _):
        for number in range(3):
            await bot.life(number)
            bot.server.gateway.malformed("INTERACTION_CREATE")
        await bot.life(3)
        assert bot.waits == [supervise_module.FIRST_WAIT] * 3


@pytest.mark.parametrize("code", [4004, 4010, 4011, 4012, 4013, 4014])
async def test_what_no_new_try_can_mend_ends_the_program_with_a_sentence(file: Path, code: int) -> None:
    async with watched(file) as (bot, task):
        await bot.life(0)
        bot.server.gateway.on_connect.append(code)
        bot.server.gateway.abort()
        told = {4010: "shards = 0", 4011: "shards = 0", 4014: "portal"}.get(code, str(code))
        with pytest.raises(CannotRun, match=told):
            await asyncio.wait_for(task, 10)
        assert (bot.waits, len(bot.lives)) == ([], 1)


async def test_a_wrong_token_ends_the_program_and_is_not_shown(file: Path) -> None:
    async with watched(file, token="MTA5.wrong.token") as (bot, task):
        with pytest.raises(
            CannotRun,
            match="Copy the token from the application's page again; Discord doesn't recognise this one",
        ) as refusal:
            await asyncio.wait_for(task, 10)
        assert "MTA5" not in str(refusal.value)
        assert bot.waits == []


@pytest.mark.parametrize("error", [ValueError, RuntimeError, IndexError, TimeoutError, KeyError])
async def test_any_fault_of_a_client_is_survived(file: Path, error: type[Exception]) -> None:
    async with LocalServer() as server, opened(file) as table:
        bot = Watched(server, table.desk, server.person("anna", admin=True))

        def fail_first(client: Adjutant) -> None:
            async def broken(*_: object, **__: object) -> None:
                raise error("first")

            if not bot.lives:
                client.connect = broken  # type: ignore[method-assign]

        bot.change = fail_first
        with server.client_settings():
            task = asyncio.create_task(supervise(bot.make, server.token, stop=bot.stop, sleep=bot.sleep))
            try:
                await bot.life(1)
                await bot.works()
            finally:
                bot.stop.set()
                await task


async def test_a_server_that_is_down_when_the_commands_are_compared(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registering, "FIRST_RETRY_MS", 10)
    async with LocalServer() as server, opened(file) as table:
        server.faults.arm(Trouble.STATUS, "GET /applications/*/commands", status=503)
        bot = Watched(server, table.desk, server.person("anna", admin=True))
        with server.client_settings():
            task = asyncio.create_task(supervise(bot.make, server.token, stop=bot.stop, sleep=bot.sleep))
            try:
                await bot.life(0)
                await until(lambda: bool(bot.person.commands()))
                await bot.works()
                assert len(bot.lives) == 1
            finally:
                bot.stop.set()
                await task


async def test_a_client_that_closes_finishes_what_it_does(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await house.slash("demo")
    await house.quiet()
    house.server.faults.arm(Trouble.LATE, ANSWERS, seconds=0.1)
    outcome = await house.typed("model damage", options={"model": "Smap"})
    await until(lambda: bool(house.client.under_way))
    await house.client.close()
    assert "Smap takes 1" in read(await outcome.message()).content
    assert not house.client.under_way


def faults_of(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [one.getMessage() for one in caplog.records if one.levelno >= logging.ERROR]


async def test_a_client_that_closes_takes_nothing_new_and_says_so(
    house: House, file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    first = await house.slash("demo")
    await house.quiet()
    house.server.faults.arm(Trouble.LATE, ANSWERS, seconds=0.3)
    outcome = await house.typed("model damage", options={"model": "Smap"})
    await until(lambda: bool(house.client.under_way))
    closing = asyncio.create_task(house.client.close())
    await asyncio.sleep(0)
    late = [
        await house.typed("model damage", options={"model": "Wanda Whitestar"}),
        await house.anna.press(first, "Play in a thread"),
    ]
    told = [read(await one.message()) for one in late]
    await closing
    assert [(one.content, one.ephemeral) for one in told] == [(STOPPING.text, True)] * 2
    assert "Smap takes 1" in read(await outcome.message()).content
    assert len(contents(file, "journal")["journal"]) == 2
    assert faults_of(caplog) == []


async def test_an_answer_that_takes_longer_than_the_closing_is_told_after_the_next_start(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await house.slash("demo")
    await house.quiet()
    monkeypatch.setattr(client_module, "CLOSING_SECONDS", 0.05)
    house.server.faults.arm(Trouble.HANG, ANSWERS, seconds=30)
    await house.typed("model damage", options={"model": "Smap"})
    await until(lambda: bool(house.client.under_way))
    waiting = list(house.client.under_way)
    await until(lambda: len(contents(house.file, "journal")["journal"]) == 2)
    await house.client.close()
    assert not house.client.under_way
    assert [task.exception() for task in waiting] == [None]
    assert faults_of(caplog) == []
    await house.restart()
    await until(lambda: any("Smap takes 1" in one.content for one in house.public))


def writes(server: LocalServer) -> int:
    return sum(one.method in ("PUT", "POST") and "commands" in one.template for one in server.requests)


async def test_commands_are_registered_only_when_they_changed(file: Path) -> None:
    async with House.open(file, options={"everything": True}) as house:
        assert writes(house.server) == 1
        await house.restart()
        assert writes(house.server) == 1
        del house.client.commands._all()["demo"]
        await house.client.setup_hook()
        assert writes(house.server) == 2
        await house.client.setup_hook()
        assert writes(house.server) == 2
        await house.restart()
        assert writes(house.server) == 3
        assert "Counterblast" in (await house.slash("demo")).content


async def test_commands_can_be_registered_in_one_server_alone(file: Path) -> None:
    async with LocalServer() as server:
        guild = server.world.home.id
        everything = {"everything": True}
        house = House(server, file, server.person("anna", admin=True), server.person("bo"), everything)
        house.config = Config(guilds=(guild,))
        with server.client_settings():
            await house.start()
            try:
                assert [one.template for one in server.requests if one.method == "PUT"] == [
                    "/applications/{application_id}/guilds/{guild_id}/commands"
                ]
                assert "Counterblast" in (await house.slash("demo")).content
                await house.restart()
                assert writes(server) == 1
            finally:
                await house.stop()


async def test_the_bot_asks_for_guilds_and_nothing_privileged(house: House) -> None:
    data = next(data for op, data in house.server.gateway.received if op == IDENTIFY)
    assert data["intents"] == 1 + 512


async def test_a_command_that_has_just_changed_is_told_so(house: House) -> None:
    house.client.tree.remove_command("demo")
    said = await house.slash("demo")
    assert said.ephemeral
    assert "just changed" in said.content


async def test_who_closes_it_waits_for_what_the_gateway_has_just_told(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database is closed next: nothing of a start, or of a server that is left, may still be at it."""
    begun, done = asyncio.Event(), list[str]()

    async def slow(*_: object) -> None:
        begun.set()
        await asyncio.sleep(0.05)
        done.append("noted")

    monkeypatch.setattr(retention_task, "note", slow)
    house.client.dispatch("guild_remove", house.client.guilds[0])
    await begun.wait()
    await house.client.close()
    assert done == ["noted"]
