"""The faces of real dice are entered, taken back, or given up with the roll that waits for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bot.actions import Action, from_json
from bot.replies.reply import Button, Reply, say
from bot.store.book import Book, Loaded, Snapshot, apply
from bot.store.book import from_json as changes_from
from bot.store.row_types import CampaignRow, EntrantRow
from bot.store.rows import CrewRow, EncounterRow, PendingRow, SeatRow
from bot.table.act import ANY_PLAYER, EACH_PLAYER, ENTERED_BY, Act, Actor, Barred
from bot.table.answering import Answered
from bot.table.carrying import Carrier
from bot.table.encounter import Encounter
from bot.table.handlers import HANDLERS, Place, handles
from bot.table.journal.history import UNDO
from bot.table.journal_actions import handles_specially
from bot.table.names import plain
from bot.table.realdice import (
    UNKNOWN_AUTHOR,
    DropRoll,
    EnterFaces,
    TakeBackFace,
    ask_for_dice,
    build_dice_question,
    fell_line,
    find_waiting_roll,
    format_faces,
    list_entered_faces,
    list_face_authors,
    list_helpers,
    name_of,
    set_entered_faces,
    witnesses,
)
from bot.table.repeated_dice import TypedBefore
from bot.table.request import MAX_REASON_LENGTH, OVERRIDE, OVERRIDE_FORM, Answer, Request
from bot.table.throw_purposes import Asked, Fell, Prompt
from rules.dice import Bound, Entered, Recorded, Source
from rules.refusals import Forbidden, InvalidInput, Missing
from rules.wording import join_with_and, possessive

NO_WAITING_ROLL = "Start a roll first, then enter its dice."

UNNAMED_PLAYER = "another player"
"""The name of a person who is no longer known here."""


@handles_specially(EnterFaces, Place.DICE)
async def enter_faces(carrier: Carrier, loaded: Loaded, request: Request) -> Answer:
    """Add faces to the roll that waits; carry its action out when there are enough."""
    action = request.action
    assert isinstance(action, EnterFaces)
    book = loaded.book()
    pending = _require_meant_roll(book, request.actor, action.roll, action.at)
    is_unrestricted = _anybody_enters(book) or _overrides(book, request)
    if not (is_unrestricted or _may_enter(book, request.actor, pending, pending.thrower)):
        raise _build_refusal(book, request, pending, pending.thrower)
    before = list_entered_faces(pending)
    if not action.faces:
        raise Missing('Enter at least one face, for example "10 4 2".')
    waits = _WaitingRoll(carrier, loaded, request, pending)
    changed_question = await _ask_if_changed(waits, book)
    if changed_question is not None:
        return changed_question
    faces = (*before, *action.faces)
    if not is_unrestricted:
        await _require_own_dice(waits, book, faces)
    if action.asks:
        _, fell = await waits.rehearse(faces)
        further = _ask_about_extra_faces(pending, action.faces, fell)
        if further is not None:
            return Answer(further, loaded.scope.id, loaded.scope.version)
    try:
        return await waits.carry_out(faces)
    except Asked as wanted:
        repeated_faces = wanted.faces[len(faces) :]
        set_entered_faces(
            pending, (*faces, *repeated_faces), (*waits.by(faces), *(UNKNOWN_AUTHOR,) * len(repeated_faces))
        )
        note = waits.override
        return await ask_for_dice(
            carrier.store, loaded, request, book, pending, wanted.prompt, note, replaces=True
        )


@dataclass(frozen=True, slots=True)
class _WaitingRoll:
    """A roll that waits, and how its action is asked again with faces."""

    carrier: Carrier
    loaded: Loaded
    request: Request
    pending: PendingRow

    @property
    def roller(self) -> Actor:
        """Return the person whose action is waiting.

        It stays theirs no matter who enters faces, and so does an override.
        """
        actor, pending = self.request.actor, self.pending
        if pending.user_id == actor.user_id:
            return actor
        name = name_of(self.loaded.book(), pending.user_id) or actor.name
        return replace(actor, user_id=pending.user_id, name=name, manages=bool(pending.reason))

    @property
    def override(self) -> str:
        """Return why an organiser enters another player's dice; empty if none does."""
        reason = plain(self.request.reason, MAX_REASON_LENGTH)
        return f"Override by {self.request.actor.name}: {reason}" if reason else ""

    def _asked(self) -> tuple[str, Action, Request, Book]:
        command, text = self.pending.action.split(" ", 1)
        book = self.loaded.book()
        row = book.get(PendingRow, self.pending.id)
        assert row is not None, "it waits in these rows"
        book.remove(row)
        request = replace(self.request, reason=self.pending.reason, actor=self.roller)
        return command, from_json(command, text), request, book

    async def kept(self) -> tuple[int, ...]:
        """Return the entered faces that are still needed. Each stays with its purpose, whatever changed."""
        rows: Snapshot = self.loaded.snapshot
        for number in range(self.loaded.scope.version, self.pending.asked, -1):
            entry = await self.carrier.store.entry(self.loaded.scope.id, number)
            assert entry is not None, "the journal is whole"
            rows = apply(rows, changes_from(entry.changes_written(), rows, reverse=True))
        typed = await self._find_bound_faces(
            replace(self.loaded, snapshot=rows), lambda _: Entered(list_entered_faces(self.pending))
        )
        found = await self._find_bound_faces(
            self.loaded, lambda act: TypedBefore(Recorded(typed, Entered(()), lambda: act.dice.purpose), None)
        )
        return tuple(face for _, face, _ in found)

    async def _find_bound_faces(self, loaded: Loaded, source: Callable[[Act], Source]) -> Bound:
        waits = replace(self, loaded=loaded)
        command, original, asked, book = waits._asked()
        return await self.carrier.bound_faces(HANDLERS[command], loaded, asked, original, book, source)

    async def rehearse(self, faces: Sequence[int]) -> tuple[Prompt | None, Sequence[Fell]]:
        command, original, request, book = self._asked()
        handler = HANDLERS[command]
        return await self.carrier.rehearse(handler, self.loaded, request, original, Entered(faces), book)

    async def carry_out(self, faces: Sequence[int]) -> Answer:
        command, original, request, book = self._asked()
        return await self.carrier.carry_out(
            HANDLERS[command], self.loaded, request, original, Entered(faces), book, placed=self._in_place
        )

    def by(self, faces: Sequence[int]) -> tuple[int, ...]:
        """Return the author of each of these faces; the person who asks entered the new ones."""
        known = list_face_authors(self.pending)[: len(faces)]
        return (*known, *(self.request.actor.user_id,) * (len(faces) - len(known)))

    def _in_place(self, act: Act, reply: Reply) -> Reply:
        """Replace the question with the outcome; a private one comes beside it."""
        told = [*self._entered_for_others(act), *([self.override] if self.override else [])]
        if reply.private:
            lines = (f"{possessive(self.roller.name)} dice have been entered.", *told)
            return Reply(lines, also=(reply,), replaces=True)
        return replace(reply.plus(*told), replaces=True)

    def _entered_for_others(self, act: Act) -> list[str]:
        by = self.by([face for one in act.fell for face in one.faces])
        found: dict[str, dict[str, None]] = {}
        for fell, names in zip(act.fell, list_helpers(self.loaded.book(), by, act.fell), strict=True):
            found.setdefault(fell.person, {}).update(dict.fromkeys(names))
        return [
            f"{join_with_and([*names])} entered {possessive(person)} dice."
            for person, names in found.items()
            if names
        ]


async def _require_own_dice(waits: _WaitingRoll, book: Book, faces: Sequence[int]) -> None:
    """Refuse faces that continue into dice that another player rolls. Raises Forbidden."""
    at, end = len(list_entered_faces(waits.pending)), 0
    wanted, fell = await waits.rehearse(faces)
    throws = [(one.person, len(one.faces)) for one in fell]
    if wanted is not None:
        throws.append((wanted.person, len(wanted.given)))
    for person, count in throws:
        end += count
        if end > at and count and not _may_enter(book, waits.request.actor, waits.pending, person):
            raise _build_refusal(book, waits.request, waits.pending, person)


async def _ask_if_changed(waits: _WaitingRoll, book: Book) -> Answer | None:
    """Return the question for other dice if the game has changed so that they are needed, or None.

    Faces of dice that are still rolled for the same purpose are kept.
    """
    pending = waits.pending
    if not pending.asked or pending.asked == waits.loaded.scope.version:
        return None
    kept = await waits.kept()
    if kept == list_entered_faces(pending):
        now, _ = await waits.rehearse(kept)
        asked = (pending.thrower, pending.wanted, pending.told)
        if now is not None and (now.person, now.wanted, now.told) == asked:
            return None
    return await _ask_anew(waits, book, kept)


async def _ask_anew(waits: _WaitingRoll, book: Book, faces: Sequence[int]) -> Answer:
    """Ask for the dice that are still missing after the game has changed."""
    wanted, _ = await waits.rehearse(faces)
    if wanted is None:
        return await waits.carry_out(faces)
    pending = book.get(PendingRow, waits.pending.id)
    assert pending is not None, "it waits in these rows"
    by = list(zip(list_entered_faces(pending), list_face_authors(pending), strict=True))
    authors = []
    for face in faces:
        one = next(pair for pair in by if pair[0] == face)
        by.remove(one)
        authors.append(one[1])
    set_entered_faces(pending, faces, authors)
    note = "The game has changed, so other dice are needed now."
    return await ask_for_dice(
        waits.carrier.store, waits.loaded, waits.request, book, pending, wanted, note, replaces=True
    )


def _ask_about_extra_faces(pending: PendingRow, faces: Sequence[int], fell: Sequence[Fell]) -> Reply | None:
    """Return the question whether extra faces belong to the next throw; None if there are none.

    It replaces the question for the dice, so that other faces can be typed there. fell: every throw that is
    complete with these faces. Bonus dice belong to the throw that earned them.
    """
    ends, end = [], 0
    for one in fell:
        end += len(one.faces)
        ends.append(end)
    begun = sum(stop <= pending.told for stop in ends)
    here = fell[begun].whose if begun < len(fell) else None
    last = begun + 1
    while last < len(fell) and fell[last].wave and fell[last].whose == here:
        last += 1
    at = len(list_entered_faces(pending))
    if here is None or at + len(faces) <= ends[last - 1]:
        return None
    rest = (*list_entered_faces(pending), *faces)[ends[-1] :]
    reply = build_dice_question(pending)
    lines = (
        "You entered more faces than this roll needs.",
        *(fell_line(one) for one in fell[begun:]),
        *([f"Faces left over: {format_faces(rest)}"] if rest else []),
        "Press Accept if these faces are right, or enter them again:",
        *reply.lines,
    )
    take = Button("Accept", EnterFaces(tuple(faces), pending.id, at), "main", anytime=True)
    return replace(reply, lines=lines, buttons=(*reply.buttons, take), replaces=True)


@handles_specially(TakeBackFace, Place.DICE)
async def take_back(carrier: Carrier, loaded: Loaded, request: Request) -> Answer:
    """Remove the last face, by the person who entered it, and ask for its throw again."""
    action = request.action
    assert isinstance(action, TakeBackFace)
    book = loaded.book()
    pending = _require_meant_roll(book, request.actor, action.roll, action.at)
    faces = list_entered_faces(pending)[:-1]
    if not pending.faces:
        raise InvalidInput("No face has been entered yet. Use /dice drop to cancel the roll.")
    *by, last = list_face_authors(pending)
    if last == UNKNOWN_AUTHOR:
        raise InvalidInput(
            "That die was rolled before the undo, so you can't remove it. Use /dice drop to cancel the roll."
        )
    waits = _WaitingRoll(carrier, loaded, request, pending)
    anew = await _ask_if_changed(waits, book)
    if anew is not None:
        return anew
    wanted, _ = await waits.rehearse(faces)
    if wanted is None:
        return await _ask_anew(waits, book, faces)
    if last != request.actor.user_id:
        name = name_of(book, last) or UNNAMED_PLAYER
        raise Forbidden(f"Only {name} can remove that face.")
    set_entered_faces(pending, faces, by)
    return await ask_for_dice(carrier.store, loaded, request, book, pending, wanted, replaces=True)


@handles(DropRoll, Place.DICE)
def drop_roll(act: Act, action: DropRoll) -> Reply:
    """Cancel the waiting roll. Nothing has happened yet, so it is not a step to undo.

    Its owner or that side's captain may do so until another player has entered faces, or a throw of it is in;
    after that, an organiser with a reason.
    """
    book, user = act.book, act.actor.user_id
    pending = (
        _require_waiting_roll(book, act.actor, action.roll) if action.roll else find_waiting_roll(book, user)
    )
    if pending is None:
        raise InvalidInput("You have no roll that is waiting for dice.")
    name = name_of(book, pending.user_id)
    captain = " or their captain" if act.has_encounter else ""
    act.require(
        user == pending.user_id or _may_cancel_for(book, user, pending.user_id),
        f"That is {possessive(name or UNNAMED_PLAYER)} roll, so only {name or 'that player'}{captain} can "
        "cancel it.",
    )
    helped = [
        enterer
        for enterer in list_face_authors(pending)
        if enterer not in (UNKNOWN_AUTHOR, user, pending.user_id)
    ]
    names = dict.fromkeys(name_of(book, one) or UNNAMED_PLAYER for one in helped)
    with act.overridable():
        if names and act.has_encounter:
            people = join_with_and([*names])
            raise Barred(
                f"Some of these faces were entered by {people}. Use /undo, which asks {people} first.",
                "",
                UNDO,
            )
        seen = witnesses(pending, act.encounter.players()) if act.has_encounter else []
        if seen:
            people = join_with_and([seat.name for seat in seen])
            raise Barred(
                f"Some of these dice have already been entered. Use /undo, which asks {people} first.",
                "",
                UNDO,
            )
    book.remove(pending)
    return replace(
        say(f"{act.actor.name} cancels the roll that was waiting for dice."), replaces=True
    ).minor()


def _may_cancel_for(book: Book, user: int, other: int) -> bool:
    """Return whether the person is the captain of the other player's side, or manages the crew here."""
    crew = book.get(CrewRow)
    seats = book.all(SeatRow)
    sides = {seat.side for seat in seats if seat.user_id == user and seat.role == "captain"}
    is_captain = any(seat.user_id == other and seat.side in sides for seat in seats)
    return is_captain or (crew is not None and crew.owner_id == user)


# ------------------------------------------------------------------------------------ whose


def _require_meant_roll(book: Book, actor: Actor, roll: int, at: int = -1) -> PendingRow:
    """Return the waiting roll that a player means. Raises InvalidInput, Forbidden."""
    pending = _require_waiting_roll(book, actor, roll)
    if pending.user_id != actor.user_id and not _takes_part(book, actor):
        raise Forbidden("Only players can enter dice.")
    if 0 <= at != len(list_entered_faces(pending)):
        now = pending.prompt.split("\n")[0]
        raise InvalidInput(f"Nothing was changed, because that die has already been entered. Next: {now}")
    return pending


def _may_enter(book: Book, actor: Actor, pending: PendingRow, thrower: str) -> bool:
    """Return whether a person rolls these dice or plays on the roller's side. thrower: by name."""
    user = actor.user_id
    throwers = {row.owner_id for row in book.all(EntrantRow) if row.owner == thrower}
    if throwers:
        return user in throwers
    if book.get(EncounterRow) is None:
        return user == pending.user_id or book.get(CampaignRow) is None
    players = [seat for seat in book.all(SeatRow) if seat.role != "spectator"]
    owners = _owners(players, pending, thrower)
    own_sides = {seat.side for seat in players if seat.user_id == user}
    return any(seat.side in own_sides for seat in owners) if owners else user == pending.user_id


def _owners(players: Sequence[SeatRow], pending: PendingRow, thrower: str) -> Sequence[SeatRow]:
    """Return the seats of the person who rolls these dice, or of the person whose roll it is if none is
    named.
    """
    named = [seat for seat in players if seat.name == thrower]
    return named or [seat for seat in players if seat.user_id == pending.user_id]


def _anybody_enters(book: Book) -> bool:
    row = book.get(EncounterRow)
    return row is not None and Encounter(book).setting(ENTERED_BY, EACH_PLAYER) == ANY_PLAYER


def _overrides(book: Book, request: Request) -> bool:
    return bool(request.reason) and _manages_scope(book, request.actor)


def _build_refusal(book: Book, request: Request, pending: PendingRow, thrower: str) -> Forbidden:
    """Return the refusal that names who can enter these dice; an organiser may override it."""
    players = [seat for seat in book.all(SeatRow) if seat.role != "spectator"]
    sides = {seat.side for seat in _owners(players, pending, thrower)}
    names = [seat.name for seat in players if seat.side in sides]
    names = names or [thrower or name_of(book, pending.user_id) or UNNAMED_PLAYER]
    override_buttons = (Button(OVERRIDE, request.action, anytime=True, form=OVERRIDE_FORM),)
    sentence = f"Only {' or '.join(names)} can enter those dice."
    may_override = book.get(EncounterRow) is not None and _manages_scope(book, request.actor)
    return Barred(sentence, "", *override_buttons) if may_override else Forbidden(sentence)


def _require_waiting_roll(book: Book, actor: Actor, roll: int) -> PendingRow:
    """Return the waiting roll: by number, or the person's own, or the only one. Raises InvalidInput."""
    rows = book.all(PendingRow)
    pending = find_waiting_roll(book, actor.user_id)
    own = [pending] if pending else rows
    pendings = [row for row in rows if row.id == roll] if roll else own
    if not pendings:
        raise (
            Answered("Nothing was changed, because that roll is over.")
            if roll
            else InvalidInput(NO_WAITING_ROLL)
        )
    if len(pendings) > 1:
        raise InvalidInput("Several rolls are waiting for dice. Tap the faces under the one you mean.")
    return pendings[0]


def _takes_part(book: Book, actor: Actor) -> bool:
    """Return whether a person takes part in what these rows are of."""
    if book.get(EncounterRow) is not None:
        return any(seat.user_id == actor.user_id and seat.role != "spectator" for seat in book.all(SeatRow))
    entrants = {row.owner_id for row in book.all(EntrantRow)}
    return actor.user_id in entrants or _manages_scope(book, actor)


def _manages_scope(book: Book, actor: Actor) -> bool:
    """Return whether a person is the organiser here, or the owner of the crew, or manages the channel."""
    crew = book.get(CrewRow)
    row = book.get(EncounterRow) or book.get(CampaignRow)
    keepers = row.organisers if row else (crew.owner_id,) if crew else ()
    return actor.manages or actor.user_id in keepers
