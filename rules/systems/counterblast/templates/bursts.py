"""Bursts around a model, by Feature or carried: which a model has, and how often it may make them.

Owns the step from the Feature to the chart's weapon and the limit of an encounter; a burst is rolled as any
template by `templates`.
"""

from __future__ import annotations

from rules.effects import Assign, Effect
from rules.refusals import forbid
from rules.systems.counterblast.core.fighter import Counter, Fighter
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import SIZES, Profile, Weapon

BY_LEVEL: dict[str, tuple[str, str, str]] = {
    "emp_burst": ("emp_burst_r4", "emp_burst_r8", "emp_burst_r12"),
    "neuro_pulse": ("neuro_pulse_r4", "neuro_pulse_r8", "neuro_pulse_r12"),
}
"""The chart's weapon for each level of the Feature: 2, 4 or 6 in around the model."""


def bursts_of(profile: Profile) -> tuple[Weapon, ...]:
    """The bursts that a model makes by its Features: by the level bought, else by its base.

    Rules: CB-FEAT-24, CB-FEAT-62.
    """
    levels = {trait.key: trait.level for trait in profile.features if trait.key in BY_LEVEL}
    return tuple(
        load().weapons[BY_LEVEL[key][min(3, level or SIZES.index(profile.size) + 1) - 1]]
        for key, level in levels.items()
    )


def is_burst(weapon: Weapon) -> bool:
    """Whether it goes off around its bearer, who is not hit by it. Rules: CB-FEAT-24."""
    return "burst" in weapon.deliveries


def require_burst(firer: Fighter, weapon: Weapon) -> None:
    """Refuse, with Forbidden, a second EMP Burst in an encounter; a Neuro Pulse has no such limit.

    Rules: CB-FEAT-24, CB-FEAT-62.
    """
    if is_burst(weapon) and weapon.has_effect("emp") and firer.count(Counter.BURST):
        forbid(f"{firer.name} has made its EMP Burst in this encounter.", "CB-FEAT-24")


def after_burst(firer: Fighter, weapon: Weapon) -> tuple[Effect, ...]:
    """An EMP Burst is used up for the encounter. Rules: CB-FEAT-24."""
    if is_burst(weapon) and weapon.has_effect("emp"):
        return (Assign("model", firer.id, Counter.BURST, 1),)
    return ()
