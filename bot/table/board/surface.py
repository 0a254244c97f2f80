"""The board as the encounter keeps it: the table, its terrain and areas, and where models stand.

The table, each piece of terrain and each area are thing rows; a model's place is in the counters of its row.
Lengths are kept in hundredths of an inch, levels and heights in tenths. A place of something hidden is in a
secret row of its side, and nowhere else.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any

from bot.store.rows import ModelRow, SecretRow, ThingRow
from bot.table.encounter import GONE, Encounter, EncounterView
from bot.table.game import OnBoard, game, game_of
from bot.table.names import MAX_NAME_LENGTH, plain
from bot.table.state import Flag, Number, State
from rules import measure
from rules.counters import CounterName
from rules.measure import Body, Piece, Point
from rules.refusals import InvalidInput
from rules.wording import possessive, times

TABLE, TERRAIN, AREA = "board table", "board terrain", "board area"
"""Kinds of thing rows."""
HIDDEN_PLACE = "board place"
"""The kind of secret row that keeps where something hidden is."""

SMOKE = "smoke"
"""The kind of terrain that hides models and blocks no movement."""

OBJECTIVE = "objective"
"""The kind of area that marks what a game is about."""

FIRE = "fire"
"""The kind of terrain that a game lays where something burns, and that grows and goes out."""

HAZARD = "dangerous ground"
"""The kind of terrain that a game lays where it is dangerous in another way."""

MAX_PIECES = 150
MAX_CORNERS = 60
LEAST_SIDE, MOST_SIDE = 12, 144
"""Inches of a table's side."""
MAX_HEIGHT = 24.0
LEAST_HOLD = 0.75
"""The share of a base's radius that a circle on top of terrain must have, so that the top carries it."""
MM = 25.4
DEFAULT_BASE, DEFAULT_HEIGHT = 32, 1.5
"""A base in millimetres and a height in inches, for a model whose profile tells neither."""
NO_BOARD = "Press Set up... and Shared board, or use /board table. There is no board yet."


class TableState(State):
    """The table."""

    width = Number("width", "Its width in hundredths of an inch.")
    depth = Number("depth", "Its depth in hundredths of an inch.")
    shooter = Number("shooter", "The model that made the last attack; 0 for none.")
    target = Number("shot at", "The model that the last attack was at.")


class TerrainState(State):
    """A piece of terrain."""

    bottom = Number("bottom", "The level on which it stands, in tenths of an inch.")
    top = Number("top", "The level of its top, in tenths of an inch.")
    cover = Number("cover", "The cover that it gives: 0 for none, 1 light, 2 medium, 3 heavy.")
    rough = Number("rough", "How rough its ground is, 0 to 3.")
    dangerous = Number("dangerous", "How dangerous its ground is, 0 to 3.")
    is_opaque = Flag("opaque", "Nobody sees through it.")
    is_climbable = Flag("climbable", "Models may climb it and stand on it.")


class AreaState(State):
    """An area that is marked on the table."""

    side = Number("side", "The place of the side that deploys in it, from 1; 0 for none.")


class PlaceState(State):
    """Where a model stands. 0 for east means that it isn't on the table."""

    east = Number("board east", "Hundredths of an inch from the west edge, plus 1.")
    north = Number("board north", "Hundredths of an inch from the south edge, plus 1.")
    level = Number("board level", "The level that it stands on, in tenths of an inch.")
    facing = Number("board facing", "Degrees clockwise from north, plus 1; 0 for no facing.")
    base = Number("board base", "The width of its base in millimetres; 0 for that of its profile.")


# ------------------------------------------------------------------------------------------- shapes


@dataclass(frozen=True, slots=True)
class Shape:
    """An outline as it was drawn.

    form: circle (radius), rectangle (width, depth, degrees turned), line (thickness) or polygon. points: the
    middle, or every corner.
    """

    form: str
    points: tuple[Point, ...]
    numbers: tuple[float, ...] = ()

    @property
    def outline(self) -> tuple[Point, ...]:
        """Return its corners."""
        return _outline(self)

    @property
    def middle(self) -> Point:
        """Return about where its middle is."""
        return (
            sum(x for x, _ in self.points) / len(self.points),
            sum(y for _, y in self.points) / len(self.points),
        )

    def written(self) -> dict[str, Any]:
        """Return the values for JSON."""
        return {
            "form": self.form,
            "points": [list(point) for point in self.points],
            "numbers": [*self.numbers],
        }


@lru_cache(maxsize=2048)
def _outline(shape: Shape) -> tuple[Point, ...]:
    match shape.form:
        case "circle":
            return measure.circle(shape.points[0], *shape.numbers)
        case "rectangle":
            return measure.rectangle(shape.points[0], *shape.numbers)
        case "line":
            return measure.band(shape.points, *shape.numbers)
    return shape.points


_NUMBERS = {"circle": (1, 1), "rectangle": (2, 3), "line": (1, 1), "polygon": (0, 0)}
_POINTS = {"circle": (1, 1), "rectangle": (1, 1), "line": (2, MAX_CORNERS), "polygon": (3, MAX_CORNERS)}


def shape_of(entry: Any) -> Shape:
    """Return a shape of such values, in hundredths of an inch. Raises InvalidInput."""
    try:
        form = str(entry["form"])
        points = tuple((_length(x), _length(y)) for x, y in entry["points"][: MAX_CORNERS + 1])
        numbers = tuple(_length(number) for number in entry.get("numbers", ())[:4])
        least, highest_count = _NUMBERS[form]
        fewest, highest = _POINTS[form]
    except (KeyError, TypeError, ValueError, AttributeError):
        name = _name_in(entry) or "a piece"
        raise InvalidInput(
            f'Correct the shape of {name} in this layout. It needs a "form" (circle, rectangle, line or '
            'polygon), and its "points" and "numbers" must be in inches.'
        ) from None
    is_valid = least <= len(numbers) <= highest_count and fewest <= len(points) <= highest
    if not is_valid or any(number <= 0 for number in numbers[:2]):
        points_words = times(highest, "point") if fewest == highest else f"{fewest} to {highest} points"
        size_words = " and a size above 0" if least else ""
        what = f"{form} {_name_in(entry)}".rstrip()
        raise InvalidInput(f"Correct the {what}. It needs {points_words}{size_words}.")
    return Shape(form, points, numbers)


def _name_in(entry: Any) -> str:
    """Return the name of a shape in a layout, in quotation marks, or nothing."""
    name = plain(str(entry.get("name", "")), MAX_NAME_LENGTH) if isinstance(entry, Mapping) else ""
    return f'"{name}"' if name else ""


def _length(value: Any) -> float:
    number = round(float(value), 2)
    if not -MOST_SIDE * 10 <= number <= MOST_SIDE * 10:
        raise ValueError(value)
    return number


# ------------------------------------------------------------------------------------------- what lies on it


@dataclass(frozen=True, slots=True)
class Terrain:
    """A piece of terrain. number: of its row, 0 if it is not kept yet. kind: the word for what it is."""

    name: str
    kind: str
    shape: Shape
    bottom: float = 0.0
    top: float = 1.0
    cover: int = 0
    rough: int = 0
    dangerous: int = 0
    is_opaque: bool = False
    is_climbable: bool = False
    number: int = 0

    @property
    def piece(self) -> Piece:
        """Return the piece as it is measured."""
        return Piece(self.name, self.shape.outline, self.bottom, self.top, self.is_opaque)

    @property
    def is_solid(self) -> bool:
        """Return whether no model can be inside it."""
        return (self.is_opaque or self.is_climbable) and self.kind != SMOKE

    @property
    def widest_base(self) -> float:
        """Return the radius of the largest base that its top carries, or 0 if it has no top."""
        has_top = self.is_solid and self.top > self.bottom
        return measure.room(self.shape.outline) / LEAST_HOLD if has_top else 0.0

    def holds(self, body: Body) -> bool:
        """Return whether the middle of a model would be inside the piece, where no model can be."""
        return self.is_solid and self.bottom <= body.bottom < self.top and self._is_under(body)

    def is_topped_by(self, body: Body) -> bool:
        """Return whether the middle of a model would be on top of the piece."""
        has_top = self.is_solid and self.top > self.bottom
        return has_top and abs(body.bottom - self.top) < 0.05 and self._is_under(body)

    def _is_under(self, body: Body) -> bool:
        """Return whether the middle of a base is over the piece."""
        return bool(measure.under(replace(body, radius=0.01), self.shape.outline))


@dataclass(frozen=True, slots=True)
class Area:
    """A marked area. kind: deployment, objective, smoke. side: the place of its side, 0 for none."""

    name: str
    kind: str
    shape: Shape
    side: int = 0
    number: int = 0

    def touches(self, body: Body) -> bool:
        """Return whether a base is at least partly in it or touches it."""
        return measure.touches(replace(body, radius=body.radius + measure.TOUCH), self.shape.outline)


PICTURE_LENGTH = 64
"""Letters of a picture's hash."""


@dataclass(frozen=True, slots=True)
class Photo:
    """A photograph under the board. digest: its hash; left, low, right, high: its edges in inches."""

    digest: str
    left: float
    low: float
    right: float
    high: float

    @property
    def written(self) -> str:
        """Return it as the row of the table keeps it: the hash first."""
        return " ".join(
            (self.digest, *(f"{edge:.2f}" for edge in (self.left, self.low, self.right, self.high)))
        )

    @classmethod
    def read(cls, text: str) -> Photo | None:
        """Return the one that was written; None for nothing."""
        digest, *edges = text.split() or [""]
        return cls(digest, *map(float, edges)) if digest else None


@dataclass(frozen=True, slots=True)
class Board:
    """Everything on the table. standing: the body of each model that is on it, by number."""

    width: float
    depth: float
    photo: Photo | None = None
    terrain: tuple[Terrain, ...] = ()
    areas: tuple[Area, ...] = ()
    standing: Mapping[int, Body] = ()  # type: ignore[assignment]

    def pieces(self) -> list[Piece]:
        """Return what may hide a model: the terrain, but nothing flat and no smoke that is seen through."""
        return [
            terrain.piece
            for terrain in self.terrain
            if terrain.top > terrain.bottom and (terrain.is_opaque or terrain.kind != SMOKE)
        ]

    def without_smoke(self) -> Board:
        """Return the same table without the terrain that is smoke."""
        return replace(self, terrain=tuple(piece for piece in self.terrain if piece.kind != SMOKE))

    def terrain_named(self, name: str) -> Terrain | None:
        """Return the piece of that name."""
        return next((terrain for terrain in self.terrain if terrain.name == name), None)


def things(encounter: EncounterView, kind: str) -> list[ThingRow]:
    """Return the rows of one kind."""
    return [row for row in encounter.book.all(ThingRow) if row.kind == kind]


def has_board(encounter: EncounterView) -> bool:
    """Return whether a table was chosen."""
    return any(row.kind == TABLE for row in encounter.book.all(ThingRow))


def board_of(encounter: EncounterView) -> Board | None:
    """Return the board with everything that anybody may see; None without one."""
    return encounter.worked_out(Board, lambda: _read(encounter)) if has_board(encounter) else None


def require_board(encounter: EncounterView) -> Board:
    """Return the board. Raises InvalidInput without one."""
    board = board_of(encounter)
    if board is None:
        raise InvalidInput(NO_BOARD)
    return board


def _read(encounter: EncounterView) -> Board:
    (table,) = things(encounter, TABLE)
    state = TableState(table)
    return Board(
        state.width / 100,
        state.depth / 100,
        Photo.read(table.content),
        tuple(_terrain(encounter, row) for row in things(encounter, TERRAIN)),
        tuple(_area(row) for row in things(encounter, AREA)),
        {row.id: body for row in encounter.models() if (body := body_of(encounter, row)) is not None},
    )


def _terrain(encounter: EncounterView, row: ThingRow) -> Terrain:
    terrain = _terrain_kept(row.id, row.name, row.content, tuple(row.counters.items()))
    played = game_of(encounter)
    if terrain.kind == SMOKE and isinstance(played, OnBoard) and not played.smoke_hides:
        return replace(terrain, is_opaque=False)
    return terrain


@lru_cache(maxsize=2048)
def _terrain_kept(
    number: int, name: str, content: str, counters: tuple[tuple[CounterName, int], ...]
) -> Terrain:
    state, written = TerrainState.of_counters(dict(counters)), json.loads(content)
    return Terrain(
        name,
        written["kind"],
        shape_of(written),
        state.bottom / 10,
        state.top / 10,
        state.cover,
        state.rough,
        state.dangerous,
        state.is_opaque,
        state.is_climbable,
        number,
    )


def _area(row: ThingRow) -> Area:
    return _area_kept(row.id, row.name, row.content, AreaState(row).side)


@lru_cache(maxsize=512)
def _area_kept(number: int, name: str, content: str, side: int) -> Area:
    written = json.loads(content)
    return Area(name, written["kind"], shape_of(written), side, number)


# ------------------------------------------------------------------------------------------- written


def lay(encounter: Encounter, board: Board) -> None:
    """Replace the table by another one, with no models on it."""
    clear(encounter)
    row = _add(encounter, TABLE, "", board.photo.written if board.photo else "")
    state = TableState(row)
    state.width, state.depth = round(board.width * 100), round(board.depth * 100)
    for piece in board.terrain:
        add_terrain(encounter, piece)
    for area in board.areas:
        add_area(encounter, area)


def clear(encounter: Encounter) -> None:
    """Put the board away, with everything on it."""
    for kind in (TABLE, TERRAIN, AREA):
        for row in things(encounter, kind):
            encounter.book.remove(row)
    for model in encounter.models(gone=True):
        lift(model)
    for secret in encounter.book.all(SecretRow):
        if secret.kind == HIDDEN_PLACE:
            secret.content = "{}"


def add_terrain(encounter: Encounter, piece: Terrain) -> ThingRow:
    """Put a piece on the table, which was checked."""
    row = _add(encounter, TERRAIN, piece.name, _packed({"kind": piece.kind, **piece.shape.written()}))
    state = TerrainState(row)
    state.bottom, state.top = round(piece.bottom * 10), round(piece.top * 10)
    state.cover, state.rough, state.dangerous = piece.cover, piece.rough, piece.dangerous
    state.is_opaque, state.is_climbable = piece.is_opaque, piece.is_climbable
    return row


def add_ground(encounter: Encounter, name: str, kind: str, point: Point, radius: float) -> None:
    """Put ground that burns or is dangerous on the table, which the game tests, unless the table is full."""
    if _has_room(require_board(encounter)):
        add_terrain(encounter, Terrain(name, kind, Shape("circle", (point,), (radius,)), top=0.0))


def resize_ground(encounter: Encounter, name: str, kind: str, radius: float) -> None:
    """Change how wide such ground is, or remove it from the table for 0."""
    board = board_of(encounter)
    for piece in board.terrain if board is not None else ():
        is_it = (piece.name, piece.kind, piece.dangerous) == (name, kind, 0)
        if is_it and piece.shape.numbers != (radius,):
            encounter.book.remove(next(row for row in things(encounter, TERRAIN) if row.id == piece.number))
            if radius:
                add_terrain(encounter, replace(piece, shape=replace(piece.shape, numbers=(radius,))))


def add_cloud(encounter: Encounter, name: str, point: Point, radius: float) -> None:
    """Put a cloud that blocks sight on the table, unless the table is full."""
    if _has_room(require_board(encounter)):
        add_area(encounter, Area(name, SMOKE, Shape("circle", (point,), (radius,))))


def _has_room(board: Board) -> bool:
    return len(board.terrain) + len(board.areas) < MAX_PIECES


def remove_cloud(encounter: Encounter, name: str) -> None:
    """Remove a cloud from the table."""
    for area in clouds_on(board_of(encounter)):
        if area.name == name:
            encounter.book.remove(next(row for row in things(encounter, AREA) if row.id == area.number))


def mark_objective(encounter: Encounter, name: str, point: Point, radius: float, side: int) -> None:
    """Mark an objective of a side, in place of one of that name. Raises InvalidInput for a full table."""
    board = require_board(encounter)
    earlier = find_objective(board, name)
    if earlier is not None:
        encounter.book.remove(next(row for row in things(encounter, AREA) if row.id == earlier.number))
    require_room(len(board.terrain) + len(board.areas) + (earlier is None))
    order = [row.id for row in encounter.sides()].index(side) + 1
    add_area(encounter, Area(name, OBJECTIVE, Shape("circle", (point,), (radius,)), order))


def find_objective(board: Board, name: str) -> Area | None:
    """Return the objective of that name."""
    return next((area for area in board.areas if (area.name, area.kind) == (name, OBJECTIVE)), None)


def clouds_on(board: Board | None) -> list[Area]:
    """Return the clouds on a board."""
    return [area for area in board.areas if area.kind == SMOKE] if board is not None else []


def add_area(encounter: Encounter, area: Area) -> ThingRow:
    """Mark an area, which was checked."""
    row = _add(encounter, AREA, area.name, _packed({"kind": area.kind, **area.shape.written()}))
    AreaState(row).side = area.side
    return row


def _add(encounter: Encounter, kind: str, name: str, content: str) -> ThingRow:
    number = encounter.book.next_id(ThingRow)
    return encounter.book.add(ThingRow(encounter.book.scope, number, kind, name, content))


def _packed(content: object) -> str:
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


# ------------------------------------------------------------------------------------------- models


def place_of(row: ModelRow) -> Point | None:
    """Return where the middle of a model's base is; None off the table."""
    state = PlaceState(row)
    return ((state.east - 1) / 100, (state.north - 1) / 100) if state.east else None


def body_at(
    encounter: EncounterView, row: ModelRow, point: Point, level: float, facing: float | None
) -> Body:
    """Return a model as it would stand somewhere."""
    played = _on_board(encounter.row.system)
    base_and_height = (DEFAULT_BASE, DEFAULT_HEIGHT) if played is None else played.body(encounter, row)
    base = PlaceState(row).base or base_and_height[0]
    return Body(point, base / MM / 2, level, base_and_height[1], facing)


@cache
def _on_board(system: str) -> OnBoard | None:
    played = game(system)
    return played if isinstance(played, OnBoard) else None


def body_of(encounter: EncounterView, row: ModelRow) -> Body | None:
    """Return a model as it stands; None for one that is off the table, or out of play."""
    return None if row.status == GONE else last_body(encounter, row)


def last_body(encounter: EncounterView, row: ModelRow) -> Body | None:
    """Return a model as it stands, or stood when it left play; None for one that is off the table."""
    place, state = place_of(row), PlaceState(row)
    if place is None:
        return None
    return body_at(encounter, row, place, state.level / 10, state.facing - 1.0 if state.facing else None)


def stand(row: ModelRow, body: Body) -> None:
    """Store the place of a model."""
    state = PlaceState(row)
    state.east, state.north = round(body.at[0] * 100) + 1, round(body.at[1] * 100) + 1
    state.level = round(body.bottom * 10)
    state.facing = 0 if body.facing is None else round(body.facing) % 360 + 1


def lift(row: ModelRow) -> None:
    """Remove a model from the table."""
    state = PlaceState(row)
    state.east = state.north = state.level = state.facing = 0


def kept(point: Point) -> Point:
    """Return a place as it is kept."""
    return round(point[0], 2), round(point[1], 2)


def misplaced(board: Board, body: Body, model: int, names: Mapping[int, str]) -> str:
    """Return what keeps a model from standing somewhere, in a sentence; empty for nothing."""
    (x, y), r = body.at, body.radius
    if not (r - 0.01 <= x <= board.width - r + 0.01 and r - 0.01 <= y <= board.depth - r + 0.01):
        return f"The whole base has to be on the table, which is {board.width:g} by {board.depth:g} in."
    for number, other in board.standing.items():
        level = abs(other.bottom - body.bottom) < 1
        if number != model and level and measure.overlap(body, other) > measure.MAY_OVERLAP:
            return (
                "Choose another place; the base would overlap "
                f"{possessive(names.get(number, 'another model'))} base."
            )
    for terrain in board.terrain:
        if terrain.holds(body):
            blocked = f"Choose another place, because {terrain.name} is in the way."
            has_room = body.radius <= terrain.widest_base
            return (
                f"{blocked} To place the model on top, enter level {terrain.top:g}." if has_room else blocked
            )
    tops = [terrain for terrain in board.terrain if terrain.is_topped_by(body)]
    if tops and all(body.radius > terrain.widest_base for terrain in tops):
        return f"Choose another place. The top of {tops[0].name} is too narrow for this base."
    return ""


# ------------------------------------------------------------------------------------------- checked


def require_fit(board: Board, shapes: Iterable[Terrain | Area]) -> None:
    """Refuse terrain and areas that don't fit on a table. Raises InvalidInput."""
    for shape in shapes:
        outline = shape.shape.outline if shape.shape.form != "line" or _is_line(shape.shape) else ()
        fault = measure.fault_of(outline)
        if fault:
            raise InvalidInput(f"Correct the outline of {shape.name}. {fault}")
        if not measure.is_within(outline, board.width, board.depth):
            raise InvalidInput(
                f"{shape.name} has to be on the table, which is {board.width:g} by {board.depth:g} in."
            )


def _is_line(shape: Shape) -> bool:
    return len(set(shape.points)) > 1


def require_room(count: int) -> None:
    """Refuse more pieces than a table holds. Raises InvalidInput."""
    if count > MAX_PIECES:
        raise InvalidInput(
            f"Remove a piece of terrain or an area first; a table can have at most {MAX_PIECES} of them."
        )


# ------------------------------------------------------------------------------------------- hidden


def hidden_places(encounter: EncounterView, side: int) -> Mapping[str, tuple[str, Point]]:
    """Return where a side's hidden things are, by how each is called in an action: its name and its place."""
    places = _notes(encounter, side)
    return {model_id: (name, (east, north)) for model_id, (name, east, north, *_) in sorted(places.items())}


def _notes(encounter: EncounterView, side: int) -> dict[str, Any]:
    """Return each note as it is kept: a name, a place, and after the first turn has begun the turn."""
    row = _hidden_row(encounter, side)
    return json.loads(row.content) if row is not None else {}


def _hidden_row(encounter: EncounterView, side: int) -> SecretRow | None:
    rows = (row for row in encounter.book.all(SecretRow) if row.kind == HIDDEN_PLACE and row.side == side)
    return next(rows, None)


def hide(encounter: Encounter, side: int, owner: int, note_key: str, name: str, point: Point | None) -> None:
    """Store the place of something hidden; None removes it.

    A side has one row for all of them, which stays.
    """
    row = _hidden_row(encounter, side)
    if row is None:
        number = encounter.book.next_id(SecretRow)
        row = encounter.book.add(SecretRow(encounter.book.scope, number, owner, side, HIDDEN_PLACE, "{}"))
    places = json.loads(row.content)
    places.pop(note_key, None)
    if point is not None:
        places[note_key] = [name, *point, *([encounter.row.turn] if encounter.row.turn else [])]
    row.content = _packed(places)


def noted_when(encounter: Encounter, side: int, note_key: str) -> str:
    """Return when a note was written, which everyone reads as its model comes out; empty without one."""
    note = _notes(encounter, side).get(note_key)
    if note is None:
        return ""
    return f"noted in turn {note[3]}" if note[3:] else "noted before the first turn"


def roof_at(board: Board, point: Point) -> float:
    """Return the level on which something hidden stands: on top of the solid terrain at its place."""
    return max((terrain.top for terrain in board.terrain if terrain.holds(Body(point, 0.01))), default=0.0)


def misplaced_note(board: Board, body: Body) -> str:
    """Return what keeps something hidden from being somewhere, in a sentence; empty for nothing.

    Where others stand isn't asked: it may come out beside them.
    """
    bare = replace(board, standing={})
    return misplaced(bare, replace(body, bottom=roof_at(board, body.at)), 0, {})


def come_out(encounter: Encounter, side: int, note_key: str, row: ModelRow) -> None:
    """Place a model that was hidden where its side noted it, and remove the note."""
    note = hidden_places(encounter, side).get(note_key)
    if note is not None:
        level = roof_at(require_board(encounter), note[1])
        stand(row, body_at(encounter, row, note[1], level, None))
        hide(encounter, side, row.owner_id, note_key, "", None)


def sorted_models(encounter: Encounter) -> Sequence[ModelRow]:
    """Return the models in play in the order of their numbers on the board."""
    return sorted(encounter.models(), key=lambda row: row.id)
