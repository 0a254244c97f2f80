"""/mission: what each crew of Counterblast is really here for."""

from __future__ import annotations

from typing import Any

from discord import app_commands

from bot.commands.counterblast_options import ODDS, ORDER, SYSTEM, names_in
from bot.commands.options import Choices, It, choices, chosen, encounter_of, own_model
from bot.games.counterblast.missions.mission_state import places
from bot.games.counterblast.missions.mission_work import SearchPlace
from bot.panels.answer import answer
from bot.table.names import suggestions
from rules.refusals import InvalidInput

Inches = app_commands.Range[float, 0, 200]


async def searched_place(interaction: It, typed: str) -> Choices:
    """Places of the side of the model that was chosen."""
    encounter = await encounter_of(interaction, SYSTEM)
    if encounter is None:
        return []
    try:
        side = encounter.find_model(chosen(interaction, "model")).side
    except InvalidInput:
        side = 0
    return choices(suggestions(typed, [row.name for row in places(encounter, side)]))


def add(tree: app_commands.CommandTree[Any]) -> None:
    """Put the commands into the tree."""
    group = app_commands.Group(name="mission", description="Counterblast: crew missions", guild_only=True)
    _add_work(group)
    tree.add_command(group)


def _add_work(group: app_commands.Group) -> None:

    @group.command(name="search", description="Search, scout or sabotage at a place")
    @app_commands.describe(
        model="Who", place="Where", inches="To it", helpers="Who helps, with commas", order=ORDER, odds=ODDS
    )
    @app_commands.autocomplete(model=own_model, place=searched_place)
    async def search(
        interaction: It,
        model: str,
        place: str,
        inches: Inches = 0.0,
        helpers: str = "",
        order: bool = False,
        odds: bool = False,
    ) -> None:
        action = SearchPlace(
            worker=model, place=place, inches=inches, helpers=names_in(helpers), order=order, odds=odds
        )
        await answer(interaction, action)
