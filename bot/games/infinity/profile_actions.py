"""Profiles that a server keeps, and troopers brought to a game or a crew from a profile."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from bot.actions import Action, declared
from bot.games.infinity import concealment, troops
from bot.games.infinity.concealment import best_hiding_state, deploy_best
from bot.games.infinity.fields import who
from bot.games.infinity.narration import condition_name, describe_groups, describe_profile
from bot.games.infinity.state import GROUP_COUNTER, ModelState, SideState, kept_group
from bot.games.infinity.suggestions import Profiles
from bot.replies.reply import Attachment, Reply, say
from bot.store.rows import CrewRow, MemberRow, ProfileRow, SideRow
from bot.store.store import Store
from bot.table.act import Act, Actor, NotAllowed
from bot.table.asking import fields
from bot.table.encounter import Encounter
from bot.table.handlers import Place, handles
from bot.table.journal.history import UNDO
from bot.table.names import MAX_NAME_LENGTH, check_name, find, find_free_name
from bot.table.owners import ANYONE, LIBRARY, PLAYER
from bot.table.rosters.crew_state import at_home
from bot.table.rosters.crews import MAX_MEMBERS
from bot.table.rosters.statblocks import filter_by_game, load_library_rows
from bot.table.session.arrivals import add_model, find_or_add_side
from rules.effects import Assign
from rules.json_text import json_values
from rules.refusals import InvalidInput, Missing, forbid
from rules.systems.infinity.orders import can_become_lieutenant
from rules.systems.infinity.profile import Profile
from rules.systems.infinity.profile_text import read_profile, samples, to_json, write_profile
from rules.systems.infinity.trooper import Trooper
from rules.wording import join_with_and, times

SYSTEM = "infinity"
MAX_PROFILES = 300
MAX_PROFILES_IN_FILE = 100
MAX_PROFILE_FILE_BYTES = 500_000
FILE_FORMAT = 1

TYPED_PROFILE = re.compile(r"[,;{]|^\s*(?:MOV|CC|BS|PH|WIP|ARM|BTS|W|STR|S|COST) +[0-9]", re.IGNORECASE)
"""The pattern that distinguishes a typed profile from a profile's name."""


@dataclass(frozen=True, slots=True)
class SaveProfile(Action):
    """Save a profile for everyone on this server.

    text: as a line or as JSON; name: where the text has none.
    """

    command = "inf.profile.save"
    typed = "inf model save"
    titled = "Save a profile"
    said_first = ("name", "text")
    decision_of = LIBRARY

    text: str = fields.text(
        'Profile, such as "BS 12, ARM 1, MOV 4-4, W 1; Combi Rifle B3 DAM 13", or JSON',
        None,
        needed=True,
        notation=True,
    )
    name: str = fields.text("Name of the profile", None, needed=True)


@dataclass(frozen=True, slots=True)
class DropProfile(Action):
    """Delete a profile from this server."""

    command = "inf.profile.drop"
    typed = "inf model drop"
    titled = "Delete a profile"
    decision_of = LIBRARY

    name: str = declared(Profiles(help="Profile to delete", needed=True), "")


@dataclass(frozen=True, slots=True)
class ListProfiles(Action):
    """Show this server's profiles, or one of them (visible only to you)."""

    command = "inf.profile.list"
    typed = "inf model list"
    titled = "Show profiles"
    decision_of = ANYONE

    name: str = declared(Profiles(help="Profile to show (blank for all)"), "")


@dataclass(frozen=True, slots=True)
class ExportProfiles(Action):
    """Download this server's profiles as a file."""

    command = "inf.profile.export"
    typed = "inf model export"
    titled = "Export profiles"
    decision_of = ANYONE


@dataclass(frozen=True, slots=True)
class ImportProfiles(Action):
    """Add profiles from a file to this server.

    The text of such a file; those with a known name are replaced.
    """

    command = "inf.profile.import"
    typed = "inf model import"
    titled = "Import profiles"
    decision_of = LIBRARY

    text: str = fields.attached(
        "JSON file with the profiles", MAX_PROFILE_FILE_BYTES, called="file", needed=True
    )


async def load_library(store: Store, actor: Actor, action: Action) -> list[ProfileRow]:
    """Return the server's profiles of this game."""
    return filter_by_game(await load_library_rows(store, actor), SYSTEM)


def _save_to_library(act: Act, profile: Profile) -> str:
    """Save a profile under its name, and return whether it was saved or replaced."""
    rows = filter_by_game(act.book.all(ProfileRow), SYSTEM)
    saved_row = next((row for row in rows if row.name.casefold() == profile.name.casefold()), None)
    text = write_profile(profile)
    if saved_row is None:
        if len(rows) >= MAX_PROFILES:
            raise InvalidInput(
                f"Delete a profile first. The library can hold at most {MAX_PROFILES} profiles."
            )
        profile_row_id = act.book.next_id(ProfileRow)
        row = ProfileRow(
            act.book.scope, profile_row_id, SYSTEM, profile.name, text, profile.cost, act.actor.user_id
        )
        act.book.add(row)
        return "saved"
    if saved_row.author_id != act.actor.user_id and not act.actor.manages:
        raise NotAllowed(
            f"Choose another name. Someone else has already saved a profile called {saved_row.name}."
        )
    saved_row.text, saved_row.points, saved_row.name = text, profile.cost, profile.name
    return "replaced"


def read_named_profile(text: str, name: str) -> Profile:
    """Return a typed profile under a name that a model may have. Raises InvalidInput."""
    new_name = check_name(name) if name else "Trooper"
    profile = read_profile(text, name=new_name)
    if name and profile.name != new_name:
        profile = troops.profile_of(write_profile(profile), new_name)
    check_name(profile.name)
    return profile


@handles(SaveProfile, Place.LIBRARY)
def save_profile(act: Act, action: SaveProfile) -> Reply:
    """Save a profile for all channels of the server."""
    profile = read_named_profile(action.text, action.name)
    outcome = _save_to_library(act, profile)
    return Reply(
        (f"{profile.name} has been {outcome} in the library.", *describe_profile(profile)), buttons=(UNDO,)
    )


@handles(DropProfile, Place.LIBRARY)
def delete_profile(act: Act, action: DropProfile) -> Reply:
    """Delete a profile, by its author or a manager of the channel."""
    row = find(action.name, filter_by_game(act.book.all(ProfileRow), SYSTEM), lambda one: one.name, "profile")
    if row.author_id != act.actor.user_id and not act.actor.manages:
        raise NotAllowed(
            f"Ask someone who can manage this channel to delete {row.name}. Someone else saved it."
        )
    act.book.remove(row)
    return Reply((f"{row.name} has been deleted from the library.",), buttons=(UNDO,))


@handles(ListProfiles, Place.NOWHERE, beforehand=load_library)
def list_profiles(act: Act, action: ListProfiles) -> Reply:
    """Show the names, or one profile as text that can be typed again."""
    rows: list[ProfileRow] = act.extra
    if action.name:
        row = find(action.name, rows, lambda one: one.name, "profile")
        return Reply((row.name, *describe_profile(read_profile(row.text)), f"`{row.text}`"), private=True)
    if not rows:
        return say("The library is empty.", "Save a profile with /inf model save.", private=True)
    lines = [f"{row.points:>3} {row.name}" for row in rows]
    return Reply((f"{times(len(rows), 'profile')}:", *lines), private=True)


@handles(ExportProfiles, Place.NOWHERE, beforehand=load_library)
def export_profiles(act: Act, action: ExportProfiles) -> Reply:
    """Return JSON that can be imported elsewhere."""
    rows: list[ProfileRow] = act.extra
    if not rows:
        raise InvalidInput("Save a profile first with /inf model save. The library is empty.")
    document = {
        "format": FILE_FORMAT,
        "profiles": [json.loads(to_json(read_profile(row.text))) for row in rows],
    }
    data = json.dumps(document, ensure_ascii=False, indent=1).encode()
    words = f"{times(len(rows), 'Infinity profile')} as JSON."
    return Reply((words,), private=True, files=(Attachment("infinity-profiles.json", words, data),))


def read_profile_file(text: str) -> list[Profile]:
    """Return the profiles of an exported file or of lines of text. Raises InvalidInput and says which."""
    if len(text.encode()) > MAX_PROFILE_FILE_BYTES:
        raise InvalidInput(
            f"Use a smaller file. A profile file can be at most {MAX_PROFILE_FILE_BYTES // 1000} kB."
        )
    if text.lstrip()[:1] not in ("{", "["):
        entry_texts = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    else:
        try:
            data = json_values(text)
        except (ValueError, RecursionError):
            raise InvalidInput("This isn't valid JSON. Check the quotes, commas and braces.") from None
        has_profiles_key = isinstance(data, dict) and "profiles" in data
        file_format = data.get("format", FILE_FORMAT) if has_profiles_key else FILE_FORMAT
        has_other_keys = has_profiles_key and not {"format", "profiles"}.issuperset(data)
        if has_other_keys or type(file_format) is not int or file_format != FILE_FORMAT:
            raise InvalidInput(
                'Use a file that has only the keys "profiles" and "format".'
                f" The format must be {FILE_FORMAT}."
            )
        entries = data["profiles"] if has_profiles_key else [data] if isinstance(data, dict) else data
        if not isinstance(entries, list):
            raise InvalidInput("Write the profiles as a list in square brackets.")
        entry_texts = [json.dumps(entry) for entry in entries]
    if not 1 <= len(entry_texts) <= MAX_PROFILES_IN_FILE:
        raise InvalidInput(
            f"Use a file with 1 to {MAX_PROFILES_IN_FILE} profiles (this one has {len(entry_texts)})."
        )
    profiles = []
    for entry_number, part in enumerate(entry_texts, 1):
        try:
            profiles.append(read_named_profile(part, ""))
        except InvalidInput as refusal:
            raise InvalidInput(f"Profile {entry_number} has a mistake. {refusal.sentence}") from None
    return profiles


@handles(ImportProfiles, Place.LIBRARY)
def import_profiles(act: Act, action: ImportProfiles) -> Reply:
    """Save all profiles of a file, or none if one is wrong."""
    outcomes = [_save_to_library(act, profile) for profile in read_profile_file(action.text)]
    return Reply(
        (f"{times(outcomes.count('saved'), 'profile')} saved, {outcomes.count('replaced')} replaced.",),
        buttons=(UNDO,),
    )


def find_profile(act: Act, text: str, name: str) -> Profile:
    """Return a profile by its name in the library or among the samples, or as typed."""
    if TYPED_PROFILE.search(text):
        return read_named_profile(text, name)
    known_profiles = [read_profile(row.text) for row in act.extra]
    known_profiles += [trooper for sample in samples() for trooper in sample.troopers]
    return find(text, known_profiles, lambda profile: profile.name, "profile")


MAX_GROUPS = 9


MAX_SIDES = 2
"""Sides of a game."""


@dataclass(frozen=True, slots=True)
class AddModel(Action):
    """Add a trooper to the game, in the open or in secret.

    profile: from the library, a sample, or typed here. side: one's own where it is empty; a name that is
    new makes a side, before the game. group: 0 for the first Combat Group that has room. hidden: it arrives
    as a Marker or in Hidden Deployment, and only its side reads of it.
    """

    command = "inf.model.add"
    typed = "inf model add"
    titled = "Add a trooper"
    decision_of = PLAYER

    profile: str = declared(
        Profiles(help="Saved, sample or typed profile", needed=True, with_samples=True, notation=True), ""
    )
    name: str = fields.text("Name of the trooper", None)
    side: SideRow | str | None = fields.side_or_new_name("Side (a new one only before the game)", MAX_SIDES)
    group: int = fields.whole(
        "Combat Group (blank for the first one with room)", 0, MAX_GROUPS, default=0, checked=True
    )
    count: int = fields.whole("Number of troopers", 1, 10, default=1, checked=True)
    hidden: bool = fields.switch("Add it hidden and in secret (only before the game)")


@dataclass(frozen=True, slots=True)
class Regroup(Action):
    """Move a trooper to another Combat Group."""

    command = "inf.model.group"
    typed = "inf model group"
    titled = "Change Combat Group"

    model: Trooper = who()
    group: int = fields.whole(
        "Number of the Combat Group", 1, MAX_GROUPS, default=1, needed=True, checked=True
    )


@dataclass(frozen=True, slots=True)
class RecruitProfile(Action):
    """Recruit troopers from a profile into your crew.

    crew: its scope.
    """

    command = "inf.model.recruit"
    typed = "inf model recruit"
    titled = "Recruit from a profile"

    crew: int = fields.own_crew("Your crew", needed=True)
    profile: str = declared(Profiles(help="Saved or sample profile", needed=True, with_samples=True), "")
    count: int = fields.whole("Number of troopers", 1, 10, default=1)


@handles(AddModel, beforehand=load_library)
def add_troopers(act: Act, action: AddModel) -> Reply:
    """Add troopers as public figures, or before the game in secret. Rules: INF-SS-02."""
    encounter = act.encounter
    side = find_or_add_side(act, action.side)
    sees_all = concealment.may_see_secrets(encounter, act.actor.user_id, side.id)
    if action.group:
        _check_room(encounter, side.id, action.group, action.count, sees_all=sees_all)
    profile = find_profile(act, action.profile, action.name)
    if action.hidden:
        _check_can_hide(act, side, profile)
    name = check_name(action.name) if action.name else check_name(profile.name[:MAX_NAME_LENGTH])
    names, added_rows = [], []
    names_by_group: dict[int, list[str]] = {}
    for _ in range(action.count):
        group = action.group or troops.group_with_room(encounter, side.id, include_hidden=sees_all)
        row = add_model(encounter, side.id, act.actor.user_id, name, write_profile(profile))
        ModelState(row).group = group
        names.append(row.name)
        added_rows.append(row)
        names_by_group.setdefault(group, []).append(row.name)
    if not concealment.lieutenant_of(encounter, side.id) and can_become_lieutenant(
        troops.trooper(encounter, row)
    ):
        concealment.appoint(encounter, side.id, row.id, act.actor.user_id)
    state = SideState(side)
    state.count_army(state.army_points + profile.cost * action.count)
    if action.hidden:
        for row in added_rows:
            deploy_best(encounter, troops.trooper(encounter, row))
        state_name = condition_name(best_hiding_state(profile) or "").title()
        return say(
            f"Added in secret ({state_name}): {', '.join(names)}.",
            *describe_groups(names_by_group),
            "Only your side knows.",
            private=True,
        )
    lines = (
        f"{side.name}: {', '.join(names)}.",
        *describe_groups(names_by_group),
        *describe_profile(profile),
    )
    return Reply(lines, buttons=(UNDO,))


def _check_can_hide(act: Act, side: SideRow, profile: Profile) -> None:
    """Refuse to add in secret what cannot hide, for another side, or once the game is under way."""
    if act.encounter.row.turn:
        forbid(
            "Add the trooper in the open. You can only add troopers in secret before the game.", "INF-SS-02"
        )
    if not concealment.may_see_secrets(act.encounter, act.actor.user_id, side.id):
        raise InvalidInput(f"Join {side.name} first with /encounter join. You don't play that side.")
    if best_hiding_state(profile) is None:
        forbid(f"Add {profile.name} in the open. It has no skill that lets it hide.", "INF-SS-02")


def _check_room(encounter: Encounter, side: int, group: int, count: int, *, sees_all: bool) -> None:
    """Refuse a Combat Group that would be too large. Rules: INF-ORD-01."""
    group_size = troops.group_sizes(encounter, side, include_hidden=sees_all)[group]
    max_size = troops.settings_of(encounter).max_group
    if group_size + count > max_size:
        size_text = times(group_size, "trooper")
        sentence = f"Choose another group. Combat Group {group} already has {size_text} (at most {max_size})."
        forbid(sentence, "INF-ORD-01")


@handles(Regroup)
def change_group(act: Act, action: Regroup) -> Reply:
    """Regroup before the game, by the owner; no one else reads it for hidden models. Rules: INF-ORD-01."""
    encounter = act.encounter
    trooper = action.model
    if trooper.group == action.group:
        raise InvalidInput(
            f"Choose another group. {trooper.profile.name} is already in Combat Group {action.group}."
        )
    if encounter.row.turn:
        forbid("You can only change Combat Groups before the game.", "INF-ORD-01")
    sees_all = concealment.may_see_secrets(encounter, act.actor.user_id, trooper.side)
    _check_room(encounter, trooper.side, action.group, 1, sees_all=sees_all)
    concealment.apply_effects(
        encounter, [Assign("model", trooper.id, GROUP_COUNTER, kept_group(action.group))]
    )
    is_secret = trooper.id < 0 or concealment.is_marker(encounter, trooper.id)
    line = f"{trooper.profile.name} is now in Combat Group {action.group}."
    return Reply((line,), private=is_secret, buttons=() if is_secret else (UNDO,))


async def _load_library_for_crew(store: Store, actor: Actor, action: RecruitProfile) -> list[ProfileRow]:
    await at_home(store, actor, action)
    return await load_library(store, actor, action)


@handles(RecruitProfile, Place.CREW, beforehand=_load_library_for_crew)
def recruit_from_profile(act: Act, action: RecruitProfile) -> Reply:
    """Recruit into your own crew, which no one else sees."""
    crew = act.book.get(CrewRow)
    if crew is None or crew.system != SYSTEM:
        raise Missing("Choose an Infinity crew. /crew list shows yours.")
    if crew.owner_id != act.actor.user_id:
        raise NotAllowed(f"You can only recruit for your own crew. {crew.name} isn't yours.")
    members = act.book.all(MemberRow)
    if not 1 <= action.count <= 10 or len(members) + action.count > MAX_MEMBERS:
        raise InvalidInput(
            f"Recruit 1 to 10 troopers at a time. A crew can have up to {MAX_MEMBERS} troopers."
        )
    profile = find_profile(act, action.profile, "")
    names = []
    for _ in range(action.count):
        members = act.book.all(MemberRow)
        name = find_free_name(profile.name[:MAX_NAME_LENGTH], [member.name for member in members])
        member_id = act.book.next_id(MemberRow)
        row = MemberRow(act.book.scope, member_id, name, write_profile(profile), profile.cost)
        act.book.add(row)
        names.append(name)
    total_points = sum(member.points for member in act.book.all(MemberRow))
    return Reply(
        (
            f"{crew.name} recruits {join_with_and(names)}.",
            f"{crew.name} is now worth {times(total_points, 'point')}.",
        ),
        private=True,
        buttons=(UNDO,),
    )
