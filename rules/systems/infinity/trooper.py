"""A trooper in play as the rules see it: a frozen view that the table builds from its own records.

Owns the words for conditions and what follows from them at once (Null, Marker, current profile).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

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
"""States in which a Marker stands for the figure."""

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
        """Whether the trooper is under the condition."""
        return any(kind == condition for kind, _ in self.conditions)

    @property
    def current(self) -> Profile:
        """The profile in use: the alternate one after Transmutation. Rules: INF-TRA-02."""
        if self.profile.alternate is not None and self.has(Condition.TRANSMUTED):
            return self.profile.alternate
        return self.profile

    @property
    def wounds(self) -> int:
        """Points of Wounds or STR left; below 0 for a Dead trooper. Rules: INF-ARM-03."""
        return self.current.wounds - self.lost

    @property
    def is_null(self) -> bool:
        """Whether the trooper is in a Null state. Rules: INF-WND-02, INF-VAL-05, INF-VAL-10."""
        return any(kind in NULL for kind, _ in self.conditions)

    @property
    def is_marker(self) -> bool:
        """Whether a Marker stands for it."""
        return any(kind in MARKERS for kind, _ in self.conditions)

    @property
    def on_table(self) -> bool:
        """Deployed, as figure or Marker, and not Dead; Hidden Deployment is not on the table."""
        hidden = self.has(Condition.HIDDEN_DEPLOYMENT)
        return self.deployed and not hidden and not self.has(Condition.DEAD)

    def levels(self, skill: str, settings: Settings = DEFAULT) -> frozenset[int]:
        """Levels of a skill that work now: none in a Null state, but for what works there too.

        Rules: INF-WND-02, INF-LVL-01.
        """
        if self.is_null and skill not in WORKS_UNCONSCIOUS:
            return frozenset()
        return self.current.levels(skill, settings)

    def ignores_isolated(self, settings: Settings = DEFAULT) -> bool:
        """Whether Isolated has no effect on it. Rules: INF-VET-03."""
        return 1 in self.levels(Skill.VETERAN, settings)

    def is_isolated(self, settings: Settings = DEFAULT) -> bool:
        """Whether it suffers from Isolated. Rules: INF-ISO-01, INF-VET-03."""
        return self.has(Condition.ISOLATED) and not self.ignores_isolated(settings)

    def save_armour(self, *, bts: bool = False, settings: Settings = DEFAULT) -> int:
        """ARM, or BTS, of its saves, without Cover. Rules: INF-ARM-04, INF-WND-06, INF-SHA-05."""
        if bts:
            return self.current.bts
        helpless = self.has(Condition.UNCONSCIOUS) and not self.has(Condition.SPAWN_EMBRYO)
        if helpless and settings.unconscious_arm is HelplessArmour.ZERO:
            return 0
        return self.current.arm
