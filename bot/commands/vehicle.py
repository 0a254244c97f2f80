"""/vehicle: driving, Maneuvers, collisions, passengers and damage of Counterblast's vehicles."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from discord import app_commands

from bot.commands.counterblast_options import Inches, ground_in, names_in
from bot.commands.options import Choices, It, choices, own_model
from bot.games.counterblast.vehicles.vehicle_play import Drive
from bot.panels.answer import answer, send
from bot.replies.reply import say
from bot.table.names import suggestions
from rules.systems.counterblast.core.library import load

Moves = app_commands.Range[int, 1, 2]


async def _maneuver_names(interaction: It, typed: str) -> Choices:
    """Maneuvers; the last of several is completed."""
    before, comma, last = typed.rpartition(",")
    head = f"{before}{comma} " if comma else ""
    return choices(head + name for name in suggestions(last, [note.name for note in load().maneuvers]))


def degrees(text: str) -> tuple[int, ...] | None:
    """Turns typed with spaces or commas; None where one is no number of degrees."""
    parts = text.replace(",", " ").split()
    if len(parts) > 6 or not all(part.lstrip("-").isdecimal() and abs(int(part)) <= 180 for part in parts):
        return None
    return tuple(int(part) for part in parts)


def add(tree: app_commands.CommandTree[Any]) -> None:
    """Put the commands into the tree."""
    group = app_commands.Group(name="vehicle", description="Counterblast: vehicles", guild_only=True)
    _add_driving(group)
    tree.add_command(group)


def _add_driving(group: app_commands.Group) -> None:
    @group.command(name="drive", description="Drive: the whole path of an activation")
    @app_commands.describe(
        vehicle="Which",
        inches="How far in all",
        moves="Move actions; none: as many as it takes",
        turns="Degrees of each turn: 45 90",
        maneuvers="Maneuvers used, with commas",
        edge="Inches to the table edge ahead",
        rugged="Rugged ground, by rating or place: 1 2, slick",
        impassable="The way crosses Impassable ground",
        end="What it ends on, where that is not free",
    )
    @app_commands.autocomplete(vehicle=own_model, maneuvers=_maneuver_names)
    async def drive(
        interaction: It,
        vehicle: str,
        inches: Inches,
        moves: Moves | None = None,
        turns: str = "",
        maneuvers: str = "",
        edge: Inches = 0.0,
        rugged: str = "",
        impassable: bool = False,
        end: Literal["on a model", "on impassable ground"] | None = None,
    ) -> None:
        turned, (ratings, ground) = degrees(turns), ground_in(rugged)
        if turned is None:
            await send(interaction, say("Turns are degrees up to 180: 45 90.", private=True))
            return
        drive = Drive(vehicle, inches, moves or 0, turned, names_in(maneuvers), edge, ratings)
        await answer(interaction, replace(drive, impassable=impassable, end=end or "", ground=ground))
