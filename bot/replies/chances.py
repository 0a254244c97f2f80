"""Chances as people read them: whole percent, and bars of characters that need no picture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from rules.odds import Odds

BAR = 20
"""Characters of a bar that stands for certainty."""


def percent(chance: float) -> str:
    """A chance for people: 34 %, <1 %, >99 %; 0 % and 100 % only where they are certain."""
    if 0 < chance < 0.005:
        return " <1 %"
    if 0.995 < chance < 1 - 1e-9:
        return ">99 %"
    return f"{round(chance * 100):>3} %"


def bars(chances: Sequence[tuple[str, float]]) -> list[str]:
    """A line for each name with its chance: the number, and as many # as it is large."""
    width = max(len(name) for name, _ in chances)
    return [
        f"{name:<{width}} {percent(chance)} {'#' * round(chance * BAR)}".rstrip() for name, chance in chances
    ]


def exactness(*odds: Odds[Any]) -> str:
    """How exact these odds are."""
    error = max((one.error for one in odds), default=0.0)
    if any(one.rolls for one in odds):
        return f"Sampled: within {math.ceil(100 * error)} %."
    return "Exact." if error < 1e-6 else f"Exact to {error:.0e}."
