"""What the dice on the table could become: the best flips of all, and the best for each location.

Owns the ranking of choices; flips and damage are those of their own modules. Only advice: players choose.

Best, for the attacker, is the damage that ranks highest by `worth`; for the target, whose flips they are with
Accuracy below 0, the damage that ranks lowest. Of what ranks the same the fewest flips are best, and of those
the dice that show most 1s, then most 2s, and so on. Every way to use up to all flips is weighed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rules.systems.soluna.attack import Aim, aims
from rules.systems.soluna.damage import Damage, Target, damage, is_fatal, landings, protection
from rules.systems.soluna.flips import Flipped, best_flips, turning_cost, turns_between, ways
from rules.systems.soluna.grid import Counts
from rules.systems.soluna.settings import Settings

MOST_WAYS = 10_000
"""Ways to turn the dice that are all weighed: any flips of 12 dice, five of 30. Beyond them see `choices`."""

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
    """Ranks damage: out of play, then Mind to 0, then points of Health and Mind, then all points."""
    out = 0 < target.present().get("mind", 0) <= harm.of("mind")
    return is_fatal(harm, target), out, harm.of("health") + harm.of("mind"), harm.total


def is_weighed(counts: Counts, accuracy: int) -> bool:
    """Whether every way to flip these dice is weighed, so that what is called best is best."""
    return bool(ways(counts, abs(accuracy), MOST_WAYS))


def choices(
    counts: Counts, accuracy: int, target: Target, named: tuple[str, ...], settings: Settings
) -> tuple[Choice, ...]:
    """The choices of whoever flips, best first: the attacker, or with Accuracy below 0 the target.

    The first is the best of all, as the module says. Then, for each location, that which takes most points
    off it or, for the target, fewest of those it would lose, where flips change that; among equals the best
    of all. No flips is always among them. With more than MOST_WAYS ways only those are weighed that turn as
    many dice as possible onto one location, or off it.
    named: see `damage`. Rules: SU-FLIP-02, SU-FLIP-03, SU-DMG-05.
    """
    weigh = _Weigh(counts, accuracy, target, named, settings)
    plain = weigh.choice("", counts)
    found = [plain]
    for aim in aims(target, settings):
        best = min(weigh.all, key=weigh.order(aim.location))
        if best != counts and weigh.changes(aim.location, best, plain.damage):
            found.append(weigh.choice(aim.location, best, aim))
    rank = weigh.order()
    top = min(weigh.all, key=rank)
    if all(choice.flipped.counts != top for choice in found):
        found.append(weigh.choice(BEST, top))
    return tuple(sorted(found, key=lambda choice: rank(choice.flipped.counts)))


def can_change(
    counts: Counts, accuracy: int, target: Target, named: tuple[str, ...], settings: Settings
) -> bool:
    """Whether flips can change what the target loses; for the target, spare it something.

    Rules: SU-FLIP-02, SU-FLIP-03.
    """
    weigh = _Weigh(counts, accuracy, target, named, settings)
    plain = weigh.lost(counts)[1]
    if accuracy >= 0:
        return any(weigh.lost(way)[1] != plain for way in weigh.all)
    return any(
        weigh.lost(way)[1].get(place, 0) < points for way in weigh.all for place, points in plain.items()
    )


class _Weigh:
    """All ways to flip the dice of one attack, with what each would do; equal damage is worked out once."""

    def __init__(
        self, counts: Counts, accuracy: int, target: Target, named: tuple[str, ...], settings: Settings
    ) -> None:
        self.counts, self.target, self.named, self.settings = counts, target, named, settings
        self.sign = -1 if accuracy >= 0 else 1
        self.all = list(ways(counts, abs(accuracy), MOST_WAYS)) or self._towards(accuracy)
        self._places = landings(target, settings)
        self._stops = {place: protection(target, place, settings) for place in self._places if place}
        self._known: dict[tuple[int, ...], tuple[Worth, dict[str, int]]] = {}

    def _towards(self, accuracy: int) -> list[Counts]:
        """The ways that favour one location, for dice too many to weigh all."""
        found = {self.counts}
        for aim in aims(self.target, self.settings):
            fewest = accuracy if accuracy >= 0 else -1
            for flips in range(max(accuracy, -2 * sum(self.counts)), fewest + 1):
                found.add(best_flips(self.counts, flips, aim.faces).counts)
        return list(found)

    def harm(self, counts: Counts) -> Damage:
        """What the dice do."""
        return damage(counts, self.target, self.named, self.settings)

    def lost(self, counts: Counts) -> tuple[Worth, dict[str, int]]:
        """Worth and points lost; dice of which the same hits get through everywhere lose the same."""
        hits = dict.fromkeys(self._stops, 0)
        for place, many in zip(self._places, counts, strict=True):
            if place:
                hits[place] += many
        through = tuple(max(0, many - self._stops[place]) for place, many in hits.items())
        if through not in self._known:
            harm = self.harm(counts)
            self._known[through] = worth(harm, self.target), dict(harm.lost)
        return self._known[through]

    def order(self, location: str = "") -> Callable[[Counts], tuple[object, ...]]:
        """What ways are put in order by, best first: for one location, or of all."""

        def key(counts: Counts) -> tuple[object, ...]:
            rank, lost = self.lost(counts)
            wanted = (lost.get(location, 0), *rank) if location else rank
            flips = turning_cost(self.counts, counts)
            return (*(self.sign * number for number in wanted), flips, *(-many for many in counts))

        return key

    def changes(self, location: str, counts: Counts, plain: Damage) -> bool:
        """Whether the dice take something off a location; for the target, less than without flips."""
        points = self.lost(counts)[1].get(location, 0)
        return points > 0 if self.sign < 0 else points < plain.of(location)

    def choice(self, location: str, counts: Counts, aim: Aim | None = None) -> Choice:
        """The way as a choice, with the turns that lead to it."""
        hits = sum(counts[face - 1] for face in aim.faces) if aim else 0
        return Choice(location, Flipped(counts, turns_between(self.counts, counts), hits), self.harm(counts))
