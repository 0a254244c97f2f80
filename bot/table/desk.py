"""The desk takes an action from a person, carries it through and answers.

It loads, handles, commits, and only then answers. A handler runs on rows of its own, and nothing it did is
stored unless state, journal and interaction id were written to the database together. A refusal of the game
or the rules becomes a private reply and changes nothing.
"""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from time import monotonic

from bot.actions import Action, without_broken_characters
from bot.replies.reply import Button, reply_from_json, say
from bot.store.book import Book, Loaded, Scope, changes_between
from bot.store.errors import Busy, Lost, Occupied, Repeated, Stale, Unsure, Unwritable
from bot.store.journal import Entry
from bot.store.rows import EncounterRow
from bot.store.store import Store
from bot.table import scoping
from bot.table.act import Act, Actor, no_dice
from bot.table.answering import Answered, Declined, answered, as_before, refused, too_late, which, withdrawn
from bot.table.asking.reading import noticed
from bot.table.carrying import Carrier, run_handler
from bot.table.channels import ChannelRefusal, mention
from bot.table.encounter import ENDED, SETUP, Encounter, has_ended
from bot.table.entries import describe_second_press, latest_steps, meanwhile
from bot.table.game import game, list_setup_commands
from bot.table.handlers import ANYWHERE, HANDLERS, Handler, Place
from bot.table.journal_actions import SPECIAL
from bot.table.names import Unclear
from bot.table.offers.legal_actions import Looking, asked_in_form
from bot.table.request import Answer, Request, Witness
from bot.table.scoping import NEW_SCOPE_PLACES, NoGameHere, Scopes, find_game_read
from bot.table.throw_purposes import Asked
from rules.dice import SEED_BYTES, DiceError, Source, TooLarge
from rules.refusals import Forbidden, InvalidInput

log = logging.getLogger(__name__)

TRIES = 30
"""How often an action is tried when other processes keep changing its scope."""

STALE_SECONDS = 0.01
"""How much longer, at most, each try waits than the one before, so that all get their turn."""

LOST_PAUSES = (0.05, 0.25, 1.0)
"""How many seconds the desk waits before each new attempt to reach the database."""

LOST_SECONDS = 10.0
"""Seconds after which a player is told that the database does not answer, because each query may take long to
fail.
"""

CHANNEL_FREE_MS = 15 * 60_000
"""How long a channel stays free for a game whose start was taken back."""

START_AND_UNDO_ENTRIES = 2
"""Entries of a game that was started and taken back at once."""

MOVED_ON = "Nothing was changed, because the game has moved on since this was shown."

NEEDS_A_SERVER = (
    "Invite Adjutant to a server to play games and campaigns; here you can roll dice and keep crews."
)

READS = (Place.NOWHERE, Place.PLAYED)
"""Places of actions that work on no scope."""

PLACES_SEEN_WITHOUT_SCOPE = (*NEW_SCOPE_PLACES, *READS, Place.LIBRARY, Place.CHANNEL)
"""Places of actions that a person can ask for before the scope exists."""


class Desk:
    """Carries actions through. `new_seed` gives the secret of a new encounter's dice."""

    def __init__(
        self, store: Store, new_seed: Callable[[], bytes] = lambda: secrets.token_bytes(SEED_BYTES)
    ) -> None:
        self.store = store
        self.carrier = Carrier(store)
        self._scopes = Scopes(store)
        self._new_seed = new_seed

    async def perform(self, request: Request) -> Answer:
        """Do what is asked, once, and answer. Only faults of the program raise.

        Where the database went away meanwhile it is asked again: what had been written is found by the
        interaction's id, and is then what was done here.
        """
        action = without_broken_characters(request.action)
        witness = Witness.of(action, request.actor, request.reason)
        request = replace(request, action=action, witness=witness)
        is_doubtful, started = False, monotonic()
        for pause in (*LOST_PAUSES, 0.0):
            try:
                answer = await self._once(request)
            except Lost as lost:
                is_doubtful |= lost.in_commit
                refusal = lost
                if monotonic() - started > LOST_SECONDS:
                    break
                await asyncio.sleep(pause)
            else:
                is_repeat = is_doubtful and answer.repeated
                return replace(answer, repeated=False, changed=True) if is_repeat else answer
        return Answer(refused(refusal), request.scope, refusal="Lost")

    async def _once(self, request: Request) -> Answer:
        try:
            return await self._perform(request)
        except Repeated as repeated:
            return answered(repeated.entry)
        except Unsure as unsure:
            return await self._ask_to_repeat(request, unsure.entry)
        except Unwritable as refusal:
            log.error("the database cannot be written to", extra={"reason": refusal.reason})
            with suppress(Unwritable):
                entry = await self.store.answered(request.interaction)
                if entry:
                    return answered(entry)
            return Answer(refused(refusal), request.scope, refusal="Unwritable")
        except (Declined, Forbidden, InvalidInput, DiceError, TooLarge, Occupied, Stale, Busy) as refusal:
            entry = await self.store.answered(request.interaction)
            kind = type(refusal).__name__
            if entry:
                return answered(entry)
            reply = which(refusal, request.action) if isinstance(refusal, Unclear) else refused(refusal)
            return Answer(reply, request.scope, refusal=kind)

    async def _ask_to_repeat(self, request: Request, entry: Entry) -> Answer:
        """Show what was done without an answer, and repeat it only after a press."""
        loaded = await self.store.load(entry.scope)
        first_line = reply_from_json(entry.reply).lines[:1]
        button = Button("Do it again", request.action, "main")
        lines = ("You have already done this:", *first_line)
        reply = say(*lines, "Do you want to do it again?", private=True, buttons=(button,))
        if loaded is None or HANDLERS[request.action.command].place in NEW_SCOPE_PLACES:
            return Answer(reply, 0, 0)
        return Answer(reply, entry.scope, loaded.scope.version)

    # ------------------------------------------------------------- finding the scope

    async def _perform(self, request: Request) -> Answer:
        action, actor = request.action, request.actor
        handler = HANDLERS[action.command]
        _must_be_carried(handler, actor)
        if handler.place in READS:
            if handler.place is Place.PLAYED:
                actor = await self._as_reader(actor, request.scope)
            extra = await handler.beforehand(self.store, actor, action) if handler.beforehand else None
            act = Act(Book(0, {}), actor, action, no_dice, extra=extra)
            reply = await run_handler(handler, act)
            if handler.place is Place.PLAYED:
                reply = await self._scopes.adapt_reply(actor, reply)
            return Answer(reply, request.scope)
        for attempt in range(TRIES):
            request.witness.begin_again()
            scope = await self._scope_of(handler.place, request)
            seated_request = await self._as_seated(handler, scope, request)
            place_id = actor.guild_id if handler.place is Place.LIBRARY else actor.channel_id
            name = scope or (handler.place, place_id)
            glance = partial(self._glance, scope, handler, seated_request)
            try:
                if action.looks:
                    return await self._look_up_odds(scope, handler, seated_request)
                async with self.store.alone(name, glance) as shown_answer:
                    return shown_answer or await self._perform_on_scope(scope, handler, seated_request)
            except Stale:
                if attempt == TRIES - 1:
                    raise
                await asyncio.sleep(random.uniform(0, STALE_SECONDS * attempt))
        raise AssertionError("the last attempt always returns or raises")

    async def _as_reader(self, actor: Actor, pressed: int) -> Actor:
        """Return the person who reads a game, as the owner of the seat they play, with that game."""
        actor = replace(await scoping.find_seat_owner_here(self.store, actor), pressed=pressed)
        return replace(actor, reads=await find_game_read(self.store, actor))

    async def _glance(self, scope: int, handler: Handler, request: Request) -> Answer | None:
        """Return the reply of an action that only shows something, without waiting for writers; None for any
        other.
        """
        if not scope or request.action.command in SPECIAL:
            return None
        try:
            loaded = await self._loaded(handler.place, scope, request)
            await self._must_fit(handler, loaded, request)
            act = await self.carrier.act(
                handler, loaded, request, request.action, loaded.book(), _refuse_dice
            )
            reply = await run_handler(handler, act)
        except (_Throws, Asked, Forbidden, InvalidInput, DiceError, TooLarge, Stale):
            return None
        if not reply.private or changes_between(loaded.snapshot, act.book.snapshot()):
            return None
        return Answer(as_before(reply), loaded.scope.id, loaded.scope.version)

    async def _look_up_odds(self, scope: int, handler: Handler, request: Request) -> Answer:
        """Return odds for the table as it is now. No one waits for them, and they make no scope."""
        if scope:
            loaded = await self._loaded(handler.place, scope, request)
        else:
            loaded = Loaded(Scope(0, "", request.actor.guild_id, request.actor.channel_id), {})
        await self._must_fit(handler, loaded, request)
        return await self.carrier.carry_out(handler, loaded, request, request.action)

    async def _perform_on_scope(self, scope: int, handler: Handler, request: Request) -> Answer:
        loaded = await self._loaded(handler.place, scope, request)
        has_changed = False
        try:
            await self._must_fit(handler, loaded, request)
            special_handler = SPECIAL.get(request.action.command)
            if special_handler is not None:
                answer = await special_handler(self.carrier, loaded, request)
            else:
                answer = await self.carrier.carry_out(handler, loaded, request, request.action)
            has_changed = answer.changed
        except Answered as answered:
            raise too_late(answered.sentence, await latest_steps(self.store, loaded)) from answered
        except (InvalidInput, Declined) as refusal:
            if _is_too_late_for_setup(loaded, request):
                raise withdrawn(refused(refusal)) from refusal
            raise
        finally:
            if not scope and not has_changed:
                await self.store.discard(loaded.scope.id)
        return answer

    async def _scope_of(self, place: Place, request: Request) -> int:
        """Return the scope of the request, or say where the game is if there is none here."""
        try:
            return await self._scopes.meant(place, request)
        except NoGameHere:
            raise NoGameHere(*await self._scopes.list_games_elsewhere(request.actor)) from None

    async def _as_seated(self, handler: Handler, scope: int, request: Request) -> Request:
        """Return the request as by the owner of the seat that the person plays. Raises InvalidInput."""
        if not scope or handler.place is Place.SEAT:
            return request
        return replace(request, actor=await scoping.find_seat_owner_in(self.store, scope, request.actor))

    async def _loaded(self, place: Place, scope: int, request: Request) -> Loaded:
        """Load the scope. Raises Stale if it is not the right one any longer once its lock is held."""
        actor = request.actor
        if scope:
            loaded = await self.store.load(scope)
            is_elsewhere = loaded is not None and loaded.scope.guild_id != actor.guild_id
            if loaded is None or (is_elsewhere and place is not Place.SEAT):
                raise InvalidInput("Nothing was changed, because what you chose no longer exists.")
            if place in (Place.ENCOUNTER, Place.CHANNEL) and not request.scope and has_ended(loaded.snapshot):
                raise Stale
            return loaded
        if place is Place.CHANNEL and await self.store.channel_scope(actor.channel_id):
            raise Stale
        if place is Place.NEW_ENCOUNTER:
            if await self.store.running_encounter(actor.channel_id):
                raise Occupied
            await self._must_be_free(actor)
            return await self.store.new_scope("encounter", actor.guild_id, actor.channel_id, self._new_seed())
        if place is Place.LIBRARY and await self.store.library_scope(actor.guild_id):
            raise Stale
        if place is Place.NEW_CAMPAIGN:
            return await self.store.new_scope("campaign", actor.guild_id, actor.channel_id, self._new_seed())
        kind = {Place.CHANNEL: "channel", Place.LIBRARY: "library"}.get(place, "crew")
        return await self.store.new_scope(kind, actor.guild_id, actor.channel_id)

    async def _must_fit(self, handler: Handler, loaded: Loaded, request: Request) -> None:
        """Refuse an action that does not fit the game here, or comes too late. Raises InvalidInput."""
        row = self.store.book_seen(loaded).get(EncounterRow)
        if row is not None:
            _must_be_here(handler, row, request)
        await self._must_stand(loaded, request)
        if row is not None:
            _must_be_its_game(handler, row)

    async def _must_stand(self, loaded: Loaded, request: Request) -> None:
        """Refuse a button if the game has moved on since it was shown.

        Raises Declined with what happened since.
        """
        current_scope = loaded.scope
        shown_here = request.version >= 0 and request.scope in (0, current_scope.id)
        if shown_here and not current_scope.moved <= request.version <= current_scope.version:
            second_press_text = await describe_second_press(self.store, loaded, request.action.command)
            raise too_late(
                second_press_text or MOVED_ON, await meanwhile(self.store, loaded, request.version)
            )

    async def since(self, scope: int, version: int) -> tuple[str, ...]:
        """Return what happened in a game since this version: a line for each of the last steps."""
        loaded = await self.store.load(scope) if scope else None
        if loaded is None or loaded.scope.moved <= version:
            return ()
        return tuple(await meanwhile(self.store, loaded, version))

    async def look(
        self, actor: Actor, action: Action, *, briefly: bool = False, opens: bool = False
    ) -> Act | None:
        """Return the table as this person would ask an action of it, to read from; None where there is none.

        One that works on no scope, or makes its own, sees what runs in the channel. briefly: only until
        something is waited for, with others who look; and a refusal is not read. opens: its form is opened;
        what is refused beforehand, whatever is filled in, is refused now.
        Raises InvalidInput where the action names a scope that does not exist.
        """
        handler = HANDLERS[action.command]
        _must_be_carried(handler, actor)
        request = Request(action, actor, 0)
        if handler.place in (*NEW_SCOPE_PLACES, *READS):
            scope = await self.store.running_encounter(actor.channel_id)
        elif briefly:
            scope = await self._scopes.meant(handler.place, request)
        else:
            scope = await self._scope_of(handler.place, request)
        loaded = await self.store.load(scope) if scope else None
        if loaded is not None and loaded.scope.guild_id == actor.guild_id:
            book = self.store.book_seen(loaded) if briefly else loaded.book()
            row = book.get(EncounterRow)
            if row is not None:
                _must_be_its_game(handler, row)
                actor = scoping.find_seat_owner(book, actor)
        elif handler.place in PLACES_SEEN_WITHOUT_SCOPE:
            book = Book(0, {})
        else:
            return None
        if handler.place is Place.PLAYED:
            actor = await self._as_reader(actor, 0)
        seen_fields: set[str] = set()
        try:
            watched_action = noticed(action, seen_fields)
            extra = (
                await handler.beforehand(self.store, actor, watched_action) if handler.beforehand else None
            )
        except InvalidInput:
            if opens and seen_fields.isdisjoint(asked_in_form(action)):
                raise
            extra = None
        return Act(book, actor, action, no_dice, extra=extra)

    async def _must_be_free(self, actor: Actor) -> None:
        """Protect a game whose start was just undone from being replaced. Raises InvalidInput."""
        scope = await self.store.last_in_channel(actor.channel_id, kind="encounter")
        loaded = await self.store.load(scope) if scope else None
        if (
            loaded is None
            or loaded.scope.tip
            or actor.manages
            or loaded.scope.version <= START_AND_UNDO_ENTRIES
        ):
            return
        start_entry = await self.store.entry(scope, 1)
        last_entry = await self.store.entry(scope, loaded.scope.version)
        assert start_entry is not None, "it was played"
        assert last_entry is not None, "it was taken back"
        minutes = -((self.store.now() - last_entry.at_ms - CHANNEL_FREE_MS) // 60_000)
        if start_entry.actor_id != actor.user_id and minutes > 0:
            raise InvalidInput(
                f"Wait {minutes} min to start another game; {start_entry.actor} has just undone the start of "
                "a game and may redo it. A channel manager can start one now."
            )


class _Throws(Exception):
    """Dice of an act that only looks: they can't be thrown."""


def _refuse_dice(act: Act) -> Source:
    raise _Throws


def _must_be_here(handler: Handler, row: EncounterRow, request: Request) -> None:
    """Refuse a press that was left in another channel, saying where the game is. Raises InvalidInput."""
    is_elsewhere = row.status != ENDED and row.channel_id != request.actor.channel_id
    if is_elsewhere and handler.place not in (Place.GAME, Place.SEAT):
        raise ChannelRefusal(
            f"Nothing was changed, because {row.name} is now played in {mention(row.channel_id)}."
        )


def _must_be_carried(handler: Handler, actor: Actor) -> None:
    """Refuse what needs a server where there is none. Raises InvalidInput."""
    if actor.is_outside and handler.place not in ANYWHERE:
        raise InvalidInput(NEEDS_A_SERVER)


def _is_too_late_for_setup(loaded: Loaded, request: Request) -> bool:
    """Return whether something that belongs to the setup came too late: whatever is said, it is refused."""
    book = loaded.book()
    row, kind = book.get(EncounterRow), type(request.action)
    if row is None or row.status == SETUP or kind.command not in list_setup_commands(Encounter(book)):
        return False
    return Looking(book, request.actor).legal(kind).whatever


def _must_be_its_game(handler: Handler, row: EncounterRow) -> None:
    """Refuse a game's commands on another game's encounter. Raises InvalidInput."""
    if handler.place is Place.ENCOUNTER and handler.system not in ("", row.system):
        running_game, wanted_game = game(row.system).name, game(handler.system).name
        raise InvalidInput(f"This command is for {wanted_game}, but the game here is {running_game}.")
