import pytest

from rules.refusals import InvalidInput
from rules.systems.soluna.areas import burst, drift, drift_roll, due, last_phase, place
from rules.systems.soluna.board import Board, Cloud, Obstacle
from rules.systems.soluna.profile import Weapon
from rules.systems.soluna.settings import Settings

from ..helpers import fed
from .scene import S

SMOKE = Weapon("Smoke Grenade", 5, 1, area="burst", area_size=2, cloud=4)


def grenade(now=1, settings=S):
    return place(1, burst((3, 3), 2, settings), SMOKE, now, settings)


@pytest.mark.rule("SU-AREA-03")
def test_areas_end_with_their_phase_unless_they_are_clouds():
    assert place(1, burst((3, 3), 2, S), Weapon("Bomb", 5, 4, area="burst", area_size=2), 1, S) is None
    assert grenade() is not None


@pytest.mark.rule("SU-CLOUD-01")
def test_smoke_grenade_stays_four_phases():
    cloud = grenade()
    assert len(cloud.squares) == 4
    assert [due(cloud, now, S) for now in range(1, 7)] == ["nothing", *["drift"] * 3, "gone", "gone"]
    assert last_phase(cloud, S) == 4
    after = Settings(cloud_first_phase=False)
    assert [due(cloud, now, after) for now in range(1, 7)] == ["nothing", *["drift"] * 4, "gone"]


@pytest.mark.rule("SU-CLOUD-02")
def test_the_nine_directions():
    board = Board(9, 9)
    steps = {}
    for roll in range(1, 10):
        moved = drift(grenade(), roll, board, S)
        steps[roll] = (min(x for x, _ in moved.squares) - 3, min(y for _, y in moved.squares) - 3)
        assert len(moved.squares) == 4
    # reading order: 1 north-west, 2 north, 3 north-east / 4 west, 5 stays, 6 east / 7, 8, 9 the south
    assert steps == {
        1: (-1, 1),
        2: (0, 1),
        3: (1, 1),
        4: (-1, 0),
        5: (0, 0),
        6: (1, 0),
        7: (-1, -1),
        8: (0, -1),
        9: (1, -1),
    }
    assert drift(grenade(), 0, board, S) is None
    assert fed(drift_roll, [10]) == 0
    assert fed(drift_roll, [7]) == 7
    for roll in (-1, 10):
        with pytest.raises(InvalidInput):
            drift(grenade(), roll, board, S)


@pytest.mark.rule("SU-CLOUD-02")
def test_obstructions_hold_the_whole_cloud_and_the_edge_eats_it():
    walled = Board(9, 9, (Obstacle("wall", frozenset({(5, 3)}), 4),))
    assert drift(grenade(), 6, walled, S) == grenade()
    debris = Board(9, 9, (Obstacle("wall", frozenset({(5, 3)}), 0),))
    assert drift(grenade(), 6, debris, S) != grenade()
    edge = Board(5, 5)
    assert drift(grenade(), 6, edge, S).squares == {(4, 3), (4, 4)}
    lone = Cloud(1, frozenset({(4, 4)}), 1, 4)
    assert drift(lone, 6, edge, S) is None
    mirrored = Settings(cloud_directions=tuple((-x, y) for x, y in S.cloud_directions))
    assert drift(lone, 6, edge, mirrored).squares == {(3, 4)}


@pytest.mark.rule("SU-CLOUD-03")
def test_what_a_cloud_does_to_sight():
    assert grenade().factor == "poor"
    assert grenade(settings=Settings(smoke_factor="abysmal")).factor == "abysmal"
    thick = Weapon("Fog", 5, 1, area="burst", area_size=2, cloud=4, smoke="abysmal")
    assert place(1, frozenset({(0, 0)}), thick, 1, S).factor == "abysmal"
