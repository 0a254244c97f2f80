"""The effects of each psionic power: Mind, Force and Shift."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from rules.counters import CounterName
from rules.dice import Dice
from rules.effects import Assign, Effect, Gain, Leave, Lose, Propose
from rules.refusals import Forbidden, InvalidInput, forbid
from rules.systems.counterblast.core.checks import CheckResult, Throw, throw
from rules.systems.counterblast.core.conditions import (
    CASUALTY,
    LASTS_UNTIL,
    Event,
    apply_wounds,
    end_conditions,
)
from rules.systems.counterblast.core.counters import ORDERS, Counter
from rules.systems.counterblast.core.fighter import (
    BORROWED_FEATURE,
    BORROWED_POWER,
    IDENTIFIABLE,
    Condition,
    Fighter,
    Until,
)
from rules.systems.counterblast.core.general import CLOCK, chart_roll
from rules.systems.counterblast.core.impacts import Suffered
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.panic import frightened, is_fearless
from rules.systems.counterblast.core.profile import Size, Trait
from rules.systems.counterblast.core.settings import DEFAULTS, Settings
from rules.systems.counterblast.gear.skills import Treatment, after_treatment, treat
from rules.systems.counterblast.psionics.psionics import Struck
from rules.systems.counterblast.turn.activation import ACTIONS, gained

Spoil = Literal["order", "power", "feature"]
SPOIL_NAMES: dict[Spoil, str] = {"order": "order token", "power": "power", "feature": "Feature"}


# ------------------------------------------------------------------------------------------- Calm


def after_calming(
    psionic: Fighter, allies: tuple[Fighter, ...], result: CheckResult, settings: Settings = DEFAULTS
) -> tuple[Effect, ...]:
    """Apply Calm to allies: each success frees one from Panic, in the order named.

    allies: Panicked ones within 8 in, the most urgent first. By the prose a critical failure panics the
    psionic. Raises Forbidden for an enemy. Rules: CB-PSI-07, CB-PSI-06.
    """
    for ally in allies:
        if ally.side != psionic.side:
            forbid(f"Choose a friend. {ally.name} belongs to another crew.", "CB-PSI-07")
    if result.critical_failure and settings.psi_text == "prose":
        return frightened(psionic, "Calm")
    panicked = [ally for ally in allies if ally.has(Condition.PANICKED)]
    return tuple(Lose(ally.id, Condition.PANICKED) for ally in panicked[: result.net])


def after_calm_attack(psionic: Fighter, target: Fighter, result: CheckResult) -> tuple[Effect, ...]:
    """Apply Calm as an attack: the target is not Ferocious until the end of its next activation.

    A critical failure lets the target attack the psionic at once. Rules: CB-PSI-08.
    """
    if result.critical_failure:
        reason = f"{target.name} can attack {psionic.name} at once, with Fight or Shoot."
        return (Propose("free_attack", target.id, reason, (("target", psionic.id),)),)
    if not result.net or not target.has_feature("ferocious"):
        return ()
    return (Gain(target.id, Condition.CALMED, until=Until.NEXT_ACTIVATION_END, source="Calm"),)


# ------------------------------------------------------------------------------------------- Frighten


def is_undaunted(target: Fighter) -> bool:
    """Return whether Frighten does nothing to it: Fearless, Ferocious or Scary. Rules: CB-PSI-11."""
    return is_fearless(target) or target.has_feature("ferocious") or target.has_feature("scary")


def require_daunted(targets: tuple[Fighter, ...]) -> None:
    """Refuse to frighten where no target can be frightened. Raises Forbidden. Rules: CB-PSI-11."""
    if targets and all(map(is_undaunted, targets)):
        names = ", ".join(target.name for target in targets)
        forbid(
            f"Choose another target. Frighten doesn't affect Fearless, Ferocious or Scary models ({names}).",
            "CB-PSI-11",
        )


def after_frighten(
    psionic: Fighter, results: tuple[tuple[Fighter, CheckResult], ...], settings: Settings = DEFAULTS
) -> tuple[Effect, ...]:
    """Frighten: every target hit is Panicked unless undaunted; a critical failure panics the psionic.

    By the prose as many successes as the target has INT dice are needed. Rules: CB-PSI-11, CB-PSI-06.
    """
    effects: list[Effect] = []
    for target, result in results:
        if is_frightened(target, result, settings):
            effects += frightened(target, "Frighten")
    if any(result.critical_failure for _, result in results):
        effects += frightened(psionic, "Frighten")
    return tuple(effects)


def is_frightened(target: Fighter, result: CheckResult, settings: Settings = DEFAULTS) -> bool:
    """Return whether Frighten works on a target. Rules: CB-PSI-11, CB-PSI-06."""
    needed = target.profile.intellect.value if settings.psi_text == "prose" else 1
    return result.net >= needed and not is_undaunted(target)


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
    """Knock the model down, unless it is Prone already. Rules: CB-FEAT-36."""
    if model.has(Condition.PRONE):
        return ()
    return (Gain(model.id, Condition.PRONE, until=LASTS_UNTIL[Condition.PRONE], source=source),)


# ------------------------------------------------------------------------------------------- Probe


@dataclass(frozen=True, slots=True)
class Taking:
    """The loot of a Probe: an Order token, or one power or Feature (by key, see `feature_key`) for a while.

    tokens, own_tokens: what both crews have, own_leader: who leads the taker's crew; only for an Order token.
    """

    spoil: Spoil
    key: str = ""
    tokens: int = 0
    own_tokens: int = 0
    own_leader: Fighter | None = None


def spoils(taker: Fighter, loser: Fighter) -> tuple[Spoil, ...]:
    """Return what a Probe could take from this model: a token from a leader, powers, Features.

    Rules: CB-PSI-19, CB-PSI-20.
    """
    spoil_list: list[Spoil] = ["order"] if loser.leader else []
    if loser.profile.powers and taker.profile.psionic is not None:
        spoil_list.append("power")
    if loser.profile.features:
        spoil_list.append("feature")
    return tuple(spoil_list)


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
        words = f"{'an' if taking.spoil == 'order' else 'a'} {SPOIL_NAMES[taking.spoil]}"
        raise Forbidden(f"You can't take {words} from {loser.name}.", "CB-PSI-19")
    if taking.spoil == "order":
        prose = settings.psi_text == "prose" and not result.critical_failure
        return _steal(taker, loser, result.net - loser.profile.intellect.value if prose else 1, taking)
    levels = {feature_key(trait): trait.level for trait in loser.profile.features}
    owned = loser.profile.powers if taking.spoil == "power" else tuple(levels)
    if taking.key not in owned:
        raise Forbidden(f"{loser.name} doesn't have that {SPOIL_NAMES[taking.spoil]}.", "CB-PSI-19")
    borrowed = BORROWED_POWER if taking.spoil == "power" else BORROWED_FEATURE
    acts = taker.has(Condition.ACTIVE)
    duration = Until.SECOND_ACTIVATION_END if acts else Until.NEXT_ACTIVATION_END
    level = levels.get(taking.key, 0) if taking.spoil == "feature" else 0
    return (Gain(taker.id, borrowed.of(taking.key), level, duration, "Probe"),)


def feature_key(trait: Trait) -> str:
    """Return a Feature as a Probe takes it: its key, and after a colon its choice. Rules: CB-PSI-19."""
    return f"{trait.key}:{trait.choice}" if trait.choice else trait.key


def _steal(taker: Fighter, loser: Fighter, tokens_wanted: int, taking: Taking) -> tuple[Effect, ...]:
    tokens_taken = min(taking.tokens, max(0, tokens_wanted))
    if not tokens_taken:
        return ()
    after = gained(taking.own_tokens, tokens_taken, taking.own_leader)
    taker_gain = (Assign("side", taker.side, ORDERS, after),) if after != taking.own_tokens else ()
    return (Assign("side", loser.side, ORDERS, taking.tokens - tokens_taken), *taker_gain)


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
        *end_conditions(target, Event.SPOTTED),
    )


# ------------------------------------------------------------------------------------------- Identify


@dataclass(frozen=True, slots=True)
class Insight:
    """The result of Identify for the check after it: a modifier, or that it fails outright."""

    modifier: int
    spoiled: bool = False


def insight(result: CheckResult) -> Insight:
    """Return the modifier of the next check: +1, +2 after a critical success, -1 after a failure; a critical
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


def identified(dice: Dice, insight: Insight, work: Throw) -> CheckResult:
    """Roll the check that Identify is about, with what the power gave. Rules: CB-PSI-15."""
    if insight.spoiled:
        return CheckResult(-1)
    return throw(dice, (replace(work, modifier=work.modifier + insight.modifier),), label="skill")


def after_insight(psionic: Fighter, insight: Insight) -> tuple[Effect, ...]:
    """Return the effects that keep Identify's result for the psionic's next check. Rules: CB-PSI-15."""
    if insight.spoiled:
        return (Assign("model", psionic.id, Counter.SPOILED, 1),)
    return (Assign("model", psionic.id, Counter.INSIGHT, insight.modifier),)


def insight_used(psionic: Fighter) -> tuple[Effect, ...]:
    """End the effect of Identify: its check is made, or its activation is over. Rules: CB-PSI-15."""
    marks = (Counter.INSIGHT, Counter.SPOILED)
    return tuple(Assign("model", psionic.id, mark, 0) for mark in marks if psionic.count(mark))


def _identify(dice: Dice, throws: tuple[Throw, ...]) -> Insight:
    return insight(throw(dice, throws, count=("criticals",), label="psionics"))


def require_identifiable(skill: str) -> None:
    """Raise InvalidInput for a check that Identify does not help. Rules: CB-PSI-15."""
    if skill not in IDENTIFIABLE:
        raise InvalidInput("Identify only helps Engineering, Medical and Technology checks.")


def after_force_field(results: tuple[tuple[Fighter, CheckResult], ...]) -> tuple[Effect, ...]:
    """Force Field: each success lends the ally one shield die until this turn's Upkeep is over; it adds up.

    Rules: CB-PSI-12.
    """
    return tuple(
        Gain(
            ally.id, Condition.WARDED, ally.grade(Condition.WARDED) + result.net, Until.UPKEEP, "Force Field"
        )
        for ally, result in results
        if result.net
    )


def require_healing(patient: Fighter, healers: Iterable[Fighter], inches: float = 0) -> None:
    """Refuse, with Forbidden, to Heal a machine, out of contact, or while anyone involved is engaged.

    Rules: CB-PSI-13, CB-BUILD-13, CB-BUILD-15.
    """
    if inches > 0:
        forbid(f"Heal needs base contact with {patient.name}.", "CB-PSI-13")
    if not patient.profile.is_living:
        forbid(f"{patient.name} is a machine, so it has to be repaired instead.", "CB-PSI-13")
    for model in (patient, *healers):
        if model.is_engaged:
            forbid(f"{model.name} is engaged, so Heal doesn't work now.", "CB-PSI-13")


def heal(dice: Dice, throws: tuple[Throw, ...], curable: int) -> Treatment:
    """Roll Heal: each success restores 1 Life, each net 1 does 1 damage.

    curable: what the patient lost, see `skills.curable`. Rules: CB-PSI-13, CB-PSI-14.
    """
    return treat(dice, throws, curable, label="psionics")


def after_heal(patient: Fighter, treatment: Treatment) -> tuple[Effect, ...]:
    """Return the effects of Heal: Life back up to the starting value, or damage that removes the patient if
    its Life is used up. Rules: CB-PSI-13, CB-PSI-14.
    """
    return after_treatment(patient, treatment, "medicine")


def after_blast(
    psionic: Fighter, results: tuple[tuple[Fighter, Struck], ...], backlash: Suffered, turn: int = 0
) -> tuple[Effect, ...]:
    """Blast: wounds to every target, and to the psionic by its own botch.

    backlash: the result of `backlash` for the net 1s of all targets. Rules: CB-PSI-17, CB-PSI-18.
    """
    hurt = tuple(
        effect for target, struck in results for effect in apply_wounds(target, struck.suffered.through, turn)
    )
    return (*hurt, *apply_wounds(psionic, backlash.through, turn))


def after_power_blast(
    psionic: Fighter,
    results: tuple[tuple[Fighter, Struck], ...],
    backlash: Suffered,
    turn: int = 0,
    *,
    in_range: tuple[Fighter, ...] = (),
    settings: Settings = DEFAULTS,
) -> tuple[Effect, ...]:
    """Apply a Power Blast: wounds as by a Blast; a critical success floors its target, and a critical
    failure the psionic.

    in_range: every model within range, who all lie down after a critical success by the prose.
    Rules: CB-PSI-21, CB-PSI-22, CB-PSI-06.
    """
    effects = list(after_blast(psionic, results, backlash, turn))
    knocked_down = [target for target, struck in results if struck.critical]
    if knocked_down and settings.psi_text == "prose":
        knocked_down = [model for model in in_range if model.id != psionic.id]
    for target in knocked_down:
        effects += floored(target, "Power Blast")
    if net_ones(results):
        effects += floored(psionic, "Power Blast")
    return tuple(effects)


def net_ones(results: Iterable[tuple[Fighter, Struck]]) -> int:
    """Return net natural 1s of all targets: the dice of the backlash. Rules: CB-PSI-18, CB-PSI-22."""
    return sum(struck.net_ones for _, struck in results)


TELEKINESIS = CounterName("telekinesis used")
"""Counter of a model: Telekinesis was used on friends or objects in this activation."""

Arrival = Literal["free", "blocked"]
Place = Literal["arrives", "stays", "astray"]


# ------------------------------------------------------------------------------------------- Deep Portal


def portal_inches(psionic: Fighter) -> int:
    """Return how far Deep Portal reaches: twice Mv, in any direction. Rules: CB-PSI-09."""
    return 2 * psionic.profile.mv


def require_portal(psionic: Fighter, inches: float, *, blocked: bool = False) -> None:
    """Raise Forbidden for a portal that is too far away, or that ends on Impassable terrain or models, in a
    building or off the table (`blocked`). It may end in contact and engage, but is not a charge. Rules:
    CB-PSI-09.
    """
    if inches > portal_inches(psionic):
        forbid(f"Deep Portal reaches {portal_inches(psionic)} in (you entered {inches:g} in).", "CB-PSI-09")
    if blocked:
        forbid("Deep Portal must end on free, open ground.", "CB-PSI-09")


@dataclass(frozen=True, slots=True)
class Portal:
    """Where a Deep Portal ends: at its spot, not at all, or astray by inches towards a clock point."""

    place: Place
    clock: int = 0
    inches: int = 0


def deep_portal(dice: Dice, throws: tuple[Throw, ...]) -> Portal:
    """Roll Deep Portal: a success arrives, a failure stays, a critical failure arrives 2, 4 or 6 in astray.

    Rules: CB-PSI-09, CB-PSI-10.
    """
    return opened(dice, throw(dice, throws, label="psionics"))


def opened(dice: Dice, result: CheckResult) -> Portal:
    """Return where a Deep Portal ends after its check. Rules: CB-PSI-09, CB-PSI-10."""
    if result.critical_failure:
        return dice.call(astray)
    return Portal("arrives" if result.net else "stays")


def astray(dice: Dice) -> Portal:
    """Return where a botched portal ends: a random direction, and d10 for the distance. Rules: CB-PSI-10."""
    clock = dice.face(CLOCK, "direction")
    row = load().charts["deep_portal"].row(chart_roll(dice, 0, "distance"))
    return Portal("astray", clock, row.value("inches"))


def after_portal(psionic: Fighter, portal: Portal, arrival: Arrival = "free") -> tuple[Effect, ...]:
    """Return the effects of arriving in the wrong place: on a building, a model, Impassable terrain or
    beyond the edge the psionic is lost. Rules: CB-PSI-10.
    """
    lost = portal.place == "astray" and arrival == "blocked"
    return (Leave(psionic.id, CASUALTY),) if lost else ()


# ------------------------------------------------------------------------------------------- Telekinesis


def telekinesis_inches(source: Size, moved: Size, successes: int, settings: Settings = DEFAULTS) -> int:
    """Return how far Telekinesis moves something: 3 in for each success on a small base, 2 medium, 1 large.

    By the prose 3 in for bases no larger than the source's, 2 for larger ones, 1 for the largest.
    Rules: CB-PSI-26, CB-PSI-06.
    """
    if settings.psi_text == "prose" and moved != "L":
        order = ("S", "M", "L")
        return successes * (3 if order.index(moved) <= order.index(source) else 2)
    row = load().charts["size_effects"].named(moved)
    return successes * row.value("telekinesis_inches")


def require_telekinesis(psionic: Fighter, *, engages: bool = False, moves_enemy: bool = False) -> None:
    """Refuse, with Forbidden, to move friends or objects twice in an activation, into contact with an enemy,
    or to move an enemy otherwise than by attack. Rules: CB-PSI-24.
    """
    if psionic.count(TELEKINESIS):
        forbid("Telekinesis can move friends and objects only once per activation.", "CB-PSI-24")
    if engages:
        forbid("Telekinesis can't move a model into contact with an enemy.", "CB-PSI-24")
    if moves_enemy:
        forbid("To move an enemy, use Telekinesis as an attack.", "CB-PSI-25")


def after_lift(
    psionic: Fighter,
    moved: Fighter | None,
    result: CheckResult,
    size: Size = "S",
    settings: Settings = DEFAULTS,
) -> tuple[Effect, ...]:
    """Apply Telekinesis to itself, an ally or an object (None, with its size): how far it moves, flying.

    A failure, critical or not, moves nothing. Rules: CB-PSI-24, CB-PSI-26.
    """
    if not result.net:
        return ()
    base = moved.profile.size if moved is not None else size
    inches = telekinesis_inches(psionic.profile.size, base, result.net, settings)
    name = moved.name if moved is not None else "The object"
    reason = f"{name} can be moved up to {inches} in through the air. It doesn't engage anyone."
    return (Propose("lift", moved.id if moved is not None else 0, reason, (("inches", inches),)),)


def after_throw(
    psionic: Fighter, target: Fighter, result: CheckResult, settings: Settings = DEFAULTS
) -> tuple[Effect, ...]:
    """Apply Telekinesis as an attack: how far the enemy moves; a critical failure floors the psionic.

    Its fall or collision is rolled by `falling.fall` or `environment.collide`. Rules: CB-PSI-25, CB-PSI-26.
    """
    if result.critical_failure:
        return floored(psionic, "Telekinesis")
    if not result.net:
        return ()
    inches = telekinesis_inches(psionic.profile.size, target.profile.size, result.net, settings)
    reason = f"{psionic.name} can throw {target.name} up to {inches} in."
    return (Propose("throw", target.id, reason, (("inches", inches),)),)
