"""The board drawn: in letters with its legend, and as a picture."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from string import ascii_lowercase, ascii_uppercase
from typing import TypeAlias

from bot.games.soluna.board import FACING_WORDS, artifacts, at, facing_of, span_words, square_of
from bot.replies.drawing import letters
from bot.replies.pillow import Image, ImageDraw, png
from bot.replies.reply import Attachment
from bot.table.encounter import Encounter, EncounterView
from rules.systems.soluna.board import MAX_COLUMNS, Board, Obstacle, Piece, Point, draw
from rules.systems.soluna.sight import View

LIGHTS = {"dark": "darkness", "bright": "bright light", "extreme_bright": "glaring light"}
ROWS_SHOWN = 24
"""Most rows of one window of text."""

OBJECT_SIGN = "&"
"""The sign of an Artifact on the ground."""

FREE_SIGN = ".~,"
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


def artifacts_on_board(encounter: EncounterView) -> Marks:
    """Return only the Artifacts on the board."""
    return Marks(things=frozenset(artifact.square for artifact in artifacts(encounter)))


def rays_of(view: View) -> tuple[tuple[Ray, ...], frozenset[Point]]:
    """Return the lines of a view to draw, and the squares that block them."""
    rays = tuple(Ray(line.line.p, line.line.q, line.blocked) for line in view.lines)
    no_squares: frozenset[Point] = frozenset()
    return rays, no_squares.union(*(line.blockers for line in view.lines))


def letters_of(encounter: EncounterView) -> dict[int, str]:
    """Return a sign for every model: capitals for the first side, small letters for others, no X."""
    stocks = {True: list(ascii_uppercase.replace("X", "")), False: list(ascii_lowercase.replace("x", ""))}
    first = encounter.sides()[0].id if encounter.sides() else 0
    letters = {}
    for row in encounter.models(gone=True):
        stock = stocks[row.side == first]
        initial = row.name[:1].upper() if row.side == first else row.name[:1].lower()
        letter = initial if initial in stock else (stock[0] if stock else "")
        if letter:
            stock.remove(letter)
            letters[row.id] = letter
    return letters


def window(board: Board, letters: Mapping[int, str], marks: Marks, corner: Point = (0, 0)) -> list[str]:
    """Return a window of the board as lines of text, at most 33 columns wide, with marks on free squares."""
    rows = draw(board, letters, corner=corner, rows=ROWS_SHOWN).splitlines()
    signs = _square_signs(marks)
    left, lowest = max(0, corner[0]), max(0, corner[1])
    top = lowest + len(rows) - 2
    lines = []
    for place, line in enumerate(rows[:-1]):
        cells = list(line[3:])
        for step, cell in enumerate(cells):
            mark = signs.get((left + step, top - place))
            if mark and cell in FREE_SIGN:
                cells[step] = mark
        lines.append(line[:3] + "".join(cells))
    return [*lines, rows[-1]]


def _square_signs(marks: Marks) -> dict[Point, str]:
    signs = dict.fromkeys(marks.area, "*")
    signs |= dict.fromkeys(marks.things, OBJECT_SIGN)
    signs |= {
        square: str(number) if number < 10 else "+"
        for square, number in marks.figures.items()
        if square not in marks.things
    }
    return signs | dict.fromkeys(marks.path, "o")


def legend(encounter: EncounterView) -> list[str]:
    """Return the place and sign of each model."""
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
    """Return the place of each model for text readers, a line each, without grid signs."""
    return [line.split(" ", 1)[1] for line in legend(encounter)]


def figures_words(marks: Marks) -> list[str]:
    """Return the squares of each figure that is marked, in lines that fit a phone."""
    by_figure: dict[int, list[Point]] = {}
    for square, figure in marks.figures.items():
        by_figure.setdefault(figure, []).append(square)
    return [f"{figure}: {' '.join(map(at, sorted(by_figure[figure])))}" for figure in sorted(by_figure)]


def describe_board(encounter: EncounterView, board: Board, also: Iterable[str] = ()) -> str:
    """Return the board in one description: size, light, who stands where, objects and clouds."""
    parts = [f"Board of {board.width} by {board.height} squares"]
    parts += surroundings(board)
    parts += also
    parts += [line[2:] for line in legend(encounter)]
    parts += [
        f"{o.name} {span_words(o.squares)}, {'debris' if o.debris else f'Body {o.body}'}"
        for o in board.obstacles
    ]
    parts += [f"Artifact {artifact.name} {at(artifact.square)}" for artifact in artifacts(encounter)]
    parts += [f"cloud {span_words(cloud.squares)}" for cloud in board.clouds]
    text = "; ".join(parts) + "."
    return text if len(text) <= 1000 else text[:996] + " ..."


def surroundings(board: Board) -> list[str]:
    """Return light, weather and gravity where they are not as usual."""
    lines = []
    if board.light != "normal":
        lines.append(LIGHTS.get(board.light, "total darkness"))
    if board.weather != "none":
        lines.append(f"{board.weather} visibility")
    if board.gravity:
        lines.append(f"gravity {board.gravity} ({board.gravity_direction})")
    return lines


def columns_shown(board: Board) -> int:
    """Return the squares across one window."""
    return min(board.width, MAX_COLUMNS)


MAX_SIDE_LENGTH = 1400
PAPER, GRID, INK, SOFT = "#fbfaf6", "#d5d0c3", "#1d1d1b", "#6b665c"
COVER = {
    "none": "#efe9dc",
    "slight": "#e2d3b5",
    "soft": "#d3bb8c",
    "hard": "#8d8577",
    "impenetrable": "#3b3833",
}
FIRST, SECOND, MARK, BLOCKED = "#1f5fa8", "#b45309", "#15803d", "#b91c1c"
SMOKE, THING_FILL = "#94a3b8", "#facc15"

Pen: TypeAlias = "ImageDraw.ImageDraw"
Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Sheet:
    """The layout of squares on the picture."""

    board: Board
    cell: int
    margin: int

    @property
    def width(self) -> int:
        """Return the width of the picture."""
        return self.margin + self.board.width * self.cell + self.cell // 3

    @property
    def height(self) -> int:
        """Return the height of the board's part of the picture."""
        return self.margin + self.board.height * self.cell + self.cell // 3

    def corner(self, x: float, y: float) -> tuple[float, float]:
        """Return a corner of the grid; y grows to the north."""
        top = self.cell // 3
        return self.margin + x * self.cell, top + (self.board.height - y) * self.cell

    def box(self, square: Point, inset: float = 0) -> Box:
        """Return a square's edges."""
        left, bottom = self.corner(*square)
        return left + inset, bottom - self.cell + inset, left + self.cell - inset, bottom - inset

    def middle(self, square: Point) -> tuple[float, float]:
        """Return a square's centre."""
        return self.corner(square[0] + 0.5, square[1] + 0.5)


def draw_board(
    encounter: EncounterView, board: Board, marks: Marks | None = None, also: Iterable[str] = ()
) -> Attachment:
    """Return the whole board with the marks; its words say who stands where. also: what the marks show."""
    extra_titles = tuple(also)
    side = max(board.width, board.height)
    cell = max(12, min(44, MAX_SIDE_LENGTH // side))
    sheet = Sheet(board, cell, max(24, cell))
    titles = [*surroundings(board), *extra_titles]
    image = Image.new("RGB", (max(sheet.width, 240), sheet.height + 20 * len(titles) + 8), PAPER)
    pen = ImageDraw.Draw(image)
    marks = marks or Marks()
    _draw_ground(pen, sheet, marks)
    _draw_clouds(pen, sheet)
    for obstacle in sorted(board.obstacles, key=lambda o: o.body):
        _draw_obstacle(pen, sheet, obstacle)
    _draw_figures(pen, sheet, marks)
    signs = letters_of(encounter)
    first = encounter.sides()[0].id if encounter.sides() else 0
    prone = {row.id for row in encounter.models() if encounter.condition(row.id, "prone")}
    for square in artifacts_on_board(encounter).things:
        _draw_artifact(pen, sheet, square)
    for piece in board.pieces:
        first_side = encounter.model(piece.id).side == first
        _draw_piece(pen, sheet, piece, signs, first_side=first_side, prone=piece.id in prone)
    _draw_rays(pen, sheet, marks)
    for number, title in enumerate(titles):
        pen.text((8, sheet.height + 20 * number), title, fill=INK, font=letters(15))
    return Attachment("board.png", describe_board(encounter, board, extra_titles), png(image))


def _draw_ground(pen: Pen, sheet: Sheet, marks: Marks) -> None:
    board = sheet.board
    for square in marks.area:
        pen.rectangle(sheet.box(square), fill="#d9f0df")
    for x in range(board.width + 1):
        pen.line((*sheet.corner(x, 0), *sheet.corner(x, board.height)), fill=GRID)
    for y in range(board.height + 1):
        pen.line((*sheet.corner(0, y), *sheet.corner(board.width, y)), fill=GRID)
    for square in marks.area:
        pen.rectangle(sheet.box(square, 2), outline=MARK, width=2)
    size = max(9, sheet.cell // 3)
    step = 1 if sheet.cell >= 24 else 5
    for x in range(0, board.width, step):
        place = sheet.corner(x + 0.5, 0)
        pen.text((place[0], place[1] + size), str(x), fill=SOFT, font=letters(size), anchor="mm")
    for y in range(0, board.height, step):
        place = sheet.corner(0, y + 0.5)
        pen.text((place[0] - size, place[1]), str(y), fill=SOFT, font=letters(size), anchor="mm")


def _draw_clouds(pen: Pen, sheet: Sheet) -> None:
    for cloud in sheet.board.clouds:
        for square in cloud.squares:
            left, top, right, bottom = sheet.box(square, 1)
            for offset in range(0, int(right - left), 6):
                pen.line((left + offset, bottom, right, top + offset), fill=SMOKE, width=2)
                pen.line((left, bottom - offset, right - offset, top), fill=SMOKE, width=2)
            pen.rectangle((left, top, right, bottom), outline=SMOKE, width=2)


def _draw_obstacle(pen: Pen, sheet: Sheet, obstacle: Obstacle) -> None:
    for square in obstacle.squares:
        box = sheet.box(square)
        if obstacle.debris:
            for i in (0.25, 0.5, 0.75):
                for j in (0.25, 0.5, 0.75):
                    x, y = box[0] + i * sheet.cell, box[1] + j * sheet.cell
                    pen.ellipse((x - 2, y - 2, x + 2, y + 2), fill=SOFT)
            continue
        pen.rectangle(box, fill=COVER[obstacle.category], outline=INK)
        ink = PAPER if obstacle.body >= 7 else INK
        pen.text(
            sheet.middle(square), str(obstacle.body), fill=ink, font=letters(sheet.cell // 3), anchor="mm"
        )


def _draw_artifact(pen: Pen, sheet: Sheet, square: Point) -> None:
    """A diamond in the square's lower corner, so that a model upon it leaves it to be seen."""
    left, _, _, bottom = sheet.box(square, 2)
    r = sheet.cell * 0.16
    x, y = left + r, bottom - r
    pen.polygon(((x - r, y), (x, y - r), (x + r, y), (x, y + r)), fill=THING_FILL, outline=INK)


def _draw_figures(pen: Pen, sheet: Sheet, marks: Marks) -> None:
    occupied_squares = {piece.square for piece in sheet.board.pieces}
    for square, number in marks.figures.items():
        if square not in occupied_squares:
            pen.text(
                sheet.middle(square),
                str(number),
                fill=MARK,
                font=letters(max(9, sheet.cell * 2 // 5)),
                anchor="mm",
            )
    points = [sheet.middle(square) for square in marks.path]
    if len(points) > 1:
        pen.line(points, fill=MARK, width=3)


def _draw_piece(
    pen: Pen, sheet: Sheet, piece: Piece, signs: Mapping[int, str], *, first_side: bool, prone: bool
) -> None:
    x, y = sheet.middle(piece.square)
    r = sheet.cell * 0.36
    colour = FIRST if first_side else SECOND
    fx, fy = piece.facing.value
    fy = -fy
    tip = (x + fx * sheet.cell * 0.49, y + fy * sheet.cell * 0.49)
    left_corner = (x + fx * r * 0.6 - fy * r * 0.8, y + fy * r * 0.6 - fx * r * 0.8)
    right_corner = (x + fx * r * 0.6 + fy * r * 0.8, y + fy * r * 0.6 + fx * r * 0.8)
    pen.polygon((tip, left_corner, right_corner), fill=INK)
    if first_side:
        pen.ellipse((x - r, y - r, x + r, y + r), fill=colour, outline=INK, width=2)
    else:
        side = r * 0.88
        pen.rectangle((x - side, y - side, x + side, y + side), fill=colour, outline=INK, width=2)
    sign = signs.get(piece.id, "?")
    pen.text((x, y), sign, fill="#ffffff", font=letters(max(9, sheet.cell * 9 // 20)), anchor="mm")
    if prone:
        pen.line((x - r, y + r * 1.15, x + r, y + r * 1.15), fill=INK, width=3)


def _draw_rays(pen: Pen, sheet: Sheet, marks: Marks) -> None:
    for square in marks.blockers:
        pen.rectangle(sheet.box(square, 1), outline=BLOCKED, width=3)
    for ray in marks.rays:
        start, end = sheet.corner(*ray.start), sheet.corner(*ray.end)
        if not ray.blocked:
            pen.line((*start, *end), fill=MARK, width=3)
            continue
        steps = max(2, int((abs(end[0] - start[0]) + abs(end[1] - start[1])) // 12))
        for k in range(0, steps, 2):
            a = [s + (e - s) * k / steps for s, e in zip(start, end, strict=True)]
            b = [s + (e - s) * (k + 1) / steps for s, e in zip(start, end, strict=True)]
            pen.line((a[0], a[1], b[0], b[1]), fill=BLOCKED, width=3)
