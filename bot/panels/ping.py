"""Messages that notify one person: plain words first, so that the notification has them, then a card.

A message of the second kind has no words of its own for a locked phone (discord-api-docs 7854).
"""

from __future__ import annotations

import logging

import aiohttp
import discord

from bot.panels.widgets import card_of
from bot.replies.fit import MAX_PLAIN_LENGTH, fit_text
from bot.replies.reply import Reply
from bot.replies.weight import weighed

log = logging.getLogger(__name__)


async def post(
    channel: discord.PartialMessageable, reply: Reply, scope: int, nonce: str, user_id: int = 0
) -> None:
    """Send a reply, and notify this one person if there is one. Only the sending may raise."""
    pings = discord.AllowedMentions.none()
    if user_id:
        pings.users = [discord.Object(user_id)]
    words = fit_text(reply.lines, MAX_PLAIN_LENGTH)
    message = await channel.send(words, nonce=nonce, allowed_mentions=pings)
    try:
        await message.edit(content=None, view=card_of(weighed(reply), scope, -1), allowed_mentions=pings)
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        log.info("it stays in plain words", extra={"scope": scope, "error": str(error)})
