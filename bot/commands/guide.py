"""/help: what the game waits for, and what the bot can do, in a few screens that fit a phone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from bot.actions import Action, declared
from bot.replies.reply import Reply
from bot.store.store import Store
from bot.table.act import Act, Actor
from bot.table.asking.descriptions import on_pages
from bot.table.asking.kinds import MAX_CHOICES, Offer, TableKind
from bot.table.encounter import Encounter
from bot.table.game import GAMES, HelpPage
from bot.table.handlers import Place, handles
from bot.table.owners import ANYONE
from bot.table.scoping import Scopes
from bot.table.session.encounters import START_DEMO, START_GAME
from bot.table.session.possible_actions import SINCE, status_lines
from rules.refusals import InvalidInput

START = "start"
"""The topic of whoever names none."""

NO_GAME = ("**No game is played in this channel.**", "/demo tries one, /encounter start is your", "own.")

STARTS = (START_DEMO, START_GAME)
"""What is pressed where no game is played."""

PAGES = {
    START: HelpPage(
        (
            "Adjutant sits at your table.",
            "",
            "/demo          a game to try",
            "/encounter start   your own game",
            "/encounter join    take a side",
            "/encounter status  where it stands",
            "/encounter list    where games are",
            "/games         what this server shows",
            "/do            one line for all of it",
            "",
            "The panel shows the game; its buttons",
            "do what is done most. More: /help with",
            "a topic: a turn, games, models, dice,",
            "odds, undo, crews, campaigns, stories,",
            "organising, roles, another game; of",
            "Counterblast also fighting, moving,",
            "ground, setting up, gear, powers,",
            "vehicles, missions, heroes, spoils.",
            "/privacy: what is kept of you.",
        ),
        ("commands.guide",),
    ),
    "games": HelpPage(rooms=("table.session",)),
    "models": HelpPage(rooms=("table.session.models", "table.session.arrivals")),
    "dice": HelpPage(
        (
            "The dice are bound before the game:",
            "the SHA-256 shown at the start. Give",
            "words of yours with /dice words: they",
            "stay closed until the game begins.",
            "At the end the seed is shown; /export",
            "gives a file in which every face can",
            "be checked: python -m bot verify FILE",
            "",
        ),
        ("table.rolling", "table.realdice"),
    ),
    "odds": HelpPage(
        (
            "Before you roll, ask: odds:true on any",
            "roll answers you alone with the exact",
            "chances, and a button that rolls.",
            "Nothing is rolled until you press it.",
            "Why, below a result, lists every",
            "modifier with its reason and rule.",
            "",
        ),
        ("table.odds", "table.luck.luck_actions"),
    ),
    "undo": HelpPage(
        (
            "/undo takes the last action back, any",
            "number of steps; /redo does it again.",
            "Whoever else took part is asked; the",
            "organiser may override, or set undo of",
            "others: free in /encounter settings.",
            "The same action again gets the same",
            "dice, unless the other side presses",
            "Allow fresh dice. /log shows it all,",
            "undone actions struck through.",
            "",
        ),
        ("table.journal", "table.referee"),
    ),
    "crews": HelpPage(
        (
            "Crews you keep between games. Bring",
            "one: /encounter start crew, or join.",
            "In a campaign it is as that keeps it.",
            "Own models: /crew own, and what is",
            "built: the buttons of /crew show.",
            "",
        ),
        ("table.rosters",),
    ),
    "campaigns": HelpPage(
        (
            "/season: how it stands, what waits;",
            "/campaign mine: your crew by buttons.",
            "After a game /campaign after proposes",
            "casualties, points and salvage; you",
            "edit it, and confirm it all at once.",
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
            "A captain plays a side; players join",
            "it and play the models they own;",
            "spectators watch. A captain, or the",
            "organiser, lets others in; who has",
            "played for a side comes to no other.",
            "/encounter remove takes somebody out.",
            "Something went wrong? Why, Question...",
            "or /question; the organiser rules:",
            "/ruling. It stays in the record.",
            "Refused by a rule or by a role? The",
            "organiser may override with a reason",
            "that everybody reads.",
        )
    ),
}


@cache
def pages() -> Mapping[str, Sequence[str]]:
    """All screens by topic: those of every table, then those of each game."""
    found: dict[str, Sequence[str]] = dict(on_pages(PAGES, "bot"))
    for key, played in GAMES.items():
        found |= on_pages(played.pages, f"bot.games.{key}")
    return found


def topics() -> list[str]:
    """What there are screens about."""
    return [*PAGES, *(topic for played in GAMES.values() for topic in played.pages)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Topics(TableKind):
    """A topic by its name."""

    def listed(self) -> Sequence[Offer]:
        """All of them."""
        return [Offer(topic, topic) for topic in topics()]

    @property
    def suggests(self) -> bool:
        """Where Discord lists no more."""
        return len(topics()) > MAX_CHOICES


@dataclass(frozen=True, slots=True)
class ShowHelp(Action):
    """What now: what the game waits for, then what the bot can do."""

    command = "help"
    typed = "help"
    titled = "Help"
    decision_of = ANYONE

    topic: str = declared(Topics(help="About what"), "start")


async def _here(store: Store, actor: Actor, action: ShowHelp) -> Sequence[str]:
    """What is going on in the channel; nothing where a topic is asked for."""
    if action.topic != START:
        return ()
    scope = await store.running_encounter(actor.channel_id)
    loaded = await store.load(scope) if scope else None
    if loaded is not None and loaded.scope.guild_id == actor.guild_id:
        return status_lines(Encounter(loaded.book()), actor, loaded.scope.moved)
    return *NO_GAME, *await Scopes(store).told_elsewhere(actor)


@handles(ShowHelp, Place.NOWHERE, beforehand=_here)
def show_help(act: Act, action: ShowHelp) -> Reply:
    """What waits in this channel, then one screen."""
    known = pages()
    if action.topic not in known:
        raise InvalidInput(f"Topics: {', '.join(known)}.")
    now: Sequence[str] = act.extra or ()
    ways = () if not now else STARTS if now[0] == NO_GAME[0] else (SINCE,)
    lines = (*now, *([""] if now else []), *known[action.topic])
    return Reply(lines, private=True, buttons=ways, tappable=True)
