"""An action is carried out: handled on rows of its own, its dice sorted, and all of it kept together.

Nothing that a handler did is kept unless state, journal and interaction id go into the database in one
transaction. Where real dice are owed the action is kept instead, until they are in.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal

from bot.actions import ACTIONS, Action, part_of_doer
from bot.replies.reply import EntryKind, Note, Reply
from bot.store.book import Book, Loaded, UndoneDice, changes_between
from bot.store.journal import Entry
from bot.store.row_types import FixtureRow
from bot.store.rows import LASTING, EncounterRow, ReadyRow, WordRow
from bot.store.store import Store
from bot.table import side_access
from bot.table.act import Act
from bot.table.answering import (
    Declined,
    answered,
    as_before,
    bound,
    dice_note,
    forbidden,
    which,
    with_override,
)
from bot.table.asking.reading import understood, with_numbers
from bot.table.board.facts import note_attack
from bot.table.board.surface import TABLE, things
from bot.table.encounter import SETUP, Encounter, has_ended
from bot.table.entries import numbers_of
from bot.table.game import activated, format_for_encounter, gives_next_roll_undone_dice, list_setup_commands
from bot.table.handlers import HANDLERS, Handler, Place
from bot.table.names import Unclear, plain
from bot.table.odds_budget import PATIENCE, Thinking, count_asker
from bot.table.owners import require_owner
from bot.table.reaction_windows import hold
from bot.table.realdice import store_waiting_roll, throws_by_hand
from bot.table.repeated_dice import Instead, TypedBefore, in_place, is_typed, spent, waiting, with_earlier
from bot.table.request import MAX_REASON_LENGTH, Answer, Request, action_key, draft
from bot.table.throw_purposes import Asked, Fell, Prompt
from rules.dice import SEED_BYTES, Bound, Entered, Faces, FairDice, Recorded, Source
from rules.refusals import Forbidden, InvalidInput

SETUP_COMMAND = "encounter.setup"
"""The command that opens what can be set up."""


@dataclass(frozen=True, slots=True)
class Settle:
    """An action that is settled again after its results were taken back.

    note: told with the outcome. dice_of: the entry whose faces are used, None for new dice. after: changes of
    the rows once the action has been handled.
    """

    note: str
    dice_of: Entry | None = None
    after: Callable[[Book], None] = lambda book: None


@cache
def in_steps() -> frozenset[str]:
    """Return the commands that carry another through, and those that are carried through."""
    finishing_kinds = (kind for kind in ACTIONS.values() if kind.finishes)
    return frozenset(command for kind in finishing_kinds for command in (kind.command, kind.finishes))


@dataclass(slots=True)
class _Dice:
    """Where the dice of an action come from while it is tried.

    fresh: the bot's next. opened: rolls that were undone and whose faces wait. records: the faces of each,
    with those of the rolls that it repeated. given: what was typed for it. same: the entry whose faces stand.
    step: what the action may carry through, which stands. by_hand: known before it throws. instead: what may
    begin with one of the undone rolls.
    """

    fresh: Callable[[], FairDice]
    handler: Handler
    opened: Sequence[Entry]
    records: Mapping[int, _Record]
    given: Entered | None
    same: Entry | None
    step: tuple[Entry, _Record] | None = None
    by_hand: bool = False
    instead: Instead | None = None

    def source(self, act: Act) -> Source:
        """Return the dice when the action begins to throw. They do not know the act, so both are freed."""
        if self.same:
            return self._replay(act, self.same, self.same.faces_bound())
        step = self.step if self.step and finishes_it(act.canonical.command, self.step[0]) else None
        related_rolls = (
            self._find_related_rolls(act, step[0] if step else None) if self.opened else frozenset()
        )
        entries = waiting(self.opened, act, self.handler, related_rolls)
        if self.given:
            entries = [entry for entry in entries if is_typed(entry)]

        def begun(entry: Entry) -> Source:
            replay = self._replay(act, entry, self.records[entry.seq].faces)
            return TypedBefore(replay, self.given) if is_typed(entry) else replay

        other_source: Source = self.given or (Entered(()) if self.by_hand else self.fresh())
        if step:
            replay = self._replay(act, None, step[1].faces)
            other_source = TypedBefore(replay, self.given) if self.given or self.by_hand else replay
        self.instead = Instead(entries, related_rolls, begun, other_source)
        return self.instead

    def _find_related_rolls(self, act: Act, step: Entry | None) -> frozenset[int]:
        """Return the undone rolls of the same decision, and of those that it carries out or is part of."""
        key = action_key(act.canonical)
        command = act.canonical.command
        return frozenset(
            entry.seq
            for entry in self.opened
            if entry.action_key == key
            or (step is not None and entry.action_key == step.action_key)
            or (ACTIONS[entry.command].finishes == command and key in self.records[entry.seq].keys)
        )

    def _replay(self, act: Act, entry: Entry | None, record: Bound) -> Recorded:
        """Return an entry's faces; another decision's dice give their place, never your own."""
        is_other_decision = entry is not None and entry.action_key != action_key(act.canonical)
        return Recorded(
            record, self.fresh(), lambda: act.dice.purpose, anything=is_other_decision and in_place(act)
        )


@dataclass(frozen=True, slots=True)
class _Record:
    """What is known of a roll: its faces with those of the rolls that it repeated, and what they decided.

    root: the first of those rolls.
    """

    faces: Bound
    keys: frozenset[str]
    root: int


def _record(book: Book, entry: Entry, repeated_entries: Mapping[int, Entry]) -> _Record:
    """Return what is known of an entry's dice. repeated: the entries whose faces it used again."""
    anything = book.get(EncounterRow) is not None and gives_next_roll_undone_dice(Encounter(book))
    faces, keys = entry.faces_bound(), {entry.action_key}
    while entry.repeats:
        earlier_entry = repeated_entries[entry.repeats]
        is_other_decision = entry.action_key != earlier_entry.action_key
        entry = earlier_entry
        faces = with_earlier(faces, entry.faces_bound(), anything=anything and is_other_decision)
        keys.add(entry.action_key)
    return _Record(faces, frozenset(keys), entry.seq)


def finishes_it(command: str, step: Entry) -> bool:
    """Return whether a command carries through what an entry began."""
    return ACTIONS[command].finishes == step.command


@dataclass(frozen=True, slots=True)
class _Tried:
    """An action that was handled on rows of its own.

    opened: rolls that were undone and whose faces wait. roots: the roll whose faces each of them used first.
    undone: the one of them whose faces fell again, or
    would have but for real dice. by_hand: real dice were thrown, now or before the undo.
    """

    act: Act
    reply: Reply
    opened: Sequence[Entry]
    undone: Entry | None
    by_hand: bool
    roots: Mapping[int, int] = field(default_factory=dict)
    step: tuple[Entry, _Record] | None = None

    @property
    def carries_through(self) -> Entry | None:
        """Return the entry that the action carried through."""
        step = self.step[0] if self.step else None
        return step if step is not None and finishes_it(self.act.canonical.command, step) else None

    def kin(self, entry: Entry | None) -> Sequence[Entry]:
        """Return the rolls that wait and share their faces with this one, itself among them."""
        return [other for other in self.opened if entry and self.roots[other.seq] == self.roots[entry.seq]]


@dataclass(frozen=True, slots=True)
class _RolledDice:
    """The dice of an action. repeated: the entry whose faces fell again. undone: the one they use up."""

    faces: Faces = ()
    by_hand: bool = False
    repeated: Entry | None = None
    undone: Entry | None = None
    note: str = ""

    @property
    def whose(self) -> Literal["", "bot", "real", "repeat"]:
        """Return whose dice they were, as the journal has it."""
        if not self.faces:
            return ""
        return "real" if self.by_hand else "repeat" if self.repeated else "bot"

    def told(self, reply: Reply) -> Reply:
        """Return the reply with the name of the thrower."""
        return reply.plus(Note(self.note)) if self.note else reply


class Carrier:
    """Carries actions out on the scopes of a store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def carry_out(
        self,
        handler: Handler,
        loaded: Loaded,
        request: Request,
        action: Action,
        entered: Entered | None = None,
        book: Book | None = None,
        settle: Settle | None = None,
        placed: Callable[[Act, Reply], Reply] = lambda _, reply: reply,
    ) -> Answer:
        """Handle an action on a loaded scope and commit what it did.

        entered: real dice typed for it. book: the rows to start from, if not the loaded ones. settle: for an
        action that is settled again. placed: the place of its outcome. Raises Asked if too few dice were
        given.
        """
        owns_book = book is None and not action.looks
        book = book or (self.store.book_of(loaded) if owns_book else loaded.book())
        start = book.snapshot() if settle else None
        try:
            attempt = await self._try(handler, loaded, request, action, entered, book, settle)
        except Asked as more_dice:
            if entered:
                raise
            note = settle.note if settle else ""
            asked_request = replace(request, action=more_dice.action or action, reason=more_dice.reason)
            return await store_waiting_roll(
                self.store, loaded, asked_request, more_dice.prompt, start, note=note, faces=more_dice.faces
            )
        reply = with_override(attempt.reply, attempt.act)
        if settle:
            reply = reply.plus(*filter(None, [settle.note]))
            settle.after(book)
        rolled_dice = await self._fallen(handler, loaded, attempt, settle)
        answer, reloaded = await self._kept(
            loaded, request, attempt, rolled_dice, placed(attempt.act, rolled_dice.told(reply))
        )
        if owns_book and (answer.changed or not book.is_touched):
            self.store.leave_book(reloaded, book)
        return answer

    async def _try(
        self,
        handler: Handler,
        loaded: Loaded,
        request: Request,
        action: Action,
        entered: Entered | None,
        book: Book,
        settle: Settle | None,
    ) -> _Tried:
        """The first step: the action handled on rows of its own. Raises Declined, and Asked for real dice."""
        same_entry = settle.dice_of if settle else None
        opened = [*await self.store.open_dice_of(loaded), *await self._rolls_of_cancelled_reports(book)]
        last_entry = await self._last_step(loaded, action)
        repeated_entries = await self.store.repeated_by(
            loaded.scope.id, [*opened, *filter(None, [last_entry])]
        )
        records = {entry.seq: _record(book, entry, repeated_entries) for entry in opened}
        roots = {seq: record.root for seq, record in records.items()}
        step = (last_entry, _record(book, last_entry, repeated_entries)) if last_entry else None
        dice = _Dice(lambda: self.bot_dice(loaded, book), handler, opened, records, entered, same_entry, step)
        act = await self.act(handler, loaded, request, action, book, dice.source)
        dice.by_hand = same_entry is None and (entered is not None or throws_by_hand(handler, act))
        try:
            reply = await run_handler(handler, act)
            if entered:
                entered.finish()
        except Forbidden as refusal:
            raise Declined(forbidden(refusal, act)) from None
        except Unclear as unclear:
            raise Declined(which(unclear, action)) from None
        except Asked as more_dice:
            more_dice.reason = act.reason if act.overrides else ""
            more_dice.action = with_numbers(action, act.action)
            more_dice.faces = tuple(dice.instead.typed.shown) if dice.instead and dice.instead.typed else ()
            raise
        repeated_roll = dice.instead.fallen if dice.instead else None
        if repeated_roll:
            typed = dice.instead.typed if dice.instead else None
            still_holds = typed is None or typed.holds
            return _Tried(
                act,
                reply,
                opened,
                repeated_roll if still_holds else None,
                is_typed(repeated_roll),
                roots,
                step,
            )
        return _Tried(act, reply, opened, None, dice.by_hand, roots, step)

    async def _rolls_of_cancelled_reports(self, book: Book) -> list[Entry]:
        """Return the rolls of cancelled reports, which keep their dice when opened again."""
        cancelled_fixtures = [row for row in book.all(FixtureRow) if row.thrown and not row.report]
        entries = [
            await self.store.entry(book.scope, row.thrown)
            for row in cancelled_fixtures
            if row.status == "open"
        ]
        return [entry for entry in entries if entry is not None]

    async def _last_step(self, loaded: Loaded, action: Action) -> Entry | None:
        """Return the last step, if this action may carry it through."""
        if action.command not in in_steps() or not loaded.scope.tip:
            return None
        entry = await self.store.entry(loaded.scope.id, loaded.scope.tip)
        assert entry is not None, "the journal is whole"
        return entry

    async def _fallen(
        self, handler: Handler, loaded: Loaded, attempt: _Tried, settle: Settle | None
    ) -> _RolledDice:
        """Return the second step: whose dice fell, and whether they fell before."""
        act, opened, by_hand = attempt.act, attempt.opened, attempt.by_hand
        repeated_entry = settle.dice_of if settle else None
        faces = act.roller.record if act.roller else ()
        if not faces:
            return _RolledDice()
        undone = attempt.undone
        if repeated_entry:
            undone_entry = undone if undone and undone.repeats == repeated_entry.seq else None
            return _RolledDice(faces, by_hand, repeated_entry, undone_entry)
        last_roll = await self.store.last_roll(loaded.scope.id) if opened else 0
        replaces_roll = undone is not None or any(
            (entry.parent == loaded.scope.tip or entry.seq == last_roll)
            and HANDLERS[entry.command].place is handler.place
            for entry in opened
        )
        undone_entry = undone if undone is not None and (not by_hand or is_typed(undone)) else None
        repeated_seq = undone_entry.seq if undone_entry is not None and _is_all_of(faces, undone_entry) else 0
        if undone_entry is None and attempt.step is not None and attempt.carries_through is not None:
            known_faces = Counter((sides, face) for sides, face, _ in attempt.step[1].faces)
            repeated_seq = attempt.step[0].repeats if Counter(faces) <= known_faces else 0
        number = (await numbers_of(self.store, loaded.scope.id))(repeated_seq) if repeated_seq else 0
        note = dice_note(number, instead=replaces_roll, by_hand=by_hand)
        return _RolledDice(faces, by_hand, undone_entry, undone_entry, note)

    async def _kept(
        self, loaded: Loaded, request: Request, attempt: _Tried, rolled_dice: _RolledDice, reply: Reply
    ) -> tuple[Answer, Loaded]:
        """Write state, journal and interaction id together, as the third step.

        Gives the answer, and the scope as it is now.
        """
        act, book, scope = attempt.act, attempt.act.book, loaded.scope
        withdrawn_ready = _find_withdrawn_ready(act)
        if withdrawn_ready is not None:
            if not changes_between(loaded.snapshot, book.snapshot()):
                reply = reply.aside()
            book.remove(withdrawn_ready)
        if not rolled_dice.faces and not changes_between(loaded.snapshot, book.snapshot()):
            entry = None if reply.private else await self.store.answered(request.interaction)
            answer = (
                answered(entry) if entry is not None else Answer(as_before(reply), scope.id, scope.version)
            )
            return answer, loaded
        if has_ended(loaded.snapshot):
            raise InvalidInput("This game has ended.")
        carried_entry = attempt.carries_through if rolled_dice.faces else None
        side_access.keep(book)
        snapshot_after = book.snapshot()
        changes = changes_between(loaded.snapshot, snapshot_after)
        reply = bound(reply, act.entry)
        is_minor, is_aside = reply.entry is EntryKind.MINOR, reply.entry is EntryKind.ASIDE
        assert not is_aside or LASTING.issuperset(change.table for change in changes), "beside the game"
        draft_entry = replace(
            draft(request, act.canonical, reply),
            kind="aside" if is_aside else "do",
            minor=is_minor,
            quiet=is_minor and act.action.secret,
            reason=act.reason if act.overridden else "",
            faces=act.roller.bound if act.roller and rolled_dice.faces else (),
            dice=rolled_dice.whose,
            number=scope.rolls if rolled_dice.faces and not rolled_dice.by_hand else -1,
            repeats=next(
                (
                    earlier_entry.seq
                    for earlier_entry in (rolled_dice.repeated, carried_entry)
                    if earlier_entry is not None
                ),
                0,
            ),
        )
        undone_dice = UndoneDice(
            spend=spent(rolled_dice.undone, attempt.kin(rolled_dice.undone), act, changes)
        )
        committed = await self.store.commit(loaded, snapshot_after, changes, draft_entry, undone_dice)
        return Answer(reply, committed.scope.id, committed.scope.version, changed=True), committed

    async def rehearse(
        self, handler: Handler, loaded: Loaded, request: Request, action: Action, faces: Entered, book: Book
    ) -> tuple[Prompt | None, Sequence[Fell]]:
        """Return what an action asks for next after these faces, None for nothing, and each throw so far.

        Nothing of it is stored. Raises what the action refuses.
        """
        act = await self.act(handler, loaded, request, action, book, lambda _: faces)
        try:
            await run_handler(handler, act)
            faces.finish()
        except Forbidden as refusal:
            raise Declined(forbidden(refusal, act)) from None
        except Asked as more_dice:
            return more_dice.prompt, more_dice.prompt.before
        return None, act.fell

    async def bound_faces(
        self,
        handler: Handler,
        loaded: Loaded,
        request: Request,
        action: Action,
        book: Book,
        source: Callable[[Act], Source],
    ) -> Bound:
        """Return the faces that an action takes from a source that may run out, each with its purpose."""
        act = await self.act(handler, loaded, request, action, book, source)
        try:
            await run_handler(handler, act)
        except Asked as more_dice:
            faces_given = tuple((more_dice.sides, face, act.dice.purpose) for face in more_dice.given)
            return (*act.dice.bound, *faces_given)
        return act.dice.bound

    async def act(
        self,
        handler: Handler,
        loaded: Loaded,
        request: Request,
        action: Action,
        book: Book,
        source: Callable[[Act], Source],
    ) -> Act:
        """Return an action as its handler is given it: the rows, who asks, and where its dice come from."""
        witnessed = request.witness.looking(self.store, loaded.scope.id)
        extra = await handler.beforehand(witnessed, request.actor, action) if handler.beforehand else None
        reason = plain(request.reason, MAX_REASON_LENGTH)
        act = Act(book, request.actor, action, source, reason=reason, extra=extra, seed=loaded.seed)
        act.entry = loaded.scope.version + 1
        act.moved = loaded.scope.moved
        act.undone = loaded.scope.open_dice > 0
        return act

    def bot_dice(self, loaded: Loaded, book: Book) -> FairDice:
        """Return the next dice of a scope, with the words of its rows."""
        seed = loaded.seed or secrets.token_bytes(SEED_BYTES)
        words = [row.text for row in book.all(WordRow)]
        return FairDice(seed, words, loaded.scope.rolls)


def _is_all_of(faces: Faces, earlier_roll: Entry) -> bool:
    """Return whether no typed face is new. Dice that the bot rolls as well are told with their own number."""
    return not is_typed(earlier_roll) or Counter(faces) <= Counter(earlier_roll.faces_shown())


async def run_handler(handler: Handler, act: Act) -> Reply:
    """Return the handler's reply; odds are computed in a thread of their own."""
    if act.action.looks:
        act.thinking = Thinking(PATIENCE, apart=True)
    with act.passing():
        asked_action = act.action
        handler.permit(act, asked_action)
        action = understood(act, asked_action)
        require_owner(act, action)
        if act.action.looks:
            reply = await asyncio.to_thread(_run_counted, handler, act, action)
        elif handler.threaded:
            reply = await asyncio.to_thread(handler.run, act, action)
        else:
            acted_before = _acting_models(act)
            held_reply = _hold_action(handler, act, asked_action, action)
            reply = held_reply or handler.run(act, action)
            is_seen = held_reply is not None or (not reply.private and reply.entry is EntryKind.STEP)
            if act.has_encounter and is_seen:
                _draw_attack(act, action, acted_before)
        return format_for_encounter(act.encounter, reply) if act.has_encounter else reply


def _acting_models(act: Act) -> frozenset[int]:
    """Return the models whose activation is under way, by number, or none if no board shows them."""
    has_board = act.has_encounter and things(act.encounter, TABLE)
    return frozenset(activated(act.encounter)) if has_board else frozenset()


def _draw_attack(act: Act, action: Action, acted_before: frozenset[int]) -> None:
    """Store the line of an attack for the picture once everyone may see it, and remove one that is over.

    The attack is over when an acting model does something else, or when other models begin to act. Reactions
    of other models belong to it, and a secret declaration draws no line before its dice fall.
    """
    part, acting = part_of_doer(action.command), _acting_models(act)
    is_own = part is not None and getattr(getattr(action, part.name), "id", 0) in acted_before | acting
    if any(act.seen_pair) and (act.has_rolled or is_own):
        note_attack(act.encounter, *act.seen_pair)
    elif is_own or acting - acted_before or (acting != acted_before and not act.has_rolled):
        note_attack(act.encounter, 0, 0)


def _hold_action(handler: Handler, act: Act, asked_action: Action, action: Action) -> Reply | None:
    if handler.place is not Place.ENCOUNTER or not act.has_encounter:
        return None
    return hold(act, asked_action, action, lambda trial: handler.run(trial, understood(trial, trial.action)))


def _run_counted(handler: Handler, act: Act, action: Action) -> Reply:
    """Compute odds and their pictures in a thread of their own."""
    with count_asker():
        return handler.run(act, action)


def _find_withdrawn_ready(act: Act) -> ReadyRow | None:
    """Return the Ready of a player who goes on setting up, and so takes it back; None for no such player."""
    if not act.has_encounter or act.encounter.row.status != SETUP or act.action.secret:
        return None
    row = act.book.get(ReadyRow, act.actor.user_id)
    if row is None:
        return None
    return row if act.action.command in (SETUP_COMMAND, *list_setup_commands(act.encounter)) else None
