"""Undo, redo, and whether undone dice may be thrown afresh.

An undo takes back the changes of the last action that stands, together with the minor entries that led to
it, in one entry of its own. The faces that were seen wait: the same action asked again gets the same faces,
unless somebody of another side lets it be thrown afresh.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from bot.actions import ACTIONS, Action
from bot.replies.reply import Button, Reply, say
from bot.store.book import Change, apply, changes_between, from_json, merged
from bot.store.campaign_rows import CampaignRow
from bot.store.journal import Entry
from bot.store.rows import CrewRow, EncounterRow
from bot.store.store import Loaded, UndoneDice
from bot.table.encounter import Encounter, has_ended
from bot.table.handlers import Place, handles_specially
from bot.table.numbering import numbers_of
from bot.table.realdice import DropRoll
from bot.table.request import Answer, Request, draft
from rules.refusals import Forbidden, InvalidInput

if TYPE_CHECKING:
    from bot.table.act import Actor
    from bot.table.desk import Desk

MOST_STEPS = 50


@dataclass(frozen=True, slots=True)
class Undo(Action):
    """Take back the last actions. entry: only if this is the last one that stands; 0 for any."""

    command = "undo"

    steps: int = 1
    entry: int = 0


@dataclass(frozen=True, slots=True)
class Redo(Action):
    """Do again what was undone last."""

    command = "redo"

    steps: int = 1


@dataclass(frozen=True, slots=True)
class FreshDice(Action):
    """Let an undone roll be thrown afresh."""

    command = "fresh"

    entry: int = 0


def _may(loaded: Loaded, actor: Actor) -> None:
    """Players undo what is theirs together; a crew is its owner's alone. Raises Forbidden."""
    book = loaded.book()
    crew = book.get(CrewRow)
    if crew is not None and actor.user_id != crew.owner_id and not actor.manages:
        raise Forbidden(f"{crew.name} is not your crew.")
    row = book.get(EncounterRow)
    if row is not None and not actor.manages and row.organiser_id != actor.user_id:
        seat = Encounter(book).seat_of(actor.user_id)
        outside = seat is None or seat.role == "spectator"
        if outside and row.status == "ended":
            raise Forbidden(
                "That game is over. What was done in a campaign since, only who did it or its organiser "
                "takes back."
            )
        if outside:
            raise Forbidden("Only players of this encounter undo and redo.")


def _may_these(loaded: Loaded, actor: Actor, entries: list[Entry]) -> None:
    """In a campaign and a library everybody takes back what is theirs, and who runs it anything.

    Raises Forbidden, and InvalidInput after a campaign's end.
    """
    row = loaded.book().get(CampaignRow)
    if row is not None and row.revealed_seed:
        raise InvalidInput("The seed of its dice is known: this campaign cannot go on.")
    if (row is None and loaded.scope.kind != "library") or actor.manages:
        return
    if row is not None and row.organiser_id == actor.user_id:
        return
    others = [entry.actor for entry in entries if entry.actor_id != actor.user_id and not entry.minor]
    if others:
        keeper = "the organiser" if row else "who manages the server"
        raise Forbidden(f"{others[0]} did that: only {others[0]} or {keeper} takes it back.")


@handles_specially(Undo, Place.HISTORY)
async def undo(desk: Desk, loaded: Loaded, request: Request) -> Answer:
    """Take back the last steps in one transaction."""
    action = request.action
    assert isinstance(action, Undo)
    if not 1 <= action.steps <= MOST_STEPS:
        raise InvalidInput(f"Undo takes back 1 to {MOST_STEPS} steps at once.")
    _may(loaded, request.actor)
    if action.entry and action.entry != await _last_told(desk, loaded):
        raise InvalidInput("That is not the last action that stands. Use /undo step by step.")
    popped = await _steps_back(desk, loaded, action.steps)
    if has_ended(loaded.snapshot):
        raise InvalidInput("The seed of its dice is known: this encounter cannot go on. Start a new one.")
    if not popped:
        raise InvalidInput("There is nothing to undo.")
    _may_these(loaded, request.actor, popped)
    rows = loaded.snapshot
    changes: list[Change] = []
    for entry in popped:
        back = from_json(entry.changes_written(), rows, reverse=True)
        rows = apply(rows, back)
        changes += back
    majors = [entry for entry in popped if not entry.minor] or popped[-1:]
    tip = popped[-1].parent
    reply = _undone_reply(majors)
    dice = UndoneDice(
        add=tuple((entry.seq, entry.action_key, entry.faces != "[]") for entry in popped),
        reopen=_allowed(popped),
    )
    return await _commit(desk, loaded, request, reply, rows, changes, "undo", majors[0].seq, tip, dice)


def _is_secret(entry: Entry) -> bool:
    """Whether an entry must not show by itself: it is taken back, and done again, with the one before."""
    known = ACTIONS.get(entry.command)
    return entry.minor and known is not None and known.secret


def _is_dropped(entry: Entry) -> bool:
    """Whether an entry gave up a roll that waited for dice: with what led to it, it changed nothing."""
    return entry.minor and entry.command == DropRoll.command


async def _last_told(desk: Desk, loaded: Loaded) -> int:
    """The last entry that stands and that everybody knows of; 0 for none."""
    tip, dropped = loaded.scope.tip, False
    while tip:
        entry = await desk.store.entry(loaded.scope.id, tip)
        assert entry is not None, "the tip is an entry"
        dropped = entry.minor and (dropped or _is_dropped(entry))
        if not _is_secret(entry) and not dropped:
            break
        tip = entry.parent
    return tip


def _finishes(entry: Entry, before: Entry) -> bool:
    """Whether an entry carries through the one before it: the two are one step."""
    known = ACTIONS.get(entry.command)
    return known is not None and not before.minor and known.finishes == before.command


async def _leads_on(desk: Desk, loaded: Loaded, major: Entry | None, entry: Entry) -> bool:
    """Whether an undone entry is, or leads to, what carries the one through that was redone last."""
    while entry.minor:
        child = await desk.store.newest_child(loaded.scope.id, entry.seq)
        if child is None:
            return False
        entry = child
    return major is not None and _finishes(entry, major)


async def _steps_back(desk: Desk, loaded: Loaded, steps: int) -> list[Entry]:
    """The entries of the last steps, latest first: a step is an entry with the minor ones that led to it.

    What carries it through belongs to it too. Secret ones at the very end go with the step before them, so
    that it cannot be told whether there are any, and so does a roll that was given up.
    """
    popped: list[Entry] = []
    major: Entry | None = None
    tip = loaded.scope.tip
    while tip:
        entry = await desk.store.entry(loaded.scope.id, tip)
        assert entry is not None, "the tip is an entry"
        silent = _is_secret(entry) or _is_dropped(entry)
        begins_a_step = not entry.minor or (not popped and not silent)
        if begins_a_step and not (major and _finishes(major, entry)):
            if steps == 0:
                break
            steps -= 1
        major = entry if not entry.minor else major
        popped.append(entry)
        tip = entry.parent
    return popped


@handles_specially(Redo, Place.HISTORY)
async def redo(desk: Desk, loaded: Loaded, request: Request) -> Answer:
    """Do again what was undone, in one transaction."""
    action = request.action
    assert isinstance(action, Redo)
    if not 1 <= action.steps <= MOST_STEPS:
        raise InvalidInput(f"Redo takes 1 to {MOST_STEPS} steps at once.")
    _may(loaded, request.actor)
    rows = loaded.snapshot
    changes: list[Change] = []
    done: list[Entry] = []
    major: Entry | None = None
    tip, steps = loaded.scope.tip, action.steps
    while True:
        entry = await desk.store.newest_child(loaded.scope.id, tip)
        if entry is None:
            break
        if not steps and not _is_secret(entry) and not await _leads_on(desk, loaded, major, entry):
            break
        again = from_json(entry.changes_written(), rows)
        rows = apply(rows, again)
        changes += again
        done.append(entry)
        tip = entry.seq
        if not entry.minor:
            steps -= major is None or not _finishes(entry, major)
            major = entry
    if not done:
        raise InvalidInput("There is nothing to redo.")
    _may_these(loaded, request.actor, done)
    titles = [entry.title for entry in done if not entry.minor] or [done[-1].title]
    reply = say(f"Redone: {titles[0]}", *(f"Redone: {title}" for title in titles[1:]))
    told = next((entry.seq for entry in reversed(done) if not _is_secret(entry)), tip)
    reply = replace(reply, buttons=(Button("Undo", Undo(entry=told), anytime=True),))
    dice = UndoneDice(forget=tuple(entry.seq for entry in done), spend=_allowed(done))
    return await _commit(desk, loaded, request, reply, rows, changes, "redo", done[-1].seq, tip, dice)


def _allowed(entries: list[Entry]) -> tuple[int, ...]:
    """The rolls that these entries let be thrown afresh."""
    return tuple(entry.target for entry in entries if entry.command == FreshDice.command)


def _undone_reply(majors: list[Entry]) -> Reply:
    lines = [f"Undone: ~~{entry.title}~~" for entry in majors]
    begun = [entry for entry, before in pairwise(majors) if not _finishes(entry, before)] + majors[-1:]
    buttons = [Button("Redo", Redo(len(begun)))]
    rolled = next((entry for entry in begun if entry.faces != "[]"), None)
    if rolled and rolled.dice == "real":
        lines.append("They were table dice: /redo puts them back.")
    elif rolled:
        lines.append("The same action again gets the same dice.")
        buttons.append(Button("Allow fresh dice", FreshDice(rolled.seq), anytime=True))
    return say(*lines, buttons=buttons)


async def _commit(
    desk: Desk,
    loaded: Loaded,
    request: Request,
    reply: Reply,
    rows: object,
    changes: list[Change],
    kind: str,
    target: int,
    tip: int,
    dice: UndoneDice,
) -> Answer:
    written = replace(draft(request, request.action, reply), kind=kind, target=target, tip=tip)  # type: ignore[arg-type]
    after = apply(loaded.snapshot, merged(changes))
    now = await desk.store.commit(loaded, after, changes_between(loaded.snapshot, after), written, dice)
    return Answer(reply, now.scope.id, now.scope.version, changed=True)


@handles_specially(FreshDice, Place.HISTORY)
async def fresh_dice(desk: Desk, loaded: Loaded, request: Request) -> Answer:
    """Somebody of another side lets the faces of an undone roll be forgotten."""
    action = request.action
    assert isinstance(action, FreshDice)
    entry = await desk.store.entry(loaded.scope.id, action.entry)
    if entry is None or entry.seq not in await desk.store.undone_among(loaded.scope.id, entry.seq):
        raise InvalidInput("That roll is not undone.")
    if not _is_other_side(loaded, request.actor.user_id, entry.actor_id):
        raise Forbidden("Only a player of another side can allow fresh dice.")
    number = await numbers_of(desk.store, loaded.scope.id)
    reply = say(f"{request.actor.name} allows fresh dice for entry {number(entry.seq)}: {entry.title}")
    written = replace(draft(request, action, reply), target=entry.seq)
    now = await desk.store.commit(loaded, loaded.snapshot, [], written, UndoneDice(spend=(entry.seq,)))
    return Answer(reply, now.scope.id, now.scope.version, changed=True)


def _is_other_side(loaded: Loaded, user: int, roller: int) -> bool:
    """Whether a person speaks for another side than the one who rolled; who plays alone speaks for all."""
    book = loaded.book()
    if book.get(EncounterRow) is None:
        return False
    encounter = Encounter(book)
    players = [seat for seat in encounter.seats() if seat.role != "spectator"]
    if {seat.user_id for seat in players} == {user}:
        return True
    mine, theirs = encounter.seat_of(user), encounter.seat_of(roller)
    if mine is None or mine.role == "spectator" or user == roller:
        return False
    return theirs is None or mine.side != theirs.side
