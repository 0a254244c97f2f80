"""/game: before the first turn of Counterblast, and what the game is worth."""

from __future__ import annotations

from typing import Any

from discord import app_commands

from bot.commands.options import It, own_model
from bot.games.counterblast.setup.infiltrate_play import Spot
from bot.panels.answer import answer

Away = app_commands.Range[float, 0, 200]


def add(tree: app_commands.CommandTree[Any]) -> None:
    """Put the commands into the tree: the group /cb is as large as Discord lets it be."""
    game = app_commands.Group(
        name="game", description="Counterblast: before the first turn; points", guild_only=True
    )
    _add_infiltrators(game)
    tree.add_command(game)


def _add_infiltrators(game: app_commands.Group) -> None:
    @game.command(name="spot", description="May a model be set up there?")
    @app_commands.describe(
        model="Who",
        inside="Within its own zone",
        zone="Inches to an enemy zone",
        enemy="Inches to an enemy",
        objective="Inches to an objective",
        middle="Inches to the middle of its table edge",
        corner="Inches to the corner of an Escort",
    )
    @app_commands.autocomplete(model=own_model)
    async def spot(
        interaction: It,
        model: str,
        inside: bool = False,
        zone: Away | None = None,
        enemy: Away | None = None,
        objective: Away | None = None,
        middle: Away | None = None,
        corner: Away | None = None,
    ) -> None:
        given = (zone, enemy, objective, middle, corner)
        near = (-1.0 if inches is None else inches for inches in given)
        await answer(interaction, Spot(model, inside, *near))
