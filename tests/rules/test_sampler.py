"""Sampling comes to what solving does, and parts that are solved are drawn at once."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from rules.dice import Dice, Die, Facet, Ranks, Sampler, Solver, Stop, add_up, sample
from rules.notation import evaluate, parse, summed

ROLLS = 20_000
SIX = Die(
    ("hits", "sixes"),
    tuple(Facet(str(face), (int(face > 3), int(face == 6)), again=face == 6) for face in range(1, 7)),
)


def pooled(dice: Dice) -> tuple[int, ...]:
    return dice.pool(5, SIX, "five")


def swept(dice: Dice) -> int:
    def step(state: int, rank: int, counts: tuple[int, ...]) -> int | Stop[int]:
        mine, theirs = counts
        return Stop(state) if theirs else state + mine

    ranks = Ranks((0, 1, 2, 3, 4, 5))
    return dice.sweep(((3, ranks), (2, ranks)), step, 0, "duel")


def drawn(dice: Dice) -> tuple[int, ...]:
    return dice.draw((3, 2, 4), 4, "bag")


def totalled(dice: Dice) -> int:
    return dice.total(6, lambda table: table.face(4, "d4")) - dice.face(6, "d6")


def _matches(rule: Callable[..., Any], args: tuple[Any, ...]) -> None:
    odds = Solver().solve(rule, *args)
    estimate = sample(rule, Random(5).random, lambda rolls: rolls >= ROLLS, *args)
    assert estimate.rolls == ROLLS
    for outcome, chance in odds.chances.items():
        share = estimate.counts.get(outcome, 0) / ROLLS
        assert share == pytest.approx(float(chance), abs=5 * (float(chance) / ROLLS) ** 0.5 + 1e-3)
    assert set(estimate.counts) <= set(odds.chances)


@pytest.mark.parametrize("rule", [pooled, swept, drawn, totalled])
def test_samples_are_those_of_the_chances(rule: Callable[..., Any]) -> None:
    _matches(rule, ())


@pytest.mark.parametrize("text", ["4d6 keep 3", "3d6! vs 5", "2d6r1 + d8", "{2d6, d10} keep 1", "5d6!kh2"])
def test_samples_of_expressions(text: str) -> None:
    _matches(evaluate, (parse(text),))
    _matches(add_up, summed(parse(text)))


def test_what_is_not_solved_is_thrown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rules.dice.sampler.WORK", 0)
    for rule in (pooled, swept, drawn, totalled):
        _matches(rule, ())


def test_a_pool_that_is_solved_is_one_draw() -> None:
    asked = 0

    def chance() -> float:
        nonlocal asked
        asked += 1
        return 0.5

    sampler = Sampler(chance)
    plain = Die(("total",), tuple(Facet(str(face), (face,)) for face in range(1, 7)))
    assert {sampler.pool(50, plain, "many") for _ in range(100)} == {(175,)}
    assert asked == 100
