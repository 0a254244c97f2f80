"""Laid out pages as a PDF and as pictures, black on white.

The PDF is written by fpdf2: its text is text, so that it can be searched and read aloud. Pictures have the
same marks in the same letters, for people who look at them in the channel.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from bot.replies.pillow import Image, ImageDraw, ImageFont, png
from bot.replies.sheets.layout import BOLD, PAPERS, PLAIN, POINT, Frame, Mark

DOTS = 150 / 25.4
"""Dots of a picture in a millimetre."""
LIGHT = 232
MADE = datetime(2000, 1, 1, tzinfo=UTC)
"""A date that never changes, so that equal sheets are equal files."""
FAMILY = "sheet"


def pdf(pages: Sequence[Sequence[Mark]], paper: str, title: str) -> bytes:
    """Return the pages as one file."""
    from fpdf import FPDF  # a library of fonts, which few bots need and none at its start

    document = FPDF(unit="mm", format=PAPERS[paper])
    document.set_auto_page_break(False)
    document.set_creation_date(MADE)
    document.set_title(title)
    document.set_lang("en")
    document.add_font(FAMILY, "", PLAIN)
    document.add_font(FAMILY, "B", BOLD)
    for page in pages:
        document.add_page()
        for mark in page:
            if isinstance(mark, Frame):
                document.set_line_width(mark.line)
                document.set_fill_color(LIGHT)
                document.rect(mark.x, mark.y, mark.wide, mark.high, style="F" if mark.fill else "D")
        for mark in page:
            if not isinstance(mark, Frame):
                document.set_font(FAMILY, "B" if mark.bold else "", mark.size)
                document.text(mark.x, mark.y, mark.words)
    return bytes(document.output())


def picture(page: Sequence[Mark], paper: str) -> bytes:
    """Return one page as a PNG."""
    paper_width, paper_height = PAPERS[paper]
    image = Image.new("L", (round(paper_width * DOTS), round(paper_height * DOTS)), 255)
    draw = ImageDraw.Draw(image)
    for mark in page:
        if isinstance(mark, Frame):
            x, y = mark.x * DOTS, mark.y * DOTS
            box = (x, y, x + mark.wide * DOTS, y + mark.high * DOTS)
            if mark.fill:
                draw.rectangle(box, fill=LIGHT)
            else:
                draw.rectangle(box, outline=0, width=max(1, round(mark.line * DOTS)))
    fonts: dict[tuple[bool, float], ImageFont.FreeTypeFont] = {}
    for mark in page:
        if not isinstance(mark, Frame):
            key = (mark.bold, mark.size)
            if key not in fonts:
                fonts[key] = ImageFont.truetype(str(BOLD if mark.bold else PLAIN), mark.size * POINT * DOTS)
            draw.text((mark.x * DOTS, mark.y * DOTS), mark.words, fill=0, font=fonts[key], anchor="ls")
    return png(image)
