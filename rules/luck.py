"""How lucky rolls were together: where each fell within its chances, and how often fair dice do so.

A roll's place is the share of its chances that is worse, and half of what is alike, in whole hundredths. The
places of all rolls are added; the chances of that sum are exact, however few the rolls.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

HUNDREDTHS = 100
"""Steps between the worst place and the best."""


@dataclass(frozen=True, slots=True)
class Fall:
    """A roll that fell. chances: of each worth it may have, the greater the better; worth: the one it had."""

    chances: Mapping[float, float]
    worth: float


@dataclass(frozen=True, slots=True)
class Luck:
    """Of fair dice, the share that has less luck than this, and the share that has just as much; 0 to 1."""

    less: float
    alike: float

    @property
    def more(self) -> float:
        """The share that has more."""
        return max(0.0, 1.0 - self.less - self.alike)


def luck_of(falls: Sequence[Fall]) -> Luck:
    """How lucky rolls were together; of none, as lucky as all. Raises ValueError: a worth without a chance.

    The rolls stand for themselves: none changes the chances of another. Owes nothing to a game; no ledger.
    """
    sums, had = {0: 1.0}, 0
    for fall in falls:
        places = _places(fall.chances)
        if fall.worth not in places:
            raise ValueError(f"{fall.worth} cannot fall")
        had += places[fall.worth]
        further: dict[int, float] = {}
        for worth, place in places.items():
            chance = fall.chances[worth]
            for before, share in sums.items():
                further[before + place] = further.get(before + place, 0.0) + share * chance
        sums = further
    return Luck(sum(share for one, share in sums.items() if one < had), sums[had])


def _places(chances: Mapping[float, float]) -> dict[float, int]:
    places, worse = {}, 0.0
    for worth in sorted(one for one, chance in chances.items() if chance > 0):
        places[worth] = round(HUNDREDTHS * (worse + chances[worth] / 2))
        worse += chances[worth]
    return places
