"""What Discord has of a server's own commands, as far as it took them, and what it refused.

Bookkeeping beside the state, as where panels stand: it can be lost, and then everything is sent anew. Which
games a server shows is state, and stands in its journal.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select

from bot.store.journal import compact
from bot.store.schema import STATE, registrations, scopes
from bot.store.store import Store
from bot.store.writes import put

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
    """What is kept of a server; nothing for one that is new."""
    query = select(registrations).where(registrations.c.guild_id == guild_id)
    async with store.reading() as connection:
        found = (await connection.execute(query)).first()
    return _made(found) if found is not None else Registration(guild_id)


def _made(row: Any) -> Registration:
    taken = {name: Taken(*one) for name, one in json.loads(row.taken).items()}
    before = tuple(filter(None, row.before.split(",")))
    made = tuple(json.loads(row.made_ms))
    return Registration(row.guild_id, before, taken, made, row.tries, row.due_ms, row.problem)


async def keep(store: Store, one: Registration) -> None:
    """Keep it in the place of what was kept."""
    row = {
        "guild_id": one.guild_id,
        "before": ",".join(one.before),
        "taken": compact({name: [each.id, each.shape] for name, each in one.taken.items()}),
        "made_ms": compact(one.made_ms),
        "tries": one.tries,
        "due_ms": one.due_ms,
        "problem": one.problem,
    }
    await store.written(lambda connection: put(connection, registrations, row))


async def shown_games(store: Store, guild_id: int) -> tuple[str, ...]:
    """The games whose commands a server shows: those that were chosen, else those played there before."""
    query = (
        select(_SHOWN.c.systems)
        .join(scopes, scopes.c.id == _SHOWN.c.scope)
        .where(scopes.c.guild_id == guild_id)
        .order_by(_SHOWN.c.scope)
        .limit(1)
    )
    async with store.reading() as connection:
        chosen = (await connection.execute(query)).scalar_one_or_none()
    if chosen is None:
        return (await registration(store, guild_id)).before
    return tuple(filter(None, chosen.split(",")))


async def servers(store: Store) -> set[int]:
    """The servers that have chosen games, or of which something is kept."""
    chosen = select(scopes.c.guild_id).join(_SHOWN, scopes.c.id == _SHOWN.c.scope)
    async with store.reading() as connection:
        found = {int(row[0]) for row in await connection.execute(chosen)}
        return found | {int(row[0]) for row in await connection.execute(select(registrations.c.guild_id))}
