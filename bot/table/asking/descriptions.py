"""Words beside commands: groups, descriptions of actions, and the fields that a person can fill in."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from bot.actions import ACTIONS, Action, Part, parts, raw_of
from bot.table.asking.kinds import TableKind
from bot.table.asking.reading import called
from bot.table.game import HelpPage

GROUPS: dict[str, str] = {}
"""Descriptions of groups of slash commands, by path."""

MAX_OPTIONS = 8
"""Options of a command in the picker, the last ones those of a board; the others are set in its form."""

GAME_WORDS: set[str] = set()
"""The groups that cover a whole game. Where that game is played, their word adds nothing."""


def group(path: str, hint: str, *, whole_game: bool = False) -> None:
    """Describe a group of slash commands. path: its words, such as `cb move`."""
    if GROUPS.setdefault(path, hint) != hint:
        raise ValueError(f"/{path} is described twice")
    if whole_game:
        GAME_WORDS.add(path)


def described(kind: type[Action]) -> str:
    """Return what a command does, in one line: the first line of its docstring without the full stop.

    Empty if there is no docstring; the text that a dataclass makes up for itself describes nothing.
    """
    line = (kind.__doc__ or "").strip().split("\n")[0].removesuffix(".")
    return "" if line.startswith(f"{kind.__name__}(") else line


def options_of(kind: type[Action]) -> tuple[Part, ...]:
    """Return the fields that are typed, those that must be first."""
    return _options(kind.command)


@cache
def _options(command: str) -> tuple[Part, ...]:
    first = ACTIONS[command].said_first
    asked_parts = [part for part in parts(command) if part.kind.help]
    of_board = [part for part in asked_parts if isinstance(part.kind, TableKind) and part.kind.on_board]
    others = [part for part in asked_parts if part not in of_board]
    others.sort(key=lambda part: part.kind.behind if isinstance(part.kind, TableKind) else 0)
    if first:
        others.sort(key=lambda part: first.index(part.name))
    others.sort(key=lambda part: not needed(part))
    room = MAX_OPTIONS - len(of_board)
    return (*others[:room], *of_board, *others[room:])


def typed_line(action: Action) -> str:
    """Return the slash command that asks an action."""
    values = raw_of(action)
    options = [
        f"{called(part)}:{values[part.name]}" for part in options_of(type(action)) if part.name in values
    ]
    return " ".join((f"/{action.typed}", *options))


def needed(part: Part) -> bool:
    """Return whether a field must be typed."""
    return isinstance(part.kind, TableKind) and part.kind.needed


def on_pages(pages: Mapping[str, HelpPage], package: str) -> dict[str, list[str]]:
    """Return each topic's lines, its commands by their names. package: where its rooms stand."""
    words_by_topic = {topic: list(page.words) for topic, page in pages.items()}
    for kind in sorted(ACTIONS.values(), key=lambda kind: kind.typed):
        topic = topic_of(kind, pages, package)
        if topic:
            words_by_topic[topic] += [f"/{kind.typed}: {described(kind)}"]
    return words_by_topic


def topic_of(kind: type[Action], pages: Mapping[str, HelpPage], package: str) -> str:
    """Return the topic under which an action's command is listed; empty where no page names its room."""
    module = kind.__module__.removeprefix(f"{package}.")
    if not kind.typed or module == kind.__module__:
        return ""
    rooms = {room: topic for topic, page in pages.items() for room in page.rooms}
    while module and module not in rooms:
        module = module.rpartition(".")[0]
    return rooms.get(module, "")
