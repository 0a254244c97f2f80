"""Refusals of dice notation: what was not understood, where it stands, and the nearest form that works."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches

from rules.refusals import InvalidInput

Reads = Callable[[str], bool]
"""Whether a line can be read as dice notation."""

COLUMNS = 38
"""Width of the line that shows where the text went wrong."""

MAX_EXAMPLE_LENGTH = 30
"""Characters up to which a refusal repeats the player's own text, or corrects it."""

WORDS = (
    "keep", "drop", "best", "worst", "highest", "lowest", "explode", "compound", "penetrate", "reroll",
    "until", "once", "double", "count", "fail", "each", "only", "least", "most", "min", "max", "advantage",
    "disadvantage", "even", "odd", "floor", "ceil", "round", "abs", "together", "vs", "fate", "times",
    "adv", "dis",
)  # fmt: skip
"""Words of the notation that a misspelt word is compared with."""

ELSEWHERE = {
    "u": "Unique dice are not supported. To re-roll 1s, write `4d6 reroll 1`.",
    "uo": "Unique dice are not supported. To re-roll 1s, write `4d6 reroll 1`.",
    "sf": "To subtract one for each 1, write `8d10 count 7+ fail 1`.",
    "i": ("Imploding dice are not supported. To subtract one for each 1, write `8d10 count 7+ fail 1`."),
    "m": "Counting matches is not supported. To count one face, write `6d6 count 6`.",
    "mt": "Counting matches is not supported. To count one face, write `6d6 count 6`.",
    "sqrt": "Square roots are not supported. You can use `floor`, `ceil`, `round` and `abs`.",
    "pow": "For a power, write `2d6^2`.",
}
"""Words of other programs, and what to write here."""

SIGNS = {
    "?": "To add a label, write it after `#`, as in `1d20 # to hit?`.",
    "@": "Enter the number itself, because there are no character sheets here.",
    "$": "Enter the number itself, because there are no character sheets here.",
    ".": "Use whole numbers only.",
    "++": "Write `4d6 each +2` to add 2 to each die, or `4d6+2` to add 2 to the total.",
    "--": "Write `4d6 each -2` to take 2 off each die, or `4d6-2` to take 2 off the total.",
    "/*": "Close this comment with `*/`.",
    "[": "Close this note with `]`.",
}
"""Signs that have no meaning here, and what to write."""

NEXT_PART = "`+` or a comparison, or end the roll"
"""What can follow a part that is complete."""

_OPERAND_WANTED = re.compile(r"(^|[-+*/^(,{;]|>=|<=|!=|[<>=#])\s*$")
_FACES_WANTED = re.compile(r"(count|only|fail|least|most|min|max|mi|ma|reroll|rr|ir|rg|irg|t|tl|double)\s*$")
_REMARK = re.compile(r"[a-z'’]+([ ,.!?:'’-]+[a-z'’]+)*[ .!?]*$", re.IGNORECASE)


class Misread(InvalidInput):
    """The text is not a dice expression. The sentence says why, and the place is marked below it.

    `shown` is the text around the place, `carets` the line below it; neither is wider than `COLUMNS`.
    """

    def __init__(self, sentence: str, text: str, start: int, end: int) -> None:
        first_column = max(0, min(start - COLUMNS // 2, len(text) - COLUMNS)) if len(text) > COLUMNS else 0
        self.shown = text[first_column : first_column + COLUMNS].replace("`", "'")
        width = max(1, min(end, first_column + COLUMNS) - start)
        self.carets = " " * (start - first_column) + "^" * width
        self.why = sentence
        super().__init__(f"{sentence}\n```\n{self.shown}\n{self.carets}\n```")


def is_remark(text: str) -> bool:
    """Return whether a text is a player's own words, none of which belongs or nearly belongs to the
    notation.
    """
    if not _REMARK.match(text.strip()):
        return False
    words = re.findall(r"[a-z]+", text.lower())
    known_words = {*WORDS, *ELSEWHERE}
    return len(text.strip()) > 2 and not any(
        word in known_words or (len(word) > 2 and get_close_matches(word, WORDS, 1, 0.84)) for word in words
    )


def refuse_at(text: str, place: int, reads: Reads) -> Misread:
    """Return the refusal of a text that makes no sense from this place on."""
    lower, unread = text.lower(), text[place:]
    before = lower[:place]
    if not unread.strip():
        unclosed = _unclosed(lower)
        if unclosed is not None:
            close = ")" if text[unclosed] == "(" else "}"
            return Misread(f"Close this `{text[unclosed]}` with `{close}`.", text, unclosed, unclosed + 1)
        wanted = _wanted(before)
        step = "Complete its last part, or leave it out" if wanted == NEXT_PART else f"Add {wanted}"
        return Misread(f"This roll is not finished. {step}.", text, len(text), len(text) + 1)
    place += len(unread) - len(unread.lstrip())
    unread = lower[place:]
    if re.search(r"(vs|versus|against)\s*\d*$", before) and re.match(r"[dwk]\d", unread):
        sentence = "Write a number after `vs`. To compare two totals, write `2d6 > 2d6`."
        return Misread(sentence, text, place, place + 1)
    word = re.match(r"[^\W\d_]+", unread)
    if word and re.search(r"(^|[^a-z0-9])[dwk]$", before):
        place, word = place - 1, re.match(r"[^\W\d_]+", lower[place - 1 :])
        before = lower[:place]
    if word:
        return _refuse_word(text, place, word[0], before, reads)
    for sign, sentence in SIGNS.items():
        if unread.startswith(sign):
            return Misread(sentence, text, place, place + len(sign))
    if unread[0] == "," and re.match(r",\d{3}(?!\d)", unread) and before[-1:].isdigit():
        without_commas = re.sub(r"(?<=\d),(?=\d{3})", "", text)
        return Misread(f"Write numbers without commas: `{_short(without_commas)}`.", text, place, place + 1)
    separated = f"{text[:place]};{text[place + 1 :]}"
    if re.match(r",\s*\d*[dw]\d", unread) and reads(separated):
        example = separated if len(separated) <= MAX_EXAMPLE_LENGTH else "2d6; 3d8"
        return Misread(f"Put `;` between different rolls, as in `{example}`.", text, place, place + 1)
    if re.match(r",\d", unread) and before[-1:].isdigit():
        return Misread("Use whole numbers only.", text, place, place + 1)
    counted = re.search(r"(count|only|double|fail|cs|cf|c)\s*$", before)
    added = re.match(r"(\d+)\+[\d(dwk]", unread)
    if counted and added:
        name, face = counted[1], added[1]
        sentence = (
            f"Put spaces around the second `+`. `{name} {face}+ + 1` means {face} or more, "
            f"and `{name} {face} + 1` means only {face}."
        )
        return Misread(sentence, text, place, place + 1)
    token = re.match(r"\d+|>=|<=|!=|.", unread)
    example = token[0] if token else unread[0]
    end = place + len(example)
    head, tail = text[:place].rstrip(), text[place:]
    glued = text[:place][-1:].isdigit() and text[end : end + 1].isdigit()
    corrections = [] if glued else [text[:place] + text[end:]]
    if example.isdigit():
        corrections = [f"{head} count {tail}"] * (not tail.isdigit()) + [f"{head} + {tail}"]
    return Misread(_not_understood(example, before, corrections, reads), text, place, end)


def _refuse_word(text: str, place: int, word: str, text_before: str, reads: Reads) -> Misread:
    end = place + len(word)
    quoted = text[place:end] if len(word) <= 20 else f"{text[place : place + 20]}..."
    if text_before.rstrip().endswith(tuple("0123456789")) and word in ("x", "times"):
        number = text[end:].strip()
        turned = f"{number}x {text[:place].strip()}"
        example = (
            turned if number.isdecimal() and len(turned) <= MAX_EXAMPLE_LENGTH and reads(turned) else "3x 2d6"
        )
        sentence = f"Put the number of rolls first, as in `{example}`. To multiply, write `*`."
        return Misread(sentence, text, place, end)
    if text_before.rstrip()[-1:] in (")", "}") and word in ("k", "keep", "p", "drop", "d"):
        sentence = (
            "To pick dice by their value, write `4d6 only 4+`. For a group, write `{4d6, 2d8} count 9+`."
        )
        return Misread(sentence, text, place, end)
    if word in ("d", "w", "k") and not text[end : end + 1].isdigit():
        return Misread("Add the number of sides, as in `d6`.", text, end, end + 1)
    remark = text[place:].strip()
    if word in ELSEWHERE and len(re.findall(r"[^\W\d_]+", remark)) < 3:
        return Misread(ELSEWHERE[word], text, place, end)
    if word == "each":
        sentence = "Write `+` or `-` and a number after `each`, as in `4d6 each +1`."
        return Misread(sentence, text, place, end)
    dice = re.search(r"\d*d\d.*", text[place:], re.IGNORECASE)
    if not text_before.strip() and dice:
        return Misread(_not_understood(quoted, text_before, (dice[0],), reads), text, place, end)
    if word in WORDS:
        return Misread(_not_understood(quoted, text_before, (), reads), text, place, end)
    close = get_close_matches(word, WORDS, 1, 0.6) if text_before.strip() else []
    if close and len(remark.split()) < 4:
        corrected = f"{text[:place]}{close[0]}{text[end:]}"
        suggestion = corrected if len(corrected) <= MAX_EXAMPLE_LENGTH and reads(corrected) else close[0]
        return Misread(f"{_unknown(quoted, text_before)} Did you mean `{suggestion}`?", text, place, end)
    if len(remark.split()) > 1 and text_before.strip():
        example = f"{text[:place].strip()} # {remark}"
        example = "1d20 # to hit" if len(example) > MAX_EXAMPLE_LENGTH else example
        sentence = f"To add a label, write it after `#`, as in `{example}`."
        return Misread(sentence, text, place, len(text.rstrip()))
    return Misread(_not_understood(quoted, text_before, (), reads), text, place, end)


def _not_understood(quoted: str, text_before: str, corrections: Sequence[str], reads: Reads) -> str:
    """Name what is not understood, and the first of these texts that can be read or what was expected."""
    sentence = _unknown(quoted.replace("`", "'"), text_before)
    for repair in corrections:
        if len(repair) <= MAX_EXAMPLE_LENGTH and "`" not in repair and repair.strip() and reads(repair):
            return f"{sentence} Did you mean `{repair.strip()}`?"
    return f"{sentence} {'Continue' if text_before.strip() else 'Start'} with {_wanted(text_before)}."


def _unknown(quoted: str, text_before: str) -> str:
    read_part = text_before.strip()
    if not read_part or len(read_part) > MAX_EXAMPLE_LENGTH or "`" in read_part:
        return f"I don't understand `{quoted}` here."
    return f"I understand `{read_part}`, but not `{quoted}` after it."


def _wanted(text_before: str) -> str:
    if _OPERAND_WANTED.search(text_before):
        return "a number or dice, such as `2d6`"
    if re.search(r"\b(vs|versus|against)\s*$", text_before):
        return "the number to reach, as in `vs 7`"
    if re.search(r"(?<![a-z])\d*[dwk]$", text_before):
        return "the number of sides, as in `d6`"
    if re.search(r"each\s*[+-]?\s*$", text_before):
        return "`+` or `-` and a number, as in `each +1`"
    if _FACES_WANTED.search(text_before):
        return "the faces, as in `count 7+` or `reroll 1`"
    return NEXT_PART


def _unclosed(text: str) -> int | None:
    opened: list[int] = []
    for place, char in enumerate(text):
        if char in "({":
            opened.append(place)
        elif char in ")}" and opened:
            opened.pop()
    return opened[-1] if opened else None


def _short(text: str) -> str:
    return text if len(text) <= MAX_EXAMPLE_LENGTH else "1000"
