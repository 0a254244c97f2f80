"""Checks: what dice are worth, dice rolled again, and checks of which one success is enough."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import repeat
from typing import Any, NamedTuple

from rules.dice import Dice, Die, Distribution, Facet, Ranks, Solver, Stop, answers
from rules.modifiers import Modifier, total
from rules.refusals import InvalidInput

SIDES = 10
MAX_POOL = 60
"""Most dice that one check may hold; more is a mistake."""

ORDER_TOKEN = Modifier(1, "order token", "CB-ORDER-05")


class CheckResult(NamedTuple):
    """The result of one check's dice: successes, including bonus dice, minus natural 1s.

    Every rule of the game needs this difference: where it is above 0 the 1s cancelled that many fewer, where
    it is below 0 the 1s outnumber the successes. `criticals` counts critical successes, and `misses` the dice
    that failed, only where the check was asked to. Rules: CB-CHECK-11, CB-CHECK-13, CB-CHECK-14.
    """

    score: int
    criticals: int = 0
    misses: int = 0

    @property
    def net(self) -> int:
        """Return the successes that are left after the natural 1s cancelled theirs; never below 0."""
        return max(0, self.score)

    @property
    def net_ones(self) -> int:
        """Return the natural 1s beyond the successes; never below 0."""
        return max(0, -self.score)

    @property
    def critical_failure(self) -> bool:
        """Return whether there are more natural 1s than successes."""
        return self.score < 0


@dataclass(frozen=True, slots=True)
class Throw:
    """Dice that are rolled together: how many, what is added to each, what each must reach.

    pool: dice after advantages and disadvantages; 0 or less means two dice of which the lower counts.
    critical_from: faces from here up are critical successes. dependable: one natural 1 only fails.
    second_try: one failed die is rolled again; a plain miss only while the check has fewer successes than
    this, 0 for no second try. lucky: a critical failure is a plain failure. sure: a success without dice.
    """

    pool: int
    modifier: int
    target: int
    critical_from: int = SIDES
    dependable: bool = False
    second_try: int = 0
    lucky: bool = False
    sure: bool = False


@cache
def build_check_die(
    modifier: int,
    target: int,
    *,
    criticals: bool = True,
    critical_from: int = SIDES,
    extras: tuple[str, ...] = (),
) -> Die:
    """Return the d10 of a check, with the tally `score`.

    A natural 10 succeeds whatever the target and earns a bonus die; a natural 1 fails whatever the modifier
    and takes one from the score, on a bonus die it only fails. Without `criticals` a natural 10 is one
    success and a natural 1 one failure, nothing more. `extras` are further tallies to keep: "ones" (natural
    1s, bonus dice excluded), "plain" (other dice that failed, bonus dice excluded), "criticals", "misses".
    Rules: CB-CHECK-01, CB-CHECK-02, CB-CHECK-09, CB-CHECK-10, CB-CHECK-11, CB-CHECK-15.
    """
    names = ("score", *extras)

    def of(word: str, *, again: bool = False, **adds: int) -> Facet:
        return Facet(word, tuple(map(adds.get, names, repeat(0))), again)

    success, critical = of("success", score=1), of("critical success", again=True, score=1, criticals=1)
    natural_ten = of("natural 10", again=criticals and critical_from <= SIDES, score=1, criticals=1)
    first_critical = max(2, min(critical_from, SIDES)) if criticals else SIDES
    success_faces = max(2, min(target - modifier, first_critical))
    success_facets = (
        (success,) * (first_critical - success_faces)
        + (critical,) * (SIDES - first_critical)
        + (natural_ten,)
    )

    def facets(first: int) -> tuple[Facet, ...]:
        natural_one = of("natural 1", score=-first if criticals else 0, ones=first, misses=1)
        miss = of("miss", misses=1, plain=first)
        return natural_one, *(miss,) * (success_faces - 2), *success_facets

    bonus = Die(names, facets(0), shift=modifier)
    return Die(names, facets(1), bonus=bonus, shift=modifier)


LOWER_FIRST = Ranks(tuple(range(SIDES, 0, -1)))
"""Ranks a d10 from its lowest face to its highest."""


def _stop_at_lowest(state: int, rank: int, counts: tuple[int, ...]) -> Stop[int]:
    return Stop(SIDES + 1 - rank)


def _roll_tallies(dice: Dice, pool: int, die: Die, label: str) -> tuple[int, ...]:
    """The tallies of a pool, or of the lower of two dice where the pool is empty."""
    if pool > 0:
        return dice.pool(pool, die, label)
    lowest_facet = die.facets[
        dice.sweep(((2, LOWER_FIRST),), _stop_at_lowest, 0, f"{label}, lower of two") - 1
    ]
    if not lowest_facet.again:
        return lowest_facet.adds
    extra = dice.pool(1, die.bonus or die, f"{label}, bonus die")
    return tuple(a + b for a, b in zip(lowest_facet.adds, extra, strict=True))


def build_plain_die(throw: Throw) -> Die:
    """Return the die of a throw, with the tally `score`."""
    return build_check_die(throw.modifier, throw.target, critical_from=throw.critical_from)


def score(dice: Dice, throw: Throw, label: str) -> int:
    """Roll the dice of one side; gives successes less natural 1s, below 0 where the 1s outnumber them.

    Rules: CB-CHECK-11, CB-CHECK-14, CB-SPEC-06.
    """
    if throw.dependable:
        return dice.call(roll_dependable_score, throw, label)
    return _roll_tallies(dice, throw.pool, build_plain_die(throw), label)[0]


def roll_dependable_score(dice: Dice, part: Throw, label: str) -> int:
    """Return the score of dependable dice: one natural 1 only fails. Rules: CB-SPEC-06, CB-FEAT-20."""
    return throw(dice, (part,), label=label).score


def throw(
    dice: Dice,
    throws: tuple[Throw, ...],
    *,
    criticals: bool = True,
    count: tuple[str, ...] = (),
    label: str = "check",
) -> CheckResult:
    """Roll one check made of the dice of one model or of several working together.

    throws: the dice of each, with its own modifier and target; an empty one gives no success. count:
    "criticals" and "misses" where they are to be counted. Natural 1s and successes of all count together; of
    several natural 1s of dependable dice one is disregarded. Dice with a second try are never counted so. Who
    is sure of a success throws nothing. Rules: CB-CHECK-01, CB-CHECK-11, CB-CHECK-13, CB-ACT-08, CB-SPEC-06,
    CB-FEAT-20, CB-RELIC-07, CB-RELIC-08.
    """
    if any(part.sure for part in throws):
        unsure_throws = tuple(part for part in throws if not part.sure)
        rolled_result = (
            throw(dice, unsure_throws, criticals=criticals, count=count, label=label)
            if unsure_throws
            else CheckResult(0)
        )
        return CheckResult(
            rolled_result.score + len(throws) - len(unsure_throws),
            rolled_result.criticals,
            rolled_result.misses,
        )
    if any(part.lucky for part in throws):
        unlucky_throws = tuple(replace(part, lucky=False) for part in throws)
        plain_result = throw(dice, unlucky_throws, criticals=criticals, count=count, label=label)
        return CheckResult(max(0, plain_result.score), plain_result.criticals, plain_result.misses)
    if criticals and not count and any(part.second_try for part in throws):
        return CheckResult(_with_second_tries(dice, throws, label))
    if len(throws) == 1 and criticals and not count and not throws[0].dependable:
        return CheckResult(_roll_tallies(dice, throws[0].pool, build_plain_die(throws[0]), label)[0])
    dependable = criticals and any(part.dependable for part in throws)
    extras = (*(("ones",) if dependable else ()), *count)
    return _build_result(_add_throws(dice, merge_throws(throws), criticals, extras, label), extras)


def _build_result(sums: tuple[int, ...], extras: tuple[str, ...]) -> CheckResult:
    values = dict(zip(("score", *extras), sums, strict=True))
    forgiven_ones = min(1, values.get("ones", 0))
    return CheckResult(values["score"] + forgiven_ones, values.get("criticals", 0), values.get("misses", 0))


@answers(throw)
def _compute_throw_chances(
    solver: Solver,
    throws: tuple[Throw, ...],
    *,
    criticals: bool = True,
    count: tuple[str, ...] = (),
    label: str = "check",
) -> Distribution:
    """The chances of `throw`: where nothing is decided between the dice, those of every throw added up."""
    has_decisions = any(part.sure or part.lucky or part.second_try for part in throws)
    single_throw = len(throws) == 1 and criticals and not count and not has_decisions
    if single_throw and not throws[0].dependable and throws[0].pool > 0:
        return solver.pool(throws[0].pool, build_plain_die(throws[0]), CheckResult)
    if has_decisions or len(throws) < 2:
        return solver.walked(throw, (throws,), {"criticals": criticals, "count": count, "label": label})
    dependable = criticals and any(part.dependable for part in throws)
    extras = (*(("ones",) if dependable else ()), *count)
    distribution = _compute_sums(solver, merge_throws(throws), criticals, extras, label)
    return _map_outcomes(distribution, lambda sums: _build_result(sums, extras))


def throw_and_misses(
    dice: Dice, throws: tuple[Throw, ...], *, label: str = "check"
) -> tuple[CheckResult, tuple[int, ...]]:
    """Roll one check like `throw`, critical successes counted, and tell for each throw the dice that failed.

    The dice of each are rolled separately; natural 1s and successes of all still count together. Rules:
    CB-CHECK-11, CB-ACT-08, CB-SHOOT-10.
    """
    tallies = [
        dice.call(_add_throws, (part,), True, ("ones", "criticals", "misses"), label) for part in throws
    ]
    score, ones, criticals, misses = (tuple(column) for column in zip(*tallies, strict=True))
    lucky = any(part.lucky for part in throws)
    total_score = sum(score) + min(1, sum(ones))
    return CheckResult(max(0, total_score) if lucky else total_score, sum(criticals), sum(misses)), misses


def _add_throws(
    dice: Dice, throws: tuple[Throw, ...], criticals: bool, extras: tuple[str, ...], label: str
) -> tuple[int, ...]:
    """Tallies of all throws added; natural 1s are counted for dependable dice only."""
    if not throws:
        return (0,) * (1 + len(extras))
    last = throws[-1]
    die = build_check_die(
        last.modifier, last.target, criticals=criticals, critical_from=last.critical_from, extras=extras
    )
    if len(throws) > 1:
        earlier_sums = dice.call(roll_dice_of_others, throws[:-1], criticals, extras, label)
    else:
        earlier_sums = (0,) * (1 + len(extras))
    tallies = _roll_tallies(dice, last.pool, die, label)
    new_sums = [a + b for a, b in zip(earlier_sums, tallies, strict=True)]
    if "ones" in extras:
        dependable_ones = tallies[1] if last.dependable else 0
        new_sums[1] = min(1, earlier_sums[1] + dependable_ones)
    return tuple(new_sums)


def _compute_sums(
    solver: Solver, throws: tuple[Throw, ...], criticals: bool, extras: tuple[str, ...], label: str
) -> Distribution:
    parts = []
    for part in throws:
        die = build_check_die(
            part.modifier, part.target, criticals=criticals, critical_from=part.critical_from, extras=extras
        )
        distribution = solver.distribution(_roll_tallies, (part.pool, die, label), {})
        if "ones" in extras and not part.dependable:
            distribution = _map_outcomes(distribution, lambda sums: (sums[0], 0, *sums[2:]))
        parts.append(distribution)
    sum_distribution = solver.together(sorted(parts, key=len), 1 + len(extras))
    return (
        _map_outcomes(sum_distribution, lambda sums: (sums[0], min(1, sums[1]), *sums[2:]))
        if "ones" in extras
        else sum_distribution
    )


def _map_outcomes(chances: Distribution, change: Callable[[tuple[int, ...]], Any]) -> Distribution:
    distribution = Distribution(whole=chances.whole)
    for outcome, chance in chances.items():
        new_outcome = change(outcome)
        distribution[new_outcome] = distribution.get(new_outcome, 0) + chance
    return distribution


def _with_second_tries(dice: Dice, throws: tuple[Throw, ...], label: str) -> int:
    """The score of a check in which some roll one failed die again: a natural 1, else a miss that matters.

    Rules: CB-GEAR-33, CB-CHECK-06.
    """
    with_second_try = [part for part in throws if part.second_try]
    other_throws = tuple(part for part in throws if not part.second_try)
    score, ones = (
        dice.call(roll_dice_of_others, other_throws, True, ("ones",), label) if other_throws else (0, 0)
    )
    failed_throws = []
    for part in with_second_try:
        tallies = _roll_tallies(dice, part.pool, _build_telling_die(part), label)
        score, ones = score + tallies[0], ones + (tallies[1] if part.dependable else 0)
        failed_throws.append((part, tallies[1] > 0, tallies[2] > 0))
    for part, has_natural_one, has_miss in failed_throws:
        if has_natural_one or (has_miss and score + min(1, ones) < part.second_try):
            fresh_tallies = _roll_tallies(dice, 1, _build_telling_die(part), f"{label}, again")
            score += fresh_tallies[0] + has_natural_one
            ones += (fresh_tallies[1] - has_natural_one) if part.dependable else 0
    return score + min(1, ones)


@cache
def _build_telling_die(part: Throw) -> Die:
    """Return the die of a throw that tells natural 1s and plain misses apart."""
    return build_check_die(
        part.modifier, part.target, critical_from=part.critical_from, extras=("ones", "plain")
    )


def roll_dice_of_others(
    dice: Dice, throws: tuple[Throw, ...], criticals: bool, extras: tuple[str, ...], label: str
) -> tuple[int, ...]:
    """Return the dice of the others who take part in a check, added up. Rules: CB-ACT-08."""
    return _add_throws(dice, throws, criticals, extras, label)


@lru_cache(maxsize=4096)
def merge_throws(throws: tuple[Throw, ...]) -> tuple[Throw, ...]:
    """Return the same dice in fewer throws: those that differ only in number are combined."""
    pools: dict[Throw, int] = {}
    unmerged: list[Throw] = []
    for part in throws:
        if part.pool > 0:
            kind = replace(part, pool=1)
            pools[kind] = pools.get(kind, 0) + part.pool
        else:
            unmerged.append(part)
    return (*(replace(kind, pool=pool) for kind, pool in pools.items()), *unmerged)


# ---------------------------------------------------------------- how many dice, and what is added


@dataclass(frozen=True, slots=True)
class FaceMeaning:
    """The meaning of natural faces in a check: the lowest critical success, and whether one natural 1 is
    forgiven. `reasons` explain with their rule what is unusual.
    """

    critical_from: int = SIDES
    dependable: bool = False
    reasons: tuple[str, ...] = ()


USUAL_FACES = FaceMeaning()


@dataclass(frozen=True, slots=True)
class PreparedCheck:
    """A check ready to be rolled, with the reason of everything in it.

    `dice` are the sources of dice, `edges` the advantages (+1) and disadvantages (-1), `modifiers` what is
    added to each die, `targets` what makes up the number to reach, `faces` what natural faces mean here.
    """

    throw: Throw
    dice: tuple[Modifier, ...]
    edges: tuple[Modifier, ...]
    modifiers: tuple[Modifier, ...]
    targets: tuple[Modifier, ...]
    faces: FaceMeaning = USUAL_FACES


def list_counting_edges(edges: Iterable[Modifier], *, advantage_stacks: bool = True) -> tuple[Modifier, ...]:
    """Return the advantages and disadvantages that count, each source once. Rules: CB-CHECK-07."""
    distinct_edges = tuple({(edge.reason, edge.amount): edge for edge in edges}.values())
    if advantage_stacks:
        return distinct_edges
    first_edges = {edge.amount > 0: edge for edge in reversed(distinct_edges)}
    return tuple(edge for edge in distinct_edges if first_edges[edge.amount > 0] is edge)


def prepare(
    dice: tuple[Modifier, ...],
    edges: tuple[Modifier, ...],
    modifiers: tuple[Modifier, ...],
    targets: tuple[Modifier, ...],
    *,
    advantage_stacks: bool = True,
    faces: FaceMeaning = USUAL_FACES,
    second_try: int = 0,
    lucky: bool = False,
    sure: bool = False,
) -> PreparedCheck:
    """Add up a check: its dice, edges, modifiers and the parts of its target.

    Raises InvalidInput for more dice than the game can mean. Rules: CB-CHECK-02, CB-CHECK-07.
    """
    counting = list_counting_edges(edges, advantage_stacks=advantage_stacks)
    pool = total(dice) + total(counting)
    if pool > MAX_POOL:
        raise InvalidInput(f"A check can use at most {MAX_POOL} dice (you have {pool}).")
    counting_modifiers = tuple(modifier for modifier in modifiers if modifier.amount)
    modifier_total, target_number = total(counting_modifiers), total(targets)
    ready = Throw(
        pool,
        modifier_total,
        target_number,
        faces.critical_from,
        faces.dependable,
        second_try,
        lucky=lucky,
        sure=sure,
    )
    return PreparedCheck(ready, dice, counting, counting_modifiers, targets, faces)


def roll_check_again(
    dice: Dice, throws: tuple[Throw, ...], successes: int = 1, *, criticals: bool = True, label: str = "check"
) -> CheckResult:
    """Roll a check and, when it falls short of `successes`, roll all its dice once more; the second stands.

    Rules: CB-CHECK-06, CB-SPEC-02, CB-SPEC-13, CB-SPEC-21.
    """
    first_result = dice.call(throw, throws, criticals=criticals, label=label)
    if first_result.score >= successes:
        return first_result
    return dice.call(throw, throws, criticals=criticals, label=f"{label}, again")


def reroll_failed_dice(
    dice: Dice, first_result: CheckResult, misses: int, ones: int, reroll: Throw, *, label: str = "re-roll"
) -> CheckResult:
    """Re-roll single failed dice of a check that has been rolled: the new faces stand.

    first_result: the check so far. misses, ones: how many plain misses and how many natural 1s are rolled
    again, bonus dice excluded. reroll: the check's modifier and target. Raises InvalidInput where nothing is
    re-rolled. Rules: CB-CHECK-06.
    """
    if misses < 0 or ones < 0 or misses + ones < 1:
        raise InvalidInput("Choose at least one failed die to roll again.")
    fresh_result = throw(dice, (replace(reroll, pool=misses + ones),), label=label)
    return CheckResult(first_result.score + ones + fresh_result.score)


DANGER_TARGET = 5
FOOTING_TARGET = 7


def roll_one_success(dice: Dice, throws: tuple[Throw, ...], label: str = "check") -> bool:
    """Roll a check of which one success, left after the natural 1s, is enough.

    throws: the dice of the model, or of several working together.
    Rules: CB-CHECK-01, CB-CHECK-11, CB-STAT-06.
    """
    return throw(dice, throws, label=label).net >= 1
