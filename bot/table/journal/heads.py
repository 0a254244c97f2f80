"""The head of a game's record as the channel shows it, so that an export can be held against it.

Each entry is linked to those before it by a hash: who has seen one knows every entry up to it.
"""

from __future__ import annotations

from bot.replies.reply import Note, Reply
from bot.store.book import EMPTY_CHAIN, Scope, Snapshot
from bot.store.rows import EncounterRow, layout

SHORT = 12
"""Letters of a head that stand in the panel, in threes of four."""

_TURN = layout(EncounterRow.table).names.index("turn")
_STATUS = layout(EncounterRow.table).names.index("status")


def short_head(scope: Scope) -> str:
    """The line of the panel; empty before anything was done.

    It stands at the last entry that everybody may know of, so that it tells nobody of a secret one.
    """
    if scope.shown in ("", EMPTY_CHAIN):
        return ""
    return "Record " + " ".join(scope.shown[at : at + 4] for at in range(0, SHORT, 4))


def with_head(reply: Reply, scope: Scope, before: Snapshot, after: Snapshot) -> Reply:
    """The reply with the whole head so far, where a turn or the game ends with it and all may read it."""
    was, now = (tables.get(EncounterRow.table, {}).values() for tables in (before, after))
    marks = [[(row[_TURN], row[_STATUS]) for row in rows] for rows in (was, now)]
    if reply.private or not marks[0] or marks[0] == marks[1]:
        return reply
    return reply.plus(Note("Record so far:"), Note(f"`{scope.chain}`"))
