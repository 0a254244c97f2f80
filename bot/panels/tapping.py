"""Commands that are named in a reply, as Discord shows them to be tapped."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from bot.actions import ACTIONS
from bot.replies.reply import Reply
from rules.records import replace

NAMED = re.compile(r"(?<![\w/<])/([a-z][\w-]*(?: [a-z][\w-]*){0,2})")


@cache
def _paths() -> frozenset[str]:
    """Everything that can be typed."""
    return frozenset({"do", *(kind.typed for kind in ACTIONS.values() if kind.typed)})


def tapped(reply: Reply, ids: Mapping[str, int]) -> Reply:
    """The reply with its commands to be tapped; those whose numbers are not known stay as they are.

    ids: the numbers of the commands of the server, by their first word.
    """
    if not reply.tappable:
        return reply
    return replace(
        reply, lines=tuple(NAMED.sub(lambda found: _tapped(found, ids), line) for line in reply.lines)
    )


def _tapped(found: re.Match[str], ids: Mapping[str, int]) -> str:
    words = found[1].split(" ")
    for count in range(len(words), 0, -1):
        path = " ".join(words[:count])
        if path in _paths() and words[0] in ids:
            return f"</{path}:{ids[words[0]]}>" + found[1][len(path) :]
    return found[0]
