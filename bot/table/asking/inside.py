"""An action as a word in a field of another, in few characters: the id of a button has 100 for both.

First a stamp of its shape, with the words of which one is said, so that one of another version is refused
and never means something else; then all switches as one number; then each other field by its letter. A model
by its number, one of a few words, a number: each takes but a few signs that need no escape in an id.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from typing import Any
from urllib.parse import quote, unquote

from bot.actions import ACTIONS, Action, BadId, Part, Raw, action_of, finite, kept, parts, raw_of
from bot.ids import base36
from bot.table.asking.kinds import TableKind

LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"

BETWEEN, NUMBERED, ONE_OF = "/", "!", "+"
"""Between fields; before the number of what is written as `#12`; before the place of one of a few words."""


def inside(action: Action) -> str:
    """The action as such a word."""
    command, said = action.command, raw_of(action)
    switches = sum(1 << number for number, one in enumerate(_switches(command)) if one.name in said)
    written = [
        LETTERS[number] + _write(said[one.name], one)
        for number, one in enumerate(parts(command))
        if one.name in said and one.wire is not bool
    ]
    return BETWEEN.join([_stamp(command) + (base36(switches) if switches else ""), *written])


def from_inside(command: str, text: str) -> Action:
    """The action that is such a word. Raises BadId, also for one of another version."""
    first, *written = text.split(BETWEEN)
    if command not in ACTIONS or first[:2] != _stamp(command):
        raise BadId(text)
    shape, found = parts(command), dict[str, Raw]()
    try:
        switches = int(first[2:] or "0", 36)
        for number, one in enumerate(_switches(command)):
            if switches >> number & 1:
                found[one.name] = not one.default
        for field in written:
            one = shape[LETTERS.index(field[:1] or "?")]
            found[one.name] = _read(field[1:], one)
        return action_of(command, found)
    except (ValueError, LookupError) as error:
        raise BadId(text) from error


@cache
def _switches(command: str) -> tuple[Part, ...]:
    return tuple(one for one in parts(command) if one.wire is bool)


@cache
def _stamp(command: str) -> str:
    shape = ";".join(f"{one.name}:{one.wire}={one.unsaid}{_words(one)}" for one in parts(command))
    number = int.from_bytes(sha256(shape.encode()).digest()[:4])
    return LETTERS[number % 36] + LETTERS[number // 36 % 36]


def _words(part: Part) -> tuple[str, ...]:
    """The few words of which one is said."""
    return part.kind.choices if isinstance(part.kind, TableKind) else ()


def _write(value: Any, part: Part) -> str:
    if part.wire == tuple[int, ...]:
        return " ".join(map(base36, value))
    if part.wire == tuple[str, ...]:
        return " ".join(quote(one, safe="'()+", errors="replace") for one in value)
    if part.wire is int:
        return base36(value)
    if part.wire is float:
        return repr(float(value)).removesuffix(".0")
    if value in _words(part):
        return ONE_OF + base36(_words(part).index(value))
    if value[:1] == "#" and value[1:].isdecimal() and value.isascii() and value[1] != "0":
        return NUMBERED + base36(int(value[1:]))
    return quote(value, safe=" '()", errors="replace")


def _read(text: str, part: Part) -> Raw:
    if part.wire == tuple[int, ...]:
        return tuple(kept(int(one, 36)) for one in text.split())
    if part.wire == tuple[str, ...]:
        return tuple(map(unquote, text.split(" ")))
    if part.wire is int:
        return kept(int(text, 36))
    if part.wire is float:
        return finite(float(text))
    if text[:1] == ONE_OF:
        return _words(part)[int(text[1:], 36)]
    return f"#{kept(int(text[1:], 36))}" if text[:1] == NUMBERED else unquote(text)
