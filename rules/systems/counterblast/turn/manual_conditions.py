"""Conditions that players give to a model, or end, by hand, with everything that follows."""

from __future__ import annotations

from rules.effects import Assign, Effect, Gain, Lose
from rules.refusals import forbid
from rules.systems.counterblast.core.burning import (
    CONDITION,
    HIT_DUE_TURN,
    Kind,
    find_fire_protection,
    put_out_flames,
)
from rules.systems.counterblast.core.conditions import LASTS_UNTIL, Event, end_conditions, stun_model
from rules.systems.counterblast.core.counters import ENGAGED_WITH, Counter
from rules.systems.counterblast.core.fighter import Condition, Fighter, Until
from rules.systems.counterblast.core.panic import GOO_TARGET, is_fearless, pin
from rules.systems.counterblast.turn.activation import start_activation

SOURCE = "by hand"

TIMES: dict[Condition, Until] = {
    Condition.ACTIVE: Until.ACTIVATION_END,
    Condition.CALMED: Until.NEXT_ACTIVATION_END,
    Condition.CORRODED: Until.FREED,
    Condition.DRAINED: Until.NEXT_ACTIVATION_END,
    Condition.SCANNED: Until.UPKEEP,
    Condition.WARDED: Until.UPKEEP,
}
"""When those conditions end that no event ends."""

_SAFE: dict[Kind, str] = {"fire": "CB-BURN-09", "acid": "CB-FEAT-03"}


def put_under(model: Fighter, condition: Condition, value: int = 0) -> tuple[Effect, ...]:
    """Put the model under a condition, with all that follows from it.

    value: its grade, 0 or more; of Pinned the target to break free. Raises Forbidden for a model that is
    immune: Fearless to panic, protected from fire or acid; and for one that may not be activated.
    Rules: CB-COND-01, CB-COND-03, CB-COND-04, CB-COND-06, CB-COND-07, CB-PANIC-09, CB-FEAT-26, CB-BURN-09,
    CB-FEAT-03, CB-OVER-03, CB-WEAP-29.
    """
    gain = Gain(
        model.id, condition, value, LASTS_UNTIL.get(condition, TIMES.get(condition, Until.FREED)), SOURCE
    )
    if condition is Condition.PANICKED and is_fearless(model):
        forbid(f"{model.name} is immune to panic.", "CB-FEAT-26")
    for kind, named in CONDITION.items():
        safe = find_fire_protection(model, kind)
        if condition is named and safe:
            forbid(f"{model.name} is safe from {kind} ({safe}).", _SAFE[kind])
    match condition:
        case Condition.ACTIVE if not model.count(Counter.ACTIVATED):
            return start_activation(model)
        case Condition.ACTIVE:
            return (*end_conditions(model, Event.ACTIVATED), gain)
        case Condition.ENGAGED:
            return (*end_conditions(model, Event.ENGAGED), gain)
        case Condition.INCAPACITATED:
            return (*stun_model(model), gain) if value else stun_model(model)
        case Condition.PINNED:
            return pin(model, value or GOO_TARGET, SOURCE)
    return (gain,)


def ended(model: Fighter, condition: Condition) -> tuple[Effect, ...]:
    """End a condition of the model, with all that follows from it.

    The end of an activation is the table's. Rules: CB-BURN-07, CB-COND-03.
    """
    loss = Lose(model.id, condition)
    match condition:
        case Condition.BURNING:
            return put_out_flames(model)
        case Condition.CORRODED:
            return (loss, Assign("model", model.id, HIT_DUE_TURN["acid"], 0))
        case Condition.ENGAGED:
            enemies = sorted(model.engaged_with)
            pairs = [pair for other in enemies for pair in ((model.id, other), (other, model.id))]
            parted = (Assign("model", model_id, ENGAGED_WITH.of(other), 0) for model_id, other in pairs)
            return (loss, *parted)
    return (loss,)
