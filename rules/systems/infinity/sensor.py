"""Sensor: one WIP Roll that finds every hidden enemy in an area.

Owns the area, the roll's MODs and what is found; Triangulated Fire is a mode of `shooting`.
"""

from __future__ import annotations

from collections.abc import Iterable

from rules.effects import Effect
from rules.modifiers import Modifier
from rules.refusals import Forbidden
from rules.systems.infinity.discover import SENSOR_BONUS
from rules.systems.infinity.markers import reveal
from rules.systems.infinity.profile import Skill
from rules.systems.infinity.sixth_sense import in_zone
from rules.systems.infinity.trooper import Condition, Trooper

FOUND = (Condition.HIDDEN_DEPLOYMENT, Condition.CAMOUFLAGED, Condition.TO_CAMOUFLAGED)
"""States that Sensor ends. Rules: INF-SEN-01."""


def check_sensor(user: Trooper) -> None:
    """Raise Forbidden unless the trooper can declare Sensor; no target is needed, and it may be repeated.

    Rules: INF-SEN-01, INF-SEN-02, INF-SEN-03.
    """
    if not user.levels(Skill.SENSOR):
        raise Forbidden(f"{user.current.name} cannot use Sensor now.", "INF-SEN-01")


def sensor_modifiers(others: Iterable[Modifier] = ()) -> tuple[Modifier, ...]:
    """MODs to WIP: +6, and the user's other MODs; range and camouflage do not count. Rules: INF-SEN-01."""
    return (Modifier(SENSOR_BONUS, "sensor", "INF-SEN-01"), *others)


def in_sensor_area(distance_inches: float, sniffer_distances: Iterable[float] = ()) -> bool:
    """Whether something is in the area: within 8 in of the user or of an allied Sniffer.

    Rules: INF-SEN-05, INF-ORD-06.
    """
    return any(in_zone(distance) for distance in (distance_inches, *sniffer_distances))


def after_sensor(found: Iterable[Trooper]) -> tuple[Effect, ...]:
    """What a successful Sensor does to the enemies inside its area: all that hide are revealed at once.

    Impersonation is not found by it. Rules: INF-SEN-01.
    """
    hiding = (trooper for trooper in found if any(trooper.has(state) for state in FOUND))
    return tuple(effect for trooper in hiding for effect in reveal(trooper))
