"""What players measure and see, in their words: how far, behind what cover, over what ground."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import cast

from bot.games.warzone.core.words import narrow
from rules.refusals import InvalidInput
from rules.systems.warzone.ranged import Cover
from rules.systems.warzone.tables import TERRAINS, Terrain

BANDS_END = {"pb": 6.0, "sr": 12.0, "mr": 24.0, "lr": 36.0, "er": 48.0}
"""Inches that stand for a range band named instead of a distance."""

COVER_WORDS: dict[Cover, str] = {
    "obscured": "obscured",
    "soft": "soft cover",
    "hard": "hard cover",
    "impenetrable": "impenetrable cover",
}
COVERS: tuple[Cover, ...] = tuple(COVER_WORDS)


@dataclass(frozen=True, slots=True)
class Reach:
    """How far a target is. band: named instead of the distance, of which its far end then counts."""

    inches: float
    band: str = ""

    def __str__(self) -> str:
        return self.band or f"{self.inches:g}"


def parse_reach(text: str) -> Reach:
    """A number of inches, or the name of a range band. Raises InvalidInput."""
    word = text.strip().lower().removesuffix("in").strip()
    if word in BANDS_END:
        return Reach(BANDS_END[word], word.upper())
    try:
        inches = float(word.replace(",", "."))
    except ValueError:
        inches = -1.0
    if not 0 <= inches <= 1000:
        raise InvalidInput("Give the distance in inches, or its band: PB, SR, MR, LR or ER.")
    return Reach(inches)


def parse_cover(text: str) -> frozenset[Cover]:
    """What the target is in: none, or of COVERS, several with + between. Raises InvalidInput."""
    words = [word.strip().lower() for word in text.split("+")]
    if words in ([""], ["none"]):
        return frozenset()
    found = frozenset(cover for cover in COVERS if cover in words)
    if len(found) != len(set(words)):
        raise InvalidInput(f"Cover is none, {', '.join(COVERS)}; several with + between.")
    return found


def cover_said(covers: Collection[Cover]) -> str:
    """Cover as `parse_cover` reads it."""
    return "+".join(cover for cover in COVERS if cover in covers) or "none"


def parse_ground(text: str) -> frozenset[Terrain]:
    """Kinds of terrain with + or commas between. Raises InvalidInput."""
    words = {word.strip().lower() for word in text.replace(",", "+").split("+") if word.strip()}
    if not words or not words <= set(TERRAINS):
        raise InvalidInput(f"Terrain is {', '.join(TERRAINS)}; several with + between.")
    return frozenset(cast(Terrain, word) for word in words)


def ground_said(kinds: Collection[Terrain]) -> str:
    """Terrain as `parse_ground` reads it."""
    return "+".join(sorted(kinds))


def measured(reach: Reach, covers: Collection[Cover], *more: str) -> list[str]:
    """What was measured for an attack, for the opponent to check: distance, cover, and what else counts."""
    distance = reach.band or f"{reach} in"
    worn = [COVER_WORDS[cover] for cover in COVERS if cover in covers] or ["no cover"]
    return list(narrow([", ".join((distance, *worn, *more))]))
