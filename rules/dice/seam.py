"""The dice seam: what a rule may ask of chance, and the reading of it that rolls.

A rule is a plain function whose first argument is a `Dice`. It draws through the verbs below and through
nothing else, so the same function can be rolled (`Roller`), fed with the faces of real dice (`Roller` on
`Entered`), replayed (`Roller` on `Recorded`) or solved exactly (`Solver`).

A rule has to keep to this: arguments and outcomes are frozen and hashable; it reads nothing but its arguments
and its draws, and never the trace; every loop is bounded; a choice made after seeing dice ends one rule and
begins the next. This module knows no game, no clock and no source of randomness of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Concatenate, Generic, NamedTuple, ParamSpec, Protocol, TypeVar

P = ParamSpec("P")
R = TypeVar("R", bound=Hashable)
S = TypeVar("S", bound=Hashable)
Tally = TypeVar("Tally", int, tuple[int, ...])

MAX_DICE = 1000
"""Most dice one throw may hold; more is a mistake or an attack."""

MAX_SIDES = 10_000
"""Most sides a die may have."""

MAX_WAVES = 100
"""Longest chain of bonus dice that a die may have."""

BONUS_WAVES = 12
"""Longest chain of bonus dice that one die can earn."""


class DiceError(ValueError):
    """The faces given do not fit what the rule threw; the message is a sentence for the player."""


class MoreDice(Exception):
    """A rule fed by hand needs dice not entered yet: `count` more dice of `sides`, thrown for `label`.

    given: faces of the same throw that were entered. Set by the roller: die, what their faces are worth,
    where the rule says; earlier, the waves of a pool or the hands of a sweep that fell before it.
    """

    def __init__(self, label: str, count: int, sides: int, given: tuple[int, ...] = ()) -> None:
        super().__init__(f"{label}: throw {count} d{sides}")
        self.label = label
        self.count = count
        self.sides = sides
        self.given = given
        self.die: Die | Ranks | None = None
        self.earlier: tuple[tuple[int, ...], ...] = ()


class Facet(NamedTuple):
    """One face of a die: a word for players, what it adds to the tallies, and whether it earns a die."""

    word: str
    adds: tuple[int, ...]
    again: bool = False


@dataclass(frozen=True, slots=True)
class Die:
    """A die whose faces are sorted into what the rule counts.

    `facets[k]` is for face k + 1. A face marked `again` earns one die of `bonus`, or one more of the same
    kind where `bonus` is None; bonus dice earn further ones in the same way, at most `waves` in a chain.
    `shift` is the modifier that is printed beside each face; chance does not depend on it.
    """

    tallies: tuple[str, ...]
    facets: tuple[Facet, ...]
    bonus: Die | None = None
    waves: int = BONUS_WAVES
    shift: int = 0
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not 1 <= len(self.facets) <= MAX_SIDES:
            raise ValueError(f"a die has 1 to {MAX_SIDES} faces, not {len(self.facets)}")
        if not 0 <= self.waves <= MAX_WAVES:
            raise ValueError(f"a die can have 0 to {MAX_WAVES} waves of bonus dice, not {self.waves}")
        if {len(facet.adds) for facet in self.facets} != {len(self.tallies)}:
            raise ValueError("every face must add to every tally of its die")
        key = (self.tallies, self.facets, self.bonus, self.waves, self.shift)
        object.__setattr__(self, "_hash", hash(key))

    def __hash__(self) -> int:
        return self._hash

    @property
    def sides(self) -> int:
        """Return the number of faces."""
        return len(self.facets)


@dataclass(frozen=True, slots=True)
class Ranks:
    """A die whose faces are compared: `ranks[k]` is the rank of face k + 1, higher is better.

    Rank 0 marks a face that never matters: `sweep` passes over it.
    """

    ranks: tuple[int, ...]

    @property
    def sides(self) -> int:
        """Return the number of faces."""
        return len(self.ranks)


@dataclass(frozen=True, slots=True)
class Stop(Generic[S]):
    """Returned by a sweep's step: the state is final, the faces below do not matter."""

    state: S


Hand = tuple[int, Ranks]
"""So many dice, and how their faces rank."""

Step = Callable[[S, int, tuple[int, ...]], S | Stop[S]]
"""state, rank, how many dice of each hand show that rank -> next state, or Stop(final state)."""


class Dice(Protocol):
    """The ways for a rule to ask for chance. Counts are 0 or more; labels are for the player who throws."""

    def pool(self, n: int, die: Die, label: str) -> tuple[int, ...]:
        """Throw n dice with all the bonus dice they earn; gives the die's tallies, added up."""
        ...

    def face(self, sides: int, label: str) -> int:
        """Throw one plain die: 1 to sides."""
        ...

    def total(
        self, n: int, rule: Callable[Concatenate[Dice, P], Tally], *args: P.args, **kwargs: P.kwargs
    ) -> Tally:
        """Apply the rule n times, n at least 1, each time separately, and add the outcomes."""
        ...

    def sweep(self, hands: tuple[Hand, ...], step: Step[S], start: S, label: str) -> S:
        """Throw all hands and walk their faces from the best rank to the worst.

        `step` is applied once for each rank above 0 that at least one die shows.
        """
        ...

    def draw(self, bag: tuple[int, ...], n: int, label: str) -> tuple[int, ...]:
        """Draw n things at random, without replacement, from a bag that holds bag[k] of kind k.

        Gives how many of each kind came out; n may not exceed what the bag holds.
        """
        ...

    def call(self, rule: Callable[Concatenate[Dice, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Apply another rule as a step of its own: a heading in the trace, solved once in the odds."""
        ...


class Source(Protocol):
    """Where faces come from."""

    def faces(self, n: int, sides: int, label: str) -> Sequence[int]:
        """Return n faces, each from 1 to sides."""
        ...


@dataclass(frozen=True, slots=True)
class Thrown:
    """Trace: dice of a pool. `waves[0]` was thrown first, each further wave was earned by the one before."""

    label: str
    die: Die
    waves: tuple[tuple[int, ...], ...]
    depth: int

    def words(self) -> tuple[tuple[tuple[int, str], ...], ...]:
        """Return every face with what it was worth, wave by wave."""
        words = []
        die = self.die
        for wave in self.waves:
            words.append(tuple((face, die.facets[face - 1].word) for face in wave))
            die = die.bonus or die
        return tuple(words)


@dataclass(frozen=True, slots=True)
class Compared:
    """Trace: the hands of a sweep, faces in the order thrown."""

    label: str
    hands: tuple[tuple[Ranks, tuple[int, ...]], ...]
    depth: int


@dataclass(frozen=True, slots=True)
class Shown:
    """Trace: one plain die."""

    label: str
    sides: int
    face: int
    depth: int


@dataclass(frozen=True, slots=True)
class Drawn:
    """Trace: kinds taken from a bag, in the order drawn."""

    label: str
    kinds: tuple[int, ...]
    depth: int


@dataclass(frozen=True, slots=True)
class Heading:
    """Trace: the entries below it with a greater depth belong to this sub-rule."""

    label: str
    depth: int


Entry = Thrown | Compared | Shown | Drawn | Heading

Faces = tuple[tuple[int, int], ...]
"""The record of a roll: (sides, face) of every draw in order; what `Recorded` replays."""

Bound = tuple[tuple[int, int, str], ...]
"""The record of a roll with the purpose of every face; what `Recorded` replays."""

Purpose = Callable[[str, int, int, object], str]
"""label, hand, wave and die of a throw -> what its faces are bound to."""


class Roller:
    """Samples a rule, keeping every face with its label in `trace` and the bare record in `record`.

    purpose: what each throw is bound to; of the present throw it is in `purpose` while the source is asked.
    """

    __slots__ = ("_depth", "_purpose_of", "_record", "purpose", "source", "trace")

    def __init__(self, source: Source, purpose: Purpose = lambda label, hand, wave, die: "") -> None:
        self.source = source
        self.trace: list[Entry] = []
        self.purpose = ""
        self._purpose_of = purpose
        self._record: list[tuple[int, int, str]] = []
        self._depth = 0

    @property
    def record(self) -> Faces:
        """Return all faces drawn so far, as (sides, face)."""
        return tuple((sides, face) for sides, face, _ in self._record)

    @property
    def bound(self) -> Bound:
        """Return all faces drawn so far, as (sides, face, purpose)."""
        return tuple(self._record)

    def _faces(
        self, n: int, sides: int, label: str, *, hand: int = 0, wave: int = 0, die: object = None
    ) -> tuple[int, ...]:
        at_most(n)
        self.purpose = self._purpose_of(label, hand, wave, die)
        faces = tuple(self.source.faces(n, sides, label))
        self._record += [(sides, face, self.purpose) for face in faces]
        return faces

    def pool(self, n: int, die: Die, label: str) -> tuple[int, ...]:
        """See `Dice.pool`; dice are thrown wave by wave, as at a table."""
        sums = [0] * len(die.tallies)
        waves: list[tuple[int, ...]] = []
        limit = die.waves
        current = die
        while n > 0 and len(waves) <= limit:
            try:
                wave = self._faces(n, current.sides, label, wave=len(waves), die=die)
            except MoreDice as wanted:
                wanted.die, wanted.earlier = current, tuple(waves)
                raise
            waves.append(wave)
            n = 0
            facets = current.facets
            for face in wave:
                facet = facets[face - 1]
                for k, add in enumerate(facet.adds):
                    sums[k] += add
                n += facet.again
            current = current.bonus or current
        self.trace.append(Thrown(label, die, tuple(waves), self._depth))
        return tuple(sums)

    def face(self, sides: int, label: str) -> int:
        """See `Dice.face`."""
        require_sides(sides)
        face = self._faces(1, sides, label)[0]
        self.trace.append(Shown(label, sides, face, self._depth))
        return face

    def total(
        self, n: int, rule: Callable[Concatenate[Dice, P], Tally], *args: P.args, **kwargs: P.kwargs
    ) -> Tally:
        """See `Dice.total`."""
        require_repeats(n)
        result = rule(self, *args, **kwargs)
        for _ in range(n - 1):
            result = add(result, rule(self, *args, **kwargs))
        return result

    def sweep(self, hands: tuple[Hand, ...], step: Step[S], start: S, label: str) -> S:
        """See `Dice.sweep`."""
        thrown: list[tuple[Ranks, tuple[int, ...]]] = []
        for hand, (n, ranks) in enumerate(hands):
            try:
                thrown.append((ranks, self._faces(n, ranks.sides, label, hand=hand)))
            except MoreDice as wanted:
                wanted.die, wanted.earlier = ranks, tuple(faces for _, faces in thrown)
                raise
        self.trace.append(Compared(label, tuple(thrown), self._depth))
        shown: dict[int, list[int]] = {}
        for k, (ranks, faces) in enumerate(thrown):
            for face in faces:
                rank = ranks.ranks[face - 1]
                if rank:
                    shown.setdefault(rank, [0] * len(hands))[k] += 1
        state = start
        for rank in sorted(shown, reverse=True):
            after = step(state, rank, tuple(shown[rank]))
            if isinstance(after, Stop):
                return after.state
            state = after
        return state

    def draw(self, bag: tuple[int, ...], n: int, label: str) -> tuple[int, ...]:
        """See `Dice.draw`."""
        bag_left = list(bag)
        _fits(bag_left, n)
        kinds: list[int] = []
        for size in range(sum(bag_left), sum(bag_left) - n, -1):
            place = self._faces(1, size, label)[0]
            for kind, count in enumerate(bag_left):
                place -= count
                if place <= 0:
                    bag_left[kind] -= 1
                    kinds.append(kind)
                    break
        self.trace.append(Drawn(label, tuple(kinds), self._depth))
        return tuple(before - after for before, after in zip(bag, bag_left, strict=True))

    def shuffle(self, count: int, label: str) -> tuple[int, ...]:
        """Return the numbers 0 to count - 1 in random order, for decks whose order must be kept."""
        order = list(range(count))
        for last in range(count - 1, 0, -1):
            pick = self._faces(1, last + 1, label)[0] - 1
            order[last], order[pick] = order[pick], order[last]
        self.trace.append(Drawn(label, tuple(order), self._depth))
        return tuple(order)

    def call(self, rule: Callable[Concatenate[Dice, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
        """See `Dice.call`."""
        self.trace.append(Heading(rule.__name__.replace("_", " "), self._depth))
        self._depth += 1
        try:
            return rule(self, *args, **kwargs)
        finally:
            self._depth -= 1


def roll(
    rule: Callable[Concatenate[Dice, P], R], source: Source, *args: P.args, **kwargs: P.kwargs
) -> tuple[R, Roller]:
    """Roll a rule with the faces of a source. Return its outcome, and the roller with trace and record."""
    roller = Roller(source)
    return rule(roller, *args, **kwargs), roller


def add(left: Tally, right: Tally) -> Tally:
    """Add two outcomes of a totalled rule: numbers, or tuples of numbers place by place."""
    if isinstance(left, tuple):
        return tuple(a + b for a, b in zip(left, _tuple(right), strict=True))
    return left + right


def _tuple(value: Any) -> tuple[int, ...]:
    if not isinstance(value, tuple):
        raise TypeError("a rule that is summed must return only numbers or only tuples")
    return value


def at_most(n: int) -> None:
    """Refuse, with `DiceError`, more dice in one throw than `MAX_DICE`."""
    if n > MAX_DICE:
        raise DiceError(f"You can roll at most {MAX_DICE} dice at once (this takes {n}).")


def require_repeats(n: int) -> None:
    """Refuse to total a rule less than once, or more than `MAX_DICE` times."""
    if n < 1:
        raise ValueError("a rule must be totalled at least once")
    at_most(n)


def require_sides(sides: int) -> None:
    """Refuse a die without a face."""
    if sides < 1:
        raise ValueError(f"a die has at least 1 face, not {sides}")


def _fits(bag: Sequence[int], n: int) -> None:
    if not 0 <= n <= sum(bag):
        raise ValueError(f"cannot draw {n} from a bag of {sum(bag)}")
