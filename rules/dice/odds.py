"""Chances: what solving and sampling give, and how they are asked.

Owns the outcomes with their chances and how far they may be off; knows neither dice nor how they are found.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import ceil, floor, sqrt
from operator import itemgetter
from typing import Any, Concatenate, Generic, TypeVar

from .seam import Dice, P, R, Roller, Source

T = TypeVar("T")

HARDLY = 1e-10
"""The smallest chance that counts as more than 0, and the smallest distance from a certain 1.

What was cut of one outcome, and what floats lose as they are added, stays below it.
"""


Number = float | Fraction


class Share(float):
    """The share of so many sampled throws, with the band that the chance itself hardly ever leaves."""

    __slots__ = ("rolls",)
    rolls: int

    def __new__(cls, value: float, rolls: int) -> Share:
        """value: 0 to 1. rolls: 1 or more."""
        share = super().__new__(cls, value)
        share.rolls = rolls
        return share

    @property
    def band(self) -> tuple[int, int]:
        """Return whole percent around the chance: two standard errors each way, rounded outwards."""
        width = 2 * sqrt(max(self * (1 - self), 1 / self.rolls) / self.rolls)
        return max(0, floor(100 * (self - width))), min(100, ceil(100 * (self + width)))

    def __rsub__(self, whole: float) -> float:
        """Return the share that is left."""
        return Share(1.0 - float(self), self.rolls) if whole == 1 else whole - float(self)


class Distribution(dict[Any, Number]):
    """Outcomes with their chances. whole: nothing that is possible was left out."""

    __slots__ = ("whole",)

    def __init__(
        self, entries: Mapping[Any, Number] | Iterable[tuple[Any, Number]] = (), *, whole: bool = True
    ) -> None:
        super().__init__(entries)
        self.whole = whole


@dataclass(frozen=True, slots=True)
class Odds(Generic[R]):
    """Every outcome of a rule with its chance.

    rolls: how many sampled rolls the chances come from, 0 where they were solved. whole: every outcome that
    is possible is among them.
    """

    chances: Mapping[R, Number]
    rolls: int = 0
    whole: bool = True

    @property
    def error(self) -> float:
        """Return by how much a chance may be wrong: the part that was cut, or at most two standard errors."""
        if self.rolls:
            return 1 / sqrt(self.rolls)
        return max(0.0, float(1 - sum(self.chances.values())))

    def chance(self, event: Callable[[R], bool]) -> float:
        """Return the chance that an outcome satisfies the event.

        It is 0 if no outcome can, 1 if all must, and otherwise between `HARDLY` and 1 less `HARDLY`. If
        outcomes were left out, it is never 0 or 1.
        """
        met = [p for outcome, p in self.chances.items() if event(outcome)]
        if self.whole and len(met) in (0, len(self.chances)):
            return float(bool(met))
        return self.told(float(sum(met)))

    def told(self, share: float) -> float:
        """Return a chance as players see it: never 0 if it can happen, never 1 if it can fail."""
        within = min(max(share, HARDLY), 1 - HARDLY)
        return Share(within, self.rolls) if self.rolls else within

    def each(self) -> dict[R, float]:
        """Return every outcome with its chance, likeliest first."""
        single = self.whole and len(self.chances) == 1
        ordered = sorted(self.chances.items(), key=itemgetter(1), reverse=True)
        return {outcome: 1.0 if single else self.told(float(p)) for outcome, p in ordered}

    def mean(self, value: Callable[[R], float]) -> float:
        """Return the average of a value over all outcomes."""
        return float(sum(value(outcome) * float(p) for outcome, p in self.chances.items()))

    def map(self, key: Callable[[R], T]) -> Odds[Any]:
        """Return the odds of what `key` returns for each outcome."""
        merged = Distribution(whole=self.whole)
        for outcome, p in self.chances.items():
            name = key(outcome)
            merged[name] = merged.get(name, 0) + p
        return Odds(merged, self.rolls, self.whole)


def at_least(odds: Odds[int], values: Iterable[int]) -> dict[int, float]:
    """Return for each value the chance that a numeric outcome reaches it."""
    ordered = sorted(odds.chances)
    reached = list(accumulate((float(odds.chances[value]) for value in reversed(ordered)), initial=0.0))
    found = {}
    for value in values:
        count = len(ordered) - bisect_left(ordered, value)
        certain = odds.whole and count in (0, len(ordered))
        found[value] = float(bool(count)) if certain else odds.told(reached[count])
    return found


@dataclass(frozen=True, slots=True)
class Estimate(Generic[R]):
    """Outcomes counted over `rolls` sampled rolls."""

    counts: Mapping[R, int]
    rolls: int

    def chance(self, event: Callable[[R], bool]) -> tuple[float, float]:
        """Return the share of rolls that satisfy the event, and its standard error."""
        hits = sum(count for outcome, count in self.counts.items() if event(outcome))
        share = hits / self.rolls
        return share, sqrt(max(share * (1 - share), 1 / self.rolls) / self.rolls)


def sampled(estimated: Estimate[R]) -> Odds[R]:
    """Return an estimate in the form of odds, marked as sampled."""
    shares = {outcome: count / estimated.rolls for outcome, count in estimated.counts.items()}
    return Odds(shares, estimated.rolls, whole=False)


def estimate(
    rule: Callable[Concatenate[Dice, P], R], source: Source, rolls: int, *args: P.args, **kwargs: P.kwargs
) -> Estimate[R]:
    """Roll the rule so often with the faces of a source, and count the outcomes. See `sample` for speed."""
    counts: dict[R, int] = {}
    for _ in range(rolls):
        outcome = rule(Roller(source), *args, **kwargs)
        counts[outcome] = counts.get(outcome, 0) + 1
    return Estimate(counts, rolls)
