"""Dataclasses whose methods are written when they are first called, and that are quick to make.

The standard decorator compiles some six functions for each class, whether anybody calls them or not: with all
games loaded that was half of the bot's start. Here a class begins with stand-ins; the first call of one
writes the real methods and puts them in its place. From then on nothing is between. All else of `dataclasses`
(`fields`, `field`, matching, slots) holds as it does there, type checkers see the standard decorator, and
`super()` finds the class that has slots.

One that is frozen and has slots is made as quickly as one that is not: while it is filled it is of a class of
the same shape that takes values, its twin. `replace` is the standard one, with what it looks up kept.
"""

from __future__ import annotations

from dataclasses import MISSING, Field, FrozenInstanceError, field, fields
from dataclasses import dataclass as _standard
from dataclasses import replace as _standard_replace
from types import FunctionType, MemberDescriptorType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from dataclasses import dataclass as dataclass
    from dataclasses import replace as replace
else:

    def replace(record: Any, /, **changes: Any) -> Any:
        """A record like this one but for some fields."""
        kind = type(record)
        copy = _COPIES.get(kind) or _copying(kind)
        return copy(record, changes)

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

    def writes(self, name: str) -> bool:
        """Whether this method of the class is written here, and not by hand."""
        return name in self._names

    def write(self, making: bool) -> None:
        """Write what makes one, or let a twin of the class be written by the standard decorator and take over
        its other methods.
        """
        made = self._made
        if making:
            made.__init__ = _making(made, self._frozen)
            return
        twin: Any = type(made.__name__, (), self._twin())
        written = _standard(init=False, eq=self._eq, order=self._order, frozen=self._frozen)(twin)
        for name in self._names:
            if name != "__init__":
                setattr(made, name, getattr(written, name))

    def _twin(self) -> dict[str, Any]:
        made = self._made
        space: dict[str, Any] = {
            "__annotations__": {each.name: each.type for each in fields(made)},
            "__doc__": "A twin.",
            "__module__": made.__module__,
            "__qualname__": made.__qualname__,
        }
        for each in fields(made):
            said = {name: getattr(each, name) for name in ("init", "repr", "hash", "compare", "kw_only")}
            space[each.name] = field(default=each.default, default_factory=each.default_factory, **said)
        return space


_WRITERS: dict[type, _Methods] = {}
"""What writes the methods of each class."""

_COPIES: dict[type, Callable[[Any, dict[str, Any]], Any]] = {}
"""What makes a record of each class like another one."""

_become = vars(object)["__class__"].__set__
"""Makes something one of a class of the same shape, whatever its own class says to that."""


def _making(made: type, frozen: bool) -> Callable[..., None]:
    """What fills a new record of a class, written for its fields."""
    space: dict[str, Any] = {"_MISSING": MISSING}
    by_place = [_parameter(each, space) for each in fields(made) if each.init and not each.kw_only]
    by_name = [_parameter(each, space) for each in fields(made) if each.init and each.kw_only]
    parameters = ", ".join(["self", *by_place, *(["*", *by_name] if by_name else [])])
    values = {each.name: value for each in fields(made) if (value := _value(each, space))}
    lines = _filling(made, values, space) if frozen else _settings(values)
    if hasattr(made, "__post_init__"):
        lines.append("self.__post_init__()")
    exec(f"def __init__({parameters}):\n " + "\n ".join(lines or ["pass"]), space)
    written: Any = space["__init__"]
    written.__qualname__, written.__module__ = f"{made.__qualname__}.__init__", made.__module__
    return written  # type: ignore[no-any-return]


def _settings(values: Mapping[str, str]) -> list[str]:
    return [f"self.{name} = {value}" for name, value in values.items()]


def _filling(made: type, values: Mapping[str, str], space: dict[str, Any]) -> list[str]:
    """How a record is filled that takes no values: as its twin; else past its class, field by field."""
    slots = {name: each for kind in reversed(made.__mro__) for name, each in vars(kind).items()}
    space["_put"] = object.__setattr__
    puts = []
    for name, value in values.items():
        if isinstance(slots.get(name), MemberDescriptorType):
            space[f"_put_{name}"] = slots[name].__set__
            puts.append(f"_put_{name}(self, {value})")
        else:
            puts.append(f"_put(self, {name!r}, {value})")
    twin = _twin_of(made)
    if twin is None or not values:
        return puts
    space |= {"_become": _become, "_made": made, "_twin": twin}
    sets = ["_become(self, _twin)", *_settings(values), "self.__class__ = _made"]
    return [f"if self.__class__ is _made: {'; '.join(sets)}", f"else: {'; '.join(puts)}"]


def _twin_of(made: type) -> type | None:
    """A class of the same shape whose fields can be set; None where none can be made beside it."""
    noticed = any("__init_subclass__" in vars(kind) for kind in made.__mro__[:-1])
    if "__slots__" not in vars(made) or noticed:
        return None
    space = {"__slots__": vars(made)["__slots__"], "__setattr__": object.__setattr__}
    return type(made.__name__, made.__bases__, space)


def _parameter(each: Field[Any], space: dict[str, Any]) -> str:
    if each.default_factory is not MISSING:
        return f"{each.name}=_MISSING"
    if each.default is MISSING:
        return each.name
    space[f"_default_{each.name}"] = each.default
    return f"{each.name}=_default_{each.name}"


def _value(each: Field[Any], space: dict[str, Any]) -> str:
    """What a field is filled with; empty where it is left to others."""
    if each.default_factory is not MISSING:
        space[f"_make_{each.name}"] = each.default_factory
        made = f"_make_{each.name}()"
        return f"{made} if {each.name} is _MISSING else {each.name}" if each.init else made
    if each.init:
        return each.name
    if each.default is MISSING:
        return ""
    space[f"_default_{each.name}"] = each.default
    return f"_default_{each.name}"


def _copying(made: type) -> Callable[[Any, dict[str, Any]], Any]:
    if any(not each.init for each in fields(made)):
        return _COPIES.setdefault(made, _standard_copy)
    same = "".join(f"{each.name!r}: one.{each.name}, " for each in fields(made))
    copy: Any = eval(f"lambda one, changes: made(**{{{same}**changes}})", {"made": made})
    return _COPIES.setdefault(made, copy)


def _standard_copy(record: Any, changes: dict[str, Any]) -> Any:
    return _standard_replace(record, **changes)


def _standing_in(name: str) -> Callable[..., Any]:
    def stand_in(self: Any, *given: Any, **named: Any) -> Any:
        written = (each for each in type(self).__mro__ if each in _WRITERS and _WRITERS[each].writes(name))
        made = next(written)
        _WRITERS[made].write(making=name == "__init__")
        return getattr(made, name)(self, *given, **named)

    return stand_in


_STAND_INS = {
    name: _standing_in(name)
    for name in ("__init__", "__repr__", "__eq__", "__hash__", "__lt__", "__le__", "__gt__", "__ge__")
}
"""One for each method, for all classes: it finds whose turn it is among the classes of what it is given.

Another thread may have put the real method in its place since it was called: that is written once more.
"""


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
