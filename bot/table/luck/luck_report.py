"""Luck in words and pictures. They are true for two rolls and for two hundred, and accuse no one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

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
from bot.replies.fit import shorten
from bot.replies.reply import Attachment
from bot.table.luck.replayed_rolls import CountedRoll
from rules.dice import Fall, Luck, luck_of
from rules.wording import times

USUAL = 0.5
"""The share of fair games as far from the middle from which on there is nothing to say."""

GRADES = ((0.2, "a little "), (0.05, ""), (0.01, "very "))
"""Above which such share luck has which word before `lucky` or `unlucky`."""

UNUSUAL = 0.05
"""The share of fair games as far from the middle below which it is worth a word."""

FEW = 6
"""Rolls that are too few to tell much."""

MAX_DECIDING = 3
DECIDING = 0.25
"""A roll decided something where as much came to pass in no more than this share of throws, or as little."""


@dataclass(frozen=True, slots=True)
class ToldLuck:
    """The luck of one side or player: the name, the number of rolls, and the place among fair games."""

    name: str
    rolls: int
    luck: Luck

    @property
    def word(self) -> str:
        """Return how good it was."""
        return grade(self.luck)


def grade(luck: Luck) -> str:
    """Return how good luck was, in a word or two."""
    if luck.as_far >= USUAL - 1e-9:
        return "about average"
    grade_word = next((word for share, word in GRADES if luck.as_far > share), "exceptionally ")
    return f"{grade_word}{'lucky' if luck.place > 0.5 else 'unlucky'}"


def list_falls(rolls: Sequence[CountedRoll], *, side: int = 0, player: int = 0) -> list[Fall]:
    """Return the rolls of a side or a player, and the rolls against them turned round."""
    falls = []
    for roll in rolls:
        if (roll.side == side) if side else (roll.player == player):
            falls.append(roll.fall)
        elif any((other_side == side) if side else (person == player) for other_side, person in roll.against):
            falls.append(roll.fall.turned)
    return falls


def build_luck(name: str, falls: Sequence[Fall]) -> ToldLuck:
    """Return one person's luck."""
    return ToldLuck(name, len(falls), luck_of(falls))


def format_luck(luck: ToldLuck) -> list[str]:
    """Return three short lines: how lucky, and among how many fair games."""
    if not luck.rolls:
        return [f"{luck.name}: no rolls to count"]
    return [
        f"{luck.name}, {format_rolls(luck.rolls)}: {luck.word}",
        f"  luckier than in {_format_of_100(luck.luck.place)} fair games",
        f"  {_format_of_100(luck.luck.as_far)} fair games are at least as unusual",
    ]


def format_rolls(count: int) -> str:
    """Return how many rolls."""
    return times(count, "roll")


def format_wounds(name: str, came: float, due: float) -> str:
    """Return how many wounds a side dealt, and how many were expected."""
    return f"{name} dealt {came:g} {'wound' if came == 1 else 'wounds'}; {due:.1f} were expected"


def describe_overall(lucks: Sequence[ToldLuck]) -> str:
    """Return what it comes to, all in all."""
    rolled = [luck for luck in lucks if luck.rolls]
    if not rolled:
        return "No rolls can be counted."
    if all(luck.rolls < FEW for luck in rolled):
        return "There are too few rolls for a clear answer."
    rare = [luck for luck in rolled if luck.luck.as_far <= UNUSUAL]
    if not rare:
        return "This isn't unusual for fair dice."
    return (
        "This is rare, but it happens with fair dice too. If dice also decide how long a game "
        "lasts, these figures may be off by 3 percentage points."
    )


def find_deciding_rolls(rolls: Sequence[CountedRoll]) -> list[CountedRoll]:
    """Return the rolls that fell farthest from what was due, those of most worth first, in their order."""
    rare = [roll for roll in rolls if min(roll.chance, _chance_at_most(roll)) <= DECIDING]
    rare.sort(key=lambda roll: (-abs(_measure_swing(roll)), roll.entry))
    return sorted(rare[:MAX_DECIDING], key=lambda roll: roll.entry)


def _measure_swing(roll: CountedRoll) -> float:
    """Return by how much it differed from what was expected, counting wounds most."""
    if roll.wounds is not None:
        return roll.wounds.came - roll.wounds.due
    spread = sum(chance * (worth - roll.fall.mean) ** 2 for worth, chance in roll.fall.chances.items())
    return 0.25 * (roll.fall.worth - roll.fall.mean) / spread**0.5 if spread else 0.0


def _chance_at_most(roll: CountedRoll) -> float:
    return sum(chance for worth, chance in roll.fall.chances.items() if worth <= roll.fall.worth)


def format_deciding_rolls(
    rolls: Sequence[CountedRoll], number: Mapping[int, int], sides: Mapping[int, str]
) -> list[str]:
    """Return a few lines for each deciding roll: entry, turn, result, chance and side.

    number: entries as people read them. sides: names by number.
    """
    lines = []
    for roll in rolls:
        turn = f", turn {roll.turn}" if roll.turn else ""
        is_good = roll.fall.worth >= roll.fall.mean
        chance = percent(roll.chance if is_good else _chance_at_most(roll)).strip()
        word = "good" if is_good else "bad"
        lines += [f"Result {number.get(roll.entry, roll.entry)} in /log{turn}:"]
        lines.append(f"  {shorten(roll.title, 90)}")
        side_words = f" for {sides[roll.side]}" if roll.side in sides else ""
        lines.append(f"  chance of a result at least this {word}{side_words}: {chance}")
    return lines


def _format_of_100(share: float) -> str:
    percentage = round(100 * share)
    if not percentage and share:
        return "<1 of 100"
    return ">99 of 100" if percentage == 100 and share < 1 else f"{percentage} of 100"


CORNERS = (0, 4, 3, 6)
"""How many corners a side's marks have: a disc, a square, a triangle, a hexagon."""

HEAD, STRIP, CHART = 92, 96, 300


def draw_luck(
    title: str, sides: Sequence[ToldLuck], rolls: Sequence[CountedRoll], ids: Sequence[int]
) -> Attachment:
    """Return the picture, with words that say all of it. ids: of the sides, in order."""
    wounds = {one.name: _sum_wounds_by_turn(rolls, side) for one, side in zip(sides, ids, strict=True)}
    charted = {name: pair for name, pair in wounds.items() if any(pair[0]) or any(pair[1])}
    image, pen = sheet(HEAD + STRIP * len(sides) + 40 + (CHART + 110 if charted else 0))
    write(pen, (EDGE, 16), title, 30, WIDTH - 2 * EDGE)
    caption = "Half of all fair games fall within the grey band"
    pen.text((EDGE, 56), caption, fill=SOFT, font=letters(20))
    for place, luck in enumerate(sides):
        _draw_strip(pen, luck, place, HEAD + STRIP * place)
    if charted:
        _draw_chart(pen, charted, [side.name for side in sides], HEAD + STRIP * len(sides) + 30)
    return finished(image, "luck.png", _describe_picture(title, sides, charted))


Pair = tuple[tuple[float, ...], tuple[float, ...]]
"""Wounds that came and those that were due, added up turn by turn."""


def _sum_wounds_by_turn(rolls: Sequence[CountedRoll], side: int) -> Pair:
    last_turn = max((roll.turn for roll in rolls), default=0)
    came, due = [0.0] * (last_turn + 1), [0.0] * (last_turn + 1)
    for roll in rolls:
        if roll.wounds is not None and roll.wounds.by == side:
            came[roll.turn] += roll.wounds.came
            due[roll.turn] += roll.wounds.due
    return tuple(accumulate(came)), tuple(accumulate(due))


def _describe_picture(title: str, sides: Sequence[ToldLuck], wounds: Mapping[str, Pair]) -> str:
    words = [
        f"{side.name}: {side.word}, luckier than in {percent(side.luck.place).strip()} of fair games"
        for side in sides
    ]
    for name, (came, due) in wounds.items():
        words.append(format_wounds(name, came[-1], due[-1]))
        words.append(f"Wounds dealt by the end of each turn: {' '.join(f'{amount:g}' for amount in came)}")
        words.append(f"Wounds expected by the end of each turn: {' '.join(f'{one:.1f}' for one in due)}")
    return f"{title}. {'. '.join(words)}."


def _draw_strip(pen: Pen, luck: ToldLuck, place: int, top: int) -> None:
    """Draw a scale from 0 to 100 with the half in which most games fall, and a mark."""
    left, right, line = EDGE + 10, WIDTH - EDGE - 10, top + 56
    label = f"{luck.name}: {luck.word}" if luck.rolls else f"{luck.name}: no rolls to count"
    write(pen, (EDGE, top + 8), label, 24, WIDTH - 2 * EDGE)
    width = right - left
    pen.rectangle((left + width * 0.25, line - 9, left + width * 0.75, line + 9), fill=RULE)
    pen.line((left, line, right, line), fill=INK, width=2)
    for share, word in ((0.0, "less luck"), (0.5, "average"), (1.0, "more luck")):
        dot_x = left + width * share
        pen.line((dot_x, line - 10, dot_x, line + 10), fill=INK, width=2)
        anchor = {0.0: "lm", 0.5: "mm", 1.0: "rm"}[share]
        pen.text((dot_x, line + 25), word, fill=SOFT, font=letters(18), anchor=anchor)
    if luck.rolls:
        _draw_mark(pen, place, left + width * luck.luck.place, line, 12, filled=True)


def _draw_chart(pen: Pen, wounds: Mapping[str, Pair], names: Sequence[str], top: int) -> None:
    """Draw wounds added up over the turns: full marks happened, hollow ones were expected."""
    pen.line((EDGE, top, WIDTH - EDGE, top), fill=RULE, width=2)
    heading = "Wounds by the end of each turn (hollow: expected)"
    pen.text((EDGE, top + 10), heading, fill=INK, font=letters(24))
    left, right, floor, ceiling = EDGE + 44, WIDTH - EDGE - 12, top + 60 + CHART - 30, top + 60
    turns = max(len(came) for came, _ in wounds.values())
    highest = max(1.0, *(max(max(came), max(due)) for came, due in wounds.values()))
    step = (right - left) / max(1, turns - 1)

    def at(turn: int, value: float) -> tuple[float, float]:
        return left + step * turn, floor - (floor - ceiling) * value / highest

    for value in sorted({0, round(highest / 2), round(highest)}):
        y = at(0, value)[1]
        pen.line((left, y, right, y), fill=RULE, width=2)
        pen.text((left - 10, y), str(value), fill=SOFT, font=letters(20), anchor="rm")
    turn_step = max(1, -(-turns // 12))
    for turn in range(0, turns, turn_step):
        x = at(turn, 0)[0]
        pen.text((x, floor + 20), str(turn) if turn else "start", fill=SOFT, font=letters(20), anchor="mm")
    for place, name in enumerate(names):
        came, due = wounds.get(name, ((), ()))
        for values, filled in ((due, False), (came, True)):
            points = [at(turn, value) for turn, value in enumerate(values)]
            if len(points) > 1:
                pen.line(points, fill=FILLS[place % len(FILLS)], width=4 if filled else 2)
            for point in points:
                _draw_mark(pen, place, *point, 8, filled=filled)
        if came:
            y = floor + 48
            x = EDGE + (WIDTH - 2 * EDGE) * place / max(1, len(names))
            _draw_mark(pen, place, x + 12, y, 9, filled=True)
            room = (WIDTH - 2 * EDGE) / len(names) - 40
            write(pen, (x + 30, y), name, 22, room, anchor="lm")


def _draw_mark(pen: Pen, place: int, x: float, y: float, r: float, *, filled: bool) -> None:
    corners = CORNERS[place % len(CORNERS)]
    fill = FILLS[place % len(FILLS)] if filled else PAPER
    if corners:
        turned = 45 if corners == 4 else 0
        pen.regular_polygon((x, y, r + 2), corners, rotation=turned, fill=fill, outline=INK, width=2)
    else:
        pen.ellipse((x - r, y - r, x + r, y + r), fill=fill, outline=INK, width=2)
