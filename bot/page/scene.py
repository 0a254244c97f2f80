"""The game beside its card: the bar, both crews and the board, as anybody may see them, for phones and wall.

Owns when they are drawn again: only after something public. So neither what they show nor when they change
tells what one person heard in private.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256

from aiohttp import web
from markupsafe import Markup

from bot.local.seen import Event
from bot.local.world import World
from bot.overview import GameStanding, Ground, Look, PlannedRoute
from bot.page.frame import drawn

PAUSE_SECONDS = 0.1
"""Changes within this time are drawn together."""

MAX_GROUNDS = 20
"""Boards as HTML that are kept: people who see the same get the same."""

Drawn = dict[str, str]
"""HTML by the name of the part of the page that it fills; of the board in inches only what tells that it changed.

Each person sees a board of their own, and fetches it.
"""


class Scene:
    """How the game of one channel stands. standing, parts: as it was drawn last; listeners: are told them after each change."""

    def __init__(self, world: World, channel: int, look: Look) -> None:
        self._channel = channel
        self.look = look
        self.standing: GameStanding | None = None
        self.parts: Drawn = drawn_parts(None)
        self._changed = asyncio.Event()
        self._changed.set()
        self._drawing = asyncio.Lock()
        self.listeners: list[Callable[[Drawn], None]] = []
        world.listeners.append(self._hear)
        self._keeping = asyncio.create_task(self._keep(), name="scene")

    def add_to(self, app: web.Application) -> None:
        """Register the routes."""
        app.router.add_get("/board/{name}", self.board)
        app.router.add_get("/photo/{digest}.jpg", self.photo)

    def _hear(self, event: Event) -> None:
        if event.channel_id == self._channel and event.only_for is None:
            self._changed.set()

    async def _keep(self) -> None:
        while True:
            await self._changed.wait()
            await self.now()
            await asyncio.sleep(PAUSE_SECONDS)

    async def now(self) -> GameStanding | None:
        """Return how the game stands."""
        async with self._drawing:
            if self._changed.is_set():
                self._changed.clear()
                self.standing = await self.look.standing(self._channel)
                parts = drawn_parts(self.standing)
                if parts != self.parts:
                    self.parts = parts
                    for listener in self.listeners:
                        listener(parts)
            return self.standing

    async def ground(self, user_id: int) -> Markup:
        """Return the board in inches as this person may see it; empty without one."""
        return drawn_ground(await self.look.ground(self._channel, user_id))

    async def route(self, user_id: int, model: int, where: str, level: float) -> PlannedRoute:
        """Return what it would be if this person moved a model like that, up to a level unless it is 0."""
        return await self.look.route(self._channel, user_id, model, where, level)

    async def board(self, request: web.Request) -> web.Response:
        """Return the picture of the board, by the name that the page was given.

        A page that asks for an older picture gets the newest one, which it doesn't keep under that name.
        """
        standing = await self.now()
        if standing is None or standing.board is None:
            raise web.HTTPNotFound(text="That picture doesn't exist.")
        is_newest = request.match_info["name"] == board_name(standing)
        headers = {"Cache-Control": "private, max-age=86400" if is_newest else "no-store"}
        return web.Response(body=standing.board.data, content_type="image/png", headers=headers)

    async def photo(self, request: web.Request) -> web.Response:
        """Return the photograph under the board, which is the same for all."""
        data = await self.look.photo(self._channel, request.match_info["digest"])
        if not data:
            raise web.HTTPNotFound(text="That photograph doesn't exist.")
        headers = {"Cache-Control": "private, max-age=86400"}
        return web.Response(body=data, content_type="image/jpeg", headers=headers)

    async def close(self) -> None:
        """Stop drawing."""
        self._keeping.cancel()
        with suppress(asyncio.CancelledError):
            await self._keeping


def board_name(standing: GameStanding) -> str:
    """Return the name of the board's picture, another one for each picture; empty without one."""
    return f"{sha256(standing.board.data).hexdigest()[:16]}.png" if standing.board is not None else ""


def drawn_parts(standing: GameStanding | None) -> Drawn:
    """Return the parts of a phone's page beside the card."""
    picture = board_name(standing) if standing is not None else ""
    names = ("bar", "acting", "crews", "board")
    parts = {name: drawn(name, standing=standing, picture=picture) for name in names}
    markup = drawn_ground(standing.ground if standing is not None else None)
    return {**parts, "ground": sha256(markup.encode()).hexdigest()[:16]}


@lru_cache(maxsize=MAX_GROUNDS)
def drawn_ground(ground: Ground | None) -> Markup:
    """Return the board in inches as HTML; empty without one."""
    return drawn("ground", ground=ground, svg=drawing_of(ground)) if ground is not None else Markup()


def drawing_of(ground: Ground | None) -> Markup:
    """Return the drawing of the board, whose author has escaped its contents."""
    return Markup(ground.svg if ground is not None else "")  # noqa: S704
