"""Equipment of a campaign's members: what a Hero gives up for its points, which weapon is a relic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.games.counterblast.building.draft_text import draft_of, items_of, row_text
from bot.games.counterblast.building.outfits import points_of
from bot.games.counterblast.campaign.spoils_play import between_games
from bot.games.counterblast.core.fighters import read_block
from bot.replies.reply import Reply, say
from bot.store.campaign_rows import VeteranRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.campaign.campaign_asked import ForEntrant, member_named
from bot.table.campaign.campaign_book import PURSE
from bot.table.campaign.campaign_games import begun
from bot.table.handlers import Place, handles
from bot.table.journal.history import UNDO
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.counterblast.building.builder import draft_faults
from rules.systems.counterblast.core.fighter import RELIC_WEAPON
from rules.systems.counterblast.core.profile import Gear, Weapon
from rules.wording import possessive


def _name(item: Weapon | Gear) -> str:
    return item.name


def _items(asking: Asking) -> Sequence[Weapon | Gear]:
    """What the member that was said carries, without what is a part of its kind."""
    weapons, gear = items_of(draft_of(asking.before("member").profile))
    return [*weapons, *gear]


def _weapons(asking: Asking) -> Sequence[Weapon]:
    """The weapons of the member that was said."""
    return read_block(asking.before("member").profile).weapons


@dataclass(frozen=True, slots=True)
class DiscardItem(ForEntrant):
    """A Hero gives up an item for its requisition points."""

    command = "spoils.discard"
    typed = "spoils discard"
    titled = "Give up item"

    member: VeteranRow = member_named("Who", needed=True)
    item: Weapon | Gear = fields.among("What", _items, _name, what="item it carries", needed=True)


@dataclass(frozen=True, slots=True)
class BlessWeapon(ForEntrant):
    """Say which carried weapon a Relic Weapon is."""

    command = "spoils.weapon"
    typed = "spoils weapon"
    titled = "Relic weapon"

    member: VeteranRow = member_named("Who", needed=True)
    weapon: Weapon = fields.among("Which weapon", _weapons, _name, what="weapon it carries", needed=True)


@handles(BlessWeapon, Place.CAMPAIGN, beforehand=begun)
def bless_weapon(act: Act, action: BlessWeapon) -> Reply:
    """One of those it carries. Rules: CB-RELIC-06."""
    entrant, veteran, weapon = action.crew, action.member, action.weapon
    camp = between_games(act, entrant)
    marked = [key for key, number in veteran.counters.items() if RELIC_WEAPON.counts(key) and number]
    if not marked:
        raise Forbidden(f"{veteran.name} has no Relic Weapon.", "CB-RELIC-06")
    if RELIC_WEAPON.of(weapon.key) in marked:
        raise InvalidInput(f"{weapon.name} is its Relic Weapon already.")
    camp.post(entrant.id, marked[0], -1, f"now {weapon.name}", veteran.id)
    camp.post(entrant.id, RELIC_WEAPON.of(weapon.key), 1, "chosen", veteran.id)
    return say(
        f"{possessive(veteran.name)} Relic Weapon is the {weapon.name}.", "+1 on its checks.", buttons=[UNDO]
    )


@handles(DiscardItem, Place.CAMPAIGN, beforehand=begun)
def discard_item(act: Act, action: DiscardItem) -> Reply:
    """Heroes only; what is a part of the body stays. Rules: CB-GEAR-05, CB-GEAR-06."""
    entrant, veteran, item = action.crew, action.member, action.item
    camp = between_games(act, entrant)
    before = draft_of(veteran.profile)
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
        buttons=[UNDO],
    )
