import pytest

from rules.refusals import Forbidden, InvalidInput
from rules.systems.soluna.areas import (
    burst,
    centre_line,
    corridor,
    fan,
    fan_width,
    line_length,
    pulse,
    reached,
    star_burst,
    victims,
)
from rules.systems.soluna.attack import prepare, prepare_in_area
from rules.systems.soluna.board import Board, Facing, Obstacle, read_drawing
from rules.systems.soluna.models import Clock
from rules.systems.soluna.profile import Profile, Weapon
from rules.systems.soluna.settings import Settings
from rules.systems.soluna.situation import Situation

from .scene import XUL, S, model, stand


def picture(squares, width=7, height=7):
    rows = ["".join("*" if (x, y) in squares else "." for x in range(width)) for y in reversed(range(height))]
    assert len(squares) == sum(row.count("*") for row in rows)
    return "\n".join(rows)


def same(squares, text, width=7, height=7):
    assert picture(squares, width, height) == "\n".join(line.strip() for line in text.strip().splitlines())


@pytest.mark.rule("SU-BURST-01")
def test_bursts():
    assert burst((3, 3), 1, S) == {(3, 3)}
    assert burst((3, 3), 2, S) == {(3, 3), (4, 3), (3, 4), (4, 4)}
    same(
        burst((3, 3), 4, S),
        """
        .......
        ..****.
        ..****.
        ..****.
        ..****.
        .......
        .......
        """,
    )
    assert burst((3, 3), 3, S) == {(x, y) for x in (2, 3, 4) for y in (2, 3, 4)}
    assert burst((3, 3), 2, Settings(burst_even_offset="south_west")) == {(3, 3), (2, 3), (3, 2), (2, 2)}
    own = Settings(burst_even_offset="attacker_choice")
    assert burst((3, 3), 2, own, "north_west") == {(3, 3), (2, 3), (3, 4), (2, 4)}
    assert burst((3, 3), 2, own) == burst((3, 3), 2, S)
    with pytest.raises(Forbidden):
        burst((3, 3), 2, S, "north_west")
    for x in (0, 21):
        with pytest.raises(InvalidInput):
            burst((3, 3), x, S)


@pytest.mark.rule("SU-CORR-01")
def test_corridors():
    assert corridor((0, 0), (0, 3), 2, 9, S) == {(0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (1, 3)}
    assert corridor((0, 0), (2, 5), 1, 9, S) == {(0, 1), (1, 2), (1, 3), (2, 4), (2, 5)}
    # the third column on the left; right is -x going south, -y going east, +y going west
    assert corridor((3, 0), (3, 1), 3, 9, S) == {(2, 1), (3, 1), (4, 1)}
    assert corridor((3, 3), (3, 2), 2, 9, S) == {(3, 2), (2, 2)}
    assert corridor((3, 3), (4, 3), 2, 9, S) == {(4, 3), (4, 2)}
    assert corridor((3, 3), (2, 3), 2, 9, S) == {(2, 3), (2, 4)}
    # exact diagonals shift along y
    assert corridor((0, 0), (2, 2), 2, 9, S) == {(1, 1), (2, 2), (1, 0), (2, 1)}
    long = Settings(corridor_length="reach")
    assert corridor((0, 0), (0, 2), 1, 4, long) == {(0, 1), (0, 2), (0, 3), (0, 4)}
    with pytest.raises(Forbidden):
        corridor((1, 1), (1, 1), 1, 4, S)


@pytest.mark.rule("SU-CORR-01")
def test_halves_go_to_the_attackers_own_row_or_column():
    # to (1, 2): k = 1 lies at 0.5, which goes to column 0
    assert centre_line((0, 0), (1, 2), 2) == ((0, 1), (1, 2))
    assert centre_line((0, 0), (-1, -2), 2) == ((0, -1), (-1, -2))
    assert centre_line((0, 0), (4, 2), 4) == ((1, 0), (2, 1), (3, 1), (4, 2))


@pytest.mark.rule("SU-FAN-01")
def test_fans():
    assert fan((0, 0), (0, 1), 2, 3, S) == {(0, 1), (0, 2), (1, 2), (0, 3), (1, 3)}
    assert [fan_width(3, k, 4, S) for k in (1, 2, 3, 4)] == [1, 1, 2, 3]
    same(
        fan((3, 0), (3, 2), 3, 4, S),
        """
        .......
        .......
        ..***..
        ...**..
        ...*...
        ...*...
        .......
        """,
    )
    # Reach 4 straight ahead, 3 squares on a diagonal whose third has area reach 4
    assert line_length((0, 0), (0, 1), 4) == 4
    assert line_length((0, 0), (1, 1), 4) == 3
    steps = Settings(fan_profile="two_steps")
    assert [fan_width(5, k, 4, steps) for k in (1, 2, 3, 4)] == [2, 2, 5, 5]
    assert [fan_width(1, k, 2, steps) for k in (1, 2)] == [1, 1]


@pytest.mark.rule("SU-STAR-01")
def test_star_bursts():
    assert [len(star_burst((5, 5), x, S)) for x in (1, 2, 3)] == [5, 21, 45]
    same(
        star_burst((3, 3), 2, S),
        """
        .......
        ..***..
        .*****.
        .*****.
        .*****.
        ..***..
        .......
        """,
    )
    arms = Settings(star_shape="eight_arms")
    same(
        star_burst((3, 3), 3, arms),
        """
        ...*...
        .*.*.*.
        ..***..
        *******
        ..***..
        .*.*.*.
        ...*...
        """,
    )


@pytest.mark.rule("SU-PULSE-01")
def test_pulses():
    assert pulse((3, 3), 3, 0, S) == {(3, 3)}
    assert pulse((3, 3), 3, 0, Settings(pulse_hits_origin=False)) == frozenset()
    assert len(pulse((3, 3), 3, 1, S)) == 4
    same(
        pulse((3, 3), 3, 2, S),
        """
        .......
        ..***..
        .**.**.
        .*...*.
        .**.**.
        ..***..
        .......
        """,
    )
    rings = [pulse((9, 9), 4, k, S) for k in range(5)]
    assert sum(map(len, rings)) == len(frozenset().union(*rings)) == len(star_burst((9, 9), 4, S))
    assert pulse((3, 3), 3, 4, S) == frozenset()


ROOM = """
. . . . . . .
. . . # . . .
. . T # . . .
. . . # . . .
. . . . . . .
"""


@pytest.mark.rule("SU-AREA-02")
def test_obstructions_stop_an_area_that_cannot_penetrate_them():
    board, at = read_drawing(ROOM)
    area = burst(at["T"], 5, S)
    strong = reached(area, at["T"], board, 7)
    assert strong == area  # Power 7 goes through Body 7
    weak = reached(area, at["T"], board, 6)
    assert (4, 2) in area
    assert (4, 2) not in weak
    assert (1, 2) in weak
    assert (3, 2) in weak  # the wall's own square is an end, never in between
    small = Board(3, 3)
    assert reached(burst((0, 0), 3, S), (0, 0), small, 4) == {(0, 0), (1, 0), (0, 1), (1, 1)}


BOMB = Weapon("Bomb", 8, 5, 1, area="burst", area_size=3)


@pytest.mark.rule("SU-AREA-01")
def test_everyone_in_the_area_is_attacked_alone():
    thrower = model(Profile("Bomber", mind=2, health=3, weapons=(BOMB,)))
    friend = model(Profile("Friend", size=0, mind=1, health=1, shield=2), 2, 1)
    foe = model(XUL, 3, 2, conditions={("prone", 0)})
    far = model(XUL, 4, 2)
    board = stand(
        Board(20, 20),
        (thrower, (5, 2), Facing.NORTH),
        (friend, (5, 7), Facing.NORTH),
        (foe, (6, 6), Facing.NORTH),
        (far, (9, 9), Facing.NORTH),
    )
    aim = prepare(Situation(board, thrower, (5, 6), None, 0, Clock()), S)
    area = reached(burst((5, 6), 3, S), (5, 6), board, aim.power)
    assert [piece.id for piece in victims(area, board)] == [2, 3]
    plans = [
        prepare_in_area(
            Situation(board, thrower, board.piece(who.id).square, who, 0, Clock(), origin=(5, 6)),
            aim.distance,
            S,
        )
        for who in (friend, foe)
    ]
    # friend: Size 0 -3; hit from behind by the burst's centre, one square south of it: +1 Power
    assert (plans[0].power, plans[0].accuracy) == (6, 1 - 3)
    # foe: prone -2; level with the centre, so not from behind
    assert (plans[1].power, plans[1].accuracy) == (5, 1 - 2)
    # both stand next to the centre: no Shield
    assert not plans[0].shield_usable
    assert not plans[1].shield_usable
    with pytest.raises(InvalidInput):
        prepare_in_area(Situation(board, thrower, (5, 7), friend, 0, Clock()), aim.distance, S)


@pytest.mark.rule("SU-AREA-01")
def test_lines_are_taken_from_the_origin():
    thrower = model(Profile("Bomber", mind=2, health=3, weapons=(BOMB,)))
    foe = model(XUL, 3, 2)
    wall = Obstacle("wall", frozenset({(6, 6)}), 4)
    board = stand(Board(20, 20, (wall,)), (thrower, (5, 2), Facing.NORTH), (foe, (7, 6), Facing.NORTH))
    aim = prepare(Situation(board, thrower, (5, 6), None, 0, Clock()), S)
    plan = prepare_in_area(Situation(board, thrower, (7, 6), foe, 0, Clock(), origin=(5, 6)), aim.distance, S)
    # Power 5 penetrates the Body of 4, but every line to the victim is blocked: hidden, no Body added
    assert [m.rule for m in plan.accuracy_modifiers] == ["SU-ACC-01", "SU-ACC-04"]
    assert (plan.cover_bonus, plan.shield_usable) == (0, True)
