"""Whether every side is ready to begin: a game that several people play waits until nobody is still choosing.

A side is ready once one of its players has said so. Pressing Begin says it for one's own side. A side that
nobody plays, or that the person who begins plays too, holds nobody up.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.replies.reply import Button, Reply
from bot.store.rows import ReadyRow, SeatRow, SideRow
from bot.table.act import Act, Barred
from bot.table.encounter import SETUP, Encounter
from bot.table.game import Prepares, SetsUp, game_of
from bot.table.handlers import handles
from bot.table.owners import PLAYER
from bot.table.session.waiting import unready
from rules.refusals import InvalidInput


@dataclass(frozen=True, slots=True)
class Ready(Action):
    """Say that your side is ready to begin."""

    command = "encounter.ready"
    titled = "Ready"
    decision_of = PLAYER


SETS_UP = "encounter.setup"
"""The command that opens what can be set up."""

READY = Button("Ready", Ready(), "main", anytime=True)


@handles(Ready)
def ready(act: Act, action: Ready) -> Reply:
    """Note it beside the game: it is no step of it."""
    encounter, seat = act.encounter, act.seat
    if encounter.row.status != SETUP:
        raise InvalidInput("The game has begun already.")
    if seat is None or not seat.side:
        raise InvalidInput("You play no side yet. Join one with /encounter join.")
    if not _note(encounter, seat):
        raise InvalidInput(f"You are ready already. {_waits(encounter)}")
    act.aside = True
    side = encounter.side(seat.side)
    return Reply((f"{seat.name} is ready to begin ({side.name}).", _waits(encounter)), shown=True)


def _note(encounter: Encounter, seat: SeatRow) -> bool:
    """Note that a player is ready; whether that was new."""
    row = encounter.book.get(ReadyRow, seat.user_id)
    if row is not None and row.side == seat.side:
        return False
    if row is not None:
        encounter.book.remove(row)
    encounter.book.add(ReadyRow(encounter.book.scope, seat.user_id, seat.side))
    return True


def _waits(encounter: Encounter) -> str:
    names = [_players(encounter, side) for side in unready(encounter)]
    return f"Still choosing: {', '.join(names)}." if names else "Everybody is ready. Press Begin."


def _players(encounter: Encounter, side: SideRow) -> str:
    return f"{' and '.join(seat.name for seat in encounter.players(side.id))} ({side.name})"


def require_ready(act: Act) -> None:
    """Refuse to begin while a side that somebody else plays is still choosing. Raises Barred.

    Whoever begins is ready, and so is everybody once an organiser let it pass.
    """
    encounter, user = act.encounter, act.actor.user_id
    if encounter.row.status != SETUP:
        return
    choosing = unready(encounter)
    others = [side for side in choosing if user not in {seat.user_id for seat in encounter.players(side.id)}]
    if others:
        names = " and ".join(_players(encounter, side) for side in others)
        have = "hasn't" if len(others) == 1 and " and " not in names else "haven't"
        mine = encounter.book.get(ReadyRow, user) is None and act.seat is not None and act.seat.side
        ways = (READY,) if mine else ()
        with act.overridable():
            raise Barred(f"{names} {have} pressed Ready yet: the game begins when every side is.", "", *ways)
    for side in choosing:
        _note(encounter, encounter.players(side.id)[0])


def said_ready(act: Act) -> ReadyRow | None:
    """Return the Ready of a player who goes on setting up, and so takes it back; None for no such player."""
    if not act.has_encounter or act.encounter.row.status != SETUP or act.action.secret:
        return None
    row = act.book.get(ReadyRow, act.actor.user_id)
    if row is None:
        return None
    played = game_of(act.encounter)
    sets_up = played.sets_up if isinstance(played, SetsUp) else ()
    prepares = played.prepares if isinstance(played, Prepares) else ()
    return row if act.action.command in (SETS_UP, *sets_up, *prepares) else None
