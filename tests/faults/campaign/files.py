"""A database file that goes wrong while people play: full, read-only, locked, damaged."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import cast

from sqlalchemy import Connection, Engine

from bot.store.engine import SqliteWriter
from bot.table.request import Answer
from bot.table.session.models import NoteModel
from tests.bot.tables import Table

LONG = "n" * 40
MAX_NOTES = 3000


async def pragma(table: Table, words: str) -> int:
    """Tell SQLite something on the writer's own connection."""

    def tell(connection: Connection) -> int:
        rows = connection.exec_driver_sql(f"PRAGMA {words}")
        found = rows.fetchone() if rows.returns_rows else None
        return int(found[0]) if found else 0

    return await table.desk.store._writer.run(tell)


async def full(table: Table) -> Callable[[], Awaitable[object]]:
    """The disk takes some pages more; how it gets room again."""
    pages = await pragma(table, "page_count")
    await pragma(table, f"max_page_count={pages + 3}")

    async def room() -> None:
        await pragma(table, "max_page_count=1000000")

    return room


async def read_only(table: Table) -> Callable[[], Awaitable[object]]:
    """Nothing may be written; how it may be again."""
    await pragma(table, "query_only=ON")

    async def writable() -> None:
        writer = cast(SqliteWriter, table.desk.store._writer)
        await asyncio.get_running_loop().run_in_executor(writer._thread, _allow, writer.engine)

    return writable


def _allow(engine: Engine) -> None:
    with closing(engine.raw_connection()) as connection:
        connection.cursor().execute("PRAGMA query_only=OFF")


async def until_refused(table: Table) -> tuple[int, Answer]:
    """Write notes until one is refused; how many were written, and the refusal."""
    for number in range(MAX_NOTES):
        answer = await table.do("anna", NoteModel("Smap", f"{number} {LONG}"))
        if not answer.changed:
            return number, answer
    raise AssertionError("nothing was refused")


@contextmanager
def locked(file: Path) -> Iterator[None]:
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


def damage(file: Path) -> None:
    """Overwrite all pages but the first, as a broken disk might."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with file.open("r+b") as handle:
        size = file.stat().st_size
        handle.seek(4096)
        handle.write(b"\xa5" * (size - 4096))
