"""What pictures share: paper and ink that are read in light and in dark, letters, and lengths of words.

Every picture brings its own paper, so that it looks the same whatever stands around it.
"""

from __future__ import annotations

import io
from functools import cache
from typing import TypeAlias

from bot.replies.pillow import Image, ImageDraw, ImageFont
from bot.replies.reply import Attachment

WIDTH, EDGE = 720, 28
"""Width of a picture that a phone shows in full, and the blank at its edges."""

PAPER, INK, SOFT, RULE = "#fbfaf6", "#1d1d1b", "#6b665c", "#d5d0c3"
FILLS = ("#1f5fa8", "#b45309", "#15803d", "#7c3aed")

LONGEST_WORDS = 1000
"""Discord takes 1,024 letters to describe a picture."""

Pen: TypeAlias = "ImageDraw.ImageDraw"


def sheet(height: int) -> tuple[Image.Image, Pen]:
    """Blank paper of that height, and what draws on it."""
    image = Image.new("RGB", (WIDTH, height), PAPER)
    return image, ImageDraw.Draw(image)


def finished(image: Image.Image, name: str, words: str) -> Attachment:
    """The picture as a file, with the words that say what it shows, cut where they are too long."""
    stream = io.BytesIO()
    image.save(stream, "PNG", optimize=True)
    said = words if len(words) <= LONGEST_WORDS else f"{words[: LONGEST_WORDS - 1]}…"
    return Attachment(name, said, stream.getvalue())


@cache
def letters(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """The letters of that size."""
    return ImageFont.load_default(size=size)


def fitting(pen: Pen, text: str, size: int, room: float) -> str:
    """The text, shortened where there is too little room for it."""
    if pen.textlength(text, font=letters(size)) <= room:
        return text
    while text and pen.textlength(f"{text}…", font=letters(size)) > room:
        text = text[:-1]
    return f"{text}…"
