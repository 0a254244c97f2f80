"""A picture of chances in a square: who does it down the side, to whom along the top, each with its number.

The darker a field, the likelier; what it says in numbers is all there is to know.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.replies.chances import percent
from bot.replies.drawing import EDGE, INK, PAPER, RULE, SOFT, WIDTH, Pen, finished, letters, sheet, write
from bot.replies.pillow import Image, ImageDraw
from bot.replies.reply import Attachment

MOST = 10
"""Rows, and columns, of one square."""

NAME, ROW, TITLE, SLANTED = 190, 44, 50, 190
DARKEST = (31, 95, 168)


@dataclass(frozen=True, slots=True)
class Square:
    """Chances by row and column; below 0: it cannot be done."""

    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    chances: Sequence[Sequence[float]]


def squares(title: str, found: Sequence[Square]) -> Attachment:
    """The picture, with words that say all of it as far as there is room."""
    heights = [TITLE + SLANTED + ROW * min(MOST, len(one.rows)) + 24 for one in found]
    image, pen = sheet(70 + sum(heights))
    write(pen, (EDGE, 16), title, 30, WIDTH - 2 * EDGE)
    top = 70
    for one, height in zip(found, heights, strict=True):
        _draw(image, pen, one, top)
        top += height
    return finished(image, "matchup.png", f"{title}. {' '.join(_words(one) for one in found)}")


def _words(square: Square) -> str:
    told = []
    for name, row in zip(square.rows, square.chances, strict=True):
        each = [
            f"{column} {percent(chance).strip()}"
            for column, chance in zip(square.columns, row, strict=True)
            if chance >= 0
        ]
        told.append(f"{name}: {', '.join(each) or 'nobody'}.")
    return f"{square.title}. {' '.join(told)}"


def _draw(image: Image.Image, pen: Pen, square: Square, top: int) -> None:
    pen.line((EDGE, top, WIDTH - EDGE, top), fill=RULE, width=2)
    write(pen, (EDGE, top + 10), square.title, 24, WIDTH - 2 * EDGE)
    left, first = EDGE + NAME, top + TITLE + SLANTED
    columns = square.columns[:MOST]
    wide = min(90.0, (WIDTH - EDGE - left) / max(1, len(columns)))
    for place, column in enumerate(columns):
        _upright(image, column, round(left + wide * (place + 0.5)), first - 6)
    for place, (name, row) in enumerate(zip(square.rows[:MOST], square.chances, strict=False)):
        y = first + ROW * place
        at = (EDGE, y + ROW / 2)
        write(pen, at, name, 21, NAME - 10, anchor="lm")
        for number, chance in enumerate(row[:MOST]):
            x = left + wide * number
            box = (x + 1, y + 1, x + wide - 1, y + ROW - 1)
            pen.rectangle(box, fill=_shade(chance), outline=RULE, width=1)
            told = percent(chance).strip().removesuffix(" %") if chance >= 0 else "-"
            ink = PAPER if chance > 0.7 else INK if chance >= 0 else SOFT
            size = 21 if len(told) < 4 else 15
            pen.text((x + wide / 2, y + ROW / 2), told, fill=ink, font=letters(size), anchor="mm")


def _upright(image: Image.Image, text: str, middle: int, floor: int) -> None:
    """Words that are read from below to above."""
    paper = Image.new("RGB", (SLANTED - 8, 26), PAPER)
    pen = ImageDraw.Draw(paper)
    write(pen, (2, 13), text, 20, SLANTED - 12, anchor="lm")
    turned = paper.rotate(90, expand=True)
    image.paste(turned, (middle - 13, floor - turned.height))


def _shade(chance: float) -> tuple[int, int, int]:
    """From paper to the darkest ink."""
    share = max(0.0, min(1.0, float(chance)))
    light = (251, 250, 246)
    red, green, blue = (round(one + (other - one) * share) for one, other in zip(light, DARKEST, strict=True))
    return red, green, blue
