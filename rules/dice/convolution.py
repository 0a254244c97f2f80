"""Sums of chances worked out at once rather than pair by pair: products of long numbers, windows, powers.

`dense` adds two distributions by multiplying two long decimal numbers, one place of `PLACE` digits for each
value; `few_plain` counts the sums of a few plain dice by such a product, `uniform_power` those of equal plain
dice by a recurrence, `with_plain` those of unlike plain dice by sliding sums. Knows neither dice nor rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal
from itertools import accumulate, starmap
from math import comb, prod
from operator import sub
from struct import iter_unpack
from sys import byteorder
from typing import Any

DIGITS = 18
"""Digits after the point that a chance is taken with; what is below them is lost."""

PLACE = 2 * DIGITS + 1
"""Digits of one place: a product of two chances, and the sum of all such products."""

WORTH_IT = 40
"""A place of the product costs as much as so many pairs."""

MAX_PLACES = 30_000
"""Places beyond which one product would keep everyone waiting."""

WINDOW = 12
"""Values that a sliding sum passes for the price of one branch."""

FIELD = 64
"""Bits of one field of `few_plain`."""

TICKS = 1024
"""Steps after which a long loop tells that it goes on."""

_CONTEXT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)

Values = tuple[int, ...]


def pays(left: Sequence[Values], right: Sequence[Values]) -> bool:
    """Return whether adding these values as long numbers takes less time than pair by pair."""
    places = prod(_widths(left, right))
    return places * WORTH_IT < len(left) * len(right) and places <= MAX_PLACES


def _widths(left: Sequence[Values], right: Sequence[Values]) -> list[int]:
    return [
        high_a - low_a + high_b - low_b + 1
        for (low_a, high_a), (low_b, high_b) in zip(_spans(left), _spans(right), strict=True)
    ]


def _spans(values: Sequence[Values]) -> list[tuple[int, int]]:
    """The lowest and the highest value of each field: field by field, so that others have their turn."""
    columns = ([value[place] for value in values] for place in range(len(values[0])))
    return [(min(column), max(column)) for column in columns]


def dense(left: Mapping[Values, float], right: Mapping[Values, float]) -> dict[Values, float]:
    """Return the sum of two independent draws, with every value between the least and the most of a field.

    Values that cannot be have the chance 0, and so have those whose chance is below 10 ** -`DIGITS` or so.
    """
    widths = _widths(list(left), list(right))
    strides = [prod(widths[:place]) for place in range(len(widths))]
    lows_left, lows_right = ([low for low, _ in _spans(list(side))] for side in (left, right))
    product = _CONTEXT.multiply(_long(left, lows_left, strides), _long(right, lows_right, strides))
    size = prod(widths)
    text = str(product).zfill(size * PLACE)
    chances = [
        int(text[start : start + PLACE]) / 10 ** (2 * DIGITS)
        for start in range((size - 1) * PLACE, -1, -PLACE)
    ]
    lows = [a + b for a, b in zip(lows_left, lows_right, strict=True)]
    if len(widths) == 1:
        return {(lows[0] + place,): chance for place, chance in enumerate(chances)}
    return {
        tuple(
            low + place // stride % width for low, stride, width in zip(lows, strides, widths, strict=True)
        ): chance
        for place, chance in enumerate(chances)
        if chance
    }


def _long(chances: Mapping[Values, float], lows: Sequence[int], strides: Sequence[int]) -> Decimal:
    places = {
        sum((v - low) * stride for v, low, stride in zip(values, lows, strides, strict=True)): p
        for values, p in chances.items()
    }
    last = max(places)
    nothing = "0" * PLACE
    scale = 10.0**DIGITS
    digits = [
        f"{round(places[i] * scale):0{PLACE}d}" if i in places else nothing for i in range(last, -1, -1)
    ]
    return _CONTEXT.create_decimal("".join(digits))


def uniform_power(sides: int, n: int, tick: Callable[[int], None] = lambda steps: None) -> list[int]:
    """Count in how many ways n plain dice come to each sum, from n up to n times the sides.

    tick: is told now and then how many steps were taken.
    """
    size = n * (sides - 1) + 1
    half = (size + 1) // 2
    coefficients = [1] + [0] * (half - 1)
    for exponent in range(1, half):
        if not exponent % TICKS:
            tick(TICKS)
        previous = exponent - 1
        value = (previous + n) * coefficients[previous]
        if previous >= sides - 1:
            value += (previous - sides + 1 - n * sides) * coefficients[previous - sides + 1]
        if previous >= sides:
            value += (n * (sides - 1) - previous + sides) * coefficients[previous - sides]
        coefficients[exponent] = value // exponent
    return coefficients + coefficients[: size // 2][::-1]


def few_plain(sides: Sequence[int]) -> list[int]:
    """Count in how many ways a few plain dice come to each sum, from the least on.

    One product of long numbers with a field for each sum: a die is a one in as many fields as it has sides.
    All ways together must be fewer than fit a field. Many sides take longer than the other ways do.
    """
    ones = (1 << FIELD) - 1
    product = prod(((1 << FIELD * size) - 1) // ones for size in sides)
    number_of_sums = sum(sides) - len(sides) + 1
    return memoryview(product.to_bytes(number_of_sums * FIELD // 8, byteorder)).cast("Q").tolist()


def places_of(number: int, size: int) -> list[int]:
    """Return the places of a long number, of so many bytes each, from the lowest on."""
    digits = number.to_bytes((number.bit_length() // (8 * size) + 1) * size, "big")
    return list(starmap(int.from_bytes, iter_unpack(f"{size}s", digits)))[::-1]


def with_plain(ways: Sequence[int], others: Sequence[int], tick: Callable[[int], None]) -> list[int]:
    """Count in how many ways a distribution and plain dice come to each sum, from the least on.

    ways: the same from both ends, as those of all plain dice are, so that half of the sums are enough. Each
    die is a sliding sum: what is `sides` further back is taken off, then all are added up from the least.
    tick: is told what is to be done, a step for `WINDOW` numbers of 512 bits.
    """
    if not others:
        return list(ways)
    size = len(ways) + sum(sides - 1 for sides in others)
    half = (size + 1) // 2
    sums = [*ways[:half], *[0] * (half - len(ways))]
    whole = (sum(ways) * prod(others)).bit_length()
    for sides in others:
        tick(half // WINDOW)
        sums = sums[:sides] + list(map(sub, sums[sides:], sums))
    for _ in others:
        tick(half * (1 + whole // 512) // WINDOW)
        sums = list(accumulate(sums))
    return sums + sums[: size // 2][::-1]


def kept(
    values: Sequence[tuple[int, Any]],
    n: int,
    keep: int,
    cut: float,
    tick: Callable[[int], None],
    skip: int = 0,
) -> tuple[dict[int, Any], bool]:
    """Return the sum of the `keep` first of n independent draws, and whether nothing was dropped.

    skip: so many of the very first are passed over.

    values: every outcome of a draw with its chance, in the order in which they are kept, values 0 or more.
    cut: weights below it are dropped; below 0 none. The state after each outcome is how many draws are
    placed, with the chances of every sum of them in a list.
    """
    exact, last = True, skip + keep
    placed: list[list[Any]] = [[values[0][1] * 0 + 1], *([] for _ in range(last - 1))]
    finished: list[Any] = []
    remaining_chance = values[0][1] * 0 + 1
    for place, (value, p) in enumerate(values):
        hit = p / remaining_chance if place < len(values) - 1 else values[0][1] * 0 + 1
        remaining_chance -= p
        weights = {}
        for start, sums in enumerate(placed):
            if sums:
                weights[start] = row = _binomial(n - start, hit, last - start)
                exact = exact and (hit == 1 or all(w > max(cut, 0) for w in row))
        for start, row in weights.items():
            tick(len(placed[start]) // 10)
            _into(finished, placed[start], (last - max(start, skip)) * value, row[last - start])
        for end in range(last - 1, -1, -1):
            found: list[Any] = []
            for start in range(end, -1, -1):
                weight = weights[start][end - start] if start in weights else 0
                if weight > max(cut, 0):
                    tick(len(placed[start]) // 10)
                    _into(found, placed[start], max(0, end - max(start, skip)) * value, weight)
            placed[end] = found
    return {total: p for total, p in enumerate(finished) if p > 0}, exact


def _binomial(n: int, hit: Any, most: int) -> list[Any]:
    """Return the chances of 0, 1, ... hits of n; the last is that of `most` and more."""
    row = [comb(n, count) * hit**count * (1 - hit) ** (n - count) for count in range(most)]
    upper = sum(comb(n, count) * hit**count * (1 - hit) ** (n - count) for count in range(most, n + 1))
    return [*row, upper]


def _into(sums: list[Any], added: Sequence[Any], shift: int, weight: Any) -> None:
    """Add chances to a list of them, so much further on and with this weight."""
    missing = shift + len(added) - len(sums)
    if missing > 0:
        sums.extend([weight * 0] * missing)
    sums[shift : shift + len(added)] = [
        a + weight * b for a, b in zip(sums[shift : shift + len(added)], added, strict=True)
    ]
