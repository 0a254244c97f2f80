"""The prospects of an attack: odds with the best flips, and advice about the dice that were rolled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from rules.dice import Dice
from rules.systems.soluna.attack import Aim, aims, attack_roll
from rules.systems.soluna.damage import Damage, Target, damage, is_fatal, landing_locations, protection
from rules.systems.soluna.faces import (
    FACES,
    Counts,
    Flipped,
    best_flips,
    flip_outcomes,
    flips_between,
    turning_cost,
)
from rules.systems.soluna.settings import Settings

MAX_DICE = 12
"""Dice up to which every way to flip every throw is weighed; with more the question is too large."""


@dataclass(frozen=True, slots=True)
class Prospect:
    """The best results of one throw that flips can get; each figure assumes flips made for it alone.

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
    spares_target: bool = False,
    label: str = "attack",
) -> Prospect:
    """Roll an attack of `power` dice, 1 to MAX_DICE, and flip them as well as possible.

    Accuracy below 0: the target makes the flips, against the attack. spares_target: the attacker flips to
    spare the target, a friend. Rules: SU-ATK-01, SU-ATK-02, SU-FLIP-01 to SU-FLIP-03, SU-GRID-04, SU-DMG-05.
    """
    counts = attack_roll(dice, power, label)
    return _prospects(power, abs(accuracy), target, settings, spares_target or accuracy < 0)[counts]


@lru_cache(maxsize=64)
def _prospects(
    power: int, flips: int, target: Target, settings: Settings, flips_against_attack: bool
) -> dict[Counts, Prospect]:
    """The prospect of every throw of so many dice. against: flips are made to lose as little as can be."""
    throws = _throws(power)
    harms = _damages_of_throws(throws, target, settings)
    columns = [[harm.of(key) for harm in harms] for key in target.grid.keys]
    columns.append([int(is_fatal(harm, target)) for harm in harms])
    columns.append([int(harm.total > 0) for harm in harms])
    best_scores = [throws.best(column, flips, least=flips_against_attack) for column in columns]
    return {
        counts: Prospect(tuple(lost), bool(killed), bool(harmed))
        for counts, (*lost, killed, harmed) in zip(throws.counts, zip(*best_scores, strict=True), strict=True)
    }


def _damages_of_throws(throws: _Throws, target: Target, settings: Settings) -> list[Damage]:
    places = landing_locations(target, settings)
    keys = [key for key in target.grid.keys if key in places]
    index = [keys.index(place) if place else -1 for place in places]
    stops = [protection(target, key, settings) for key in keys]
    damage_by_hits: dict[tuple[int, ...], Damage] = {}
    damages = []
    for counts in throws.counts:
        hits = [-stopped for stopped in stops]
        for place, number in zip(index, counts, strict=True):
            if place >= 0:
                hits[place] += number
        hits_through = tuple(max(0, hit_count) for hit_count in hits)
        if hits_through not in damage_by_hits:
            damage_by_hits[hits_through] = damage(counts, target, (), settings)
        damages.append(damage_by_hits[hits_through])
    return damages


class _Throws:
    """Every throw of so many dice, and the throws that a flip makes of others.

    A set of throws is one long number: a throw is the bit at the place that its counts give, read as digits,
    so that a flip of one die moves all throws of a set by the same number of places at once.
    """

    def __init__(self, power: int) -> None:
        base = power + 1
        self._strides = (*(base**face for face in range(5)), 0)
        self.counts = list(_all_counts(power))
        self._bits = [
            sum(number * stride for number, stride in zip(counts, self._strides, strict=True))
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
        best_scores = [levels[-1]] * len(scores)
        if not flips:
            return scores
        open_places = list(range(len(scores)))
        for level in levels[:-1]:
            good_throws = self._set(
                bit
                for bit, score in zip(self._bits, scores, strict=True)
                if (score <= level if least else score >= level)
            )
            for _ in range(flips):
                wider_throws = self._within_one_flip(good_throws)
                if wider_throws == good_throws:
                    break
                good_throws = wider_throws
            good_bytes = good_throws.to_bytes(self._room, "little")
            places_left = []
            for place in open_places:
                bit = self._bits[place]
                if good_bytes[bit >> 3] >> (bit & 7) & 1:
                    best_scores[place] = level
                else:
                    places_left.append(place)
            open_places = places_left
        return best_scores

    def _set(self, bits: Iterable[int]) -> int:
        room = bytearray(self._room)
        for bit in bits:
            room[bit >> 3] |= 1 << (bit & 7)
        return int.from_bytes(room, "little")

    def _within_one_flip(self, throws: int) -> int:
        """These throws, and those of which one flip makes one of them. Rules: SU-FLIP-01."""
        throws_reached = throws
        for old in FACES:
            with_face = throws & self._showing[old - 1]
            for new in FACES:
                if with_face and new not in (old, 7 - old):
                    step = self._strides[new - 1] - self._strides[old - 1]
                    throws_reached |= with_face << step if step > 0 else with_face >> -step
        return throws_reached


@lru_cache(maxsize=MAX_DICE)
def _throws(power: int) -> _Throws:
    return _Throws(power)


def _all_counts(dice: int) -> Iterator[Counts]:
    for ones in range(dice + 1):
        for two in range(dice - ones + 1):
            for three in range(dice - ones - two + 1):
                for four in range(dice - ones - two - three + 1):
                    fives = dice - ones - two - three - four
                    for five in range(fives + 1):
                        yield ones, two, three, four, five, fives - five


MAX_WAYS = 6_500
"""Ways to turn the dice that are all weighed: any flips of 12 dice, four of 30. Beyond them see `choices`."""

BEST = "best"
"""The location of a choice that is best of all and serves no single location."""

Worth = tuple[bool, bool, int, int]


@dataclass(frozen=True, slots=True)
class Choice:
    """Flips made for one location (BEST for none of them, "" for no flips), and what the attack then does."""

    location: str
    flipped: Flipped
    damage: Damage


def worth(harm: Damage, target: Target) -> Worth:
    """Rank damage: out of play, then Mind to 0, then points of Health and Mind, then all points."""
    is_knocked_out = 0 < target.present().get("mind", 0) <= harm.of("mind")
    return is_fatal(harm, target), is_knocked_out, harm.of("health") + harm.of("mind"), harm.total


def is_fully_weighed(counts: Counts, accuracy: int) -> bool:
    """Return whether every way to flip these dice is weighed, so that what is called best is best."""
    return bool(flip_outcomes(counts, abs(accuracy), MAX_WAYS))


@lru_cache(maxsize=256)
def choices(
    counts: Counts,
    accuracy: int,
    target: Target,
    named: tuple[str, ...],
    settings: Settings,
    spare: bool = False,
) -> tuple[Choice, ...]:
    """Return the flipping player's choices, best first: the attacker or, below Accuracy 0, the target.

    The first is the best of all, as the module says. Then, for each location, that which takes most points
    off it or, for the target, fewest of those it would lose, where flips change that; among equals the best
    of all. No flips is always among them. With more than MAX_WAYS ways only those are weighed that turn as
    many dice as possible onto one location, or off it.
    named: see `damage`. spare: the attacker flips to spare a friend.
    Rules: SU-FLIP-02, SU-FLIP-03, SU-DMG-05.
    """
    weigh = _Weigh(counts, accuracy, target, named, settings, spare)
    options = [weigh.choice("", weigh.plain)]
    for aim in aims(target, settings):
        best_way = min(weigh.ways, key=weigh.order(aim.location))
        if best_way.counts != counts and weigh.changes(aim.location, best_way):
            options.append(weigh.choice(aim.location, best_way, aim))
    rank = weigh.order()
    top_way = min(weigh.ways, key=rank)
    if all(choice.flipped.counts != top_way.counts for choice in options):
        options.append(weigh.choice(BEST, top_way))
    return tuple(sorted(options, key=lambda choice: rank(weigh.way(choice.flipped.counts))))


def can_change(
    counts: Counts, accuracy: int, target: Target, preferred_items: tuple[str, ...], settings: Settings
) -> bool:
    """Return whether flips can change what the target loses; for the target, spare it something.

    Rules: SU-FLIP-02, SU-FLIP-03.
    """
    weigh = _Weigh(counts, accuracy, target, preferred_items, settings)
    plain_loss = weigh.plain.lost
    if accuracy >= 0:
        return any(way_option.lost != plain_loss for way_option in weigh.ways)
    return any(loss < points for way in weigh.ways for loss, points in zip(way.lost, plain_loss, strict=True))


@dataclass(frozen=True, slots=True)
class _Way:
    """Dice after flips, and what they do: points lost by location in the grid's order."""

    counts: Counts
    flips: int
    worth: Worth
    lost: tuple[int, ...]


class _Weigh:
    """The ways to flip the dice of one attack; of those of which the same hits get through only the best."""

    def __init__(
        self,
        counts: Counts,
        accuracy: int,
        target: Target,
        preferred_items: tuple[str, ...],
        settings: Settings,
        spare: bool = False,
    ) -> None:
        self.counts, self.target, self.named, self.settings = counts, target, preferred_items, settings
        self.sign = 1 if spare or accuracy < 0 else -1
        places = landing_locations(target, settings)
        keys = [key for key in target.grid.keys if key in places]
        self._index = [keys.index(place) if place else -1 for place in places]
        self._stops = [protection(target, key, settings) for key in keys]
        best_by_hits: dict[tuple[int, ...], tuple[int, Counts]] = {}
        for new_counts, flips in self._found(-abs(accuracy) if spare else accuracy).items():
            hits_through = self._through(new_counts)
            known_best = best_by_hits.get(hits_through)
            if known_best is None or (flips, _prefer_low_faces(new_counts)) < (
                known_best[0],
                _prefer_low_faces(known_best[1]),
            ):
                best_by_hits[hits_through] = flips, new_counts
        self.plain = self.way(counts)
        self.ways = [
            self.plain,
            *(self.way(new_counts) for _, new_counts in best_by_hits.values() if new_counts != counts),
        ]

    def _found(self, accuracy: int) -> Mapping[Counts, int]:
        """All ways or, where they are too many, those that favour one location; with their flips."""
        if all_ways := flip_outcomes(self.counts, abs(accuracy), MAX_WAYS):
            return all_ways
        flips_by_counts = {self.counts: 0}
        for aim in aims(self.target, self.settings):
            last_flips = accuracy if accuracy >= 0 else -1
            for flips in range(max(accuracy, -2 * sum(self.counts)), last_flips + 1):
                new_counts = best_flips(self.counts, flips, aim.faces).counts
                flips_by_counts[new_counts] = turning_cost(self.counts, new_counts)
        return flips_by_counts

    def _through(self, counts: Counts) -> tuple[int, ...]:
        """Hits that get through everywhere: dice of which the same get through lose the same."""
        hits = [-stop for stop in self._stops]
        for place, number in zip(self._index, counts, strict=True):
            if place >= 0:
                hits[place] += number
        return tuple(hit_count if hit_count > 0 else 0 for hit_count in hits)

    def way(self, counts: Counts) -> _Way:
        """The dice with what they do."""
        harm = self._harm(counts)
        lost = tuple(harm.of(key) for key in self.target.grid.keys)
        return _Way(counts, turning_cost(self.counts, counts), worth(harm, self.target), lost)

    def _harm(self, counts: Counts) -> Damage:
        return damage(counts, self.target, self.named, self.settings)

    def order(self, location: str = "") -> Callable[[_Way], tuple[object, ...]]:
        """Return the key by which ways are sorted, best first: for one location, or for all."""
        place = self.target.grid.keys.index(location) if location else -1

        def key(way: _Way) -> tuple[object, ...]:
            ranking = (way.lost[place], *way.worth) if location else way.worth
            return (*(self.sign * number for number in ranking), way.flips, _prefer_low_faces(way.counts))

        return key

    def changes(self, location: str, way: _Way) -> bool:
        """Return whether the dice take something off a location; for the target, less than without flips."""
        place = self.target.grid.keys.index(location)
        return way.lost[place] > 0 if self.sign < 0 else way.lost[place] < self.plain.lost[place]

    def choice(self, location: str, way: _Way, aim: Aim | None = None) -> Choice:
        """The way as a choice, with the turns that lead to it."""
        hits = sum(way.counts[face - 1] for face in aim.faces) if aim else 0
        turns = flips_between(self.counts, way.counts)
        return Choice(location, Flipped(way.counts, turns, hits), self._harm(way.counts))


def _prefer_low_faces(counts: Counts) -> tuple[int, ...]:
    return tuple(-number for number in counts)
