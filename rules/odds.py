"""The exact reading of a rule: every outcome with its chance.

`Solver` runs the rule once for each branch of its draws and merges equal outcomes. Floats in service, where
branches below `CUT` are dropped and `Odds.error` is what they held; `exact=True` uses fractions and drops
nothing. A work counter, charged before anything is enumerated, refuses with `TooLarge` what would take too
long: the same question is refused on every machine. `estimate` samples instead.

>>> Solver(exact=True).solve(lambda dice: max(dice.face(6, "a"), dice.face(6, "b"))).chances[6]
Fraction(11, 36)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb, prod, sqrt
from typing import Any, Concatenate, Generic, Self, TypeVar, cast

from rules.dice import Dice, Die, Hand, P, R, Ranks, Roller, S, Source, Step, Stop, Tally, at_most

CUT = 1e-11
"""Branches less likely than this are dropped when solving with floats."""

HARDLY = 1e-10
"""What a chance is at least that is not nothing, and at least less than certainty.

What was cut of one outcome, and what floats lose as they are added, stays below it.
"""

WORK = 2_000_000
"""Branches a question may take before it is refused."""

Number = float | Fraction


class Distribution(dict[Any, Number]):
    """Outcomes with their chances. whole: nothing that is possible was left out."""

    __slots__ = ("whole",)

    def __init__(self, entries: Mapping[Any, Number] | None = None, *, whole: bool = True) -> None:
        super().__init__(entries or {})
        self.whole = whole


_Share = tuple[tuple[int, ...], tuple[int, ...], Number]

T = TypeVar("T")


class TooLarge(Exception):
    """The question has more branches than the solver's limit; `estimate` can answer it."""


@dataclass(frozen=True, slots=True)
class Odds(Generic[R]):
    """Every outcome of a rule with its chance, likeliest first.

    rolls: how many sampled rolls the chances come from, 0 where they were solved. whole: every outcome that
    is possible is among them.
    """

    chances: Mapping[R, Number]
    rolls: int = 0
    whole: bool = True

    @property
    def error(self) -> float:
        """How far a chance may be off: what cutting left out, or two standard errors at most."""
        if self.rolls:
            return 1 / sqrt(self.rolls)
        return max(0.0, float(1 - sum(self.chances.values())))

    def chance(self, event: Callable[[R], bool]) -> float:
        """Chance that an outcome satisfies the event: 0 where none can, 1 where all must, and else between
        `HARDLY` and one less it; where outcomes were left out, it is never held for impossible or certain.
        """
        met = [bool(event(outcome)) for outcome in self.chances]
        if self.whole and (all(met) or not any(met)):
            return float(all(met))
        share = float(sum(p for p, fits in zip(self.chances.values(), met, strict=True) if fits))
        return min(max(share, HARDLY), 1 - HARDLY)

    def each(self) -> dict[R, float]:
        """Every outcome with its chance, as `chance` gives it."""
        alone = self.whole and len(self.chances) == 1
        return {
            outcome: 1.0 if alone else min(max(float(p), HARDLY), 1 - HARDLY)
            for outcome, p in self.chances.items()
        }

    def mean(self, value: Callable[[R], float]) -> float:
        """Average of a value over all outcomes."""
        return float(sum(value(outcome) * float(p) for outcome, p in self.chances.items()))

    def map(self, key: Callable[[R], T]) -> Odds[Any]:
        """Odds of what `key` tells of each outcome."""
        merged = Distribution(whole=self.whole)
        for outcome, p in self.chances.items():
            name = key(outcome)
            merged[name] = merged.get(name, 0) + p
        return Odds(_odds(merged).chances, self.rolls, self.whole)


FIELD_BITS = 32
"""Width of one tally when several are packed into one number, so that adding is one addition."""


def _pack(values: tuple[int, ...]) -> int:
    packed = 0
    for value in reversed(values):
        packed = (packed << FIELD_BITS) + value
    return packed


def _unpack(packed: int, width: int) -> tuple[int, ...]:
    values = []
    half = 1 << (FIELD_BITS - 1)
    for _ in range(width):
        value = ((packed + half) & ((1 << FIELD_BITS) - 1)) - half
        values.append(value)
        packed = (packed - value) >> FIELD_BITS
    return tuple(values)


def _unpacked(packed: Distribution, width: int) -> Distribution:
    return Distribution({_unpack(value, width): p for value, p in packed.items()}, whole=packed.whole)


def _odds(distribution: Distribution) -> Odds[Any]:
    ordered = dict(sorted(distribution.items(), key=lambda item: -item[1]))
    return Odds(ordered, whole=distribution.whole)


class Solver:
    """Solves rules exactly; it remembers what it solved, so use a new one for questions of another kind.

    `work` bounds the branches it may enumerate until `anew`; beyond it `TooLarge` is raised. cut: branches
    less likely than this are dropped; 0 keeps all, those too whose chance is too small for a float.
    """

    __slots__ = ("_chains", "_cut", "_pools", "_powers", "_solved", "_spent", "exact", "work")

    def __init__(self, *, exact: bool = False, work: int = WORK, cut: float = CUT) -> None:
        self.exact = exact
        self.work = work
        self._cut = -1.0 if exact or not cut else cut
        self._spent = 0
        self._solved: dict[Any, Distribution] = {}
        self._pools: dict[Any, Distribution] = {}
        self._chains: dict[Any, Distribution] = {}
        self._powers: dict[Any, Distribution] = {}

    def solve(self, rule: Callable[Concatenate[Dice, P], R], *args: P.args, **kwargs: P.kwargs) -> Odds[R]:
        """All outcomes of rule(dice, *args) with their chances. Raises TooLarge."""
        return _odds(self._distribution(rule, args, kwargs))

    def anew(self) -> Self:
        """Itself for another question: the work counts from the start, what it solved is remembered."""
        self._spent = 0
        return self

    def _distribution(
        self, rule: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Distribution:
        key = (rule, args, tuple(sorted(kwargs.items())))
        known = self._solved.get(key)
        if known is None:
            known = self._solved[key] = _Branches(self).run(rule, args, kwargs)
        return known

    def _total(
        self, n: int, rule: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Distribution:
        key = (rule, args, tuple(sorted(kwargs.items())))
        one = self._distribution(rule, args, kwargs)
        sample = next(iter(one))
        if not isinstance(sample, tuple):
            return self._power(key, one, n)
        packed = Distribution({_pack(value): p for value, p in one.items()}, whole=one.whole)
        return _unpacked(self._power(key, packed, n), len(sample))

    def _charge(self, branches: int) -> None:
        self._spent += branches
        if self._spent > self.work:
            raise TooLarge(f"more than {self.work} possibilities")

    def _ratio(self, part: int, whole: int) -> Number:
        return Fraction(part, whole) if self.exact else part / whole

    def _one(self) -> Number:
        return Fraction(1) if self.exact else 1.0

    # ------------------------------------------------------------- distributions of single draws

    def _pool(self, n: int, die: Die) -> Distribution:
        key = (n, die)
        known = self._pools.get(key)
        if known is None:
            at_most(n)
            summed = self._power(die, self._chain(die, die.waves), n)
            known = self._pools[key] = _unpacked(summed, len(die.tallies))
        return known

    def _chain(self, die: Die, waves: int) -> Distribution:
        """Tallies, packed, of one die with all the bonus dice it earns in at most `waves` further throws."""
        key = (die, waves)
        known = self._chains.get(key)
        if known is None:
            known = Distribution()
            p = self._ratio(1, die.sides)
            cut = self._cut
            for facet in die.facets:
                base = _pack(facet.adds)
                if facet.again and waves:
                    further = self._chain(die.bonus or die, waves - 1)
                    self._charge(len(further))
                    known.whole &= further.whole
                    for extra, q in further.items():
                        if p * q > cut:
                            known[base + extra] = known.get(base + extra, 0) + p * q
                        else:
                            known.whole = False
                else:
                    known[base] = known.get(base, 0) + p
            self._chains[key] = known
        return known

    def _power(self, key: Any, one: Distribution, n: int) -> Distribution:
        """Distribution of the sum of n independent draws of `one`; values are numbers."""
        if n == 1:
            return one
        known = self._powers.get((key, n))
        if known is None:
            half = self._power(key, one, n // 2)
            known = self._convolve(half, half)
            if n % 2:
                known = self._convolve(known, one)
            self._powers[key, n] = known
        return known

    def _convolve(self, left: Distribution, right: Distribution) -> Distribution:
        self._charge(len(left) * len(right))
        cut = self._cut
        result = Distribution(whole=left.whole and right.whole)
        get = result.get
        for a, p in left.items():
            for b, q in right.items():
                weight = p * q
                if weight > cut:
                    value = a + b
                    result[value] = get(value, 0) + weight
                else:
                    result.whole = False
        return result

    def _binomial(self, n: int, part: int, whole: int) -> list[Number]:
        """Chances of 0 to n among n dice, each with chance part / whole."""
        if self.exact:
            hit, miss = Fraction(part, whole), Fraction(whole - part, whole)
            return [comb(n, k) * hit**k * miss ** (n - k) for k in range(n + 1)]
        share = part / whole
        rest = 1.0 - share
        return [comb(n, k) * share**k * rest ** (n - k) for k in range(n + 1)]

    def _sweep(self, hands: tuple[Hand, ...], step: Step[S], start: S) -> Distribution:
        for n, _ in hands:
            at_most(n)
        ranks = sorted({rank for _, die in hands for rank in die.ranks if rank}, reverse=True)
        below = [die.sides for _, die in hands]
        done = Distribution()
        standing = Distribution({(start, tuple(n for n, _ in hands)): self._one()})
        cut = self._cut
        for rank in ranks:
            parts = [die.ranks.count(rank) for _, die in hands]
            odds = list(zip(parts, below, strict=True))
            below = [whole - part for whole, part in zip(below, parts, strict=True)]
            shares: dict[tuple[int, ...], list[_Share]] = {}
            following = Distribution()
            for (state, left), p in standing.items():
                if left not in shares:
                    shares[left], all_kept = self._shares(left, odds)
                    done.whole &= all_kept
                self._charge(len(shares[left]))
                for counts, rest, q in shares[left]:
                    weight = p * q
                    if weight <= cut:
                        done.whole = False
                        continue
                    after = step(state, rank, counts) if rest != left else state
                    if isinstance(after, Stop):
                        done[after.state] = done.get(after.state, 0) + weight
                    else:
                        key = (after, rest)
                        following[key] = following.get(key, 0) + weight
            standing = following
        for (state, _), p in standing.items():
            done[state] = done.get(state, 0) + p
        return done

    def _shares(self, left: tuple[int, ...], odds: list[tuple[int, int]]) -> tuple[list[_Share], bool]:
        """How many of the dice left in each hand may show a rank: those, the others, and the chance.

        Second whether nothing was dropped.
        """
        cut = self._cut
        everything = 1
        shares: list[_Share] = [((), (), self._one())]
        for count, (part, whole) in zip(left, odds, strict=True):
            if part in (0, whole):
                row = [(count if part else 0, self._one())]
            else:
                row = list(enumerate(self._binomial(count, part, whole)))
            self._charge(len(shares) * len(row))
            everything *= len(row)
            shares = [
                ((*counts, k), (*rest, count - k), weight * q)
                for counts, rest, weight in shares
                for k, q in row
                if weight * q > cut
            ]
        return shares, len(shares) == everything

    def _draw(self, bag: tuple[int, ...], n: int) -> Distribution:
        whole = sum(bag)
        if not 0 <= n <= whole:
            raise ValueError(f"cannot draw {n} from a bag of {whole}")
        partial: list[tuple[tuple[int, ...], int]] = [((), n)]
        room = whole
        for count in bag:
            room -= count
            self._charge(sum(min(count, left) - max(0, left - room) + 1 for _, left in partial))
            partial = [
                ((*taken, k), left - k)
                for taken, left in partial
                for k in range(max(0, left - room), min(count, left) + 1)
            ]
        cases = comb(whole, n)
        return Distribution(
            {
                taken: self._ratio(prod(comb(c, k) for c, k in zip(bag, taken, strict=True)), cases)
                for taken, _ in partial
            }
        )


class _Branches:
    """Runs one rule along every branch: a `Dice` that replays a path of draws and extends it by one."""

    __slots__ = ("_at", "_options", "_places", "_solver", "_values", "_weights", "_whole")

    def __init__(self, solver: Solver) -> None:
        self._solver = solver
        self._at = 0
        self._options: list[list[tuple[Any, Number]]] = []
        self._places: list[int] = []
        self._values: list[Any] = []
        self._weights: list[Number] = [solver._one()]
        self._whole = True

    def run(self, rule: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Distribution:
        """All outcomes of the rule with their chances."""
        result = Distribution()
        weights, charge = self._weights, self._solver._charge
        while True:
            self._at = 0
            charge(1)
            outcome = rule(self, *args, **kwargs)
            result[outcome] = result.get(outcome, 0) + weights[-1]
            if not self._next():
                result.whole = self._whole
                return result

    def _next(self) -> bool:
        """Step to the next branch; False when all have been walked."""
        options, places, weights = self._options, self._places, self._weights
        while options:
            place = places[-1] + 1
            if place < len(options[-1]):
                value, p = options[-1][place]
                places[-1] = place
                self._values[-1] = value
                weights[-1] = weights[-2] * p
                return True
            options.pop()
            places.pop()
            self._values.pop()
            weights.pop()
        return False

    def _take(self, distribution: Distribution) -> Any:
        """A draw not met before on this path: remember its values, give the first."""
        weight = self._weights[-1]
        cut = self._solver._cut
        options = [(value, p) for value, p in distribution.items() if weight * p > cut]
        dropped = len(distribution) - len(options)
        self._solver._charge(dropped)
        self._whole = self._whole and distribution.whole and not dropped
        if not options:
            options = [max(distribution.items(), key=lambda item: item[1])]
        value, p = options[0]
        self._options.append(options)
        self._places.append(0)
        self._values.append(value)
        self._weights.append(weight * p)
        return value

    def _known(self) -> bool:
        self._at += 1
        return self._at <= len(self._values)

    def pool(self, n: int, die: Die, label: str) -> tuple[int, ...]:
        """See `Dice.pool`."""
        if self._known():
            return cast(tuple[int, ...], self._values[self._at - 1])
        if n <= 0:
            nothing = Distribution({(0,) * len(die.tallies): self._solver._one()})
            return cast(tuple[int, ...], self._take(nothing))
        return cast(tuple[int, ...], self._take(self._solver._pool(n, die)))

    def face(self, sides: int, label: str) -> int:
        """See `Dice.face`."""
        if self._known():
            return cast(int, self._values[self._at - 1])
        self._solver._charge(sides)
        chance = self._solver._ratio(1, sides)
        return cast(int, self._take(Distribution(dict.fromkeys(range(1, sides + 1), chance))))

    def total(
        self, n: int, rule: Callable[Concatenate[Dice, P], Tally], *args: P.args, **kwargs: P.kwargs
    ) -> Tally:
        """See `Dice.total`."""
        if self._known():
            return cast(Tally, self._values[self._at - 1])
        if n < 1:
            raise ValueError("a rule is totalled at least once")
        return cast(Tally, self._take(self._solver._total(n, rule, args, kwargs)))

    def sweep(self, hands: tuple[Hand, ...], step: Step[S], start: S, label: str) -> S:
        """See `Dice.sweep`."""
        if self._known():
            return cast(S, self._values[self._at - 1])
        return cast(S, self._take(self._solver._sweep(hands, step, start)))

    def draw(self, bag: tuple[int, ...], n: int, label: str) -> tuple[int, ...]:
        """See `Dice.draw`."""
        if self._known():
            return cast(tuple[int, ...], self._values[self._at - 1])
        return cast(tuple[int, ...], self._take(self._solver._draw(bag, n)))

    def call(self, rule: Callable[Concatenate[Dice, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
        """See `Dice.call`."""
        if self._known():
            return cast(R, self._values[self._at - 1])
        return cast(R, self._take(self._solver._distribution(rule, args, kwargs)))


def solve(rule: Callable[Concatenate[Dice, P], R], *args: P.args, **kwargs: P.kwargs) -> Odds[R]:
    """Solve one rule with floats: every outcome of rule(dice, *args) with its chance. Raises TooLarge."""
    return Solver().solve(rule, *args, **kwargs)


@dataclass(frozen=True, slots=True)
class Estimate(Generic[R]):
    """Outcomes counted over `rolls` sampled rolls."""

    counts: Mapping[R, int]
    rolls: int

    def chance(self, event: Callable[[R], bool]) -> tuple[float, float]:
        """Share of rolls that satisfy the event, and its standard error."""
        hits = sum(count for outcome, count in self.counts.items() if event(outcome))
        share = hits / self.rolls
        return share, sqrt(max(share * (1 - share), 1 / self.rolls) / self.rolls)


def sampled(estimated: Estimate[R]) -> Odds[R]:
    """An estimate in the form of odds, marked as sampled."""
    shares = {outcome: count / estimated.rolls for outcome, count in estimated.counts.items()}
    ordered = dict(sorted(shares.items(), key=lambda item: -item[1]))
    return Odds(ordered, estimated.rolls, whole=False)


def estimate(
    rule: Callable[Concatenate[Dice, P], R], source: Source, rolls: int, *args: P.args, **kwargs: P.kwargs
) -> Estimate[R]:
    """Sample the rule: for questions that the solver refuses as too large."""
    counts: dict[R, int] = {}
    for _ in range(rolls):
        outcome = rule(Roller(source), *args, **kwargs)
        counts[outcome] = counts.get(outcome, 0) + 1
    return Estimate(counts, rolls)


def at_least(odds: Odds[int], values: Iterable[int]) -> dict[int, float]:
    """For each value the chance that a numeric outcome reaches it."""
    return {value: odds.chance(lambda outcome, value=value: outcome >= value) for value in values}  # type: ignore[misc]


__all__ = [
    "CUT",
    "WORK",
    "Distribution",
    "Estimate",
    "Odds",
    "Ranks",
    "Solver",
    "TooLarge",
    "at_least",
    "estimate",
    "solve",
]
