"""The stored board: squares in words, objects, Artifacts, clouds, and targets of attacks."""

from __future__ import annotations

import json
import re
from collections import Counter as Counted
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from bot.actions import reference_by_number
from bot.games.soluna.state import (
    FACINGS,
    ArtifactState,
    CloudState,
    ModelState,
    ObjectState,
    model_of,
    models_of,
)
from bot.store.rows import ModelRow, ThingRow
from bot.table.encounter import GONE, Encounter, EncounterView
from bot.table.names import find
from rules.refusals import InvalidInput
from rules.systems.soluna.board import Board, Cloud, Facing, Obstacle, Piece, Point, area_reach
from rules.systems.soluna.models import Model

BOARD, OBJECT, ARTIFACT, CLOUD, PULSE = "board", "object", "artifact", "cloud", "pulse"
"""Kinds of thing rows."""

DEFAULTS: dict[str, Any] = {"light": "normal", "weather": "none", "gravity": 0, "gravity_direction": "down"}


@dataclass(frozen=True, slots=True)
class Artifact:
    """An Artifact on the board without a bearer: its row, name, square and remaining Health."""

    row: int
    name: str
    square: Point
    health: int


def to_json(content: object) -> str:
    """Return a thing's content as text."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def dump_squares(squares: Iterable[Point]) -> str:
    """Return the squares as text, in order."""
    return to_json({"squares": sorted(list(square) for square in squares)})


def load_squares(text: str) -> frozenset[Point]:
    """Return the squares that `dump_squares` wrote."""
    return frozenset((x, y) for x, y in json.loads(text)["squares"])


def thing_rows(encounter: EncounterView, kind: str) -> list[ThingRow]:
    """Return the rows of one kind."""
    return [row for row in encounter.book.all(ThingRow) if row.kind == kind]


def add_thing(encounter: Encounter, kind: str, name: str, content: str) -> ThingRow:
    """Add a row for a thing on the board, and return it."""
    thing_id = encounter.book.next_id(ThingRow)
    row = ThingRow(encounter.book.scope, thing_id, kind, name, content)
    return encounter.book.add(row)


def has_board(encounter: EncounterView) -> bool:
    """Return whether a board has been laid."""
    return bool(thing_rows(encounter, BOARD))


def board_row(encounter: EncounterView) -> ThingRow:
    """Return the row of the board. Raises InvalidInput where there is none."""
    rows = thing_rows(encounter, BOARD)
    if not rows:
        raise InvalidInput('Create a board first with /sol board new, for example with the size "16x12".')
    return rows[0]


def board_of(encounter: EncounterView) -> Board:
    """Return the board with everything on it. Raises InvalidInput where there is none."""
    return encounter.worked_out(Board, lambda: _build_board(encounter))


def _build_board(encounter: EncounterView) -> Board:
    board_data = json.loads(board_row(encounter).content)
    return Board(
        **{**DEFAULTS, **board_data},
        obstacles=tuple(obstacle_of(row) for row in thing_rows(encounter, OBJECT)),
        pieces=tuple(_build_pieces(encounter, board_data["width"], board_data["height"])),
        clouds=tuple(cloud_of(row) for row in thing_rows(encounter, CLOUD)),
    )


def _build_pieces(encounter: EncounterView, width: int, height: int) -> list[Piece]:
    blocked_squares = {
        s for row in thing_rows(encounter, OBJECT) if ObjectState(row).body for s in load_squares(row.content)
    }
    pieces: dict[Point, Piece] = {}
    for model, row in zip(models_of(encounter), encounter.models(), strict=True):
        square = square_of(row)
        if square is None or square in blocked_squares:
            continue
        if square[0] < width and square[1] < height:
            pieces.setdefault(square, model.piece(square, facing_of(row)))
    return list(pieces.values())


def obstacle_of(row: ThingRow) -> Obstacle:
    """Return an object as the rules see it."""
    return Obstacle(row.name, load_squares(row.content), ObjectState(row).body)


def cloud_of(row: ThingRow) -> Cloud:
    """Return a cloud as the rules see it."""
    state = CloudState(row)
    return Cloud(row.id, load_squares(row.content), state.placed, state.life, _read_cloud_factor(row))


def _read_cloud_factor(row: ThingRow) -> Any:
    return json.loads(row.content)["factor"]


def store_cloud(encounter: Encounter, cloud: Cloud, name: str = "") -> None:
    """Store a cloud; a new one is called `name`."""
    content = to_json({"squares": sorted(list(s) for s in cloud.squares), "factor": cloud.factor})
    row = encounter.book.get(ThingRow, cloud.id)
    if row is None:
        state = CloudState(add_thing(encounter, CLOUD, name, content))
        state.placed, state.life = cloud.placed, cloud.life
    else:
        row.content = content


def remove_thing(encounter: Encounter, thing_id: int) -> None:
    """Remove a thing."""
    row = encounter.book.get(ThingRow, thing_id)
    assert row is not None, "it was read"
    encounter.book.remove(row)


def artifacts(encounter: EncounterView) -> list[Artifact]:
    """Return the Artifacts on the board that are not ruined."""
    artifacts_on_board = []
    for row in thing_rows(encounter, ARTIFACT):
        (square,) = load_squares(row.content)
        if health := ArtifactState(row).health:
            artifacts_on_board.append(Artifact(row.id, row.name, square, health))
    return artifacts_on_board


def square_of(row: ModelRow) -> Point | None:
    """Return the square of a model, or None off the board."""
    state = ModelState(row)
    return (state.column - 1, state.row - 1) if state.column else None


def facing_of(row: ModelRow) -> Facing:
    """Return the direction that a model faces."""
    return FACINGS[max(ModelState(row).facing, 1) - 1]


def put_model(encounter: Encounter, model_id: int, square: Point, facing: Facing) -> None:
    """Put, move or turn a model. Raises InvalidInput for a square that is taken or off the board."""
    row = encounter.model(model_id)
    board_of(encounter).place(model_of(encounter, row).piece(square, facing))
    for other in encounter.models(gone=True):
        if other.id != model_id and other.status == GONE and square_of(other) == square:
            take_off_board(other)
    state = ModelState(row)
    state.column, state.row = square[0] + 1, square[1] + 1
    state.facing = FACINGS.index(facing) + 1


def take_off_board(row: ModelRow) -> None:
    """Remove a model from the board."""
    state = ModelState(row)
    state.column = state.row = state.facing = 0


MAX_SQUARES = 500

_SQUARE_PATTERN = re.compile(r"\(?\s*(\d{1,3})\s*[,;/ ]\s*(\d{1,3})\s*\)?")
_SPAN_PATTERN = re.compile(r"(\d{1,3}),(\d{1,3})(?:-(\d{1,3}),(\d{1,3}))?")

FACING_WORDS = {facing: facing.name.lower() for facing in Facing}


def at(square: Point) -> str:
    """Return a square in words, such as 3,4."""
    return f"{square[0]},{square[1]}"


def is_square(text: str) -> bool:
    """Return whether the text is written like a square."""
    return _SQUARE_PATTERN.fullmatch(text.strip()) is not None


def split_path(text: str) -> list[str]:
    """Return the text of each square of a path: 3,4 3,5 or 3,4-3,5."""
    return text.replace("-", " ").split()


def parse_square(text: str) -> Point:
    """Return a square typed as 3,4. Raises InvalidInput."""
    match = _SQUARE_PATTERN.fullmatch(text.strip())
    if match is None:
        raise InvalidInput(
            'Write a square as its column and row, such as "3,4". The south-west corner is "0,0".'
        )
    return int(match[1]), int(match[2])


def parse_squares(text: str) -> frozenset[Point]:
    """Return the squares and blocks of them typed as 3,4-6,4 8,2. Raises InvalidInput."""
    squares: set[Point] = set()
    for part in text.replace("to", "-").replace(" -", "-").replace("- ", "-").split():
        match = _SPAN_PATTERN.fullmatch(part.strip(";"))
        if match is None:
            raise InvalidInput('Write squares, such as "3,4 8,2", or a block of squares, such as "3,4-6,4".')
        x, y = int(match[1]), int(match[2])
        x2, y2 = int(match[3] or x), int(match[4] or y)
        if (abs(x2 - x) + 1) * (abs(y2 - y) + 1) > MAX_SQUARES:
            raise InvalidInput(f"An object can cover at most {MAX_SQUARES} squares.")
        for i in range(min(x, x2), max(x, x2) + 1):
            squares |= {(i, j) for j in range(min(y, y2), max(y, y2) + 1)}
    if not 1 <= len(squares) <= MAX_SQUARES:
        raise InvalidInput(f"An object must cover 1 to {MAX_SQUARES} squares.")
    return frozenset(squares)


def describe_squares(squares: frozenset[Point]) -> str:
    """Describe squares briefly: one square, a block by its corners, or how many lie within which corners."""
    xs, ys = [x for x, _ in squares], [y for _, y in squares]
    low_corner, high_corner = (min(xs), min(ys)), (max(xs), max(ys))
    if low_corner == high_corner:
        return at(low_corner)
    if len(squares) == (high_corner[0] - low_corner[0] + 1) * (high_corner[1] - low_corner[1] + 1):
        return f"{at(low_corner)}-{at(high_corner)}"
    return f"{len(squares)} squares within {at(low_corner)}-{at(high_corner)}"


def parse_facing(text: str) -> Facing:
    """Return a facing by its word or first letter. Raises InvalidInput."""
    prefix = text.strip().lower()
    for facing, word in FACING_WORDS.items():
        if prefix and word.startswith(prefix):
            return facing
    raise InvalidInput("Pick north, east, south or west.")


def facing_towards(origin: Point, target: Point) -> Facing:
    """Return the facing towards a square, along the axis on which it is further away."""
    dx, dy = target[0] - origin[0], target[1] - origin[1]
    if abs(dx) > abs(dy):
        return Facing.EAST if dx > 0 else Facing.WEST
    return Facing.NORTH if dy >= 0 else Facing.SOUTH


AttackTarget = Model | Obstacle | Artifact | Point
"""Things that a person may name as the target of an attack."""


@dataclass(frozen=True, slots=True)
class Mark:
    """The target of an attack: a square, and the model, cover or Artifact on it."""

    square: Point
    model: Model | None = None
    cover: str = ""
    artifact: Artifact | None = None

    @property
    def name(self) -> str:
        """Return the target's name."""
        if self.model is not None:
            return self.model.name
        return self.cover or (self.artifact.name if self.artifact else at(self.square))


def parse_target(encounter: EncounterView, text: str) -> AttackTarget:
    """Return the model, object, Artifact or square of these words. Raises InvalidInput."""
    if is_square(text):
        return parse_square(text)
    if not text.startswith("#"):
        objects_by_name, is_unique_by_name = encounter.worked_out(
            parse_target, lambda: _collect_target_names(encounter)
        )
        is_fallen_model = text not in is_unique_by_name and any(
            row.name == text for row in encounter.models(gone=True)
        )
        is_exact = is_fallen_model or is_unique_by_name.get(text)
        name = text if is_exact else find(text, [*is_unique_by_name], str, "model or object")
        if name in objects_by_name:
            return objects_by_name[name]
        text = name
    return model_of(encounter, encounter.find_model(text))


def _collect_target_names(encounter: EncounterView) -> tuple[dict[str, Obstacle | Artifact], dict[str, bool]]:
    """Every object and Artifact by its name, and the names of all that can be a target: whether a name,
    written just so, can mean nothing else.
    """
    objects_by_name: dict[str, Obstacle | Artifact] = {
        row.name: obstacle_of(row) for row in thing_rows(encounter, OBJECT)
    } | {artifact.name: artifact for artifact in artifacts(encounter)}
    target_names = [*(model.name for model in models_of(encounter)), *objects_by_name]
    name_counts = Counted(name.replace("_", " ").casefold() for name in target_names)
    return objects_by_name, {
        name: name_counts[name.replace("_", " ").casefold()] == 1 for name in target_names
    }


def write_target(target: AttackTarget) -> str:
    """Return words from which `parse_target` reads the same target."""
    match target:
        case Model():
            return str(reference_by_number(target.id))
        case Obstacle() | Artifact():
            return target.name
    return at(target)


def find_marks(encounter: EncounterView, board: Board, target: AttackTarget, origin: Point) -> list[Mark]:
    """Return the squares where a target can be hit; those of an object nearest first. Raises InvalidInput."""
    match target:
        case Model():
            return [Mark(board.piece(target.id).square, target)]
        case Artifact():
            return [Mark(target.square, artifact=target)]
        case Obstacle():
            nearest_squares = sorted(target.squares, key=lambda square: area_reach(origin, square))
            return [Mark(square, cover=target.name) for square in nearest_squares]
    return [find_mark_on(encounter, board, target)]


def find_mark_on(encounter: EncounterView, board: Board, square: Point) -> Mark:
    """Return what is on a square. Raises InvalidInput off the board."""
    if not board.holds(square):
        raise InvalidInput(
            f"Pick a square from 0,0 to {board.width - 1},{board.height - 1}. "
            f"{at(square)} is outside the board."
        )
    piece = board.at(square)
    if piece is not None:
        return Mark(square, model_of(encounter, encounter.model(piece.id)))
    if any(square in o.squares and not o.debris for o in board.obstacles):
        return Mark(square, cover=board.cover_at(square).name)
    artifact_here = next((artifact for artifact in artifacts(encounter) if artifact.square == square), None)
    return Mark(square, artifact=artifact_here)
