"""The live panels: one message for each encounter, kept up to date and never more than one.

Changes are coalesced; a panel that is old (Discord limits edits of messages over an hour old) or that has
scrolled far up is posted anew and the old one closed. Where the panel cannot be shown, play goes on.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

import aiohttp
import discord

from bot.panels.widgets import view_of
from bot.replies.fit import fit_text
from bot.replies.reply import Reply
from bot.store.store import Store

log = logging.getLogger(__name__)

PAUSE_SECONDS = 1.0

FAR_UP = 12
"""Messages below a panel after which it is posted anew."""

Draw = Callable[[int], Coroutine[Any, Any, tuple[Reply, int, int] | None]]
"""scope -> the panel's reply, its channel and version; None where the encounter shows no panel."""


class Board:
    """Keeps the panels of one client.

    clock: milliseconds since 1970; minutes: how old a panel may grow;
    pause: least seconds between two edits of one panel.
    """

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        draw: Draw,
        clock: Callable[[], int],
        minutes: int,
        pause: float = PAUSE_SECONDS,
    ) -> None:
        self._client = client
        self._store = store
        self._draw = draw
        self._clock = clock
        self._oldest_ms = minutes * 60_000
        self._pause = pause
        self._due: set[int] = set()
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._below: dict[int, int] = {}

    def changed(self, scope: int) -> None:
        """The scope was changed: show its panel anew, soon."""
        self._due.add(scope)
        self._below[scope] = self._below.get(scope, 0) + 1
        if scope not in self._tasks:
            self._tasks[scope] = asyncio.create_task(self._keep(scope), name=f"panel {scope}")

    async def settle(self) -> None:
        """Wait until every panel shows what was last changed."""
        while self._tasks:
            await asyncio.gather(*self._tasks.values())

    async def _keep(self, scope: int) -> None:
        try:
            while scope in self._due:
                self._due.discard(scope)
                try:
                    await self._show(scope)
                except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
                    log.warning("panel not shown", extra={"scope": scope, "error": str(error)})
                except Exception:
                    log.exception("panel failed", extra={"scope": scope})
                if scope in self._due:
                    await asyncio.sleep(self._pause)
        finally:
            del self._tasks[scope]

    async def _show(self, scope: int) -> None:
        drawn = await self._draw(scope)
        if drawn is None:
            return
        reply, channel_id, version = drawn
        stands = await self._store.panel(scope)
        here = stands is not None and stands[0] == channel_id and not self._is_stale(scope, stands[2])
        if here and stands and await self._edit(channel_id, stands[1], reply, scope, version):
            return
        await self._post(channel_id, reply, scope, version)
        if stands is not None:
            await self._retire(stands[0], stands[1])

    def _is_stale(self, scope: int, posted_ms: int) -> bool:
        return self._below.get(scope, 0) > FAR_UP or self._clock() - posted_ms > self._oldest_ms

    async def _edit(self, channel_id: int, message_id: int, reply: Reply, scope: int, version: int) -> bool:
        message = self._client.get_partial_messageable(channel_id).get_partial_message(message_id)
        try:
            await message.edit(content=fit_text(reply.lines), view=view_of(reply, scope, version))
        except discord.HTTPException as error:
            log.info("panel is posted anew", extra={"scope": scope, "code": error.code})
            return False
        return True

    async def _post(self, channel_id: int, reply: Reply, scope: int, version: int) -> None:
        channel = self._client.get_partial_messageable(channel_id)
        view = view_of(reply, scope, version)
        text = fit_text(reply.lines)
        message = await (channel.send(text, view=view) if view else channel.send(text))
        self._below[scope] = 0
        await self._store.set_panel(scope, channel_id, message.id, self._clock())

    async def _retire(self, channel_id: int, message_id: int) -> None:
        message = self._client.get_partial_messageable(channel_id).get_partial_message(message_id)
        try:
            await message.edit(content="The panel has moved down.", view=None)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("old panel stays", extra={"error": str(error)})
