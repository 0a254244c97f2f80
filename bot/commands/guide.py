"""/help: what the bot can do, in a few screens that fit a phone."""

from __future__ import annotations

from typing import Any, Literal

from discord import app_commands

from bot.commands.options import It
from bot.panels.answer import send
from bot.replies.reply import say

Topic = Literal[
    "start",
    "a turn",
    "dice",
    "odds",
    "undo",
    "crews",
    "campaigns",
    "roles",
    "Infinity",
    "Warzone",
    "sol'una",
    "Frac'd Earth",
]

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
        "crews, campaigns, roles, or a game.",
    ),
    "a turn": (
        "A turn of Counterblast:",
        "1. Draw a token: the panel, /bag draw",
        "2. Choose who acts: the menu, /act",
        "3. Act: /cb shoot, fight, template,",
        "   check, rally, move. The bot knows",
        "   the statblocks; you say distances,",
        "   cover, who is in contact.",
        "4. Done: the panel, /bag pass",
        "When all have acted: Upkeep.",
        "Powers: /psi. Missions: /mission.",
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
        "can take; /book NAME looks one up.",
    ),
    "campaigns": (
        "/campaign create, join, schedule:",
        "crews, rounds, pairings. Each game:",
        "/campaign play starts it here,",
        "/mission choose in secret. After it:",
        "/campaign after proposes casualties,",
        "points and salvage; you edit it, and",
        "confirm it all at once. Then /spoils",
        "and /campaign buy. /campaign standings",
        "and ledger show where it stands.",
    ),
    "roles": (
        "The organiser starts and ends a game.",
        "A captain plays a side; players join",
        "it and play the models they own;",
        "spectators watch. Refused by a rule or",
        "by a role? The organiser may override",
        "with a reason that everybody reads.",
    ),
    "Infinity": (
        "/demo infinity, then Begin.",
        "1. /inf shoot, cc, assault: declare",
        "2. The others choose their AROs from",
        "   the menu, or /inf aro; in secret",
        "3. The last choice throws all dice",
        "/inf order moves and waits; Done ends",
        "an Order. Hidden troopers and Markers:",
        "/inf mine shows yours, to you alone.",
    ),
    "Warzone": (
        "/demo warzone, then Begin.",
        "1. Choose which unit acts: the menu",
        "2. /wz move, aim, shoot, fight,",
        "   charge, channel: each costs actions",
        "3. Done, then the other side",
        "Owed morale tests are buttons, and",
        "come before the next unit acts.",
        "/wz model add types your own.",
    ),
    "sol'una": (
        "/demo soluna, then Begin.",
        "/sol board show draws the board.",
        "The fastest acts first: /sol move,",
        "attack, lunge, grapple, pass.",
        "After the dice, choose your flips from",
        "the menu: the best are proposed.",
        "/sol look: what a model reaches, sees,",
        "or can walk to.",
    ),
    "Frac'd Earth": (
        "/demo fracd_earth, then Begin.",
        "Your cards: /fe hand, to you alone.",
        "1. Choose who acts, then /fe attack",
        "2. The defender: Def or Manv",
        "3. Select, buff, push: your menu and",
        "   buttons; Chances tells the odds",
        "4. Spend Edges from the menu",
        "/fe now: what waits, and for whom.",
    ),
}


def add(tree: app_commands.CommandTree[Any]) -> None:
    """Put the command into the tree."""

    @tree.command(name="help", description="What the bot can do, to you alone")
    @app_commands.guild_only()
    @app_commands.describe(topic="About what")
    async def guide(interaction: It, topic: Topic = "start") -> None:
        await send(interaction, say(*PAGES[topic], private=True))
