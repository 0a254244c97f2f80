"""What can go wrong with the store, each with a sentence that says what to do."""

from __future__ import annotations


class StoreError(Exception):
    """The database cannot be used; the message tells its keeper what to do."""


class Stale(Exception):
    """Somebody else changed the scope between load and commit."""


class Repeated(Exception):
    """This interaction is in the journal already; `reply` is what was answered."""

    def __init__(self, reply: str) -> None:
        super().__init__("answered before")
        self.reply = reply


class Occupied(Exception):
    """The channel has a running encounter already."""
