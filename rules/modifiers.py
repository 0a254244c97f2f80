"""Modifiers with their reasons: no anonymous +1.

A rule takes plain numbers; the function that prepares it collects `Modifier`s, so that a reply can name every
one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Modifier:
    """`amount` added to something, because of `reason` (a few words for players), by the ledger's `rule`."""

    amount: int
    reason: str
    rule: str = ""

    def __str__(self) -> str:
        return f"{self.amount:+d} {self.reason}"


def total(modifiers: Iterable[Modifier]) -> int:
    """Sum of the amounts."""
    return sum(modifier.amount for modifier in modifiers)
