"""Where everything of a sheet goes on the paper: marks in millimetres, page by page.

Cards stand in two columns, each where there is most room. Owns sizes and places; `paint` draws them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal

from bot.replies.pillow import ImageFont
from bot.replies.sheets.sheet import Card, Sheet

FONTS = Path(__file__).parent / "fonts"
PLAIN, BOLD = FONTS / "DejaVuSansCondensed.ttf", FONTS / "DejaVuSansCondensed-Bold.ttf"

Paper = Literal["A4", "Letter"]
PAPERS: dict[str, tuple[float, float]] = {"A4": (210.0, 297.0), "Letter": (215.9, 279.4)}
"""Width and height in millimetres."""

MARGIN, GUTTER, GAP, PAD = 10.0, 5.0, 3.0, 1.8
TITLE, NAME, TEXT, SMALL = 15.0, 10.0, 8.0, 6.5
"""Heights of letters in points."""
POINT = 25.4 / 72
TICK = 3.4
COLUMNS = 2
MOST_BOXES = 24
"""Boxes of one kind that are drawn; of more only their number is told."""


@dataclass(frozen=True, slots=True)
class TextAt:
    """Words with the left end of their base line."""

    x: float
    y: float
    words: str
    size: float = TEXT
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Frame:
    """A rectangle: its outline, or filled with a light grey."""

    x: float
    y: float
    wide: float
    high: float
    fill: bool = False
    line: float = 0.25


Mark = TextAt | Frame


@dataclass(slots=True)
class Block:
    """Marks with the height that they take, placed from 0."""

    high: float = 0.0
    marks: list[Mark] = field(default_factory=list)

    def at(self, x: float, y: float) -> list[Mark]:
        """The marks moved."""
        return [replace(mark, x=mark.x + x, y=mark.y + y) for mark in self.marks]


@cache
def _font(bold: bool) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(BOLD if bold else PLAIN), 200)


@lru_cache(maxsize=8192)
def width(words: str, size: float = TEXT, bold: bool = False) -> float:
    """How wide words are, in millimetres."""
    return _font(bold).getlength(words) / 200 * size * POINT


def folded(words: str, wide: float, size: float = TEXT, bold: bool = False) -> list[str]:
    """Words broken where a column ends; a word that is wider than it is cut."""
    lines: list[str] = []
    now = ""
    for word in words.split():
        while width(word, size, bold) > wide and len(word) > 1:
            cut = max(1, int(len(word) * wide / width(word, size, bold)) - 1)
            lines, now, word = [*lines, *([now] if now else []), word[:cut]], "", word[cut:]
        longer = f"{now} {word}" if now else word
        if now and width(longer, size, bold) > wide:
            lines.append(now)
            longer = word
        now = longer
    return [*lines, now] if now else lines


def lay_out(sheet: Sheet, paper: str) -> list[list[Mark]]:
    """The pages of a sheet. paper: one of `PAPERS`."""
    across, down = PAPERS[paper]
    wide = (across - 2 * MARGIN - (COLUMNS - 1) * GUTTER) / COLUMNS
    head = _heading(sheet, across - 2 * MARGIN)
    blocks = [_card(card, sheet.head, wide) for card in sheet.cards]
    blocks += _quick(sheet.quick, wide)
    pages = [head.at(MARGIN, MARGIN)]
    top = MARGIN + head.high
    used = [top] * COLUMNS
    for block in blocks:
        column = min(range(COLUMNS), key=lambda one: used[one])
        if used[column] + block.high > down - MARGIN and max(used) > top:
            pages.append([])
            top, column = MARGIN, 0
            used = [top] * COLUMNS
        pages[-1] += block.at(MARGIN + column * (wide + GUTTER), used[column])
        used[column] += block.high + GAP
    return [
        [*page, *_foot(sheet.title, number, len(pages), across, down)] for number, page in enumerate(pages, 1)
    ]


def _foot(title: str, number: int, pages: int, across: float, down: float) -> list[Mark]:
    words = f"{title}, page {number} of {pages}"
    return [TextAt(across - MARGIN - width(words, SMALL), down - MARGIN / 2, words, SMALL)]


def _heading(sheet: Sheet, wide: float) -> Block:
    block = Block(5.6, [TextAt(0, 4.6, sheet.title, TITLE, bold=True)])
    for line in sheet.heading:
        for part in folded(line, wide):
            block.high += 3.6
            block.marks.append(TextAt(0, block.high, part))
    block.high += 2.6
    return block


# ------------------------------------------------------------------------------------ a card


def _card(card: Card, head: Sequence[str], wide: float) -> Block:
    """Name, kind, figures, what became of it, weapons, the rest, boxes; in a frame."""
    inner = wide - 2 * PAD
    block = Block(PAD)
    points = str(card.points) if card.points else ""
    names = folded(card.title, inner - width(points, NAME, True) - 2, NAME, True)
    for place, part in enumerate(names):
        block.high += 4.0
        block.marks.append(TextAt(PAD, block.high - 0.8, part, NAME, bold=True))
        if not place:
            right = wide - PAD - width(points, NAME, True)
            block.marks.append(TextAt(right, block.high - 0.8, points, NAME, bold=True))
    _lines(block, "", card.kind, inner, SMALL)
    _figures(block, card.figures, inner)
    if card.marks:
        _lines(block, "Now", ", ".join(card.marks), inner)
    _weapons(block, card.weapons, head, inner)
    for name, words in card.lines:
        _lines(block, name, words, inner)
    _boxes(block, card.boxes, inner)
    block.high += PAD
    block.marks.append(Frame(0, 0, wide, block.high, line=0.4 if card.leader else 0.25))
    return block


def _lines(block: Block, name: str, words: str, wide: float, size: float = TEXT) -> None:
    """A word in bold and what stands under it, broken where the card ends."""
    if not words:
        return
    high = size * POINT * 1.22
    indent = width(f"{name} ", size, True) if name else 0.0
    first = True
    for part in folded(words, wide - indent, size):
        block.high += high
        if first and name:
            block.marks.append(TextAt(PAD, block.high - 0.6, name, size, bold=True))
        block.marks.append(TextAt(PAD + indent, block.high - 0.6, part, size))
        first = False


def _figures(block: Block, figures: Sequence[tuple[str, str]], wide: float) -> None:
    """A row of small boxes: what each is called, and below it in bold what it is."""
    rows: list[list[tuple[str, str, float]]] = [[]]
    for name, value in figures:
        cell = max(width(name, SMALL), width(value, TEXT, True)) + 2.2
        if rows[-1] and sum(one[2] for one in rows[-1]) + cell > wide:
            rows.append([])
        rows[-1].append((name, value, cell))
    for row in filter(None, rows):
        spare = (wide - sum(cell for _, _, cell in row)) / len(row)
        spare = min(spare, 6.0)
        x = PAD
        for name, value, cell in row:
            cell += spare
            block.marks += [
                Frame(x, block.high + 0.6, cell, 6.6),
                TextAt(x + (cell - width(name, SMALL)) / 2, block.high + 3.0, name, SMALL),
                TextAt(x + (cell - width(value, TEXT, True)) / 2, block.high + 6.4, value, TEXT, bold=True),
            ]
            x += cell
        block.high += 7.4


def _weapons(block: Block, rows: Sequence[Sequence[str]], head: Sequence[str], wide: float) -> None:
    """A table; the first column takes what the others leave, the last one wraps."""
    if not rows:
        return
    last = len(head) - 1
    narrow = [0.0] * (last + 1)
    for place in range(1, last):
        narrow[place] = (
            max(width(words, SMALL) for words in (head[place], *(row[place] for row in rows))) + 1.6
        )
    left = wide - sum(narrow)
    notes = max((width(row[last], SMALL) for row in rows), default=0.0)
    names = max(width(head[0], SMALL), *(width(row[0], SMALL, True) for row in rows)) + 1.6
    narrow[0] = min(names, left * 0.55 if notes else left)
    narrow[last] = left - narrow[0]
    xs = [PAD + sum(narrow[:place]) for place in range(last + 1)]
    high = SMALL * POINT * 1.25
    block.high += high + 0.6
    block.marks.append(Frame(PAD, block.high - high - 0.1, wide, high, fill=True))
    block.marks += [
        TextAt(x + 0.4, block.high - 0.8, words, SMALL) for x, words in zip(xs, head, strict=True)
    ]
    for row in rows:
        named = folded(row[0], narrow[0] - 0.8, SMALL, True)
        noted = folded(row[last], narrow[last] - 0.8, SMALL)
        base = block.high
        for place, part in enumerate(named):
            block.marks.append(TextAt(xs[0] + 0.4, base + high * (place + 1) - 0.8, part, SMALL, bold=True))
        for place in range(1, last):
            block.marks.append(TextAt(xs[place] + 0.4, base + high - 0.8, row[place], SMALL))
        for place, part in enumerate(noted):
            block.marks.append(TextAt(xs[last] + 0.4, base + high * (place + 1) - 0.8, part, SMALL))
        block.high += high * max(len(named), len(noted), 1)


def _boxes(block: Block, boxes: Sequence[tuple[str, int]], wide: float) -> None:
    """Boxes to tick, each kind after its name."""
    x, high = PAD, TICK + 1.4
    block.high += high
    for name, count in boxes:
        told = name if count <= MOST_BOXES else f"{name} ({count})"
        label, drawn = width(told, SMALL) + 1.0, count if count <= MOST_BOXES else 0
        if x > PAD and x + label + drawn * (TICK + 0.8) > wide:
            x = PAD
            block.high += high
        block.marks.append(TextAt(x, block.high - 0.9, told, SMALL))
        x += label
        for _ in range(drawn):
            if x + TICK > wide + PAD:
                x = PAD
                block.high += high
            block.marks.append(Frame(x, block.high - TICK, TICK, TICK))
            x += TICK + 0.8
        x += 2.4


# ------------------------------------------------------------------------------------ what the rules say


def _quick(quick: Sequence[tuple[str, str]], wide: float) -> list[Block]:
    """The chart of the rules that the crew needs, in pieces of a few lines each."""
    pieces = []
    for place in range(0, len(quick), 6):
        block = Block(PAD)
        if not place:
            block.high += 4.6
            block.marks.append(TextAt(PAD, block.high - 1.4, "What the rules say", NAME, bold=True))
        for name, words in quick[place : place + 6]:
            _lines(block, name, words, wide - 2 * PAD, SMALL)
        block.high += PAD
        block.marks.append(Frame(0, 0, wide, block.high))
        pieces.append(block)
    return pieces
