"""An exported game told again, as one person, a watcher or everybody after the end saw it.

A person sees what all could read and what was answered to that person alone; a watcher only the former.
Nothing is told of a game that has not ended: of such a one there is no export.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from bot.actions import ACTIONS
from bot.table.referee import checks
from bot.table.referee.verdict import Forged

WATCHER, EVERYBODY = "watcher", "everybody"
"""Who is no person at the table: one who only watches, and all of them after the end."""


def retold(data: bytes, name: str = WATCHER) -> list[str]:
    """The lines of the game as somebody saw it. name: a person's, `watcher` or `everybody`.

    Raises Forged for a file that was changed, and for a name that nobody in it has.
    """
    checks.verify(data)
    entries: list[dict[str, Any]] = checks.read(data)["entries"]
    people = sorted({who for entry in entries for who in _people(entry)})
    if name not in (*people, WATCHER, EVERYBODY):
        raise Forged(f"Nobody is called {name} here: {', '.join(people)}, {WATCHER} or {EVERYBODY}.")
    lines: list[str] = []
    number = 0
    for entry in entries:
        secret = _is_secret(entry)
        number += not secret
        told = list(_told(entry, name))
        if told:
            head = "in secret" if secret else str(number)
            lines += [f"{head} {_people(entry)[0]}: {told[0]}", *(f"    {line}" for line in told[1:])]
    return lines


def _people(entry: Mapping[str, Any]) -> tuple[str, ...]:
    """Who asked it, and whose it is where that is another."""
    asked = json.loads(entry["asked"])["who"][1] if entry.get("asked") else entry["actor"]
    return tuple(dict.fromkeys((str(asked), str(entry["actor"]))))


def _is_secret(entry: Mapping[str, Any]) -> bool:
    """Whether nobody else may learn of it; it takes no number in the log."""
    known = ACTIONS.get(entry["command"])
    return bool(entry["minor"]) and known is not None and known.secret


def _told(entry: Mapping[str, Any], name: str) -> Iterator[str]:
    """The lines of an entry that somebody saw."""
    if "reply" not in entry:
        if name == EVERYBODY or name in _people(entry) or not _is_secret(entry):
            yield entry["title"]
        return
    mine = name == EVERYBODY or name == _people(entry)[0]
    reply = json.loads(entry["reply"])
    for part in (reply, *reply.get("also", ())):
        if mine or not (part.get("private") or _is_secret(entry)):
            yield from part["lines"]
