"""Initiative checks, and every other check of which one success is enough.

Owns the roll; who makes it with which dice is prepared by `ability`, what follows stands with its cause.
"""

from __future__ import annotations

from rules.dice import Dice
from rules.systems.counterblast.core.checks import Throw, throw

DANGER_TARGET = 5
FOOTING_TARGET = 7


def one_success(dice: Dice, throws: tuple[Throw, ...], label: str = "check") -> bool:
    """Roll a check of which one success, left after the natural 1s, is enough.

    throws: the dice of the model, or of several working together.
    Rules: CB-CHECK-01, CB-CHECK-11, CB-STAT-06.
    """
    return throw(dice, throws, label=label).net >= 1
