"""Structures as the encounter keeps them: their kinds, and the names of those on the table."""

from __future__ import annotations

from bot.table.encounter import Encounter
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.tables import ChartRow

STRUCTURE = "structure:"


def kinds() -> tuple[ChartRow, ...]:
    """The kinds of structure, weakest first."""
    return tuple(load().charts["structures"].rows)


def structure_names(encounter: Encounter) -> list[str]:
    """The structures on the table, by name."""
    keys = sorted(encounter.row.counters)
    return [key.split(":")[1] for key in keys if key.startswith(STRUCTURE) and key.endswith(":kind")]
