"""/crew: traits, the check of a whole crew, its written form, its sheet."""

from __future__ import annotations

import asyncio
from typing import Literal

import discord
from discord import app_commands

from bot.commands.options import Choices, It, any_crew, choices, chosen, completed, crew_named, own_crew
from bot.panels.answer import answer, host_of, send
from bot.panels.typed import as_typed
from bot.replies.reply import say
from bot.table.names import suggestions
from bot.table.rosters.crew_text import MOST_CHARACTERS
from bot.table.rosters.muster import (
    MUSTERS,
    CheckCrew,
    ExportCrew,
    ImportCrew,
    PrintCrew,
    SetTrait,
)

MOST_BYTES = 4 * MOST_CHARACTERS
READ_SECONDS = 10
PACKED = (b"PK\x03\x04", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf", b"Rar!")
"""How files begin that hold packed ones."""

Limit = app_commands.Range[int, 0, 5000]


async def _system(interaction: It) -> str:
    crew = chosen(interaction, "crew")
    crews = await host_of(interaction).desk.store.crews(interaction.guild_id or 0)
    return next((row[2] for row in crews if row[1] == crew), "")


async def trait_names(interaction: It, typed: str) -> Choices:
    """What can be said of the crew that was chosen."""
    known = MUSTERS.get(await _system(interaction))
    return choices(suggestions(typed, [key for key, _ in known.traits()])) if known else []


async def trait_values(interaction: It, typed: str) -> Choices:
    """What the trait may be; the last of several is completed."""
    known = MUSTERS.get(await _system(interaction))
    key = chosen(interaction, "trait")
    if known is None or key not in [name for name, _ in known.traits()]:
        return []
    return completed(typed, known.values(key))


NO_TEXT = "The file is no text in UTF-8. Save it as UTF-8, or paste the text."


def file_fault(size: int, data: bytes | None = None) -> str:
    """Why an attached file is refused, before it is read or once it was; empty where it may be a crew."""
    if size > MOST_BYTES:
        return f"A written crew has at most {MOST_BYTES // 1000} kB; this file has {size // 1000}."
    if not size or data == b"":
        return "The file is empty."
    if data is None:
        return ""
    if len(data) > MOST_BYTES:
        return f"A written crew has at most {MOST_BYTES // 1000} kB."
    if data.startswith(PACKED):
        return "The file is packed. Attach the text or JSON itself."
    return ""


def text_of(data: bytes) -> str:
    """The text of a file, empty where it is none in UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return ""


async def attached(interaction: It, file: discord.Attachment) -> str:
    """The text of an attached file; empty after a refusal was sent."""
    wrong = file_fault(file.size)
    data = b""
    if not wrong:
        try:
            async with asyncio.timeout(READ_SECONDS):
                data = await file.read()
        except (TimeoutError, discord.HTTPException):
            wrong = "The file could not be fetched. Try again, or paste it as text."
    wrong = wrong or file_fault(file.size, data)
    text = "" if wrong else text_of(data)
    if not text:
        await send(interaction, say(wrong or NO_TEXT, private=True))
    return text


def add_to(group: app_commands.Group) -> None:
    """Put the commands into the group /crew."""
    _add_judged(group)
    _add_written(group)


def _add_judged(group: app_commands.Group) -> None:
    @group.command(name="trait", description="Say what your crew is: affiliation, Specialties and so on")
    @app_commands.describe(crew="Your crew", trait="What to say", value="What it is; none takes it back")
    @app_commands.autocomplete(crew=own_crew, trait=trait_names, value=trait_values)
    async def trait(interaction: It, crew: str, trait: str = "", value: str = "") -> None:
        scope = await crew_named(interaction, crew)
        if scope is not None:
            await answer(interaction, SetTrait(scope, trait, value))

    @group.command(name="check", description="Check a whole crew, to you alone")
    @app_commands.describe(crew="The crew", limit="Points agreed; none: only the rest")
    @app_commands.autocomplete(crew=any_crew)
    async def check(interaction: It, crew: str, limit: Limit = 0) -> None:
        scope = await crew_named(interaction, crew)
        if scope is not None:
            await answer(interaction, CheckCrew(scope, limit))

    @group.command(name="sheet", description="A crew's sheet to print, to you alone")
    @app_commands.describe(crew="The crew")
    @app_commands.autocomplete(crew=any_crew)
    async def sheet(interaction: It, crew: str) -> None:
        scope = await crew_named(interaction, crew)
        if scope is not None:
            await answer(interaction, PrintCrew(scope))


def _add_written(group: app_commands.Group) -> None:
    @group.command(name="export", description="Write a crew down, to you alone")
    @app_commands.describe(crew="The crew", form="For people or for programs")
    @app_commands.autocomplete(crew=any_crew)
    async def exporting(interaction: It, crew: str, form: Literal["text", "json"] = "text") -> None:
        scope = await crew_named(interaction, crew)
        if scope is not None:
            await answer(interaction, ExportCrew(scope, form))

    @group.command(name="import", description="Make a crew from its written form", extras=as_typed("text"))
    @app_commands.describe(
        file="The file",
        text="Or the text itself",
        name="Another name for it",
        limit="Refuse it unless it fits these points",
    )
    async def importing(
        interaction: It,
        file: discord.Attachment | None = None,
        text: app_commands.Range[str, 1, 6000] = "",
        name: str = "",
        limit: Limit = 0,
    ) -> None:
        given = await attached(interaction, file) if file else text.replace("\\n", "\n")
        if given:
            await answer(interaction, ImportCrew(given, name, limit))
        elif file is None:
            await send(interaction, say("Attach the file, or paste the text.", private=True))
