"""Discover: the WIP Roll that unmasks one Marker.

Owns its MODs; what a Marker hides and how it is revealed is in `markers`.
"""

from __future__ import annotations

from rules.modifiers import Modifier
from rules.systems.infinity.shooting import COVER_MOD, Hiding, hiding_modifiers

SENSOR_BONUS = 6


def discover_modifiers(
    hiding: Hiding, *, range_mod: int = 0, cover: bool = False, sensor: bool = False
) -> tuple[Modifier, ...]:
    """MODs to WIP of a Discover on a Marker; Sensor adds 6 against camouflage of either kind.

    range_mod: as the table's range chart for Discover gives it.
    Rules: INF-BS-05, INF-SEN-06.
    """
    found = [Modifier(range_mod, "range", "INF-SEN-06")] if range_mod else []
    if cover:
        found.append(Modifier(COVER_MOD, "target in cover", "INF-SEN-06"))
    found += hiding_modifiers(hiding)
    if sensor and hiding is not Hiding.NONE:
        found.append(Modifier(SENSOR_BONUS, "sensor", "INF-SEN-06"))
    return tuple(found)
