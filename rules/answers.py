"""Rules whose chances are worked out, not walked: sums, the best of several, and what is marked as such.

Each is a plain rule that can be rolled like any other; the solver asks its answer instead of running it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rules.chances import Distribution
from rules.dice import Dice

Part = tuple[int, int, Callable[..., int], tuple[Any, ...]]
"""A part of a sum: how often, times which factor, and the rule with its arguments that gives a number."""


def add_up(dice: Dice, *parts: Part) -> int:
    """Add up independent parts, one after another. The solver adds their chances without running this.

    Owes nothing to a game; no ledger.
    """
    return sum(factor * rule(dice, *args) for times, factor, rule, args in parts for _ in range(times))


def best_of(
    dice: Dice, times: int, keep: int, lowest: bool, rule: Callable[..., int], args: tuple[Any, ...]
) -> int:
    """Apply a rule so many times, and add up the highest outcomes, or the lowest.

    The solver places outcomes from the best on without running this. Owes nothing to a game; no ledger.
    """
    found = sorted((rule(dice, *args) for _ in range(times)), reverse=not lowest)
    return sum(found[:keep])


Answer = Callable[..., "Distribution"]
"""What the solver works out instead of running a rule: given itself and the rule's arguments."""

ANSWERS: dict[Callable[..., Any], Answer] = {}
"""The answer to each rule that was marked with `answers`."""


def answers(rule: Callable[..., Any]) -> Callable[[Answer], Answer]:
    """Mark a function as the shorter way to the chances of a rule; both must come to the same."""

    def marked(answer: Answer) -> Answer:
        ANSWERS[rule] = answer
        return answer

    return marked
