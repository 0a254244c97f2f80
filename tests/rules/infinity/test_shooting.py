from dataclasses import replace

import pytest

from rules.modifiers import Modifier, total
from rules.refusals import Forbidden
from rules.systems.infinity.shooting import (
    Hiding,
    Mode,
    Shot,
    burst_of,
    discover_modifiers,
    hiding_of,
    range_modifiers,
    shot_modifiers,
    shot_value,
)
from tests.rules.infinity.troops import trooper

COMBI = trooper().profile.weapon("Combi Rifle")
GRENADE = trooper().profile.weapon("Grenade")
PLAIN = replace(COMBI, bands=())
L1, L2 = frozenset({1}), frozenset({1, 2})


def shot(**fields):
    return Shot(**({"bs": 12, "weapon": PLAIN, "distance_inches": 12.0} | fields))


def amounts(found):
    return {modifier.rule: modifier.amount for modifier in found}


@pytest.mark.rule("INF-BS-01")
def test_the_value_to_roll_against():
    assert shot_value(shot(others=(Modifier(-3, "range"),))) == 9
    assert shot_value(shot(bs=11, others=(Modifier(3, "range"),))) == 14
    found = shot_modifiers(
        shot(weapon=COMBI, distance_inches=20, cover=True, hiding=Hiding.CAMOUFLAGE, visibility=-3)
    )
    assert amounts(found) == {"INF-BS-02": -3, "INF-BS-04": -3, "INF-BS-05": -3, "INF-BS-06": -3}
    assert all(modifier.reason for modifier in found)
    with pytest.raises(Forbidden, match="line of fire"):
        shot_value(shot(line_of_fire=False))


@pytest.mark.rule("INF-BS-02")
@pytest.mark.parametrize(
    ("inches", "expected"),
    [(0, 3), (8, 3), (8.01, 3), (16, 3), (16.01, -3), (32, -3), (32.1, -6), (48, -6)],
)
def test_range_bands(inches, expected):
    assert total(range_modifiers(COMBI, inches)) == expected


@pytest.mark.rule("INF-BS-03", "INF-TRI-03")
@pytest.mark.parametrize("mode", [Mode.DIRECT, Mode.TRIANGULATED])
def test_nothing_is_hit_beyond_the_last_band(mode):
    far = shot(weapon=COMBI, distance_inches=49, mode=mode, sensor=True, others=(Modifier(12, "luck"),))
    with pytest.raises(Forbidden, match="48 in") as refusal:
        shot_value(far)
    assert refusal.value.rule == "INF-BS-03"
    assert shot_value(replace(far, distance_inches=48)) > 0


@pytest.mark.rule("INF-BS-04")
def test_cover_takes_three():
    assert shot_value(shot(cover=True)) == 9


@pytest.mark.rule("INF-BS-05")
def test_camouflage_and_hiding():
    assert hiding_of(trooper("CH: Mimetism")) is hiding_of(trooper("CH: Camouflage")) is Hiding.CAMOUFLAGE
    assert hiding_of(trooper("ODD")) is hiding_of(trooper("CH: TO Camouflage")) is Hiding.TO
    assert hiding_of(trooper("CH: Camouflage, ODD")) is Hiding.TO
    assert hiding_of(trooper()) is hiding_of(trooper("ODD", "unconscious")) is Hiding.NONE
    assert shot_value(shot(hiding=Hiding.CAMOUFLAGE)) == 9
    assert shot_value(shot(hiding=Hiding.TO)) == 6
    assert amounts(discover_modifiers(Hiding.TO)) == {"INF-BS-05": -6}


@pytest.mark.rule("INF-BS-06")
def test_zero_visibility_and_the_worst_of_several():
    assert shot_value(shot(zero_visibility=True, answering=True)) == 6
    assert shot_value(shot(zero_visibility=True)) == 12
    assert shot_value(shot(visibility=-3)) == 9
    assert shot_value(shot(visibility=-3, zero_visibility=True, answering=True)) == 6
    assert shot_value(shot(visibility=-6, zero_visibility=True, answering=True)) == 6


@pytest.mark.rule("INF-SIX-05")
def test_sixth_sense_sees_through_zero_visibility_within_its_zone():
    near, far = (
        shot(zero_visibility=True, answering=True, distance_inches=d, sixth_sense=L1) for d in (8, 8.1)
    )
    assert shot_value(near) == 12
    assert shot_value(far) == 6


@pytest.mark.rule("INF-SIX-11")
def test_sixth_sense_two_has_no_limit_of_distance():
    far = shot(zero_visibility=True, answering=True, distance_inches=30, opposed=True, surprise=2)
    assert shot_value(replace(far, sixth_sense=L1)) == 12 - 6 - 6
    assert shot_value(replace(far, sixth_sense=L2)) == 12


@pytest.mark.rule("INF-BS-07")
def test_speculative_fire():
    lobbed = shot(
        weapon=GRENADE,
        mode=Mode.SPECULATIVE,
        line_of_fire=False,
        cover=True,
        hiding=Hiding.TO,
        visibility=-3,
        others=(Modifier(3, "range"),),
    )
    assert shot_value(lobbed) == 9
    banded = replace(COMBI, template=True)
    assert shot_value(replace(lobbed, weapon=banded, others=(), distance_inches=20)) == 12 - 6 - 3
    with pytest.raises(Forbidden, match="template"):
        shot_value(replace(lobbed, weapon=COMBI))


@pytest.mark.rule("INF-TRI-01")
@pytest.mark.parametrize(
    ("fields", "word"),
    [({"sensor": False}, "Sensor"), ({"line_of_fire": False}, "line of fire"), ({"active": False}, "ARO")],
)
def test_what_triangulated_fire_needs(fields, word):
    aimed = shot(mode=Mode.TRIANGULATED, sensor=True)
    assert shot_value(aimed) == 9
    with pytest.raises(Forbidden, match=word):
        shot_value(replace(aimed, **fields))


@pytest.mark.rule("INF-TRI-02")
def test_triangulated_fire_ignores_every_other_mod():
    aimed = shot(
        weapon=COMBI,
        distance_inches=40,
        mode=Mode.TRIANGULATED,
        sensor=True,
        cover=True,
        hiding=Hiding.TO,
        surprise=1,
        opposed=True,
    )
    assert shot_value(aimed) == 9
    assert shot_value(replace(aimed, distance_inches=4, others=(Modifier(6, "aim"),))) == 9
    # Burst is the weapon's, in the Active Turn
    assert burst_of(COMBI, active=True) == 3


@pytest.mark.rule("INF-SEN-07")
def test_sensor_includes_triangulated_fire():
    assert shot_modifiers(shot(mode=Mode.TRIANGULATED, sensor=bool(trooper("Sensor").levels("sensor"))))


@pytest.mark.rule("INF-SS-03")
def test_surprise_adds_to_all_other_mods():
    answer = shot(surprise=1, opposed=True, hiding=Hiding.TO, cover=True)
    assert shot_value(answer) == 0
    assert amounts(shot_modifiers(answer))["INF-SS-03"] == -3
    assert shot_value(shot(surprise=2, opposed=True)) == 6
    assert shot_value(shot(surprise=1, opposed=False)) == 12


@pytest.mark.rule("INF-SIX-04")
@pytest.mark.parametrize("level", [1, 2, 3])
def test_sixth_sense_ignores_surprise_shots_of_any_level_from_its_zone(level):
    answer = shot(surprise=level, opposed=True, distance_inches=8, sixth_sense=L1)
    assert shot_value(answer) == 12
    assert shot_value(replace(answer, distance_inches=9)) == 12 - 3 * level


@pytest.mark.rule("INF-SIX-08", "INF-SIX-02")
def test_sixth_sense_against_a_to_marker_behind_its_user():
    answer = shot(
        line_of_fire=False,
        answering=True,
        distance_inches=6,
        opposed=True,
        surprise=1,
        hiding=Hiding.TO,
        sixth_sense=L1,
    )
    assert amounts(shot_modifiers(answer)) == {"INF-BS-05": -6}
    assert shot_value(answer) == 6
    with pytest.raises(Forbidden):
        shot_value(replace(answer, distance_inches=9))
    with pytest.raises(Forbidden):
        shot_value(replace(answer, answering=False))


@pytest.mark.rule("INF-F2F-07", "INF-TRX-01", "INF-TRX-02")
def test_burst_by_turn():
    hmg = trooper(text="Remote: BS 11; HMG B4 DAM 15").profile.weapon("HMG")
    assert burst_of(hmg, active=True) == 4
    assert burst_of(hmg, active=False) == 1
    assert burst_of(hmg, active=False, total_reaction=True) == 4
    assert burst_of(hmg, active=True, targets=4) == 4
    for fields in ({"active": True, "targets": 5}, {"active": False, "targets": 2, "total_reaction": True}):
        with pytest.raises(Forbidden):
            burst_of(hmg, **fields)
