"""What the first line of a panel says."""

from __future__ import annotations

from bot.table.encounter import Encounter
from bot.table.game import game_of
from bot.table.session.waiting import first_line


def waited_for(encounter: Encounter) -> str:
    return first_line(encounter, game_of(encounter).waits, 0)
