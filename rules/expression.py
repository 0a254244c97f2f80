"""Free dice expressions: `4d6 keep 3`, `4d10+1 vs 7`, `3x 2d6+3 >= 8`, read, rolled, solved or fed by hand.

`parse` reads a text (its grammar stands in `rules.expression_grammar`), `evaluate` is a rule over the dice
seam, so that every expression has exact odds and takes real dice, `describe` writes it in one canonical way,
and `lines` tells the faces of a roll to players. Knows no game.

>>> from rules.dice import Roller
>>> from rules.dice import Entered
>>> expression = parse("4D10 + 1 VS 7 # Sally shoots")
>>> describe(expression)
'4d10+1 vs 7 # Sally shoots'
>>> roller = Roller(Entered([6, 2, 10, 5]))
>>> evaluate(roller, expression).words()
('2 successes',)
>>> print(*lines(expression, roller.trace), sep="\\n")
success 6->7, 10->11; miss 2->3, 5->6
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import prod
from typing import Any, Literal

from rules.dice import Dice, Distribution, Part, Solver, answers, best_of
from rules.expression_bounds import bounds
from rules.expression_grammar import read
from rules.expression_nodes import (
    LONGEST,
    MAX_RESULT,
    MAX_THROWN,
    Absolute,
    BestOf,
    Comparison,
    Constant,
    CountOf,
    Expression,
    Judged,
    Negative,
    Node,
    Product,
    Raised,
    Rest,
    Sum,
    Term,
    Versus,
    WithNote,
)
from rules.expression_odds import parts_kept
from rules.expression_parts import singles, terms
from rules.expression_text import describe
from rules.expression_throw import one_chain, one_die, thrown
from rules.expression_tokens import MODIFIERS, ONCE, SORTING, VERSUS
from rules.expression_words import lines
from rules.refusals import InvalidInput

COMMENT = re.compile(r"\s*(?!d\d|d%)[A-Za-z]")
"""What follows `//` where it begins a comment rather than divides."""

REMARK = re.compile(r"/\*([^*]*)\*/")
"""A comment between two signs."""

EXCLAIMED = re.compile(r"(?P<dice>[^#\[]*[^#\[\s])\s+!\s+(?P<word>[A-Za-z]+)")
"""Dice, a `!` by itself, and a word that does not go on with the dice."""

KNOWN = {*MODIFIERS, *VERSUS, *SORTING, ONCE}

LABEL = re.compile(r"\s*\((?P<words>[A-Za-z][A-Za-z' ]*)\)\s*(?=[0-9dDwWkK({-])(?P<dice>.+)")
"""A few words in parentheses before the dice."""

Kind = Literal["total", "successes", "counted", "yes or no"]


def parse(text: str) -> Expression:
    """Read a dice expression.

    text: at most `LONGEST` characters. Nothing is rolled. Raises InvalidInput with a sentence for the player
    where the text is no expression or asks for too much, and shows the place where there is one.
    """
    if len(text) > LONGEST:
        raise InvalidInput(f"At most {LONGEST} characters, not {len(text)}.")
    body, comment = _split_comment("".join(char if char.isprintable() else " " for char in text))
    if body.strip().isdecimal() and comment[:1] in "0123456789dDwWkK({" and comment:
        further, remark = _split_comment(comment)
        body, comment = f"{body.strip()}x {further}", remark
    label = LABEL.match(body)
    if label:
        body, comment = label["dice"], f"{label['words']} {comment}"
    expression = replace(read(body), comment=" ".join(comment.split()))
    _check_size(expression)
    return expression


def _split_comment(text: str) -> tuple[str, str]:
    """The text before and after the first # that stands outside notes, and what others write as comments."""
    remarks = REMARK.findall(text)
    if remarks:
        body, comment = _split_comment(REMARK.sub(lambda found: " " * len(found[0]), text))
        return body, " ".join((*remarks, comment))
    exclaimed = EXCLAIMED.match(text)
    if exclaimed and exclaimed["word"].lower() not in KNOWN:
        return exclaimed["dice"], text[exclaimed.start("word") :]
    inside = False
    for place, char in enumerate(text):
        if char == "#" and not inside:
            return text[:place], text[place + 1 :]
        if text.startswith("//", place) and not inside and COMMENT.match(text, place + 2):
            return text[:place], text[place + 2 :]
        inside = char == "[" or (inside and char != "]")
    return text, ""


def _check_size(expression: Expression) -> None:
    thrown = expression.times * sum(term.count for term in terms(expression.test))
    if thrown > MAX_THROWN:
        raise InvalidInput(f"At most {MAX_THROWN} dice in all, not {thrown}.")
    test = expression.test
    for side in (test.left, test.right) if isinstance(test, Judged) else (test,):
        low, high = bounds(side)
        if low < -MAX_RESULT or high > MAX_RESULT:
            raise InvalidInput(f"The result could lie beyond {MAX_RESULT:,}. Use smaller numbers.")
    length = len(describe(expression))
    if length > LONGEST:
        raise InvalidInput(f"Written out this takes {length} characters, at most {LONGEST}. Make it shorter.")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an expression came to: one value for each repetition, in order.

    kind: what a value is: a total, successes, dice counted, or 1 for yes and 0 for no.
    """

    values: tuple[int, ...]
    kind: Kind = "total"

    @property
    def value(self) -> int:
        """The value of the first repetition; the only one where nothing is repeated."""
        return self.values[0]

    def words(self) -> tuple[str, ...]:
        """Each value as players say it."""
        return tuple(_words(value, self.kind) for value in self.values)


def _words(value: int, kind: Kind) -> str:
    if kind == "yes or no":
        return "yes" if value else "no"
    if kind == "successes":
        return f"{value} success" if value == 1 else f"{value} successes"
    return f"{value} counted" if kind == "counted" else str(value)


def evaluate(dice: Dice, expression: Expression) -> Outcome:
    """Roll an expression, every repetition by itself.

    Repetitions multiply the outcomes: for odds solve `once(expression)`. Owes nothing to a game; no ledger.
    """
    values = tuple(_test(dice, expression.test) for _ in range(expression.times))
    return Outcome(values, kind(expression))


def once(expression: Expression) -> Expression:
    """The expression without its repetitions."""
    return replace(expression, times=1)


def kind(expression: Expression) -> Kind:
    """What the values of an expression are."""
    test = expression.test
    if isinstance(test, Judged):
        return "yes or no"
    if isinstance(test, Versus):
        return "successes"
    counted = [term for term in terms(test) if term.counting or term.failing]
    if not counted or len(counted) < len(terms(test)) or not _only_sums(test):
        return "total"
    upward = all(term.failing or (term.counting and term.counting.upward) for term in counted)
    return "successes" if upward else "counted"


def _only_sums(node: Node) -> bool:
    match node:
        case Sum():
            return all(_only_sums(part) for _, part in node.parts)
        case WithNote():
            return _only_sums(node.part)
        case Constant() | Term():
            return True
        case _:
            return False


def _test(dice: Dice, test: Node | Versus | Judged) -> int:
    if not isinstance(test, Judged):
        return value_of(dice, test)
    return _compared(dice.call(value_of, test.left), test.sign, dice.call(value_of, test.right))


def _compared(left: int, sign: Comparison, right: int) -> int:
    match sign:
        case ">=":
            return int(left >= right)
        case "<=":
            return int(left <= right)
        case ">":
            return int(left > right)
        case "<":
            return int(left < right)
        case "=":
            return int(left == right)
        case "!=":
            return int(left != right)


def summed(expression: Expression) -> tuple[Part, ...]:
    """The parts that the first repetition adds up, each by itself: what `rules.dice.add_up` is solved for.

    Of a comparison it is the left side less the right one; `reading` tells what that comes to.
    """
    test = expression.test
    if not isinstance(test, Judged):
        return _grouped(_parts(test, 1))
    return _grouped([*_parts(test.left, 1), *_parts(test.right, -1)])


def reading(expression: Expression, total: int) -> int:
    """The value of an expression whose `summed` parts come to this total."""
    test = expression.test
    return _compared(total, test.sign, 0) if isinstance(test, Judged) else total


def _grouped(parts: list[Part]) -> tuple[Part, ...]:
    times: dict[tuple[int, Callable[..., int], tuple[Any, ...]], int] = {}
    for count, factor, rule, args in parts:
        times[factor, rule, args] = times.get((factor, rule, args), 0) + count
    return tuple((count, *part) for part, count in times.items())


def _parts(node: Node | Versus, factor: int) -> list[Part]:
    match node:
        case Constant():
            return [(1, factor, given, (node.value,))]
        case Versus():
            return _parts(node.counted, factor)
        case Term() if not node.apart:
            rule, args = _one_of(node)
            if node.keep is None or node.keep.count == node.count:
                return [(node.count, factor, rule, args)]
            return [(1, factor, best_of, (node.count, node.keep.count, node.keep.lowest, rule, args))]
        case Negative():
            return _parts(node.part, -factor)
        case CountOf():
            counted = Term(1, 1, counting=node.counting, failing=node.failing)
            return [(1, factor, hits, (part, counted)) for part in node.parts]
        case WithNote():
            return _parts(node.part, factor)
        case Sum():
            return [found for adds, part in node.parts for found in _parts(part, factor if adds else -factor)]
        case Product() if all(multiplies and isinstance(part, Constant) for multiplies, part in node.factors):
            by = prod(part.value for _, part in node.factors if isinstance(part, Constant))
            return _parts(node.first, factor * by) if by else [(1, 1, given, (0,))]
        case _:
            return [(1, factor, value_of, (node,))]


def _one_of(term: Term) -> tuple[Callable[..., int], tuple[Any, ...]]:
    """The rule that throws one die of a throw, with its arguments."""
    one = one_die(term)
    if one == Term(1, term.sides):
        return plain_die, (term.sides,)
    return (one_chain, (one, "")) if term.chained else (value_of, (one,))


def plain_die(dice: Dice, sides: int) -> int:
    """Roll one die. Owes nothing to a game; no ledger."""
    return dice.face(sides, f"d{sides}")


@answers(plain_die)
def plain_die_chances(solver: Solver, sides: int) -> Distribution:
    """The chances of `plain_die`: all alike."""
    solver.charge(sides)
    return Distribution(dict.fromkeys(range(1, sides + 1), solver.ratio(1, sides)))


def given(dice: Dice, value: int) -> int:
    """A number that is no chance. Owes nothing to a game; no ledger."""
    return value


def value_of(dice: Dice, part: Node | Versus) -> int:
    """Roll one part of an expression, from left to right. Owes nothing to a game; no ledger."""
    match part:
        case Constant():
            return part.value
        case Term():
            return thrown(dice, part, str(part))
        case Versus():
            return thrown(dice, part.counted, _label(describe(Expression(replace(part, note=""))), part.note))
        case WithNote(Term() as term, note):
            return thrown(dice, term, _label(str(term), note))
        case WithNote():
            return value_of(dice, part.part)
        case Negative():
            return -value_of(dice, part.part)
        case Absolute():
            return abs(dice.call(value_of, part.part))
        case Rest():
            return dice.call(value_of, part.part) % part.by
        case Raised():
            return int(dice.call(value_of, part.part) ** part.by)
        case BestOf():
            each = tuple((value_of, (node,)) for node in singles(part))
            return dice.call(parts_kept, part.keep.count, part.keep.lowest, each)
        case CountOf():
            counted = Term(1, 1, counting=part.counting, failing=part.failing)
            return sum(dice.call(hits, node, counted) for node in part.parts)
        case Sum():
            return _sum(dice, part)
        case Product():
            return _product(dice, part)


def hits(dice: Dice, node: Node, counted: Term) -> int:
    """Whether a part counts, 1, or fails, -1. Owes nothing to a game; no ledger."""
    return counted.judged(dice.call(value_of, node))


def _label(text: str, note: str) -> str:
    return f"{text} [{note}]" if note else text


def _sum(dice: Dice, whole: Sum) -> int:
    """Numbers at once, equal throws together, and the rest in halves, so that odds stay those of numbers."""
    fixed = sum(
        part.value if adds else -part.value for adds, part in whole.parts if isinstance(part, Constant)
    )
    rolled = [(adds, part) for adds, part in whole.parts if not isinstance(part, Constant)]
    if not rolled:
        return fixed
    adds, part = rolled[0]
    if all(other == (adds, part) for other in rolled):
        value = dice.total(len(rolled), value_of, part) if len(rolled) > 1 else value_of(dice, part)
        return fixed + (value if adds else -value)
    middle = len(rolled) // 2
    return fixed + dice.call(added, Sum(tuple(rolled[:middle])), Sum(tuple(rolled[middle:])))


def added(dice: Dice, left: Node, right: Node) -> int:
    """Two parts added. Owes nothing to a game; no ledger."""
    return dice.call(value_of, left) + dice.call(value_of, right)


def _product(dice: Dice, whole: Product) -> int:
    *before, (multiplies, last) = whole.factors
    left = Product(whole.first, tuple(before)) if before else whole.first
    if isinstance(last, Constant):
        value = value_of(dice, left)
        return value * last.value if multiplies else value // last.value
    return dice.call(multiplied if multiplies else divided, left, last)


def multiplied(dice: Dice, left: Node, right: Node) -> int:
    """Two parts multiplied. Owes nothing to a game; no ledger."""
    return dice.call(value_of, left) * dice.call(value_of, right)


def divided(dice: Dice, left: Node, right: Node) -> int:
    """One part divided by another and rounded down. Owes nothing to a game; no ledger."""
    return dice.call(value_of, left) // dice.call(value_of, right)


__all__ = [
    "Expression",
    "Judged",
    "Outcome",
    "Versus",
    "bounds",
    "describe",
    "evaluate",
    "kind",
    "lines",
    "once",
    "parse",
    "reading",
    "summed",
    "value_of",
]
