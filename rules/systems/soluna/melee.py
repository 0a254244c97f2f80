"""Melee: when two models stand in each other's reach with melee weapons, and blows struck at the same time.

Owns the melee situation; knows no dice.
"""

from __future__ import annotations

from rules.systems.soluna.board import Board
from rules.systems.soluna.geometry import Point, reach
from rules.systems.soluna.models import Model
from rules.systems.soluna.settings import Settings


def melee_reach(model: Model) -> int:
    """Longest Reach among the model's usable melee weapons, 0 without one. Rules: SU-MELEE-01, SU-GRID-05."""
    carried = model.carried()
    return max(
        (w.reach for place, w in enumerate(model.profile.weapons) if w.melee and carried[place][1]), default=0
    )


def reaches(board: Board, model: Model, square: Point) -> bool:
    """Whether a usable melee weapon of the model reaches the square, by printed reach."""
    piece = board.piece(model.id)
    distance = reach(piece.square, piece.facing, square)
    return distance is not None and distance <= melee_reach(model)


def in_melee(board: Board, attacker: Model, defender: Model) -> bool:
    """Both have a melee weapon that reaches the other: only melee weapons count between them.

    Who acts in this phase does not matter. Rules: SU-MELEE-01.
    """
    if not (melee_reach(attacker) and melee_reach(defender)):
        return False
    return reaches(board, attacker, board.piece(defender.id).square) and reaches(
        board, defender, board.piece(attacker.id).square
    )


def still_strikes(*, fell_now: bool, in_melee_with_striker: bool, acted: bool, settings: Settings) -> bool:
    """Whether a model put out of action in this phase still makes its melee attack, as it was before.

    fell_now: it fell in this very phase; acted: it had its Action already. Rules: SU-MELEE-01.
    """
    return settings.melee_simultaneous and fell_now and in_melee_with_striker and not acted
