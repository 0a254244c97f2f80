"""A dice expression written in its one spelling, which reads back to the same, and told in plain words."""

from __future__ import annotations

from dataclasses import replace

from rules.notation.nodes import (
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
    Span,
    Sum,
    Term,
    Versus,
    WithNote,
    bare,
    parts_of,
    terms,
)

BEFORE_FACES = ("explode", "compound", "penetrate", "once")
"""Words behind which a comparison would say which faces are meant."""


def describe(expression: Expression) -> str:
    """Write the expression in its canonical spelling, which parses to the same expression."""
    text = "; ".join(_roll(roll) for roll in expression.rolls)
    return f"{text} # {expression.comment}" if expression.comment else text


def _roll(roll: Expression) -> str:
    text = _text(roll.test, " + " if _has_modifiers(roll.test) else "+")
    return f"{roll.times}x {text}" if roll.times > 1 else text


def _has_modifiers(part: Node) -> bool:
    """Return whether a throw is written with words, so that signs after it need spaces."""
    if isinstance(part, Versus):
        return " " in str(replace(part.term, each=0))
    if isinstance(part, Term):
        return " " in str(part)
    return any(map(_has_modifiers, parts_of(part)))


def counts_dice(left: Node, right: Node) -> bool:
    """Return whether a throw compared with a number counts its dice, as most programs read it.

    So it is where several dice of the throw stay and the number is one that each of them can show.
    """
    left = bare(left)
    if not isinstance(left, Term) or not isinstance(right, Constant) or left.counting or left.only:
        return False
    stay = left.keep.count if left.keep else left.count
    most = 13 * left.highest if left.compound else left.highest
    return stay > 1 and left.lowest <= right.value <= most


def _judged(part: Judged, plus: str) -> str:
    left = _text(part.left, plus)
    ends_in_faces = left.split()[-1] in BEFORE_FACES
    first = part.right.parts[0][1] if isinstance(part.right, Sum) else part.right
    if counts_dice(part.left, first) or ends_in_faces or isinstance(part.left, Judged):
        left = f"({left})"
    return f"{left} {part.sign} {_inner(part.right, plus, Judged)}"


def _sign(plus: str, *, adds: bool) -> str:
    return plus if adds else plus.replace("+", "-")


def _text(node: Node, plus: str) -> str:
    match node:
        case Constant():
            return str(node.value)
        case Term():
            return str(node)
        case Judged():
            return _judged(node, plus)
        case Versus():
            text = str(replace(node.term, each=0)) + (f" [{node.note}]" if node.note else "")
            if node.term.each:
                text += _sign(plus, adds=node.term.each > 0) + str(abs(node.term.each))
            return f"{text} vs {node.target}"
        case Absolute():
            return f"abs({_text(node.part, plus)})"
        case Rounded():
            return f"{node.how}({_text(node.part, plus)})"
        case BestOf():
            parts = ", ".join(_inner(part, plus, Judged) for part in node.parts)
            number = len(node.parts) if len(node.parts) > 1 else sum(term.count for term in terms(node))
            return f"{{{parts}}} {node.keep.text(number)}"
        case CountOf():
            failing = f" fail {node.failing}" if node.failing else ""
            parts = ", ".join(_inner(part, plus, Judged) for part in node.parts)
            return f"{{{parts}}} count {node.counting}{failing}"
        case Rest():
            return f"{_tight(node.part, plus)}%{node.by}"
        case Raised():
            return f"{_tight(node.part, plus)}^{node.by}"
        case Negative():
            return "-" + _inner(node.part, plus, Sum, Product, Rest, Judged)
        case Sum():
            (_, first), *others = node.parts
            kinds = Sum, CountOf, Judged
            text = _inner(first, plus, *kinds)
            for adds, part in others:
                text += _sign(plus, adds=adds) + _inner(part, plus, *kinds, *(() if adds else (Negative,)))
            return text
        case Product():
            text = _inner(node.first, plus, Sum, Product, Judged)
            for multiplies, part in node.factors:
                sign = plus.replace("+", "*" if multiplies else "/")
                text += sign + _inner(part, plus, Sum, Product, Rest, Judged)
            return text
        case WithNote():
            inner = _inner(node.part, plus, Sum, Product, Negative, Rest, Raised, Judged)
            return f"{inner} [{node.note}]"


def _tight(node: Node, plus: str) -> str:
    text = _text(node, plus)
    return text if isinstance(node, Term | Constant) and " " not in text else f"({text})"


def _inner(node: Node, plus: str, *grouped: type) -> str:
    text = _text(node, plus)
    return f"({text})" if isinstance(node, (*grouped, Versus)) else text


def explain(expression: Expression) -> str:
    """Explain in plain words what was understood, without the comment."""
    rolls = [_explained_roll(roll) for roll in expression.rolls]
    return rolls[0] if len(rolls) == 1 else f"{len(rolls)} rolls: " + "; ".join(rolls)


def _explained_roll(roll: Expression) -> str:
    test = bare(roll.test)
    text = _words(test, top=True)
    if roll.times > 1:
        rolls = f"{roll.times} separate rolls"
        is_clause = isinstance(test, Judged | CountOf)
        text = f"in each of {rolls}, {text}" if is_clause else f"{rolls} of {text}"
    text += ", with each division rounded down" if _divides(test) else ""
    return f"{text}?" if isinstance(test, Judged) else text


def _divides(node: Node) -> bool:
    if isinstance(node, Rounded):
        return False
    by = [multiplies for multiplies, _ in node.factors] if isinstance(node, Product) else []
    return not all(by) or any(map(_divides, parts_of(node)))


def _words(node: Node, *, top: bool = False) -> str:
    match node:
        case Term():
            phrases = term_words(node)
            dice = replace(Term(node.count, node.sides), fate=node.fate)
            if not phrases:
                return str(dice)
            return f"{dice}, {', '.join(phrases)}" if top else f"{dice} ({', '.join(phrases)})"
        case Versus():
            return f"{_words(node.term, top=top)}, count dice that reach {node.target}"
        case Judged():
            is_what = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than", "=": "exactly"}
            right, left = _words(node.right), _words(node.left)
            relation = is_what.get(node.sign, "anything but")
            adds_up = isinstance(bare(node.left), Term | Sum | Product)
            total = "the total of " if adds_up and sum(term.count for term in terms(node.left)) > 1 else ""
            return f"is {total}{left} {relation} {right}"
        case Sum():
            (_, first), *others = node.parts
            text = _words(first) if isinstance(first, Sum | Product | Negative) else _inside(first)
            return text + "".join(f" {'+' if adds else '-'} {_inside(part)}" for adds, part in others)
        case Product():
            text = _inside(node.first)
            return text + "".join(f" {'*' if by else '/'} {_inside(part)}" for by, part in node.factors)
        case Negative():
            return f"minus {_inside(node.part)}"
        case WithNote():
            return _words(node.part, top=top)
        case Absolute():
            return f"the absolute value of {_inside(node.part)}"
        case Rest():
            return f"the remainder of {_inside(node.part)} divided by {node.by}"
        case Raised():
            return f"{_inside(node.part)} to the power of {node.by}"
        case Rounded():
            roundings = {
                "floor": "rounded down",
                "ceil": "rounded up",
                "round": "rounded to the nearest whole number",
            }
            return f"({_words(node.part)}, {roundings[node.how]})"
        case BestOf():
            of_what = "of all dice in" if len(node.parts) == 1 else "of"
            parts = ", ".join(map(_words, node.parts))
            end = "lowest" if node.keep.lowest else "highest"
            return f"{_end(end, node.keep.count)} {of_what} ({parts})"
        case CountOf():
            failing = f", subtract one for each that comes to {_span(node.failing)}" if node.failing else ""
            parts = ", ".join(map(_words, node.parts))
            return f"count how many of ({parts}) come to {_span(node.counting)}{failing}"
        case Constant():
            return str(node.value)


def _inside(node: Node) -> str:
    text = _words(node)
    return text if isinstance(bare(node), Term | Constant | Rounded) else f"({text})"


def term_words(term: Term) -> list[str]:
    """Describe what happens to the dice of a throw, step by step, as players would."""
    words = []
    if term.reroll:
        repetition = "until they show something else" if term.until else "once"
        words.append(f"re-roll {_span(term.reroll, plural=True)} {repetition}")
    if term.explode is not None:
        faces = f"{term.highest}s" if term.explode.low == term.highest else _span(term.explode, plural=True)
        text = f"exploding {faces}" + (", at most one extra die each" if term.once else "")
        if term.fades:
            text += ", with -1 to each extra die"
        words.append(f"{text}, with extra dice added to the die that exploded" if term.compound else text)
    if term.least is not None:
        words.append(f"dice below {term.least} become {term.least}")
    if term.most is not None:
        words.append(f"dice above {term.most} become {term.most}")
    if term.each:
        words.append(f"{term.each:+d} to each die")
    if term.keep:
        one_by_one = " (extra dice are kept or dropped separately)" if term.apart else ""
        words.append(_keep_words(term) + one_by_one)
    if term.only:
        words.append(f"add up only {_span(term.only, plural=True)}")
    if term.counting:
        words.append(f"count dice that show {_span(term.counting)}")
    if term.double:
        words.append(f"{_span(term.double, plural=True)} count twice")
    if term.failing:
        words.append(f"subtract one for each die that shows {_span(term.failing)}")
    return words


def _keep_words(term: Term) -> str:
    keep = term.keep
    assert keep is not None
    if keep.skip:
        low = term.count - keep.skip - keep.count
        return f"drop {_end('lowest', low)} and {_end('highest', keep.skip)}"
    return f"keep {_end('lowest' if keep.lowest else 'highest', keep.count)}"


def _end(end: str, count: int) -> str:
    return f"the {end} {count}" if count > 1 else f"the {end}"


def _span(span: Span, *, plural: bool = False) -> str:
    if span.outside:
        return f"anything but {_span(replace(span, outside=False))}"
    if span.parity:
        return f"{span.parity} numbers" if plural else f"an {span.parity} number"
    if span.low is None:
        return f"{span.high}s and lower" if plural else f"{span.high} or less"
    if span.high is None:
        return f"{span.low}s and higher" if plural else f"{span.low} or more"
    if span.low == span.high:
        return f"{span.low}s" if plural else str(span.low)
    if plural:
        return f"{span.low}s {'and' if span.high == span.low + 1 else 'to'} {span.high}s"
    return f"{span.low} {'or' if span.high == span.low + 1 else 'to'} {span.high}"
