from fractions import Fraction

import pytest

from rules.dice import Solver
from rules.modifiers import Modifier, total
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.checks import Throw, one_success
from rules.systems.counterblast.core.dice_pools import initiative_check
from rules.systems.counterblast.core.impacts import impact_on, shield_sources
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.systems.counterblast.movement.ground import (
    COVER_KINDS,
    ON_IMPASSABLE,
    ON_MODEL,
    Exposure,
    Rugged,
    barrier_cost,
    cover_rating,
    damage_score,
    danger,
    danger_damage,
    exposure,
    has_cover,
    is_at_risk,
    require_passable,
    rugged_penalty,
    steps_over,
    structure,
)
from tests.rules.counterblast.field import model
from tests.rules.helpers import brute, fed

ONE, TWO = (Throw(1, 0, 5),), (Throw(2, 0, 5),)


@pytest.mark.rule("CB-STAT-06")
def test_an_initiative_check_rolls_agl_and_one_success_is_enough():
    nimble = model(agility="3D+1", intellect="1D-1")
    assert initiative_check(nimble, 7).throw == Throw(3, 1, 7)
    by_wits = Settings(initiative_check_ability="INT")
    assert initiative_check(nimble, 7, settings=by_wits).throw == Throw(1, -1, 7)
    assert fed(one_success, [5, 2], TWO) is True
    assert fed(one_success, [4, 2], TWO) is False
    assert fed(one_success, [1, 5], TWO) is False
    odds = Solver(exact=True).solve(one_success, ONE)
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
    require_passable(walker, crosses=True, under=True)
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
