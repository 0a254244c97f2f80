"""Counters of one kind, each counted of something: declared once, and named by no string of one's own.

State keeps a counter under a name, `spotted.3`. How such a name is made of what is counted, and read again,
stands here alone; what a kind means, and of what it is counted, where it is declared.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

V = TypeVar("V", int, str)


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of counters. prefix: what all its names begin with, and no other name."""

    prefix: str

    def counts(self, name: str) -> bool:
        """Whether a name is one of this kind."""
        return name.startswith(self.prefix)


@dataclass(frozen=True, slots=True)
class PerNumber(_Kind):
    """Counters of models, squads, places ... by their number."""

    def of(self, number: int) -> str:
        """The name of the counter for this number."""
        return f"{self.prefix}{number}"

    def number(self, name: str) -> int:
        """For which number a counter of this kind is."""
        return int(name.removeprefix(self.prefix))

    def among(self, named: Iterable[tuple[str, V]]) -> dict[int, V]:
        """Of names with what they hold those of this kind, by number, the lowest first."""
        found = {self.number(name): held for name, held in named if self.counts(name)}
        return dict(sorted(found.items()))


@dataclass(frozen=True, slots=True)
class PerWord(_Kind):
    """Counters by a word: a deed, a part of a vehicle."""

    def of(self, word: str) -> str:
        """The name of the counter for this word."""
        return f"{self.prefix}{word}"

    def word(self, name: str) -> str:
        """For which word a counter of this kind is."""
        return name.removeprefix(self.prefix)

    def among(self, named: Iterable[tuple[str, V]]) -> dict[str, V]:
        """Of names with what they hold those of this kind, by word."""
        return {self.word(name): held for name, held in named if self.counts(name)}
