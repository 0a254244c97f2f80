"""An Upkeep as it would be carried out, with what players corrected of it."""

import pytest

from rules.effects import Assign, Leave, Lose, Mend
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Condition, CrewTraits
from rules.systems.counterblast.core.panic import PanicResult
from rules.systems.counterblast.turn.bag import Bag
from rules.systems.counterblast.turn.upkeep import Corrections, Crew, Scene, propose, results_of
from tests.rules.counterblast.field import model

LEADER = model(1, rank="hero", intellect="3D+1", leader=True)
FIT, DOWN = model(2), model(3, damage=2)
FOE = model(11, side=2)


def scene(*models, **changes):
    crews = (Crew(1, CrewTraits()), Crew(2, CrewTraits()))
    return Scene(3, crews, models, Bag((0, 0), drawer=0, last_drawer=0), **changes)


@pytest.mark.rule("CB-TURN-04", "CB-CAS-03", "CB-PANIC-03", "CB-BAG-02")
def test_without_corrections_it_is_what_the_rules_say():
    found = propose(scene(LEADER, FIT, DOWN, FOE))
    assert found.removed == (Leave(3, "casualty"),)
    assert [(one.side, one.level) for one in found.levels] == [(1, 1), (2, 0)]
    assert found.tests == ()
    assert found.bag.tokens == (2, 1)


@pytest.mark.parametrize(("life", "damage"), [(1, 1), (2, 0), (0, 2)])
def test_who_is_kept_is_healed_or_lies_there(life, damage):
    found = propose(scene(LEADER, FIT, DOWN, FOE), Corrections(kept=((3, life),)))
    assert found.removed == ()
    assert [one.level for one in found.levels] == [0, 0]
    assert found.scene.model(3).damage == damage
    assert found.healed == ((Mend(3, life), Assign("model", 3, Counter.DOWN, 0)) if life else ())
    assert found.bag.tokens == (3, 1)


def test_kept_with_more_wounds_than_life_wipes_the_surplus():
    found = propose(scene(LEADER, model(3, damage=7), FOE), Corrections(kept=((3, 1),)))
    assert found.healed[0] == Mend(3, 6)


@pytest.mark.rule("CB-CAS-06", "CB-PANIC-03")
def test_who_fled_counts_for_the_level():
    runs = model(4, under=(Condition.PANICKED,))
    found = propose(scene(LEADER, FIT, runs, FOE), Corrections(fled=frozenset({4})))
    assert found.removed == (Leave(4, "fled"),)
    assert found.levels[0].level == 1


@pytest.mark.rule("CB-CREW-05", "CB-CREW-06")
def test_a_crew_without_its_leader_waits_for_another():
    lost, second = model(1, rank="hero", leader=True, damage=2), model(4, rank="hero")
    before = scene(lost, second, FIT, FOE)
    waits = propose(before)
    assert [(gap.side, gap.candidates) for gap in waits.vacant] == [(1, (4,))]
    named = propose(before, Corrections(successors=frozenset({4})))
    assert (named.vacant, named.named) == ((), (4,))
    assert named.scene.model(4).leader
    assert propose(scene(lost, FIT, FOE)).vacant == ()


def test_a_successor_is_forgotten_when_the_leader_stays_after_all():
    lost, second = model(1, rank="hero", leader=True, damage=2), model(4, rank="hero")
    said = Corrections(successors=frozenset({4}), kept=((1, 0),))
    assert propose(scene(lost, second, FOE), said).named == ()


@pytest.mark.rule("CB-PANIC-04", "CB-PANIC-06")
def test_levels_and_tests_as_the_players_say():
    before = scene(LEADER, FIT, model(5), DOWN, FOE)
    raised = propose(before, Corrections(levels=((1, 4),)))
    assert [(test.model, test.own.throw.target) for test in raised.tests] == [(1, 4), (2, 4), (5, 4)]
    assert raised.levels[0].parts[-1].amount == 3
    said = Corrections(levels=((1, 4),), spared=frozenset({2}))
    assert [test.model for test in propose(before, said).tests] == [1, 5]
    added = propose(before, Corrections(tested=frozenset({5})))
    assert [(test.model, test.level) for test in added.tests] == [(5, 1)]
    assert propose(before, Corrections(levels=((1, 0),), tested=frozenset({5}))).tests == ()


@pytest.mark.rule("CB-PANIC-09")
def test_who_cannot_panic_is_not_added():
    runs = model(5, under=(Condition.PANICKED,))
    assert propose(scene(LEADER, runs, DOWN, FOE), Corrections(tested=frozenset({5}))).tests == ()


@pytest.mark.rule("CB-ORDER-05")
def test_an_order_token_adds_one():
    before = scene(LEADER, FIT, model(5), DOWN, FOE, ordered=frozenset({2}))
    found = propose(before, Corrections(levels=((1, 3),)))
    assert {test.model: test.own.throw.modifier for test in found.tests} == {2: 1, 5: 0}


def test_results_are_those_of_the_dice_unless_overturned():
    before = scene(LEADER, FIT, model(5), FOE)
    said = Corrections(levels=((1, 2),), outcomes=((2, PanicResult(False)),))
    rolled = [(2, PanicResult(True)), (5, PanicResult(True)), (1, PanicResult(True))]
    counted = results_of(propose(before, said), rolled, said)
    assert counted == ((2, PanicResult(False)), (5, PanicResult(True)))


@pytest.mark.rule("CB-COND-04", "CB-TURN-04")
def test_what_ends_can_be_held():
    warded = model(2, under=(Condition.WARDED,))
    before = scene(LEADER, warded, FOE, expiring=((2, "blinded"), (99, "blinded")))
    assert propose(before).ending == (Lose(2, "warded"), Lose(2, "blinded"))
    assert propose(before, Corrections(held=frozenset({(2, "warded")}))).ending == (Lose(2, "blinded"),)


@pytest.mark.rule("CB-BAG-08")
def test_the_bag_and_the_first_drawer():
    before = scene(LEADER, FIT, FOE)
    assert propose(before).bag.drawer == 1
    said = propose(before, Corrections(tokens=((2, 5),), drawer=1)).bag
    assert (said.tokens, said.drawer) == ((2, 5), 0)
