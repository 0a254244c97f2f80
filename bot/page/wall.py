"""The wall: the table for a television. It shows what anybody may know.

Owns the wall's page: the scene that phones have too, and what public messages tell.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from aiohttp import web
from markupsafe import Markup

from bot.local.seen import Event, Message
from bot.local.world import World
from bot.overview import GameStanding
from bot.page.door import file_response
from bot.page.frame import drawn, page
from bot.page.messages import PICTURES, MessageWriter, is_panel, results
from bot.page.scene import Scene, board_name, drawing_of
from bot.page.seats import Seats
from bot.page.stream import Page, frames, send

PAUSE_SECONDS = 0.15
"""Events within this time are shown together."""

RESULTS = 5
BEFORE = "Before: "
"""The line of a card's state that names its earlier results begins so."""

MAX_WALLS = 40


class Wall:
    """The wall of one channel. seats: who is here; address: where people join."""

    def __init__(
        self, world: World, channel: int, scene: Scene, seats: Seats, writer: MessageWriter, address: str
    ) -> None:
        self._world = world
        self._channel = channel
        self._scene = scene
        self._seats = seats
        self._address = address
        self._writer = writer
        self._pages: set[Page] = set()
        self._changed = asyncio.Event()
        self._changed.set()
        self._drawing = asyncio.Lock()
        self._html = ""
        self._keeping: asyncio.Task[None] | None = None
        world.listeners.append(self._hear)
        seats.listeners.append(self._changed.set)

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
        return [
            message
            for message in messages
            if not message.ephemeral and message.author.bot and not message.loading
        ]

    async def show(self, request: web.Request) -> web.Response:
        """Show the whole page; `transparent=1`: without a ground, to lie over a picture."""
        clear = request.query.get("transparent") == "1"
        await self._renew()
        return page("wall", clear=clear, inner=Markup(self._html))  # noqa: S704 - drawn below

    async def events(self, request: web.Request) -> web.StreamResponse:
        """Send the wall again whenever something has changed."""
        if len(self._pages) >= MAX_WALLS:
            raise web.HTTPServiceUnavailable(text="Close another wall page first; too many are open.")
        viewer = Page(0, lambda: True)
        self._pages.add(viewer)
        if self._keeping is None:
            self._keeping = asyncio.create_task(self._keep(), name="wall")
        viewer.give(self._frame())
        try:
            return await send(request, frames(viewer))
        finally:
            self._pages.discard(viewer)

    async def file(self, request: web.Request) -> web.Response:
        """Send a picture of a public message."""
        for message in self._public():
            for attachment in message.attachments:
                if str(attachment.id) == request.match_info["id"] and attachment.content_type in PICTURES:
                    return file_response(attachment.data, attachment.content_type)
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
        async with self._drawing:
            if self._changed.is_set():
                self._changed.clear()
                self._html = self._drawn(await self._scene.now())
                for viewer in self._pages:
                    viewer.give(self._frame())

    def _drawn(self, standing: GameStanding | None) -> str:
        pairs = [(message, self._writer.shown(message)) for message in self._public()[-RESULTS:]]
        shown_messages = [shown_message for _, shown_message in pairs if shown_message.told]
        panel = next((shown_message for message, shown_message in reversed(pairs) if is_panel(message)), None)
        latest = panel if panel is not None and panel.told else shown_messages[-1] if shown_messages else None
        heads = [
            result[0].spans
            for shown_message in shown_messages
            if shown_message is not latest
            for result in results(shown_message.told)
        ]
        lines = (
            [block.facts for part in latest.state for block in part.blocks][1:] if latest is not None else []
        )
        drawn_already = (
            "Bag ",
            *(model.name for side in (standing.sides if standing else ()) for model in side.models),
        )
        facts = [fact for line in lines if not line[0].startswith(BEFORE) for fact in line]
        facts = [fact for fact in facts if not any(name in fact for name in drawn_already)]
        sources = [fact.removeprefix(BEFORE) for line in lines if line[0].startswith(BEFORE) for fact in line]
        picture, words = self._picture(standing)
        return drawn(
            "wall_inner",
            standing=standing,
            plays=standing is not None and standing.turn > 0,
            address=self._address,
            seated=self._seats.seated,
            latest=latest.told if latest is not None else (),
            accent=latest.accent if latest is not None else None,
            facts=facts,
            since=sources[::-1],
            before=heads[: -RESULTS - 1 : -1],
            drawing=drawing_of(standing.ground) if standing is not None else "",
            picture=picture,
            picture_words=words,
        )

    def _picture(self, standing: GameStanding | None) -> tuple[str, str]:
        """Return the address of the board, else of the last picture, and its words; empty for none."""
        if standing is not None and standing.board is not None:
            return f"/board/{board_name(standing)}", standing.board.words
        recent = self._public()[-RESULTS:]
        files = [
            attachment
            for message in recent
            for attachment in message.attachments
            if attachment.content_type in PICTURES
        ]
        file_link = self._writer.link(files[-1]) if files else None
        return (file_link.address, file_link.words) if file_link is not None else ("", "")

    async def close(self) -> None:
        """End every connection."""
        for viewer in self._pages:
            viewer.end()
        if self._keeping is not None:
            self._keeping.cancel()
            with suppress(asyncio.CancelledError):
                await self._keeping
