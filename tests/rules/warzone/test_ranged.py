from dataclasses import replace
from fractions import Fraction

import pytest

from rules.dice import Solver
from rules.effects import Gain, Harm, Leave, Lose
from rules.refusals import Forbidden, InvalidInput
from rules.systems.warzone.attacks import (
    Attack,
    AttackResult,
    after_wounds,
    attack,
    blocks_shots,
    obstacle_wounds,
)
from rules.systems.warzone.model import expire
from rules.systems.warzone.movement import after_move
from rules.systems.warzone.profile import Weapon
from rules.systems.warzone.ranged import (
    Shot,
    after_firing,
    aim,
    arc_of,
    band_of,
    in_rear_arc,
    lose_aim,
    prepare_obstacle,
    prepare_shot,
    rate_of_fire,
    shot_limit,
    shot_modifiers,
)
from rules.systems.warzone.settings import Settings
from rules.systems.warzone.tables import obstacles
from tests.rules.helpers import brute, fed
from tests.rules.warzone.build import PLAIN, RIFLE, SWORD, amounts, model


def shot(firer=None, target=None, distance=10.0, weapon=RIFLE, **more):
    return Shot(firer or model(1), target or model(2, side=2, squad=2), weapon, distance, **more)


def limit(*args, **kwargs):
    return shot_limit(shot(*args, **kwargs), PLAIN)


@pytest.mark.rule("WZ-RANGE-01")
def test_bands():
    edges = [0, 0.1, 6, 6.1, 12, 12.5, 24, 24.5, 36, 36.5, 48]
    words = ["CC", "PB", "PB", "SR", "SR", "MR", "MR", "LR", "LR", "ER", "ER"]
    assert [band_of(edge) for edge in edges] == words
    with pytest.raises(Forbidden):
        band_of(48.1)
    with pytest.raises(InvalidInput):
        band_of(-1)
    with pytest.raises(Forbidden):
        limit(distance=0)


@pytest.mark.rule("WZ-RANGE-02", "WZ-RC-01")
def test_band_modifier_is_added():
    # RC 8 with +1 / +2 / 0 / -2
    assert [limit(distance=inches) for inches in (5, 10, 20, 30)] == [9, 10, 8, 6]


@pytest.mark.rule("WZ-RANGE-03")
def test_band_without_a_value():
    with pytest.raises(Forbidden) as refusal:
        limit(distance=40)
    assert refusal.value.rule == "WZ-RANGE-03"
    assert shot_limit(shot(distance=40), Settings(missing_band="zero")) == 8


@pytest.mark.rule("WZ-RC-02")
def test_rate_of_fire_may_depend_on_the_band():
    weapon = Weapon("Gun", 12, 3, (0, 0, 0, 0, None), (5, None, None, None, None))
    assert (rate_of_fire(weapon, 4), rate_of_fire(weapon, 10)) == (5, 3)
    assert prepare_shot(shot(weapon=weapon, distance=4), PLAIN).shots == 5


@pytest.mark.rule("WZ-TEST-02", "WZ-RC-03")
def test_cover_the_worst_counts():
    assert limit(covers=frozenset({"hard"})) == 7  # 8 + 2 - 3, the rulebook's example
    assert limit(covers=frozenset({"soft"})) == 8
    assert limit(covers=frozenset({"obscured"})) == 9
    both = shot(covers=frozenset({"obscured", "soft"}))
    assert shot_limit(both, PLAIN) == 8
    assert shot_limit(both, Settings(cover_stacks=True)) == 7


@pytest.mark.rule("WZ-RC-04", "WZ-AIM-01", "WZ-AIM-02")
def test_aim_holds_for_its_target_until_the_end_of_the_activation():
    firer, target, other = model(1), model(2, side=2), model(3, side=2)
    assert aim(firer, target) == (Gain(1, "aiming", 2, "activation"),)
    aiming = model(1, [("aiming", 2)])
    assert limit(aiming, target) == 13
    assert limit(aiming, other) == 10
    once = Settings(aim_duration="next_shot")
    assert Lose(1, "aiming") not in after_firing(aiming, target, PLAIN, fumbled=False)
    assert Lose(1, "aiming") in after_firing(aiming, target, once, fumbled=False)
    assert Lose(1, "aiming") in after_firing(aiming, other, PLAIN, fumbled=False)
    assert lose_aim(aiming, target.id) == (Lose(1, "aiming"),)
    assert lose_aim(aiming, other.id) == ()
    assert Lose(1, "aiming") in expire(aiming, "activation")


@pytest.mark.rule("WZ-RC-05")
def test_only_the_highest_smoke_counts():
    assert limit(smoke=(2, 4, 1)) == 6


@pytest.mark.rule("WZ-RC-06", "WZ-PANIC-03", "WZ-BROKEN-04", "WZ-MORALE-04")
def test_fear_of_the_firer():
    assert limit(model(1, ["panicked"])) == 7
    assert limit(model(1, ["broken"])) == 4
    assert limit(model(1, ["broken", "panicked"])) == 4
    assert limit(model(1, ["broken"]), enemy_in_sight=False) == 10
    assert limit(target=model(2, ["broken"])) == 10


@pytest.mark.rule("WZ-RC-07", "WZ-UNH-04", "WZ-UNH-05")
def test_unhinged_firer():
    assert limit(model(1, ["broken", "forced_regression"]), enemy_in_sight=False) == 2
    assert limit(model(1, ["broken", "derangement"]), enemy_in_sight=False) == 4
    assert limit(model(1, ["broken", "crippling_fear"])) == 4
    assert limit(model(1, ["broken", "crippling_fear"]), enemy_in_sight=False) == 10


@pytest.mark.rule("WZ-RC-08", "WZ-PRES-01")
def test_minimized_presence():
    assert limit(target=model(2, ["minimized"])) == 8
    assert limit(model(1, ["minimized"])) == 10


@pytest.mark.rule("WZ-RC-09", "WZ-PRES-02")
def test_prone():
    assert limit(target=model(2, ["prone"])) == 14
    with pytest.raises(Forbidden) as refusal:
        limit(model(1, ["prone"]))
    assert refusal.value.rule == "WZ-RC-09"


@pytest.mark.rule("WZ-RC-10")
def test_stationary_vehicle_or_gunner():
    tank = model(1, traits=("vehicle",))
    assert limit(tank) == 13
    assert limit(gunner=True) == 13
    assert after_move(tank)[0] == Gain(1, "moved", 0, "activation")
    assert limit(model(1, ["moved"], traits=("vehicle",))) == 10
    assert limit(target=model(2, traits=("vehicle",))) == 10


@pytest.mark.rule("WZ-RC-11")
@pytest.mark.parametrize(("size", "change"), [(0, -1), (1, 0), (2, 0), (3, 0), (4, 1), (9, 1)])
def test_size_difference_of_two(size, change):
    assert limit(target=model(2, sz=size)) == 10 + change


@pytest.mark.rule("WZ-RC-12", "WZ-CRIT-04")
def test_fumble_lowers_the_first_roll_only():
    prepared = prepare_shot(shot(model(1, ["fumbled"])), PLAIN)
    assert (prepared.limit, prepared.fumbled) == (10, True)
    assert amounts(shot_modifiers(shot(model(1, ["fumbled"])), PLAIN))["WZ-RC-12"] == -4
    two = replace(prepared, shots=2)
    # 10 - 4 = 6: a 7 misses, then a 10 hits again
    assert fed(attack, [7, 10, 20], two) == AttackResult(1, 0, 1, False)


@pytest.mark.rule("WZ-CRIT-04", "WZ-RC-12")
def test_fumble_within_one_action_lowers_the_next_roll():
    numbers = Attack(3, 10, 13, 22)
    assert fed(attack, [20, 7, 7, 20], numbers) == AttackResult(1, 0, 1, False)
    assert fed(attack, [2, 20, 20, 3], numbers) == AttackResult(1, 0, 0, True)
    mark = after_firing(model(1), model(2, side=2), PLAIN, fumbled=True)
    assert Gain(1, "fumbled", 0, "its next attack roll") in mark
    clear = after_firing(model(1, ["fumbled"]), model(2, side=2), PLAIN, fumbled=False)
    assert Lose(1, "fumbled") in clear


@pytest.mark.rule("WZ-RC-13", "WZ-PRES-01")
def test_firing_arc():
    small = model(1, ["minimized"])
    assert limit(small, angle_degrees=45) == 10
    with pytest.raises(Forbidden) as refusal:
        limit(small, angle_degrees=46)
    assert refusal.value.rule == "WZ-RC-13"
    assert limit(angle_degrees=180) == 10
    with pytest.raises(Forbidden):
        shot_limit(shot(angle_degrees=91), Settings(standing_arc=180))
    assert [arc_of(model(1, kinds), PLAIN) for kinds in ((), ["minimized"], ["prone"])] == [360, 90, 0]


@pytest.mark.rule("WZ-RC-14", "WZ-SPOT-06")
def test_concealed_target_must_be_spotted():
    with pytest.raises(Forbidden) as refusal:
        limit(target=model(2, ["concealed"]))
    assert refusal.value.rule == "WZ-RC-14"
    assert limit(target=model(2, ["concealed"], [("spotted.1", 1)])) == 10
    with pytest.raises(Forbidden):
        limit(target=model(2, ["concealed"], [("spotted.3", 1)]))


@pytest.mark.rule("WZ-SPACE-03")
def test_gap_for_firing_between_friends():
    assert limit(gap_inches=1) == 10
    with pytest.raises(Forbidden):
        limit(gap_inches=0.9)


@pytest.mark.rule("WZ-CRIT-01")
def test_natural_1_hits_with_4_more_dm():
    # AR 22, DM 13: 9 saves; DM 17: 5 saves
    assert fed(attack, [1, 5], Attack(1, -3, 13, 22)) == AttackResult(1, 1, 0, False)
    assert fed(attack, [1, 6], Attack(1, -3, 13, 22)) == AttackResult(1, 1, 1, False)
    assert fed(attack, [2], Attack(1, -3, 13, 22)) == AttackResult(0, 0, 0, False)


@pytest.mark.rule("WZ-RC-01", "WZ-DMG-01")
def test_shoot_then_armour_odds():
    # 10 or less hits: 1/20 with DM 17 (15/20 wound), 9/20 with DM 13 (11/20 wound)
    odds = Solver(exact=True).solve(attack, Attack(1, 10, 13, 22))
    wound = Fraction(1, 20) * Fraction(15, 20) + Fraction(9, 20) * Fraction(11, 20)
    assert sum(p for result, p in odds.chances.items() if result.wounds) == wound


@pytest.mark.parametrize(
    "numbers",
    [
        Attack(1, 10, 13, 22),
        Attack(1, 3, 13, 22, hits=2),
        Attack(1, 6, 13, 22, fumbled=True),
        Attack(2, 12, 13, 30, fumbled=True),
        Attack(2, 0, 20, 18),
        Attack(2, 9, 12, 26, critical_dm=0),
        Attack(3, 9, 13, 22, automatic=True),
    ],
)
@pytest.mark.rule("WZ-RC-01", "WZ-DMG-01", "WZ-CRIT-01", "WZ-CRIT-04")
def test_shoot_then_armour_solved_equals_brute_force(numbers):
    assert Solver(exact=True).solve(attack, numbers).chances == brute(attack, numbers)


def test_a_long_burst_is_solved_quickly():
    solver = Solver(work=100_000)
    odds = solver.solve(attack, Attack(20, 12, 13, 22, hits=3))
    assert odds.error < 1e-6


@pytest.mark.rule("WZ-DMG-06")
def test_each_success_of_a_multiple_hit_weapon_is_saved_for_n_times():
    assert fed(attack, [5, 9, 10, 20], Attack(1, 10, 13, 22, hits=3)).wounds == 2


@pytest.mark.rule("WZ-DMG-04")
def test_wounds_remove_a_model():
    hurt = model(2, side=2, wd=3, damage=1)
    assert after_wounds(hurt, 1) == (Harm(2, 1),)
    assert after_wounds(hurt, 5) == (Harm(2, 2), Leave(2, "casualty"))


@pytest.mark.rule("WZ-VEH-01")
def test_rear_of_a_vehicle():
    tank = model(2, side=2, traits=("vehicle",))
    av = Weapon("Rocket", 15, 1, (0,) * 5, av=2)
    assert prepare_shot(shot(target=tank, weapon=av, from_rear=True), PLAIN).dm == 18
    assert prepare_shot(shot(target=tank, weapon=av), PLAIN).dm == 15
    assert prepare_shot(shot(target=tank, from_rear=True), PLAIN).dm == 13
    assert prepare_shot(shot(weapon=av, from_rear=True), PLAIN).dm == 15
    assert [in_rear_arc(angle, PLAIN) for angle in (0, 134, 135, 180, 225, 226)] == [
        False,
        False,
        True,
        True,
        True,
        False,
    ]


@pytest.mark.rule("WZ-SYS-03")
def test_weapon_hits_of_the_firing_vehicle():
    def tank(hits):
        return model(1, ["moved"], [("system.weapons", hits)], traits=("vehicle",), rc=11)

    weapon = Weapon("Gun", 15, 1, (-2,) * 5)
    hard = frozenset({"hard"})
    assert limit(tank(1), weapon=weapon, covers=hard) == 3
    with pytest.raises(Forbidden) as refusal:
        limit(tank(2), weapon=weapon, covers=hard)
    assert refusal.value.rule == "WZ-SYS-03"
    alone = Settings(weapon_failure_stacks=False)
    assert shot_limit(shot(tank(2), weapon=weapon, covers=hard), alone) == 3


@pytest.mark.rule("WZ-TERRAIN-02")
def test_terrain_is_hit_automatically_and_saves():
    stone = obstacles()["stone"]
    prepared = prepare_obstacle(RIFLE, model(1), stone, PLAIN)
    assert fed(attack, [9], prepared).wounds == 0  # 22 - 13 = 9
    assert fed(attack, [10], prepared).wounds == 1
    shells = Weapon("Shell", 13, types=("concussive",))
    assert obstacle_wounds(2, shells, stone, PLAIN) == 4
    assert obstacle_wounds(2, RIFLE, stone, PLAIN) == 2
    assert obstacle_wounds(2, shells, stone, Settings(terrain_extra_damage=3)) == 6
    assert obstacle_wounds(1, shells, obstacles()["metal"], PLAIN) == 1
    assert prepare_obstacle(SWORD, model(1), stone, PLAIN).dm == 11


@pytest.mark.rule("WZ-TERRAIN-03")
def test_impenetrable_obstacles():
    assert not blocks_shots(obstacles()["sandbags"], PLAIN)
    assert blocks_shots(obstacles()["sandbags"], Settings(impenetrable="no_shots"))
    assert not blocks_shots(obstacles()["stone"], Settings(impenetrable="no_shots"))
    with pytest.raises(Forbidden, match="impenetrable obstacle"):
        prepare_shot(shot(covers=("impenetrable",)), Settings(impenetrable="no_shots"))
