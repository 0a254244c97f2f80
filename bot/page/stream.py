"""The channel's events, sent to every open page, and to sleeping ones when they wake.

Owns the order of what happened since the start, the last of it in memory, and who may hear which part.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from bot.local.seen import Event, EventKind, Message
from bot.local.world import World
from bot.page.messages import MessageWriter, is_panel

KEPT = 1000
"""Events that are stored for pages that lost their connection; a page that missed more gets everything
again.
"""

BEHIND = 500
"""Parts that may wait for one page; a page that is further behind is cut off and connects again."""

BEAT_SECONDS = 20.0
SHOWN = 80
"""Messages that a page shows when it is opened."""

MAX_CONNECTIONS, MAX_OF_ONE = 400, 6


class TooMany(Exception):
    """No further page can be served."""


@dataclass(frozen=True, slots=True)
class Happening:
    """One thing that happened. only_for: the user who alone may hear it; told: of the seats, not of the channel.

    word: names it to pages; drawn by lot, since a number would tell how much others heard between.
    """

    word: str
    only_for: int | None
    told: bool
    frame: bytes

    def is_for(self, user_id: int) -> bool:
        """Return whether it concerns this user."""
        return self.only_for in (None, user_id)


@dataclass(eq=False, slots=True)
class Page:
    """One open connection. user_id: whose; hears: whether the channel is for him, asked each time."""

    user_id: int
    hears: Callable[[], bool]
    waiting: deque[bytes] = field(default_factory=deque)
    news: asyncio.Event = field(default_factory=asyncio.Event)
    cut: bool = False

    def may(self, part: Happening) -> bool:
        """Return whether this page may hear the part."""
        return part.is_for(self.user_id) and (part.told or self.hears())

    def give(self, frame: bytes) -> None:
        """Send a frame soon."""
        if len(self.waiting) >= BEHIND:
            self.cut = True
        else:
            self.waiting.append(frame)
        self.news.set()

    def end(self) -> None:
        """Close the connection soon."""
        self.cut = True
        self.news.set()


class Stream:
    """The events in one channel of the world."""

    def __init__(self, world: World, channel: int, writer: MessageWriter) -> None:
        self._world = world
        self._channel = channel
        self._writer = writer
        self._begun = secrets.token_hex(8)
        self._parts: deque[Happening] = deque(maxlen=KEPT)
        self._pages: dict[Page, None] = {}
        self._card: dict[str, Any] = {}
        world.listeners.append(self._hear)

    def at(self, user_id: int) -> str:
        """Return where the stream is for this user: the last part that was meant for them."""
        words = (part.word for part in reversed(self._parts) if part.is_for(user_id))
        return next(words, self._begun)

    def _hear(self, event: Event) -> None:
        if event.channel_id != self._channel:
            return
        if (
            event.kind in (EventKind.MESSAGE, EventKind.EDIT, EventKind.THINKING)
            and event.message is not None
        ):
            shown = {**self._shown(event.message), "stays": event.takes_away}
            self.tell("put", shown, event.message.only_for)
        elif event.kind is EventKind.DELETE and event.before is not None:
            self.tell("gone", {"id": f"m{event.before.id}"}, event.before.only_for)
        else:
            return
        if event.only_for is None:
            self._tell_card_again(event.message)

    def _tell_card_again(self, told: Message | None) -> None:
        """Send the card again if it recalls a result that another message has changed."""
        messages = self._world.channels[self._channel].messages.values()
        card = next((message for message in reversed(messages) if is_panel(message)), None)
        before, self._card = self._card, self._shown(card) if card is not None else {}
        if card is not None and card is not told and self._card != before:
            self.tell("put", {**self._card, "stays": False}, None)

    def _shown(self, message: Message) -> dict[str, Any]:
        panel = is_panel(message)
        return {"id": f"m{message.id}", "panel": panel, "html": self._writer.article(message)}

    def tell(self, kind: str, data: dict[str, Any], only_for: int | None, *, told: bool = False) -> None:
        """Bring something to every page that may hear it."""
        word = secrets.token_hex(8)
        part = Happening(word, only_for, told, _frame(word, kind, data))
        self._parts.append(part)
        for page in self._pages:
            if page.may(part):
                page.give(part.frame)

    def seen_by(self, user_id: int) -> list[Message]:
        """Return the channel's last messages as this user sees them, the oldest first."""
        messages = self._world.channels[self._channel].messages.values()
        visible = [message for message in messages if message.visible_to(user_id)]
        panel = [message for message in visible[:-SHOWN] if is_panel(message)][-1:]
        return panel + visible[-SHOWN:]

    def _missed(self, page: Page, after: str) -> list[bytes]:
        parts = [part for part in self._parts if page.may(part)]
        if after == self._begun and len(self._parts) < KEPT:
            return [part.frame for part in parts]
        for place, part in enumerate(parts):
            if part.word == after:
                return [part.frame for part in parts[place + 1 :]]
        messages = [self._shown(message) for message in self.seen_by(page.user_id)] if page.hears() else []
        return [_frame(self.at(page.user_id), "all", {"messages": messages})]

    @contextmanager
    def _open(self, page: Page) -> Any:
        own_pages = [other for other in self._pages if other.user_id == page.user_id]
        if len(self._pages) >= MAX_CONNECTIONS:
            raise TooMany
        if len(own_pages) >= MAX_OF_ONE:
            own_pages[0].end()
        self._pages[page] = None
        try:
            yield
        finally:
            self._pages.pop(page, None)

    async def serve(
        self, request: web.Request, user_id: int, hears: Callable[[], bool]
    ) -> web.StreamResponse:
        """Serve one page until it goes away. Raises TooMany."""
        page = Page(user_id, hears)
        with self._open(page):
            after = request.headers.get("Last-Event-ID") or request.query.get("after", "")
            for frame in self._missed(page, after):
                page.waiting.append(frame)
            return await send(request, frames(page))

    def end(self, user_id: int) -> None:
        """End the connections of one user."""
        for page in self._pages:
            if page.user_id == user_id:
                page.end()

    def close(self) -> None:
        """End every connection."""
        for page in self._pages:
            page.end()


def _frame(word: str, kind: str, data: dict[str, Any]) -> bytes:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return f"id: {word}\nevent: {kind}\ndata: {text}\n\n".encode("utf-8", "replace")


async def frames(page: Page) -> AsyncIterator[bytes]:
    """Yield what is to be sent to a page, and a blank from time to time to keep the line open."""
    yield b"retry: 1500\n\n"
    while not page.cut:
        page.news.clear()
        if page.waiting:
            frame = b"".join(page.waiting)
            page.waiting.clear()
            yield frame
            continue
        try:
            async with asyncio.timeout(BEAT_SECONDS):
                await page.news.wait()
        except TimeoutError:
            yield b":\n\n"


async def send(request: web.Request, parts: AsyncIterator[bytes]) -> web.StreamResponse:
    """Answer a request with a stream of events."""
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-store"})
    await response.prepare(request)
    try:
        async for part in parts:
            await response.write(part)
    except ConnectionError:
        pass
    return response
