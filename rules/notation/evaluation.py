"""Dice expressions rolled, solved or fed by hand: `evaluate` is a rule, and `summed` what odds add up.

>>> from rules.dice import Entered, Roller
>>> from rules.notation import describe, evaluate, lines, parse
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

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from math import prod
from operator import eq, ge, gt, le, lt, ne
from typing import Any, Literal

from rules.dice import Dice, Distribution, Part, Solver, answers, best_of
from rules.notation.closed_forms import parts_kept
from rules.notation.extremes import bounds, rounded
from rules.notation.grammar import read
from rules.notation.nodes import (
    MAX_LENGTH,
    MAX_RESULT,
    MAX_THROWN,
    Absolute,
    BestOf,
    Constant,
    CountOf,
    Expression,
    Judged,
    Negative,
    Node,
    Product,
    Raised,
    Rest,
    Rounded,
    Sum,
    Term,
    Versus,
    WithNote,
    list_candidates,
    list_parts,
    terms,
    without_note,
)
from rules.notation.spelling import describe
from rules.notation.throwing import as_single_die, throw_chain, throw_term
from rules.refusals import InvalidInput

Kind = Literal["total", "successes", "counted", "yes or no"]


@lru_cache(maxsize=256)
def parse(text: str) -> Expression:
    """Read a line of dice notation.

    text: at most `MAX_LENGTH` characters. Nothing is rolled. Raises InvalidInput with a sentence for the
    player if the text isn't an expression or asks for too much, and marks the place if there is one.
    """
    if len(text) > MAX_LENGTH:
        raise InvalidInput(f"Enter at most {MAX_LENGTH} characters (you entered {len(text)}).")
    expression = read("".join(char if char.isprintable() else " " for char in text))
    _require_size(expression)
    return expression


def _require_size(expression: Expression) -> None:
    number = sum(roll.times * sum(term.count for term in terms(roll.test)) for roll in expression.rolls)
    if number > MAX_THROWN:
        raise InvalidInput(f"Roll at most {MAX_THROWN} dice in all (this takes {number}).")
    for roll in expression.rolls:
        _require_small(roll.test)
    length = len(describe(expression))
    if length > MAX_LENGTH:
        raise InvalidInput(
            f"Make the roll shorter. Written out in full it has {length} characters "
            f"(the limit is {MAX_LENGTH})."
        )


def _require_small(node: Node) -> None:
    low, high = bounds(node)
    if low < -MAX_RESULT or high > MAX_RESULT:
        raise InvalidInput(f"Use smaller numbers, because the result could go beyond {MAX_RESULT:,}.")
    if isinstance(node, Judged):
        for side in list_parts(node):
            _require_small(side)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of an expression: one value for each roll, in order.

    kinds: what each value is: a total, successes, dice counted, or 1 for yes and 0 for no.
    """

    values: tuple[int, ...]
    kinds: tuple[Kind, ...] = ("total",)

    @property
    def value(self) -> int:
        """Return the value of the first roll; the only one unless something is repeated."""
        return self.values[0]

    def words(self) -> tuple[str, ...]:
        """Return each value as players say it."""
        return tuple(map(_words, self.values, self.kinds))


def _words(value: int, kind: Kind) -> str:
    if kind == "yes or no":
        return "yes" if value else "no"
    if kind == "successes":
        return f"{value} success" if value == 1 else f"{value} successes"
    return f"{value} counted" if kind == "counted" else str(value)


def evaluate(dice: Dice, expression: Expression) -> Outcome:
    """Roll an expression, each repetition separately.

    Repetitions multiply the outcomes: for odds solve `once(roll)` for each of its rolls. No ledger.
    """
    rolls = expression.rolls
    values = tuple(value_of(dice, roll.test) for roll in rolls for _ in range(roll.times))
    return Outcome(values, tuple(kind(roll) for roll in rolls for _ in range(roll.times)))


def once(expression: Expression) -> Expression:
    """Return the first roll of an expression without its repetitions."""
    return replace(expression, times=1, also=())


def kind(expression: Expression) -> Kind:
    """Return what the values of the first roll are."""
    test = without_note(expression.test)
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
    return isinstance(node, Sum | WithNote | Constant | Term) and all(map(_only_sums, list_parts(node)))


COMPARE: dict[str, Callable[..., bool]] = {">=": ge, "<=": le, ">": gt, "<": lt, "=": eq, "!=": ne}


def summed(expression: Expression) -> tuple[Part, ...]:
    """Return the parts that the first roll adds up, each separately, as `rules.dice.add_up` expects them.

    Of a comparison it is the left side less the right one; `value_reader` reads what that comes to.
    """
    test = expression.test
    if not isinstance(test, Judged):
        return _grouped(_parts(test, 1))
    return _grouped([*_parts(test.left, 1), *_parts(test.right, -1)])


def value_reader(expression: Expression) -> Callable[[int], int]:
    """Return a function that reads the value of an expression from the total of its `summed` parts."""
    test = expression.test
    if not isinstance(test, Judged):
        return int
    compare = COMPARE[test.sign]
    return lambda total: int(compare(total, 0))


def _grouped(parts: list[Part]) -> tuple[Part, ...]:
    times: dict[tuple[int, Callable[..., int], tuple[Any, ...]], int] = {}
    for count, factor, rule, args in parts:
        times[factor, rule, args] = times.get((factor, rule, args), 0) + count
    return tuple((count, *part) for part, count in times.items())


def _parts(node: Node, factor: int) -> list[Part]:
    match node:
        case Constant():
            return [(1, factor, given, (node.value,))]
        case Versus():
            return _parts(node.counted, factor)
        case Term() if not node.apart:
            rule, args = _one_of(node)
            keep = node.keep
            if keep is None or keep.count == node.count:
                return [(node.count, factor, rule, args)]
            best_of_args = (node.count, keep.count, keep.lowest, rule, args, keep.skip)
            return [(1, factor, best_of, best_of_args)]
        case Negative():
            return _parts(node.part, -factor)
        case CountOf():
            counted = Term(1, 1, counting=node.counting, failing=node.failing)
            return [(1, factor, hits, (part, counted)) for part in node.parts]
        case WithNote():
            return _parts(node.part, factor)
        case Sum():
            return [
                single for adds, part in node.parts for single in _parts(part, factor if adds else -factor)
            ]
        case Product() if all(multiplies and isinstance(part, Constant) for multiplies, part in node.factors):
            by = prod(part.value for _, part in node.factors if isinstance(part, Constant))
            return _parts(node.first, factor * by) if by else [(1, 1, given, (0,))]
        case _:
            return [(1, factor, value_of, (node,))]


def _one_of(term: Term) -> tuple[Callable[..., int], tuple[Any, ...]]:
    die_term = as_single_die(term)
    if die_term == Term(1, term.sides):
        return plain_die, (term.sides,)
    return (throw_chain, (die_term, "")) if term.chained else (value_of, (die_term,))


def plain_die(dice: Dice, sides: int) -> int:
    """Roll one die. No ledger."""
    return dice.face(sides, f"d{sides}")


@answers(plain_die)
def plain_die_chances(solver: Solver, sides: int) -> Distribution:
    """Return the chances of `plain_die`, which are all equal."""
    solver.charge(sides)
    return Distribution(dict.fromkeys(range(1, sides + 1), solver.ratio(1, sides)))


def given(dice: Dice, value: int) -> int:
    """Return a number that is known and not rolled. No ledger."""
    return value


def value_of(dice: Dice, part: Node) -> int:
    """Roll one part of an expression, from left to right; divisions round down. No ledger."""
    match part:
        case Constant():
            return part.value
        case Term():
            return throw_term(dice, part, str(part))
        case Versus():
            text = describe(Expression(replace(part, note="")))
            return throw_term(dice, part.counted, _label(text, part.note))
        case WithNote(Term() as term, note):
            return throw_term(dice, term, _label(str(term), note))
        case Judged():
            return int(COMPARE[part.sign](dice.call(value_of, part.left), dice.call(value_of, part.right)))
        case CountOf():
            counted = Term(1, 1, counting=part.counting, failing=part.failing)
            return sum(dice.call(hits, node, counted) for node in part.parts)
        case Rounded():
            return rounded(part.how, dice.call(fraction_of, part.part))
        case _:
            return int(_combined(dice, part, value_of))


def fraction_of(dice: Dice, part: Node) -> Fraction:
    """Roll one part of an expression and keep the fractions that divisions leave. No ledger."""
    if isinstance(part, Negative | Absolute | Rest | Raised | BestOf | Sum | Product):
        return Fraction(_combined(dice, part, fraction_of))
    if isinstance(part, WithNote) and not isinstance(part.part, Term):
        return fraction_of(dice, part.part)
    return Fraction(value_of(dice, part))


Rule = Callable[[Dice, Node], Any]
"""`value_of`, or `fraction_of`."""


def _combined(dice: Dice, part: Node, rule: Rule) -> Any:
    match part:
        case WithNote():
            return rule(dice, part.part)
        case Negative():
            return -rule(dice, part.part)
        case Absolute():
            return abs(dice.call(rule, part.part))
        case Rest():
            return dice.call(rule, part.part) % part.by
        case Raised():
            return dice.call(rule, part.part) ** part.by
        case BestOf():
            rules = tuple((rule, (node,)) for node in list_candidates(part))
            return dice.call(parts_kept, part.keep.count, part.keep.lowest, rules)
        case Sum():
            return _sum(dice, part, rule)
        case Product():
            return _product(dice, part, rule)
        case _:
            raise TypeError(part)


def hits(dice: Dice, node: Node, counted: Term) -> int:
    """Return whether a part counts, 1, or fails, -1. No ledger."""
    return counted.judged(dice.call(value_of, node))


def _label(text: str, note: str) -> str:
    return f"{text} [{note}]" if note else text


def _sum(dice: Dice, node: Sum, rule: Rule) -> Any:
    """Numbers at once, equal throws together, and the rest in halves, so that odds stay those of numbers."""
    fixed = sum(
        part.value if adds else -part.value for adds, part in node.parts if isinstance(part, Constant)
    )
    rolled = [(adds, part) for adds, part in node.parts if not isinstance(part, Constant)]
    if not rolled:
        return fixed
    adds, part = rolled[0]
    if all(other == (adds, part) for other in rolled):
        value = dice.total(len(rolled), rule, part) if len(rolled) > 1 else rule(dice, part)
        return fixed + (value if adds else -value)
    middle = len(rolled) // 2
    return fixed + dice.call(added, Sum(tuple(rolled[:middle])), Sum(tuple(rolled[middle:])), rule)


def added(dice: Dice, left: Node, right: Node, rule: Rule) -> Any:
    """Add two parts. No ledger."""
    return dice.call(rule, left) + dice.call(rule, right)


def _product(dice: Dice, node: Product, rule: Rule) -> Any:
    *earlier, (multiplies, last) = node.factors
    first_product = Product(node.first, tuple(earlier)) if earlier else node.first
    if isinstance(last, Constant):
        value = rule(dice, first_product)
        if multiplies:
            return value * last.value
        return value // last.value if rule is value_of else value / last.value
    return dice.call(multiplied if multiplies else divided, first_product, last, rule)


def multiplied(dice: Dice, left: Node, right: Node, rule: Rule) -> Any:
    """Multiply two parts. No ledger."""
    return dice.call(rule, left) * dice.call(rule, right)


def divided(dice: Dice, left: Node, right: Node, rule: Rule) -> Any:
    """Divide one part by another: rounded down, or with its fraction. No ledger."""
    dividend, divisor = dice.call(rule, left), dice.call(rule, right)
    return dividend // divisor if rule is value_of else dividend / divisor
