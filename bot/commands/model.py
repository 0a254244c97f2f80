"""/model and /condition: what players set by hand."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.commands.options import (
    It,
    any_condition,
    any_equipment,
    any_model,
    any_recruit,
    any_side,
    gone_model,
    own_model,
    present_condition,
    words_of,
)
from bot.panels.answer import answer
from bot.table.rosters.reinforcements import AddModel, EquipModel
from bot.table.session.models import (
    AddCondition,
    ClearCondition,
    DamageModel,
    HandOver,
    HealModel,
    ListConditions,
    NoteModel,
    RemoveModel,
    RenameModel,
    ReturnModel,
    ShowModel,
)

Wounds = app_commands.Range[int, 1, 99]
Count = app_commands.Range[int, 1, 10]
Grade = app_commands.Range[int, 0, 20]


def add(tree: app_commands.CommandTree[Any]) -> None:
    """Put the commands into the tree."""
    _add_model(tree)
    _add_condition(tree)


def _add_model(tree: app_commands.CommandTree[Any]) -> None:
    group = app_commands.Group(name="model", description="A model in the game", guild_only=True)

    @group.command(name="show", description="Show its statblock and state, to you alone")
    @app_commands.describe(model="The model")
    @app_commands.autocomplete(model=any_model)
    async def show(interaction: It, model: str) -> None:
        await answer(interaction, ShowModel(model))

    @group.command(name="damage", description="Give it wounds by hand")
    @app_commands.describe(model="The model", wounds="How many", by="The model or crew that did it")
    @app_commands.autocomplete(model=own_model, by=any_model)
    async def damage(interaction: It, model: str, wounds: Wounds = 1, by: str = "") -> None:
        await answer(interaction, DamageModel(model, wounds, by))

    @group.command(name="heal", description="Take wounds off it by hand")
    @app_commands.describe(model="The model", wounds="How many")
    @app_commands.autocomplete(model=own_model)
    async def heal(interaction: It, model: str, wounds: Wounds = 1) -> None:
        await answer(interaction, HealModel(model, wounds))

    @group.command(name="note", description="Write a note on it; none wipes it")
    @app_commands.describe(model="The model", text="The note")
    @app_commands.autocomplete(model=own_model)
    async def note(interaction: It, model: str, text: str = "") -> None:
        await answer(interaction, NoteModel(model, text))

    @group.command(name="rename", description="Give it a name of its own")
    @app_commands.describe(model="The model", name="Its new name")
    @app_commands.autocomplete(model=own_model)
    async def rename(interaction: It, model: str, name: str) -> None:
        await answer(interaction, RenameModel(model, name))

    @group.command(name="owner", description="Let somebody else play it")
    @app_commands.describe(model="The model", player="Who plays it now")
    @app_commands.autocomplete(model=own_model)
    async def owner(interaction: It, model: str, player: discord.User) -> None:
        await answer(interaction, HandOver(model, player.id))

    @group.command(name="remove", description="Take it out of play by hand")
    @app_commands.describe(model="The model", how="Why: casualty, fled, removed")
    @app_commands.autocomplete(model=own_model, how=words_of("removed", "casualty", "fled"))
    async def remove(interaction: It, model: str, how: str = "removed") -> None:
        await answer(interaction, RemoveModel(model, how))

    @group.command(name="return", description="Bring it back into play")
    @app_commands.describe(model="The model")
    @app_commands.autocomplete(model=gone_model)
    async def bring_back(interaction: It, model: str) -> None:
        await answer(interaction, ReturnModel(model))

    @group.command(name="add", description="Put a further model into a side")
    @app_commands.describe(
        side="The side",
        profile="Its statblock",
        called="A name of its own",
        count="How many",
        carries="Further equipment, with commas",
    )
    @app_commands.autocomplete(side=any_side, profile=any_recruit, carries=any_equipment)
    async def add_model(
        interaction: It, side: str, profile: str, called: str = "", count: Count = 1, carries: str = ""
    ) -> None:
        await answer(interaction, AddModel(side, profile, called, count, carries))

    @group.command(name="equip", description="Give it something to carry")
    @app_commands.describe(model="The model", items="Weapons and gear, with commas")
    @app_commands.autocomplete(model=own_model, items=any_equipment)
    async def equip(interaction: It, model: str, items: str) -> None:
        await answer(interaction, EquipModel(model, items))

    tree.add_command(group)


def _add_condition(tree: app_commands.CommandTree[Any]) -> None:
    group = app_commands.Group(name="condition", description="Conditions of models", guild_only=True)

    @group.command(name="add", description="Put a model under a condition by hand")
    @app_commands.describe(model="The model", condition="The condition", grade="Its grade, if it has one")
    @app_commands.autocomplete(model=own_model, condition=any_condition)
    async def add_condition(interaction: It, model: str, condition: str, grade: Grade = 0) -> None:
        await answer(interaction, AddCondition(model, condition, grade))

    @group.command(name="clear", description="End a condition by hand, or all")
    @app_commands.describe(model="The model", condition="The condition; none: all")
    @app_commands.autocomplete(model=own_model, condition=present_condition)
    async def clear(interaction: It, model: str, condition: str = "") -> None:
        await answer(interaction, ClearCondition(model, condition))

    @group.command(name="list", description="Show who is under what, to you alone")
    async def list_conditions(interaction: It) -> None:
        await answer(interaction, ListConditions())

    tree.add_command(group)
