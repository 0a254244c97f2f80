"""What is inside a dice expression: its throws and their notes, and one throw put in the place of another."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

from rules.expression_nodes import (
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
    Sum,
    Term,
    Versus,
    WithNote,
)


def terms(part: Node | Versus | Judged) -> tuple[Term, ...]:
    """The throws of a part, in the order in which they are thrown; those of `vs` as counting throws."""
    return tuple(term for term, _ in noted_terms(part))


def noted_terms(part: Node | Versus | Judged) -> tuple[tuple[Term, str], ...]:
    """The throws of a part in order, each with the note that stands at it."""
    match part:
        case Constant():
            return ()
        case Term():
            return ((part, ""),)
        case Negative() | Absolute() | Rest() | Raised():
            return noted_terms(part.part)
        case BestOf():
            return tuple(found for node in singles(part) for found in noted_terms(node))
        case CountOf():
            return tuple(found for node in part.parts for found in noted_terms(node))
        case Sum():
            return tuple(found for _, node in part.parts for found in noted_terms(node))
        case Product():
            return noted_terms(part.first) + tuple(
                found for _, node in part.factors for found in noted_terms(node)
            )
        case WithNote(Term() as term, note):
            return ((term, note),)
        case WithNote():
            return noted_terms(part.part)
        case Versus():
            return ((part.counted, part.note),)
        case Judged():
            return noted_terms(part.left) + noted_terms(part.right)


def singles(pool: BestOf) -> tuple[Node, ...]:
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
        if isinstance(inner, WithNote):
            notes.append(inner.note)
            inner = inner.part
        if isinstance(inner, Term) and adds and term is None:
            term = inner
        elif isinstance(inner, Constant):
            added += inner.value if adds else -inner.value
        elif isinstance(inner, Negative) and isinstance(inner.part, Constant):
            added += -inner.part.value if adds else inner.part.value
        else:
            return None, 0, []
    return term, added, notes


def counts_instead(left: Node | Versus, right: Node) -> bool:
    """Whether a throw compared with a number counts its dice, as most programs read it.

    So it is where several dice of the throw stay and the number is one that each of them can show.
    """
    left = left.part if isinstance(left, WithNote) else left
    if (
        not isinstance(left, Term)
        or not isinstance(right, Constant)
        or left.counting
        or left.failing
        or left.only
    ):
        return False
    stay = left.keep.count if left.keep else left.count
    return stay > 1 and left.lowest <= right.value <= left.highest
