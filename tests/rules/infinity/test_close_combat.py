from dataclasses import replace

import pytest

from rules.dice import Solver
from rules.refusals import Forbidden, InvalidInput
from rules.systems.infinity.close_combat import (
    Charge,
    Fighter,
    assault,
    charge_inches,
    imposed_modifiers,
    melee,
)
from rules.systems.infinity.orders import Part, check_order
from rules.systems.infinity.profile import Skill
from rules.systems.infinity.profile_text import chart, read_charts, read_weapon
from tests.rules.infinity.troops import trooper

BLADE = read_weapon("CC Weapon CC B1 DAM PH")
TEXT = "Fighter: MOV 4-4, CC 18, PH 12, W 1; Skills Martial Arts L5, Berserk, Assault"
PROFILE = trooper(text=TEXT).profile


def fighter(**fields):
    return Fighter(**({"profile": PROFILE, "weapon": BLADE} | fields))


def values(ready):
    return ready.value, ready.burst, ready.damage_mod, ready.opposed


@pytest.mark.rule("INF-CC-01")
def test_a_cc_attack():
    assert values(melee(fighter())) == (18, 1, 0, True)
    assert not melee(fighter(), enemy_affects=False).opposed
    with pytest.raises(Forbidden, match="close combat weapon"):
        melee(fighter(weapon=read_weapon("Rifle B3 DAM 13")))


@pytest.mark.rule("INF-CC-02")
def test_allies_in_the_melee_add_dice():
    assert melee(fighter(allies=2)).burst == 3


@pytest.mark.rule("INF-CC-03", "INF-SIX-03")
def test_surprise_attack():
    sneaking = fighter(surprise=True)
    assert melee(fighter(), sneaking).value == 12
    assert melee(fighter(sixth_sense=frozenset({1})), sneaking).value == 18
    # Level 2 alone does not list it
    assert melee(fighter(sixth_sense=frozenset({2})), sneaking).value == 12
    assert imposed_modifiers(sneaking, opposed=False) == ()


@pytest.mark.rule("INF-CCS-10")
@pytest.mark.parametrize(
    ("level", "row"),
    [(1, (0, -3, 1, 0)), (2, (0, 0, 3, 0)), (3, (3, -3, 0, 0)), (4, (0, 0, 0, 1)), (5, (0, -6, 0, 0))],
)
def test_martial_arts_chart(level, row):
    found = chart(Skill.MARTIAL_ARTS, level)
    assert (found.attack, found.opponent, found.damage, found.burst) == row


@pytest.mark.rule("INF-CCS-10")
def test_martial_arts_five_takes_over_the_enemys_burst_bonus():
    enemy = fighter(martial_arts=4, allies=1)
    assert melee(enemy, fighter(martial_arts=5)).burst == 3
    assert melee(fighter(martial_arts=5), enemy).burst == 3
    assert melee(fighter(martial_arts=4), enemy).burst == 2


@pytest.mark.rule("INF-CCS-05", "INF-CCS-06", "INF-CCS-07", "INF-CCS-08")
def test_what_the_columns_mean():
    assert values(melee(fighter(martial_arts=3))) == (21, 1, 0, True)
    assert melee(fighter(), fighter(martial_arts=3)).value == 15
    assert melee(fighter(martial_arts=4)).burst == 2
    ready = melee(fighter(martial_arts=2))
    assert BLADE.damage_of(12, ready.damage_mod) == 15
    assert read_weapon("Monofilament CC B1 DAM 12").damage_of(10, ready.damage_mod) == 12
    # opponent MODs only in a Face to Face Roll
    assert melee(fighter(), fighter(martial_arts=3), enemy_affects=False).value == 18


@pytest.mark.rule("INF-CCS-09")
def test_notes_are_shown_as_text():
    assert chart(Skill.BERSERK).special
    assert chart(Skill.ASSAULT).damage_type == ""


@pytest.mark.rule("INF-CCS-04", "INF-CCS-11")
def test_different_skills_together_one_level_of_each():
    ready = melee(fighter(martial_arts=3, berserk=True))
    assert values(ready) == (18 + 3 + 6, 1, 0, False)
    assert {modifier.reason for modifier in ready.modifiers} == {"martial arts L3", "berserk"}


@pytest.mark.rule("INF-CCS-01", "INF-CCS-04")
def test_skills_are_a_choice_among_those_the_trooper_has():
    assert melee(fighter()).modifiers == ()
    green = trooper(text="Green: CC 13, PH 10; Skills Martial Arts L2").profile
    assert melee(fighter(profile=green, martial_arts=1)).damage_mod == 1
    for fields in ({"martial_arts": 3}, {"berserk": True}, {"assault": True}):
        with pytest.raises(Forbidden):
            melee(fighter(profile=green, **fields))


@pytest.mark.rule("INF-CCS-02")
def test_cc_skills_need_base_contact_but_for_assault():
    with pytest.raises(Forbidden, match="base contact"):
        melee(fighter(martial_arts=1, contact=False))
    assert melee(fighter(assault=True, contact=False)).value == 15


@pytest.mark.rule("INF-CCS-03")
def test_cc_skills_work_in_both_turns():
    for active in (True, False):
        assert melee(fighter(martial_arts=3, active=active)).value == 21


@pytest.mark.rule("INF-CCS-11")
def test_berserk_makes_both_rolls_normal():
    raging, enemy = fighter(berserk=True), fighter()
    assert values(melee(raging, enemy)) == (24, 1, 0, False)
    assert values(melee(enemy, raging)) == (18, 1, 0, False)
    assert values(melee(replace(raging, active=False), enemy)) == (24, 1, 0, False)
    with pytest.raises(Forbidden, match="either"):
        melee(replace(raging, assault=True))
    # Berserk lets its user Assault in the Active Turn only
    wild = trooper(text="Wild: CC 18, PH 12; Skills Berserk").profile
    assert melee(fighter(profile=wild, assault=True)).value == 15
    with pytest.raises(Forbidden):
        melee(fighter(profile=wild, assault=True, active=False))


@pytest.mark.rule("INF-ASL-04")
def test_the_assault_chart():
    row = chart(Skill.ASSAULT)
    assert (row.attack, row.opponent, row.damage, row.burst) == (-3, 0, 0, 0)
    assert values(melee(fighter(assault=True))) == (15, 1, 0, True)


@pytest.mark.rule("INF-ASL-01")
def test_assault_is_an_entire_order_of_the_active_turn():
    check_order([Part.ENTIRE])
    with pytest.raises(Forbidden, match="in ARO"):
        assault(PROFILE, 5, active=False)
    with pytest.raises(Forbidden, match="needs Assault or Berserk"):
        assault(trooper().profile, 5)


@pytest.mark.rule("INF-ASL-02", "INF-ASL-03")
def test_an_assault_reaches_both_mov_values():
    assert charge_inches(PROFILE) == 8
    assert assault(PROFILE, 8) == Charge(contact=True, inches=8)
    assert assault(PROFILE, 8.1).contact is False
    with pytest.raises(Forbidden, match="line of fire"):
        assault(PROFILE, 5, line_of_fire=False)


@pytest.mark.rule("INF-ASL-05")
def test_path_and_target_are_declared_together():
    with pytest.raises(Forbidden, match="before any AROs"):
        assault(PROFILE, 5, path_declared=False)


@pytest.mark.rule("INF-ASL-06")
def test_an_assault_that_falls_short_only_moves():
    assert assault(PROFILE, 12) == Charge(contact=False, inches=8)


def test_charts_can_be_edited():
    rows = read_charts("[[row]]\nskill = 'martial_arts'\nlevel = 1\nattack = 5\n")
    assert chart(Skill.MARTIAL_ARTS, 1, rows).attack == 5
    with pytest.raises(InvalidInput):
        chart(Skill.MARTIAL_ARTS, 2, rows)


def test_melee_values_are_solved_as_any_other():
    from rules.systems.infinity.armour import attack, exchange
    from rules.systems.infinity.rolls import Side
    from rules.systems.infinity.shooting import save_against

    ready = melee(fighter(berserk=True))
    save = save_against(BLADE, 1, ph=12)
    # value 24: all hit, 16 to 20 are Criticals (5 of 20); save 12-1 = 11 of 20 fail: 5/20 + 15/20 * 11/20
    odds = Solver(exact=True).solve(attack, Side(ready.burst, ready.value), save)
    assert odds.chance(lambda lost: lost == 1) == pytest.approx(5 / 20 + 15 / 20 * 11 / 20)
    assert Solver().solve(exchange, Side(1, 18), Side(1, 15), save, save).error < 1e-9
