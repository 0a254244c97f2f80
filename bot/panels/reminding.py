"""Tells people what they asked to be reminded of, each time once, whatever happens in between.

What is about to be told is written down first, and that it was told afterwards. A bot that stopped in between
tries again: within minutes Discord knows the message by its nonce and takes it once; later it is told with a
word that it may have been read before. No one is pinged except the person who asked for it, and the player
for whom a game has waited as long as its players chose.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Awaitable, Callable

import aiohttp
import discord

from bot.error_guard import guard_errors
from bot.panels.periodic_task import PeriodicTask
from bot.panels.ping import post
from bot.replies.reply import Button, Reply
from bot.replies.weight import weighed
from bot.store import side_tables
from bot.store.book import Loaded
from bot.store.deliveries import Serves, everywhere
from bot.store.row_types import FixtureRow
from bot.store.store import Store
from bot.table.campaign.fixture_dates import Due, StopReminding, due
from bot.table.encounter import Encounter
from bot.table.game import DAY_MS, remind_days
from bot.table.session.card import GameCard, make_game_card

log = logging.getLogger(__name__)

LOOK_SECONDS = 30.0

KNOWN_MS = 120_000
"""How long Discord surely knows a message by its nonce."""

MAX_AT_ONCE = 50
"""Reminders that are told at one look; the others at the next one."""

AGAIN = "You may have seen this reminder already, because the bot was restarted."


class Reminding(PeriodicTask):
    """Looks now and then what is due, while it runs. The clock is the store's.

    serves: whether a server is one that this process tells.
    """

    def __init__(
        self, client: discord.Client, store: Store, seconds: float = LOOK_SECONDS, serves: Serves = everywhere
    ) -> None:
        super().__init__("reminders")
        self._client = client
        self._store = store
        self._seconds = seconds
        self._serves = serves

    async def _keep(self) -> None:
        while True:
            with guard_errors(log, "reminding", "could not send reminders"):
                await self.look()
            await asyncio.sleep(self._seconds)

    async def look(self) -> int:
        """Send the reminders that are due and return how many were sent."""
        return await self._look_at_campaigns() + await self._look_at_games()

    async def _look_at_games(self) -> int:
        now_ms, count = self._store.now(), 0
        for scope in await self._store.waited_for(now_ms - DAY_MS):
            loaded, place = await self._store.load(scope), await self._store.panel(scope)
            if loaded is None or place is None or not self._serves(loaded.scope.guild_id):
                continue
            days = remind_days(Encounter(loaded.book()))
            card = make_game_card(Encounter(loaded.book()), loaded.scope.moved, ())
            subject = f"wait {place.awaited_ms}"
            since, is_done = (await side_tables.reminders_sent(self._store, scope)).get(
                (0, subject), (0, False)
            )
            is_due = days and now_ms - place.awaited_ms >= days * DAY_MS and card.awaited == place.awaited
            if is_due and card.mentioned and not is_done and count < MAX_AT_ONCE:
                count += await self._remind(card, (scope, 0, subject), since, days)
        return count

    async def _remind(self, card: GameCard, mark: side_tables.DueReminder, since: int, days: int) -> bool:
        """Remind the players of one wait. False where Discord could not be reached."""
        waited = "a day" if days == 1 else f"{days} days"
        words = f"{card.call(card.mentioned)}. The game has been waiting for {waited}."
        channel = self._client.get_partial_messageable(card.channel_id)

        async def send(note: list[str]) -> None:
            reply = Reply((" ".join([words, *note]),))
            await post(channel, reply.text, reply, mark[0], -1, _nonce(mark), card.mentioned)

        return await self._once(mark, since, send)

    async def _look_at_campaigns(self) -> int:
        count = 0
        for scope in await side_tables.campaigns_with_reminders(self._store):
            loaded = await self._store.load(scope)
            if loaded is None or not self._serves(loaded.scope.guild_id):
                continue
            already_sent = await side_tables.reminders_sent(self._store, scope)
            for reminder in await self._due(loaded):
                since, is_done = already_sent.get((reminder.row.id, reminder.about), (0, False))
                if not is_done and count < MAX_AT_ONCE:
                    count += await self._tell(scope, reminder, since)
        return count

    async def _due(self, loaded: Loaded) -> list[Due]:
        book = loaded.book()
        opened_at = {}
        for row in book.all(FixtureRow):
            entry = await self._store.entry(loaded.scope.id, row.report) if row.report else None
            if entry is not None:
                opened_at[row.id] = entry.at_ms // 1000
        return list(due(book, self._store.now() // 1000, opened_at))

    async def _tell(self, scope: int, reminder: Due, since: int) -> bool:
        return await self._once(
            (scope, reminder.row.id, reminder.about), since, lambda note: self._send(scope, reminder, note)
        )

    async def _once(
        self, mark: side_tables.DueReminder, since: int, send: Callable[[list[str]], Awaitable[None]]
    ) -> bool:
        """Send it and write down that it was sent. False where it is tried again at the next look."""
        now_ms, scope = self._store.now(), mark[0]
        if not since:
            await side_tables.begin_reminder(self._store, mark, now_ms)
        note = [AGAIN] if since and now_ms - since > KNOWN_MS else []
        try:
            await send(note)
        except (discord.NotFound, discord.Forbidden):
            log.warning("could not find the channel for a reminder", extra={"scope": scope})
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.warning("could not send a reminder", extra={"scope": scope, "error": type(error).__name__})
            return False
        await side_tables.finish_reminder(self._store, mark)
        return True

    async def _send(self, scope: int, reminder: Due, note: list[str]) -> None:
        row, (first, *other_lines) = reminder.row, reminder.lines
        addressee = f"<@{row.user_id}>" if row.ping else row.name
        stop = Button("Stop these reminders", StopReminding(scope, row.id), anytime=True)
        reply = Reply((f"{addressee}: {first}", *other_lines, *note), buttons=(stop,))
        channel = self._client.get_partial_messageable(row.channel_id)
        people = (row.user_id,) if row.ping else ()
        await post(
            channel,
            reply.text,
            weighed(reply),
            scope,
            -1,
            _nonce((scope, reminder.row.id, reminder.about)),
            people,
        )


def _nonce(mark: side_tables.DueReminder) -> str:
    return hashlib.sha256(" ".join(map(str, mark)).encode()).hexdigest()[:24]
