"""/cb move, field, fire and skill: what happens between the attacks."""

from __future__ import annotations

from discord import app_commands


def add_to(group: app_commands.Group) -> None:
    """Put the commands into the group /cb."""
