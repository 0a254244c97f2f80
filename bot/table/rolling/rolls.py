"""Free rolls: any dice expression, in an encounter or without one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.actions import Action, Raw
from bot.replies.chances import bars, percent
from bot.replies.reply import Button, Column, Note, Reply
from bot.table.act import Act
from bot.table.asking import fields
from bot.table.handlers import Place, handles
from bot.table.names import plain, remove_formatting
from bot.table.owners import SELF
from bot.table.throw_purposes import Whose
from rules.dice import Odds, add_up, at_least
from rules.notation import (
    Expression,
    Judged,
    Versus,
    bounds,
    describe,
    evaluate,
    lines,
    once,
    parse,
    summed,
    value_reader,
)
from rules.refusals import InvalidInput

SHOWN_VALUES = 12
"""Most values that odds list one by one."""

RARE = 0.005
"""Values beyond which fewer rolls lie than so many are not listed."""


def _without_comment(expression: Raw) -> Raw:
    return describe(replace(parse(str(expression)), comment=""))


@dataclass(frozen=True, slots=True)
class Roll(Action):
    """Roll any dice, such as "4d10+1 vs 7", "3d6 keep 2" or "2d20 best"."""

    command = "roll"
    typed = "roll"
    titled = "Roll any dice"
    decision_of = SELF

    expression: str = fields.text(
        'Dice to roll, such as "4d10+1 vs 7"',
        None,
        called="dice",
        needed=True,
        notation=True,
        decides=_without_comment,
    )
    odds: bool = fields.odds("Show the chances instead (visible only to you)")


@handles(Roll, Place.CHANNEL)
def roll(act: Act, action: Roll) -> Reply:
    """Show the result in the first line and the faces below it."""
    expression = parse(action.expression)
    written = describe(expression)
    act.canonical = Roll(written)
    if action.odds:
        return _odds_reply(act, expression, written)
    outcome = act.roll(Whose(act.actor.name, "roll", f"of {safe(written)}"), evaluate, expression)
    comment = plain(expression.comment)
    head = f"{act.actor.name}: {', '.join(outcome.words())}"
    faces = [safe(line) for line in lines(expression, act.dice.trace)]
    again = (Button("Again", Roll(written), anytime=True),) if len(written) <= 40 else ()
    return Reply(
        (f"{head} ({comment})" if comment else head, safe(written), *faces, *_list_reading_notes(expression)),
        buttons=(*again, *_list_alternative_buttons(expression, odds=False)),
    )


def _list_reading_notes(expression: Expression) -> list[str]:
    """Return what was understood if programs differ, and what a limit cuts off."""
    return [safe(text) for text in (expression.reading, expression.caution) if text]


def _list_alternative_buttons(expression: Expression, *, odds: bool) -> tuple[Button, ...]:
    name, other = expression.otherwise
    return (Button(name, Roll(other, odds), anytime=True),) if name and len(other) <= 40 else ()


def safe(text: str) -> str:
    """Return an expression or its faces without anything that formats or pings."""
    return remove_formatting(text.replace("*", "×"))


def _odds_reply(act: Act, expression: Expression, written: str) -> Reply:
    found: list[str | Note | Column] = []
    for one in expression.rolls:
        single = replace(once(one), comment="")
        odds = act.solve(add_up, *summed(single)).map(value_reader(single))
        each = f" (each of {one.times} rolls)" if one.times > 1 else ""
        found += [f"Odds of {safe(describe(single))}{each}", *_chance_lines(odds, single)]
        found += _list_repetition_lines(odds, one)
    found += [act.exactness, *_list_reading_notes(expression), Note("No dice were rolled.")]
    buttons = (Button("Roll", Roll(written), "main", anytime=True),) if len(written) <= 60 else ()
    others = (*_list_sum_buttons(expression), *_list_alternative_buttons(expression, odds=True))
    return Reply(tuple(found), private=True, buttons=(*buttons, *others))


def _list_repetition_lines(odds: Odds[int], expression: Expression) -> list[str]:
    """Return the odds over all repetitions: the highest and the sum, or the chances of one success and of
    all.
    """
    times = expression.times
    if times == 1:
        return []
    if isinstance(expression.test, Judged):
        yes, no = odds.chance(bool), odds.chance(lambda value: not value)
        if odds.rolls:
            return []
        any_chance, all_chance = yes, yes
        if 0 < yes < 1:
            any_chance, all_chance = odds.told(1 - no**times), odds.told(yes**times)
        return [
            f'Chances in {times} rolls: at least one "yes" {percent(any_chance).strip()}, '
            f'all "yes" {percent(all_chance).strip()}'
        ]
    highest = chance_below = chance_up_to = 0.0
    for value in sorted(odds.chances):
        chance_up_to = min(1.0, chance_up_to + float(odds.chances[value]))
        highest += value * (chance_up_to**times - chance_below**times)
        chance_below = chance_up_to
    return [
        f"In {times} rolls, the highest result is {highest:.2f} on average, and the sum is "
        f"{times * odds.mean(float):.2f}"
    ]


def _list_sum_buttons(expression: Expression) -> tuple[Button, ...]:
    """Return the sum of the repetitions, where it is one and can be written."""
    if expression.times == 1 or expression.also or isinstance(expression.test, Judged | Versus):
        return ()
    text = f"{describe(replace(expression, comment=''))} together"
    try:
        parse(text)
    except InvalidInput:
        return ()
    return (Button("Odds of the sum", Roll(text, True), anytime=True),) if len(text) <= 40 else ()


def _chance_lines(odds: Odds[int], single: Expression) -> list[str]:
    test = single.test
    if isinstance(test, Judged):
        return bars([("yes", odds.chance(bool)), ("no", odds.chance(lambda value: not value))])
    low, high = bounds(test)
    lines = [f"Average {odds.mean(float):.2f}, range {low} to {high}"]
    if odds.whole and len(odds.chances) <= SHOWN_VALUES:
        each = odds.each()
        return [*lines, *bars([(str(value), each[value]) for value in sorted(each)])]
    some = at_least(odds, _choose_shown_values(odds)).items()
    return [*lines, *(Column(f"{mark} or more: {percent(chance)}") for mark, chance in some)]


def _choose_shown_values(odds: Odds[int]) -> range:
    """Values between which nearly every roll lies, about `SHOWN_VALUES` of them."""
    values = sorted(odds.chances)
    first = _find_common_value(odds, values)
    last = _find_common_value(odds, values[::-1])
    step = max(1, (last - first) // (SHOWN_VALUES - 1))
    return range(first + 1 if first < last else first, last + 1, step)


def _find_common_value(odds: Odds[int], values: list[int]) -> int:
    passed = 0.0
    for value in values:
        passed += float(odds.chances[value])
        if passed >= RARE:
            return value
    return values[-1]
