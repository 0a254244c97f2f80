from fractions import Fraction

import pytest

from rules.dice import Solver
from rules.modifiers import Modifier
from rules.systems.infinity.rolls import (
    Hits,
    Reading,
    applied,
    excess,
    modified,
    normal_roll,
    normal_rolls,
    rank,
    reading,
    round_up,
)
from rules.systems.infinity.settings import Settings
from tests.rules.helpers import brute, fed


def mods(*amounts):
    return tuple(Modifier(amount, "test") for amount in amounts)


@pytest.mark.rule("INF-ROLL-01")
@pytest.mark.parametrize(
    ("face", "expected"), [(8, Reading.SUCCESS), (15, Reading.FAILURE), (11, Reading.SUCCESS)]
)
def test_equal_or_lower_succeeds(face, expected):
    assert fed(normal_roll, [face], modified(12, ())) is expected


@pytest.mark.rule("INF-ROLL-02")
def test_the_sum_of_mods_is_capped_not_each():
    assert applied(mods(-3, -6, -6)) == -12
    assert applied(mods(9, 6)) == 12
    assert applied(mods(-15, 6)) == -9  # one MOD beyond 12 is not cut by itself
    assert modified(13, mods(-3, -6, -6)) == 1
    assert applied(mods(-3, -6, -6), Settings(mod_cap=14)) == -14


@pytest.mark.rule("INF-ROLL-03")
@pytest.mark.parametrize("value", [0, -4])
def test_below_one_fails_without_a_die(value):
    assert fed(normal_roll, [], value) is Reading.FAILURE
    assert fed(normal_rolls, [], 3, value) == Hits()
    assert all(rank(value, face) == 0 for face in range(1, 21))


@pytest.mark.rule("INF-ROLL-03")
def test_one_still_leaves_a_die():
    assert fed(normal_roll, [1], 1) is Reading.CRITICAL
    assert fed(normal_roll, [2], 1) is Reading.FAILURE


@pytest.mark.rule("INF-ROLL-04")
def test_above_twenty_the_excess_is_added_to_every_die():
    assert excess(26) == 6
    assert [reading(26, face) for face in (14, 13, 1, 20)] == [
        Reading.CRITICAL,
        Reading.SUCCESS,
        Reading.SUCCESS,
        Reading.CRITICAL,
    ]
    assert (rank(26, 13), rank(26, 1)) == (19, 7)
    # 14 to 20 are Criticals: 7 of 20; none fails
    assert dict(Solver(exact=True).solve(normal_roll, 26).chances) == {
        Reading.SUCCESS: Fraction(13, 20),
        Reading.CRITICAL: Fraction(7, 20),
    }


@pytest.mark.rule("INF-ROLL-05")
def test_the_die_that_shows_the_modified_attribute_is_a_critical():
    value = modified(11, mods(3))
    assert [reading(value, face) for face in (2, 14, 13, 20)] == [
        Reading.SUCCESS,
        Reading.CRITICAL,
        Reading.SUCCESS,
        Reading.FAILURE,
    ]
    assert fed(normal_rolls, [2, 14, 13, 20], 4, value) == Hits(2, 1)
    assert reading(20, 20) is Reading.CRITICAL
    assert reading(20, 19) is Reading.SUCCESS


@pytest.mark.rule("INF-ROLL-07")
def test_rounding_is_up():
    assert round_up(5, 2) == 3
    assert round_up(150 * 25, 100) == 38
    assert round_up(6, 2) == 3


@pytest.mark.parametrize("value", [-2, 1, 9, 20, 23, 39, 45])
def test_odds_are_those_of_every_face(value):
    assert dict(Solver(exact=True).solve(normal_rolls, 2, value).chances) == brute(normal_rolls, 2, value)
