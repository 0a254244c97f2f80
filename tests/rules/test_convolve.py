"""Sums worked out at once: against every face of every die in turn, and against the rule that is thrown."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import prod

import pytest

from rules.dice import Dice, Solver, TooLarge, add_up, best_of
from rules.dice.convolution import FIELD, dense, few_plain, kept, pays, uniform_power, with_plain
from rules.notation import evaluate, once, parse, summed, value_reader
from tests.rules.helpers import brute


@pytest.mark.parametrize(("sides", "n"), [(2, 1), (2, 9), (6, 1), (6, 2), (6, 4), (10, 3), (3, 7)])
def test_sums_of_plain_dice(sides: int, n: int) -> None:
    counted = Counter(sum(faces) for faces in product(range(sides), repeat=n))
    ways = uniform_power(sides, n)
    assert dict(enumerate(ways)) == counted
    wider: Counter[int] = Counter()
    for total, count in counted.items():
        for first, second in product(range(5), range(2)):
            wider[total + first + second] += count
    assert dict(enumerate(with_plain(ways, [5, 2], lambda steps: None))) == wider
    assert few_plain([sides] * n) == ways
    assert dict(enumerate(few_plain([sides] * n + [5, 2]))) == wider


@pytest.mark.parametrize("sides", [[2] * 63, [6] * 24, [500], [7, 11, 13, 400]])
def test_few_dice_are_counted_alike_up_to_the_largest_that_fit(sides: list[int]) -> None:
    assert prod(sides) < 1 << FIELD
    half = -(-(sum(sides) - len(sides) + 1) // 2)
    assert few_plain(sides)[:half] == with_plain([1], sides, lambda steps: None)[:half]


def test_long_numbers_add_as_pairs_do() -> None:
    left = {(a, b): (a + 1) * (b + 3) / 315 for a in range(5) for b in range(-2, 4)}
    right = {(3, 7): 0.25, (-4, 0): 0.75}
    pairs: dict[tuple[int, ...], float] = {}
    for (a, b), p in left.items():
        for (c, d), q in right.items():
            pairs[a + c, b + d] = pairs.get((a + c, b + d), 0) + p * q
    found = {values: p for values, p in dense(left, right).items() if p}
    assert found == pytest.approx({values: p for values, p in pairs.items() if p}, abs=1e-15)


def test_when_long_numbers_pay() -> None:
    assert pays([(value,) for value in range(1000)], [(value,) for value in range(1000)])
    assert not pays([(value,) for value in range(10)], [(value,) for value in range(10)])
    assert not pays([(value * 1000,) for value in range(200)], [(value,) for value in range(200)])


def _d(dice: Dice, sides: int) -> int:
    return dice.face(sides, "a die")


@pytest.mark.parametrize("lowest", [False, True])
@pytest.mark.parametrize(("n", "keep", "sides"), [(1, 1, 6), (3, 1, 4), (3, 2, 4), (4, 3, 3), (4, 4, 3)])
def test_the_best_of_several(n: int, keep: int, sides: int, lowest: bool) -> None:
    question = (n, keep, lowest, _d, (sides,))
    assert Solver(exact=True).solve(best_of, *question).chances == brute(best_of, *question)


def test_what_is_dropped_of_the_best_is_told() -> None:
    one = [(1, 1e-9), (0, 1 - 1e-9)]
    assert kept(one, 2, 1, -1, lambda steps: None) == (pytest.approx({1: 2e-9, 0: 1 - 2e-9}), True)
    assert not kept([(1, 1e-6), (0, 1 - 1e-6)], 3, 2, 1e-11, lambda steps: None)[1]


@pytest.mark.parametrize(
    "text",
    [
        "2d4+1", "d3-d4", "2d3*2-1", "(d3+1)*3-d2*2", "d4*d3", "d6/2+d3", "3d4 keep 2",
        "3d4 keep lowest 1 + d3", "2d6 > 2d4", "2d3 = d6", "d6 >= 4", "3d4 vs 3", "3d4+1 vs 3 >= 2",
        "3d4 count 2-3 - d3",
        "-d4 [a] + 2 [b]",
        "2d3*0+1", "3d4 reroll 1 keep 2", "3d6 drop lowest 1", "fate", "4dF keep 2",
    ],
)  # fmt: skip
def test_parts_come_to_what_the_rule_comes_to(text: str) -> None:
    asked = once(parse(text))
    rolled = Solver(exact=True).solve(evaluate, asked).map(lambda outcome: outcome.value)
    parts = Solver(exact=True).solve(add_up, *summed(asked)).map(value_reader(asked))
    assert parts.chances == rolled.chances
    assert (
        brute(add_up, *summed(parse("2d4 keep 1 - d3")))
        == Solver(exact=True).solve(add_up, *summed(parse("2d4 keep 1 - d3"))).chances
    )


@pytest.mark.parametrize("text", ["5d6 explode keep 3", "4d6 reroll 1 explode", "3d10 explode 9+ each +1"])
def test_parts_that_explode(text: str) -> None:
    asked = parse(text)
    rolled = Solver(cut=0).solve(evaluate, asked).map(lambda outcome: outcome.value)
    parts = Solver(cut=0).solve(add_up, *summed(asked))
    likely = {value: chance for value, chance in rolled.chances.items() if chance > 1e-12}
    assert {value: parts.chances[value] for value in likely} == pytest.approx(likely, abs=1e-12)


@pytest.mark.parametrize("text", ["200d10 explode 2+", "+".join(f"d{sides}" for sides in range(900, 940))])
def test_large_sums_are_solved(text: str) -> None:
    odds = Solver(work=3_000_000).solve(add_up, *summed(parse(text)))
    assert odds.error < 1e-6
    assert sum(odds.chances.values()) == pytest.approx(1)


def test_many_plain_dice_leave_nothing_out() -> None:
    odds = Solver().solve(add_up, *summed(parse("100d100 - 99d99")))
    assert odds.whole
    assert (min(odds.chances), max(odds.chances)) == (100 - 99 * 99, 100 * 100 - 99)
    exact = Solver(exact=True).solve(add_up, *summed(parse("30d8"))).chances
    assert exact[30] == Fraction(1, 8**30)


def test_the_watch_ends_the_work() -> None:
    looked = []

    def watch() -> None:
        looked.append(1)
        if len(looked) == 5:
            raise TooLarge("late")

    with pytest.raises(TooLarge, match="late"):
        Solver(watch=watch).solve(add_up, *summed(parse("60d100 keep 30")))
    assert len(looked) == 5
