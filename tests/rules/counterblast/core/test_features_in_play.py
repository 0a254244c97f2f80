"""Features with a procedure of their own: acid, goo, pairs, clouds, burrowing, arcs of fire, the Minder."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.effects import Gain, Harm, Leave, Propose
from rules.modifiers import total
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.burning import Fire
from rules.systems.counterblast.core.checks import Throw
from rules.systems.counterblast.core.impacts import Suffered, teamwork
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.settings import Settings
from rules.systems.counterblast.melee.engagement import (
    Grapple,
    after_control,
    after_grapple,
    control,
    engage,
    grapple,
    prepare_control,
    prepare_grapple,
)
from rules.systems.counterblast.movement.movement import burrow_cost, burrow_distance
from rules.systems.counterblast.shooting.shooting import Mark, Volley, prepare_volley
from rules.systems.counterblast.shooting.special_attacks import (
    ACID,
    ACID_AREA,
    GOO,
    Cloud,
    acid_hit,
    after_acid,
    after_goo,
    bears,
    blocks_sight,
    cover_in,
    field_of_fire,
    ink,
    pool,
    require_bearing,
    smoke,
    spit_acid,
)
from rules.systems.counterblast.shooting.templates import Cast, prepare_cast
from rules.systems.counterblast.turn.activation import (
    after_owner_removed,
    after_partner_activated,
    leash,
    pair_modifier,
    require_bond,
    stray_acts,
)
from tests.rules.counterblast.arena import armed
from tests.rules.counterblast.field import model
from tests.rules.helpers import fed


def refuse(match: str, call, *args, **kwargs):
    with pytest.raises(Forbidden, match=match):
        call(*args, **kwargs)


@pytest.mark.rule("CB-FEAT-01", "CB-FEAT-03")
def test_acid_at_a_model_wounds_once_and_clings():
    spitter = model(features=("acid_spit",), agility="2D")
    target = model(2, 2, shield=1)
    shot = prepare_volley(Volley(spitter, (Mark(target, ACID, 6),))).shots[0]
    assert shot.shot.throws == (Throw(2, -1, 7),)  # 6 in is long: over half of 6
    refuse("reaches 6 in", prepare_volley, Volley(spitter, (Mark(target, ACID, 7),)))
    hit = fed(spit_acid, [8, 9, 4], shot.shot.throws, acid_hit(target))  # two successes: one wound
    assert hit == Suffered(1, 0, 0, 1)
    assert after_acid(target, hit) == (
        Harm(2, 1),
        Gain(2, "corroded", until="the condition is removed", source="acid"),
    )
    assert fed(spit_acid, [8, 2, 5], shot.shot.throws, acid_hit(target)).through == 0  # Power 5
    assert after_acid(model(2, 2, gear=("envirosuit",)), hit) == ()
    assert after_acid(target, Suffered(0)) == ()


@pytest.mark.rule("CB-FEAT-01")
def test_acid_at_a_spot_is_a_round_template_and_leaves_a_pool():
    spitter = model(features=("acid_spit",), agility="2D")
    near = prepare_cast(Cast(spitter, ACID_AREA, 3))
    assert (near.roll.throw, near.needed, near.width) == (Throw(2, 0, 7), 1, 3)
    assert prepare_cast(Cast(spitter, ACID_AREA, 4)).needed == 2
    refuse("reaches 6 in", prepare_cast, Cast(spitter, ACID_AREA, 6.5))
    assert pool(4) == Fire(4, 3, "acid")


@pytest.mark.rule("CB-FEAT-49")
def test_goo_pins_and_does_no_damage():
    spitter, target = model(features=("sticky_goo",), agility="2D"), model(2, 2, shield=3)
    shot = prepare_volley(Volley(spitter, (Mark(target, GOO, 12),))).shots[0]
    assert shot.shot.throws == (Throw(2, -1, 7),)
    refuse("reaches 12 in", prepare_volley, Volley(spitter, (Mark(target, GOO, 13),)))
    pinned, _ = after_goo(target, Suffered(1, 0, 0, 1))
    assert (pinned.model, pinned.condition) == (2, "pinned")
    assert after_goo(target, Suffered(0)) == ()


@pytest.mark.rule("CB-FEAT-08")
def test_a_bonded_pair_is_one_hero_and_one_beast():
    hero = model(1, rank="hero", features=("bonded",))
    beast = model(2, types=("beast",), features=("bonded",))
    require_bond(hero, beast)
    refuse("another pair", require_bond, hero, beast, frozenset({2}))
    refuse(
        "is not a Hero that can be bonded with a Beast", require_bond, model(1, features=("bonded",)), beast
    )
    refuse("is not a Beast.", require_bond, hero, model(2, features=("bonded",)))
    refuse("not Bonded", require_bond, hero, model(2, types=("beast",)))
    refuse("same crew", require_bond, hero, model(2, 2, types=("beast",), features=("bonded",)))
    (offer,) = after_partner_activated(beast)
    assert (offer.action, offer.model) == ("activate", 2)
    assert after_partner_activated(model(2, activated=True)) == ()


@pytest.mark.rule("CB-FEAT-09", "CB-GEAR-50")
def test_a_pair_works_together_without_a_third():
    hero, beast, third = model(1, counters={"partner": 2}), model(2, counters={"partner": 1}), model(3)
    assert total(pair_modifier(hero, (hero, beast))) == 1
    assert total((*pair_modifier(beast, (hero, beast, third)), *teamwork(3))) == 2
    assert total((*pair_modifier(third, (hero, beast, third)), *teamwork(3))) == 1
    assert pair_modifier(hero, (hero, third)) == ()


@pytest.mark.rule("CB-GEAR-50")
def test_a_watchdog_stays_with_its_owner():
    owner, dog = model(1, rank="hero"), model(2, types=("beast",))
    assert leash(owner, dog, 6) == ()
    assert [effect.condition for effect in leash(owner, dog, 6.5)] == ["panicked"]
    panicked, flees = after_owner_removed(dog)
    assert panicked.condition == "panicked"
    assert (flees.action, flees.model) == ("stray", 2)
    assert after_owner_removed(model(2, features=("fearless",)))[0].condition == "panicked"
    _, tried, runs = stray_acts(dog)
    assert (tried.key, runs.action) == ("rally tried", "flee")
    assert after_partner_activated(dog)[0].action == "activate"


@pytest.mark.rule("CB-FEAT-13")
def test_burrowing_costs_two_inches_and_is_rugged():
    mole = model(features=("burrow",))
    assert burrow_distance(mole).inches == 6 - 2 - 2
    assert burrow_distance(mole, 2).inches == 12 - 2 - 2
    assert burrow_distance(mole, underground=True).inches == 4
    assert burrow_cost(mole) == 4
    assert burrow_cost(model(features=("burrow",), counters={"underground": 1})) == 2
    assert burrow_distance(model(features=("burrow", "sure_footed:2"))).inches == 4
    refuse("can't Burrow", burrow_distance, model())


@pytest.mark.rule("CB-FEAT-28", "CB-VEH-08")
def test_fixed_and_mounted_weapons_have_an_arc():
    fixed, gun = model(features=("fixed_weapon",)), load().weapons["pulsar_rifle"]
    assert field_of_fire(model()) == 360
    assert field_of_fire(fixed) == 90
    assert field_of_fire(fixed, "turret") == 360
    assert field_of_fire(model(), "pintle") == 45
    assert bears(90, 45)
    assert not bears(90, -46)
    require_bearing(model(), gun, 180)
    refuse("arc of 90 degrees", require_bearing, fixed, gun, 50)
    refuse("arc of 45 degrees", require_bearing, model(), gun, 23, "pintle")
    with pytest.raises(InvalidInput):
        bears(90, 200)


@pytest.mark.rule("CB-FEAT-33")
def test_an_ink_cloud_hides_until_the_end_of_the_next_turn():
    cloud = ink(model(features=("ink_cloud",)), 3)
    assert cloud == Cloud(3, 3, 3)
    assert not cloud.is_gone(3)
    assert cloud.is_gone(4)
    assert cover_in(cloud, inside_or_touching=True) == 3
    assert cover_in(cloud, inside_or_touching=False) == 0
    assert blocks_sight(crosses=True, viewer_touches=False, target_touches=False)
    assert not blocks_sight(crosses=True, viewer_touches=True, target_touches=False)
    assert not blocks_sight(crosses=False, viewer_touches=False, target_touches=False)
    refuse("no Ink Cloud", ink, model(), 1)


@pytest.mark.rule("CB-GEAR-27", "CB-VEH-49")
def test_smoke_grenades_once_an_activation():
    assert smoke(model(gear=("smoke_grenade",)), 2) == Cloud(5, 2, 2)
    refuse(
        "A model can only make one cloud of smoke per activation.",
        smoke,
        model(gear=("smoke_grenade",)),
        2,
        thrown=1,
    )
    refuse("no Smoke Grenades", smoke, model(), 2)
    launcher = load().vehicle_gear["smoke_screen_launcher"]
    tank = replace(model(types=("vehicle", "tracked")), gear=(launcher,))
    assert smoke(tank, 2) == Cloud(5, 2, 2)


@pytest.mark.rule("CB-FEAT-38")
def test_a_minder_grapples_past_shields():
    minder = armed(1, 1, engaged=(2,), features=("minder",), psionic="2D", strength="2D")
    victim = armed(2, 2, engaged=(1,), shield=3)
    attack, defence, grip = prepare_grapple(minder, victim)
    assert (attack.throw, defence.throw) == (Throw(2, 0, 7), Throw(1, 0, 7))
    assert fed(grapple, [7, 8, 9], grip)
    assert not fed(grapple, [7, 2, 9], grip)  # as many successes are not more
    assert fed(grapple, [7], Grapple(Throw(1, 0, 7), None))
    free = armed(2, 2)
    far = armed(1, 1, features=("minder",))
    assert prepare_grapple(far, free, charging=True)[0].throw.modifier == 1  # the charge
    refuse("are not in contact", prepare_grapple, far, free)
    assert after_grapple(minder, victim, False) == ()
    assert after_grapple(minder, victim, True)[0].action == "mind_control"
    refuse("isn't Living", prepare_grapple, minder, armed(2, 2, engaged=(1,), types=("robot",)))
    refuse("is too large", prepare_grapple, minder, armed(2, 2, engaged=(1,), size="M"))
    refuse("Choose a Minder", prepare_grapple, armed(1, 1, engaged=(2,)), victim)


@pytest.mark.rule("CB-FEAT-39")
def test_a_minder_takes_the_mind_or_is_only_engaged():
    minder = model(1, 1, features=("minder",), psionic="2D")
    victim = model(2, 2, shield=2)
    check, impact = prepare_control(minder, victim)
    assert check.throw == Throw(2, 0, 7)
    assert (impact.power, impact.shields, impact.damage) == (5, 1, 0)
    assert fed(control, [7, 8, 5], (check.throw,), impact)  # one of two successes is stopped
    assert not fed(control, [7, 2, 5], (check.throw,), impact)
    gone, taken, side = after_control(minder, victim, True)
    assert gone == Leave(1, "absorbed")
    assert (taken.condition, taken.value) == ("taken", 1)
    assert isinstance(side, Propose)
    assert dict(side.details) == {"side": 1}
    assert after_control(minder, victim, True, Settings(minder_keeps=False))[1].value == 0
    assert after_control(minder, victim, False) == engage(minder, victim)
