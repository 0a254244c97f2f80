"""Reports, in their channel and once, of actions that nobody could be told about.

Where several processes share a database, each tells what was left in its servers by one that was killed.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace

import aiohttp
import discord

from bot.error_guard import guard_errors
from bot.panels.door import files_of
from bot.panels.periodic_task import PeriodicTask
from bot.panels.widgets import card_of
from bot.replies.fit import messages
from bot.replies.reply import Reply, reply_from_json, say
from bot.replies.weight import weighed
from bot.store.book import is_own_place
from bot.store.deliveries import LAG_MS, Serves
from bot.store.journal import Entry
from bot.store.store import Store
from bot.table.journal.undo_plan import is_secret
from rules.wording import times

log = logging.getLogger(__name__)

NOT_ANSWERED = "The bot did this earlier but couldn't tell you at the time:"

MAX_TOLD = 10
"""Steps of one channel that are told one by one."""


LOOK_SECONDS = LAG_MS / 1000
"""How often it is looked whether something was not told, or was left by another process."""


class Telling(PeriodicTask):
    """Tells it once the bot is ready, and looks now and then, while it runs, whether there is more to tell.

    serves: whether a server is one that this process tells.
    """

    def __init__(self, client: discord.Client, store: Store, serves: Serves) -> None:
        super().__init__("unanswered actions")
        self._client = client
        self._store = store
        self._serves = serves
        self._turn = asyncio.Lock()
        self._is_recovered = False

    async def recover(self) -> None:
        """Find what was not answered before the start; later, where the database is away or damaged."""
        with guard_errors(log, "answering", "could not look up unanswered actions"):
            await self._store.deliveries.recover(self._store.now(), self._serves)
            self._is_recovered = True

    async def tell(self) -> None:
        """Report what is known not to have been reported."""
        with guard_errors(log, "answering", "could not post unanswered actions"):
            async with self._turn:
                await tell_untold(self._client, self._store)

    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            if not self._is_recovered:
                await self.recover()
            with guard_errors(log, "answering", "could not look up unanswered actions"):
                async with self._turn:
                    await self._store.deliveries.look_again(self._store.now(), self._serves)
            await self.tell()


async def tell_untold(client: discord.Client, store: Store) -> None:
    """Report every action without an answer in its channel; what can't be sent there is dropped."""
    deliveries = store.deliveries
    by_channel: dict[int, list[Entry]] = {}
    for entry in await deliveries.to_be_told():
        by_channel.setdefault(entry.channel_id, []).append(entry)
    for channel_id, entries in by_channel.items():
        tellable = [entry for entry in entries if not (is_secret(entry) or is_own_place(channel_id))]
        try:
            if tellable:
                await _tell(client.get_partial_messageable(channel_id), tellable)
        except (discord.NotFound, discord.Forbidden):
            log.warning("could not find the channel for unanswered actions", extra={"channel": channel_id})
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.warning(
                "could not post unanswered actions in a channel",
                extra={"channel": channel_id, "error": type(error).__name__},
            )
            for entry in entries:
                deliveries.missed(entry)
            continue
        deliveries.arrived(entry.interaction_id for entry in entries)


async def _tell(channel: discord.PartialMessageable, entries: Sequence[Entry]) -> None:
    scope, version = entries[-1].scope, entries[-1].seq
    for part in messages(weighed(_told(entries)), scope, version):
        view = card_of(part, scope, version)
        await channel.send(files=files_of(part.files), view=view)
    log.info("posted unanswered actions", extra={"entries": len(entries)})


def _told(entries: Sequence[Entry]) -> Reply:
    """One message: each step by its title, the last one as it would have been answered."""
    *earlier, last = entries
    lines = [f"{entry.actor}: {entry.title}" for entry in earlier[-MAX_TOLD:]]
    if len(earlier) > MAX_TOLD:
        lines.insert(0, f"{times(len(earlier) - MAX_TOLD, 'earlier step')} (see /log)")
    answer = reply_from_json(last.reply)
    if answer.private:
        return say(NOT_ANSWERED, *lines, f"{last.actor}: {last.title}")
    first, *rest = answer.lines
    return replace(answer, lines=(NOT_ANSWERED, *lines, f"{last.actor}: {first}", *rest), replaces=False)
