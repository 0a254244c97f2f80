"""Habits of odd English, each with a sentence that has it and the sentence that says the same plainly."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_ASKS = "is|are|was|were|do|does|did|will|would|can|could|should|has|have|wins|goes first|comes next"


@dataclass(frozen=True, slots=True)
class Habit:
    """One habit, as a pattern. `odd` must match it and `plain` must not."""

    name: str
    pattern: re.Pattern[str]
    odd: str
    plain: str


def _habit(name: str, pattern: str, odd: str, plain: str) -> Habit:
    return Habit(name, re.compile(pattern), odd, plain)


HABITS: Sequence[Habit] = (
    _habit(
        "a clause with who, what or whose as the subject",
        rf"(?:^|[.;:] )(?:Who|What|Whose|Whom)\b(?! (?:{_ASKS})\b)[^?]*[.;:]?$",
        "Who enters a code plays that seat.",
        "Enter a code to take over that seat.",
    ),
    _habit(
        "a colon or semicolon for if or when",
        r"\b(?:none|nobody|off|on|then|else|now|empty|0)\s?: [a-z]|; (?:none|nobody|else|0)\b",
        "Inches between them; none: as before",
        "Distance in inches (leave blank to reuse the last one)",
    ),
    _habit(
        "is no, no more, anew, any more",
        r"(?<![Tt]here )\bis no (?!longer\b)[a-z]|\bno more\b(?! than)|\banew\b|\bany more\b(?! [a-z])",
        "A Crawl is no half.",
        "You can't take a half-move while crawling.",
    ),
    _habit(
        "to you alone",
        r"\b(?:to|by|for) (?:you|them|it|him|himself|itself|who asks) alone\b|\bby (?:it|them)sel(?:f|ves)\b",
        "It is shown to you alone.",
        "Only you can see it.",
    ),
    _habit(
        "say, give, tell, take, keep, let or hold for everything",
        r"^(?:Say|Give|Tell|Take|Keep|Let|Hold)\b",
        "Give a crew its first model with /crew recruit.",
        "Add your first model with /crew recruit.",
    ),
    _habit(
        "whom, whoever, somebody, nobody, everybody",
        r"\b(?:[Ww]hom|[Ww]hoever|[Ww]homever|[Ss]omebody|[Nn]obody|[Ee]verybody)\b",
        "Whom misses hit when shooting into a melee",
        "Who gets hit by misses when firing into a melee",
    ),
    _habit(
        "archaic words",
        r"\b(?:such are|such a one|alike|besides|thereby|therefor|all the same|hitherto|therein|thereof)\b",
        "The odds besides are told.",
        "The odds are shown as well.",
    ),
    _habit(
        "stand and lie as verbs for being somewhere",
        r"\b(?:stands? (?:in|at|on|for|there|here|by)|lies? (?:in|at|on|there))\b",
        "What stands in the log can be undone.",
        "You can undo every entry in the log.",
    ),
    _habit(
        "a fragment that begins with a preposition",
        r"^(?:Of|By|At|To|With|Whether|Where|How) [a-z][^.?]*$",
        "Of each side its captain",
        "The captain of each side",
    ),
)


def habits_in(words: str) -> Iterator[Habit]:
    """Yield the habits that a text has. Texts of fewer than three words have none."""
    if len(words.split()) >= 3:
        yield from (habit for habit in HABITS if habit.pattern.search(words))
