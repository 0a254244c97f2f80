"""Campaigns of Counterblast: what is agreed, fielded, carried into an encounter, and settled after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.games.counterblast.building.draft_texts import draft_of, points_of
from bot.games.counterblast.building.hero_building import StartHero
from bot.games.counterblast.campaign import aftermath, gains, results
from bot.games.counterblast.campaign.downtime import (
    OFFERED,
    BuildModel,
    OfferRansom,
    Release,
    RollRelic,
    UseRelic,
)
from bot.games.counterblast.campaign.gains import (
    BASES,
    CAPTOR,
    FOREIGN,
    FREE_RECRUIT,
    FREE_RECRUITS_LEFT,
    NEXT_ENCOUNTER,
    PLANS,
    SCOUTING_SUCCESSES,
    TIMEBOMBS,
    as_fighter,
    describe_free_recruits,
    require_recruits_allowed,
)
from bot.games.counterblast.campaign.results import POINTS_BEHIND, count_points_behind, work_out_results
from bot.games.counterblast.campaign.spoils import (
    BlessWeapon,
    DiscardItem,
    Improve,
    Restart,
    TakeRecruit,
    TradeSalvage,
    TradeScouting,
)
from bot.games.counterblast.state.models import EASY_GROUND, fighters, read_block, settings_in, traits_in
from bot.games.counterblast.state.table_state import SideState
from bot.replies.reply import Button
from bot.store.row_types import (
    CampaignRow,
    EntrantRow,
    FixtureRow,
    LedgerRow,
    ProposalRow,
    ResultRow,
    VeteranRow,
)
from bot.store.rows import Counters
from bot.table.act import Act
from bot.table.encounter import Encounter, set_counter
from bot.table.ledger.campaign_book import BATTLE, CAMPAIGN, OWED, Campaign, format_amount
from bot.table.ledger.campaign_book import OBJECTIVE as OBJECTIVES
from bot.table.ledger.campaign_fields import ForEntrant
from bot.table.ledger.campaign_rules import Battle, CampaignRules, Posts, ReportOption
from rules.refusals import Forbidden, forbid
from rules.systems.counterblast.building.builder import list_draft_faults
from rules.systems.counterblast.building.custom_profile import is_own
from rules.systems.counterblast.campaign import (
    INJURY,
    NO_UPGRADES,
    UPGRADE_POINTS,
    find_underdog_benefits,
    get_invasion_penalty,
    list_leader_choices,
    require_fit,
    start_campaign_step,
)
from rules.systems.counterblast.campaign import Campaign as Agreed
from rules.systems.counterblast.core.counters import ORDERS, RELIC, RELIC_WEAPON
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.gear.salvage import TOKENS as SALVAGE
from rules.systems.counterblast.gear.salvage import extra_orders, relic
from rules.systems.counterblast.missions.score import Result
from rules.wording import times

BETWEEN_GAMES = (
    Improve,
    TradeSalvage,
    RollRelic,
    UseRelic,
    BlessWeapon,
    BuildModel,
    DiscardItem,
    TradeScouting,
    TakeRecruit,
    OfferRansom,
    Release,
    Restart,
)
"""The actions of a crew between games, as its panel offers them."""

LASTING_ACCOUNTS = (INJURY, RELIC, RELIC_WEAPON)
"""Accounts of a member that it brings into every encounter."""

LATER_ACCOUNTS = (BASES, TIMEBOMBS, FOREIGN, CAPTOR, OFFERED)
"""Accounts of what games left for later ones."""

LEADER_CHOICES = {
    "choose": "choose another Hero with /campaign leader",
    "buy": "buy a Hero with /campaign buy",
    "disband": "start over with /spoils restart",
}


class CounterblastCampaign(CampaignRules):
    """The rules of Counterblast for campaigns."""

    ranked = (CAMPAIGN, OBJECTIVES, BATTLE)
    accounts = (
        *CampaignRules.accounts,
        SALVAGE,
        UPGRADE_POINTS,
        NO_UPGRADES,
        SCOUTING_SUCCESSES,
        FREE_RECRUITS_LEFT,
        *LATER_ACCOUNTS,
    )
    kinds = (INJURY, NEXT_ENCOUNTER, PLANS, RELIC, RELIC_WEAPON)
    decided = True

    # ------------------------------------------------------------- agreed, fielded

    def require_agreed(self, row: CampaignRow) -> None:
        """Require 3 to 10 encounters and points of 1 or more. Rules: CB-CAMP-01."""
        Agreed(row.encounters, (1, 2), row.start_points or 1, row.limit or 1)

    def asks(self) -> Sequence[tuple[str, str, str]]:
        """Return what an Underdog starts with, as printed or less. Rules: CB-UNDER-02."""
        key = "underdog_battle_points"
        return (
            ("Underdog starts with 10 battle points (as printed)", key, "10"),
            ("Underdog starts with 1 battle point", key, "1"),
        )

    def require_meetings(self, row: CampaignRow, crews: int) -> None:
        """Require that in a round robin everyone plays everyone. Raises Forbidden. Rules: CB-CAMP-02."""
        needed = crews - 1 + crews % 2
        if row.matching == "round robin" and row.round == 0 and row.encounters < needed:
            raise Forbidden(
                (
                    f"A round robin of {crews} crews needs {times(needed, 'encounter')}, but this campaign "
                    f"has {row.encounters}."
                ),
                "CB-CAMP-02",
            )

    def require_leader(self, veteran: VeteranRow) -> None:
        """Require a Hero as leader. Rules: CB-CASU-07."""
        if not read_block(veteran.profile).profile.is_hero:
            raise Forbidden(f"{veteran.name} can't lead, because only a Hero can.", "CB-CREW-03")

    def require_fielded(self, camp: Campaign, fielded: Sequence[VeteranRow]) -> None:
        """Require a Hero, no one who is Out of Action, no more points than agreed, and led free recruits.

        Rules: CB-CASU-10, CB-CREW-09, CB-CREW-16.
        """
        super().require_fielded(camp, fielded)
        for veteran in fielded:
            require_fit(as_fighter(camp, veteran))
        if not any(read_block(veteran.profile).profile.is_hero for veteran in fielded):
            raise Forbidden(
                f"{camp.entrant(fielded[0].entrant).name} must field at least one Hero.", "CB-CREW-01"
            )
        require_recruits_allowed(camp, fielded[0].entrant)

    def size(self, fielded: Sequence[VeteranRow]) -> int:
        """Return the size without free recruits. Rules: CB-CREW-09, CB-CREW-16."""
        return super().size([veteran for veteran in fielded if not veteran.counters.get(FREE_RECRUIT)])

    def carries(self, veteran: VeteranRow) -> Counters:
        """Return injuries and relics. Rules: CB-CASU-08, CB-CASU-09, CB-RELIC-02."""
        return {
            key: amount
            for key, amount in veteran.counters.items()
            if any(kind.counts(key) for kind in LASTING_ACCOUNTS)
        }

    def begins(self, camp: Campaign, encounter: Encounter, sides: dict[int, int]) -> Sequence[str]:
        """Return the Underdog, Ancient Texts that are carried, and what was earned for this encounter.

        Rules: CB-UNDER-01, CB-RELIC-04, CB-MISS-18, CB-MISS-33.
        """
        lines = []
        home, away = sides
        for entrant, opponent in ((home, away), (away, home)):
            side = encounter.side(sides[entrant])
            points_behind = count_points_behind(camp, entrant, opponent)
            side.traits[POINTS_BEHIND] = str(points_behind)
            bonus = find_underdog_benefits(points_behind, settings_in(camp.row.settings))
            battle, campaign = bonus.battle_points, bonus.campaign_points
            if battle:
                SideState(side).underdog_points = battle
                SideState(side).underdog_bonus = campaign
                bonus_text = f" and {format_amount(campaign, CAMPAIGN)}" if campaign else ""
                start = f"{times(battle, 'battle point')}{bonus_text}"
                lines.append(f"{side.name} is the Underdog and starts with {start}.")
            for fighter in fighters(encounter, side.id):
                set_counter(side.counters, ORDERS, extra_orders(fighter), add=True)
            lines += self._next(camp, encounter, entrant, side.id)
        gains.add_captives(camp, encounter, sides, self.carries)
        return lines

    def _next(self, camp: Campaign, encounter: Encounter, entrant: int, number: int) -> list[str]:
        side, lines = encounter.side(number), []
        for account, amount in sorted(camp.entrant(entrant).counters.items()):
            if not NEXT_ENCOUNTER.counts(account):
                continue
            key = NEXT_ENCOUNTER.rest(account)
            counter = {
                "order": ORDERS,
                "objective": SideState.objective_points.key,
                "token": SideState.more_tokens.key,
            }.get(key)
            if counter:
                set_counter(side.counters, counter, amount, add=True)
            if key == "initiative":
                SideState(side).more_tokens -= amount
            if key == "infiltrator":
                SideState(side).scouted_infiltrators += amount
            if key == "rugged":
                side.traits[EASY_GROUND] = str(int(side.traits.get(EASY_GROUND, "0")) + amount)
            lines.append(f"{side.name}: {NEXT_WORDS.get(key, key)}{f' (x{amount})' if amount > 1 else ''}")
        return lines

    # ------------------------------------------------------------- the report

    def results(self, camp: Campaign, battle: Battle) -> dict[int, tuple[str, int, dict[str, str]]]:
        return work_out_results(camp, battle)

    def propose(
        self, act: Act, camp: Campaign, battle: Battle, results: dict[int, ResultRow]
    ) -> Sequence[str]:
        return aftermath.propose(act, camp, battle, results)

    def propose_lost(self, act: Act, camp: Campaign, battle: Battle, veteran: VeteranRow) -> None:
        """Propose its casualty roll, rolled now. Rules: CB-CASU-01, CB-CASU-04."""
        aftermath.propose_casualty(act, camp, battle, veteran)

    def options(self, camp: Campaign, item: ProposalRow) -> Sequence[ReportOption]:
        return gains.options(camp, item)

    def is_open(self, item: ProposalRow) -> bool:
        return gains.is_open(item)

    def is_free(self, item: ProposalRow) -> bool:
        return item.kind in ("relic", "penalty", "base")

    def changed(self, camp: Campaign, item: ProposalRow) -> None:
        if item.kind == "points" and item.text in (OBJECTIVES, BATTLE):
            results.update_results(camp, item)

    def words(self, camp: Campaign, item: ProposalRow) -> str:
        return gains.describe_proposal(camp, item)

    def entrant_lines(self, camp: Campaign, lines: Sequence[tuple[ProposalRow, str]]) -> list[str]:
        proposal_lines = [words for proposal, words in lines if proposal.kind != "upgrade"]
        members = {proposal.member for proposal, _ in lines if gains.loses_upgrades(proposal)}
        earned = [
            f"{camp.veteran(proposal.member).name} {proposal.amount:+d}"
            f"{words[len(self.words(camp, proposal)) :]}"
            for proposal, words in lines
            if proposal.kind == "upgrade" and proposal.member not in members
        ]
        return [*proposal_lines, f"upgrade points: {', '.join(earned)}"] if earned else proposal_lines

    def is_last(self, item: ProposalRow) -> bool:
        """Return whether it comes last, as a lost member carries no relic. Rules: CB-RELIC-01, CB-CASU-06."""
        return item.kind == "relic"

    def settle(self, camp: Campaign, item: ProposalRow, cause: str) -> Sequence[str]:
        return gains.settle(camp, item, cause)

    def recounted(
        self,
        camp: Campaign,
        old: tuple[ResultRow, ResultRow],
        points: Mapping[int, int],
        objectives: Mapping[int, int],
    ) -> dict[int, ResultRow]:
        """Return Battle Points as the Objective Points leave them. Rules: CB-CAMP-03, CB-UNDER-04."""
        return results.recount_results(camp, old, points, objectives)

    def bonus(self, row: ResultRow) -> int:
        """Return the Underdog's Battle Points. Rules: CB-UNDER-02."""
        return int(row.facts.get("underdog", "0"))

    def is_win(self, result: str) -> bool:
        """Return whether it is a Victory or a Mighty Victory. Rules: CB-SCORE-06."""
        return Result(result).is_win

    def given(self, row: ResultRow) -> str:
        """Return the Underdog's Battle Points. Rules: CB-UNDER-04."""
        points = self.bonus(row)
        return f"including {times(points, 'battle point')} as the Underdog" if points else ""

    def rewards(self, camp: Campaign, row: ResultRow) -> Counters:
        """Return what the points bring. Rules: CB-CAMP-03, CB-CAMP-04, CB-CAMP-05."""
        return results.count_rewards(row)

    def unsettled(self, camp: Campaign, fixture: FixtureRow, posts: Posts) -> Sequence[str]:
        """Return Underdogs of later games, by the points that there would have been. Rules: CB-UNDER-01."""
        return results.find_changed_underdogs(camp, fixture, posts)

    def hangs_on_result(self, account: str) -> bool:
        return (
            account in (FREE_RECRUITS_LEFT, SALVAGE, BASES)
            or RELIC.counts(account)
            or NEXT_ENCOUNTER.counts(account)
        )

    def change_words(self, camp: Campaign, row: LedgerRow) -> str:
        gained, account = row.amount > 0, row.account
        if account == CAPTOR:
            captor = camp.entrant(int(row.after if gained else row.before)).name
            return f"held captive by {captor}" if gained else f"no longer held by {captor}"
        if INJURY.counts(account):
            return (
                f"{INJURY.rest(account)} penalty from injuries is now {-int(row.after)} "
                f"(was {row.amount - int(row.after)})"
            )
        if RELIC.counts(account):
            return f"{'gains' if gained else 'no longer has'} {relic(RELIC.rest(account)).name}"
        if NEXT_ENCOUNTER.counts(account):
            effect = NEXT_WORDS.get(NEXT_ENCOUNTER.rest(account), NEXT_ENCOUNTER.rest(account))
            return f"for the next encounter, {effect}" if gained else f'"{effect}" no longer applies'
        if account == NO_UPGRADES:
            return "doesn't earn upgrade points" if gained else "earns upgrade points again"
        if account == FREE_RECRUIT:
            return "doesn't cost points" if gained else "costs points again"
        return super().change_words(camp, row)

    def costs(self, account: str) -> bool:
        return INJURY.counts(account) or super().costs(account)

    def is_spent(self, account: str) -> bool:
        return account in (UPGRADE_POINTS, OWED.of(UPGRADE_POINTS)) or super().is_spent(account)

    def is_memorable(self, account: str) -> bool:
        return any(kind.counts(account) for kind in LASTING_ACCOUNTS)

    def before_settling(self, camp: Campaign, battle: tuple[int, int], cause: str) -> None:
        """Shorten absences, open upgrades again, and end what was for this encounter. Rules: CB-CASU-10."""
        for entrant in battle:
            for veteran in camp.veterans(entrant):
                camp.apply(entrant, start_campaign_step(as_fighter(camp, veteran)), cause)
            for account, amount in sorted(camp.entrant(entrant).counters.items()):
                if NEXT_ENCOUNTER.counts(account) or account in (SCOUTING_SUCCESSES, FOREIGN):
                    camp.post(entrant, account, -amount, f"{cause} (the encounter is over)")

    def after_settling(self, camp: Campaign, entrant: EntrantRow) -> Sequence[str]:
        remaining = camp.veterans(entrant.id)
        if any(veteran.leader for veteran in remaining):
            return describe_free_recruits(camp, entrant.id)
        profiles = [read_block(veteran.profile).profile for veteran in remaining]
        steps = list_leader_choices(profiles)
        return [
            (f"{entrant.name} has no leader. You can {' or '.join(LEADER_CHOICES[step] for step in steps)}.")
        ]

    # ------------------------------------------------------------- spending

    def price(self, camp: Campaign, entrant: EntrantRow, cost: int) -> int:
        """Return the price, higher after an Invasion. Rules: CB-CAMP-05, CB-MISS-18."""
        if camp.balance(entrant.id, NEXT_ENCOUNTER.of("reinforcements")):
            return cost + dict(get_invasion_penalty("reinforcements"))["model_cost"]
        return cost

    def item_price(self, camp: Campaign, entrant: EntrantRow, cost: int) -> int:
        """Return the price, higher after an Invasion. Rules: CB-CAMP-05, CB-MISS-18."""
        if camp.balance(entrant.id, NEXT_ENCOUNTER.of("equipment")):
            return cost + dict(get_invasion_penalty("equipment"))["item_cost"]
        return cost

    def cost_of(self, before: str, after: str) -> int:
        """Return the points of a weapon or gear; Fahz Jiin for each die. Rules: CB-BUILD-01, CB-GEAR-46."""
        return points_of(after) - points_of(before)

    def require_had(self, camp: Campaign, entrant: EntrantRow, name: str, profile: str, before: str) -> None:
        """Require Lackeys and equipment of the faction that the crew named.

        Raises Forbidden. Rules: CB-CREW-01, CB-BUILD-22.
        """
        faction = entrant.traits.get("affiliation", "")
        draft = draft_of(profile, traits_in(entrant.traits), faction)
        if faction and not draft.base.is_hero and faction not in draft.base.affiliations:
            forbid(
                f"Only {load().affiliations[faction].name} Lackeys can join this crew, so {name} can't.",
                "CB-CREW-01",
            )
        old_faults = list_draft_faults(draft_of(before, traits_in(entrant.traits), faction))
        for fault in list_draft_faults(draft):
            if fault not in old_faults:
                forbid(fault.sentence, fault.rule)

    def unspent(self, camp: Campaign, entrant: EntrantRow) -> Sequence[str]:
        unspent_lines = [*super().unspent(camp, entrant)]
        upgrades = sum(veteran.counters.get(UPGRADE_POINTS, 0) for veteran in camp.veterans(entrant.id))
        unspent_lines += [format_amount(upgrades, UPGRADE_POINTS)] if upgrades else []
        for account in (SALVAGE, SCOUTING_SUCCESSES, FREE_RECRUITS_LEFT):
            amount = camp.balance(entrant.id, account)
            unspent_lines += [format_amount(amount, account)] if amount else []
        return unspent_lines

    def between_games(self) -> Sequence[type[ForEntrant]]:
        """Return the actions between games: salvage, relics, recruits, captives. Rules: CB-CAMP-05."""
        return BETWEEN_GAMES

    def is_own(self, profile: str) -> bool:
        """Return whether it is typed or saved by the server: neither printed nor built. Rules: CB-STAT-01."""
        return is_own(draft_of(profile).base.key)

    def beside(self, crew: int) -> Sequence[Button]:
        """Return a Hero or a vehicle of one's own. Rules: CB-BUILD-01, CB-CAMP-05."""
        return (Button("Build a Hero...", StartHero(crew), anytime=True, asks=True),)

    def veteran_words(self, veteran: VeteranRow) -> str:
        return gains.describe_veteran(veteran)


NEXT_WORDS = {
    "order": "one more order token",
    "objective": "one objective point",
    "token": "one more initiative token",
    "initiative": "one fewer initiative token (after an Invasion)",
    "casualty": "-1 on casualty rolls (after an Invasion)",
    "reinforcements": "models cost 1 point more (after an Invasion)",
    "equipment": "equipment costs 1 point more (after an Invasion)",
    "infiltrator": "one model becomes an Infiltrator (choose it with /game scout)",
    "rugged": "moving over Rugged ground costs 1 in less",
}
"""Words for what holds during one encounter."""
