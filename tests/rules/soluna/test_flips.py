from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import comb, factorial, prod

import pytest

from rules.dice import Entered, Roller, Solver, at_least
from rules.refusals import Forbidden, InvalidInput
from rules.systems.soluna.attack import attack_roll
from rules.systems.soluna.damage import Target
from rules.systems.soluna.faces import (
    FACES,
    IMPOSSIBLE_COST,
    Flip,
    Grid,
    Square,
    best_flips,
    cost_away,
    cost_towards,
    count_faces,
    flip_cost,
    make_flips,
)
from rules.systems.soluna.prospects import prospect
from rules.systems.soluna.settings import Settings

from ..helpers import brute, fed

# The four faces beside each face of a die.
BESIDE = {
    1: (2, 3, 4, 5),
    2: (1, 3, 4, 6),
    3: (1, 2, 5, 6),
    4: (1, 2, 5, 6),
    5: (1, 3, 4, 6),
    6: (2, 3, 4, 5),
}


def location_hits(dice, power, accuracy, faces):
    """Hits on one location after the best flips: points off a target that nothing protects."""
    others = tuple(face for face in FACES if face not in faces)
    squares = (Square("aimed", faces, "rest" if others else ""),)
    squares += (Square("rest", others, "aimed"),) if others else ()
    target = Target((50,) * len(squares), grid=Grid(squares))
    return prospect(dice, power, accuracy, target, Settings()).lost[0]


@pytest.mark.rule("SU-FLIP-01")
def test_a_flip_goes_to_the_four_faces_beside():
    for face, beside in BESIDE.items():
        assert {goal for goal in FACES if flip_cost(face, goal) == 1} == set(beside)
        assert flip_cost(face, 7 - face) == 2
        assert flip_cost(face, face) == 0


@pytest.mark.rule("SU-FLIP-01", "SU-ATK-01")
def test_printed_flips_of_the_gravity_saber():
    counts = fed(attack_roll, [3, 3, 5, 4], 4)
    assert counts == count_faces([3, 3, 4, 5])
    after = best_flips(counts, 2, (3,))
    assert after.counts == count_faces([3, 3, 3, 4])
    assert after.flips == (Flip(1, 5, 3, 1),)
    assert after.hits == 3
    # the 4 into a 3 costs both flips
    assert make_flips(counts, ((4, 3),), 2) == count_faces([3, 3, 3, 5])
    with pytest.raises(Forbidden):
        make_flips(counts, ((4, 3),), 1)


@pytest.mark.rule("SU-FLIP-02")
def test_printed_flips_onto_the_mind():
    after = best_flips(count_faces([1, 3, 4, 4]), 3, (1,))
    assert (after.hits, after.counts) == (4, count_faces([1, 1, 1, 1]))
    assert sum(flip.dice * flip.cost for flip in after.flips) == 3
    assert make_flips(count_faces([1, 3, 4, 4]), ((3, 1), (4, 1), (4, 1)), 3) == count_faces([1, 1, 1, 1])


@pytest.mark.rule("SU-FLIP-02")
def test_fewer_flips_may_be_used_but_not_more_nor_of_dice_that_are_not_there():
    counts = count_faces([1, 3, 4, 4])
    assert make_flips(counts, (), 3) == counts
    assert make_flips(counts, ((3, 1),), 3) == count_faces([1, 1, 4, 4])
    with pytest.raises(Forbidden):
        make_flips(counts, ((3, 1), (4, 1)), 1)
    with pytest.raises(InvalidInput):
        make_flips(counts, ((5, 1),), 3)
    assert best_flips(counts, 0, (1,)).flips == ()


@pytest.mark.rule("SU-FLIP-03")
def test_negative_accuracy_gives_the_flips_to_the_target():
    after = best_flips(count_faces([1, 1, 1, 2]), -2, (1,))
    assert after.hits == 1
    assert all(flip.old == 1 and flip.new in BESIDE[1] for flip in after.flips)
    assert fed(location_hits, [1, 1, 1, 2], 4, -2, (1,)) == 1
    assert fed(location_hits, [1, 2, 3, 2], 4, -2, (1,)) == 0
    # struck by 1 to 5: only the 1 needs two flips to show a 6, the others one
    assert [cost_away(face, (1, 2, 3, 4, 5)) for face in FACES] == [2, 1, 1, 1, 1, 0]
    assert cost_away(3, FACES) == IMPOSSIBLE_COST
    assert fed(location_hits, [1, 1], 2, -2, (1, 2, 3, 4, 5)) == 1
    assert fed(location_hits, [1, 1], 2, -3, FACES) == 2


def test_several_faces_of_one_location():
    # Shield out of use: 3 and 4 both strike Body, so every other face is one flip away
    assert [cost_towards(face, (3, 4)) for face in FACES] == [1, 1, 0, 0, 1, 1]
    assert best_flips(count_faces([1, 2, 4, 3]), 1, (3, 4)).hits == 3
    assert cost_towards(2, ()) == IMPOSSIBLE_COST


def test_cheap_dice_of_small_groups_are_turned_first():
    # onto 1 with two flips from 2 2 2 3 6: the 3 first, then a 2; the 6 would cost two
    after = best_flips(count_faces([2, 2, 2, 3, 6]), 2, (1,))
    assert after.counts == count_faces([1, 1, 2, 2, 6])


# ------------------------------------------------------------------------------------------ odds


@cache
def after_any_flips(counts, flips):
    """Every state that up to so many single flips can reach, by trying them all."""
    if not flips:
        return {counts}
    before = after_any_flips(counts, flips - 1)
    return before | {
        tuple(n - (k == old) + (k == new) for k, n in enumerate(state, 1))
        for state in before
        for old in FACES
        if state[old - 1]
        for new in BESIDE[old]
    }


def all_throws(power):
    """(counts, how many of the 6^power rows of faces show them)."""
    for faces in combinations_with_replacement(FACES, power):
        counted = Counter(faces)
        yield count_faces(faces), factorial(power) // prod(factorial(n) for n in counted.values())


@pytest.mark.parametrize("accuracy", [-2, 0, 1, 3])
@pytest.mark.parametrize("faces", [(1,), (3, 4), (2, 3, 4, 5, 6)])
def test_best_flips_are_the_best_of_all(accuracy, faces):
    for power in (1, 3, 4):
        for counts, _ in all_throws(power):
            ends = [sum(end[f - 1] for f in faces) for end in after_any_flips(counts, abs(accuracy))]
            best = max(ends) if accuracy >= 0 else min(ends)
            assert best_flips(counts, accuracy, faces).hits == best


@pytest.mark.rule("SU-FLIP-02", "SU-FLIP-03", "SU-ATK-01")
@pytest.mark.parametrize("accuracy", [-2, 0, 1, 3])
def test_odds_equal_the_exhaustive_search_of_six_dice(accuracy):
    expected = Counter()
    for counts, rows in all_throws(6):
        ends = [end[1] for end in after_any_flips(counts, abs(accuracy))]
        expected[max(ends) if accuracy >= 0 else min(ends)] += Fraction(rows, 6**6)
    assert dict(Solver(exact=True).solve(location_hits, 6, accuracy, (2,)).chances) == dict(expected)


@pytest.mark.parametrize(
    ("power", "accuracy", "faces"), [(3, 2, (1,)), (3, -1, (5,)), (3, 1, (3, 4)), (3, 3, (6,))]
)
def test_odds_equal_brute_force(power, accuracy, faces):
    solved = Solver(exact=True).solve(location_hits, power, accuracy, faces)
    assert dict(solved.chances) == brute(location_hits, power, accuracy, faces)


def closed_form(power, flips, least):
    """Chance of `least` hits on one face: a dice show it, b lie opposite, the rest one flip away."""
    chance = Fraction(0)
    for a in range(power + 1):
        for b in range(power - a + 1):
            near = power - a - b
            ways = comb(power, a) * comb(power - a, b) * 4**near
            one = min(near, flips)
            if a + one + min(b, (flips - one) // 2) >= least:
                chance += Fraction(ways, 6**power)
    return chance


@pytest.mark.parametrize("power", [6, 7])
def test_odds_equal_the_closed_form_of_many_dice(power):
    for flips in (0, 2, 5):
        odds = Solver(exact=True).solve(location_hits, power, flips, (4,))
        for least in range(power + 1):
            exact = sum(p for hits, p in odds.chances.items() if hits >= least)
            assert exact == closed_form(power, flips, least)


def closed_form_away(power, flips, least):
    """Chance of `least` hits when the target turns dice off: the binomial, less its flips."""
    return sum(
        Fraction(comb(power, k) * 5 ** (power - k), 6**power)
        for k in range(power + 1)
        if max(0, k - flips) >= least
    )


def test_odds_of_the_targets_flips_in_closed_form():
    for flips in (1, 3):
        odds = Solver(exact=True).solve(location_hits, 6, -flips, (4,))
        for least in range(7):
            exact = sum(p for hits, p in odds.chances.items() if hits >= least)
            assert exact == closed_form_away(6, flips, least)


def test_small_fractions_by_hand():
    # one die: 1 hit without flips 1/6, with one flip all but the opposite face 5/6, with two always
    for flips, chance in ((0, Fraction(1, 6)), (1, Fraction(5, 6)), (2, Fraction(1))):
        odds = Solver(exact=True).solve(location_hits, 1, flips, (3,))
        assert odds.chances[1] == chance
    # two dice, the target turns one away: both must show it
    assert Solver(exact=True).solve(location_hits, 2, -1, (3,)).chances[1] == Fraction(1, 36)


def test_more_dice_and_more_flips_never_hurt():
    def chance(power, accuracy):
        return at_least(Solver(exact=True).solve(location_hits, power, accuracy, (1,)), [2])[2]

    for accuracy in (-2, 0, 2):
        assert chance(3, accuracy) <= chance(4, accuracy)
        assert chance(4, accuracy) <= chance(4, accuracy + 1)


def test_the_trace_shows_the_faces_thrown():
    roller = Roller(Entered([3, 3, 5, 4]))
    attack_roll(roller, 4)
    assert [face for _, faces in roller.trace[0].hands for face in faces] == [3, 3, 5, 4]
