"""Kinds of terrain as they are typed."""

from __future__ import annotations

from typing import cast

from rules.refusals import InvalidInput
from rules.systems.warzone.tables import TERRAINS, Terrain


def parse_terrain(text: str) -> frozenset[Terrain]:
    """Kinds of terrain with + or commas between. Raises InvalidInput."""
    words = {word.strip().lower() for word in text.replace(",", "+").split("+") if word.strip()}
    if not words or not words <= set(TERRAINS):
        raise InvalidInput(f"Terrain is {', '.join(TERRAINS)}; several with + between.")
    return frozenset(cast(Terrain, word) for word in words)
