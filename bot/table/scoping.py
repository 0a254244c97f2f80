"""Which scope an action is about, which game is read, and which account plays whose seat."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

from bot.replies.reply import Reply
from bot.store.book import Book
from bot.store.game_search import game_at, games_with, given_by, place_of
from bot.store.rows import EncounterRow, SeatRow, StandInRow
from bot.store.store import Store, running_game
from bot.table.act import Actor
from bot.table.channels import ChannelRefusal, mention
from bot.table.encounter import ENDED, Encounter, has_ended
from bot.table.game import as_read
from bot.table.handlers import Place
from bot.table.names import base_name, free_name
from bot.table.request import Request
from rules.refusals import InvalidInput


async def game_read(store: Store, actor: Actor) -> int:
    """Return the scope of the game that a person reads in a channel, or 0."""
    scope = await game_pressed(store, actor) or await store.running_encounter(actor.channel_id)
    return scope or await store.last_in_channel(actor.channel_id, kind="encounter")


async def game_pressed(store: Store, actor: Actor) -> int:
    """Return the scope of the game below which the button stood, if it was played in this channel; or 0."""
    loaded = await store.load(actor.pressed) if actor.pressed else None
    row = loaded.book().get(EncounterRow) if loaded is not None else None
    if loaded is None or row is None:
        return 0
    is_here = (loaded.scope.guild_id, row.channel_id) == (actor.guild_id, actor.channel_id)
    return actor.pressed if is_here else 0


LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Signs in codes: 32 letters and digits that can't be confused."""

LENGTH = 16
"""Signs of a code: 80 bits."""

NO_SUCH_CODE = (
    "That code isn't valid. Each code works once; the person in that seat can get a new one with "
    "/encounter seat."
)


def digest(code: str) -> str:
    """Return the SHA-256 of a code, however it was typed."""
    plain = "".join(sign for sign in code.upper() if sign in LETTERS)
    return sha256(plain.encode()).hexdigest()


def played_by(book: Book, user_id: int) -> StandInRow | None:
    """Return who plays the seat of a person."""
    return next((row for row in book.all(StandInRow) if row.as_id == user_id), None)


def as_seated(book: Book, actor: Actor) -> Actor:
    """Return the owner of the seat that a person plays.

    Raises InvalidInput if another plays their own seat.
    """
    row = book.get(StandInRow, actor.user_id)
    if row is not None:
        seat = next((other_seat for other_seat in book.all(SeatRow) if other_seat.user_id == row.as_id), None)
        return replace(actor, user_id=row.as_id, name=seat.name if seat else row.as_name)
    other = played_by(book, actor.user_id)
    if other is not None:
        raise InvalidInput(f"{other.name} is playing in your seat now. Use /encounter seat to take it back.")
    return _told_apart(book, actor)


def _told_apart(book: Book, actor: Actor) -> Actor:
    """Return the person by a name of their own: it has a number if that of a seat looks the same."""
    seats = book.all(SeatRow)
    seat = next((other_seat for other_seat in seats if other_seat.user_id == actor.user_id), None)
    if seat is None:
        return replace(actor, name=free_name(actor.name, [other_seat.name for other_seat in seats]))
    if seat.name == actor.name or base_name(seat.name) != base_name(actor.name):
        return actor
    return replace(actor, name=seat.name)


async def seated(store: Store, scope: int, actor: Actor) -> Actor:
    """Return the same in a scope, whatever it is."""
    loaded = await store.load(scope) if scope else None
    return as_seated(store.book_seen(loaded), actor) if loaded else actor


async def seated_here(store: Store, actor: Actor) -> Actor:
    """Return the same for the game that runs in the channel, or ran there last."""
    channel = actor.channel_id
    running = await store.running_encounter(channel)
    return await seated(store, running or await store.last_in_channel(channel, kind="encounter"), actor)


async def find_game_of_seat(store: Store, request: Request) -> int:
    """Return the game whose seat is meant: that of the code, or else of the channel, or else one in which the
    person has a seat.

    Raises InvalidInput.
    """
    code = str(getattr(request.action, "code", ""))
    if code:
        scope = await given_by(store, digest(code))
        if not scope:
            raise InvalidInput(NO_SUCH_CODE)
        return scope
    running = request.scope or await store.running_encounter(request.actor.channel_id)
    scope = running or await place_of(store, request.actor.user_id)
    if not scope:
        raise InvalidInput("Join a game first; you have no seat in a running game.")
    return scope


NO_ENCOUNTER = "There is no game in this channel. Start one with /encounter start, or try /demo."
MAX_ELSEWHERE = 3
"""How many games elsewhere are named to a person who asks in a channel without a game."""

NEW = (Place.NEW_ENCOUNTER, Place.NEW_CREW, Place.NEW_CAMPAIGN)
"""Where an action makes a scope of its own."""


class NoGameHere(ChannelRefusal):
    """No game is played in this channel."""

    def __init__(self, *elsewhere: str) -> None:
        super().__init__("\n".join([NO_ENCOUNTER, *elsewhere]))


class Scopes:
    """Finds scopes in what is stored."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def meant(self, place: Place, request: Request) -> int:
        """Return the scope of a request, or 0 if it makes one. Raises InvalidInput, NoGameHere."""
        channel = request.actor.channel_id
        match place:
            case _ if place in NEW:
                return 0
            case Place.CAMPAIGN:
                campaign = int(getattr(request.action, "campaign", 0)) or request.scope
                if not campaign:
                    raise InvalidInput("There is no such campaign. /campaign list shows all campaigns.")
                return campaign
            case Place.CREW:
                crew = int(getattr(request.action, "crew", 0)) or request.scope
                if not crew:
                    raise InvalidInput("There is no such crew. /crew list shows all crews.")
                return crew
            case Place.GAME:
                game = int(getattr(request.action, "game", 0)) or request.scope
                return game or await self._running(request.actor)
            case Place.SEAT:
                return await find_game_of_seat(self.store, request)
            case Place.LIBRARY:
                return await self.store.library_scope(request.actor.guild_id)
            case Place.CHANNEL:
                running = await self.store.running_encounter(channel)
                actor = await seated(self.store, running, request.actor)
                if running and await self._takes_part(running, actor):
                    return running
                return await self.store.channel_scope(channel)
            case Place.DICE if not request.scope:
                return await self._waiting_for_dice(request.actor)
            case Place.HISTORY if not request.scope:
                return await self._last_of(request.actor) or await self._running(request.actor)
        return request.scope or await self._running(request.actor)

    async def _waiting_for_dice(self, actor: Actor) -> int:
        """Return the encounter here, unless only a roll of the person's own waits elsewhere."""
        loaded = await running_game(self.store, actor.channel_id)
        if loaded is not None and loaded.snapshot.get("pendings"):
            return loaded.scope.id
        return await self.store.waiting_roll(actor.guild_id, actor.user_id) or await self._running(actor)

    async def _takes_part(self, scope: int, actor: Actor) -> bool:
        """Return whether a person plays an encounter, or organises it."""
        loaded = await self.store.load(scope)
        book = loaded.book() if loaded else None
        row = book.get(EncounterRow) if book else None
        if book is None or row is None:
            return False
        seat = Encounter(book).seat_of(actor.user_id)
        return actor.user_id in row.organisers or (seat is not None and seat.role != "spectator")

    async def _last_of(self, actor: Actor) -> int:
        """Return what undo and redo are about: the last thing done in the channel that concerns the person.

        A game concerns its players and people who may manage the channel; anything else concerns the person
        who did it. A game that is over concerns no one once another one is running here.
        """
        own_kinds = ["crew", "campaign", "channel", "library"]
        actor = await seated_here(self.store, actor)
        channel = actor.channel_id
        last = await self.store.last_in_channel(channel, user_id=actor.user_id, own=own_kinds)
        if not last:
            return await self.store.last_in_channel(channel, user_id=actor.user_id)
        running = await self.store.running_encounter(channel)
        if running and running != last:
            game = await self.store.load(last)
            if game is not None and game.scope.kind == "encounter":
                return running
        if actor.manages or await self._takes_part(last, actor):
            return last
        own_last = await self.store.last_in_channel(
            channel, user_id=actor.user_id, own=[*own_kinds, "encounter"]
        )
        loaded = await self.store.load(own_last) if own_last else None
        has_finished = loaded is not None and has_ended(loaded.snapshot)
        return last if has_finished else own_last or last

    async def _running(self, actor: Actor) -> int:
        """Return the game that is played in the channel. Raises NoGameHere."""
        scope = await self.store.running_encounter(actor.channel_id)
        if not scope:
            raise NoGameHere
        return scope

    async def told_elsewhere(self, actor: Actor) -> list[str]:
        """Return where the game that was played here is, and where the person plays, if visible."""
        last = await self.store.last_in_channel(actor.channel_id, kind="encounter")
        last_game = await game_at(self.store, actor.guild_id, last) if last else None
        moved_games = (
            [last_game]
            if last_game and last_game.channel_id != actor.channel_id and last_game.status != ENDED
            else []
        )
        places = await games_with(self.store, actor.guild_id, actor.user_id, MAX_ELSEWHERE)
        games_by_scope = {
            whereabouts.scope: whereabouts
            for whereabouts in (*moved_games, *places)
            if whereabouts.channel_id != actor.channel_id
        }
        return [
            f"{whereabouts.name} is being played in {mention(whereabouts.channel_id)}."
            for whereabouts in games_by_scope.values()
            if await actor.channels.seen(whereabouts.channel_id) is not None
        ]

    async def as_read_here(self, actor: Actor, reply: Reply) -> Reply:
        """Return the reply as it is shown in the game that is read."""
        loaded = await self.store.load(actor.reads)
        book = loaded.book() if loaded and loaded.scope.guild_id == actor.guild_id else None
        if book is None or book.get(EncounterRow) is None:
            return reply
        return as_read(Encounter(book), reply)
