"""Actions that create the board, change its objects and Artifacts, and set its light and weather."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from bot.actions import Action
from bot.games.soluna import suggestions
from bot.games.soluna.activation import check_settled
from bot.games.soluna.board import (
    ARTIFACT,
    BOARD,
    CLOUD,
    OBJECT,
    PULSE,
    add_thing,
    at,
    board_of,
    board_row,
    describe_squares,
    dump_squares,
    load_squares,
    parse_squares,
    square_of,
    take_off_board,
    thing_rows,
    to_json,
)
from bot.games.soluna.board import put_model as put
from bot.games.soluna.board_picture import assign_letters, draw_board, surroundings
from bot.games.soluna.samples import NAMES, NORTH_PLACES, SAMPLE_DRAWING, SOUTH_PLACES
from bot.games.soluna.state import ArtifactState, ObjectState
from bot.replies.reply import Blank, Button, Reply, form
from bot.store.rows import ThingRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.encounter import Encounter
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.names import check_name, find_free_name
from bot.table.owners import PLAYER
from bot.table.reaction_windows import require_no_dice
from rules.refusals import InvalidInput
from rules.systems.soluna.board import (
    MAX_SIDE,
    READ,
    Board,
    Facing,
    Light,
    Point,
    cover_class,
    read_drawing,
)
from rules.wording import join_with_and

_SIZE_PATTERN = re.compile(r"(\d{1,3})\s*(?:x|by|,| )\s*(\d{1,3})", re.IGNORECASE)

DRAWING_FORM = form(
    "sol.drawing",
    "Draw the board (north at the top)",
    Blank("drawing", ".=free  %=soft  #=hard  X=solid  ,=debris", longest=3000, lines=True, as_typed=True),
)


@dataclass(frozen=True, slots=True)
class NewBoard(Action):
    """Create a board.

    size: as 16x12. drawing: lines of squares. Without both, the sample board is used.
    """

    command = "sol.board"
    typed = "sol board new"
    titled = "Create a board"
    waits_for_dice = True
    decision_of = PLAYER

    size: str = fields.text('Size, such as "16x12" (blank for a sample board)', None)
    drawing: str = ""


@dataclass(frozen=True, slots=True)
class AddObject(Action):
    """Add an object to the board.

    body: its Body. artifact: an Artifact of that Health on one square.
    """

    command = "sol.object"
    typed = "sol board add"
    titled = "Add an object"
    said_first = ("squares", "body", "name", "artifact")
    decision_of = PLAYER
    waits_for_dice = True

    name: str = fields.text("Name of the object", None)
    squares: str = fields.text('Squares, such as "3,4" or "3,4-6,4"', None, needed=True)
    body: int = fields.whole("Body (4-6 soft, 7-12 hard, 13+ impenetrable)", 1, 99, default=7)
    artifact: bool = fields.switch("Make the object an Artifact (its Body becomes its Health)")


@dataclass(frozen=True, slots=True)
class ChangeObject(Action):
    """Change or remove an object.

    body: -1 removes it.
    """

    command = "sol.body"
    typed = "sol board change"
    titled = "Change an object"
    decision_of = PLAYER
    waits_for_dice = True

    name: ThingRow = fields.among(
        "Object to change", suggestions.list_objects, lambda row: row.name, what="object", needed=True
    )
    body: int = fields.whole("New Body (0 for debris, blank to remove the object)", 0, 99, default=-1)


LIGHTS: dict[str, Light] = {
    "normal": "normal",
    "dark": "dark",
    "total dark": "total_dark",
    "bright": "bright",
    "extremely bright": "extreme_bright",
}
"""The light that can be set, and the rules' name for it."""


@dataclass(frozen=True, slots=True)
class Surround(Action):
    """Set light, weather and gravity.

    Anything empty or below 0 stays as it is.
    """

    command = "sol.light"
    typed = "sol board light"
    titled = "Environment"
    decision_of = PLAYER

    light: str | None = fields.one_of("Light", LIGHTS)
    weather: str | None = fields.one_of("Effect of the weather on visibility", ("none", "poor", "abysmal"))
    gravity: int = fields.whole("Strength of gravity (0 to 20)", 0, 20, default=-1)
    direction: str | None = fields.one_of("Direction of gravity", ("down", "north", "east", "south", "west"))


# ------------------------------------------------------------------------------------------- laying


@handles(NewBoard)
def new_board(act: Act, action: NewBoard) -> Reply:
    """Create an empty, drawn or sample board in place of the old one; models keep their squares if they can.

    Where none has a square yet, the models are placed on the sample board.
    """
    encounter = act.encounter
    if encounter.row.turn:
        sentence = "Ask the organiser to change the board. Players can't change it once the game has begun."
        act.require(act.organises, sentence)
    if action.drawing:
        board, squares_by_letter = read_drawing(action.drawing)
    elif action.size:
        board, squares_by_letter = Board(*_parse_size(action.size)), {}
    else:
        board, squares_by_letter = read_drawing(SAMPLE_DRAWING)
    object_names = NAMES if not action.size and not action.drawing else {}
    lay_board(encounter, board, object_names)
    if object_names and all(square_of(row) is None for row in encounter.models()):
        for side in encounter.sides():
            line_up(encounter, side.id)
    taken_off = _take_off_misplaced(encounter, board)
    _place_letters(encounter, squares_by_letter)
    board_after = board_of(encounter)
    lines = [f"Board of {board_after.width} by {board_after.height} squares.", *_describe_objects(encounter)]
    lines += [f"Taken off the board: {', '.join(taken_off)}."] if taken_off else []
    buttons = [UNDO]
    if not action.drawing:
        buttons.insert(0, Button("Draw the board...", NewBoard(), form=DRAWING_FORM))
    return Reply(tuple(lines), buttons=tuple(buttons), files=act.drawn(draw_board, encounter, board_after))


def _parse_size(text: str) -> tuple[int, int]:
    match = _SIZE_PATTERN.fullmatch(text.strip())
    if match is None:
        raise InvalidInput(f'Write the size as columns by rows, such as "16x12" (1 to {MAX_SIDE} each).')
    return int(match[1]), int(match[2])


def lay_board(encounter: Encounter, board: Board, object_names: dict[str, str]) -> None:
    """Replace the board and everything on it. object_names: names of objects, by their sign in a drawing."""
    for kind in (BOARD, OBJECT, ARTIFACT, CLOUD, PULSE):
        for row in thing_rows(encounter, kind):
            encounter.book.remove(row)
    add_thing(encounter, BOARD, "", to_json({"width": board.width, "height": board.height}))
    names_by_body = {body: object_names.get(sign, "cover") for sign, body in READ.items()}
    for obstacle in board.obstacles:
        taken_names = [row.name for row in thing_rows(encounter, OBJECT)]
        name = find_free_name(names_by_body.get(obstacle.body, "cover"), taken_names)
        content = dump_squares(obstacle.squares)
        add_object_with_body(encounter, name, content, obstacle.body)


def lay_sample(encounter: Encounter) -> None:
    """Create the sample board."""
    lay_board(encounter, read_drawing(SAMPLE_DRAWING)[0], NAMES)


def line_up(encounter: Encounter, side_id: int) -> None:
    """Put a side's models on the sample board's starting places, while there are any."""
    is_first_side = encounter.sides()[0].id == side_id
    places, facing = (SOUTH_PLACES, Facing.NORTH) if is_first_side else (NORTH_PLACES, Facing.SOUTH)
    for row, square in zip(encounter.models(side_id), places, strict=False):
        put(encounter, row.id, square, facing)


def _place_letters(encounter: Encounter, squares_by_letter: dict[str, Point]) -> None:
    model_ids_by_letter = {letter: model_id for model_id, letter in assign_letters(encounter).items()}
    for letter in squares_by_letter:
        if letter not in model_ids_by_letter:
            raise InvalidInput(f"Use the letters shown by /sol board show. No model has the letter {letter}.")
        row = encounter.model(model_ids_by_letter[letter])
        take_off_board(row)
    for letter, square in squares_by_letter.items():
        put(encounter, model_ids_by_letter[letter], square, Facing.NORTH)


def _take_off_misplaced(encounter: Encounter, board: Board) -> list[str]:
    """Remove models whose square is gone or blocked, and return their names."""
    names = []
    for row in encounter.models():
        square = square_of(row)
        if square is not None and (not board.holds(square) or square in board.walls()):
            take_off_board(row)
            names.append(row.name)
    return names


def _describe_objects(encounter: Encounter) -> list[str]:
    return [describe_object(row) for row in thing_rows(encounter, OBJECT)]


def add_object_with_body(encounter: Encounter, name: str, squares_json: str, body: int) -> ThingRow:
    """Add an object with this Body to the board."""
    row = add_thing(encounter, OBJECT, name, squares_json)
    state = ObjectState(row)
    state.body = state.whole_body = body
    return row


def describe_object(row: ThingRow) -> str:
    """Describe an object in one line."""
    state = ObjectState(row)
    if not state.body:
        return f"{row.name}: debris"
    full_body = f"/{state.whole_body}" if state.whole_body != state.body else ""
    squares = describe_squares(load_squares(row.content))
    return f"{row.name}: Body {state.body}{full_body}, {cover_class(state.body)} cover, on {squares}"


@handles(AddObject)
def add_object(act: Act, action: AddObject) -> Reply:
    """Add a wall, a crate, a field, or an Artifact without a bearer."""
    encounter = act.encounter
    board = board_of(encounter)
    squares = parse_squares(action.squares)
    taken_names = [row.name for kind in (OBJECT, ARTIFACT) for row in thing_rows(encounter, kind)]
    name = find_free_name(check_name(action.name or "wall", "name"), taken_names)
    for square in sorted(squares):
        if not board.holds(square):
            raise InvalidInput(
                f"Pick a square from 0,0 to {board.width - 1},{board.height - 1}. "
                f"{at(square)} is outside the board."
            )
        piece = board.at(square)
        if piece is not None and not action.artifact:
            raise InvalidInput(f"Pick a free square. {encounter.model(piece.id).name} is on {at(square)}.")
        if square in board.walls():
            occupants = ", ".join(o.name for o in board.obstacles if square in o.squares and not o.debris)
            raise InvalidInput(f"Pick a free square. {at(square)} is occupied ({occupants}).")
    if action.artifact:
        if len(squares) != 1 or not 1 <= action.body <= 30:
            raise InvalidInput("An Artifact needs exactly one square and a Health of 1 to 30.")
        row = add_thing(encounter, ARTIFACT, name, dump_squares(squares))
        ArtifactState(row).health = action.body
        line = f"{name}: Artifact, Health {action.body}, on {describe_squares(squares)}"
    else:
        if not 1 <= action.body <= 99:
            raise InvalidInput("An object needs a Body of 1 to 99.")
        row = add_object_with_body(encounter, name, dump_squares(squares), action.body)
        board_of(encounter)
        line = describe_object(row)
    return Reply((line,), buttons=(UNDO,), files=act.drawn(draw_board, encounter, board_of(encounter)))


@handles(ChangeObject)
def change_object(act: Act, action: ChangeObject) -> Reply:
    """Change an object's Body, turn it into debris, or remove it."""
    encounter, row = act.encounter, action.name
    if action.body < 0:
        encounter.book.remove(row)
        return Reply((f"{row.name} is removed.",), buttons=(UNDO,))
    if not action.body <= 99:
        raise InvalidInput("An object needs a Body of 0 (debris) to 99.")
    if row.kind == OBJECT:
        state = ObjectState(row)
        state.body, state.whole_body = action.body, max(action.body, state.whole_body)
        blocked_squares = load_squares(row.content) if action.body else frozenset()
        for model in encounter.models():
            if square_of(model) in blocked_squares:
                raise InvalidInput(f"Move {model.name} first. It is on a square that {row.name} would block.")
        return Reply((describe_object(row),), buttons=(UNDO,))
    ArtifactState(row).health = action.body
    return Reply((f"{row.name}: Health {action.body}",), buttons=(UNDO,))


@handles(Surround)
def set_surroundings(act: Act, action: Surround) -> Reply:
    """Set light, weather and gravity of the whole board."""
    check_settled(act)
    require_no_dice(act)
    row = board_row(act.encounter)
    board_data = json.loads(row.content)
    new_values = {"light": action.light, "weather": action.weather, "gravity_direction": action.direction}
    board_data |= {key: value for key, value in new_values.items() if value is not None}
    if action.gravity >= 0:
        board_data["gravity"] = action.gravity
    row.content = to_json(board_data)
    board = board_of(act.encounter)
    parts = surroundings(board) or ["normal light", "clear weather", "gravity 0"]
    return Reply((f"The board now has {join_with_and(parts)}.",), buttons=(UNDO,))
