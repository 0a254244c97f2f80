"""An Upkeep as it would be carried out, with what players corrected of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.effects import Assign, Gain, Leave, Lose, Mend, Propose
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.burning import Fire
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.fighter import Condition, CrewTraits
from rules.systems.counterblast.core.panic import PanicResult, panic_test
from rules.systems.counterblast.core.settings import Settings
from rules.systems.counterblast.turn.bag import Bag, phase_over
from rules.systems.counterblast.turn.upkeep import (
    Corrections,
    Crew,
    Scene,
    flights,
    next_bag,
    panic_levels,
    panic_tests_due,
    propose,
    results_of,
    step_end_of_turn,
    step_new_turn,
    step_removals,
    step_reset_panic,
    step_tests,
    without,
)
from tests.rules.counterblast.field import model
from tests.rules.helpers import fed

LEADER = model(1, rank="hero", intellect="3D+1", leader=True)
FIT, DOWN = model(2), model(3, damage=2)
FOE = model(11, side=2)
PLAIN = CrewTraits()


def scene(*models, ours=PLAIN, turn=3, bag=None, **changes):
    bag = bag or Bag((0, 0), drawer=0, last_drawer=0)
    return Scene(turn, (Crew(1, ours), Crew(2, PLAIN)), models, bag, **changes)


@pytest.mark.rule("CB-TURN-04", "CB-CAS-03", "CB-PANIC-03")
def test_the_unhealed_are_removed_before_the_panic_level_is_counted():
    before = scene(LEADER, FIT, DOWN, FOE)
    assert step_removals(before) == (Leave(3, "casualty"),)
    assert [panic.level for panic in panic_levels(before)] == [0, 0]
    after = without(before, [3])
    assert [fighter.id for fighter in after.models] == [1, 2, 11]
    assert [panic.level for panic in panic_levels(after)] == [1, 0]
    assert [part.reason for part in panic_levels(after)[0].parts] == ["loss of Trooper 3"]


@pytest.mark.rule("CB-CAS-03")
def test_a_grace_of_one_more_turn():
    late = Settings(down_grace="next_turn")
    fresh = model(3, damage=2, counters={Counter.DOWN: 3})
    old = model(4, damage=2, counters={Counter.DOWN: 2})
    assert step_removals(scene(fresh, old), late) == (Leave(4, "casualty"),)


@pytest.mark.rule("CB-FALL-02", "CB-TURN-04")
def test_one_removed_at_a_height_may_fall():
    high = model(3, damage=2, counters={Counter.HEIGHT: 6})
    leave, fall = step_removals(scene(FIT, high))
    assert leave == Leave(3, "casualty")
    assert isinstance(fall, Propose)
    assert (fall.action, fall.model, fall.details) == ("fall", 3, (("height", 6),))


@pytest.mark.rule("CB-CREW-05", "CB-CREW-06", "CB-PANIC-02")
def test_losing_the_leader_asks_for_another_and_counts_3():
    lost = model(1, rank="hero", leader=True, damage=2)
    second = model(4, rank="hero")
    effects = step_removals(scene(lost, second))
    assert effects[1] == Assign("side", 1, "leader", 0)
    assert effects[2].action == "leader"
    assert panic_levels(without(scene(lost, second), [1]))[0].level == 3
    assert step_removals(scene(lost, FIT))[1:] == (
        Assign("side", 1, "leader", 0),
        Assign("side", 1, "orders", 0),
    )


@pytest.mark.rule("CB-PANIC-03", "CB-SPEC-05")
def test_those_that_fled_count_and_defenders_take_one_off():
    gone = (model(7, rank="hero"), model(8, side=2))
    levels = panic_levels(scene(FIT, FOE, ours=CrewTraits(frozenset({"galactic_defenders"})), gone=gone))
    assert [(panic.side, panic.level) for panic in levels] == [(1, 1), (2, 1)]


@pytest.mark.rule("CB-PANIC-04", "CB-PANIC-05")
def test_who_must_test_and_who_may_borrow_the_leaders_int():
    near, far, steady = model(2), model(4, intellect="1D+3"), model(5, intellect="2D")
    panicked, robot = model(6, under=(Condition.PANICKED,)), model(7, types=("robot",))
    before = scene(
        LEADER, near, far, steady, panicked, robot, DOWN, FOE, gone=(model(9, rank="hero"),),
        commanded=frozenset({2, 5}),
    )  # fmt: skip
    due = panic_tests_due(before, panic_levels(before))
    assert [test.model for test in due] == [2, 4]
    assert (due[0].own.throw.pool, due[0].own.throw.target) == (1, 2)
    assert (due[0].borrowed.throw.pool, due[0].borrowed.throw.modifier) == (3, 1)
    assert due[1].borrowed is None
    # an Incapacitated leader lends nothing; the setting lets a leader's INT excuse
    down_leader = model(1, rank="hero", intellect="3D", leader=True, damage=2)
    alone = scene(down_leader, near, gone=before.gone, commanded=frozenset({2}))
    assert panic_tests_due(alone, panic_levels(alone))[0].borrowed is None
    excused = panic_tests_due(before, panic_levels(before), Settings(leader_int_for_eligibility=True))
    assert [test.model for test in excused] == [4]


@pytest.mark.rule("CB-PANIC-05")
def test_a_new_leader_lends_in_the_same_upkeep():
    successor = model(4, rank="hero", intellect="2D", leader=True)
    late = scene(successor, FIT, gone=(LEADER,), commanded=frozenset({2}))
    due = {test.model: test for test in panic_tests_due(late, panic_levels(late))}
    assert panic_levels(late)[0].level == 3
    assert due[2].borrowed.throw.pool == 2
    assert due[4].borrowed is None


@pytest.mark.rule("CB-TURN-04", "CB-PANIC-06", "CB-PANIC-07")
def test_what_the_tests_leave_behind():
    before = scene(LEADER, FIT, model(4), gone=(model(9, rank="hero"),))
    rolled = fed(panic_test, [1], (panic_tests_due(before, panic_levels(before))[0].own.throw,))
    assert rolled == PanicResult(True, True)
    effects = step_tests(before, [(2, rolled), (4, PanicResult(False))])
    assert [(effect.model, effect.condition) for effect in effects if isinstance(effect, Gain)] == [
        (2, Condition.PANICKED),
        (2, Condition.SHAKEN),
    ]
    with pytest.raises(InvalidInput):
        step_tests(before, [(99, rolled)])


@pytest.mark.rule("CB-TURN-04", "CB-BURN-03")
def test_fires_are_rolled_for_and_what_lasts_to_the_end_of_the_turn_ends():
    warded = model(2, under=(Condition.WARDED,))
    effects = step_end_of_turn(
        scene(warded, FIT, fires=(("hay", Fire(began=1)),), expiring=((2, "calmed"), (2, "warded")))
    )
    fire = effects[0]
    assert isinstance(fire, Propose)
    assert (fire.action, fire.details) == ("fire_growth", (("area", "hay"), ("age", 2)))
    assert effects[1:] == (Lose(2, Condition.WARDED), Lose(2, "calmed"))


@pytest.mark.rule("CB-TURN-04", "CB-PANIC-08")
def test_every_panic_level_is_0_again():
    assert step_reset_panic(scene(FIT)) == (
        Assign("side", 1, "panic level", 0),
        Assign("side", 2, "panic level", 0),
    )


@pytest.mark.rule("CB-TURN-04", "CB-BAG-02", "CB-BAG-08", "CB-SPEC-10")
def test_the_bag_is_filled_for_the_models_in_play_and_the_draw_changes_hands():
    after = scene(
        LEADER, FIT, FOE, ours=CrewTraits(frozenset({"lancers"})), bag=Bag((1, 2), 0, last_drawer=0)
    )
    assert (next_bag(after).tokens, next_bag(after).drawer) == ((4, 1), 1)
    with pytest.raises(InvalidInput):
        scene(FIT, bag=Bag((1, 1, 1)))


@pytest.mark.rule("CB-TURN-01", "CB-TURN-03", "CB-TURN-04", "CB-SCORE-09")
def test_a_new_turn_begins_or_the_game_ends():
    done = model(2, activated=True, counters={Counter.ACTIONS: 2, Counter.HEIGHT: 4})
    effects = step_new_turn(scene(done, FOE, turn=3), 8)
    assert set(effects) == {
        Assign("model", 2, Counter.ACTIVATED, 0),
        Assign("model", 2, Counter.ACTIONS, 0),
        Assign("encounter", 0, "turn", 4),
    }
    last = step_new_turn(scene(FIT, turn=8), 8)
    assert isinstance(last[0], Propose)
    assert last[0].action == "score"


@pytest.mark.rule("CB-TURN-02")
def test_upkeep_follows_when_every_model_has_been_activated():
    assert not phase_over((0, 1))
    assert phase_over((0, 0))


@pytest.mark.rule("CB-PANIC-09")
def test_who_will_run():
    assert flights(scene(FIT, model(4, under=(Condition.PANICKED,)))) == (4,)


@pytest.mark.rule("CB-TURN-04", "CB-CAS-03", "CB-PANIC-01", "CB-PANIC-02", "CB-PANIC-05", "CB-BAG-02")
def test_a_whole_upkeep():
    # Hero leader and a Lackey lie at 0 Life; a Hero with INT 2D and two Lackeys are left
    lost = model(1, rank="hero", leader=True, damage=2)
    second = model(4, rank="hero", intellect="2D")
    opening = scene(lost, second, DOWN, FIT, model(5), FOE, commanded=frozenset({2}))
    leaving = [effect.model for effect in step_removals(opening) if isinstance(effect, Leave)]
    assert leaving == [1, 3]
    named = model(4, rank="hero", intellect="2D", leader=True)
    after = without(opening, leaving)
    after = replace(after, models=(named, *(fighter for fighter in after.models if fighter.id != 4)))
    levels = panic_levels(after)
    assert [(panic.side, panic.level) for panic in levels] == [(1, 4), (2, 0)]  # 2 + 1 + 1
    due = panic_tests_due(after, levels)
    assert [(test.model, test.own.throw.target) for test in due] == [(4, 4), (2, 4), (5, 4)]
    by_id = {test.model: test for test in due}
    results = [
        (4, fed(panic_test, [3, 4], (by_id[4].own.throw,))),
        (2, fed(panic_test, [2, 3], (by_id[2].borrowed.throw,))),
        (5, fed(panic_test, [9], (by_id[5].own.throw,))),
    ]
    gained = [(effect.model, effect.condition) for effect in step_tests(after, results)]
    assert gained == [(2, Condition.PANICKED)]
    assert next_bag(after).tokens == (3, 1)


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
