"""Actions: what a person can ask of the table, as values.

A slash command, a button, a menu and a form all become the same action, which is journalled, compared and
carried in a button's id. This module owns how actions are written down; what they do is decided elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, replace
from functools import cache
from math import isfinite
from typing import Any, ClassVar, get_type_hints
from urllib.parse import quote, unquote

ACTIONS: dict[str, type[Action]] = {}
"""Every action class by its command's key."""

MAX_ID = 100
"""Characters in a Discord custom id."""

MAX_NUMBER = 2**63
"""What every whole number that the database keeps is below."""


class BadId(ValueError):
    """A custom id is not one of ours, or of a version that is no longer understood."""


@dataclass(frozen=True, slots=True)
class Action:
    """Something asked of the table. Fields are int, float, str, bool, or tuples of int or str.

    secret: where it makes a minor entry, nobody else may learn that it was asked, undo and redo included.
    finishes: the command that it carries through; right after it, both are undone and redone as one step.
    facts: the fields that tell what somebody measured or saw. Asked again with others, an undone action was
    corrected and keeps its dice; any other difference is another decision.
    """

    command: ClassVar[str] = ""
    secret: ClassVar[bool] = False
    finishes: ClassVar[str] = ""
    facts: ClassVar[frozenset[str]] = frozenset()

    def __init_subclass__(cls) -> None:
        if cls.command:
            ACTIONS[cls.command] = cls


@dataclass(frozen=True, slots=True)
class _Field:
    name: str
    type: Any
    default: Any


@cache
def _fields(command: str) -> tuple[_Field, ...]:
    kind = ACTIONS[command]
    hints = get_type_hints(kind)
    return tuple(_Field(part.name, hints[part.name], part.default) for part in fields(kind))


def decision(action: Action) -> str:
    """The action as canonical JSON without the facts that it tells: what makes its dice its own."""
    if not action.facts:
        return to_json(action)
    defaults = {part.name: part.default for part in _fields(action.command) if part.name in action.facts}
    return to_json(replace(action, **defaults))


def to_json(action: Action) -> str:
    """The action's fields as canonical JSON, those at their default left out."""
    values = {
        part.name: getattr(action, part.name)
        for part in _fields(action.command)
        if getattr(action, part.name) != part.default
    }
    return json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def from_json(command: str, text: str) -> Action:
    """The action again. Raises BadId for a command or a field that does not exist."""
    if command not in ACTIONS:
        raise BadId(command)
    known = {part.name for part in _fields(command)}
    values = json.loads(text)
    if not isinstance(values, dict) or not known.issuperset(values):
        raise BadId(command)
    return ACTIONS[command](
        **{name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
    )


def with_text(action: Action, values: Mapping[str, str | tuple[str, ...]]) -> Action:
    """The action with fields replaced by what a person chose or typed.

    Raises ValueError for a number that is none, BadId for a field that the action does not have.
    """
    parts = {part.name: part for part in _fields(action.command)}
    changed = {part.name: getattr(action, part.name) for part in parts.values()}
    for name, typed in values.items():
        if name not in parts:
            raise BadId(name)
        of = parts[name].type
        if of in (tuple[int, ...], tuple[str, ...]):
            changed[name] = _items(typed, of)
        else:
            text = typed if isinstance(typed, str) else ",".join(typed)
            changed[name] = _scalar(text.strip(), of)
    return ACTIONS[action.command](**changed)


def _items(typed: str | tuple[str, ...], of: Any) -> tuple[Any, ...]:
    """What was chosen in a menu, or numbers typed with spaces or commas between them."""
    if of == tuple[str, ...]:
        return (typed,) if isinstance(typed, str) else typed
    items = typed.replace(",", " ").split() if isinstance(typed, str) else typed
    return tuple(_kept(int(item)) for item in items)


def _scalar(text: str, of: Any) -> Any:
    if of is bool:
        return text.lower() in ("1", "true", "yes")
    if of is int:
        return _kept(int(text))
    if of is float:
        return _finite(float(text))
    return text


@dataclass(frozen=True, slots=True)
class Tag:
    """What the id of a button, menu or form tells: the action, where, and at which version it was offered.

    version -1: good at any time. part: '' for a button, the form that it opens, or the field that a menu
    fills.
    """

    action: Action
    scope: int
    version: int = -1
    part: str = ""


def pack(tag: Tag, place: int = 0) -> str:
    """The custom id of a tag; `place` tells equal ones in one message apart. Raises BadId when too long."""
    parts = _fields(tag.action.command)
    written = [_write(getattr(tag.action, part.name), part.type) for part in parts]
    while written and _is_default(tag.action, parts[len(written) - 1]):
        written.pop()
    version = "" if tag.version < 0 else _base36(tag.version)
    custom_id = f"1{_base36(place)}:{tag.action.command}:{_base36(tag.scope)}:{version}:{tag.part}"
    if written:
        custom_id += ":" + "~".join(written)
    if len(custom_id) > MAX_ID:
        raise BadId("too long")
    return custom_id


def unpack(custom_id: str) -> Tag:
    """The tag of a custom id. Raises BadId."""
    try:
        version_place, command, scope, version, part, *written = custom_id.split(":", 5)
        if version_place[:1] != "1":
            raise BadId(custom_id)
        parts = _fields(command)
        texts = written[0].split("~") if written else []
        if len(texts) > len(parts):
            raise BadId(custom_id)
        values = {of.name: _read(text, of.type) for of, text in zip(parts, texts, strict=False)}
        action = ACTIONS[command](**values)
        return Tag(action, int(scope, 36), int(version, 36) if version else -1, part)
    except (ValueError, KeyError, TypeError) as error:
        raise BadId(custom_id) from error


def _is_default(action: Action, part: _Field) -> bool:
    return part.default is not MISSING and bool(getattr(action, part.name) == part.default)


def _write(value: Any, of: Any) -> str:
    if of == tuple[int, ...]:
        return ",".join(_base36(item) for item in value)
    if of == tuple[str, ...]:
        return ",".join(_write(item, str) for item in value)
    if of is bool:
        return "1" if value else "0"
    if of is int:
        return _base36(value)
    if of is float:
        return repr(float(value))
    return quote(value, safe=" '()/+!").replace("~", "%7E")


def _read(text: str, of: Any) -> Any:
    if of == tuple[int, ...]:
        return tuple(_number(item) for item in text.split(",")) if text else ()
    if of == tuple[str, ...]:
        return tuple(unquote(item) for item in text.split(",")) if text else ()
    if of is bool:
        return text == "1"
    if of is int:
        return _number(text)
    if of is float:
        return _finite(float(text))
    return unquote(text)


def _number(text: str) -> int:
    return _kept(int(text, 36))


def _finite(number: float) -> float:
    if not isfinite(number):
        raise ValueError(number)
    return number


def _kept(number: int) -> int:
    if not -MAX_NUMBER <= number < MAX_NUMBER:
        raise ValueError(number)
    return number


_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def _base36(number: int) -> str:
    if number < 0:
        return "-" + _base36(-number)
    digits = ""
    while True:
        number, rest = divmod(number, 36)
        digits = _DIGITS[rest] + digits
        if not number:
            return digits
