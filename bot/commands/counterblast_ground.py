"""/cb field and /cb fire: the ground, structures, the whole table, fire and acid."""

from __future__ import annotations

from discord import app_commands

from bot.commands.counterblast_options import (
    Rating,
    any_structure,
    structure_kind,
)
from bot.commands.options import It
from bot.games.counterblast.ground.structure_play import AddStructure, DropStructure
from bot.games.counterblast.setup.table_play import SetTable
from bot.panels.answer import answer


def add_to(group: app_commands.Group) -> None:
    """Put the commands into the group /cb."""
    field = app_commands.Group(name="field", description="Ground, structures, the table", parent=group)
    _add_table(field)
    _add_structures(field)


def _add_table(field: app_commands.Group) -> None:

    @field.command(name="table", description="What holds for the whole table")
    @app_commands.describe(
        dark="In the dark",
        vacuum="Without air",
        underwater="Under water",
        gravity="Low Gravity rating",
        climate="Grade of heat or cold",
    )
    async def table(
        interaction: It,
        dark: bool | None = None,
        vacuum: bool | None = None,
        underwater: bool | None = None,
        gravity: Rating | None = None,
        climate: Rating | None = None,
    ) -> None:
        given = (dark, vacuum, underwater, gravity, climate)
        await answer(interaction, SetTable(*(-1 if value is None else int(value) for value in given)))


def _add_structures(field: app_commands.Group) -> None:
    @field.command(name="wall", description="Keep a wall or door, or drop it")
    @app_commands.describe(kind="What it is", name="What to call it", drop="Take it off the table")
    @app_commands.autocomplete(kind=structure_kind, name=any_structure)
    async def wall(interaction: It, kind: str = "", name: str = "", drop: bool = False) -> None:
        await answer(interaction, DropStructure(name) if drop else AddStructure(name, kind))
