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


def counts(what: Any, of: Callable[[Any], float], asked: Asked | None = None) -> None:
    """Register the value of the outcomes of a rule, or of a kind. asked: see `Worth`."""
    _WORTHS[what] = Worth(of, asked=asked)


def deals(
    rule: Any,
    dealt: Callable[[Any], float],
    of: Callable[[Any], float] | None = None,
    asked: Asked | None = None,
) -> None:
    """Register a rule that wounds others. of: its worth, if that is more than the wounds.

    asked: see `Worth`; where it is given an outcome is worth its wounds.
    """
    _WORTHS[rule] = Worth(of or dealt, dealt, asked=asked)


def saves(rule: Any, lost: Callable[[Any], float]) -> None:
    """Register a rule that may wound the thrower."""
    _WORTHS[rule] = Worth(lambda outcome: -lost(outcome), lost, to_thrower=True)


def worth_of(rule: Any, outcome: Any) -> Worth | None:
    """Return the value for this rule, or for outcomes of this kind. A plain yes is good for the roller.

    None if it isn't luck.
    """
    known = _WORTHS.get(rule) or _WORTHS.get(type(outcome))
    return known or (Worth(float) if isinstance(outcome, bool) else None)
