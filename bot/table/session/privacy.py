"""What is kept of a person: told, handed out as a file, and forgotten at their word.

None of it stands in any journal: that somebody asked to be forgotten is not kept either.
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

group("mydata", "What the bot keeps of you, and its end")

MAX_ENTRIES = 20_000
MAX_BYTES = 7_000_000
"""How large a file Discord takes in any server, with some room."""

MAX_NAMED = 5


@dataclass(frozen=True, slots=True)
class ShowPrivacy(Action):
    """What the bot keeps of you, why and how long."""

    command = "privacy"
    typed = "privacy"
    titled = "What is kept of you"
    decision_of = SELF


@dataclass(frozen=True, slots=True)
class ExportMine(Action):
    """Get all that is kept of you as a file, to you alone."""

    command = "mydata.export"
    typed = "mydata export"
    titled = "All that is kept of me"
    decision_of = SELF


@dataclass(frozen=True, slots=True)
class DeleteMine(Action):
    """Have your name and number leave everything; it asks first."""

    command = "mydata.delete"
    typed = "mydata delete"
    titled = "Forget me"
    decision_of = SELF


@dataclass(frozen=True, slots=True)
class ForgetMe(Action):
    """Forget the person who presses."""

    command = "mydata.forget"
    decision_of = SELF


EXPORT = Button("My data", ExportMine(), anytime=True)
DELETE = Button("Forget me...", DeleteMine(), anytime=True)


@dataclass(frozen=True, slots=True)
class _Mine:
    """What there is of a person. is_known: their number, if nothing else: somebody else named them once."""

    is_known: bool
    names: Sequence[str]
    places: Sequence[KeptPlace]
    crews: Sequence[KeptPlace]
    has_pictures: bool
    keeping: Keeping

    @property
    def nothing(self) -> bool:
        """Whether nothing is kept of them."""
        return not (self.is_known or self.places or self.has_pictures)


async def _mine(store: Store, actor: Actor, action: Action) -> _Mine:
    user = actor.user_id
    return _Mine(
        await is_known(store, user),
        await names_of(store, user),
        await places_of(store, user),
        await crews_of(store, user),
        await has_pictures(store, user),
        store.keeping,
    )


# ------------------------------------------------------------------------------------ what, why, how long


@handles(ShowPrivacy, Place.NOWHERE, beforehand=_mine)
def show_privacy(act: Act, action: ShowPrivacy) -> Reply:
    """To the person who asks alone."""
    mine: _Mine = act.extra
    return Reply(
        (
            "What is kept of you, and why:",
            "- your number on Discord and the name",
            "  you had: whose crew, model and roll",
            "  it is;",
            "- what you asked the bot, with words",
            "  you typed and dice that fell: the",
            "  game, its log, undo and proofs;",
            "- crews, campaigns, reminders, and",
            "  what you tell and show of games: so",
            "  that they are there.",
            "No messages, no list of members, no",
            "addresses; nothing goes to others.",
            "",
            *_how_long(mine.keeping),
            "",
            f"Of you: {_counted(mine)}.",
            "/mydata export: all of it as a file.",
            "/mydata delete: name and number leave",
            "everything that is kept.",
        ),
        buttons=() if mine.nothing else (EXPORT, DELETE),
        private=True,
    )


def _how_long(keeping: Keeping) -> list[str]:
    lines = ["How long:"]
    if keeping.people_days:
        lines += [f"- you: until you did nothing for {keeping.people_days}", "  days, or ask;"]
    else:
        lines += ["- you: until you ask;"]
    if keeping.servers_days:
        return [
            *lines,
            "- a server: until the bot has been",
            f"  gone from it for {keeping.servers_days} days.",
        ]
    return [*lines, "- a server: until its keeper asks."]


def _counted(mine: _Mine) -> str:
    if mine.nothing:
        return "nothing"
    kinds = {
        "encounter": "games",
        "crew": "crews",
        "campaign": "campaigns",
        "channel": "rolls",
        "library": "statblocks",
    }
    counts = {words: sum(place.kind == kind for place in mine.places) for kind, words in kinds.items()}
    told = [f"{count} {words if count > 1 else words[:-1]}" for words, count in counts.items() if count]
    told += ["pictures"] if mine.has_pictures else []
    return ", ".join(told) or ("your name alone" if mine.names else "your number alone")


# ------------------------------------------------------------------------------------ the file


@dataclass(frozen=True, slots=True)
class _Whole:
    """All of it. left_out: whether older entries are."""

    mine: _Mine
    rows: dict[str, list[dict[str, Any]]]
    entries: list[dict[str, Any]]
    pictures: dict[str, bytes]


async def _whole(store: Store, actor: Actor, action: Action) -> _Whole:
    return _Whole(
        await _mine(store, actor, action),
        await rows_of(store, actor.user_id),
        await entries_of(store, actor.user_id, MAX_ENTRIES),
        await pictures_of_person(store, actor.user_id),
    )


@handles(ExportMine, Place.NOWHERE, beforehand=_whole)
def export_mine(act: Act, action: ExportMine) -> Reply:
    """A file of JSON, to the person who asks alone. What does not fit into one is told."""
    whole: _Whole = act.extra
    if whole.mine.nothing:
        return say("Nothing is kept of you.", private=True)
    entries = whole.entries
    data = _file(act.actor.user_id, whole, entries)
    while len(data) > MAX_BYTES and entries:
        entries = entries[len(entries) // 2 + 1 :]
        data = _file(act.actor.user_id, whole, entries)
    if len(data) > MAX_BYTES:
        return say(
            "That is more than Discord takes in one file.", "Ask who keeps the bot for it.", private=True
        )
    count = "1 entry" if len(entries) == 1 else f"{len(entries)} entries"
    lines = [f"All that is kept of you: {count}."]
    if len(entries) < len(whole.entries) or len(whole.entries) == MAX_ENTRIES:
        lines.append("Older ones do not fit into one file.")
        lines.append("Ask who keeps the bot for them.")
    if _left_out(whole.pictures):
        lines.append("Your pictures do not fit: /story show.")
    file = Attachment("mydata.json", "All that the bot keeps of you, as JSON.", data)
    return Reply(tuple(lines), private=True, files=(file,))


def _file(user_id: int, whole: _Whole, entries: Sequence[dict[str, Any]]) -> bytes:
    told = [_told(entry) for entry in entries]
    places = [
        {"kind": one.kind, "name": one.name, "server": str(one.guild_id), "channel": str(one.channel_id)}
        for one in whole.mine.places
    ]
    held = {
        "you": {"number": str(user_id), "names": list(whole.mine.names)},
        "where": places,
        "rows": whole.rows,
        "pictures": {}
        if _left_out(whole.pictures)
        else {digest: b64encode(data).decode() for digest, data in whole.pictures.items()},
        "entries": told,
    }
    return json.dumps(held, ensure_ascii=False, indent=1).encode()


def _told(entry: Mapping[str, Any]) -> dict[str, Any]:
    """One thing that was asked, with moment, answer, and the dice (sides and face) that fell for it."""
    faces = [one[:2] for one in bound_in(entry["faces"])] if entry["faces"] else "the game still runs"
    answer = json.loads(entry["reply"]).get("lines", []) if entry["reply"] else []
    return {
        **{name: value for name, value in entry.items() if name != "reply"},
        "faces": faces,
        "answer": answer,
        "at": _moment(entry["at_ms"]),
    }


def _left_out(pictures: Mapping[str, bytes]) -> bool:
    """Whether there are more pictures than fit beside everything else."""
    return sum(map(len, pictures.values())) > MAX_BYTES // 3


def _moment(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(timespec="seconds")


# ------------------------------------------------------------------------------------ forgetting


@handles(DeleteMine, Place.NOWHERE, beforehand=_mine)
def delete_mine(act: Act, action: DeleteMine) -> Reply:
    """Asks; nothing goes before the button is pressed."""
    mine: _Mine = act.extra
    if mine.nothing:
        return say("Nothing is kept of you.", private=True)
    lines = [
        "Your name and number leave all games,",
        "logs and campaigns, in every server;",
        "there you are Somebody from now on.",
        "Games can still be checked. Nothing",
        "brings it back.",
    ]
    if mine.crews:
        named = ", ".join(crew.name for crew in mine.crews[:MAX_NAMED])
        more = f" and {len(mine.crews) - MAX_NAMED} more" if len(mine.crews) > MAX_NAMED else ""
        lines += [
            f"Your crews go too: {named}{more}.",
            "One that is to stay: /crew give first.",
        ]
    lines += ["Messages that stand in Discord are", "Discord's: delete them there."]
    buttons = (Button("Forget me", ForgetMe(), "danger", anytime=True), EXPORT)
    return Reply(tuple(lines), private=True, buttons=buttons)


async def _forgotten(store: Store, actor: Actor, action: ForgetMe) -> Erased | None:
    mine = await _mine(store, actor, action)
    return None if mine.nothing else await forget_person(store, actor.user_id, (actor.name,))


@handles(ForgetMe, Place.NOWHERE, beforehand=_forgotten)
def forget_me(act: Act, action: ForgetMe) -> Reply:
    """Done when it is told; pressed again it finds nothing."""
    erased: Erased | None = act.extra
    if erased is None:
        return say("Nothing is kept of you.", private=True)
    lines = ["You are forgotten: your name and number", "are in nothing that is kept."]
    if erased.altered:
        count = f"{erased.altered} {'entry' if erased.altered == 1 else 'entries'}"
        lines += ["They stood in plain letters in", f"{count}: marked as altered now."]
    lines += ["What you ask the bot from now on is", "kept anew."]
    return Reply(tuple(lines), private=True)
