"""Tables as they are laid: kinds of terrain, standard tables, and layouts as small files."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from math import cos, radians, sin
from typing import Any

from bot.table.board import surface
from bot.table.board.surface import Area, Board, Shape, Terrain, require_fit, shape_of
from bot.table.names import find_free_name, plain
from rules.refusals import InvalidInput

MAX_LAYOUT_BYTES = 64_000
MARK = "adjutant board"
"""The key that tells a layout from other files, with the version of the format."""
MAX_RATING = 3
NOT_READ = "That file isn't a table layout. Attach one that you saved with /board export."


def _written() -> Mapping[str, Any]:
    return tomllib.loads(files("bot.table.board").joinpath("tables.toml").read_text("utf-8"))


KINDS: Mapping[str, Mapping[str, Any]] = _written()["kinds"]
"""Kinds of terrain on every board. Smoke hides, but is not solid."""

AREA_KINDS = ("deployment", surface.OBJECTIVE, "smoke", "other")


def piece_of(kind: str, shape: Shape, name: str = "", height: float | None = None, **more: Any) -> Terrain:
    """Return a piece of a kind. height: if not the kind's. Raises InvalidInput for an unknown kind."""
    usual = KINDS.get(kind)
    if usual is None:
        raise InvalidInput(f"Choose a kind of terrain: {', '.join(KINDS)}.")
    bottom = float(more.pop("bottom", 0.0))
    values = {**usual, **more}
    tall = float(values.pop("height"))
    top = bottom + (tall if height is None else height)
    return Terrain(name or kind, kind, shape, bottom, top, **values)


# ------------------------------------------------------------------------------------------- standard tables


@dataclass(frozen=True, slots=True)
class Standard:
    """A standard table. games: the keys of the games that it fits, the best first."""

    key: str
    name: str
    games: tuple[str, ...]
    board: Board


@cache
def standard_tables() -> tuple[Standard, ...]:
    """Return every standard table."""
    return tuple(map(_standard, _written()["table"]))


def tables_for(system: str) -> Sequence[Standard]:
    """Return the standard tables of a game, the best first."""
    fitting = [table for table in standard_tables() if system in table.games]
    return sorted(fitting, key=lambda standard: standard.games.index(system))


ZONES = ("strips", "half circles", "corners")
"""Shapes of deployment zones: along two edges, around the middles of two edges, and in two corners."""


SOUTH, NORTH = "South zone", "North zone"


def zone_words(zone: Area) -> str:
    """Return a zone as a sentence names it; one that players have named keeps its name."""
    return f"the {zone.name.lower()}" if zone.name in (SOUTH, NORTH) else zone.name


def zones(width: float, depth: float, inches: float, shape: str = ZONES[0]) -> tuple[Area, Area]:
    """Return the deployment zones of the south and of the north, so many inches deep."""
    if shape == ZONES[0]:
        corners = [(0.0, 0.0), (width, 0.0), (width, inches), (0.0, inches)]
    else:
        start, degrees = ((0.0, 0.0), 90) if shape == ZONES[2] else ((width / 2, 0.0), 180)
        reach = min(inches, depth / 2, width / 2)
        turns = (radians(turn) for turn in range(0, degrees + 1, 6))
        corners = [start, *((start[0] + reach * cos(turn), reach * sin(turn)) for turn in turns)]
    south = tuple((round(abs(x), 2), round(y, 2)) for x, y in corners)
    north = tuple((round(width - x, 2), round(depth - y, 2)) for x, y in south)
    return (
        Area(SOUTH, "deployment", Shape("polygon", south), 1),
        Area(NORTH, "deployment", Shape("polygon", north), 2),
    )


def with_zones(system: str, board: Board, shape: str) -> Board:
    """Return a table with the deployment zones that were chosen, else those that its game has by default."""
    usual = _written()["zones"].get(system, {})
    shape_name = shape or usual.get("shape", "")
    if not shape_name:
        return board
    inches = float(usual.get("inches", 12.0 if shape_name != ZONES[0] else 6.0))
    others = [area for area in board.areas if area.kind != "deployment"]
    return replace(board, areas=(*others, *zones(board.width, board.depth, inches, shape_name)))


def _standard(table: Mapping[str, Any]) -> Standard:
    width, depth = map(float, table["size"])
    terrain: list[Terrain] = []
    for entry in table["middle"]:
        _name(terrain, _standard_piece(entry))
    for entry in table["mirrored"]:
        piece = _standard_piece(entry)
        _name(terrain, piece)
        turned = tuple((width - x, depth - y) for x, y in piece.shape.points)
        _name(terrain, replace(piece, shape=replace(piece.shape, points=turned)))
    areas = zones(width, depth, table["zone"])
    board = Board(width, depth, None, tuple(terrain), areas)
    require_fit(board, (*board.terrain, *areas))
    return Standard(table["key"], table["name"], tuple(table["games"]), board)


def _standard_piece(entry: Mapping[str, Any]) -> Terrain:
    return piece_of(entry["kind"], shape_of(entry), height=entry.get("height"))


def _name(terrain: list[Terrain], piece: Terrain) -> None:
    terrain.append(replace(piece, name=find_free_name(piece.name, [other.name for other in terrain])))


# ------------------------------------------------------------------------------------------- files


def exported(board: Board, name: str) -> str:
    """Return a table without its models as a small file."""
    content = {
        MARK: 1,
        "name": name,
        "size": [board.width, board.depth],
        "terrain": [_terrain_written(terrain) for terrain in board.terrain],
        "areas": [
            {"name": area.name, "kind": area.kind, "side": area.side, **area.shape.written()}
            for area in board.areas
        ],
    }
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False)


def _terrain_written(terrain: Terrain) -> dict[str, Any]:
    return {
        "name": terrain.name,
        "kind": terrain.kind,
        "bottom": terrain.bottom,
        "top": terrain.top,
        "cover": terrain.cover,
        "rough": terrain.rough,
        "dangerous": terrain.dangerous,
        "opaque": terrain.is_opaque,
        "climbable": terrain.is_climbable,
        **terrain.shape.written(),
    }


def imported(text: str) -> tuple[str, Board]:
    """Return the name and the table of such a file, wholly checked. Raises InvalidInput."""
    if len(text.encode()) > MAX_LAYOUT_BYTES:
        raise InvalidInput(f"Use a smaller file. A layout can be at most {MAX_LAYOUT_BYTES // 1000} kB.")
    try:
        document = json.loads(text)
        if document[MARK] != 1:
            raise InvalidInput(NOT_READ)
        width, depth = (float(length) for length in document["size"])
        terrain, areas = list(document["terrain"]), list(document["areas"])
        name = plain(str(document.get("name", "")), 60)
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InvalidInput(NOT_READ) from None
    require_size(width, depth)
    surface.require_room(len(terrain) + len(areas))
    named_terrain: list[Terrain] = []
    try:
        for entry in terrain:
            _name(named_terrain, _imported_piece(entry))
        marked = tuple(_imported_area(entry) for entry in areas)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InvalidInput(NOT_READ) from None
    board = Board(round(width, 2), round(depth, 2), None, tuple(named_terrain), marked)
    require_fit(board, (*board.terrain, *board.areas))
    return name, board


def _imported_piece(entry: Any) -> Terrain:
    bottom, top = float(entry["bottom"]), float(entry["top"])
    cover, rough, dangerous = (int(entry[field]) for field in ("cover", "rough", "dangerous"))
    rated = all(0 <= rating <= MAX_RATING for rating in (cover, rough, dangerous))
    if not (rated and 0 <= bottom <= top <= surface.MAX_HEIGHT):
        raise InvalidInput(NOT_READ)
    return Terrain(
        _imported_name(entry, str(entry["kind"])),
        _imported_kind(entry, tuple(KINDS)),
        shape_of(entry),
        round(bottom, 1),
        round(top, 1),
        cover,
        rough,
        dangerous,
        entry["opaque"] is True,
        entry["climbable"] is True,
    )


def _imported_area(entry: Any) -> Area:
    side = int(entry.get("side", 0))
    if not 0 <= side <= 2:
        raise InvalidInput(NOT_READ)
    kind = _imported_kind(entry, AREA_KINDS)
    return Area(_imported_name(entry, kind), kind, shape_of(entry), side)


def _imported_kind(entry: Any, kinds: Sequence[str]) -> str:
    kind = str(entry["kind"])
    if kind not in kinds:
        named = plain(kind, 40)
        raise InvalidInput(f'Change "{named}" in the file to one of these kinds: {", ".join(kinds)}.')
    return kind


def _imported_name(entry: Any, kind: str) -> str:
    return plain(" ".join(str(entry["name"]).split()), 40) or kind


def require_size(width: float, depth: float) -> None:
    """Refuse a table that is too small or too large. Raises InvalidInput."""
    if not all(surface.LEAST_SIDE <= length <= surface.MOST_SIDE for length in (width, depth)):
        raise InvalidInput(
            f"Each side of the table must be between {surface.LEAST_SIDE} and {surface.MOST_SIDE} "
            'inches long. Enter a size such as "48x48".'
        )
