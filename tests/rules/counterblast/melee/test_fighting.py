from dataclasses import replace
from fractions import Fraction

import pytest

from rules.dice import Solver
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.checks import Throw
from rules.systems.counterblast.core.fighter import Condition, CrewTraits
from rules.systems.counterblast.core.impacts import BARE_HANDS, UNHURT, Impact, Suffered, melee_weapon
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.systems.counterblast.melee.bouts import (
    Blow,
    Bout,
    Melee,
    clash,
    clash_with_criticals,
    fight,
    fight_wounds,
    melee,
    wounds_by_bouts,
)
from rules.systems.counterblast.melee.fighting import best, prepare_melee
from tests.rules.counterblast.arena import armed, reasons, weapon
from tests.rules.counterblast.core.test_checks import Short
from tests.rules.counterblast.field import model
from tests.rules.helpers import brute, fed

FIGHTER = armed(1, 1, "club", engaged=(2,), strength="3D", defense=7)
EXACT = Solver(exact=True, work=10**9)
DEFENDER = armed(2, 2, "jek", engaged=(1,), strength="2D+1", defense=8)


def one(attacker=FIGHTER, defender=DEFENDER, settings=DEFAULTS, inches=0.0, key="", charging=False, **how):
    blow = Blow(attacker, defender, weapon(key) if key else None, inches=inches, charging=charging)
    return prepare_melee(Melee((blow,), **how), settings).blows[0]


def refuse(text, *blows, **how):
    with pytest.raises(Forbidden, match=text):
        prepare_melee(Melee(blows, **how))


@pytest.mark.rule("CB-FIGHT-01", "CB-WEAP-07", "CB-COND-03")
def test_only_engaged_models_or_those_within_reach_fight():
    assert one().weapon.key == "club"
    refuse("are not in contact", Blow(armed(1, 1, "club"), model(2, 2)))
    halberd = armed(1, 1, "arc_halberd")
    assert one(halberd, model(2, 2), inches=2)
    refuse("reaches 2 in", Blow(halberd, model(2, 2), inches=2.5))


@pytest.mark.rule("CB-FIGHT-01", "CB-GEAR-04", "CB-WEAP-10", "CB-WEAP-11")
def test_the_weapon_a_model_fights_with():
    assert melee_weapon(armed(1, 1, "pulsar_heavy", "knife")).key == "knife"
    assert melee_weapon(armed(1, 1, "pulsar_pistol", "club")).key == "club"
    first = Settings(melee_weapon="first")
    assert melee_weapon(armed(1, 1, "pulsar_pistol", "club"), settings=first).key == "pulsar_pistol"
    assert melee_weapon(model()) is BARE_HANDS
    club, knife = weapon("club"), weapon("knife")
    assert best((knife, club), lambda arm: (1.0, 1.0)) is knife, "of equal ones the first carried"
    assert best((knife, club), lambda arm: (1.0, 0.5 + (arm is club))) is club
    assert BARE_HANDS.power == 2
    assert melee_weapon(armed(1, 1, "club", "pulsar_pistol"), "pulsar_pistol").key == "pulsar_pistol"
    with pytest.raises(Forbidden, match="can't be used in melee"):
        melee_weapon(armed(1, 1, "pulsar_heavy"), "pulsar_heavy")
    with pytest.raises(Forbidden, match=r"doesn't carry that weapon\. It carries"):
        melee_weapon(model(), "club")


@pytest.mark.rule("CB-FIGHT-01", "CB-WEAP-10")
def test_who_fights_beside_another_takes_what_serves_its_own_blow_best():
    beside = armed(3, 1, "neuralizer_baton", "knife", engaged=(2,))
    whom = armed(2, 2, "jek", engaged=(1, 3), strength="2D+1", defense=8)
    for fighters in ((FIGHTER, beside), (beside, FIGHTER)):
        ready = prepare_melee(Melee(tuple(Blow(fighter, whom) for fighter in fighters)))
        assert {blow.attacker.id: blow.weapon.key for blow in ready.blows} == {1: "club", 3: "knife"}


@pytest.mark.rule("CB-FIGHT-02")
def test_the_attacker_splits_all_its_dice():
    other = armed(3, 2, "jek", engaged=(1,))
    split = prepare_melee(Melee((Blow(FIGHTER, DEFENDER, dice=2), Blow(FIGHTER, other, dice=1))))
    assert [blow.attack.throw.pool for blow in split.blows] == [2, 1]
    attacker = armed(1, 1, "club", engaged=(2, 3), strength="3D")
    refuse(r"to share out \(you entered 2", Blow(attacker, DEFENDER, dice=1), Blow(attacker, other, dice=1))
    refuse(r"to share out \(you entered 4", Blow(attacker, DEFENDER, dice=3), Blow(attacker, other, dice=1))
    with pytest.raises(InvalidInput):
        prepare_melee(Melee((Blow(attacker, DEFENDER, dice=3), Blow(attacker, other, dice=0))))


@pytest.mark.rule("CB-FIGHT-03")
def test_the_defender_splits_its_dice_among_its_attackers():
    second = armed(4, 1, "club", engaged=(2,))
    blows = (Blow(FIGHTER, DEFENDER, defence=2), Blow(second, DEFENDER, defence=0))
    ready = prepare_melee(Melee(blows)).blows
    assert ready[0].defence.throw == Throw(2, 1, 7)
    assert ready[1].defence is None
    even = prepare_melee(Melee((Blow(FIGHTER, DEFENDER), Blow(second, DEFENDER)))).blows
    assert [blow.defence.throw.pool for blow in even] == [1, 1]
    refuse(
        r"to share out \(you entered 3", Blow(FIGHTER, DEFENDER, defence=2), Blow(second, DEFENDER, defence=1)
    )


@pytest.mark.rule("CB-FIGHT-04")
def test_an_ally_not_attacked_lends_one_die():
    ally = armed(5, 2, "club", engaged=(1,), strength="4D+3")
    ready = prepare_melee(Melee((Blow(FIGHTER, DEFENDER, lenders=(ally,)),))).blows[0]
    # the lent die is rolled with the receiver's modifier
    assert ready.defence.throw == Throw(3, 1, 7)
    second = armed(4, 1, "club", engaged=(2,))
    refuse(
        "can lend only one die.",
        Blow(FIGHTER, DEFENDER, lenders=(ally,)),
        Blow(second, DEFENDER, lenders=(ally,)),
    )
    refuse(
        "is being attacked, so it can't lend a die",
        Blow(FIGHTER, DEFENDER, dice=2, lenders=(ally,)),
        Blow(FIGHTER, ally, dice=1),
    )
    refuse("Only a friend engaged with", Blow(FIGHTER, DEFENDER, lenders=(armed(6, 2, "club"),)))


@pytest.mark.rule("CB-FIGHT-05", "CB-STAT-08")
def test_each_side_rolls_against_the_others_defense():
    ready = one()
    assert ready.attack.throw.target == 8
    assert ready.defence.throw.target == 7


@pytest.mark.rule("CB-FIGHT-06", "CB-FIGHT-07", "CB-CHECK-16")
def test_the_difference_wounds_and_ties_favour_the_defender():
    bout = Bout(2, Throw(3, 0, 7), Throw(2, 0, 7), Impact(None, damage=2))
    assert fed(fight, [7, 8, 9, 7, 2], bout) == Suffered(2, through=4)
    assert fed(fight, [7, 8, 2, 7, 9], bout) == UNHURT
    assert fed(fight, [7, 3, 2, 7, 9], bout) == UNHURT
    assert fed(fight, [7, 8, 2], replace(bout, defence=None)) == Suffered(2, through=4)


@pytest.mark.rule("CB-FIGHT-05", "CB-FIGHT-14", "CB-WEAP-15", "CB-WEAP-40")
@pytest.mark.parametrize(
    "defence", [None, Throw(1, 0, 6), Throw(0, 1, 7, lucky=True), Throw(1, 0, 7, sure=True)], ids=str
)
@pytest.mark.parametrize(
    "attack",
    [Throw(2, 0, 7), Throw(2, 0, 7, dependable=True), Throw(1, 0, 8, critical_from=9, second_try=1)],
    ids=str,
)
@pytest.mark.parametrize(
    "impact",
    [
        Impact(5, shields=2),
        Impact(None, 2, tough=True),
        Impact(4, shields=1, tough=True, stuns=True),
    ],
    ids=str,
)
def test_what_comes_through_has_the_odds_of_the_whole_fight(attack, defence, impact):
    bout = Bout(2, attack, defence, impact)
    found: dict[int, Fraction] = {}
    for suffered, p in EXACT.walked(fight, (bout,)).items():
        found[suffered.through] = found.get(suffered.through, Fraction(0)) + p
    assert dict(EXACT.solve(fight_wounds, bout).chances) == found
    assert sum(found.values()) == 1


@pytest.mark.rule("CB-FIGHT-08")
def test_pairings_are_compared_each_by_itself():
    bouts = tuple(Bout(n, Throw(1, 0, 7), Throw(1, 0, 7), Impact(None)) for n in (2, 3))
    assert fed(melee, [8, 2, 2, 8], bouts) == (Suffered(1, through=1), UNHURT)


@pytest.mark.rule("CB-FIGHT-09")
def test_natural_10s_on_both_sides():
    assert fed(clash, [10, 10, 8, 10, 2], Throw(1, 0, 8), Throw(1, 0, 12)) == 2


@pytest.mark.rule("CB-FIGHT-10")
def test_net_ones_are_successes_of_the_other_side():
    # defender 1, 1, 8 at target 8: no success and one net 1; the attacker's one success compares 2 to 0
    assert fed(clash, [9, 1, 1, 8], Throw(1, 0, 8), Throw(3, 0, 8)) == 2
    # the attacker's net 1 helps the defender: 1 to 0 in the defender's favour
    assert fed(clash, [1, 2], Throw(1, 0, 8), Throw(1, 0, 8)) == 0
    # both critically fail: 1 net 1 against 2 net 1s is 2 to 1
    assert fed(clash, [1, 1, 1], Throw(1, 0, 8), Throw(2, 0, 8)) == 1


def short_clash(dice, attack, defence):
    return clash(Short(dice), attack, defence)


def test_odds_of_a_clash():
    attack, defence = Throw(1, 0, 7), Throw(1, 0, 8)
    solved = Solver(exact=True).solve(short_clash, attack, defence)
    assert dict(solved.chances) == brute(short_clash, attack, defence)
    # one die each, both at 10 or better: attacker alone succeeds 1/10 * 8/10, defender's 1 adds 1/10 ...
    odds = Solver(exact=True).solve(short_clash, Throw(1, 0, 7), None)
    assert odds.chances[0] == Fraction(6, 10)


@pytest.mark.rule("CB-FIGHT-11", "CB-FIGHT-14")
def test_shields_against_the_attacking_weapon():
    shielded = armed(2, 2, "jek", engaged=(1,), strength="2D", shield=2)
    ready = one(defender=shielded, key="shashar")
    # STR 3D hits twice, the defence fails; Shashar Power 5: one of two dice stops one
    assert fed(fight, [7, 8, 3, 2, 2, 5, 4], ready.bout) == Suffered(2, 1, 0, 1)


@pytest.mark.rule("CB-FIGHT-14")
def test_each_attackers_wounds_meet_the_full_shielding():
    shielded = armed(2, 2, engaged=(1, 4), strength="1D", shield=1)
    second = armed(4, 1, "club", engaged=(2,))
    ready = prepare_melee(Melee((Blow(FIGHTER, shielded), Blow(second, shielded))))
    assert [bout.impact.shields for bout in ready.bouts] == [1, 1]


@pytest.mark.rule("CB-FIGHT-12", "CB-CHARGE-07", "CB-ENV-01", "CB-WEAP-11")
def test_melee_modifiers_and_their_reasons():
    rifle = armed(1, 1, "arc_rifle", engaged=(2,), features=("fly",))
    panicked = armed(2, 2, "jek", engaged=(1,), under=(Condition.PANICKED,))
    told = reasons(
        one(
            rifle, panicked, key="arc_rifle", charging=True, dark=True, orders=frozenset({1})
        ).attack.modifiers
    )
    assert told == {
        "charge": 1,
        "opponent Panicked": 1,
        "flying": 1,
        "Arc Rifle in melee": -1,
        "dark": -1,
        "order token": 1,
    }


@pytest.mark.rule("CB-FIGHT-12")
def test_flying_and_rifles_count_in_defence_the_dark_does_not():
    flyer = armed(2, 2, "arc_rifle", engaged=(1,), features=("fly",))
    first = replace(DEFAULTS, melee_weapon="first")
    assert reasons(one(defender=flyer, settings=first, dark=True).defence.modifiers) == {
        "flying": 1,
        "Arc Rifle in melee": -1,
    }


@pytest.mark.rule("CB-FIGHT-01")
def test_bare_hands_serve_where_they_are_better_than_what_is_carried():
    """A defender's Power counts for nothing, a rifle's -1 does; an attacker's Power 2 weighs against it."""
    flyer = armed(2, 2, "arc_rifle", engaged=(1,), features=("fly",))
    assert reasons(one(defender=flyer, dark=True).defence.modifiers) == {"flying": 1}
    panicked = armed(1, 1, "club", engaged=(2,), strength="3D", under=(Condition.PANICKED,))
    assert "opponent Panicked" not in reasons(one(panicked).defence.modifiers)
    two_way = one(panicked, settings=Settings(panicked_bonus_when_defending=True))
    assert reasons(two_way.defence.modifiers)["opponent Panicked"] == 1


@pytest.mark.rule("CB-FIGHT-12")
def test_flying_helps_only_against_who_does_not_fly():
    flyer = armed(1, 1, "club", engaged=(2,), strength="2D", features=("fly",))
    other = armed(2, 2, "club", engaged=(1,), strength="2D", features=("fly",))
    walker = armed(2, 2, "club", engaged=(1,), strength="2D")
    between_flyers, at_a_walker = one(flyer, other), one(flyer, walker)
    assert "flying" not in reasons(between_flyers.attack.modifiers)
    assert "flying" not in reasons(between_flyers.defence.modifiers)
    assert reasons(at_a_walker.attack.modifiers)["flying"] == 1
    assert "flying" not in reasons(at_a_walker.defence.modifiers)


@pytest.mark.rule("CB-FIGHT-12", "CB-MOVE-11", "CB-PANIC-11", "CB-COND-02", "CB-HIDE-08")
def test_advantages_in_melee():
    def under(number, side, *conditions):
        return armed(number, side, "club", engaged=(3 - number,), strength="2D", under=conditions)

    plain, foe = under(1, 1), under(2, 2)
    assert one(plain, under(2, 2, Condition.PRONE)).attack.throw.pool == 3
    assert one(plain, under(2, 2, Condition.BLINDED)).attack.throw.pool == 3
    assert one(under(1, 1, Condition.HIDDEN), foe).attack.throw.pool == 3
    assert one(under(1, 1, Condition.BLINDED), foe).attack.throw.pool == 1
    assert one(plain, under(2, 2, Condition.PANICKED)).defence.throw.pool == 1


@pytest.mark.rule("CB-FIGHT-13")
def test_a_panicked_defender_with_one_die_keeps_the_lower_of_two():
    weak = armed(2, 2, engaged=(1,), strength="1D", under=(Condition.PANICKED,))
    assert one(defender=weak).defence.throw.pool == 0


@pytest.mark.rule("CB-ACT-09")
def test_three_of_a_group_against_one_model_get_teamwork():
    team = [armed(n, 1, "club", engaged=(2,)) for n in (4, 5, 6)]
    blows = tuple(Blow(member, DEFENDER) for member in team)
    assert {blow.attack.throw.modifier for blow in prepare_melee(Melee(blows)).blows} == {1}
    alone = prepare_melee(Melee(blows), Settings(melee_teamwork=False))
    assert {blow.attack.throw.modifier for blow in alone.blows} == {0}
    assert {blow.attack.throw.modifier for blow in prepare_melee(Melee(blows[:2])).blows} == {0}


@pytest.mark.rule("CB-SPEC-12", "CB-SPEC-16")
def test_specialties_in_melee():
    crew = CrewTraits(frozenset({"marauders", "pirates"}), marauder="strength")
    raider = armed(1, 1, "club", engaged=(2,), crew=crew)
    assert reasons(one(raider, outnumbering=frozenset({1})).attack.modifiers) == {
        "Marauders": 1,
        "Pirates outnumber the enemy": 1,
    }
    assert reasons(one(raider).attack.modifiers) == {"Marauders": 1}


@pytest.mark.rule("CB-WEAP-17", "CB-WEAP-39", "CB-WEAP-20")
def test_weapons_that_change_the_melee_check():
    plain = armed(1, 1, engaged=(2,), strength="2D")
    assert one(plain, key="neiran_glaive").attack.throw == Throw(3, 0, 8)
    assert one(plain, key="shrequoro").attack.throw == Throw(2, 1, 8)
    assert one(plain, key="shashar", charging=True).attack.throw.modifier == 2
    assert one(plain, key="shashar").attack.throw.modifier == 0


@pytest.mark.rule("CB-WEAP-08", "CB-CHARGE-07")
def test_no_charge_bonus_at_reach():
    halberd = armed(1, 1, "arc_halberd", strength="2D")
    assert one(halberd, model(2, 2), inches=1, charging=True).attack.throw.modifier == 0
    assert one(halberd, model(2, 2), charging=True).attack.throw.modifier == 1


@pytest.mark.rule("CB-WEAP-15", "CB-FEAT-10")
def test_critical_successes_are_counted_up_to_the_difference():
    # 10 with bonus 2, 9; the defender misses: difference 2, one critical
    assert fed(clash_with_criticals, [10, 9, 2, 3], Throw(2, 0, 8), Throw(1, 0, 8)) == (2, 1)
    killer = armed(1, 1, "club", engaged=(2,), features=("born_killer",))
    assert one(killer).attack.throw.critical_from == 9


@pytest.mark.rule("CB-FEAT-54", "CB-FEAT-05", "CB-FEAT-34")
def test_features_of_fighters():
    keen = armed(1, 1, "club", engaged=(2,), strength="2D", features=("surgical_strike", "knack:melee"))
    assert one(keen).attack.throw == Throw(3, 0, 7)
    piercing = armed(1, 1, "club", engaged=(2,), features=("armor_piercing",))
    assert one(piercing).attack.throw.target == 6
    assert (
        one(FIGHTER, armed(2, 2, "jek", engaged=(1,), features=("armor_piercing",))).defence.throw.target == 7
    )


def test_odds_of_a_melee_by_target():
    bouts = tuple(Bout(target, Throw(1, 0, 8), None, Impact(None)) for target in (2, 2, 3))
    chances = [Solver().solve(wounds_by_bouts, of, 1).chance(bool) for of in (bouts[:2], bouts[2:])]
    assert chances == [pytest.approx(0.51), pytest.approx(0.3)]


@pytest.mark.rule("CB-FIGHT-12", "CB-MOVE-10", "CB-FEAT-25")
def test_lying_down_helps_no_fighter_and_drained_blades_do_not_cut():
    prone = armed(1, 1, "club", engaged=(2,), strength="2D", under=(Condition.PRONE,))
    assert one(prone).attack.throw.pool == 2
    drained = armed(1, 1, "lazblade", engaged=(2,), under=(Condition.DRAINED,))
    refuse("drained", Blow(drained, DEFENDER, drained.weapons[0]))
    assert one(drained).weapon.key == "bare_hands"
