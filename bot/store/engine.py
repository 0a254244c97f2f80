"""Connections: one writer that begins at once, readers beside it.

SQLite runs in WAL with `synchronous=FULL`; every write transaction is BEGIN IMMEDIATE on one connection, so
writers queue here and not in the database's busy loop. Readers have connections of their own and wait neither
for this writer nor for another program's. PostgreSQL gets a pool (`bot.store.postgres`).
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    contextmanager,
    nullcontext,
    suppress,
)
from itertools import groupby
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeAlias, TypeVar, cast

from sqlalchemy import Connection, Engine, Executable, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, OperationalError

from bot.store.errors import Busy, StoreError, Unwritable
from bot.store.postgres import Pooled, PooledReader, is_postgres, make_engine, with_driver
from rules.records import dataclass

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

T = TypeVar("T")
Within: TypeAlias = Callable[[Connection], AbstractContextManager[None]]

BUSY_MS = 5000
"""How long SQLite waits for a lock that another program holds."""

CACHE_KIB = 250
"""How much of the file each connection keeps; the system keeps the rest of it, for all of them once."""


def database_url(text: str) -> URL:
    """The URL of the database, SQLite or PostgreSQL; a bare path means an SQLite file. Raises StoreError."""
    if "://" not in text:
        return URL.create("sqlite+aiosqlite", database=text)
    try:
        url = make_url(text)
    except ArgumentError:
        raise StoreError("The database setting is neither a file nor a URL.") from None
    if url.get_backend_name() == "sqlite":
        return url.set(drivername="sqlite+aiosqlite")
    if not is_postgres(url):
        raise StoreError("The database is an SQLite file or a PostgreSQL URL: postgresql://user@host/name.")
    return with_driver(url)


def is_sqlite(url: URL) -> bool:
    """Whether this is an SQLite file."""
    return url.get_backend_name() == "sqlite"


class Writer(Protocol):
    """Runs work in one transaction: all of it is written, or nothing. alone: no other process writes."""

    alone: bool

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


class Reader(Protocol):
    """Reads what was committed; it waits for no writer."""

    def connect(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """A connection for single queries, each of which sees the last commit."""
        ...

    async def whole(self, work: Callable[[Connection], T]) -> T:
        """Do work that only reads; all its queries see one and the same commit, the last one."""
        ...

    async def close(self) -> None:
        """Give the connections back."""
        ...


class Threads:
    """An SQLite file from threads with a connection each: a transaction is one hop there and back.

    writes: takes the lock for writing at once; otherwise its transactions only read.
    """

    def __init__(self, url: URL, count: int, *, writes: bool) -> None:
        self.engine = create_engine(
            url.set(drivername="sqlite"), pool_size=count, max_overflow=0, pool_reset_on_return=None
        )
        event.listen(self.engine, "connect", _writer_pragmas if writes else _only_reading)
        if writes:
            event.listen(self.engine, "begin", _begin_immediate)
        event.listen(self.engine, "reset", _end_what_is_open)
        self._within: Within = _begun if writes else _at_once
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="database" if writes else "reading")
        self._mine = threading.local()
        self._opened: list[Connection] = []

    async def run(self, work: Callable[[Connection], T]) -> T:
        """See `Writer.run`; works begin in the order in which they came. Raises Busy."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._do, work, self._within)

    def _do(self, work: Callable[[Connection], T], within: Within) -> T:
        with _told():
            return self._done(work, within)

    def _done(self, work: Callable[[Connection], T], within: Within) -> T:
        connection: Connection | None = getattr(self._mine, "connection", None)
        if connection is None:
            connection = self._mine.connection = self.engine.connect()
            self._opened.append(connection)
        try:
            with within(connection):
                return work(connection)
        except BaseException:
            self._mine.connection = None
            self._opened.remove(connection)
            connection.close()
            raise

    def _shut(self) -> None:
        self._threads.shutdown()
        for connection in self._opened:
            connection.close()
        self.engine.dispose()

    async def close(self) -> None:
        """See `Writer.close`. What runs is waited for: SQLite crashes where a connection in use is closed."""
        await asyncio.to_thread(self._shut)


MOST_TOGETHER = 64
"""How many works are written in one transaction."""


@dataclass(slots=True)
class Queued:
    """Work that waits for the writer, and who waits for it. What it came to is an error or what it found."""

    work: Callable[[Connection], Any]
    loop: asyncio.AbstractEventLoop
    waits: asyncio.Future[Any]
    found: Any = None
    error: BaseException | None = None

    def tell(self) -> None:
        """Hand over what it came to; on the loop of who waits."""
        if self.waits.cancelled():
            return
        if self.error is not None:
            self.waits.set_exception(self.error)
        else:
            self.waits.set_result(self.found)


class OneThread(Threads):
    """Writes to an SQLite file, in the order in which works came.

    What came while the disk was waited for is written in one transaction: one wait for all. Where one of them
    fails, all is taken back and each is done by itself, so that no other hears of it.
    """

    alone = True

    def __init__(self, url: URL) -> None:
        super().__init__(url, 1, writes=True)
        self._due: deque[Queued] = deque()

    async def run(self, work: Callable[[Connection], T]) -> T:
        """See `Writer.run`; work that was taken back with others is done a second time. Raises Busy."""
        loop = asyncio.get_running_loop()
        due = Queued(work, loop, loop.create_future())
        self._due.append(due)
        self._threads.submit(self._write)
        return cast(T, await due.waits)

    def _write(self) -> None:
        """Do all that waits now, if nobody did it meanwhile, and tell who waits."""
        batch: list[Queued] = []
        while self._due and len(batch) < MOST_TOGETHER:
            due = self._due.popleft()
            if not due.waits.cancelled():
                batch.append(due)
        if len(batch) < 2 or not self._together(batch):
            for due in batch:
                try:
                    due.found = self._do(due.work, _begun)
                except BaseException as error:
                    due.error = error
        for loop, dues in groupby(batch, key=lambda due: due.loop):
            tell = [due.tell for due in dues]
            with suppress(RuntimeError):  # its loop has ended
                loop.call_soon_threadsafe(_all_of, tell)

    def _together(self, batch: Sequence[Queued]) -> bool:
        """Whether all of them were done, in one transaction; else nothing was."""

        def work(connection: Connection) -> None:
            for due in batch:
                due.found = due.work(connection)

        try:
            self._do(work, _begun)
        except Exception:
            return False
        return True


def _all_of(calls: Iterable[Callable[[], None]]) -> None:
    for call in calls:
        call()


READERS = 2
"""How many queries of an SQLite file are answered at once."""


class Beside(Threads):
    """Reads an SQLite file on connections of its own."""

    def __init__(self, url: URL) -> None:
        super().__init__(url, READERS, writes=False)

    def connect(self) -> AsyncConnection:
        """See `Reader.connect`."""
        return cast("AsyncConnection", _Asking(self))

    async def whole(self, work: Callable[[Connection], T]) -> T:
        """See `Reader.whole`."""
        return await self.run(work)

    async def ask(self, work: Callable[[Connection], T]) -> T:
        """Do work that asks a single query, which sees one commit without a transaction."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._do, work, _by_itself)


class _Asking:
    """A connection for single queries, as an asynchronous one is used."""

    def __init__(self, threads: Beside) -> None:
        self._threads = threads

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        return None

    async def execute(self, query: Executable, given: Mapping[str, Any] | None = None) -> Any:
        """All that the query finds, by the last commit. given: what it only names."""
        found = await self._threads.ask(lambda connection: connection.execute(query, given).freeze())
        return found()

    async def run_sync(self, work: Callable[[Connection], T]) -> T:
        """What some work finds that asks several queries."""
        return await self._threads.run(work)


def make_engines(url: URL, *, patient: bool = False) -> tuple[Writer, Reader]:
    """What writes, and what reads beside it. patient: for long work, whose queries may take long."""
    if is_sqlite(url):
        return OneThread(url), Beside(url)
    engine = make_engine(url, patient=patient)
    return Pooled(engine), PooledReader(engine)


UNWRITABLE = {
    "disk is full": "The disk of the bot is full",
    "readonly": "The database is read-only",
    "disk i/o error": "The disk of the bot fails",
    "malformed": "The database file is damaged",
    "not a database": "The database file is damaged",
    "unable to open": "The database file is gone",
}
"""What SQLite says where no write succeeds until somebody has done something, and what people are told."""


@contextmanager
def _told() -> Iterator[None]:
    """Raises Unwritable for what only the bot's keeper can mend."""
    try:
        yield
    except DatabaseError as error:
        low = str(error.orig).lower()
        reason = next((told for said, told in UNWRITABLE.items() if said in low), "")
        if reason:
            raise Unwritable(reason) from error
        raise


@contextmanager
def _begun(connection: Connection) -> Iterator[None]:
    """A transaction. Raises Busy where another program kept it from beginning."""
    try:
        transaction = connection.begin()
    except OperationalError as error:
        if "locked" in str(error.orig) or "busy" in str(error.orig):
            raise Busy from None
        raise
    with transaction:
        yield


def _by_itself(_connection: Connection) -> AbstractContextManager[None]:
    """No transaction: a single query sees one commit as it is."""
    return nullcontext()


@contextmanager
def _at_once(connection: Connection) -> Iterator[None]:
    """A transaction that only reads: the database alone hears of it."""
    database: Any = connection.connection.driver_connection
    database.execute("BEGIN")
    yield
    database.execute("COMMIT")


def _writer_pragmas(connection: Any, _record: object) -> None:
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={BUSY_MS}")
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute(f"PRAGMA cache_size=-{CACHE_KIB}")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def _reader_pragmas(connection: Any, _record: object) -> None:
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={BUSY_MS}")
    cursor.execute(f"PRAGMA cache_size=-{CACHE_KIB}")
    with suppress(Exception):
        cursor.execute("PRAGMA query_only=ON")
    cursor.close()


def _only_reading(connection: Any, record: object) -> None:
    connection.isolation_level = None
    _reader_pragmas(connection, record)


def _begin_immediate(connection: Any) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _end_what_is_open(connection: Any, _record: object, state: Any) -> None:
    """A commit that failed leaves its transaction open, and the next one could not begin."""
    if connection.in_transaction:
        connection.rollback()
