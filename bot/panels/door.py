"""One interaction as the way by which a card is shown, and the messages beside the cards that are open."""

from __future__ import annotations

import asyncio
import io
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Protocol

import aiohttp
import discord

from bot.error_guard import guard_errors
from bot.ids import Tag
from bot.panels.widgets import TOO_MANY, Card, Json, card_of, is_pressable, still_pressable
from bot.replies.fit import tag_of
from bot.replies.reply import Attachment, Button, Reply
from bot.store.book import Loaded, Scope
from bot.store.rows import EncounterRow
from bot.store.store import Store
from bot.table.act import Actor
from bot.table.offers.legal_actions import Looking
from bot.table.scoping import find_seat_owner
from bot.table.session.card import filter_open_choices
from bot.table.session.lasting_controls import is_open, outlasts_games, people_of
from rules.refusals import InvalidInput

log = logging.getLogger(__name__)

ALREADY_ACKNOWLEDGED = 40060

MAX_OPEN, MAX_OF_ONE, MAX_PUBLIC = 1000, 8, 30
"""The largest number of messages that are remembered, of private ones of one person in one channel, and of
public ones about one crew or campaign."""

EDIT_SECONDS = 5.0
"""How long an edit of such a message may take."""

CLOSED = "Session is closed"
"""The text of aiohttp's RuntimeError when the client was closed: the bot is stopping."""

Interaction = discord.Interaction[discord.Client]


class InteractionDoor:
    """An interaction that is answered with a card.

    late: it was acknowledged before, even if the library did not hear that it was.
    """

    def __init__(self, interaction: Interaction, *, late: bool = False) -> None:
        self._it = interaction
        self._late = late
        self._has_left = False

    @property
    def user_id(self) -> int:
        """Return who asked."""
        return self._it.user.id

    @property
    def channel_id(self) -> int:
        """Return the channel in which someone asked."""
        return self._it.channel_id or 0

    @property
    def pressed(self) -> int:
        """Return the public message that was pressed, or 0."""
        message = self._it.message
        return message.id if message is not None and not message.flags.ephemeral else 0

    @property
    def is_typed(self) -> bool:
        """Return whether a command was typed, which is answered with a message."""
        return self._it.message is None

    async def edit(self, reply: Reply, scope: int, version: int) -> bool:
        """Show a card in the place of what was pressed; whether it arrived."""

        def content() -> dict[str, Any]:
            files = files_of(reply.files)
            return {"content": None, "view": card_of(reply, scope, version), "attachments": files}

        if self._late or self._it.response.is_done():
            return await sent(lambda: self._it.edit_original_response(**content()))
        return await sent(lambda: self._it.response.edit_message(**content()))

    async def answer(self, reply: Reply, scope: int, version: int) -> int:
        """Answer a typed command with a card; the number of its message, 0 if it did not arrive."""
        if self._late or self._it.response.is_done():
            return 0
        numbers: list[int] = []

        async def answer() -> None:
            view, files = card_of(reply, scope, version), files_of(reply.files)
            numbers.append((await self._it.response.send_message(view=view, files=files)).message_id or 0)

        arrived = await sent(answer)
        return numbers[0] if numbers else await self._number() if arrived else 0

    async def _number(self) -> int:
        """Return the number of the message that answered the interaction, 0 if Discord does not say."""
        try:
            return (await self._it.original_response()).id
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            log.warning("could not find out the id of the answer", extra={"error": type(error).__name__})
            return 0

    async def follow(self, reply: Reply, scope: int, version: int) -> int:
        """Show a card where none may be sent to the channel; the number of its message, 0 for none."""
        messages: list[discord.WebhookMessage] = []

        async def follow() -> None:
            messages.append(
                await self._it.followup.send(
                    view=card_of(reply, scope, version), files=files_of(reply.files), wait=True
                )
            )

        await sent(follow)
        return messages[0].id if messages else 0

    async def leave(self) -> None:
        """Answer without words: the private menu that was pressed goes, if it is still there."""
        if self._has_left:
            return
        self._has_left = True
        stays = bool(self.pressed)
        arrived = self._late or self._it.response.is_done()
        if not arrived and not self.is_typed:
            arrived = await sent(lambda: self._it.response.defer())
        if not arrived:
            stays = False
            arrived = await sent(lambda: self._it.response.defer(ephemeral=True, thinking=True))
        if arrived and not stays:
            await sent(lambda: self._it.delete_original_response())


class Hook(Protocol):
    """Edits and deletes a message."""

    def edit_message(self, message_id: int, /, *, view: discord.ui.LayoutView) -> Awaitable[object]:
        """Show other components."""
        ...

    def delete_message(self, message_id: int, /) -> Awaitable[object]:
        """Delete it."""
        ...


class InChannel:
    """Edits and deletes what everyone sees in a channel."""

    def __init__(self, client: discord.Client, channel_id: int) -> None:
        self._channel = client.get_partial_messageable(channel_id)

    async def edit_message(self, message_id: int, /, *, view: discord.ui.LayoutView) -> None:
        """See `Hook`."""
        await self._channel.get_partial_message(message_id).edit(view=view)

    async def delete_message(self, message_id: int, /) -> None:
        """See `Hook`."""
        await self._channel.get_partial_message(message_id).delete()


@dataclass(slots=True, eq=False)
class OpenMessage:
    """A message with something to press: a private one, or a public one about a crew or a campaign.

    hook: edits it, until then; None for at any time. scope: what it was about, or 0. is_menu: the next menu
    takes its place.
    """

    id: int
    actor: Actor
    hook: Hook
    until: datetime | None
    scope: int
    written: list[Json]
    is_menu: bool = False
    is_public: bool = False


class OpenMenus:
    """The messages that people have open beside the cards. When their game, crew or campaign goes on, what
    would be refused on them is taken away: to its person on a private one, to everyone on a public one.

    The private menu that a person has open in a channel gives its place to the next one. A reply to a typed
    command stays, because it is there to be read, and so does a menu that is too old for the bot to delete.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._open: OrderedDict[int, OpenMessage] = OrderedDict()
        self._due: set[int] = set()
        self._channels: dict[int, int] = {}
        self._given_up: list[OpenMessage] = []
        self._looking: asyncio.Task[None] | None = None

    def opened(self, message: OpenMessage) -> None:
        """Remember a message that now has something to press; the oldest close where there are too many."""
        own = [other for other in self._open.values() if _is_like(other, message)]
        for other in own if message.is_menu else ():
            other.is_menu = False
        given_up = own[: max(0, len(own) + 1 - (MAX_PUBLIC if message.is_public else MAX_OF_ONE))]
        self._open[message.id] = message
        self._open.move_to_end(message.id)
        if len(self._open) - len(given_up) > MAX_OPEN:
            given_up.append(next(iter(self._open.values())))
        if given_up:
            for other in given_up:
                self.forget(other.id)
            self._given_up += given_up
            self._look_soon()

    def knows(self, message_id: int) -> bool:
        """Return whether a message is remembered."""
        return message_id in self._open

    def forget(self, message_id: int) -> None:
        """Forget a message that was deleted, or shows something else."""
        self._open.pop(message_id, None)

    async def withdraw(self, actor: Actor, *, gone: bool) -> None:
        """Delete the menu that a person has open. gone: it was deleted already, or shows something else."""
        menus = (other for other in self._open.values() if other.is_menu)
        menu = next((other for other in menus if _is_beside(other, actor)), None)
        if menu is None:
            return
        menu.is_menu = False
        if not gone:
            self.forget(menu.id)
            with suppress(discord.DiscordException, aiohttp.ClientError, OSError):
                await menu.hook.delete_message(menu.id)

    def changed(self, scope: int) -> None:
        """Look soon at the messages that are open where a scope changed."""
        if self._open:
            self._due.add(scope)
            self._look_soon()

    def _look_soon(self) -> None:
        if self._looking is None:
            self._looking = asyncio.create_task(self._look(), name="private messages")

    async def settle(self) -> None:
        """Wait until every message was looked at."""
        while self._looking is not None:
            await asyncio.wait([self._looking])

    async def close(self) -> None:
        """Stop, once the message that is being edited is as it should be."""
        self._due.clear()
        self._given_up.clear()
        self._open.clear()
        await self.settle()

    async def _look(self) -> None:
        try:
            while self._due or self._given_up:
                if self._given_up:
                    message = self._given_up.pop()
                    over = "" if message.is_public else TOO_MANY
                    closed = still_pressable(message.written, lambda *control: [], over)
                    await self._write(message, closed)
                    continue
                scope = self._due.pop()
                with guard_errors(log, "panels", "could not look at the open messages", scope=scope):
                    await self._look_at(scope)
        finally:
            self._looking = None

    async def _look_at(self, scope: int) -> None:
        loaded = await self._store.load(scope)
        if loaded is None:
            return
        row, channels = self._store.book_seen(loaded).get(EncounterRow), set[int]()
        if row is not None:
            channels = {row.channel_id, self._channels.get(scope, row.channel_id)}  # a game moves away
            self._channels[scope] = row.channel_id
        for message in list(self._open.values()):
            if message.until is not None and message.until < discord.utils.utcnow():
                self.forget(message.id)
            elif row is None:
                await self._look_at_crew(message, loaded.scope)
            elif message.scope == scope or message.actor.channel_id in channels:
                left = left_to_press(self._store, loaded, message.actor, message.written)
                await self._bring_up_to_date(message, left)

    async def _look_at_crew(self, message: OpenMessage, changed: Scope) -> None:
        """Look at a message about a crew or a campaign; a private one also if another of them changed."""
        is_near = not message.is_public and message.actor.guild_id == changed.guild_id
        is_meant = message.scope and (message.scope == changed.id or is_near)
        loaded = await self._store.load(message.scope) if is_meant else None
        if loaded is not None and outlasts_games(loaded.scope):
            left = await left_on_a_crew(
                self._store, loaded, message.actor, message.written, is_public=message.is_public
            )
            await self._bring_up_to_date(message, left)

    async def _bring_up_to_date(self, message: OpenMessage, left: list[Json]) -> None:
        if left != message.written and self._open.get(message.id) is message:
            await self._write(message, left)

    async def _write(self, message: OpenMessage, left: list[Json]) -> None:
        message.written = left
        try:
            async with asyncio.timeout(EDIT_SECONDS):
                await message.hook.edit_message(message.id, view=Card(left))
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            log.info("could not edit an open message", extra={"error": type(error).__name__})
            self.forget(message.id)
        if not is_pressable(left):
            self.forget(message.id)


def _is_like(message: OpenMessage, other: OpenMessage) -> bool:
    """Return whether two messages are counted together."""
    if message.is_public or other.is_public:
        return message.is_public and other.is_public and message.scope == other.scope
    return _is_beside(message, other.actor)


def _is_beside(message: OpenMessage, actor: Actor) -> bool:
    """Return whether a message is one of this person's in this channel."""
    return (message.actor.user_id, message.actor.channel_id) == (actor.user_id, actor.channel_id)


def left_to_press(store: Store, loaded: Loaded, actor: Actor, written: list[Json]) -> list[Json]:
    """Return the components of a person's private message without what the game would now refuse them."""
    book = store.book_seen(loaded)
    try:
        looking = Looking(book, find_seat_owner(book, actor))
    except InvalidInput:  # another plays this seat
        return written
    return still_pressable(
        written,
        lambda tag, choices, several: filter_open_choices(
            looking, loaded.scope, tag, choices, allows_several=several
        ),
    )


async def left_on_a_crew(
    store: Store, loaded: Loaded, actor: Actor, written: list[Json], *, is_public: bool
) -> list[Json]:
    """Return the components of a message about a crew or a campaign without what is refused now.

    Only what is refused to everyone is left out if the message is public.
    """
    people = dict.fromkeys([actor.user_id, *(people_of(loaded.book()) if is_public else ())])
    asked: list[tuple[Tag, Sequence[str]]] = []

    def noted(tag: Tag, choices: Sequence[str], _: bool) -> Sequence[str]:
        asked.append((tag, choices))
        return choices

    async def kept(tag: Tag, choices: Sequence[str]) -> Sequence[str]:
        for number in people:
            one = replace(actor, user_id=number, manages=actor.manages and number == actor.user_id)
            if await is_open(store, loaded, one, tag, choices):
                return choices
        return ()

    still_pressable(written, noted)
    each_kept = iter([await kept(*control) for control in asked])
    return still_pressable(written, lambda *_: next(each_kept), "")


def open_to(
    store: Store, loaded: Loaded | None, actor: Actor, buttons: Sequence[Button], scope: int, version: int
) -> tuple[Button, ...]:
    """Return those of the buttons of a private reply that the game would not refuse this person now."""
    if loaded is None or store.book_seen(loaded).get(EncounterRow) is None:
        return tuple(buttons)
    book = store.book_seen(loaded)
    try:
        looking = Looking(book, find_seat_owner(book, actor))
    except InvalidInput:  # another plays this seat
        return tuple(buttons)
    return tuple(
        button
        for button in buttons
        if button.disabled or filter_open_choices(looking, loaded.scope, tag_of(button, scope, version), [""])
    )


def is_private(interaction: Interaction) -> bool:
    """Return whether only one person sees the message that was pressed."""
    return interaction.message is not None and interaction.message.flags.ephemeral


def files_of(files: Sequence[Attachment]) -> list[discord.File]:
    """Return files to send, each with the words that describe it."""
    return [discord.File(io.BytesIO(file.content), file.name, description=file.words) for file in files]


async def sent(sending: Callable[[], Awaitable[object]]) -> bool:
    """Send, once more if the connection was lost; whether it arrived. Accepted before counts as arrived."""
    for attempt in (1, 2):
        try:
            await sending()
        except discord.HTTPException as error:
            if error.code == ALREADY_ACKNOWLEDGED:
                return True
            log.warning("Discord refused the answer", extra={"status": error.status, "code": error.code})
            return False
        except discord.InteractionResponded:
            return True
        except (aiohttp.ClientError, OSError) as error:
            log.warning(
                "could not send the answer", extra={"error": type(error).__name__, "attempt": attempt}
            )
        except RuntimeError as error:
            if str(error) != CLOSED:
                raise
            log.warning("could not send the answer", extra={"error": CLOSED, "attempt": attempt})
            return False
        else:
            return True
    return False
