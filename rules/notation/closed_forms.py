"""The chances of throws that take too long to walk branch by branch: dice that explode and are kept singly,
and the best of unlike parts.

Each function here stands beside the rule that it answers for and gives the same chances, as tests against the
rule itself show; it is registered with the solver by `rules.dice.answers`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import comb, factorial, prod
from typing import Any

from rules.dice import Dice, Distribution, Solver, answers, best_of
from rules.dice.convolution import kept
from rules.notation.nodes import MAX_CHAIN, Term
from rules.notation.throwing import throw_and_keep, throw_and_keep_singly

Asked = tuple[Callable[..., int], tuple[Any, ...]]
"""A rule with its arguments."""

Counts = tuple[int, ...]
"""How many dice of each group."""

Rows = dict[tuple[int, Any, Any, int], tuple[Any, ...]]
"""How many of so many dice show a level, worked out before."""

Level = tuple[int, tuple[Any, ...]]
"""A value in the order in which dice are kept: what it adds, and each group's chance of it."""


@answers(throw_and_keep)
def some_kept_chances(solver: Solver, term: Term, label: str) -> Distribution:
    """Return the chances of `throw_and_keep`: the dice in order, place after place."""
    assert term.keep is not None
    keep = term.keep
    chance = solver.ratio(1, term.sides)
    order = [(term.value(face), chance) for face in range(1, term.sides + 1)]
    adds = {value: term.judged(value) for value, _ in order}
    least = min(adds.values())
    order.sort(key=lambda entry: entry[0], reverse=not keep.lowest)
    return ranked(solver, [(adds[value] - least, p) for value, p in order], term, least)


def ranked(solver: Solver, order: list[tuple[int, Any]], term: Term, least: int) -> Distribution:
    """Return what the dice come to that stay. order: what each die may add, counted from the least."""
    assert term.keep is not None
    sums, whole = kept(order, term.count, term.keep.count, solver.cut, solver.charge, term.keep.skip)
    return Distribution({value + term.keep.count * least: p for value, p in sums.items()}, whole=whole)


@answers(throw_and_keep_singly)
def singly_chances(solver: Solver, term: Term, label: str) -> Distribution:
    """Return the chances of `throw_and_keep_singly`: equal dice form groups, and some of each are kept."""
    assert term.keep is not None
    u = solver.ratio(1, term.sides)
    if term.explode is None:
        shares = _by_value(term, _first_faces(term, u), None, bonus=False)
        least = min(map(term.judged, shares))
        ordered = sorted(shares.items(), reverse=not term.keep.lowest)
        return ranked(solver, [(term.judged(value) - least, p) for value, p in ordered], term, least)
    first, bonus = _first_faces(term, u), dict.fromkeys(range(1, term.sides + 1), u)
    burst = {face for face in first if term.explode is not None and term.worth(face) in term.explode}
    hit = sum((p for face, p in first.items() if face in burst), u * 0)
    earned = _earned(solver, term, hit, u * len(burst))
    groups = [
        _by_value(term, first, burst, False),
        _by_value(term, {face: p for face, p in first.items() if face not in burst}, None, False),
        _by_value(term, bonus, burst, True),
        _by_value(term, {face: p for face, p in bonus.items() if face not in burst}, None, True),
    ]
    alike = [next(index for index, other in enumerate(groups) if other == group) for group in groups]
    used = sorted(set(alike))
    counts: dict[Counts, Any] = {}
    for earned_value, p in earned.items():
        key = tuple(
            sum(n for n, group in zip(earned_value, alike, strict=True) if group == at) for at in used
        )
        counts[key] = counts.get(key, 0) + p
    values = sorted({value for group in groups for value in group}, reverse=not term.keep.lowest)
    none = u * 0
    levels = [(term.judged(value), tuple(groups[at].get(value, none) for at in used)) for value in values]
    sums = top_of_groups(solver, levels, counts, term.keep.count)
    return Distribution(sums, whole=earned.whole)


def _first_faces(term: Term, u: Any) -> dict[int, Any]:
    """Return the chance of every face that a first die ends with, after it was thrown again."""
    faces = range(1, term.sides + 1)
    rerolled = {face for face in faces if term.reroll and term.worth(face) in term.reroll}
    most = MAX_CHAIN if term.until else 1 if rerolled else 0
    reroll_chance = u * len(rerolled)
    passes = sum(((reroll_chance**k) for k in range(most)), u * 0)
    return {face: u * reroll_chance**most + (u * passes if face not in rerolled else 0) for face in faces}


def _by_value(term: Term, faces: Mapping[int, Any], of: set[int] | None, bonus: bool) -> dict[int, Any]:
    """Return a group of dice: the chance of every value, given that the face is one of these."""
    counted = {face: p for face, p in faces.items() if of is None or face in of}
    total = sum(counted.values())
    by_value: dict[int, Any] = {}
    for face, p in counted.items():
        value = term.value(face, bonus=bonus)
        by_value[value] = by_value.get(value, 0) + p / total
    return by_value


def _earned(solver: Solver, term: Term, hit: Any, rerolled: Any) -> Distribution:
    """Return the chances of how many first dice explode, and how many bonus dice do."""
    certain = hit * 0 + 1
    longest = 0 if term.explode is None else 1 if term.once else MAX_CHAIN
    chain: dict[tuple[int, int], Any] = {(k, 1): rerolled**k * (1 - rerolled) for k in range(longest)}
    chain[longest, 0] = rerolled**longest
    distribution = Distribution()
    sums: dict[tuple[int, int], Any] = {(0, 0): certain}
    for n in range(term.count + 1):
        weight = comb(term.count, n) * hit**n * (1 - hit) ** (term.count - n)
        for (hits, others), p in sums.items():
            if weight * p > max(solver.cut, 0):
                distribution[n, term.count - n, hits, others] = weight * p
            elif weight * p:
                distribution.whole = False
        if not hit:
            break
        solver.charge(len(sums) * len(chain))
        following: dict[tuple[int, int], Any] = {}
        for (a, b), p in sums.items():
            for (c, d), q in chain.items():
                if p * q > max(solver.cut, 0):
                    following[a + c, b + d] = following.get((a + c, b + d), 0) + p * q
                elif p * q:
                    distribution.whole = False
        sums = following
    return distribution


def top_of_groups(
    solver: Solver, levels: list[Level], counts: Mapping[Counts, Any], keep: int
) -> dict[int, Any]:
    """Return the sum of what the `keep` first dice add, where so many dice of each group are thrown.

    Walked level by level; the state is how many dice of each group are placed, at most `keep` in all. The
    weights leave out how many dice there are, which is made up for once the places are full.
    """
    width = len(levels[0][1])
    none: Counts = (0,) * width
    rows: Rows = {}
    finished: dict[int, Any] = {}
    placed: dict[Counts, dict[int, Any]] = {none: {0: 1}}
    below_each = [
        tuple(sum((level[1][g] for level in levels[at + 1 :]), 0) for g in range(width))
        for at in range(len(levels))
    ]
    for (adds, at_level), below_level in zip(levels, below_each, strict=True):
        following: dict[Counts, dict[int, Any]] = {}
        for at, sums in placed.items():
            need = keep - sum(at)
            solver.charge(len(counts) * need * width + len(sums))
            filled = _filled(counts, at, need, at_level, below_level, rows)
            if filled:
                for total, weight in sums.items():
                    finished[total + need * adds] = finished.get(total + need * adds, 0) + weight * filled
            for placing in _placings(at_level, need - 1):
                solver.charge(len(sums))
                number = sum(placing)
                share = prod(p**n for p, n in zip(at_level, placing, strict=True)) / prod(
                    map(factorial, placing)
                )
                into = following.setdefault(tuple(a + b for a, b in zip(at, placing, strict=True)), {})
                for total, weight in sums.items():
                    after = total + number * adds
                    into[after] = into.get(after, 0) + weight * share
        placed = following
    return {total: p for total, p in finished.items() if p > 0}


def _placings(groups: tuple[Any, ...], most: int) -> Iterator[Counts]:
    """Yield how many dice of each group may show a level, at most so many in all."""
    if not groups:
        yield ()
        return
    for number in range(most + 1 if groups[0] else 1):
        for rest_placing in _placings(groups[1:], most - number):
            yield (number, *rest_placing)


def _filled(
    counts: Mapping[Counts, Any],
    at: Counts,
    need: int,
    at_level: tuple[Any, ...],
    below_level: tuple[Any, ...],
    rows: Rows,
) -> Any:
    """Return the chance, times what the weights left out, that the level fills the places that are open."""
    total: Any = 0
    for numbers, p in counts.items():
        dice_left = [number - taken for number, taken in zip(numbers, at, strict=True)]
        if min(dice_left) < 0:
            continue
        row: list[Any] = [1]
        for number, yes, no in zip(dice_left, at_level, below_level, strict=True):
            key = (number, yes, no, need)
            factor_row = rows.get(key)
            if factor_row is None:
                factor_row = rows[key] = _row(*key)
            sums: list[Any] = [0] * (need + 1)
            for a, x in enumerate(row):
                if x:
                    for b, y in enumerate(factor_row):
                        sums[min(need, a + b)] += x * y
            row = sums
        if row[need]:
            total += (
                p
                * row[need]
                * prod(factorial(n) // factorial(n - a) for n, a in zip(numbers, at, strict=True))
            )
    return total


def _row(number: int, yes: Any, no: Any, need: int) -> tuple[Any, ...]:
    """Return the chances of 0, 1, ... of so many dice; the last is that of `need` and more."""
    if not yes:
        return (no**number if number else 1,)
    chances = [
        comb(number, k) * yes**k * (no ** (number - k) if number > k else 1) for k in range(number + 1)
    ]
    return (*chances[:need], sum(chances[need:])) if number >= need else tuple(chances)


def parts_kept(dice: Dice, keep: int, lowest: bool, parts: tuple[Asked, ...]) -> int:
    """Apply unlike rules, one after another, and add up the highest outcomes, or the lowest.

    Owes nothing to a game; no ledger.
    """
    results = sorted((dice.call(rule, *args) for rule, args in parts), reverse=not lowest)
    return sum(results[:keep])


@answers(parts_kept)
def parts_kept_chances(solver: Solver, keep: int, lowest: bool, parts: tuple[Asked, ...]) -> Distribution:
    """Return the chances of `parts_kept`, for every value that may be the last one kept."""
    if len(set(parts)) == 1:
        return solver.distribution(best_of, (len(parts), keep, lowest, *parts[0]), {})
    sign = -1 if lowest else 1
    distributions = [solver.distribution(rule, args, {}) for rule, args in parts]
    distribution = Distribution(whole=all(part.whole for part in distributions))
    for last in sorted({sign * value for one in distributions for value in one}):
        states: dict[tuple[int, int, int], Any] = {(0, 0, 0): 1}
        for one in distributions:
            better_values = [(sign * value, p) for value, p in one.items() if sign * value > last]
            last_chance = one.get(sign * last, 0)
            worse_chance = sum(p for value, p in one.items() if sign * value < last)
            solver.charge(len(states) * (len(better_values) + 2))
            following: dict[tuple[int, int, int], Any] = {}
            for (better, equal, total), p in states.items():
                options = [((better, equal + 1, total), last_chance), ((better, equal, total), worse_chance)]
                if better + 1 < keep:
                    options += [((better + 1, equal, total + value), q) for value, q in better_values]
                for state, q in options:
                    if q and p * q > max(solver.cut, 0):
                        following[state] = following.get(state, 0) + p * q
                    elif q:
                        distribution.whole = False
            states = following
        for (better, equal, total), p in states.items():
            if better < keep <= better + equal:
                value = sign * (total + (keep - better) * last)
                distribution[value] = distribution.get(value, 0) + p
    return distribution
