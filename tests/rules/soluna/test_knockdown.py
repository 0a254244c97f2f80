from fractions import Fraction

import pytest

from rules.dice import Solver
from rules.effects import Gain, Lose
from rules.refusals import Forbidden, InvalidInput
from rules.systems.soluna.damage import (
    Damage,
    Knockdown,
    after_knockdown,
    certain_result,
    dice_after_trade,
    difficulty,
    due_knockdowns,
    mode_test,
)
from rules.systems.soluna.models import Clock, Doing, stand_up, stand_up_price, start_or_continue
from rules.systems.soluna.profile import Profile
from rules.systems.soluna.settings import Settings

from ..helpers import brute, fed
from .scene import S, model


@pytest.mark.rule("SU-MODE-01")
def test_like_faces_against_a_difficulty():
    assert fed(mode_test, [4, 2, 4], 3, 2) is True
    assert fed(mode_test, [4, 2, 1], 3, 2) is False
    assert fed(mode_test, [4, 4, 4], 3, 2) is True
    assert fed(mode_test, [5], 1, 1) is True
    assert fed(mode_test, [], 3, 0) is True
    assert fed(mode_test, [], 0, 1) is False


@pytest.mark.rule("SU-MODE-01")
def test_mode_test_odds():
    # three dice all different: 6 x 5 x 4 of 216, so a pair or more 96/216 = 4/9; three alike 6/216
    assert Solver(exact=True).solve(mode_test, 3, 2).chances[True] == Fraction(4, 9)
    assert Solver(exact=True).solve(mode_test, 3, 3).chances[True] == Fraction(1, 36)
    for args in ((4, 2), (4, 3), (3, 3, 1)):
        assert dict(Solver(exact=True).solve(mode_test, *args).chances) == brute(mode_test, *args)


@pytest.mark.rule("SU-MODE-02")
def test_two_dice_for_a_flip():
    assert dice_after_trade(5, 1, S, psionic=True) == 3
    assert dice_after_trade(5, 2, Settings(mode_test_trade_dice=True)) == 1
    assert dice_after_trade(5, 0, S) == 5
    with pytest.raises(Forbidden):
        dice_after_trade(5, 1, S)
    with pytest.raises(Forbidden):
        dice_after_trade(4, 2, S, psionic=True)
    with pytest.raises(InvalidInput):
        dice_after_trade(4, -1, S, psionic=True)
    # one flip makes a pair of 4 and 2, but not of 4 and 3, which lie opposite
    assert fed(mode_test, [4, 2], 2, 2, 1) is True
    assert fed(mode_test, [4, 3], 2, 2, 1) is False


@pytest.mark.rule("SU-KO-02")
def test_difficulty_by_the_part_taken():
    assert difficulty(3, 2, S) == 2
    assert [difficulty(8, lost, S) for lost in range(9)] == [0, 0, 0, 1, 1, 2, 2, 3, 3]
    custom = Settings(ko_table=((Fraction(1, 2), 0), (Fraction(1), 4)))
    assert [difficulty(4, lost, custom) for lost in (2, 3)] == [0, 4]


@pytest.mark.rule("SU-KO-01")
def test_printed_knockdown():
    # Meena: Health 3 falls to 1; Mind 3, so three dice, two like faces needed
    assert due_knockdowns(model(), Damage((("health", 2),)), S) == (Knockdown("health", 3, 2),)
    assert fed(mode_test, [6, 1, 6], 3, 2)
    assert after_knockdown(1, still_standing=True) == ()
    assert after_knockdown(1, still_standing=False) == (Gain(1, "prone", source="knocked down"),)


@pytest.mark.rule("SU-KO-01")
def test_dice_are_the_mind_after_the_damage_and_the_higher_difficulty_counts():
    tough = model(Profile("Ox", mind=4, health=8))
    both = Damage((("mind", 1), ("health", 6)))  # 1/4: 0; 6/8: 2
    assert due_knockdowns(tough, both, S) == (Knockdown("health", 3, 2),)
    assert due_knockdowns(tough, both, Settings(ko_dice="mind_before")) == (Knockdown("health", 4, 2),)
    twice = Damage((("mind", 2), ("health", 7)))  # 1/2: 1; 7/8: 3
    assert due_knockdowns(tough, twice, S) == (Knockdown("health", 2, 3),)
    assert due_knockdowns(tough, twice, Settings(ko_both="each")) == (Knockdown("health", 2, 3),), (
        "one like face on two dice cannot fail"
    )
    steep = ((Fraction(1, 4), 1), (Fraction(1, 2), 2), (Fraction(3, 4), 3), (Fraction(1), 4))
    assert due_knockdowns(tough, twice, Settings(ko_both="each", ko_table=steep)) == (
        Knockdown("mind", 2, 2),
        Knockdown("health", 2, 4),
    )


@pytest.mark.rule("SU-KO-01", "SU-KO-02")
def test_no_test_for_the_dead_the_unconscious_or_a_scratch():
    tough = model(Profile("Ox", mind=4, health=8))
    for harm in ((("health", 8),), (("mind", 4),), (("health", 2),), (("body", 3), ("speed", 2))):
        assert due_knockdowns(tough, Damage(harm), S) == ()
    # 3 of the 4 left are three quarters: difficulty 2; of the starting 8 less than half: 1, which cannot fail
    worn = model(Profile("Ox", mind=4, health=8), lost_health=4)
    assert due_knockdowns(worn, Damage((("health", 3),)), S)[0].difficulty == 2
    assert due_knockdowns(worn, Damage((("health", 3),)), Settings(ko_base="starting")) == ()


@pytest.mark.rule("SU-KO-02", "SU-MODE-01")
def test_a_test_that_cannot_fail_is_not_due():
    # difficulty 1 with a die, and two alike among seven dice, are certain; two alike on one die are not there
    assert [certain_result(n, 1) for n in (0, 1, 6)] == [False, True, True]
    assert [certain_result(n, 2) for n in (1, 2, 6, 7)] == [False, None, None, True]
    assert [certain_result(n, 3) for n in (12, 13)] == [None, True]
    for n in range(1, 5):
        for needed in range(1, 6):
            odds = Solver(exact=True).solve(mode_test, n, needed).chances
            assert certain_result(n, needed) == (None if len(odds) > 1 else next(iter(odds))), (n, needed)
    sage = model(Profile("Sage", mind=7, health=4))
    assert due_knockdowns(sage, Damage((("health", 2),)), S) == (), "half: difficulty 1"
    assert due_knockdowns(sage, Damage((("health", 3),)), S) == (), "two alike among seven dice"
    dull = model(Profile("Dull", mind=1, health=4))
    (test,) = due_knockdowns(dull, Damage((("health", 3),)), S)
    assert test.hopeless


@pytest.mark.rule("SU-KO-03")
def test_standing_up_takes_an_activation():
    prone = model(conditions={("prone", 0)})
    assert stand_up_price(S) == (Doing.STAND_UP, 0)
    assert stand_up_price(Settings(stand_up_cost=2)) == (Doing.MOVE, 2)
    assert start_or_continue(prone, Clock(), Doing.STAND_UP, S)
    assert stand_up(prone) == (Lose(1, "prone"),)
    up = prone.after(start_or_continue(prone, Clock(), Doing.STAND_UP, S))
    with pytest.raises(Forbidden):
        start_or_continue(up, Clock(), Doing.MOVE, S)
    with pytest.raises(Forbidden):
        stand_up(model())
