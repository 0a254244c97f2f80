"""A picture of chances or amounts, best first: a name, a bar and the number for each, read at a glance.

The one that was asked for is framed and marked in words; nothing is told by colour alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.replies.chances import percent
from bot.replies.drawing import EDGE, FILLS, INK, RULE, SOFT, WIDTH, Pen, finished, letters, sheet, write
from bot.replies.reply import Attachment

MAX_RUNGS = 20
"""Bars of one picture; the message has the others."""

NAME, NUMBER, STEP, NOTED = 250, 120, 46, 68
HEAD, FOOT = 96, 48


@dataclass(frozen=True, slots=True)
class Rung:
    """One bar. chance: 0 to 1, a sampled one with its band, or an amount; marked: it was asked for.

    note: what stands below its name in small letters.
    """

    name: str
    chance: float
    marked: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Amounts:
    """Bars of amounts in place of chances. places: digits behind the point."""

    places: int

    def told(self, amount: float) -> str:
        """Return an amount in words."""
        return f"{amount:.{self.places}f}"


def ladder(title: str, aim: str, rungs: Sequence[Rung], amounts: Amounts | None = None) -> Attachment:
    """Return the picture, with words that say all of it. aim: what bars show; amounts: none for chances."""
    shown_rungs = rungs[:MAX_RUNGS]
    highest = max(rung.chance for rung in shown_rungs) or 1.0 if amounts else 1.0
    step = NOTED if any(rung.note for rung in shown_rungs) else STEP
    image, pen = sheet(HEAD + step * len(shown_rungs) + FOOT)
    write(pen, (EDGE, 14), title, 32, WIDTH - 2 * EDGE)
    write(pen, (EDGE, 58), aim, 24, WIDTH - 2 * EDGE, fill=SOFT)
    left, right, end = EDGE + NAME, WIDTH - EDGE - NUMBER, HEAD + step * len(shown_rungs)
    for share in (0, 50, 100):
        x = left + (right - left) * share / 100
        pen.line((x, HEAD, x, end), fill=RULE if share else INK, width=2)
        mark = amounts.told(highest * share / 100) if amounts else f"{share}%"
        pen.text((x, end + 20), mark, fill=SOFT, font=letters(20), anchor="mm")
    for place, rung in enumerate(shown_rungs):
        _draw(pen, rung, HEAD + step * place, step, highest, _told(rung, amounts))
    if any(rung.marked for rung in shown_rungs):
        pen.text((EDGE, end + 20), "* marks your choice", fill=SOFT, font=letters(20), anchor="lm")
    return finished(image, "odds.png", words(title, aim, rungs, amounts))


def words(title: str, aim: str, rungs: Sequence[Rung], amounts: Amounts | None = None) -> str:
    """Describe the picture."""
    sentences = [
        f"{', '.join(filter(None, (rung.name, rung.note)))}{' (as asked)' if rung.marked else ''} "
        f"{_told(rung, amounts)}"
        for rung in rungs
    ]
    return f"{title}. {aim}: {', '.join(sentences)}."


def _told(rung: Rung, amounts: Amounts | None) -> str:
    return amounts.told(rung.chance) if amounts else percent(rung.chance).strip()


def _draw(pen: Pen, rung: Rung, top: int, step: int, highest: float, percent_text: str) -> None:
    """One bar. highest: where the scale ends; percent_text: its number in words."""
    middle, left, right = top + STEP / 2, EDGE + NAME, WIDTH - EDGE - NUMBER
    if rung.marked:
        pen.rectangle((8, top + 2, WIDTH - 8, top + step - 2), outline=INK, width=3)
    name = f"{rung.name} *" if rung.marked else rung.name
    write(pen, (EDGE, middle), name, 24, NAME - 12, anchor="lm")
    if rung.note:
        note_point = (EDGE, top + STEP + 6)
        write(pen, note_point, rung.note, 20, WIDTH - 2 * EDGE, fill=SOFT, anchor="lm", halo=4)
    end = left + (right - left) * min(1.0, float(rung.chance) / highest)
    pen.rectangle((left, top + 9, right, top + STEP - 9), outline=RULE, width=2)
    pen.line((left, top + 9, left, top + STEP - 9), fill=INK, width=2)
    if end - left >= 2:
        pen.rectangle((left, top + 9, end, top + STEP - 9), fill=FILLS[0], outline=INK, width=2)
    number_point = (WIDTH - EDGE, middle)
    write(pen, number_point, percent_text, 24, NUMBER - 8, anchor="rm")
