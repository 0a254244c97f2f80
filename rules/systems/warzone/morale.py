"""Nerves: when morale is tested, what fear forbids and costs, and how a leader rallies.

Owns the states Panicked, Broken and Unhinged and their modifiers; the dice are `characteristic.check`, and
the effects of the unhinged and amok charts are in `powers`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Concatenate, Generic, Literal, ParamSpec, TypeVar

from rules.dice import Dice
from rules.effects import Assign, Count, Effect, Gain, Lose, Propose
from rules.modifiers import Modifier, total
from rules.refusals import Forbidden
from rules.systems.warzone.characteristic import Grade, check
from rules.systems.warzone.model import ACTIONS, ATTACKS, NON_MOVES, RALLY, UNHINGED, Condition, Model, Squad
from rules.systems.warzone.settings import Settings
from rules.wording import ordinal, possessive

P = ParamSpec("P")
R = TypeVar("R")

Bearing = Literal["away", "nearer", "other"]
Cause = Literal["losses", "dire_loss", "dire_wound", "effect"]


class Act(StrEnum):
    """The actions that a model may spend."""

    MOVE = "move"
    CHARGE = "charge"
    MINIMIZE = "minimize presence"
    STAND = "change presence"
    SHOOT = "shoot"
    FIGHT = "fight"
    AIM = "aim"
    SPOT = "spot"
    RALLY = "rally"
    BREAK_AWAY = "break away"
    CHANNEL = "channel a power"
    CONCENTRATE = "concentrate"
    ORDER = "give orders"
    WAIT = "wait"
    WAKE = "wake a friend"


MOVES = frozenset({Act.MOVE, Act.CHARGE, Act.MINIMIZE, Act.STAND})
ATTACKING = frozenset({Act.SHOOT, Act.FIGHT})
_FORBIDDEN_IF_AFRAID = frozenset({Act.CHARGE, Act.AIM, Act.WAIT, Act.MINIMIZE, Act.CHANNEL, Act.SPOT})


def check_may_act(model: Model, act: Act) -> None:
    """Raise Forbidden where a condition of the model forbids this act.

    Rules: WZ-PANIC-04, WZ-BROKEN-05, WZ-SPOT-05, WZ-POW-03, WZ-UNH-04, WZ-BACK-03, WZ-RAMP-01.
    """
    if model.has(Condition.UNCONSCIOUS):
        raise Forbidden(f"{model.name} is unconscious. Wake it first.", "WZ-BACK-03")
    if act in _FORBIDDEN_IF_AFRAID and (model.broken or model.panicked):
        state, rule = ("Broken", "WZ-BROKEN-05") if model.broken else ("Panicked", "WZ-PANIC-04")
        raise Forbidden(f"{model.name} is {state} and can't {act}. Rally it first.", rule)
    if act not in MOVES and model.has(Condition.REGRESSION) and model.count(NON_MOVES):
        raise Forbidden(
            (
                f"{model.name} suffers Forced Regression, so it has only one action per turn that isn't a "
                "move. It has used that action, so now it can only move."
            ),
            "WZ-UNH-04",
        )
    if act in ATTACKING and model.has(Condition.BLINDED) and model.count(ATTACKS):
        raise Forbidden(
            f"{model.name} is blinded by its rampage and has already made its one attack.", "WZ-RAMP-01"
        )


def state_modifiers(model: Model, *, enemy_in_sight: bool) -> tuple[Modifier, ...]:
    """Return the effects of nerves on RC, CC and LD: -3, -6, or the number of the unhinged result.

    Panicked and Broken count only while an enemy is in line of sight; Forced Regression and Derangement
    always, and in place of Broken. Rules: WZ-RC-06, WZ-RC-07, WZ-CC-05, WZ-PANIC-03, WZ-BROKEN-04,
    WZ-MORALE-04, WZ-RALLY-02 to WZ-RALLY-04, WZ-UNH-04, WZ-UNH-05.
    """
    unhinged = unhinged_modifier(model)
    if unhinged:
        return (unhinged,)
    if not enemy_in_sight:
        return ()
    if model.broken:
        return (Modifier(-6, "Broken with an enemy in sight", "WZ-BROKEN-04"),)
    if model.panicked:
        return (Modifier(-3, "Panicked with an enemy in sight", "WZ-PANIC-03"),)
    return ()


def unhinged_modifier(model: Model) -> Modifier | None:
    """Return -8 under Forced Regression, -6 under Derangement, on all rolls. Rules: WZ-UNH-04, WZ-UNH-05."""
    if model.has(Condition.REGRESSION):
        return Modifier(-8, "Forced Regression", "WZ-UNH-04")
    if model.has(Condition.DERANGED):
        return Modifier(-6, "Derangement", "WZ-UNH-05")
    return None


def ld_modifiers(model: Model, *, enemy_in_sight: bool, dire: int = 0) -> tuple[Modifier, ...]:
    """Return modifiers of all its LD tests; "no enemy in sight" is named even if it adds nothing.

    dire: the level of a Dire effect around it, apart from its own state; the highest counts. Rules:
    WZ-TEST-06, WZ-RALLY-02 to WZ-RALLY-04, WZ-RALLY-06.
    """
    modifiers = state_modifiers(model, enemy_in_sight=enemy_in_sight)
    if not enemy_in_sight:
        modifiers += (Modifier(0, "no enemy in sight", "WZ-PANIC-03"),)
    dire = max(dire, model.value(Condition.IN_DIRE))
    if dire > 0:
        modifiers += (Modifier(-dire, f"Dire, level {dire}", "WZ-RALLY-06"),)
    return modifiers


def ld_limit(model: Model, modifiers: tuple[Modifier, ...]) -> int:
    """Return the number that an LD test of this model must not exceed. Rules: WZ-TEST-02, WZ-TEST-06."""
    return model.profile.ld + total(modifiers)


# ------------------------------------------------------------------------------------------ when, who


def half_rounded_up(number: int) -> int:
    """Return half, rounded up."""
    return (number + 1) // 2


def morale_due(starting: int, lost_before: int, lost_after: int) -> bool:
    """Return whether a squad's losses in one enemy activation call for its one morale test.

    starting: models at the start of the game; lost: models eliminated before and after that activation.
    Rules: WZ-MORALE-01, WZ-PANIC-05.
    """
    return lost_after > lost_before and lost_after >= half_rounded_up(starting)


def individual_morale_due(wounds: int, damage_before: int, damage_after: int) -> bool:
    """Return the same for a unit of a single model, by wounds. Rules: WZ-MORALE-05."""
    return damage_after > damage_before and damage_after >= half_rounded_up(wounds)


def dire_due(attacker: Model, wounds: int, *, in_area: bool) -> bool:
    """Return whether a Dire model has wounded a model inside the area of its effect. Rules: WZ-MORALE-01."""
    return attacker.profile.dire > 0 and wounds > 0 and in_area


def morale_tester(squad: Squad, model: Model | None, cause: Cause, *, in_command: bool = True) -> Model:
    """Return who rolls: the squad's leader for losses, the model itself for an effect on it alone.

    model: the model that the effect hit, or None. A model out of coherency always tests for itself. Rules:
    WZ-MORALE-02, WZ-TEST-06.
    """
    tests_alone = model is not None and (cause in ("effect", "dire_wound") or not in_command)
    return model if model is not None and tests_alone else squad.tester


def after_morale(
    tested_models: tuple[Model, ...], grade: Grade, settings: Settings, *, source: int = 0
) -> tuple[Effect, ...]:
    """Return the effects of a morale test on its models (a squad in command, or one model).

    source: id of the model that caused it, kept with the state. Machines roll on the amok table instead.
    Rules: WZ-MORALE-03, WZ-PANIC-01, WZ-PANIC-05, WZ-AMOK-01, WZ-UNH-01.
    """
    if grade.passed:
        return ()
    effects: list[Effect] = []
    machines = [model for model in tested_models if model.profile.has("machine")]
    if machines:
        first_machine, single_model = machines[0], len(tested_models) == 1
        tester = first_machine.name if single_model else f"{possessive(first_machine.name)} squad"
        details = (("squad", first_machine.squad), ("alone", first_machine.id if single_model else 0))
        effects.append(Propose("amok", first_machine.id, f"{tester} rolls on the amok table.", details))
    for model in tested_models:
        if not model.profile.has("machine"):
            effects += _worsen(model, grade, settings, source)
    return tuple(effects)


def _worsen(model: Model, grade: Grade, settings: Settings, source: int) -> tuple[Effect, ...]:
    if model.unhinged:
        return ()
    if model.broken:
        if settings.unhinged_trigger == "natural_20" and grade is not Grade.FUMBLE:
            return ()
        return (Propose("unhinged", model.id, f"{model.name} becomes Unhinged."),)
    if model.panicked:
        return (Lose(model.id, Condition.PANICKED), Gain(model.id, Condition.BROKEN, source, "rally"))
    return (Gain(model.id, Condition.PANICKED, source, "rally"),)


# -------------------------------------------------------------------------------- acting while afraid


@dataclass(frozen=True, slots=True)
class Undertaken(Generic[R]):
    """A deed that was undertaken.

    nerve: its LD test, None where it needed none. result: None where that test failed.
    """

    nerve: Grade | None
    result: R | None


def undertake(
    dice: Dice, nerve: int | None, rule: Callable[Concatenate[Dice, P], R], *args: P.args, **kwargs: P.kwargs
) -> Undertaken[R]:
    """Roll the LD test that an action needs first, and then, if it is passed, the rule of the action.

    nerve: what the d20 of that test must not exceed, None where none is needed.
    Rules: WZ-PANIC-02, WZ-BROKEN-02.
    """
    grade = None if nerve is None else check(dice, nerve, label="leadership")
    if grade is not None and not grade.passed:
        return Undertaken(grade, None)
    return Undertaken(grade, rule(dice, *args, **kwargs))


def needs_test(model: Model, act: Act, bearing: Bearing, *, first_action: bool) -> bool:
    """Return whether an action needs a passed LD test first.

    bearing: where the action takes the model, seen from what frightened it. first_action: none was taken
    yet in this activation. Breaking away is how a model locked in close combat begins to flee.
    Raises Forbidden where it may not be done at all.
    Rules: WZ-PANIC-02, WZ-BROKEN-01 to WZ-BROKEN-03.
    """
    check_may_act(model, act)
    if model.broken:
        if bearing == "nearer":
            raise Forbidden(
                f"{model.name} is Broken and can't move towards what broke its morale.", "WZ-BROKEN-03"
            )
        is_fleeing = act is Act.BREAK_AWAY or (act is Act.MOVE and bearing == "away")
        if first_action and not is_fleeing:
            raise Forbidden(
                (
                    f"{model.name} is Broken. Its first action must be a move directly away from what "
                    "broke its morale."
                ),
                "WZ-BROKEN-01",
            )
        return not is_fleeing
    return model.panicked and bearing == "nearer"


def after_nerve_test(model: Model, grade: Grade) -> tuple[Effect, ...]:
    """Apply the test of `needs_test`: a failure costs the action, and a Broken model spends it fleeing.

    Rules: WZ-PANIC-02, WZ-BROKEN-02.
    """
    if grade.passed:
        return ()
    if model.broken:
        reason = f"{model.name} must use this action to move directly away from what broke its morale."
        return (Propose("flee", model.id, reason),)
    return (Count("model", model.id, ACTIONS, -1),)


# ------------------------------------------------------------------------------------------------ rally


@dataclass(frozen=True, slots=True)
class Rally:
    """A rally attempt. attempts: those already made for this squad in this turn.

    squad: its models that the attempt reaches. dire: highest Dire level where the leader stands. borrowed_ld:
    the result of `command.lent_leadership`, 0 for his own. in_command: the squad is within his command
    distance.
    """

    leader: Model
    squad: Squad
    attempts: int = 0
    enemy_in_sight: bool = True
    dire: int = 0
    borrowed_ld: int = 0
    in_command: bool = True


def rally_modifiers(rally: Rally) -> tuple[Modifier, ...]:
    """Return the modifiers on the leader's LD, a better LD that he borrows among them. Raises Forbidden.

    Rules: WZ-RALLY-01 to WZ-RALLY-07.
    """
    leader, squad = rally.leader, rally.squad
    check_may_act(leader, Act.RALLY)
    leads = squad.leading is not None and squad.leading.id == leader.id
    ranks = ("leader", "officer", "force_commander")
    if not leads and not any(leader.profile.has(rank) for rank in ranks):
        raise Forbidden(f"Choose a leader to rally the squad. {leader.name} isn't one.", "WZ-RALLY-01")
    if not rally.in_command:
        raise Forbidden(f"{squad.name} is outside {possessive(leader.name)} command distance.", "WZ-RALLY-01")
    if not any(model.panicked or model.broken for model in squad.models):
        raise Forbidden(f"Choose another squad. {squad.name} isn't Panicked or Broken.", "WZ-RALLY-01")
    if rally.borrowed_ld and not leads:
        raise Forbidden(
            (f"Only {possessive(squad.name)} own leader can use another model's LD to rally it."),
            "WZ-RALLY-07",
        )
    modifiers = list(ld_modifiers(leader, enemy_in_sight=rally.enemy_in_sight, dire=rally.dire))
    if rally.attempts > 0:
        amount = -3 if rally.attempts == 1 else -6
        modifiers.append(Modifier(amount, f"{ordinal(rally.attempts + 1)} attempt this turn", "WZ-RALLY-05"))
    if rally.borrowed_ld > leader.profile.ld:
        ld_gain = rally.borrowed_ld - leader.profile.ld
        modifiers.append(Modifier(ld_gain, f"borrowed LD {rally.borrowed_ld}", "WZ-RALLY-07"))
    return tuple(modifiers)


def after_rally(rally: Rally, grade: Grade, settings: Settings) -> tuple[Effect, ...]:
    """Count the attempt; on a success every model of the squad is one state better.

    Rules: WZ-RALLY-01, WZ-RALLY-05, WZ-UNH-01.
    """
    effects: list[Effect] = [Count("encounter", 0, RALLY.of(rally.squad.id), 1)]
    if grade.passed:
        for model in rally.squad.models:
            effects += _improve(model, settings)
    return tuple(effects)


def _improve(model: Model, settings: Settings) -> list[Effect]:
    if model.unhinged:
        effects: list[Effect] = [Lose(model.id, condition) for condition in UNHINGED if model.has(condition)]
        state = settings.rally_unhinged_to
    elif model.broken:
        effects, state = [], "panicked"
    elif model.panicked:
        return [Lose(model.id, Condition.PANICKED)]
    else:
        return []
    source = model.value(Condition.BROKEN)
    if state == "broken":
        return [*effects, Gain(model.id, Condition.BROKEN, source, "rally")]
    effects.append(Lose(model.id, Condition.BROKEN))
    if state == "panicked":
        effects.append(Gain(model.id, Condition.PANICKED, source, "rally"))
    return effects


def forget_rallies(squads: tuple[int, ...]) -> tuple[Effect, ...]:
    """Count rally attempts from 0 again at the start of a turn. Rules: WZ-RALLY-05."""
    return tuple(Assign("encounter", 0, RALLY.of(squad), 0) for squad in squads)
