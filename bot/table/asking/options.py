"""What of an action a person can say: its description, and the fields that have words beside them."""

from __future__ import annotations

from bot.actions import Action, Part, parts
from bot.table.asking.kinds import TableKind


def described(kind: type[Action]) -> str:
    """What a command does, in a line: the first of the docstring, without its full stop."""
    return (kind.__doc__ or "").strip().split("\n")[0].removesuffix(".")


def options_of(kind: type[Action]) -> list[Part]:
    """The fields that are typed, those that must be first."""
    asked = [part for part in parts(kind.command) if part.kind.help]
    asked.sort(key=lambda part: part.kind.behind if isinstance(part.kind, TableKind) else 0)
    if kind.said_first:
        asked.sort(key=lambda part: kind.said_first.index(part.name))
    return sorted(asked, key=lambda part: not needed(part))


def needed(part: Part) -> bool:
    """Whether a field must be typed."""
    return isinstance(part.kind, TableKind) and part.kind.needed
