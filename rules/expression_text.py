"""A dice expression written in its one spelling, which reads back to the same expression."""

from __future__ import annotations

from dataclasses import replace

from rules.expression_nodes import (
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
    Sum,
    Term,
    Versus,
    WithNote,
)
from rules.expression_parts import counts_instead, terms

BEFORE_FACES = ("explode", "compound", "penetrate", "once")
"""Words behind which a comparison would say which faces are meant."""


def describe(expression: Expression) -> str:
    """The expression in its one canonical spelling, which parses to the same expression."""
    test = expression.test
    text = _whole(test, " + " if _has_modifiers(test) else "+")
    if expression.times > 1:
        text = f"{expression.times}x {text}"
    return f"{text} # {expression.comment}" if expression.comment else text


def _has_modifiers(part: Node | Versus | Judged) -> bool:
    """Whether a throw is written with words, so that signs after it need spaces."""
    if isinstance(part, Judged):
        return _has_modifiers(part.left) or _has_modifiers(part.right)
    shown = (replace(part.term, each=0),) if isinstance(part, Versus) else terms(part)
    return any(" " in str(term) for term in shown)


def _whole(part: Node | Versus | Judged, plus: str) -> str:
    if isinstance(part, Judged):
        left = _whole(part.left, plus)
        if counts_instead(part.left, part.right) or left.split()[-1] in BEFORE_FACES:
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
        case Constant():
            return str(node.value)
        case Term():
            return str(node)
        case Absolute():
            return f"abs({_text(node.part, plus)})"
        case BestOf():
            return f"{{{', '.join(_text(part, plus) for part in node.parts)}}} {node.keep}"
        case CountOf():
            failing = f" fail {node.failing}" if node.failing else ""
            return f"{{{', '.join(_text(part, plus) for part in node.parts)}}} count {node.counting}{failing}"
        case Rest():
            return f"{_tight(node.part, plus)}%{node.by}"
        case Raised():
            return f"{_tight(node.part, plus)}^{node.by}"
        case Negative():
            return "-" + _inner(node.part, plus, Sum, Product, Rest)
        case Sum():
            (_, first), *rest = node.parts
            alone = Sum, CountOf
            text = _inner(first, plus, *alone)
            return text + "".join(_sign(plus, adds=adds) + _inner(part, plus, *alone) for adds, part in rest)
        case Product():
            text = _inner(node.first, plus, Sum, Product)
            for multiplies, part in node.factors:
                sign = plus.replace("+", "*" if multiplies else "/")
                text += sign + _inner(part, plus, Sum, Product, Rest)
            return text
        case WithNote():
            return f"{_inner(node.part, plus, Sum, Product, Negative, Rest, Raised)} [{node.note}]"


def _tight(node: Node, plus: str) -> str:
    """A part in parentheses, unless it is one word."""
    text = _text(node, plus)
    return text if isinstance(node, Term | Constant) and " " not in text else f"({text})"


def _inner(node: Node, plus: str, *grouped: type) -> str:
    text = _text(node, plus)
    return f"({text})" if isinstance(node, grouped) else text
