"""Real dice: an action waits until the faces that fell on the table have been typed or tapped.

Whoever plays may do that: each side enters what it threw itself, or one person for all. One message asks,
throw by throw, and takes back a face that was wrong.

The rule runs anew with all faces entered so far; where it needs more it says which. The faces are kept in the
scope, so a restart loses none and every tap can be undone with the action it belongs to. A tap belongs to
one roll and one place in it: it never fills another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bot.actions import Action, from_json, to_json
from bot.replies.reply import Blank, Button, Reply, form, say
from bot.store.book import Book, Snapshot, changes_between
from bot.store.campaign_rows import CampaignRow, EntrantRow
from bot.store.rows import CrewRow, EncounterRow, PendingRow, SeatRow, ThrowerRow
from bot.store.store import Loaded
from bot.table.asking import fields
from bot.table.handlers import HANDLERS, Handler, Place, handles_specially
from bot.table.request import Answer, Request, draft
from bot.table.rolling.throws import Asked, Fell, Prompt, words
from rules.dice import Entered
from rules.refusals import Forbidden, InvalidInput

if TYPE_CHECKING:
    from bot.table.act import Act, Actor
    from bot.table.desk import Desk

MOST_BUTTONS = 20
"""Dice with at most so many faces are tapped; others are typed."""

SHOWN_BEFORE = 3
"""How many of the throws before this one are told."""

MOST_FACES = 100
"""Faces typed at once."""

REAL, BOT = "real", "bot"

NONE_WAITS = "No roll waits for dice. Roll first, then type what fell."


@dataclass(frozen=True, slots=True)
class EnterFaces(Action):
    """Type what your real dice show.

    faces: in the order thrown. roll: which one that waits; 0: one's own, or the only. at: how many faces
    were entered before, where that is known; -1 for any. asks: faces that would go on to another throw are
    shown first.
    """

    command = "dice.enter"
    typed = "dice enter"

    faces: tuple[int, ...] = fields.numbers(
        "The faces in order, as in: 10 2", "faces", MOST_FACES, needed=True
    )
    roll: int = 0
    at: int = -1
    asks: bool = False

    def when_typed(self) -> EnterFaces:
        """Asks first."""
        return replace(self, asks=True)


@dataclass(frozen=True, slots=True)
class TakeBackFace(Action):
    """Take back the face that was entered last. roll and at: as in `EnterFaces`."""

    command = "dice.back"

    roll: int = 0
    at: int = -1


@dataclass(frozen=True, slots=True)
class DropRoll(Action):
    """Give up the roll that waits for your dice.

    roll: which one; 0: one's own.
    """

    command = "dice.drop"
    typed = "dice drop"

    roll: int = 0


FACES = form(
    "dice-faces", "Faces of the dice", Blank("faces", "In the order thrown, as in: 10 4 2", longest=200)
)


def throws_real(book: Book, actor: Actor) -> bool:
    """Whether this person throws real dice here: in an encounter, or in a crew or campaign between them."""
    if book.get(EncounterRow) is not None:
        return any(seat.user_id == actor.user_id and seat.dice == REAL for seat in book.all(SeatRow))
    return dice_of(book, actor.user_id) == REAL


def throws_by_hand(handler: Handler, act: Act) -> bool:
    """Whether the dice of this act are real ones."""
    said = throws_real(act.book, act.actor) or (handler.by_hand is not None and handler.by_hand(act))
    return said and not handler.bot_dice


def dice_of(book: Book, user_id: int) -> str:
    """Whose dice a person throws in a crew or campaign: bot or real; empty where it was never said."""
    return next((row.dice for row in book.all(ThrowerRow) if row.user_id == user_id), "")


def set_thrower(book: Book, user_id: int, dice: str) -> None:
    """Say whose dice a person throws in a crew or campaign."""
    row = next((row for row in book.all(ThrowerRow) if row.user_id == user_id), None)
    if row is None:
        row = book.add(ThrowerRow(book.scope, book.next_id(ThrowerRow), user_id))
    row.dice = dice


def waiting(book: Book, user_id: int) -> PendingRow | None:
    """The roll for which a person owes real dice, or None."""
    return next((row for row in book.all(PendingRow) if row.user_id == user_id), None)


# ------------------------------------------------------------------------------------ asking


async def keep_waiting(
    desk: Desk,
    loaded: Loaded,
    request: Request,
    wanted: Prompt,
    start: Snapshot | None = None,
    *,
    note: str = "",
) -> Answer:
    """Keep an action that needs real dice, and ask for them.

    start: the rows that it is to begin from. note: told with the question.
    """
    book = Book(loaded.scope.id, start) if start is not None else loaded.book()
    before = waiting(book, request.actor.user_id)
    if before is not None:
        asked = _question(before)
        lines = ("A roll of yours waits for its dice.", *asked.lines)
        return Answer(replace(asked, lines=lines, private=True), loaded.scope.id, loaded.scope.version)
    action = request.action
    text = f"{action.command} {to_json(action)}"
    number = loaded.scope.version + 1
    pending = PendingRow(book.scope, number, request.actor.user_id, text, reason=request.reason)
    return await _ask(desk, loaded, request, book, book.add(pending), wanted, note)


async def _ask(
    desk: Desk,
    loaded: Loaded,
    request: Request,
    book: Book,
    pending: PendingRow,
    wanted: Prompt,
    note: str = "",
    *,
    replaces: bool = False,
) -> Answer:
    """Say which dice to throw; what is waiting is written as a minor entry."""
    pending.prompt = "\n".join(_lines(wanted))
    pending.sides, pending.told, pending.asked = wanted.sides, wanted.told, loaded.scope.version + 1
    asked = _question(pending)
    lines = (asked.lines[0], *([note] if note else []), *asked.lines[1:])
    reply = replace(asked, lines=lines, replaces=replaces)
    after = book.snapshot()
    changes = changes_between(loaded.snapshot, after)
    written = replace(draft(request, request.action, reply), minor=True)
    now = await desk.store.commit(loaded, after, changes, written)
    return Answer(reply, now.scope.id, now.scope.version, changed=True)


def _lines(wanted: Prompt) -> list[str]:
    """What is thrown now and what its faces do; what fell of it, and the throws before it."""
    lines = [f"{wanted.sentence}."]
    if wanted.worth:
        lines.append(wanted.worth)
    if wanted.given:
        rest = wanted.count - len(wanted.given)
        lines.append(f"Fell: {_faces(wanted.given)}{' _' * rest if rest <= MOST_BUTTONS else ''}")
    lines += [_fell(one) for one in wanted.before[-SHOWN_BEFORE:]]
    return lines


def _faces(faces: Sequence[int]) -> str:
    return " ".join(map(str, faces))


def _fell(one: Fell) -> str:
    return f"{words(one.whose, one.wave, len(one.faces))}: {_faces(one.faces)}"


def _question(pending: PendingRow) -> Reply:
    """What is asked for, with a button for each face; they hold until the next face is in."""
    number, at = pending.id, len(pending.faces.split())
    faces = range(1, pending.sides + 1) if pending.sides <= MOST_BUTTONS else ()
    return Reply(
        tuple(pending.prompt.split("\n")),
        buttons=(
            *(Button(str(face), EnterFaces((face,), number, at), anytime=True) for face in faces),
            Button("Back", TakeBackFace(number, at), anytime=True, disabled=not at),
            Button("All at once...", EnterFaces((), number, at, asks=True), anytime=True, form=FACES),
            Button("Drop", DropRoll(number), "danger", anytime=True),
        ),
    )


# ------------------------------------------------------------------------------------ entering


@handles_specially(EnterFaces, Place.DICE)
async def enter_faces(desk: Desk, loaded: Loaded, request: Request) -> Answer:
    """Add faces to the roll that waits; carry its action out when there are enough."""
    action = request.action
    assert isinstance(action, EnterFaces)
    book = loaded.book()
    pending = _meant(book, request.actor, action.roll, action.at)
    entered = _entered(pending)
    if not action.faces:
        raise InvalidInput("Type at least one face, as in: 10 4 2")
    waits = _Waits(desk, loaded, request, pending)
    if pending.asked and pending.asked != loaded.scope.version:
        now, _ = await waits.rehearse(entered)
        if now is None or (f"{now.sentence}.", now.told) != (pending.prompt.split("\n")[0], pending.told):
            return await _ask_anew(waits, book)
    faces = (*entered, *action.faces)
    if action.asks:
        _, fell = await waits.rehearse(faces)
        question = _further(pending, action.faces, fell)
        if question is not None:
            return Answer(question, loaded.scope.id, loaded.scope.version)
    try:
        return await waits.carry_out(faces)
    except Asked as wanted:
        pending.faces = _faces(faces)
        return await _ask(desk, loaded, request, book, pending, wanted.prompt, replaces=True)


@dataclass(frozen=True, slots=True)
class _Waits:
    """A roll that waits, and how its action is asked again with faces."""

    desk: Desk
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
        return await self.desk.rehearse(handler, self.loaded, asked, original, Entered(faces), book)

    async def carry_out(self, faces: Sequence[int]) -> Answer:
        command, original, asked, book = self._asked()
        return await self.desk.carry_out(
            HANDLERS[command], self.loaded, asked, original, Entered(faces), book, placed=self._in_place
        )

    def _in_place(self, reply: Reply) -> Reply:
        """The outcome stands where the dice were asked for; a private one beside it."""
        if reply.private:
            return Reply((f"{self.roller.name}'s dice are in.",), also=(reply,), replaces=True)
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
    return await _ask(waits.desk, waits.loaded, waits.request, book, pending, wanted, note, replaces=True)


def _further(pending: PendingRow, faces: Sequence[int], fell: Sequence[Fell]) -> Reply | None:
    """The question whether faces beyond the throw that was asked for are meant; None where there are none.

    fell: every throw that is complete with these faces. Bonus dice belong to the throw that earned them.
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
    return say(
        "These faces go on to other dice.",
        *(_fell(one) for one in fell[begun:]),
        *([f"and then: {_faces(rest)}"] if rest else []),
        private=True,
        buttons=[
            Button("Take them so", EnterFaces(tuple(faces), pending.id, entered), "main", anytime=True),
            Button("Type again...", EnterFaces((), pending.id, entered, asks=True), anytime=True, form=FACES),
        ],
    )


@handles_specially(TakeBackFace, Place.DICE)
async def take_back(desk: Desk, loaded: Loaded, request: Request) -> Answer:
    """One face less; the throw it belonged to is asked for again."""
    action = request.action
    assert isinstance(action, TakeBackFace)
    book = loaded.book()
    pending = _meant(book, request.actor, action.roll, action.at)
    faces = _entered(pending)[:-1]
    if not pending.faces:
        raise InvalidInput("No face is entered yet. /dice drop gives up the roll.")
    waits = _Waits(desk, loaded, request, pending)
    wanted, _ = await waits.rehearse(faces)
    if wanted is None:
        return await _ask_anew(waits, book)
    pending.faces = _faces(faces)
    return await _ask(desk, loaded, request, book, pending, wanted, replaces=True)


@handles_specially(DropRoll, Place.DICE)
async def drop_roll(desk: Desk, loaded: Loaded, request: Request) -> Answer:
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
    now = await desk.store.commit(loaded, after, changes, written)
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
        raise InvalidInput("That roll is over: nothing was changed." if roll else NONE_WAITS)
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
