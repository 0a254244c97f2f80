"""Which games a server shows, as its managers choose. Other modules register the commands with Discord."""

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
from rules.wording import join_with_and

ONLY_MANAGERS = "Only a server manager can choose which games are shown."

ANY_GAME = "With /do, the panel and /demo you can play any game."
START_LINES = ("Start a game with /encounter start, or try /demo.",)
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


async def _load_known(store: Store, actor: Actor, action: Action) -> _KnownGames:
    shown_keys = await shown_games(store, actor.guild_id)
    return _KnownGames(shown_keys, await registration(store, actor.guild_id), store.now())


def _require_manager(act: Act) -> None:
    if not act.actor.serves:
        raise NotAllowed(ONLY_MANAGERS)


def _join_names(systems: Sequence[str]) -> str:
    names = [game.name for key, game in GAMES.items() if key in systems]
    return join_with_and(names) if names else ""


def _format_shown(systems: Sequence[str], adverb: str = "") -> str:
    names = _join_names(systems)
    command_words = f"the commands of {names}" if names else "no game commands"
    return f"This server {adverb}shows {command_words}."


def _format_shown_before(systems: Sequence[str]) -> str:
    names = _join_names(systems)
    return f"Before that, it showed {f'the commands of {names}' if names else 'no game commands'}."


@handles(ShowGames, Place.LIBRARY, beforehand=_load_known)
def show_games(act: Act, action: ShowGames) -> Reply:
    """Show only the person who asks which games the server shows, with a menu for its managers."""
    state: _KnownGames = act.extra
    if not act.actor.serves:
        return say(_format_shown(state.shown), ONLY_MANAGERS, ANY_GAME, *START_LINES, private=True)
    choices = tuple(
        Choice(game.name, key, "shown now" if key in state.shown else "") for key, game in GAMES.items()
    )
    all_keys, no_keys = tuple(GAMES), ()
    return Reply(
        (
            _format_shown(state.shown),
            "General commands, /do, the panel and /demo are always available.",
            *START_LINES,
            *format_problem(state.kept),
        ),
        private=True,
        buttons=(
            Button("Show all games", ChooseGames(all_keys), anytime=True),
            Button("Hide all games", ChooseGames(no_keys), anytime=True),
        ),
        menus=(
            Menu(
                "Choose the games to show", ChooseGames(), "systems", choices, most=len(choices), anytime=True
            ),
        ),
    )


def format_problem(registration: Registration) -> Sequence[str]:
    """Return what Discord has not registered yet, and when the bot will try again."""
    if not registration.problem:
        return ()
    due_at = datetime.fromtimestamp(registration.due_ms / 1000, UTC)
    return (registration.problem, f"The bot will try again at {due_at:%H:%M} UTC.")


@handles(ChooseGames, Place.LIBRARY, beforehand=_load_known)
def choose_games(act: Act, action: ChooseGames) -> Reply:
    """Set the games and tell everyone. The commands change as soon as Discord has registered them."""
    _require_manager(act)
    if not set(action.systems) <= GAMES.keys():
        raise InvalidInput("Choose again with /games; one of these games is no longer available.")
    chosen_keys = [key for key in GAMES if key in action.systems]
    state: _KnownGames = act.extra
    row = act.book.get(ShownGamesRow)
    if sorted(state.shown) == sorted(chosen_keys):
        return say(_format_shown(chosen_keys, "already "), private=True)
    if row is None:
        row = act.book.add(ShownGamesRow(act.book.scope))
    row.systems = ",".join(chosen_keys)
    return say(
        _format_shown(chosen_keys, "now "),
        "Discord will update the commands in a moment.",
        _format_shown_before(state.shown),
        buttons=[UNDO],
    )
