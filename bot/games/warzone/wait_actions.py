"""What is asked of models on wait."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action


@dataclass(frozen=True, slots=True)
class Wait(Action):
    """Spend the last action to keep it for the enemy's turn."""

    command = "wz.wait"

    model: str = ""


@dataclass(frozen=True, slots=True)
class React(Action):
    """A model on wait reacts to an enemy. trigger: move, charge or template.

    hidden: no enemy is in its line of sight.
    """

    command = "wz.react"

    model: str = ""
    how: str = "fire"
    enemy: str = ""
    trigger: str = "move"
    hidden: bool = False
    odds: bool = False


@dataclass(frozen=True, slots=True)
class Dive(Action):
    """How a dive for cover ended. prone: it took the full distance; clear: it is out from under it."""

    command = "wz.dive"

    model: str = ""
    prone: bool = False
    clear: bool = True
