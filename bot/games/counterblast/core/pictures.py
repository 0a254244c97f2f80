"""Pictures of a landing or of a way, seen from above."""

from __future__ import annotations

import math
from collections.abc import Sequence

from bot.replies.drawing import letters
from bot.replies.pillow import Image, ImageDraw, png
from bot.replies.reply import Attachment
from rules.systems.counterblast.shooting.templates import Landing

SIDE = 480
MARGIN = 46
PAPER, INK, GRID, AIM, HIT = "#fbfaf6", "#1d1d1b", "#dcd8cc", "#7a7466", "#c2410c"


def landing_words(subject: str, landing: Landing) -> str:
    """Return where a template landed, in words: the direction as on a clock, 12 away from the shooter."""
    if landing.where == "scattered":
        return f"{subject} scatters {landing.inches} in towards {landing.clock} o'clock"
    return f"{subject} lands on {'target' if landing.where == 'on the spot' else 'the shooter'}"


def landing_picture(landing: Landing, width: int) -> Attachment:
    """Return the landing from above, the shooter below the spot, with a grid in inches. width: in inches."""
    landing_text = landing_words("The template", landing)
    caption = (landing_text, f"The template is {width} in across. Each square is 1 in wide.")
    data = _draw(landing.clock, landing.inches, width, "shooter", caption)
    return Attachment("scatter.png", f"{landing_text}. The template is {width} in across.", data)


def draw_path(name: str, verb: str, clock: int, inches: int, origin_label: str) -> Attachment:
    """Return the way of a model that goes astray, seen from above, from where it begins.

    does: what it does, without the distance. clock: towards where, 12 straight up. behind: what lies below.
    """
    caption = f"{name} {verb} {inches} in towards {clock} o'clock"
    captions = (caption, "Each square is 1 in wide.")
    return Attachment("way.png", f"{caption}.", _draw(clock, inches, 0, origin_label, captions))


def _draw(clock: int, inches: int, width: int, label: str, captions: Sequence[str]) -> bytes:
    """A way of so many inches from the middle of the picture, and a circle of a width at its end."""
    reach = max(inches + width / 2, width) + 1
    scale = (SIDE / 2 - MARGIN) / reach
    image = Image.new("RGB", (SIDE, SIDE), PAPER)
    draw = ImageDraw.Draw(image)
    centre = SIDE / 2
    _grid(draw, centre, scale, reach)
    draw.line((centre, SIDE - 6, centre, centre), fill=AIM, width=2)
    draw.text((centre + 8, SIDE - 26), label, fill=AIM, font=letters(16))
    _cross(draw, centre, centre, AIM)
    angle = math.radians(clock * 30)
    x = centre + math.sin(angle) * inches * scale
    y = centre - math.cos(angle) * inches * scale
    radius = width / 2 * scale
    if width:
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), outline=HIT, width=4)
    _cross(draw, x, y, HIT)
    if inches:
        draw.line((centre, centre, x, y), fill=HIT, width=2)
    for line, text in enumerate(captions):
        draw.text((8, 6 + 20 * line), text, fill=INK, font=letters(16))
    return png(image)


def _grid(draw: ImageDraw.ImageDraw, centre: float, scale: float, reach: float) -> None:
    for inch in range(-math.ceil(reach), math.ceil(reach) + 1):
        position = centre + inch * scale
        draw.line((position, 0, position, SIDE), fill=GRID)
        draw.line((0, position, SIDE, position), fill=GRID)


def _cross(draw: ImageDraw.ImageDraw, x: float, y: float, colour: str) -> None:
    draw.line((x - 7, y, x + 7, y), fill=colour, width=3)
    draw.line((x, y - 7, x, y + 7), fill=colour, width=3)
