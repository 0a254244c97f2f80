"""Entries of the journal: how each is sealed onto the chain before it, and whose aliases it uses."""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal

from sqlalchemy import or_, select

from bot.store.book import EMPTY_CHAIN, Change, Loaded, to_json
from bot.store.people import ALIAS, ALIASES_END, BIG, OPEN, TOKEN, alias_of, somebody, token_of
from bot.store.schema import names, people
from rules.json_text import compact as compact

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from bot.store.people import Pen


Kind = Literal["do", "undo", "redo", "aside"]
DiceSource = Literal["", "bot", "real", "repeat"]
Faces = tuple[tuple[int, int], ...]
Bound = tuple[tuple[int, int, str], ...]


@dataclass(frozen=True, slots=True)
class NewEntry:
    """An action that is about to be written: all the journal keeps of it but its place.

    interaction: the id that makes it happen once. title: one line for the log. reason: why one person acted
    for another. faces: (sides, face, purpose) of every draw; number: the roll's own number, -1 where nothing
    was rolled; repeats: the undone entry whose faces were used again, 0 for none. reply: the answer, as JSON.
    decision: what of the input makes its dice its own, empty for all of it. guild: the server in which the
    scope is from now on, 0 for where it was. target: what an undo or redo is about. tip: where an undo or
    redo leaves the scope. took: the entries that it takes back or does again. quiet: what was offered before
    stays good. again: asked knowing what was done before. asked: the request, the person, and what was looked
    up elsewhere, as JSON, so that the entry can be played again. outside: the other scopes in it. version: of
    the rules that it was played under.
    """

    interaction: int
    channel: int
    actor_id: int
    actor: str
    command: str
    input: str
    title: str
    reply: str
    kind: Kind = "do"
    minor: bool = False
    reason: str = ""
    dice: DiceSource = ""
    number: int = -1
    repeats: int = 0
    faces: Bound = ()
    target: int = 0
    tip: int = 0
    decision: str = ""
    took: tuple[int, ...] = ()
    quiet: bool = False
    again: bool = False
    asked: str = ""
    outside: tuple[Loaded, ...] = ()
    version: str = ""
    guild: int = 0

    @property
    def action_key(self) -> str:
        """Return a hash of who may repeat what, which is equal for equal decisions."""
        return key_of(self.command, self.decision or self.input)


def key_of(command: str, text: str) -> str:
    """Return a hash that equal actions share."""
    return sha256(f"{command}\0{text}".encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the journal."""

    id: int
    scope: int
    seq: int
    kind: Kind
    minor: bool
    parent: int
    target: int
    channel_id: int
    interaction_id: int
    actor_id: int
    actor: str
    command: str
    input: str
    action_key: str
    title: str
    reason: str
    dice: DiceSource
    number: int
    repeats: int
    faces: str
    touches: str
    changes: str
    reply: str
    at_ms: int
    took: str = ""
    quiet: bool = False
    seal: str = ""
    asked: str = ""
    version: str = ""
    stood: str = ""

    def taken(self) -> tuple[int, ...]:
        """Return the entries that an undo or redo moved across, latest first; empty in old journals."""
        return tuple(int(part) for part in self.took.split(",") if part)

    def faces_shown(self) -> Faces:
        """Return (sides, face) of every draw."""
        return tuple((sides, face) for sides, face, _ in self.faces_bound())

    def faces_bound(self) -> Bound:
        """Return (sides, face, purpose) of every draw."""
        return bound_in(self.faces)

    def changes_written(self) -> list[Any]:
        """Return the changes as written; `bot.store.book.from_json` reads them."""
        return list(json.loads(self.changes))


def bound_in(text: str) -> Bound:
    """Return (sides, face, purpose) of every draw in an entry's column."""
    return tuple((sides, face, "".join(purpose)) for sides, face, *purpose in json.loads(text))


def root_of(seq: int, repeats: Mapping[int, int]) -> int:
    """Return the entry whose faces the one of that place used first of all: itself where it used none."""
    while repeats.get(seq):
        seq = repeats[seq]
    return seq


def values(
    draft: NewEntry, changes: Sequence[Change], scope: int, seq: int, parent: int, at_ms: int, key: str
) -> dict[str, Any]:
    """Return the columns of a new journal row. key: tells equal decisions from different ones."""
    models = {int(change.key[1]) for change in changes if change.table == "models"}
    for change in changes:
        if change.table == "conditions":
            columns = change.after or change.before or ()
            models.add(int(columns[2] or 0))
    return {
        "scope": scope,
        "seq": seq,
        "kind": draft.kind,
        "minor": draft.minor,
        "parent": parent if draft.kind in ("do", "aside") else draft.tip,
        "target": draft.target,
        "channel_id": draft.channel,
        "interaction_id": draft.interaction,
        "actor_id": draft.actor_id,
        "actor": draft.actor,
        "command": draft.command,
        "input": draft.input,
        "action_key": key,
        "title": draft.title,
        "reason": draft.reason,
        "dice": draft.dice,
        "number": draft.number,
        "repeats": draft.repeats,
        "faces": compact(draft.faces),
        "touches": _listed(sorted(models)),
        "changes": compact(to_json(changes)),
        "reply": draft.reply,
        "at_ms": at_ms,
        "took": _listed(draft.took),
        "quiet": draft.quiet,
        "asked": draft.asked,
        "version": draft.version,
        "stood": "",
    }


def written_by(pen: Pen, draft: NewEntry, asked: str) -> NewEntry:
    """Return a draft as it is written, with people by aliases and tokens. asked: its request, salted."""
    request = WHO.sub(partial(_who, pen), asked, 1)
    return replace(
        draft,
        actor_id=pen.number(draft.actor_id),
        actor=pen.name(draft.actor_id, draft.actor),
        input=pen.text(draft.input),
        title=pen.text(draft.title),
        reason=pen.text(draft.reason),
        reply=pen.text(draft.reply),
        asked=pen.text(request),
    )


def salted(request: str, seed: bytes, seq: int) -> str:
    """Return what an entry stores of its request, with a salt that is secret until the seed is revealed.

    Without it, a player who has the chain's hash before and after an entry could try out what it hides.
    """
    if not (seed and request) or "salt" in (fields := json.loads(request)):
        return request
    return compact({**fields, "salt": hmac.digest(seed, f"adjutant entry {seq}".encode(), "sha256").hex()})


SALT = re.compile(r',"salt":"[0-9a-f]{64}"')


def unsalted(request: str) -> str:
    """Return what an entry stores of its request, without its salt."""
    return SALT.sub("", request)


WHO = re.compile(r'"who":(\[\d+,"(?:[^"\\]|\\.)*"\])')
"""The person who asked, in what an entry stores."""


def _who(pen: Pen, match: re.Match[str]) -> str:
    user, name = json.loads(match[1])
    return f'"who":{compact([pen.number(user), pen.name(user, name)])}'


def _listed(numbers: Sequence[object]) -> str:
    return "," + "".join(f"{number}," for number in numbers) if numbers else ""


PUBLISHED = (
    "seq",
    "kind",
    "minor",
    "parent",
    "target",
    "actor",
    "command",
    "input",
    "title",
    "reason",
    "dice",
    "number",
    "repeats",
    "faces",
    "changes",
    "actor_id",
    "action_key",
    "took",
    "quiet",
    "reply",
    "asked",
    "version",
    "at_ms",
)
"""The columns that the chain of hashes covers and that an export holds, beside `stood`."""


def link(chain: str, row: Mapping[str, Any]) -> str:
    """Return the chain's hash after this row; a row from which a name was removed keeps its old hash."""
    if row.get("stood"):
        return str(row["stood"])
    return sha256((chain + compact([row[name] for name in PUBLISHED])).encode()).hexdigest()


SEALED = (
    "scope",
    "seq",
    "channel_id",
    "interaction_id",
    "actor_id",
    "action_key",
    "touches",
    "reply",
    "at_ms",
    "took",
    "quiet",
)
"""The columns that the chain, which exports publish, does not cover."""


def sealed(row: Mapping[str, Any], kind: str, guild_id: int) -> str:
    """Return the hash over those columns of a row, and over the kind and guild of its scope.

    For a row from which a name was removed it covers the whole row, because the chain no longer covers it.
    """
    stood_values = [row[name] for name in (*PUBLISHED, "stood")] if row["stood"] else []
    return hash_of([kind, guild_id, *(row[name] for name in SEALED), *stood_values])


def hash_of(values: Sequence[object]) -> str:
    """Return a hash that equal values share."""
    return sha256(compact(values).encode()).hexdigest()[:32]


FIRST = 10**14
"""The numbers by which people go in a game that is read from a file: from here on, and no id of Discord's."""

MARKS = re.compile(f"{TOKEN.pattern}|{BIG}")


@dataclass(frozen=True, slots=True)
class Meant:
    """names: token, name and salt. order: aliases, by the numbers of the people.

    before: alias, number and salt of the people whose numbers are in older entries. ids: the numbers of those
    in `order`; no file holds them.
    """

    names: Sequence[tuple[str, str, str]] = ()
    order: Sequence[int] = ()
    before: Sequence[tuple[int, int, str]] = ()
    ids: Sequence[int] = ()

    def written(self) -> dict[str, Any]:
        """Return the entry as an export contains it."""
        return {
            "names": [list(name) for name in self.names],
            "order": list(self.order),
            "before": [list(face) for face in self.before],
        }


NOBODY = Meant()
"""Who is meant where no alias and no token stands."""


async def meant_by(connection: AsyncConnection, entries: Sequence[Entry]) -> Meant:
    """Look up who is meant."""
    tokens: set[str] = set()
    numbers: set[int] = set()
    for entry in entries:
        for name in PUBLISHED:
            for mark in MARKS.findall(str(getattr(entry, name))):
                if mark[0] == OPEN:
                    tokens.add(mark)
                elif int(mark) < ALIASES_END:
                    numbers.add(int(mark))
    rows = await connection.execute(select(names).where(names.c.token.in_(sorted(tokens))))
    name_rows = sorted((row.token, row.name, row.salt) for row in rows)
    query = or_(people.c.alias.in_(sorted(numbers)), people.c.user_id.in_(sorted(numbers)))
    known = list(await connection.execute(select(people).where(query).order_by(people.c.user_id)))
    known_people = [(row.alias, row.user_id, row.salt) for row in known if row.user_id in numbers]
    return Meant(name_rows, [row.alias for row in known], known_people, [row.user_id for row in known])


def numbers_of_people(meant: Meant) -> dict[int, int]:
    """Return which person each number means in a game that is read from its file."""
    return {FIRST + place: user for place, user in enumerate(meant.ids)}


class NotTheirs(ValueError):
    """A token or an alias does not belong to the person it is said to mean."""


class EntryReader:
    """Reads the entries of a file. Raises NotTheirs for names that are not those that were written."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._tokens: dict[str, str] = {}
        self._besides: set[int] = set()
        for token, name, salt in document["names"]:
            if token_of(salt, name) != token:
                raise NotTheirs(f"{name} is not the name in the original record.")
            self._tokens[token] = name
        self._numbers = {alias: FIRST + place for place, alias in enumerate(document["order"])}
        for alias, user_id, salt in document["before"]:
            if alias_of(salt, user_id) != alias:
                raise NotTheirs(f"{user_id} is not the person in the original record.")
            self._numbers[user_id] = self._numbers[alias]
            self._besides.add(alias)

    def value(self, value: Any) -> Any:
        """Return a column as people read it."""
        if isinstance(value, str):
            return MARKS.sub(self._said, value)
        return self._numbers.get(value, value) if isinstance(value, int) else value

    def _said(self, match: re.Match[str]) -> str:
        mark = match[0]
        if mark[0] == OPEN:
            return self._tokens.get(mark) or somebody(mark)
        return str(self._numbers.get(int(mark), mark))

    def is_gone(self, entry: Mapping[str, Any]) -> bool:
        """Return whether an entry names a person of whom nothing is stored any longer."""
        text = "\n".join(map(str, entry.values()))
        return any(token not in self._tokens for token in TOKEN.findall(text)) or any(
            int(alias) not in self._numbers for alias in ALIAS.findall(text)
        )

    def read(self, export: Mapping[str, Any]) -> dict[str, Any]:
        """Return a whole file as people read it.

        Each entry says whether it names a person who is `gone`, and the `chain` after it.
        """
        entries, chain = [], EMPTY_CHAIN
        for entry in export["entries"]:
            chain = link(chain, entry)
            read = {name: self.value(value) for name, value in entry.items()}
            entries.append(read | {"gone": self.is_gone(entry), "chain": chain})
        self._must_occur(export["entries"])
        return {**export, "encounter": self.value(export["encounter"]), "entries": entries}

    def _must_occur(self, entries: Sequence[Mapping[str, Any]]) -> None:
        """Raise NotTheirs for a person whom no entry names."""
        marks = {mark for entry in entries for value in entry.values() for mark in MARKS.findall(str(value))}
        hidden = {*self._tokens, *map(str, self._numbers)}
        if hidden - marks - {str(alias) for alias in self._besides}:
            raise NotTheirs("The file lists a person who isn't mentioned in any entry.")
