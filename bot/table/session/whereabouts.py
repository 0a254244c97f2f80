"""Places of games: the list of a server's games, moving a game to another place, and waking one.

A game sleeps if nothing has happened in it for a while; this isn't stored, and nothing ends the game. Moving
and waking are not steps of the game: no undo touches them, and buttons stay valid.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from bot.actions import Action
from bot.replies.reply import Button, Choice, Menu, Reply, say
from bot.store.book import Loaded, changes_between
from bot.store.errors import Occupied
from bot.store.game_search import Whereabouts, game_at, games_of
from bot.store.rows import EncounterRow
from bot.store.store import Store
from bot.table.act import Act, Actor
from bot.table.asking import fields
from bot.table.carrying import Carrier
from bot.table.channels import ChannelRefusal, NoChannels, Where, mention
from bot.table.encounter import ENDED, Encounter
from bot.table.handlers import Place, handles
from bot.table.journal_actions import handles_specially
from bot.table.owners import ANYONE, organiser
from bot.table.request import Answer, Request, draft
from rules.refusals import Forbidden, InvalidInput, Missing
from rules.wording import possessive

SLEEPS_MS = 14 * 86_400_000
"""How long a game is left alone until it is shown as sleeping."""

MAX_READ = 200
"""Games of a server that are looked at for one list."""

ON_A_PAGE = 8
MAX_PLACES = 100
"""Channels and threads that are offered at once: as many as four menus hold, below a row of buttons."""

GONE = "Choose another game with /encounter list; that one no longer exists, or you can't see its channel."
ENDED_ALREADY = "That game can't be moved, because it has ended."
NO_GAMES = "There are no games on this server that you can see."


@dataclass(frozen=True, slots=True)
class ListEncounters(Action):
    """List the games on this server (visible only to you).

    page: from 0. game: one that was chosen, by its scope.
    """

    command = "encounter.list"
    typed = "encounter list"
    titled = "All games here"
    decision_of = ANYONE

    page: int = 0
    game: int = 0


@dataclass(frozen=True, slots=True)
class MoveEncounter(Action):
    """Move the game to another channel or a new thread.

    channel: its number, or 0 to ask for one. thread: make one for it. game: its scope, or 0 for the one in
    this channel. sure: it was confirmed.
    """

    command = "encounter.move"
    typed = "encounter move"
    titled = "Move the game"
    decision_of = organiser("move the game")

    channel: int = fields.channel("Channel or thread (leave blank to choose from a list)")
    thread: bool = fields.switch("Create a thread for the game in this channel")
    game: int = 0
    sure: bool = False


@dataclass(frozen=True, slots=True)
class WakeEncounter(Action):
    """Show the panel of a game again where it is played."""

    command = "encounter.wake"
    decision_of = ANYONE

    game: int = 0


# ------------------------------------------------------------------------------------ the list


@dataclass(frozen=True, slots=True)
class PlacedGame:
    """A game with its place as the person who asks sees it, None where that is gone."""

    game: Whereabouts
    where: Where | None


async def _visible_games(store: Store, actor: Actor, action: ListEncounters) -> Sequence[PlacedGame]:
    """Return the games that the person may know of: in visible channels, or their own whose place is gone."""
    if action.game:
        whereabouts = await game_at(store, actor.guild_id, action.game)
        games = [whereabouts] if whereabouts is not None else []
    else:
        games = await games_of(store, actor.guild_id, ended=False, limit=MAX_READ)
        games += await games_of(store, actor.guild_id, ended=True, limit=MAX_READ)
    placed_games = []
    places: dict[int, tuple[Where | None, bool]] = {}
    for game in games:
        if game.channel_id not in places:
            channel = await actor.channels.seen(game.channel_id)
            is_gone = channel is None and await actor.channels.is_gone(game.channel_id)
            places[game.channel_id] = channel, is_gone
        channel, is_gone = places[game.channel_id]
        may_move = actor.serves or actor.user_id == game.organiser_id
        if channel is not None or (is_gone and may_move):
            placed_games.append(PlacedGame(game, channel))
    now_ms = store.now()
    return sorted(placed_games, key=lambda placed: _order(placed.game, now_ms))


def _order(game: Whereabouts, now_ms: int) -> tuple[int, int]:
    """Running ones first, then those that sleep, then those that are over; the last played first in each."""
    rank = 2 if game.status == ENDED else 1 if sleeps(game, now_ms) else 0
    return rank, -game.last_ms


def sleeps(game: Whereabouts, now_ms: int) -> bool:
    """Return whether nothing has happened in a game for long."""
    return game.status != ENDED and now_ms - game.last_ms >= SLEEPS_MS


def _stands(game: Whereabouts, now_ms: int) -> str:
    if game.status == ENDED:
        return f"ended {day(game.last_ms)}"
    turn = f"turn {game.turn}" if game.turn else "not begun yet"
    return f"{turn}, inactive since {day(game.last_ms)}" if sleeps(game, now_ms) else turn


def day(at_ms: int) -> str:
    """Return a day, as 3 May 2026, by the clock of UTC."""
    moment = datetime.fromtimestamp(at_ms / 1000, UTC)
    return f"{moment.day} {moment:%b %Y}"


@dataclass(frozen=True, slots=True)
class _Known:
    games: Sequence[PlacedGame]
    now: int


async def _known(store: Store, actor: Actor, action: ListEncounters) -> _Known:
    return _Known(await _visible_games(store, actor, action), store.now())


@handles(ListEncounters, Place.NOWHERE, beforehand=_known)
def list_encounters(act: Act, action: ListEncounters) -> Reply:
    """List this server's games: played, sleeping and over, each with its place."""
    places_known: _Known = act.extra
    if action.game:
        return _one(act.actor, places_known)
    games = places_known.games
    if not games:
        return say(NO_GAMES, "Start one with /encounter start, or try /demo.", private=True)
    last = (len(games) - 1) // ON_A_PAGE
    page = min(max(action.page, 0), last)
    placed_games = games[page * ON_A_PAGE : (page + 1) * ON_A_PAGE]
    head = "Games on this server" + (f", page {page + 1} of {last + 1}:" if last else ":")
    lines = [line for placed_game in placed_games for line in _lines(placed_game, places_known.now)]
    open_ones = [placed_game for placed_game in placed_games if placed_game.game.status != ENDED]
    choices = tuple(
        Choice(
            placed_game.game.name, str(placed_game.game.scope), _stands(placed_game.game, places_known.now)
        )
        for placed_game in open_ones
    )
    menu = Menu("Show or move a game", ListEncounters(), "game", choices, anytime=True)
    buttons = []
    if page:
        buttons.append(Button("Previous", ListEncounters(page - 1), anytime=True))
    if page < last:
        buttons.append(Button("Next", ListEncounters(page + 1), anytime=True))
    return Reply(
        (head, *lines), private=True, buttons=tuple(buttons), menus=(menu,) if choices else (), replaces=True
    )


def _lines(placed_game: PlacedGame, now_ms: int) -> list[str]:
    place = mention(placed_game.where.id) if placed_game.where else "a deleted channel"
    return [f"**{placed_game.game.name}**, {_stands(placed_game.game, now_ms)}", f"  in {place}"]


def _one(actor: Actor, places_known: _Known) -> Reply:
    """Show one game, with what can be done about its place. Raises InvalidInput."""
    if not places_known.games:
        raise InvalidInput(GONE)
    placed_game = places_known.games[0]
    game = placed_game.game
    buttons = []
    if game.status != ENDED:
        if placed_game.where:
            buttons.append(Button("Show the panel", WakeEncounter(game.scope), "main", anytime=True))
        moves = actor.manages or actor.user_id == game.organiser_id
        if moves and actor.channel_id != game.channel_id:
            move_here = MoveEncounter(actor.channel_id, game=game.scope)
            buttons.append(Button("Move the game here", move_here, anytime=True))
        if moves:
            buttons.append(Button("Move the game...", MoveEncounter(game=game.scope), anytime=True))
    buttons.append(Button("All games", ListEncounters(), anytime=True))
    return Reply(
        tuple(_lines(placed_game, places_known.now)), private=True, buttons=tuple(buttons), replaces=True
    )


# ------------------------------------------------------------------------------------ moving


@handles_specially(MoveEncounter, Place.GAME)
async def move(carrier: Carrier, loaded: Loaded, request: Request) -> Answer:
    """Ask first, then move the game elsewhere with all that belongs to it."""
    action, actor = request.action, request.actor
    assert isinstance(action, MoveEncounter)
    row = _row(loaded)
    if not (actor.manages or actor.user_id in row.organisers):
        raise Forbidden("Only the organiser can move the game.")
    if action.thread:
        return await _into_thread(carrier, loaded, request, row)
    if not action.channel:
        running = await games_of(carrier.store, actor.guild_id, ended=False, limit=MAX_READ)
        return Answer(
            _where_to(actor, row, {whereabouts.channel_id for whereabouts in running}), loaded.scope.id
        )
    channel = await _free(carrier, actor, row, action.channel)
    if not action.sure:
        return Answer(_ask(row, channel, replace(action, game=loaded.scope.id, sure=True)), loaded.scope.id)
    return await _moved(carrier, loaded, request, channel)


def _row(loaded: Loaded) -> EncounterRow:
    row = loaded.book().get(EncounterRow)
    if row is None:
        raise InvalidInput(GONE)
    if row.status == ENDED:
        raise InvalidInput(ENDED_ALREADY)
    return row


async def _free(carrier: Carrier, actor: Actor, row: EncounterRow, channel_id: int) -> Where:
    """Return the meant place, if the game can be played there. Raises InvalidInput."""
    if channel_id == row.channel_id:
        raise ChannelRefusal(f"{row.name} is already in {mention(channel_id)}.")
    is_replayed = isinstance(actor.channels, NoChannels)  # the referee knows no channels: checked when played
    channel = Where(channel_id, "") if is_replayed else await actor.channels.seen(channel_id)
    if channel is None:
        raise Missing("Choose a channel or thread that you can see.")
    if channel.barred:
        raise InvalidInput(channel.barred)
    if await carrier.store.running_encounter(channel_id):
        raise ChannelRefusal(_occupied(channel_id))
    return channel


def _occupied(channel_id: int) -> str:
    return f"Choose another channel; there is already a game in {mention(channel_id)}."


def _where_to(actor: Actor, row: EncounterRow, taken_channels: Collection[int]) -> Reply:
    """The question where to; to the person who asks alone. taken_channels: where games are played, this
    one's place among them."""
    places = [channel for channel in actor.channels.listed() if channel.id not in taken_channels]
    choices = tuple(Choice(f"#{place.name}", str(place.id)) for place in places[:MAX_PLACES])
    menu = Menu("Move the game to", MoveEncounter(game=row.scope), "channel", choices, anytime=True)
    thread = Button("Create a thread here", MoveEncounter(thread=True, game=row.scope), anytime=True)
    threads = actor.channels.holds_threads()
    unlisted = "If a channel isn't in the menus, choose it with /encounter move."
    more_lines = [unlisted] if len(places) > MAX_PLACES else []
    none = [] if choices or threads else ["There is no other free channel or thread that you can see."]
    return Reply(
        (
            f"Where do you want to play {row.name}?",
            f"It is now in {mention(row.channel_id)}.",
            *more_lines,
            *none,
        ),
        private=True,
        buttons=(thread,) if threads else (),
        menus=(menu,) if choices else (),
    )


def _ask(row: EncounterRow, channel: Where, action: MoveEncounter) -> Reply:
    return say(
        f"Move {row.name} to {mention(channel.id)}?",
        "Its panel, log and undo history move there too.",
        "Anyone who can read that channel can follow the game.",
        private=True,
        buttons=[Button("Move the game", action, "main", anytime=True)],
    )


async def _into_thread(carrier: Carrier, loaded: Loaded, request: Request, row: EncounterRow) -> Answer:
    """Create a thread for it under the channel, and delete it if nothing comes of it."""
    earlier_answer = await carrier.store.answered(request.interaction)
    thread = None if earlier_answer else await request.actor.channels.new_thread(row.name)
    request.witness.thread = thread.id if thread else 0
    try:
        return await _moved(carrier, loaded, request, thread or Where(row.channel_id, ""))
    except BaseException:
        if thread is not None:
            await request.actor.channels.drop_thread(thread)
        raise


async def _moved(carrier: Carrier, loaded: Loaded, request: Request, channel: Where) -> Answer:
    """Store the new place of the game, with an entry that is not a step of it."""
    book = loaded.book()
    row = Encounter(book).row
    channel_before = row.channel_id
    row.channel_id = channel.id
    reply = say(f"{request.actor.name} moved {row.name} to {mention(channel.id)}.")
    if request.actor.channel_id != channel_before:
        reply = replace(reply, private=True)
    entry = replace(
        draft(request, request.action, replace(reply, private=False)), kind="aside", reason="", again=False
    )
    after = book.snapshot()
    try:
        committed = await carrier.store.commit(loaded, after, changes_between(loaded.snapshot, after), entry)
    except Occupied:
        raise ChannelRefusal(_occupied(channel.id)) from None
    return Answer(reply, committed.scope.id, committed.scope.version, changed=True, loud=True)


# ------------------------------------------------------------------------------------ waking


@handles_specially(WakeEncounter, Place.GAME)
async def wake(carrier: Carrier, loaded: Loaded, request: Request) -> Answer:
    """Show the panel again, so that a sleeping thread wakes too.

    People with a seat in the game may do so; while it sleeps, anyone who can see its channel. Raises
    InvalidInput.
    """
    row, actor = _row(loaded), request.actor
    channel = await actor.channels.seen(row.channel_id)
    if channel is None:
        raise InvalidInput(GONE)
    game = await game_at(carrier.store, actor.guild_id, loaded.scope.id)
    slept = game is not None and sleeps(game, carrier.store.now())
    has_place = Encounter(loaded.book()).seat_of(actor.user_id) is not None
    if not (slept or has_place or actor.manages or actor.user_id in row.organisers):
        raise ChannelRefusal(
            f"Only players of this game can show its panel again in {mention(row.channel_id)}."
        )
    if channel.barred:
        raise InvalidInput(channel.barred)
    reply = say(
        f"{possessive(row.name)} panel has been posted again in {mention(channel.id)}.",
        "The game is as you left it.",
        private=True,
    )
    title = f"{row.name} was resumed" if slept else f"{possessive(row.name)} panel was posted again"
    entry = replace(draft(request, request.action, reply), kind="aside", reason="", title=title)
    committed = await carrier.store.commit(loaded, loaded.snapshot, [], entry)
    return Answer(reply, committed.scope.id, committed.scope.version, changed=True, loud=True)
