"""Chances by throwing dice, for questions that are too large to be solved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Concatenate, Generic

from rules.chances import Odds
from rules.dice import Dice, P, R, Roller, Source


@dataclass(frozen=True, slots=True)
class Estimate(Generic[R]):
    """Outcomes counted over `rolls` sampled rolls."""

    counts: Mapping[R, int]
    rolls: int

    def chance(self, event: Callable[[R], bool]) -> tuple[float, float]:
        """Share of rolls that satisfy the event, and its standard error."""
        hits = sum(count for outcome, count in self.counts.items() if event(outcome))
        share = hits / self.rolls
        return share, sqrt(max(share * (1 - share), 1 / self.rolls) / self.rolls)


def sampled(estimated: Estimate[R]) -> Odds[R]:
    """An estimate in the form of odds, marked as sampled."""
    shares = {outcome: count / estimated.rolls for outcome, count in estimated.counts.items()}
    ordered = dict(sorted(shares.items(), key=lambda item: -item[1]))
    return Odds(ordered, estimated.rolls, whole=False)


def sample(
    rule: Callable[Concatenate[Dice, P], R],
    source: Source,
    enough: Callable[[int], bool],
    *args: P.args,
    **kwargs: P.kwargs,
) -> Estimate[R]:
    """Sample the rule until it is enough. enough: is told how many rolls there are, from 1 on."""
    counts: dict[R, int] = {}
    rolls = 0
    while not rolls or not enough(rolls):
        outcome = rule(Roller(source), *args, **kwargs)
        counts[outcome] = counts.get(outcome, 0) + 1
        rolls += 1
    return Estimate(counts, rolls)


def estimate(
    rule: Callable[Concatenate[Dice, P], R], source: Source, rolls: int, *args: P.args, **kwargs: P.kwargs
) -> Estimate[R]:
    """Sample the rule: for questions that the solver refuses as too large."""
    return sample(rule, source, lambda done: done >= rolls, *args, **kwargs)
