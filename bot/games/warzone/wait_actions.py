"""What is asked of models on wait."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action
from bot.games.warzone.fields import no_enemy_seen
from bot.table.asking import fields, offering


@dataclass(frozen=True, slots=True)
class Wait(Action):
    """Keep the last action for later.

    For the enemy's turn.
    """

    command = "wz.wait"
    typed = "wz wait"

    model: str = fields.words("Who waits", offering.own_model, needed=True)


@dataclass(frozen=True, slots=True)
class React(Action):
    """A model on wait reacts.

    trigger: move, charge or template. hidden: no enemy is in its line of sight.
    """

    command = "wz.react"
    typed = "wz react"

    model: str = fields.words("Who reacts", offering.own_model, needed=True)
    how: str = fields.word_of(
        "What it does",
        ("fire", "spot", "dive", "countercharge", "brace", "withdraw"),
        needed=True,
        default="fire",
    )
    enemy: str = fields.words("To whom", offering.foe, needed=True)
    trigger: str = fields.word_of(
        "What the enemy does", ("move", "charge", "template"), called="to", default="move"
    )
    hidden: bool = no_enemy_seen()
    odds: bool = fields.odds("Only the chances")


@dataclass(frozen=True, slots=True)
class Dive(Action):
    """How a dive for cover ended. prone: it took the full distance; clear: it is out from under it."""

    command = "wz.dive"

    model: str = ""
    prone: bool = False
    clear: bool = True
