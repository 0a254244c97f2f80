"""The faces of real dice are entered, taken back, or given up with the roll that waits for them."""

from __future__ import annotations

from collections.abc import Sequence

from bot.actions import Action, from_json
from bot.replies.reply import Button, Reply, say
from bot.store.book import Book, changes_between
from bot.store.campaign_rows import CampaignRow, EntrantRow
from bot.store.rows import CrewRow, EncounterRow, PendingRow, SeatRow
from bot.store.scope import Loaded
from bot.table.act import Actor
from bot.table.answering import Answered
from bot.table.carrying import Carrier
from bot.table.encounter import Encounter
from bot.table.game import undone_in_place
from bot.table.handlers import HANDLERS, Place
from bot.table.request import Answer, Request, draft
from bot.table.rolling.instead import is_typed
from bot.table.rolling.realdice import (
    DropRoll,
    EnterFaces,
    TakeBackFace,
    ask,
    fell_line,
    in_order,
    question,
    waiting,
)
from bot.table.rolling.throws import Asked, Fell, Prompt
from bot.table.specially import handles_specially
from rules.faces import Entered
from rules.records import dataclass, replace
from rules.refusals import Forbidden, InvalidInput
from rules.wording import possessive

NONE_WAITS = "No roll waits for dice. Roll first, then type what fell."


@handles_specially(EnterFaces, Place.DICE)
async def enter_faces(carrier: Carrier, loaded: Loaded, request: Request) -> Answer:
    """Add faces to the roll that waits; carry its action out when there are enough."""
    action = request.action
    assert isinstance(action, EnterFaces)
    book = loaded.book()
    pending = _meant(book, request.actor, action.roll, action.at)
    entered = _entered(pending)
    if not action.faces:
        raise InvalidInput("Type at least one face, as in: 10 4 2")
    waits = _Waits(carrier, loaded, request, pending)
    if pending.asked and pending.asked != loaded.scope.version:
        now, _ = await waits.rehearse(entered)
        asked = (pending.thrower, pending.wanted, pending.told)
        if now is None or (now.person, now.wanted, now.told) != asked:
            return await _ask_anew(waits, book)
    faces = (*entered, *action.faces)
    if action.asks:
        _, fell = await waits.rehearse(faces)
        further = _further(pending, action.faces, fell)
        if further is not None:
            return Answer(further, loaded.scope.id, loaded.scope.version)
    try:
        return await waits.carry_out(faces)
    except Asked as wanted:
        pending.faces = in_order(faces)
        return await ask(carrier.store, loaded, request, book, pending, wanted.prompt, replaces=True)


@dataclass(frozen=True, slots=True)
class _Waits:
    """A roll that waits, and how its action is asked again with faces."""

    carrier: Carrier
    loaded: Loaded
    request: Request
    pending: PendingRow

    @property
    def roller(self) -> Actor:
        """The person whose action waits: it stays theirs whoever enters faces, and so does an override."""
        actor, pending = self.request.actor, self.pending
        if pending.user_id == actor.user_id:
            return actor
        name = _name_of(self.loaded.book(), pending.user_id) or actor.name
        return replace(actor, user_id=pending.user_id, name=name, manages=bool(pending.reason))

    def _asked(self) -> tuple[str, Action, Request, Book]:
        command, text = self.pending.action.split(" ", 1)
        book = self.loaded.book()
        row = book.get(PendingRow, self.pending.id)
        assert row is not None, "it waits in these rows"
        book.remove(row)
        asked = replace(self.request, reason=self.pending.reason, actor=self.roller)
        return command, from_json(command, text), asked, book

    async def rehearse(self, faces: Sequence[int]) -> tuple[Prompt | None, Sequence[Fell]]:
        command, original, asked, book = self._asked()
        handler = HANDLERS[command]
        return await self.carrier.rehearse(handler, self.loaded, asked, original, Entered(faces), book)

    async def carry_out(self, faces: Sequence[int]) -> Answer:
        command, original, asked, book = self._asked()
        return await self.carrier.carry_out(
            HANDLERS[command], self.loaded, asked, original, Entered(faces), book, placed=self._in_place
        )

    def _in_place(self, reply: Reply) -> Reply:
        """The outcome stands where the dice were asked for; a private one beside it."""
        if reply.private:
            return Reply((f"{possessive(self.roller.name)} dice are in.",), also=(reply,), replaces=True)
        return replace(reply, replaces=True)


async def _ask_anew(waits: _Waits, book: Book) -> Answer:
    """The game has changed so that other dice are wanted: ask from the beginning, with no face entered."""
    wanted, _ = await waits.rehearse(())
    if wanted is None:
        return await waits.carry_out(())
    pending = book.get(PendingRow, waits.pending.id)
    assert pending is not None, "it waits in these rows"
    pending.faces = ""
    note = "The game has changed: other dice now."
    return await ask(
        waits.carrier.store, waits.loaded, waits.request, book, pending, wanted, note, replaces=True
    )


def _further(pending: PendingRow, faces: Sequence[int], fell: Sequence[Fell]) -> Reply | None:
    """The question whether faces beyond the throw that was asked for are meant; None where there are none.

    It stands where the dice were asked for, and whoever answers otherwise types them there. fell: every
    throw that is complete with these faces. Bonus dice belong to the throw that earned them.
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
    entered = len(pending.faces.split())
    if here is None or entered + len(faces) <= ends[last - 1]:
        return None
    rest = (*_entered(pending), *faces)[ends[-1] :]
    asked = question(pending)
    lines = (
        "These faces go on to other dice.",
        *(fell_line(one) for one in fell[begun:]),
        *([f"and then: {in_order(rest)}"] if rest else []),
        "If not, type them anew:",
        *asked.lines,
    )
    take = Button("Take them so", EnterFaces(tuple(faces), pending.id, entered), "main", anytime=True)
    return replace(asked, lines=lines, buttons=(*asked.buttons, take), replaces=True)


@handles_specially(TakeBackFace, Place.DICE)
async def take_back(carrier: Carrier, loaded: Loaded, request: Request) -> Answer:
    """One face less; the throw it belonged to is asked for again."""
    action = request.action
    assert isinstance(action, TakeBackFace)
    book = loaded.book()
    pending = _meant(book, request.actor, action.roll, action.at)
    faces = _entered(pending)[:-1]
    if not pending.faces:
        raise InvalidInput("No face is entered yet. /dice drop gives up the roll.")
    if await _fell_before(carrier, loaded, _entered(pending)):
        raise InvalidInput("Those faces fell before the undo: they stay. /dice drop gives up the roll.")
    waits = _Waits(carrier, loaded, request, pending)
    wanted, _ = await waits.rehearse(faces)
    if wanted is None:
        return await _ask_anew(waits, book)
    pending.faces = in_order(faces)
    return await ask(carrier.store, loaded, request, book, pending, wanted, replaces=True)


async def _fell_before(carrier: Carrier, loaded: Loaded, entered: Sequence[int]) -> bool:
    """Whether these are faces of an undone roll that fall again where undone dice stay in place."""
    book = loaded.book()
    if not loaded.scope.open_dice or book.get(EncounterRow) is None or not undone_in_place(Encounter(book)):
        return False
    undone = await carrier.store.open_dice_of(loaded)
    shown = [tuple(face for _, face in one.faces_shown()) for one in undone if is_typed(one)]
    return any(faces[: len(entered)] == entered for faces in shown)


@handles_specially(DropRoll, Place.DICE)
async def drop_roll(carrier: Carrier, loaded: Loaded, request: Request) -> Answer:
    """Give up the roll that waits; nothing of it happened, so it is no step to undo."""
    action = request.action
    assert isinstance(action, DropRoll)
    book, actor = loaded.book(), request.actor
    pending = _meant(book, actor, action.roll) if action.roll else waiting(book, actor.user_id)
    if pending is None:
        raise InvalidInput("No roll of yours waits for dice.")
    name = _name_of(book, pending.user_id)
    if pending.user_id != actor.user_id and not _runs(book, actor):
        raise Forbidden(f"{name or 'Somebody else'} rolls that: only who rolls drops it.")
    book.remove(pending)
    reply = replace(say(f"{actor.name} drops the roll that waited for dice."), replaces=True)
    after = book.snapshot()
    changes = changes_between(loaded.snapshot, after)
    written = replace(draft(request, request.action, reply), minor=True)
    now = await carrier.store.commit(loaded, after, changes, written)
    return Answer(reply, now.scope.id, now.scope.version, changed=True)


# ------------------------------------------------------------------------------------ whose


def _entered(pending: PendingRow) -> tuple[int, ...]:
    return tuple(map(int, pending.faces.split()))


def _meant(book: Book, actor: Actor, roll: int, at: int = -1) -> PendingRow:
    """The roll whose faces are entered, by somebody who plays. Raises InvalidInput, Forbidden."""
    rows = book.all(PendingRow)
    mine = waiting(book, actor.user_id)
    own = [mine] if mine else rows
    found = [row for row in rows if row.id == roll] if roll else own
    if not found:
        raise Answered("That roll is over: nothing was changed.") if roll else InvalidInput(NONE_WAITS)
    if len(found) > 1:
        raise InvalidInput("Several rolls wait for dice: tap the faces under the one you mean.")
    if found[0] is not mine and not _plays(book, actor):
        raise Forbidden("Only who plays here enters dice.")
    if 0 <= at != len(found[0].faces.split()):
        now = found[0].prompt.split("\n")[0]
        raise InvalidInput(f"That die is in already: nothing was changed. Now: {now}")
    return found[0]


def _plays(book: Book, actor: Actor) -> bool:
    """Whether a person takes part in what these rows are of."""
    if book.get(EncounterRow) is not None:
        return any(seat.user_id == actor.user_id and seat.role != "spectator" for seat in book.all(SeatRow))
    entrants = {row.owner_id for row in book.all(EntrantRow)}
    return actor.user_id in entrants or _runs(book, actor)


def _runs(book: Book, actor: Actor) -> bool:
    """Whether a person is the organiser here, or the owner of the crew, or manages the channel."""
    crew = book.get(CrewRow)
    row = book.get(EncounterRow) or book.get(CampaignRow)
    keeper = row.organiser_id if row else crew.owner_id if crew else 0
    return actor.manages or keeper == actor.user_id


def _name_of(book: Book, user_id: int) -> str:
    seats = [(seat.user_id, seat.name) for seat in book.all(SeatRow)]
    owners = [(row.owner_id, row.owner) for row in book.all(EntrantRow)]
    return dict([*owners, *seats]).get(user_id, "")
