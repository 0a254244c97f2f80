"""What who comes back asks, and its button: what happened meanwhile. Answered in `bot.table.referee`."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.replies.reply import Button
from bot.table.owners import ANYONE


@dataclass(frozen=True, slots=True)
class Since(Action):
    """What happened since you were last here, to you alone."""

    command = "since"
    typed = "since"
    decision_of = ANYONE


SINCE = Button("Since you were here", Since(), anytime=True)
