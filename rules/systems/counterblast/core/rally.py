"""Rally: overcoming panic at the start of an activation, and what a model does that cannot.

Owns the Rally check and the flight that follows a failure. How models come to panic is in `panic`.
"""

from __future__ import annotations

from rules.dice import Dice
from rules.effects import Assign, Effect, Lose, Propose
from rules.refusals import Forbidden, forbid
from rules.systems.counterblast.core.ability import prepare_check
from rules.systems.counterblast.core.checks import Prepared, Throw, throw
from rules.systems.counterblast.core.conditions import Event, ended_by
from rules.systems.counterblast.core.fighter import Condition, Counter, Fighter
from rules.systems.counterblast.core.settings import DEFAULTS, Settings

TARGET = 7


def prepare_rally(model: Fighter, *, order_token: bool = False, settings: Settings = DEFAULTS) -> Prepared:
    """Prepare a Rally: the model's own INT at 7. Free, once per activation.

    Raises Forbidden for a model that is not Panicked, has tried in this activation, or cannot act.
    Rules: CB-RALLY-01, CB-RALLY-02, CB-PANIC-07, CB-PANIC-11.
    """
    if not model.has(Condition.PANICKED):
        raise Forbidden(f"{model.name} is not Panicked.", "CB-RALLY-01")
    if model.count(Counter.RALLIED):
        forbid(f"{model.name} has tried to Rally in this activation.", "CB-RALLY-01")
    return prepare_check(
        model,
        "INT",
        TARGET,
        nerve="rally",
        target_reason="Rally",
        target_rule="CB-RALLY-01",
        order_token=order_token,
        settings=settings,
    )


def rally(dice: Dice, throws: tuple[Throw, ...]) -> bool:
    """Roll a Rally; true when it succeeds. Natural 10s and 1s have no further effect.

    Rules: CB-RALLY-01, CB-RALLY-02, CB-CHECK-15.
    """
    return throw(dice, throws, criticals=False, label="rally").score >= 1


def after_rally(model: Fighter, rallied: bool) -> tuple[Effect, ...]:
    """A model that rallied acts normally; any other spends its actions running for the nearest table edge.

    Engaged, it must Disengage for that. Rules: CB-RALLY-01, CB-PANIC-07, CB-PANIC-09, CB-PANIC-10.
    """
    effects: list[Effect] = [Assign("model", model.id, Counter.RALLIED, 1)]
    effects += ended_by(model, Event.INT_CHECKED)
    if rallied:
        return (*effects, Lose(model.id, Condition.PANICKED))
    if model.is_engaged:
        reason = f"{model.name} must Disengage and run."
        return (*effects, Propose("disengage", model.id, reason))
    reason = f"{model.name} runs for the nearest table edge at full speed."
    return (*effects, Propose("flee", model.id, reason, (("inches", model.mv),)))
