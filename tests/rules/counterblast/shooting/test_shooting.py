from collections import Counter
from dataclasses import replace
from itertools import product

import pytest

from rules.dice import Roller, Solver
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.checks import Throw
from rules.systems.counterblast.core.fighter import Condition
from rules.systems.counterblast.core.impacts import UNHURT, Impact, Suffered
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.systems.counterblast.shooting.shooting import (
    Mark,
    Volley,
    attack_rolls,
    prepare_joint_shot,
    prepare_volley,
    stray_candidates,
    weakest_impact,
)
from rules.systems.counterblast.shooting.shots import (
    MISSED,
    Shot,
    ShotResult,
    friend_wounds,
    overload,
    overload_wounds,
    shot,
    shot_into_melee,
    volley,
    volley_into_melee,
    wounds_by_shots,
)
from tests.rules.counterblast.arena import armed, reasons, weapon
from tests.rules.counterblast.field import model
from tests.rules.helpers import fed
from tests.rules.sources import Chance

RIFLE = "pulsar_rifle"
SENTRY = armed(1, 1, RIFLE, agility="2D+1")
TARGET = model(2, 2, defense=8)


def one(shooter=SENTRY, target=TARGET, inches=6.0, key=RIFLE, settings=DEFAULTS, cover=0, **how):
    """The first prepared shot of a volley at one target."""
    mark = Mark(target, weapon(key), inches, cover=cover)
    return prepare_volley(Volley(shooter, (mark,), **how), settings).shots[0]


def pool(shooter=SENTRY, target=TARGET, **how):
    return one(shooter, target, **how).shot.throws[0].pool


def by_hand(number, hit, one=-1):
    """The chance of each score; a 10 earns a die on which a 1 only fails. hit: that 2 to 9 succeed."""
    die, tens = Counter(), 0.1
    for score, chance in ((one, 0.1), (0, 0.8 - hit), (1, hit)):
        die[score] += chance
    for bonus in range(1, 12):
        die += Counter({bonus: tens * (0.9 - hit), bonus + 1: tens * hit})
        tens /= 10
    scores = {0: 1.0}
    for _ in range(number):
        added = Counter()
        for (score, chance), (more, its) in product(scores.items(), die.items()):
            added[score + more] += chance * its
        scores = added
    return scores


def particles(hit):
    """The chance of each number of wounds of one die of a Particle Beam Pistol against one shield die."""
    wounds = Counter()
    for (hits, chance), (stops, its) in product(by_hand(1, hit).items(), by_hand(1, 0.6, one=0).items()):
        wounds[max(0, hits + (hits > 0) - stops)] += chance * its
    return wounds


PARTICLES = Impact(4, extra=1, shields=1)


@pytest.mark.rule("CB-SHOOT-07", "CB-SHOOT-16", "CB-WEAP-27")
def test_two_pistols_at_one_model_worked_out_by_hand():
    """AGL 2D+3 is split at Defense 8 and 2 Life: 22% for each pistol, and 50.68% for both together."""
    each = particles(0.5)
    both = sum(a * b for (x, a), (y, b) in product(each.items(), repeat=2) if x + y >= 2)
    assert round(100 * sum(chance for wounds, chance in each.items() if wounds >= 2)) == 22
    assert round(100 * both, 2) == 50.68
    aimed = Shot(0, (Throw(1, 3, 8),), PARTICLES)
    odds = Solver().solve(wounds_by_shots, (aimed, aimed), 2)
    assert odds.chance(lambda wounds: wounds >= 2) == pytest.approx(both, abs=1e-8)


@pytest.mark.rule("CB-SHOOT-10", "CB-SHOOT-16")
def test_what_misses_do_to_a_friend_worked_out_by_hand():
    """The one die misses on 1 to 7, and after a 10 again: the die that strays hits a friend on 8 or more."""
    strays, each = 0.7 / 0.9, particles(0.2)
    aimed, friend = Shot(2, (Throw(1, 0, 8),), Impact(4)), Shot(3, (Throw(1, 0, 8),), PARTICLES)
    odds = Solver().solve(friend_wounds, (((aimed, friend),),), False, 3, 2)
    assert odds.chance(lambda wounds: wounds != MISSED) == pytest.approx(strays * 0.3)
    for many in (1, 2):
        due = strays * sum(chance for wounds, chance in each.items() if wounds >= many)
        assert odds.chance(lambda wounds, many=many: wounds >= many) == pytest.approx(due, abs=1e-8)


@pytest.mark.rule("CB-SHOOT-01", "CB-STAT-08")
def test_agility_against_defense():
    assert one().shot.throws == (Throw(2, 1, 8),)
    # 7 + 1 hits, 6 + 1 does not
    assert fed(shot, [7, 6], one().shot).suffered == Suffered(1, through=1)


@pytest.mark.rule("CB-SHOOT-01", "CB-ACT-10")
def test_an_engaged_model_may_not_shoot():
    with pytest.raises(Forbidden, match="engaged"):
        one(armed(1, 1, RIFLE, engaged=(3,)))


@pytest.mark.rule("CB-SHOOT-02")
def test_targets_in_sight_and_in_range():
    assert one(inches=16)
    with pytest.raises(Forbidden, match="reaches 16 in"):
        one(inches=16.5)
    with pytest.raises(Forbidden, match="can't see"):
        prepare_volley(Volley(SENTRY, (Mark(TARGET, weapon(RIFLE), 6, sighted=False),)))
    with pytest.raises(InvalidInput):
        one(inches=-1)


@pytest.mark.rule("CB-SHOOT-03", "CB-WEAP-12")
def test_long_range_begins_beyond_half():
    assert "long range" not in reasons(one(inches=8).parts[0].modifiers)
    assert reasons(one(inches=8.1).parts[0].modifiers)["long range"] == -1


@pytest.mark.rule("CB-SHOOT-05")
def test_shield_dice_with_cover_against_the_power():
    ready = one(target=model(2, 2, defense=8, shield=1), cover=2)
    # two hits of a Pulsar Rifle (Power 6, short of mechanical bonus); three shield dice, one reaches 6
    assert fed(shot, [8, 9, 6, 5, 2], ready.shot).suffered == Suffered(2, stopped=1, through=1)


@pytest.mark.rule("CB-SHOOT-06")
def test_all_dice_are_allotted_before_rolling():
    shooter = armed(1, 1, RIFLE, agility="3D+1")
    marks = (Mark(TARGET, weapon(RIFLE), 6, dice=2), Mark(model(3, 2), weapon(RIFLE), 12, dice=1))
    ready = prepare_volley(Volley(shooter, marks))
    assert [aimed.throws for aimed in ready.rolls] == [(Throw(2, 1, 8),), (Throw(1, 0, 7),)]
    with pytest.raises(Forbidden, match=r"to share out \(you entered 2"):
        prepare_volley(Volley(shooter, (replace(marks[0], dice=1), marks[1])))


@pytest.mark.rule("CB-SHOOT-07")
def test_two_pistols_split_the_dice():
    shooter = armed(1, 1, "slugger_pistol", "pulsar_pistol", agility="3D+1")
    marks = tuple(
        Mark(TARGET, pistol, 3, dice=dice) for pistol, dice in zip(shooter.weapons, (2, 1), strict=True)
    )
    first, second = prepare_volley(Volley(shooter, marks)).shots
    assert (first.shot.throws[0].pool, second.shot.throws[0].pool) == (2, 1)
    assert (first.shot.impact.power, second.shot.impact.power) == (3, 4)
    rifles = tuple(replace(mark, weapon=weapon(RIFLE)) for mark in marks[:1])
    with pytest.raises(Forbidden, match="pistols"):
        prepare_volley(Volley(shooter, (*rifles, marks[1])))


@pytest.mark.rule("CB-SHOOT-08")
def test_ones_against_one_target_do_not_reduce_another():
    shots = tuple(Shot(number, (Throw(1, 0, 7),), Impact(5)) for number in (2, 3))
    first, second = fed(volley, [1, 8], shots)
    assert first.suffered == UNHURT
    assert second.suffered.through == 1


@pytest.mark.rule("CB-SHOOT-09")
def test_ranged_modifiers_and_their_reasons():
    scope = armed(1, 1, RIFLE, agility="2D", gear=("scope",))
    told = reasons(one(scope, inches=12, dark=True, order_token=True, mode="run_and_gun").parts[0].modifiers)
    assert told == {"long range": -1, "dark": -2, "Run and Gun": -1, "Scope": 1, "order token": 1}
    assert reasons(one(inches=6, mode="snap").parts[0].modifiers)["snap attack"] == -2


@pytest.mark.rule("CB-SHOOT-09", "CB-ACT-11", "CB-MOVE-10", "CB-MOVE-11", "CB-HIDE-08", "CB-COND-02")
def test_advantages_and_disadvantages_of_a_shot():
    def under(*conditions):
        return armed(1, 1, RIFLE, agility="2D", under=conditions)

    assert pool() == 2
    assert pool(mode="aim") == 3
    assert pool(under(Condition.PRONE)) == 3
    assert pool(under(Condition.HIDDEN)) == 3
    assert pool(under(Condition.BLINDED)) == 1
    assert pool(target=model(2, 2, under=(Condition.BLINDED,))) == 3
    assert pool(target=model(2, 2, under=(Condition.PRONE,))) == 1
    assert pool(under(Condition.PRONE, Condition.HIDDEN), mode="aim") == 5


@pytest.mark.rule("CB-FIGHT-13")
def test_an_advantage_against_one_target_joins_its_share_only():
    blind = model(2, 2, under=(Condition.BLINDED,))
    marks = (Mark(blind, weapon(RIFLE), 6, dice=1), Mark(model(3, 2), weapon(RIFLE), 6, dice=2))
    ready = prepare_volley(Volley(SENTRY, marks, "aim"))
    # AGL 2D and Aim: 3 dice to allot
    assert [aimed.throws[0].pool for aimed in ready.rolls] == [2, 2]


@pytest.mark.rule("CB-ENV-01", "CB-FEAT-40", "CB-GEAR-37")
def test_dark_and_night_vision():
    dark = reasons(one(inches=12, dark=True).parts[0].modifiers)
    assert (dark["dark"], dark["long range"]) == (-2, -1)
    replaced = reasons(one(inches=12, dark=True, settings=Settings(dark_long_adds=False)).parts[0].modifiers)
    assert replaced["dark"] == -2
    assert "long range" not in replaced
    assert reasons(one(inches=6, dark=True).parts[0].modifiers)["dark"] == -1
    goggles = armed(1, 1, RIFLE, agility="2D", gear=("night_vision",))
    assert reasons(one(goggles, inches=12, dark=True).parts[0].modifiers) == {"long range": -1}


@pytest.mark.rule("CB-SHOOT-10")
def test_dice_that_miss_stray_to_a_friend_in_the_melee():
    # Def 8: 10, 5, 1 and the bonus die 3: the success is cancelled, three dice stray and are rolled again
    aimed = Shot(2, (Throw(3, 0, 8),), Impact(5))
    friend = Shot(3, (Throw(1, 0, 7),), Impact(5))
    target, beside = fed(shot_into_melee, [10, 5, 1, 3, 8, 2, 2], aimed, friend, False)
    assert target == UNHURT
    assert beside == Suffered(1, through=1)
    assert fed(shot_into_melee, [8, 9, 9], aimed, friend, False)[1] == UNHURT


@pytest.mark.rule("CB-SHOOT-10")
def test_stray_dice_go_to_a_friend_engaged_with_the_target():
    foe = model(2, 2, defense=8, counters={"engaged:3": 1})
    friend, other = model(3, 1, defense=6), model(4, 1)
    assert stray_candidates(foe, (friend, other)) == (friend,)
    ready = prepare_volley(Volley(SENTRY, (Mark(foe, weapon(RIFLE), 6, friend=friend),))).shots[0]
    assert ready.stray.throws[0].target == 6
    with pytest.raises(Forbidden, match="are not in contact"):
        prepare_volley(Volley(SENTRY, (Mark(foe, weapon(RIFLE), 6, friend=other),)))


@pytest.mark.rule("CB-SHOOT-11")
def test_of_an_aimed_shot_that_missed_wholly_one_die_fewer_strays():
    aimed = Shot(2, (Throw(3, 0, 8),), Impact(5))
    friend = Shot(3, (Throw(1, 0, 7),), Impact(5))
    assert fed(shot_into_melee, [2, 3, 4, 8, 8], aimed, friend, True)[1].hits == 2
    assert fed(shot_into_melee, [8, 3, 4, 8, 8], aimed, friend, True)[1].hits == 2
    foe = model(2, 2, counters={"engaged:3": 1})
    mark = Mark(foe, weapon(RIFLE), 12, friend=model(3, 1))
    stray = prepare_volley(Volley(SENTRY, (mark,), "aim", dark=True)).shots[0].stray
    # AGL +1, long range -1, dark -2
    assert stray.throws[0].modifier == -2


def test_odds_into_melee():
    aimed = Shot(2, (Throw(1, 0, 8),), Impact(None))
    friend = Shot(3, (Throw(1, 0, 8),), Impact(None))
    both = ((aimed, friend),)
    # a miss strays, 7/10, and hits on 8 to 10; of a natural 10, 1/10, the bonus die may, so it may go on
    chain = 0.1 * 0.7 * 0.3 / (1 - 0.1)
    hurt = Solver().solve(friend_wounds, (both,), False, 3, 9)
    assert hurt.chance(lambda got: got > 0) == pytest.approx(0.7 * 0.3 + chain)
    # aimed, the one die that missed does not stray; a bonus die that missed does
    hurt = Solver().solve(friend_wounds, (both,), True, 3, 9)
    assert hurt.chance(lambda got: got > 0) == pytest.approx(chain)
    assert list(Solver().solve(friend_wounds, (both,), True, 4, 9).chances) == [MISSED]


@pytest.mark.rule("CB-SHOOT-10")
@pytest.mark.parametrize("aim", [False, True])
def test_odds_of_strays_are_those_of_the_dice(aim):
    """Two targets, one engaged: the faces that fall, many times, against the chances."""
    aimed = Shot(2, (Throw(2, 1, 8),), Impact(5, shields=1))
    friend = Shot(3, (Throw(1, 0, 6),), Impact(5, shields=1))
    shots = ((aimed, friend), (Shot(4, (Throw(1, 1, 7),), Impact(5)), None))
    roller = Roller(Chance(7))
    found = Counter[int]()
    for _ in range(3000):
        each = [volley_into_melee(roller, shots, aim)[0][1] for _ in range(2)]
        hits = sum(beside.hits for beside in each)
        found[min(2, sum(beside.through for beside in each)) if hits else MISSED] += 1
    odds = Solver().solve(friend_wounds, (shots, shots), aim, 3, 2)
    for wounds in (MISSED, 0, 1, 2):
        assert found[wounds] / 3000 == pytest.approx(odds.chances.get(wounds, 0), abs=0.03)


@pytest.mark.rule("CB-SHOOT-11")
def test_a_natural_10_among_aimed_dice_is_no_shot_that_missed_wholly():
    aimed = Shot(2, (Throw(2, 0, 8),), Impact(5))
    friend = Shot(3, (Throw(1, 0, 7),), Impact(5))
    # 10 and 5, the bonus die 3: two dice missed, but not every die of the shot
    assert fed(shot_into_melee, [10, 5, 3, 8, 8], aimed, friend, True)[1].hits == 2


@pytest.mark.rule("CB-SHOOT-11", "CB-SHOOT-06")
def test_of_an_aimed_shot_at_two_targets_one_die_fewer_strays_only_where_all_missed():
    aimed = Shot(2, (Throw(2, 0, 8),), Impact(5))
    friend = Shot(3, (Throw(1, 0, 7),), Impact(5))
    both = ((aimed, friend), (Shot(4, (Throw(1, 0, 8),), Impact(5)), None))
    assert fed(volley_into_melee, [2, 3, 9, 8, 8], both, True)[0][1].hits == 2
    assert fed(volley_into_melee, [2, 3, 4, 8], both, True)[0][1].hits == 1


@pytest.mark.rule("CB-SHOOT-10", "CB-SHOOT-06", "CB-SHOOT-08")
def test_dice_stray_from_each_target_of_a_split_shot():
    one = Shot(2, (Throw(1, 0, 8),), Impact(5), counts_ones=True)
    two = Shot(4, (Throw(2, 0, 8),), Impact(5), counts_ones=True)
    friend, other = Shot(3, (Throw(1, 0, 7),), Impact(5)), Shot(5, (Throw(1, 2, 9),), Impact(5))
    rolled = fed(volley_into_melee, [1, 8, 5, 8, 7], ((one, friend), (two, other)), False)
    assert rolled == (
        (ShotResult(UNHURT, 1), Suffered(1, through=1)),
        (ShotResult(Suffered(1, through=1)), Suffered(1, through=1)),
    )


@pytest.mark.rule("CB-SHOOT-11", "CB-ACT-08")
def test_a_teams_stray_dice_keep_each_models_own_modifiers():
    foe = model(2, 2, defense=8, counters={"engaged:3": 1})
    beside = model(3, 1, defense=7)
    sharp, dull = armed(1, 1, RIFLE, agility="1D+3"), armed(4, 1, RIFLE, agility="2D-1")
    team = prepare_joint_shot(
        tuple(Volley(shooter, (Mark(foe, weapon(RIFLE), 6, friend=beside),)) for shooter in (sharp, dull))
    )
    # 2 and 4, 5 miss; 4 + 3 hits Def 7, 7 - 1 and 8 - 1 are a miss and a hit
    rolled = fed(shot_into_melee, [2, 4, 5, 4, 7, 8], team.shot, team.stray, False)
    assert rolled[1].hits == 2
    strong = armed(4, 1, "particle_beam_pistol", agility="1D")
    marks = ((sharp, RIFLE), (strong, "particle_beam_pistol"))
    both = prepare_joint_shot(
        tuple(Volley(shooter, (Mark(foe, weapon(key), 3, friend=beside),)) for shooter, key in marks)
    )
    assert both.stray.impact == both.shot.impact


@pytest.mark.rule("CB-SHOOT-16")
def test_order_of_a_shot():
    lancer = armed(1, 1, "particle_beam_pistol", agility="2D")
    tough = model(2, 2, defense=7, shield=1, features=("tough",))
    ready = one(lancer, tough, 3, "particle_beam_pistol")
    # two hits, +1 against Living is 3; one die stops one at Power 4; of the two left one is ignored at 7
    assert fed(shot, [7, 8, 4, 7, 3], ready.shot).suffered == Suffered(2, 1, 1, 1)


@pytest.mark.rule("CB-ACT-08", "CB-ACT-09")
def test_teamwork_pools_dice_with_a_bonus_for_every_three():
    def team(count):
        shooters = [armed(number, 1, RIFLE, agility="1D+1") for number in range(10, 10 + count)]
        volleys = tuple(Volley(shooter, (Mark(TARGET, weapon(RIFLE), 6),)) for shooter in shooters)
        return prepare_joint_shot(volleys)

    assert [part.modifiers[-1].amount for part in team(2).parts] == [1, 1]
    assert team(2).shot.throws == (Throw(1, 1, 8),) * 2
    assert team(3).shot.throws == (Throw(1, 2, 8),) * 3
    assert team(6).shot.throws == (Throw(1, 3, 8),) * 6


@pytest.mark.rule("CB-ACT-08")
def test_of_different_weapons_the_weakest_counts():
    first = Volley(armed(5, 1, RIFLE), (Mark(TARGET, weapon(RIFLE), 6),))
    second = Volley(armed(6, 1, "slugger_heavy"), (Mark(TARGET, weapon("slugger_heavy"), 6),))
    impact = prepare_joint_shot((first, second)).shot.impact
    # Pulsar Rifle Power 6 damage 1, Slugger Heavy Power 5 damage 2
    assert (impact.power, impact.damage) == (5, 1)
    # what only one of them does is lost: an EMP rifle's effect, a further die of damage
    plain = Impact(6, 2, extra=1, per_critical=1, once_critical=1, shields=1, stuns=True)
    weaker = weakest_impact((plain, Impact(7, 1, shields=3)))
    assert weaker == Impact(6, 1, shields=3)
    assert weakest_impact((plain, plain)) == plain
    floors = replace(plain, counts_criticals=True)
    assert not weakest_impact((floors, plain)).counts_criticals
    assert weakest_impact((floors, floors)).counts_criticals
    elsewhere = Volley(armed(6, 1, RIFLE), (Mark(model(9, 2), weapon(RIFLE), 6),))
    with pytest.raises(Forbidden, match="In Teamwork, all models must shoot at the same single target"):
        prepare_joint_shot((first, elsewhere))


@pytest.mark.rule("CB-SPEC-04")
def test_galactic_defenders_shoot_better_together():
    pair = tuple(
        Volley(
            armed(n, 1, RIFLE, specialties=("galactic_defenders",)),
            (Mark(TARGET, weapon(RIFLE), 6),),
        )
        for n in (5, 6)
    )
    assert {throw.modifier for throw in prepare_joint_shot(pair).shot.throws} == {1}


@pytest.mark.rule("CB-SPEC-12")
def test_marauders_add_to_the_ability_they_chose():
    from rules.systems.counterblast.core.fighter import CrewTraits

    raiders = CrewTraits(frozenset({"marauders"}), marauder="agility")
    assert one(armed(1, 1, RIFLE, crew=raiders)).shot.throws[0].modifier == 1
    strong = CrewTraits(frozenset({"marauders"}), marauder="strength")
    assert one(armed(1, 1, RIFLE, crew=strong)).shot.throws[0].modifier == 0


@pytest.mark.rule("CB-WEAP-34")
def test_heavy_rifles_fire_twice_but_not_the_slugger():
    assert attack_rolls(weapon("pulsar_heavy")) == 2
    assert attack_rolls(weapon("slugger_heavy")) == 1


@pytest.mark.rule("CB-WEAP-35", "CB-WEAP-36")
def test_rapid_fire_adds_dice():
    gunner = armed(1, 1, "autopulsar", agility="2D")
    assert pool(gunner, key="autopulsar") == 6
    assert pool(gunner, key="autopulsar", mode="full_auto") == 10
    with pytest.raises(Forbidden, match="can't fire on full auto"):
        one(mode="full_auto")


@pytest.mark.rule("CB-WEAP-37")
def test_net_ones_of_full_auto_turn_on_the_firer():
    aimed = Shot(2, (Throw(3, 0, 8),), Impact(5), counts_ones=True)
    assert fed(shot, [1, 1, 8], aimed) == ShotResult(UNHURT, 1)
    # one die for each net 1 at its own Defense 7, 10s as normal, 1s ignored; a shield die at Power 7
    assert fed(overload, [10, 1, 8, 7], 2, 7, Impact(7, shields=1)) == Suffered(2, 1, 0, 1)
    assert fed(overload, [], 0, 7, Impact(7)) == UNHURT


@pytest.mark.rule("CB-WEAP-37")
def test_odds_of_an_overload_are_those_of_its_dice():
    """Against the roll itself, walked along every branch of its dice."""
    throws = (Throw(3, 1, 8),), (Throw(2, 0, 7),)
    own = Impact(7, shields=1)

    def fired(dice):
        shots = tuple(Shot(2, dice_of, Impact(5), counts_ones=True) for dice_of in throws)
        ones = sum(result.net_ones for result in volley(dice, shots))
        return overload(dice, ones, 7, own).through

    odds = Solver().solve(overload_wounds, throws, 7, own)
    assert odds.chances == pytest.approx(Solver().solve(fired).chances, abs=1e-9)
    assert 0.05 < odds.chance(bool) < 0.5


@pytest.mark.rule("CB-WEAP-37", "CB-CHECK-01", "CB-CHECK-02")
@pytest.mark.parametrize("attacks", range(1, 7))
def test_the_chance_that_an_overload_hurts_worked_out_by_hand(attacks):
    """Each target's 1s beyond its successes are added up, and each of them hurts on 7 or more."""
    thrown = [(3, 0, 8), (12, -1, 7), (6, 0, 10), (4, -3, 9), (1, 0, 8), (3, 0, 8)][:attacks]
    ones = {0: 1.0}
    for number, add, target in thrown:
        added = Counter()
        scores = by_hand(number, sum(face + add >= target for face in range(2, 10)) / 10)
        for (had, chance), (score, its) in product(ones.items(), scores.items()):
            added[had + max(0, -score)] += chance * its
        ones = added
    due = sum(chance * (1 - 0.6**dice) for dice, chance in ones.items())
    odds = Solver().solve(overload_wounds, tuple((Throw(*throw),) for throw in thrown), 7, Impact(7))
    assert odds.chance(bool) == pytest.approx(due, abs=1e-8)


@pytest.mark.rule("CB-WEAP-37")
def test_an_overload_is_thrown_without_a_rating():
    assert fed(overload, [7, 6], 2, 7, Impact()) == Suffered(1, 0, 0, 1), (
        "from 7 up, whatever the firer's AGL"
    )


@pytest.mark.rule("CB-WEAP-25", "CB-WEAP-33")
def test_slugs_need_air():
    with pytest.raises(Forbidden, match="doesn't work in a vacuum"):
        one(key="slugger_pistol", inches=3, vacuum=True)
    assert one(vacuum=True).shot.impact.power == 7


@pytest.mark.rule("CB-FEAT-05")
def test_armour_piercing_lowers_the_target_number():
    assert one(key="sniper_rifle", inches=6).shot.throws[0].target == 6
    assert one(key="sniper_rifle", inches=12).shot.throws[0].target == 7


@pytest.mark.rule("CB-FEAT-14", "CB-GEAR-13", "CB-GEAR-38")
def test_chameleons_are_harder_to_hit():
    suited = model(2, 2, gear=("chameleon_suit",))
    plain = model(2, 2, features=("chameleon",))
    both = model(2, 2, gear=("chameleon_suit",), features=("chameleon",))
    scanner = armed(1, 1, RIFLE, gear=("scanner",))

    def penalty(target, shooter=SENTRY):
        return sum(part.amount for part in one(shooter, target).parts[0].modifiers if "Cham" in part.reason)

    assert penalty(plain) == -1
    assert penalty(suited) == -2
    assert penalty(both) == -2  # the larger of the two
    assert penalty(suited, scanner) == -1
    assert penalty(plain, scanner) == 0


@pytest.mark.rule("CB-FEAT-19", "CB-FEAT-57", "CB-GEAR-26", "CB-FEAT-34", "CB-FEAT-44")
def test_features_and_gear_of_marksmen():
    keen = armed(1, 1, RIFLE, features=("deadeye", "sure_shot", "quick", "knack:marksmanship"))
    throw = one(keen).shot.throws[0]
    assert throw == Throw(2, 0, 7, critical_from=9)
    assert one(keen, settings=Settings(quick_shooting=True)).shot.throws[0].pool == 3


@pytest.mark.rule("CB-FEAT-52", "CB-RUN-01")
def test_strafing_fire_removes_the_penalty_of_run_and_gun():
    assert one(mode="run_and_gun").shot.throws[0].modifier == 0
    assert (
        one(armed(1, 1, RIFLE, agility="2D+1", features=("strafing_fire",)), mode="run_and_gun")
        .shot.throws[0]
        .modifier
        == 1
    )
    with pytest.raises(Forbidden, match="Run and Gun"):
        one(armed(1, 1, "autopulsar"), key="autopulsar", mode="run_and_gun")
    marks = (Mark(TARGET, weapon(RIFLE), 6, dice=1), Mark(model(3, 2), weapon(RIFLE), 6, dice=1))
    with pytest.raises(Forbidden, match="This attack can have only one target"):
        prepare_volley(Volley(SENTRY, marks, "run_and_gun"))


@pytest.mark.rule("CB-HIDE-02", "CB-COND-04", "CB-COND-05")
def test_hidden_and_incapacitated_models_are_no_targets():
    for gone in (
        model(2, 2, under=(Condition.HIDDEN,)),
        model(2, 2, under=(Condition.INCAPACITATED,)),
        model(2, 2, damage=2),
    ):
        with pytest.raises(Forbidden):
            one(target=gone)
    with pytest.raises(Forbidden, match="down"):
        one(armed(1, 1, RIFLE, damage=2))


def test_odds_of_a_volley_name_wounds_by_target():
    shots = tuple(Shot(2, (Throw(1, 0, 8),), Impact(None)) for _ in range(2))
    # 3/10 to hit each: one of two dice with 1 - 0.7^2
    odds = Solver().solve(wounds_by_shots, shots, 1)
    assert odds.chance(lambda wounds: wounds == 1) == pytest.approx(0.51)


@pytest.mark.rule("CB-SHOOT-06")
def test_every_target_gets_a_die():
    marks = (Mark(TARGET, weapon(RIFLE), 6, dice=2), Mark(model(3, 2), weapon(RIFLE), 6))
    with pytest.raises(InvalidInput, match="at least one die"):
        prepare_volley(Volley(SENTRY, marks))


@pytest.mark.rule("CB-FEAT-25", "CB-GEAR-09")
def test_drained_energy_weapons_do_not_work_slugs_do():
    drained = armed(1, 1, RIFLE, "slugger_pistol", under=(Condition.DRAINED,))
    with pytest.raises(Forbidden, match="drained"):
        one(drained)
    assert one(drained, key="slugger_pistol")
