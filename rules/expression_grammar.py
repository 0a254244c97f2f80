"""Reading dice expressions: from text to `rules.expression_nodes`, or a refusal that marks the place.

The grammar, in any case and with any spaces (`[...]` optional, `...*` repeated)::

    expression := [number "x"] test ["#" comment]
    test       := sum ["vs" number] [(">=" | "<=" | ">" | "<" | "=") sum]
    sum        := product (("+" | "-") product)*
    product    := part (("*" | "/") part)*                 division rounds down
    part       := "-" part | (number | dice | "(" sum ")") ["[" note "]"]*
    dice       := [number] ("d" | "w" | "k") (number | "%" | "F") modifier*  |  [number] "fate"
    modifier   := "keep" [which] [number] | "drop" [which] [number] | ("best" | "worst") [number]
                | ("explode" | "!") [number ["+"]] | "reroll" span | "count" span
                | "each" ("+" | "-") number
    which      := "highest" | "lowest"
    span       := number | number "+" | number "-" number | (">=" | "<=" | ">" | "<" | "=") number

What the grammar leaves open: modifiers work in the order re-roll, explode, each, keep, count, in whichever
order they are typed; `keep` alone keeps the highest die, `drop` alone drops the lowest. A `+`, or the `-` of
a range, belongs to a span when it touches the number before it: `count 7+`, `reroll 1-2`; with a space it
adds or subtracts. Before `vs` stands one throw and what is added to each of its dice; `vs` and comparisons
bind weaker than any sum. Owns the reading only; it evaluates nothing and draws nothing.
"""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches
from typing import NoReturn, cast

from rules.expression_nodes import (
    MAX_COUNT,
    MAX_NESTING,
    MAX_NUMBER,
    MAX_SIDES,
    MAX_TIMES,
    MIN_SIDES,
    Compare,
    Comparison,
    Expression,
    Keep,
    Negative,
    Node,
    Noted,
    Number,
    Product,
    Span,
    Sum,
    Term,
    Versus,
    bounds,
    one_throw,
)
from rules.expression_tokens import (
    COMPARISONS,
    DIE_LETTERS,
    FATE,
    HIGHEST,
    LOWEST,
    MODIFIERS,
    TIMES,
    VERSUS,
    WORDS,
    Misread,
    Token,
    tokens,
)


def read(text: str) -> Expression:
    """Read a dice expression without its comment; its size is not looked at. Raises InvalidInput."""
    return _Parser(text).expression()


class _Parser:
    """Recursive descent over the tokens of one text; each method reads one rule of the grammar."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens(text)
        self.at = 0
        self.depth = 0

    @property
    def here(self) -> Token:
        return self.tokens[self.at]

    @property
    def following(self) -> Token:
        return self.tokens[min(self.at + 1, len(self.tokens) - 1)]

    def take(self) -> Token:
        token = self.here
        if token.kind != "end":
            self.at += 1
        return token

    def accept(self, *texts: str) -> bool:
        """Step over a word or sign if it is one of these."""
        if self.here.kind in ("word", "sign") and self.here.text in texts:
            self.at += 1
            return True
        return False

    def wrong(self, sentence: str, first: Token, last: Token | None = None) -> NoReturn:
        raise Misread(sentence, self.text, first.start, (last or first).end)

    def unexpected(self, wanted: str) -> NoReturn:
        """Refuse the token that stands here, with a guess at what was meant."""
        token = self.here
        if token.kind == "end":
            self.wrong(f"Something is missing at the end: {wanted}.", token)
        shown = token.text if len(token.text) <= 20 else token.text[:20] + "..."
        if token.kind == "word":
            if token.text in TIMES:
                self.wrong("Repetition stands at the start: `3x 2d6`. To multiply write `*`.", token)
            close = get_close_matches(token.text, WORDS, 1, 0.6)
            hint = f": did you mean `{close[0]}`?" if close else f". Here should be {wanted}."
            if token.text in WORDS:
                self.wrong(f"`{shown}` cannot stand here. Here should be {wanted}.", token)
            self.wrong(f"I do not know `{shown}`{hint}", token)
        self.wrong(f"`{shown}` cannot stand here. Here should be {wanted}.", token)

    def number(self, wanted: str) -> int:
        if self.here.kind != "number":
            self.unexpected(wanted)
        token = self.take()
        if len(token.text) > 12 or int(token.text) > MAX_NUMBER:
            self.wrong(f"Numbers go to {MAX_NUMBER:,}.", token)
        return int(token.text)

    def signed(self, wanted: str) -> int:
        return -self.number(wanted) if self.accept("-") else self.number(wanted)

    def expression(self) -> Expression:
        times = 1
        if self.here.kind == "number" and self.following.kind == "word" and self.following.text in TIMES:
            token = self.here
            times = self.number("a number")
            self.take()
            if not 1 <= times <= MAX_TIMES:
                self.wrong(f"Repeat 1 to {MAX_TIMES} times, not {times}.", token)
        test = self.test()
        if self.here.kind != "end":
            wanted = {Compare: "the end", Versus: "a comparison or the end"}
            self.unexpected(wanted.get(type(test), "`+`, a comparison or the end"))
        return Expression(test, times)

    def test(self) -> Node | Versus | Compare:
        start = self.here
        left: Node | Versus = self.sum()
        if self.accept(*VERSUS):
            left = self.versus(cast(Node, left), start)
        if self.here.kind == "sign" and self.here.text in COMPARISONS:
            sign = cast(Comparison, self.take().text)
            return Compare(left, sign, self.sum())
        return left

    def versus(self, left: Node, start: Token) -> Versus:
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
        while self.here.kind == "sign" and self.here.text in ("*", "/"):
            sign = self.take()
            start = self.here
            node = self.part()
            if len(factors) == MAX_NESTING:
                self.wrong(f"At most {MAX_NESTING} times `*` and `/` in one product.", sign)
            if sign.text == "/":
                low, high = bounds(node)
                if low <= 0 <= high:
                    self.wrong("This could divide by 0.", start, self.tokens[self.at - 1])
            factors.append((sign.text == "*", node))
        return Product(first, tuple(factors)) if factors else first

    def part(self) -> Node:
        self.depth += 1
        if self.depth > MAX_NESTING + 1:
            self.wrong(f"At most {MAX_NESTING} parentheses or minus signs inside one another.", self.here)
        node: Node
        if self.accept("-"):
            node = Negative(self.part())
        elif self.accept("("):
            opening = self.tokens[self.at - 1]
            node = self.sum()
            if self.here.kind == "end":
                self.wrong("This `(` is never closed.", opening)
            if not self.accept(")"):
                self.unexpected("`)`")
            node = self.noted(node)
        else:
            node = self.noted(self.operand())
        self.depth -= 1
        return node

    def noted(self, node: Node) -> Node:
        notes = [node.note] if isinstance(node, Noted) else []
        while self.here.kind == "note":
            notes.append(" ".join(self.take().text[1:-1].split()))
        note = ", ".join(filter(None, notes))
        inner = node.part if isinstance(node, Noted) else node
        return Noted(inner, note) if note else inner

    def operand(self) -> Node:
        start = self.here
        count = None
        if start.kind == "number":
            if self.following.kind != "word" or self.following.text not in (*DIE_LETTERS, "fate", *FATE):
                return Number(self.number("a number"))
            count = self.number("a number of dice")
            if not 1 <= count <= MAX_COUNT:
                self.wrong(f"Throw 1 to {MAX_COUNT} dice, not {count}.", start)
        return self.dice(start, count)

    def dice(self, start: Token, count: int | None) -> Term:
        if self.accept("fate"):
            return self.modified(Term(count or 4, 3, fate=True), start)
        if self.accept(*FATE):
            return self.modified(Term(count or 1, 3, fate=True), start)
        if not self.accept(*DIE_LETTERS):
            self.unexpected("a number or dice such as `2d6`")
        if self.accept("%"):
            return self.modified(Term(count or 1, 100), start)
        if self.accept("f", "fate"):
            return self.modified(Term(count or 1, 3, fate=True), start)
        token = self.here
        sides = self.number("the number of sides, as in `d6`")
        if not MIN_SIDES <= sides <= MAX_SIDES:
            self.wrong(f"A die has {MIN_SIDES} to {MAX_SIDES} sides, not {sides}.", token)
        return self.modified(Term(count or 1, sides), start)

    def modified(self, term: Term, start: Token) -> Term:
        """The throw with every modifier that follows it."""
        while self.here.text in MODIFIERS and self.here.kind in ("word", "sign"):
            token = self.take()
            changed = self.modifier(term, token, *MODIFIERS[token.text].split())
            if changed == term:
                self.wrong(f"`{token.text}` stands here twice or changes nothing.", token)
            term = changed
        self.sensible(term, start, self.tokens[self.at - 1])
        return term

    def modifier(self, term: Term, token: Token, name: str, which: str = "") -> Term:
        if name in ("keep", "drop", "best", "worst"):
            if term.keep:
                self.wrong("Only one `keep` or `drop` for a throw.", token)
            return replace(term, keep=self.keep(term, token, name, which))
        if name == "explode":
            if term.explode is not None:
                self.wrong("Dice explode only once: write one `explode`.", token)
            return replace(term, explode=self.explode(term, token))
        if name == "reroll":
            if term.reroll:
                self.wrong("Only one `reroll` for a throw.", token)
            return replace(term, reroll=self.reroll(term, token))
        if name == "count":
            if term.counting:
                self.wrong("Only one `count` for a throw.", token)
            return replace(term, counting=self.span("the faces to count, as in `count 7+`"))
        if term.each:
            self.wrong("Only one `each` for a throw.", token)
        if self.here.kind == "sign" and self.here.text in ("+", "-"):
            adds = self.take().text == "+"
            return replace(term, each=self.number("a number") * (1 if adds else -1))
        return self.unexpected("`+` or `-`, as in `each +1`")

    def keep(self, term: Term, token: Token, name: str, which: str) -> Keep:
        """Which dice stay, after `keep`, `drop`, `best` or `worst`; the words may stand in either order."""
        side = {"best": "highest", "worst": "lowest"}.get(name, which) or self.side()
        count = 1
        if self.here.kind == "number":
            number = self.here
            count = self.number("a number of dice")
            if not 1 <= count <= term.count:
                self.wrong(
                    f"Of {term.count} dice keep or drop 1 to {term.count}, not {count}.", token, number
                )
        side = side or self.side()
        if name != "drop":
            return Keep(count, lowest=side == "lowest")
        if count == term.count:
            self.wrong("At least one die must stay.", token, self.tokens[self.at - 1])
        return Keep(term.count - count, lowest=side == "highest")

    def side(self) -> str:
        if self.accept(*HIGHEST):
            return "highest"
        return "lowest" if self.accept(*LOWEST) else ""

    def explode(self, term: Term, token: Token) -> int:
        """The least value that explodes."""
        if self.here.kind != "number":
            return term.highest
        number = self.here
        value = self.number("the least face that explodes")
        if self.here.text == "+" and self.closes_span():
            self.take()
        elif value != term.highest:
            self.wrong(f"Write `explode {value}+`: that face or better.", token, number)
        if not term.lowest < value <= term.highest:
            first = term.lowest + 1
            self.wrong(
                f"On a {term.kind} faces from {first} to {term.highest} up can explode.", token, number
            )
        return value

    def reroll(self, term: Term, token: Token) -> Span:
        span = self.span("the faces to throw again, as in `reroll 1-2`")
        if not any(value in span for value in range(term.lowest, term.highest + 1)):
            end = self.tokens[self.at - 1]
            self.wrong(f"A {term.kind} shows {term.lowest} to {term.highest}.", token, end)
        return span

    def span(self, wanted: str) -> Span:
        """Values: one, from one up, from one to another, or compared with one."""
        if self.here.kind == "sign" and self.here.text in COMPARISONS:
            sign = self.take().text
            value = self.signed(wanted)
            low = {">=": value, ">": value + 1, "=": value}.get(sign)
            return Span(low, {"<=": value, "<": value - 1, "=": value}.get(sign))
        first = self.here
        low = self.signed(wanted)
        if self.here.text == "+" and self.closes_span():
            self.take()
            return Span(low, None)
        if self.here.text == "-" and self.touches() and self.here.end == self.following.start:
            self.take()
            high = self.signed(wanted)
            if high < low:
                last = self.tokens[self.at - 1]
                self.wrong(f"From {low} to {high} there is nothing. To subtract put spaces.", first, last)
            return Span(low, high)
        return Span(low, low)

    def touches(self) -> bool:
        """Whether no space stands before the token here."""
        return self.here.start == self.tokens[self.at - 1].end

    def closes_span(self) -> bool:
        """Whether the + here means "or better": it touches the number, or nothing to add follows."""
        after = self.following
        adds = after.kind == "number" or after.text in ("(", "-", "fate", *DIE_LETTERS, *FATE)
        return self.touches() or not adds

    def sensible(self, term: Term, start: Token, end: Token) -> None:
        """Refuse modifiers that do not go together."""
        if term.keep and term.explode is not None:
            if term.explode != term.highest:
                self.wrong("With `keep` or `drop` only the highest face can explode.", start, end)
            if term.counting or term.each:
                self.wrong(
                    "Dice that explode and are kept are added up: no `count`, `each`, `vs`.", start, end
                )
