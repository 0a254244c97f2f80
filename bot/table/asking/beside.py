"""The chances beside lines that are suggested: of what rolls, for the first few, while there is time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from bot.actions import ODDS, has_chances
from bot.replies.chances import in_short
from bot.table.asking.legal import Looking
from bot.table.asking.line import Kinds, begun, understood_line
from bot.table.rolling.thinking import Thinking, now
from rules.refusals import Forbidden, InvalidInput

MOST_TOLD, MOST_READ = 6, 8
"""Lines that chances are told of, and how many are read for them."""

MOST_NEW = 2
"""How many of them are worked out at once: while somebody types, everybody waits."""

SECONDS = 0.3
"""Time for all of them."""


def chances_beside(
    looking: Looking, lines: Sequence[str], kinds: Kinds, who: str = "", clock: Callable[[], float] = now
) -> Mapping[str, str]:
    """The chances of what these lines ask, in short; only of what is possible, and of the first few.

    What was told before, while the table stands as it does, costs nothing: there is more by the next letter.
    """
    due, thinking, found = clock() + SECONDS, Thinking(SECONDS, clock=clock), dict[str, str]()
    new = 0
    likely = (line for line in lines if any(has_chances(one.kind.command) for one in begun(line, kinds)))
    for line in islice(likely, MOST_READ):
        if len(found) == MOST_TOLD or new == MOST_NEW or clock() >= due:
            break
        try:
            action = understood_line(looking, line, kinds, who).when_typed()
        except (InvalidInput, Forbidden):
            continue
        if not has_chances(action.command) or looking.refusal(action):
            continue
        before = thinking.spent
        with thinking.sharing(0.5):
            told = in_short(looking.chances(replace(action, **{ODDS: True}), thinking))
        new += thinking.spent > before
        if told:
            found[line] = told
    return found
