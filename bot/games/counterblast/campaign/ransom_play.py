"""Captives between games: a ransom is offered by who lost somebody, and taken by who holds them.

The rules free captives by missions alone; what two players agree on besides is theirs, and in the ledger.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bot.games.counterblast.campaign import gains
from bot.games.counterblast.campaign.spoils import between_games
from bot.games.counterblast.missions.mission_state import CAPTIVE
from bot.replies.reply import Button, Reply, say
from bot.store.row_types import EntrantRow, VeteranRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.campaign.campaign_asked import ForEntrant
from bot.table.campaign.campaign_book import PURSE, Campaign
from bot.table.campaign.campaign_games import begun
from bot.table.handlers import Place, handles
from bot.table.journal.history import UNDO
from bot.table.names import find
from rules.counters import CounterName
from rules.refusals import Forbidden, InvalidInput

OFFERED = CounterName("ransom offered")
"""Account of a captive: requisition points that its crew offers for it."""
MOST_RANSOM = 1000


def _lost(asking: Asking) -> list[VeteranRow]:
    """Members of the crew that was said who are held."""
    crew = asking.before("crew").id
    return [row for row in asking.act.book.all(VeteranRow) if row.entrant == crew and row.status == CAPTIVE]


def _held(asking: Asking) -> list[VeteranRow]:
    """Those whom the crew that was said holds."""
    crew, rows = asking.before("crew").id, asking.act.book.all(VeteranRow)
    return [row for row in rows if row.status == CAPTIVE and row.counters.get(gains.CAPTOR) == crew]


def _captive(about: str, held: Callable[[Asking], Sequence[VeteranRow]]) -> Any:
    """One of these captives, by name."""

    def found(asking: Asking, text: str) -> VeteranRow:
        there = held(asking)
        if not there:
            raise InvalidInput("Nobody is held captive there.")
        return find(text, there, lambda row: row.name, "captive")

    return fields.sought(
        about,
        lambda asking: [row.name for row in held(asking)],
        found,
        written=lambda row: row.name,
        needed=True,
    )


@dataclass(frozen=True, slots=True)
class OfferRansom(ForEntrant):
    """Offer requisition points for a captive of yours; 0 takes it back."""

    command = "spoils.ransom"
    typed = "spoils ransom"
    titled = "Offer ransom"

    member: VeteranRow = _captive("Who is held", _lost)
    points: int = fields.whole("Requisition points", 0, MOST_RANSOM, default=0, needed=True)


@dataclass(frozen=True, slots=True)
class Release(ForEntrant):
    """Let a captive that you hold go, for what is offered."""

    command = "spoils.release"
    typed = "spoils release"
    titled = "Release captive"

    member: VeteranRow = _captive("Whom you hold", _held)


@handles(OfferRansom, Place.CAMPAIGN, beforehand=begun)
def offer(act: Act, action: OfferRansom) -> Reply:
    """Told to everybody; the captor's player may take it while it stands."""
    entrant, one = action.crew, action.member
    camp = between_games(act, entrant)
    purse = camp.balance(entrant.id, PURSE)
    if action.points > purse:
        raise Forbidden(f"{entrant.name} has {purse} requisition points, not {action.points}.")
    before = one.counters.get(OFFERED, 0)
    if before == action.points:
        raise InvalidInput(f"{action.points} is what is offered for {one.name} already.")
    camp.post(entrant.id, OFFERED, action.points - before, "offered", one.id)
    captor = camp.entrant(one.counters[gains.CAPTOR])
    take = Button("Let go", Release(camp.book.scope, captor, one), "main", anytime=True)
    return say(
        f"{entrant.name} offers {action.points} for {one.name}.",
        f"{captor.owner} may let {one.name} go.",
        buttons=[take, UNDO],
    )


@handles(Release, Place.CAMPAIGN, beforehand=begun)
def release(act: Act, action: Release) -> Reply:
    """What is offered changes hands; freely where nothing is."""
    camp = between_games(act, action.crew)
    return say(*_let_go(camp, action.crew, action.member), buttons=[UNDO])


def _let_go(camp: Campaign, captor: EntrantRow, one: VeteranRow) -> list[str]:
    price, cause = one.counters.get(OFFERED, 0), f"ransom of {one.name}"
    home = camp.entrant(one.entrant)
    if price:
        camp.post(home.id, PURSE, -price, cause)
        camp.post(captor.id, PURSE, price, cause)
        camp.post(home.id, OFFERED, -price, cause, one.id)
    freed = gains.free(camp, one, cause)
    paid = f"{home.name} pays {price} to {captor.name}." if price else f"{captor.name} asks nothing."
    return [f"{captor.name} lets {one.name} go.", paid, freed]
