"""How an encounter went, told at its end: losses, the hardest moments, and a picture of the course."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.replies.drawing import (
    EDGE,
    FILLS,
    INK,
    MAX_WORDS_LENGTH,
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
from bot.replies.reply import Attachment, Button
from bot.store.rows import EncounterRow, ModelRow, SideRow, layout
from bot.store.store import Store
from bot.table.encounter import GONE, Encounter
from bot.table.entries import numbers_of
from bot.table.game import FOLLOW_UPS
from rules.wording import times

MAX_ENTRIES = 20_000
"""Entries that are read; of a longer game nothing is told, since the half of it would be untrue."""


@dataclass(frozen=True, slots=True)
class Blow:
    """One step that cost a side. entry: its number in the log; turn: 1 or more.

    gone: models that left play by it; not those which an earlier step had hurt and that now are taken off.
    damage: wounds, of each model no more than it had left.
    """

    entry: int
    turn: int
    title: str
    gone: int
    damage: int


@dataclass(frozen=True, slots=True)
class Course:
    """How a game went, by side.

    present: how many models were in play at the end of each turn, from turn 0, which is before the first.
    blows: the step that cost a side most: models first, then damage; of equal ones the earlier.
    """

    present: dict[int, tuple[int, ...]] = field(default_factory=dict)
    blows: dict[int, Blow] = field(default_factory=dict)


async def load_course(store: Store, scope: int, lives: Mapping[int, int]) -> Course:
    """Return the course of a scope's encounter; empty if its journal is longer than `MAX_ENTRIES`.

    lives: the wounds that each model takes before it goes down, by its id; 0 if that is unknown.
    """
    tables = (EncounterRow.table, ModelRow.table)
    steps = await store.steps_that_changed(scope, tables, MAX_ENTRIES + 1)
    if len(steps) > MAX_ENTRIES:
        return Course()
    find_number = await numbers_of(store, scope)
    reader = _CourseReader(lives)
    for seq, title, changes in steps:
        reader.step(find_number(seq), title, json.loads(changes))
    return Course(reader.present(), reader.blows)


@dataclass(slots=True)
class _Model:
    side: int
    damage: int
    here: bool


@dataclass(slots=True)
class _CourseReader:
    """The journal, as far as it was read."""

    lives: Mapping[int, int]
    turn: int = 0
    models: dict[int, _Model] = field(default_factory=dict)
    blows: dict[int, Blow] = field(default_factory=dict)
    counts: dict[int, dict[int, int]] = field(default_factory=dict)

    def step(self, entry: int, title: str, changes: list[Any]) -> None:
        """Read one entry further."""
        losses_by_side: dict[int, tuple[int, int]] = {}
        turn_before = self.turn
        for table, row_key, row_change in changes:
            if table == EncounterRow.table:
                self._update_turn(row_change)
            elif table == ModelRow.table:
                for side, fallen_count, damage in self._change(row_key, row_change):
                    previous_losses = losses_by_side.get(side, (0, 0))
                    losses_by_side[side] = (previous_losses[0] + fallen_count, previous_losses[1] + damage)
        for side, (fallen_count, damage) in losses_by_side.items():
            worst_blow = self.blows.get(side)
            if turn_before and (
                worst_blow is None or (fallen_count, damage) > (worst_blow.gone, worst_blow.damage)
            ):
                self.blows[side] = Blow(entry, turn_before, title, fallen_count, damage)
        if any(change[0] == ModelRow.table for change in changes):
            self._count()

    def _count(self) -> None:
        counts: dict[int, int] = {}
        for model in self.models.values():
            counts[model.side] = counts.get(model.side, 0) + model.here
        self.counts[self.turn] = counts

    def present(self) -> dict[int, tuple[int, ...]]:
        """Return every side's models in play by turn; a turn without changes repeats the last one."""
        sides = sorted({model.side for model in self.models.values()})
        counts_by_turn: dict[int, tuple[int, ...]] = {}
        for side in sides:
            current_turn = [0]
            for turn in range(self.turn + 1):
                current_turn.append(
                    self.counts[turn].get(side, 0) if turn in self.counts else current_turn[-1]
                )
            counts_by_turn[side] = tuple(current_turn[1:])
        return counts_by_turn

    def _update_turn(self, row_change: Any) -> None:
        if isinstance(row_change, dict):
            self.turn = row_change["turn"][1] if "turn" in row_change else self.turn
        elif row_change:
            self.turn = row_change[layout(EncounterRow.table).names.index("turn")]

    def _change(self, first: Any, second: Any) -> Iterator[tuple[int, int, int]]:
        """Yield one model's change: its side, 1 if it left play, and its damage."""
        names = layout(ModelRow.table).names
        if not isinstance(second, dict):
            self.models.pop(int((second or first)[names.index("id")]), None)
            if second:
                row = dict(zip(names, second, strict=False))
                self.models[row["id"]] = _Model(row["side"], row["damage"], row["status"] != GONE)
            return
        number = int(first[1])
        model = self.models[number]
        was_in_play = model.here
        damage = wounds = 0
        if "damage" in second:
            damage_before, model.damage = second["damage"]
            damage = model.damage - damage_before
            wounds = self._within(number, model.damage) - self._within(number, damage_before)
        if "side" in second:
            model.side = second["side"][1]
        if "status" in second:
            model.here = second["status"][1] != GONE
        is_replaced = "profile" in second or "name" in second
        new_damage = 0 if is_replaced else max(0, damage)
        has_fallen = was_in_play and not model.here and (new_damage > 0 or not model.damage)
        if has_fallen or new_damage:
            yield model.side, int(has_fallen), min(new_damage, max(0, wounds))

    def _within(self, model: int, damage: int) -> int:
        return min(damage, self.lives.get(model, 0) or damage)


def list_follow_ups(encounter: Encounter) -> list[Button]:
    """Return the buttons below the end report."""
    return [button for _, make_button in sorted(FOLLOW_UPS.items()) for button in make_button(encounter)]


def format_losses(encounter: Encounter) -> list[str]:
    """Return who of every side is out of play at the end, however that came."""
    lines = []
    for side in encounter.sides():
        all_models = encounter.models(side.id, gone=True)
        lost_names = [model.name for model in all_models if model.status == GONE]
        if all_models:
            names = f" ({', '.join(lost_names)})" if lost_names else ""
            total = times(len(all_models), "model")
            lines.append(f"{side.name}: {len(lost_names)} of {total} out of play{names}.")
    return lines


def format_worst_moments(encounter: Encounter, course: Course) -> list[str]:
    """Return the step that cost each side most, both sides in turn; empty without losses."""
    sides = encounter.sides()
    lines: list[str] = []
    for side in sides:
        blow = course.blows.get(side.id)
        if blow is None:
            continue
        lines.append(f"{_describe_moment(side, sides)}: {format_cost(blow)} (turn {blow.turn}).")
        lines.append(f"  {blow.title}")
    return lines


def format_counts_by_turn(encounter: Encounter, course: Course) -> list[str]:
    """Return how many of each side were in play turn by turn; for sides of which the journal tells it."""
    lines: list[str] = []
    for side in encounter.sides():
        counts = count_by_turn(encounter, course, side.id)
        if counts:
            lines.append(f"{side.name}, models in play by turn: {' '.join(map(str, counts))}")
    return lines


def count_by_turn(encounter: Encounter, course: Course, side: int) -> tuple[int, ...]:
    """Return how many of a side were in play at the end of each turn from turn 0; () if unknown."""
    counts = course.present.get(side, ())
    standing_count = len(encounter.models(side))
    return counts if len(counts) > 1 and counts[-1] == standing_count else ()


def _describe_moment(side: SideRow, sides: Sequence[SideRow]) -> str:
    other_sides = [other for other in sides if other.id != side.id]
    best_words = f", best for {other_sides[0].name}" if len(other_sides) == 1 else ""
    return f"Worst moment for {side.name}{best_words}"


def format_cost(blow: Blow) -> str:
    """Return what a step cost: `2 models out of play, 5 wounds`."""
    parts = [f"{times(blow.gone, 'model')} out of play"] if blow.gone else []
    parts += [times(blow.damage, "wound")] if blow.damage else []
    return ", ".join(parts)


TOKEN_SIZE, TOKENS_PER_ROW = 30, 20
BAR_HEIGHT, NUMBER_HEIGHT = 110, 34
MAX_BARS = 16
"""Places for turns: of a longer game the first, a gap and the last ones, so that every number is readable."""

SEE_MESSAGE = "The message above lists every turn."

CORNERS = (0, 4, 3, 6)
"""How many corners a side's figures have: a disc, a square, a triangle, a hexagon."""

TEXT_WIDTH = WIDTH - 2 * EDGE - 40


@dataclass(frozen=True, slots=True)
class _Side:
    """One side as it is drawn. counts: how many stood in every turn; place: counted from 0."""

    place: int
    row: SideRow
    here: int
    gone: int
    counts: tuple[int, ...]
    worst: Blow | None

    @property
    def shown(self) -> tuple[tuple[int, int] | None, ...]:
        """Return the turns that are drawn with how many stood; None for those left out."""
        numbered = tuple(enumerate(self.counts))
        if len(numbered) <= MAX_BARS:
            return numbered
        return (numbered[0], None, *numbered[2 - MAX_BARS :])

    @property
    def standing(self) -> str:
        return f"{self.row.name}: {self.here} of {self.here + self.gone} in play"

    @property
    def height(self) -> int:
        rows = -(-(self.here + self.gone) // TOKENS_PER_ROW)
        return 52 + rows * (TOKEN_SIZE + 6) + (BAR_HEIGHT + NUMBER_HEIGHT + 44 if self.shown else 0) + 18


def draw_end_picture(encounter: Encounter, course: Course) -> Attachment | None:
    """Return every side's figures and, where the journal tells, how many stood by turn; None without any."""
    sides = [_make_side(encounter, course, place, row) for place, row in enumerate(encounter.sides())]
    sides = [side for side in sides if side.here + side.gone]
    if not sides:
        return None
    title = f"{encounter.row.name}: end of the game"
    if encounter.row.turn:
        title += f", turn {encounter.row.turn}"
    image, pen = sheet(70 + sum(side.height for side in sides))
    write(pen, (EDGE, 18), title, 32, TEXT_WIDTH)
    top = 70
    for side in sides:
        _draw_side(pen, side, top)
        top += side.height
    return finished(image, "end.png", _write_description(title, sides))


def _make_side(encounter: Encounter, course: Course, place: int, row: SideRow) -> _Side:
    all_models = encounter.models(row.id, gone=True)
    lost_count = sum(model.status == GONE for model in all_models)
    counts = count_by_turn(encounter, course, row.id)
    return _Side(place, row, len(all_models) - lost_count, lost_count, counts, course.blows.get(row.id))


def has_turns(picture: Attachment) -> bool:
    """Return whether the picture's description has room for every turn; otherwise the message lists them."""
    return not picture.words.endswith(SEE_MESSAGE)


def _write_description(title: str, sides: list[_Side]) -> str:
    """Return as much as fits: turns by name, or numbers in a row, or a reference to the message."""
    side_lines = [_describe_side(side, _format_counts(side.counts)) for side in sides]
    number_lines = [
        _describe_side(side, f"{' '.join(map(str, side.counts))} (from the start)") for side in sides
    ]
    standing_lines = [f"{side.standing}." for side in sides]
    for parts in (side_lines, number_lines):
        words = " ".join((f"{title}.", *parts))
        if len(words) <= MAX_WORDS_LENGTH:
            return words
    max_length = MAX_WORDS_LENGTH - len(SEE_MESSAGE) - 1
    words = " ".join((f"{title}.", *standing_lines))
    return f"{words if len(words) <= max_length else words[:max_length]} {SEE_MESSAGE}"


def _describe_side(side: _Side, turns: str) -> str:
    parts = [f"{side.standing}, {side.gone} out of play."]
    parts += [f"In play by turn: {turns}."] if side.counts else []
    parts += [_format_worst(side.worst)] if side.worst and side.counts else []
    return " ".join(parts)


def _format_counts(counts: Sequence[int]) -> str:
    return ", ".join(f"{count} {_format_turn(turn)}" for turn, count in enumerate(counts))


def _format_worst(blow: Blow) -> str:
    return f"Worst moment: turn {blow.turn}, {format_cost(blow)}."


def _format_turn(turn: int) -> str:
    return f"after turn {turn}" if turn else "at the start"


def _draw_side(pen: Pen, side: _Side, top: int) -> None:
    pen.line((EDGE, top, WIDTH - EDGE, top), fill=RULE, width=2)
    middle = top + 28
    _draw_figure(pen, side.place, EDGE + 12, middle, 12, standing=True)
    write(pen, (EDGE + 36, middle), side.standing, 26, TEXT_WIDTH, anchor="lm")
    top += 52
    for number in range(side.here + side.gone):
        row, column = divmod(number, TOKENS_PER_ROW)
        x = EDGE + 14 + column * (WIDTH - 2 * EDGE) / TOKENS_PER_ROW
        _draw_figure(pen, side.place, x, top + 14 + row * (TOKEN_SIZE + 6), 12, standing=number < side.here)
    top += -(-(side.here + side.gone) // TOKENS_PER_ROW) * (TOKEN_SIZE + 6)
    if side.shown:
        _draw_bars(pen, side, top)


def _draw_bars(pen: Pen, side: _Side, top: int) -> None:
    """Draw one bar for each turn with its number above, and a mark where the side lost most."""
    highest = max(side.counts) or 1
    step = min(80.0, (WIDTH - 2 * EDGE) / len(side.shown))
    baseline = top + 30 + BAR_HEIGHT
    for place, turn_and_count in enumerate(side.shown):
        bar_left = EDGE + place * step
        if turn_and_count is None:
            pen.text((bar_left + step / 2, baseline), "...", fill=INK, font=letters(26), anchor="ms")
            continue
        turn, count = turn_and_count
        height = BAR_HEIGHT * count / highest
        fill = FILLS[side.place % len(FILLS)]
        pen.rectangle(
            (bar_left + 3, baseline - BAR_HEIGHT, bar_left + step - 3, baseline), outline=RULE, width=2
        )
        pen.rectangle(
            (bar_left + 3, baseline - height, bar_left + step - 3, baseline), fill=fill, outline=INK, width=2
        )
        centre = bar_left + step / 2
        text_style = {"font": letters(22), "anchor": "mb", "stroke_width": 4, "stroke_fill": PAPER}
        top_of_bar = (centre, baseline - height - 6)
        pen.text(top_of_bar, str(count), fill=INK, **text_style)  # type: ignore[arg-type]
        label = str(turn) if turn else ("start" if step >= 60 else "0")
        pen.text((centre, baseline + 16), label, fill=SOFT, font=letters(20), anchor="mm")
        if side.worst and side.worst.turn == turn:
            pen.rectangle(
                (bar_left + 3, baseline + 3, bar_left + step - 3, baseline + 29), outline=INK, width=2
            )
    if side.worst:
        pen.text((EDGE, baseline + 48), _format_worst(side.worst), fill=INK, font=letters(20), anchor="lm")
    else:
        pen.text((EDGE, baseline + 48), "Models in play by turn", fill=SOFT, font=letters(20), anchor="lm")


def _draw_figure(pen: Pen, place: int, x: float, y: float, radius: float, *, standing: bool) -> None:
    """Draw a side's shape: full, or hollow and crossed for a figure out of play."""
    corners = CORNERS[place % len(CORNERS)]
    fill = FILLS[place % len(FILLS)] if standing else PAPER
    ink = INK if standing else SOFT
    if corners:
        rotation = 45 if corners == 4 else 0
        pen.regular_polygon((x, y, radius + 2), corners, rotation=rotation, fill=fill, outline=ink, width=2)
    else:
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=fill, outline=ink, width=2)
    if not standing:
        pen.line((x - radius, y - radius, x + radius, y + radius), fill=INK, width=3)
        pen.line((x - radius, y + radius, x + radius, y - radius), fill=INK, width=3)
