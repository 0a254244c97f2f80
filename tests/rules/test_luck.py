"""Luck: where rolls fell among what fair dice do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import permutations
from math import comb
from random import Random
from statistics import NormalDist

import pytest

from rules.dice import Fall, Luck, luck_of

DIE = {float(face): 1 / 6 for face in range(1, 7)}
HARD = {0.0: 0.9, 1.0: 0.1}


def test_two_dice_have_the_luck_that_counting_gives() -> None:
    """Of 36 throws of two dice 33 add up to less than 11, two to 11."""
    luck = luck_of([Fall(DIE, 6.0), Fall(DIE, 5.0)])
    assert luck.less == pytest.approx(33 / 36)
    assert luck.alike == pytest.approx(2 / 36)
    assert luck.more == pytest.approx(1 / 36)


def test_no_roll_is_as_lucky_as_any() -> None:
    assert (luck_of([]).less, luck_of([]).alike) == (0.0, 1.0)


def test_what_cannot_fall_is_no_luck() -> None:
    with pytest.raises(ValueError, match="can't be worth"):
        luck_of([Fall(DIE, 7.0)])


@pytest.fixture(scope="module")
def fair() -> list[Luck]:
    """The luck of 10,000 fair games of eight rolls; games that fell alike have the same."""
    random = Random(5)
    fell: Counter[tuple[tuple[float, ...], tuple[float, ...]]] = Counter()
    for _ in range(10_000):
        faces = sorted(float(random.randint(1, 6)) for _ in range(4))
        fell[tuple(faces), tuple(sorted(float(random.random() < 0.1) for _ in range(4)))] += 1
    found = []
    for (faces, hits), games in fell.items():
        falls = [Fall(DIE, face) for face in faces] + [Fall(HARD, hit) for hit in hits]
        found += [luck_of(falls)] * games
    return found


def test_luck_is_the_same_in_whatever_order_rolls_fell() -> None:
    falls = [Fall(DIE, 5.0), Fall(HARD, 1.0), Fall(DIE, 1.0), Fall(HARD, 0.0), Fall(DIE, 3.0)]
    assert len({luck_of(one) for one in permutations(falls)}) == 1


def test_fair_games_are_as_lucky_as_they_are_told_to_be(fair: list[Luck]) -> None:
    """No more than one in twenty is told to be as bad as one in twenty."""
    assert 300 < sum(luck.less + luck.alike <= 0.05 for luck in fair) <= 565
    assert 300 < sum(luck.more + luck.alike <= 0.05 for luck in fair) <= 565


def test_a_place_is_the_middle_of_its_rank() -> None:
    """A five on one die: four of six are less, one is alike, so its place is 4.5 of 6."""
    luck = luck_of([Fall(DIE, 5.0)])
    assert (luck.less, luck.alike) == (pytest.approx(4 / 6), pytest.approx(1 / 6))
    assert luck.place == pytest.approx(4.5 / 6)
    assert luck.as_far == pytest.approx(2 * 2 / 6)
    assert luck_of([Fall(DIE, 5.0).turned]).place == pytest.approx(1.5 / 6)
    assert Fall(DIE, 5.0).mean == pytest.approx(3.5)


def test_alike_falls_share_their_place() -> None:
    """A place is what is less and half of what is alike: of one in ten a hit stands at 95, a miss at 45.

    So a miss with heads, 45 and 75, comes to as much as a hit with tails, 95 and 25: half of all games. Less
    is a miss with tails alone, 0.9 * 0.5.
    """
    coin = {0.0: 0.5, 1.0: 0.5}
    for hard, even in ((0.0, 1.0), (1.0, 0.0)):
        luck = luck_of([Fall(HARD, hard), Fall(coin, even)])
        assert luck.less == pytest.approx(0.45)
        assert luck.alike == pytest.approx(0.5)


def test_of_many_rolls_the_sum_is_still_exact() -> None:
    """300 coins, 160 heads: the chance of fewer is that of the binomial."""
    coins = [Fall({0.0: 0.5, 1.0: 0.5}, float(place < 160)) for place in range(300)]
    luck = luck_of(coins)
    assert luck.less == pytest.approx(sum(comb(300, heads) for heads in range(160)) / 2**300)
    assert luck.alike == pytest.approx(comb(300, 160) / 2**300)


@pytest.mark.parametrize("share", [0.5, 0.2, 0.05, 0.01])
def test_fair_games_are_as_far_off_as_often_as_they_are_told_to_be(fair: list[Luck], share: float) -> None:
    """No more than that share is told to be as far off as that share, and not many fewer."""
    games = sum(luck.as_far <= share for luck in fair)
    error = 3 * (share * (1 - share) * len(fair)) ** 0.5
    assert 0.6 * share * len(fair) - error < games <= share * len(fair) + error


def until_broken(random: Random) -> tuple[int, int, int, int]:
    """Two sides of six shoot in turn until one has lost three: shots and hits of each."""
    left, shots, hits = [6, 6], [0, 0], [0, 0]
    while min(left) > 3:
        for side in (0, 1):
            if min(left) > 3:
                struck = sum(random.random() < 0.3 for _ in range(left[side]))
                shots[side] += left[side]
                hits[side] += struck
                left[1 - side] -= struck
    return shots[0], hits[0], shots[1], hits[1]


def until_ahead(random: Random) -> tuple[int, int, int, int]:
    """Two sides shoot once each in turn until one is three hits ahead, or for twenty turns."""
    shots, hits = [0, 0], [0, 0]
    while abs(hits[0] - hits[1]) < 3 and shots[1] < 20:
        for side in (0, 1):
            shots[side] += 1
            hits[side] += random.random() < 0.3
    return shots[0], hits[0], shots[1], hits[1]


@pytest.mark.parametrize("game", [until_broken, until_ahead])
def test_where_dice_decide_how_long_a_game_lasts_shares_are_a_little_off(
    game: Callable[[Random], tuple[int, int, int, int]],
) -> None:
    """By no more than is said beside them: 3 of 100."""
    random, coin = Random(5), {0.0: 0.7, 1.0: 0.3}
    games, told = Counter(game(random) for _ in range(3_000)), Counter[float]()
    for (shots, hits, theirs, struck), times in games.items():
        falls = [Fall(coin, 1.0)] * hits + [Fall(coin, 0.0)] * (shots - hits)
        falls += [Fall(coin, 1.0).turned] * struck + [Fall(coin, 0.0).turned] * (theirs - struck)
        luck = luck_of(falls)
        for share in (0.05, 0.01):
            told[share] += times * (luck.as_far <= share)
    for share in (0.05, 0.01):
        assert told[share] / 3_000 == pytest.approx(share, abs=0.03)


def many(count: int) -> list[Fall]:
    """So many rolls, no two of the same kind, as they fall by a fixed seed."""
    random = Random(count)
    falls = []
    for _ in range(count):
        weights = [random.random() for _ in range(random.randint(2, 12))]
        whole = sum(weights)
        chances = {float(worth): weight / whole for worth, weight in enumerate(weights)}
        (worth,) = random.choices(list(chances), weights)
        falls.append(Fall(chances, worth))
    return falls


@pytest.mark.parametrize("count", [1, 2, 60, 101, 700])
def test_luck_turned_round_is_as_far_off_on_the_other_side(count: int) -> None:
    """Whatever is good for one is as bad for the other, also where steps are odd or few."""
    falls = many(count)
    mine, theirs = luck_of(falls), luck_of([fall.turned for fall in falls])
    assert (mine.less, mine.alike) == (pytest.approx(theirs.more), pytest.approx(theirs.alike))
    assert mine.place == pytest.approx(1 - theirs.place)


def test_of_thousands_of_unlike_rolls_the_sum_is_that_of_the_normal_curve() -> None:
    """Each by itself is anything; of so many the sum of places has the curve that sums of many have."""
    falls = many(3000)
    shift = variance = 0.0
    for fall in falls:
        worse = 0.0
        for worth, chance in sorted(fall.chances.items()):
            middle = worse + chance / 2 - 0.5
            variance += chance * middle * middle
            shift += middle if worth == fall.worth else 0.0
            worse += chance
    assert luck_of(falls).place == pytest.approx(NormalDist().cdf(shift / variance**0.5), abs=0.02)


@pytest.mark.parametrize("worth", [0.0, 1.0])
def test_luck_beyond_all_that_is_seen_is_still_told(worth: float) -> None:
    """4000 times the same side of a coin: hardly any game has more, and none is told as impossible."""
    luck = luck_of([Fall({0.0: 0.5, 1.0: 0.5}, worth)] * 4000)
    assert luck.place == pytest.approx(worth)
    assert 0 < luck.as_far < 1e-12
