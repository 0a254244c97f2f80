"""What was built becomes a member of the crew, or is built no further."""

from __future__ import annotations

from dataclasses import dataclass

from bot.games.counterblast.building.draft_texts import row_text
from bot.games.counterblast.building.hero_kept import (
    dog_of,
    hero_crew,
    kept,
    to_finish,
)
from bot.replies.reply import Button, Reply
from bot.store.rows import MemberRow
from bot.table.act import Act
from bot.table.handlers import Place, handles
from bot.table.journal.history import UNDO
from bot.table.names import free_name
from bot.table.rosters.crew_actions import OfYourCrew
from bot.table.rosters.crews import MOST_MEMBERS, ShowCrew, counted
from bot.table.rosters.standing import DRAFT
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.building.builder import draft_faults
from rules.systems.counterblast.building.draft import ModelDraft, profile_of, spent, upgrade_points


@dataclass(frozen=True, slots=True)
class FinishHero(OfYourCrew):
    """Make it a member of the crew."""

    command = "hero.finish"
    typed = "hero finish"
    titled = "Finish it"


@dataclass(frozen=True, slots=True)
class DiscardHero(OfYourCrew):
    """Build it no further."""

    command = "hero.discard"
    typed = "hero discard"
    titled = "Stop building"


@handles(FinishHero, Place.CREW, beforehand=to_finish)
def finish(act: Act, action: FinishHero) -> Reply:
    """Nothing may be wrong with it; unspent Upgrade Points lapse. Rules: CB-BUILD-01."""
    crew = hero_crew(act)
    name, draft, member = kept(crew)
    for fault in draft_faults(draft):
        raise Forbidden(fault.sentence, fault.rule)
    members = act.book.all(MemberRow)
    points = profile_of(draft).points
    row = next((one for one in members if one.id == member), None)
    if row is None:
        if len(members) >= MOST_MEMBERS:
            raise InvalidInput(f"A crew has at most {MOST_MEMBERS} members.")
        unique = free_name(name, [one.name for one in members])
        number = act.book.next_id(MemberRow)
        row = act.book.add(MemberRow(act.book.scope, number, unique, "", 0))
    row.profile, row.points = row_text(draft), points
    del crew.traits[DRAFT]
    lines = [f"{row.name}: now in {crew.name}, {points} points.", counted(act.book.all(MemberRow))]
    if draft.watchdog is not None:
        lines += _dog_joins(act, draft.watchdog, row.name)
    left = upgrade_points(draft) - spent(draft)
    lines += [f"{left} Upgrade Points lapse."] if left and draft.template and not draft.earned else []
    return Reply(tuple(lines), buttons=(UNDO, Button("Show", ShowCrew(crew.scope), anytime=True)))


def _dog_joins(act: Act, dog: ModelDraft, owner: str) -> list[str]:
    """A Watchdog is a member of its own, with its own points. Rules: CB-GEAR-49."""
    members = act.book.all(MemberRow)
    if any(one.name.startswith(dog_of(owner)) for one in members):
        return []
    name = free_name(dog_of(owner), [one.name for one in members])
    points = profile_of(dog).points
    number = act.book.next_id(MemberRow)
    act.book.add(MemberRow(act.book.scope, number, name, row_text(dog), points, note=f"Watchdog of {owner}"))
    return [f"{name} comes too, {points} points."]


@handles(DiscardHero, Place.CREW)
def discard(act: Act, action: DiscardHero) -> Reply:
    """Undo brings it back."""
    crew = hero_crew(act)
    name, _, _ = kept(crew)
    del crew.traits[DRAFT]
    return Reply((f"{name} is built no further.",), private=True, buttons=(UNDO,), replaces=True)
