import random
from fractions import Fraction
from itertools import product
from math import factorial

import pytest

from rules.dice import Solver
from rules.refusals import InvalidInput
from rules.systems.infinity.armour import (
    Losses,
    Save,
    dodge_attacks,
    exchange,
    under_template,
    unopposed,
    wounds,
)
from rules.systems.infinity.rolls import (
    Dodged,
    FaceToFace,
    Fate,
    Hits,
    Side,
    best_rank,
    dodge_all,
    dodge_landed,
    face_to_face,
    fates,
    landed,
)
from tests.rules.helpers import brute, fed


def faced(value_a, faces_a, value_b, faces_b):
    a, b = Side(len(faces_a), value_a), Side(len(faces_b), value_b)
    return fed(face_to_face, [*faces_a, *faces_b], a, b)


@pytest.mark.rule("INF-F2F-02", "INF-F2F-05")
def test_only_what_beats_the_best_of_the_other_side_survives():
    outcome = faced(9, [3, 17, 8], 14, [2, 14, 13, 20])
    assert outcome == FaceToFace(b=Hits(plain=1, critical=1))
    assert outcome.b.total == 2
    # without the Critical: 13 still beats 8, and the cancelled 8 still cancels 2
    assert faced(9, [3, 17, 8], 14, [2, 12, 13, 20]) == FaceToFace(b=Hits(plain=2))
    assert faced(9, [8, 5, 3], 14, [4, 20]) == FaceToFace(a=Hits(plain=2))


@pytest.mark.rule("INF-F2F-02")
def test_an_opponent_who_fails_cancels_nothing():
    assert faced(9, [3, 1], 14, [15, 20]) == FaceToFace(a=Hits(plain=2))
    assert faced(9, [10], 14, [15]).winner == 0


@pytest.mark.rule("INF-F2F-03")
@pytest.mark.parametrize(
    ("value_a", "faces_a", "value_b", "faces_b", "expected"),
    [
        (5, [5], 14, [12], FaceToFace(a=Hits(critical=1))),
        (5, [5, 4], 14, [8], FaceToFace(a=Hits(critical=1))),
        (10, [10, 9], 14, [8], FaceToFace(a=Hits(plain=1, critical=1))),
        (10, [10], 16, [16, 16, 15], FaceToFace()),
        (14, [13], 5, [5], FaceToFace(b=Hits(critical=1))),
    ],
)
def test_criticals(value_a, faces_a, value_b, faces_b, expected):
    assert faced(value_a, faces_a, value_b, faces_b) == expected


@pytest.mark.rule("INF-F2F-04")
def test_ties_leave_nothing():
    assert faced(9, [8], 14, [8]) == FaceToFace()
    assert faced(9, [8, 3], 14, [8, 8, 1]) == FaceToFace()
    assert faced(14, [10, 8], 14, [8]) == FaceToFace(a=Hits(plain=1))


@pytest.mark.rule("INF-ROLL-04", "INF-F2F-02")
def test_boosted_dice_are_compared_with_what_they_add():
    # 23: 3 is added; a 10 counts 13 and beats 12, a 9 counts 12 and ties
    assert faced(23, [10], 14, [12]) == FaceToFace(a=Hits(plain=1))
    assert faced(23, [9], 14, [12]) == FaceToFace()
    assert faced(23, [17], 14, [13]) == FaceToFace(a=Hits(critical=1))


@pytest.mark.rule("INF-ROLL-03", "INF-F2F-02")
def test_a_side_that_cannot_succeed_throws_nothing():
    assert fed(face_to_face, [3, 12], Side(2, 9), Side(2, 0)) == FaceToFace(a=Hits(plain=1))
    assert fed(face_to_face, [], Side(2, -3), Side(2, 0)) == FaceToFace()


@pytest.mark.rule("INF-TRX-03", "INF-TRX-04", "INF-ROLL-06")
def test_total_reaction_worked_example():
    # active B3 on 12-3 = 9, reactive B4 on 11+3 = 14; the active side's one ARM Roll against 13-1 = 12
    sides = Side(3, 12 - 3), Side(4, 11 + 3)
    dice = [3, 17, 8, 2, 14, 13, 20]
    assert fed(face_to_face, dice, *sides) == FaceToFace(b=Hits(plain=1, critical=1))
    saves = Save(13, 1), Save(13, 1)
    assert fed(exchange, [*dice, 13], *sides, *saves) == Losses(a=1)
    assert fed(exchange, [*dice, 12], *sides, *saves) == Losses(a=2)


@pytest.mark.rule("INF-F2F-06")
def test_a_dodge_that_wins_hits_nobody():
    dodge = Side(1, 11, attacks=False)
    assert fed(exchange, [8, 5, 10], Side(2, 12), dodge, Save(13, 1), Save(13, 1)) == Losses()
    assert fed(exchange, [8, 5, 6, 4], Side(2, 12), dodge, Save(13, 1), Save(13, 1)) == Losses(b=1)


# ------------------------------------------------------------------------------------------ exact odds


def worth(value, face):
    """An independent reading of a face: (Critical or not, value shown), None for a failure."""
    if value < 1:
        return None
    if value > 20:
        shown = face + value - 20
        return (1, 20) if shown >= 20 else (0, shown)
    if face > value:
        return None
    return (1, 20) if face == value else (0, face)


def naive(a, b):
    """Face to Face by counting sides and multinomials: sum over the other side's best plain success."""

    def one_way(us, them):
        found = {}
        ours = [worth(us.value, face) for face in range(1, 21)]
        theirs = [worth(them.value, face) for face in range(1, 21)]
        for best in range(20):
            low = sum(w is None or (w[0] == 0 and w[1] <= best) for w in theirs)
            lower = sum(w is None or (w[0] == 0 and w[1] < best) for w in theirs) if best else 0
            p_best = Fraction(low, 20) ** them.burst - Fraction(lower, 20) ** them.burst
            if best and low == lower:
                continue
            critical = Fraction(sum(w is not None and w[0] == 1 for w in ours), 20)
            above = Fraction(sum(w is not None and w[0] == 0 and w[1] > best for w in ours), 20)
            rest = 1 - critical - above
            for c in range(us.burst + 1):
                for p in range(us.burst + 1 - c):
                    r = us.burst - c - p
                    ways = factorial(us.burst) // (factorial(c) * factorial(p) * factorial(r))
                    chance = p_best * ways * critical**c * above**p * rest**r
                    found[c, p] = found.get((c, p), 0) + chance
        return {key: chance for key, chance in found.items() if chance and key != (0, 0)}

    odds = {FaceToFace(a=Hits(p, c)): chance for (c, p), chance in one_way(a, b).items()}
    odds |= {FaceToFace(b=Hits(p, c)): chance for (c, p), chance in one_way(b, a).items()}
    odds[FaceToFace()] = 1 - sum(odds.values())
    return {key: chance for key, chance in odds.items() if chance}


VALUES = [(12, 12), (9, 14), (20, 20), (26, 9), (9, 26), (23, 26), (5, 40), (0, 9), (9, -2), (1, 1), (21, 20)]


@pytest.mark.rule("INF-F2F-02", "INF-F2F-03", "INF-F2F-04")
@pytest.mark.parametrize(("value_a", "value_b"), VALUES)
def test_odds_are_those_of_every_face(value_a, value_b):
    sides = Side(2, value_a), Side(1, value_b)
    expected = brute(face_to_face, *sides)
    assert dict(Solver(exact=True).solve(face_to_face, *sides).chances) == expected
    assert naive(*sides) == expected


@pytest.mark.rule("INF-F2F-02", "INF-F2F-03", "INF-F2F-04")
@pytest.mark.parametrize(("value_a", "value_b"), VALUES)
@pytest.mark.parametrize(("burst_a", "burst_b"), [(5, 5), (3, 1), (4, 3)])
def test_odds_of_larger_bursts_match_a_closed_form(value_a, value_b, burst_a, burst_b):
    sides = Side(burst_a, value_a), Side(burst_b, value_b)
    expected = naive(*sides)
    solved = Solver().solve(face_to_face, *sides)
    assert solved.error < 1e-6
    assert set(solved.chances) <= set(expected)
    for outcome, chance in expected.items():
        assert float(solved.chances.get(outcome, 0)) == pytest.approx(float(chance), abs=1e-9)


def test_exact_odds_of_five_against_five():
    sides = Side(5, 13), Side(5, 11)
    assert dict(Solver(exact=True).solve(face_to_face, *sides).chances) == naive(*sides)


@pytest.mark.rule("INF-F2F-02")
def test_one_die_against_one_by_hand():
    # values 2 and 1: A shows 2 (Critical), 1 (plain 1) or fails; B shows 1 (Critical) or fails.
    # A alone: Critical 1/20 * 19/20, plain 1/20 * 19/20; B wins with 1/20 unless A has a Critical: 19/20.
    odds = Solver(exact=True).solve(face_to_face, Side(1, 2), Side(1, 1)).chances
    assert odds[FaceToFace(a=Hits(critical=1))] == Fraction(19, 400)
    assert odds[FaceToFace(a=Hits(plain=1))] == Fraction(19, 400)
    assert odds[FaceToFace(b=Hits(critical=1))] == Fraction(19, 400)


@pytest.mark.rule("INF-F2F-02", "INF-F2F-03", "INF-F2F-04")
def test_the_fate_of_every_die_agrees_with_the_roll():
    chance = random.Random(7)
    for _ in range(600):
        a, b = (Side(chance.randint(0, 5), chance.randint(-2, 28)) for _ in range(2))
        faces_a, faces_b = ([chance.randint(1, 20) for _ in range(side.thrown)] for side in (a, b))
        outcome = fed(face_to_face, [*faces_a, *faces_b], a, b)
        for hits, told in (
            (outcome.a, fates(a.value, tuple(faces_a), b.value, tuple(faces_b))),
            (outcome.b, fates(b.value, tuple(faces_b), a.value, tuple(faces_a))),
        ):
            assert hits == Hits(told.count(Fate.SUCCESS), told.count(Fate.CRITICAL))


@pytest.mark.parametrize("value", [4, 12, 22])
def test_one_more_die_never_hurts(value):
    wins = [
        Solver()
        .solve(face_to_face, Side(burst, value), Side(2, 12))
        .chance(lambda outcome: outcome.winner == 1)
        for burst in range(5)
    ]
    assert wins == sorted(wins)
    assert wins[0] == 0


def test_a_burst_has_bounds():
    for burst in (-1, 21):
        with pytest.raises(InvalidInput):
            Side(burst, 10)


# ----------------------------------------------------------------------------------- several opponents


@pytest.mark.rule("INF-F2F-01")
def test_skills_that_do_not_meet_both_take_effect():
    # A 12 hits with 5, B 12 with 6, each save of 12 or less fails
    sides = Side(1, 12), Side(1, 12)
    assert fed(unopposed, [5, 3, 6, 4], *sides, Save(13, 1), Save(13, 1)) == Losses(1, 1)


@pytest.mark.rule("INF-DOD-01", "INF-F2F-08")
def test_one_dodge_meets_every_attack():
    # Dodge 10 on PH 12; first attack 12 (beats it) and 9 (cancelled), second 10 (tie)
    attacks = Side(2, 14), Side(1, 14)
    assert fed(dodge_all, [10, 12, 9, 10], 12, attacks) == Dodged(clean=False, hits=(Hits(plain=1), Hits()))
    assert fed(dodge_all, [10, 9, 8, 3], 12, attacks) == Dodged(clean=True, hits=(Hits(), Hits()))
    # a tie cancels both, so the Dodge is not clean
    assert not fed(dodge_all, [10, 9, 8, 10], 12, attacks).clean
    # a failed Dodge cancels nothing; a Critical Dodge cancels plain hits and meets Criticals
    assert fed(dodge_all, [13, 9, 8, 10], 12, attacks).hits == (Hits(plain=2), Hits(plain=1))
    assert fed(dodge_all, [12, 13, 8, 14], 12, attacks) == Dodged(clean=False, hits=(Hits(), Hits()))
    assert fed(dodge_all, [11, 14, 8, 3], 12, attacks).hits == (Hits(critical=1), Hits())


@pytest.mark.rule("INF-DOD-01")
def test_a_dodge_against_one_attack_is_a_face_to_face_roll():
    save = Save(13, 1)
    apart = brute(dodge_attacks, 11, ((Side(1, 13), save),))
    sides = Side(1, 11, attacks=False), Side(1, 13)
    together = {}
    for losses, chance in brute(exchange, *sides, save, save).items():
        together[losses.a] = together.get(losses.a, 0) + chance
    assert apart == together
    assert dict(Solver(exact=True).solve(dodge_attacks, 11, ((Side(1, 13), save),)).chances) == apart


def test_dodge_odds_over_two_attacks():
    attacks = ((Side(1, 13), Save(20, 0)), (Side(1, 9), Save(20, 0)))
    assert dict(Solver(exact=True).solve(dodge_attacks, 11, attacks).chances) == brute(
        dodge_attacks, 11, attacks
    )


@pytest.mark.rule("INF-BS-08")
@pytest.mark.parametrize(
    ("answer", "dodge"),
    [*product((Side(0, 0, attacks=False), Side(1, 9, attacks=False)), (0, 8, 14)), (Side(2, 11), 8)],
)
def test_who_is_under_a_template_is_hit_by_what_the_target_and_its_own_dodge_leave(
    answer: Side, dodge: int
) -> None:
    attack, save = Side(1, 12), Save(13, 1)

    def apart(dice):  # type: ignore[no-untyped-def]
        """The roll at the target, then what is left of it against the Dodge, as it is thrown."""
        faces = (dice.face(20, "attack"),)
        ranks = landed(attack.value, faces, best_rank(dice, answer))
        return wounds(dice, dodge_landed(dice, dodge, ranks).hits[0], save)

    exact = Solver(exact=True)
    assert dict(exact.solve(under_template, attack, answer, dodge, save).chances) == dict(
        exact.solve(apart).chances
    )


@pytest.mark.rule("INF-BS-08")
def test_a_dodge_out_of_a_template_meets_each_die_that_landed() -> None:
    assert landed(12, (5, 12, 13, 9), 6) == (20, 9)
    assert fed(dodge_landed, [10], 11, (20, 9)) == Dodged(False, (Hits(critical=1),))
    assert fed(dodge_landed, [10], 11, (9, 4)) == Dodged(True, (Hits(),))
    assert fed(dodge_landed, [9], 11, (9,)) == Dodged(False, (Hits(),)), "a tie cancels both"
    assert fed(dodge_landed, [12], 11, (9, 4)) == Dodged(False, (Hits(plain=2),))
    assert fed(dodge_landed, [3], 11, ()) == Dodged(True, (Hits(),))
