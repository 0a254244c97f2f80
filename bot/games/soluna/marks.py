"""What an attack may be aimed at: a model, an object, an Artifact or a square, and what stands there."""

from __future__ import annotations

from collections import Counter as Counted
from dataclasses import dataclass

from bot.actions import numbered
from bot.games.soluna.fighters import model_of, models_of
from bot.games.soluna.ground import OBJECT, Artifact, artifacts, obstacle_of, things
from bot.games.soluna.squares import at, is_square, read_square
from bot.table.encounter import Encounter
from bot.table.names import find
from rules.refusals import InvalidInput
from rules.systems.soluna.board import Board, Obstacle
from rules.systems.soluna.geometry import Point, area_reach
from rules.systems.soluna.models import Model

Meant = Model | Obstacle | Artifact | Point
"""What a person may name as the target of an attack."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What an attack is aimed at: a square, and the model, cover or Artifact on it."""

    square: Point
    model: Model | None = None
    cover: str = ""
    artifact: Artifact | None = None

    @property
    def name(self) -> str:
        """How it is called."""
        if self.model is not None:
            return self.model.name
        return self.cover or (self.artifact.name if self.artifact else at(self.square))


def meant_by(encounter: Encounter, text: str) -> Meant:
    """The model, object, Artifact or square of these words. Raises InvalidInput."""
    if is_square(text):
        return read_square(text)
    if not text.startswith("#"):
        lying, everything = encounter.worked_out(meant_by, lambda: _named(encounter))
        name = text if everything.get(text) else find(text, [*everything], str, "model or object")
        if name in lying:
            return lying[name]
        text = name
    return model_of(encounter, encounter.find_model(text))


def _named(encounter: Encounter) -> tuple[dict[str, Obstacle | Artifact], dict[str, bool]]:
    """Every object and Artifact by its name, and the names of all that can be a target: whether a name,
    written just so, can mean nothing else.
    """
    lying: dict[str, Obstacle | Artifact] = {
        row.name: obstacle_of(row) for row in things(encounter, OBJECT)
    } | {one.name: one for one in artifacts(encounter)}
    everything = [*(model.name for model in models_of(encounter)), *lying]
    often = Counted(name.replace("_", " ").casefold() for name in everything)
    return lying, {name: often[name.replace("_", " ").casefold()] == 1 for name in everything}


def meant_written(meant: Meant) -> str:
    """The words again that `meant_by` reads as the same."""
    match meant:
        case Model():
            return str(numbered(meant.id))
        case Obstacle() | Artifact():
            return meant.name
    return at(meant)


def marks_of(encounter: Encounter, board: Board, meant: Meant, origin: Point) -> list[Mark]:
    """Where it may be struck: an object on each of its squares, nearest first. Raises InvalidInput."""
    match meant:
        case Model():
            return [Mark(board.piece(meant.id).square, meant)]
        case Artifact():
            return [Mark(meant.square, artifact=meant)]
        case Obstacle():
            nearest = sorted(meant.squares, key=lambda square: area_reach(origin, square))
            return [Mark(square, cover=meant.name) for square in nearest]
    return [mark_on(encounter, board, meant)]


def mark_on(encounter: Encounter, board: Board, square: Point) -> Mark:
    """What stands on a square. Raises InvalidInput off the board."""
    if not board.holds(square):
        raise InvalidInput(f"{at(square)} lies off the board of {board.width} by {board.height}.")
    piece = board.at(square)
    if piece is not None:
        return Mark(square, model_of(encounter, encounter.model(piece.id)))
    if any(square in o.squares and not o.debris for o in board.obstacles):
        return Mark(square, cover=board.cover_at(square).name)
    lying = next((one for one in artifacts(encounter) if one.square == square), None)
    return Mark(square, artifact=lying)
