"""The dice: sampled with a trace, and solved exactly from cold, beside d20, icepool and dyce.

The peers answer the same question, checked: their chance of the event named must equal ours.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import d20
import dyce
import icepool

from bench.timing import best_ms, each_us
from rules.dice import BONUS_WAVES, FairDice, Roller, Solver
from rules.systems.counterblast.core.checks import Throw, throw
from rules.systems.counterblast.core.shields import Impact
from rules.systems.counterblast.melee.bouts import Bout, fight_wounds
from rules.systems.infinity.f2f import Side, face_to_face

SEED = b"bench" * 6 + b"!!"
TARGET, MODIFIER = 7, 1
POWER, SHIELDS = 5, 4
VALUE_A, VALUE_B = 14, 12


@dataclass(frozen=True, slots=True)
class Question:
    """One question: our rule, the event whose chance is compared, and how peers answer it."""

    name: str
    rule: Callable[..., Any]
    args: tuple[Any, ...]
    event: Callable[[Any], bool]
    icepool: Callable[[], float] | None = None
    dyce: Callable[[], float] | None = None
    d20: str = ""


# ------------------------------------------------------------- Counterblast's check in icepool and dyce


def chained(ones: int, hits: int, misses: int) -> dict[int, int]:
    """A d10 with bonus dice as counts: what a natural 1 takes off, faces that hit, faces that miss."""
    tail = {0: misses + 1, 1: hits + 1}
    scale = 1
    for _ in range(BONUS_WAVES - 1):
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


def icepool_check(dice: int) -> float:
    """Chance of at least one net success."""
    return float(((dice @ icepool.Die(check_counts())) >= 1).probability(True))


def icepool_melee(dice: int) -> float:
    """Chance of at least one wound through shields."""
    score = dice @ icepool.Die(check_counts())
    margin = (score - score).map(lambda value: max(0, value))
    stops = SHIELDS @ icepool.Die(shield_counts())
    return float((margin > stops).probability(True))


def dyce_check(dice: int) -> float:
    """Chance of at least one net success."""
    score = dice @ dyce.H(check_counts())
    return float(sum(count for value, count in score.items() if value >= 1) / score.total)


def dyce_melee(dice: int) -> float:
    """Chance of at least one wound through shields."""
    score = dice @ dyce.H(check_counts())
    left = score - score - SHIELDS @ dyce.H(shield_counts())
    return float(sum(count for value, count in left.items() if value >= 1) / left.total)


# ------------------------------------------------------------- Infinity's face to face, sol'una's flips


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


def icepool_duel() -> float:
    """Chance that side a hits at all, five dice against five."""
    pool_a, pool_b = _duel_die(VALUE_A).pool(5), _duel_die(VALUE_B).pool(5)
    return float(_Duel().evaluate(pool_a, pool_b).probability(1))


def questions() -> list[Question]:
    """What is asked."""
    impact = Impact(power=POWER, shields=SHIELDS)
    eight = Throw(8, MODIFIER, TARGET)
    check = lambda dice: (Throw(dice, MODIFIER, TARGET),)  # noqa: E731
    return [
        Question(
            f"check of {dice} dice",
            throw,
            (check(dice),),
            lambda result: result.net >= 1,
            lambda dice=dice: icepool_check(dice),
            lambda dice=dice: dyce_check(dice),
            f"{dice}d10",
        )
        for dice in (4, 8)
    ] + [
        Question(
            "melee 8 against 8, 4 shields",
            fight_wounds,
            (Bout(1, eight, eight, impact),),
            lambda wounds: wounds >= 1,
            lambda: icepool_melee(8),
            lambda: dyce_melee(8),
            "8d10-8d10",
        ),
        Question(
            "face to face 5 against 5",
            face_to_face,
            (Side(5, VALUE_A), Side(5, VALUE_B)),
            lambda result: result.winner == 1,
            icepool_duel,
            None,
            "5d20",
        ),
    ]


def run() -> list[str]:
    """Measure; gives the rows of a table. Raises ValueError where a peer's answer differs."""
    rows = [
        "| question | sampled with trace | d20 rolls the bare dice | exact, cold | icepool | dyce |",
        "|---|---|---|---|---|---|",
    ]
    for asked in questions():
        mine = Solver().solve(asked.rule, *asked.args).chance(asked.event)
        cells = []
        for peer in (asked.icepool, asked.dyce):
            if peer is None:
                cells.append("no short form")
                continue
            theirs = peer()
            if abs(mine - theirs) > 1e-7:
                raise ValueError(f"{asked.name}: {mine} here, {theirs} there")
            cells.append(f"{best_ms(peer, 5):.2f} ms")
        sampled = each_us(lambda n, a=asked: a.rule(Roller(FairDice(SEED, (), n)), *a.args))
        bare = each_us(lambda n, a=asked: d20.roll(a.d20), 300, 3)
        exact = best_ms(lambda a=asked: Solver().solve(a.rule, *a.args))
        rows.append(
            f"| {asked.name} | {sampled:.1f} µs | {bare:.1f} µs | {exact:.2f} ms | {cells[0]} | {cells[1]} |"
        )
    return rows
