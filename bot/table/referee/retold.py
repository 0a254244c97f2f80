"""A game told again from its journal, as one person, a watcher or everybody after the end saw it.

A person sees what all could read and what was answered to that person alone; a watcher only the former.
An export is one of a game that has ended; of one that runs everybody is told only what they saw themselves.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bot.actions import ACTIONS
from bot.table.referee import checks
from bot.table.referee.shapes import NO_EXPORT
from bot.table.referee.verdict import Forged

WATCHER, EVERYBODY = "watcher", "everybody"
"""Who is no person at the table: one who only watches, and all of them after the end."""


@dataclass(frozen=True, slots=True)
class Seer:
    """With whose eyes a game is seen: a name, or the number of a person where it is known."""

    name: str = WATCHER
    user: int = 0

    def asked(self, entry: Mapping[str, Any]) -> bool:
        """Whether what was answered in private was answered to them."""
        if self.user:
            return bool(_asker(entry)[0] == self.user)
        return self.name in (EVERYBODY, people_of(entry)[0])


@dataclass(frozen=True, slots=True)
class Told:
    """One entry as somebody saw it. seq: its place in the journal; turn: the one that runs after it."""

    seq: int
    turn: int
    lines: tuple[str, ...]


def retold(data: bytes, name: str = WATCHER) -> list[str]:
    """The lines of an export as somebody saw it. name: a person's, `watcher` or `everybody`.

    Raises Forged for a file that was changed, and for a name that nobody in it has.
    """
    written = checks.read(data)
    export = checks.readable(written)
    checks.verified(written, export)
    entries: list[dict[str, Any]] = export["entries"]
    people = names_in(entries)
    if name not in (*people, WATCHER, EVERYBODY):
        raise Forged(f"Nobody is called {name} here: {', '.join(people)}, {WATCHER} or {EVERYBODY}.")
    try:
        steps = list(told_by_entry(entries, Seer(name)))
    except NO_EXPORT as error:
        raise Forged(f"The file is no export, or was changed: {error}") from None
    return [line for step in steps for line in (step.lines[0], *(f"    {one}" for one in step.lines[1:]))]


def names_in(entries: Iterable[Mapping[str, Any]]) -> list[str]:
    """The names of everybody who did something."""
    return sorted({who for entry in entries for who in people_of(entry)})


def told_by_entry(entries: Iterable[Mapping[str, Any]], seer: Seer) -> Iterator[Told]:
    """Each entry that somebody saw: first its number in the log, who did it and what came of it."""
    number = turn = 0
    for entry in entries:
        secret = is_secret(entry)
        number += not secret
        turn = _turn_after(entry, turn)
        told = list(_told(entry, seer))
        if told:
            head = "in secret" if secret else str(number)
            yield Told(entry["seq"], turn, (f"{head} {people_of(entry)[0]}: {told[0]}", *told[1:]))


def people_of(entry: Mapping[str, Any]) -> tuple[str, ...]:
    """Who asked it, and whose it is where that is another."""
    return tuple(dict.fromkeys((str(_asker(entry)[1]), str(entry["actor"]))))


def _asker(entry: Mapping[str, Any]) -> tuple[int, str]:
    """Who asked it, by number and name."""
    number, name = json.loads(entry["asked"])["who"]
    return number, name


def is_secret(entry: Mapping[str, Any]) -> bool:
    """Whether nobody else may learn of it; it takes no number in the log."""
    known = ACTIONS.get(entry["command"])
    return bool(entry["minor"]) and known is not None and known.secret


def _turn_after(entry: Mapping[str, Any], turn: int) -> int:
    """The turn that runs when an entry is done."""
    for table, _, second in json.loads(entry["changes"]):
        if table == "encounters" and isinstance(second, dict) and "turn" in second:
            return int(second["turn"][1])
    return turn


def _told(entry: Mapping[str, Any], seer: Seer) -> Iterator[str]:
    """The lines of an entry that somebody saw."""
    if "reply" not in entry:
        if seer.asked(entry) or seer.name in people_of(entry) or not is_secret(entry):
            yield entry["title"]
        return
    mine = seer.asked(entry)
    reply = json.loads(entry["reply"])
    for part in (reply, *reply.get("also", ())):
        if mine or not (part.get("private") or is_secret(entry)):
            yield from part["lines"]
