"""The wall: the table for a television. It shows what everybody may know, and asks as a stranger would.

Owns the wall's page. What it shows comes from public messages, and from one question (`/encounter status`) that
a person without any seat asks; so nothing stands here that the bot would not tell a stranger.
"""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress

from aiohttp import web
from markupsafe import Markup

from bot.local.commands import ClientRefusal
from bot.local.outcomes import NotAnswered
from bot.local.people import Person
from bot.local.seen import Event, Message
from bot.local.world import World
from bot.page.door import file_response
from bot.page.frame import drawn, page
from bot.page.messages import PICTURES, FileLink, MessageWriter
from bot.page.stream import Page, frames, is_panel, send

PAUSE_SECONDS = 0.15
"""What happens within this time is shown at once."""

RESULTS = 6
MAX_WALLS = 40
STATUS = "encounter status"


class Wall:
    """The wall of one channel, seen with the eyes of `stranger`."""

    def __init__(self, world: World, channel: int, stranger: Person) -> None:
        self._world = world
        self._channel = channel
        self._stranger = stranger
        self._writer = MessageWriter(world, "/wall/files")
        self._pages: set[Page] = set()
        self._changed = asyncio.Event()
        self._changed.set()
        self._drawing = asyncio.Lock()
        self._html = ""
        self._keeping: asyncio.Task[None] | None = None
        world.listeners.append(self._hear)

    def add_to(self, app: web.Application) -> None:
        """Register the routes."""
        app.router.add_get("/wall", self.show)
        app.router.add_get("/wall/events", self.events)
        app.router.add_get("/wall/files/{id}/{name}", self.file)

    def _hear(self, event: Event) -> None:
        if event.channel_id == self._channel and event.only_for is None:
            self._changed.set()

    def _public(self) -> list[Message]:
        messages = self._world.channels[self._channel].messages.values()
        return [each for each in messages if not each.ephemeral and each.author.bot and not each.loading]

    async def show(self, request: web.Request) -> web.Response:
        """The whole page; `transparent=1`: without a ground, to lie over a picture."""
        clear = request.query.get("transparent") == "1"
        await self._renew()
        return page("wall", clear=clear, inner=Markup(self._html))  # noqa: S704 - drawn below

    async def events(self, request: web.Request) -> web.StreamResponse:
        """The wall anew whenever something changed."""
        if len(self._pages) >= MAX_WALLS:
            raise web.HTTPServiceUnavailable(text="Close another wall first; too many are open.")
        one = Page(0, lambda: True)
        self._pages.add(one)
        if self._keeping is None:
            self._keeping = asyncio.create_task(self._keep(), name="wall")
        one.give(self._frame())
        try:
            return await send(request, frames(one))
        finally:
            self._pages.discard(one)

    async def file(self, request: web.Request) -> web.Response:
        """A picture of a public message."""
        for message in self._public():
            for each in message.attachments:
                if str(each.id) == request.match_info["id"] and each.content_type in PICTURES:
                    return file_response(each.data, each.content_type)
        raise web.HTTPNotFound(text="That picture doesn't exist.")

    async def _keep(self) -> None:
        while True:
            await self._changed.wait()
            await asyncio.sleep(PAUSE_SECONDS)
            await self._renew()

    def _frame(self) -> bytes:
        data = "\ndata: ".join(self._html.split("\n"))
        return f"event: wall\ndata: {data}\n\n".encode("utf-8", "replace")

    async def _renew(self) -> None:
        """Draw what changed, and send it to every wall that is open, whoever asked."""
        async with self._drawing:
            if self._changed.is_set():
                self._changed.clear()
                self._html = self._drawn(await self._sides())
                for one in self._pages:
                    one.give(self._frame())

    async def _sides(self) -> str:
        """The crews as the bot tells a stranger; empty where there is no game."""
        try:
            outcome = await self._stranger.slash(STATUS, channel=self._channel)
            told = await outcome.message()
        except (ClientRefusal, NotAnswered):
            return ""
        self._world.channels[self._channel].messages.pop(told.id, None)
        return told.text if told.only_for == self._stranger.id else ""

    def _drawn(self, status: str) -> str:
        public = self._public()
        panel = next((each for each in reversed(public) if is_panel(each)), None)
        told = [each.text for each in public if not is_panel(each) and each.text][-RESULTS:]
        latest, *before = reversed(told) if told else [""]
        return drawn(
            "wall_inner",
            turn=self._writer.blocks(panel.text) if panel else (),
            latest=self._writer.blocks(latest),
            before=[self._writer.blocks(text.lstrip("\n").partition("\n")[0]) for text in before],
            sides=[self._writer.blocks(side) for side in self._crews(status, panel)],
            picture=self._picture(public),
        )

    def _crews(self, status: str, panel: Message | None) -> list[str]:
        above = {_words(part) for part in re.split(r" · |\n-# |\n", panel.text)} if panel else set()
        lines = [line for line in status.splitlines() if line.strip() and _words(line) not in above]
        if not panel or not lines:
            return []
        sides: list[list[str]] = [[]]
        for line in lines:
            if line.startswith("**") and sides[-1]:
                sides.append([])
            sides[-1].append(line)
        return ["\n".join(side) for side in sides]

    def _picture(self, public: list[Message]) -> FileLink | None:
        files = [each for message in public for each in message.attachments if each.content_type in PICTURES]
        return self._writer.link(files[-1]) if files else None

    async def close(self) -> None:
        """End every connection."""
        for one in self._pages:
            one.end()
        if self._keeping is not None:
            self._keeping.cancel()
            with suppress(asyncio.CancelledError):
                await self._keeping


def _words(line: str) -> str:
    """A line without its weight."""
    return line.replace("**", "").strip()
