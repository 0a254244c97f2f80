"""The readings of the rules that a group may change, with the defaults this package chooses.

Owns nothing else: a house rule is a field here, never a subclass.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class HelplessArmour(StrEnum):
    """Which ARM an Unconscious trooper saves with."""

    PROFILE = "profile"
    ZERO = "zero"


class SixthSenseDelay(StrEnum):
    """The fate of a held ARO against a Marker that stays a Marker."""

    KEPT = "kept"
    LOST_IF_UNREVEALED = "lost_if_unrevealed"


class SuperJumpFall(StrEnum):
    """The point from which a Super-Jumper's fall is measured: the end of its jump, or the edge it left."""

    AFTER_JUMP = "after_jump"
    TOTAL_DROP = "total_drop"


@dataclass(frozen=True, slots=True)
class Settings:
    """Readings in force at a table.

    mod_cap: most that all MODs of one roll may add or take. blind_reaction: MOD to PH of who reacts to
    an attack from outside its LoF. max_group: troopers in one Combat Group. cumulative_levels: Strategos,
    Sixth Sense, Valor and Veteran bring their lower Levels along. coup_de_grace: a CC Attack kills a
    helpless trooper without a roll.
    Rules: INF-ROLL-02, INF-BS-07, INF-WND-05, INF-WND-06, INF-ORD-01, INF-SIX-06, INF-LVL-01, INF-SJ-06.
    """

    mod_cap: int = 12
    blind_reaction: int = -3
    max_group: int = 10
    cumulative_levels: bool = True
    coup_de_grace: bool = True
    unconscious_arm: HelplessArmour = HelplessArmour.PROFILE
    sixth_sense_delay: SixthSenseDelay = SixthSenseDelay.KEPT
    superjump_fall: SuperJumpFall = SuperJumpFall.AFTER_JUMP


DEFAULT = Settings()
"""The default settings."""
