import pytest

from rules.dice import Solver
from rules.effects import Count, Gain, Leave
from rules.refusals import InvalidInput
from rules.systems.soluna.attack import aims, prepare
from rules.systems.soluna.damage import (
    Target,
    after_damage,
    build_target,
    damage,
    group_hits,
    list_ruined,
    protection,
    shield_usable,
    striking_faces,
)
from rules.systems.soluna.faces import HUMANOID_GRID, LOCATIONS, Grid, Square, best_flips, count_faces
from rules.systems.soluna.profile import Item, Profile, Weapon
from rules.systems.soluna.settings import Settings

from ..helpers import brute, fed
from .scene import MEENA, SABER, S, attack, duel, model


def humanoid(mind=9, health=9, body=0, shield=0, speed=9, items=(), **more):
    """A target by its values; the Arsenal is the items."""
    values = {"mind": mind, "health": health, "body": body, "shield": shield, "speed": speed, "arsenal": 0}
    return Target(tuple(values[key] for key in HUMANOID_GRID.keys), items, **more)


def hurt(faces, target, *named, settings=S):
    return dict(damage(count_faces(faces), target, named, settings).lost)


# The printed grid: face, name and arrow of each box by its place.
PRINTED = """
.  1v .
.  2^ .
4> 3^ 5<
.  6^ .
"""


@pytest.mark.rule("SU-GRID-01")
def test_the_printed_grid_and_its_arrows():
    rows = [line.split() for line in PRINTED.split("\n") if line]
    boxes = {(x, y): cell for y, row in enumerate(rows) for x, cell in enumerate(row) if cell != "."}
    step = {"v": (0, 1), "^": (0, -1), ">": (1, 0), "<": (-1, 0)}
    for (x, y), (face, arrow) in boxes.items():
        dx, dy = step[arrow]
        goal = boxes[x + dx, y + dy][0]
        name = HUMANOID_GRID.struck(int(face))
        assert name == LOCATIONS[int(face) - 1]
        assert HUMANOID_GRID.square(name).arrow == HUMANOID_GRID.struck(int(goal))
    assert LOCATIONS == ("mind", "health", "body", "shield", "arsenal", "speed")


@pytest.mark.rule("SU-GRID-02")
def test_like_faces_are_grouped():
    assert group_hits(count_faces([3, 3, 3, 4]), humanoid(body=3, shield=3), S) == {"body": 3, "shield": 1}
    assert group_hits(count_faces([1, 6, 1, 2]), humanoid(), S) == {"mind": 2, "health": 1, "speed": 1}
    with pytest.raises(InvalidInput):
        count_faces([7])


@pytest.mark.rule("SU-GRID-03")
def test_other_grids():
    turret = Grid((Square("body", (1, 2, 3, 4), "health"), Square("health", (5,), "body")))
    target = Target((2, 3), grid=turret)
    # 4 hits on Body less 2, none on 6; one on Health less 2
    assert dict(damage(count_faces([1, 2, 3, 4, 5, 6]), target, (), S).lost) == {"body": 2}
    orb = Target((5,), grid=Grid((Square("health", ()),)))
    assert dict(damage(count_faces([1, 2, 6, 6]), orb, (), S).lost) == {"health": 4}
    blind = Settings(single_square_any_face=False)
    assert damage(count_faces([1, 2, 6, 6]), orb, (), blind).total == 0
    for bad in (
        (Square("body", (1,), "health"),) * 2,
        (Square("body", (1,), "mind"), Square("health", (2,), "body")),
        (Square("body", (), "health"), Square("health", (2,), "body")),
        (Square("body", (1, 2), "health"), Square("health", (2,), "body")),
        (Square("body", (7,)),),
        (),
    ):
        with pytest.raises(InvalidInput):
            Grid(bad)


@pytest.mark.rule("SU-GRID-04")
def test_hits_on_a_ruined_location_join_the_next_before_protection():
    # printed: Shield out of use, Body 2: 4, 4, 3, 3 join into four, two get through
    assert hurt([4, 4, 3, 3], humanoid(body=2, shield=3, shield_usable=False)) == {"body": 2}
    # Mind ruined: its hits strike Health, and the other way about
    assert hurt([1, 1, 2], humanoid(mind=0)) == {"health": 3}
    # Shield and Body ruined: on to Health
    assert hurt([4, 3, 2], humanoid(body=0, shield=0)) == {"health": 3}
    assert hurt([6, 6], humanoid(body=1, ignored=frozenset({"speed"}))) == {"body": 1}


@pytest.mark.rule("SU-GRID-04")
def test_leftover_points_pass_on_during_the_attack():
    # printed: Speed 1, Body 1, no Shield, four 6s: 4 - 1 = 3; Speed 1, Body 1, Health 1
    target = humanoid(health=3, body=1, speed=1)
    assert hurt([6, 6, 6, 6], target) == {"speed": 1, "body": 1, "health": 1}
    assert hurt([6, 6, 6, 6], target, settings=Settings(mid_attack_transfer=False)) == {"speed": 1}
    # every location takes its own damage first: Body's own hits come before what Speed passes on
    both = humanoid(health=9, body=1, speed=1)
    # 6 x3 - 1 = 2, 3 x3 - 1 = 2: Speed 1, Body 1; one over each: both to Health
    assert hurt([6, 6, 6, 3, 3, 3], both) == {"speed": 1, "body": 1, "health": 2}
    # Mind and Health feed each other until both are 0
    last = damage(count_faces([2, 2, 2, 2, 2]), humanoid(mind=2, health=1), (), S)
    assert dict(last.lost) == {"mind": 2, "health": 1}


@pytest.mark.rule("SU-GRID-04", "SU-DMG-03")
def test_an_ignored_shield_keeps_its_hits_by_the_setting():
    target = humanoid(body=1, shield=2, shield_usable=False)
    assert hurt([4, 4, 4], target) == {"body": 1, "health": 1}  # 3 - 1 = 2 on Body, one passes on
    kept = Settings(ignored_shield_transfers=False)
    assert hurt([4, 4, 4], target, settings=kept) == {"shield": 2}  # 3 - 1 = 2


ITEMS = (("Saber", 2), ("Ring", 1), ("Medkit", 1))


@pytest.mark.rule("SU-GRID-05")
def test_arsenal_hits_strike_what_the_attacker_names():
    def items(faces, *named):
        harm = damage(count_faces(faces), humanoid(health=9, body=0, items=ITEMS), named, S)
        return dict(harm.items), harm.of("health")

    assert items([5], "Ring") == ({"Ring": 1}, 0)
    assert items([5]) == ({"Saber": 1}, 0)
    assert items([5, 5, 5], "Ring", "Medkit") == ({"Ring": 1, "Medkit": 1, "Saber": 1}, 0)
    # four points ruin everything; Body is ruined too, so the fifth strikes Health
    assert items([5, 5, 5, 5, 5]) == ({"Saber": 2, "Ring": 1, "Medkit": 1}, 1)
    with pytest.raises(InvalidInput):
        items([5], "Cannon")
    # nothing left to hit: the faces join Body before the protections
    assert hurt([5, 5, 3], humanoid(body=1, items=(("Saber", 0),))) == {"body": 1, "health": 1}


@pytest.mark.rule("SU-GRID-05")
def test_a_ruined_weapon_is_counted_on_its_own_health():
    meena = model()
    harm = damage(count_faces([5, 5, 5, 5, 5]), build_target(meena, shield=False), ("Gravity Saber",), S)
    assert dict(harm.items) == {"Gravity Saber": 2, "Pulse Laser Ring": 1}  # 5 - Body 2 = 3
    assert harm.total == harm.of("arsenal") == 3
    after = meena.after(after_damage(meena, harm))
    assert after.carried() == (
        ("Gravity Saber", 0),
        ("Pulse Laser Ring", 0),
        ("Particle Accelerator Cannon", 3),
    )
    assert list_ruined(meena, harm) == ("Gravity Saber", "Pulse Laser Ring")


@pytest.mark.rule("SU-GRID-06")
def test_mind_at_zero():
    meena = model()
    effects = after_damage(meena, damage(count_faces([1] * 5), build_target(meena, shield=False), (), S))
    assert Count("model", 1, "lost_mind", 3) in effects
    assert {e.condition for e in effects if isinstance(e, Gain)} == {"unconscious", "prone"}
    less = after_damage(meena, damage(count_faces([1] * 4), build_target(meena, shield=False), (), S))
    assert less == (Count("model", 1, "lost_mind", 2),)


@pytest.mark.rule("SU-GRID-07")
def test_health_at_zero():
    meena = model(lost_health=1)
    effects = after_damage(meena, damage(count_faces([2] * 4), build_target(meena, shield=False), (), S))
    assert effects == (Count("model", 1, "lost_health", 2), Leave(1, "killed"))


@pytest.mark.rule("SU-GRID-03", "SU-GRID-07")
def test_a_model_of_one_location_is_destroyed_with_it():
    turret = model(Profile("Turret", body=4, grid=Grid((Square("body", ()),))))
    # eight hits less Body 4 leave four
    whole = after_damage(turret, damage(count_faces([1, 2, 3, 4, 5, 6, 1, 2]), build_target(turret), (), S))
    assert whole == (Count("model", 1, "lost_body", 4), Leave(1, "killed"))
    part = after_damage(turret, damage(count_faces([1, 2, 3, 4, 5, 6, 1]), build_target(turret), (), S))
    assert part == (Count("model", 1, "lost_body", 3),)
    assert after_damage(turret, damage(count_faces([1]), build_target(turret), (), S)) == ()


@pytest.mark.rule("SU-DMG-01")
def test_shield_comes_off_every_group():
    assert hurt([1, 1, 1, 2, 2, 6], humanoid(shield=2)) == {"mind": 1}


@pytest.mark.rule("SU-DMG-02")
def test_body_comes_off_every_group_after_the_shield():
    assert hurt([1, 1, 1, 1, 2, 2], humanoid(shield=1, body=2)) == {"mind": 1}
    assert hurt([1, 1, 2, 2], humanoid(shield=1, body=2)) == {}
    assert protection(humanoid(shield=1, body=2, cover=3), "mind", S) == 6


@pytest.mark.rule("SU-DMG-03")
def test_when_the_shield_does_not_help():
    for x in range(-2, 3):
        for y in range(-2, 3):
            near = max(abs(x), abs(y)) <= 1
            assert shield_usable((5 + x, 5 + y), (5, 5), blast=False) is not near
    assert not shield_usable((0, 0), (9, 9), blast=True)
    assert protection(humanoid(shield=2, body=1, shield_usable=False), "mind", S) == 1
    assert prepare(duel(), S).shield_usable
    assert not prepare(duel(t=(5, 3), weapon=0), S).shield_usable
    assert not prepare(duel(weapon=2), S).shield_usable  # the cannon has Blast


@pytest.mark.rule("SU-DMG-04")
def test_protections_protect_themselves_with_their_values_before_the_attack():
    # 4 hits on Body less Body 3: 1; the Mind group is still reduced by 3
    target = humanoid(body=3)
    assert hurt([3, 3, 3, 3, 1, 1, 1, 1], target) == {"body": 1, "mind": 1}
    bare = Settings(protect_self=False)
    assert hurt([3, 3, 3, 3, 1, 1, 1, 1], target, settings=bare) == {"body": 3, "mind": 1, "health": 1}
    assert hurt([1, 1, 1], humanoid(body=0)) == {"mind": 3}


@pytest.mark.rule("SU-DMG-05")
def test_printed_attack_on_the_mind():
    # 1, 3, 4, 4 flipped to 1, 1, 1, 1; Body 2, no Shield from the next square: 2 damage, Mind 2 to 0
    hera = model(Profile("Hera", mind=2, health=3, body=2, shield=1), 2, 2)
    plan = prepare(duel(target=hera, t=(5, 3), weapon=0), S)
    assert (plan.power, plan.shield_usable) == (4, False)
    flipped = best_flips(count_faces([1, 3, 4, 4]), 3, striking_faces(plan.target, "mind", S))
    harm = damage(flipped.counts, plan.target, (), S)
    assert (harm.of("mind"), harm.total, harm.stopped) == (2, 2, 2)
    assert hera.after(after_damage(hera, harm)).value("mind") == 0
    assert fed(attack, [1, 3, 4, 4], 4, 3, "mind", plan.target, (), S) == harm


@pytest.mark.rule("SU-STAT-01")
def test_a_printed_profile_in_play():
    cannon = MEENA.weapons[2]
    assert (cannon.reach, cannon.power, cannon.accuracy) == (10, 6, 4)
    plan = prepare(duel(weapon=2), S)
    assert (plan.power, plan.accuracy) == (6, 4)
    assert {key: model().value(key) for key in LOCATIONS} == {
        "mind": 3,
        "health": 3,
        "body": 2,
        "shield": 1,
        "arsenal": 2 + 1 + 3,
        "speed": 4,
    }


def test_faces_that_strike_a_location():
    target = humanoid(body=2, shield=2, shield_usable=False, items=ITEMS)
    assert striking_faces(target, "body", S) == (3, 4)
    assert striking_faces(target, "shield", S) == ()
    assert striking_faces(humanoid(mind=0, items=ITEMS, body=1, shield=1), "health", S) == (1, 2)
    assert [(aim.location, aim.faces) for aim in aims(target, S)] == [
        ("mind", (1,)),
        ("health", (2,)),
        ("body", (3, 4)),
        ("arsenal", (5,)),
        ("speed", (6,)),
    ]


def test_whole_attacks_solved_equal_brute_force():
    target = humanoid(mind=1, health=2, body=1, speed=1, shield=1, shield_usable=False)
    for accuracy in (-1, 2):
        args = (4, accuracy, "mind", target, (), S)
        assert dict(Solver(exact=True).solve(attack, *args).chances) == brute(attack, *args)


def test_a_full_attack_of_many_dice_stays_solvable():
    odds = Solver().solve(attack, 10, 2, "health", humanoid(health=3, body=2), (), S)
    assert odds.chance(lambda harm: True) == pytest.approx(1, abs=1e-6)
    assert Weapon("Club", 1, 2, melee=True) != SABER
    assert Item("Rope").health == 1
