"""Whether a game brings all that the table asks of one: checked when it is taken in, told in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

from bot.actions import ACTIONS, Action, parts
from bot.table.asking.descriptions import GROUPS, described, needed, options_of, topic_of
from bot.table.asking.kinds import TableKind
from bot.table.asking.reading import called
from bot.table.game import GAMES, Acts, Game
from bot.table.handlers import HANDLERS

WHO = "model"
"""How the option is called, in every command, that names who acts."""


class Incomplete(Exception):
    """A game lacks something, told in sentences that name it."""


def take_in(played: Game) -> Game:
    """Return a game put among those that are played. Raises Incomplete."""
    faults = missing(played)
    if faults:
        raise Incomplete(" ".join(faults))
    GAMES[played.key] = played
    return played


def missing(played: Any) -> list[str]:
    """Return what a game lacks, a sentence for each part; nothing where it is whole."""
    faults = list(_of_the_game(played))
    if faults:
        return faults
    key = played.key
    kinds = [kind for kind in ACTIONS.values() if kind.__module__.startswith(f"bot.games.{key}.")]
    if not any(kind.typed for kind in kinds):
        faults.append(f"{key} has no action that can be typed.")
    for kind in kinds:
        faults += _of_an_action(kind)
        if kind.typed and not topic_of(kind, played.pages, f"bot.games.{key}"):
            faults.append(f"{kind.command} isn't on any page of /help. Add its module to one of `pages`.")
    return [*faults, *_of_the_crews(played), *_of_what_is_likely(played)]


def _of_the_game(played: Any) -> Iterator[str]:
    key = getattr(played, "key", "")
    if type(played).__module__.split(".")[:3] != ["bot", "games", key]:
        yield f"The game {key or type(played).__name__} has to be in bot/games/{key or '<key>'}."
    elif find_spec(f"rules.systems.{key}") is None:
        yield f"{key} has no rules in rules/systems/{key}."
    for protocol in (Game, Acts):
        for name in (*protocol.__annotations__, *vars(protocol)):
            if not name.startswith("_") and not hasattr(played, name):
                yield f"{key} has no `{name}`."


def _of_an_action(kind: type[Action]) -> Iterator[str]:
    command = kind.command
    if command not in HANDLERS:
        yield f"{command} has no handler."
    if not kind.typed:
        return
    if not described(kind):
        yield f"{command} has no description. Write it as the first line of its docstring."
    words = kind.typed.split()[:-1]
    for path in (" ".join(words[:end]) for end in range(1, len(words) + 1)):
        if path not in GROUPS:
            yield f"The group /{path} has no description. Add one with group({path!r}, ...)."
    for part in options_of(kind):
        assert isinstance(part.kind, TableKind)
        if called(part) == WHO and not part.kind.suggests:
            yield (
                f"{command} suggests no model for `{WHO}`. Give its field {part.name} a kind that suggests "
                "models."
            )


def _of_the_crews(played: Game) -> Iterator[str]:
    keys = {recruit.key for recruit in played.recruits()}
    crews = played.sample_crews()
    if len(crews) != 2 or not all(crew.recruits for crew in crews):
        yield f"{played.key} needs two sample crews."
    for crew in crews:
        for name in crew.recruits:
            if name not in keys:
                yield (
                    f"The sample crew {crew.name} of {played.key} includes {name}, which isn't one of that "
                    "game's recruits."
                )
    if not played.pages:
        yield f"{played.key} needs a page of /help."


def _of_what_is_likely(played: Any) -> Iterator[str]:
    """Yield what is wrong with the likely actions of a game, which have to begin with the acting model."""
    if not played.likely:
        yield f"{played.key} needs at least one action in `likely`."
    for command in played.likely:
        kind = ACTIONS.get(command)
        if kind is None:
            yield f"{played.key} lists {command} in `likely`, but there is no such action."
        elif kind.typed and not (options_of(kind) and parts(command)[0] == _first(kind)):
            yield f"{command} is in `likely`, but its first field isn't the acting model."


def _first(kind: type[Action]) -> Any:
    return next((part for part in options_of(kind) if needed(part)), options_of(kind)[0])
