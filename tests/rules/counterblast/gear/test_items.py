"""Items in play: handing over, boosts, gels, locks, extinguishers, bombs, charges, the Extraction Tool."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.dice import Solver
from rules.effects import Count, Gain, Lose, Mend
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.burning import Fire
from rules.systems.counterblast.core.checks import Throw, roll_one_success, throw
from rules.systems.counterblast.core.dice_pools import prepare_check
from rules.systems.counterblast.core.impacts import Suffered, must_work
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.settings import Settings
from rules.systems.counterblast.gear.items import (
    ARM,
    DRAIN,
    Bomb,
    after_drain,
    after_extinguishing,
    after_spraying,
    arm,
    blast_impact,
    blast_wounds,
    body_boost,
    brain_boost,
    breach,
    drainable,
    extinguish_area,
    extinguish_model,
    hand_over,
    is_hit,
    lost_with,
    med_gel,
    prepare_arming,
    prepare_breach,
    prepare_extinguishing,
    require_drain,
    require_tool,
    room_for,
    self_repair,
)
from rules.systems.counterblast.gear.skills import Job, prepare_job
from rules.systems.counterblast.melee.bouts import Blow, Melee
from rules.systems.counterblast.melee.fighting import prepare_melee
from rules.systems.counterblast.turn.activation import actions_left, may_take
from tests.rules.counterblast.arena import armed, weapon
from tests.rules.counterblast.field import model
from tests.rules.helpers import fed


def gear(key: str):
    return load().gear[key]


def refuse(match: str, call, *args, **kwargs):
    with pytest.raises(Forbidden, match=match):
        call(*args, **kwargs)


def applied(fighter, effects):
    """The model with the counters that these effects change."""
    counters = dict(fighter.counters)
    for effect in effects:
        if isinstance(effect, Count):
            counters[effect.key] = counters.get(effect.key, 0) + effect.amount
    return replace(fighter, counters=frozenset(counters.items()))


@pytest.mark.rule("CB-GEAR-02")
def test_items_change_hands_between_friends_in_contact():
    giver, friend = model(1, gear=("medkit",)), model(2)
    (given,) = hand_over(giver, friend, gear("medkit"), in_contact=True)
    assert dict(given.details) == {"item": "medkit", "to": 2}
    refuse("base contact", hand_over, giver, friend, gear("medkit"), in_contact=False)
    refuse(
        "Choose a friend that isn't down",
        hand_over,
        giver,
        model(2, 2),
        gear("medkit"),
        in_contact=True,
    )
    refuse("doesn't carry Techpad", hand_over, giver, friend, gear("techpad"), in_contact=True)
    refuse("no free slot", hand_over, giver, model(2, gear=("techpad",)), gear("medkit"), in_contact=True)
    bitten = armed(1, 1, "claw_p4")
    refuse(
        "can't give away .* part of its body", hand_over, bitten, friend, weapon("claw_p4"), in_contact=True
    )
    assert room_for(model(2, types=("robot",), gear=("techpad",)), gear("medkit"))  # mixed slots: two
    assert not room_for(model(2), weapon("flamethrower"))
    assert room_for(model(2, gear=("chameleon_suit",)), gear("envirosuit"))  # together one piece


@pytest.mark.rule("CB-BUILD-05")
def test_a_beast_is_a_pack_animal():
    beast = model(2, types=("beast",), agility="2D", gear=("xenon_mesh", "lazsteel_armor"))
    assert room_for(beast, gear("medkit"))  # its weapon slots carry gear of others
    assert not room_for(model(2, agility="2D", gear=("xenon_mesh", "lazsteel_armor")), gear("medkit"))
    assert room_for(replace(beast, weapons=(weapon("club"),)), gear("medkit"))
    laden = replace(beast, weapons=(weapon("club"), weapon("knife")))
    assert not room_for(laden, gear("medkit"))


@pytest.mark.rule("CB-GEAR-03")
def test_a_casualtys_equipment_leaves_with_it():
    fallen = replace(armed(1, 1, "pulsar_pistol", "claw_p4"), gear=(gear("techpad"),))
    assert lost_with(fallen) == ("pulsar_pistol", "techpad")


@pytest.mark.rule("CB-GEAR-21")
def test_a_body_boost_is_one_more_action_or_attack_once():
    boosted = model(gear=("body_boost",), under=("active",), counters={"actions spent": 2, "attacks made": 1})
    refuse("has none left", may_take, boosted, "move")
    acting = applied(boosted, body_boost(boosted))
    assert actions_left(acting) == 1
    assert may_take(acting, "move")
    refuse("has already attacked in this activation.", may_take, acting, "shoot")
    assert may_take(applied(boosted, body_boost(boosted, attack=True)), "shoot")
    refuse("used up", body_boost, acting)
    refuse("Activate", body_boost, model(gear=("body_boost",)))
    refuse("has no working item of that kind.", body_boost, model(under=("active",)))


@pytest.mark.rule("CB-GEAR-41")
def test_a_brain_boost_is_one_more_power():
    boosted = model(gear=("brain_boost",), under=("active",), psionic="2D", counters={"actions spent": 2})
    *effects, power = brain_boost(boosted, attack=True)
    assert power.action == "power"
    assert actions_left(applied(boosted, effects)) == 1
    refuse("used up", brain_boost, applied(boosted, effects))
    refuse("no psionic rating", brain_boost, model(gear=("brain_boost",), under=("active",)))


@pytest.mark.rule("CB-GEAR-42")
def test_med_gel_heals_one_life_of_the_living():
    medic, hurt = model(1, gear=("med_gel",)), model(2, damage=1)
    used, mended = med_gel(medic, hurt)
    assert (used, mended) == (Count("model", 1, "used:med_gel", 1), Mend(2, 1))
    refuse("used up", med_gel, applied(medic, (used,)), hurt)
    refuse("base contact", med_gel, medic, hurt, in_contact=False)
    refuse("no Life left", med_gel, medic, model(2, damage=2))
    refuse("isn't Living, so Med Gel doesn't help", med_gel, medic, model(2, types=("robot",), damage=1))
    refuse("unhurt", med_gel, medic, model(2))
    own = model(1, gear=("med_gel",), damage=1)
    assert med_gel(own, own, in_contact=False)[1] == Mend(1, 1)


@pytest.mark.rule("CB-VEH-50")
def test_backup_and_operator_repair_once_each():
    kit = tuple(load().vehicle_gear[key] for key in ("computer_backup", "engineer_operator"))
    tank = replace(model(types=("vehicle", "tracked"), life=5, damage=2), gear=kit)
    used, mended = self_repair(tank, "computer_backup")
    assert mended == Mend(1, 1)
    refuse("used up", self_repair, applied(tank, (used,)), "computer_backup")
    assert self_repair(applied(tank, (used,)), "engineer_operator")[1] == Mend(1, 1)
    refuse("undamaged", self_repair, replace(tank, damage=0), "engineer_operator")


@pytest.mark.rule("CB-GEAR-32")
def test_a_lockpick_opens_electronic_locks():
    thief = model(gear=("electronic_lockpick",))
    lock = Job("technology", 7, purpose="lock")
    assert prepare_job(thief, lock).throw == Throw(1, 2, 7)
    assert prepare_job(thief, replace(lock, security=-2)).throw == Throw(1, 0, 7)
    assert prepare_job(thief, replace(lock, purpose="")).throw == Throw(1, 0, 7)
    assert prepare_job(model(), lock).throw == Throw(1, 0, 7)
    assert prepare_job(replace(thief, conditions=frozenset({("drained", 0)})), lock).throw == Throw(1, 0, 7)
    with pytest.raises(InvalidInput, match="The penalty for a lock must be between -5 and 0"):
        replace(lock, security=1)


@pytest.mark.rule("CB-GEAR-36")
def test_an_extinguisher_puts_fires_out():
    assert fed(extinguish_area, [7, 10, 8, 6, 1], 5) == 3
    left = after_spraying(Fire(1, 5), 3)
    assert left.inches == 2
    assert after_spraying(Fire(1, 5), 3, Settings(fire_shrink_per_success="radius")) is None
    user, burning = model(1, gear=("fire_extinguisher",)), model(2, under=("burning",))
    assert prepare_extinguishing(user, burning, partly=False) is None
    check = prepare_extinguishing(user, burning, partly=True)
    assert check.throw == Throw(1, 0, 7)
    assert fed(extinguish_model, [7], ())
    assert not fed(extinguish_model, [6], ())
    assert not fed(extinguish_model, [6], (check.throw,))  # the spray misses it
    assert fed(extinguish_model, [7, 7], (check.throw,))
    assert Lose(2, "burning") in after_extinguishing(burning, True)
    assert after_extinguishing(burning, False) == ()
    refuse("has no working item of that kind.", prepare_extinguishing, model(), burning, partly=True)


@pytest.mark.rule("CB-GEAR-51")
def test_a_bomb_is_armed_by_engineering_and_goes_off_later():
    sapper = armed(1, 1, "bomb_kit_explosite")
    check = prepare_arming(sapper, weapon("bomb_kit_explosite"))
    assert check.throw == Throw(1, 0, 7)
    assert fed(arm, [7], (check.throw,)) == "armed"
    assert fed(arm, [6], (check.throw,)) == "nothing"
    assert fed(arm, [1], (check.throw,)) == "explodes"
    bomb = Bomb("bomb_kit_explosite", 1, 3)
    assert bomb.is_due(ended=1)
    assert not bomb.is_due(ended=2)
    assert not bomb.is_due(model_gone=True, turn_over=3)
    assert bomb.is_due(model_gone=True, turn_over=4)
    refuse("Choose a Bomb Kit", prepare_arming, armed(1, 1, "grenade"), weapon("grenade"))
    refuse(r"doesn't carry that weapon\. It carries", prepare_arming, model(), weapon("bomb_kit_explosite"))


# ------------------------------------------------------------------------------------------- breaching


@pytest.mark.rule("CB-GEAR-28")
def test_only_a_charge_breaches():
    refuse("Choose a Breaching Charge.", prepare_breach, model(), "thin_wall", gear("techpad"))


@pytest.mark.rule("CB-GEAR-29", "CB-GEAR-31")
def test_walls_have_targets_and_charges_add_up():
    charge, heavy = gear("breaching_charge"), gear("heavy_breaching_charge")
    targets = {"thin_wall": 4, "light_wall": 5, "normal_wall": 7, "light_bulkhead": 9, "normal_bulkhead": 10}
    for kind, target in targets.items():
        assert prepare_breach(model(), kind, charge).throw == Throw(1, 0, target)
    assert prepare_breach(model(), "normal_wall", charge, 2).throw == Throw(1, 2, 7)
    assert prepare_breach(model(), "normal_wall", heavy).throw == Throw(1, 2, 7)
    assert fed(breach, [7], (Throw(1, 0, 7),))
    assert not fed(breach, [6], (Throw(1, 0, 7),))
    with pytest.raises(InvalidInput):
        prepare_breach(model(), "thin_wall", charge, -1)


@pytest.mark.rule("CB-GEAR-30", "CB-GEAR-31")
def test_the_blast_hits_near_and_through_the_hole():
    assert is_hit(1, far_side=False, breached=False)
    assert not is_hit(1.5, far_side=False, breached=True)
    assert not is_hit(1, far_side=True, breached=False)
    assert is_hit(1, far_side=True, breached=True)
    light = blast_impact(model(shield=1), gear("breaching_charge"))
    assert fed(blast_wounds, [3], light) == 1
    assert fed(blast_wounds, [4], light) == 0
    heavy = blast_impact(model(shield=1), gear("heavy_breaching_charge"))
    assert fed(blast_wounds, [5], heavy) == 1
    assert fed(blast_wounds, [6], heavy) == 0


# ------------------------------------------------------------------------------------------- Extraction Tool


@pytest.mark.rule("CB-GEAR-33", "CB-VEH-51")
def test_the_tool_rolls_one_failed_die_again():
    mekku = model(gear=("extraction_tool",))
    for skill in ("engineering", "medicine", "technology"):
        assert prepare_check(mekku, "INT", 7, skill=skill).throw.second_try == 1
        assert prepare_job(mekku, Job(skill, needed=3)).throw.second_try == 3
    assert not prepare_check(mekku, "INT", 7).throw.second_try
    assert not prepare_check(model(), "INT", 7, skill="engineering").throw.second_try
    assert not prepare_check(replace(mekku, conditions=OUT), "INT", 7, skill="engineering").throw.second_try
    tool = load().vehicle_gear["vehicle_extraction_tool"]
    mounted = replace(model(types=("vehicle", "mech")), gear=(tool,))
    assert prepare_check(mounted, "INT", 7, skill="technology").throw.second_try
    require_tool(mounted)


OUT = frozenset({("drained item: extraction_tool", 0)})


@pytest.mark.rule("CB-GEAR-33", "CB-CHECK-06")
def test_a_second_try_mends_a_natural_1_first_and_a_miss_only_where_it_helps():
    both = (Throw(2, 0, 7, second_try=1),)
    assert fed(throw, [1, 8, 9], both).score == 2
    assert fed(throw, [5, 1, 8], both).score == 1
    assert fed(throw, [5, 8], both).score == 1
    assert fed(throw, [5, 4, 1], both).score == -1
    assert fed(throw, [5, 8, 9], (Throw(2, 0, 7, second_try=2),)).score == 2
    forgiving = (Throw(1, 0, 7, dependable=True, second_try=1),)
    assert fed(throw, [1, 8], forgiving).score == 1
    assert fed(throw, [1, 1], forgiving).score == 0
    helped = (Throw(1, 0, 7, second_try=1), Throw(1, 2, 7))
    assert fed(throw, [5, 5], helped).score == 1
    assert fed(throw, [5, 1, 7], helped).score == 2


@pytest.mark.rule("CB-GEAR-33")
def test_the_odds_of_a_second_try_are_those_of_two_dice_thrown_one_after_the_other():
    odds = Solver().solve(roll_one_success, (Throw(1, 0, 7, second_try=1),))
    assert odds.chance(bool) == pytest.approx(0.4 + 0.6 * 0.4)
    assert Solver().solve(roll_one_success, (Throw(1, 0, 7),)).chance(bool) == pytest.approx(0.4)


@pytest.mark.rule("CB-GEAR-34", "CB-VEH-51")
def test_the_tool_as_an_arm():
    assert (ARM.power, ARM.reach_inches, ARM.damage) == (3, 2, 1)
    mekku, target = model(1, gear=("extraction_tool",), strength="2D"), model(2, 2, shield=1)
    blow = prepare_melee(Melee((Blow(mekku, target, ARM, inches=2),))).blows[0]
    assert blow.attack.throw == Throw(2, 0, 7)
    assert (blow.impact.impact.power, blow.impact.impact.damage) == (3, 1)
    refuse("reaches 2 in", prepare_melee, Melee((Blow(mekku, target, ARM, inches=3),)))


@pytest.mark.rule("CB-GEAR-35", "CB-VEH-51")
def test_the_tool_drains_one_energized_item():
    mekku = model(1, gear=("extraction_tool",), damage=1)
    target = armed(2, 2, "pulsar_rifle", "slugger_pistol", "club")
    target = replace(target, gear=(gear("techpad"), gear("medkit")))
    assert [item.key for item in drainable(target)] == ["pulsar_rifle", "techpad"]
    refuse("Choose an energized item that", require_drain, mekku, target, "slugger_pistol")
    refuse("Choose an energized item that", require_drain, mekku, target, "medkit")
    refuse("no Extraction Tool", require_drain, model(1), target, "techpad")
    assert (DRAIN.power, DRAIN.reach_inches, DRAIN.damage) == (3, 2, 0)
    hit = Suffered(1, 0, 0, 1)
    off, mended = after_drain(mekku, target, "pulsar_rifle", hit)
    until = "the end of its next activation"
    assert off == Gain(2, "drained item: pulsar_rifle", until=until, source="energy drain")
    assert mended == Mend(1, 1)
    assert after_drain(mekku, target, "techpad", Suffered(1, 1)) == ()
    assert len(after_drain(model(1, gear=("extraction_tool",)), target, "techpad", hit)) == 1
    off_now = frozenset({("drained item: pulsar_rifle", 0), ("drained item: techpad", 0)})
    drained = replace(target, conditions=off_now)
    refuse("is drained", must_work, drained, weapon("pulsar_rifle"))
    must_work(drained, weapon("club"))
    assert target.gear_modifiers("technology")
    assert not drained.gear_modifiers("technology")
    field = model(gear=("personal_force_field",), shield=1, under=("drained item: personal_force_field",))
    assert field.shield == 0
