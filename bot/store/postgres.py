"""PostgreSQL: its URL, its connections, and the meaning of its errors.

Owns everything that is special to PostgreSQL; what is special to SQLite is in `bot.store.engine`.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import Connection, Engine, event, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, InvalidatePoolError
from sqlalchemy.exc import TimeoutError as NoConnectionFree

from bot.store.errors import Busy, Lost, StoreError, Unwritable

if TYPE_CHECKING:
    from sqlalchemy.engine.interfaces import DBAPIConnection
    from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
    from sqlalchemy.pool import ConnectionPoolEntry

T = TypeVar("T")

NAMES = ("postgresql", "postgres")
DRIVER = "postgresql+asyncpg"

CONNECTIONS = 15
"""The most connections that one process opens. All that were once needed together stay open, because
opening and closing them at every busy moment costs more than the queries.
"""

CONNECT_SECONDS = 5.0
"""How long a connection may take to open, or to come free."""

RESTED_SECONDS = 1.0
"""For how long a connection may be unused before it is tested. The test takes the server three messages;
a connection that was cut in between gives an error, and the query is repeated (`is_lost`).
"""

COMMAND_SECONDS = 30.0
"""How long one query may take: a connection that is cut without a word is found dead then."""

TRIES = 6
"""How often a transaction is made that others undid: each time it was taken back whole."""

TAKEN_BACK = ("40001", "40P01")
"""Serialization failure and deadlock: the server took the transaction back, all of it."""

GONE = ("08", "57P", "53300", "25P03", "40003")
"""How the codes begin of what a connection that is lost, and a server that stops or starts, answer."""

IN_USE = ("55P03", "55006", "57014")
"""Another connection holds what is needed, or the server's administrator ended a query."""

UNWRITABLE = {
    "25006": "The database is read-only",
    "42501": "The bot isn't allowed to write to the database",
    "53100": "The database server's disk is full",
    "53": "The database server has run out of resources",
    "58": "The database server's disk is failing",
    "XX001": "The database is damaged",
    "XX002": "The database is damaged",
}
"""How the codes begin where no write succeeds until its keeper has done something; what people are told."""

MIGRATING = 0x41646A75
"""The lock for migrating, so that two processes that start together do not do it twice."""


def is_postgres(url: URL) -> bool:
    """Return whether this is a PostgreSQL database."""
    return url.get_backend_name() in NAMES


def with_driver(url: URL) -> URL:
    """Return the URL for asyncpg: `sslmode`, which libpq and most hosts use, becomes `ssl`."""
    query = {"ssl" if name == "sslmode" else name: value for name, value in url.query.items()}
    return url.set(drivername=DRIVER, query=query)


def make_engine(url: URL, *, patient: bool = False) -> AsyncEngine:
    """Return a pool of connections. patient: a query may take as long as it needs.

    Raises StoreError where the driver is not installed.
    """
    from sqlalchemy.ext.asyncio import create_async_engine

    seconds = None if patient else COMMAND_SECONDS
    try:
        engine = create_async_engine(
            url,
            pool_size=CONNECTIONS,
            max_overflow=0,
            pool_timeout=CONNECT_SECONDS,
            hide_parameters=True,
            connect_args={"timeout": CONNECT_SECONDS, "command_timeout": seconds},
        )
    except ModuleNotFoundError:
        raise StoreError(
            "Install the package asyncpg, which PostgreSQL needs (pip install 'adjutant[postgres]')."
        ) from None
    _lend_only_living(engine.sync_engine)
    return engine


def _lend_only_living(engine: Engine) -> None:
    """Of the pool's connections none is lent that was closed, or that rested long and does not answer."""

    def rests(_: DBAPIConnection | None, record: ConnectionPoolEntry) -> None:
        record.info["since"] = monotonic()

    def answers(connection: Any) -> bool:
        try:
            return engine.dialect.do_ping(connection)
        except engine.dialect.loaded_dbapi.Error:
            return False

    def lent(connection: Any, record: ConnectionPoolEntry, _: object) -> None:
        rested = monotonic() - record.info.get("since", monotonic())
        if connection.driver_connection.is_closed() or (rested > RESTED_SECONDS and not answers(connection)):
            raise InvalidatePoolError

    event.listen(engine, "checkin", rests)
    event.listen(engine, "checkout", lent)


def code_of(error: BaseException) -> str:
    """Return the five letters by which the server names a refusal; empty for any other error."""
    inner = error.orig if isinstance(error, DBAPIError) else error
    return str(getattr(inner, "sqlstate", None) or "")


def is_lost(error: BaseException) -> bool:
    """Return whether the database could not be reached, or the connection to it went."""
    if isinstance(error, DBAPIError) and error.connection_invalidated:
        return True
    return isinstance(error, OSError | NoConnectionFree) or code_of(error).startswith(GONE)


@contextmanager
def telling_why() -> Iterator[None]:
    """Raise Lost if the database can't be reached, and Busy or Unwritable if it refuses."""
    try:
        yield
    except Exception as error:
        if is_lost(error):
            raise Lost from error
        if code_of(error) in IN_USE:
            raise Busy from error
        reason = _unwritable(error)
        if reason:
            raise Unwritable(reason) from error
        raise


def _unwritable(error: BaseException) -> str:
    """Why no write succeeds, in the words of `UNWRITABLE`; empty for any other error."""
    code = code_of(error)
    return next((explanation for begins, explanation in UNWRITABLE.items() if code.startswith(begins)), "")


class Pooled:
    """Writes to a database that serves many writers at once."""

    alone = False

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self.engine: Engine = engine.sync_engine

    async def run(self, work: Callable[[Connection], T]) -> T:
        """See `Writer.run`; made again where the server took it back, some times.

        Raises Busy, Unwritable, Lost. If it is lost during a commit, it may or may not have been written; a
        repeat finds out.
        """
        for attempt in range(1, TRIES + 1):
            try:
                with telling_why():
                    async with self._engine.begin() as connection:
                        return await connection.run_sync(work)
            except DBAPIError as error:
                if code_of(error) not in TAKEN_BACK:
                    raise
                if attempt == TRIES:
                    raise Busy from error
            await asyncio.sleep(random.uniform(0, 0.01 * 2**attempt))
        raise AssertionError("the last attempt always returns or raises")

    async def close(self) -> None:
        """See `Writer.close`."""
        await self._engine.dispose()


class PooledReader:
    """Reads from a database that serves many at once, on the writer's pool."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._single = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._whole = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[AsyncConnection]:
        """See `Reader.connect`. Raises Lost."""
        with telling_why():
            async with self._single.connect() as connection:
                yield connection

    async def read(self, work: Callable[[Connection], T]) -> T:
        """See `Reader.read`. Raises Lost."""
        with telling_why():
            async with self._whole.connect() as connection, connection.begin():
                return await connection.run_sync(work)

    async def close(self) -> None:
        """See `Reader.close`; the pool is the writer's to close."""


def told_of(error: BaseException, url: URL) -> str:
    """Return why the database can't be used, in a sentence for the operator without the password."""
    code, address = code_of(error), f"{url.host or url.query.get('host') or 'this machine'}"
    if code.startswith("28"):
        user = f"the user {url.username}" if url.username else "this user"
        return f"The database at {address} doesn't accept {user} with this password."
    if code == "3D000":
        return (
            f"Create the database first (createdb {url.database}); "
            f"there is no database called {url.database} at {address}."
        )
    if code == "42501":
        return f"Make {url.username} the owner of the database {url.database}; this user lacks permissions."
    if isinstance(error, Lost) or is_lost(error):
        return f"The database at {address} can't be reached. Is it running, and is the URL right?"
    reason = _unwritable(error) or f"The database can't be used: {type(error).__name__}"
    return f"{reason}."


def lock_for_migrating(connection: Connection) -> None:
    """Wait until no other process migrates, and hold the lock to the end of the transaction."""
    connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": MIGRATING})
