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
from difflib import get_close_matches
from typing import Any, NoReturn, cast

from rules.expression_nodes import (
    FATE_SIDES,
    MAX_COUNT,
    MAX_NESTING,
    MAX_NUMBER,
    MAX_SIDES,
    MAX_TIMES,
    MIN_SIDES,
    THIN_SIDES,
    Absolute,
    Best,
    Compare,
    Comparison,
    Expression,
    Hits,
    Keep,
    Negative,
    Node,
    Noted,
    Number,
    Power,
    Product,
    Rest,
    Span,
    Sum,
    Term,
    Versus,
    bounds,
    counts_instead,
    describe,
    one_throw,
    only_plain,
    singles,
    swapped,
    terms,
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
    PARITIES,
    SORTING,
    TIMES,
    UNTIL,
    VERSUS,
    WORDS,
    Misread,
    Token,
    tokens,
)

Noticed = tuple[str, str, Term, Term]
"""How a throw was read, the name of the other reading, the throw, and the throw as it is read so."""


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
        self.noticed: list[Noticed] = []
        self.rounded = False
        self.words_here: list[str] = []

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
        readings, other = self.readings(test)
        reading = " ".join(readings)
        if other[1] and times > 1:
            other = (other[0], f"{times}x {other[1]}")
        return Expression(test, times, reading=" ".join(filter(None, (*told, reading))), otherwise=other)

    def readings(self, test: Node | Versus | Compare) -> tuple[list[str], tuple[str, str]]:
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

    def test(self) -> Node | Versus | Compare:
        start = self.here
        left: Node | Versus = self.sum()
        if self.accept(*VERSUS):
            left = self.versus(cast(Node, left), start)
        if self.here.kind == "sign" and self.here.text in COMPARISONS:
            sign = cast(Comparison, self.take().text)
            right = self.sum()
            only_fails = [term for term in terms(left) if term.failing and not term.counting]
            if only_fails and isinstance(right, Number) and right.value > 0:
                self.wrong(
                    "What counts stands before what fails: `8d10 count 7+ fail 1`.",
                    start,
                    self.tokens[self.at - 1],
                )
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
        self.told = f"dice that show {word} are counted", ("Total", total)
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
            node = Power(node, by) if by > 1 else node
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
        target = Number(self.number("the number to reach"))
        self.told = self.told or ("what is above the number", ("", ""))
        if below:
            self.told = "what is below the number", ("", "")
            return Sum(((True, target), (False, node)))
        return Sum(((True, node), (False, target)))

    def constant(self, node: Node, opening: Token) -> int:
        """The number that a part without dice comes to, as it says how many dice or sides there are."""
        low, high = bounds(node)
        if terms(node) or low != high:
            last = self.tokens[self.at - 1]
            self.wrong("How many dice and sides there are is not thrown for: `4d8`.", opening, last)
        return low

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
        if len(nodes) > MAX_NESTING:
            self.wrong(f"At most {MAX_NESTING} parts in one pool.", opening)
        if opening.text == "{" and self.counts_parts():
            return self.hits(nodes)
        while self.here.kind == "word" and self.here.text in SORTING:
            self.take()
        if not self.keeps():
            return nodes[0] if len(nodes) == 1 else Sum(tuple((True, node) for node in nodes))
        known = Best(tuple(nodes), Keep(1))
        if len(nodes) == 1 and not only_plain(nodes[0]):
            self.wrong("Here stand dice that are added up: `{4d10+5d6} keep 2`.", opening, self.here)
        token = self.take()
        name, which = [*MODIFIERS[token.text].split(), ""][:2]
        return replace(known, keep=self.keep(Term(len(singles(known)), MIN_SIDES), token, name, which))

    def counts_parts(self) -> bool:
        """Whether here stands what the parts of a pool must come to."""
        compares = self.here.kind == "sign" and self.here.text in COMPARISONS
        return compares or (self.here.kind == "word" and MODIFIERS.get(self.here.text) == "count")

    def hits(self, nodes: list[Node]) -> Hits:
        """A pool whose parts are counted that come to enough."""
        if self.here.kind == "word":
            self.take()
        else:
            self.told = "parts that come to it are counted", ("", "")
        found = Hits(tuple(nodes), self.span("what a part must come to"))
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
            return self.modified(Term(count or 4, FATE_SIDES, fate=True), start)
        if self.accept(COIN):
            return self.modified(Term(count or 1, 2, counting=Span(2, None)), start)
        if self.accept(*FATE):
            sides = THIN_SIDES if self.accept(".1") else FATE_SIDES
            return self.modified(Term(count or 1, sides, fate=True), start)
        if not self.accept(*DIE_LETTERS):
            self.unexpected("a number or dice such as `2d6`")
        if self.accept("%"):
            return self.modified(Term(count or 1, 100), start)
        if self.accept("f", "fate"):
            return self.modified(Term(count or 1, FATE_SIDES, fate=True), start)
        token = self.here
        if self.accept("("):
            inside = self.listed(token, ")")
            if len(inside) > 1:
                self.wrong("A die has one number of sides.", token)
            sides = self.constant(inside[0], token)
        else:
            sides = self.number("the number of sides, as in `d6`")
        if not 1 <= (count or 1) <= MAX_COUNT:
            self.wrong(f"Throw 1 to {MAX_COUNT} dice, not {count}.", start)
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
        if term.apart and "drop" in self.words_here and term.keep:
            self.wrong(
                f"Exploding dice become more: say how many stay, `explode keep {term.keep.count}`, or "
                "`compound drop 1`.",
                start,
                self.tokens[self.at - 1],
            )
        self.notice(term)
        return term

    def notice(self, term: Term) -> None:
        """Say how this throw was read where other programs read it otherwise, and offer that."""
        if term.apart:
            whole = replace(term, compound=True)
            other = whole if _goes_together(whole) is None else None
            self.noticing(
                "dice that were earned stay or go by themselves",
                "As one",
                term,
                other,
            )
        for name in sorted(self.words_here, key="exact".__ne__):
            if name == "r" and not term.until:
                until = replace(term, until=True)
                fits = _goes_together(until) is None
                faces = cast(Span, term.reroll)
                alone = faces.low == faces.high != term.lowest
                said = f"{faces} alone is thrown again, once" if alone else "thrown again once"
                self.noticing(said, "Until others", term, until if fits else None)
            elif name == "e" and not term.once:
                once = replace(term, once=True)
                fits = _goes_together(once) is None
                self.noticing("as long as it explodes", "Once", term, once if fits else None)
            elif name == "ra":
                self.noticing("each such die earns one more", "", term, None)
            elif name == "exact" and isinstance(term.explode, Span):
                low = term.explode.low
                up = replace(term, explode=Span(low, None))
                self.noticing(f"only {low} explodes", f"{low} or more", term, up)
        self.words_here = []

    def noticing(self, said: str, name: str, term: Term, other: Term | None) -> None:
        self.noticed.append((said, name if other else "", term, other or term))

    def modifier(self, term: Term, token: Token, name: str, which: str = "", more: str = "") -> Term:
        which = f"{which} {more}".strip()
        if token.text in ("r", "e", "ra"):
            self.words_here.append(token.text)
        if name in ("advantage", "disadvantage", "elven"):
            return self.advantage(term, token, name)
        if name in ("least", "most"):
            if getattr(term, name) is not None:
                self.wrong(f"Only one `{name}` for a throw.", token)
            value = self.signed(f"what a die is worth at {name}")
            if not term.lowest <= value <= term.highest:
                self.wrong(
                    f"A {term.kind} shows {term.lowest} to {term.highest}.", token, self.tokens[self.at - 1]
                )
            return replace(term, **{name: value})  # type: ignore[arg-type]
        if name == "double":
            if term.counting is None or term.double:
                self.wrong("Dice that count twice stand after those that count: `count 7+ double 10`.", token)
            if which == "up" and self.here.kind != "number":
                return replace(term, double=term.counting)
            return replace(term, double=self.span("the faces that count twice, as in `double 10`", which))
        if name in ("fail", "only"):
            if term.failing if name == "fail" else term.only:
                self.wrong(f"Only one `{name}` for a throw.", token)
            span = self.span(f"the faces, as in `{name} 1`", which)
            return replace(term, failing=span) if name == "fail" else replace(term, only=span)
        if name in ("keep", "drop") and self.here.kind == "sign" and self.here.text in COMPARISONS:
            if name == "keep":
                return self.modifier(term, token, "only")
            return self.without(term, token)
        if token.text == "p":
            return self.without(term, token)
        if name in ("keep", "drop", "best", "worst"):
            self.words_here.append(name)
            if term.keep:
                self.wrong("Only one `keep` or `drop` for a throw.", token)
            return replace(term, keep=self.keep(term, token, name, which))
        if name in ("explode", "compound", "penetrate"):
            if term.explode is not None:
                self.wrong("Dice explode only once: write one `explode`.", token)
            compound = name == "compound"
            fades = name == "penetrate" or (compound and self.accept("penetrate"))
            if token.text == "!":
                if self.here.text == "!" and self.touches():
                    compound = True
                    self.take()
                if self.here.text == "p" and self.touches():
                    self.take()
                    fades = True
                known = (*MODIFIERS, *VERSUS, *SORTING, ONCE)
                if self.here.kind == "word" and self.here.text not in known:
                    self.wrong("A comment stands after `#`; `!` lets dice explode.", token, self.here)
            once = which == "once" or (not fades and self.accept(ONCE))
            span = self.explode(term, token)
            return replace(term, explode=span, fades=fades, once=once, compound=compound)
        if name == "reroll":
            if term.reroll:
                self.wrong("Only one `reroll` for a throw.", token)
            until = which.startswith(UNTIL) or self.accept(UNTIL)
            if not until:
                self.accept(ONCE)
            alone = which.removeprefix(UNTIL).strip()
            return replace(term, reroll=self.reroll(term, token, alone), until=until)
        if name == "count":
            if term.counting:
                self.wrong("Only one `count` for a throw.", token)
            if which in PARITIES:
                return replace(term, counting=Span(None, None, parity=cast(Any, which)))
            if token.text in ("cs", "cf"):
                self.told = self.told or ("such dice are counted", ("", ""))
                if not self.starts_span():
                    face = term.highest if token.text == "cs" else term.lowest
                    return replace(term, counting=Span(face, face))
            return replace(term, counting=self.span("the faces to count, as in `count 7+`", which))
        if term.each:
            self.wrong("Only one `each` for a throw.", token)
        if self.here.kind == "sign" and self.here.text in ("+", "-"):
            adds = self.take().text == "+"
            return replace(term, each=self.number("a number") * (1 if adds else -1))
        return self.unexpected("`+` or `-`, as in `each +1`")

    def advantage(self, term: Term, token: Token, name: str) -> Term:
        """More dice, of which the same number stays: one more, two for `ea`, or as many as are said."""
        if term.keep or term.explode is not None or term.counting:
            self.wrong("Advantage stands at the dice: `d20 adv`.", token)
        extra = 2 if name == "elven" else 1
        if self.here.kind == "number" and self.touches():
            extra = self.number("how many dice more")
            if not 1 <= extra <= MAX_COUNT - term.count:
                self.wrong(f"Throw 1 to {MAX_COUNT} dice.", token, self.tokens[self.at - 1])
        elif term.count > 1:
            self.wrong("Advantage is for one die, `d20 adv`, or so many more: `4d6 adv1`.", token)
        return replace(term, count=term.count + extra, keep=Keep(term.count, lowest=name[0] == "d"))

    def without(self, term: Term, token: Token) -> Term:
        """Dice of these values go."""
        if term.only:
            self.wrong("Only one `only` for a throw.", token)
        span = self.span("the dice that go, as in `only not 1`")
        if span.upward:
            span = Span(None, cast(int, span.low) - 1)
        elif span.low is None and not span.parity and not span.outside:
            span = Span(cast(int, span.high) + 1, None)
        else:
            span = replace(span, outside=not span.outside)
        return replace(term, only=span)

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

    def explode(self, term: Term, token: Token) -> Span:
        """The values that explode: the highest, unless others are said."""
        highest = Span(term.highest, None)
        compares = self.here.kind == "sign" and self.here.text in COMPARISONS
        if compares and not self.touches():
            value = self.following
            small = value.kind == "number" and len(value.text) < 5 and int(value.text) <= term.highest
            if token.text != "!" and small:
                self.wrong(
                    f"Write `explode {value.text}+`, or `({term.count}{term.kind} explode) "
                    f"{self.here.text} {value.text}` for the total.",
                    token,
                    value,
                )
            return highest
        if not self.starts_span():
            return highest
        first = self.here
        span = self.span("the faces that explode")
        last = self.tokens[self.at - 1]
        if first.text == "=" and token.text == "!" and token.end == first.start:
            other = f"{self.text[: token.start].strip()} != {self.text[first.end :].strip()}"
            self.told = f"{span} explodes", ("Not equal", other)
        elif first.kind == "number" and span.low == span.high and span.low != term.highest:
            self.words_here.append("exact")
        bursting = [value for value in _faces(term) if value in span]
        if not bursting or len(bursting) == len(_faces(term)):
            self.wrong(
                f"Some faces of a {term.kind} explode, not all: {term.lowest} to {term.highest}.", token, last
            )
        if span.low is None and not span.parity and not span.outside:
            span = Span(term.lowest, span.high)
        return highest if span == Span(term.highest, term.highest) else span

    def starts_span(self) -> bool:
        """Whether values follow here."""
        here = self.here
        if here.kind == "sign":
            return here.text in COMPARISONS
        return here.kind == "number" or (here.kind == "word" and here.text in (*PARITIES, "not"))

    def reroll(self, term: Term, token: Token, alone: str) -> Span:
        if token.text in ("r", "ro", "rr") and not self.starts_span() and self.here.text != "-":
            return Span(term.lowest, term.lowest)
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
                value = self.signed(wanted)
                return Span(value, value, outside=True)
            return _compared_span(cast(Comparison, token.text), self.signed(wanted))
        if self.accept("not"):
            inner = self.span(wanted)
            return replace(inner, outside=not inner.outside)
        if self.here.kind == "word" and self.here.text in PARITIES:
            return Span(None, None, parity=cast(Any, self.take().text))
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
        wrong = _goes_together(term)
        if wrong:
            self.wrong(wrong, start, end)


def _goes_together(term: Term) -> str | None:
    """Why modifiers do not go together; None where they do."""
    if (term.fades or term.once) and term.reroll and not term.apart:
        name = "penetrate" if term.fades else "explode once"
        return f"`{name}` does not go with `reroll`: use `explode`."
    if term.only and (term.keep or term.counting or term.failing):
        return "`only` adds dice up: use it without `keep`, `count` or `vs`."
    if term.until and all(value in cast(Span, term.reroll) for value in _faces(term)):
        return "Every face would be thrown again."
    if term.chained and term.keep and (term.counting or term.failing):
        return "Dice that `compound` and are kept are added up: no `count`, `fail`, `vs`."
    return None


def _faces(term: Term) -> range:
    return range(term.lowest, term.highest + 1)


def _compared_span(sign: Comparison, value: int) -> Span:
    """The values that stand so to a value."""
    low = {">=": value, ">": value + 1, "=": value}.get(sign)
    return Span(low, {"<=": value, "<": value - 1, "=": value}.get(sign))
