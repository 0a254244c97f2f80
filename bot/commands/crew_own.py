"""/crew own: statblocks of a server's own, kept for all its channels."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.commands.crew_more import attached
from bot.commands.options import Choices, It, choices, own_statblocks
from bot.panels.answer import answer
from bot.panels.typed import as_typed
from bot.table.game import GAMES, Writes
from bot.table.names import suggestions
from bot.table.rosters.statblocks import DropBlock, ExportBlocks, ImportBlocks, ListBlocks, SaveBlock

GAME = "Which game"


async def kept_block(interaction: It, typed: str) -> Choices:
    """The statblocks that are kept for the game that was chosen."""
    system = getattr(interaction.namespace, "system", "") or "counterblast"
    return choices(suggestions(typed, [row.name for row in await own_statblocks(interaction, system)]))


def add_to(parent: app_commands.Group) -> None:
    """Put the group into the group /crew."""
    group = app_commands.Group(name="own", description="Statblocks of your own", parent=parent)
    games = [
        app_commands.Choice(name=one.name, value=one.key) for one in GAMES.values() if isinstance(one, Writes)
    ]

    @group.command(
        name="save", description="Keep a statblock of any figures for this server", extras=as_typed("text")
    )
    @app_commands.describe(
        text="Figures and weapons as they are typed; left out: how to type them",
        name="Its name, if not in the text",
        system=GAME,
    )
    @app_commands.choices(system=games)
    async def save(interaction: It, text: str = "", name: str = "", system: str = "counterblast") -> None:
        await answer(interaction, SaveBlock(text, name, system))

    @group.command(name="list", description="Show them, or one as it can be typed again, to you alone")
    @app_commands.describe(name="Only this one", system=GAME)
    @app_commands.choices(system=games)
    @app_commands.autocomplete(name=kept_block)
    async def listing(interaction: It, name: str = "", system: str = "counterblast") -> None:
        await answer(interaction, ListBlocks(name, system))

    @group.command(name="drop", description="Keep one no more")
    @app_commands.describe(name="Which", system=GAME)
    @app_commands.choices(system=games)
    @app_commands.autocomplete(name=kept_block)
    async def drop(interaction: It, name: str, system: str = "counterblast") -> None:
        await answer(interaction, DropBlock(name, system))

    @group.command(name="export", description="Get them as a file")
    @app_commands.describe(system=GAME)
    @app_commands.choices(system=games)
    async def exporting(interaction: It, system: str = "counterblast") -> None:
        await answer(interaction, ExportBlocks(system))

    @group.command(name="import", description="Take them from such a file")
    @app_commands.describe(file="A JSON file")
    async def importing(interaction: It, file: discord.Attachment) -> None:
        text = await attached(interaction, file)
        if text:
            await answer(interaction, ImportBlocks(text))
