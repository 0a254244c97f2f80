"""Facts about a crew apart from its members: traits, a check against a limit, and how members are written.

A game that has more than names and points declares it in `MUSTERS`. This module knows no game's rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from bot.replies.reply import Reply, say
from bot.store.rows import CrewRow
from bot.table.act import Act
from bot.table.asking import fields, offering
from bot.table.asking.kinds import Asking
from bot.table.game import Game, Types, game
from bot.table.handlers import Place, handles
from bot.table.names import find
from bot.table.owners import ANYONE
from bot.table.rosters.crew_state import limit_of, standing_asked
from bot.table.rosters.crews import OfAnyCrew, OfYourCrew, counted, limit, own_crew_row, readable
from bot.table.rosters.gate import faults_of
from rules.refusals import InvalidInput

MAX_FAULTS = 20


class Musters(Protocol):
    """A game that knows its crews: what can be said of one, what is wrong with it, how it is written."""

    def traits(self) -> Sequence[tuple[str, str]]:
        """Return what can be said of a crew: key, and in a few words what it decides."""
        ...

    def values(self, key: str) -> Sequence[str]:
        """Return what a trait may be, for suggestions."""
        ...

    def trait(self, key: str, text: str) -> Mapping[str, str]:
        """Return what is kept for a trait as typed; an empty text takes it back. Raises InvalidInput."""
        ...

    def told(self, traits: Mapping[str, str]) -> Mapping[str, str]:
        """Return the traits as people write them, by key."""
        ...

    def words(self, profile: str) -> dict[str, str]:
        """Return a member's statblock as words by key, for people."""
        ...

    def profile_values(self, profile: str) -> dict[str, Any]:
        """Return a member's statblock as values, for programs."""
        ...

    def from_words(self, name: str, words: Mapping[str, str], crew: CrewRow) -> tuple[str, int]:
        """Return a statblock as text, and its points. Raises InvalidInput with every fault, one in a line."""
        ...

    def from_values(self, name: str, values: Mapping[str, Any], crew: CrewRow) -> tuple[str, int]:
        """Return a statblock as text, and its points. Raises InvalidInput with every fault, one in a line."""
        ...


MUSTERS: dict[str, Musters] = {}
"""The games' own facts about crews, by the game's key."""

FROM, STATBLOCK = "from", "statblock"


class PlainMembers:
    """Members in a game without rules for crews: recruits, and statblocks as they are typed."""

    def __init__(self, played: Game) -> None:
        self._played = played

    def traits(self) -> Sequence[tuple[str, str]]:
        """Return none."""
        return ()

    def values(self, key: str) -> Sequence[str]:
        """Return none."""
        return ()

    def trait(self, key: str, text: str) -> Mapping[str, str]:
        """Refuse it: there are none."""
        raise InvalidInput(f"There is nothing to set for {self._played.name} crews.")

    def told(self, traits: Mapping[str, str]) -> Mapping[str, str]:
        """Return none."""
        return {}

    def words(self, profile: str) -> dict[str, str]:
        """Return the name of the recruit that it is, else its text as it is typed."""
        played = self._played
        for recruit in played.recruits():
            if played.profile(recruit.key) == profile:
                return {FROM: recruit.name}
        assert isinstance(played, Types), "statblocks of one's own are typed"
        return {STATBLOCK: played.as_typed(profile)}

    def profile_values(self, profile: str) -> dict[str, Any]:
        """Return the same."""
        return dict(self.words(profile))

    def from_words(self, name: str, words: Mapping[str, str], crew: CrewRow) -> tuple[str, int]:
        """Read what `words` wrote. Raises InvalidInput."""
        played = self._played
        if STATBLOCK in words and isinstance(played, Types):
            typed = played.typed(words[STATBLOCK], "")
            if typed is None:
                raise InvalidInput(f"Correct the statblock of {name}; the bot can't read it.")
            return typed[1], typed[2]
        recruit = find(words.get(FROM, name), played.recruits(), lambda recruit: recruit.name, "model")
        return played.profile(recruit.key), recruit.points

    def from_values(self, name: str, values: Mapping[str, Any], crew: CrewRow) -> tuple[str, int]:
        """Read what `profile_values` wrote. Raises InvalidInput."""
        return self.from_words(name, {key: str(value) for key, value in values.items()}, crew)


def members_of(system: str) -> Musters:
    """Return how a game writes down the members of its crews. Raises InvalidInput."""
    return MUSTERS.get(system) or PlainMembers(game(system))


def _traits_there(context: Asking) -> Sequence[str]:
    return [key for key, _ in known_by(own_crew_row(context.act).system).traits()]


def _trait_values(context: Asking) -> Iterable[str]:
    return known_by(own_crew_row(context.act).system).values(context.before("key", "trait"))


@dataclass(frozen=True, slots=True)
class SetTrait(OfYourCrew):
    """Set the affiliation, Specialties and other choices of your crew.

    Without a value: take it back; without a key: show what there is. built: in the builder.
    """

    command = "crew.trait"
    typed = "crew trait"
    titled = "Crew's affiliation"

    key: str | None = fields.among("Choice to set", _traits_there, what="trait", called="trait")
    value: str = fields.words('Value (enter "none" to remove it)', offering.completing(_trait_values))
    built: bool = False


@dataclass(frozen=True, slots=True)
class CheckCrew(OfAnyCrew):
    """Check whether a crew is legal (visible only to you)."""

    command = "crew.check"
    typed = "crew check"
    titled = "Check a crew"
    decision_of = ANYONE

    limit: int = limit("Points limit you agreed on (leave blank for the crew's own limit)")


def known_by(system: str) -> Musters:
    """Return what the game knows of its crews. Raises InvalidInput where it has nothing to say."""
    musters = MUSTERS.get(system)
    if musters is None:
        raise InvalidInput(f"There is nothing to set for {game(system).name} crews.")
    return musters


@handles(CheckCrew, Place.CREW, beforehand=standing_asked)
def check(act: Act, action: CheckCrew) -> Reply:
    """Show every problem by name only to the person."""
    state = readable(act)
    crew, members = state.crew, state.members
    faults = faults_of(crew, members, action.limit)
    limit = action.limit or limit_of(crew)
    of_limit = f" (the limit is {limit})" if limit else ""
    head = f"{crew.name}: {counted(members)[:-1]}{of_limit}."
    if not faults:
        return say(head, "This crew is legal.", private=True)
    return say(head, "Correct these problems:", *first_faults(faults), private=True)


def first_faults(faults: Sequence[str]) -> list[str]:
    """Return the first faults, and how many more there are."""
    more_words = [f"and {len(faults) - MAX_FAULTS} more"] if len(faults) > MAX_FAULTS else []
    return [*faults[:MAX_FAULTS], *more_words]
