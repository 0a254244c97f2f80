"""A place in the text of a dice expression, and what is read there whatever stands around it.

Owns going from token to token, numbers, spans of faces, and the refusal of what cannot stand here.
"""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches
from typing import Any, NoReturn, cast

from rules.expression_nodes import (
    MAX_NUMBER,
    Comparison,
    Span,
)
from rules.expression_tokens import (
    COMPARISONS,
    DIE_LETTERS,
    ELSEWHERE,
    FATE,
    PARITIES,
    TIMES,
    WORDS,
    Misread,
    TextPiece,
    tokens,
)


class Cursor:
    """A place among the tokens of one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens(text)
        self.at = 0

    @property
    def here(self) -> TextPiece:
        """What is read next."""
        return self.tokens[self.at]

    @property
    def following(self) -> TextPiece:
        """What stands behind that; the end stands behind the end."""
        return self.tokens[min(self.at + 1, len(self.tokens) - 1)]

    def take(self) -> TextPiece:
        """Read one token; the end is never passed."""
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

    def wrong(self, sentence: str, first: TextPiece, last: TextPiece | None = None) -> NoReturn:
        """Refuse what stands from one token to another. Raises Misread."""
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
        """A number of 0 up to `MAX_NUMBER`. Raises Misread."""
        if self.here.kind != "number":
            self.unexpected(wanted)
        token = self.take()
        if len(token.text) > 12 or int(token.text) > MAX_NUMBER:
            self.wrong(f"Numbers go to {MAX_NUMBER:,}.", token)
        return int(token.text)

    def signed(self, wanted: str) -> int:
        """A number that may stand behind a minus sign. Raises Misread."""
        return -self.number(wanted) if self.accept("-") else self.number(wanted)

    def starts_span(self) -> bool:
        """Whether values follow here."""
        here = self.here
        if here.kind == "sign":
            return here.text in COMPARISONS
        return here.kind == "number" or (here.kind == "word" and here.text in (*PARITIES, "not"))

    def span(self, wanted: str, alone: str = "") -> Span:
        """Values: one, from one up, from one to another, or compared with one.

        alone: what a single number stands for: itself, or all that is `up` or `down` from it.
        """
        if self.here.kind == "sign" and self.here.text in COMPARISONS:
            token = self.take()
            if token.text == "!=":
                value = self.signed(wanted)
                return Span(value, value, outside=True)
            return compared_span(cast(Comparison, token.text), self.signed(wanted))
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


def compared_span(sign: Comparison, value: int) -> Span:
    """The values that stand so to a value."""
    low = {">=": value, ">": value + 1, "=": value}.get(sign)
    return Span(low, {"<=": value, "<": value - 1, "=": value}.get(sign))
