"""Connections: one writer that begins at once, readers beside it.

SQLite runs in WAL with `synchronous=FULL`; every write transaction is BEGIN IMMEDIATE on one connection, so
writers queue here and not in the database's busy loop. Readers have connections of their own and wait neither
for this writer nor for another program's. PostgreSQL gets a pool (`bot.store.postgres`).
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
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
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeAlias, TypeVar, cast

from sqlalchemy import Connection, Engine, Executable, Transaction, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, DBAPIError, OperationalError

from bot.store.errors import Busy, StoreError, Unwritable
from bot.store.postgres import Pooled, PooledReader, is_postgres, make_engine, with_driver

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

    async def quickly(self, work: Callable[[Connection], T]) -> T:
        """The same for work that states a few rows and waits for nothing."""
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

    async def quickly(self, work: Callable[[Connection], T]) -> T:
        """The same for work that finds a few rows by their keys."""
        ...

    async def singly(self, work: Callable[[Connection], T]) -> T:
        """The same for work of which each query may see a commit of its own."""
        ...

    async def close(self) -> None:
        """Give the connections back."""
        ...


class Threads:
    """An SQLite file from threads with a connection each: a transaction is one hop there and back.

    count: of threads. writes: takes the lock for writing at once; otherwise its transactions only read. more:
    connections of nobody's.
    """

    def __init__(self, url: URL, count: int, *, writes: bool, more: int = 0) -> None:
        self.engine = create_engine(
            url.set(drivername="sqlite"),
            pool_size=count + more,
            max_overflow=0,
            pool_reset_on_return=None,
            hide_parameters=True,
        )
        event.listen(self.engine, "connect", _writer_pragmas if writes else _only_reading)
        if writes:
            event.listen(self.engine, "begin", _begin_immediate)
        event.listen(self.engine, "reset", _end_what_is_open)
        self._within: Within = _begun if writes else _at_once
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="database" if writes else "reading")
        self._closing = ThreadPoolExecutor(1, thread_name_prefix="closing")
        self._mine: Any = threading.local()
        self._opened: list[Connection] = []

    async def run(self, work: Callable[[Connection], T]) -> T:
        """See `Writer.run`; works begin in the order in which they came. Raises Busy."""
        return await self._in_thread(work, self._within)

    async def _in_thread(self, work: Callable[[Connection], T], within: Within) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._do, work, within)

    def _do(self, work: Callable[[Connection], T], within: Within) -> T:
        with _told():
            return self._done(work, within)

    def _done(self, work: Callable[[Connection], T], within: Within) -> T:
        connection = self._connection()
        try:
            with within(connection):
                return work(connection)
        except BaseException:
            self._drop(connection)
            raise

    def _connection(self) -> Connection:
        connection: Connection | None = getattr(self._mine, "connection", None)
        if connection is None:
            connection = self._mine.connection = self._open()
        return connection

    def _open(self) -> Connection:
        connection = self.engine.connect()
        self._opened.append(connection)
        return connection

    def _drop(self, connection: Connection) -> None:
        """Take back what it has begun; the next work gets another."""
        self._mine.connection = None
        self._close(connection)

    def _close(self, connection: Connection) -> None:
        self._opened.remove(connection)
        connection.close()

    def _shut(self) -> None:
        self._threads.shutdown()
        for connection in self._opened:
            connection.close()
        self.engine.pool.dispose()

    async def close(self) -> None:
        """See `Writer.close`. What runs is waited for: SQLite crashes where a connection in use is closed."""
        await asyncio.get_running_loop().run_in_executor(self._closing, self._shut)
        self._closing.shutdown(wait=False)


MOST_TOGETHER = 64
"""How many works are written in one transaction."""

LEFT_SECONDS = 0.1
"""How often who closes the writer looks whether a loop has ended that was to begin."""


@dataclass(slots=True)
class Queued:
    """Work that waits for the writer, and who waits for it. What it came to is an error or what it found.

    quick: it only states a few rows, and waits for nothing.
    """

    work: Callable[[Connection], Any]
    loop: asyncio.AbstractEventLoop
    waits: asyncio.Future[Any]
    quick: bool
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


class OneWriter(Threads):
    """Writes to an SQLite file on one connection, in the order in which works came.

    Quick works are stated by the loop itself, and only their commit, which waits for the disk, is a thread's:
    statement by statement, loop and thread would take the interpreter from each other. What came while the
    disk was waited for is written in one transaction: one wait for all. Where one of them fails, all is taken
    back and each is done by itself, by the thread, so that no other hears of it.
    """

    alone = True

    def __init__(self, url: URL) -> None:
        super().__init__(url, 1, writes=True)
        self.patience_ms = BUSY_MS
        self._within = self._patiently
        self._mine = SimpleNamespace(connection=None)
        self._file = url.database if url.database and ":" not in url.database else ""
        self._number = 0
        self._due: deque[Queued] = deque()
        self._turns = threading.Lock()
        self._idle = threading.Event()
        self._idle.set()
        self._asked: asyncio.AbstractEventLoop | None = None

    async def run(self, work: Callable[[Connection], T]) -> T:
        """See `Writer.run`; work that was taken back with others is done a second time. Raises Busy."""
        return cast(T, await self._queued(work, quick=False))

    async def quickly(self, work: Callable[[Connection], T]) -> T:
        """See `Writer.quickly` and `run`."""
        return cast(T, await self._queued(work, quick=True))

    async def _queued(self, work: Callable[[Connection], Any], *, quick: bool) -> Any:
        loop = asyncio.get_running_loop()
        due = Queued(work, loop, loop.create_future(), quick)
        with self._turns:
            self._due.append(due)
            begins = self._idle.is_set() or self._is_left()
            self._idle.clear()
        if begins:
            self._begin()
        return await due.waits

    def _is_left(self) -> bool:
        """Whether the loop that was to begin has ended before it did."""
        return self._asked is not None and self._asked.is_closed()

    def _begin(self) -> None:
        """Take what waits, on the loop, and leave to the thread what waits for the disk."""
        self._asked = None
        batch = self._taken()
        stated = self._stated(batch) if batch and batch[0].quick else None
        if batch:
            self._threads.submit(self._write, batch, stated)
        else:
            self._go_on()

    def _taken(self) -> list[Queued]:
        """The works whose turn it is: all quick, or none."""
        batch: list[Queued] = []
        while self._due and len(batch) < MOST_TOGETHER:
            if batch and self._due[0].quick != batch[0].quick:
                break
            due = self._due.popleft()
            if not due.waits.cancelled():
                batch.append(due)
        return batch

    def _stated(self, batch: Sequence[Queued]) -> Transaction | None:
        """The transaction in which all of them were done, on the loop.

        None where the thread is to do them, or where the only one raised.
        """
        connection: Connection | None = self._mine.connection
        if connection is None:
            return None
        try:
            _wait_for_locks(connection, 0)
            transaction = connection.begin()
        except DatabaseError:
            return None
        try:
            with _told():
                _in_turn(batch, connection)
        except Exception as error:
            self._drop(connection)
            if len(batch) == 1:
                batch[0].error = error
            return None
        return transaction

    def _write(self, batch: Sequence[Queued], stated: Transaction | None) -> None:
        """Commit what was stated, else do what is not done, and tell who waits; in the thread."""
        if stated is not None:
            self._commit(stated, batch)
        elif batch[0].error is None and (len(batch) == 1 or not self._together(batch)):
            self._each(batch)
        for loop, dues in groupby(batch, key=lambda due: due.loop):
            _call(loop, _all_of, [due.tell for due in dues])
        self._go_on()

    def _commit(self, stated: Transaction, batch: Sequence[Queued]) -> None:
        try:
            with _told():
                self._must_be_the_file()
                stated.commit()
        except Exception as error:
            self._drop(stated.connection)
            if len(batch) == 1:
                batch[0].error = error
            else:
                self._each(batch)

    def _together(self, batch: Sequence[Queued]) -> bool:
        """Whether all of them were done, in one transaction; else nothing was."""
        try:
            self._do(partial(_in_turn, batch), self._within)
        except Exception:
            return False
        return True

    def _each(self, batch: Sequence[Queued]) -> None:
        for due in batch:
            try:
                due.found = self._do(due.work, self._within)
            except BaseException as error:
                due.error = error

    def _go_on(self) -> None:
        """Let the next works have their turn, on the loop of the first whose loop has not ended."""
        while True:
            with self._turns:
                if not self._due:
                    self._idle.set()
                    return
                loop = self._asked = self._due[0].loop
            if _call(loop, self._begin):
                return
            self._due.popleft()

    @contextmanager
    def _patiently(self, connection: Connection) -> Iterator[None]:
        """A transaction that waits for other programs. Raises Busy."""
        _wait_for_locks(connection, self.patience_ms)
        with _begun(connection):
            yield
            self._must_be_the_file()

    def _open(self) -> Connection:
        self._must_be_the_file()
        connection = super()._open()
        self._number = self._number or self._number_there()
        return connection

    def _number_there(self) -> int:
        """The number of the file that has the name of the database's; 0 for none."""
        with suppress(OSError):
            return os.stat(self._file).st_ino if self._file else 0
        return 0

    def _must_be_the_file(self) -> None:
        """What is written into a file that was taken away, or has another in its place, is lost.

        Raises Unwritable.
        """
        if self._number and self._number_there() != self._number:
            raise Unwritable(GONE)

    def _shut(self) -> None:
        while not self._idle.wait(LEFT_SECONDS) and not self._is_left():
            pass
        super()._shut()


def _in_turn(batch: Iterable[Queued], connection: Connection) -> None:
    for due in batch:
        due.found = due.work(connection)


def _call(loop: asyncio.AbstractEventLoop, call: Callable[..., object], *given: object) -> bool:
    """Have a loop call something; False where it has ended."""
    try:
        loop.call_soon_threadsafe(call, *given)
    except RuntimeError:
        return False
    return True


def _all_of(calls: Iterable[Callable[[], None]]) -> None:
    for call in calls:
        call()


READERS = 2
"""How many queries of an SQLite file are answered at once."""


class Beside(Threads):
    """Reads an SQLite file on connections of its own: one of each thread, and one of the loop.

    Quick works are done by the loop itself, as `OneWriter` states them.
    """

    def __init__(self, url: URL) -> None:
        super().__init__(url, READERS, writes=False, more=1)
        self._of_loop: Connection | None = None
        self._is_opening = False

    def connect(self) -> AsyncConnection:
        """See `Reader.connect`."""
        return cast("AsyncConnection", _Asking(self))

    async def whole(self, work: Callable[[Connection], T]) -> T:
        """See `Reader.whole`."""
        return await self.run(work)

    async def quickly(self, work: Callable[[Connection], T]) -> T:
        """See `Reader.quickly`."""
        return await self._on_loop(work, _at_once)

    async def singly(self, work: Callable[[Connection], T]) -> T:
        """See `Reader.singly`."""
        return await self._on_loop(work, _by_itself)

    async def _on_loop(self, work: Callable[[Connection], T], within: Within) -> T:
        """A thread does it while the loop has no connection, or not the file."""
        if self._of_loop is None:
            self._open_for_loop()
        connection = self._of_loop
        if connection is not None:
            try:
                with within(connection):
                    return work(connection)
            except DatabaseError:
                self._of_loop = None
                self._close(connection)
        return await self._in_thread(work, within)

    def _open_for_loop(self) -> None:
        """Have a thread open the loop's connection, once."""
        if not self._is_opening:
            self._is_opening = True
            self._threads.submit(self._impatient)

    def _impatient(self) -> None:
        """Open a connection that waits for nobody; where it cannot be opened, who asks next tries it anew."""
        with suppress(DatabaseError):
            connection = self._open()
            _wait_for_locks(connection, 0)
            self._of_loop = connection
        self._is_opening = False

    async def ask(self, work: Callable[[Connection], T]) -> T:
        """Do work that asks a single query, which sees one commit without a transaction."""
        return await self._in_thread(work, _by_itself)


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
        return OneWriter(url), Beside(url)
    engine = make_engine(url, patient=patient)
    return Pooled(engine), PooledReader(engine)


GONE = "The database file is gone"

UNWRITABLE = {
    "disk is full": "The disk of the bot is full",
    "readonly": "The database is read-only",
    "disk i/o error": "The disk of the bot fails",
    "malformed": "The database file is damaged",
    "not a database": "The database file is damaged",
    "unable to open": GONE,
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


_NOTHING = nullcontext()


def _by_itself(_connection: Connection) -> AbstractContextManager[None]:
    """No transaction: a single query sees one commit as it is."""
    return _NOTHING


@contextmanager
def _at_once(connection: Connection) -> Iterator[None]:
    """A transaction that only reads: the database alone hears of it."""
    at_the_driver(connection, "BEGIN")
    yield
    at_the_driver(connection, "COMMIT")


def at_the_driver(connection: Connection, statement: str, given: tuple[Any, ...] = ()) -> Any:
    """What SQLite's driver makes of a statement, past all that is asked anew of each on the usual way.

    What it refuses is raised as on that way.
    """
    return _driven(connection, statement, given, lambda found: found)


def rows_at_the_driver(connection: Connection, query: str, given: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    """All rows that SQLite's driver finds; see `at_the_driver`."""
    return _driven(connection, query, given, list)


def _driven(connection: Connection, statement: str, given: tuple[Any, ...], read: Callable[[Any], T]) -> T:
    database: Any = connection.connection.driver_connection
    try:
        return read(database.execute(statement, given))
    except sqlite3.Error as error:
        raise DBAPIError.instance(statement, given, error, sqlite3.Error, hide_parameters=True) from error


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


def _wait_for_locks(connection: Connection, milliseconds: int) -> None:
    """How long the connection waits for a lock that another program holds."""
    if connection.info.get("waits", BUSY_MS) != milliseconds:
        at_the_driver(connection, f"PRAGMA busy_timeout={milliseconds}")
        connection.info["waits"] = milliseconds


def _begin_immediate(connection: Connection) -> None:
    at_the_driver(connection, "BEGIN IMMEDIATE")


def _end_what_is_open(connection: Any, _record: object, state: Any) -> None:
    """A commit that failed leaves its transaction open, and the next one could not begin."""
    if connection.in_transaction:
        connection.rollback()
