"""Where the games of a server are, and when somebody last did something in them. Reads only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import and_, select

from bot.store.people import is_person
from bot.store.schema import STATE, journal, scopes
from bot.store.store import Store

_GAMES, _SEATS = STATE["encounters"], STATE["seats"]


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """A game of a server. last_ms: when its last entry was written, in milliseconds since 1970."""

    scope: int
    channel_id: int
    system: str
    name: str
    organiser_id: int
    status: str
    turn: int
    last_ms: int


def _games() -> Any:
    """Every game with its last entry."""
    columns = ("scope", "channel_id", "system", "name", "organiser_id", "status", "turn")
    return (
        select(*(_GAMES.c[name] for name in columns), journal.c.at_ms)
        .join(scopes, scopes.c.id == _GAMES.c.scope)
        .join(journal, and_(journal.c.scope == scopes.c.id, journal.c.seq == scopes.c.version))
    )


async def games_of(store: Store, guild_id: int, *, ended: bool, most: int) -> list[Whereabouts]:
    """The games of a server that are over, or those that are not; the one that was last played first."""
    query = _games().where(_GAMES.c.guild_id == guild_id, (_GAMES.c.status == "ended").is_(ended))
    return await _read(store, query.order_by(journal.c.at_ms.desc(), _GAMES.c.scope.desc()).limit(most))


async def game_at(store: Store, guild_id: int, scope: int) -> Whereabouts | None:
    """One game of a server."""
    found = await _read(store, _games().where(_GAMES.c.guild_id == guild_id, _GAMES.c.scope == scope))
    return found[0] if found else None


async def games_with(store: Store, guild_id: int, user_id: int, most: int) -> list[Whereabouts]:
    """The games of a server that are not over and in which a person has a place, last played first."""
    mine = select(_SEATS.c.scope).where(is_person(_SEATS.c.user_id, user_id))
    query = _games().where(
        _GAMES.c.guild_id == guild_id, _GAMES.c.status != "ended", _GAMES.c.scope.in_(mine)
    )
    return await _read(store, query.order_by(journal.c.at_ms.desc()).limit(most))


async def _read(store: Store, query: Any) -> list[Whereabouts]:
    async with store.reading() as connection:
        return [Whereabouts(*row) for row in await store.readable(connection, query)]
