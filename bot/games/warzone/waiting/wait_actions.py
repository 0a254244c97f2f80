"""What is asked of models on wait."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.warzone.core.fields import foe, no_enemy_seen, who
from bot.table.asking import fields
from rules.systems.warzone.model import Model
from rules.systems.warzone.waiting import Reaction, Trigger


@dataclass(frozen=True, slots=True)
class Wait(Action):
    """Keep the last action for later.

    For the enemy's turn.
    """

    command = "wz.wait"
    typed = "wz wait"

    model: Model = who("Who waits")


@dataclass(frozen=True, slots=True)
class React(Action):
    """A model on wait reacts.

    enemy: may have left play before its template lands. hidden: no enemy is in its line of sight.
    """

    command = "wz.react"
    typed = "wz react"

    model: Model = who("Who reacts")
    how: Reaction = fields.one_of(
        "What it does",
        ("fire", "spot", "dive", "countercharge", "brace", "withdraw"),
        needed=True,
        default="fire",
    )
    enemy: Model = foe("To whom", gone=True, needed=True)
    trigger: Trigger | None = fields.one_of(
        "What the enemy does; none: what this answers", ("move", "charge", "template"), called="to"
    )
    hidden: bool = no_enemy_seen()
    odds: bool = fields.odds("Only the chances")


@dataclass(frozen=True, slots=True)
class Dive(Action):
    """How a dive for cover ended. prone: it took the full distance; clear: it is out from under it."""

    command = "wz.dive"

    model: Model = who()
    prone: bool = False
    clear: bool = True
