"""What an organiser may let pass: a rule asked again for the same model without what forbids.

The rules prepare figures and refuse in one step. Where a refusal is overridden, the figures are prepared for
the model as if the condition that forbids were not there; every other modifier stays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from bot.table.act import Act
from rules.refusals import Forbidden
from rules.systems.warzone.model import ATTACKS, NON_MOVES, UNHINGED, Condition, Model

R = TypeVar("R")

_IN_THE_WAY = frozenset(
    {
        Condition.PRONE,
        Condition.UNCONSCIOUS,
        Condition.BLINDED,
        Condition.CLIMBING,
        Condition.ENGAGED,
        Condition.SCRAMBLED,
    }
)
_NERVES = frozenset({Condition.PANICKED, Condition.BROKEN, *UNHINGED})


def without(model: Model, conditions: frozenset[Condition]) -> Model:
    """The model as if it were not under these, and had done nothing yet that is counted."""
    return replace(
        model,
        conditions=frozenset(pair for pair in model.conditions if pair[0] not in conditions),
        counters=frozenset(pair for pair in model.counters if pair[0] not in (ATTACKS, NON_MOVES)),
    )


def seen(target: Model) -> Model:
    """The target as if it were not concealed."""
    return without(target, frozenset({Condition.CONCEALED}))


def allowed(act: Act, rule: Callable[[Model, bool], R], model: Model) -> R:
    """What a rule gives for this model; where an organiser overrides its refusal, what it would give.

    rule: takes the model and whether it is overridden. Raises Forbidden.
    """
    try:
        return rule(model, False)
    except Forbidden as refusal:
        with act.overridable():
            _again(refusal)
    try:
        return rule(without(model, _IN_THE_WAY), True)
    except Forbidden:
        return rule(without(model, _IN_THE_WAY | _NERVES), True)


def _again(refusal: Forbidden) -> None:
    """Raise a refusal where it may be overridden."""
    raise refusal
