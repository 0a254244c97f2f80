"""The members of a crew as they were drafted, a Watchdog beside its owner."""

from __future__ import annotations

from collections.abc import Iterable

from rules.systems.counterblast.building.crew import Member
from rules.systems.counterblast.building.draft import ModelDraft, profile_of
from rules.systems.counterblast.core.settings import DEFAULTS, Settings


def members(drafts: Iterable[ModelDraft], settings: Settings = DEFAULTS) -> tuple[Member, ...]:
    """Every model of the crew with its points, a Watchdog after its owner, in whose draft it stands.

    Rules: CB-CREW-17, CB-GEAR-49.
    """
    found = []
    for draft in drafts:
        for one in (draft, draft.watchdog):
            if one is not None:
                profile = profile_of(one, settings)
                found.append(Member(profile, profile.points))
    return tuple(found)
