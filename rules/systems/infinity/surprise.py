"""Surprise Shot: who may declare it, what it costs the enemy that answers, and that it is spent.

Owns no dice; the -3 is one MOD of the enemy's own roll.
"""

from __future__ import annotations

from rules.effects import Effect, Gain
from rules.modifiers import Modifier
from rules.refusals import Forbidden
from rules.systems.infinity.profile import Skill
from rules.systems.infinity.sixth_sense import Handicap, ignores
from rules.systems.infinity.trooper import Condition, Trooper

PER_LEVEL = -3
ENABLING = (Skill.CAMOUFLAGE, Skill.LIMITED_CAMOUFLAGE, Skill.TO_CAMOUFLAGE, Skill.IMPERSONATION)
"""Skills one of which a Surprise Shot needs. Rules: INF-SS-01."""


def check_surprise_shot(trooper: Trooper, *, active: bool = True, allowed_otherwise: bool = False) -> None:
    """Raise Forbidden unless the trooper, as it was when it got the Order, may declare a Surprise Shot.

    allowed_otherwise: another skill of its own expressly allows it. Rules: INF-SS-01, INF-SS-02, INF-SS-04.
    """
    profile = trooper.current
    if not profile.has(Skill.SURPRISE_SHOT):
        raise Forbidden(f"{profile.name} does not have Surprise Shot.", "INF-SS-01")
    if not allowed_otherwise and not any(profile.has(skill) for skill in ENABLING):
        raise Forbidden("Surprise Shot needs Camouflage, TO Camouflage or Impersonation.", "INF-SS-01")
    if not active:
        raise Forbidden("A Surprise Shot needs an Order: not in ARO.", "INF-SS-02")
    if trooper.has(Condition.SURPRISE_USED):
        raise Forbidden("The surprise is spent: become a Marker again first.", "INF-SS-04")
    if not (trooper.is_marker or trooper.has(Condition.HIDDEN_DEPLOYMENT)):
        raise Forbidden("A Surprise Shot starts as a Marker or from Hidden Deployment.", "INF-SS-02")


def after_surprise_shot(trooper: Trooper) -> tuple[Effect, ...]:
    """The surprise is spent until the Marker state is regained. Rules: INF-SS-04."""
    return (Gain(trooper.id, Condition.SURPRISE_USED, until="marker"),)


def surprise_modifiers(
    level: int, distance_inches: float, *, opposed: bool, sixth_sense: frozenset[int] = frozenset()
) -> tuple[Modifier, ...]:
    """MOD to the Attribute of the enemy that meets a Surprise Shot of that Level (0: none) Face to Face.

    sixth_sense: Levels the enemy has; distance is that between the two.
    Rules: INF-SS-03, INF-SIX-04, INF-SIX-11.
    """
    if level <= 0 or not opposed or ignores(sixth_sense, Handicap.SURPRISE_SHOT, distance_inches):
        return ()
    return (Modifier(PER_LEVEL * level, "surprise shot", "INF-SS-03"),)
