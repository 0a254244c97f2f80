"""Replays every journal from its start and compares the outcome with the tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from bot.store.book import Mismatch, apply, changes_between, from_json
from bot.store.engine import make_engines
from bot.store.errors import StoreError
from bot.store.journal import CHAINED, Entry, link
from bot.store.rows import Columns, Key
from bot.store.schema import scopes, undone
from bot.store.store import EMPTY_CHAIN, Loaded, Store


@dataclass(frozen=True, slots=True)
class Report:
    """What was replayed, and a line for each fault."""

    scopes: int
    entries: int
    faults: tuple[str, ...]


async def examine(url: URL) -> Report:
    """Replay all journals of a database. Raises StoreError."""
    writer, reader = make_engines(url)
    store = Store(writer, reader, lambda: 0)
    try:
        async with reader.connect() as connection:
            numbers = [row[0] for row in await connection.execute(select(scopes.c.id).order_by(scopes.c.id))]
            open_rows = await connection.execute(select(undone.c.scope, undone.c.seq))
            undone_rows = {(int(row[0]), int(row[1])) for row in open_rows}
        faults: list[str] = []
        count = 0
        for number in numbers:
            loaded = await store.load(number)
            entries = await store.all_entries(number)
            store.forget(number)
            if loaded is None:
                faults.append(f"Scope {number}: cannot be read.")
                continue
            count += len(entries)
            faults += [f"Scope {number}: {fault}" for fault in examine_scope(loaded, entries, undone_rows)]
        return Report(len(numbers), count, tuple(faults))
    except DBAPIError as error:
        raise StoreError(f"The database cannot be read: {error.orig}.") from error
    finally:
        await store.close()


def examine_scope(loaded: Loaded, entries: Sequence[Entry], undone_rows: set[tuple[int, int]]) -> list[str]:
    """What does not fit between a scope and its journal."""
    faults: list[str] = []
    rows: dict[str, dict[Key, Columns]] = {}
    chain, tip = EMPTY_CHAIN, 0
    standing: dict[int, int] = {}
    for place, entry in enumerate(entries, 1):
        if entry.seq != place:
            return [*faults, f"entry {place} is missing."]
        chain = link(chain, {name: getattr(entry, name) for name in CHAINED})
        standing[entry.seq] = entry.parent
        tip = entry.seq if entry.kind == "do" else entry.parent
        try:
            rows = apply(rows, from_json(entry.changes_written(), rows))
        except Mismatch as error:
            return [*faults, f"entry {entry.seq} does not fit those before it: {error}."]
    scope = loaded.scope
    faults += _differences(rows, loaded.snapshot)
    if (scope.version, scope.tip) != (len(entries), tip):
        faults.append(f"stands at {scope.version}/{scope.tip}, its journal at {len(entries)}/{tip}.")
    if scope.chain != chain:
        faults.append("the chain of hashes is broken.")
    path = _path(tip, standing)
    done = {entry.seq for entry in entries if entry.kind == "do"}
    expected = {(scope.id, seq) for seq in done - path}
    found = {(number, seq) for number, seq in undone_rows if number == scope.id}
    if expected != found:
        faults.append("the list of undone entries is wrong.")
    return faults


def _path(tip: int, parents: Mapping[int, int]) -> set[int]:
    """The entries that stand: from the tip back to the start."""
    path = set()
    while tip:
        path.add(tip)
        tip = parents[tip]
    return path


def _differences(
    replayed: Mapping[str, Mapping[Key, Columns]], stored: Mapping[str, Mapping[Key, Columns]]
) -> list[str]:
    return [
        f"{change.table} {change.key} is not what its journal says."
        for change in changes_between(replayed, stored)
    ]
