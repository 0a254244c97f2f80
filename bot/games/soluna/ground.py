"""The board in the encounter's rows: its size and light, objects, clouds, pulses, and who stands where.

One thing row for the board, one for each object, Artifact, cloud and pulse; a model's square and facing are
counters of its own row.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from bot.games.soluna.fighters import FACINGS, model_of, models_of
from bot.games.soluna.state import ArtifactState, CloudState, ModelState, ObjectState
from bot.store.rows import ModelRow, ThingRow
from bot.table.encounter import GONE, Encounter
from rules.refusals import InvalidInput
from rules.systems.soluna.board import Board, Cloud, Obstacle, Piece
from rules.systems.soluna.geometry import Facing, Point

BOARD, OBJECT, ARTIFACT, CLOUD, PULSE = "board", "object", "artifact", "cloud", "pulse"
"""Kinds of thing rows."""

DEFAULTS: dict[str, Any] = {"light": "normal", "weather": "none", "gravity": 0, "gravity_direction": "down"}


@dataclass(frozen=True, slots=True)
class Artifact:
    """An Artifact that lies on the board by itself: its row, name, square and the Health left."""

    row: int
    name: str
    square: Point
    health: int


def packed(content: object) -> str:
    """A thing's content as text."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def write_squares(squares: Iterable[Point]) -> str:
    """Squares as text, in order."""
    return packed({"squares": sorted(list(square) for square in squares)})


def read_squares(text: str) -> frozenset[Point]:
    """The squares again."""
    return frozenset((x, y) for x, y in json.loads(text)["squares"])


def things(encounter: Encounter, kind: str) -> list[ThingRow]:
    """The rows of one kind."""
    return [row for row in encounter.book.all(ThingRow) if row.kind == kind]


def add_thing(encounter: Encounter, kind: str, name: str, content: str) -> ThingRow:
    """Put a new row in."""
    number = encounter.book.next_id(ThingRow)
    row = ThingRow(encounter.book.scope, number, kind, name, content)
    return encounter.book.add(row)


def has_board(encounter: Encounter) -> bool:
    """Whether a board has been laid."""
    return bool(things(encounter, BOARD))


def board_row(encounter: Encounter) -> ThingRow:
    """The row of the board. Raises InvalidInput where there is none."""
    found = things(encounter, BOARD)
    if not found:
        raise InvalidInput("There is no board yet. Lay one: /sol board new, for example 16x12.")
    return found[0]


def board_of(encounter: Encounter) -> Board:
    """The board with everything on it. Raises InvalidInput where there is none."""
    return encounter.worked_out(Board, lambda: _board(encounter))


def _board(encounter: Encounter) -> Board:
    plain = json.loads(board_row(encounter).content)
    return Board(
        **{**DEFAULTS, **plain},
        obstacles=tuple(obstacle_of(row) for row in things(encounter, OBJECT)),
        pieces=tuple(_pieces(encounter, plain["width"], plain["height"])),
        clouds=tuple(cloud_of(row) for row in things(encounter, CLOUD)),
    )


def _pieces(encounter: Encounter, width: int, height: int) -> list[Piece]:
    """Models on their squares; of two on one square, which only play by hand can bring about, the first."""
    blocked = {
        s for row in things(encounter, OBJECT) if ObjectState(row).body for s in read_squares(row.content)
    }
    found: dict[Point, Piece] = {}
    for model, row in zip(models_of(encounter), encounter.models(), strict=True):
        square = square_of(row)
        if square is None or square in blocked:
            continue
        if square[0] < width and square[1] < height:
            found.setdefault(square, model.piece(square, facing_of(row)))
    return list(found.values())


def obstacle_of(row: ThingRow) -> Obstacle:
    """An object as the rules see it."""
    return Obstacle(row.name, read_squares(row.content), ObjectState(row).body)


def cloud_of(row: ThingRow) -> Cloud:
    """A cloud as the rules see it; the name of its row is what it does to sight."""
    state = CloudState(row)
    return Cloud(row.id, read_squares(row.content), state.placed, state.life, _factor(row))


def _factor(row: ThingRow) -> Any:
    return json.loads(row.content)["factor"]


def keep_cloud(encounter: Encounter, cloud: Cloud, name: str = "") -> None:
    """Write a cloud, a new one under `name`."""
    content = packed({"squares": sorted(list(s) for s in cloud.squares), "factor": cloud.factor})
    row = encounter.book.get(ThingRow, cloud.id)
    if row is None:
        state = CloudState(add_thing(encounter, CLOUD, name, content))
        state.placed, state.life = cloud.placed, cloud.life
    else:
        row.content = content


def drop(encounter: Encounter, number: int) -> None:
    """Take a thing away."""
    row = encounter.book.get(ThingRow, number)
    assert row is not None, "it was read"
    encounter.book.remove(row)


def artifacts(encounter: Encounter) -> list[Artifact]:
    """The Artifacts on the board that are not ruined."""
    found = []
    for row in things(encounter, ARTIFACT):
        (square,) = read_squares(row.content)
        if health := ArtifactState(row).health:
            found.append(Artifact(row.id, row.name, square, health))
    return found


def square_of(row: ModelRow) -> Point | None:
    """The square a model stands on, None off the board."""
    state = ModelState(row)
    return (state.column - 1, state.row - 1) if state.column else None


def facing_of(row: ModelRow) -> Facing:
    """Which way a model looks."""
    return FACINGS[max(ModelState(row).facing, 1) - 1]


def stand(encounter: Encounter, model: int, square: Point, facing: Facing) -> None:
    """Put, move or turn a model. Raises InvalidInput for a square that is taken or off the board."""
    row = encounter.model(model)
    board_of(encounter).place(model_of(encounter, row).piece(square, facing))
    for other in encounter.models(gone=True):
        if other.id != model and other.status == GONE and square_of(other) == square:
            lift(other)
    state = ModelState(row)
    state.column, state.row = square[0] + 1, square[1] + 1
    state.facing = FACINGS.index(facing) + 1


def lift(row: ModelRow) -> None:
    """Take a model off the board."""
    state = ModelState(row)
    state.column = state.row = state.facing = 0
