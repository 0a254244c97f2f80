"""Messages that notify one person: plain words first, so that the notification has them, then a card.

A message of the second kind has no words of its own for a locked phone (discord-api-docs 7854).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

import aiohttp
import discord

from bot.panels.door import CLOSED, files_of
from bot.panels.widgets import card_of
from bot.replies.fit import MAX_PLAIN_LENGTH, fit_text
from bot.replies.reply import Reply

log = logging.getLogger(__name__)

PATIENCE_SECONDS = 5.0
"""How long one edit or message may take: Discord may want a minute's wait before an old one is edited."""

T = TypeVar("T")


async def in_time(sending: Coroutine[Any, Any, T], seconds: float) -> T:
    """Send, or raise TimeoutError: the library itself would wait as long as Discord asks for."""
    try:
        async with asyncio.timeout(seconds):
            return await sending
    except RuntimeError as error:
        if str(error) != CLOSED:
            raise
        raise aiohttp.ClientConnectionError(CLOSED) from error


async def post(
    channel: discord.PartialMessageable,
    words: str,
    reply: Reply,
    scope: int,
    version: int,
    nonce: str,
    people: Sequence[int] = (),
    *,
    patience: float = PATIENCE_SECONDS,
) -> int:
    """Send words that notify exactly these people, then make them the card; return the number of the card.

    If the words can't become the card, it follows them. 0 if no card arrived; only sending the words may
    raise.
    """
    pings = discord.AllowedMentions(
        everyone=False,
        roles=False,
        users=[discord.Object(person) for person in people] or False,
        replied_user=False,
    )
    text = fit_text([words], MAX_PLAIN_LENGTH)
    message = await in_time(channel.send(text, nonce=nonce, allowed_mentions=pings), patience)

    async def become() -> int:
        view, files = card_of(reply, scope, version), files_of(reply.files)
        await message.edit(content=None, view=view, attachments=files, allowed_mentions=pings)
        return message.id

    async def follow() -> int:
        view, files = card_of(reply, scope, version), files_of(reply.files)
        nobody = discord.AllowedMentions.none()
        return (await channel.send(view=view, files=files, allowed_mentions=nobody)).id

    tries = [become, become, follow]
    while tries:
        try:
            return await in_time(tries.pop(0)(), patience)
        except (discord.HTTPException, TimeoutError) as error:
            log.info("could not add the card to the mention", extra={"scope": scope, "error": str(error)})
            del tries[:-1]
        except (aiohttp.ClientError, OSError) as error:
            log.info("could not add the card to the mention", extra={"scope": scope, "error": str(error)})
    return 0
