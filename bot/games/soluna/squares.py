"""Squares as people write them: 3,4 is column 3, row 4, both counted from 0 in the south-west corner."""

from __future__ import annotations

import re

from rules.refusals import InvalidInput
from rules.systems.soluna.geometry import Facing, Point

MOST_SQUARES = 500

_SQUARE = re.compile(r"\(?\s*(\d{1,3})\s*[,;/ ]\s*(\d{1,3})\s*\)?")
_SPAN = re.compile(r"(\d{1,3}),(\d{1,3})(?:-(\d{1,3}),(\d{1,3}))?")

FACING_WORDS = {facing: facing.name.lower() for facing in Facing}


def at(square: Point) -> str:
    """A square as it is written."""
    return f"{square[0]},{square[1]}"


def is_square(text: str) -> bool:
    """Whether the text is written like a square."""
    return _SQUARE.fullmatch(text.strip()) is not None


def way_parts(text: str) -> list[str]:
    """What is typed for each square of a way: 3,4 3,5 or 3,4-3,5."""
    return text.replace("-", " ").split()


def read_square(text: str) -> Point:
    """A square typed as 3,4. Raises InvalidInput."""
    found = _SQUARE.fullmatch(text.strip())
    if found is None:
        raise InvalidInput("A square is column and row from the south-west corner: 3,4.")
    return int(found[1]), int(found[2])


def read_squares(text: str) -> frozenset[Point]:
    """Squares and blocks of them typed as 3,4-6,4 8,2. Raises InvalidInput."""
    found: set[Point] = set()
    for part in text.replace("to", "-").replace(" -", "-").replace("- ", "-").split():
        match = _SPAN.fullmatch(part.strip(";"))
        if match is None:
            raise InvalidInput("Squares are written like 3,4 or from corner to corner: 3,4-6,4 8,2.")
        x, y = int(match[1]), int(match[2])
        x2, y2 = int(match[3] or x), int(match[4] or y)
        if (abs(x2 - x) + 1) * (abs(y2 - y) + 1) > MOST_SQUARES:
            raise InvalidInput(f"An object has at most {MOST_SQUARES} squares.")
        for i in range(min(x, x2), max(x, x2) + 1):
            found |= {(i, j) for j in range(min(y, y2), max(y, y2) + 1)}
    if not 1 <= len(found) <= MOST_SQUARES:
        raise InvalidInput(f"An object has 1 to {MOST_SQUARES} squares.")
    return frozenset(found)


def span_words(squares: frozenset[Point]) -> str:
    """Squares in few words: one, a whole block from corner to corner, or how many from which."""
    xs, ys = [x for x, _ in squares], [y for _, y in squares]
    first, last = (min(xs), min(ys)), (max(xs), max(ys))
    if first == last:
        return at(first)
    if len(squares) == (last[0] - first[0] + 1) * (last[1] - first[1] + 1):
        return f"{at(first)}-{at(last)}"
    return f"{len(squares)} squares in {at(first)}-{at(last)}"


def read_facing(text: str) -> Facing:
    """A facing by its word or first letter. Raises InvalidInput."""
    wanted = text.strip().lower()
    for facing, word in FACING_WORDS.items():
        if wanted and word.startswith(wanted):
            return facing
    raise InvalidInput("A model faces north, east, south or west.")


def towards(origin: Point, target: Point) -> Facing:
    """The facing that looks at a square, along the longer way."""
    dx, dy = target[0] - origin[0], target[1] - origin[1]
    if abs(dx) > abs(dy):
        return Facing.EAST if dx > 0 else Facing.WEST
    return Facing.NORTH if dy >= 0 else Facing.SOUTH
