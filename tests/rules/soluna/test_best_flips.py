"""What is proposed as best is best: against every way to flip, tried die by die."""

import random

import pytest

from rules.systems.soluna.damage import Target, build_target, damage
from rules.systems.soluna.faces import (
    FACES,
    HUMANOID_GRID,
    Grid,
    Square,
    count_faces,
    flip_outcomes,
    flips_between,
    make_flips,
    turning_cost,
)
from rules.systems.soluna.profile import Profile
from rules.systems.soluna.prospects import BEST, MAX_WAYS, choices, is_fully_weighed, worth
from rules.systems.soluna.settings import Settings

from .scene import S, model

ROBOT = Grid((Square("core", (1, 2), "shell"), Square("shell", (3, 4, 5), "core")))
"""Without Health and Mind; a 6 strikes nothing."""

BEAST = Grid(
    (Square("hide", (4, 5), "health"), Square("mind", (1,), "health"), Square("health", (2, 3, 6), "mind"))
)


def by_dice(faces, flips):
    """All that the dice can show, each with its fewest flips: one die after another, by the printed rule."""
    found = {(0, 0, 0, 0, 0, 0): 0}
    for old in faces:
        after = {}
        for counts, paid in found.items():
            for new in FACES:
                cost = paid + (0 if new == old else 2 if old + new == 7 else 1)
                if cost <= flips:
                    key = tuple(many + (face == new) for face, many in enumerate(counts, 1))
                    after[key] = min(cost, after.get(key, cost))
        found = after
    return found


def any_target(dice):
    """A target of any kind: ruined places, a Shield out of use, cover, things carried, other grids."""
    grid = dice.choice((HUMANOID_GRID, HUMANOID_GRID, HUMANOID_GRID, ROBOT, BEAST))
    values = tuple(dice.choice((0, 1, 1, 2, 2, 3, 4)) for _ in grid.keys)
    items = (("saber", dice.randint(0, 2)), ("rope", dice.randint(0, 1))) if grid is HUMANOID_GRID else ()
    ignored = frozenset(key for key in grid.keys if dice.random() < 0.1)
    cover = dice.choice((0, 0, 0, 1, 2))
    return Target(values, items, dice.random() < 0.5, cover, ignored, grid)


def any_settings(dice):
    return Settings(
        ignored_shield_transfers=dice.random() < 0.7,
        mid_attack_transfer=dice.random() < 0.7,
        protect_self=dice.random() < 0.7,
    )


def best_by_enumeration(found, harms, accuracy, target, location=""):
    """The best of all ways as `advice` defines it. harms: each way's damage, and what that is worth."""

    def rank(counts):
        harm, value = harms[counts]
        wanted = (harm.of(location), *value) if location else value
        wanted = tuple(-int(one) for one in wanted) if accuracy >= 0 else tuple(int(one) for one in wanted)
        return (*wanted, found[counts], *(-many for many in counts))

    return min(found, key=rank)


@pytest.mark.rule("SU-FLIP-01", "SU-FLIP-02", "SU-FLIP-03", "SU-DMG-05", "SU-GRID-04")
@pytest.mark.parametrize("seed", range(40))
def test_the_first_choice_is_the_best_of_all_and_every_other_of_its_location(seed):
    dice = random.Random(seed)
    for _ in range(6):
        faces = [dice.choice(FACES) for _ in range(dice.randint(1, 6))]
        accuracy = dice.choice((-5, -4, -3, -3, -2, -2, -1, -1, 0, 1, 1, 2, 2, 3, 4, 6))
        target, settings = any_target(dice), any_settings(dice)
        standing = [name for name, left in target.items if left]
        named = (dice.choice(standing),) if standing and dice.random() < 0.4 else ()
        found = by_dice(faces, abs(accuracy))
        asked = choices(count_faces(faces), accuracy, target, named, settings)
        harms = {
            counts: (harm := damage(counts, target, named, settings), worth(harm, target)) for counts in found
        }
        best = best_by_enumeration(found, harms, accuracy, target)
        assert asked[0].flipped.counts == best, (faces, accuracy, target, settings)
        assert "" in [choice.location for choice in asked]
        for choice in asked:
            assert choice.damage == damage(choice.flipped.counts, target, named, settings)
            turns = [(flip.old, flip.new) for flip in choice.flipped.flips for _ in range(flip.dice)]
            assert make_flips(count_faces(faces), tuple(turns), abs(accuracy)) == choice.flipped.counts
            if choice.location not in ("", BEST):
                of = best_by_enumeration(found, harms, accuracy, target, choice.location)
                assert choice.flipped.counts == of, choice


@pytest.mark.rule("SU-FLIP-01")
@pytest.mark.parametrize("seed", range(20))
def test_all_ways_are_found_with_their_fewest_flips(seed):
    dice = random.Random(seed)
    faces = [dice.choice(FACES) for _ in range(dice.randint(1, 8))]
    flips = dice.randint(0, 9)
    found = by_dice(faces, flips)
    assert flip_outcomes(count_faces(faces), flips, MAX_WAYS) == found
    for counts, cost in found.items():
        assert turning_cost(count_faces(faces), counts) == cost
        turns = flips_between(count_faces(faces), counts)
        assert sum(flip.dice * flip.cost for flip in turns) == cost


@pytest.mark.rule("SU-FLIP-03", "SU-GRID-04")
def test_the_dice_that_were_found_wrong():
    """M2 H4 B1 Sh1 Sp2, adjacent, Accuracy -3, dice 2 2 2 2: one on each location is stopped by Body 1."""
    ox = model(Profile("Ox", mind=2, health=4, body=1, shield=1, speed=2), 2, 2)
    found = choices(count_faces([2, 2, 2, 2]), -3, build_target(ox, shield=False), (), S)
    assert found[0].damage.total == 0
    assert sum(flip.dice * flip.cost for flip in found[0].flipped.flips) <= 3
    assert found[-1].location == ""
    assert found[-1].damage.of("health") == 3


@pytest.mark.rule("SU-FLIP-02", "SU-FLIP-03")
def test_of_what_does_the_same_the_fewest_flips_are_best():
    ox = build_target(model(Profile("Ox", mind=2, health=4, body=1, shield=0, speed=2), 2, 2))
    lame = choices(count_faces([3]), -4, ox, (), S)
    assert [choice.location for choice in lame] == [""], "nothing gets through: nothing is flipped"
    # 1 1 against Body 1: one die off the Mind is enough of the four flips
    found = choices(count_faces([1, 1]), -4, ox, (), S)
    assert found[0].damage.total == 0
    assert sum(flip.dice * flip.cost for flip in found[0].flipped.flips) == 1


def test_more_ways_than_can_be_weighed_are_said_so():
    many = count_faces([face for face in FACES for _ in range(5)])
    assert is_fully_weighed(many, 4)
    assert is_fully_weighed(count_faces([1] * 12), 20)
    assert not is_fully_weighed(many, 20)
    ox = build_target(model(Profile("Ox", mind=2, health=4, body=1, speed=2), 2, 2))
    found = choices(many, 20, ox, (), S)
    assert found[0].damage.of("health") == 4
