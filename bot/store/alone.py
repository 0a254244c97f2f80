"""An SQLite file is served by one process: a lock beside it that ends with whoever holds it.

What is kept in memory of an SQLite file is not proven fresh, since nobody else writes it; this is why.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.engine import URL

from bot.store.engine import is_sqlite
from bot.store.errors import StoreError
from bot.store.migrate import check_file

PATIENCE_SECONDS = 30.0
"""How long the next process waits for the one before it to end."""

LOOKING_SECONDS = 0.2

LOCK = ".serving"
"""How the name of the lock ends."""

SERVED = (
    "Another bot serves from {file}, and an SQLite file takes one. Stop that one, or move to PostgreSQL: "
    "python -m bot copy."
)


@contextmanager
def serving_alone(url: URL, sleep: Callable[[float], None] = time.sleep) -> Iterator[None]:
    """Be the only process that serves from a file, while the block runs; waits for another one to end.

    Raises StoreError where it does not. Any number serve from other databases.
    """
    if not is_sqlite(url) or not url.database or url.database.startswith(":memory:"):
        yield
        return
    check_file(url)
    path = Path(url.database)
    try:
        lock = path.with_name(path.name + LOCK).open("a")
    except OSError as error:
        raise StoreError(f"The folder {path.parent} cannot be written: {error.strerror}.") from error
    with lock:
        waited = 0.0
        while not _locked(lock.fileno()):
            if waited >= PATIENCE_SECONDS:
                raise StoreError(SERVED.format(file=path))
            sleep(LOOKING_SECONDS)
            waited += LOOKING_SECONDS
        yield


def _locked(handle: int) -> bool:
    """Whether the lock is held now; where the system has no such locks nobody is kept out."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
