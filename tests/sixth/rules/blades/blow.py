"""The blow: one die against the other's guard. Rules: BL-BLOW-01, BL-BLOW-02, BL-GUARD-01."""

from __future__ import annotations

from dataclasses import dataclass

from rules.dice import Dice
from rules.refusals import Forbidden

LIFE = 3
"""Wounds that a figure takes before it is down."""

NEEDED = 4
GUARDED = 5
DEEP = 6
"""The face that wounds twice."""


@dataclass(frozen=True, slots=True)
class Blow:
    """A blow that may be struck. needed: the least face that hits, 4 or 5."""

    needed: int


def prepare_blow(*, struck: bool, guarded: bool) -> Blow:
    """A blow at somebody. Raises Forbidden for who has struck this turn. Rules: BL-BLOW-01, BL-GUARD-01."""
    if struck:
        raise Forbidden("It has struck this turn.", "BL-BLOW-01")
    return Blow(GUARDED if guarded else NEEDED)


def strike(dice: Dice, blow: Blow) -> int:
    """Wounds of a blow: 0, 1, or 2 for a six. Rules: BL-BLOW-02."""
    face = dice.face(6, "blow")
    return 0 if face < blow.needed else 1 + (face == DEEP)
