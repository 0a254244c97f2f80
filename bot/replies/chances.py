"""Chances as people read them: whole percent, bars of characters that need no picture, how exact they are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from bot.replies.reply import COLUMNS, Column, Note
from rules.dice import HARDLY, Odds, Share

EXACT = 1e-6
"""An error below this is nothing that a reader could see."""

BAR = 20
"""The characters of a bar for certainty, if the names beside it leave enough room."""


def percent(chance: float) -> str:
    """Return a chance for people: 34%, <1%, >99%; 0% only for never, 100% only for always.

    chance: as `Odds.chance` gives it, which is never within `HARDLY` of 0 or 1 for what may be or not. One
    that was sampled is told with its band: 28 to 30%.
    """
    if isinstance(chance, Share):
        low, high = chance.band
        return f"{low} to {high}%"
    if HARDLY / 2 < chance <= 0.005:
        return " <1%"
    if 0.995 <= chance < 1 - HARDLY / 2:
        return ">99%"
    return f"{round(chance * 100):>3}%"


def sure_of(chance: float) -> float:
    """Return what a chance is at least: the lower end of its band if it was sampled, else itself."""
    return chance.band[0] / 100 if isinstance(chance, Share) else float(chance)


def exactness(*odds: Odds[Any]) -> Note:
    """Return how exact all chances shown are, in words; every game uses this."""
    error = max((odd.error for odd in odds), default=0.0)
    rolls = min((odd.rolls for odd in odds if odd.rolls), default=0)
    if rolls:
        return Note(f"Estimated from {times(rolls)}.")
    points = f"{100 * error:.1g}"
    unit = "percentage point" if points == "1" else "percentage points"
    return Note("Exact." if error < EXACT else f"Accurate to within {points} {unit}.")


def times(rolls: int) -> str:
    """Return how often it was thrown."""
    return f"{rolls:,} simulated rolls" if rolls != 1 else "1 simulated roll"


def bars(chances: Sequence[tuple[str, float]]) -> list[str]:
    """Return a line for each name with its chance as a number, and with as many # as there is room for."""
    width = max(len(name) for name, _ in chances)
    percents = [percent(chance) for _, chance in chances]
    widest = max(map(len, percents))
    bar = max(0, min(BAR, COLUMNS - width - widest - 2))
    return [
        Column(f"{name:<{width}} {percent_text:>{widest}} {'#' * round(chance * bar)}".rstrip())
        for (name, chance), percent_text in zip(chances, percents, strict=True)
    ]


_TOLD = re.compile(r"^(?P<what>\S.*?)[: ]\s*(?P<chance>[<>]?\d+(?: to \d+)?%)")
_COSTS = re.compile(r"\s*\([^)]*\d[^)]*\)$")
_BESIDE = ("With ", "Estimated", "Critical")


def in_short(lines: Sequence[str]) -> str:
    """Return the first chance and what is at stake, out of several: `no wound 56%, goes down 1%`.

    At stake is what stands with the number that it takes, as in `goes down (5+)`. Bare numbers tell
    nothing. Empty where no chance is told.
    """
    other_words = [
        (match["what"], match["chance"])
        for match in map(_TOLD.match, lines)
        if match is not None and not match["what"].startswith(_BESIDE) and re.search("[a-z]", match["what"])
    ]
    first, *others = other_words or [("", "")]
    stake = next((other for other in others if _COSTS.search(other[0])), None)
    words_shown = [first, *([stake] if stake else [])] if other_words else []
    return ", ".join(f"{_COSTS.sub('', label).lower()} {chance}" for label, chance in words_shown)
