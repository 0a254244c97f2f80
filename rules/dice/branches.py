"""Walking a rule along every branch of its draws, and the questions that the walker answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Concatenate, Protocol

from .odds import Distribution, Number
from .seam import Dice, Die, Hand, P, R, S, Step, Tally, require_repeats, require_sides

RUNS_WATCHED = 50
"""Runs of a rule after which the watch is looked at again."""

_NEW: Any = object()
"""A draw that was not met before on this path."""


class Draws(Protocol):
    """Knows the chances of every draw, counts the work, and says what is too unlikely to be followed.

    cut, watch: see `rules.dice.sums.Sums`.
    """

    cut: float
    watch: Callable[[], None] | None

    def charge(self, branches: int) -> None:
        """Count work before it is done. Raises TooLarge."""

    def one(self) -> Number:
        """Return the distribution of what is certain."""

    def ratio(self, part: int, whole: int) -> Number:
        """Return a part of a whole."""

    def pool(self, n: int, die: Die) -> Distribution:
        """Return the chances of `Dice.pool`."""

    def total(
        self, n: int, rule: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Distribution:
        """Return the chances of `Dice.total`."""

    def sweep(self, hands: tuple[Hand, ...], step: Step[S], start: S) -> Distribution:
        """Return the chances of `Dice.sweep`."""

    def draw(self, bag: tuple[int, ...], n: int) -> Distribution:
        """Return the chances of `Dice.draw`."""

    def distribution(
        self, rule: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Distribution:
        """Return the chances of `Dice.call`."""


class Branches:
    """Runs one rule along every branch: a `Dice` that replays a path of draws and extends it by one."""

    __slots__ = ("_draws", "_met", "_options", "_values", "_weights", "_whole")

    def __init__(self, draws: Draws) -> None:
        self._draws = draws
        self._options: list[Iterator[tuple[Any, Number]]] = []
        self._values: list[Any] = []
        self._met = iter(self._values)
        self._weights: list[Number] = [draws.one()]
        self._whole = True

    def run(self, rule: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Distribution:
        """Return all outcomes of the rule with their chances."""
        result = Distribution()
        weights, charge, watch = self._weights, self._draws.charge, self._draws.watch
        runs = 0
        while True:
            self._met = iter(self._values)
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
        options, values, weights = self._options, self._values, self._weights
        while options:
            for value, p in options[-1]:
                values[-1] = value
                weights[-1] = weights[-2] * p
                return True
            options.pop()
            values.pop()
            weights.pop()
        return False

    def _take(self, distribution: Distribution) -> Any:
        """Return a draw not met before on this path: remember its values, give the first."""
        weight = self._weights[-1]
        cut = self._draws.cut
        options = [(value, p) for value, p in distribution.items() if weight * p > cut]
        dropped = len(distribution) - len(options)
        self._draws.charge(dropped)
        self._whole = self._whole and distribution.whole and not dropped
        if not options:
            options = [max(distribution.items(), key=lambda item: item[1])]
        following = iter(options)
        value, p = next(following)
        self._options.append(following)
        self._values.append(value)
        self._weights.append(weight * p)
        return value

    def pool(self, n: int, die: Die, label: str) -> tuple[int, ...]:
        """See `Dice.pool`."""
        drawn: tuple[int, ...] = next(self._met, _NEW)
        if drawn is not _NEW:
            return drawn
        if n > 0:
            drawn = self._take(self._draws.pool(n, die))
        else:
            drawn = self._take(Distribution({(0,) * len(die.tallies): self._draws.one()}))
        return drawn

    def face(self, sides: int, label: str) -> int:
        """See `Dice.face`."""
        drawn: int = next(self._met, _NEW)
        if drawn is _NEW:
            require_sides(sides)
            self._draws.charge(sides)
            chance = self._draws.ratio(1, sides)
            drawn = self._take(Distribution(dict.fromkeys(range(1, sides + 1), chance)))
        return drawn

    def total(
        self, n: int, rule: Callable[Concatenate[Dice, P], Tally], *args: P.args, **kwargs: P.kwargs
    ) -> Tally:
        """See `Dice.total`."""
        drawn: Tally = next(self._met, _NEW)
        if drawn is _NEW:
            require_repeats(n)
            drawn = self._take(self._draws.total(n, rule, args, kwargs))
        return drawn

    def sweep(self, hands: tuple[Hand, ...], step: Step[S], start: S, label: str) -> S:
        """See `Dice.sweep`."""
        drawn: S = next(self._met, _NEW)
        if drawn is _NEW:
            drawn = self._take(self._draws.sweep(hands, step, start))
        return drawn

    def draw(self, bag: tuple[int, ...], n: int, label: str) -> tuple[int, ...]:
        """See `Dice.draw`."""
        drawn: tuple[int, ...] = next(self._met, _NEW)
        if drawn is _NEW:
            drawn = self._take(self._draws.draw(bag, n))
        return drawn

    def call(self, rule: Callable[Concatenate[Dice, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
        """See `Dice.call`."""
        drawn: R = next(self._met, _NEW)
        if drawn is _NEW:
            drawn = self._take(self._draws.distribution(rule, args, kwargs))
        return drawn
