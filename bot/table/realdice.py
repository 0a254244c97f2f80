"""Real dice: an action waits until the faces that fell on the table have been typed or tapped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import cast

from bot.actions import Action, to_json
from bot.replies.reply import Blank, Button, Reply, form
from bot.store.book import Book, BookView, Loaded, Snapshot, changes_between
from bot.store.row_types import EntrantRow
from bot.store.rows import EncounterRow, PendingRow, SeatRow, ThrowerRow
from bot.store.store import Store
from bot.table.act import Act, Actor
from bot.table.asking import fields
from bot.table.handlers import Handler
from bot.table.owners import in_play
from bot.table.request import Answer, Request, draft
from bot.table.throw_purposes import Fell, Prompt, words
from rules.refusals import InvalidInput
from rules.wording import join_with_and

MAX_BUTTONS = 20
"""Dice with at most so many faces are tapped; others are typed."""

MAX_EARLIER_THROWS = 3
"""How many of the throws before this one are told."""

MAX_ENTER_BUTTONS = 3
"""Rolls that wait at once and have a button each on the panel."""

MAX_FACES = 100
"""Faces typed at once."""

REAL, BOT = "real", "bot"

UNKNOWN_AUTHOR = 0
"""The author of faces that were entered before an undo, or in a version that did not store it."""


@dataclass(frozen=True, slots=True)
class EnterFaces(Action):
    """Enter the faces of your real dice.

    faces: in the order thrown. roll: the waiting roll, or 0 for your own or the only one. at: how many faces
    were entered before, if that is known; -1 for any. asks: faces that would go on to another throw are shown
    first.
    """

    command = "dice.enter"
    typed = "dice enter"
    titled = "Enter dice"
    decision_of = in_play("the player who throws the dice")

    faces: tuple[int, ...] = fields.numbers(
        'Faces in the order you rolled them, such as "10 2"', "faces", MAX_FACES, needed=True
    )
    roll: int = 0
    at: int = -1
    asks: bool = False

    def as_typed_action(self) -> EnterFaces:
        """Return the action that asks first."""
        return replace(self, asks=True)


@dataclass(frozen=True, slots=True)
class TakeBackFace(Action):
    """Remove the face that was entered last. roll and at: as in `EnterFaces`."""

    command = "dice.back"
    decision_of = in_play("the player who throws the dice")

    roll: int = 0
    at: int = -1


@dataclass(frozen=True, slots=True)
class DropRoll(Action):
    """Cancel the roll that is waiting for your dice.

    roll: the roll, or 0 for your own.
    """

    command = "dice.drop"
    typed = "dice drop"
    titled = "Cancel the roll"
    decision_of = in_play("the person whose roll is waiting for dice")

    roll: int = 0


FACES_FORM = form(
    "dice-faces", "Faces of the dice", Blank("faces", 'In the order rolled, such as "10 4 2"', longest=200)
)


def throws_real(book: Book, actor: Actor) -> bool:
    """Return whether this person throws real dice here: in an encounter, or between them."""
    if book.get(EncounterRow) is not None:
        return any(seat.user_id == actor.user_id and seat.dice == REAL for seat in book.all(SeatRow))
    return dice_of(book, actor.user_id) == REAL


def throws_by_hand(handler: Handler, act: Act) -> bool:
    """Return whether the dice of this act are real ones."""
    if handler.bot_dice:
        return False
    return handler.by_hand(act) if handler.by_hand is not None else throws_real(act.book, _thrower(act))


def _thrower(act: Act) -> Actor:
    """Return the person whose dice an act throws: in a campaign the owner of the named crew."""
    crew = getattr(act.action, "crew", None)
    name = crew.name if isinstance(crew, EntrantRow) else str(crew or "")
    owners = [row.owner_id for row in act.book.all(EntrantRow) if row.name.casefold() == name.casefold()]
    return replace(act.actor, user_id=owners[0]) if owners else act.actor


def dice_of(book: BookView, user_id: int) -> str:
    """Return whose dice a person throws in a crew or campaign: bot or real; empty where it was never said."""
    return next((row.dice for row in book.all(ThrowerRow) if row.user_id == user_id), "")


def set_thrower(book: Book, user_id: int, dice: str) -> None:
    """Set the dice that a person rolls in a crew or campaign."""
    row = next((row for row in book.all(ThrowerRow) if row.user_id == user_id), None)
    if row is None:
        row = book.add(ThrowerRow(book.scope, book.next_id(ThrowerRow), user_id))
    row.dice = dice


def find_waiting_roll(book: Book, user_id: int) -> PendingRow | None:
    """Return the roll for which a person owes real dice, or None."""
    return next((row for row in book.all(PendingRow) if row.user_id == user_id), None)


# ------------------------------------------------------------------------------------ asking


async def store_waiting_roll(
    store: Store,
    loaded: Loaded,
    request: Request,
    prompt: Prompt,
    start: Snapshot | None = None,
    *,
    note: str = "",
    faces: Sequence[int] = (),
) -> Answer:
    """Store an action that needs real dice, and ask for them.

    start: the rows from which it begins. note: told with the question. faces: those that were entered
    already.
    """
    book = Book(loaded.scope.id, start) if start is not None else loaded.book()
    action = request.action
    text = f"{action.command} {to_json(action)}"
    own_pending = find_waiting_roll(book, request.actor.user_id)
    same_row = next((row for row in book.all(PendingRow) if row.action == text), None)
    if own_pending is not None or same_row is not None:
        reply = build_dice_question(own_pending or cast(PendingRow, same_row))
        sentence = (
            "You already have a roll that is waiting for dice."
            if own_pending
            else "That roll is already waiting for dice."
        )
        lines = (sentence, *reply.lines)
        return Answer(replace(reply, lines=lines, private=True), loaded.scope.id, loaded.scope.version)
    number = loaded.scope.version + 1
    pending = PendingRow(book.scope, number, request.actor.user_id, text, reason=request.reason)
    set_entered_faces(pending, faces, (UNKNOWN_AUTHOR,) * len(faces))
    return await ask_for_dice(store, loaded, request, book, book.add(pending), prompt, note)


async def ask_for_dice(
    store: Store,
    loaded: Loaded,
    request: Request,
    book: Book,
    pending: PendingRow,
    prompt: Prompt,
    note: str = "",
    *,
    replaces: bool = False,
) -> Answer:
    """Ask for the dice; the waiting roll is written as a minor entry."""
    pending.prompt = "\n".join(_lines(book, pending, prompt))
    pending.sides, pending.told, pending.asked = prompt.sides, prompt.told, loaded.scope.version + 1
    pending.thrower, pending.wanted = prompt.person, prompt.wanted
    dice_question = build_dice_question(pending)
    lines = (dice_question.lines[0], *([note] if note else []), *dice_question.lines[1:])
    reply = replace(dice_question, lines=lines, replaces=replaces)
    snapshot_after = book.snapshot()
    changes = changes_between(loaded.snapshot, snapshot_after)
    entry_draft = replace(draft(request, request.action, reply), minor=True)
    committed = await store.commit(loaded, snapshot_after, changes, entry_draft)
    return Answer(reply, committed.scope.id, committed.scope.version, changed=True)


def ask_waiting_roll_first(act: Act) -> Reply | None:
    """Return the waiting roll to ask for again before the game goes on, or None."""
    pending = next(iter(act.book.all(PendingRow)), None)
    if pending is None:
        return None
    reply = build_dice_question(pending)
    return ask_instead(act, replace(reply, lines=("Enter these dice first:", *reply.lines), private=True))


def ask_instead(act: Act, question: Reply) -> Reply:
    """Return the question asked instead of acting. Raises InvalidInput in a trial, which can't ask."""
    if act.tries:
        raise InvalidInput(f"{question.lines[0]} {question.lines[1]}")
    return question


def typing_buttons(book: Book) -> list[Button]:
    """Return the button that types the faces of each waiting roll."""
    return [
        Button(
            "Enter the faces...",
            EnterFaces((), pending.id, len(pending.faces.split()), asks=True),
            "main",
            anytime=True,
            form=FACES_FORM,
        )
        for pending in book.all(PendingRow)[:MAX_ENTER_BUTTONS]
    ]


def _lines(book: Book, pending: PendingRow, prompt: Prompt) -> list[str]:
    """Return what is thrown now and the meaning of its faces; its faces so far, and earlier throws."""
    lines = [f"{prompt.sentence}."]
    if prompt.worth:
        lines.append(prompt.worth)
    now = Fell(prompt.whose, prompt.given, prompt.wave, prompt.person)
    *before, last = list_helpers(book, list_face_authors(pending), (*prompt.before, now))
    if prompt.given:
        missing_count = prompt.count - len(prompt.given)
        blanks = " _" * missing_count if missing_count <= MAX_BUTTONS else ""
        faces_text = f"So far: {format_faces(prompt.given)}{blanks}"
        lines.append(faces_text + _entered_by(last))
    rolls = [fell_line(roll) + _entered_by(names) for roll, names in zip(prompt.before, before, strict=True)]
    return [*lines, *rolls[-MAX_EARLIER_THROWS:]]


def list_entered_faces(pending: PendingRow) -> tuple[int, ...]:
    """Return the faces that are in."""
    return tuple(map(int, pending.faces.split()))


def list_face_authors(pending: PendingRow) -> tuple[int, ...]:
    """Return who entered each of the faces."""
    known_people = tuple(map(int, pending.enterers.split()))
    return known_people + (UNKNOWN_AUTHOR,) * (len(list_entered_faces(pending)) - len(known_people))


def witnesses(pending: PendingRow, players: Sequence[SeatRow]) -> list[SeatRow]:
    """Return the players of other sides once a throw of the waiting roll is in: they agree to cancel it."""
    own_sides = {seat.side for seat in players if seat.user_id == pending.user_id}
    return [seat for seat in players if pending.told and seat.side not in own_sides]


def set_entered_faces(pending: PendingRow, faces: Sequence[int], people: Sequence[int]) -> None:
    """Set the faces that were entered, each with its author."""
    pending.faces, pending.enterers = format_faces(faces), format_faces(people)


def list_helpers(book: Book, by: Sequence[int], fell: Iterable[Fell]) -> list[list[str]]:
    """Return for each throw the names of those who entered faces for the thrower. by: who entered each."""
    people = iter(by)
    names_by_roll = []
    for roll in fell:
        names = dict.fromkeys(name_of(book, person) for person in islice(people, len(roll.faces)))
        names_by_roll.append([name for name in names if name not in ("", roll.person)])
    return names_by_roll


def _entered_by(names: Sequence[str]) -> str:
    """Return the authors of faces that were entered for another player; empty if there are none."""
    return f" (entered by {join_with_and(names)})" if names else ""


def name_of(book: Book, user_id: int) -> str:
    """Return the name of a person who plays in what these rows are of; empty for anybody else."""
    seats = [(seat.user_id, seat.name) for seat in book.all(SeatRow)]
    owners = [(row.owner_id, row.owner) for row in book.all(EntrantRow)]
    return dict([*owners, *seats]).get(user_id, "")


def format_faces(faces: Sequence[int]) -> str:
    """Return faces as they fell."""
    return " ".join(map(str, faces))


def fell_line(fell: Fell) -> str:
    """Return a throw that is in, with its faces."""
    return f"{words(fell.whose, fell.wave, len(fell.faces))}: {format_faces(fell.faces)}"


def build_dice_question(pending: PendingRow) -> Reply:
    """Return the question, with a button for each face, valid until the next face is entered."""
    number, count = pending.id, len(pending.faces.split())
    faces = range(1, pending.sides + 1) if pending.sides <= MAX_BUTTONS else ()
    return Reply(
        tuple(pending.prompt.split("\n")),
        buttons=(
            *(Button(str(face), EnterFaces((face,), number, count), anytime=True) for face in faces),
            Button("Back", TakeBackFace(number, count), anytime=True, disabled=not count),
            Button(
                "Enter all at once...",
                EnterFaces((), number, count, asks=True),
                anytime=True,
                form=FACES_FORM,
            ),
            Button("Drop", DropRoll(number), "danger", anytime=True),
        ),
    )
