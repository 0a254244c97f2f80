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
from bot.table.ledger.campaign_book import Campaign, format_amount
from bot.table.ledger.campaign_rules import get_rules
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
        place_by_round = {}
        for round_index, round_number in enumerate(self.rounds, 1):
            if round_number in self.there[entrant]:
                own_values = self.worths[entrant][round_index]
                other_values = (
                    values_by_round[round_index]
                    for other_entrant, values_by_round in self.worths.items()
                    if round_number in self.there[other_entrant]
                )
                place_by_round[round_number] = 1 + sum(values > own_values for values in other_values)
        return place_by_round


def course_of(camp: Campaign) -> Standings:
    """Return how the season went."""
    accounts = get_rules(camp.row.system).ranked
    rounds = sorted({fixture.round for fixture in camp.fixtures() if fixture.status == "played"})
    entrants = [entrant.id for entrant in camp.book.all(EntrantRow)]
    gains = {entrant: {number: [0] * len(accounts) for number in (0, *rounds)} for entrant in entrants}
    rounds_present: dict[int, set[int]] = {entrant: set() for entrant in entrants}
    for row, entry_round, last_round in _date_entries(camp, rounds):
        if not row.member and row.account in accounts:
            gains[row.entrant][entry_round][accounts.index(row.account)] += row.amount
        elif not row.member and row.account == "status":
            later_rounds = {one for one in rounds if one > last_round}
            rounds_present[row.entrant] = rounds_present[row.entrant] - later_rounds | (
                later_rounds if row.after == "in" else set()
            )
    values_by_crew = {
        entrant: _sum_up([gains[entrant][number] for number in (0, *rounds)]) for entrant in entrants
    }
    return Standings(
        tuple(rounds), values_by_crew, {one: frozenset(numbers) for one, numbers in rounds_present.items()}
    )


def _date_entries(camp: Campaign, rounds: list[int]) -> Iterator[tuple[LedgerRow, int, int]]:
    last_round = 0
    for row in camp.ledger():
        round_match = NAMED.match(row.cause)
        named_round = int(round_match[2]) if round_match else 0
        entry_round = named_round if named_round in rounds else last_round
        yield row, entry_round, last_round
        if round_match and not round_match[1]:
            last_round = max(last_round, entry_round)


def _sum_up(gains: list[list[int]]) -> tuple[Worth, ...]:
    sums = [tuple(gains[0])]
    for round_gains in gains[1:]:
        sums.append(tuple(sum_before + gain for sum_before, gain in zip(sums[-1], round_gains, strict=True)))
    return tuple(sums)


def standings_over_rounds(camp: Campaign) -> dict[str, tuple[int, ...]]:
    """Return what counts first, at the start and after each round, by crew."""
    values_by_crew = course_of(camp).worths
    return {
        entrant.name: tuple(values[0] for values in values_by_crew[entrant.id])
        for entrant in camp.book.all(EntrantRow)
    }


def beside(rounds: Mapping[str, tuple[int, ...]]) -> dict[str, tuple[float, ...]]:
    """Return how far each crew's mark is moved to the side after each round, in steps, so that all are seen.

    The marks of crews with the same points stand side by side at these points, in the order given; at the
    start all begin in one spot.
    """
    offsets: dict[str, tuple[float, ...]] = {}
    for name, points in rounds.items():
        steps = [0.0]
        for number in range(1, len(points)):
            same_names = [
                other_name
                for other_name, other_points in rounds.items()
                if other_points[number] == points[number]
            ]
            steps.append(same_names.index(name) - (len(same_names) - 1) / 2)
        offsets[name] = tuple(steps[: len(points)])
    return offsets


Rounds = Mapping[str, tuple[int, ...]]

MARKS = ("circle", "square", "up", "down")
MAX_LINES = 12
HEAD, FOOT, LEFT, NAMES = 78, 44, 76, 210
LINE_STEP, HIGH = 34, 420
WIDEST = 14
"""How much wider the lowest of all lines is drawn at most."""
MARK = 8
"""Half the width of a mark."""
BAND_WIDTH = 6
"""How much wider a line is drawn for each line on top of it, so that both its edges show."""


def words_of(rounds: Rounds) -> str:
    """Return the chart in words."""
    return "; ".join(f"{name} {', '.join(map(str, points))}" for name, points in rounds.items())


def _draw_title(title: str, subtitle: str, height: int) -> tuple[Image.Image, Pen]:
    image, pen = sheet(height)
    write(pen, (EDGE, 12), title, 30, WIDTH - 2 * EDGE)
    write(pen, (EDGE, 50), subtitle, 20, WIDTH - 2 * EDGE, fill=SOFT)
    return image, pen


# ------------------------------------------------------------------------------------ points over rounds


def chart(title: str, rounds: Rounds) -> Attachment:
    """Return points after each round, the crews that lead now first; at most twelve lines."""
    ordered_crews = sorted(rounds.items(), key=lambda pair: -pair[1][-1])[:MAX_LINES]
    max_points = max(1, *(max(points) for _, points in ordered_crews))
    last_round = max(1, *(len(points) - 1 for _, points in ordered_crews))
    height = max(HIGH, HEAD + LINE_STEP * len(ordered_crews) + FOOT + 20)
    image, pen = _draw_title(title, "Points of each crew, round by round", height)
    top, bottom, right = HEAD + 20, height - FOOT - 10, WIDTH - EDGE - NAMES

    def spot(number: int, value: float) -> tuple[float, float]:
        return LEFT + (right - LEFT) * number / last_round, bottom - (bottom - top) * value / max_points

    for value in sorted({0, max_points // 2, max_points}):
        pen.line((*spot(0, value), *spot(last_round, value)), fill=RULE, width=2)
        pen.text((LEFT - 12, spot(0, value)[1]), str(value), fill=SOFT, font=letters(22), anchor="rm")
    for number in range(0, last_round + 1, 1 + last_round // 12):
        label_spot = (spot(number, 0)[0], height - FOOT / 2 - 4)
        pen.text(label_spot, str(number), fill=SOFT, font=letters(22), anchor="mm")
    label_heights = _spread_heights(
        [spot(last_round, points[-1])[1] for _, points in ordered_crews], top, bottom
    )
    for place, (name, points) in enumerate(ordered_crews):
        lines_below = [other_points for _, other_points in ordered_crews[place + 1 :]]
        for number in range(len(points) - 1):
            segment = points[number : number + 2]
            covered_count = sum(other_points[number : number + 2] == segment for other_points in lines_below)
            line_ends = (*spot(number, segment[0]), *spot(number + 1, segment[1]))
            pen.line(
                line_ends,
                fill=_colour(place),
                width=4 + round(min(BAND_WIDTH, WIDEST / len(ordered_crews)) * covered_count),
            )
        end, level = spot(len(points) - 1, points[-1]), label_heights[place]
        pen.line((*end, right + 14, level), fill=RULE, width=2)
        _draw_mark(pen, right + 22, level, place)
        write(pen, (right + 38, level), f"{points[-1]} {name}", 22, NAMES - 36, anchor="lm")
    offsets = beside(dict(ordered_crews))
    step = min(2 * MARK + 4, (right - LEFT) / last_round / max(2, len(ordered_crews)))
    for place, (name, points) in enumerate(ordered_crews):
        for number, value in enumerate(points):
            x, y = spot(number, value)
            same_offsets = [
                offsets[other_name][number] for other_name, points in ordered_crews if points[number] == value
            ]
            shift_back = max(same_offsets) if number == last_round else 0
            _draw_mark(pen, x + step * (offsets[name][number] - shift_back), y, place)
    return finished(image, "standings.png", f"{title}: {words_of(dict(ordered_crews))}")


def _colour(place: int) -> str:
    return FILLS[(place + place // len(MARKS)) % len(FILLS)]


def _spread_heights(wanted_heights: Sequence[float], top: float, bottom: float) -> list[float]:
    """Return heights, from above, at which names do not overlap and none leaves the picture."""
    min_gap = LINE_STEP - 4
    heights: list[float] = []
    for wanted_height in wanted_heights:
        heights.append(max(wanted_height, heights[-1] + min_gap if heights else top))
    upper_limit = bottom + min_gap
    for place in range(len(heights) - 1, -1, -1):
        upper_limit = heights[place] = min(heights[place], upper_limit - min_gap)
    return heights


def _draw_mark(pen: Pen, x: float, y: float, place: int) -> None:
    """Draw the shape of a line: full for four lines, hollow for the next four, then with a dot."""
    size, shape, cycle = MARK, MARKS[place % len(MARKS)], place // len(MARKS)
    fill = PAPER if cycle else _colour(place)
    colour = _colour(place)
    if shape == "circle":
        pen.ellipse((x - size, y - size, x + size, y + size), fill=fill, outline=colour, width=3)
    elif shape == "square":
        pen.rectangle((x - size, y - size, x + size, y + size), fill=fill, outline=colour, width=3)
    else:
        tip, base = (y - size - 1, y + size) if shape == "up" else (y + size + 1, y - size)
        corners = ((x, tip), (x - size - 1, base), (x + size + 1, base))
        pen.polygon(corners, fill=fill, outline=colour, width=3)
    if cycle == 2:
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
        """Describe the round in one line."""
        if not self.result:
            return f"round {self.number}: no game, {ordinal(self.place)} place"
        lost_text = f", {times(self.lost, 'member')} hurt or lost" if self.lost else ""
        game = f"{self.result}, {format_amount(self.points, 'points')}{lost_text}"
        return f"round {self.number} against {self.against}: {game}, {ordinal(self.place)} place"


def draw_rise_and_fall(name: str, crews: int, rounds: Sequence[CrewRound]) -> Attachment:
    """Return a crew's place after each round, the first place on top, with each game below it."""
    rows_height, chart_top = 58 * len(rounds), HEAD + 24
    chart_height = 34 * max(2, min(crews, 12))
    image, pen = _draw_title(
        f"{name}: place after each round",
        f"Place among {crews} crews after each round",
        chart_top + chart_height + rows_height + 44,
    )
    step_across = (WIDTH - 2 * EDGE - LEFT) / max(1, len(rounds) - 1)
    step_count = max(1, crews - 1)
    for place in {1, crews}:
        y = chart_top + chart_height * (place - 1) / step_count
        pen.line((LEFT, y, WIDTH - EDGE, y), fill=RULE, width=2)
        pen.text((LEFT - 16, y), f"{place}.", fill=SOFT, font=letters(22), anchor="rm")
    spots = [
        (
            LEFT + 20 + (step_across * number if len(rounds) > 1 else 0),
            chart_top + chart_height * (crew_round.place - 1) / step_count,
        )
        for number, crew_round in enumerate(rounds)
    ]
    if len(spots) > 1:
        pen.line(spots, fill=FILLS[0], width=5)
    for (x, y), crew_round in zip(spots, rounds, strict=True):
        pen.ellipse((x - 19, y - 19, x + 19, y + 19), fill=PAPER, outline=FILLS[0], width=4)
        pen.text((x, y), f"{crew_round.place}.", fill=INK, font=letters(20), anchor="mm")
    text_top = chart_top + chart_height + 40
    for number, crew_round in enumerate(rounds):
        y = text_top + 58 * number
        game = (
            f"{crew_round.result}, {format_amount(crew_round.points, 'points')}"
            if crew_round.result
            else "no game"
        )
        headline = f"Round {crew_round.number}: {game}"
        write(pen, (EDGE, y), headline, 24, WIDTH - 2 * EDGE, anchor="lm")
        lost_text = f", {times(crew_round.lost, 'member')} hurt or lost" if crew_round.lost else ""
        place_text = f"{ordinal(crew_round.place)} place afterwards"
        detail_text = (
            f"against {crew_round.against}{lost_text}, {place_text}" if crew_round.result else place_text
        )
        write(pen, (EDGE + 30, y + 26), detail_text, 20, WIDTH - 90, fill=SOFT, anchor="lm")
    return finished(image, "crew.png", f"{name}: {'; '.join(crew_round.words for crew_round in rounds)}.")


# ------------------------------------------------------------------------------------ who cost whom

MAX_CREWS = 10


def draw_casualties(title: str, names: Sequence[str], counts: Mapping[tuple[str, str], int]) -> Attachment:
    """Draw how many members of each crew (at the left) were hurt or lost in games against each other crew."""
    shown_names, first_column_x = names[:MAX_CREWS], 190
    step = (WIDTH - EDGE - first_column_x) / max(1, len(shown_names))
    top = HEAD + 56
    image, pen = _draw_title(
        title,
        "Each row shows a crew's casualties, with one column for each opponent",
        top + 52 * len(shown_names) + 20,
    )
    max_count = max(1, *counts.values()) if counts else 1
    for column, opponent in enumerate(shown_names):
        column_middle = first_column_x + step * (column + 0.5)
        write(pen, (column_middle, HEAD + 34), opponent, 18, step - 8, fill=SOFT, anchor="mm")
    for row, name in enumerate(shown_names):
        y = top + 52 * row
        write(pen, (EDGE, y + 26), name, 22, first_column_x - EDGE - 10, anchor="lm")
        for column, opponent in enumerate(shown_names):
            count, cell_left = counts.get((name, opponent), 0), first_column_x + step * column
            pen.rectangle((cell_left + 2, y + 2, cell_left + step - 2, y + 50), outline=RULE, width=2)
            if name == opponent:
                pen.line((cell_left + 2, y + 50, cell_left + step - 2, y + 2), fill=RULE, width=2)
                continue
            bar_height = 44 * count / max_count
            if count:
                pen.rectangle((cell_left + 5, y + 48 - bar_height, cell_left + 17, y + 48), fill=FILLS[1])
            pen.text(
                (cell_left + step / 2 + 6, y + 26),
                str(count),
                fill=INK if count else SOFT,
                font=letters(24),
                anchor="mm",
            )
    sentences = [
        f"{name} had {times(count, 'casualty', 'casualties')} against {opponent}"
        for (name, opponent), count in counts.items()
        if count
    ]
    return finished(image, "toll.png", f"{title}. {'; '.join(sentences) or 'There were none'}.")


# ------------------------------------------------------------------------------------ who took whom down


@dataclass(frozen=True, slots=True)
class Victor:
    """A model of a season with each name it took down, and how often."""

    name: str
    side: str
    whom: tuple[tuple[str, int], ...]

    @property
    def total(self) -> int:
        """Return how many models it took down."""
        return sum(count for _, count in self.whom)

    @property
    def names(self) -> str:
        """Return the names it took down, most often first."""
        return ", ".join(f"{name} x{count}" if count > 1 else name for name, count in self.whom)


def draw_takedowns(title: str, victors: Sequence[Victor]) -> Attachment:
    """Draw a bar for each victor, with its number and the names below it; at least one victor."""
    step, top = 92, HEAD + 18
    image, pen = _draw_title(title, "Enemies that each model took down", top + step * len(victors) + 12)
    max_total = max(v.total for v in victors)
    for row, victor in enumerate(victors):
        y = top + step * row
        write(pen, (EDGE, y), f"{victor.name} ({victor.side})", 24, WIDTH - 2 * EDGE)
        bar_length = (WIDTH - 2 * EDGE - 60) * victor.total / max_total
        pen.rectangle((EDGE, y + 32, EDGE + bar_length, y + 48), fill=FILLS[0])
        pen.text((EDGE + bar_length + 12, y + 40), str(victor.total), fill=INK, font=letters(24), anchor="lm")
        write(pen, (EDGE, y + 54), victor.names, 20, WIDTH - 2 * EDGE, fill=SOFT)
    sentences = "; ".join(f"{v.name} ({v.side}) {v.total}: {v.names}" for v in victors)
    return finished(image, "downs.png", f"{title}. {sentences}.")
