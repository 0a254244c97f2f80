"""Manoeuvres: dodging past an opponent, and Checks against fixed Target Numbers.

Owns how both are prepared and what they come to.
"""

from __future__ import annotations

from rules.modifiers import Modifier
from rules.refusals import InvalidInput
from rules.systems.fracd_earth.draws import Prepared, prepare
from rules.systems.fracd_earth.general import general_modifiers
from rules.systems.fracd_earth.outcome import ChallengeResult
from rules.systems.fracd_earth.profile import Figure
from rules.systems.fracd_earth.settings import Settings
from rules.systems.fracd_earth.weapons import ARMOUR, VERSUS

OPPOSED = ("manv", *(name for name in VERSUS if name not in ARMOUR))


def side(
    figure: Figure,
    settings: Settings,
    *,
    trait: str = "manv",
    skill: str = "",
    marks: tuple[Modifier, ...] = (),
) -> Prepared:
    """One side of a Manoeuvre Challenge, or a Manoeuvre Check: Manv or an Attribute. Raises InvalidInput.

    Rules: FE-MAN-01, FE-MAN-02.
    """
    if trait not in OPPOSED:
        raise InvalidInput(f"A Manoeuvre uses one of {', '.join(OPPOSED)}.")
    found = general_modifiers(figure, trait, settings, skill=skill).plus(*marks)
    return prepare(found.marks, found.points, settings)


def gets_past(result: ChallengeResult) -> bool:
    """Whether the mover, the active side, gets past: it must score higher. Rules: FE-MAN-01."""
    return result.margin > 0
