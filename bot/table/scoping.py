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
from bot.table.game import format_for_encounter
from bot.table.handlers import Place
from bot.table.names import base_name, find_free_name
from bot.table.request import Request
from rules.refusals import InvalidInput


async def find_game_read(store: Store, actor: Actor) -> int:
    """Return the scope of the game that a person reads in a channel, or 0."""
    scope = await find_game_pressed(store, actor) or await store.running_encounter(actor.channel_id)
    return scope or await store.last_in_channel(actor.channel_id, kind="encounter")


async def find_game_pressed(store: Store, actor: Actor) -> int:
    """Return the scope of the game below which the button stood, if it was played in this channel; or 0."""
    loaded = await store.load(actor.pressed) if actor.pressed else None
    row = loaded.book().get(EncounterRow) if loaded is not None else None
    if loaded is None or row is None:
        return 0
    is_here = (loaded.scope.guild_id, row.channel_id) == (actor.guild_id, actor.channel_id)
    return actor.pressed if is_here else 0


CODE_CHARACTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Characters in codes: 32 letters and digits that can't be confused."""

CODE_LENGTH = 16
"""Characters of a code: 80 bits."""

NO_SUCH_CODE = (
    "That code isn't valid. Each code works once; the owner of the seat can get a new one with "
    "/encounter seat."
)


def hash_code(code: str) -> str:
    """Return the SHA-256 of a code, however it was typed."""
    plain_code = "".join(character for character in code.upper() if character in CODE_CHARACTERS)
    return sha256(plain_code.encode()).hexdigest()


def find_stand_in(book: Book, user_id: int) -> StandInRow | None:
    """Return who plays the seat of a person."""
    return next((row for row in book.all(StandInRow) if row.as_id == user_id), None)


def find_seat_owner(book: Book, actor: Actor) -> Actor:
    """Return the owner of the seat that a person plays.

    Raises InvalidInput if someone else plays this person's own seat.
    """
    row = book.get(StandInRow, actor.user_id)
    if row is not None:
        seat = next((seat_row for seat_row in book.all(SeatRow) if seat_row.user_id == row.as_id), None)
        return replace(actor, user_id=row.as_id, name=seat.name if seat else row.as_name)
    stand_in = find_stand_in(book, actor.user_id)
    if stand_in is not None:
        raise InvalidInput(
            f"{stand_in.name} is playing in your seat now. Use /encounter seat to take it back."
        )
    return _make_name_unique(book, actor)


def _make_name_unique(book: Book, actor: Actor) -> Actor:
    """Return the person with a name unlike that of any other seat; it gets a number if needed."""
    seats = book.all(SeatRow)
    seat = next((seat_row for seat_row in seats if seat_row.user_id == actor.user_id), None)
    if seat is None:
        return replace(actor, name=find_free_name(actor.name, [seat_row.name for seat_row in seats]))
    if seat.name == actor.name or base_name(seat.name) != base_name(actor.name):
        return actor
    return replace(actor, name=seat.name)


async def find_seat_owner_in(store: Store, scope: int, actor: Actor) -> Actor:
    """Return the owner of the seat that a person plays in a scope."""
    loaded = await store.load(scope) if scope else None
    return find_seat_owner(store.book_seen(loaded), actor) if loaded else actor


async def find_seat_owner_here(store: Store, actor: Actor) -> Actor:
    """Return the owner of the seat that a person plays in the channel's current or last game."""
    channel = actor.channel_id
    running_scope = await store.running_encounter(channel)
    return await find_seat_owner_in(
        store, running_scope or await store.last_in_channel(channel, kind="encounter"), actor
    )


async def find_game_of_seat(store: Store, request: Request) -> int:
    """Return the game whose seat is meant: that of the code, or else of the channel, or else one in which the
    person has a seat.

    Raises InvalidInput.
    """
    code = str(getattr(request.action, "code", ""))
    if code:
        scope = await given_by(store, hash_code(code))
        if not scope:
            raise InvalidInput(NO_SUCH_CODE)
        return scope
    running_scope = request.scope or await store.running_encounter(request.actor.channel_id)
    scope = running_scope or await place_of(store, request.actor.user_id)
    if not scope:
        raise InvalidInput("Join a game first; you have no seat in a running game.")
    return scope


NO_ENCOUNTER = "There is no game in this channel. Start one with /encounter start, or try /demo."
MAX_GAMES_ELSEWHERE = 3
"""How many games elsewhere are named to a person who asks in a channel without a game."""

NEW_SCOPE_PLACES = (Place.NEW_ENCOUNTER, Place.NEW_CREW, Place.NEW_CAMPAIGN)
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
            case _ if place in NEW_SCOPE_PLACES:
                return 0
            case Place.CAMPAIGN:
                campaign = int(getattr(request.action, "campaign", 0)) or request.scope
                if not campaign:
                    raise InvalidInput("That campaign doesn't exist. /campaign list shows all campaigns.")
                return campaign
            case Place.CREW:
                crew = int(getattr(request.action, "crew", 0)) or request.scope
                if not crew:
                    raise InvalidInput("That crew doesn't exist. /crew list shows all crews.")
                return crew
            case Place.GAME:
                game = int(getattr(request.action, "game", 0)) or request.scope
                return game or await self._running(request.actor)
            case Place.SEAT:
                return await find_game_of_seat(self.store, request)
            case Place.LIBRARY:
                return await self.store.library_scope(request.actor.guild_id)
            case Place.CHANNEL:
                running_scope = await self.store.running_encounter(channel)
                actor = await find_seat_owner_in(self.store, running_scope, request.actor)
                if running_scope and await self._is_taking_part(running_scope, actor):
                    return running_scope
                return await self.store.channel_scope(channel)
            case Place.DICE if not request.scope:
                return await self._find_waiting_roll(request.actor)
            case Place.HISTORY if not request.scope:
                return await self._find_last_changed(request.actor) or await self._running(request.actor)
        return request.scope or await self._running(request.actor)

    async def _find_waiting_roll(self, actor: Actor) -> int:
        """Return the encounter here, unless only a roll of the person's own waits elsewhere."""
        loaded = await running_game(self.store, actor.channel_id)
        if loaded is not None and loaded.snapshot.get("pendings"):
            return loaded.scope.id
        return await self.store.waiting_roll(actor.guild_id, actor.user_id) or await self._running(actor)

    async def _is_taking_part(self, scope: int, actor: Actor) -> bool:
        """Return whether a person plays an encounter, or organises it."""
        loaded = await self.store.load(scope)
        book = loaded.book() if loaded else None
        row = book.get(EncounterRow) if book else None
        if book is None or row is None:
            return False
        seat = Encounter(book).seat_of(actor.user_id)
        return actor.user_id in row.organisers or (seat is not None and seat.role != "spectator")

    async def _find_last_changed(self, actor: Actor) -> int:
        """Return what undo and redo are about: the last thing done in the channel that concerns the person.

        A game concerns its players and people who may manage the channel; anything else concerns the person
        who did it. A game that is over concerns no one once another one is running here.
        """
        own_kinds = ["crew", "campaign", "channel", "library"]
        actor = await find_seat_owner_here(self.store, actor)
        channel = actor.channel_id
        last_scope = await self.store.last_in_channel(channel, user_id=actor.user_id, own=own_kinds)
        if not last_scope:
            return await self.store.last_in_channel(channel, user_id=actor.user_id)
        running_scope = await self.store.running_encounter(channel)
        if running_scope and running_scope != last_scope:
            game = await self.store.load(last_scope)
            if game is not None and game.scope.kind == "encounter":
                return running_scope
        if actor.manages or await self._is_taking_part(last_scope, actor):
            return last_scope
        own_last_scope = await self.store.last_in_channel(
            channel, user_id=actor.user_id, own=[*own_kinds, "encounter"]
        )
        loaded = await self.store.load(own_last_scope) if own_last_scope else None
        has_finished = loaded is not None and has_ended(loaded.snapshot)
        return last_scope if has_finished else own_last_scope or last_scope

    async def _running(self, actor: Actor) -> int:
        """Return the game that is played in the channel. Raises NoGameHere."""
        scope = await self.store.running_encounter(actor.channel_id)
        if not scope:
            raise NoGameHere
        return scope

    async def list_games_elsewhere(self, actor: Actor) -> list[str]:
        """Return where the game that was played here is now, and where the person plays, if visible."""
        last_scope = await self.store.last_in_channel(actor.channel_id, kind="encounter")
        last_game = await game_at(self.store, actor.guild_id, last_scope) if last_scope else None
        moved_games = (
            [last_game]
            if last_game and last_game.channel_id != actor.channel_id and last_game.status != ENDED
            else []
        )
        places = await games_with(self.store, actor.guild_id, actor.user_id, MAX_GAMES_ELSEWHERE)
        games_by_scope = {
            game_place.scope: game_place
            for game_place in (*moved_games, *places)
            if game_place.channel_id != actor.channel_id
        }
        return [
            f"{game_place.name} is being played in {mention(game_place.channel_id)}."
            for game_place in games_by_scope.values()
            if await actor.channels.seen(game_place.channel_id) is not None
        ]

    async def adapt_reply(self, actor: Actor, reply: Reply) -> Reply:
        """Return the reply as it is shown in the game that is read."""
        loaded = await self.store.load(actor.reads)
        book = loaded.book() if loaded and loaded.scope.guild_id == actor.guild_id else None
        if book is None or book.get(EncounterRow) is None:
            return reply
        return format_for_encounter(Encounter(book), reply)
