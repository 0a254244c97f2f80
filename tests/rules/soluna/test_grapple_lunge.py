from fractions import Fraction

import pytest

from rules.dice import Solver
from rules.effects import Gain, Lose
from rules.refusals import Forbidden, InvalidInput
from rules.systems.soluna.board import Board, Facing, Obstacle
from rules.systems.soluna.damage import Damage
from rules.systems.soluna.models import Clock, Doing, pay, start_or_continue
from rules.systems.soluna.movement import (
    Contest,
    after_break_free,
    after_grapple,
    after_lunge,
    check_cost,
    check_grapple,
    check_helpers,
    contest,
    count_grapple_dice,
    grapple,
    holder,
    lunge_squares,
)
from rules.systems.soluna.settings import Settings
from rules.systems.soluna.situation import still_strikes

from ..helpers import brute, fed
from .scene import XUL, S, model, stand

N = Facing.NORTH


@pytest.mark.rule("SU-GRAP-01")
def test_the_larger_group_wins():
    assert fed(grapple, [4, 4, 1, 2, 3, 5], 3, 3) == Contest(2, 1)
    assert Contest(2, 1).winner(S) == "active"
    assert Contest(1, 2).winner(S) == "passive"
    assert Contest(2, 2).winner(S) == "none"
    assert Contest(2, 2).winner(Settings(grapple_tie="defender")) == "passive"
    assert after_grapple(1, 2, Contest(2, 1)) == (Gain(2, "grappled", 1, source="grapple"),)
    assert after_grapple(1, 2, Contest(2, 2)) == after_grapple(1, 2, Contest(1, 2)) == ()


@pytest.mark.rule("SU-GRAP-01")
def test_grapple_odds():
    # two dice against one: a pair has 1/6; otherwise both sides show one like face
    solved = Solver(exact=True).solve(grapple, 2, 1)
    assert solved.chances[Contest(2, 1)] == Fraction(1, 6)
    assert dict(solved.chances) == brute(grapple, 2, 1)
    assert dict(Solver(exact=True).solve(grapple, 3, 2).chances) == brute(grapple, 3, 2)


@pytest.mark.rule("SU-GRAP-01")
def test_a_grapple_needs_neighbours_who_roll_their_health():
    attacker, target = model(lost_health=1), model(XUL, 2, 2)
    assert count_grapple_dice(attacker) == 2
    assert count_grapple_dice(target) == 3
    near = stand(Board(9, 9), (attacker, (3, 3), N), (target, (4, 4), N))
    check_grapple(near, attacker, target)
    far = stand(Board(9, 9), (attacker, (3, 3), N), (target, (3, 5), N))
    with pytest.raises(Forbidden) as refusal:
        check_grapple(far, attacker, target)
    assert refusal.value.rule == "SU-GRAP-01"
    assert pay(1, 0).own == 1


@pytest.mark.rule("SU-GRAP-02")
def test_helpers():
    attacker, target, friend, far = model(), model(XUL, 2, 2), model(XUL, 3), model(XUL, 4)
    board = stand(
        Board(9, 9),
        (attacker, (3, 3), N),
        (target, (4, 4), N),
        (friend, (5, 5), N),
        (far, (7, 4), N),
    )
    assert check_helpers(board, target, attacker, (friend,)) == 1
    assert count_grapple_dice(attacker, 1) == 4
    assert count_grapple_dice(attacker, 0) == 3
    for helpers in ((far,), (attacker,), (target,)):
        with pytest.raises(Forbidden):
            check_helpers(board, target, attacker, helpers)
    with pytest.raises(InvalidInput):
        check_helpers(board, target, attacker, (friend, friend))
    with pytest.raises(InvalidInput):
        count_grapple_dice(attacker, 9)


@pytest.mark.rule("SU-GRAP-03")
def test_a_grappled_model_can_only_break_free():
    held = model(conditions={("grappled", 7)})
    assert holder(held) == 7
    for doing in (Doing.MOVE, Doing.ATTACK, Doing.LUNGE, Doing.STAND_UP):
        with pytest.raises(Forbidden) as refusal:
            start_or_continue(held, Clock(), doing, S)
        assert refusal.value.rule == "SU-GRAP-03"
    assert start_or_continue(held, Clock(), Doing.BREAK_GRAPPLE, S)
    with pytest.raises(Forbidden):
        start_or_continue(model(), Clock(), Doing.BREAK_GRAPPLE, S)
    with pytest.raises(Forbidden):
        holder(model())
    assert after_break_free(1, Contest(3, 2)) == (Lose(1, "grappled"),)
    assert after_break_free(1, Contest(2, 2)) == after_break_free(1, Contest(1, 2)) == ()


@pytest.mark.rule("SU-LUNGE-01")
def test_a_lunge_needs_a_square_next_to_the_target():
    attacker, target = model(), model(XUL, 2, 2)
    board = stand(Board(20, 20), (attacker, (5, 2), N), (target, (5, 6), N))
    # three steps to (4, 5), (5, 5), (6, 5); four to (4, 6) and (6, 6)
    assert set(lunge_squares(board, 1, 2, 3, S)) == {(4, 5), (5, 5), (6, 5)}
    assert set(lunge_squares(board, 1, 2, 4, S)) == {(4, 5), (5, 5), (6, 5), (4, 6), (6, 6)}
    with pytest.raises(Forbidden):
        lunge_squares(board, 1, 2, 2, S)
    ring = frozenset((x, y) for x in range(3, 8) for y in range(4, 9) if max(abs(x - 5), abs(y - 6)) == 2)
    walled = stand(Board(20, 20, (Obstacle("ring", ring, 7),)), (attacker, (5, 2), N), (target, (5, 6), N))
    with pytest.raises(Forbidden):
        lunge_squares(walled, 1, 2, 30, S)


@pytest.mark.rule("SU-LUNGE-01", "SU-SEQ-02")
def test_one_combat_point_in_a_lunge():
    check_cost(1)
    with pytest.raises(Forbidden):
        check_cost(2)
    lunging = model().after(start_or_continue(model(), Clock(), Doing.LUNGE, S))
    for doing in (Doing.ATTACK, Doing.LUNGE, Doing.MOVE):
        with pytest.raises(Forbidden) as refusal:
            start_or_continue(lunging, Clock(), doing, S)
        assert refusal.value.rule == "SU-LUNGE-01"


@pytest.mark.rule("SU-LUNGE-02")
def test_a_lunge_that_damages_nothing():
    assert after_lunge(1, Damage(stopped=4)) == (Gain(1, "prone", source="failed lunge"),)
    assert after_lunge(1, Damage((("speed", 1),))) == ()
    assert after_lunge(1, Damage((("arsenal", 1),), (("Medkit", 1),))) == ()


@pytest.mark.rule("SU-MELEE-01")
def test_blows_at_the_same_time():
    usual = {"fell_now": True, "in_melee_with_striker": True, "has_acted": False}
    assert still_strikes(**usual, settings=S)
    assert not still_strikes(**usual, settings=Settings(melee_simultaneous=False))
    for key, value in (("fell_now", False), ("in_melee_with_striker", False), ("has_acted", True)):
        assert not still_strikes(**{**usual, key: value}, settings=S)


@pytest.mark.parametrize(("active", "passive"), [(0, 2), (3, 2), (4, 4)])
def test_each_side_by_itself_gives_the_same_odds(active: int, passive: int) -> None:
    both = Solver(exact=True).solve(grapple, active, passive).chances
    assert Solver(exact=True).solve(contest, active, passive).chances == both


def test_a_grapple_of_many_dice_is_solved() -> None:
    odds = Solver(work=20_000).solve(contest, 12, 12)
    even = odds.chance(lambda got: got.active == got.passive)
    assert odds.chance(lambda got: got.active > got.passive) == pytest.approx((1 - even) / 2, abs=1e-6)
