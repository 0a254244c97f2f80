"""Names of counters, each declared once: no string of one's own names one, and a type checker sees to it.

State keeps a counter under a name: `over`, `spotted.3`. A name that stands alone is a `CounterName`, several
that belong together are an enum of `CounterNames`; one that is counted of something is of a kind, and how
such a name is made of what is counted, and read again, stands here alone. What it means stands where it is
declared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, NewType, TypeVar

CounterName = NewType("CounterName", str)
"""The name of a counter as state keeps it. It is made at the top of the module that owns the counter."""


class CounterNames(StrEnum):
    """Names of counters that belong together: the base of such enums."""


AnyCounter = CounterName | CounterNames
"""The name of a counter, whichever way it is declared."""


def as_kept(name: str) -> CounterName:
    """Return a name from state, a journal or a player's text as the name of a counter."""
    return CounterName(name)


V = TypeVar("V", int, str)
P = TypeVar("P", bound=str)


@dataclass(frozen=True, slots=True)
class CounterKind:
    """A kind of counters. prefix: what all its names begin with, and no other name."""

    prefix: str

    def counts(self, name: str) -> bool:
        """Return whether a name is one of this kind."""
        return name.startswith(self.prefix)

    def rest(self, name: str) -> str:
        """Return the part of the name that says what is counted."""
        return name.removeprefix(self.prefix)


@dataclass(frozen=True, slots=True)
class PerNumber(CounterKind):
    """Counters of models, squads, places ... by their number."""

    def of(self, number: int) -> CounterName:
        """Return the name of the counter for this number."""
        return CounterName(f"{self.prefix}{number}")

    def number(self, name: str) -> int:
        """Return the number that a counter of this kind is for."""
        return int(self.rest(name))

    def among(self, named: Iterable[tuple[str, V]]) -> dict[int, V]:
        """Return the counters of this kind with their values, by number, lowest first."""
        numbers = {self.number(name): count for name, count in named if self.counts(name)}
        return dict(sorted(numbers.items())) if len(numbers) > 1 else numbers


@dataclass(frozen=True, slots=True)
class PerWord(CounterKind):
    """Counters by a word: a deed, a part of a vehicle."""

    def of(self, word: str) -> CounterName:
        """Return the name of the counter for this word."""
        return CounterName(f"{self.prefix}{word}")

    def among(self, named: Iterable[tuple[str, V]]) -> dict[str, V]:
        """Return the counters of this kind with their values, by word."""
        return {self.rest(name): count for name, count in named if self.counts(name)}


@dataclass(frozen=True, slots=True)
class PerPart(CounterKind, Generic[P]):
    """Several counters of each named thing: `fire:barn:inches`. No name and no part holds a colon.

    The parts are those that its declaration lists.
    """

    def of(self, name: str, part: P) -> CounterName:
        """Return the name of the counter for this part of a thing."""
        return CounterName(f"{self.prefix}{name}:{part}")

    def split(self, name: str) -> tuple[str, str]:
        """Return the thing, and the part of it, that a counter of this kind is for."""
        thing, _, part = self.rest(name).partition(":")
        return thing, part

    def things(self, counters: Mapping[AnyCounter, int]) -> list[str]:
        """Return the things of which anything is counted, by name."""
        return list(dict.fromkeys(self.split(name)[0] for name in sorted(counters) if self.counts(name)))

    def forget(self, counters: MutableMapping[AnyCounter, int], thing: str) -> None:
        """Remove all counters of a thing."""
        for name in [name for name in counters if self.counts(name) and self.split(name)[0] == thing]:
            del counters[name]


@dataclass(frozen=True, slots=True)
class PerCounter:
    """Counters that stand beside others, under their names and a word: `requisition owed`."""

    suffix: str

    def of(self, counter: str) -> CounterName:
        """Return the name of the counter beside this one."""
        return CounterName(f"{counter}{self.suffix}")

    def counts(self, name: str) -> bool:
        """Return whether a name is one of these."""
        return name.endswith(self.suffix)
