"""Moving over the board: what squares cost in speed points and where a model can get.

Owns paths and their price. What a model did is recorded by `phases`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush
from types import MappingProxyType

from rules.refusals import Forbidden, InvalidInput
from rules.systems.soluna.board import Board
from rules.systems.soluna.geometry import Point, adjacent, neighbours
from rules.systems.soluna.models import Counter, Model
from rules.systems.soluna.phases import Clock
from rules.systems.soluna.settings import Settings

MAX_PATH = 100


def points_words(points: int) -> str:
    """Speed points with their noun."""
    return "1 speed point" if points == 1 else f"{points} speed points"


@dataclass(frozen=True, slots=True)
class Walk:
    """A legal move: where it ends, squares entered, speed points it costs."""

    end: Point
    squares: int
    cost: int


def step_cost(board: Board, start: Point, end: Point, settings: Settings) -> int:
    """Speed points to enter a neighbouring square: plain, diagonal or debris, the dearer of two that apply.

    Rules: SU-SPEED-01, SU-COV-08.
    """
    diagonal = start[0] != end[0] and start[1] != end[1]
    plain = settings.diagonal_cost if diagonal else settings.square_cost
    return max(plain, settings.debris_cost) if end in board.debris() else plain


def speed_left(model: Model, clock: Clock, settings: Settings) -> int:
    """Speed points left in the Action of this phase. Rules: SU-SPEED-01."""
    acting = model.counter(Counter.ACTED) == clock.count(settings)
    return max(0, model.value("speed") - (model.counter(Counter.SPENT) if acting else 0))


def walk(board: Board, model: int, path: tuple[Point, ...], points: int, settings: Settings) -> Walk:
    """Check a path, square by square without the start, against the speed points.

    Raises InvalidInput for jumps and squares off the board, Forbidden for squares that are taken and for
    paths that cost too much. Rules: SU-SPEED-01, SU-GRID-08.
    """
    if len(path) > MAX_PATH:
        raise InvalidInput(f"A path has at most {MAX_PATH} squares.")
    here = board.piece(model).square
    walls = board.walls()
    cost = 0
    for square in path:
        if not board.holds(square) or not adjacent(here, square):
            raise InvalidInput(f"{square[0]},{square[1]} is not next to {here[0]},{here[1]} on the board.")
        other = board.at(square)
        if square in walls or (other is not None and other.id != model):
            raise Forbidden(f"{square[0]},{square[1]} is taken; go around.", "SU-SPEED-01")
        cost += step_cost(board, here, square, settings)
        here = square
    if cost > points:
        raise Forbidden(
            f"That costs {points_words(cost)}; there {'is' if points == 1 else 'are'} {points}.",
            "SU-SPEED-01",
        )
    return Walk(here, len(path), cost)


@lru_cache(maxsize=64)
def within_speed(board: Board, model: int, points: int, settings: Settings) -> Mapping[Point, int]:
    """Squares the model can get to with so many speed points, its own included, with the least price.

    Rules: SU-SPEED-01.
    """
    start = board.piece(model).square
    taken = set(board.walls()) | {piece.square for piece in board.pieces if piece.id != model}
    debris = board.debris()
    best = {start: 0}
    queue = [(0, start)]
    while queue:
        cost, here = heappop(queue)
        if cost > best[here]:
            continue
        for square in neighbours(here):
            if square in taken or not board.holds(square):
                continue
            diagonal = here[0] != square[0] and here[1] != square[1]
            step = settings.diagonal_cost if diagonal else settings.square_cost
            price = cost + (max(step, settings.debris_cost) if square in debris else step)
            if price <= points and price < best.get(square, points + 1):
                best[square] = price
                heappush(queue, (price, square))
    return MappingProxyType(best)


def path_to(board: Board, model: int, goal: Point, points: int, settings: Settings) -> tuple[Point, ...]:
    """A cheapest path to a square, without the start. Raises Forbidden when it is out of the model's range.

    Rules: SU-SPEED-01.
    """
    prices = within_speed(board, model, points, settings)
    if goal not in prices:
        raise Forbidden(f"{goal[0]},{goal[1]} cannot be reached with {points_words(points)}.", "SU-SPEED-01")
    path: list[Point] = []
    here = goal
    while prices[here]:
        path.append(here)
        here = next(
            square
            for square in neighbours(here)
            if square in prices and prices[square] + step_cost(board, square, here, settings) == prices[here]
        )
    return tuple(reversed(path))
