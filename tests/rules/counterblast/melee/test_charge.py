import pytest

from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.checks import Throw
from rules.systems.counterblast.core.fighter import Condition
from rules.systems.counterblast.core.settings import Settings
from rules.systems.counterblast.melee.bouts import Blow, Melee
from rules.systems.counterblast.melee.engagement import (
    after_fear,
    charge_distance,
    fear,
    is_ambush,
    may_snap_attack,
    may_step_in,
    must_be_reachable,
    prepare_fear,
    scares,
)
from rules.systems.counterblast.melee.fighting import prepare_melee
from rules.systems.counterblast.shooting.shooting import Mark, Volley, prepare_volley
from rules.systems.counterblast.turn.activation import ACTION
from tests.rules.counterblast.arena import armed, weapon
from tests.rules.counterblast.field import model
from tests.rules.helpers import fed


@pytest.mark.rule("CB-CHARGE-01")
def test_a_charge_is_both_actions_a_move_and_the_attack():
    charge = ACTION["charge"]
    assert (charge.cost, charge.attack, charge.moves) == (2, True, 1)


@pytest.mark.rule("CB-CHARGE-02", "CB-FEAT-41", "CB-FEAT-07", "CB-FEAT-30", "CB-BUILD-13", "CB-GEAR-47")
def test_charge_distance():
    assert charge_distance(model(mv=6)) == 9
    assert charge_distance(model(mv=5)) == 7.5
    assert charge_distance(model(mv=6), terrain_inches=3) == 6
    assert charge_distance(model(mv=6, types=("robot",))) == 6
    assert charge_distance(model(mv=6, features=("fly",))) == 6
    assert charge_distance(model(mv=6, gear=("rocket_pack",))) == 10
    assert charge_distance(model(mv=6, features=("barnstormer",), gear=("rocket_pack",))) == 13
    assert charge_distance(model(mv=6, features=("pounce",))) == 13
    assert charge_distance(armed(1, 1, "slugger_heavy", mv=6)) == 8  # 5 and half of base Mv
    with pytest.raises(InvalidInput):
        charge_distance(model(), terrain_inches=-1)


@pytest.mark.rule("CB-CHARGE-03", "CB-ACT-10")
def test_only_reachable_targets():
    must_be_reachable(model(mv=6), model(2, 2), 9)
    with pytest.raises(Forbidden, match="charges 9 in"):
        must_be_reachable(model(mv=6), model(2, 2), 9.5)
    with pytest.raises(Forbidden, match="charges 7 in"):
        must_be_reachable(model(mv=6), model(2, 2), 9, terrain_inches=2)
    with pytest.raises(Forbidden, match="engaged"):
        must_be_reachable(armed(1, 1, engaged=(5,)), model(2, 2), 3)
    with pytest.raises(Forbidden, match="same crew"):
        must_be_reachable(model(), model(2, 1), 3)


@pytest.mark.rule("CB-CHARGE-04", "CB-CHARGE-06")
def test_snap_attack():
    assert may_snap_attack(model(mv=6), model(2, 2), 6)
    assert not may_snap_attack(model(mv=6), model(2, 2), 5.9)
    assert not may_snap_attack(model(mv=6), armed(2, 2, engaged=(7,)), 6)
    # whose Mv: the charger's, not the target's
    assert not may_snap_attack(model(mv=6), model(2, 2, mv=5), 5.5)
    assert may_snap_attack(model(mv=5), model(2, 2, mv=6), 5.5)
    rifle = armed(2, 2, "pulsar_rifle", agility="2D")
    shot = prepare_volley(Volley(rifle, (Mark(model(), weapon("pulsar_rifle"), 6),), "snap")).shots[0]
    assert shot.shot.throws == (Throw(2, -2, 7),)


@pytest.mark.rule("CB-CHARGE-05", "CB-CHARGE-06")
def test_unengaged_friends_within_an_inch_step_in():
    assert may_step_in(model(3, 2), model(1, 1), 1)
    assert not may_step_in(model(3, 2), model(1, 1), 1.1)
    assert not may_step_in(armed(3, 2, engaged=(9,)), model(1, 1), 1)
    assert not may_step_in(model(3, 1), model(1, 1), 1)


@pytest.mark.rule("CB-CHARGE-08", "CB-HIDE-08")
def test_an_ambush_has_one_advantage_and_no_snap_attack():
    lurker = armed(1, 1, "club", strength="2D", under=(Condition.HIDDEN,))
    assert is_ambush(lurker)
    assert not may_snap_attack(lurker, model(2, 2), 8)
    blow = prepare_melee(Melee((Blow(lurker, model(2, 2), charging=True),))).blows[0]
    assert blow.attack.throw == Throw(3, 1, 7)


@pytest.mark.rule("CB-FEAT-47", "CB-SPEC-15")
def test_scary_chargers():
    horror = model(1, features=("scary",))
    pirate = model(1, rank="hero", specialties=("pirates",))
    assert scares(horror, model(2, 2))
    assert scares(pirate, model(2, 2))
    assert not scares(model(1, specialties=("pirates",)), model(2, 2))
    assert not scares(horror, model(2, 2, features=("scary",)))
    assert not scares(horror, model(2, 2, features=("fearless",)))
    assert not scares(horror, model(2, 2), charging=False)
    assert scares(horror, model(2, 2), charging=False, settings=Settings(scary_on="contact"))
    assert prepare_fear(model(2, 2, intellect="2D+1")).throw == Throw(2, 1, 7)
    assert fed(fear, [7], (Throw(1, 0, 7),))
    assert after_fear(model(2, 2), True) == ()
    assert after_fear(model(2, 2), False)[0].condition == Condition.PANICKED
