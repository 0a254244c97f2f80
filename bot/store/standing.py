"""Statements that stand in this program and are run again and again.

In SQLite the driver is given their text: of all that a command costs the database, more than half is what
would be asked anew of each statement on the way.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from sqlalchemy import (
    Boolean,
    ColumnElement,
    CompoundSelect,
    Connection,
    Delete,
    Insert,
    Select,
    Update,
    bindparam,
    func,
    select,
)

from bot.store.engine import at_the_driver, rows_at_the_driver

Given: TypeAlias = Mapping[str, Any]
Query: TypeAlias = "Select[Any] | CompoundSelect[Any]"


@dataclass(frozen=True, slots=True)
class _Text:
    """A statement for SQLite's driver.

    names: what is given in each place. said: what it names itself. truths: the places in its rows of what
    is true or false, which the driver has as numbers.
    """

    sql: str
    names: tuple[str, ...]
    said: Given
    truths: tuple[int, ...]

    def values(self, given: Given) -> tuple[Any, ...]:
        """What is given, in the order in which it stands there."""
        all_of_it = {**self.said, **given} if self.said else given
        return tuple([all_of_it[name] for name in self.names])


_TEXTS: dict[object, _Text] = {}


def write_one(connection: Connection, statement: Insert | Update | Delete, row: Given) -> int:
    """Write a row; gives how many the statement met."""
    if connection.dialect.name != "sqlite":
        return connection.execute(statement, row).rowcount
    text = _TEXTS.get(statement) or _written(connection, statement, list(row))
    return int(at_the_driver(connection, text.sql, text.values(row)).rowcount)


def write_each(connection: Connection, statement: Insert | Update | Delete, rows: Sequence[Given]) -> None:
    """Write several rows, in their order."""
    if len(rows) > 1 and connection.dialect.name != "sqlite":
        connection.execute(statement, rows)
        return
    for row in rows:
        write_one(connection, statement, row)


def find(connection: Connection, query: Query, given: Given) -> Sequence[tuple[Any, ...]]:
    """All rows that a query finds. given: what it only names."""
    if connection.dialect.name != "sqlite":
        return [tuple(row) for row in connection.execute(query, given)]
    text = _TEXTS.get(query) or _written(connection, query)
    rows = rows_at_the_driver(connection, text.sql, text.values(given))
    return [_with_truths(row, text.truths) for row in rows] if text.truths else rows


Pair: TypeAlias = "tuple[ColumnElement[Any], ColumnElement[Any]]"


def among(columns: Pair, values: Sequence[object]) -> Select[Any]:
    """Asks for two columns of the rows in which the first has one of these values."""
    return select(*columns).where(columns[0].in_(values))


def find_among(connection: Connection, columns: Pair, values: Sequence[object]) -> Sequence[tuple[Any, ...]]:
    """What `among` finds, of any number of values."""
    if connection.dialect.name != "sqlite":
        return [tuple(row) for row in connection.execute(among(columns, values))]
    return find(connection, _among_those(columns), {"those": json.dumps(values)})


@cache
def _among_those(columns: Pair) -> Select[Any]:
    those = func.json_each(bindparam("those")).table_valued("value")
    return select(*columns).where(columns[0].in_(select(those.c.value)))


def _written(
    connection: Connection, statement: Insert | Update | Delete | Query, names: list[str] | None = None
) -> _Text:
    compiled: Any = statement.compile(dialect=connection.dialect, column_keys=names)
    columns = statement.selected_columns if isinstance(statement, Select | CompoundSelect) else ()
    said = {name: value for name, value in compiled.params.items() if value is not None}
    text = _Text(
        str(compiled),
        tuple(compiled.positiontup or ()),
        said,
        tuple(place for place, column in enumerate(columns) if isinstance(column.type, Boolean)),
    )
    return _TEXTS.setdefault(statement, text)


def _with_truths(row: tuple[Any, ...], places: Sequence[int]) -> tuple[Any, ...]:
    values = list(row)
    for place in places:
        values[place] = bool(values[place])
    return tuple(values)
