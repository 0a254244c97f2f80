import pytest

from rules.modifiers import total
from rules.refusals import Forbidden, InvalidInput
from rules.systems.fracd_earth import area as a
from rules.systems.fracd_earth.area import Blast, InArea, Pulse
from rules.systems.fracd_earth.profile import Skill
from rules.systems.fracd_earth.settings import DEFAULTS, Settings
from rules.systems.fracd_earth.weapons import read_weapon
from tests.rules.fracd_earth.build import BOLT, RIFLE, figure

FIGURES = (
    InArea(1, (0, 2), True),
    InArea(2, (0, 2.1), True),
    InArea(3, (1, 0), False),
    InArea(4, (-1, 0), True),
)


@pytest.mark.rule("FE-AOE-01", "FE-AOE-02")
def test_blast():
    assert [each.figure for each in a.caught(Blast((0, 0), 4), FIGURES)] == [1, 3, 4]
    a.refuse_point(6, 6)
    with pytest.raises(Forbidden):
        a.refuse_point(6.5, 6)


@pytest.mark.rule("FE-AOE-03")
def test_cone():
    cone = a.cone((0, 0), 6, 3, 0)
    assert cone.left == pytest.approx((6, 1.5))
    assert cone.right == pytest.approx((6, -1.5))
    assert a.inside(cone, (6, 1.5))
    assert a.inside(cone, (3, 0.75))
    assert not a.inside(cone, (3, 0.8))
    assert not a.inside(cone, (6.1, 0))
    assert not a.inside(cone, (-0.1, 0))
    with pytest.raises(InvalidInput):
        a.cone((0, 0), 0, 3, 0)


@pytest.mark.rule("FE-AOE-04")
def test_pulse():
    assert a.inside(Pulse((0, 0), 3), (-3, 0))
    assert not a.inside(Pulse((0, 0), 3), (-3.1, 0))
    half = Pulse((0, 0), 3, facing=90)
    assert a.inside(half, (0, 3))
    assert a.inside(half, (3, 0))
    assert not a.inside(half, (0, -1))


@pytest.mark.rule("FE-AOE-05", "FE-AOE-11")
def test_attack_and_avoidance_numbers():
    hit = a.attack_result(14, DEFAULTS)
    assert (hit.on_point, hit.success_margin, a.avoidance_tn(hit)) == (True, 3, 13)
    exact = a.attack_result(11, DEFAULTS)
    assert (exact.on_point, exact.success_margin, a.avoidance_tn(exact)) == (True, 0, 10)
    miss = a.attack_result(8, DEFAULTS)
    assert (miss.on_point, miss.failure_margin, a.avoidance_tn(miss)) == (False, 3, 10)
    strict = a.attack_result(11, Settings(aoe_hit_at=12))
    assert (strict.on_point, strict.failure_margin) == (False, 1)


@pytest.mark.rule("FE-AOE-06")
def test_traits():
    assert a.trait_and_skill("power")[0] == "cast"
    assert a.trait_and_skill("grenade") == ("shoot", "throw")
    assert a.trait_and_skill("aerodynamic")[0] == "shoot"
    assert a.trait_and_skill("lifted") == ("manv", "lift and toss")
    with pytest.raises(InvalidInput):
        a.trait_and_skill("catapult")


@pytest.mark.rule("FE-AOE-07")
def test_scatter():
    assert a.scatter_limit(4, 6, 24, DEFAULTS) == 3
    assert a.scatter_limit(4, 7, 24, DEFAULTS) == 3.5
    assert a.scatter_limit(4, 12, 24, DEFAULTS) == 4
    assert a.scatter_limit(4, 6, 24, Settings(scatter_range="weapon")) == 4
    assert a.scatter(Blast((0, 0), 4), (0, 3), 3).centre == (0, 3)
    with pytest.raises(Forbidden):
        a.scatter(Blast((0, 0), 4), (1, 3), 3)


@pytest.mark.rule("FE-AOE-08")
def test_scatter_of_a_cone():
    cone = a.cone((0, 0), 6, 3, 0)
    moved = a.scatter_cone(cone, 2, 5)
    assert moved.right == pytest.approx((6, -3.5))
    assert moved.apex == (0, 0)
    with pytest.raises(Forbidden):
        a.scatter_cone(cone, 3, 5)
    with pytest.raises(Forbidden):
        a.scatter_cone(cone, -3, 5)


@pytest.mark.rule("FE-AOE-09")
def test_pulse_does_not_scatter():
    assert not a.may_scatter(Pulse((0, 0), 3))
    assert a.may_scatter(Blast((0, 0), 3))
    assert a.avoidance_tn(a.attack_result(5, DEFAULTS)) == 10


@pytest.mark.rule("FE-AOE-10")
def test_who_may_avoid():
    assert a.may_avoid(Blast((0, 0), 4), FIGURES) == (1, 4)
    shifted = a.scatter(Blast((0, 0), 4), (0, 3), 3)
    assert a.may_avoid(shifted, FIGURES) == (1, 2)


@pytest.mark.rule("FE-AOE-12")
def test_avoiding():
    assert a.avoid(2, 6).inches == 4
    ducked = a.avoid(2, 6, duck=True)
    assert (ducked.inches, ducked.cover) == (3, True)
    assert a.avoid(0, 6).inches == 2
    assert a.avoid(10, 6).inches == 6
    with pytest.raises(Forbidden):
        a.avoid(0, 6, duck=True)


def _net(**kwargs):
    weapon, delivery = kwargs.pop("weapon", GRENADE), kwargs.pop("delivery", "grenade")
    attacker, distance = kwargs.pop("attacker", figure()), kwargs.pop("distance", 4)
    prepared = a.prepare_attack(attacker, weapon, delivery, distance, DEFAULTS, **kwargs)
    return total(prepared.marks), prepared.trait


GRENADE = read_weapon("5 // Grenade // [+] // Range 10 // 3 M vs dp")


@pytest.mark.rule("FE-AOE-05", "FE-AOE-06")
def test_preparing_the_attack():
    assert _net() == (1, 5)  # Shoot 5, the weapon's rank
    thrower = figure(skills=(Skill("Throw", 2),))
    assert _net(attacker=thrower) == (2, 5)
    assert _net(weapon=BOLT, delivery="power", distance=20) == (0, 3)
    assert _net(delivery="lifted") == (1, 4)
    assert _net(distance=6) == (0, 5)  # beyond 4 and half of 10
    assert _net(manner="quick") == (0, 5)
    assert _net(manner="focused", supporters=1) == (3, 5)
    with pytest.raises(Forbidden):
        _net(manner="focused", moving=True)


@pytest.mark.rule("FE-AOE-01")
def test_point_within_range():
    with pytest.raises(Forbidden):
        _net(distance=10.5)
    with pytest.raises(Forbidden):
        _net(weapon=RIFLE, delivery="aerodynamic", manner="quick", distance=13)
