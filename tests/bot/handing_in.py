"""Written forms spoilt in every place, to see that no reader passes anything over."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

STRANGE = "wibble"


def spoilt_lines(text: str) -> Iterator[tuple[str, str]]:
    """The text with a strange line at each place, or a strange word behind each line; with what was done."""
    lines = text.splitlines()
    for place in range(1, len(lines) + 1):
        for line in (f"{STRANGE}: 3", f"{STRANGE} 3"):
            yield f"{line!r} before line {place + 1}", "\n".join([*lines[:place], line, *lines[place:]])
    for place, line in enumerate(lines):
        if line.strip():
            for more in (f", {STRANGE}", f"; {STRANGE} 3"):
                changed = [*lines[:place], line + more, *lines[place + 1 :]]
                yield f"{more!r} behind {line.strip()!r}", "\n".join(changed)


def contradicted_lines(text: str) -> Iterator[tuple[str, str]]:
    """The text with each line that has a number once more, with another number."""
    lines = text.splitlines()
    for place, line in enumerate(lines[1:], 1):
        other = re.sub(r"\d+", lambda found: str(int(found[0]) + 1), line)
        if other != line:
            yield f"{other.strip()!r} too", "\n".join([*lines[: place + 1], other, *lines[place + 1 :]])


class _Twice(dict[str, Any]):
    """An object in which one key is written twice."""

    def __init__(self, plain: dict[str, Any], key: str) -> None:
        super().__init__(plain)
        self.key = key


def _dumped(value: object) -> str:
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}: {_dumped(one)}" for key, one in value.items()]
        if isinstance(value, _Twice):
            parts.append(f"{json.dumps(value.key)}: {_dumped(value[value.key])}")
        return "{" + ", ".join(parts) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_dumped, value)) + "]"
    return json.dumps(value)


def spoilt_values(text: str) -> Iterator[tuple[str, str]]:
    """The JSON with a strange key in each object, each key twice, each value of another kind."""
    whole = json.loads(text)
    for path, value in _nodes(whole):
        where = ".".join(map(str, path)) or "the whole"
        if isinstance(value, dict):
            yield f"{STRANGE} in {where}", _dumped(_replaced(whole, path, value | {STRANGE: 3}))
            for key in value:
                yield f"{where}: {key} twice", _dumped(_replaced(whole, path, _Twice(value, key)))
        if isinstance(value, list):
            yield f"{STRANGE} in {where}", _dumped(_replaced(whole, path, [*value, STRANGE]))
        for other in (STRANGE, 37, 2.5, True, [STRANGE], {STRANGE: 3}):
            if path and type(other) is not type(value):
                yield f"{where} is {other!r}", _dumped(_replaced(whole, path, other))


def _nodes(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    yield path, value
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in parts:
        yield from _nodes(one, (*path, key))


def _replaced(whole: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    first, *rest = path
    copied = dict(whole) if isinstance(whole, dict) else list(whole)
    copied[first] = _replaced(whole[first], tuple(rest), value)
    return copied
