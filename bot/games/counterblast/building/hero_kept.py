"""Who is being built, kept with the crew that it is built for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bot.actions import Action
from bot.games.counterblast.building.crew_play import faction_of, traits_kept
from bot.games.counterblast.building.draft_text import draft_of
from bot.games.counterblast.building.drafts import write_draft
from bot.store.rows import CrewRow
from bot.store.store import Store
from bot.table.act import Act, Actor
from bot.table.rosters.crews import own_crew_row
from bot.table.rosters.standing import at_home
from bot.table.session.arrivals import DRAFT
from rules.refusals import InvalidInput
from rules.systems.counterblast.building.draft import ModelDraft

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


Agreed = Sequence[tuple[str, int]]
"""The campaigns of the server that a crew may still join: name, and the points to start with."""


async def agreed(store: Store, actor: Actor, action: Action) -> Agreed:
    """What the panel measures the crew by."""
    return await store.open_campaigns(actor.guild_id, SYSTEM)


async def agreed_at_home(store: Store, actor: Actor, action: Action) -> Agreed:
    """The same, for a crew that no campaign keeps. Raises InvalidInput."""
    await at_home(store, actor, action)
    return await agreed(store, actor, action)
