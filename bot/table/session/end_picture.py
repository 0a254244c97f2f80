"""The picture of an encounter's end: every side's figures, in play and out of it, and how many stood by turn.

A side is told apart by its name and the shape of its figures, a figure out of play by its cross, never by
colour alone. Sized to be read on a phone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.replies.drawing import (
    EDGE,
    FILLS,
    INK,
    LONGEST_WORDS,
    PAPER,
    RULE,
    SOFT,
    WIDTH,
    Pen,
    finished,
    letters,
    sheet,
    write,
)
from bot.replies.reply import Attachment
from bot.store.rows import SideRow
from bot.table.encounter import GONE, Encounter
from bot.table.journal.course import Blow, Course
from bot.table.session.ending import cost, counts_of

TOKEN, IN_A_ROW = 30, 20
BARS, NUMBERS = 110, 34
MOST_BARS = 16
"""Places for turns: of a longer game the first, a gap and the last ones, so that every number is readable."""

IN_MESSAGE = "Turn by turn: in the message."

CORNERS = (0, 4, 3, 6)
"""How many corners a side's figures have: a disc, a square, a triangle, a hexagon."""

ROOM = WIDTH - 2 * EDGE - 40


@dataclass(frozen=True, slots=True)
class _Side:
    """One side as it is drawn. counts: how many stood in every turn; place: counted from 0."""

    place: int
    row: SideRow
    here: int
    gone: int
    counts: tuple[int, ...]
    worst: Blow | None

    @property
    def shown(self) -> tuple[tuple[int, int] | None, ...]:
        """The turns that are drawn with how many stood; None for those left out."""
        numbered = tuple(enumerate(self.counts))
        if len(numbered) <= MOST_BARS:
            return numbered
        return (numbered[0], None, *numbered[2 - MOST_BARS :])

    @property
    def standing(self) -> str:
        return f"{self.row.name}: {self.here} of {self.here + self.gone} in play"

    @property
    def height(self) -> int:
        rows = -(-(self.here + self.gone) // IN_A_ROW)
        return 52 + rows * (TOKEN + 6) + (BARS + NUMBERS + 44 if self.shown else 0) + 18


def end_picture(encounter: Encounter, course: Course) -> Attachment | None:
    """Every side's figures and, where the journal tells, how many stood by turn; None without any."""
    sides = [_side(encounter, course, place, row) for place, row in enumerate(encounter.sides())]
    sides = [side for side in sides if side.here + side.gone]
    if not sides:
        return None
    title = f"{encounter.row.name}: the end"
    if encounter.row.turn:
        title += f", turn {encounter.row.turn}"
    image, pen = sheet(70 + sum(side.height for side in sides))
    write(pen, (EDGE, 18), title, 32, ROOM)
    top = 70
    for side in sides:
        _draw(pen, side, top)
        top += side.height
    return finished(image, "end.png", _words(title, sides))


def _side(encounter: Encounter, course: Course, place: int, row: SideRow) -> _Side:
    everybody = encounter.models(row.id, gone=True)
    gone = sum(model.status == GONE for model in everybody)
    counts = counts_of(encounter, course, row.id)
    return _Side(place, row, len(everybody) - gone, gone, counts, course.blows.get(row.id))


def says_turns(picture: Attachment) -> bool:
    """Whether the picture's description has room for what it shows turn by turn; else the message says it."""
    return not picture.words.endswith(IN_MESSAGE)


def _words(title: str, sides: list[_Side]) -> str:
    """As much as there is room for: turns by name, else their numbers in a row, else as the message says."""
    named = [_described(side, _by_name(side.counts)) for side in sides]
    numbers = [_described(side, f"{' '.join(map(str, side.counts))} from the start on") for side in sides]
    standing = [f"{side.standing}." for side in sides]
    for parts in (named, numbers):
        words = " ".join((f"{title}.", *parts))
        if len(words) <= LONGEST_WORDS:
            return words
    left = LONGEST_WORDS - len(IN_MESSAGE) - 1
    words = " ".join((f"{title}.", *standing))
    return f"{words if len(words) <= left else words[:left]} {IN_MESSAGE}"


def _described(side: _Side, turns: str) -> str:
    parts = [f"{side.standing}, {side.gone} out."]
    parts += [f"In play by turn: {turns}."] if side.counts else []
    parts += [_worst(side.worst)] if side.worst and side.counts else []
    return " ".join(parts)


def _by_name(counts: Sequence[int]) -> str:
    return ", ".join(f"{_turn(turn)} {count}" for turn, count in enumerate(counts))


def _worst(blow: Blow) -> str:
    return f"Worst moment: turn {blow.turn}, {cost(blow)}."


def _turn(turn: int) -> str:
    return f"turn {turn}" if turn else "start"


def _draw(pen: Pen, side: _Side, top: int) -> None:
    pen.line((EDGE, top, WIDTH - EDGE, top), fill=RULE, width=2)
    middle = top + 28
    _figure(pen, side.place, EDGE + 12, middle, 12, here=True)
    write(pen, (EDGE + 36, middle), side.standing, 26, ROOM, anchor="lm")
    top += 52
    for number in range(side.here + side.gone):
        row, column = divmod(number, IN_A_ROW)
        x = EDGE + 14 + column * (WIDTH - 2 * EDGE) / IN_A_ROW
        _figure(pen, side.place, x, top + 14 + row * (TOKEN + 6), 12, here=number < side.here)
    top += -(-(side.here + side.gone) // IN_A_ROW) * (TOKEN + 6)
    if side.shown:
        _bars(pen, side, top)


def _bars(pen: Pen, side: _Side, top: int) -> None:
    """One bar for each turn with its number above; where the side lost most, a mark below it."""
    most = max(side.counts) or 1
    step = min(80.0, (WIDTH - 2 * EDGE) / len(side.shown))
    floor = top + 30 + BARS
    for place, bar in enumerate(side.shown):
        left = EDGE + place * step
        if bar is None:
            pen.text((left + step / 2, floor), "...", fill=INK, font=letters(26), anchor="ms")
            continue
        turn, count = bar
        high = BARS * count / most
        fill = FILLS[side.place % len(FILLS)]
        pen.rectangle((left + 3, floor - BARS, left + step - 3, floor), outline=RULE, width=2)
        pen.rectangle((left + 3, floor - high, left + step - 3, floor), fill=fill, outline=INK, width=2)
        centre = left + step / 2
        over = {"font": letters(22), "anchor": "mb", "stroke_width": 4, "stroke_fill": PAPER}
        pen.text((centre, floor - high - 6), str(count), fill=INK, **over)  # type: ignore[arg-type]
        label = str(turn) if turn else ("start" if step >= 60 else "0")
        pen.text((centre, floor + 16), label, fill=SOFT, font=letters(20), anchor="mm")
        if side.worst and side.worst.turn == turn:
            pen.rectangle((left + 3, floor + 3, left + step - 3, floor + 29), outline=INK, width=2)
    if side.worst:
        pen.text((EDGE, floor + 48), _worst(side.worst), fill=INK, font=letters(20), anchor="lm")
    else:
        pen.text((EDGE, floor + 48), "In play by turn", fill=SOFT, font=letters(20), anchor="lm")


def _figure(pen: Pen, place: int, x: float, y: float, r: float, *, here: bool) -> None:
    """A side's shape, full; hollow and crossed where the figure is out of play."""
    corners = CORNERS[place % len(CORNERS)]
    fill = FILLS[place % len(FILLS)] if here else PAPER
    ink = INK if here else SOFT
    if corners:
        turned = 45 if corners == 4 else 0
        pen.regular_polygon((x, y, r + 2), corners, rotation=turned, fill=fill, outline=ink, width=2)
    else:
        pen.ellipse((x - r, y - r, x + r, y + r), fill=fill, outline=ink, width=2)
    if not here:
        pen.line((x - r, y - r, x + r, y + r), fill=INK, width=3)
        pen.line((x - r, y + r, x + r, y - r), fill=INK, width=3)
