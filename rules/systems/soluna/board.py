"""The board: squares, walls, models, clouds and light; read from a drawing and drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import Literal

from rules.refusals import Forbidden, InvalidInput
from rules.systems.soluna.settings import Visibility

Point = tuple[int, int]
"""A square by its column and row, or a corner by its coordinates."""


class Facing(Enum):
    """Which way a model looks; the value is one step that way. Rules: SU-GRID-00."""

    NORTH = (0, 1)
    EAST = (1, 0)
    SOUTH = (0, -1)
    WEST = (-1, 0)


def relative(origin: Point, facing: Facing, square: Point) -> tuple[int, int]:
    """Return (forward, lateral): rows towards the facing, negative behind, and columns to the side.

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
    """Return one of the eight squares around, not the square itself."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1


def within_nine(a: Point, b: Point) -> bool:
    """Return the square itself or one of the eight around it. Rules: SU-DMG-03."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1])) <= 1


def behind(origin: Point, facing: Facing, square: Point) -> bool:
    """Return whether the square is in a row behind a model on `origin`. Rules: SU-PWR-05, SU-TGT-02."""
    return relative(origin, facing, square)[0] < 0


@lru_cache(maxsize=4096)
def neighbours(square: Point) -> tuple[Point, ...]:
    """Return the eight squares around, from the south-west row by row."""
    x, y = square
    return tuple((x + i, y + j) for j in (-1, 0, 1) for i in (-1, 0, 1) if i or j)


def sign(number: int) -> int:
    """Return -1, 0 or 1."""
    return (number > 0) - (number < 0)


MAX_SIDE = 100
"""Most squares along one side of a board."""

MAX_OBJECTS = 500
MAX_PIECES = 200
MAX_CLOUDS = 100
MAX_BODY = 99
MAX_SIZE = 4

Light = Literal["normal", "dark", "total_dark", "bright", "extreme_bright"]
CoverClass = Literal["none", "slight", "soft", "hard", "impenetrable"]
GravityDirection = Literal["down", "north", "east", "south", "west"]


def cover_class(body: int) -> CoverClass:
    """Return the cover's category by its Body: soft 4-6, hard 7-12, impenetrable 13+; 1-3 is nameless.

    Rules: SU-COV-04.
    """
    for least, name in _CLASSES:
        if body >= least:
            return name
    return "none"


_CLASSES: tuple[tuple[int, CoverClass], ...] = ((13, "impenetrable"), (7, "hard"), (4, "soft"), (1, "slight"))


@dataclass(frozen=True, slots=True)
class Obstacle:
    """An object that fills whole squares; `body` is its Body and its Health, 0 once it is debris.

    Rules: SU-GRID-00, SU-COV-07, SU-COV-08.
    """

    name: str
    squares: frozenset[Point]
    body: int

    def __post_init__(self) -> None:
        if not 0 <= self.body <= MAX_BODY:
            raise InvalidInput(f"Cover must have a Body of 0 to {MAX_BODY}.")
        if not self.squares:
            raise InvalidInput(f"{self.name} needs at least one square.")

    @property
    def debris(self) -> bool:
        """Return whether it is destroyed: it blocks nothing and gives no cover. Rules: SU-COV-08."""
        return self.body == 0

    @property
    def category(self) -> CoverClass:
        """See `cover_class`."""
        return cover_class(self.body)


@dataclass(frozen=True, slots=True)
class Piece:
    """A model on the board: one square, a facing, its Size 0 to 4 and its present Body.

    Sizes above 4 count as 4. Rules: SU-GRID-00, SU-STAT-02.
    """

    id: int
    square: Point
    facing: Facing
    size: int = 2
    body: int = 0

    def __post_init__(self) -> None:
        if self.size < 0:
            raise InvalidInput(f"Size must be between 0 and {MAX_SIZE}.")
        object.__setattr__(self, "size", min(self.size, MAX_SIZE))


@dataclass(frozen=True, slots=True)
class Cloud:
    """An area that stays: its squares, the phase it was placed in (counted from the game's start), its life.

    factor: what it does to sight. Rules: SU-CLOUD-01, SU-CLOUD-03.
    """

    id: int
    squares: frozenset[Point]
    placed: int
    life: int
    factor: Visibility = "poor"

    def __post_init__(self) -> None:
        if not 1 <= self.life <= MAX_SIDE:
            raise InvalidInput(f"A cloud must last 1 to {MAX_SIDE} phases.")


@dataclass(frozen=True, slots=True)
class Board:
    """The table. Squares are (0, 0) in the south-west to (width - 1, height - 1).

    gravity: 0 or more, along `gravity_direction`; "down" runs across every attack. Raises InvalidInput if
    something is off the board, two models share a square, a model is in a whole obstacle, or there is too
    much of anything.
    """

    width: int
    height: int
    obstacles: tuple[Obstacle, ...] = ()
    pieces: tuple[Piece, ...] = ()
    clouds: tuple[Cloud, ...] = ()
    light: Light = "normal"
    weather: Visibility = "none"
    gravity: int = 0
    gravity_direction: GravityDirection = "down"

    def __post_init__(self) -> None:
        if not (1 <= self.width <= MAX_SIDE and 1 <= self.height <= MAX_SIDE):
            raise InvalidInput(f"A board must have 1 to {MAX_SIDE} squares along each side.")
        for kind, most, items in (
            ("objects", MAX_OBJECTS, len(self.obstacles)),
            ("models", MAX_PIECES, len(self.pieces)),
            ("clouds", MAX_CLOUDS, len(self.clouds)),
        ):
            if items > most:
                raise InvalidInput(f"A board can hold at most {most} {kind}.")
        if not 0 <= self.gravity <= 20:
            raise InvalidInput("Gravity must be between 0 and 20.")
        self._check_places()

    def _check_places(self) -> None:
        walls = self.walls()
        for obstacle in self.obstacles:
            if not all(map(self.holds, obstacle.squares)):
                raise InvalidInput(f"{obstacle.name} is outside the board.")
        occupied: set[Point] = set()
        for piece in self.pieces:
            if not self.holds(piece.square):
                raise InvalidInput(f"{_square_name(piece.square)} is outside the board.")
            if piece.square in occupied or piece.square in walls:
                raise InvalidInput(f"Pick a free square. {_square_name(piece.square)} is taken.")
            occupied.add(piece.square)
        if len({piece.id for piece in self.pieces}) != len(self.pieces):
            raise InvalidInput("A model can be on only one square.")

    def holds(self, square: Point) -> bool:
        """Return whether the square is on the board."""
        return 0 <= square[0] < self.width and 0 <= square[1] < self.height

    def walls(self, height: int = 0) -> dict[Point, int]:
        """Return the squares of obstacles whose Body exceeds `height`, with that Body. Rules: SU-COV-08."""
        heights: dict[Point, int] = {}
        for obstacle in self.obstacles:
            if obstacle.body > height:
                for square in obstacle.squares:
                    heights[square] = max(obstacle.body, heights.get(square, 0))
        return heights

    def debris(self) -> frozenset[Point]:
        """Return the squares of destroyed obstacles. Rules: SU-COV-08."""
        return frozenset(s for obstacle in self.obstacles if obstacle.debris for s in obstacle.squares)

    def piece(self, model: int) -> Piece:
        """Return the model's piece. Raises InvalidInput when it is not on the board."""
        for piece in self.pieces:
            if piece.id == model:
                return piece
        raise InvalidInput("Place that model on the board first.")

    def at(self, square: Point) -> Piece | None:
        """Return the model on the square."""
        return next((piece for piece in self.pieces if piece.square == square), None)

    def place(self, piece: Piece) -> Board:
        """Put, move or turn the model. Raises InvalidInput for a square that is taken or off the board."""
        others = tuple(other for other in self.pieces if other.id != piece.id)
        return replace(self, pieces=(*others, piece))

    def remove(self, model: int) -> Board:
        """Return the model taken off; nothing happens when it was not there."""
        return replace(self, pieces=tuple(piece for piece in self.pieces if piece.id != model))

    def cover_at(self, square: Point) -> Obstacle:
        """Return the cover on a square, to be attacked itself.

        Raises Forbidden where a model stands (it is attacked as a model) or no cover is left; where several
        objects share the square it is the one with the greatest Body. Rules: SU-COV-07, SU-COV-09.
        """
        if self.at(square):
            raise Forbidden("Attack the model itself. You can't attack a model as cover.", "SU-COV-09")
        obstacles = [o for o in self.obstacles if square in o.squares and not o.debris]
        if not obstacles:
            raise Forbidden(
                f"Pick another square. There is no cover left on {square[0]},{square[1]}.", "SU-COV-08"
            )
        return max(obstacles, key=lambda obstacle: obstacle.body)


def _square_name(square: Point) -> str:
    return f"Square {square[0]},{square[1]}"


MAX_COLUMNS = 30
"""Widest part of a board that fits a line of a reply, beside the row's number."""

READ = {"%": 4, "#": 7, "X": 13, ",": 0}
"""Body of an obstacle by its sign in a drawing: the least of its category."""

_ARROWS = {Facing.NORTH: "^", Facing.EAST: ">", Facing.SOUTH: "v", Facing.WEST: "<"}
_COVER = {"none": ",", "slight": "%", "soft": "%", "hard": "#", "impenetrable": "X"}


def read_drawing(text: str) -> tuple[Board, dict[str, Point]]:
    """Return a board from lines of signs, and the squares of the letters, X left out.

    Walls that touch along a side and have the same sign become one object. Raises InvalidInput.
    Rules: SU-GRID-00, SU-COV-04.
    """
    rows = [line.strip().replace(" ", "") for line in text.splitlines() if line.strip()]
    if not rows or len({len(row) for row in rows}) != 1:
        raise InvalidInput("Draw the board as lines of the same length.")
    if len(rows) > MAX_SIDE or len(rows[0]) > MAX_SIDE:
        raise InvalidInput(f"A board must have 1 to {MAX_SIDE} squares along each side.")
    walls: dict[Point, str] = {}
    letters: dict[str, Point] = {}
    for y, row in enumerate(reversed(rows)):
        for x, sign in enumerate(row):
            if sign in READ:
                walls[x, y] = sign
            elif sign.isascii() and sign.isalpha():
                if sign in letters:
                    raise InvalidInput(f"Draw each model only once. {sign} is drawn twice.")
                letters[sign] = (x, y)
            elif sign != ".":
                raise InvalidInput(
                    f"Draw only with letters and the signs `. # % X ,` ('{sign}' isn't one of them)."
                )
    return Board(len(rows[0]), len(rows), _objects(walls)), letters


def _objects(walls: Mapping[Point, str]) -> tuple[Obstacle, ...]:
    obstacles: list[Obstacle] = []
    occupied: set[Point] = set()
    for start in sorted(walls):
        if start in occupied:
            continue
        part, queue = {start}, [start]
        while queue:
            x, y = queue.pop()
            for square in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if square not in part and walls.get(square) == walls[start]:
                    part.add(square)
                    queue.append(square)
        occupied |= part
        obstacles.append(Obstacle(f"cover {len(obstacles) + 1}", frozenset(part), READ[walls[start]]))
    return tuple(obstacles)


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
        raise InvalidInput(f"A drawing must have 1 to {MAX_COLUMNS} squares along each side.")
    signs: dict[Point, str] = {square: "~" for cloud in board.clouds for square in cloud.squares}
    for obstacle in sorted(board.obstacles, key=lambda obstacle: obstacle.body):
        signs.update(dict.fromkeys(obstacle.squares, _COVER[obstacle.category]))
    for piece in board.pieces:
        signs[piece.square] = (letters or {}).get(piece.id, _ARROWS[piece.facing])[:1]
    columns_shown = range(max(0, corner[0]), min(board.width, corner[0] + columns))
    lines = [
        f"{y:>2} " + "".join(signs.get((x, y), ".") for x in columns_shown)
        for y in reversed(range(max(0, corner[1]), min(board.height, corner[1] + rows)))
    ]
    return "\n".join([*lines, "   " + "".join(str(x % 10) for x in columns_shown)])
