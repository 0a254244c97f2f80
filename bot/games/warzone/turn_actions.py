"""What is asked of units in their round."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action
from bot.games.warzone import suggestions
from bot.replies.reply import Button
from bot.table.asking import fields, offering


@dataclass(frozen=True, slots=True)
class Activate(Action):
    """A unit acts.

    by: a commander who orders it out of turn; hidden: no enemy is in his line of sight.
    """

    command = "wz.activate"
    typed = "wz activate"

    unit: str = fields.words("Which unit", suggestions.any_squad, needed=True)
    by: str = fields.words("The commander who orders it out of turn", offering.own_model)
    hidden: bool = fields.switch("No enemy in his sight")
    odds: bool = fields.odds("Only whether he dares")


@dataclass(frozen=True, slots=True)
class ActNext(Action):
    """This model of the acting unit acts now; who acted before it has finished."""

    command = "wz.next"

    model: str = ""


@dataclass(frozen=True, slots=True)
class Done(Action):
    """The acting unit has finished.

    model: only that one of it. step: the unit goes on to that step. asks: first ask where that ends actions
    that are left.
    """

    command = "wz.done"
    typed = "wz done"

    model: str = fields.words("Only this model of it", offering.own_model)
    step: str = fields.word_of("Acting together: go on to this", ("attacks", "rest"))
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

    side: int = 0
