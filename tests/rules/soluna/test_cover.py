import pytest

from rules.refusals import Forbidden
from rules.systems.soluna.attack import (
    Cover,
    cover_bonus,
    cover_damage,
    cover_pieces,
    excess,
    models_in_the_way,
    prepare,
    struck,
    walls_in_the_way,
)
from rules.systems.soluna.board import Board, Facing, Obstacle, cover_class, read_drawing
from rules.systems.soluna.damage import build_target, damage, protection
from rules.systems.soluna.faces import count_faces
from rules.systems.soluna.movement import step_cost
from rules.systems.soluna.profile import Profile
from rules.systems.soluna.settings import Settings
from rules.systems.soluna.sight import Sight, sight_of

from .scene import XUL, S, duel, model, stand

ORIGIN = (5, 5)


def one_wall(square, body=7):
    wall = Obstacle("wall", frozenset({(ORIGIN[0] + square[0], ORIGIN[1] + square[1])}), body)
    return Board(20, 20, (wall,))


def covers(square, target=(0, 3), settings=S):
    goal = (ORIGIN[0] + target[0], ORIGIN[1] + target[1])
    return bool(walls_in_the_way(one_wall(square), ORIGIN, goal, settings))


@pytest.mark.rule("SU-COV-01")
@pytest.mark.parametrize(
    ("wall", "cover"), [((0, 4), False), ((0, -1), False), ((1, 1), True), ((-1, 3), True)]
)
def test_contact_between_the_ends_is_cover(wall, cover):
    assert covers(wall) is cover
    assert sight_of(one_wall(wall), ORIGIN, (5, 8), S) is Sight.CLEAR


@pytest.mark.rule("SU-COV-01")
def test_cover_settings():
    # a wall at (1, 1) lies on x = 1: the SE line of the choice NE and the NE line of NW both run along it
    assert covers((1, 1), settings=Settings(cover_front_corner="chosen"))
    # a wall at (-1, 0) is touched only by the SW line of the choice NW, along x = 0 from y = 0 to 1
    assert covers((-1, 0))
    assert not covers((-1, 0), settings=Settings(cover_front_corner="chosen"))
    assert not covers((1, 1), settings=Settings(cover_touch="blocked"))
    assert covers((0, 1), settings=Settings(cover_touch="blocked"))


@pytest.mark.rule("SU-COV-02", "SU-COV-03")
def test_excess_of_cover():
    assert excess(7, 4) == 3
    assert excess(7, 7) == 0
    assert excess(7, 8) == 0
    xul2 = Profile("Hera", body=2, mind=2, health=3)
    covered = build_target(model(xul2), shield=False, cover=excess(7, 4))
    assert protection(covered, "mind", S) == 5
    assert protection(build_target(model(xul2), shield=False, cover=excess(7, 7)), "mind", S) == 2


@pytest.mark.rule("SU-COV-03")
def test_only_the_strongest_piece_counts_against_the_dice_rolled():
    pieces = (Cover("wall", 7, ""), Cover("box", 5, ""))
    assert cover_bonus(pieces, 4, S) == 3
    assert cover_bonus(pieces, 4, Settings(cover_combine="sum")) == 8
    assert cover_bonus((), 4, S) == 0
    # fewer dice rolled, more cover: Power 4 chosen down to 2 against a Body of 7 beside the path
    board = Board(20, 20, (Obstacle("wall", frozenset({(6, 4)}), 7),))
    assert prepare(duel(board=board), S).cover_bonus == 3
    assert prepare(duel(board=board, dice=2), S).cover_bonus == 5


@pytest.mark.rule("SU-COV-04")
def test_categories():
    names = [cover_class(body) for body in (0, 1, 3, 4, 6, 7, 12, 13, 40)]
    assert names == [
        "none",
        "slight",
        "slight",
        "soft",
        "soft",
        "hard",
        "hard",
        "impenetrable",
        "impenetrable",
    ]
    assert Obstacle("box", frozenset({(0, 0)}), 5).category == "soft"
    assert excess(3, 1) == 2  # without a category it works all the same


def between(*, square, settings=S):
    shooter, target, third = model(), model(XUL, 2), model(XUL, 3)
    board = stand(
        Board(20, 20),
        (shooter, (5, 2), Facing.NORTH),
        (target, (5, 6), Facing.SOUTH),
        (third, square, Facing.SOUTH),
    )
    return models_in_the_way(board, (5, 2), (5, 6), settings, {3: "Xul"})


@pytest.mark.rule("SU-COV-05")
def test_xul_as_cover():
    # size 2 and Body 3
    assert between(square=(5, 4)) == (Cover("Xul", 5, "SU-COV-05"),)
    assert [cover_bonus(between(square=(5, 4)), power, S) for power in (3, 4, 5, 6)] == [2, 1, 0, 0]
    assert between(square=(6, 4)) == ()


@pytest.mark.rule("SU-COV-05")
def test_one_line_is_enough_by_the_setting():
    shooter, target, third = model(), model(XUL, 2), model(XUL, 3)
    board = stand(
        Board(9, 9),
        (shooter, (2, 2), Facing.NORTH),
        (target, (4, 4), Facing.SOUTH),
        (third, (2, 3), Facing.SOUTH),
    )
    assert models_in_the_way(board, (2, 2), (4, 4), S) == ()
    assert len(models_in_the_way(board, (2, 2), (4, 4), Settings(model_cover_lines=1))) == 1


EXAMPLE = """
. . . . C
A . B . .
# # M . .
"""


@pytest.mark.rule("SU-COV-06")
def test_worked_example_of_cover():
    board, at = read_drawing(EXAMPLE)
    cast = {name: model(XUL, number) for number, name in enumerate("MABC", 1)}
    board = stand(board, *((cast[name], at[name], Facing.NORTH) for name in "MABC"))
    b = cover_pieces(board, at["M"], at["B"], S)
    assert [piece.rule for piece in b] == ["SU-COV-01"]
    assert cover_pieces(board, at["M"], at["C"], S) == ()
    assert [piece.rule for piece in cover_pieces(board, at["M"], at["A"], S)] == ["SU-COV-01"]


@pytest.mark.rule("SU-COV-07")
def test_attacking_a_wall():
    assert cover_damage(7, 9, S) == 2
    assert cover_damage(5, 9, S) == 4
    assert cover_damage(7, 7, S) == 0
    assert cover_damage(3, 20, S) == 3
    assert cover_damage(7, 3, Settings(cover_protects_itself=False)) == 3
    wall = Obstacle("wall", frozenset({(3, 3)}), 7)
    assert struck(wall, 9, S).body == 5
    assert struck(struck(wall, 9, S), 9, S).body == 1


@pytest.mark.rule("SU-COV-08")
def test_debris_neither_blocks_nor_covers_and_is_dear_to_enter():
    wall = Obstacle("wall", frozenset({(5, 4)}), 4)
    board = Board(20, 20, (struck(wall, 9, S),))
    assert sight_of(board, (5, 2), (5, 6), S) is Sight.CLEAR
    assert walls_in_the_way(board, (5, 2), (5, 6), S) == ()
    assert step_cost(board, (5, 3), (5, 4), S) == 2
    with pytest.raises(Forbidden) as refusal:
        board.cover_at((5, 4))
    assert refusal.value.rule == "SU-COV-08"
    with pytest.raises(Forbidden):
        cover_damage(0, 9, S)


@pytest.mark.rule("SU-COV-09")
def test_a_model_in_the_way_is_no_cover_to_attack():
    board = stand(Board(9, 9), (model(XUL), (3, 3), Facing.NORTH))
    with pytest.raises(Forbidden) as refusal:
        board.cover_at((3, 3))
    assert refusal.value.rule == "SU-COV-09"


@pytest.mark.rule("SU-COV-01", "SU-COV-02")
def test_cover_reaches_the_damage():
    # Power 4 past a wall of Body 7: Xul's Body 3 counts as 6, so four hits on the Mind do nothing
    board = Board(20, 20, (Obstacle("wall", frozenset({(6, 4)}), 7),))
    plan = prepare(duel(board=board), S)
    assert (plan.cover[0].body, plan.cover_bonus, plan.target.cover) == (7, 3, 3)
    assert damage(count_faces([1, 1, 1, 1]), plan.target, (), S).total == 0
