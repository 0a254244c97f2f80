"""Finds which known name a list means: the same name, a short form of it, or a misspelling."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

How = Literal["exact", "short", "misspelled", "unknown"]

MAX_CANDIDATES = 4
MIN_LIKENESS = 55
"""The least likeness of a candidate (0 to 100)."""

MAX_NAME = 80

LEADER = r"(?:(?:crew|squad|team|gang)\s+)?(?:leader|lieutenant|lt\.?|captain|commander|warlord|boss)"
"""The words by which a list marks the leader, as a pattern."""

_LEADER = re.compile(LEADER, re.IGNORECASE)


def is_leader(text: str) -> bool:
    """Return whether a text is nothing but the mark of a leader."""
    return bool(_LEADER.fullmatch(text.strip()))


SHORT_FORMS = {
    "capt": "captain",
    "cmdr": "commander",
    "col": "colonel",
    "cpt": "captain",
    "doc": "doctor",
    "dr": "doctor",
    "lt": "lieutenant",
    "sgt": "sergeant",
}


@dataclass(frozen=True, slots=True)
class Match:
    """The match of a name. name: the known one, or empty. candidates: the likeliest first."""

    how: How
    name: str = ""
    candidates: tuple[str, ...] = ()


@lru_cache(maxsize=4096)
def normal(name: str) -> str:
    """Return a name without case, accents and punctuation, and its titles in full."""
    letters = unicodedata.normalize("NFKD", name[:MAX_NAME]).casefold()
    letters = "".join(letter for letter in letters if unicodedata.category(letter) != "Mn")
    words = re.sub(r"['’`.]", "", re.sub(r"[^\w'’`.]+|_", " ", letters)).split()
    return " ".join(SHORT_FORMS.get(word, word) for word in words)


def match(name: str, candidates: Sequence[str]) -> Match:
    """Return which of the known names is meant."""
    return _match(name, tuple(candidates))


@lru_cache(maxsize=4096)
def _match(name: str, known: tuple[str, ...]) -> Match:
    wanted_name, names = normal(name), tuple(map(normal, known))
    if not wanted_name:
        return Match("unknown")
    for form in dict.fromkeys((wanted_name, re.sub(r" \d{1,2}$", "", wanted_name))):
        if form in names:
            return Match("exact", known[names.index(form)])
    begin = wanted_name.split()[0][:-2] or wanted_name[0]
    short_for = [
        place for place, name in enumerate(names) if begin in name and _is_short_for(wanted_name, name)
    ]
    if len(short_for) == 1:
        return Match("short", known[short_for[0]], (known[short_for[0]],))
    candidates = tuple(known[place] for place in (short_for or _alike(wanted_name, names))[:MAX_CANDIDATES])
    allowed = 0 if len(wanted_name) < 4 else 1 if len(wanted_name) < 8 else 2
    close = [
        (OSA.distance(wanted_name, name, score_cutoff=allowed), place) for place, name in enumerate(names)
    ]
    close = sorted(pair for pair in close if pair[0] <= allowed)
    if allowed and close and (len(close) == 1 or close[0][0] < close[1][0]):
        return Match("misspelled", known[close[0][1]], candidates)
    return Match("unknown", "", candidates)


def begins_with(text: str, names: Sequence[str]) -> str:
    """Return the longest known name with which a text begins; empty if there is none."""
    text_name = normal(text)
    beginnings = [candidate for candidate in names if text_name.startswith(f"{normal(candidate)} ")]
    return max(beginnings, key=len, default="")


def _alike(wanted_name: str, names: Sequence[str]) -> list[int]:
    matches = process.extract(
        wanted_name, names, scorer=fuzz.WRatio, limit=MAX_CANDIDATES, score_cutoff=MIN_LIKENESS
    )
    return [place for _, _, place in matches]


def _is_short_for(wanted_name: str, name: str) -> bool:
    """Whether each word that was written begins a word of the name, in its order, or the other way round."""
    words = iter(name.split())
    return all(any(_same_beginning(part, word) for word in words) for part in wanted_name.split())


def _same_beginning(part: str, word: str) -> bool:
    if word.startswith(part) and (len(part) > 2 or part == word):
        return True
    return part == f"{word}s" or part == f"{word}es"
