"""/bag, /act, /upkeep, /order, /cb and /game: what players of Counterblast do."""

from __future__ import annotations

from typing import Any, Literal

from discord import app_commands

from bot.actions import Action
from bot.commands import counterblast_combat, counterblast_core, counterblast_field, counterblast_setup
from bot.commands.options import It, any_model, any_side, own_model
from bot.games.counterblast.core.check_play import ClearPanic
from bot.games.counterblast.turn.activate_play import ActNamed
from bot.games.counterblast.turn.bag_play import DrawToken, PassDraw, PeekBag, RedrawToken
from bot.games.counterblast.turn.group_menu import AskGroup
from bot.games.counterblast.upkeep.upkeep_correct import UpkeepNamed
from bot.panels.answer import answer, send
from bot.replies.reply import say

Tokens = app_commands.Range[int, 1, 10]
Orders = app_commands.Range[int, 0, 10]

PLUS_ONE = say(
    "Give order:true with the roll: /cb shoot,",
    "check, fight, rally ... then one token is",
    "spent and each die gets +1.",
    private=True,
)


def add(tree: app_commands.CommandTree[Any]) -> None:
    """Put the commands into the tree."""
    _add_bag(tree)
    _add_act(tree)
    _add_upkeep(tree)
    _add_order(tree)
    _add_cb(tree)
    counterblast_setup.add(tree)


def _add_bag(tree: app_commands.CommandTree[Any]) -> None:
    group = app_commands.Group(name="bag", description="The initiative bag", guild_only=True)

    @group.command(name="draw", description="Draw an initiative token")
    async def draw(interaction: It) -> None:
        await answer(interaction, DrawToken(asks=True))

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


def _add_act(tree: app_commands.CommandTree[Any]) -> None:
    @tree.command(name="act", description="Activate a model, or a group: leader first, with commas")
    @app_commands.guild_only()
    @app_commands.describe(who="Who acts", orders="Order tokens for a larger group")
    @app_commands.autocomplete(who=own_model)
    async def act(interaction: It, who: str, orders: Orders = 0) -> None:
        await answer(interaction, ActNamed(who, orders))


def _add_upkeep(tree: app_commands.CommandTree[Any]) -> None:
    @tree.command(name="upkeep", description="Upkeep: propose it, correct its steps, roll, confirm")
    @app_commands.guild_only()
    @app_commands.describe(
        near="Who is in Command Range of their leader, with commas",
        leader="Who leads a crew that lost its leader",
        fled="Panicked models that ran off the table, with commas",
        order="Who gets +1 on the panic test for an order token, with commas",
        keep="Who is not removed: NAME, or NAME=LIFE (0: stays down)",
        level="A Panic Level: CREW=LEVEL",
        test="Who tests as well",
        spare="Who does not test",
        result="A test overturned: NAME=holds, panics or shaken",
        timer="What does not end: NAME=CONDITION",
        fire="A fire after this turn: NAME=R, 0 for out",
        cloud="A cloud that stays",
        score="Objective points more or less: CREW=POINTS",
        bag="Tokens in the next bag: CREW=TOKENS",
        drawer="The crew that draws first",
        back="The number of a correction to take back",
        reason="Why it is corrected: everybody reads it",
        roll="Roll what is to be rolled",
        confirm="Carry it out and begin the next turn",
        odds="Only show the chances that models hold",
    )
    @app_commands.autocomplete(leader=own_model, test=any_model, spare=any_model, drawer=any_side)
    async def upkeep(
        interaction: It,
        near: str = "",
        leader: str = "",
        fled: str = "",
        order: str = "",
        keep: str = "",
        level: str = "",
        test: str = "",
        spare: str = "",
        result: str = "",
        timer: str = "",
        fire: str = "",
        cloud: str = "",
        score: str = "",
        bag: str = "",
        drawer: str = "",
        back: app_commands.Range[int, 0, 50] = 0,
        reason: str = "",
        roll: bool = False,
        confirm: bool = False,
        odds: bool = False,
    ) -> None:
        said = (near, leader, fled, order, keep, level, test, spare, result, timer, fire, cloud)
        await answer(interaction, UpkeepNamed(*said, score, bag, drawer, back, reason, roll, confirm, odds))


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
    for module in (counterblast_core, counterblast_combat, counterblast_field):
        module.add_to(group)
    tree.add_command(group)
