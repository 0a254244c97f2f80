"""The board as text: read from a drawing and drawn for a reply, north on top.

Owns the signs: `.` free, `#` hard cover, `%` soft or slight cover, `X` impenetrable cover, `,` debris, `~` a
cloud on a free square, `^ > v <` or a letter for a model. Decides nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from rules.refusals import InvalidInput
from rules.systems.soluna.board import MAX_SIDE, Board, Obstacle
from rules.systems.soluna.geometry import Facing, Point

MAX_COLUMNS = 30
"""Widest part of a board that fits a line of a reply, beside the row's number."""

READ = {"%": 4, "#": 7, "X": 13, ",": 0}
"""Body of an obstacle by its sign in a drawing: the least of its category."""

_ARROWS = {Facing.NORTH: "^", Facing.EAST: ">", Facing.SOUTH: "v", Facing.WEST: "<"}
_COVER = {"none": ",", "slight": "%", "soft": "%", "hard": "#", "impenetrable": "X"}


def read_drawing(text: str) -> tuple[Board, dict[str, Point]]:
    """A board from lines of signs, and the squares of the letters, X left out.

    Walls that touch along a side and have the same sign become one object. Raises InvalidInput.
    Rules: SU-GRID-00, SU-COV-04.
    """
    rows = [line.strip().replace(" ", "") for line in text.splitlines() if line.strip()]
    if not rows or len({len(row) for row in rows}) != 1:
        raise InvalidInput("A board is drawn as lines of the same length.")
    if len(rows) > MAX_SIDE or len(rows[0]) > MAX_SIDE:
        raise InvalidInput(f"A board is 1 to {MAX_SIDE} squares a side.")
    walls: dict[Point, str] = {}
    letters: dict[str, Point] = {}
    for y, row in enumerate(reversed(rows)):
        for x, sign in enumerate(row):
            if sign in READ:
                walls[x, y] = sign
            elif sign.isascii() and sign.isalpha():
                if sign in letters:
                    raise InvalidInput(f"{sign} is drawn twice.")
                letters[sign] = (x, y)
            elif sign != ".":
                raise InvalidInput(f"'{sign}' is none of . # % X , or a letter.")
    return Board(len(rows[0]), len(rows), _objects(walls)), letters


def _objects(walls: Mapping[Point, str]) -> tuple[Obstacle, ...]:
    found: list[Obstacle] = []
    seen: set[Point] = set()
    for start in sorted(walls):
        if start in seen:
            continue
        part, queue = {start}, [start]
        while queue:
            x, y = queue.pop()
            for square in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if square not in part and walls.get(square) == walls[start]:
                    part.add(square)
                    queue.append(square)
        seen |= part
        found.append(Obstacle(f"cover {len(found) + 1}", frozenset(part), READ[walls[start]]))
    return tuple(found)


def draw(
    board: Board,
    letters: Mapping[int, str] | None = None,
    *,
    corner: Point = (0, 0),
    columns: int = MAX_COLUMNS,
    rows: int = MAX_COLUMNS,
) -> str:
    """Draw a window of the board from its south-west corner, with row numbers and the columns' last digits.

    letters: one sign for a model's id; others show their facing. columns, rows: 1 to 30.
    """
    if not (1 <= columns <= MAX_COLUMNS and 1 <= rows <= MAX_COLUMNS):
        raise InvalidInput(f"A drawing is 1 to {MAX_COLUMNS} squares a side.")
    signs: dict[Point, str] = {square: "~" for cloud in board.clouds for square in cloud.squares}
    for obstacle in sorted(board.obstacles, key=lambda obstacle: obstacle.body):
        signs.update(dict.fromkeys(obstacle.squares, _COVER[obstacle.category]))
    for piece in board.pieces:
        signs[piece.square] = (letters or {}).get(piece.id, _ARROWS[piece.facing])[:1]
    across = range(max(0, corner[0]), min(board.width, corner[0] + columns))
    lines = [
        f"{y:>2} " + "".join(signs.get((x, y), ".") for x in across)
        for y in reversed(range(max(0, corner[1]), min(board.height, corner[1] + rows)))
    ]
    return "\n".join([*lines, "   " + "".join(str(x % 10) for x in across)])
