import pytest

from rules.dice import Solver
from rules.effects import Assign, Gain, Lose
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.checks import Throw
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Condition, CrewTraits
from rules.systems.counterblast.core.panic import (
    PanicResult,
    after_panic_test,
    after_rally,
    frightened,
    must_test,
    panic_level,
    panic_parts,
    panic_test,
    panicking,
    prepare_panic_test,
    prepare_rally,
    rally,
)
from rules.systems.counterblast.core.settings import Settings
from tests.rules.counterblast.arena import armed, reasons
from tests.rules.counterblast.field import model
from tests.rules.helpers import fed

NOBODY = CrewTraits()


def hero(number=9, **changes):
    return model(number, rank="hero", **changes)


@pytest.mark.rule("CB-PANIC-01", "CB-STAT-07", "CB-FEAT-22")
def test_two_for_a_hero_one_for_a_lackey():
    assert panic_level((hero(), model(2), model(3)), NOBODY) == 4
    assert panic_level((hero(), model(2, features=("disposable",))), NOBODY) == 2
    assert panic_level((), NOBODY) == 0


@pytest.mark.rule("CB-PANIC-02")
def test_a_lost_leader_counts_three():
    assert panic_level((hero(leader=True),), NOBODY) == 3
    assert reasons(panic_parts((hero(leader=True),), NOBODY))["loss of the leader"] == 1


@pytest.mark.rule("CB-PANIC-03", "CB-SPEC-05")
def test_galactic_defenders_lower_the_level_to_0_at_least():
    crew = CrewTraits(frozenset({"galactic_defenders"}))
    assert panic_level((model(2), model(3)), crew) == 1
    assert panic_level((), crew) == 0


@pytest.mark.rule("CB-CREW-14")
def test_a_neiran_crew_does_not_mind_outsiders():
    assert panic_level((model(2, alignment="neiran"),), NOBODY) == 0
    assert panic_level((model(2, alignment="neiran", types=("neiran",)),), NOBODY) == 1


@pytest.mark.rule("CB-PANIC-04", "CB-FEAT-26", "CB-FEAT-18", "CB-BUILD-13")
def test_who_must_test():
    assert must_test(model(intellect="1D+3"), 2)
    assert not must_test(model(intellect="2D"), 2)
    assert not must_test(model(), 0)
    assert not must_test(model(features=("fearless",)), 4)
    assert not must_test(model(features=("controlled",)), 4)
    assert not must_test(model(types=("robot",)), 4)
    assert not must_test(model(under=(Condition.PANICKED,)), 4)
    assert not must_test(model(damage=2), 4)


@pytest.mark.rule("CB-PANIC-05")
def test_the_leader_lends_its_intellect_to_the_check_only():
    leader = hero(intellect="3D+2")
    ready = prepare_panic_test(model(features=("brave",)), 3, leader)
    assert ready.throw == Throw(4, 2, 3)
    assert must_test(model(), 2, leader)
    assert not must_test(model(), 2, leader, Settings(leader_int_for_eligibility=True))
    with pytest.raises(Forbidden, match=r"can't lend its INT to .* now"):
        prepare_panic_test(model(), 3, hero(damage=2))


@pytest.mark.rule("CB-PANIC-06", "CB-FEAT-12", "CB-FEAT-21", "CB-SPEC-09")
def test_the_target_is_the_panic_level():
    assert prepare_panic_test(model(), 4).throw == Throw(1, 0, 4)
    assert prepare_panic_test(model(), 4, settings=Settings(panic_target="7")).throw.target == 7
    assert prepare_panic_test(model(features=("disciplined",)), 4).throw.pool == 2
    assert prepare_panic_test(model(specialties=("intrepid_explorers",)), 4).throw.pool == 2
    assert fed(panic_test, [4], (Throw(1, 0, 4),)) == PanicResult(False)
    assert fed(panic_test, [3], (Throw(1, 0, 4),)) == PanicResult(True)
    with pytest.raises(Forbidden, match="doesn't have to take a panic test at Panic Level"):
        prepare_panic_test(model(intellect="4D"), 4)
    with pytest.raises(InvalidInput):
        prepare_panic_test(model(), 0)


@pytest.mark.rule("CB-PANIC-07")
def test_a_critical_failure_shakes_until_the_next_intellect_check():
    assert fed(panic_test, [10, 2], (Throw(1, 0, 12),)) == PanicResult(False)
    result = fed(panic_test, [1], (Throw(1, 0, 4),))
    assert result == PanicResult(True, shaken=True)
    gained = {effect.condition for effect in after_panic_test(model(), result) if isinstance(effect, Gain)}
    assert gained == {Condition.PANICKED, Condition.SHAKEN}
    shaken = model(intellect="2D", under=(Condition.SHAKEN, Condition.PANICKED))
    assert prepare_rally(shaken).throw.pool == 1
    assert Lose(1, Condition.SHAKEN) in after_rally(shaken, False)
    assert Lose(1, Condition.SHAKEN) in after_panic_test(model(under=(Condition.SHAKEN,)), PanicResult(False))


@pytest.mark.rule("CB-PANIC-09")
def test_further_panic_is_ignored():
    assert frightened(model(under=(Condition.PANICKED,)), "gas") == ()
    assert frightened(model(features=("fearless",)), "gas") == ()
    assert len(frightened(model(), "gas")) == 1


@pytest.mark.rule("CB-RALLY-01", "CB-PANIC-11")
def test_rally_is_intellect_at_7_once_without_the_burden_of_panic():
    scared = model(intellect="2D+1", under=(Condition.PANICKED,))
    assert prepare_rally(scared).throw == Throw(2, 1, 7)
    assert prepare_rally(model(features=("brave",), under=(Condition.PANICKED,))).throw.pool == 2
    with pytest.raises(Forbidden, match="not Panicked"):
        prepare_rally(model())
    with pytest.raises(Forbidden, match="has already tried to Rally in this activation"):
        prepare_rally(model(under=(Condition.PANICKED,), counters={Counter.RALLIED: 1}))
    assert fed(rally, [6, 2], (Throw(2, 1, 7),))
    assert after_rally(scared, True) == (
        Assign("model", 1, Counter.RALLIED, 1),
        Lose(1, Condition.PANICKED),
    )


@pytest.mark.rule("CB-RALLY-02", "CB-CHECK-15")
def test_neither_10s_nor_1s_do_more_in_a_rally():
    assert fed(rally, [10, 1], (Throw(2, 0, 7),)) is True
    assert fed(rally, [1, 7], (Throw(2, 0, 7),)) is True
    assert fed(rally, [10], (Throw(1, 0, 12),)) is True


@pytest.mark.rule("CB-PANIC-10")
def test_a_model_that_fails_to_rally_runs_or_disengages():
    def proposal(fighter):
        return after_rally(fighter, False)[-1]

    assert proposal(model(under=(Condition.PANICKED,), mv=5)).action == "flee"
    assert proposal(model(under=(Condition.PANICKED,), mv=5)).details == (("inches", 5),)
    assert proposal(armed(1, 1, engaged=(2,), under=(Condition.PANICKED,))).action == "disengage"


def test_odds_of_how_many_panic():
    tests = (Throw(1, 0, 4),) * 3
    odds = Solver().solve(panicking, tests)
    # each panics on 1 to 3
    assert odds.chances[3] == pytest.approx(0.3**3)
    assert odds.chances[0] == pytest.approx(0.7**3)
    assert Solver().solve(panicking, ()).chances == {0: 1.0}
