"""Equipment added to a model that stands written: whether it may carry it, and what it then costs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from bot.games.counterblast.building.draft_text import draft_of
from bot.games.counterblast.core.fighters import with_equipment
from rules.refusals import forbid
from rules.systems.counterblast.building.builder import draft_faults
from rules.systems.counterblast.building.draft import profile_of
from rules.systems.counterblast.building.equipment import Fault


def outfitted(profile: str, names: Sequence[str]) -> str:
    """The statblock of a model's row with further weapons and gear, by name.

    Raises InvalidInput for unknown names, and Forbidden for what the model may not carry.
    Rules: CB-BUILD-22, CB-GEAR-07, CB-GEAR-08, CB-GEAR-10 to CB-GEAR-12, CB-WEAP-38.
    """
    text = with_equipment(profile, names)
    known = _faults(profile)
    for fault in _faults(text):
        if fault not in known:
            forbid(fault.sentence, fault.rule)
    return text


@lru_cache(maxsize=1024)
def _faults(profile: str) -> tuple[Fault, ...]:
    """What is wrong with a model as it stands written; asked again with each thing that is tried."""
    return draft_faults(draft_of(profile))


def points_of(profile: str) -> int:
    """Points of a model as it stands written. Rules: CB-BUILD-01, CB-GEAR-46."""
    return profile_of(draft_of(profile)).points
