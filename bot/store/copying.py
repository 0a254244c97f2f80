"""Copies a whole database into an empty one of either kind, from one moment and in one transaction.

Owns the order of rows and the way between the two connections. What is stopped leaves the target empty, and
is begun again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Table, func, insert, select, tuple_
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.util import await_only

from bot.progress import Told, unheard
from bot.store.engine import is_sqlite, make_engines
from bot.store.errors import Busy, Lost, StoreError, Unwritable
from bot.store.migration import check_file, migrate, revision_of, telling
from bot.store.postgres import make_engine
from bot.store.schema import head, metadata

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

ROWS = 500
"""Rows that are read and written at a time."""

NUMBERED = ("scopes", "journal")
"""Tables whose rows the database numbers: the next number follows the highest that was copied."""

Batch = tuple[Table, Sequence[dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class Copied:
    """How many rows of how many tables were copied."""

    rows: int
    tables: int


class CopyStopped(Exception):
    """The copy was stopped. is_whole: everything was saved by then; otherwise nothing was."""

    def __init__(self, *, is_whole: bool) -> None:
        super().__init__("Stopped. Nothing was copied; start the copy again.")
        self.is_whole = is_whole


async def copy(source: URL, target: URL, progress: Told = unheard) -> Copied:
    """Copy everything. Raises StoreError, and then the target holds nothing, and CopyStopped."""
    if source == target:
        raise StoreError("Enter a different database to copy into; FROM and TO are the same.")
    await _must_be_readable(source)
    with telling(target):
        await migrate(target)
        await _must_be_empty(target)
    writer, reader = make_engines(source, patient=True)
    from sqlalchemy.ext.asyncio import create_async_engine

    counts: dict[str, int] = {}
    engine = (
        create_async_engine(target, hide_parameters=True)
        if is_sqlite(target)
        else make_engine(target, patient=True)
    )
    try:
        async with engine.begin() as into:
            putter = _Putting(into, asyncio.get_running_loop(), threaded=is_sqlite(source))
            try:
                with telling(source):
                    counts = await reader.read(lambda connection: _all_of(connection, putter, progress))
            finally:
                await putter.ends()
            await _number_on(into)
        if not await _has(target, counts):
            raise StoreError("Do not use the copy; some rows are missing from it.")
    except asyncio.CancelledError:
        raise CopyStopped(is_whole=bool(counts) and await _has(target, counts)) from None
    except (SQLAlchemyError, OSError, Busy, Lost, Unwritable) as error:
        raise StoreError(f"The copy failed and nothing was copied: {_reason(error)}.") from error
    finally:
        await reader.close()
        await writer.close()
        await engine.dispose()
    return Copied(sum(counts.values()), sum(map(bool, counts.values())))


def _reason(error: Exception) -> str:
    return str(getattr(error, "orig", None) or error).strip().rstrip(".").split("\n")[0]


async def _must_be_readable(source: URL) -> None:
    """Raises StoreError for a database that is not there or not of this version."""
    if is_sqlite(source) and not (source.database and Path(source.database).exists()):
        raise StoreError(f"There is no database at {source.database}.")
    check_file(source)
    source_revision = await revision_of(source)
    if source_revision != head():
        raise StoreError(
            f"Migrate the database first (python -m bot migrate); this version needs revision {head()}, but "
            f"the database has {source_revision or 'none'}."
        )


async def _must_be_empty(target: URL) -> None:
    """Raises StoreError where a row stands already."""
    filled_tables = [name for name, count in (await _counts(target)).items() if count]
    if filled_tables:
        raise StoreError(
            f"Enter a new database to copy into; this one is not empty ({', '.join(filled_tables[:3])}), "
            "and nothing was copied."
        )


async def _has(target: URL, counts: dict[str, int]) -> bool:
    """Return whether as many rows arrived as were read."""
    return await _counts(target) == counts


async def _counts(url: URL) -> dict[str, int]:
    writer, reader = make_engines(url, patient=True)
    try:
        return await reader.read(_counted)
    finally:
        await reader.close()
        await writer.close()


def _counted(connection: Connection) -> dict[str, int]:
    counted = {
        table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
        for table in metadata.sorted_tables
    }
    return {name: int(count) for name, count in counted.items()}


class _Putting:
    """Writes batches on the target's connection, for the reader in the source's thread or greenlet."""

    def __init__(self, into: AsyncConnection, loop: asyncio.AbstractEventLoop, *, threaded: bool) -> None:
        self._into = into
        self._loop = loop
        self._threaded = threaded
        self._is_over = False
        self._turn = asyncio.Lock()

    def __call__(self, batch: Batch) -> None:
        wait: Callable[[Awaitable[None]], None] = self._from_thread if self._threaded else await_only
        wait(self._write(*batch))

    def _from_thread(self, writing: Any) -> None:
        asyncio.run_coroutine_threadsafe(writing, self._loop).result()

    async def _write(self, table: Table, rows: Sequence[dict[str, Any]]) -> None:
        async with self._turn:
            if self._is_over:
                raise InterruptedError("stopped")
            await self._into.execute(insert(table), list(rows))

    async def ends(self) -> None:
        """Write nothing more; what is being written is waited for: the connection does one at a time."""
        self._is_over = True
        async with self._turn:
            pass


def _all_of(connection: Connection, put: Callable[[Batch], None], progress: Told) -> dict[str, int]:
    """Hand over every row as of one moment; gives how many each table has."""
    counts = _counted(connection)
    total, copied = sum(counts.values()), 0
    progress(0, total)
    for table in metadata.sorted_tables:
        for rows in _pages(connection, table):
            put((table, rows))
            copied += len(rows)
            progress(copied, total)
    return counts


def _pages(connection: Connection, table: Table) -> Iterator[list[dict[str, Any]]]:
    key = list(table.primary_key)
    query = select(table).order_by(*key).limit(ROWS)
    rows = [dict(row._mapping) for row in connection.execute(query)]
    while rows:
        yield rows
        last = tuple_(*(rows[-1][column.name] for column in key))
        rows = [dict(row._mapping) for row in connection.execute(query.where(tuple_(*key) > last))]


async def _number_on(into: AsyncConnection) -> None:
    if into.dialect.name != "postgresql":
        return
    for name in NUMBERED:
        number = metadata.tables[name].c.id
        sequence = func.pg_get_serial_sequence(name, "id")
        await into.execute(
            select(func.setval(sequence, func.greatest(func.max(number), 1), func.max(number).is_not(None)))
        )
