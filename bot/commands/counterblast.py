"""/bag, /order and /cb: what players of Counterblast do."""

from __future__ import annotations

from typing import Any

from discord import app_commands

from bot.commands.options import It
from bot.games.counterblast.bag_play import DrawToken, PassDraw, PeekBag, RedrawToken
from bot.panels.answer import answer


def add(tree: app_commands.CommandTree[Any]) -> None:
    """Put the commands into the tree."""
    _add_bag(tree)


def _add_bag(tree: app_commands.CommandTree[Any]) -> None:
    group = app_commands.Group(name="bag", description="The initiative bag", guild_only=True)

    @group.command(name="draw", description="Draw an initiative token")
    async def draw(interaction: It) -> None:
        await answer(interaction, DrawToken())

    @group.command(name="redraw", description="Spend an order token: put it back and draw again")
    async def redraw(interaction: It) -> None:
        await answer(interaction, RedrawToken())

    @group.command(name="pass", description="End the activation and hand the draw on")
    async def pass_draw(interaction: It) -> None:
        await answer(interaction, PassDraw())

    @group.command(name="peek", description="Show how many tokens are in the bag, to you alone")
    async def peek(interaction: It) -> None:
        await answer(interaction, PeekBag())

    tree.add_command(group)
