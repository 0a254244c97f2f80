from fractions import Fraction

import pytest

from rules.dice import Solver
from rules.effects import Count, Harm, Leave, Propose
from rules.refusals import Forbidden
from rules.systems.warzone.attacks import Attack, armour
from rules.systems.warzone.command import begin_activation
from rules.systems.warzone.powers import roll_chart
from rules.systems.warzone.settings import Settings
from rules.systems.warzone.tables import look_up
from rules.systems.warzone.vehicles import (
    LOCATIONS,
    Hull,
    HullResult,
    after_cascade,
    after_hull,
    after_passenger,
    after_wreck,
    attack_vehicle,
    avoid_limit,
    cascade,
    check_reverse,
    explosion,
    hull_of,
    passenger,
    system_failure,
    system_works,
    vehicle_save,
    wreck_steps,
)
from tests.rules.helpers import brute, fed
from tests.rules.warzone.build import PLAIN, model

SYSTEMS = [
    (1, 1, "cosmetic"),
    (2, 4, "steering"),
    (5, 7, "weapons"),
    (8, 10, "engine"),
    (11, 13, "transmission"),
    (14, 16, "cascade"),
    (17, 19, "structural"),
    (20, 20, "chain_reaction"),
]


def row(by):
    return look_up("system_failure", by).key


def hull(wounds, **hits):
    return Hull(wounds, tuple(hits.get(location, 0) for location in LOCATIONS))


def tank(conditions=(), counters=(), **more):
    return model(1, conditions, counters, traits=("vehicle",), **({"wd": 4, "ar": 24} | more))


@pytest.mark.rule("WZ-SYS-01", "WZ-VEH-02", "WZ-DMG-05")
def test_every_margin():
    for low, high, key in SYSTEMS:
        for by in range(low, high + 1):
            assert look_up("system_failure", by).key == key
            if key == "chain_reaction":
                assert fed(system_failure, [2], hull(4), row(by)) == hull(2, steering=1)
            else:
                after = {} if key == "cosmetic" else {key: 1}
                assert fed(system_failure, [], hull(4), row(by)) == hull(3, **after)
                # AR 21 less DM 20 leaves 1: a face is its margin and one
                assert fed(vehicle_save, [by + 1], hull(4), 21, 20) == hull(3, **after)
    assert look_up("system_failure", 33).key == "chain_reaction"


@pytest.mark.rule("WZ-DMG-05", "WZ-VEH-02")
def test_margin_of_a_failed_save():
    assert fed(vehicle_save, [14], hull(4), 24, 15) == hull(3, weapons=1)  # 14 - 9 = 5
    assert fed(vehicle_save, [9], hull(4), 24, 15) == hull(4)
    assert fed(vehicle_save, [1], hull(4), 10, 15) == hull(4)


@pytest.mark.rule("WZ-VEH-02", "WZ-DMG-04")
def test_no_failure_with_the_last_wound():
    assert fed(vehicle_save, [14], hull(1), 24, 15) == hull(0)
    assert fed(vehicle_save, [], hull(0), 24, 15) == hull(0)
    effects = after_hull(tank(damage=3), hull(0))
    assert effects[:2] == (Harm(1, 1), Leave(1, "wrecked"))
    assert isinstance(effects[2], Propose)
    assert effects[2].action == "wreck"


@pytest.mark.rule("WZ-SYS-01", "WZ-VEH-02")
def test_hits_become_counters():
    hurt = tank((), [("system.engine", 1)], damage=1)
    assert hull_of(hurt) == hull(3, engine=1)
    assert after_hull(hurt, hull(1, engine=2, cascade=1)) == (
        Harm(1, 2),
        Count("model", 1, "system.engine", 1),
        Count("model", 1, "system.cascade", 1),
    )


@pytest.mark.rule("WZ-SYS-07")
def test_structural_hits_lower_ar_from_then_on():
    assert armour(tank((), [("system.structural", 2)]), PLAIN) == 14
    # AR 24 less DM 15 is 9: a 20 fails by 11, and armour stays as it was
    numbers = Attack(2, 10, 15, 24)
    after = fed(attack_vehicle, [5, 20, 5, 9], numbers, hull(4))
    assert after.hull == hull(3, transmission=1)
    assert fed(vehicle_save, [9], hull(4, structural=1), 24, 15) == hull(3, structural=1, weapons=1)
    # AR 20 less DM 20: 18 fails by 18 (structural), then 0 - 5: a 2 fails by 7
    burst = fed(attack_vehicle, [5, 18, 5, 2], Attack(2, 10, 20, 20), hull(4))
    assert burst.hull == hull(2, structural=1, weapons=1)
    # a vehicle already hit: the attack carries AR as it stands, 15
    start = hull(4, structural=1)
    assert fed(attack_vehicle, [5, 5], Attack(1, 10, 10, 15), start).hull == start


@pytest.mark.rule("WZ-SYS-08")
def test_chain_reaction():
    assert fed(system_failure, [20, 8], hull(5), row(20)) == hull(2, engine=1)
    assert fed(system_failure, [20], hull(3), row(20)) == hull(0)
    assert fed(system_failure, [], hull(2), row(20)) == hull(0)
    assert fed(system_failure, [1], hull(3), row(25)) == hull(1)
    assert fed(system_failure, [], hull(3), row(20), same_margin=True) == hull(0)


@pytest.mark.rule("WZ-VEH-02", "WZ-CRIT-01", "WZ-CRIT-04")
def test_attack_on_a_vehicle():
    numbers = Attack(2, 10, 15, 24)
    # natural 1: DM 19, so 5 saves; a natural 20 lowers the next roll to 6
    assert fed(attack_vehicle, [1, 6, 11], numbers, hull(4)) == HullResult(hull(3), False)
    assert fed(attack_vehicle, [20, 7], numbers, hull(4)) == HullResult(hull(4), False)
    assert fed(attack_vehicle, [11, 20], numbers, hull(4)) == HullResult(hull(4), True)
    after = Attack(1, 10, 15, 24, fumbled=True)
    assert fed(attack_vehicle, [7], after, hull(4)) == HullResult(hull(4), False), "-4 from before"
    twice = Attack(1, 10, 15, 24, hits=2)
    assert fed(attack_vehicle, [5, 10, 11], twice, hull(4)).hull == hull(2, steering=1)
    assert fed(attack_vehicle, [5, 10], twice, hull(1)).hull == hull(0)


@pytest.mark.rule("WZ-VEH-02", "WZ-SYS-01", "WZ-SYS-07")
@pytest.mark.parametrize(
    ("numbers", "start"),
    [
        (Attack(1, 10, 15, 24), hull(3)),
        (Attack(1, 4, 30, 24), hull(2, structural=1)),
        (Attack(1, 6, 16, 24, fumbled=True), hull(3)),
        (Attack(2, 3, 15, 30), hull(1)),
    ],
)
def test_attack_on_a_vehicle_solved_equals_brute_force(numbers, start):
    assert Solver(exact=True).solve(attack_vehicle, numbers, start).chances == brute(
        attack_vehicle, numbers, start
    )


def test_a_burst_at_a_vehicle_is_solved_quickly():
    odds = Solver(work=300_000).solve(attack_vehicle, Attack(3, 12, 17, 24), hull(6))
    assert odds.error < 1e-6


def test_one_hit_by_hand():
    # 9 or less hits: 1/20 x 15/20 with DM 19, 8/20 x 11/20 with DM 15, each a wound
    odds = Solver(exact=True).solve(attack_vehicle, Attack(1, 9, 15, 24), hull(1)).chances
    wreck = Fraction(1, 20) * Fraction(15, 20) + Fraction(8, 20) * Fraction(11, 20)
    assert sum(p for result, p in odds.items() if not result.hull.wounds) == wreck


@pytest.mark.rule("WZ-SYS-02")
def test_steering():
    assert fed(system_works, [], "steering", 0)
    assert fed(system_works, [10], "steering", 1)
    assert not fed(system_works, [11], "steering", 1)
    assert fed(system_works, [5], "steering", 2)
    assert not fed(system_works, [6], "steering", 2)
    assert not fed(system_works, [], "steering", 3)
    assert brute(system_works, "steering", 2) == {True: Fraction(1, 4), False: Fraction(3, 4)}


@pytest.mark.rule("WZ-SYS-05")
def test_transmission():
    assert fed(system_works, [10], "transmission", 1)
    assert not fed(system_works, [11], "transmission", 1)
    assert fed(system_works, [5], "transmission", 2)
    assert not fed(system_works, [6], "transmission", 2)
    assert not fed(system_works, [], "transmission", 4)
    check_reverse(tank())
    with pytest.raises(Forbidden):
        check_reverse(tank((), [("system.transmission", 1)]))


@pytest.mark.rule("WZ-SYS-06", "WZ-TURN-04")
def test_cascading_failures():
    assert fed(cascade, [10, 11, 20], 3) == 2
    assert fed(cascade, [], 0) == 0
    assert Solver(exact=True).solve(cascade, 2).chances == brute(cascade, 2)
    crew = (model(2, (), [("actions", 3)]), model(3, (), [("actions", 1)]))
    assert after_cascade(crew, 2) == (Count("model", 2, "actions", -2), Count("model", 3, "actions", -1))
    assert after_cascade(crew, 0) == ()
    begun = begin_activation(tank((), [("system.cascade", 1)]))
    assert any(isinstance(effect, Propose) and effect.action == "cascade" for effect in begun)


@pytest.mark.rule("WZ-WRECK-01")
def test_wreck():
    assert after_wreck(tank(), fed(roll_chart, [15], "wreck"))[0].action == "place_wreck"
    blows = after_wreck(tank(), fed(roll_chart, [16], "wreck"))[0]
    assert (blows.action, blows.details) == ("explosion", (("dm", 9), ("inches", 1)))


@pytest.mark.rule("WZ-WRECK-02", "WZ-WRECK-01")
def test_avoiding_the_explosion():
    assert avoid_limit(model(1), "soft", enemy_in_sight=True) == 12
    assert avoid_limit(model(1, ["panicked"]), "hard", enemy_in_sight=True) == 11
    assert fed(explosion, [13], 22) == 0  # 22 - 9 = 13
    assert fed(explosion, [14], 22) == 1
    assert fed(explosion, [12], 22, 12) == 0
    assert fed(explosion, [13, 14], 22, 12) == 1
    odds = Solver(exact=True).solve(explosion, 22, 12).chances
    assert odds == brute(explosion, 22, 12)
    assert odds[1] == Fraction(8, 20) * Fraction(7, 20)


@pytest.mark.rule("WZ-WRECK-03")
def test_passengers():
    rider = model(2, wd=4)
    expected = {
        6: (),
        11: (Harm(2, 1),),
        12: (Harm(2, 2),),
        16: (Harm(2, 4), Leave(2, "casualty")),
    }
    for face, effects in expected.items():
        assert after_passenger(rider, fed(passenger, [face])) == effects
    assert after_passenger(model(3), "two_wounds") == (Harm(3, 1), Leave(3, "casualty"))


@pytest.mark.rule("WZ-WRECK-04")
def test_order_of_the_wreck_rolls():
    assert wreck_steps(PLAIN, 3) == ("passengers", "wreck")
    assert wreck_steps(Settings(wreck_order="hull_first"), 3) == ("wreck", "passengers")
    assert wreck_steps(PLAIN, 0) == ("wreck",)
