"""JSON that people and programs hand in, read so that nothing in it is passed over, and JSON in one form.

Owns what JSON leaves open: a key twice in one object, numbers that are none. The reader decides what the
values mean.
"""

from __future__ import annotations

import json
import re
from typing import Any

from rules.refusals import InvalidInput

compact = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode
"""Return a value as JSON in one form, with sorted keys and no spaces: equal values give equal text."""

_HALF = re.compile(r"\\u[dD][89a-fA-F]")
"""Letters beyond the first 65,536 are written as two halves, of which each alone is none."""


def json_values(text: str) -> Any:
    """Return the values. Raises InvalidInput for a repeated key and for half a letter, ValueError and
    RecursionError for invalid JSON.
    """
    found = json.loads(text, object_pairs_hook=_object, parse_constant=_no_number)
    if _HALF.search(text):
        try:
            json.dumps(found, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise InvalidInput(
                "This JSON contains half of a surrogate pair (\\ud800 to \\udfff). "
                "Add the missing half, or remove this one."
            ) from None
    return found


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise InvalidInput(f"One JSON object contains the key {key[:20]!r} twice. Remove one of them.")
        found[key] = value
    return found


def _no_number(word: str) -> Any:
    raise ValueError(word)
