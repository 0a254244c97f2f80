"""What is looked at now and then while the bot runs."""

from __future__ import annotations

import asyncio


class PeriodicTask:
    """Goes on in a task of its own between `start` and `close`. name: of the task."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    def start(self) -> None:
        """Look from now on; nothing where it does already, or was closed."""
        if not self._closed and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._keep(), name=self._name)

    async def close(self) -> None:
        """Stop looking."""
        self._closed = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _keep(self) -> None:
        raise NotImplementedError
