"""The odds of an attack against every throw and every way to flip it, tried one by one."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from rules.dice import Solver
from rules.systems.soluna.damage import Target, damage, is_fatal
from rules.systems.soluna.faces import FACES, HUMANOID_GRID, count_faces, flip_cost
from rules.systems.soluna.prospects import MAX_DICE, choices, prospect
from rules.systems.soluna.settings import Settings

S = Settings()
ITEMS = (("saber", 1), ("ring", 1))


def target(shield=1, speed=1, body=1, mind=2, health=2, items=ITEMS, **kwargs):
    return Target((shield, 0, speed, body, mind, health), items, **kwargs)


@cache
def _costs(counts):
    """Every throw of as many dice with the fewest flips that make it of these, die by die."""
    faces = [face for face in FACES for _ in range(counts[face - 1])]
    found = {}
    for others in product(FACES, repeat=len(faces)):
        after = count_faces(others)
        cost = sum(flip_cost(old, new) for old, new in zip(faces, others, strict=True))
        found[after] = min(cost, found.get(after, cost))
    return found


def enumerated(power, flips, target, pick, score):
    """The chances of the best score over every row of faces, all its flips tried."""
    rows = Counter(count_faces(faces) for faces in product(FACES, repeat=power))
    scores = {counts: score(damage(counts, target, (), S)) for counts in rows}
    found = Counter()
    for counts, many in rows.items():
        ends = (scores[after] for after, cost in _costs(counts).items() if cost <= flips)
        found[pick(ends)] += Fraction(many, 6**power)
    return dict(found)


TARGETS = [
    target(),
    target(shield=0, speed=0),
    target(shield_usable=False),
    target(body=0, mind=0, health=1, items=()),
    target(cover=1, ignored=frozenset({"body"})),
]


@pytest.mark.rule("SU-GRID-04", "SU-FLIP-02", "SU-FLIP-03", "SU-DMG-05")
@pytest.mark.parametrize("accuracy", [-2, 0, 1, 2])
@pytest.mark.parametrize("struck", TARGETS, ids=range(len(TARGETS)))
def test_every_figure_equals_the_enumeration(struck, accuracy):
    odds = Solver(exact=True).solve(prospect, 4, accuracy, struck, S)
    pick = max if accuracy >= 0 else min
    for place, key in enumerate(HUMANOID_GRID.keys):
        expected = enumerated(4, abs(accuracy), struck, pick, lambda harm, key=key: harm.of(key))
        assert dict(odds.map(lambda one, place=place: one.lost[place]).chances) == expected
    killed = enumerated(4, abs(accuracy), struck, pick, lambda harm: is_fatal(harm, struck))
    assert dict(odds.map(lambda one: one.killed).chances) == killed
    harmed = enumerated(4, abs(accuracy), struck, pick, lambda harm: harm.total > 0)
    assert dict(odds.map(lambda one: one.harmed).chances) == harmed


@pytest.mark.rule("SU-GRID-04")
def test_hits_that_pass_on_count_for_the_kill():
    """No protection left and Mind ruined: five of six faces reach Health, and flips need not."""
    struck = Target((0, 0, 0, 0, 0, 2))
    odds = Solver(exact=True).solve(prospect, 2, 0, struck, S)
    assert odds.chance(lambda one: one.killed) == 1


@pytest.mark.rule("SU-GRID-04", "SU-FLIP-01", "SU-FLIP-02", "SU-DMG-02")
@pytest.mark.parametrize(
    ("flips", "mind", "health", "truth"), [(2, 2, 2, Fraction(74, 81)), (1, 3, 1, Fraction(133, 144))]
)
def test_what_passes_on_from_ruined_locations_worked_out_by_hand(flips, mind, health, truth):
    """Shield and Arsenal are ruined, Speed and Body have 1: nothing of the product counts these hits."""

    def kills(faces):
        speed, to_mind, to_health = (max(0, faces.count(face) - 1) for face in (6, 1, 2))
        body = max(0, sum(face in (3, 4, 5) for face in faces) - 1)
        passed_on = max(0, body + max(0, speed - 1) - 1) + max(0, to_mind - mind)
        return to_health + passed_on >= health

    def turns(old, new):
        return sum((a != b) + (a + b == 7) for a, b in zip(old, new, strict=True))

    thrown = list(product(range(1, 7), repeat=4))
    deadly = [faces for faces in thrown if kills(faces)]
    counted = sum(any(turns(faces, end) <= flips for end in deadly) for faces in thrown)
    assert Fraction(counted, 6**4) == truth
    odds = Solver(exact=True).solve(prospect, 4, flips, Target((0, 0, 1, 1, mind, health)), S)
    assert odds.map(lambda one: one.killed).chances[True] == truth


def test_a_friend_is_spared_as_well_as_flips_allow():
    struck = target(shield=0, body=0)
    odds = Solver(exact=True).solve(prospect, 4, 2, struck, S, True)
    expected = enumerated(4, 2, struck, min, lambda harm: harm.of("health"))
    place = HUMANOID_GRID.keys.index("health")
    assert dict(odds.map(lambda one: one.lost[place]).chances) == expected


@pytest.mark.parametrize(("accuracy", "spare"), [(2, False), (-2, False), (2, True)])
def test_the_advice_on_dice_that_lie_comes_to_the_same(accuracy, spare):
    """The first choice kills, and harms, exactly where the odds say that it can."""
    struck = target(shield=0, body=1, health=1)
    found = Counter()
    for faces in product(FACES, repeat=4):
        best = choices(count_faces(faces), accuracy, struck, (), S, spare)[0].damage
        found[is_fatal(best, struck), best.total > 0] += Fraction(1, 6**4)
    odds = Solver(exact=True).solve(prospect, 4, accuracy, struck, S, spare)
    assert dict(odds.map(lambda one: (one.killed, one.harmed)).chances) == dict(found)


def test_as_many_dice_as_are_weighed_take_little_work():
    solver = Solver()
    odds = solver.solve(prospect, MAX_DICE, 6, target(health=4, body=3), S)
    assert solver.spent < 100_000
    assert 0.5 < odds.chance(lambda one: one.killed) <= 1
