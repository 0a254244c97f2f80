"""What an action may come to, asked within another act: prepared and weighed as its own odds are.

Everything that compares goes through here, and so through the action's own `prepare`; what that refuses is
no way to do it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from bot.actions import Action
from bot.table.act import Act
from bot.table.asking.reading import understood
from bot.table.handlers import HANDLERS
from bot.table.rolling.thinking import OddsTooLarge
from bot.table.steps import Chances, as_asked, as_done
from rules.dice import Odds
from rules.refusals import Forbidden, InvalidInput

SHARE, LEAST_SHARE = 3, 0.15
"""How many times its part of the time left one of several questions may take, and what it may in any case."""


@dataclass(frozen=True, slots=True)
class Weight:
    """An action in its one form, and what it may come to. solved: the odds that this comes from."""

    action: Action
    chances: Chances
    solved: tuple[Odds[Any], ...] = ()


def weighed(act: Act, action: Action) -> Weight:
    """What an action may come to, to who asks. Raises InvalidInput, Forbidden: it is not possible."""
    handler = HANDLERS[action.command]
    if handler.weigh is None:
        raise InvalidInput("Nothing is rolled for it that could be compared.")
    before = act.action, act.canonical, act.told
    act.told = []
    try:
        asked = understood(act, as_asked(action))
        handler.permit(act, asked)
        found = handler.weigh(act, asked)
        return Weight(as_done(act.canonical), found, (*act.told, *found.solved))
    finally:
        act.action, act.canonical, act.told = before


def can_be_done(act: Act, action: Action, *, asking: bool = True) -> bool:
    """Whether an action that was weighed may be done just now, by who asks.

    asking: also where something is asked first that only a player can say.
    """
    handler = HANDLERS[action.command]
    before = act.action, act.canonical
    act.looks = False
    try:
        asked = understood(act, action)
        handler.permit(act, asked)
        ready = handler.prepare(act, asked) if handler.prepare else None
        return asking or handler.asks is None or handler.asks(act, asked, ready) is None
    except (InvalidInput, Forbidden):
        return False
    finally:
        act.looks = True
        act.action, act.canonical = before


def is_barred(act: Act, action: Action) -> bool:
    """Whether who acts in it may not do such a thing just now, whatever else is said."""
    handler = HANDLERS[action.command]
    if handler.may is None:
        return False
    before = act.action, act.canonical
    act.looks = False
    try:
        handler.may(act, understood(act, action))
    except (InvalidInput, Forbidden):
        return True
    finally:
        act.looks = True
        act.action, act.canonical = before
    return False


def sharing(act: Act, left: int) -> AbstractContextManager[None]:
    """While one of so many questions that are left is thought about."""
    return act.thinking.sharing(max(LEAST_SHARE, SHARE / left))


def first_possible(act: Act, tries: Iterable[Action]) -> Weight | None:
    """Return the first of these that is possible, None if none is. Raises OddsTooLarge."""
    for action in tries:
        try:
            return weighed(act, action)
        except OddsTooLarge:
            raise
        except (InvalidInput, Forbidden):
            continue
    return None


def each_possible(act: Act, ways: Sequence[Sequence[Action]]) -> list[Weight | OddsTooLarge | None]:
    """Return for each way the first try that is possible, or None; OddsTooLarge if there was no time."""
    found: list[Weight | OddsTooLarge | None] = []
    for number, tries in enumerate(ways):
        if act.thinking.late:
            return [*found, *(OddsTooLarge() for _ in ways[number:])]
        try:
            with sharing(act, len(ways) - number):
                found.append(first_possible(act, tries))
        except OddsTooLarge as error:
            found.append(error.with_traceback(None))
    return found
