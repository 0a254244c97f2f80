"""Structures as the encounter keeps them: their kinds, and the names of those on the table."""

from __future__ import annotations

from bot.table.encounter import Encounter
from rules.counters import PerPart
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.tables import ChartRow

STRUCTURE = PerPart("structure:")


def kinds() -> tuple[ChartRow, ...]:
    """The kinds of structure, weakest first."""
    return tuple(load().charts["structures"].rows)


def structure_names(encounter: Encounter) -> list[str]:
    """The structures on the table, by name."""
    return STRUCTURE.things(encounter.row.counters)
