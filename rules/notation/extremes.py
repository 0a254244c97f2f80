"""The least and the most that a part of a dice expression can come to."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor

from rules.notation.nodes import (
    MAX_CHAIN,
    MAX_RESULT,
    Absolute,
    BestOf,
    Constant,
    CountOf,
    Judged,
    Negative,
    Node,
    Product,
    Raised,
    Rest,
    Rounded,
    Span,
    Sum,
    Term,
    Versus,
    WithNote,
    list_candidates,
)

MAX_REMEMBERED = 256
"""Throws whose bounds are remembered: a pool has the same die up to 200 times."""


Number = int | Fraction


def rounded(mode: str, value: Number) -> int:
    """Round down, up, or to the nearest, halves up."""
    return (
        floor(value) if mode == "floor" else ceil(value) if mode == "ceil" else floor(value + Fraction(1, 2))
    )


def divided(value: Number, by: Number, *, whole: bool) -> Number:
    """Divide, and round down where only whole numbers are wanted."""
    return value // by if whole else Fraction(value) / by


def bounds(part: Node) -> tuple[int, int]:
    """Return the least and the most of a part. Raises ZeroDivisionError if it may divide by 0."""
    low, high = exact_bounds(part, whole=True)
    return int(low), int(high)


def exact_bounds(part: Node, *, whole: bool = False) -> tuple[Number, Number]:
    """Return the bounds of a part. whole: divisions round down, as outside `floor`, `ceil`, `round`."""
    low: Number
    high: Number
    match part:
        case Judged():
            return 0, 1
        case Rounded():
            low, high = exact_bounds(part.part)
            return rounded(part.how, low), rounded(part.how, high)
        case Constant():
            return part.value, part.value
        case Term():
            return _term_bounds(part)
        case Negative():
            low, high = exact_bounds(part.part, whole=whole)
            return -high, -low
        case Absolute():
            low, high = exact_bounds(part.part, whole=whole)
            sizes = [max(low, -low), max(high, -high)]
            return (0 if low <= 0 <= high else min(sizes)), max(sizes)
        case BestOf():
            lows, highs = zip(
                *(exact_bounds(node, whole=whole) for node in list_candidates(part)), strict=True
            )
            first = not part.keep.lowest
            return tuple(sum(sorted(side, reverse=first)[: part.keep.count]) for side in (lows, highs))
        case CountOf():
            return (-len(part.parts) if part.failing else 0), len(part.parts)
        case Rest():
            return 0, part.by - whole
        case Raised():
            low, high = exact_bounds(part.part, whole=whole)
            corners: list[Number] = [0] if low <= 0 <= high else []
            corners += [low**part.by, high**part.by]
            return min(corners), max(corners)
        case Sum():
            low = high = 0
            for adds, node in part.parts:
                least, most = exact_bounds(node, whole=whole)
                low, high = (low + least, high + most) if adds else (low - most, high - least)
            return low, high
        case Product():
            return _product_bounds(part, whole=whole)
        case WithNote():
            return exact_bounds(part.part, whole=whole)
        case Versus():
            return _term_bounds(part.counted)


@lru_cache(maxsize=MAX_REMEMBERED)
def _term_bounds(term: Term) -> tuple[int, int]:
    stay = term.keep.count if term.keep else term.count
    if term.apart:
        low, high = _face_bounds(term)
        bonus_bounds = _face_bounds(term, bonus=True)
        return stay * min(low, bonus_bounds[0]), stay * max(high, bonus_bounds[1])
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
    low, high = _die_bounds(term, chain, unless=term.reroll)
    if any(term.worth(face) in term.reroll for face in range(1, term.sides + 1)):
        least, most = _die_bounds(term, max(0, chain - 1))
        low, high = min(low, least), max(high, most)
    return stay * low, stay * high


def _chain(term: Term) -> int:
    return 0 if term.explode is None else 1 if term.once else MAX_CHAIN


def _face_bounds(term: Term, *, bonus: bool = False) -> tuple[int, int]:
    values = [term.adds(face, bonus=bonus) for face in range(1, term.sides + 1)]
    return min(values), max(values)


def _die_bounds(term: Term, chain: int, unless: Span | None = None) -> tuple[int, int]:
    """Return the lowest and highest of one die with its extra dice; low above high for no face."""
    bounds = [(0, 0)]
    for _ in range(chain):
        bounds.append(_one_die(term, bounds[-1], None, bonus=True, last=len(bounds) == 1))
    return _one_die(term, bounds[-1], unless, last=not chain)


def _one_die(
    term: Term, bonus_bounds: tuple[int, int], unless: Span | None, *, last: bool = False, bonus: bool = False
) -> tuple[int, int]:
    low, high = MAX_RESULT, -MAX_RESULT
    for face in range(1, term.sides + 1):
        value = term.worth(face)
        if unless and value in unless:
            continue
        worth = term.adds(face, bonus=bonus)
        explodes = term.explode is not None and value in term.explode and not last
        low = min(low, worth + (bonus_bounds[0] if explodes else 0))
        high = max(high, worth + (bonus_bounds[1] if explodes else 0))
    return low, high


def _product_bounds(product: Product, *, whole: bool) -> tuple[Number, Number]:
    low, high = exact_bounds(product.first, whole=whole)
    for multiplies, node in product.factors:
        least, most = exact_bounds(node, whole=whole)
        if multiplies:
            corners = [a * b for a in (low, high) for b in (least, most)]
        else:
            if least <= 0 <= most:
                raise ZeroDivisionError
            corners = [divided(a, b, whole=whole) for a in (low, high) for b in (least, most)]
        low, high = min(corners), max(corners)
    return low, high
