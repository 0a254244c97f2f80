"""Reads Discord's Markdown into values that templates draw: paragraphs, spans, rolls of dice, odds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby

from bot.local.words import clock_time

Named = Callable[[str, str], str]
"""`@` or `#` and an id -> the name."""

_FENCE = re.compile(r"```(?:\w*\n)?(.*?)```", re.DOTALL)
_INLINE = re.compile(
    r"`(?P<code>[^`\n]+)`"
    r"|\\(?P<plain>[!-/:-@\[-`{-~])"
    r"|<(?P<mark>@!?|@&|#)(?P<id>\d+)>"
    r"|<a?:(?P<emoji>\w+):\d+>"
    r"|<t:(?P<moment>\d{1,12})(?::\w)?>"
    r"|</(?P<command>[^:>]+):\d+>"
    r"|\*\*(?=\S)(?P<strong>.+?)(?<=\S)\*\*"
    r"|~~(?=\S)(?P<gone>.+?)(?<=\S)~~"
    r"|__(?=\S)(?P<under>.+?)(?<=\S)__"
    r"|(?<![\w*])(?P<star>[*_])(?=[^\s*_])(?P<soft>[^*_\n]+?)(?<=\S)(?P=star)(?![\w*])"
)
_EMOJI_DIE = re.compile(r"<a?:\w*?_(\d+)\w*:\d+>")
_DIE = re.compile(
    r"(?:(?P<before>[a-z]+) )?(?P<face>\d+)(?: -> (?P<to>-?\d+)| ?(?P<more>[+-]\d+)(?: = (?P<sum>-?\d+))?)?"
    r"(?: (?P<words>(?!points?\b)(?:critical )?[a-z]+))?(?: \((?P<note>[a-z]+\d*(?: \d+)?)\))?"
)
_FACES = re.compile(r"(?P<name>.+): (?P<dice>\*\*\d+\*\*(?:, \*\*\d+\*\*)*)(?: \((?P<total>[^()]+)\))?")
"""Dice that came to nothing each, and their total in words."""

_ADDED_UP = re.compile(r"(?P<name>)(?P<dice>\d+(?:, \d+)*) (?P<total>= -?\d+)")
"""Dice of an expression, and what they come to."""

_OUTCOMES = {
    "good": {"hit", "success", "saved", "passed", "wound", "critical", "critical success", "stops"},
    "bad": {"miss", "failed", "cancelled", "fumble", "fails"},
}
_ALONE = {"success", "miss", "saved", "cancelled"}
"""The results of dice in a roll without a name."""

_CHANCE = re.compile(r"(\S.*?)\s+(\d+(?:\.\d+)?|<\s?\d+)\s?%\s*#*\s*")
_HEAD = re.compile(r"(#{1,3}|-#) ")
_BULLET = re.compile(r"\s*[-*] ")
_ELEMENTS = (("strong", "b"), ("gone", "s"), ("under", "u"), ("soft", "i"))


@dataclass(frozen=True, slots=True)
class InlineSpan:
    """A stretch of a line. element: the HTML element around it, empty for none; inner: what it holds."""

    element: str
    text: str
    inner: tuple[InlineSpan, ...] = ()


@dataclass(frozen=True, slots=True)
class DrawnDie:
    """One die of a roll. face: as it fell; to: what it was changed to; outcome: good, bad or empty.

    words: what it came to. before: a word before it, for a die that is not like the others.
    """

    face: str
    to: str = ""
    words: str = ""
    outcome: str = ""
    before: str = ""


@dataclass(frozen=True, slots=True)
class Chance:
    """One line of odds. percent: as it is written."""

    label: str
    percent: str


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A paragraph or another block. kind: plain, head, small, bullet, code, roll or odds.

    code: a table as it is, or a roll in words.
    """

    kind: str
    spans: tuple[InlineSpan, ...] = ()
    code: str = ""
    dice: tuple[DrawnDie, ...] = ()
    chances: tuple[Chance, ...] = ()

    @property
    def facts(self) -> list[str]:
        """Return the parts of a line that tells several things, without their weight."""
        return "".join(map(_said, self.spans)).split(" · ")


def _said(span: InlineSpan) -> str:
    return span.text + "".join(map(_said, span.inner))


def blocks(text: str, name_of: Named) -> Iterator[TextBlock]:
    """Return a text's blocks: one paragraph for each line, code blocks as they are."""
    for index, piece in enumerate(_FENCE.split(text)):
        if index % 2:
            yield from _code(piece.strip("\n"))
        else:
            yield from (_line(line, name_of) for line in piece.split("\n") if line.strip())


def _code(text: str) -> Iterator[TextBlock]:
    """Return a table as it is, but odds as bars: a label, a share, and a bar of signs."""
    lines = text.split("\n")
    matches = [_CHANCE.fullmatch(line) for line in lines]
    if sum(match is not None for match in matches) < min(2, len(lines)):
        yield TextBlock("code", code=text)
        return
    for is_chance, group in groupby(zip(lines, matches, strict=True), lambda pair: pair[1] is not None):
        pairs = list(group)
        if is_chance:
            yield TextBlock(
                "odds", chances=tuple(Chance(match[1].strip(), match[2]) for _, match in pairs if match)
            )
        else:
            yield from (
                TextBlock("small", (InlineSpan("", line.strip()),)) for line, _ in pairs if line.strip()
            )


def _rolled(line: str) -> tuple[str, str, tuple[DrawnDie, ...]] | None:
    """Return a roll in words, its name and its dice; None for a line that is none."""
    unmarked = _EMOJI_DIE.sub(r"\1", line.replace("**", "")).strip()
    faces = _FACES.fullmatch(line.strip()) or _ADDED_UP.fullmatch(line.strip())
    if faces is not None:
        *dice, last = re.findall(r"\d+", faces["dice"])
        return unmarked, faces["name"], (*map(DrawnDie, dice), DrawnDie(last, words=faces["total"] or ""))
    name, colon, dice_text = unmarked.rstrip(",").rpartition(": ")
    matches = [_DIE.fullmatch(die_text) for die_text in re.split(r"[,;] ", dice_text)]
    thrown = [match for match in matches if match is not None]
    if len(thrown) < len(matches) or not any(die["words"] or die["note"] or die["sum"] for die in thrown):
        return None
    outcomes = _OUTCOMES["good"] | _OUTCOMES["bad"] if colon else _ALONE
    weighed = colon and unmarked != line.strip()
    if not weighed and not all(die["words"] in outcomes or die["note"] for die in thrown):
        return None
    return unmarked, name, tuple(map(_die, thrown))


def _die(match: re.Match[str]) -> DrawnDie:
    words = match["words"] or ""
    natural = {"natural 1": "bad", "natural 10": "good"}.get(match["note"] or "", "")
    outcome = next((kind for kind, known in _OUTCOMES.items() if words in known), "" if words else natural)
    extra = f"{match['more']} = {match['sum']}" if match["sum"] else match["more"] or ""
    note = f"({match['note']})" if words and match["note"] else match["note"] or ""
    label = " ".join(part for part in (extra, words, note) if part)
    return DrawnDie(match["face"], match["to"] or "", label, outcome, match["before"] or "")


def _line(line: str, name_of: Named) -> TextBlock:
    head, bullet = _HEAD.match(line), _BULLET.match(line)
    if head:
        return TextBlock("small" if head[1] == "-#" else "head", tuple(spans(line[head.end() :], name_of)))
    rolled = _rolled(line)
    if rolled is not None:
        outcome, name, dice = rolled
        return TextBlock("roll", (InlineSpan("", name),), outcome, dice)
    if bullet:
        return TextBlock("bullet", tuple(spans(line[bullet.end() :], name_of)))
    return TextBlock("plain", tuple(spans(line, name_of)))


def spans(text: str, name_of: Named) -> Iterator[InlineSpan]:
    """Return the spans of one line."""
    start = 0
    for match in _INLINE.finditer(text):
        if match.start() > start:
            yield InlineSpan("", text[start : match.start()])
        yield _marked(match, name_of)
        start = match.end()
    if start < len(text):
        yield InlineSpan("", text[start:])


def _marked(match: re.Match[str], name_of: Named) -> InlineSpan:
    if match["code"]:
        return InlineSpan("code", match["code"])
    if match["plain"]:
        return InlineSpan("", match["plain"])
    if match["emoji"]:
        return InlineSpan("", match["emoji"].rpartition("_")[2])
    if match["moment"]:
        return InlineSpan("", clock_time(int(match["moment"])))
    if match["id"]:
        return InlineSpan("b", name_of(match["mark"][0], match["id"]))
    if match["command"]:
        return InlineSpan("code", f"/{match['command']}")
    name, element = next(group_name for group_name in _ELEMENTS if match[group_name[0]])
    return InlineSpan(element, "", tuple(spans(match[name], name_of)))
