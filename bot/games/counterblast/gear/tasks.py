"""Tasks with gear and skills: treatment, repair, and what else may be tried."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, cast

from bot.actions import Action
from bot.games.counterblast.core.common import again as as_it_is
from bot.games.counterblast.core.fields import anybody, who
from bot.games.counterblast.core.narration import Telling, finish
from bot.games.counterblast.gear.skill_checks import (
    SkillAction,
    Team,
    build_reroll_buttons,
    build_team,
    check_price,
    describe_reroll,
    explain_checks,
    list_gear_reminders,
    relics_for,
    roll_check,
    skill_field,
    team_dice,
    work_chances,
)
from bot.games.counterblast.state.models import kept
from bot.games.counterblast.state.table_state import ModelState
from bot.replies.reply import Reply
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.asking.offering import own_model, such
from bot.table.encounter import GONE, Encounter, EncounterView, set_counter
from bot.table.handlers import handles
from bot.table.names import check_name
from bot.table.owners import PLAYER
from bot.table.steps import Chances, Weighed, in_steps
from rules.counters import PerPart
from rules.effects import Effect
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.checks import CheckResult
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.profile import Skill
from rules.systems.counterblast.gear.skills import (
    DEFAULT_TARGET,
    NAMES,
    WORK_SKILLS,
    Job,
    Purpose,
    Task,
    TaskPart,
    Treatment,
    advance,
    after_treatment,
    curable,
    done_within,
    may_still_act,
    task_effects,
    treat,
    work,
)
from rules.wording import times

TASK: PerPart[TaskPart] = PerPart("task:")

PURPOSES: tuple[Purpose, ...] = ("objective", "salvage", "build", "lock")

MAX_TASKS = 20
MAX_TASK_LENGTH = 20


@dataclass(frozen=True, slots=True)
class TaskOn:
    """A named task. stands: its progress, or None if no one has begun it."""

    name: str
    skill: Skill = "technology"
    target: int = DEFAULT_TARGET
    purpose: Purpose = ""
    security: int = 0
    stands: Task | None = None


def task_names(encounter: EncounterView) -> list[str]:
    """Return the tasks on the table."""
    return TASK.things(encounter.row.counters)


def tasks_on(encounter: EncounterView) -> list[TaskOn]:
    """Return the tasks on the table, as they stand."""
    return [task_of(encounter, name) for name in task_names(encounter)]


def task_of(encounter: EncounterView, name: str) -> TaskOn:
    """Return the task of exactly this name."""
    count = partial(_count, encounter, name)
    return TaskOn(
        name,
        WORK_SKILLS[count("skill")],
        count("target"),
        ("", *PURPOSES)[count("purpose")],
        -count("security"),
        Task(count("needed"), count("stored")),
    )


def _count(encounter: EncounterView, name: str, part: TaskPart) -> int:
    return encounter.count(TASK.of(name, part))


def find_or_create_task(encounter: EncounterView, text: str) -> TaskOn:
    """Return the task of this name, which may be new. Raises InvalidInput for an invalid name."""
    typed = " ".join(text.split()).casefold()
    by_name = {task.name.casefold(): task for task in tasks_on(encounter)}
    if typed in by_name:
        return by_name[typed]
    name = check_name(text, "task")
    if len(name) > MAX_TASK_LENGTH:
        raise InvalidInput(f"Shorten the name. A task's name can have at most {MAX_TASK_LENGTH} characters.")
    if len(by_name) >= MAX_TASKS:
        raise InvalidInput(f"Remove a task first. The table can have at most {MAX_TASKS} tasks.")
    return TaskOn(name)


any_task = kept(task_names)

wounded_models = such(
    lambda encounter, row: row.damage > 0,
    "No model here has lost any Life, so none needs help.",
    "CB-STAT-09",
    own_model,
)


LOWEST_SECURITY = -5


def _task_field(about: str = "Task (enter a new name to add one)", **more: Any) -> Any:
    return fields.sought(
        about,
        any_task,
        lambda context, text: find_or_create_task(context.act.encounter, text),
        written=lambda one: one.name,
        **more,
    )


@dataclass(frozen=True, slots=True)
class Work(SkillAction):
    """Work on a task with a skill.

    A name that is new begins one; all but the worker counts for a new one only. security: penalty of a
    high-security lock, 0 to -5. drop: typed, to take the task off the table.
    """

    command = "cb.work"
    typed = "cb tech"
    titled = "Work on a task"
    said_first: ClassVar[tuple[str, ...]] = (
        *("worker", "task", "skill", "target", "needed", "purpose"),
        *("helpers", "drop", "order", "odds"),
    )

    worker: Fighter = who("Model", called="model")
    skill: Skill | None = skill_field("Skill for a new task")
    task: TaskOn = _task_field(needed=True)
    target: int = fields.whole("Target number of a new task (default 7)", 2, 15, default=0, fact=True)
    needed: int = fields.whole("Successes for a new task (default 1)", 1, 50, default=0, fact=True)
    purpose: Purpose | None = fields.one_of("Purpose of the task", PURPOSES)
    security: int = fields.whole("", LOWEST_SECURITY, 0, default=0, checked=True, fact=True)
    drop: bool = fields.switch("Remove the task")

    @property
    def made_with(self) -> Skill:
        """Return the skill of the check, once that is settled."""
        assert self.skill is not None, "it is settled"
        return self.skill

    def as_typed_action(self) -> Action:
        return DropTask(self.task) if self.drop else self


@dataclass(frozen=True, slots=True)
class Unlock(Work):
    """Try to open a locked door with Technology.

    mechanical: typed, for a lock that no lockpick helps with.
    """

    command = "cb.unlock"
    typed = "gear unlock"
    titled = "Open a lock"
    said_first = ("worker", "task", "target", "security", "mechanical", "helpers", "order", "odds")
    facts = frozenset({"needed"})

    worker: Fighter = who(called="model")
    skill: Skill | None = skill_field(default="technology")
    task: TaskOn = _task_field("Door (enter a new name to add one)", unsaid="Door", called="door")
    target: int = fields.whole("Target number of a new lock (default 7)", 2, 15, default=0, fact=True)
    needed: int = 0
    purpose: Purpose | None = fields.one_of("", PURPOSES, default="lock")
    security: int = fields.whole(
        "Penalty for a high-security lock (0 to -5)", LOWEST_SECURITY, 0, default=0, checked=True, fact=True
    )
    drop: bool = False
    mechanical: bool = fields.switch("Mechanical lock (Electronic Lockpicks don't help)", fact=True)

    def as_typed_action(self) -> Work:
        purpose = None if self.mechanical else self.purpose
        return Work(
            self.worker,
            self.skill,
            self.order,
            self.helpers,
            odds=self.odds,
            task=self.task,
            target=self.target,
            purpose=purpose,
            security=self.security,
        )


@dataclass(frozen=True, slots=True)
class DropTask(Action):
    """Remove a task from the table."""

    command = "cb.task.drop"
    decision_of = PLAYER

    task: TaskOn = fields.among(
        "Task", lambda asking: tasks_on(asking.act.encounter), lambda one: one.name, what="task", needed=True
    )


def task_lines(encounter: Encounter) -> list[str]:
    """Return every task with what is done and what it needs."""
    lines = []
    for task in tasks_on(encounter):
        assert task.stands is not None, "it is on the table"
        purpose = f" ({task.purpose})" if task.purpose else ""
        progress = f"{task.stands.stored} of {task.stands.needed}"
        lines.append(f"{task.name}{purpose}: {progress}, {NAMES[task.skill]} vs {task.target}")
    return lines


def _fill_in(action: Work) -> Work:
    """The action with the task's own skill, target and purpose, or with those that a new one has."""
    task = action.task
    if task.stands is not None:
        settled = replace(action, skill=task.skill, target=task.target, needed=0)
        return replace(settled, purpose=task.purpose or None, security=task.security)
    target, needed = action.target or task.target, action.needed or 1
    return replace(action, skill=action.skill or task.skill, target=target, needed=needed)


@dataclass(frozen=True, slots=True)
class ReadyWork:
    """Work that may be tried, and what it costs. task: as it stands."""

    team: Team
    asks: Work
    task: Task
    due: tuple[Effect, ...] = ()


TRIES_SHOWN = 3
"""Checks within which the odds tell the chance that a task is done."""


@in_steps(Work, also=(Unlock,))
class Working(Weighed[Work, ReadyWork]):
    """One check at a task: successes are stored, a critical failure sets it back."""

    def prepare(self, act: ActView, action: Work) -> ReadyWork:
        """Return the task, which may be a new one, and who works at it. Raises InvalidInput, Forbidden."""
        settled = replace(_fill_in(action), odds=False)
        task_now = settled.task.stands or Task(settled.needed)
        if task_now.done:
            raise InvalidInput(f"{settled.task.name} is already finished. Choose another task.")
        missing, purpose = task_now.needed - task_now.stored, settled.purpose or ""
        job = Job(settled.made_with, settled.target, missing, purpose=purpose, security=settled.security)
        team = build_team(act, settled, job)
        act.canonical = settled
        return ReadyWork(team, settled, task_now, check_price(act, team, settled))

    def do(self, act: Act, action: Work, ready: ReadyWork) -> Reply:
        if ready.asks.task.stands is None:
            _write_task(act.encounter, ready.asks)
        team, old_task, settled_work = ready.team, ready.task, replace(ready.asks, needed=0)
        worker, name, skill = team.models[0], settled_work.task.name, settled_work.made_with
        result = roll_check(act, team, settled_work, ready.due, "work", f"on {name}")
        choice = build_reroll_buttons(act, team, settled_work, result)
        telling = Telling(why=explain_checks(team, order=action.order, title=NAMES[skill]))
        if choice and result.net_ones:
            telling.lines += describe_reroll(worker, skill, result)
        else:
            new_task = advance(old_task, result)
            telling.follow(act, task_effects(partial(TASK.of, name), old_task, new_task))
            telling.lines += _progress(worker, name, old_task, new_task)
            telling.lines += list_gear_reminders(act, team, skill, lock=settled_work.purpose == "lock")
            telling.lines += describe_reroll(worker, skill, result) if choice else []
        relic_buttons = relics_for(act, team, settled_work, result)
        dice = team_dice(team, order=action.order) if not action.stands else []
        return finish(act, telling, dice, *choice, *relic_buttons)

    def chances(self, act: ActView, action: Work, ready: ReadyWork) -> Chances:
        task_now = ready.task
        odds = act.solve(work, task_now, ready.team.throws(order=action.order))
        rows: list[tuple[str, float]] = [("nothing", odds.chance(lambda task: task == task_now))]
        rows += [
            (
                f"{task_now.stored + n} of {task_now.needed}",
                odds.chance(lambda task, n=n: task.stored == task_now.stored + n),  # type: ignore[misc]
            )
            for n in range(1, min(task_now.needed - task_now.stored, 4))
        ]
        aim = ("done", odds.chance(lambda task: task.done))
        setback = odds.chance(lambda task: task.stored < task_now.stored or task.needed > task_now.needed)
        later_throws = ready.team.throws(order=False)
        done_odds = act.solve(
            done_within, task_now, ready.team.throws(order=action.order), later_throws, TRIES_SHOWN
        )
        rows += [aim, ("a setback", setback), (f"done within {TRIES_SHOWN} tries", done_odds.chance(bool))]
        return work_chances(act, ready.team, ready.asks, ready.asks.task.name, rows, aim)


def _write_task(encounter: Encounter, effort: Work) -> None:
    values: dict[TaskPart, int] = {
        "needed": effort.needed,
        "target": effort.target,
        "skill": WORK_SKILLS.index(effort.made_with),
    }
    values |= {"purpose": ("", *PURPOSES).index(effort.purpose or ""), "security": -effort.security}
    for part, value in values.items():
        set_counter(encounter.row.counters, TASK.of(effort.task.name, part), value)


def _progress(worker: Fighter, name: str, old_task: Task, new_task: Task) -> list[str]:
    progress = f"{new_task.stored} of {times(new_task.needed, 'success', 'successes')}"
    if new_task.done:
        return [f"{worker.name} finishes {name} ({progress})."]
    if new_task.needed > old_task.needed:
        return [
            f"{worker.name} suffers a setback on {name}: {progress}.",
            f"The task now needs {times(new_task.needed, 'success', 'successes')}.",
        ]
    if new_task.stored < old_task.stored:
        return [f"{worker.name} suffers a setback on {name}: {progress}."]
    return [f"{worker.name} works on {name}: {progress}."]


@handles(DropTask)
def drop_task(act: Act, action: DropTask) -> Reply:
    """Drop a task, by a player; undo restores it."""
    TASK.forget(act.encounter.row.counters, action.task.name)
    return finish(act, Telling([f"{action.task.name} is removed from the table."]))


@dataclass(frozen=True, slots=True)
class Treat(SkillAction):
    """Treat a living model.

    skill: Medicine, or Engineering for a machine.
    """

    command = "cb.treat"
    typed = "cb heal"
    said_first = ("worker", "patient", "helpers", "order", "odds")

    worker: Fighter = who("Model", called="model")
    patient: Fighter = anybody("Model to treat", names=wounded_models, needed=True, helps=True)

    def as_typed_action(self) -> Treat:
        return replace(self, skill="medicine")


@dataclass(frozen=True, slots=True)
class Repair(Treat):
    """Repair a machine."""

    command = "cb.repair"
    typed = "cb repair"

    skill: Skill | None = skill_field(default="engineering")
    worker: Fighter = who("Model", called="model")
    patient: Fighter = anybody("Machine to repair", names=wounded_models, needed=True, helps=True)

    def as_typed_action(self) -> Treat:
        return Treat(
            self.worker, "engineering", self.order, self.helpers, odds=self.odds, patient=self.patient
        )


@dataclass(frozen=True, slots=True)
class ReadyTreatment:
    """A treatment that may be tried, and what it costs."""

    team: Team
    patient: Fighter
    skill: Skill
    due: tuple[Effect, ...] = ()


@in_steps(Treat, also=(Repair,))
class Treating(Weighed[Treat, ReadyTreatment]):
    """One check: each success gives 1 Life back, a critical failure harms."""

    def prepare(self, act: ActView, action: Treat) -> ReadyTreatment:
        """Return who has wounds that can be cured, and who does it. Raises InvalidInput, Forbidden."""
        patient, skill = action.patient, action.skill or "medicine"
        if not curable(patient):
            raise InvalidInput(f"{patient.name} has not lost any Life, so it needs no help.")
        team = build_team(act, action, Job(skill, needed=curable(patient), patient=patient))
        settled = replace(action, skill=skill, odds=False)
        act.canonical = settled
        return ReadyTreatment(team, patient, skill, check_price(act, team, settled))

    def do(self, act: Act, action: Treat, ready: ReadyTreatment) -> Reply:
        team, patient, skill = ready.team, ready.patient, ready.skill
        worker, treatment = team.models[0], cast(Treat, act.canonical)
        label = "heal" if skill == "medicine" else "repair"
        result = roll_check(act, team, treatment, ready.due, label, patient.name)
        choice = build_reroll_buttons(act, team, treatment, result)
        telling = Telling(why=explain_checks(team, order=action.order, title=NAMES[skill]))
        if choice and result.net_ones:
            telling.lines += describe_reroll(worker, skill, result)
        else:
            _apply_treatment(act, telling, team, patient, result, skill)
            may_retry = ModelState(act.encounter.model(worker.id)).failed_check
            telling.lines += describe_reroll(worker, skill, result) if may_retry else []
            telling.lines += list_gear_reminders(act, team, skill)
        relic_buttons = relics_for(act, team, treatment, result)
        dice = team_dice(team, order=action.order) if not action.stands else []
        return finish(act, telling, dice, *choice, *relic_buttons)

    def chances(self, act: ActView, action: Treat, ready: ReadyTreatment) -> Chances:
        max_life = curable(ready.patient)
        odds = act.solve(treat, ready.team.throws(order=action.order), max_life)
        rows: list[tuple[str, float]] = [
            ("nothing", odds.chance(lambda got: not got.restored and not got.harmed))
        ]
        rows += [
            (f"{n} Life restored", odds.chance(lambda got, n=n: got.restored == n))  # type: ignore[misc]
            for n in range(1, min(max_life, 4) + 1)
        ]
        rows.append(("harm", odds.chance(lambda got: got.harmed > 0)))
        aim = ("Life restored", odds.chance(lambda got: got.restored > 0))
        return work_chances(act, ready.team, action, ready.patient.name, rows, aim)


def _apply_treatment(
    act: Act, telling: Telling, team: Team, patient: Fighter, result: CheckResult, skill: Skill
) -> None:
    treatment = Treatment(min(curable(patient), result.net), result.net_ones)
    telling.follow(act, after_treatment(patient, treatment, skill))
    patient_now = as_it_is(act, patient)
    worker, verb = team.models[0], "treats" if skill == "medicine" else "repairs"
    head = f"{worker.name} {verb} {'itself' if patient.id == worker.id else patient.name}"
    life_text = f"{patient_now.life_left} of {patient_now.profile.life} Life left"
    if treatment.harmed:
        telling.lines.append(f"{head} and causes {times(treatment.harmed, 'wound')}.")
        removed = act.encounter.model(patient.id).status == GONE
        telling.lines.append(
            f"{patient.name} is removed from play." if removed else f"{patient.name}: {life_text}."
        )
        return
    if not treatment.restored:
        telling.lines.append(f"{head} without success: {life_text}.")
        return
    telling.lines.append(f"{head}: {treatment.restored} Life restored, {life_text}.")
    if patient.is_down:
        moment = (
            "the next time its side's token is drawn" if may_still_act(patient_now) else "again next turn"
        )
        telling.lines.append(f"{patient.name} gets up and can act {moment}.")
