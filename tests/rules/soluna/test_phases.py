from fractions import Fraction

import pytest

from rules.dice import Solver
from rules.refusals import Forbidden, InvalidInput
from rules.systems.soluna.attack import prepare
from rules.systems.soluna.board import Board, Facing, Obstacle, read_drawing
from rules.systems.soluna.models import (
    Clock,
    Doing,
    Payment,
    after_payment,
    break_tie,
    forced_so_far,
    order,
    pay,
    phases_still,
    points_left,
    record_move,
    record_placement,
    start_or_continue,
    use_weapon,
)
from rules.systems.soluna.movement import check_path, path_to, speed_left, squares_in_speed, step_cost
from rules.systems.soluna.profile import Profile
from rules.systems.soluna.settings import Settings
from rules.systems.soluna.situation import movement_modifier

from ..helpers import fed
from .scene import MEENA, XUL, S, duel, model, stand


def act(who, clock, doing, settings=S):
    return who.after(start_or_continue(who, clock, doing, settings))


def paid(who, clock, cost=1, force=True, settings=S):
    payment = pay(points_left(who, clock, settings), forced_so_far(who, clock, settings), cost, force=force)
    return who.after(after_payment(who.id, points_left(who, clock, settings), payment)), payment


# ------------------------------------------------------------------------------------ the sequence


@pytest.mark.rule("SU-SEQ-01")
def test_ten_phases_and_one_action_in_each():
    clock = Clock()
    for _ in range(9):
        clock = clock.next(S)
    assert clock == Clock(1, 10)
    assert clock.next(S) == Clock(2, 1)
    assert Clock(3, 4).count(S) == 24
    assert Clock(1, 4).next(Settings(phases_per_turn=4)) == Clock(2, 1)
    with pytest.raises(InvalidInput):
        Clock(1000, 10).next(S)
    done = act(model(), Clock(), Doing.STAND_UP)
    with pytest.raises(Forbidden) as refusal:
        start_or_continue(done, Clock(), Doing.ATTACK, S)
    assert refusal.value.rule == "SU-SEQ-01"
    assert start_or_continue(done, Clock(1, 2), Doing.ATTACK, S)


@pytest.mark.rule("SU-SEQ-01")
def test_higher_speed_first_and_ties_by_d6():
    assert fed(order, [], ((1, 3), (2, 5), (3, 4)), S) == (2, 3, 1)
    # 1 and 3 tie: 2 against 5; then a tie of 4 and 4 is rolled again
    assert fed(order, [2, 5], ((1, 3), (2, 9), (3, 3)), S) == (2, 3, 1)
    assert fed(order, [4, 4, 1, 6], ((1, 3), (3, 3)), S) == (3, 1)
    assert fed(order, [], ((1, 3), (3, 3)), Settings(action_order="manual")) == (1, 3)
    assert fed(break_tie, [4, 4], (1, 3), 1) == (1, 3)
    odds = Solver(exact=True).solve(break_tie, (1, 3), 2)
    # first throw 15/36 each way; 6/36 again, then 15/36 and 6/36 stay as they were
    assert odds.chances[3, 1] == Fraction(15, 36) + Fraction(1, 6) * Fraction(15, 36)


@pytest.mark.rule("SU-SEQ-02")
def test_no_move_and_attack_in_one_activation():
    moving = act(model(), Clock(), Doing.MOVE)
    with pytest.raises(Forbidden) as refusal:
        start_or_continue(moving, Clock(), Doing.ATTACK, S)
    assert refusal.value.rule == "SU-SEQ-02"
    attacking = act(model(), Clock(), Doing.ATTACK)
    with pytest.raises(Forbidden):
        start_or_continue(attacking, Clock(), Doing.MOVE, S)
    assert start_or_continue(attacking, Clock(), Doing.ATTACK, S) == ()
    assert start_or_continue(moving, Clock(1, 2), Doing.ATTACK, S)


@pytest.mark.rule("SU-SEQ-03")
def test_points_come_back_at_the_first_action_of_a_turn():
    fresh = model()
    assert points_left(fresh, Clock(), S) == 1
    assert points_left(model(Profile("Ace", cp=3)), Clock(), S) == 3
    spent, _ = paid(act(fresh, Clock(), Doing.ATTACK), Clock())
    assert points_left(spent, Clock(), S) == 0
    later = act(spent, Clock(1, 2), Doing.ATTACK)
    assert points_left(later, Clock(1, 2), S) == 0
    assert points_left(act(later, Clock(2, 3), Doing.ATTACK), Clock(2, 3), S) == 1
    each = Settings(cp_refresh="phase", cp_default=2)
    assert points_left(act(spent, Clock(1, 2), Doing.ATTACK, each), Clock(1, 2), each) == 2


# ------------------------------------------------------------------------------------ Combat Points


@pytest.mark.rule("SU-CP-01")
def test_an_attack_costs_a_point():
    assert pay(1, 0) == Payment(1, 0, 0)
    assert pay(3, 0, 2) == Payment(2, 0, 0)
    with pytest.raises(Forbidden) as refusal:
        pay(0, 0)
    assert refusal.value.rule == "SU-CP-01"
    with pytest.raises(InvalidInput):
        pay(5, 0, 0)
    who, _ = paid(act(model(Profile("Ace", cp=3)), Clock(), Doing.ATTACK), Clock(), 2)
    assert points_left(who, Clock(), S) == 1


@pytest.mark.rule("SU-CP-02")
def test_forced_points_add_up():
    who, first = paid(act(model(), Clock(), Doing.ATTACK), Clock())
    assert first.modifier is None
    who, second = paid(who, Clock())
    assert second.modifier.amount == -2
    who, third = paid(act(who, Clock(1, 2), Doing.ATTACK), Clock(1, 2))
    assert third.modifier.amount == -4
    assert pay(0, 0, 2, force=True).modifier.amount == -4
    assert pay(1, 0, 2, force=True).modifier.amount == -2
    # a fresh turn forgets, and so does every phase by the setting
    assert forced_so_far(who, Clock(2, 1), S) == 0
    assert forced_so_far(act(who, Clock(1, 3), Doing.ATTACK), Clock(1, 3), S) == 2
    each = Settings(forced_cp_reset="phase")
    assert forced_so_far(act(who, Clock(1, 3), Doing.ATTACK, each), Clock(1, 3), each) == 0
    assert prepare(duel(payment=third), S).accuracy == 1 - 4


@pytest.mark.rule("SU-CP-03")
def test_one_weapon_in_an_action():
    who = act(model(), Clock(), Doing.ATTACK)
    who = who.after(use_weapon(who, 1))
    assert use_weapon(who, 1)
    for other in (0, -1):
        with pytest.raises(Forbidden) as refusal:
            use_weapon(who, other)
        assert refusal.value.rule == "SU-CP-03"
    assert use_weapon(act(who, Clock(1, 2), Doing.ATTACK), 0)


# ----------------------------------------------------------------------------------------- movement


@pytest.mark.rule("SU-SPEED-01")
def test_what_squares_cost():
    debris = Obstacle("rubble", frozenset({(3, 4)}), 0)
    board = stand(
        Board(9, 9, (debris,)), (model(), (3, 3), Facing.NORTH), (model(XUL, 2), (2, 3), Facing.NORTH)
    )
    assert [step_cost(board, (3, 3), end, S) for end in ((4, 3), (4, 4), (3, 4))] == [1, 1, 2]
    dear = Settings(diagonal_cost=3, square_cost=2, debris_cost=2)
    assert [step_cost(board, (3, 3), end, dear) for end in ((4, 3), (4, 4), (3, 4))] == [2, 3, 2]
    assert check_path(board, 1, ((3, 4), (4, 5)), 3, S).cost == 3
    with pytest.raises(Forbidden):
        check_path(board, 1, ((3, 4), (4, 5)), 2, S)
    with pytest.raises(Forbidden):
        check_path(board, 1, ((2, 3),), 4, S)  # a model stands there
    with pytest.raises(InvalidInput):
        check_path(board, 1, ((5, 3),), 4, S)
    with pytest.raises(InvalidInput):
        check_path(stand(board, (model(), (0, 0), Facing.NORTH)), 1, ((-1, 0),), 4, S)
    wall = Board(9, 9, (Obstacle("wall", frozenset({(3, 4)}), 7),))
    with pytest.raises(Forbidden):
        check_path(stand(wall, (model(), (3, 3), Facing.NORTH)), 1, ((3, 4),), 4, S)
    # turning on the spot is free
    assert check_path(board, 1, (), 0, S).cost == 0


@pytest.mark.rule("SU-SPEED-01")
def test_points_are_the_speed_and_are_used_up():
    who = act(model(lost_speed=1), Clock(), Doing.MOVE)
    assert speed_left(who, Clock(), S) == 3
    who = who.after(record_move(who, 2, 2, Clock(), S))
    assert speed_left(who, Clock(), S) == 1
    assert speed_left(who, Clock(1, 2), S) == 3
    assert speed_left(act(who, Clock(1, 2), Doing.MOVE), Clock(1, 2), S) == 3


DEEP = """
. . . . .
. # # # .
. # . # .
. # M # .
. . . . .
"""


@pytest.mark.rule("SU-SPEED-01")
def test_where_a_model_can_get():
    board, at = read_drawing(DEEP)
    board = stand(board, (model(), at["M"], Facing.NORTH))
    prices = squares_in_speed(board, 1, 2, S)
    # north into the pocket; south onto the free row, and one further along it
    assert prices == {
        (2, 1): 0,
        (2, 2): 1,
        (1, 0): 1,
        (2, 0): 1,
        (3, 0): 1,
        (0, 0): 2,
        (4, 0): 2,
        (0, 1): 2,
        (4, 1): 2,
    }
    path = path_to(board, 1, (0, 1), 2, S)
    assert path == ((1, 0), (0, 1))
    assert check_path(board, 1, path, 2, S).end == (0, 1)
    with pytest.raises(Forbidden, match="can't reach 0,2 with 2 speed points"):
        path_to(board, 1, (0, 2), 2, S)
    with pytest.raises(Forbidden, match=r"Pick a nearer square\. You can't reach 0,1 with 1 speed point\."):
        path_to(board, 1, (0, 1), 1, S)
    with pytest.raises(Forbidden, match="costs 2 speed points, but there is only 1 left"):
        check_path(board, 1, path, 1, S)
    with pytest.raises(Forbidden, match=r"^This costs 2 speed points, but there are none left\."):
        check_path(board, 1, path, 0, S)


@pytest.mark.rule("SU-SPEED-02")
def test_movement_is_recorded():
    who = model().after(record_placement(1, Clock(), S))
    assert phases_still(who, Clock(1, 1), S) == 0
    assert phases_still(who, Clock(1, 6), S) == 5
    who = act(who, Clock(1, 2), Doing.MOVE)
    who = who.after(record_move(who, 3, 3, Clock(1, 2), S))
    assert (phases_still(who, Clock(1, 2), S), who.counter("run")) == (0, 3)
    who = act(who, Clock(1, 4), Doing.MOVE)
    who = who.after(record_move(who, 4, 4, Clock(1, 4), S))
    assert who.counter("run") == 7
    assert movement_modifier(who.counter("run")).amount == -1
    # an Action without movement is a pause
    assert act(who, Clock(1, 5), Doing.ATTACK).counter("run") == 0
    idle = act(who, Clock(1, 5), Doing.MOVE)
    idle = idle.after(record_move(idle, 0, 0, Clock(1, 5), S))
    assert act(idle, Clock(1, 6), Doing.MOVE).counter("run") == 0
    lunging = act(who, Clock(1, 5), Doing.LUNGE)
    assert lunging.after(record_move(lunging, 2, 2, Clock(1, 5), S)).counter("run") == 9


@pytest.mark.rule("SU-GRID-06", "SU-GRID-07", "SU-GRID-08")
def test_who_cannot_act():
    for lost, doing, rule in (
        ("lost_mind", Doing.ATTACK, "SU-GRID-06"),
        ("lost_health", Doing.ATTACK, "SU-GRID-07"),
        ("lost_speed", Doing.MOVE, "SU-GRID-08"),
        ("lost_speed", Doing.LUNGE, "SU-GRID-08"),
    ):
        with pytest.raises(Forbidden) as refusal:
            start_or_continue(model(**{lost: 9}), Clock(), doing, S)
        assert refusal.value.rule == rule
    assert start_or_continue(model(lost_speed=9), Clock(), Doing.ATTACK, S)
    assert MEENA.speed == 4
