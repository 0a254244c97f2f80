"""How lucky rolls were together: where each fell within its chances, and how often fair dice do so.

A roll's place is the share of its chances that is worse, and half of what is alike, in whole steps. The
places of all rolls are added; the chances of that sum are exact, however few the rolls.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

STEPS, FEWEST_STEPS = 100, 10
"""Steps between the worst place and the best: of few rolls, and of very many."""

MOST_PLACES = 6_000
"""Places of the sum that are told apart: of many rolls each has fewer steps."""


@dataclass(frozen=True, slots=True)
class Fall:
    """A roll that fell. chances: of each worth it may have, the greater the better; worth: the one it had."""

    chances: Mapping[float, float]
    worth: float

    @property
    def turned(self) -> Fall:
        """The same as it is for whom it is bad."""
        return Fall({-worth: chance for worth, chance in self.chances.items()}, -self.worth)

    @property
    def mean(self) -> float:
        """What it is worth on average."""
        return sum(worth * chance for worth, chance in self.chances.items())


@dataclass(frozen=True, slots=True)
class Luck:
    """Of fair dice, the share that has less luck than this, and the share that has just as much; 0 to 1."""

    less: float
    alike: float

    @property
    def more(self) -> float:
        """The share that has more."""
        return max(0.0, 1.0 - self.less - self.alike)

    @property
    def place(self) -> float:
        """Where it stands among all: the share that has less, and half of what has as much."""
        return min(1.0, self.less + self.alike / 2)

    @property
    def as_far(self) -> float:
        """At most this share of fair dice is as far from the middle, to either side."""
        return min(1.0, 2 * (min(self.less, self.more) + self.alike))


def luck_of(falls: Sequence[Fall]) -> Luck:
    """How lucky rolls were together; of none, as lucky as all. Raises ValueError: a worth without a chance.

    The rolls stand for themselves: none changes the chances of another. Owes nothing to a game; no ledger.
    """
    steps = max(FEWEST_STEPS, min(STEPS, MOST_PLACES // max(1, len(falls))))
    sums, had = [1.0], 0
    for fall in falls:
        places = _places(fall.chances, steps)
        if fall.worth not in places:
            raise ValueError(f"{fall.worth} cannot fall")
        had += places[fall.worth]
        further = [0.0] * (len(sums) + max(places.values()))
        for worth, place in places.items():
            chance = fall.chances[worth]
            for before, share in enumerate(sums, place):
                further[before] += share * chance
        sums = further
    return Luck(min(1.0, sum(sums[:had])), sums[had])


def _places(chances: Mapping[float, float], steps: int) -> dict[float, int]:
    places, worse = {}, 0.0
    for worth in sorted(one for one, chance in chances.items() if chance > 0):
        places[worth] = round(steps * (worse + chances[worth] / 2))
        worse += chances[worth]
    return places
