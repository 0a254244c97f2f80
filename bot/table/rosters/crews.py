"""Crews that people keep between encounters: made, recruited from a roster, shown, led, disbanded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.actions import Action
from bot.lookalikes import look_of
from bot.replies.fit import MAX_CHOICES, cut
from bot.replies.reply import Button, Choice, Menu, Reply, say
from bot.store.rows import AskRow, CrewRow, MemberRow, ProfileRow
from bot.store.store import Store
from bot.table.act import Act, Actor, NotAllowed
from bot.table.asking import fields
from bot.table.asking.descriptions import group
from bot.table.asking.kinds import Asking
from bot.table.game import SECRET_CREWS, Builds, Game, Outfits, game
from bot.table.handlers import Place, handles
from bot.table.journal.history import UNDO
from bot.table.names import MAX_NAME_LENGTH, checked_name, free_name
from bot.table.owners import ANYONE, ASKED, SELF
from bot.table.rosters.crew_state import (
    DRAFT,
    HOME,
    NO_CREW,
    OFFERED,
    Standing,
    as_of,
    at_home,
    standing_asked,
    standing_in,
    taken_along,
)
from bot.table.rosters.gate import faults_of
from bot.table.rosters.statblocks import Statblock, own_blocks, pieces, statblock, statblocks
from rules.refusals import InvalidInput
from rules.wording import possessive, together


@dataclass(frozen=True, slots=True)
class OfYourCrew(Action):
    """What only a crew's owner may ask of it."""

    crew: int = fields.own_crew("Your crew", needed=True)


@dataclass(frozen=True, slots=True)
class BrowseRoster(OfYourCrew):
    """All that your crew can take, to be chosen from menus. page: from 0."""

    command = "crew.browse"

    page: int = 0


@dataclass(frozen=True, slots=True)
class OfAnyCrew(Action):
    """What may be asked of others' crews, too."""

    crew: int = fields.crew("The crew", needed=True)


@dataclass(frozen=True, slots=True)
class CreateCrew(Action):
    """Create a crew."""

    command = "crew.create"
    typed = "crew create"
    titled = "Create a crew"
    decision_of = SELF

    name: str = fields.text("Name", None, needed=True)
    system: str = fields.system()


group("crew", "Your crews")

MAX_MEMBERS = 60
MAX_AT_ONCE = 10
MAX_CREWS = 50
"""Most crews one person keeps in a server."""


# ------------------------------------------------------------------------------------ what is suggested


def _played(asking: Asking) -> Game:
    """The game of the crew of the person who asks. Raises InvalidInput, NotAllowed."""
    return game(own_crew_row(asking.act).system)


def member(about: str) -> Any:
    """A member of the crew of the person who asks, as its row. Raises NotAllowed for another's crew."""
    return fields.among(about, _members, lambda row: row.name, what="member", needed=True)


def _members(asking: Asking) -> Sequence[MemberRow]:
    own_crew_row(asking.act)
    return asking.act.book.all(MemberRow)


# ------------------------------------------------------------------------------------ what is asked


@dataclass(frozen=True, slots=True)
class ListCrews(Action):
    """Show the crews of this server (only you)."""

    command = "crew.list"
    typed = "crew list"
    titled = "Crews"
    decision_of = ANYONE


@dataclass(frozen=True, slots=True)
class ListRecruits(Action):
    """Show the models that a crew can take, with points."""

    command = "crew.recruits"
    typed = "crew roster"
    titled = "Models to choose from"
    said_first = ("find", "system")
    decision_of = ANYONE

    system: str = fields.system()
    find: str = fields.text("Part of a name or kind", None)


@dataclass(frozen=True, slots=True)
class RecruitMember(OfYourCrew):
    """Add models to your crew.

    profile: taken `count` times; called: a name of its own.
    """

    command = "crew.recruit"
    typed = "crew recruit"
    titled = "Recruit"

    profile: Statblock = statblock("Whom", _played, lambda asking: asking.act.extra or (), called="who")
    count: int = fields.whole("Number", 1, MAX_AT_ONCE, default=1, checked=True)
    called: str = fields.text("Name of the new member", None, called="name")
    equipment: tuple[str, ...] = pieces("Extra equipment, separated by commas", _played)


@dataclass(frozen=True, slots=True)
class DismissMember(OfYourCrew):
    """Remove a member from your crew."""

    command = "crew.dismiss"
    typed = "crew dismiss"
    titled = "Remove a member"

    member: MemberRow = member("Who to remove")


@dataclass(frozen=True, slots=True)
class AppointLeader(OfYourCrew):
    """Choose the leader of your crew."""

    command = "crew.leader"
    typed = "crew leader"
    titled = "Choose its leader"

    member: MemberRow = member("New leader")


@dataclass(frozen=True, slots=True)
class ShowCrew(OfAnyCrew):
    """Show a crew with its points (only you)."""

    command = "crew.show"
    typed = "crew show"
    titled = "Show a crew"
    decision_of = ANYONE

    as_of: int | None = as_of()


@dataclass(frozen=True, slots=True)
class BringHome(OfYourCrew):
    """Update your crew to what it became in its last campaign."""

    command = "crew.home"
    typed = "crew home"
    titled = "Update from a campaign"


@dataclass(frozen=True, slots=True)
class DisbandCrew(OfYourCrew):
    """Delete your crew."""

    command = "crew.disband"
    typed = "crew disband"
    titled = "Delete a crew"


@dataclass(frozen=True, slots=True)
class GiveCrew(OfYourCrew):
    """Offer your crew to someone else, to keep."""

    command = "crew.give"
    typed = "crew give"
    titled = "Give a crew away"

    who: int = fields.person("New owner", needed=True)


@dataclass(frozen=True, slots=True)
class TakeCrew(Action):
    """Take a crew that was offered to whoever presses."""

    command = "crew.take"
    decision_of = ASKED

    crew: int = 0


async def _crews(store: Store, actor: Actor, action: Action) -> list[tuple[int, str, str, int]]:
    return await store.crews(actor.guild_id)


def own_crew_row(act: Act) -> CrewRow:
    """The crew of this scope, which the person who asks must own. Raises InvalidInput, NotAllowed."""
    crew = act.book.get(CrewRow)
    if crew is None or crew.status != "kept":
        raise InvalidInput(NO_CREW)
    if crew.owner_id != act.actor.user_id:
        raise NotAllowed(f"{crew.name} is not your crew.")
    return crew


def points(members: Sequence[MemberRow]) -> int:
    """What all members cost together."""
    return sum(member.points for member in members)


def counted(members: Sequence[MemberRow]) -> str:
    """How many members there are, and their points; no points where nobody has any."""
    worth = f", {points(members)} points" if points(members) or not members else ""
    return f"{len(members)} {'member' if len(members) == 1 else 'members'}{worth}."


@handles(ListCrews, Place.NOWHERE, beforehand=_crews)
def list_crews(act: Act, action: ListCrews) -> Reply:
    """All crews of the server, the asker's own first."""
    mine = [row for row in act.extra if row[3] == act.actor.user_id]
    others = [row for row in act.extra if row[3] != act.actor.user_id]
    if not act.extra:
        return say("There are no crews here yet.", "Create one with /crew create.", private=True)
    lines = ["Yours:", *(f"{name} ({game(system).name})" for _, name, system, _ in mine)] if mine else []
    lines += (
        ["Others:", *(f"{name} ({game(system).name})" for _, name, system, _ in others)] if others else []
    )
    return say(*lines, private=True)


@handles(ListRecruits, Place.NOWHERE, beforehand=own_blocks)
def list_recruits(act: Act, action: ListRecruits) -> Reply:
    """Statblocks with their points."""
    wanted = action.find.casefold().strip()
    found = [
        recruit
        for recruit in statblocks(game(action.system), act.extra)
        if wanted in recruit.name.casefold() or wanted in recruit.note.casefold()
    ]
    if not found:
        raise InvalidInput("Nothing matches. Leave find blank to see everything.")
    lines = [f"{recruit.points:>3} {recruit.name}, {recruit.note}" for recruit in found]
    return say(f"{len(found)} models of {game(action.system).name}:", *lines, private=True)


@handles(CreateCrew, Place.NEW_CREW, beforehand=_crews)
def create(act: Act, action: CreateCrew) -> Reply:
    """Make an empty crew under a name that the server does not have yet."""
    name = checked_name(action.name, "crew's name")
    played = game(action.system)
    if any(look_of(known) == look_of(name) for _, known, _, _ in act.extra):
        raise InvalidInput(f"Choose another name; there is already a crew called {name}.")
    if sum(owner == act.actor.user_id for _, _, _, owner in act.extra) >= MAX_CREWS:
        raise InvalidInput(f"Delete a crew first; you already have {MAX_CREWS}.")
    act.book.add(CrewRow(act.book.scope, act.actor.guild_id, act.actor.user_id, action.system, name))
    return say(
        f"{name} is created, a crew for {played.name}.",
        "Add your first model with /crew recruit.",
        buttons=[UNDO],
    )


async def _recruits(store: Store, actor: Actor, action: RecruitMember) -> list[ProfileRow]:
    await at_home(store, actor, action)
    return await own_blocks(store, actor, action)


@handles(RecruitMember, Place.CREW, beforehand=_recruits)
def recruit(act: Act, action: RecruitMember) -> Reply:
    """Take a statblock into the crew, as often as was said; nobody leads it until somebody is appointed."""
    crew, offered = own_crew_row(act), action.profile
    members = act.book.all(MemberRow)
    if len(members) + action.count > MAX_MEMBERS:
        raise InvalidInput(f"Remove a model first; a crew can have at most {MAX_MEMBERS}.")
    wanted = checked_name(action.called) if action.called else offered.name[:MAX_NAME_LENGTH]
    text, more = outfit_of(game(crew.system), offered, action.equipment)
    names = []
    for _ in range(action.count):
        members = act.book.all(MemberRow)
        name = free_name(wanted, [member.name for member in members])
        number = act.book.next_id(MemberRow)
        act.book.add(MemberRow(act.book.scope, number, name, text, offered.points + more))
        names.append(name)
    members = act.book.all(MemberRow)
    return Reply(
        (f"{together(names)} {'joins' if len(names) == 1 else 'join'} {crew.name}.", counted(members)),
        private=crew.system in SECRET_CREWS,
        buttons=(
            UNDO,
            *_taking(crew),
            Button("Show", ShowCrew(crew.scope), anytime=True),
        ),
    )


def outfit_of(played: Game, block: Statblock, equipment: Sequence[str]) -> tuple[str, int]:
    """A statblock with further equipment, by name: its text for a row, and the points it adds.

    Raises InvalidInput.
    """
    if isinstance(played, Outfits):
        if block.key:
            return played.outfitted(block.key, equipment)
        return played.outfit(block.profile, equipment)
    if equipment:
        raise InvalidInput(f"You can't add equipment to {played.name}.")
    return block.profile, 0


@handles(DismissMember, Place.CREW, beforehand=at_home)
def dismiss(act: Act, action: DismissMember) -> Reply:
    """Take a member out."""
    crew = own_crew_row(act)
    act.book.remove(action.member)
    members = act.book.all(MemberRow)
    return say(
        f"{action.member.name} leaves {crew.name}.",
        counted(members),
        private=crew.system in SECRET_CREWS,
        buttons=[UNDO],
    )


@handles(AppointLeader, Place.CREW, beforehand=at_home)
def appoint(act: Act, action: AppointLeader) -> Reply:
    """Make a member the leader, in place of who led before."""
    crew = own_crew_row(act)
    for row in act.book.all(MemberRow):
        row.leader = row.id == action.member.id
    members = act.book.all(MemberRow)
    wrong = [*faults_of(crew, members), *game(crew.system).crew_lines(crew, members)]
    return say(
        f"{action.member.name} is now the leader of {crew.name}.",
        *wrong,
        private=crew.system in SECRET_CREWS,
        buttons=[UNDO],
    )


def may_read(crew: CrewRow, user_id: int) -> bool:
    """Whether a person may learn who is in a crew: everybody, where the game keeps no lists secret."""
    return crew.system not in SECRET_CREWS or crew.owner_id == user_id


def list_is_secret(name: str) -> str:
    """Return the refusal of a secret list to somebody else than its player."""
    return f"Only {possessive(name)} player can see its list."


def readable(act: Act) -> Standing:
    """The crew that is asked for, as it stands. Raises NotAllowed where its list is secret."""
    now = standing_in(act)
    if not may_read(now.crew, act.actor.user_id):
        raise NotAllowed(list_is_secret(now.crew.name))
    return now


@handles(ShowCrew, Place.CREW, beforehand=standing_asked)
def show(act: Act, action: ShowCrew) -> Reply:
    """Members and points, what became of them, and what the game's rules say of the crew."""
    now = readable(act)
    lines = [f"{now.crew.name}: {counted(now.members)}", *now.lines]
    if now.campaign:
        lines += [", ".join(f"{key} {value}" for key, value in sorted(now.balances.items()))]
    for member in now.members:
        away = " (sits out)" if member.id in now.away else ""
        words = now.words.get(member.id, "")
        leads = " (leader)" if member.leader else ""
        lines.append(f"{member.points:>3} {member.name}{leads}{away}{f': {words}' if words else ''}")
    lines += [f"{name}: {status}" for name, status in now.lost]
    lines += [*faults_of(now.crew, now.members), *game(now.crew.system).crew_lines(now.crew, now.members)]
    at_home_now = not now.campaign and now.crew.owner_id == act.actor.user_id
    buttons = _ways_on(now.crew, now.members) if at_home_now else ()
    return Reply(tuple(filter(None, lines)), private=True, buttons=tuple(buttons))


def _taking(crew: CrewRow) -> list[Button]:
    """By a form with equipment and a name, or from all that there is."""
    return [
        Button("Recruit...", RecruitMember(crew.scope), "main", anytime=True, asks=True),
        Button("Whole roster...", BrowseRoster(crew.scope), anytime=True),
    ]


def _ways_on(crew: CrewRow, members: Sequence[MemberRow]) -> list[Button]:
    """What its owner may do with a crew that is at home, by pressing."""
    played = game(crew.system)
    buttons = _taking(crew)
    buttons += [played.building(crew)] if isinstance(played, Builds) else []
    if members:
        buttons.append(Button("Leader...", AppointLeader(crew.scope), anytime=True, asks=True))
        buttons.append(Button("Dismiss...", DismissMember(crew.scope), anytime=True, asks=True))
    return buttons


@handles(BringHome, Place.CREW, beforehand=standing_asked)
def bring_home(act: Act, action: BringHome) -> Reply:
    """In place of what it was before; the campaign keeps what it has."""
    crew, now = own_crew_row(act), standing_in(act)
    if not now.campaign:
        raise InvalidInput(f"{crew.name} is already up to date.")
    if now.running:
        raise InvalidInput(f"{crew.name} plays in {now.where} until the campaign ends or it leaves.")
    for old in act.book.all(MemberRow):
        act.book.remove(old)
    for one in now.members:
        act.book.add(replace(one, scope=act.book.scope))
    drawn = {key: text for key, text in crew.traits.items() if key.startswith(DRAFT)}
    crew.traits = {**taken_along(now.crew.traits), **drawn, HOME: str(now.campaign)}
    return say(
        f"{crew.name} is back from {now.where}.",
        counted(now.members),
        private=crew.system in SECRET_CREWS,
        buttons=[UNDO],
    )


@handles(DisbandCrew, Place.CREW, beforehand=at_home)
def disband(act: Act, action: DisbandCrew) -> Reply:
    """Put the crew away; undo brings it back."""
    crew = own_crew_row(act)
    crew.status = "disbanded"
    return say(f"{crew.name} is deleted.", buttons=[UNDO])


@handles(GiveCrew, Place.CREW, beforehand=at_home)
def give(act: Act, action: GiveCrew) -> Reply:
    """It stays whose it is until it is taken: nobody keeps a crew that they did not ask for."""
    crew = own_crew_row(act)
    if not action.who or action.who == crew.owner_id:
        raise InvalidInput("Choose someone else as the new owner.")
    for known in act.book.all(AskRow):
        act.book.remove(known)
    act.book.add(AskRow(act.book.scope, action.who, "", "crew", TakeCrew.command, act.entry, 0))
    crew.traits[OFFERED] = str(act.entry)
    return say(
        f"{crew.name} is offered to <@{action.who}>.",
        "It stays yours until they accept.",
        buttons=[Button("Accept it", TakeCrew(crew.scope), "main", anytime=True), UNDO],
    )


async def _crews_and_at_home(store: Store, actor: Actor, action: Action) -> list[tuple[int, str, str, int]]:
    await at_home(store, actor, action)
    return await _crews(store, actor, action)


@handles(TakeCrew, Place.CREW, beforehand=_crews_and_at_home)
def take(act: Act, action: TakeCrew) -> Reply:
    """It is whose it was offered to, with all that it has; undo takes it back."""
    crew = act.book.get(CrewRow)
    if crew is None or crew.status != "kept":
        raise InvalidInput(NO_CREW)
    offered = act.book.get(AskRow, act.actor.user_id)
    if offered is None or str(offered.entry) != crew.traits.get(OFFERED):
        raise NotAllowed(f"{crew.name} was not offered to you.")
    if sum(owner == act.actor.user_id for _, _, _, owner in act.extra) >= MAX_CREWS:
        raise InvalidInput(f"Delete a crew first; you already have {MAX_CREWS}.")
    crew.owner_id = act.actor.user_id
    act.book.remove(offered)
    del crew.traits[OFFERED]
    return say(f"{crew.name} is now {possessive(act.actor.name)} crew.", buttons=[UNDO])


MAX_MENUS = 4
"""Menus of one page: a row of the message is left for the buttons."""


@handles(BrowseRoster, Place.CREW, beforehand=own_blocks)
def browse(act: Act, action: BrowseRoster) -> Reply:
    """Everybody by name, with points and kind; who is chosen is taken in."""
    crew = own_crew_row(act)
    every = sorted(statblocks(game(crew.system), act.extra), key=lambda one: one.name.casefold())
    choices = [Choice(one.name, one.name, f"{one.points} points, {one.note}") for one in every]
    pages = cut(cut(choices, MAX_CHOICES), MAX_MENUS)
    page = min(action.page, len(pages) - 1)
    menus = tuple(
        Menu(
            f"{some[0].label} to {some[-1].label}",
            RecruitMember(crew.scope),
            "profile",
            tuple(some),
            anytime=True,
        )
        for some in pages[page]
    )
    further = [
        Button(label, BrowseRoster(crew.scope, page=to), anytime=True)
        for label, to in (("Before", page - 1), ("Further", page + 1))
        if 0 <= to < len(pages)
    ]
    return Reply(
        (f"Add which model to {crew.name}?", "Each comes with its printed equipment."),
        private=True,
        buttons=(*further, Button("Show", ShowCrew(crew.scope), anytime=True)),
        menus=menus,
        replaces=True,
    )
