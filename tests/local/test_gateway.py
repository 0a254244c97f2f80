"""The gateway by hand: close codes, sessions, replay, compression."""

from __future__ import annotations

import asyncio
import json
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest

from bot.local.gateway import (
    ALREADY_AUTHENTICATED,
    AUTHENTICATION_FAILED,
    DECODE_ERROR,
    DISALLOWED_INTENTS,
    GUILD_MEMBERS,
    GUILD_MESSAGES,
    GUILDS,
    HEARTBEAT,
    IDENTIFY,
    INVALID_INTENTS,
    INVALID_SEQUENCE,
    INVALID_SHARD,
    INVALID_VERSION,
    MEMBERS,
    MESSAGE_CONTENT,
    NOT_AUTHENTICATED,
    PRESENCE,
    RATE_LIMITED,
    RESUME,
    TIMED_OUT,
    UNKNOWN_OPCODE,
)
from bot.local.people import Person
from bot.local.server import LocalServer
from tests.local.raw import Api


class Line:
    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self._zlib = zlib.decompressobj()

    async def next(self) -> Any:
        message = await self.socket.receive(timeout=5)
        if message.type is aiohttp.WSMsgType.BINARY:
            assert message.data.endswith(b"\x00\x00\xff\xff")
            return json.loads(self._zlib.decompress(message.data))
        return json.loads(message.data) if message.type is aiohttp.WSMsgType.TEXT else None

    async def until(self, event: str) -> Any:
        while (payload := await self.next()) is not None:
            if payload["t"] == event:
                return payload
        raise AssertionError(f"closed with {self.socket.close_code} before {event}")

    async def closed(self) -> int | None:
        while await self.next() is not None:
            continue
        return self.socket.close_code

    async def send(self, op: int, data: Any) -> None:
        await self.socket.send_str(json.dumps({"op": op, "d": data}))

    async def identify(self, server: LocalServer, intents: int = GUILDS, **more: Any) -> Any:
        await self.send(IDENTIFY, {"token": server.token, "intents": intents, "properties": {}, **more})


@asynccontextmanager
async def line(
    server: LocalServer, query: str = "v=10&encoding=json", *, greeted: bool = True
) -> AsyncIterator[Line]:
    url = f"{server.url}/gateway?{query}"
    async with aiohttp.ClientSession() as session, session.ws_connect(url) as socket:
        opened = Line(socket)
        if greeted:
            assert (await opened.next())["op"] == 10
        yield opened


IDENTIFIED = {"intents": GUILDS, "token": "local.table.token", "properties": {}}


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ([(IDENTIFY, {**IDENTIFIED, "token": "wrong"})], AUTHENTICATION_FAILED),
        ([(IDENTIFY, {**IDENTIFIED, "shard": [2, 2]})], INVALID_SHARD),
        ([(IDENTIFY, {**IDENTIFIED, "intents": 1 << 40})], INVALID_INTENTS),
        ([(IDENTIFY, {"token": "local.table.token"})], INVALID_INTENTS),
        ([(IDENTIFY, {**IDENTIFIED, "intents": GUILD_MEMBERS})], DISALLOWED_INTENTS),
        ([(IDENTIFY, IDENTIFIED), (IDENTIFY, IDENTIFIED)], ALREADY_AUTHENTICATED),
        ([(IDENTIFY, "x")], DECODE_ERROR),
        ([(PRESENCE, {})], NOT_AUTHENTICATED),
        ([(99, {})], UNKNOWN_OPCODE),
        ([(IDENTIFY, {**IDENTIFIED, "x": "x" * 5000})], DECODE_ERROR),
        ([(IDENTIFY, IDENTIFIED), (HEARTBEAT, 99)], INVALID_SEQUENCE),
        ([(HEARTBEAT, None)] * 121, RATE_LIMITED),
        ([(RESUME, {"token": "wrong", "session_id": "x", "seq": 1})], AUTHENTICATION_FAILED),
    ],
)
async def test_close_codes(sent: list[tuple[int, Any]], code: int) -> None:
    async with LocalServer(allowed_intents=0) as server, line(server) as opened:
        for op, data in sent:
            await opened.send(op, data)
        assert await opened.closed() == code


async def test_what_is_no_json_and_what_is_no_version(server: LocalServer) -> None:
    async with line(server) as opened:
        await opened.socket.send_str("{no")
        assert await opened.closed() == DECODE_ERROR
    async with line(server, "v=9", greeted=False) as opened:
        assert await opened.closed() == INVALID_VERSION


async def test_silence_ends_the_connection() -> None:
    async with LocalServer(heartbeat=0.05) as server, line(server) as opened:
        assert await opened.closed() == TIMED_OUT


async def test_replay_after_resume(server: LocalServer, api: Api, ann: Person) -> None:
    async with line(server, "v=10&encoding=json&compress=zlib-stream") as first:
        await first.identify(server, GUILDS | GUILD_MESSAGES)
        ready = await first.until("READY")
        assert ready["d"]["resume_gateway_url"].startswith("ws://127.0.0.1:")
        seen = (await first.until("GUILD_CREATE"))["s"]
    for content in ("one", "two"):
        await api.say(content=content)
    session_id = ready["d"]["session_id"]
    async with line(server) as second:
        await second.send(RESUME, {"token": server.token, "session_id": session_id, "seq": seen})
        missed = [await second.next() for _ in range(3)]
        assert [each["t"] for each in missed] == ["MESSAGE_CREATE", "MESSAGE_CREATE", "RESUMED"]
        assert [each["s"] for each in missed] == [seen + 1, seen + 2, seen + 3]
    async with line(server) as ahead:
        await ahead.send(RESUME, {"token": server.token, "session_id": session_id, "seq": 999})
        assert await ahead.closed() == INVALID_SEQUENCE
    async with line(server) as unknown:
        await unknown.send(RESUME, {"token": server.token, "session_id": "nobody", "seq": 1})
        assert await unknown.next() == {"op": 9, "d": False, "s": None, "t": None}


async def test_events_follow_intents_shards_and_permissions(
    server: LocalServer, api: Api, ann: Person
) -> None:
    guild = server.world.home.id
    carrying, other = (guild >> 22) % 2, 1 - (guild >> 22) % 2
    async with line(server) as quiet, line(server) as away, line(server) as reader, line(server) as blind:
        await quiet.identify(server, GUILDS, shard=[carrying, 2])
        await away.identify(server, GUILDS | GUILD_MESSAGES, shard=[other, 2])
        await reader.identify(server, GUILD_MESSAGES | MESSAGE_CONTENT)
        await blind.identify(server, GUILD_MESSAGES)
        for each in (quiet, away, reader, blind):
            await each.until("READY")
        await ann.say("secret")
        assert (await reader.until("MESSAGE_CREATE"))["d"]["content"] == "secret"
        assert (await blind.until("MESSAGE_CREATE"))["d"]["content"] == ""
        await ann.say(f"{server.world.bot.mention} hello")
        assert (await blind.until("MESSAGE_CREATE"))["d"]["content"].endswith("hello")
        server.channel("new")
        assert (await quiet.until("CHANNEL_CREATE"))["d"]["name"] == "new"
        await quiet.send(MEMBERS, {"guild_id": str(guild), "query": "", "limit": 0})
        chunk = (await quiet.until("GUILD_MEMBERS_CHUNK"))["d"]
        assert {each["user"]["username"] for each in chunk["members"]} == {"host", "adjutant", "ann"}
        with pytest.raises(asyncio.TimeoutError):
            await away.socket.receive(timeout=0.02)


async def test_trouble_on_demand(server: LocalServer) -> None:
    gateway = server.gateway
    gateway.on_connect = [4000, 0]
    async with line(server, greeted=False) as opened:
        assert await opened.closed() == 4000
    async with line(server, greeted=False) as opened:
        assert await opened.closed() == 1006
    async with line(server) as opened:
        await opened.identify(server)
        await opened.until("GUILD_CREATE")
        gateway.mute_acks = True
        await opened.send(HEARTBEAT, 1)
        gateway.reconnect()
        assert (await opened.next())["op"] == 7
        gateway.invalidate(resumable=True)
        assert await opened.next() == {"op": 9, "d": True, "s": None, "t": None}
        gateway.malformed("MESSAGE_CREATE")
        assert (await opened.next())["d"] == {}
        await gateway.close(4009)
        assert await opened.closed() == 4009
