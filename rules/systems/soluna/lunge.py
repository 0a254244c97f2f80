"""The lunge: moving up to a target and attacking it in one activation.

Owns what a lunge needs and its failure; the move and the attack are those of any model.
"""

from __future__ import annotations

from rules.effects import Effect, Gain
from rules.refusals import Forbidden, InvalidInput
from rules.systems.soluna.board import Board
from rules.systems.soluna.damage import Damage
from rules.systems.soluna.geometry import Point, adjacent
from rules.systems.soluna.models import Condition
from rules.systems.soluna.settings import Settings
from rules.systems.soluna.speed import within_speed

COST = 1
"""Combat Points of a lunge, and all that may be spent in its activation."""


def lunge_squares(
    board: Board, attacker: int, target: int, points: int, settings: Settings
) -> tuple[Point, ...]:
    """Squares next to the target that the attacker can get to with its speed points, cheapest first.

    Raises Forbidden when there is none. Rules: SU-LUNGE-01.
    """
    start, goal = board.piece(attacker).square, board.piece(target).square
    steps = max(abs(start[0] - goal[0]), abs(start[1] - goal[1])) - 1
    near = steps * min(settings.square_cost, settings.diagonal_cost) <= points
    prices = within_speed(board, attacker, points, settings) if near else {}
    ends = sorted((price, square) for square, price in prices.items() if adjacent(square, goal))
    if not ends:
        raise Forbidden("No square next to the target can be reached with that Speed.", "SU-LUNGE-01")
    return tuple(square for _, square in ends)


def check_cost(cost: int) -> None:
    """Raises Forbidden for attacks that cost more than the one point of a lunge. Rules: SU-LUNGE-01."""
    if cost < 1:
        raise InvalidInput("An attack costs at least 1 Combat Point.")
    if cost > COST:
        raise Forbidden("A lunge allows one Combat Point only; this attack costs more.", "SU-LUNGE-01")


def after_lunge(attacker: int, harm: Damage) -> tuple[Effect, ...]:
    """An attacker that took no point off anything falls and is prone. Rules: SU-LUNGE-02."""
    return () if harm.total else (Gain(attacker, Condition.PRONE, source="failed lunge"),)
