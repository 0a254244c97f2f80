"""Drawings of the board: in letters with its legend, and as a picture."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from string import ascii_lowercase, ascii_uppercase
from typing import TypeAlias

from bot.games.soluna.board import FACING_WORDS, artifacts, at, describe_squares, facing_of, square_of
from bot.replies.drawing import letters
from bot.replies.pillow import Image, ImageDraw, png
from bot.replies.reply import Attachment
from bot.table.encounter import Encounter, EncounterView
from rules.systems.soluna.board import MAX_COLUMNS, Board, Obstacle, Piece, Point, draw
from rules.systems.soluna.sight import View

LIGHT_WORDS = {"dark": "darkness", "bright": "bright light", "extreme_bright": "extremely bright light"}
MAX_TEXT_ROWS = 24
"""The highest number of rows in a text window."""

ARTIFACT_SIGN = "&"
"""The sign of an Artifact on the ground."""

FREE_SIGNS = ".~,"
"""Signs over which a mark may be written."""


@dataclass(frozen=True, slots=True)
class Ray:
    """A sight line on the board, from corner to corner."""

    start: Point
    end: Point
    blocked: bool


@dataclass(frozen=True, slots=True)
class Marks:
    """Marks on a board: numbers in squares, an area, sight lines, what blocks them, a path, and
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


def build_rays(view: View) -> tuple[tuple[Ray, ...], frozenset[Point]]:
    """Return the lines of a view to draw, and the squares that block them."""
    rays = tuple(Ray(line.line.p, line.line.q, line.blocked) for line in view.lines)
    no_squares: frozenset[Point] = frozenset()
    return rays, no_squares.union(*(line.blockers for line in view.lines))


def assign_letters(encounter: EncounterView) -> dict[int, str]:
    """Return a sign for every model: capitals for the first side, small letters for others, no X."""
    letters_by_side = {
        True: list(ascii_uppercase.replace("X", "")),
        False: list(ascii_lowercase.replace("x", "")),
    }
    first_side_id = encounter.sides()[0].id if encounter.sides() else 0
    letter_by_model = {}
    for row in encounter.models(gone=True):
        available_letters = letters_by_side[row.side == first_side_id]
        initial = row.name[:1].upper() if row.side == first_side_id else row.name[:1].lower()
        letter = (
            initial if initial in available_letters else (available_letters[0] if available_letters else "")
        )
        if letter:
            available_letters.remove(letter)
            letter_by_model[row.id] = letter
    return letter_by_model


def window(
    board: Board, letter_by_model: Mapping[int, str], marks: Marks, corner: Point = (0, 0)
) -> list[str]:
    """Return a window of the board as lines of text, at most 33 columns wide, with marks on free squares."""
    rows = draw(board, letter_by_model, corner=corner, rows=MAX_TEXT_ROWS).splitlines()
    signs = _assign_signs(marks)
    left_column, bottom_row = max(0, corner[0]), max(0, corner[1])
    top_row = bottom_row + len(rows) - 2
    lines = []
    for line_number, line in enumerate(rows[:-1]):
        cells = list(line[3:])
        for cell_number, cell in enumerate(cells):
            mark = signs.get((left_column + cell_number, top_row - line_number))
            if mark and cell in FREE_SIGNS:
                cells[cell_number] = mark
        lines.append(line[:3] + "".join(cells))
    return [*lines, rows[-1]]


def _assign_signs(marks: Marks) -> dict[Point, str]:
    signs = dict.fromkeys(marks.area, "*")
    signs |= dict.fromkeys(marks.things, ARTIFACT_SIGN)
    signs |= {
        square: str(number) if number < 10 else "+"
        for square, number in marks.figures.items()
        if square not in marks.things
    }
    return signs | dict.fromkeys(marks.path, "o")


def legend(encounter: EncounterView) -> list[str]:
    """Return the place and sign of each model."""
    letter_by_model = assign_letters(encounter)
    lines = []
    for row in encounter.models():
        square = square_of(row)
        if square is not None:
            facing = FACING_WORDS[facing_of(row)]
            prone = ", prone" if encounter.condition(row.id, "prone") else ""
            lines.append(f"{letter_by_model.get(row.id, '?')} {row.name} {at(square)} {facing}{prone}")
    return lines


def list_places(encounter: Encounter) -> list[str]:
    """Return the place of each model for text readers, a line each, without grid signs."""
    return [line.split(" ", 1)[1] for line in legend(encounter)]


def list_figures(marks: Marks) -> list[str]:
    """Return the squares of each number that is marked, in lines that fit a phone."""
    by_figure: dict[int, list[Point]] = {}
    for square, figure in marks.figures.items():
        by_figure.setdefault(figure, []).append(square)
    return [f"{figure}: {' '.join(map(at, sorted(by_figure[figure])))}" for figure in sorted(by_figure)]


def describe_board(encounter: EncounterView, board: Board, extra_parts: Iterable[str] = ()) -> str:
    """Describe the board in one text: size, light, who is where, objects and clouds."""
    parts = [f"Board of {board.width} by {board.height} squares"]
    parts += surroundings(board)
    parts += extra_parts
    parts += [line[2:] for line in legend(encounter)]
    parts += [
        f"{o.name} {describe_squares(o.squares)}, {'debris' if o.debris else f'Body {o.body}'}"
        for o in board.obstacles
    ]
    parts += [f"Artifact {artifact.name} {at(artifact.square)}" for artifact in artifacts(encounter)]
    parts += [f"cloud {describe_squares(cloud.squares)}" for cloud in board.clouds]
    text = "; ".join(parts) + "."
    return text if len(text) <= 1000 else text[:996] + " ..."


def surroundings(board: Board) -> list[str]:
    """Describe light, weather and gravity, if they are not normal."""
    lines = []
    if board.light != "normal":
        lines.append(LIGHT_WORDS.get(board.light, "total darkness"))
    if board.weather != "none":
        lines.append(f"{board.weather} visibility")
    if board.gravity:
        lines.append(f"gravity {board.gravity} ({board.gravity_direction})")
    return lines


def columns_shown(board: Board) -> int:
    """Return the number of columns in a text window."""
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
FIRST, SECOND, MARK, BLOCKED_COLOUR = "#1f5fa8", "#b45309", "#15803d", "#b91c1c"
SMOKE, ARTIFACT_COLOUR = "#94a3b8", "#facc15"

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
    encounter: EncounterView, board: Board, marks: Marks | None = None, captions: Iterable[str] = ()
) -> Attachment:
    """Draw the whole board with the marks, and describe it in words. captions: what the marks show."""
    extra_titles = tuple(captions)
    longest_side = max(board.width, board.height)
    cell = max(12, min(44, MAX_SIDE_LENGTH // longest_side))
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
    letter_by_model = assign_letters(encounter)
    first_side_id = encounter.sides()[0].id if encounter.sides() else 0
    prone_ids = {row.id for row in encounter.models() if encounter.condition(row.id, "prone")}
    for square in artifacts_on_board(encounter).things:
        _draw_artifact(pen, sheet, square)
    for piece in board.pieces:
        is_first_side = encounter.model(piece.id).side == first_side_id
        _draw_piece(
            pen, sheet, piece, letter_by_model, is_first_side=is_first_side, is_prone=piece.id in prone_ids
        )
    _draw_rays(pen, sheet, marks)
    for line_number, title in enumerate(titles):
        pen.text((8, sheet.height + 20 * line_number), title, fill=INK, font=letters(15))
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
        text_colour = PAPER if obstacle.body >= 7 else INK
        pen.text(
            sheet.middle(square),
            str(obstacle.body),
            fill=text_colour,
            font=letters(sheet.cell // 3),
            anchor="mm",
        )


def _draw_artifact(pen: Pen, sheet: Sheet, square: Point) -> None:
    """Draw a diamond in the square's lower corner, where a model on the square doesn't hide it."""
    left, _, _, bottom = sheet.box(square, 2)
    radius = sheet.cell * 0.16
    x, y = left + radius, bottom - radius
    pen.polygon(
        ((x - radius, y), (x, y - radius), (x + radius, y), (x, y + radius)),
        fill=ARTIFACT_COLOUR,
        outline=INK,
    )


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
    pen: Pen,
    sheet: Sheet,
    piece: Piece,
    letter_by_model: Mapping[int, str],
    *,
    is_first_side: bool,
    is_prone: bool,
) -> None:
    x, y = sheet.middle(piece.square)
    radius = sheet.cell * 0.36
    colour = FIRST if is_first_side else SECOND
    facing_x, facing_y = piece.facing.value
    facing_y = -facing_y
    tip = (x + facing_x * sheet.cell * 0.49, y + facing_y * sheet.cell * 0.49)
    left_corner = (
        x + facing_x * radius * 0.6 - facing_y * radius * 0.8,
        y + facing_y * radius * 0.6 - facing_x * radius * 0.8,
    )
    right_corner = (
        x + facing_x * radius * 0.6 + facing_y * radius * 0.8,
        y + facing_y * radius * 0.6 + facing_x * radius * 0.8,
    )
    pen.polygon((tip, left_corner, right_corner), fill=INK)
    if is_first_side:
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour, outline=INK, width=2)
    else:
        half_width = radius * 0.88
        pen.rectangle(
            (x - half_width, y - half_width, x + half_width, y + half_width),
            fill=colour,
            outline=INK,
            width=2,
        )
    sign = letter_by_model.get(piece.id, "?")
    pen.text((x, y), sign, fill="#ffffff", font=letters(max(9, sheet.cell * 9 // 20)), anchor="mm")
    if is_prone:
        pen.line((x - radius, y + radius * 1.15, x + radius, y + radius * 1.15), fill=INK, width=3)


def _draw_rays(pen: Pen, sheet: Sheet, marks: Marks) -> None:
    for square in marks.blockers:
        pen.rectangle(sheet.box(square, 1), outline=BLOCKED_COLOUR, width=3)
    for ray in marks.rays:
        start, end = sheet.corner(*ray.start), sheet.corner(*ray.end)
        if not ray.blocked:
            pen.line((*start, *end), fill=MARK, width=3)
            continue
        steps = max(2, int((abs(end[0] - start[0]) + abs(end[1] - start[1])) // 12))
        for step in range(0, steps, 2):
            dash_start = [s + (e - s) * step / steps for s, e in zip(start, end, strict=True)]
            dash_end = [s + (e - s) * (step + 1) / steps for s, e in zip(start, end, strict=True)]
            pen.line((dash_start[0], dash_start[1], dash_end[0], dash_end[1]), fill=BLOCKED_COLOUR, width=3)
