"""Powers that work on minds: Calm, Frighten, Stun, Probe, Scan, Identify.

Owns what each roll leads to; the dice are prepared and rolled by `psionics`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from rules.dice import Dice
from rules.effects import Assign, Effect, Gain, Lose, Propose
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.counterblast.core.checks import CheckResult, Throw, throw
from rules.systems.counterblast.core.conditions import LASTS, Event, ended_by
from rules.systems.counterblast.core.fighter import (
    BORROWED_FEATURE,
    BORROWED_POWER,
    IDENTIFIABLE,
    Condition,
    Counter,
    Fighter,
    Until,
)
from rules.systems.counterblast.core.panic import frightened, is_fearless
from rules.systems.counterblast.core.profile import Trait
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.systems.counterblast.psionics.psionics import Struck
from rules.systems.counterblast.turn.activation import ACTIONS
from rules.systems.counterblast.turn.orders import ORDERS, gained

Spoil = Literal["order", "power", "feature"]


# ------------------------------------------------------------------------------------------- Calm


def after_calming(
    psionic: Fighter, allies: tuple[Fighter, ...], result: CheckResult, settings: Settings = DEFAULTS
) -> tuple[Effect, ...]:
    """Calm on allies: each success frees one ally from Panic, in the order named; more are lost.

    allies: Panicked ones within 8 in, the most urgent first. By the prose a critical failure panics the
    psionic. Raises Forbidden for an enemy. Rules: CB-PSI-07, CB-PSI-06.
    """
    for ally in allies:
        if ally.side != psionic.side:
            forbid(f"{ally.name} is no ally of {psionic.name}.", "CB-PSI-07")
    if result.critical_failure and settings.psi_text == "prose":
        return frightened(psionic, "Calm")
    panicked = [ally for ally in allies if ally.has(Condition.PANICKED)]
    return tuple(Lose(ally.id, Condition.PANICKED) for ally in panicked[: result.net])


def after_calm_attack(psionic: Fighter, target: Fighter, result: CheckResult) -> tuple[Effect, ...]:
    """Calm as an attack: the target is not Ferocious until the end of its next activation.

    A critical failure lets the target attack the psionic at once. Rules: CB-PSI-08.
    """
    if result.critical_failure:
        reason = f"{target.name} may attack {psionic.name} at once: Fight or Shoot."
        return (Propose("free_attack", target.id, reason, (("target", psionic.id),)),)
    if not result.net or not target.has_feature("ferocious"):
        return ()
    return (Gain(target.id, Condition.CALMED, until=Until.NEXT_ACTIVATION_END, source="Calm"),)


# ------------------------------------------------------------------------------------------- Frighten


def is_undaunted(target: Fighter) -> bool:
    """Whether Frighten does nothing to it: Fearless, Ferocious or Scary. Rules: CB-PSI-11."""
    return is_fearless(target) or target.has_feature("ferocious") or target.has_feature("scary")


def require_daunted(targets: tuple[Fighter, ...]) -> None:
    """Refuse to frighten where no target can be frightened. Raises Forbidden. Rules: CB-PSI-11."""
    if targets and all(map(is_undaunted, targets)):
        names = ", ".join(target.name for target in targets)
        forbid(f"Choose another target: {names} is Fearless, Ferocious or Scary.", "CB-PSI-11")


def after_frighten(
    psionic: Fighter, results: tuple[tuple[Fighter, CheckResult], ...], settings: Settings = DEFAULTS
) -> tuple[Effect, ...]:
    """Frighten: every target hit is Panicked unless undaunted; a critical failure panics the psionic.

    By the prose as many successes as the target has INT dice are needed. Rules: CB-PSI-11, CB-PSI-06.
    """
    effects: list[Effect] = []
    for target, result in results:
        needed = target.profile.intellect.value if settings.psi_text == "prose" else 1
        if result.net >= needed and not is_undaunted(target):
            effects += frightened(target, "Frighten")
    if any(result.critical_failure for _, result in results):
        effects += frightened(psionic, "Frighten")
    return tuple(effects)


# ------------------------------------------------------------------------------------------- Stun


def after_stun(psionic: Fighter, target: Fighter, struck: Struck) -> tuple[Effect, ...]:
    """Stun: with a success left after shields the target counts as activated this turn, and lies Prone after
    a critical success. A critical failure floors the psionic and ends its activation. Rules: CB-PSI-16.
    """
    if struck.net_ones:
        spent = Assign("model", psionic.id, Counter.ACTIONS, ACTIONS)
        return (*floored(psionic, "Stun"), spent)
    if struck.suffered.through < 1:
        return ()
    idle = () if target.count(Counter.ACTIVATED) else (Assign("model", target.id, Counter.ACTIVATED, 1),)
    return (*idle, *(floored(target, "Stun") if struck.critical else ()))


def floored(model: Fighter, source: str) -> tuple[Effect, ...]:
    """The model is knocked down, unless it lies already. Rules: CB-FEAT-36."""
    if model.has(Condition.PRONE):
        return ()
    return (Gain(model.id, Condition.PRONE, until=LASTS[Condition.PRONE], source=source),)


# ------------------------------------------------------------------------------------------- Probe


@dataclass(frozen=True, slots=True)
class Taking:
    """What a Probe takes: an Order token, or one power or Feature (by key, see `feature_key`) for a while.

    tokens, own_tokens: what both crews have, own_leader: who leads the taker's crew; only for an Order token.
    """

    spoil: Spoil
    key: str = ""
    tokens: int = 0
    own_tokens: int = 0
    own_leader: Fighter | None = None


def spoils(taker: Fighter, loser: Fighter) -> tuple[Spoil, ...]:
    """What a Probe could take from this model: a token from a leader, powers, Features.

    Rules: CB-PSI-19, CB-PSI-20.
    """
    found: list[Spoil] = ["order"] if loser.leader else []
    if loser.profile.powers and taker.profile.psionic is not None:
        found.append("power")
    if loser.profile.features:
        found.append("feature")
    return tuple(found)


def after_probe(
    psionic: Fighter,
    target: Fighter,
    result: CheckResult,
    taking: Taking | None,
    settings: Settings = DEFAULTS,
) -> tuple[Effect, ...]:
    """Probe: a success takes one thing from the target, until the end of the taker's next activation.

    After a critical failure the target's player takes it from the psionic. By the prose only Order tokens are
    taken, one for each success beyond the leader's INT dice. taking: the choice, None where nothing is
    chosen or nothing applies. Raises Forbidden for a thing that cannot be taken.
    Rules: CB-PSI-19, CB-PSI-20, CB-PSI-06, CB-ORDER-02.
    """
    if taking is None or (not result.net and not result.critical_failure):
        return ()
    taker, loser = (target, psionic) if result.critical_failure else (psionic, target)
    if taking.spoil not in spoils(taker, loser):
        raise Forbidden(f"That cannot be taken from {loser.name}.", "CB-PSI-19")
    if taking.spoil == "order":
        prose = settings.psi_text == "prose" and not result.critical_failure
        return _steal(taker, loser, result.net - loser.profile.intellect.value if prose else 1, taking)
    levels = {feature_key(trait): trait.level for trait in loser.profile.features}
    owned = loser.profile.powers if taking.spoil == "power" else tuple(levels)
    if taking.key not in owned:
        raise Forbidden(f"{loser.name} has no such {taking.spoil}.", "CB-PSI-19")
    borrowed = BORROWED_POWER if taking.spoil == "power" else BORROWED_FEATURE
    acts = taker.has(Condition.ACTIVE)
    until = Until.SECOND_ACTIVATION_END if acts else Until.NEXT_ACTIVATION_END
    level = levels.get(taking.key, 0) if taking.spoil == "feature" else 0
    return (Gain(taker.id, borrowed.of(taking.key), level, until, "Probe"),)


def feature_key(trait: Trait) -> str:
    """A Feature as a Probe takes it: its key, and after a colon what was chosen for it. Rules: CB-PSI-19."""
    return f"{trait.key}:{trait.choice}" if trait.choice else trait.key


def _steal(taker: Fighter, loser: Fighter, wanted: int, taking: Taking) -> tuple[Effect, ...]:
    taken = min(taking.tokens, max(0, wanted))
    if not taken:
        return ()
    after = gained(taking.own_tokens, taken, taking.own_leader)
    more = (Assign("side", taker.side, ORDERS, after),) if after != taking.own_tokens else ()
    return (Assign("side", loser.side, ORDERS, taking.tokens - taken), *more)


# ------------------------------------------------------------------------------------------- Scan


def after_scan(psionic: Fighter, target: Fighter, result: CheckResult) -> tuple[Effect, ...]:
    """Scan: Defense and shield of the target are 1 lower until Upkeep, 2 lower after a critical success; of
    several Scans the best counts.

    A Hidden target is spotted. A critical failure burdens the psionic's attacks and checks for the rest of
    its activation. Roll it with critical successes told. Rules: CB-PSI-23, CB-HIDE-07.
    """
    if result.critical_failure:
        return (Assign("model", psionic.id, Counter.DAZED, 1),)
    if not result.net:
        return ()
    grade = max(target.grade(Condition.SCANNED), 2 if result.criticals else 1)
    return (
        Gain(target.id, Condition.SCANNED, grade, Until.UPKEEP, "Scan"),
        *ended_by(target, Event.SPOTTED),
    )


# ------------------------------------------------------------------------------------------- Identify


@dataclass(frozen=True, slots=True)
class Insight:
    """What Identify gives to the check after it: a modifier, or that it fails outright."""

    modifier: int
    spoiled: bool = False


def insight(result: CheckResult) -> Insight:
    """The modifier of the check that follows: +1, +2 after a critical success, -1 after a failure; a critical
    failure spoils it. Rules: CB-PSI-15.
    """
    if result.critical_failure:
        return Insight(0, spoiled=True)
    if not result.net:
        return Insight(-1)
    return Insight(2 if result.criticals else 1)


def identify(dice: Dice, throws: tuple[Throw, ...], work: Throw) -> CheckResult:
    """Roll Identify and, as a part of it, the Engineering, Medical or Technology check that it is about.

    throws: the psionic check at 7. work: the skill check without the power. A spoiled check fails with one
    net 1, so that its penalties apply, and is not rolled. Rules: CB-PSI-15.
    """
    return identified(dice, dice.call(_identify, throws), work)


def identified(dice: Dice, given: Insight, work: Throw) -> CheckResult:
    """Roll the check that Identify is about, with what the power gave. Rules: CB-PSI-15."""
    if given.spoiled:
        return CheckResult(-1)
    return throw(dice, (replace(work, modifier=work.modifier + given.modifier),), label="skill")


def after_insight(psionic: Fighter, given: Insight) -> tuple[Effect, ...]:
    """What Identify gives is kept for the check that the psionic makes right after it. Rules: CB-PSI-15."""
    if given.spoiled:
        return (Assign("model", psionic.id, Counter.SPOILED, 1),)
    return (Assign("model", psionic.id, Counter.INSIGHT, given.modifier),)


def insight_used(psionic: Fighter) -> tuple[Effect, ...]:
    """The check that Identify was about is made, or its activation is over. Rules: CB-PSI-15."""
    marks = (Counter.INSIGHT, Counter.SPOILED)
    return tuple(Assign("model", psionic.id, mark, 0) for mark in marks if psionic.count(mark))


def _identify(dice: Dice, throws: tuple[Throw, ...]) -> Insight:
    return insight(throw(dice, throws, count=("criticals",), label="psionics"))


def require_identifiable(skill: str) -> None:
    """Raise InvalidInput for a check that Identify does not help. Rules: CB-PSI-15."""
    if skill not in IDENTIFIABLE:
        raise InvalidInput("Identify helps Engineering, Medical and Technology checks.")
