"""The board as one person sees it, drawn and in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple

from bot.replies import board_picture
from bot.replies.board_picture import LIGHT, BoardDrawing, Palette, Patch
from bot.replies.reply import Attachment
from bot.table.board.places import cell_size, column_names, place_words
from bot.table.board.routes import Passes
from bot.table.board.surface import (
    FIRE,
    TABLE,
    Area,
    Board,
    TableState,
    Terrain,
    hidden_places,
    place_of,
    require_board,
    sorted_models,
    things,
)
from bot.table.encounter import Encounter
from bot.table.game import activated, game_of
from rules.measure import Point, bearing, moved

HIDDEN_RADIUS = 0.5


def drawing(encounter: Encounter, sides: Sequence[int] = ()) -> BoardDrawing:
    """Return everything that may be shown of the board. sides: whose hidden things are shown too.

    Raises InvalidInput without a board.
    """
    board = require_board(encounter)
    order = {side.id: place for place, side in enumerate(encounter.sides())}
    patches = [_area(one) for one in board.areas] + [_terrain(board, one) for one in board.terrain]
    pieces, acting = [], activated(encounter)
    signs = signs_of(encounter)
    for row in sorted_models(encounter):
        body = board.standing.get(row.id)
        if body is None:
            continue
        game = game_of(encounter)
        note = game.model_summary(encounter, row).removeprefix(row.name).lstrip(",: ")
        is_down = row.status == "down" or 0 < game.life(row) <= row.damage
        piece = board_picture.DrawnModel(
            row.id, signs[row.id], row.name, body.at, body.radius, order.get(row.side, 0), body.facing,
            body.bottom, note, is_down, acts=row.id in acting,
        )  # fmt: skip
        pieces.append(piece)
    for side in sides:
        for name, at in hidden_places(encounter, side).values():
            pieces.append(
                board_picture.DrawnModel(0, "?", name, at, HIDDEN_RADIUS, order.get(side, 0), is_hidden=True)
            )
    return BoardDrawing(
        board.width, board.depth, cell_size(board), column_names(board), patches, pieces,
        last_shot(encounter, board), _declared(encounter), astuple(board.photo) if board.photo else None,
    )  # fmt: skip


def signs_of(encounter: Encounter) -> dict[int, str]:
    """Return the number drawn on each model in the picture, counted separately for each side."""
    signs: dict[int, str] = {}
    for side in encounter.sides():
        everybody = enumerate(encounter.models(side.id, gone=True), 1)
        signs |= {row.id: str(place) for place, row in everybody}
    return signs


def _declared(encounter: Encounter) -> Sequence[Point]:
    """Return the way of a move to which others may react now, or () if there is none."""
    game = game_of(encounter)
    found = game.passing(encounter) if isinstance(game, Passes) else None
    return found[1] if found is not None else ()


def last_shot(encounter: Encounter, board: Board) -> tuple[Point, ...]:
    """Return the line of the last attack, from base to base, or () if one of the models has left the
    table.
    """
    (table,) = things(encounter, TABLE)
    state = TableState(table)
    one, other = board.standing.get(state.shooter), board.standing.get(state.target)
    if one is None or other is None:
        return ()
    turn = bearing(one.at, other.at)
    return moved(one.at, turn, one.radius), moved(other.at, turn + 180, other.radius)


def _terrain(board: Board, one: Terrain) -> Patch:
    if one.kind == "smoke":
        style = "smoke"
    elif one.dangerous or one.kind == FIRE:
        style = "danger"
    elif one.kind == "water":
        style = "water"
    elif one.is_opaque:
        style = "solid"
    else:
        style = "green" if one.top > one.bottom else "rough"
    tall = f' ({one.top - one.bottom:g}")' if one.top > one.bottom else ""
    height, words = one.top - one.bottom, terrain_words(board, one)
    return Patch(
        one.number,
        one.shape.outline,
        one.shape.middle,
        style,
        f"{one.name}{tall}",
        words=words,
        height=height,
    )


def _area(one: Area) -> Patch:
    return Patch(one.number, one.shape.outline, one.shape.middle, "area", one.name, one.side - 1)


# ------------------------------------------------------------------------------------------- shown


def picture(encounter: Encounter, sides: Sequence[int] = (), colours: Palette = LIGHT) -> Attachment:
    """Return the board as a picture, with all of it in words."""
    return board_picture.picture(drawing(encounter, sides), in_words(encounter, sides), colours)


def svg(encounter: Encounter, sides: Sequence[int] = (), colours: Palette = LIGHT) -> str:
    """Return the board as SVG, with all of it in words."""
    return board_picture.svg(drawing(encounter, sides), in_words(encounter, sides), colours)


def in_words(encounter: Encounter, sides: Sequence[int] = ()) -> str:
    """Return the board in one description: its size, the place of each model, and the terrain."""
    board = require_board(encounter)
    photo = ", on a photograph" if board.photo else ""
    parts = [f"Board of {board.width:g} by {board.depth:g} in{photo}", *standing_lines(encounter, sides)]
    parts += [terrain_words(board, one) for one in board.terrain]
    return "; ".join(parts) + "."


def standing_lines(encounter: Encounter, sides: Sequence[int] = ()) -> list[str]:
    """Return the place of each model: one line each, with its number in the picture."""
    board, signs = require_board(encounter), signs_of(encounter)
    lines = []
    for row in sorted_models(encounter):
        at = place_of(row)
        if at is not None and row.id in board.standing:
            level = board.standing[row.id].bottom
            up = f", level {level:g}" if level else ""
            lines.append(f"{signs[row.id]} {row.name} at {place_words(board, at)}{up}")
    for side in sides:
        for name, at in hidden_places(encounter, side).values():
            lines.append(f"{name} hidden at {place_words(board, at)}")
    return lines


COVERS = ("", "light cover", "medium cover", "heavy cover")


def terrain_words(board: Board, one: Terrain) -> str:
    """Return a piece of terrain in words."""
    said = [f"{one.name} at {place_words(board, tuple(round(part, 1) for part in one.shape.middle))}"]  # type: ignore[arg-type]
    said += [f"{one.top - one.bottom:g} in high"] if one.top > one.bottom else []
    said += [f"level {one.bottom:g}"] if one.bottom else []
    said += ["blocks sight"] if one.is_opaque else []
    said += [COVERS[one.cover]] if one.cover else []
    said += [f"rough {one.rough}"] if one.rough else []
    said += [f"dangerous {one.dangerous}"] if one.dangerous else []
    said += ["climbable"] if one.is_climbable else []
    return ", ".join(said)
