"""Panic and pinning: the tests that a model makes, what follows from them, and how it recovers."""

from __future__ import annotations

from dataclasses import dataclass

from rules.dice import Dice
from rules.effects import Assign, Effect, Gain, Lose, Propose
from rules.modifiers import Modifier, total
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.counterblast.core.checks import PreparedCheck, Throw, throw
from rules.systems.counterblast.core.conditions import LASTS_UNTIL, Event, end_conditions
from rules.systems.counterblast.core.counters import Counter
from rules.systems.counterblast.core.dice_pools import prepare_check
from rules.systems.counterblast.core.fighter import Condition, CrewTraits, Fighter
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.wording import possessive

FIXED_TARGET = 7
FEARLESS_FEATURES = ("fearless", "controlled")


def is_disposable(model: Fighter) -> bool:
    """Return whether the crew does not mind losing it: Disposable, or no Neiran in a Neiran crew.

    Rules: CB-PANIC-01, CB-FEAT-22, CB-CREW-14.
    """
    outsider = model.crew.alignment == "neiran" and "neiran" not in model.profile.types
    return outsider or model.has_feature("disposable")


def panic_parts(removed: tuple[Fighter, ...], crew: CrewTraits) -> tuple[Modifier, ...]:
    """Return the parts of a crew's Panic Level: every model lost this turn, and the crew's reductions.

    removed: casualties taken off in this Upkeep and models that fled, not those still lying on the table.
    Rules: CB-PANIC-01, CB-PANIC-02, CB-PANIC-03, CB-SPEC-05.
    """
    parts = []
    for model in removed:
        if not is_disposable(model):
            parts.append(Modifier(model.profile.level, f"loss of {model.name}", "CB-PANIC-01"))
        if model.leader:
            parts.append(Modifier(1, "loss of the leader", "CB-PANIC-02"))
    return (*parts, *panic_reduction(crew))


def panic_level(removed: tuple[Fighter, ...], crew: CrewTraits) -> int:
    """Return a crew's Panic Level in this Upkeep, 0 or more. Rules: CB-PANIC-01, CB-PANIC-02, CB-PANIC-03."""
    return max(0, total(panic_parts(removed, crew)))


def is_fearless(model: Fighter) -> bool:
    """Return whether it is immune to panic. Rules: CB-PANIC-04, CB-FEAT-26, CB-FEAT-18, CB-BUILD-13."""
    return model.profile.is_robot or any(model.has_feature(feature) for feature in FEARLESS_FEATURES)


def may_panic(model: Fighter) -> bool:
    """Return whether a panic test could do anything to the model. Rules: CB-PANIC-04, CB-PANIC-09."""
    return not (model.is_incapacitated or model.has(Condition.PANICKED) or is_fearless(model))


def must_test(
    model: Fighter, level: int, leader: Fighter | None = None, settings: Settings = DEFAULTS
) -> bool:
    """Return whether the model has to make a panic test at this Panic Level.

    leader: the crew's leader if the model is in its Command Range; its INT only excuses by the setting.
    Rules: CB-PANIC-04, CB-PANIC-05, CB-PANIC-09.
    """
    if level < 1 or not may_panic(model):
        return False
    steadiness = model.profile.intellect.value
    if settings.leader_int_for_eligibility and leader is not None and not leader.is_incapacitated:
        steadiness = max(steadiness, leader.profile.intellect.value)
    return steadiness < level


def prepare_panic_test(
    model: Fighter,
    level: int,
    leader: Fighter | None = None,
    *,
    order_token: bool = False,
    agreed: bool = False,
    settings: Settings = DEFAULTS,
) -> PreparedCheck:
    """Prepare a panic test: INT, its own or that of the leader in whose Command Range it stands.

    level: the Panic Level, 1 or more. leader: None to use its own INT. agreed: the players let it test though
    its INT excuses it. Raises Forbidden for a model that need not test or a leader who cannot lend.
    Rules: CB-PANIC-05, CB-PANIC-06, CB-FEAT-12, CB-FEAT-21.
    """
    if level < 1:
        raise InvalidInput("Enter a Panic Level of at least 1, because no model takes a panic test at 0.")
    if not (agreed and may_panic(model)) and not must_test(model, level, leader, settings):
        forbid(f"{model.name} doesn't have to take a panic test at Panic Level {level}.", "CB-PANIC-04")
    if leader is not None and (leader.is_incapacitated or leader.side != model.side):
        forbid(f"{leader.name} can't lend its INT to {model.name} now.", "CB-PANIC-05")
    by_level = settings.panic_target == "level"
    return prepare_check(
        model,
        "INT",
        level if by_level else FIXED_TARGET,
        nerve="panic",
        rating=leader.profile.intellect if leader else None,
        rating_name=f"{possessive(leader.name)} INT" if leader else "",
        target_reason="Panic Level" if by_level else "panic test",
        target_rule="CB-PANIC-06",
        order_token=order_token,
        settings=settings,
    )


@dataclass(frozen=True, slots=True)
class PanicResult:
    """Whether the model panics, and whether its next INT check is at a disadvantage too."""

    panicked: bool
    shaken: bool = False


def panic_test(dice: Dice, throws: tuple[Throw, ...]) -> PanicResult:
    """Roll a panic test: one success passes, a critical failure shakes the model as well.

    Rules: CB-PANIC-06, CB-PANIC-07.
    """
    result = throw(dice, throws, label="panic")
    return PanicResult(result.net < 1, result.critical_failure)


def _panics(dice: Dice, throws: tuple[Throw, ...]) -> int:
    return int(panic_test(dice, throws).panicked)


def panicking(dice: Dice, tests: tuple[Throw, ...]) -> int:
    """Roll how many of a crew panic when all test together. Rules: CB-PANIC-05, CB-PANIC-06."""
    if len(tests) == 1:
        return _panics(dice, tests)
    half = len(tests) // 2
    return dice.call(panicking, tests[:half]) + dice.call(panicking, tests[half:]) if tests else 0


def after_panic_test(model: Fighter, result: PanicResult) -> tuple[Effect, ...]:
    """Return the effects of a panic test; the test uses up the mark of an earlier critical failure.

    Rules: CB-PANIC-06, CB-PANIC-07, CB-PANIC-09.
    """
    effects: list[Effect] = []
    if model.has(Condition.SHAKEN):
        effects.append(Lose(model.id, Condition.SHAKEN))
    if result.panicked:
        effects += frightened(model, "panic test")
    if result.shaken:
        duration = LASTS_UNTIL[Condition.SHAKEN]
        effects.append(Gain(model.id, Condition.SHAKEN, until=duration, source="panic test"))
    return tuple(effects)


def frightened(model: Fighter, source: str) -> tuple[Effect, ...]:
    """Make the model Panicked, unless it is already or is immune. Rules: CB-PANIC-09, CB-FEAT-26."""
    if model.has(Condition.PANICKED) or is_fearless(model):
        return ()
    return (Gain(model.id, Condition.PANICKED, until=LASTS_UNTIL[Condition.PANICKED], source=source),)


GOO_TARGET = 5


def pin(model: Fighter, target: int = GOO_TARGET, source: str = "sticky goo") -> tuple[Effect, ...]:
    """Pin the model until it breaks free by STR at `target`. Rules: CB-COND-06, CB-FEAT-49."""
    return (
        Gain(model.id, Condition.PINNED, until=LASTS_UNTIL[Condition.PINNED], source=source),
        Assign("model", model.id, Counter.PIN_TARGET, target),
    )


def prepare_breaking_free(
    model: Fighter, *, order_token: bool = False, settings: Settings = DEFAULTS
) -> PreparedCheck:
    """Prepare the check to break free, 1 action: STR at the target that its cause set, else 5.

    Rules: CB-COND-06, CB-FEAT-50.
    """
    target = model.count(Counter.PIN_TARGET) or GOO_TARGET
    return prepare_check(
        model,
        "STR",
        target,
        target_reason="breaking free",
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
    net_successes = throw(dice, (pinned,), label="break free").net
    return net_successes > throw(dice, (grappler,), label="grapple").net


def after_breaking_free(model: Fighter, broke_free: bool) -> tuple[Effect, ...]:
    """Free the model, which can use its remaining actions. Rules: CB-COND-06."""
    return end_conditions(model, Event.FREED) if broke_free else ()


TARGET = 7


def prepare_rally(
    model: Fighter, *, order_token: bool = False, settings: Settings = DEFAULTS
) -> PreparedCheck:
    """Prepare a Rally: the model's own INT at 7. Free, once per activation.

    Raises Forbidden for a model that is not Panicked, has tried in this activation, or cannot act.
    Rules: CB-RALLY-01, CB-RALLY-02, CB-PANIC-07, CB-PANIC-11.
    """
    if not model.has(Condition.PANICKED):
        raise Forbidden(f"{model.name} is not Panicked, so it can't Rally.", "CB-RALLY-01")
    if model.count(Counter.RALLIED):
        forbid(f"{model.name} has already tried to Rally in this activation.", "CB-RALLY-01")
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
    """Spend the actions of a model that didn't rally on running for the nearest table edge.

    Engaged, it must Disengage for that. Rules: CB-RALLY-01, CB-PANIC-07, CB-PANIC-09, CB-PANIC-10.
    """
    effects: list[Effect] = [Assign("model", model.id, Counter.RALLIED, 1)]
    effects += end_conditions(model, Event.INT_CHECKED)
    if rallied:
        return (*effects, Lose(model.id, Condition.PANICKED))
    if model.is_engaged:
        reason = f"{model.name} has to Disengage and run."
        return (*effects, Propose("disengage", model.id, reason))
    reason = f"{model.name} runs for the nearest table edge at full speed."
    return (*effects, Propose("flee", model.id, reason, (("inches", model.mv),)))


def panic_reduction(crew: CrewTraits) -> tuple[Modifier, ...]:
    """Return the reductions of the crew's Panic Level at the start of Upkeep; the level never falls below
    0.

    Rules: CB-SPEC-05.
    """
    if crew.has("galactic_defenders"):
        return (Modifier(-1, "Galactic Defenders", "CB-SPEC-05"),)
    return ()
