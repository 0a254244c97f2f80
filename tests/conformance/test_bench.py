"""What the bench asks exists: every command of Counterblast that tells odds has a case, with its options."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bench.odds import CASES, UNMEASURED, commands_with_odds
from bench.path import multiply
from bot.app import add_commands
from bot.table.session.encounters import StartDemo
from tests.bot.tables import Table, contents


def options() -> dict[str, set[str]]:
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


async def test_ten_thousand_encounters_are_copies_of_one(table: Table) -> None:
    await table.done("anna", StartDemo())
    models = len(contents(table.file, "models")["models"])
    multiply(table.file, 3)
    found = contents(table.file, "encounters", "models")
    assert len({row[0] for row in found["encounters"]}) == 4
    assert len(found["models"]) == 4 * models
