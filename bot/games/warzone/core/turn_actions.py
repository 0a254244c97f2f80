"""What is asked of units in their round."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.warzone.core.fields import friend, squad, who
from bot.replies.reply import Button
from bot.table.asking import fields, offering
from bot.table.owners import in_play
from rules.systems.warzone.command import STEPS, Step
from rules.systems.warzone.model import Model, Squad


@dataclass(frozen=True, slots=True)
class Activate(Action):
    """A unit acts.

    by: a commander who orders it out of turn; hidden: no enemy is in his line of sight.
    """

    command = "wz.activate"
    typed = "wz activate"

    unit: Squad = squad("Which unit", needed=True)
    by: Model | None = friend("The commander who orders it out of turn", offering.own_model, mine=True)
    hidden: bool = fields.switch("No enemy in his sight", fact=True)
    odds: bool = fields.odds("Only whether he dares")


@dataclass(frozen=True, slots=True)
class ActNext(Action):
    """This model of the acting unit acts now; who acted before it has finished."""

    command = "wz.next"

    model: Model = who()


@dataclass(frozen=True, slots=True)
class Done(Action):
    """The acting unit has finished.

    model: only that one of it. step: the unit goes on to that step. asks: first ask where that ends actions
    that are left.
    """

    command = "wz.done"
    typed = "wz done"

    model: Model | None = friend("Only this model of it", mine=True)
    step: Step | None = fields.one_of("Acting together: go on to this", STEPS[1:])
    asks: bool = False

    def when_typed(self) -> Done:
        """Asks first."""
        return replace(self, asks=True)


ROUND_OVER = Button("Done", Done(asks=True))
"""Ends the round of the unit that acts; asks first where actions are left."""


@dataclass(frozen=True, slots=True)
class BeginRound(Action):
    """The winner of the initiative says who starts."""

    command = "wz.starts"
    decision_of = in_play("the side that won the initiative")

    side: int = 0
