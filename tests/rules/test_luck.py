"""Luck: where rolls fell among what fair dice do."""

from __future__ import annotations

from random import Random

import pytest

from rules.luck import Fall, luck_of

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


def test_fair_games_are_as_lucky_as_they_are_told_to_be() -> None:
    """Of 10,000 games of eight rolls no more than one in twenty is told to be as bad as one in twenty."""
    random = Random(5)
    bad = good = 0
    for _ in range(10_000):
        falls = [Fall(DIE, float(random.randint(1, 6))) for _ in range(4)]
        falls += [Fall(HARD, float(random.random() < 0.1)) for _ in range(4)]
        luck = luck_of(falls)
        bad += luck.less + luck.alike <= 0.05
        good += luck.more + luck.alike <= 0.05
    assert 300 < bad <= 565
    assert 300 < good <= 565
