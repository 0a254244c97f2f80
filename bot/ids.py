"""The ids of buttons, menus and forms: they carry the action itself, so that a restart loses none.

An id names each field by a letter and carries a stamp of the shape of its action's fields. A button whose
action has changed its fields since is refused as old (`BadId`); it never means something else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import quote, unquote

from bot.actions import (
    Action,
    BadId,
    Part,
    Typed,
    action_of,
    fields_checksum,
    parts,
    raw_of,
    require_finite,
    require_storable,
)

MAX_ID = 100
"""Characters in a Discord custom id."""

FORMAT = "1"
"""The first character of every id: the format in which it is written."""

_PLACE = "0123456789abcdefghijklmnopqrstuvwxyz"

_TYPED, _NO_FIELD = "!", "."
"""What was typed and could not be read begins so, then follows the letter of its field, or that of none."""


@dataclass(frozen=True, slots=True)
class Tag:
    """The content of a button's, menu's or form's id: the action, the place, and the version of its offer.

    version -1: good at any time. part: '' for a button, the form that it opens, or the field that a menu
    fills. typed: the contents of the form that it opens that can't be read as fields of the action: by
    fields, '' for what belongs to none.
    """

    action: Action
    scope: int
    version: int = -1
    part: str = ""
    typed: Typed = ()


def pack(tag: Tag, place: int = 0) -> str:
    """Return the custom id of a tag; `place` tells equal ones apart. Raises BadId if it is too long."""
    command = tag.action.command
    letters = _letters(command)
    fields = [letters[name][0] + _write(raw, letters[name][1]) for name, raw in raw_of(tag.action).items()]
    fields += [f"{_TYPED}{letters[name][0]}{_write(text, str)}" for name, text in tag.typed]
    version = "" if tag.version < 0 else base36(tag.version)
    custom_id = f"{FORMAT}{base36(place)}:{command}:{base36(tag.scope)}:{version}:{tag.part}"
    if fields:
        custom_id += f":{fields_checksum(command)}{'~'.join(fields)}"
    if len(custom_id) > MAX_ID:
        raise BadId("the custom id is too long")
    return custom_id


@cache
def _letters(command: str) -> Mapping[str, tuple[str, Any]]:
    """Return the letter of each field of an action, in order, with the type of what is written of it."""
    fields = {part.name: (_PLACE[number], part.wire) for number, part in enumerate(parts(command))}
    return fields | {"": (_NO_FIELD, str)}


def fits(tag: Tag, place: int = 0) -> bool:
    """Return whether an id has room for a tag."""
    try:
        pack(tag, place)
    except BadId:
        return False
    return True


def unpack(custom_id: str) -> Tag:
    """Return the tag of a custom id. Raises BadId."""
    try:
        made_by, command, scope, version, part, *fields = custom_id.split(":", 5)
        if made_by[:1] != FORMAT:
            raise BadId(custom_id)
        values, typed = _by_letter(command, parts(command), fields[0]) if fields else ({}, ())
        action = action_of(command, values)
        return Tag(action, int(scope, 36), int(version, 36) if version else -1, part, typed)
    except (ValueError, LookupError, TypeError) as error:
        raise BadId(custom_id) from error


def _by_letter(command: str, shape: tuple[Part, ...], text_read: str) -> tuple[dict[str, Any], Typed]:
    if text_read[:2] != fields_checksum(command):
        raise BadId(text_read)
    values: dict[str, Any] = {}
    typed: list[tuple[str, str]] = []
    for text in text_read[2:].split("~"):
        if text[:1] == _TYPED:
            name = "" if text[1:2] == _NO_FIELD else shape[_PLACE.index(text[1:2] or "?")].name
            typed.append((name, unquote(text[2:])))
            continue
        part = shape[_PLACE.index(text[:1] or "?")]
        if part.name in values:
            raise BadId(text_read)
        values[part.name] = _read(text[1:], part.wire)
    return values, tuple(typed)


def _write(value: Any, wire: Any) -> str:
    if wire == tuple[int, ...]:
        return ",".join(base36(item) for item in value)
    if wire == tuple[str, ...]:
        return ",".join(_write(item, str) for item in value)
    if wire is bool:
        return "1" if value else "0"
    if wire is int:
        return base36(value)
    if wire is float:
        return repr(float(value))
    return quote(value or "", safe=" '()/+!", errors="replace").replace("~", "%7E")


def _read(text: str, wire: Any) -> Any:
    if wire == tuple[int, ...]:
        return tuple(_number(item) for item in text.split(",")) if text else ()
    if wire == tuple[str, ...]:
        return tuple(unquote(item) for item in text.split(",")) if text else ()
    if wire is bool:
        return text == "1"
    if wire is int:
        return _number(text)
    if wire is float:
        return require_finite(float(text))
    return unquote(text)


def _number(text: str) -> int:
    return require_storable(int(text, 36))


def base36(number: int) -> str:
    """Return a whole number in digits and small letters."""
    if number < 0:
        return "-" + base36(-number)
    digits = ""
    while True:
        number, rest = divmod(number, 36)
        digits = _PLACE[rest] + digits
        if not number:
            return digits
