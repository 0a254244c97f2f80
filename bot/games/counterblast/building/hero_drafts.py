"""Drafts of Heroes and vehicles: kept with a crew, shown, bought and finished."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.actions import Action
from bot.games.counterblast.building.crews import crew_traits, faction_of
from bot.games.counterblast.building.draft_texts import draft_of, items_of, row_text, trait_words
from bot.games.counterblast.building.hero_steps import STEPS, add_thing, offers_in_step
from bot.games.counterblast.core.crews import DOG
from bot.games.counterblast.core.wording import power_title
from bot.games.counterblast.state.drafts import write_draft
from bot.games.counterblast.state.models import traits_in
from bot.replies.reply import Button, Reply, say
from bot.store.row_types import EntrantRow
from bot.store.rows import CrewRow, MemberRow
from bot.store.store import Store
from bot.table.act import Act, Actor, ActView
from bot.table.asking.kinds import Asking
from bot.table.campaign.campaign_crews import MAX_MEMBERS as MAX_VETERANS
from bot.table.campaign.campaign_crews import left, spend
from bot.table.campaign.campaign_games import Around, begun, read_campaign
from bot.table.handlers import Place, handles
from bot.table.journal.history import UNDO
from bot.table.ledger.campaign_book import PURSE, Campaign
from bot.table.ledger.campaign_fields import InCampaign
from bot.table.ledger.campaign_rules import get_rules
from bot.table.names import find_free_name
from bot.table.rosters.crew_state import DRAFT, at_home, standing
from bot.table.rosters.crews import MAX_MEMBERS, OfYourCrew, ShowCrew, counted, own_crew_row
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.building.builder import list_draft_faults
from rules.systems.counterblast.building.crew import count_allowed_powers
from rules.systems.counterblast.building.draft import (
    ModelDraft,
    build_profile,
    count_all_upgrade_points,
    count_spent_points,
)
from rules.systems.counterblast.building.equipment import (
    count_free_slots,
    count_gear_slots,
    count_slots,
    count_weapon_slots,
)
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import Profile
from rules.wording import times

SYSTEM = "counterblast"

MAX_UNDO_STEPS = 30
"""Steps that can be taken back one by one."""


def hero_crew(act: ActView) -> CrewRow:
    """Return the person's own Counterblast crew. Raises InvalidInput, NotAllowed."""
    crew = own_crew_row(act)
    if crew.system != SYSTEM:
        raise InvalidInput("You can only build Heroes and vehicles for a Counterblast crew.")
    return crew


def load_draft(crew: CrewRow) -> tuple[str, ModelDraft, int]:
    """Return a crew's draft: its name, itself, and the member it replaces or 0. Raises InvalidInput."""
    text = crew.traits.get(DRAFT, "")
    if not text:
        raise InvalidInput(f"You aren't building a model for {crew.name}. Start one with /hero new.")
    stored = json.loads(text)
    draft = draft_of(json.dumps({"built": stored["built"]}), crew_traits(crew), faction_of(crew))
    return stored["name"], draft, int(stored["member"])


def undo_trail(crew: CrewRow) -> list[str]:
    """Return how to undo the last steps of the draft, oldest first."""
    stored = json.loads(crew.traits.get(DRAFT, "{}"))
    return [str(step) for step in stored.get("trail", ())]


def save_draft(crew: CrewRow, name: str, draft: ModelDraft, member: int, trail: Sequence[str] = ()) -> None:
    """Store the draft with the crew. trail: how to undo its last steps."""
    built = write_draft(replace(draft, faction="", mekkus=False))
    stored: dict[str, Any] = {"name": name, "member": member, "built": built}
    stored |= {"trail": list(trail[-MAX_UNDO_STEPS:])} if trail else {}
    crew.traits[DRAFT] = json.dumps(stored, sort_keys=True, separators=(",", ":"))


def watchdog_name(owner: str) -> str:
    """Return the name of a model's Watchdog."""
    return f"{owner[:22]}{DOG}"


BOUGHT = f"{DRAFT} bought"
"""Trait of a crew in a campaign: the mark of the draft that it bought last."""


def draft_mark(traits: Mapping[str, str]) -> str:
    """Return the mark that identifies the draft among a crew's traits, or "" without one."""
    text = traits.get(DRAFT, "")
    if not text:
        return ""
    stored = {key: value for key, value in json.loads(text).items() if key != "trail"}
    return hashlib.sha256(json.dumps(stored, sort_keys=True).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Measure:
    """The limits of a draft: the present members of its crew, and the points that the crew may have.

    rooms: of each campaign that it may still join, its name and the points to start with; for a crew that a
    campaign keeps that one, with the points of its members and its purse. campaign: the scope of the one that
    keeps it, 0 for none. purse: its requisition points. dearer: what each model costs more than its points.
    bought: the mark of the draft that was bought already.
    """

    members: Sequence[MemberRow]
    rooms: Sequence[tuple[str, int]] = ()
    campaign: int = 0
    purse: int = 0
    dearer: int = 0
    bought: str = ""

    def price(self, draft: ModelDraft, member: int = 0) -> int:
        """Return what the draft costs the crew, including its dog, unless that was a member already."""
        models = [draft, *([draft.watchdog] if draft.watchdog is not None and not member else [])]
        return sum(build_profile(model).points + self.dearer for model in models)

    def whole(self, draft: ModelDraft, member: int) -> int:
        """Return the crew's points with the draft in it, in place of the member that it was."""
        return sum(row.points for row in self.members if row.id != member) + self.price(draft, member)


async def load_measure(store: Store, actor: Actor, action: Action) -> Measure:
    """Read the limits that the panel shows for the crew."""
    crew_id = int(getattr(action, "crew", 0))
    status = await standing(store, actor.guild_id, crew_id)
    if not status.running:
        return Measure(status.members, await store.open_campaigns(actor.guild_id, SYSTEM))
    camp = await read_campaign(store, actor, action, status.campaign)
    entrant = next(candidate for candidate in camp.entrants() if candidate.crew == crew_id)
    dearer = get_rules(SYSTEM).price(camp, entrant, 0)
    purse = camp.balance(entrant.id, PURSE)
    room = sum(member.points for member in status.members) + purse
    bought = entrant.traits.get(BOUGHT, "")
    return Measure(status.members, ((status.where, room),), status.campaign, purse, dearer, bought)


async def load_measure_to_begin(store: Store, actor: Actor, action: Action) -> Measure:
    """Return the limits for a crew that is at home or kept by a campaign. Raises InvalidInput."""
    measure = await load_measure(store, actor, action)
    if not measure.campaign:
        await at_home(store, actor, action)
    return measure


async def load_measure_at_home(store: Store, actor: Actor, action: Action) -> Measure:
    """Return the limits for a crew that no campaign keeps. Raises InvalidInput."""
    await at_home(store, actor, action)
    return await load_measure(store, actor, action)


async def require_finishable(store: Store, actor: Actor, action: Action) -> None:
    """Refuse to finish a draft for a crew that a campaign keeps. Raises InvalidInput."""
    status = await standing(store, actor.guild_id, int(getattr(action, "crew", 0)))
    if status.running:
        raise InvalidInput(
            f"Buy the model with /hero show, because {status.crew.name} is playing in {status.where}."
        )
    await at_home(store, actor, action)


def require_no_draft(act: Act, crew: CrewRow) -> None:
    """Refuse to begin a second draft; one that was bought is finished. Raises InvalidInput."""
    measure: Measure = act.extra
    if crew.traits.get(DRAFT) and draft_mark(crew.traits) != measure.bought:
        raise InvalidInput(
            f"{load_draft(crew)[0]} is still being built for {crew.name}. Finish or discard it first with "
            "/hero show."
        )


@dataclass(frozen=True, slots=True)
class FinishHero(OfYourCrew):
    """Add the finished model to your crew."""

    command = "hero.finish"
    typed = "hero finish"
    titled = "Finish"


@dataclass(frozen=True, slots=True)
class DiscardHero(OfYourCrew):
    """Discard the model you are building."""

    command = "hero.discard"
    typed = "hero discard"
    titled = "Discard"


@handles(FinishHero, Place.CREW, beforehand=require_finishable)
def finish(act: Act, action: FinishHero) -> Reply:
    """Finish a draft without faults; unspent Upgrade Points lapse. Rules: CB-BUILD-01."""
    crew = hero_crew(act)
    name, draft, member = load_draft(crew)
    for fault in list_draft_faults(draft):
        raise Forbidden(fault.sentence, fault.rule)
    members = act.book.all(MemberRow)
    points = build_profile(draft).points
    row = next((candidate for candidate in members if candidate.id == member), None)
    is_new = row is None
    if row is None:
        if len(members) >= MAX_MEMBERS:
            raise InvalidInput(f"Remove a member first; a crew can have at most {MAX_MEMBERS} members.")
        unique = find_free_name(name, [row.name for row in members])
        member_id = act.book.next_id(MemberRow)
        row = act.book.add(MemberRow(act.book.scope, member_id, unique, "", 0))
    row.profile, row.points = row_text(draft), points
    del crew.traits[DRAFT]
    done = f"{row.name} joins {crew.name}" if is_new else f"You have changed {row.name}"
    lines = [f"{done} ({times(points, 'point')}).", counted(act.book.all(MemberRow))]
    if draft.watchdog is not None:
        lines += _add_watchdog(act, draft.watchdog, row.name)
    unspent_points = count_all_upgrade_points(draft) - count_spent_points(draft)
    lines += (
        [f"You lose {times(unspent_points, 'unspent Upgrade Point')}."]
        if unspent_points and draft.template and not draft.earned
        else []
    )
    return Reply(tuple(lines), buttons=(UNDO, Button("Show", ShowCrew(crew.scope), anytime=True)))


def _add_watchdog(act: Act, dog: ModelDraft, owner: str) -> list[str]:
    """Add the Watchdog as a separate member with its own points. Rules: CB-GEAR-49."""
    members = act.book.all(MemberRow)
    if any(member.name.startswith(watchdog_name(owner)) for member in members):
        return []
    name = find_free_name(watchdog_name(owner), [member.name for member in members])
    points = build_profile(dog).points
    number = act.book.next_id(MemberRow)
    act.book.add(MemberRow(act.book.scope, number, name, row_text(dog), points, note=f"Watchdog of {owner}"))
    return [f"{name} joins too ({times(points, 'point')})."]


@handles(DiscardHero, Place.CREW)
def discard(act: Act, action: DiscardHero) -> Reply:
    """Discard the draft; undo brings it back."""
    crew = hero_crew(act)
    name, _, _ = load_draft(crew)
    del crew.traits[DRAFT]
    return Reply((f"You have discarded {name}.",), private=True, buttons=(UNDO,), replaces=True)


def statblock_lines(profile: Profile) -> list[str]:
    """Return a statblock in figures."""
    first_line = f"Mv {profile.mv}, STR {profile.strength}, AGL {profile.agility}"
    second_line = f"INT {profile.intellect}" + (f", PSI {profile.psionic}" if profile.psionic else "")
    return [first_line, second_line, f"Def {profile.defense}, Life {profile.life}, Shield {profile.shield}D"]


def draft_lines(name: str, draft: ModelDraft) -> list[str]:
    """Return a draft with what is spent and what is left."""
    profile = build_profile(draft)
    weapons, gear = items_of(draft)
    slots = count_slots(profile, mekkus=draft.mekkus)
    unused_slots = count_free_slots(profile, weapons, gear, mekkus=draft.mekkus)
    kind = load().templates[draft.template].name if draft.template else draft.base.name
    if draft.template and profile.is_vehicle:
        kind += f" ({next(vehicle_type for vehicle_type in profile.types if vehicle_type != 'vehicle')})"
    arms = ", ".join(item.name for item in weapons) or "none"
    gear_names = ", ".join(item.name for item in gear) or "none"
    lines = [
        f"{name}: {kind}, base {profile.size}, {times(profile.points, 'point')}",
        f"{count_spent_points(draft)} of {count_all_upgrade_points(draft)} Upgrade Points spent",
        *statblock_lines(profile),
        f"Features: {', '.join(map(trait_words, profile.features)) or 'none'}",
    ]
    if slots.mixed:
        lines += [
            f"Weapons: {arms}",
            f"Gear: {gear_names}",
            f"{unused_slots.mixed} of {slots.mixed} slots free",
        ]
    else:
        lines += [
            f"Weapons ({count_weapon_slots(weapons)} of {slots.weapons} slots): {arms}",
            f"Gear ({count_gear_slots(gear)} of {slots.gear} slots): {gear_names}",
        ]
    allowed = count_allowed_powers(profile, gear, draft.crew)
    if allowed:
        power_names = ", ".join(map(power_title, draft.powers)) or "none"
        lines.append(f"Powers ({len(draft.powers)} of {allowed}): {power_names}")
    return lines


def affordable_first(
    measure: Measure, draft: ModelDraft, member: int, step: str
) -> list[tuple[str, str, str]]:
    """Return the choices of a step, by key, in words and with notes, those that the crew can afford first.

    Then come those that would exceed the points of a campaign that the crew still fits, with a note.
    """
    points_now = measure.whole(draft, member)
    affordable: list[tuple[str, str, str]] = []
    too_dear: list[tuple[str, str, str]] = []
    for offer in offers_in_step(draft, step):
        points_after = measure.whole(add_thing(draft, offer.step, offer.key)[0], member)
        beyond_budget = ", ".join(
            campaign for campaign, points in measure.rooms if points_now <= points < points_after
        )
        note = f"{offer.note}; too expensive for {beyond_budget}" if beyond_budget else offer.note
        (too_dear if beyond_budget else affordable).append((offer.key, offer.label, note))
    return [*affordable, *too_dear]


def crew_lines(measure: Measure, name: str, draft: ModelDraft, member: int) -> list[str]:
    """Return the cost of the crew with the draft in it, and the limits of open campaigns.

    In a campaign: what the draft costs there, and what is left of the purse. member: the number of the member
    that it was, or 0.
    """
    if measure.campaign:
        if member:
            return [
                (f"To improve a member in {measure.rooms[0][0]}, use /spoils improve or /campaign equip.")
            ]
        price, place = measure.price(draft), measure.rooms[0][0]
        return [f"Price in {place}: {times(price, 'requisition point')} (you have {measure.purse})"]
    crew_points = measure.whole(draft, member)
    lines = [f"{name} with this model: {times(crew_points, 'point')}"]
    return [
        *lines,
        *(
            f"Crews in {place} start with {times(points, 'point')} "
            f"(this crew {_points_left_text(points - crew_points)})"
            for place, points in measure.rooms
        ),
    ]


def _points_left_text(points: int) -> str:
    return f"would have {-points} too many" if points < 0 else f"would have {points} left"


@dataclass(frozen=True, slots=True)
class BuyBuilt(InCampaign):
    """Buy the model you are building with requisition points."""

    command = "hero.buy"


@dataclass(frozen=True, slots=True)
class Built(Around):
    """The data around a campaign, and the person's own crew at home, in which the draft is built."""

    home: CrewRow | None = None


async def _load_built(store: Store, actor: Actor, action: Action) -> Built:
    campaign_data = await begun(store, actor, action)
    camp = await store.load(int(getattr(action, "campaign", 0)))
    rows = camp.book().all(EntrantRow) if camp is not None else []
    own_crews = [row.crew for row in rows if row.owner_id == actor.user_id and row.status == "in"]
    crew = await store.load(own_crews[0]) if own_crews else None
    return Built(
        campaign_data.begun, campaign_data.own, crew.book().get(CrewRow) if crew is not None else None
    )


@handles(BuyBuilt, Place.CAMPAIGN, beforehand=_load_built)
def buy_built(act: Act, action: BuyBuilt) -> Reply:
    """Buy a draft without faults, by the traits of the campaign's crew; once as it is.

    Rules: CB-BUILD-01, CB-CAMP-05, CB-CREW-01.
    """
    camp, built = Campaign(act), act.extra
    entrant = camp.own_entrant()
    camp.require_quiet(entrant.id)
    camp.require_between(entrant)
    if built.home is None or built.home.owner_id != act.actor.user_id or built.home.system != SYSTEM:
        raise InvalidInput("You aren't building a model. Start one with /hero new.")
    name, home_draft, member = load_draft(built.home)
    if member:
        raise InvalidInput(
            f"{name} is already a member. To improve it, use /spoils improve or /campaign equip."
        )
    if draft_mark(built.home.traits) == entrant.traits.get(BOUGHT):
        raise InvalidInput(
            f"You have already bought {name}. Change it before you buy it again, or start another model "
            "with /hero new."
        )
    text = row_text(home_draft)
    draft = draft_of(text, traits_in(entrant.traits), entrant.traits.get("affiliation", ""))
    for fault in list_draft_faults(draft):
        raise Forbidden(fault.sentence, fault.rule)
    bought_models = [(name, draft)]
    bought_models += [(watchdog_name(name), draft.watchdog)] if draft.watchdog is not None else []
    if len(camp.veterans(entrant.id)) + len(bought_models) > MAX_VETERANS:
        raise InvalidInput(f"Dismiss a member first; a crew can have at most {MAX_VETERANS} members.")
    rules, lines = get_rules(camp.row.system), []
    with act.overridable():
        rules.require_had(camp, entrant, name, text, text)
    for model_name, model in bought_models:
        points = build_profile(model).points
        price = spend(camp, entrant, rules.price(camp, entrant, points), model_name)
        row = camp.enrol(entrant, model_name, row_text(model), points, f"bought for {times(price, 'point')}")
        lines.append(f"{row.name} joins {entrant.name} for {times(price, 'point')}.")
    lost_points = count_all_upgrade_points(draft) - count_spent_points(draft)
    lines += [f"You lose {times(lost_points, 'unspent Upgrade Point')}."] if lost_points else []
    entrant.traits = {**entrant.traits, BOUGHT: draft_mark(built.home.traits)}
    return say(*lines, left(camp, entrant), buttons=[UNDO])


def addable_labels(context: Asking) -> Sequence[str]:
    """Return what the draft can add now."""
    _, draft, _ = load_draft(hero_crew(context.act))
    return list(dict.fromkeys(offer.label for step in STEPS for offer in offers_in_step(draft, step)))


def removable_labels(context: Asking) -> Sequence[str]:
    """Return what the draft can remove now."""
    _, draft, _ = load_draft(hero_crew(context.act))
    return list(dict.fromkeys(offer.label for offer in offers_in_step(draft, "", removable=True)))
