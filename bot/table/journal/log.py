"""The journal as players read it, why something is as it is, and the whole encounter as a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from bot.actions import ACTIONS, Action
from bot.replies.fit import pages
from bot.replies.reply import Attachment, Button, Reply, reply_from_json
from bot.store.book import Book, Loaded
from bot.store.journal import NOBODY, PUBLISHED, Entry, Meant, compact
from bot.store.rows import EncounterRow, ModelRow, SideRow, layout
from bot.store.store import Store
from bot.table.act import Act, Actor
from bot.table.asking import fields, offering
from bot.table.encounter import GONE, Encounter, has_ended
from bot.table.entries import Numbers, numbers_of
from bot.table.game import FOLLOW_UPS
from bot.table.handlers import Place, handles
from bot.table.journal.disputes import can_be_questioned, marks, question_button
from bot.table.owners import ANYONE
from bot.table.realdice import DropRoll, EnterFaces, TakeBackFace
from bot.table.request import IN_PRIVATE
from bot.table.scoping import find_game_pressed
from rules.refusals import InvalidInput, Missing
from rules.sections import add_sections
from rules.wording import times

PAGE_SIZE = 12

MAX_BESIDE = 60
"""Entries among which steps are looked for that wait to be carried out."""

FACE_COMMANDS = frozenset({EnterFaces.command, TakeBackFace.command})
"""Commands that enter real dice, or take one of them back."""

MAX_DICE = 12
"""Lines of the dice that why repeats."""

MAX_WHY_LENGTH = 1500
"""Letters of why that are shown at once."""


@dataclass(frozen=True, slots=True)
class ShowLog(Action):
    """Show what happened in this game (visible only to you).

    before: only entries older than this one, or 0 for the latest.
    """

    command = "log"
    typed = "log"
    titled = "Log"
    decision_of = ANYONE

    before: int = 0


@dataclass(frozen=True, slots=True)
class WhyModel(Action):
    """Show everything that changed a model (visible only to you)."""

    command = "why"
    typed = "why"
    titled = "Changes to a model"
    decision_of = ANYONE

    model: str = fields.words("Model", offering.any_model, needed=True)


@dataclass(frozen=True, slots=True)
class WhyEntry(Action):
    """Show how the result of an entry came about. entry: 0 for the last one. page: counted from 0."""

    command = "why.entry"
    decision_of = ANYONE

    entry: int = 0
    page: int = 0


def why_button(entry: int) -> Button:
    """Return the button that shows how the result of an entry came about."""
    return Button("Why", WhyEntry(entry), anytime=True, beside="details")


async def _find_scope(store: Store, actor: Actor) -> int:
    scope = await find_game_pressed(store, actor) or await store.running_encounter(actor.channel_id)
    scope = scope or await store.last_in_channel(actor.channel_id, user_id=actor.user_id)
    if not scope:
        raise InvalidInput("Nothing has happened in this channel yet.")
    return scope


@dataclass(frozen=True, slots=True)
class _Page:
    """Entries, which of them are undone, their numbers, and what is said of those that were questioned."""

    entries: list[Entry]
    undone: set[int]
    number: Numbers
    marks: Mapping[int, str]

    def line(self, entry: Entry) -> str:
        """Return one entry as a line: number, person, title; how it was rolled, an override's reason,
        questions.
        """
        mark = self.marks.get(entry.seq, "")
        return f"{format_entry_line(entry, self.undone, self.number)}{mark and ' '}{mark}"


async def _load_page(store: Store, actor: Actor, action: ShowLog) -> _Page:
    scope = await _find_scope(store, actor)
    loaded = await store.load(scope)
    assert loaded is not None, "it was found"
    entries = await store.latest(scope, PAGE_SIZE, before=action.before, minor=False)
    first = entries[0].seq if entries else 0
    undone = await store.undone_among(scope, first) if entries else set()
    entries += await _find_waiting_entries(store, scope, first, action.before, undone)
    entries = sorted(entries, key=lambda entry: entry.seq)[-PAGE_SIZE:]
    return _Page(entries, undone, await numbers_of(store, scope), marks(loaded.book()))


async def _find_waiting_entries(
    store: Store, scope: int, first: int, before: int, undone: set[int]
) -> list[Entry]:
    """Return the public steps since an entry that wait to be carried out or were undone, and those with an
    organiser's reason.
    """
    recent_entries = await store.latest(scope, MAX_BESIDE, before=before)
    last_seq = max(
        (entry.seq for entry in recent_entries if not entry.minor and entry.kind == "do"), default=0
    )
    return [
        entry
        for entry in recent_entries
        if entry.minor
        and entry.seq >= first
        and (entry.seq > last_seq or entry.seq in undone or entry.reason)
        and _is_public(entry)
    ]


def _is_public(entry: Entry) -> bool:
    """Return whether a minor entry is shown as a step and is not a question for dice or faces.

    A dropped roll is shown if an organiser gave a reason for it.
    """
    if entry.command == DropRoll.command:
        return bool(entry.reason)
    known = ACTIONS.get(entry.command)
    if known is None or known.secret or entry.title == IN_PRIVATE:
        return False
    offered = (button.action.command for button in reply_from_json(entry.reply).buttons)
    return FACE_COMMANDS.isdisjoint((entry.command, *offered))


@handles(ShowLog, Place.PLAYED, beforehand=_load_page)
def show_log(act: Act, action: ShowLog) -> Reply:
    """Show the log, oldest first, with undone entries struck through."""
    page: _Page = act.extra
    entries = page.entries
    if not entries:
        raise InvalidInput("There are no earlier results.")
    lines = [page.line(entry) for entry in entries]
    buttons = []
    if entries[0].seq > 1:
        buttons.append(Button("Earlier", ShowLog(entries[0].seq), anytime=True))
    if action.before:
        buttons.append(Button("Latest", ShowLog(), anytime=True))
    return Reply(tuple(lines), private=True, buttons=tuple(buttons), replaces=True)


def format_entry_line(entry: Entry, undone: set[int], number: Numbers) -> str:
    """Return one entry: number, who, what; how it was rolled, and an organiser's reason."""
    title = f"~~{entry.title}~~ (undone)" if entry.seq in undone else entry.title
    marks = {"real": " [real dice]", "repeat": f" [same dice as result {number(entry.repeats)}]"}.get(
        entry.dice, ""
    )
    reason = f" [override: {entry.reason}]" if entry.reason else ""
    return f"{number(entry.seq)} {entry.actor}: {title}{marks}{reason}"


async def _load_model_entries(store: Store, actor: Actor, action: WhyModel) -> Any:
    scope = await _find_scope(store, actor)
    loaded = await store.load(scope)
    assert loaded is not None, "it was found"
    book = loaded.book()
    encounter = Encounter(book)
    model = encounter.find_model(action.model, gone=True)
    entries = await store.latest(scope, 2 * PAGE_SIZE, model=model.id, minor=False)
    undone = await store.undone_among(scope, entries[0].seq) if entries else set()
    return encounter, model, _Page(entries, undone, await numbers_of(store, scope), marks(book))


@handles(WhyModel, Place.PLAYED, beforehand=_load_model_entries)
def why_model(act: Act, action: WhyModel) -> Reply:
    """Show each entry that changed the model, with the change."""
    encounter, model, page = act.extra
    lines = [f"Changes to {model.name}:"]
    for entry in page.entries:
        lines.append(page.line(entry))
        lines += [f"  {model_change}" for model_change in model_changes(entry, model.id, encounter)]
    return Reply(tuple(lines), private=True)


def model_changes(entry: Entry, model: int, encounter: Encounter) -> Sequence[str]:
    """Return what an entry changed of one model, in words."""
    changes = []
    for table, first, second in entry.changes_written():
        if table == "models" and isinstance(second, dict) and first[1] == model:
            columns = {name: pair for name, pair in sorted(second.items()) if name not in _CREDIT}
            lost = columns.pop("left_how", ("", ""))[1]
            changes += [_format_column(name, was, became, lost) for name, (was, became) in columns.items()]
            changes += [f"credited to {_name_credited(second, encounter)}"] if second.keys() & _CREDIT else []
        elif table == "models" and first is None and second[1] == model:
            changes.append("joined")
        elif table == "conditions" and not isinstance(second, dict):
            row = dict(zip(layout("conditions").names, first or second, strict=True))
            if row["model"] == model:
                changes.append(f"{'now' if first is None else 'no longer'} {row['kind'].replace('_', ' ')}")
    return changes


_CREDIT = frozenset(("hurt_by", "hurt_side"))
"""Columns of a model that tell who hurt it."""


def _name_credited(columns: Mapping[str, Sequence[int]], encounter: Encounter) -> str:
    """Return the model, or else the side, that an entry credits with hurting a model."""
    by, side = (columns.get(name, (0, 0))[1] for name in sorted(_CREDIT))
    doer = encounter.book.get(ModelRow, by) if by else encounter.book.get(SideRow, side) if side else None
    return doer.name if doer is not None else "nobody"


_IN_WORDS = {
    "counters": "its counters changed",
    "damage": "damage: {became} (was {was})",
    "name": "now called {became}",
    "owner_id": "now controlled by someone else",
    "profile": "its statblock changed",
    "side": "now belongs to another side",
}
"""Sentences for columns of a model; those of data and of numbers of people don't show the value."""


def _format_column(name: str, was: Any, became: Any, lost: str) -> str:
    if name == "status":
        return f"out of play ({lost})" if became == GONE else "in play again"
    return _IN_WORDS.get(name, f"{name}: {{became}}").format(was=was or 0, became=became or "none")


async def _load_entry(store: Store, actor: Actor, action: WhyEntry) -> tuple[Entry, int, Book]:
    scope = await _find_scope(store, actor)
    loaded = await store.load(scope)
    assert loaded is not None, "it was found"
    entry = await store.entry(scope, action.entry or loaded.scope.tip)
    if entry is None or (entry.quiet and entry.actor_id != actor.user_id):
        raise InvalidInput("There is no result with that number. /log shows the numbers.")
    number = await numbers_of(store, scope)
    return entry, number(entry.seq), loaded.book()


@handles(WhyEntry, Place.PLAYED, beforehand=_load_entry)
def why_entry(act: Act, action: WhyEntry) -> Reply:
    """Show every modifier with its reason and section of the rulebook, the faces, and what is questioned."""
    entry: Entry
    entry, number, book = act.extra
    reply = reply_from_json(entry.reply)
    if reply.private and entry.actor_id != act.actor.user_id:
        raise InvalidInput("That result is private; only the person who got it can see it.")
    parts = pages(reply.why, MAX_WHY_LENGTH) if reply.why else [("There is nothing more to explain.",)]
    if not 0 <= action.page < len(parts):
        raise Missing(f"Enter a page from 1 to {len(parts)}.")
    next_page = action.page + 1
    buttons = [Button("More", WhyEntry(entry.seq, next_page), anytime=True)] if next_page < len(parts) else []
    is_running = book.get(EncounterRow) is not None and not has_ended(book.snapshot())
    if is_running and can_be_questioned(entry, Encounter(book), act.actor.user_id):
        buttons.append(question_button(entry.seq))
    mark = marks(book).get(entry.seq)
    dice = [] if action.page else _list_public_dice(entry, reply)
    reason_lines = map(add_sections, parts[action.page])
    lines = (f"Result {number} in /log: {entry.title}", *reason_lines, *dice, *([mark] if mark else []))
    return Reply(lines, True, tuple(buttons))


def _list_public_dice(entry: Entry, reply: Reply) -> Sequence[str]:
    """Return the public dice of an entry. Some dice may belong to hidden cards."""
    if entry.faces == "[]" or entry.quiet or reply.private:
        return ()
    lines = list(reply.lines)
    dice_lines = lines[lines.index("") + 1 :] if "" in lines else lines[1:]
    return list(takewhile(bool, dice_lines))[:MAX_DICE]


FORMAT = 1
"""The format of exported games."""


@dataclass(frozen=True, slots=True)
class Export(Action):
    """Get the finished game as a file, to verify its dice."""

    command = "export"
    typed = "export"
    decision_of = ANYONE


async def _load_journal(store: Store, actor: Actor, action: Export) -> tuple[Loaded, list[Entry], Meant]:
    loaded = await store.load(actor.reads)
    if loaded is None:
        raise InvalidInput("No game has been played in this channel yet.")
    entries = await store.written_entries(actor.reads)
    return loaded, entries, await store.meant(entries)


@handles(Export, Place.PLAYED, beforehand=_load_journal)
def export(act: Act, action: Export) -> Reply:
    """Export the journal: without seed and secrets while the game is running, with them afterwards."""
    loaded, entries, meant = act.extra
    row = loaded.book().get(EncounterRow)
    if row is None:
        raise InvalidInput("No game has been played in this channel yet.")
    if row.status != "ended":
        ends = " (/encounter end)" if row.organiser_id == act.actor.user_id else ""
        raise InvalidInput(f"The game is still running. You can export it after it has ended{ends}.")
    name = f"encounter-{loaded.scope.id}.json"
    data = build_document(row, loaded, entries, meant).encode()
    return Reply(
        (
            f"{row.name}: {times(len(entries), 'entry', 'entries')}.",
            f"You can verify the game with this command: python -m bot verify {name}",
        ),
        private=True,
        files=(Attachment(name, f"The journal of {row.name} as JSON.", data),),
    )


def build_document(row: EncounterRow, loaded: Loaded, entries: list[Entry], meant: Meant = NOBODY) -> str:
    """Return the export of an ended encounter: canonical JSON of its entries as written, and who is meant."""
    written = loaded.written.get((row.table, row.key))
    name = row.name if written is None else written[layout(row.table).names.index("name")]
    return compact(
        {
            "format": FORMAT,
            "encounter": name,
            "system": row.system,
            "commitment": row.commitment,
            "seed": row.revealed_seed,
            "chain": loaded.scope.chain,
            "entries": [{name: getattr(entry, name) for name in (*PUBLISHED, "stood")} for entry in entries],
            "people": meant.written(),
        }
    )


def _offer(encounter: Encounter) -> list[Button]:
    return [Button("Export", Export(), anytime=True)]


FOLLOW_UPS[2] = _offer
