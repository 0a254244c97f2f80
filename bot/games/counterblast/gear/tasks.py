"""Work of several successes as the encounter keeps it, as counters `task:<name>:needed` and so on, by name.

Several models can work at it over several turns, and both sides see it grow.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from bot.table.encounter import Encounter
from bot.table.names import checked_name
from rules.counters import PerPart
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.profile import Skill
from rules.systems.counterblast.gear.skills import DEFAULT_TARGET, WORK_SKILLS, Purpose, Task, TaskPart

TASK: PerPart[TaskPart] = PerPart("task:")

PURPOSES: tuple[Purpose, ...] = ("objective", "salvage", "build", "lock")

MOST_TASKS = 20
LONGEST_TASK = 20


@dataclass(frozen=True, slots=True)
class TaskOn:
    """A task under its name. stands: what is done of it; None for one that nobody has begun."""

    name: str
    skill: Skill = "technology"
    target: int = DEFAULT_TARGET
    purpose: Purpose = ""
    security: int = 0
    stands: Task | None = None


def task_names(encounter: Encounter) -> list[str]:
    """The tasks on the table."""
    return TASK.things(encounter.row.counters)


def tasks_on(encounter: Encounter) -> list[TaskOn]:
    """The tasks on the table, as they stand."""
    return [task_of(encounter, name) for name in task_names(encounter)]


def task_of(encounter: Encounter, name: str) -> TaskOn:
    """The task of exactly this name."""
    count = partial(_count, encounter, name)
    return TaskOn(
        name,
        WORK_SKILLS[count("skill")],
        count("target"),
        ("", *PURPOSES)[count("purpose")],
        -count("security"),
        Task(count("needed"), count("stored")),
    )


def _count(encounter: Encounter, name: str, part: TaskPart) -> int:
    return encounter.count(TASK.of(name, part))


def task_meant(encounter: Encounter, text: str) -> TaskOn:
    """The task of this name, which may be a new one. Raises InvalidInput for what is no name of one."""
    wanted = " ".join(text.split()).casefold()
    known = {one.name.casefold(): one for one in tasks_on(encounter)}
    if wanted in known:
        return known[wanted]
    name = checked_name(text, "task")
    if len(name) > LONGEST_TASK:
        raise InvalidInput(f"A task's name has at most {LONGEST_TASK} letters.")
    if len(known) >= MOST_TASKS:
        raise InvalidInput(f"A table has at most {MOST_TASKS} tasks.")
    return TaskOn(name)
