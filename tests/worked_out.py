"""What every program works out once for itself, worked out as this is loaded: whoever is forked then has it.

That a program works it out is seen where a test starts one from nothing.
"""

from __future__ import annotations

import discord
from discord import app_commands

from bot.app import add_commands
from bot.store.vocabulary import words_of_the_program
from bot.version import rules_version

words_of_the_program()
rules_version()
add_commands(app_commands.CommandTree(discord.Client(intents=discord.Intents.none())))
