"""Camouflaged, TO and Impersonation Markers and Hidden Deployment: states whose truth only the owner sees.

Owns how a Marker is revealed and when it may be taken up again; what each side is shown is the table's.
"""

from __future__ import annotations

from collections.abc import Iterable

from rules.effects import Effect, Gain, Lose
from rules.refusals import Forbidden
from rules.systems.infinity.profile import Skill
from rules.systems.infinity.sixth_sense import in_zone
from rules.systems.infinity.trooper import MARKERS, Condition, Trooper

_NEEDS: dict[str, tuple[Skill, ...]] = {
    Condition.CAMOUFLAGED: (Skill.CAMOUFLAGE, Skill.LIMITED_CAMOUFLAGE),
    Condition.TO_CAMOUFLAGED: (Skill.TO_CAMOUFLAGE,),
    Condition.IMPERSONATION: (Skill.IMPERSONATION,),
}


def reveal(trooper: Trooper) -> tuple[Effect, ...]:
    """The figure takes the place of its Marker, or is placed from Hidden Deployment. Rules: INF-SEN-01."""
    states = sorted((*MARKERS, Condition.HIDDEN_DEPLOYMENT))
    return tuple(Lose(trooper.id, state) for state in states if trooper.has(state))


def become_marker(
    trooper: Trooper, state: Condition, sensors: Iterable[tuple[Trooper, float]] = ()
) -> tuple[Effect, ...]:
    """The trooper (re)enters a Marker state, which also gives it its Surprise Shot back.

    sensors: enemies with their distances in inches. Raises Forbidden without the skill, in a Null state, and
    for camouflage inside the Zone of Control of an enemy with Sensor.
    Rules: INF-SEN-04, INF-SS-04.
    """
    needed = _NEEDS.get(state)
    if needed is None or not any(trooper.levels(skill) for skill in needed):
        raise Forbidden(f"{trooper.current.name} cannot become {state.replace('_', ' ')}.", "INF-SS-02")
    if state is not Condition.IMPERSONATION:
        for enemy, distance in sensors:
            if enemy.levels(Skill.SENSOR) and in_zone(distance):
                sentence = "An enemy with Sensor is within 8 in: no return to camouflage."
                raise Forbidden(sentence, "INF-SEN-04")
    spent = (Lose(trooper.id, Condition.SURPRISE_USED),) if trooper.has(Condition.SURPRISE_USED) else ()
    return (Gain(trooper.id, state), *spent)
