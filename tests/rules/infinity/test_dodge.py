from dataclasses import replace

import pytest

from rules.effects import Gain
from rules.modifiers import Modifier
from rules.refusals import Forbidden
from rules.systems.infinity.movement import Ground
from rules.systems.infinity.reactions import (
    Evading,
    Evasion,
    after_engage,
    dodge_inches,
    evasion_modifiers,
    evasion_value,
)
from rules.systems.infinity.settings import Settings
from tests.rules.infinity.troops import trooper

L1, L2 = frozenset({1}), frozenset({1, 2})
TAG = trooper(text="Tag: PH 16, TYPE TAG").profile
REMOTE = trooper(text="Remote: PH 10, TYPE REM").profile
BIKER = trooper(text="Biker: PH 12; Skills Motorcycle").profile


def evading(**fields):
    return Evading(**({"profile": trooper().profile, "distance_inches": 6.0} | fields))


def amounts(found):
    return {modifier.rule: modifier.amount for modifier in found}


@pytest.mark.rule("INF-DOD-01")
def test_dodge_is_on_ph_and_needs_line_of_fire():
    assert evasion_value(evading()) == 10
    assert evasion_value(evading(others=(Modifier(3, "luck"),))) == 13
    with pytest.raises(Forbidden, match="line of fire"):
        evasion_value(evading(line_of_fire=False))


@pytest.mark.rule("INF-DOD-02")
@pytest.mark.parametrize(("profile", "expected"), [(TAG, 10), (REMOTE, 7), (BIKER, 9)])
@pytest.mark.parametrize("skill", [Evasion.DODGE, Evasion.ENGAGE])
def test_dodge_mods_by_troop(profile, expected, skill):
    assert evasion_value(evading(profile=profile, distance_inches=2, skill=skill)) == expected


@pytest.mark.rule("INF-DOD-03")
def test_the_move_of_a_reactive_dodge():
    assert dodge_inches(success=True, reactive=True) == 2
    assert dodge_inches(success=False, reactive=True) == 0
    assert dodge_inches(success=True, reactive=False) == 0


@pytest.mark.rule("INF-TER-02", "INF-TER-03")
@pytest.mark.parametrize("ground", [Ground.DIFFICULT, Ground.VERY_DIFFICULT])
def test_reactive_moves_in_difficult_terrain(ground):
    assert dodge_inches(success=True, reactive=True, ground=ground) == 1


@pytest.mark.rule("INF-DOD-04")
def test_change_facing():
    turning = evading(skill=Evasion.CHANGE_FACING, line_of_fire=False)
    assert evasion_value(turning) == 7
    assert evasion_value(replace(turning, profile=TAG)) == 16 - 9
    # the template's -3 is not added on top
    assert evasion_value(replace(turning, template=True)) == 7
    with pytest.raises(Forbidden, match="8 in"):
        evasion_value(replace(turning, distance_inches=8.1))
    assert evasion_value(replace(turning, distance_inches=20, alerted=True)) == 7


@pytest.mark.rule("INF-DOD-05")
def test_engage():
    engaging = evading(skill=Evasion.ENGAGE, distance_inches=2)
    assert evasion_value(engaging) == 10
    with pytest.raises(Forbidden, match="2 in"):
        evasion_value(replace(engaging, distance_inches=2.5))
    with pytest.raises(Forbidden, match="line of fire"):
        evasion_value(replace(engaging, line_of_fire=False))
    both = trooper(number=4), trooper(number=9)
    assert after_engage(*both, success=True) == (Gain(4, "close_combat", 9), Gain(9, "close_combat", 4))
    assert after_engage(*both, success=False) == ()


@pytest.mark.rule("INF-DOD-06", "INF-SIX-07", "INF-SIX-11")
def test_templates_from_outside_line_of_fire():
    blind = evading(line_of_fire=False, template=True)
    assert amounts(evasion_modifiers(blind)) == {"INF-DOD-06": -3}
    assert evasion_value(replace(blind, line_of_fire=True)) == 10
    assert evasion_value(replace(blind, sixth_sense=L1)) == 10
    assert evasion_value(replace(blind, sixth_sense=L1, distance_inches=9)) == 7
    assert evasion_value(replace(blind, sixth_sense=L2, distance_inches=30)) == 10


@pytest.mark.rule("INF-BS-07", "INF-SIX-12")
def test_reacting_to_speculative_fire():
    blind = evading(line_of_fire=False, template=True, speculative=True, distance_inches=20)
    assert amounts(evasion_modifiers(blind)) == {"INF-BS-07": -3}
    assert evasion_value(blind, Settings(blind_reaction=0)) == 10
    assert evasion_value(replace(blind, sixth_sense=L1)) == 7
    assert evasion_value(replace(blind, sixth_sense=L1, distance_inches=8)) == 10
    assert evasion_value(replace(blind, sixth_sense=L2)) == 10


@pytest.mark.rule("INF-BS-06")
def test_visibility_counts_for_dodges():
    assert evasion_value(evading(visibility=-3)) == 7
    assert evasion_value(evading(visibility=-6)) == 4


@pytest.mark.rule("INF-SS-03")
def test_surprise_counts_on_whatever_is_rolled():
    assert evasion_value(evading(surprise=1)) == 7
    assert evasion_value(evading(surprise=1, opposed=False)) == 10
    assert evasion_value(evading(surprise=1, sixth_sense=L1)) == 10
