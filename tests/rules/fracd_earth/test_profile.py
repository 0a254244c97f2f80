import json

import pytest

from rules.refusals import InvalidInput
from rules.systems.fracd_earth.profile import (
    CrewEffect,
    Profile,
    Skill,
    read_json,
    read_text,
    write_json,
    write_text,
)
from rules.systems.fracd_earth.weapons import Weapon, read_rank, read_weapon

CARD = """
name: Mara Volt
size: 5
move: 7
capacity: 12
traits: Cast 3, Def 5, Fight 6, Manv 4, Shoot 5
resists: Body 4, dp 2
skill: Notice [+ +] +3
skill: Stealth -
effect: Keen Eye // sight // Shoot // +1 // +0
weapon: 5 // Rifle // [+] // Range 24 // 3 M vs dp // Burst; Touch
weapon: ♠ // Grip // - // Reach 1/2 // 2 AoN vs Mind
"""


def test_text_is_read():
    mara = read_text(CARD)
    assert (mara.name, mara.size, mara.move_inches, mara.capacity) == ("Mara Volt", 5, 7, 12)
    assert (mara.trait("fight"), mara.trait("dp"), mara.trait("soul")) == (6, 2, 0)
    assert mara.skills == (Skill("Notice", 2, 3), Skill("Stealth", 0))
    assert mara.effects == (CrewEffect("Keen Eye", "sight", "Shoot", 1, 0),)


@pytest.mark.rule("FE-WPN-01", "FE-WPN-02", "FE-WPN-03", "FE-WPN-04")
def test_weapon_lines():
    rifle, grip = read_text(CARD).weapons
    assert rifle == Weapon(
        "Rifle", 3, "M", "dp", tech=5, rank=1, range_inches=24, abilities=("Burst", "Touch")
    )
    assert grip == Weapon("Grip", 2, None, "mind", suit="spades", reach_inches=0.5)
    assert (rifle.by_armour, rifle.all_or_nothing) == (True, False)
    assert (grip.by_armour, grip.all_or_nothing) == (False, True)
    for severity in ("VL", "L", "M", "H", "VH"):
        assert read_weapon(f"1 // Gun // - // Range 4 // 1 {severity} vs de").severity == severity


@pytest.mark.rule("FE-WPN-01", "FE-WPN-04")
@pytest.mark.parametrize(
    "line",
    [
        "",
        "0 // Gun // - // Range 4 // 1 M vs dp",
        "11 // Gun // - // Range 4 // 1 M vs dp",
        "cups // Gun // - // Range 4 // 1 M vs dp",
        "1 // Gun // [+ + + +] // Range 4 // 1 M vs dp",
        "1 // Gun // - // Range 3 // 1 M vs dp",
        "1 // Gun // - // Reach 3 // 1 M vs dp",
        "1 // Gun // - // Range 4 // 0 M vs dp",
        "1 // Gun // - // Range 4 // 1 XL vs dp",
        "1 // Gun // - // Range 4 // 1 M vs luck",
        "1 //  // - // Range 4 // 1 M vs dp",
        "1 // Gun // - // Range 4 // 1 M vs dp // ",
    ],
)
def test_bad_weapons(line):
    with pytest.raises(InvalidInput):
        read_weapon(line)


@pytest.mark.rule("FE-MOD-01")
def test_ranks():
    assert [read_rank(text) for text in ("-", "[+]", "[+ +]", "[+++]", "master")] == [0, 1, 2, 3, 3]


def test_round_trips():
    mara = read_text(CARD)
    assert read_text(write_text(mara)) == mara
    assert read_json(write_json(mara)) == mara
    plain = Profile("X", rank="minion", second_capacity=3, surge_ranks=4, build=9)
    assert read_text(write_text(plain)) == plain
    assert read_json(write_json(plain)) == plain


@pytest.mark.parametrize(
    "text",
    [
        "",
        "size: 4",
        "name: A\nsize: 21",
        "name: A\nmove: 0",
        "name: A\nmove: ٣",
        "name: A\ncapacity: -1",
        "name: A\nname: B",
        "name: A\nluck: 3",
        "name: A\ntraits: Luck 3",
        "name: A\ntraits: Fight 3, Fight 4",
        "name: A\ntraits: Fight 31",
        "name: A\nskill: Notice",
        "name: A\nrank: king",
        "name: A\neffect: x",
        "name: A\nweapon: gun",
        "just words",
        "name: " + "x" * 9000,
    ],
)
def test_bad_cards(text):
    with pytest.raises(InvalidInput):
        read_text(text)


@pytest.mark.parametrize(
    "given",
    [
        [],
        {"name": 3},
        {"name": "A", "luck": 1},
        {"name": "A", "size": "4"},
        {"name": "A", "size": True},
        {"name": "A", "traits": {"luck": 1}},
        {"name": "A", "traits": [1]},
        {"name": "A", "skills": [["Notice"]]},
        {"name": "A", "weapons": [3]},
        {"name": "A", "skills": [["Notice", 9, 0]]},
    ],
)
def test_bad_json(given):
    with pytest.raises(InvalidInput):
        read_json(json.dumps(given))


def test_no_json():
    with pytest.raises(InvalidInput):
        read_json("{")
    with pytest.raises(InvalidInput):
        read_json("[" * 5000)
