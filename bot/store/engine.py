"""Connections: one writer that begins at once, readers beside it.

SQLite runs in WAL with `synchronous=FULL`; every write transaction is BEGIN IMMEDIATE on one connection, so
writers queue here and not in the database's busy loop. Any other database gets SQLAlchemy's own pool.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Protocol, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.store.errors import StoreError

T = TypeVar("T")

BUSY_MS = 5000
"""How long SQLite waits for a lock that another program holds."""


def database_url(text: str) -> URL:
    """The URL of the database; a bare path means an SQLite file. Raises StoreError."""
    if "://" not in text:
        return URL.create("sqlite+aiosqlite", database=text)
    try:
        url = make_url(text)
    except ArgumentError:
        raise StoreError("The database setting is neither a file nor a URL.") from None
    if url.get_backend_name() == "sqlite":
        return url.set(drivername="sqlite+aiosqlite")
    return url


def is_sqlite(url: URL) -> bool:
    """Whether this is an SQLite file."""
    return url.get_backend_name() == "sqlite"


class Writer(Protocol):
    """Runs work in one transaction: all of it is written, or nothing."""

    @property
    def engine(self) -> Engine:
        """The engine below, for those who listen to its events."""
        ...

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Do the work on a connection and commit; roll back where it raises."""
        ...

    async def close(self) -> None:
        """Give the connections back."""
        ...


class OneThread:
    """Writes to an SQLite file from one thread on one connection: a transaction is one hop there and back."""

    def __init__(self, url: URL) -> None:
        self.engine = create_engine(
            url.set(drivername="sqlite"), pool_size=1, max_overflow=0, pool_reset_on_return=None
        )
        event.listen(self.engine, "connect", _writer_pragmas)
        event.listen(self.engine, "begin", _begin_immediate)
        event.listen(self.engine, "reset", _end_what_is_open)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="database")

    async def run(self, work: Callable[[Connection], T]) -> T:
        """See `Writer.run`; works wait for one another in the order in which they came."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._do, work)

    def _do(self, work: Callable[[Connection], T]) -> T:
        with self.engine.begin() as connection:
            return work(connection)

    async def close(self) -> None:
        """See `Writer.close`."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self.engine.dispose)
        self._thread.shutdown()


class Pooled:
    """Writes to a database that serves many writers at once."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self.engine = engine.sync_engine

    async def run(self, work: Callable[[Connection], T]) -> T:
        """See `Writer.run`."""
        async with self._engine.begin() as connection:
            return await connection.run_sync(work)

    async def close(self) -> None:
        """See `Writer.close`."""
        await self._engine.dispose()


def make_engines(url: URL) -> tuple[Writer, AsyncEngine]:
    """What writes, and the engine that reads beside it."""
    if not is_sqlite(url):
        engine = create_async_engine(url, pool_pre_ping=True)
        return Pooled(engine), engine
    reader = create_async_engine(url, pool_size=2, max_overflow=0, isolation_level="AUTOCOMMIT")
    event.listen(reader.sync_engine, "connect", _reader_pragmas)
    return OneThread(url), reader


def _writer_pragmas(connection: Any, _record: object) -> None:
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={BUSY_MS}")
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def _reader_pragmas(connection: Any, _record: object) -> None:
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={BUSY_MS}")
    with suppress(Exception):
        cursor.execute("PRAGMA query_only=ON")
    cursor.close()


def _begin_immediate(connection: Any) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _end_what_is_open(connection: Any, _record: object, state: Any) -> None:
    """A commit that failed leaves its transaction open, and the next one could not begin."""
    if connection.in_transaction:
        connection.rollback()
