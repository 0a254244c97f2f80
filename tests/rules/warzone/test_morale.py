from dataclasses import replace

import pytest

from rules.effects import Assign, Count, Gain, Lose, Propose
from rules.refusals import Forbidden
from rules.systems.warzone.attacks import armour
from rules.systems.warzone.characteristic import Grade, check
from rules.systems.warzone.morale import (
    Act,
    Rally,
    after_morale,
    after_nerve_test,
    after_rally,
    check_may_act,
    dire_due,
    forget_rallies,
    individual_morale_due,
    ld_limit,
    ld_modifiers,
    morale_due,
    morale_tester,
    needs_test,
    rally_modifiers,
)
from rules.systems.warzone.ranged import aim
from rules.systems.warzone.settings import Settings
from tests.rules.helpers import fed
from tests.rules.warzone.build import PLAIN, model, squad


@pytest.mark.rule("WZ-MORALE-01", "WZ-PANIC-05")
def test_when_a_squad_tests():
    # squad of 5: half is 3
    assert [morale_due(5, lost, lost + 1) for lost in range(5)] == [False, False, True, True, True]
    assert morale_due(5, 1, 3)  # two at once: one question, one test
    assert morale_due(4, 1, 2)
    assert not morale_due(5, 3, 3)
    horror = model(9, dire=2)
    assert dire_due(horror, 1, in_area=True)
    assert not dire_due(horror, 1, in_area=False)
    assert not dire_due(horror, 0, in_area=True)
    assert not dire_due(model(9), 1, in_area=True)


@pytest.mark.rule("WZ-MORALE-05")
def test_when_an_individual_tests():
    assert [individual_morale_due(3, damage, damage + 1) for damage in (0, 1)] == [False, True]
    assert individual_morale_due(4, 0, 2)
    assert individual_morale_due(4, 2, 3)
    assert not individual_morale_due(4, 2, 2)


@pytest.mark.rule("WZ-MORALE-02", "WZ-TEST-06")
def test_who_tests():
    leader, grunt = model(1, ld=9), model(2, ld=12)
    unit = squad(leader, grunt, leader=1)
    assert morale_tester(unit, None, "losses") is leader
    assert morale_tester(unit, grunt, "dire_loss") is leader
    assert morale_tester(unit, grunt, "effect") is grunt
    assert morale_tester(unit, grunt, "dire_wound") is grunt
    assert morale_tester(unit, grunt, "losses", in_command=False) is grunt


@pytest.mark.rule("WZ-MORALE-03", "WZ-PANIC-01", "WZ-PANIC-05", "WZ-UNH-01")
def test_failed_tests_go_from_bad_to_worse():
    fresh, afraid, broken = model(1), model(2, ["panicked"]), model(3, ["broken"])
    failed = fed(check, [11], 10)
    assert after_morale((fresh, afraid), failed, PLAIN, source=7) == (
        Gain(1, "panicked", 7, "rally"),
        Lose(2, "panicked"),
        Gain(2, "broken", 7, "rally"),
    )
    unhinged = after_morale((broken, replace(broken, id=4)), failed, PLAIN)
    assert [(each.action, each.model) for each in unhinged] == [("unhinged", 3), ("unhinged", 4)]
    assert after_morale((fresh, afraid, broken), Grade.SUCCESS, PLAIN) == ()
    rare = Settings(unhinged_trigger="natural_20")
    assert after_morale((broken,), Grade.FAILURE, rare) == ()
    assert after_morale((broken,), Grade.FUMBLE, rare)[0].action == "unhinged"
    mad = model(5, ["broken", "derangement"])
    assert mad.broken
    assert after_morale((mad,), failed, PLAIN) == ()


@pytest.mark.rule("WZ-AMOK-01")
def test_machines_roll_on_the_amok_table():
    machine = model(1, traits=("machine",), ai=2, cybernetics=1)
    mortal = model(2, ai=2)
    effects = after_morale((machine, replace(machine, id=3), mortal), Grade.FAILURE, PLAIN)
    assert [effect.action for effect in effects if isinstance(effect, Propose)] == ["amok"]
    assert Gain(2, "panicked", 0, "rally") in effects
    assert not any(isinstance(effect, Gain) and effect.model == 1 for effect in effects)
    assert machine.profile.ai_level == 3


@pytest.mark.rule("WZ-PANIC-03", "WZ-BROKEN-04", "WZ-MORALE-04", "WZ-RALLY-02", "WZ-RALLY-03")
def test_ld_penalties_count_once_and_in_sight():
    def limit(*conditions, sight=True):
        tester = model(1, conditions)
        return ld_limit(tester, ld_modifiers(tester, enemy_in_sight=sight))

    assert (limit("panicked"), limit("panicked", sight=False)) == (7, 10)
    assert (limit("broken"), limit("broken", sight=False)) == (4, 10)
    assert limit("broken", "panicked") == 4


@pytest.mark.rule("WZ-RALLY-04", "WZ-UNH-04", "WZ-UNH-05")
def test_ld_penalties_of_the_unhinged():
    def limit(result, sight):
        tester = model(1, ["broken", result])
        return ld_limit(tester, ld_modifiers(tester, enemy_in_sight=sight))

    assert [limit("forced_regression", sight) for sight in (True, False)] == [2, 2]
    assert [limit("derangement", sight) for sight in (True, False)] == [4, 4]
    assert [limit("crippling_fear", sight) for sight in (True, False)] == [4, 10]
    assert armour(model(1, ["broken", "forced_regression"]), PLAIN) == 14
    assert armour(model(1, ["broken", "forced_regression"]), Settings(unhinged_armour=False)) == 22


@pytest.mark.rule("WZ-PANIC-04", "WZ-BROKEN-05", "WZ-UNH-01")
@pytest.mark.parametrize(
    ("state", "rule"),
    [("panicked", "WZ-PANIC-04"), ("broken", "WZ-BROKEN-05"), ("crippling_fear", "WZ-BROKEN-05")],
)
def test_what_the_afraid_may_not_do(state, rule):
    afraid = model(1, [state])
    for act in (Act.CHARGE, Act.AIM, Act.WAIT, Act.MINIMIZE, Act.CHANNEL, Act.SPOT):
        with pytest.raises(Forbidden) as refusal:
            check_may_act(afraid, act)
        assert refusal.value.rule == rule
        check_may_act(model(1), act)
    for act in (Act.MOVE, Act.SHOOT, Act.FIGHT, Act.STAND, Act.RALLY):
        check_may_act(afraid, act)
    with pytest.raises(Forbidden):
        aim(afraid, model(2))


@pytest.mark.rule("WZ-PANIC-02")
def test_panicked_models_and_the_source():
    afraid = model(1, ["panicked"])
    assert needs_test(afraid, Act.MOVE, "nearer", first_action=True)
    assert not needs_test(afraid, Act.MOVE, "away", first_action=True)
    assert not needs_test(afraid, Act.SHOOT, "other", first_action=False)
    assert not needs_test(model(1), Act.MOVE, "nearer", first_action=True)
    assert after_nerve_test(afraid, Grade.FAILURE) == (Count("model", 1, "actions", -1),)
    assert after_nerve_test(afraid, Grade.SUCCESS) == ()


@pytest.mark.rule("WZ-BROKEN-01", "WZ-BROKEN-02", "WZ-BROKEN-03")
def test_broken_models_flee():
    broken = model(1, ["broken"])
    assert not needs_test(broken, Act.MOVE, "away", first_action=True)
    with pytest.raises(Forbidden) as refusal:
        needs_test(broken, Act.SHOOT, "other", first_action=True)
    assert refusal.value.rule == "WZ-BROKEN-01"
    assert needs_test(broken, Act.SHOOT, "other", first_action=False)
    assert needs_test(broken, Act.MOVE, "other", first_action=False)
    assert not needs_test(broken, Act.MOVE, "away", first_action=False)
    assert not needs_test(broken, Act.BREAK_AWAY, "other", first_action=True), "how it begins to flee"
    for first in (True, False):
        with pytest.raises(Forbidden) as refusal:
            needs_test(broken, Act.MOVE, "nearer", first_action=first)
        assert refusal.value.rule == "WZ-BROKEN-03"
    assert after_nerve_test(broken, Grade.FAILURE)[0].action == "flee"


def rally(leader, *others, **more):
    return Rally(leader, squad(leader, *others, leader=leader.id), **more)


@pytest.mark.rule("WZ-RALLY-01")
def test_rally():
    leader = model(1, ["panicked"])
    attempt = rally(leader, model(2, ["panicked"]), model(3, ["broken"]), model(4))
    counted = Count("encounter", 0, "rally.1", 1)
    assert after_rally(attempt, fed(check, [8], 7), PLAIN) == (counted,)
    assert after_rally(attempt, fed(check, [20], 25), PLAIN) == (counted,)
    assert after_rally(attempt, fed(check, [7], 7), PLAIN) == (
        counted,
        Lose(1, "panicked"),
        Lose(2, "panicked"),
        Lose(3, "broken"),
        Gain(3, "panicked", 0, "rally"),
    )
    with pytest.raises(Forbidden):
        rally_modifiers(rally(model(1), model(2)))
    with pytest.raises(Forbidden):
        rally_modifiers(replace(attempt, leader=model(2)))
    with pytest.raises(Forbidden):
        rally_modifiers(replace(attempt, in_command=False))
    officer = replace(attempt, leader=model(9, squad=2, traits=("officer",)))
    assert rally_modifiers(officer) == ()


@pytest.mark.rule("WZ-RALLY-01", "WZ-UNH-01")
def test_rallying_the_unhinged():
    attempt = rally(model(1), model(2, ["broken", "derangement"]))
    effects = after_rally(attempt, Grade.SUCCESS, PLAIN)[1:]
    assert effects == (Lose(2, "derangement"), Gain(2, "broken", 0, "rally"))
    better = after_rally(attempt, Grade.SUCCESS, Settings(rally_unhinged_to="panicked"))[1:]
    assert better == (Lose(2, "derangement"), Lose(2, "broken"), Gain(2, "panicked", 0, "rally"))
    normal = after_rally(attempt, Grade.SUCCESS, Settings(rally_unhinged_to="normal"))[1:]
    assert normal == (Lose(2, "derangement"), Lose(2, "broken"))


@pytest.mark.rule("WZ-RALLY-02", "WZ-RALLY-03", "WZ-RALLY-05", "WZ-RALLY-06", "WZ-RALLY-07")
def test_rally_modifiers():
    def amount(leader, **more):
        return sum(each.amount for each in rally_modifiers(rally(leader, model(2, ["broken"]), **more)))

    assert amount(model(1, ["panicked"])) == -3
    assert amount(model(1, ["broken"])) == -6
    assert amount(model(1, ["broken"]), enemy_in_sight=False) == 0
    assert [amount(model(1), attempts=made) for made in range(5)] == [0, -3, -6, -6, -6]
    assert amount(model(1), dire=2) == -2
    assert amount(model(1, ["panicked"]), borrowed_ld=13) == 0  # +3 borrowed, -3 his own fear
    assert amount(model(1), borrowed_ld=8) == 0
    assert forget_rallies((1, 2))[0] == Assign("encounter", 0, "rally.1", 0)


@pytest.mark.rule("WZ-UNH-04")
def test_forced_regression_allows_one_action_that_is_no_move():
    check_may_act(model(1, ["forced_regression"]), Act.SHOOT)
    spent = model(1, ["forced_regression"], [("non_moves", 1)])
    with pytest.raises(Forbidden):
        check_may_act(spent, Act.SHOOT)
    check_may_act(spent, Act.MOVE)
