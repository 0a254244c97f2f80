"""Pictures of a season: what counts first after each round, a line for each crew; told in words as well."""

from __future__ import annotations

import io
from collections.abc import Mapping

from PIL import Image, ImageDraw, ImageFont

from bot.replies.reply import Attachment
from bot.replies.sheets.layout import BOLD, PLAIN
from bot.store.campaign_rows import EntrantRow
from bot.table.campaign.campaign_book import Campaign
from bot.table.campaign.campaign_rules import is_of, rules_of

Rounds = Mapping[str, tuple[int, ...]]

WIDE, HIGH, LEFT, TOP, RIGHT, BELOW = 960, 480, 50, 50, 230, 40
INK, SOFT = "#161616", "#cfcfcf"
COLOURS = ("#0b5fa5", "#b3420a", "#2e7d32", "#6a1b9a", "#8a6d00", "#00696b", "#a3174f", "#444444")
MARKS = ("circle", "square", "up", "down")
"""Lines are told apart by the name at their end and the shape of their marks, not by colour alone."""
MOST_LINES = 12


def standings_over_rounds(camp: Campaign) -> dict[str, tuple[int, ...]]:
    """What counts first after each round, 0 first, by crew; corrections count where they belong."""
    account = rules_of(camp.row.system).ranked[0]
    rounds = sorted({one.round for one in camp.fixtures() if one.status == "played"})
    found = {}
    for entrant in camp.book.all(EntrantRow):
        rows = [one for one in camp.ledger(entrant.id) if one.account == account and not one.member]
        sums = [0]
        for number in rounds:
            words = f"round {number}"
            gained = sum(
                one.amount
                for one in rows
                if is_of(one.cause, words) or one.cause.startswith(f"correction of {words}:")
            )
            sums.append(sums[-1] + gained)
        found[entrant.name] = tuple(sums)
    return found


def words_of(rounds: Rounds) -> str:
    """The chart in words."""
    return "; ".join(f"{name} {', '.join(map(str, points))}" for name, points in rounds.items())


def chart(title: str, rounds: Rounds) -> Attachment:
    """Points after each round, the crews that lead now first; at most twelve lines."""
    ordered = sorted(rounds.items(), key=lambda pair: -pair[1][-1])[:MOST_LINES]
    most = max(1, *(max(points) for _, points in ordered))
    last = max(1, *(len(points) - 1 for _, points in ordered))
    image = Image.new("RGB", (WIDE, HIGH), "#ffffff")
    draw = ImageDraw.Draw(image)
    heads, small = ImageFont.truetype(str(BOLD), 22), ImageFont.truetype(str(PLAIN), 17)
    draw.text((LEFT, 14), title, fill=INK, font=heads)

    def spot(number: int, value: float) -> tuple[float, float]:
        x = LEFT + (WIDE - LEFT - RIGHT) * number / last
        return x, TOP + (HIGH - TOP - BELOW) * (1 - value / most)

    for value in sorted({0, most // 2, most}):
        draw.line((*spot(0, value), *spot(last, value)), fill=SOFT)
        draw.text((LEFT - 8, spot(0, value)[1]), str(value), fill=INK, font=small, anchor="rm")
    for number in range(last + 1):
        draw.text((spot(number, 0)[0], HIGH - 14), str(number), fill=INK, font=small, anchor="mm")
    before = 0.0
    for place, (name, points) in enumerate(ordered):
        colour = COLOURS[place % len(COLOURS)]
        line = [spot(number, value) for number, value in enumerate(points)]
        draw.line(line, fill=colour, width=3)
        for x, y in line:
            _mark(draw, x, y, MARKS[place % len(MARKS)], colour)
        before = max(line[-1][1], before + 22)
        end = line[-1][0]
        _mark(draw, end + 22, before, MARKS[place % len(MARKS)], colour)
        draw.text((end + 36, before), f"{name} {points[-1]}", fill=INK, font=small, anchor="lm")
    stream = io.BytesIO()
    image.save(stream, "PNG", optimize=True)
    return Attachment("standings.png", f"{title}: {words_of(dict(ordered))}", stream.getvalue())


def _mark(draw: ImageDraw.ImageDraw, x: float, y: float, shape: str, colour: str) -> None:
    size = 6
    if shape == "circle":
        draw.ellipse((x - size, y - size, x + size, y + size), fill=colour)
    elif shape == "square":
        draw.rectangle((x - size, y - size, x + size, y + size), fill=colour)
    else:
        tip = y - size if shape == "up" else y + size
        base = y + size if shape == "up" else y - size
        draw.polygon(((x, tip), (x - size, base), (x + size, base)), fill=colour)
