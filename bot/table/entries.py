"""Journal entries as players see them: their numbers, and those that a player missed."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence

from bot.actions import ACTIONS
from bot.store.book import Loaded
from bot.store.journal import Entry
from bot.store.store import Store
from bot.table.realdice import DropRoll

Numbers = Callable[[int], int]


async def numbers_of(store: Store, scope: int) -> Numbers:
    """Return a function from an entry's place in the journal to its number in the log."""
    commands = [command for command, kind in ACTIONS.items() if kind.secret]
    hidden_seqs = await store.minor_entries(scope, commands)
    return lambda seq: seq - bisect_left(hidden_seqs, seq)


MAX_TOLD = 3
"""The largest number of steps listed; the latest ones are listed."""

LOOKED_AT = 150
"""The largest number of entries searched, including those of single dice."""


ALREADY_DONE = {
    "undo": "Nothing was changed, because that has already been undone.",
    "redo": "Nothing was changed, because that has already been redone.",
}
"""Replies to a second press of Undo or Redo, by the command of the action."""


async def describe_second_press(store: Store, loaded: Loaded, command: str) -> str:
    """Return what a second press of Undo or Redo is told; empty if something else was done last."""
    entries = await store.latest(loaded.scope.id, LOOKED_AT)
    last_entry = next((entry for entry in reversed(entries) if _is_public(entry)), None)
    return ALREADY_DONE.get(command, "") if last_entry is not None and last_entry.kind == command else ""


async def meanwhile(store: Store, loaded: Loaded, version: int) -> Sequence[str]:
    """Return the last public steps of a game since this version, one line each."""
    steps = await _public_steps(store, loaded, version)
    lines = steps[-MAX_TOLD:]
    hidden_count = len(steps) - len(lines)
    hidden_note = [f"Earlier steps not shown: {hidden_count} (see /log)."] if hidden_count else []
    return (*hidden_note, *lines)


async def latest_steps(store: Store, loaded: Loaded) -> Sequence[str]:
    """Return the last public steps of a game, one line each, under a heading; empty if there are none."""
    lines = (await _public_steps(store, loaded, 0))[-MAX_TOLD:]
    return ("Last steps:", *lines) if lines else ()


async def _public_steps(store: Store, loaded: Loaded, version: int) -> Sequence[str]:
    """Return the public steps since a version, with their authors, up to a limit."""
    if loaded.scope.kind != "encounter":
        return ()
    entries = await store.latest(loaded.scope.id, LOOKED_AT)
    return [_line(entry) for entry in entries if _is_public(entry) and entry.seq > version]


def _line(entry: Entry) -> str:
    return entry.title if entry.title.startswith(entry.actor) else f"{entry.actor}: {entry.title}"


def _is_public(entry: Entry) -> bool:
    """Return whether a step was public. A roll that was dropped counts, too."""
    is_step = not entry.minor or entry.command == DropRoll.command
    return is_step and not entry.quiet and entry.kind != "aside"
