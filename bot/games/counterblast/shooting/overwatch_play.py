"""Overwatch at the table: going on it, and the button that fires while an enemy is active."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.counterblast.core.common import carry_through, price
from bot.games.counterblast.core.fields import can_shoot, who
from bot.games.counterblast.shooting.watching import Interrupt, interrupts
from bot.games.counterblast.turn.activations import active
from bot.games.counterblast.turn.bag_play import PassDraw
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from rules.effects import Effect
from rules.refusals import Forbidden, InvalidInput
from rules.systems.counterblast.core.fighter import Condition, Fighter
from rules.systems.counterblast.shooting.special_attacks import go_on_overwatch
from rules.systems.counterblast.turn.activation import end_activation


@dataclass(frozen=True, slots=True)
class Overwatch(Action):
    """Go on Overwatch; without a model: fire from it.

    The model waits for an enemy to shoot at.
    """

    command = "cb.overwatch"
    typed = "cb overwatch"

    model: Fighter | None = who("Who waits; none: show who may fire now", needed=False)

    def when_typed(self) -> Action:
        """Without a model, who may fire."""
        return self if self.model else Interrupt()


@dataclass(frozen=True, slots=True)
class ReadyToWatch:
    """Who goes on Overwatch, and all that comes of it."""

    model: Fighter
    effects: tuple[Effect, ...]


def _ready_to_watch(act: Act, action: Overwatch) -> ReadyToWatch:
    model = action.model
    if model is None:
        raise InvalidInput("Who waits? Name a model.")
    waits = go_on_overwatch(model)
    return ReadyToWatch(model, (*price(act, model, "overwatch"), *waits, *end_activation(model)))


@handles(Overwatch, prepare=_ready_to_watch)
def watch(act: Act, action: Overwatch) -> Reply:
    """Two actions, which are its attack; its activation ends."""
    ready = _ready_to_watch(act, action)
    carry_through(act, ready.effects)
    model = ready.model
    still = active(act.encounter) or act.encounter.row.turn < 1
    done = () if still else (Button("Done", PassDraw(), "main"),)
    fires = "It may fire once while an enemy acts;" if can_shoot(model) else "It has nothing to shoot with;"
    lines = (f"{model.name} is on Overwatch.", fires, "lost when wounded, engaged or activated.")
    return Reply(lines, buttons=(*done, UNDO))


@handles(Interrupt)
def interrupt(act: Act, action: Interrupt) -> Reply:
    """To the person who asks, with those who may fire."""
    acting = active(act.encounter)
    if not acting:
        raise Forbidden("Nobody is being activated: Overwatch waits.", "CB-OVER-02")
    watcher = action.model.id if action.model else 0
    buttons = interrupts(act.encounter, watcher, odds=action.odds)
    watchers = [row for row in act.encounter.models() if act.encounter.condition(row.id, Condition.OVERWATCH)]
    if not buttons:
        said = f"Nobody on Overwatch may fire at {', '.join(model.name for model in acting)}."
        return Reply(
            (said, f"On Overwatch: {', '.join(row.name for row in watchers) or 'nobody'}."), private=True
        )
    if action.odds:
        return Reply(("The odds of whose shot?",), private=True, buttons=buttons)
    asks = Button("Odds...", Interrupt(action.model, odds=True), anytime=True)
    return Reply(("Who fires from Overwatch?",), private=True, buttons=(*buttons, asks))
