"""What is kept of a person, and how it goes: at their word, some time after a server was left, or in the end.

Each of these is one transaction; afterwards nothing of it is left in memory or in freed pages of the file.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Connection, Text, case, cast, delete, exists, func, or_, select

from bot.store import erasing
from bot.store.erasing import Erased
from bot.store.people import ALIASES, LEAST_ID, NUMBERS, People, is_person, readable
from bot.store.schema import STATE, departures, journal, names, people, scopes
from bot.store.store import Store
from bot.store.writes import put_new

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
    """Whether a person's number is kept, though it may be nothing but what somebody else said."""
    query = select(people.c.alias).where(people.c.user_id == user_id)
    async with store.reading() as connection:
        return (await connection.execute(query)).first() is not None


async def names_of(store: Store, user_id: int) -> list[str]:
    """The names by which a person is kept."""
    query = select(names.c.name).join(people, people.c.alias == names.c.alias)
    async with store.reading() as connection:
        found = await connection.execute(query.where(people.c.user_id == user_id).order_by(names.c.name))
        return [row[0] for row in found]


async def places_of(store: Store, user_id: int) -> list[KeptPlace]:
    """Where a person did something or stands."""
    queries = [select(journal.c.scope).where(is_person(journal.c.actor_id, user_id))]
    for table in STATE.values():
        mine = [is_person(table.c[name], user_id) for name in NUMBERS if name in table.c]
        if mine:
            queries.append(select(table.c.scope).where(or_(*mine)))
    called = [STATE[table] for table in ("encounters", "crews", "campaigns")]
    async with store.reading() as connection:
        found: dict[int, Any] = {}
        for query in queries:
            for row in await connection.execute(select(scopes).where(scopes.c.id.in_(query))):
                found[row.id] = row
        named: dict[int, str] = {}
        for table in called:
            query = select(table.c.scope, table.c.name).where(table.c.scope.in_(sorted(found)))
            named.update((row[0], row[1]) for row in await readable(store.people, connection, query))
    return [
        KeptPlace(row.id, row.kind, row.guild_id, row.channel_id, named.get(row.id, ""))
        for _, row in sorted(found.items())
    ]


async def crews_of(store: Store, user_id: int) -> list[KeptPlace]:
    """The crews that a person keeps, in every server."""
    crews = STATE["crews"]
    query = (
        select(scopes.c.id, scopes.c.kind, scopes.c.guild_id, scopes.c.channel_id, crews.c.name)
        .join(crews, crews.c.scope == scopes.c.id)
        .where(is_person(crews.c.owner_id, user_id), crews.c.status == "kept")
        .order_by(scopes.c.id)
    )
    async with store.reading() as connection:
        return [KeptPlace(*row) for row in await readable(store.people, connection, query)]


async def entries_of(store: Store, user_id: int, most: int) -> list[dict[str, Any]]:
    """What a person did and was answered, the latest of it, oldest first.

    faces: of a game that still runs they are left out: in them stands what others hold.
    """
    told = ("scope", "seq", "at_ms", "channel_id", "actor", "command", "input", "title", "reason", "reply")
    running = select(encounters.c.scope).where(encounters.c.status != "ended")
    fell = case((journal.c.scope.in_(running), ""), else_=journal.c.faces)
    wanted = (*told, "faces")
    query = (
        select(*(journal.c[name] for name in told), fell)
        .where(is_person(journal.c.actor_id, user_id))
        .order_by(journal.c.id.desc())
        .limit(most)
    )
    async with store.reading() as connection:
        rows = await readable(store.people, connection, query)
    return [dict(zip(wanted, row, strict=True)) for row in reversed(rows)]


async def rows_of(store: Store, user_id: int) -> dict[str, list[dict[str, Any]]]:
    """Every row of the state in which a person stands, by table."""
    found: dict[str, list[dict[str, Any]]] = {}
    async with store.reading() as connection:
        for name, table in STATE.items():
            mine = [is_person(table.c[column], user_id) for column in NUMBERS if column in table.c]
            if mine:
                rows = await readable(store.people, connection, select(table).where(or_(*mine)))
                listed = [dict(zip(table.columns.keys(), row, strict=True)) for row in rows]
                if listed:
                    found[name] = listed
    return found


# ------------------------------------------------------------------------------------ how it goes


async def forget_person(store: Store, user_id: int, called: Iterable[str] = ()) -> Erased:
    """Take a person out of everything, and the crews that they keep."""
    crews = [crew.scope for crew in await crews_of(store, user_id)]

    def work(connection: Connection) -> Erased:
        done = erasing.erase_person(connection, user_id, called)
        erasing.erase_scopes(connection, crews)
        return done

    return await _for_good(store, work, user_id)


async def forget_server(store: Store, guild_id: int) -> int:
    """Take everything of a server out; gives how many scopes that were."""
    gone = await _for_good(store, lambda connection: erasing.erase_guild(connection, guild_id))
    return len(gone)


async def _for_good(store: Store, work: Callable[[Connection], T], user_id: int = 0) -> T:
    """Do work in one transaction; what it frees is overwritten, and nothing of it stays in the log ahead.

    Nor in memory. What was read of it before the end is of before: they are counted once more then.
    """
    found: list[T] = []

    def overwriting(connection: Connection) -> None:
        on_sqlite = connection.dialect.name == "sqlite"
        if on_sqlite:
            connection.exec_driver_sql("PRAGMA secure_delete=ON")
        count = erasing.count_up(connection)
        found.append(work(connection))
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
    return found[0]


def _empty_the_log(file: str) -> None:
    with closing(sqlite3.connect(file, timeout=5)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()


# ------------------------------------------------------------------------------------ in the end


async def note_servers(
    store: Store, present: Sequence[int], ours: Callable[[int], bool], now_ms: int
) -> None:
    """Keep in mind which servers the bot is not in any more, and since when; those it is in again are not.

    present: the servers that it is in. ours: whether a server would be told of here, were the bot in it.
    """
    there = set(present)

    def note(connection: Connection) -> None:
        known = {row[0] for row in connection.execute(select(scopes.c.guild_id).distinct()) if row[0]}
        noted = {row[0] for row in connection.execute(select(departures.c.guild_id))}
        back = sorted(noted & there)
        if back:
            connection.execute(delete(departures).where(departures.c.guild_id.in_(back)))
        for guild in sorted(known - there - noted):
            if ours(guild):
                put_new(connection, departures, {"guild_id": guild, "left_ms": now_ms})

    await store.written(note)


async def left_before(store: Store, when_ms: int) -> list[int]:
    """The servers that the bot left before a time."""
    query = select(departures.c.guild_id).where(departures.c.left_ms <= when_ms)
    async with store.reading() as connection:
        return [row[0] for row in await connection.execute(query.order_by(departures.c.guild_id))]


async def idle_since(store: Store, when_ms: int, most: int) -> list[int]:
    """People who did nothing since a time, nor were named where they never did anything; some of them."""
    last = (
        select(journal.c.actor_id, func.max(journal.c.at_ms).label("last"))
        .where(journal.c.actor_id >= LEAST_ID)
        .group_by(journal.c.actor_id)
        .subquery()
    )
    query = select(people.c.user_id).outerjoin(
        last, or_(last.c.actor_id == people.c.alias, last.c.actor_id == people.c.user_id)
    )
    alias = cast(people.c.alias, Text)
    named = exists().where(
        journal.c.at_ms >= when_ms, or_(journal.c.input.contains(alias), journal.c.changes.contains(alias))
    )
    idle = or_(last.c.last.is_not(None), ~named)
    latest = func.max(func.coalesce(last.c.last, 0))
    old = query.where(idle).group_by(people.c.user_id).having(latest < when_ms)
    before = select(last.c.actor_id).where(
        last.c.actor_id < ALIASES,
        last.c.last < when_ms,
        last.c.actor_id.not_in(select(people.c.user_id)),
    )
    async with store.reading() as connection:
        found = {row[0] for row in await connection.execute(old.limit(most))}
        found |= {row[0] for row in await connection.execute(before.limit(most))}
    return sorted(found)[:most]
