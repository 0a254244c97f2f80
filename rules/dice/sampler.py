"""Sampling fast: dice without a trace, and whatever is quickly solved is drawn at once from its chances.

A pool of forty dice is one draw from its distribution, not forty dice. Parts that the solver can't work out
with little work are thrown die by die.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Mapping
from itertools import accumulate
from typing import Any, Concatenate

from .odds import Distribution, Estimate
from .seam import Dice, Die, Hand, P, R, S, Step, Stop, Tally, add, at_most, require_repeats, require_sides
from .solver import Solver
from .sums import TooLarge

WORK = 50_000
"""Possibilities up to which a part of a rule is solved rather than thrown."""

ALL_WORK = 300_000
"""Possibilities that all parts of one rule may take together."""

Row = tuple[list[Any], list[float]]
"""Outcomes, and their chances added up."""


class Sampler:
    """Throws a rule's dice from uniform numbers: a `Dice` that keeps neither faces nor labels.

    chance: gives a number from 0 up to, but not including, 1, such as `random.Random(7).random`.

    >>> from random import Random
    >>> sampler = Sampler(Random(7).random)
    >>> 3 <= sampler.total(3, lambda dice: dice.face(6, "d6")) <= 18
    True
    """

    __slots__ = ("_chance", "_left", "_rows")

    def __init__(self, chance: Callable[[], float]) -> None:
        self._chance = chance
        self._left = ALL_WORK
        self._rows: dict[Any, Row | None] = {}

    def _row(self, solve: Callable[[Solver], Distribution]) -> Row | None:
        """Return the chances of a part, added up; None if they take too much work."""
        solver = Solver(work=min(WORK, self._left))
        try:
            solved: Mapping[Any, Any] = solve(solver)
        except TooLarge:
            return None
        finally:
            self._left -= min(self._left, solver.spent)
        return list(solved), list(accumulate(map(float, solved.values())))

    def _drawn(self, row: Row) -> Any:
        outcomes, sums = row
        return outcomes[min(bisect(sums, self._chance() * sums[-1]), len(outcomes) - 1)]

    def _solved(self, verb: str, n: int, rule: Callable[..., Any], args: Any, kwargs: dict[str, Any]) -> Any:
        """Return a draw from the chances of a rule, or of the sum of several; None if it is not solved."""
        key = verb, n, rule, args, tuple(sorted(kwargs.items())) if kwargs else ()
        row = self._rows.get(key, key)
        if row is key:
            if verb == "call":
                row = self._row(lambda solver: solver.distribution(rule, args, kwargs))
            else:
                row = self._row(lambda solver: solver.total(n, rule, args, kwargs))
            self._rows[key] = row
        return row

    def pool(self, n: int, die: Die, label: str) -> tuple[int, ...]:
        """See `Dice.pool`."""
        key = "pool", n, die
        if key not in self._rows:
            self._rows[key] = self._row(lambda solver: solver.pool(n, die))
        row = self._rows[key]
        return self._drawn(row) if row is not None else self._thrown(n, die)

    def _thrown(self, n: int, die: Die) -> tuple[int, ...]:
        at_most(n)
        chance = self._chance
        sums = [0] * len(die.tallies)
        current, waves = die, die.waves
        while n > 0:
            facets, sides, earned = current.facets, current.sides, 0
            for _ in range(n):
                facet = facets[int(chance() * sides)]
                for place, value in enumerate(facet.adds):
                    sums[place] += value
                earned += facet.again
            n = earned if waves else 0
            waves -= 1
            current = current.bonus or current
        return tuple(sums)

    def face(self, sides: int, label: str) -> int:
        """See `Dice.face`."""
        require_sides(sides)
        return int(self._chance() * sides) + 1

    def total(
        self, n: int, rule: Callable[Concatenate[Dice, P], Tally], *args: P.args, **kwargs: P.kwargs
    ) -> Tally:
        """See `Dice.total`."""
        require_repeats(n)
        row = self._solved("total", n, rule, args, kwargs)
        if row is not None:
            return self._drawn(row)  # type: ignore[no-any-return]
        row = self._solved("call", 1, rule, args, kwargs)
        outcome: Tally = self._drawn(row) if row is not None else rule(self, *args, **kwargs)
        for _ in range(n - 1):
            outcome = add(outcome, self._drawn(row) if row is not None else rule(self, *args, **kwargs))
        return outcome

    def sweep(self, hands: tuple[Hand, ...], step: Step[S], start: S, label: str) -> S:
        """See `Dice.sweep`."""
        chance = self._chance
        shown: dict[int, list[int]] = {}
        for place, (n, die) in enumerate(hands):
            at_most(n)
            ranks, sides = die.ranks, die.sides
            for _ in range(n):
                rank = ranks[int(chance() * sides)]
                counts = shown.get(rank)
                if counts is None:
                    counts = shown[rank] = [0] * len(hands)
                counts[place] += 1
        shown.pop(0, None)
        state = start
        for rank in sorted(shown, reverse=True):
            after = step(state, rank, tuple(shown[rank]))
            if isinstance(after, Stop):
                return after.state
            state = after
        return state

    def draw(self, bag: tuple[int, ...], n: int, label: str) -> tuple[int, ...]:
        """See `Dice.draw`."""
        bag_left, drawn, total = list(bag), [0] * len(bag), sum(bag)
        if not 0 <= n <= total:
            raise ValueError(f"cannot draw {n} from a bag of {total}")
        for size in range(total, total - n, -1):
            place = int(self._chance() * size)
            for kind, count in enumerate(bag_left):
                place -= count
                if place < 0:
                    bag_left[kind] -= 1
                    drawn[kind] += 1
                    break
        return tuple(drawn)

    def call(self, rule: Callable[Concatenate[Dice, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
        """See `Dice.call`."""
        row = self._solved("call", 1, rule, args, kwargs)
        return self._drawn(row) if row is not None else rule(self, *args, **kwargs)


def sample(
    rule: Callable[Concatenate[Dice, P], R],
    chance: Callable[[], float],
    enough: Callable[[int], bool],
    *args: P.args,
    **kwargs: P.kwargs,
) -> Estimate[R]:
    """Sample a rule until it is enough.

    chance: see `Sampler`. enough: is told how many rolls there are, from 1 on.
    """
    counts: dict[R, int] = {}
    rolls = 0
    sampler = Sampler(chance)
    while not rolls or not enough(rolls):
        outcome = rule(sampler, *args, **kwargs)
        counts[outcome] = counts.get(outcome, 0) + 1
        rolls += 1
    return Estimate(counts, rolls)
