"""What the steps of sol'una's Actions share: the button below their odds, and the last lines of these."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

from bot.actions import Action
from bot.games.soluna.telling import Telling
from bot.replies.chances import exactness
from bot.replies.reply import Note, Reply
from bot.table.act import Act
from bot.table.journal.history import UNDO
from bot.table.steps import Chances, Steps, Weighed

A = TypeVar("A", bound=Action)
P = TypeVar("P", bound=Hashable)
O = TypeVar("O", bound=Hashable)  # noqa: E741 - an outcome


class Doable(Weighed[A, P], Generic[A, P]):
    """An Action whose odds may be asked; `prepare` writes it in its one form."""

    def closing(self, found: Chances) -> tuple[str, ...]:
        """How exact the chances are, where there are any."""
        exact = (Note(f"{exactness(*found.solved)} Nothing is rolled."),) if found.solved else ()
        return (*exact, *found.apart, *found.not_yet)


class Throwing(Doable[A, P], Steps[A, P, O, Telling], Generic[A, P, O]):
    """One roll that is told with its dice."""

    def tell(self, act: Act, action: A, ready: P, told: Telling) -> Reply:
        """What happened, the dice, what is next."""
        return told.reply(act, UNDO)
