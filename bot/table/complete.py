"""Checks, when a game is registered, that it has everything the table needs."""

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
"""The name, in every command, of the option for the acting model."""


class Incomplete(Exception):
    """A game lacks something; the sentences name it."""


def register_game(game: Game) -> Game:
    """Register a game and return it. Raises Incomplete if it lacks something."""
    faults = missing(game)
    if faults:
        raise Incomplete(" ".join(faults))
    GAMES[game.key] = game
    return game


def missing(game: Any) -> list[str]:
    """Return what a game lacks, a sentence for each part; empty if it is complete."""
    faults = list(_game_faults(game))
    if faults:
        return faults
    key = game.key
    kinds = [kind for kind in ACTIONS.values() if kind.__module__.startswith(f"bot.games.{key}.")]
    if not any(kind.typed for kind in kinds):
        faults.append(f"{key} has no action that can be typed.")
    for kind in kinds:
        faults += _action_faults(kind)
        if kind.typed and not topic_of(kind, game.pages, f"bot.games.{key}"):
            faults.append(f"{kind.command} isn't on any page of /help. Add its module to one of `pages`.")
    return [*faults, *_crew_faults(game), *_likely_faults(game)]


def _game_faults(game: Any) -> Iterator[str]:
    key = getattr(game, "key", "")
    if type(game).__module__.split(".")[:3] != ["bot", "games", key]:
        yield f"The game {key or type(game).__name__} has to be in bot/games/{key or '<key>'}."
    elif find_spec(f"rules.systems.{key}") is None:
        yield f"{key} has no rules in rules/systems/{key}."
    for protocol in (Game, Acts):
        for name in (*protocol.__annotations__, *vars(protocol)):
            if not name.startswith("_") and not hasattr(game, name):
                yield f"{key} has no `{name}`."


def _action_faults(kind: type[Action]) -> Iterator[str]:
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


def _crew_faults(game: Game) -> Iterator[str]:
    keys = {recruit.key for recruit in game.recruits()}
    crews = game.sample_crews()
    if len(crews) != 2 or not all(crew.recruits for crew in crews):
        yield f"{game.key} needs two sample crews with recruits."
    for crew in crews:
        for name in crew.recruits:
            if name not in keys:
                yield (
                    f"The sample crew {crew.name} of {game.key} includes {name}, which isn't one of that "
                    "game's recruits."
                )
    if not game.pages:
        yield f"{game.key} needs a page of /help."


def _likely_faults(game: Any) -> Iterator[str]:
    """Yield what is wrong with the likely actions of a game, which have to begin with the acting model."""
    if not game.likely:
        yield f"{game.key} needs at least one action in `likely`."
    for command in game.likely:
        kind = ACTIONS.get(command)
        if kind is None:
            yield f"{game.key} lists {command} in `likely`, but there is no such action."
        elif kind.typed and not (options_of(kind) and parts(command)[0] == _first_needed_part(kind)):
            yield f"{command} is in `likely`, but its first field isn't the acting model."


def _first_needed_part(kind: type[Action]) -> Any:
    return next((part for part in options_of(kind) if needed(part)), options_of(kind)[0])
