"""The chances beside lines that are suggested: of what rolls, for the first few, while there is time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from bot.actions import parts
from bot.replies.chances import in_short
from bot.table.asking.legal import Looking
from bot.table.asking.line import Kinds, understood_line
from bot.table.rolling.thinking import now
from rules.records import replace
from rules.refusals import Forbidden, InvalidInput

MOST_TOLD = 6
"""Lines that chances are told of."""

SECONDS = 0.3
"""Time for all of them: while somebody types, everybody waits."""

ODDS = "odds"


def chances_beside(
    looking: Looking, lines: Sequence[str], kinds: Kinds, who: str = "", clock: Callable[[], float] = now
) -> Mapping[str, str]:
    """The chances of what these lines ask, in short; only of what is possible, and of the first few."""
    due, found = clock() + SECONDS, dict[str, str]()
    for line in lines:
        left = due - clock()
        if len(found) == MOST_TOLD or left <= 0:
            break
        try:
            action = understood_line(looking, line, kinds, who)
            if not any(part.name == ODDS for part in parts(action.command)):
                continue
            if looking.refusal(action.when_typed()):
                continue
            asked = replace(action.when_typed(), **{ODDS: True})
        except (InvalidInput, Forbidden):
            continue
        told = in_short(looking.chances(asked, left / 2))
        if told:
            found[line] = told
    return found
