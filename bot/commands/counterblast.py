"""/bag, /act, /upkeep, /order, /cb and /game: what players of Counterblast do."""

from __future__ import annotations

from typing import Any, Literal

from discord import app_commands

from bot.actions import Action
from bot.commands import counterblast_combat, counterblast_field, counterblast_setup
from bot.commands.options import It
from bot.games.counterblast.core.check_play import ClearPanic
from bot.games.counterblast.turn.bag_play import DrawToken, RedrawToken
from bot.games.counterblast.turn.group_menu import AskGroup
from bot.panels.answer import answer, send
from bot.replies.reply import say

Tokens = app_commands.Range[int, 1, 10]

PLUS_ONE = say(
    "Give order:true with the roll: /cb shoot,",
    "check, fight, rally ... then one token is",
    "spent and each die gets +1.",
    private=True,
)


def add(tree: app_commands.CommandTree[Any]) -> None:
    """Put the commands into the tree."""
    _add_bag(tree)
    _add_order(tree)
    _add_cb(tree)
    counterblast_setup.add(tree)


def _add_bag(tree: app_commands.CommandTree[Any]) -> None:
    group = app_commands.Group(name="bag", description="The initiative bag", guild_only=True)

    @group.command(name="draw", description="Draw an initiative token")
    async def draw(interaction: It) -> None:
        await answer(interaction, DrawToken(asks=True))

    tree.add_command(group)


def _add_order(tree: app_commands.CommandTree[Any]) -> None:
    group = app_commands.Group(name="order", description="Order tokens", guild_only=True)

    @group.command(name="spend", description="Spend an order token")
    @app_commands.describe(use="What for", tokens="How many, for a larger group")
    async def spend(
        interaction: It,
        use: Literal["draw again", "clear panic", "larger group", "+1 to a check"],
        tokens: Tokens = 1,
    ) -> None:
        actions: dict[str, Action] = {
            "draw again": RedrawToken(),
            "clear panic": ClearPanic(),
            "larger group": AskGroup(tokens),
        }
        if use in actions:
            await answer(interaction, actions[use])
        else:
            await send(interaction, PLUS_ONE)

    tree.add_command(group)


def _add_cb(tree: app_commands.CommandTree[Any]) -> None:
    group = app_commands.Group(name="cb", description="Counterblast: actions and rolls", guild_only=True)
    for module in (counterblast_combat, counterblast_field):
        module.add_to(group)
    tree.add_command(group)
