"""Who is being built, kept with the crew that it is built for."""

from __future__ import annotations

import json
from dataclasses import replace

from bot.games.counterblast.building.crew_play import faction_of, traits_kept
from bot.games.counterblast.building.draft_text import draft_of
from bot.games.counterblast.building.drafts import write_draft
from bot.store.rows import CrewRow
from bot.table.act import Act
from bot.table.rosters.crews import own_crew_row
from bot.table.session.arrivals import DRAFT
from rules.refusals import InvalidInput
from rules.systems.counterblast.building.draft import ModelDraft

SYSTEM = "counterblast"


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


def keep(crew: CrewRow, name: str, draft: ModelDraft, member: int) -> None:
    """Keep the draft with the crew."""
    built = write_draft(replace(draft, faction="", mekkus=False))
    written = {"name": name, "member": member, "built": built}
    crew.traits[DRAFT] = json.dumps(written, sort_keys=True, separators=(",", ":"))
