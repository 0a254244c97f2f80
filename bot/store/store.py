"""The unit of work: load a scope, alter its book, commit state and journal together.

One transaction writes the rows that changed, the journal's entry with every change and the interaction's id,
and the scope's new version. It happens whole or not at all, and before the answer is sent. A scope that
changed in between is refused (`Stale`); an interaction that is already in the journal is returned
(`Repeated`). A loaded scope stays in memory until its version is out of date.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, TypeVar, cast

from sqlalchemy import Connection, bindparam, delete, insert
from sqlalchemy.exc import IntegrityError

from bot import meter
from bot.store.book import EMPTY_CHAIN, Book, Change, Loaded, Scope, Snapshot, UndoneDice
from bot.store.deliveries import Deliveries
from bot.store.engine import Reader, Writer
from bot.store.errors import Lost, Occupied, Repeated, Stale
from bot.store.journal import Entry, NewEntry, hash_of, link, salted, sealed, values, written_by
from bot.store.people import (
    HOW_OFTEN_FORGOTTEN,
    Introduced,
    Nobody,
    Pen,
    People,
    meet,
    met_before,
    pairs_in,
    write_changes,
)
from bot.store.reads import CardPlace, Reads
from bot.store.rows import layout
from bot.store.schema import journal, panels, scopes, seeds, undelivered
from bot.store.writes import move, put, seal_anew, sort_dice, write_rows

TURN_SECONDS = 0.2
"""How long one waits for a lock before something else is tried."""


@dataclass(slots=True)
class Locks:
    """A lock for each name that a task holds or waits for."""

    held: dict[object, tuple[asyncio.Lock, int]] = field(default_factory=dict)

    @asynccontextmanager
    async def hold(self, name: object, instead: Callable[[], Awaitable[T | None]]) -> AsyncIterator[T | None]:
        """See `Store.alone`."""
        lock, users = self.held.get(name, (asyncio.Lock(), 0))
        self.held[name] = (lock, users + 1)
        try:
            if not users:
                async with lock:
                    yield None
                return
            turn = asyncio.ensure_future(lock.acquire())
            try:
                value = None if await _comes(turn) else await instead()
                if value is None:
                    await turn
                yield value
            finally:
                if turn.done() and not turn.cancelled():
                    lock.release()
                turn.cancel()
        finally:
            lock, users = self.held.pop(name)
            if users > 1:
                self.held[name] = (lock, users - 1)


async def nothing_instead() -> None:
    """Wait, having nothing else to try."""


async def _comes(turn: asyncio.Future[Any]) -> bool:
    """Return whether one's turn comes soon."""
    await asyncio.sleep(0)
    if not turn.done():
        await asyncio.wait({turn}, timeout=TURN_SECONDS)
    return turn.done()


KEPT_SCOPES = 512
"""How many scopes stay in memory."""

KEPT_BOOKS = 128
"""Of how many of them the rows stay as they were last read."""

KEPT_SEEN = 16
"""Of how many of them the rows stay that were read for who only looked, and what was worked out from rows."""

UNDELIVERED = tuple(column.name for column in undelivered.columns)

_CHANNEL_PLACE = layout("encounters").names.index("channel_id")
_STATUS_PLACE = layout("encounters").names.index("status")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Keeping:
    """How long things are stored, in days, or 0 for no limit.

    servers_days: after the bot left a server. people_days: after a person last did something. copies_days:
    after an upgrade or a restore put a copy aside.
    """

    servers_days: int = 30
    people_days: int = 0
    copies_days: int = 30


class Store(Reads):
    """The database of one bot.

    writer and reader: engines as `bot.store.engine.make_engines` gives them. clock: milliseconds since 1970.
    people: turns numbers and names into what is written, and back; `Nobody` shows what is written.
    """

    def __init__(
        self, writer: Writer, reader: Reader, clock: Callable[[], int], people: Nobody | None = None
    ) -> None:
        super().__init__(reader, people)
        self._writer = writer
        self._clock = clock
        self._kept: OrderedDict[int, Loaded] = OrderedDict()
        self._books: OrderedDict[int, tuple[Loaded, Book]] = OrderedDict()
        self._seen: OrderedDict[int, tuple[Loaded, Book]] = OrderedDict()
        self._open: dict[int, tuple[Loaded, Sequence[Entry]]] = {}
        self._running: dict[int, int] = {}
        self._runs_in: dict[int, list[int]] = {}
        self._being_read: dict[int, object] = {}
        self._locks = Locks()
        self.keeping = Keeping()
        self._is_only_writer = writer.alone
        if isinstance(self.people, People):
            self.people.shared = not writer.alone
        self.deliveries = Deliveries(writer, reader, alone=self._is_only_writer, people=self.people)

    def now(self) -> int:
        """Return the time by the clock that stamps the journal, in milliseconds."""
        return self._clock()

    @property
    def is_shared(self) -> bool:
        """Return whether other processes may work on the same database."""
        return not self._is_only_writer

    async def close(self) -> None:
        """Close all connections; nothing may be under way."""
        await self.deliveries.close()
        await self._writer.close()
        await self._as_reader.close()

    @asynccontextmanager
    async def alone(
        self, name: object, instead: Callable[[], Awaitable[T | None]] = nothing_instead
    ) -> AsyncIterator[T | None]:
        """Hold the lock of a scope or channel, so that the next task waits.

        instead: tried once while it takes long; what it finds is given, and then the lock is not held.
        """
        async with self._locks.hold(name, instead) as value:
            yield value

    async def written(self, work: Callable[[Connection], None]) -> None:
        """Do work that writes what stands beside the state, in a transaction of its own."""
        await self._writer.run(work)

    # ------------------------------------------------------------------------------------ scopes

    async def new_scope(self, kind: str, guild_id: int, channel_id: int, seed: bytes = b"") -> Loaded:
        """Make an empty scope; its first rows come with its first commit.

        Raises Stale where another process has just made the one that a channel or a library has.
        """
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
            "shown": EMPTY_CHAIN,
        }

        def make(connection: Connection) -> int:
            number = int(connection.execute(_NEW_SCOPE, row).scalar_one())
            if seed:
                connection.execute(_NEW_SEED, {"scope": number, "seed": seed.hex()})
            return number

        try:
            number = await self._writer.run(make)
        except IntegrityError:
            raise Stale from None
        loaded = Loaded(Scope(number, kind, guild_id, channel_id), {}, seed, {}, self.people.forgotten)
        self._keep(loaded)
        return loaded

    async def discard(self, scope: int) -> None:
        """Delete a scope that was made for an action which was then refused."""
        self.forget(scope)

        def drop(connection: Connection) -> None:
            if connection.execute(_DROP_UNUSED, {"the_scope": scope}).rowcount:
                connection.execute(_DROP_SEED, {"the_scope": scope})

        await self._writer.run(drop)

    async def load(self, scope: int) -> Loaded | None:
        """Return the current scope, from memory if it is there; None if there is none.

        Waits for no writer. What was committed or forgotten while it was read is not kept in its place.
        Where other processes write too, what is in memory is proven fresh by the version in the database.
        """
        cached = self._kept.get(scope)
        if cached is not None and not self._is_only_writer and not await self._is_fresh(cached):
            if self._kept.get(scope) is cached:
                self.forget(scope)
            cached = self._kept.get(scope)
        if cached is not None:
            self._keep_longer(scope)
            return cached
        mark = self._being_read[scope] = object()
        loaded = await self.in_database(scope)
        if self._being_read.get(scope) is mark:
            del self._being_read[scope]
            if loaded is not None:
                self._keep(loaded)
        return loaded

    async def _is_fresh(self, loaded: Loaded) -> bool:
        """Whether no other process has changed a scope since, or taken out anybody who may be named in it."""
        return await self.stands(loaded.scope) and loaded.forgotten == self.people.forgotten

    def _keep_longer(self, scope: int) -> None:
        if scope in self._kept:
            self._kept.move_to_end(scope)

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
        self._forget_running(scope)
        for columns in loaded.snapshot.get("encounters", {}).values():
            if columns[_STATUS_PLACE] != "ended":
                channel = cast(int, columns[_CHANNEL_PLACE])
                self._running[channel] = scope
                self._runs_in.setdefault(scope, []).append(channel)

    def _forget_running(self, scope: int) -> None:
        for channel in self._runs_in.pop(scope, ()):
            if self._running.get(channel) == scope:
                del self._running[channel]

    def forget(self, scope: int) -> None:
        """Drop what is kept in memory of a scope."""
        self._being_read.pop(scope, None)
        self._kept.pop(scope, None)
        self._books.pop(scope, None)
        self._seen.pop(scope, None)
        self._open.pop(scope, None)
        self._forget_running(scope)

    def book_of(self, loaded: Loaded) -> Book:
        """Return a book of these rows for the caller only: the one that the last commit left, if it has
        exactly these rows, with all that was read from it; otherwise a new one.
        """
        left = self._books.pop(loaded.scope.id, None)
        return left[1] if left is not None and left[0] is loaded else loaded.book()

    def leave_book(self, loaded: Loaded, book: Book) -> None:
        """Leave a book whose rows were just committed to the next action; no one else may use it."""
        if self._kept.get(loaded.scope.id) is not loaded:
            return
        book.go_on(loaded.snapshot)
        self._books[loaded.scope.id] = (loaded, book)
        for _, older in islice(reversed(self._books.values()), KEPT_SEEN, KEPT_SEEN + 1):
            older.forget_worked_out()
        while len(self._books) > KEPT_BOOKS:
            self._books.popitem(last=False)

    def book_seen(self, loaded: Loaded) -> Book:
        """Return a book of these rows for who only looks: all who do share it, with all that was read of
        it.

        A task that tries something on it puts that back before it waits for anything.
        """
        scope = loaded.scope.id
        known, book = self._seen.get(scope, (None, None))
        if book is None or known is not loaded or book.is_touched:
            book = loaded.book()
        if self._kept.get(scope) is loaded:
            self._seen[scope] = (loaded, book)
            self._seen.move_to_end(scope)
            while len(self._seen) > KEPT_SEEN:
                self._seen.popitem(last=False)
        return book

    async def open_dice_of(self, loaded: Loaded) -> Sequence[Entry]:
        """Return the undone entries whose faces wait to be used again, oldest first: see `open_dice`."""
        if not loaded.scope.open_dice:
            return ()
        known, entries = self._open.get(loaded.scope.id, (None, ()))
        if known is not loaded:
            entries = await self.open_dice(loaded.scope.id)
            if self._kept.get(loaded.scope.id) is loaded:
                self._open[loaded.scope.id] = (loaded, entries)
        return entries

    def forget_all(self) -> None:
        """Forget everything in memory, because names in it may be of people who have been removed."""
        for scope in [*self._kept]:
            self.forget(scope)
        self._being_read.clear()

    @property
    def file(self) -> str:
        """Return the database's file; empty where it is none."""
        url = self._writer.engine.url
        return (url.database or "") if url.get_backend_name() == "sqlite" else ""

    async def running_encounter(self, channel_id: int) -> int:
        """Return the scope of the encounter that runs in a channel, or 0."""
        if channel_id in self._running:
            return self._running[channel_id]
        return await self.runs_in(channel_id)

    # ------------------------------------------------------------------------------------ commit

    async def commit(
        self,
        loaded: Loaded,
        after: Snapshot,
        changes: Sequence[Change],
        draft: NewEntry,
        dice: UndoneDice | None = None,
    ) -> Loaded:
        """Write the changes that led to `after`, with their journal entry; gives the scope as it is now.

        Raises Stale, Repeated, Occupied, Unsure; then nothing was written. Raises Lost.
        """
        await self.deliveries.check(draft)
        old = loaded.scope
        scopes = (loaded, *draft.outside)
        if any(scope_held.forgotten != self.people.forgotten for scope_held in scopes):
            for scope_held in scopes:
                self.forget(scope_held.scope.id)
            raise Stale
        known_as_of = await self._people_as_of()
        pen = await self._pen(loaded, after, draft)
        changes, written = write_changes(pen, changes, loaded.written)
        drafted = written_by(pen, draft, salted(draft.asked, loaded.seed, old.version + 1))
        row = values(drafted, changes, old.id, old.version + 1, old.tip, self._clock(), draft.action_key)
        scope = _scope_after(old, draft, link(old.chain, row))
        row["seal"] = sealed(row, scope.kind, scope.guild_id)

        def write(connection: Connection) -> Scope:
            if loaded.forgotten != self.people.forgotten:
                raise Stale
            return _write(connection, old, scope, changes, row, dice, known_as_of)

        scope = await self._written(write, old.id, draft)
        self.deliveries.went_on(draft)
        self.wrote(row)
        current = Loaded(scope, after, loaded.seed, written, loaded.forgotten)
        self._keep(current)
        known, opened = self._open.pop(scope.id, (None, ()))
        if known is loaded and not dice:
            self._open[scope.id] = (current, opened)
        return current

    async def _written(self, write: Callable[[Connection], Scope], scope: int, draft: NewEntry) -> Scope:
        """The scope as it was written. Raises Stale, Repeated, Occupied, Lost, and forgets it then."""
        try:
            with meter.commit():
                return await self._writer.run(write)
        except IntegrityError as error:
            await self._explain(error, scope, draft.interaction)
            raise
        except Stale:
            self.forget(scope)
            await self._people_as_of(anew=True)
            raise
        except Lost as lost:
            self.forget(scope)
            raise Lost(in_commit=True) from lost

    async def _people_as_of(self, *, anew: bool = False) -> int | None:
        """See `People.as_of`; None where no other process takes anybody out.

        anew: people are proven; those removed since are no longer known.
        """
        people = self.people
        if not isinstance(people, People) or not people.shared:
            return None
        if people.as_of is None or anew:
            async with self.reading() as connection:
                people.prove((await connection.execute(HOW_OFTEN_FORGOTTEN)).scalar_one())
        return people.as_of

    def wrote(self, row: Mapping[str, object]) -> None:
        """Receive the columns of each journal row that was written; nothing is done with them here."""

    async def _pen(self, loaded: Loaded, after: Snapshot, draft: NewEntry) -> Pen:
        """Return the pen for writing a scope with these people and those in the entry; new people are
        added first.
        """
        people = self.people
        if not isinstance(people, People):
            return Pen({}, ())
        pairs = [(draft.actor_id, draft.actor), *pairs_in(after)]
        for other in draft.outside:
            pairs += pairs_in(other.snapshot)
        people.make_room()

        def met(connection: Connection) -> list[Introduced]:
            if loaded.forgotten != people.forgotten:
                raise Stale
            return meet(connection, strange)

        if strange := people.strangers(pairs):
            await self._meet_again(people, strange)
        while strange and (strange := people.strangers(pairs)):
            try:
                introductions = await self._writer.run(met)
            except IntegrityError:  # another process met them at this moment
                introductions = await self._writer.run(met)
            if loaded.forgotten != people.forgotten:
                raise Stale
            people.learn(introductions)
        return people.pen({user for user, _ in pairs})

    async def _meet_again(self, people: People, strange: Sequence[tuple[int, str]]) -> None:
        """Look up those who have aliases and tokens already: nothing is written for them."""
        forgotten, users = people.forgotten, {user for user, _ in strange}
        introductions = await self._as_reader.read(lambda db: [met_before(db, user) for user in users])
        if forgotten == people.forgotten:
            people.learn(introduced for introduced in introductions if introduced is not None)

    async def _explain(self, error: IntegrityError, scope: int, interaction: int) -> None:
        answered = await self.answered(interaction)
        if answered is not None:
            raise Repeated(answered) from None
        self.forget(scope)
        if "encounters" in str(error.orig):
            raise Occupied from None

    async def set_panel(self, scope: int, standing: CardPlace) -> None:
        """Remember where the card stands now."""
        row = {"scope": scope, **standing._asdict(), "seal": hash_of((scope, *standing))}
        await self._writer.run(lambda connection: put(connection, panels, row))


def _scope_after(old: Scope, draft: NewEntry, chain: str) -> Scope:
    """A scope with one entry more, whose hash is the last of the chain."""
    seq = old.version + 1
    return replace(
        old,
        version=seq,
        tip={"do": seq, "aside": old.tip}.get(draft.kind, draft.tip),
        moved=old.moved if draft.quiet or draft.kind == "aside" else seq,
        rolls=old.rolls + (draft.number >= 0),
        chain=chain,
        shown=old.shown if draft.quiet else chain,
        channel_id=draft.channel or old.channel_id,
        guild_id=draft.guild or old.guild_id,
    )


def _write(
    connection: Connection,
    old: Scope,
    scope: Scope,
    changes: Sequence[Change],
    row: Mapping[str, object],
    dice: UndoneDice | None,
    known_as_of: int | None,
) -> Scope:
    """Scope, rows and journal, as one; gives the scope with how many dice of it wait. Raises Stale."""
    opened = sort_dice(connection, old.id, dice) if dice else scope.open_dice
    moved_scope = replace(scope, open_dice=opened)
    move(connection, moved_scope, old, known_as_of)
    if moved_scope.guild_id != old.guild_id:
        seal_anew(connection, moved_scope)
    write_rows(connection, changes)
    connection.execute(_INSERT_JOURNAL, row)
    connection.execute(_INSERT_UNDELIVERED, {name: row[name] for name in UNDELIVERED})
    return moved_scope


async def running_game(store: Store, channel_id: int) -> Loaded | None:
    """Return the encounter that runs in a channel; None if there is none.

    This asks the store that it is given, so that a store that notes what is read notes this too.
    """
    scope = await store.running_encounter(channel_id)
    return await store.load(scope) if scope else None


_NEW_SCOPE, _NEW_SEED = insert(scopes).returning(scopes.c.id), insert(seeds)
_DROP_UNUSED = delete(scopes).where(scopes.c.id == bindparam("the_scope"), scopes.c.version == 0)
_DROP_SEED = delete(seeds).where(seeds.c.scope == bindparam("the_scope"))
_INSERT_JOURNAL = insert(journal)
_INSERT_UNDELIVERED = insert(undelivered)
