"""A database that lives as long as the program and in it alone: for playing a journal again."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar, cast

from sqlalchemy import Connection, Engine, bindparam, create_engine, delete, insert
from sqlalchemy.pool import NullPool

from bot.store.book import EMPTY_CHAIN
from bot.store.engine import Queries
from bot.store.rows import SCOPES, Columns, layout
from bot.store.schema import STATE, metadata, scopes

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

T = TypeVar("T")


@cache
def _engine() -> Engine:
    """Every connection of it is a database of its own; what was compiled for one is there for the next."""
    return create_engine(
        "sqlite://", hide_parameters=True, poolclass=NullPool, connect_args={"check_same_thread": False}
    )


@cache
def _empty() -> Connection:
    """A database with all tables and nothing in them: each other begins as its copy."""
    connection = _engine().connect()
    metadata.create_all(connection)
    connection.commit()
    return connection


def _driver(connection: Connection) -> Any:
    return connection.connection.driver_connection


_copying = Lock()


class InMemory:
    """A writer and reader in one, on one connection and in the caller's thread."""

    alone = True

    def __init__(self) -> None:
        self._connection = _engine().connect()
        with _copying:
            _driver(_empty()).backup(_driver(self._connection))

    @property
    def engine(self) -> Engine:
        """See `Writer.engine`."""
        return self._connection.engine

    async def run(self, work: Callable[[Connection], T]) -> T:
        """See `Writer.run`."""
        self._connection.rollback()
        with self._connection.begin():
            return work(self._connection)

    async def read(self, work: Callable[[Connection], T]) -> T:
        """See `Reader.read`."""
        return work(self._connection)

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[AsyncConnection]:
        """See `Reader.connect`."""
        yield cast("AsyncConnection", Queries(self))

    async def close(self) -> None:
        """Forget everything; may be asked twice."""
        self._connection.close()

    async def put(
        self,
        scope: int,
        kind: str,
        guild_id: int,
        channel_id: int,
        rows: dict[str, Sequence[Columns]] | None = None,
    ) -> None:
        """Replace what is known of a scope by these rows; the scope has no journal."""

        def write(connection: Connection) -> None:
            connection.execute(_DROP_SCOPE, {"the_scope": scope})
            nothing = dict.fromkeys(("version", "tip", "rolls", "open_dice", "moved"), 0)
            values = {"id": scope, "kind": kind, "guild_id": guild_id, "channel_id": channel_id}
            values_put = {**values, **nothing, "chain": EMPTY_CHAIN, "shown": EMPTY_CHAIN}
            connection.execute(_PUT_SCOPE, values_put)
            for table in SCOPES[kind]:
                connection.execute(_DROP[table], {"the_scope": scope})
                names = layout(table).names
                for row in (rows or {}).get(table, ()):
                    connection.execute(_PUT[table], dict(zip(names, row, strict=True)))

        await self.run(write)


_PUT_SCOPE, _DROP_SCOPE = insert(scopes), delete(scopes).where(scopes.c.id == bindparam("the_scope"))
_PUT = {name: insert(table) for name, table in STATE.items()}
_DROP = {name: delete(table).where(table.c.scope == bindparam("the_scope")) for name, table in STATE.items()}
