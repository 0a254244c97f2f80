"""Names that people give: which are allowed, how one is found from typed text, and how it is shown.

Typed text must not ping, break formatting or fill a screen: it goes through `remove_invisible` and
`make_harmless` at the door (`bot.panels.typed`), and through `plain` if it comes from elsewhere.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TypeVar

from bot.lookalikes import look_of
from rules.refusals import InvalidInput, Missing

T = TypeVar("T")

MAX_NAME_LENGTH = 32
MAX_NOTE_LENGTH = 200

_AT_START = re.compile(r"(?:(?:#{1,3}|-#|[-+]) +)+")
"""What would make a heading or a list of the line that it begins."""

_PLAIN_MARKS = set(" -'.,!?&+()/#’")
_BLANK = frozenset("\u115f\u1160\u3164\uffa0")
"""Invisible letters of Unicode."""

_MARKS = dict.fromkeys("*~`|<>@[]\\{}")
_UNSAFE = str.maketrans(_MARKS | {"_": None})
_UNSAFE_BUT_KEYS = str.maketrans(_MARKS)

_UNDERLINES = re.compile(r"(?<![^\W_])_|_(?![^\W_])")
"""Every underline but single ones inside a word, which format nothing: names of conditions hold them."""

_FORMATS = re.compile(
    r"(?P<code>(?<!`)`[^`\n]+`(?!`)|<t:\d{1,12}:[FR]>)|"
    r"[*`\\]|~~+|\|\|+|(?<![^\W_])_|_(?![^\W_])|@(?=everyone|here)|<(?=a?:|[@#/]|t:|id:|https?:)|(?<=\])(?=\()"
)
"""Whatever Discord reads as formatting, a mention or a hidden link.

A moment and a code of one line stay as they are.
"""

_REPLACEMENTS = {"`": "'", "": " "}

_ACCENT = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]"
_STACKED_ACCENTS = re.compile(f"({_ACCENT}{{3}}){_ACCENT}+")
"""Accents heaped upon one letter, which cover the lines above and below."""


class Unknown(InvalidInput):
    """Nothing is called what was typed, or too much is."""


class Ambiguous(Unknown, Missing):
    """Several things may be meant: `sentence` names them."""


def check_name(text: str, noun: str = "name") -> str:
    """Return the name, spaces tidied. Raises InvalidInput where it is empty, too long or has odd letters."""
    name = _remove_marks(" ".join(unicodedata.normalize("NFC", text).split())).lstrip("# ")
    if not name:
        raise Missing(f"Enter at least one letter or digit for the {noun}.")
    if len(name) > MAX_NAME_LENGTH:
        raise InvalidInput(
            f"The {noun} can have at most {MAX_NAME_LENGTH} characters (you entered {len(name)})."
        )
    for letter in name:
        is_ok = letter.isalnum() or letter in _PLAIN_MARKS or unicodedata.category(letter) in ("Mn", "Mc")
        if not is_ok or letter in _BLANK:
            raise InvalidInput(f"Use only letters, digits, spaces and - ' . in the {noun}.")
    if not any(letter.isalnum() for letter in name):
        raise Missing(f"Enter at least one letter or digit for the {noun}.")
    return name


def check_words(words: Iterable[str]) -> None:
    """Refuse names of weapons, skills and the like in a typed profile that would format where they are shown.

    Raises InvalidInput.
    """
    for word in words:
        if word != plain(word, len(word)):
            shown_word = plain(word, MAX_NAME_LENGTH)
            where = f"the name {shown_word}" if shown_word else "names"
            raise InvalidInput(f"Use only letters, digits, spaces and - ' . / & + ( ) in {where}.")


def remove_invisible(text: str) -> str:
    """Return typed text without invisible characters: controls, changes of direction, characters without
    width, half letters.

    Line breaks stay. Long piles of accents on one letter are cut.
    """
    if text.isascii() and text.isprintable():
        return text
    letters = []
    for letter in text.replace("\r\n", "\n"):
        kind = unicodedata.category(letter)
        if kind in ("Zl", "Zp") or letter in "\n\r":
            letters.append("\n")
        elif kind in ("Cc", "Zs") or letter in _BLANK:
            letters.append(" ")
        elif kind[0] != "C":
            letters.append(letter)
    return _STACKED_ACCENTS.sub(r"\1", unicodedata.normalize("NFC", "".join(letters)))


def make_harmless(text: str) -> str:
    """Return typed text as one line that can neither ping nor format, wherever it is repeated."""
    if text.isalnum() and text.isascii():
        return text
    text_kept = _UNDERLINES.sub("", remove_invisible(text).translate(_UNSAFE_BUT_KEYS))
    return _remove_marks(" ".join(text_kept.split()))


def remove_formatting(sentence: str) -> str:
    """Return a sentence with typed text that neither formats nor pings; other signs stay."""
    if sentence.isascii() and sentence.isprintable() and not _FORMATS.search(sentence):
        return sentence
    plain_text = _FORMATS.sub(
        lambda match: match["code"] or _REPLACEMENTS.get(match[0], ""), remove_invisible(sentence)
    )
    return _remove_marks(plain_text)


def plain(text: str, longest: int = MAX_NOTE_LENGTH) -> str:
    """Return text from outside as one short line without marks that format or ping."""
    tidy = _remove_marks(" ".join(remove_invisible(text).translate(_UNSAFE).split()))
    return tidy if len(tidy) <= longest else tidy[: longest - 1] + "…"


def _remove_marks(line: str) -> str:
    begins = _AT_START.match(line)
    return line[begins.end() :] if begins else line


def find_free_name(name: str, taken_names: Iterable[str]) -> str:
    """Return the name wanted, with a number behind it if that name, or one that looks like it, is taken.

    A name that has a number gets the next.
    """
    used_looks = {look_of(name) for name in taken_names}
    if look_of(name) not in used_looks:
        return name
    numbered = _COUNTED.fullmatch(name)
    base, number = (numbered[1], int(numbered[2]) + 1) if numbered else (name, 2)
    base = base[: MAX_NAME_LENGTH - 4]
    while look_of(f"{base} {number}") in used_looks:
        number += 1
    return f"{base} {number}"


_NUMBER = re.compile(r" \d+$")
_COUNTED = re.compile(r"(.*\S) (\d\d?)", re.DOTALL)


@lru_cache(maxsize=4096)
def base_name(name: str) -> str:
    """Return a name without the number that `find_free_name` put behind it, in one form."""
    return _NUMBER.sub("", name).casefold()


class OutOfPlay(InvalidInput):
    """A model is meant that is out of play."""


class Unclear(Missing):
    """Several are meant by what was typed; choices: the label and the number of each.

    first: where several fields of an action hold the text, it is the first that is unclear, else the last.
    """

    def __init__(self, text: str, choices: Sequence[tuple[str, int]], *, first: bool) -> None:
        super().__init__(
            f"Which one do you mean? You can choose {format_names([label for label, _ in choices])}."
        )
        self.text = text
        self.choices = tuple(choices)
        self.first = first


def find_fitting(word: str, names: Sequence[str]) -> list[int]:
    """Return the places of the names that are meant: the whole name, else those that begin so or hold it."""
    return _fitting(word, [name.casefold() for name in names])


def _fitting(word: str, candidates: Sequence[str]) -> list[int]:
    if not word:
        return []
    return (
        [place for place, name in enumerate(candidates) if name == word]
        or [place for place, name in enumerate(candidates) if name.startswith(word)]
        or [place for place, name in enumerate(candidates) if word in name]
    )


def find(text: str, things: Sequence[T], name: Callable[[T], str], noun: str) -> T:
    """Return the thing that is meant: by its whole name, or else by the only name that begins with the text
    or contains it.

    An underscore counts as a space, in the text and in names. If several things are equal in every way, any
    of them is meant. Raises Unknown, an InvalidInput that names the nearest ones.
    """
    word = " ".join(text.replace("_", " ").split()).casefold()
    names = [_as_typed(name(thing)) for thing in things]
    matching_things = [things[place] for place in _fitting(word, names)]
    if matching_things and all(match == matching_things[0] for match in matching_things):
        return matching_things[0]
    if matching_things:
        raise Ambiguous(
            f"Which {noun} do you mean? "
            f"You can choose {format_names([name(match) for match in matching_things])}."
        )
    if things and not word:
        raise Ambiguous(
            f"Which {noun} do you mean? You can choose {format_names([name(thing) for thing in things])}."
        )
    nearest = _find_nearest(word, tuple(names))
    shown_text = plain(text, MAX_NAME_LENGTH)
    if nearest:
        nearest_names = dict.fromkeys(
            name(thing) for key, thing in zip(names, things, strict=True) if key in nearest
        )
        raise Unknown(
            f"There is no {noun} called {shown_text}. Did you mean {format_names([*nearest_names])}?"
        )
    if things:
        all_names = dict.fromkeys(map(name, things))
        raise Unknown(f"There is no {noun} called {shown_text}. You can choose {format_names([*all_names])}.")
    raise Unknown(f"There is no {noun} here yet.")


@lru_cache(maxsize=1024)
def _find_nearest(word: str, candidates: tuple[str, ...]) -> list[str]:
    return difflib.get_close_matches(word, candidates, n=3, cutoff=0.5)


@lru_cache(maxsize=4096)
def _as_typed(name: str) -> str:
    return name.replace("_", " ").casefold()


def suggest_names(text: str, names: Iterable[str], limit: int = 25) -> list[str]:
    """Return names that fit what has been typed so far, best first, so many at most."""
    return rank_names(text, names)[:limit]


def rank_names(text: str, names: Iterable[str]) -> list[str]:
    """Return the names that fit the typed text, best first; names that fit equally well keep their order."""
    typed = text.casefold().strip()
    ranked_names = []
    for name in names:
        lower_name = name.casefold()
        if lower_name.startswith(typed):
            ranked_names.append((0, name))
        elif any(word.startswith(typed) for word in lower_name.split()):
            ranked_names.append((1, name))
        elif typed in lower_name:
            ranked_names.append((2, name))
    return [name for _, name in sorted(ranked_names, key=lambda pair: pair[0])]


def format_names(names: Sequence[str], limit: int = 6) -> str:
    """Return the first few of these names, and how many more there are."""
    names_shown = ", ".join(name.replace("_", " ") for name in names[:limit])
    return f"{names_shown} and {len(names) - limit} more" if len(names) > limit else names_shown
