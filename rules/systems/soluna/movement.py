"""Movement: what squares cost and where a model can get, the lunge, and grapples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush
from types import MappingProxyType
from typing import Literal

from rules.dice import Dice
from rules.effects import Effect, Gain, Lose
from rules.refusals import Forbidden, InvalidInput
from rules.systems.soluna.board import Board, Point, adjacent, neighbours
from rules.systems.soluna.damage import D6, Damage
from rules.systems.soluna.models import Clock, Condition, Counter, Model
from rules.systems.soluna.settings import Settings

MAX_PATH = 100


def format_speed_points(points: int) -> str:
    """Return speed points with their noun."""
    return "1 speed point" if points == 1 else f"{points} speed points"


def describe_points_left(points: int) -> str:
    """Return how few points are left: there is only 1 left, there are none left."""
    return f"there {'is' if points == 1 else 'are'} {f'only {points}' if points else 'none'} left"


@dataclass(frozen=True, slots=True)
class Walk:
    """A legal move: where it ends, squares entered, speed points it costs."""

    end: Point
    squares: int
    cost: int


def step_cost(board: Board, start: Point, end: Point, settings: Settings) -> int:
    """Return speed points to enter a neighbouring square: plain, diagonal or debris, the dearest.

    Rules: SU-SPEED-01, SU-COV-08.
    """
    diagonal = start[0] != end[0] and start[1] != end[1]
    plain_cost = settings.diagonal_cost if diagonal else settings.square_cost
    return max(plain_cost, settings.debris_cost) if end in board.debris() else plain_cost


def speed_left(model: Model, clock: Clock, settings: Settings) -> int:
    """Return speed points left in the Action of this phase. Rules: SU-SPEED-01."""
    is_acting = model.counter(Counter.ACTED) == clock.count(settings)
    return max(0, model.value("speed") - (model.counter(Counter.SPENT) if is_acting else 0))


def check_path(board: Board, model: int, path: tuple[Point, ...], points: int, settings: Settings) -> Walk:
    """Check a path, square by square without the start, against the speed points.

    Raises InvalidInput for jumps and squares off the board, Forbidden for squares that are taken and for
    paths that cost too much. Rules: SU-SPEED-01, SU-GRID-08.
    """
    if len(path) > MAX_PATH:
        raise InvalidInput(f"Shorten the path. It can have at most {MAX_PATH} squares.")
    current = board.piece(model).square
    walls = board.walls()
    cost = 0
    for square in path:
        if not board.holds(square):
            raise InvalidInput(
                f"Pick squares from 0,0 to {board.width - 1},{board.height - 1}. "
                f"{square[0]},{square[1]} is outside the board."
            )
        if not adjacent(current, square):
            raise InvalidInput(
                f"Pick squares that touch. {square[0]},{square[1]} is not next to {current[0]},{current[1]}."
            )
        occupant = board.at(square)
        if square in walls or (occupant is not None and occupant.id != model):
            raise Forbidden(f"Go around {square[0]},{square[1]}. That square is occupied.", "SU-SPEED-01")
        cost += step_cost(board, current, square, settings)
        current = square
    if cost > points:
        raise Forbidden(
            (
                f"{'Pick a shorter move. ' if points else ''}This costs {format_speed_points(cost)}, but "
                f"{describe_points_left(points)}."
            ),
            "SU-SPEED-01",
        )
    return Walk(current, len(path), cost)


@lru_cache(maxsize=64)
def squares_in_speed(board: Board, model: int, points: int, settings: Settings) -> Mapping[Point, int]:
    """Return squares the model can get to with so many speed points, its own included, with the least price.

    Rules: SU-SPEED-01.
    """
    start = board.piece(model).square
    occupied = set(board.walls()) | {piece.square for piece in board.pieces if piece.id != model}
    debris = board.debris()
    lowest_costs = {start: 0}
    queue = [(0, start)]
    while queue:
        cost, current = heappop(queue)
        if cost > lowest_costs[current]:
            continue
        for square in neighbours(current):
            if square in occupied or not board.holds(square):
                continue
            diagonal = current[0] != square[0] and current[1] != square[1]
            step = settings.diagonal_cost if diagonal else settings.square_cost
            new_cost = cost + (max(step, settings.debris_cost) if square in debris else step)
            if new_cost <= points and new_cost < lowest_costs.get(square, points + 1):
                lowest_costs[square] = new_cost
                heappush(queue, (new_cost, square))
    return MappingProxyType(lowest_costs)


def path_to(board: Board, model: int, goal: Point, points: int, settings: Settings) -> tuple[Point, ...]:
    """Return a cheapest path to a square, without the start. Raises Forbidden if it is out of range.

    Rules: SU-SPEED-01.
    """
    costs = squares_in_speed(board, model, points, settings)
    if goal not in costs:
        raise Forbidden(
            (
                f"Pick a nearer square. You can't reach {goal[0]},{goal[1]} with "
                f"{format_speed_points(points)}."
            ),
            "SU-SPEED-01",
        )
    path: list[Point] = []
    step = goal
    while costs[step]:
        path.append(step)
        step = next(
            square
            for square in neighbours(step)
            if square in costs and costs[square] + step_cost(board, square, step, settings) == costs[step]
        )
    return tuple(reversed(path))


LUNGE_COST = 1
"""Combat Points of a lunge, and all that may be spent in its activation."""


def lunge_squares(
    board: Board, attacker: int, target: int, points: int, settings: Settings
) -> tuple[Point, ...]:
    """Return squares next to the target that the attacker can get to with its speed points, cheapest first.

    Raises Forbidden when there is none. Rules: SU-LUNGE-01.
    """
    start, goal = board.piece(attacker).square, board.piece(target).square
    steps = max(abs(start[0] - goal[0]), abs(start[1] - goal[1])) - 1
    in_reach = steps * min(settings.square_cost, settings.diagonal_cost) <= points
    costs = squares_in_speed(board, attacker, points, settings) if in_reach else {}
    end_squares = sorted((price, square) for square, price in costs.items() if adjacent(square, goal))
    if not end_squares:
        raise Forbidden(
            (
                "Pick another target. You can't reach a free square next to this one with "
                f"{format_speed_points(points)}."
            ),
            "SU-LUNGE-01",
        )
    return tuple(square for _, square in end_squares)


def check_cost(cost: int) -> None:
    """Check that an attack costs no more than a lunge's one point. Raises Forbidden. Rules: SU-LUNGE-01."""
    if cost < 1:
        raise InvalidInput("An attack costs at least 1 Combat Point.")
    if cost > LUNGE_COST:
        raise Forbidden("You can't lunge with an attack that costs more than 1 Combat Point.", "SU-LUNGE-01")


def after_lunge(attacker: int, harm: Damage) -> tuple[Effect, ...]:
    """Make an attacker that did no damage fall prone. Rules: SU-LUNGE-02."""
    return () if harm.total else (Gain(attacker, Condition.PRONE, source="failed lunge"),)


MAX_HELPERS = 8
"""A square has eight neighbours."""


@dataclass(frozen=True, slots=True)
class Contest:
    """The largest groups of like faces that both sides rolled."""

    active: int
    passive: int

    def winner(self, settings: Settings) -> Literal["active", "passive", "none"]:
        """Return who showed more equal faces; on equal groups no one or, by `grapple_tie`, the passive
        side.

        Rules: SU-GRAP-01.
        """
        if self.active == self.passive:
            return "passive" if settings.grapple_tie == "defender" else "none"
        return "active" if self.active > self.passive else "passive"


def _larger_groups(state: tuple[int, int], rank: int, counts: tuple[int, ...]) -> tuple[int, int]:
    return max(state[0], counts[0]), max(state[1], counts[1])


def grapple(dice: Dice, active: int, passive: int, label: str = "grapple") -> Contest:
    """Roll so many d6 for both sides, 0 or more; no flips and no protections.

    active: the dice of the side that grapples or tries to break free. Rules: SU-GRAP-01, SU-GRAP-03.
    """
    return Contest(*dice.sweep(((active, D6), (passive, D6)), _larger_groups, (0, 0), label))


def alike(dice: Dice, count: int, label: str = "grapple") -> int:
    """Roll the largest group of like faces of so many d6, 0 or more. Rules: SU-GRAP-01."""
    return dice.sweep(((count, D6),), _larger_group, 0, label)


def _larger_group(state: int, rank: int, counts: tuple[int, ...]) -> int:
    return max(state, counts[0])


def contest(dice: Dice, active: int, passive: int) -> Contest:
    """Roll `grapple` for each side separately, for odds. Rules: SU-GRAP-01, SU-GRAP-03."""
    return Contest(dice.call(alike, active), dice.call(alike, passive))


def count_grapple_dice(model: Model, helpers: int = 0) -> int:
    """Present Health, and one die for each helper, 0 to 8. Raises InvalidInput.

    Rules: SU-GRAP-01, SU-GRAP-02.
    """
    if not 0 <= helpers <= MAX_HELPERS:
        raise InvalidInput(f"A grapple can have 0 to {MAX_HELPERS} helpers.")
    return model.value("health") + helpers


def check_grapple(board: Board, attacker: Model, target: Model) -> None:
    """Raise Forbidden unless the two are on neighbouring squares and the target is still free.

    Rules: SU-GRAP-01.
    """
    if not adjacent(board.piece(attacker.id).square, board.piece(target.id).square):
        raise Forbidden("Move next to the target before you grapple it.", "SU-GRAP-01")
    if target.has(Condition.GRAPPLED):
        raise Forbidden(f"{target.name} is already grappled.", "SU-GRAP-03")


def check_helpers(board: Board, held_model: Model, side_model: Model, helpers: tuple[Model, ...]) -> int:
    """Number of helpers of one side. Raises Forbidden when one is not next to the model that is (to be) held,
    is that model or the one it helps, or cannot act or is grappled itself; InvalidInput for one named twice.

    Rules: SU-GRAP-02.
    """
    if len({helper.id for helper in helpers}) != len(helpers):
        raise InvalidInput("List each helper only once.")
    for helper in helpers:
        if helper.id in (held_model.id, side_model.id):
            raise Forbidden("Pick helpers other than the two models in the grapple.", "SU-GRAP-02")
        if helper.has(Condition.GRAPPLED) or not helper.value("mind"):
            raise Forbidden(f"{helper.name} can't help, because it is grappled or has Mind 0.", "SU-GRAP-02")
        if not adjacent(board.piece(helper.id).square, board.piece(held_model.id).square):
            raise Forbidden(f"{helper.name} must be next to {held_model.name} to help.", "SU-GRAP-02")
    return len(helpers)


def holder(model: Model) -> int:
    """Return the id of the model that holds this one. Raises Forbidden if it is free. Rules: SU-GRAP-03."""
    for kind, value in model.conditions:
        if kind == Condition.GRAPPLED:
            return value
    raise Forbidden(f"{model.name} isn't grappled, so it can't break free.", "SU-GRAP-03")


def after_grapple(attacker: int, target: int, contest: Contest) -> tuple[Effect, ...]:
    """Grapple the target if the attacker showed more like faces. Rules: SU-GRAP-01."""
    if contest.active > contest.passive:
        return (Gain(target, Condition.GRAPPLED, value=attacker, source="grapple"),)
    return ()


def after_break_free(held_model: int, contest: Contest) -> tuple[Effect, ...]:
    """Free the held model, the active side of the roll, if it showed more. Rules: SU-GRAP-03."""
    return (Lose(held_model, Condition.GRAPPLED),) if contest.active > contest.passive else ()
