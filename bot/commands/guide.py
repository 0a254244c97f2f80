"""/help: what the bot can do, in a few screens that fit a phone."""

from __future__ import annotations

from typing import Any, Literal

from discord import app_commands

from bot.commands.options import It
from bot.panels.answer import send
from bot.replies.reply import say

Topic = Literal["start", "a turn", "dice", "odds", "undo", "crews", "roles"]

PAGES: dict[str, tuple[str, ...]] = {
    "start": (
        "Adjutant sits at your table.",
        "",
        "/demo          a game to try",
        "/encounter start   your own game",
        "/encounter join    take a side",
        "/encounter status  where it stands",
        "",
        "The panel shows the game; its buttons",
        "do what is done most. More: /help with",
        "a topic: a turn, dice, odds, undo,",
        "crews, roles.",
    ),
    "a turn": (
        "A turn of Counterblast:",
        "1. Draw a token: the panel, /bag draw",
        "2. Choose who acts: the menu, /act",
        "3. Act: /cb shoot, fight, template,",
        "   check, rally, move ... The bot knows",
        "   the statblocks; you say distances,",
        "   cover, who is in contact.",
        "4. Done: the panel, /bag pass",
        "When all have acted: Upkeep.",
        "Other games: /inf, /wz, /sol, /fe.",
    ),
    "dice": (
        "The dice are bound before the game:",
        "the SHA-256 shown at the start. Add",
        "words of yours with /dice words. At",
        "the end the seed is shown; /export",
        "gives a file in which every face can",
        "be checked: python -m bot verify FILE",
        "",
        "/roll 4d10+1 vs 7   free dice",
        "/dice mode real     throw real dice:",
        "the bot says which, you tap or type.",
    ),
    "odds": (
        "Before you roll, ask: odds:true on any",
        "roll answers you alone with the exact",
        "chances, and a button that rolls.",
        "Nothing is rolled until you press it.",
        "Why, below a result, lists every",
        "modifier with its reason and rule.",
    ),
    "undo": (
        "/undo takes the last action back, any",
        "number of steps; /redo does it again.",
        "The same action again gets the same",
        "dice, unless the other side presses",
        "Allow fresh dice. /log shows it all,",
        "undone actions struck through;",
        "/why MODEL shows what changed a model.",
    ),
    "crews": (
        "/crew create, recruit, leader, show:",
        "crews you keep between games. Bring",
        "one: /encounter start crew, or join.",
        "The crew itself stays as it is while",
        "you play. /crew roster lists whom you",
        "can take.",
    ),
    "roles": (
        "The organiser starts and ends a game.",
        "A captain plays a side; players join",
        "it and play the models they own;",
        "spectators watch. Refused by a rule or",
        "by a role? The organiser may override",
        "with a reason that everybody reads.",
    ),
}


def add(tree: app_commands.CommandTree[Any]) -> None:
    """Put the command into the tree."""

    @tree.command(name="help", description="What the bot can do, to you alone")
    @app_commands.guild_only()
    @app_commands.guild_only()
    @app_commands.describe(topic="About what")
    async def guide(interaction: It, topic: Topic = "start") -> None:
        await send(interaction, say(*PAGES[topic], private=True))
