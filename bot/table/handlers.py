"""Which function handles which action, on which scope it works, and who may ask for it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any, TypeVar, cast

from bot.actions import Action
from bot.replies.reply import Reply
from bot.store.rows import PendingRow
from bot.store.store import Store
from bot.table.act import Act, Actor, ActView, NotAllowed
from bot.table.asking.reading import understood
from bot.table.game import Settles, WaitsForBegin, game, game_of
from bot.table.owners import require_owner
from bot.table.reaction_windows import require_closed
from rules.refusals import Forbidden, InvalidInput

A = TypeVar("A", bound=Action)


class Place(Enum):
    """The scope that an action works on."""

    ENCOUNTER = "the encounter running in the channel"
    CHANNEL = "the encounter running in the channel for its players, and the channel itself for everyone else"
    NEW_ENCOUNTER = "an encounter that the action starts"
    CREW = "the crew whose scope the action names in its field `crew`"
    NEW_CREW = "a crew that the action creates"
    CAMPAIGN = "the campaign whose scope the action names in its field `campaign`"
    NEW_CAMPAIGN = "a campaign that the action creates"
    GAME = "the encounter whose scope the action names in its field `game`, or the one running in the channel"
    SEAT = (
        "the encounter, on any server, in which the code in the field `code` gives a seat; without a "
        "code, the one in the channel, or else one in which the person plays"
    )
    LIBRARY = "the custom statblocks that a server stores for all its channels"
    DICE = "where a roll waits for dice: the encounter in the channel, or else the person's crew or campaign"
    HISTORY = "the scope of the last action in the channel"
    PLAYED = "nothing: it only reads the game in the channel, or the last one there"
    NOWHERE = "nothing: it only reads"


ANYWHERE = frozenset(
    {
        *(Place.NOWHERE, Place.PLAYED, Place.CHANNEL, Place.HISTORY, Place.DICE),
        *(Place.LIBRARY, Place.CREW, Place.NEW_CREW),
    }
)
"""Places that a person has outside the servers of the bot too; games and campaigns need a server."""

Beforehand = Callable[[Store, Actor, Any], Awaitable[Any]]
"""Reads beforehand what lies outside the scope; what it gives is the act's `extra`."""

May = Callable[[ActView, Any], None]
"""Refuses, by who acts alone, what its handler refuses too, whatever else is said.

Asked where it is only tried what may be done, once it is known who acts, before the rest is filled in."""


@dataclass(frozen=True, slots=True)
class Handler:
    """The way an action is handled.

    run: reads, rolls and changes the act's book, and returns the reply. bot_dice: the bot rolls even for a
    person with real dice (bags and decks). by_hand: whether real dice are rolled, if the person who asks does
    not decide that. home: the module that handles it, if `run` is elsewhere. may: see `May`. prepare: the
    first step of an action that is handled in steps; it refuses, and changes nothing. asks: the question that
    comes next, if any. weigh: the `bot.table.steps.Chances` of an action that is handled in steps, from the
    same first step. threaded: it runs in a thread because it may take long, and rolls nothing.
    """

    run: Callable[[Act, Any], Reply]
    place: Place
    beforehand: Beforehand | None = None
    bot_dice: bool = False
    by_hand: Callable[[Act], bool] | None = None
    home: str = ""
    may: May | None = None
    prepare: Callable[[ActView, Any], Any] | None = None
    asks: Callable[[Act, Any, Any], Reply | None] | None = None
    weigh: Callable[[ActView, Any], Any] | None = None
    threaded: bool = False

    def permit(self, act: ActView, action: Any) -> None:
        """Refuse an action that must wait for its game to begin, for a reaction or for others' dice."""
        if self.place is Place.ENCOUNTER and self.system and act.has_encounter:
            played = game(self.system)
            if _waits_for_begin(type(played)):
                cast(WaitsForBegin, played).require_begun(act, action)
        if self.place is Place.ENCOUNTER and act.has_encounter:
            require_closed(act, action)
            if action.waits_for_dice and not action.looks:
                _require_settled(act, action)

    @property
    def system(self) -> str:
        """Return the key of the game whose package the action is in, or "" for all games."""
        return system_of(self.home or self.run.__module__)


def _require_settled(act: ActView, action: Action) -> None:
    """Raise InvalidInput if a roll of others waits for real dice here, or if something is not settled yet."""
    played = game_of(act.encounter)
    unsettled = played.unsettled(act.encounter, action) if isinstance(played, Settles) else ""
    if unsettled:
        raise InvalidInput(unsettled)
    others_pending = [row for row in act.book.all(PendingRow) if row.user_id != act.actor.user_id]
    if any(HANDLERS[row.action.split()[0]].place is Place.ENCOUNTER for row in others_pending):
        raise InvalidInput("Wait until the dice of the current roll have been entered.")


@cache
def system_of(module: str) -> str:
    """Return the key of the game whose package a module is in; empty for all games."""
    package = module.split(".")
    return package[2] if package[:2] == ["bot", "games"] else ""


@cache
def _waits_for_begin(game: type[Any]) -> bool:
    return issubclass(game, WaitsForBegin)


HANDLERS: dict[str, Handler] = {}


def require_player(act: ActView, action: Action) -> None:
    """Refuse a person who plays no side, if that alone decides. See `May`."""
    act.require_player()


def handles(
    kind: type[A],
    place: Place = Place.ENCOUNTER,
    *,
    beforehand: Beforehand | None = None,
    bot_dice: bool = False,
    by_hand: Callable[[Act], bool] | None = None,
    may: May | None = None,
    prepare: Callable[[ActView, A], Any] | None = None,
    threaded: bool = False,
) -> Callable[[Callable[[Act, A], Reply]], Callable[[Act, A], Reply]]:
    """Register the function below as the handler of an action. Actions with dice are handled `in_steps`.

    prepare: the first part of the handler, with all its refusals; it changes nothing.
    """

    def register(run: Callable[[Act, A], Reply]) -> Callable[[Act, A], Reply]:
        if kind.command in HANDLERS:
            raise ValueError(f"there is already a handler for {kind.command}")
        HANDLERS[kind.command] = Handler(
            run, place, beforehand, bot_dice, by_hand, may=may, prepare=prepare, threaded=threaded
        )
        return run

    return register


def may_ask_odds(act: ActView, action: Action) -> bool:
    """Return whether the person who asks for odds may do such a thing, now or later, or override it."""
    if act.only_watches:
        return False
    return act.is_organiser or not act.has_encounter or not _belongs_to_another(act, action)


def _belongs_to_another(act: ActView, action: Action) -> bool:
    handler = HANDLERS[action.command]
    try:
        with act.considering(action):
            understood_action = understood(act, action)
            handler.permit(act, understood_action)
            require_owner(act, understood_action)
            if handler.prepare is not None:
                handler.prepare(act, understood_action)
    except NotAllowed:
        return True
    except (InvalidInput, Forbidden):
        return False
    return False
