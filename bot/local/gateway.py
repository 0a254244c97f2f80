"""The gateway: websockets that carry events to the bot, with sessions that can be resumed.

Owns framing, compression, heartbeats, sequence numbers, replay, intents, shards and close codes. Knows events
only as names and data.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import sys
import zlib
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

from aiohttp import WSCloseCode, WSMsgType, web

from bot.local import wire
from bot.local.seen import Json

DISPATCH, HEARTBEAT, IDENTIFY, PRESENCE, VOICE, RESUME, RECONNECT = 0, 1, 2, 3, 4, 6, 7
MEMBERS, INVALID_SESSION, HELLO, ACK, SOUNDS = 8, 9, 10, 11, 31
_CLIENT_OPCODES = {HEARTBEAT, IDENTIFY, PRESENCE, VOICE, RESUME, MEMBERS, SOUNDS}

UNKNOWN_OPCODE, DECODE_ERROR, NOT_AUTHENTICATED, AUTHENTICATION_FAILED = 4001, 4002, 4003, 4004
ALREADY_AUTHENTICATED, INVALID_SEQUENCE, RATE_LIMITED, TIMED_OUT = 4005, 4007, 4008, 4009
INVALID_SHARD, INVALID_VERSION, INVALID_INTENTS, DISALLOWED_INTENTS = 4010, 4012, 4013, 4014

GUILDS = 1 << 0
GUILD_MEMBERS = 1 << 1
PRESENCES = 1 << 8
GUILD_MESSAGES = 1 << 9
DIRECT_MESSAGES = 1 << 12
MESSAGE_CONTENT = 1 << 15
_KNOWN_INTENTS = (1 << 22) - 1 | 1 << 24 | 1 << 25
PRIVILEGED = GUILD_MEMBERS | PRESENCES | MESSAGE_CONTENT
MAX_PAYLOAD, MAX_SENDS, SEND_WINDOW, KEPT_EVENTS = 4096, 120, 60.0, 2000


class Compressor(Protocol):
    """One stream over a whole connection, flushed after every payload."""

    def frame(self, text: str) -> bytes:
        """Return the bytes to send for one payload."""
        ...


class ZlibStream:
    """compress=zlib-stream: every payload ends with 00 00 ff ff."""

    def __init__(self) -> None:
        self._stream = zlib.compressobj(level=1)

    def frame(self, text: str) -> bytes:
        """Return the bytes to send for one payload."""
        return self._stream.compress(text.encode()) + self._stream.flush(zlib.Z_SYNC_FLUSH)


class ZstdStream:
    """compress=zstd-stream: one frame for the connection, flushed after every payload."""

    def __init__(self) -> None:
        self._module = sys.modules["zstandard"]
        self._stream = self._module.ZstdCompressor(level=1).compressobj()

    def frame(self, text: str) -> bytes:
        """Return the bytes to send for one payload."""
        flush = self._module.COMPRESSOBJ_FLUSH_BLOCK
        data: bytes = self._stream.compress(text.encode()) + self._stream.flush(flush)
        return data


@dataclass(slots=True, eq=False)
class GatewaySession:
    """The part of a session that survives a lost connection: its login, and the last events for a replay."""

    id: str
    intents: int
    shard: tuple[int, int]
    seq: int = 0
    sent: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=KEPT_EVENTS))
    connection: Connection | None = None

    def carries(self, guild_id: int | None) -> bool:
        """Return whether this shard is the one for the guild (None: direct messages, the first shard)."""
        number, count = self.shard
        return (0 if guild_id is None else (guild_id >> 22) % count) == number


class Connection:
    """One websocket."""

    def __init__(
        self,
        gateway: Gateway,
        socket: web.WebSocketResponse,
        transport: asyncio.Transport | None,
        compressor: Compressor | None,
    ) -> None:
        self._gateway = gateway
        self._socket = socket
        self._transport = transport
        self._compressor = compressor
        self.session: GatewaySession | None = None
        self._sends: deque[float] = deque()
        self._outbox: asyncio.Queue[str] = asyncio.Queue()
        self._last_beat = asyncio.get_running_loop().time()

    def queue(self, text: str) -> None:
        """Send a payload after all that were queued before."""
        self._outbox.put_nowait(text)

    def send(self, op: int, data: object = None) -> None:
        """Queue a payload that is not an event."""
        self.queue(wire.encode({"op": op, "d": data, "s": None, "t": None}))

    async def close(self, code: int) -> None:
        """Close with one of Discord's codes."""
        await self._socket.close(code=code)

    def abort(self) -> None:
        """Cut the line without a word."""
        if self._transport is not None:
            self._transport.abort()

    async def run(self) -> None:
        """Serve the connection until it ends."""
        writer = asyncio.create_task(self._write())
        watcher = asyncio.create_task(self._watch_heartbeats())
        try:
            self.send(HELLO, {"heartbeat_interval": int(self._gateway.heartbeat * 1000), "_trace": []})
            async for message in self._socket:
                if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                    break
                code = self._receive(message.data)
                if code is not None:
                    await self.close(code)
                    break
        finally:
            for task in (writer, watcher):
                task.cancel()
            await asyncio.gather(writer, watcher, return_exceptions=True)
            if self.session is not None and self.session.connection is self:
                self.session.connection = None

    async def _write(self) -> None:
        while True:
            text = await self._outbox.get()
            if self._compressor is None:
                await self._socket.send_str(text)
            else:
                await self._socket.send_bytes(self._compressor.frame(text))

    async def _watch_heartbeats(self) -> None:
        limit = self._gateway.heartbeat * 1.5
        while True:
            silent = asyncio.get_running_loop().time() - self._last_beat
            if silent > limit:
                await self.close(TIMED_OUT)
                return
            await asyncio.sleep(limit - silent + 0.01)

    def _receive(self, raw: str | bytes) -> int | None:
        """Act on what the bot sent; the code to close with where that is not allowed."""
        if len(raw) > MAX_PAYLOAD:
            return DECODE_ERROR
        try:
            payload = json.loads(raw)
            op, data = payload["op"], payload.get("d")
        except (ValueError, KeyError, TypeError, AttributeError):
            return DECODE_ERROR
        now_seconds = asyncio.get_running_loop().time()
        self._sends.append(now_seconds)
        while now_seconds - self._sends[0] > SEND_WINDOW:
            self._sends.popleft()
        if len(self._sends) > MAX_SENDS:
            return RATE_LIMITED
        self._gateway.received.append((op, data))
        if op not in _CLIENT_OPCODES:
            return UNKNOWN_OPCODE
        return self._act(op, data, now_seconds)

    def _act(self, op: int, data: Any, now_seconds: float) -> int | None:
        if op == HEARTBEAT:
            self._last_beat = now_seconds
            if self.session is not None and isinstance(data, int) and data > self.session.seq:
                return INVALID_SEQUENCE
            if not self._gateway.mute_acks:
                self.send(ACK)
            return None
        if op in (IDENTIFY, RESUME):
            if self.session is not None:
                return ALREADY_AUTHENTICATED
            if not isinstance(data, dict):
                return DECODE_ERROR
            return self._gateway.identify(self, data) if op == IDENTIFY else self._gateway.resume(self, data)
        if self.session is None:
            return NOT_AUTHENTICATED
        if op == MEMBERS:
            self._gateway.send_members(self.session, data)
        return None


class Gateway:
    """All sessions and connections.

    `ready` makes READY's data for a session, `greet` the events that follow it, `members` the answer to a
    request for members; `token` is the only one that is let in. `heartbeat` is the interval in seconds,
    `allowed_intents` the privileged intents that are granted.

    For tests: `on_connect` lists the codes with which the next connections are closed before HELLO (0: cut);
    `mute_acks` leaves heartbeats unanswered; `refuse_resume` answers every RESUME with op 9; `received` keeps
    the bot's latest payloads as (opcode, data).
    """

    def __init__(
        self,
        token: str,
        *,
        ready: Callable[[GatewaySession], Json],
        greet: Callable[[GatewaySession], Iterable[tuple[str, Json]]],
        members: Callable[[Json], Iterable[Json]],
        heartbeat: float = 41.25,
        allowed_intents: int = PRIVILEGED,
    ) -> None:
        self.token = token
        self.heartbeat = heartbeat
        self.allowed_intents = allowed_intents
        self._ready = ready
        self._greet = greet
        self._members = members
        self.sessions: dict[str, GatewaySession] = {}
        self.connections: set[Connection] = set()
        self.received: deque[tuple[int, Any]] = deque(maxlen=1000)
        self.on_connect: list[int] = []
        self.mute_acks = False
        self.refuse_resume = False

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one websocket request."""
        socket = web.WebSocketResponse(max_msg_size=0)
        await socket.prepare(request)
        if self.on_connect:
            code = self.on_connect.pop(0)
            if code:
                await socket.close(code=code)
            elif request.transport is not None:
                request.transport.abort()
            return socket
        if request.query.get("v") != "10" or request.query.get("encoding", "json") != "json":
            await socket.close(code=INVALID_VERSION)
            return socket
        compressor = _compressor(request.query.get("compress"))
        connection = Connection(self, socket, request.transport, compressor)
        self.connections.add(connection)
        try:
            await connection.run()
        finally:
            self.connections.discard(connection)
        return socket

    def identify(self, connection: Connection, data: Json) -> int | None:
        """Open a session; the close code where it is refused."""
        if data.get("token") != self.token:
            return AUTHENTICATION_FAILED
        shard = data.get("shard", [0, 1])
        if not (isinstance(shard, list) and len(shard) == 2 and 0 <= shard[0] < shard[1]):
            return INVALID_SHARD
        intents = data.get("intents")
        if not isinstance(intents, int) or intents & ~_KNOWN_INTENTS:
            return INVALID_INTENTS
        if intents & PRIVILEGED & ~self.allowed_intents:
            return DISALLOWED_INTENTS
        session = GatewaySession(secrets.token_hex(16), intents, (shard[0], shard[1]), connection=connection)
        self.sessions[session.id] = session
        connection.session = session
        self._push(session, "READY", self._ready(session))
        for event, body in self._greet(session):
            self._push(session, event, body)
        return None

    def resume(self, connection: Connection, data: Json) -> int | None:
        """Resume a session and replay what it missed, or send op 9 if it is unknown."""
        if data.get("token") != self.token:
            return AUTHENTICATION_FAILED
        session = self.sessions.get(str(data.get("session_id")))
        seq = data.get("seq")
        if session is None or self.refuse_resume or not isinstance(seq, int) or self._too_old(session, seq):
            connection.send(INVALID_SESSION, False)
            return None
        if seq > session.seq:
            return INVALID_SEQUENCE
        session.connection = connection
        connection.session = session
        for number, text in session.sent:
            if number > seq:
                connection.queue(text)
        self._push(session, "RESUMED", {"_trace": []})
        return None

    def _too_old(self, session: GatewaySession, last_seen: int) -> bool:
        return bool(session.sent) and session.sent[0][0] > last_seen + 1

    def _push(self, session: GatewaySession, event: str, data: object) -> None:
        session.seq += 1
        text = wire.encode({"op": DISPATCH, "t": event, "s": session.seq, "d": data})
        session.sent.append((session.seq, text))
        if session.connection is not None:
            session.connection.queue(text)

    def dispatch(
        self, event: str, data: object, guild_id: int | None, intent: int = 0, *, reduced: object = None
    ) -> None:
        """Send an event to the sessions whose shard and intents ask for it; kept for those that are away.

        Sessions without the message content intent get `reduced` instead, where it is given.
        """
        for session in self.sessions.values():
            if session.carries(guild_id) and (not intent or session.intents & intent):
                hidden = reduced is not None and not session.intents & MESSAGE_CONTENT
                self._push(session, event, reduced if hidden else data)

    def send_members(self, session: GatewaySession, data: Any) -> None:
        """Answer a request for members."""
        if isinstance(data, dict):
            for chunk in self._members(data):
                self._push(session, "GUILD_MEMBERS_CHUNK", chunk)

    def abort(self) -> None:
        """Cut every connection without a word."""
        for connection in list(self.connections):
            connection.abort()

    def reconnect(self) -> None:
        """Ask every connection to come back (op 7)."""
        for connection in self.connections:
            connection.send(RECONNECT)

    def invalidate(self, *, resumable: bool) -> None:
        """Declare every session invalid (op 9)."""
        for connection in self.connections:
            connection.send(INVALID_SESSION, resumable)

    def malformed(self, event: str) -> None:
        """Send an event whose data is empty."""
        for session in self.sessions.values():
            self._push(session, event, {})

    def forget_sessions(self) -> None:
        """Lose all state, as after a restart; every connection is cut."""
        self.sessions.clear()
        self.abort()

    async def close(self, code: int = WSCloseCode.GOING_AWAY) -> None:
        """Close every connection with `code`."""
        for connection in list(self.connections):
            await connection.close(code)


def _compressor(compression: str | None) -> Compressor | None:
    if compression == "zlib-stream":
        return ZlibStream()
    if compression == "zstd-stream" and "zstandard" in sys.modules:
        return ZstdStream()
    return None
