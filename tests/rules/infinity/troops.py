"""Troopers for tests, from a line of text."""

from __future__ import annotations

from typing import Any

from rules.systems.infinity.profile_text import read_profile
from rules.systems.infinity.trooper import Trooper

FUSILIER = (
    "Fusilier: MOV 4-4, CC 13, BS 12, PH 10, WIP 12, ARM 1, W 1, COST 10;"
    " Combi Rifle B3 DAM 13 RANGE 8:+3 16:+3 32:-3 48:-6; Knife CC B1 DAM PH-1; Grenade B1 DAM 13 TEMPLATE"
)


def trooper(
    skills: str = "", *conditions: str, text: str = "", number: int = 1, side: int = 1, **fields: Any
) -> Trooper:
    """A Fusilier, or the text's trooper, with these skills and conditions."""
    profile = read_profile((text or FUSILIER) + (f"; Skills {skills}" if skills else ""))
    return Trooper(number, side, profile, conditions=frozenset((name, 0) for name in conditions), **fields)
