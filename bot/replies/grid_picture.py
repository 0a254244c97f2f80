"""A square picture of chances: attackers down the side, targets along the top, each with its number.

The darker a field, the likelier; what it says in numbers is all there is to know.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.replies.chances import percent
from bot.replies.drawing import (
    EDGE,
    INK,
    MAX_WORDS_LENGTH,
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
from bot.replies.pillow import Image, ImageDraw
from bot.replies.reply import Attachment

MAX_COUNT = 12
"""Rows, and columns, of one square."""

NEVER, UNKNOWN = -1.0, -2.0
"""Values in place of a chance: it is impossible, or there was no time to find out."""

NAME, ROW, TITLE, SLANTED = 190, 44, 50, 190
DARKEST = (31, 95, 168)
MARKS = {NEVER: "-", UNKNOWN: "?"}


@dataclass(frozen=True, slots=True)
class Square:
    """Chances by row and column, or NEVER or UNKNOWN."""

    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    chances: Sequence[Sequence[float]]


def squares(title: str, grids: Sequence[Square]) -> Attachment:
    """Return the picture, with words that say all of it, or say that the message does."""
    heights = [TITLE + _along(grid) + ROW * min(MAX_COUNT, len(grid.rows)) + 24 for grid in grids]
    image, pen = sheet(70 + sum(heights))
    write(pen, (EDGE, 16), title, 30, WIDTH - 2 * EDGE)
    top = 70
    for square, height in zip(grids, heights, strict=True):
        _draw(image, pen, square, top)
        top += height
    description = f"{title}. {' '.join(f'{grid.title}. ' + ' '.join(in_words(grid)) for grid in grids)}"
    short_description = f"{title}. {'. '.join(grid.title for grid in grids)}. The message lists all numbers."
    return finished(image, "matchup.png", short_description if is_long(grids) else description)


def is_long(grids: Sequence[Square]) -> bool:
    """Return whether there are too many numbers for a picture's words, so that the message lists them."""
    return (
        sum(len(line) + 1 for square in grids for line in (square.title, *in_words(square)))
        > MAX_WORDS_LENGTH - 100
    )


def in_words(square: Square) -> list[str]:
    """Return each row with all its numbers, without the targets that it can't attack."""
    words = []
    for name, row in zip(square.rows, square.chances, strict=True):
        named_chances = list(zip(square.columns, row, strict=True))
        cells = [f"{column} {percent(chance).strip()}" for column, chance in named_chances if chance >= 0]
        unknown = [column for column, chance in named_chances if chance == UNKNOWN]
        cells += [f"not worked out for {', '.join(unknown)}"] if unknown else []
        words.append(f"{name}: {', '.join(cells) or 'nobody'}.")
    return words


def _draw(image: Image.Image, pen: Pen, square: Square, top: int) -> None:
    pen.line((EDGE, top, WIDTH - EDGE, top), fill=RULE, width=2)
    write(pen, (EDGE, top + 10), square.title, 24, WIDTH - 2 * EDGE)
    left, first = EDGE + NAME, top + TITLE + _along(square)
    columns = square.columns[:MAX_COUNT]
    cell_width = min(90.0, (WIDTH - EDGE - left) / max(1, len(columns)))
    for place, column in enumerate(columns):
        _upright(image, column, round(left + cell_width * (place + 0.5)), first - 6, _along(square))
    for place, (name, row) in enumerate(zip(square.rows[:MAX_COUNT], square.chances, strict=False)):
        y = first + ROW * place
        point = (EDGE, y + ROW / 2)
        write(pen, point, name, 21, NAME - 10, anchor="lm")
        for number, chance in enumerate(row[:MAX_COUNT]):
            x = left + cell_width * number
            box = (x + 1, y + 1, x + cell_width - 1, y + ROW - 1)
            pen.rectangle(box, fill=_shade(chance), outline=RULE, width=1)
            cell_text = MARKS.get(chance) or percent(chance).strip().removesuffix("%")
            cell_text = f"~{round(100 * chance)}" if " to " in cell_text else cell_text
            ink = PAPER if chance > 0.8 else INK if chance >= 0 else SOFT
            write(
                pen, (x + cell_width / 2, y + ROW / 2), cell_text, 21, cell_width - 6, fill=ink, anchor="mm"
            )


def _along(square: Square) -> int:
    """Return how long the longest name along the top is, up to which it is written in full size."""
    return min(SLANTED, 24 + round(max(letters(20).getlength(name) for name in square.columns[:MAX_COUNT])))


def _upright(image: Image.Image, text: str, middle: int, floor: int, room: int) -> None:
    paper = Image.new("RGB", (room - 8, 26), PAPER)
    pen = ImageDraw.Draw(paper)
    write(pen, (2, 13), text, 20, room - 12, anchor="lm")
    turned = paper.rotate(90, expand=True)
    image.paste(turned, (middle - 13, floor - turned.height))


def _shade(chance: float) -> tuple[int, int, int]:
    share = max(0.0, min(1.0, float(chance)))
    light = (251, 250, 246)
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(light, DARKEST, strict=True))
    return red, green, blue
