"""Draws the faces of dice as small pictures, which Discord keeps as emojis of the application."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from bot.replies.pillow import Image, ImageDraw, ImageFont, png
from bot.replies.reply import Die, Verdict
from bot.replies.weight import emoji_name

SIZE = 96
BLEED = 4
CORNERS: Mapping[int, tuple[int, float]] = {
    4: (3, -90),
    6: (4, -45),
    8: (4, -90),
    10: (4, -90),
    12: (5, -90),
    20: (6, -90),
}
"""The outline of each die: how many corners it has, and where the first one is, in degrees."""

JUDGED = (10, 20)
"""Dice whose faces hit or miss on their own."""

VERDICTS: tuple[Verdict, ...] = ("", "hit", "miss", "best")

SLATE, GREEN, GREY, GOLD, WHITE = "#4f5b93", "#1f8a4c", "#8b8f98", "#f0b232", "#ffffff"


def face_dice() -> Iterator[Die]:
    """Return every die, with each of its faces, that has a picture."""
    for sides in CORNERS:
        for verdict in VERDICTS if sides in JUDGED else VERDICTS[:1]:
            yield from (Die(face, "", sides, verdict) for face in range(1, sides + 1))


def face_names() -> frozenset[str]:
    """Return the names of all pictures."""
    return frozenset(map(emoji_name, face_dice()))


def draw_face(die: Die) -> bytes:
    """Return the picture of a face: hollow if it missed, with a golden edge if it is the best there is."""
    image = Image.new("RGBA", (SIZE, SIZE), (0, 0, 0, 0))
    pen = ImageDraw.Draw(image)
    missed = die.verdict == "miss"
    fill = None if missed else GREEN if die.verdict in ("hit", "best") else SLATE
    edge = {"miss": GREY, "best": GOLD}.get(die.verdict, fill)
    outline = _outline(die.sides)
    pen.polygon(outline, fill=fill)
    pen.line([*outline, *outline[:2]], fill=edge, width=10 if die.verdict == "best" else 7, joint="curve")
    drop = SIZE // 10 if die.sides == 4 else 0
    font = ImageFont.load_default(size=40 if die.sides == 4 else 52 if die.face < 10 else 46)
    ink = GREY if missed else WHITE
    pen.text(
        (SIZE / 2, SIZE / 2 + drop),
        str(die.face),
        fill=ink,
        font=font,
        anchor="mm",
        stroke_width=2,
        stroke_fill=ink,
    )
    return png(image)


def _outline(sides: int) -> list[tuple[float, float]]:
    corners, first = CORNERS[sides]
    radius = SIZE / 2 - BLEED
    if sides == 6:
        radius *= math.sqrt(2) * 0.92
    return [
        (SIZE / 2 + radius * math.cos(angle), SIZE / 2 + radius * math.sin(angle))
        for angle in (math.radians(first + 360 / corners * place) for place in range(corners))
    ]
