"""Spend the spoils of an encounter: equipment, trades and swaps."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from bot.games.counterblast.building.draft_texts import (
    Steps,
    draft_of,
    items_of,
    points_of,
    row_text,
    says_level,
    steps_words,
    trait_words,
    upgrade_named,
    upgrades,
)
from bot.games.counterblast.campaign.gains import FREE, FREE_LEFT, NEXT, SCOUTED, as_fighter, kept, places
from bot.games.counterblast.core.narration import compact
from bot.games.counterblast.state.drafts import block_of, read_draft, write_draft
from bot.games.counterblast.state.models import block_text, read_block, settings_in, traits_in
from bot.replies.reply import Reply, say
from bot.store.row_types import EntrantRow, VeteranRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.campaign.campaign_games import begun
from bot.table.handlers import Place, handles
from bot.table.journal.history import UNDO
from bot.table.ledger.campaign_book import CAMPAIGN, PURSE, Campaign, CampaignView
from bot.table.ledger.campaign_fields import ForEntrant, member_named
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.counterblast.building.builder import draft_faults, raised, require_better, with_feature
from rules.systems.counterblast.building.crew import require_free_recruit
from rules.systems.counterblast.building.draft import (
    ModelDraft,
    printed_level,
    profile_of,
    raise_cost,
    trait_cost,
)
from rules.systems.counterblast.campaign import UPGRADES, disband, require_spending, trade
from rules.systems.counterblast.campaign import Campaign as Agreed
from rules.systems.counterblast.core.counters import RELIC_WEAPON
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Gear, Note, Profile, Trait, Weapon
from rules.systems.counterblast.gear.salvage import TOKENS, points_for, spend
from rules.wording import possessive, times


def bought(context: Asking) -> Sequence[str]:
    """Return the dice, modifiers and Features."""
    return list(upgrades())


C = TypeVar("C", bound=CampaignView)

MAX_TOKENS = 99
MAX_TIMES = 10


@dataclass(frozen=True, slots=True)
class TradeSalvage(ForEntrant):
    """Trade Salvage Tokens for requisition points."""

    command = "spoils.trade"
    typed = "spoils trade"
    titled = "Trade salvage"

    tokens: int = fields.whole("Number of Salvage Tokens", 1, MAX_TOKENS, default=1)


def _upgrade(context: Asking, text: str) -> Steps | Trait:
    """Return a step, or a Feature with the level that is meant for the member that was said."""
    step = upgrade_named(text)
    if isinstance(step, Trait) and not says_level(text):
        return _next_level(_draft(context.before("member")), step)
    return step


def _upgrade_said(step: Steps | Trait) -> str:
    return trait_words(step) if isinstance(step, Trait) else steps_words(*step)


@dataclass(frozen=True, slots=True)
class Improve(ForEntrant):
    """Spend a member's upgrade points."""

    command = "spoils.improve"
    typed = "spoils improve"
    titled = "Improve"

    member: VeteranRow = member_named("Crew member", needed=True)
    what: Steps | Trait = fields.sought(
        "Ability die, modifier or Feature to buy", bought, _upgrade, written=_upgrade_said, needed=True
    )


@dataclass(frozen=True, slots=True)
class TradeScouting(ForEntrant):
    """Trade scouting successes for a benefit in the next encounter."""

    command = "spoils.scouting"
    typed = "spoils scouting"
    titled = "Trade scouting successes"

    wanted: Note = fields.among(
        "Benefit you want",
        lambda asking: load().charts["scouting_trade"].rows,
        lambda row: row.name,
        what="benefit",
        called="what",
        needed=True,
    )
    times: int = fields.whole("Number of times to take this benefit", 1, MAX_TIMES, default=1, checked=True)


@dataclass(frozen=True, slots=True)
class TakeRecruit(ForEntrant):
    """Add a free recruit after a win (Edofleini and Neiran crews)."""

    command = "spoils.recruit"
    typed = "spoils recruit"
    titled = "Add a free recruit"

    who: Profile = fields.among(
        "Gladiator, Arnt, or the model that becomes a Braindrone",
        lambda asking: tuple(load().profiles),
        lambda one: one.name,
        what="statblock",
        needed=True,
    )


@dataclass(frozen=True, slots=True)
class Restart(ForEntrant):
    """Disband your crew and start over with the campaign's starting points.

    It has the points of the beginning again.
    """

    command = "spoils.restart"
    typed = "spoils restart"
    titled = "Start over"

    keep: bool = fields.switch("Keep your Campaign Points", default=True)


def between_games(camp: C, crew: EntrantRow) -> C:
    """Return the campaign, while that crew is between encounters. Raises InvalidInput, Forbidden."""
    camp.require_quiet(crew.id)
    if camp.row.system != "counterblast":
        raise InvalidInput("This only works in a Counterblast campaign.")
    camp.require_between(crew)
    return camp


def told(act: Act, *lines: str, why: tuple[str, ...] = ()) -> Reply:
    """Return what was done, with the dice that fell for it."""
    thrown = compact(act.roller.trace) if act.roller else []
    return Reply((*lines, *(["", *thrown] if thrown else [])), buttons=(UNDO,), why=why)


@handles(TradeSalvage, Place.CAMPAIGN, beforehand=begun)
def trade_salvage(act: Act, action: TradeSalvage) -> Reply:
    """Trade salvage for 5 points each. Rules: CB-SALV-05."""
    entrant = action.crew
    camp = between_games(Campaign(act), entrant)
    effects = spend(entrant.id, camp.balance(entrant.id, TOKENS), action.tokens)
    camp.apply(entrant.id, effects, "traded")
    gained = points_for(action.tokens)
    camp.post(entrant.id, PURSE, gained, f"for {times(action.tokens, 'Salvage Token')}")
    return told(
        act,
        (
            f"{entrant.name} trades {times(action.tokens, 'Salvage Token')} for "
            f"{times(gained, 'requisition point')}."
        ),
        (
            f"You now have {times(camp.balance(entrant.id, PURSE), 'requisition point')} and "
            f"{times(camp.balance(entrant.id, TOKENS), 'Salvage Token')}."
        ),
    )


# ------------------------------------------------------------------------------------ advancement


def _draft(veteran: VeteranRow) -> ModelDraft:
    written = json.loads(veteran.profile)
    return read_draft(written["built"]) if "built" in written else block_of(written)


def _bought(draft: ModelDraft, trait: Trait) -> Trait | None:
    """The Feature as it was bought before, where a higher level takes its place. Rules: CB-BUILD-19."""
    matching = next((feature for feature in draft.features if feature.key == trait.key), None)
    feature = load().features[trait.key]
    return None if feature.stacks or feature.choices else matching


def _next_level(draft: ModelDraft, trait: Trait) -> Trait:
    """One level more than was bought before, or printed. Rules: CB-BUILD-21, CB-FEAT-53."""
    bought = _bought(draft, trait)
    have = max(1, bought.level) if bought else printed_level(draft, trait.key)
    return replace(trait, level=have + 1) if have and trait.level else trait


def _price(draft: ModelDraft, step: Steps | Trait) -> int:
    """Upgrade Points for steps, or for a Feature up to its level. Rules: CB-BUILD-16, CB-BUILD-19."""
    if not isinstance(step, Trait):
        raise_key, count = step
        return raise_cost(draft, raise_key) * count
    bought = _bought(draft, step)
    return trait_cost(draft, step) - (trait_cost(draft, bought) if bought else 0)


@handles(Improve, Place.CAMPAIGN, beforehand=begun)
def improve(act: Act, action: Improve) -> Reply:
    """Improve a member, within the maxima. Rules: CB-CAMP-07, CB-BUILD-18, CB-BUILD-19, CB-CASU-08."""
    entrant, veteran, step = action.crew, action.member, action.what
    camp = between_games(Campaign(act), entrant)
    settings = settings_in(camp.row.settings)
    with act.overridable():
        require_spending(as_fighter(camp, veteran))
    old_draft = _draft(veteran)
    if isinstance(step, Trait):
        require_better(old_draft, step)
    upgrade = _upgrade_said(step)
    cost = _price(old_draft, step)
    have = camp.balance(entrant.id, UPGRADES, veteran.id)
    if cost > have:
        raise Forbidden(
            f"You need {times(cost, 'upgrade point')} for {upgrade}, but {veteran.name} has only {have}.",
            "CB-CAMP-07",
        )
    earned = replace(old_draft, earned=old_draft.earned + cost)
    if isinstance(step, Trait):
        after = with_feature(earned, step, settings)
    else:
        after = raised(earned, *step, settings)
    points = profile_of(after, settings).points - profile_of(old_draft, settings).points
    written = {
        name: value for name, value in json.loads(veteran.profile).items() if name not in ("block", "own")
    }
    written["built"] = write_draft(after)
    veteran.profile = json.dumps(written, sort_keys=True, separators=(",", ":"))
    camp.post(entrant.id, UPGRADES, -cost, f"spent on {upgrade}", veteran.id)
    camp.write(entrant.id, "improved", "", upgrade, f"for {times(cost, 'upgrade point')}", veteran.id)
    if points:
        was = veteran.points
        veteran.points += points
        camp.write(entrant.id, "points", str(was), str(veteran.points), upgrade, veteran.id)
    return told(
        act,
        f"{veteran.name} buys {upgrade} for {times(cost, 'upgrade point')}.",
        f"{veteran.name} has {times(have - cost, 'upgrade point')} left.",
    )


# ------------------------------------------------------------------------------------ scouting, starting over


@handles(TradeScouting, Place.CAMPAIGN, beforehand=begun)
def trade_scouting(act: Act, action: TradeScouting) -> Reply:
    """Return the successes of the last Scouting. Rules: CB-MISS-33."""
    entrant, row = action.crew, action.wanted
    camp = between_games(Campaign(act), entrant)
    have = camp.balance(entrant.id, SCOUTED)
    bought = dict(trade(have, [row.key] * action.times))
    price = row.value("successes") * action.times
    camp.post(entrant.id, SCOUTED, -price, f"traded for {row.name}")
    if "requisition_points" in bought:
        camp.post(entrant.id, PURSE, bought["requisition_points"], "scouting")
    else:
        key = "token" if row.key == "initiative" else row.key
        camp.post(entrant.id, NEXT.of(key), action.times, "scouting")
    count_text = f" x{action.times}" if action.times > 1 else ""
    return told(
        act,
        f"{entrant.name} trades {times(price, 'success', 'successes')} for {row.name}{count_text}.",
        f"{entrant.name} has {times(have - price, 'success', 'successes')} left.",
    )


@handles(TakeRecruit, Place.CAMPAIGN, beforehand=begun)
def take_recruit(act: Act, action: TakeRecruit) -> Reply:
    """Return one of those that wins brought, as long as the leader has INT dice for it.

    Rules: CB-CREW-09, CB-CREW-16.
    """
    entrant, profile = action.crew, action.who
    camp = between_games(Campaign(act), entrant)
    name, have = profile.name, kept(camp, entrant.id)
    free_left = camp.balance(entrant.id, FREE_LEFT)
    with act.overridable():
        name = require_free_recruit(traits_in(entrant.traits).alignment, profile)
        if not free_left:
            raise Forbidden(
                f"{entrant.name} can't add a free recruit now. Win a game to earn one.", "CB-CREW-16"
            )
        if not places(camp, entrant.id, have):
            raise Forbidden(
                f"{entrant.name} already has {times(have, 'free recruit')}, the most that its "
                "leader's INT allows.",
                "CB-CREW-16",
            )
    camp.post(entrant.id, FREE_LEFT, -min(1, free_left), f"recruited {name}")
    row = camp.enrol(
        entrant, name, block_text(profile.key), profile.points, "free recruit", counters={FREE: 1}
    )
    still_free = camp.balance(entrant.id, FREE_LEFT)
    return told(
        act,
        f"{row.name} joins {entrant.name} for free.",
        f"You can still add {times(still_free, 'free recruit')}."
        if still_free
        else "You can't add any more free recruits now.",
    )


@handles(Restart, Place.CAMPAIGN, beforehand=begun)
def restart(act: Act, action: Restart) -> Reply:
    """Dismiss all members; the starting points may be spent again. Rules: CB-CAMP-09."""
    entrant = action.crew
    camp = between_games(Campaign(act), entrant)
    row = camp.row
    agreed = Agreed(row.encounters, (1, 2), row.start_points or 1, row.limit or 1)
    standing = camp.balance(entrant.id, CAMPAIGN)
    fresh = disband(agreed, standing, keep=action.keep)
    if not row.start_points:
        raise InvalidInput("This campaign has no starting points, so you can't start over.")
    for veteran in camp.veterans(entrant.id):
        camp.set_status(veteran, "dismissed", "crew disbanded")
    camp.post(entrant.id, PURSE, fresh.points - camp.balance(entrant.id, PURSE), "started over")
    camp.post(entrant.id, CAMPAIGN, fresh.campaign_points - standing, "started over")
    tokens = camp.balance(entrant.id, TOKENS)
    camp.post(entrant.id, TOKENS, -tokens, "started over")
    return say(
        f"{entrant.name} starts over with {times(fresh.points, 'point')}.",
        f"You have {times(fresh.campaign_points, 'Campaign Point')}. Buy models with /campaign buy.",
        buttons=[UNDO],
    )


def _name(item: Weapon | Gear) -> str:
    return item.name


def _items(context: Asking) -> Sequence[Weapon | Gear]:
    weapons, gear = items_of(draft_of(context.before("member").profile))
    return [*weapons, *gear]


def _weapons(context: Asking) -> Sequence[Weapon]:
    return read_block(context.before("member").profile).weapons


@dataclass(frozen=True, slots=True)
class DiscardItem(ForEntrant):
    """Sell one of a Hero's items for the requisition points it is worth."""

    command = "spoils.discard"
    typed = "spoils discard"
    titled = "Sell an item"

    member: VeteranRow = member_named("Crew member", needed=True)
    item: Weapon | Gear = fields.among("Item to sell", _items, _name, what="item", needed=True)


@dataclass(frozen=True, slots=True)
class BlessWeapon(ForEntrant):
    """Choose which weapon is the Relic Weapon."""

    command = "spoils.weapon"
    typed = "spoils weapon"
    titled = "Choose the Relic Weapon"

    member: VeteranRow = member_named("Crew member", needed=True)
    weapon: Weapon = fields.among("Weapon", _weapons, _name, what="weapon", needed=True)


@handles(BlessWeapon, Place.CAMPAIGN, beforehand=begun)
def bless_weapon(act: Act, action: BlessWeapon) -> Reply:
    """Return one of those it carries. Rules: CB-RELIC-06."""
    entrant, veteran, weapon = action.crew, action.member, action.weapon
    camp = between_games(Campaign(act), entrant)
    marked = [key for key, number in veteran.counters.items() if RELIC_WEAPON.counts(key) and number]
    if not marked:
        raise Forbidden(f"{veteran.name} has no Relic Weapon.", "CB-RELIC-06")
    if RELIC_WEAPON.of(weapon.key) in marked:
        raise InvalidInput(f"{weapon.name} is already the Relic Weapon.")
    camp.post(entrant.id, marked[0], -1, f"changed to {weapon.name}", veteran.id)
    camp.post(entrant.id, RELIC_WEAPON.of(weapon.key), 1, "chosen", veteran.id)
    return say(
        f"{possessive(veteran.name)} Relic Weapon is now the {weapon.name}.",
        "Checks with this weapon get +1.",
        buttons=[UNDO],
    )


@handles(DiscardItem, Place.CAMPAIGN, beforehand=begun)
def discard_item(act: Act, action: DiscardItem) -> Reply:
    """Discard an item of a Hero, unless it is part of the body. Rules: CB-GEAR-05, CB-GEAR-06."""
    entrant, veteran, item = action.crew, action.member, action.item
    camp = between_games(Campaign(act), entrant)
    old_draft = draft_of(veteran.profile)
    kind = "weapons" if isinstance(item, Weapon) else "gear"
    remaining = list(getattr(old_draft, kind))
    remaining.remove(item.key)
    after = (
        replace(old_draft, weapons=tuple(remaining))
        if kind == "weapons"
        else replace(old_draft, gear=tuple(remaining))
    )
    old_faults = draft_faults(old_draft)
    if not old_draft.base.is_hero:
        forbid(f"{veteran.name} can't sell {item.name}, because Lackeys keep their equipment.", "CB-GEAR-05")
    for fault in draft_faults(after):
        if fault not in old_faults and fault.rule != "CB-GEAR-05":
            forbid(fault.sentence, fault.rule)
    worth = points_of(row_text(old_draft)) - points_of(row_text(after))
    veteran.profile = row_text(after)
    camp.write(entrant.id, "equipment", item.name, "", f"sold for {times(worth, 'point')}", veteran.id)
    camp.post(entrant.id, PURSE, worth, f"{veteran.name} sold {item.name}")
    was, veteran.points = veteran.points, veteran.points - worth
    if worth:
        camp.write(entrant.id, "points", str(was), str(veteran.points), f"sold {item.name}", veteran.id)
    return say(
        f"{veteran.name} sells {item.name} for {times(worth, 'point')}.",
        f"You now have {times(camp.balance(entrant.id, PURSE), 'requisition point')}.",
        buttons=[UNDO],
    )
