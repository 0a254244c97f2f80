"""Connections: one writer, and readers that do not wait for it (decision 0027).

SQLite runs in WAL with `synchronous=FULL`; every write transaction is BEGIN IMMEDIATE on one connection, so
writers queue here and not in the database's busy loop. Readers have connections of their own and wait neither
for this writer nor for another program's. PostgreSQL gets a pool (`bot.store.postgres`).
"""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from sqlalchemy import Connection, Engine, Executable, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, OperationalError

from bot.store.errors import Busy, StoreError, Unwritable
from bot.store.postgres import Pooled, PooledReader, is_postgres, make_engine, with_driver

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

T = TypeVar("T")

BUSY_MS = 5000
"""How long SQLite waits for a lock that another program holds."""

CACHE_KIB = 250
"""How much of the file each connection keeps; the system keeps the rest of it, for all of them once."""


def database_url(text: str) -> URL:
    """Return the URL of the database; a bare path means an SQLite file. Raises StoreError."""
    if "://" not in text:
        return URL.create("sqlite+aiosqlite", database=text)
    try:
        url = make_url(text)
    except ArgumentError:
        raise StoreError("Set database to a file or a valid URL.") from None
    if url.get_backend_name() == "sqlite":
        return url.set(drivername="sqlite+aiosqlite")
    if not is_postgres(url):
        raise StoreError(
            "Set database to an SQLite file or a PostgreSQL URL, such as postgresql://user@host/name."
        )
    return with_driver(url)


def is_sqlite(url: URL) -> bool:
    """Return whether this is an SQLite file."""
    return url.get_backend_name() == "sqlite"


class Writer(Protocol):
    """Runs work in one transaction: all of it is written, or nothing. alone: no other process writes."""

    alone: bool

    @property
    def engine(self) -> Engine:
        """Return the engine below, for those who listen to its events."""
        ...

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Do the work on a connection and commit; roll back if it raises."""
        ...

    async def close(self) -> None:
        """Close the connections."""
        ...


class Reader(Protocol):
    """Reads what was committed; it waits for no writer."""

    def connect(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """Open a connection for single queries, each of which sees the last commit."""
        ...

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Do work that only reads; all its queries see the same commit, the last one."""
        ...

    async def close(self) -> None:
        """Close the connections."""
        ...


MAX_TOGETHER = 64
"""How many works are written in one transaction."""


@dataclass(slots=True)
class Queued:
    """Work that waits for the writer, and the future of its caller."""

    work: Callable[[Connection], Any]
    future: asyncio.Future[Any]
    result: Any = None
    error: BaseException | None = None

    def finish(self) -> None:
        """Resolve the future of the caller."""
        if self.future.cancelled():
            return
        if self.error is not None:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.result)


class SqliteWriter:
    """Writes to an SQLite file on one connection, in the order in which works came.

    Works that came while the disk was busy are written in one transaction, with one wait for the disk. If one
    of them fails, all are rolled back and each is done separately, so that no other is affected. So work for
    the writer may be done twice, and must report nothing before it is committed.
    """

    alone = True

    def __init__(self, url: URL) -> None:
        self.patience_ms = BUSY_MS
        self._engine = _sqlite_engine(url, 1)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="writer")
        self._file = url.database if url.database and ":" not in url.database else ""
        self._inode = 0
        self._queue: deque[Queued] = deque()
        self._task: asyncio.Task[None] | None = None
        event.listen(self.engine, "connect", self._set_up)

    @property
    def engine(self) -> Engine:
        """See `Writer.engine`."""
        return self._engine

    async def run(self, work: Callable[[Connection], T]) -> T:
        """See `Writer.run`. Raises Busy, Unwritable."""
        queued = Queued(work, asyncio.get_running_loop().create_future())
        self._queue.append(queued)
        if self._task is None:
            self._task = asyncio.create_task(self._write_queue())
        return cast(T, await queued.future)

    async def _write_queue(self) -> None:
        try:
            while self._queue:
                count = min(MAX_TOGETHER, len(self._queue))
                batch = [self._queue.popleft() for _ in range(count)]
                batch = [queued for queued in batch if not queued.future.cancelled()]
                await self._write_batch(batch)
                for queued in batch:
                    queued.finish()
        finally:
            self._task = None

    async def _write_batch(self, batch: Sequence[Queued]) -> None:
        if len(batch) > 1:
            with suppress(Exception):
                await self._write(batch)
                return
        for queued in batch:
            try:
                await self._write([queued])
            except Exception as error:
                queued.error = error

    async def _write(self, batch: Sequence[Queued]) -> None:
        def work(connection: Connection) -> None:
            for queued in batch:
                queued.result = queued.work(connection)
            self._require_same_file()

        def write() -> None:
            with _explained(), self._engine.begin() as connection:
                self._begin_immediate(connection)
                work(connection)

        await asyncio.get_running_loop().run_in_executor(self._thread, write)

    def _set_up(self, connection: Any, _record: object) -> None:
        self._require_same_file()
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in (f"busy_timeout={BUSY_MS}", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.execute(f"PRAGMA cache_size=-{CACHE_KIB}")
        cursor.close()
        self._inode = self._inode or self._current_inode()

    def _begin_immediate(self, connection: Connection) -> None:
        """Begin, waiting for other programs. Raises Busy."""
        if connection.info.get("patience_ms", BUSY_MS) != self.patience_ms:
            connection.exec_driver_sql(f"PRAGMA busy_timeout={self.patience_ms}")
            connection.info["patience_ms"] = self.patience_ms
        try:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        except OperationalError as error:
            if "locked" in str(error.orig) or "busy" in str(error.orig):
                raise Busy from None
            raise

    def _current_inode(self) -> int:
        with suppress(OSError):
            return os.stat(self._file).st_ino if self._file else 0
        return 0

    def _require_same_file(self) -> None:
        """Raise Unwritable if the file was removed or replaced: what is written into it is lost."""
        if self._inode and self._current_inode() != self._inode:
            raise Unwritable(GONE)

    async def close(self) -> None:
        """See `Writer.close`. Waits for what is being written."""
        while self._task is not None:
            await asyncio.wait({self._task})
        self._thread.shutdown(wait=False)
        self._engine.dispose()


MAX_READERS = 2
"""How many queries of an SQLite file are answered at once."""


class SqliteReader:
    """Reads an SQLite file on connections of its own."""

    def __init__(self, url: URL) -> None:
        self._engine = _sqlite_engine(url, MAX_READERS)
        self._threads = ThreadPoolExecutor(MAX_READERS, thread_name_prefix="reader")
        event.listen(self._engine, "connect", _allow_reads_only)

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[AsyncConnection]:
        """See `Reader.connect`."""
        yield cast("AsyncConnection", Queries(self))

    async def read(self, work: Callable[[Connection], T]) -> T:
        """See `Reader.read`."""

        def read() -> T:
            with _explained(), self._engine.connect() as connection:
                connection.exec_driver_sql("BEGIN")
                return work(connection)

        return await asyncio.get_running_loop().run_in_executor(self._threads, read)

    async def close(self) -> None:
        """See `Reader.close`. Waits for what is being read."""
        await asyncio.get_running_loop().run_in_executor(None, self._threads.shutdown)
        self._engine.dispose()


class Queries:
    """Asks single queries of a reader, as an asynchronous connection does."""

    def __init__(self, reader: Reader) -> None:
        self._as_reader = reader

    async def execute(self, query: Executable, values: Mapping[str, Any] | None = None) -> Any:
        """Return all that the query finds."""
        result = await self._as_reader.read(lambda connection: connection.execute(query, values).freeze())
        return result()

    async def run_sync(self, work: Callable[[Connection], T]) -> T:
        """Return what several queries find, all of them by the same commit."""
        return await self._as_reader.read(work)


def _sqlite_engine(url: URL, connections: int) -> Engine:
    return create_engine(
        url.set(drivername="sqlite"), pool_size=connections, max_overflow=0, hide_parameters=True
    )


def make_engines(url: URL, *, patient: bool = False) -> tuple[Writer, Reader]:
    """Return what writes, and what reads beside it. patient: for long work, whose queries may take long."""
    if is_sqlite(url):
        return SqliteWriter(url), SqliteReader(url)
    engine = make_engine(url, patient=patient)
    return Pooled(engine), PooledReader(engine)


GONE = "The database file no longer exists"

UNWRITABLE = {
    "disk is full": "The bot's disk is full",
    "readonly": "The database is read-only",
    "disk i/o error": "The bot's disk is failing",
    "malformed": "The database file is damaged",
    "not a database": "The database file is damaged",
    "unable to open": GONE,
}
"""Words in SQLite's errors after which no write succeeds until someone acts, and what people are told."""


@contextmanager
def _explained() -> Iterator[None]:
    """Raise Unwritable for what only the owner of the bot can repair."""
    try:
        yield
    except DatabaseError as error:
        low = str(error.orig).lower()
        reason = next((explanation for fragment, explanation in UNWRITABLE.items() if fragment in low), "")
        if reason:
            raise Unwritable(reason) from error
        raise


def _allow_reads_only(connection: Any, _record: object) -> None:
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={BUSY_MS}")
    cursor.execute(f"PRAGMA cache_size=-{CACHE_KIB}")
    with suppress(Exception):
        cursor.execute("PRAGMA query_only=ON")
    cursor.close()
