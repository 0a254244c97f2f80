from itertools import product

import pytest

from rules.refusals import Forbidden
from rules.systems.soluna.attack import walls_in_the_way
from rules.systems.soluna.board import Board, Facing, Obstacle, read_drawing
from rules.systems.soluna.settings import Settings
from rules.systems.soluna.sight import (
    Sight,
    blocked_lines,
    front_corners,
    sight_for,
    sight_lines,
    sight_of,
    views,
)
from rules.systems.soluna.situation import check_target

from .scene import XUL, S, duel, model, stand


def named(attacker, target, front):
    return {f"{line.start}-{line.end}" for line in sight_lines(attacker, target, front)}


@pytest.mark.rule("SU-LOS-01")
def test_the_front_corner_is_the_nearest():
    for target, corner in (((2, 3), "NE"), ((-2, 1), "NW"), ((4, -1), "SE"), ((-1, -1), "SW")):
        assert front_corners((0, 0), target) == (corner,)


@pytest.mark.rule("SU-LOS-02")
def test_same_row_or_column_leaves_a_choice():
    assert set(front_corners((0, 0), (0, 3))) == {"NE", "NW"}
    assert set(front_corners((0, 0), (-3, 0))) == {"NW", "SW"}
    # front NE: the target's front is SW, so its back corners NW, SE, NE are the lines' ends
    assert {line.end for line in sight_lines((0, 0), (0, 3), "NE")} == {"NW", "SE", "NE"}
    assert {line.end for line in sight_lines((0, 0), (0, 3), "NW")} == {"SW", "NE", "NW"}


@pytest.mark.rule("SU-LOS-03")
def test_three_lines_join_corresponding_corners():
    assert named((0, 0), (2, 2), "NE") == {"NW-NW", "SE-SE", "SW-NE"}
    lines = {line.kind: (line.p, line.q) for line in sight_lines((0, 0), (2, 2), "NE")}
    assert lines["rear"] == ((0, 0), (3, 3))


@pytest.mark.rule("SU-LOS-04")
@pytest.mark.parametrize(
    ("target", "walls", "blocked"),
    [
        ((0, 3), [(0, 1)], 3),
        ((0, 3), [(1, 1)], 0),
        ((0, 3), [(-1, 1), (1, 1)], 0),
        ((2, 2), [(1, 1)], 3),
        ((2, 2), [(1, 0)], 1),
        ((1, 1), [(1, 0)], 1),
        ((1, 1), [(1, 0), (0, 1)], 3),
        ((1, 2), [(0, 1)], 2),
        ((3, 1), [(1, 1)], 1),
    ],
)
def test_the_printed_list_of_blocked_lines(target, walls, blocked):
    assert blocked_lines((0, 0), target, walls) == blocked


@pytest.mark.rule("SU-LOS-04")
def test_ends_do_not_obstruct_and_walls_behind_do_not_either():
    assert blocked_lines((0, 0), (0, 3), [(0, 0), (0, 3)]) == 0
    assert blocked_lines((0, 0), (0, 3), [(0, 4), (0, -1), (1, 4), (-1, -1)]) == 0


@pytest.mark.rule("SU-LOS-06")
def test_both_choices_block_alike_and_both_ways():
    walls_of = product(((0, 1), (1, 1), (-1, 1), (1, 2), (-1, 2)), repeat=2)
    for walls in walls_of:
        for target in ((0, 3), (0, 2), (1, 3), (2, 2), (-2, 3)):
            seen = {view.blocked for view in views((0, 0), target, walls)}
            assert len(seen) == 1, (target, walls)
            assert seen == {blocked_lines(target, (0, 0), walls)}, (target, walls)


@pytest.mark.rule("SU-LOS-05")
def test_grades():
    assert [sight_for(n, S) for n in range(4)] == [Sight.CLEAR, Sight.PARTLY, Sight.HIDDEN, Sight.NONE]
    strict = Settings(hidden_blocks_los=True)
    assert [sight_for(n, strict) for n in range(4)] == [Sight.CLEAR, Sight.PARTLY, Sight.NONE, Sight.NONE]


@pytest.mark.rule("SU-LOS-05", "SU-TGT-03")
def test_three_blocked_lines_forbid_the_attack():
    wall = Obstacle("wall", frozenset({(5, 4)}), 7)
    with pytest.raises(Forbidden) as refusal:
        check_target(duel(board=Board(20, 20, (wall,))), S)
    assert refusal.value.rule == "SU-TGT-03"


# Meena M; the wall stands on the two dashed squares of her own row.
MEENA_AND_THREE = """
. . . . C
A . B . .
# # M . .
. . . . .
"""


@pytest.mark.rule("SU-LOS-07")
def test_worked_example_of_visibility():
    board, at = read_drawing(MEENA_AND_THREE)
    meena = at["M"]
    assert sight_of(board, meena, at["A"], S) is Sight.HIDDEN
    assert sight_of(board, meena, at["B"], S) is Sight.CLEAR
    assert sight_of(board, meena, at["C"], S) is Sight.CLEAR
    (view,) = views(meena, at["A"], board.walls())
    found = {f"{line.line.start}-{line.line.end}": line for line in view.lines}
    assert {name for name, line in found.items() if line.blocked} == {"SW-SW", "SE-NW"}
    assert not found["NE-NE"].touched
    (c_view,) = views(meena, at["C"], board.walls())
    assert not any(line.touched for line in c_view.lines)
    # with two lines enough, the printed conclusion: A cannot be seen
    assert sight_of(board, meena, at["A"], Settings(hidden_blocks_los=True)) is Sight.NONE


@pytest.mark.rule("SU-LOS-08")
def test_models_do_not_block_sight():
    one, two, between = model(), model(XUL, 2), model(XUL, 3)
    board = stand(
        Board(9, 9),
        (one, (4, 1), Facing.NORTH),
        (two, (4, 6), Facing.SOUTH),
        (between, (4, 3), Facing.SOUTH),
    )
    assert sight_of(board, (4, 1), (4, 6), S) is Sight.CLEAR
    assert sight_of(board, (4, 1), (4, 6), Settings(models_block_los=True)) is Sight.NONE


def test_a_long_line_over_a_full_board_is_exact():
    walls = frozenset((x, y) for x in range(100) for y in range(0, 100, 2) if x)
    board = Board(100, 100, (Obstacle("maze", walls, 5),))
    assert sight_of(board, (0, 1), (0, 99), S) is Sight.CLEAR  # along the one free column
    assert sight_of(board, (0, 1), (99, 99), S) is Sight.NONE
    assert walls_in_the_way(board, (0, 1), (0, 99), S)[0].body == 5
