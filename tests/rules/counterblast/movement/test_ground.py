""""""

from __future__ import annotations

from fractions import Fraction

import pytest

from rules.dice import Solver
from rules.effects import Assign, Count, Gain
from rules.modifiers import Modifier, total
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.burning import Fire, Growth, apply_growth
from rules.systems.counterblast.core.checks import FOOTING_TARGET, Throw, roll_one_success
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.dice_pools import initiative_check
from rules.systems.counterblast.core.fighter import Condition
from rules.systems.counterblast.core.impacts import impact_on, shield_sources
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.systems.counterblast.movement.ground import (
    COVER_KINDS,
    ON_IMPASSABLE,
    ON_MODEL,
    Climate,
    Exposure,
    Hazard,
    HazardArea,
    Rugged,
    acid_on_gear,
    after_footing,
    after_random_hazard,
    barrier_cost,
    climate,
    climate_hit,
    cover_rating,
    damage_score,
    danger,
    danger_damage,
    exposure,
    has_cover,
    hazard_exposure,
    hazard_fire,
    hazard_rugged,
    is_at_risk,
    keeps_footing,
    random_hazard,
    require_passable,
    reset_acid,
    rugged_penalty,
    steps_over,
    structure,
)
from rules.systems.counterblast.movement.movement import move_distance
from tests.rules.counterblast.field import model
from tests.rules.helpers import brute, fed

ONE, TWO = (Throw(1, 0, 5),), (Throw(2, 0, 5),)


@pytest.mark.rule("CB-STAT-06")
def test_an_initiative_check_rolls_agl_and_one_success_is_enough():
    nimble = model(agility="3D+1", intellect="1D-1")
    assert initiative_check(nimble, 7).throw == Throw(3, 1, 7)
    by_wits = Settings(initiative_check_ability="INT")
    assert initiative_check(nimble, 7, settings=by_wits).throw == Throw(1, -1, 7)
    assert fed(roll_one_success, [5, 2], TWO) is True
    assert fed(roll_one_success, [4, 2], TWO) is False
    assert fed(roll_one_success, [1, 5], TWO) is False
    odds = Solver(exact=True).solve(roll_one_success, ONE)
    assert odds.chances[True] == Fraction(6, 10)


@pytest.mark.rule("CB-TERR-02")
def test_a_barrier_costs_height_depth_and_rugged_rating():
    assert barrier_cost(1, 0.5) == 1.5
    assert barrier_cost(2, 1, 3) == 6
    assert barrier_cost(2, 1, 3, off_ground=True) == 0
    for wrong in ((-1, 0, 0), (1, 1, 4)):
        with pytest.raises(InvalidInput):
            barrier_cost(*wrong)


@pytest.mark.rule("CB-TERR-03")
def test_large_walkers_step_over_low_and_narrow_barriers():
    # model 4 in tall on a base of 2 in: up to 1 in tall and 1 in wide
    assert steps_over("L", 1, 1, 4, 2)
    assert not steps_over("L", 1.1, 1, 4, 2)
    assert not steps_over("L", 1, 1.1, 4, 2)
    assert not steps_over("M", 1, 1, 4, 2)
    assert not steps_over("L", 1, 1, 4, 2, walks=False)


@pytest.mark.rule("CB-TERR-04")
def test_cover_needs_half_the_model_hidden():
    assert has_cover(50)
    assert not has_cover(49)


@pytest.mark.rule("CB-TERR-05")
def test_cover_adds_shield_dice_against_ranged_attacks_and_leaves_defense():
    target = model(shield=1)
    for rating in (1, 2, 3):
        sources = shield_sources(None, target, None, rating)
        assert sum(source.amount for source in sources) == 1 + rating
    assert target.defense == 7
    pistol = load().weapons["pulsar_heavy"]
    assert impact_on(None, target, pistol, DEFAULTS, short=False, cover=3).impact.shields == 4
    assert impact_on(None, target, pistol, DEFAULTS, melee=True, cover=3).impact.shields == 1


@pytest.mark.rule("CB-TERR-06")
def test_cover_by_what_it_is():
    assert [cover_rating(kind) for kind in ("Hedge", "ravine", "chain fence")] == [1, 1, 1]
    assert [cover_rating(kind) for kind in ("barrels", "woods", "tents", "huts")] == [2, 2, 2, 2]
    assert [cover_rating(kind) for kind in ("vehicle", "ruins", "ink cloud", "solid fence")] == [3] * 4
    assert [list(COVER_KINDS.values()).count(rating) for rating in (1, 2, 3)] == [7, 7, 7]
    with pytest.raises(InvalidInput):
        cover_rating("hope")


@pytest.mark.rule("CB-TERR-07")
def test_one_success_keeps_a_model_safe():
    assert fed(danger, [5], ONE, Exposure(3, 5, 7)) == 0


@pytest.mark.rule("CB-TERR-08")
def test_a_failure_is_as_many_dice_as_the_rating_at_defense():
    # check 4 fails; damage 7, 9, 2; no shields
    assert fed(danger, [4, 7, 9, 2], ONE, Exposure(3, 5, 7)) == 2
    # one shield die at Power 5 stops one
    assert fed(danger, [4, 7, 9, 2, 5], ONE, Exposure(3, 5, 7, shields=1)) == 1
    assert fed(danger, [4, 7, 9, 2, 4], ONE, Exposure(3, 5, 7, shields=1)) == 2
    # a 10 earns a bonus die
    assert fed(danger, [4, 10, 8], ONE, Exposure(1, 5, 7)) == 2
    assert exposure(model(defense=8, shield=2), 3) == Exposure(3, 5, 8, 2)
    with pytest.raises(InvalidInput):
        Exposure(4, 5, 7)


@pytest.mark.rule("CB-TERR-09", "CB-CHECK-15")
def test_criticals_in_dangerous_terrain():
    # two 1s: two dice more
    assert fed(danger, [1, 1, 8, 8, 8], TWO, Exposure(1, 5, 7)) == 3
    assert fed(danger, [1, 4, 8, 8], TWO, Exposure(1, 5, 7)) == 2
    # in the damage roll a 1 cancels nothing, but more 1s than successes void it
    assert fed(damage_score, [1, 8], 2, 7) == 1
    assert fed(damage_score, [1, 1, 8], 3, 7) == 0
    assert fed(damage_score, [1, 10, 1], 2, 7) == 1  # a 1 on the bonus die does not count against it
    assert fed(damage_score, [2, 8], 2, 7) == 1


@pytest.mark.rule("CB-TERR-08", "CB-TERR-09")
def test_odds_of_one_die_of_danger():
    odds = Solver(exact=True).solve(danger_damage, Exposure(1, 5, 7))
    assert odds.chances[0] == Fraction(6, 10)
    assert odds.chances[1] == Fraction(3, 10) + Fraction(1, 10) * Fraction(6, 10)
    whole = Solver(exact=True).solve(danger, ONE, Exposure(1, 5, 7))
    # unhurt: safe 6/10; plain failure 3/10 and no wound 6/10; a 1 (two dice): no success, or one with two...
    two_dice_none = Fraction(36, 100)  # both dice fail; voided rolls with a success would need two 1s
    assert whole.chances[0] == Fraction(6, 10) + Fraction(3, 10) * Fraction(6, 10) + two_dice_none / 10
    assert dict(whole.chances) == brute(danger, ONE, Exposure(1, 5, 7))


@pytest.mark.rule("CB-TERR-10", "CB-GEAR-15")
def test_who_is_at_risk():
    assert is_at_risk(model(), on_ground=True)
    assert not is_at_risk(model(), on_ground=False)
    assert is_at_risk(model(), on_ground=False, airborne_danger=True)
    assert not is_at_risk(model(types=("robot",)), on_ground=True)
    assert is_at_risk(model(types=("cyberform",)), on_ground=True)
    assert not is_at_risk(model(gear=("envirosuit",)), on_ground=True)


@pytest.mark.rule("CB-TERR-11")
def test_impassable_ground_may_be_crossed_off_the_ground_but_not_stood_on():
    walker, flyer = model(), model(features=("fly",))
    require_passable(walker)
    require_passable(flyer, crosses=True)
    require_passable(walker, crosses=True, below=True)
    there = ON_IMPASSABLE
    for who, crosses, end in ((walker, True, ""), (walker, False, there), (flyer, True, there)):
        with pytest.raises(Forbidden) as refusal:
            require_passable(who, crosses=crosses, end=end)
        assert refusal.value.rule == "CB-TERR-11"


@pytest.mark.rule("CB-FEAT-30")
def test_a_flyer_stops_beside_a_model():
    with pytest.raises(Forbidden) as refusal:
        require_passable(model(features=("fly",)), end=ON_MODEL)
    assert refusal.value.rule == "CB-FEAT-30"
    with pytest.raises(InvalidInput):
        require_passable(model(), end=ON_MODEL)


@pytest.mark.rule("CB-TERR-12")
def test_rugged_ground_names_what_it_takes():
    sure = Modifier(1, "Sure Footed", "CB-FEAT-53")
    parts = rugged_penalty([Rugged("scree", 2)], eases=(sure,))
    assert [(part.amount, part.rule) for part in parts] == [(-2, "CB-TERR-12"), (1, "CB-FEAT-53")]
    sure = Modifier(3, "Sure Footed", "CB-FEAT-53")
    assert total(rugged_penalty([Rugged("scree", 2), Rugged("mud", 1)], eases=(sure,))) == 0
    assert rugged_penalty([Rugged("scree", 2)], off_ground=True) == ()
    with pytest.raises(InvalidInput):
        Rugged("lava", 4)


@pytest.mark.rule("CB-TERR-13")
def test_structures():
    keys = ("thin_wall", "light_wall", "normal_wall", "light_bulkhead", "normal_bulkhead")
    rows = [structure(key) for key in keys]
    assert [(row.value("target"), row.value("life")) for row in rows] == [
        (4, 1), (5, 2), (7, 3), (9, 4), (10, 5),
    ]  # fmt: skip
    with pytest.raises(InvalidInput):
        structure("curtain")


def test_the_settings_reach_the_shields():
    assert exposure(model(), 1, 5, DEFAULTS).ones_cancel is False
    assert exposure(model(), 1, 5, Settings(shield_ones_cancel=True)).ones_cancel is True


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
    left = apply_growth(fire, Growth.GROWS, 4)
    assert left.inches == 7
    assert apply_growth(left, Growth.STEADY, 5) is None
    assert apply_growth(hazard_fire(HazardArea(Hazard.FIRE, 1), 4), Growth.STEADY, 4) is None
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
    assert after_footing(sure, kept_footing=False) == (
        Gain(1, Condition.PRONE, until="it stands up", source="slick ground"),
    )
    assert after_footing(sure, kept_footing=True) == ()
    assert after_footing(model(under=(Condition.PRONE,)), kept_footing=False) == ()


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
