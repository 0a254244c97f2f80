"""What is offered before a game begins, and asked before something that is left is passed over."""

from __future__ import annotations

from collections.abc import Sequence

from bot.actions import Action
from bot.replies.reply import Button, Reply
from bot.table.encounter import Encounter
from bot.table.journal.history import UNDO
from bot.table.session.encounters import BEGIN, AskEnd, JoinEncounter
from bot.table.session.readiness import READY
from bot.table.session.setting_up import SetUp
from bot.table.session.waiting import unready

END = Button("End the game...", AskEnd(), "main", anytime=True)
"""Ends a game that is over, asked first; only its organiser may."""


def ask_first(left: Sequence[str], label: str, action: Action) -> Reply | None:
    """The question to the person who asks whether something ends although this is left; None where none is.

    label, action: the button that ends it all the same.
    """
    if not left:
        return None
    ends = Button(label, action, "main")
    return Reply((*left, f"{label} ends it all the same:"), private=True, buttons=(ends,))


def join_buttons(encounter: Encounter) -> tuple[Button, ...]:
    """A place, while a side is free or still to come."""
    sides = [side for side in encounter.sides() if encounter.models(side.id)]
    played = {seat.side for seat in encounter.seats() if seat.role == "captain"}
    free = len(sides) < 2 or any(side.id not in played for side in encounter.sides())
    return (Button("Join...", JoinEncounter(), anytime=True),) if free else ()


def begin_buttons(encounter: Encounter, label: str = "Begin") -> tuple[Button, ...]:
    """Return Ready while several sides are still choosing, then Begin: the last one begins at once."""
    return (READY,) if len(unready(encounter)) > 1 else (Button(label, BEGIN, "main", anytime=True),)


def opening_buttons(
    encounter: Encounter, *more: Button, ready: bool = True, label: str = "Begin"
) -> tuple[Button, ...]:
    """Begin once two sides have models, a place while a side is free; what is set up; Undo, as in the game.

    ready: what else the game needs is there. label: what the beginning is called.
    """
    sides = [side for side in encounter.sides() if encounter.models(side.id)]
    begin = begin_buttons(encounter, label) if len(sides) > 1 and ready else ()
    return (*begin, *more, *join_buttons(encounter), Button("Set up...", SetUp(), anytime=True), UNDO)
