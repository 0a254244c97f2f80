"""Throws of dice: whose they are and what for, what their faces are bound to, and who listens to them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from itertools import groupby
from typing import Any

from bot.actions import Action
from bot.table.encounter import Encounter
from rules.dice import Compared, Die, Drawn, Entry, Facet, Heading, MoreDice, Ranks, Shown, Thrown
from rules.wording import possessive

MAX_WORTHS = 4
"""A die whose faces are worth more different things than these is a chart: its table is not told."""


@dataclass(frozen=True, slots=True)
class Whose:
    """The purpose of dice.

    by: the model or side whose dice they are, by its name, or what throws. what: attack, shield, climb.
    against: the target with its preposition: at Trapper, up 4 in, on the Relics Table. player: the person who
    rolls, if not the player of `by`. mark: what distinguishes it from the throw before it. bound: the owners
    of the faces when they are used again, if different models may roll together then. shares: how many dice
    each of several throws; it binds nothing.
    """

    by: str
    what: str
    against: str
    player: str = ""
    mark: str = ""
    bound: str = ""
    shares: str = ""


@dataclass(frozen=True, slots=True)
class Throw:
    """One throw of a roll as its rule makes it.

    label: the rule's own word. hand: which hand of an opposed throw. wave: above 0 for dice that others
    earned. before: what fell before it in the same roll. die: what its faces are worth, where the rule says.
    """

    label: str
    hand: int = 0
    wave: int = 0
    before: tuple[Entry, ...] = ()
    die: Die | None = None


Cast = Callable[[Throw], Whose]
"""Tells whose each throw of a roll is."""

POINTED = {
    8: "Enter the direction as a number: 1 for north, then clockwise to 8.",
    12: "Enter the direction as on a clock: 12 for straight ahead.",
    360: "Enter the direction in degrees, clockwise: 360 for straight ahead.",
}
"""How a direction is read off a die that was thrown on the table, by how many directions there are."""

MARKS = ("lower of two", "bonus die", "again", "critical")
"""How the label of a rule ends that throws otherwise, or once more, for the same."""


def cast_of(whose: Whose | Cast) -> Cast:
    """Return a cast in which everything is thrown for the same."""
    return (lambda _: whose) if isinstance(whose, Whose) else whose


def whose_of(cast: Cast, throw: Throw) -> Whose:
    """Return whose a throw is, and what sets it apart."""
    mark = throw.label.rpartition(", ")[2]
    return replace(cast(throw), mark=mark) if mark in MARKS and mark != throw.label else cast(throw)


def each(*casts: Whose | Cast) -> Cast:
    """Return one cast for each sub-rule on the uppermost level, in order; the last for all that follow."""

    def of(throw: Throw) -> Whose:
        heads = [
            place for place, one in enumerate(throw.before) if isinstance(one, Heading) and not one.depth
        ]
        cast = cast_of(casts[min(max(0, len(heads) - 1), len(casts) - 1)])
        return cast(replace(throw, before=throw.before[heads[-1] :] if heads else throw.before))

    return of


def hands(*whose: Whose | Cast) -> Cast:
    """Return one cast for each hand of an opposed throw."""
    return lambda throw: cast_of(whose[min(throw.hand, len(whose) - 1)])(throw)


def counted(*whose: Whose | Cast) -> Cast:
    """Return one cast for each throw that the rule makes, in order; the last for all that follow."""

    def of(throw: Throw) -> Whose:
        place = sum(not isinstance(one, Heading) for one in throw.before)
        return cast_of(whose[min(place, len(whose) - 1)])(throw)

    return of


# ------------------------------------------------------------------------------------ what was thrown


@dataclass(frozen=True, slots=True)
class Fell:
    """Faces that fell, what they were thrown for, and who threw them, by name."""

    whose: Whose
    faces: tuple[int, ...]
    wave: int = 0
    person: str = ""


Person = Callable[[str], str]
"""A name as `Whose.by` gives it -> the person who throws for it."""


def fallen(cast: Cast, trace: Sequence[Entry], person: Person) -> list[Fell]:
    """Return every throw of a roll with this trace, in order; each wave of bonus dice is a throw."""
    fallen: list[Fell] = []
    for place, entry in enumerate(trace):
        for at, faces, wave in _parts(entry):
            die = entry.die if isinstance(entry, Thrown) else None
            throw = Throw(entry.label, at, wave, tuple(trace[:place]), die)
            fallen.append(_fell(whose_of(cast, throw), faces, wave, person))
    return fallen


def _fell(whose: Whose, faces: tuple[int, ...], wave: int, person: Person) -> Fell:
    return Fell(whose, faces, wave, whose.player or person(whose.by))


def _parts(entry: Entry) -> Iterator[tuple[int, tuple[int, ...], int]]:
    """Yield the hand, the faces and the wave of each throw in an entry."""
    match entry:
        case Thrown():
            yield from ((0, faces, wave) for wave, faces in enumerate(entry.waves))
        case Compared():
            yield from ((at, faces, 0) for at, (_, faces) in enumerate(entry.hands) if faces)
        case Shown():
            yield 0, (entry.face,), 0
        case Drawn():
            yield from ((0, (kind,), 0) for kind in entry.kinds)


# ------------------------------------------------------------------------------------ asking


@dataclass(frozen=True, slots=True)
class Prompt:
    """The dice that are needed now.

    person: the roller. count: all dice of this throw; given: those that were entered. place: how many throws
    of the same action were asked for in the same words before. worth: what the faces do. before: every
    earlier throw of the action. points: a direction is read off any die, because few people own a die with so
    many sides.
    """

    person: str
    whose: Whose
    count: int
    sides: int
    given: tuple[int, ...] = ()
    wave: int = 0
    place: int = 0
    worth: str = ""
    before: tuple[Fell, ...] = ()
    points: bool = False

    @property
    def wanted(self) -> str:
        """Return which dice are wanted and for what; no two throws of one action have the same."""
        again = f" (throw {self.place + 1})" if self.place else ""
        what = words(self.whose, self.wave, self.count)
        dice = "1 die" if self.points else f"{self.count} d{self.sides}"
        return f"{dice} for {what}{again}"

    @property
    def sentence(self) -> str:
        """Return all of it in one sentence."""
        return f"{self.person} throws {self.wanted}"

    @property
    def told(self) -> int:
        """Return how many faces the earlier throws took."""
        return sum(len(fell.faces) for fell in self.before)


def words(whose: Whose, wave: int, count: int) -> str:
    """Return what so many dice are thrown for: Sally's attack at Trapper, bonus die."""
    bonus = "bonus die" if count == 1 else "bonus dice"
    said = f"{possessive(whose.by)} {whose.what} {whose.against}".rstrip()
    said += f" ({whose.shares})" if whose.shares else ""
    return ", ".join([said, *([whose.mark] if whose.mark else []), *([bonus] if wave else [])])


def prompt(
    wanted: MoreDice, cast: Cast, trace: Sequence[Entry], before: Sequence[Fell], person: Person
) -> Prompt:
    """Return the prompt of a roll. trace: its faces; before: all earlier throws of the same action."""
    compared = isinstance(wanted.die, Ranks)
    inside = tuple(trace)
    die = wanted.die if isinstance(wanted.die, Die) else None
    parts = [Throw(wanted.label, at, 0, inside) for at in range(len(wanted.earlier) + 1)]
    if not compared:
        parts = [Throw(wanted.label, 0, at, inside, die) for at in range(len(wanted.earlier) + 1)]
    fell = [*before, *fallen(cast, trace, person)]
    fell += [
        _fell(whose_of(cast, part), faces, part.wave, person)
        for part, faces in zip(parts, wanted.earlier, strict=False)
        if faces
    ]
    now, count = parts[-1], wanted.count + len(wanted.given)
    whose = whose_of(cast, now)
    alike = [one for one in fell if (one.whose, one.wave, len(one.faces)) == (whose, now.wave, count)]
    who = whose.player or person(whose.by)
    points = wanted.label == "direction"
    worth = POINTED[wanted.sides] if points else worth_of(die)
    return Prompt(
        who, whose, count, wanted.sides, wanted.given, now.wave, len(alike), worth, tuple(fell), points
    )


def worth_of(die: object) -> str:
    """Return what each face of a die does: 2 to 6 miss, 7 to 9 success; empty for a chart or a comparison."""
    if not isinstance(die, Die):
        return ""
    runs: list[str] = []
    face = 1
    for (word, _, _), group in groupby(die.facets, _worth):
        last = face + len(list(group)) - 1
        runs.append(f"{face if last == face else f'{face} to {last}'} {word}")
        face = last + 1
    return "" if len(runs) > MAX_WORTHS else ", ".join(runs)


def _worth(facet: Facet) -> tuple[str, tuple[int, ...], bool]:
    return facet.word, facet.adds, facet.again


class Asked(MoreDice):
    """A roll needs dice not entered yet; `prompt` says which.

    reason: why an organiser overrides. faces: those that are in, of a roll that was undone. action: what was
    asked, with its models by number.
    """

    reason = ""
    action: Action | None = None
    faces: Sequence[int] = ()

    def __init__(self, wanted: MoreDice, asked: Prompt) -> None:
        super().__init__(wanted.label, wanted.count, wanted.sides, wanted.given)
        self.prompt = asked


_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?")


class Named:
    """The models and sides of a game by the names that words for a throw have them."""

    def __init__(self, encounter: Encounter | None) -> None:
        self._tokens: dict[str, str] = {}
        if encounter is not None:
            self._tokens = {side.name: f"~{side.id}" for side in encounter.sides()}
            self._tokens |= {row.name: f"#{row.id}" for row in encounter.models(gone=True)}

    def mentioned(self, words: str) -> str:
        """Return the models and sides that the words name, by number, sorted; empty for none."""
        if not words or not self._tokens:
            return ""
        if words in self._tokens:
            return self._tokens[words]
        found = _any_of(tuple(filter(None, self._tokens))).findall(words)
        return " ".join(sorted({self._tokens[name] for name in found}))


@lru_cache(maxsize=64)
def _any_of(names: tuple[str, ...]) -> re.Pattern[str]:
    """Find each of these names as words, the longest first."""
    longest = sorted(map(re.escape, names), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(longest)})(?!\w)")


def purpose_of(whose: Whose, wave: int, named: Named, person: str) -> str:
    """Return what the faces of a throw are bound to. person: who asks, whose name binds nothing."""
    who = whose.bound or whose.by
    by = named.mentioned(who) or ("" if who == person else who)
    what = " ".join(_NUMBER.sub("", whose.what).split())
    written = "\0".join((by, what, named.mentioned(whose.against), whose.mark, str(wave)))
    return sha256(written.encode()).hexdigest()[:8]


@dataclass(frozen=True, slots=True)
class Heard:
    """One roll: whose dice fell, the rule with what it was given, and its outcome.

    encounter: as the act sees it in which it fell, another object in every act; None where there is none.
    """

    encounter: Encounter | None
    fell: Sequence[Fell]
    rule: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    outcome: Any


Listener = Callable[[Heard], None]

_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Listen to every roll that is made from here on."""
    before = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(before)


def listener() -> Listener | None:
    """Return who listens now."""
    return _listener.get()
