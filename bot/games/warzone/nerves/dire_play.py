"""Who stands in the area of a Dire effect, as the table sees it: kept until it is said anew."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.warzone.core.fields import several
from bot.games.warzone.core.words import narrow
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.handlers import handles
from bot.table.journal.history import UNDO
from bot.table.owners import PLAYER
from rules.effects import Gain, Lose
from rules.refusals import InvalidInput
from rules.systems.warzone.model import Condition, Model


@dataclass(frozen=True, slots=True)
class InDire(Action):
    """Who stands in a Dire effect: LD less its level.

    level 0: they no longer do.
    """

    command = "wz.dire"
    typed = "wz state dire"
    titled = "Dire effect"
    decision_of = PLAYER

    models: tuple[Model, ...] = several("Who, with commas", needed=True)
    level: int = fields.whole("Its level; 0: no longer", 0, 10, default=0, needed=True, checked=True)


@handles(InDire)
def in_dire(act: Act, action: InDire) -> Reply:
    """Where several effects reach, the highest level is said. Rules: WZ-RALLY-06, WZ-TEST-06, WZ-SPOT-05."""
    act.require_player()
    models = action.models
    if not models:
        raise InvalidInput("Name the models that stand in it, with commas between.")
    names = ", ".join(model.name for model in models)
    if not action.level:
        act.encounter.apply(Lose(model.id, Condition.IN_DIRE) for model in models)
        return Reply(narrow([f"Out of the Dire effect: {names}."]), buttons=(UNDO,))
    act.encounter.apply(Gain(model.id, Condition.IN_DIRE, action.level, "said anew") for model in models)
    return Reply(narrow([f"In Dire {action.level}: {names}."]), buttons=(UNDO,))
