"""Card states as JSON text and back: decks, Challenges, Checks, Hide tokens.

Owns the form in which a table keeps them. What is read is checked as strictly as what a player types.
"""

from __future__ import annotations

import json
import types
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache, partial
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from rules.refusals import InvalidInput
from rules.systems.fracd_earth.challenge import Challenge
from rules.systems.fracd_earth.checks import Check
from rules.systems.fracd_earth.deck import Deck
from rules.systems.fracd_earth.detection import Token

State = TypeVar("State", Challenge, Check, Deck, Token)


def write(state: Challenge | Check | Deck | Token) -> str:
    """Return the whole state as JSON; it holds the players' secrets."""
    return json.dumps(_to_json_value(state), separators=(",", ":"))


def read(kind: type[State], text: str) -> State:
    """Return the state that `write` wrote. Raises InvalidInput for any other text."""
    try:
        stored = json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidInput("This saved state can't be read.") from None
    loaded = _made(kind, stored)
    assert isinstance(loaded, kind)
    return loaded


def _to_json_value(value: Any) -> Any:
    if is_dataclass(value):
        return {field.name: _to_json_value(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, tuple):
        return [_to_json_value(item) for item in value]
    return value


def _made(kind: Any, value: Any) -> Any:
    return _maker(kind)(value)


@cache
def _maker(kind: Any) -> Callable[[Any], Any]:
    """Return a function that makes a value of a kind and raises InvalidInput for anything else."""
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        present_type = next(part for part in get_args(kind) if part is not type(None))
        return lambda value: None if value is None else _made(present_type, value)
    if origin is Literal:
        return partial(_one_of, get_args(kind))
    if origin in (tuple, frozenset):
        return partial(_each, origin, _maker(get_args(kind)[0]))
    if isinstance(kind, type) and is_dataclass(kind):
        makers = {name: _maker(hint) for name, hint in get_type_hints(kind).items()}
        return partial(_make_whole, kind, makers)
    return partial(_plainly, kind)


def _one_of(values: tuple[Any, ...], value: Any) -> Any:
    if value not in values:
        raise _wrong()
    return value


def _each(kind: type[tuple[Any, ...] | frozenset[Any]], make: Callable[[Any], Any], value: Any) -> Any:
    if not isinstance(value, list):
        raise _wrong()
    return kind(map(make, value))


def _make_whole(kind: type, makers: Mapping[str, Callable[[Any], Any]], value: Any) -> Any:
    if not isinstance(value, dict) or value.keys() != makers.keys():
        raise _wrong()
    return kind(**{name: makers[name](item) for name, item in value.items()})


def _plainly(kind: Any, value: Any) -> Any:
    if type(value) is not kind:
        raise _wrong()
    return value


def _wrong() -> InvalidInput:
    return InvalidInput("This saved state can't be read.")
