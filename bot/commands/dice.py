"""/roll and /dice: free rolls, whose dice are thrown, faces of real ones, and how the bot's are bound."""

from __future__ import annotations

from typing import Any, Literal

from discord import app_commands

from bot.commands.campaign import any_campaign, in_campaign
from bot.commands.options import It, crew_named, own_crew
from bot.panels.answer import answer, send
from bot.panels.typed import as_typed
from bot.replies.reply import say
from bot.table.rolling.dice import AddWords, CampaignDice, CrewDice, DiceMode, ShowDice
from bot.table.rolling.realdice import DropRoll, EnterFaces
from bot.table.rolling.rolls import Roll

MOST_FACES = 100


def add(tree: app_commands.CommandTree[Any]) -> None:
    """Put the commands into the tree."""
    group = app_commands.Group(name="dice", description="The dice of this game", guild_only=True)

    @group.command(name="mode", description="Throw the bot's dice, or real ones that you type")
    @app_commands.describe(
        dice="Whose dice you throw from now on",
        campaign="Between the games of this campaign",
        crew="With this crew of yours, wherever it goes",
    )
    @app_commands.autocomplete(campaign=any_campaign, crew=own_crew)
    async def mode(interaction: It, dice: Literal["bot", "real"], campaign: str = "", crew: str = "") -> None:
        if campaign and crew:
            await send(interaction, say("Name a campaign or a crew, not both.", private=True))
        elif campaign:
            await in_campaign(interaction, campaign, lambda number: CampaignDice(number, dice))
        elif crew:
            scope = await crew_named(interaction, crew)
            if scope is not None:
                await answer(interaction, CrewDice(scope, dice))
        else:
            await answer(interaction, DiceMode(dice))

    @group.command(name="enter", description="Type what your real dice show")
    @app_commands.describe(faces="The faces in order, as in: 10 2")
    async def enter(interaction: It, faces: str) -> None:
        given = faces.replace(",", " ").split()
        if not 1 <= len(given) <= MOST_FACES or not all(face.isdecimal() and len(face) < 6 for face in given):
            await send(interaction, say("Type faces as numbers, as in: 10 2", private=True))
            return
        await answer(interaction, EnterFaces(tuple(map(int, given)), asks=True))

    @group.command(name="drop", description="Give up the roll that waits for your dice")
    async def drop(interaction: It) -> None:
        await answer(interaction, DropRoll())

    @group.command(name="words", description="Mix words of yours into all rolls to come")
    @app_commands.describe(text="Any words")
    async def words(interaction: It, text: str) -> None:
        await answer(interaction, AddWords(text))

    @group.command(name="show", description="Show how the dice are bound, to you alone")
    async def show(interaction: It) -> None:
        await answer(interaction, ShowDice())

    tree.add_command(group)

    @tree.command(
        name="roll", description="Roll any dice: 4d10+1 vs 7, 3d6 keep 2, 2d20 best", extras=as_typed("dice")
    )
    @app_commands.guild_only()
    @app_commands.describe(dice="What to roll", odds="Show the chances instead, to you alone")
    async def roll(interaction: It, dice: str, odds: bool = False) -> None:
        await answer(interaction, Roll(dice, odds))
