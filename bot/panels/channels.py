"""The channels and threads of a server as Discord's client knows them, for the person of one interaction."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, TypeAlias

import aiohttp
import discord

from bot.replies.reply import Button, Reply
from bot.table.channels import Where
from bot.table.session.whereabouts import MoveEncounter
from rules.refusals import InvalidInput

log = logging.getLogger(__name__)

It: TypeAlias = discord.Interaction[Any]
Found: TypeAlias = discord.abc.GuildChannel | discord.Thread

AWAKE: Literal[10080] = 10_080
"""Minutes without a message after which a thread that was made for a game is archived: Discord's longest."""

MAX_NAME_LENGTH = 100

NOT_HERE = "Use this in a server's text channel; a thread can't be created here."
NOT_ALLOWED = (
    "Grant the bot the permissions Create Public Threads and Send Messages in Threads; "
    "it can't create a thread here."
)
NOT_MADE = "Try again; Discord didn't create the thread. Nothing was changed."


def without_threads(reply: Reply, channel: object) -> Reply:
    """Return the reply without the buttons that make a thread, where the bot can make none in a channel."""
    if not any(_makes_a_thread(button) for button in reply.buttons) or _holds_threads(channel):
        return reply
    return replace(reply, buttons=tuple(button for button in reply.buttons if not _makes_a_thread(button)))


def _makes_a_thread(button: Button) -> bool:
    return isinstance(button.action, MoveEncounter) and button.action.thread


def _holds_threads(place: object) -> bool:
    return isinstance(place, discord.TextChannel) and _makes_threads(place.permissions_for(place.guild.me))


def _makes_threads(may: discord.Permissions) -> bool:
    return may.create_public_threads and may.send_messages_in_threads and may.view_channel


class Seen:
    """The channels that the person who made an interaction can see."""

    def __init__(self, interaction: It) -> None:
        self._it = interaction

    async def seen(self, channel_id: int) -> Where | None:
        """Return the channel, or None if the person can't see it or it is gone."""
        channel = await self._found(channel_id)
        return self._where(channel) if channel is not None and await self._sees(channel) else None

    async def is_gone(self, channel_id: int) -> bool:
        """Return whether Discord knows no such channel."""
        guild = self._it.guild
        if guild is None or guild.get_channel_or_thread(channel_id) is not None:
            return False
        try:
            await guild.fetch_channel(channel_id)
        except discord.NotFound:
            return True
        except (discord.DiscordException, aiohttp.ClientError, OSError):
            return False
        return False

    def listed(self) -> Sequence[Where]:
        """Return where a game can be played, as far as the person sees; of private threads only this one.

        This channel's own come first: its threads, or for a thread the channel above it.
        """
        guild = self._it.guild
        if guild is None:
            return ()
        channels: list[Found] = [
            *guild.text_channels,
            *(thread for thread in guild.threads if not thread.archived),
        ]
        channels.sort(key=lambda channel: not self._is_near(channel))
        places = [c for c in channels if self._reads(c) and not self._is_private_elsewhere(c)]
        return [place for place in map(self._where, places) if not place.barred]

    def _is_near(self, channel: Found) -> bool:
        """Return whether a place is this channel, a thread of it, or the one that this thread is under."""
        channel_ids = {self._it.channel_id, getattr(self._it.channel, "parent_id", None)} - {None}
        return bool(channel_ids & {channel.id, getattr(channel, "parent_id", None)})

    def holds_threads(self) -> bool:
        """Return whether this is a text channel of the server in which the bot may make threads."""
        return self._parent() is not None and _makes_threads(self._it.app_permissions)

    def _parent(self) -> discord.TextChannel | None:
        guild, channel = self._it.guild, self._it.channel
        parent = guild.get_channel(channel.id) if guild is not None and channel is not None else None
        return parent if isinstance(parent, discord.TextChannel) else None

    async def new_thread(self, name: str) -> Where:
        """Return a public thread under the channel. Raises InvalidInput."""
        parent = self._parent()
        if parent is None:
            raise InvalidInput(NOT_HERE)
        if not _makes_threads(self._it.app_permissions):
            raise InvalidInput(NOT_ALLOWED)
        try:
            thread = await parent.create_thread(
                name=name[:MAX_NAME_LENGTH],
                type=discord.ChannelType.public_thread,
                auto_archive_duration=AWAKE,
            )
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            log.warning("could not create a thread", extra={"error": str(error)})
            raise InvalidInput(NOT_MADE) from None
        return Where(thread.id, thread.name)

    async def drop_thread(self, thread: Where) -> None:
        """Delete a thread if the bot may; otherwise it stays empty."""
        try:
            await self._it.client.http.delete_channel(thread.id)
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            log.info("could not delete an empty thread", extra={"error": str(error)})

    async def _found(self, channel_id: int) -> Found | None:
        """Return a channel of this server; threads that sleep are not among those that the client knows."""
        guild = self._it.guild
        if guild is None:
            return None
        cached = guild.get_channel_or_thread(channel_id)
        if cached is not None:
            return cached
        try:
            return await guild.fetch_channel(channel_id)
        except (discord.DiscordException, aiohttp.ClientError, OSError):
            return None

    async def _sees(self, channel: Found) -> bool:
        if not self._reads(channel):
            return False
        if not self._is_private_elsewhere(channel):
            return True
        assert isinstance(channel, discord.Thread)
        if self._may(channel).manage_threads:
            return True
        try:
            await channel.fetch_member(self._it.user.id)
        except (discord.DiscordException, aiohttp.ClientError, OSError):
            return False
        return True

    def _is_private_elsewhere(self, channel: Found) -> bool:
        private = isinstance(channel, discord.Thread) and channel.is_private()
        return private and channel.id != self._it.channel_id

    def _may(self, channel: Found) -> discord.Permissions:
        if channel.id == self._it.channel_id:
            return self._it.permissions
        user = self._it.user
        try:
            return (
                channel.permissions_for(user)
                if isinstance(user, discord.Member)
                else discord.Permissions.none()
            )
        except discord.ClientException:
            return discord.Permissions.none()

    def _reads(self, channel: Found) -> bool:
        return self._may(channel).view_channel

    def _where(self, channel: Found) -> Where:
        return Where(channel.id, channel.name, self._barred(channel))

    def _barred(self, channel: Found) -> str:
        name = f"#{channel.name}"
        thread = isinstance(channel, discord.Thread)
        if not thread and not isinstance(channel, discord.TextChannel):
            return f"Choose a text channel or a thread; {name} is neither."
        me = channel.guild.me
        permissions = (
            self._it.app_permissions if channel.id == self._it.channel_id else channel.permissions_for(me)
        )
        rights = self._may(channel)
        send = "send_messages_in_threads" if thread else "send_messages"
        send_name = "Send Messages in Threads" if thread else "Send Messages"
        if not (permissions.view_channel and getattr(permissions, send)):
            return (
                f"Grant the bot the permissions View Channel and {send_name} for {name}; "
                "it can't write there."
            )
        if not getattr(rights, send):
            return f"Choose another channel; you can't write in {name}."
        if isinstance(channel, discord.Thread) and channel.locked and not permissions.manage_threads:
            return f"Ask someone who manages threads to unlock {name}."
        return ""
