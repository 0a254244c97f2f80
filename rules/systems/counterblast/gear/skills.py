"""Skill checks: repair, treatment, technology, and work that takes several successes.

Owns Engineering, Medical and Technology as actions; the fire that Engineering puts out is in `burning`, and
missions give their target and successes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from rules.counters import CounterName
from rules.dice import Dice
from rules.effects import Assign, Effect, Harm, Leave
from rules.modifiers import Modifier
from rules.refusals import InvalidInput, forbid
from rules.systems.counterblast.building.crew import list_purpose_modifiers
from rules.systems.counterblast.core.checks import CheckResult, PreparedCheck, Throw, roll_check_again, throw
from rules.systems.counterblast.core.conditions import CASUALTY, apply_healing, can_be_healed_by
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.dice_pools import prepare_check
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.profile import Skill
from rules.systems.counterblast.core.settings import DEFAULTS, Settings

Purpose = Literal["", "objective", "salvage", "build", "lock"]

DEFAULT_TARGET = 7
MAX_NEEDED = 50
"""Successes of which a check may be in need; all that it gets are of use then."""
WORK_SKILLS: tuple[Skill, ...] = ("engineering", "medicine", "technology")
NAMES: dict[str, str] = {"engineering": "Engineering", "medicine": "Medical", "technology": "Technology"}


@dataclass(frozen=True, slots=True)
class Job:
    """The task of a skill check.

    skill: engineering, medicine or technology. target: 2 to 15. needed: successes of use, 1 to 50.
    in_contact: base contact with what is worked on. patient: the model worked on, None for a thing. has_item:
    whether the right item is carried, as the players judge. purpose: what some gear and Specialties ask
    about. security: penalty of a high-security lock, 0 to -5.
    """

    skill: Skill
    target: int = DEFAULT_TARGET
    needed: int = 1
    in_contact: bool = True
    patient: Fighter | None = None
    has_item: bool = True
    purpose: Purpose = ""
    security: int = 0

    def __post_init__(self) -> None:
        if self.skill not in WORK_SKILLS:
            raise InvalidInput("A skill check must be Engineering, Medical or Technology.")
        if not 2 <= self.target <= 15:
            raise InvalidInput("A target number must be between 2 and 15.")
        if not 1 <= self.needed <= MAX_NEEDED:
            raise InvalidInput("A task can need 1 to 50 successes.")
        if not -5 <= self.security <= 0:
            raise InvalidInput("The penalty for a lock must be between -5 and 0.")


def require_job(worker: Fighter, job: Job, settings: Settings = DEFAULTS) -> None:
    """Refuse, with Forbidden, a skill check whose conditions are not met.

    Base contact; the worker not engaged, for Medical the patient neither; the right skill for the patient;
    with `settings.skill_needs_gear` also the right item. Rules: CB-SKILL-02, CB-SKILL-04, CB-SKILL-08.
    """
    name = NAMES[job.skill]
    if not job.in_contact:
        forbid(f"{name} checks need base contact. Move {worker.name} into contact first.", "CB-SKILL-02")
    if worker.is_engaged:
        forbid(f"{worker.name} is engaged. Disengage before a {name} check.", "CB-SKILL-02")
    if job.patient is not None:
        _require_patient(job.skill, job.patient)
    if settings.skill_needs_gear and not job.has_item:
        forbid(f"{worker.name} doesn't have the gear for a {name} check.", "CB-SKILL-02")


def _require_patient(skill: Skill, patient: Fighter) -> None:
    if skill == "medicine" and patient.is_engaged:
        forbid(f"{patient.name} is engaged and can't be treated now.", "CB-SKILL-02")
    if not can_be_healed_by(patient.profile, skill):
        other = "Engineering" if patient.profile.is_mechanical else "Medical"
        forbid(f"{NAMES[skill]} doesn't help {patient.name}. Use {other} instead.", "CB-SKILL-08")


def prepare_job(
    worker: Fighter,
    job: Job,
    *,
    modifiers: tuple[Modifier, ...] = (),
    edges: tuple[Modifier, ...] = (),
    order_token: bool = False,
    settings: Settings = DEFAULTS,
) -> PreparedCheck:
    """Prepare one model's dice of a skill check: INT, with gear, Features and Specialties.

    modifiers, edges: what the rule or the players add, such as Teamwork. Raises Forbidden.
    Rules: CB-SKILL-01, CB-SKILL-02, CB-SKILL-03, CB-STAT-03, CB-SPEC-06, CB-GEAR-32.
    """
    require_job(worker, job, settings)
    purposeful = list_purpose_modifiers(worker, job.skill, job.purpose)
    lockpick = job.purpose == "lock" and worker.has_gear("electronic_lockpick")
    equipped = lockpick or any(name == job.skill for item in worker.gear for name, _ in item.checks)
    security = (Modifier(job.security, "high security", "CB-GEAR-32"),) if job.security else ()
    return prepare_check(
        worker,
        "INT",
        job.target,
        skill=job.skill,
        with_equipment=equipped,
        edges=edges,
        modifiers=(*purposeful, *security, *modifiers),
        target_reason=NAMES[job.skill],
        needed=job.needed,
        target_rule="CB-SKILL-03",
        order_token=order_token,
        settings=settings,
    )


# ------------------------------------------------------------------------------------------- one check


def skill_check(
    dice: Dice, throws: tuple[Throw, ...], *, needed: int = 1, again: bool = False, label: str = "skill"
) -> CheckResult:
    """Roll a skill check, of one model or of several working together.

    again: a failed check, one with fewer than `needed` successes, is rolled once more and then stands.
    Rules: CB-SKILL-01, CB-SKILL-03, CB-CHECK-06, CB-SPEC-02, CB-SPEC-13, CB-SPEC-21.
    """
    if again:
        return roll_check_again(dice, throws, needed, label=label)
    return throw(dice, throws, label=label)


# ------------------------------------------------------------------------------------------- patients


@dataclass(frozen=True, slots=True)
class Treatment:
    """The result of a repair or treatment: Life restored, or damage caused by a critical failure."""

    restored: int
    harmed: int


def treat(
    dice: Dice, throws: tuple[Throw, ...], curable: int, *, again: bool = False, label: str = "heal"
) -> Treatment:
    """Roll a repair or a treatment: each success restores 1 Life, each net 1 causes 1 damage.

    curable: the most Life it can restore, see `curable`. Rules: CB-SKILL-04, CB-SKILL-05, CB-SKILL-08,
    CB-SKILL-09, CB-STAT-09.
    """
    result = skill_check(dice, throws, again=again, label=label)
    return Treatment(min(curable, result.net), result.net_ones)


def curable(patient: Fighter) -> int:
    """Return the most Life that the model can get back, up to its starting Life. Rules: CB-STAT-09."""
    return min(patient.damage, patient.profile.life)


def after_treatment(patient: Fighter, treatment: Treatment, skill: Skill) -> tuple[Effect, ...]:
    """Return the effects of a repair or treatment.

    A model that was down comes back with as much Life as was restored; damage beyond its Life is wiped.
    Damage by a critical failure that leaves it without Life removes it at once; no shield dice are rolled.
    Rules: CB-CAS-04, CB-SKILL-04, CB-SKILL-05, CB-SKILL-08, CB-SKILL-09.
    """
    if treatment.harmed:
        harm = Harm(patient.id, treatment.harmed)
        if patient.damage + treatment.harmed >= patient.profile.life:
            return (harm, Leave(patient.id, CASUALTY))
        return (harm,)
    return apply_healing(patient, treatment.restored, skill)


def may_still_act(patient: Fighter) -> bool:
    """Return whether a model healed or repaired this turn may be chosen at its crew's next draw.

    Rules: CB-SKILL-04, CB-SKILL-08, CB-BAG-09.
    """
    return patient.count(Counter.ACTIVATED) == 0


# ------------------------------------------------------------------------------------------- long work


@dataclass(frozen=True, slots=True)
class Task:
    """Work of several successes: how many it needs by now, how many are stored. Rules: CB-SKILL-06."""

    needed: int = 1
    stored: int = 0

    @property
    def done(self) -> bool:
        """Return whether the total has been reached."""
        return self.stored >= self.needed


def advance(task: Task, result: CheckResult) -> Task:
    """Return the work after one check.

    Successes are stored, up to the total. Each net 1 takes one away; where none are left after a critical
    failure the total rises by 1, however many 1s there were. Rules: CB-SKILL-06, CB-SKILL-07, CB-SKILL-10.
    """
    if result.critical_failure:
        stored = max(0, task.stored - result.net_ones)
        return Task(task.needed if stored else task.needed + 1, stored)
    return Task(task.needed, min(task.needed, task.stored + result.net))


def work(
    dice: Dice, task: Task, throws: tuple[Throw, ...], *, again: bool = False, label: str = "work"
) -> Task:
    """Roll one check at a work of several successes. Nothing is rolled for work that is done.

    Rules: CB-SKILL-06, CB-SKILL-07, CB-SKILL-10.
    """
    if task.done:
        return task
    return advance(task, skill_check(dice, throws, again=again, label=label))


def done_within(
    dice: Dice, task: Task, first: tuple[Throw, ...], later_throws: tuple[Throw, ...], attempts: int
) -> bool:
    """Work until the task is done, at most so many times, 1 or more; return whether it is.

    first, later_throws: the dice of the first check and of those after it. Rules: CB-SKILL-06, CB-SKILL-07.
    """
    after = dice.call(work, task, first)
    if after.done or attempts == 1:
        return after.done
    return dice.call(done_within, after, later_throws, later_throws, attempts - 1)


TaskPart = Literal["needed", "stored", "skill", "target", "purpose", "security"]
"""What is counted of a task."""


def task_effects(counter: Callable[[TaskPart], CounterName], before: Task, after: Task) -> tuple[Effect, ...]:
    """Return the encounter's counters of what is stored and needed, where a check changed them.

    counter: gives the name of each.

    Rules: CB-SKILL-06, CB-SKILL-07.
    """
    changes: tuple[tuple[TaskPart, int, int], ...] = (
        ("stored", before.stored, after.stored),
        ("needed", before.needed, after.needed),
    )
    return tuple(Assign("encounter", 0, counter(name), new) for name, old, new in changes if new != old)
