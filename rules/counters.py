"""Counters of one kind, each counted of something: declared once, and named by no string of one's own.

State keeps a counter under a name, `spotted.3`. How such a name is made of what is counted, and read again,
stands here alone; what a kind means, and of what it is counted, where it is declared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping
from typing import TypeVar

from rules.records import dataclass

V = TypeVar("V", int, str)


@dataclass(frozen=True, slots=True)
class CounterKind:
    """A kind of counters. prefix: what all its names begin with, and no other name."""

    prefix: str

    def counts(self, name: str) -> bool:
        """Whether a name is one of this kind."""
        return name.startswith(self.prefix)

    def rest(self, name: str) -> str:
        """What a counter of this kind is counted of, as its name has it."""
        return name.removeprefix(self.prefix)


@dataclass(frozen=True, slots=True)
class PerNumber(CounterKind):
    """Counters of models, squads, places ... by their number."""

    def of(self, number: int) -> str:
        """The name of the counter for this number."""
        return f"{self.prefix}{number}"

    def number(self, name: str) -> int:
        """For which number a counter of this kind is."""
        return int(self.rest(name))

    def among(self, named: Iterable[tuple[str, V]]) -> dict[int, V]:
        """Of names with what they hold those of this kind, by number, the lowest first."""
        found = {self.number(name): held for name, held in named if self.counts(name)}
        return dict(sorted(found.items()))


@dataclass(frozen=True, slots=True)
class PerWord(CounterKind):
    """Counters by a word: a deed, a part of a vehicle."""

    def of(self, word: str) -> str:
        """The name of the counter for this word."""
        return f"{self.prefix}{word}"

    def among(self, named: Iterable[tuple[str, V]]) -> dict[str, V]:
        """Of names with what they hold those of this kind, by word."""
        return {self.rest(name): held for name, held in named if self.counts(name)}


@dataclass(frozen=True, slots=True)
class PerPart(CounterKind):
    """Several counters of each named thing: `fire:barn:inches`. No name and no part holds a colon."""

    def of(self, thing: str, part: str) -> str:
        """The name of the counter for this part of a thing."""
        return f"{self.prefix}{thing}:{part}"

    def split(self, name: str) -> tuple[str, str]:
        """Of which thing, and which part of it, a counter of this kind is."""
        thing, _, part = self.rest(name).partition(":")
        return thing, part

    def things(self, counters: Mapping[str, int]) -> list[str]:
        """The things of which anything is counted, by name."""
        return list(dict.fromkeys(self.split(name)[0] for name in sorted(counters) if self.counts(name)))

    def forget(self, counters: MutableMapping[str, int], thing: str) -> None:
        """Nothing is counted of a thing any more."""
        for name in [name for name in counters if self.counts(name) and self.split(name)[0] == thing]:
            del counters[name]
