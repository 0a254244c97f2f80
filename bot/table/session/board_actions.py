"""The board at the table: chosen, its terrain changed, models deployed, moved and measured."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from bot.actions import Action, done_by, raw_of
from bot.replies.reply import Attachment, Button, Reply, Style
from bot.store.rows import ModelRow, SideRow, ThingRow
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.asking.descriptions import group
from bot.table.asking.kinds import Asking, Offer
from bot.table.asking.measuring import ways
from bot.table.board import facts, layouts, showing, surface
from bot.table.board.layouts import KINDS, MAX_LAYOUT_BYTES, piece_of, tables_for
from bot.table.board.places import direction, place, place_words, way
from bot.table.board.routes import (
    BoardPath,
    ChecksGround,
    gone,
    in_the_air,
    level_at,
    planned,
    require_place,
    standing,
)
from bot.table.board.surface import (
    MAX_HEIGHT,
    Board,
    Terrain,
    board_of,
    kept,
    place_of,
    require_board,
    things,
)
from bot.table.encounter import ENDED, SETUP, Encounter, EncounterView
from bot.table.game import MovesOnBoard, OnBoard, concealed_from, game_of
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.names import check_name, find, find_free_name
from bot.table.offers.legal_actions import Looking
from bot.table.owners import ANYONE, PLAYER, side_in
from bot.table.session.possible_actions import list_acting
from rules import measure
from rules.measure import Body, Point, tenths
from rules.refusals import InvalidInput
from rules.wording import times

group("board", "The shared board, measured in inches")

MAX_DEGREES = 359
MIN_TABLE_SHARE, MAX_ENLARGEMENT = 0.1, 20
"""The least share of a photograph that the table has, and how many times as large as the table it may be."""
DEPLOY_GAP = 2.0
"""Inches between models that are deployed side by side."""


# ------------------------------------------------------------------------------------ what is named


def _list_tables(context: Asking) -> Sequence[Offer]:
    """Return the standard tables of the game, the best first; empty for a game on squares."""
    if not context.act.has_encounter or not isinstance(game_of(context.act.encounter), OnBoard):
        return ()
    standard_tables = tables_for(context.act.encounter.row.system)
    sizes = [(table, f"{table.board.width:g} by {table.board.depth:g} in") for table in standard_tables]
    return [
        *(Offer(table.name, table.name, size) for table, size in sizes),
        Offer("48x48", "Empty, 48 by 48 in"),
    ]


def _list_terrain(context: Asking) -> Sequence[ThingRow]:
    if not context.act.has_encounter:
        return ()
    return [*things(context.act.encounter, surface.TERRAIN), *things(context.act.encounter, surface.AREA)]


def _list_concealed(context: Asking) -> Sequence[Offer]:
    """Return the person's hidden models by number alone, because typed text never contains the sign before
    it.
    """
    if not context.act.has_encounter or not surface.has_board(context.act.encounter):
        return ()
    concealed = concealed_from(context.act.encounter, context.act.actor.user_id)
    return [Offer(key.lstrip("~"), hidden.name) for key, hidden in concealed.items()]


# ------------------------------------------------------------------------------------ what is asked


@dataclass(frozen=True, slots=True)
class ChooseTable(Action):
    """Choose a table for the shared board.

    Its name, or a size for an empty one. Models that stood on the table before are taken off.
    """

    command = "board.table"
    typed = "board table"
    titled = "Shared board"
    waits_for_dice = True
    decision_of = PLAYER

    table: str = fields.words(
        "Name of a table, or the size of an empty one in inches, such as 48x48", _list_tables, begun=True
    )
    zones: str = fields.one_of("Deployment zones (leave blank for the usual ones)", layouts.ZONES, default="")


@dataclass(frozen=True, slots=True)
class PutAway(Action):
    """Put the board away, and enter distances yourself again."""

    command = "board.away"
    typed = "board away"
    titled = "Put the board away"
    waits_for_dice = True
    decision_of = PLAYER


@dataclass(frozen=True, slots=True)
class ShowBoard(Action):
    """Show the board and where everyone stands (visible only to you)."""

    command = "board.show"
    typed = "board show"
    titled = "Show the board"
    decision_of = ANYONE


@dataclass(frozen=True, slots=True)
class DeploySide(Action):
    """Deploy all your models that aren't on the board yet, side by side in your zone."""

    command = "board.deploy"
    typed = "board deploy"
    titled = "Deploy everyone"
    waits_for_dice = True

    side: SideRow = fields.side("Your side", mine=True, needed=True)


@dataclass(frozen=True, slots=True)
class PlaceModel(Action):
    """Place a model on the board, or move it freely to correct its position.

    level: inches above the table; below 0 for the ground. base: millimetres, 0 for that of its profile.
    """

    command = "board.place"
    typed = "board place"
    titled = "Place"
    waits_for_dice = True

    model: ModelRow = fields.own_model("Model", mine=True, needed=True)
    where: str = fields.words(
        'Position, such as "D7", "12.5 30" or the name of a model',
        ways,
        needed=True,
        notation=True,
        pointed="spot",
    )
    facing: str = fields.text("Direction to face, such as north, 90 (degrees), D7 or a model")
    level: float = fields.inches("Height above the table (inches)", 0.0, MAX_HEIGHT, default=-1.0)
    base: int = fields.whole("Base size in mm (leave blank for the usual size)", 15, 160, default=0)


@dataclass(frozen=True, slots=True)
class MoveModel(Action):
    """Move a model on the board, and measure how far it goes and what it crosses.

    where: in straight parts with "then" between them. freely: not as an action of the game.
    """

    command = "board.move"
    typed = "board move"
    titled = "Move on the board"
    waits_for_dice = True

    model: ModelRow = fields.own_model("Model", mine=True, needed=True)
    where: str = fields.words(
        'Route, such as "6 towards Trapper" or "to D7"', ways, needed=True, notation=True, pointed="route"
    )
    facing: str = fields.text("Direction to face, such as north, 90 (degrees), D7 or a model")
    level: float = fields.inches("Height at the end of the move (inches)", 0.0, MAX_HEIGHT, default=-1.0)
    freely: bool = fields.switch("Move it only on the board, without using an action")


@dataclass(frozen=True, slots=True)
class TakeOff(Action):
    """Remove a model from the board."""

    command = "board.off"
    typed = "board off"
    titled = "Remove from the board"
    waits_for_dice = True

    model: ModelRow = fields.own_model("Model", mine=True, needed=True)


@dataclass(frozen=True, slots=True)
class HideModel(Action):
    """Secretly note where a hidden model is (only your side sees the note).

    where: empty to remove the note.
    """

    command = "board.hide"
    typed = "board hide"
    titled = "Place a hidden model"
    decision_of = side_in("side")
    secret = True

    side: SideRow = fields.side("Your side", mine=True, needed=True)
    who: str = fields.words("Hidden model", _list_concealed, needed=True)
    where: str = fields.text(
        'Position, such as "D7" or "12.5 30" (leave blank to remove the note)', pointed="spot"
    )


@dataclass(frozen=True, slots=True)
class AddTerrain(Action):
    """Add a piece of terrain to the board.

    size: width and depth in inches; one number makes it round. along: the far end of a wall.
    """

    command = "board.terrain"
    typed = "board terrain"
    titled = "Add terrain"
    waits_for_dice = True
    decision_of = PLAYER

    kind: str = fields.one_of("Kind of terrain", tuple(KINDS), needed=True)
    where: str = fields.text(
        'Middle ("D7" or "12.5 30"), one end of a line, or corners separated by ;',
        400,
        needed=True,
        pointed="spot",
    )
    size: str = fields.text("Size (inches), such as 6x4; one number is a radius or the thickness of a line")
    along: str = fields.text('Other end of a line, such as "F9" or "20 12"', pointed="spot")
    turned: int = fields.whole("Rotation (degrees clockwise)", 0, MAX_DEGREES, default=0)
    height: float = fields.inches(
        "Height in inches (leave blank for the usual height)", 0.0, MAX_HEIGHT, default=-1.0
    )
    level: float = fields.inches(
        "Height of the terrain's underside above the table (inches)", 0.0, MAX_HEIGHT, default=0.0
    )
    cover: int = fields.whole("Cover: 0 none, 1 light, 2 medium, 3 heavy", 0, 3, default=-1)
    name: str = fields.text("Name of the terrain", 40)


@dataclass(frozen=True, slots=True)
class RemoveTerrain(Action):
    """Remove a piece of terrain or an area from the board."""

    command = "board.remove"
    typed = "board remove"
    titled = "Remove terrain"
    waits_for_dice = True
    decision_of = PLAYER

    name: ThingRow = fields.among(
        "Terrain or area to remove", _list_terrain, lambda row: row.name, what="piece of terrain", needed=True
    )


@dataclass(frozen=True, slots=True)
class ExportTable(Action):
    """Export the table and its terrain as a small file (visible only to you)."""

    command = "board.export"
    typed = "board export"
    titled = "Export the table"
    decision_of = ANYONE


@dataclass(frozen=True, slots=True)
class ImportTable(Action):
    """Import a table from a file that you saved with /board export."""

    command = "board.import"
    typed = "board import"
    titled = "Import a table"
    waits_for_dice = True
    decision_of = PLAYER

    layout: str = fields.attached("Table layout (JSON)", MAX_LAYOUT_BYTES, called="file", needed=True)


@dataclass(frozen=True, slots=True)
class LayPhoto(Action):
    """Put a photograph of your table under the board, scaled to the board's size."""

    command = "board.photo"
    typed = "board photo"
    titled = "Photograph"
    decision_of = PLAYER

    picture: str = fields.pictured("Photograph (JPEG, PNG or WebP file)", called="file", needed=True)


@dataclass(frozen=True, slots=True)
class FitPhoto(Action):
    """Scale the photograph: enter where two opposite corners of your real table appear on the board.

    one, other: two opposite corners of the real table, as they are on the board now.
    """

    command = "board.scale"
    typed = "board scale"
    titled = "Scale the photograph"
    decision_of = PLAYER

    one: str = fields.text(
        'Board position of one corner of the photographed table, such as "3 4"', needed=True
    )
    other: str = fields.text('Board position of the opposite corner, such as "45 44"', needed=True)


@dataclass(frozen=True, slots=True)
class RemovePhoto(Action):
    """Remove the photograph under the board."""

    command = "board.plain"
    typed = "board plain"
    titled = "Remove the photograph"
    decision_of = PLAYER


# ------------------------------------------------------------------------------------ the table


def _require_may_change(act: ActView, action: Any = None) -> None:
    """Refuse changes of the table that one player may not make. Raises InvalidInput, NotAllowed.

    Before the game begins any player may change it; later the organiser, or a player with a reason that
    everyone reads.
    """
    if act.encounter.row.status == ENDED:
        raise InvalidInput("This game has ended.")
    if act.encounter.row.status != SETUP:
        act.require(
            act.organises, "Ask the organiser to change the table, because the game has already begun."
        )


def _require_may_choose(act: ActView, action: Any) -> None:
    _require_may_change(act)
    _require_inches(act.encounter)


def _reply_with_board(act: Act, *lines: str, buttons: Sequence[Button] = ()) -> Reply:
    return Reply(tuple(lines), buttons=(*buttons, UNDO), files=act.drawn(showing.picture, act.encounter))


@handles(ChooseTable, may=_require_may_choose)
def choose_table(act: Act, action: ChooseTable) -> Reply:
    """Choose a standard table, or an empty one."""
    _require_may_change(act)
    encounter = act.encounter
    _require_inches(encounter)
    name, board = _parse_table(encounter, action.table)
    board = layouts.with_zones(encounter.row.system, board, action.zones)
    surface.lay(encounter, board)
    return _reply_with_board(act, *_describe_board(name, board), buttons=build_deploy_buttons(encounter))


def _require_inches(encounter: EncounterView) -> None:
    """Refuse a table in inches for a game on squares. Raises InvalidInput."""
    if not isinstance(game_of(encounter), OnBoard):
        raise InvalidInput(
            f"Use the game's own board, because {game_of(encounter).name} is played on squares."
        )


def _parse_table(encounter: Encounter, text: str) -> tuple[str, Board]:
    standard_tables = tables_for(encounter.row.system)
    if not text:
        return standard_tables[0].name, standard_tables[0].board
    parts = text.casefold().replace("by", "x").replace(",", "x").split("x")
    if len(parts) == 2 and all(part.strip().isdecimal() and len(part) < 6 for part in parts):
        width, depth = (float(part) for part in parts)
        layouts.require_size(width, depth)
        areas = layouts.zones(width, depth, min(6.0, depth / 4))
        return "an empty table", Board(width, depth, areas=areas)
    table = find(text, layouts.standard_tables(), lambda table: table.name, "table")
    return table.name, table.board


def _describe_board(name: str, board: Board) -> list[str]:
    return [
        f"The board is {name}, {board.width:g} by {board.depth:g} in.",
        "Distances, sight and cover are measured for models on the board.",
    ]


def build_deploy_buttons(encounter: Encounter) -> list[Button]:
    """Return a button for each side that has a zone on the board and isn't fully deployed yet.

    It is lit until the side has its first model on the board.
    """
    board, buttons = board_of(encounter), list[Button]()
    for side in encounter.sides() if board is not None else ():
        models = encounter.models(side.id)
        undeployed = [row for row in models if place_of(row) is None]
        if board is not None and undeployed and _find_zone(encounter, board, side.id) is not None:
            style: Style = "main" if len(undeployed) == len(models) else "plain"
            buttons.append(Button(f"Deploy {side.name}", DeploySide(side), style, anytime=True))
    return buttons


@handles(PutAway, may=_require_may_change)
def put_away(act: Act, action: PutAway) -> Reply:
    """Remove the board with everything on it from the game."""
    require_board(act.encounter)
    _require_may_change(act)
    surface.clear(act.encounter)
    return Reply(
        ("The board has been put away. From now on, enter distances and cover yourself.",), buttons=(UNDO,)
    )


@handles(ShowBoard)
def show_board(act: Act, action: ShowBoard) -> Reply:
    """Show the picture, and the place of each model."""
    encounter = act.encounter
    require_board(encounter)
    lines = [
        f"The board is {facts.size_words(encounter)}.",
        *(showing.standing_lines(encounter, act.actor.user_id) or ["There are no models on it yet."]),
    ]
    files = act.drawn(showing.picture, encounter, act.actor.user_id)
    return Reply(tuple(lines), private=True, files=files)


@handles(ExportTable)
def export_table(act: Act, action: ExportTable) -> Reply:
    """Export the layout as a file."""
    board = require_board(act.encounter)
    data = layouts.exported(board, act.encounter.row.name).encode()
    file = Attachment("table.json", "The table and its terrain as a file for /board import.", data)
    return Reply(("Here is the table as a file. Use /board import to load it.",), private=True, files=(file,))


@handles(ImportTable)
def import_table(act: Act, action: ImportTable) -> Reply:
    """Import a layout in place of the table."""
    return import_layout(act, action.layout)


def import_layout(act: Act, text: str) -> Reply:
    """Set up the table of a layout file in place of the one there. Raises InvalidInput, NotAllowed."""
    _require_may_change(act)
    _require_inches(act.encounter)
    name, board = layouts.imported(text)
    surface.lay(act.encounter, board)
    return _reply_with_board(
        act, *_describe_board(name or "an imported table", board), buttons=build_deploy_buttons(act.encounter)
    )


def _require_photo(act: Act) -> surface.Photo:
    """Return the photograph under the board. Raises InvalidInput without one."""
    photo = require_board(act.encounter).photo
    if photo is None:
        raise InvalidInput(
            "Add a photograph first with /board photo (in a browser, press List, then Add a photograph)."
        )
    return photo


def _set_photo(act: Act, photo: surface.Photo | None) -> None:
    (table,) = things(act.encounter, surface.TABLE)
    table.content = photo.written if photo else ""


@handles(LayPhoto, may=_require_may_change)
def lay_photo(act: Act, action: LayPhoto) -> Reply:
    """Lay a picture over the whole table, replacing the last one."""
    board = require_board(act.encounter)
    _require_may_change(act)
    if not re.fullmatch(f"[0-9a-f]{{{surface.PICTURE_LENGTH}}}", action.picture):
        raise InvalidInput("Send the photograph as a file with /board photo.")
    _set_photo(act, surface.Photo(action.picture, 0.0, 0.0, board.width, board.depth))
    sentence = (
        "If the photograph shows more than the table, use /board scale with two opposite corners of the "
        "table (in a browser, press List, then Scale the photograph)."
    )
    return _reply_with_board(act, "The photograph is now under the board.", sentence)


@handles(FitPhoto, may=_require_may_change)
def fit_photo(act: Act, action: FitPhoto) -> Reply:
    """Stretch and move the photograph until both corners are those of the board."""
    board, photo = require_board(act.encounter), _require_photo(act)
    _require_may_change(act)
    find_body = partial(standing, act.encounter)
    corners = [place(board, text, find_body) for text in (action.one, action.other)]
    (west, east), (south, north) = (sorted(axis) for axis in zip(*corners, strict=True))
    if east - west < MIN_TABLE_SHARE * board.width or north - south < MIN_TABLE_SHARE * board.depth:
        raise InvalidInput(
            "Enter two opposite corners of the table; those two are on the same edge or too close together."
        )
    width_scale, depth_scale = board.width / (east - west), board.depth / (north - south)
    fitted_photo = surface.Photo(
        photo.digest,
        (photo.left - west) * width_scale,
        (photo.low - south) * depth_scale,
        (photo.right - west) * width_scale,
        (photo.high - south) * depth_scale,
    )
    if (
        fitted_photo.right - fitted_photo.left > MAX_ENLARGEMENT * board.width
        or fitted_photo.high - fitted_photo.low > MAX_ENLARGEMENT * board.depth
    ):
        raise InvalidInput(
            "Add the photograph again with /board photo (in a browser, press List, then Add a photograph), "
            f"because scaling would make this one more than {MAX_ENLARGEMENT} times as large as the board."
        )
    _set_photo(act, fitted_photo)
    return _reply_with_board(act, "The photograph has been scaled.")


@handles(RemovePhoto, may=_require_may_change)
def remove_photo(act: Act, action: RemovePhoto) -> Reply:
    """Remove the photograph."""
    _require_photo(act)
    _require_may_change(act)
    _set_photo(act, None)
    return _reply_with_board(act, "The photograph has been removed.")


# ------------------------------------------------------------------------------------ terrain


@handles(AddTerrain, may=_require_may_change)
def add_piece(act: Act, action: AddTerrain) -> Reply:
    """Add one more piece, checked before it is put down."""
    encounter = act.encounter
    board = require_board(encounter)
    _require_may_change(act)
    surface.require_room(len(board.terrain) + len(board.areas) + 1)
    shape = _parse_shape(act, board, action)
    name = check_name(action.name, "name") if action.name else action.kind
    terrain = piece_of(
        action.kind,
        shape,
        find_free_name(
            name,
            [*(terrain_piece.name for terrain_piece in board.terrain), *(area.name for area in board.areas)],
        ),
        action.height if action.height >= 0 else None,
        bottom=action.level,
        **({"cover": action.cover} if action.cover >= 0 else {}),
    )
    surface.require_fit(board, [terrain])
    buried = [row for row in encounter.models() if _is_buried(board.standing.get(row.id), terrain)]
    if buried:
        raise InvalidInput(
            f"{buried[0].name} is already in that place. Move that model first, or choose another place."
        )
    surface.add_terrain(encounter, terrain)
    added = require_board(encounter).terrain_named(terrain.name)
    assert added is not None, "it was just added"
    sentence = f"Added {showing.terrain_words(board, added)}."
    return _reply_with_board(act, sentence, buttons=build_deploy_buttons(encounter))


def _is_buried(body: Body | None, terrain: Terrain) -> bool:
    return body is not None and terrain.holds(body)


def _parse_shape(act: Act, board: Board, action: AddTerrain) -> surface.Shape:
    """Return the shape of a piece as it was typed. Raises InvalidInput."""
    find_body = partial(standing, act.encounter)
    points = [kept(place(board, part, find_body)) for part in action.where.split(";") if part.strip()]
    numbers = _parse_sizes(action.size)
    if action.along:
        endpoints = (points[0], kept(place(board, action.along, find_body)))
        return surface.shape_of({"form": "line", "points": endpoints, "numbers": [*numbers, 0.5][:1]})
    if len(points) > 1:
        return surface.shape_of({"form": "polygon", "points": points})
    if len(numbers) == 1:
        return surface.shape_of({"form": "circle", "points": points, "numbers": numbers})
    sizes = [*(numbers or [3.0, 3.0]), float(action.turned)]
    return surface.shape_of({"form": "rectangle", "points": points, "numbers": sizes})


def _parse_sizes(text: str) -> list[float]:
    try:
        sizes = [float(part) for part in text.lower().replace("by", "x").replace(" ", "").split("x") if part]
    except ValueError:
        sizes = [-1.0]
    if len(sizes) > 2 or any(not 0.1 <= size <= 100 for size in sizes):
        raise InvalidInput(
            'Enter a size like "6x4", or one number for a radius or a thickness (0.1 to 100 in).'
        )
    return sizes


@handles(RemoveTerrain, may=_require_may_change)
def remove_piece(act: Act, action: RemoveTerrain) -> Reply:
    """Remove a piece from the table."""
    _require_may_change(act)
    act.encounter.book.remove(action.name)
    return _reply_with_board(act, f"{action.name.name} has been removed from the board.")


# ------------------------------------------------------------------------------------ models


@handles(PlaceModel)
def place_model(act: Act, action: PlaceModel) -> Reply:
    """Place a model anywhere on the table."""
    row, encounter = action.model, act.encounter
    board = require_board(encounter)
    if action.base:
        surface.PlaceState(row).base = action.base
    body = placed(encounter, action)
    require_place(encounter, row.id, body)
    surface.stand(row, body)
    sentence = f"{row.name} is now at {place_words(board, body.at)}{_format_level(body.bottom)}."
    lines = [sentence, *([f"Its base is now {action.base} mm wide."] if action.base else [])]
    lines += in_the_air(board, body)
    lines += filter(None, [outside_words(encounter, row.side, body)])
    return _reply_with_board(act, *lines)


def placed(encounter: EncounterView, action: PlaceModel) -> Body:
    """Return a model as it would stand where it is placed. Raises InvalidInput."""
    row, board = action.model, require_board(encounter)
    current_body = surface.body_of(encounter, row)
    find_body = partial(standing, encounter)
    target = current_body or surface.body_at(encounter, row, (0.0, 0.0), 0.0, None)
    point = kept(
        way(board, target, action.where, find_body).end
        if current_body
        else place(board, action.where, find_body)
    )
    level_before = current_body.bottom if current_body else 0.0
    body = replace(target, at=point, bottom=level_at(board, point, action.level, level_before))
    return replace(body, facing=direction(action.facing, body, board, find_body))


def outside_words(encounter: EncounterView, side: int, body: Body) -> str:
    """Return the sentence for a model that is deployed outside its zone; empty if there is none to say."""
    zone = _find_zone(encounter, require_board(encounter), side) if not encounter.row.turn else None
    # Places are kept in hundredths of an inch, so a base at the table's edge may be over it by that.
    kept_body = replace(body, radius=body.radius - measure.MAY_OVERLAP)
    if zone is None or measure.under(kept_body, zone.shape.outline) == "wholly":
        return ""
    return f"It isn't wholly in {layouts.zone_words(zone)}."


def _find_zone(encounter: EncounterView, board: Board, side: int) -> surface.Area | None:
    order = [side_row.id for side_row in encounter.sides()].index(side) + 1
    return next((area for area in board.areas if area.kind == "deployment" and area.side == order), None)


def _format_level(level: float) -> str:
    return f", level {level:g}" if level else ""


@handles(MoveModel)
def move_model(act: Act, action: MoveModel) -> Reply:
    """Move a model, or offer its game's own move if it acts."""
    path = planned(act.encounter, action.model.id, format_route(action))
    own_move = None if action.freely else find_own_move(act, path)
    if own_move is not None:
        board_only_button = Button(ONLY_ON_THE_BOARD, replace(action, freely=True), anytime=True)
        sentence = f"{action.model.name} moves {tenths(path.length):g} in. Does this count as its move?"
        if own_move.action is None:
            return Reply((NOT_ALLOWED, *own_move.refused), private=True, buttons=(board_only_button,)).minor()
        button = Button(own_move.label, own_move.action, "main", anytime=True)
        return Reply((sentence, *own_move.refused), private=True, buttons=(button, board_only_button)).minor()
    lines = gone(act.encounter, path)
    checks = _ground_checks(act.encounter, path)
    if note := explain_uncounted(act.encounter, path):
        lines.append("This doesn't count as an action in the game." if action.freely else note)
    return _reply_with_board(act, *lines, buttons=checks)


def _ground_checks(encounter: Encounter, path: BoardPath) -> tuple[Button, ...]:
    """Return what a model has to settle after a way, as after a leap that the game measured."""
    played, is_move = game_of(encounter), bool(encounter.row.turn) and path.length > MAX_NUDGE
    return played.ground_checks(encounter, path) if is_move and isinstance(played, ChecksGround) else ()


def explain_uncounted(encounter: Encounter, path: BoardPath) -> str:
    """Return the note for a move that doesn't count as an action; empty if it needs none."""
    counts = not encounter.row.turn or path.length <= MAX_NUDGE
    return (
        "" if counts else "The model isn't acting now, so this move doesn't count as an action in the game."
    )


def format_route(action: MoveModel) -> str:
    """Return a move's route with its end, in words."""
    facing = f" facing {action.facing}" if action.facing else ""
    return f"{action.where}{facing}{f' level {action.level:g}' if action.level >= 0 else ''}"


MAX_NUDGE = 0.5
"""Moves of up to so many inches only correct a model's position and are not an action of the game."""
ONLY_ON_THE_BOARD = "Move only on the board"
NOT_ALLOWED = "The game doesn't allow this move now."


@dataclass(frozen=True, slots=True)
class OwnMove:
    """The game's own move along a route. action: None if it allows none.

    refused: in lines why it allows none, or no cheaper one.
    """

    label: str = ""
    action: Action | None = None
    refused: Sequence[str] = ()


def find_own_move(act: Act, path: BoardPath) -> OwnMove | None:
    """Return the game's cheapest move of an acting model along a route.

    None if the model doesn't act, or its game has no such moves.
    """
    row = act.encounter.model(path.model)
    if row not in list_acting(act.encounter) or path.length <= MAX_NUDGE or not act.plays_on(row.side):
        return None
    game = game_of(act.encounter)
    if not isinstance(game, MovesOnBoard):
        return None
    looking, labels_by_reason = Looking(act.book, act.actor), dict[str, list[str]]()
    found = OwnMove()
    for label, move in game.board_moves(act.encounter, row).items():
        values = {**raw_of(move), **done_by(move.command, f"#{row.id}"), "where": path.words}
        legal = looking.legal(type(move), values)
        if not legal.reason:
            found = OwnMove(label, legal.action)
            break
        labels_by_reason.setdefault(legal.reason, []).append(label)
    refused = [f"{', '.join(labels)}: {reason}" for reason, labels in labels_by_reason.items()]
    return replace(found, refused=refused)


@handles(TakeOff)
def take_off(act: Act, action: TakeOff) -> Reply:
    """Remove a model from the table, but not from the game."""
    if place_of(action.model) is None:
        raise InvalidInput(f"{action.model.name} isn't on the board.")
    surface.lift(action.model)
    return _reply_with_board(act, f"{action.model.name} has been taken off the board.")


@handles(DeploySide)
def deploy_side(act: Act, action: DeploySide) -> Reply:
    """Place all models of a side in its zone, in rows from the middle."""
    encounter = act.encounter
    board = require_board(encounter)
    zone = _find_zone(encounter, board, action.side.id)
    if zone is None:
        raise InvalidInput("Use /board place, because this table has no deployment zone for your side.")
    undeployed = [row for row in encounter.models(action.side.id) if place_of(row) is None]
    if not undeployed:
        raise InvalidInput("All your models are on the board already.")
    facing = measure.bearing(zone.shape.middle, (board.width / 2, board.depth / 2))
    for row in undeployed:
        body = surface.body_at(encounter, row, (0.0, 0.0), 0.0, float(round(facing) % 360))
        surface.stand(
            row, replace(body, at=_find_free_point(act, body, zone.shape.outline, zone.shape.middle))
        )
    lines = (
        f"{action.side.name} deploys {times(len(undeployed), 'model')} in {layouts.zone_words(zone)}.",
        "Until the game begins, you can drag models in a browser or move them with /board place.",
    )
    return _reply_with_board(act, *lines, buttons=build_deploy_buttons(encounter))


def _find_free_point(act: Act, body: Body, outline: Sequence[Point], middle: Point) -> Point:
    """Return the free place of a zone nearest to its middle, along its middle line first, beside walls rather
    than half on them. Raises InvalidInput.
    """
    board = require_board(act.encounter)
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    spots = [
        (x / 2, y / 2)
        for x in range(int(min(xs) * 2), int(max(xs) * 2) + 1)
        for y in range(int(min(ys) * 2), int(max(ys) * 2) + 1)
    ]
    spots.sort(key=lambda spot: (abs(spot[0] - middle[0]) + 4 * abs(spot[1] - middle[1]), spot))
    for walls in ([piece.shape.outline for piece in board.terrain if piece.is_opaque], []):
        for spot in spots:
            moved_body = replace(body, at=spot)
            standing_bodies = board.standing.values()
            has_room = all(measure.distance(moved_body, other) >= DEPLOY_GAP for other in standing_bodies)
            is_inside = has_room and measure.under(moved_body, tuple(outline)) == "wholly"
            is_beside = is_inside and not any(measure.under(moved_body, wall) for wall in walls)
            if is_beside and not surface.misplaced(board, moved_body, 0, {}):
                return spot
    raise InvalidInput("The deployment zone is full. Place your models with /board place.")


@handles(HideModel)
def hide_model(act: Act, action: HideModel) -> Reply:
    """Write a note that only the side reads."""
    encounter = act.encounter
    act.require_side(action.side.id)
    board = require_board(encounter)
    names_by_key = {str(offer.value): offer.label for offer in _list_concealed(Asking(act, "who"))}
    by_name = {name.casefold(): key for key, name in names_by_key.items()}
    typed_key = action.who.lstrip("~")
    chosen_key = typed_key if typed_key in names_by_key else by_name.get(typed_key.casefold(), "")
    if not chosen_key:
        raise InvalidInput("Choose one of your hidden models.")
    body = noted(encounter, action) if action.where else None
    if body is not None and (fault := surface.misplaced_note(board, body)):
        raise InvalidInput(fault)
    point = body.at if body is not None else None
    surface.hide(encounter, action.side.id, act.actor.user_id, chosen_key, names_by_key[chosen_key], point)
    level = _format_level(surface.roof_at(board, point)) if point else ""
    sentence = (
        f"{names_by_key[chosen_key]} is hidden at {place_words(board, point)}{level}."
        if point
        else f"The note about {names_by_key[chosen_key]} has been removed."
    )
    privacy = "Only your side sees this note." if point else "Only you can see this message."
    remove = (Button("Remove the note", replace(action, where=""), anytime=True),) if point else ()
    outside = outside_words(encounter, action.side.id, body) if body is not None else ""
    lines = (sentence, *filter(None, [outside]), privacy)
    return Reply(lines, private=True, buttons=remove).minor()


def noted(encounter: EncounterView, action: HideModel) -> Body:
    """Return a hidden model where it is noted. Raises InvalidInput."""
    point = kept(place(require_board(encounter), action.where, partial(standing, encounter)))
    return Body(point, showing.HIDDEN_RADIUS)
