"""Whose an action is to do: everybody may ask its odds, and one alone, or one side, does it."""

from __future__ import annotations

from bot.actions import Action
from bot.table.act import Act, NotAllowed
from bot.table.asking.reading import understood
from bot.table.handlers import HANDLERS
from bot.table.owners import require_owner
from rules.refusals import Forbidden, InvalidInput


def may_ask_it(act: Act, action: Action) -> bool:
    """Whether who asks the odds of an action may do such a thing, now or later; an organiser may override."""
    if act.only_watches:
        return False
    return act.is_organiser or not act.has_encounter or not _is_anothers(act, action)


def _is_anothers(act: Act, action: Action) -> bool:
    handler = HANDLERS[action.command]
    before = act.action, act.canonical, act.looks, act.waivable
    act.looks = False
    try:
        asked = understood(act, action)
        handler.permit(act, asked)
        require_owner(act, asked)
        if handler.prepare is not None:
            handler.prepare(act, asked)
    except NotAllowed:
        return True
    except (InvalidInput, Forbidden):
        return False
    finally:
        act.action, act.canonical, act.looks, act.waivable = before
    return False
