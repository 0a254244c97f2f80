"""Replays every journal from its start and compares the outcome with the tables.

Everything that no journal leads to is compared with hashes: the secrets of dice with those that were
published, the rest with seals. The database looks through its own pages.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, Select, Text, func, inspect, or_, select, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from bot.progress import Told, unheard
from bot.store.book import EMPTY_CHAIN, Loaded, Mismatch, apply, changes_between, from_json
from bot.store.engine import is_sqlite, make_engines
from bot.store.errors import Busy, Lost, StoreError, Unwritable
from bot.store.journal import PUBLISHED, SEALED, Entry, hash_of, link, root_of, sealed
from bot.store.people import Nobody, alias_of, token_of
from bot.store.rows import LASTING, Columns, Key, layout
from bot.store.schema import (
    STATE,
    head,
    journal,
    metadata,
    names,
    panels,
    people,
    scopes,
    seeds,
    undelivered,
    undone,
)
from bot.store.store import Store
from rules.dice import commitment
from rules.wording import times

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

NO_ROWS_OF_OURS = (ValueError, KeyError, TypeError, AttributeError)
"""Errors from reading rows that no version of the program wrote."""

MAX_DAMAGE = 20
"""Faults of the file that are told."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What was replayed, and a line for each fault."""

    scopes: int
    entries: int
    faults: tuple[str, ...]


class Stopped(Exception):
    """The check was stopped. scope: the one that it had reached, with which it can continue."""

    def __init__(self, scope: int) -> None:
        super().__init__(f"Stopped. To continue, run python -m bot doctor --from {scope}")
        self.scope = scope


async def examine(url: URL, so_far: Told = unheard, first: int = 0) -> Diagnosis:
    """Replay all journals of a database. first: the scope to begin with, where it was stopped before.

    Raises StoreError.
    """
    if is_sqlite(url) and url.database and not Path(url.database).exists():
        raise StoreError(f"There is no database at {url.database}.")
    writer, reader = make_engines(url, patient=True)
    store = Store(writer, reader, lambda: 0, Nobody())
    reached = first
    try:
        async with reader.connect() as connection:
            await connection.run_sync(_must_be_of_this_version)
            faults = await connection.run_sync(_damage if is_sqlite(url) else _laid_out)
            lists = await _lists(connection, first)
            faults += await connection.run_sync(_orphans)
            faults += await _panels(connection)
            faults += await _people(connection)
        count = 0
        for place, number in enumerate(lists.scopes):
            so_far(place, len(lists.scopes))
            reached = number
            entries = await store.all_entries(number)
            count += len(entries)
            faults += [f"Scope {number}: {fault}" for fault in await _wrong(store, number, entries, lists)]
        return Diagnosis(len(lists.scopes), count, tuple(faults))
    except asyncio.CancelledError:
        raise Stopped(reached) from None
    except (Busy, Lost, Unwritable) as error:
        raise StoreError(f"The database can't be read: {error}.") from error
    except (DBAPIError, SQLAlchemyError, UnicodeDecodeError) as error:
        message = error.orig if isinstance(error, DBAPIError) else type(error).__name__
        raise StoreError(f"The database can't be read: {message}.") from error
    finally:
        await store.close()


@dataclass(frozen=True, slots=True)
class _Lists:
    """What is kept beside the journals: the scopes; by scope undone entries, see `examine_scope`, and those
    that were not answered, each with its interaction.
    """

    scopes: tuple[int, ...]
    undone: Mapping[int, Mapping[int, tuple[bool, str]]]
    waiting: Mapping[int, set[tuple[int, int]]]


async def _lists(connection: AsyncConnection, first: int) -> _Lists:
    query = select(scopes.c.id).where(scopes.c.id >= first).order_by(scopes.c.id)
    numbers = tuple(row[0] for row in await connection.execute(query))
    listed: dict[int, dict[int, tuple[bool, str]]] = {}
    for row in await connection.execute(select(undone)):
        listed.setdefault(row.scope, {})[row.seq] = (row.open, row.action_key)
    waiting: dict[int, set[tuple[int, int]]] = {}
    for row in await connection.execute(select(undelivered)):
        waiting.setdefault(row.scope, set()).add((row.seq, row.interaction_id))
    return _Lists(numbers, listed, waiting)


async def _wrong(store: Store, scope: int, entries: Sequence[Entry], lists: _Lists) -> list[str]:
    try:
        loaded = await store.load(scope)
        problems = (
            examine_scope(loaded, entries, lists.undone.get(scope, {}))
            if loaded
            else ["the scope does not exist."]
        )
    except NO_ROWS_OF_OURS as error:
        problems = [f"reading the scope failed with {type(error).__name__}."]
    store.forget(scope)
    if lists.waiting.get(scope, set()) - {(entry.seq, entry.interaction_id) for entry in entries}:
        problems.append("the list of entries with undelivered answers is wrong.")
    return problems


def _must_be_of_this_version(connection: Connection) -> None:
    """Raises StoreError for another revision, and what the database raises where a column is not there."""
    revision = MigrationContext.configure(connection).get_current_revision()
    if revision != head():
        raise StoreError(
            f"Migrate the database first (python -m bot migrate); this version needs revision {head()}, but "
            f"the database has {revision or 'none'}."
        )
    for one_row in _one_row_each():
        connection.execute(one_row)


@cache
def _one_row_each() -> tuple[Select[Any], ...]:
    return tuple(select(table).limit(1) for table in metadata.sorted_tables)


def _shapes(connection: Connection) -> list[str]:
    problems = set()
    for change in compare_metadata(MigrationContext.configure(connection), metadata):
        steps = change if isinstance(change, list) else [change]
        problems |= {_table_of(step) for step in steps}
    looks = inspect(connection)
    for table in metadata.sorted_tables:
        keys = looks.get_pk_constraint(table.name)["constrained_columns"]
        if keys != [column.name for column in table.primary_key]:
            problems.add(table.name)
    return [
        f"the table {name} does not have the layout that this version expects" for name in sorted(problems)
    ]


def _table_of(step: tuple[Any, ...]) -> str:
    table_name = step[2] if isinstance(step[1], str | None) else step[1]
    return str(getattr(getattr(table_name, "table", table_name), "name", table_name))


def _damage(connection: Connection) -> list[str]:
    rows = connection.execute(text(f"PRAGMA integrity_check({MAX_DAMAGE})"))
    problems = _shapes(connection) + [line for line in (str(row[0]) for row in rows) if line != "ok"]
    for name, of_other_types in _mistyped_values().items():
        if connection.execute(of_other_types).first():
            problems.append(f"the table {name} has a value of the wrong type")
    return [f"The file is damaged: {line}." for line in problems]


@cache
def _mistyped_values() -> dict[str, Select[Any]]:
    """By table what finds a value in it that is of another type than its column."""
    selects = {}
    for table in metadata.sorted_tables:
        others = (
            func.typeof(column) != ("text" if isinstance(column.type, Text) else "integer")
            for column in table.columns
        )
        selects[table.name] = select(table).where(or_(*others)).limit(1)
    return selects


def _laid_out(connection: Connection) -> list[str]:
    """What is laid out otherwise in a database that looks after its own pages."""
    return [f"The database is damaged: {line}." for line in _shapes(connection)]


async def _panels(connection: AsyncConnection) -> list[str]:
    return [
        f"Scope {row.scope}: the place of its panel was changed outside the bot."
        for row in await connection.execute(select(panels))
        if hash_of(tuple(row)[:-1]) != row.seal
    ]


async def _people(connection: AsyncConnection) -> list[str]:
    rows = list(await connection.execute(select(people)))
    called = list(await connection.execute(select(names)))
    aliases = {row.alias for row in rows}
    faults = [
        f"The alias {row.alias} doesn't belong to the person listed with it."
        for row in rows
        if alias_of(row.salt, row.user_id) != row.alias
    ]
    return faults + [
        f"A name listed for the alias {row.alias} doesn't match its token."
        for row in called
        if row.alias not in aliases or token_of(row.salt, row.name) != row.token
    ]


def _orphans(connection: Connection) -> list[str]:
    return [
        f"Scope {row[0]}: the scope was deleted, but the table {name} still has rows from it."
        for name, strays in _strays().items()
        for row in connection.execute(strays)
    ]


@cache
def _strays() -> dict[str, Select[Any]]:
    scope_ids, selects = select(scopes.c.id), {}
    for table in (*STATE.values(), journal, undone, undelivered, seeds, panels):
        scope = table.c.scope
        selects[table.name] = select(scope).where(scope.not_in(scope_ids)).distinct().order_by(scope)
    return selects


def examine_scope(
    loaded: Loaded, entries: Sequence[Entry], listed: Mapping[int, tuple[bool, str]]
) -> list[str]:
    """Return how a scope differs from its journal, in sentences.

    listed: the undone entries as the store keeps them: whether their faces wait to be used again, their keys.
    """
    replay = _Replay()
    for place, entry in enumerate(entries, 1):
        if entry.seq != place:
            return [f"entry {place} is missing."]
        try:
            replay.add(entry)
        except (ValueError, KeyError, TypeError, IndexError) as error:
            return [f"entry {entry.seq} does not fit the entries before it: {error}."]
    scope = loaded.scope
    faults = _differences(replay.rows, loaded.snapshot)
    last_move = max((entry.seq for entry in entries if not (entry.quiet or entry.kind == "aside")), default=0)
    if (scope.version, scope.tip, scope.moved) != (len(entries), replay.tip, last_move):
        faults.append(
            f"the scope has {times(scope.version, 'entry', 'entries')} and is at entry {scope.tip}, but its"
            f" journal has {times(len(entries), 'entry', 'entries')} and is at entry {replay.tip}."
        )
    if (scope.chain, scope.shown) != (replay.chain, replay.shown):
        faults.append("the chain of hashes is broken.")
    if scope.rolls != replay.rolls:
        faults.append(f"the scope counts {times(scope.rolls, 'roll')}, but its journal has {replay.rolls}.")
    keys = {seq: (is_open, replay.parents[seq].action_key) for seq, is_open in replay.undone.items()}
    if keys != listed or scope.open_dice != sum(is_open for is_open, _ in listed.values()):
        faults.append("the list of undone entries is wrong.")
    return [*faults, *_seals(loaded, entries), *_secrets(loaded, replay.published)]


def _seals(loaded: Loaded, entries: Sequence[Entry]) -> list[str]:
    """Entries of which something was altered that the chain does not cover, or the place of the scope.

    The database numbers entries as they are written, so that the last one in a channel is found.
    """
    scope = loaded.scope
    faults = [
        f"the seal of entry {entry.seq} is broken."
        for entry in entries
        if sealed(_row_of(entry), scope.kind, scope.guild_id) != entry.seal
    ]
    faults += [
        f"entry {following.seq} was written before entry {earlier.seq}."
        for earlier, following in pairwise(entries)
        if following.id <= earlier.id
    ]
    if entries and entries[-1].channel_id not in (0, scope.channel_id):
        faults.append("the scope is in a different channel from its last entry.")
    return faults


def _row_of(entry: Entry) -> dict[str, Any]:
    return {name: getattr(entry, name) for name in (*PUBLISHED, "stood", *SEALED)}


def _secrets(loaded: Loaded, published: set[str]) -> list[str]:
    """The secret of the dice has the hash that was published before the first roll."""
    if published <= {commitment(loaded.seed)} if loaded.seed else not published:
        return []
    return ["the seed of its dice does not match the hash that was published."]


_PUBLISHED = {table: layout(table).names.index("commitment") for table in ("encounters", "campaigns")}
"""Where the hash of the secret of the dice is published, by table."""


@dataclass(slots=True)
class _Replay:
    """The state that a journal leads to, entry by entry."""

    rows: dict[str, dict[Key, Columns]] = field(default_factory=dict)
    chain: str = EMPTY_CHAIN
    shown: str = EMPTY_CHAIN
    tip: int = 0
    rolls: int = 0
    undone: dict[int, bool] = field(default_factory=dict)
    parents: dict[int, Entry] = field(default_factory=dict)
    published: set[str] = field(default_factory=set)

    def add(self, entry: Entry) -> None:
        """Go one entry on. Raises ValueError, KeyError, TypeError or IndexError where it does not fit."""
        self.chain = link(self.chain, _row_of(entry))
        self.shown = self.shown if entry.quiet else self.chain
        self.rows = apply(self.rows, from_json(entry.changes_written(), self.rows))
        self.rolls += entry.number >= 0
        for table, place in _PUBLISHED.items():
            self.published |= {str(columns[place]) for columns in self.rows.get(table, {}).values()}
        if entry.kind == "do":
            if entry.parent != self.tip:
                raise Mismatch(f"it follows entry {entry.parent}, not entry {self.tip}")
            self._close(entry)
            self.parents[entry.seq] = entry
            self.tip = entry.seq
            return
        if entry.kind == "aside":
            if entry.parent != self.tip:
                raise Mismatch(f"it was written after entry {entry.parent}, not after entry {self.tip}")
            return
        tip = self.tip
        undone, redone = self._moved(entry)
        for one in undone:
            if self.parents[one].target in self.undone:
                self.undone[self.parents[one].target] = True
        for kin in self._kin(undone):
            self.undone[kin] = True
        for one in undone:
            self.undone[one] = self.parents[one].faces != "[]"
        for one in redone:
            del self.undone[one]
        for seq in (*(self.parents[one].target for one in redone), *self._kin(redone)):
            if seq in self.undone:
                self.undone[seq] = False
        self.tip = entry.parent
        if entry.took and self.tip != self._top(max(tip, *redone) if redone else tip):
            raise Mismatch(f"it wrongly makes entry {entry.parent} the current one")

    def _moved(self, entry: Entry) -> tuple[set[int], set[int]]:
        if entry.took:
            taken_back = set(entry.taken())
            return (taken_back, set()) if entry.kind == "undo" else (set(), taken_back)
        new_path, old_path = self._path(entry.parent), self._path(self.tip)
        return old_path - new_path, new_path - old_path

    def _top(self, tip: int) -> int:
        return max((seq for seq in self._path(tip) if seq not in self.undone), default=0)

    def _close(self, entry: Entry) -> None:
        """A repeat uses the faces of an undone entry up, and so does leave to throw afresh.

        An entry that changes nothing and is not such an action uses none.
        """
        original = self.parents.get(entry.repeats)
        alters = any(change[0] not in LASTING for change in entry.changes_written())
        waited = original if entry.repeats in self.undone else None
        used_up = waited is not None and (alters or waited.command == entry.command)
        roots = self._roots()
        same_root = [seq for seq in self.undone if used_up and roots(seq) == roots(entry.repeats)]
        for seq in (*same_root, entry.target):
            if self.undone.get(seq):
                self.undone[seq] = False

    def _roots(self) -> Callable[[int], int]:
        repeats = {seq: entry.repeats for seq, entry in self.parents.items() if entry.repeats}
        return lambda seq: root_of(seq, repeats)

    def _kin(self, entries: Iterable[int]) -> list[int]:
        """Return the undone entries of other decisions that share faces with these."""
        roots, keys = self._roots(), dict[int, set[str]]()
        for seq in entries:
            if self.parents[seq].faces != "[]":
                keys.setdefault(roots(seq), set()).add(self.parents[seq].action_key)
        return [
            seq
            for seq in self.undone
            if roots(seq) in keys and self.parents[seq].action_key not in keys[roots(seq)]
        ]

    def _path(self, tip: int) -> set[int]:
        """The entries that stand: from the tip back to the start. Parents are always older."""
        path = set()
        while tip:
            path.add(tip)
            tip = self.parents[tip].parent
        return path


def _differences(
    replayed: Mapping[str, Mapping[Key, Columns]], stored: Mapping[str, Mapping[Key, Columns]]
) -> list[str]:
    return [
        f"{change.table} {change.key} does not match its journal."
        for change in changes_between(replayed, stored)
    ]
