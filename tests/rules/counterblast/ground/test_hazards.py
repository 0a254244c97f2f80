from fractions import Fraction

import pytest

from rules.dice import Solver
from rules.effects import Assign, Count, Gain
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.burning import Fire, Growth, after_growth
from rules.systems.counterblast.core.checks import FOOTING_TARGET, Throw
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.dice_pools import initiative_check
from rules.systems.counterblast.core.fighter import Condition
from rules.systems.counterblast.movement.ground import (
    Climate,
    Hazard,
    HazardArea,
    acid_on_gear,
    after_footing,
    after_random_hazard,
    climate,
    climate_hit,
    danger,
    hazard_exposure,
    hazard_fire,
    hazard_rugged,
    keeps_footing,
    random_hazard,
    reset_acid,
)
from rules.systems.counterblast.movement.movement import move_distance
from tests.rules.counterblast.field import model
from tests.rules.helpers import brute, fed


def acid(grade):
    return HazardArea(Hazard.ACID, grade)


def toxic(grade):
    return HazardArea(Hazard.TOXIC, grade)


@pytest.mark.rule("CB-HAZ-01")
@pytest.mark.parametrize(("grade", "power"), [(1, 3), (2, 4), (3, 5)])
def test_acid_by_grade(grade, power):
    exposed = hazard_exposure(model(shield=1), acid(grade))
    assert (exposed.rating, exposed.power, exposed.defense, exposed.shields) == (grade, power, 7, 1)
    # failed check, one wound of the first die, shield exactly at the Power
    rest = [2] * (grade - 1)
    assert fed(danger, [2, 8, *rest, power], (Throw(1, 0, 5),), exposed) == 0
    assert fed(danger, [2, 8, *rest, power - 1], (Throw(1, 0, 5),), exposed) == 1


@pytest.mark.rule("CB-HAZ-02")
def test_acid_eats_a_shield_die_of_untreated_gear_each_turn():
    armoured = model(shield=2)
    assert acid_on_gear(armoured) == (Count("model", 1, Counter.EATEN, 1),)
    assert acid_on_gear(armoured, treated=True) == ()
    assert model(shield=2, counters={Counter.EATEN: 1}).shield == 1
    ruined = model(shield=2, counters={Counter.EATEN: 2})
    assert ruined.shield == 0
    assert acid_on_gear(ruined) == ()
    assert reset_acid(ruined) == (Assign("model", 1, Counter.EATEN, 0),)


@pytest.mark.rule("CB-HAZ-03", "CB-HAZ-07", "CB-HAZ-08")
def test_a_random_fire_burns_5_inches_across_for_as_many_turns_as_its_grade():
    fire = hazard_fire(HazardArea(Hazard.FIRE, 2), 4)
    assert fire == Fire(4, 5, lasts=2)
    left = after_growth(fire, Growth.GROWS, 4)
    assert left.inches == 7
    assert after_growth(left, Growth.STEADY, 5) is None
    assert after_growth(hazard_fire(HazardArea(Hazard.FIRE, 1), 4), Growth.STEADY, 4) is None
    with pytest.raises(InvalidInput):
        hazard_fire(acid(1), 4)


@pytest.mark.rule("CB-HAZ-04")
def test_heat_and_cold_by_grade():
    assert climate(model(mv=5), 1) == Climate(4, 2)
    assert climate(model(mv=5), 2) == Climate(3, 1)
    assert climate(model(mv=5), 3) == Climate(2.5, 1, 5)
    assert climate(model(mv=1), 2) == Climate(0, 1)
    assert climate(model(mv=5, gear=("envirosuit",)), 3) == Climate(5, 2)
    assert climate(model(mv=5, types=("robot",)), 3) == Climate(5, 2)
    assert fed(climate_hit, [], 5, 0) == 1
    assert fed(climate_hit, [5], 5, 1) == 0
    assert fed(climate_hit, [4], 5, 1) == 1
    assert fed(climate_hit, [5, 1], 5, 2) == 0
    assert fed(climate_hit, [5, 1], 5, 2, ones_cancel=True) == 1
    with pytest.raises(InvalidInput):
        climate(model(), 4)


@pytest.mark.rule("CB-HAZ-05")
def test_a_slick_surface_is_rugged_and_throws_models_down():
    area = HazardArea(Hazard.SLICK, 2)
    sure = model(mv=6, features=("sure_footed:2",))
    assert move_distance(model(mv=6), 1, hazard_rugged(area)).inches == 4
    assert move_distance(sure, 1, hazard_rugged(area)).inches == 6
    # the check at 7 is made all the same
    ready = initiative_check(sure, FOOTING_TARGET)
    assert ready.throw.target == 7
    assert fed(keeps_footing, [7], (ready.throw,)) is True
    assert fed(keeps_footing, [6], (ready.throw,)) is False
    assert after_footing(sure, kept=False) == (
        Gain(1, Condition.PRONE, until="stood up", source="slick surface"),
    )
    assert after_footing(sure, kept=True) == ()
    assert after_footing(model(under=(Condition.PRONE,)), kept=False) == ()


@pytest.mark.rule("CB-HAZ-06")
@pytest.mark.parametrize(("grade", "power"), [(1, 3), (2, 5), (3, 7)])
def test_toxins_by_grade(grade, power):
    exposed = hazard_exposure(model(), toxic(grade))
    assert (exposed.rating, exposed.power) == (grade, power)
    assert move_distance(model(mv=6), 1, hazard_rugged(toxic(grade))).inches == 6 - grade


@pytest.mark.rule("CB-HAZ-06", "CB-GEAR-19", "CB-GEAR-24")
def test_who_is_safe_from_toxins_and_acid():
    for gear in ("envirosuit", "personal_force_field", "respirator"):
        assert hazard_exposure(model(gear=(gear,)), toxic(3)) is None
    assert hazard_exposure(model(under=(Condition.WARDED,)), toxic(3)) is None
    assert hazard_exposure(model(types=("robot",)), toxic(3)) is None
    assert hazard_exposure(model(gear=("respirator",)), acid(1)) is not None
    assert hazard_exposure(model(gear=("personal_force_field",)), acid(1)) is None
    with pytest.raises(InvalidInput):
        hazard_exposure(model(), HazardArea(Hazard.SLICK, 1))


GRADES = [(1, 1), (5, 1), (6, 2), (9, 2), (10, 3)]


@pytest.mark.rule("CB-HAZ-07", "CB-HAZ-08", "CB-CHECK-17")
@pytest.mark.parametrize(
    ("faces", "hazard"),
    [
        ((1, 2), Hazard.ACID), ((3, 4), Hazard.FIRE), ((5, 6), Hazard.HEAT_OR_COLD), ((9, 10), Hazard.TOXIC),
    ],
)  # fmt: skip
def test_every_row_of_the_random_hazard_chart(faces, hazard):
    for face in faces:
        for second, grade in GRADES:
            assert fed(random_hazard, [face, second]) == HazardArea(hazard, grade)


@pytest.mark.rule("CB-HAZ-08")
def test_a_random_slick_area_has_rating_1_and_no_second_die():
    assert fed(random_hazard, [7]) == fed(random_hazard, [8]) == HazardArea(Hazard.SLICK, 1)
    odds = Solver(exact=True).solve(random_hazard)
    assert odds.chances[HazardArea(Hazard.SLICK, 1)] == Fraction(2, 10)
    assert odds.chances[HazardArea(Hazard.TOXIC, 3)] == Fraction(2, 100)
    assert dict(odds.chances) == brute(random_hazard)
    with pytest.raises(InvalidInput):
        HazardArea(Hazard.ACID, 4)


@pytest.mark.rule("CB-HAZ-08", "CB-HAZ-03")
def test_what_a_random_hazard_does_at_once():
    (slip,) = after_random_hazard(model(), HazardArea(Hazard.SLICK, 1))
    assert (slip.action, slip.details) == ("footing", (("target", 7),))
    (check,) = after_random_hazard(model(), toxic(2))
    assert (check.action, check.details) == ("danger", (("hazard", "toxic"), ("grade", 2)))
    assert after_random_hazard(model(gear=("respirator",)), toxic(2)) == ()
    (burning,) = after_random_hazard(model(), HazardArea(Hazard.FIRE, 1))
    assert (burning.model, burning.condition) == (1, Condition.BURNING)
    assert after_random_hazard(model(), HazardArea(Hazard.HEAT_OR_COLD, 3)) == ()


@pytest.mark.rule("CB-HAZ-04", "CB-HAZ-06")
def test_a_psionic_force_field_keeps_off_fire_acid_and_toxins_only():
    warded = model(mv=5, under=(Condition.WARDED,))
    assert hazard_exposure(warded, acid(1)) is None
    assert climate(warded, 1).mv_inches == 4
