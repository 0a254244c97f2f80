"""The exact reading of a rule: every outcome with its chance.

`Solver` runs the rule once for each branch of its draws and merges equal outcomes. Floats in service, where
branches below `CUT` are dropped and `Odds.error` is what they held; `exact=True` uses fractions and drops
nothing. A work counter, charged before anything is enumerated, refuses with `TooLarge` what would take too
long: the same question is refused on every machine. Besides, whoever asks may give a `watch` that is looked
at all the while and raises `TooLarge` when its own patience ends. `estimate` and `sample` throw dice instead.

>>> Solver(exact=True).solve(lambda dice: max(dice.face(6, "a"), dice.face(6, "b"))).chances[6]
Fraction(11, 36)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import comb, prod
from typing import Any, Concatenate, Self, cast

from rules.chances import HARDLY, Distribution, Number, Odds, Share, at_least, odds_of
from rules.convolve import TICKS, dense, kept, pays, uniform_power, windowed
from rules.dice import Dice, Die, Hand, P, R, Ranks, S, Step, Stop, Tally, at_most
from rules.sampling import Estimate, estimate, sample, sampled

CUT = 1e-11
"""Branches less likely than this are dropped when solving with floats."""

WORK = 2_000_000
"""Branches a question may take before it is refused."""

WATCHED = 2_000
"""Branches after which the watch is looked at again."""

MANY_PAIRS = 20_000
"""Pairs of outcomes from which on long numbers may add two distributions faster."""

RUNS_WATCHED = 50
"""Runs of a rule after which the watch is looked at again."""

WINDOW = 4
"""Values that a sliding sum passes for the price of one branch."""

COST_OF_PLACE = 10
"""What one place of a long number is charged as."""

FAINT = 1e-16
"""Chances below this drown in what is lost when long numbers are used."""

MANY_SUMS = 200
"""Sums of equal plain dice from which on they are counted by a recurrence."""

_Share = tuple[tuple[int, ...], tuple[int, ...], Number]


Part = tuple[int, int, Callable[..., int], tuple[Any, ...]]
"""A part of a sum: how often, times which factor, and the rule with its arguments that gives a number."""


def add_up(dice: Dice, *parts: Part) -> int:
    """Add up independent parts, one after another. The solver adds their chances without running this.

    Owes nothing to a game; no ledger.
    """
    return sum(factor * rule(dice, *args) for times, factor, rule, args in parts for _ in range(times))


def best_of(
    dice: Dice, times: int, keep: int, lowest: bool, rule: Callable[..., int], args: tuple[Any, ...]
) -> int:
    """Apply a rule so many times, and add up the highest outcomes, or the lowest.

    The solver places outcomes from the best on without running this. Owes nothing to a game; no ledger.
    """
    found = sorted((rule(dice, *args) for _ in range(times)), reverse=not lowest)
    return sum(found[:keep])


Answer = Callable[..., "Distribution"]
"""What the solver works out instead of running a rule: given itself and the rule's arguments."""

_ANSWERS: dict[Callable[..., Any], Answer] = {}


def answers(rule: Callable[..., Any]) -> Callable[[Answer], Answer]:
    """Mark a function as the shorter way to the chances of a rule; both must come to the same."""

    def marked(answer: Answer) -> Answer:
        _ANSWERS[rule] = answer
        return answer

    return marked


class TooLarge(Exception):
    """The question has more branches than the solver's limit; `estimate` can answer it."""


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


def _fields(packed: Iterable[int], width: int) -> list[tuple[int, ...]]:
    return [(value,) for value in packed] if width == 1 else [_unpack(value, width) for value in packed]


def _unpacked(packed: Distribution, width: int) -> Distribution:
    return Distribution({_unpack(value, width): p for value, p in packed.items()}, whole=packed.whole)


class Solver:
    """Solves rules exactly; it remembers what it solved, so use a new one for questions of another kind.

    `work` bounds the branches it may enumerate until `anew`; beyond it `TooLarge` is raised. cut: branches
    less likely than this are dropped; 0 keeps all, those too whose chance is too small for a float. watch: is
    called again and again while there is work, and raises `TooLarge` to end it.
    """

    __slots__ = (
        "_chains",
        "_cut",
        "_look_at",
        "_pools",
        "_powers",
        "_solved",
        "_spent",
        "exact",
        "watch",
        "work",
    )

    def __init__(
        self,
        *,
        exact: bool = False,
        work: int = WORK,
        cut: float = CUT,
        watch: Callable[[], None] | None = None,
    ) -> None:
        self.exact = exact
        self.work = work
        self.watch = watch
        self._look_at = 0
        self._cut = -1.0 if exact or not cut else cut
        self._spent = 0
        self._solved: dict[Any, Distribution] = {}
        self._pools: dict[Any, Distribution] = {}
        self._chains: dict[Any, Distribution] = {}
        self._powers: dict[Any, Distribution] = {}

    def solve(self, rule: Callable[Concatenate[Dice, P], R], *args: P.args, **kwargs: P.kwargs) -> Odds[R]:
        """All outcomes of rule(dice, *args) with their chances. Raises TooLarge."""
        return odds_of(self._distribution(rule, args, kwargs))

    def chances_of(self, rule: Callable[..., Any], args: tuple[Any, ...]) -> Distribution:
        """The chances of a rule that another one asks for. Raises TooLarge."""
        return self._distribution(rule, args, {})

    def walked(
        self, rule: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any] | None = None
    ) -> Distribution:
        """The chances of a rule, run once for each branch of its draws. Raises TooLarge."""
        return _Branches(self).run(rule, args, kwargs or {})

    def together(self, parts: Iterable[Distribution], width: int) -> Distribution:
        """The sums of independent tuples of so many numbers, place by place. Raises TooLarge."""
        total = Distribution({0: self._one()})
        for part in parts:
            packed = Distribution({_pack(value): p for value, p in part.items()}, whole=part.whole)
            total = self._convolve(total, packed, width)
        return _unpacked(total, width)

    @property
    def spent(self) -> int:
        """Branches enumerated since `anew`; what was remembered costs none."""
        return self._spent

    def anew(self) -> Self:
        """Itself for another question: the work counts from the start, what it solved is remembered."""
        self._spent = self._look_at = 0
        return self

    def _distribution(
        self, rule: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Distribution:
        key = (rule, args, tuple(sorted(kwargs.items())))
        known = self._solved.get(key)
        if known is None:
            if rule is add_up:
                known = self._added(*args)
            elif rule is best_of:
                known = self._best(*args)
            elif rule in _ANSWERS:
                known = _ANSWERS[rule](self, *args, **kwargs)
            else:
                known = self.walked(rule, args, kwargs)
            self._solved[key] = known
        return known

    def _best(
        self, times: int, keep: int, lowest: bool, rule: Callable[..., int], args: tuple[Any, ...]
    ) -> Distribution:
        """The sum of the highest, or the lowest, of independent outcomes of a rule."""
        one = self._distribution(rule, args, {})
        least = min(one)
        order = sorted(((value - least, p) for value, p in one.items()), reverse=not lowest)
        sums, whole = kept(order, times, keep, self._cut, self.charge)
        found = {value + keep * least: p for value, p in sums.items()}
        return Distribution(found, whole=whole and one.whole)

    def _added(self, *parts: Part) -> Distribution:
        """The sum of independent parts. Plain dice come last, each by a sliding sum of whole ways."""
        fixed = 0
        plain: list[int] = []
        others: list[Distribution] = []
        for times, factor, rule, args in parts:
            one = self._distribution(rule, args, {})
            low, high = min(one), max(one)
            sides = len(one)
            even = high - low + 1 == sides and one.whole and len(set(one.values())) == 1
            if even and abs(factor) == 1:
                plain += [sides] * (times if sides > 1 else 0)
                fixed += times * factor * (low if factor > 0 else high)
                continue
            power = self._power((rule, args), one, times)
            scaled = {factor * value: p for value, p in power.items()} if factor != 1 else power
            others.append(Distribution(scaled, whole=power.whole))
        if plain:
            others.append(self._plain(plain))
        others.sort(key=len)
        total = Distribution({fixed: self._one()})
        for other in others:
            if len(total) == 1 and total.whole:
                shift = next(iter(total))
                total = Distribution({shift + value: p for value, p in other.items()}, whole=other.whole)
            else:
                total = self._convolve(total, other)
        return total

    def _plain(self, sides: list[int]) -> Distribution:
        """The sum of plain dice, each counted from 0."""
        most = max(set(sides), key=lambda size: size * sides.count(size))
        n = sides.count(most)
        ways = uniform_power(most, n, self.charge) if n > 1 else [1]
        for size in sorted(size for size in sides if size != most or n == 1):
            self.charge((len(ways) + size) * (1 + ways[len(ways) // 2].bit_length() // 512) // WINDOW)
            ways = windowed(ways, size)
        return self._counted(ways, 0, prod(sides))

    def _counted(self, ways: list[int], low: int, whole: int) -> Distribution:
        found = Distribution()
        for first in range(0, len(ways), TICKS):
            self.charge(TICKS)
            for place, count in enumerate(ways[first : first + TICKS], low + first):
                found[place] = self.ratio(count, whole)
        return found

    def _total(
        self, n: int, rule: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Distribution:
        key = (rule, args, tuple(sorted(kwargs.items())))
        one = self._distribution(rule, args, kwargs)
        sample = next(iter(one))
        if not isinstance(sample, tuple):
            return self._power(key, one, n)
        packed = Distribution({_pack(value): p for value, p in one.items()}, whole=one.whole)
        return _unpacked(self._power(key, packed, n, len(sample)), len(sample))

    @property
    def least(self) -> float:
        """Chances up to this are dropped; below 0 none."""
        return self._cut

    def charge(self, branches: int) -> None:
        """Count work before it is done; raises TooLarge where it is too much or too late."""
        self._spent += branches
        if self._spent > self.work:
            raise TooLarge(f"more than {self.work} possibilities")
        if self._spent >= self._look_at and self.watch is not None:
            self._look_at = self._spent + WATCHED
            self.watch()

    def ratio(self, part: int, whole: int) -> Any:
        """A part of a whole, as a fraction where nothing is rounded."""
        return Fraction(part, whole) if self.exact else part / whole

    def _one(self) -> Number:
        return Fraction(1) if self.exact else 1.0

    # ------------------------------------------------------------- distributions of single draws

    def _pool(self, n: int, die: Die) -> Distribution:
        key = (n, die)
        known = self._pools.get(key)
        if known is None:
            at_most(n)
            summed = self._power(die, self._chain(die, die.waves), n, len(die.tallies))
            known = self._pools[key] = _unpacked(summed, len(die.tallies))
        return known

    def _chain(self, die: Die, waves: int) -> Distribution:
        """Tallies, packed, of one die with all the bonus dice it earns in at most `waves` further throws."""
        key = (die, waves)
        known = self._chains.get(key)
        if known is None:
            known = Distribution()
            p = self.ratio(1, die.sides)
            cut = self._cut
            for facet in die.facets:
                base = _pack(facet.adds)
                if facet.again and waves:
                    further = self._chain(die.bonus or die, waves - 1)
                    self.charge(len(further))
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

    def _power(self, key: Any, one: Distribution, n: int, width: int = 1) -> Distribution:
        """Distribution of the sum of n independent draws of `one`; values are numbers.

        width: how many tallies are packed into each.
        """
        if n == 1:
            return one
        known = self._powers.get((key, n))
        if known is None:
            known = self._powers[key, n] = self._even_power(one, n, width) or self._by_halves(
                key, one, n, width
            )
        return known

    def _even_power(self, one: Distribution, n: int, width: int) -> Distribution | None:
        """The sum of n plain dice by a recurrence that counts whole ways; None where `one` is none."""
        sides, low = len(one), min(one)
        plain = width == 1 and one.whole and n * sides >= MANY_SUMS and max(one) - low + 1 == sides
        if not plain or len(set(one.values())) > 1:
            return None
        return self._counted(uniform_power(sides, n, self.charge), n * low, sides**n)

    def _by_halves(self, key: Any, one: Distribution, n: int, width: int) -> Distribution:
        half = self._power(key, one, n // 2, width)
        both = self._convolve(half, half, width)
        return self._convolve(both, one, width) if n % 2 else both

    def _convolve(self, left: Distribution, right: Distribution, width: int = 1) -> Distribution:
        pairs = len(left) * len(right)
        if pairs >= MANY_PAIRS and not self.exact:
            values = _fields(left, width), _fields(right, width)
            if pays(*values):
                self.charge(COST_OF_PLACE * (len(left) + len(right)))
                return self._by_long_numbers(left, right, *values)
        if self._spent + pairs > self.work:
            raise TooLarge(f"more than {self.work} possibilities")
        cut = self._cut
        result = Distribution(whole=left.whole and right.whole)
        get = result.get
        for a, p in left.items():
            self.charge(len(right))
            for b, q in right.items():
                weight = p * q
                if weight > cut:
                    value = a + b
                    result[value] = get(value, 0) + weight
                else:
                    result.whole = False
        return result

    def _by_long_numbers(
        self, left: Distribution, right: Distribution, a: list[tuple[int, ...]], b: list[tuple[int, ...]]
    ) -> Distribution:
        chances = dense(
            dict(zip(a, map(float, left.values()), strict=True)),
            dict(zip(b, map(float, right.values()), strict=True)),
        )
        gapless = len(a[0]) == 1 and all(max(side)[0] - min(side)[0] + 1 == len(side) for side in (a, b))
        whole = left.whole and right.whole and gapless and self._cut < 0
        cut = self._cut if whole else max(self._cut, FAINT)
        kept = {_pack(value): p for value, p in chances.items() if p > cut}
        return Distribution(kept, whole=whole)

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
                self.charge(len(shares[left]))
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
            self.charge(len(shares) * len(row))
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
            self.charge(sum(min(count, left) - max(0, left - room) + 1 for _, left in partial))
            partial = [
                ((*taken, k), left - k)
                for taken, left in partial
                for k in range(max(0, left - room), min(count, left) + 1)
            ]
        cases = comb(whole, n)
        return Distribution(
            {
                taken: self.ratio(prod(comb(c, k) for c, k in zip(bag, taken, strict=True)), cases)
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
        weights, charge, watch = self._weights, self._solver.charge, self._solver.watch
        runs = 0
        while True:
            self._at = 0
            charge(1)
            runs += 1
            if watch is not None and not runs % RUNS_WATCHED:
                watch()
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
        self._solver.charge(dropped)
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
        self._solver.charge(sides)
        chance = self._solver.ratio(1, sides)
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


__all__ = [
    "CUT",
    "HARDLY",
    "WORK",
    "Distribution",
    "Estimate",
    "Odds",
    "Part",
    "Ranks",
    "Share",
    "Solver",
    "TooLarge",
    "add_up",
    "answers",
    "at_least",
    "best_of",
    "estimate",
    "sample",
    "sampled",
    "solve",
]
