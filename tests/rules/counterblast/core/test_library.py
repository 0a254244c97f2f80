"""Counterblast's data where it is words and not figures: effects, types, factions, free Features, needs.

What is expected comes from the second reading of the source text (README of the system). Leaving out any one
word fails here or in `test_data`."""

from __future__ import annotations

import pytest

from rules.systems.counterblast.core.data_format import EFFECTS
from rules.systems.counterblast.core.library import Library, load, means_now
from rules.systems.counterblast.core.profile import Profile, Trait, Weapon

SLUGGERS = (
    "neiran_pistol slugger_pistol long_rifle slugger_rifle slugger_heavy sniper_rifle autoslugger"
    " praetoris_carbine"
)
NEIRAN_BLADES = "jek jekara neiran_glaive neiran_scepter neiran_stave praetoris_double_glaive shashar"
BURSTS = "emp_burst_r4 emp_burst_r8 emp_burst_r12 neuro_pulse_r4 neuro_pulse_r8 neuro_pulse_r12"
HEAVIES = "gamma_disruptor_heavy neurifle_heavy particle_blaster_heavy pulsar_heavy"

HAVE = {
    "absorbs_collision": "power_ram",
    "arc": "arc_halberd arc_pistol arc_rifle arc_rod arc_ray_cannon rocket_launcher_arc_burst"
    " bomb_kit_ultonium_charge",
    "armor_piercing": "neiran_pistol long_rifle sniper_rifle praetoris_carbine",
    "burning": "flamethrower",
    "deep": "deep_grenade",
    "emp": "emp_burst_r4 emp_burst_r8 emp_burst_r12 bomb_kit_detonium",
    "fires_twice": HEAVIES,
    "hero_only": "neiran_scepter",
    "immune_to_emp": f"club knife shrequoro {NEIRAN_BLADES} {SLUGGERS}",
    "incapacitates": "neuralizer_baton neuralizer_pistol neurifle neurifle_heavy rocket_launcher_neuralizer"
    " neuro_pulse_r4 neuro_pulse_r8 neuro_pulse_r12",
    "intellect_per_level": "neiran_scepter",
    "knockback": "sonic_blaster_pistol sonic_blaster_rifle sonic_blaster_cannon bomb_kit_explosite",
    "knockdown": "sonic_blaster_cannon",
    "knockdown_on_critical": "neiran_stave praetoris_double_glaive sonic_blaster_pistol sonic_blaster_rifle",
    "needs_air": f"flamethrower {SLUGGERS}",
    "rapid_fire": "autopulsar autoslugger particle_multiblaster praetoris_carbine",
    "slows": f"{HEAVIES} slugger_heavy",
    "team_carry": f"{HEAVIES} slugger_heavy",
    "void": "void_rifle rocket_launcher_void_burst void_cannon",
    "while_engaged": BURSTS,
}


@pytest.fixture(scope="module")
def figures() -> Library:
    return load()


def test_which_weapons_have_which_effect(figures: Library) -> None:
    assert set(HAVE) == set(EFFECTS)
    for effect, keys in HAVE.items():
        assert {w.key for w in figures.weapons if w.has_effect(effect)} == set(keys.split()), effect


def ways(weapon: Weapon) -> set[str]:
    """How a weapon is used, by its group and the melee column of its chart."""
    if weapon.key == "knife":
        return {"melee", "thrown"}
    groups = {"template": "template", "grenade": "thrown template", "bomb": "placed template"}
    if weapon.group in groups:
        return set(groups[weapon.group].split())
    if weapon.key in BURSTS.split():
        return {"burst"}
    shot = {"direct"} if weapon.group in {"pistol", "rifle", "rapid_fire", "unique"} else set()
    return shot | ({"melee"} if weapon.melee else set())


def test_how_weapons_are_used(figures: Library) -> None:
    for weapon in figures.weapons:
        assert set(weapon.deliveries) == ways(weapon), weapon.key
    rifles = {w.key for w in figures.weapons if w.group in {"rifle", "rapid_fire"} and not w.melee}
    assert rifles == {
        *HEAVIES.split(), "slugger_heavy", "void_rifle", "autopulsar", "autoslugger", "particle_multiblaster",
    }  # fmt: skip


EXCEPTIONS = {
    "dr_zardov": "cyberform", "1st1": "cyberform", "2nd1": "cyberform",
    "smap": "illyrian", "neema": "illyrian",
    "edo_spawnling": "edofleini", "edo_underling": "edofleini", "edo_guardling": "edofleini",
    "prime_leader": "edofleini", "undermind": "edofleini", "spawnguard": "edofleini",
    "cybot": "cyberform", "picker": "cyberform", "artificer": "cyberform",
    "gladiator": "human", "arnt": "human", "rocket_bike": "vehicle flyer",
}  # fmt: skip
SECTIONS = {
    "beasts": ("beast", "gcw neiran"),
    "gcw_bots": ("robot", "gcw"),
    "characters": ("human", "gcw"),
    "edo_lackeys": ("edokin", "edofleini"),
    "gcw_lackeys": ("human", "gcw"),
    "heroes": ("human", "gcw"),
    "mekkus": ("robot", "mekkus"),
    "neiran_lackeys": ("neiran", "neiran"),
    "vehicles": ("vehicle mech", "edofleini"),
}


def factions(block: Profile) -> str:
    if block.section == "characters" and block.types == ("cyberform",):
        return "gcw mekkus"
    if block.section == "heroes" and block.types == ("edofleini",):
        return "edofleini"
    return "gcw" if block.key == "rocket_bike" else SECTIONS[block.section][1]


def test_types_and_factions_of_the_roster(figures: Library) -> None:
    assert set(EXCEPTIONS) <= {block.key for block in figures.profiles}
    for block in figures.profiles:
        expected = EXCEPTIONS.get(block.key, SECTIONS[block.section][0])
        assert " ".join(block.types) == expected, block.key
        assert " ".join(block.affiliations) == factions(block), block.key


def test_which_types_are_printed(figures: Library) -> None:
    inferred = {block.key for block in figures.profiles if block.types_inferred}
    sections = {
        "edo_lackeys": 3,
        "characters": 4,
        "gcw_lackeys": 9,
        "heroes": 6,
        "neiran_lackeys": 8,
        "vehicles": 1,
    }
    for section in SECTIONS:
        found = [block for block in figures.profiles if block.section == section and block.key in inferred]
        assert len(found) == sections.get(section, 0), section
    assert {"gladiator", "arnt", "rocket_bike"} <= inferred
    assert not inferred & {"smap", "neema", "prime_leader", "trapper", "scutter", "strider", "cybot"}


FREE = {
    "alanti_pysgrif": "aquatic", "alanti_pyswan": "aquatic", "alanti_pysci": "aquatic psionic",
    "edofleini": "psionic chameleon", "edokin": "psionic chameleon", "human": "resourceful",
    "illyrian": "master_mechanic", "neiran": "brave", "robot": "fearless", "shrinaar": "pounce",
}  # fmt: skip


def test_free_features_stand_at_the_type_and_at_the_feature(figures: Library) -> None:
    assert {t.key: " ".join(f.key for f in t.free) for t in figures.templates if t.free} == FREE
    for template in figures.templates:
        assert {trait for trait in template.free if trait.key == "psionic"} <= {Trait("psionic", 1)}
    assert {f.key: " ".join(f.free_for) for f in figures.features if f.free_for} == {
        "aquatic": "alanti",
        "brave": "neiran",
        "chameleon": "edofleini edokin",
        "fearless": "robot",
        "master_mechanic": "illyrian",
        "pounce": "shrinaar",
        "psionic": "alanti_pysci edofleini edokin",
        "resourceful": "human",
    }


def test_what_a_feature_is_taken_for(figures: Library) -> None:
    assert {f.key: " ".join(f.choices) for f in figures.features if f.choices} == {
        "knack": "melee marksmanship psionics engineering technology medicine",
        "savant": "engineering medicine technology skills deep",
    }


def test_who_may_have_gear_and_what_it_gives(figures: Library) -> None:
    gear = (*figures.gear, *figures.vehicle_gear)
    assert {g.key: " ".join(g.types) for g in gear if g.types} == {
        "body_boost": "living",
        "brain_boost": "living cyberform",
        "med_gel": "living",
        "respirator": "living",
    }
    assert {g.key: " ".join(g.only) for g in gear if g.only} == {
        "edo_mantle": "prime_leader edo_guardling spawnguard",
        "edo_orb": "prime_leader spawnguard",
        "watchdog": "hero",
    }
    assert {g.key: " ".join(g.needs) for g in gear if g.needs} == {
        "deepstone": "psionic",
        "deepstone_core": "psionic",
        "fahz_jiin": "psionic",
        "heavy_force_field": "heavy_lazsteel_armor robot",
    }
    assert {g.key: " ".join(g.grants) for g in gear if g.grants} == {
        "chameleon_screen": "enhanced_chameleon",
        "chameleon_suit": "enhanced_chameleon",
        "night_vision": "night_vision",
        "rocket_pack": "fly",
        "vehicle_night_vision": "night_vision",
    }
    assert {g.key: " ".join(g.protects) for g in gear if g.protects} == {
        "envirosuit": "burning dangerous vacuum",
        "personal_force_field": "acid burning toxic",
        "respirator": "toxic deep_water",
    }


def test_factions_of_bursts_on_vehicles(figures: Library) -> None:
    bursts = [weapon for weapon in figures.vehicle_weapons if weapon.key in BURSTS.split()]
    assert len(bursts) == 6
    assert all(weapon.affiliations == ("gcw", "mekkus") for weapon in bursts)


def test_features_that_specialties_give(figures: Library) -> None:
    assert {s.key: " ".join(s.grants) for s in figures.specialties if s.grants} == {
        "galactic_defenders": "dependable",
        "intrepid_explorers": "brave",
        "recovery_agents": "dependable",
        "scouting_party": "infiltrator",
    }
    assert {s.key: " ".join(s.hero_grants) for s in figures.specialties if s.hero_grants} == {
        "intrepid_explorers": "commanding_presence",
        "pirates": "ferocious scary",
    }


@pytest.mark.rule("CB-STAT-05")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Marksmanship check", "agility"), ("Ranged check", "agility"), ("Melee check", "strength"),
        ("Melee skill dice", "strength"), ("Mechanical", "engineering"), ("Mechanics", "engineering"),
        ("repair check", "engineering"), ("Medical", "medicine"), ("Body Defense", "defense"),
        ("BD", "defense"), ("Body", "life"), ("Body  Points", "life"), ("1B", "life"),
        ("Command value", "leader's intellect"), ("command_points", "orders"),
        ("Seriously Wounded", "severely wounded"), ("Slice and Dice", "slash and dash"),
        ("Operational action", "any action but an attack"), ("Technology", ""),
    ],
)  # fmt: skip
def test_older_words_mean_the_present_ones(old, new):
    assert means_now(old) == new
