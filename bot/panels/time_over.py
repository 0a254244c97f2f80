"""Shows a card again when the time to react is over, because the players who wait may go on then.

The moment is kept with the card's place, so that a bot that was restarted shows it too. No one is mentioned.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from bot.error_guard import guard_errors
from bot.panels.periodic_task import PeriodicTask
from bot.store.deliveries import Serves, everywhere
from bot.store.store import Store

log = logging.getLogger(__name__)

LOOK_SECONDS = 1.0

RETRY_MS, GIVE_UP_MS = 60_000, 3_600_000
"""How long after a try the next may be, and how long after the time was over a card is tried."""


class TimeOver(PeriodicTask):
    """Looks whose time is over, while it runs. The clock is the store's.

    changed: shows the card of a scope again. serves: whether a server is one that this process tells.
    """

    def __init__(self, store: Store, changed: Callable[[int], None], serves: Serves = everywhere) -> None:
        super().__init__("time to react")
        self._store = store
        self._changed = changed
        self._serves = serves
        self._tried: dict[int, tuple[int, int]] = {}
        """When the card of a scope was due, and when it was last tried."""

    async def _keep(self) -> None:
        while True:
            with guard_errors(log, "panels", "could not check whose time to react is over"):
                await self.look()
            await asyncio.sleep(LOOK_SECONDS)

    async def look(self) -> int:
        """Show the cards that are due and return how many. One that could not be shown is tried again every
        minute for an hour, and at the next start.
        """
        now_ms = self._store.now()
        due = await self._store.cards_to_change(now_ms)
        self._tried = {scope: tried for scope, tried in self._tried.items() if due.get(scope) == tried[0]}
        scopes = [scope for scope in due if self._may_try(scope, now_ms)]
        for scope in scopes:
            loaded = await self._store.load(scope)
            if loaded is not None and self._serves(loaded.scope.guild_id):
                self._changed(scope)
            self._tried[scope] = due[scope], now_ms
        return len(scopes)

    def _may_try(self, scope: int, now_ms: int) -> bool:
        if scope not in self._tried:
            return True
        due_ms, tried_ms = self._tried[scope]
        return tried_ms + RETRY_MS <= now_ms < due_ms + GIVE_UP_MS
