from fractions import Fraction
from itertools import permutations

import pytest

from rules.dice import MoreDice, Solver
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.general import (
    chart_roll,
    distance_dice,
    impact,
    roll_off,
    roll_order,
    size_steps,
    struck_dice,
)
from tests.rules.helpers import brute, fed


@pytest.mark.rule("CB-GEN-01", "CB-CHECK-17")
def test_the_highest_of_a_roll_off_wins_and_tied_players_roll_again():
    assert fed(roll_off, [4, 9, 8], 3) == 1
    # the second and third tie at 9; only they roll again
    assert fed(roll_off, [4, 9, 9, 2, 6], 3) == 2
    # a 10 earns no bonus die and a 1 is only low
    assert fed(roll_off, [1, 10], 2) == 1


@pytest.mark.rule("CB-GEN-01")
def test_a_roll_off_is_fair_and_always_ends():
    odds = Solver(exact=True).solve(roll_off, 3)
    assert dict(odds.chances) == {place: Fraction(1, 3) for place in range(3)}
    assert brute(roll_off, 2, rounds=1) == {0: Fraction(1, 2), 1: Fraction(1, 2)}
    assert fed(roll_off, [5, 5] * 12 + [2], 2) == 1


def test_a_roll_off_needs_two_players():
    with pytest.raises(InvalidInput):
        fed(roll_off, [], 1)
    with pytest.raises(InvalidInput):
        fed(roll_order, [], 9)


@pytest.mark.rule("CB-SETUP-06")
def test_terrain_is_placed_in_descending_order_and_tied_players_roll_again():
    assert fed(roll_order, [3, 10, 7], 3) == (1, 2, 0)
    # first and third tie at 6 behind the second; between them 2 against 5
    assert fed(roll_order, [6, 8, 6, 2, 5], 3) == (1, 2, 0)
    odds = Solver(exact=True).solve(roll_order, 3)
    assert dict(odds.chances) == {order: Fraction(1, 6) for order in permutations(range(3))}
    assert brute(roll_order, 2, rounds=0) == {(0, 1): Fraction(1, 2), (1, 0): Fraction(1, 2)}


@pytest.mark.rule("CB-CHECK-17")
def test_a_chart_roll_is_one_die_with_what_the_chart_adds():
    assert fed(chart_roll, [10], 2, "drift") == 12
    assert fed(chart_roll, [1], 0, "fire") == 1
    assert brute(chart_roll, 1, "chart") == {face: Fraction(1, 10) for face in range(2, 12)}


@pytest.mark.rule("CB-GEN-03")
def test_steps_between_base_sizes():
    assert (size_steps("M", "S"), size_steps("L", "S"), size_steps("L", "M")) == (1, 2, 1)
    assert size_steps("S", "L") == -2


@pytest.mark.rule("CB-FALL-03", "CB-FALL-04", "CB-FALL-05", "CB-VEH-22", "CB-VEH-23", "CB-VEH-24")
def test_dice_for_a_distance_and_for_a_model_struck():
    assert [distance_dice(inches) for inches in (0, 2.9, 3, 8, 9)] == [0, 0, 1, 2, 3]
    assert struck_dice(8, "L", "S") == 4
    assert struck_dice(9, "L", "S") == 5
    assert struck_dice(9, "M", "S") == 4
    assert struck_dice(9, "S", "L") == 3
    assert struck_dice(2.5, "L", "S") == 0
    with pytest.raises(InvalidInput):
        distance_dice(-1)


@pytest.mark.rule("CB-CHECK-15", "CB-FALL-03", "CB-VEH-22")
def test_damage_dice_of_impacts_earn_bonus_dice_and_cancel_nothing():
    # 10 and its bonus 8 count, the 1 takes nothing away
    assert fed(impact, [10, 1, 8], 2, 7, "fall") == 2
    # Defense 7: 4 in 10 succeed without bonus; zero wounds from one die = 6/10
    odds = Solver(exact=True).solve(impact, 1, 7, "fall")
    assert odds.chances[0] == Fraction(6, 10)
    assert odds.chances[1] == Fraction(3, 10) + Fraction(1, 10) * Fraction(6, 10)
    assert dict(odds.chances) == brute(impact, 1, 7, "fall")
    with pytest.raises(MoreDice):
        fed(impact, [10, 1], 2, 7, "fall")
