"""What missions leave to a crew of Counterblast for good: what was found, bases that fall."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.counterblast.core.fighters import block_text, with_equipment
from bot.store.campaign_rows import ProposalRow
from bot.table.campaign.campaign_book import CAMPAIGN, Campaign
from bot.table.campaign.campaign_rules import ReportOption
from rules.counters import CounterName
from rules.systems.counterblast.campaign.aftermath import Fate, FateProposed, confirmed, injury_skills
from rules.systems.counterblast.campaign.mission_rewards import destroy_base
from rules.systems.counterblast.core.library import load

BASES = CounterName("bases")
"""Account of an entrant: bases that it founded by Colonize."""
LEAVE, DESTROY = "left alone", "destroyed"
"""What a winning Invasion does to a base of its opponent."""


def fate_in(of: ProposalRow) -> Fate:
    """What became of somebody who was found and lost in the same encounter."""
    return next((one for one in Fate if of.choice.startswith(one)), Fate.OKAY)


def found_options(of: ProposalRow) -> list[ReportOption]:
    """Which skill the injury strikes of somebody who was found and hurt. Rules: CB-CASU-08, CB-CASU-09."""
    profile = next((one for one in load().profiles if one.name == of.text), None)
    fate = fate_in(of)
    if profile is None or not fate.is_injury:
        return []
    return [ReportOption(of.text, f"{fate}, {skill}", free=True) for skill in injury_skills(fate, profile)]


def keep_found(camp: Campaign, of: ProposalRow, cause: str) -> Sequence[str]:
    """What a Recovery found stays: equipment with its finder, a crew member with the crew.

    Rules: CB-MISS-23.
    """
    cause, entrant = f"{cause}, {of.reason}", camp.entrant(of.entrant)
    library = load()
    if of.member:
        veteran = camp.veteran(of.member)
        cost = next(one.cost for one in (*library.weapons, *library.gear) if one.name == of.text)
        veteran.profile = with_equipment(veteran.profile, [of.text])
        camp.write(entrant.id, "equipment", "", of.text, cause, veteran.id)
        camp.write(entrant.id, "points", str(veteran.points), str(veteran.points + cost), cause, veteran.id)
        veteran.points += cost
        return [f"{veteran.name} keeps {of.text}."]
    profile, fate = library.profiles.named(of.text), fate_in(of)
    if fate is Fate.DEAD:
        return [f"{of.text}, found and lost again, is dead."]
    row = camp.enrol(entrant, of.text, block_text(profile.key), profile.points, cause)
    skill = next((one for one in injury_skills(fate, profile) if of.choice.endswith(one)), None)
    camp.apply(entrant.id, confirmed(FateProposed(row.id, fate, skill)), cause)
    return [f"{row.name} joins {entrant.name}."]


def destroy(camp: Campaign, of: ProposalRow, cause: str) -> Sequence[str]:
    """A winning invader pays for a base of that opponent. Rules: CB-MISS-17."""
    other = next(one for one in camp.entrants() if one.name == of.choice)
    have = camp.balance(of.entrant, CAMPAIGN)
    camp.post(of.entrant, CAMPAIGN, destroy_base(have) - have, f"{cause}, destroyed a base")
    camp.post(other.id, BASES, -1, f"{cause}, destroyed")
    return [f"{camp.entrant(of.entrant).name} destroys a base of {other.name}."]
