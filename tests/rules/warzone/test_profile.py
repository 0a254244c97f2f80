import json

import pytest

from rules.refusals import InvalidInput
from rules.systems.warzone.notation import (
    parse_json,
    parse_profile,
    parse_weapon,
    profile_json,
    profile_text,
    weapon_text,
)
from rules.systems.warzone.profile import BOUNDS, Weapon
from rules.systems.warzone.settings import Settings, choices, with_setting
from tests.rules.warzone.build import profile

ROCK = """Sergeant Rock
CC 8 RC 10 PW 0 LD 12 AC 3 WD 1 ST 5 MV 4 SZ 2 AR 22
leader, ai 2, Force Commander
weapon Punisher: DM 13, ROF 2, PB +1, SR +2/3, MR 0, LR -2, ER -, AV 2, x2, concussive
weapon Sword: DM 6, close
"""


@pytest.mark.rule("WZ-STAT-01")
def test_a_profile_typed_as_text():
    rock = parse_profile(ROCK)
    stats = (rock.cc, rock.rc, rock.pw, rock.ld, rock.ac, rock.wd, rock.st, rock.mv, rock.sz, rock.ar)
    assert stats == (8, 10, 0, 12, 3, 1, 5, 4, 2, 22)
    assert (rock.ai, rock.movement, rock.traits) == (2, "foot", ("leader", "force_commander"))
    gun = Weapon("Punisher", 13, 2, (1, 2, 0, -2, None), (None, 3, None, None, None), 2, 2, ("concussive",))
    assert rock.weapon("punisher") == gun
    assert rock.weapon("Sword").has("close")
    assert parse_profile(ROCK.replace("\n", ";")) == rock
    with pytest.raises(InvalidInput):
        rock.weapon("Axe")


@pytest.mark.rule("WZ-STAT-01")
@pytest.mark.parametrize(
    "given",
    [
        parse_profile(ROCK),
        profile("Tank", movement="tracked", traits=("vehicle",), dire=2, cybernetics=1),
        profile("Ünit", weapons=(Weapon("Jet", 12, flags=("template", "no_roll")),)),
    ],
)
def test_round_trips(given):
    assert parse_profile(profile_text(given)) == given
    assert parse_json(profile_json(given)) == given
    for weapon in given.weapons:
        assert parse_weapon(weapon_text(weapon)) == weapon


def test_a_figure_that_is_no_number_is_named():
    with pytest.raises(InvalidInput, match="I don't understand CC nan"):
        parse_profile(ROCK.replace("CC 8", "CC nan"))


@pytest.mark.rule("WZ-STAT-01")
@pytest.mark.parametrize("stat", BOUNDS)
def test_bounds_of_every_characteristic(stat):
    low, high = BOUNDS[stat]
    for number in (low, high):
        assert getattr(profile(**{stat.lower(): number}), stat.lower()) == number
    for number in (low - 1, high + 1, True, 1.0, "3"):
        with pytest.raises(InvalidInput):
            profile(**{stat.lower(): number})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Rock",
        ROCK.replace("RC 10", ""),
        ROCK.replace("RC 10", "RC 10 RC 9"),
        ROCK.replace("RC 10", "RC ten"),
        ROCK.replace("RC 10", "RC 99"),
        ROCK.replace("leader", "wizard"),
        ROCK.replace("concussive", "sticky"),
        ROCK.replace("DM 13, ", ""),
        ROCK.replace("DM 13", "DM 999"),
        ROCK.replace("ROF 2", "ROF 0"),
        ROCK.replace("PB +1", "PB +99"),
        ROCK.replace("x2", "x99"),
        ROCK.replace("Sword", "punisher"),
        ROCK.replace("Sword: ", "Sword "),
        "x" * 61 + ROCK,
        ROCK + "\n" * 4000,
        ROCK + "".join(f"weapon W{n}: DM 1\n" for n in range(11)),
    ],
)
def test_refused_texts(text):
    with pytest.raises(InvalidInput) as refusal:
        parse_profile(text)
    assert refusal.value.sentence.endswith(".")


def test_refused_json():
    good = json.loads(profile_json(parse_profile(ROCK)))
    bad = ["{", "[]", "[" * 3000, json.dumps({"name": "X"}), json.dumps(good | {"luck": 3})]
    changes = (
        {"name": 4},
        {"CC": "8"},
        {"CC": True},
        {"traits": "leader"},
        {"traits": [3]},
        {"movement": "boat"},
        {"weapons": [4]},
        {"weapons": [{"name": "A", "DM": 3, "bands": {"PB": [1, 2, 3]}}]},
        {"weapons": [{"name": "A", "DM": 3, "bands": {"XX": 1}}]},
        {"weapons": [{"name": "A", "DM": 3, "bands": {"PB": "1"}}]},
        {"weapons": [{"name": "A", "DM": None}]},
        {"ai": "2"},
    )
    bad += [json.dumps(good | change) for change in changes]
    for text in bad:
        with pytest.raises(InvalidInput):
            parse_json(text)


def test_settings_are_typed_by_name():
    assert with_setting(Settings(), "fall_prone", "no").fall_prone is False
    assert with_setting(Settings(), "cc_crit_dm", "4").cc_crit_dm == 4
    assert with_setting(Settings(), "spot_stat", "rc").spot_stat == "RC"
    for name, text in (("luck", "yes"), ("fall_prone", "maybe"), ("cc_crit_dm", "99"), ("cc_crit_dm", "x")):
        with pytest.raises(InvalidInput):
            with_setting(Settings(), name, text)
    with pytest.raises(InvalidInput):
        Settings(spot_stat="XX")
    assert set(choices()) == set(Settings.__dataclass_fields__)
