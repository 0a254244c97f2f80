"""The questions of the bench in icepool and dyce: each function gives one chance."""

from __future__ import annotations

from functools import cache
from typing import Any

import dyce
import icepool

from bench.figures import DEPTH, MODIFIER, POWER, SHIELDS, TARGET, VALUE_A, VALUE_B

# ------------------------------------------------------------- Counterblast's check in icepool and dyce


def chained(ones: int, hits: int, misses: int) -> dict[int, int]:
    """A d10 with bonus dice as counts: what a natural 1 takes off, faces that hit, faces that miss."""
    tail = {0: misses + 1, 1: hits + 1}
    scale = 1
    for _ in range(DEPTH - 1):
        scale *= 10
        longer = {0: (misses + 1) * scale, 1: hits * scale}
        for value, count in tail.items():
            longer[value + 1] = longer.get(value + 1, 0) + count
        tail = longer
    scale *= 10
    first = {-ones: scale}
    for value, count in ((0, misses * scale), (1, hits * scale)):
        first[value] = first.get(value, 0) + count
    for value, count in tail.items():
        first[value + 1] = first.get(value + 1, 0) + count
    return first


def check_counts() -> dict[int, int]:
    """The die of a check at the target."""
    hits = sum(face + MODIFIER >= TARGET for face in range(2, 10))
    return chained(1, hits, 8 - hits)


def shield_counts() -> dict[int, int]:
    """The die of a shield roll."""
    hits = sum(face >= POWER for face in range(2, 10))
    return chained(0, hits, 8 - hits)


def icepool_check(dice: int, least: int) -> float:
    """Chance of a net score of at least so much."""
    return float(((dice @ icepool.Die(check_counts())) >= least).probability(True))


def icepool_melee(dice: int) -> float:
    """Chance of at least one wound through shields."""
    score = dice @ icepool.Die(check_counts())
    margin = (score - score).map(lambda value: max(0, value))
    stops = SHIELDS @ icepool.Die(shield_counts())
    return float((margin > stops).probability(True))


def dyce_check(dice: int, least: int) -> float:
    """Chance of a net score of at least so much."""
    return _share(dice @ dyce.H(check_counts()), least)


def dyce_melee(dice: int) -> float:
    """Chance of at least one wound through shields."""
    score = dice @ dyce.H(check_counts())
    left = score - score - SHIELDS @ dyce.H(shield_counts())
    return float(sum(count for value, count in left.items() if value >= 1) / left.total)


# ------------------------------------------------------------- Infinity's face to face


class _Duel(icepool.MultisetEvaluator):  # type: ignore[misc]
    """Faces from the best to the worst: Criticals, then plain successes of both sides."""

    def next_state(self, state: Any, order: Any, outcome: int, a: int, b: int) -> Any:
        """Who leads, and with how many."""
        if order is not icepool.Order.Descending:
            raise icepool.UnsupportedOrder
        lead, hits = state or (0, 0)
        if lead == 3 or outcome <= 0:
            return lead, hits
        if not lead:
            if a and b:
                return 3, 0
            return (1, a) if a else (2, b) if b else (0, 0)
        if (lead == 1 and b) or (lead == 2 and a):
            return lead + 10, hits
        if lead > 10:
            return lead, hits
        return lead, hits + (a if lead == 1 else b)

    def extra_outcomes(self, outcomes: Any) -> Any:
        """Every rank, so that none is passed over."""
        return range(-1, 21)

    def final_outcome(self, final_state: Any, order: Any, outcomes: Any, *sizes: Any) -> Any:
        """Whether side a hits at all."""
        lead, hits = final_state or (0, 0)
        return int(lead in (1, 11) and hits > 0)


@cache
def _duel_die(value: int) -> Any:
    return icepool.d20.map(lambda face: 20 if face == value else face if face < value else -1)


def icepool_duel(dice: int) -> float:
    """Chance that side a hits at all, so many dice against as many."""
    pool_a, pool_b = _duel_die(VALUE_A).pool(dice), _duel_die(VALUE_B).pool(dice)
    return float(_Duel().evaluate(pool_a, pool_b).probability(1))


# ------------------------------------------------------------- plain dice


def _reached(die: Any, least: int) -> float:
    return float((die >= least).probability(True))


def _share(histogram: Any, least: int) -> float:
    return float(sum(count for value, count in histogram.items() if value >= least) / histogram.total)


def icepool_highest(dice: int, sides: int, keep: int, least: int) -> float:
    """Chance that the highest dice add up to so much."""
    return _reached(icepool.d(sides).highest(dice, keep), least)


def dyce_highest(dice: int, sides: int, keep: int, least: int) -> float:
    """Chance that the highest dice add up to so much."""
    places = range(dice - keep, dice)
    return _share(dyce.P(*[sides] * dice).at(*places), least)


def icepool_sum(dice: int, sides: int, least: int) -> float:
    """Chance that dice add up to so much."""
    return _reached(dice @ icepool.d(sides), least)


def dyce_sum(dice: int, sides: int, least: int) -> float:
    """Chance that dice add up to so much."""
    return _share(dice @ dyce.H(sides), least)


def icepool_explode(dice: int, sides: int, least: int) -> float:
    """Chance that exploding dice add up to so much."""
    return _reached(dice @ icepool.d(sides).explode(depth=DEPTH), least)


def dyce_explode(dice: int, sides: int, least: int) -> float:
    """Chance that exploding dice add up to so much."""
    chain = dyce.H(sides)
    for _ in range(DEPTH):
        burst = {sides + value: count for value, count in chain.items()}
        chain = dyce.H({**dict.fromkeys(range(1, sides), chain.total), **burst})
    return _share(dice @ chain, least)


def icepool_more() -> float:
    """Chance that 3d6 come to more than 2d8."""
    return float((3 @ icepool.d6 > 2 @ icepool.d8).probability(True))


def dyce_more() -> float:
    """Chance that 3d6 come to more than 2d8."""
    return _share((3 @ dyce.H(6)).gt(2 @ dyce.H(8)), 1)
