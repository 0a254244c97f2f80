"""Commands that are named in a reply, as the server has them: to be tapped, or said in the way that it has.

A server has the commands of the games that it shows. Another game's command becomes one line of `/do`, which
every server has, or a button.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial

from bot.actions import ACTIONS, Action
from bot.replies.reply import Reply
from bot.table.offers.command_line import format_head
from bot.table.session.possible_actions import is_table_action

NAMED = re.compile(r"(?<![\w/<])/([a-z][\w-]*(?: [a-z][\w-]*){0,2})")

Ids = Mapping[str, int]
"""The numbers of the commands of a server, by their first word."""


@cache
def typed_kinds() -> Mapping[str, type[Action]]:
    """Return every action that is typed, by its command's words."""
    return {kind.typed: kind for kind in ACTIONS.values() if kind.typed}


def as_the_server_has_them(reply: Reply, ids: Ids) -> Reply:
    """Return the reply with `/do` before commands that the server lacks, and with the others to be tapped.

    ids: empty where it is not known what the server has; then all stays as it is.
    """
    if not ids or not any("/" in line for line in reply.lines):
        return reply
    lines = [_line_with_mentions(line, ids) for line in reply.lines]
    if reply.tappable:
        lines = [_each_named(line, partial(_tapped, ids=ids)) for line in lines]
    return replace(reply, lines=tuple(lines))


def _line_with_mentions(line: str, ids: Ids) -> str:
    named_line = _each_named(line, partial(_otherwise, ids=ids))
    return line if named_line == line else type(line)(named_line)


def _each_named(line: str, mention_of: Callable[[str], str | None]) -> str:
    """The line with each command as it is shown, by its words; None where it stays as it is."""

    def mention(match: re.Match[str]) -> str:
        path = path_in(match)
        name = mention_of(path) if path else None
        return match[0] if name is None else name + match[1][len(path) :]

    return NAMED.sub(mention, line)


def path_in(match: re.Match[str]) -> str:
    """Return as many words of the named command as there are; empty if there is no such command."""
    words = match[1].split(" ")
    paths = (" ".join(words[:count]) for count in range(len(words), 0, -1))
    return next((path for path in paths if path in typed_kinds() or path == "do"), "")


def _tapped(path: str, ids: Ids) -> str | None:
    number = ids.get(path.split()[0])
    return f"</{path}:{number}>" if number else None


def _otherwise(path: str, ids: Ids) -> str | None:
    """How a command that the server has not is said there: by the line that does it, else what is pressed."""
    if path.split()[0] in ids:
        return None
    kind = typed_kinds()[path]
    return f"/do {format_head(kind) if is_table_action(kind) else path}"
