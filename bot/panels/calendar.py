"""Discord's scheduled events for the days of a campaign's games, where the bot may make events.

Nothing is stored about events: those that Discord has of the bot are compared with the days of the campaign.
"""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime, timedelta

import aiohttp
import discord

from bot.store.row_types import CampaignRow
from bot.store.store import Store
from bot.table.campaign.fixture_dates import days_ahead

log = logging.getLogger(__name__)

GAME_HOURS = 3
"""How long an event lasts; Discord needs an end."""


class Calendar:
    """Keeps the events of campaigns as their days are."""

    def __init__(self, client: discord.Client, store: Store) -> None:
        self._client = client
        self._store = store
        self._turn = asyncio.Lock()
        self._days: dict[int, dict[str, int]] = {}

    async def look_at(self, scope: int) -> None:
        """Bring the events of a campaign up to date after a change; do nothing for any other scope."""
        loaded = await self._store.load(scope)
        if loaded is None or loaded.scope.kind != "campaign":
            return
        book, guild = loaded.book(), self._client.get_guild(loaded.scope.guild_id)
        row = book.get(CampaignRow)
        if row is None or guild is None or not guild.me.guild_permissions.create_events:
            return
        days = days_ahead(book, self._store.now() // 1000)
        if self._days.get(scope) == days:
            return
        try:
            async with self._turn:
                await self._bring(guild, row.name, days, loaded.scope.channel_id)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.warning("could not change the events", extra={"scope": scope, "error": str(error)})
        else:
            self._days[scope] = days

    async def _bring(
        self, guild: discord.Guild, campaign: str, days: dict[str, int], channel_id: int
    ) -> None:
        description, old_description = f"A game in the campaign {campaign}.", f"A game of {campaign}."
        channel = guild.get_channel_or_thread(channel_id)
        events: dict[str, discord.ScheduledEvent] = {}
        for event in await guild.fetch_scheduled_events(with_counts=False):
            is_ours = event.creator_id == guild.me.id
            is_ours = is_ours and event.description in (description, old_description)
            if is_ours and event.status is discord.EventStatus.scheduled:
                events[event.name] = event
        for name in events.keys() - days.keys():
            await events[name].delete()
        for name, day in days.items():
            start = datetime.fromtimestamp(day, UTC)
            end = start + timedelta(hours=GAME_HOURS)
            if name not in events:
                await guild.create_scheduled_event(
                    name=name,
                    description=description,
                    start_time=start,
                    end_time=end,
                    location=f"#{channel.name}" if channel is not None else guild.name,
                    entity_type=discord.EntityType.external,
                    privacy_level=discord.PrivacyLevel.guild_only,
                )
            elif events[name].start_time != start:
                await events[name].edit(start_time=start, end_time=end)
