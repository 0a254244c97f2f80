"""The lines of a report of Counterblast: what each may be changed to, how it reads, what it does.

Knows no dice; what is rolled is in `aftermath_play`.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.counterblast.campaign import captives
from bot.games.counterblast.campaign.aftermath_gains import DESTROY, LEAVE, destroy, found_options, keep_found
from bot.games.counterblast.campaign.recruits import FREE
from bot.games.counterblast.core.fighters import read_block, traits_in
from bot.games.counterblast.missions.mission_state import CAPTIVE
from bot.store.campaign_rows import ProposalRow, VeteranRow
from bot.table.campaign.campaign_book import Campaign, amount_words
from bot.table.campaign.campaign_rules import ReportOption
from rules.counters import CounterName, PerWord, as_kept
from rules.systems.counterblast.campaign.aftermath import (
    INJURY,
    NO_UPGRADES,
    OUT,
    UPGRADES,
    Fate,
    FateProposed,
    confirmed,
    injury_skills,
)
from rules.systems.counterblast.campaign.mission_rewards import base_price
from rules.systems.counterblast.core.fighter import RELIC, Fighter
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.gear.items import lost_with
from rules.systems.counterblast.gear.relics import give, relic
from rules.wording import times

TIMEBOMBS = CounterName("timebombs set")
"""Account of an entrant: casualty rolls of its next opponent that are worse by 1."""
SCOUTED = CounterName("scouting successes")
"""Account of an entrant: successes of its last Scouting that may still be traded."""
FOREIGN = CounterName("foreign models built")
"""Account of an entrant: models of other factions built since its last encounter."""
NEXT = PerWord("next: ")
"""Accounts of an entrant, by what they are of, that hold for its next encounter only."""
PLANS = PerWord("secret plans: ")
"""Accounts of an entrant: 1 for each robot or piece of equipment whose Secret Plans it took."""

ROWS = {"major_injury": Fate.MAJOR_INJURY, "minor_injury": Fate.MINOR_INJURY}
"""Rows of the Casualty Chart that leave a choice, where the players choose it."""


def leader_of_crew(camp: Campaign, entrant: int) -> VeteranRow | None:
    """Who leads a crew, its first member where nobody does."""
    mine = camp.veterans(entrant)
    return next((one for one in mine if one.leader), mine[0] if mine else None)


def options(camp: Campaign, of: ProposalRow) -> Sequence[ReportOption]:
    """What a line can be changed to; what its player may choose is free."""
    if of.kind == "fate":
        return _fate_options(camp, of)
    if of.kind == "relic":
        return [ReportOption(of.text, one.name, free=True) for one in camp.veterans(of.entrant)]
    if of.kind == "penalty":
        return [ReportOption(row.key, free=True) for row in load().charts["invasion_penalties"].rows]
    if of.kind == "captive":
        return [ReportOption(CAPTIVE, of.choice), ReportOption("returns")]
    if of.kind == "base":
        return [ReportOption(word, of.choice, free=True) for word in (LEAVE, DESTROY)]
    if of.kind == "found":
        return found_options(of)
    return ()


def _fate_options(camp: Campaign, of: ProposalRow) -> list[ReportOption]:
    profile = read_block(camp.veteran(of.member).profile).profile
    mine = ROWS.get(of.text)
    free = {str(mine), Fate.OUT_2 if mine is Fate.MAJOR_INJURY else Fate.OUT_1} if mine else {of.text}
    found = []
    for fate in Fate:
        skills = injury_skills(fate, profile)
        found += [ReportOption(fate, skill, free=fate in free) for skill in skills]
        if not skills:
            found.append(ReportOption(fate, free=fate in free))
    return found


def is_open(of: ProposalRow) -> bool:
    """Whether a choice is missing. Rules: CB-CASU-05, CB-CASU-08, CB-MISS-18."""
    if of.kind == "fate":
        return of.text in ROWS or (Fate(of.text).is_injury and not of.choice)
    return of.kind == "penalty" and not of.text


def words(camp: Campaign, of: ProposalRow) -> str:
    """A line in words."""
    match of.kind:
        case "fate":
            fate = ROWS[of.text] if of.text in ROWS else Fate(of.text)
            choice = of.choice or ("choose the skill" if fate.is_injury else "")
            said = f"{fate} or out: choose" if of.text in ROWS else f"{fate}{f', {choice}' if choice else ''}"
            return f"{camp.veteran(of.member).name}: {said} ({of.reason})"
        case "relic":
            return f"relic: {relic(of.text).name} for {of.choice or 'nobody'} ({of.reason})"
        case "used":
            return f"{camp.veteran(of.member).name} used up: {relic(of.text).name}"
        case "penalty":
            named = load().charts["invasion_penalties"].named(of.text).name if of.text else "choose one"
            return f"{of.reason}: {named}"
        case "base":
            price = f" for {base_price()} campaign points" if of.text == DESTROY else ""
            return f"a base of {of.choice}: {of.text}{price} ({of.reason})"
        case "found":
            who = f"{camp.veteran(of.member).name} keeps" if of.member else "joins the crew:"
            return f"{who} {of.text}{f', {of.choice}' if of.choice else ''} ({of.reason})"
        case "plans":
            return f"Secret Plans: {of.text} ({of.reason})"
        case "captive" | "free":
            return f"{camp.veteran(of.member).name}: {of.text} ({of.reason})"
        case "upgrade":
            return f"{camp.veteran(of.member).name} +{of.amount} upgrade"
    return f"{amount_words(of.amount, of.text, '+')} ({of.reason})"


def settle(camp: Campaign, of: ProposalRow, cause: str) -> Sequence[str]:
    """Do what a confirmed line says; what is to be told beside the balances."""
    match of.kind:
        case "points" | "spent":
            camp.post(of.entrant, as_kept(of.text), of.amount, f"{cause}, {of.reason}")
        case "fate":
            return _settle_fate(camp, of, cause)
        case "upgrade":
            return _settle_upgrade(camp, of, cause)
        case "relic":
            return give_relic(camp, of.entrant, of.choice, of.text, cause)
        case "used":
            camp.post(of.entrant, RELIC.of(of.text), of.amount, f"{cause}, used up", of.member)
        case "penalty":
            camp.post(of.entrant, NEXT.of(of.text), 1, f"{cause}, {of.reason}")
        case "captive" if of.text == CAPTIVE:
            captor = next(one for one in camp.entrants() if one.name == of.choice)
            return [captives.take(camp, camp.veteran(of.member), captor.id, cause)]
        case "free":
            return [captives.free(camp, camp.veteran(of.member), cause)]
        case "plans":
            camp.post(of.entrant, PLANS.of(of.text), 1, cause)
            return [f"{camp.entrant(of.entrant).name} has Secret Plans: {of.text}."]
        case "found":
            return keep_found(camp, of, cause)
        case "base" if of.text == DESTROY:
            return destroy(camp, of, cause)
    return ()


def _settle_fate(camp: Campaign, of: ProposalRow, cause: str) -> Sequence[str]:
    veteran, fate = camp.veteran(of.member), Fate(of.text)
    shown = as_fighter(camp, veteran)
    skill = next((one for one in injury_skills(fate, shown.profile) if one == of.choice), None)
    effects = confirmed(FateProposed(veteran.id, fate, skill), lost_with(shown))
    camp.apply(of.entrant, effects, f"{cause}, {of.reason}")
    if fate is Fate.DEAD:
        camp.set_status(veteran, "dead", f"{cause}, {of.reason}")
        return [f"{veteran.name} is dead."]
    if fate is Fate.OKAY:
        return ()
    return [f"{veteran.name}: {fate}{f', {of.choice}' if of.choice else ''}."]


def _settle_upgrade(camp: Campaign, of: ProposalRow, cause: str) -> Sequence[str]:
    """Rules: CB-CAMP-06, CB-CASU-08, CB-CASU-09, CB-CASU-10."""
    veteran = camp.veteran(of.member)
    injured = bool(veteran.counters.get(NO_UPGRADES)) and not veteran.counters.get(OUT)
    if veteran.status == "fit" and not injured:
        camp.post(of.entrant, UPGRADES, of.amount, cause, veteran.id)
    return ()


def takes_upgrades(of: ProposalRow) -> bool:
    """Whether a line takes the upgrade points of this encounter from its member.

    Rules: CB-CAMP-06, CB-CASU-06, CB-CASU-08, CB-CASU-09.
    """
    if of.kind == "captive":
        return of.text == CAPTIVE
    if of.kind != "fate" or of.text in ROWS:
        return False
    return Fate(of.text) is Fate.DEAD or Fate(of.text).is_injury


def give_relic(camp: Campaign, entrant: int, holder: str, key: str, cause: str) -> Sequence[str]:
    """A member carries a relic from now on. Rules: CB-RELIC-02, CB-RELIC-06."""
    veteran = next(
        (one for one in camp.veterans(entrant) if one.name == holder), leader_of_crew(camp, entrant)
    )
    if veteran is None:
        return [f"Nobody is left to carry the {relic(key).name}."]
    weapons = read_block(veteran.profile).weapons if key == "relic_weapon" else ()
    camp.apply(entrant, give(as_fighter(camp, veteran), key, weapons[0].key if weapons else ""), cause)
    more = f": {weapons[0].name}" if weapons else ""
    more += "; another: /spoils weapon" if len(weapons) > 1 else ""
    return [f"{veteran.name} has a relic, {relic(key).name}{more}."]


def as_fighter(camp: Campaign, veteran: VeteranRow) -> Fighter:
    """A member between encounters as the rules see it."""
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


def veteran_words(veteran: VeteranRow) -> str:
    """Injuries, absences, relics and upgrade points of a member, in a few words."""
    parts = []
    for key, amount in sorted(veteran.counters.items()):
        if INJURY.counts(key):
            parts.append(f"-{amount} {INJURY.rest(key)}")
        elif RELIC.counts(key):
            name = relic(RELIC.rest(key)).name
            parts.append(f"{name}{f' x{amount}' if amount > 1 else ''}")
        elif key == OUT:
            parts.append(f"misses {times(amount, 'encounter')}")
        elif key == UPGRADES:
            parts.append(f"{amount} to spend")
        elif key == FREE:
            parts.append("free")
    return ", ".join([*parts, veteran.note] if veteran.note else parts)
