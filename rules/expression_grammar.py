"""Reading dice expressions: from text to `rules.expression_nodes`, or a refusal that marks the place.

The grammar, in any case and with any spaces (`[...]` optional, `...*` repeated)::

    expression := [number ["x" | "#"]] test ["#" comment]
    test       := sum ["vs" number] [(">=" | "<=" | ">" | "<" | "=" | "!=") sum]
    sum        := product (("+" | "-") product)*
    product    := part (("*" | "/" | "%") part)*           division rounds down
    part       := ("-" part | (number | dice | "(" sum ")" | pool | function) ["[" note "]"]*) ["^" number]
    pool       := ("{" | "(") sum ("," sum)* ("}" | ")") (("keep" | "drop") [which] [number] | "count" span)
    function   := ("floor" | "ceil" | "round" | "abs") "(" sum ")" | ("max" | "min") "(" sum ("," sum)* ")"
    dice       := [number] ("d" | "w" | "k") (number | "%" | "F" | "F.1") modifier*  |  [number] "fate"
    modifier   := "keep" [which] [number] | "drop" [which] [number] | ("best" | "worst") [number]
                | ("explode" | "!" | "compound" | "!!") ["penetrate"] ["once"] [span] | "penetrate" [span]
                | "reroll" ["once" | "until"] span | "count" span ["double" span] | "fail" span | "only" span
                | ("least" | "most") number | "each" ("+" | "-") number | "advantage" | "disadvantage"
    which      := "highest" | "lowest"
    span       := number | number "+" | number "-" number | (">=" | "<=" | ">" | "<" | "=" | "!=") number
                | "not" span | "even" | "odd"

What the grammar leaves open: modifiers work in the order re-roll, explode, each, keep, count, in whichever
order they are typed; `keep` alone keeps the highest die, `drop` alone drops the lowest. A `+`, or the `-` of
a range, belongs to a span when it touches the number before it: `count 7+`, `reroll 1-2`; with a space it
adds or subtracts. A comparison that touches `!`, or follows `keep`, `count`, `fail` or `reroll`, belongs to
it. The short words of other programs are read too: docs/dice-expressions.md lists them. Before `vs` stands
one throw and what is added to each of its dice; `vs` and comparisons bind weaker than any sum.
Owns the reading only; it evaluates nothing and draws nothing.
"""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from rules.expression_bounds import bounds
from rules.expression_cursor import compared_span
from rules.expression_dice import DiceReader
from rules.expression_nodes import (
    MAX_NESTING,
    MAX_TIMES,
    MIN_SIDES,
    Absolute,
    BestOf,
    Comparison,
    Constant,
    CountOf,
    Expression,
    Judged,
    Keep,
    Negative,
    Node,
    Product,
    Raised,
    Rest,
    Span,
    Sum,
    Term,
    Versus,
    WithNote,
)
from rules.expression_parts import counts_instead, one_throw, only_plain, singles, swapped, terms
from rules.expression_text import describe
from rules.expression_tokens import (
    COMPARISONS,
    DIE_LETTERS,
    FUNCTIONS,
    MODIFIERS,
    SORTING,
    TIMES,
    TOGETHER,
    VERSUS,
    WORDS,
    Misread,
    TextPiece,
)

LONGEST_EXAMPLE = 30
"""Characters up to which what was typed is shown as it would be right."""


def read(text: str) -> Expression:
    """Read a dice expression without its comment; its size is not looked at. Raises InvalidInput."""
    found = _Parser(text).expression()
    return found if _can_be_read(found.otherwise[1]) else replace(found, otherwise=("", ""))


def _can_be_read(text: str) -> bool:
    """Whether the other reading is an expression itself, with all that follows the throw."""
    try:
        _Parser(text).expression()
    except Misread:
        return not text
    return True


class _Parser(DiceReader):
    """Recursive descent over the tokens of one text; each method reads one rule of the grammar."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.depth = 0
        self.rounded = False

    def expression(self) -> Expression:
        times = 1
        told: tuple[str, ...] = ()
        if self.here.kind == "number" and (self.repeats() or self.following.kind == "number"):
            token = self.here
            named = self.repeats()
            times = self.number("a number")
            if named:
                self.take()
            else:
                told = (f"Read as {times} rolls of their own.",)
            self.begins = self.here.start
            if not 1 <= times <= MAX_TIMES:
                self.wrong(f"Repeat 1 to {MAX_TIMES} times, not {times}.", token)
        test = self.test()
        if times > 1 and self.here.text == TOGETHER:
            test, times = self.together(test, times), 1
        if self.here.kind != "end":
            self.refuse_remark()
            wanted = {Judged: "the end", Versus: "a comparison or the end"}
            self.unexpected(wanted.get(type(test), "`+`, a comparison or the end"))
        readings, other = self.readings(test)
        reading = " ".join(readings)
        if other[1] and times > 1:
            other = (other[0], f"{times}x {other[1]}")
        return Expression(test, times, reading=" ".join(filter(None, (*told, reading))), otherwise=other)

    def refuse_remark(self) -> None:
        """Refuse words that follow, where they are a comment without its sign."""
        rest = self.tokens[self.at : -1]
        words = [one for one in rest if one.kind == "word" and one.text not in DIE_LETTERS]
        strange = rest[0] in words and rest[0].text not in (*WORDS, *MODIFIERS)
        if strange and len(words) > 1 and all(one.kind in ("word", "number") for one in rest):
            example = f"{self.text[: rest[0].start].strip()} # {self.text[rest[0].start :].strip()}"
            example = "1d20 # to hit" if len(example) > LONGEST_EXAMPLE else example
            self.wrong(f"Words for those who read stand behind `#`: `{example}`.", rest[0], rest[-1])

    def together(self, test: Node | Versus | Judged, times: int) -> Node:
        """What is repeated, added up."""
        if isinstance(test, Versus | Judged):
            self.wrong("Only what adds up is told together: `6x 4d6 together`.", self.here)
        self.take()
        parts = test.parts if isinstance(test, Sum) else ((True, test),)
        return Sum(parts * times)

    def readings(self, test: Node | Versus | Judged) -> tuple[list[str], tuple[str, str]]:
        """How it was read where others read it otherwise, and the first of the other readings."""
        found: list[str] = []
        other = ("", "")
        if self.told:
            found, other = [self.told[0]], self.told[1]
        for said, name, old, new in self.noticed:
            found += [said] if said not in found else []
            if name and not other[1] and old in terms(test):
                other = (name, describe(Expression(swapped(test, old, new))))
        if self.rounded:
            found.append("rounded down")
        return ([f"Read as: {'; '.join(found)}."] if found else []), other

    def repeats(self) -> bool:
        """Whether the number here says how often."""
        return self.following.kind == "word" and self.following.text in TIMES

    def test(self) -> Node | Versus | Judged:
        start = self.here
        left: Node | Versus = self.sum()
        if self.accept(*VERSUS):
            left = self.versus(cast(Node, left), start)
        if self.here.kind == "sign" and self.here.text in COMPARISONS:
            sign = cast(Comparison, self.take().text)
            right = self.sum()
            only_fails = [term for term in terms(left) if term.failing and not term.counting]
            if only_fails and isinstance(right, Constant) and right.value > 0:
                self.wrong(
                    "What counts stands before what fails: `8d10 count 7+ fail 1`.",
                    start,
                    self.tokens[self.at - 1],
                )
            if start.text != "(" and counts_instead(left, right):
                assert isinstance(right, Constant)
                note = left.note if isinstance(left, WithNote) else ""
                counted = self.counted(cast(Node, left), sign, right.value)
                return WithNote(counted, note) if note else counted
            return Judged(left, sign, right)
        return left

    def counted(self, left: Node, sign: Comparison, value: int) -> Term:
        """A throw compared with what each of its dice can show: its dice are counted, as most programs do."""
        term = left.part if isinstance(left, WithNote) else left
        assert isinstance(term, Term)
        span = Span(value, value, outside=True) if sign == "!=" else compared_span(sign, value)
        total = describe(Expression(Judged(left, sign, Constant(value))))
        word = str(span).replace("+", " or more").replace("<=", "up to ")
        show = f"do not show {value}" if span.outside else f"show {word}"
        self.told = f"dice that {show} are counted", ("Total", total)
        found = replace(term, counting=span)
        while self.here.kind == "word" and self.here.text in ("f", "fail"):
            found = self.modifier(found, self.take(), "fail", "down")
        return found

    def versus(self, left: Node, start: TextPiece) -> Versus:
        end = self.tokens[self.at - 2]
        dice, added, notes = one_throw(left)
        if dice is None:
            self.wrong("Before `vs` stands one throw: `4d10+1 vs 7`. Totals compare by `>=`.", start, end)
        if dice.counting:
            self.wrong("Use either `count` or `vs`, not both.", start, end)
        term = replace(dice, each=dice.each + added)
        if self.following.kind == "word" and self.following.text in DIE_LETTERS:
            self.wrong("After `vs` stands a number. Totals compare by `>`: `2d6 > 2d6`.", self.here)
        target = self.signed("the number to reach")
        if self.here.text == "+" and self.closes_span():
            self.take()
        self.sensible(replace(term, counting=Span(target, None)), start, end)
        return Versus(term, target, ", ".join(notes))

    def sum(self) -> Node:
        parts = [(True, self.product())]
        while self.here.kind == "sign" and self.here.text in ("+", "-"):
            parts.append((self.take().text == "+", self.product()))
        return Sum(tuple(parts)) if len(parts) > 1 else parts[0][1]

    def product(self) -> Node:
        first = self.part()
        factors: list[tuple[bool, Node]] = []
        while self.here.kind == "sign" and self.here.text in ("*", "/", "%"):
            sign = self.take()
            if sign.text == "%":
                first, factors = self.rest(Product(first, tuple(factors)) if factors else first), []
                continue
            start = self.here
            node = self.part()
            if len(factors) == MAX_NESTING:
                self.wrong(f"At most {MAX_NESTING} times `*` and `/` in one product.", sign)
            if sign.text == "/":
                low, high = bounds(node)
                if low <= 0 <= high:
                    self.wrong("This could divide by 0.", start, self.tokens[self.at - 1])
                self.rounded = self.rounded or sign.end - sign.start == 1
            factors.append((sign.text == "*", node))
        return Product(first, tuple(factors)) if factors else first

    def rest(self, node: Node) -> Rest:
        """What is left after dividing by the number here."""
        token = self.here
        by = self.number("the number to divide by")
        if by < 2:
            self.wrong("What is left is told from 2 up: `d10%3`.", token)
        return Rest(node, by)

    def powers(self, node: Node) -> Node:
        """A part with the powers that follow it."""
        while self.accept("^"):
            token = self.here
            by = self.number("how often it is multiplied by itself")
            if not 1 <= by <= MAX_NESTING:
                self.wrong(f"Powers go from 1 to {MAX_NESTING}.", token)
            node = Raised(node, by) if by > 1 else node
        return node

    def part(self) -> Node:
        self.depth += 1
        if self.depth > MAX_NESTING + 1:
            self.wrong(f"At most {MAX_NESTING} parentheses or minus signs inside one another.", self.here)
        node: Node
        if self.accept("-"):
            node = Negative(self.part())
        elif self.accept("("):
            opening = self.tokens[self.at - 1]
            nodes = self.listed(opening, ")")
            if len(nodes) == 1 and self.here.text in DIE_LETTERS[:2] and self.touches():
                node = self.noted(self.dice(opening, self.constant(nodes[0], opening)))
            else:
                alone = len(nodes) == 1 and not self.keeps()
                node = self.noted(nodes[0] if alone else self.best(nodes, opening))
        elif self.accept("{"):
            opening = self.tokens[self.at - 1]
            node = self.noted(self.best(self.listed(opening, "}"), opening))
        elif self.here.kind == "word" and self.here.text in FUNCTIONS and self.following.text == "(":
            node = self.noted(self.function())
        else:
            node = self.noted(self.margin(self.operand()))
        self.depth -= 1
        return self.powers(node)

    def margin(self, node: Node) -> Node:
        """A throw, less what it had to reach where that follows; turned round where it had to stay below."""
        if self.here.kind != "word" or self.here.text != "ms":
            return node
        self.take()
        below = self.accept("<", "<=")
        if not below:
            self.accept(">", ">=", "=")
        target = Constant(self.number("the number to reach"))
        self.told = self.told or ("what is above the number", ("", ""))
        if below:
            self.told = "what is below the number", ("", "")
            return Sum(((True, target), (False, node)))
        return Sum(((True, node), (False, target)))

    def constant(self, node: Node, opening: TextPiece) -> int:
        """The number that a part without dice comes to, as it says how many dice or sides there are."""
        low, high = bounds(node)
        if terms(node) or low != high:
            last = self.tokens[self.at - 1]
            self.wrong("How many dice and sides there are is not thrown for: `4d8`.", opening, last)
        return low

    def worked_out(self, opening: TextPiece) -> int:
        """The number of sides that parentheses come to."""
        inside = self.listed(opening, ")")
        if len(inside) > 1:
            self.wrong("A die has one number of sides.", opening)
        return self.constant(inside[0], opening)

    def listed(self, opening: TextPiece, end: str) -> list[Node]:
        """The parts between parentheses, and the end of them."""
        nodes = [self.sum()]
        while self.accept(","):
            nodes.append(self.sum())
        if self.here.kind == "end":
            self.wrong(f"This `{opening.text}` is never closed.", opening)
        if not self.accept(end):
            self.unexpected(f"`{end}`")
        return nodes

    def keeps(self) -> bool:
        """Whether here stands which parts of a pool stay."""
        known = self.here.kind == "word" and self.here.text in MODIFIERS
        return known and MODIFIERS[self.here.text].split()[0] in ("keep", "drop", "best", "worst")

    def best(self, nodes: list[Node], opening: TextPiece) -> Node:
        """A pool of several parts, of which some stay."""
        if len(nodes) > MAX_NESTING:
            self.wrong(f"At most {MAX_NESTING} parts in one pool.", opening)
        if opening.text == "{" and self.counts_parts():
            return self.hits(nodes)
        while self.here.kind == "word" and self.here.text in SORTING:
            self.take()
        if not self.keeps():
            return nodes[0] if len(nodes) == 1 else Sum(tuple((True, node) for node in nodes))
        known = BestOf(tuple(nodes), Keep(1))
        if len(nodes) == 1 and not only_plain(nodes[0]):
            self.wrong("Here stand dice that are added up: `{4d10+5d6} keep 2`.", opening, self.here)
        token = self.take()
        if token.text == "p" or (self.here.kind == "sign" and self.here.text in COMPARISONS):
            several = "Parts stay by how many, `{4d6, 2d8} keep 1`, or are counted, `{4d6, 2d8} count 9+`."
            alone = "Dice of some values stay where they are thrown: `4d6 only 4+`."
            self.wrong(several if len(nodes) > 1 else alone, token, self.here)
        name, which = [*MODIFIERS[token.text].split(), ""][:2]
        return replace(known, keep=self.keep(Term(len(singles(known)), MIN_SIDES), token, name, which))

    def counts_parts(self) -> bool:
        """Whether here stands what the parts of a pool must come to."""
        compares = self.here.kind == "sign" and self.here.text in COMPARISONS
        return compares or (self.here.kind == "word" and MODIFIERS.get(self.here.text) == "count")

    def hits(self, nodes: list[Node]) -> CountOf:
        """A pool whose parts are counted that come to enough."""
        if self.here.kind == "word":
            self.take()
        else:
            self.told = "parts that come to it are counted", ("", "")
        found = CountOf(tuple(nodes), self.span("what a part must come to"))
        if self.here.kind == "word" and MODIFIERS.get(self.here.text, "").split()[:1] == ["fail"]:
            down = "down" if self.take().text == "f" else ""
            found = replace(found, failing=self.span("what fails, as in `fail 1`", down))
        return found

    def function(self) -> Node:
        """What a program calls `floor`, `ceil`, `round`, `abs`, `max` or `min`."""
        token = self.take()
        opening = self.take()
        rounded = self.rounded
        nodes = self.listed(opening, ")")
        self.rounded = rounded
        if token.text in ("max", "min"):
            keep = Keep(1, lowest=token.text == "min")
            return BestOf(tuple(nodes), keep) if len(nodes) > 1 else nodes[0]
        if len(nodes) > 1:
            self.wrong(f"`{token.text}` takes one part.", token)
        node = nodes[0]
        if token.text == "abs":
            return Absolute(node)
        if token.text == "floor" or not isinstance(node, Product) or node.factors[-1][0]:
            return node
        *before, (_, by) = node.factors
        whole: Node = Product(node.first, tuple(before)) if before else node.first
        if token.text == "ceil":
            return Negative(Product(Negative(whole), ((False, by),)))
        if not isinstance(by, Constant):
            self.wrong("`round` divides by a number: `round(d6/2)`.", token)
        twice = Sum(((True, Product(whole, ((True, Constant(2)),))), (True, by)))
        return Product(twice, ((False, Constant(2 * by.value)),))

    def noted(self, node: Node) -> Node:
        notes = [node.note] if isinstance(node, WithNote) else []
        while self.here.kind == "note":
            notes.append(" ".join(self.take().text[1:-1].split()))
        note = ", ".join(filter(None, notes))
        inner = node.part if isinstance(node, WithNote) else node
        return WithNote(inner, note) if note else inner
