"""Work of several successes at the table.

A task is kept as counters of the encounter, `task:<name>:needed` and so on, so that several models can work
at it over several turns, and both sides see it grow.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, cast

from bot.actions import Action
from bot.games.counterblast.core.rolls import asked, finish, ref, require_between
from bot.games.counterblast.core.telling import Telling
from bot.games.counterblast.gear.suggestions import any_task
from bot.games.counterblast.gear.tasks import TASK, task_names
from bot.games.counterblast.gear.teams import (
    SkillAction,
    Team,
    check_price,
    relics_for,
    reminder,
    rolled,
    second_chance,
    skill_named,
    team_dice,
    team_of,
    told_why,
    waits,
    work_chances,
)
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.asking import fields, offering
from bot.table.encounter import Encounter, set_counter
from bot.table.handlers import handles
from bot.table.names import checked_name, find
from bot.table.steps import Chances, Weighed, in_steps
from rules.effects import Effect
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.profile import Skill
from rules.systems.counterblast.gear.skills import (
    DEFAULT_TARGET,
    NAMES,
    WORK_SKILLS,
    Job,
    Purpose,
    Task,
    advance,
    task_effects,
    work,
)

MOST_TASKS = 20
LONGEST_TASK = 20
PURPOSES: tuple[str, ...] = ("objective", "salvage", "build", "lock")
LOWEST_SECURITY = -5
SKILLS = ("technology", "engineering", "medicine")


@dataclass(frozen=True, slots=True)
class Work(SkillAction):
    """Work at a task; successes add up.

    A name that is new begins one; all but the worker counts for a new one only. security: penalty of a
    high-security lock, 0 to -5. drop: typed, to take the task off the table.
    """

    command = "cb.work"
    typed = "cb tech"
    titled = "Work at a task"
    said_first: ClassVar[tuple[str, ...]] = (
        *("worker", "task", "skill", "target", "needed", "purpose"),
        *("helpers", "drop", "order", "odds"),
    )

    worker: str = fields.words("Who works", offering.own_model, needed=True, called="model")
    skill: str = fields.word_of("Of a new task", SKILLS)
    task: str = fields.words("Its name; a new one begins it", any_task, needed=True)
    target: int = fields.whole("Of a new task, 7", 2, 15, default=0)
    needed: int = fields.whole("Successes of a new task, 1", 1, 50, default=0)
    purpose: str = fields.word_of("What for", PURPOSES)
    security: int = 0
    drop: bool = fields.switch("Take the task off the table")

    def when_typed(self) -> Action:
        """Work, or the end of the task."""
        return DropTask(self.task) if self.drop else self


@dataclass(frozen=True, slots=True)
class Unlock(Work):
    """Open a locked door with Technology.

    mechanical: typed, for a lock that no lockpick helps with.
    """

    command = "cb.unlock"
    typed = "gear unlock"
    titled = "Open a lock"
    said_first = ("worker", "task", "target", "security", "mechanical", "helpers", "order", "odds")

    worker: str = fields.words("Who", offering.own_model, needed=True, called="model")
    skill: str = "technology"
    task: str = fields.words("Its name; a new one begins it", any_task, default="Door", called="door")
    target: int = fields.whole("Of a new lock, 7", 2, 15, default=0)
    needed: int = 0
    purpose: str = "lock"
    security: int = fields.whole("Penalty of a high-security lock", LOWEST_SECURITY, 0, default=0)
    drop: bool = False
    mechanical: bool = fields.switch("Purely mechanical: no lockpick")

    def when_typed(self) -> Work:
        """Work at a task that is a lock."""
        purpose = "" if self.mechanical else self.purpose
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
    """Take a task off the table."""

    command = "cb.task.drop"

    task: str = ""


def task_of(encounter: Encounter, name: str) -> Task:
    """A task as it stands."""
    count = encounter.count
    return Task(count(TASK.of(name, "needed")), count(TASK.of(name, "stored")))


def task_lines(encounter: Encounter) -> list[str]:
    """Every task with what is done and what it needs."""
    lines = []
    for name in task_names(encounter):
        task = task_of(encounter, name)
        skill = NAMES[WORK_SKILLS[encounter.count(TASK.of(name, "skill"))]]
        target = encounter.count(TASK.of(name, "target"))
        purpose = _purpose(encounter, name)
        what = f" ({purpose})" if purpose else ""
        lines.append(f"{name}{what}: {task.stored} of {task.needed}, {skill} vs {target}")
    return lines


def _purpose(encounter: Encounter, name: str) -> str:
    """What a task is for, empty for nothing in particular."""
    return ("", *PURPOSES)[encounter.count(TASK.of(name, "purpose"))]


def _settled(encounter: Encounter, action: Work) -> tuple[Work, bool]:
    """The action with the task's own skill, target and need; and whether the task is new."""
    wanted = " ".join(action.task.split()).casefold()
    known = {name.casefold(): name for name in task_names(encounter)}
    if wanted in known:
        name = known[wanted]
        skill = WORK_SKILLS[encounter.count(TASK.of(name, "skill"))]
        target = encounter.count(TASK.of(name, "target"))
        known_task = replace(action, task=name, skill=skill, target=target, needed=0)
        security = -encounter.count(TASK.of(name, "security"))
        return replace(known_task, purpose=_purpose(encounter, name), security=security), False
    name = checked_name(action.task, "task")
    if len(name) > LONGEST_TASK:
        raise InvalidInput(f"A task's name has at most {LONGEST_TASK} letters.")
    if len(known) >= MOST_TASKS:
        raise InvalidInput(f"A table has at most {MOST_TASKS} tasks.")
    skill = skill_named(action.skill or "technology")
    target, needed = action.target or DEFAULT_TARGET, action.needed or 1
    return replace(action, task=name, skill=skill, target=target, needed=needed), True


@dataclass(frozen=True, slots=True)
class ReadyWork:
    """Work that may be tried, and what it costs. task: as it stands. new: nobody has named it before."""

    team: Team
    asks: Work
    task: Task
    new: bool
    due: tuple[Effect, ...] = ()


@in_steps(Work, also=(Unlock,))
class Working(Weighed[Work, ReadyWork]):
    """One check at a task: successes are stored, a critical failure sets it back."""

    def prepare(self, act: Act, action: Work) -> ReadyWork:
        """The task, which may be a new one, and who works at it. Raises InvalidInput, Forbidden."""
        encounter = act.encounter
        worker = asked(act, action.worker)
        asks, new = _settled(encounter, action)
        if asks.purpose and asks.purpose not in PURPOSES:
            raise InvalidInput(f"Purposes: {', '.join(PURPOSES)}.")
        require_between(asks.security, LOWEST_SECURITY, 0, "Penalty of the lock")
        before = Task(asks.needed) if new else task_of(encounter, asks.task)
        if before.done:
            raise InvalidInput(f"{asks.task} is done.")
        left = before.needed - before.stored
        purpose = cast(Purpose, asks.purpose)
        job = Job(cast(Skill, asks.skill), asks.target, left, purpose=purpose, security=asks.security)
        team = team_of(act, worker, action.helpers, job)
        helpers = tuple(ref(model) for model in team.models[1:])
        asks = replace(asks, worker=ref(worker), helpers=helpers, odds=False)
        act.canonical = asks
        return ReadyWork(team, asks, before, new, check_price(act, team, asks))

    def do(self, act: Act, action: Work, ready: ReadyWork) -> Reply:
        """The check, which may be rolled again before a critical failure counts."""
        if ready.new:
            _write_task(act.encounter, ready.asks)
        team, before, asks = ready.team, ready.task, replace(ready.asks, needed=0)
        worker = team.models[0]
        result = rolled(act, team, asks, ready.due, "work", f"on {asks.task}")
        choice = second_chance(act, team, asks, result)
        telling = Telling(why=told_why(team, order=action.order, title=NAMES[asks.skill]))
        if choice and result.net_ones:
            telling.lines += waits(worker, asks.skill, result)
        else:
            after = advance(before, result)
            telling.follow(act, task_effects(partial(TASK.of, asks.task), before, after))
            telling.lines += _progress(worker, asks.task, before, after)
            telling.lines += reminder(act, team, asks.skill, lock=asks.purpose == "lock")
            telling.lines += waits(worker, asks.skill, result) if choice else []
        more = relics_for(act, team, asks, result)
        dice = team_dice(team, order=action.order) if not action.stands else []
        return finish(act, telling, dice, *choice, *more)

    def chances(self, act: Act, action: Work, ready: ReadyWork) -> Chances:
        """How far the task gets, or is set back."""
        before = ready.task
        odds = act.solve(work, before, ready.team.throws(order=action.order))
        shown: list[tuple[str, float]] = [("nothing", odds.chance(lambda task: task == before))]
        shown += [
            (
                f"{before.stored + n} of {before.needed}",
                odds.chance(lambda task, n=n: task.stored == before.stored + n),  # type: ignore[misc]
            )
            for n in range(1, min(before.needed - before.stored, 4))
        ]
        aim = ("done", odds.chance(lambda task: task.done))
        back = odds.chance(lambda task: task.stored < before.stored or task.needed > before.needed)
        shown += [aim, ("set back", back)]
        return work_chances(act, ready.team, ready.asks, ready.asks.task, shown, aim)


def _write_task(encounter: Encounter, asks: Work) -> None:
    values = {"needed": asks.needed, "target": asks.target, "skill": WORK_SKILLS.index(cast(Any, asks.skill))}
    values |= {"purpose": ("", *PURPOSES).index(asks.purpose), "security": -asks.security}
    for name, value in values.items():
        set_counter(encounter.row.counters, TASK.of(asks.task, name), value)


def _progress(worker: Fighter, name: str, before: Task, after: Task) -> list[str]:
    stands = f"{after.stored} of {after.needed}"
    if after.done:
        return [f"{worker.name}: {name} is done ({stands})."]
    if after.needed > before.needed:
        return [f"{worker.name}: {name} is set back, {stands}.", f"It needs {after.needed} from now on."]
    if after.stored < before.stored:
        return [f"{worker.name}: {name} is set back, {stands}."]
    return [f"{worker.name} works on {name}: {stands}."]


@handles(DropTask)
def drop_task(act: Act, action: DropTask) -> Reply:
    """By a player; undo brings it back."""
    act.require_player()
    encounter = act.encounter
    name = find(action.task, task_names(encounter), str, "task")
    TASK.forget(encounter.row.counters, name)
    return finish(act, Telling([f"{name} is off the table."]))
