"""Charts of a season: the standings after each round, read from the ledger, drawn and put into words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

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
from bot.replies.pillow import Image
from bot.replies.reply import Attachment
from bot.store.row_types import EntrantRow, LedgerRow
from bot.table.ledger.campaign_book import Campaign, amount_words
from bot.table.ledger.campaign_rules import rules_of
from rules.wording import ordinal, times

Worth = tuple[int, ...]
"""The accounts that rank a crew, in order."""

NAMED = re.compile(r"(correction of )?round (\d+)\b")


@dataclass(frozen=True, slots=True)
class Standings:
    """rounds: those that were played. worths: of each entrant, at the start and after each of them.

    there: after which rounds each took part.
    """

    rounds: tuple[int, ...]
    worths: Mapping[int, tuple[Worth, ...]]
    there: Mapping[int, frozenset[int]]

    def places(self, entrant: int) -> dict[int, int]:
        """Return its place after each round after which it took part; equal crews share one."""
        found = {}
        for number, played in enumerate(self.rounds, 1):
            if played in self.there[entrant]:
                mine = self.worths[entrant][number]
                others = (worths[number] for one, worths in self.worths.items() if played in self.there[one])
                found[played] = 1 + sum(worth > mine for worth in others)
        return found


def course_of(camp: Campaign) -> Standings:
    """Return how the season went."""
    accounts = rules_of(camp.row.system).ranked
    rounds = sorted({fixture.round for fixture in camp.fixtures() if fixture.status == "played"})
    entrants = [entrant.id for entrant in camp.book.all(EntrantRow)]
    gained = {entrant: {number: [0] * len(accounts) for number in (0, *rounds)} for entrant in entrants}
    there: dict[int, set[int]] = {entrant: set() for entrant in entrants}
    for row, at, last in _dated(camp, rounds):
        if not row.member and row.account in accounts:
            gained[row.entrant][at][accounts.index(row.account)] += row.amount
        elif not row.member and row.account == "status":
            later = {one for one in rounds if one > last}
            there[row.entrant] = there[row.entrant] - later | (later if row.after == "in" else set())
    worths = {entrant: _summed([gained[entrant][number] for number in (0, *rounds)]) for entrant in entrants}
    return Standings(tuple(rounds), worths, {one: frozenset(numbers) for one, numbers in there.items()})


def _dated(camp: Campaign, rounds: list[int]) -> Iterator[tuple[LedgerRow, int, int]]:
    last = 0
    for row in camp.ledger():
        named = NAMED.match(row.cause)
        number = int(named[2]) if named else 0
        at = number if number in rounds else last
        yield row, at, last
        if named and not named[1]:
            last = max(last, at)


def _summed(gained: list[list[int]]) -> tuple[Worth, ...]:
    found = [tuple(gained[0])]
    for more in gained[1:]:
        found.append(tuple(have + one for have, one in zip(found[-1], more, strict=True)))
    return tuple(found)


def standings_over_rounds(camp: Campaign) -> dict[str, tuple[int, ...]]:
    """Return what counts first, at the start and after each round, by crew."""
    worths = course_of(camp).worths
    return {
        entrant.name: tuple(worth[0] for worth in worths[entrant.id]) for entrant in camp.book.all(EntrantRow)
    }


def beside(rounds: Mapping[str, tuple[int, ...]]) -> dict[str, tuple[float, ...]]:
    """Return how far each crew's mark is moved to the side after each round, in steps, so that all are seen.

    The marks of crews with the same points stand side by side at these points, in the order given; at the
    start all begin in one spot.
    """
    found: dict[str, tuple[float, ...]] = {}
    for name, points in rounds.items():
        steps = [0.0]
        for number in range(1, len(points)):
            same = [one for one, others in rounds.items() if others[number] == points[number]]
            steps.append(same.index(name) - (len(same) - 1) / 2)
        found[name] = tuple(steps[: len(points)])
    return found


Rounds = Mapping[str, tuple[int, ...]]

MARKS = ("circle", "square", "up", "down")
MAX_LINES = 12
HEAD, FOOT, LEFT, NAMES = 78, 44, 76, 210
LINE_STEP, HIGH = 34, 420
WIDEST = 14
"""How much wider the lowest of all lines is drawn at most."""
MARK = 8
"""Half the width of a mark."""
BAND = 6
"""How much wider a line is drawn for each line on top of it, so that both its edges show."""


def words_of(rounds: Rounds) -> str:
    """Return the chart in words."""
    return "; ".join(f"{name} {', '.join(map(str, points))}" for name, points in rounds.items())


def _titled(title: str, below: str, height: int) -> tuple[Image.Image, Pen]:
    image, pen = sheet(height)
    write(pen, (EDGE, 12), title, 30, WIDTH - 2 * EDGE)
    write(pen, (EDGE, 50), below, 20, WIDTH - 2 * EDGE, fill=SOFT)
    return image, pen


# ------------------------------------------------------------------------------------ points over rounds


def chart(title: str, rounds: Rounds) -> Attachment:
    """Return points after each round, the crews that lead now first; at most twelve lines."""
    ordered = sorted(rounds.items(), key=lambda pair: -pair[1][-1])[:MAX_LINES]
    most = max(1, *(max(points) for _, points in ordered))
    last = max(1, *(len(points) - 1 for _, points in ordered))
    height = max(HIGH, HEAD + LINE_STEP * len(ordered) + FOOT + 20)
    image, pen = _titled(title, "Points of each crew, round by round", height)
    top, bottom, right = HEAD + 20, height - FOOT - 10, WIDTH - EDGE - NAMES

    def spot(number: int, value: float) -> tuple[float, float]:
        return LEFT + (right - LEFT) * number / last, bottom - (bottom - top) * value / most

    for value in sorted({0, most // 2, most}):
        pen.line((*spot(0, value), *spot(last, value)), fill=RULE, width=2)
        pen.text((LEFT - 12, spot(0, value)[1]), str(value), fill=SOFT, font=letters(22), anchor="rm")
    for number in range(0, last + 1, 1 + last // 12):
        at = (spot(number, 0)[0], height - FOOT / 2 - 4)
        pen.text(at, str(number), fill=SOFT, font=letters(22), anchor="mm")
    heights = _apart([spot(last, points[-1])[1] for _, points in ordered], top, bottom)
    for place, (name, points) in enumerate(ordered):
        below = [others for _, others in ordered[place + 1 :]]
        for number in range(len(points) - 1):
            both = points[number : number + 2]
            covered = sum(others[number : number + 2] == both for others in below)
            ends = (*spot(number, both[0]), *spot(number + 1, both[1]))
            pen.line(ends, fill=_colour(place), width=4 + round(min(BAND, WIDEST / len(ordered)) * covered))
        end, level = spot(len(points) - 1, points[-1]), heights[place]
        pen.line((*end, right + 14, level), fill=RULE, width=2)
        _mark(pen, right + 22, level, place)
        write(pen, (right + 38, level), f"{points[-1]} {name}", 22, NAMES - 36, anchor="lm")
    aside = beside(dict(ordered))
    step = min(2 * MARK + 4, (right - LEFT) / last / max(2, len(ordered)))
    for place, (name, points) in enumerate(ordered):
        for number, value in enumerate(points):
            x, y = spot(number, value)
            same = [aside[other][number] for other, points in ordered if points[number] == value]
            back = max(same) if number == last else 0
            _mark(pen, x + step * (aside[name][number] - back), y, place)
    return finished(image, "standings.png", f"{title}: {words_of(dict(ordered))}")


def _colour(place: int) -> str:
    return FILLS[(place + place // len(MARKS)) % len(FILLS)]


def _apart(wanted: Sequence[float], top: float, bottom: float) -> list[float]:
    """Return heights, from above, at which names do not overlap and none leaves the picture."""
    least = LINE_STEP - 4
    found: list[float] = []
    for at in wanted:
        found.append(max(at, found[-1] + least if found else top))
    below = bottom + least
    for place in range(len(found) - 1, -1, -1):
        below = found[place] = min(found[place], below - least)
    return found


def _mark(pen: Pen, x: float, y: float, place: int) -> None:
    """Draw the shape of a line: full for four lines, hollow for the next four, then with a dot."""
    size, shape, again = MARK, MARKS[place % len(MARKS)], place // len(MARKS)
    fill = PAPER if again else _colour(place)
    colour = _colour(place)
    if shape == "circle":
        pen.ellipse((x - size, y - size, x + size, y + size), fill=fill, outline=colour, width=3)
    elif shape == "square":
        pen.rectangle((x - size, y - size, x + size, y + size), fill=fill, outline=colour, width=3)
    else:
        tip, base = (y - size - 1, y + size) if shape == "up" else (y + size + 1, y - size)
        spots = ((x, tip), (x - size - 1, base), (x + size + 1, base))
        pen.polygon(spots, fill=fill, outline=colour, width=3)
    if again == 2:
        pen.ellipse((x - 3, y - 3, x + 3, y + 3), fill=colour)


# ------------------------------------------------------------------------------------ one crew


@dataclass(frozen=True, slots=True)
class CrewRound:
    """A round of one crew. place: after it; result: in words, empty where it did not play; lost: members."""

    number: int
    place: int
    result: str
    against: str
    points: int
    lost: int

    @property
    def words(self) -> str:
        """Return all of it."""
        if not self.result:
            return f"round {self.number}: no game, {ordinal(self.place)} place"
        lost = f", {times(self.lost, 'member')} hurt or lost" if self.lost else ""
        game = f"{self.result}, {amount_words(self.points, 'points')}{lost}"
        return f"round {self.number} against {self.against}: {game}, {ordinal(self.place)} place"


def rise_and_fall(name: str, crews: int, rounds: Sequence[CrewRound]) -> Attachment:
    """Return a crew's place after each round, the first place on top, with each game below it."""
    rows, top = 58 * len(rounds), HEAD + 24
    ladder = 34 * max(2, min(crews, 12))
    image, pen = _titled(
        f"{name}: place after each round",
        f"Place among {crews} crews after each round",
        top + ladder + rows + 44,
    )
    across = (WIDTH - 2 * EDGE - LEFT) / max(1, len(rounds) - 1)
    deep = max(1, crews - 1)
    for place in {1, crews}:
        y = top + ladder * (place - 1) / deep
        pen.line((LEFT, y, WIDTH - EDGE, y), fill=RULE, width=2)
        pen.text((LEFT - 16, y), f"{place}.", fill=SOFT, font=letters(22), anchor="rm")
    spots = [
        (LEFT + 20 + (across * number if len(rounds) > 1 else 0), top + ladder * (one.place - 1) / deep)
        for number, one in enumerate(rounds)
    ]
    if len(spots) > 1:
        pen.line(spots, fill=FILLS[0], width=5)
    for (x, y), one in zip(spots, rounds, strict=True):
        pen.ellipse((x - 19, y - 19, x + 19, y + 19), fill=PAPER, outline=FILLS[0], width=4)
        pen.text((x, y), f"{one.place}.", fill=INK, font=letters(20), anchor="mm")
    below = top + ladder + 40
    for number, one in enumerate(rounds):
        y = below + 58 * number
        game = f"{one.result}, {amount_words(one.points, 'points')}" if one.result else "no game"
        said = f"Round {one.number}: {game}"
        write(pen, (EDGE, y), said, 24, WIDTH - 2 * EDGE, anchor="lm")
        lost = f", {times(one.lost, 'member')} hurt or lost" if one.lost else ""
        after = f"{ordinal(one.place)} place afterwards"
        more = f"against {one.against}{lost}, {after}" if one.result else after
        write(pen, (EDGE + 30, y + 26), more, 20, WIDTH - 90, fill=SOFT, anchor="lm")
    return finished(image, "crew.png", f"{name}: {'; '.join(one.words for one in rounds)}.")


# ------------------------------------------------------------------------------------ who cost whom

MAX_CREWS = 10


def toll(title: str, names: Sequence[str], counts: Mapping[tuple[str, str], int]) -> Attachment:
    """Draw how many members of each crew (at the left) were hurt or lost in games against each other crew."""
    shown, first = names[:MAX_CREWS], 190
    step = (WIDTH - EDGE - first) / max(1, len(shown))
    top = HEAD + 56
    image, pen = _titled(
        title,
        "Each row shows a crew's casualties, with one column for each opponent",
        top + 52 * len(shown) + 20,
    )
    most = max(1, *counts.values()) if counts else 1
    for column, other in enumerate(shown):
        middle = first + step * (column + 0.5)
        write(pen, (middle, HEAD + 34), other, 18, step - 8, fill=SOFT, anchor="mm")
    for row, name in enumerate(shown):
        y = top + 52 * row
        write(pen, (EDGE, y + 26), name, 22, first - EDGE - 10, anchor="lm")
        for column, other in enumerate(shown):
            count, left = counts.get((name, other), 0), first + step * column
            pen.rectangle((left + 2, y + 2, left + step - 2, y + 50), outline=RULE, width=2)
            if name == other:
                pen.line((left + 2, y + 50, left + step - 2, y + 2), fill=RULE, width=2)
                continue
            high = 44 * count / most
            if count:
                pen.rectangle((left + 5, y + 48 - high, left + 17, y + 48), fill=FILLS[1])
            pen.text(
                (left + step / 2 + 6, y + 26),
                str(count),
                fill=INK if count else SOFT,
                font=letters(24),
                anchor="mm",
            )
    told = [
        f"{name} had {times(count, 'casualty', 'casualties')} against {other}"
        for (name, other), count in counts.items()
        if count
    ]
    return finished(image, "toll.png", f"{title}. {'; '.join(told) or 'There were none'}.")


# ------------------------------------------------------------------------------------ who took whom down


@dataclass(frozen=True, slots=True)
class Victor:
    """A model of a season with each name it took down, and how often."""

    name: str
    side: str
    whom: tuple[tuple[str, int], ...]

    @property
    def many(self) -> int:
        """Return how many went down by it."""
        return sum(many for _, many in self.whom)

    @property
    def names(self) -> str:
        """Return the names it took down, most often first."""
        return ", ".join(f"{one} x{many}" if many > 1 else one for one, many in self.whom)


def took_down(title: str, victors: Sequence[Victor]) -> Attachment:
    """Draw a bar for each victor, with its number and the names below it; at least one victor."""
    step, top = 92, HEAD + 18
    image, pen = _titled(title, "Enemies that each model took down", top + step * len(victors) + 12)
    most = max(one.many for one in victors)
    for row, victor in enumerate(victors):
        y = top + step * row
        write(pen, (EDGE, y), f"{victor.name} ({victor.side})", 24, WIDTH - 2 * EDGE)
        long = (WIDTH - 2 * EDGE - 60) * victor.many / most
        pen.rectangle((EDGE, y + 32, EDGE + long, y + 48), fill=FILLS[0])
        pen.text((EDGE + long + 12, y + 40), str(victor.many), fill=INK, font=letters(24), anchor="lm")
        write(pen, (EDGE, y + 54), victor.names, 20, WIDTH - 2 * EDGE, fill=SOFT)
    told = "; ".join(f"{one.name} ({one.side}) {one.many}: {one.names}" for one in victors)
    return finished(image, "downs.png", f"{title}. {told}.")
