import pytest

from rules.dice import Solver
from rules.systems.infinity.movement import Ground, allowance, effective_ground, stops_movement
from rules.systems.infinity.orders import DEPLOYMENT_STEPS, initiative, reserve, strategos
from rules.systems.infinity.settings import Settings
from tests.rules.helpers import fed
from tests.rules.infinity.troops import trooper

PROFILE = trooper(text="Scout: MOV 4-2; Skills Terrain (Mountain)").profile


@pytest.mark.rule("INF-TER-01")
def test_the_terrain_skill():
    assert effective_ground(PROFILE, Ground.VERY_DIFFICULT, "mountain") is Ground.OPEN
    assert effective_ground(PROFILE, Ground.DIFFICULT, "Jungle") is Ground.DIFFICULT
    assert effective_ground(trooper().profile, Ground.DIFFICULT, "Mountain") is Ground.DIFFICULT


@pytest.mark.rule("INF-TER-02")
def test_difficult_terrain():
    slow = allowance(PROFILE, Ground.DIFFICULT)
    assert (slow.first, slow.second) == (2, 2)
    assert stops_movement(Ground.DIFFICULT)
    assert not stops_movement(Ground.OPEN)
    assert allowance(PROFILE, Ground.OPEN).total == 6


@pytest.mark.rule("INF-TER-03")
def test_very_difficult_terrain():
    assert allowance(PROFILE, Ground.VERY_DIFFICULT).total == 2
    assert stops_movement(Ground.VERY_DIFFICULT)


@pytest.mark.rule("INF-DEP-01")
def test_the_initiative_roll():
    assert fed(initiative, [11, 9], 13, 12) == 1
    assert fed(initiative, [14, 9], 13, 12) == 2
    assert fed(initiative, [9, 12], 13, 12) == 2
    assert fed(initiative, [9, 9], 13, 12) == 0
    assert fed(initiative, [14, 13], 13, 12) == 0
    odds = Solver().solve(initiative, 13, 13)
    assert odds.chances[1] == pytest.approx(odds.chances[2])


@pytest.mark.rule("INF-DEP-02")
def test_deployment_and_the_usual_reserve():
    assert [step.split()[1] for step in DEPLOYMENT_STEPS] == ["first", "second"] * 2
    assert [("everything" not in step) for step in DEPLOYMENT_STEPS] == [
        False,
        False,
        True,
        True,
    ]
    assert reserve(frozenset(), frozenset()) == 1


@pytest.mark.rule("INF-STR-03", "INF-STR-04", "INF-STR-05", "INF-LVL-01")
@pytest.mark.parametrize(
    ("own", "enemy", "expected"),
    [(2, 3, (1, 2)), (3, 3, (1, 1)), (0, 3, (0, 2)), (2, 2, (2, 2)), (1, 0, (1, 1))],
)
def test_the_reserve_with_strategos(own, enemy, expected):
    chiefs = [trooper(f"Strategos L{level}" if level else "", lieutenant=True) for level in (own, enemy)]
    mine, theirs = (strategos(chief) for chief in chiefs)
    assert (reserve(mine, theirs), reserve(theirs, mine)) == expected


@pytest.mark.rule("INF-STR-01")
def test_strategos_is_for_lieutenants():
    assert strategos(trooper("Strategos L3")) == frozenset()
    assert strategos(None) == frozenset()
    chief = trooper("Strategos L3", lieutenant=True)
    assert strategos(chief) == {1, 2, 3}
    assert strategos(chief, Settings(cumulative_levels=False)) == {3}
