"""Equipment: slots, suits and layers, who may wear what, shields, swaps."""

from __future__ import annotations

import pytest

from rules.modifiers import total
from rules.systems.counterblast.building.equipment import (
    Outfit,
    Slots,
    add_up_shields,
    count_free_slots,
    count_gear_slots,
    count_slots,
    count_weapon_slots,
    faults,
    get_gear_cost,
)
from rules.systems.counterblast.core.dice_pools import prepare_check
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Rating
from rules.systems.counterblast.core.settings import Settings
from rules.systems.counterblast.gear.skills import Job, prepare_job
from rules.systems.counterblast.psionics.psionics import shield_against
from tests.rules.counterblast.field import model, statblock


def gear(*keys: str):
    return tuple(load().gear[key] for key in keys)


def arms(*keys: str):
    return tuple(load().weapons[key] for key in keys)


def wrong(*keys: str, weapons=(), settings=None, faction: str = "", **changes) -> list[str]:
    profile = statblock(**{"agility": "4D", **changes})
    outfit = Outfit(profile, arms(*weapons), gear(*keys), faction)
    return [fault.sentence for fault in faults(outfit, settings or Settings())]


@pytest.mark.rule("CB-BUILD-22")
def test_as_many_slots_of_each_kind_as_agl_dice():
    assert count_slots(statblock(agility="2D+1")) == Slots(2, 2)
    assert count_slots(statblock(agility="3D")) == Slots(3, 3)


@pytest.mark.rule("CB-GEAR-08", "CB-VEH-41")
def test_machines_mix_their_slots():
    assert count_slots(statblock(agility="2D", types=("robot",))) == Slots(0, 0, 4)
    assert count_slots(statblock(agility="2D", types=("cyberform",))) == Slots(0, 0, 4)
    assert count_slots(statblock(agility="4D", types=("vehicle", "mech"))) == Slots(0, 0, 8)
    assert count_slots(statblock(agility="2D"), mekkus=True) == Slots(0, 0, 4)
    robot = statblock(agility="1D", types=("robot",))
    assert count_free_slots(robot, arms("club"), gear("techpad")) == Slots(0, 0, 0)
    assert count_free_slots(robot, arms("club"), gear("techpad", "toolkit")) == Slots(0, 0, -1)


@pytest.mark.rule("CB-GEAR-06", "CB-GEAR-07")
def test_specialist_weapons_take_two_slots_natural_ones_none():
    assert count_weapon_slots(arms("flamethrower")) == 2
    assert count_weapon_slots(arms("grenade")) == 1
    assert count_weapon_slots(arms("claw_p4", "club")) == 1
    assert count_weapon_slots(arms("bomb_kit_detonium")) == 1


@pytest.mark.rule("CB-GEAR-10")
def test_gear_once_per_model_open_to_the_crew():
    assert wrong("techpad", "techpad") == ["A model can't take Techpad more than once."]
    assert wrong("techpad", "toolkit", "medkit", agility="2D") == [
        "These items take 3 gear slots, but the model has only 2."
    ]
    assert wrong("rocket_pack", faction="neiran") == ["This crew's faction can't have Rocket Pack."]
    assert wrong("rocket_pack", faction="gcw") == []


@pytest.mark.rule("CB-GEAR-11")
def test_layers_that_combine_and_those_that_do_not():
    assert wrong("lazsteel_armor", "envirosuit", "xenon_mesh") == []
    assert wrong("heavy_lazsteel_armor", "envirosuit", "xenon_mesh") == []
    assert wrong("chameleon_suit", "envirosuit", "xenon_mesh") == []
    only_one = ["A model can only wear one suit of armour or Chameleon Suit at a time."]
    assert wrong("chameleon_suit", "lazsteel_armor") == only_one
    assert wrong("lazsteel_armor", "heavy_lazsteel_armor") == only_one
    assert count_gear_slots(gear("chameleon_suit", "envirosuit")) == 1
    assert count_gear_slots(gear("chameleon_suit", "envirosuit", "xenon_mesh")) == 2
    assert add_up_shields(gear("chameleon_suit", "envirosuit", "xenon_mesh")) == 2


@pytest.mark.rule("CB-GEAR-14", "CB-GEAR-45")
def test_what_is_made_for_certain_edofleini():
    assert wrong("edo_mantle") == [
        "Only these models can have Edo Mantle: Prime Leader, Edo Guardling, Spawnguard."
    ]
    assert wrong("edo_orb") == ["Only these models can have Edo Orb: Prime Leader, Spawnguard."]
    leader = load().profiles["prime_leader"]
    assert faults(Outfit(leader, (), gear("edo_mantle", "edo_orb"), "edofleini")) == ()
    assert add_up_shields(gear("edo_mantle")) == 1
    psionic = model(psionic="2D", gear=("edo_orb",))
    assert prepare_check(psionic, "PSI", 7, skill="psionics").throw.modifier == 1


@pytest.mark.rule("CB-GEAR-16", "CB-GEAR-17", "CB-GEAR-20", "CB-VEH-46")
def test_armour_adds_up():
    assert add_up_shields(gear("lazsteel_armor")) == 1
    assert add_up_shields(gear("lazsteel_armor", "envirosuit", "xenon_mesh")) == 3
    assert add_up_shields(gear("heavy_lazsteel_armor", "envirosuit", "xenon_mesh")) == 4
    assert wrong("xenon_mesh", types=("robot",)) == []
    gcw = Settings(lazsteel_for="gcw")
    assert wrong("lazsteel_armor", faction="neiran") == []
    assert wrong("lazsteel_armor", faction="neiran", settings=gcw) == [
        "This crew's faction can't have LazSteel Armor."
    ]
    plates = load().vehicle_gear
    worn = [plates[key] for key in ("vehicle_force_field", "lazsteel_plating", "xenon_insulation")]
    assert add_up_shields(worn) == 5
    assert add_up_shields([plates["lead_shielding"]]) == add_up_shields([plates["mantle_armor"]]) == 1


@pytest.mark.rule("CB-GEAR-25")
def test_heavy_force_fields_need_heavy_armour_or_a_bot():
    assert wrong("heavy_force_field") == [
        "Only a Robot or a model with Heavy LazSteel Armor can have Heavy Force Field."
    ]
    assert wrong("heavy_force_field", "lazsteel_armor") != []
    assert wrong("heavy_force_field", "heavy_lazsteel_armor") == []
    assert wrong("heavy_force_field", types=("robot",)) == []
    assert add_up_shields(gear("heavy_force_field", "heavy_lazsteel_armor")) == 4


@pytest.mark.rule("CB-GEAR-18")
def test_a_lead_helmet_is_better_against_psionics():
    wearer = model(gear=("lead_helmet",), shield=1)
    assert wearer.shield == 1
    assert total(shield_against(wearer, 1)) == 2
    assert total(shield_against(wearer, 1, Settings(lead_helmet_psionic=3))) == 3
    assert wrong("lead_helmet", "lead_helmet") != []


@pytest.mark.rule("CB-GEAR-44", "CB-GEAR-46", "CB-VEH-48")
def test_stones_and_dust_need_a_psionic():
    assert wrong("deepstone") == ["Only a model with the Psionic Feature can have Deepstone."]
    gifted = {"features": ("psionic",), "psionic": "3D+1"}
    assert wrong("deepstone", **gifted) == []
    assert wrong("fahz_jiin", faction="gcw", **gifted) == ["This crew's faction can't have Fahz Jiin."]
    assert get_gear_cost(load().gear["fahz_jiin"], statblock(**gifted)) == 15
    stone = model(psionic="2D", gear=("deepstone",))
    assert prepare_check(stone, "PSI", 7, skill="psionics").throw.modifier == 1


@pytest.mark.rule("CB-GEAR-39", "CB-GEAR-40", "CB-GEAR-43")
def test_pads_kits_and_their_skills():
    worker = model(gear=("techpad", "toolkit", "medkit"))
    for skill in ("technology", "engineering", "medicine"):
        assert prepare_job(worker, Job(skill)).throw.modifier == 1
    assert prepare_job(model(gear=("techpad",)), Job("engineering")).throw.modifier == 0


@pytest.mark.rule("CB-BUILD-05")
def test_beasts_wear_apparel_and_bite():
    beast = {"types": ("beast",)}
    assert wrong("lazsteel_armor", weapons=("club", "claw_p4"), **beast) == []
    assert wrong("techpad", **beast) == ["A Beast can only wear Apparel, not Techpad."]
    assert wrong(weapons=("pulsar_pistol",), **beast) == [
        "A Beast can only use hand and natural weapons, not Pulsar Pistol."
    ]


@pytest.mark.rule("CB-WEAP-38", "CB-FEAT-61")
def test_specialist_weapons_need_the_feature():
    assert wrong(weapons=("autoslugger",)) == ["Autoslugger needs the Weapon Specialist Feature."]
    assert wrong(weapons=("autoslugger",), features=("weapon_specialist",)) == []
    assert wrong(weapons=("grenade",)) == []
    assert wrong(weapons=("neiran_scepter",)) == ["Only Heroes can have Neiran Scepter."]


@pytest.mark.rule("CB-FEAT-46")
def test_savants_go_beyond_the_limits():
    deep = statblock(features=("savant:engineering",), intellect="4D")
    genius = model(features=("savant:engineering",), intellect="4D")
    assert prepare_job(genius, Job("engineering")).throw.pool == 5
    assert prepare_job(genius, Job("technology")).throw.pool == 4
    allround = model(features=("savant:skills",), intellect="1D+3")
    for skill in ("engineering", "medicine", "technology"):
        assert prepare_job(allround, Job(skill)).throw.modifier == 4
    assert prepare_check(allround, "INT", 7).throw.modifier == 3
    assert deep.intellect == Rating(4)
