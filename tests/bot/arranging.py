"""Rows put as a test needs them, through the desk: it is an entry of the journal like everything else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.actions import Action
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.encounter import Encounter
from bot.table.handlers import handles
from bot.table.owners import SELF
from bot.table.request import Answer
from tests.bot.tables import Table

Step = Callable[[Encounter], None]

_STEPS: list[tuple[Step, ...]] = []


@dataclass(frozen=True, slots=True)
class Arrange(Action):
    """Carry out the steps that were kept under a number."""

    command = "test.arrange"
    decision_of = SELF

    steps: int = 0


@handles(Arrange)
def _arrange(act: Act, action: Arrange) -> Reply:
    for step in _STEPS[action.steps]:
        step(act.encounter)
    return Reply(("Arranged.",))


async def arrange(table: Table, who: str, *steps: Step) -> Answer:
    """Let somebody carry out the steps as one action."""
    _STEPS.append(steps)
    return await table.do(who, Arrange(len(_STEPS) - 1))
