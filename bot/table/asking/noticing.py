"""Which fields of an action somebody looks at.

What is refused by some of them is refused whatever the others say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bot.actions import Action, parts


def noticed(action: Action, seen: set[str]) -> Action:
    """The same action; the names of the fields that are looked at come into `seen`.

    Whatever is made of it is an action like any other, and by then all its fields have been looked at.
    """
    watched: Action = object.__new__(_watched(type(action)))
    object.__setattr__(watched, "noticed_action", action)
    object.__setattr__(watched, "noticed_in", seen)
    return watched


_WATCHED: dict[type[Action], Any] = {}


def _watched(kind: type[Action]) -> Any:
    """The class whose fields tell that they are looked at."""
    if kind not in _WATCHED:
        _WATCHED[kind] = _made(kind)
    return _WATCHED[kind]


def _made(kind: type[Action]) -> type[Action]:
    """A class whose fields tell that they are looked at; it makes actions of the kind itself."""

    def field(name: str) -> property:
        def look(self: Any) -> Any:
            self.noticed_in.add(name)
            return getattr(self.noticed_action, name)

        return property(look)

    return type(
        kind.__name__,
        (kind,),
        {
            "__slots__": ("noticed_action", "noticed_in"),
            "__class__": property(lambda self: kind),
            "__new__": lambda cls, *values, **named: kind(*values, **named),
            **{part.name: field(part.name) for part in parts(kind.command)},
        },
    )


class Fields(dict[str, Any]):
    """The things of the fields that were read so far. seen: the names of those that are looked at."""

    __slots__ = ("seen",)

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()

    def __iter__(self) -> Iterator[str]:
        """The names. Whoever copies the things looks at each of them, and passes by none of these methods."""
        return super().__iter__()

    def __getitem__(self, name: str) -> Any:
        """The thing of a field."""
        self.seen.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        """The thing of a field, if it was read."""
        self.seen.add(name)
        return super().get(name, default)

    def values(self) -> Any:
        """The things of all fields."""
        self.seen.update(self)
        return super().values()

    def items(self) -> Any:
        """All fields and their things."""
        self.seen.update(self)
        return super().items()
