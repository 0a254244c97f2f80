from fractions import Fraction

import pytest

from rules.dice import Solver
from rules.refusals import Forbidden
from rules.systems.counterblast.core.checks import Throw, one_success
from rules.systems.counterblast.core.fighter import Condition
from rules.systems.counterblast.movement.environment import (
    Fall,
    Faller,
    fall,
    falls_at_once,
    prepare_holding_on,
)
from tests.rules.counterblast.field import model
from tests.rules.helpers import brute, fed

SMALL, LARGE = Faller(7, "S"), Faller(8, "L")


@pytest.mark.rule("CB-FALL-01")
def test_a_wounded_model_within_an_inch_of_the_edge_checks_agl_at_5():
    assert not falls_at_once(model(damage=1), 1, wounds=1)
    ready = prepare_holding_on(model(agility="2D+1"))
    assert ready.throw == Throw(2, 1, 5)
    assert fed(one_success, [4, 2], (ready.throw,)) is True
    assert fed(one_success, [3, 2], (ready.throw,)) is False
    assert fed(one_success, [1, 8], (ready.throw,)) is False


@pytest.mark.rule("CB-FALL-01")
def test_a_model_brought_down_at_the_edge_falls_without_a_check():
    down = model(damage=2)
    assert falls_at_once(down, 1, wounds=1)
    assert not falls_at_once(down, 2, wounds=1)
    assert not falls_at_once(down, 1)  # it was down before
    assert falls_at_once(model(damage=1, under=(Condition.INCAPACITATED,)), 1, wounds=1)
    with pytest.raises(Forbidden):
        prepare_holding_on(down)


@pytest.mark.rule("CB-FALL-02")
def test_removed_models_at_the_edge_fall():
    assert falls_at_once(model(damage=2), 1, removed=True)
    assert falls_at_once(model(), 0, removed=True)
    assert not falls_at_once(model(damage=2), 1.5, removed=True)


@pytest.mark.rule("CB-FALL-03", "CB-SHIELD-04", "CB-STAT-08")
def test_a_fall_is_one_die_for_every_full_3_inches_at_defense():
    assert fed(fall, [7, 6], 8, SMALL) == Fall(1)
    assert fed(fall, [7, 9, 7], 9, SMALL) == Fall(3)
    assert fed(fall, [], 2.9, SMALL) == Fall(0)
    # 10s earn bonus dice, 1s cancel nothing, no shield die is asked for
    assert fed(fall, [10, 1, 7], 8, SMALL) == Fall(2)
    assert fed(fall, [8, 9], 6, Faller.of(model(shield=3))) == Fall(2)


@pytest.mark.rule("CB-FALL-03", "CB-FEAT-59")
def test_a_tough_faller_may_ignore_wounds():
    tough = Faller.of(model(features=("tough",)))
    assert fed(fall, [8, 9, 7, 2], 6, tough) == Fall(1)


@pytest.mark.rule("CB-FALL-04")
def test_models_below_are_struck_with_more_dice_by_a_larger_faller():
    # 8 in, Large onto Small: 2 dice for the faller, 2 + 2 for the model below
    assert fed(fall, [8, 2, 7, 7, 7, 2], 8, LARGE, (SMALL,)) == Fall(1, (3,))
    # 9 in: 3 dice and 5
    assert fed(fall, [2, 2, 2, 7, 7, 7, 7, 7], 9, LARGE, (SMALL,)) == Fall(0, (5,))
    assert fed(fall, [], 2, LARGE, (SMALL,)) == Fall(0, (0,))


@pytest.mark.rule("CB-FALL-05")
def test_a_smaller_faller_strikes_with_the_dice_of_the_distance():
    # both take 2 dice: 7 and 8 at Defense 7, 7 and 8 at Defense 8
    assert fed(fall, [7, 8, 7, 8], 8, SMALL, (LARGE,)) == Fall(2, (1,))


@pytest.mark.rule("CB-FALL-06")
def test_every_model_below_is_struck():
    assert fed(fall, [2, 9, 3, 3], 3, SMALL, (SMALL, SMALL, LARGE)) == Fall(0, (1, 0, 0))


@pytest.mark.rule("CB-FALL-03", "CB-FALL-04")
def test_odds_of_a_short_fall_onto_another():
    odds = Solver(exact=True).solve(fall, 3, SMALL, (SMALL,))
    assert odds.chances[Fall(0, (0,))] == Fraction(36, 100)
    assert odds.chances[Fall(1, (0,))] == (Fraction(3, 10) + Fraction(6, 100)) * Fraction(6, 10)
    assert dict(odds.chances) == brute(fall, 3, SMALL, (SMALL,))
