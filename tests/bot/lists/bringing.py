"""Lists brought at a table: read, shown, kept."""

from __future__ import annotations

from bot.table.bringing.list_import import KeepList
from bot.table.rosters.crews import ImportCrew
from tests.bot.tables import Table


async def brought(table: Table, text: str, name: str = "", who: str = "anna") -> int:
    """The scope of the crew that a list becomes as it was understood."""
    shown = await table.done(who, ImportCrew(text, name))
    return (await table.done(who, KeepList(shown.scope))).scope


async def shown_of(table: Table, text: str) -> str:
    """What is told of a list that can't be kept as it stands."""
    shown = await table.done("anna", ImportCrew(text))
    assert "First choose a statblock" in await table.refused("anna", KeepList(shown.scope))
    return shown.reply.text
