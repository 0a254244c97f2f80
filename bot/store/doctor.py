"""Replays every journal from its start and compares the outcome with the tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.book import Mismatch, apply, changes_between, from_json
from bot.store.engine import is_sqlite, make_engines
from bot.store.errors import StoreError
from bot.store.journal import CHAINED, Entry, link
from bot.store.rows import Columns, Key
from bot.store.schema import STATE, journal, panels, scopes, seeds, undone
from bot.store.store import EMPTY_CHAIN, Loaded, Store


@dataclass(frozen=True, slots=True)
class Report:
    """What was replayed, and a line for each fault."""

    scopes: int
    entries: int
    faults: tuple[str, ...]


async def examine(url: URL) -> Report:
    """Replay all journals of a database. Raises StoreError."""
    if is_sqlite(url) and url.database and not Path(url.database).exists():
        raise StoreError(f"There is no database at {url.database}.")
    writer, reader = make_engines(url)
    store = Store(writer, reader, lambda: 0)
    try:
        async with reader.connect() as connection:
            numbers = [row[0] for row in await connection.execute(select(scopes.c.id).order_by(scopes.c.id))]
            listed: dict[int, dict[int, bool]] = {}
            for row in await connection.execute(select(undone.c.scope, undone.c.seq, undone.c.open)):
                listed.setdefault(row[0], {})[row[1]] = row[2]
            faults = await _orphans(connection)
        count = 0
        for number in numbers:
            loaded = await store.load(number)
            entries = await store.all_entries(number)
            store.forget(number)
            if loaded is None:
                faults.append(f"Scope {number}: cannot be read.")
                continue
            count += len(entries)
            found = examine_scope(loaded, entries, listed.get(number, {}))
            faults += [f"Scope {number}: {fault}" for fault in found]
        return Report(len(numbers), count, tuple(faults))
    except DBAPIError as error:
        raise StoreError(f"The database cannot be read: {error.orig}.") from error
    finally:
        await store.close()


async def _orphans(connection: AsyncConnection) -> list[str]:
    """Rows of scopes that do not exist."""
    known = select(scopes.c.id)
    faults = []
    for table in (*STATE.values(), journal, undone, seeds, panels):
        query = select(table.c.scope).where(table.c.scope.not_in(known)).distinct().order_by(table.c.scope)
        faults += [
            f"Scope {row[0]}: {table.name} has rows of it, but it is gone."
            for row in await connection.execute(query)
        ]
    return faults


def examine_scope(loaded: Loaded, entries: Sequence[Entry], listed: Mapping[int, bool]) -> list[str]:
    """What does not fit between a scope and its journal.

    listed: the undone entries as the store keeps them, and whether their faces wait to be used again.
    """
    replay = _Replay()
    for place, entry in enumerate(entries, 1):
        if entry.seq != place:
            return [f"entry {place} is missing."]
        try:
            replay.add(entry)
        except (ValueError, KeyError, TypeError, IndexError) as error:
            return [f"entry {entry.seq} does not fit those before it: {error}."]
    scope = loaded.scope
    faults = _differences(replay.rows, loaded.snapshot)
    if (scope.version, scope.tip) != (len(entries), replay.tip) or not 0 <= scope.moved <= scope.version:
        faults.append(f"stands at {scope.version}/{scope.tip}, its journal at {len(entries)}/{replay.tip}.")
    if scope.chain != replay.chain:
        faults.append("the chain of hashes is broken.")
    if scope.rolls != replay.rolls:
        faults.append(f"counts {scope.rolls} rolls, its journal {replay.rolls}.")
    if replay.undone != listed or scope.open_dice != sum(listed.values()):
        faults.append("the list of undone entries is wrong.")
    return faults


@dataclass(slots=True)
class _Replay:
    """What a journal leads to, entry by entry."""

    rows: dict[str, dict[Key, Columns]] = field(default_factory=dict)
    chain: str = EMPTY_CHAIN
    tip: int = 0
    rolls: int = 0
    undone: dict[int, bool] = field(default_factory=dict)
    parents: dict[int, Entry] = field(default_factory=dict)

    def add(self, entry: Entry) -> None:
        """Go one entry on. Raises ValueError, KeyError, TypeError or IndexError where it does not fit."""
        self.chain = link(self.chain, {name: getattr(entry, name) for name in CHAINED})
        self.rows = apply(self.rows, from_json(entry.changes_written(), self.rows))
        self.rolls += entry.number >= 0
        if entry.kind == "do":
            if entry.parent != self.tip:
                raise Mismatch(f"it follows {entry.parent}, not {self.tip}")
            self._close(entry)
            self.parents[entry.seq] = entry
            self.tip = entry.seq
            return
        if entry.kind == "aside":
            if entry.parent != self.tip:
                raise Mismatch(f"it stands beside {entry.parent}, not {self.tip}")
            return
        tip = self.tip
        back, again = self._moved(entry)
        for one in back:
            self.undone[one] = self.parents[one].faces != "[]"
            if self.parents[one].target in self.undone:
                self.undone[self.parents[one].target] = True
        for one in again:
            del self.undone[one]
            self._close(self.parents[one])
        self.tip = entry.parent
        if entry.took and self.tip != self._top(max(tip, *again) if again else tip):
            raise Mismatch(f"it leaves {entry.parent} on top")

    def _moved(self, entry: Entry) -> tuple[set[int], set[int]]:
        """What an undo or redo took back and did again; of an old one, by the way between tips."""
        if entry.took:
            taken = set(entry.taken())
            return (taken, set()) if entry.kind == "undo" else (set(), taken)
        stands, stood = self._path(entry.parent), self._path(self.tip)
        return stood - stands, stands - stood

    def _top(self, tip: int) -> int:
        """The highest entry that stands on the way from a tip back to the start."""
        return max((one for one in self._path(tip) if one not in self.undone), default=0)

    def _close(self, entry: Entry) -> None:
        """A repeat uses the faces of an undone entry up, and so does leave to throw afresh."""
        for seq in (entry.repeats, entry.target):
            if seq in self.undone:
                self.undone[seq] = False

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
        f"{change.table} {change.key} is not what its journal says."
        for change in changes_between(replayed, stored)
    ]
