"""Actions that may be at several: how the form of one goes on piece by piece."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.actions import Action, raw_of
from bot.table.act import Act

SEVERALLY = "several."
"""What is ticked in a form for it to go on so."""


@dataclass(frozen=True, slots=True)
class Several:
    """How an action that may be at several goes on.

    label: what is ticked in its form. about: what that does, in a line. begins: the draft that goes on from
    what was said, still as it was written; None where there is none, InvalidInput or Forbidden for what it
    cannot keep, or what the action itself would refuse.
    instead: fields that are said in the draft, and not in the form unless they were said before.
    """

    label: str
    about: str
    begins: Callable[[Act, Action], Action | None]
    instead: frozenset[str] = frozenset()


SEVERAL: dict[str, Several] = {}
"""Commands that may be at several, and how they go on."""


def left_to_draft(action: Action) -> frozenset[str]:
    """The fields of an action that its form leaves to the draft: none that was said."""
    several = SEVERAL.get(action.command)
    return several.instead - raw_of(action).keys() if several is not None else frozenset()


def begun(act: Act, action: Action) -> Action | None:
    """The draft that goes on from what was said, None where there is none. Raises InvalidInput, Forbidden."""
    several = SEVERAL.get(action.command)
    return several.begins(act, action) if several is not None else None
