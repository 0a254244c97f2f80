"""Refusals of dice notation: what was not understood, where it stands, and the nearest form that works."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches

from rules.refusals import InvalidInput

CanBeRead = Callable[[str], bool]
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

FOREIGN_WORDS = {
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

FOREIGN_SIGNS = {
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

NEXT_PART_WANTED = "`+` or a comparison, or end the roll"
"""What can follow a part that is complete."""

_OPERAND_WANTED = re.compile(r"(^|[-+*/^(,{;]|>=|<=|!=|[<>=#])\s*$")
_FACES_WANTED = re.compile(r"(count|only|fail|least|most|min|max|mi|ma|reroll|rr|ir|rg|irg|t|tl|double)\s*$")
_REMARK_PATTERN = re.compile(r"[a-z'’]+([ ,.!?:'’-]+[a-z'’]+)*[ .!?]*$", re.IGNORECASE)


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
    if not _REMARK_PATTERN.match(text.strip()):
        return False
    words = re.findall(r"[a-z]+", text.lower())
    known_words = {*WORDS, *FOREIGN_WORDS}
    return len(text.strip()) > 2 and not any(
        word in known_words or (len(word) > 2 and get_close_matches(word, WORDS, 1, 0.84)) for word in words
    )


def build_refusal(text: str, place: int, can_be_read: CanBeRead) -> Misread:
    """Return the refusal of a text that makes no sense from this place on."""
    lower_text, unread = text.lower(), text[place:]
    text_before = lower_text[:place]
    if not unread.strip():
        unclosed_place = _find_unclosed(lower_text)
        if unclosed_place is not None:
            closing_sign = ")" if text[unclosed_place] == "(" else "}"
            return Misread(
                f"Close this `{text[unclosed_place]}` with `{closing_sign}`.",
                text,
                unclosed_place,
                unclosed_place + 1,
            )
        wanted_part = _describe_wanted(text_before)
        step = (
            "Complete its last part, or leave it out"
            if wanted_part == NEXT_PART_WANTED
            else f"Add {wanted_part}"
        )
        return Misread(f"This roll is not finished. {step}.", text, len(text), len(text) + 1)
    place += len(unread) - len(unread.lstrip())
    unread = lower_text[place:]
    if re.search(r"(vs|versus|against)\s*\d*$", text_before) and re.match(r"[dwk]\d", unread):
        sentence = "Write a number after `vs`. To compare two totals, write `2d6 > 2d6`."
        return Misread(sentence, text, place, place + 1)
    word = re.match(r"[^\W\d_]+", unread)
    if word and re.search(r"(^|[^a-z0-9])[dwk]$", text_before):
        place, word = place - 1, re.match(r"[^\W\d_]+", lower_text[place - 1 :])
        text_before = lower_text[:place]
    if word:
        return _build_word_refusal(text, place, word[0], text_before, can_be_read)
    for sign, sentence in FOREIGN_SIGNS.items():
        if unread.startswith(sign):
            return Misread(sentence, text, place, place + len(sign))
    if unread[0] == "," and re.match(r",\d{3}(?!\d)", unread) and text_before[-1:].isdigit():
        corrected_text = re.sub(r"(?<=\d),(?=\d{3})", "", text)
        return Misread(f"Write numbers without commas: `{_shorten(corrected_text)}`.", text, place, place + 1)
    separated_text = f"{text[:place]};{text[place + 1 :]}"
    if re.match(r",\s*\d*[dw]\d", unread) and can_be_read(separated_text):
        example_text = separated_text if len(separated_text) <= MAX_EXAMPLE_LENGTH else "2d6; 3d8"
        return Misread(f"Put `;` between different rolls, as in `{example_text}`.", text, place, place + 1)
    if re.match(r",\d", unread) and text_before[-1:].isdigit():
        return Misread("Use whole numbers only.", text, place, place + 1)
    count_match = re.search(r"(count|only|double|fail|cs|cf|c)\s*$", text_before)
    plus_match = re.match(r"(\d+)\+[\d(dwk]", unread)
    if count_match and plus_match:
        name, face = count_match[1], plus_match[1]
        sentence = (
            f"Put spaces around the second `+`. `{name} {face}+ + 1` means {face} or more, "
            f"and `{name} {face} + 1` means only {face}."
        )
        return Misread(sentence, text, place, place + 1)
    token = re.match(r"\d+|>=|<=|!=|.", unread)
    example_text = token[0] if token else unread[0]
    end = place + len(example_text)
    head, tail = text[:place].rstrip(), text[place:]
    joins_digits = text[:place][-1:].isdigit() and text[end : end + 1].isdigit()
    corrections = [] if joins_digits else [text[:place] + text[end:]]
    if example_text.isdigit():
        corrections = [f"{head} count {tail}"] * (not tail.isdigit()) + [f"{head} + {tail}"]
    return Misread(
        _explain_not_understood(example_text, text_before, corrections, can_be_read), text, place, end
    )


def _build_word_refusal(
    text: str, place: int, word: str, text_before: str, can_be_read: CanBeRead
) -> Misread:
    end = place + len(word)
    quoted_text = text[place:end] if len(word) <= 20 else f"{text[place : place + 20]}..."
    if text_before.rstrip().endswith(tuple("0123456789")) and word in ("x", "times"):
        number = text[end:].strip()
        turned_text = f"{number}x {text[:place].strip()}"
        example = (
            turned_text
            if number.isdecimal() and len(turned_text) <= MAX_EXAMPLE_LENGTH and can_be_read(turned_text)
            else "3x 2d6"
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
    if word in FOREIGN_WORDS and len(re.findall(r"[^\W\d_]+", remark)) < 3:
        return Misread(FOREIGN_WORDS[word], text, place, end)
    if word == "each":
        sentence = "Write `+` or `-` and a number after `each`, as in `4d6 each +1`."
        return Misread(sentence, text, place, end)
    dice = re.search(r"\d*d\d.*", text[place:], re.IGNORECASE)
    if not text_before.strip() and dice:
        return Misread(
            _explain_not_understood(quoted_text, text_before, (dice[0],), can_be_read), text, place, end
        )
    if word in WORDS:
        return Misread(_explain_not_understood(quoted_text, text_before, (), can_be_read), text, place, end)
    close_words = get_close_matches(word, WORDS, 1, 0.6) if text_before.strip() else []
    if close_words and len(remark.split()) < 4:
        corrected = f"{text[:place]}{close_words[0]}{text[end:]}"
        suggestion = (
            corrected if len(corrected) <= MAX_EXAMPLE_LENGTH and can_be_read(corrected) else close_words[0]
        )
        return Misread(
            f"{_format_unknown(quoted_text, text_before)} Did you mean `{suggestion}`?", text, place, end
        )
    if len(remark.split()) > 1 and text_before.strip():
        example = f"{text[:place].strip()} # {remark}"
        example = "1d20 # to hit" if len(example) > MAX_EXAMPLE_LENGTH else example
        sentence = f"To add a label, write it after `#`, as in `{example}`."
        return Misread(sentence, text, place, len(text.rstrip()))
    return Misread(_explain_not_understood(quoted_text, text_before, (), can_be_read), text, place, end)


def _explain_not_understood(
    quoted: str, text_before: str, corrections: Sequence[str], can_be_read: CanBeRead
) -> str:
    """Name what is not understood, and the first of these texts that can be read or what was expected."""
    sentence = _format_unknown(quoted.replace("`", "'"), text_before)
    for correction in corrections:
        if (
            len(correction) <= MAX_EXAMPLE_LENGTH
            and "`" not in correction
            and correction.strip()
            and can_be_read(correction)
        ):
            return f"{sentence} Did you mean `{correction.strip()}`?"
    return (
        f"{sentence} {'Continue' if text_before.strip() else 'Start'} with {_describe_wanted(text_before)}."
    )


def _format_unknown(quoted: str, text_before: str) -> str:
    read_part = text_before.strip()
    if not read_part or len(read_part) > MAX_EXAMPLE_LENGTH or "`" in read_part:
        return f"I don't understand `{quoted}` here."
    return f"I understand `{read_part}`, but not `{quoted}` after it."


def _describe_wanted(text_before: str) -> str:
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
    return NEXT_PART_WANTED


def _find_unclosed(text: str) -> int | None:
    open_places: list[int] = []
    for place, char in enumerate(text):
        if char in "({":
            open_places.append(place)
        elif char in ")}" and open_places:
            open_places.pop()
    return open_places[-1] if open_places else None


def _shorten(text: str) -> str:
    return text if len(text) <= MAX_EXAMPLE_LENGTH else "1000"
