"""Who is safe from which danger of the ground, the air and the fire, and why.

Owns the one question; what a danger does to the unprotected stands in `burning`, `hazards`, `environment`.
"""

from __future__ import annotations

from typing import Literal

from rules.systems.counterblast.core.fighter import Condition, Fighter

Danger = Literal["burning", "acid", "dangerous", "heat_or_cold", "toxic", "vacuum", "deep_water"]

_COVERED_BY: dict[Danger, frozenset[str]] = {
    "burning": frozenset({"burning"}),
    "acid": frozenset({"acid", "dangerous"}),
    "dangerous": frozenset({"dangerous"}),
    "heat_or_cold": frozenset({"dangerous"}),
    "toxic": frozenset({"toxic", "dangerous"}),
    "vacuum": frozenset({"vacuum"}),
    "deep_water": frozenset({"deep_water", "vacuum"}),
}
"""Which protections named by gear help against a danger: a sealed suit is proof against all but slipping."""

_WARDED: frozenset[Danger] = frozenset({"burning", "acid", "toxic"})
"""Dangers that the Force Field power keeps off."""


def protection(model: Fighter, danger: Danger) -> str:
    """What keeps a danger off the model, in a few words; empty when nothing does.

    Robots ignore all of them but burning. Gear that works protects by what it names; the Force Field power
    keeps off fire, acid and toxins; Aquatic models breathe under water.
    Rules: CB-BURN-09, CB-TERR-10, CB-HAZ-06, CB-ENV-06, CB-ENV-09, CB-ENV-10, CB-BUILD-13, CB-GEAR-15,
    CB-GEAR-09, CB-GEAR-19, CB-GEAR-24, CB-FEAT-03.
    """
    if model.profile.is_robot and danger != "burning":
        return "Robot"
    if danger == "deep_water" and model.has_feature("aquatic"):
        return "Aquatic"
    for item in model.gear:
        fits = item.key != "respirator" or model.profile.is_living
        if fits and model.works(item.key) and _COVERED_BY[danger] & set(item.protects):
            return item.name
    if danger in _WARDED and model.has(Condition.WARDED):
        return "Force Field"
    return ""
