"""Gains of crews after an encounter: recruits, captives, members' gains, and their sentences."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from bot.games.counterblast.state.missions import AWAY_CAPTIVE, CAPTIVE
from bot.games.counterblast.state.models import block_text, read_block, traits_in, with_equipment
from bot.games.counterblast.state.table_state import AbsenteeState
from bot.store.row_types import ProposalRow, VeteranRow
from bot.store.rows import Counters, ThingRow
from bot.table.encounter import Encounter
from bot.table.ledger.campaign_book import CAMPAIGN, FIT, Campaign, CampaignView, format_amount
from bot.table.ledger.campaign_rules import VETERAN, ReportOption, add_report_line
from rules.counters import CounterName, PerWord, as_kept
from rules.refusals import Forbidden
from rules.systems.counterblast.building.crew import FREE_RECRUIT_KEYS, count_new_recruits
from rules.systems.counterblast.campaign import (
    ENCOUNTERS_OUT,
    INJURY,
    NO_UPGRADES,
    UPGRADE_POINTS,
    Fate,
    FateProposal,
    confirm_fate,
    destroy_base,
    get_base_price,
    list_injury_skills,
)
from rules.systems.counterblast.core.counters import RELIC
from rules.systems.counterblast.core.fighter import Fighter
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.gear.items import lost_with
from rules.systems.counterblast.gear.salvage import give, relic
from rules.wording import possessive, times

FREE_RECRUITS_LEFT = CounterName("free recruits")
"""Account of an entrant: how many it may still take."""
FREE_RECRUIT = CounterName("free recruit")
"""Account of a member: 1 where a win brought it; outside the point limit."""


def find_leader(camp: CampaignView, entrant: int) -> VeteranRow | None:
    """Return the leader of a crew, or None."""
    return next((veteran for veteran in camp.veterans(entrant) if veteran.leader), None)


def count_free_recruits(camp: CampaignView, entrant: int) -> int:
    """Return how many free recruits of earlier wins are still in the crew."""
    return sum(bool(veteran.counters.get(FREE_RECRUIT)) for veteran in camp.veterans(entrant))


def count_recruit_places(camp: CampaignView, entrant: int, taken: int) -> int:
    """Return how many more a crew may have that has so many, by the INT dice of its leader.

    Rules: CB-CREW-09, CB-CREW-16.
    """
    leader = find_leader(camp, entrant)
    return count_new_recruits(read_block(leader.profile).profile.intellect.value if leader else 0, taken)


def propose_recruits(camp: Campaign, entrant: int, *, leader_survived: bool) -> None:
    """Propose the line of a report for a won encounter. Rules: CB-CREW-09, CB-CREW-16."""
    if not leader_survived or traits_in(camp.entrant(entrant).traits).alignment not in FREE_RECRUIT_KEYS:
        return
    leader = find_leader(camp, entrant)
    amount = count_recruit_places(
        camp, entrant, count_free_recruits(camp, entrant) + camp.balance(entrant, FREE_RECRUITS_LEFT)
    )
    if leader and amount:
        intellect = read_block(leader.profile).profile.intellect
        add_report_line(
            camp,
            entrant,
            "points",
            FREE_RECRUITS_LEFT,
            amount,
            reason=f"for a win; the leader has INT {intellect}",
        )


def describe_free_recruits(camp: Campaign, entrant: int) -> list[str]:
    """Return what a crew has to do about its free recruits after a report. Rules: CB-CREW-09, CB-CREW-16."""
    name, recruits = camp.entrant(entrant).name, count_free_recruits(camp, entrant)
    surplus = recruits - count_recruit_places(camp, entrant, 0)
    if recruits and surplus > 0:
        return [f"{name} has {times(surplus, 'free recruit')} too many. Use /campaign dismiss."]
    addable = min(camp.balance(entrant, FREE_RECRUITS_LEFT), count_recruit_places(camp, entrant, recruits))
    return [f"{name} can add {times(addable, 'free recruit')}. Use /spoils recruit."] if addable else []


def require_recruits_allowed(camp: Campaign, entrant: int) -> None:
    """Refuse, with Forbidden, to play with more free recruits than the leader's INT dice.

    Rules: CB-CREW-09, CB-CREW-16.
    """
    recruits, max_recruits = count_free_recruits(camp, entrant), count_recruit_places(camp, entrant, 0)
    if recruits > max_recruits:
        name = camp.entrant(entrant).name
        raise Forbidden(
            (
                f"{name} has {times(recruits, 'free recruit')}, but its leader's INT only allows "
                f"{max_recruits}. Use /campaign dismiss."
            ),
            "CB-CREW-16",
        )


BASES = CounterName("bases")
"""Account of an entrant: bases that it founded by Colonize."""
LEAVE, DESTROY = "left alone", "destroyed"
"""The effects of a winning Invasion on a base of its opponent."""


def read_fate(item: ProposalRow) -> Fate:
    """Return what happened to a model that was found and lost in the same encounter."""
    return next((fate for fate in Fate if item.choice.startswith(fate)), Fate.OKAY)


def list_found_options(item: ProposalRow) -> list[ReportOption]:
    """Return the skills that an injury of a found model may affect. Rules: CB-CASU-08, CB-CASU-09."""
    profile = next((candidate for candidate in load().profiles if candidate.name == item.text), None)
    fate = read_fate(item)
    if profile is None or not fate.is_injury:
        return []
    return [
        ReportOption(item.text, f"{fate}, {skill}", free=True) for skill in list_injury_skills(fate, profile)
    ]


def apply_found(camp: Campaign, proposal: ProposalRow, cause: str) -> Sequence[str]:
    """Keep what a Recovery found: equipment with its finder, a crew member with the crew.

    Rules: CB-MISS-23.
    """
    cause, entrant = f"{cause}, {proposal.reason}", camp.entrant(proposal.entrant)
    library = load()
    if proposal.member:
        veteran = camp.veteran(proposal.member)
        cost = next(item.cost for item in (*library.weapons, *library.gear) if item.name == proposal.text)
        veteran.profile = with_equipment(veteran.profile, [proposal.text])
        camp.write(entrant.id, "equipment", "", proposal.text, cause, veteran.id)
        camp.write(entrant.id, "points", str(veteran.points), str(veteran.points + cost), cause, veteran.id)
        veteran.points += cost
        return [f"{veteran.name} keeps {proposal.text}."]
    profile, fate = library.profiles.named(proposal.text), read_fate(proposal)
    if fate is Fate.DEAD:
        return [f"{proposal.text} was found, but has since died."]
    row = camp.enrol(entrant, proposal.text, block_text(profile.key), profile.points, cause)
    skill = next(
        (
            known_skill
            for known_skill in list_injury_skills(fate, profile)
            if proposal.choice.endswith(known_skill)
        ),
        None,
    )
    camp.apply(entrant.id, confirm_fate(FateProposal(row.id, fate, skill)), cause)
    return [f"{row.name} joins {entrant.name}."]


def destroy_opponent_base(camp: Campaign, item: ProposalRow, cause: str) -> Sequence[str]:
    """Destroy a base of that opponent, which a winning invader pays for. Rules: CB-MISS-17."""
    opponent = next(candidate for candidate in camp.entrants() if candidate.name == item.choice)
    campaign_points = camp.balance(item.entrant, CAMPAIGN)
    camp.post(
        item.entrant, CAMPAIGN, destroy_base(campaign_points) - campaign_points, f"{cause} (destroyed a base)"
    )
    camp.post(opponent.id, BASES, -1, f"{cause} (a base was destroyed)")
    return [f"{camp.entrant(item.entrant).name} destroys one of {possessive(opponent.name)} bases."]


CAPTOR = CounterName("captor")
"""Account of a captive: the number of the crew that holds it."""


def take_captive(camp: Campaign, veteran: VeteranRow, captor: int, cause: str) -> str:
    """Note that another crew holds a member from now on; returns a line. Rules: CB-MISS-08."""
    camp.set_status(veteran, CAPTIVE, cause)
    camp.post(veteran.entrant, CAPTOR, captor - veteran.counters.get(CAPTOR, 0), cause, veteran.id)
    return f"{veteran.name} is held captive by {camp.entrant(captor).name}."


def free_captive(camp: Campaign, veteran: VeteranRow, cause: str) -> str:
    """Free a captive, who is back in its crew; returns a line. Rules: CB-MISS-11."""
    camp.set_status(veteran, FIT, cause)
    camp.post(veteran.entrant, CAPTOR, -veteran.counters.get(CAPTOR, 0), cause, veteran.id)
    return f"{veteran.name} is free again."


def add_captives(
    camp: Campaign, encounter: Encounter, sides: dict[int, int], counters_of: Callable[[VeteranRow], Counters]
) -> None:
    """Add the captives that its crews may seek or bring along to an encounter.

    sides: each entrant's side. carries: what a member brings along. Rules: CB-MISS-12, CB-MISS-19.
    """
    for veteran in [row for row in camp.book.all(VeteranRow) if row.status == CAPTIVE]:
        captor = veteran.counters.get(CAPTOR, 0)
        places = {
            AbsenteeState.sought_by.key: sides.get(veteran.entrant),
            AbsenteeState.held_by.key: sides.get(captor),
        }
        side_ids: Counters = {key: side for key, side in places.items() if side}
        if side_ids:
            content = {"profile": veteran.profile, "counters": {VETERAN: veteran.id, **counters_of(veteran)}}
            thing_id = encounter.book.next_id(ThingRow)
            row = ThingRow(
                encounter.book.scope, thing_id, AWAY_CAPTIVE, veteran.name, json.dumps(content), side_ids
            )
            encounter.book.add(row)


TIMEBOMBS = CounterName("timebombs set")
"""Account of an entrant: casualty rolls of its next opponent that are worse by 1."""
SCOUTING_SUCCESSES = CounterName("scouting successes")
"""Account of an entrant: successes of its last Scouting that may still be traded."""
FOREIGN = CounterName("foreign models built")
"""Account of an entrant: models of other factions built since its last encounter."""
NEXT_ENCOUNTER = PerWord("next: ")
"""Accounts of an entrant, by what they are of, that hold for its next encounter only."""
PLANS = PerWord("secret plans: ")
"""Accounts of an entrant: 1 for each robot or piece of equipment whose Secret Plans it took."""

INJURY_ROWS = {"major_injury": Fate.MAJOR_INJURY, "minor_injury": Fate.MINOR_INJURY}
"""Rows of the Casualty Chart that leave a choice, where the players choose it."""


def find_leader_or_first(camp: Campaign, entrant: int) -> VeteranRow | None:
    """Return the leader of a crew, or its first member if it has none."""
    veterans = camp.veterans(entrant)
    return next((veteran for veteran in veterans if veteran.leader), veterans[0] if veterans else None)


def options(camp: Campaign, item: ProposalRow) -> Sequence[ReportOption]:
    """Return the options for a line; those that its player may choose are free."""
    if item.kind == "fate":
        return _fate_options(camp, item)
    if item.kind == "relic":
        return [ReportOption(item.text, veteran.name, free=True) for veteran in camp.veterans(item.entrant)]
    if item.kind == "penalty":
        return [ReportOption(row.key, free=True) for row in load().charts["invasion_penalties"].rows]
    if item.kind == "captive":
        return [ReportOption(CAPTIVE, item.choice), ReportOption("returns")]
    if item.kind == "base":
        return [ReportOption(word, item.choice, free=True) for word in (LEAVE, DESTROY)]
    if item.kind == "found":
        return list_found_options(item)
    return ()


def _fate_options(camp: Campaign, item: ProposalRow) -> list[ReportOption]:
    profile = read_block(camp.veteran(item.member).profile).profile
    rolled_fate = INJURY_ROWS.get(item.text)
    free_fates = (
        {str(rolled_fate), Fate.OUT_2 if rolled_fate is Fate.MAJOR_INJURY else Fate.OUT_1}
        if rolled_fate
        else {item.text}
    )
    fate_options = []
    for fate in Fate:
        skills = list_injury_skills(fate, profile)
        fate_options += [ReportOption(fate, skill, free=fate in free_fates) for skill in skills]
        if not skills:
            fate_options.append(ReportOption(fate, free=fate in free_fates))
    return fate_options


def is_open(item: ProposalRow) -> bool:
    """Return whether a choice is missing. Rules: CB-CASU-05, CB-CASU-08, CB-MISS-18."""
    if item.kind == "fate":
        return item.text in INJURY_ROWS or (Fate(item.text).is_injury and not item.choice)
    return item.kind == "penalty" and not item.text


def describe_proposal(camp: Campaign, proposal: ProposalRow) -> str:
    """Return a line in words."""
    match proposal.kind:
        case "fate":
            fate = INJURY_ROWS[proposal.text] if proposal.text in INJURY_ROWS else Fate(proposal.text)
            choice = proposal.choice or ("choose the skill that it reduces" if fate.is_injury else "")
            outcome = (
                f"choose between {fate} and Out of Action"
                if proposal.text in INJURY_ROWS
                else f"{fate}{f', {choice}' if choice else ''}"
            )
            return f"{camp.veteran(proposal.member).name}: {outcome} ({proposal.reason})"
        case "relic":
            return f"relic: {relic(proposal.text).name} for {proposal.choice or 'nobody'} ({proposal.reason})"
        case "used":
            return f"{camp.veteran(proposal.member).name} uses up the {relic(proposal.text).name}"
        case "penalty":
            penalty_name = (
                load().charts["invasion_penalties"].named(proposal.text).name
                if proposal.text
                else "choose one"
            )
            return f"{proposal.reason}: {penalty_name}"
        case "base":
            cost = times(get_base_price(), "campaign point")
            price = f", which costs {cost}" if proposal.text == DESTROY else ""
            return f"{possessive(proposal.choice)} base: {proposal.text}{price} ({proposal.reason})"
        case "found":
            fate, sentence = read_fate(proposal), f"{proposal.text} was found, but has since died"
            if proposal.member:
                sentence = f"{camp.veteran(proposal.member).name} keeps {proposal.text}"
            elif fate is not Fate.DEAD:
                injury = f" ({proposal.choice})" if fate is not Fate.OKAY else ""
                sentence = f"{proposal.text}{injury} joins the crew"
            return f"{sentence} ({proposal.reason})"
        case "plans":
            return f"Secret Plans: {proposal.text} ({proposal.reason})"
        case "captive" | "free":
            return f"{camp.veteran(proposal.member).name}: {proposal.text} ({proposal.reason})"
        case "spent":
            return f"1 Timebomb {proposal.reason}"
        case "upgrade":
            return f"{camp.veteran(proposal.member).name}: +{times(proposal.amount, 'upgrade point')}"
    return f"{format_amount(proposal.amount, proposal.text, '+')} ({proposal.reason})"


def settle(camp: Campaign, item: ProposalRow, cause: str) -> Sequence[str]:
    """Do what a confirmed line says, and return what to tell apart from the balances."""
    match item.kind:
        case "points" | "spent":
            camp.post(item.entrant, as_kept(item.text), item.amount, f"{cause}, {item.reason}")
        case "fate":
            return _settle_fate(camp, item, cause)
        case "upgrade":
            return _settle_upgrade(camp, item, cause)
        case "relic":
            return give_relic(camp, item.entrant, item.choice, item.text, cause)
        case "used":
            camp.post(item.entrant, RELIC.of(item.text), item.amount, f"{cause} (used up)", item.member)
        case "penalty":
            camp.post(item.entrant, NEXT_ENCOUNTER.of(item.text), 1, f"{cause}, {item.reason}")
        case "captive" if item.text == CAPTIVE:
            captor = next(candidate for candidate in camp.entrants() if candidate.name == item.choice)
            return [take_captive(camp, camp.veteran(item.member), captor.id, cause)]
        case "free":
            return [free_captive(camp, camp.veteran(item.member), cause)]
        case "plans":
            camp.post(item.entrant, PLANS.of(item.text), 1, cause)
            return [f"{camp.entrant(item.entrant).name} now has Secret Plans for {item.text}."]
        case "found":
            return apply_found(camp, item, cause)
        case "base" if item.text == DESTROY:
            return destroy_opponent_base(camp, item, cause)
    return ()


def _settle_fate(camp: Campaign, item: ProposalRow, cause: str) -> Sequence[str]:
    veteran, fate = camp.veteran(item.member), Fate(item.text)
    state = as_fighter(camp, veteran)
    skill = next(
        (
            known_skill
            for known_skill in list_injury_skills(fate, state.profile)
            if known_skill == item.choice
        ),
        None,
    )
    effects = confirm_fate(FateProposal(veteran.id, fate, skill), lost_with(state))
    camp.apply(item.entrant, effects, f"{cause}, {item.reason}")
    if fate is Fate.DEAD:
        camp.set_status(veteran, "dead", f"{cause}, {item.reason}")
        return [f"{veteran.name} is dead."]
    if fate is Fate.OKAY:
        return ()
    return [f"{veteran.name}: {fate}{f', {item.choice}' if item.choice else ''}."]


def _settle_upgrade(camp: Campaign, item: ProposalRow, cause: str) -> Sequence[str]:
    """Rules: CB-CAMP-06, CB-CASU-08, CB-CASU-09, CB-CASU-10."""
    veteran = camp.veteran(item.member)
    injured = bool(veteran.counters.get(NO_UPGRADES)) and not veteran.counters.get(ENCOUNTERS_OUT)
    if veteran.status == "fit" and not injured:
        camp.post(item.entrant, UPGRADE_POINTS, item.amount, cause, veteran.id)
    return ()


def loses_upgrades(item: ProposalRow) -> bool:
    """Return whether a line takes the upgrade points of this encounter from its member.

    Rules: CB-CAMP-06, CB-CASU-06, CB-CASU-08, CB-CASU-09.
    """
    if item.kind == "captive":
        return item.text == CAPTIVE
    if item.kind != "fate" or item.text in INJURY_ROWS:
        return False
    return Fate(item.text) is Fate.DEAD or Fate(item.text).is_injury


def give_relic(camp: Campaign, entrant: int, holder: str, key: str, cause: str) -> Sequence[str]:
    """Assign a relic to a member. Rules: CB-RELIC-02, CB-RELIC-06."""
    veteran = next(
        (candidate for candidate in camp.veterans(entrant) if candidate.name == holder),
        find_leader_or_first(camp, entrant),
    )
    if veteran is None:
        return [f"No member is left to carry the {relic(key).name}."]
    weapons = read_block(veteran.profile).weapons if key == "relic_weapon" else ()
    camp.apply(entrant, give(as_fighter(camp, veteran), key, weapons[0].key if weapons else ""), cause)
    weapon_text = f" ({weapons[0].name})" if weapons else ""
    hint_lines = ["You can choose another weapon with /spoils weapon."] if len(weapons) > 1 else []
    return [f"{veteran.name} gets a relic: {relic(key).name}{weapon_text}.", *hint_lines]


def as_fighter(camp: CampaignView, veteran: VeteranRow) -> Fighter:
    """Return a member between encounters as the rules see it."""
    block = read_block(veteran.profile)
    return Fighter(
        id=veteran.id,
        name=veteran.name,
        side=veteran.entrant,
        profile=block.profile,
        weapons=block.weapons,
        gear=block.gear,
        counters=frozenset(veteran.counters.items()),
        leader=veteran.leader,
        crew=traits_in(camp.entrant(veteran.entrant).traits),
    )


def describe_veteran(veteran: VeteranRow) -> str:
    """Return injuries, absences, relics and upgrade points of a member, in a few words."""
    parts = []
    for key, amount in sorted(veteran.counters.items()):
        if INJURY.counts(key):
            parts.append(f"-{amount} {INJURY.rest(key)}")
        elif RELIC.counts(key):
            name = relic(RELIC.rest(key)).name
            parts.append(f"{name}{f' x{amount}' if amount > 1 else ''}")
        elif key == ENCOUNTERS_OUT:
            parts.append(f"misses {times(amount, 'encounter')}")
        elif key == UPGRADE_POINTS:
            parts.append(f"{times(amount, 'upgrade point')} to spend")
        elif key == FREE_RECRUIT:
            parts.append("free")
    return ", ".join([*parts, veteran.note] if veteran.note else parts)
