"""The short form of a record's head, as players may write it down."""

from __future__ import annotations

from bot.store.book import EMPTY_CHAIN, Scope

SHORT = 12
"""Letters of a short head."""


def short_head(scope: Scope) -> str:
    """Return the head after the last entry that everyone may know of; empty before anything was done."""
    if scope.shown in ("", EMPTY_CHAIN):
        return ""
    return "Record " + " ".join(scope.shown[at : at + 4] for at in range(0, SHORT, 4))
