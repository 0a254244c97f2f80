"""/book: Counterblast's figures, looked up."""

from __future__ import annotations

from typing import Any

from discord import app_commands

from bot.commands.options import Choices, It, choices
from bot.games.counterblast.building.book_play import LookUp, pages
from bot.panels.answer import answer
from bot.table.names import suggestions


async def _things(interaction: It, typed: str) -> Choices:
    return choices(suggestions(typed, [page.name for page in pages()]))


def add(tree: app_commands.CommandTree[Any]) -> None:
    """Put the command into the tree."""

    @tree.command(name="book", description="Counterblast: look up a model, weapon, power or chart")
    @app_commands.describe(thing="Its name")
    @app_commands.autocomplete(thing=_things)
    @app_commands.guild_only()
    async def book(interaction: It, thing: app_commands.Range[str, 1, 100]) -> None:
        await answer(interaction, LookUp(thing))
