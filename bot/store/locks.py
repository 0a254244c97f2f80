"""Who works on a scope works alone: locks by name, and something else to try while one waits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

PATIENCE_SECONDS = 0.2
"""How long one waits for a lock before something else is tried."""

T = TypeVar("T")


@dataclass(slots=True)
class Locks:
    """A lock for each name that somebody holds or waits for."""

    held: dict[object, tuple[asyncio.Lock, int]] = field(default_factory=dict)

    @asynccontextmanager
    async def hold(self, name: object, instead: Callable[[], Awaitable[T | None]]) -> AsyncIterator[T | None]:
        """See `Store.alone`."""
        lock, users = self.held.get(name, (asyncio.Lock(), 0))
        self.held[name] = (lock, users + 1)
        try:
            if not users:
                async with lock:
                    yield None
                return
            turn = asyncio.ensure_future(lock.acquire())
            try:
                found = None if await _comes(turn) else await instead()
                if found is None:
                    await turn
                yield found
            finally:
                if turn.done() and not turn.cancelled():
                    lock.release()
                turn.cancel()
        finally:
            lock, users = self.held.pop(name)
            if users > 1:
                self.held[name] = (lock, users - 1)


async def nothing_instead() -> None:
    """Whoever has nothing else to try waits."""


async def _comes(turn: asyncio.Future[Any]) -> bool:
    """Whether one's turn comes soon."""
    await asyncio.sleep(0)
    if not turn.done():
        await asyncio.wait({turn}, timeout=PATIENCE_SECONDS)
    return turn.done()
