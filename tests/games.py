"""The games as tests find them: by what is registered, never by a list of their own."""

from __future__ import annotations

import importlib.util
import pkgutil
from collections.abc import Sequence
from functools import cache

from bot.actions import ACTIONS
from bot.app import ALL_GAMES
from bot.store.rows import ModelRow
from bot.table.handlers import HANDLERS, Place
from bot.table.state import State

SYSTEMS = tuple(game.key for game in ALL_GAMES)


@cache
def words_of(system: str) -> frozenset[str]:
    """The first words of commands that only this game has."""
    owners: dict[str, set[str]] = {}
    for command, kind in ACTIONS.items():
        if kind.typed and command in HANDLERS:
            owners.setdefault(kind.typed.split()[0], set()).add(HANDLERS[command].system)
    return frozenset(word for word, of in owners.items() if of == {system})


def game_of_word(word: str) -> str:
    """The game of which this is the first word of a command; empty for one that several have."""
    return next((system for system in SYSTEMS if word in words_of(system)), "")


@cache
def place_of(path: str) -> Place | None:
    """Where the command of that path acts; nothing for one that is no action."""
    places = {ACTIONS[command].typed: handler.place for command, handler in HANDLERS.items()}
    return places.get(path)


@cache
def game_at_the_table(path: str) -> str:
    """The game in whose encounters the command of that path is asked; empty for any other command."""
    for command, kind in ACTIONS.items():
        if kind.typed == path and command in HANDLERS and HANDLERS[command].place is Place.ENCOUNTER:
            return HANDLERS[command].system
    return ""


def one_of_each(models: Sequence[ModelRow]) -> list[ModelRow]:
    """The first of those that differ in nothing but their names and numbers."""
    kinds: dict[object, ModelRow] = {}
    for model in models:
        alike = model.side, model.profile.replace(model.name, ""), model.status, tuple(model.counters.items())
        kinds.setdefault(alike, model)
    return list(kinds.values())


GAMES_WITH_STATE = tuple(
    game.key for game in ALL_GAMES if importlib.util.find_spec(f"bot.games.{game.key}.state") is not None
)
"""The games that declare what they keep in a module `state`."""


def states_of(system: str) -> list[type[State]]:
    """Return the states that a game declares in `state`, a module or a package."""
    module = importlib.import_module(f"bot.games.{system}.state")
    inner = pkgutil.iter_modules(getattr(module, "__path__", ()), f"{module.__name__}.")
    modules = [module, *(importlib.import_module(each.name) for each in inner)]
    kinds = dict.fromkeys(kind for each in modules for kind in vars(each).values() if isinstance(kind, type))
    return [kind for kind in kinds if issubclass(kind, State) and kind is not State]
