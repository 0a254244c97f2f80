"""The journal as players read it: the last entries, why a model is as it is, how a result came about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot.actions import ACTIONS, Action
from bot.replies.fit import pages
from bot.replies.reply import Button, Reply, reply_from_json, say
from bot.store.journal import Entry
from bot.store.rows import layout
from bot.store.store import Store
from bot.table.act import Act, Actor
from bot.table.asking import fields, offering
from bot.table.handlers import Place, handles
from bot.table.names import find
from bot.table.request import IN_PRIVATE
from bot.table.rolling.realdice import DropRoll, EnterFaces, TakeBackFace
from bot.table.session.numbering import Numbers, numbers_of
from rules.refusals import InvalidInput

PAGE = 12

MOST_BESIDE = 60
"""Entries among which steps are looked for that wait to be carried out."""

FACES = frozenset({EnterFaces.command, TakeBackFace.command, DropRoll.command})
"""What is said of dice that fell."""

LONGEST_WHY = 1500
"""Letters of why that are shown at once."""


@dataclass(frozen=True, slots=True)
class ShowLog(Action):
    """Show what was done, to you alone.

    before: only older ones than this entry; 0 for the last.
    """

    command = "log"
    typed = "log"
    titled = "Log"

    before: int = 0


@dataclass(frozen=True, slots=True)
class WhyModel(Action):
    """Show everything that changed a model, to you alone."""

    command = "why"
    typed = "why"
    titled = "What changed it"

    model: str = fields.words("The model", offering.any_model, needed=True)


@dataclass(frozen=True, slots=True)
class WhyEntry(Action):
    """Show how the result of an entry came about; 0: the last one. page: counted from 0."""

    command = "why.entry"

    entry: int = 0
    page: int = 0


async def _scope(store: Store, actor: Actor) -> int:
    scope = await store.running_encounter(actor.channel_id) or await store.last_in_channel(
        actor.channel_id, user_id=actor.user_id
    )
    if not scope:
        raise InvalidInput("Nothing has happened in this channel yet.")
    return scope


async def _page(store: Store, actor: Actor, action: ShowLog) -> tuple[list[Entry], set[int], Numbers]:
    scope = await _scope(store, actor)
    entries = await store.latest(scope, PAGE, before=action.before, minor=False)
    first = entries[0].seq if entries else 0
    undone = await store.undone_among(scope, first) if entries else set()
    entries += await _waiting(store, scope, first, action.before, undone)
    entries = sorted(entries, key=lambda entry: entry.seq)[-PAGE:]
    return entries, undone, await numbers_of(store, scope)


async def _waiting(store: Store, scope: int, first: int, before: int, undone: set[int]) -> list[Entry]:
    """The steps from one on that everybody saw and that wait for what carries them out, or were undone."""
    among = await store.latest(scope, MOST_BESIDE, before=before)
    last = max((one.seq for one in among if not one.minor and one.kind == "do"), default=0)
    return [
        one
        for one in among
        if one.minor and one.seq >= first and (one.seq > last or one.seq in undone) and _is_public(one)
    ]


def _is_public(entry: Entry) -> bool:
    """Whether a minor entry was told to everybody as a step, and is no question for dice or faces."""
    known = ACTIONS.get(entry.command)
    if known is None or known.secret or entry.title == IN_PRIVATE:
        return False
    offered = (button.action.command for button in reply_from_json(entry.reply).buttons)
    return FACES.isdisjoint((entry.command, *offered))


@handles(ShowLog, Place.NOWHERE, beforehand=_page)
def show_log(act: Act, action: ShowLog) -> Reply:
    """Oldest first; what is undone is struck through."""
    entries, undone, number = act.extra
    if not entries:
        raise InvalidInput("There is nothing before that.")
    lines = [entry_line(entry, undone, number) for entry in entries]
    buttons = []
    if entries[0].seq > 1:
        buttons.append(Button("Earlier", ShowLog(entries[0].seq), anytime=True))
    return Reply(tuple(lines), private=True, buttons=tuple(buttons))


def entry_line(entry: Entry, undone: set[int], number: Numbers) -> str:
    """One entry: number, who, what; how it was rolled, and an organiser's reason."""
    title = f"~~{entry.title}~~ (undone)" if entry.seq in undone else entry.title
    marks = {"real": " [table dice]", "repeat": f" [dice of {number(entry.repeats)}]"}.get(entry.dice, "")
    reason = f" [override: {entry.reason}]" if entry.reason else ""
    return f"{number(entry.seq)} {entry.actor}: {title}{marks}{reason}"


async def _touching(store: Store, actor: Actor, action: WhyModel) -> Any:
    from bot.store.rows import ModelRow

    scope = await _scope(store, actor)
    loaded = await store.load(scope)
    assert loaded is not None, "it was found"
    model = find(action.model, loaded.book().all(ModelRow), lambda row: row.name, "model")
    entries = await store.latest(scope, 2 * PAGE, model=model.id, minor=False)
    undone = await store.undone_among(scope, entries[0].seq) if entries else set()
    return model, entries, undone, await numbers_of(store, scope)


@handles(WhyModel, Place.NOWHERE, beforehand=_touching)
def why_model(act: Act, action: WhyModel) -> Reply:
    """Each entry that changed the model, with the change."""
    model, entries, undone, number = act.extra
    lines = [f"Why {model.name} is as it is:"]
    for entry in entries:
        lines.append(entry_line(entry, undone, number))
        lines += [f"  {said}" for said in model_changes(entry, model.id)]
    return Reply(tuple(lines), private=True)


def model_changes(entry: Entry, model: int) -> Sequence[str]:
    """What an entry changed of one model, in words."""
    said = []
    for table, first, second in entry.changes_written():
        if table == "models" and isinstance(second, dict) and first[1] == model:
            said += [_column(name, was, became) for name, (was, became) in sorted(second.items())]
        elif table == "models" and first is None and second[1] == model:
            said.append("joined")
        elif table == "conditions" and not isinstance(second, dict):
            row = dict(zip(layout("conditions").names, first or second, strict=True))
            if row["model"] == model:
                said.append(f"{'gained' if first is None else 'lost'} {row['kind']}")
    return said


_IN_WORDS = {
    "counters": "activation and counters",
    "owner_id": "played by somebody else",
    "profile": "its statblock",
    "side": "another side's",
}
"""Columns whose values are nothing to read: numbers of people and sides, what is kept as data."""


def _column(name: str, was: Any, became: Any) -> str:
    if name in _IN_WORDS:
        return _IN_WORDS[name]
    name = "out of play" if name == "left_how" else name
    return f"{name} {was or 0} to {became or 0}" if isinstance(became, int) else f"{name}: {became or 'none'}"


async def _entry(store: Store, actor: Actor, action: WhyEntry) -> tuple[Entry, int]:
    scope = await _scope(store, actor)
    loaded = await store.load(scope)
    assert loaded is not None, "it was found"
    found = await store.entry(scope, action.entry or loaded.scope.tip)
    if found is None:
        raise InvalidInput("There is no such entry. /log shows them.")
    number = await numbers_of(store, scope)
    return found, number(found.seq)


@handles(WhyEntry, Place.NOWHERE, beforehand=_entry)
def why_entry(act: Act, action: WhyEntry) -> Reply:
    """Every modifier with its reason and rule, as the reply kept them."""
    entry: Entry
    entry, number = act.extra
    reply = reply_from_json(entry.reply)
    if not reply.why:
        return say(f"Entry {number}: nothing to explain.", entry.title, private=True)
    parts = pages(reply.why, LONGEST_WHY)
    if not 0 <= action.page < len(parts):
        raise InvalidInput(f"That has {len(parts)} pages.")
    further = action.page + 1
    more = [Button("More", WhyEntry(entry.seq, further), anytime=True)] if further < len(parts) else []
    return Reply((f"Entry {number}: {entry.title}", *parts[action.page]), True, tuple(more))
