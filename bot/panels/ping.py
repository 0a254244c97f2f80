"""Messages that notify one person: plain words first, so that the notification has them, then a card.

A message of the second kind has no words of its own for a locked phone (discord-api-docs 7854).
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

import aiohttp
import discord

from bot.panels.door import files_of
from bot.panels.widgets import card_of
from bot.replies.fit import MAX_PLAIN_LENGTH, fit_text
from bot.replies.reply import Reply

log = logging.getLogger(__name__)


async def post(
    channel: discord.PartialMessageable,
    words: str,
    reply: Reply,
    scope: int,
    version: int,
    nonce: str,
    people: Sequence[int] = (),
) -> int:
    """Send words that notify exactly these people, then make them the card; return its number.

    Only the sending may raise.
    """
    pings = discord.AllowedMentions(
        everyone=False,
        roles=False,
        users=[discord.Object(person) for person in people] or False,
        replied_user=False,
    )
    message = await channel.send(fit_text([words], MAX_PLAIN_LENGTH), nonce=nonce, allowed_mentions=pings)
    view, files = card_of(reply, scope, version), files_of(reply.files)
    try:
        await message.edit(content=None, view=view, attachments=files, allowed_mentions=pings)
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        log.info("could not add the card to the mention", extra={"scope": scope, "error": str(error)})
    return message.id
