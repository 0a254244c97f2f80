"""Connections: one writer that begins at once, readers beside it.

SQLite runs in WAL with `synchronous=FULL`; every write transaction is BEGIN IMMEDIATE on one connection, so
writers queue here and not in the database's busy loop. Any other database gets SQLAlchemy's own pool.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from sqlalchemy import event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.store.errors import StoreError

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


def make_engines(url: URL) -> tuple[AsyncEngine, AsyncEngine]:
    """The engine that writes and the engine that reads; the same one where the database is not SQLite."""
    if not is_sqlite(url):
        engine = create_async_engine(url, pool_pre_ping=True)
        return engine, engine
    writer = create_async_engine(
        url, pool_size=1, max_overflow=0, pool_reset_on_return=None, isolation_level=None
    )
    reader = create_async_engine(url, pool_size=2, max_overflow=0, isolation_level="AUTOCOMMIT")
    event.listen(writer.sync_engine, "connect", _writer_pragmas)
    event.listen(reader.sync_engine, "connect", _reader_pragmas)
    event.listen(writer.sync_engine, "begin", _begin_immediate)
    event.listen(writer.sync_engine, "reset", _end_what_is_open)
    return writer, reader


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
    if state.asyncio_safe and connection.driver_connection.in_transaction:
        connection.rollback()
