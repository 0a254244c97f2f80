"""What is marked upon a board, and the board as text with it: windows for those who see no pictures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from string import ascii_lowercase, ascii_uppercase

from bot.games.soluna.ground import artifacts, facing_of, square_of
from bot.games.soluna.squares import FACING_WORDS, at, span_words
from bot.replies.fit import folded
from bot.table.encounter import Encounter
from rules.systems.soluna.board import Board
from rules.systems.soluna.drawing import MAX_COLUMNS, draw
from rules.systems.soluna.geometry import Point
from rules.systems.soluna.sight import View

ROWS_SHOWN = 24
"""Most rows of one window of text."""

THING = "&"
"""The sign of an Artifact on the ground."""

FREE = ".~,"
"""Signs over which a mark may be written."""


@dataclass(frozen=True, slots=True)
class Ray:
    """A sight line on the board, from corner to corner."""

    start: Point
    end: Point
    blocked: bool


@dataclass(frozen=True, slots=True)
class Marks:
    """What is shown upon a board: figures in squares, an area, sight lines, what blocks them, a path, and
    the squares where Artifacts lie.
    """

    figures: Mapping[Point, int] = field(default_factory=dict)
    area: frozenset[Point] = frozenset()
    rays: tuple[Ray, ...] = ()
    blockers: frozenset[Point] = frozenset()
    path: tuple[Point, ...] = ()
    things: frozenset[Point] = frozenset()


def lying(encounter: Encounter) -> Marks:
    """Nothing but the Artifacts that lie on the board."""
    return Marks(things=frozenset(one.square for one in artifacts(encounter)))


def rays_of(view: View) -> tuple[tuple[Ray, ...], frozenset[Point]]:
    """The lines of a view to draw, and the squares that block them."""
    rays = tuple(Ray(each.line.p, each.line.q, each.blocked) for each in view.lines)
    empty: frozenset[Point] = frozenset()
    return rays, empty.union(*(each.blockers for each in view.lines))


def letters_of(encounter: Encounter) -> dict[int, str]:
    """A sign for every model: capitals for the first side, small letters for the others, X left out."""
    stocks = {True: list(ascii_uppercase.replace("X", "")), False: list(ascii_lowercase.replace("x", ""))}
    first = encounter.sides()[0].id if encounter.sides() else 0
    found = {}
    for row in encounter.models(gone=True):
        stock = stocks[row.side == first]
        wanted = row.name[:1].upper() if row.side == first else row.name[:1].lower()
        letter = wanted if wanted in stock else (stock[0] if stock else "")
        if letter:
            stock.remove(letter)
            found[row.id] = letter
    return found


def window(board: Board, letters: Mapping[int, str], marks: Marks, corner: Point = (0, 0)) -> list[str]:
    """A window of the board as lines of text, at most 33 columns wide, with the marks on free squares."""
    rows = draw(board, letters, corner=corner, rows=ROWS_SHOWN).splitlines()
    signs = _signs(marks)
    left, lowest = max(0, corner[0]), max(0, corner[1])
    top = lowest + len(rows) - 2
    lines = []
    for place, line in enumerate(rows[:-1]):
        cells = list(line[3:])
        for step, cell in enumerate(cells):
            mark = signs.get((left + step, top - place))
            if mark and cell in FREE:
                cells[step] = mark
        lines.append(line[:3] + "".join(cells))
    return [*lines, rows[-1]]


def _signs(marks: Marks) -> dict[Point, str]:
    signs = dict.fromkeys(marks.area, "*")
    signs |= dict.fromkeys(marks.things, THING)
    signs |= {
        square: str(number) if number < 10 else "+"
        for square, number in marks.figures.items()
        if square not in marks.things
    }
    return signs | dict.fromkeys(marks.path, "o")


def legend(encounter: Encounter) -> list[str]:
    """Who stands where under which sign."""
    letters = letters_of(encounter)
    lines = []
    for row in encounter.models():
        square = square_of(row)
        if square is not None:
            facing = FACING_WORDS[facing_of(row)]
            prone = ", prone" if encounter.condition(row.id, "prone") else ""
            lines.append(f"{letters.get(row.id, '?')} {row.name} {at(square)} {facing}{prone}")
    return lines


def standing_words(encounter: Encounter) -> list[str]:
    """Who stands where, for those who read words alone: a line each, without signs of a grid."""
    return [line.split(" ", 1)[1] for line in legend(encounter)]


def figures_words(marks: Marks) -> list[str]:
    """The squares of each figure that is marked, in lines that fit a phone."""
    by_figure: dict[int, list[Point]] = {}
    for square, figure in marks.figures.items():
        by_figure.setdefault(figure, []).append(square)
    return folded(
        [f"{figure}: {' '.join(map(at, sorted(by_figure[figure])))}" for figure in sorted(by_figure)]
    )


def in_words(encounter: Encounter, board: Board, also: Iterable[str] = ()) -> str:
    """The board in one description: size, light, who stands where, objects and clouds."""
    parts = [f"Board of {board.width} by {board.height} squares"]
    parts += surroundings(board)
    parts += also
    parts += [line[2:] for line in legend(encounter)]
    parts += [
        f"{o.name} {span_words(o.squares)}, {'debris' if o.debris else f'Body {o.body}'}"
        for o in board.obstacles
    ]
    parts += [f"Artifact {one.name} {at(one.square)}" for one in artifacts(encounter)]
    parts += [f"cloud {span_words(cloud.squares)}" for cloud in board.clouds]
    text = "; ".join(parts) + "."
    return text if len(text) <= 1000 else text[:996] + " ..."


def surroundings(board: Board) -> list[str]:
    """Light, weather and gravity where they are not as usual."""
    found = []
    if board.light != "normal":
        found.append(f"light: {board.light.replace('_', ' ')}")
    if board.weather != "none":
        found.append(f"{board.weather} visibility")
    if board.gravity:
        found.append(f"gravity {board.gravity} {board.gravity_direction}")
    return found


def columns_shown(board: Board) -> int:
    """Squares across one window."""
    return min(board.width, MAX_COLUMNS)
