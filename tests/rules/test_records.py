"""Records are dataclasses: what the standard decorator promises holds, whenever their methods are written."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from dataclasses import FrozenInstanceError, field, replace
from typing import Any, ClassVar

import pytest

from rules.records import dataclass


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
