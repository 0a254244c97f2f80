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
    list_parts,
    terms,
    without_note,
)

WORDS_BEFORE_FACES = ("explode", "compound", "penetrate", "once")
"""Words after which a comparison names faces of the die."""


def describe(expression: Expression) -> str:
    """Write the expression in its canonical spelling, which parses to the same expression."""
    text = "; ".join(_format_roll(roll) for roll in expression.rolls)
    return f"{text} # {expression.comment}" if expression.comment else text


def _format_roll(roll: Expression) -> str:
    text = _format_node(roll.test, " + " if _has_modifiers(roll.test) else "+")
    return f"{roll.times}x {text}" if roll.times > 1 else text


def _has_modifiers(part: Node) -> bool:
    """Return whether a throw is written with words, so that signs after it need spaces."""
    if isinstance(part, Versus):
        return " " in str(replace(part.term, each=0))
    if isinstance(part, Term):
        return " " in str(part)
    return any(map(_has_modifiers, list_parts(part)))


def is_dice_count(left: Node, right: Node) -> bool:
    """Return whether a throw compared with a number counts its dice, as most programs read it.

    So it is where several dice of the throw stay and the number is one that each of them can show.
    """
    left = without_note(left)
    if not isinstance(left, Term) or not isinstance(right, Constant) or left.counting or left.only:
        return False
    kept_count = left.keep.count if left.keep else left.count
    max_value = 13 * left.highest if left.compound else left.highest
    return kept_count > 1 and left.lowest <= right.value <= max_value


def _format_comparison(part: Judged, plus: str) -> str:
    left = _format_node(part.left, plus)
    ends_in_faces = left.split()[-1] in WORDS_BEFORE_FACES
    first = part.right.parts[0][1] if isinstance(part.right, Sum) else part.right
    if is_dice_count(part.left, first) or ends_in_faces or isinstance(part.left, Judged):
        left = f"({left})"
    return f"{left} {part.sign} {_format_inner(part.right, plus, Judged)}"


def _format_sign(plus: str, *, adds: bool) -> str:
    return plus if adds else plus.replace("+", "-")


def _format_node(node: Node, plus: str) -> str:
    match node:
        case Constant():
            return str(node.value)
        case Term():
            return str(node)
        case Judged():
            return _format_comparison(node, plus)
        case Versus():
            text = str(replace(node.term, each=0)) + (f" [{node.note}]" if node.note else "")
            if node.term.each:
                text += _format_sign(plus, adds=node.term.each > 0) + str(abs(node.term.each))
            return f"{text} vs {node.target}"
        case Absolute():
            return f"abs({_format_node(node.part, plus)})"
        case Rounded():
            return f"{node.how}({_format_node(node.part, plus)})"
        case BestOf():
            parts = ", ".join(_format_inner(part, plus, Judged) for part in node.parts)
            number = len(node.parts) if len(node.parts) > 1 else sum(term.count for term in terms(node))
            return f"{{{parts}}} {node.keep.text(number)}"
        case CountOf():
            failing = f" fail {node.failing}" if node.failing else ""
            parts = ", ".join(_format_inner(part, plus, Judged) for part in node.parts)
            return f"{{{parts}}} count {node.counting}{failing}"
        case Rest():
            return f"{_format_operand(node.part, plus)}%{node.by}"
        case Raised():
            return f"{_format_operand(node.part, plus)}^{node.by}"
        case Negative():
            return "-" + _format_inner(node.part, plus, Sum, Product, Rest, Judged)
        case Sum():
            (_, first), *others = node.parts
            kinds = Sum, CountOf, Judged
            text = _format_inner(first, plus, *kinds)
            for adds, part in others:
                text += _format_sign(plus, adds=adds) + _format_inner(
                    part, plus, *kinds, *(() if adds else (Negative,))
                )
            return text
        case Product():
            text = _format_inner(node.first, plus, Sum, Product, Judged)
            for multiplies, part in node.factors:
                sign = plus.replace("+", "*" if multiplies else "/")
                text += sign + _format_inner(part, plus, Sum, Product, Rest, Judged)
            return text
        case WithNote():
            inner = _format_inner(node.part, plus, Sum, Product, Negative, Rest, Raised, Judged)
            return f"{inner} [{node.note}]"


def _format_operand(node: Node, plus: str) -> str:
    text = _format_node(node, plus)
    return text if isinstance(node, Term | Constant) and " " not in text else f"({text})"


def _format_inner(node: Node, plus: str, *grouped: type) -> str:
    text = _format_node(node, plus)
    return f"({text})" if isinstance(node, (*grouped, Versus)) else text


def explain(expression: Expression) -> str:
    """Explain in plain words what was understood, without the comment."""
    rolls = [_explain_roll(roll) for roll in expression.rolls]
    return rolls[0] if len(rolls) == 1 else f"{len(rolls)} rolls: " + "; ".join(rolls)


def _explain_roll(roll: Expression) -> str:
    test = without_note(roll.test)
    text = _explain_node(test, top=True)
    if roll.times > 1:
        rolls = f"{roll.times} separate rolls"
        is_clause = isinstance(test, Judged | CountOf)
        text = f"in each of {rolls}, {text}" if is_clause else f"{rolls} of {text}"
    text += ", with each division rounded down" if _divides(test) else ""
    return f"{text}?" if isinstance(test, Judged) else text


def _divides(node: Node) -> bool:
    if isinstance(node, Rounded):
        return False
    multiplications = [multiplies for multiplies, _ in node.factors] if isinstance(node, Product) else []
    return not all(multiplications) or any(map(_divides, list_parts(node)))


def _explain_node(node: Node, *, top: bool = False) -> str:
    match node:
        case Term():
            phrases = describe_term(node)
            dice = replace(Term(node.count, node.sides), fate=node.fate)
            if not phrases:
                return str(dice)
            return f"{dice}, {', '.join(phrases)}" if top else f"{dice} ({', '.join(phrases)})"
        case Versus():
            return f"{_explain_node(node.term, top=top)}, count dice that reach {node.target}"
        case Judged():
            relations = {
                ">=": "at least",
                "<=": "at most",
                ">": "more than",
                "<": "less than",
                "=": "exactly",
            }
            right, left = _explain_node(node.right), _explain_node(node.left)
            relation = relations.get(node.sign, "anything but")
            adds_up = isinstance(without_note(node.left), Term | Sum | Product)
            total = "the total of " if adds_up and sum(term.count for term in terms(node.left)) > 1 else ""
            return f"is {total}{left} {relation} {right}"
        case Sum():
            (_, first), *others = node.parts
            text = (
                _explain_node(first)
                if isinstance(first, Sum | Product | Negative)
                else _explain_inside(first)
            )
            return text + "".join(f" {'+' if adds else '-'} {_explain_inside(part)}" for adds, part in others)
        case Product():
            text = _explain_inside(node.first)
            return text + "".join(
                f" {'*' if by else '/'} {_explain_inside(part)}" for by, part in node.factors
            )
        case Negative():
            return f"minus {_explain_inside(node.part)}"
        case WithNote():
            return _explain_node(node.part, top=top)
        case Absolute():
            return f"the absolute value of {_explain_inside(node.part)}"
        case Rest():
            return f"the remainder of {_explain_inside(node.part)} divided by {node.by}"
        case Raised():
            return f"{_explain_inside(node.part)} to the power of {node.by}"
        case Rounded():
            roundings = {
                "floor": "rounded down",
                "ceil": "rounded up",
                "round": "rounded to the nearest whole number",
            }
            return f"({_explain_node(node.part)}, {roundings[node.how]})"
        case BestOf():
            source_text = "of all dice in" if len(node.parts) == 1 else "of"
            parts = ", ".join(map(_explain_node, node.parts))
            end = "lowest" if node.keep.lowest else "highest"
            return f"{_format_end(end, node.keep.count)} {source_text} ({parts})"
        case CountOf():
            failing = (
                f", subtract one for each that comes to {_describe_span(node.failing)}"
                if node.failing
                else ""
            )
            parts = ", ".join(map(_explain_node, node.parts))
            return f"count how many of ({parts}) come to {_describe_span(node.counting)}{failing}"
        case Constant():
            return str(node.value)


def _explain_inside(node: Node) -> str:
    text = _explain_node(node)
    return text if isinstance(without_note(node), Term | Constant | Rounded) else f"({text})"


def describe_term(term: Term) -> list[str]:
    """Describe what happens to the dice of a throw, step by step, as players would."""
    words = []
    if term.reroll:
        repetition_text = "until they show something else" if term.until else "once"
        words.append(f"re-roll {_describe_span(term.reroll, plural=True)} {repetition_text}")
    if term.explode is not None:
        faces = (
            f"{term.highest}s"
            if term.explode.low == term.highest
            else _describe_span(term.explode, plural=True)
        )
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
        separately_text = " (extra dice are kept or dropped separately)" if term.apart else ""
        words.append(_describe_keep(term) + separately_text)
    if term.only:
        only_text = "" if term.only.outside else "only "
        words.append(f"add up {only_text}{_describe_span(term.only, plural=True)}")
    if term.counting:
        words.append(f"count dice that show {_describe_span(term.counting)}")
    if term.double:
        words.append(f"{_describe_span(term.double, plural=True)} count twice")
    if term.failing:
        words.append(f"subtract one for each die that shows {_describe_span(term.failing)}")
    return words


def _describe_keep(term: Term) -> str:
    keep = term.keep
    assert keep is not None
    if keep.skip:
        low = term.count - keep.skip - keep.count
        return f"drop {_format_end('lowest', low)} and {_format_end('highest', keep.skip)}"
    return f"keep {_format_end('lowest' if keep.lowest else 'highest', keep.count)}"


def _format_end(end: str, count: int) -> str:
    return f"the {end} {count}" if count > 1 else f"the {end}"


def _describe_span(span: Span, *, plural: bool = False) -> str:
    if span.outside:
        other_text = _describe_span(replace(span, outside=False), plural=plural)
        return f"{'all' if plural else 'anything'} but {other_text}"
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
