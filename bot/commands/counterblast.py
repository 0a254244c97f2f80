"""/bag, /order and /cb: what players of Counterblast do."""

from __future__ import annotations

from typing import Any, Literal

from discord import app_commands

from bot.commands import counterblast_combat, counterblast_field
from bot.commands.counterblast_options import Cover, Dice, Inches, carried_weapon
from bot.commands.options import It, any_model, own_model
from bot.games.counterblast.bag_play import DrawToken, PassDraw, PeekBag, RedrawToken
from bot.games.counterblast.shoot_play import Shoot
from bot.panels.answer import answer


def add(tree: app_commands.CommandTree[Any]) -> None:
    """Put the commands into the tree."""
    _add_bag(tree)
    _add_cb(tree)


def _add_bag(tree: app_commands.CommandTree[Any]) -> None:
    group = app_commands.Group(name="bag", description="The initiative bag", guild_only=True)

    @group.command(name="draw", description="Draw an initiative token")
    async def draw(interaction: It) -> None:
        await answer(interaction, DrawToken())

    @group.command(name="redraw", description="Spend an order token: put it back and draw again")
    async def redraw(interaction: It) -> None:
        await answer(interaction, RedrawToken())

    @group.command(name="pass", description="End the activation and hand the draw on")
    async def pass_draw(interaction: It) -> None:
        await answer(interaction, PassDraw())

    @group.command(name="peek", description="Show how many tokens are in the bag, to you alone")
    async def peek(interaction: It) -> None:
        await answer(interaction, PeekBag())

    tree.add_command(group)


def _add_cb(tree: app_commands.CommandTree[Any]) -> None:
    group = app_commands.Group(name="cb", description="Counterblast: actions and rolls", guild_only=True)

    @group.command(name="shoot", description="Shoot at a model")
    @app_commands.describe(
        shooter="Who shoots",
        target="At whom",
        distance="Inches between them",
        cover="The target's cover, 0 to 3",
        weapon="With what; none: its first",
        how="Aim, Run and Gun ...",
        order="Spend an order token for +1",
        friend="Whom misses hit, in a melee",
        second="A second target for the rest of the dice",
        second_distance="Inches to the second target",
        second_cover="The second target's cover",
        dice="Dice at the first target",
        odds="Show the chances instead, to you alone",
    )
    @app_commands.autocomplete(
        shooter=own_model, target=any_model, weapon=carried_weapon, friend=own_model, second=any_model
    )
    async def shoot(
        interaction: It,
        shooter: str,
        target: str,
        distance: Inches,
        cover: Cover = 0,
        weapon: str = "",
        how: Literal["shoot", "aim", "run and gun", "full auto", "overwatch", "snap"] = "shoot",
        order: bool = False,
        friend: str = "",
        second: str = "",
        second_distance: Inches = 0.0,
        second_cover: Cover = 0,
        dice: Dice | None = None,
        odds: bool = False,
    ) -> None:
        action = Shoot(
            shooter,
            target,
            distance,
            cover,
            weapon,
            how,
            order,
            friend,
            second,
            second_distance,
            second_cover,
            dice or 0,
            odds,
        )
        await answer(interaction, action)

    counterblast_combat.add_to(group)
    counterblast_field.add_to(group)
    tree.add_command(group)
