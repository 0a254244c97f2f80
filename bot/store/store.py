"""The unit of work: load a scope, alter its book, commit state and journal together.

One transaction writes the rows that changed, the journal's entry with every change and the interaction's id,
and the scope's new version; it happens whole or not at all, and before anybody is answered. A scope that
somebody else changed in between is refused (`Stale`), an interaction that is in the journal already is given
back (`Repeated`). What was loaded is kept in memory until its version is found old.
"""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, cast

from sqlalchemy import Connection, and_, bindparam, delete, func, insert, or_, select, update
from sqlalchemy import Row as SqlRow
from sqlalchemy.exc import IntegrityError

from bot.store.book import Book, Change, Snapshot
from bot.store.deliveries import Deliveries
from bot.store.engine import OneThread, Reader, Writer
from bot.store.errors import Occupied, Repeated, Stale
from bot.store.journal import Draft, Entry, compact, hash_of, link, sealed, values
from bot.store.rows import ROWS, SCOPES, Columns, Key, layout
from bot.store.schema import STATE, journal, panels, scopes, seeds, undelivered, undone

KEPT_SCOPES = 512
"""How many scopes stay in memory."""

UNDELIVERED = tuple(column.name for column in undelivered.columns)

PATIENCE_SECONDS = 0.2
"""How long one waits for a lock before something else is tried."""

EMPTY_CHAIN = "0" * 64

_CHANNEL_PLACE = layout("encounters").names.index("channel_id")
_STATUS_PLACE = layout("encounters").names.index("status")


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


@dataclass(frozen=True, slots=True)
class Loaded:
    """A scope with its rows and the secret of its dice (empty where it has none)."""

    scope: Scope
    snapshot: Snapshot
    seed: bytes = b""

    def book(self) -> Book:
        """A fresh book of these rows."""
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


T = TypeVar("T")


@dataclass(slots=True)
class _Locks:
    """A lock for each name that somebody holds or waits for."""

    held: dict[object, tuple[asyncio.Lock, int]] = field(default_factory=dict)

    @asynccontextmanager
    async def hold(self, name: object, instead: Callable[[], Awaitable[T | None]]) -> AsyncIterator[T | None]:
        """See `Store.alone`."""
        lock, users = self.held.get(name, (asyncio.Lock(), 0))
        self.held[name] = (lock, users + 1)
        try:
            turn = asyncio.ensure_future(lock.acquire())
            try:
                found = None if await _comes(turn) else await instead()
                if found is None:
                    await turn
                yield found
            finally:
                if turn.done() and not turn.cancelled():
                    lock.release()
                turn.cancel()
        finally:
            lock, users = self.held.pop(name)
            if users > 1:
                self.held[name] = (lock, users - 1)


async def nothing_instead() -> None:
    """Whoever has nothing else to try waits."""


async def _comes(turn: asyncio.Future[Any]) -> bool:
    """Whether one's turn comes soon."""
    await asyncio.sleep(0)
    if not turn.done():
        await asyncio.wait({turn}, timeout=PATIENCE_SECONDS)
    return turn.done()


class Store:
    """The database of one bot.

    writer and reader: engines as `bot.store.engine.make_engines` gives them. clock: milliseconds since 1970.
    """

    def __init__(self, writer: Writer, reader: Reader, clock: Callable[[], int]) -> None:
        self._writer = writer
        self._reader = reader
        self._clock = clock
        self._kept: OrderedDict[int, Loaded] = OrderedDict()
        self._running: dict[int, int] = {}
        self._being_read: dict[int, object] = {}
        self._locks = _Locks()
        self._is_only_writer = isinstance(writer, OneThread)
        self.deliveries = Deliveries(writer, reader, alone=self._is_only_writer)

    def now(self) -> int:
        """The time by the clock that stamps the journal, in milliseconds."""
        return self._clock()

    async def close(self) -> None:
        """Give all connections back; nothing may be under way."""
        await self.deliveries.close()
        await self._writer.close()
        await self._reader.close()

    @asynccontextmanager
    async def alone(
        self, name: object, instead: Callable[[], Awaitable[T | None]] = nothing_instead
    ) -> AsyncIterator[T | None]:
        """Hold the lock of a scope or channel: whoever works on it next waits.

        instead: tried once while it takes long; what it finds is given, and then the lock is not held.
        """
        async with self._locks.hold(name, instead) as found:
            yield found

    # ------------------------------------------------------------------------------------ scopes

    async def new_scope(self, kind: str, guild_id: int, channel_id: int, seed: bytes = b"") -> Loaded:
        """Make an empty scope; its first rows come with its first commit."""
        row = {
            "kind": kind,
            "guild_id": guild_id,
            "channel_id": channel_id,
            "version": 0,
            "tip": 0,
            "rolls": 0,
            "open_dice": 0,
            "chain": EMPTY_CHAIN,
            "moved": 0,
        }

        def make(connection: Connection) -> int:
            number = int(connection.execute(insert(scopes).returning(scopes.c.id), row).scalar_one())
            if seed:
                connection.execute(insert(seeds), {"scope": number, "seed": seed.hex()})
            return number

        number = await self._writer.run(make)
        loaded = Loaded(Scope(number, kind, guild_id, channel_id), {}, seed)
        self._keep(loaded)
        return loaded

    async def discard(self, scope: int) -> None:
        """Take back a scope that was made for an action which was then refused."""
        self.forget(scope)

        def drop(connection: Connection) -> None:
            unused = delete(scopes).where(scopes.c.id == scope, scopes.c.version == 0)
            if connection.execute(unused).rowcount:
                connection.execute(delete(seeds).where(seeds.c.scope == scope))

        await self._writer.run(drop)

    async def load(self, scope: int) -> Loaded | None:
        """The scope as it stands, from memory if it is there; None where there is none.

        Waits for no writer. What was committed or forgotten while it was read is not kept in its place.
        """
        kept = self._kept.get(scope)
        if kept is not None:
            self._kept.move_to_end(scope)
            return kept
        reading = self._being_read[scope] = object()
        loaded = await self._reader.whole(lambda connection: _load(connection, scope))
        if self._being_read.get(scope) is reading:
            del self._being_read[scope]
            if loaded is not None:
                self._keep(loaded)
        return loaded

    def _keep(self, loaded: Loaded) -> None:
        self._being_read.pop(loaded.scope.id, None)
        self._kept[loaded.scope.id] = loaded
        self._kept.move_to_end(loaded.scope.id)
        if self._is_only_writer:
            self._note_running(loaded)
        while len(self._kept) > KEPT_SCOPES:
            self.forget(next(iter(self._kept)))

    def _note_running(self, loaded: Loaded) -> None:
        """Remember in which channel an encounter runs; only where no other process can change that."""
        scope = loaded.scope.id
        self._running = {channel: running for channel, running in self._running.items() if running != scope}
        for columns in loaded.snapshot.get("encounters", {}).values():
            if columns[_STATUS_PLACE] != "ended":
                self._running[cast(int, columns[_CHANNEL_PLACE])] = scope

    def forget(self, scope: int) -> None:
        """Drop what is kept in memory of a scope."""
        self._being_read.pop(scope, None)
        self._kept.pop(scope, None)
        self._running = {channel: running for channel, running in self._running.items() if running != scope}

    async def running_encounter(self, channel_id: int) -> int:
        """The scope of the encounter that runs in a channel, or 0."""
        if channel_id in self._running:
            return self._running[channel_id]
        table = STATE["encounters"]
        query = select(table.c.scope).where(table.c.channel_id == channel_id, table.c.status != "ended")
        return int(await self._scalar(query) or 0)

    async def channel_scope(self, channel_id: int) -> int:
        """The scope of a channel for what is rolled there without an encounter, or 0."""
        query = select(scopes.c.id).where(scopes.c.channel_id == channel_id, scopes.c.kind == "channel")
        return int(await self._scalar(query.limit(1)) or 0)

    async def library_scope(self, guild_id: int) -> int:
        """The scope of what a server keeps for all its channels, or 0."""
        query = select(scopes.c.id).where(scopes.c.guild_id == guild_id, scopes.c.kind == "library")
        return int(await self._scalar(query.order_by(scopes.c.id).limit(1)) or 0)

    async def crews(self, guild_id: int, system: str = "") -> list[tuple[int, str, str, int]]:
        """The crews kept in a guild, newest last: scope, name, system, owner."""
        table = STATE["crews"]
        query = select(table.c.scope, table.c.name, table.c.system, table.c.owner_id).where(
            table.c.guild_id == guild_id, table.c.status == "kept"
        )
        if system:
            query = query.where(table.c.system == system)
        async with self._reader.connect() as connection:
            rows = await connection.execute(query.order_by(table.c.scope))
            return [(row[0], row[1], row[2], row[3]) for row in rows]

    async def campaigns(self, guild_id: int) -> list[tuple[int, str, str]]:
        """The campaigns of a guild, newest last: scope, name, status."""
        table = STATE["campaigns"]
        query = select(table.c.scope, table.c.name, table.c.status).where(table.c.guild_id == guild_id)
        async with self._reader.connect() as connection:
            rows = await connection.execute(query.order_by(table.c.scope))
            return [(row[0], row[1], row[2]) for row in rows]

    async def waiting_roll(self, guild_id: int, user_id: int) -> int:
        """The crew or campaign of a guild in which a roll of this person waits for dice, the latest; or 0."""
        table = STATE["pendings"]
        query = (
            select(table.c.scope)
            .join(scopes, scopes.c.id == table.c.scope)
            .where(scopes.c.guild_id == guild_id, scopes.c.kind.in_(("crew", "campaign")))
            .where(table.c.user_id == user_id)
            .order_by(table.c.scope.desc())
            .limit(1)
        )
        return int(await self._scalar(query) or 0)

    async def encounters_with(self, guild_id: int, key: str, value: str) -> list[dict[str, str]]:
        """The settings of a guild's encounters, ended ones too, of those in which this key has this value."""
        table = STATE["encounters"]
        within = compact({key: value}).strip("{}")
        query = select(table.c.settings).where(
            table.c.guild_id == guild_id, table.c.settings.contains(within, autoescape=True)
        )
        async with self._reader.connect() as connection:
            rows = await connection.execute(query.order_by(table.c.scope))
            found: list[dict[str, str]] = [json.loads(row[0]) for row in rows]
        return [one for one in found if one.get(key) == value]

    async def _scalar(self, query: Any) -> Any:
        async with self._reader.connect() as connection:
            return (await connection.execute(query)).scalar_one_or_none()

    # ------------------------------------------------------------------------------------ commit

    async def commit(
        self,
        loaded: Loaded,
        after: Snapshot,
        changes: Sequence[Change],
        draft: Draft,
        dice: UndoneDice | None = None,
    ) -> Loaded:
        """Write the changes that led to `after`, with their journal entry; gives the scope as it is now.

        Raises Stale, Repeated, Occupied, Unsure; then nothing was written.
        """
        self.deliveries.check(draft)
        old = loaded.scope
        seq = old.version + 1
        row = values(draft, changes, old.id, seq, old.tip, self._clock())
        scope = replace(
            old,
            version=seq,
            tip={"do": seq, "aside": old.tip}.get(draft.kind, draft.tip),
            moved=old.moved if draft.quiet or draft.kind == "aside" else seq,
            rolls=old.rolls + (draft.number >= 0),
            chain=link(old.chain, row),
            channel_id=draft.channel or old.channel_id,
        )
        row["seal"] = sealed(row, old.kind, old.guild_id)

        def write(connection: Connection) -> Scope:
            opened = _sort_dice(connection, old.id, dice) if dice else scope.open_dice
            now = replace(scope, open_dice=opened)
            _move(connection, now, old.version)
            _write(connection, changes)
            connection.execute(_INSERT_JOURNAL, row)
            connection.execute(_INSERT_UNDELIVERED, {name: row[name] for name in UNDELIVERED})
            return now

        try:
            scope = await self._writer.run(write)
        except IntegrityError as error:
            await self._explain(error, old.id, draft.interaction)
            raise
        except Stale:
            self.forget(old.id)
            raise
        self.deliveries.went_on(draft)
        current = Loaded(scope, after, loaded.seed)
        self._keep(current)
        return current

    async def _explain(self, error: IntegrityError, scope: int, interaction: int) -> None:
        """Tell why the database refused a commit, where a sentence can be made of it."""
        answered = await self.answered(interaction)
        if answered is not None:
            raise Repeated(answered) from None
        self.forget(scope)
        if "encounters" in str(error.orig):
            raise Occupied from None

    # ------------------------------------------------------------------------------------ journal

    async def answered(self, interaction: int) -> Entry | None:
        """The entry of an interaction that is in the journal, or None."""
        found = await self._entries(select(journal).where(journal.c.interaction_id == interaction))
        return found[0] if found else None

    async def entry(self, scope: int, seq: int) -> Entry | None:
        """One entry of the journal."""
        found = await self._entries(select(journal).where(journal.c.scope == scope, journal.c.seq == seq))
        return found[0] if found else None

    async def latest(
        self, scope: int, count: int, *, before: int = 0, model: int = 0, minor: bool = True
    ) -> list[Entry]:
        """The last entries, oldest first; only those before an entry, or that touched a model, if given.

        minor: entries that belong to the next one, too.
        """
        query = select(journal).where(journal.c.scope == scope)
        if not minor:
            query = query.where(journal.c.minor.is_(False))
        if before:
            query = query.where(journal.c.seq < before)
        if model:
            query = query.where(journal.c.touches.contains(f",{model},"))
        return (await self._entries(query.order_by(journal.c.seq.desc()).limit(count)))[::-1]

    async def last_of_kind(self, scope: int, *kinds: str) -> Entry | None:
        """The last entry of these kinds, or None."""
        query = select(journal).where(journal.c.scope == scope, journal.c.kind.in_(kinds))
        found = await self._entries(query.order_by(journal.c.seq.desc()).limit(1))
        return found[0] if found else None

    async def minor_entries(self, scope: int, commands: Sequence[str]) -> list[int]:
        """The places of the minor entries that these commands made, in order."""
        query = select(journal.c.seq).where(journal.c.scope == scope, journal.c.minor)
        query = query.where(journal.c.command.in_(commands)).order_by(journal.c.seq)
        async with self._reader.connect() as connection:
            return [int(row[0]) for row in await connection.execute(query)]

    async def last_roll(self, scope: int) -> int:
        """The last entry in which dice fell, undone or not; 0 for none."""
        query = select(func.max(journal.c.seq)).where(journal.c.scope == scope, journal.c.faces != "[]")
        return int(await self._scalar(query) or 0)

    async def all_entries(self, scope: int) -> list[Entry]:
        """The whole journal of a scope, oldest first."""
        return await self._entries(select(journal).where(journal.c.scope == scope).order_by(journal.c.seq))

    async def altering(self, scope: int, tables: Sequence[str], most: int) -> list[tuple[int, str, str]]:
        """Place, title and changes of the first steps that stand and may alter one of these tables."""
        query = (
            select(journal.c.seq, journal.c.title, journal.c.changes)
            .outerjoin(undone, and_(undone.c.scope == journal.c.scope, undone.c.seq == journal.c.seq))
            .where(journal.c.scope == scope, journal.c.kind == "do", undone.c.seq.is_(None))
            .where(or_(*(journal.c.changes.contains(f'["{table}",') for table in tables)))
            .order_by(journal.c.seq)
            .limit(most)
        )
        async with self._reader.connect() as connection:
            return [(row[0], row[1], row[2]) for row in await connection.execute(query)]

    async def newest_child(self, scope: int, parent: int) -> Entry | None:
        """The latest action that was done on top of an entry: what redo does again."""
        query = (
            select(journal)
            .where(journal.c.scope == scope, journal.c.parent == parent, journal.c.kind == "do")
            .order_by(journal.c.seq.desc())
            .limit(1)
        )
        found = await self._entries(query)
        return found[0] if found else None

    async def last_in_channel(
        self,
        channel_id: int,
        *,
        user_id: int = 0,
        kind: str = "",
        own: Sequence[str] = ("crew", "campaign"),
    ) -> int:
        """The scope that was last acted upon in a channel, or 0; what is no step of a game aside.

        own: kinds of scopes of which only those count that the user acted upon. kind: look among scopes of
        this kind alone.
        """
        query = (
            select(journal.c.scope)
            .join(scopes, scopes.c.id == journal.c.scope)
            .where(journal.c.channel_id == channel_id, journal.c.kind != "aside")
            .where(or_(scopes.c.kind.not_in(own), journal.c.actor_id == user_id))
            .order_by(journal.c.id.desc())
            .limit(1)
        )
        if kind:
            query = query.where(scopes.c.kind == kind)
        return int(await self._scalar(query) or 0)

    async def open_dice(self, scope: int) -> dict[str, Entry]:
        """The undone entries whose faces wait to be used again, the first of each action, by its key.

        The first: of a check and the same one rolled again, the dice fall once more in their order.

        Never faces that somebody typed: the bot's dice must not be chosen by hand.
        """
        query = (
            select(journal)
            .join(undone, and_(undone.c.scope == journal.c.scope, undone.c.seq == journal.c.seq))
            .where(undone.c.scope == scope, undone.c.open, journal.c.dice != "real")
            .order_by(journal.c.seq.desc())
        )
        return {entry.action_key: entry for entry in await self._entries(query)}

    async def undone_among(self, scope: int, first: int) -> set[int]:
        """Which entries, from one on, are undone at present."""
        async with self._reader.connect() as connection:
            rows = await connection.execute(
                select(undone.c.seq).where(undone.c.scope == scope, undone.c.seq >= first)
            )
            return {int(row[0]) for row in rows}

    async def taken_back_with(self, scope: int, seq: int) -> int:
        """The last undo that took an entry back; 0 where none tells."""
        query = select(func.max(journal.c.seq)).where(
            journal.c.scope == scope, journal.c.kind == "undo", journal.c.took.contains(f",{seq},")
        )
        return int(await self._scalar(query) or 0)

    async def _entries(self, query: Any) -> list[Entry]:
        async with self._reader.connect() as connection:
            return [Entry(*row) for row in await connection.execute(query)]

    # ------------------------------------------------------------------------------------ panels

    async def panel(self, scope: int) -> tuple[int, int, int] | None:
        """Where the panel of an encounter stands: channel, message, when it was posted (ms)."""
        async with self._reader.connect() as connection:
            found = (await connection.execute(select(panels).where(panels.c.scope == scope))).first()
            return None if found is None else (found[1], found[2], found[3])

    async def set_panel(self, scope: int, channel_id: int, message_id: int, posted_ms: int) -> None:
        """Remember where the panel stands now."""
        row: dict[str, int | str] = {
            "channel_id": channel_id,
            "message_id": message_id,
            "posted_ms": posted_ms,
        }
        row["seal"] = hash_of((scope, channel_id, message_id, posted_ms))

        def put(connection: Connection) -> None:
            moved = connection.execute(update(panels).where(panels.c.scope == scope).values(row))
            if moved.rowcount == 0:
                connection.execute(insert(panels), {"scope": scope, **row})

        await self._writer.run(put)


def _load(connection: Connection, number: int) -> Loaded | None:
    """A scope with all its rows, read in one transaction; None where there is none."""
    found = connection.execute(select(scopes).where(scopes.c.id == number)).one_or_none()
    if found is None:
        return None
    scope = _scope(found)
    snapshot: dict[str, dict[Key, Columns]] = {}
    for table in SCOPES[scope.kind]:
        places = [layout(table).names.index(name) for name in ROWS[table].key_fields]
        rows = connection.execute(_SELECT[table], {"the_scope": number})
        loaded = {tuple(row[place] for place in places): tuple(row) for row in rows}
        if loaded:
            snapshot[table] = loaded
    seed = connection.execute(select(seeds.c.seed).where(seeds.c.scope == number)).scalar_one_or_none()
    return Loaded(scope, snapshot, bytes.fromhex(seed or ""))


def _scope(row: SqlRow[Any]) -> Scope:
    return Scope(
        id=row.id,
        kind=row.kind,
        guild_id=row.guild_id,
        channel_id=row.channel_id,
        version=row.version,
        tip=row.tip,
        rolls=row.rolls,
        open_dice=row.open_dice,
        chain=row.chain,
        moved=row.moved,
    )


def _sort_dice(connection: Connection, scope: int, dice: UndoneDice) -> int:
    """Keep the list of undone entries; gives how many of them are open."""
    if dice.forget:
        connection.execute(delete(undone).where(undone.c.scope == scope, undone.c.seq.in_(dice.forget)))
    for seqs, is_open in ((dice.spend, False), (dice.reopen, True)):
        if seqs:
            meant = and_(undone.c.scope == scope, undone.c.seq.in_(seqs))
            connection.execute(update(undone).where(meant).values(open=is_open))
    if dice.add:
        rows = [
            {"scope": scope, "seq": seq, "action_key": key, "open": opened} for seq, key, opened in dice.add
        ]
        connection.execute(insert(undone), rows)
    counted = select(func.count()).select_from(undone).where(undone.c.scope == scope, undone.c.open)
    return int((connection.execute(counted)).scalar_one())


def _move(connection: Connection, scope: Scope, version: int) -> None:
    """Take the scope to its new version. Raises Stale where it is not at the old one."""
    moved = connection.execute(
        _MOVE_SCOPE,
        {
            "the_scope": scope.id,
            "old_version": version,
            "version": scope.version,
            "tip": scope.tip,
            "rolls": scope.rolls,
            "open_dice": scope.open_dice,
            "chain": scope.chain,
            "moved": scope.moved,
            "channel_id": scope.channel_id,
        },
    )
    if moved.rowcount != 1:
        raise Stale


def _write(connection: Connection, changes: Sequence[Change]) -> None:
    by_table: dict[str, list[Change]] = {}
    for change in changes:
        by_table.setdefault(change.table, []).append(change)
    for table, found in by_table.items():
        names = layout(table).names
        keys = ROWS[table].key_fields
        gone = [
            {f"key_{name}": part for name, part in zip(keys, change.key, strict=True)}
            for change in found
            if change.after is None
        ]
        came = [
            dict(zip(names, change.after, strict=True))
            for change in found
            if change.after is not None and change.before is None
        ]
        became = [
            {f"new_{name}": value for name, value in zip(names, change.after, strict=True)}
            | {f"key_{name}": part for name, part in zip(keys, change.key, strict=True)}
            for change in found
            if change.after is not None and change.before is not None
        ]
        for statement, rows in ((_DELETE[table], gone), (_INSERT[table], came), (_UPDATE[table], became)):
            if rows:
                connection.execute(statement, rows if len(rows) > 1 else rows[0])


_MOVING = ("version", "tip", "rolls", "open_dice", "chain", "moved", "channel_id")
_MOVE_SCOPE = (
    update(scopes)
    .where(scopes.c.id == bindparam("the_scope"), scopes.c.version == bindparam("old_version"))
    .values({name: bindparam(name) for name in _MOVING})
)
_INSERT_JOURNAL = insert(journal)
_INSERT_UNDELIVERED = insert(undelivered)
_SELECT = {
    name: select(table).where(table.c.scope == bindparam("the_scope")) for name, table in STATE.items()
}
_INSERT = {name: insert(table) for name, table in STATE.items()}
_DELETE = {
    name: delete(table).where(
        and_(*(table.c[part] == bindparam(f"key_{part}") for part in ROWS[name].key_fields))
    )
    for name, table in STATE.items()
}
_UPDATE = {
    name: update(table)
    .where(and_(*(table.c[part] == bindparam(f"key_{part}") for part in ROWS[name].key_fields)))
    .values({part: bindparam(f"new_{part}") for part in layout(name).names})
    for name, table in STATE.items()
}
