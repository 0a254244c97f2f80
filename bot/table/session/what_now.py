"""What now: what a game waits for, as `waiting` says it, and what the person who asks may do about it."""

from __future__ import annotations

from collections.abc import Sequence

from bot.actions import ACTIONS
from bot.store.rows import AskRow
from bot.table.act import Actor
from bot.table.asking.legal import Looking
from bot.table.encounter import ENDED, Encounter
from bot.table.game import game_of
from bot.table.session.acting import acting_now, legal_ways
from bot.table.session.joining import JOIN
from bot.table.session.waiting import first_line, second_line
from bot.table.session.windows import waits

MOST_NAMED = 4

LEADS_NOWHERE = frozenset({"Undo", "Redo", "Log", "Why", "Set up..."})
"""Buttons of a panel that answer nothing."""


def what_now(encounter: Encounter, actor: Actor, moved: int) -> Sequence[str]:
    """The lines, to be read by the person alone. moved: the entry by which the game went on last."""
    row = encounter.row
    turn = f", turn {row.turn}" if row.turn else ", not begun"
    first = first_line(encounter, waits, moved) or "The panel tells what is next."
    besides = second_line(encounter, waits, moved)
    head = f"**{row.name}{turn}.** {first}{f' {besides}' if besides else ''}"
    return (head, *_answered_by(encounter, first), *_asks(encounter), *_yours(encounter, actor))


def _answered_by(encounter: Encounter, first: str) -> Sequence[str]:
    """What the first line leaves open: who may act, where several may; what is pressed, where nobody acts.

    Nothing where a menu of the panel asks.
    """
    acting = acting_now(encounter)
    if len(acting) > 1 and not all(model.name in first for model in acting):
        names = ", ".join(model.name for model in acting[:MOST_NAMED])
        return [f"One of these: {names}{' ...' if len(acting) > MOST_NAMED else ''}."]
    game = game_of(encounter)
    wait, panel = waits(encounter), game.panel(encounter)
    owed = wait is not None and wait.owed
    if (acting or panel.menus) and not owed:
        return ()
    buttons = [one for one in panel.buttons if not one.disabled and (owed or one.style == "main")]
    pressed = [one.label for one in buttons if one.label not in LEADS_NOWHERE]
    return [f"On the panel: {', '.join(pressed[:MOST_NAMED])}."] if pressed else ()


def _asks(encounter: Encounter) -> Sequence[str]:
    """Who waits to be let in."""
    rows = [one for one in encounter.book.all(AskRow) if one.kind == JOIN and not one.refused]
    return [f"{one.name} has asked to play and waits for an answer: the panel." for one in rows[:MOST_NAMED]]


def _sides_of(encounter: Encounter, actor: Actor) -> Sequence[str]:
    """The sides that a person sits at, or of which the person plays models."""
    seat = encounter.seat_of(actor.user_id)
    return [
        side.name
        for side in encounter.sides()
        if (seat is not None and seat.side == side.id)
        or any(encounter.plays(actor.user_id, model) for model in encounter.models(side.id))
    ]


def _yours(encounter: Encounter, actor: Actor) -> Sequence[str]:
    """What the person may do."""
    seat = encounter.seat_of(actor.user_id)
    if encounter.row.status == ENDED:
        return ()
    if seat is None or seat.role == "spectator":
        return ("You do not play: /encounter join takes a side, if one is free.",)
    mine = [model for model in acting_now(encounter) if encounter.plays(actor.user_id, model)]
    if not mine:
        sides = " and ".join(_sides_of(encounter, actor)) or "no side yet: /encounter join"
        return (f"You play {sides}. Press the panel, or /do.",)
    if len(mine) > 1:
        return ("You choose who: menu of the panel, or /do.",)
    looking = Looking(encounter.book, actor)
    typed = ", ".join(f"/{ACTIONS[one].typed}" for one in legal_ways(encounter, looking, mine[0]))
    may = f"You may, with {mine[0].name}: {typed}" if typed else f"You play {mine[0].name}."
    return (may, "Or press the panel, or say it: /do. A command is missing? /games shows more.")
