"""/gear: items and Features of Counterblast that are used by themselves."""

from __future__ import annotations

from typing import Any

from discord import app_commands

from bot.commands.counterblast_combat import next_name
from bot.commands.counterblast_options import (
    ODDS,
    ORDER,
    any_task,
    names_in,
)
from bot.commands.options import It, encounter_of, own_model
from bot.games.counterblast.gear.task_play import Work
from bot.games.counterblast.melee.strike_play import Explode
from bot.panels.answer import answer, send
from bot.replies.reply import say
from rules.refusals import InvalidInput

Target = app_commands.Range[int, 2, 15]
Security = app_commands.Range[int, -5, 0]


def add(tree: app_commands.CommandTree[Any]) -> None:
    """Put the commands into the tree."""
    group = app_commands.Group(name="gear", description="Counterblast: items and pairs", guild_only=True)
    _add_items(group)
    _add_explosion(group)
    tree.add_command(group)


def _add_items(group: app_commands.Group) -> None:

    @group.command(name="unlock", description="Open a locked door with Technology")
    @app_commands.describe(
        model="Who",
        door="Its name; a new one begins it",
        target="Of a new lock, 7",
        security="Penalty of a high-security lock",
        mechanical="Purely mechanical: no lockpick",
        team="Helpers, with commas",
        order=ORDER,
        odds=ODDS,
    )
    @app_commands.autocomplete(model=own_model, door=any_task, team=next_name)
    async def unlock(
        interaction: It,
        model: str,
        door: str = "Door",
        target: Target | None = None,
        security: Security = 0,
        mechanical: bool = False,
        team: str = "",
        order: bool = False,
        odds: bool = False,
    ) -> None:
        purpose = "" if mechanical else "lock"
        helpers = names_in(team)
        work = Work(
            model, "technology", order, helpers, False, 0, odds, door, target or 0, 0, purpose, security
        )
        await answer(interaction, work)


def _add_explosion(group: app_commands.Group) -> None:
    @group.command(name="explode", description="A Combustible model explodes as its attack")
    @app_commands.describe(model="Who", near="Who is near, with commas; none: asked", odds=ODDS)
    @app_commands.autocomplete(model=own_model)
    async def explode(interaction: It, model: str, near: str = "", odds: bool = False) -> None:
        encounter = await encounter_of(interaction)
        try:
            if encounter is None:
                raise InvalidInput("There is no encounter here.")
            number = encounter.find_model(model).id
            struck = tuple(encounter.find_model(name).id for name in names_in(near))
        except InvalidInput as refusal:
            await send(interaction, say(refusal.sentence, private=True))
            return
        await answer(interaction, Explode(number, near=struck, attack=True, odds=odds))
