"""The live panels: one message for each encounter, kept up to date and never more than one.

Changes are coalesced; a panel that is old (Discord limits edits of messages over an hour old) or that has
scrolled far up is posted anew and the old one closed. Where the panel cannot be shown, play goes on.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Collection, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

import aiohttp
import discord

from bot.error_guard import guard_errors
from bot.panels.widgets import card_of
from bot.replies.reply import Reply, say
from bot.store.errors import Lost
from bot.store.store import Store
from bot.table.channels import mention

log = logging.getLogger(__name__)

PAUSE_SECONDS = 1.0

EDITS_A_SECOND = 20
"""How many panels are shown in a second, those of all tables together: Discord takes 50 requests a second."""

BETWEEN_EDITS = 1 / EDITS_A_SECOND

GIVES_WAY = 3
"""How often that long a panel waits while others wait for answers."""

FAR_UP = 12
"""Messages below a panel after which it is posted anew."""

PATIENCE_SECONDS = 5.0
"""How long one edit or message may take: Discord may want a minute's wait before an old one is edited."""

CLOSING_SECONDS = 2.0

AWAY_PAUSES = (0.05, 0.25, 1.0, 3.0)
"""How long one waits, in seconds, before a database is asked again that could not be reached."""

T = TypeVar("T")

Draw = Callable[[int], Coroutine[Any, Any, tuple[Reply, int, int] | None]]
"""scope -> the panel's reply, its channel, and the entry by which the game last went on; None for none."""


class Board:
    """Keeps the panels of one client.

    clock: milliseconds since 1970; minutes: how old a panel may grow;
    pause: least seconds between two edits of one panel; patience: most seconds for one edit;
    answering: who is answering at present.
    """

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        draw: Draw,
        clock: Callable[[], int],
        minutes: int,
        pause: float = PAUSE_SECONDS,
        patience: float = PATIENCE_SECONDS,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        *,
        answering: Callable[[], Collection[asyncio.Task[Any]]] = tuple,
    ) -> None:
        self._client = client
        self._store = store
        self._draw = draw
        self._clock = clock
        self._oldest_ms = minutes * 60_000
        self._pause = pause
        self._patience = patience
        self._sleep = sleep
        self._answering = answering
        self._due: set[int] = set()
        self._loud: set[int] = set()
        self._answers: dict[int, set[asyncio.Task[Any]]] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._below: dict[int, int] = {}
        self._free_at = 0.0

    def changed(self, scope: int, *, quietly: bool = False, after: asyncio.Task[Any] | None = None) -> None:
        """The scope was changed: show its panel anew, soon; quietly: where it stands, for nobody to notice.

        after: what answers who changed it: first that is told, then the panel is drawn.

        A panel that moves down tells the channel that something was done, so what is answered to one person
        alone does not move it.
        """
        self._due.add(scope)
        if after is not None:
            self._answers.setdefault(scope, set()).add(after)
        if not quietly:
            self._loud.add(scope)
            self._below[scope] = self._below.get(scope, 0) + 1
        if scope not in self._tasks:
            self._tasks[scope] = asyncio.create_task(self._keep(scope), name=f"panel {scope}")

    async def settle(self) -> None:
        """Wait until every panel shows what was last changed."""
        while self._tasks:
            await asyncio.gather(*self._tasks.values())

    async def close(self) -> None:
        """Show what is due, as far as that is quick, and stop."""
        tasks = list(self._tasks.values())
        if tasks:
            await asyncio.wait(tasks, timeout=CLOSING_SECONDS)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _keep(self, scope: int) -> None:
        try:
            while scope in self._due:
                await self._turn(scope)
                self._due.discard(scope)
                answers = self._answers.pop(scope, None)
                if answers:
                    await asyncio.wait(answers, timeout=self._patience)
                loud = scope in self._loud
                self._loud.discard(scope)
                with guard_errors(log, "panels", "panel failed", scope=scope):
                    try:
                        await self._show(scope, loud=loud)
                    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
                        log.warning("panel not shown", extra={"scope": scope, "error": str(error)})
                await self._sleep(self._pause)
        finally:
            del self._tasks[scope]

    async def _turn(self, scope: int) -> None:
        """Wait until one more panel may be shown: where many tables change at once, one after the other.

        Whoever waits for an answer comes first, though not for ever; no later panel waits longer for that.
        """
        if not self._pause:
            return
        now = asyncio.get_running_loop().time()
        begins = max(now, self._free_at)
        self._free_at = begins + BETWEEN_EDITS
        if begins > now:
            await self._sleep(begins - now)
        for _ in range(GIVES_WAY):
            if not self._others_wait(scope):
                return
            await self._sleep(BETWEEN_EDITS)

    def _others_wait(self, scope: int) -> bool:
        """Whether somebody waits for an answer that this panel does not wait for itself."""
        own = self._answers.get(scope, ())
        return any(task not in own for task in self._answering())

    async def _show(self, scope: int, *, loud: bool) -> None:
        drawn = await self._answered(lambda: self._draw(scope))
        if drawn is None:
            return
        reply, channel_id, version = drawn
        stands = await self._answered(lambda: self._store.panel(scope))
        here = stands is not None and stands[0] == channel_id
        moves = loud and stands is not None and self._is_stale(scope, stands[2])
        if here and not moves and stands and await self._edit(channel_id, stands[1], reply, scope, version):
            return
        await self._post(channel_id, reply, scope, version)
        if stands is not None:
            gone = (
                "The panel has moved down." if here else f"The game is played in {mention(channel_id)} now."
            )
            await self._retire(stands[0], stands[1], gone)

    def _is_stale(self, scope: int, posted_ms: int) -> bool:
        return self._below.get(scope, 0) > FAR_UP or self._clock() - posted_ms > self._oldest_ms

    async def _edit(self, channel_id: int, message_id: int, reply: Reply, scope: int, version: int) -> bool:
        """Edit the panel; False where it has to be posted anew."""
        message = self._client.get_partial_messageable(channel_id).get_partial_message(message_id)
        for _ in (1, 2):
            try:
                view = card_of(reply, scope, version)
                await self._in_time(message.edit(content=None, view=view))
            except TimeoutError:
                log.info("panel is posted anew", extra={"scope": scope, "error": "no answer in time"})
                return False
            except discord.HTTPException as error:
                log.info("panel is posted anew", extra={"scope": scope, "code": error.code})
                return False
            except (aiohttp.ClientError, OSError) as error:
                log.info("edit lost", extra={"scope": scope, "error": type(error).__name__})
            else:
                return True
        return False

    async def _post(self, channel_id: int, reply: Reply, scope: int, version: int) -> None:
        """Post the panel; Discord takes the second try for the first where that arrived after all."""
        channel = self._client.get_partial_messageable(channel_id)
        nonce = secrets.token_hex(8)
        for last in (False, True):
            view = card_of(reply, scope, version)
            try:
                message = await self._in_time(channel.send(view=view, nonce=nonce))
                break
            except (aiohttp.ClientError, OSError):
                if last:
                    raise
        self._below[scope] = 0
        now = self._clock()
        await self._answered(lambda: self._store.set_panel(scope, channel_id, message.id, now))

    async def _answered(self, ask: Callable[[], Awaitable[T]]) -> T:
        """What the database answers; asked again where it is away for a moment.

        Else the panel would stay as it was, or one be posted that nobody knows of.
        """
        for pause in AWAY_PAUSES:
            with suppress(Lost):
                return await ask()
            await self._sleep(pause)
        return await ask()

    async def _retire(self, channel_id: int, message_id: int, told: str) -> None:
        message = self._client.get_partial_messageable(channel_id).get_partial_message(message_id)
        try:
            await self._in_time(message.edit(content=None, view=card_of(say(told), 0, -1)))
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("old panel stays", extra={"error": str(error)})

    async def _in_time(self, sending: Coroutine[Any, Any, T]) -> T:
        """What is sent, or TimeoutError: the library itself would wait as long as Discord asks for."""
        task = asyncio.create_task(sending)
        try:
            await asyncio.wait({task}, timeout=self._patience)
            if not task.done():
                raise TimeoutError
            return task.result()
        finally:
            if not task.done():
                task.add_done_callback(_heard)
                task.cancel()


def _heard(task: asyncio.Task[Any]) -> None:
    if not task.cancelled():
        task.exception()
