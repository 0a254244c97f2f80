"""Places on the board in words: a cell of the grid, inches, so far towards something, into contact."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from bot.table.board.surface import Board, kept
from rules.measure import Body, Point, apart, bearing, beside, moved
from rules.refusals import InvalidInput

HOW = 'Enter a place, such as "D7", "12.5 30", "6 towards Trapper", "6 north" or "into contact with Smap"'
SPOT = 'Enter a place, such as "D7" or "12.5 30", or the name of a model on the board'
MAX_STEPS = 8
"""Straight parts of one move."""

CELL, WIDE_CELL = 2.0, 4.0
"""Inches of a cell; the wide one on tables that would have more columns than there are letters."""

_WINDS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
COMPASS = {wind: 45.0 * place for place, wind in enumerate(_WINDS)}

_CELL = re.compile(r"([a-z]{1,2})\s?(\d{1,2})", re.IGNORECASE)
_NUMBER = r"(-?\d{1,3}(?:[.,]\d{1,2})?)"
_INCHES = re.compile(rf"{_NUMBER}\s*(?:\"|in)?[\s,;x/]\s*{_NUMBER}\s*(?:\"|in)?", re.IGNORECASE)
_WAY = re.compile(rf"{_NUMBER}\s*(?:\"|in(?:ches)?)?\s+(towards?|away from|to the|to)?\s*(.+)", re.IGNORECASE)
_CONTACT = re.compile(r"(?:in|into|in to)?\s*contact(?: with)?\s+(.+)", re.IGNORECASE)

Finds = Callable[[str], Body]
"""Gives the model of a name as it stands. Raises InvalidInput."""


@dataclass(frozen=True, slots=True)
class MoveWay:
    """Where a model goes. points: every corner of its way, the last one where it ends."""

    points: tuple[Point, ...]

    @property
    def end(self) -> Point:
        """Return where it ends."""
        return self.points[-1]


def cell_size(board: Board) -> float:
    """Return the inches of a cell of the grid."""
    return CELL if max(board.width, board.depth) <= 26 * CELL else WIDE_CELL


def cell_of(board: Board, point: Point) -> str:
    """Return the cell of the grid for a place, like D7: columns from the west, rows from the north."""
    size = cell_size(board)
    column = min(int(point[0] / size), int((board.width - 0.001) / size))
    row = min(int((board.depth - point[1]) / size), int((board.depth - 0.001) / size))
    return f"{_letters(max(0, column))}{max(0, row) + 1}"


def _letters(column: int) -> str:
    return chr(65 + column) if column < 26 else f"A{chr(65 + column - 26)}"


def column_names(board: Board) -> list[str]:
    """Return the letters along the table."""
    return [_letters(number) for number in range(-int(-board.width // cell_size(board)))]


def _cell(board: Board, text: str) -> Point | None:
    match = _CELL.fullmatch(text)
    if match is None:
        return None
    size, names = cell_size(board), column_names(board)
    letters, row = match[1].upper(), int(match[2])
    if letters not in names or not 1 <= row <= -int(-board.depth // size):
        rows = -int(-board.depth // size)
        raise InvalidInput(f"The grid goes from A1 to {names[-1]}{rows} (you entered {text.upper()}).")
    x, y = (names.index(letters) + 0.5) * size, board.depth - (row - 0.5) * size
    return min(x, board.width), max(y, 0.0)


def place(board: Board, text: str, find: Finds, how: str = SPOT) -> Point:
    """Return a place in words, for something that isn't there yet. how: the refusal. Raises InvalidInput."""
    words = " ".join(text.split())
    words = re.sub(r"^(?:to|at|in)\s+", "", words, flags=re.IGNORECASE)
    inches = _INCHES.fullmatch(words)
    if inches is not None:
        return _number(inches[1]), _number(inches[2])
    cell = _cell(board, words)
    if cell is not None:
        return cell
    try:
        return find(words).at
    except InvalidInput:
        raise InvalidInput(f"{how}.") from None


def way(board: Board, mover: Body, text: str, find: Finds) -> MoveWay:
    """Return a way in words, in straight parts with "then" between them. Raises InvalidInput."""
    parts = re.split(r"\s*(?:\bthen\b|>|;)\s*", text.strip(), flags=re.IGNORECASE)
    if not text.strip() or len(parts) > MAX_STEPS:
        raise InvalidInput(f'{HOW}. A route can have up to {MAX_STEPS} parts, joined with the word "then".')
    points, body = [kept(mover.at)], mover
    for part in parts:
        points.append(kept(_step(board, body, part, find)))
        body = replace(body, at=points[-1])
    return MoveWay(tuple(points))


def _step(board: Board, mover: Body, text: str, find: Finds) -> Point:
    words = " ".join(text.split())
    contact = _CONTACT.fullmatch(words)
    if contact is not None:
        return beside(mover, find(contact[1]))
    match = _WAY.fullmatch(words)
    if match is None or _INCHES.fullmatch(words):
        return place(board, words, find, HOW)
    inches, direction_word, goal_words = _number(match[1]), (match[2] or "").lower(), match[3].strip()
    if inches < 0:
        raise InvalidInput(f"{HOW}.")
    compass = COMPASS.get(goal_words.lower().replace(" ", "-").replace("northe", "north-e"))
    if compass is not None and "away" not in direction_word:
        return moved(mover.at, compass, inches)
    goal = _cell(board, goal_words) or find(goal_words).at
    if apart(goal, mover.at) < 0.01:
        return mover.at
    turn = bearing(mover.at, goal)
    if direction_word.startswith("away"):
        return moved(mover.at, turn + 180, inches)
    return _short_of(
        mover, goal, turn, inches, goal_words, find, is_cell=_cell(board, goal_words) is not None
    )


def _short_of(
    mover: Body, goal: Point, turn: float, inches: float, target: str, find: Finds, *, is_cell: bool
) -> Point:
    """So far towards something, and not into it: a model that comes up to another stops in contact."""
    limit = apart(mover.at, goal)
    if not is_cell:
        limit = max(0.0, limit - find(target).radius - mover.radius)
    return moved(mover.at, turn, min(inches, limit))


def _number(text: str) -> float:
    return round(float(text.replace(",", ".")), 2)


def direction(text: str, mover: Body, board: Board, find: Finds) -> float | None:
    """Return where a model looks, in words: a direction, degrees, a cell or a model. Raises InvalidInput."""
    words = " ".join(text.split()).lower().removeprefix("to ").removeprefix("the ")
    if not words:
        return mover.facing
    compass_turn = COMPASS.get(words.replace(" ", "-"))
    if compass_turn is not None:
        return compass_turn
    if re.fullmatch(r"\d{1,3}", words):
        return float(int(words) % 360)
    goal = _cell(board, words) or find(words).at
    return round(bearing(mover.at, goal)) % 360


def place_words(board: Board, point: Point) -> str:
    """Return a place as it is told: its cell, and inches from the west and from the south edge."""
    return f"{cell_of(board, point)} ({point[0]:g}, {point[1]:g})"
