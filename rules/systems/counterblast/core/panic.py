"""Panic: how shaken a crew is at the end of a turn, who must test, and what a test does.

Owns the Panic Level and the panic test. Overcoming panic is in `rally`.
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.dice import Dice
from rules.effects import Effect, Gain, Lose
from rules.modifiers import Modifier, total
from rules.refusals import InvalidInput, forbid
from rules.systems.counterblast.building.specialties import panic_reduction
from rules.systems.counterblast.core.ability import prepare_check
from rules.systems.counterblast.core.checks import Prepared, Throw, throw
from rules.systems.counterblast.core.conditions import LASTS
from rules.systems.counterblast.core.fighter import Condition, CrewTraits, Fighter
from rules.systems.counterblast.core.settings import DEFAULTS, Settings

FIXED_TARGET = 7
FEARLESS_FEATURES = ("fearless", "controlled")


def is_disposable(model: Fighter) -> bool:
    """Whether the crew does not mind losing it: Disposable, or no Neiran in a Neiran crew.

    Rules: CB-PANIC-01, CB-FEAT-22, CB-CREW-14.
    """
    outsider = model.crew.alignment == "neiran" and "neiran" not in model.profile.types
    return outsider or model.has_feature("disposable")


def panic_parts(removed: tuple[Fighter, ...], crew: CrewTraits) -> tuple[Modifier, ...]:
    """What makes up a crew's Panic Level: every model of it removed this turn, and what its crew takes off.

    removed: casualties taken off in this Upkeep and models that fled, not those still lying on the table.
    Rules: CB-PANIC-01, CB-PANIC-02, CB-PANIC-03, CB-SPEC-05.
    """
    parts = []
    for model in removed:
        if not is_disposable(model):
            parts.append(Modifier(model.profile.level, f"{model.name} lost", "CB-PANIC-01"))
        if model.leader:
            parts.append(Modifier(1, "the leader lost", "CB-PANIC-02"))
    return (*parts, *panic_reduction(crew))


def panic_level(removed: tuple[Fighter, ...], crew: CrewTraits) -> int:
    """A crew's Panic Level in this Upkeep, 0 or more. Rules: CB-PANIC-01, CB-PANIC-02, CB-PANIC-03."""
    return max(0, total(panic_parts(removed, crew)))


def is_fearless(model: Fighter) -> bool:
    """Immune to panic; a Robot is. Rules: CB-PANIC-04, CB-FEAT-26, CB-FEAT-18, CB-BUILD-13."""
    return model.profile.is_robot or any(model.has_feature(feature) for feature in FEARLESS_FEATURES)


def may_panic(model: Fighter) -> bool:
    """Whether a panic test could do anything to the model. Rules: CB-PANIC-04, CB-PANIC-09."""
    return not (model.is_incapacitated or model.has(Condition.PANICKED) or is_fearless(model))


def must_test(
    model: Fighter, level: int, leader: Fighter | None = None, settings: Settings = DEFAULTS
) -> bool:
    """Whether the model has to make a panic test at this Panic Level.

    leader: the crew's leader when the model stands in its Command Range; its INT only excuses by the setting.
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
) -> Prepared:
    """Prepare a panic test: INT, its own or that of the leader in whose Command Range it stands.

    level: the Panic Level, 1 or more. leader: None to use its own INT. agreed: the players let it test though
    its INT excuses it. Raises Forbidden for a model that need not test or a leader who cannot lend.
    Rules: CB-PANIC-05, CB-PANIC-06, CB-FEAT-12, CB-FEAT-21.
    """
    if level < 1:
        raise InvalidInput("Nobody tests at a Panic Level of 0.")
    if not (agreed and may_panic(model)) and not must_test(model, level, leader, settings):
        forbid(f"{model.name} need not test at Panic Level {level}.", "CB-PANIC-04")
    if leader is not None and (leader.is_incapacitated or leader.side != model.side):
        forbid(f"{leader.name} cannot lend its INT now.", "CB-PANIC-05")
    by_level = settings.panic_target == "level"
    return prepare_check(
        model,
        "INT",
        level if by_level else FIXED_TARGET,
        nerve="panic",
        rating=leader.profile.intellect if leader else None,
        rating_name=f"INT of {leader.name}" if leader else "",
        target_reason="Panic Level" if by_level else "panic test",
        target_rule="CB-PANIC-06",
        order_token=order_token,
        settings=settings,
    )


@dataclass(frozen=True, slots=True)
class PanicResult:
    """Whether the model panics, and whether its next INT check is at disadvantage besides."""

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
    """How many of a crew panic when all test together. Rules: CB-PANIC-05, CB-PANIC-06."""
    if len(tests) == 1:
        return _panics(dice, tests)
    half = len(tests) // 2
    return dice.call(panicking, tests[:half]) + dice.call(panicking, tests[half:]) if tests else 0


def after_panic_test(model: Fighter, result: PanicResult) -> tuple[Effect, ...]:
    """What a panic test leaves behind; a test uses up the mark of an earlier critical failure.

    Rules: CB-PANIC-06, CB-PANIC-07, CB-PANIC-09.
    """
    effects: list[Effect] = []
    if model.has(Condition.SHAKEN):
        effects.append(Lose(model.id, Condition.SHAKEN))
    if result.panicked:
        effects += frightened(model, "panic test")
    if result.shaken:
        until = LASTS[Condition.SHAKEN]
        effects.append(Gain(model.id, Condition.SHAKEN, until=until, source="panic test"))
    return tuple(effects)


def frightened(model: Fighter, source: str) -> tuple[Effect, ...]:
    """The model becomes Panicked, unless it is already or is immune. Rules: CB-PANIC-09, CB-FEAT-26."""
    if model.has(Condition.PANICKED) or is_fearless(model):
        return ()
    return (Gain(model.id, Condition.PANICKED, until=LASTS[Condition.PANICKED], source=source),)
