"""Actions that work on the journal itself: undo, redo, dice typed in, a check settled again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from bot.actions import Action
from bot.replies.reply import Reply
from bot.store.book import Loaded
from bot.table.act import Act
from bot.table.carrying import Carrier
from bot.table.handlers import HANDLERS, Handler, May, Place
from bot.table.request import Answer, Request

A = TypeVar("A", bound=Action)

Special = Callable[[Carrier, Loaded, Request], Awaitable[Answer]]
"""Handles an action that needs the journal itself: undo, redo, dice typed in."""

SPECIAL: dict[str, Special] = {}


def handles_specially(kind: type[A], place: Place, *, may: May | None = None) -> Callable[[Special], Special]:
    """Register the function below as the handler of an action that works on the journal. may: see `May`."""

    def register(run: Special) -> Special:
        HANDLERS[kind.command] = Handler(_unused, place, home=run.__module__, may=may)
        SPECIAL[kind.command] = run
        return run

    return register


def _unused(act: Act, action: Any) -> Reply:
    """Refuse nothing while the action is only tried; `SPECIAL` handles it when it is done."""
    assert act.tries, "handled specially"
    return Reply(())
