"""/demo, /encounter, /undo, /redo, /log, /why, /export: the encounter and its history."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.commands.options import (
    It,
    any_model,
    any_setting,
    any_side,
    crew_named,
    own_crew,
    setting_value,
    system_choices,
)
from bot.panels.answer import answer
from bot.table.journal.exports import Export
from bot.table.journal.history import MOST_STEPS, Redo, Undo
from bot.table.journal.log import ShowLog, WhyModel
from bot.table.session.encounters import (
    AskEnd,
    JoinEncounter,
    NextStep,
    ShowEncounter,
    StartDemo,
    StartEncounter,
)
from bot.table.session.leaving import RemovePerson
from bot.table.session.settings import Settings

Steps = app_commands.Range[int, 1, MOST_STEPS]
Turns = app_commands.Range[int, 1, 50]


def add(tree: app_commands.CommandTree[Any]) -> None:
    """Put the commands into the tree."""
    group = app_commands.Group(name="encounter", description="The game in this channel", guild_only=True)
    systems = system_choices()

    @tree.command(name="demo", description="Start a game to try, with two sample crews")
    @app_commands.guild_only()
    @app_commands.describe(system="Which game")
    @app_commands.choices(system=systems)
    async def demo(interaction: It, system: str = "counterblast") -> None:
        await answer(interaction, StartDemo(system))

    @group.command(name="start", description="Start an encounter in this channel")
    @app_commands.describe(
        system="Which game", turns="How many turns", crew="Your crew", name="What to call it"
    )
    @app_commands.choices(system=systems)
    @app_commands.autocomplete(crew=own_crew)
    async def start(
        interaction: It,
        system: str = "counterblast",
        turns: Turns | None = None,
        crew: str = "",
        name: str = "",
    ) -> None:
        scope = await crew_named(interaction, crew) if crew else 0
        if scope is not None:
            await answer(interaction, StartEncounter(system, turns or 0, scope, name))

    @group.command(name="join", description="Take a place in the encounter")
    @app_commands.describe(side="The side to play", crew="The crew you bring", watch="Only watch")
    @app_commands.autocomplete(side=any_side, crew=own_crew)
    async def join(interaction: It, side: str = "", crew: str = "", watch: bool = False) -> None:
        scope = await crew_named(interaction, crew) if crew else 0
        if scope is not None:
            await answer(interaction, JoinEncounter(side, scope, watch))

    @group.command(name="remove", description="Remove somebody from the game (organiser)")
    @app_commands.describe(person="Who leaves")
    async def remove(interaction: It, person: discord.User) -> None:
        await answer(interaction, RemovePerson(person.id))

    @group.command(name="status", description="Show where the game stands, to you alone")
    async def status(interaction: It) -> None:
        await answer(interaction, ShowEncounter())

    @group.command(name="next", description="Lead on: begin, end the turn, begin the next")
    async def next_step(interaction: It) -> None:
        await answer(interaction, NextStep(asks=True))

    @group.command(name="end", description="Show the result, and ask whether to end the game")
    async def end(interaction: It) -> None:
        await answer(interaction, AskEnd())

    @group.command(name="settings", description="Show or choose the readings that this game is played by")
    @app_commands.describe(setting="Which one; none: all", value="What it is to be, or default")
    @app_commands.autocomplete(setting=any_setting, value=setting_value)
    async def settings(interaction: It, setting: str = "", value: str = "") -> None:
        await answer(interaction, Settings(setting, value))

    tree.add_command(group)

    @tree.command(name="undo", description="Take back the last action in this channel")
    @app_commands.guild_only()
    @app_commands.describe(steps="How many actions")
    async def undo(interaction: It, steps: Steps = 1) -> None:
        await answer(interaction, Undo(steps))

    @tree.command(name="redo", description="Do again what was undone")
    @app_commands.guild_only()
    @app_commands.describe(steps="How many actions")
    async def redo(interaction: It, steps: Steps = 1) -> None:
        await answer(interaction, Redo(steps))

    @tree.command(name="log", description="Show what was done, to you alone")
    @app_commands.guild_only()
    async def log(interaction: It) -> None:
        await answer(interaction, ShowLog())

    @tree.command(name="why", description="Show everything that changed a model, to you alone")
    @app_commands.guild_only()
    @app_commands.describe(model="The model")
    @app_commands.autocomplete(model=any_model)
    async def why(interaction: It, model: str) -> None:
        await answer(interaction, WhyModel(model))

    @tree.command(name="export", description="Get the ended game as a file whose dice can be verified")
    @app_commands.guild_only()
    async def export(interaction: It) -> None:
        await answer(interaction, Export())
