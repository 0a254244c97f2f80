"""One interaction as the way by which a card is shown: where something was pressed, or as a new message."""

from __future__ import annotations

import io
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any

import aiohttp
import discord

from bot.panels.widgets import card_of
from bot.replies.reply import Attachment, Reply

log = logging.getLogger(__name__)

ALREADY_ACKNOWLEDGED = 40060

MAX_OPEN = 1000
"""The largest number of private menus that are remembered."""

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


class OpenMenus:
    """The private menu that a person has open in a channel: the next one takes its place.

    A reply to a typed command stays, because it is there to be read, and so does a menu that is too old for
    the bot to delete.
    """

    def __init__(self) -> None:
        self._close: OrderedDict[tuple[int, int], Callable[[], Awaitable[object]]] = OrderedDict()

    def opened(self, interaction: Interaction, close: Callable[[], Awaitable[object]]) -> None:
        """Remember a menu, and how it is deleted."""
        self._close[interaction.user.id, interaction.channel_id or 0] = close
        if len(self._close) > MAX_OPEN:
            self._close.popitem(last=False)

    async def close(self, interaction: Interaction, *, gone: bool) -> None:
        """Withdraw the menu that was open. gone: it was deleted, or shows something else."""
        close = self._close.pop((interaction.user.id, interaction.channel_id or 0), None)
        if close is not None and not gone:
            with suppress(discord.DiscordException, aiohttp.ClientError, OSError):
                await close()


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
