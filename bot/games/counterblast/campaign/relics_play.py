"""Relics of a campaign: rolled for with Salvage, used between encounters."""

from __future__ import annotations

from dataclasses import dataclass

from bot.games.counterblast.campaign.aftermath_play import last_face
from bot.games.counterblast.campaign.gains import TIMEBOMBS, as_fighter, give_relic
from bot.games.counterblast.campaign.spoils import between_games, told
from bot.replies.chances import bars
from bot.replies.reply import Reply
from bot.store.row_types import VeteranRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.campaign.campaign_asked import ForEntrant, member_named
from bot.table.campaign.campaign_book import PURSE, Campaign
from bot.table.campaign.campaign_games import begun
from bot.table.handlers import Place
from bot.table.rolling.throws import Whose
from bot.table.steps import Chances, Weighed, in_steps
from rules.refusals import InvalidInput
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.gear.salvage import (
    ROLL_TOKENS,
    TOKENS,
    after_bauble,
    bauble,
    relic,
    relic_roll,
    spend,
    timebomb,
)
from rules.wording import times

BETWEEN = ("valuable_bauble", "timebomb")
"""Relics that are used between encounters."""


@dataclass(frozen=True, slots=True)
class RollRelic(ForEntrant):
    """Two Salvage Tokens: roll on the Relics Table."""

    command = "spoils.relic"
    typed = "spoils relic"
    titled = "Roll a relic"

    holder: VeteranRow | None = member_named("Who carries it; else the leader", fact=True)
    odds: bool = fields.odds("Only show the chances", behind=3)


@dataclass(frozen=True, slots=True)
class UseRelic(ForEntrant):
    """Sell a bauble, or set off a Timebomb."""

    command = "spoils.use"
    typed = "spoils use"
    titled = "Sell or set off"

    member: VeteranRow = member_named("Who carries it", needed=True)
    relic: str = fields.one_of("Which relic", {relic(one).name: one for one in BETWEEN}, needed=True)
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

    def prepare(self, act: Act, action: RollRelic) -> ReadyRelic:
        """Of the crew's Salvage. Raises InvalidInput, Forbidden."""
        entrant, holder = action.crew, action.holder.name if action.holder else ""
        camp = between_games(act, entrant)
        have = camp.balance(entrant.id, TOKENS)
        spend(entrant.id, have, ROLL_TOKENS)
        return ReadyRelic(entrant.name, holder, have)

    def do(self, act: Act, action: RollRelic, ready: ReadyRelic) -> Reply:
        """The tokens are gone, and somebody carries it."""
        camp, entrant = Campaign(act), action.crew
        key = act.roll(Whose(entrant.name, "roll", "on the Relics Table", entrant.owner), relic_roll)
        camp.apply(entrant.id, spend(entrant.id, ready.tokens, ROLL_TOKENS), "a roll on the Relics Table")
        given = give_relic(camp, entrant.id, ready.holder, key, f"Relics Table, d10 {last_face(act)}")
        row = relic(key)
        return told(act, f"{entrant.name} finds: {row.name}", *given, row.text)

    def chances(self, act: Act, action: RollRelic, ready: ReadyRelic) -> Chances:
        """Which relic it may be."""
        odds = act.solve(relic_roll)
        shown = [(relic(key).name, chance) for key, chance in odds.each().items()]
        head = f"{ready.crew}: {times(ROLL_TOKENS, 'token')} of {ready.tokens}"
        return Chances((head, *bars(shown)), solved=(odds,))


@dataclass(frozen=True, slots=True)
class ReadyToSell:
    """A relic that is used between encounters, and who carries it."""

    name: str
    shown: Fighter
    key: str


@in_steps(UseRelic, Place.CAMPAIGN, beforehand=begun)
class UsingRelic(Weighed[UseRelic, ReadyToSell]):
    """Those that work between encounters, once. Rules: CB-RELIC-09, CB-RELIC-10."""

    label = "Sell it"

    def prepare(self, act: Act, action: UseRelic) -> ReadyToSell:
        """One that a member carries. Raises InvalidInput, Forbidden."""
        key, veteran = action.relic, action.member
        shown = as_fighter(between_games(act, action.crew), veteran)
        if key == "timebomb":
            timebomb(shown)
            if act.looks:
                raise InvalidInput("A Timebomb takes no dice.")
        else:
            after_bauble(shown)
        return ReadyToSell(veteran.name, shown, key)

    def do(self, act: Act, action: UseRelic, ready: ReadyToSell) -> Reply:
        """It is sold, or set off."""
        camp, entrant = Campaign(act), action.crew
        if ready.key == "timebomb":
            camp.apply(entrant.id, timebomb(ready.shown), "set off")
            camp.post(entrant.id, TIMEBOMBS, 1, f"set off by {ready.name}")
            return told(act, f"{ready.name} sets a Timebomb.", "-1 on a casualty roll of the next opponent.")
        gained = act.roll(Whose(ready.name, "bauble", "for its price", entrant.owner), bauble)
        camp.apply(entrant.id, after_bauble(ready.shown), "sold")
        camp.post(entrant.id, PURSE, gained, f"bauble of {ready.name}")
        return told(act, f"{ready.name} sells the bauble for {gained}.")

    def chances(self, act: Act, action: UseRelic, ready: ReadyToSell) -> Chances:
        """What the bauble may bring."""
        odds = act.solve(bauble)
        prices = odds.each()
        said = f"{min(prices)} to {max(prices)} points, {odds.mean(float):g} on average."
        return Chances((f"{ready.name} sells the bauble:", said), solved=(odds,))
