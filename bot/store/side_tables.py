"""Tables beside state and journal: pictures of stories, reminders sent, registered commands."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, delete, func, select, update

from bot.store.journal import compact
from bot.store.schema import STATE, pictures, registrations, reminded, scopes
from bot.store.store import Store
from bot.store.writes import put, put_new

DAY_MS = 86_400_000
UNDER_WHICH = "board table"
"""The kind of thing that begins with the hash of the picture under it, or is empty."""


async def keep_picture(store: Store, guild_id: int, user_id: int, data: bytes) -> str:
    """Store a picture that a person sent, replacing their last one that nothing shows; return its hash."""
    digest = sha256(data).hexdigest()
    condition = and_(pictures.c.guild_id == guild_id, pictures.c.user_id == user_id)

    def write(connection: Connection) -> None:
        connection.execute(delete(pictures).where(condition, _unshown()))
        row = {"guild_id": guild_id, "user_id": user_id, "digest": digest, "at_ms": store.now()}
        put_new(connection, pictures, {**row, "data": data})

    await store.written(write)
    return digest


async def stored_pictures(store: Store, guild_id: int, digests: Iterable[str]) -> dict[str, bytes]:
    """Return the pictures of a server that are still there, by their hash."""
    digest_list = sorted(set(digests))
    if not digest_list:
        return {}
    query = select(pictures.c.digest, pictures.c.data).where(
        pictures.c.guild_id == guild_id, pictures.c.digest.in_(digest_list)
    )
    async with store.reading() as connection:
        return {row[0]: row[1] for row in await connection.execute(query)}


async def pictures_of_person(store: Store, user_id: int) -> dict[str, bytes]:
    """Return all pictures of a person, in every server."""
    query = select(pictures.c.digest, pictures.c.data).where(pictures.c.user_id == user_id)
    async with store.reading() as connection:
        return {row[0]: row[1] for row in await connection.execute(query.order_by(pictures.c.digest))}


async def has_pictures(store: Store, user_id: int) -> bool:
    """Return whether any is kept of a person."""
    async with store.reading() as connection:
        query = select(pictures.c.digest).where(pictures.c.user_id == user_id).limit(1)
        return (await connection.execute(query)).first() is not None


async def drop_unshown_pictures(store: Store) -> None:
    """Delete pictures that nothing has shown for a day."""
    old = pictures.c.at_ms < store.now() - DAY_MS

    def write(connection: Connection) -> None:
        connection.execute(delete(pictures).where(old, _unshown()))

    await store.written(write)


def _unshown() -> ColumnElement[bool]:
    things_table = STATE["things"]
    digest = select(func.substr(things_table.c.content, 1, 64)).where(things_table.c.kind == UNDER_WHICH)
    return pictures.c.digest.not_in(select(STATE["shots"].c.digest).union(digest))


DueReminder = tuple[int, int, str]
"""A reminder that falls due once: the scope of its campaign, its number, what it is about."""


async def campaigns_with_reminders(store: Store) -> Sequence[int]:
    """Return the campaigns that anyone wants to be reminded of, unless they are archived."""
    rows, campaigns = STATE["reminders"], STATE["campaigns"]
    query = (
        select(rows.c.scope)
        .join(campaigns, campaigns.c.scope == rows.c.scope)
        .where(campaigns.c.archived.is_(False))
        .distinct()
        .order_by(rows.c.scope)
    )
    async with store.reading() as connection:
        return [row[0] for row in await connection.execute(query)]


async def reminders_sent(store: Store, scope: int) -> dict[tuple[int, str], tuple[int, bool]]:
    """Return what was sent in a campaign, by reminder and subject: when it was first tried, and whether it is
    done."""
    query = select(reminded).where(reminded.c.scope == scope)
    async with store.reading() as connection:
        return {(row[1], row[2]): (row[3], row[4]) for row in await connection.execute(query)}


async def begin_reminder(store: Store, due_reminder: DueReminder, now_ms: int) -> None:
    """Record that a reminder is about to be sent, unless that is recorded already."""

    def write(connection: Connection) -> None:
        row = {
            "scope": due_reminder[0],
            "reminder": due_reminder[1],
            "about": due_reminder[2],
            "since_ms": now_ms,
            "told": False,
        }
        put_new(connection, reminded, row)

    await store.written(write)


async def finish_reminder(store: Store, due_reminder: DueReminder) -> None:
    """Write down that nothing is left to tell of it."""

    def write(connection: Connection) -> None:
        connection.execute(update(reminded).where(_is_reminder(due_reminder)).values(told=True))

    await store.written(write)


def _is_reminder(due_reminder: DueReminder) -> ColumnElement[bool]:
    return and_(
        reminded.c.scope == due_reminder[0],
        reminded.c.reminder == due_reminder[1],
        reminded.c.about == due_reminder[2],
    )


_SHOWN = STATE["shown_games"]


@dataclass(frozen=True, slots=True)
class Taken:
    """A command that Discord took: its number there, and a hash of what it was."""

    id: int
    shape: str


@dataclass(frozen=True, slots=True)
class Registration:
    """What is kept of one server.

    before: the games that were played there before anybody chose. taken: its commands by name. made_ms: when
    each new one was made, in the last day. tries: how often in a row it failed. due_ms: when it is tried
    again, 0 where nothing waits. problem: why it failed, in a sentence.
    """

    guild_id: int
    before: tuple[str, ...] = ()
    taken: Mapping[str, Taken] = field(default_factory=dict)
    made_ms: tuple[int, ...] = ()
    tries: int = 0
    due_ms: int = 0
    problem: str = ""


async def registration(store: Store, guild_id: int) -> Registration:
    """Return what is stored about a server; nothing for a new one."""
    query = select(registrations).where(registrations.c.guild_id == guild_id)
    async with store.reading() as connection:
        row = (await connection.execute(query)).first()
    return _registration(row) if row is not None else Registration(guild_id)


def _registration(row: Any) -> Registration:
    taken = {name: Taken(*fields) for name, fields in json.loads(row.taken).items()}
    before = tuple(filter(None, row.before.split(",")))
    made_ms = tuple(json.loads(row.made_ms))
    return Registration(row.guild_id, before, taken, made_ms, row.tries, row.due_ms, row.problem)


async def save_registration(store: Store, registration: Registration) -> None:
    """Store a registration in place of the last one."""
    row = {
        "guild_id": registration.guild_id,
        "before": ",".join(registration.before),
        "taken": compact({name: [taken.id, taken.shape] for name, taken in registration.taken.items()}),
        "made_ms": compact(registration.made_ms),
        "tries": registration.tries,
        "due_ms": registration.due_ms,
        "problem": registration.problem,
    }
    await store.written(lambda connection: put(connection, registrations, row))


async def shown_games(store: Store, guild_id: int) -> tuple[str, ...]:
    """Return the games whose commands a server shows: those that were chosen, or else those played there."""
    query = (
        select(_SHOWN.c.systems)
        .join(scopes, scopes.c.id == _SHOWN.c.scope)
        .where(scopes.c.guild_id == guild_id)
        .order_by(_SHOWN.c.scope)
        .limit(1)
    )
    async with store.reading() as connection:
        game_keys = (await connection.execute(query)).scalar_one_or_none()
    if game_keys is None:
        return (await registration(store, guild_id)).before
    return tuple(filter(None, game_keys.split(",")))


async def servers_with_commands(store: Store) -> set[int]:
    """Return the servers that have chosen games, or about which something is stored."""
    guilds = select(scopes.c.guild_id).join(_SHOWN, scopes.c.id == _SHOWN.c.scope)
    async with store.reading() as connection:
        commands = {int(row[0]) for row in await connection.execute(guilds)}
        return commands | {int(row[0]) for row in await connection.execute(select(registrations.c.guild_id))}
