from fractions import Fraction

import pytest

from rules.dice import Solver
from rules.refusals import InvalidInput
from rules.systems.infinity.armour import Losses, Save, attack, exchange, saves, wounds
from rules.systems.infinity.rolls import Hits, Side
from rules.systems.infinity.settings import HelplessArmour, Settings
from rules.systems.infinity.shooting import Mode, save_against
from tests.rules.helpers import brute, fed
from tests.rules.infinity.troops import trooper


@pytest.mark.rule("INF-ARM-01", "INF-ARM-03")
def test_equal_or_lower_than_damage_less_armour_fails():
    save = Save(damage=13, armour=1)
    assert fed(wounds, [12], Hits(1), save) == 1
    assert fed(wounds, [13], Hits(1), save) == 0
    assert fed(wounds, [12, 13, 3], Hits(3), save) == 2


@pytest.mark.rule("INF-ARM-02")
def test_saves_that_cannot_be_passed_or_failed():
    assert fed(wounds, [], Hits(2), Save(30, 4)) == 2
    assert fed(wounds, [], Hits(2), Save(21, 1)) == 2  # 20: even a 20 is not higher
    assert fed(wounds, [20], Hits(1), Save(20, 1)) == 0  # 19: a 20 passes
    assert fed(wounds, [], Hits(2), Save(5, 5)) == 0
    assert fed(wounds, [1], Hits(1), Save(6, 5)) == 1


@pytest.mark.rule("INF-ROLL-06", "INF-F2F-05")
def test_a_critical_takes_a_point_at_once():
    assert fed(wounds, [13], Hits(plain=1, critical=1), Save(13, 1)) == 1
    assert fed(wounds, [12], Hits(plain=1, critical=1), Save(13, 1)) == 2
    assert fed(wounds, [], Hits(critical=2), Save(13, 1)) == 2


@pytest.mark.rule("INF-ROLL-06")
def test_ammunition_with_several_saves_per_hit():
    # DA: two saves a hit; a Critical replaces the first of its two. One plain and one Critical: 3 saves
    assert fed(wounds, [12, 13, 13], Hits(plain=1, critical=1), Save(13, 1, rolls=2)) == 2
    # EXP: a Critical leaves two saves
    assert fed(wounds, [1, 1], Hits(critical=1), Save(13, 1, rolls=3)) == 3


@pytest.mark.rule("INF-ARM-04", "INF-BS-04")
def test_the_save_uses_bts_where_the_weapon_says_so():
    target = trooper(text="T: BS 1, ARM 3, BTS 6; Rifle B1 DAM 13; Probe B1 DAM 13 BTS")
    rifle, probe = target.profile.weapons
    assert save_against(rifle, target.save_armour(bts=rifle.bts)).limit == 10
    assert save_against(probe, target.save_armour(bts=probe.bts)).limit == 7
    # Cover adds 3 to whichever it is
    assert save_against(probe, target.save_armour(bts=probe.bts), cover=True).limit == 4


@pytest.mark.rule("INF-BS-04", "INF-BS-07", "INF-TRI-02")
def test_cover_and_the_save():
    rifle, grenade = (trooper().profile.weapon(name) for name in ("Combi Rifle", "Grenade"))
    assert save_against(rifle, 1).armour == 1
    assert save_against(rifle, 1, cover=True).armour == 4
    assert save_against(grenade, 1, cover=True).armour == 1
    assert save_against(rifle, 1, cover=True, mode=Mode.SPECULATIVE).armour == 1
    assert save_against(rifle, 1, cover=True, mode=Mode.TRIANGULATED).armour == 4


@pytest.mark.rule("INF-WND-06", "INF-SHA-05")
def test_armour_of_the_helpless():
    zero = Settings(unconscious_arm=HelplessArmour.ZERO)
    fallen = trooper("", "unconscious")
    assert fallen.save_armour() == 1
    assert fallen.save_armour(settings=zero) == 0
    assert trooper().save_armour(settings=zero) == 1
    embryo = trooper("Shasvastii", "spawn_embryo")
    assert embryo.save_armour(settings=zero) == 1


@pytest.mark.rule("INF-ARM-01")
def test_odds_of_an_attack_by_hand():
    # value 5: four plain faces, one Critical. Save 10: half fail. 4/20 * 1/2 + 1/20 = 3/20
    odds = Solver(exact=True).solve(attack, Side(1, 5), Save(13, 3)).chances
    assert odds == {0: Fraction(17, 20), 1: Fraction(3, 20)}


@pytest.mark.parametrize(("value", "rolls"), [(22, 1), (3, 2)])
def test_exchange_odds_are_those_of_every_face(value, rolls):
    args = Side(1, 3), Side(1, value), Save(13, 3, rolls), Save(19, 0)
    assert dict(Solver(exact=True).solve(exchange, *args).chances) == brute(exchange, *args)


@pytest.mark.rule("INF-F2F-05")
def test_exchange_goes_through_to_wounds():
    args = Side(3, 12), Side(1, 12), Save(13, 1), Save(14, 2)
    assert fed(exchange, [11, 9, 4, 8, 12, 13], *args) == Losses(b=1)
    assert fed(exchange, [7, 9, 4, 10, 12], *args) == Losses(a=1)
    assert fed(exchange, [7, 9, 4, 9], *args) == Losses()


def test_bounds():
    for values in ((-1, 0, 1), (201, 0, 1), (13, 0, 0), (13, 0, 6)):
        with pytest.raises(InvalidInput):
            Save(*values)
    assert fed(saves, [], 0, 12) == 0
