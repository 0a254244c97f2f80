"""What holds for the whole table, or for one model in water: darkness, vacuum, water, gravity, climate.

Kept as counters of the encounter and of models; what they do is decided by the rules that ask.
"""

from __future__ import annotations

from bot.table.encounter import Encounter
from rules.counters import CounterName
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.movement.environment import water

DARK, VACUUM, UNDERWATER = CounterName("dark"), CounterName("vacuum"), CounterName("underwater")
"""Counters of the encounter: no light, no air, all of it under water."""

GRAVITY = CounterName("low gravity")
"""Counter of the encounter: its Low Gravity rating, 0 to 3."""

CLIMATE = CounterName("heat or cold")
"""Counter of the encounter: grade of severe heat or cold, 0 to 3."""

CHILL, CHILLED = CounterName("heat or cold here"), CounterName("heat or cold in turn")
"""Counters of a model: the grade of the severe heat or cold where it is, and the turn of its last test."""

DEPTH, TALL, SINCE = (
    CounterName("water depth"),
    CounterName("tall in water"),
    CounterName("under water since"),
)
"""Counters of a model in water, in tenths of an inch: the depth, its own height; the turn it went under."""

FATHOM = 600
"""Depth in tenths of an inch of a table that lies under water."""

NAMES = {
    DARK: "dark",
    VACUUM: "vacuum",
    UNDERWATER: "under water",
    GRAVITY: "low gravity",
    CLIMATE: "severe heat or cold",
}


def depth_of(encounter: Encounter, model: Fighter) -> tuple[float, float]:
    """Depth of the water that a model is in and the model's height, both in inches; 0 on dry ground."""
    if encounter.count(UNDERWATER):
        return FATHOM / 10, 1.0
    return model.count(DEPTH) / 10, model.count(TALL) / 10


def gravity_here(encounter: Encounter, model: Fighter) -> int:
    """The Low Gravity rating where the model is: the table's, or that of deep water."""
    depth, tall = depth_of(encounter, model)
    return max(encounter.count(GRAVITY), water(model, depth, tall).gravity if depth else 0)


def climate_here(encounter: Encounter, model: Fighter) -> int:
    """The grade of heat or cold that a model is in: the table's, or that of the area of this turn's test.

    Rules: CB-HAZ-04.
    """
    fresh = model.count(CHILLED) == max(1, encounter.row.turn)
    return max(encounter.count(CLIMATE), model.count(CHILL) if fresh else 0)


def went_under(encounter: Encounter, model: Fighter) -> int | None:
    """The turn in which the model was covered by water, None while it has air."""
    table = encounter.count(UNDERWATER)
    since = model.count(SINCE)
    return table or since or None


def airless(encounter: Encounter, model: Fighter) -> bool:
    """Whether the model is under water, alone or with the whole table. Rules: CB-WEAP-25, CB-WEAP-33."""
    return went_under(encounter, model) is not None


def mark_lines(encounter: Encounter) -> list[str]:
    """What holds for the whole table."""
    lines = []
    for key, name in NAMES.items():
        value = encounter.count(key)
        if value:
            lines.append(f"{name} [{value}]" if key in (GRAVITY, CLIMATE) else name)
    return lines
