"""Where squares lie to one another: facings, reach as printed, reach of areas, neighbours.

Owns distances on the square grid, in squares, exact integers. Knows no walls, no light and no weapons.
x grows to the east, y to the north; square (x, y) covers the unit area from (x, y) to (x + 1, y + 1).
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache

Point = tuple[int, int]
"""A square by its column and row, or a corner by its coordinates."""


class Facing(Enum):
    """Which way a model looks; the value is one step that way. Rules: SU-GRID-00."""

    NORTH = (0, 1)
    EAST = (1, 0)
    SOUTH = (0, -1)
    WEST = (-1, 0)


def relative(origin: Point, facing: Facing, square: Point) -> tuple[int, int]:
    """(forward, lateral): rows towards the facing, negative behind, and columns to the side, never negative.

    Rules: SU-GRID-00.
    """
    dx, dy = square[0] - origin[0], square[1] - origin[1]
    fx, fy = facing.value
    return dx * fx + dy * fy, abs(dx * fy - dy * fx)


def reach(origin: Point, facing: Facing, square: Point) -> int | None:
    """Reach of a square as the model on `origin` sees it; None for squares behind that have none.

    0 is the model's own square; the square directly behind has reach 1. Rules: SU-REACH-01, SU-TGT-02.
    """
    forward, lateral = relative(origin, facing, square)
    if forward < 0:
        return 1 if (forward, lateral) == (-1, 0) else None
    if forward == lateral == 0:
        return 0
    return max(forward, lateral + 1)


def area_reach(origin: Point, square: Point) -> int:
    """Reach between two squares without a facing: bursts, pulses, clouds. Rules: SU-REACH-03."""
    dx, dy = abs(square[0] - origin[0]), abs(square[1] - origin[1])
    return max(dx, dy) + (1 if dx == dy and dx else 0)


def adjacent(a: Point, b: Point) -> bool:
    """One of the eight squares around, not the square itself."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1


def within_nine(a: Point, b: Point) -> bool:
    """The square itself or one of the eight around it. Rules: SU-DMG-03."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1])) <= 1


def behind(origin: Point, facing: Facing, square: Point) -> bool:
    """Whether the square lies in a row behind a model on `origin`. Rules: SU-PWR-05, SU-TGT-02."""
    return relative(origin, facing, square)[0] < 0


@lru_cache(maxsize=4096)
def neighbours(square: Point) -> tuple[Point, ...]:
    """The eight squares around, from the south-west row by row."""
    x, y = square
    return tuple((x + i, y + j) for j in (-1, 0, 1) for i in (-1, 0, 1) if i or j)


def sign(number: int) -> int:
    """-1, 0 or 1."""
    return (number > 0) - (number < 0)
