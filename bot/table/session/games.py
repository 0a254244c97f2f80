"""Which games a server shows: chosen by who manages it. That Discord takes it is seen to elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from bot.actions import Action
from bot.replies.reply import Button, Choice, Menu, Reply, say
from bot.store.rows import ShownGamesRow
from bot.store.side_tables import Registration, registration, shown_games
from bot.store.store import Store
from bot.table.act import Act, Actor, NotAllowed
from bot.table.game import GAMES
from bot.table.handlers import Place, handles
from bot.table.journal.history import UNDO
from bot.table.owners import ANYONE, SERVER
from rules.refusals import InvalidInput

MANAGES = "Only a server manager can choose which games are shown."

EVERYBODY = "With /do, the panel and /demo you can play any game."
BEGIN = ("Start a game with /encounter start, or try /demo.",)
"""General commands that are always available."""


@dataclass(frozen=True, slots=True)
class ShowGames(Action):
    """See or choose the games whose commands this server shows."""

    command = "games"
    typed = "games"
    titled = "Games shown here"
    decision_of = ANYONE


@dataclass(frozen=True, slots=True)
class ChooseGames(Action):
    """Show the commands of these games, by their keys, beside those of every table."""

    command = "games.choose"
    decision_of = SERVER

    systems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _KnownGames:
    """The games whose commands a server shows, and how far Discord has registered them."""

    shown: Sequence[str]
    kept: Registration
    now: int


async def _known(store: Store, actor: Actor, action: Action) -> _KnownGames:
    shown_keys = await shown_games(store, actor.guild_id)
    return _KnownGames(shown_keys, await registration(store, actor.guild_id), store.now())


def _may(act: Act) -> None:
    if not act.actor.serves:
        raise NotAllowed(MANAGES)


def _names(systems: Sequence[str]) -> str:
    return ", ".join(game.name for key, game in GAMES.items() if key in systems)


def _shows(systems: Sequence[str], adverb: str = "") -> str:
    names = _names(systems)
    command_words = f"the commands of {names}" if names else "no game commands"
    return f"This server {adverb}shows {command_words}."


def _showed(systems: Sequence[str]) -> str:
    names = _names(systems)
    return f"Before that, it showed {f'the commands of {names}' if names else 'no game commands'}."


@handles(ShowGames, Place.LIBRARY, beforehand=_known)
def show_games(act: Act, action: ShowGames) -> Reply:
    """Show only the person who asks which games the server shows, with a menu for its managers."""
    state: _KnownGames = act.extra
    if not act.actor.serves:
        return say(_shows(state.shown), MANAGES, EVERYBODY, *BEGIN, private=True)
    choices = tuple(
        Choice(game.name, key, "shown now" if key in state.shown else "") for key, game in GAMES.items()
    )
    all_keys, none = tuple(GAMES), ()
    return Reply(
        (
            _shows(state.shown),
            "General commands, /do, the panel and /demo are always available.",
            *BEGIN,
            *problem_lines(state.kept),
        ),
        private=True,
        buttons=(
            Button("Show all games", ChooseGames(all_keys), anytime=True),
            Button("Hide all games", ChooseGames(none), anytime=True),
        ),
        menus=(Menu("Choose the games", ChooseGames(), "systems", choices, most=len(choices), anytime=True),),
    )


def problem_lines(registration: Registration) -> Sequence[str]:
    """Return what Discord has not taken yet, and when it is asked again."""
    if not registration.problem:
        return ()
    due_at = datetime.fromtimestamp(registration.due_ms / 1000, UTC)
    return (registration.problem, f"The bot will try again at {due_at:%H:%M} UTC.")


@handles(ChooseGames, Place.LIBRARY, beforehand=_known)
def choose_games(act: Act, action: ChooseGames) -> Reply:
    """Set the games and tell everyone. The commands change as soon as Discord has registered them."""
    _may(act)
    if not set(action.systems) <= GAMES.keys():
        raise InvalidInput("Choose again with /games; one of these games is no longer available.")
    chosen_keys = [key for key in GAMES if key in action.systems]
    state: _KnownGames = act.extra
    row = act.book.get(ShownGamesRow)
    if sorted(state.shown) == sorted(chosen_keys):
        return say(_shows(chosen_keys, "already "), private=True)
    if row is None:
        row = act.book.add(ShownGamesRow(act.book.scope))
    row.systems = ",".join(chosen_keys)
    return say(
        _shows(chosen_keys, "now "),
        "Discord will update the commands in a moment.",
        _showed(state.shown),
        buttons=[UNDO],
    )
