"""The numbers of the journal's entries as players read them.

What somebody chose in secret is an entry too, but takes no number: else a gap in the log would tell of it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable

from bot.actions import ACTIONS
from bot.store.store import Store

Numbers = Callable[[int], int]


async def numbers_of(store: Store, scope: int) -> Numbers:
    """A function from an entry's place in the journal to the number that everybody reads."""
    commands = [command for command, kind in ACTIONS.items() if kind.secret]
    unseen = await store.minor_entries(scope, commands)
    return lambda seq: seq - bisect_left(unseen, seq)
