"""What people read for the traits and armours that a Crew Card shortens."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

TRAIT_WORDS: Mapping[str, str] = MappingProxyType(
    {"def": "Defence", "manv": "Manoeuvre", "dp": "Physical armour", "de": "Energy armour"}
)
"""Those that a Crew Card shortens; others are named as on the card."""


def trait_word(name: str) -> str:
    """A trait, Attribute or armour in full."""
    return TRAIT_WORDS.get(name.casefold(), name.capitalize())


def trait_named(text: str) -> str:
    """The trait that somebody means, written in full or as on a Crew Card."""
    found = text.strip().casefold()
    return next((name for name, word in TRAIT_WORDS.items() if word.casefold() == found), found)
