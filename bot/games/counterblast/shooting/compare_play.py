"""Buttons that an earlier version made, which compare the weapons that one model can shoot another with."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.counterblast.core.fields import anybody
from bot.games.counterblast.shooting.volleys import Shoot
from bot.replies.reply import Reply
from bot.table.act import Act
from bot.table.handlers import handles
from bot.table.odds.comparing import compared
from bot.table.owners import ANYONE
from rules.systems.counterblast.core.fighter import Fighter


@dataclass(frozen=True, slots=True)
class CompareShots(Action):
    """Compare the weapons for one target."""

    command = "cb.compare"
    decision_of = ANYONE

    shooter: Fighter = anybody("", needed=True)
    target: Fighter = anybody("", needed=True)
    distance: float = 0.0
    cover: int = 0

    @property
    def looks(self) -> bool:
        """Nothing is done."""
        return True


@handles(CompareShots)
def compare(act: Act, action: CompareShots) -> Reply:
    """The shot with each of its weapons. Raises InvalidInput, Forbidden."""
    shot = Shoot(action.shooter, action.target, action.distance, action.cover)
    return compared(act, shot, "weapon")
