from itertools import product

import pytest

from rules.dice import Solver
from rules.modifiers import Modifier
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.impacts import (
    UNHURT,
    Impact,
    Suffered,
    damage_of,
    impact_on,
    left_of,
    shield_dice,
    shield_roll,
    shield_sources,
    soak,
    suffer,
    through,
    tough_roll,
)
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from tests.rules.counterblast.arena import armed, reasons, weapon
from tests.rules.counterblast.field import model
from tests.rules.helpers import brute, fed


@pytest.mark.rule("CB-SHIELD-01")
def test_each_shield_die_at_the_power_stops_one_wound():
    assert fed(shield_roll, [5, 4, 9], 3, 3, 5) == 2
    assert fed(shield_roll, [5, 9], 1, 2, 5) == 1
    assert fed(shield_roll, [], 0, 3, 5) == 0


@pytest.mark.rule("CB-WEAP-21", "CB-WEAP-29", "CB-FEAT-51")
def test_a_stinger_makes_no_further_hit_of_a_stunning_weapon():
    stinging = armed(1, 1, "neuralizer_baton", features=("stinger",), gear=("melee_spurs",))
    ready = impact_on(stinging, model(2, 2, shield=1), weapon("neuralizer_baton"), DEFAULTS, melee=True)
    # one hit, stopped by the one shield die: nothing is left to stun
    assert fed(suffer, [3], 1, 1, ready.impact).through == 0
    assert damage_of(2, 1, ready.impact) == 2


@pytest.mark.rule("CB-SHIELD-02", "CB-CHECK-15")
def test_shield_10s_chain_and_1s_cancel_nothing():
    assert fed(shield_roll, [10, 8, 1], 3, 2, 12) == 1
    assert fed(shield_roll, [10, 9, 1], 3, 2, 9) == 2
    assert fed(shield_roll, [9, 1], 3, 2, 9) == 1
    assert fed(shield_roll, [9, 1], 3, 2, 9, True) == 0
    assert impact_on(None, model(), weapon("club"), Settings(shield_ones_cancel=True)).impact.ones_cancel


@pytest.mark.rule("CB-SHIELD-03", "CB-WEAP-26", "CB-TMPL-11")
def test_shielding_stacks_and_is_then_reduced():
    # Xenon Mesh 1 + Envirosuit 1 + cover [2] = 4; a gamma disruptor rifle takes 1
    target = model(2, 2, shield=2)
    bare = impact_on(armed(1, 1), target, weapon("pulsar_rifle"), DEFAULTS, cover=2)
    gamma = impact_on(armed(1, 1), target, weapon("gamma_disruptor_rifle"), DEFAULTS, cover=2)
    assert bare.impact.shields == 4
    assert gamma.impact.shields == 3
    assert reasons(gamma.shields) == {"shield": 2, "cover [2]": 2, "Gamma Disruptor Rifle": -1}
    cannon = impact_on(armed(1, 1), target, weapon("gamma_disruptor_cannon"), DEFAULTS)
    assert cannon.impact.shields == 0
    assert shield_dice((Modifier(1, "a"), Modifier(-3, "b"))) == 0


@pytest.mark.rule("CB-GEAR-22", "CB-FEAT-15")
def test_infrared_optics_see_through_cover_but_not_the_coldblooded():
    optics = armed(1, 1, gear=("infrared_optics",))
    assert shield_dice(shield_sources(optics, model(2, 2), None, 2)) == 1
    assert shield_dice(shield_sources(optics, model(2, 2, shield=1), None, 0)) == 1
    assert shield_dice(shield_sources(optics, model(2, 2, features=("coldblooded",)), None, 2)) == 2
    with pytest.raises(InvalidInput, match="Cover"):
        shield_sources(None, model(), None, 4)


@pytest.mark.rule("CB-FIGHT-11")
def test_cover_does_not_count_in_melee():
    assert (
        impact_on(
            armed(1, 1), model(2, 2, shield=1), weapon("club"), DEFAULTS, melee=True, cover=3
        ).impact.shields
        == 1
    )


@pytest.mark.rule("CB-SHIELD-04")
def test_without_power_no_shield_die_is_rolled():
    assert fed(suffer, [], 2, 0, Impact(None, shields=3)) == Suffered(2, through=2)


@pytest.mark.rule("CB-FEAT-59")
def test_tough_rolls_for_each_wound_left():
    assert fed(tough_roll, [7, 6], 2) == 1
    assert fed(tough_roll, [10, 8], 1) == 1
    assert fed(tough_roll, [1, 9], 2) == 1
    # 3 hits, one stopped by a shield die, one of the two left ignored
    impact = Impact(5, shields=1, tough=True)
    assert fed(suffer, [6, 7, 2], 3, 0, impact) == Suffered(3, stopped=1, ignored=1, through=1)


@pytest.mark.rule("CB-WEAP-40")
def test_order_of_damage():
    # 2 net successes, damage 1, +1 against Living: 3 damage; one shield success: 2 wounds
    impact = Impact(5, damage=1, extra=1, shields=1)
    assert fed(suffer, [5], 2, 0, impact) == Suffered(2, stopped=1, through=2)
    assert fed(suffer, [], 0, 0, impact) == UNHURT


@pytest.mark.rule("CB-WEAP-13", "CB-SHOOT-04")
def test_hits_times_damage():
    assert damage_of(3, 0, Impact(5, damage=2)) == 6
    assert damage_of(0, 0, Impact(5, damage=2, extra=1)) == 0


@pytest.mark.rule("CB-WEAP-15")
def test_critical_successes_wound_twice_once_for_each_hit():
    assert damage_of(2, 1, Impact(5, per_critical=1)) == 3
    assert damage_of(1, 3, Impact(5, per_critical=1)) == 2
    target = model(2, 2)
    per_die = impact_on(armed(1, 1), target, weapon("jekara"), DEFAULTS, melee=True).impact
    once = impact_on(armed(1, 1), target, weapon("jekara"), Settings(crit_damage="per_attack"), melee=True)
    assert damage_of(3, 2, per_die) == 5
    assert damage_of(3, 2, once.impact) == 4


@pytest.mark.rule("CB-WEAP-16", "CB-WEAP-27", "CB-WEAP-28")
def test_bonus_damage_against_kinds_of_targets_once_per_attack():
    human, robot, cyber = model(2, 2), model(2, 2, types=("robot",)), model(2, 2, types=("cyberform",))

    def extra(key, target, settings=DEFAULTS):
        return damage_of(2, 0, impact_on(armed(1, 1), target, weapon(key), settings).impact)

    assert extra("lazblade", human) == 3
    assert extra("lazblade", robot) == 2
    assert extra("particle_beam_pistol", cyber) == 3
    assert extra("pulsar_pistol", cyber) == 3
    assert extra("pulsar_pistol", robot) == 3
    assert extra("pulsar_pistol", human) == 2
    assert extra("pulsar_pistol", robot, Settings(bonus_damage="per_success")) == 4
    assert extra("pulsar_pistol", robot, Settings(bonus_damage="to_hit")) == 2


@pytest.mark.rule("CB-WEAP-14")
def test_short_range_punch():
    rifle, target = weapon("long_rifle"), model(2, 2)
    near = impact_on(armed(1, 1), target, rifle, DEFAULTS, short=True).impact
    far = impact_on(armed(1, 1), target, rifle, DEFAULTS, short=False).impact
    assert (near.power, near.damage) == (6, 2)
    assert (far.power, far.damage) == (5, 1)


@pytest.mark.rule("CB-FEAT-51", "CB-GEAR-23")
def test_stinger_and_spurs_add_damage_in_melee_once():
    sting = armed(1, 1, features=("stinger",), gear=("melee_spurs",))
    impact = impact_on(sting, model(2, 2), weapon("club"), DEFAULTS, melee=True).impact
    assert damage_of(2, 0, impact) == 3
    assert damage_of(2, 2, impact) == 4
    shot = impact_on(sting, model(2, 2), weapon("pulsar_rifle"), DEFAULTS).impact
    assert damage_of(2, 2, shot) == 2


@pytest.mark.rule("CB-ENV-07")
def test_vacuum_raises_power():
    assert impact_on(armed(1, 1), model(2, 2), weapon("club"), DEFAULTS, vacuum=True).impact.power == 3


def test_odds_of_shields_agree_with_every_face_walked():
    # one wound, one die at 5: stopped by 5 to 10, 6/10
    odds = Solver().solve(shield_roll, 1, 1, 5)
    assert odds.chance(lambda stopped: stopped == 1) == pytest.approx(0.6)
    few = Solver(exact=True).solve(through, 0, 0, Impact(5, shields=2))
    assert dict(few.chances) == brute(through, 0, 0, Impact(5, shields=2))
    assert Solver().solve(soak, 2, 0, 5, False, False).chances == {(0, 0): 1.0}


@pytest.mark.rule("CB-SHIELD-01", "CB-SHIELD-02", "CB-FEAT-59")
@pytest.mark.parametrize("ones_cancel", [False, True])
@pytest.mark.parametrize("tough", [False, True])
@pytest.mark.parametrize("power", [None, 5])
def test_what_shields_leave_is_what_every_roll_leaves(power, tough, ones_cancel):
    for damage, shields in product(range(4), range(3)):
        case = damage, shields, power, tough, ones_cancel
        assert Solver().distribution(left_of, case, {}) == pytest.approx(Solver().walked(left_of, case))


@pytest.mark.rule("CB-WEAP-40", "CB-SHIELD-01", "CB-FEAT-59")
@pytest.mark.parametrize(
    "impact",
    [
        Impact(4, 2, shields=2, tough=True),
        Impact(None, 1, shields=2, tough=True),
        Impact(4, 2, shields=1, ones_cancel=True),
        Impact(4, shields=0),
        Impact(None, 2, shields=2, per_critical=1, once_critical=1),
        Impact(4, shields=1, tough=True, stuns=True),
        Impact(None, tough=True, stuns=True),
    ],
    ids=str,
)
def test_what_comes_through_has_the_odds_of_the_whole_roll(impact):
    for hits in range(4):
        whole = Solver().solve(suffer, hits, 1, impact).map(lambda suffered: suffered.through)
        short = Solver().solve(through, hits, 1, impact)
        assert {n: short.chance(lambda got, n=n: got == n) for n in range(9)} == pytest.approx(
            {n: whole.chance(lambda got, n=n: got == n) for n in range(9)}
        )
