import pytest

from rules.modifiers import Modifier
from rules.refusals import Forbidden, InvalidInput
from rules.systems.soluna.attack import prepare
from rules.systems.soluna.board import Board, Facing, Obstacle
from rules.systems.soluna.models import Clock, Payment
from rules.systems.soluna.profile import Profile, Weapon
from rules.systems.soluna.settings import Settings
from rules.systems.soluna.situation import (
    dice_rolled,
    gravity_power,
    half_power,
    injury_modifier,
    movement_modifier,
    size_modifier,
    still_modifier,
)

from .scene import XUL, S, duel, model


def listed(situation, settings=S, which="accuracy"):
    plan = prepare(situation, settings)
    return [(m.amount, m.rule) for m in getattr(plan, f"{which}_modifiers")]


# ---------------------------------------------------------------------------------------- Power


@pytest.mark.rule("SU-PWR-01")
def test_fewer_dice():
    assert dice_rolled(4, None) == 4
    assert dice_rolled(4, 1) == 1
    with pytest.raises(InvalidInput):
        dice_rolled(4, 0)
    with pytest.raises(Forbidden):
        dice_rolled(4, 5)
    assert prepare(duel(dice=2), S).power == 2


@pytest.mark.rule("SU-PWR-02")
def test_low_power():
    assert [half_power(n) for n in (1, 2, 3, 4, 5)] == [1, 1, 2, 2, 3]
    assert listed(duel(low_power=True), which="power") == [(4, "SU-STAT-01"), (-2, "SU-PWR-02")]


@pytest.mark.rule("SU-PWR-03")
def test_order_of_effects_and_low_power():
    # Power 4 + 1 from an ability = 5, halved 3, from behind + 1 = 4
    def power(order):
        situation = duel(
            low_power=True,
            target_facing=Facing.NORTH,
            power_effects=(Modifier(1, "fury", "ability"),),
        )
        return prepare(situation, Settings(low_power_order=order)).power

    assert power("before_environment") == 4
    assert power("last") == 3  # (4 + 1 + 1) / 2
    assert power("weapon_only") == 4  # 4 / 2 + 1 + 1
    assert prepare(duel(power_effects=(Modifier(-2, "chill"),)), S).power == 2


@pytest.mark.rule("SU-PWR-04")
def test_gravity():
    assert gravity_power(2, "south", (5, 6), (5, 2)) == 2
    assert gravity_power(2, "south", (5, 2), (5, 6)) == -2
    assert gravity_power(2, "south", (2, 5), (6, 5)) == 0
    assert gravity_power(2, "down", (5, 2), (5, 6)) == 0
    assert gravity_power(0, "south", (5, 2), (5, 6)) == 0
    assert gravity_power(2, "east", (0, 0), (3, 3)) == 2
    assert gravity_power(2, "east", (0, 0), (1, 4)) == 0
    heavy = Board(20, 20, gravity=2, gravity_direction="south")
    assert listed(duel(board=heavy), which="power")[-1] == (-2, "SU-PWR-04")
    crushing = Board(20, 20, gravity=9, gravity_direction="south")
    assert prepare(duel(board=crushing), S).power == 1


@pytest.mark.rule("SU-PWR-05")
def test_from_behind():
    assert prepare(duel(target_facing=Facing.NORTH), S).power == 5
    assert prepare(duel(target_facing=Facing.SOUTH), S).power == 4
    # level with the target is not behind; one row further back and to the side is
    assert prepare(duel(t=(8, 2), target_facing=Facing.NORTH), S).power == 4
    assert prepare(duel(t=(7, 3), target_facing=Facing.NORTH), S).power == 5


# ------------------------------------------------------------------------------------- Accuracy


@pytest.mark.rule("SU-ACC-01")
def test_everything_is_added_without_a_lower_limit():
    assert listed(duel()) == [(1, "SU-ACC-01")]
    situation = duel(
        accuracy_effects=(Modifier(2, "eagle eye", "ability"), Modifier(-20, "storm", "environment"))
    )
    plan = prepare(situation, S)
    assert plan.accuracy == 1 + 2 - 20
    assert [m.reason for m in plan.accuracy_modifiers] == ["Pulse Laser Ring", "eagle eye", "storm"]


@pytest.mark.rule("SU-ACC-02", "SU-STAT-02")
def test_sizes():
    assert [size_modifier(size) for size in range(5)] == [-3, -1, 0, 1, 3]
    assert size_modifier(7) == 3
    assert Profile("Titan", size=9).size == 4
    tiny = Profile("Imp", size=0)
    assert listed(duel(target=model(tiny, 2, 2)))[-1] == (-3, "SU-ACC-02")


@pytest.mark.rule("SU-ACC-03")
def test_partially_obstructed():
    # target two by two away, wall beside the attacker: one blocked line (SU-LOS-04)
    board = Board(20, 20, (Obstacle("wall", frozenset({(6, 2)}), 1),))
    assert listed(duel(t=(7, 4), board=board))[-1] == (-2, "SU-ACC-03")


@pytest.mark.rule("SU-ACC-04")
def test_hidden():
    # one column over, two rows up, wall ahead of the attacker: two blocked lines (SU-LOS-04)
    board = Board(20, 20, (Obstacle("wall", frozenset({(5, 3)}), 1),))
    situation = duel(t=(6, 4), board=board, weapon=0)
    assert listed(situation) == [(2, "SU-ACC-01"), (-4, "SU-ACC-04")]


@pytest.mark.rule("SU-ACC-05", "SU-KO-03")
def test_prone_target_counts_once_and_adds_to_obstruction():
    prone = model(XUL, 2, 2, conditions={("prone", 0)})
    assert listed(duel(target=prone))[1:] == [(-2, "SU-ACC-05")]
    board = Board(20, 20, (Obstacle("wall", frozenset({(6, 2)}), 1),))
    assert listed(duel(target=prone, t=(7, 4), board=board))[1:] == [(-2, "SU-ACC-03"), (-2, "SU-ACC-05")]


@pytest.mark.rule("SU-ACC-06", "SU-SPEED-02")
def test_stationary():
    # both moved in phase 3: after phase 7 four phases have passed, in phase 8 five
    def amounts(phase, settings=S, a=3, t=3):
        situation = duel(model(moved_phase=a), model(XUL, 2, 2, moved_phase=t), clock=Clock(1, phase))
        return [pair for pair in listed(situation, settings) if pair[1] == "SU-ACC-06"]

    assert amounts(7) == []
    assert amounts(8) == [(2, "SU-ACC-06")]
    assert amounts(8, Settings(stationary_each=True)) == [(4, "SU-ACC-06")]
    assert amounts(8, Settings(stationary_each=True), a=7) == [(2, "SU-ACC-06")]
    assert amounts(8, a=7) == [(2, "SU-ACC-06")]
    assert amounts(8, a=7, t=7) == []
    assert still_modifier(False, False, S) is None


@pytest.mark.rule("SU-ACC-06", "SU-LUNGE-01")
def test_an_attacker_who_lunges_is_not_stationary():
    def amounts(lunge, a=3, t=3):
        situation = duel(
            model(moved_phase=a), model(XUL, 2, 2, moved_phase=t), clock=Clock(1, 8), lunge=lunge
        )
        return [amount for amount, rule in listed(situation) if rule == "SU-ACC-06"]

    assert amounts(lunge=False, t=7) == [2]
    assert amounts(lunge=True, t=7) == []
    assert amounts(lunge=True, a=7) == [2], "the target has stood still"


@pytest.mark.rule("SU-ACC-07")
def test_moving_target():
    assert movement_modifier(4) is None
    assert [movement_modifier(run).amount for run in (5, 10)] == [-1, -1]
    assert listed(duel(target=model(XUL, 2, 2, run=5)))[-1] == (-1, "SU-ACC-07")


@pytest.mark.rule("SU-ACC-08")
def test_fast_moving_target():
    assert [movement_modifier(run).amount for run in (9, 10, 11, 12, 40)] == [-1, -1, -3, -3, -3]
    assert listed(duel(target=model(XUL, 2, 2, run=10)))[-1] == (-1, "SU-ACC-07")
    assert listed(duel(target=model(XUL, 2, 2, run=11)))[1:] == [(-3, "SU-ACC-08")]


@pytest.mark.rule("SU-ACC-09")
def test_injured_attacker():
    sturdy = Profile("Ox", mind=4, health=5, weapons=(Weapon("Gun", 4, 3, 3),))
    assert injury_modifier(model(sturdy, lost_health=3, lost_mind=2)).amount == -2
    assert injury_modifier(model(sturdy, lost_health=1)) is None
    assert injury_modifier(model(sturdy, lost_health=1, lost_mind=1)).amount == -1
    assert injury_modifier(model(sturdy, lost_body=4)) is None
    assert listed(duel(model(sturdy, lost_health=2), weapon=0))[-1] == (-1, "SU-ACC-09")
    # the target's wounds do not count
    assert listed(duel(target=model(XUL, 2, 2, lost_health=2))) == [(1, "SU-ACC-01")]


@pytest.mark.rule("SU-ACC-10")
def test_forced_points_count_once():
    assert listed(duel(payment=Payment(0, 1, 2)))[1:] == [(-4, "SU-ACC-10")]
    assert listed(duel(payment=Payment(1, 0, 2)))[1:] == []


@pytest.mark.rule("SU-GRAP-04")
def test_grappled_target_in_melee():
    held = model(XUL, 2, 2, conditions={("grappled", 1)})
    assert listed(duel(target=held, t=(5, 3), weapon=0))[1:] == [(2, "SU-GRAP-04")]
    assert listed(duel(target=held, t=(5, 3), weapon=None))[1:] == [(2, "SU-GRAP-04")]
    assert listed(duel(target=held))[1:] == []
