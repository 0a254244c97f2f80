from fractions import Fraction

import pytest

from rules.dice import Solver
from rules.systems.warzone.characteristic import Grade, check, contest, opposition
from rules.systems.warzone.command import initiative_bases
from rules.systems.warzone.morale import ld_limit, ld_modifiers
from tests.rules.helpers import brute, fed
from tests.rules.warzone.build import model, squad


@pytest.mark.rule("WZ-TEST-01", "WZ-TEST-02")
def test_equal_or_under_succeeds():
    # RC 8, +2 band, -3 hard cover: 7
    limit = 8 + 2 - 3
    assert fed(check, [7], limit) is Grade.SUCCESS
    assert fed(check, [8], limit) is Grade.FAILURE


@pytest.mark.rule("WZ-TEST-02", "WZ-TEST-03")
def test_natural_1_succeeds_whatever_the_limit():
    assert fed(check, [1], -5) is Grade.CRITICAL
    assert fed(check, [2], -5) is Grade.FAILURE
    assert Solver(exact=True).solve(check, -5).chance(lambda grade: grade.passed) == 1 / 20


@pytest.mark.rule("WZ-TEST-04")
def test_natural_20_fails_whatever_the_limit():
    assert fed(check, [20], 25) is Grade.FUMBLE
    assert fed(check, [19], 25) is Grade.SUCCESS
    assert not Grade.FUMBLE.passed


@pytest.mark.parametrize("limit", [-2, 0, 1, 7, 19, 20, 30])
def test_check_solved_equals_brute_force(limit):
    assert Solver(exact=True).solve(check, limit).chances == brute(check, limit)
    passing = Fraction(max(1, min(19, limit)), 20)
    assert sum(p for grade, p in brute(check, limit).items() if grade.passed) == passing


@pytest.mark.rule("WZ-TEST-05")
def test_opposition_higher_total_wins_and_ties_are_thrown_again():
    assert fed(opposition, [10, 5], 3, 7) is True  # 13 against 12
    assert fed(opposition, [1, 20], 30, 5) is True  # 31 against 25: natural 1 and 20 mean nothing
    assert fed(opposition, [10, 6, 2, 3], 3, 7) is False  # 13 each, then 5 against 10
    assert fed(opposition, [10, 6], 3, 7, reroll_ties=False) is False


@pytest.mark.rule("WZ-TEST-05")
def test_opposition_odds():
    # even: 190 of 400 win, 20 tie; ties re-rolled for ever would make it 1/2
    assert Solver(exact=True).solve(opposition, 5, 5, reroll_ties=False).chances[True] == Fraction(190, 400)
    assert abs(Solver().solve(opposition, 5, 5).chances[True] - 0.5) < 1e-9
    solved = Solver(exact=True).solve(opposition, 5, 7, rerolls=1)
    # one re-roll: win + tie x win. 2 behind: wins 153 of 400 (17 x 18 / 2), ties 18
    assert solved.chances[True] == Fraction(153, 400) * (1 + Fraction(18, 400))
    assert brute(opposition, 5, 7, reroll_ties=False)[True] == Fraction(153, 400)


@pytest.mark.rule("WZ-TURN-01")
def test_initiative_best_ld_and_a_d20():
    models = (model(1, ld=12), model(2, ld=9), model(3, ld=10, side=2), model(4, ld=7, side=2))
    bases = initiative_bases(models, (1, 2))
    assert bases == (12, 10)
    assert fed(contest, [11, 3], bases) == 0  # 23 against 13
    assert fed(contest, [8, 10, 4, 7], bases) == 1  # 20 each, then 16 against 17
    assert fed(contest, [5, 5, 1, 2, 3], (10, 10, 4)) == 1  # only the two that tie throw again


@pytest.mark.rule("WZ-TEST-06")
def test_ld_test_of_the_leader_or_the_best():
    leader, best = model(1, ld=9), model(2, ld=12)
    assert squad(leader, best, leader=1).tester is leader
    assert squad(leader, best).tester is best
    assert ld_limit(leader, ld_modifiers(model(1, ["panicked"]), enemy_in_sight=True, dire=2)) == 9 - 3 - 2
