"""Nodes of a dice expression, their limits, and ways to walk the tree.

`rules.notation.grammar` builds the tree and `rules.notation.evaluation` evaluates it. Every node is frozen
and hashable, so that equal parts are solved once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

MAX_LENGTH = 200
"""Most characters of an expression, as typed and as written out."""

MAX_NUMBER = 1_000_000
"""Largest number that may be written."""

MAX_RESULT = 1_000_000_000
"""No part of an expression may be able to go beyond this, either way."""

MAX_COUNT = 200
"""Most dice in one throw."""

MAX_THROWN = 1000
"""Most dice in a whole expression, repetitions included, bonus dice not."""

DIGITS = (66, 666)
"""Sides of a die that other games read as a d6 for each digit."""

FATE_SIDES, THIN_SIDES = 3, 6
"""Faces of a Fate die: one of each sign, or four of them blank."""

MIN_SIDES, MAX_SIDES = 2, 1000
"""Sides that a die may have."""

MAX_NESTING = 20
"""How deep parentheses and minus signs may be nested, and how many factors a product may have."""

MAX_TIMES = 10
"""Most repetitions of one roll."""

MAX_ROLLS = 5
"""Most different rolls in one line."""

MAX_CHAIN = 12
"""Most dice that may follow one die, thrown because it exploded or was re-rolled."""

Comparison = Literal[">=", "<=", ">", "<", "=", "!="]


@dataclass(frozen=True, slots=True)
class Span:
    """Values from `low` to `high`, both included; None is without limit on that side.

    parity: only the "even" or the "odd" ones of them. outside: all values but these.
    """

    low: int | None
    high: int | None
    parity: Literal["", "even", "odd"] = ""
    outside: bool = False

    def __contains__(self, value: int) -> bool:
        inside = (self.low is None or value >= self.low) and (self.high is None or value <= self.high)
        if self.parity:
            inside = inside and value % 2 == (self.parity == "odd")
        return inside != self.outside

    @property
    def upward(self) -> bool:
        """Return whether it is a value and all above it."""
        return self.low is not None and self.high is None and not self.parity and not self.outside

    def __str__(self) -> str:
        return f"not {self._inside}" if self.outside else self.parity or self._inside

    @property
    def _inside(self) -> str:
        if self.low is None:
            return f"<={self.high}"
        if self.high is None:
            return f"{self.low}+"
        return f"{self.low}" if self.low == self.high else f"{self.low}-{self.high}"


@dataclass(frozen=True, slots=True)
class Keep:
    """Only `count` dice stay: the highest, or the lowest. skip: so many of the very best go first."""

    count: int
    lowest: bool = False
    skip: int = 0

    def within(self, keep: Keep, dice: int) -> Keep:
        """Return what stays of so many dice when these are kept first, and `keep` of what is left."""
        low, high = self._places(dice)
        kept_low, kept_high = keep._places(high - low)
        return Keep.between(low + kept_low, low + kept_high, dice)

    @staticmethod
    def between(low: int, high: int, dice: int) -> Keep:
        """Keep the dice from place `low` to `high`, counted from the lowest of so many dice."""
        if low == 0 and high < dice:
            return Keep(high, lowest=True)
        return Keep(high - low, skip=dice - high)

    def _places(self, dice: int) -> tuple[int, int]:
        if self.lowest:
            return self.skip, self.skip + self.count
        return dice - self.skip - self.count, dice - self.skip

    def text(self, dice: int) -> str:
        """Write this for a throw of so many dice."""
        if self.skip:
            low, high = self._places(dice)
            return f"drop lowest {low} drop highest {dice - high}"
        return f"keep lowest {self.count}" if self.lowest else f"keep {self.count}"


@dataclass(frozen=True, slots=True)
class Term:
    """Dice thrown together, and what happens to them, in this order.

    count: 1 to `MAX_COUNT` dice. sides: of each die; `fate` dice have three, worth -1, 0 and 1, or six, of
    which four are blank. reroll: faces thrown again, once, or `until` another shows. explode: these faces
    earn one more die, `once` or as long as they show; `fades`: each such die is worth 1 less; `compound`: a
    die and all that it earned are one die. least, most: a die is never worth less or more. each: added to
    every die. keep: which dice stay; only: those of these values. counting: the dice of these values are
    counted, None where they are added up, `double` those that count twice; failing: those of these values
    are taken off.
    """

    count: int
    sides: int
    fate: bool = False
    reroll: Span | None = None
    explode: Span | None = None
    each: int = 0
    keep: Keep | None = None
    counting: Span | None = None
    until: bool = False
    once: bool = False
    fades: bool = False
    least: int | None = None
    most: int | None = None
    only: Span | None = None
    failing: Span | None = None
    compound: bool = False
    double: Span | None = None

    @property
    def kind(self) -> str:
        """Return one such die as it is written: d6, d100, dF."""
        return ("dF" if self.sides == FATE_SIDES else "dF.1") if self.fate else f"d{self.sides}"

    @property
    def lowest(self) -> int:
        """Return the value of the lowest face."""
        return -1 if self.fate else 1

    @property
    def highest(self) -> int:
        """Return the value of the highest face."""
        return 1 if self.fate else self.sides

    def worth(self, face: int) -> int:
        """Return the value that face 1, 2, ... shows to the players."""
        if not self.fate:
            return face
        return (face == self.sides) - (face == 1)

    def value(self, face: int, *, bonus: bool = False) -> int:
        """Return the value of a die that shows this face. bonus: another die exploded and earned it."""
        worth = self.worth(face)
        worth = worth if self.least is None else max(worth, self.least)
        worth = worth if self.most is None else min(worth, self.most)
        return worth + self.each - (self.fades and bonus)

    def adds(self, face: int, *, bonus: bool = False) -> int:
        """Return the amount that a die adds to the result."""
        return self.judged(self.value(face, bonus=bonus))

    def judged(self, value: int) -> int:
        """Return the amount that a die of this value adds to the result."""
        if self.counting or self.failing:
            hit = self.counting is not None and value in self.counting
            counts_twice = hit and self.double is not None and value in self.double
            return hit + counts_twice - (self.failing is not None and value in self.failing and not hit)
        return value if self.only is None or value in self.only else 0

    @property
    def apart(self) -> bool:
        """Return whether thrown dice and the dice that they earned are kept or dropped separately."""
        return self.keep is not None and self.explode is not None and not self.compound

    @property
    def chained(self) -> bool:
        """Return whether a die and the dice that it earned are kept, counted or changed as one die."""
        is_judged_as_one = self.keep or self.counting or self.failing or self.only or self.each
        return self.compound and bool(is_judged_as_one)

    @property
    def cut_short(self) -> float:
        """Return the chance that one die would go on beyond `MAX_CHAIN` others."""
        faces = range(1, self.sides + 1)
        explode = self.explode if not self.once else None
        shares = [
            sum(self.worth(face) in span for face in faces) / self.sides if span is not None else 0.0
            for span in (explode, self.reroll if self.until else None)
        ]
        return 1 - (1 - shares[0] ** (MAX_CHAIN + 1)) * (1 - shares[1] ** (MAX_CHAIN + 1))

    def __str__(self) -> str:
        words = [(str(self.count) if self.count > 1 else "") + self.kind]
        if self.reroll:
            words.append(f"reroll{' until' * self.until} {self.reroll}")
        if self.explode is not None:
            name = "compound" if self.compound else "explode"
            if self.fades:
                name = "compound penetrate" if self.compound else "penetrate"
            words.append(f"{name} once" if self.once else name)
            words += [] if self.explode == Span(self.highest, None) else [str(self.explode)]
        if self.least is not None:
            words.append(f"least {self.least}")
        if self.most is not None:
            words.append(f"most {self.most}")
        if self.each:
            words.append(f"each {self.each:+d}")
        if self.keep:
            words.append(self.keep.text(self.count))
        if self.only:
            words.append(f"only {self.only}")
        if self.counting:
            words.append(f"count {self.counting}")
        if self.double:
            words.append(f"double {self.double}")
        if self.failing:
            words.append(f"fail {self.failing}")
        return " ".join(words)


@dataclass(frozen=True, slots=True)
class Constant:
    """A whole number, 0 or more."""

    value: int


@dataclass(frozen=True, slots=True)
class Negative:
    """A part with a minus sign."""

    part: Node


@dataclass(frozen=True, slots=True)
class Sum:
    """Two or more parts added, or taken away where `adds` is False."""

    parts: tuple[tuple[bool, Node], ...]


@dataclass(frozen=True, slots=True)
class Product:
    """A part multiplied, or divided and rounded down where `multiplies` is False, in order."""

    first: Node
    factors: tuple[tuple[bool, Node], ...]


@dataclass(frozen=True, slots=True)
class WithNote:
    """A part with a few words of the player's."""

    part: Node
    note: str


@dataclass(frozen=True, slots=True)
class Absolute:
    """A part without its sign."""

    part: Node


@dataclass(frozen=True, slots=True)
class Rest:
    """What is left of a part when it is divided by a number, 2 or more; never below 0."""

    part: Node
    by: int


@dataclass(frozen=True, slots=True)
class Raised:
    """A part multiplied by itself, `by` times in all (2 or more)."""

    part: Node
    by: int


@dataclass(frozen=True, slots=True)
class Rounded:
    """A part whose divisions keep their fractions until the whole is rounded: down, up, or to the nearest."""

    how: Literal["floor", "ceil", "round"]
    part: Node


@dataclass(frozen=True, slots=True)
class BestOf:
    """Several parts, of which only the highest or the lowest are added up.

    Where there is but one part, its dice are looked at one by one: `list_candidates`.
    """

    parts: tuple[Node, ...]
    keep: Keep


@dataclass(frozen=True, slots=True)
class CountOf:
    """Several parts: those of these values are counted, those of `failing` taken off."""

    parts: tuple[Node, ...]
    counting: Span
    failing: Span | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """A comparison of two sides: 1 if it is true, otherwise 0."""

    left: Node
    sign: Comparison
    right: Node


@dataclass(frozen=True, slots=True)
class Versus:
    """A throw in which each die is compared with a target: the result is the number of dice that reach it."""

    term: Term
    target: int
    note: str = ""

    @property
    def counted(self) -> Term:
        """Return the same throw with its dice counted."""
        return replace(self.term, counting=Span(self.target, None))


Node = (
    Constant
    | Term
    | Negative
    | Sum
    | Product
    | WithNote
    | Absolute
    | Rest
    | Raised
    | Rounded
    | BestOf
    | CountOf
    | Judged
    | Versus
)


@dataclass(frozen=True, slots=True)
class Expression:
    """A whole expression: the roll, how often it is repeated, the player's comment, and further rolls.

    reading: what was understood, in words, where other programs might understand something else. otherwise:
    another way to read it, after the name of that way. caution: what a limit cuts off.
    """

    test: Node
    times: int = 1
    comment: str = ""
    also: tuple[Expression, ...] = ()
    reading: str = field(default="", compare=False)
    otherwise: tuple[str, str] = field(default=("", ""), compare=False)
    caution: str = field(default="", compare=False)

    @property
    def rolls(self) -> tuple[Expression, ...]:
        """Return the different rolls of the line, this one first, each without the others."""
        return (replace(self, also=()), *self.also)


def list_parts(node: Node) -> tuple[Node, ...]:
    """Return the parts directly below a node, in the order in which they are thrown."""
    match node:
        case Constant() | Term():
            return ()
        case Sum():
            return tuple(part for _, part in node.parts)
        case Product():
            return (node.first, *(part for _, part in node.factors))
        case BestOf():
            return list_candidates(node)
        case CountOf():
            return node.parts
        case Judged():
            return node.left, node.right
        case Versus():
            return (node.counted,)
        case _:
            return (node.part,)


def iterate_noted_terms(node: Node, note: str = "") -> Iterator[tuple[Term, str]]:
    """Yield the throws of a part in order, each with its note; those of `vs` as counting throws."""
    if isinstance(node, Term):
        yield node, note
    part_note = node.note if isinstance(node, WithNote | Versus) else ""
    for part in list_parts(node):
        yield from iterate_noted_terms(part, part_note)


def terms(node: Node) -> tuple[Term, ...]:
    """Return the throws of a part, in the order in which they are thrown."""
    return tuple(term for term, _ in iterate_noted_terms(node))


def list_candidates(pool: BestOf) -> tuple[Node, ...]:
    """Return the parts among which a pool chooses: several parts, or the dice of its one part."""
    if len(pool.parts) > 1:
        return pool.parts
    return tuple(replace(term, count=1) for term in terms(pool.parts[0]) for _ in range(term.count))


def without_note(node: Node) -> Node:
    """Return a part without its note."""
    return node.part if isinstance(node, WithNote) else node
