"""Consent to undo and redo: the people who took part in the steps are asked, by a button that only they can
press.

Owners of secrets that the steps revealed are asked too, because a person who takes the steps back has seen
them and would decide differently. The request is a row that no undo touches, and is valid until the game
moves on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action, from_json, to_json
from bot.replies.reply import Button, Reply, say
from bot.store.book import Loaded, Snapshot, changes_between
from bot.store.rows import AskRow, EncounterRow
from bot.table.act import Actor
from bot.table.answering import Answered
from bot.table.carrying import Carrier
from bot.table.encounter import Encounter
from bot.table.game import SETTINGS_COMMAND, UNDO_OF_OTHERS
from bot.table.journal.undo_plan import (
    Owners,
    Walk,
    find_abandoned_rolls,
    find_foreseen,
    find_opponents,
    find_secret_owners,
)
from bot.table.owners import ASKED
from bot.table.realdice import list_face_authors, witnesses
from bot.table.request import OVERRIDE, OVERRIDE_FORM, Answer, Request, draft
from bot.table.waits import JOIN, name_of, organiser_of, people
from rules.refusals import Forbidden, InvalidInput
from rules.wording import join_with_and

MAX_NAMED = 5
"""Steps that a question names one by one."""


@dataclass(frozen=True, slots=True)
class AnswerUndo(Action):
    """Answer another player's request to undo or redo steps that were also yours.

    ask: the request's number.
    """

    command = "undo.answer"
    decision_of = ASKED

    ask: int = 0
    yes: bool = True


@dataclass(frozen=True, slots=True)
class OpenRequest:
    """A request that waits: its row, what it wants, and who still has to agree."""

    row: AskRow
    action: Action
    of: tuple[int, ...]


def find_people_to_ask(loaded: Loaded, user_id: int, walk: Walk) -> Owners:
    """Return everyone else whose consent the steps need.

    They took part in the steps, their secrets were revealed, they play against a side that has seen what
    comes next, or they would lose a seat or the right to organise. If the table allows undo to all players,
    only people who would lose something are asked, and the organiser about settings of the game. The
    organiser speaks for a person who has left; if the organiser asks, that person is asked nevertheless. A
    person who only typed another's dice did not take part in the result, but their faces count as theirs
    while the roll is waiting. The other sides are asked too, once a throw of such a roll is in.
    """
    book = loaded.book()
    if book.get(EncounterRow) is None:
        return {}
    encounter = Encounter(book)
    organiser = encounter.row.organiser_id
    losing_people = _find_people_losing_places(encounter, loaded, walk)
    losing_people.pop(user_id, None)
    if UNDO_OF_OTHERS.of(encounter) != UNDO_OF_OTHERS.default:
        needs_organiser = user_id not in encounter.row.organisers and any(
            entry.command == SETTINGS_COMMAND for entry in walk.told
        )
        return losing_people | ({organiser: organiser_of(encounter)} if needs_organiser else {})
    people_asked = (
        find_secret_owners(loaded, user_id, walk) | find_opponents(loaded, user_id, walk) | losing_people
    )
    enterer_ids = _find_enterers(loaded, walk)
    for entry in (*walk.parts, *(one for one in walk.told if one.actor_id in enterer_ids)):
        seat = encounter.seat_of(entry.actor_id)
        if entry.actor_id == organiser:
            people_asked[organiser] = organiser_of(encounter)
        elif seat is not None and seat.role != "spectator":
            people_asked[entry.actor_id] = seat.name
        elif user_id == organiser:
            people_asked[entry.actor_id] = entry.actor
        else:
            people_asked[organiser] = organiser_of(encounter)
    for row in find_abandoned_rolls(loaded, walk):
        people_asked |= {seat.user_id: seat.name for seat in witnesses(row, encounter.players())}
    people_asked.pop(user_id, None)
    return people_asked


def _find_people_losing_places(encounter: Encounter, loaded: Loaded, walk: Walk) -> Owners:
    """Return who would lose a seat on a side, or the game, by these steps: person and name."""
    book_after = replace(loaded, snapshot=walk.rows).book()
    if book_after.get(EncounterRow) is None:
        return {}
    encounter_after = Encounter(book_after)
    kept_places = {(seat.user_id, seat.side) for seat in encounter_after.players()}
    places = {
        seat.user_id: seat.name
        for seat in encounter.players()
        if seat.side and (seat.user_id, seat.side) not in kept_places
    }
    removed_organisers = set(encounter.row.organisers) - set(encounter_after.row.organisers)
    return places | {user: name_of(encounter, user) for user in removed_organisers}


def _find_enterers(loaded: Loaded, walk: Walk) -> set[int]:
    """Return the people who entered faces of waiting rolls that are given up with the steps."""
    return {person for row in find_abandoned_rolls(loaded, walk) for person in list_face_authors(row)}


def describe_override(actor: Actor, reason: str, people_asked: Owners) -> list[str]:
    """Return what everyone reads if an organiser undoes without the consent of others."""
    return [
        f"Override by {actor.name}: {reason}",
        f"{actor.name} didn't ask {join_with_and([*people_asked.values()])} to agree.",
    ]


# ------------------------------------------------------------------------------------ asking


async def ask(carrier: Carrier, loaded: Loaded, request: Request, walk: Walk, known: Owners) -> Answer:
    """Store the request and ask. A new request replaces an older one. Raises InvalidInput."""
    encounter = Encounter(loaded.book())
    actor, action = request.actor, request.action
    kind = action.command
    text = f"{kind} {to_json(action)}"
    number = loaded.scope.version + 1
    row = AskRow(
        encounter.book.scope,
        actor.user_id,
        actor.name,
        kind,
        text,
        number,
        identify_steps(walk),
        _format_owners(known),
    )
    names = join_with_and([*known.values()])
    secrets = find_secret_owners(loaded, actor.user_id, walk)
    earlier_row = encounter.book.get(AskRow, actor.user_id)
    if earlier_row is not None:
        if replace(earlier_row, entry=number, of=row.of, refused=False) == row:
            refusal = (
                f"You have already asked {names}, and the answer was no."
                if earlier_row.refused
                else f"You have already asked {names}."
            )
            raise InvalidInput(refusal)
        encounter.book.remove(earlier_row)
    encounter.book.add(row)
    titles = [f"~~{entry.title}~~" if kind == "undo" else entry.title for entry in walk.majors[:MAX_NAMED]]
    untitled_count = len(walk.majors) - len(titles)
    reply = say(
        f"{actor.name} asks {names} to agree to {kind} this:",
        *titles,
        *([f"and {untitled_count} more"] if untitled_count else []),
        *(["This revealed something hidden."] if secrets else []),
        *(words for seen in find_foreseen(loaded, walk).values() for words in seen),
        buttons=[*build_answer_buttons(row), Button(OVERRIDE, action, form=OVERRIDE_FORM)],
    )
    return await _write_aside(carrier, loaded, request, encounter, reply)


def build_answer_buttons(row: AskRow) -> tuple[Button, ...]:
    """Return what is pressed by who is asked."""
    return (
        Button("Agree", AnswerUndo(row.entry), "main", anytime=True),
        Button("Don't agree", AnswerUndo(row.entry, yes=False), anytime=True),
    )


def identify_steps(walk: Walk) -> int:
    """Return what tells the steps of a request from others: the entry up to which they go."""
    return walk.told[0].seq if walk.told else 0


def _format_owners(known: Owners) -> str:
    return " ".join(map(str, known))


async def _write_aside(
    carrier: Carrier, loaded: Loaded, request: Request, encounter: Encounter, reply: Reply
) -> Answer:
    """Write an entry that is not a step of the game."""
    after = encounter.book.snapshot()
    entry_draft = replace(draft(request, request.action, reply), kind="aside", reason="")
    stored = await carrier.store.commit(loaded, after, changes_between(loaded.snapshot, after), entry_draft)
    return Answer(reply, stored.scope.id, stored.scope.version, changed=True)


# ------------------------------------------------------------------------------------ answering


def find_request(loaded: Loaded, action: AnswerUndo, user_id: int) -> OpenRequest:
    """Return the request that a person answers. Raises InvalidInput, Forbidden."""
    encounter = Encounter(loaded.book())
    row = next((one for one in encounter.book.all(AskRow) if one.entry == action.ask), None)
    if row is None or row.kind == JOIN or row.refused:
        raise InvalidInput("That request is no longer open.")
    asked_ids = tuple(map(int, row.of.split()))
    if user_id not in asked_ids:
        raise Forbidden(
            f"Only {people(encounter, asked_ids)} can answer this request. "
            "The organiser can use the Override button instead."
        )
    command, text = row.action.split(" ", 1)
    return OpenRequest(row, from_json(command, text), asked_ids)


def list_people_still_to_agree(
    loaded: Loaded, user_id: int, request: OpenRequest, walk: Walk
) -> tuple[int, ...]:
    """Return the people who still have to agree after this one.

    Raises InvalidInput if the game has moved on.
    """
    if identify_steps(walk) != request.row.about:
        raise Answered("Nothing was changed, because the game has moved on since that request.")
    owners_now = find_people_to_ask(loaded, request.row.user_id, walk)
    return tuple(one for one in request.of if one != user_id and one in owners_now)


async def note_agreement(
    carrier: Carrier,
    loaded: Loaded,
    request: Request,
    answered: OpenRequest,
    remaining_people: tuple[int, ...],
) -> Answer:
    """Note that one person agrees while others are still asked."""
    encounter = Encounter(loaded.book())
    row = _get_request_row(encounter, answered)
    row.of = " ".join(map(str, remaining_people))
    reply = say(f"{request.actor.name} agrees. Waiting for {people(encounter, remaining_people)}.")
    return await _write_aside(carrier, loaded, request, encounter, reply)


async def note_refusal(carrier: Carrier, loaded: Loaded, request: Request, answered: OpenRequest) -> Answer:
    """Note that one person refuses; nothing is changed, and the same is not asked again."""
    encounter = Encounter(loaded.book())
    _get_request_row(encounter, answered).refused = True
    reply = say(f"{request.actor.name} doesn't agree to the {answered.row.kind}. Nothing changes.")
    return await _write_aside(carrier, loaded, request, encounter, reply)


def _get_request_row(encounter: Encounter, answered: OpenRequest) -> AskRow:
    row = encounter.book.get(AskRow, answered.row.user_id)
    assert row is not None, "it was read"
    return row


def remove_request(loaded: Loaded, after: Snapshot, answered: OpenRequest) -> Snapshot:
    """Return the rows without a request that was carried out."""
    book = replace(loaded, snapshot=after).book()
    book.remove(_get_request_row(Encounter(book), answered)) if book.get(EncounterRow) else None
    return book.snapshot()
