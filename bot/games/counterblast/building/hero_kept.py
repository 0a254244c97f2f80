"""Who is being built, kept with the crew that it is built for."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.actions import Action
from bot.games.counterblast.building.crew_play import faction_of, traits_kept
from bot.games.counterblast.building.draft_texts import draft_of
from bot.games.counterblast.building.drafts import write_draft
from bot.games.counterblast.turn.pairing import DOG
from bot.store.rows import CrewRow, MemberRow
from bot.store.store import Store
from bot.table.act import Act, Actor
from bot.table.campaign.campaign_book import PURSE
from bot.table.campaign.campaign_games import read_campaign
from bot.table.campaign.campaign_rules import rules_of
from bot.table.rosters.crews import own_crew_row
from bot.table.rosters.standing import DRAFT, at_home, standing
from rules.refusals import InvalidInput
from rules.systems.counterblast.building.draft import ModelDraft, profile_of

SYSTEM = "counterblast"

MOST_BACK = 30
"""Steps that can be taken back one by one."""


def hero_crew(act: Act) -> CrewRow:
    """The crew of the person who asks, of this game. Raises InvalidInput, NotAllowed."""
    crew = own_crew_row(act)
    if crew.system != SYSTEM:
        raise InvalidInput("Heroes are built for crews of Counterblast.")
    return crew


def kept(crew: CrewRow) -> tuple[str, ModelDraft, int]:
    """The draft in a crew: its name, itself, the member that it was or 0. Raises InvalidInput without one."""
    text = crew.traits.get(DRAFT, "")
    if not text:
        raise InvalidInput(f"Nobody is being built in {crew.name}: /hero new.")
    written = json.loads(text)
    draft = draft_of(json.dumps({"built": written["built"]}), traits_kept(crew), faction_of(crew))
    return written["name"], draft, int(written["member"])


def trail_of(crew: CrewRow) -> list[str]:
    """How the last steps are taken back, the last of them last."""
    written = json.loads(crew.traits.get(DRAFT, "{}"))
    return [str(one) for one in written.get("trail", ())]


def keep(crew: CrewRow, name: str, draft: ModelDraft, member: int, trail: Sequence[str] = ()) -> None:
    """Keep the draft with the crew. trail: how its last steps are taken back."""
    built = write_draft(replace(draft, faction="", mekkus=False))
    written: dict[str, Any] = {"name": name, "member": member, "built": built}
    written |= {"trail": list(trail[-MOST_BACK:])} if trail else {}
    crew.traits[DRAFT] = json.dumps(written, sort_keys=True, separators=(",", ":"))


def dog_of(owner: str) -> str:
    """How the Watchdog of a model is called."""
    return f"{owner[:22]}{DOG}"


BOUGHT = f"{DRAFT} bought"
"""Trait of a crew in a campaign: the mark of the draft that it bought last."""


def mark_of(traits: Mapping[str, str]) -> str:
    """What tells the draft among a crew's traits from any other; empty without one."""
    text = traits.get(DRAFT, "")
    if not text:
        return ""
    written = {key: value for key, value in json.loads(text).items() if key != "trail"}
    return hashlib.sha256(json.dumps(written, sort_keys=True).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Measure:
    """What a draft is measured by: who is in its crew now, and what the crew may come to.

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
        """What the draft costs the crew; its dog too, unless it was a member already."""
        models = [draft, *([draft.watchdog] if draft.watchdog is not None and not member else [])]
        return sum(profile_of(one).points + self.dearer for one in models)

    def whole(self, draft: ModelDraft, member: int) -> int:
        """What the crew comes to with the draft in it, in the place of the member that it was."""
        return sum(one.points for one in self.members if one.id != member) + self.price(draft, member)


async def measured(store: Store, actor: Actor, action: Action) -> Measure:
    """What the panel measures the crew by."""
    number = int(getattr(action, "crew", 0))
    now = await standing(store, actor.guild_id, number)
    if not now.running:
        return Measure(now.members, await store.open_campaigns(actor.guild_id, SYSTEM))
    camp = await read_campaign(store, actor, action, now.campaign)
    entrant = next(one for one in camp.entrants() if one.crew == number)
    dearer = rules_of(SYSTEM).price(camp, entrant, 0)
    purse = camp.balance(entrant.id, PURSE)
    room = sum(one.points for one in now.members) + purse
    bought = entrant.traits.get(BOUGHT, "")
    return Measure(now.members, ((now.where, room),), now.campaign, purse, dearer, bought)


async def measured_to_begin(store: Store, actor: Actor, action: Action) -> Measure:
    """The same, for a crew that is at home, or bought for where a campaign keeps it. Raises InvalidInput."""
    found = await measured(store, actor, action)
    if not found.campaign:
        await at_home(store, actor, action)
    return found


async def measured_at_home(store: Store, actor: Actor, action: Action) -> Measure:
    """The same, for a crew that no campaign keeps. Raises InvalidInput."""
    await at_home(store, actor, action)
    return await measured(store, actor, action)


async def to_finish(store: Store, actor: Actor, action: Action) -> None:
    """Refuse to finish one into a crew that a campaign keeps. Raises InvalidInput."""
    now = await standing(store, actor.guild_id, int(getattr(action, "crew", 0)))
    if now.running:
        raise InvalidInput(f"{now.crew.name} plays in {now.where}: it is bought there, /hero show.")
    await at_home(store, actor, action)


def require_none_begun(act: Act, crew: CrewRow) -> None:
    """Refuse to begin another; one that was bought is no longer built. Raises InvalidInput."""
    measure: Measure = act.extra
    if crew.traits.get(DRAFT) and mark_of(crew.traits) != measure.bought:
        raise InvalidInput(f"{kept(crew)[0]} is being built in {crew.name}: /hero show goes on, or ends it.")
