"""/help: what the game waits for, and what the bot can do, in a few screens that fit a phone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from bot.actions import Action, declared
from bot.replies.reply import Reply
from bot.store.store import Store, running_game
from bot.table.act import Act, Actor
from bot.table.asking.descriptions import on_pages
from bot.table.asking.kinds import MAX_CHOICES, Offer, TableKind
from bot.table.encounter import Encounter
from bot.table.game import GAMES, HelpPage
from bot.table.handlers import Place, handles
from bot.table.owners import ANYONE
from bot.table.scoping import Scopes
from bot.table.session.encounters import START_DEMO, START_GAME
from bot.table.session.possible_actions import SINCE_BUTTON, build_status_lines
from rules.refusals import InvalidInput

START_TOPIC = "start"
"""The topic of a request without one."""

NO_GAME = (
    "**There is no game in this channel.**",
    "Try one with /demo, or start your own with /encounter start.",
)

START_BUTTONS = (START_DEMO, START_GAME)
"""Buttons for a channel that has no game."""

PAGES = {
    START_TOPIC: HelpPage(
        (
            "Adjutant rolls the dice, does the sums and keeps the records for your skirmish games.",
            "",
            "/demo: try a game",
            "/encounter start: start your own game",
            "/encounter join: join a side",
            "/encounter status: see the state of the game",
            "/encounter list: see all games on this server",
            "/games: choose the games whose commands this server shows",
            '/do: do anything by typing one line, such as "shoot trapper 7"',
            "",
            "The panel shows the game, and its buttons are for the actions you need most often.",
            "For more, use /help with a topic: games, models, board, dice, odds, undo, crews, campaigns, "
            "stories, organising, roles, or the name of a game. Counterblast has these topics instead: "
            "a turn, fighting, moving, ground, setting up, gear, powers, vehicles, missions, heroes and "
            "spoils.",
            "/privacy: see what the bot stores about you",
        ),
        ("commands.guide",),
    ),
    "games": HelpPage(rooms=("table.session",)),
    "models": HelpPage(rooms=("table.session.models", "table.session.arrivals")),
    "board": HelpPage(
        (
            "A shared board measures distances, sight and cover for you.",
            'Press "Set up...", then "Shared board", then the "Deploy" button with your side\'s name.',
            "In a browser, drag a model to move it.",
            "You can also use /board table, /board deploy and /board move.",
            "",
        ),
        ("table.session.board_actions", "table.odds.targets", "table.referee.film"),
    ),
    "dice": HelpPage(
        (
            "All dice results are decided before the game, so no one can change them later.",
            "You can add a secret phrase with /dice words; it is revealed when the game begins.",
            "/dice show tells you how to check the dice, during the game and after it.",
            "",
        ),
        ("table.rolling", "table.realdice"),
    ),
    "odds": HelpPage(
        (
            "To see the exact chances before you roll, add odds:true to any roll (only you see them).",
            "Nothing is rolled until you press the button below the chances.",
            "Press Why below a result to see every modifier with its reason and rule.",
            "",
        ),
        ("table.odds", "table.luck.luck_actions"),
    ),
    "undo": HelpPage(
        (
            "/undo undoes the last action, or several; /redo restores what you undid.",
            "The bot first asks everyone else who took part, but the organiser can undo without asking.",
            "To let all players undo without asking, the organiser can use /encounter settings, open "
            '"Undoing what others did" and choose "Any player can undo and redo it".',
            "If you repeat an undone action, you get the same dice, unless the other side presses Allow new "
            "dice.",
            "/log shows everything; undone actions are struck through.",
            "",
        ),
        ("table.journal", "table.referee"),
    ),
    "crews": HelpPage(
        (
            "Your crews stay yours between games. To play with one, use /encounter start or /encounter join.",
            "In a campaign, your crew changes after every game.",
            "To make custom models, use /crew own or the buttons of /crew show.",
            "",
        ),
        ("table.rosters", "table.bringing"),
    ),
    "campaigns": HelpPage(
        (
            "/season shows the standings and what the players still have to do.",
            "/campaign mine shows your crew and what it can do between games.",
            "After a game, /campaign after works out casualties, points and salvage. The organiser can "
            "change them before the report is confirmed.",
            "",
        ),
        ("table.campaign",),
    ),
    "stories": HelpPage(
        rooms=("table.campaign.story", "table.campaign.story_files", "table.campaign.records")
    ),
    "organising": HelpPage(rooms=("table.campaign.administration", "table.campaign.corrections")),
    "roles": HelpPage(
        (
            "The organiser starts and ends a game.",
            "A captain plays a side. Other players on the side play the models they own. Spectators watch.",
            "A captain or the organiser can let others in. You can't change sides during a game.",
            "/encounter remove removes someone from the game.",
            "If something went wrong, press Why and then Question..., or use /question. The organiser "
            "decides with /ruling, and the decision stays in the log.",
            "If a rule or role stops you, the organiser can override it and give a reason, which everyone "
            "can read.",
        )
    ),
}


@cache
def pages() -> Mapping[str, Sequence[str]]:
    """Return all screens by topic: those of every table, then those of each game."""
    page_texts: dict[str, Sequence[str]] = dict(on_pages(PAGES, "bot"))
    for key, played in GAMES.items():
        page_texts |= on_pages(played.pages, f"bot.games.{key}")
    return page_texts


def topics() -> list[str]:
    """Return the topics that have screens."""
    return [*PAGES, *(topic for game in GAMES.values() for topic in game.pages)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Topics(TableKind):
    """A topic by its name."""

    def listed(self) -> Sequence[Offer]:
        """Return all topics."""
        return [Offer(topic, topic) for topic in topics()]

    @property
    def suggests(self) -> bool:
        """Suggest topics, up to Discord's limit."""
        return len(topics()) > MAX_CHOICES


@dataclass(frozen=True, slots=True)
class ShowHelp(Action):
    """See what the game is waiting for and what the bot can do."""

    command = "help"
    typed = "help"
    titled = "Help"
    decision_of = ANYONE

    topic: str = declared(Topics(help="Topic"), "start")


async def _channel_status(store: Store, actor: Actor, action: ShowHelp) -> Sequence[str]:
    """Return what is going on in the channel, or nothing if the person chose a topic."""
    if action.topic != START_TOPIC:
        return ()
    loaded = await running_game(store, actor.channel_id)
    if loaded is not None and loaded.scope.guild_id == actor.guild_id:
        return build_status_lines(Encounter(loaded.book()), actor, loaded.scope.moved)
    return *NO_GAME, *await Scopes(store).list_games_elsewhere(actor)


@handles(ShowHelp, Place.NOWHERE, beforehand=_channel_status)
def show_help(act: Act, action: ShowHelp) -> Reply:
    """Show what waits in this channel, then one screen."""
    all_pages = pages()
    if action.topic not in all_pages:
        raise InvalidInput(f"Choose one of these topics: {', '.join(all_pages)}.")
    situation: Sequence[str] = act.extra or ()
    buttons = () if not situation else START_BUTTONS if situation[0] == NO_GAME[0] else (SINCE_BUTTON,)
    lines = (*situation, *([""] if situation else []), *all_pages[action.topic])
    return Reply(lines, private=True, buttons=buttons, tappable=True)
