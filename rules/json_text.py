"""JSON that people and programs hand in: read so that nothing in it is passed over.

Owns what JSON leaves open: a key twice in one object, numbers that are none. What the values mean is the
reader's.
"""

from __future__ import annotations

import json
from typing import Any

from rules.refusals import InvalidInput


def json_values(text: str) -> Any:
    """The values. Raises InvalidInput for a key that stands twice, ValueError, RecursionError for no JSON."""
    return json.loads(text, object_pairs_hook=_object, parse_constant=_no_number)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise InvalidInput(f"{key[:20]!r} stands twice in the JSON.")
        found[key] = value
    return found


def _no_number(word: str) -> Any:
    raise ValueError(word)
