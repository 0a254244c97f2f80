"""Between encounters: models built from Salvage, relics, ransoms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.games.counterblast.campaign import gains
from bot.games.counterblast.campaign.aftermath import last_face
from bot.games.counterblast.campaign.gains import FOREIGN, PLANS, TIMEBOMBS, as_fighter, give_relic
from bot.games.counterblast.campaign.spoils import require_between_games, spoils_reply
from bot.games.counterblast.core.wording import cast_together, dice_words, why_check
from bot.games.counterblast.state.missions import CAPTIVE
from bot.games.counterblast.state.models import block_text, read_block, settings_in
from bot.replies.chances import bars, percent
from bot.replies.reply import Button, Reply, say
from bot.store.row_types import EntrantRow, VeteranRow
from bot.table.act import Act, ActView
from bot.table.asking import fields
from bot.table.asking.kinds import Asking
from bot.table.campaign.campaign_games import begun
from bot.table.handlers import Place, handles
from bot.table.journal.history import UNDO
from bot.table.ledger.campaign_book import PURSE, Campaign, CampaignView
from bot.table.ledger.campaign_fields import ForEntrant, member_field, members_field
from bot.table.names import find
from bot.table.steps import Chances, Weighed, in_steps
from bot.table.throw_purposes import Cast, Whose
from rules.counters import CounterName
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.checks import PreparedCheck, Throw
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Profile
from rules.systems.counterblast.core.settings import Settings
from rules.systems.counterblast.gear.salvage import (
    ROLL_TOKENS,
    TOKENS,
    Plan,
    after_bauble,
    after_building,
    bauble,
    build,
    plan,
    prepare_building,
    relic,
    relic_roll,
    require_building,
    spend,
    timebomb,
)
from rules.wording import possessive, times


def _buildable(context: Asking) -> list[str]:
    crew, house = context.before("crew"), settings_in(CampaignView(context.act).row.settings)
    return [profile.name for profile in load().profiles if _can_build(crew, profile, house)]


def _profile(context: Asking, text: str) -> Profile:
    return find(text, tuple(load().profiles), lambda one: one.name, "statblock")


def _can_build(entrant: EntrantRow, profile: Profile, house: Settings) -> bool:
    try:
        build_plan = plan(profile, foreign=False, settings=house)
        require_building(profile, _faction(entrant, profile), entrant.counters.get(TOKENS, 0), build_plan)
    except (Forbidden, InvalidInput):
        return False
    return True


@dataclass(frozen=True, slots=True)
class BuildModel(ForEntrant):
    """Spend Salvage Tokens to build a model."""

    command = "spoils.build"
    typed = "spoils build"
    titled = "Build"

    who: Profile = fields.sought(
        "Model to build", _buildable, _profile, written=lambda one: one.name, needed=True
    )
    builders: tuple[VeteranRow, ...] = members_field(
        "One to three builders, separated by commas", needed=True
    )
    foreign: bool = fields.switch("The model belongs to another faction (needs Secret Plans)")
    level: int = fields.whole("Level of the model (default: worked out from its points)", 0, 3, default=0)
    odds: bool = fields.odds("Only show the chance", behind=3)


@dataclass(frozen=True, slots=True)
class ReadyBuild:
    """A model that may be built: its builder, the tokens, and the dice."""

    profile: Profile
    builders: tuple[Fighter, ...]
    wanted: Plan
    have: int
    checks: tuple[PreparedCheck, ...]

    @property
    def throws(self) -> tuple[Throw, ...]:
        """Return the dice of all builders."""
        return tuple(check.throw for check in self.checks)

    @property
    def told(self) -> tuple[str, ...]:
        """Return the requirements and the dice in words."""
        tokens = times(self.wanted.tokens, "Salvage Token")
        successes = times(self.wanted.successes, "success", "successes")
        needs = f"Building {self.profile.name} takes {tokens} and {successes}."
        return (needs, *(dice_words(check, "INT") for check in self.checks))


@in_steps(BuildModel, Place.CAMPAIGN, beforehand=begun)
class Building(Weighed[BuildModel, ReadyBuild]):
    """Build a model; the tokens are spent even if that fails. Rules: CB-SALV-06 to CB-SALV-11."""

    label = "Build"

    def prepare(self, act: ActView, action: BuildModel) -> ReadyBuild:
        """Prepare it of the crew's Salvage, by up to three of its members. Raises InvalidInput, Forbidden."""
        entrant, profile, rows = action.crew, action.who, action.builders
        camp = require_between_games(CampaignView(act), entrant)
        house = settings_in(camp.row.settings)
        if len({row.id for row in rows}) < len(rows):
            raise InvalidInput("Name each builder only once.")
        builders = tuple(as_fighter(camp, row) for row in rows)
        build_plan = plan(profile, foreign=action.foreign, settings=house, override=action.level)
        tokens = camp.balance(entrant.id, TOKENS)
        plans = [profile.key] if action.foreign and _has_plans(entrant, profile.name, rows) else []
        require_building(
            profile,
            "" if action.foreign else _faction(entrant, profile),
            tokens,
            build_plan,
            plans=plans,
            foreign_built=camp.balance(entrant.id, FOREIGN),
        )
        checks = tuple(prepare_building(builders, build_plan, house))
        return ReadyBuild(profile, builders, build_plan, tokens, checks)

    def do(self, act: Act, action: BuildModel, ready: ReadyBuild) -> Reply:
        camp, entrant = Campaign(act), action.crew
        name, throws = ready.profile.name, ready.throws
        rollers = _cast_builders([builder.name for builder in ready.builders], throws, name, entrant.owner)
        built = act.roll(rollers, build, throws, ready.wanted)
        camp.apply(entrant.id, after_building(entrant.id, ready.have, ready.wanted), f"building {name}")
        reasons = tuple(
            line
            for model, prepared in zip(ready.builders, ready.checks, strict=True)
            for line in why_check(prepared, f"{possessive(model.name)} Engineering check")
        )
        if not built:
            return spoils_reply(act, f"{entrant.name} fails to build {name}.", *ready.told, why=reasons)
        if action.foreign:
            camp.post(entrant.id, FOREIGN, 1, f"built {name}")
        points, key = ready.profile.points, ready.profile.key
        row = camp.enrol(entrant, name, block_text(key), points, "built with Salvage Tokens")
        return spoils_reply(
            act, f"{row.name} has been built and joins {entrant.name}.", *ready.told, why=reasons
        )

    def chances(self, act: ActView, action: BuildModel, ready: ReadyBuild) -> Chances:
        odds = act.solve(build, ready.throws, ready.wanted)
        chance = odds.chance(bool)
        owner = possessive(action.crew.name)
        head = f"{owner} chance of building {ready.profile.name}: {percent(chance).strip()}"
        return Chances((head, *ready.told), "a finished model", chance, (odds,))


def _cast_builders(names: list[str], throws: tuple[Throw, ...], building: str, player: str) -> Cast:
    cast = cast_together("Engineering", f"to build {building}", throws, names)
    return lambda throw: replace(cast(throw), player=player)


def _faction(entrant: EntrantRow, profile: Profile) -> str:
    """Return the crew's faction or, if it has none, the model's. Rules: CB-SALV-06, CB-CREW-01."""
    return entrant.traits.get("affiliation", "") or next(iter(profile.affiliations), "")


def _has_plans(entrant: EntrantRow, name: str, rows: Sequence[VeteranRow]) -> bool:
    """Return whether plans taken with a captive detail that model, or a builder carries some.

    Rules: CB-MISS-10, CB-GEAR-48.
    """
    if entrant.counters.get(PLANS.of(name)):
        return True
    return any(item.key == "secret_plans" for row in rows for item in read_block(row.profile).gear)


RELICS_BETWEEN_GAMES = ("valuable_bauble", "timebomb")
"""Relics that are used between encounters."""


@dataclass(frozen=True, slots=True)
class RollRelic(ForEntrant):
    """Spend two Salvage Tokens and roll on the Relics Table."""

    command = "spoils.relic"
    typed = "spoils relic"
    titled = "Roll for a relic"

    holder: VeteranRow | None = member_field(
        "Member who will carry the relic (leave blank for the leader)", fact=True
    )
    odds: bool = fields.odds("Only show the chances", behind=3)


@dataclass(frozen=True, slots=True)
class UseRelic(ForEntrant):
    """Sell a Bauble or set a Timebomb."""

    command = "spoils.use"
    typed = "spoils use"
    titled = "Use a relic between games"

    member: VeteranRow = member_field("Member who carries the relic", needed=True)
    relic: str = fields.one_of("Relic", {relic(one).name: one for one in RELICS_BETWEEN_GAMES}, needed=True)
    odds: bool = fields.odds("Only show the chances", behind=3)


@dataclass(frozen=True, slots=True)
class ReadyRelic:
    """A roll on the Relics Table that can be paid. holder: who will carry it."""

    crew: str
    holder: str
    tokens: int


@in_steps(RollRelic, Place.CAMPAIGN, beforehand=begun)
class RollingRelic(Weighed[RollRelic, ReadyRelic]):
    """Two tokens, one d10. Rules: CB-RELIC-01, CB-SALV-07."""

    def prepare(self, act: ActView, action: RollRelic) -> ReadyRelic:
        """Prepare it of the crew's Salvage. Raises InvalidInput, Forbidden."""
        entrant, holder = action.crew, action.holder.name if action.holder else ""
        camp = require_between_games(CampaignView(act), entrant)
        tokens = camp.balance(entrant.id, TOKENS)
        spend(entrant.id, tokens, ROLL_TOKENS)
        return ReadyRelic(entrant.name, holder, tokens)

    def do(self, act: Act, action: RollRelic, ready: ReadyRelic) -> Reply:
        camp, entrant = Campaign(act), action.crew
        key = act.roll(Whose(entrant.name, "roll", "on the Relics Table", entrant.owner), relic_roll)
        camp.apply(entrant.id, spend(entrant.id, ready.tokens, ROLL_TOKENS), "a roll on the Relics Table")
        cause = f"rolled {last_face(act)} on the Relics Table"
        relic_lines = give_relic(camp, entrant.id, ready.holder, key, cause)
        row = relic(key)
        return spoils_reply(act, f"{entrant.name} finds a relic: {row.name}.", *relic_lines, row.text)

    def chances(self, act: ActView, action: RollRelic, ready: ReadyRelic) -> Chances:
        odds = act.solve(relic_roll)
        rows = [(relic(key).name, chance) for key, chance in odds.each().items()]
        head = f"This roll costs {ready.crew} {ROLL_TOKENS} of its {times(ready.tokens, 'Salvage Token')}"
        return Chances((head, *bars(rows)), solved=(odds,))


@dataclass(frozen=True, slots=True)
class ReadyToSell:
    """A relic that is used between encounters, and who carries it."""

    name: str
    shown: Fighter
    key: str


@in_steps(UseRelic, Place.CAMPAIGN, beforehand=begun)
class UsingRelic(Weighed[UseRelic, ReadyToSell]):
    """Use a relic that works once, between encounters. Rules: CB-RELIC-09, CB-RELIC-10."""

    label = "Sell the Bauble"

    def prepare(self, act: ActView, action: UseRelic) -> ReadyToSell:
        """Return one that a member carries. Raises InvalidInput, Forbidden."""
        key, veteran = action.relic, action.member
        fighter = as_fighter(require_between_games(CampaignView(act), action.crew), veteran)
        if key == "timebomb":
            timebomb(fighter)
            if act.action.looks:
                raise InvalidInput("No dice are rolled for a Timebomb, so there are no odds to show.")
        else:
            after_bauble(fighter)
        return ReadyToSell(veteran.name, fighter, key)

    def do(self, act: Act, action: UseRelic, ready: ReadyToSell) -> Reply:
        camp, entrant = Campaign(act), action.crew
        if ready.key == "timebomb":
            camp.apply(entrant.id, timebomb(ready.shown), "set")
            camp.post(entrant.id, TIMEBOMBS, 1, f"set by {ready.name}")
            return spoils_reply(
                act, f"{ready.name} sets a Timebomb.", "The next opponent gets -1 on one casualty roll."
            )
        price = act.roll(Whose(ready.name, "roll", "for the price of the Bauble", entrant.owner), bauble)
        camp.apply(entrant.id, after_bauble(ready.shown), "sold")
        camp.post(entrant.id, PURSE, price, f"{ready.name} sold a Bauble")
        return spoils_reply(act, f"{ready.name} sells the Bauble for {times(price, 'requisition point')}.")

    def chances(self, act: ActView, action: UseRelic, ready: ReadyToSell) -> Chances:
        odds = act.solve(bauble)
        prices = odds.each()
        price_line = (
            f"If {ready.name} sells the Bauble, you get between {min(prices)} and {max(prices)} requisition "
            f"points ({odds.mean(float):g} on average)."
        )
        return Chances((price_line,), solved=(odds,))


OFFERED = CounterName("ransom offered")
"""Account of a captive: requisition points that its crew offers for it."""
MAX_RANSOM = 1000


def _list_captured(context: Asking) -> list[VeteranRow]:
    crew = context.before("crew").id
    return [row for row in context.act.book.all(VeteranRow) if row.entrant == crew and row.status == CAPTIVE]


def _list_held_captives(context: Asking) -> list[VeteranRow]:
    crew, rows = context.before("crew").id, context.act.book.all(VeteranRow)
    return [row for row in rows if row.status == CAPTIVE and row.counters.get(gains.CAPTOR) == crew]


def _captive_field(label: str, captives_of: Callable[[Asking], Sequence[VeteranRow]]) -> Any:
    def find_it(context: Asking, text: str) -> VeteranRow:
        captives = captives_of(context)
        if not captives:
            raise InvalidInput("There is no captive to choose.")
        return find(text, captives, lambda row: row.name, "captive")

    return fields.sought(
        label,
        lambda context: [row.name for row in captives_of(context)],
        find_it,
        written=lambda row: row.name,
        needed=True,
    )


@dataclass(frozen=True, slots=True)
class OfferRansom(ForEntrant):
    """Offer requisition points to free your captured member (0 withdraws the offer)."""

    command = "spoils.ransom"
    typed = "spoils ransom"
    titled = "Offer ransom"

    member: VeteranRow = _captive_field("Captured member", _list_captured)
    points: int = fields.whole("Requisition points you offer", 0, MAX_RANSOM, default=0, needed=True)


@dataclass(frozen=True, slots=True)
class Release(ForEntrant):
    """Release a captive in return for the ransom, if one has been offered."""

    command = "spoils.release"
    typed = "spoils release"
    titled = "Release a captive"

    member: VeteranRow = _captive_field("Captive you hold", _list_held_captives)


@handles(OfferRansom, Place.CAMPAIGN, beforehand=begun)
def offer_ransom(act: Act, action: OfferRansom) -> Reply:
    """Announce the offer; the captor's player may accept it while it is open."""
    entrant, veteran = action.crew, action.member
    camp = require_between_games(Campaign(act), entrant)
    purse = camp.balance(entrant.id, PURSE)
    if action.points > purse:
        raise Forbidden(
            f"{entrant.name} has only {times(purse, 'requisition point')} (you entered {action.points})."
        )
    old_price = veteran.counters.get(OFFERED, 0)
    if old_price == action.points:
        raise InvalidInput(
            f"You have already offered {times(old_price, 'requisition point')} for {veteran.name}. "
            "Enter another amount."
            if old_price
            else f"You haven't offered anything for {veteran.name}. Enter the amount you want to offer."
        )
    camp.post(entrant.id, OFFERED, action.points - old_price, "offered", veteran.id)
    captor = camp.entrant(veteran.counters[gains.CAPTOR])
    if not action.points:
        return say(f"{entrant.name} withdraws the offer for {veteran.name}.", buttons=[UNDO])
    free_button = Button("Free the captive", Release(camp.book.scope, captor, veteran), "main", anytime=True)
    return say(
        f"{entrant.name} offers {times(action.points, 'requisition point')} for {veteran.name}.",
        f"{captor.owner} can free {veteran.name} now.",
        buttons=[free_button, UNDO],
    )


@handles(Release, Place.CAMPAIGN, beforehand=begun)
def release_captive(act: Act, action: Release) -> Reply:
    """Free the captive for the ransom offered, or for nothing."""
    camp = require_between_games(Campaign(act), action.crew)
    return say(*_free_captive(camp, action.crew, action.member), buttons=[UNDO])


def _free_captive(camp: Campaign, captor: EntrantRow, veteran: VeteranRow) -> list[str]:
    price, cause = veteran.counters.get(OFFERED, 0), f"ransom for {veteran.name}"
    home = camp.entrant(veteran.entrant)
    if price:
        camp.post(home.id, PURSE, -price, cause)
        camp.post(captor.id, PURSE, price, cause)
        camp.post(home.id, OFFERED, -price, cause, veteran.id)
    freed_text = gains.free_captive(camp, veteran, cause)
    payment_text = (
        f"{home.name} pays {times(price, 'requisition point')} to {captor.name}."
        if price
        else f"{captor.name} asks for no ransom."
    )
    return [f"{captor.name} frees {veteran.name}.", payment_text, freed_text]
