from fractions import Fraction

import pytest

from rules.dice import Dice, Solver
from rules.effects import Assign, Harm, Leave, Mend
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.checks import CheckResult, Throw
from rules.systems.counterblast.core.counters import ENGAGED_WITH, Counter
from rules.systems.counterblast.core.fighter import Condition
from rules.systems.counterblast.core.settings import Settings
from rules.systems.counterblast.gear.skills import (
    Job,
    Task,
    Treatment,
    advance,
    after_treatment,
    curable,
    done_within,
    may_still_act,
    prepare_job,
    require_job,
    skill_check,
    task_effects,
    treat,
    work,
)
from tests.rules.counterblast.field import model
from tests.rules.helpers import brute, fed

TWO_AT_SEVEN = (Throw(2, 0, 7),)
ONE_AT_SEVEN = (Throw(1, 0, 7),)
ROBOT = {"types": ("robot",)}


@pytest.mark.rule("CB-SKILL-01", "CB-SKILL-03", "CB-STAT-03")
def test_skills_roll_int_at_target_7_unless_said_otherwise():
    worker = model(intellect="3D+1", agility="1D", strength="1D")
    for skill in ("engineering", "medicine", "technology"):
        ready = prepare_job(worker, Job(skill))
        assert (ready.throw.pool, ready.throw.modifier, ready.throw.target) == (3, 1, 7)
    assert prepare_job(worker, Job("technology", target=9, needed=3)).throw.target == 9
    assert fed(skill_check, [7, 6], TWO_AT_SEVEN).net == 1


@pytest.mark.rule("CB-SKILL-02")
def test_skill_checks_need_contact_and_no_enemy():
    worker, engaged = model(1), model(2, counters={ENGAGED_WITH.of(9): 1})
    require_job(worker, Job("technology"))
    for who, job in (
        (worker, Job("technology", in_contact=False)),
        (engaged, Job("engineering")),
        (worker, Job("medicine", patient=engaged)),
    ):
        with pytest.raises(Forbidden) as refusal:
            require_job(who, job)
        assert refusal.value.rule == "CB-SKILL-02"
    # the patient of a repair may be engaged
    require_job(worker, Job("engineering", patient=model(3, counters={ENGAGED_WITH.of(9): 1}, **ROBOT)))


@pytest.mark.rule("CB-SKILL-02")
def test_missing_items_are_forbidden_only_by_the_setting():
    job = Job("medicine", has_item=False)
    require_job(model(), job)
    with pytest.raises(Forbidden):
        require_job(model(), job, Settings(skill_needs_gear=True))


@pytest.mark.rule("CB-SKILL-04", "CB-SKILL-08", "CB-STAT-10")
@pytest.mark.parametrize(
    ("types", "helps"),
    [
        (("human",), {"medicine"}), (("beast",), {"medicine"}), (("robot",), {"engineering"}),
        (("cyberform",), {"medicine", "engineering"}), (("vehicle", "tracked"), {"engineering"}),
        (("vehicle", "cavalry"), {"medicine"}),
    ],
)  # fmt: skip
def test_who_is_healed_and_who_is_repaired(types, helps):
    patient = model(2, types=types)
    for skill in ("medicine", "engineering", "technology"):
        if skill in helps:
            require_job(model(), Job(skill, patient=patient))
        else:
            with pytest.raises(Forbidden):
                require_job(model(), Job(skill, patient=patient))


def test_jobs_refuse_impossible_values():
    for wrong in ({"skill": "melee"}, {"skill": "medicine", "target": 1}, {"skill": "medicine", "needed": 0}):
        with pytest.raises(InvalidInput):
            Job(**wrong)


@pytest.mark.rule("CB-SKILL-04", "CB-SKILL-08")
def test_each_success_restores_one_life_and_tens_go_on():
    # 10 and its bonus 9 and a 7: three successes, of which two are needed
    assert fed(treat, [10, 7, 9], TWO_AT_SEVEN, 5) == Treatment(3, 0)
    assert fed(treat, [10, 7, 9], TWO_AT_SEVEN, 2) == Treatment(2, 0)
    assert fed(treat, [1, 8], TWO_AT_SEVEN, 2) == Treatment(0, 0)
    assert curable(model(damage=1)) == 1
    assert curable(model(damage=5)) == 2


@pytest.mark.rule("CB-SKILL-04", "CB-SKILL-08", "CB-STAT-09", "CB-CAS-04")
def test_life_returns_up_to_the_start_and_a_downed_model_comes_back_with_its_successes():
    robot = model(2, damage=1, life=3, **ROBOT)
    assert after_treatment(robot, Treatment(1, 0), "engineering") == (Mend(2, 1),)
    down = model(2, damage=4)  # Life 2
    assert after_treatment(down, Treatment(1, 0), "medicine") == (
        Mend(2, 3),
        Assign("model", 2, Counter.DOWN, 0),
    )
    assert after_treatment(down, Treatment(0, 0), "medicine") == ()


@pytest.mark.rule("CB-SKILL-05")
def test_a_botched_repair_harms_and_removes_at_once_at_no_life():
    assert fed(treat, [1, 1], TWO_AT_SEVEN, 2) == Treatment(0, 2)
    robot = model(2, life=3, **ROBOT)
    assert after_treatment(robot, Treatment(0, 2), "engineering") == (Harm(2, 2),)
    scratched = model(2, life=3, damage=1, **ROBOT)
    assert after_treatment(scratched, Treatment(0, 2), "engineering") == (Harm(2, 2), Leave(2, "casualty"))


@pytest.mark.rule("CB-SKILL-09")
def test_a_botched_treatment_removes_at_no_life_and_takes_a_downed_patient_at_once():
    assert after_treatment(model(2), Treatment(0, 1), "medicine") == (Harm(2, 1),)
    assert after_treatment(model(2, damage=1), Treatment(0, 1), "medicine") == (
        Harm(2, 1),
        Leave(2, "casualty"),
    )
    assert after_treatment(model(2, damage=2), Treatment(0, 1), "medicine")[1] == Leave(2, "casualty")


@pytest.mark.rule("CB-SKILL-05", "CB-SKILL-09")
def test_odds_of_a_treatment_with_one_die():
    odds = Solver(exact=True).solve(treat, ONE_AT_SEVEN, 2)
    # a 1 harms; 2-6 nothing; 7-9 one Life; 10 one Life and a bonus die with 4 in 10 for a second
    assert dict(odds.chances) == {
        Treatment(0, 1): Fraction(1, 10),
        Treatment(0, 0): Fraction(5, 10),
        Treatment(1, 0): Fraction(3, 10) + Fraction(1, 10) * Fraction(6, 10),
        Treatment(2, 0): Fraction(1, 10) * Fraction(4, 10),
    }
    assert dict(odds.chances) == brute(treat, ONE_AT_SEVEN, 2)


@pytest.mark.rule("CB-SKILL-04", "CB-SKILL-08", "CB-BAG-09")
def test_a_healed_model_acts_at_the_next_draw_unless_it_was_activated():
    assert may_still_act(model())
    assert not may_still_act(model(activated=True))


def work_through(dice: Dice, task: Task, attempts: tuple[tuple[Throw, ...], ...]) -> Task:
    """Several checks at the same work, one after the other."""
    for throws in attempts:
        task = dice.call(work, task, throws)
    return task


@pytest.mark.rule("CB-SKILL-06")
def test_successes_add_up_over_checks_and_models_until_done():
    task = Task(3)
    task = fed(work, [8, 2], task, TWO_AT_SEVEN)
    assert task == Task(3, 1)
    task = fed(work, [9, 7], task, TWO_AT_SEVEN)
    assert task.done
    assert fed(work, [], task, TWO_AT_SEVEN) == task
    # two models: 8 and 3, then 10 with its bonus 7
    assert fed(work_through, [8, 3, 10, 7], Task(3), (TWO_AT_SEVEN, ONE_AT_SEVEN, ONE_AT_SEVEN)).done


@pytest.mark.rule("CB-SKILL-07")
@pytest.mark.parametrize(
    ("before", "score", "after"),
    [
        (Task(5, 3), -2, Task(5, 1)),
        (Task(5, 2), -2, Task(6, 0)),  # the last one goes: the total rises
        (Task(5, 0), -1, Task(6, 0)),  # there was none
        (Task(5, 1), -3, Task(6, 0)),  # by 1 only
        (Task(6, 0), -1, Task(7, 0)),  # again by each critical failure
        (Task(5, 3), 0, Task(5, 3)),
        (Task(5, 3), 4, Task(5, 5)),
    ],
)
def test_setbacks(before, score, after):
    assert advance(before, CheckResult(score)) == after


@pytest.mark.rule("CB-SKILL-07", "CB-SKILL-10")
def test_a_setback_makes_it_longer_for_everyone_from_then_on():
    task = fed(work_through, [1, 1, 9, 8], Task(2), (TWO_AT_SEVEN, TWO_AT_SEVEN))
    assert task == Task(3, 2)
    assert task_effects("uplink:{}".format, Task(2), task) == (
        Assign("encounter", 0, "uplink:stored", 2),
        Assign("encounter", 0, "uplink:needed", 3),
    )
    odds = Solver(exact=True).solve(work_through, Task(1), (ONE_AT_SEVEN, ONE_AT_SEVEN))
    # done: 4/10 at once, or 5/10 nothing then 4/10, or a 1 (two needed now) then a 10 with a good bonus die
    done = sum(p for task, p in odds.chances.items() if task.done)
    assert done == Fraction(4, 10) + Fraction(5, 10) * Fraction(4, 10) + Fraction(1, 10) * Fraction(4, 100)
    assert dict(odds.chances) == brute(work_through, Task(1), (ONE_AT_SEVEN, ONE_AT_SEVEN))


@pytest.mark.rule("CB-SPEC-02", "CB-SPEC-13", "CB-SPEC-21", "CB-CHECK-06")
def test_a_failed_check_is_rolled_again_once_and_the_second_stands():
    assert fed(skill_check, [3, 2, 9, 9], TWO_AT_SEVEN, again=True).net == 2
    assert fed(skill_check, [3, 2, 1, 1], TWO_AT_SEVEN, again=True).net_ones == 2
    assert fed(skill_check, [3, 8], TWO_AT_SEVEN, again=True).net == 1
    assert fed(treat, [2, 2, 8, 3], TWO_AT_SEVEN, 2, again=True) == Treatment(1, 0)


@pytest.mark.rule("CB-SPEC-02", "CB-SPEC-13", "CB-SPEC-21")
@pytest.mark.parametrize(
    ("specialty", "skill"),
    [
        ("emergency_medical_team", "medicine"),
        ("engineering_team", "engineering"),
        ("science_team", "technology"),
    ],
)
def test_teams_add_one_to_their_own_skill(specialty, skill):
    worker = model(specialties=(specialty,))
    for other in ("medicine", "engineering", "technology"):
        assert prepare_job(worker, Job(other)).throw.modifier == int(other == skill)


@pytest.mark.rule("CB-SPEC-19", "CB-SPEC-20")
def test_purposes_of_checks():
    agent, builder = model(specialties=("recovery_agents",)), model(specialties=("salvage_team",))
    scanner = model(gear=("scanner",))
    assert prepare_job(agent, Job("technology", purpose="salvage")).throw.modifier == 1
    assert prepare_job(agent, Job("technology")).throw.modifier == 0
    assert prepare_job(builder, Job("engineering", purpose="build")).throw.modifier == 1
    assert prepare_job(builder, Job("engineering")).throw.modifier == 0
    assert prepare_job(scanner, Job("technology", purpose="objective")).throw.modifier == 1
    assert prepare_job(scanner, Job("technology", purpose="salvage")).throw.modifier == 0


@pytest.mark.rule("CB-SPEC-06")
def test_dependable_equipment_forgives_one_natural_1():
    worker = model(specialties=("recovery_agents",), gear=("toolkit",), intellect="2D")
    ready = prepare_job(worker, Job("engineering"))
    assert ready.throw.dependable
    assert fed(skill_check, [1, 8], (ready.throw,)).net == 1  # toolkit: 8 + 1
    assert fed(skill_check, [1, 1], (ready.throw,)).net_ones == 1
    assert not prepare_job(worker, Job("medicine")).throw.dependable
    plain = prepare_job(model(gear=("toolkit",), intellect="2D"), Job("engineering"))
    assert fed(skill_check, [1, 8], (plain.throw,)).net == 0


@pytest.mark.rule("CB-FEAT-34")
def test_a_knack_lowers_the_target():
    worker = model(features=("knack:technology",))
    assert prepare_job(worker, Job("technology")).throw.target == 6
    assert prepare_job(worker, Job("medicine")).throw.target == 7


def test_a_panicked_model_works_at_disadvantage():
    assert prepare_job(model(under=(Condition.PANICKED,)), Job("technology")).throw.pool == 0


@pytest.mark.rule("CB-SKILL-06", "CB-SKILL-07")
def test_the_chance_to_be_done_within_three_tries_is_that_of_three_checks_in_a_row():
    tasks = {Task(3, 0): Fraction(1)}
    for throws in (TWO_AT_SEVEN, ONE_AT_SEVEN, ONE_AT_SEVEN):
        following = {}
        for task, chance in tasks.items():
            for after, share in Solver().solve(work, task, throws).chances.items():
                following[after] = following.get(after, 0) + float(chance) * share
        tasks = following
    expected = sum(chance for task, chance in tasks.items() if task.done)
    found = Solver().solve(done_within, Task(3, 0), TWO_AT_SEVEN, ONE_AT_SEVEN, 3).chance(bool)
    assert found == pytest.approx(expected, abs=1e-9)
    assert 0.1 < found < 0.9
