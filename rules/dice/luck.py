"""How lucky rolls were together: where each fell within its chances, and how often fair dice do so.

A roll's place is the share of its chances that is worse, and half of the share that is equal, in whole steps.
The places of all rolls are added; the chances of that sum are exact, however few the rolls.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .convolution import dense

STEPS, MIN_STEPS = 100, 10
"""Steps between the worst place and the best: of few rolls, and of very many."""

MAX_PLACES = 6_000
"""Places of the sum that are told apart: of many rolls each has fewer steps."""

FEW = 120
"""Places with a chance up to which a sum is added to another place by place."""

FAINT = 1e-18
"""Chances up to this are as good as none."""

CLOSE = 1e-9
"""Halves of a step that are this close count as equal: sums in another order differ a little."""


@dataclass(frozen=True, slots=True)
class Fall:
    """A roll that fell. chances: of each worth it may have, the greater the better; worth: the one it had."""

    chances: Mapping[float, float]
    worth: float

    @property
    def turned(self) -> Fall:
        """Return the same worth for the other side, for which it is bad."""
        return Fall({-worth: chance for worth, chance in self.chances.items()}, -self.worth)

    @property
    def mean(self) -> float:
        """Return what it is worth on average."""
        return sum(worth * chance for worth, chance in self.chances.items())


@dataclass(frozen=True, slots=True)
class Luck:
    """The shares of fair dice (0 to 1) that have less luck than this, and that have just as much."""

    less: float
    alike: float

    @property
    def more(self) -> float:
        """Return the share of games that have more."""
        return max(0.0, 1.0 - self.less - self.alike)

    @property
    def place(self) -> float:
        """Return its place among all games: the share that has less, and half of what has as much."""
        return min(1.0, self.less + self.alike / 2)

    @property
    def as_far(self) -> float:
        """Return the share of fair games that are at least as far from the middle, to either side."""
        return min(1.0, 2 * (min(self.less, self.more) + self.alike))


def luck_of(falls: Sequence[Fall]) -> Luck:
    """Return how lucky rolls were together. Raises ValueError for a worth without a chance.

    The rolls are independent: none changes the chances of another. Owes nothing to a game; no ledger.
    """
    steps = max(MIN_STEPS, min(STEPS, MAX_PLACES // max(1, len(falls))))
    total_had = 0
    alike: Counter[_Row] = Counter()
    for fall in falls:
        places = _places(fall.chances, steps)
        if fall.worth not in places:
            raise ValueError(f"a roll can't be worth {fall.worth}")
        total_had += places[fall.worth]
        alike[_row(places, fall.chances)] += 1
    least, sums = _together([_times(row, count) for row, count in alike.items()])
    place = min(max(total_had - least, -1), len(sums))
    chance_of_same = sums[place] if 0 <= place < len(sums) else 0.0
    return Luck(min(1.0, sum(sums[: max(place, 0)])), max(chance_of_same, FAINT))


_Row = tuple[int, tuple[float, ...]]
"""The least of some sums, and the chance of each from there on."""


def _row(places: Mapping[float, int], chances: Mapping[float, float]) -> _Row:
    low = min(places.values())
    row = [0.0] * (max(places.values()) - low + 1)
    for worth, place in places.items():
        row[place - low] += chances[worth]
    return low, tuple(row)


def _times(row: _Row, count: int) -> _Row:
    if count == 1:
        return row
    half = _times(row, count // 2)
    doubled = _sum(half, half)
    return _sum(doubled, row) if count % 2 else doubled


def _together(rows: list[_Row]) -> _Row:
    """Return the sum of all rows, adding short rows to short ones so that no row is walked for each roll."""
    while len(rows) > 1:
        rows.sort(key=lambda row: len(row[1]))
        odd = rows[-1:] if len(rows) % 2 else []
        rows = [_sum(*pair) for pair in zip(rows[::2], rows[1::2], strict=False)] + odd
    return rows[0] if rows else (0, (1.0,))


def _sum(left: _Row, right: _Row) -> _Row:
    """Return the sum of two rows, without ends that are too small to matter."""
    (low, long), (more, short) = sorted((left, right), key=lambda row: -len(row[1]))
    if len(short) - short.count(0.0) <= FEW:
        sums = [0.0] * (len(long) + len(short) - 1)
        for place, chance in enumerate(short):
            if chance:
                stop = place + len(long)
                added = zip(sums[place:stop], long, strict=True)
                sums[place:stop] = [so_far + chance * share for so_far, share in added]
    else:
        sums = list(dense(_keyed(long), _keyed(short)).values())
    first = next(place for place, chance in enumerate(sums) if chance > FAINT)
    last = next(place for place in range(len(sums) - 1, -1, -1) if sums[place] > FAINT)
    return low + more + first, tuple(sums[first : last + 1])


def _keyed(row: tuple[float, ...]) -> dict[tuple[int, ...], float]:
    return {(place,): chance for place, chance in enumerate(row)}


def _places(chances: Mapping[float, float], steps: int) -> dict[float, int]:
    """Return the place of each worth, in whole steps from the middle; reversed, on the other side."""
    places, worse = {}, 0.0
    can = sorted(value for value, chance in chances.items() if chance > 0)
    better = sum(chances[worth] for worth in can)
    for worth in can:
        better -= chances[worth]
        imbalance = (worse - better) * steps / 2
        places[worth] = round(abs(imbalance) - CLOSE) * (1 if imbalance > 0 else -1)
        worse += chances[worth]
    return places
