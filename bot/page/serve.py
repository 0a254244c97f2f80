"""Puts the table in a browser together: the local server, the bot, the pages; listens until it is stopped."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, suppress
from dataclasses import dataclass
from pathlib import Path

import segno
from aiohttp import web

from bot.local.interactions import ANSWER_SECONDS
from bot.local.seen import Event, EventKind
from bot.local.server import LocalServer
from bot.local.world import Permission
from bot.overview import Look
from bot.page.door import Door
from bot.page.entrance import Entrance
from bot.page.frame import is_loopback
from bot.page.guard import MAX_BYTES_WITH_FILE, Rates, add_headers, guarded
from bot.page.messages import MessageWriter
from bot.page.page_store import Kept
from bot.page.scene import Scene
from bot.page.seats import Seats
from bot.page.stream import Stream
from bot.page.wall import Wall

StartBot = Callable[[LocalServer], AbstractAsyncContextManager[Look]]
"""Seats the bot at the local server, and gives how a game there is looked at."""

STATIC = Path(__file__).with_name("static")
PORT = 8420
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - only compared
OWN = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104
"""Where this machine finds itself when it listens everywhere."""

ON_THE_NETWORK = (
    "Everyone on your network can open the address, and can watch the game at /wall without a seat.\n"
    "The connection is not encrypted, so use a network that you trust."
)
HERE_ALONE = (
    "Only this computer can open the address. To let phones in the room join, run:\n"
    'make table ARGS="--host 0.0.0.0"'
)


@dataclass(frozen=True, slots=True)
class Opening:
    """How a table is opened. kept: the page's file; anybody: seats are open; host and port: where it listens.

    answer_seconds: how long the bot may take for an answer, as on Discord.
    """

    kept: Path
    host: str = "127.0.0.1"
    port: int = PORT
    anybody: bool = False
    answer_seconds: float = ANSWER_SECONDS


@dataclass(frozen=True, slots=True)
class OpenTable:
    """An open table. url: where this machine finds it; address: what others type; seats: who is here."""

    url: str
    address: str
    seats: Seats
    server: LocalServer

    @property
    def opener(self) -> str:
        """Return the secret link of the person who opened the table."""
        return f"{self.url}/s/{self.seats.link(self.seats.opener)}/"


@asynccontextmanager
async def table(
    start_bot: StartBot, opening: Opening, announce: Callable[[OpenTable], None] = lambda _: None
) -> AsyncIterator[OpenTable]:
    """Open a table until the context ends. announce: is told its address while the bot still starts."""
    store = Kept(opening.kept)
    try:
        async with LocalServer(answer_seconds=opening.answer_seconds) as server:
            _remember(server, store)
            _without_threads(server)
            seats = Seats(server, store, anybody=opening.anybody)
            with closing(
                socket.create_server((opening.host, opening.port), family=_family(opening.host), backlog=256)
            ) as sock:
                opened = _opened(server, seats, opening, sock.getsockname()[1])
                announce(opened)
                async with start_bot(server) as look, _listening(opened, store, look, sock):
                    yield opened
    finally:
        store.close()


def _without_threads(server: LocalServer) -> None:
    """Nothing is played where neither phones nor wall look: they show one channel."""
    for guild in server.world.guilds.values():
        guild.roles[guild.id].permissions &= ~Permission.CREATE_PUBLIC_THREADS


def _remember(server: LocalServer, store: Kept) -> None:
    """Put the channel's messages back where they were, and keep those that come."""
    world = server.world
    channel = world.channels[server.channel("table")]
    for message in store.messages(channel.id, f"{server.url}/cdn/attachments"):
        channel.messages[message.id] = message
        world.attach(message.attachments)

    def keep(event: Event) -> None:
        if event.channel_id != channel.id:
            return
        if event.kind is EventKind.DELETE and event.before is not None:
            store.drop_message(event.before.id)
        elif event.message is not None and not event.message.loading:
            store.put_message(event.message)

    world.listeners.append(keep)


def _opened(server: LocalServer, seats: Seats, opening: Opening, port: int) -> OpenTable:
    address = f"http://{_written(_reachable_host(opening.host))}:{port}"
    host = OWN.get(opening.host, opening.host)
    return OpenTable(f"http://{_written(host)}:{port}", address, seats, server)


@asynccontextmanager
async def _listening(opened: OpenTable, store: Kept, look: Look, sock: socket.socket) -> AsyncIterator[None]:
    server, seats = opened.server, opened.seats
    world, channel = server.world, server.channel("table")
    rates, writer = Rates(), MessageWriter(server.world, look, seats.seal)
    stream = Stream(world, channel, writer)
    scene = Scene(world, channel, look)
    scene.listeners.append(lambda picture: stream.tell("scene", picture, None))
    wall_writer = MessageWriter(world, look, seats.seal, "/wall/files")
    wall = Wall(world, channel, scene, seats, wall_writer, f"{opened.address}/")
    names = frozenset({"localhost", socket.gethostname().lower(), f"{socket.gethostname().lower()}.local"})
    app = web.Application(middlewares=[guarded(rates, names)], client_max_size=MAX_BYTES_WITH_FILE)
    app.on_response_prepare.append(add_headers)
    Door(world, channel, seats, store, stream, writer, rates, scene, f"{opened.address}/").add_to(app)
    scene.add_to(app)
    wall.add_to(app)
    app.router.add_static("/static", STATIC)
    runner = web.AppRunner(
        app, access_log=None, shutdown_timeout=0.5, handle_signals=False, keepalive_timeout=30
    )
    Entrance(seats, stream, rates, f"{opened.address}/").add_to(app)
    await runner.setup()
    await web.SockSite(runner, sock).start()
    try:
        yield
    finally:
        stream.close()
        await wall.close()
        await scene.close()
        await runner.cleanup()


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def _written(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _reachable_host(host: str) -> str:
    if host not in EVERYWHERE:
        return host
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing: asks which way a packet would go
        return str(probe.getsockname()[0])
    return socket.gethostname()


def welcome(opened: OpenTable, opening: Opening) -> str:
    """Return the terminal's message when the table is open. A code is shown where phones can follow it."""
    alone = is_loopback(opening.host)
    seats = (
        "Everyone who opens the address is let in."
        if opening.anybody
        else "Everyone who wants to play has to ask you for a seat."
    )
    return (
        f"{'' if alone else _code(opened.address)}\n"
        f"Your own link (open it to begin; don't share it):\n{opened.opener}\n\n"
        f"For the others: {opened.address}/\nFor a television: {opened.address}/wall\n\n{seats}\n"
        f"{HERE_ALONE if alone else ON_THE_NETWORK}\nPress Ctrl-C to close the table; the game is saved."
    )


def _code(address: str) -> str:
    code = segno.make(f"{address}/", micro=False)
    rows = [list(row) for row in code.matrix_iter(border=2)]
    rows += [[0] * len(rows[0])] * (len(rows) % 2)
    lines = (
        "".join(_BLOCKS[bool(upper), bool(lower)] for upper, lower in zip(top, bottom, strict=True))
        for top, bottom in zip(rows[::2], rows[1::2], strict=True)
    )
    return "\n".join(lines) + "\n"


_BLOCKS = {(True, True): " ", (True, False): "\u2584", (False, True): "\u2580", (False, False): "\u2588"}
"""Light is drawn, since most terminals are dark."""


async def serve(start_bot: StartBot, opening: Opening) -> int:
    """Open the table and tell where, until the program is asked to stop; the exit status."""
    stop = asyncio.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(name, stop.set)
    try:
        async with table(start_bot, opening, lambda opened: print(welcome(opened, opening), flush=True)):
            print("The table is open.", flush=True)
            await stop.wait()
    except OSError as error:
        print(f"The table can't be opened at {opening.host}:{opening.port}: {error.strerror}.")
        return 1
    return 0
