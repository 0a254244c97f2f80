"""What expressions come to, beside enumeration that knows nothing of the rules package.

Each is written here a second time, as dice thrown one by one; all its chances must be the same fractions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from rules.dice import Solver, add_up
from rules.notation import parse, summed, value_reader
from rules.notation.throwing import throw_and_keep_singly

Chances = dict[int, int]
"""How many of all equally likely falls of the dice come to each value."""

MAX_LENGTH = 12
"""Dice that may follow one die."""


def of(values: Iterable[int]) -> Chances:
    return Counter(values)


def d(sides: int) -> Chances:
    return of(range(1, sides + 1))


def each(chances: Chances, change: Callable[[int], int]) -> Chances:
    found: Chances = Counter()
    for value, n in chances.items():
        found[change(value)] += n
    return found


def both(left: Chances, right: Chances, come_to: Callable[[int, int], int] = int.__add__) -> Chances:
    found: Chances = Counter()
    for (a, m), (b, n) in product(left.items(), right.items()):
        found[come_to(a, b)] += m * n
    return found


def times(n: int, one: Chances) -> Chances:
    found: Chances = {0: 1}
    for _ in range(n):
        found = both(found, one)
    return found


def joined(parts: Iterable[Mapping[tuple[int, ...], int]], keep: int, lowest: bool) -> Chances:
    """The sum of those that stay: the multisets of values, part after part, of which only those that may."""
    states: Mapping[tuple[int, ...], int] = {(): 1}
    for one in parts:
        following: Counter[tuple[int, ...]] = Counter()
        for (state, m), (more, n) in product(states.items(), one.items()):
            following[tuple(sorted((*state, *more), reverse=not lowest)[:keep])] += m * n
        states = following
    found: Chances = Counter()
    for state, n in states.items():
        found[sum(state)] += n
    return found


def some(parts: list[Chances], keep: int, lowest: bool = False) -> Chances:
    """The sum of the highest, or of the lowest."""
    return joined([{(value,): n for value, n in one.items()} for one in parts], keep, lowest)


def kept(n: int, one: Chances, keep: int, lowest: bool = False) -> Chances:
    return some([one] * n, keep, lowest)


def burst(
    sides: int,
    on: set[int],
    worth: Callable[[int, bool], int] = lambda face, bonus: face,
    left: int = MAX_LENGTH,
    bonus: bool = False,
) -> Chances:
    found: Chances = Counter()
    earned = burst(sides, on, worth, left - 1, True) if left else {0: 1}
    nothing = {0: sum(earned.values())}
    for face in range(1, sides + 1):
        for value, n in (earned if face in on else nothing).items():
            found[value + worth(face, bonus)] += n
    return found


def pooled(n: int, sides: int, on: set[int], keep: int, lowest: bool = False) -> Chances:
    """Dice with those that they earn, of which some stay, each by itself: chain after chain."""
    one: Counter[tuple[int, ...]] = Counter()

    def follow(shown: tuple[int, ...]) -> None:
        for face in range(1, sides + 1):
            now = (*shown, face)
            if face in on and len(now) <= MAX_LENGTH:
                follow(now)
            else:
                one[tuple(sorted(now, reverse=not lowest)[:keep])] += sides ** (MAX_LENGTH + 1 - len(now))

    follow(())
    return joined([one] * n, keep, lowest)


def again(sides: int, on: set[int], most: int = 1) -> Chances:
    """A die that is thrown again where it shows these, so often at most."""
    found: Chances = Counter()
    thrown = again(sides, on, most - 1) if most else {}
    for face in range(1, sides + 1):
        if face in on and most:
            found.update(thrown)
        else:
            found[face] += sides**most
    return found


def hit(chances: Chances, on: Iterable[int], off: Iterable[int] = (), twice: Iterable[int] = ()) -> Chances:
    yes, no, double = set(on), set(off), set(twice)
    return each(
        chances, lambda value: (value in yes) + (value in double) - (value in no and value not in yes)
    )


FATE = of((-1, 0, 1))
PENETRATES = lambda face, bonus: face - bonus  # noqa: E731
A = both(times(4, d(6)), times(2, d(8)))
B = each(times(3, d(20)), lambda value: value + 3)
C = each(times(5, d(10)), lambda value: value + 1)

BY_HAND: Mapping[str, Callable[[], Chances]] = {
    "d20+5": lambda: of(range(6, 26)),
    "d20+4": lambda: of(range(5, 25)),
    "2d20 keep 1": lambda: of(max(dice) for dice in product(range(1, 21), repeat=2)),
    "{2d20} keep 1": lambda: of(max(dice) for dice in product(range(1, 21), repeat=2)),
    "2d20 keep 1 + 5": lambda: of(max(dice) + 5 for dice in product(range(1, 21), repeat=2)),
    "2d20 keep lowest 1": lambda: of(min(dice) for dice in product(range(1, 21), repeat=2)),
    "3d20 keep 1": lambda: of(max(dice) for dice in product(range(1, 21), repeat=3)),
    "3d20 keep lowest 2": lambda: of(sum(dice) - max(dice) for dice in product(range(1, 21), repeat=3)),
    "4d6 keep 3": lambda: of(sum(dice) - min(dice) for dice in product(range(1, 7), repeat=4)),
    "4d6 keep 3 + 4": lambda: of(sum(dice) - min(dice) + 4 for dice in product(range(1, 7), repeat=4)),
    "4d6 keep lowest 3": lambda: of(sum(dice) - max(dice) for dice in product(range(1, 7), repeat=4)),
    "5d6 keep 4": lambda: of(sum(dice) - min(dice) for dice in product(range(1, 7), repeat=5)),
    "10d6 keep lowest 8": lambda: kept(10, d(6), 8, True),
    "3d10 keep 2": lambda: of(sum(dice) - min(dice) for dice in product(range(1, 11), repeat=3)),
    "4d10 keep 2": lambda: of(sum(sorted(dice)[2:]) for dice in product(range(1, 11), repeat=4)),
    "4d10 keep lowest 2": lambda: of(sum(sorted(dice)[:2]) for dice in product(range(1, 11), repeat=4)),
    "6d10 only 8+": lambda: times(6, of([0] * 7 + [8, 9, 10])),
    "4d6 only <=2": lambda: times(4, of([1, 2, 0, 0, 0, 0])),
    "4d6 only <=3": lambda: times(4, of([1, 2, 3, 0, 0, 0])),
    "2d6 only not 1": lambda: times(2, of([0, 2, 3, 4, 5, 6])),
    "2d6 reroll <=2": lambda: times(2, again(6, {1, 2})),
    "4d6 reroll <=2": lambda: times(4, again(6, {1, 2})),
    "2d6 reroll <=4": lambda: times(2, again(6, {1, 2, 3, 4})),
    "4d6 reroll 1": lambda: times(4, again(6, {1})),
    "4d6 reroll 2": lambda: times(4, again(6, {2})),
    "4d6 reroll 5+": lambda: times(4, again(6, {5, 6})),
    "d6 reroll 1": lambda: again(6, {1}),
    "d6 reroll 6": lambda: again(6, {6}),
    "4d10 reroll <=3": lambda: times(4, again(10, {1, 2, 3})),
    "4d6 reroll until 1": lambda: times(4, again(6, {1}, MAX_LENGTH)),
    "4d6 reroll until 5+": lambda: times(4, again(6, {5, 6}, MAX_LENGTH)),
    "2d6 reroll until <=2": lambda: times(2, again(6, {1, 2}, MAX_LENGTH)),
    "4d6 reroll until <=2": lambda: times(4, again(6, {1, 2}, MAX_LENGTH)),
    "d20 reroll until <=2": lambda: again(20, {1, 2}, MAX_LENGTH),
    "4d6 explode": lambda: times(4, burst(6, {6})),
    "5d6 explode": lambda: times(5, burst(6, {6})),
    "2d6 explode": lambda: times(2, burst(6, {6})),
    "2d6 compound": lambda: times(2, burst(6, {6})),
    "2d6 explode 5": lambda: times(2, burst(6, {5})),
    "3d6 explode 5": lambda: times(3, burst(6, {5})),
    "2d6 explode 5+": lambda: times(2, burst(6, {5, 6})),
    "2d6 compound 5+": lambda: times(2, burst(6, {5, 6})),
    "3d6 explode 5+": lambda: times(3, burst(6, {5, 6})),
    "5d6 explode 5+": lambda: times(5, burst(6, {5, 6})),
    "5d6 explode 1-2": lambda: times(5, burst(6, {1, 2})),
    "2d6 explode not 4": lambda: times(2, burst(6, {1, 2, 3, 5, 6})),
    "4d10 explode 9+": lambda: times(4, burst(10, {9, 10})),
    "3d10 explode 9": lambda: times(3, burst(10, {9})),
    "4d10 explode 1-2": lambda: times(4, burst(10, {1, 2})),
    "4d6 explode once": lambda: times(4, burst(6, {6}, left=1)),
    "5d6 explode once": lambda: times(5, burst(6, {6}, left=1)),
    "2d6 penetrate": lambda: times(2, burst(6, {6}, PENETRATES)),
    "2d6 compound penetrate": lambda: times(2, burst(6, {6}, PENETRATES)),
    "4d10 penetrate 1-3": lambda: times(4, burst(10, {1, 2, 3}, PENETRATES)),
    "4d6 explode keep 3": lambda: pooled(4, 6, {6}, 3),
    "5d10 explode keep 2": lambda: pooled(5, 10, {10}, 2),
    "5d10 explode keep 3": lambda: pooled(5, 10, {10}, 3),
    "10d6 explode keep 8": lambda: pooled(10, 6, {6}, 8),
    "4d6 least 2": lambda: times(4, of([2, 2, 3, 4, 5, 6])),
    "4d6 least 3": lambda: times(4, of([3, 3, 3, 4, 5, 6])),
    "4d6 most 5": lambda: times(4, of([1, 2, 3, 4, 5, 5])),
    "{d6, d8} keep 1": lambda: both(d(6), d(8), max),
    "{d6, d8} keep lowest 1": lambda: both(d(6), d(8), min),
    "{4d6, 2d10} keep 1": lambda: both(times(4, d(6)), times(2, d(10)), max),
    "{2d6, d10} keep lowest 1": lambda: both(times(2, d(6)), d(10), min),
    "{4d6, 3d8, 2d10} keep 1": lambda: both(both(times(4, d(6)), times(3, d(8)), max), times(2, d(10)), max),
    "{4d6+2d8, 3d20+3, 5d10+1} keep 1": lambda: both(both(A, B, max), C, max),
    "{4d6+2d8, 3d20+3, 5d10+1} count 41+": lambda: both(
        both(hit(A, range(41, 99)), hit(B, range(41, 99))), hit(C, range(41, 99))
    ),
    "{3d10+5} count 31+ fail <=14": lambda: hit(
        each(times(3, d(10)), lambda value: value + 5), range(31, 99), range(15)
    ),
    "{2d6, 3d4, d12} count 7+": lambda: both(
        both(hit(times(2, d(6)), range(7, 99)), hit(times(3, d(4)), range(7, 99))), hit(d(12), range(7, 99))
    ),
    "{4d10+5d6} keep 2": lambda: some([d(10)] * 4 + [d(6)] * 5, 2),
    "(d4+1)*2": lambda: of((4, 6, 8, 10)),
    "7/2": lambda: {3: 1},
    "-d6": lambda: of(range(-6, 0)),
    "8d6 [fire]": lambda: times(8, d(6)),
    "3d6 [damage]": lambda: times(3, d(6)),
    "3d6 [fire]+2d4 [cold]": lambda: both(times(3, d(6)), times(2, d(4))),
    "d100": lambda: d(100),
    "4d100": lambda: times(4, d(100)),
    "d20+5 >= 15": lambda: of([0] * 9 + [1] * 11),
    "d6 = 3": lambda: of((0, 0, 1, 0, 0, 0)),
    "d6 != 6": lambda: of((1, 1, 1, 1, 1, 0)),
    "2d6 < 2d8": lambda: both(times(2, d(6)), times(2, d(8)), lambda a, b: int(a < b)),
    "d10%3": lambda: of(face % 3 for face in range(1, 11)),
    "d15%2": lambda: of(face % 2 for face in range(1, 16)),
    "d6%2": lambda: of(face % 2 for face in range(1, 7)),
    "2d6^2": lambda: each(times(2, d(6)), lambda value: value**2),
    "3d20^4": lambda: each(times(3, d(20)), lambda value: value**4),
    "2d6+3d10": lambda: both(times(2, d(6)), times(3, d(10))),
    "3d6+5": lambda: each(times(3, d(6)), lambda value: value + 5),
    "4d6": lambda: of(map(sum, product(range(1, 7), repeat=4))),
    "3d6": lambda: of(map(sum, product(range(1, 7), repeat=3))),
    "2d6": lambda: of(map(sum, product(range(1, 7), repeat=2))),
    "d20": lambda: d(20),
    "d6": lambda: d(6),
    "2d10": lambda: of(map(sum, product(range(1, 11), repeat=2))),
    "3d12": lambda: of(map(sum, product(range(1, 13), repeat=3))),
    "4d10": lambda: of(map(sum, product(range(1, 11), repeat=4))),
    "3dF": lambda: times(3, FATE),
    "4dF": lambda: times(4, FATE),
    "4dF.1": lambda: times(4, of((-1, 0, 0, 0, 0, 1))),
    "10d6*2": lambda: each(times(10, d(6)), lambda value: value * 2),
    "20d6/2": lambda: each(times(20, d(6)), lambda value: value // 2),
    "7d6/3": lambda: each(times(7, d(6)), lambda value: value // 3),
    "d6/2": lambda: of((0, 1, 1, 2, 2, 3)),
    "ceil(d6/2)": lambda: of((1, 1, 2, 2, 3, 3)),
    "round(d6/4)": lambda: of((0, 1, 1, 1, 1, 2)),
    "round(d10/4)": lambda: of((0, 1, 1, 1, 1, 2, 2, 2, 2, 3)),
    "abs(d6-4)": lambda: of((3, 2, 1, 0, 1, 2)),
    "abs(d6-3)": lambda: of((2, 1, 0, 1, 2, 3)),
    "d20-15": lambda: of(range(-14, 6)),
    "15-d20": lambda: of(range(-5, 15)),
    "6d10 count 7+": lambda: times(6, hit(d(10), range(7, 11))),
    "6d10 count 7+ double 10+": lambda: times(6, hit(d(10), range(7, 11), (), (10,))),
    "5d10 count 8+ fail <=1": lambda: times(5, hit(d(10), (8, 9, 10), (1,))),
    "8d10 count 7+ fail <=1": lambda: times(8, hit(d(10), range(7, 11), (1,))),
    "8d10 count 7+ fail 1": lambda: times(8, hit(d(10), range(7, 11), (1,))),
    "5d8 count 5+": lambda: times(5, hit(d(8), range(5, 9))),
    "5d8 count 5+ fail <=2": lambda: times(5, hit(d(8), range(5, 9), (1, 2))),
    "4d6 count <=3": lambda: times(4, hit(d(6), (1, 2, 3))),
    "4d6 count even": lambda: times(4, hit(d(6), (2, 4, 6))),
    "4d6 count odd": lambda: times(4, hit(d(6), (1, 3, 5))),
    "2d6 count 6": lambda: times(2, hit(d(6), (6,))),
    "6d6 count 6": lambda: times(6, hit(d(6), (6,))),
    "6d6 count 1": lambda: times(6, hit(d(6), (1,))),
    "6d6 count 5+": lambda: times(6, hit(d(6), (5, 6))),
    "4d2 count 2+": lambda: times(4, hit(d(2), (2,))),
    "4d3 count 2+": lambda: times(4, hit(d(3), (2, 3))),
    "4d3 count not 2": lambda: times(4, hit(d(3), (1, 3))),
    "4d3 count <=1": lambda: times(4, hit(d(3), (1,))),
    "4d3 explode count 2+": lambda: times(4, burst(3, {3}, lambda face, bonus: int(face >= 2))),
    "6d10 count <=4": lambda: times(6, hit(d(10), (1, 2, 3, 4))),
    "4d10 count 8+": lambda: times(4, hit(d(10), (8, 9, 10))),
    "4d10 count <=1": lambda: times(4, hit(d(10), (1,))),
    "10d6 count 5+": lambda: times(10, hit(d(6), (5, 6))),
    "10d6 count 6": lambda: times(10, hit(d(6), (6,))),
    "10d6 count <=2": lambda: times(10, hit(d(6), (1, 2))),
    "10d6 count <=1": lambda: times(10, hit(d(6), (1,))),
}


@cache
def by_hand(text: str) -> dict[int, Fraction]:
    """What was counted by hand, as fractions of all falls."""
    falls = BY_HAND[text]()
    every = sum(falls.values())
    return {value: Fraction(n, every) for value, n in falls.items() if n}


def solved(text: str) -> dict[int, Fraction]:
    asked = parse(text)
    odds = Solver(exact=True).solve(add_up, *summed(asked)).map(value_reader(asked))
    return {value: Fraction(p) for value, p in odds.chances.items() if p}


@pytest.mark.parametrize("text", BY_HAND)
def test_chances_are_those_of_dice_thrown_one_by_one(text: str) -> None:
    assert solved(text) == by_hand(text)


@pytest.mark.parametrize(
    "text",
    ["2d3! keep 1", "2d3! keep lowest 2", "2d5 explode once 1-2 keep 2", "2d3 penetrate keep 1",
     "2d3 explode once keep 2", "2d4 reroll 1 explode keep 2", "2d3 reroll 3 explode keep 1",
     "3d4 reroll 2 keep 2",
     "2d4! least 2 keep 2 count 3+ fail <=2", "2d4 explode once even keep 1", "2d3 reroll until 1 keep 1"],
)  # fmt: skip
def test_the_shorter_way_comes_to_what_the_rule_does(text: str) -> None:
    """The rule itself, walked branch by branch with no shorter way."""
    term = parse(text).test
    walked = Solver(cut=1e-13).solve(lambda dice: throw_and_keep_singly(dice, term, "dice"))  # type: ignore[arg-type]
    short = Solver(cut=0).solve(throw_and_keep_singly, term, "dice")  # type: ignore[arg-type]
    values = set(walked.chances) | set(short.chances)
    for value in values:
        assert float(short.chances.get(value, 0)) == pytest.approx(
            float(walked.chances.get(value, 0)), abs=1e-9
        )
