import pytest

from rules.refusals import InvalidInput
from rules.systems.infinity import profile_text
from rules.systems.infinity.profile import Band, Profile, Skill, Trait, Weapon
from rules.systems.infinity.profile_text import read_profile, read_weapon, to_json, write_profile
from rules.systems.infinity.settings import Settings
from tests.rules.infinity.troops import FUSILIER

FULL = (
    "Dogface: MOV 4-4, CC 14, BS 11, PH 12, WIP 12, ARM 1, BTS 3, W 1, S 2, COST 22, TYPE WB, IRREGULAR;"
    " Chain Rifle B1 DAM 13 TEMPLATE; Breaker B2 DAM 12 AMMO AP BTS RANGE 8:+3 16:0 24:-3;"
    " Missile B1 DAM 14 AMMO EXP; DA CC Weapon CC B1 DAM PH+2 AMMO DA;"
    " Skills Transmutation, CH: Camouflage, Martial Arts L2, Terrain (Mountain)"
    " => Dog-Warrior: MOV 6-4, CC 20, PH 16, STR 2; Skills Super-Jump, Total Reaction"
)


def test_the_short_form():
    profile = read_profile("BS 12, ARM 1, MOV 4-4, W 1; Combi Rifle B3 DAM 13", name="Angus")
    expected = Profile("Angus", (4, 4), bs=12, arm=1, wounds=1, weapons=(Weapon("Combi Rifle", 3, 13),))
    assert profile == expected


def test_the_long_form():
    profile = read_profile(FULL)
    assert (profile.name, profile.irregular, profile.type, profile.cost) == ("Dogface", True, "WB", 22)
    breaker = profile.weapon("breaker")
    assert breaker.bands == (Band(8, 3), Band(16, 0), Band(24, -3))
    assert (breaker.ammunition, breaker.rolls, breaker.bts) == ("AP", 1, True)
    assert profile.weapon("Missile").rolls == 3
    blade = profile.weapon("DA CC Weapon")
    assert (blade.close, blade.physical, blade.damage, blade.rolls) == (True, True, 2, 2)
    assert Trait("terrain", 0, "Mountain") in profile.skills
    assert profile.has(Skill.CAMOUFLAGE)
    assert profile.alternate.structure
    assert profile.alternate.wounds == 2
    assert profile.alternate.has(Skill.SUPER_JUMP)


@pytest.mark.parametrize("text", [FUSILIER, FULL, "W 1", "BS 30, W 10; A B10 DAM 40 ROLLS 5"])
def test_round_trip(text):
    profile = read_profile(text)
    assert read_profile(write_profile(profile)) == profile
    assert read_profile(to_json(profile)) == profile
    assert write_profile(read_profile(write_profile(profile))) == write_profile(profile)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "BS 31",
        "BS -1",
        "BS twelve",
        "BS ١٢",
        "ARM 16",
        "W 0",
        "W 11",
        "W 1, STR 2",
        "BS 12, BS 12",
        "MOV 4",
        "MOV 21-4",
        "XX 3",
        "TYPE ZZ",
        "COST 501",
        "BS 12; Rifle",
        "BS 12; Rifle B0 DAM 13",
        "BS 12; Rifle B11 DAM 13",
        "BS 12; Rifle B3 DAM 41",
        "BS 12; Rifle B3 DAM PH+13",
        "BS 12; Rifle B3 DAM 13 ROLLS 6",
        "BS 12; Rifle B3 DAM 13 NOISE",
        "BS 12; Rifle B3 DAM 13 RANGE 16:+3 8:+3",
        "BS 12; Rifle B3 DAM 13 RANGE 8:+13",
        "BS 12; Rifle B3 DAM 13 BTS BTS",
        "BS 12; Rifle B3 DAM 13; RIFLE B3 DAM 13",
        "BS 12; Skills Valor L2 L3 (",
        "BS 12 => BS 13 => BS 14",
        "<@123>: BS 12",
        "x" * 61 + ": BS 12",
        "BS 12;" * 1000,
        "{",
        "[]",
        '{"name": "A", "bs": "12"}',
        '{"name": "A", "bs": true}',
        '{"name": "A", "bs": 1.5}',
        '{"name": "A", "mov": [4]}',
        '{"name": "A", "mov": 4}',
        '{"name": "A", "weapons": "Rifle"}',
        '{"name": "A", "what": 1}',
        '{"w": 1, "wounds": 2}',
        '{"str": 1, "mov": "4"}',
        '{"name": "A", "alternate": {"name": "B", "alternate": {"name": "C"}}}',
    ],
)
def test_what_is_refused(text):
    with pytest.raises(InvalidInput) as refusal:
        read_profile(text)
    assert refusal.value.sentence


def test_json_knows_the_words_of_the_text():
    text = "MOV 4-4, BS 12, STR 2; Rifle B3 DAM 13"
    assert read_profile('{"MOV": "4-4", "BS": 12, "STR": 2, "weapons": ["Rifle B3 DAM 13"]}') == read_profile(
        text
    )
    assert read_profile('{"w": 2}', name="Jay").name == "Jay"


def test_a_missing_attribute_is_asked_for():
    with pytest.raises(InvalidInput, match="Add CC"):
        read_profile("Angus: BS 12").attribute("cc")
    with pytest.raises(InvalidInput, match="Combi Rifle"):
        read_profile(FUSILIER).weapon("HMG")


@pytest.mark.rule("INF-LVL-01", "INF-VET-04")
def test_levels_bring_the_lower_ones_along():
    profile = read_profile("W 1; Skills Strategos L3, Valor L2, Veteran L2, Martial Arts L3, Sensor")
    assert profile.levels(Skill.STRATEGOS) == {1, 2, 3}
    assert profile.levels(Skill.VALOR) == {1, 2, 3}
    assert profile.levels(Skill.VETERAN) == {1, 2}
    assert profile.levels(Skill.SIXTH_SENSE) == {1, 2}
    assert profile.levels(Skill.MARTIAL_ARTS) == {3}
    assert profile.levels(Skill.SENSOR) == {1}
    assert profile.levels(Skill.SUPER_JUMP) == frozenset()
    alone = Settings(cumulative_levels=False)
    assert profile.levels(Skill.STRATEGOS, alone) == {3}
    assert profile.levels(Skill.VALOR, alone) == {2, 3}
    assert profile.levels(Skill.VETERAN, alone) == {2}
    assert profile.levels(Skill.SIXTH_SENSE, alone) == {2}
    young = read_profile("W 1; Skills Veteran L1")
    assert young.levels(Skill.SIXTH_SENSE) == frozenset()
    assert young.levels(Skill.VALOR) == frozenset()


@pytest.mark.rule("INF-BS-02")
def test_the_reference_weapon():
    combi, blade = read_profile("BS 12, W 1; combi rifle; CC Weapon").weapons
    bands = (Band(8, 3), Band(16, 3), Band(32, -3), Band(48, -6))
    assert combi == Weapon("Combi Rifle", 3, 13, bands=bands)
    assert read_weapon("Combi Rifle B3 DAM 13 RANGE 8:+3 16:+3 32:-3 48:-6") == combi
    assert blade == read_weapon("CC Weapon CC B1 DAM PH")
    with pytest.raises(InvalidInput, match="can't read the weapon 'Plasma Rifle'"):
        read_weapon("Plasma Rifle")


@pytest.mark.parametrize(
    "text",
    [
        "[[row]]\nskill = 'dance'",
        "[[row]]\nskill = 'berserk'\nattack = 13",
        "[[row]]\nskill = 'berserk'\nattack = '6'",
        "[[row]]\nskill = 'berserk'\n[[row]]\nskill = 'berserk'",
        "[[row]]\nskill = 'berserk'\nfoo = 1",
        "[[row",
    ],
)
def test_faulty_charts_are_refused(text):
    with pytest.raises(InvalidInput):
        profile_text.read_charts(text)
