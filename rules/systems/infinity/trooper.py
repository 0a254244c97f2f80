"""A trooper in play as the rules see it, its Markers, Sixth Sense and Surprise Shot."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from rules.effects import Effect, Gain, Lose
from rules.modifiers import Modifier
from rules.refusals import Forbidden
from rules.systems.infinity.profile import Profile, Skill
from rules.systems.infinity.settings import DEFAULT, HelplessArmour, Settings


class Condition(StrEnum):
    """Conditions of a trooper that the table keeps."""

    UNCONSCIOUS = "unconscious"
    SPAWN_EMBRYO = "spawn_embryo"
    DOGGED = "dogged"
    NO_WOUND_INCAPACITATION = "no_wound_incapacitation"
    DEAD = "dead"
    PRONE = "prone"
    IMMOBILIZED = "immobilized"
    ISOLATED = "isolated"
    RETREAT = "retreat"
    TRANSMUTED = "transmuted"
    CLOSE_COMBAT = "close_combat"
    CAMOUFLAGED = "camouflaged"
    TO_CAMOUFLAGED = "to_camouflaged"
    IMPERSONATION = "impersonation"
    HIDDEN_DEPLOYMENT = "hidden_deployment"
    SURPRISE_USED = "surprise_used"


NULL = frozenset({Condition.UNCONSCIOUS, Condition.SPAWN_EMBRYO, Condition.DEAD})
"""Null states: no activation, no Orders. Rules: INF-WND-02, INF-SHA-01."""

MARKERS = frozenset({Condition.CAMOUFLAGED, Condition.TO_CAMOUFLAGED, Condition.IMPERSONATION})
"""States in which the figure is represented by a Marker."""

WORKS_UNCONSCIOUS = frozenset({Skill.REGENERATION, Skill.AUTOMEDIKIT, Skill.SHASVASTII})
"""Skills and equipment that a Null trooper keeps. Rules: INF-WND-02."""


@dataclass(frozen=True, slots=True)
class Trooper:
    """A trooper: ids are the table's; `lost` is points of Wounds or STR lost on the profile in use.

    deployed: on the table, as figure or Marker. lieutenant: its army's Lieutenant (private to its owner).
    conditions: (condition, value) pairs.
    """

    id: int
    side: int
    profile: Profile
    group: int = 1
    lost: int = 0
    conditions: frozenset[tuple[str, int]] = frozenset()
    lieutenant: bool = False
    deployed: bool = True

    def has(self, condition: str) -> bool:
        """Return whether the trooper is under the condition."""
        return any(kind == condition for kind, _ in self.conditions)

    @property
    def current(self) -> Profile:
        """Return the profile in use: the alternate one after Transmutation. Rules: INF-TRA-02."""
        if self.profile.alternate is not None and self.has(Condition.TRANSMUTED):
            return self.profile.alternate
        return self.profile

    @property
    def wounds(self) -> int:
        """Return the points of Wounds or STR left; below 0 for a Dead trooper. Rules: INF-ARM-03."""
        return self.current.wounds - self.lost

    @property
    def is_null(self) -> bool:
        """Return whether the trooper is in a Null state. Rules: INF-WND-02, INF-VAL-05, INF-VAL-10."""
        return any(kind in NULL for kind, _ in self.conditions)

    @property
    def is_marker(self) -> bool:
        """Return whether a Marker represents it."""
        return any(kind in MARKERS for kind, _ in self.conditions)

    @property
    def on_table(self) -> bool:
        """Return whether it is on the table as figure or Marker, and not Dead or in Hidden Deployment."""
        hidden = self.has(Condition.HIDDEN_DEPLOYMENT)
        return self.deployed and not hidden and not self.has(Condition.DEAD)

    def levels(self, skill: str, settings: Settings = DEFAULT) -> frozenset[int]:
        """Return the levels of a skill that work now; in a Null state only skills that work there.

        Rules: INF-WND-02, INF-LVL-01.
        """
        if self.is_null and skill not in WORKS_UNCONSCIOUS:
            return frozenset()
        return self.current.levels(skill, settings)

    def ignores_isolated(self, settings: Settings = DEFAULT) -> bool:
        """Return whether Isolated has no effect on it. Rules: INF-VET-03."""
        return 1 in self.levels(Skill.VETERAN, settings)

    def is_isolated(self, settings: Settings = DEFAULT) -> bool:
        """Return whether it suffers from Isolated. Rules: INF-ISO-01, INF-VET-03."""
        return self.has(Condition.ISOLATED) and not self.ignores_isolated(settings)

    def save_armour(self, *, bts: bool = False, settings: Settings = DEFAULT) -> int:
        """ARM, or BTS, of its saves, without Cover. Rules: INF-ARM-04, INF-WND-06, INF-SHA-05."""
        if bts:
            return self.current.bts
        helpless = self.has(Condition.UNCONSCIOUS) and not self.has(Condition.SPAWN_EMBRYO)
        if helpless and settings.unconscious_arm is HelplessArmour.ZERO:
            return 0
        return self.current.arm


ZONE_INCHES = 8
"""Reach of a Zone of Control. Rules: INF-ORD-06."""


class Handicap(StrEnum):
    """MODs that Sixth Sense may take away."""

    SURPRISE_SHOT = "surprise shot"
    SURPRISE_ATTACK = "surprise attack"
    ZERO_VISIBILITY = "zero visibility"
    BLIND_TEMPLATE = "template without line of fire"
    BLIND_REACTION = "attack without line of fire"


def in_zone(distance_inches: float) -> bool:
    """Return whether something at that distance is inside a Zone of Control; LoF does not matter.

    Rules: INF-ORD-06.
    """
    return 0 <= distance_inches <= ZONE_INCHES


def ignores(levels: frozenset[int], handicap: Handicap, distance_inches: float) -> bool:
    """Return whether the user of Sixth Sense ignores the handicap; distance is that to the attacker.

    Rules: INF-SIX-03, INF-SIX-04, INF-SIX-05, INF-SIX-07, INF-SIX-11, INF-SIX-12.
    """
    if 1 in levels and in_zone(distance_inches):
        return True
    return 2 in levels and handicap is not Handicap.SURPRISE_ATTACK


def visibility_modifier(amount: int) -> Modifier:
    """Return the MOD of low (-3) or poor (-6) visibility. Rules: INF-BS-06."""
    return Modifier(amount, "poor visibility" if amount <= -6 else "low visibility", "INF-BS-06")


def answers_unseen(levels: frozenset[int], distance_inches: float, *, attacked: bool) -> bool:
    """Return whether the user may answer with a Face to Face Roll, as if it faced an enemy it has no LoF
    to.

    attacked: the enemy's declared Skill is an Attack against the user; nothing else is answered so.
    Rules: INF-SIX-01, INF-SIX-02, INF-SIX-08, INF-SIX-09, INF-SIX-10.
    """
    return attacked and (2 in levels or (1 in levels and in_zone(distance_inches)))


_MARKER_NAMES: dict[str, str] = {
    Condition.CAMOUFLAGED: "a Camouflage Marker",
    Condition.TO_CAMOUFLAGED: "a TO Camouflage Marker",
    Condition.IMPERSONATION: "an Impersonation Marker",
}

_NEEDS: dict[str, tuple[Skill, ...]] = {
    Condition.CAMOUFLAGED: (Skill.CAMOUFLAGE, Skill.LIMITED_CAMOUFLAGE),
    Condition.TO_CAMOUFLAGED: (Skill.TO_CAMOUFLAGE,),
    Condition.IMPERSONATION: (Skill.IMPERSONATION,),
}


def reveal(trooper: Trooper) -> tuple[Effect, ...]:
    """Put the figure in place of its Marker, or place it from Hidden Deployment. Rules: INF-SEN-01."""
    states = sorted((*MARKERS, Condition.HIDDEN_DEPLOYMENT))
    return tuple(Lose(trooper.id, state) for state in states if trooper.has(state))


def become_marker(
    trooper: Trooper, state: Condition, sensors: Iterable[tuple[Trooper, float]] = ()
) -> tuple[Effect, ...]:
    """Put the trooper into a Marker state, which also restores its Surprise Shot.

    sensors: enemies with their distances in inches. Raises Forbidden without the skill, in a Null state, and
    for camouflage inside the Zone of Control of an enemy with Sensor.
    Rules: INF-SEN-04, INF-SS-04.
    """
    needed = _NEEDS.get(state)
    if needed is None or not any(trooper.levels(skill) for skill in needed):
        marker = _MARKER_NAMES.get(state, "a Marker")
        raise Forbidden(f"{trooper.current.name} can't become {marker}.", "INF-SS-02")
    if state is not Condition.IMPERSONATION:
        for enemy, distance in sensors:
            if enemy.levels(Skill.SENSOR) and in_zone(distance):
                sentence = "You can't go back into camouflage. An enemy with Sensor is within 8 in."
                raise Forbidden(sentence, "INF-SEN-04")
    spent = (Lose(trooper.id, Condition.SURPRISE_USED),) if trooper.has(Condition.SURPRISE_USED) else ()
    return (Gain(trooper.id, state), *spent)


PER_LEVEL = -3
ENABLING = (Skill.CAMOUFLAGE, Skill.LIMITED_CAMOUFLAGE, Skill.TO_CAMOUFLAGE, Skill.IMPERSONATION)
"""Skills one of which a Surprise Shot needs. Rules: INF-SS-01."""


def check_surprise_shot(trooper: Trooper, *, active: bool = True, allowed_otherwise: bool = False) -> None:
    """Raise Forbidden unless the trooper, as it was when it got the Order, may declare a Surprise Shot.

    allowed_otherwise: another skill of its own expressly allows it. Rules: INF-SS-01, INF-SS-02, INF-SS-04.
    """
    profile = trooper.current
    if not profile.has(Skill.SURPRISE_SHOT):
        raise Forbidden(
            f"{profile.name} can't make a Surprise Shot because it doesn't have the skill.", "INF-SS-01"
        )
    if not allowed_otherwise and not any(profile.has(skill) for skill in ENABLING):
        raise Forbidden(
            "A Surprise Shot also needs Camouflage, Limited Camouflage, TO Camouflage or Impersonation.",
            "INF-SS-01",
        )
    if not active:
        raise Forbidden("You can't make a Surprise Shot in ARO. It needs an Order.", "INF-SS-02")
    if trooper.has(Condition.SURPRISE_USED):
        raise Forbidden("Become a Marker again first. Your surprise has already been used.", "INF-SS-04")
    if not (trooper.is_marker or trooper.has(Condition.HIDDEN_DEPLOYMENT)):
        raise Forbidden(
            "You can only make a Surprise Shot as a Marker or from Hidden Deployment.", "INF-SS-02"
        )


def after_surprise_shot(trooper: Trooper) -> tuple[Effect, ...]:
    """Spend the surprise until the Marker state is regained. Rules: INF-SS-04."""
    return (Gain(trooper.id, Condition.SURPRISE_USED, until="marker"),)


def surprise_modifiers(
    level: int, distance_inches: float, *, opposed: bool, sixth_sense: frozenset[int] = frozenset()
) -> tuple[Modifier, ...]:
    """Return the MOD to an enemy's Attribute against a Surprise Shot of that Level (0: none) Face to Face.

    sixth_sense: Levels the enemy has; distance is that between the two.
    Rules: INF-SS-03, INF-SIX-04, INF-SIX-11.
    """
    if level <= 0 or not opposed or ignores(sixth_sense, Handicap.SURPRISE_SHOT, distance_inches):
        return ()
    return (Modifier(PER_LEVEL * level, "surprise shot", "INF-SS-03"),)
