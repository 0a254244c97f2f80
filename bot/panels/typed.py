"""The door for text and files: what people type into commands and forms is cleaned here, once, before anybody
reads it; files are fetched here.

An option or blank loses what pings, formats or hides. If its signs are a notation of their own (dice, blows,
profiles, imports), it is declared `as_typed` and loses only invisible characters; code that shows it again
says how. What was chosen from a list is left as it is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import discord
from discord import app_commands

from bot.replies.reply import FORMS
from bot.table.asking.server_kinds import Attached
from bot.table.names import make_harmless, remove_invisible
from rules.refusals import InvalidInput

READ_SECONDS = 10
"""How long a file may take to arrive."""

SUB_COMMAND, GROUP, TEXT = 1, 2, 3
"""Kinds of options, as Discord numbers them."""

_AS_TYPED = "as_typed"

Leaf = app_commands.Command[Any, ..., Any]


def as_typed(*options: str) -> dict[str, Any]:
    """Return the extras of a command whose options of these names are notations that keep their signs."""
    return {_AS_TYPED: options}


def cleaned(command: Leaf, option: str, text: str) -> str:
    """Return the text that a command gets for one of its options."""
    if option in command.extras.get(_AS_TYPED, ()):
        return remove_invisible(text)
    part = command.get_parameter(option)
    return text if part is not None and part.choices else make_harmless(text)


def clean_options(tree: app_commands.CommandTree[Any], data: Mapping[str, Any]) -> None:
    """Clean the options of a command, or of one whose suggestions are asked for, where they stand."""
    command = tree.get_command(str(data.get("name", "")))
    options: Sequence[dict[str, Any]] = data.get("options", ())
    while options and options[0]["type"] in (SUB_COMMAND, GROUP):
        command = command.get_command(options[0]["name"]) if isinstance(command, app_commands.Group) else None
        options = options[0].get("options", ())
    if not isinstance(command, app_commands.Command):
        return
    for option in options:
        if option["type"] == TEXT:
            option["value"] = cleaned(command, option["name"], str(option["value"]))


def cleaned_blank(form: str, name: str, text: str) -> str:
    """Return the text that an action gets for a blank of a form, which is known by its key."""
    blanks = FORMS[form].blanks if form in FORMS else ()
    notation = any(blank.as_typed for blank in blanks if blank.name == name)
    return remove_invisible(text) if notation else make_harmless(text)


async def file_text(file: discord.Attachment, kind: Attached) -> str:
    """Fetch a file and return its text, as its kind reads it. Raises InvalidInput."""
    kind.text_in(file.size)
    return await asyncio.to_thread(kind.text_in, file.size, await fetch(file))


async def fetch(file: discord.Attachment) -> bytes:
    """Return the bytes of a file. Raises InvalidInput if it does not arrive."""
    try:
        async with asyncio.timeout(READ_SECONDS):
            return await file.read()
    except (TimeoutError, discord.HTTPException):
        raise InvalidInput("Try again; the file couldn't be loaded.") from None
