"""Between the encounters of a campaign: salvage, relics, building, advancement, starting over."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.counterblast.aftermath_lines import (
    FOREIGN,
    NEXT,
    PLANS,
    SCOUTED,
    TIMEBOMBS,
    UPGRADES,
    as_fighter,
    give_relic,
)
from bot.games.counterblast.aftermath_play import last_face
from bot.games.counterblast.checking import compact
from bot.games.counterblast.draft_words import trait_words
from bot.games.counterblast.drafts import read_draft, write_draft
from bot.games.counterblast.fighters import block_text, read_block, settings_in
from bot.games.counterblast.words import dice_words, exactness, times, why_check
from bot.replies.chances import percent
from bot.replies.reply import Button, Reply, say
from bot.store.campaign_rows import EntrantRow, VeteranRow
from bot.table.act import Act
from bot.table.campaign_book import CAMPAIGN, PURSE, Campaign
from bot.table.campaign_games import begun
from bot.table.handlers import Place, handles
from bot.table.history import Undo
from bot.table.names import find
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.aftermath import require_spending
from rules.systems.counterblast.builder import raised, with_feature
from rules.systems.counterblast.campaign import Campaign as Agreed
from rules.systems.counterblast.campaign import Standing, disband
from rules.systems.counterblast.draft import (
    RAISES,
    Draft,
    Raise,
    improving,
    profile_of,
    raise_cost,
    trait_cost,
)
from rules.systems.counterblast.library import load
from rules.systems.counterblast.mission_rewards import trade
from rules.systems.counterblast.profile import Profile, Trait
from rules.systems.counterblast.relics import ROLL_TOKENS, after_bauble, bauble, relic, relic_roll, timebomb
from rules.systems.counterblast.salvage import (
    TOKENS,
    after_building,
    build,
    plan,
    points_for,
    prepare_building,
    require_building,
    spend,
)

UNDO = Button("Undo", Undo(), anytime=True)


@dataclass(frozen=True, slots=True)
class TradeSalvage(Action):
    """Trade Salvage Tokens for requisition points."""

    command = "spoils.trade"

    campaign: int = 0
    crew: str = ""
    tokens: int = 1


@dataclass(frozen=True, slots=True)
class RollRelic(Action):
    """Spend two tokens on a roll on the Relics Table. holder: who carries it; the leader unless named."""

    command = "spoils.relic"

    campaign: int = 0
    crew: str = ""
    holder: str = ""


@dataclass(frozen=True, slots=True)
class UseRelic(Action):
    """Sell a Valuable Bauble or set off a Timebomb."""

    command = "spoils.use"

    campaign: int = 0
    crew: str = ""
    member: str = ""
    relic: str = ""


@dataclass(frozen=True, slots=True)
class BuildModel(Action):
    """Build a model from Salvage. foreign: of another faction, with Secret Plans for it. level: by hand."""

    command = "spoils.build"

    campaign: int = 0
    crew: str = ""
    who: str = ""
    builders: tuple[str, ...] = ()
    foreign: bool = False
    level: int = 0
    odds: bool = False


@dataclass(frozen=True, slots=True)
class Improve(Action):
    """Spend upgrade points of a member on a die, a modifier or a Feature."""

    command = "spoils.improve"

    campaign: int = 0
    crew: str = ""
    member: str = ""
    what: str = ""


@dataclass(frozen=True, slots=True)
class TradeScouting(Action):
    """Trade scouting successes for something in the next encounter."""

    command = "spoils.scouting"

    campaign: int = 0
    crew: str = ""
    wanted: str = ""
    times: int = 1


@dataclass(frozen=True, slots=True)
class Restart(Action):
    """Disband a crew and start over with the points of the beginning. keep: the Campaign Points."""

    command = "spoils.restart"

    campaign: int = 0
    crew: str = ""
    keep: bool = True


def mine(act: Act, crew: str) -> tuple[Campaign, EntrantRow]:
    """The campaign and the asker's crew in it, between encounters. Raises InvalidInput, Forbidden."""
    camp = Campaign(act)
    camp.require_quiet()
    if camp.row.system != "counterblast":
        raise InvalidInput("That belongs to campaigns of Counterblast.")
    entrant = camp.find_entrant(crew)
    camp.require_owner(entrant)
    camp.require_between(entrant)
    return camp, entrant


def _told(act: Act, *lines: str, why: tuple[str, ...] = ()) -> Reply:
    thrown = compact(act.roller.trace) if act.roller else []
    return Reply((*lines, *(["", *thrown] if thrown else [])), buttons=(UNDO,), why=why)


@handles(TradeSalvage, Place.CAMPAIGN, prepare=begun)
def trade_salvage(act: Act, action: TradeSalvage) -> Reply:
    """5 points for each. Rules: CB-SALV-05."""
    camp, entrant = mine(act, action.crew)
    effects = spend(entrant.id, camp.balance(entrant.id, TOKENS), action.tokens)
    camp.apply(entrant.id, effects, "traded")
    gained = points_for(action.tokens)
    camp.post(entrant.id, PURSE, gained, f"for {times(action.tokens, 'Salvage Token')}")
    return _told(
        act,
        f"{entrant.name} trades {times(action.tokens, 'Salvage Token')} for {gained}.",
        f"{camp.balance(entrant.id, PURSE)} requisition points, {camp.balance(entrant.id, TOKENS)} tokens.",
    )


@handles(RollRelic, Place.CAMPAIGN, prepare=begun)
def roll_relic(act: Act, action: RollRelic) -> Reply:
    """Two tokens, one d10. Rules: CB-RELIC-01, CB-SALV-07."""
    camp, entrant = mine(act, action.crew)
    holder = camp.find_veteran(entrant.id, action.holder).name if action.holder else ""
    act.canonical = replace(action, crew=entrant.name, holder=holder)
    effects = spend(entrant.id, camp.balance(entrant.id, TOKENS), ROLL_TOKENS)
    key = act.roll(relic_roll)
    camp.apply(entrant.id, effects, "a roll on the Relics Table")
    told = give_relic(camp, entrant.id, holder, key, f"Relics Table, d10 {last_face(act)}")
    row = relic(key)
    return _told(act, f"{entrant.name} finds: {row.name}", *told, row.text)


@handles(UseRelic, Place.CAMPAIGN, prepare=begun)
def use_relic(act: Act, action: UseRelic) -> Reply:
    """Those that work between encounters, once. Rules: CB-RELIC-09, CB-RELIC-10."""
    camp, entrant = mine(act, action.crew)
    veteran = camp.find_veteran(entrant.id, action.member)
    shown = as_fighter(camp, veteran)
    keys = ("valuable_bauble", "timebomb")
    key = find(action.relic, keys, lambda one: relic(one).name, "relic that is used between encounters")
    act.canonical = replace(action, crew=entrant.name, member=f"#{veteran.id}", relic=relic(key).name)
    if key == "timebomb":
        camp.apply(entrant.id, timebomb(shown), "set off")
        camp.post(entrant.id, TIMEBOMBS, 1, f"set off by {veteran.name}")
        return _told(act, f"{veteran.name} sets a Timebomb.", "-1 on a casualty roll of the next opponent.")
    effects = after_bauble(shown)
    gained = act.roll(bauble)
    camp.apply(entrant.id, effects, "sold")
    camp.post(entrant.id, PURSE, gained, f"bauble of {veteran.name}")
    return _told(act, f"{veteran.name} sells the bauble for {gained}.")


# ------------------------------------------------------------------------------------ building


@handles(BuildModel, Place.CAMPAIGN, prepare=begun)
def build_model(act: Act, action: BuildModel) -> Reply:
    """One check of up to three; the tokens are used either way. Rules: CB-SALV-06 to CB-SALV-11."""
    camp, entrant = mine(act, action.crew)
    settings = settings_in(camp.row.settings)
    profile = find(action.who, tuple(load().profiles), lambda one: one.name, "statblock")
    rows = [camp.find_veteran(entrant.id, name) for name in action.builders]
    if len({row.id for row in rows}) < len(rows):
        raise InvalidInput("Name each builder once.")
    builders = tuple(as_fighter(camp, row) for row in rows)
    act.canonical = replace(
        action, crew=entrant.name, who=profile.name, builders=tuple(f"#{row.id}" for row in rows), odds=False
    )
    wanted = plan(profile, foreign=action.foreign, settings=settings, override=action.level)
    have = camp.balance(entrant.id, TOKENS)
    faction = "" if action.foreign else _faction(entrant, profile)
    require_building(
        profile,
        faction,
        have,
        wanted,
        plans=[profile.key] if action.foreign and _has_plans(entrant, profile.name, rows) else [],
        foreign_built=camp.balance(entrant.id, FOREIGN),
    )
    prepared = prepare_building(builders, wanted, settings)
    needs = f"{times(wanted.tokens, 'token')}, {times(wanted.successes, 'success', 'successes')} needed"
    lines = [dice_words(one, "INT") for one in prepared]
    if action.odds:
        odds = act.solve(build, tuple(one.throw for one in prepared), wanted)
        head = f"{entrant.name} builds {profile.name}: {percent(odds.chance(bool)).strip()}"
        rolls = Button("Build", act.canonical, "main")
        return Reply(
            (head, needs, *lines, exactness(odds), "Nothing is rolled."), private=True, buttons=(rolls,)
        )
    built = act.roll(build, tuple(one.throw for one in prepared), wanted)
    camp.apply(entrant.id, after_building(entrant.id, have, wanted), f"building {profile.name}")
    why = tuple(
        line
        for model, one in zip(builders, prepared, strict=True)
        for line in why_check(one, f"{model.name}, Engineering")
    )
    if not built:
        return _told(act, f"{entrant.name} fails to build {profile.name}.", needs, *lines, why=why)
    if action.foreign:
        camp.post(entrant.id, FOREIGN, 1, f"built {profile.name}")
    row = camp.enrol(entrant, profile.name, block_text(profile.key), profile.points, "built from Salvage")
    return _told(act, f"{row.name} is built and joins {entrant.name}.", needs, *lines, why=why)


def _faction(entrant: EntrantRow, profile: Profile) -> str:
    """The crew's faction; where it named none, that of whom it builds. Rules: CB-SALV-06, CB-CREW-01."""
    return entrant.traits.get("affiliation", "") or next(iter(profile.affiliations), "")


def _has_plans(entrant: EntrantRow, name: str, rows: list[VeteranRow]) -> bool:
    """Whether plans taken with a captive detail that model, or a builder carries some.

    Rules: CB-MISS-10, CB-GEAR-48.
    """
    if entrant.counters.get(f"{PLANS}{name}"):
        return True
    return any(item.key == "secret_plans" for row in rows for item in read_block(row.profile).gear)


# ------------------------------------------------------------------------------------ advancement


def _draft(veteran: VeteranRow) -> Draft:
    written = json.loads(veteran.profile)
    if "built" in written:
        return read_draft(written["built"])
    return improving(load().profiles[written["block"]], 0)


def improvements() -> list[tuple[str, Raise | Trait]]:
    """What upgrade points can buy, each with its name: a step, or a Feature with each of its choices.

    Rules: CB-CAMP-07, CB-BUILD-19.
    """
    found: list[tuple[str, Raise | Trait]] = [(what.replace("_", " "), what) for what in RAISES]
    for feature in load().features:
        for choice in feature.choices or ("",):
            trait = Trait(feature.key, int(len(feature.costs) > 1), choice)
            found.append((trait_words(trait), trait))
    return found


def _bought(draft: Draft, trait: Trait) -> Trait | None:
    """The Feature as it was bought before, where a higher level takes its place. Rules: CB-BUILD-19."""
    same = next((one for one in draft.features if one.key == trait.key), None)
    feature = load().features[trait.key]
    return None if feature.stacks or feature.choices else same


def _next_level(draft: Draft, trait: Trait) -> Trait:
    """One level more than what was bought before. Rules: CB-BUILD-21."""
    before = _bought(draft, trait)
    return replace(trait, level=max(1, before.level) + 1) if before and trait.level else trait


def _price(draft: Draft, step: Raise | Trait) -> int:
    """Upgrade Points for one step, or for the next level of a Feature. Rules: CB-BUILD-16, CB-BUILD-19."""
    if not isinstance(step, Trait):
        return raise_cost(draft, step)
    before = _bought(draft, step)
    return trait_cost(draft, _next_level(draft, step)) - (trait_cost(draft, before) if before else 0)


@handles(Improve, Place.CAMPAIGN, prepare=begun)
def improve(act: Act, action: Improve) -> Reply:
    """Within the maxima, for good. Rules: CB-CAMP-07, CB-BUILD-18, CB-BUILD-19, CB-CASU-08."""
    camp, entrant = mine(act, action.crew)
    veteran = camp.find_veteran(entrant.id, action.member)
    settings = settings_in(camp.row.settings)
    with act.overridable():
        require_spending(as_fighter(camp, veteran))
    before = _draft(veteran)
    names = dict(improvements())
    chosen = find(action.what, list(names), str, "improvement")
    step = names[chosen]
    cost = _price(before, step)
    have = camp.balance(entrant.id, UPGRADES, veteran.id)
    if cost > have:
        raise Forbidden(
            f"{chosen} costs {times(cost, 'upgrade point')}; {veteran.name} has {have}.", "CB-CAMP-07"
        )
    earned = replace(before, earned=before.earned + cost)
    if isinstance(step, Trait):
        after = with_feature(earned, _next_level(before, step), settings)
    else:
        after = raised(earned, step, 1, settings)
    if after == earned:
        raise Forbidden(f"{veteran.name} has {chosen} already.", "CB-BUILD-19")
    points = profile_of(after, settings).points - profile_of(before, settings).points
    written = {name: value for name, value in json.loads(veteran.profile).items() if name != "block"}
    written["built"] = write_draft(after)
    veteran.profile = json.dumps(written, sort_keys=True, separators=(",", ":"))
    camp.post(entrant.id, UPGRADES, -cost, f"spent on {chosen}", veteran.id)
    camp.write(entrant.id, "improved", "", chosen, f"for {cost}", veteran.id)
    if points:
        was = veteran.points
        veteran.points += points
        camp.write(entrant.id, "points", str(was), str(veteran.points), chosen, veteran.id)
    return _told(
        act, f"{veteran.name} improves: {chosen}, for {cost}.", f"{times(have - cost, 'upgrade point')} left."
    )


# ------------------------------------------------------------------------------------ scouting, starting over


@handles(TradeScouting, Place.CAMPAIGN, prepare=begun)
def trade_scouting(act: Act, action: TradeScouting) -> Reply:
    """The successes of the last Scouting. Rules: CB-MISS-33."""
    camp, entrant = mine(act, action.crew)
    if not 1 <= action.times <= 10:
        raise InvalidInput("Trade for 1 to 10 at once.")
    rows = load().charts["scouting_trade"].rows
    row = find(action.wanted, rows, lambda one: one.name, "thing to trade for")
    have = camp.balance(entrant.id, SCOUTED)
    bought = dict(trade(have, [row.key] * action.times))
    price = row.value("successes") * action.times
    camp.post(entrant.id, SCOUTED, -price, f"traded for {row.name}")
    if "requisition_points" in bought:
        camp.post(entrant.id, PURSE, bought["requisition_points"], "scouting")
    else:
        key = "token" if row.key == "initiative" else row.key
        camp.post(entrant.id, f"{NEXT}{key}", action.times, "scouting")
    return _told(
        act,
        f"{entrant.name}: {row.name}{f' x{action.times}' if action.times > 1 else ''}.",
        f"{have - price} successes left.",
    )


@handles(Restart, Place.CAMPAIGN, prepare=begun)
def restart(act: Act, action: Restart) -> Reply:
    """Everybody goes; the points of the beginning may be spent anew. Rules: CB-CAMP-09."""
    camp, entrant = mine(act, action.crew)
    row = camp.row
    agreed = Agreed(row.encounters, (1, 2), row.start_points or 1, row.limit or 1)
    standing = Standing(entrant.owner_id, camp.balance(entrant.id, CAMPAIGN))
    fresh = disband(agreed, standing, keep=action.keep)
    if not row.start_points:
        raise InvalidInput("No points were agreed to start with.")
    for veteran in camp.veterans(entrant.id):
        camp.set_status(veteran, "dismissed", "crew disbanded")
    camp.post(entrant.id, PURSE, fresh.points - camp.balance(entrant.id, PURSE), "started over")
    camp.post(entrant.id, CAMPAIGN, fresh.campaign_points - standing.campaign_points, "started over")
    tokens = camp.balance(entrant.id, TOKENS)
    camp.post(entrant.id, TOKENS, -tokens, "started over")
    return say(
        f"{entrant.name} starts over: {fresh.points} points.",
        f"Campaign points: {fresh.campaign_points}. Buy: /campaign buy.",
        buttons=[UNDO],
    )
