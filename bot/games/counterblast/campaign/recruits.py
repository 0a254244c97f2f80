"""Free recruits of Edofleini and Neiran crews in a campaign: how many a win brings, how many may be kept."""

from __future__ import annotations

from bot.games.counterblast.core.fighters import read_block, traits_in
from bot.store.campaign_rows import VeteranRow
from bot.table.campaign.campaign_book import Campaign
from bot.table.campaign.campaign_rules import line
from rules.counters import CounterName
from rules.refusals import Forbidden
from rules.systems.counterblast.building.crew import FREE_RECRUITS, free_recruits
from rules.wording import times

FREE_LEFT = CounterName("free recruits")
"""Account of an entrant: how many it may still take."""
FREE = CounterName("free recruit")
"""Account of a member: 1 where a win brought it; outside the point limit."""


def leader_of_entrant(camp: Campaign, entrant: int) -> VeteranRow | None:
    """Who leads a crew now; None without a leader."""
    return next((one for one in camp.veterans(entrant) if one.leader), None)


def kept(camp: Campaign, entrant: int) -> int:
    """Free recruits of earlier wins that are still in the crew."""
    return sum(bool(one.counters.get(FREE)) for one in camp.veterans(entrant))


def places(camp: Campaign, entrant: int, taken: int) -> int:
    """How many more a crew may have that has so many, by the INT dice of its leader.

    Rules: CB-CREW-09, CB-CREW-16.
    """
    leader = leader_of_entrant(camp, entrant)
    return free_recruits(read_block(leader.profile).profile.intellect.value if leader else 0, taken)


def propose_recruits(camp: Campaign, entrant: int, *, leader_survived: bool) -> None:
    """The line of a report for a won encounter. Rules: CB-CREW-09, CB-CREW-16."""
    if not leader_survived or traits_in(camp.entrant(entrant).traits).alignment not in FREE_RECRUITS:
        return
    leader = leader_of_entrant(camp, entrant)
    amount = places(camp, entrant, kept(camp, entrant) + camp.balance(entrant, FREE_LEFT))
    if leader and amount:
        intellect = read_block(leader.profile).profile.intellect
        line(camp, entrant, "points", FREE_LEFT, amount, reason=f"won, {leader.name} has INT {intellect}")


def recruits_told(camp: Campaign, entrant: int) -> list[str]:
    """What a crew is to do about its free recruits after a report. Rules: CB-CREW-09, CB-CREW-16."""
    name, have = camp.entrant(entrant).name, kept(camp, entrant)
    over = have - places(camp, entrant, 0)
    if have and over > 0:
        return [f"{name} has {times(over, 'free recruit')} too many: /campaign dismiss."]
    more = min(camp.balance(entrant, FREE_LEFT), places(camp, entrant, have))
    return [f"{name} may take {times(more, 'free recruit')}: /spoils recruit."] if more else []


def require_kept(camp: Campaign, entrant: int) -> None:
    """Refuse, with Forbidden, to play with more free recruits than the leader's INT dice.

    Rules: CB-CREW-09, CB-CREW-16.
    """
    have, most = kept(camp, entrant), places(camp, entrant, 0)
    if have > most:
        name = camp.entrant(entrant).name
        raise Forbidden(
            f"{name} has {times(have, 'free recruit')}, its leader INT dice for {most}: /campaign dismiss.",
            "CB-CREW-16",
        )
