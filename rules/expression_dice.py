"""Reading one throw of a dice expression: its dice, and every modifier that follows them.

Owns how modifiers are spelled, which of them go together, and what is told of a throw that other programs
read otherwise. How throws are added up, compared and repeated is `rules.expression_grammar`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Any, cast

from rules.expression_cursor import Cursor
from rules.expression_nodes import (
    FATE_SIDES,
    MAX_COUNT,
    MAX_SIDES,
    MIN_SIDES,
    THIN_SIDES,
    Constant,
    Keep,
    Node,
    Span,
    Term,
)
from rules.expression_parts import counts_instead
from rules.expression_tokens import (
    COIN,
    COMPARISONS,
    DIE_LETTERS,
    FATE,
    HIGHEST,
    LOWEST,
    MODIFIERS,
    ONCE,
    PARITIES,
    SORTING,
    UNTIL,
    VERSUS,
    TextPiece,
)

Noticed = tuple[str, str, Term, Term]
"""How a throw was read, the name of the other reading, the throw, and the throw as it is read so."""


class DiceReader(Cursor, ABC):
    """Reads throws. told: how they were read where other programs read them otherwise, and that other way.

    begins: where in the text that stands which is repeated.
    """

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.told: tuple[str, tuple[str, str]] | None = None
        self.noticed: list[Noticed] = []
        self.words_here: list[str] = []
        self.begins = 0

    @abstractmethod
    def worked_out(self, opening: TextPiece) -> int:
        """The number of sides that parentheses come to. opening: the first of them, which is passed."""

    def operand(self) -> Node:
        """A number, or a throw."""
        start = self.here
        count = None
        if start.kind == "number":
            if self.following.kind != "word" or self.following.text not in (
                *DIE_LETTERS,
                "fate",
                COIN,
                *FATE,
            ):
                return Constant(self.number("a number"))
            count = self.number("a number of dice")
            if not 1 <= count <= MAX_COUNT:
                self.wrong(f"Throw 1 to {MAX_COUNT} dice, not {count}.", start)
        return self.dice(start, count)

    def dice(self, start: TextPiece, count: int | None) -> Term:
        """A throw, once its number of dice is read. count: None where none was said."""
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
        wanted = "the number of sides, as in `d6`"
        sides = self.worked_out(token) if self.accept("(") else self.number(wanted)
        if not 1 <= (count or 1) <= MAX_COUNT:
            self.wrong(f"Throw 1 to {MAX_COUNT} dice, not {count}.", start)
        if not MIN_SIDES <= sides <= MAX_SIDES:
            self.wrong(f"A die has {MIN_SIDES} to {MAX_SIDES} sides, not {sides}.", token)
        return self.modified(Term(count or 1, sides), start)

    def modified(self, term: Term, start: TextPiece) -> Term:
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
        """Keep how a throw was read, and the other way where there is one."""
        self.noticed.append((said, name if other else "", term, other or term))

    def modifier(self, term: Term, token: TextPiece, name: str, which: str = "", more: str = "") -> Term:
        """The throw with one modifier, whose word is read. name, which, more: what that word stands for."""
        which = f"{which} {more}".strip()
        if token.text in ("r", "e", "ra"):
            self.words_here.append(token.text)
        if name in ("advantage", "disadvantage", "elven"):
            return self.advantage(term, token, name)
        if name in ("least", "most"):
            return self.limited(term, token, name)
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
            return self.exploding(term, token, name, which)
        if name == "reroll":
            if term.reroll:
                self.wrong("Only one `reroll` for a throw.", token)
            until = which.startswith(UNTIL) or self.accept(UNTIL)
            if not until:
                self.accept(ONCE)
            alone = which.removeprefix(UNTIL).strip()
            return replace(term, reroll=self.reroll(term, token, alone), until=until)
        if name in ("count", "double", "fail", "only"):
            return self.counted_faces(term, token, name, which)
        if term.each:
            self.wrong("Only one `each` for a throw.", token)
        if self.here.kind == "sign" and self.here.text in ("+", "-"):
            adds = self.take().text == "+"
            return replace(term, each=self.number("a number") * (1 if adds else -1))
        return self.unexpected("`+` or `-`, as in `each +1`")

    def limited(self, term: Term, token: TextPiece, name: str) -> Term:
        """What a die is worth at least, or at most."""
        if getattr(term, name) is not None:
            self.wrong(f"Only one `{name}` for a throw.", token)
        value = self.signed(f"what a die is worth at {name}")
        if not term.lowest <= value <= term.highest:
            end = self.tokens[self.at - 1]
            self.wrong(f"A {term.kind} shows {term.lowest} to {term.highest}.", token, end)
        return replace(term, **{name: value})  # type: ignore[arg-type]

    def exploding(self, term: Term, token: TextPiece, name: str, which: str) -> Term:
        """How dice that show certain faces earn more."""
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

    def counted_faces(self, term: Term, token: TextPiece, name: str, which: str) -> Term:
        """Faces that are counted, counted twice, taken off or added up alone."""
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

    def advantage(self, term: Term, token: TextPiece, name: str) -> Term:
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

    def without(self, term: Term, token: TextPiece) -> Term:
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

    def keep(self, term: Term, token: TextPiece, name: str, which: str) -> Keep:
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
        """Which end dice are kept from; empty where none is said."""
        if self.accept(*HIGHEST):
            return "highest"
        return "lowest" if self.accept(*LOWEST) else ""

    def explode(self, term: Term, token: TextPiece) -> Span:
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
            sign = "!="
            if isinstance(span.low, int) and counts_instead(term, Constant(span.low)):
                sign = "count not"
            head, tail = self.text[self.begins : token.start], self.text[first.end :]
            other = f"{head.strip()} {sign} {tail.strip()}"
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

    def reroll(self, term: Term, token: TextPiece, alone: str) -> Span:
        """The faces that are thrown again."""
        if token.text in ("r", "ro", "rr") and not self.starts_span() and self.here.text != "-":
            return Span(term.lowest, term.lowest)
        span = self.span("the faces to throw again, as in `reroll 1-2`", alone)
        if not any(value in span for value in range(term.lowest, term.highest + 1)):
            end = self.tokens[self.at - 1]
            self.wrong(f"A {term.kind} shows {term.lowest} to {term.highest}.", token, end)
        return span

    def sensible(self, term: Term, start: TextPiece, end: TextPiece) -> None:
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
