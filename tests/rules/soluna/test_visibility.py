from fractions import Fraction

import pytest

from rules.modifiers import Modifier
from rules.refusals import Forbidden
from rules.systems.soluna.attack import prepare
from rules.systems.soluna.board import Board, Cloud
from rules.systems.soluna.profile import Profile, Weapon
from rules.systems.soluna.settings import Settings
from rules.systems.soluna.sight import Eyes, effective_reach, judge_visibility, plain_reach, smoke_between
from rules.systems.soluna.situation import check_target, measure_distance

from .scene import MEENA, XUL, S, duel, model


def seen(plain, light="normal", weather="none", smoke="none", settings=S, **eyes):
    return effective_reach(plain, judge_visibility(light, weather, smoke, Eyes(**eyes)).factors, settings)


@pytest.mark.rule("SU-VIS-01")
def test_darkness_doubles_unless_either_exception_holds():
    assert seen(3, "dark") == 6
    assert seen(3, "dark", sees_in_dark=True) == 3
    assert seen(3, "dark", target_lit=True) == 3


def refusals(board):
    """By which rule an attack at 1 to 4 squares is refused there, nothing where it is not."""
    found = []
    for squares, weapon in ((1, 0), (2, 1), (3, 1), (4, 1)):
        try:
            check_target(duel(board=board, t=(5, 2 + squares), weapon=weapon), S)
        except Forbidden as refusal:
            found.append(refusal.rule)
        else:
            found.append("")
    return found


@pytest.mark.rule("SU-VIS-02")
def test_total_darkness():
    assert judge_visibility("total_dark", "none", "none", Eyes()).groping.rule == "SU-VIS-02"
    for helped in ({"sees_in_dark": True}, {"target_lit": True}):
        assert judge_visibility("total_dark", "none", "none", Eyes(**helped)).groping is None
        assert seen(3, "total_dark", **helped) == 6
    dark = Board(20, 20, light="total_dark")
    with pytest.raises(Forbidden) as refusal:
        check_target(duel(board=dark), S)
    assert refusal.value.rule == "SU-VIS-02"
    assert refusals(dark) == ["", *["SU-VIS-02"] * 3]
    # at reach 1 the saber strikes without any Accuracy, whatever else bears on it
    plan = prepare(duel(board=dark, t=(5, 3), weapon=0, accuracy_effects=(Modifier(3, "charm"),)), S)
    assert plan.accuracy == 0
    assert [m.rule for m in plan.accuracy_modifiers] == ["SU-VIS-02"]
    prone = model(XUL, 2, 2, conditions={("prone", 0)})
    assert prepare(duel(target=prone, board=dark, t=(5, 3), weapon=0), S).accuracy == 0
    cat = Profile("Cat", traits=frozenset({"sees in the dark"}), mind=2, health=2, weapons=MEENA.weapons)
    plan = prepare(duel(model(cat), board=dark, weapon=2), S)
    assert (plan.distance.plain, plan.distance.effective) == (4, 8)
    assert plan.accuracy == 4  # the cannon's own


@pytest.mark.rule("SU-VIS-03")
def test_brightness():
    assert seen(3, "bright") == 6
    assert seen(3, "bright", sightless=True) == 3
    assert seen(3, blinded=True) == 6
    assert seen(3, "bright", blinded=True) == 6
    assert seen(3, blinded=True, sightless=True) == 3
    blinded = model(conditions={("blinded", 0)})
    assert measure_distance(duel(blinded), S).effective == 8


@pytest.mark.rule("SU-VIS-04")
def test_extreme_brightness():
    assert judge_visibility("extreme_bright", "none", "none", Eyes()).groping.rule == "SU-VIS-04"
    assert seen(3, "extreme_bright", sightless=True) == 3
    bright = Board(20, 20, light="extreme_bright")
    with pytest.raises(Forbidden) as refusal:
        check_target(duel(board=bright), S)
    assert refusal.value.rule == "SU-VIS-04"
    assert refusals(bright) == ["", *["SU-VIS-04"] * 3]
    for unhelped in ({"sees_in_dark": True}, {"target_lit": True}):
        assert (
            judge_visibility("extreme_bright", "none", "none", Eyes(**unhelped)).groping.rule == "SU-VIS-04"
        )
    # no Accuracy, whatever else bears on it
    prone = model(XUL, 2, 2, conditions={("prone", 0)})
    charmed = duel(target=prone, board=bright, t=(5, 3), weapon=0, accuracy_effects=(Modifier(3, "charm"),))
    assert prepare(charmed, S).accuracy == 0
    assert [m.rule for m in prepare(charmed, S).accuracy_modifiers] == ["SU-VIS-04"]
    # who has no eyes to blind attacks as ever
    blind = Profile("Mole", traits=frozenset({"sightless"}), mind=2, health=2, weapons=MEENA.weapons)
    plan = prepare(duel(model(blind), board=bright, weapon=2), S)
    assert (plan.distance.plain, plan.distance.effective, plan.accuracy) == (4, 4, 4)


@pytest.mark.rule("SU-VIS-05")
def test_poor_visibility_adds_half_rounded_up():
    assert [seen(n, weather="poor") for n in (2, 3, 4, 5)] == [3, 5, 6, 8]


@pytest.mark.rule("SU-VIS-06")
def test_abysmal_visibility_doubles():
    assert [seen(n, weather="abysmal") for n in (2, 3)] == [4, 6]


@pytest.mark.rule("SU-VIS-07")
def test_factors_multiply_and_round_once():
    assert seen(3, "dark", "poor") == 9
    assert seen(5, weather="poor") == 8
    # 5 x 1.5 x 1.5 = 11.25, so 12; rounding twice would give 8 x 1.5 = 12 too; 3: 6.75 -> 7, not 5 x 1.5 -> 8
    assert seen(3, weather="poor", smoke="poor") == 7
    assert seen(3, "dark", "poor", settings=Settings(visibility_stack="strongest")) == 6


@pytest.mark.rule("SU-VIS-08")
def test_reach_one_is_never_lost():
    assert seen(1, "dark", "abysmal") == 1
    assert seen(0, "dark") == 0
    dark = Board(20, 20, light="dark", weather="abysmal")
    assert check_target(duel(board=dark, t=(5, 3), weapon=None), S).effective == 1


@pytest.mark.rule("SU-VIS-09")
def test_effects_come_before_the_factors():
    assert plain_reach(3, 1) == 4
    assert plain_reach(2, -5) == 1
    assert plain_reach(0, 3) == 0
    dark = Board(20, 20, light="dark")
    veiled = duel(board=dark, weapon=2, target_reach_effects=(Modifier(1, "veil"),))
    assert measure_distance(veiled, S).effective == 10  # (4 + 1) x 2
    longer = duel(weapon=1, t=(5, 7), weapon_reach_effects=(Modifier(1, "scope"),))
    assert check_target(longer, S).effective == 5
    with pytest.raises(Forbidden):
        check_target(duel(weapon=1, t=(5, 7)), S)


def cloud(*squares, factor="poor"):
    return Cloud(1, frozenset(squares), 1, 4, factor)


@pytest.mark.rule("SU-CLOUD-03")
def test_smoke_in_the_way():
    assert smoke_between([cloud((5, 4))], (5, 2), (5, 6)) == "poor"
    assert smoke_between([cloud((5, 2))], (5, 2), (5, 6)) == "poor"
    assert smoke_between([cloud((5, 6))], (5, 2), (5, 6)) == "poor"
    assert smoke_between([cloud((6, 4))], (5, 2), (5, 6)) == "none"
    assert smoke_between([cloud((5, 4)), cloud((5, 5), factor="abysmal")], (5, 2), (5, 6)) == "abysmal"
    # reach 4 in poor visibility: 6, beyond the ring's Reach 4
    smoky = Board(20, 20, clouds=(cloud((5, 4)),))
    assert measure_distance(duel(board=smoky), S).effective == 6
    with pytest.raises(Forbidden):
        check_target(duel(board=smoky), S)


def test_factors_are_named():
    factors = judge_visibility("dark", "poor", "abysmal", Eyes()).factors
    assert [(f.factor, f.rule) for f in factors] == [
        (Fraction(2), "SU-VIS-01"),
        (Fraction(3, 2), "SU-VIS-05"),
        (Fraction(2), "SU-VIS-06"),
    ]
    assert Weapon("Flare", 3, 1).smoke == ""
