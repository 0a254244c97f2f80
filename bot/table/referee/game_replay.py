"""A game replayed from its journal, by the desk itself, on a database in memory.

Each entry is asked again with the same person, words and typed faces. The bot's dice come from the seed. The
result is compared with the entry, column by column.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.progress import Told, unheard
from bot.replies.reply import reply_from_json
from bot.store.book import Change, Loaded, Scope, Snapshot, UndoneDice, apply, from_json
from bot.store.journal import PUBLISHED, Entry, NewEntry, bound_in, unsalted
from bot.store.memory import InMemory
from bot.store.people import Nobody
from bot.store.rows import EncounterRow, layout
from bot.store.store import Store
from bot.table import odds_budget
from bot.table.desk import Desk
from bot.table.handlers import HANDLERS
from bot.table.journal.consent import AnswerUndo
from bot.table.journal.disputes import DISPUTE_NOUNS
from bot.table.referee import checks
from bot.table.referee.checks import READ_ERRORS, Decided, DoesNotFollow, Forged, Verdict
from bot.table.request import Answer, Outside, Request, Testimony, testimony
from bot.version import rules_version

COMPARED = (
    ("command", "the replay gives a different action"),
    ("faces", "its dice are different"),
    ("dice", "it uses a different kind of dice"),
    ("number", "its roll is numbered differently"),
    ("repeats", "its dice are not those of the entry it repeats"),
    ("changes", "its changes are different"),
    ("reason", "it gives a different reason for an override"),
    ("reply", "its reply is different"),
)
"""The columns that are compared first, and what is said where they differ; of the others only their name."""

UNCHECKED = frozenset({"at_ms"})
"""Columns that no rule decides: when it was."""

WORDS = frozenset({"reply", "title", "action_key"})
"""Columns that hold, or are made of, the words in which people are named."""

BROUGHT = frozenset({"sides", "seats", "models", "conditions", "things", "ties", "tokens", "secrets"})
"""Tables that receive what a player brings from elsewhere."""

BY_HAND = "bot.table.session.models"
"""The module of the actions by which people set right what is on the table."""


async def referee(data: bytes, heads: Sequence[str] = (), told: Told = unheard) -> Verdict:
    """Check an export and play its game again. Raises Forged, which names the first entry that is wrong."""
    written = checks.read_export(data)
    export = checks.restore_names(written)
    try:
        verdict = checks.check_export(written, export, heads)
    except Forged as wrong:
        await _must_follow(export, wrong.entry)
        raise
    entries = len(export["entries"])
    game = _begun(export, lambda made: told(made.seq, entries))
    try:
        refereed, undecided = await game.play()
    finally:
        await game.close()
    return replace(
        verdict,
        decided=tuple(game.decided),
        refereed=refereed,
        undecided=undecided,
        faded=tuple(game.faded),
        believed=tuple(game.believed),
        managing=tuple((name, tuple(seqs)) for name, seqs in game.managing.items()),
    )


def _begun(export: Mapping[str, Any], made: Callable[[Entry], None] = lambda entry: None) -> Again:
    """Return the game of a file, before its first entry. Raises DoesNotFollow."""
    try:
        return Again(export, made)
    except READ_ERRORS as error:
        raise DoesNotFollow(1, "it doesn't begin a game.") from error


async def _must_follow(export: Mapping[str, Any], end: int) -> None:
    """Look whether an entry before this one is wrong already. Raises DoesNotFollow, which names it."""
    if end < 2:
        return
    game = _begun({**export, "entries": export["entries"][: end - 1]})
    try:
        await game.play()
    finally:
        await game.close()


class _Memory(Store):
    """The store of a game that is played again: its scope has the number that it had then."""

    def __init__(self, memory: InMemory, scope: int) -> None:
        super().__init__(memory, memory, lambda: self.clock, Nobody())
        self.memory = memory
        self.scope = scope
        self.clock = 0
        self.games: Mapping[str, list[dict[str, str]]] = {}
        self.as_written: Mapping[str, Any] = {}
        self._made: Entry | None = None

    async def new_scope(self, kind: str, guild_id: int, channel_id: int, seed: bytes = b"") -> Loaded:
        """See `Store.new_scope`."""
        await self.memory.put(self.scope, kind, guild_id, channel_id)
        loaded = Loaded(Scope(self.scope, kind, guild_id, channel_id), {}, seed)
        self._keep(loaded)
        return loaded

    async def commit(
        self,
        loaded: Loaded,
        after: Snapshot,
        changes: Sequence[Change],
        draft: NewEntry,
        dice: UndoneDice | None = None,
    ) -> Loaded:
        """See `Store.commit`; the chain is that of the entries as they were written."""
        self.clock = self.as_written["at_ms"]
        draft = replace(draft, version=self.as_written["version"])
        now = await super().commit(loaded, after, changes, draft, dice)
        chain = self.as_written["chain"]
        shown = now.scope.shown if draft.quiet else chain
        now = replace(now, scope=replace(now.scope, chain=chain, shown=shown))
        self._keep(now)
        return now

    def wrote(self, row: Mapping[str, Any]) -> None:
        """See `Store.wrote`; it is compared as it is, rather than read again."""
        self._made = Entry(id=0, **row)

    def taken(self, seq: int) -> Entry | None:
        """Return the entry of that place, where it is the last that was written."""
        return self._made if self._made is not None and self._made.seq == seq else None

    async def people_of(self, scope: int, *more: int) -> list[int]:
        """Return the people in the entry; `checks.check_people` has checked them."""
        return checks.people_in(self.as_written["changes"])

    async def encounters_with(self, guild_id: int, key: str, value: str) -> list[dict[str, str]]:
        """Return what was found then."""
        return self.games.get(f"{key}={value}", [])

    async def bring(self, outside: Sequence[Outside]) -> None:
        """Put in what was looked up in other scopes."""
        for one in outside:
            if one.scope == self.scope or one.kind == "encounter":
                raise ValueError("the file contains rows of another game")
            await self.memory.put(one.scope, one.kind, one.guild_id, one.channel_id, dict(one.rows))
            self.forget(one.scope)


@dataclass(frozen=True, slots=True)
class _FileEntry:
    """One entry of the file, with how it was asked."""

    entry: Mapping[str, Any]
    said: Testimony

    @property
    def seq(self) -> int:
        """Return its place in the journal."""
        return int(self.entry["seq"])


class Again:
    """A game that is played again, and what people decided in it. made: told of every entry."""

    def __init__(self, export: Mapping[str, Any], made: Callable[[Entry], None] = lambda entry: None) -> None:
        self._made = made
        self.entries: list[dict[str, Any]] = export["entries"]
        self.decided: list[Decided] = []
        self.faded: list[int] = []
        self.believed: list[int] = []
        self.managing: dict[str, list[int]] = {}
        self._seed = bytes.fromhex(export["seed"])
        self._store = _Memory(InMemory(), _scope_of(self.entries))
        self._desk = Desk(self._store, lambda: self._seed)

    async def close(self) -> None:
        """Forget the game."""
        await self._store.close()

    async def play(self) -> tuple[int, str]:
        """Return how many entries came out the same, and why the next one cannot be decided by these rules.

        Raises DoesNotFollow.
        """
        with odds_budget.stop_clock():
            for entry in self.entries:
                await asyncio.sleep(0)  # nothing else here waits, and whoever stops it is to be heard
                try:
                    await self._go_on(entry)
                except DoesNotFollow as wrong:
                    if entry["version"] == rules_version():
                        raise
                    return wrong.entry - 1, wrong.why
        return len(self.entries), ""

    async def _go_on(self, entry: Mapping[str, Any]) -> None:
        seq = entry["seq"]
        try:
            step = _FileEntry(entry, self._said(entry))
            await self._store.bring(step.said.outside)
            self._store.games = step.said.games
            self._store.as_written = entry
            self._store.clock = step.said.clock or entry["at_ms"]
            if step.said.complete:
                answer = await self._desk.perform(self._request(step))
            else:
                answer = await self._brought(step)
        except DoesNotFollow:
            raise
        except Exception as error:
            raise DoesNotFollow(seq, f"it can't be carried out ({type(error).__name__}).") from error
        made = self._store.taken(seq)
        if made is None:
            raise DoesNotFollow(seq, f'it is refused with "{" ".join(answer.reply.lines)}"')
        if _compare(entry, made):
            self.faded.append(seq)
        self._note(made, step.said)
        await self._note_rights(made, step.said)
        self._made(made)

    def _said(self, entry: Mapping[str, Any]) -> Testimony:
        return testimony(entry["asked"])

    def _request(self, step: _FileEntry) -> Request:
        said = step.said
        scope = self._store.scope if step.seq > 1 else 0
        return Request(said.action, said.actor, step.seq, scope, reason=said.reason)

    async def _brought(self, step: _FileEntry) -> Answer:
        loaded = await self._store.load(self._store.scope)
        handler = HANDLERS.get(step.entry["command"])
        written = json.loads(step.entry["changes"])
        if loaded is None or handler is None or handler.beforehand is None or not _adds(written):
            raise DoesNotFollow(step.seq, "it should only add to the game, but it makes other changes.")
        if step.entry["faces"] != "[]":
            raise DoesNotFollow(step.seq, "it should only add to the game, but it rolls dice.")
        changes = from_json(written, loaded.snapshot)
        draft = _draft(step.entry)
        now = await self._store.commit(loaded, apply(loaded.snapshot, changes), changes, draft)
        self.decided.append(Decided(step.seq, draft.actor, "addition that can't be checked", draft.title))
        self.believed.append(step.seq)
        return Answer(reply_from_json(draft.reply), now.scope.id, now.scope.version, changed=True)

    async def _note_rights(self, entry: Entry, said: Testimony) -> None:
        """List who went by a right that the place gives and no row of the game shows."""
        loaded = await self._store.load(self._store.scope) if said.actor.manages else None
        row = loaded.book().get(EncounterRow) if loaded else None
        if row is not None and said.actor.user_id not in row.organisers:
            self.managing.setdefault(said.actor.name, []).append(entry.seq)

    def _note(self, entry: Entry, said: Testimony) -> None:
        """List what people decided, and what was looked up outside the game."""
        kinds = []
        if said.outside:
            looked_up = ", ".join(sorted({one.kind for one in said.outside}))
            kinds.append(("read from the file", f"{entry.title} ({looked_up})"))
        if entry.reason:
            kinds.append(("override", f"{entry.title} ({entry.reason})"))
        if entry.dice == "real":
            faces = " ".join(str(face) for _, face in entry.faces_shown())
            kinds.append(("real dice", f"{entry.title} ({faces})"))
        handler = HANDLERS.get(entry.command)
        if handler is not None and handler.run.__module__ == BY_HAND:
            kinds.append(("by hand", entry.title))
        if entry.command in DISPUTE_NOUNS:
            kinds.append((DISPUTE_NOUNS[entry.command], entry.title))
        if said.action.decides:
            kinds.append((said.action.decides, entry.title))
        if isinstance(said.action, AnswerUndo) and entry.kind in ("undo", "redo"):
            kinds.append((f"{entry.kind} by consent", entry.title))
        if entry.repeats and self.entries[entry.repeats - 1]["input"] != self.entries[entry.seq - 1]["input"]:
            kinds.append(("correction", f"{entry.title} (with the dice of entry {entry.repeats})"))
        self.decided += [Decided(entry.seq, entry.actor, kind, words) for kind, words in kinds]


def _adds(written: Sequence[Any]) -> bool:
    """Return whether changes only add something, and change no model that was there before."""
    if not all(table in BROUGHT and was is None for table, was, _ in written):
        return False
    model, of = layout("models").names.index("id"), layout("conditions").names.index("model")
    new_models = {row[model] for table, _, row in written if table == "models"}
    return all(row[of] in new_models for table, _, row in written if table == "conditions")


def _compare(entry: Mapping[str, Any], made: Entry) -> bool:
    """Return whether only texts differ that name a deleted person.

    Raises DoesNotFollow if the entry has another result.
    """
    faded = False
    for name, words in COMPARED:
        if entry[name] != getattr(made, name):
            if entry.get("gone") and name in WORDS:
                faded = True
                continue
            raise DoesNotFollow(made.seq, f"{words}{_detail(name, entry[name], getattr(made, name))}.")
    for name in PUBLISHED:
        written, came = entry[name], getattr(made, name)
        if name == "asked":
            written, came = unsalted(written), unsalted(came)
        if name not in UNCHECKED and written != came:
            if entry.get("gone") and name in WORDS:
                faded = faded or name != "action_key"
                continue
            raise DoesNotFollow(made.seq, f"its column {name} is different.")
    return faded


def _detail(name: str, written: Any, came: Any) -> str:
    if name == "faces":
        return f" ({_faces(written)} in the file, {_faces(came)} in the replay)"
    if name == "changes":
        return _rows(json.loads(written), json.loads(came))
    if name == "reply":
        for was, now in zip(_lines(json.loads(written)), _lines(json.loads(came)), strict=False):
            if was != now:
                return f' ("{was}" in the file, "{now}" in the replay)'
        return " (in its buttons or menus)"
    return ""


def _faces(written: str) -> str:
    return " ".join(str(face) for _, face, _ in bound_in(written)) or "none"


def _lines(reply: Mapping[str, Any]) -> list[str]:
    lines = [*reply["lines"], *reply.get("why", ())]
    return [*lines, *(line for further in reply.get("also", ()) for line in _lines(further)), "nothing more"]


def _rows(written: list[Any], came: list[Any]) -> str:
    for was in written:
        if was not in came:
            return f" ({_row(was)}, only in the file)"
    for now in came:
        if now not in written:
            return f" ({_row(now)}, only in the replay)"
    return ""


def _row(change: list[Any]) -> str:
    table, first, second = change
    if isinstance(second, dict):
        columns = ", ".join(f"{name} {was} to {now}" for name, (was, now) in second.items())
        return f"{table} {first[-1]} {columns}"[:200]
    return f"row {'removed from' if second is None else 'added to'} {table}"


def _draft(entry: Mapping[str, Any]) -> NewEntry:
    took = tuple(int(part) for part in entry["took"].split(",") if part)
    names = ("actor_id", "actor", "command", "input", "title", "reply", "kind", "minor", "reason", "target")
    same = {name: entry[name] for name in names}
    return NewEntry(
        entry["seq"],
        0,
        **same,
        took=took,
        quiet=entry["quiet"],
        asked=entry["asked"],
        version=entry["version"],
    )


def _scope_of(entries: Sequence[Mapping[str, Any]]) -> int:
    """Return the number of the scope that the first entry makes. Raises DoesNotFollow."""
    places = layout(EncounterRow.table).names
    for table, first, second in json.loads(entries[0]["changes"]) if entries else ():
        if table == EncounterRow.table and first is None:
            return int(second[places.index("scope")])
    raise DoesNotFollow(1, "it doesn't begin a game.")
