"""/inf model: the server's own profiles."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.commands.infinity_options import any_profile, library_profile, my_trooper
from bot.commands.options import It, any_side, crew_named, own_crew
from bot.games.infinity.library_play import (
    MOST_BYTES,
    AddModel,
    DropProfile,
    ExportProfiles,
    ImportProfiles,
    ListProfiles,
    RecruitProfile,
    Regroup,
    SaveProfile,
)
from bot.panels.answer import answer, send
from bot.panels.typed import as_typed
from bot.replies.reply import say

Many = app_commands.Range[int, 1, 10]


def add_to(parent: app_commands.Group) -> None:
    """Put the group into the group /inf."""
    group = app_commands.Group(name="model", description="Profiles of your own", parent=parent)
    _add_use(group)
    _add_files(group)

    @group.command(name="save", description="Save a profile for this server", extras=as_typed("text"))
    @app_commands.describe(name="Its name", text="BS 12, ARM 1, MOV 4-4, W 1; Combi Rifle B3 DAM 13; or JSON")
    async def save(interaction: It, name: str, text: str) -> None:
        await answer(interaction, SaveProfile(text, name))

    @group.command(name="list", description="Show the library, or one profile, to you alone")
    @app_commands.describe(name="Only this one")
    @app_commands.autocomplete(name=library_profile)
    async def listing(interaction: It, name: str = "") -> None:
        await answer(interaction, ListProfiles(name))

    @group.command(name="drop", description="Take a profile out of the library")
    @app_commands.describe(name="Its name")
    @app_commands.autocomplete(name=library_profile)
    async def drop(interaction: It, name: str) -> None:
        await answer(interaction, DropProfile(name))


def _add_use(group: app_commands.Group) -> None:
    @group.command(
        name="add", description="Put a trooper into the game, in the open", extras=as_typed("profile")
    )
    @app_commands.describe(
        name="Its name",
        side="Whose; new before the game",
        count="How many",
        profile="A saved or sample one, or typed",
        group="Combat Group; none: with room",
    )
    @app_commands.autocomplete(profile=any_profile, side=any_side)
    async def add(
        interaction: It,
        profile: str,
        name: str = "",
        side: str = "",
        group: app_commands.Range[int, 0, 9] = 0,
        count: Many = 1,
    ) -> None:
        await answer(interaction, AddModel(profile, name, side, group, count))

    @group.command(name="group", description="Put a trooper into another Combat Group")
    @app_commands.describe(model="Who", group="Which group")
    @app_commands.autocomplete(model=my_trooper)
    async def regroup(interaction: It, model: str, group: app_commands.Range[int, 1, 9]) -> None:
        await answer(interaction, Regroup(model, group))

    @group.command(name="recruit", description="Take a profile into your crew")
    @app_commands.describe(crew="Into which crew", profile="A saved or sample one", count="How many")
    @app_commands.autocomplete(profile=any_profile, crew=own_crew)
    async def recruit(interaction: It, crew: str, profile: str, count: Many = 1) -> None:
        scope = await crew_named(interaction, crew)
        if scope is not None:
            await answer(interaction, RecruitProfile(scope, profile, count))


def _add_files(group: app_commands.Group) -> None:
    @group.command(name="import", description="Take profiles from a file")
    @app_commands.describe(file="A JSON file")
    async def importing(interaction: It, file: discord.Attachment) -> None:
        if file.size > MOST_BYTES:
            sentence = f"A file of profiles has at most {MOST_BYTES // 1000} kB."
            await send(interaction, say(sentence, private=True))
            return
        try:
            text = (await file.read()).decode("utf-8-sig")
        except UnicodeDecodeError:
            await send(interaction, say("The file is no text in UTF-8.", private=True))
            return
        await answer(interaction, ImportProfiles(text))

    @group.command(name="export", description="Get the library as a file")
    async def exporting(interaction: It) -> None:
        await answer(interaction, ExportProfiles())
