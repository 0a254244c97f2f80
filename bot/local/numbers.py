"""Numbers as people type them."""

from __future__ import annotations

MAX_DIGITS = 20
"""Digits that the largest of Discord's numbers has; of many thousands Python makes none."""


def number_in(text: str) -> int | None:
    """The whole number that is written; None for other words, and where it is longer than any."""
    return int(text) if text.isdecimal() and len(text) <= MAX_DIGITS else None
