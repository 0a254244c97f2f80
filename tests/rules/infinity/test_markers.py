from dataclasses import replace

import pytest

from rules.effects import Gain, Lose
from rules.modifiers import Modifier
from rules.refusals import Forbidden
from rules.systems.infinity.rolls import Reading, modified, normal_roll
from rules.systems.infinity.shooting import (
    Hiding,
    after_sensor,
    check_sensor,
    discover_modifiers,
    in_sensor_area,
    sensor_modifiers,
)
from rules.systems.infinity.trooper import (
    Condition,
    after_surprise_shot,
    become_marker,
    check_surprise_shot,
    reveal,
)
from tests.rules.helpers import fed
from tests.rules.infinity.troops import trooper

HIDERS = tuple(
    trooper("", state, number=number)
    for number, state in enumerate(("hidden_deployment", "camouflaged", "to_camouflaged", "impersonation"), 2)
)


# ------------------------------------------------------------------------------------------------ Sensor


@pytest.mark.rule("INF-SEN-01")
def test_the_sensor_roll():
    value = modified(13, sensor_modifiers())
    assert value == 19
    assert fed(normal_roll, [18], value) is Reading.SUCCESS
    assert fed(normal_roll, [20], value) is Reading.FAILURE
    # the +6 counts towards the cap of +12
    assert modified(13, sensor_modifiers((Modifier(9, "scenario"),))) == 25


@pytest.mark.rule("INF-SEN-01", "INF-SEN-02")
def test_sensor_finds_all_at_once_and_needs_no_target():
    assert after_sensor(HIDERS) == (
        Lose(2, "hidden_deployment"),
        Lose(3, "camouflaged"),
        Lose(4, "to_camouflaged"),
    )
    assert after_sensor(()) == ()
    assert after_sensor((trooper(),)) == ()


@pytest.mark.rule("INF-SEN-03")
def test_sensor_may_be_repeated():
    user = trooper("Sensor")
    for _ in range(3):
        check_sensor(user)
    for unable in (trooper(), trooper("Sensor", "unconscious")):
        with pytest.raises(Forbidden):
            check_sensor(unable)


@pytest.mark.rule("INF-SEN-04")
def test_no_camouflage_near_a_sensor():
    hider = trooper("CH: Camouflage")
    watcher = trooper("Sensor", number=9, side=2)
    with pytest.raises(Forbidden, match="Sensor"):
        become_marker(hider, Condition.CAMOUFLAGED, [(watcher, 8)])
    assert become_marker(hider, Condition.CAMOUFLAGED, [(watcher, 8.1)]) == (Gain(1, "camouflaged"),)
    asleep = replace(watcher, conditions=frozenset({("unconscious", 0)}))
    sniffer = trooper("Sniffer", number=8, side=2)
    assert become_marker(hider, Condition.CAMOUFLAGED, [(asleep, 3), (sniffer, 3)])
    with pytest.raises(Forbidden):
        become_marker(trooper("CH: TO Camouflage"), Condition.TO_CAMOUFLAGED, [(watcher, 2)])
    with pytest.raises(Forbidden, match="can't become"):
        become_marker(trooper(), Condition.CAMOUFLAGED)


@pytest.mark.rule("INF-SEN-05")
def test_the_sensor_area():
    assert in_sensor_area(8)
    assert not in_sensor_area(9)
    assert in_sensor_area(30, [20, 8])
    assert not in_sensor_area(30, [20, 8.1])


@pytest.mark.rule("INF-SEN-06")
def test_sensor_helps_to_discover():
    def value(**fields):
        return modified(13, discover_modifiers(**fields))

    assert value(hiding=Hiding.CAMOUFLAGE) == 10
    assert value(hiding=Hiding.CAMOUFLAGE, sensor=True) == 16
    assert value(hiding=Hiding.TO, sensor=True) == 13
    assert value(hiding=Hiding.NONE, sensor=True) == 13
    # the ordinary MODs stay
    assert value(hiding=Hiding.TO, sensor=True, range_mod=-3, cover=True) == 7


# ----------------------------------------------------------------------------------------- Surprise Shot


@pytest.mark.rule("INF-SS-01")
def test_the_enabling_skill():
    for skill in ("CH: Camouflage", "CH: Limited Camouflage", "CH: TO Camouflage", "Impersonation"):
        check_surprise_shot(trooper(f"Surprise Shot L1, {skill}", "camouflaged"))
    bare = trooper("Surprise Shot L1", "camouflaged")
    with pytest.raises(Forbidden, match="needs Camouflage"):
        check_surprise_shot(bare)
    check_surprise_shot(bare, allowed_otherwise=True)
    with pytest.raises(Forbidden, match="doesn't have"):
        check_surprise_shot(trooper("CH: Camouflage", "camouflaged"))


@pytest.mark.rule("INF-SS-02")
def test_the_starting_state():
    skills = "Surprise Shot L1, CH: Camouflage"
    for state in ("camouflaged", "to_camouflaged", "impersonation", "hidden_deployment"):
        check_surprise_shot(trooper(skills, state))
    with pytest.raises(Forbidden, match="only make a Surprise Shot as a Marker"):
        check_surprise_shot(trooper(skills))
    with pytest.raises(Forbidden, match="in ARO"):
        check_surprise_shot(trooper(skills, "camouflaged"), active=False)


@pytest.mark.rule("INF-SS-04")
def test_once_per_marker():
    skills = "Surprise Shot L1, CH: Camouflage"
    assert after_surprise_shot(trooper(skills)) == (Gain(1, "surprise_used", until="marker"),)
    spent = trooper(skills, "surprise_used")
    with pytest.raises(Forbidden):
        check_surprise_shot(replace(spent, conditions=spent.conditions | {("camouflaged", 0)}))
    assert become_marker(spent, Condition.CAMOUFLAGED) == (Gain(1, "camouflaged"), Lose(1, "surprise_used"))


def test_reveal_ends_every_marker_state():
    assert reveal(HIDERS[3]) == (Lose(5, "impersonation"),)
    assert reveal(trooper()) == ()
