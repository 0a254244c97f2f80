"""Read and write statblocks of a group's own as text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from rules.refusals import InvalidInput
from rules.systems.counterblast.building.custom_profile import (
    PSIONIC,
    OwnStatblock,
    build_own,
    build_own_key,
    format_arm,
    read_arm,
    split_parts,
)
from rules.systems.counterblast.core.data_format import MAX_DIGITS
from rules.systems.counterblast.core.library import load
from rules.systems.counterblast.core.profile import AFFILIATIONS, MODEL_TYPES, RANKS, Trait

T = TypeVar("T")

MAX_TEXT_LENGTH = 4000
"""Longest statblock that is read, in characters."""

RATINGS = {"str": "strength", "agl": "agility", "int": "intellect", "psi": "psionic"}
NUMBERS = {"mv": "mv", "def": "defense", "life": "life", "shield": "shield", "points": "points"}
LISTS = ("features", "weapons", "gear", "powers")
OWN_KEYS = ("rank", "type", "base", *NUMBERS, *RATINGS, *LISTS, "faction")
"""The keys that a custom statblock can have."""

OWN_FIGURES = frozenset({"rank", "mv", *RATINGS, "def", "life", "shield"})
"""Words that only a statblock of one's own has: by them it is told from a printed or a built one."""

_KEY_ALIASES = {
    "types": "type", "defense": "def", "defence": "def", "pts": "points", "cost": "points",
    "weapon": "weapons", "feature": "features", "power": "powers", "affiliation": "faction",
    "strength": "str", "agility": "agl", "intellect": "int", "psionic": "psi", "size": "base", "move": "mv",
}  # fmt: skip

_FIGURE_PATTERN = re.compile(r"([A-Za-z]+)\s+(\d\S*)")
_POINTS_PATTERN = re.compile(r"(\d{1,4})\s+points?", re.IGNORECASE)
_TYPED_FIGURE_PATTERN = re.compile(
    r"\b(?:mv|str|agl|int|def|defence|defense|life)(\s*:)?\s*\d+(D\b)?", re.IGNORECASE
)


def is_statblock(text: str) -> bool:
    """Return whether a text is a statblock and not a name: it has two figures, or a statblock's one."""
    labels = _TYPED_FIGURE_PATTERN.findall(text)
    return len(labels) > 1 or any(colon or dice for colon, dice in labels)


# ------------------------------------------------------------------------------------------- reading


def read_own(text: str, name: str = "") -> OwnStatblock:
    """Return a typed statblock. name: used if the text begins with none. Raises InvalidInput, a fault a line.

    Rules: CB-STAT-01.
    """
    if len(text) > MAX_TEXT_LENGTH:
        raise InvalidInput(f"Shorten the statblock. It can have at most {MAX_TEXT_LENGTH} characters.")
    text = re.sub(r",\s*\n", ", ", text)
    lines = [line.strip() for line in re.split(r"[;\n]", text) if line.strip()]
    words: dict[str, str] = {}
    for place, line in enumerate(lines):
        if not place and _is_name(line):
            name = name or line
        elif ":" in line:
            key, _, value = line.partition(":")
            _set_word(words, key, value)
        else:
            _read_figures(line, words)
    return build_own_from_words(name, words)


def _is_name(line: str) -> bool:
    first_part = split_parts(line)[0]
    words = first_part.casefold().split()
    return (
        ":" not in line
        and not _FIGURE_PATTERN.fullmatch(first_part)
        and not set(words) & {*RANKS, *MODEL_TYPES}
    )


def _set_word(words: dict[str, str], key: str, value: str) -> None:
    word = " ".join(key.casefold().split())
    word = _KEY_ALIASES.get(word, word)
    if word in words and word in LISTS:
        words[word] += f", {value.strip()}"
    elif word in words:
        raise InvalidInput(f"Write {key.strip()[:20]} only once.")
    else:
        words[word] = value.strip()


def _read_figures(line: str, words: dict[str, str]) -> None:
    for part in split_parts(line):
        figure, points = _FIGURE_PATTERN.fullmatch(part), _POINTS_PATTERN.fullmatch(part)
        base = re.fullmatch(r"base\s+([A-Za-z])", part, re.IGNORECASE)
        if points:
            _set_word(words, "points", points[1])
        elif base:
            _set_word(words, "base", base[1])
        elif figure:
            _set_word(words, figure[1], figure[2])
        elif _is_figure(part):
            _set_word(words, *part.split(maxsplit=1))
        else:
            for word in part.split():
                _read_kind(word, words)


def _is_figure(part: str) -> bool:
    """Return whether a figure is named and something is said of it, which may be no number."""
    figure_name, _, figure_value = part.partition(" ")
    word = figure_name.casefold()
    return bool(figure_value.strip()) and _KEY_ALIASES.get(word, word) in (*NUMBERS, *RATINGS)


def _read_kind(word: str, words: dict[str, str]) -> None:
    if word.casefold() in RANKS:
        _set_word(words, "rank", word)
    elif word.casefold() in MODEL_TYPES:
        words["type"] = ", ".join(filter(None, (words.get("type", ""), word)))
    else:
        raise InvalidInput(
            f"I don't understand {word[:20]!r}. Write each value with its name, as in "
            "`Mv 6, STR 3D+1, Def 8, Life 2`."
        )


class _Faults:
    """What is wrong with words, a line each."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def tried(self, read: Callable[[], T], default: T) -> T:
        """Return what is read, or the default if it can't be read."""
        try:
            return read()
        except (InvalidInput, ValueError) as wrong:
            self.lines.append(wrong.sentence if isinstance(wrong, InvalidInput) else f"{wrong}."[:120])
            return default


def build_own_from_words(name: str, words: Mapping[str, str]) -> OwnStatblock:
    """Return the statblock of words by key, see `OWN_KEYS`. Raises InvalidInput with every fault."""
    faults = _Faults()
    faults.lines += [
        f"I don't know {key!r}. You can use these keys: {', '.join(OWN_KEYS)}."
        for key in words
        if key not in OWN_KEYS
    ]
    needed_keys = ("type", "base", "mv", "str", "agl", "int", "def", "life")
    missing_keys = [key for key in needed_keys if not words.get(key, "").strip()]
    faults.lines += [f"Add what is still missing: {', '.join(missing_keys)}."] if missing_keys else []
    values: dict[str, Any] = {"name": name, "rank": words.get("rank", "lackey").casefold(), "points": 0}
    values["types"] = [part.casefold() for part in re.split(r"[,\s]+", words.get("type", "")) if part]
    values["size"] = [words.get("base", "").upper()]
    for key, field in NUMBERS.items():
        if words.get(key):
            values[field] = faults.tried(partial(_read_number, key, words[key]), 0)
    for key, field in RATINGS.items():
        if words.get(key):
            values[field] = words[key]
    if words.get("faction"):
        values["affiliations"] = [
            faults.tried(partial(_read_faction, faction), "") for faction in split_parts(words["faction"])
        ]
    arms: list[dict[str, Any]] = []
    values["features"] = _read_list(words, "features", _read_feature, faults)
    values["weapons"] = _read_list(words, "weapons", lambda text: _read_weapon(text, arms), faults)
    values["gear"] = _read_list(words, "gear", lambda text: load().gear.named(text).key, faults)
    values["powers"] = _read_list(words, "powers", _read_power, faults)
    values["arms"] = arms
    if "psionic" in values and not any(
        faction.partition(":")[0] == PSIONIC for faction in values["features"]
    ):
        values["features"].append(f"{PSIONIC}:1")
    if not faults.lines:
        return build_own(values)
    raise InvalidInput("\n".join(dict.fromkeys(faults.lines)))


def _read_list(words: Mapping[str, str], key: str, read: Callable[[str], str], faults: _Faults) -> list[str]:
    text = words.get(key, "").strip()
    parts = [] if text.casefold() in ("", "none") else split_parts(text)
    entries = [faults.tried(partial(read, part), "") for part in parts]
    return [entry for entry in entries if entry]


def _read_number(key: str, text: str) -> int:
    match = re.fullmatch(r"\+?(\d{1,4})(D(?:\+0)?)?", text.strip(), re.IGNORECASE)
    if match is None or (match[2] and key != "shield"):
        raise InvalidInput(f"{key} must be a number (you entered {text[:12]!r}).")
    return int(match[1])


def _read_faction(text: str) -> str:
    if text.casefold() in AFFILIATIONS:
        return text.casefold()
    return load().affiliations.named(text).key


def _read_feature(text: str) -> str:
    catalogue = load().features
    name, _, last_word = text.rpartition(" ")
    for key, level, choice in ((text, "", ""), (name, last_word, ""), (name, "", last_word.casefold())):
        if not key:
            continue
        try:
            feature = catalogue.named(key)
        except InvalidInput:
            continue
        if level and not (level.isdecimal() and len(level) <= MAX_DIGITS):
            continue
        return str(Trait(feature.key, int(level or int(len(feature.costs) > 1 and not choice)), choice))
    return catalogue.named(text).key


def _read_power(text: str) -> str:
    power_name = " ".join(text.casefold().replace("_", " ").split())
    for key in load().power_keys():
        if key.replace("_", " ") == power_name:
            return key
    raise InvalidInput(f"There is no power called {text[:30]!r}.")


def _read_weapon(text: str, arms: list[dict[str, Any]]) -> str:
    """The key of a weapon: of the charts by name, or its own, described in parentheses and put to `arms`."""
    match = re.fullmatch(r"([^()]+)\(([^()]*)\)", text)
    if match is None:
        return load().weapons.named(text).key
    name = " ".join(match[1].split())
    weapon = read_arm(name, split_parts(match[2]))
    arms += [weapon] if weapon not in arms else []
    return build_own_key(name)


# ------------------------------------------------------------------------------------------- writing


def list_own_words(custom: OwnStatblock) -> dict[str, str]:
    """Return the statblock as words by key, which `build_own_from_words` reads back to an equal one."""
    profile, library = custom.profile, load()
    arms = {arm.key: arm for arm in custom.arms}
    words = {
        "rank": profile.rank,
        "type": ", ".join(profile.types),
        "base": profile.size,
        **{key: str(getattr(profile, field)) for key, field in NUMBERS.items()},
        **{key: str(getattr(profile, field) or "").removesuffix("+0") for key, field in RATINGS.items()},
        "features": ", ".join(_format_trait(trait) for trait in profile.features),
        "weapons": ", ".join(
            format_arm(arms[key]) if key in arms else library.weapons[key].name for key in profile.weapons
        ),
        "gear": ", ".join(library.gear[key].name for key in profile.gear),
        "powers": ", ".join(key.replace("_", " ") for key in profile.powers),
        "faction": ", ".join(library.affiliations[key].name for key in profile.affiliations),
    }
    return {key: value for key, value in words.items() if value}


def _format_trait(trait: Trait) -> str:
    name = load().features[trait.key].name
    return " ".join(filter(None, (name, trait.choice, str(trait.level or ""))))


def write_own(custom: OwnStatblock) -> str:
    """Return the statblock as text that `read_own` reads back to an equal one."""
    return "\n".join(
        (custom.profile.name, *(f"{key}: {value}" for key, value in list_own_words(custom).items()))
    )
