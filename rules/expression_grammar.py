"""Reading dice expressions: from text to `rules.expression_nodes`, or a refusal that marks the place.

The grammar, in any case and with any spaces (`[...]` optional, `...*` repeated)::

    expression := [number ["x" | "#"]] test ["#" comment]
    test       := sum ["vs" number] [(">=" | "<=" | ">" | "<" | "=" | "!=") sum]
    sum        := product (("+" | "-") product)*
    product    := part (("*" | "/") part)*                 division rounds down
    part       := "-" part | (number | dice | "(" sum ")" | pool | function) ["[" note "]"]*
    pool       := ("{" | "(") sum ("," sum)* ("}" | ")") ("keep" | "drop") [which] [number]
    function   := ("floor" | "ceil" | "round" | "abs") "(" sum ")" | ("max" | "min") "(" sum ("," sum)* ")"
    dice       := [number] ("d" | "w" | "k") (number | "%" | "F") modifier*  |  [number] "fate"
    modifier   := "keep" [which] [number] | "drop" [which] [number] | ("best" | "worst") [number]
                | ("explode" | "!" | "!!") ["once"] [number ["+"]] | "penetrate" [number ["+"]]
                | "reroll" ["once" | "until"] span | "count" span | "fail" span | "only" span
                | ("least" | "most") number | "each" ("+" | "-") number | "advantage" | "disadvantage"
    which      := "highest" | "lowest"
    span       := number | number "+" | number "-" number | (">=" | "<=" | ">" | "<" | "=") number

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
from difflib import get_close_matches
from typing import NoReturn, cast

from rules.expression_nodes import (
    MAX_COUNT,
    MAX_NESTING,
    MAX_NUMBER,
    MAX_SIDES,
    MAX_TIMES,
    MIN_SIDES,
    Absolute,
    Best,
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
    counts_instead,
    describe,
    one_throw,
)
from rules.expression_tokens import (
    COIN,
    COMPARISONS,
    DIE_LETTERS,
    ELSEWHERE,
    FATE,
    FUNCTIONS,
    HIGHEST,
    LOWEST,
    MODIFIERS,
    ONCE,
    SORTING,
    TIMES,
    UNTIL,
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
        self.told: tuple[str, tuple[str, str]] | None = None

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
        if token.text == "%":
            self.wrong("What is left of a division is not rolled; `/` divides and rounds down.", token)
        if token.kind == "word":
            if token.text in ELSEWHERE:
                self.wrong(ELSEWHERE[token.text], token)
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
        told: tuple[str, ...] = ()
        if self.here.kind == "number" and (self.repeats() or self.following.kind == "number"):
            token = self.here
            named = self.repeats()
            times = self.number("a number")
            if named:
                self.take()
            else:
                told = (f"Read as {times} rolls of their own.",)
            if not 1 <= times <= MAX_TIMES:
                self.wrong(f"Repeat 1 to {MAX_TIMES} times, not {times}.", token)
        test = self.test()
        if self.here.kind != "end":
            wanted = {Compare: "the end", Versus: "a comparison or the end"}
            self.unexpected(wanted.get(type(test), "`+`, a comparison or the end"))
        reading, other = "", ("", "")
        if self.told:
            reading, other = self.told
            if other[1] and times > 1:
                other = (other[0], f"{times}x {other[1]}")
        return Expression(test, times, reading=" ".join(filter(None, (*told, reading))), otherwise=other)

    def repeats(self) -> bool:
        """Whether the number here says how often."""
        return self.following.kind == "word" and self.following.text in TIMES

    def test(self) -> Node | Versus | Compare:
        start = self.here
        left: Node | Versus = self.sum()
        if self.accept(*VERSUS):
            left = self.versus(cast(Node, left), start)
        if self.here.kind == "sign" and self.here.text in COMPARISONS:
            sign = cast(Comparison, self.take().text)
            right = self.sum()
            if start.text != "(" and counts_instead(left, right) and sign != "!=":
                assert isinstance(right, Number)
                note = left.note if isinstance(left, Noted) else ""
                counted = self.counted(cast(Node, left), sign, right.value)
                return Noted(counted, note) if note else counted
            return Compare(left, sign, right)
        return left

    def counted(self, left: Node, sign: Comparison, value: int) -> Term:
        """A throw compared with what each of its dice can show: its dice are counted, as most programs do."""
        term = left.part if isinstance(left, Noted) else left
        assert isinstance(term, Term)
        span = _compared_span(sign, value)
        total = describe(Expression(Compare(left, sign, Number(value))))
        word = str(span).replace("+", " or more").replace("<=", "up to ")
        self.told = f"Read as: dice that show {word} are counted.", ("Total", total)
        found = replace(term, counting=span)
        while self.here.kind == "word" and self.here.text in ("f", "fail"):
            found = self.modifier(found, self.take(), "fail", "down")
        return found

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
            nodes = self.listed(opening, ")")
            node = self.noted(nodes[0] if len(nodes) == 1 and not self.keeps() else self.best(nodes, opening))
        elif self.accept("{"):
            opening = self.tokens[self.at - 1]
            node = self.noted(self.best(self.listed(opening, "}"), opening))
        elif self.here.kind == "word" and self.here.text in FUNCTIONS and self.following.text == "(":
            node = self.noted(self.function())
        else:
            node = self.noted(self.operand())
        self.depth -= 1
        return node

    def listed(self, opening: Token, end: str) -> list[Node]:
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

    def best(self, nodes: list[Node], opening: Token) -> Node:
        """A pool of several parts, of which some stay."""
        if len(nodes) == 1 and not self.keeps():
            return nodes[0]
        if len(nodes) > MAX_NESTING:
            self.wrong(f"At most {MAX_NESTING} parts in one pool.", opening)
        if not self.keeps():
            return Sum(tuple((True, node) for node in nodes))
        if len(nodes) == 1:
            self.wrong("How many dice, and which stay, is written beside them: `4d6 keep 3`.", self.here)
        token = self.take()
        name, which = [*MODIFIERS[token.text].split(), ""][:2]
        return Best(tuple(nodes), self.keep(Term(len(nodes), MIN_SIDES), token, name, which))

    def function(self) -> Node:
        """What a program calls `floor`, `ceil`, `round`, `abs`, `max` or `min`."""
        token = self.take()
        opening = self.take()
        nodes = self.listed(opening, ")")
        if token.text in ("max", "min"):
            keep = Keep(1, lowest=token.text == "min")
            return Best(tuple(nodes), keep) if len(nodes) > 1 else nodes[0]
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
        if not isinstance(by, Number):
            self.wrong("`round` divides by a number: `round(d6/2)`.", token)
        twice = Sum(((True, Product(whole, ((True, Number(2)),))), (True, by)))
        return Product(twice, ((False, Number(2 * by.value)),))

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
            if self.following.kind != "word" or self.following.text not in (
                *DIE_LETTERS,
                "fate",
                COIN,
                *FATE,
            ):
                return Number(self.number("a number"))
            count = self.number("a number of dice")
            if not 1 <= count <= MAX_COUNT:
                self.wrong(f"Throw 1 to {MAX_COUNT} dice, not {count}.", start)
        return self.dice(start, count)

    def dice(self, start: Token, count: int | None) -> Term:
        if self.accept("fate"):
            return self.modified(Term(count or 4, 3, fate=True), start)
        if self.accept(COIN):
            return self.modified(Term(count or 1, 2, counting=Span(2, None)), start)
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
        while self.here.kind in ("word", "sign"):
            if self.here.kind == "word" and self.here.text in SORTING:
                self.take()
                continue
            name = MODIFIERS.get(self.here.text, "")
            if self.here.text == "x" and self.touches() and self.following.kind in ("number", "sign", "end"):
                name = "explode"
            if not name:
                break
            token = self.take()
            changed = self.modifier(term, token, *name.split())
            if changed == term:
                self.wrong(f"`{token.text}` stands here twice or changes nothing.", token)
            term = changed
        self.sensible(term, start, self.tokens[self.at - 1])
        return term

    def modifier(self, term: Term, token: Token, name: str, which: str = "", more: str = "") -> Term:
        which = f"{which} {more}".strip()
        if name in ("advantage", "disadvantage", "elven"):
            if term.count > 1 or term.keep:
                self.wrong("Advantage is for one die: `d20 adv`.", token)
            return replace(term, count=3 if name == "elven" else 2, keep=Keep(1, lowest=name[0] == "d"))
        if name in ("least", "most"):
            if getattr(term, name) is not None:
                self.wrong(f"Only one `{name}` for a throw.", token)
            value = self.signed(f"what a die is worth at {name}")
            if not term.lowest <= value <= term.highest:
                self.wrong(
                    f"A {term.kind} shows {term.lowest} to {term.highest}.", token, self.tokens[self.at - 1]
                )
            return replace(term, **{name: value})  # type: ignore[arg-type]
        if name in ("fail", "only"):
            if term.failing if name == "fail" else term.only:
                self.wrong(f"Only one `{name}` for a throw.", token)
            span = self.span(f"the faces, as in `{name} 1`", which)
            return replace(term, failing=span) if name == "fail" else replace(term, only=span)
        if name in ("keep", "drop") and self.here.kind == "sign" and self.here.text in COMPARISONS:
            if name == "drop":
                self.wrong("Say which dice stay: `only 3+`.", token, self.here)
            return self.modifier(term, token, "only")
        if token.text == "p":
            self.wrong("Say which dice go: `pl1` the lowest, or which stay: `only 2+`.", token)
        if name in ("keep", "drop", "best", "worst"):
            if term.keep:
                self.wrong("Only one `keep` or `drop` for a throw.", token)
            return replace(term, keep=self.keep(term, token, name, which))
        if name in ("explode", "penetrate"):
            if term.explode is not None:
                self.wrong("Dice explode only once: write one `explode`.", token)
            fades = name == "penetrate"
            if token.text == "!":
                if self.here.text == "!" and self.touches():
                    self.take()
                if self.here.text == "p" and self.touches():
                    self.take()
                    fades = True
                known = (*MODIFIERS, *VERSUS, *SORTING, ONCE)
                if self.here.kind == "word" and self.here.text not in known:
                    self.wrong("A comment stands after `#`; `!` lets dice explode.", token, self.here)
            once = which == "once" or (not fades and self.accept(ONCE))
            return replace(term, explode=self.explode(term, token), fades=fades, once=once)
        if name == "reroll":
            if term.reroll:
                self.wrong("Only one `reroll` for a throw.", token)
            until = which.startswith(UNTIL) or self.accept(UNTIL)
            if not until:
                self.accept(ONCE)
            alone = "down" if which.endswith("down") else ""
            return replace(term, reroll=self.reroll(term, token, alone), until=until)
        if name == "count":
            if term.counting:
                self.wrong("Only one `count` for a throw.", token)
            if token.text in ("cs", "cf"):
                self.told = self.told or ("Read as: such dice are counted.", ("", ""))
            return replace(term, counting=self.span("the faces to count, as in `count 7+`", which))
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
        if self.here.kind == "sign" and self.here.text in COMPARISONS:
            return self.explodes_from(term, token)
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

    def explodes_from(self, term: Term, token: Token) -> int:
        """What explodes, where a comparison follows: it belongs to `explode` where it touches it."""
        if not self.touches():
            value = self.following
            small = value.kind == "number" and len(value.text) < 5 and int(value.text) <= term.highest
            if token.text != "!" and small:
                self.wrong(
                    f"Write `explode {value.text}+`, or `({term.count}{term.kind} explode) "
                    f"{self.here.text} {value.text}` for the total.",
                    token,
                    value,
                )
            return term.highest
        first = self.here
        span = self.span("the faces that explode")
        if first.text == "=" and span.high == term.highest:
            other = f"{self.text[: token.start].strip()} != {self.text[first.end :].strip()}"
            self.told = f"Read as: {span.high} explodes.", ("Not equal", other)
        last = self.tokens[self.at - 1]
        if span.low is None or (span.high is not None and span.high < term.highest):
            nearest = "explode" if span.low is None else f"explode {span.low}+"
            self.wrong(
                f"Only the highest faces explode: `{nearest}`. For a comparison put a space before "
                f"`{'!=' if first.text == '=' else first.text}`.",
                token,
                last,
            )
        if not term.lowest < span.low <= term.highest:
            self.wrong(f"On a {term.kind} faces from {term.lowest + 1} up can explode.", token, last)
        return span.low

    def reroll(self, term: Term, token: Token, alone: str) -> Span:
        span = self.span("the faces to throw again, as in `reroll 1-2`", alone)
        if not any(value in span for value in range(term.lowest, term.highest + 1)):
            end = self.tokens[self.at - 1]
            self.wrong(f"A {term.kind} shows {term.lowest} to {term.highest}.", token, end)
        return span

    def span(self, wanted: str, alone: str = "") -> Span:
        """Values: one, from one up, from one to another, or compared with one.

        alone: what a single number stands for: itself, or all that is `up` or `down` from it.
        """
        if self.here.kind == "sign" and self.here.text in COMPARISONS:
            token = self.take()
            if token.text == "!=":
                self.wrong("Say which faces: `1-4`, `5+`, `<= 4`.", token, self.here)
            return _compared_span(cast(Comparison, token.text), self.signed(wanted))
        first = self.here
        low = self.signed(wanted)
        if alone and self.here.text not in ("+", "-"):
            return Span(low, None) if alone == "up" else Span(None, low)
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
        if (term.fades or term.once) and (term.keep or term.reroll):
            name = "penetrate" if term.fades else "explode once"
            self.wrong(f"`{name}` goes with neither `keep` nor `reroll`: use `explode`.", start, end)
        if term.only and (term.keep or term.counting or term.failing):
            self.wrong("`only` adds dice up: use it without `keep`, `count` or `vs`.", start, end)
        if term.keep and term.failing and term.explode is not None:
            self.wrong("Dice that explode and are kept are added up: no `fail`.", start, end)
        if term.until and all(value in cast(Span, term.reroll) for value in _faces(term)):
            self.wrong("Every face would be thrown again.", start, end)
        if term.keep and term.explode is not None:
            self.told = self.told or ("Read as: a die that exploded stays or goes as one.", ("", ""))
            if term.explode != term.highest:
                self.wrong("With `keep` or `drop` only the highest face can explode.", start, end)
            if term.counting or term.each:
                self.wrong(
                    "Dice that explode and are kept are added up: no `count`, `each`, `vs`.", start, end
                )


def _faces(term: Term) -> range:
    return range(term.lowest, term.highest + 1)


def _compared_span(sign: Comparison, value: int) -> Span:
    """The values that stand so to a value."""
    low = {">=": value, ">": value + 1, "=": value}.get(sign)
    return Span(low, {"<=": value, "<": value - 1, "=": value}.get(sign))
