"""The pieces of a dice expression's text, and the refusal that marks a place in it.

Owns characters, words, numbers and notes; it does not know which order of them makes sense.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rules.refusals import InvalidInput

COLUMNS = 38
"""Width of the line that shows where the text went wrong."""

DIE_LETTERS = ("d", "w", "k")
COMPARISONS = (">=", "<=", "!=", "==", "<>", ">", "<", "=")
FATE = tuple(letter + fate for letter in DIE_LETTERS for fate in ("f", "fate"))
MODIFIERS = {
    "keep": "keep", "k": "keep", "kh": "keep highest", "kl": "keep lowest",
    "drop": "drop", "d": "drop", "dh": "drop highest", "dl": "drop lowest",
    "best": "best", "worst": "worst",
    "explode": "explode", "explodes": "explode", "e": "explode", "!": "explode", "ie": "explode",
    "xo": "explode once", "ra": "explode once", "compound": "compound", "penetrate": "penetrate",
    "reroll": "reroll", "r": "reroll", "ro": "reroll", "rr": "reroll until", "ir": "reroll until down",
    "rg": "reroll up", "irg": "reroll until up", "double": "double", "ds": "double up",
    "even": "count even", "ev": "count even", "odd": "count odd", "od": "count odd",
    "count": "count", "c": "count", "cs": "count", "cf": "count", "t": "count up", "tl": "count down",
    "fail": "fail", "f": "fail down", "df": "fail", "each": "each", "only": "only",
    "p": "drop", "ph": "drop highest", "pl": "drop lowest",
    "least": "least", "min": "least", "mi": "least", "most": "most", "max": "most", "ma": "most",
    "adv": "advantage", "advantage": "advantage", "dis": "disadvantage", "disadvantage": "disadvantage",
    "ea": "elven",
}  # fmt: skip
VERSUS = ("vs", "versus", "against")
HIGHEST = ("highest", "high", "best", "h")
LOWEST = ("lowest", "low", "worst", "l")
TIMES = ("x", "times")
SORTING = ("s", "sa", "sd", "sort", "ul")
UNTIL, ONCE, TOGETHER = "until", "once", "together"
FUNCTIONS = ("floor", "ceil", "round", "abs", "max", "min")
WORDS = (
    *(word for word in MODIFIERS if len(word) > 2),
    *FUNCTIONS,
    UNTIL,
    ONCE,
    TOGETHER,
    "vs",
    "highest",
    "lowest",
    "fate",
)
COIN = "dc"
PARITIES = ("even", "odd")
ELSEWHERE = {
    "u": "Dice are not made different from each other: `reroll` takes faces, `reroll 1`.",
    "uo": "Dice are not made different from each other: `reroll` takes faces, `reroll 1`.",
    "sf": "Dice that fail take 1 off: `8d10 count 7+ fail 1`.",
    "b": "Botches are not told apart: taken off they are `8d10 count 7+ fail 1`, alone `8d10 count 1`.",
    "i": "Dice do not implode: taken off they are `8d10 count 7+ fail 1`.",
    "km": "The middle is not kept: `5d6 keep 3` the highest, `5d6 keep lowest 3`.",
    "sqrt": "Roots are not rolled: `floor`, `ceil`, `round` and `abs` are.",
    "pow": "Powers are written `d6^2`.",
}
"""Words that other programs know, and what to write instead."""

NOT_HERE = {
    ";": "One roll at a time: send the second by itself.",
    "/*": "This comment has no end: close it with `*/`.",
    "?": "Put it into words after `#`.",
    "@": "Write the number itself: no values of a character are known here.",
    "$": "Write the number itself: no values of a character are known here.",
}
"""Signs that other programs know, and what to write instead."""
ALIKE = {
    "−": "-",
    "–": "-",
    "—": "-",
    "≥": ">=",
    "≤": "<=",
    "÷": "/",
    "//": "/",
    "**": "^",
    "·": "*",
    "×": "*",
    "≠": "!=",
    "==": "=",
    "<>": "!=",
}


@dataclass(frozen=True, slots=True)
class TextPiece:
    """One piece of the text: `text` in lower case, `start` and `end` its place."""

    kind: Literal["number", "word", "sign", "note", "end"]
    text: str
    start: int
    end: int


class Misread(InvalidInput):
    """The text is no dice expression: the sentence says why, below it the place is marked.

    `shown` is the text around the place, `carets` the line below it; neither is wider than `COLUMNS`.
    """

    def __init__(self, sentence: str, text: str, start: int, end: int) -> None:
        left = max(0, min(start - COLUMNS // 2, len(text) - COLUMNS)) if len(text) > COLUMNS else 0
        self.shown = text[left : left + COLUMNS].replace("`", "'")
        width = max(1, min(end, left + COLUMNS) - start)
        self.carets = " " * (start - left) + "^" * width
        self.why = sentence
        super().__init__(f"{sentence}\n```\n{self.shown}\n{self.carets}\n```")


def tokens(text: str) -> tuple[TextPiece, ...]:
    """The pieces of a text, spaces left out, with an empty one at the end. Raises InvalidInput."""
    found: list[TextPiece] = []
    at = 0
    while at < len(text):
        start, char = at, text[at]
        kind: Literal["number", "word", "sign", "note"] = "sign"
        if char.isspace():
            at += 1
            continue
        if _is_digit(char):
            kind, at = "number", _end_of_number(text, at)
        elif char.isalpha():
            kind = "word"
            while at < len(text) and text[at].isalpha():
                at += 1
            if text[start].lower() == "x" and at - start == 2 and text[start + 1].lower() in DIE_LETTERS:
                at -= 1
        elif char == "[":
            kind, at = "note", text.find("]", at) + 1
            if not at:
                raise Misread("This note has no end: close it with `]`.", text, start, start + 1)
        elif text[at : at + 2] in ("//", "**", "/*"):
            at += 2
            _known_sign(text, start, at)
        elif char == "." and text[at - 1 : at + 2].lower() in ("f.2", "f.1"):
            at += 2
            if text[at - 1] == "2":
                continue
        else:
            at += 2 if _is_pair(text, at) else 1
            _known_sign(text, start, at)
        piece = text[start:at]
        found.append(TextPiece(kind, _plain(piece) if kind != "note" else piece, start, at))
    return (*found, TextPiece("end", "", len(text), len(text) + 1))


def _is_pair(text: str, at: int) -> bool:
    """Whether two signs are one comparison; `!=` only after a space, since `!` belongs to dice it touches."""
    pair = text[at : at + 2]
    return pair in COMPARISONS and (pair != "!=" or not at or text[at - 1].isspace())


def _is_digit(char: str) -> bool:
    return char in "0123456789"


def _end_of_number(text: str, at: int) -> int:
    """Where a number ends; a comma before exactly three digits groups them."""
    while at < len(text):
        group = text[at + 1 : at + 4]
        after = text[at + 4 : at + 5]
        grouped = text[at] == "," and len(group) == 3 and all(map(_is_digit, group))
        if grouped and not (after and _is_digit(after)):
            at += 4
        elif _is_digit(text[at]):
            at += 1
        else:
            break
    return at


def _known_sign(text: str, start: int, end: int) -> None:
    sign = text[start:end]
    if sign in COMPARISONS or sign in ALIKE or sign in "+-*/()%!{}^":
        return
    if sign in NOT_HERE:
        raise Misread(NOT_HERE[sign], text, start, end)
    inside = sum(text[:start].count(sign) for sign in "({") > sum(text[:start].count(sign) for sign in ")}")
    grouped = sign == "," and not inside and text[start - 1 : start].isdigit()
    if sign == "." and text[start - 1 : start].lower() == "f":
        raise Misread("Fate dice are `4dF` and `4dF.1`.", text, start, end)
    if sign == "." or grouped:
        raise Misread("Whole numbers only: no commas, no fractions.", text, start, end)
    if sign == ",":
        return
    shown = sign.replace("`", "'")
    raise Misread(f"`{shown}` has no meaning here. Write for example `4d10+1 vs 7`.", text, start, end)


def _plain(piece: str) -> str:
    return piece if piece == "," else ALIKE.get(piece, piece).replace(",", "").lower()
