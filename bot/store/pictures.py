"""The pictures that people add to a story, beside the state and the journal: these hold only what a picture
says and its hash, so that a picture can go for good when its person does.

What is kept stands under whose it is and in which server. A picture that no story shows is let go: when its
person sends the next one, and once a day.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from sqlalchemy import ColumnElement, Connection, and_, delete, select

from bot.store.schema import STATE, pictures
from bot.store.store import Store
from bot.store.writes import put_new

DAY_MS = 86_400_000


async def keep(store: Store, guild_id: int, user_id: int, data: bytes) -> str:
    """Keep a picture that somebody sent; gives its hash. Of those no story shows it is the only one."""
    digest = sha256(data).hexdigest()
    mine = and_(pictures.c.guild_id == guild_id, pictures.c.user_id == user_id)

    def write(connection: Connection) -> None:
        connection.execute(delete(pictures).where(mine, _unshown()))
        row = {"guild_id": guild_id, "user_id": user_id, "digest": digest, "at_ms": store.now()}
        put_new(connection, pictures, {**row, "data": data})

    await store.written(write)
    return digest


async def kept(store: Store, guild_id: int, digests: Iterable[str]) -> dict[str, bytes]:
    """The pictures of a server that are still there, by their hash."""
    wanted = sorted(set(digests))
    if not wanted:
        return {}
    query = select(pictures.c.digest, pictures.c.data).where(
        pictures.c.guild_id == guild_id, pictures.c.digest.in_(wanted)
    )
    async with store.reading() as connection:
        return {row[0]: row[1] for row in await connection.execute(query)}


async def of_person(store: Store, user_id: int) -> dict[str, bytes]:
    """All that are kept of a person, in every server."""
    query = select(pictures.c.digest, pictures.c.data).where(pictures.c.user_id == user_id)
    async with store.reading() as connection:
        return {row[0]: row[1] for row in await connection.execute(query.order_by(pictures.c.digest))}


async def has_any(store: Store, user_id: int) -> bool:
    """Whether any is kept of a person."""
    async with store.reading() as connection:
        query = select(pictures.c.digest).where(pictures.c.user_id == user_id).limit(1)
        return (await connection.execute(query)).first() is not None


async def let_go(store: Store) -> None:
    """Take out what no story has shown for a day."""
    old = pictures.c.at_ms < store.now() - DAY_MS

    def write(connection: Connection) -> None:
        connection.execute(delete(pictures).where(old, _unshown()))

    await store.written(write)


def _unshown() -> ColumnElement[bool]:
    return pictures.c.digest.not_in(select(STATE["shots"].c.digest))
