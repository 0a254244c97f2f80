"""The parts of a dice expression, their limits, and the text that each is written as.

Owns the tree that `rules.expression_grammar` builds and `rules.expression` evaluates; it reads no text and
draws no dice. Every node is frozen and hashable, so that equal parts are solved once.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, Literal

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
class Number:
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
class Noted:
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
class Power:
    """A part multiplied by itself, `by` times in all, 2 or more."""

    part: Node
    by: int


@dataclass(frozen=True, slots=True)
class Best:
    """Several parts, of which only the highest or the lowest are added up.

    Where there is but one part, its dice are looked at one by one: `singles`.
    """

    parts: tuple[Node, ...]
    keep: Keep


@dataclass(frozen=True, slots=True)
class Hits:
    """Several parts: those of these values are counted, those of `failing` taken off."""

    parts: tuple[Node, ...]
    counting: Span
    failing: Span | None = None


Node = Number | Term | Negative | Sum | Product | Noted | Absolute | Rest | Power | Best | Hits


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
class Compare:
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

    test: Node | Versus | Compare
    times: int = 1
    comment: str = ""
    reading: str = field(default="", compare=False)
    otherwise: tuple[str, str] = field(default=("", ""), compare=False)


def terms(part: Node | Versus | Compare) -> tuple[Term, ...]:
    """The throws of a part, in the order in which they are thrown; those of `vs` as counting throws."""
    return tuple(term for term, _ in noted_terms(part))


def noted_terms(part: Node | Versus | Compare) -> tuple[tuple[Term, str], ...]:
    """The throws of a part in order, each with the note that stands at it."""
    match part:
        case Number():
            return ()
        case Term():
            return ((part, ""),)
        case Negative() | Absolute() | Rest() | Power():
            return noted_terms(part.part)
        case Best():
            return tuple(found for node in singles(part) for found in noted_terms(node))
        case Hits():
            return tuple(found for node in part.parts for found in noted_terms(node))
        case Sum():
            return tuple(found for _, node in part.parts for found in noted_terms(node))
        case Product():
            return noted_terms(part.first) + tuple(
                found for _, node in part.factors for found in noted_terms(node)
            )
        case Noted(Term() as term, note):
            return ((term, note),)
        case Noted():
            return noted_terms(part.part)
        case Versus():
            return ((part.counted, part.note),)
        case Compare():
            return noted_terms(part.left) + noted_terms(part.right)


def singles(pool: Best) -> tuple[Node, ...]:
    """The parts among which a pool chooses: several parts, or the dice of its one part."""
    if len(pool.parts) > 1:
        return pool.parts
    found: list[Node] = []
    for term in terms(pool.parts[0]):
        found += [replace(term, count=1)] * term.count
    return tuple(found)


def only_plain(node: Node) -> bool:
    """Whether a part is nothing but dice without modifiers, added up."""
    if isinstance(node, Sum):
        return all(adds and only_plain(part) for adds, part in node.parts)
    return isinstance(node, Term) and node == Term(node.count, node.sides, node.fate)


def swapped(part: Any, old: Term, new: Term) -> Any:
    """A part with another throw in the place of one."""
    if part == old:
        return new
    if isinstance(part, tuple):
        return tuple(swapped(each, old, new) for each in part)
    if isinstance(part, Versus) and part.counted == old:
        return replace(part, term=replace(new, counting=None))
    if is_dataclass(part) and not isinstance(part, type):
        return replace(
            part, **{each.name: swapped(getattr(part, each.name), old, new) for each in fields(part)}
        )
    return part


def one_throw(node: Node) -> tuple[Term | None, int, list[str]]:
    """A part as one throw with numbers added, as it stands before `vs`.

    Gives the throw, what is added to each die, and the notes; None for the throw where it is anything else.
    """
    term: Term | None = None
    added = 0
    notes: list[str] = []
    for adds, part in node.parts if isinstance(node, Sum) else ((True, node),):
        inner = part
        if isinstance(inner, Noted):
            notes.append(inner.note)
            inner = inner.part
        if isinstance(inner, Term) and adds and term is None:
            term = inner
        elif isinstance(inner, Number):
            added += inner.value if adds else -inner.value
        elif isinstance(inner, Negative) and isinstance(inner.part, Number):
            added += -inner.part.value if adds else inner.part.value
        else:
            return None, 0, []
    return term, added, notes


def bounds(part: Node | Versus) -> tuple[int, int]:
    """The least and the most that a part can come to; raises ZeroDivisionError where it may divide by 0."""
    match part:
        case Number():
            return part.value, part.value
        case Term():
            return _term_bounds(part)
        case Negative():
            low, high = bounds(part.part)
            return -high, -low
        case Absolute():
            low, high = bounds(part.part)
            return (0 if low <= 0 <= high else min(abs(low), abs(high))), max(abs(low), abs(high))
        case Best():
            lows, highs = zip(*(bounds(node) for node in singles(part)), strict=True)
            first = not part.keep.lowest
            return tuple(sum(sorted(side, reverse=first)[: part.keep.count]) for side in (lows, highs))
        case Hits():
            return (-len(part.parts) if part.failing else 0), len(part.parts)
        case Rest():
            return 0, part.by - 1
        case Power():
            low, high = bounds(part.part)
            corners = [side**part.by for side in (low, high)] + ([0] if low <= 0 <= high else [])
            return min(corners), max(corners)
        case Sum():
            low = high = 0
            for adds, node in part.parts:
                least, most = bounds(node)
                low, high = (low + least, high + most) if adds else (low - most, high - least)
            return low, high
        case Product():
            return _product_bounds(part)
        case Noted():
            return bounds(part.part)
        case Versus():
            return _term_bounds(part.counted)


def _term_bounds(term: Term) -> tuple[int, int]:
    """Of one die, as often as dice stay: all alike they come to the least and to the most."""
    stay = term.keep.count if term.keep else term.count
    if term.apart:
        low, high = _of_faces(term)
        further = _of_faces(term, bonus=True)
        return stay * min(low, further[0]), stay * max(high, further[1])
    if term.chained:
        low, high = _die_bounds(
            replace(term, keep=None, counting=None, failing=None, only=None, each=0), _chain(term)
        )
        if term.counting or term.failing:
            return -stay * bool(term.failing), stay * (1 + bool(term.double))
        low, high = low + term.each, high + term.each
        return stay * (min(low, 0) if term.only else low), stay * (max(high, 0) if term.only else high)
    chain = _chain(term)
    if not term.reroll or term.until:
        low, high = _die_bounds(term, chain)
        return stay * low, stay * high
    low, high = _die_bounds(term, chain, without=term.reroll)
    if any(term.worth(face) in term.reroll for face in range(1, term.sides + 1)):
        least, most = _die_bounds(term, max(0, chain - 1))
        low, high = min(low, least), max(high, most)
    return stay * low, stay * high


def _chain(term: Term) -> int:
    """How many dice may follow one that explodes."""
    return 0 if term.explode is None else 1 if term.once else MAX_CHAIN


def _of_faces(term: Term, *, bonus: bool = False) -> tuple[int, int]:
    values = [term.adds(face, bonus=bonus) for face in range(1, term.sides + 1)]
    return min(values), max(values)


def _die_bounds(term: Term, chain: int, without: Span | None = None) -> tuple[int, int]:
    """The least and the most of one die with at most so many that follow it; low above high for no face."""
    further = [(0, 0)]
    for _ in range(chain):
        further.append(_one_die(term, further[-1], None, bonus=True, last=len(further) == 1))
    return _one_die(term, further[-1], without, last=not chain)


def _one_die(
    term: Term, further: tuple[int, int], without: Span | None, *, last: bool = False, bonus: bool = False
) -> tuple[int, int]:
    low, high = MAX_RESULT, -MAX_RESULT
    for face in range(1, term.sides + 1):
        value = term.worth(face)
        if without and value in without:
            continue
        worth = term.adds(face, bonus=bonus)
        again = term.explode is not None and value in term.explode and not last
        low = min(low, worth + (further[0] if again else 0))
        high = max(high, worth + (further[1] if again else 0))
    return low, high


def _product_bounds(product: Product) -> tuple[int, int]:
    low, high = bounds(product.first)
    for multiplies, node in product.factors:
        least, most = bounds(node)
        if multiplies:
            corners = [a * b for a in (low, high) for b in (least, most)]
        else:
            if least <= 0 <= most:
                raise ZeroDivisionError
            corners = [a // b for a in (low, high) for b in (least, most)]
        low, high = min(corners), max(corners)
    return low, high


def describe(expression: Expression) -> str:
    """The expression in its one canonical spelling, which parses to the same expression."""
    test = expression.test
    text = _whole(test, " + " if _has_modifiers(test) else "+")
    if expression.times > 1:
        text = f"{expression.times}x {text}"
    return f"{text} # {expression.comment}" if expression.comment else text


def counts_instead(left: Node | Versus, right: Node) -> bool:
    """Whether a throw compared with a number counts its dice, as most programs read it.

    So it is where several dice of the throw stay and the number is one that each of them can show.
    """
    left = left.part if isinstance(left, Noted) else left
    if (
        not isinstance(left, Term)
        or not isinstance(right, Number)
        or left.counting
        or left.failing
        or left.only
    ):
        return False
    stay = left.keep.count if left.keep else left.count
    return stay > 1 and left.lowest <= right.value <= left.highest


def _has_modifiers(part: Node | Versus | Compare) -> bool:
    """Whether a throw is written with words, so that signs after it need spaces."""
    if isinstance(part, Compare):
        return _has_modifiers(part.left) or _has_modifiers(part.right)
    shown = (replace(part.term, each=0),) if isinstance(part, Versus) else terms(part)
    return any(" " in str(term) for term in shown)


def _whole(part: Node | Versus | Compare, plus: str) -> str:
    if isinstance(part, Compare):
        left = _whole(part.left, plus)
        if counts_instead(part.left, part.right):
            left = f"({left})"
        return f"{left} {part.sign} {_whole(part.right, plus)}"
    if isinstance(part, Versus):
        text = str(replace(part.term, each=0)) + (f" [{part.note}]" if part.note else "")
        if part.term.each:
            text += _sign(plus, adds=part.term.each > 0) + str(abs(part.term.each))
        return f"{text} vs {part.target}"
    return _text(part, plus)


def _sign(plus: str, *, adds: bool) -> str:
    return plus if adds else plus.replace("+", "-")


def _text(node: Node, plus: str) -> str:
    match node:
        case Number():
            return str(node.value)
        case Term():
            return str(node)
        case Absolute():
            return f"abs({_text(node.part, plus)})"
        case Best():
            return f"{{{', '.join(_text(part, plus) for part in node.parts)}}} {node.keep}"
        case Hits():
            failing = f" fail {node.failing}" if node.failing else ""
            return f"{{{', '.join(_text(part, plus) for part in node.parts)}}} count {node.counting}{failing}"
        case Rest():
            return f"{_tight(node.part, plus)}%{node.by}"
        case Power():
            return f"{_tight(node.part, plus)}^{node.by}"
        case Negative():
            return "-" + _inner(node.part, plus, Sum, Product, Rest)
        case Sum():
            (_, first), *rest = node.parts
            text = _inner(first, plus, Sum)
            return text + "".join(_sign(plus, adds=adds) + _inner(part, plus, Sum) for adds, part in rest)
        case Product():
            text = _inner(node.first, plus, Sum, Product)
            for multiplies, part in node.factors:
                sign = plus.replace("+", "*" if multiplies else "/")
                text += sign + _inner(part, plus, Sum, Product, Rest)
            return text
        case Noted():
            return f"{_inner(node.part, plus, Sum, Product, Negative, Rest, Power)} [{node.note}]"


def _tight(node: Node, plus: str) -> str:
    """A part in parentheses, unless it is one word."""
    text = _text(node, plus)
    return text if isinstance(node, Term | Number) and " " not in text else f"({text})"


def _inner(node: Node, plus: str, *grouped: type) -> str:
    text = _text(node, plus)
    return f"({text})" if isinstance(node, grouped) else text
