"""Being Pinned, and breaking free.

Owns the checks against a grappler or a set target. What a Pinned model may do is in `activation`.
"""

from __future__ import annotations

from rules.dice import Dice
from rules.effects import Assign, Effect, Gain
from rules.systems.counterblast.core.ability import prepare_check
from rules.systems.counterblast.core.checks import Prepared, Throw, throw
from rules.systems.counterblast.core.conditions import LASTS, Event, ended_by
from rules.systems.counterblast.core.fighter import Condition, Counter, Fighter
from rules.systems.counterblast.core.settings import DEFAULTS, Settings

GOO_TARGET = 5


def pin(model: Fighter, target: int = GOO_TARGET, source: str = "sticky goo") -> tuple[Effect, ...]:
    """The model is Pinned until it breaks free by STR at `target`. Rules: CB-COND-06, CB-FEAT-49."""
    return (
        Gain(model.id, Condition.PINNED, until=LASTS[Condition.PINNED], source=source),
        Assign("model", model.id, Counter.PIN_TARGET, target),
    )


def prepare_breaking_free(
    model: Fighter, *, order_token: bool = False, settings: Settings = DEFAULTS
) -> Prepared:
    """Prepare the check to break free, 1 action: STR at the target that its cause set, else 5.

    Rules: CB-COND-06, CB-FEAT-50.
    """
    target = model.count(Counter.PIN_TARGET) or GOO_TARGET
    return prepare_check(
        model,
        "STR",
        target,
        target_reason="break free",
        target_rule="CB-COND-06",
        order_token=order_token,
        settings=settings,
    )


def break_free(dice: Dice, throws: tuple[Throw, ...]) -> bool:
    """Roll against a set target; true when the model is free. Rules: CB-COND-06, CB-FEAT-50."""
    return throw(dice, throws, label="break free").net >= 1


def wrestle_free(dice: Dice, pinned: Throw, grappler: Throw) -> bool:
    """Roll against a grappler; true when the Pinned model has more successes.

    Rules: CB-COND-06, CB-CHECK-16.
    """
    mine = throw(dice, (pinned,), label="break free").net
    return mine > throw(dice, (grappler,), label="grapple").net


def after_breaking_free(model: Fighter, free: bool) -> tuple[Effect, ...]:
    """A model that broke free uses what actions it has left normally. Rules: CB-COND-06."""
    return ended_by(model, Event.FREED) if free else ()
