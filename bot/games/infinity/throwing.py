"""What the steps of Infinity's rolls and Skills share: how they are told, what stands below their chances."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Generic, TypeVar

from bot.actions import Action
from bot.games.infinity.common import Telling, settings
from bot.games.infinity.words import why_lines
from bot.replies.chances import bars, exactness
from bot.replies.reply import Note, Reply
from bot.table.act import Act
from bot.table.journal.history import UNDO
from bot.table.steps import Chances, Steps, Weighed
from rules.modifiers import Modifier
from rules.systems.infinity.rolls import Reading, modified, normal_roll

A = TypeVar("A", bound=Action)
P = TypeVar("P", bound=Hashable)
O = TypeVar("O", bound=Hashable)  # noqa: E741 - an outcome


class Declaring(Weighed[A, P], Generic[A, P]):
    """A Skill that is declared, and whose dice fall when all have chosen.

    `prepare` writes the action in its one form.
    """

    def closing(self, found: Chances) -> tuple[str, ...]:
        """How exact the chances are, or that nothing is rolled."""
        exact = exactness(*found.solved) if found.solved else Note("Nothing is rolled.")
        return (exact, *found.not_yet)


class Throwing(Declaring[A, P], Steps[A, P, O, Telling], Generic[A, P, O]):
    """A roll that is thrown at once."""

    def tell(self, act: Act, action: A, ready: P, told: Telling) -> Reply:
        """What happened, the dice, what is to follow."""
        return Reply(told.lines(), buttons=told.buttons(act, UNDO), why=tuple(told.why))


def one_die(act: Act, title: str, modifiers: Sequence[Modifier], base: int) -> Chances:
    """The chances of one die against WIP, or what stands for it, with its MODs."""
    value = modified(base, modifiers, settings(act))
    odds = act.solve(normal_roll, value)
    chance = odds.chance(bool)
    rows = [("success", chance), ("critical", odds.chance(lambda got: got is Reading.CRITICAL))]
    lines = (title, *why_lines("WIP", modifiers, base, value), *bars(rows))
    return Chances(lines, "a success", chance, (odds,))
