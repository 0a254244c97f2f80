"""Shared parts of pictures: paper and ink for light and dark screens, letters, lengths of words.

Every picture brings its own paper, so that it looks the same whatever stands around it.
"""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

from bot.replies.pillow import Image, ImageDraw, ImageFont, png
from bot.replies.reply import Attachment

WIDTH, EDGE = 720, 28
"""Width of a picture that a phone shows in full, and the blank at its edges."""

PAPER, INK, SOFT, RULE = "#fbfaf6", "#1d1d1b", "#6b665c", "#d5d0c3"
FILLS = ("#1f5fa8", "#b45309", "#15803d", "#7c3aed")
SHAPES = ("■", "●", "▲", "◆")
"""The colours of the sides, and a shape beside each colour."""

MAX_WORDS_LENGTH = 1000
"""Discord takes 1,024 letters to describe a picture."""

Pen: TypeAlias = "ImageDraw.ImageDraw"


def sheet(height: int) -> tuple[Image.Image, Pen]:
    """Return blank paper of that height, and what draws on it."""
    image = Image.new("RGB", (WIDTH, height), PAPER)
    return image, ImageDraw.Draw(image)


def finished(image: Image.Image, name: str, words: str) -> Attachment:
    """Return the picture as a file, with words that say what it shows, shortened if they are too long."""
    shortened = words if len(words) <= MAX_WORDS_LENGTH else f"{words[: MAX_WORDS_LENGTH - 1]}…"
    return Attachment(name, shortened, png(image))


@cache
def letters(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Return the letters of that size."""
    return ImageFont.load_default(size=size)


SMALLEST = 14
"""Letters below this are not read on a phone."""


def write(
    pen: Pen,
    point: tuple[float, float],
    text: str,
    size: int,
    room: float,
    *,
    fill: str = INK,
    anchor: str = "la",
    halo: int = 0,
) -> None:
    """Write the text, in smaller letters if it is too long for the space.

    What is too long for the smallest is cut in its middle: numbers at the end tell two of one name apart.
    halo: dots of paper around each letter, where lines lie beneath.
    """
    while size > SMALLEST and pen.textlength(text, font=letters(size)) > room:
        size -= 1
    shown_text, font = _cut(pen, text, size, room), letters(size)
    pen.text(point, shown_text, fill=fill, font=font, anchor=anchor, stroke_width=halo, stroke_fill=PAPER)


def _cut(pen: Pen, text: str, size: int, room: float) -> str:
    kept_length = len(text)
    cut = text
    while kept_length and pen.textlength(cut, font=letters(size)) > room:
        kept_length -= 1
        end = kept_length // 3
        cut = f"{text[: kept_length - end]}…{text[len(text) - end :]}"
    return cut
