"""The board as one person sees it, drawn and in words."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from functools import lru_cache

from bot.replies import board_picture
from bot.replies.board_picture import LIGHT, BoardDrawing, Palette, Patch
from bot.replies.reply import Attachment
from bot.store.rows import ModelRow
from bot.table.board.places import cell_size, column_names, place_words
from bot.table.board.routes import declared_way
from bot.table.board.surface import (
    FIRE,
    HAZARD,
    OBJECTIVE,
    SMOKE,
    TABLE,
    Area,
    Board,
    TableState,
    Terrain,
    clouds_on,
    hidden_places,
    place_of,
    require_board,
    sorted_models,
    things,
)
from bot.table.encounter import Encounter, EncounterView
from bot.table.game import Watches, activated, concealed_from, game_of
from rules.measure import Point, bearing, moved

HIDDEN_RADIUS = 0.5
BESIDE, FIRST, NEXT = 0.8, 3.0, 5.0
"""Inches from the table to the hidden models that wait beside it, to the first, and from one to the next."""


@dataclass(frozen=True, slots=True)
class HiddenModel:
    """A hidden model as its own side sees it: where it was noted, or beside the table. key: of its note."""

    key: str
    name: str
    side: int
    at: Point
    is_placed: bool

    @property
    def words(self) -> str:
        """Return how it is told."""
        return "hidden" if self.is_placed else "hidden, not placed yet"


def hidden_models(encounter: EncounterView, viewer: int) -> list[HiddenModel]:
    """Return the hidden models that a person plays; those without a place wait at the edge of their side."""
    board, found = require_board(encounter), list[HiddenModel]()
    order = [side.id for side in encounter.sides()]
    everybody = concealed_from(encounter, viewer) if viewer else {}
    step = min(NEXT, (board.width - 2 * FIRST) / max(1, len(everybody) - 1))
    for number, (named, hidden) in enumerate(everybody.items()):
        key = named.lstrip("~")
        _, place = hidden_places(encounter, hidden.side).get(key, ("", None))
        edge = board.depth + BESIDE if order.index(hidden.side) else -BESIDE
        beside = FIRST + number * step, edge
        found.append(HiddenModel(key, hidden.name, hidden.side, place or beside, place is not None))
    return found


def drawing(encounter: Encounter, viewer: int = 0) -> BoardDrawing:
    """Return everything that may be shown of the board. Raises InvalidInput without one.

    viewer: the person whose hidden models are shown too, 0 for none.
    """
    board = require_board(encounter)
    order = {side.id: place for place, side in enumerate(encounter.sides())}
    patches = _patches(board)
    drawn_models, acting = [], activated(encounter)
    game, signs = game_of(encounter), signs_of(encounter)
    for row in sorted_models(encounter):
        body = board.standing.get(row.id)
        if body is None:
            continue
        note = game.model_summary(encounter, row).removeprefix(row.name).lstrip(",: ")
        is_down = row.status == "down" or 0 < game.life(row) <= row.damage
        drawn_model = board_picture.DrawnModel(
            row.id, signs[row.id], row.name, body.at, body.radius, order.get(row.side, 0), body.facing,
            body.bottom, note, is_down, acts=row.id in acting, watch=_watch(encounter, row),
        )  # fmt: skip
        drawn_models.append(drawn_model)
    for hidden in hidden_models(encounter, viewer):
        drawn_model = board_picture.DrawnModel(
            -int(hidden.key), "?", hidden.name, hidden.at, HIDDEN_RADIUS, order.get(hidden.side, 0),
            note=hidden.words, is_hidden=True,
        )  # fmt: skip
        drawn_models.append(drawn_model)
    declared = declared_way(encounter)
    path = declared[1] if declared is not None else ()
    return BoardDrawing(
        board.width, board.depth, cell_size(board), column_names(board), patches, drawn_models,
        last_shot(encounter, board), path, astuple(board.photo) if board.photo else None,
    )  # fmt: skip


def _watch(encounter: Encounter, model: ModelRow) -> str:
    """Return the word for a model that waits to shoot at a moving enemy, or an empty text."""
    game = game_of(encounter)
    return game.watching(encounter, model) if isinstance(game, Watches) else ""


def signs_of(encounter: Encounter) -> dict[int, str]:
    """Return the number drawn on each model in the picture, counted separately for each side."""
    signs: dict[int, str] = {}
    for side in encounter.sides():
        everybody = enumerate(encounter.models(side.id, gone=True), 1)
        signs |= {row.id: str(place) for place, row in everybody}
    return signs


def last_shot(encounter: Encounter, board: Board) -> tuple[Point, ...]:
    """Return the line of the last attack, from base to base, or () if one of the models has left the
    table.
    """
    (table,) = things(encounter, TABLE)
    state = TableState(table)
    shooter, other = board.standing.get(state.shooter), board.standing.get(state.target)
    if shooter is None or other is None:
        return ()
    turn = bearing(shooter.at, other.at)
    return moved(shooter.at, turn, shooter.radius), moved(other.at, turn + 180, other.radius)


def _patches(board: Board) -> list[Patch]:
    """Return areas, terrain, objectives and clouds, from the lowest to the highest."""
    areas = [(area, _area(board, area)) for area in board.areas if area.kind != SMOKE]
    return [
        *(patch for area, patch in areas if area.kind != OBJECTIVE),
        *(terrain_patch(board.width, board.depth, terrain) for terrain in board.terrain),
        *(patch for area, patch in areas if area.kind == OBJECTIVE),
        *(_cloud(board, area) for area in clouds_on(board)),
    ]


def _cloud(board: Board, area: Area) -> Patch:
    words = f"{area.name} at {place_words(board, area.shape.middle)}, blocking sight"
    return Patch(area.number, area.shape.outline, area.shape.middle, SMOKE, area.name, words=words)


@lru_cache(maxsize=1024)
def terrain_patch(width: float, depth: float, terrain: Terrain) -> Patch:
    """Return a piece of terrain as it is drawn on a table of this size."""
    if terrain.kind == "smoke":
        style = "smoke"
    elif terrain.dangerous or terrain.kind in (FIRE, HAZARD):
        style = "danger"
    elif terrain.kind == "water":
        style = "water"
    elif terrain.is_opaque:
        style = "solid"
    else:
        style = "green" if terrain.top > terrain.bottom else "rough"
    tall = f' ({terrain.top - terrain.bottom:g}")' if terrain.top > terrain.bottom else ""
    height, words = terrain.top - terrain.bottom, terrain_words(Board(width, depth), terrain)
    return Patch(
        terrain.number,
        terrain.shape.outline,
        terrain.shape.middle,
        style,
        f"{terrain.name}{tall}",
        words=words,
        height=height,
        told=_told(terrain),
    )


def _told(terrain: Terrain) -> tuple[tuple[str, str], ...]:
    """Return what the page's script has to know: what slows a model, its roof, and the widest base there."""
    slows = [f"{terrain.top - terrain.bottom:g} in high"] if terrain.is_opaque else []
    slows += _ratings(terrain)
    roof = terrain.top if terrain.is_opaque and terrain.is_climbable else 0.0
    told = {
        "slows": ", ".join(slows),
        "roof": f"{roof:g}" if roof else "",
        "widest": f"{terrain.widest_base:.3f}" if roof else "",
    }
    return tuple((name, value) for name, value in told.items() if value)


def _ratings(terrain: Terrain) -> list[str]:
    return [
        *([f"roughness {terrain.rough}"] if terrain.rough else []),
        *([f"danger {terrain.dangerous}"] if terrain.dangerous else []),
    ]


def _area(board: Board, area: Area) -> Patch:
    words = f"{area.name} at {place_words(board, area.shape.middle)}" if area.kind == OBJECTIVE else ""
    return Patch(
        area.number, area.shape.outline, area.shape.middle, "area", area.name, area.side - 1, words=words
    )


# ------------------------------------------------------------------------------------------- shown


def picture(encounter: Encounter, viewer: int = 0, colours: Palette = LIGHT) -> Attachment:
    """Return the board as a picture, with all of it in words."""
    return board_picture.picture(drawing(encounter, viewer), in_words(encounter, viewer), colours)


def svg(encounter: Encounter, viewer: int = 0, colours: Palette = LIGHT) -> str:
    """Return the board as SVG, with all of it in words."""
    return board_picture.svg(drawing(encounter, viewer), in_words(encounter, viewer), colours)


def in_words(encounter: Encounter, viewer: int = 0) -> str:
    """Return the board in one description: its size, the place of each model, and the terrain."""
    board = require_board(encounter)
    photo = ", drawn over a photograph" if board.photo else ""
    parts = [f"Board of {board.width:g} by {board.depth:g} in{photo}", *standing_lines(encounter, viewer)]
    objectives = [_area(board, area) for area in board.areas if area.kind == OBJECTIVE]
    parts += [patch.words for patch in (*objectives, *_patches(board))]
    return "; ".join(parts) + "."


def standing_lines(encounter: Encounter, viewer: int = 0) -> list[str]:
    """Return a line for each model with its number and place. The first of each side names the side."""
    board, signs = require_board(encounter), signs_of(encounter)
    lines, side_before = list[str](), 0
    for row in sorted_models(encounter):
        place = place_of(row)
        if place is not None and row.id in board.standing:
            level = board.standing[row.id].bottom
            level_text = f", level {level:g}" if level else ""
            whose = f"{encounter.side(row.side).name}: " if row.side != side_before else ""
            side_before = row.side
            watch = _watch(encounter, row)
            watch_text = f", {watch}" if watch else ""
            where = f"{place_words(board, place)}{level_text}{watch_text}"
            lines.append(f"{whose}{signs[row.id]} {row.name} at {where}")
    for hidden in hidden_models(encounter, viewer):
        where = f" at {place_words(board, hidden.at)}" if hidden.is_placed else ""
        lines.append(f"{hidden.name} {hidden.words}{where}")
    return lines


COVERS = ("", "light cover", "medium cover", "heavy cover")


def terrain_words(board: Board, piece: Terrain) -> str:
    """Return a piece of terrain in words."""
    phrases = [f"{piece.name} at {place_words(board, tuple(round(part, 1) for part in piece.shape.middle))}"]  # type: ignore[arg-type]
    phrases += [f"{piece.top - piece.bottom:g} in high"] if piece.top > piece.bottom else []
    phrases += [f"level {piece.bottom:g}"] if piece.bottom else []
    phrases += ["blocking sight"] if piece.is_opaque else []
    is_thin_smoke = piece.kind == SMOKE and not piece.is_opaque
    phrases += [f"smoke level {piece.cover}" if is_thin_smoke else COVERS[piece.cover]] if piece.cover else []
    phrases += _ratings(piece)
    phrases += ["climbable"] if piece.is_climbable else []
    return ", ".join(phrases)
