"""A heartbeat in a file, written while the bot's event loop runs, for programs that watch it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

log = logging.getLogger(__name__)

BEAT_SECONDS = 10
DEAD_SECONDS = 45


@asynccontextmanager
async def beat(file: str) -> AsyncIterator[None]:
    """Touch the file now and then while the block runs; nothing where no file is named."""
    if not file:
        yield
        return
    path = Path(file)
    task = asyncio.create_task(_beat(path))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        with suppress(OSError):
            path.unlink(missing_ok=True)


async def _beat(path: Path) -> None:
    is_told = False
    while True:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        except OSError as error:
            if not is_told:
                log.warning("%s cannot be written: %s", path, error.strerror)
            is_told = True
        else:
            is_told = False
        await asyncio.sleep(BEAT_SECONDS)


def is_alive(file: str) -> bool:
    """Return whether the file was touched lately; False where no file is named."""
    if not file:
        return False
    try:
        return time.time() - Path(file).stat().st_mtime < DEAD_SECONDS
    except OSError:
        return False
