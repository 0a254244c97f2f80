"""Captives between games: a ransom is offered by who lost somebody, and taken by who holds them.

The rules free captives by missions alone; what two players agree on besides is theirs, and in the ledger.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.games.counterblast.campaign import captives
from bot.games.counterblast.campaign.spoils_play import UNDO, mine
from bot.games.counterblast.missions.mission_state import CAPTIVE
from bot.replies.reply import Button, Reply, say
from bot.store.campaign_rows import EntrantRow, VeteranRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.campaign.campaign_asked import OfEntrant
from bot.table.campaign.campaign_book import PURSE, Campaign
from bot.table.campaign.campaign_games import begun
from bot.table.handlers import Place, handles
from bot.table.names import find
from rules.refusals import Forbidden, InvalidInput

OFFERED = "ransom offered"
"""Account of a captive: requisition points that its crew offers for it."""
MOST_RANSOM = 1000


def _captives(asking: Asking) -> list[str]:
    """Members of one's own crew that are held."""
    book, user = asking.act.book, asking.act.actor.user_id
    own = {row.id for row in book.all(EntrantRow) if row.owner_id == user}
    return [row.name for row in book.all(VeteranRow) if row.entrant in own and row.status == CAPTIVE]


def _held(asking: Asking) -> list[str]:
    """Those whom one's own crew holds."""
    book, user = asking.act.book, asking.act.actor.user_id
    own = {row.id for row in book.all(EntrantRow) if row.owner_id == user}
    return [
        row.name
        for row in book.all(VeteranRow)
        if row.status == CAPTIVE and row.counters.get(captives.CAPTOR) in own
    ]


@dataclass(frozen=True, slots=True)
class OfferRansom(OfEntrant):
    """Offer requisition points for a captive of yours; 0 takes it back."""

    command = "spoils.ransom"
    typed = "spoils ransom"
    titled = "Offer ransom"

    member: str = fields.words("Who is held", _captives, needed=True)
    points: int = fields.whole("Requisition points", 0, MOST_RANSOM, default=0, needed=True)


@dataclass(frozen=True, slots=True)
class Release(OfEntrant):
    """Let a captive that you hold go, for what is offered."""

    command = "spoils.release"
    typed = "spoils release"
    titled = "Release captive"

    member: str = fields.words("Whom you hold", _held, needed=True)


def _captive(found: list[VeteranRow], name: str) -> VeteranRow:
    if not found:
        raise InvalidInput("Nobody is held captive there.")
    return find(name, found, lambda row: row.name, "captive")


@handles(OfferRansom, Place.CAMPAIGN, beforehand=begun)
def offer(act: Act, action: OfferRansom) -> Reply:
    """Told to everybody; the captor's player may take it while it stands."""
    camp, entrant = mine(act, action.crew)
    held = [one for one in camp.veterans(entrant.id, everybody=True) if one.status == CAPTIVE]
    one = _captive(held, action.member)
    purse = camp.balance(entrant.id, PURSE)
    if action.points > purse:
        raise Forbidden(f"{entrant.name} has {purse} requisition points, not {action.points}.")
    before = one.counters.get(OFFERED, 0)
    if before == action.points:
        raise InvalidInput(f"{action.points} is what is offered for {one.name} already.")
    act.canonical = replace(action, crew=entrant.name, member=one.name)
    camp.post(entrant.id, OFFERED, action.points - before, "offered", one.id)
    captor = camp.entrant(one.counters[captives.CAPTOR])
    take = Button("Let go", Release(camp.book.scope, captor.name, one.name), "main", anytime=True)
    return say(
        f"{entrant.name} offers {action.points} for {one.name}.",
        f"{captor.owner} may let {one.name} go.",
        buttons=[take, UNDO],
    )


@handles(Release, Place.CAMPAIGN, beforehand=begun)
def release(act: Act, action: Release) -> Reply:
    """What is offered changes hands; freely where nothing is."""
    camp, captor = mine(act, action.crew)
    held = [
        row
        for row in camp.book.all(VeteranRow)
        if row.status == CAPTIVE and row.counters.get(captives.CAPTOR) == captor.id
    ]
    one = _captive(held, action.member)
    act.canonical = replace(action, crew=captor.name, member=one.name)
    return say(*_let_go(camp, captor, one), buttons=[UNDO])


def _let_go(camp: Campaign, captor: EntrantRow, one: VeteranRow) -> list[str]:
    price, cause = one.counters.get(OFFERED, 0), f"ransom of {one.name}"
    home = camp.entrant(one.entrant)
    if price:
        camp.post(home.id, PURSE, -price, cause)
        camp.post(captor.id, PURSE, price, cause)
        camp.post(home.id, OFFERED, -price, cause, one.id)
    freed = captives.free(camp, one, cause)
    paid = f"{home.name} pays {price} to {captor.name}." if price else f"{captor.name} asks nothing."
    return [f"{captor.name} lets {one.name} go.", paid, freed]
