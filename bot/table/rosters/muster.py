"""What a crew is beside its members: traits, a check against a limit, its written form.

Each game that knows more of its crews than names and points says so in `MUSTERS`. Knows no game's rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from bot.actions import Action
from bot.lookalikes import look_of
from bot.replies.reply import Attachment, Button, Reply, say
from bot.store.rows import CrewRow, MemberRow
from bot.store.store import Store
from bot.table.act import Act, Actor
from bot.table.asking import fields, offering
from bot.table.asking.kinds import Asking
from bot.table.game import GAMES, SECRET_CREWS, game
from bot.table.handlers import Place, handles
from bot.table.journal.history import UNDO
from bot.table.names import MAX_NOTE_LENGTH, checked_name, find, plain
from bot.table.owners import ANYONE, SELF
from bot.table.rosters.crew_state import as_of, at_home, standing_asked
from bot.table.rosters.crew_text import MAX_CHARACTERS, WrittenCrew, WrittenMember, as_json, as_text, read
from bot.table.rosters.crews import (
    MAX_CREWS,
    OfAnyCrew,
    OfYourCrew,
    ShowCrew,
    counted,
    own_crew_row,
    readable,
)
from bot.table.rosters.gate import faults_of
from rules.refusals import InvalidInput

MAX_FAULTS = 20
MAX_BYTES = 4 * MAX_CHARACTERS
MAX_TYPED_LENGTH = 6_000
"""Characters of an option on Discord."""

FORMS = ("text", "json")
SHORT = 1_500
"""Characters of a written crew that are shown in the channel beside the file."""


class Musters(Protocol):
    """A game that knows its crews: what can be said of one, what is wrong with it, how it is written."""

    def traits(self) -> Sequence[tuple[str, str]]:
        """What can be said of a crew: key, and in a few words what it decides."""
        ...

    def values(self, key: str) -> Sequence[str]:
        """What a trait may be, for suggestions."""
        ...

    def trait(self, key: str, text: str) -> Mapping[str, str]:
        """What is kept for a trait as typed; an empty text takes it back. Raises InvalidInput."""
        ...

    def told(self, traits: Mapping[str, str]) -> Mapping[str, str]:
        """The traits as people write them, by key."""
        ...

    def words(self, profile: str) -> dict[str, str]:
        """A member's statblock as words by key, for people."""
        ...

    def profile_values(self, profile: str) -> dict[str, Any]:
        """A member's statblock as values, for programs."""
        ...

    def from_words(self, name: str, words: Mapping[str, str], crew: CrewRow) -> tuple[str, int]:
        """A statblock as text, and its points. Raises InvalidInput with every fault, one in a line."""
        ...

    def from_values(self, name: str, values: Mapping[str, Any], crew: CrewRow) -> tuple[str, int]:
        """A statblock as text, and its points. Raises InvalidInput with every fault, one in a line."""
        ...


MUSTERS: dict[str, Musters] = {}
"""What games know of their crews, by the game's key."""


def _traits_there(asking: Asking) -> Sequence[str]:
    """What can be said of the crew."""
    return [key for key, _ in known_by(own_crew_row(asking.act).system).traits()]


def _trait_values(asking: Asking) -> Iterable[str]:
    """What the trait that was said may be."""
    return known_by(own_crew_row(asking.act).system).values(asking.before("key", "trait"))


def limit(about: str) -> Any:
    """Points that a crew is held to; 0: none."""
    return fields.whole(about, 0, 5000, default=0)


@dataclass(frozen=True, slots=True)
class SetTrait(OfYourCrew):
    """Say what your crew is: affiliation, Specialties and so on.

    Without a value: take it back; without a key: show what there is.
    """

    command = "crew.trait"
    typed = "crew trait"
    titled = "What a crew is"

    key: str | None = fields.among("What to say", _traits_there, what="trait", called="trait")
    value: str = fields.words("What it is; none takes it back", offering.completing(_trait_values))


@dataclass(frozen=True, slots=True)
class CheckCrew(OfAnyCrew):
    """Check a whole crew, to you alone."""

    command = "crew.check"
    typed = "crew check"
    titled = "Check a crew"
    decision_of = ANYONE

    limit: int = limit("Points agreed; none: only the rest")


@dataclass(frozen=True, slots=True)
class ExportCrew(OfAnyCrew):
    """Write a crew down, to you alone."""

    command = "crew.export"
    typed = "crew export"
    titled = "Write a crew down"
    decision_of = ANYONE

    form: str = fields.one_of("For people or for programs", FORMS, default=FORMS[0])
    as_of: int | None = as_of()


@dataclass(frozen=True, slots=True)
class ImportCrew(Action):
    """Make a crew from its written form.

    name: another one than is written; limit: it is refused where it does not fit.
    """

    command = "crew.import"
    typed = "crew import"
    titled = "Take a crew in"
    said_first = ("file", "text", "name", "limit")
    decision_of = SELF

    text: str = fields.text("Or the text itself", MAX_TYPED_LENGTH, notation=True, breaks=True)
    name: str = fields.text("Another name for it", None)
    limit: int = limit("Refuse it unless it fits these points")
    file: str = fields.attached("The file", MAX_BYTES, what="A written crew")


def known_by(system: str) -> Musters:
    """What the game knows of its crews. Raises InvalidInput where it has nothing to say."""
    found = MUSTERS.get(system)
    if found is None:
        raise InvalidInput(f"{game(system).name} says nothing more of its crews than members and points.")
    return found


@handles(SetTrait, Place.CREW, beforehand=at_home)
def set_trait(act: Act, action: SetTrait) -> Reply:
    """What the crew is, in its game's words."""
    crew = own_crew_row(act)
    knows = known_by(crew.system)
    key = action.key
    if key is None:
        now = knows.told(crew.traits)
        lines = [f"{one}: {now.get(one) or '-'} ({about})" for one, about in knows.traits()]
        return say(f"{crew.name}:", *lines, private=True)
    for name, value in knows.trait(key, action.value).items():
        if value:
            crew.traits[name] = value
        else:
            crew.traits.pop(name, None)
    told = knows.told(crew.traits).get(key) or "none"
    wrong = faults_of(crew, act.book.all(MemberRow))
    return Reply(
        (f"{crew.name}, {key}: {told}.", *_first(wrong)),
        private=crew.system in SECRET_CREWS,
        buttons=(UNDO,),
    )


@handles(CheckCrew, Place.CREW, beforehand=standing_asked)
def check(act: Act, action: CheckCrew) -> Reply:
    """Every problem by name, to the asker alone."""
    now = readable(act)
    crew, members = now.crew, now.members
    wrong = faults_of(crew, members, action.limit)
    of = f" of {action.limit}" if action.limit else ""
    head = f"{crew.name}: {counted(members)[:-1]}{of}."
    if not wrong:
        return say(head, "Nothing is wrong with it.", private=True)
    return say(head, f"{len(wrong)} to put right:", *_first(wrong), private=True)


def _first(faults: Sequence[str]) -> list[str]:
    """The first faults, and how many more there are."""
    more = [f"and {len(faults) - MAX_FAULTS} more"] if len(faults) > MAX_FAULTS else []
    return [*faults[:MAX_FAULTS], *more]


def written(crew: CrewRow, members: Sequence[MemberRow], form: str) -> str:
    """A crew as text or JSON."""
    knows = known_by(crew.system)
    traits = dict(knows.told(crew.traits))
    whole = WrittenCrew(crew.name, crew.system, {key: value for key, value in traits.items() if value})
    for one in members:
        values = knows.profile_values(one.profile) if form == "json" else None
        words = {} if form == "json" else knows.words(one.profile)
        whole.members.append(WrittenMember(one.name, words, values, one.points, one.leader, one.note))
    return as_json(whole) if form == "json" else as_text(whole)


@handles(ExportCrew, Place.CREW, beforehand=standing_asked)
def export(act: Act, action: ExportCrew) -> Reply:
    """As a file, and in the message where it is short."""
    now = readable(act)
    crew = now.crew
    members = now.noted
    text = written(crew, members, action.form)
    ending = "json" if action.form == "json" else "txt"
    name = f"crew-{crew.scope}.{ending}"
    shown = text.splitlines() if action.form == "text" and len(text) < SHORT else []
    file = Attachment(name, f"{crew.name} as {action.form}", text.encode())
    return Reply(
        (f"{crew.name}: {counted(members)}", *now.lines, *shown, "Take it in again: /crew import."),
        private=True,
        files=(file,),
    )


async def _crews(store: Store, actor: Actor, action: Action) -> list[tuple[int, str, str, int]]:
    return await store.crews(actor.guild_id)


@handles(ImportCrew, Place.NEW_CREW, beforehand=_crews)
def take_in(act: Act, action: ImportCrew) -> Reply:
    """All of it, or nothing and a list of what is wrong."""
    if not action.file and not action.text:
        raise InvalidInput("Attach the file, or paste the text.")
    whole = read(action.file or action.text)
    wrong = list(whole.wrong)
    system = whole.system.casefold() or next(iter(MUSTERS), "")
    by_name = {played.name.casefold(): key for key, played in GAMES.items()}
    system = by_name.get(system, system)
    if system not in GAMES:
        names = ", ".join(played.name for played in GAMES.values())
        raise InvalidInput(f"There is no game {plain(system, 20)}. There are: {names}.")
    knows = known_by(system)
    crew = CrewRow(act.book.scope, act.actor.guild_id, act.actor.user_id, system, "")
    crew.name = _name(act, action.name or whole.name, wrong)
    _traits(knows, crew, whole, wrong)
    members = _members(act, knows, crew, whole, wrong)
    if action.limit:
        wrong += faults_of(crew, members, action.limit)
    if wrong:
        unique = list(dict.fromkeys(wrong))
        head = f"Nothing was taken in: {len(unique)} to put right."
        raise InvalidInput("\n".join((head, *_first(unique))))
    act.book.add(crew)
    for member in members:
        act.book.add(member)
    notes = [] if action.limit else _first(faults_of(crew, members))
    return Reply(
        (f"{crew.name} is taken in: {counted(members)}", *notes),
        private=system in SECRET_CREWS,
        buttons=(UNDO, Button("Show", ShowCrew(crew.scope), anytime=True)),
    )


def _name(act: Act, text: str, wrong: list[str]) -> str:
    try:
        name = checked_name(text, "crew's name")
    except InvalidInput as refusal:
        wrong.append(refusal.sentence)
        return ""
    if any(look_of(known) == look_of(name) for _, known, _, _ in act.extra):
        wrong.append(f"A crew is called {name} already: give another with name.")
    if sum(owner == act.actor.user_id for _, _, _, owner in act.extra) >= MAX_CREWS:
        wrong.append(f"You keep {MAX_CREWS} crews already. Disband one first.")
    return name


def _traits(knows: Musters, crew: CrewRow, whole: WrittenCrew, wrong: list[str]) -> None:
    keys = [key for key, _ in knows.traits()]
    for key, value in whole.traits.items():
        try:
            found = find(plain(key, 30), keys, str, "trait")
            crew.traits |= {name: kept for name, kept in knows.trait(found, value).items() if kept}
        except InvalidInput as refusal:
            wrong.append(refusal.sentence)


def _members(
    act: Act, knows: Musters, crew: CrewRow, whole: WrittenCrew, wrong: list[str]
) -> list[MemberRow]:
    found: list[MemberRow] = []
    taken: set[str] = set()
    for number, one in enumerate(whole.members, 1):
        try:
            name = checked_name(one.name, "member's name")
            if name.casefold() in taken:
                wrong.append(f"{name}: the name is there twice.")
            taken.add(name.casefold())
            profile, points = (
                knows.from_words(name, one.words, crew)
                if one.values is None
                else knows.from_values(name, one.values, crew)
            )
        except InvalidInput as refusal:
            who = plain(one.name, 24) or f"Member {number}"
            wrong += [f"{who}: {line}" for line in refusal.sentence.splitlines()]
            continue
        if one.points is not None and one.points != points:
            wrong.append(
                f"{name}: costs {points} points, not {one.points}. Leave points out, or correct them."
            )
        note = plain(one.note)
        if note != " ".join(one.note.split()):
            wrong.append(
                f"{name}: a note is plain words, at most {MAX_NOTE_LENGTH} letters. Write it so: {note}"
            )
        found.append(MemberRow(act.book.scope, number, name, profile, points, one.leader, note))
    if sum(member.leader for member in found) > 1:
        wrong.append("Only one member is the leader.")
    return found
