"""The Discord client: connects, registers the commands when they changed, and hands interactions on."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from types import MappingProxyType
from typing import Any, cast

import aiohttp
import discord
from discord import app_commands

from bot import retention_task
from bot.commands.registering import Registrar
from bot.error_guard import guard_errors
from bot.logs import INTERACTION
from bot.meter import failed
from bot.panels.answer import OF_THE_DATABASE, Panels, send, told_of
from bot.panels.calendar import Calendar
from bot.panels.door import OpenMenus
from bot.panels.interaction_age import Lateness
from bot.panels.press import pressed
from bot.panels.reminding import Reminding
from bot.panels.time_over import TimeOver
from bot.panels.typed import clean_options
from bot.panels.undelivered import Telling
from bot.replies.dice_faces import face_names
from bot.replies.reply import say
from bot.replies.weight import NO_FACES, Faces
from bot.store.vocabulary import words_of_the_program
from bot.table.desk import Desk
from bot.version import rules_version

log = logging.getLogger(__name__)

COMMAND_CHANGED = say("Wait a minute and type this command again; it has just changed.", private=True)

TOO_LATE = say("Try again; your request came too late to be answered.", "Nothing has changed.", private=True)

STOPPING = say("Try again in a minute; the bot is restarting.", "Nothing has changed.", private=True)

PRESSES = (discord.InteractionType.component, discord.InteractionType.modal_submit)

MAX_DISCONNECTS = 8
"""Lost connections within `DISCONNECT_WINDOW_SECONDS` that make the client stop; its supervisor waits."""

DISCONNECT_WINDOW_SECONDS = 5.0

OVERLAP_SECONDS = 2.0
"""How long a client that stops says nothing of what comes where another process may have got it too: by then
that one has answered or acknowledged it, and Discord takes one answer.
"""

CLOSING_SECONDS = 3.0
"""How long a client that closes waits for the answers under way."""


def _fill_caches() -> None:
    """Compute what depends on all files of the program, so that no player has to wait for it."""
    rules_version()
    words_of_the_program()


class Tree(app_commands.CommandTree["Adjutant"]):
    """The command tree; every error that reaches it is answered."""

    async def interaction_check(self, interaction: discord.Interaction[Adjutant]) -> bool:
        """Return whether a command is taken. What was typed is cleaned."""
        INTERACTION.set(interaction.id)
        if await self.client.refuse_if_late(interaction):
            return False
        clean_options(self, cast(Mapping[str, Any], interaction.data or {}))
        return True

    async def on_error(
        self, interaction: discord.Interaction[Adjutant], error: app_commands.AppCommandError
    ) -> None:
        """Answer the person, and log the error under the interaction's id."""
        if interaction.type is discord.InteractionType.autocomplete:
            log.warning("could not suggest anything", extra={"interaction": interaction.id}, exc_info=error)
            failed("suggesting")
        elif isinstance(error, app_commands.CommandSignatureMismatch | app_commands.CommandNotFound):
            await send(interaction, COMMAND_CHANGED)
        else:
            cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
            await send(interaction, told_of(cause, interaction.id, "commands"))


class Adjutant(discord.Client):
    """The bot on Discord. It needs the intents of servers and messages, and nothing privileged: no words.

    add_commands: puts all commands into the tree. panels: makes what keeps the panels of this client.
    guilds: register the commands in these only; everywhere when empty. everything: register those of all
    games for all servers. patience: seconds until an answer is announced, None for what Discord needs.
    options: for discord.Client.
    """

    def __init__(
        self,
        desk: Desk,
        add_commands: Callable[[Tree], None],
        panels: Callable[[discord.Client], Panels],
        guilds: Sequence[int] = (),
        everything: bool = False,
        patience: float | None = None,
        **options: Any,
    ) -> None:
        intents = discord.Intents.none()
        intents.guilds = intents.guild_messages = True
        super().__init__(
            intents=intents,
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            **options,
        )
        self.desk = desk
        self.patience = patience
        self.panels = panels(self)
        self.reminding = Reminding(self, desk.store, serves=self.serves)
        self.time_over = TimeOver(desk.store, partial(self.panels.changed, quietly=True), self.serves)
        self.calendar = Calendar(self, desk.store)
        self.telling = Telling(self, desk.store, self.serves)
        self.tree = Tree(self)
        add_commands(self.tree)
        self.commands = Registrar(self.tree, desk.store, everything=everything, guilds=guilds)
        self.under_way: set[asyncio.Task[Any]] = set()
        self.faces: Faces = NO_FACES
        self.menus = OpenMenus(desk.store)
        self._noting: set[asyncio.Task[Any]] = set()
        self._is_closing = False
        self.lateness = Lateness()
        self._lost: deque[float] = deque(maxlen=MAX_DISCONNECTS * self._connections)

    @property
    def _connections(self) -> int:
        """Return how many connections to the gateway this client holds."""
        return 1

    def serves(self, guild_id: int) -> bool:
        """Return whether a server is one of those that Discord gives to this process."""
        return True

    async def close(self) -> None:
        """Accept nothing new, finish quick work that is under way, then disconnect."""
        if not self.is_closed():
            self._is_closing = True
            await self._finished()
            await self.reminding.close()
            await self.time_over.close()
            await self.telling.close()
            await self.panels.close()
            await self.menus.close()
            await self.commands.close()
            await self._finished()
        await super().close()
        await self._finished()

    async def settle(self) -> None:
        """Wait until every card, and every private message that is open, shows what was last changed."""
        await self.panels.settle()
        await self.menus.settle()

    async def _finished(self) -> None:
        """Wait for what is under way: to be answered, and once disconnected to note that it was not."""
        busy = (self.under_way | self._noting) - {asyncio.current_task()}
        if busy:
            await asyncio.wait(busy, timeout=CLOSING_SECONDS)

    async def refuse_if_late(self, interaction: discord.Interaction[Any]) -> bool:
        """Return whether an interaction is turned away because it is late or the bot stops, and say so.

        No one notices suggestions that do not come.
        """
        is_late = self.lateness.is_late(interaction.id)
        if interaction.type is discord.InteractionType.autocomplete:
            return self._is_closing
        if self._is_closing:
            log.info("refused an action while stopping", extra={"interaction": interaction.id})
        elif is_late:
            log.warning("dropped an action that came too late", extra={"interaction": interaction.id})
        else:
            return False
        if not self.is_closed():
            with self._hold_closing():
                if self._is_closing and self.desk.store.is_shared:
                    await asyncio.sleep(OVERLAP_SECONDS)
                await send(interaction, STOPPING if self._is_closing else TOO_LATE)
        return True

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Dispatch an event unless the client is closed, because then the library has no loop for it."""
        if not self.is_closed():
            super().dispatch(event, *args, **kwargs)

    @contextmanager
    def _hold_closing(self) -> Iterator[None]:
        """While an event of the gateway is dealt with: who closes the client waits for it."""
        task = asyncio.current_task()
        assert task is not None, "events are dealt with in tasks"
        self._noting.add(task)
        try:
            yield
        finally:
            self._noting.discard(task)

    async def setup_hook(self) -> None:
        """Register the commands, where Discord has others; find what was not answered, and the dice."""
        self._warming = asyncio.create_task(self._warm_up())
        await self.telling.recover()
        await self.commands.start()
        await self._look_for_dice()

    async def _warm_up(self) -> None:
        """Work out what takes a while the first time, and read the newest game, while Discord is called."""
        filling = asyncio.create_task(asyncio.to_thread(_fill_caches))
        await self.desk.store.load(await self.desk.store.newest_encounter())
        await filling

    async def _look_for_dice(self) -> None:
        """Learn which emojis of dice there are; without all of them dice are shown as numbers."""
        try:
            emojis = await self.fetch_application_emojis()
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.warning("could not look up the dice emojis", extra={"error": str(error)})
            return
        self.faces = MappingProxyType({emoji.name: emoji.id for emoji in emojis})
        missing = face_names() - self.faces.keys()
        if missing:
            advice = "dice are shown as numbers; run python -m bot dice to show them as emojis"
            log.info(advice, extra={"missing": len(missing)})

    async def on_ready(self) -> None:
        """Log that the bot is ready, and report to the channels what they were never told."""
        log.info("ready", extra={"user": str(self.user), "guilds": len(self.guilds)})
        self.commands.look_at_all([guild.id for guild in self.guilds])
        with self._hold_closing():
            await self._note_servers()
            await self.telling.tell()
            self.telling.start()
            self.reminding.start()
            self.time_over.start()
        await self._warming

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Note that the bot left a server; what is stored about it is deleted later."""
        with self._hold_closing():
            await self._note_servers()

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Register what the server shows, as nothing of it is left from before."""
        with self._hold_closing():
            await self._note_servers()
            await self.commands.joined(guild.id)

    async def _note_servers(self) -> None:
        with guard_errors(log, "keeping", "could not record the list of servers"):
            await retention_task.note(self.desk.store, self)

    async def on_message(self, message: discord.Message) -> None:
        """Count what people write below a card; what they write is not asked for."""
        if not message.author.bot:
            self.panels.wrote(message.channel.id)

    async def on_resumed(self) -> None:
        """Report what could not be reported while the connection was lost."""
        with self._hold_closing():
            await self.telling.tell()

    async def on_interaction(self, interaction: discord.Interaction[discord.Client]) -> None:
        """Handle buttons, menus and forms; commands go through the tree."""
        if interaction.type not in PRESSES:
            return
        INTERACTION.set(interaction.id)
        try:
            if not await self.refuse_if_late(interaction):
                await pressed(interaction)
        except Exception as error:
            await send(interaction, told_of(error, interaction.id, "pressing"))

    async def on_disconnect(self) -> None:
        """Stop when the gateway takes connections only to drop them: discord.py itself would not wait."""
        now_seconds = self.loop.time()
        self._lost.append(now_seconds)
        if len(self._lost) == self._lost.maxlen and now_seconds - self._lost[0] < DISCONNECT_WINDOW_SECONDS:
            log.warning("Discord's gateway keeps dropping the connection")
            await self.close()


class ShardedAdjutant(Adjutant, discord.AutoShardedClient):
    """The bot on several connections, called shards: all of them, or those that this process serves.

    It also takes `shard_count` (None: as many as Discord advises) and `shard_ids` (None: all).
    """

    @property
    def _connections(self) -> int:
        return len(self.shard_ids or ()) or self.shard_count or 1

    def serves(self, guild_id: int) -> bool:
        """See Adjutant; Discord deals servers out by the time in their ids."""
        if self.shard_ids is None or not self.shard_count:
            return True
        return (guild_id >> 22) % self.shard_count in self.shard_ids


PERMANENT_ERRORS = (discord.LoginFailure, discord.PrivilegedIntentsRequired)
"""Errors that trying again can't solve."""

TEMPORARY_ERRORS = (
    *(discord.DiscordException, aiohttp.ClientError, OSError, AttributeError, KeyError, TypeError),
    *OF_THE_DATABASE,
)
"""Errors after which the next start can succeed. discord.py raises the last three on payloads that it
does not understand and on a first connection that fails.
"""
