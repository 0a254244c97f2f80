"""The desk: takes an action from a person, carries it through, and answers.

Load, handle, commit, and only then answer: a handler runs on rows of its own, and nothing it did is kept
unless state, journal and interaction id went into the database together. What the game or the rules refuse
becomes a private reply and changes nothing.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from bot.actions import Action
from bot.replies.reply import Button, Reply, reply_from_json, say
from bot.store.book import Book, changes_between
from bot.store.errors import Busy, Occupied, Repeated, Stale, Unsure
from bot.store.journal import Entry
from bot.store.rows import LASTING, EncounterRow
from bot.store.store import Loaded, Scope, Store, UndoneDice
from bot.table.act import Act, Actor
from bot.table.answering import Declined, answered, as_before, dice_note, forbidden, refused, with_override
from bot.table.asking.reading import understood
from bot.table.encounter import Encounter, has_ended
from bot.table.game import game
from bot.table.handlers import HANDLERS, SPECIAL, Handler, Place
from bot.table.journal import ties
from bot.table.names import Unclear, plain
from bot.table.request import LONGEST_REASON, Answer, Request, action_key, draft
from bot.table.rolling.realdice import keep_waiting, throws_by_hand
from bot.table.rolling.thinking import PATIENCE, Thinking
from bot.table.rolling.throws import Asked, Fell, Prompt
from bot.table.session.numbering import numbers_of
from bot.table.session.which import which
from rules.dice import DiceError, Entered, Faces, Recorded, Source
from rules.fair import SEED_BYTES, FairDice
from rules.odds import TooLarge
from rules.refusals import Forbidden, InvalidInput

TRIES = 5
"""How often an act is made again when another program changed its scope in between."""

KEPT_FREE_MS = 15 * 60_000
"""How long a channel stays free for a game whose start was taken back."""

START_AND_UNDO = 2
"""Entries of a game that was started and taken back at once."""

NO_ENCOUNTER = "No encounter runs in this channel. Start one: /encounter start, or /demo to try."
MOVED_ON = "The game has moved on since this was shown. Nothing was changed."

NEW = (Place.NEW_ENCOUNTER, Place.NEW_CREW, Place.NEW_CAMPAIGN)
"""Where an action makes a scope of its own."""

SEEN_WITHOUT = (*NEW, Place.NOWHERE, Place.LIBRARY, Place.CHANNEL)
"""Where an action can be asked although there is nothing yet that it works on."""


@dataclass(frozen=True, slots=True)
class Settle:
    """How an action is settled anew, after what came of it was taken back.

    note: told with the outcome. dice_of: the entry whose faces stand, None for fresh dice. after: what is
    done to the rows when the action has been handled.
    """

    note: str
    dice_of: Entry | None = None
    after: Callable[[Book], None] = lambda book: None


@dataclass(frozen=True, slots=True)
class _Tried:
    """An action that was handled on rows of its own.

    opened: rolls that were undone and whose faces wait, by what was asked. by_hand: real dice were thrown.
    """

    act: Act
    reply: Reply
    opened: Mapping[str, Entry]
    by_hand: bool


@dataclass(frozen=True, slots=True)
class _Fallen:
    """The dice of an action. repeated: the entry whose faces fell again. undone: the one they use up."""

    faces: Faces = ()
    by_hand: bool = False
    repeated: Entry | None = None
    undone: Entry | None = None
    note: str = ""

    @property
    def whose(self) -> Literal["", "bot", "real", "repeat"]:
        """Whose dice they were, as the journal has it."""
        if not self.faces:
            return ""
        return "real" if self.by_hand else "repeat" if self.repeated else "bot"

    def told(self, reply: Reply) -> Reply:
        """The reply with whose dice fell."""
        return reply.plus(self.note) if self.note else reply


class Desk:
    """Carries actions through. `new_seed` gives the secret of a new encounter's dice."""

    def __init__(
        self, store: Store, new_seed: Callable[[], bytes] = lambda: secrets.token_bytes(SEED_BYTES)
    ) -> None:
        self.store = store
        self._new_seed = new_seed

    async def perform(self, request: Request) -> Answer:
        """Do what is asked, once, and answer. Only faults of the program raise."""
        try:
            return await self._perform(request)
        except Repeated as repeated:
            return answered(repeated.entry)
        except Unsure as unsure:
            return await self._asked_before(request, unsure.entry)
        except (Declined, Forbidden, InvalidInput, DiceError, TooLarge, Occupied, Stale, Busy) as refusal:
            entry = await self.store.answered(request.interaction)
            return Answer(refused(refusal), request.scope) if entry is None else answered(entry)

    async def _asked_before(self, request: Request, done: Entry) -> Answer:
        """What was done and could not be answered is shown, and done again only by a press."""
        known = await self.store.load(done.scope)
        first = reply_from_json(done.reply).lines[:1]
        again = Button("Do it again", request.action, "main")
        lines = ("You asked that before, and it was done, though not answered:", *first)
        reply = say(*lines, "Is it to be done once more?", private=True, buttons=(again,))
        if known is None or HANDLERS[request.action.command].place in NEW:
            return Answer(reply, 0, 0)
        return Answer(reply, done.scope, known.scope.version)

    # ------------------------------------------------------------- finding the scope

    async def _perform(self, request: Request) -> Answer:
        action, actor = request.action, request.actor
        handler = HANDLERS[action.command]
        if handler.place is Place.NOWHERE:
            extra = await handler.beforehand(self.store, actor, action) if handler.beforehand else None
            act = Act(Book(0, {}), actor, action, _no_dice, extra=extra)
            return Answer(await _handled(handler, act), request.scope)
        for attempt in range(TRIES):
            scope = await self._scope_of(handler.place, request)
            here = actor.guild_id if handler.place is Place.LIBRARY else actor.channel_id
            name = scope or (handler.place, here)
            glance = partial(self._glance, scope, handler, request)
            try:
                if action.looks:
                    return await self._looked(scope, handler, request)
                async with self.store.alone(name, glance) as shown:
                    return shown or await self._on_scope(scope, handler, request)
            except Stale:
                if attempt == TRIES - 1:
                    raise
        raise AssertionError("the last try returns or raises")

    async def _glance(self, scope: int, handler: Handler, request: Request) -> Answer | None:
        """What an action that only shows something shows, while others wait to write; None for any other."""
        if not scope or request.action.command in SPECIAL:
            return None
        try:
            loaded = await self._loaded(handler.place, scope, request)
            _must_stand(loaded, request)
            _must_be_its_game(handler, loaded)
            act = await self._act(handler, loaded, request, request.action, loaded.book(), _nothing_falls)
            reply = await _handled(handler, act)
        except (_Throws, Asked, Forbidden, InvalidInput, DiceError, TooLarge, Stale):
            return None
        if not reply.private or changes_between(loaded.snapshot, act.book.snapshot()):
            return None
        return Answer(as_before(reply), loaded.scope.id, loaded.scope.version)

    async def _looked(self, scope: int, handler: Handler, request: Request) -> Answer:
        """Odds are told of the table as it stands: nobody waits for them, and they make no scope."""
        if scope:
            loaded = await self._loaded(handler.place, scope, request)
        else:
            loaded = Loaded(Scope(0, "", request.actor.guild_id, request.actor.channel_id), {})
        _must_stand(loaded, request)
        _must_be_its_game(handler, loaded)
        return await self.carry_out(handler, loaded, request, request.action)

    async def _on_scope(self, scope: int, handler: Handler, request: Request) -> Answer:
        loaded = await self._loaded(handler.place, scope, request)
        changed = False
        try:
            _must_stand(loaded, request)
            _must_be_its_game(handler, loaded)
            special = SPECIAL.get(request.action.command)
            if special is not None:
                answer = await special(self, loaded, request)
            else:
                answer = await self.carry_out(handler, loaded, request, request.action)
            changed = answer.changed
        finally:
            if not scope and not changed:
                await self.store.discard(loaded.scope.id)
        return answer

    async def _scope_of(self, place: Place, request: Request) -> int:
        channel = request.actor.channel_id
        match place:
            case _ if place in NEW:
                return 0
            case Place.CAMPAIGN:
                campaign = int(getattr(request.action, "campaign", 0)) or request.scope
                if not campaign:
                    raise InvalidInput("There is no such campaign. /campaign list shows them.")
                return campaign
            case Place.CREW:
                crew = int(getattr(request.action, "crew", 0)) or request.scope
                if not crew:
                    raise InvalidInput("There is no such crew. /crew list shows them.")
                return crew
            case Place.LIBRARY:
                return await self.store.library_scope(request.actor.guild_id)
            case Place.CHANNEL:
                running = await self.store.running_encounter(channel)
                if running and await self._takes_part(running, request.actor):
                    return running
                return await self.store.channel_scope(channel)
            case Place.DICE if not request.scope:
                return await self._waiting_for_dice(request.actor)
            case Place.HISTORY if not request.scope:
                return await self._last_of(request.actor) or await self._running(channel)
        return request.scope or await self._running(channel)

    async def _waiting_for_dice(self, actor: Actor) -> int:
        """The encounter here, unless none of its rolls waits and one of the person's own does elsewhere."""
        running = await self.store.running_encounter(actor.channel_id)
        loaded = await self.store.load(running) if running else None
        if loaded is not None and loaded.snapshot.get("pendings"):
            return running
        return await self.store.waiting_roll(actor.guild_id, actor.user_id) or await self._running(
            actor.channel_id
        )

    async def _takes_part(self, scope: int, actor: Actor) -> bool:
        """Whether a person plays an encounter, or organises it."""
        loaded = await self.store.load(scope)
        book = loaded.book() if loaded else None
        row = book.get(EncounterRow) if book else None
        if book is None or row is None:
            return False
        seat = Encounter(book).seat_of(actor.user_id)
        return row.organiser_id == actor.user_id or (seat is not None and seat.role != "spectator")

    async def _last_of(self, actor: Actor) -> int:
        """What undo and redo are about: what was last acted upon here, as far as it concerns the person.

        A game concerns who takes part in it or may manage the channel; all else who acted on it. One that is
        over concerns nobody once another runs here.
        """
        own = ["crew", "campaign", "channel", "library"]
        channel = actor.channel_id
        last = await self.store.last_in_channel(channel, user_id=actor.user_id, own=own)
        if not last:
            return await self.store.last_in_channel(channel, user_id=actor.user_id)
        if actor.manages or await self._takes_part(last, actor):
            return last
        mine = await self.store.last_in_channel(channel, user_id=actor.user_id, own=[*own, "encounter"])
        loaded = await self.store.load(mine) if mine else None
        over = loaded is not None and has_ended(loaded.snapshot)
        return last if over else mine or last

    async def _running(self, channel_id: int) -> int:
        scope = await self.store.running_encounter(channel_id)
        if not scope:
            raise InvalidInput(NO_ENCOUNTER)
        return scope

    async def _loaded(self, place: Place, scope: int, request: Request) -> Loaded:
        """The scope; Stale where it is not the one to work on any more, now that its lock is held."""
        actor = request.actor
        if scope:
            loaded = await self.store.load(scope)
            if loaded is None or loaded.scope.guild_id != actor.guild_id:
                raise InvalidInput("That is not here any more.")
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

    async def look(self, actor: Actor, action: Action) -> Act | None:
        """The table as this person would ask an action of it, to read from; None where there is none.

        One that works on no scope, or makes its own, sees what runs in the channel. Raises InvalidInput where
        the action names a scope that does not exist.
        """
        handler = HANDLERS[action.command]
        if handler.place in NEW or handler.place is Place.NOWHERE:
            scope = await self.store.running_encounter(actor.channel_id)
        else:
            scope = await self._scope_of(handler.place, Request(action, actor, 0))
        loaded = await self.store.load(scope) if scope else None
        if loaded is not None and loaded.scope.guild_id == actor.guild_id:
            _must_be_its_game(handler, loaded)
            book = loaded.book()
        elif handler.place in SEEN_WITHOUT:
            book = Book(0, {})
        else:
            return None
        try:
            extra = await handler.beforehand(self.store, actor, action) if handler.beforehand else None
        except InvalidInput:
            extra = None
        return Act(book, actor, action, _no_dice, extra=extra)

    async def _must_be_free(self, actor: Actor) -> None:
        """A game whose start was just taken back is not pushed out by another. Raises InvalidInput."""
        scope = await self.store.last_in_channel(actor.channel_id, kind="encounter")
        loaded = await self.store.load(scope) if scope else None
        if loaded is None or loaded.scope.tip or actor.manages or loaded.scope.version <= START_AND_UNDO:
            return
        start = await self.store.entry(scope, 1)
        last = await self.store.entry(scope, loaded.scope.version)
        assert start is not None, "it was played"
        assert last is not None, "it was taken back"
        minutes = -((self.store.now() - last.at_ms - KEPT_FREE_MS) // 60_000)
        if start.actor_id != actor.user_id and minutes > 0:
            raise InvalidInput(
                f"{start.actor} has just taken a game here back and may redo it. "
                f"Start another in {minutes} min, or ask who manages the channel."
            )

    # ------------------------------------------------------------- carrying out

    async def carry_out(
        self,
        handler: Handler,
        loaded: Loaded,
        request: Request,
        action: Action,
        given: Entered | None = None,
        book: Book | None = None,
        settle: Settle | None = None,
        placed: Callable[[Reply], Reply] = lambda reply: reply,
    ) -> Answer:
        """Handle an action on a loaded scope and commit what it did.

        given: real dice typed for it; book: the rows to start from, where they are not the loaded ones;
        settle: for an action that is settled anew; placed: where its outcome stands.

        Raises Asked where too few were given.
        """
        book = book or loaded.book()
        start = book.snapshot() if settle else None
        try:
            tried = await self._try(handler, loaded, request, action, given, book, settle)
        except Asked as wanted:
            if given:
                raise
            note = settle.note if settle else ""
            asked = replace(request, action=action, reason=wanted.reason)
            return await keep_waiting(self, loaded, asked, wanted.prompt, start, note=note)
        reply = with_override(tried.reply, tried.act)
        if settle:
            reply = reply.plus(settle.note)
            settle.after(book)
        fallen = await self._fallen(handler, loaded, tried, settle)
        return await self._kept(loaded, request, tried, fallen, placed(fallen.told(reply)))

    async def _try(
        self,
        handler: Handler,
        loaded: Loaded,
        request: Request,
        action: Action,
        given: Entered | None,
        book: Book,
        settle: Settle | None,
    ) -> _Tried:
        """The first step: the action handled on rows of its own. Raises Declined, and Asked for real dice."""
        same = settle.dice_of if settle else None
        opened = await self.store.open_dice(loaded.scope.id) if loaded.scope.open_dice else {}

        def source() -> Source:
            return by_hand or self._bot_dice(loaded, same or opened.get(action_key(act.canonical)))

        act = await self._act(handler, loaded, request, action, book, source)
        by_hand = given or (Entered(()) if same is None and throws_by_hand(handler, act) else None)
        try:
            reply = await _handled(handler, act)
            if by_hand:
                by_hand.finish()
        except Forbidden as refusal:
            raise Declined(forbidden(refusal, act)) from None
        except Unclear as unclear:
            raise Declined(which(unclear, action)) from None
        except Asked as wanted:
            wanted.reason = act.reason if act.overrides else ""
            raise
        return _Tried(act, reply, opened, by_hand is not None)

    async def _fallen(
        self, handler: Handler, loaded: Loaded, tried: _Tried, settle: Settle | None
    ) -> _Fallen:
        """The second step: whose dice fell, and whether they fell before."""
        act, opened, by_hand = tried.act, tried.opened, tried.by_hand
        same = settle.dice_of if settle else None
        faces = act.roller.record if act.roller else ()
        if not faces:
            return _Fallen()
        undone = opened.get(action_key(act.canonical))
        if same:
            again = undone if undone and undone.repeats == same.seq else None
            return _Fallen(faces, by_hand, same, again)
        last = await self.store.last_roll(loaded.scope.id) if opened else 0
        instead = undone is not None or any(
            (one.parent == loaded.scope.tip or one.seq == last)
            and HANDLERS[one.command].place is handler.place
            for one in opened.values()
        )
        repeated = None if by_hand else undone
        number = (await numbers_of(self.store, loaded.scope.id))(repeated.seq) if repeated else 0
        note = dice_note(number, instead=instead, by_hand=by_hand)
        return _Fallen(faces, by_hand, repeated, undone if repeated else None, note)

    async def _kept(
        self, loaded: Loaded, request: Request, tried: _Tried, fallen: _Fallen, reply: Reply
    ) -> Answer:
        """The third step: state, journal and interaction id go into the database together."""
        act, book, at = tried.act, tried.act.book, loaded.scope
        if not fallen.faces and not changes_between(loaded.snapshot, book.snapshot()):
            entry = None if reply.private else await self.store.answered(request.interaction)
            return answered(entry) if entry is not None else Answer(as_before(reply), at.id, at.version)
        if has_ended(loaded.snapshot):
            raise InvalidInput("This encounter has ended.")
        ties.keep(book, loaded)
        after = book.snapshot()
        changes = changes_between(loaded.snapshot, after)
        assert not act.aside or LASTING.issuperset(change.table for change in changes), "beside the game"
        written = replace(
            draft(request, act.canonical, reply),
            kind="aside" if act.aside else "do",
            minor=act.minor,
            quiet=act.minor and act.action.secret,
            reason=act.reason if act.overridden else "",
            faces=fallen.faces,
            dice=fallen.whose,
            number=at.rolls if fallen.faces and not fallen.by_hand else -1,
            repeats=fallen.repeated.seq if fallen.repeated else 0,
        )
        spent = UndoneDice(spend=(fallen.undone.seq,) if fallen.undone else ())
        now = await self.store.commit(loaded, after, changes, written, spent)
        return Answer(reply, now.scope.id, now.scope.version, changed=True)

    async def rehearse(
        self, handler: Handler, loaded: Loaded, request: Request, action: Action, faces: Entered, book: Book
    ) -> tuple[Prompt | None, Sequence[Fell]]:
        """What an action asks for next when these faces have fallen, None for nothing, and each throw so far.

        Nothing of it is kept. Raises what the action refuses.
        """
        act = await self._act(handler, loaded, request, action, book, lambda: faces)
        try:
            await _handled(handler, act)
            faces.finish()
        except Forbidden as refusal:
            raise Declined(forbidden(refusal, act)) from None
        except Asked as wanted:
            return wanted.prompt, wanted.prompt.before
        return None, act.fell

    async def _act(
        self,
        handler: Handler,
        loaded: Loaded,
        request: Request,
        action: Action,
        book: Book,
        source: Callable[[], Source],
    ) -> Act:
        extra = await handler.beforehand(self.store, request.actor, action) if handler.beforehand else None
        reason = plain(request.reason, LONGEST_REASON)
        act = Act(book, request.actor, action, source, reason=reason, extra=extra, seed=loaded.seed)
        act.entry = loaded.scope.version + 1
        if act.looks:
            act.thinking = Thinking(PATIENCE, apart=True)
        return act

    def _bot_dice(self, loaded: Loaded, repeated: Entry | None) -> Source:
        seed = loaded.seed or secrets.token_bytes(SEED_BYTES)
        words = [str(columns[3]) for _, columns in sorted(loaded.snapshot.get("words", {}).items())]
        fresh = FairDice(seed, words, loaded.scope.rolls)
        return Recorded(repeated.faces_shown(), fresh) if repeated else fresh


async def _handled(handler: Handler, act: Act) -> Reply:
    """What the handler answers; odds are worked out beside everything else."""
    with act.passing():
        action = understood(act, act.action)
        if act.looks:
            return await asyncio.to_thread(handler.handle, act, action)
        return handler.handle(act, action)


def _no_dice() -> Source:
    raise AssertionError("an action that only reads throws no dice")


class _Throws(Exception):
    """What only looks does not throw dice."""


def _nothing_falls() -> Source:
    raise _Throws


def _must_stand(loaded: Loaded, request: Request) -> None:
    """A button is good while the game stands where it stood when it was shown. Raises InvalidInput."""
    at = loaded.scope
    shown_here = request.version >= 0 and request.scope in (0, at.id)
    if shown_here and not at.moved <= request.version <= at.version:
        raise InvalidInput(MOVED_ON)


def _must_be_its_game(handler: Handler, loaded: Loaded) -> None:
    """A game's commands work on its own encounters. Raises InvalidInput."""
    row = loaded.book().get(EncounterRow) if handler.place is Place.ENCOUNTER and handler.system else None
    if row is not None and row.system != handler.system:
        runs, wanted = game(row.system).name, game(handler.system).name
        raise InvalidInput(f"A game of {runs} runs here; that is for {wanted}.")
