"""Counterblast's figures against tables copied by hand from the ledger, and the reader's own strictness."""

from __future__ import annotations

from collections import Counter
from importlib import resources
from itertools import pairwise

import pytest

from rules.systems.counterblast.core import library
from rules.systems.counterblast.core.library import DataError, Library, UnknownEntry, load
from rules.systems.counterblast.core.profile import LIVING_TYPES, Chart, Gear, Profile, Rating, Trait, Weapon


@pytest.fixture(scope="module")
def figures() -> Library:
    return load()


def table(text: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("|")] for line in text.strip().splitlines()]


# ---------------------------------------------------------------- ratings


@pytest.mark.parametrize("text", ["1D+0", "2D+1", "1D-1", "4D+3", "20D-9"])
def test_a_rating_survives_writing_and_reading(text: str) -> None:
    assert str(Rating.parse(text)) == text


def test_a_rating_is_read_leniently_and_written_in_one_way() -> None:
    assert Rating.parse(" 3d ") == Rating(3, 0)
    assert str(Rating.parse("3D")) == "3D+0"


@pytest.mark.parametrize("text", ["", "D+1", "0D+1", "21D+0", "2D+10", "2D + 1", "2", "2D1", "two"])
def test_what_is_no_rating_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        Rating.parse(text)


def test_a_rating_changes_by_dice_and_modifier() -> None:
    assert Rating(2, 1).plus(dice=1, modifier=-2) == Rating(3, -1)
    with pytest.raises(ValueError):
        Rating(1, 0).plus(dice=-1)


def test_a_ratings_value_is_its_dice() -> None:
    assert Rating(2, 3).value == 2


# ---------------------------------------------------------------- the roster

BLOCKS = """
Eye Slug|4|1D+0 1D+0 1D+0|7 1 S 13|0
Thulle|6|1D+2 1D+2 2D+0|7 2 S 35|0
GDF Combot|6|2D+0 2D+1 1D+0|9 1 S 35|1
GDF Heavy Combot|6|2D+0 2D+1 1D+0|9 3 L 46|2
GhNT Security Bot|8|1D+2 3D+2 1D+0|9 1 S 49|1
GhNT Fire Bot|8|1D+2 3D+2 1D+2|9 1 S 45|1
GhNT EMT Bot|8|1D+2 1D+2 3D+2|9 1 S 43|1
GhNT Spy Bot|8|1D+0 1D+0 1D+0|9 1 S 35|1
HLpR Bot|6|1D+2 1D+2 2D+1|9 1 S 31|1
HOpR Bot|6|1D+2 1D+2 2D+1|9 1 S 49|1
Crew Bot|6|1D+2 1D+2 1D+2|9 1 S 29|1
Dr. Zardov|6|1D+3 2D+0 3D+0|9 4 S 42|1
1ST1|6|1D+2 1D+2 2D+0|9 2 S 22|1
2ND1|6|2D+0 2D+0 2D+3|9 3 S 31|1
Sally Starfield|6|2D+3 2D+3 2D+0|8 2 S 58|2
Dr. Helen Salinger|6|2D+0 2D+0 2D+0|8 2 S 35|1
Skip Westmoreland|6|3D+0 3D+0 2D+1|7 3 S 39|1
Smap|6|2D+0 3D+0 2D+2|7 2 S 31|1
Wanda Whitestar|6|2D+2 2D+3 2D+0|7 3 S 48|1
Neema|6|2D+0 2D+1 1D+2|7 2 S 34|1
Edo Spawnling|6|1D+0 1D+0 1D+0|8 1 S 16|1
Edo Underling|6|1D+0 1D+0 2D+0|8 2 S 22|1
Edo Guardling|6|2D+0 1D+0 1D+0|8 2 S 26|1
Trapper|6|2D+1 2D+1 1D+0|8 1 S 20|0
Eyespy|6|1D+0 1D+0 1D+0|8 2 S 29|0
Mindstealer|6|2D+0 1D+0 1D+0|8 1 S 28|0
Cuttleswarm|6|2D+2 1D+0 3D+0|8 4 L 33|1
Psider|6|3D+3 1D+0 1D+0|8 4 M 41|0
Kraken|6|4D+3 1D+0 1D+0|9 6 L 61|0
GDF Sentry|6|1D+2 1D+2 1D+0|8 1 S 32|1
GDF Ranger|6|1D+2 1D+2 1D+0|8 2 S 31|1
GDF Enforcer|6|3D+2 1D+1 1D+0|8 3 S 45|2
Sharpshooter|6|2D+0 3D+2 1D+0|8 2 S 46|1
Security Officer|6|1D+2 1D+2 1D+0|8 1 S 31|1
Plugger|6|1D+2 2D+2 1D+2|7 1 S 30|1
Brute|6|3D+3 1D+2 1D+0|8 3 S 47|1
Scout|6|1D+3 2D+1 1D+1|8 2 S 41|1
Clipper|6|2D+2 3D+2 1D+0|8 2 S 51|1
Prime Leader|6|2D+0 2D+2 1D+1|8 5 S 44|1
Undermind|6|3D+3 1D+0 2D+0|9 6 L 55|3
Spawnguard|6|3D+3 2D+1 1D+1|8 4 S 50|1
GDF Commander|6|3D+2 3D+2 1D+1|8 5 MS 58|1
GDF Lieutenant|6|2D+2 2D+2 1D+1|8 4 MS 47|1
GDF Chief Engineer|6|1D+0 2D+1 2D+3|7 3 MS 32|0
GDF Medical Officer|6|1D+0 1D+1 2D+3|7 3 MS 30|0
GDF Tech Officer|6|1D+0 2D+1 2D+3|7 3 MS 31|0
GDF Envoy|6|1D+0 1D+1 2D+0|7 3 MS 20|0
Aggressor|8|1D+0 2D+1 1D+0|8 2 S 35|1
Harvestor|8|1D+0 2D+1 1D+0|8 2 S 65|1
Reaper|8|1D+0 2D+1 1D+0|8 2 M 69|1
Cybot|6|2D+0 2D+1 1D+0|8 2 L 39|1
Seeker|8|1D+0 1D+0 1D+0|8 3 S 57|1
Defender|6|1D+0 2D+2 1D+0|9 3 S 58|1
Strafer|8|1D+2 1D+2 2D+1|9 3 L 63|1
Picker|8|1D+0 1D+0 1D+0|7 1 S 24|1
Artificer|8|1D+0 1D+0 1D+0|7 1 S 41|1
Clansister|6|2D+1 2D+2 1D+0|8 2 M 42|1
Scythesister|6|2D+2 2D+0 1D+0|8 2 M 34|1
Acolyte|6|1D+0 1D+0 1D+0|8 2 M 44|0
Praetoris|6|3D+2 2D+3 1D+0|8 3 M 60|1
Shadowsister|7|2D+2 2D+2 2D+1|8 3 S 57|0
Gladiator|6|1D+0 1D+0 2D+0|7 3 S 37|1
Arnt|6|1D+0 1D+0 1D+0|7 1 MS 13|0
Ascensor|9|3D+1 2D+2 1D+0|8 4 L 58|1
Rocket Bike|10|2D+1 2D+2 1D+0|9 3 M 51|1
Scutter|6|2D+3 3D+0 1D+1|8 3 L 46|2
Strider|8|4D+3 3D+2 1D+1|9 5 L 89|2
"""


# Features | weapons | gear, in printed order.
CARRIED = """
Eye Slug|acid_spit burrow|bite_p3|
Thulle|psionic focused stinger|bite_p3 tentacle_p3|
GDF Combot|fearless weapon_specialist|pincer_p4 pulsar_rifle|xenon_mesh
GDF Heavy Combot|fearless weapon_specialist|pincer_p6 autopulsar|heavy_lazsteel_armor
GhNT Security Bot|fearless fly|neuro_pulse_r4 pulsar_rifle|xenon_mesh
GhNT Fire Bot|fearless fly|neuro_pulse_r4|fire_extinguisher xenon_mesh
GhNT EMT Bot|fearless doc fly surgeon|neuro_pulse_r4|xenon_mesh
GhNT Spy Bot|fearless fly infiltrator spotter|neuro_pulse_r4|xenon_mesh
HLpR Bot|fearless master_mechanic|particle_beam_pistol neuro_pulse_r4|xenon_mesh
HOpR Bot|fearless strafing_fire|particle_beam_pistol neuro_pulse_r4|rocket_pack xenon_mesh
Crew Bot|fearless master_mechanic surgeon tech_savvy|particle_beam_pistol|xenon_mesh
Dr. Zardov|doc resourceful surgeon scary|particle_beam_pistol pincer_p3|medkit lead_helmet
1ST1|master_mechanic|particle_beam_pistol|lead_helmet toolkit
2ND1|tech_savvy|particle_beam_pistol|lead_helmet toolkit
Sally Starfield|fearless resourceful weapon_specialist|particle_beam_pistol|rocket_pack envirosuit \
xenon_mesh
Dr. Helen Salinger|resourceful tech_savvy knack:technology|particle_beam_pistol|techpad xenon_mesh
Skip Westmoreland|knack:marksmanship resourceful sure_shot quick|pulsar_rifle|xenon_mesh
Smap|master_mechanic quick knack:engineering weapon_specialist|pulsar_rifle|xenon_mesh
Wanda Whitestar|deadeye tech_savvy resourceful quick fearless|pulsar_rifle|xenon_mesh
Neema|master_mechanic quick knack:technology tech_savvy|particle_beam_pistol|xenon_mesh
Edo Spawnling|psionic chameleon|arc_pistol tentacle_p3|
Edo Underling|psionic chameleon|arc_rifle tentacle_p3|
Edo Guardling|psionic chameleon|arc_pistol arc_halberd|
Trapper|psionic chameleon disposable sticky_goo sure_footed:2|claw_p4|
Eyespy|psionic enhanced_chameleon disposable fly infiltrator ink_cloud night_vision spotter|neuro_pulse_r4|
Mindstealer|psionic chameleon disposable fly minder night_vision savant:deep||
Cuttleswarm|psionic chameleon disposable fly ink_cloud|bite_p3|
Psider|psionic enhanced_chameleon fearless ferocious infiltrator scary sure_footed:3 stinger|\
tentacle_p6_reach1|
Kraken|psionic chameleon combustible:3 fearless ferocious fly scary|tentacle_p6_reach1 neuro_pulse_r4|
GDF Sentry|disciplined weapon_specialist|pulsar_pistol pulsar_rifle|envirosuit
GDF Ranger|disciplined infiltrator spotter sure_footed:1 weapon_specialist|pulsar_pistol pulsar_rifle|\
envirosuit
GDF Enforcer|disciplined ferocious scary|lazblade pulsar_pistol|envirosuit lazsteel_armor
Sharpshooter|deadeye disciplined infiltrator|pulsar_pistol sniper_rifle|xenon_mesh
Security Officer|disciplined|pulsar_pistol neuralizer_baton|xenon_mesh
Plugger|quick|knife particle_beam_rifle|xenon_mesh
Brute|ferocious quick surgical_strike tough|lazblade particle_beam_rifle|xenon_mesh
Scout|infiltrator quick spotter sure_footed:1 weapon_specialist|knife particle_beam_rifle|xenon_mesh
Clipper|deadeye infiltrator quick spotter sure_shot|particle_beam_pistol sniper_rifle|xenon_mesh
Prime Leader|psionic brainiac chameleon|arc_rod tentacle_p4_reach1|edo_mantle
Undermind|psionic chameleon fly scary|tentacle_p6_reach2|
Spawnguard|psionic chameleon|arc_pistol arc_halberd|edo_mantle
GDF Commander|brave disciplined commanding_presence weapon_specialist|pulsar_pistol pulsar_rifle|envirosuit
GDF Lieutenant|disciplined weapon_specialist|pulsar_pistol pulsar_rifle|envirosuit
GDF Chief Engineer|disciplined master_mechanic spotter weapon_specialist|pulsar_pistol|toolkit
GDF Medical Officer|disciplined doc surgeon|pulsar_pistol|medkit med_gel
GDF Tech Officer|disciplined tech_savvy|pulsar_pistol|techpad
GDF Envoy|disciplined resourceful|pulsar_pistol|techpad
Aggressor|fearless fly strafing_fire|particle_beam_rifle neuro_pulse_r4|personal_force_field
Harvestor|fearless fly|pincer_p4 particle_beam_rifle neuro_pulse_r4|extraction_tool personal_force_field
Reaper|fearless scary sure_footed:1 surgical_strike|pincer_p5_reach2 neuro_pulse_r4 pulsar_rifle|\
extraction_tool personal_force_field
Cybot|fearless sure_footed:1 weapon_specialist|pincer_p4 particle_beam_rifle|personal_force_field
Seeker|fearless chameleon fly spotter infiltrator uplink_node|emp_burst_r4 neuro_pulse_r4|\
personal_force_field
Defender|fearless deadeye sure_footed:1 weapon_specialist|neuro_pulse_r4 particle_beam_cannon|\
personal_force_field
Strafer|fearless deadeye fixed_weapon fly strafing_fire|neuro_pulse_r4 particle_beam_cannon|\
personal_force_field
Picker|fearless fly|pincer_p4 neuro_pulse_r4|personal_force_field
Artificer|fearless fly master_mechanic tech_savvy|pincer_p4 neuro_pulse_r4|extraction_tool \
personal_force_field
Clansister|brave sure_footed:1 weapon_specialist|jekara long_rifle|xenon_mesh
Scythesister|brave fearless ferocious sure_footed:1|shashar|xenon_mesh
Acolyte|psionic brave disciplined focused|neiran_pistol neiran_glaive|
Praetoris|brave disciplined sure_footed:1 weapon_specialist|shashar praetoris_carbine|xenon_mesh
Shadowsister|brave infiltrator sure_footed:2 weapon_specialist|jekara long_rifle|chameleon_suit
Gladiator|brave disciplined disposable fearless ferocious tough|neiran_glaive|xenon_mesh
Arnt|controlled disposable fearless|club|
Ascensor|brave strafing_fire sure_footed:2|razorbeak_p4 jekara long_rifle|xenon_mesh
Rocket Bike|fixed_weapon fly quick strafing_fire|particle_beam_rifle|personal_force_field
Scutter|psionic chameleon sure_footed:2 weapon_specialist|mounted_pincers arc_rifle|heavy_force_field
Strider|psionic chameleon sure_footed:3 weapon_specialist|mounted_pincers arc_ray_cannon \
rocket_launcher_arc_burst|heavy_force_field
"""


def block(profile: Profile) -> list[str]:
    abilities = f"{profile.strength} {profile.agility} {profile.intellect}"
    sizes = "".join(profile.size_options)
    tail = f"{profile.defense} {profile.life} {sizes} {profile.points}"
    return [profile.name, str(profile.mv), abilities, tail, str(profile.shield)]


@pytest.mark.rule("CB-ROST-01")
def test_the_roster_has_the_67_printed_blocks_with_their_figures(figures: Library) -> None:
    assert [block(profile) for profile in figures.profiles] == table(BLOCKS)
    assert Counter(profile.section for profile in figures.profiles) == {
        "beasts": 2,
        "gcw_bots": 9,
        "characters": 9,
        "edo_lackeys": 9,
        "gcw_lackeys": 9,
        "heroes": 9,
        "mekkus": 9,
        "neiran_lackeys": 8,
        "vehicles": 3,
    }
    for profile in figures.profiles:
        assert profile.is_hero == (profile.section in {"characters", "heroes"})


def test_the_blocks_have_their_printed_features_and_equipment(figures: Library) -> None:
    found = [
        [p.name, " ".join(map(str, p.features)), " ".join(p.weapons), " ".join(p.gear)]
        for p in figures.profiles
    ]
    assert found == table(CARRIED)


def test_types_that_the_blocks_do_not_print(figures: Library) -> None:
    printed = {p.key for p in figures.profiles if not p.types_inferred}
    by_section = {p.key for p in figures.profiles if p.section in {"beasts", "gcw_bots", "mekkus"}}
    by_bracket = {
        *("dr_zardov", "1st1", "2nd1", "smap", "neema"),
        *("trapper", "eyespy", "mindstealer", "cuttleswarm", "psider", "kraken"),
        *("prime_leader", "undermind", "spawnguard", "scutter", "strider"),
    }
    assert printed == by_section | by_bracket


def test_psionic_ratings_are_the_printed_totals(figures: Library) -> None:
    printed = """
    thulle 2D+0, edo_spawnling 2D+0, edo_underling 3D+0, edo_guardling 2D+0, trapper 2D+0, eyespy 2D+0,
    mindstealer 2D+1, cuttleswarm 2D+1, psider 2D+3, kraken 3D+3, prime_leader 3D+1, undermind 3D+3,
    spawnguard 2D+2, acolyte 2D+2, scutter 1D+2, strider 1D+2
    """
    pairs = [entry.split() for entry in printed.replace("\n", " ").split(",")]
    assert {p.key: str(p.psionic) for p in figures.profiles if p.psionic} == dict(pairs)


@pytest.mark.rule("CB-STAT-01")
def test_one_block_in_full(figures: Library) -> None:
    trapper = figures.profiles.named("Trapper")
    assert trapper == Profile(
        key="trapper",
        name="Trapper",
        rank="lackey",
        types=("edokin",),
        affiliations=("edofleini",),
        mv=6,
        strength=Rating(2, 1),
        agility=Rating(2, 1),
        intellect=Rating(1, 0),
        defense=8,
        life=1,
        size="S",
        points=20,
        psionic=Rating(2, 0),
        features=(
            Trait("psionic"),
            Trait("chameleon"),
            Trait("disposable"),
            Trait("sticky_goo"),
            Trait("sure_footed", level=2),
        ),
        weapons=("claw_p4",),
        shield=0,
        size_options=("S",),
        section="edo_lackeys",
    )
    assert figures.profiles["undermind"].shield == 3
    assert figures.profiles["gdf_medical_officer"].gear == ("medkit", "med_gel")


@pytest.mark.rule("CB-STAT-07")
def test_a_hero_is_level_2_and_a_lackey_level_1(figures: Library) -> None:
    assert figures.profiles["gdf_commander"].level == 2
    assert figures.profiles["gdf_sentry"].level == 1


@pytest.mark.rule("CB-ROST-02")
def test_printed_blocks_stand_although_they_break_the_builders_limits(figures: Library) -> None:
    ranger, sentry = figures.profiles["gdf_ranger"], figures.profiles["gdf_sentry"]
    assert (ranger.points, ranger.life, len(ranger.features)) == (31, 2, 5)
    assert (sentry.points, sentry.life, len(sentry.features)) == (32, 1, 2)
    assert len(figures.weapons_of(sentry)) == 2 > sentry.agility.dice
    assert figures.profiles["rocket_bike"].mv == 10
    assert figures.profiles["strider"].has_feature("psionic")


@pytest.mark.rule("CB-ROST-03")
def test_names_in_blocks_that_differ_from_the_charts(figures: Library) -> None:
    weapons = """
    particle pistol|Particle Beam Pistol
    Particle rifle|Particle Beam Rifle
    Particle Cannon|Particle Beam Cannon
    Arc Cannon|Arc Ray Cannon
    Arc Burst Rockets|Rocket Launcher Arc Burst
    Praetor carbine|Praetoris Carbine
    Neuropulse|Neuro Pulse R4
    Glaive|Neiran Glaive
    """
    for printed, chart in table(weapons):
        assert figures.weapons.named(printed).name == chart
    gear = """
    Jetpack|Rocket Pack
    Hvy Lazsteel plating|Heavy LazSteel Armor
    Lasteel|LazSteel Armor
    Forcefield|Personal Force Field
    Environ suit|Envirosuit
    """
    for printed, chart in table(gear):
        assert figures.gear.named(printed).name == chart
    assert "neiran_glaive" in figures.profiles["acolyte"].weapons
    natural = {"pincer": {3, 4, 5, 6}, "bite": {3}, "tentacle": {3, 4, 6}, "claw": {4}, "razorbeak": {4}}
    for kind, powers in natural.items():
        found = [weapon for weapon in figures.weapons if weapon.key.startswith(kind)]
        assert {weapon.power for weapon in found} == powers
        assert all(weapon.is_natural for weapon in found)
    assert figures.profiles["thulle"].has_feature("stinger")
    assert figures.profiles["skip_westmoreland"].feature_choices("knack") == ("marksmanship",)
    assert figures.profiles["neema"].feature_choices("knack") == ("technology",)
    assert figures.profiles["smap"].feature_choices("knack") == ("engineering",)


def test_printed_shields_are_those_of_the_armour_listed_but_for_five(figures: Library) -> None:
    differing = {
        profile.key
        for profile in figures.profiles
        if profile.shield != sum(gear.shield for gear in figures.gear_of(profile))
    }
    # Edofleini print 1 die without armour; the Undermind 3; one Edokin 1.
    assert differing == {"edo_spawnling", "edo_underling", "edo_guardling", "cuttleswarm", "undermind"}


@pytest.mark.rule("CB-BUILD-03")
def test_living_types(figures: Library) -> None:
    assert set(LIVING_TYPES) == {
        "alanti",
        "beast",
        "edofleini",
        "edokin",
        "human",
        "illyrian",
        "neiran",
        "shrinaar",
    }
    living = {profile.key for profile in figures.profiles if profile.is_living}
    assert {"thulle", "trapper", "prime_leader", "gdf_sentry", "smap", "clansister"} <= living
    assert not {"gdf_combot", "reaper", "strider", "rocket_bike"} & living


def test_a_cyberform_is_living_and_mechanical_but_no_robot(figures: Library) -> None:
    zardov = figures.profiles["dr_zardov"]
    assert zardov.is_cyberform
    assert zardov.is_living
    assert zardov.is_mechanical
    assert not zardov.is_robot


def test_feature_levels(figures: Library) -> None:
    psider = figures.profiles["psider"]
    assert psider.feature_level("sure_footed") == 3
    assert psider.feature_level("scary") == 1
    assert psider.feature_level("doc") == 0
    assert str(Trait("sure_footed", level=3)) == "sure_footed:3"
    assert str(Trait("knack", choice="melee")) == "knack:melee"


# ---------------------------------------------------------------- weapons

HAND = """
Arc Halberd|edofleini|5|2|7
Club|*|2|0|0
Jek|neiran|3|0|2
Jekara|neiran|4|1|6
Knife|*|2|0|1
Lazblade|gcw|5|1|6
Lazknife|gcw|4|0|4
Neiran Glaive|neiran|5|2|9
Neiran Scepter|neiran|4|0|5
Neiran Stave|neiran|4|1|8
Neuralizer Baton|*|3|0|1
Praetoris Double Glaive|neiran|5|2|12
Shashar|neiran|5|0|7
Shre'quo'ro|gcw|4|0|6
"""
PISTOLS = """
Arc Pistol|edofleini|4|8|1|5
Gamma Disruptor Pistol|gcw,mekkus|4|8|1|5
Neiran Pistol|neiran|4[5]|10|1/2|12
Neuralizer Pistol|*|4|8|0|4
Particle Beam Pistol|gcw,mekkus|4|8|1|5
Pulsar Pistol|gcw,mekkus|4|8|1|5
Slugger Pistol|gcw|3|8|1|3
Sonic Blaster Pistol|gcw|4|8|1|10
"""
RIFLES = """
Arc Rifle|edofleini|5m|16|1|7
Gamma Disruptor Rifle|gcw,mekkus|5m|16|1|7
Gamma Disruptor Heavy|gcw,mekkus|6|20|2|15
Long Rifle|neiran|5[6]m|16|1/2|14
NeuRifle|*|5m|16|0|6
NeuRifle Heavy|*|6|20|0|12
Particle Beam Rifle|gcw,mekkus|5m|16|1|7
Particle Blaster Heavy|gcw,mekkus|6|24|2|14
Pulsar Rifle|gcw,mekkus|6m|16|1|9
Pulsar Heavy|gcw,mekkus|7|24|2|15
Slugger Rifle|gcw|4m|16|1|5
Slugger Heavy|gcw|5|24|2|11
Sonic Blaster Rifle|gcw|5m|16|1|12
Sniper Rifle|gcw|6m|16|1/2|14
Void Rifle|*|*|16|0|16
"""
RAPID = """
Autopulsar|gcw|7|20|1|15
Autoslugger|gcw|5|20|1|11
Particle Multiblaster|gcw,mekkus|6|20|1|14
Praetoris Carbine|neiran|6m|18|1/2|17
"""
BURSTS = """
EMP Burst R4|gcw,mekkus|3|4|1D+1|7
EMP Burst R8|gcw,mekkus|4|8|2D+2|15
EMP Burst R12|gcw,mekkus|5|12|3D+3|23
Neuro Pulse R4|edofleini,gcw,mekkus|4|4|1D+1|9
Neuro Pulse R8|edofleini,gcw,mekkus|5|8|2D+2|17
Neuro Pulse R12|edofleini,gcw,mekkus|6|12|3D+3|25
"""
TEMPLATES = """
Arc Ray Cannon|edofleini|7|S|8|1D+3|17
Deep Grenade|*|*|R3|8|-|21
Flamethrower|*|7|S|8|2D+2|16
Gamma Disruptor Cannon|gcw,mekkus|7|R3|24|2D+1|21
Grenade|*|7|R3|8|1D+1|14
Particle Beam Cannon|gcw,mekkus|7|L|24|2D+1|21
Rocket Launcher Arc Burst|gcw,mekkus|7|R5|24|1D+3|20
Rocket Launcher Neuralizer|gcw,mekkus|7|R3|24|1D+2|16
Rocket Launcher Particle Burst|gcw,mekkus|7|R3|24|1D+2|19
Rocket Launcher Void Burst|gcw,mekkus|*|R3|24|-|22
Sonic Blaster Cannon|gcw|7|S|8|2D+0|20
Void Cannon|*|*|R5|24|-|26
Bomb Kit Detonium|*|5|R3|0|2D+3|21
Bomb Kit Explosite|*|6|R5|0|3D+3|27
Bomb Kit Ultonium Charge|*|7|R5|0|4D+3|31
"""
ALL_AFFILIATIONS = {"edofleini", "gcw", "mekkus", "neiran"}


def who(entry: Weapon | Gear) -> str:
    return "*" if set(entry.affiliations) == ALL_AFFILIATIONS else ",".join(entry.affiliations)


def power(weapon: Weapon) -> str:
    short = f"[{weapon.power_short}]" if weapon.power_short else ""
    return f"{weapon.power or '*'}{short}{'m' if weapon.melee_modifier == -1 else ''}"


def damage(weapon: Weapon) -> str:
    return (
        f"{weapon.damage}/{weapon.damage_short}"
        if weapon.damage != weapon.damage_short
        else str(weapon.damage)
    )


def shots(figures: Library, group: str) -> list[list[str]]:
    return [
        [w.name, who(w), power(w), str(w.range_inches), damage(w), str(w.cost)]
        for w in figures.weapons
        if w.group == group
    ]


def having(figures: Library, effect: str) -> set[str]:
    return {weapon.key for weapon in figures.weapons if weapon.has_effect(effect)}


@pytest.mark.rule("CB-WEAP-02")
def test_hand_weapons(figures: Library) -> None:
    hand = [weapon for weapon in figures.weapons if weapon.group == "hand"]
    rows = [[w.name, who(w), power(w), str(w.reach_inches), str(w.cost)] for w in hand]
    assert rows == table(HAND)
    assert all(weapon.melee and weapon.melee_modifier == 0 for weapon in hand)
    assert {w.key for w in hand if w.damage != 1} == {"neuralizer_baton"}
    assert {w.key for w in hand if w.critical_damage == 1} == {
        "jekara",
        "praetoris_double_glaive",
        "shrequoro",
    }
    assert {w.key for w in hand if w.bonus_damage == (("living", 1),)} == {"lazblade", "lazknife"}
    assert {w.key for w in hand if w.is_energized} == {
        "arc_halberd",
        "lazblade",
        "lazknife",
        "neuralizer_baton",
    }
    assert {w.key for w in hand if w.has_effect("knockdown_on_critical")} == {
        "neiran_stave",
        "praetoris_double_glaive",
    }
    assert figures.weapons["arc_halberd"].has_effect("arc")
    assert figures.weapons["neuralizer_baton"].has_effect("incapacitates")
    assert figures.weapons["neiran_scepter"].has_effect("hero_only")
    assert figures.weapons["neiran_glaive"].strength_dice == 1
    assert figures.weapons["shrequoro"].strength_modifier == 1
    assert figures.weapons["shashar"].charge_modifier == 1
    assert (figures.weapons["knife"].range_inches, "thrown" in figures.weapons["knife"].deliveries) == (
        8,
        True,
    )


def test_jekara_and_lazknife_cost_what_their_figures_are_worth(figures: Library) -> None:
    for key in ("jekara", "lazknife", "lazblade", "jek", "neiran_stave"):
        weapon = figures.weapons[key]
        assert weapon.power is not None
        worth = (
            weapon.power
            - 2
            + weapon.reach_inches
            + 2 * bool(weapon.critical_damage or weapon.bonus_damage)
            + 4 * weapon.has_effect("knockdown_on_critical")
            + weapon.has_effect("immune_to_emp")
        )
        assert weapon.cost == worth


@pytest.mark.rule("CB-WEAP-03")
def test_pistols(figures: Library) -> None:
    assert shots(figures, "pistol") == table(PISTOLS)
    pistols = [weapon for weapon in figures.weapons if weapon.group == "pistol"]
    assert all(w.melee and w.melee_modifier == 0 and w.reach_inches == 0 for w in pistols)
    assert {w.key for w in pistols if not w.is_energized} == {"neiran_pistol", "slugger_pistol"}
    assert {w.key for w in pistols if w.has_effect("armor_piercing")} == {"neiran_pistol"}
    assert figures.weapons["slugger_pistol"].specialties == ("lancers",)


@pytest.mark.rule("CB-WEAP-04")
def test_rifles(figures: Library) -> None:
    assert shots(figures, "rifle") == table(RIFLES)
    rifles = [weapon for weapon in figures.weapons if weapon.group == "rifle"]
    assert all(w.melee == (w.melee_modifier == -1) for w in rifles)
    assert all(w.reach_inches == 0 for w in rifles)
    assert {w.key for w in rifles if w.has_effect("armor_piercing")} == {"long_rifle", "sniper_rifle"}
    printed = {w.key: w.damage_printed for w in rifles if w.damage_printed is not None}
    assert printed == {"gamma_disruptor_heavy": 1, "neurifle_heavy": 2}
    assert figures.weapons["void_rifle"].has_effect("void")


@pytest.mark.rule("CB-WEAP-05")
def test_rapid_fire_and_unique_weapons(figures: Library) -> None:
    assert shots(figures, "rapid_fire") == table(RAPID)
    rapid = [weapon for weapon in figures.weapons if weapon.group == "rapid_fire"]
    assert all(w.has_effect("rapid_fire") and w.specialist and w.slots == 2 for w in rapid)
    assert [w.melee for w in rapid] == [False, False, False, True]
    assert not figures.weapons["autoslugger"].is_energized
    assert not figures.weapons["praetoris_carbine"].is_energized
    assert figures.weapons["praetoris_carbine"].has_effect("armor_piercing")
    assert figures.weapons["autopulsar"].bonus_damage == (("mechanical", 1),)
    assert figures.weapons["particle_multiblaster"].bonus_damage == (("living", 1),)
    bursts = [weapon for weapon in figures.weapons if weapon.deliveries == ("burst",)]
    assert [
        [w.name, who(w), power(w), str(w.template_inches), str(w.damage_dice), str(w.cost)] for w in bursts
    ] == table(BURSTS)
    assert {w.key for w in bursts} == having(figures, "while_engaged")
    assert not any(w.damage for w in bursts)
    rod = figures.weapons["arc_rod"]
    assert (rod.power, rod.range_inches, rod.damage, rod.cost, rod.melee) == (6, 12, 1, 9, True)
    assert rod.affiliations == ("edofleini",)
    assert rod.has_effect("arc")


@pytest.mark.rule("CB-WEAP-06")
def test_natural_weapon_prices(figures: Library) -> None:
    prices = figures.charts["natural_weapons"]
    assert [prices.row(level).value("cost") for level in range(2, 8)] == [0, 1, 2, 3, 4, 5]
    for weapon in figures.weapons:
        if weapon.is_natural:
            assert weapon.power is not None
            assert weapon.cost == prices.row(weapon.power).value("cost")
            assert weapon.slots == 0


@pytest.mark.rule("CB-TMPL-09")
def test_template_weapons_and_bombs(figures: Library) -> None:
    weapons = [w for w in figures.weapons if w.group in {"template", "grenade", "bomb"}]
    assert [
        [
            w.name,
            who(w),
            power(w),
            f"{w.template}{w.template_inches or ''}",
            str(w.range_inches),
            str(w.damage_dice or "-"),
            str(w.cost),
        ]
        for w in weapons
    ] == table(TEMPLATES)
    assert not any(weapon.melee for weapon in weapons)
    flamethrower = figures.weapons["flamethrower"]
    assert (flamethrower.sealed_power, flamethrower.sealed_dice) == (5, Rating(1, 1))


def test_special_effects_stand_where_the_ledger_names_them(figures: Library) -> None:
    assert having(figures, "arc") == {
        "arc_halberd",
        "arc_pistol",
        "arc_rifle",
        "arc_rod",
        "arc_ray_cannon",
        "rocket_launcher_arc_burst",
        "bomb_kit_ultonium_charge",
    }
    heavies = {"gamma_disruptor_heavy", "neurifle_heavy", "particle_blaster_heavy", "pulsar_heavy"}
    assert having(figures, "fires_twice") == heavies
    assert having(figures, "slows") == heavies | {"slugger_heavy"} == having(figures, "team_carry")
    assert {w.key: w.shield_modifier for w in figures.weapons if w.shield_modifier} == {
        "gamma_disruptor_pistol": -1,
        "gamma_disruptor_rifle": -1,
        "gamma_disruptor_heavy": -2,
        "gamma_disruptor_cannon": -3,
    }
    assert {w.key: w.bonus_damage for w in figures.weapons if w.bonus_damage} == {
        "lazblade": (("living", 1),),
        "lazknife": (("living", 1),),
        "mounted_lazblade": (("living", 1),),
        "particle_beam_pistol": (("living", 1),),
        "particle_beam_rifle": (("living", 1),),
        "particle_blaster_heavy": (("living", 1),),
        "particle_multiblaster": (("living", 1),),
        "particle_beam_cannon": (("living", 1),),
        "rocket_launcher_particle_burst": (("living", 3),),
        "pulsar_pistol": (("mechanical", 1),),
        "pulsar_rifle": (("mechanical", 1),),
        "pulsar_heavy": (("mechanical", 1),),
        "autopulsar": (("mechanical", 1),),
    }
    assert having(figures, "void") == {"void_rifle", "rocket_launcher_void_burst", "void_cannon"}
    assert having(figures, "knockback") == {
        "sonic_blaster_pistol",
        "sonic_blaster_rifle",
        "sonic_blaster_cannon",
        "bomb_kit_explosite",
    }


def test_what_incapacitates_does_no_damage(figures: Library) -> None:
    for weapon in figures.weapons:
        if any(weapon.has_effect(effect) for effect in ("incapacitates", "void", "deep")):
            assert weapon.damage == 0 == weapon.damage_short


def test_natural_and_mounted_weapons_fight_in_melee_up_to_their_reach(figures: Library) -> None:
    bodily = [weapon for weapon in figures.weapons if weapon.group in {"natural", "mounted"}]
    assert all(weapon.melee and weapon.deliveries == ("melee",) for weapon in bodily)
    assert {weapon.key: weapon.reach_inches for weapon in bodily if weapon.reach_inches} == {
        "mounted_lazblade": 1,
        "mounted_pincers": 1,
        "pincer_p5_reach2": 2,
        "tentacle_p4_reach1": 1,
        "tentacle_p6_reach1": 1,
        "tentacle_p6_reach2": 2,
    }
    assert {w.key for w in figures.weapons if w.charge_modifier == 1} == {"shashar", "power_ram"}
    assert figures.weapons["power_ram"].has_effect("absorbs_collision")


def test_specialist_weapons_take_two_slots(figures: Library) -> None:
    for weapon in figures.weapons:
        assert weapon.specialist == (weapon.slots == 2)


def test_extra_damage_depends_on_the_target(figures: Library) -> None:
    pulsar, particle = figures.weapons["pulsar_rifle"], figures.weapons["particle_beam_rifle"]
    robot, human, cyberform = (figures.profiles[key] for key in ("gdf_combot", "gdf_sentry", "dr_zardov"))
    assert [pulsar.bonus_against(target) for target in (robot, human, cyberform)] == [1, 0, 1]
    assert [particle.bonus_against(target) for target in (robot, human, cyberform)] == [0, 1, 1]


# ---------------------------------------------------------------- gear and Features

GEAR = """
Chameleon Suit|gcw,neiran|N|6
Edo Mantle|edofleini|N|2
Envirosuit|*|N|3
LazSteel Armor|*|N|2
Heavy LazSteel Armor|*|Y|4
Lead Helmet|*|N|1
Respirator|*|N|2
Xenon Mesh|*|N|1
Body Boost|*|N|5
Infrared Optics|*|N|1
Melee Spurs|*|N|5
Personal Force Field|*|Y|1
Heavy Force Field|*|Y|2
Scope|*|N|1
Smoke Grenade|*|N|3
Breaching Charge|*|N|1
Heavy Breaching Charge|*|N|2
Electronic Lockpick|*|Y|1
Extraction Tool|mekkus|Y|15
Fire Extinguisher|*|N|5
Night Vision|*|Y|1
Scanner|*|Y|5
Techpad|*|Y|1
Toolkit|*|Y|1
Brain Boost|*|N|5
Med Gel|*|N|1
Medkit|*|N|1
Deepstone|*|N|7
Edo Orb|edofleini|N|1
Fahz Jiin|neiran|N|5
Rocket Pack|gcw|Y|10
Secret Plans|*|N|15
Watchdog|*|N|0
"""
VEHICLE_GEAR = """
Chameleon Screen|gcw,neiran|N|6
Force Field|*|Y|2
LazSteel Plating|*|N|2
Lead Shielding|*|N|1
Mantle Armor|edofleini|N|2
Xenon Insulation|*|N|1
Infrared Optics|*|N|1
Targeting Array|*|Y|1
Smoke Screen Launcher|*|N|3
Extraction Tool|mekkus|Y|15
Night Vision|*|Y|1
Scanner|*|Y|5
Onboard Computer|*|Y|1
Maintenance System|*|Y|1
Computer Backup|*|N|1
Engineer Operator|*|N|1
Deepstone Core|*|N|7
Deep Orb Node|edofleini|N|1
"""


def gear_rows(catalogue: library.Catalogue[Gear]) -> list[list[str]]:
    return [[g.name, who(g), "Y" if g.energized else "N", str(g.cost)] for g in catalogue]


@pytest.mark.rule("CB-GEAR-12")
def test_gear_chart(figures: Library) -> None:
    assert gear_rows(figures.gear) == table(GEAR)
    assert [gear.group for gear in figures.gear].count("apparel") == 8
    assert all(gear.group == "apparel" for gear in list(figures.gear)[:8])
    assert figures.gear["fahz_jiin"].cost_per == "psionic_die"
    assert figures.gear["watchdog"].cost_per == "own_points"
    assert figures.gear["body_boost"].types == ("living",)


def test_shield_dice_and_check_modifiers_of_gear(figures: Library) -> None:
    assert {gear.key: gear.shield for gear in figures.gear if gear.shield} == {
        "edo_mantle": 1,
        "envirosuit": 1,
        "lazsteel_armor": 1,
        "heavy_lazsteel_armor": 2,
        "lead_helmet": 1,
        "xenon_mesh": 1,
        "personal_force_field": 1,
        "heavy_force_field": 2,
    }
    assert {gear.key: gear.checks for gear in figures.gear if gear.checks} == {
        "techpad": (("technology", 1),),
        "toolkit": (("engineering", 1),),
        "medkit": (("medicine", 1),),
        "deepstone": (("psionics", 1),),
        "edo_orb": (("psionics", 1),),
    }


def test_other_figures_of_gear(figures: Library) -> None:
    extraction = {"power": 3, "reach_inches": 2, "damage": 1, "drained_life": 1, "rerolls": 1}
    scanner = {"objective_technology": 1, "enhanced_chameleon": -1, "hidden_inches": 8, "target": 7}
    cloud = {"template_inches": 5, "cover": 2}
    assert {gear.key: dict(gear.values) for gear in figures.gear if gear.values} == {
        "infrared_optics": {"cover": -1},
        "melee_spurs": {"critical_damage": 1},
        "scope": {"ranged": 1},
        "smoke_grenade": cloud,
        "breaching_charge": {"power": 4, "damage": 1, "blast_inches": 1},
        "heavy_breaching_charge": {"power": 6, "damage": 1, "blast_inches": 1, "engineering": 2},
        "electronic_lockpick": {"unlock": 2},
        "extraction_tool": extraction,
        "fire_extinguisher": {"target": 7},
        "scanner": scanner,
        "med_gel": {"life": 1},
        "deepstone": {"powers": 1},
        "rocket_pack": {"fly_inches": 10},
        "watchdog": {"leash_inches": 6, "teamwork": 1},
    }
    assert {gear.key: dict(gear.values) for gear in figures.vehicle_gear if gear.values} == {
        "vehicle_infrared_optics": {"cover": -1},
        "smoke_screen_launcher": cloud,
        "vehicle_extraction_tool": extraction,
        "vehicle_scanner": scanner,
        "computer_backup": {"life": 1},
        "engineer_operator": {"life": 1},
        "deepstone_core": {"powers": 1},
    }
    assert {gear.key: gear.checks for gear in figures.vehicle_gear if gear.checks} == {
        "targeting_array": (("marksmanship", 1),),
        "onboard_computer": (("technology", 1),),
        "maintenance_system": (("engineering", 1),),
        "deepstone_core": (("psionics", 1),),
        "deep_orb_node": (("psionics", 1),),
    }
    used_up = {g.key: g.uses for g in (*figures.gear, *figures.vehicle_gear) if g.uses}
    assert used_up == dict.fromkeys(
        ("body_boost", "brain_boost", "med_gel", "computer_backup", "engineer_operator"), 1
    )
    assert {g.key: g.extra_psionic_shield for g in figures.gear if g.extra_psionic_shield} == {
        "lead_helmet": 1
    }
    assert figures.gear["scope"].value("no_such_figure") == 0


@pytest.mark.rule("CB-VEH-45")
def test_vehicle_gear_chart(figures: Library) -> None:
    assert gear_rows(figures.vehicle_gear) == table(VEHICLE_GEAR)


def test_shield_dice_of_vehicle_gear(figures: Library) -> None:
    assert {gear.key: gear.shield for gear in figures.vehicle_gear if gear.shield} == {
        "vehicle_force_field": 2,
        "lazsteel_plating": 2,
        "lead_shielding": 1,
        "mantle_armor": 1,
        "xenon_insulation": 1,
    }


FEATURE_COSTS = {
    (6,): "Acid Spit, Enhanced Chameleon",
    (
        3,
    ): "Armor Piercing, Barnstormer, Chameleon, Controlled, Fearless, Ferocious, Fly, Infiltrator, Ink Cloud,"
    " Knockback, Knockdown, Scary, Sticky Goo, Strafing Fire, Weapon Specialist",
    (2,): "Aquatic, Bonded, Burrow, Coldblooded, Commanding Presence, Disciplined, Focused, Knack, Quick,"
    " Resourceful, Savant, Spotter, Stinger, Sure Shot, Surgical Strike, Surgeon, Tactician, Tough,"
    " Uplink Node",
    (1,): "Born Killer, Brainiac, Brave, Dependable, Disposable, Doc, Deadeye, Master Mechanic, Night Vision,"
    " Pounce, Prodigy, Tech Savvy",
    (1, 2, 3): "Combustible, Sure Footed",
    (-1,): "Fixed Weapon",
    (9,): "Minder",
    (7, 15, 23): "EMP Burst",
    (9, 17, 25): "Neuro Pulse",
    (3, 6, 9, 12): "Psionic",
}
VEHICLE_FEATURE_COSTS = {
    (-1,): "Fixed Weapon",
    (
        1,
    ): "Born Killer, Brainiac, Brave, Dependable, Doc, Deadeye, Master Mechanic, Tech Savvy, Natural Leader",
    (2,): "Bonded, Burrow, Coldblooded, Commanding Presence, Disciplined, Focused, Knack, Quick, Spotter,"
    " Stinger, Sure Shot, Surgical Strike, Tactician, Tough, Uplink Node",
    (
        3,
    ): "Armor Piercing, Chameleon, Controlled, Fearless, Ferocious, Fly, Infiltrator, Ink Cloud, Knockback,"
    " Leader, Scary, Sticky Goo, Strafing Fire, Weapon Specialist, Minder",
    (6,): "Enhanced Chameleon",
    (1, 2, 3): "Combustible, Sure Footed",
    (7, 15, 23): "EMP Burst",
    (9, 17, 25): "Neuro Pulse",
}


def by_name(costs: dict[tuple[int, ...], str]) -> dict[str, tuple[int, ...]]:
    return {name: cost for cost, names in costs.items() for name in names.split(", ")}


@pytest.mark.rule("CB-BUILD-21")
def test_feature_costs(figures: Library) -> None:
    # Fleet is not on the chart; CB-FEAT-29 prices it as a step of Movement.
    found = {f.name: f.costs for f in figures.features if f.costs and f.key != "fleet"}
    assert found == by_name(FEATURE_COSTS)
    assert figures.features["fleet"].costs == (2,)


@pytest.mark.rule("CB-VEH-44")
def test_vehicle_feature_costs(figures: Library) -> None:
    assert {f.name: f.vehicle_costs for f in figures.features if f.vehicle_costs} == by_name(
        VEHICLE_FEATURE_COSTS
    )
    open_names = (
        "Armor Piercing, Born Killer, Brainiac, Brave, Controlled, Dependable, Disciplined, Doc, Deadeye,"
        " Knack, Knockback, Leader, Quick, Scary"
    )
    assert {f.name for f in figures.features if f.vehicle_open} == set(open_names.split(", "))


def test_the_little_that_is_known_of_who_may_take_a_feature(figures: Library) -> None:
    assert {f.key for f in figures.features if f.open_to_all} == {"disciplined", "disposable"}
    assert {f.key for f in figures.features if f.stacks} == {"fleet", "knack"}
    assert {f.key: f.barred for f in figures.features if f.barred} == {
        "bonded": ("flyer", "mech", "tracked", "wheeled"),
        "psionic": ("robot", "vehicle"),
    }
    assert {f.key: f.vehicle_affiliations for f in figures.features if f.vehicle_affiliations} == {
        "bonded": ("neiran",)
    }


# ---------------------------------------------------------------- templates and builders

HERO_TYPES = """
Alanti Pysgrif|6|2D+0 1D+0 1D+0|8|4|SM|18
Alanti Pyswan|6|1D+0 2D+0 1D+0|7|3|S|16
Alanti Pysci|6|1D-1 1D+0 2D+0|7|3|S|16
Beast|6|2D+0 2D+0 2D+0|8|3|SML|24
Cyberform|6|1D+0 1D+0 1D+0|9|3|SML|17
Edofleini|6|1D+0 1D+0 2D+0|7|3|S|16
Edokin|6|2D+0 1D+0 3D+0|8|3|SML|24
Human|6|1D+0 1D+0 1D+0|7|3|S|13
Illyrian|4|1D+0 1D+0 1D+0|7|3|S|9
Neiran|6|2D+0 2D+0 2D+0|8|4|M|26
Robot|6|1D+0 1D+0 1D+0|9|4|SML|19
Shrinaar|6|1D+1 1D+1 1D+0|7|3|SM|15
"""


@pytest.mark.rule("CB-BUILD-02")
def test_hero_types(figures: Library) -> None:
    heroes = [template for template in figures.templates if template.key != "vehicle"]
    assert [
        [
            t.name,
            str(t.mv),
            f"{t.strength} {t.agility} {t.intellect}",
            str(t.defense),
            str(t.life),
            "".join(t.sizes),
            str(t.points),
        ]
        for t in heroes
    ] == table(HERO_TYPES)


def test_all_hero_types_but_two_cost_what_their_figures_add_up_to(figures: Library) -> None:
    differing = {}
    for template in figures.templates:
        abilities = (template.strength, template.agility, template.intellect)
        worth = (
            sum(3 * ability.dice + ability.modifier for ability in abilities)
            + 2 * (template.mv - 6)
            + 2 * (template.defense - 7)
            + 2 * (template.life - 3)
            + 4
        )
        if worth != template.points:
            differing[template.key] = (worth, template.points)
    assert differing == {"alanti_pysgrif": (20, 18), "alanti_pysci": (15, 16)}


@pytest.mark.parametrize(
    ("key", "feature"),
    [
        pytest.param("human", "resourceful", marks=pytest.mark.rule("CB-BUILD-09")),
        pytest.param("illyrian", "master_mechanic", marks=pytest.mark.rule("CB-BUILD-10")),
        pytest.param("neiran", "brave", marks=pytest.mark.rule("CB-BUILD-11")),
        pytest.param("shrinaar", "pounce", marks=pytest.mark.rule("CB-BUILD-12")),
    ],
)
def test_free_features(figures: Library, key: str, feature: str) -> None:
    assert figures.templates[key].free == (Trait(feature),)
    assert figures.templates[key].mv == (4 if key == "illyrian" else 6)
    assert figures.templates[key].free_choices == 0


@pytest.mark.rule("CB-VEH-40")
def test_vehicle_template(figures: Library) -> None:
    vehicle = figures.templates["vehicle"]
    assert (vehicle.mv, vehicle.defense, vehicle.life, vehicle.points) == (6, 7, 5, 26)
    assert {vehicle.strength, vehicle.agility, vehicle.intellect} == {Rating(2, 0)}
    assert vehicle.sizes == ("M", "L")
    assert vehicle.free_choices == 1


def test_prices_and_maxima_of_the_builders(figures: Library) -> None:
    hero, vehicle = figures.builders["hero"], figures.builders["vehicle"]
    assert dict(hero.max_mv) == {"S": 8, "M": 10, "L": 12}
    assert dict(hero.max_life) == {"S": 5, "M": 6, "L": 7}
    assert dict(vehicle.max_mv) == {"M": 8, "L": 10}
    assert dict(vehicle.max_life) == {"M": 8, "L": 9}
    for builder in (hero, vehicle):
        assert (builder.upgrade_points, builder.max_dice, builder.max_modifier) == (10, 4, 3)
        assert (builder.die_cost, builder.modifier_cost, builder.max_defense) == (3, 1, 9)
        assert (builder.defense_cost, builder.life_cost, builder.mixed_slots_per_die) == (2, 2, 2)
    assert (hero.weapon_slots_per_die, hero.gear_slots_per_die) == (1, 1)
    assert (vehicle.weapon_slots_per_die, vehicle.gear_slots_per_die) == (0, 0)
    assert {t.key: t.free_choices for t in figures.templates if t.free_choices} == {
        "beast": 1,
        "cyberform": 1,
        "vehicle": 1,
    }
    assert {t.key for t in figures.templates if t.mv_cost == 4} == {
        "alanti_pysgrif",
        "alanti_pyswan",
        "alanti_pysci",
        "illyrian",
    }


@pytest.mark.rule("CB-VEH-52")
def test_vehicle_weapon_chart(figures: Library) -> None:
    own = """
    Mounted Lazblade|gcw|5|1|6
    Mounted Pincers|*|6|1|4
    Power Ram|*|5|0|7
    """
    mounted = [w for w in figures.vehicle_weapons if w.group == "mounted"]
    assert [[w.name, who(w), power(w), str(w.reach_inches), str(w.cost)] for w in mounted] == table(own)
    keys = {weapon.key for weapon in figures.vehicle_weapons}
    groups = {weapon.group for weapon in figures.vehicle_weapons}
    assert not groups & {"pistol", "hand", "bomb", "natural"}
    personal = {
        w.key for w in figures.weapons if w.group in {"rifle", "rapid_fire", "unique", "template", "grenade"}
    }
    assert personal - keys == {"long_rifle", "praetoris_carbine"}
    expected = {"gamma_disruptor_cannon": "neiran", "pulsar_heavy": "gcw,mekkus", "autopulsar": "gcw"}
    assert {key: who(figures.vehicle_weapons[key]) for key in expected} == expected
    assert who(figures.vehicle_weapons["neuro_pulse_r8"]) == "gcw,mekkus"
    assert who(figures.weapons["gamma_disruptor_cannon"]) == "gcw,mekkus"
    differing = {w.key for w in figures.vehicle_weapons if who(w) != who(figures.weapons[w.key])}
    assert differing == {
        "gamma_disruptor_cannon",
        "neuro_pulse_r4",
        "neuro_pulse_r8",
        "neuro_pulse_r12",
    }
    gcw = {w.key for w in figures.vehicle_weapons if "gcw" in w.affiliations and len(w.affiliations) < 4}
    lancers = {w.key for w in figures.vehicle_weapons if w.specialties == ("lancers",)}
    assert gcw - lancers == {"pulsar_rifle", "pulsar_heavy", "autopulsar"}
    assert lancers <= gcw
    assert figures.vehicle_weapons["gamma_disruptor_heavy"].damage == 2
    assert figures.vehicle_weapons["mounted_lazblade"].bonus_damage == (("living", 1),)


def test_maneuvers(figures: Library) -> None:
    assert {maneuver.key: dict(maneuver.values) for maneuver in figures.maneuvers} == {
        "turn": {"points": 1, "degrees": 45},
        "accelerate": {"points": 1, "mv_quarters": 2},
        "decelerate": {"points": 1, "mv_quarters": -2},
        "jink": {"points": 1, "base_widths": 1},
        "hard_turn": {"points": 2, "degrees": 90},
        "hard_acceleration": {"points": 2, "mv_quarters": 3},
        "hard_braking": {"points": 2, "mv_quarters": -3},
        "u_turn": {"points": 2, "degrees": 180},
    }


# ---------------------------------------------------------------- psionics

POWERS = """
calm_allies|8|1|7|
calm_attack|8|1|-|attack sight
deep_portal|0|1|7|
frighten|8|1|-|attack several
force_field|8|1|7|several
heal|0|1|7|
identify|12|2|7|sight
stun|8|1|-|attack sight shield
blast|12|1|-|attack shield several
probe|16|1|-|
power_blast|12|1|-|attack sight shield several
scan|16|1|-|
telekinesis_self|8|1|4|sight
telekinesis_ally|8|1|6|sight
telekinesis_attack|8|1|-|attack sight
"""


def test_powers(figures: Library) -> None:
    rows = []
    for use in figures.powers:
        flags = {
            "attack": use.attack,
            "sight": use.line_of_sight,
            "shield": use.shielded,
            "several": use.several_targets,
        }
        words = " ".join(word for word, present in flags.items() if present)
        rows.append([use.key, str(use.range_inches), str(use.actions), str(use.target or "-"), words])
    assert rows == table(POWERS)
    assert {use.key: use.damage for use in figures.powers if use.damage} == {"blast": 1, "power_blast": 1}
    assert len(figures.power_keys()) == 12
    assert [use.key for use in figures.power_uses("calm")] == ["calm_allies", "calm_attack"]
    with pytest.raises(UnknownEntry):
        figures.power_uses("levitation")


@pytest.mark.rule("CB-PSI-03")
def test_psionic_power_table(figures: Library) -> None:
    chart = figures.charts["psionic_power"]
    found = [(chart.row(dice).value("power"), chart.row(dice).value("shield")) for dice in range(1, 6)]
    assert found == [(3, 0), (5, -1), (7, -2), (9, -3), (9, -3)]


# ---------------------------------------------------------------- charts, crews, missions


@pytest.mark.rule("CB-GEN-03")
def test_base_sizes(figures: Library) -> None:
    sizes = {row.key: dict(row.values) for row in figures.charts["base_sizes"].rows}
    assert sizes == {
        "S": {"step": 0, "from_mm": 25, "to_mm": 30, "from_mm_15": 20, "to_mm_15": 20},
        "M": {"step": 1, "from_mm": 40, "to_mm": 40, "from_mm_15": 30, "to_mm_15": 30},
        "L": {"step": 2, "from_mm": 50, "from_mm_15": 40},
    }


@pytest.mark.rule("CB-CASU-04")
def test_casualty_chart(figures: Library) -> None:
    chart = figures.charts["casualty"]
    found = [chart.row(result).key for result in range(12)]
    assert found == ["dead"] * 2 + ["major_injury"] * 2 + ["minor_injury"] * 2 + ["okay"] * 6
    assert [chart.named(key).value("encounters_out") for key in ("major_injury", "minor_injury")] == [2, 1]


@pytest.mark.rule("CB-SALV-03")
def test_salvage_search_targets(figures: Library) -> None:
    rows = figures.charts["salvage_search"].rows
    assert {row.key: row.value("target") for row in rows} == {"casualty": 4, "man_made": 6, "natural": 8}


@pytest.mark.rule("CB-SALV-10")
def test_salvage_use_table(figures: Library) -> None:
    fields = ("tokens", "target", "successes", "other_tokens", "other_target", "other_successes")
    rows = [[row.value(field) for field in fields] for row in figures.charts["salvage_use"].rows]
    assert rows == [[3, 4, 2, 4, 5, 3], [4, 5, 3, 6, 7, 5], [5, 5, 5, 8, 8, 6]]
    level = figures.charts["build_level"]
    assert [level.row(points).value("level") for points in (0, 35, 36, 55, 56, 89)] == [1, 1, 2, 2, 3, 3]


@pytest.mark.rule("CB-UNDER-02", "CB-UNDER-03", "CB-UNDER-04", "CB-UNDER-05", "CB-UNDER-06")
def test_underdog_table(figures: Library) -> None:
    chart = figures.charts["underdog"]
    differences = (0, 24, 25, 50, 51, 100, 101, 150, 151, 200, 201, 500)
    assert [chart.row(points).value("battle_points") for points in differences] == [0, 0] + [10] * 10
    assert [chart.row(points).value("campaign_points") for points in differences] == [
        *(0, 0, 0, 0, 0, 0),
        *(1, 1, 2, 2, 3, 3),
    ]


@pytest.mark.rule("CB-CAMP-03")
def test_campaign_points(figures: Library) -> None:
    chart = figures.charts["result"]
    assert [chart.row(difference).value("campaign_points") for difference in range(8)] == [
        *(1, 1, 1, 1),
        *(2, 2, 3, 3),
    ]
    assert chart.row(6).key == "mighty_victory"


@pytest.mark.rule("CB-TERR-13")
def test_structures(figures: Library) -> None:
    rows = figures.charts["structures"].rows
    found = [(row.value("target"), row.value("life")) for row in rows]
    assert found == [(4, 1), (5, 2), (7, 3), (9, 4), (10, 5)]


@pytest.mark.rule("CB-MISS-33")
def test_scouting_trade(figures: Library) -> None:
    rows = [dict(row.values) for row in figures.charts["scouting_trade"].rows]
    assert rows == [
        {"successes": 3, "requisition_points": 10},
        {"successes": 3, "initiative_tokens": 1},
        {"successes": 3, "models": 1},
        {"successes": 4, "rugged": -1},
        {"successes": 5, "order_tokens": 1},
        {"successes": 7, "objective_points": 1},
    ]


def test_bands_of_the_rolled_charts(figures: Library) -> None:
    def bands(key: str) -> list[str]:
        return [figures.charts[key].row(face).key for face in range(1, 11)]

    assert bands("scatter") == ["one"] * 3 + ["two"] * 3 + ["three"] * 4
    assert bands("deep_portal") == ["near"] * 3 + ["off"] * 3 + ["far"] * 4
    assert bands("fire_growth") == ["grows"] * 3 + ["steady"] * 5 + ["out"] * 2
    assert bands("critical_damage") == [
        *(["none"] * 2 + ["out_of_control"] * 2),
        *(["careening"] * 3 + ["burning"] * 2 + ["explodes"]),
    ]
    assert bands("random_hazard") == [
        key for key in ("acid", "fire", "heat_or_cold", "slick", "toxic") for _ in range(2)
    ]
    assert bands("hazard_grade") == ["grade_1"] * 5 + ["grade_2"] * 4 + ["grade_3"]
    assert bands("low_gravity") == ["float"] * 4 + ["fly"] * 3 + ["tumble"] * 3
    assert bands("injury_or_out") == ["injury"] * 5 + ["out_of_action"] * 5
    assert len(set(bands("relics"))) == 10


def test_every_d10_chart_covers_every_face_once(figures: Library) -> None:
    for chart in figures.charts:
        if chart.die == "d10":
            for face in range(1, 11):
                assert sum(row.covers(face) for row in chart.rows) == 1, (chart.key, face)


def values(figures: Library, chart: str) -> dict[str, dict[str, int]]:
    return {row.key: dict(row.values) for row in figures.charts[chart].rows}


def test_what_the_size_of_a_base_changes(figures: Library) -> None:
    rows = figures.charts["size_effects"].rows
    names = ("burst_inches", "burst_dice", "burst_modifier", "knockback_inches", "telekinesis_inches")
    assert [[row.value(name) for name in names] for row in rows] == [
        [2, 1, 1, 6, 3],
        [4, 2, 2, 4, 2],
        [6, 3, 3, 2, 1],
    ]


def test_figures_of_the_rolled_charts(figures: Library) -> None:
    assert values(figures, "scatter") == {"one": {"widths": 1}, "two": {"widths": 2}, "three": {"widths": 3}}
    assert values(figures, "deep_portal") == {
        "near": {"inches": 2},
        "off": {"inches": 4},
        "far": {"inches": 6},
    }
    for chart in ("fire_growth", "acid_growth"):
        growth = [row.value("radius_inches") for row in figures.charts[chart].rows]
        assert growth == [1, 0, 0]
    assert values(figures, "critical_damage") == {
        "none": {},
        "out_of_control": {"moves": 1},
        "careening": {"moves": 2, "maneuvers": 3},
        "burning": {},
        "explodes": {"power": 7, "damage": 1, "inches": 3},
    }
    assert values(figures, "careening") == {
        "turn_left": {"degrees": -45},
        "turn_right": {"degrees": 45},
        "jink_left": {"base_widths": -1},
        "jink_right": {"base_widths": 1},
        "accelerate": {"mv_quarters": 2},
        "decelerate": {"mv_quarters": -2},
    }
    assert values(figures, "low_gravity") == {
        "float": {"moves": 1},
        "fly": {"moves": 2},
        "tumble": {"scatter_d10": 2},
    }
    assert values(figures, "relics") == {
        "alien_artifact": {"shield": 1},
        "ancient_text": {"order_points": 1, "recovered": 1},
        "boon": {"per_encounter": 1},
        "relic_weapon": {"modifier": 1},
        "trinket": {"per_encounter": 1},
        "lost_tech": {"per_encounter": 1, "successes": 1},
        "valuable_bauble": {"uses": 1, "points_d10": 2},
        "timebomb": {"uses": 1, "casualty": -1},
        "beacon": {"uses": 1},
        "crystalized_ultonium": {"uses": 1},
    }
    assert values(figures, "casualty_modifiers") == {
        "fled": {"modifier": 1},
        "severely_wounded": {"modifier": -1},
    }
    for injury in ("major_injury", "minor_injury"):
        assert values(figures, "casualty")[injury]["skill_modifier"] == -1


def test_hazards_by_grade(figures: Library) -> None:
    def grades(chart: str) -> list[dict[str, int]]:
        return [dict(figures.charts[chart].row(grade).values) for grade in (1, 2, 3)]

    assert grades("acid") == [{"power": 3, "dice": 1}, {"power": 4, "dice": 2}, {"power": 5, "dice": 3}]
    assert grades("toxic") == [{"power": 3, "dice": 1}, {"power": 5, "dice": 2}, {"power": 7, "dice": 3}]
    assert grades("heat_or_cold") == [
        {"mv_inches": -1},
        {"mv_inches": -2, "actions": -1},
        {"mv_halved": 1, "actions": -1, "power": 5, "damage": 1},
    ]
    assert grades("cover") == [{"shield": 1}, {"shield": 2}, {"shield": 3}]
    assert values(figures, "random_hazard") == {
        "acid": {},
        "fire": {"power": 5},
        "heat_or_cold": {},
        "slick": {"target": 7},
        "toxic": {},
    }
    assert [row.value("grade") for row in figures.charts["hazard_grade"].rows] == [1, 2, 3]


def test_what_missions_leave_behind(figures: Library) -> None:
    assert values(figures, "invasion_penalties") == {
        "casualty": {"casualty": -1},
        "initiative": {"initiative_tokens": -1},
        "reinforcements": {"model_cost": 1},
        "equipment": {"item_cost": 1},
    }
    bonuses = values(figures, "mission_bonuses")
    assert bonuses.pop("recovery_equipment") == {"relic_rolls": 1}
    assert bonuses.pop("invasion_base") == {"campaign_points": -2}
    assert set(bonuses) == {
        "abduction_escort",
        "abduction_rescue",
        "escort_colonize",
        "invasion_colonize",
        "invasion_sabotage",
        "recovery_model",
    }
    assert all(bonus == {"campaign_points": 1} for bonus in bonuses.values())


def test_bands_of_a_chart_join_without_gap_or_overlap(figures: Library) -> None:
    # Suggested game sizes are printed with shared ends and a gap.
    for chart in figures.charts:
        bands = [row for row in chart.rows if row.low is not None or row.high is not None]
        if chart.key != "game_sizes":
            for one, other in pairwise(bands):
                assert one.high is not None
                assert other.low == one.high + 1
        if bands and chart.die == "d10":
            assert bands[-1].high in (None, 10)


def test_last_bands_that_end(figures: Library) -> None:
    ends = {"natural_weapons": 7, "cover": 3, "acid": 3, "toxic": 3, "heat_or_cold": 3, "salvage_use": 3}
    assert {key: figures.charts[key].rows[-1].high for key in ends} == ends


def test_a_chart_has_no_row_for_what_it_does_not_cover(figures: Library) -> None:
    chart = figures.charts["relics"]
    with pytest.raises(LookupError):
        chart.row(11)
    with pytest.raises(LookupError):
        chart.named("no_such_relic")
    with pytest.raises(LookupError):
        chart.row(1).value("no_such_figure")


@pytest.mark.rule("CB-CREW-08")
def test_affiliations(figures: Library) -> None:
    assert {note.key: set(note.types) for note in figures.affiliations} == {
        "edofleini": {"edofleini", "edokin"},
        "gcw": {"human", "illyrian", "shrinaar", "alanti", "robot", "beast", "cyberform"},
        "mekkus": {"robot", "cyberform"},
        "neiran": {"neiran", "beast"},
    }


@pytest.mark.rule("CB-CREW-02")
def test_suggested_sizes(figures: Library) -> None:
    chart = figures.charts["game_sizes"]
    assert [(row.low, row.high) for row in chart.rows] == [(200, 400), (400, 600), (800, None)]


@pytest.mark.rule("CB-SPEC-08")
def test_prey_of_a_hunting_party(figures: Library) -> None:
    assert {note.name: (set(note.types), note.value("fled_counts")) for note in figures.preys} == {
        "Big Game Hunters": ({"beast"}, 1),
        "Bounty Hunters": ({"hero"}, 0),
        "Harbingers of Doom": ({"living"}, 0),
        "Masters of Metal": ({"cyberform", "robot"}, 0),
        "Witch Hunters": ({"psionic"}, 0),
    }


def test_specialties_and_missions(figures: Library) -> None:
    assert len(figures.specialties) == 14
    assert figures.specialties["pirates"].hero_grants == ("ferocious", "scary")
    assert figures.specialties["lancers"].value("initiative_tokens") == 2
    assert figures.specialties["lancers"].value("panic") == 0
    assert [mission.name for mission in figures.missions] == [
        "Abduction",
        "Escort",
        "Invasion",
        "Recovery",
        "Sabotage",
        "Scouting",
    ]
    assert {mission.key: dict(mission.values) for mission in figures.missions} == {
        "abduction": {"held": 3, "declared": 2, "thwarted": 1, "secret_plans": 1},
        "escort": {
            "arrived": 3,
            "declared": 2,
            "thwarted": 3,
            "deploy_arc_inches": 12,
            "marker_inches": 12,
            "arrival_inches": 2,
        },
        "invasion": {"per_turn": 1, "control_inches": 6},
        "recovery": {
            "found": 4,
            "home": 6,
            "target": 7,
            "successes": 10,
            "search_inches": 1,
            "markers_beyond_players": 1,
            "zone_inches": 12,
            "apart_inches": 6,
            "object_percent": 25,
            "trap_inches": 1,
            "trap_power": 5,
            "trap_dice": 3,
            "trap_modifier": 2,
            "trap_template_inches": 3,
        },
        "sabotage": {
            "per_success": 1,
            "target": 8,
            "zone_inches": 12,
            "apart_inches": 6,
            "successes_per_relic": 3,
        },
        "scouting": {
            "per_success": 1,
            "target": 7,
            "markers": 3,
            "zone_inches": 12,
            "apart_inches": 12,
            "search_inches": 1,
        },
    }
    assert {note.key: dict(note.values) for note in figures.specialties} == {
        "emergency_medical_team": {"medicine": 1, "rerolls": 1, "casualty": 1},
        "galactic_defenders": {"teamwork_fire": 1, "panic": -1},
        "hunting_party": {"bonus_percent": 10},
        "intrepid_explorers": {},
        "lancers": {"initiative_tokens": 2},
        "marauders": {"strength_or_agility": 1},
        "engineering_team": {"engineering": 1, "rerolls": 1, "casualty": 1},
        "pirates": {"outnumbering": 1},
        "psionic_experiment": {"psionics": 1, "powers": 1},
        "recovery_agents": {"salvage_search": 1},
        "salvage_team": {"searches": 1, "building": 1},
        "science_team": {"technology": 1, "rerolls": 1},
        "scouting_party": {"initiative_tokens": 2},
        "survey_team": {"victory_points": 1, "square_inches": 12},
    }
    assert figures.affiliations["gcw"].value("specialties") == 1


# ---------------------------------------------------------------- the reader


def sources() -> dict[str, str]:
    folder = resources.files("rules.systems.counterblast").joinpath("data")
    return {file: folder.joinpath(file).read_text(encoding="utf-8") for file in library.FILES}


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("roster.toml", 'weapons = ["bite_p3"]', 'weapons = ["bite_p9"]', "eye_slug, field `weapons`"),
        ("roster.toml", '"acid_spit"', '"acid_spite"', "eye_slug, field `features`"),
        ("roster.toml", 'strength = "1D+0"', 'strength = "1d10"', "eye_slug, field `strength`"),
        ("roster.toml", 'types = ["beast"]', 'types = ["beest"]', "eye_slug, field `types`"),
        ("roster.toml", "mv = 4\n", "", "eye_slug, field `mv` is missing"),
        ("roster.toml", "mv = 4\n", "mv = 4\nspeed = 4\n", "eye_slug, field `speed`"),
        ("roster.toml", 'psionic = "2D+0"\n', "", "thulle, field `psionic`"),
        ("roster.toml", '"knack:technology"', '"knack:cooking"', "dr_helen_salinger, field `features`"),
        ("roster.toml", 'size = ["S"]', 'size = ["XL"]', "eye_slug, field `size`"),
        ("roster.toml", 'key = "thulle"', 'key = "eye_slug"', "More than one model has the key 'eye_slug'"),
        ("roster.toml", 'name = "Thulle"', 'name = "eye  SLUG"', "another row already has that name"),
        ("weapons.toml", "power = 5\n", "power = 55\n", "arc_halberd, field `power`"),
        ("weapons.toml", 'effects = ["arc"]', 'effects = ["ark"]', "arc_halberd, field `effects`"),
        ("weapons.toml", 'specialties = ["lancers"]', 'specialties = ["dancers"]', "slugger_pistol"),
        ("gear.toml", 'grants = ["fly"]', 'grants = ["flie"]', "rocket_pack, field `grants`"),
        ("gear.toml", 'only = ["hero"]', 'only = ["heroine"]', "watchdog, field `only`"),
        ("gear.toml", "checks = { technology = 1 }", "checks = { tech = 1 }", "techpad, field `checks`"),
        ("charts.toml", "low = 2\nhigh = 3", "low = 3\nhigh = 2", "field `high`"),
        ("vehicles.toml", 'specialties = ["lancers"]', 'specialties = ["lances"]', "mounted_lazblade"),
        ("vehicles.toml", 'key = "void_rifle"', 'key = "void_riffle"', "void_riffle, field `key`"),
        ("heroes.toml", 'free = ["brave"]', 'free = ["braver"]', "neiran, field `free`"),
        ("powers.toml", "target = 7", 'target = "seven"', "calm_allies, field `target`"),
        ("missions.toml", "[[mission]]", "[[mission]", "missions.toml"),
    ],
)
def test_a_wrong_figure_is_refused_with_its_place(file: str, old: str, new: str, message: str) -> None:
    texts = sources()
    assert old in texts[file]
    texts[file] = texts[file].replace(old, new, 1)
    with pytest.raises(DataError) as refused:
        library.read(texts)
    assert message in str(refused.value)


def test_a_missing_file_is_named() -> None:
    texts = sources()
    del texts["gear.toml"]
    with pytest.raises(DataError, match=r"gear\.toml: the file is missing"):
        library.read(texts)


def test_an_empty_file_is_named() -> None:
    texts = sources()
    texts["powers.toml"] = ""
    with pytest.raises(DataError, match=r"powers\.toml: a list of rows is missing"):
        library.read(texts)


def test_names_are_found_whatever_their_case(figures: Library) -> None:
    assert figures.profiles.named("  sally   STARFIELD ").key == "sally_starfield"
    assert figures.profiles.named("sally_starfield").key == "sally_starfield"
    assert figures.weapons.named("pulsar rifle").power == 6
    assert "pulsar_rifle" in figures.weapons
    assert "sally" not in figures.profiles


def test_an_unknown_name_is_a_sentence_for_the_player(figures: Library) -> None:
    with pytest.raises(UnknownEntry, match="There is no weapon called 'spoon'"):
        figures.weapons.named("Spoon".lower())
    with pytest.raises(UnknownEntry, match="There is no model called 'nobody'"):
        figures.profiles["nobody"]


def test_the_library_is_read_once_and_hashable(figures: Library) -> None:
    assert load() is figures
    assert len({*figures.profiles, *figures.profiles}) == 67
    hash(figures.weapons["grenade"])
    hash(figures.gear["scanner"])
    hash(next(iter(figures.charts)))


def test_every_row_says_which_rules_it_comes_from(figures: Library) -> None:
    for catalogue in (figures.weapons, figures.gear, figures.features, figures.powers, figures.charts):
        for entry in catalogue:
            assert isinstance(entry, (Weapon, Gear, Chart)) or entry.text
            assert entry.rules, entry.key
            assert all(rule.startswith("CB-") for rule in entry.rules)


def test_what_is_unsure_names_a_field_and_a_reason(figures: Library) -> None:
    for catalogue in (figures.profiles, figures.weapons, figures.gear, figures.features, figures.templates):
        for entry in catalogue:
            for note in entry.unsure:
                fields, _, reason = note.partition(": ")
                assert all(hasattr(entry, field) for field in fields.split(", ")), (entry.key, note)
                assert reason
