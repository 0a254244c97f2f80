"""Reading what follows the dice of a throw: keep, explode, re-roll, count and the rest, one by one."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal, NoReturn, cast

from rules.notation.nodes import MAX_COUNT, Comparison, Constant, Judged, Keep, Node, Span, Term
from rules.notation.refusals import Misread

Tree = Any
"""A node of the parse tree: parsimonious has no types."""


UNNAMED_RULES = ("_", "comma", "close", "close_pool")
"""Rules of the grammar that only separate others: their nodes are skipped."""


def find_named_nodes(tree: Tree) -> list[Tree]:
    """Return the nearest nodes below one that belong to a rule with a name, spaces left out."""
    nodes: list[Tree] = []
    for child in tree.children:
        if child.expr_name in UNNAMED_RULES:
            continue
        nodes += [child] if child.expr_name else find_named_nodes(child)
    return nodes


class ModifierReader:
    """Reads the modifiers of a throw. others: other readings, as a name and one part put for another."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.told = self.unequal = self.exact = False
        self.others: list[tuple[str, Node, Node]] = []

    def refuse(self, sentence: str, tree: Tree) -> NoReturn:
        """Refuse a part of the text. Raises Misread."""
        start = tree.start + len(tree.text) - len(tree.text.lstrip())
        raise Misread(sentence, self.text, start, max(start + 1, tree.start + len(tree.text.rstrip())))

    def number(self, tree: Tree) -> int:
        raise NotImplementedError

    def sign(self, tree: Tree) -> Comparison:
        raise NotImplementedError

    def throw(self, term: Term, modifiers: list[Tree], tree: Tree) -> Term:
        """Return the throw with every modifier that follows it."""
        doubts: list[tuple[str, str]] = []
        for modifier in modifiers:
            inner = find_named_nodes(modifier)[0]
            if inner.expr_name == "ignored":
                continue
            changed = self.modified(term, inner)
            if changed == term and inner.expr_name != "keep":
                self.refuse("Leave out this part, because it repeats another part or changes nothing.", inner)
            doubts.append((inner.expr_name, _first_word(inner)))
            term = changed
        problem = explain_bad_combination(term)
        if problem is None and term.apart and term.keep and ("keep", "d") in [(n, w[:1]) for n, w in doubts]:
            dice = f"{term.count}{term.kind}"
            problem = (
                f"Write how many dice to keep, as in `{dice} explode keep {term.keep.count}`, because "
                f"exploding adds dice. To drop a die with all its extra dice, write `{dice} compound drop 1`."
            )
        if problem:
            self.refuse(problem, tree)
        if self.unequal and not term.counting:
            self.others.append(('Read != as "not equal"', term, _read_as_not_equal(term)))
        words = {word for _, word in doubts} | ({"exact"} if self.exact else set())
        self.unequal = self.exact = False
        self.others += _list_other_readings(term, words)
        return term

    def modified(self, term: Term, tree: Tree) -> Term:
        """Return the throw with one modifier."""
        return MODIFIER_METHODS[tree.expr_name](self, term, tree)

    def refuse_repeat(self, previous_value: object, tree: Tree, name: str) -> None:
        if previous_value:
            self.refuse(f"Use `{name}` only once for the same dice.", tree)

    def refuse_faces(self, term: Term, tree: Tree) -> NoReturn:
        """Refuse numbers that no face of the die shows. Raises Misread."""
        faces = f"{term.lowest} to {term.highest}"
        self.refuse(f"Use a number from {faces}, because that is what a {term.kind} shows.", tree)

    def change_explode(self, term: Term, tree: Tree) -> Term:
        self.refuse_repeat(term.explode is not None, tree, "explode")
        parts = find_named_nodes(tree)
        names = [part.expr_name for part in parts]
        word = _first_word(tree)
        is_penetrating = word in ("penetrate", "!p", "!!p") or "penetrate" in names
        highest = Span(term.highest, None)
        span = highest
        if names[-1] in ("faces", "brief_faces"):
            span = read_span(self, find_named_nodes(parts[-1])[0], "up" if word == "ie" else "")
            inner = find_named_nodes(find_named_nodes(parts[-1])[0])[0]
            self.exact = inner.expr_name == "exact"
            if inner.expr_name == "compare" and word == "!" and inner.text[0] == "=":
                self.told = self.unequal = True
        exploding_faces = [value for value in _face_range(term) if value in span]
        if not exploding_faces and word == "x":
            self.refuse("To multiply, write `*`, as in `3d6*10`. An `x` after dice explodes them.", tree)
        if not exploding_faces:
            self.refuse_faces(term, tree)
        if len(exploding_faces) == len(_face_range(term)):
            example = f"{term.count}{term.kind} explode {term.highest}"
            self.refuse(f"Leave at least one face that does not explode, as in `{example}`.", tree)
        if span.low is None and not span.parity and not span.outside:
            span = Span(term.lowest, span.high)
        return replace(
            term,
            explode=highest if span == Span(term.highest, term.highest) else span,
            fades=is_penetrating,
            once="once" in names or word in ("xo", "ra"),
            compound=word in ("compound", "!!", "!!p"),
        )

    def change_reroll(self, term: Term, tree: Tree) -> Term:
        self.refuse_repeat(term.reroll, tree, "reroll")
        parts = find_named_nodes(tree)
        word = _first_word(tree)
        is_repeated = word in ("rr", "ir", "irg") or any(part.expr_name == "until" for part in parts)
        if parts and parts[-1].expr_name in ("span", "brief"):
            default_direction = "down" if word == "ir" else "up" if word in ("rg", "irg") else ""
            span = read_span(self, parts[-1], default_direction)
        elif word in ("r", "ro", "rr"):
            span = Span(term.lowest, term.lowest)
        else:
            self.refuse("Write the faces to re-roll, as in `reroll 1-2`.", tree)
        if not any(value in span for value in _face_range(term)):
            self.refuse_faces(term, tree)
        return replace(term, reroll=span, until=is_repeated)

    def change_only(self, term: Term, tree: Tree) -> Term:
        self.refuse_repeat(term.only, tree, "only")
        span = read_span(self, find_named_nodes(tree)[0])
        if _first_word(tree) in ("drop", "d", "p"):
            span = _invert_span(span)
        return replace(term, only=span)

    def change_keep(self, term: Term, tree: Tree) -> Term:
        keep = self.keep(term, tree)
        if term.keep and keep == term.keep:
            self.refuse("Leave out this part, because it repeats another part or changes nothing.", tree)
        return replace(term, keep=keep)

    def keep(self, term: Term, tree: Tree) -> Keep:
        """Read one more `keep` or `drop` and return which dice stay; its words may be in either order."""
        word = _first_word(tree)
        dice_left = term.keep.count if term.keep else term.count
        sides = [part.text.strip() for part in find_named_nodes(tree) if part.expr_name == "side"]
        amounts = [part for part in find_named_nodes(tree) if part.expr_name == "amount"]
        count = self.number(amounts[0]) if amounts else 1
        if amounts and not 1 <= count <= dice_left:
            amount = f"1 to {dice_left} dice" if dice_left > 1 else "only 1 die"
            self.refuse(f"You can keep or drop {amount} here (you entered {count}).", tree)
        drops = word in ("drop", "d", "dh", "dl", "ph", "pl")
        if word == "km" or "middle" in sides:
            low = (dice_left - count) // 2
            inner = Keep.between(low, low + count, dice_left)
        else:
            lowest = word in ("kl", "worst", "dl", "pl") or any(
                side in ("lowest", "low", "l", "worst") for side in sides
            )
            highest = word in ("kh", "best", "dh", "ph") or any(
                side in ("highest", "high", "h", "best") for side in sides
            )
            if drops and count == dice_left:
                self.refuse("Keep at least one die.", tree)
            inner = Keep(dice_left - count, lowest=highest) if drops else Keep(count, lowest=lowest)
        return term.keep.within(inner, term.count) if term.keep else inner

    def change_limit(self, term: Term, tree: Tree) -> Term:
        name: Literal["least", "most"] = "least" if _first_word(tree) in ("least", "min", "mi") else "most"
        self.refuse_repeat(getattr(term, name) is not None, tree, name)
        value = self.number(find_named_nodes(tree)[0])
        if not term.lowest <= value <= term.highest:
            self.refuse_faces(term, tree)
        return replace(term, least=value) if name == "least" else replace(term, most=value)

    def change_each(self, term: Term, tree: Tree) -> Term:
        self.refuse_repeat(term.each, tree, "each")
        value = self.number(find_named_nodes(tree)[0])
        return replace(term, each=-value if "-" in tree.text else value)

    def change_double(self, term: Term, tree: Tree) -> Term:
        self.refuse_repeat(term.double, tree, "double")
        if term.counting is None:
            self.refuse("Write `count` before `double`, as in `8d10 count 7+ double 10`.", tree)
        spans = find_named_nodes(tree)
        if not spans:
            return replace(term, double=term.counting)
        downward = term.counting.low is None
        default_direction = ("down" if downward else "up") if _first_word(tree) == "ds" else ""
        return replace(term, double=read_span(self, spans[0], default_direction))

    def change_fail(self, term: Term, tree: Tree) -> Term:
        self.refuse_repeat(term.failing, tree, "fail")
        return replace(term, failing=self.failing_span(tree))

    def failing_span(self, tree: Tree) -> Span:
        """Return the faces that reduce the count by one."""
        return read_span(self, find_named_nodes(tree)[0], "down" if _first_word(tree) == "f" else "")

    def change_tally(self, term: Term, tree: Tree) -> Term:
        self.refuse_repeat(term.counting, tree, "count")
        word, spans = _first_word(tree), find_named_nodes(tree)
        if word in (">>", "<<"):
            value = self.number(spans[0])
            return replace(term, counting=Span(value, None) if word == ">>" else Span(None, value))
        if not spans:
            face = term.highest if word == "cs" else term.lowest
            return replace(term, counting=Span(face, face))
        default_direction = {"t": "up", "tl": "down"}.get(word, "")
        return replace(term, counting=read_span(self, spans[0], default_direction))

    def change_parity(self, term: Term, tree: Tree) -> Term:
        self.refuse_repeat(term.counting, tree, "count")
        return replace(term, counting=Span(None, None, parity="even" if _first_word(tree)[0] == "e" else "odd"))

    def change_advantage(self, term: Term, tree: Tree) -> Term:
        """Add dice of which the same number is kept: one more, two for `ea`, or as many as are written."""
        word, amounts = _first_word(tree), find_named_nodes(tree)
        if term.keep or term.explode is not None or term.counting:
            self.refuse("Use advantage without `keep`, `explode` or `count`, as in `d20 adv`.", tree)
        extra = 2 if word == "ea" else 1
        if amounts:
            extra = self.number(amounts[0])
            if not 1 <= extra <= MAX_COUNT - term.count:
                self.refuse(
                    f"Roll at least 1 extra die, and at most {MAX_COUNT} dice in all (you entered {extra}).",
                    tree,
                )
        elif term.count > 1:
            example = f"{term.count}{term.kind} adv1"
            self.refuse(f"Write how many extra dice to roll, as in `{example}`.", tree)
        return replace(term, count=term.count + extra, keep=Keep(term.count, lowest=word[0] == "d"))


MODIFIER_METHODS: dict[str, Callable[[ModifierReader, Term, Tree], Term]] = {
    "explode": ModifierReader.change_explode,
    "reroll": ModifierReader.change_reroll,
    "only": ModifierReader.change_only,
    "keep": ModifierReader.change_keep,
    "limit": ModifierReader.change_limit,
    "each": ModifierReader.change_each,
    "double": ModifierReader.change_double,
    "fail": ModifierReader.change_fail,
    "tally": ModifierReader.change_tally,
    "parity": ModifierReader.change_parity,
    "advantage": ModifierReader.change_advantage,
}
"""The function that changes a throw for each rule of the grammar."""


def read_span(reader: ModifierReader, tree: Tree, default_direction: str = "") -> Span:
    """Read which faces are meant. default_direction: "up" or "down" if a number includes all beyond it."""
    inner = find_named_nodes(tree)[0]
    parts = find_named_nodes(inner)
    match inner.expr_name:
        case "compare":
            sign, value = reader.sign(parts[0]), reader.number(parts[1])
            low = {">=": value, ">": value + 1, "=": value, "!=": value}.get(sign)
            high = {"<=": value, "<": value - 1, "=": value, "!=": value}.get(sign)
            return Span(low, high, outside=sign == "!=")
        case "negated":
            span = read_span(reader, parts[0])
            return replace(span, outside=not span.outside)
        case "parity_word":
            return Span(None, None, parity=cast(Any, inner.text.strip()))
        case "between":
            low, high = map(reader.number, parts)
            if high < low:
                sentence = (
                    f"Write the lower number first, as in `{high}-{low}`. To subtract, put spaces around `-`."
                )
                reader.refuse(sentence, inner)
            return Span(low, high)
        case "upward":
            return Span(reader.number(parts[0]), None)
        case _:
            value = reader.number(inner)
            if default_direction:
                return Span(value, None) if default_direction == "up" else Span(None, value)
            return Span(value, value)


def explain_bad_combination(term: Term) -> str | None:
    """Explain why modifiers can't be combined, or return None if they can."""
    if (term.fades or term.once) and term.reroll and not term.apart:
        name = "penetrate" if term.fades else "explode once"
        return f"You can't combine `{name}` with `reroll`. Use `explode` instead."
    if term.only and (term.keep or term.counting or term.failing):
        return "Use `only` without `keep`, `count` or `vs`, because it adds up the dice that it picks."
    if term.until and all(value in cast(Span, term.reroll) for value in _face_range(term)):
        return "Leave at least one face that is not re-rolled."
    if term.chained and term.keep and (term.counting or term.failing):
        return "You can't both keep and count dice that compound. Use `explode` instead of `compound`."
    if term.keep and term.keep.skip and (term.explode is not None):
        return "Keep either the highest or the lowest when dice explode, as in `4d6 explode keep 3`."
    return None


def _list_other_readings(term: Term, words: set[str]) -> list[tuple[str, Node, Node]]:
    """Return how other programs read a throw: a name, the throw, and the throw as they read it."""
    readings: list[tuple[str, Node, Node]] = []
    if term.apart:
        readings.append(("Keep each die with its extra dice", term, replace(term, compound=True)))
    if "exact" in words and term.explode is not None and term.explode.high is not None and not term.once:
        upward = Span(term.explode.low, None)
        readings.append((f"Explode on {upward.low} or more", term, replace(term, explode=upward)))
    if "r" in words and not term.until:
        readings.append(("Re-roll as often as needed", term, replace(term, until=True)))
    if "e" in words and not term.once:
        readings.append(("Explode once", term, replace(term, once=True)))
    return [reading for reading in readings if explain_bad_combination(cast(Term, reading[2])) is None]


def _read_as_not_equal(term: Term) -> Node:
    assert term.explode is not None
    span, plain_term = Span(term.explode.low, term.explode.low, outside=True), replace(term, explode=None)
    if term.count > 1:
        return replace(plain_term, counting=span)
    return Judged(plain_term, "!=", Constant(cast(int, span.low)))


def _invert_span(span: Span) -> Span:
    if span.upward:
        return Span(None, cast(int, span.low) - 1)
    if span.low is None and not span.parity and not span.outside:
        return Span(cast(int, span.high) + 1, None)
    return replace(span, outside=not span.outside)


def _first_word(tree: Tree) -> str:
    text: str = tree.text.strip()
    bang = re.match(r"!!?p?(?![a-z])", text)
    if bang:
        return bang[0]
    for place, char in enumerate(text):
        if char.isalpha() != text[0].isalpha() or char.isdigit() or char.isspace() or char in "=≥≤":
            return text[:place]
        if text[0] in "<>" and place == 2:
            return text[:2]
    return text


def _face_range(term: Term) -> range:
    return range(term.lowest, term.highest + 1)
