"""Faces from Python's own generator with a fixed seed, and a chi-square test for them."""

from __future__ import annotations

import random
from collections.abc import Hashable, Mapping
from math import sqrt


class Chance:
    """A `Source` of equally likely faces that are the same in every run."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def faces(self, n: int, sides: int, label: str) -> list[int]:
        return [self.random.randint(1, sides) for _ in range(n)]


def fits(counts: Mapping[Hashable, int], chances: Mapping[Hashable, float]) -> bool:
    """Whether counted outcomes fit their chances: chi-square, refused by chance once in about 30,000 times.

    Outcomes expected fewer than five times are put together. The limit is that of Wilson and Hilferty.
    """
    rolls = sum(counts.values())
    assert set(counts) <= {outcome for outcome, p in chances.items() if p > 0}
    rare_seen, rare_expected, square, cells = 0, 0.0, 0.0, 0
    for outcome, p in chances.items():
        seen, expected = counts.get(outcome, 0), float(p) * rolls
        if expected < 5:
            rare_seen += seen
            rare_expected += expected
        else:
            square += (seen - expected) ** 2 / expected
            cells += 1
    if rare_expected >= 1:
        square += (rare_seen - rare_expected) ** 2 / rare_expected
        cells += 1
    freedom = max(1, cells - 1)
    limit = freedom * (1 - 2 / (9 * freedom) + 4 * sqrt(2 / (9 * freedom))) ** 3
    return square <= limit
