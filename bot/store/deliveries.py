"""Answers that have not arrived: stored with their entries, and removed once they have been read.

Every entry is written together with a mark that it is not answered yet; the mark goes, a little later and
many at once, when the answer has arrived. An entry that still has its mark when the program starts was done
and never reported.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy import Connection, delete, select

from bot.store.engine import Reader, Writer
from bot.store.errors import Busy, Lost, Unsure, Unwritable
from bot.store.journal import Entry, NewEntry
from bot.store.people import Nobody, readable
from bot.store.schema import journal, scopes, undelivered

PAUSE_SECONDS = 0.2
"""How long arrivals are gathered before they are written."""

MAX_LEFT = 500
"""Most entries that are looked at when the program starts, the latest."""

LAG_MS = 60_000
"""How old an entry is that another process may not be about to answer."""

Serves = Callable[[int], bool]
K = TypeVar("K")


def everywhere(_guild: int) -> bool:
    """Accept every server."""
    return True


@dataclass(frozen=True, slots=True)
class Asker:
    """The person who asks, and the place."""

    channel: int
    user: int


class Deliveries:
    """The marks of one database. alone: no other process answers its interactions. people: their names."""

    def __init__(self, writer: Writer, reader: Reader, *, alone: bool, people: Nobody | None = None) -> None:
        self._people = people or Nobody()
        self._writer = writer
        self._as_reader = reader
        self._alone = alone
        self._arrived: set[int] = set()
        self._writing: asyncio.Task[None] | None = None
        self._untold: dict[int, Entry] = {}
        self._doubtful: dict[Asker, dict[str, Entry]] = {}
        self._young: set[int] = set()

    async def recover(self, now_ms: int, serves: Serves = everywhere) -> None:
        """Find what was stored and not answered before the program started.

        Answers that other processes may be about to send are not reported yet: see `look_again`. serves:
        whether a server is one that this process tells.
        """
        for entry in await self._unanswered(serves):
            if self._alone or entry.at_ms < now_ms - LAG_MS:
                self.missed(entry)
            else:
                self._doubt(entry)
                self._young.add(entry.interaction_id)

    async def look_again(self, now_ms: int, serves: Serves = everywhere) -> None:
        """Find the answers of another process that was killed and will not send them any longer."""
        if not self._alone:
            entries = [entry for entry in await self._unanswered(serves) if entry.at_ms < now_ms - LAG_MS]
            self._untold.update((entry.interaction_id, entry) for entry in entries)
            self._young.difference_update(entry.interaction_id for entry in entries)

    async def _unanswered(self, serves: Serves) -> list[Entry]:
        """The entries that have their mark, in their order; the latest of very many."""
        query = (
            select(journal, scopes.c.guild_id)
            .join(scopes, scopes.c.id == journal.c.scope)
            .join(undelivered, undelivered.c.interaction_id == journal.c.interaction_id)
            .order_by(journal.c.id.desc())
            .limit(MAX_LEFT)
        )
        async with self._as_reader.connect() as connection:
            rows = await readable(self._people, connection, query)
        unanswered = (Entry(*row[:-1]) for row in reversed(rows) if serves(row[-1]))
        return [entry for entry in unanswered if entry.interaction_id not in self._arrived]

    def missed(self, entry: Entry) -> None:
        """Note that an entry's answer did not arrive: it has to be reported, and a repeat is doubtful."""
        self._untold[entry.interaction_id] = entry
        self._doubt(entry)

    def _doubt(self, entry: Entry) -> None:
        asker = Asker(entry.channel_id, entry.actor_id)
        self._doubtful.setdefault(asker, {})[entry.action_key] = entry

    def forget(self, user: int) -> None:
        """Forget a person and what was not reported to them."""
        for interaction in [key for key, entry in self._untold.items() if entry.actor_id == user]:
            del self._untold[interaction]
        for asker in [asker for asker in self._doubtful if asker.user == user]:
            del self._doubtful[asker]

    async def read_again(self) -> None:
        """Read the unreported entries again after someone was forgotten, because they may be gone or
        changed.
        """
        kept_ids = {entry.id for entry in self._untold.values()}
        kept_ids |= {entry.id for entries in self._doubtful.values() for entry in entries.values()}
        if not kept_ids:
            return
        query = select(journal).where(journal.c.id.in_(sorted(kept_ids)))
        async with self._as_reader.connect() as connection:
            rows = await readable(self._people, connection, query)
        new_entries = {entry.id: entry for entry in (Entry(*row) for row in rows)}
        _renew(self._untold, kept_ids, new_entries)
        for entries_known in self._doubtful.values():
            _renew(entries_known, kept_ids, new_entries)

    def take_untold(self) -> list[Entry]:
        """Return the entries to report now, oldest first; the caller reports them."""
        entries, self._untold = self._untold, {}
        return sorted(entries.values(), key=lambda entry: entry.id)

    async def to_be_told(self) -> list[Entry]:
        """Return the same, but for what another process has told meanwhile."""
        entries = self.take_untold()
        if self._alone or not entries:
            return entries
        try:
            marked = await self._marked(entry.interaction_id for entry in entries)
        except Exception:
            self._untold.update((entry.interaction_id, entry) for entry in entries)
            raise
        return [entry for entry in entries if entry.interaction_id in marked]

    async def _marked(self, interactions: Iterable[int]) -> set[int]:
        query = select(undelivered.c.interaction_id).where(undelivered.c.interaction_id.in_([*interactions]))
        async with self._as_reader.connect() as connection:
            return {row[0] for row in await connection.execute(query)} - self._arrived

    def arrived(self, interactions: Iterable[int]) -> None:
        """Note that these interactions were answered or reported."""
        for interaction in interactions:
            self._untold.pop(interaction, None)
            self._arrived.add(interaction)
        if self._arrived and (self._writing is None or self._writing.done()):
            self._writing = asyncio.create_task(self._write(), name="answers that arrived")

    async def close(self) -> None:
        """Write what arrived."""
        if self._writing is not None:
            self._writing.cancel()
            await asyncio.gather(self._writing, return_exceptions=True)
        if self._arrived:
            await self._forget()

    async def _write(self) -> None:
        while self._arrived:
            await asyncio.sleep(PAUSE_SECONDS)
            await self._forget()

    async def _forget(self) -> None:
        arrived = sorted(self._arrived)

        def drop(connection: Connection) -> None:
            for start in range(0, len(arrived), MAX_LEFT):
                batch: Sequence[int] = arrived[start : start + MAX_LEFT]
                connection.execute(delete(undelivered).where(undelivered.c.interaction_id.in_(batch)))

        try:
            await self._writer.run(drop)
        except (Busy, Lost, Unwritable):
            return
        self._arrived.difference_update(arrived)

    # ------------------------------------------------------------------------------------ asking again

    async def check(self, draft: NewEntry) -> None:
        """Refuse to repeat what was done but never answered, unless asked again. Raises Unsure."""
        doubtful = self._doubtful.get(Asker(draft.channel, draft.actor_id)) if self._doubtful else None
        entry = doubtful.get(draft.action_key) if doubtful else None
        if entry is None or draft.again or entry.interaction_id == draft.interaction:
            return
        if entry.interaction_id in self._young and not await self._marked((entry.interaction_id,)):
            return
        raise Unsure(entry)

    def went_on(self, draft: NewEntry) -> None:
        """Note that a person has gone on, so that they know of everything before."""
        if self._doubtful:
            self._doubtful.pop(Asker(draft.channel, draft.actor_id), None)


def _renew(entries: dict[K, Entry], asked_ids: Collection[int], new_entries: Mapping[int, Entry]) -> None:
    """Put what was read again in the place of what was there; what was asked for and is gone goes."""
    for key, entry in [*entries.items()]:
        if entry.id in new_entries:
            entries[key] = new_entries[entry.id]
        elif entry.id in asked_ids:
            del entries[key]
