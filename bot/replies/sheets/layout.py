"""Where everything of a sheet goes on the paper: marks in millimetres, page by page.

Cards are in two columns, each where there is most room. Owns sizes and places; `paint` draws them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from pathlib import Path

from bot.replies.pillow import ImageFont
from bot.replies.sheets.sheet import Card, Sheet

FONTS = Path(__file__).parent / "fonts"
PLAIN, BOLD = FONTS / "DejaVuSansCondensed.ttf", FONTS / "DejaVuSansCondensed-Bold.ttf"

PAPERS: dict[str, tuple[float, float]] = {"A4": (210.0, 297.0), "Letter": (215.9, 279.4)}
"""Width and height in millimetres."""

MARGIN, GUTTER, GAP, PAD = 10.0, 5.0, 3.0, 1.8
TITLE, NAME, TEXT, SMALL = 15.0, 10.0, 8.0, 6.5
"""Heights of letters in points."""
POINT = 25.4 / 72
TICK, BOX, LABEL, APART, HAIR = 3.4, 4.0, 0.8, 2.4, 0.01
"""A box, a box with what follows it, what parts it from its name, kinds from each other, what none sees."""
COLUMNS = 2
CARDS, CARD = 3, 63.0
"""Cards for cutting out beside one another, and how wide each is."""
MIN_COUNT = 6
"""Rows of the chart below which it is not begun at the foot of a page."""
MAX_BOXES = 24
"""Boxes of one kind that are drawn; of more only their number is told."""


@dataclass(frozen=True, slots=True)
class TextAt:
    """Words with the left end of their base line. begins: whose card they begin, its whole title."""

    x: float
    y: float
    words: str
    size: float = TEXT
    bold: bool = False
    begins: str = ""


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
        """Return the marks moved."""
        return [replace(mark, x=mark.x + x, y=mark.y + y) for mark in self.marks]


@cache
def _font(bold: bool) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(BOLD if bold else PLAIN), 200)


@cache
def _advance(sign: str, bold: bool) -> float:
    return _font(bold).getlength(sign) / 200


@lru_cache(maxsize=8192)
def width(words: str, size: float = TEXT, bold: bool = False) -> float:
    """Return the width of words in millimetres, letter by letter, without kerning, as a PDF draws them."""
    return sum(_advance(sign, bold) for sign in words) * size * POINT


def folded(words: str, room: float, size: float = TEXT, bold: bool = False) -> list[str]:
    """Return words broken at the end of a column; a word that is too wide is cut."""
    lines: list[str] = []
    line = ""
    for word in words.split():
        while width(word, size, bold) > room and len(word) > 1:
            cut = max(1, int(len(word) * room / width(word, size, bold)) - 1)
            lines, line, word = [*lines, *([line] if line else []), word[:cut]], "", word[cut:]
        longer = f"{line} {word}" if line else word
        if line and width(longer, size, bold) > room:
            lines.append(line)
            longer = word
        line = longer
    return [*lines, line] if line else lines


def lay_out(sheet: Sheet, paper: str) -> list[list[Mark]]:
    """Return the pages of a sheet. paper: one of `PAPERS`."""
    paper_width, paper_height = PAPERS[paper]
    column_width = (paper_width - 2 * MARGIN - (COLUMNS - 1) * GUTTER) / COLUMNS
    head = _heading(sheet, paper_width - 2 * MARGIN)
    blocks = [_card(card, sheet.head, column_width) for card in sheet.cards]
    pages = [head.at(MARGIN, MARGIN)]
    top = MARGIN + head.high
    heights = [top] * COLUMNS
    for block in blocks:
        column = min(range(COLUMNS), key=lambda number: heights[number])
        if heights[column] + block.high > paper_height - MARGIN and max(heights) > top:
            pages.append([])
            top, column = MARGIN, 0
            heights = [top] * COLUMNS
        pages[-1] += block.at(MARGIN + column * (column_width + GUTTER), heights[column])
        heights[column] += block.high + GAP
    room, page_height = paper_height - MARGIN - max(heights), paper_height - 2 * MARGIN
    for place, chart in enumerate(_chart(sheet.quick, paper_width - 2 * MARGIN, room, page_height)):
        if place:
            pages.append([])
        pages[-1] += chart.at(MARGIN, MARGIN if place else max(heights))
    return [
        [*page, *_foot(sheet.title, number, len(pages), paper_width, paper_height)]
        for number, page in enumerate(pages, 1)
    ]


def lay_out_cards(sheet: Sheet, paper: str) -> list[list[Mark]]:
    """Return pages with cards alone, three beside one another, to cut out. paper: one of `PAPERS`."""
    paper_width, paper_height = PAPERS[paper]
    block_width, right = CARD, (paper_width - CARDS * CARD) / 2
    pages: list[list[Mark]] = [[]]
    y = MARGIN
    blocks = [_card(card, sheet.head, block_width) for card in sheet.cards]
    for row in (blocks[first : first + CARDS] for first in range(0, len(blocks), CARDS)):
        high = max(block.high for block in row)
        if y + high > paper_height - MARGIN and pages[-1]:
            pages.append([])
            y = MARGIN
        for place, block in enumerate(row):
            framed = [Frame(0, 0, block_width, high, line=0.25), *block.marks[:-1]]
            pages[-1] += replace(block, marks=framed).at(right + place * block_width, y)
        y += high
    return pages


def _foot(title: str, number: int, pages: int, paper_width: float, paper_height: float) -> list[Mark]:
    words = f"{title}, page {number} of {pages}"
    return [TextAt(paper_width - MARGIN - width(words, SMALL), paper_height - MARGIN / 2, words, SMALL)]


def _heading(sheet: Sheet, block_width: float) -> Block:
    block = Block(5.6, [TextAt(0, 4.6, sheet.title, TITLE, bold=True)])
    for line in sheet.heading:
        for part in folded(line, block_width):
            block.high += 3.6
            block.marks.append(TextAt(0, block.high, part))
    block.high += 2.6
    return block


# ------------------------------------------------------------------------------------ a card


def _card(card: Card, head: Sequence[str], block_width: float) -> Block:
    """Name, kind, figures, what became of it, weapons, the rest, boxes; in a frame."""
    inner = block_width - 2 * PAD
    block = Block(PAD)
    points = str(card.points) if card.points else ""
    room = inner - width(points, NAME, True) - 2
    names = folded(card.title, room, NAME, True)
    for place, part in enumerate(names):
        block.high += 4.0
        begins = "" if place else card.title
        block.marks.append(TextAt(PAD, block.high - 0.8, part, NAME, bold=True, begins=begins))
        if not place:
            right = block_width - PAD - width(points, NAME, True)
            block.marks.append(TextAt(right, block.high - 0.8, points, NAME, bold=True))
    name_width = width(f"{names[-1]}  ", NAME, True) if names else 0.0
    if name_width + width(card.kind, SMALL) <= room:
        block.marks.append(TextAt(PAD + name_width, block.high - 0.8, card.kind, SMALL))
    else:
        _lines(block, "", card.kind, inner, SMALL)
    _figures(block, card.figures, inner)
    if card.marks:
        _lines(block, "Now", ", ".join(card.marks), inner)
    _weapons(block, card.weapons, head, inner)
    for name, words in card.lines:
        _lines(block, name, words, inner)
    _boxes(block, card.boxes, inner)
    block.high += PAD
    block.marks.append(Frame(0, 0, block_width, block.high, line=0.4 if card.leader else 0.25))
    return block


def _lines(block: Block, name: str, words: str, block_width: float, size: float = TEXT) -> None:
    """A word in bold and what stands under it, broken where the card ends."""
    if not words:
        return
    high = size * POINT * 1.22
    indent = width(f"{name} ", size, True) if name else 0.0
    first = True
    for part in folded(words, block_width - indent, size):
        block.high += high
        if first and name:
            block.marks.append(TextAt(PAD, block.high - 0.6, name, size, bold=True))
        block.marks.append(TextAt(PAD + indent, block.high - 0.6, part, size))
        first = False


def _figures(block: Block, figures: Sequence[tuple[str, str]], block_width: float) -> None:
    """A row of small boxes: what each is called, and below it in bold what it is."""
    rows: list[list[tuple[str, str, float]]] = [[]]
    for name, value in figures:
        cell = max(width(name, SMALL), width(value, TEXT, True)) + 2.2
        if rows[-1] and sum(cell[2] for cell in rows[-1]) + cell > block_width:
            rows.append([])
        rows[-1].append((name, value, cell))
    for row in filter(None, rows):
        spare = (block_width - sum(cell for _, _, cell in row)) / len(row)
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


def _weapons(block: Block, rows: Sequence[Sequence[str]], head: Sequence[str], block_width: float) -> None:
    """A table; the first column takes what the others leave, the last one wraps, or stands below each row if
    it has no room for its longest word."""
    if not rows:
        return
    last = len(head) - 1
    narrow = [0.0] * (last + 1)
    for place in range(1, last):
        narrow[place] = (
            max(width(words, SMALL) for words in (head[place], *(row[place] for row in rows))) + 1.6
        )
    room_left = block_width - sum(narrow)
    notes = max((width(row[last], SMALL) for row in rows), default=0.0)
    names = max(width(head[0], SMALL), *(width(row[0], SMALL, True) for row in rows)) + 1.6
    narrow[0] = min(names, room_left * 0.55 if notes else room_left)
    word = max((width(word, SMALL) for row in rows for word in row[last].split()), default=0.0) + 0.9
    if room_left - narrow[0] < word:
        narrow[0] = max(width(word, SMALL, True) for row in rows for word in row[0].split()) + 0.9
        narrow[0] = max(narrow[0], room_left - word)
    is_below = room_left - narrow[0] < word - HAIR
    narrow[0] = min(names, room_left) if is_below else narrow[0]
    narrow[last] = block_width - narrow[0] if is_below else room_left - narrow[0]
    xs = [PAD + sum(narrow[:place]) for place in range(last + 1)]
    xs[last] = xs[1] if is_below else xs[last]
    high = SMALL * POINT * 1.25
    block.high += high + 0.6
    block.marks.append(Frame(PAD, block.high - high - 0.1, block_width, high, fill=True))
    block.marks += [
        TextAt(x + 0.4, block.high - 0.8, words, SMALL)
        for x, words in zip(xs[: last + (not is_below)], head, strict=False)
    ]
    for row in rows:
        name_lines = folded(row[0], narrow[0] - 0.8, SMALL, True)
        noted = folded(row[last], narrow[last] - 0.8, SMALL)
        base, lower = block.high, len(name_lines) if is_below else 0
        for place, part in enumerate(name_lines):
            block.marks.append(TextAt(xs[0] + 0.4, base + high * (place + 1) - 0.8, part, SMALL, bold=True))
        for place in range(1, last):
            block.marks.append(TextAt(xs[place] + 0.4, base + high - 0.8, row[place], SMALL))
        for place, part in enumerate(noted):
            y = base + high * (lower + place + 1) - 0.8
            block.marks.append(TextAt(xs[last] + 0.4, y, part, SMALL))
        block.high += high * max(len(name_lines), lower + len(noted), 1)


def _boxes(block: Block, boxes: Sequence[tuple[str, int]], block_width: float) -> None:
    """Boxes to tick, each kind after its name; nearer to each other where all fit into one line then."""
    x, high = PAD, TICK + 1.4
    block.high += high
    kinds = [(name, count) if count <= MAX_BOXES else (f"{name} ({count})", 0) for name, count in boxes]
    wides = [width(label, SMALL) + LABEL + count * BOX - (BOX - TICK) * (count > 0) for label, count in kinds]
    spare = (block_width - sum(wides)) / max(1, len(kinds) - 1)
    gap = min(spare, APART) if spare >= LABEL else APART
    for (label, count), box_width in zip(kinds, wides, strict=True):
        if x > PAD and x + box_width > block_width + PAD + HAIR:
            x = PAD
            block.high += high
        block.marks.append(TextAt(x, block.high - 0.9, label, SMALL))
        x += width(label, SMALL) + LABEL
        for _ in range(count):
            if x + TICK > block_width + PAD + HAIR:
                x = PAD
                block.high += high
            block.marks.append(Frame(x, block.high - TICK, TICK, TICK))
            x += BOX
        x += gap - (BOX - TICK) * (count > 0)


# ------------------------------------------------------------------------------------ what the rules say


def _chart(
    quick: Sequence[tuple[str, str]], block_width: float, room: float, page_height: float
) -> list[Block]:
    """The chart of the rules that the crew needs, a block for each page; the first is empty without room.

    room: what is left of the page; page_height: a page's height.
    """
    column = (block_width - 2 * PAD - GUTTER) / 2
    rows = [_row(name, words, column) for name, words in quick]
    blocks: list[Block] = []
    while rows:
        head = 0.0 if any(block.marks for block in blocks) else 5.2
        room_left = room - head - 2 * PAD
        count = max((n for n in range(len(rows) + 1) if _split(rows[:n])[1] <= room_left), default=0)
        count = max(count, 1) if blocks else count if count >= min(len(rows), MIN_COUNT) else 0
        blocks.append(_columns(rows[:count], column, block_width, head) if count else Block())
        rows, room = rows[count:], page_height
    return blocks


def _row(name: str, words: str, block_width: float) -> Block:
    block = Block()
    _lines(block, name, words, block_width, SMALL)
    return block


def _split(rows: Sequence[Block]) -> tuple[int, float]:
    highs = [row.high for row in rows]
    tall = [max(sum(highs[:row_count]), sum(highs[row_count:])) for row_count in range(len(rows) + 1)]
    return tall.index(min(tall)), min(tall)


def _columns(rows: Sequence[Block], column: float, block_width: float, head: float) -> Block:
    first, high = _split(rows)
    block = Block(2 * PAD + head + high)
    if head:
        block.marks.append(TextAt(PAD, PAD + 3.4, "From the rules", NAME, bold=True))
    for x, part in ((0.0, rows[:first]), (column + GUTTER, rows[first:])):
        y = PAD + head
        for row in part:
            block.marks += row.at(x, y)
            y += row.high
    block.marks.append(Frame(0, 0, block_width, block.high))
    return block
