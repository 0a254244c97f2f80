"""Two ways to put dice into a rule in a test: faces by hand, and every face of every die in turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import Any

from rules.dice import Die, Entered, Hand, Roller, Step, Stop, add


def fed(rule: Callable[..., Any], faces: list[int], *args: Any, **kwargs: Any) -> Any:
    """Outcome of the rule on these faces; faces left over or missing fail."""
    entered = Entered(faces)
    outcome = rule(Roller(entered), *args, **kwargs)
    entered.finish()
    return outcome


class _Path:
    """Dice that follow one path of faces, die by die, and notice where a new die is thrown."""

    def __init__(self, path: list[list[int]]) -> None:
        self.path = path
        self.at = 0
        self.ways = 1
        """One in how many this path is."""

    def _one(self, sides: int) -> int:
        if self.at == len(self.path):
            self.path.append([1, sides])
        face, known = self.path[self.at]
        assert known == sides
        self.at += 1
        self.ways *= sides
        return face

    def face(self, sides: int, label: str) -> int:
        return self._one(sides)

    def pool(self, n: int, die: Die, label: str) -> tuple[int, ...]:
        sums = [0] * len(die.tallies)
        for _ in range(n):
            current, waves, again = die, die.waves, True
            while again:
                facet = current.facets[self._one(current.sides) - 1]
                sums = [a + b for a, b in zip(sums, facet.adds, strict=True)]
                again = facet.again and waves > 0
                waves -= 1
                current = current.bonus or current
        return tuple(sums)

    def total(self, n: int, rule: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        outcome = rule(self, *args, **kwargs)
        for _ in range(n - 1):
            outcome = add(outcome, rule(self, *args, **kwargs))
        return outcome

    def sweep(self, hands: tuple[Hand, ...], step: Step[Any], start: Any, label: str) -> Any:
        shown = [Counter(ranks.ranks[self._one(ranks.sides) - 1] for _ in range(n)) for n, ranks in hands]
        state = start
        for rank in sorted({rank for counts in shown for rank in counts if rank}, reverse=True):
            after = step(state, rank, tuple(counts[rank] for counts in shown))
            if isinstance(after, Stop):
                return after.state
            state = after
        return state

    def draw(self, bag: tuple[int, ...], n: int, label: str) -> tuple[int, ...]:
        things = [kind for kind, count in enumerate(bag) for _ in range(count)]
        drawn = Counter(things.pop(self._one(len(things)) - 1) for _ in range(n))
        return tuple(drawn[kind] for kind in range(len(bag)))

    def call(self, rule: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        return rule(self, *args, **kwargs)


def brute(rule: Callable[..., Any], *args: Any, **kwargs: Any) -> dict[Hashable, Fraction]:
    """Every outcome with its chance, by running the rule once for each run of faces; small cases only.

    Chains of bonus dice are followed to the die's own limit, so give dice of few waves.
    """
    paths: Counter[tuple[Hashable, int]] = Counter()
    path: list[list[int]] = []
    while True:
        dice = _Path(path)
        outcome = rule(dice, *args, **kwargs)
        paths[outcome, dice.ways] += 1
        del path[dice.at :]
        while path and path[-1][0] == path[-1][1]:
            path.pop()
        if not path:
            break
        path[-1][0] += 1
    chances: dict[Hashable, Fraction] = {}
    for (outcome, ways), count in paths.items():
        chances[outcome] = chances.get(outcome, Fraction(0)) + Fraction(count, ways)
    return chances
