"""What of an action a person can say: its description, and the fields that have words beside them."""

from __future__ import annotations

from functools import cache

from bot.actions import ACTIONS, Action, Part, parts
from bot.table.asking.kinds import TableKind


def described(kind: type[Action]) -> str:
    """What a command does, in a line: the first of the docstring, without its full stop."""
    return (kind.__doc__ or "").strip().split("\n")[0].removesuffix(".")


def options_of(kind: type[Action]) -> tuple[Part, ...]:
    """The fields that are typed, those that must be first."""
    return _options(kind.command)


@cache
def _options(command: str) -> tuple[Part, ...]:
    first = ACTIONS[command].said_first
    asked = [part for part in parts(command) if part.kind.help]
    asked.sort(key=lambda part: part.kind.behind if isinstance(part.kind, TableKind) else 0)
    if first:
        asked.sort(key=lambda part: first.index(part.name))
    return tuple(sorted(asked, key=lambda part: not needed(part)))


def needed(part: Part) -> bool:
    """Whether a field must be typed."""
    return isinstance(part.kind, TableKind) and part.kind.needed
