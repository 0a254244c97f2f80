"""Card states as JSON text and back: decks, Challenges, Checks, Hide tokens.

Owns the form in which a table keeps them. What is read is checked as strictly as what a player types.
"""

from __future__ import annotations

import json
import types
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from rules.refusals import InvalidInput
from rules.systems.fracd_earth.challenge import Challenge
from rules.systems.fracd_earth.checks import Check
from rules.systems.fracd_earth.deck import Deck
from rules.systems.fracd_earth.hidden import Token

State = TypeVar("State", Challenge, Check, Deck, Token)


def write(state: Challenge | Check | Deck | Token) -> str:
    """The whole state as JSON; it holds the players' secrets."""
    return json.dumps(_plain(state), separators=(",", ":"))


def read(kind: type[State], text: str) -> State:
    """The state that `write` wrote. Raises InvalidInput for any other text."""
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidInput("This is no saved state.") from None
    made = _made(kind, given)
    assert isinstance(made, kind)
    return made


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


def _made(kind: Any, value: Any) -> Any:
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        if value is None:
            return None
        return _made(next(part for part in get_args(kind) if part is not type(None)), value)
    if origin is Literal:
        if value not in get_args(kind):
            raise _wrong()
        return value
    if origin in (tuple, frozenset):
        if not isinstance(value, list):
            raise _wrong()
        return origin(_made(get_args(kind)[0], item) for item in value)
    if isinstance(kind, type) and is_dataclass(kind):
        hints = _hints(kind)
        if not isinstance(value, dict) or set(value) != set(hints):
            raise _wrong()
        return kind(**{name: _made(hints[name], item) for name, item in value.items()})
    if type(value) is not kind:
        raise _wrong()
    return value


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind)


def _wrong() -> InvalidInput:
    return InvalidInput("This is no saved state.")
