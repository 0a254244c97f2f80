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
    unseen = await store.minor_entries(scope, commands)
    return lambda seq: seq - bisect_left(unseen, seq)


MAX_TOLD = 3
"""Steps that are told; the last ones."""

LOOKED_AT = 150
"""Entries that are looked through, those of single dice among them."""


ALREADY = {
    "undo": "Nothing was changed, because that has already been undone.",
    "redo": "Nothing was changed, because that has already been redone.",
}
"""Replies to a second press of Undo or Redo, by the command of the action."""


async def pressed_twice(store: Store, loaded: Loaded, command: str) -> str:
    """Return what a second press of Undo or Redo is told; empty if something else was done last."""
    entries = await store.latest(loaded.scope.id, LOOKED_AT)
    last = next((entry for entry in reversed(entries) if _is_told(entry)), None)
    return ALREADY.get(command, "") if last is not None and last.kind == command else ""


async def meanwhile(store: Store, loaded: Loaded, version: int) -> Sequence[str]:
    """Return the last public steps of a game since this version, one line each."""
    since = await _since(store, loaded, version)
    lines = since[-MAX_TOLD:]
    rest = len(since) - len(lines)
    return (*([f"Earlier steps not shown: {rest} (see /log)."] if rest > 1 else []), *lines) if lines else ()


async def lately(store: Store, loaded: Loaded) -> Sequence[str]:
    """Return the last public steps of a game, one line each, under a heading; empty if there are none."""
    lines = (await _since(store, loaded, 0))[-MAX_TOLD:]
    return ("Last steps:", *lines) if lines else ()


async def _since(store: Store, loaded: Loaded, version: int) -> Sequence[str]:
    """Return the public steps since a version, with their authors, up to a limit."""
    if loaded.scope.kind != "encounter":
        return ()
    entries = await store.latest(loaded.scope.id, LOOKED_AT)
    return [_line(entry) for entry in entries if _is_told(entry) and entry.seq > version]


def _line(entry: Entry) -> str:
    return entry.title if entry.title.startswith(entry.actor) else f"{entry.actor}: {entry.title}"


def _is_told(entry: Entry) -> bool:
    """Return whether a step was public. A roll that was dropped counts, too."""
    step = not entry.minor or entry.command == DropRoll.command
    return step and not entry.quiet and entry.kind != "aside"
