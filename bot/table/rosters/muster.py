"""Facts about a crew apart from its members: traits, a check against a limit, and how members are written.

A game that has more than names and points declares it in `CREW_FORMATS`. This module knows no game's rules.
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
from bot.table.rosters.gate import find_faults
from rules.refusals import InvalidInput

MAX_FAULTS = 20


class CrewFormat(Protocol):
    """A game's own crew format: the traits of its crews, and how their members are written."""

    def traits(self) -> Sequence[tuple[str, str]]:
        """Return the traits of a crew: each key, and in a few words what it decides."""
        ...

    def values(self, key: str) -> Sequence[str]:
        """Return the possible values of a trait, for suggestions."""
        ...

    def trait(self, key: str, text: str) -> Mapping[str, str]:
        """Return what to store for a trait as typed; an empty text removes it. Raises InvalidInput."""
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


CREW_FORMATS: dict[str, CrewFormat] = {}
"""The games' own crew formats, by the game's key."""

FROM_KEY, STATBLOCK_KEY = "from", "statblock"


class PlainCrewFormat:
    """Members in a game without rules for crews: recruits, and statblocks as they are typed."""

    def __init__(self, played_game: Game) -> None:
        self._played = played_game

    def traits(self) -> Sequence[tuple[str, str]]:
        """Return none."""
        return ()

    def values(self, key: str) -> Sequence[str]:
        """Return none."""
        return ()

    def trait(self, key: str, text: str) -> Mapping[str, str]:
        """Refuse it: there are none."""
        raise InvalidInput(f"There are no choices to set for {self._played.name} crews.")

    def told(self, traits: Mapping[str, str]) -> Mapping[str, str]:
        """Return none."""
        return {}

    def words(self, profile: str) -> dict[str, str]:
        """Return the name of the recruit that it is, else its text as it is typed."""
        played_game = self._played
        for recruit in played_game.recruits():
            if played_game.profile(recruit.key) == profile:
                return {FROM_KEY: recruit.name}
        assert isinstance(played_game, Types), "statblocks of one's own are typed"
        return {STATBLOCK_KEY: played_game.as_typed(profile)}

    def profile_values(self, profile: str) -> dict[str, Any]:
        """Return the same."""
        return dict(self.words(profile))

    def from_words(self, name: str, words: Mapping[str, str], crew: CrewRow) -> tuple[str, int]:
        """Read what `words` wrote. Raises InvalidInput."""
        played_game = self._played
        if STATBLOCK_KEY in words and isinstance(played_game, Types):
            typed = played_game.typed(words[STATBLOCK_KEY], "")
            if typed is None:
                raise InvalidInput(f"Correct the statblock of {name}; the bot can't read it.")
            return typed[1], typed[2]
        recruit = find(
            words.get(FROM_KEY, name), played_game.recruits(), lambda recruit: recruit.name, "model"
        )
        return played_game.profile(recruit.key), recruit.points

    def from_values(self, name: str, values: Mapping[str, Any], crew: CrewRow) -> tuple[str, int]:
        """Read what `profile_values` wrote. Raises InvalidInput."""
        return self.from_words(name, {key: str(value) for key, value in values.items()}, crew)


def crew_format_of(system: str) -> CrewFormat:
    """Return a game's crew format, or the plain one. Raises InvalidInput."""
    return CREW_FORMATS.get(system) or PlainCrewFormat(game(system))


def _list_trait_keys(context: Asking) -> Sequence[str]:
    return [key for key, _ in require_crew_format(own_crew_row(context.act).system).traits()]


def _list_trait_values(context: Asking) -> Iterable[str]:
    return require_crew_format(own_crew_row(context.act).system).values(context.before("key", "trait"))


@dataclass(frozen=True, slots=True)
class SetTrait(OfYourCrew):
    """Set the affiliation, Specialties and other choices of your crew.

    Without a value, remove the choice; without a key, show all choices. built: in the builder.
    """

    command = "crew.trait"
    typed = "crew trait"
    titled = "Affiliation and choices"

    key: str | None = fields.among("Choice to set", _list_trait_keys, what="trait", called="trait")
    value: str = fields.words('Value (enter "none" to remove it)', offering.completing(_list_trait_values))
    built: bool = False


@dataclass(frozen=True, slots=True)
class CheckCrew(OfAnyCrew):
    """Check whether a crew is legal (visible only to you)."""

    command = "crew.check"
    typed = "crew check"
    titled = "Check a crew"
    decision_of = ANYONE

    limit: int = limit("Points limit you agreed on (leave blank for the crew's own limit)")


def require_crew_format(system: str) -> CrewFormat:
    """Return a game's own crew format. Raises InvalidInput if it has none."""
    crew_format = CREW_FORMATS.get(system)
    if crew_format is None:
        raise InvalidInput(f"There are no choices to set for {game(system).name} crews.")
    return crew_format


@handles(CheckCrew, Place.CREW, beforehand=standing_asked)
def check(act: Act, action: CheckCrew) -> Reply:
    """Show every problem only to the person who asks."""
    state = readable(act)
    crew, members = state.crew, state.members
    faults = find_faults(crew, members, action.limit)
    limit = action.limit or limit_of(crew)
    limit_words = f" (the limit is {limit})" if limit else ""
    head_line = f"{crew.name}: {counted(members)[:-1]}{limit_words}."
    if not faults:
        return say(head_line, "This crew is legal.", private=True)
    return say(head_line, "Correct these problems:", *list_first_faults(faults), private=True)


def list_first_faults(faults: Sequence[str]) -> list[str]:
    """Return the first faults, and how many more there are."""
    more_words = [f"and {len(faults) - MAX_FAULTS} more"] if len(faults) > MAX_FAULTS else []
    return [*faults[:MAX_FAULTS], *more_words]
