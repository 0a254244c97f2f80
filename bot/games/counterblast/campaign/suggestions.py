"""What is suggested in fields of this room: what a member carries, what upgrade points and scouting buy."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.counterblast.building.upgrade_words import upgrades
from bot.table.asking.kinds import Asking


def bought(asking: Asking) -> Sequence[str]:
    """Dice, modifiers and Features."""
    return list(upgrades())
