"""What is stored of a person or server, and how it is erased.

Erasing is one transaction; afterwards nothing is left in memory or in freed pages of the file. The person's
rows in `people` and `names` are deleted, so that aliases and tokens elsewhere name no one. If a number or
name was typed in plain text before the person was known, it is replaced by alias and token; the entry then
keeps the chain hash that followed it, so that heads shown earlier still match.
"""

from __future__ import annotations

import asyncio
import secrets
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Connection, Text, and_, case, cast, delete, exists, func, or_, select, update

from bot.store.book import EMPTY_CHAIN, own_place
from bot.store.journal import link, sealed
from bot.store.people import (
    ALIAS,
    ALIASES,
    MIN_ID,
    NUMBERS,
    SALT_BYTES,
    TOKEN,
    Named,
    Pen,
    People,
    alias_of,
    forms_of,
    is_person,
    places,
    readable,
    token_of,
)
from bot.store.rows import ROWS
from bot.store.schema import (
    STATE,
    departures,
    forgettings,
    journal,
    names,
    panels,
    people,
    pictures,
    registrations,
    reminded,
    scopes,
    seeds,
    undelivered,
    undone,
)
from bot.store.store import Store
from bot.store.vocabulary import is_word_of_the_program
from bot.store.writes import insert_into, put_new

AT_ONCE = 500

OF_A_SCOPE = (*STATE.values(), journal, undelivered, undone, seeds, panels, reminded)

TEXTS = tuple(
    column.name for column in journal.columns if isinstance(column.type, Text) and column.name != "stood"
)


@dataclass(frozen=True, slots=True)
class Erased:
    """The result of a deletion. altered: entries that were rewritten, so that their hash can't be checked."""

    names: int
    altered: int


def count_up(connection: Connection) -> int:
    """Count a removal, so that every other process notices it, and return the new count."""
    once_more = {"count": forgettings.c.count + 1}
    statement = insert_into(connection.dialect.name, forgettings).values(id=1, count=1)
    counted = statement.on_conflict_do_update(index_elements=["id"], set_=once_more)
    return int(connection.execute(counted.returning(forgettings.c.count)).scalar_one())


# ------------------------------------------------------------------------------------ a person


def erase_person(connection: Connection, user_id: int, called: Iterable[str] = ()) -> Erased:
    """Replace a person everywhere by the name of a removed one. called: names that are not yet known."""
    row = connection.execute(select(people).where(people.c.user_id == user_id)).first()
    alias = row.alias if row else alias_of(secrets.token_hex(SALT_BYTES), user_id)
    names_known = [
        Named(row.token, row.name, alias, row.salt, row.word)
        for row in connection.execute(select(names).where(names.c.alias == alias))
    ]
    kept_names = {name.name for name in names_known}
    called = [*kept_names, *called, *_names_before(connection, user_id)]
    forms = dict.fromkeys(form for name in called for form in forms_of(name))
    names_known += [_named(alias, form) for form in forms if form not in kept_names]
    pen = Pen({user_id: alias}, names_known)
    guilds = _guilds_of(connection, user_id, alias)
    listed = _scopes_in(connection, guilds)
    altered = sum(_rewrite(connection, scope, pen, user_id, names_known) for scope in listed)
    connection.execute(delete(names).where(names.c.alias == alias))
    connection.execute(delete(people).where(people.c.user_id == user_id))
    connection.execute(delete(pictures).where(pictures.c.user_id == user_id))
    return Erased(len(names_known), altered)


def _named(alias: int, name: str) -> Named:
    salt = secrets.token_hex(SALT_BYTES)
    return Named(token_of(salt, name), name, alias, salt, is_word_of_the_program(name))


def _names_before(connection: Connection, user_id: int) -> list[str]:
    query = select(journal.c.actor).where(journal.c.actor_id == user_id).distinct()
    return [row[0] for row in connection.execute(query)]


def _guilds_of(connection: Connection, user_id: int, alias: int) -> list[int]:
    """Return the servers in which a person did something or stands somewhere."""
    guilds: set[int] = set()
    acted = select(journal.c.scope).where(journal.c.actor_id.in_((user_id, alias))).distinct()
    queries = [acted]
    for table in STATE.values():
        conditions = [table.c[name].in_((user_id, alias)) for name in NUMBERS if name in table.c]
        if conditions:
            queries.append(select(table.c.scope).where(or_(*conditions)).distinct())
    for query in queries:
        guilds.update(
            row[0]
            for row in connection.execute(select(scopes.c.guild_id).where(scopes.c.id.in_(query)).distinct())
        )
    return sorted(guilds)


def _scopes_in(connection: Connection, guilds: Sequence[int]) -> list[Any]:
    query = select(scopes).where(scopes.c.guild_id.in_(guilds)).order_by(scopes.c.id)
    return list(connection.execute(query))


def _rewrite(connection: Connection, scope: Any, pen: Pen, user_id: int, known_names: Sequence[Named]) -> int:
    needles = [str(user_id), *(name.name for name in known_names if not name.stands_alone)]
    for table in STATE.values():
        _rewrite_rows(connection, table, scope.id, pen, needles, user_id)
    if not _holds(connection, scope.id, needles, user_id):
        return 0
    altered, chain = 0, EMPTY_CHAIN
    query = select(journal).where(journal.c.scope == scope.id).order_by(journal.c.seq)
    for entry in [dict(mapping) for mapping in connection.execute(query).mappings()]:
        chain = link(chain, entry)
        instead: dict[str, Any] = {name: pen.text(entry[name]) for name in TEXTS}
        instead["actor_id"] = pen.number(entry["actor_id"])
        instead["actor"] = pen.name(entry["actor_id"], entry["actor"])
        if all(entry[name] == value for name, value in instead.items()):
            continue
        row = {**entry, **instead, "stood": chain}
        row["seal"] = sealed(row, scope.kind, scope.guild_id)
        altered += 1
        connection.execute(
            update(journal)
            .where(journal.c.id == entry["id"])
            .values({name: row[name] for name in (*instead, "stood", "seal")})
        )
    return altered


def _holds(connection: Connection, scope: int, needles: Sequence[str], user_id: int) -> bool:
    """Return whether any entry of a scope holds one of these, quickly."""
    conditions = [
        journal.c[name].contains(needle, autoescape=True)
        for name in ("actor", "input", "title", "reason", "changes", "reply", "asked")
        for needle in needles
    ]
    query = select(func.count()).where(
        journal.c.scope == scope, or_(journal.c.actor_id == user_id, *conditions)
    )
    return bool(connection.execute(query).scalar_one())


def _rewrite_rows(
    connection: Connection, table: Any, scope: int, pen: Pen, needles: Sequence[str], user_id: int
) -> None:
    texts = [column for column in table.columns if isinstance(column.type, Text)]
    holding = [column.contains(needle, autoescape=True) for column in texts for needle in needles]
    holding += [table.c[name] == user_id for name in NUMBERS if name in table.c]
    if not holding:
        return
    keys = ROWS[table.name].key_fields
    query = select(table).where(table.c.scope == scope, or_(*holding))
    for row in connection.execute(query).all():
        values = [pen.value(value) for value in row]
        for number, name in places(table.name):
            if name >= 0:
                values[name] = pen.name(row[number], row[name])
        values_by_column = dict(zip(table.columns.keys(), values, strict=True))
        same_row = and_(*(table.c[name] == getattr(row, name) for name in keys))
        connection.execute(update(table).where(same_row).values(values_by_column))


# ------------------------------------------------------------------------------------ scopes and servers


def erase_scopes(connection: Connection, numbers: Sequence[int]) -> None:
    """Delete whole scopes with their journals."""
    for table in OF_A_SCOPE:
        connection.execute(delete(table).where(table.c.scope.in_(numbers)))
    connection.execute(delete(scopes).where(scopes.c.id.in_(numbers)))


def erase_guild(connection: Connection, guild_id: int) -> list[int]:
    """Delete everything of a server, with people who are nowhere else, and return the deleted scopes."""
    numbers = [row[0] for row in connection.execute(select(scopes.c.id).where(scopes.c.guild_id == guild_id))]
    aliases = _aliases_in(connection, scopes.c.guild_id == guild_id) | _named_in(connection, numbers)
    erase_scopes(connection, numbers)
    connection.execute(delete(registrations).where(registrations.c.guild_id == guild_id))
    connection.execute(delete(departures).where(departures.c.guild_id == guild_id))
    connection.execute(delete(pictures).where(pictures.c.guild_id == guild_id))
    unused = sorted(aliases - _aliases_in(connection, scopes.c.id > 0))
    connection.execute(delete(names).where(names.c.alias.in_(unused)))
    connection.execute(delete(people).where(people.c.alias.in_(unused)))
    return numbers


def _named_in(connection: Connection, numbers: Sequence[int]) -> set[int]:
    aliases, tokens = set[int](), set[str]()
    for table in (journal, *STATE.values()):
        texts = [column for column in table.columns if isinstance(column.type, Text)]
        if not texts:
            continue
        for row in connection.execute(select(*texts).where(table.c.scope.in_(numbers))):
            for text in row:
                aliases.update(map(int, ALIAS.findall(text or "")))
                tokens.update(TOKEN.findall(text or ""))
    for batch in _some_of(sorted(tokens)):
        query = select(names.c.alias).where(names.c.token.in_(batch))
        aliases.update(row[0] for row in connection.execute(query))
    return aliases


def _some_of(tokens: Sequence[str]) -> Iterator[Sequence[str]]:
    return (tokens[first : first + AT_ONCE] for first in range(0, len(tokens), AT_ONCE))


def _aliases_in(connection: Connection, condition: Any) -> set[int]:
    scope_ids = select(scopes.c.id).where(condition)
    aliases: set[int] = set()
    columns = [(journal, "actor_id")]
    columns += [(table, name) for table in STATE.values() for name in NUMBERS if name in table.c]
    for table, name in columns:
        query = select(table.c[name]).where(table.c.scope.in_(scope_ids)).distinct()
        aliases.update(row[0] for row in connection.execute(query))
    return {number for number in aliases if number >= MIN_ID}


T = TypeVar("T")

encounters = STATE["encounters"]

DAY_MS = 86_400_000


@dataclass(frozen=True, slots=True)
class KeptPlace:
    """Where a person did something, or stands. kind: of the scope; name: what it is called, if anything."""

    scope: int
    kind: str
    guild_id: int
    channel_id: int
    name: str = ""


# ------------------------------------------------------------------------------------ what there is


async def is_known(store: Store, user_id: int) -> bool:
    """Return whether a person's number is stored, even if only because others mentioned it."""
    query = select(people.c.alias).where(people.c.user_id == user_id)
    async with store.reading() as connection:
        return (await connection.execute(query)).first() is not None


async def names_of(store: Store, user_id: int) -> list[str]:
    """Return the names by which a person is kept."""
    query = select(names.c.name).join(people, people.c.alias == names.c.alias)
    async with store.reading() as connection:
        name_rows = await connection.execute(query.where(people.c.user_id == user_id).order_by(names.c.name))
        return [row[0] for row in name_rows]


async def places_of(store: Store, user_id: int) -> list[KeptPlace]:
    """Return where a person did something or is named."""
    queries = [select(journal.c.scope).where(is_person(journal.c.actor_id, user_id))]
    for table in STATE.values():
        own_columns = [is_person(table.c[name], user_id) for name in NUMBERS if name in table.c]
        if own_columns:
            queries.append(select(table.c.scope).where(or_(*own_columns)))
    names = [STATE[table] for table in ("encounters", "crews", "campaigns")]
    async with store.reading() as connection:
        place_rows: dict[int, Any] = {}
        for query in queries:
            for row in await connection.execute(select(scopes).where(scopes.c.id.in_(query))):
                place_rows[row.id] = row
        names_by_scope: dict[int, str] = {}
        for table in names:
            query = select(table.c.scope, table.c.name).where(table.c.scope.in_(sorted(place_rows)))
            names_by_scope.update((row[0], row[1]) for row in await readable(store.people, connection, query))
    return [
        KeptPlace(row.id, row.kind, row.guild_id, row.channel_id, names_by_scope.get(row.id, ""))
        for _, row in sorted(place_rows.items())
    ]


async def crews_of(store: Store, user_id: int) -> list[KeptPlace]:
    """Return the crews that a person owns, in every server."""
    crews = STATE["crews"]
    query = (
        select(scopes.c.id, scopes.c.kind, scopes.c.guild_id, scopes.c.channel_id, crews.c.name)
        .join(crews, crews.c.scope == scopes.c.id)
        .where(is_person(crews.c.owner_id, user_id), crews.c.status.in_(("kept", "draft")))
        .order_by(scopes.c.id)
    )
    async with store.reading() as connection:
        return [KeptPlace(*row) for row in await readable(store.people, connection, query)]


async def entries_of(store: Store, user_id: int, limit: int) -> list[dict[str, Any]]:
    """Return a person's latest actions and their answers, oldest first.

    faces: of a game that still runs they are left out: in them stands what others hold.
    """
    columns = ("scope", "seq", "at_ms", "channel_id", "actor", "command", "input", "title", "reason", "reply")
    running = select(encounters.c.scope).where(encounters.c.status != "ended")
    shown_faces = case((journal.c.scope.in_(running), ""), else_=journal.c.faces)
    columns_wanted = (*columns, "faces")
    query = (
        select(*(journal.c[name] for name in columns), shown_faces)
        .where(is_person(journal.c.actor_id, user_id))
        .order_by(journal.c.id.desc())
        .limit(limit)
    )
    async with store.reading() as connection:
        rows = await readable(store.people, connection, query)
    return [dict(zip(columns_wanted, row, strict=True)) for row in reversed(rows)]


async def rows_of(store: Store, user_id: int) -> dict[str, list[dict[str, Any]]]:
    """Return every row of the state that names a person, by table."""
    rows_found: dict[str, list[dict[str, Any]]] = {}
    async with store.reading() as connection:
        for name, table in STATE.items():
            own_columns = [is_person(table.c[column], user_id) for column in NUMBERS if column in table.c]
            if own_columns:
                rows = await readable(store.people, connection, select(table).where(or_(*own_columns)))
                listed = [dict(zip(table.columns.keys(), row, strict=True)) for row in rows]
                if listed:
                    rows_found[name] = listed
    return rows_found


# ------------------------------------------------------------------------------------ how it goes


async def forget_person(store: Store, user_id: int, names: Iterable[str] = ()) -> Erased:
    """Remove a person from all records, with their own crews and dice."""
    crews = [crew.scope for crew in await crews_of(store, user_id)]

    def work(connection: Connection) -> Erased:
        erase_guild(connection, own_place(user_id))
        erased = erase_person(connection, user_id, names)
        erase_scopes(connection, crews)
        return erased

    return await _for_good(store, work, user_id)


async def forget_server(store: Store, guild_id: int) -> int:
    """Delete everything of a server and return how many scopes that were."""
    erased = await _for_good(store, lambda connection: erase_guild(connection, guild_id))
    return len(erased)


async def forget_drafts(store: Store, before_ms: int) -> int:
    """Remove lists that were brought but not kept since a time; return how many there were."""
    crews = STATE["crews"]
    last = func.max(journal.c.at_ms)
    query = (
        select(crews.c.scope)
        .join(journal, journal.c.scope == crews.c.scope)
        .where(crews.c.status.in_(("draft", "discarded")))
        .group_by(crews.c.scope)
        .having(last < before_ms)
    )
    async with store.reading() as connection:
        old = [row[0] for row in await connection.execute(query)]
    if old:
        await _for_good(store, lambda connection: erase_scopes(connection, old))
    return len(old)


async def _for_good(store: Store, work: Callable[[Connection], T], user_id: int = 0) -> T:
    """Do work in one transaction; what it frees is overwritten, and nothing of it stays in the log ahead.

    Nor in memory. What was read of it before the end is of before: they are counted once more then.
    """
    results: list[T] = []

    def overwriting(connection: Connection) -> None:
        on_sqlite = connection.dialect.name == "sqlite"
        if on_sqlite:
            connection.exec_driver_sql("PRAGMA secure_delete=ON")
        count = count_up(connection)
        results.append(work(connection))
        if isinstance(store.people, People):
            store.people.as_of = count
        store.people.forgotten += 1
        if on_sqlite:
            connection.exec_driver_sql("PRAGMA secure_delete=OFF")

    await store.written(overwriting)
    store.people.forgotten += 1
    store.forget_all()
    if isinstance(store.people, People):
        store.people.forget_all()
    store.deliveries.forget(user_id)
    await store.deliveries.read_again()
    file = store.file
    if file:
        await asyncio.to_thread(_empty_the_log, file)
    return results[0]


def _empty_the_log(file: str) -> None:
    with closing(sqlite3.connect(file, timeout=5)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()


# ------------------------------------------------------------------------------------ in the end


async def note_servers(
    store: Store, present: Sequence[int], is_ours: Callable[[int], bool], now_ms: int
) -> None:
    """Record the servers that the bot has left and when; those that it is in again are cleared.

    present: the servers that it is in. is_ours: whether a server would be told of here, were the bot in it.
    """
    present_ids = set(present)

    def note(connection: Connection) -> None:
        known_guilds = {row[0] for row in connection.execute(select(scopes.c.guild_id).distinct()) if row[0]}
        noted = {row[0] for row in connection.execute(select(departures.c.guild_id))}
        returned = sorted(noted & present_ids)
        if returned:
            connection.execute(delete(departures).where(departures.c.guild_id.in_(returned)))
        for guild in sorted(known_guilds - present_ids - noted):
            if is_ours(guild):
                put_new(connection, departures, {"guild_id": guild, "left_ms": now_ms})

    await store.written(note)


async def left_before(store: Store, when_ms: int) -> list[int]:
    """Return the servers that the bot left before a time."""
    query = select(departures.c.guild_id).where(departures.c.left_ms <= when_ms)
    async with store.reading() as connection:
        return [row[0] for row in await connection.execute(query.order_by(departures.c.guild_id))]


async def people_idle_since(store: Store, when_ms: int, limit: int) -> list[int]:
    """Return some of the people who have done nothing, and were not named if they never did, since a time."""
    last = (
        select(journal.c.actor_id, func.max(journal.c.at_ms).label("last"))
        .where(journal.c.actor_id >= MIN_ID)
        .group_by(journal.c.actor_id)
        .subquery()
    )
    query = select(people.c.user_id).outerjoin(
        last, or_(last.c.actor_id == people.c.alias, last.c.actor_id == people.c.user_id)
    )
    alias = cast(people.c.alias, Text)
    is_named = exists().where(
        journal.c.at_ms >= when_ms, or_(journal.c.input.contains(alias), journal.c.changes.contains(alias))
    )
    idle = or_(last.c.last.is_not(None), ~is_named)
    latest = func.max(func.coalesce(last.c.last, 0))
    old = query.where(idle).group_by(people.c.user_id).having(latest < when_ms)
    idle_query = select(last.c.actor_id).where(
        last.c.actor_id < ALIASES, last.c.last < when_ms, last.c.actor_id.not_in(select(people.c.user_id))
    )
    async with store.reading() as connection:
        idle_guilds = {row[0] for row in await connection.execute(old.limit(limit))}
        idle_guilds |= {row[0] for row in await connection.execute(idle_query.limit(limit))}
    return sorted(idle_guilds)[:limit]
