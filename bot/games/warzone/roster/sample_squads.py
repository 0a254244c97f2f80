"""Which squad a member of a crew belongs to: that of the sample that it is."""

from __future__ import annotations

from functools import cache

from bot.games.warzone.core.units import read_profile
from bot.games.warzone.roster.samples import SAMPLES
from rules.systems.warzone.notation import profile_text


@cache
def _squads() -> dict[str, str]:
    return {profile_text(read_profile(sample.text)): sample.squad for sample in reversed(SAMPLES)}


def squad_name(text: str, name: str) -> str:
    """The squad to which a sample belongs; anybody else is a unit under its own name."""
    return _squads().get(text, name)
