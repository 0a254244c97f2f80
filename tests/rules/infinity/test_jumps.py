from fractions import Fraction

import pytest

from rules.dice import Solver
from rules.refusals import Forbidden, InvalidInput
from rules.systems.infinity.movement import (
    JumpAs,
    arc_degrees,
    check_jump_with,
    check_trajectory,
    cover_counts,
    fall,
    fall_damage,
    fall_inches,
    jump_inches,
    survivable_inches,
    vaults_freely,
)
from rules.systems.infinity.orders import Part
from rules.systems.infinity.reactions import Activation, Exposure, Window, aro_window
from rules.systems.infinity.settings import Settings, SuperJumpFall
from tests.rules.helpers import brute, fed
from tests.rules.infinity.troops import trooper

TARIK = trooper(text="Tarik: MOV 6-4, W 2, ARM 1, S 5; Skills Super-Jump").profile
SPRINGER = trooper(text="Springer: MOV 4-4; Skills Super-Jump").profile
SOLDIER = trooper().profile


@pytest.mark.rule("INF-SJ-01")
def test_a_short_jump():
    assert jump_inches(TARIK, JumpAs.FIRST_SHORT) == 6
    assert jump_inches(TARIK, JumpAs.SECOND_SHORT) == 4
    with pytest.raises(Forbidden, match="Entire Order"):
        jump_inches(SOLDIER, JumpAs.FIRST_SHORT)


@pytest.mark.rule("INF-SJ-02")
@pytest.mark.parametrize("other", [Part.SHORT, Part.SHORT_MOVEMENT])
def test_what_goes_with_a_jump(other):
    check_jump_with(TARIK, other)
    with pytest.raises(Forbidden):
        check_jump_with(SOLDIER, other)


@pytest.mark.rule("INF-SJ-03")
def test_a_jump_as_an_entire_order():
    assert jump_inches(TARIK, JumpAs.ENTIRE_ORDER) == 10
    assert jump_inches(TARIK, JumpAs.FIRST_SHORT) + TARIK.mov[1] == 10


@pytest.mark.rule("INF-SJ-04")
def test_no_cover_in_the_air():
    assert not cover_counts(in_air=True, cover=True)
    assert cover_counts(in_air=False, cover=True)
    assert not cover_counts(in_air=False, cover=False)


@pytest.mark.rule("INF-SJ-05")
def test_vaulting():
    assert vaults_freely(TARIK, 1, 1)
    assert not vaults_freely(TARIK, 1.1, 1)
    assert not vaults_freely(SOLDIER, 1, 1)


@pytest.mark.rule("INF-SJ-12")
@pytest.mark.parametrize(
    ("start", "up", "lands", "expected"),
    [(12, -6, False, 6), (12, 0, False, 12), (12, 10, False, 22), (12, -12, True, 0)],
)
def test_height_of_the_fall(start, up, lands, expected):
    assert fall_inches(TARIK, start, up, 0, lands=lands) == expected


@pytest.mark.rule("INF-SJ-12")
def test_impossible_heights():
    for heights in ((12, -13, 0), (201, 0, 0), (float("nan"), 0, 0)):
        with pytest.raises(InvalidInput):
            fall_inches(TARIK, *heights)


@pytest.mark.rule("INF-SJ-06")
def test_damage_of_a_super_jumpers_fall():
    assert fall_damage(SPRINGER, fall_inches(SPRINGER, 10, 0, 0)) == 10
    assert fall_damage(TARIK, 4) == 0
    assert fall_damage(TARIK, fall_inches(TARIK, 12, -6, 0)) == 0
    assert fall_damage(TARIK, fall_inches(TARIK, 12, 0, 0)) == 10
    whole = Settings(superjump_fall=SuperJumpFall.TOTAL_DROP)
    assert fall_inches(TARIK, 12, -6, 0, settings=whole) == 12
    assert fall_inches(TARIK, 12, 10, 0, settings=whole) == 12
    assert fall_inches(SOLDIER, 6, -4, 0, settings=whole) == 2


@pytest.mark.rule("INF-SJ-07")
def test_sections_of_the_first_mov_value():
    assert fall_damage(SOLDIER, 2) == 10
    assert fall_damage(SOLDIER, 5) == 20
    assert fall_damage(SOLDIER, 4) == 10
    assert fall_damage(TARIK, 10 + 12) == 20
    assert fall_damage(TARIK, 10 + 12.5) == 30
    with pytest.raises(InvalidInput):
        fall_damage(trooper(text="Turret: MOV 0-0").profile, 5)


@pytest.mark.rule("INF-SJ-08")
def test_the_roll_is_repeated_until_passed_or_dead():
    assert fed(fall, [20], 20, 1, 2) == 0
    assert fed(fall, [5, 19, 20], 20, 1, 2) == 2
    # Wounds 2: the third failure is death, and ends it
    assert fed(fall, [5, 19, 7], 20, 1, 2) == 3
    # above 22 in: Damage 30 cannot be overcome
    assert fed(fall, [], fall_damage(TARIK, 22.5), 1, 2) == 3
    assert fall_damage(TARIK, 22) == 20
    assert fed(fall, [], 0, 1, 2) == 0


@pytest.mark.rule("INF-SJ-08")
def test_odds_of_a_fall_by_hand():
    # Damage 10, ARM 0: half fail; Wounds 1: 1/2 none, 1/4 one, 1/4 two
    expected = {0: Fraction(1, 2), 1: Fraction(1, 4), 2: Fraction(1, 4)}
    assert dict(Solver(exact=True).solve(fall, 10, 0, 1).chances) == expected == brute(fall, 10, 0, 1)


@pytest.mark.rule("INF-SJ-09")
def test_falls_without_super_jump():
    assert jump_inches(SOLDIER) == 4
    drop = fall_inches(SOLDIER, 6, -4, 0)
    assert drop == 2
    assert fall_damage(SOLDIER, drop) == 10


@pytest.mark.rule("INF-SJ-10")
def test_trajectory_and_reactions():
    assert arc_degrees(moving=True) == 360
    assert arc_degrees(moving=False) == 180
    check_trajectory(2)
    with pytest.raises(Forbidden, match="path of the Jump"):
        check_trajectory(1)
    # a free fall is reacted to as any movement
    assert aro_window(Activation(Exposure(line_of_fire=True, distance_inches=22))) is Window.FIRST


@pytest.mark.rule("INF-SJ-11")
def test_the_limit_of_a_deadly_leap():
    assert survivable_inches(TARIK) == 22
    for arm, limit in ((0, 16), (1, 22), (10, 22), (11, 28)):
        profile = trooper(text=f"T: MOV 6-4, ARM {arm}; Skills Super-Jump").profile
        assert survivable_inches(profile) == limit
        assert fall_damage(profile, limit) - arm < 20 <= fall_damage(profile, limit + 0.1) - arm
