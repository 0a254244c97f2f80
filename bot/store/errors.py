"""What can go wrong with the store, each with a sentence that says what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.store.journal import Entry


class StoreError(Exception):
    """The database cannot be used; the message tells its keeper what to do."""


class Busy(Exception):
    """Another program kept the database from being written; nothing was."""

    def __init__(self) -> None:
        super().__init__("another program is using the database")


class Unwritable(Exception):
    """The database refuses every write until its keeper has done something; nothing was written.

    reason: why, as the beginning of a sentence for the players.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Lost(Exception):
    """The database could not be reached, or the connection to it went.

    in_commit: the connection was lost during a commit, which may or may not have succeeded.
    """

    def __init__(self, *, in_commit: bool = False) -> None:
        super().__init__("the database can't be reached")
        self.in_commit = in_commit


class Stale(Exception):
    """Another process changed the scope between load and commit."""


class Repeated(Exception):
    """This interaction is in the journal already; `entry` holds what was answered."""

    def __init__(self, entry: Entry) -> None:
        super().__init__("the action was already answered")
        self.entry = entry


class Unsure(Exception):
    """The same was done before and could not be answered then; `entry` is what was done."""

    def __init__(self, entry: Entry) -> None:
        super().__init__("the action was already carried out")
        self.entry = entry


class Occupied(Exception):
    """The channel has a running encounter already."""
