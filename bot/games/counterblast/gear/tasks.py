"""Work of several successes as the encounter keeps it: the names of the tasks on the table."""

from __future__ import annotations

from bot.table.encounter import Encounter

TASK = "task:"


def task_names(encounter: Encounter) -> list[str]:
    """The tasks on the table."""
    keys = encounter.row.counters
    return [key.split(":")[1] for key in sorted(keys) if key.startswith(TASK) and key.endswith(":needed")]
