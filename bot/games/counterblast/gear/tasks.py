"""Work of several successes as the encounter keeps it: the names of the tasks on the table."""

from __future__ import annotations

from bot.table.encounter import Encounter
from rules.counters import PerPart

TASK = PerPart("task:")


def task_names(encounter: Encounter) -> list[str]:
    """The tasks on the table."""
    return TASK.things(encounter.row.counters)
