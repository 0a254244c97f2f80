"""Lists as people write them: a model a line, with counts, points and equipment in any order."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

from bot.lists.entries import MAX_COUNT, ListEntry, ReadList, require_few_entries, unescaped
from bot.lists.names import LEADER, is_leader
from bot.lists.tables import FACTIONS, HEADS, TITLES, number_in, pieces
from rules.refusals import InvalidInput

MAX_LINES = 1_000
MAX_LINE = 1_000
"""Characters of a line."""

MAX_LEVELS = 6
"""How deep lines stand below one another; deeper ones stand beside each other."""

CODE = "This is a link or code that only its own app can read. Paste the list as text."

MAX_PROSE_WORDS = 7
"""Words of a line without counts, points or bullets that may still be a model."""

_UNIT = r"(?:(?:pts?|points?|p|pkt|punkte|credits?|cr|gc)\b\.?|¢)"
_BULLET = re.compile(r"^(?:[-*+•·‣◦▪▫►▶●○–—→>]+\s+|\d{1,2}[.)]\s+|[a-z][.)]\s+|\[[ xX]\]\s*|[☐☑✓✔]\s*)+")
_MARKS = re.compile(r"\*\*|__|~~|\|\||`+|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)")
_SEPARATOR = re.compile(r"[\W_]*")
_NOISE = re.compile(
    r"https?://\S+|(?:created|generated|made|exported|built)\s+(?:with|by|in|using|on)\b.*|sent from .*|"
    r"(?:battlescribe|new ?recruit|army ?builder)\b.*|(?:open|view|edit) in .*|exported with .*|"
    r".+ at \d\d?:\d\d|on\b.+ wrote:?|(?:other )?datasheets|"
    r"(?:combat patrol|incursion|strike force|onslaught)\b.*|"
    r"characters|battleline|dedicated transports?|allied units|heroes|lackeys|units|models",
    re.I,
)
"""Lines of list builders and chats that are no models."""

_SAID = re.compile(
    r"(?:(\w+): +)?(?:\[(?:[\d./-]+,? )?\d\d?:\d\d[^\]]{0,6}\]|\d\d?:\d\d(?: ?[ap]m)? -) *(?:(\w+): +)?", re.I
)
"""The speaker and the time before a line of a chat."""

_ABOUT_ARMY = re.compile(r"\+\s+([A-Z][A-Z ]+):\s*(.+)")
_PLACED = re.compile(r"char\d+:\s*", re.I)
_CARRIED = re.compile(r"\d{1,2}\s+with\s+(.+)", re.I)
_KEYED = re.compile(r"([a-z][a-z -]{2,24})\s*:\s+(\S.*)", re.I)
_TOTALS = frozenset(("points", "pts", "total", "rating", "cost"))
_KINDS = frozenset(("type", "model", "profile", "unit", "class"))
_SECTIONS = re.compile(
    r"command|hq|heroes|lackeys|leaders?|characters?|troops|troopers|units|models|members|fighters|support|others|"
    r"crew|force|army|detachment|roster",
    re.I,
)
"""Headings of a list's parts, which name no crew."""

_HEAD_WORDS = frozenset(word for words in HEADS.values() for word in words)
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMBER_WORD = re.compile(rf"^({'|'.join(_NUMBERS)})\s+(?=[^\W\d])", re.I)
_REMARK = re.compile(r"\s+(?://+|#+|<--?)\s+(.+)$")
_BRACKETS = re.compile(r"\([^()]*\)")
_ATTACHED = re.compile(r"(?<=\w)\(([^()]*)\)")
_LIMITED = re.compile(rf"[\[(]\s*(\d{{1,5}})\s*(?:/|of)\s*\d{{2,5}}\s*(?:{_UNIT})?\s*[\])]", re.I)
_TOTAL = re.compile(
    rf"(?:grand |army |crew |list )?(?:total|sum|points|pts|cost)s?\b\s*[:=-]?\s*(\d{{1,5}})\s*(?:{_UNIT})?"
    rf"(?:\s*(?:/|of)\s*\d+\s*(?:{_UNIT})?)?"
    rf"|(\d{{1,5}})\s*(?:/|of)\s*\d{{1,5}}\s*(?:{_UNIT})?"
    rf"|(?:\d+(?:[.,]\d+)?\s*swc\s*[|/]\s*)?(\d{{2,5}})\s*(?:{_UNIT})?",
    re.I,
)
_ABOUT = re.compile(r"(notes?|statblock)\s*:\s*(.+)", re.I)
_GROUP = re.compile(r"(?:combat\s+)?group\s*:?\s*(\d{1,2})\b.*", re.I)
_ARMY_COST = re.compile(
    r"[\[(]\s*(\d(?:[.,]\d+)?)\s*(?:swc)?\s*[|/]\s*(\d{1,4})\s*(?:pts?|points?)?\s*[\])]\s*$", re.I
)
_SWC = re.compile(r"\d+(?:[.,]\d+)?\s*swc\b", re.I)
_CALLED = re.compile(r"[\"“”„«»]([^\"“”„«»]{1,80})[\"“”„«»]|(?<!\w)‘([^‘’]{1,40})’")
_LEADER = (
    re.compile(rf"[\[(]\s*(?:{LEADER}|L)\s*[\])]|[★⭐👑♛]", re.I),
    re.compile(rf"^{LEADER}\s*(?:[:=]\s*|[-–—]\s+(?=[^\W\d]))", re.I),
    re.compile(rf"\s+[-–—,/]\s*{LEADER}\s*$|\s*,\s*{LEADER}\s*(?=[-–—(\[@])|\s+lead$", re.I),
)
_COUNT = (
    re.compile(r"^(\d{1,2})\s*[x×X*]\s*(?=\D)"),
    re.compile(r"^[x×X]\s*(\d{1,2})\s+"),
    re.compile(r"^(\d{1,2})\s+(?=[^\W\d])"),
    re.compile(r"\s*[\[(]\s*(?:[x×X]\s*(\d{1,2})|(\d{1,2})\s*[x×X])\s*[\])]"),
    re.compile(r"\s+(?:[x×]\s*(\d{1,2})|(\d{1,2})\s*[x×])(?=\s|$|[,;:])", re.I),
)
_POINTS = (
    re.compile(
        rf"[\[({{]\s*(\d{{1,5}})\s*(?:{_UNIT})?\s*(?:each|ea\.?)?\s*(?:=\s*\d+\s*(?:{_UNIT})?\s*)?[\])}}]",
        re.I,
    ),
    re.compile(rf"(?:^|[\s,;:=@–—-])(\d{{1,5}})\s*{_UNIT}(?:\s*(?:each|ea\.?))?", re.I),
    re.compile(
        r"(?:\s*@\s*|\s+[-–—=:|]+\s*|\t+\s*|\s*\.{2,}\s*|\s{2,}|:\s*)(\d{1,5})\s*(?:each|ea\.?)?\s*$", re.I
    ),
)
_POINTS_FIRST = re.compile(rf"(\d{{1,5}})\s*{_UNIT}\s*[-–—:]?\s*(?=\S)", re.I)
_WITH = re.compile(r"\s+(?:w/|with|armed with|carrying|wielding|equipped with)\s*", re.I)
_LIEUTENANT = re.compile(r"(?<=\w )(?:lieutenant|lt)(?: L\d)?(?= )", re.I)
_SEGMENT = re.compile(r"\s+(?:[-–—|]+|[-=]+>|→)\s+|\t+|\s*:\s+|\s*;\s*|\s+\+\s+")
_FIGURE = re.compile(
    r"(?:^|[\s,;/(])[A-Za-z][A-Za-z.]{0,10}\s*[:=]?\s*[+-]?\d+(?:[-–/]\d+)?(?:D\b)?(?:\s*\+\s*\d+)?[\"+]?",
    re.I,
)
_CAPITALS = re.compile(r"((?:[^\Wa-z\d_][^\Wa-z_'’.-]*['’.:\d-]*[^\Wa-z_]*\s+){1,5})(?=[^\W\d_][a-z]|\()")


@dataclass(slots=True)
class _LineReading:
    title: str = ""
    points: int | None = None
    faction: str = ""
    leader: str = ""
    group: str = ""
    is_army: bool = False
    is_brief: bool = False
    is_keyed: bool = False
    entries: list[ListEntry] = field(default_factory=list)
    indents: list[int] = field(default_factory=list)
    levels: list[int] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)


def read_lines(text: str) -> ReadList:
    """Read a list of lines. Raises InvalidInput for what is none, or too long."""
    lines = text.split("\n")
    if len(lines) > MAX_LINES:
        raise InvalidInput(f"Shorten the list. It can have at most {MAX_LINES} lines (it has {len(lines)}).")
    if any(len(line) > MAX_LINE for line in lines):
        raise InvalidInput(f"Shorten the lines. A line can have at most {MAX_LINE} characters.")
    if len(text.split()) == 1 and len(text.strip()) > 20:
        raise InvalidInput(CODE)
    lines = _in_rows(_spoken(lines))
    reading = _LineReading(is_army=any(_ARMY_COST.search(line) or _SWC.search(line) for line in lines))
    reading.is_brief = sum(bool(line.strip()) for line in lines) <= 2
    for block in _paragraphs(lines):
        _read_block(block, reading)
    if reading.is_army:
        reading.unread.append("SWC")
    require_few_entries(len(reading.entries))
    _take_trailing_points(reading)
    _take_title(reading)
    return ReadList(
        "infinity" if reading.is_army else "text",
        reading.title,
        points=reading.points,
        faction=reading.faction,
        entries=tuple(
            replace(entry, leader=True) if reading.leader and entry.name == reading.leader else entry
            for entry in reading.entries
        ),
        unread=tuple(reading.unread),
    )


def _spoken(lines: list[str]) -> list[str]:
    """Return the lines of a chat without speakers and times, and other lines as they are."""
    matches = [match for match in map(_SAID.match, lines) if match]
    speakers = {match[1] or match[2] for match in matches} - {None}
    return (
        [re.sub(rf"^({'|'.join(speakers)}): +", "", _SAID.sub("", line)) for line in lines]
        if speakers
        else lines
    )


def _in_rows(lines: list[str]) -> list[str]:
    """Return the lines with a row of names and the row of figures below it as one line of figures."""
    rows: list[str] = []
    for line in lines:
        names, figures = rows[-1].split() if rows else [], line.split()
        is_head = len(names) > 3 and all(re.fullmatch(r"[A-Za-z]{1,5}", name) for name in names)
        if is_head and len(figures) == len(names) and all(re.match(r"[+-]?\d", figure) for figure in figures):
            rows[-1] = ", ".join(f"{name} {figure}" for name, figure in zip(names, figures, strict=True))
        else:
            rows.append(line)
    return rows


def _paragraphs(lines: list[str]) -> list[list[str]]:
    paragraphs: list[list[str]] = [[]]
    for line in lines:
        if line.strip().startswith("```"):
            continue
        if line.strip():
            paragraphs[-1].append(line)
        elif paragraphs[-1]:
            paragraphs.append([])
    return [block for block in paragraphs if block]


def _read_block(block: list[str], reading: _LineReading) -> None:
    """A paragraph: statblocks of several lines, each below its name, or a model a line."""
    starts = [place for place in range(len(block) - 1) if _begins_statblock(block, place)]
    for line in block[: starts[0]] if starts else block:
        _read_line(line, reading)
    for start, end in pairwise([*starts, len(block)]):
        head = read_entry(_parse_line(block[start])[1])
        brackets = _BRACKETS.search(block[start])
        following = [line.strip().replace(" / ", ", ") for line in block[start + 1 : end]]
        figures = "\n".join([*([brackets[0][1:-1]] if brackets and "," in brackets[0] else []), *following])
        if head is not None:
            reading.entries.append(replace(head, figures=figures, group=reading.group))
            reading.indents.append(0)


def _begins_statblock(block: list[str], place: int) -> bool:
    """Whether a line is the name above a statblock: figures follow, which are no model of their own."""
    line, follows = block[place], [_parse_line(next_line)[1] for next_line in block[place + 1 : place + 3]]
    if (
        _is_figures(line)
        or {",", ":"} & set(_BRACKETS.sub("", line))
        or any(_ABOUT.match(follow) for follow in follows)
    ):
        return False
    figures = next(
        (follow for follow in follows[: 1 if _is_figures(follows[0]) else 2] if _is_figures(follow)), ""
    )
    is_model = _COUNT[0].match(figures) or (":" not in figures and len(_SEGMENT.split(figures)) > 1)
    return bool(figures) and not is_model and not (len(follows) > 1 and _begins_statblock(block, place + 1))


def _is_figures(text: str) -> bool:
    return len(_FIGURE.findall(text)) >= 3


def _parse_line(line: str) -> tuple[int, str, bool, bool]:
    """The indent of a line, its text without bullet and emphasis, whether it had a bullet, is a heading."""
    line = line.replace("\t", "    ") if line[: len(line) - len(line.lstrip())].count("\t") else line
    indent = len(line) - len(line.lstrip(" "))
    text = line.strip()
    heading = bool(re.match(r"#{1,6}\s|\+{1,3}\s.*\s\+{1,3}$|={2,}.*={2,}$", text))
    text = re.sub(r"^#{1,6}\s+", "", text)
    text = _MARKS.sub("", text) if not text.startswith("* ") else "* " + _MARKS.sub("", text[2:])
    bullet = _BULLET.match(text)
    text = text[bullet.end() :] if bullet else text
    text = re.sub(r"^[+=]{1,3}\s+(.*?)\s*[+=]{1,3}$", r"\1", text)
    return indent, text.strip(), bool(bullet), heading


def _read_line(line: str, reading: _LineReading) -> None:
    match = _ABOUT_ARMY.fullmatch(line.strip())
    if match:
        _take_about(match[1], match[2], reading)
        return
    indent, text, bullet, heading = _parse_line(_PLACED.sub("", line, count=1))
    if not text or _SEPARATOR.fullmatch(text):
        return
    is_struck = line.strip(" \t-*•>").startswith("~~") and line.rstrip().endswith("~~")
    if is_struck or re.match(r"[\W_]{0,9}0\s*[x×]\s", line, re.I):
        reading.unread.append(text)
        return
    carried = _CARRIED.fullmatch(text)
    if carried and reading.entries:
        last = reading.entries[-1]
        reading.entries[-1] = replace(last, equipment=(*last.equipment, *pieces(carried[1])))
        return
    if _NOISE.fullmatch(text):
        reading.unread.append(text)
        return
    keyed = _KEYED.fullmatch(text)
    if keyed and _take_keyed(keyed[1].casefold(), keyed[2], reading):
        return
    total = _TOTAL.fullmatch(text.strip("= "))
    if total:
        reading.points = int(next(filter(None, total.groups())))
        return
    remark = _ABOUT.fullmatch(text) if reading.entries else None
    if remark:
        last = reading.entries[-1]
        is_note = remark[1].lower().startswith("note")
        changes = {"note": remark[2]} if is_note else {"figures": unescaped(remark[2])}
        reading.entries[-1] = replace(last, **changes)
        return
    group = _GROUP.fullmatch(text)
    if group:
        reading.group = f"Group {group[1]}"
        return
    if heading or text.endswith(":") or (text.startswith("[") and text.endswith("]")):
        _take_heading(text.strip("[]: "), reading)
        return
    if "|" in text and not (reading.entries or reading.title) and not _ARMY_COST.search(text):
        parts = [part.strip() for part in text.split("|")]
        if any(re.search(rf"\d\s*{_UNIT}", part, re.I) for part in parts[1:]):
            _take_heading(" | ".join(parts), reading)
            return
    items = [part.strip() for part in re.split(r",| and " if reading.is_brief else ",", text)]
    counts = (_COUNT[0], _COUNT[2]) if reading.is_brief else _COUNT[:1]
    if any(count.match(part) for part in items[1:] for count in counts) and not _is_figures(text):
        for part in items:
            _read_line(part, reading)
        return
    is_prose = (
        len(_CALLED.sub("", text).split()) > MAX_PROSE_WORDS
        and not bullet
        and not re.search(r"\d|[-–—:;,]\s|\bw/", text)
    )
    is_said = bool(re.search(r"[!?](\s|$)", text)) and len(text.split()) > 2 and not bullet
    entry = None if is_prose or is_said else read_entry(text, army=reading.is_army)
    words = {word.casefold() for word in (entry.name, *entry.equipment)} if entry else set()
    if entry is None or (len(words) > 1 and words <= _HEAD_WORDS):
        reading.unread.append(text)
        return
    if (
        _SECTIONS.fullmatch(entry.name)
        and not (entry.equipment or is_leader(entry.name))
        and entry.count == 1
    ):
        _take_heading(text, reading)
        return
    last_place = len(reading.entries) - 1
    if last_place >= 0 and not reading.is_army and _is_below(indent, bullet, last_place, reading):
        reading.levels = [level for level in reading.levels if level < indent][:MAX_LEVELS]
        reading.entries[last_place] = _put_below(reading.entries[last_place], entry, len(reading.levels))
        reading.levels.append(indent)
        return
    _take_entry(entry, reading, indent if bullet else indent - 1)


def _take_entry(entry: ListEntry, reading: _LineReading, indent: int) -> None:
    reading.entries.append(replace(entry, group=reading.group))
    reading.indents.append(indent)
    reading.levels, reading.is_keyed = [], False


def _put_below(parent: ListEntry, entry: ListEntry, depth: int) -> ListEntry:
    """Return an entry with another one so deep below it."""
    if depth and parent.parts:
        return replace(parent, parts=(*parent.parts[:-1], _put_below(parent.parts[-1], entry, depth - 1)))
    return replace(parent, parts=(*parent.parts, entry))


def _take_keyed(key: str, value: str, reading: _LineReading) -> bool:
    """Note what stands behind a word and a colon; return whether the word was known."""
    last = reading.entries[-1] if reading.entries else None
    column = next((head for head, words in HEADS.items() if key in words), "")
    number = re.match(rf"[x×]?\s*(\d{{1,5}})\s*(?:{_UNIT})?$", value, re.I)
    if last is not None and reading.is_keyed and key in _KINDS:
        told: dict[str, Any] = {"leader": True} if is_leader(value) else {"name": value, "called": last.name}
        reading.entries[-1] = replace(last, **told)
    elif last is not None and reading.is_keyed and number and column == "points":
        reading.entries[-1] = replace(last, points=int(number[1]))
    elif last is not None and reading.is_keyed and number and column == "count":
        reading.entries[-1] = replace(last, count=min(max(int(number[1]), 1), MAX_COUNT))
    elif last is not None and (column == "equipment" or key == "selections"):
        reading.entries[-1] = replace(last, equipment=(*last.equipment, *pieces(value)))
    elif not reading.entries and key in TITLES and key != "name":
        _take_heading(value, reading)
    elif key in FACTIONS:
        reading.faction = value
    elif number and key.split()[-1] in _TOTALS:
        reading.points = int(number[1])
    elif _SECTIONS.fullmatch(key) and not is_leader(key):
        for part in value.split(","):
            _read_line(part, reading)
    elif key == "name":
        entry = read_entry(value)
        if entry is not None:
            _take_entry(entry, reading, 0)
            reading.is_keyed = True
    elif reading.is_keyed:
        reading.unread.append(f"{key} ({value})")
    else:
        return False
    return True


def _take_about(key: str, text: str, reading: _LineReading) -> None:
    """Note a line above the models of New Recruit's text."""
    number = re.search(r"\d+", text)
    if "POINTS" in key and number:
        reading.points = int(number[0])
    elif "FACTION" in key:
        reading.faction = text
    elif "WARLORD" in key:
        reading.leader = _PLACED.sub("", text)
    else:
        reading.unread.append(f"{key}: {text}")


def _is_below(indent: int, bullet: bool, parent_indent: int, reading: _LineReading) -> bool:
    """Whether a line belongs to the entry above: it is set in, or has a bullet where that one has none."""
    deeper = indent - reading.indents[parent_indent]
    return deeper > (0 if bullet else 2)


def _take_heading(text: str, reading: _LineReading) -> None:
    points = next((match for match in (pattern.search(text) for pattern in _POINTS[:2]) if match), None)
    name = text[: points.start()] if points else text
    is_part = _SECTIONS.fullmatch(name.strip()) and name.strip().casefold() not in TITLES
    if points is not None and reading.points is None and not (reading.entries or is_part):
        reading.points = int(points[1])
    name = _SWC.sub("", name).split("|")[0].strip(" -–—:,([|")
    if not reading.title and not reading.entries and not _SECTIONS.fullmatch(name):
        reading.title = name if len(name.split()) <= 5 else ""
        if not reading.title and name:
            reading.unread.append(text)
    else:
        reading.group = name


@lru_cache(maxsize=1024)
def read_entry(text: str, *, army: bool = False) -> ListEntry | None:
    """Read one model of a list: its name, and all that is written around it; None where no name is left."""
    written, points, count, leader, own_name = text, None, 1, False, ""
    remark = _REMARK.search(text)
    text = text[: remark.start()] if remark else text
    text = _NUMBER_WORD.sub(lambda match: f"{_NUMBERS.index(match[1].lower()) + 1}x ", text, count=1)
    text = text if army else _LIMITED.sub(r"(\1)", text, count=1)
    text = re.sub(r"^\((\d{1,2})\)\s+(?=[^\W\d])", r"\1x ", text)
    text = re.sub(r"\s[\[(](\d)[\])](?=\s+\d{1,5}\s*$)", r" x\1", text)
    if army and _LIEUTENANT.search(text):
        leader, text = True, _LIEUTENANT.sub(" ", text)
    cost = _ARMY_COST.search(text) if army else None
    if cost:
        points, text = int(cost[2]), text[: cost.start()]
    quoted = _CALLED.search(text)
    if quoted:
        own_name, text = (quoted[1] or quoted[2]).strip(), _CALLED.sub(" ", text, count=1).replace("( )", " ")
    for pattern in _LEADER:
        text, times = pattern.subn(" ", text.strip())
        leader = leader or bool(times)
    first = _POINTS_FIRST.match(text.strip())
    if first:
        points, text = int(first[1]), text.strip()[first.end() :]
    for pattern in _COUNT:
        match = pattern.search(text.strip())
        before = len(re.findall(r"[,;]", text.strip()[: match.start()])) if match else 0
        if match and before < (2 if pattern is _COUNT[3] else 1):
            count = min(max(int(next(filter(None, match.groups()))), 1), MAX_COUNT)
            text = text.strip()[: match.start()] + " " + text.strip()[match.end() :]
            break
    text = text.strip(" ,;")
    if not _is_figures(text):
        for pattern in _POINTS if points is None else ():
            match = pattern.search(text)
            if match:
                points, text = int(match[1]), text[: match.start()] + " " + text[match.end() :]
                break
    equipment: list[str] = []
    text = _ATTACHED.sub(lambda match: "" if match[1] == "s" else f" {match[1]}", text) if army else text
    for _ in range(2):  # brackets within brackets
        for bracketed in re.findall(r"[\[(]([^()\[\]]*)[\])]", text):
            equipment += pieces(bracketed)
        text = re.sub(r"[\[(][^()\[\]]*[\])]", " " if not army else " ; ", text)
    head, *carried = _WITH.split(text.strip(), maxsplit=1)
    segments = [part.strip(" ,;.-–—=@:|") for part in _SEGMENT.split(head)]
    name, *others = [segment for segment in segments if segment] or [""]
    if army:
        capitals = _CAPITALS.match(f"{name} ")
        if capitals and capitals.end() < len(name):
            name, name_rest = capitals[1].strip(), name[capitals.end() :]
            others.insert(0, name_rest)
    if _is_figures(name):
        return None
    name, comma, after = name.partition(",")
    others = [after, *others] if comma else others
    figure_texts = [item for item in others if _is_figures(item)][:1] or [
        item for item in others if _FIGURE.search(item)
    ]
    figures = ", ".join(figure_texts) if _is_figures(", ".join(figure_texts)) else ""
    for other in (*others, *carried):
        if not (figures and other in figure_texts):
            equipment += pieces(other)
    number_of = {item: number_in(item) for item in equipment if number_in(item) is not None}
    for item, number in number_of.items():
        is_count = "x" in item.casefold() or "×" in item
        if is_count and count == 1:
            count = min(max(number or 1, 1), MAX_COUNT)
        elif not is_count:
            points = (points or 0) + (number or 0)  # equipment may have its cost beside it
        else:
            continue
        equipment.remove(item)
    name = " ".join(name.split())[:80]
    if not re.search(r"[^\W_]", name):
        return None
    return ListEntry(
        name,
        count,
        points,
        tuple(dict.fromkeys(item for item in equipment if item != name)),
        own_name,
        leader,
        note=remark[1].strip() if remark else "",
        figures=figures,
        written=written if figures else written[:200],
    )


def _take_trailing_points(reading: _LineReading) -> None:
    """A number at the end of a name is its points where most other lines have points."""
    with_points = sum(entry.points is not None for entry in reading.entries)
    for place, entry in enumerate(reading.entries):
        number = re.fullmatch(r"(.*\D) (\d{1,4})", entry.name)
        if (
            entry.points is None
            and number
            and int(number[2]) >= 5
            and 2 * with_points >= len(reading.entries) - 1 > 0
        ):
            reading.entries[place] = replace(entry, name=number[1].strip(), points=int(number[2]))


def _take_title(reading: _LineReading) -> None:
    """The first line is the title where it alone has neither a count nor points, or has the sum of all."""
    if reading.title or len(reading.entries) < 2:
        return
    first, *others = reading.entries
    costs = [entry.points or 0 for entry in others]
    has_details = first.parts or first.equipment or first.called or first.figures or first.leader
    is_sum = (
        not has_details
        and first.count == 1
        and first.points is not None
        and first.points >= max(sum(costs), 20)
    )
    if is_sum:
        reading.title, reading.points = first.name, reading.points or first.points
        del reading.entries[0], reading.indents[0]
