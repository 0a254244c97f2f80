"""Damage grids: which face of a d6 strikes which location, and where hits go from a ruined one.

Owns the printed grid of a humanoid and the shape of any other; knows no values and no attack.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from rules.refusals import InvalidInput

FACES = (1, 2, 3, 4, 5, 6)
LOCATIONS = ("mind", "health", "body", "shield", "arsenal", "speed")
"""The six locations of a humanoid, by face 1 to 6."""

Counts = tuple[int, int, int, int, int, int]
"""How many dice show each face; place k stands for face k + 1."""


@dataclass(frozen=True, slots=True)
class Square:
    """One location: the faces that strike it, and the location its arrow points at ("" for none)."""

    key: str
    faces: tuple[int, ...]
    arrow: str = ""


@dataclass(frozen=True, slots=True)
class Grid:
    """A damage grid; `squares` stand in the order in which leftover hits pass on during an attack.

    Every location has a face and an arrow to another one; a grid of one square needs neither, and without a
    face it is struck by every face. A face that no square names strikes nothing.
    `keys` are the locations in that order.
    Raises InvalidInput. Rules: SU-GRID-01, SU-GRID-03.
    """

    squares: tuple[Square, ...]
    keys: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        keys = tuple(square.key for square in self.squares)
        object.__setattr__(self, "keys", keys)
        struck = [face for square in self.squares for face in square.faces]
        single = len(keys) == 1
        if not keys or len(set(keys)) != len(keys):
            raise InvalidInput("A damage grid has one or more locations, each named once.")
        if len(set(struck)) != len(struck) or not set(struck) <= set(FACES):
            raise InvalidInput("Each face from 1 to 6 strikes at most one location.")
        for square in self.squares:
            if not single and not square.faces:
                raise InvalidInput(f"{square.key}: name the faces that strike it.")
            if not single and (square.arrow not in keys or square.arrow == square.key):
                raise InvalidInput(f"{square.key}: its arrow points at another location.")

    def square(self, key: str) -> Square:
        """The location of that name. Raises InvalidInput."""
        for square in self.squares:
            if square.key == key:
                return square
        raise InvalidInput(f"No location is called {key}; there are: {', '.join(self.keys)}.")

    def struck(self, face: int, *, any_face: bool = True) -> str:
        """The location that the face strikes, "" for none.

        any_face: a single square without a printed face is struck by every face.
        Rules: SU-GRID-01, SU-GRID-03.
        """
        if len(self.squares) == 1 and not self.squares[0].faces:
            return self.squares[0].key if any_face else ""
        for square in self.squares:
            if face in square.faces:
                return square.key
        return ""

    def settle(self, key: str, useless: Iterable[str]) -> str:
        """Where hits on `key` end up when those locations are ruined or ignored; "" when nowhere is left.

        Rules: SU-GRID-04.
        """
        gone = frozenset(useless)
        for _ in self.squares:
            if key not in gone:
                return key
            key = self.square(key).arrow
            if not key:
                return ""
        return ""


HUMANOID = Grid(
    (
        Square("shield", (4,), "body"),
        Square("arsenal", (5,), "body"),
        Square("speed", (6,), "body"),
        Square("body", (3,), "health"),
        Square("mind", (1,), "health"),
        Square("health", (2,), "mind"),
    )
)
"""The printed grid of a humanoid. Rules: SU-GRID-01, SU-GRID-04."""

COVER = Grid((Square("body", ()),))
"""A piece of cover: its Body alone, struck by every face. Rules: SU-COV-07."""

ARTIFACT = Grid((Square("health", ()),))
"""An Artifact or weapon attacked by itself. Rules: SU-TGT-06, SU-GRID-03."""


def tally(faces: Iterable[int]) -> Counts:
    """Faces 1 to 6 counted. Raises InvalidInput for other numbers. Rules: SU-GRID-02."""
    counts = [0] * 6
    for face in faces:
        if face not in FACES:
            raise InvalidInput(f"A d6 shows 1 to 6, not {face}.")
        counts[face - 1] += 1
    return (counts[0], counts[1], counts[2], counts[3], counts[4], counts[5])
