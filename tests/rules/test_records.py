"""Records are dataclasses: what the standard decorator promises holds, whenever their methods are written."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from dataclasses import FrozenInstanceError, field
from typing import Any, ClassVar

import pytest

from rules.records import dataclass, replace


@dataclass(frozen=True, slots=True)
class Point:
    """A place."""

    x: int
    y: int = 0
    names: tuple[str, ...] = field(default=(), compare=False)
    plane: ClassVar[str] = "flat"

    def told(self) -> str:
        return f"{self.x} {self.y}"


@dataclass(frozen=True, slots=True, order=True)
class Lifted(Point):
    z: int = 0

    def told(self) -> str:
        return f"{super().told()} {self.z}"


@dataclass(slots=True, kw_only=True)
class Counted:
    number: int
    notes: list[str] = field(default_factory=list, repr=False)
    doubled: int = field(init=False)

    def __post_init__(self) -> None:
        self.doubled = 2 * self.number


@dataclass(frozen=True)
class Odd:
    value: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Odd) and self.value % 2 == other.value % 2

    def __hash__(self) -> int:
        return self.value % 2

    def __repr__(self) -> str:
        return "odd"


@dataclass(slots=True, eq=False)
class Itself:
    value: int


def test_it_is_made_with_what_was_said_and_with_defaults() -> None:
    assert (Point(1).x, Point(1).y, Point(1, 2).y) == (1, 0, 2)
    assert Lifted(1, z=3) == Lifted(1, 0, (), 3)
    assert Counted(number=2).doubled == 4
    assert Counted(number=1).notes is not Counted(number=1).notes
    untyped: Any = Point
    for wrong in ((), (1, 2, (), 4)):
        with pytest.raises(TypeError, match=r"Point\.__init__"):
            untyped(*wrong)
    with pytest.raises(TypeError):
        Counted(1)  # type: ignore[call-arg, misc]


def test_it_is_equal_hashed_ordered_and_shown_by_its_fields() -> None:
    assert Point(1, 2, ("a",)) == Point(1, 2)
    assert Point(1) != Point(2)
    assert Point(1) != Lifted(1)
    assert len({Point(1), Point(1, 0, ("b",)), Point(2)}) == 2
    assert Lifted(1, z=1) < Lifted(1, z=2) <= Lifted(2) > Lifted(1)
    assert repr(Point(1)) == "Point(x=1, y=0, names=())"
    assert repr(Counted(number=1)) == "Counted(number=1, doubled=2)"
    with pytest.raises(TypeError, match="unhashable"):
        hash(Counted(number=1))


def test_what_a_class_says_itself_stays() -> None:
    assert Odd(1) == Odd(3)
    assert hash(Odd(3)) == 1
    assert repr(Odd(3)) == "odd"
    assert Itself(1) != Itself(1)
    assert len({Itself(1), Itself(1)}) == 2


def test_a_frozen_one_cannot_be_changed_and_is_copied() -> None:
    point: Any = Point(1)
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'x'"):
        point.x = 2
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'x'"):
        del point.x
    assert replace(point, x=5) == Point(5)
    assert copy.deepcopy(Lifted(1, z=2)) == Lifted(1, z=2)
    assert pickle.loads(pickle.dumps(Lifted(1, 2, ("a",), 3))).names == ("a",)
    with pytest.raises(AttributeError):
        Counted(number=1).other = 1  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Bare:
    """Without fields."""


class Named(Point):
    """A subclass without fields of its own."""


@dataclass(frozen=True, slots=True)
class Awkward:
    made: int
    twin: int = 1
    put: list[int] = field(default_factory=list)
    self_: int = field(init=False, default=4)

    def __post_init__(self) -> None:
        if self.made < 0:
            raise ValueError(self.made)


class Told:
    """Hears of its subclasses."""

    __slots__ = ()
    heard: ClassVar[list[str]] = []

    def __init_subclass__(cls) -> None:
        cls.heard.append(cls.__name__)


@dataclass(frozen=True, slots=True)
class Heard(Told):
    value: int


def test_it_is_of_its_own_class_and_cannot_be_changed_however_it_was_made() -> None:
    for made in (Point(1, 2), Named(1, 2), Lifted(1, 2, (), 3), Heard(1), replace(Named(0, 2), x=1)):
        record: Any = made
        assert type(record).__name__ == repr(record).split("(")[0]
        with pytest.raises(FrozenInstanceError):
            record.value = 2
    assert replace(Named(0, 2), x=1) == Named(1, 2)
    assert replace(Bare()) == Bare()
    Heard(2)
    assert Told.heard.count("Heard") == 2, "the class without slots, and the one with them"


def test_names_of_fields_are_free_and_what_checks_them_is_asked() -> None:
    assert (Awkward(1).made, Awkward(1, put=[2]).put, Awkward(1).self_) == (1, [2], 4)
    assert Awkward(1).put is not Awkward(1).put
    for make in (lambda: Awkward(-1), lambda: replace(Point(1), z=2)):
        with pytest.raises((ValueError, TypeError)):
            make()
    with pytest.raises(ValueError, match="self_"):
        replace(Awkward(1), self_=2)


def test_super_and_matching_find_it() -> None:
    assert Lifted(1, 2, (), 3).told() == "1 2 3"
    match Lifted(1, z=7):
        case Lifted(x, _, _, z):
            assert (x, z) == (1, 7)
    assert [each.name for each in dataclasses.fields(Point)] == ["x", "y", "names"]
    assert Point.plane == "flat"


def test_methods_are_written_once_and_when_they_are_called() -> None:
    @dataclass(frozen=True, slots=True)
    class Late:
        value: int = 0

    before = vars(Late)["__init__"]
    Late()
    written = vars(Late)["__init__"]
    assert written is not before
    assert list(inspect.signature(Late).parameters) == ["value"]
    Late(1)
    assert vars(Late)["__init__"] is written
    assert Late.__doc__ is None, "what says nothing of itself is given no words"
    equal = vars(Late)["__eq__"]
    assert Late(1) == Late(1)
    assert vars(Late)["__eq__"] is not equal


def test_a_method_that_another_thread_has_just_written_is_called_all_the_same() -> None:
    """Two threads make the first of a class: each has been given the stand-in, one has written the method."""

    @dataclass(frozen=True, slots=True)
    class First:
        value: int = 0

    @dataclass(frozen=True, slots=True)
    class Second(First):
        more: int = 0

    stand_ins = {
        kind: {name: vars(kind)[name] for name in ("__init__", "__eq__")} for kind in (First, Second)
    }
    for kind, given in ((Second, (3, 4)), (First, (3,))):
        made = kind(*given)
        assert made == kind(*given)
        other = object.__new__(kind)
        stand_ins[kind]["__init__"](other, *given)
        assert stand_ins[kind]["__eq__"](other, made) is True
