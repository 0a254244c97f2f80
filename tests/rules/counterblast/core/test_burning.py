""""""

from __future__ import annotations

from fractions import Fraction

import pytest

from rules.dice import Solver
from rules.effects import Assign, Gain, Lose
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.burning import (
    DOUSING_SUCCESSES,
    HIT_DUE_TURN,
    Fire,
    Growth,
    apply_growth,
    build_burn_impact,
    burn_at_activation,
    catch_fire,
    count_successes_for_area,
    count_successes_to_put_out,
    douse,
    leave_fire,
    must_suffer,
    roll_burn,
    roll_fire_growth,
    roll_to_put_out,
    shrink_fire,
    wash_off_acid,
)
from rules.systems.counterblast.core.checks import Throw
from rules.systems.counterblast.core.fighter import Condition
from rules.systems.counterblast.core.settings import Settings
from rules.systems.counterblast.gear.skills import Job, prepare_job
from tests.rules.counterblast.field import model
from tests.rules.helpers import brute, fed

BURNING = model(under=(Condition.BURNING,))


@pytest.mark.rule("CB-BURN-01")
def test_models_hit_by_fire_or_entering_it_burn_without_damage():
    assert catch_fire(model()) == (
        Gain(1, Condition.BURNING, until="the condition is removed", source="fire"),
    )
    assert catch_fire(BURNING) == ()


@pytest.mark.rule("CB-BURN-02")
def test_a_flammable_place_keeps_a_template_of_3():
    assert leave_fire(4, flammable=True) == Fire(began=4, inches=3)
    assert leave_fire(4, flammable=False) is None
    with pytest.raises(InvalidInput):
        Fire(1, 0)


@pytest.mark.rule("CB-BURN-03", "CB-HAZ-03")
@pytest.mark.parametrize(
    ("face", "age", "expected"),
    [
        (1, 0, "grows"), (3, 0, "grows"), (4, 0, "steady"), (8, 0, "steady"), (9, 0, "out"), (10, 0, "out"),
        (1, 2, "grows"), (2, 2, "steady"), (6, 2, "steady"), (7, 2, "out"),
        (1, 3, "steady"), (5, 3, "steady"), (6, 3, "out"), (10, 5, "out"), (1, 8, "out"),
    ],
)  # fmt: skip
def test_fire_growth_is_d10_plus_a_point_for_every_turn(face, age, expected):
    assert fed(roll_fire_growth, [face], age) == expected
    assert fed(roll_fire_growth, [face], age, "acid") == expected


@pytest.mark.rule("CB-BURN-03")
def test_odds_and_age_of_a_fire():
    fire = Fire(began=3)
    assert [fire.age(turn) for turn in (3, 4, 5)] == [0, 1, 2]
    # two turns on: a 1 grows it, 2 to 6 leave it, 7 to 10 end it
    expected = {Growth.GROWS: Fraction(1, 10), Growth.STEADY: Fraction(5, 10), Growth.OUT: Fraction(4, 10)}
    assert (
        dict(Solver(exact=True).solve(roll_fire_growth, 2).chances) == expected == brute(roll_fire_growth, 2)
    )


@pytest.mark.rule("CB-BURN-03", "CB-BURN-07")
def test_growing_by_an_inch_of_radius_adds_2_to_the_number():
    assert apply_growth(Fire(1, 3), Growth.GROWS, 1) == Fire(1, 5)
    assert apply_growth(Fire(1, 3), Growth.STEADY, 1) == Fire(1, 3)
    assert apply_growth(Fire(1, 3), Growth.OUT, 1) is None


@pytest.mark.rule("CB-BURN-04")
def test_no_growth_where_it_was_fought_or_hemmed_in():
    assert apply_growth(Fire(1, 3, fought=True), Growth.GROWS, 1) == Fire(1, 3)
    assert apply_growth(Fire(1, 3, hemmed=True), Growth.GROWS, 1) == Fire(1, 3, hemmed=True)
    assert apply_growth(Fire(1, 3, fought=True), Growth.OUT, 1) is None
    # fighting it counts for that turn only
    assert apply_growth(apply_growth(Fire(1, 3, fought=True), Growth.GROWS, 1), Growth.GROWS, 2).inches == 5


@pytest.mark.rule("CB-BURN-05", "CB-HAZ-03")
def test_the_fire_is_one_automatic_wound_with_shields_at_5():
    bare, shielded = build_burn_impact(model()), build_burn_impact(model(shield=2))
    assert fed(roll_burn, [], bare) == 1
    assert fed(roll_burn, [4, 3], shielded) == 1
    assert fed(roll_burn, [4, 5], shielded) == 0
    assert fed(roll_burn, [1, 5], shielded) == 0
    # one shield die: 5 to 10 stop it
    assert Solver(exact=True).solve(roll_burn, build_burn_impact(model(shield=1))).chances[0] == Fraction(
        6, 10
    )


@pytest.mark.rule("CB-BURN-05")
def test_the_fire_hurts_once_a_turn_those_in_it():
    assert must_suffer(model(), in_fire=True)
    assert not must_suffer(model(), in_fire=True, already_hit=True)
    assert not must_suffer(model(), in_fire=False)


@pytest.mark.rule("CB-BURN-06")
def test_a_model_that_left_the_fire_puts_itself_out_or_burns_on():
    assert must_suffer(BURNING, in_fire=False)
    assert [effect.action for effect in burn_at_activation(BURNING, in_fire=False)] == ["put_out", "burn"]
    assert [effect.action for effect in burn_at_activation(BURNING, in_fire=True)] == ["burn"]
    assert burn_at_activation(model(), in_fire=False) == ()


@pytest.mark.rule("CB-BURN-07")
def test_small_models_take_one_success_to_put_out_and_others_two():
    assert [count_successes_to_put_out(size) for size in "SML"] == [1, 2, 2]
    ready = prepare_job(BURNING, Job("engineering", patient=None))
    assert ready.throw.target == 7
    assert fed(roll_to_put_out, [9, 8], (Throw(2, 0, 7),), 1) == 1
    assert fed(roll_to_put_out, [1, 1], (Throw(2, 0, 7),), 2) == 0  # a critical failure does nothing more
    assert douse(BURNING, 1)[0] == Lose(1, Condition.BURNING)
    large = model(size="L", under=(Condition.BURNING,))
    assert douse(large, 1) == (Assign("model", 1, DOUSING_SUCCESSES, 1),)
    halfway = model(size="L", under=(Condition.BURNING,), counters={DOUSING_SUCCESSES: 1})
    out = (Lose(1, Condition.BURNING), Assign("model", 1, DOUSING_SUCCESSES, 0))
    assert douse(halfway, 1, itself=True) == out
    # whom another puts out owes this turn's hit no more
    assert douse(halfway, 1) == (*out, Assign("model", 1, HIT_DUE_TURN["fire"], 0))
    assert douse(large, 0) == ()


@pytest.mark.rule("CB-BURN-07")
def test_each_success_takes_an_inch_off_the_number_of_an_area():
    assert shrink_fire(Fire(1, 5), 2) == Fire(1, 3, fought=True)
    assert shrink_fire(Fire(1, 3), 3) is None
    assert count_successes_for_area(Fire(1, 5)) == 5
    radius = Settings(fire_shrink_per_success="radius")
    assert shrink_fire(Fire(1, 5), 1, radius) == Fire(1, 3, fought=True)
    assert count_successes_for_area(Fire(1, 5), radius) == 3
    assert fed(roll_to_put_out, [7, 10, 2], (Throw(2, 0, 7),), 5) == 2


@pytest.mark.rule("CB-BURN-08")
def test_models_burn_on_when_the_area_is_out():
    assert shrink_fire(Fire(1, 1), 1) is None
    assert must_suffer(BURNING, in_fire=False)


@pytest.mark.rule("CB-BURN-09")
@pytest.mark.parametrize(
    "safe",
    [
        model(gear=("envirosuit",)),
        model(gear=("personal_force_field",)),
        model(under=(Condition.WARDED,)),
    ],
)
def test_envirosuits_and_force_fields_keep_fire_off(safe):
    assert catch_fire(safe) == ()
    assert not must_suffer(safe, in_fire=True)
    assert must_suffer(model(gear=("respirator",)), in_fire=True)
    assert must_suffer(model(types=("robot",)), in_fire=True)


@pytest.mark.rule("CB-FEAT-02", "CB-FEAT-03")
def test_pools_of_acid_grow_wound_and_cling_like_fire():
    assert leave_fire(2, flammable=False, kind="acid") == Fire(2, 3, "acid")
    assert apply_growth(Fire(2, 3, "acid"), fed(roll_fire_growth, [1], 2, "acid"), 4) == Fire(2, 5, "acid")
    assert apply_growth(Fire(2, 3, "acid"), fed(roll_fire_growth, [7], 2, "acid"), 4) is None
    assert catch_fire(model(), "acid") == (
        Gain(1, Condition.CORRODED, until="the condition is removed", source="acid"),
    )
    assert must_suffer(model(under=(Condition.CORRODED,)), in_fire=False, kind="acid")
    assert not must_suffer(model(gear=("personal_force_field",)), in_fire=True, kind="acid")


@pytest.mark.rule("CB-FEAT-04")
def test_acid_clings_until_all_actions_wash_it_off():
    corroded = model(under=(Condition.CORRODED,))
    assert [effect.action for effect in burn_at_activation(corroded, in_fire=False, kind="acid")] == [
        "cleanse",
        "burn",
    ]
    assert [effect.action for effect in burn_at_activation(corroded, in_fire=True, kind="acid")] == ["burn"]
    assert burn_at_activation(model(), in_fire=False, kind="acid") == ()
    assert wash_off_acid(corroded) == (Lose(1, Condition.CORRODED),)
    assert wash_off_acid(model()) == ()
