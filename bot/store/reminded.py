"""What people were reminded of: written before it is told and after, so that nothing is told twice."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, and_, func, select, update

from bot.store.schema import STATE, journal, reminded
from bot.store.store import Store
from bot.store.writes import put_new

Told = tuple[int, int, str]
"""A reminder that falls due once: the scope of its campaign, its number, what it is about."""


async def asked(store: Store) -> Sequence[int]:
    """The campaigns of which somebody wants to be reminded, unless they are put away."""
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


async def last_ms(store: Store, scope: int, commands: Sequence[str]) -> int:
    """When one of these was last done in a scope, in milliseconds since 1970; 0 for never."""
    query = select(func.max(journal.c.at_ms)).where(
        journal.c.scope == scope, journal.c.kind == "do", journal.c.command.in_(commands)
    )
    async with store.reading() as connection:
        return int((await connection.execute(query)).scalar_one() or 0)


async def told_of(store: Store, scope: int) -> dict[tuple[int, str], tuple[int, bool]]:
    """What was told in a campaign, by reminder and what about: when it was first tried, and whether it is
    done."""
    query = select(reminded).where(reminded.c.scope == scope)
    async with store.reading() as connection:
        return {(row[1], row[2]): (row[3], row[4]) for row in await connection.execute(query)}


async def begin(store: Store, one: Told, now: int) -> None:
    """Write down that it is about to be told; nothing where that stands there already."""

    def write(connection: Connection) -> None:
        row = {"scope": one[0], "reminder": one[1], "about": one[2], "since_ms": now, "told": False}
        put_new(connection, reminded, row)

    await store.written(write)


async def done(store: Store, one: Told) -> None:
    """Write down that nothing is left to tell of it."""

    def write(connection: Connection) -> None:
        connection.execute(update(reminded).where(_is(one)).values(told=True))

    await store.written(write)


def _is(one: Told) -> ColumnElement[bool]:
    return and_(reminded.c.scope == one[0], reminded.c.reminder == one[1], reminded.c.about == one[2])
