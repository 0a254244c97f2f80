"""The menu of a message makes a crew of its list. Discord sends that message along, and nothing else."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.actions import part_of
from bot.commands.typed import file_text
from bot.panels.answer import answer, send
from bot.replies.reply import say
from bot.table.asking.server_kinds import Attached
from bot.table.bringing.list_import import ImportCrew
from bot.table.names import visible
from rules.refusals import InvalidInput

NAME = "Make a crew of this"

It = discord.Interaction[discord.Client]


def add(tree: app_commands.CommandTree[discord.Client]) -> None:
    """Put the command into a tree."""
    menu = app_commands.ContextMenu(name=NAME, callback=_make_crew, auto_locale_strings=False)
    tree.add_command(app_commands.guild_only()(menu))


async def _make_crew(interaction: It, message: discord.Message) -> None:
    try:
        action = await _list_in(message)
    except InvalidInput as refusal:
        await send(interaction, say(refusal.sentence, private=True))
        return
    await answer(interaction, action)


async def _list_in(message: discord.Message) -> ImportCrew:
    """Return the list in the first file of a message, or in its text. Raises InvalidInput."""
    files = [one for one in message.attachments if not (one.content_type or "").startswith("image/")]
    if files:
        kind = part_of(ImportCrew.command, "file").kind
        assert isinstance(kind, Attached), "a list is a file"
        return ImportCrew(file=await file_text(files[0], kind))
    told = [message.content, *(one.description or "" for one in message.embeds)]
    text = visible("\n".join(filter(None, told)))
    if not text.strip():
        raise InvalidInput("There is no text or file in this message. Choose the message that has your list.")
    return ImportCrew(text)
