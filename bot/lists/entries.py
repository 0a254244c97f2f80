"""The neutral list: what any format is read into and written from."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from rules.json_text import json_values
from rules.refusals import InvalidInput

FORMAT = "adjutant-list"
MAX_ENTRIES = 200
"""Entries of one list, with those inside others."""

MAX_EQUIPMENT = 600
"""Pieces of equipment in one list: each is compared with all that there are."""

MAX_COUNT = 99
MAX_DEPTH = 12
NO_LIST = "Send JSON that contains a list of models."


@dataclass(frozen=True, slots=True)
class ListEntry:
    """One line of a list.

    points: as written, of one or of all of them. called: a name of its own. kind: what the list says it is,
    "model", "unit" or "upgrade"; empty if it doesn't. figures: a statblock in the list's own words. parts:
    what stands below it. words, values: a member of this product's own crew as text or JSON. written: the
    line itself.
    """

    name: str
    count: int = 1
    points: int | None = None
    equipment: tuple[str, ...] = ()
    called: str = ""
    leader: bool = False
    group: str = ""
    note: str = ""
    kind: str = ""
    figures: str = ""
    parts: tuple[ListEntry, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Any] = field(default_factory=dict)
    written: str = ""


@dataclass(frozen=True, slots=True)
class ReadList:
    """A list as it was read.

    form: the format. game: as the list names it. points: the total as written. faction: the army or faction.
    traits: of this product's own crew. unread: lines that were not understood.
    """

    form: str
    title: str = ""
    game: str = ""
    points: int | None = None
    faction: str = ""
    traits: Mapping[str, str] = field(default_factory=dict)
    entries: tuple[ListEntry, ...] = ()
    unread: tuple[str, ...] = ()

    def to_json(self) -> str:
        """Return the list as JSON that `from_json` reads back to an equal list."""
        return json.dumps({"format": FORMAT, **asdict(self)}, ensure_ascii=False, separators=(",", ":"))


def from_json(text: str) -> ReadList:
    """Read what `to_json` wrote. Raises InvalidInput for anything else."""
    try:
        values = json_values(text)
        if not isinstance(values, dict) or values.pop("format", "") != FORMAT:
            raise InvalidInput(NO_LIST)
        entries, traits = _entries(values.pop("entries"), 0), _words(values.pop("traits"))
        army = ReadList(entries=entries, traits=traits, unread=_texts(values.pop("unread")), **values)
        _require(army, form=str, title=str, game=str, points=(int, type(None)), faction=str)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise InvalidInput(NO_LIST) from None
    return army


def _require(entry: ListEntry | ReadList, **kinds: type | tuple[type, ...]) -> None:
    """Refuse a value that isn't of its kind. Raises TypeError."""
    wrong_fields = [name for name, kind in kinds.items() if not isinstance(getattr(entry, name), kind)]
    if wrong_fields:
        raise TypeError(wrong_fields)


def _texts(values: Any) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise TypeError(values)
    return tuple(values)


def _words(values: Any) -> dict[str, str]:
    if not isinstance(values, dict) or not all(isinstance(value, str) for value in values.values()):
        raise TypeError(values)
    return values


def _entries(values: Any, depth: int) -> tuple[ListEntry, ...]:
    if not isinstance(values, list) or len(values) > MAX_ENTRIES or depth > MAX_DEPTH:
        raise TypeError(values)
    return tuple(_entry(value, depth) for value in values)


def _entry(values: dict[str, Any], depth: int) -> ListEntry:
    parts, equipment = _entries(values.pop("parts"), depth + 1), _texts(values.pop("equipment"))
    entry = ListEntry(parts=parts, equipment=equipment, words=_words(values.pop("words")), **values)
    texts = dict.fromkeys(("name", "called", "group", "note", "kind", "figures", "written"), str)
    _require(entry, **texts, count=int, points=(int, type(None)), leader=bool, values=dict)
    if not 1 <= entry.count <= MAX_COUNT or not 0 <= (entry.points or 0) < 100_000:
        raise ValueError(entry.count)
    return entry


def require_few_entries(count: int) -> None:
    """Refuse, with InvalidInput, a list of more than `MAX_ENTRIES` entries."""
    if count > MAX_ENTRIES:
        raise InvalidInput(f"Shorten the list. It can have at most {MAX_ENTRIES} entries.")


def require_little_equipment(entries: Sequence[ListEntry]) -> None:
    """Refuse, with InvalidInput, a list of more than `MAX_EQUIPMENT` pieces of equipment."""
    count, parts = 0, list(entries)
    while parts:
        entry = parts.pop()
        count += len(entry.equipment)
        parts += entry.parts
    if count > MAX_EQUIPMENT:
        raise InvalidInput(
            f"Shorten the list. It can have at most {MAX_EQUIPMENT} pieces of equipment (it has {count})."
        )


def escaped(text: str) -> str:
    """Return lines as one line that `unescaped` takes apart again."""
    return text.replace("\\", "\\\\").replace("\n", "\\n")


def unescaped(text: str) -> str:
    """Return the lines that `escaped` made one."""
    return re.sub(r"\\(.)", lambda match: "\n" if match[1] == "n" else match[1], text)
