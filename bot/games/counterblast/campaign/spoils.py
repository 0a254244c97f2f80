"""Spend the spoils of an encounter: equipment, trades and swaps."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from bot.games.counterblast.building.draft_texts import (
    Steps,
    draft_of,
    ends_with_level,
    items_of,
    points_of,
    row_text,
    steps_words,
    trait_words,
    upgrade_named,
    upgrades,
)
from bot.games.counterblast.campaign.gains import (
    FREE_RECRUIT,
    FREE_RECRUITS_LEFT,
    NEXT_ENCOUNTER,
    SCOUTING_SUCCESSES,
    as_fighter,
    count_free_recruits,
    count_recruit_places,
)
from bot.games.counterblast.core.narration import list_throws
from bot.games.counterblast.state.drafts import draft_from_block, read_draft, write_draft
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
from bot.table.ledger.campaign_fields import ForEntrant, member_field
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.counterblast.building.builder import (
    add_feature,
    buy_steps,
    list_draft_faults,
    refuse_worse_feature,
)
from rules.systems.counterblast.building.crew import name_free_recruit
from rules.systems.counterblast.building.draft import (
    ModelDraft,
    build_profile,
    get_printed_level,
    get_raise_cost,
    get_trait_cost,
)
from rules.systems.counterblast.campaign import UPGRADE_POINTS, disband, require_can_spend, trade_successes
from rules.systems.counterblast.campaign import Campaign as Agreed
from rules.systems.counterblast.core.counters import RELIC_WEAPON
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Gear, Note, Profile, Trait, Weapon
from rules.systems.counterblast.gear.salvage import TOKENS, points_for, spend
from rules.wording import possessive, times


def list_upgrades(context: Asking) -> Sequence[str]:
    """Return the dice, modifiers and Features."""
    return list(upgrades())


AnyCampaign = TypeVar("AnyCampaign", bound=CampaignView)

MAX_TOKENS = 99
MAX_TIMES = 10


@dataclass(frozen=True, slots=True)
class TradeSalvage(ForEntrant):
    """Trade Salvage Tokens for requisition points."""

    command = "spoils.trade"
    typed = "spoils trade"
    titled = "Trade salvage"

    tokens: int = fields.whole("Number of Salvage Tokens", 1, MAX_TOKENS, default=1)


def _read_upgrade(context: Asking, text: str) -> Steps | Trait:
    """Return a step, or a Feature with the level that is meant for the member that was said."""
    step = upgrade_named(text)
    if isinstance(step, Trait) and not ends_with_level(text):
        return _raise_level(_read_draft(context.before("member")), step)
    return step


def _describe_upgrade(step: Steps | Trait) -> str:
    return trait_words(step) if isinstance(step, Trait) else steps_words(*step)


@dataclass(frozen=True, slots=True)
class Improve(ForEntrant):
    """Spend a member's upgrade points."""

    command = "spoils.improve"
    typed = "spoils improve"
    titled = "Improve a member"

    member: VeteranRow = member_field("Crew member", needed=True)
    what: Steps | Trait = fields.sought(
        "Ability die, modifier or Feature to buy",
        list_upgrades,
        _read_upgrade,
        written=_describe_upgrade,
        needed=True,
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


def require_between_games(camp: AnyCampaign, crew: EntrantRow) -> AnyCampaign:
    """Return the campaign, while that crew is between encounters. Raises InvalidInput, Forbidden."""
    camp.require_quiet(crew.id)
    if camp.row.system != "counterblast":
        raise InvalidInput("This only works in a Counterblast campaign.")
    camp.require_between(crew)
    return camp


def spoils_reply(act: Act, *lines: str, why: tuple[str, ...] = ()) -> Reply:
    """Return what was done, with the dice that fell for it."""
    dice_lines = list_throws(act.roller.trace) if act.roller else []
    return Reply((*lines, *(["", *dice_lines] if dice_lines else [])), buttons=(UNDO,), why=why)


@handles(TradeSalvage, Place.CAMPAIGN, beforehand=begun)
def trade_salvage(act: Act, action: TradeSalvage) -> Reply:
    """Trade salvage for 5 points each. Rules: CB-SALV-05."""
    entrant = action.crew
    camp = require_between_games(Campaign(act), entrant)
    effects = spend(entrant.id, camp.balance(entrant.id, TOKENS), action.tokens)
    camp.apply(entrant.id, effects, "traded")
    gained = points_for(action.tokens)
    camp.post(entrant.id, PURSE, gained, f"for {times(action.tokens, 'Salvage Token')}")
    return spoils_reply(
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


def _read_draft(veteran: VeteranRow) -> ModelDraft:
    content = json.loads(veteran.profile)
    return read_draft(content["built"]) if "built" in content else draft_from_block(content)


def _find_bought_feature(draft: ModelDraft, trait: Trait) -> Trait | None:
    """The Feature as it was bought before, where a higher level takes its place. Rules: CB-BUILD-19."""
    matching = next((feature for feature in draft.features if feature.key == trait.key), None)
    feature = load().features[trait.key]
    return None if feature.stacks or feature.choices else matching


def _raise_level(draft: ModelDraft, trait: Trait) -> Trait:
    """One level more than was bought before, or printed. Rules: CB-BUILD-21, CB-FEAT-53."""
    bought_feature = _find_bought_feature(draft, trait)
    level = max(1, bought_feature.level) if bought_feature else get_printed_level(draft, trait.key)
    return replace(trait, level=level + 1) if level and trait.level else trait


def _upgrade_cost(draft: ModelDraft, step: Steps | Trait) -> int:
    """Upgrade Points for steps, or for a Feature up to its level. Rules: CB-BUILD-16, CB-BUILD-19."""
    if not isinstance(step, Trait):
        raise_key, count = step
        return get_raise_cost(draft, raise_key) * count
    bought_feature = _find_bought_feature(draft, step)
    return get_trait_cost(draft, step) - (get_trait_cost(draft, bought_feature) if bought_feature else 0)


@handles(Improve, Place.CAMPAIGN, beforehand=begun)
def improve(act: Act, action: Improve) -> Reply:
    """Improve a member, within the maxima. Rules: CB-CAMP-07, CB-BUILD-18, CB-BUILD-19, CB-CASU-08."""
    entrant, veteran, step = action.crew, action.member, action.what
    camp = require_between_games(Campaign(act), entrant)
    settings = settings_in(camp.row.settings)
    with act.overridable():
        require_can_spend(as_fighter(camp, veteran))
    old_draft = _read_draft(veteran)
    if isinstance(step, Trait):
        refuse_worse_feature(old_draft, step)
    upgrade = _describe_upgrade(step)
    cost = _upgrade_cost(old_draft, step)
    points_available = camp.balance(entrant.id, UPGRADE_POINTS, veteran.id)
    if cost > points_available:
        raise Forbidden(
            f"You need {times(cost, 'upgrade point')} for {upgrade}, but {veteran.name} has only "
            f"{points_available}.",
            "CB-CAMP-07",
        )
    funded_draft = replace(old_draft, earned=old_draft.earned + cost)
    if isinstance(step, Trait):
        new_draft = add_feature(funded_draft, step, settings)
    else:
        new_draft = buy_steps(funded_draft, *step, settings)
    points = build_profile(new_draft, settings).points - build_profile(old_draft, settings).points
    content = {
        name: value for name, value in json.loads(veteran.profile).items() if name not in ("block", "own")
    }
    content["built"] = write_draft(new_draft)
    veteran.profile = json.dumps(content, sort_keys=True, separators=(",", ":"))
    camp.post(entrant.id, UPGRADE_POINTS, -cost, f"spent on {upgrade}", veteran.id)
    camp.write(entrant.id, "improved", "", upgrade, f"for {times(cost, 'upgrade point')}", veteran.id)
    if points:
        old_points = veteran.points
        veteran.points += points
        camp.write(entrant.id, "points", str(old_points), str(veteran.points), upgrade, veteran.id)
    return spoils_reply(
        act,
        f"{veteran.name} buys {upgrade} for {times(cost, 'upgrade point')}.",
        f"{veteran.name} has {times(points_available - cost, 'upgrade point')} left.",
    )


# ------------------------------------------------------------------------------------ scouting, starting over


@handles(TradeScouting, Place.CAMPAIGN, beforehand=begun)
def trade_scouting(act: Act, action: TradeScouting) -> Reply:
    """Trade the successes of the last Scouting for a benefit. Rules: CB-MISS-33."""
    entrant, row = action.crew, action.wanted
    camp = require_between_games(Campaign(act), entrant)
    successes = camp.balance(entrant.id, SCOUTING_SUCCESSES)
    benefits = dict(trade_successes(successes, [row.key] * action.times))
    price = row.value("successes") * action.times
    camp.post(entrant.id, SCOUTING_SUCCESSES, -price, f"traded for {row.name}")
    if "requisition_points" in benefits:
        camp.post(entrant.id, PURSE, benefits["requisition_points"], "scouting")
    else:
        key = "token" if row.key == "initiative" else row.key
        camp.post(entrant.id, NEXT_ENCOUNTER.of(key), action.times, "scouting")
    count_text = f" x{action.times}" if action.times > 1 else ""
    return spoils_reply(
        act,
        (
            f"{entrant.name} trades {times(price, 'scouting success', 'scouting successes')} for "
            f"{row.name}{count_text}."
        ),
        f"{entrant.name} has {times(successes - price, 'scouting success', 'scouting successes')} left.",
    )


@handles(TakeRecruit, Place.CAMPAIGN, beforehand=begun)
def take_recruit(act: Act, action: TakeRecruit) -> Reply:
    """Add one of the free recruits that wins brought, as long as the leader has INT dice for it.

    Rules: CB-CREW-09, CB-CREW-16.
    """
    entrant, profile = action.crew, action.who
    camp = require_between_games(Campaign(act), entrant)
    name, recruits = profile.name, count_free_recruits(camp, entrant.id)
    free_left = camp.balance(entrant.id, FREE_RECRUITS_LEFT)
    with act.overridable():
        name = name_free_recruit(traits_in(entrant.traits).alignment, profile)
        if not free_left:
            raise Forbidden(
                f"{entrant.name} can't add a free recruit now. Win a game to earn one.", "CB-CREW-16"
            )
        if not count_recruit_places(camp, entrant.id, recruits):
            raise Forbidden(
                f"{entrant.name} has {times(recruits, 'free recruit')}, "
                "which is the limit set by its leader's INT.",
                "CB-CREW-16",
            )
    camp.post(entrant.id, FREE_RECRUITS_LEFT, -min(1, free_left), f"recruited {name}")
    row = camp.enrol(
        entrant, name, block_text(profile.key), profile.points, "free recruit", counters={FREE_RECRUIT: 1}
    )
    still_free = min(
        camp.balance(entrant.id, FREE_RECRUITS_LEFT), count_recruit_places(camp, entrant.id, recruits + 1)
    )
    return spoils_reply(
        act,
        f"{row.name} joins {entrant.name} for free.",
        f"You have {times(still_free, 'free recruit')} left to add."
        if still_free
        else "You can't add any more free recruits now.",
    )


@handles(Restart, Place.CAMPAIGN, beforehand=begun)
def restart(act: Act, action: Restart) -> Reply:
    """Dismiss all members; the starting points may be spent again. Rules: CB-CAMP-09."""
    entrant = action.crew
    camp = require_between_games(Campaign(act), entrant)
    row = camp.row
    terms = Agreed(row.encounters, (1, 2), row.start_points or 1, row.limit or 1)
    campaign_points = camp.balance(entrant.id, CAMPAIGN)
    new_start = disband(terms, campaign_points, keep=action.keep)
    if not row.start_points:
        raise InvalidInput("This campaign has no starting points, so you can't start over.")
    for veteran in camp.veterans(entrant.id):
        camp.set_status(veteran, "dismissed", "crew disbanded")
    camp.post(entrant.id, PURSE, new_start.points - camp.balance(entrant.id, PURSE), "started over")
    camp.post(entrant.id, CAMPAIGN, new_start.campaign_points - campaign_points, "started over")
    tokens = camp.balance(entrant.id, TOKENS)
    camp.post(entrant.id, TOKENS, -tokens, "started over")
    return say(
        f"{entrant.name} starts over with {times(new_start.points, 'requisition point')}.",
        f"You have {times(new_start.campaign_points, 'Campaign Point')}. Buy models with /campaign buy.",
        buttons=[UNDO],
    )


def _name(item: Weapon | Gear) -> str:
    return item.name


def _list_items(context: Asking) -> Sequence[Weapon | Gear]:
    weapons, gear = items_of(draft_of(context.before("member").profile))
    return [*weapons, *gear]


def _list_weapons(context: Asking) -> Sequence[Weapon]:
    return read_block(context.before("member").profile).weapons


@dataclass(frozen=True, slots=True)
class DiscardItem(ForEntrant):
    """Sell one of a Hero's items for the requisition points it is worth."""

    command = "spoils.discard"
    typed = "spoils discard"
    titled = "Sell an item"

    member: VeteranRow = member_field("Crew member", needed=True)
    item: Weapon | Gear = fields.among("Item to sell", _list_items, _name, what="item", needed=True)


@dataclass(frozen=True, slots=True)
class BlessWeapon(ForEntrant):
    """Choose which weapon is the Relic Weapon."""

    command = "spoils.weapon"
    typed = "spoils weapon"
    titled = "Choose the Relic Weapon"

    member: VeteranRow = member_field("Crew member", needed=True)
    weapon: Weapon = fields.among("Weapon", _list_weapons, _name, what="weapon", needed=True)


@handles(BlessWeapon, Place.CAMPAIGN, beforehand=begun)
def bless_weapon(act: Act, action: BlessWeapon) -> Reply:
    """Make one of the weapons that it carries the Relic Weapon. Rules: CB-RELIC-06."""
    entrant, veteran, weapon = action.crew, action.member, action.weapon
    camp = require_between_games(Campaign(act), entrant)
    weapon_marks = [key for key, number in veteran.counters.items() if RELIC_WEAPON.counts(key) and number]
    if not weapon_marks:
        raise Forbidden(f"{veteran.name} has no Relic Weapon.", "CB-RELIC-06")
    if RELIC_WEAPON.of(weapon.key) in weapon_marks:
        raise InvalidInput(f"{weapon.name} is already the Relic Weapon.")
    camp.post(entrant.id, weapon_marks[0], -1, f"changed to {weapon.name}", veteran.id)
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
    camp = require_between_games(Campaign(act), entrant)
    old_draft = draft_of(veteran.profile)
    kind = "weapons" if isinstance(item, Weapon) else "gear"
    remaining = list(getattr(old_draft, kind))
    remaining.remove(item.key)
    new_draft = (
        replace(old_draft, weapons=tuple(remaining))
        if kind == "weapons"
        else replace(old_draft, gear=tuple(remaining))
    )
    old_faults = list_draft_faults(old_draft)
    if not old_draft.base.is_hero:
        forbid(f"{veteran.name} can't sell {item.name}, because Lackeys keep their equipment.", "CB-GEAR-05")
    for fault in list_draft_faults(new_draft):
        if fault not in old_faults and fault.rule != "CB-GEAR-05":
            forbid(fault.sentence, fault.rule)
    sale_price = points_of(row_text(old_draft)) - points_of(row_text(new_draft))
    veteran.profile = row_text(new_draft)
    camp.write(entrant.id, "equipment", item.name, "", f"sold for {times(sale_price, 'point')}", veteran.id)
    camp.post(entrant.id, PURSE, sale_price, f"{veteran.name} sold {item.name}")
    old_points, veteran.points = veteran.points, veteran.points - sale_price
    if sale_price:
        camp.write(
            entrant.id, "points", str(old_points), str(veteran.points), f"sold {item.name}", veteran.id
        )
    return say(
        f"{veteran.name} sells {item.name} for {times(sale_price, 'requisition point')}.",
        f"You now have {times(camp.balance(entrant.id, PURSE), 'requisition point')}.",
        buttons=[UNDO],
    )
