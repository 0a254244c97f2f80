"""Real dice: an action waits until the faces that fell on the table have been typed or tapped.

Whoever plays may do that: each side enters what it threw itself, or one person for all.

The rule runs anew with all faces entered so far; where it needs more it says which. The faces are kept in the
encounter, so a restart loses none and every tap can be undone with the action it belongs to.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bot.actions import Action, from_json, to_json
from bot.replies.reply import Button, Reply, say
from bot.store.book import Book, Snapshot, changes_between
from bot.store.rows import PendingRow
from bot.store.store import Loaded
from bot.table.encounter import Encounter
from bot.table.handlers import HANDLERS, Place, handles_specially
from bot.table.request import Answer, Request, draft
from rules.dice import Entered, MoreDice
from rules.refusals import Forbidden, InvalidInput

if TYPE_CHECKING:
    from bot.table.act import Actor
    from bot.table.desk import Desk

MOST_BUTTONS = 20
"""Dice with at most so many faces are tapped; others are typed."""


@dataclass(frozen=True, slots=True)
class EnterFaces(Action):
    """The faces of real dice, in the order thrown. roll: which one that waits; 0: one's own, or the only."""

    command = "dice.enter"

    faces: tuple[int, ...] = ()
    roll: int = 0


@dataclass(frozen=True, slots=True)
class DropRoll(Action):
    """Give up the roll that waits for dice."""

    command = "dice.drop"


async def keep_waiting(
    desk: Desk,
    loaded: Loaded,
    request: Request,
    wanted: MoreDice,
    start: Snapshot | None = None,
    *,
    note: str = "",
) -> Answer:
    """Keep an action that needs real dice, and ask for them.

    start: the rows that it is to begin from. note: told before the question.
    """
    encounter = Encounter(Book(loaded.scope.id, start) if start is not None else loaded.book())
    if encounter.pending(request.actor.user_id):
        raise InvalidInput("A roll of yours waits for its dice. Type them with /dice enter, or /dice drop.")
    book = encounter.book
    action = request.action
    text = f"{action.command} {to_json(action)}"
    number = book.next_id(PendingRow)
    pending = book.add(PendingRow(book.scope, number, request.actor.user_id, text, reason=request.reason))
    return await _ask(desk, loaded, request, encounter, pending, wanted, note)


@handles_specially(EnterFaces, Place.ENCOUNTER)
async def enter_faces(desk: Desk, loaded: Loaded, request: Request) -> Answer:
    """Add faces to the roll that waits; carry its action out when there are enough."""
    action = request.action
    assert isinstance(action, EnterFaces)
    encounter = Encounter(loaded.book())
    pending = _meant(encounter, request.actor, action.roll)
    faces = (*map(int, pending.faces.split()), *action.faces)
    command, text = pending.action.split(" ", 1)
    original = from_json(command, text)
    settled = loaded.book()
    settled.remove(Encounter(settled).pending(pending.user_id) or pending)
    roller = _roller(encounter, request.actor, pending)
    asked = replace(request, reason=pending.reason, actor=roller)
    try:
        return await desk.carry_out(HANDLERS[command], loaded, asked, original, Entered(faces), settled)
    except MoreDice as wanted:
        pending.faces = " ".join(map(str, faces))
        return await _ask(desk, loaded, request, encounter, pending, wanted)


def _meant(encounter: Encounter, actor: Actor, roll: int) -> PendingRow:
    """The roll whose faces are entered, by somebody who plays. Raises InvalidInput, Forbidden."""
    waiting = encounter.book.all(PendingRow)
    mine = encounter.pending(actor.user_id)
    own = [mine] if mine else waiting
    found = [row for row in waiting if row.id == roll] if roll else own
    if not found:
        raise InvalidInput("No roll waits for dice. Roll first, then type what fell.")
    if len(found) > 1:
        raise InvalidInput("Several rolls wait for dice: tap the faces under the one you mean.")
    seat = encounter.seat_of(actor.user_id)
    if found[0] is not mine and (seat is None or seat.role == "spectator"):
        raise Forbidden("Only who plays here enters dice.")
    return found[0]


def _roller(encounter: Encounter, actor: Actor, pending: PendingRow) -> Actor:
    """The person whose action waits: it stays theirs whoever enters the faces, and so does an override."""
    if pending.user_id == actor.user_id:
        return actor
    seat = encounter.seat_of(pending.user_id)
    return replace(
        actor, user_id=pending.user_id, name=seat.name if seat else actor.name, manages=bool(pending.reason)
    )


async def _ask(
    desk: Desk,
    loaded: Loaded,
    request: Request,
    encounter: Encounter,
    pending: PendingRow,
    wanted: MoreDice,
    note: str = "",
) -> Answer:
    """Say which dice to throw; what is waiting is written as a minor entry."""
    more = " more" if pending.faces else ""
    label = wanted.label[:1].upper() + wanted.label[1:]
    pending.prompt = f"{label}: throw {wanted.count} d{wanted.sides}{more} and tell me."
    lines = [*([note] if note else []), pending.prompt]
    if pending.faces:
        lines.append(f"So far: {pending.faces}")
    lines.append("Tap the faces, or /dice enter.")
    buttons = [
        Button(str(face), EnterFaces((face,), pending.id))
        for face in range(1, wanted.sides + 1)
        if wanted.sides <= MOST_BUTTONS
    ]
    reply = Reply(tuple(lines), buttons=(*buttons, Button("Drop", DropRoll(), "danger")))
    after = encounter.book.snapshot()
    changes = changes_between(loaded.snapshot, after)
    written = replace(draft(request, request.action, reply), minor=True)
    now = await desk.store.commit(loaded, after, changes, written)
    return Answer(reply, now.scope.id, now.scope.version, changed=True)


@handles_specially(DropRoll, Place.ENCOUNTER)
async def drop_roll(desk: Desk, loaded: Loaded, request: Request) -> Answer:
    """Give up the roll that waits; nothing of it happened."""
    encounter = Encounter(loaded.book())
    pending = encounter.pending(request.actor.user_id)
    if pending is None:
        raise InvalidInput("No roll of yours waits for dice.")
    encounter.book.remove(pending)
    reply = say(f"{request.actor.name} drops the roll that waited for dice.")
    after = encounter.book.snapshot()
    changes = changes_between(loaded.snapshot, after)
    now = await desk.store.commit(loaded, after, changes, draft(request, request.action, reply))
    return Answer(reply, now.scope.id, now.scope.version, changed=True)
