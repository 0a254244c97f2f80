"""What the bench asks exists: every command of Counterblast that tells odds has a case, with its options."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bench.odds import CASES, UNMEASURED, commands_with_odds
from bot.app import add_commands


def options() -> dict[str, set[str]]:
    """The options of each command, by path."""
    client = discord.Client(intents=discord.Intents.none())
    tree: app_commands.CommandTree[Any] = app_commands.CommandTree(client)
    add_commands(tree)
    commands = (one for one in tree.walk_commands() if isinstance(one, app_commands.Command))
    return {one.qualified_name: {option.name for option in one.parameters} for one in commands}


def test_every_command_that_tells_odds_is_measured() -> None:
    assert commands_with_odds() == {command for _, command, _ in CASES} | UNMEASURED


def test_what_is_measured_can_be_asked() -> None:
    known = options()
    for words, command, given in CASES:
        assert set(given) <= known[command], (command, words)
