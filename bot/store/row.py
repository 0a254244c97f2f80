"""What every row of the state is: a dataclass with a key that belongs to one scope and holds plain values.

A row that belongs to a book tells it of everything that is altered in it, so that nothing has to be announced
and nothing has to be compared that was not touched. Neither a row nor a dictionary in it keeps alive what it
tells, so that a book that nobody holds goes at once, with all of its rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, TypeAlias, TypeVar
from weakref import ref

from rules.counters import AnyCounter

Value: TypeAlias = int | str | bool | None
Key: TypeAlias = tuple[int | str, ...]
Columns: TypeAlias = tuple[Value, ...]

Counters = dict[AnyCounter, int]
Texts = dict[str, str]

V = TypeVar("V")


class Watcher(Protocol):
    """Who is told of rows that are altered."""

    def note(self, row: Any) -> None:
        """A row is about to be altered."""


Watching = Callable[[], Watcher | None]
"""A weak reference to who watches."""


class Watched:
    """Tells whoever watches it before anything in it is altered; at first nobody does."""

    __slots__ = ("__weakref__", "_watching")

    _watching: Watching

    def watched_by(self, watching: Watching) -> None:
        """Let him be told from now on."""
        object.__setattr__(self, "_watching", watching)

    def altering(self) -> None:
        """Tell that it is being altered."""
        watching = getattr(self, "_watching", None)
        watcher = watching() if watching is not None else None
        if watcher is not None:
            watcher.note(self)

    def __setattr__(self, name: str, value: Any) -> None:
        if _is_same(getattr(self, name, None), value):
            return
        self.altering()
        object.__setattr__(self, name, Noted(self, value) if isinstance(value, dict) else value)


def _is_same(before: object, value: object) -> bool:
    """Whether a plain value is put where the same one stands already, so that nothing is altered."""
    return value is not None and type(before) is type(value) and before == value and type(value) in _PLAIN


_PLAIN = (int, str, bool)


@dataclass(slots=True)
class Row(Watched):
    """A row of the state. `scope` is the id of the scope it belongs to."""

    table: ClassVar[str]
    key_fields: ClassVar[tuple[str, ...]] = ("scope", "id")

    scope: int

    @property
    def key(self) -> Key:
        """The primary key."""
        return tuple(getattr(self, name) for name in self.key_fields)


class Noted(dict[str, V]):
    """A dictionary in a row, which tells of it when it is altered."""

    __slots__ = ("_row",)

    def __init__(self, row: Watched, values: dict[str, V]) -> None:
        super().__init__(values)
        self._row = ref(row)

    def _altering(self) -> None:
        row = self._row()
        if row is not None:
            row.altering()

    def __setitem__(self, key: str, value: V) -> None:
        if _is_same(self.get(key), value):
            return
        self._altering()
        super().__setitem__(key, value)

    def __delitem__(self, key: str) -> None:
        self._altering()
        super().__delitem__(key)

    def __ior__(self, other: Any) -> Any:  # type: ignore[misc]
        self._altering()
        return super().__ior__(other)

    def pop(self, *args: Any) -> Any:
        """See dict."""
        self._altering()
        return super().pop(*args)

    def popitem(self) -> tuple[str, V]:
        """See dict."""
        self._altering()
        return super().popitem()

    def update(self, *args: Any, **more: V) -> None:
        """See dict."""
        self._altering()
        super().update(*args, **more)

    def setdefault(self, *args: Any) -> Any:
        """See dict."""
        self._altering()
        return super().setdefault(*args)

    def clear(self) -> None:
        """See dict."""
        self._altering()
        super().clear()
