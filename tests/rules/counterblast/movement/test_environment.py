""""""

from __future__ import annotations

from fractions import Fraction

import pytest

from rules.dice import Solver
from rules.effects import Harm
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.checks import Throw, roll_one_success
from rules.systems.counterblast.core.dice_pools import initiative_check
from rules.systems.counterblast.core.fighter import Condition
from rules.systems.counterblast.core.impacts import dark_penalty, impact_on
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.systems.counterblast.movement.environment import (
    Collision,
    Drift,
    Drifted,
    Fall,
    Faller,
    collide,
    drift,
    drowning_hit,
    fall,
    falls_at_once,
    is_met,
    keeps_down,
    must_check_drift,
    prepare_holding_on,
    vacuum_hit,
    water,
)
from rules.systems.counterblast.movement.movement import move_distance
from tests.rules.counterblast.field import model
from tests.rules.helpers import brute, fed

SMALL, MEDIUM, LARGE = Faller(7, "S"), Faller(7, "M"), Faller(8, "L")


@pytest.mark.rule("CB-ENV-02")
def test_moving_more_than_half_in_low_gravity_calls_for_a_check_at_7():
    assert must_check_drift(model(mv=6), 3.1)
    assert not must_check_drift(model(mv=6), 3)
    assert not must_check_drift(model(mv=6, features=("fly",)), 6)
    ready = initiative_check(model(agility="2D"), 7)
    assert fed(keeps_down, [7, 2], (ready.throw,)) is True
    assert fed(keeps_down, [6, 2], (ready.throw,)) is False


@pytest.mark.rule("CB-ENV-03", "CB-CHECK-17")
@pytest.mark.parametrize(
    ("faces", "rating", "expected"),
    [
        ([1], 1, Drifted(Drift.FLOAT, 6, False)), ([3], 1, Drifted(Drift.FLOAT, 6, False)),
        ([4], 1, Drifted(Drift.FLY, 12, True)), ([6], 1, Drifted(Drift.FLY, 12, True)),
        ([7, 5, 4, 10], 1, Drifted(Drift.TUMBLE, 14, True, 5)),
        ([1], 3, Drifted(Drift.FLOAT, 6, False)), ([2], 3, Drifted(Drift.FLY, 12, True)),
        ([5, 12, 1, 1], 3, Drifted(Drift.TUMBLE, 2, True, 12)),
        ([10, 1, 10, 10], 2, Drifted(Drift.TUMBLE, 20, True, 1)),  # no bonus dice
    ],
)  # fmt: skip
def test_every_row_of_the_drift_chart(faces, rating, expected):
    assert fed(drift, faces, rating, 6) == expected


@pytest.mark.rule("CB-ENV-03")
def test_odds_of_drifting():
    odds = Solver(exact=True).solve(drift, 2, 6)
    assert odds.chances[Drifted(Drift.FLOAT, 6, False)] == Fraction(2, 10)
    assert odds.chances[Drifted(Drift.FLY, 12, True)] == Fraction(3, 10)
    assert odds.chances[Drifted(Drift.TUMBLE, 20, True, 7)] == Fraction(5, 10) * Fraction(1, 12 * 100)
    assert dict(odds.chances) == brute(drift, 2, 6)
    with pytest.raises(InvalidInput):
        fed(drift, [], 4, 6)


@pytest.mark.rule("CB-ENV-03", "CB-ENV-05")
def test_a_drift_ends_at_the_first_object_or_the_edge_of_impassable_ground():
    assert is_met(12, 8)
    assert is_met(12, 12)
    assert not is_met(12, 13)


@pytest.mark.rule("CB-ENV-04", "CB-VEH-22", "CB-VEH-23", "CB-VEH-24", "CB-VEH-25", "CB-SHIELD-04")
def test_collisions_after_a_drift():
    # 8 in: 2 dice each
    assert fed(collide, [7, 2, 7, 9], 8, SMALL, (SMALL,)) == Collision(1, (2,))
    # 9 in, Large into Small: 3 dice at Defense 8, 5 dice at 7; a 10 earns a bonus die, a 1 takes nothing
    assert fed(collide, [8, 7, 1, 7, 10, 1, 6, 7, 6], 9, LARGE, (SMALL,)) == Collision(1, (3,))
    # smaller into larger: the distance only; every model touched
    assert fed(collide, [2, 8, 7], 5, SMALL, (LARGE, MEDIUM)) == Collision(0, (1, 1))
    # terrain: only the one that drifted
    assert fed(collide, [7], 3, SMALL) == Collision(1)
    assert fed(collide, [], 2, LARGE, (SMALL,)) == Collision(0, (0,))


@pytest.mark.rule("CB-ENV-06")
def test_vacuum_wounds_the_unprotected_without_a_roll():
    assert vacuum_hit(model(shield=3), 2) == (Harm(1, 1),)
    assert vacuum_hit(model(gear=("envirosuit",)), 2) == ()
    assert vacuum_hit(model(types=("robot",)), 2) == ()
    assert vacuum_hit(model(gear=("respirator",)), 2) == (Harm(1, 1),)


@pytest.mark.rule("CB-ENV-08", "CB-TERR-12")
def test_deep_water_is_rugged_3_and_low_gravity_2_without_collisions():
    deep = water(model(mv=6), 4, 1)
    assert (deep.gravity, deep.submerged) == (2, True)
    assert move_distance(model(mv=6), 1, deep.rugged).inches == 3
    shallow = water(model(mv=6), 0.9, 1)
    assert (shallow.gravity, shallow.submerged) == (0, False)
    assert move_distance(model(mv=6), 1, shallow.rugged).inches == 5
    assert water(model(), 3, 1).gravity == 0
    assert fed(collide, [], 12, LARGE, (SMALL,), deep_water=True) == Collision(0, (0,))


@pytest.mark.rule("CB-ENV-09")
def test_no_air_wounds_from_the_turn_after_going_under():
    assert drowning_hit(model(), 3, None) == ()
    assert drowning_hit(model(), 3, 3) == ()
    assert drowning_hit(model(shield=2), 4, 3) == (Harm(1, 1),)
    assert drowning_hit(model(gear=("respirator",)), 4, 3) == ()
    assert drowning_hit(model(types=("robot",)), 4, 3) == ()


@pytest.mark.rule("CB-ENV-10", "CB-FEAT-06")
def test_aquatic_models_ignore_deep_water():
    swimmer = model(mv=6, features=("aquatic",))
    deep = water(swimmer, 6, 1)
    assert (deep.rugged, deep.gravity) == ((), 0)
    assert drowning_hit(swimmer, 9, 1) == ()
    assert not must_check_drift(swimmer, 6, deep_water=True)
    assert must_check_drift(swimmer, 6)


@pytest.mark.rule("CB-ENV-01", "CB-FEAT-40", "CB-GEAR-37")
def test_the_dark_burdens_attacks_more_at_long_range():
    def penalty(attacker, settings=DEFAULTS, **where):
        given = {"dark": True, "short": True, "melee": False} | where
        return sum(part.amount for part in dark_penalty(attacker, settings=settings, **given))

    assert penalty(model()) == penalty(model(), melee=True) == -1
    assert penalty(model(), short=False) == -3  # with the usual -1
    assert penalty(model(), Settings(dark_long_adds=False), short=False) == -2
    assert penalty(model(), dark=False, short=False) == -1
    assert penalty(model(features=("night_vision",))) == 0
    assert penalty(model(gear=("night_vision",)), short=False) == -1


@pytest.mark.rule("CB-ENV-07")
def test_weapons_have_one_more_power_in_vacuum():
    rifle, stunner = load().weapons["pulsar_heavy"], load().weapons["neurifle_heavy"]
    power = {
        (weapon.key, vacuum): impact_on(
            None, model(), weapon, DEFAULTS, short=False, vacuum=vacuum
        ).impact.power
        for weapon in (rifle, stunner)
        for vacuum in (False, True)
    }
    assert power["pulsar_heavy", True] == power["pulsar_heavy", False] + 1
    assert power["neurifle_heavy", True] == power["neurifle_heavy", False]  # no body damage


@pytest.mark.rule("CB-FALL-01")
def test_a_wounded_model_within_an_inch_of_the_edge_checks_agl_at_5():
    assert not falls_at_once(model(damage=1), 1, wounds=1)
    ready = prepare_holding_on(model(agility="2D+1"))
    assert ready.throw == Throw(2, 1, 5)
    assert fed(roll_one_success, [4, 2], (ready.throw,)) is True
    assert fed(roll_one_success, [3, 2], (ready.throw,)) is False
    assert fed(roll_one_success, [1, 8], (ready.throw,)) is False


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
