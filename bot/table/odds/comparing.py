"""Which one? One field of an action varied over everything that is possible now, best first.

Owns the table and the picture; what each way may come to is asked of the action itself (`weighing`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from bot.actions import Action, Part, facts_of, parts, raw_of
from bot.replies.chances import exactness, percent, sure_of
from bot.replies.curve import INCHES, Point, curve
from bot.replies.fit import has_room, shorten
from bot.replies.ladder import Rung, ladder
from bot.replies.reply import COLUMNS, Attachment, Button, Choice, Column, Menu, Note, Reply
from bot.store.store import Store
from bot.table.act import Act, Actor
from bot.table.asking.kinds import Number
from bot.table.asking.reading import called
from bot.table.handlers import HANDLERS, handles, may_ask_odds
from bot.table.odds.attacks import Weight, can_be_done, weigh, weigh_each, weigh_first_possible
from bot.table.odds_budget import OddsTooLarge
from bot.table.offers.comparisons import (
    Compare,
    Way,
    decode_action,
    encode_action,
    list_comparable_parts,
    list_ways,
)
from bot.table.offers.forms import make_change_buttons, title_of
from bot.table.steps import as_asked
from rules.refusals import InvalidInput

MAX_LINES = 24
"""Ways that are told; the others are counted."""

MAX_DONE = 3
"""Ways that have a button."""

MIN_POINTS = 3
"""Numbers that make a curve; of fewer there is a bar for each."""

MAX_NAME_LENGTH = 20
MAX_BAR_LENGTH = 12


@dataclass(frozen=True, slots=True)
class WayRow:
    """One way: how it reads, what it may come to. asked: it is the one that was asked for."""

    label: str
    weight: Weight
    asked: bool = False

    @property
    def aim(self) -> str:
        """Return what is hoped for."""
        return self.weight.chances.aim

    @property
    def chance(self) -> float:
        """Return the chance of that."""
        return self.weight.chances.chance

    @property
    def wounds(self) -> float:
        """Return what the first target loses on average."""
        hurts = self.weight.chances.hurts
        return hurts[0].wounds if hurts else 0.0


async def _beforehand(store: Store, actor: Actor, action: Compare) -> Any:
    question = decode_action(action.of)
    beforehand = HANDLERS[question.command].beforehand
    return await beforehand(store, actor, question) if beforehand else None


@handles(Compare, beforehand=_beforehand)
def compare(act: Act, action: Compare) -> Reply:
    """Show the table, the picture, and the best ways as buttons. Raises InvalidInput, Forbidden."""
    return compare_variants(act, decode_action(action.of), action.by)


def compare_variants(act: Act, action: Action, part_name: str = "") -> Reply:
    """Compare an action with its variants. part_name: the varied field, or "" for the first possible one."""
    weight = weigh(act, action)
    comparable = list_comparable_parts(act, weight.action)
    if not weight.chances.aim:
        raise InvalidInput("There is nothing to compare here.")
    if not comparable or part_name not in ("", *(part.name for part in comparable)):
        raise InvalidInput("There is nothing to compare; at the moment there is only one way to do this.")
    part, rows, refused, unweighed = _choose_field(
        act, weight, [part for part in comparable if part_name in ("", part.name)]
    )
    lines = [
        *_format_head(weight.action, part, rows),
        *_format_table(rows),
        *_describe_shared_facts(weight.action, part, rows),
    ]
    if refused:
        lines.append(f"Choices that aren't possible now: {refused}.")
    if unweighed:
        lines.append(f"Choices that weren't worked out in time: {unweighed}.")
    solved = [odds for row in rows for odds in row.weight.solved]
    lines += [Note(f"{exactness(*solved)} No dice were rolled.")]
    original = as_asked(weight.action)
    change = make_change_buttons(original) if may_ask_odds(act, weight.action) else []
    return Reply(
        tuple(lines),
        private=True,
        buttons=(*_build_buttons(act, weight.action, rows), Button("Odds", original, anytime=True), *change),
        menus=tuple(_build_menus(weight.action, comparable, part)),
        files=act.drawn(_draw_picture, weight.action, part, [row for row in rows if row.aim == rows[0].aim]),
        replaces=True,
    )


def _choose_field(
    act: Act, weight: Weight, comparable: Sequence[Part]
) -> tuple[Part, list[WayRow], int, int]:
    """Return the first field with more than one possible way, else the first, and its ways."""
    first: tuple[Part, list[WayRow], int, int] | None = None
    for part in comparable:
        rows, refused, unweighed = _weigh_ways(act, weight, part)
        if len(rows) > 1:
            return part, rows, refused, unweighed
        first = first or (part, rows, refused, unweighed)
    assert first is not None, "there is a field that is varied"
    return first


def _weigh_ways(act: Act, original: Weight, part: Part) -> tuple[list[WayRow], int, int]:
    """Return every way that is possible, best first; how many are refused, how many there was no time for.

    A chance that was sampled is ranked by the least that it may be, so never above one that is as good and
    known.
    """
    full_action = _fill_in_value(original, part)
    options = list_ways(act, full_action, part)
    others = [option for option in options if not option.as_asked]
    possible = [
        weight if isinstance(weight, OddsTooLarge) else _weigh_at_distance(act, original, way, weight)
        for way, weight in zip(others, weigh_each(act, [way.tries for way in others]), strict=True)
    ]
    own_way = next(option for option in options if option.as_asked)
    asked_question = encode_action(original.action)
    rows = {asked_question: WayRow(own_way.label, original, asked=True)}
    for way, weight in zip(others, possible, strict=True):
        if weight is None or isinstance(weight, OddsTooLarge):
            continue
        this_question = encode_action(weight.action)
        if this_question == asked_question:
            if full_action == original.action:
                rows[this_question] = WayRow(way.label, original, asked=True)
        else:
            rows.setdefault(
                this_question, WayRow(_format_way(way, original.action, weight.action, part), weight)
            )
    aims = list(dict.fromkeys(row.aim for row in rows.values()))
    ranked = sorted(
        rows.values(), key=lambda row: (aims.index(row.aim), -sure_of(row.chance), -row.wounds, not row.asked)
    )
    refused, weighed_ways = possible.count(None), sum(isinstance(weight, Weight) for weight in possible)
    return ranked, refused, len(possible) - refused - weighed_ways


def _weigh_at_distance(act: Act, original: Weight, way: Way, weight: Weight | None) -> Weight | None:
    """Return the way at the distance that was asked about, where it was weighed without any."""
    if weight is None:
        return None
    asked_values, new_values = raw_of(original.action), raw_of(weight.action)
    inches = {part.name for part in parts(original.action.command) if part.wire is float}
    if not inches & original.action.recalled & (set(asked_values) - set(new_values)):
        return weight
    return weigh_first_possible(act, way.tries[1:]) or weight


def _fill_in_value(weight: Weight, part: Part) -> Action:
    """Return the action with the field's actual value filled in."""
    facts = dict(weight.chances.meant)
    if part.name not in facts or raw_of(weight.action).get(part.name, part.unsaid) != part.unsaid:
        return weight.action
    return replace(weight.action, **{part.name: facts[part.name]})


def _draw_picture(action: Action, part: Part, rows: Sequence[WayRow]) -> Attachment:
    """Draw a curve if a number is varied, or else a bar for each way."""
    title, aim = f"{title_of(type(action))}, by {_format_field_name(part)}", rows[0].aim.capitalize()
    if isinstance(part.kind, Number) and len(rows) >= MIN_POINTS:
        bands = any(row.label.startswith("to ") for row in rows)
        unit = INCHES if part.wire is float else _format_field_name(part)
        numbers = [raw_of(_fill_in_value(row.weight, part)).get(part.name, part.unsaid) for row in rows]
        points = [
            Point(float(number), row.chance, row.asked)
            for row, number in zip(rows, numbers, strict=True)
            if isinstance(number, int | float)
        ]
        return curve(title, aim, unit, points, steps=bands)
    return ladder(title, aim, [Rung(row.label, row.chance, row.asked) for row in rows])


def _format_way(way: Way, original: Action, action: Action, part: Part) -> str:
    """Return how a way reads, with what was seen of it that differs from what was asked."""
    recalled_parts = [one for one in parts(original.command) if one.name in original.recalled - {part.name}]
    asked_values, new_values = raw_of(original), raw_of(action)
    differs = [
        _format_fact(name, new_values)
        for name in recalled_parts
        if asked_values.get(name.name) != new_values.get(name.name)
    ]
    return ", ".join([way.label, *filter(None, differs)])


def _format_fact(part: Part, values: dict[str, Any]) -> str:
    value = values.get(part.name, part.unsaid)
    if isinstance(value, bool):
        return called(part).replace("_", " ") if value else ""
    if isinstance(value, float):
        return f"{value:g} in" if value else ""
    return f"{called(part)} {value}" if isinstance(value, int) else ""


def _describe_shared_facts(action: Action, part: Part, rows: Sequence[WayRow]) -> list[str]:
    """Return what was measured for the target that was asked for and is assumed for targets without other
    measurements.
    """
    values = raw_of(action)
    if not any(row.weight.action != action for row in rows) or not _names_somebody(rows, part):
        return []
    measured = [
        field
        for field in parts(action.command)
        if field.wire is float or field.name in facts_of(action.command)
    ]
    facts = [_format_fact(field, values) for field in measured if field.name in values and field != part]
    return [f"All chances use what you entered: {', '.join(filter(None, facts))}."] if any(facts) else []


def _names_somebody(rows: Sequence[WayRow], part: Part) -> bool:
    return any(str(raw_of(row.weight.action).get(part.name, "")).startswith("#") for row in rows)


def _format_head(action: Action, part: Part, rows: Sequence[WayRow]) -> list[str]:
    best = rows[0]
    if len(rows) == 1:
        intro = "Only your choice is possible: "
    elif all((row.aim, row.chance, row.wounds) == (best.aim, best.chance, best.wounds) for row in rows):
        intro = "All choices are equally good. For example: "
    else:
        intro = "Your choice is the best: " if best.asked else "Best: "
    best_text = ", ".join(filter(None, (best.label, best.aim)))
    lines = [f"{intro}{best_text} {percent(best.chance).strip()}"]
    wounds = ", average wounds" if any(row.wounds for row in rows) else ""
    return [*lines, f"{title_of(type(action))}, by {_format_field_name(part)}: chance ({best.aim}){wounds}"]


def _format_table(rows: Sequence[WayRow]) -> list[str]:
    """Return a line for each variant: its name, chance, average wounds, a bar; * is the one asked for."""
    shown_rows = rows[:MAX_LINES]
    names = [shorten(row.label, MAX_NAME_LENGTH - 2 * row.asked) + " *" * row.asked for row in shown_rows]
    name_width = max(map(len, names))
    chances = [percent(row.chance) if row.aim else "-" for row in shown_rows]
    chance_width = max(map(len, chances))
    wounds = any(row.wounds for row in rows)
    room = min(MAX_BAR_LENGTH, COLUMNS - name_width - chance_width - 2 - 5 * wounds)
    best = max((float(row.chance) for row in shown_rows), default=0.0) or 1.0
    lines, aim = [], shown_rows[0].aim
    for row, name, chance in zip(shown_rows, names, chances, strict=True):
        if row.aim != aim:
            aim = row.aim
            lines.append(f"{aim.capitalize()}:" if aim else "Other:")
        average = f" {row.wounds:4.2f}" if wounds else ""
        bar = "#" * round(max(0, room) * float(row.chance) / best)
        lines.append(Column(f"{name:<{name_width}} {chance:>{chance_width}}{average} {bar}".rstrip()))
    if len(rows) > len(shown_rows):
        lines.append(f"Worse choices not shown: {len(rows) - len(shown_rows)}.")
    return [*lines, "* your choice"] if any(row.asked for row in shown_rows) else lines


def _build_buttons(act: Act, action: Action, rows: Sequence[WayRow]) -> list[Button]:
    if act.only_watches:
        return []
    possible_rows = islice((row for row in rows if can_be_done(act, row.weight.action)), MAX_DONE)
    word = title_of(type(action))
    buttons = [
        Button(shorten(f"{word}: {row.label}", 80), row.weight.action, "plain" if number else "main")
        for number, row in enumerate(possible_rows)
    ]
    return [button for button in buttons if has_room(button)]


def _build_menus(action: Action, comparable: Sequence[Part], part: Part) -> list[Menu]:
    choices = tuple(
        Choice(_format_field_name(other).capitalize(), other.name) for other in comparable if other != part
    )
    question = Compare(encode_action(action))
    room = has_room(Button("Compare", replace(question, by=max((part.name for part in comparable), key=len))))
    return [Menu("Compare by...", question, "by", choices, anytime=True)] if choices and room else []


def _format_field_name(part: Part) -> str:
    return called(part).replace("_", " ")
