"""Grapples: two rolls of like faces against each other, being held and breaking free.

Owns the opposed roll and its consequences; Combat Points are paid as for any attack.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rules.dice import Dice
from rules.effects import Effect, Gain, Lose
from rules.refusals import Forbidden, InvalidInput
from rules.systems.soluna.board import Board
from rules.systems.soluna.geometry import adjacent
from rules.systems.soluna.knockdown import D6
from rules.systems.soluna.models import Condition, Model
from rules.systems.soluna.settings import Settings

MAX_HELPERS = 8
"""A square has eight neighbours."""


@dataclass(frozen=True, slots=True)
class Contest:
    """The largest groups of like faces that both sides rolled."""

    active: int
    passive: int

    def winner(self, settings: Settings) -> Literal["active", "passive", "none"]:
        """Who showed more like faces; equal groups are nobody's or, by `grapple_tie`, the passive side's.

        Rules: SU-GRAP-01.
        """
        if self.active == self.passive:
            return "passive" if settings.grapple_tie == "defender" else "none"
        return "active" if self.active > self.passive else "passive"


def _largest(state: tuple[int, int], rank: int, counts: tuple[int, ...]) -> tuple[int, int]:
    return max(state[0], counts[0]), max(state[1], counts[1])


def grapple(dice: Dice, active: int, passive: int, label: str = "grapple") -> Contest:
    """Both sides roll so many d6, 0 or more; no flips and no protections.

    active: who grapples, or who tries to break free. Rules: SU-GRAP-01, SU-GRAP-03.
    """
    return Contest(*dice.sweep(((active, D6), (passive, D6)), _largest, (0, 0), label))


def alike(dice: Dice, count: int, label: str = "grapple") -> int:
    """The largest group of like faces of so many d6, 0 or more. Rules: SU-GRAP-01."""
    return dice.sweep(((count, D6),), _most, 0, label)


def _most(state: int, rank: int, counts: tuple[int, ...]) -> int:
    return max(state, counts[0])


def contest(dice: Dice, active: int, passive: int) -> Contest:
    """`grapple` with each side by itself, for odds. Rules: SU-GRAP-01, SU-GRAP-03."""
    return Contest(dice.call(alike, active), dice.call(alike, passive))


def grapple_dice(model: Model, helpers: int = 0) -> int:
    """Present Health, and one die for each helper, 0 to 8. Raises InvalidInput.

    Rules: SU-GRAP-01, SU-GRAP-02.
    """
    if not 0 <= helpers <= MAX_HELPERS:
        raise InvalidInput(f"A grapple has 0 to {MAX_HELPERS} helpers.")
    return model.value("health") + helpers


def check_grapple(board: Board, attacker: Model, target: Model) -> None:
    """Raises Forbidden unless the two stand on neighbouring squares and the target is still free.

    Rules: SU-GRAP-01.
    """
    if not adjacent(board.piece(attacker.id).square, board.piece(target.id).square):
        raise Forbidden("A grapple needs a target on a square next to the attacker.", "SU-GRAP-01")
    if target.has(Condition.GRAPPLED):
        raise Forbidden(f"{target.name} is grappled already.", "SU-GRAP-03")


def check_helpers(board: Board, held: Model, main: Model, helpers: tuple[Model, ...]) -> int:
    """Number of helpers of one side. Raises Forbidden when one is not next to the model that is (to be) held,
    is that model or the one it helps, or cannot act or is grappled itself; InvalidInput for one named twice.

    Rules: SU-GRAP-02.
    """
    if len({helper.id for helper in helpers}) != len(helpers):
        raise InvalidInput("Each helper is named once.")
    for helper in helpers:
        if helper.id in (held.id, main.id):
            raise Forbidden("Helpers are other models than those who struggle.", "SU-GRAP-02")
        if helper.has(Condition.GRAPPLED) or not helper.value("mind"):
            raise Forbidden(f"{helper.name} cannot help.", "SU-GRAP-02")
        if not adjacent(board.piece(helper.id).square, board.piece(held.id).square):
            raise Forbidden(f"{helper.name} must stand next to {held.name} to help.", "SU-GRAP-02")
    return len(helpers)


def holder(model: Model) -> int:
    """Id of the model that holds this one. Raises Forbidden when it is free. Rules: SU-GRAP-03."""
    for kind, value in model.conditions:
        if kind == Condition.GRAPPLED:
            return value
    raise Forbidden(f"{model.name} is not grappled.", "SU-GRAP-03")


def after_grapple(attacker: int, target: int, contest: Contest) -> tuple[Effect, ...]:
    """The target is held when the attacker showed more like faces. Rules: SU-GRAP-01."""
    if contest.active > contest.passive:
        return (Gain(target, Condition.GRAPPLED, value=attacker, source="grapple"),)
    return ()


def after_break(held: int, contest: Contest) -> tuple[Effect, ...]:
    """The held model, the active side of the roll, is free when it showed more. Rules: SU-GRAP-03."""
    return (Lose(held, Condition.GRAPPLED),) if contest.active > contest.passive else ()
