"""Crews in a campaign between encounters: members who sit out, leaders, purchases and dismissals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bot.replies.reply import Reply, say
from bot.store.row_types import EntrantRow, VeteranRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.campaign.campaign_games import begun, fielded, known_blocks
from bot.table.campaign.campaign_views import OWN, change_words
from bot.table.game import SECRET_CREWS, Equips, game
from bot.table.handlers import Place, handles
from bot.table.journal.history import UNDO
from bot.table.ledger.campaign_book import BOUGHT, OWED, PURSE, PURSE_WORDS, Campaign, CampaignView
from bot.table.ledger.campaign_fields import (
    ForEntrant,
    InCampaign,
    OfEntrant,
    entrant_field,
    get_game,
    list_accounts,
    member_field,
    members_field,
)
from bot.table.ledger.campaign_rules import get_rules
from bot.table.names import check_name, plain
from bot.table.rosters.crews import outfit_of
from bot.table.rosters.statblocks import Statblock, piece, pieces, statblock
from rules.counters import as_kept
from rules.refusals import Forbidden, InvalidInput, Missing
from rules.wording import join_with_and, times

MAX_MEMBERS = 60
MAX_AMOUNT = 10_000
ACCOUNT = re.compile(r"[a-z0-9][a-z0-9 :_'-]{0,39}")
"""Letters allowed in the name of an account."""


@dataclass(frozen=True, slots=True)
class LeaveCampaign(OfEntrant):
    """Remove your crew from a campaign."""

    command = "campaign.leave"
    typed = "campaign leave"
    titled = "Leave the campaign"


@dataclass(frozen=True, slots=True)
class Bench(ForEntrant):
    """Choose the members who sit out; leave blank if everyone plays."""

    command = "campaign.bench"
    typed = "campaign bench"
    titled = "Members who sit out"

    members: tuple[VeteranRow, ...] = members_field("Members who sit out, separated by commas")


@dataclass(frozen=True, slots=True)
class Lead(ForEntrant):
    """Choose the leader of your crew."""

    command = "campaign.leader"
    typed = "campaign leader"
    titled = "Leader"

    member: VeteranRow = member_field("New leader", needed=True)


@dataclass(frozen=True, slots=True)
class Buy(ForEntrant):
    """Use requisition points to buy a new member."""

    command = "campaign.buy"
    typed = "campaign buy"
    titled = "Buy a member"

    who: Statblock = statblock("Model to buy", get_game, known_blocks)
    called: str = fields.text("Name of the new member", None, called="name")
    equipment: tuple[str, ...] = pieces("Extra equipment, separated by commas", get_game)


@dataclass(frozen=True, slots=True)
class Equip(ForEntrant):
    """Use requisition points to buy equipment for a member."""

    command = "campaign.equip"
    typed = "campaign equip"
    titled = "Equip"

    member: VeteranRow = member_field("Member", needed=True)
    equipment: str = piece("Equipment to buy", get_game)


@dataclass(frozen=True, slots=True)
class Dismiss(ForEntrant):
    """Dismiss a member for good."""

    command = "campaign.dismiss"
    typed = "campaign dismiss"
    titled = "Dismiss"

    member: VeteranRow = member_field("Member to dismiss", needed=True)


def _find_entrant_as_organiser(context: Asking, text: str) -> EntrantRow:
    camp = CampaignView(context.act)
    camp.require_organiser()
    return camp.find_entrant(text)


def _account_names(context: Asking) -> Sequence[str]:
    """Balances that have ever changed, then the others that the rules keep."""
    counter_names = get_rules(CampaignView(context.act).row.system).accounts
    return list(dict.fromkeys([*list_accounts(context), *counter_names]))


def _parse_account(context: Asking, text: str) -> str:
    """Return the account, or the name of a new one from a house rule. Raises InvalidInput."""
    account = " ".join(text.casefold().split())
    if account == PURSE_WORDS:
        return PURSE
    for known_account in _account_names(context):
        if known_account.casefold() == account:
            return known_account
    if not ACCOUNT.fullmatch(account):
        raise Missing('Enter an account, for example "requisition" or "salvage tokens".')
    return account


def _require_known_account(context: Asking, account: str) -> None:
    """Refuse an account that doesn't exist, because only a house rule adds one. Raises InvalidInput."""
    account_names, kinds = _account_names(context), get_rules(CampaignView(context.act).row.system).kinds
    base_account = account.removesuffix(OWED.suffix)
    if base_account in account_names or any(
        kind.counts(base_account) and kind.rest(base_account) for kind in kinds
    ):
        return
    listed_names = ", ".join([*account_names, *(f"{kind.prefix}..." for kind in kinds)])
    raise InvalidInput(
        f"Choose one of these accounts: {listed_names}. To use {account}, first write a house rule "
        "for it with /organise house, then enter the number of that rule here."
    )


@dataclass(frozen=True, slots=True)
class Adjust(InCampaign):
    """Change a balance and give a reason (organiser)."""

    command = "campaign.adjust"
    typed = "campaign adjust"
    titled = "Adjust a balance"

    crew: EntrantRow = entrant_field(
        "Crew whose balance changes", find=_find_entrant_as_organiser, needed=True
    )
    account: str = fields.sought("Account", _account_names, _parse_account, needed=True)
    amount: int = fields.whole("Amount to add (negative to subtract)", None, None, default=0, needed=True)
    reason: str = fields.text("Reason (everyone can read it)", None, needed=True)
    member: VeteranRow | None = member_field("Member whose balance changes (leave blank for the crew's)")
    rule: int = fields.whole("Number of the house rule that allows the change", 1, 20, default=0)


@handles(LeaveCampaign, Place.CAMPAIGN, beforehand=begun)
def leave(act: Act, action: LeaveCampaign) -> Reply:
    """Remove a crew from the campaign. Its opponent rests, and what it has won stays."""
    camp, entrant = Campaign(act), action.crew
    camp.require_quiet(entrant.id)
    if not act.is_organiser:
        camp.require_owner(entrant)
    camp.require_between(entrant)
    camp.write(entrant.id, "status", entrant.status, "left", "left")
    entrant.status = "left"
    is_own = entrant.owner_id == act.actor.user_id
    lines = [
        f"{entrant.name} leaves {camp.row.name}.",
        *([] if is_own else [f"{act.actor.name} removed the crew."]),
    ]
    _remove_rests(camp, entrant)
    for fixture in camp.fixtures():
        if fixture.status == "open" and entrant.id in (fixture.home, fixture.away):
            opponent = camp.entrant(fixture.away if fixture.home == entrant.id else fixture.home)
            fixture.home, fixture.away, fixture.status = opponent.id, 0, "rest"
            lines.append(f"Round {fixture.round}: {camp.versus(fixture)}.")
    return say(*lines, buttons=[UNDO])


def _crew_reply(camp: Campaign, entrant: EntrantRow, line: str, public_line: str, *more_lines: str) -> Reply:
    """Return the reply about what a crew did, for everyone, or only for its player if lists are secret.

    Everyone reads what an organiser does for a crew, without names: `public_line`.
    """
    if camp.row.system not in SECRET_CREWS:
        return say(line, *more_lines, buttons=[UNDO])
    if camp.is_secret(entrant.id):
        return say(public_line, buttons=[UNDO])
    return say(line, *more_lines, private=True, buttons=[UNDO])


def _remove_rests(camp: Campaign, entrant: EntrantRow) -> None:
    """Remove the rests of a crew that left from rounds that are still to be played."""
    open_rounds = [open_fixture.round for open_fixture in camp.fixtures() if open_fixture.status == "open"]
    for fixture in camp.fixtures():
        if (
            fixture.status == "rest"
            and fixture.home == entrant.id
            and open_rounds
            and fixture.round >= min(open_rounds)
        ):
            camp.book.remove(fixture)


@handles(Bench, Place.CAMPAIGN)
def bench(act: Act, action: Bench) -> Reply:
    """Set the members who sit out; with no names, all members play."""
    camp, entrant = Campaign(act), action.crew
    camp.require_quiet(entrant.id)
    benched_ids = {member.id for member in action.members}
    for veteran in camp.veterans(entrant.id):
        is_benched = veteran.id in benched_ids
        if is_benched != veteran.benched:
            place_words = ("fielded", "benched")
            camp.write(
                entrant.id,
                "place",
                place_words[veteran.benched],
                place_words[is_benched],
                "chosen",
                veteran.id,
            )
            veteran.benched = is_benched
    playing_members = fielded(camp, entrant.id)
    size = get_rules(camp.row.system).size(playing_members)
    names = [row.name for row in camp.veterans(entrant.id) if row.benched]
    result_line = (
        f"{entrant.name} plays without {join_with_and(names)}."
        if names
        else f"Everyone in {entrant.name} plays."
    )
    public_line = f"{entrant.name} has chosen who sits out."
    return _crew_reply(
        camp,
        entrant,
        result_line,
        public_line,
        f"Members who play: {len(playing_members)} ({times(size, 'point')}).",
    )


@handles(Lead, Place.CAMPAIGN)
def lead(act: Act, action: Lead) -> Reply:
    """Choose a new leader."""
    camp, entrant, new_leader = Campaign(act), action.crew, action.member
    camp.require_quiet(entrant.id)
    leader_before = next((row.name for row in camp.veterans(entrant.id) if row.leader), "")
    with act.overridable():
        get_rules(camp.row.system).require_leader(new_leader)
    for veteran in camp.veterans(entrant.id, everybody=True):
        veteran.leader = veteran.id == new_leader.id
    camp.write(entrant.id, "leader", leader_before, new_leader.name, "chosen")
    return _crew_reply(
        camp,
        entrant,
        f"{new_leader.name} is now the leader of {entrant.name}.",
        f"{entrant.name} has chosen a leader.",
    )


# ------------------------------------------------------------------------------------ spending


def spend(camp: Campaign, entrant: EntrantRow, price: int, what: str) -> int:
    """Spend requisition points and return how many. Raises Forbidden if the crew has too few."""
    purse = camp.balance(entrant.id, PURSE)
    with camp.act.overridable():
        if price > purse:
            raise Forbidden(
                f"{what} costs {times(price, 'requisition point')}, but {entrant.name} has only {purse}."
            )
    price = min(price, purse)
    camp.post(entrant.id, PURSE, -price, f"{BOUGHT} {what}")
    return price


def left(camp: Campaign, entrant: EntrantRow) -> str:
    """Return what is left to spend."""
    return f"{entrant.name} has {times(camp.balance(entrant.id, PURSE), 'requisition point')} left."


@handles(Buy, Place.CAMPAIGN, beforehand=begun)
def buy(act: Act, action: Buy) -> Reply:
    """Buy a statblock of the game at its points."""
    camp, entrant, chosen_block = Campaign(act), action.crew, action.who
    camp.require_quiet(entrant.id)
    camp.require_between(entrant)
    if len(camp.veterans(entrant.id)) >= MAX_MEMBERS:
        raise InvalidInput(f"Dismiss a member first; a crew can have at most {MAX_MEMBERS} members.")
    profile, equipment_points = chosen_block.profile, 0
    if action.equipment:
        profile, equipment_points = outfit_of(game(camp.row.system), chosen_block, action.equipment)
    points = chosen_block.points + equipment_points
    rules = get_rules(camp.row.system)
    with act.overridable():
        rules.require_had(camp, entrant, chosen_block.name, profile, chosen_block.profile)
    custom_mark = f" ({OWN})" if rules.is_own(chosen_block.profile) else ""
    price = spend(camp, entrant, rules.price(camp, entrant, points), f"{chosen_block.name}{custom_mark}")
    name = check_name(action.called) if action.called else chosen_block.name
    row = camp.enrol(entrant, name, profile, points, f"bought for {times(price, 'point')}")
    result_line = f"{row.name}{custom_mark} joins {entrant.name} for {times(price, 'point')}."
    public_line = f"A new member joins {entrant.name}."
    return _crew_reply(camp, entrant, result_line, public_line, left(camp, entrant))


@handles(Equip, Place.CAMPAIGN, beforehand=begun)
def equip(act: Act, action: Equip) -> Reply:
    """Buy equipment at the game's price."""
    camp, entrant, veteran, name = Campaign(act), action.crew, action.member, action.equipment
    camp.require_quiet(entrant.id)
    camp.require_between(entrant)
    played_game = game(camp.row.system)
    assert isinstance(played_game, Equips), "it has that equipment"
    rules = get_rules(camp.row.system)
    profile = played_game.equip(veteran.profile, [name])
    cost = rules.cost_of(veteran.profile, profile)
    with act.overridable():
        rules.require_had(camp, entrant, veteran.name, profile, veteran.profile)
    price = spend(camp, entrant, rules.item_price(camp, entrant, cost), name)
    veteran.profile = profile
    camp.write(entrant.id, "equipment", "", name, f"bought for {times(price, 'point')}", veteran.id)
    camp.write(
        entrant.id, "points", str(veteran.points), str(veteran.points + cost), f"bought {name}", veteran.id
    )
    veteran.points += cost
    result_line = f"{veteran.name} gets {name} for {times(price, 'point')}."
    public_line = f"{entrant.name} has bought equipment."
    return _crew_reply(camp, entrant, result_line, public_line, left(camp, entrant))


@handles(Dismiss, Place.CAMPAIGN, beforehand=begun)
def dismiss(act: Act, action: Dismiss) -> Reply:
    """Dismiss a member; nothing is paid back."""
    camp, entrant, veteran = Campaign(act), action.crew, action.member
    camp.require_quiet(entrant.id)
    camp.require_between(entrant)
    camp.set_status(veteran, "dismissed", "chosen")
    return _crew_reply(
        camp, entrant, f"{veteran.name} leaves {entrant.name}.", f"A member leaves {entrant.name}."
    )


@handles(Adjust, Place.CAMPAIGN)
def adjust(act: Act, action: Adjust) -> Reply:
    """Change a balance by hand, and tell everyone the reason."""
    camp, entrant, account = Campaign(act), action.crew, as_kept(action.account)
    camp.require_quiet(entrant.id)
    member = action.member.id if action.member else 0
    reason = plain(action.reason, 80)
    if not reason:
        raise InvalidInput("Enter a reason; everyone can read it.")
    if not action.amount or abs(action.amount) > MAX_AMOUNT:
        raise Missing(f"Enter an amount from 1 to {MAX_AMOUNT}, or a negative amount to subtract.")
    if action.rule and str(action.rule) not in camp.row.house:
        raise InvalidInput(f"There is no house rule {action.rule}. /organise house shows all rules.")
    if not action.rule:
        _require_known_account(Asking(act, "account"), account)
    cause_start = f"by house rule {action.rule}" if action.rule else "adjusted"
    entries_before = len(camp.ledger())
    camp.post(entrant.id, account, action.amount, f"{cause_start}: {reason}", member)
    rule_lines = [f"House rule {action.rule}: {camp.row.house[str(action.rule)]}"] if action.rule else []
    change_lines = [change_words(camp, row) for row in camp.ledger()[entries_before:]]
    return say(*change_lines, f"Reason: {reason}", *rule_lines, buttons=[UNDO])
