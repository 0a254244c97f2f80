"""Undo, redo, and permission to roll undone dice again.

An undo takes back the last current step. Everyone else who took part is asked first. The faces of an undone
roll wait: the same action gets them again, unless a player of another side allows new dice.
"""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Protocol, cast

from bot.actions import Action
from bot.replies.reply import Button, Reply, reply_from_json, say
from bot.store.book import Book, BookView, Loaded, Snapshot, UndoneDice, apply, changes_between, merged
from bot.store.journal import Entry, Kind
from bot.store.row_types import CampaignRow
from bot.store.rows import CrewRow, EncounterRow
from bot.store.store import Store
from bot.table.act import Actor, ActView
from bot.table.answering import Declined
from bot.table.asking import fields
from bot.table.carrying import Carrier
from bot.table.encounter import Encounter, EncounterView, has_ended
from bot.table.entries import ALREADY_DONE
from bot.table.game import STAY_IN_PLACE, STILL_WAITS, TellsUndone, game_of, undone_in_place
from bot.table.handlers import Place
from bot.table.journal import consent
from bot.table.journal.consent import AnswerUndo, OpenRequest
from bot.table.journal.undo_plan import (
    Owners,
    Walk,
    finishes,
    foreseen,
    is_start,
    rolls_given_up,
    steps_again,
    steps_back,
)
from bot.table.journal_actions import handles_specially
from bot.table.names import plain
from bot.table.owners import AUTHOR
from bot.table.request import MAX_REASON_LENGTH, OVERRIDE, OVERRIDE_FORM, Answer, Request, draft
from bot.table.side_access import known
from rules.refusals import Forbidden, InvalidInput

MAX_STEPS = 50

OTHER_SIDE = "Only a player of another side can allow new dice."


@dataclass(frozen=True, slots=True)
class Undo(Action):
    """Undo the last action in this channel.

    entry: only if the last current step is this entry or includes it, or 0 for any.
    """

    command = "undo"
    typed = "undo"
    decision_of = AUTHOR

    steps: int = fields.whole("Number of actions to undo", 1, MAX_STEPS, default=1)
    entry: int = 0


UNDO = Button("Undo", Undo(), beside="headline")
"""The action of the Undo button: it takes back the step that was the last one when the button was shown.

On the reply to an entry it is bound to that entry (`bot.table.answering.bound`). Elsewhere, as on the panel,
it works only until the game moves on.
"""


@dataclass(frozen=True, slots=True)
class Redo(Action):
    """Redo what was undone."""

    command = "redo"
    typed = "redo"
    decision_of = AUTHOR

    steps: int = fields.whole("Number of actions to redo", 1, MAX_STEPS, default=1)


@dataclass(frozen=True, slots=True)
class FreshDice(Action):
    """Allow new dice for an undone roll. side: the side that rolled, by number, or 0."""

    command = "fresh"
    decision_of = AUTHOR

    entry: int = 0
    side: int = 0


def _may(act: ActView, action: Undo | Redo) -> None:
    """Players undo in their encounter; a crew is its owner's alone. See `May`."""
    _must_play(act.book, act.actor)


def _must_play(book: BookView, actor: Actor) -> None:
    crew = book.get(CrewRow)
    if crew is not None and actor.user_id != crew.owner_id and not actor.manages:
        raise Forbidden(f"{crew.name} is not your crew.")
    row = book.get(EncounterRow)
    if row is not None and not actor.manages and actor.user_id not in row.organisers:
        seat = EncounterView(book).seat_of(actor.user_id)
        outside = seat is None or seat.role == "spectator"
        if outside and row.status == "ended":
            raise Forbidden(
                "That game is over. Only the organiser or the player who did it can undo what has happened "
                "in the campaign since then."
            )
        if outside:
            raise Forbidden("Only players of this game can undo and redo.")


def _may_these(loaded: Loaded, actor: Actor, walk: Walk) -> None:
    """Refuse steps that this person may not take back or redo, even with everyone's consent.

    Raises Forbidden. In a campaign, a library and a channel, people may take back their own steps, and a
    manager any; being a manager makes no one an organiser. In an encounter, people can't take back what
    happened before they joined, and only the organiser the start.
    """
    entries = walk.told
    book = loaded.book()
    campaign, row = book.get(CampaignRow), book.get(EncounterRow)
    if campaign is not None and campaign.revealed_seed:
        raise InvalidInput(
            "You can't undo or redo this, because the seed of the campaign's dice has been shown."
        )
    if actor.manages:
        return
    if loaded.scope.kind == "encounter":
        start = next((entry for entry in entries if is_start(loaded, entry)), None)
        if start and actor.user_id not in (row.organisers if row is not None else (start.actor_id,)):
            raise Forbidden("Only the organiser can undo or redo the start of the game.")
        _must_have_been_here(book, actor, entries)
        return
    keeper = {"campaign": "the organiser", "channel": "a channel manager"}.get(
        loaded.scope.kind, "a server manager"
    )
    if loaded.scope.kind == "crew" or _runs(campaign, actor):
        return
    if _runs(replace(loaded, snapshot=walk.rows).book().get(CampaignRow), actor):
        raise Forbidden("Ask the organiser to undo that; you no longer organise this campaign.")
    for name in _others(loaded, actor, walk).values():
        raise Forbidden(f"Only {name} or {keeper} can undo that.")


def _others(loaded: Loaded, actor: Actor, walk: Walk) -> Owners:
    """Return the other people whose steps outside a game are taken back or redone.

    A step belongs to the person who finished it, except for other people's rolls that are waiting.
    """
    waits = {row.id for row in rolls_given_up(loaded, walk)}
    entries = [entry for entry in walk.told if not entry.minor or entry.seq in waits] or walk.parts
    return {entry.actor_id: entry.actor for entry in entries if entry.actor_id != actor.user_id}


def _runs(campaign: CampaignRow | None, actor: Actor) -> bool:
    """Return whether the person is the first or second organiser of a campaign."""
    return campaign is not None and actor.user_id in campaign.organisers


@handles_specially(Undo, Place.HISTORY, may=_may)
async def undo(carrier: Carrier, loaded: Loaded, request: Request) -> Answer:
    """Undo the last steps in one transaction, once everyone who took part agrees."""
    action = request.action
    assert isinstance(action, Undo)
    if not 1 <= action.steps <= MAX_STEPS:
        raise InvalidInput(f"You can undo 1 to {MAX_STEPS} steps at once.")
    _must_play(loaded.book(), request.actor)
    walk = await _walk_back(carrier, loaded, action)
    if action.entry and action.entry not in {entry.seq for entry in walk.told}:
        raise InvalidInput(await _too_old(carrier, loaded, action, walk))
    _may_these(loaded, request.actor, walk)
    return await _with_consent(carrier, loaded, request, walk)


async def _too_old(carrier: Carrier, loaded: Loaded, action: Undo, walk: Walk) -> str:
    """Return the refusal of an Undo button that belongs to an earlier action than the last."""
    if action.entry in await carrier.store.undone_among(loaded.scope.id, action.entry):
        return ALREADY_DONE[Undo.command]
    last = walk.majors[0].title.removesuffix(".")
    return (
        f"This button is too old, because more has happened since: {last}. "
        "Use /undo to undo the last steps one by one."
    )


@handles_specially(Redo, Place.HISTORY, may=_may)
async def redo(carrier: Carrier, loaded: Loaded, request: Request) -> Answer:
    """Redo undone steps in one transaction, once everyone they belong to agrees."""
    action = request.action
    assert isinstance(action, Redo)
    if not 1 <= action.steps <= MAX_STEPS:
        raise InvalidInput(f"You can redo 1 to {MAX_STEPS} steps at once.")
    _must_play(loaded.book(), request.actor)
    walk = await _walk_again(carrier, loaded, action)
    _may_these(loaded, request.actor, walk)
    return await _with_consent(carrier, loaded, request, walk)


async def _walk_back(carrier: Carrier, loaded: Loaded, action: Undo) -> Walk:
    walk = await steps_back(carrier.store, loaded, action.steps)
    if has_ended(loaded.snapshot):
        raise InvalidInput(
            "Start a new game; this one can't go on because the seed of its dice has been shown."
        )
    if not walk.entries:
        raise InvalidInput("There is nothing to undo.")
    return walk


async def _walk_again(carrier: Carrier, loaded: Loaded, action: Redo) -> Walk:
    walk = await steps_again(carrier.store, loaded, action.steps)
    if not walk.entries:
        raise InvalidInput("There is nothing to redo.")
    return walk


async def _with_consent(carrier: Carrier, loaded: Loaded, request: Request, walk: Walk) -> Answer:
    """Carry it out, or ask those whose steps they are too; an organiser's reason does without."""
    owners = consent.owners(loaded, request.actor.user_id, walk)
    reason = plain(request.reason, MAX_REASON_LENGTH)
    if owners and not (reason and _organises(loaded, request.actor)):
        return await consent.ask(carrier, loaded, request, walk, owners)
    known = owners or _unasked(loaded, request.actor, walk)
    if known and not reason:
        raise Declined(_why(request.action, known))
    lines = consent.overridden(request.actor, reason, known) if known else []
    return await _carry_out(carrier, loaded, replace(request, reason=reason if known else ""), walk, lines)


def _unasked(loaded: Loaded, actor: Actor, walk: Walk) -> Owners:
    """Return the owners of steps outside a game that the person undoes or redoes only as a manager."""
    book = loaded.book()
    crew, campaign = book.get(CrewRow), book.get(CampaignRow)
    keeps = crew is not None and crew.owner_id == actor.user_id
    if loaded.scope.kind == "encounter" or keeps or _runs(campaign, actor):
        return {}
    return _others(loaded, actor, walk)


def _why(action: Action, known: Owners) -> Reply:
    """Ask a manager for a reason that everyone can read."""
    override = Button(OVERRIDE, action, anytime=True, form=OVERRIDE_FORM)
    refusal = f"Only {' and '.join(known.values())} can {action.command} that."
    return say(refusal, private=True, buttons=[override])


def _organises(loaded: Loaded, actor: Actor) -> bool:
    row = loaded.book().get(EncounterRow)
    return actor.manages or (row is not None and actor.user_id in row.organisers)


@handles_specially(AnswerUndo, Place.ENCOUNTER)
async def answer_undo(carrier: Carrier, loaded: Loaded, request: Request) -> Answer:
    """Agree to an undo, or don't. The last person to agree carries it out."""
    action = request.action
    assert isinstance(action, AnswerUndo)
    asked = consent.find_request(loaded, action, request.actor.user_id)
    if not action.yes:
        return await consent.refuse(carrier, loaded, request, asked)
    wanted = asked.action
    if isinstance(wanted, Undo):
        walk = await _walk_back(carrier, loaded, wanted)
    else:
        walk = await _walk_again(carrier, loaded, cast(Redo, wanted))
    left = consent.people_still_to_agree(loaded, request.actor.user_id, asked, walk)
    if left:
        return await consent.note(carrier, loaded, request, asked, left)
    said = [f"{asked.row.name} asked, and {request.actor.name} agrees."]
    return await _carry_out(carrier, loaded, replace(request, action=wanted), walk, said, asked)


class ShowsAfter(Protocol):
    """Shows how a scope outside a game stands after an undo or redo; None where it is none of its own."""

    def __call__(self, store: Store, book: Book, actor: Actor, *, pressed: bool) -> Awaitable[Reply | None]:
        """Return what is shown. pressed: by a button, below which there is room for all of it."""
        ...


SHOWN_AFTER: list[ShowsAfter] = []
"""Functions that add something below the reply to an undo or redo outside a game; the first reply counts."""


async def _carry_out(
    carrier: Carrier,
    loaded: Loaded,
    request: Request,
    walk: Walk,
    lines: list[str],
    open_request: OpenRequest | None = None,
) -> Answer:
    """Write what an undo or redo comes to. open_request: the request that it answers and ends."""
    back = isinstance(request.action, Undo)
    after: Snapshot = apply(loaded.snapshot, merged(walk.changes))
    pressed = not isinstance(request.action, Undo) or request.action.entry > 0
    book = replace(loaded, snapshot=after).book()
    shown = await _shown_after(carrier.store, book, request.actor, pressed=pressed)
    crew = loaded.book().get(CrewRow)
    is_own = shown is not None or (crew is not None and crew.owner_id == request.actor.user_id)
    titles = [_title(entry, is_own=is_own) for entry in walk.majors]
    reply = _undone_reply(walk, loaded, titles) if back else _redone_reply(walk, titles)
    reply = reply.plus(*(_follows(loaded, walk) if back else []), *lines)
    reply = replace(reply, private=is_own)
    if shown is not None:
        buttons = (*shown.buttons, *reply.buttons)
        reply = replace(shown, lines=(*reply.lines, *shown.lines), buttons=buttons)
    seqs = tuple(entry.seq for entry in walk.entries)
    if back:
        faces = tuple((entry.seq, entry.action_key, entry.faces != "[]") for entry in walk.entries)
        kin = await carrier.store.undone_kin(loaded.scope.id, walk.entries)
        dice = UndoneDice(add=faces, reopen=(*_allowed(walk.entries), *kin))
    else:
        kin = await carrier.store.undone_kin(loaded.scope.id, walk.entries)
        dice = UndoneDice(forget=seqs, spend=(*_allowed(walk.entries), *kin))
    kind: Kind = "undo" if back else "redo"
    target = walk.majors[0].seq if back else walk.entries[-1].seq
    written = replace(
        draft(request, request.action, reply),
        kind=kind,
        target=target,
        tip=walk.tip,
        took=seqs,
        reason=request.reason,
    )
    _must_stay_in_place(loaded, walk, after, back=back)
    if open_request is not None:
        after = consent.without(loaded, after, open_request)
    now = await carrier.store.commit(loaded, after, changes_between(loaded.snapshot, after), written, dice)
    return Answer(reply, now.scope.id, now.scope.version, changed=True)


async def _shown_after(store: Store, book: Book, actor: Actor, *, pressed: bool) -> Reply | None:
    for shows in SHOWN_AFTER:
        reply = await shows(store, book, actor, pressed=pressed)
        if reply is not None:
            return reply
    return None


def _title(entry: Entry, *, is_own: bool) -> str:
    """Return the title of an entry; its own words only for the person who may read them."""
    return reply_from_json(entry.reply).lines[0] if is_own else entry.title


def _must_stay_in_place(loaded: Loaded, walk: Walk, after: Snapshot, *, back: bool) -> None:
    """Refuse to leave the strict setting while an undone roll waits, or to undo it with one.

    Raises InvalidInput.
    """
    waits = loaded.scope.open_dice or (back and any(entry.faces != "[]" for entry in walk.entries))
    if waits and _is_in_place(loaded.book()) and not _is_in_place(replace(loaded, snapshot=after).book()):
        raise InvalidInput(STILL_WAITS)


def _is_in_place(book: Book) -> bool:
    return book.get(EncounterRow) is not None and undone_in_place(Encounter(book))


def _follows(loaded: Loaded, walk: Walk) -> list[str]:
    before = loaded.book()
    after = replace(loaded, snapshot=walk.rows).book()
    if before.get(EncounterRow) is None or after.get(EncounterRow) is None:
        return []
    played = game_of(Encounter(after))
    seen = [words for of_side in foreseen(loaded, walk).values() for words in of_side]
    more = played.undone(Encounter(before), Encounter(after)) if isinstance(played, TellsUndone) else ()
    return [*seen, *more]


def _allowed(entries: tuple[Entry, ...]) -> tuple[int, ...]:
    return tuple(entry.target for entry in entries if entry.command == FreshDice.command)


def _undone_reply(walk: Walk, loaded: Loaded, titles: Sequence[str]) -> Reply:
    majors = walk.majors
    lines = [f"Undone: ~~{title}~~" for title in titles]
    begun = [entry for entry, before in pairwise(majors) if not finishes(entry, before)] + [*majors[-1:]]
    buttons = [Button("Redo", Redo(len(begun)))]
    rolled = next((entry for entry in begun if entry.faces != "[]"), None)
    if rolled and _is_in_place(loaded.book()):
        lines.append("The next roll gets the same dice.")
    elif rolled:
        lines.append("If you repeat the action, it gets the same dice.")
    if rolled and not _is_in_place(loaded.book()) and loaded.book().get(EncounterRow) is not None:
        roller = Encounter(loaded.book()).seat_of(rolled.actor_id)
        side = roller.side if roller is not None else 0
        buttons.append(Button("Allow new dice", FreshDice(rolled.seq, side), anytime=True))
    return say(*lines, buttons=buttons)


def _redone_reply(walk: Walk, titles: Sequence[str]) -> Reply:
    lines = [f"Redone: {title}" for title in titles]
    return say(*lines, buttons=[Button("Undo", Undo(entry=walk.told[-1].seq), anytime=True)])


def _must_have_been_here(book: Book, actor: Actor, entries: tuple[Entry, ...]) -> None:
    """Refuse to let a newcomer undo what others did before. Raises Forbidden."""
    if book.get(EncounterRow) is None:
        return
    encounter = Encounter(book)
    row = encounter.seat_of(actor.user_id)
    if row is None or actor.user_id in encounter.row.organisers:
        return
    if any(entry.seq <= row.since and entry.actor_id != actor.user_id for entry in entries):
        raise Forbidden("Ask another player to undo that; it happened before you joined.")


def _may_allow(act: ActView, action: FreshDice) -> None:
    """Refuse a player of the side that rolled, unless they play alone. See `May`."""
    seat = act.seat if act.has_encounter else None
    users = {player.user_id for player in act.encounter.players()} if act.has_encounter else set()
    is_other = seat is not None and seat.side not in (0, action.side)
    plays = seat is not None and seat.role != "spectator"
    may = is_other if action.side else plays
    if not may and users != {act.actor.user_id}:
        raise Forbidden(OTHER_SIDE)


@handles_specially(FreshDice, Place.HISTORY, may=_may_allow)
async def fresh_dice(carrier: Carrier, loaded: Loaded, request: Request) -> Answer:
    """Allow new dice for an undone roll of another side."""
    action = request.action
    assert isinstance(action, FreshDice)
    entry = await carrier.store.entry(loaded.scope.id, action.entry)
    if entry is None or entry.seq not in await carrier.store.undone_among(loaded.scope.id, entry.seq):
        raise InvalidInput("That roll wasn't undone.")
    if _is_in_place(loaded.book()):
        raise InvalidInput(STAY_IN_PLACE)
    if not _is_other_side(loaded, request.actor.user_id, entry.actor_id):
        raise Forbidden(OTHER_SIDE)
    reply = say(f"{request.actor.name} allows new dice for this roll: {entry.title}")
    written = replace(draft(request, action, reply), target=entry.seq)
    now = await carrier.store.commit(loaded, loaded.snapshot, [], written, UndoneDice(spend=(entry.seq,)))
    return Answer(reply, now.scope.id, now.scope.version, changed=True)


def _is_other_side(loaded: Loaded, user: int, roller: int) -> bool:
    """Return whether a person speaks for another side than the thrower; a lone player speaks for all."""
    book = loaded.book()
    if book.get(EncounterRow) is None:
        return False
    encounter = Encounter(book)
    players = [seat for seat in encounter.seats() if seat.role != "spectator"]
    if {seat.user_id for seat in players} == {user}:
        return True
    mine, theirs = encounter.seat_of(user), encounter.seat_of(roller)
    if mine is None or mine.role == "spectator":
        return False
    if theirs is not None and theirs.side:
        return mine.side != theirs.side
    return (roller, mine.side) not in known(encounter)
