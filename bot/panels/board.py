"""The cards of games: one message for each encounter has buttons, and it is the newest of its game.

A card shows what one activation brought, then what can be done. It is edited while that goes on, and closed
when the next one opens a card below it. When the game starts to wait for another player, the card moves down
with all that it told, and the player is mentioned. It also moves when other people have written below it, or
when Discord no longer edits it. Play goes on without a card if none can be shown.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Collection, Coroutine, Sequence
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import aiohttp
import discord

from bot.error_guard import guard_errors
from bot.panels.channels import without_threads
from bot.panels.door import InteractionDoor, files_of
from bot.panels.ping import PATIENCE_SECONDS, in_time, post
from bot.panels.widgets import card_of
from bot.replies.reply import Attachment, Reply, say
from bot.replies.weight import NO_FACES, Faces
from bot.store.errors import Lost
from bot.store.reads import CardPlace
from bot.store.store import Store
from bot.table.channels import mention
from bot.table.session.card import Activation, GameCard
from rules.json_text import compact

log = logging.getLogger(__name__)

PAUSE_SECONDS = 1.0

EDITS_A_SECOND = 20
"""How many cards are shown in a second, those of all tables together: Discord takes 50 requests a second."""

BETWEEN_EDITS = 1 / EDITS_A_SECOND

GIVES_WAY = 3
"""How often that long a card waits while others wait for answers."""

MAX_MOVED_LENGTH = 1500
"""Letters that a card may have told and still be moved down; a longer one stays, and the next tells on."""

FAR_UP = 12
"""Messages of other people below a card after which it moves down."""

CLOSING_SECONDS = 2.0

AWAY_PAUSES = (0.05, 0.25, 1.0, 3.0)
"""How long one waits, in seconds, before a database is asked again that could not be reached."""

T = TypeVar("T")

Draw = Callable[[int], Coroutine[Any, Any, tuple[CardPlace | None, GameCard] | None]]
"""scope -> where its card stands, and the game as that shows it; None where there is no game."""

Failed = (discord.HTTPException, aiohttp.ClientError, OSError)


class PanelKeeper:
    """Keeps the panels of one client.

    clock: milliseconds since 1970; minutes: how old a panel may grow;
    pause: least seconds between two edits of one panel; patience: most seconds for one edit;
    answering: who is answering at present; faces: the emojis of dice that Discord has.
    """

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        draw: Draw,
        clock: Callable[[], int],
        minutes: int,
        pause: float = PAUSE_SECONDS,
        patience: float = PATIENCE_SECONDS,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        *,
        answering: Callable[[], Collection[asyncio.Task[Any]]] = tuple,
        faces: Callable[[], Faces] = lambda: NO_FACES,
    ) -> None:
        self._client = client
        self._store = store
        self._draw = draw
        self._clock = clock
        self._oldest_ms = minutes * 60_000
        self._pause = pause
        self._patience = patience
        self._sleep = sleep
        self._answering = answering
        self._faces = faces
        self._due: set[int] = set()
        self._loud: set[int] = set()
        self._answers: dict[int, set[asyncio.Task[Any]]] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._scopes: dict[int, int] = {}
        self._below: dict[int, int] = {}
        self._pictures: dict[int, tuple[int, tuple[Attachment, ...]]] = {}
        self._shown: dict[int, tuple[int, bytes]] = {}
        self._free_at = 0.0

    def changed(self, scope: int, *, quietly: bool = False, after: asyncio.Task[Any] | None = None) -> None:
        """Show the panel of a scope again soon because it changed; quietly, it stays in its place.

        after: what answers who changed it: first that is told, then the panel is drawn.

        A panel that moves down tells the channel that something was done, so what is answered to one person
        alone does not move it.
        """
        self._due.add(scope)
        if after is not None:
            self._answers.setdefault(scope, set()).add(after)
        if not quietly:
            self._loud.add(scope)
        if scope not in self._tasks:
            self._tasks[scope] = asyncio.create_task(self._keep(scope), name=f"panel {scope}")

    def shows(self, scope: int) -> bool:
        """Return whether a card of this scope is in a channel."""
        return scope in self._scopes.values()

    def wrote(self, channel_id: int) -> None:
        """Count a message in a channel, and move a card down when it is far up."""
        if channel_id in self._scopes:
            self._below[channel_id] = self._below.get(channel_id, 0) + 1
            if self._below[channel_id] == FAR_UP:
                self.changed(self._scopes[channel_id])

    async def settle(self) -> None:
        """Wait until every card shows what was last changed, and the one before it is closed."""
        while self._tasks or any(lock.locked() for lock in self._locks.values()):
            await asyncio.gather(*self._tasks.values())
            for lock in list(self._locks.values()):
                async with lock:
                    pass

    async def close(self) -> None:
        """Show what is due, as far as that is quick, and stop."""
        tasks = list(self._tasks.values())
        if tasks:
            await asyncio.wait(tasks, timeout=CLOSING_SECONDS)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _keep(self, scope: int) -> None:
        try:
            while scope in self._due:
                await self._turn(scope)
                self._due.discard(scope)
                waiting = self._answers.pop(scope, None)
                if waiting:
                    await asyncio.wait(waiting, timeout=self._patience)
                loud = scope in self._loud
                self._loud.discard(scope)
                with guard_errors(log, "panels", "could not update the panel", scope=scope):
                    try:
                        await self._show(scope, loud=loud)
                    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
                        log.warning("could not show the panel", extra={"scope": scope, "error": str(error)})
                await self._sleep(self._pause)
        finally:
            del self._tasks[scope]

    async def _turn(self, scope: int) -> None:
        """Wait until one more panel may be shown: where many tables change at once, one after the other.

        Tasks that wait for an answer come first, though not for ever; no later panel waits longer for that.
        """
        if not self._pause:
            return
        now_seconds = asyncio.get_running_loop().time()
        begins = max(now_seconds, self._free_at)
        self._free_at = begins + BETWEEN_EDITS
        if begins > now_seconds:
            await self._sleep(begins - now_seconds)
        for _ in range(GIVES_WAY):
            if not self._others_wait(scope):
                return
            await self._sleep(BETWEEN_EDITS)

    def _others_wait(self, scope: int) -> bool:
        own_answers = self._answers.get(scope, ())
        return any(task not in own_answers for task in self._answering())

    async def _show(self, scope: int, *, loud: bool) -> None:
        """Show a card without an interaction: edit it, or post another if it cannot be edited."""
        async with self._lock(scope):
            seen = await self._answered(lambda: self._draw(scope))
            if seen is None:
                return
            stands, card = seen
            in_channel = stands is not None and stands.channel_id == card.channel_id
            if in_channel and stands is not None and not (loud and self._is_stale(stands)):
                reply = self._live(scope, card, stands.since)
                # An edit that changes nothing would tell that something secret was done.
                digest = _digest(reply, scope, card)
                is_shown = not loud and self._shown.get(scope) == (stands.message_id, digest)
                if is_shown or await self._edit(stands, reply, scope, card.version):
                    await self._keep_standing(scope, stands, card, reply)
                    return
            await self._open(scope, card, stands, stands.since if stands and in_channel else card.version)

    async def answer(
        self, scope: int, door: InteractionDoor, entry: int, files: Sequence[Attachment] = ()
    ) -> bool:
        """Show what an interaction did on the card of its game; whether it has one here, and that arrived.

        entry: its own. files: its pictures.
        """
        async with self._lock(scope):
            try:
                return await self._answer(scope, door, entry, files)
            except (*Failed, Lost) as error:
                log.warning("could not show the card", extra={"scope": scope, "error": str(error)})
                return False

    async def _answer(
        self, scope: int, door: InteractionDoor, entry: int, files: Sequence[Attachment]
    ) -> bool:
        seen = await self._draw(scope)
        if seen is None or seen[1].channel_id != door.channel_id:
            return False
        stands, card = seen
        if files:
            self._pictures[scope] = (card.newest, tuple(files))
        pinged = card.pings(stands.awaited if stands else "", door.user_id)
        stays = (
            stands is not None
            and stands.channel_id == card.channel_id
            and not (pinged or door.is_typed or Activation.read(stands.activation).is_over_for(card))
            and not self._is_stale(stands)
        )
        if stays and stands is not None:
            reply = self._live(scope, card, stands.since)
            if door.pressed == stands.message_id:
                edited = await door.edit(reply, scope, card.version)
            else:
                await door.leave()
                edited = await self._edit(stands, reply, scope, card.version)
            if edited:
                with suppress(Lost):
                    await self._keep_standing(scope, stands, card, reply)
                return True
        since = (
            entry if stands is None or stands.channel_id != card.channel_id else _begins(stands, card, entry)
        )
        await self._open(scope, card, stands, since, door, pinged)
        return True

    async def _open(
        self,
        scope: int,
        card: GameCard,
        stands: CardPlace | None,
        since: int,
        door: InteractionDoor | None = None,
        pinged: Sequence[int] = (),
    ) -> None:
        """Open a card below everything, which tells of an entry and what came after it; close the old one."""
        in_place = stands is not None and stands.channel_id == card.channel_id
        left = (
            card.closed(since, stands.activation, stands.awaited, self._faces())
            if stands is not None and in_place and stands.since < since
            else None
        )
        is_closed = False
        if (
            door is not None
            and stands is not None
            and left
            and in_place
            and door.pressed == stands.message_id
        ):
            is_closed = await door.edit(left, 0, -1)
        if door is not None and not is_closed and (pinged or not door.is_typed):
            await door.leave()
        reply = self._live(scope, card, since)
        number = 0
        if door is not None and door.is_typed and not pinged:
            number = await door.answer(reply, scope, card.version)
            if stands is not None and in_place and 0 < number <= stands.message_id:
                await self._show_again(scope, card, stands)
                return
        if not number:
            number = await self._sent(card, reply, scope, door, pinged)
        place = CardPlace(card.channel_id, number, self._clock(), since)
        await self._keep_standing(scope, place, card, reply, anew=True)
        if stands is not None and not is_closed:
            moved_reply = say(f"The game is now in {mention(card.channel_id)}.")
            await self._retire(stands, left if in_place else moved_reply)
        if not in_place:
            await self._close_before(scope, card.channel_id)

    async def _close_before(self, scope: int, channel_id: int) -> None:
        """Close the card of the game that was played in a channel before this one."""
        before = await self._answered(lambda: self._store.panel_before(channel_id, scope))
        seen = await self._answered(lambda: self._draw(before)) if before else None
        stands, card = seen or (None, None)
        if stands is not None and card is not None:
            left = card.closed(card.newest + 1, stands.activation, stands.awaited, self._faces())
            await self._retire(stands, left)

    async def _show_again(self, scope: int, card: GameCard, stands: CardPlace) -> None:
        """Edit the card that stands: an interaction that came twice was answered the first time."""
        reply = self._live(scope, card, stands.since)
        if await self._edit(stands, reply, scope, card.version):
            await self._keep_standing(scope, stands, card, reply)

    async def _sent(
        self, card: GameCard, reply: Reply, scope: int, door: InteractionDoor | None, pinged: Sequence[int]
    ) -> int:
        """Post a card; as an answer to who asked, where none can be sent to the channel."""
        if door is not None and door.is_typed:
            await door.leave()
        number = 0
        try:
            number = await self._post(card, reply, scope, pinged)
        except Failed:
            if door is None:
                raise
        if not number and door is not None:
            number = await door.follow(reply, scope, card.version)
        if not number:
            raise ConnectionError("no card arrived")
        return number

    def _live(self, scope: int, card: GameCard, since: int) -> Reply:
        """The card with the pictures of its newest result, and the buttons that its channel allows."""
        reply = card.live(since, self._faces())
        reply = without_threads(reply, self._client.get_channel(card.channel_id))
        entry, files = self._pictures.get(scope, (0, ()))
        if entry and entry == card.newest:
            return replace(reply, files=files)
        self._pictures.pop(scope, None)
        return reply

    async def _keep_standing(
        self, scope: int, stands: CardPlace, card: GameCard, reply: Reply, *, anew: bool = False
    ) -> None:
        """Remember where the card stands, what it shows, whose activation that is, and who is waited for."""
        self._shown[scope] = stands.message_id, _digest(reply, scope, card)
        self._scopes[stands.channel_id] = scope
        if anew:
            self._below.pop(stands.channel_id, None)
        activation = Activation.read("" if anew else stands.activation).after(card).written
        awaited = card.awaited
        since_ms = stands.awaited_ms if awaited == stands.awaited else self._clock()
        awaited_ms, changes_ms = since_ms if awaited else 0, card.changes_ms
        place = stands._replace(
            activation=activation, awaited=awaited, awaited_ms=awaited_ms, changes_ms=changes_ms
        )
        if anew or place != stands:
            await self._answered(lambda: self._store.set_panel(scope, place))

    def _lock(self, scope: int) -> asyncio.Lock:
        """What is held while a card is shown, so that none is shown older than it was."""
        return self._locks.setdefault(scope, asyncio.Lock())

    def _is_stale(self, stands: CardPlace) -> bool:
        """Return whether a card is far up, or so old that Discord soon takes no edit of it."""
        far_up = self._below.get(stands.channel_id, 0) >= FAR_UP
        return far_up or self._clock() - stands.posted_ms > self._oldest_ms

    async def _edit(self, stands: CardPlace, reply: Reply, scope: int, version: int) -> bool:
        """Edit the card, and return whether that worked."""
        channel = self._client.get_partial_messageable(stands.channel_id)
        message = channel.get_partial_message(stands.message_id)
        for _ in (1, 2):
            try:
                view = card_of(reply, scope, version)
                editing = message.edit(content=None, view=view, attachments=files_of(reply.files))
                await self._in_time(editing)
            except TimeoutError:
                log.info(
                    "could not edit the card; posting another",
                    extra={"scope": scope, "error": "no answer in time"},
                )
                return False
            except discord.HTTPException as error:
                log.info(
                    "could not edit the card; posting another", extra={"scope": scope, "code": error.code}
                )
                return False
            except (aiohttp.ClientError, OSError) as error:
                log.info("could not edit the card", extra={"scope": scope, "error": type(error).__name__})
            else:
                return True
        return False

    async def _post(self, card: GameCard, reply: Reply, scope: int, pinged: Sequence[int]) -> int:
        """Post a card; Discord takes the second try for the first where that arrived after all.

        pinged: who is mentioned, in plain words first, so that the notification has them. 0 if only the
        mention arrived.
        """
        channel = self._client.get_partial_messageable(card.channel_id)
        nonce = secrets.token_hex(8)
        for last in (False, True):
            try:
                if pinged:
                    words, patience, version = card.call(pinged), self._patience, card.version
                    return await post(channel, words, reply, scope, version, nonce, pinged, patience=patience)
                view, files = card_of(reply, scope, card.version), files_of(reply.files)
                return (await self._in_time(channel.send(view=view, nonce=nonce, files=files))).id
            except (aiohttp.ClientError, OSError):
                if last:
                    raise
        return 0

    async def _answered(self, ask: Callable[[], Awaitable[T]]) -> T:
        """Return what the database answers, asking again if it is away for a moment.

        Otherwise the panel would stay as it was, or one would be posted that no one knows of.
        """
        for pause in AWAY_PAUSES:
            with suppress(Lost):
                return await ask()
            await self._sleep(pause)
        return await ask()

    async def _retire(self, stands: CardPlace, reply: Reply | None) -> None:
        """Close a card: it tells what it told, and nothing on it can be pressed. It goes where it told
        nothing, or where it cannot be edited.
        """
        channel = self._client.get_partial_messageable(stands.channel_id)
        message = channel.get_partial_message(stands.message_id)
        try:
            if reply is not None:
                with suppress(discord.HTTPException, TimeoutError):
                    await self._in_time(
                        message.edit(content=None, view=card_of(reply, 0, -1), attachments=[])
                    )
                    return
            await self._in_time(message.delete())
        except Failed as error:
            log.info("could not remove the old card", extra={"error": str(error)})

    async def _in_time(self, sending: Coroutine[Any, Any, T]) -> T:
        return await in_time(sending, self._patience)


def _digest(reply: Reply, scope: int, card: GameCard) -> bytes:
    """Return what is the same for two cards that show the same; pictures are those of the newest result."""
    components = card_of(reply, scope, card.version).to_components()
    return sha256(compact([card.newest, *components]).encode()).digest()


def _begins(stands: CardPlace, card: GameCard, entry: int) -> int:
    """Return the first entry that the next card tells of, after the card that stands.

    The end of an activation is told where it began. While it goes on, what was told moves along.
    """
    activation = Activation.read(stands.activation)
    if activation.ends_with(card):
        return entry + 1
    moves = not activation.is_over_for(card) and card.letters(stands.since) <= MAX_MOVED_LENGTH
    return stands.since if moves else entry
