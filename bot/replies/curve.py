"""A picture of a chance over a number: inches, dice, cover. Each point has its mark and its number.

The one that was asked for is a square in place of a disc and named in words; nothing is told by colour alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.replies.chances import percent
from bot.replies.drawing import (
    EDGE,
    FILLS,
    INK,
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

HEIGHT, HEAD, FOOT = 480, 100, 84
NARROWEST = 58
"""Between two numbers that are both written."""

WIDEST_CHANCE = 72
"""Between two chances that both stand above their marks."""


INCHES = "inches"


@dataclass(frozen=True, slots=True)
class Point:
    """One point. at: the number; chance: there; marked: it is the one that was asked for."""

    at: float
    chance: float
    marked: bool = False


def curve(title: str, aim: str, unit: str, points: Sequence[Point], *, steps: bool = False) -> Attachment:
    """Return the picture, with words that say all of it.

    aim: what the chances are of. unit: of the numbers. steps: each holds from the one before it on.
    """
    ordered = sorted(points, key=lambda point: point.at)
    image, pen = sheet(HEIGHT)
    write(pen, (EDGE, 14), title, 32, WIDTH - 2 * EDGE)
    write(pen, (EDGE, 58), aim, 24, WIDTH - 2 * EDGE, fill=SOFT)
    left, right, top, floor = EDGE + 70, WIDTH - EDGE - 30, HEAD, HEIGHT - FOOT
    first = left if steps else left + 40
    low = 0.0 if steps else ordered[0].at
    span = (ordered[-1].at - low) or 1.0

    def position(value: float, chance: float) -> tuple[float, float]:
        return first + (right - first) * (value - low) / span, floor - (floor - top) * float(chance)

    for share in (0, 25, 50, 75, 100):
        y = position(low, share / 100)[1]
        pen.line((left, y, right + 20, y), fill=RULE if share else INK, width=2)
        pen.text((left - 12, y), f"{share}%", fill=SOFT, font=letters(20), anchor="rm")
    line: list[tuple[float, float]] = []
    previous = low
    for point in ordered:
        line += [position(previous, point.chance)] if steps else []
        line.append(position(point.at, point.chance))
        previous = point.at
    if len(line) > 1:
        pen.line(line, fill=FILLS[0], width=5, joint="curve")
    _points(pen, ordered, [position(point.at, point.chance) for point in ordered], floor, unit)
    return finished(image, "curve.png", words(title, aim, unit, ordered))


def words(title: str, aim: str, unit: str, points: Sequence[Point]) -> str:
    """Describe the picture."""
    sentences = [
        f"{_at(point, unit)}{' (as asked)' if point.marked else ''} {percent(point.chance).strip()}"
        for point in points
    ]
    return f"{title}. {aim}: {', '.join(sentences)}."


def _at(point: Point, unit: str) -> str:
    if unit != INCHES:
        return f"{unit} {point.at:g}"
    return f"{point.at:g} {unit if point.at != 1 else 'inch'}"


def _points(
    pen: Pen, points: Sequence[Point], places: Sequence[tuple[float, float]], floor: float, unit: str
) -> None:
    """A mark for each, with its chance and its number, as far as they do not meet.

    The chance stands above its mark; below it where it would meet that of the one before.
    """
    last_x = -NARROWEST * 1.0
    for point, (x, y) in zip(points, places, strict=True):
        if point.marked:
            pen.rectangle((x - 10, y - 10, x + 10, y + 10), fill=PAPER, outline=INK, width=4)
        else:
            pen.ellipse((x - 8, y - 8, x + 8, y + 8), fill=FILLS[0], outline=INK, width=2)
        if x - last_x < NARROWEST and not point.marked:
            continue
        beneath = x - last_x < WIDEST_CHANCE and y + 40 < floor
        last_x = x
        letter_style = {"font": letters(22), "stroke_width": 4, "stroke_fill": PAPER}
        place, anchor = ((x, y + 14), "mt") if beneath else ((x, y - 14), "mb")
        pen.text(place, percent(point.chance).strip(), fill=INK, anchor=anchor, **letter_style)  # type: ignore[arg-type]
        pen.text((x, floor + 20), f"{point.at:g}", fill=INK, font=letters(22), anchor="mm")
    note = "the square marks your choice" if any(point.marked for point in points) else ""
    foot = "; ".join(filter(None, (unit, note)))
    pen.text((EDGE + 70, floor + 54), foot, fill=SOFT, font=letters(20), anchor="lm")
