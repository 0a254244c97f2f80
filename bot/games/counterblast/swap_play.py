"""Equipment that a Hero of a campaign gives up: its requisition points come back for other equipment."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.draft_words import draft_of, items_of, row_text
from bot.games.counterblast.outfits import points_of
from bot.replies.reply import Button, Reply, say
from bot.table.act import Act
from bot.table.campaign_book import PURSE, Campaign
from bot.table.handlers import Place, handles
from bot.table.history import Undo
from bot.table.names import find
from rules.refusals import InvalidInput, forbid
from rules.systems.counterblast.builder import draft_faults
from rules.systems.counterblast.profile import Gear, Weapon


@dataclass(frozen=True, slots=True)
class DiscardItem(Action):
    """Give up a weapon or piece of gear for its requisition points."""

    command = "spoils.discard"

    campaign: int = 0
    crew: str = ""
    member: str = ""
    item: str = ""


@handles(DiscardItem, Place.CAMPAIGN)
def discard_item(act: Act, action: DiscardItem) -> Reply:
    """Heroes only; what is a part of the body stays. Rules: CB-GEAR-05, CB-GEAR-06."""
    camp = Campaign(act)
    camp.require_quiet()
    if camp.row.system != "counterblast":
        raise InvalidInput("That belongs to campaigns of Counterblast.")
    entrant = camp.find_entrant(action.crew)
    camp.require_owner(entrant)
    veteran = camp.find_veteran(entrant.id, action.member)
    before = draft_of(veteran.profile)
    weapons, gear = items_of(before)
    things: list[Weapon | Gear] = [*weapons, *gear]
    item = find(action.item, things, lambda one: one.name, "item it carries")
    act.canonical = replace(action, crew=entrant.name, member=f"#{veteran.id}", item=item.name)
    kind = "weapons" if isinstance(item, Weapon) else "gear"
    left = list(getattr(before, kind))
    left.remove(item.key)
    after = replace(before, weapons=tuple(left)) if kind == "weapons" else replace(before, gear=tuple(left))
    known = draft_faults(before)
    if not before.base.is_hero:
        forbid(f"{veteran.name} is a Lackey and keeps {item.name}.", "CB-GEAR-05")
    for fault in draft_faults(after):
        if fault not in known and fault.rule != "CB-GEAR-05":
            forbid(fault.sentence, fault.rule)
    worth = points_of(row_text(before)) - points_of(row_text(after))
    veteran.profile = row_text(after)
    camp.write(entrant.id, "equipment", item.name, "", f"given up for {worth}", veteran.id)
    camp.post(entrant.id, PURSE, worth, f"{veteran.name} gives up {item.name}")
    was, veteran.points = veteran.points, veteran.points - worth
    if worth:
        camp.write(entrant.id, "points", str(was), str(veteran.points), f"gave up {item.name}", veteran.id)
    return say(
        f"{veteran.name} gives up {item.name} for {worth}.",
        f"{camp.balance(entrant.id, PURSE)} requisition points for other equipment.",
        buttons=[Button("Undo", Undo(), anytime=True)],
    )
