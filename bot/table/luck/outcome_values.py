"""What an outcome is worth to whoever threw for it: the greater the better. Games say it of their rules here.

An outcome of which nobody says anything is no luck at all: who begins, where something drifts, a chart."""

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
    """What the outcomes of a rule, or those of a kind, are worth. asked: see `Worth`."""
    _WORTHS[what] = Worth(of, asked=asked)


def deals(
    rule: Any,
    dealt: Callable[[Any], float],
    of: Callable[[Any], float] | None = None,
    asked: Asked | None = None,
) -> None:
    """A rule that wounds others. of: what it is worth, where that is more than the wounds.

    asked: see `Worth`; where it is given an outcome is worth its wounds.
    """
    _WORTHS[rule] = Worth(of or dealt, dealt, asked=asked)


def saves(rule: Any, lost: Callable[[Any], float]) -> None:
    """A rule by which who throws may be wounded."""
    _WORTHS[rule] = Worth(lambda outcome: -lost(outcome), lost, to_thrower=True)


def worth_of(rule: Any, outcome: Any) -> Worth | None:
    """Return what is said of this rule, or of outcomes of this kind; a plain yes is good for who throws.

    None for what is no luck.
    """
    known = _WORTHS.get(rule) or _WORTHS.get(type(outcome))
    return known or (Worth(float) if isinstance(outcome, bool) else None)
