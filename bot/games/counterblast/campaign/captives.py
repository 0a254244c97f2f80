"""Captives of a campaign: who holds whom, and what an encounter has to know of them."""

from __future__ import annotations

import json
from collections.abc import Callable

from bot.games.counterblast.missions.mission_state import AWAY, CAPTIVE, HELD_BY, SOUGHT_BY
from bot.store.campaign_rows import VeteranRow
from bot.store.rows import Counters, ThingRow
from bot.table.campaign.campaign_book import FIT, Campaign
from bot.table.campaign.campaign_rules import VETERAN
from bot.table.encounter import Encounter
from rules.counters import CounterName

CAPTOR = CounterName("captor")
"""Account of a captive: the number of the crew that holds it."""


def take(camp: Campaign, veteran: VeteranRow, captor: int, cause: str) -> str:
    """A member is held by another crew from now on; said in a line. Rules: CB-MISS-08."""
    camp.set_status(veteran, CAPTIVE, cause)
    camp.post(veteran.entrant, CAPTOR, captor - veteran.counters.get(CAPTOR, 0), cause, veteran.id)
    return f"{veteran.name} is held captive by {camp.entrant(captor).name}."


def free(camp: Campaign, veteran: VeteranRow, cause: str) -> str:
    """A captive is one of its crew again; said in a line. Rules: CB-MISS-11."""
    camp.set_status(veteran, FIT, cause)
    camp.post(veteran.entrant, CAPTOR, -veteran.counters.get(CAPTOR, 0), cause, veteran.id)
    return f"{veteran.name} is free again."


def carried_over(
    camp: Campaign,
    encounter: Encounter,
    sides: dict[int, int],
    carries: Callable[[VeteranRow], Counters],
) -> None:
    """Tell an encounter of the captives that its crews may seek or bring along.

    sides: each entrant's side. carries: what a member brings along. Rules: CB-MISS-12, CB-MISS-19.
    """
    for veteran in [row for row in camp.book.all(VeteranRow) if row.status == CAPTIVE]:
        captor = veteran.counters.get(CAPTOR, 0)
        places = {SOUGHT_BY: sides.get(veteran.entrant), HELD_BY: sides.get(captor)}
        known: Counters = {key: side for key, side in places.items() if side}
        if known:
            kept = {"profile": veteran.profile, "counters": {VETERAN: veteran.id, **carries(veteran)}}
            number = encounter.book.next_id(ThingRow)
            row = ThingRow(encounter.book.scope, number, AWAY, veteran.name, json.dumps(kept), known)
            encounter.book.add(row)
