"""Everything the store reads: scopes, what a server keeps, the journal. Nothing here writes."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import (
    BindParameter,
    CompoundSelect,
    Connection,
    Select,
    and_,
    bindparam,
    exists,
    false,
    literal,
    or_,
    select,
    true,
    union_all,
)

from bot.store.book import Loaded, Scope
from bot.store.engine import Reader
from bot.store.journal import Entry, Meant, compact, meant_by, root_of
from bot.store.people import HOW_OFTEN_FORGOTTEN, MIN_ID, Nobody, People, is_person, read_rows, readable
from bot.store.rows import ROWS, SCOPES, Columns, Key, layout
from bot.store.schema import STATE, journal, panels, scopes, seeds, undone

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection


_ENCOUNTERS, _CREWS = STATE["encounters"], STATE["crews"]
_CAMPAIGNS, _ENTRANTS = STATE["campaigns"], STATE["entrants"]
_PENDINGS = STATE["pendings"]
_GUILD: BindParameter[int] = bindparam("guild_id")
_CHANNEL: BindParameter[int] = bindparam("channel_id")

RUNNING = select(_ENCOUNTERS.c.scope).where(
    _ENCOUNTERS.c.channel_id == _CHANNEL, _ENCOUNTERS.c.status != "ended"
)
"""The encounter that runs in a channel."""

LIBRARY = (
    select(scopes.c.id)
    .where(scopes.c.guild_id == _GUILD, scopes.c.kind == "library")
    .order_by(scopes.c.id)
    .limit(1)
)
"""The scope of what a server keeps for all its channels."""

CREWS = (
    select(_CREWS.c.scope, _CREWS.c.name, _CREWS.c.system, _CREWS.c.owner_id)
    .where(_CREWS.c.guild_id == _GUILD, _CREWS.c.status == "kept")
    .order_by(_CREWS.c.scope)
)
"""The crews kept in a guild."""

CREWS_OF_A_GAME = CREWS.where(_CREWS.c.system == bindparam("system"))

CAMPAIGNS = (
    select(_CAMPAIGNS.c.scope, _CAMPAIGNS.c.name, _CAMPAIGNS.c.status, _CAMPAIGNS.c.archived)
    .where(_CAMPAIGNS.c.guild_id == _GUILD)
    .order_by(_CAMPAIGNS.c.scope)
)
"""The campaigns of a guild."""

CAMPAIGNS_OF_A_CREW = (
    select(
        _CAMPAIGNS.c.scope,
        _CAMPAIGNS.c.name,
        _CAMPAIGNS.c.status,
        _ENTRANTS.c.id,
        _ENTRANTS.c.status.label("how"),
        _CAMPAIGNS.c.archived,
    )
    .join(_ENTRANTS, _ENTRANTS.c.scope == _CAMPAIGNS.c.scope)
    .where(_CAMPAIGNS.c.guild_id == _GUILD, _ENTRANTS.c.crew == bindparam("crew"))
    .order_by(_CAMPAIGNS.c.scope, _ENTRANTS.c.id)
)
"""The campaigns that a crew joined."""

ANSWERED = select(journal).where(journal.c.interaction_id == bindparam("interaction"))
"""The entry of an interaction."""

ENTRY = select(journal).where(journal.c.scope == bindparam("scope"), journal.c.seq == bindparam("seq"))
"""One entry of a scope's journal."""

OPEN_DICE = (
    select(journal)
    .join(undone, and_(undone.c.scope == journal.c.scope, undone.c.seq == journal.c.seq))
    .where(undone.c.scope == bindparam("scope"), undone.c.open)
    .order_by(journal.c.seq)
)
"""The undone entries whose faces wait to be used again."""

REPEATS = select(journal.c.seq, journal.c.repeats).where(
    journal.c.scope == bindparam("scope"), journal.c.repeats != 0
)
"""Every entry that used the faces of another again, with that one."""

_REPEATED = select(journal.c.repeats.label("seq")).where(
    journal.c.scope == bindparam("scope"), journal.c.repeats != 0
)
_FIRST = _REPEATED.where(journal.c.seq.in_(bindparam("entries", expanding=True))).cte(recursive=True)
_CHAIN = _FIRST.union(_REPEATED.where(journal.c.seq == _FIRST.c.seq))

REPEATED = select(journal).where(
    journal.c.scope == bindparam("scope"), journal.c.seq.in_(select(_CHAIN.c.seq))
)
"""The entries whose faces these used again, and those whose faces they used, to the first."""

UNDONE_KEYS = select(undone.c.seq, undone.c.action_key).where(undone.c.scope == bindparam("scope"))
"""Every undone entry, with what tells its decision from others."""

UNDONE_FROM = select(undone.c.seq).where(
    undone.c.scope == bindparam("scope"), undone.c.seq >= bindparam("first")
)
"""Which entries, from one on, are undone."""


CHANNEL_SCOPE = (
    select(scopes.c.id).where(scopes.c.channel_id == _CHANNEL, scopes.c.kind == "channel").limit(1)
)
"""The scope of a channel for what is rolled there without an encounter."""

LAST_ROLL = (
    select(journal.c.seq)
    .where(journal.c.scope == bindparam("scope"), journal.c.faces != "[]")
    .order_by(journal.c.seq.desc())
    .limit(1)
)
"""The last entry in which dice fell."""

NEWEST_CHILD = (
    select(journal)
    .where(journal.c.scope == bindparam("scope"), journal.c.parent == bindparam("parent"))
    .where(journal.c.kind == "do")
    .order_by(journal.c.seq.desc())
    .limit(1)
)
"""The latest action that was done on top of an entry."""

TAKEN_BACK_WITH = (
    select(journal.c.seq)
    .where(journal.c.scope == bindparam("scope"), journal.c.kind == "undo")
    .where(journal.c.took.contains(bindparam("one")))
    .order_by(journal.c.seq.desc())
    .limit(1)
)
"""The last undo that took an entry back."""

OPEN_CAMPAIGNS = (
    select(_CAMPAIGNS.c.name, _CAMPAIGNS.c.start_points)
    .where(_CAMPAIGNS.c.guild_id == _GUILD, _CAMPAIGNS.c.system == bindparam("system"))
    .where(_CAMPAIGNS.c.status == "open", _CAMPAIGNS.c.start_points > 0, ~_CAMPAIGNS.c.archived)
    .order_by(_CAMPAIGNS.c.scope)
    .limit(3)
)
"""The campaigns that crews of a game may join and that limit them."""

WAITING_ROLL = (
    select(_PENDINGS.c.scope)
    .join(scopes, scopes.c.id == _PENDINGS.c.scope)
    .where(scopes.c.guild_id == _GUILD, or_(scopes.c.kind == "crew", scopes.c.kind == "campaign"))
    .outerjoin(
        _ENTRANTS, and_(_ENTRANTS.c.scope == _PENDINGS.c.scope, _ENTRANTS.c.owner == _PENDINGS.c.thrower)
    )
    .where(
        or_(
            is_person(_PENDINGS.c.user_id, bindparam("user_id")),
            is_person(_ENTRANTS.c.owner_id, bindparam("user_id")),
        )
    )
    .order_by(_PENDINGS.c.scope.desc())
    .limit(1)
)
"""The crew or campaign of a guild where a roll waits for dice of a person, the latest."""


class CardPlace(NamedTuple):
    """Where the card of an encounter stands.

    posted_ms: when it was posted. since: the first entry that it tells of. activation: whose it is, as the
    cards write it. awaited, awaited_ms: the players that the game waits for, and since when; empty and 0 for
    none. changes_ms: when time alone changes it, 0 for never.
    """

    channel_id: int
    message_id: int
    posted_ms: int
    since: int = 0
    activation: str = ""
    awaited: str = ""
    awaited_ms: int = 0
    changes_ms: int = 0


PANEL = select(*(panels.c[name] for name in CardPlace._fields)).where(panels.c.scope == bindparam("scope"))
"""Where the card of an encounter stands."""

PANEL_BEFORE = (
    select(panels.c.scope)
    .where(panels.c.channel_id == bindparam("channel"), panels.c.scope != bindparam("scope"))
    .order_by(panels.c.message_id.desc())
    .limit(1)
)
"""The encounter whose card was the last in a channel before that of another."""

WAITED_FOR = select(panels.c.scope).where(panels.c.awaited_ms > 0, panels.c.awaited_ms <= bindparam("until"))
"""The encounters that have waited for a player since a time, or longer."""

TO_BE_CHANGED = select(panels.c.scope, panels.c.changes_ms).where(
    panels.c.changes_ms > 0, panels.c.changes_ms <= bindparam("until")
)
"""The encounters whose cards change up to a time although no one does anything."""


class EntryReply(NamedTuple):
    """An entry of the journal by what it answered, as JSON."""

    seq: int
    command: str
    minor: bool
    reply: str


_LAST = (
    select(*(journal.c[name] for name in EntryReply._fields))
    .where(journal.c.scope == bindparam("scope"), journal.c.seq >= bindparam("first"))
    .order_by(journal.c.seq.desc())
    .limit(bindparam("count"))
    .subquery()
)

SINCE = select(_LAST).where(_LAST.c.seq.not_in(UNDONE_FROM)).order_by(_LAST.c.seq)
"""The last entries, from one on, but for those of them that are undone."""


@cache
def latest(*, before: bool, of_model: bool, minor: bool) -> Select[Any]:
    """Return the latest entries, newest first. of_model: that touched one; minor: those too."""
    query = select(journal).where(journal.c.scope == bindparam("scope"))
    if not minor:
        query = query.where(journal.c.minor.is_(False))
    if before:
        query = query.where(journal.c.seq < bindparam("before"))
    if of_model:
        query = query.where(journal.c.touches.contains(bindparam("touched")))
    return query.order_by(journal.c.seq.desc()).limit(bindparam("count"))


@cache
def last_of_kind(kinds: tuple[str, ...]) -> Select[Any]:
    """Return the last entry of these kinds."""
    query = select(journal).where(journal.c.scope == bindparam("scope"))
    query = query.where(or_(false(), *(journal.c.kind == kind for kind in kinds)))
    return query.order_by(journal.c.seq.desc()).limit(1)


@cache
def minor_entries(commands: tuple[str, ...]) -> Select[tuple[int]]:
    """Return the places of the minor entries that these commands made, in order."""
    query = select(journal.c.seq).where(journal.c.scope == bindparam("scope"), journal.c.minor)
    return query.where(or_(false(), *(journal.c.command == command for command in commands))).order_by(
        journal.c.seq
    )


@cache
def last_in_channel(own_kinds: tuple[str, ...], *, of_a_kind: bool) -> Select[tuple[int]]:
    """Return the scope last used in a channel, among those of the kinds `own` and of that user.

    of_a_kind: among the scopes of one kind alone.
    """
    by_whom = is_person(journal.c.actor_id, bindparam("user_id"))
    query = (
        select(journal.c.scope)
        .join(scopes, scopes.c.id == journal.c.scope)
        .where(journal.c.channel_id == _CHANNEL, journal.c.kind != "aside")
        .where(or_(and_(true(), *(scopes.c.kind != own_kind for own_kind in own_kinds)), by_whom))
        .order_by(journal.c.id.desc())
        .limit(1)
    )
    return query.where(scopes.c.kind == bindparam("kind")) if of_a_kind else query


HIGHEST = 2**63 - 1
"""The highest number that a scope can have; a made-up id may name a higher one."""


class Reads:
    """What can be asked of the database of one bot."""

    def __init__(self, reader: Reader, people: Nobody | None = None) -> None:
        self._as_reader = reader
        self.people = People() if people is None else people

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Any]:
        """Open a connection that only reads."""
        async with self._as_reader.connect() as connection:
            yield connection

    async def in_database(self, scope: int) -> Loaded | None:
        """Return the scope from the database, read in one transaction, or None if it isn't there."""
        if not 0 < scope <= HIGHEST:
            return None
        return await self._as_reader.read(lambda connection: _load(connection, scope, self.people))

    async def stands(self, scope: Scope) -> bool:
        """Return whether the database has this scope as it is known here, and its people too."""
        values = {"the_scope": scope.id}
        async with self.reading() as connection:
            rows = (await connection.execute(_STANDS, values)).all()
        if not rows:
            return False
        version, chain, forgotten = rows[0]
        if isinstance(self.people, People):
            self.people.prove(forgotten)
        return (version, chain) == (scope.version, scope.chain)

    async def runs_in(self, channel_id: int) -> int:
        """Return the scope of the encounter that runs in a channel by the database, or 0."""
        values = {"channel_id": channel_id}
        async with self.reading() as connection:
            rows = (await connection.execute(RUNNING, values)).all()
        return int(rows[0][0]) if rows else 0

    async def channel_scope(self, channel_id: int) -> int:
        """Return the scope of a channel for what is rolled there without an encounter, or 0."""
        return await self._number(CHANNEL_SCOPE, {"channel_id": channel_id})

    async def library_scope(self, guild_id: int) -> int:
        """Return the scope of what a server keeps for all its channels, or 0."""
        return await self._number(LIBRARY, {"guild_id": guild_id})

    async def crews(self, guild_id: int, system: str = "") -> list[tuple[int, str, str, int]]:
        """Return the crews kept in a guild, newest last: scope, name, system, owner."""
        query = CREWS_OF_A_GAME if system else CREWS
        values = {"guild_id": guild_id, **({"system": system} if system else {})}
        return [(row[0], row[1], row[2], row[3]) for row in await self.found(query, values)]

    async def campaigns(self, guild_id: int) -> list[tuple[int, str, str]]:
        """Return the campaigns of a guild, newest last: scope, name, status; those put away are archived."""
        rows = await self.found(CAMPAIGNS, {"guild_id": guild_id})
        return [(row[0], row[1], "archived" if row[3] else row[2]) for row in rows]

    async def open_campaigns(self, guild_id: int, system: str) -> list[tuple[str, int]]:
        """Return the campaigns of a guild that crews of a game may join and that limit them: name, points."""
        rows = await self.found(OPEN_CAMPAIGNS, {"guild_id": guild_id, "system": system})
        return [(row[0], row[1]) for row in rows]

    async def campaigns_of(self, guild_id: int, crew: int) -> list[tuple[int, str, str, int, str]]:
        """Return the campaigns that a kept crew joined, newest last: scope, name, status, its entrant and
        the entrant's status."""
        values = {"guild_id": guild_id, "crew": crew}
        rows = await self.found(CAMPAIGNS_OF_A_CREW, values)
        return [(row[0], row[1], "archived" if row[5] else row[2], row[3], row[4]) for row in rows]

    async def waiting_roll(self, guild_id: int, user_id: int) -> int:
        """Return the crew or campaign of a guild in which this person's latest roll waits for dice, or 0."""
        return await self._number(WAITING_ROLL, {"guild_id": guild_id, "user_id": user_id})

    async def encounters_with(self, guild_id: int, key: str, value: str) -> list[dict[str, str]]:
        """Return the settings of a guild's encounters, also ended ones, in which this key has this value."""
        table = STATE["encounters"]
        fragment = compact({key: value}).strip("{}")
        query = select(table.c.settings).where(
            table.c.guild_id == guild_id, table.c.settings.contains(fragment, autoescape=True)
        )
        async with self._as_reader.connect() as connection:
            rows = await self.readable(connection, query.order_by(table.c.scope))
            fields_found: list[dict[str, str]] = [json.loads(row[0]) for row in rows]
        return [fields for fields in fields_found if fields.get(key) == value]

    async def finished_with(self, guild_id: int, key: str, value: str) -> list[int]:
        """Return the scopes of a guild's ended encounters in whose settings this key has this value."""
        table = STATE["encounters"]
        fragment = compact({key: value}).strip("{}")
        query = select(table.c.scope, table.c.settings).where(
            table.c.guild_id == guild_id,
            table.c.status == "ended",
            table.c.settings.contains(fragment, autoescape=True),
        )
        async with self._as_reader.connect() as connection:
            rows = await self.readable(connection, query.order_by(table.c.scope))
            return [row[0] for row in rows if json.loads(row[1]).get(key) == value]

    async def panel(self, scope: int) -> CardPlace | None:
        """Return where the card of an encounter is, or None."""
        async with self.reading() as connection:
            rows = (await connection.execute(PANEL, {"scope": scope})).all()
        return CardPlace(*rows[0]) if rows else None

    async def panel_before(self, channel_id: int, scope: int) -> int:
        """Return the other encounter whose card is the newest in a channel, or 0."""
        async with self.reading() as connection:
            rows = (await connection.execute(PANEL_BEFORE, {"channel": channel_id, "scope": scope})).all()
        return int(rows[0].scope) if rows else 0

    async def waited_for(self, until_ms: int) -> list[int]:
        """Return the encounters that have waited for a player since this time, or longer."""
        async with self.reading() as connection:
            return [row[0] for row in await connection.execute(WAITED_FOR, {"until": until_ms})]

    async def cards_to_change(self, until_ms: int) -> dict[int, int]:
        """Return the encounters whose cards should have changed up to this time, and when."""
        async with self.reading() as connection:
            rows = await connection.execute(TO_BE_CHANGED, {"until": until_ms})
            return {row[0]: row[1] for row in rows}

    async def card(self, scope: int, moved: int, count: int) -> tuple[CardPlace | None, list[EntryReply]]:
        """Return where the card of an encounter is, and what was answered since it began, oldest first.

        moved: the first entry where there is no card. Of the last so many entries, those that are undone are
        left out.
        """

        def find_it(connection: Connection) -> tuple[CardPlace | None, Sequence[Any]]:
            rows = connection.execute(PANEL, {"scope": scope}).all()
            place = CardPlace(*rows[0]) if rows else None
            first = place.since if place is not None else moved
            return place, self._found(connection, SINCE, {"scope": scope, "first": first, "count": count})

        place, rows = await self._as_reader.read(find_it)
        return place, [EntryReply(*map(self.people.read, row)) for row in rows]

    # ------------------------------------------------------------------------------------ journal

    async def answered(self, interaction: int) -> Entry | None:
        """Return the entry of an interaction that is in the journal, or None."""
        return await self._entry(ANSWERED, {"interaction": interaction})

    async def entry(self, scope: int, seq: int) -> Entry | None:
        """Return one entry of the journal."""
        return await self._entry(ENTRY, {"scope": scope, "seq": seq})

    async def latest(
        self, scope: int, count: int, *, before: int = 0, model: int = 0, minor: bool = True
    ) -> list[Entry]:
        """Return the latest entries, oldest first; only those before an entry, or of a model, if given.

        minor: entries that belong to the next one, too.
        """
        query = latest(before=before > 0, of_model=model > 0, minor=minor)
        values: dict[str, Any] = {"scope": scope, "count": count}
        if before:
            values["before"] = before
        if model:
            values["touched"] = f",{model},"
        return [Entry(*row) for row in await self.found(query, values)][::-1]

    async def last_of_kind(self, scope: int, *kinds: str) -> Entry | None:
        """Return the last entry of these kinds, or None."""
        return await self._entry(last_of_kind(kinds), {"scope": scope})

    async def minor_entries(self, scope: int, commands: Sequence[str]) -> list[int]:
        """Return the places of the minor entries that these commands made, in order."""
        entries = await self.found(minor_entries(tuple(commands)), {"scope": scope})
        return [int(row[0]) for row in entries]

    async def last_roll(self, scope: int) -> int:
        """Return the last entry that rolled dice, undone or not, or 0."""
        return await self._number(LAST_ROLL, {"scope": scope})

    async def all_entries(self, scope: int) -> list[Entry]:
        """Return the whole journal of a scope, oldest first."""
        query = select(journal).where(journal.c.scope == scope).order_by(journal.c.seq)
        async with self._as_reader.connect() as connection:
            return [Entry(*row) for row in await self.readable(connection, query)]

    async def steps_that_changed(
        self, scope: int, tables: Sequence[str], limit: int
    ) -> list[tuple[int, str, str]]:
        """Return place, title and changes of the first current steps that changed one of these tables."""
        query = (
            select(journal.c.seq, journal.c.title, journal.c.changes)
            .outerjoin(undone, and_(undone.c.scope == journal.c.scope, undone.c.seq == journal.c.seq))
            .where(journal.c.scope == scope, journal.c.kind == "do", undone.c.seq.is_(None))
            .where(or_(*(journal.c.changes.contains(f'["{table}",') for table in tables)))
            .order_by(journal.c.seq)
            .limit(limit)
        )
        async with self._as_reader.connect() as connection:
            return [(row[0], row[1], row[2]) for row in await self.readable(connection, query)]

    async def written_entries(self, scope: int) -> list[Entry]:
        """Return the whole journal of a scope as it is written and hashed, oldest first."""
        query = select(journal).where(journal.c.scope == scope).order_by(journal.c.seq)
        async with self._as_reader.connect() as connection:
            return [Entry(*row) for row in await connection.execute(query)]

    async def meant(self, entries: Sequence[Entry]) -> Meant:
        """Return which people are meant in entries as they are written."""
        async with self._as_reader.connect() as connection:
            return await meant_by(connection, entries)

    async def people_of(self, scope: int, *users: int) -> list[int]:
        """Return the numbers of everyone in a scope's journal, and of these people, in order."""
        people = await self.meant(await self.written_entries(scope))
        return sorted({*people.ids, *(user for user in users if user >= MIN_ID)})

    async def newest_child(self, scope: int, parent: int) -> Entry | None:
        """Return the latest action that was done on top of an entry: what redo does again."""
        return await self._entry(NEWEST_CHILD, {"scope": scope, "parent": parent})

    async def last_in_channel(
        self, channel_id: int, *, user_id: int = 0, kind: str = "", own: Sequence[str] = ("crew", "campaign")
    ) -> int:
        """Return the scope that was last used in a channel, or 0; entries that are not steps don't count.

        own: kinds of scopes of which only those count that the user acted upon. kind: look among scopes of
        this kind alone.
        """
        query = last_in_channel(tuple(own), of_a_kind=bool(kind))
        values = {"channel_id": channel_id, "user_id": user_id, **({"kind": kind} if kind else {})}
        return await self._number(query, values)

    async def newest_encounter(self) -> int:
        """Return the scope of the encounter that began last, or 0."""
        query = select(scopes.c.id).where(scopes.c.kind == "encounter").order_by(scopes.c.id.desc()).limit(1)
        return await self._number(query, {})

    async def open_dice(self, scope: int) -> list[Entry]:
        """Return the undone entries whose faces wait to be used again, oldest first.

        Of a check and the same one rolled again, the dice fall once more in their order.
        """
        return [Entry(*row) for row in await self.found(OPEN_DICE, {"scope": scope})]

    async def repeated_by(self, scope: int, entries: Sequence[Entry]) -> dict[int, Entry]:
        """Return the entries whose faces these entries used again, by their places, back to the first."""
        repeats = [entry.seq for entry in entries if entry.repeats]
        rows = await self.found(REPEATED, {"scope": scope, "entries": repeats}) if repeats else ()
        return {entry.seq: entry for entry in (Entry(*row) for row in rows)}

    async def undone_kin(self, scope: int, entries: Sequence[Entry]) -> tuple[int, ...]:
        """Return the undone entries of other decisions that share faces with one of these."""
        repeats = dict(await self.found(REPEATS, {"scope": scope}))
        keys = dict(await self.found(UNDONE_KEYS, {"scope": scope}))
        roots: dict[int, set[str]] = {}
        for entry in entries:
            if entry.faces != "[]":
                roots.setdefault(root_of(entry.seq, repeats), set()).add(entry.action_key)
        return tuple(seq for seq, key in keys.items() if key not in roots.get(root_of(seq, repeats), {key}))

    async def undone_among(self, scope: int, first: int) -> set[int]:
        """Return which entries, from one on, are undone at present."""
        return {int(row[0]) for row in await self.found(UNDONE_FROM, {"scope": scope, "first": first})}

    async def taken_back_with(self, scope: int, seq: int) -> int:
        """Return the last undo that included an entry, or 0."""
        return await self._number(TAKEN_BACK_WITH, {"scope": scope, "one": f",{seq},"})

    async def found(self, query: Select[Any], values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """Return what a query finds by keys, with people's own numbers and names in it."""
        rows = await self._as_reader.read(lambda connection: self._found(connection, query, values))
        return [tuple(map(self.people.read, row)) for row in rows]

    def _found(self, connection: Connection, query: Select[Any], given: Mapping[str, Any]) -> Sequence[Any]:
        """Return what a query finds as it is written; the people in it are looked up."""
        rows = connection.execute(query, given).all()
        if isinstance(self.people, People):
            self.people.look_up(connection, (value for row in rows for value in row))
        return rows

    async def readable(self, connection: AsyncConnection, query: Any) -> list[tuple[Any, ...]]:
        """Return what a query finds, with people's own numbers and names in it."""
        return await readable(self.people, connection, query)

    async def _entry(self, query: Select[Any], values: Mapping[str, Any]) -> Entry | None:
        rows = await self.found(query, values)
        return Entry(*rows[0]) if rows else None

    async def _number(self, query: Select[Any], values: Mapping[str, Any]) -> int:
        rows = await self.found(query, values)
        return int(rows[0][0]) if rows else 0


def _load(connection: Connection, number: int, people: Nobody) -> Loaded | None:
    """A scope with all its rows, read in one transaction; None where there is none."""
    forgotten = people.forgotten
    scope_rows = connection.execute(_SCOPE, {"the_scope": number}).all()
    if not scope_rows:
        return None
    scope = _scope(scope_rows[0])
    snapshot: dict[str, dict[Key, Columns]] = {}
    for table in _filled(connection, scope):
        places = [layout(table).names.index(name) for name in ROWS[table].key_fields]
        rows = [tuple(row) for row in connection.execute(_SELECT[table], {"the_scope": number})]
        snapshot[table] = {tuple([row[place] for place in places]): row for row in rows}
    seed = connection.execute(_SEED, {"the_scope": number}).all()
    if isinstance(people, People):
        rows_of = (columns for rows in snapshot.values() for columns in rows.values())
        people.look_up(connection, (value for columns in rows_of for value in columns))
    read, written = read_rows(people, snapshot)
    return Loaded(scope, read, bytes.fromhex(seed[0][0] if seed else ""), written, forgotten)


def _scope(row: Sequence[Any]) -> Scope:
    return Scope(**dict(zip(_OF_SCOPE, row, strict=True)))


def _filled(connection: Connection, scope: Scope) -> list[str]:
    """Return the tables in which a scope has rows: most have none, and a channel has no tables."""
    all_tables = SCOPES[scope.kind]
    if not all_tables:
        return []
    filled = {row[0] for row in connection.execute(_which_filled(scope.kind), {"the_scope": scope.id})}
    return [name for name in all_tables if name in filled]


@cache
def _which_filled(kind: str) -> CompoundSelect[str]:
    return union_all(
        *(
            select(literal(name).label("filled")).where(
                exists().where(STATE[name].c.scope == bindparam("the_scope"))
            )
            for name in SCOPES[kind]
        )
    )


_STANDS = select(scopes.c.version, scopes.c.chain, HOW_OFTEN_FORGOTTEN.scalar_subquery()).where(
    scopes.c.id == bindparam("the_scope")
)
_SCOPE = select(scopes).where(scopes.c.id == bindparam("the_scope"))
_OF_SCOPE = tuple(column.name for column in scopes.columns)
_SEED = select(seeds.c.seed).where(seeds.c.scope == bindparam("the_scope"))
_SELECT = {
    name: select(table).where(table.c.scope == bindparam("the_scope")) for name, table in STATE.items()
}
