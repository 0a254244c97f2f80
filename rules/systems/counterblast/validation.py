"""A whole crew against what was agreed: points, faction, Specialties, every member's build.

Owns putting the parts together; each part is judged by `crew`, `specialties`, `builder` and `equipment`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.builder import draft_faults
from rules.systems.counterblast.crew import Member, check_crew, require_alignment
from rules.systems.counterblast.draft import Draft, profile_of
from rules.systems.counterblast.equipment import Fault
from rules.systems.counterblast.fighter import CrewTraits
from rules.systems.counterblast.settings import DEFAULTS, Settings
from rules.systems.counterblast.specialties import check_specialties


@dataclass(frozen=True, slots=True)
class Roster:
    """A crew as it would be fielded.

    drafts: its members; a Watchdog stands in its owner's draft and counts as a member of its own.
    limit: points agreed. faction: empty where none was named. traits: Specialties and alignment.
    """

    drafts: tuple[Draft, ...]
    limit: int
    faction: str = ""
    traits: CrewTraits = field(default_factory=CrewTraits)


@dataclass(frozen=True, slots=True)
class RosterFault:
    """A fault of a crew: of one member (its place, from 0), or of the whole crew (-1)."""

    place: int
    fault: Fault


def members(roster: Roster, settings: Settings = DEFAULTS) -> tuple[Member, ...]:
    """Every model of the crew with its points, a Watchdog after its owner.

    Rules: CB-CREW-17, CB-GEAR-49.
    """
    found = []
    for draft in roster.drafts:
        for one in (draft, draft.watchdog):
            if one is not None:
                profile = profile_of(one, settings)
                found.append(Member(profile, profile.points))
    return tuple(found)


def roster_faults(roster: Roster, settings: Settings = DEFAULTS) -> tuple[RosterFault, ...]:
    """Everything that is wrong with a crew.

    Rules: CB-CREW-01, CB-CREW-07, CB-CREW-17, CB-SPEC-01, CB-SPEC-12, CB-BUILD-01, CB-GEAR-10.
    """
    found = [
        RosterFault(place, fault)
        for place, draft in enumerate(roster.drafts)
        for fault in draft_faults(draft, settings)
    ]
    everyone = members(roster, settings)
    points = sum(member.points for member in everyone)
    checks: list[Callable[[], None]] = [
        lambda: check_crew(everyone, roster.limit, roster.faction),
        lambda: check_specialties(roster.traits, points),
    ]
    if roster.traits.alignment:
        checks.append(lambda: require_alignment(everyone, roster.traits.alignment))
    for check in checks:
        try:
            check()
        except Forbidden as refusal:
            found.append(RosterFault(-1, Fault(refusal.sentence, refusal.rule)))
        except InvalidInput as wrong:
            found.append(RosterFault(-1, Fault(wrong.sentence, "CB-SPEC-01")))
    return tuple(found)


def require_roster(roster: Roster, settings: Settings = DEFAULTS) -> tuple[Member, ...]:
    """The crew's members. Raises Forbidden with the first fault. Rules: CB-CREW-01."""
    for entry in roster_faults(roster, settings):
        raise Forbidden(entry.fault.sentence, entry.fault.rule)
    return members(roster, settings)
