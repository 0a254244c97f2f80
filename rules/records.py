"""Dataclasses whose methods are written when they are first called.

The standard decorator compiles some six functions for each class, whether anybody calls them or not: with all
games loaded that was half of the bot's start. Here a class begins with stand-ins; the first call of one has
the standard decorator write the real methods and puts them in its place. From then on nothing is between. All
else of `dataclasses` (`replace`, `fields`, `field`, matching, slots) holds as it does there, type checkers
see the standard decorator, and `super()` finds the class that has slots.
"""

from __future__ import annotations

from dataclasses import FrozenInstanceError, field, fields
from dataclasses import dataclass as _standard
from types import FunctionType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import dataclass as dataclass
else:

    def dataclass(
        cls: type | None = None,
        /,
        *,
        frozen: bool = False,
        eq: bool = True,
        order: bool = False,
        slots: bool = False,
        kw_only: bool = False,
    ) -> type | Callable[[type], type]:
        """The standard `dataclass`, with methods that are written at their first call."""

        def decorate(cls: type) -> type:
            return _Methods(cls, frozen, eq, order).stand_in(cls, slots, kw_only)

        return decorate if cls is None else decorate(cls)


class _Methods:
    """The methods that one class gets, and how they are written."""

    __slots__ = ("_eq", "_frozen", "_made", "_names", "_order")

    def __init__(self, source: type, frozen: bool, eq: bool, order: bool) -> None:
        self._frozen, self._eq, self._order = frozen, eq, order
        own = vars(source)
        names = ["__init__", "__repr__"]
        names += ["__eq__"] if eq else []
        names += ["__lt__", "__le__", "__gt__", "__ge__"] if order else []
        self._names = tuple(name for name in names if name not in own)
        if eq and own.get("__hash__") is None:
            self._names += ("__hash__",)

    def stand_in(self, source: type, slots: bool, kw_only: bool) -> type:
        """The class with its fields, and a stand-in for each method."""
        told = source.__doc__
        source.__doc__ = "Said, so that the standard decorator works out no signature."
        made: Any = _standard(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)(source)
        made.__doc__ = told
        _point_super_at(made)
        for name in self._names:
            setattr(made, name, _STAND_INS[name])
        if self._eq and not self._frozen and "__hash__" in self._names:
            made.__hash__ = None
        if self._frozen:
            made.__setattr__, made.__delattr__ = _cannot_assign, _cannot_delete
            if slots:
                made.__getstate__, made.__setstate__ = _values, _take_values
        self._made = made
        _WRITERS[made] = self
        return made  # type: ignore[no-any-return]

    def write(self, making: bool) -> None:
        """Let a twin of the class be written by the standard decorator, and take over its methods."""
        made = self._made
        twin: Any = type(made.__name__, (), self._twin())
        written = _standard(
            init=making, repr=not making, eq=self._eq, order=self._order, frozen=self._frozen
        )(twin)
        for name in self._names:
            if (name == "__init__") == making:
                setattr(made, name, getattr(written, name))

    def _twin(self) -> dict[str, Any]:
        made = self._made
        space: dict[str, Any] = {
            "__annotations__": {each.name: each.type for each in fields(made)},
            "__doc__": "A twin.",
            "__module__": made.__module__,
            "__qualname__": made.__qualname__,
        }
        if hasattr(made, "__post_init__"):
            space["__post_init__"] = made.__post_init__
        for each in fields(made):
            said = {name: getattr(each, name) for name in ("init", "repr", "hash", "compare", "kw_only")}
            space[each.name] = field(default=each.default, default_factory=each.default_factory, **said)
        return space


_WRITERS: dict[type, _Methods] = {}
"""What writes the methods of each class."""


def _standing_in(name: str) -> Callable[..., Any]:
    def stand_in(self: Any, *given: Any, **named: Any) -> Any:
        made = next(each for each in type(self).__mro__ if vars(each).get(name) is stand_in)
        _WRITERS[made].write(making=name == "__init__")
        return getattr(made, name)(self, *given, **named)

    return stand_in


_STAND_INS = {
    name: _standing_in(name)
    for name in ("__init__", "__repr__", "__eq__", "__hash__", "__lt__", "__le__", "__gt__", "__ge__")
}
"""One for each method, for all classes: it finds whose turn it is among the classes of what it is given."""


def _point_super_at(made: type) -> None:
    """Let `super()` without arguments work: the class with slots is not the one that its methods stood in."""
    for method in vars(made).values():
        if isinstance(method, FunctionType) and "__class__" in method.__code__.co_freevars:
            assert method.__closure__ is not None
            method.__closure__[method.__code__.co_freevars.index("__class__")].cell_contents = made


def _cannot_assign(self: object, name: str, value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _cannot_delete(self: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _values(self: Any) -> list[Any]:
    return [getattr(self, each.name) for each in fields(self)]


def _take_values(self: Any, values: list[Any]) -> None:
    for each, value in zip(fields(self), values, strict=True):
        object.__setattr__(self, each.name, value)
