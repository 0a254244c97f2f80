"""A server's own profiles: saved, shown, imported and exported."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from bot.actions import Action, declared
from bot.games.infinity import troops
from bot.games.infinity.suggestions import Profiles
from bot.games.infinity.words import statblock
from bot.replies.reply import Attachment, Reply, say
from bot.store.rows import ProfileRow
from bot.store.store import Store
from bot.table.act import Act, Actor, NotAllowed
from bot.table.asking import fields
from bot.table.handlers import Place, handles
from bot.table.journal.history import UNDO
from bot.table.names import checked_name, find
from bot.table.owners import ANYONE, LIBRARY
from rules.json_text import json_values
from rules.refusals import InvalidInput
from rules.systems.infinity.profile import Profile
from rules.systems.infinity.profile_text import read_profile, samples, to_json, write_profile
from rules.wording import times

SYSTEM = "infinity"
MOST_PROFILES = 300
MOST_AT_ONCE = 100
MOST_BYTES = 500_000
FORMAT = 1

TYPED = re.compile(r"[,;{]|^\s*(?:MOV|CC|BS|PH|WIP|ARM|BTS|W|STR|S|COST) +[0-9]", re.IGNORECASE)
"""What tells a typed profile from a profile's name."""


@dataclass(frozen=True, slots=True)
class SaveProfile(Action):
    """Save a profile for this server.

    text: as a line or as JSON; name: where the text has none.
    """

    command = "inf.profile.save"
    typed = "inf model save"
    titled = "Keep a profile"
    said_first = ("name", "text")
    decision_of = LIBRARY

    text: str = fields.text(
        "BS 12, ARM 1, MOV 4-4, W 1; Combi Rifle B3 DAM 13; or JSON", None, needed=True, notation=True
    )
    name: str = fields.text("Its name", None, needed=True)


@dataclass(frozen=True, slots=True)
class DropProfile(Action):
    """Take a profile out of the library."""

    command = "inf.profile.drop"
    typed = "inf model drop"
    titled = "Drop a profile"
    decision_of = LIBRARY

    name: str = declared(Profiles(help="Its name", needed=True), "")


@dataclass(frozen=True, slots=True)
class ListProfiles(Action):
    """Show the library, or one profile, to you alone."""

    command = "inf.profile.list"
    typed = "inf model list"
    titled = "Profiles"
    decision_of = ANYONE

    name: str = declared(
        Profiles(
            help="Only this one",
        ),
        "",
    )


@dataclass(frozen=True, slots=True)
class ExportProfiles(Action):
    """Get the library as a file."""

    command = "inf.profile.export"
    typed = "inf model export"
    titled = "Profiles as a file"
    decision_of = ANYONE


@dataclass(frozen=True, slots=True)
class ImportProfiles(Action):
    """Take profiles from a file.

    The text of such a file; those with a known name are replaced.
    """

    command = "inf.profile.import"
    typed = "inf model import"
    titled = "Take profiles in"
    decision_of = LIBRARY

    text: str = fields.attached("A JSON file", MOST_BYTES, called="file", needed=True)


async def library(store: Store, actor: Actor, action: Action) -> list[ProfileRow]:
    """The server's profiles of this game."""
    scope = await store.library_scope(actor.guild_id)
    loaded = await store.load(scope) if scope else None
    return _rows(loaded.book().all(ProfileRow)) if loaded else []


def _rows(rows: list[ProfileRow]) -> list[ProfileRow]:
    return [row for row in rows if row.system == SYSTEM]


def _put(act: Act, profile: Profile) -> str:
    """Write a profile under its name; what became of it in a word."""
    rows = _rows(act.book.all(ProfileRow))
    known = next((row for row in rows if row.name.casefold() == profile.name.casefold()), None)
    text = write_profile(profile)
    if known is None:
        if len(rows) >= MOST_PROFILES:
            raise InvalidInput(f"The library holds {MOST_PROFILES} profiles at most.")
        number = act.book.next_id(ProfileRow)
        row = ProfileRow(act.book.scope, number, SYSTEM, profile.name, text, profile.cost, act.actor.user_id)
        act.book.add(row)
        return "saved"
    if known.author_id != act.actor.user_id and not act.actor.manages:
        raise NotAllowed(f"{known.name} was saved by somebody else: take another name.")
    known.text, known.points, known.name = text, profile.cost, profile.name
    return "replaced"


def named(text: str, name: str) -> Profile:
    """A typed profile under a name that a model may have. Raises InvalidInput."""
    wanted = checked_name(name) if name else "Trooper"
    profile = read_profile(text, name=wanted)
    if name and profile.name != wanted:
        profile = troops.profile_of(write_profile(profile), wanted)
    checked_name(profile.name)
    return profile


@handles(SaveProfile, Place.LIBRARY)
def save(act: Act, action: SaveProfile) -> Reply:
    """Saved for all channels of the server."""
    profile = named(action.text, action.name)
    done = _put(act, profile)
    return Reply((f"{profile.name}: profile {done}.", *statblock(profile)), buttons=(UNDO,))


@handles(DropProfile, Place.LIBRARY)
def drop(act: Act, action: DropProfile) -> Reply:
    """By who saved it, or who manages the channel."""
    row = find(action.name, _rows(act.book.all(ProfileRow)), lambda one: one.name, "profile")
    if row.author_id != act.actor.user_id and not act.actor.manages:
        raise NotAllowed(f"{row.name} was saved by somebody else.")
    act.book.remove(row)
    return Reply((f"{row.name}: profile dropped.",), buttons=(UNDO,))


@handles(ListProfiles, Place.NOWHERE, beforehand=library)
def listing(act: Act, action: ListProfiles) -> Reply:
    """The names, or one profile as text that can be typed again."""
    rows: list[ProfileRow] = act.extra
    if action.name:
        row = find(action.name, rows, lambda one: one.name, "profile")
        return Reply((row.name, *statblock(read_profile(row.text)), f"`{row.text}`"), private=True)
    if not rows:
        return say("The library is empty.", "Save a profile: /inf model save.", private=True)
    lines = [f"{row.points:>3} {row.name}" for row in rows]
    return Reply((f"{times(len(rows), 'profile')}:", *lines), private=True)


@handles(ExportProfiles, Place.NOWHERE, beforehand=library)
def exporting(act: Act, action: ExportProfiles) -> Reply:
    """JSON that can be imported elsewhere."""
    rows: list[ProfileRow] = act.extra
    if not rows:
        raise InvalidInput("The library is empty.")
    plain = {"format": FORMAT, "profiles": [json.loads(to_json(read_profile(row.text))) for row in rows]}
    data = json.dumps(plain, ensure_ascii=False, indent=1).encode()
    words = f"{len(rows)} Infinity profiles as JSON."
    return Reply((words,), private=True, files=(Attachment("infinity-profiles.json", words, data),))


def profiles_in(text: str) -> list[Profile]:
    """The profiles of an exported file, or of lines of text. Raises InvalidInput, and then says which."""
    if len(text.encode()) > MOST_BYTES:
        raise InvalidInput(f"A file of profiles has at most {MOST_BYTES // 1000} kB.")
    if text.lstrip()[:1] not in ("{", "["):
        parts = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    else:
        try:
            plain = json_values(text)
        except (ValueError, RecursionError):
            raise InvalidInput("This is no JSON: check quotes, commas and braces.") from None
        whole = isinstance(plain, dict) and "profiles" in plain
        written = plain.get("format", FORMAT) if whole else FORMAT
        strange = whole and not {"format", "profiles"}.issuperset(plain)
        if strange or type(written) is not int or written != FORMAT:
            raise InvalidInput(f"A file of profiles has profiles and format, {FORMAT}, and nothing else.")
        inside = plain["profiles"] if whole else [plain] if isinstance(plain, dict) else plain
        if not isinstance(inside, list):
            raise InvalidInput("profiles is a list.")
        parts = [json.dumps(one) for one in inside]
    if not 1 <= len(parts) <= MOST_AT_ONCE:
        raise InvalidInput(f"A file holds 1 to {MOST_AT_ONCE} profiles, not {len(parts)}.")
    found = []
    for place, part in enumerate(parts, 1):
        try:
            found.append(named(part, ""))
        except InvalidInput as refusal:
            raise InvalidInput(f"Profile {place}: {refusal.sentence}") from None
    return found


@handles(ImportProfiles, Place.LIBRARY)
def importing(act: Act, action: ImportProfiles) -> Reply:
    """All of them, or none where one is wrong."""
    done = [_put(act, profile) for profile in profiles_in(action.text)]
    return Reply(
        (f"{times(done.count('saved'), 'profile')} saved, {done.count('replaced')} replaced.",),
        buttons=(UNDO,),
    )


def meant(act: Act, text: str, name: str) -> Profile:
    """A profile by its name in the library or among the samples, or as typed."""
    if TYPED.search(text):
        return named(text, name)
    known = [read_profile(row.text) for row in act.extra]
    known += [one for sample in samples() for one in sample.troopers]
    return find(text, known, lambda one: one.name, "profile")
