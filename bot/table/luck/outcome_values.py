"""The value of an outcome for the person who rolled: the greater the better.

Games declare it for their rules here. An outcome without a value is not luck: the first player, the direction
of a drift, a chart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Asked = Callable[..., tuple[Callable[..., Any], tuple[Any, ...]]]
"""A rule and its arguments."""


@dataclass(frozen=True, slots=True)
class Worth:
    """of: what an outcome is worth to who throws. dealt: the wounds that it deals, None where it deals none.

    to_thrower: the wounds are those of who throws, as in a save. asked: another question about the same
    throw, whose outcomes are what the outcomes of the rule are worth, and fewer.
    """

    of: Callable[[Any], float]
    dealt: Callable[[Any], float] | None = None
    to_thrower: bool = False
    asked: Asked | None = None


_WORTHS: dict[Any, Worth] = {}


def register_value(rule: Any, value_of: Callable[[Any], float], query: Asked | None = None) -> None:
    """Register the value of the outcomes of a rule, or of a kind. query: see `Worth`."""
    _WORTHS[rule] = Worth(value_of, asked=query)


def register_wounds(
    rule: Any,
    dealt: Callable[[Any], float],
    value_of: Callable[[Any], float] | None = None,
    query: Asked | None = None,
) -> None:
    """Register a rule that wounds others. value_of: its worth, if that is more than the wounds.

    query: see `Worth`; where it is given an outcome is worth its wounds.
    """
    _WORTHS[rule] = Worth(value_of or dealt, dealt, asked=query)


def register_save(rule: Any, lost: Callable[[Any], float]) -> None:
    """Register a rule that may wound the thrower."""
    _WORTHS[rule] = Worth(lambda outcome: -lost(outcome), lost, to_thrower=True)


def find_worth(rule: Any, outcome: Any) -> Worth | None:
    """Return the value for this rule, or for outcomes of this kind. A plain yes is good for the roller.

    None if it isn't luck.
    """
    worth = _WORTHS.get(rule) or _WORTHS.get(type(outcome))
    return worth or (Worth(float) if isinstance(outcome, bool) else None)
