"""Typed state: named fields of an encounter, a side, a model or a thing, kept in the counters of its row.

Each game declares its fields once, in its module `state`, with a sentence each. A field reads and writes its
row's counters, so that undo and the journal see each change as a change of the row. A field at 0 is not kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from typing import Generic, Protocol, Self, TypeVar, overload

from bot.store.rows import Counters
from rules.counters import AnyCounter, CounterName

K = TypeVar("K")


class HasCounters(Protocol):
    """A row that keeps counters."""

    counters: Counters


class State:
    """The state of one row. Subclasses declare `Number`, `Flag` and `Table` fields."""

    __slots__ = ("counters",)

    def __init__(self, row: HasCounters) -> None:
        self.counters = row.counters

    @classmethod
    def of_counters(cls, counters: Counters) -> Self:
        """Return the state that these counters hold."""
        state = cls.__new__(cls)
        state.counters = counters
        return state

    @classmethod
    def fields(cls) -> Mapping[str, Field]:
        """Return the declared fields by name, inherited ones first."""
        inherited = (vars(base).items() for base in reversed(cls.__mro__))
        return {name: value for items in inherited for name, value in items if isinstance(value, Field)}


class Field:
    """Anything that a `State` declares. about: what it tells, in a sentence."""

    about: str


class Number(Field):
    """A whole number. key: its name in the row. about: what it tells, with its unit. least: its lowest value.

    Setting a number below `least` is a mistake of the program: ValueError.
    """

    def __init__(self, key: AnyCounter | str, description: str, *, least: int | None = 0) -> None:
        self.key: AnyCounter = CounterName(key)
        self.about = description
        self.least = least

    @overload
    def __get__(self, state: None, owner: type[State]) -> Self: ...
    @overload
    def __get__(self, state: State, owner: type[State]) -> int: ...
    def __get__(self, state: State | None, owner: type[State]) -> Self | int:
        return self if state is None else state.counters.get(self.key, 0)

    def __set__(self, state: State, value: int) -> None:
        if self.least is not None and value < self.least:
            raise ValueError(f"{self.key} must be at least {self.least}, not {value}")
        _keep(state.counters, self.key, value)


class Flag(Field):
    """A yes or no. key: its name in the row. about: what is true when it is set."""

    def __init__(self, key: AnyCounter | str, description: str) -> None:
        self.key: AnyCounter = CounterName(key)
        self.about = description

    @overload
    def __get__(self, state: None, owner: type[State]) -> Self: ...
    @overload
    def __get__(self, state: State, owner: type[State]) -> bool: ...
    def __get__(self, state: State | None, owner: type[State]) -> Self | bool:
        return self if state is None else bool(state.counters.get(self.key, 0))

    def __set__(self, state: State, value: bool) -> None:
        _keep(state.counters, self.key, int(value))


class KeyKind(Protocol[K]):
    """How the keys of a table are made of what they are about, and read again."""

    def of(self, subject: K, /) -> CounterName:
        """Return the key for one entry."""
        ...

    def among(self, counters: Iterable[tuple[str, int]]) -> dict[K, int]:
        """Return the entries among all counters of a row."""
        ...


class Entries(MutableMapping[K, int]):
    """The entries of a `Table` in one row; an entry at 0 is not kept, and a missing one is 0."""

    __slots__ = ("_counters", "_kind")

    def __init__(self, counters: Counters, kind: KeyKind[K]) -> None:
        self._counters, self._kind = counters, kind

    def __getitem__(self, subject: K) -> int:
        return self._counters.get(self._kind.of(subject), 0)

    def __setitem__(self, subject: K, value: int) -> None:
        _keep(self._counters, self._kind.of(subject), value)

    def __delitem__(self, subject: K) -> None:
        self._counters.pop(self._kind.of(subject), None)

    def __iter__(self) -> Iterator[K]:
        return iter(self._kind.among(self._counters.items()))

    def __len__(self) -> int:
        return len(self._kind.among(self._counters.items()))


class Table(Field, Generic[K]):
    """A whole number for each of several models, places or words.

    kind: `PerNumber` or `PerWord` with what the keys begin with. about: what an entry tells, with its unit.
    """

    def __init__(self, kind: KeyKind[K], description: str) -> None:
        self.kind = kind
        self.about = description

    @overload
    def __get__(self, state: None, owner: type[State]) -> Self: ...
    @overload
    def __get__(self, state: State, owner: type[State]) -> Entries[K]: ...
    def __get__(self, state: State | None, owner: type[State]) -> Self | Entries[K]:
        return self if state is None else Entries(state.counters, self.kind)


def _keep(counters: Counters, key: AnyCounter, value: int) -> None:
    if value:
        counters[key] = value
    else:
        counters.pop(key, None)
