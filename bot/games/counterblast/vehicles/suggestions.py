"""What is suggested in fields of this room: Maneuvers."""

from __future__ import annotations

from collections.abc import Sequence

from bot.table.asking.kinds import Asking
from bot.table.asking.offering import completing
from rules.systems.counterblast.core.library import load


def _maneuvers(asking: Asking) -> Sequence[str]:
    return [note.name for note in load().maneuvers]


maneuvers = completing(_maneuvers)
"""Maneuvers with commas between them."""
