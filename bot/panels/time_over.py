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


class TimeOver(PeriodicTask):
    """Looks whose time is over, while it runs. The clock is the store's.

    changed: shows the card of a scope again. serves: whether a server is one that this process tells.
    """

    def __init__(self, store: Store, changed: Callable[[int], None], serves: Serves = everywhere) -> None:
        super().__init__("time to react")
        self._store = store
        self._changed = changed
        self._serves = serves
        self._seen: dict[int, int] = {}

    async def _keep(self) -> None:
        while True:
            with guard_errors(log, "panels", "could not look whose time to react is over"):
                await self.look()
            await asyncio.sleep(LOOK_SECONDS)

    async def look(self) -> int:
        """Show the cards that are due and return how many; each is tried once between two starts.

        A card whose game could not be read is tried again.
        """
        due = await self._store.cards_to_change(self._store.now())
        self._seen = {scope: at_ms for scope, at_ms in self._seen.items() if due.get(scope) == at_ms}
        scopes = [scope for scope in due if scope not in self._seen]
        for scope in scopes:
            loaded = await self._store.load(scope)
            if loaded is not None and self._serves(loaded.scope.guild_id):
                self._changed(scope)
            self._seen[scope] = due[scope]
        return len(scopes)
