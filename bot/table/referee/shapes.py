"""How an entry of an exported file is shaped: its columns, of what kind they are, and what they hold as JSON.

What is read further on may rely on it: no file that a stranger sends is read otherwise than as an export.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from bot.store.errors import StoreError
from bot.store.journal import PUBLISHED, bound_in
from bot.table.referee.verdict import Forged

NO_EXPORT = (
    KeyError,
    TypeError,
    ValueError,
    AttributeError,
    IndexError,
    ArithmeticError,
    RecursionError,
    StoreError,
)
"""What reading raises that no version of the program wrote."""

NUMBERS = frozenset({"seq", "parent", "target", "number", "repeats", "actor_id", "at_ms"})
YES_OR_NO = frozenset({"minor", "quiet"})
KINDS: Mapping[str, type] = {
    name: int if name in NUMBERS else bool if name in YES_OR_NO else str for name in (*PUBLISHED, "stood")
}
"""Of what kind each column is."""

KEY = re.compile(r"[0-9a-f]{16}")
VERSION = re.compile(r"\d+\.\d+\.\d+-[0-9a-f]{8}")

KINDS_OF_ENTRY = frozenset({"do", "undo", "redo", "aside"})
DICE = frozenset({"", "bot", "real", "repeat"})


def check_shape(entry: Mapping[str, Any], place: int) -> None:
    """Whether an entry is as the bot writes one. Raises Forged, which names it."""
    try:
        fits = _fits(entry)
    except NO_EXPORT:
        fits = False
    if not fits:
        raise Forged(f"Entry {place} is not as the bot writes it.")


def _fits(entry: Mapping[str, Any]) -> bool:
    return (
        all(type(value) is KINDS[name] for name, value in entry.items())
        and entry["kind"] in KINDS_OF_ENTRY
        and entry["dice"] in DICE
        and all(look(entry[name]) for name, look in HELD.items())
    )


def _are_faces(text: str) -> bool:
    return all(
        type(sides) is int and type(face) is int and 1 <= face <= sides for sides, face, _ in bound_in(text)
    )


def _is_reply(text: str) -> bool:
    return _is_told(json.loads(text))


def _is_told(reply: Any) -> bool:
    texts = (reply["lines"], reply.get("why", []))
    return all(type(line) is str for lines in texts for line in lines) and all(
        _is_told(further) for further in reply.get("also", [])
    )


def _is_asked(text: str) -> bool:
    number, name = json.loads(text)["who"]
    return type(number) is int and type(name) is str


def _are_places(text: str) -> bool:
    return all(int(part) > 0 for part in text.split(",") if part)


HELD: Mapping[str, Callable[[str], bool]] = {
    "faces": _are_faces,
    "changes": lambda text: type(json.loads(text)) is list,
    "reply": _is_reply,
    "asked": _is_asked,
    "took": _are_places,
    "action_key": lambda text: KEY.fullmatch(text) is not None,
    "version": lambda text: VERSION.fullmatch(text) is not None,
}
"""Columns that hold more than letters, and whether it is what they hold."""
