"""Finding a server's games and their last activity. Reads only."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import BindParameter, and_, bindparam, or_, select, union

from bot.store.people import is_person
from bot.store.schema import STATE, journal, scopes
from bot.store.store import Store

_GAMES, _SEATS = STATE["encounters"], STATE["seats"]
_STAND_INS, _CODES = STATE["stand_ins"], STATE["seat_codes"]


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
    columns = ("scope", "channel_id", "system", "name", "organiser_id", "status", "turn")
    return (
        select(*(_GAMES.c[name] for name in columns), journal.c.at_ms)
        .join(scopes, scopes.c.id == _GAMES.c.scope)
        .join(journal, and_(journal.c.scope == scopes.c.id, journal.c.seq == scopes.c.version))
    )


async def games_of(store: Store, guild_id: int, *, ended: bool, limit: int) -> list[Whereabouts]:
    """Return a server's games that are over, or those that are not, the latest first."""
    query = _games().where(_GAMES.c.guild_id == guild_id, (_GAMES.c.status == "ended").is_(ended))
    return await _read(store, query.order_by(journal.c.at_ms.desc(), _GAMES.c.scope.desc()).limit(limit))


async def game_at(store: Store, guild_id: int, scope: int) -> Whereabouts | None:
    """Return one game of a server."""
    rows = await store.found(_game_at(), {"guild_id": guild_id, "scope": scope})
    return Whereabouts(*rows[0]) if rows else None


@cache
def _game_at() -> Any:
    return _games().where(_GAMES.c.guild_id == bindparam("guild_id"), _GAMES.c.scope == bindparam("scope"))


async def games_with(store: Store, guild_id: int, user_id: int, limit: int) -> list[Whereabouts]:
    """Return the games of a server that are not over and in which a person has a place, last played first."""
    values = {"guild_id": guild_id, "user_id": user_id, "most": limit}
    return [Whereabouts(*row) for row in await store.found(_games_with(), values)]


@cache
def _games_with() -> Any:
    person: BindParameter[int] = bindparam("user_id")
    own_seats = select(_SEATS.c.scope).where(is_person(_SEATS.c.user_id, person))
    stand_ins = select(_STAND_INS.c.scope).where(is_person(_STAND_INS.c.user_id, person))
    has_place = or_(_GAMES.c.scope.in_(own_seats), _GAMES.c.scope.in_(stand_ins))
    query = _games().where(_GAMES.c.guild_id == bindparam("guild_id"), _GAMES.c.status != "ended", has_place)
    return query.order_by(journal.c.at_ms.desc()).limit(bindparam("most"))


async def _read(store: Store, query: Any) -> list[Whereabouts]:
    async with store.reading() as connection:
        return [Whereabouts(*row) for row in await store.readable(connection, query)]


async def given_by(store: Store, digest: str) -> int:
    """Return the game in which a code with this SHA-256 gives a seat, in any server; or 0."""
    async with store.reading() as connection:
        rows = await connection.execute(select(_CODES.c.scope).where(_CODES.c.digest == digest))
        return int(rows.scalar() or 0)


async def place_of(store: Store, user_id: int) -> int:
    """Return the game, in any server, that a person played last, in a seat of their own or as a
    stand-in; or 0.
    """
    selects = [
        select(table.c.scope).where(is_person(table.c[column], user_id))
        for table, column in ((_SEATS, "user_id"), (_STAND_INS, "user_id"), (_STAND_INS, "as_id"))
    ]
    selects.append(select(_GAMES.c.scope).where(is_person(_GAMES.c.organiser_id, user_id)))
    query = _games().where(_GAMES.c.status != "ended", _GAMES.c.scope.in_(union(*selects)))
    games = await _read(store, query.order_by(journal.c.at_ms.desc(), _GAMES.c.scope.desc()).limit(1))
    return games[0].scope if games else 0


async def has_been_ended(store: Store, scope: int, ends: str) -> bool:
    """Return whether a game was ever ended, taken back or not. ends: the command that does it."""
    query = select(journal.c.id).where(journal.c.scope == scope, journal.c.command == ends).limit(1)
    async with store.reading() as connection:
        return (await connection.execute(query)).first() is not None
