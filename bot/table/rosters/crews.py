"""Crews that people keep between encounters: made, recruited from a roster, shown, led, disbanded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot.actions import Action
from bot.replies.reply import Blank, Button, Reply, form, say
from bot.store.rows import AskRow, CrewRow, EncounterRow, MemberRow, ProfileRow, SideRow
from bot.store.store import Store, running_game
from bot.table.act import Act, Actor, ActView, NotAllowed
from bot.table.asking import fields
from bot.table.asking.descriptions import group
from bot.table.asking.kinds import Asking
from bot.table.game import SECRET_CREWS, Game, Outfits, game
from bot.table.handlers import Place, handles
from bot.table.journal.history import UNDO
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
from bot.table.rosters.statblocks import Statblock, list_statblocks, load_custom_models, pieces, statblock
from rules.refusals import InvalidInput
from rules.wording import possessive, times

MAX_OPENED = 10
"""Crews of a person's own that a list opens by a button."""


@dataclass(frozen=True, slots=True)
class OfYourCrew(Action):
    """Base of actions that only a crew's owner may ask."""

    crew: int = fields.own_crew("Your crew", needed=True)


@dataclass(frozen=True, slots=True)
class OfAnyCrew(Action):
    """Base of actions that anyone may ask about a crew."""

    crew: int = fields.crew("Crew (yours or someone else's)", needed=True)


@dataclass(frozen=True, slots=True)
class CreateCrew(Action):
    """Create a crew.

    built: in the builder, which it then answers with.
    """

    command = "crew.create"
    typed = "crew create"
    titled = "Create a crew"
    decision_of = SELF

    name: str = fields.text("Name of the crew", None, needed=True)
    system: str = fields.system()
    built: bool = False


def limit(hint: str) -> Any:
    """Return the points limit of a crew, or 0 without one."""
    return fields.whole(hint, 0, 5000, default=0)


MAX_TYPED_LENGTH = 6_000
"""Characters of an option on Discord."""

MAX_FORM_LENGTH = 4_000
"""Characters of a field of a form on Discord."""

IMPORT_FORM = form(
    "crew.import",
    "Import a list",
    Blank("file", "Your list as a file", required=False, file=True),
    Blank(
        "text",
        "Your list as text (instead of a file)",
        longest=MAX_FORM_LENGTH,
        required=False,
        lines=True,
        as_typed=True,
    ),
)


@dataclass(frozen=True, slots=True)
class ImportCrew(Action):
    """Import a list you already have, in any common format.

    name: another one than is written. limit: the points that it is checked against.
    """

    command = "crew.import"
    typed = "crew import"
    titled = "Import a list"
    said_first = ("file", "text", "name", "limit")
    opens = IMPORT_FORM.key
    decision_of = SELF

    text: str = fields.text(
        "Your list as text (instead of a file)", MAX_TYPED_LENGTH, notation=True, breaks=True
    )
    name: str = fields.text("Name for the crew", None)
    limit: int = limit("Points limit to check the list against")
    file: str = fields.list_file("Your list as a file (text, CSV, JSON, BattleScribe or a web page)")


group("crew", "Your crews")

KEPT = "kept"
"""Status of a crew that its owner can play with."""

MAX_MEMBERS = 60
MAX_AT_ONCE = 10
MAX_CREWS = 50
"""Most crews one person keeps in a server."""


@dataclass(frozen=True, slots=True)
class Around:
    """Facts from outside a crew.

    blocks: the server's custom models. crews: its crews, by scope, name, game and owner. running: the game in
    this channel; brought: the crews in it. now: the present crew, if that was asked.
    """

    blocks: Sequence[ProfileRow]
    crews: Sequence[tuple[int, str, str, int]]
    running: EncounterRow | None = None
    brought: frozenset[int] = frozenset()
    now: Standing | None = None


async def around(store: Store, actor: Actor, action: Action) -> Around:
    """Read what lies around a crew."""
    blocks, crews = await load_custom_models(store, actor, action), await store.crews(actor.guild_id)
    loaded = await running_game(store, actor.channel_id)
    if loaded is None:
        return Around(blocks, crews)
    book = loaded.book()
    return Around(blocks, crews, book.get(EncounterRow), frozenset(side.crew for side in book.all(SideRow)))


# ------------------------------------------------------------------------------------ what is suggested


def _played(context: Asking) -> Game:
    """Return the game of the crew of the person who asks. Raises InvalidInput, NotAllowed."""
    return game(own_crew_row(context.act).system)


def _own_blocks(context: Asking) -> Iterable[ProfileRow]:
    facts = context.act.extra
    return facts.blocks if isinstance(facts, Around) else ()


def member(hint: str) -> Any:
    """Return a field for a member of the person's crew, as its row. Raises NotAllowed for another's crew."""
    return fields.among(hint, _members, lambda row: row.name, what="member", needed=True)


def _members(context: Asking) -> Sequence[MemberRow]:
    own_crew_row(context.act)
    return context.act.book.all(MemberRow)


# ------------------------------------------------------------------------------------ what is asked


@dataclass(frozen=True, slots=True)
class ListCrews(Action):
    """Show the crews on this server, or one person's crews (visible only to you)."""

    command = "crew.list"
    typed = "crew list"
    titled = "Crews"
    decision_of = ANYONE

    person: int = fields.person("Show only this person's crews")


@dataclass(frozen=True, slots=True)
class ListRecruits(Action):
    """Show the models that a crew can take, with their points."""

    command = "crew.recruits"
    typed = "crew roster"
    titled = "Models to choose from"
    said_first = ("find", "system")
    decision_of = ANYONE

    system: str = fields.system()
    find: str = fields.text("Part of the name or kind of a model", None)


@dataclass(frozen=True, slots=True)
class RecruitMember(OfYourCrew):
    """Add models to your crew.

    profile: taken `count` times; called: a name of its own. built: in the builder, which then answers.
    """

    command = "crew.recruit"
    typed = "crew recruit"
    titled = "Recruit"

    profile: Statblock = statblock("Model to recruit", _played, _own_blocks, called="who")
    count: int = fields.whole("Number of models", 1, MAX_AT_ONCE, default=1, checked=True)
    called: str = fields.text("Name of the new member", None, called="name")
    equipment: tuple[str, ...] = pieces("Extra equipment, separated by commas", _played)
    built: bool = False


@dataclass(frozen=True, slots=True)
class DismissMember(OfYourCrew):
    """Remove a member from your crew.

    built: in the builder, which it then answers with.
    """

    command = "crew.dismiss"
    typed = "crew dismiss"
    titled = "Remove a member"

    member: MemberRow = member("Member to remove")
    built: bool = False


@dataclass(frozen=True, slots=True)
class AppointLeader(OfYourCrew):
    """Choose the leader of your crew.

    built: in the builder, which it then answers with.
    """

    command = "crew.leader"
    typed = "crew leader"
    titled = "Choose the leader"

    member: MemberRow = member("New leader")
    built: bool = False


@dataclass(frozen=True, slots=True)
class ShowCrew(OfAnyCrew):
    """Show a crew's members and points (visible only to you)."""

    command = "crew.show"
    typed = "crew show"
    titled = "Show a crew"
    decision_of = ANYONE

    as_of: int | None = as_of()


@dataclass(frozen=True, slots=True)
class BringHome(OfYourCrew):
    """Update your crew to its final state in its last campaign."""

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
    """Transfer your crew to a new owner, who has to accept it."""

    command = "crew.give"
    typed = "crew give"
    titled = "Transfer a crew"

    who: int = fields.person("New owner", needed=True)


@dataclass(frozen=True, slots=True)
class TakeCrew(Action):
    """Accept a crew that was offered to you."""

    command = "crew.take"
    decision_of = ASKED

    crew: int = 0


async def _crews(store: Store, actor: Actor, action: Action) -> list[tuple[int, str, str, int]]:
    return await store.crews(actor.guild_id)


def own_crew_row(act: ActView) -> CrewRow:
    """Return the crew of this scope, which the person who asks must own. Raises InvalidInput, NotAllowed."""
    crew = act.book.get(CrewRow)
    if crew is None or crew.status != KEPT:
        raise InvalidInput(NO_CREW)
    if crew.owner_id != act.actor.user_id:
        raise NotAllowed(f"{crew.name} is not your crew.")
    return crew


def points(members: Sequence[MemberRow]) -> int:
    """Return what all members cost together."""
    return sum(member.points for member in members)


def counted(members: Sequence[MemberRow]) -> str:
    """Return the number of members and their points; no points if none has any."""
    worth = f", {times(points(members), 'point')}" if points(members) or not members else ""
    return f"{times(len(members), 'member')}{worth}."


@handles(ListCrews, Place.NOWHERE, beforehand=_crews)
def list_crews(act: Act, action: ListCrews) -> Reply:
    """List the crews of one person, or of the server with the asker's own first."""
    if action.person:
        other_crews = [row for row in act.extra if row[3] == action.person]
        if not other_crews:
            return say(f"<@{action.person}> has no crews here.", private=True)
        names = (f"{name} ({game(system).name})" for _, name, system, _ in other_crews)
        return say(f"Crews of <@{action.person}>:", *names, private=True)
    crews = [row for row in act.extra if row[3] == act.actor.user_id]
    others = [row for row in act.extra if row[3] != act.actor.user_id]
    if not act.extra:
        return say("There are no crews here yet.", "Create one with /crew create.", private=True)
    lines = ["Yours:", *(f"{name} ({game(system).name})" for _, name, system, _ in crews)] if crews else []
    lines += (
        ["Others:", *(f"{name} ({game(system).name})" for _, name, system, _ in others)] if others else []
    )
    lines += [] if crews else ["Create one of your own with /crew create."]
    opening = [Button(name, ShowCrew(scope), anytime=True) for scope, name, _, _ in crews[:MAX_OPENED]]
    return say(*lines, private=True, buttons=opening)


@handles(ListRecruits, Place.NOWHERE, beforehand=load_custom_models)
def list_recruits(act: Act, action: ListRecruits) -> Reply:
    """List statblocks with their points."""
    search = action.find.casefold().strip()
    recruits = [
        recruit
        for recruit in list_statblocks(game(action.system), act.extra)
        if search in recruit.name.casefold() or search in recruit.note.casefold()
    ]
    if not recruits:
        raise InvalidInput("No model matches. Leave the search blank to see all models.")
    lines = [f"{recruit.points:>3} {recruit.name}, {recruit.note}" for recruit in recruits]
    return say(f"{times(len(recruits), 'model')} for {game(action.system).name}:", *lines, private=True)


def outfit_of(played: Game, block: Statblock, equipment: Sequence[str]) -> tuple[str, int]:
    """Return a statblock with further equipment, by name: its text for a row, and the points it adds.

    Raises InvalidInput.
    """
    if isinstance(played, Outfits):
        if block.key:
            return played.outfitted(block.key, equipment)
        return played.outfit(block.profile, equipment)
    if equipment:
        raise InvalidInput(f"You can't add equipment to {played.name} models.")
    return block.profile, 0


def may_read(crew: CrewRow, user_id: int) -> bool:
    """Return whether a person may see a crew's members: anyone, unless the game keeps lists secret."""
    return crew.system not in SECRET_CREWS or crew.owner_id == user_id


def list_is_secret(name: str) -> str:
    """Return the refusal of a secret list to anyone except its player."""
    return f"Only the owner of {name} can see its list."


def readable(act: Act) -> Standing:
    """Return the crew that is asked for, as it stands. Raises NotAllowed where its list is secret."""
    state = standing_in(act)
    if not may_read(state.crew, act.actor.user_id):
        raise NotAllowed(list_is_secret(state.crew.name))
    return state


def printed(played: Game, block: Statblock) -> Statblock:
    """Return a statblock with its text, and nothing that it doesn't have as printed."""
    if not block.key:
        return block
    block = replace(block, profile=played.profile(block.key))
    return replace(block, profile=outfit_of(played, block, ())[0])


@handles(BringHome, Place.CREW, beforehand=standing_asked)
def bring_home(act: Act, action: BringHome) -> Reply:
    """Replace the crew with the campaign's copy; the campaign keeps its own."""
    crew, state = own_crew_row(act), standing_in(act)
    if not state.campaign:
        raise InvalidInput(f"{crew.name} is already up to date.")
    if state.running:
        raise InvalidInput(f"{crew.name} is still playing in {state.where}. Leave that campaign first.")
    for old in act.book.all(MemberRow):
        act.book.remove(old)
    for member in state.members:
        act.book.add(replace(member, scope=act.book.scope))
    draft_traits = {key: text for key, text in crew.traits.items() if key.startswith(DRAFT)}
    crew.traits = {**taken_along(state.crew.traits), **draft_traits, HOME: str(state.campaign)}
    return say(
        f"{crew.name} is back from {state.where}.",
        counted(state.members),
        private=crew.system in SECRET_CREWS,
        buttons=[UNDO],
    )


@handles(DisbandCrew, Place.CREW, beforehand=at_home)
def disband(act: Act, action: DisbandCrew) -> Reply:
    """Put the crew away; undo brings it back."""
    crew = own_crew_row(act)
    crew.status = "disbanded"
    return say(f"{crew.name} has been deleted.", buttons=[UNDO])


@handles(GiveCrew, Place.CREW, beforehand=at_home)
def give(act: Act, action: GiveCrew) -> Reply:
    """Offer a crew. It stays its owner's until it is accepted."""
    crew = own_crew_row(act)
    if not action.who or action.who == crew.owner_id:
        raise InvalidInput("Choose someone else as the new owner.")
    if act.actor.is_outside:
        raise InvalidInput(
            "Other people can't see the crews that you keep here. Export the crew and send them the file."
        )
    for request in act.book.all(AskRow):
        act.book.remove(request)
    act.book.add(AskRow(act.book.scope, action.who, "", "crew", TakeCrew.command, act.entry, 0))
    crew.traits[OFFERED] = str(act.entry)
    return say(
        f"{crew.name} has been offered to <@{action.who}>.",
        f"It remains {possessive(act.actor.name)} crew until the offer is accepted.",
        buttons=[Button("Accept the crew", TakeCrew(crew.scope), "main", anytime=True), UNDO],
    )


async def _crews_and_at_home(store: Store, actor: Actor, action: Action) -> list[tuple[int, str, str, int]]:
    await at_home(store, actor, action)
    return await _crews(store, actor, action)


@handles(TakeCrew, Place.CREW, beforehand=_crews_and_at_home)
def take(act: Act, action: TakeCrew) -> Reply:
    """Accept an offered crew with everything in it; undo returns it."""
    crew = act.book.get(CrewRow)
    if crew is None or crew.status != KEPT:
        raise InvalidInput(NO_CREW)
    offered = act.book.get(AskRow, act.actor.user_id)
    if offered is None or str(offered.entry) != crew.traits.get(OFFERED):
        raise NotAllowed(f"{crew.name} was not offered to you. Ask its owner to use /crew give.")
    if sum(owner == act.actor.user_id for _, _, _, owner in act.extra) >= MAX_CREWS:
        raise InvalidInput(f"Delete a crew first; you already have {MAX_CREWS} crews.")
    crew.owner_id = act.actor.user_id
    act.book.remove(offered)
    del crew.traits[OFFERED]
    return say(f"{crew.name} is now {possessive(act.actor.name)} crew.", buttons=[UNDO])
