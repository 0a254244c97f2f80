"""Luck in words that are true for two rolls as for two hundred, and accuse nobody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.replies.chances import percent
from bot.replies.fit import shorten
from bot.table.luck.again import CountedRoll
from rules.dice import Fall, Luck, luck_of
from rules.wording import times

USUAL = 0.5
"""The share of fair games as far from the middle from which on there is nothing to say."""

GRADES = ((0.2, "a little "), (0.05, ""), (0.01, "very "))
"""Above which such share luck has which word before `good` or `bad`."""

UNUSUAL = 0.05
"""The share of fair games as far from the middle below which it is worth a word."""

FEW = 6
"""Rolls that are too few to tell much."""

MOST_DECIDING = 3
DECIDING = 0.25
"""A roll decided something where as much came to pass in no more than this share of throws, or as little."""


@dataclass(frozen=True, slots=True)
class ToldLuck:
    """Somebody's luck: whose, how many rolls, and where it stands among fair games."""

    name: str
    rolls: int
    luck: Luck

    @property
    def word(self) -> str:
        """How good it was."""
        return grade(self.luck)


def grade(luck: Luck) -> str:
    """How good luck was, in a word or two."""
    if luck.as_far >= USUAL - 1e-9:
        return "as most games go"
    more = next((word for share, word in GRADES if luck.as_far > share), "exceptionally ")
    return f"{more}{'good' if luck.place > 0.5 else 'bad'}"


def falls_of(rolls: Sequence[CountedRoll], *, side: int = 0, player: int = 0) -> list[Fall]:
    """What fell for a side, or for a player: what somebody threw, and against what it threw."""
    found = []
    for roll in rolls:
        if (roll.side == side) if side else (roll.player == player):
            found.append(roll.fall)
        elif any((at == side) if side else (who == player) for at, who in roll.against):
            found.append(roll.fall.turned)
    return found


def told(name: str, falls: Sequence[Fall]) -> ToldLuck:
    """Somebody's luck."""
    return ToldLuck(name, len(falls), luck_of(falls))


def lines_of(one: ToldLuck) -> list[str]:
    """Three short lines: how good, and among how many fair games."""
    if not one.rolls:
        return [f"{one.name}: no roll that counts"]
    return [
        f"{one.name}, {rolls_words(one.rolls)}: {one.word}",
        f"  more luck than {_of_100(one.luck.place)} fair games",
        f"  as far off or more: {_of_100(one.luck.as_far)}",
    ]


def rolls_words(count: int) -> str:
    """How many rolls."""
    return times(count, "roll")


def closing(every: Sequence[ToldLuck]) -> str:
    """What it comes to, all in all."""
    rolled = [one for one in every if one.rolls]
    if not rolled:
        return "Nothing to tell."
    if all(one.rolls < FEW for one in rolled):
        return "So few rolls tell little."
    rare = [one for one in rolled if one.luck.as_far <= UNUSUAL]
    if not rare:
        return "Nothing unusual: fair dice do so."
    return (
        "Seldom, and fair dice do so too: of many games some must be such. "
        "If dice also decide how long a game lasts, these shares may be 3 of 100 off."
    )


def deciding(rolls: Sequence[CountedRoll]) -> list[CountedRoll]:
    """The rolls that fell farthest from what was due, those of most worth first, in their order."""
    rare = [roll for roll in rolls if min(roll.chance, _at_most(roll)) <= DECIDING]
    rare.sort(key=lambda roll: (-abs(_swing(roll)), roll.entry))
    return sorted(rare[:MOST_DECIDING], key=lambda roll: roll.entry)


def _swing(roll: CountedRoll) -> float:
    """By how much it fell from what was due: wounds count for more than anything else."""
    if roll.wounds is not None:
        return roll.wounds.came - roll.wounds.due
    spread = sum(chance * (worth - roll.fall.mean) ** 2 for worth, chance in roll.fall.chances.items())
    return 0.25 * (roll.fall.worth - roll.fall.mean) / spread**0.5 if spread else 0.0


def _at_most(roll: CountedRoll) -> float:
    return sum(chance for worth, chance in roll.fall.chances.items() if worth <= roll.fall.worth)


def deciding_lines(
    rolls: Sequence[CountedRoll], number: Mapping[int, int], sides: Mapping[int, str]
) -> list[str]:
    """A few lines for each: entry, turn, what happened, how likely as much was, for whom.

    number: entries as read. sides: names by number.
    """
    lines = []
    for roll in rolls:
        turn = f", turn {roll.turn}" if roll.turn else ""
        good = roll.fall.worth >= roll.fall.mean
        chance = percent(roll.chance if good else _at_most(roll)).strip()
        word = "good" if good else "bad"
        lines += [f"Entry {number.get(roll.entry, roll.entry)}{turn}:"]
        lines.append(f"  {shorten(roll.title, 90)}")
        whom = f" for {sides[roll.side]}" if roll.side in sides else ""
        lines.append(f"  as {word}{whom}: {chance}")
    return lines


def _of_100(share: float) -> str:
    whole = round(100 * share)
    if not whole and share:
        return "<1 of 100"
    return ">99 of 100" if whole == 100 and share < 1 else f"{whole} of 100"
