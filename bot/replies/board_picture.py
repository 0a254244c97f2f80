"""A board as a drawing: made once as marks, and written as SVG for pages or painted as PNG for cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from functools import cache, lru_cache
from html import escape
from itertools import pairwise
from math import cos, radians, sin
from typing import Any

from bot.replies.drawing import FILLS, MAX_WORDS_LENGTH, letters
from bot.replies.pillow import Image, ImageDraw, png
from bot.replies.reply import Attachment
from rules.measure import Body, touches

Point = tuple[float, float]

MAX_SIDE, LETTERS = 1000, 11
"""Dots of the longer side of a picture, and of its smallest letters."""
MARGIN = 1.6
"""Inches around the table, where the letters and numbers of the grid are."""


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of a board: paper, ink, soft ink, grid lines, and the things on it."""

    paper: str
    ground: str
    ink: str
    soft: str
    grid: str
    solid: str
    green: str
    water: str
    rough: str
    danger: str
    smoke: str
    shade: str
    crown: str
    sides: tuple[str, ...]
    on_side: str
    line: str


LIGHT = Palette(
    "#fbfaf6", "#f2eee2", "#1d1d1b", "#6b665c", "#dcd6c6", "#b9ad97", "#bcd3a4", "#b5d3e6", "#d8c39a",
    "#eab39b", "#c3c8cf", "#d9d2bd", "#9dbb82", FILLS, "#ffffff", "#b91c1c",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Patch:
    """Terrain or an area. style: solid, green, water, rough, danger, smoke, area. side: of a zone, from 0.

    words: what it is. height: in inches. told: what the page's script has to know of it, by name.
    """

    number: int
    outline: tuple[Point, ...]
    middle: Point
    style: str
    label: str
    side: int = -1
    words: str = ""
    height: float = 0.0
    told: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class DrawnModel:
    """A model. number: of its row, below 0 for something hidden; sign: the letters on it; side: from 0.

    note: its condition. watch: the word for a model that waits to shoot at a moving enemy, or an empty text.
    """

    number: int
    sign: str
    name: str
    at: Point
    radius: float
    side: int
    facing: float | None = None
    level: float = 0.0
    note: str = ""
    is_down: bool = False
    is_hidden: bool = False
    acts: bool = False
    watch: str = ""


@dataclass(frozen=True, slots=True)
class BoardDrawing:
    """Everything that a picture of a board shows.

    cell: the inches of a cell of the grid; columns: their letters. line: the last shot; path: the last move.
    photo: the hash of a picture under it, and its edges: west, south, east, north. Only pages have that.
    """

    width: float
    depth: float
    cell: float
    columns: Sequence[str]
    patches: Sequence[Patch] = ()
    pieces: Sequence[DrawnModel] = ()
    line: tuple[Point, ...] = ()
    path: Sequence[Point] = ()
    photo: tuple[Any, ...] | None = None


@dataclass(frozen=True, slots=True)
class Stroke:
    """One stroke of the drawing, in inches. form: polygon, circle, line, text. kind: its class on a page.

    told: see `Patch`.
    """

    form: str
    kind: str
    points: tuple[Point, ...]
    radius: float = 0.0
    fill: str = ""
    stroke: str = ""
    width: float = 0.05
    text: str = ""
    dashed: bool = False
    number: int = 0
    title: str = ""
    told: tuple[tuple[str, str], ...] = ()


# ------------------------------------------------------------------------------------------- drawn


def marks(board: BoardDrawing, colours: Palette = LIGHT, least: float = 0.0) -> Iterator[Stroke]:
    """Return the strokes of a board, the lowest first; north is up. least: inches of the smallest."""
    yield from _ground(board, colours)
    yield from _upon(board, colours, least)


def _ground(board: BoardDrawing, colours: Palette) -> Iterator[Stroke]:
    """Yield the table and its terrain, which are the same while models move."""
    yield Stroke("polygon", "table", _box(0, 0, board.width, board.depth), fill=colours.ground)
    areas = [patch for patch in board.patches if patch.style == "area"]
    terrain = [patch for patch in board.patches if patch.style != "area"]
    for patch in areas:
        yield from _area(patch, colours)
    yield from _grid(board, colours)
    for patch in terrain:
        if patch.height and patch.style in ("solid", "green"):
            shade = min(0.9, 0.14 + 0.12 * patch.height)
            fallen = tuple((x + shade, y - shade) for x, y in patch.outline)
            yield Stroke("polygon", "shade", fallen, fill=colours.shade)
    for patch in terrain:
        yield from _terrain(patch, colours)


def _upon(board: BoardDrawing, colours: Palette, least: float) -> Iterator[Stroke]:
    if len(board.path) > 1:
        yield Stroke(
            "line", "path", tuple(board.path), stroke=colours.ink, width=0.12, dashed=True, fill="none"
        )
    for model in board.pieces:
        yield from _piece(model, colours)
    for model in board.pieces:
        if model.acts:
            yield Stroke(
                "circle", "acting", (model.at,), model.radius + 0.2, fill="none", stroke=colours.line,
                width=0.22, number=model.number,
            )  # fmt: skip
    yield from _names(board, colours, least)
    if board.line:
        yield Stroke("line", "shot", board.line, stroke=colours.line, width=0.14, fill="none")


def _box(west: float, south: float, east: float, north: float) -> tuple[Point, ...]:
    return (west, south), (east, south), (east, north), (west, north)


def _grid(board: BoardDrawing, colours: Palette) -> Iterator[Stroke]:
    for number, name in enumerate(board.columns):
        x = number * board.cell
        yield Stroke("line", "grid", ((x, 0), (x, board.depth)), stroke=colours.grid, width=0.03)
        middle = min(x + board.cell / 2, (x + board.width) / 2)
        for y in (board.depth + MARGIN / 2, -MARGIN / 2):
            yield Stroke("text", "letter", ((middle, y),), 0.85, fill=colours.soft, text=name)
    row = 0
    while row * board.cell < board.depth:
        y = board.depth - row * board.cell
        yield Stroke("line", "grid", ((0, y), (board.width, y)), stroke=colours.grid, width=0.03)
        middle = max(y - board.cell / 2, y / 2)
        for x in (-MARGIN / 2, board.width + MARGIN / 2):
            yield Stroke("text", "letter", ((x, middle),), 0.85, fill=colours.soft, text=str(row + 1))
        row += 1
    table = _box(0, 0, board.width, board.depth)
    yield Stroke("polygon", "edge", table, fill="none", stroke=colours.soft, width=0.08)


def _area(patch: Patch, colours: Palette) -> Iterator[Stroke]:
    stroke = colours.sides[patch.side % len(colours.sides)] if patch.side >= 0 else colours.soft
    yield Stroke(
        "polygon", f"area side{patch.side}", patch.outline, fill="none", stroke=stroke, dashed=True,
        width=0.08, number=patch.number, title=patch.label,
    )  # fmt: skip
    top = max(y for _, y in patch.outline), min(y for _, y in patch.outline)
    label_point = (patch.middle[0], top[1] + 0.7 if patch.side != 1 else top[0] - 0.7)
    yield Stroke("text", "label zone", (label_point,), 0.7, fill=stroke, text=patch.label)


PHOTOS = "photo"
"""The folder in which a page has photographs."""
CROWN = 1.1
"""Inches between trees."""


def _terrain(patch: Patch, colours: Palette) -> Iterator[Stroke]:
    soft = patch.style in ("green", "smoke", "rough", "danger")
    yield Stroke(
        "polygon", f"terrain {patch.style}", patch.outline, fill=getattr(colours, patch.style),
        stroke=colours.soft, dashed=soft, number=patch.number, title=patch.words or patch.label,
        told=patch.told,
    )  # fmt: skip
    if patch.style == "solid" and patch.height >= 2 and len(patch.outline) == 4:
        x, y = patch.middle
        roof = tuple((x + (cx - x) * 0.8, y + (cy - y) * 0.8) for cx, cy in patch.outline)
        yield Stroke("polygon", "roof", roof, fill="none", stroke=colours.soft, width=0.04)
    if patch.style == "green" and patch.height >= 2:
        for point in _spread(patch.outline, CROWN):
            yield Stroke("circle", "crown", (point,), CROWN * 0.42, fill=colours.crown)


@lru_cache(maxsize=256)
def _spread(outline: tuple[Point, ...], step: float) -> tuple[Point, ...]:
    """Return places inside an outline, in rows that are shifted by half a step."""
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    rows = range(1, int((max(ys) - min(ys)) / step) + 1)
    columns = range(1, int((max(xs) - min(xs)) / step) + 1)
    points = (
        (min(xs) + (column - 0.5 * (row % 2)) * step, min(ys) + (row - 0.25) * step)
        for row in rows
        for column in columns
    )
    return tuple(point for point in points if touches(Body(point, 0.01), outline))


NAME, LABEL = 0.78, 0.66
"""Inches of the letters of names of models and of terrain."""


def _names(board: BoardDrawing, colours: Palette, least: float) -> Iterator[Stroke]:
    """Names where there is room for them; the others are crowded, and not painted."""
    high, low = max(NAME, least), max(LABEL, least)
    occupied = [(*model.at, model.radius, model.radius) for model in board.pieces]
    for model in sorted(board.pieces, key=lambda one: not one.acts):
        (x, y), offset = model.at, model.radius + high * 0.75
        name = _named("name", model.name, high, ((x, y - offset), (x, y + offset)), occupied, colours)
        yield replace(name, number=model.number)
    for patch in board.patches:
        if patch.style != "area":
            label = _named("label", patch.label, low, (patch.middle,), occupied, colours)
            yield replace(label, number=patch.number)


def _named(
    kind: str,
    text: str,
    size: float,
    spots: Sequence[Point],
    occupied: list[tuple[float, float, float, float]],
    colours: Palette,
) -> Stroke:
    wide, high = len(text) * size * 0.28, size * 0.5

    def is_free(point: Point) -> bool:
        return all(abs(point[0] - x) >= wide + w or abs(point[1] - y) >= high + h for x, y, w, h in occupied)

    free_spot = next((spot for spot in spots if is_free(spot)), None)
    if free_spot is None:
        return Stroke("text", f"{kind} crowded", (spots[0],), size, text=text)
    occupied.append((*free_spot, wide, high))
    return Stroke(
        "text", kind, (free_spot,), size, fill=colours.ink, stroke=colours.ground, width=0.14, text=text
    )


def _piece(model: DrawnModel, colours: Palette) -> Iterator[Stroke]:
    colour = colours.sides[model.side % len(colours.sides)]
    (x, y), r = model.at, model.radius
    title = model.name + (f", level {model.level:g}" if model.level else "")
    title += f", {model.note}" if model.note else ""
    if model.facing is not None:
        tip = _around(model.at, model.facing, r * 1.45)
        wings = (_around(model.at, model.facing + turn, r) for turn in (-40, 40))
        yield Stroke("polygon", "facing", (tip, *wings), fill=colours.ink)
    yield Stroke(
        "circle", f"base side{model.side}", (model.at,), r, fill=colours.paper if model.is_down else colour,
        stroke=colours.ink, width=0.07, dashed=model.is_hidden, number=model.number, title=title,
    )  # fmt: skip
    inner = r * 0.78
    shapes: tuple[tuple[Point, ...], ...] = (
        _box(x - inner * 0.8, y - inner * 0.8, x + inner * 0.8, y + inner * 0.8),
        (),
        tuple(_around(model.at, turn, inner * 1.1) for turn in (0, 120, 240)),
        tuple(_around(model.at, turn, inner * 1.1) for turn in (0, 90, 180, 270)),
    )
    outline = shapes[model.side % len(shapes)]
    stroke = colour if model.is_down else colours.on_side
    if outline:
        yield Stroke("polygon", "shape", outline, fill="none", stroke=stroke, width=0.06)
    else:
        yield Stroke("circle", "shape", (model.at,), inner, fill="none", stroke=stroke, width=0.06)
    ink = colours.ink if model.is_down else colours.on_side
    paper = colours.paper if model.is_down else colour
    letters_high = max(0.6, r * 1.05)
    yield Stroke(
        "text", "sign", (model.at,), letters_high, fill=ink, stroke=paper, width=letters_high * 0.25,
        text=model.sign,
    )  # fmt: skip
    if model.watch:
        eye, high = _around(model.at, 45, r), max(0.25, r * 0.4)
        yield Stroke(
            "circle",
            "watch",
            (eye,),
            high,
            fill=colours.paper,
            stroke=colours.ink,
            width=0.07,
            title=model.watch,
        )
        yield Stroke("circle", "watch pupil", (eye,), high * 0.45, fill=colours.ink)
    if model.is_down:
        for turn in (45, 135):
            ends = _around(model.at, turn, r), _around(model.at, turn + 180, r)
            yield Stroke("line", "down", ends, stroke=colours.ink, width=0.06)


def _around(middle: Point, turned: float, distance: float) -> Point:
    return middle[0] + distance * sin(radians(turned)), middle[1] + distance * cos(radians(turned))


# ------------------------------------------------------------------------------------------- written


def svg(board: BoardDrawing, words: str, colours: Palette = LIGHT) -> str:
    """Return the board as SVG in inches; strokes have classes, and things that can be pointed at a number.

    The y axis grows to the south, as SVG has it: a place (x, y) of the table is at (x, depth - y).
    """
    box = f"{-MARGIN:g} {-MARGIN:g} {board.width + 2 * MARGIN:g} {board.depth + 2 * MARGIN:g}"
    table, *others = (_element(mark, board.depth) for mark in marks(board, colours))
    content = "".join((table, _photo(board), *others))
    kind = "board pictured" if board.photo else "board"
    size = f'data-width="{board.width:g}" data-depth="{board.depth:g}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" class="{kind}" role="img" {size}>'
        f"<title>{escape(words)}</title>{content}</svg>"
    )


def _photo(board: BoardDrawing) -> str:
    if board.photo is None:
        return ""
    digest, west, south, east, north = board.photo
    full_size = f'width="{board.width:g}" height="{board.depth:g}"'
    place = (
        f'x="{west:.2f}" y="{board.depth - north:.2f}" width="{east - west:.2f}" height="{north - south:.2f}"'
    )
    return (
        f'<svg class="photo" {full_size} viewBox="0 0 {board.width:g} {board.depth:g}">'
        f'<image href="/{PHOTOS}/{digest}.jpg" {place} preserveAspectRatio="none"/></svg>'
    )


def _element(mark: Stroke, depth: float) -> str:
    paint = f' fill="{mark.fill}"' if mark.fill else ""
    if mark.stroke:
        paint += f' stroke="{mark.stroke}" stroke-width="{mark.width:g}"'
    if mark.dashed:
        paint += ' stroke-dasharray="0.4 0.25"'
    if mark.form == "text" and mark.stroke:
        paint += ' paint-order="stroke"'
    number_attribute = f' data-number="{mark.number}"' if mark.number else ""
    number_attribute += "".join(f' data-{name}="{escape(value)}"' for name, value in mark.told)
    title = f"<title>{escape(mark.title)}</title>" if mark.title else ""
    attributes = f'class="{mark.kind}"{paint}{number_attribute}'
    points = [(round(x, 2), round(depth - y, 2)) for x, y in mark.points]
    (x, y) = points[0]
    match mark.form:
        case "circle":
            return f'<circle {attributes} cx="{x:g}" cy="{y:g}" r="{mark.radius:.3g}">{title}</circle>'
        case "text":
            place = f'x="{x:g}" y="{y:g}" font-size="{mark.radius:.3g}"'
            fixed = 'text-anchor="middle" dominant-baseline="central"'
            return f"<text {attributes} {place} {fixed}>{escape(mark.text)}</text>"
    form = "polyline" if mark.form == "line" else "polygon"
    corners = " ".join(f"{x:g},{y:g}" for x, y in points)
    return f'<{form} {attributes} points="{corners}">{title}</{form}>'


# ------------------------------------------------------------------------------------------- painted


def picture(board: BoardDrawing, words: str, colours: Palette = LIGHT, name: str = "board.png") -> Attachment:
    """Return the board as a picture that is drawn when it is sent. words: all that it shows."""
    shortened = words if len(words) <= MAX_WORDS_LENGTH else f"{words[: MAX_WORDS_LENGTH - 1]}…"

    @cache
    def draws() -> bytes:
        image = painted(board, colours).quantize(palette=held_colours(colours), dither=Image.Dither.NONE)
        return png(image)

    return Attachment(name, shortened, draws=draws)


def painted(
    board: BoardDrawing, colours: Palette = LIGHT, side: int = MAX_SIDE, footer: int = 0
) -> Image.Image:
    """Return the board as an image. side: dots of its longer side. footer: dots of paper left under it."""
    scale = side / (max(board.width, board.depth) + 2 * MARGIN)
    size = (round((board.width + 2 * MARGIN) * scale), round((board.depth + 2 * MARGIN) * scale) + footer)
    ground_only = replace(
        board,
        columns=tuple(board.columns),
        patches=tuple(board.patches),
        pieces=(),
        line=(),
        path=(),
        photo=None,
    )
    image = _painted_ground(ground_only, colours, scale, size).copy()
    _paint_all(image, _upon(board, colours, LETTERS / scale), board.depth, scale)
    return image


@lru_cache(maxsize=4)
def _painted_ground(
    ground_only: BoardDrawing, colours: Palette, scale: float, size: tuple[int, int]
) -> Image.Image:
    image = Image.new("RGB", size, colours.paper)
    _paint_all(image, _ground(ground_only, colours), ground_only.depth, scale)
    return image


@lru_cache(maxsize=4)
def held_colours(colours: Palette) -> Image.Image:
    """Return an image that holds every colour of a picture, and those at the edges of letters.

    With a known palette a picture is written in a quarter of the time.
    """
    named_colours = [colour for colour in astuple(colours) if isinstance(colour, str)] + list(colours.sides)
    rgb_values = [tuple(bytes.fromhex(rgb[1:])) for rgb in dict.fromkeys(named_colours)]
    papers = [tuple(bytes.fromhex(rgb[1:])) for rgb in (colours.ground, colours.ink, colours.on_side)]
    mixed = [
        tuple((a * part + b * (3 - part)) // 3 for a, b in zip(rgb, paper, strict=True))
        for rgb in rgb_values
        for paper in papers
        for part in (1, 2)
    ]
    palette_colours = list(dict.fromkeys([*rgb_values, *mixed]))[:255]
    palette_image = Image.new("P", (1, 1))
    palette_image.putpalette([part for rgb in palette_colours for part in rgb])
    return palette_image


@lru_cache(maxsize=512)
def _word(text: str, size: int, fill: str, halo: str) -> Image.Image:
    """Return a name with its halo, which takes long to draw and comes again in every picture."""
    font = letters(size)
    left, top, right, bottom = map(round, font.getbbox(text, stroke_width=2, anchor="mm"))
    image = Image.new("RGBA", (2 * max(-left, right) + 2, 2 * max(-top, bottom) + 2))
    middle = image.width / 2, image.height / 2
    pen = ImageDraw.Draw(image)
    pen.text(middle, text, fill=fill, font=font, anchor="mm", stroke_width=2, stroke_fill=halo)
    return image


def _paint_all(image: Image.Image, strokes: Iterable[Stroke], depth: float, scale: float) -> None:
    pen = ImageDraw.Draw(image)
    for mark in strokes:
        points = [((x + MARGIN) * scale, (depth - y + MARGIN) * scale) for x, y in mark.points]
        if mark.form == "text" and mark.stroke:
            word = _word(mark.text, max(LETTERS, round(mark.radius * scale)), mark.fill, mark.stroke)
            image.paste(
                word, (round(points[0][0] - word.width / 2), round(points[0][1] - word.height / 2)), word
            )
        elif "crowded" not in mark.kind:
            _paint(pen, mark, points, scale)


def _paint(pen: ImageDraw.ImageDraw, mark: Stroke, points: list[Point], scale: float) -> None:
    fill = mark.fill if mark.fill not in ("", "none") else None
    width = max(1, round(mark.width * scale))
    stroke = mark.stroke or None
    match mark.form:
        case "circle":
            (x, y), r = points[0], mark.radius * scale
            pen.ellipse((x - r, y - r, x + r, y + r), fill=fill, outline=stroke, width=width)
        case "text":
            font = letters(max(LETTERS, round(mark.radius * scale)))
            pen.text(points[0], mark.text, fill=fill, font=font, anchor="mm")
        case "line":
            _stroke(pen, points, stroke, width, dashed=mark.dashed)
        case _:
            if fill:
                pen.polygon(points, fill=fill)
            if stroke:
                _stroke(pen, [*points, points[0]], stroke, width, dashed=mark.dashed)


def _stroke(
    pen: ImageDraw.ImageDraw, points: Sequence[Point], stroke: str | None, width: int, *, dashed: bool
) -> None:
    if not dashed:
        pen.line(list(points), fill=stroke, width=width, joint="curve" if width > 2 else None)
        return
    for start, end in _dashes(points, 8.0, 5.0):
        pen.line((*start, *end), fill=stroke, width=width)


def _dashes(points: Sequence[Point], dash: float, gap: float) -> Iterable[tuple[Point, Point]]:
    remaining = dash + gap
    for (ax, ay), (bx, by) in pairwise(points):
        length = max(0.001, ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5)
        drawn_length = 0.0
        while drawn_length < length:
            step = min(remaining, length - drawn_length)
            inked_length = min(step, max(0.0, remaining - gap))
            if inked_length > 0:
                start, end = drawn_length / length, (drawn_length + inked_length) / length
                yield (
                    (ax + (bx - ax) * start, ay + (by - ay) * start),
                    (ax + (bx - ax) * end, ay + (by - ay) * end),
                )
            drawn_length += step
            remaining = remaining - step if remaining - step > 1e-9 else dash + gap
