"""Luck: where rolls fell among what fair dice do."""

from __future__ import annotations

from math import comb
from random import Random

import pytest

from rules.luck import Fall, Luck, luck_of

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
    with pytest.raises(ValueError, match="cannot fall"):
        luck_of([Fall(DIE, 7.0)])


@pytest.fixture(scope="module")
def fair() -> list[Luck]:
    """The luck of 10,000 fair games of eight rolls."""
    random = Random(5)
    found = []
    for _ in range(10_000):
        falls = [Fall(DIE, float(random.randint(1, 6))) for _ in range(4)]
        found.append(luck_of(falls + [Fall(HARD, float(random.random() < 0.1)) for _ in range(4)]))
    return found


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
