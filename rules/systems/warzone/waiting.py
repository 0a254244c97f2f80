"""Waiting: an action kept for the enemy's turn, reactions, diving for cover; and spotting the concealed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rules.effects import Assign, Count, Effect, Gain, Lose, Propose
from rules.modifiers import Modifier, total
from rules.refusals import Forbidden
from rules.systems.warzone.characteristic import Grade
from rules.systems.warzone.model import SPOT_ATTEMPTS, SPOTTED_BY, Condition, Model
from rules.systems.warzone.morale import Act, check_may_act
from rules.systems.warzone.movement import move_value
from rules.systems.warzone.ranged import may_act_on
from rules.systems.warzone.settings import Settings
from rules.wording import ordinal, times


@dataclass(frozen=True, slots=True)
class Spot:
    """An attempt to spot, an action of its own. afraid: under Fear or the like."""

    spotter: Model
    target: Model
    afraid: bool = False


def check_spot(spot: Spot) -> None:
    """Raise Forbidden where this model may not try. Rules: WZ-SPOT-01, WZ-SPOT-05."""
    spotter, target = spot.spotter, spot.target
    check_may_act(spotter, Act.SPOT)
    reasons = (
        (spotter.has(Condition.CLIMBING), "is climbing"),
        (spotter.has(Condition.ENGAGED), "is in close combat"),
        (spot.afraid or spotter.has(Condition.IN_DIRE), "is affected by Fear or Dire"),
    )
    for applies, words in reasons:
        if applies:
            raise Forbidden(f"{spotter.name} {words} and can't spot.", "WZ-SPOT-05")
    if may_act_on(spotter, target):
        raise Forbidden(
            f"{target.name} isn't concealed from {spotter.name}, so you don't need to spot it.", "WZ-SPOT-01"
        )


def spot_modifiers(spot: Spot) -> tuple[Modifier, ...]:
    """Return the modifiers of the test: earlier attempts, and presence on both sides. Raises Forbidden.

    Rules: WZ-SPOT-02, WZ-SPOT-03.
    """
    check_spot(spot)
    modifiers = []
    attempts = spot.spotter.count(SPOT_ATTEMPTS.of(spot.target.id))
    if attempts:
        amount = 2 if attempts == 1 else 3
        modifiers.append(Modifier(amount, f"{ordinal(attempts + 1)} attempt on this target", "WZ-SPOT-02"))
    if spot.target.has(Condition.MINIMIZED):
        modifiers.append(Modifier(-2, "target minimizes presence", "WZ-SPOT-03"))
    if spot.spotter.has(Condition.MINIMIZED):
        modifiers.append(Modifier(-2, "spotter minimizes presence", "WZ-SPOT-03"))
    return tuple(modifiers)


def spot_limit(spot: Spot, settings: Settings) -> int:
    """Return the highest d20 that passes, for `characteristic.check`. Raises Forbidden. Rules: WZ-SPOT-01."""
    profile = spot.spotter.profile
    base = profile.ld if settings.spot_stat == "LD" else profile.rc
    return base + total(spot_modifiers(spot))


def after_spot(spot: Spot, grade: Grade) -> tuple[Effect, ...]:
    """Count the attempt; on a success the spotter's whole unit may act on the target.

    Rules: WZ-SPOT-02, WZ-SPOT-04.
    """
    attempt = Count("model", spot.spotter.id, SPOT_ATTEMPTS.of(spot.target.id), 1)
    if not grade.passed:
        return (attempt,)
    return (attempt, Assign("model", spot.target.id, SPOTTED_BY.of(spot.spotter.squad), spot.spotter.id))


def share_sightings(spotter: Model, unit: int, concealed: tuple[Model, ...]) -> tuple[Effect, ...]:
    """Share what the spotter has spotted with a unit that he activates.

    Rules: WZ-SPOT-04.
    """
    return tuple(
        Assign("model", target.id, SPOTTED_BY.of(unit), spotter.id)
        for target in concealed
        if target.count(SPOTTED_BY.of(spotter.squad)) == spotter.id
    )


def conceal(target: Model, observers: tuple[Model, ...]) -> tuple[Effect, ...]:
    """Conceal the target: earlier sightings and attempts are forgotten. Rules: WZ-SPOT-02."""
    attempts = SPOT_ATTEMPTS.of(target.id)
    return (
        Gain(target.id, Condition.CONCEALED),
        *_forget_sightings(target),
        *(Assign("model", observer.id, attempts, 0) for observer in observers if observer.count(attempts)),
    )


def end_sightings(targets: tuple[Model, ...], settings: Settings) -> tuple[Effect, ...]:
    """End sightings at the end of a turn, if the settings say so. Rules: WZ-SPOT-04."""
    if settings.spotted_until != "turn_end":
        return ()
    return tuple(effect for target in targets for effect in _forget_sightings(target))


def _forget_sightings(target: Model) -> list[Effect]:
    spotters = SPOTTED_BY.among(target.counters)
    return [
        Assign("model", target.id, SPOTTED_BY.of(unit), 0) for unit, spotter in spotters.items() if spotter
    ]


Reaction = Literal["fire", "spot", "dive", "countercharge", "brace", "withdraw"]
Trigger = Literal["move", "charge", "template"]

_REACTIONS: dict[Trigger, tuple[Reaction, ...]] = {
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
_PRONE_RULES: dict[Reaction, str] = {"fire": "WZ-RC-09", "countercharge": "WZ-MOVE-01"}


def go_on_wait(model: Model, actions_left: int) -> tuple[Effect, ...]:
    """Spend the last action (two with Ambush) to keep it for later. Raises Forbidden.

    Rules: WZ-WAIT-01, WZ-PANIC-04, WZ-BROKEN-05.
    """
    check_may_act(model, Act.WAIT)
    max_actions = 2 if model.profile.has("ambush") else 1
    if not 1 <= actions_left <= max_actions:
        needed_text = "its last two actions" if max_actions > 1 else "its last action"
        actions_text = times(actions_left, "action")
        raise Forbidden(
            f"{model.name} can wait only with {needed_text} (it has {actions_text}).", "WZ-WAIT-01"
        )
    return (Gain(model.id, Condition.WAITING, actions_left, "its next activation begins"),)


def reactions(trigger: Trigger, settings: Settings) -> tuple[Reaction, ...]:
    """Return what a waiting model may do when an enemy moves, charges it, or fires a template at it.

    Rules: WZ-WAIT-03, WZ-WAIT-04, WZ-SPOT-07, WZ-DIVE-01.
    """
    is_allowed = {
        "countercharge": settings.react_countercharge,
        "brace": settings.react_brace,
        "withdraw": settings.react_withdraw,
    }
    return tuple(reaction for reaction in _REACTIONS[trigger] if is_allowed.get(reaction, True))


def answers_to(reaction: Reaction) -> Trigger:
    """Return the enemy action that this reaction answers, the plainest first.

    Rules: WZ-WAIT-03, WZ-WAIT-04, WZ-DIVE-01.
    """
    return next(trigger for trigger, answers in _REACTIONS.items() if reaction in answers)


def check_waiting(model: Model) -> None:
    """Raise Forbidden for a model that is not on wait. Rules: WZ-WAIT-02."""
    if not model.has(Condition.WAITING):
        raise Forbidden(f"Choose a model that is waiting. {model.name} isn't.", "WZ-WAIT-02")


def needs_test_to_react(
    model: Model, reaction: Reaction, trigger: Trigger, enemy: Model, settings: Settings
) -> bool:
    """Return whether the reaction needs a passed LD test; not with Ambush.

    Raises Forbidden, also for what the model could not do after the test: what its nerves, its presence or
    the enemy's concealment forbid. Rules: WZ-WAIT-01 to WZ-WAIT-03, WZ-DIVE-01, WZ-PANIC-04, WZ-BROKEN-05,
    WZ-SPOT-06.
    """
    check_waiting(model)
    possible_reactions = reactions(trigger, settings)
    if reaction not in possible_reactions:
        raise Forbidden(
            f"{model.name} can't {reaction} now. Choose {' or '.join(possible_reactions)}.", "WZ-WAIT-03"
        )
    check_may_act(model, _ACTS[reaction])
    if reaction in ("fire", "countercharge") and model.has(Condition.PRONE):
        raise Forbidden(f"{model.name} is prone and can't {reaction}.", _PRONE_RULES[reaction])
    if reaction == "fire" and not may_act_on(model, enemy):
        raise Forbidden(f"{enemy.name} is concealed. Spot it first.", "WZ-SPOT-06")
    if reaction == "spot":
        check_spot(Spot(model, enemy))
    return not model.profile.has("ambush")


def after_reaction(
    model: Model, reaction: Reaction, enemy: Model, settings: Settings, *, passed: bool
) -> tuple[Effect, ...]:
    """Use up one kept action, whatever the test; a passed one leads to the reaction.

    Rules: WZ-WAIT-02, WZ-WAIT-04, WZ-DIVE-01.
    """
    actions_left = model.value(Condition.WAITING) - 1
    effect: Effect = Lose(model.id, Condition.WAITING)
    if actions_left > 0:
        effect = Gain(model.id, Condition.WAITING, actions_left, "its next activation begins")
    return (effect, *_reaction(model, reaction, enemy)) if passed else (effect,)


def _reaction(model: Model, reaction: Reaction, enemy: Model) -> tuple[Effect, ...]:
    target = (("target", enemy.id),)
    mv = f"{move_value(model):g}"
    match reaction:
        case "fire":
            return (Propose("shoot", model.id, f"{model.name} fires as a reaction.", target),)
        case "spot":
            return (Propose("spot", model.id, f"{model.name} tries to spot as a reaction.", target),)
        case "countercharge":
            details_together = (*target, ("together", 1))
            fight = Propose(
                "fight",
                model.id,
                (f"{model.name} and {enemy.name} attack at the same time."),
                details_together,
            )
            return (Gain(model.id, Condition.CHARGED, enemy.id, "activation"), fight)
        case "brace":
            return (Lose(enemy.id, Condition.CHARGED),)
        case "withdraw":
            return (Propose("move", model.id, f"{model.name} withdraws up to {mv} in.", (("inches", mv),)),)
        case "dive":
            standing, prone = dive_inches(model)
            details = (("standing", f"{standing:g}"), ("prone", f"{prone:g}"))
            reason = f"{model.name} can dive up to {standing:g} in, or {prone:g} in if it ends prone."
            return (Propose("move", model.id, reason, details),)


def dive_inches(model: Model) -> tuple[float, float]:
    """Return how far a dive for cover takes the model: upright MV - 1, or full MV when it ends prone.

    Rules: WZ-DIVE-01.
    """
    mv = move_value(model)
    return max(0.0, mv - 1), mv
