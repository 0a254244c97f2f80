"""A person's data: shown, exported and deleted on request.

None of it is in any journal: the request to be forgotten isn't stored either.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from bot.actions import Action
from bot.replies.reply import Attachment, Button, Reply, say
from bot.store.journal import bound_in
from bot.store.retention import (
    Erased,
    KeptPlace,
    crews_of,
    entries_of,
    forget_person,
    is_known,
    names_of,
    places_of,
    rows_of,
)
from bot.store.side_tables import has_pictures, pictures_of_person
from bot.store.store import Keeping, Store
from bot.table.act import Act, Actor
from bot.table.asking.descriptions import group
from bot.table.handlers import Place, handles
from bot.table.owners import SELF

group("mydata", "What the bot stores about you")

MAX_ENTRIES = 20_000
MAX_BYTES = 7_000_000
"""How large a file Discord takes in any server, with some room."""

MAX_CREWS_NAMED = 5


@dataclass(frozen=True, slots=True)
class ShowPrivacy(Action):
    """See what the bot stores about you, why and for how long."""

    command = "privacy"
    typed = "privacy"
    titled = "My data"
    decision_of = SELF


@dataclass(frozen=True, slots=True)
class ExportMine(Action):
    """Get a file with everything that is stored about you (visible only to you)."""

    command = "mydata.export"
    typed = "mydata export"
    titled = "Export my data"
    decision_of = SELF


@dataclass(frozen=True, slots=True)
class DeleteMine(Action):
    """Delete your name and Discord ID from all records (asks first)."""

    command = "mydata.delete"
    typed = "mydata delete"
    titled = "Delete my data"
    decision_of = SELF


@dataclass(frozen=True, slots=True)
class ForgetMe(Action):
    """Forget the person who presses."""

    command = "mydata.forget"
    decision_of = SELF


EXPORT = Button("Export my data", ExportMine(), anytime=True)
DELETE = Button("Delete my data...", DeleteMine(), anytime=True)


@dataclass(frozen=True, slots=True)
class _PersonalData:
    """The data about a person.

    is_known: only their number is known, because another person named them once.
    """

    is_known: bool
    names: Sequence[str]
    places: Sequence[KeptPlace]
    crews: Sequence[KeptPlace]
    has_pictures: bool
    keeping: Keeping

    @property
    def nothing(self) -> bool:
        """Return whether nothing is kept of them."""
        return not (self.is_known or self.places or self.has_pictures)


async def _load_overview(store: Store, actor: Actor, action: Action) -> _PersonalData:
    user = actor.user_id
    return _PersonalData(
        await is_known(store, user),
        await names_of(store, user),
        await places_of(store, user),
        await crews_of(store, user),
        await has_pictures(store, user),
        store.keeping,
    )


# ------------------------------------------------------------------------------------ what, why, how long


@handles(ShowPrivacy, Place.NOWHERE, beforehand=_load_overview)
def show_privacy(act: Act, action: ShowPrivacy) -> Reply:
    """Show the privacy page only to the person."""
    overview: _PersonalData = act.extra
    return Reply(
        (
            "What the bot stores about you, and why:",
            "- Your Discord ID and name, to know who owns a crew or model and who made a roll.",
            "- What you entered and rolled, for the game, its log and undo, and as proof of fair dice.",
            "- Your crews, campaigns, reminders, stories and pictures.",
            "The bot stores no messages, member lists or addresses, and passes nothing on to others.",
            "",
            *_explain_retention(overview.keeping),
            "",
            f"Stored about you now: {_format_counts(overview)}.",
            "/mydata export sends you everything as a file.",
            "/mydata delete removes your name and Discord ID from everything.",
        ),
        buttons=() if overview.nothing else (EXPORT, DELETE),
        private=True,
    )


def _explain_retention(keeping: Keeping) -> list[str]:
    idle_words = (
        f", or for {keeping.people_days} days after you last use the bot" if keeping.people_days else ""
    )
    end_text = (
        f"the bot has been gone from the server for {keeping.servers_days} days"
        if keeping.servers_days
        else "the server's owner asks for its deletion"
    )
    return [
        "How long data is stored:",
        f"- Data about you: until you delete it{idle_words}.",
        f"- Data about a server: until {end_text}.",
    ]


def _format_counts(overview: _PersonalData) -> str:
    if overview.nothing:
        return "nothing"
    kinds = {
        "encounter": ("game", "games"),
        "crew": ("crew", "crews"),
        "campaign": ("campaign", "campaigns"),
        "channel": ("channel with rolls", "channels with rolls"),
        "library": ("server with custom models or settings", "servers with custom models or settings"),
    }
    counts = {nouns: sum(place.kind == kind for place in overview.places) for kind, nouns in kinds.items()}
    phrases = [f"{count} {nouns[count > 1]}" for nouns, count in counts.items() if count]
    phrases += ["pictures"] if overview.has_pictures else []
    return ", ".join(phrases) or ("only your name" if overview.names else "only your Discord ID")


# ------------------------------------------------------------------------------------ the file


@dataclass(frozen=True, slots=True)
class _Export:
    """Everything that is stored about a person."""

    mine: _PersonalData
    rows: dict[str, list[dict[str, Any]]]
    entries: list[dict[str, Any]]
    pictures: dict[str, bytes]


async def _load_export(store: Store, actor: Actor, action: Action) -> _Export:
    return _Export(
        await _load_overview(store, actor, action),
        await rows_of(store, actor.user_id),
        await entries_of(store, actor.user_id, MAX_ENTRIES),
        await pictures_of_person(store, actor.user_id),
    )


@handles(ExportMine, Place.NOWHERE, beforehand=_load_export)
def export_mine(act: Act, action: ExportMine) -> Reply:
    """Export a JSON file only for the person. It says what does not fit."""
    export: _Export = act.extra
    if export.mine.nothing:
        return say("The bot stores nothing about you.", private=True)
    entries = export.entries
    data = _make_file(act.actor.user_id, export, entries)
    while len(data) > MAX_BYTES and entries:
        entries = entries[len(entries) // 2 + 1 :]
        data = _make_file(act.actor.user_id, export, entries)
    if len(data) > MAX_BYTES:
        return say(
            "The file would be too large for Discord.",
            "The person who runs the bot can give you the file.",
            private=True,
        )
    count = "1 entry" if len(entries) == 1 else f"{len(entries)} entries"
    lines = [f"The file shows what is stored about you, including {count} from logs."]
    if len(entries) < len(export.entries) or len(export.entries) == MAX_ENTRIES:
        lines.append("Older entries don't fit in the file.")
        lines.append("The person who runs the bot can give you those.")
    if _are_pictures_too_large(export.pictures):
        lines.append("Your pictures don't fit in the file. You can get them with /story show.")
    file = Attachment("mydata.json", "Everything that the bot stores about you, as JSON.", data)
    return Reply(tuple(lines), private=True, files=(file,))


def _make_file(user_id: int, export: _Export, entries: Sequence[dict[str, Any]]) -> bytes:
    exported_entries = [_export_entry(entry) for entry in entries]
    places = [
        {
            "kind": place.kind,
            "name": place.name,
            "server": str(place.guild_id),
            "channel": str(place.channel_id),
        }
        for place in export.mine.places
    ]
    document = {
        "you": {"number": str(user_id), "names": list(export.mine.names)},
        "where": places,
        "rows": export.rows,
        "pictures": {}
        if _are_pictures_too_large(export.pictures)
        else {picture_hash: b64encode(data).decode() for picture_hash, data in export.pictures.items()},
        "entries": exported_entries,
    }
    return json.dumps(document, ensure_ascii=False, indent=1).encode()


def _export_entry(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return one request with its moment, its answer, and its dice (sides and face)."""
    faces = (
        [roll[:2] for roll in bound_in(entry["faces"])]
        if entry["faces"]
        else "not shown until the game has ended"
    )
    answer = json.loads(entry["reply"]).get("lines", []) if entry["reply"] else []
    return {
        **{name: value for name, value in entry.items() if name != "reply"},
        "faces": faces,
        "answer": answer,
        "at": _format_time(entry["at_ms"]),
    }


def _are_pictures_too_large(pictures: Mapping[str, bytes]) -> bool:
    """Return whether there are more pictures than fit beside everything else."""
    return sum(map(len, pictures.values())) > MAX_BYTES // 3


def _format_time(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(timespec="seconds")


# ------------------------------------------------------------------------------------ forgetting


@handles(DeleteMine, Place.NOWHERE, beforehand=_load_overview)
def delete_mine(act: Act, action: DeleteMine) -> Reply:
    """Ask first; nothing is deleted before the button is pressed."""
    overview: _PersonalData = act.extra
    if overview.nothing:
        return say("The bot stores nothing about you.", private=True)
    lines = [
        "This removes your name and Discord ID from all games, logs and campaigns on every server.",
        "You will be called Somebody there. Games can still be verified.",
        "This can't be undone.",
    ]
    if overview.crews:
        names = ", ".join(crew.name for crew in overview.crews[:MAX_CREWS_NAMED])
        more_text = (
            f" and {len(overview.crews) - MAX_CREWS_NAMED} more"
            if len(overview.crews) > MAX_CREWS_NAMED
            else ""
        )
        crew_word = "crew" if len(overview.crews) == 1 else "crews"
        lines += [
            f"Your {crew_word} will be deleted too: {names}{more_text}.",
            "To save a crew from deletion, first give it to someone with /crew give.",
        ]
    lines.append("Messages in Discord stay until you delete them there.")
    buttons = (Button("Delete my data", ForgetMe(), "danger", anytime=True), EXPORT)
    return Reply(tuple(lines), private=True, buttons=buttons)


async def _forget(store: Store, actor: Actor, action: ForgetMe) -> Erased | None:
    overview = await _load_overview(store, actor, action)
    return None if overview.nothing else await forget_person(store, actor.user_id, (actor.name,))


@handles(ForgetMe, Place.NOWHERE, beforehand=_forget)
def forget_me(act: Act, action: ForgetMe) -> Reply:
    """Forget the person; a second press finds nothing."""
    erased: Erased | None = act.extra
    if erased is None:
        return say("The bot stores nothing about you.", private=True)
    lines = ["Your data has been deleted. The bot no longer stores your name or Discord ID."]
    if erased.altered:
        count = f"{erased.altered} {'entry' if erased.altered == 1 else 'entries'}"
        lines.append(f"Your name or ID was in the text of {count}, which the log now marks as altered.")
    lines.append("If you use the bot again, it will store data about you again.")
    return Reply(tuple(lines), private=True)
