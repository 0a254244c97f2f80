"""The seam as it rolls: scripted faces, faces typed in, faces recorded, and the trace."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from math import factorial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.dice import (
    BONUS_WAVES,
    MAX_DICE,
    Compared,
    DiceError,
    Die,
    Drawn,
    Entered,
    Facet,
    Heading,
    MoreDice,
    Ranks,
    Recorded,
    Roller,
    Shown,
    Solver,
    Thrown,
    add,
)
from tests.rules.helpers import fed
from tests.rules.sources import Chance, fits
from tests.rules.toys import (
    D6,
    PLAIN,
    SIX_AGAIN,
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


# ---------------------------------------------------------------- what is rolled


def test_a_pool_adds_its_tallies_and_the_bonus_dice() -> None:
    assert fed(pooled, [6, 1, 5, 6, 2], 3, SIX_AGAIN) == (3, 20)
    assert fed(pooled, [], 0, SIX_AGAIN) == (0, 0)


def test_bonus_dice_end_at_the_longest_chain() -> None:
    assert fed(pooled, [6, 6, 6], 1, SIX_AGAIN) == (3, 18)
    endless = Die(("n",), (Facet("again", (1,), again=True), Facet("again", (1,), again=True)))
    assert fed(pooled, [1] * 13, 1, endless) == (1 + BONUS_WAVES,)
    assert dict(Solver(exact=True).solve(pooled, 1, endless).chances) == {(13,): 1}
    assert fed(pooled, [1] * 26, 2, endless) == (26,)


@pytest.mark.parametrize("waves", [0, 1, 2, 5])
def test_the_solver_follows_chains_as_far_as_the_roller(waves: int) -> None:
    die = Die(("n",), (Facet("again", (1,), again=True), Facet("last", (0,))), waves=waves)
    assert fed(pooled, [1] * (waves + 1), 1, die) == (waves + 1,)
    assert max(Solver(exact=True).solve(pooled, 1, die).chances) == (waves + 1,)


def test_another_bonus_die() -> None:
    bonus = Die(("n",), (Facet("ten", (10,)), Facet("again", (20,), again=True)))
    die = Die(("n",), (Facet("one", (1,)), Facet("again", (2,), again=True), Facet("three", (3,))), bonus)
    roller = Roller(Entered([2, 3, 2, 1]))
    assert roller.pool(2, die, "two") == (2 + 3 + 20 + 10,)
    assert roller.trace == [Thrown("two", die, ((2, 3), (2,), (1,)), 0)]
    assert roller.trace[0].words() == (((2, "again"), (3, "three")), ((2, "again"),), ((1, "ten"),))
    assert roller.record == ((3, 2), (3, 3), (2, 2), (2, 1))


def test_a_sweep_walks_from_the_best_rank_and_passes_over_rank_0() -> None:
    lower = Ranks((3, 2, 1, 0))
    assert fed(walked, [1, 6, 6, 4, 2, 4], ((3, D6), (3, lower)), 9) == (
        (6, (2, 0)),
        (2, (0, 1)),
        (1, (1, 0)),
    )
    assert fed(walked, [1, 6, 6, 4, 2, 4], ((3, D6), (3, lower)), 1) == ((6, (2, 0)),)
    assert fed(walked, [], ((0, D6),), 1) == ()


def test_one_face_and_totals() -> None:
    assert fed(one_face, [17], 20) == 17
    assert fed(totalled, [1, 2, 3], 3, 6) == 6
    assert fed(totalled_pairs, [1, 2, 3], 3, 6) == (6, -6)
    for reading in (Roller(Chance(1)), Solver()):
        with pytest.raises(ValueError, match="at least once"):
            totalled(reading, 0, 6) if isinstance(reading, Roller) else reading.solve(totalled, 0, 6)


def test_adding_outcomes() -> None:
    assert add(2, 3) == 5
    assert add((1, 2), (3, -5)) == (4, -3)
    with pytest.raises(TypeError):
        add((1, 2), 3)
    with pytest.raises(ValueError, match="zip"):
        add((1, 2), (3,))


def test_a_draw_takes_without_replacement() -> None:
    roller = Roller(Entered([5, 1, 3]))
    assert roller.draw((2, 0, 3), 3, "bag") == (1, 0, 2)
    assert roller.trace == [Drawn("bag", (2, 0, 2), 0)]
    assert roller.record == ((5, 5), (4, 1), (3, 3))
    assert fed(drawn, [], (2, 3), 0) == (0, 0)
    assert fed(drawn, [1, 1, 1], (1, 1, 1), 3) == (1, 1, 1)
    for n in (4, -1):
        with pytest.raises(ValueError, match="cannot draw"):
            fed(drawn, [1, 1, 1, 1], (1, 2), n)
        with pytest.raises(ValueError, match="cannot draw"):
            Solver().solve(drawn, (1, 2), n)


def test_a_shuffle_reaches_every_order_equally() -> None:
    def orders(faces: list[list[int]], size: int) -> list[list[int]]:
        return (
            faces
            if size < 2
            else orders([[*f, face] for f in faces for face in range(1, size + 1)], size - 1)
        )

    reached = Counter(Roller(Entered(faces)).shuffle(4, "deck") for faces in orders([[]], 4))
    assert set(reached) == set(permutations(range(4)))
    assert set(reached.values()) == {1}
    assert Roller(Entered([])).shuffle(1, "deck") == (0,)
    assert Roller(Entered([])).shuffle(0, "deck") == ()


def test_a_shuffle_of_chance_is_even() -> None:
    roller = Roller(Chance(11))
    seen = Counter(roller.shuffle(4, "deck") for _ in range(4800))
    assert fits(seen, dict.fromkeys(permutations(range(4)), 1 / factorial(4)))


def test_the_trace_tells_the_steps() -> None:
    def step(dice: Roller) -> int:
        return dice.call(higher, 1, 1) + dice.face(4, "after")

    roller = Roller(Entered([6, 2, 3]))
    assert roller.call(step) == 4
    assert roller.trace == [
        Heading("step", 0),
        Heading("higher", 1),
        Compared("higher", ((D6, (6,)), (D6, (2,))), 2),
        Shown("after", 4, 3, 1),
    ]
    assert roller.record == ((6, 6), (6, 2), (4, 3))


def test_a_heading_ends_where_its_rule_fails() -> None:
    roller = Roller(Entered([1]))
    with pytest.raises(MoreDice):
        roller.call(higher, 1, 1)
    roller.source = Entered([2])
    roller.face(6, "next")
    assert roller.trace[-1] == Shown("next", 6, 2, 0)


def test_too_many_dice_are_refused_by_both_readings() -> None:
    assert sum(Roller(Chance(1)).pool(MAX_DICE, PLAIN, "many")) > 0
    for rule, args in ((hits, (MAX_DICE + 1,)), (higher, (1, MAX_DICE + 1))):
        with pytest.raises(DiceError, match="at most 1000 dice at once"):
            rule(Roller(Chance(1)), *args)
        with pytest.raises(DiceError, match="at most 1000 dice at once"):
            Solver().solve(rule, *args)


def test_dice_are_checked_when_made() -> None:
    with pytest.raises(ValueError, match="a die has 1 to"):
        Die(("n",), ())
    with pytest.raises(ValueError, match="every tally"):
        Die(("n",), (Facet("x", (1, 2)),))
    again = Die(PLAIN.tallies, PLAIN.facets)
    assert again == PLAIN
    assert hash(again) == hash(PLAIN)
    assert Die(PLAIN.tallies, PLAIN.facets, shift=1) != PLAIN
    assert PLAIN.sides == D6.sides == 6


# ---------------------------------------------------------------- faces typed in


def test_missing_faces_say_what_to_throw_next() -> None:
    with pytest.raises(MoreDice) as asked:
        fed(mixed, [5], 3, PLAIN, (1,))
    assert (asked.value.label, asked.value.count, asked.value.sides) == ("pool", 2, 6)
    assert str(asked.value) == "pool: throw 2 d6"
    with pytest.raises(MoreDice) as asked:
        fed(pooled, [6, 6, 1], 2, SIX_AGAIN)
    assert (asked.value.count, asked.value.sides) == (1, 6)


def test_missing_faces_tell_what_is_in_of_the_same_throw_and_what_it_is_worth() -> None:
    with pytest.raises(MoreDice) as asked:
        fed(pooled, [6, 2, 6], 3, SIX_AGAIN)
    assert (asked.value.given, asked.value.die, asked.value.earlier) == ((), SIX_AGAIN, ((6, 2, 6),))
    with pytest.raises(MoreDice) as asked:
        fed(pooled, [6, 2, 6, 6], 3, SIX_AGAIN)
    assert (asked.value.given, asked.value.count) == ((6,), 1)


def test_the_second_hand_of_a_sweep_is_told_from_the_first() -> None:
    ranks = Ranks((1, 2, 3, 4, 5, 6))
    roller = Roller(Entered([4, 2, 5]))
    with pytest.raises(MoreDice) as asked:
        roller.sweep(((2, ranks), (3, ranks)), lambda state, rank, counts: state, 0, "opposed")
    assert (asked.value.earlier, asked.value.given, asked.value.count) == (((4, 2),), (5,), 2)
    assert asked.value.die is ranks


def test_faces_too_many_are_refused() -> None:
    entered = Entered([1, 2, 3, 4])
    hits(Roller(entered), 2)
    assert entered.left == 2
    with pytest.raises(DiceError, match=r"2 dice too many: 3, 4\."):
        entered.finish()
    hits(Roller(entered), 2)
    entered.finish()


@pytest.mark.parametrize("face", [0, 7, -1])
def test_faces_that_the_die_does_not_have_are_refused(face: int) -> None:
    with pytest.raises(DiceError, match=rf"hits: each d6 must show 1 to 6 \(you entered {face}\)"):
        fed(hits, [1, face], 3)


def test_a_refused_face_is_not_used_up() -> None:
    entered = Entered([1, 9])
    with pytest.raises(DiceError):
        entered.faces(2, 6, "x")
    with pytest.raises(MoreDice):
        entered.faces(3, 10, "x")
    assert entered.faces(2, 10, "x") == (1, 9)


# ---------------------------------------------------------------- faces recorded


def test_a_record_gives_the_same_faces_then_those_of_another_source() -> None:
    recorded = Recorded(((6, 1), (6, 2), (10, 9)), Entered([5, 6]))
    assert list(recorded.faces(2, 6, "x")) == [1, 2]
    assert recorded.left == 1
    assert list(recorded.faces(2, 10, "x")) == [9, 5]
    assert recorded.left == 0
    assert list(recorded.faces(1, 6, "x")) == [6]


def test_a_record_of_other_dice_is_left() -> None:
    recorded = Recorded(((6, 1), (10, 9), (6, 3)), Entered([4, 5, 6]))
    assert list(recorded.faces(2, 6, "x")) == [1, 4]
    assert recorded.left == 0
    assert list(recorded.faces(1, 6, "x")) == [5]


@quick
@given(n=st.integers(0, 3), die=dice_of(2), bag=bags, seed=st.integers(0, 99))
def test_replaying_a_record_gives_the_same(n: int, die: Die, bag: tuple[int, ...], seed: int) -> None:
    roller = Roller(Chance(seed))
    outcome = mixed(roller, n, die, bag)
    replayed = Roller(recorded := Recorded(roller.record, Entered(())))
    assert mixed(replayed, n, die, bag) == outcome
    assert replayed.trace == roller.trace
    assert replayed.record == roller.record
    assert recorded.left == 0
    assert fed(mixed, [face for _, face in roller.record], n, die, bag) == outcome


@quick
@given(cast=hands, seed=st.integers(0, 99))
def test_a_sweep_tells_every_ranked_face(cast: tuple[tuple[int, Ranks], ...], seed: int) -> None:
    roller = Roller(Chance(seed))
    told = walked(roller, cast, 99)
    entry = roller.trace[0]
    assert isinstance(entry, Compared)
    expected = [Counter(ranks.ranks[face - 1] for face in faces) for ranks, faces in entry.hands]
    best_first = sorted({rank for counts in expected for rank in counts if rank}, reverse=True)
    assert told == tuple((rank, tuple(counts[rank] for counts in expected)) for rank in best_first)
