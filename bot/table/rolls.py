"""Free rolls: any dice expression, in an encounter or without one."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.replies.chances import bars, percent
from bot.replies.reply import Button, Reply
from bot.table.act import Act
from bot.table.handlers import Place, handles
from bot.table.names import plain, unformatted
from bot.table.throws import Whose
from rules.expression import Expression, Kind, Outcome, describe, evaluate, kind, lines, once, parse
from rules.odds import Odds

SHOWN_VALUES = 12
"""Most values that odds list one by one."""


@dataclass(frozen=True, slots=True)
class Roll(Action):
    """Roll a dice expression, or tell its odds."""

    command = "roll"

    expression: str = ""
    odds: bool = False


@handles(Roll, Place.CHANNEL)
def roll(act: Act, action: Roll) -> Reply:
    """The result in the first line, the faces below it."""
    expression = parse(action.expression)
    written = describe(expression)
    act.canonical = Roll(written)
    if action.odds:
        return _odds_reply(act, expression, written)
    outcome = act.roll(Whose(act.actor.name, "roll", f"of {safe(written)}"), evaluate, expression)
    said = plain(expression.comment)
    head = f"{act.actor.name}: {', '.join(outcome.words())}"
    faces = [safe(line) for line in lines(expression, act.dice.trace)]
    return Reply(
        (f"{head} ({said})" if said else head, safe(written), *faces),
        buttons=(Button("Again", Roll(written), anytime=True),) if len(written) <= 40 else (),
    )


def safe(text: str) -> str:
    """An expression, or what fell of it, as it may be shown: neither signs nor notes format or ping."""
    return unformatted(text.replace("*", "×"))


def _odds_reply(act: Act, expression: Expression, written: str) -> Reply:
    single = once(expression)
    odds = act.solve(evaluate, single).map(_value)
    found = [f"Odds of {safe(describe(single))}", *_chance_lines(odds, kind(single)), "Nothing is rolled."]
    buttons = (Button("Roll", Roll(written), "main", anytime=True),) if len(written) <= 60 else ()
    return Reply(tuple(found), private=True, buttons=buttons)


def _value(outcome: Outcome) -> int:
    return outcome.value


def _chance_lines(odds: Odds[int], of: Kind) -> list[str]:
    if of == "yes or no":
        return bars([("yes", odds.chance(bool)), ("no", odds.chance(lambda value: not value))])
    values = sorted(odds.chances)
    lines = [f"Average {odds.mean(float):.2f}, from {values[0]} to {values[-1]}"]
    if len(values) <= SHOWN_VALUES:
        return [*lines, *bars([(str(value), float(odds.chances[value])) for value in values])]
    step = max(1, (values[-1] - values[0]) // (SHOWN_VALUES - 1))
    marks = range(values[0] + step, values[-1] + 1, step)
    return [
        *lines,
        *(f"{mark} or more: {percent(odds.chance(lambda value, m=mark: value >= m))}" for mark in marks),  # type: ignore[misc]
    ]
