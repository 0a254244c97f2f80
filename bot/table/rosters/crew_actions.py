"""What is asked of crews and offered elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

from bot.actions import Action


@dataclass(frozen=True, slots=True)
class CreateCrew(Action):
    """Make a crew."""

    command = "crew.create"

    name: str = ""
    system: str = "counterblast"
