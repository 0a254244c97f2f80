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
from bot.table.game import NO_NEW_DICE, UNDONE_ROLL_WAITS, TellsUndone, game_of, gives_next_roll_undone_dice
from bot.table.handlers import Place
from bot.table.journal import consent
from bot.table.journal.consent import AnswerUndo, OpenRequest
from bot.table.journal.undo_plan import (
    Owners,
    Walk,
    find_abandoned_rolls,
    find_foreseen,
    finishes,
    is_start,
    plan_redo,
    plan_undo,
)
from bot.table.journal_actions import handles_specially
from bot.table.names import plain
from bot.table.owners import AUTHOR
from bot.table.request import MAX_REASON_LENGTH, OVERRIDE, OVERRIDE_FORM, Answer, Request, draft
from bot.table.side_access import known
from rules.refusals import Forbidden, InvalidInput
from rules.wording import join_with_and

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


def _require_may_undo(act: ActView, action: Undo | Redo) -> None:
    """Players undo in their encounter; a crew is its owner's alone. See `May`."""
    _require_player(act.book, act.actor)


def _require_player(book: BookView, actor: Actor) -> None:
    crew = book.get(CrewRow)
    if crew is not None and actor.user_id != crew.owner_id and not actor.manages:
        raise Forbidden(f"{crew.name} is not your crew.")
    row = book.get(EncounterRow)
    if row is not None and not actor.manages and actor.user_id not in row.organisers:
        seat = EncounterView(book).seat_of(actor.user_id)
        is_outsider = seat is None or seat.role == "spectator"
        if is_outsider and row.status == "ended":
            raise Forbidden(
                "That game is over, and you didn't play in it. The last step in a campaign can be undone "
                "only by the player who took it or by the organiser."
            )
        if is_outsider:
            raise Forbidden("Only players of this game can undo and redo.")


def _require_may_take_back(loaded: Loaded, actor: Actor, walk: Walk) -> None:
    """Refuse steps that this person may not take back or redo, even with everyone's consent.

    Raises Forbidden. In a campaign, a library and a channel, people may take back their own steps, and a
    manager any; being a manager makes no one an organiser. In an encounter, people can't take back what
    happened before they joined, and only the organiser the start.
    """
    entries = walk.told
    verb = "undo" if walk.back else "redo"
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
        _require_present_then(book, actor, entries, verb)
        return
    keeper = {"campaign": "the organiser", "channel": "a channel manager"}.get(
        loaded.scope.kind, "a server manager"
    )
    if loaded.scope.kind == "crew" or _organises_campaign(campaign, actor):
        return
    if _organises_campaign(replace(loaded, snapshot=walk.rows).book().get(CampaignRow), actor):
        raise Forbidden(f"Ask the organiser to {verb} that; you no longer organise this campaign.")
    for name in _find_other_people(loaded, actor, walk).values():
        raise Forbidden(f"Only {name} or {keeper} can {verb} that.")


def _find_other_people(loaded: Loaded, actor: Actor, walk: Walk) -> Owners:
    """Return the other people whose steps outside a game are taken back or redone.

    A step belongs to the person who finished it, except for other people's rolls that are waiting.
    """
    waiting_seqs = {row.id for row in find_abandoned_rolls(loaded, walk)}
    entries = [entry for entry in walk.told if not entry.minor or entry.seq in waiting_seqs] or walk.parts
    return {entry.actor_id: entry.actor for entry in entries if entry.actor_id != actor.user_id}


def _organises_campaign(campaign: CampaignRow | None, actor: Actor) -> bool:
    """Return whether the person is the first or second organiser of a campaign."""
    return campaign is not None and actor.user_id in campaign.organisers


@handles_specially(Undo, Place.HISTORY, may=_require_may_undo)
async def undo(carrier: Carrier, loaded: Loaded, request: Request) -> Answer:
    """Undo the last steps in one transaction, once everyone who took part agrees."""
    action = request.action
    assert isinstance(action, Undo)
    if not 1 <= action.steps <= MAX_STEPS:
        raise InvalidInput(f"You can undo 1 to {MAX_STEPS} actions at once.")
    _require_player(loaded.book(), request.actor)
    walk = await _plan_undo(carrier, loaded, action)
    if action.entry and action.entry not in {entry.seq for entry in walk.told}:
        raise InvalidInput(await _describe_too_old(carrier, loaded, action, walk))
    _require_may_take_back(loaded, request.actor, walk)
    return await _carry_out_with_consent(carrier, loaded, request, walk)


async def _describe_too_old(carrier: Carrier, loaded: Loaded, action: Undo, walk: Walk) -> str:
    """Return the refusal of an Undo button that belongs to an earlier action than the last."""
    if action.entry in await carrier.store.undone_among(loaded.scope.id, action.entry):
        return ALREADY_DONE[Undo.command]
    last_title = walk.majors[0].title.removesuffix(".")
    return (
        f"This button is too old, because more has happened since: {last_title}. "
        "Use /undo to undo the last actions one by one."
    )


@handles_specially(Redo, Place.HISTORY, may=_require_may_undo)
async def redo(carrier: Carrier, loaded: Loaded, request: Request) -> Answer:
    """Redo undone steps in one transaction, once everyone they belong to agrees."""
    action = request.action
    assert isinstance(action, Redo)
    if not 1 <= action.steps <= MAX_STEPS:
        raise InvalidInput(f"You can redo 1 to {MAX_STEPS} actions at once.")
    _require_player(loaded.book(), request.actor)
    walk = await _plan_redo(carrier, loaded, action)
    _require_may_take_back(loaded, request.actor, walk)
    return await _carry_out_with_consent(carrier, loaded, request, walk)


async def _plan_undo(carrier: Carrier, loaded: Loaded, action: Undo) -> Walk:
    walk = await plan_undo(carrier.store, loaded, action.steps)
    if has_ended(loaded.snapshot):
        raise InvalidInput(
            "Start a new game; this one can't go on because the seed of its dice has been shown."
        )
    if not walk.entries:
        raise InvalidInput("There is nothing to undo.")
    return walk


async def _plan_redo(carrier: Carrier, loaded: Loaded, action: Redo) -> Walk:
    walk = await plan_redo(carrier.store, loaded, action.steps)
    if not walk.entries:
        raise InvalidInput("There is nothing to redo.")
    return walk


async def _carry_out_with_consent(carrier: Carrier, loaded: Loaded, request: Request, walk: Walk) -> Answer:
    """Carry it out, or ask those whose steps they are too; an organiser's reason does without."""
    owners = consent.find_people_to_ask(loaded, request.actor.user_id, walk)
    reason = plain(request.reason, MAX_REASON_LENGTH)
    if owners and not (reason and _may_override(loaded, request.actor)):
        return await consent.ask(carrier, loaded, request, walk, owners)
    unasked_people = owners or _find_unasked_people(loaded, request.actor, walk)
    if unasked_people and not reason:
        raise Declined(_ask_for_reason(request.action, unasked_people))
    lines = consent.describe_override(request.actor, reason, unasked_people) if unasked_people else []
    return await _carry_out(
        carrier, loaded, replace(request, reason=reason if unasked_people else ""), walk, lines
    )


def _find_unasked_people(loaded: Loaded, actor: Actor, walk: Walk) -> Owners:
    """Return the owners of steps outside a game that the person undoes or redoes only as a manager."""
    book = loaded.book()
    crew, campaign = book.get(CrewRow), book.get(CampaignRow)
    is_owner = crew is not None and crew.owner_id == actor.user_id
    if loaded.scope.kind == "encounter" or is_owner or _organises_campaign(campaign, actor):
        return {}
    return _find_other_people(loaded, actor, walk)


def _ask_for_reason(action: Action, known: Owners) -> Reply:
    """Ask a manager for a reason that everyone can read."""
    override = Button(OVERRIDE, action, anytime=True, form=OVERRIDE_FORM)
    refusal = f"Only {join_with_and([*known.values()])} can {action.command} that."
    return say(refusal, private=True, buttons=[override])


def _may_override(loaded: Loaded, actor: Actor) -> bool:
    row = loaded.book().get(EncounterRow)
    return actor.manages or (row is not None and actor.user_id in row.organisers)


@handles_specially(AnswerUndo, Place.ENCOUNTER)
async def answer_undo(carrier: Carrier, loaded: Loaded, request: Request) -> Answer:
    """Agree to an undo, or don't. The last person to agree carries it out."""
    action = request.action
    assert isinstance(action, AnswerUndo)
    open_request = consent.find_request(loaded, action, request.actor.user_id)
    if not action.yes:
        return await consent.note_refusal(carrier, loaded, request, open_request)
    wanted_action = open_request.action
    if isinstance(wanted_action, Undo):
        walk = await _plan_undo(carrier, loaded, wanted_action)
    else:
        walk = await _plan_redo(carrier, loaded, cast(Redo, wanted_action))
    remaining_people = consent.list_people_still_to_agree(loaded, request.actor.user_id, open_request, walk)
    if remaining_people:
        return await consent.note_agreement(carrier, loaded, request, open_request, remaining_people)
    lines = [f"{open_request.row.name} asked, and {request.actor.name} agrees."]
    return await _carry_out(
        carrier, loaded, replace(request, action=wanted_action), walk, lines, open_request
    )


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
    is_undo = isinstance(request.action, Undo)
    snapshot_after: Snapshot = apply(loaded.snapshot, merged(walk.changes))
    pressed = not isinstance(request.action, Undo) or request.action.entry > 0
    book = replace(loaded, snapshot=snapshot_after).book()
    shown = await _find_reply_after(carrier.store, book, request.actor, pressed=pressed)
    crew = loaded.book().get(CrewRow)
    is_own = shown is not None or (crew is not None and crew.owner_id == request.actor.user_id)
    titles = [_title(entry, is_own=is_own) for entry in walk.majors]
    reply = _undone_reply(walk, loaded, titles) if is_undo else _redone_reply(walk, titles)
    reply = reply.plus(*(_describe_consequences(loaded, walk) if is_undo else []), *lines)
    reply = replace(reply, private=is_own)
    if shown is not None:
        buttons = (*shown.buttons, *reply.buttons)
        reply = replace(shown, lines=(*reply.lines, *shown.lines), buttons=buttons)
    seqs = tuple(entry.seq for entry in walk.entries)
    if is_undo:
        faces = tuple((entry.seq, entry.action_key, entry.faces != "[]") for entry in walk.entries)
        kin = await carrier.store.undone_kin(loaded.scope.id, walk.entries)
        dice = UndoneDice(add=faces, reopen=(*_find_allowed_rolls(walk.entries), *kin))
    else:
        kin = await carrier.store.undone_kin(loaded.scope.id, walk.entries)
        dice = UndoneDice(forget=seqs, spend=(*_find_allowed_rolls(walk.entries), *kin))
    kind: Kind = "undo" if is_undo else "redo"
    target = walk.majors[0].seq if is_undo else walk.entries[-1].seq
    entry_draft = replace(
        draft(request, request.action, reply),
        kind=kind,
        target=target,
        tip=walk.tip,
        took=seqs,
        reason=request.reason,
    )
    _require_dice_in_place(loaded, walk, snapshot_after, back=is_undo)
    if open_request is not None:
        snapshot_after = consent.remove_request(loaded, snapshot_after, open_request)
    stored = await carrier.store.commit(
        loaded, snapshot_after, changes_between(loaded.snapshot, snapshot_after), entry_draft, dice
    )
    return Answer(reply, stored.scope.id, stored.scope.version, changed=True)


async def _find_reply_after(store: Store, book: Book, actor: Actor, *, pressed: bool) -> Reply | None:
    for shows in SHOWN_AFTER:
        reply = await shows(store, book, actor, pressed=pressed)
        if reply is not None:
            return reply
    return None


def _title(entry: Entry, *, is_own: bool) -> str:
    """Return the title of an entry; its own words only for the person who may read them."""
    return reply_from_json(entry.reply).lines[0] if is_own else entry.title


def _require_dice_in_place(loaded: Loaded, walk: Walk, after: Snapshot, *, back: bool) -> None:
    """Refuse to leave the strict setting while an undone roll waits, or to undo it with one.

    Raises InvalidInput.
    """
    roll_waits = loaded.scope.open_dice or (back and any(entry.faces != "[]" for entry in walk.entries))
    if (
        roll_waits
        and _is_in_place(loaded.book())
        and not _is_in_place(replace(loaded, snapshot=after).book())
    ):
        raise InvalidInput(UNDONE_ROLL_WAITS)


def _is_in_place(book: Book) -> bool:
    return book.get(EncounterRow) is not None and gives_next_roll_undone_dice(Encounter(book))


def _describe_consequences(loaded: Loaded, walk: Walk) -> list[str]:
    before = loaded.book()
    after = replace(loaded, snapshot=walk.rows).book()
    if before.get(EncounterRow) is None or after.get(EncounterRow) is None:
        return []
    played = game_of(Encounter(after))
    seen = [words for of_side in find_foreseen(loaded, walk).values() for words in of_side]
    more = played.undone(Encounter(before), Encounter(after)) if isinstance(played, TellsUndone) else ()
    return [*seen, *more]


def _find_allowed_rolls(entries: tuple[Entry, ...]) -> tuple[int, ...]:
    return tuple(entry.target for entry in entries if entry.command == FreshDice.command)


def _undone_reply(walk: Walk, loaded: Loaded, titles: Sequence[str]) -> Reply:
    majors = walk.majors
    lines = [f"Undone: ~~{title}~~" for title in titles]
    step_entries = [entry for entry, before in pairwise(majors) if not finishes(entry, before)] + [
        *majors[-1:]
    ]
    buttons = [Button("Redo", Redo(len(step_entries)))]
    rolled_entry = next((entry for entry in step_entries if entry.faces != "[]"), None)
    if rolled_entry and _is_in_place(loaded.book()):
        lines.append("The next roll gets the same dice.")
    elif rolled_entry:
        lines.append("If you repeat the action, it gets the same dice.")
    if rolled_entry and not _is_in_place(loaded.book()) and loaded.book().get(EncounterRow) is not None:
        roller = Encounter(loaded.book()).seat_of(rolled_entry.actor_id)
        side = roller.side if roller is not None else 0
        buttons.append(Button("Allow new dice", FreshDice(rolled_entry.seq, side), anytime=True))
    return say(*lines, buttons=buttons)


def _redone_reply(walk: Walk, titles: Sequence[str]) -> Reply:
    lines = [f"Redone: {title}" for title in titles]
    return say(*lines, buttons=[Button("Undo", Undo(entry=walk.told[-1].seq), anytime=True)])


def _require_present_then(book: Book, actor: Actor, entries: tuple[Entry, ...], verb: str) -> None:
    """Refuse to let a newcomer undo or redo what others did before. Raises Forbidden."""
    if book.get(EncounterRow) is None:
        return
    encounter = Encounter(book)
    row = encounter.seat_of(actor.user_id)
    if row is None or actor.user_id in encounter.row.organisers:
        return
    if any(entry.seq <= row.since and entry.actor_id != actor.user_id for entry in entries):
        raise Forbidden(f"Ask another player to {verb} that; it happened before you joined.")


def _require_other_side(act: ActView, action: FreshDice) -> None:
    """Refuse a player of the side that rolled, unless they play alone. See `May`."""
    seat = act.seat if act.has_encounter else None
    users = {player.user_id for player in act.encounter.players()} if act.has_encounter else set()
    is_other = seat is not None and seat.side not in (0, action.side)
    plays = seat is not None and seat.role != "spectator"
    may = is_other if action.side else plays
    if not may and users != {act.actor.user_id}:
        raise Forbidden(OTHER_SIDE)


@handles_specially(FreshDice, Place.HISTORY, may=_require_other_side)
async def fresh_dice(carrier: Carrier, loaded: Loaded, request: Request) -> Answer:
    """Allow new dice for an undone roll of another side."""
    action = request.action
    assert isinstance(action, FreshDice)
    entry = await carrier.store.entry(loaded.scope.id, action.entry)
    if entry is None or entry.seq not in await carrier.store.undone_among(loaded.scope.id, entry.seq):
        raise InvalidInput("That roll wasn't undone.")
    if _is_in_place(loaded.book()):
        raise InvalidInput(NO_NEW_DICE)
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
    own_seat, roller_seat = encounter.seat_of(user), encounter.seat_of(roller)
    if own_seat is None or own_seat.role == "spectator":
        return False
    if roller_seat is not None and roller_seat.side:
        return own_seat.side != roller_seat.side
    return (roller, own_seat.side) not in known(encounter)
