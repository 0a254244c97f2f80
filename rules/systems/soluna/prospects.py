"""What an attack can do once its flips are made as well as they can be: the odds of everything it may harm.

Owns the best result of every throw. It asks the same `damage` and allows the same flips as the advice on dice
that already lie, so odds and advice agree: hits pass on from ruined locations in both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from rules.dice import Dice
from rules.systems.soluna.attack import attack_roll
from rules.systems.soluna.damage import Damage, Target, damage, is_fatal, landings, protection
from rules.systems.soluna.grid import FACES, Counts
from rules.systems.soluna.settings import Settings

MAX_DICE = 12
"""Dice up to which every way to flip every throw is weighed; with more the question is too large."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """The best that flips make of one throw, each figure by flips made for it alone.

    lost: points off each location, in the grid's order. killed: whether the target leaves play. harmed:
    whether it loses any point at all.
    """

    lost: tuple[int, ...]
    killed: bool
    harmed: bool


def prospect(
    dice: Dice,
    power: int,
    accuracy: int,
    target: Target,
    settings: Settings,
    spare: bool = False,
    label: str = "attack",
) -> Prospect:
    """Roll an attack of `power` dice, 1 to MAX_DICE, and flip them as well as possible.

    Accuracy below 0: the target makes the flips, against the attack. spare: the attacker flips to spare the
    target, a friend. Rules: SU-ATK-01, SU-ATK-02, SU-FLIP-01 to SU-FLIP-03, SU-GRID-04, SU-DMG-05.
    """
    counts = attack_roll(dice, power, label)
    return _prospects(power, abs(accuracy), target, settings, spare or accuracy < 0)[counts]


@lru_cache(maxsize=64)
def _prospects(
    power: int, flips: int, target: Target, settings: Settings, against: bool
) -> dict[Counts, Prospect]:
    """The prospect of every throw of so many dice. against: flips are made to lose as little as can be."""
    throws = _throws(power)
    harms = _harms(throws, target, settings)
    columns = [[harm.of(key) for harm in harms] for key in target.grid.keys]
    columns.append([int(is_fatal(harm, target)) for harm in harms])
    columns.append([int(harm.total > 0) for harm in harms])
    best = [throws.best(column, flips, least=against) for column in columns]
    return {
        counts: Prospect(tuple(lost), bool(killed), bool(harmed))
        for counts, (*lost, killed, harmed) in zip(throws.counts, zip(*best, strict=True), strict=True)
    }


def _harms(throws: _Throws, target: Target, settings: Settings) -> list[Damage]:
    """What every throw does as it lies; throws of which the same hits get through do the same."""
    places = landings(target, settings)
    keys = [key for key in target.grid.keys if key in places]
    index = [keys.index(place) if place else -1 for place in places]
    stops = [protection(target, key, settings) for key in keys]
    known: dict[tuple[int, ...], Damage] = {}
    found = []
    for counts in throws.counts:
        hits = [-stop for stop in stops]
        for place, many in zip(index, counts, strict=True):
            if place >= 0:
                hits[place] += many
        through = tuple(max(0, many) for many in hits)
        if through not in known:
            known[through] = damage(counts, target, (), settings)
        found.append(known[through])
    return found


class _Throws:
    """Every throw of so many dice, and the throws that a flip makes of others.

    A set of throws is one long number: a throw is the bit at the place that its counts give, read as digits,
    so that a flip of one die moves all throws of a set by the same number of places at once.
    """

    def __init__(self, power: int) -> None:
        base = power + 1
        self._strides = (*(base**face for face in range(5)), 0)
        self.counts = list(_splits(power))
        self._bits = [
            sum(many * stride for many, stride in zip(counts, self._strides, strict=True))
            for counts in self.counts
        ]
        self._room = base**5 // 8 + 1
        self._showing = [
            self._set(bit for bit, counts in zip(self._bits, self.counts, strict=True) if counts[face - 1])
            for face in FACES
        ]

    def best(self, scores: list[int], flips: int, *, least: bool) -> list[int]:
        """For each throw the highest score that so many flips can make of it, or the least."""
        levels = sorted(set(scores), reverse=not least)
        found = [levels[-1]] * len(scores)
        if not flips:
            return scores
        open_ = list(range(len(scores)))
        for level in levels[:-1]:
            good = self._set(
                bit
                for bit, score in zip(self._bits, scores, strict=True)
                if (score <= level if least else score >= level)
            )
            for _ in range(flips):
                wider = self._flipped(good)
                if wider == good:
                    break
                good = wider
            held = good.to_bytes(self._room, "little")
            still = []
            for place in open_:
                bit = self._bits[place]
                if held[bit >> 3] >> (bit & 7) & 1:
                    found[place] = level
                else:
                    still.append(place)
            open_ = still
        return found

    def _set(self, bits: Iterable[int]) -> int:
        room = bytearray(self._room)
        for bit in bits:
            room[bit >> 3] |= 1 << (bit & 7)
        return int.from_bytes(room, "little")

    def _flipped(self, throws: int) -> int:
        """These throws, and those of which one flip makes one of them. Rules: SU-FLIP-01."""
        found = throws
        for old in FACES:
            shown = throws & self._showing[old - 1]
            for new in FACES:
                if shown and new not in (old, 7 - old):
                    step = self._strides[new - 1] - self._strides[old - 1]
                    found |= shown << step if step > 0 else shown >> -step
        return found


@lru_cache(maxsize=MAX_DICE)
def _throws(power: int) -> _Throws:
    return _Throws(power)


def _splits(dice: int) -> Iterator[Counts]:
    for one in range(dice + 1):
        for two in range(dice - one + 1):
            for three in range(dice - one - two + 1):
                for four in range(dice - one - two - three + 1):
                    rest = dice - one - two - three - four
                    for five in range(rest + 1):
                        yield one, two, three, four, five, rest - five
