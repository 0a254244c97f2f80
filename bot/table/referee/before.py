"""How an entry was asked that does not say so itself: those of games played before journals kept it.

Read from its columns and the rows as they stood. What cannot be known is taken as it most often was.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from bot.actions import Action, from_json
from bot.store.rows import AskRow, EncounterRow, PendingRow, SeatRow, WatcherRow, layout
from bot.store.scope import Loaded
from bot.table.act import Actor
from bot.table.journal.consent import AnswerUndo
from bot.table.journal.witness import Testimony
from bot.table.rolling.realdice import EnterFaces


def guessed(entry: Mapping[str, Any], loaded: Loaded | None) -> Testimony:
    """How an entry was most likely asked. Raises ValueError, KeyError or TypeError for what nobody writes."""
    written = json.loads(entry["changes"])
    row = loaded.book().get(EncounterRow) if loaded else None
    began = row or _came(written, EncounterRow)
    if not isinstance(began, EncounterRow):
        raise ValueError("no game runs")
    user = entry.get("actor_id") or _user(entry["actor"], written, loaded) or began.organiser_id
    manages = bool(entry["reason"]) and user != began.organiser_id
    actor = Actor(user, entry["actor"], began.guild_id, began.channel_id, manages)
    action = from_json(entry["command"], entry["input"])
    return Testimony(_meant(entry, action, written, loaded), actor, entry["reason"])


def _meant(entry: Mapping[str, Any], action: Action, written: list[Any], loaded: Loaded | None) -> Action:
    """The action that was asked, where another one was carried through by it."""
    book = loaded.book() if loaded else None
    gone = [(table, first) for table, first, second in written if second is None]
    if book is not None and entry["dice"] == "real":
        for table, columns in gone:
            row = book.get(PendingRow, columns[1]) if table == PendingRow.table else None
            if row is not None:
                faces = tuple(face for _, face in json.loads(entry["faces"]))
                return EnterFaces(faces[len(row.faces.split()) :], row.id)
    if book is not None and entry["kind"] in ("undo", "redo"):
        for table, columns in gone:
            asked = book.get(AskRow, columns[1]) if table == AskRow.table else None
            if asked is not None and asked.kind == entry["kind"]:
                return AnswerUndo(asked.entry)
    return action


def _came(written: list[Any], kind: type[EncounterRow]) -> EncounterRow | None:
    for table, first, second in written:
        if table == kind.table and first is None:
            names = layout(table).names
            values = dict(zip(names, second, strict=False))
            return kind(
                values["scope"],
                **{
                    name: values[name]
                    for name in ("channel_id", "guild_id", "system", "name", "organiser_id", "commitment")
                },
                turns=values["turns"],
            )
    return None


def _user(name: str, written: list[Any], loaded: Loaded | None) -> int:
    """Who has this name at the table, or takes a seat under it; 0 for nobody."""
    book = loaded.book() if loaded else None
    known: dict[str, int] = {}
    if book:
        known = {row.name: row.user_id for row in book.all(WatcherRow)}
        known |= {row.name: row.user_id for row in book.all(SeatRow)}
    for kind in (SeatRow, WatcherRow):
        names = layout(kind.table).names
        for table, first, second in written:
            if table == kind.table and first is None:
                known.setdefault(second[names.index("name")], second[names.index("user_id")])
    return int(known.get(name, 0))
