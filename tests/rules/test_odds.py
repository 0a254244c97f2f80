"""The seam as it is solved: against fractions by hand, every face in turn, icepool, and sampled rolls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import icepool
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.dice import (
    CUT,
    HARDLY,
    Dice,
    Die,
    Facet,
    Odds,
    Ranks,
    Roller,
    Solver,
    Stop,
    TooLarge,
    add_up,
    at_least,
    best_of,
    estimate,
    roll,
    sample,
    sampled,
    solve,
)
from tests.rules.helpers import brute
from tests.rules.sources import Chance, fits
from tests.rules.toys import (
    D6,
    PLAIN,
    bags,
    dice_of,
    drawn,
    hands,
    higher,
    hits,
    mixed,
    one_face,
    pooled,
    totalled,
    totalled_pairs,
    walked,
)

quick = settings(max_examples=60, deadline=None, database=None, derandomize=True)


def exactly(rule: Any, *args: Any) -> dict[Any, Fraction]:
    solved = Solver(exact=True).solve(rule, *args).chances
    assert sum(solved.values()) == 1
    assert all(isinstance(p, Fraction) and p > 0 for p in solved.values())
    return dict(solved)


# ---------------------------------------------------------------- by hand


def test_odds_by_hand() -> None:
    assert exactly(hits, 2) == {0: Fraction(4, 9), 1: Fraction(4, 9), 2: Fraction(1, 9)}
    assert exactly(hits, 0) == {0: 1}
    assert exactly(totalled, 2, 2) == {2: Fraction(1, 4), 3: Fraction(1, 2), 4: Fraction(1, 4)}
    assert exactly(totalled_pairs, 2, 2) == {
        (2, -2): Fraction(1, 4),
        (3, -3): Fraction(1, 2),
        (4, -4): Fraction(1, 4),
    }
    assert exactly(higher, 1, 1) == {1: Fraction(5, 12), 0: Fraction(1, 6), -1: Fraction(5, 12)}
    assert exactly(drawn, (2, 1), 2) == {(2, 0): Fraction(1, 3), (1, 1): Fraction(2, 3)}
    assert exactly(one_face, 3) == dict.fromkeys((1, 2, 3), Fraction(1, 3))


def test_what_odds_tell() -> None:
    odds: Odds[int] = Solver(exact=True).solve(totalled, 2, 6)
    assert next(iter(odds.each())) == 7
    assert odds.chance(lambda total: total >= 10) == pytest.approx(1 / 6)
    assert odds.mean(float) == pytest.approx(7)
    assert odds.error == 0
    assert dict(odds.map(lambda total: total > 7).chances) == {
        True: Fraction(15, 36),
        False: Fraction(21, 36),
    }
    assert at_least(odds, (2, 12, 13)) == {2: 1.0, 12: pytest.approx(1 / 36), 13: 0.0}


# ---------------------------------------------------------------- against every face in turn


@quick
@given(n=st.integers(0, 3), die=dice_of(2, 3))
def test_pools_are_those_of_all_faces(n: int, die: Die) -> None:
    assert exactly(pooled, n, die) == brute(pooled, n, die)


@quick
@given(cast=hands, limit=st.integers(1, 4))
def test_sweeps_are_those_of_all_faces(cast: tuple[tuple[int, Ranks], ...], limit: int) -> None:
    assert exactly(walked, cast, limit) == brute(walked, cast, limit)


@quick
@given(n=st.integers(1, 4), sides=st.integers(1, 4))
def test_totals_are_those_of_all_faces(n: int, sides: int) -> None:
    assert exactly(totalled, n, sides) == brute(totalled, n, sides)
    assert exactly(totalled_pairs, n, sides) == brute(totalled_pairs, n, sides)


@settings(quick, max_examples=20)
@given(n=st.integers(0, 1), die=dice_of(1, 2), bag=bags)
def test_rules_of_many_steps_are_those_of_all_faces(n: int, die: Die, bag: tuple[int, ...]) -> None:
    expected = brute(mixed, n, die, bag)
    assert exactly(mixed, n, die, bag) == expected
    floats = solve(mixed, n, die, bag)
    assert sum(map(float, floats.chances.values())) + floats.error == pytest.approx(1)
    for outcome, p in expected.items():
        assert floats.chances.get(outcome, 0.0) == pytest.approx(float(p), abs=floats.error + 1e-12)


@quick
@given(bag=bags, n=st.integers(0, 9))
def test_draws_are_those_of_all_combinations(bag: tuple[int, ...], n: int) -> None:
    n = min(n, sum(bag))
    things = [kind for kind, count in enumerate(bag) for _ in range(count)]
    taken = Counter(
        tuple(Counter(chosen)[kind] for kind in range(len(bag))) for chosen in combinations(things, n)
    )
    whole = sum(taken.values())
    assert exactly(drawn, bag, n) == {counts: Fraction(seen, whole) for counts, seen in taken.items()}


# ---------------------------------------------------------------- against icepool


def test_sweeps_agree_with_icepool() -> None:
    """Who shows the best face, 5d6 against 4d6, and how many of the winner's dice beat the loser's best."""

    def ahead(dice: Dice, left: int, right: int) -> int:
        def step(state: int, rank: int, counts: tuple[int, ...]) -> int | Stop[int]:
            mine, theirs = counts
            if state < 0 or (mine and theirs) or (state > 0 and theirs):
                return Stop(state)
            return -theirs if theirs else state + mine

        return dice.sweep(((left, D6), (right, D6)), step, 0, "ahead")

    class Ahead(icepool.MultisetEvaluator):  # type: ignore[misc, type-arg]
        def next_state(self, state: Any, order: Any, outcome: int, a: int, b: int) -> Any:
            value, done = state or (0, False)
            if done or not (a or b):
                return value, done
            if value < 0 or (a and b) or (value > 0 and b):
                return value, True
            return (-b, False) if b else (value + a, False)

        def final_outcome(self, final_state: Any, *args: Any, **kwargs: Any) -> int:
            return int(final_state[0])

        def order(self) -> Any:
            return icepool.Order.Descending

    theirs = Ahead().evaluate(icepool.d6.pool(5), icepool.d6.pool(4))
    expected = dict(zip(map(int, theirs.outcomes()), theirs.probabilities(), strict=True))
    assert exactly(ahead, 5, 4) == expected


def test_pools_agree_with_icepool() -> None:
    again = Die(("n",), tuple(Facet("", (int(face > 6),), again=face == 10) for face in range(1, 11)))
    one = icepool.d10.explode([10], depth=12)
    # a chain of tens, then a last face: tens each hit, the last hits where it is above 6
    hits_of = one.map(lambda total: (total - 1) // 10 + int((total - 1) % 10 + 1 > 6) if total < 130 else 13)
    theirs = 5 @ hits_of
    assert exactly(pooled, 5, again) == {
        (int(value),): p for value, p in zip(theirs.outcomes(), theirs.probabilities(), strict=True)
    }


def test_draws_agree_with_icepool() -> None:
    dealt = icepool.Deck({"ace": 4, "court": 12, "other": 36}).deal(5).expand()
    expected: dict[Any, Fraction] = {}
    for hand, p in zip(dealt.outcomes(), dealt.probabilities(), strict=True):
        counts = tuple(hand.count(kind) for kind in ("ace", "court", "other"))
        expected[counts] = expected.get(counts, Fraction(0)) + p
    assert exactly(drawn, (4, 12, 36), 5) == expected


# ---------------------------------------------------------------- merging and memory


def test_a_rule_called_twice_is_solved_once_and_merged() -> None:
    runs: list[int] = []

    def inner(dice: Dice, n: int) -> bool:
        runs.append(n)
        return dice.pool(n, PLAIN, "x")[0] > 0

    def outer(dice: Dice) -> tuple[bool, bool]:
        return dice.call(inner, 3), dice.call(inner, 3)

    odds = exactly(outer)
    miss = Fraction(8, 27)
    assert odds[False, False] == miss**2
    assert odds[True, False] == odds[False, True] == miss * (1 - miss)
    assert len(runs) == 4  # once for each count of hits
    solver = Solver()
    solver.solve(outer)
    solver.solve(outer)
    assert len(runs) == 8


def test_arguments_are_told_apart() -> None:
    def either(dice: Dice, *, best: bool) -> int:
        return max(dice.face(4, "a"), dice.face(4, "b")) if best else dice.face(4, "a")

    def both(dice: Dice) -> tuple[int, int]:
        return dice.call(either, best=True), dice.call(either, best=False)

    odds = exactly(both)
    assert odds[4, 1] == Fraction(7, 16) * Fraction(1, 4)
    assert odds[1, 4] == Fraction(1, 16) * Fraction(1, 4)


def test_large_questions_stay_small() -> None:
    solver = Solver(work=250_000)
    assert solver.solve(hits, 1000).error < 1e-6
    assert solver.solve(higher, 200, 200).error < 1e-6
    assert solver.solve(totalled, 300, 6).error < 1e-6
    assert solver.solve(drawn, (30, 30, 40), 20).error < 1e-9


# ---------------------------------------------------------------- properties


@quick
@given(n=st.integers(1, 30), die=dice_of(12))
def test_odds_sum_to_one_within_their_error(n: int, die: Die) -> None:
    odds = solve(pooled, n, die)
    assert 0 <= odds.error < 1e-5
    assert sum(map(float, odds.chances.values())) == pytest.approx(1 - odds.error, abs=1e-12)
    assert all(0 < p <= 1 + 1e-12 for p in odds.chances.values())


@quick
@given(n=st.integers(1, 8), die=dice_of(12))
def test_the_error_bounds_what_is_too_low(n: int, die: Die) -> None:
    floats, exact = solve(pooled, n, die), exactly(pooled, n, die)
    assert set(floats.chances) <= set(exact)
    for outcome, p in exact.items():
        missing = float(p) - float(floats.chances.get(outcome, 0.0))
        assert -1e-12 <= missing <= floats.error + 1e-12
    reached = floats.chance(lambda tally: tally[0] >= n)
    due = float(sum(p for (tally,), p in exact.items() if tally >= n))
    assert abs(reached - due) <= floats.error + HARDLY + 1e-12


@quick
@given(n=st.integers(0, 12), die=dice_of(3), target=st.integers(0, 12))
def test_one_more_die_never_hurts(n: int, die: Die, target: int) -> None:
    fewer, more = solve(pooled, n, die), solve(pooled, n + 1, die)
    reach = [odds.chance(lambda tally: tally[0] >= target) for odds in (fewer, more)]
    assert reach[1] >= reach[0] - more.error - 1e-12


@quick
@given(left=st.integers(1, 6), right=st.integers(1, 6))
def test_one_more_die_never_hurts_in_a_sweep(left: int, right: int) -> None:
    def win(mine: int) -> Fraction:
        return exactly(higher, mine, right).get(1, Fraction(0))

    assert win(left + 1) > win(left)


def test_sampled_rolls_fit_the_odds() -> None:
    again = Die(("n",), tuple(Facet("", (int(face > 3),), again=face == 6) for face in range(1, 7)))
    questions: list[tuple[Any, tuple[Any, ...]]] = [
        (pooled, (4, again)),
        (higher, (2, 3)),
        (totalled, (3, 6)),
        (drawn, ((3, 4, 5), 4)),
        (mixed, (2, again, (2, 2))),
        (walked, (((2, D6), (1, Ranks((0, 1, 2)))), 2)),
    ]
    for seed, (rule, args) in enumerate(questions):
        sampled = estimate(rule, Chance(seed), 3000, *args)
        odds = solve(rule, *args)
        assert sampled.rolls == sum(sampled.counts.values()) == 3000
        assert fits(sampled.counts, odds.chances), rule
        outcome = next(iter(odds.chances))
        share, deviation = sampled.chance(lambda found, outcome=outcome: found == outcome)
        assert abs(share - float(odds.chances[outcome])) < 5 * deviation


def test_the_chi_square_notices_a_loaded_die() -> None:
    fair = dict.fromkeys(range(1, 7), 1 / 6)
    assert fits(Counter(Chance(3).faces(6000, 6, "x")), fair)
    loaded = [min(6, face) for face in Chance(3).faces(7000, 7, "x")]
    assert not fits(Counter(loaded), fair)


# ---------------------------------------------------------------- what is too large


def faces_in_turn(dice: Dice, n: int) -> tuple[int, ...]:
    return tuple(dice.face(10, "x") for _ in range(n))


def big_by_big(dice: Dice) -> int:
    return dice.call(spread_out, 600) * 1_000_000 + dice.call(spread_out, 601)


def spread_out(dice: Dice, sides: int) -> int:
    return dice.face(sides, "a") * 1000 + dice.face(sides, "b")


def long_chain(dice: Dice) -> tuple[int, ...]:
    facets = tuple(Facet("", (face,), again=face > 1) for face in range(1000))
    return dice.pool(1, Die(("n",), facets), "chain")


def eight_hands(dice: Dice) -> int:
    d20 = Ranks(tuple(range(1, 21)))

    def step(state: int, rank: int, counts: tuple[int, ...]) -> int:
        return state * 7 + rank

    return dice.sweep(((60, d20),) * 8, step, 0, "hands")


@pytest.mark.parametrize(
    ("rule", "args"),
    [
        (faces_in_turn, (9,)),
        (big_by_big, ()),
        (long_chain, ()),
        (eight_hands, ()),
        (drawn, ((1000,) * 6, 3000)),
        (totalled, (1000, 5000)),
    ],
)
def test_too_much_is_refused_before_it_takes_time(rule: Any, args: tuple[Any, ...]) -> None:
    spent = []
    for _ in range(2):
        solver = Solver(work=20_000)
        with pytest.raises(TooLarge, match="more than 20000 possibilities"):
            solver.solve(rule, *args)
        spent.append(solver._spent)
    assert spent[0] == spent[1]


def test_branches_that_are_cut_are_paid_for() -> None:
    """Each half by itself is small enough; all pairs of their values are not, though every one is cut."""

    def pair(dice: Dice) -> int:
        return dice.call(one_face, 330_000) - dice.call(one_face, 330_000)

    with pytest.raises(TooLarge):
        Solver(work=1_200_000).solve(pair)


def test_the_work_limit_is_the_same_question_the_same_answer() -> None:
    for work in range(20):
        with pytest.raises(TooLarge):
            Solver(work=work).solve(faces_in_turn, 1)
    assert Solver(work=20).solve(faces_in_turn, 1)
    assert len(Solver().solve(faces_in_turn, 3).chances) == 1000


def test_what_is_cut_is_told() -> None:
    rare = Die(("n",), (Facet("again", (1,), again=True), *[Facet("end", (0,))] * 999))
    odds = solve(pooled, 1, rare)
    assert max(odds.chances) == (3,)
    assert 0 < odds.error < 1000 * CUT
    roller = Roller(Chance(1))
    assert roller.pool(1, rare, "x") in odds.chances


def ones_of(dice: Dice, n: int) -> int:
    """How many of n dice with ten faces show a 1."""
    return dice.pool(n, TEN, "ones")[0]


TEN = Die(("ones",), tuple(Facet(str(face), (int(face == 1),), again=False) for face in range(1, 11)))


def test_what_hardly_happens_is_not_held_for_impossible() -> None:
    cut = solve(ones_of, 14)
    assert not cut.whole
    assert 14 not in cut.chances
    assert cut.chance(lambda ones: ones == 14) == HARDLY
    assert cut.chance(lambda ones: ones < 14) == 1 - HARDLY
    whole = Solver(cut=0).solve(ones_of, 14)
    assert whole.whole
    assert min(whole.chances) == 0
    assert max(whole.chances) == 14
    assert whole.chance(lambda ones: ones == 14) == HARDLY
    assert whole.chance(lambda ones: ones > 14) == 0
    assert whole.chance(lambda ones: ones <= 14) == 1
    assert whole.each()[14] == HARDLY


def test_a_chance_too_small_for_a_float_is_still_one() -> None:
    most = Solver(cut=0, work=10**7).solve(ones_of, 400)
    assert float(most.chances[400]) == 0
    assert max(most.chances) == 400
    assert most.chance(lambda ones: ones == 400) == HARDLY


def test_sampled_odds_hold_nothing_for_impossible_or_certain() -> None:
    odds = sampled(estimate(ones_of, Chance(1), 200, 3))
    assert not odds.whole
    assert odds.chance(lambda ones: ones > 3) == HARDLY
    assert odds.chance(lambda ones: ones <= 3) == 1 - HARDLY


def test_a_rule_that_passes_over_branches_is_not_whole() -> None:
    def passed_on(dice: Dice) -> int:
        return dice.call(ones_of, 14)

    assert not solve(passed_on).whole
    assert Solver(cut=0).solve(passed_on).whole
    assert solve(passed_on).map(lambda ones: ones > 3).whole is False


@quick
@given(n=st.integers(1, 4), ranks=st.lists(st.integers(0, 4), min_size=2, max_size=6))
def test_what_is_possible_is_what_fractions_say(n: int, ranks: list[int]) -> None:
    die = Ranks(tuple(ranks))
    whole = Solver(cut=0).solve(walked, ((n, die),), 9)
    assert whole.whole
    assert set(whole.chances) == set(exactly(walked, ((n, die),), 9))


def _one_face(dice: Dice, sides: int) -> int:
    return dice.face(sides, "die")


def _summed(dice: Dice, times: int) -> int:
    return dice.total(times, _one_face, 6)


@pytest.mark.parametrize(
    ("rule", "args"),
    [
        (_one_face, (0,)),
        (_summed, (0,)),
        (_summed, (10**6,)),
        (best_of, (0, 1, False, _one_face, (6,))),
        (best_of, (4, -1, False, _one_face, (6,))),
        (best_of, (10**6, 3, False, _one_face, (6,))),
    ],
)
def test_senseless_questions_are_refused_however_they_are_asked(rule: Any, args: tuple[Any, ...]) -> None:
    ask: list[Callable[[], object]] = [
        lambda: roll(rule, Chance(7), *args),
        lambda: Solver().solve(rule, *args),
        lambda: sample(rule, Random(7).random, lambda rolls: rolls > 1, *args),
    ]
    for asked in ask:
        with pytest.raises(ValueError):
            asked()


def test_keeping_none_or_more_than_there_are() -> None:
    none, more = (Solver(exact=True).solve(best_of, 4, keep, False, _one_face, (6,)) for keep in (0, 9))
    assert none.chances == {0: 1}
    assert more.chances == Solver(exact=True).solve(add_up, (4, 1, _one_face, (6,))).chances
