"""Adding up independent draws: distributions convolved, raised to a power, counted; and the work that costs.

Floats in service, where branches below a cut are dropped; fractions where nothing may be. Work is charged
before it is done and refused beyond a limit, the same on every machine. Knows of no rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import repeat
from math import comb, lcm, prod
from operator import truediv
from typing import Any, Self

from .convolution import TICKS, dense, few_plain, pays, uniform_power, with_plain
from .odds import Distribution, Number

CUT = 1e-11
"""Branches less likely than this are dropped when solving with floats."""

WORK = 2_000_000
"""Branches a question may take before it is refused."""

WATCHED = 2_000
"""Branches after which the watch is looked at again."""

MANY_PAIRS = 20_000
"""Pairs of outcomes from which on long numbers may add two distributions faster."""

FEW_PAIRS = 64
"""Pairs of outcomes from which on rows of whole numbers are added at once."""

FEW_SIDES = 50
"""Sides of plain dice together up to which one product counts their sums at once."""

COST_OF_PLACE = 10
"""The work that is counted for one place of a long number."""

FAINT = 1e-16
"""Chances below this drown in what is lost when long numbers are used."""

MANY_SUMS = 200
"""Sums of equal plain dice from which on they are counted by a recurrence."""


class TooLarge(Exception):
    """The question has more branches than the limit; `estimate` can answer it."""


class Sums:
    """Adds up independent draws and remembers what it added.

    exact: in fractions. work: what it may cost until `anew`. cut: chances up to this are dropped, below 0
    none. watch: is called again and again while there is work, and raises `TooLarge` to end it.
    """

    __slots__ = ("_known", "_look_at", "_spent", "cut", "exact", "watch", "work")

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
        self.cut = -1.0 if exact or not cut else cut
        self._look_at = 0
        self._spent = 0
        self._known: dict[Any, Distribution] = {}

    def together(self, parts: Iterable[Distribution], width: int) -> Distribution:
        """Return the sums of independent tuples, place by place. Raises TooLarge."""
        total = Distribution({0: self.one()})
        for part in parts:
            packed = Distribution({pack(value): p for value, p in part.items()}, whole=part.whole)
            total = self.convolve(total, packed, width)
        return unpacked(total, width)

    @property
    def spent(self) -> int:
        """Return how many branches were enumerated since `anew` was called; remembered results count as 0."""
        return self._spent

    def anew(self) -> Self:
        """Return the solver for another question: work counts from 0, and results stay remembered."""
        self._spent = self._look_at = 0
        return self

    def charge(self, branches: int) -> None:
        """Count work before it is done; raises TooLarge where it is too much or too late."""
        self._spent += branches
        if self._spent > self.work:
            raise TooLarge(
                f"There are more than {self.work} possibilities. Sample the rule, or raise `work`."
            )
        if self._spent >= self._look_at and self.watch is not None:
            self._look_at = self._spent + WATCHED
            self.watch()

    def ratio(self, part: int, whole: int) -> Any:
        """Return a part of a whole, as a fraction where nothing is rounded."""
        return Fraction(part, whole) if self.exact else part / whole

    def one(self) -> Number:
        """Return the distribution of what is certain."""
        return Fraction(1) if self.exact else 1.0

    def power(self, key: Any, distribution: Distribution, n: int, width: int = 1) -> Distribution:
        """Return the distribution of the sum of n independent draws of `distribution`; values are numbers.

        width: how many tallies are packed into each.
        """
        if n == 1:
            return distribution
        cache_key = "power", key, n
        cached = self._known.get(cache_key)
        if cached is None:
            cached = self._even_power(distribution, n, width) or self._by_halves(key, distribution, n, width)
            self._known[cache_key] = cached
        return cached

    def _even_power(self, distribution: Distribution, n: int, width: int) -> Distribution | None:
        """Return the sum of n plain dice by a recurrence that counts whole ways; None if it has none."""
        sides, low = len(distribution), min(distribution)
        plain = (
            width == 1
            and distribution.whole
            and n * sides >= MANY_SUMS
            and max(distribution) - low + 1 == sides
        )
        if not plain or len(set(distribution.values())) > 1:
            return None
        return self._counted(uniform_power(sides, n, self.charge), n * low, sides**n)

    def _by_halves(self, key: Any, distribution: Distribution, n: int, width: int) -> Distribution:
        half = self.power(key, distribution, n // 2, width)
        doubled = self.convolve(half, half, width)
        return self.convolve(doubled, distribution, width) if n % 2 else doubled

    def convolve(self, left: Distribution, right: Distribution, width: int = 1) -> Distribution:
        """Return the sums of two independent draws. width: how many tallies each value packs."""
        pairs = len(left) * len(right)
        if pairs >= MANY_PAIRS and not self.exact:
            values = fields(left, width), fields(right, width)
            if pays(*values):
                self.charge(COST_OF_PLACE * (len(left) + len(right)))
                return self._by_long_numbers(left, right, *values)
        if self._spent + pairs > self.work:
            raise TooLarge(
                f"There are more than {self.work} possibilities. Sample the rule, or raise `work`."
            )
        if self.exact:
            return self._exactly(left, right)
        if width == 1 and pairs >= FEW_PAIRS and _is_gapless(left) and _is_gapless(right):
            return self._by_rows(left, right)
        cut = self.cut
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

    def _by_rows(self, left: Distribution, right: Distribution) -> Distribution:
        """Return the sums of two draws whose values have no gap, a row at a time."""
        if len(left) > len(right):
            left, right = right, left
        row = [right[value] for value in range(min(right), max(right) + 1)]
        size = len(row)
        sums: list[Any] = [0.0] * (len(left) + size - 1)
        for place, value in enumerate(range(min(left), max(left) + 1)):
            self.charge(size)
            p = left[value]
            sums[place : place + size] = [
                so_far + p * q for so_far, q in zip(sums[place : place + size], row, strict=True)
            ]
        low = min(left) + min(right)
        rows = {low + place: p for place, p in enumerate(sums) if p > self.cut}
        whole = left.whole and right.whole and len(rows) == len(sums)
        return Distribution(rows, whole=whole)

    def _exactly(self, left: Distribution, right: Distribution) -> Distribution:
        """Add up in whole numbers over one denominator, so that each sum is reduced only once."""
        (first, one), (second, other) = _ways(left), _ways(right)
        sums: dict[Any, int] = {}
        get = sums.get
        for a, left_chances in first.items():
            self.charge(len(second))
            for b, those in second.items():
                sums[a + b] = get(a + b, 0) + left_chances * those
        fractions = {value: Fraction(count, one * other) for value, count in sums.items()}
        return Distribution(fractions, whole=left.whole and right.whole)

    def _by_long_numbers(
        self, left: Distribution, right: Distribution, a: list[tuple[int, ...]], b: list[tuple[int, ...]]
    ) -> Distribution:
        chances = dense(
            dict(zip(a, map(float, left.values()), strict=True)),
            dict(zip(b, map(float, right.values()), strict=True)),
        )
        gapless = len(a[0]) == 1 and all(max(side)[0] - min(side)[0] + 1 == len(side) for side in (a, b))
        whole = left.whole and right.whole and gapless and self.cut < 0
        cut = self.cut if whole else max(self.cut, FAINT)
        numbers = {pack(value): p for value, p in chances.items() if p > cut}
        return Distribution(numbers, whole=whole)

    def plain(self, sides: list[int], low: int) -> Distribution:
        """Return the sum of plain dice, each counted from 0, and of a number."""
        if sum(sides) <= FEW_SIDES:
            return self._counted(few_plain(sides), low, prod(sides))
        ways, others = [1], sides
        most = max(set(sides), key=lambda size: size * sides.count(size))
        if (n := sides.count(most)) > 1:
            ways = uniform_power(most, n, self.charge)
            others = [size for size in sides if size != most]
        return self._counted(with_plain(ways, others, self.charge), low, prod(sides))

    def _counted(self, ways: list[int], low: int, whole: int) -> Distribution:
        distribution = Distribution()
        share = Fraction if self.exact else truediv
        for first in range(0, len(ways), TICKS):
            self.charge(TICKS)
            shares = map(share, ways[first : first + TICKS], repeat(whole))
            distribution.update(enumerate(shares, low + first))
        return distribution

    def binomial(self, n: int, part: int, whole: int) -> list[Number]:
        """Return the chances of 0 to n successes among n dice, each with chance part / whole."""
        if self.exact:
            hit, miss = Fraction(part, whole), Fraction(whole - part, whole)
            return [comb(n, k) * hit**k * miss ** (n - k) for k in range(n + 1)]
        share = part / whole
        complement = 1.0 - share
        return [comb(n, k) * share**k * complement ** (n - k) for k in range(n + 1)]


def _is_gapless(chances: Distribution) -> bool:
    """Return whether the values are whole numbers, one after another."""
    return max(chances) - min(chances) + 1 == len(chances) and all(type(value) is int for value in chances)


def _ways(chances: Distribution) -> tuple[dict[Any, int], int]:
    exact = {value: Fraction(p) for value, p in chances.items()}
    denominator = lcm(*(p.denominator for p in exact.values()))
    return {value: int(p * denominator) for value, p in exact.items()}, denominator


FIELD_BITS = 32
"""Width of one tally."""


def pack(values: tuple[int, ...]) -> int:
    """Pack tallies, each below 2**31 either way, into one number."""
    packed = 0
    for value in reversed(values):
        packed = (packed << FIELD_BITS) + value
    return packed


def unpack(packed: int, width: int) -> tuple[int, ...]:
    """Return the tallies that were packed."""
    values = []
    half = 1 << (FIELD_BITS - 1)
    for _ in range(width):
        value = ((packed + half) & ((1 << FIELD_BITS) - 1)) - half
        values.append(value)
        packed = (packed - value) >> FIELD_BITS
    return tuple(values)


def fields(packed: Iterable[int], width: int) -> list[tuple[int, ...]]:
    """Unpack each of several numbers; a single tally is not packed."""
    return [(value,) for value in packed] if width == 1 else [unpack(value, width) for value in packed]


def unpacked(packed: Distribution, width: int) -> Distribution:
    """Return the chances of tuples, from the chances of their packed numbers."""
    return Distribution({unpack(value, width): p for value, p in packed.items()}, whole=packed.whole)
