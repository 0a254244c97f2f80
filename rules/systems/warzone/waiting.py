"""Waiting: keeping an action for the enemy's turn, the reactions to it, and diving for cover.

The LD test is `characteristic.check` with `morale.ld_limit`.
"""

from __future__ import annotations

from typing import Literal

from rules.effects import Effect, Gain, Lose, Propose
from rules.refusals import Forbidden
from rules.systems.warzone.model import Condition, Model
from rules.systems.warzone.morale import Act, refuse
from rules.systems.warzone.movement import move_value
from rules.systems.warzone.ranged import may_act_on
from rules.systems.warzone.settings import Settings
from rules.systems.warzone.spotting import Spot, check_spot

Reaction = Literal["fire", "spot", "dive", "countercharge", "brace", "withdraw"]
Trigger = Literal["move", "charge", "template"]

_WHEN: dict[Trigger, tuple[Reaction, ...]] = {
    "move": ("fire", "spot"),
    "charge": ("fire", "spot", "countercharge", "brace", "withdraw"),
    "template": ("dive",),
}

_ACTS: dict[Reaction, Act] = {
    "fire": Act.SHOOT,
    "spot": Act.SPOT,
    "dive": Act.MOVE,
    "countercharge": Act.CHARGE,
    "brace": Act.STAND,
    "withdraw": Act.MOVE,
}
_PRONE: dict[Reaction, str] = {"fire": "WZ-RC-09", "countercharge": "WZ-MOVE-01"}


def go_on_wait(model: Model, actions_left: int) -> tuple[Effect, ...]:
    """Spend the last action (two with Ambush) to keep it for later. Raises Forbidden.

    Rules: WZ-WAIT-01, WZ-PANIC-04, WZ-BROKEN-05.
    """
    refuse(model, Act.WAIT)
    most = 2 if model.profile.has("ambush") else 1
    if not 1 <= actions_left <= most:
        words = "its last two actions" if most > 1 else "its last action"
        raise Forbidden(f"{model.name} waits with {words}; it has {actions_left}.", "WZ-WAIT-01")
    return (Gain(model.id, Condition.WAITING, actions_left, "activation begins"),)


def reactions(trigger: Trigger, settings: Settings) -> tuple[Reaction, ...]:
    """What a waiting model may do when an enemy moves, charges it, or fires a template at it.

    Rules: WZ-WAIT-03, WZ-WAIT-04, WZ-SPOT-07, WZ-DIVE-01.
    """
    allowed = {
        "countercharge": settings.react_countercharge,
        "brace": settings.react_brace,
        "withdraw": settings.react_withdraw,
    }
    return tuple(reaction for reaction in _WHEN[trigger] if allowed.get(reaction, True))


def answers_to(reaction: Reaction) -> Trigger:
    """What an enemy does that this reaction answers, the plainest first.

    Rules: WZ-WAIT-03, WZ-WAIT-04, WZ-DIVE-01.
    """
    return next(trigger for trigger, known in _WHEN.items() if reaction in known)


def check_waits(model: Model) -> None:
    """Refuse whoever is not on wait. Raises Forbidden. Rules: WZ-WAIT-02."""
    if not model.has(Condition.WAITING):
        raise Forbidden(f"{model.name} is not on wait.", "WZ-WAIT-02")


def needs_test_to_react(
    model: Model, reaction: Reaction, trigger: Trigger, enemy: Model, settings: Settings
) -> bool:
    """Whether the reaction needs a passed LD test; not with Ambush.

    Raises Forbidden, also for what the model could not do after the test: what its nerves, its presence or
    the enemy's concealment forbid. Rules: WZ-WAIT-01 to WZ-WAIT-03, WZ-DIVE-01, WZ-PANIC-04, WZ-BROKEN-05,
    WZ-SPOT-06.
    """
    check_waits(model)
    known = reactions(trigger, settings)
    if reaction not in known:
        raise Forbidden(f"{model.name} may not {reaction} now, only {', '.join(known)}.", "WZ-WAIT-03")
    refuse(model, _ACTS[reaction])
    if reaction in ("fire", "countercharge") and model.has(Condition.PRONE):
        raise Forbidden(f"{model.name} is prone and may not {reaction}.", _PRONE[reaction])
    if reaction == "fire" and not may_act_on(model, enemy):
        raise Forbidden(f"{enemy.name} is concealed and must be spotted first.", "WZ-SPOT-06")
    if reaction == "spot":
        check_spot(Spot(model, enemy))
    return not model.profile.has("ambush")


def after_reaction(
    model: Model, reaction: Reaction, enemy: Model, settings: Settings, *, passed: bool
) -> tuple[Effect, ...]:
    """One kept action is gone, whatever the test; a passed one leads to the reaction.

    Rules: WZ-WAIT-02, WZ-WAIT-04, WZ-DIVE-01.
    """
    kept = model.value(Condition.WAITING) - 1
    left: Effect = Lose(model.id, Condition.WAITING)
    if kept > 0:
        left = Gain(model.id, Condition.WAITING, kept, "activation begins")
    return (left, *_reaction(model, reaction, enemy)) if passed else (left,)


def _reaction(model: Model, reaction: Reaction, enemy: Model) -> tuple[Effect, ...]:
    target = (("target", enemy.id),)
    mv = f"{move_value(model):g}"
    match reaction:
        case "fire":
            return (Propose("shoot", model.id, f"{model.name} fires from wait.", target),)
        case "spot":
            return (Propose("spot", model.id, f"{model.name} spots from wait.", target),)
        case "countercharge":
            together = (*target, ("together", 1))
            fight = Propose("fight", model.id, f"{model.name} and {enemy.name} strike at once.", together)
            return (Gain(model.id, Condition.CHARGED, enemy.id, "activation"), fight)
        case "brace":
            return (Lose(enemy.id, Condition.CHARGED),)
        case "withdraw":
            return (Propose("move", model.id, f"{model.name} withdraws up to {mv} in.", (("inches", mv),)),)
        case "dive":
            standing, prone = dive_inches(model)
            details = (("standing", f"{standing:g}"), ("prone", f"{prone:g}"))
            reason = f"{model.name} dives up to {standing:g} in, or {prone:g} in and prone."
            return (Propose("move", model.id, reason, details),)


def dive_inches(model: Model) -> tuple[float, float]:
    """How far a dive for cover takes the model: upright MV - 1, or full MV when it ends prone.

    Rules: WZ-DIVE-01.
    """
    mv = move_value(model)
    return max(0.0, mv - 1), mv
