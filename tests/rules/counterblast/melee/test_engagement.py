""""""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import prod

import pytest

from rules.dice import Solver
from rules.effects import Assign, Propose
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.checks import Throw
from rules.systems.counterblast.core.fighter import Condition
from rules.systems.counterblast.core.settings import Settings
from rules.systems.counterblast.melee.bouts import Blow, Melee, fight_wounds
from rules.systems.counterblast.melee.engagement import (
    after_disengage,
    after_fear,
    charge_distance,
    disengage,
    engage,
    fear,
    is_ambush,
    leave,
    may_snap_attack,
    may_step_in,
    must_be_reachable,
    opponents,
    prepare_disengage,
    prepare_fear,
    prepare_free_attacks,
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
    with pytest.raises(Forbidden, match="can charge 9 in"):
        must_be_reachable(model(mv=6), model(2, 2), 9.5)
    with pytest.raises(Forbidden, match="can charge 7 in"):
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


LEAVER = armed(1, 1, "club", engaged=(2, 3), strength="3D+1", agility="2D")
FIRST = armed(2, 2, "club", engaged=(1,))
SECOND = armed(3, 2, "club", engaged=(1,))


@pytest.mark.rule("CB-DISENG-01", "CB-COND-03")
def test_agility_at_7_of_the_leaver_and_everyone_engaged():
    assert opponents(LEAVER, (FIRST, SECOND, model(4, 2))) == (FIRST, SECOND)
    down = armed(2, 2, engaged=(1,), damage=2)
    assert opponents(LEAVER, (down,)) == ()
    assert prepare_disengage(LEAVER).throw == Throw(2, 0, 7)
    assert prepare_disengage(model(2, 2, agility="2D", features=("quick",))).throw == Throw(3, 0, 7)
    assert prepare_disengage(model(2, 2, agility="2D", under=(Condition.PANICKED,))).throw.pool == 1


@pytest.mark.rule("CB-DISENG-02")
def test_enemies_with_more_successes_attack_and_ties_favour_the_leaver():
    throws = (Throw(1, 0, 7), Throw(2, 0, 7))
    assert fed(disengage, [7, 3, 8, 7, 8], Throw(2, 0, 7), throws) == (False, True)
    assert fed(disengage, [2, 3, 2, 2, 2], Throw(2, 0, 7), throws) == (False, False)
    # one die each without bonus: enemy succeeds 4/10 while the leaver fails 6/10, or more by bonus dice
    odds = Solver().solve(disengage, Throw(1, 0, 13), (Throw(1, 0, 7),))
    chance = odds.chance(lambda free: free[0])
    # leaver: 9/10 without success; enemy 4/10; leaver's 10 (1/10) and enemy with two successes: see below
    assert chance == pytest.approx(0.9 * 0.4 + _both_exploding(), abs=1e-9)


def _both_exploding() -> float:
    """The leaver has n successes (n tens in a row), the enemy more: by summing both geometric chains."""
    leaver = [0.1**n * 0.9 for n in range(1, 12)]
    # enemy has more than n: n tens in a row, then a further success of 4/10
    return sum(chance * 0.1**n * 0.4 for n, chance in enumerate(leaver, start=1))


@pytest.mark.rule("CB-DISENG-03")
def test_the_leaver_defends_with_half_its_dice_shared_among_free_attacks():
    ready = prepare_free_attacks(LEAVER, (FIRST, SECOND), (1, 0)).blows
    assert ready[0].defence.throw == Throw(1, 1, 7)
    assert ready[1].defence is None
    with pytest.raises(Forbidden, match=r"to share out \(you entered 2"):
        prepare_free_attacks(LEAVER, (FIRST, SECOND), (1, 1))
    weak = armed(1, 1, "club", engaged=(2,), strength="1D")
    assert prepare_free_attacks(weak, (FIRST,)).blows[0].defence.throw.pool == 1
    with pytest.raises(Forbidden, match="because no model won one"):
        prepare_free_attacks(LEAVER, ())


@pytest.mark.rule("CB-DISENG-02", "CB-DISENG-03")
def test_odds_of_leaving_three_alike_equal_those_of_each_by_itself():
    leaver, enemy = Throw(2, 0, 7), Throw(1, 1, 7)
    holders = tuple(armed(number, 2, "club", engaged=(1,)) for number in (2, 3, 4))
    blows = {many: prepare_free_attacks(LEAVER, holders[:many]).bouts for many in (1, 2, 3)}
    attacks = tuple(((many,), bouts) for many, bouts in blows.items())
    found = Solver().solve(leave, leaver, ((enemy, 3),), attacks, 2).chances
    expected = Counter()
    for won, chance in Solver().solve(disengage, leaver, (enemy,) * 3).chances.items():
        each = [Solver().solve(fight_wounds, bout).chances for bout in blows.get(sum(won), ())]
        for wounds in product(*(one.items() for one in each)):
            total = min(2, sum(lost for lost, _ in wounds))
            expected[any(won), total] += chance * prod(share for _, share in wounds)
    assert found == pytest.approx(dict(expected), abs=1e-9)


@pytest.mark.rule("CB-DISENG-04")
def test_afterwards_it_moves_away_if_able():
    effects = after_disengage(LEAVER, (FIRST,))
    assert effects[:2] == (Assign("model", 1, "engaged:2", 0), Assign("model", 2, "engaged:1", 0))
    assert isinstance(effects[-1], Propose)
    assert effects[-1].details == (("inches", 6),)
    assert after_disengage(armed(1, 1, engaged=(2,), damage=2), (FIRST,)) == ()


@pytest.mark.rule("CB-COND-03", "CB-SLASH-02")
def test_contact_engages_both():
    assert engage(model(1, 1), model(2, 2)) == (
        Assign("model", 1, "engaged:2", 1),
        Assign("model", 2, "engaged:1", 1),
    )
    with pytest.raises(Forbidden, match="same side"):
        engage(model(1, 1), model(2, 1))
    assert LEAVER.is_engaged
    assert LEAVER.is_engaged_with(FIRST)
    assert not model(1, 1).is_engaged
