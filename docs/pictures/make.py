"""Draws the README's picture of a reply: the text as a phone shows it, with its buttons."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

TRANSCRIPT = Path(__file__).parents[2] / "tests" / "golden" / "first_game.txt"
RESULT = "Sally Starfield hits"


def reply() -> tuple[list[str], list[str]]:
    """Lines and buttons of the shot as the first game's transcript has them."""
    text = TRANSCRIPT.read_text(encoding="utf-8")
    block = text[text.index(RESULT) :].split("panel changed:")[0].rstrip().split("\n")
    buttons = [part.split("] ")[1].strip() for part in block[-1].split("  ")]
    return block[:-1], buttons


PAGE, CARD, INK, SOFT, BUTTON = "#ffffff", "#f2f3f5", "#1e1f22", "#5c5e66", "#d7d9dc"
WIDTH, MARGIN, STEP = 640, 24, 28


def draw() -> Image.Image:
    """The picture."""
    lines, buttons = reply()
    height = MARGIN * 2 + STEP * (len(lines) + 1) + 70
    image = Image.new("RGB", (WIDTH, height), PAGE)
    pen = ImageDraw.Draw(image)
    text, bold = ImageFont.load_default(size=19), ImageFont.load_default(size=20)
    pen.rounded_rectangle((8, 8, WIDTH - 8, height - 8), 18, fill=CARD)
    pen.text((MARGIN, MARGIN), "Adjutant", fill=INK, font=bold)
    pen.text((MARGIN + 104, MARGIN + 2), "APP   /cb shoot", fill=SOFT, font=text)
    y = MARGIN + STEP + 10
    for place, line in enumerate(lines):
        pen.text((MARGIN, y), line, fill=INK, font=bold if place == 0 else text)
        y += STEP
    x = MARGIN
    for label in buttons:
        width = int(pen.textlength(label, font=text)) + 36
        pen.rounded_rectangle((x, y + 10, x + width, y + 50), 8, fill=BUTTON)
        pen.text((x + 18, y + 19), label, fill=INK, font=text)
        x += width + 12
    return image


if __name__ == "__main__":
    draw().save(Path(__file__).with_name("shot.png"), optimize=True)
