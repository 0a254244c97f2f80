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
    plain = unicodedata.normalize("NFKD", name[:MAX_NAME]).casefold()
    plain = "".join(letter for letter in plain if unicodedata.category(letter) != "Mn")
    words = re.sub(r"['’`.]", "", re.sub(r"[^\w'’`.]+|_", " ", plain)).split()
    return " ".join(SHORT_FORMS.get(word, word) for word in words)


def match(name: str, known: Sequence[str]) -> Match:
    """Return which of the known names is meant."""
    return _match(name, tuple(known))


@lru_cache(maxsize=4096)
def _match(name: str, known: tuple[str, ...]) -> Match:
    wanted, names = normal(name), tuple(map(normal, known))
    if not wanted:
        return Match("unknown")
    for form in dict.fromkeys((wanted, re.sub(r" \d{1,2}$", "", wanted))):
        if form in names:
            return Match("exact", known[names.index(form)])
    begin = wanted.split()[0][:-2] or wanted[0]
    short = [place for place, one in enumerate(names) if begin in one and _is_short_for(wanted, one)]
    if len(short) == 1:
        return Match("short", known[short[0]], (known[short[0]],))
    candidates = tuple(known[place] for place in (short or _alike(wanted, names))[:MAX_CANDIDATES])
    allowed = 0 if len(wanted) < 4 else 1 if len(wanted) < 8 else 2
    near = [(OSA.distance(wanted, one, score_cutoff=allowed), place) for place, one in enumerate(names)]
    near = sorted(pair for pair in near if pair[0] <= allowed)
    if allowed and near and (len(near) == 1 or near[0][0] < near[1][0]):
        return Match("misspelled", known[near[0][1]], candidates)
    return Match("unknown", "", candidates)


def begins_with(text: str, known: Sequence[str]) -> str:
    """Return the longest known name with which a text begins; empty if there is none."""
    wanted = normal(text)
    found = [one for one in known if wanted.startswith(f"{normal(one)} ")]
    return max(found, key=len, default="")


def _alike(wanted: str, names: Sequence[str]) -> list[int]:
    found = process.extract(
        wanted, names, scorer=fuzz.WRatio, limit=MAX_CANDIDATES, score_cutoff=MIN_LIKENESS
    )
    return [place for _, _, place in found]


def _is_short_for(wanted: str, name: str) -> bool:
    """Whether each word that was written begins a word of the name, in its order, or the other way round."""
    words = iter(name.split())
    return all(any(_same_beginning(one, word) for word in words) for one in wanted.split())


def _same_beginning(one: str, word: str) -> bool:
    if word.startswith(one) and (len(one) > 2 or one == word):
        return True
    return one == f"{word}s" or one == f"{word}es"
