"""The exact reading of a rule: every outcome with its chance.

`Solver` runs the rule once for each branch of its draws and merges equal outcomes. Floats in service, where
branches below `CUT` are dropped and `Odds.error` is what they held; `exact=True` uses fractions and drops
nothing. A work counter, charged before anything is enumerated, refuses with `TooLarge` what would take too
long: the same question is refused on every machine. The caller may also give a `watch`, which is called all
the while and raises `TooLarge` when its own patience ends. `estimate` and `sample` throw dice instead.

>>> Solver(exact=True).solve(lambda dice: max(dice.face(6, "a"), dice.face(6, "b"))).chances[6]
Fraction(11, 36)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache
from itertools import compress, repeat, starmap
from math import comb, prod
from operator import truediv
from typing import Any, Concatenate

from .branches import Branches
from .convolution import kept, places_of
from .odds import Distribution, Number, Odds
from .seam import Dice, Die, Hand, P, R, S, Step, Stop, at_most, require_repeats
from .sums import Sums, pack, unpack, unpacked

Part = tuple[int, int, Callable[..., int], tuple[Any, ...]]
"""A part of a sum: how often, times which factor, and the rule with its arguments that gives a number."""


def add_up(dice: Dice, *parts: Part) -> int:
    """Add up independent parts, one after another. The solver adds their chances without running this.

    Owes nothing to a game; no ledger.
    """
    return sum(factor * dice.total(times, rule, *args) for times, factor, rule, args in parts)


def best_of(
    dice: Dice,
    times: int,
    keep: int,
    lowest: bool,
    rule: Callable[..., int],
    args: tuple[Any, ...],
    skip: int = 0,
) -> int:
    """Apply a rule so many times, and add up the `keep` highest outcomes, or the lowest.

    skip: so many of the very highest, or lowest, are passed over first. The solver places outcomes from the
    best on without running this. No ledger.

    >>> from rules.dice import Solver
    >>> def d6(dice: Dice) -> int:
    ...     return dice.face(6, "d6")
    >>> Solver(exact=True).solve(best_of, 40, 20, False, d6, ()).chances[120].denominator == 6**40
    False
    """
    _require_best(times, keep, skip)
    results = sorted((rule(dice, *args) for _ in range(times)), reverse=not lowest)
    return sum(results[skip : skip + keep])


def _require_best(times: int, keep: int, skip: int) -> None:
    require_repeats(times)
    if keep < 0 or skip < 0:
        raise ValueError(f"best_of can't keep {keep} or skip {skip} outcomes (each must be 0 or more)")


Answer = Callable[..., "Distribution"]
"""A function that the solver calls instead of running a rule: it gets the solver and the rule's arguments."""

ANSWERS: dict[Callable[..., Any], Answer] = {}
"""The answer to each rule that was marked with `answers`."""


def answers(rule: Callable[..., Any]) -> Callable[[Answer], Answer]:
    """Mark a function as the shorter way to the chances of a rule; both must come to the same."""

    def marked(answer: Answer) -> Answer:
        ANSWERS[rule] = answer
        return answer

    return marked


MAX_COUNTED = 1300
"""Dice times the length of their chain times faces up to which a pool is counted in whole ways at once."""

_Share = tuple[tuple[int, ...], tuple[int, ...], Number]

Pool = tuple[Iterable[tuple[int, ...]], Iterable[Number], bool]
"""The tallies that dice may show, the chance of each, and whether nothing was left out."""


class Solver(Sums):
    """Solves rules exactly; it remembers what it solved, so use a new one for questions of another kind.

    `work` bounds the branches it may enumerate until `anew`; beyond it `TooLarge` is raised. cut: branches
    less likely than this are dropped; 0 keeps all, those too whose chance is too small for a float. watch: is
    called again and again while there is work, and raises `TooLarge` to end it.
    """

    __slots__ = ()

    def solve(self, rule: Callable[Concatenate[Dice, P], R], *args: P.args, **kwargs: P.kwargs) -> Odds[R]:
        """Return all outcomes of rule(dice, *args) with their chances. Raises TooLarge."""
        chances = self.distribution(rule, args, kwargs)
        return Odds(chances, whole=chances.whole)

    def walked(
        self, rule: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any] | None = None
    ) -> Distribution:
        """Return the chances of a rule, run once for each branch of its draws. Raises TooLarge."""
        return Branches(self).run(rule, args, kwargs or {})

    def distribution(
        self, rule: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Distribution:
        """Return the chances of a rule with these arguments, worked out once. Raises TooLarge."""
        key = (rule, args, tuple(sorted(kwargs.items())))
        cached = self._known.get(key)
        if cached is None:
            if rule is add_up:
                cached = self._added(*args)
            elif rule is best_of:
                cached = self._best(*args)
            elif rule in ANSWERS:
                cached = ANSWERS[rule](self, *args, **kwargs)
            else:
                cached = self.walked(rule, args, kwargs)
            self._known[key] = cached
        return cached

    def _best(
        self,
        times: int,
        keep: int,
        lowest: bool,
        rule: Callable[..., int],
        args: tuple[Any, ...],
        skip: int = 0,
    ) -> Distribution:
        """Return the sum of the highest, or the lowest, of independent outcomes of a rule."""
        _require_best(times, keep, skip)
        keep = min(keep, times - skip)
        if keep < 1:
            return Distribution({0: self.one()})
        distribution = self.distribution(rule, args, {})
        least = min(distribution)
        order = sorted(((value - least, p) for value, p in distribution.items()), reverse=not lowest)
        sums, whole = kept(order, times, keep, self.cut, self.charge, skip)
        found = {value + keep * least: p for value, p in sums.items()}
        return Distribution(found, whole=whole and distribution.whole)

    def _added(self, *parts: Part) -> Distribution:
        """Return the sum of independent parts. Plain dice come last, each by a sliding sum of whole ways."""
        fixed = 0
        constants: list[int] = []
        others: list[Distribution] = []
        for times, factor, rule, args in parts:
            require_repeats(times)
            distribution = self.distribution(rule, args, {})
            low, high = min(distribution), max(distribution)
            sides = len(distribution)
            even = high - low + 1 == sides and distribution.whole and len(set(distribution.values())) == 1
            if even and abs(factor) == 1:
                constants += [sides] * (times if sides > 1 else 0)
                fixed += times * factor * (low if factor > 0 else high)
                continue
            power = self.power((rule, args), distribution, times)
            scaled = {factor * value: p for value, p in power.items()} if factor != 1 else power
            others.append(Distribution(scaled, whole=power.whole))
        if constants:
            others.append(self.plain(constants, fixed))
        elif fixed or not others:
            others.append(Distribution({fixed: self.one()}))
        total, *others = sorted(others, key=len)
        for other in others:
            total = self.convolve(total, other)
        return total

    def total(
        self, n: int, rule: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Distribution:
        """Return the sum of several outcomes of a rule. See `Dice.total`."""
        key = (rule, args, tuple(sorted(kwargs.items())))
        distribution = self.distribution(rule, args, kwargs)
        sample = next(iter(distribution))
        if not isinstance(sample, tuple):
            return self.power(key, distribution, n)
        packed = Distribution({pack(value): p for value, p in distribution.items()}, whole=distribution.whole)
        return unpacked(self.power(key, packed, n, len(sample)), len(sample))

    def pool(self, n: int, die: Die, outcome: Callable[..., Any] | None = None) -> Distribution:
        """Return what a pool of dice shows. See `Dice.pool`. outcome: what is made of the tallies."""
        key = "pool", n, die, outcome
        cached = self._known.get(key)
        if cached is None:
            at_most(n)
            values, chances, whole = self._counted_pool(n, die) or self._summed_pool(n, die)
            values = starmap(outcome, values) if outcome is not None else values
            cached = Distribution(zip(values, chances, strict=True), whole=whole)
            self._known[key] = cached
        return cached

    def _summed_pool(self, n: int, die: Die) -> Pool:
        width = len(die.tallies)
        sums = self.power(die, self._chain(die, die.waves), n, width)
        return (unpack(packed, width) for packed in sums), sums.values(), sums.whole

    def _counted_pool(self, n: int, die: Die) -> Pool | None:
        """Count in whole ways what few dice with one tally show; None for many, or if branches are cut."""
        if self.cut >= 0 or len(die.tallies) != 1 or n * (die.waves + 1) * die.sides > MAX_COUNTED:
            return None
        self.charge(n * die.waves)
        counts, low, whole = _counted_ways(die, n)
        shares = map(Fraction if self.exact else truediv, filter(None, counts), repeat(whole))
        return compress(zip(range(low, low + len(counts))), counts), shares, True

    def _chain(self, die: Die, waves: int) -> Distribution:
        """Tallies, packed, of one die with all the bonus dice it earns in at most `waves` further throws."""
        key = "chain", die, waves
        cached = self._known.get(key)
        if cached is None:
            cached = Distribution()
            cut = self.cut
            last_faces, earns = _sorted_faces(die)
            nothing = Distribution({0: self.one()})
            next_chain = self._chain(die.bonus or die, waves - 1) if waves and earns else nothing
            for base, count in last_faces.items():
                cached[base] = self.ratio(count, die.sides)
            for base, count in earns.items():
                p = self.ratio(count, die.sides)
                self.charge(len(next_chain))
                cached.whole &= next_chain.whole
                for extra, q in next_chain.items():
                    weight = p * q
                    if weight > cut:
                        cached[base + extra] = cached.get(base + extra, 0) + weight
                    else:
                        cached.whole = False
            self._known[key] = cached
        return cached

    def sweep(self, hands: tuple[Hand, ...], step: Step[S], start: S) -> Distribution:
        """Return where a walk over the dice from best to worst ends. See `Dice.sweep`."""
        for n, _ in hands:
            at_most(n)
        ranks = sorted({rank for _, die in hands for rank in die.ranks if rank}, reverse=True)
        below = [die.sides for _, die in hands]
        finished = Distribution()
        standing = Distribution({(start, tuple(n for n, _ in hands)): self.one()})
        cut = self.cut
        for rank in ranks:
            parts = [die.ranks.count(rank) for _, die in hands]
            odds = list(zip(parts, below, strict=True))
            below = [whole - part for whole, part in zip(below, parts, strict=True)]
            shares: dict[tuple[int, ...], list[_Share]] = {}
            following = Distribution()
            for (state, dice_left), p in standing.items():
                if dice_left not in shares:
                    shares[dice_left], all_kept = self._shares(dice_left, odds)
                    finished.whole &= all_kept
                self.charge(len(shares[dice_left]))
                for counts, rest_dice, q in shares[dice_left]:
                    weight = p * q
                    if weight <= cut:
                        finished.whole = False
                        continue
                    after = step(state, rank, counts) if rest_dice != dice_left else state
                    if isinstance(after, Stop):
                        finished[after.state] = finished.get(after.state, 0) + weight
                    else:
                        key = (after, rest_dice)
                        following[key] = following.get(key, 0) + weight
            standing = following
        for (state, _), p in standing.items():
            finished[state] = finished.get(state, 0) + p
        return finished

    def _shares(self, dice_left: tuple[int, ...], odds: list[tuple[int, int]]) -> tuple[list[_Share], bool]:
        """Return how many of each hand's remaining dice may show a rank, the others, and the chance.

        Second whether nothing was dropped.
        """
        cut = self.cut
        everything = 1
        shares: list[_Share] = [((), (), self.one())]
        for count, (part, whole) in zip(dice_left, odds, strict=True):
            if part in (0, whole):
                row = [(count if part else 0, self.one())]
            else:
                row = list(enumerate(self.binomial(count, part, whole)))
            self.charge(len(shares) * len(row))
            everything *= len(row)
            shares = [
                ((*counts, k), (*rest, count - k), weight * q)
                for counts, rest, weight in shares
                for k, q in row
                if weight * q > cut
            ]
        return shares, len(shares) == everything

    def draw(self, bag: tuple[int, ...], n: int) -> Distribution:
        """Return what is drawn from a bag. See `Dice.draw`."""
        total = sum(bag)
        if not 0 <= n <= total:
            raise ValueError(f"cannot draw {n} from a bag of {total}")
        partial: list[tuple[tuple[int, ...], int]] = [((), n)]
        room = total
        for count in bag:
            room -= count
            self.charge(sum(min(count, others) - max(0, others - room) + 1 for _, others in partial))
            partial = [
                ((*drawn, k), left - k)
                for drawn, left in partial
                for k in range(max(0, left - room), min(count, left) + 1)
            ]
        cases = comb(total, n)
        return Distribution(
            {
                taken: self.ratio(prod(comb(c, k) for c, k in zip(bag, taken, strict=True)), cases)
                for taken, _ in partial
            }
        )


def _counted_ways(die: Die, n: int) -> tuple[list[int], int, int]:
    """Count the ways in which dice and the bonus dice they may earn come to each value, in one long number.

    Returns the counts, the lowest value, and how many ways there are in all.
    """
    links, everything = [die], len(die.facets)
    for _ in range(die.waves):
        links.append(links[-1].bonus or links[-1])
        everything *= len(links[-1].facets)
    place = (everything**n).bit_length() // 8 + 1
    ways, low, whole, link = 1, 0, 1, None
    for link_before in reversed(links):
        if link_before is not link:
            link, faces = link_before, [0, 0]
            least = min(0, min([facet.adds[0] for facet in link.facets]))
            for _, (value,), explodes in link.facets:
                faces[explodes] += 1 << 8 * place * (value - least)
        last_faces, earns = faces
        ways = (last_faces * whole << 8 * place * -low) + earns * ways
        low, whole = low + least, whole * len(link.facets)
    return places_of(ways**n, place), n * low, everything**n


@lru_cache(maxsize=1024)
def _sorted_faces(die: Die) -> tuple[dict[int, int], dict[int, int]]:
    """Return how many faces add each packed tally: of those that end a chain, and of those that go on."""
    sorted_faces: tuple[dict[int, int], dict[int, int]] = {}, {}
    for facet in die.facets:
        counts, base = sorted_faces[facet.again], pack(facet.adds)
        counts[base] = counts.get(base, 0) + 1
    return sorted_faces


def solve(rule: Callable[Concatenate[Dice, P], R], *args: P.args, **kwargs: P.kwargs) -> Odds[R]:
    """Solve one rule with floats: every outcome of rule(dice, *args) with its chance. Raises TooLarge."""
    return Solver().solve(rule, *args, **kwargs)
