"""A scope and its rows while a request changes them, and the changes when it has finished.

A `Snapshot` is never altered; a `Book` is made from one, altered freely, and compared with it afterwards. The
changes found are what the unit of work writes and what the journal records.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast
from weakref import ref

from bot.store.row_types import Watching
from bot.store.rows import ROWS, Columns, Key, Row, Value, fill, from_columns, layout, to_columns

T = TypeVar("T", bound=Row)
Found = TypeVar("Found")

MAX_WORKED_OUT = 4096
"""Things that are kept of one book while nothing is altered."""

Snapshot = Mapping[str, Mapping[Key, Columns]]
"""The rows of a scope as columns, by table and key."""


@dataclass(frozen=True, slots=True)
class Change:
    """A row that came (`before` is None), went (`after` is None) or changed."""

    table: str
    key: Key
    before: Columns | None
    after: Columns | None

    def reversed(self) -> Change:
        """Return the change that undoes this one."""
        return Change(self.table, self.key, self.after, self.before)


_NO_ROWS: Mapping[Key, Row] = {}


class BookView:
    """The rows of one scope, to be read. Rows are made when they are first asked for.

    worked_out: whatever was worked out from the rows as they stand, under a name; dropped as soon as a row is
    altered, and back again when everything is put back.
    """

    __slots__ = (
        "__weakref__",
        "_copied",
        "_first",
        "_given",
        "_in_order",
        "_rows",
        "_start",
        "_tables",
        "_touched",
        "_watching",
        "scope",
        "worked_out",
    )

    _watching: Watching

    def __init__(self, scope: int, snapshot: Snapshot) -> None:
        self.scope = scope
        self._start = snapshot
        self._tables: dict[str, Mapping[Key, Columns | None]] = dict(snapshot)
        self._copied: dict[str, dict[Key, Columns | None]] = {}
        self._rows: dict[str, dict[Key, Row]] = {}
        self._in_order: dict[str, list[Row]] = {}
        self._touched: dict[tuple[str, Key], Row | None] = {}
        self._given: dict[tuple[str, Key], Row] = {}
        self.worked_out: dict[Any, Any] = {}
        self._first = self.worked_out

    def all(self, kind: type[T]) -> list[T]:
        """Return the rows of a table, in the order of their keys."""
        table = kind.table
        listed = self._in_order.get(table)
        if listed is None:
            listed = [self._row(table, key) for key in sorted(self._tables.get(table, ()))]
            self._in_order[table] = listed
        return cast(list[T], listed.copy())

    def get(self, kind: type[T], *key: int | str) -> T | None:
        """Return the row with this key (without its scope), or None."""
        full_key = (self.scope, *key)
        row = self._rows.get(kind.table, _NO_ROWS).get(full_key)
        if row is not None:
            return cast(T, row)
        if full_key not in self._tables.get(kind.table, ()):
            return None
        return cast(T, self._row(kind.table, full_key))

    def next_id(self, kind: type[Row]) -> int:
        """Return a number for a new row of a table whose key is the scope and a number."""
        return max((cast(int, key[1]) for key in self._tables.get(kind.table, ())), default=0) + 1

    def work_out(self, name: Hashable, work: Callable[[], Found]) -> Found:
        """Return a value worked out from the rows, remembered under a name until one of them changes.

        Everything is worked out again once very much is remembered, because some names are what a person
        typed.
        """
        results = self.worked_out
        if name not in results:
            if len(results) >= MAX_WORKED_OUT:
                results.clear()
            results[name] = work()
        value: Found = results[name]
        return value

    def _row(self, table: str, key: Key) -> Row:
        rows = self._rows.setdefault(table, {})
        row = rows.get(key)
        if row is None:
            columns = self._tables[table][key]
            assert columns is not None, "rows that were added are kept as rows"
            row = rows[key] = from_columns(table, columns)
            row.watched_by(self._watching)
        return row

    @property
    def is_touched(self) -> bool:
        """Return whether anything was altered."""
        return bool(self._touched)

    def snapshot(self) -> Snapshot:
        """Return the rows as columns; rows that did not change are those that the book began with."""
        tables: dict[str, Mapping[Key, Columns]] = dict(self._start)
        for table in {table for table, _ in self._touched}:
            tables[table] = self._columns(table)
        return tables

    def _columns(self, table: str) -> dict[Key, Columns]:
        rows = dict(self._start.get(table, {}))
        for (table_name, key), row in self._touched.items():
            if table_name == table:
                if row is None:
                    rows.pop(key, None)
                else:
                    columns = to_columns(row)
                    rows[key] = columns if columns != rows.get(key) else rows[key]
        return rows


class Book(BookView):
    """The rows of one scope, to be read and altered."""

    __slots__ = ()

    def __init__(self, scope: int, snapshot: Snapshot) -> None:
        super().__init__(scope, snapshot)
        self._watching = ref(self)

    def add(self, row: T) -> T:
        """Put a new row in and give it back."""
        rows, key = self._own(row.table), row.key
        if key in rows:
            raise ValueError(f"{row.table} already has {key}")
        rows[key] = None
        self._rows.setdefault(row.table, {})[key] = row
        row.watched_by(self._watching)
        self._change(row.table, key, row)
        return row

    def remove(self, row: Row) -> None:
        """Remove a row."""
        key = row.key
        self._keep((row.table, key), row)
        del self._own(row.table)[key]
        self._rows[row.table].pop(key)
        row.watched_by(_notify_no_one)
        self._change(row.table, key, None)

    def _own(self, table: str) -> dict[Key, Columns | None]:
        copied_rows = self._copied.get(table)
        if copied_rows is None:
            self._tables[table] = self._copied[table] = copied_rows = dict(self._tables.get(table, {}))
        return copied_rows

    def note(self, row: Row) -> None:
        """Note that one of the book's rows is about to change."""
        key = (row.table, row.key)
        if key not in self._touched:
            self._keep(key, row)
            self._touched[key] = row
        self._drop_worked_out()

    def _keep(self, key: tuple[str, Key], row: Row) -> None:
        """Remember the row that was given out for what stood there at the start."""
        if key not in self._touched and key[1] in self._start.get(key[0], ()):
            self._given[key] = row

    def _change(self, table: str, key: Key, row: Row | None) -> None:
        self._touched[table, key] = row
        self._in_order.pop(table, None)
        self._drop_worked_out()

    def _drop_worked_out(self) -> None:
        if self.worked_out or self.worked_out is self._first:
            self.worked_out = {}

    def put_back(self) -> None:
        """Make everything as it was at the start.

        A row that stood there and was given out is the same row again, since what was worked out at the
        start holds it; one that was added stands alone from now on.
        """
        for table, key in self._touched:
            row = self._rows.get(table, {}).pop(key, None)
            if row is not None:
                row.watched_by(_notify_no_one)
            self._in_order.pop(table, None)
            columns = self._start.get(table, {}).get(key)
            if columns is not None:
                first = self._given[table, key]
                fill(first, columns)
                first.watched_by(self._watching)
                self._rows[table][key] = first
        self._tables, self._copied = dict(self._start), {}
        self._touched = {}
        self._given = {}
        self.worked_out = self._first

    def go_on(self, after: Snapshot) -> None:
        """Start again with the rows as they are now. after: exactly these rows, as `snapshot` returned
        them.

        Changed rows are read again, because a new book has its counters in order. Where nothing was, what was
        worked out stays.
        """
        if not self._touched and after is self._start:
            return
        for (table, key), row in self._touched.items():
            if row is not None:
                fill(row, after[table][key])
        self._start = after
        self._tables, self._copied = dict(after), {}
        self._touched = {}
        self._given = {}
        self.forget_worked_out()

    def forget_worked_out(self) -> None:
        """Forget all values that were worked out, in a book that is as it was at the start."""
        self.worked_out = self._first = {}


def _notify_no_one() -> None:
    """Notify no one of a change: the row no longer belongs to a book."""


_NOTHING: Mapping[Key, Columns] = {}
_PLACES = {table: place for place, table in enumerate(ROWS)}


def changes_between(before: Snapshot, after: Snapshot) -> list[Change]:
    """Return every row that differs, with tables in the order of `ROWS` and keys in order."""
    changes = []
    altered = {table for table in (*before, *after) if before.get(table) is not after.get(table)}
    for table in sorted(altered, key=_PLACES.__getitem__):
        old, new = before.get(table, _NOTHING), after.get(table, _NOTHING)
        for key in sorted(old.keys() | new.keys()):
            was, after_value = old.get(key), new.get(key)
            if was is not after_value and was != after_value:
                changes.append(Change(table, key, was, after_value))
    return changes


class Mismatch(ValueError):
    """A change does not fit the rows it is applied to."""


def apply(snapshot: Snapshot, changes: Iterable[Change]) -> dict[str, dict[Key, Columns]]:
    """Return the rows after the changes. Raises Mismatch if a row is not what its change starts from."""
    tables = {table: dict(rows) for table, rows in snapshot.items()}
    for change in changes:
        rows = tables.setdefault(change.table, {})
        if rows.get(change.key) != change.before:
            raise Mismatch(f"{change.table} {change.key} does not match the journal")
        if change.after is None:
            del rows[change.key]
        else:
            rows[change.key] = change.after
    return tables


def merged(changes: Iterable[Change]) -> list[Change]:
    """Merge successive changes into one change for each row."""
    first: dict[tuple[str, Key], Columns | None] = {}
    last: dict[tuple[str, Key], Columns | None] = {}
    for change in changes:
        place = (change.table, change.key)
        first.setdefault(place, change.before)
        last[place] = change.after
    return [
        Change(table, key, first_change, last[table, key])
        for (table, key), first_change in first.items()
        if first_change != last[table, key]
    ]


def to_json(changes: Iterable[Change]) -> list[Any]:
    """Return the changes as the journal stores them: new and removed rows whole, otherwise single columns."""
    changes_written: list[Any] = []
    for change in changes:
        if change.before is None or change.after is None:
            changes_written.append([change.table, change.before, change.after])
        else:
            names = layout(change.table).names
            columns = {
                name: [was, after_value]
                for name, was, after_value in zip(names, change.before, change.after, strict=True)
                if was != after_value
            }
            changes_written.append([change.table, list(change.key), columns])
    return changes_written


def _key(table: str, columns: Columns) -> Key:
    names = layout(table).names
    return tuple(cast(int | str, columns[names.index(name)]) for name in ROWS[table].key_fields)


def from_json(written: Iterable[Any], snapshot: Snapshot, *, reverse: bool = False) -> list[Change]:
    """Return the changes again; columns that did not change are read from the rows at that point.

    reverse: the changes as they take the written ones back, last first. Raises Mismatch.
    """
    tables: dict[str, dict[Key, Columns | None]] = {}
    changes = []
    for table, first, second in reversed(list(written)) if reverse else written:
        standing = tables.setdefault(table, {})
        if isinstance(second, dict):
            key: Key = tuple(first)
            after_value = standing[key] if key in standing else snapshot.get(table, {}).get(key)
            if after_value is None:
                raise Mismatch(f"{table} {key} is missing")
            change = _column_change(table, key, after_value, second, reverse)
        else:
            earlier, after = _whole(table, first), _whole(table, second)
            key = _key(table, earlier or after or ())
            change = Change(table, key, after, earlier) if reverse else Change(table, key, earlier, after)
        standing[key] = change.after
        changes.append(change)
    return changes


def _whole(table: str, values: list[Value] | None) -> Columns | None:
    """A row as it was written; columns that tables have got since then are at their defaults."""
    if values is None:
        return None
    return (*values, *layout(table).defaults[len(values) :])


def _column_change(
    table: str, key: Key, after_value: Columns, columns: dict[str, list[Value]], reverse: bool
) -> Change:
    names = layout(table).names
    after = list(after_value)
    for name, (was, became) in columns.items():
        place = names.index(name)
        start, end = (became, was) if reverse else (was, became)
        if after_value[place] != start:
            raise Mismatch(f"{table} {key}: {name} does not match the journal")
        after[place] = end
    return Change(table, key, after_value, tuple(after))


EMPTY_CHAIN = "0" * 64


def own_place(user_id: int) -> int:
    """Return the server and channel id of a person's own place: negative, unlike any id of Discord's."""
    return -user_id


def is_own_place(guild_id: int) -> bool:
    """Return whether a server id is that of a person's own place."""
    return guild_id < 0


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a scope stands; the columns of the same names are described in the schema."""

    id: int
    kind: str
    guild_id: int
    channel_id: int
    version: int = 0
    tip: int = 0
    rolls: int = 0
    open_dice: int = 0
    chain: str = EMPTY_CHAIN
    moved: int = 0
    shown: str = EMPTY_CHAIN


@dataclass(frozen=True, slots=True)
class Loaded:
    """A scope with its rows and the secret of its dice (empty where it has none).

    written: the rows that are written otherwise than they are read, as they are written. forgotten: how many
    people were forgotten before it was read: where more are by now, its names may be theirs.
    """

    scope: Scope
    snapshot: Snapshot
    seed: bytes = b""
    written: Mapping[tuple[str, Key], Columns] = field(default_factory=dict)
    forgotten: int = 0

    def book(self) -> Book:
        """Return a fresh book of these rows."""
        return Book(self.scope.id, self.snapshot)


@dataclass(frozen=True, slots=True)
class UndoneDice:
    """Which undone entries a commit adds, forgets, closes (their faces are used up) or opens again."""

    add: tuple[tuple[int, str, bool], ...] = ()
    forget: tuple[int, ...] = ()
    spend: tuple[int, ...] = ()
    reopen: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.add or self.forget or self.spend or self.reopen)
