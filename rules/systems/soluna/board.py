"""The board: its size, walls and other objects, models on their squares, clouds, light, weather, gravity.

Owns a frozen picture of the table and the changes of it that need no dice; knows no attack and no turn.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from rules.refusals import Forbidden, InvalidInput
from rules.systems.soluna.geometry import Facing, Point
from rules.systems.soluna.settings import Visibility

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
    """Category of cover by its Body: soft 4-6, hard 7-12, impenetrable from 13; slight 1-3 is nameless.

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
            raise InvalidInput(f"Cover has a Body of 0 to {MAX_BODY}.")
        if not self.squares:
            raise InvalidInput(f"{self.name} needs at least one square.")

    @property
    def debris(self) -> bool:
        """Destroyed: it blocks nothing and gives no cover. Rules: SU-COV-08."""
        return self.body == 0

    @property
    def category(self) -> CoverClass:
        """See `cover_class`."""
        return cover_class(self.body)


@dataclass(frozen=True, slots=True)
class Piece:
    """A model as it stands on the board: one square, a facing, its Size 0 to 4 and its present Body.

    Sizes above 4 count as 4. Rules: SU-GRID-00, SU-STAT-02.
    """

    id: int
    square: Point
    facing: Facing
    size: int = 2
    body: int = 0

    def __post_init__(self) -> None:
        if self.size < 0:
            raise InvalidInput(f"A Size is 0 to {MAX_SIZE}.")
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
            raise InvalidInput(f"A cloud lasts 1 to {MAX_SIDE} phases.")


@dataclass(frozen=True, slots=True)
class Board:
    """The table. Squares are (0, 0) in the south-west to (width - 1, height - 1).

    gravity: 0 or more, along `gravity_direction`; "down" runs across every attack.
    Raises InvalidInput when something lies off the board, two models share a square, a model stands in a
    whole obstacle, or there is too much of anything.
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
            raise InvalidInput(f"A board is 1 to {MAX_SIDE} squares a side.")
        for what, most, things in (
            ("objects", MAX_OBJECTS, len(self.obstacles)),
            ("models", MAX_PIECES, len(self.pieces)),
            ("clouds", MAX_CLOUDS, len(self.clouds)),
        ):
            if things > most:
                raise InvalidInput(f"A board holds at most {most} {what}.")
        if not 0 <= self.gravity <= 20:
            raise InvalidInput("Gravity is 0 to 20.")
        self._check_places()

    def _check_places(self) -> None:
        walls = self.walls()
        for obstacle in self.obstacles:
            if not all(map(self.holds, obstacle.squares)):
                raise InvalidInput(f"{obstacle.name} lies off the board.")
        taken: set[Point] = set()
        for piece in self.pieces:
            if not self.holds(piece.square):
                raise InvalidInput(f"{_at(piece.square)} lies off the board.")
            if piece.square in taken or piece.square in walls:
                raise InvalidInput(f"{_at(piece.square)} is taken; choose a free square.")
            taken.add(piece.square)
        if len({piece.id for piece in self.pieces}) != len(self.pieces):
            raise InvalidInput("A model stands on one square only.")

    def holds(self, square: Point) -> bool:
        """Whether the square is on the board."""
        return 0 <= square[0] < self.width and 0 <= square[1] < self.height

    def walls(self, above: int = 0) -> dict[Point, int]:
        """Squares of obstacles whose Body is greater than `above`, with that Body. Rules: SU-COV-08."""
        found: dict[Point, int] = {}
        for obstacle in self.obstacles:
            if obstacle.body > above:
                for square in obstacle.squares:
                    found[square] = max(obstacle.body, found.get(square, 0))
        return found

    def debris(self) -> frozenset[Point]:
        """Squares of destroyed obstacles. Rules: SU-COV-08."""
        return frozenset(s for obstacle in self.obstacles if obstacle.debris for s in obstacle.squares)

    def piece(self, model: int) -> Piece:
        """The model's piece. Raises InvalidInput when it is not on the board."""
        for piece in self.pieces:
            if piece.id == model:
                return piece
        raise InvalidInput("That model is not on the board; place it first.")

    def at(self, square: Point) -> Piece | None:
        """The model on the square."""
        return next((piece for piece in self.pieces if piece.square == square), None)

    def place(self, piece: Piece) -> Board:
        """The model put, moved or turned. Raises InvalidInput for a square that is taken or off the board."""
        others = tuple(other for other in self.pieces if other.id != piece.id)
        return replace(self, pieces=(*others, piece))

    def remove(self, model: int) -> Board:
        """The model taken off; nothing happens when it was not there."""
        return replace(self, pieces=tuple(piece for piece in self.pieces if piece.id != model))

    def cover_at(self, square: Point) -> Obstacle:
        """The cover on a square, to be attacked itself.

        Raises Forbidden where a model stands (it is attacked as a model) or no cover is left; where several
        objects share the square it is the one with the greatest Body. Rules: SU-COV-07, SU-COV-09.
        """
        if self.at(square):
            raise Forbidden("A model in the way is attacked as a model, not as cover.", "SU-COV-09")
        here = [o for o in self.obstacles if square in o.squares and not o.debris]
        if not here:
            raise Forbidden(f"There is no cover left on {_at(square)}.", "SU-COV-08")
        return max(here, key=lambda obstacle: obstacle.body)


def _at(square: Point) -> str:
    return f"Square {square[0]},{square[1]}"
