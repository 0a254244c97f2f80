"""A crew written as a list: in the product's own forms, which lose nothing, and in those of list builders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.lists.entries import ListEntry, ReadList
from bot.lists.own import write_json, write_text
from bot.lists.writing import WRITERS
from bot.replies.reply import Attachment, Reply
from bot.store.rows import CrewRow, MemberRow
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.game import Game, game
from bot.table.handlers import Place, handles
from bot.table.names import find_free_name
from bot.table.owners import ANYONE
from bot.table.rosters.crew_state import as_of, standing_asked
from bot.table.rosters.crews import OfAnyCrew, counted, readable
from bot.table.rosters.muster import crew_format_of
from bot.table.rosters.printing import match_recruit, write_as_typed
from rules.refusals import InvalidInput
from rules.wording import possessive

TEXT, JSON, ARMY = "text", "json", "army_list"
TITLES: Mapping[str, str] = {
    TEXT: "Text (includes everything)",
    JSON: "JSON (includes everything)",
    "list": "List to paste into a chat",
    "markdown": "Markdown",
    "csv": "CSV for a spreadsheet",
    "battlescribe": "BattleScribe .ros",
    "battlescribe_zip": "BattleScribe .rosz",
    "new_recruit": "New Recruit JSON",
    ARMY: "Infinity army list",
}
"""The forms by their titles."""

SHORT = 1_500
"""Characters of a written crew that are shown in the message beside the file."""


@dataclass(frozen=True, slots=True)
class ExportCrew(OfAnyCrew):
    """Export a crew as a list (visible only to you)."""

    command = "crew.export"
    typed = "crew export"
    titled = "Export a crew as a list"
    decision_of = ANYONE

    form: str = fields.one_of("Format of the list", tuple(TITLES), titles=TITLES, default=TEXT)
    as_of: int | None = as_of()


@handles(ExportCrew, Place.CREW, beforehand=standing_asked)
def export(act: Act, action: ExportCrew) -> Reply:
    """Export as a file, and in the message if it is short."""
    state = readable(act)
    crew, members = state.crew, state.noted
    if action.form == ARMY and crew.system != "infinity":
        raise InvalidInput("Only Infinity has army lists. Choose another format.")
    army = neutral(crew, members) if action.form in WRITERS else crew_as_list(crew, members, action.form)
    if action.form in WRITERS:
        ending, write = WRITERS[action.form]
        output = write(army)
    else:
        ending = "json" if action.form == JSON else "txt"
        output = write_json(army) if action.form == JSON else write_text(army)
    data = output if isinstance(output, bytes) else output.encode()
    lost = [
        (
            f"This format can't store {possessive(entry.called or entry.name)} custom build. Use text "
            "or JSON to keep it."
        )
        for entry in army.entries
        if entry.kind == LOST
    ]
    is_shown = isinstance(output, str) and ending in ("txt", "md") and len(output) < SHORT
    shown_lines = output.splitlines() if is_shown and isinstance(output, str) else []
    file = Attachment(f"crew-{crew.scope}.{ending}", f"{crew.name}: {TITLES[action.form]}", data)
    return Reply(
        (
            f"{crew.name}: {counted(members)}",
            *state.lines,
            *lost,
            *shown_lines,
            "You can import this list with /crew import.",
        ),
        private=True,
        files=(file,),
    )


def crew_as_list(crew: CrewRow, members: Sequence[MemberRow], form: str) -> ReadList:
    """Return the crew for the product's own forms: each member in its game's words or values."""
    rules = crew_format_of(crew.system)
    traits = {key: value for key, value in rules.told(crew.traits).items() if value}
    entries = tuple(
        ListEntry(
            member.name,
            points=member.points,
            called=member.name,
            leader=member.leader,
            note=member.note,
            words={} if form == JSON else rules.words(member.profile),
            values=rules.profile_values(member.profile) if form == JSON else {},
        )
        for member in members
    )
    return ReadList(form, crew.name, crew.system, traits=traits, entries=entries)


LOST = "lost"
"""Kind of an entry whose statblock the forms of others can't hold."""


def neutral(crew: CrewRow, members: Sequence[MemberRow]) -> ReadList:
    """Return the crew for the forms of others: names, points, equipment, typed statblocks."""
    played = game(crew.system)
    entries: list[ListEntry] = []
    taken_names: list[str] = []
    for member in members:
        entry = _entry(crew, played, member)
        if find_free_name(entry.name, taken_names) != member.name:
            entry = replace(entry, called=member.name)
        taken_names.append(member.name)
        last = entries[-1] if entries else None
        is_same = last is not None and not (entry.leader or entry.called or last.called)
        if last is not None and is_same and replace(last, count=1) == entry:
            entries[-1] = replace(last, count=last.count + 1)
        else:
            entries.append(entry)
    faction = crew_format_of(crew.system).told(crew.traits).get("affiliation", "")
    total = sum(member.points for member in members)
    return ReadList("neutral", crew.name, played.name, total, faction, entries=tuple(entries))


def _entry(crew: CrewRow, played: Game, member: MemberRow) -> ListEntry:
    name, equipment, figures, kind = member.name, tuple[str, ...](), "", ""
    recruit = match_recruit(crew, member)
    if recruit is not None:
        name, equipment = recruit[0].name, recruit[1]
    else:
        figures = write_as_typed(played, member.profile)
        kind = "" if figures else LOST
    group, note = (member.note, "") if member.note.startswith("Group ") else ("", member.note)
    return ListEntry(
        name,
        points=member.points or None,
        equipment=equipment,
        leader=member.leader,
        group=group,
        note=note,
        kind=kind,
        figures=figures,
    )
