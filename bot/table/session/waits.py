"""What a game waits for, and what the person who asks may do about it, in a few lines."""

from __future__ import annotations

from collections.abc import Sequence

from bot.actions import ACTIONS
from bot.store.rows import AskRow, ModelRow, PendingRow
from bot.table.act import Actor
from bot.table.asking.legal import Looking
from bot.table.encounter import ENDED, Encounter
from bot.table.game import game_of
from bot.table.session.acting import acting_now, legal_ways

MOST_NAMED = 4

LEADS_NOWHERE = frozenset({"Undo", "Redo", "Log", "Why", "Set up...", "Draw", "Done"})
"""Buttons of a panel that answer nothing."""


def what_waits(encounter: Encounter, actor: Actor) -> Sequence[str]:
    """The lines, to be read by the person alone."""
    row = encounter.row
    turn = f", turn {row.turn}" if row.turn else ", not begun"
    head = f"**{row.name}{turn}.** {_for_what(encounter)}"
    return (head, *_asks(encounter), *_yours(encounter, actor))


def _for_what(encounter: Encounter) -> str:
    """What is waited for: dice, whoever acts, or the game's next step."""
    thrown = encounter.book.all(PendingRow)
    if thrown:
        return f"It waits for dice of {_name(encounter, thrown[0].user_id)}."
    pending = _pending(encounter)
    if pending:
        return " ".join(pending)
    acting = acting_now(encounter)
    if len(acting) == 1:
        side = encounter.side(acting[0].side)
        return f"{acting[0].name} acts ({side.name}, {_plays(encounter, acting[0])})."
    if acting:
        names = ", ".join(model.name for model in acting[:MOST_NAMED])
        return f"One of these acts next: {names}{' ...' if len(acting) > MOST_NAMED else ''}."
    step = _step(encounter)
    if step.endswith("?"):
        return f"The panel asks: {step}"
    return f"It waits for {step}, on the panel." if step else "The panel tells what is next."


def _pending(encounter: Encounter) -> Sequence[str]:
    """What somebody has to answer before anything else, and what is pressed for it."""
    game = game_of(encounter)
    wait = game.waits(encounter)
    if wait is None or not wait.owed:
        return ()
    panel = game.panel(encounter)
    pressed = [one.label for one in panel.buttons if not one.disabled and one.label not in LEADS_NOWHERE]
    ways = f"On the panel: {', '.join(pressed[:MOST_NAMED])}." if pressed else ""
    return (wait.sentence, *filter(None, [ways]))


def _step(encounter: Encounter) -> str:
    """The words on what leads on in the panel: a menu that asks, else its main button, else its first.

    Empty where there is none.
    """
    panel = game_of(encounter).panel(encounter)
    buttons = [one for one in panel.buttons if not one.disabled]
    main = [one.label for one in buttons if one.style == "main"]
    asked = [one.prompt for one in panel.menus]
    return next(iter(asked or main or [one.label for one in buttons]), "")


def _name(encounter: Encounter, user: int) -> str:
    seat = encounter.seat_of(user)
    return seat.name if seat is not None else "somebody"


def _plays(encounter: Encounter, model: ModelRow) -> str:
    captain = encounter.captain(model.side)
    return _name(encounter, model.owner_id or (captain.user_id if captain else 0))


def _asks(encounter: Encounter) -> Sequence[str]:
    """Who waits for an answer of others, where it is no secret."""
    rows = [one for one in encounter.book.all(AskRow) if not one.refused]
    return [f"{one.name} has asked and waits for an answer: /encounter status" for one in rows[:MOST_NAMED]]


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
