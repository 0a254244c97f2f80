"""The parts of a dice expression, their limits, and how one throw is written.

Owns the tree that `rules.expression_grammar` builds and `rules.expression` evaluates; it reads no text and
draws no dice. Every node is frozen and hashable, so that equal parts are solved once.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

LONGEST = 200
"""Most characters of an expression, as typed and as written out."""

MAX_NUMBER = 1_000_000
"""Largest number that may be written."""

MAX_RESULT = 1_000_000_000
"""No part of an expression may be able to go beyond this, either way."""

MAX_COUNT = 200
"""Most dice in one throw."""

MAX_THROWN = 1000
"""Most dice in a whole expression, repetitions included, bonus dice not."""

FATE_SIDES, THIN_SIDES = 3, 6
"""Faces of a Fate die: one of each sign, or four of them blank."""

MIN_SIDES, MAX_SIDES = 2, 1000
"""Sides that a die may have."""

MAX_NESTING = 20
"""How deep parentheses and minus signs may be nested, and how many factors a product may have."""

MAX_TIMES = 10
"""Most repetitions."""

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
        """Whether it is a value and all above it."""
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
    """Only `count` dice stay: the highest, or the lowest."""

    count: int
    lowest: bool = False

    def __str__(self) -> str:
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
        """One such die, as it is written: d6, d100, dF."""
        return ("dF" if self.sides == FATE_SIDES else "dF.1") if self.fate else f"d{self.sides}"

    @property
    def lowest(self) -> int:
        """What the lowest face is worth."""
        return -1 if self.fate else 1

    @property
    def highest(self) -> int:
        """What the highest face is worth."""
        return 1 if self.fate else self.sides

    def worth(self, face: int) -> int:
        """What face 1, 2, ... shows to the players."""
        if not self.fate:
            return face
        return (face == self.sides) - (face == 1)

    def value(self, face: int, *, bonus: bool = False) -> int:
        """What a die is worth that shows this face. bonus: it was thrown because another exploded."""
        shown = self.worth(face)
        shown = shown if self.least is None else max(shown, self.least)
        shown = shown if self.most is None else min(shown, self.most)
        return shown + self.each - (self.fades and bonus)

    def adds(self, face: int, *, bonus: bool = False) -> int:
        """What a die adds to the result."""
        return self.judged(self.value(face, bonus=bonus))

    def judged(self, value: int) -> int:
        """What a die of this value adds to the result."""
        if self.counting or self.failing:
            hit = self.counting is not None and value in self.counting
            twice = hit and self.double is not None and value in self.double
            return hit + twice - (self.failing is not None and value in self.failing and not hit)
        return value if self.only is None or value in self.only else 0

    @property
    def apart(self) -> bool:
        """Whether some dice stay of those thrown and those that they earned, each by itself."""
        return self.keep is not None and self.explode is not None and not self.compound

    @property
    def chained(self) -> bool:
        """Whether a die with all that it earned is looked at as one, and not only added up."""
        looked = self.keep or self.counting or self.failing or self.only or self.each
        return self.compound and bool(looked)

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
            words.append(str(self.keep))
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
    """Less than nothing: minus a part."""

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
    """A part multiplied by itself, `by` times in all, 2 or more."""

    part: Node
    by: int


@dataclass(frozen=True, slots=True)
class BestOf:
    """Several parts, of which only the highest or the lowest are added up.

    Where there is but one part, its dice are looked at one by one: `singles`.
    """

    parts: tuple[Node, ...]
    keep: Keep


@dataclass(frozen=True, slots=True)
class CountOf:
    """Several parts: those of these values are counted, those of `failing` taken off."""

    parts: tuple[Node, ...]
    counting: Span
    failing: Span | None = None


Node = Constant | Term | Negative | Sum | Product | WithNote | Absolute | Rest | Raised | BestOf | CountOf


@dataclass(frozen=True, slots=True)
class Versus:
    """Each die of a throw against a target by itself: gives the number of dice that reach it."""

    term: Term
    target: int
    note: str = ""

    @property
    def counted(self) -> Term:
        """The same as a throw whose dice are counted."""
        return replace(self.term, counting=Span(self.target, None))


@dataclass(frozen=True, slots=True)
class Judged:
    """Yes or no: does the left side stand so to the right side."""

    left: Node | Versus
    sign: Comparison
    right: Node


@dataclass(frozen=True, slots=True)
class Expression:
    """A whole expression: what is evaluated, how many times by itself, and the player's comment.

    reading: how something was read that other programs read otherwise, in words; otherwise: the expression
    that is read so, after the name of that reading. Empty where there is but one way to read it.
    """

    test: Node | Versus | Judged
    times: int = 1
    comment: str = ""
    reading: str = field(default="", compare=False)
    otherwise: tuple[str, str] = field(default=("", ""), compare=False)
