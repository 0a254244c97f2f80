"""Who plays whose seat: an account that plays the seat of a phone at the table, or the other way round.

What a stand-in asks is done as by the person whose seat it is, so that secrets, models, undo and the journal
stay with the seat. Whose seat somebody else plays asks nothing himself meanwhile.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

from bot.store.book import Book
from bot.store.game_search import given_by, place_of
from bot.store.rows import SeatRow, StandInRow
from bot.store.store import Store
from bot.table.act import Actor
from bot.table.request import Request
from rules.refusals import InvalidInput

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""What codes are made of: 32 signs of which none is taken for another."""

LENGTH = 16
"""Signs of a code: 80 bits."""

NO_SUCH_CODE = "No seat is given by that code. Codes are good once; ask for a new one: /encounter seat."


def digest(code: str) -> str:
    """The SHA-256 of a code, however it was typed."""
    plain = "".join(sign for sign in code.upper() if sign in LETTERS)
    return sha256(plain.encode()).hexdigest()


def played_by(book: Book, user_id: int) -> StandInRow | None:
    """Who plays the seat of a person."""
    return next((row for row in book.all(StandInRow) if row.as_id == user_id), None)


def as_seated(book: Book, actor: Actor) -> Actor:
    """The person as whom is done what somebody asks. Raises InvalidInput where another plays the own seat."""
    row = book.get(StandInRow, actor.user_id)
    if row is not None:
        seat = next((one for one in book.all(SeatRow) if one.user_id == row.as_id), None)
        return replace(actor, user_id=row.as_id, name=seat.name if seat else row.as_name)
    other = played_by(book, actor.user_id)
    if other is not None:
        raise InvalidInput(f"{other.name} plays your seat now. Take it back: /encounter seat.")
    return actor


async def seated(store: Store, scope: int, actor: Actor) -> Actor:
    """The same in a scope, whatever it is."""
    loaded = await store.load(scope) if scope else None
    return as_seated(loaded.book(), actor) if loaded and loaded.snapshot.get("stand_ins") else actor


async def seated_here(store: Store, actor: Actor) -> Actor:
    """The same for the game that runs in the channel, or ran there last."""
    channel = actor.channel_id
    running = await store.running_encounter(channel)
    return await seated(store, running or await store.last_in_channel(channel, kind="encounter"), actor)


async def seat_meant(store: Store, request: Request) -> int:
    """The game whose seat is meant: of a code; else that of the channel, else where the person has a place.

    Raises InvalidInput.
    """
    code = str(getattr(request.action, "code", ""))
    if code:
        scope = await given_by(store, digest(code))
        if not scope:
            raise InvalidInput(NO_SUCH_CODE)
        return scope
    here = request.scope or await store.running_encounter(request.actor.channel_id)
    scope = here or await place_of(store, request.actor.user_id)
    if not scope:
        raise InvalidInput("You have no seat in a game that runs.")
    return scope
