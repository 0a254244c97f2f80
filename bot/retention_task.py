"""Lets go, once a day, what is kept longer than was said: servers left, people long idle, old copies."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from pathlib import Path

import discord

from bot.error_guard import guard_errors
from bot.local.clock import HOME, number_of
from bot.store.backups import let_go_aside
from bot.store.book import is_own_place
from bot.store.retention import (
    DAY_MS,
    forget_drafts,
    forget_person,
    forget_server,
    left_before,
    note_servers,
    people_idle_since,
)
from bot.store.side_tables import drop_unshown_pictures
from bot.store.store import Store

log = logging.getLogger(__name__)

FIRST_SECONDS = 60.0
"""How long after the start it begins."""

PAUSE_SECONDS = 86_400.0
DRAFT_DAYS = 7
"""Days after which a list that was brought and not kept is removed."""

MAX_PEOPLE = 200
"""People that are forgotten in one go: each takes the database for a moment."""


async def let_go(store: Store) -> tuple[int, int]:
    """Do it now; gives how many servers and people went."""
    now_ms, keeping = store.now(), store.keeping
    servers: list[int] = []
    people: list[int] = []
    if keeping.servers_days:
        servers = await left_before(store, now_ms - keeping.servers_days * DAY_MS)
        for guild in servers:
            await forget_server(store, guild)
    if keeping.people_days:
        people = await people_idle_since(store, now_ms - keeping.people_days * DAY_MS, MAX_PEOPLE)
        for user in people:
            await forget_person(store, user)
    await forget_drafts(store, now_ms - DRAFT_DAYS * DAY_MS)
    await drop_unshown_pictures(store)
    await _let_copies_go(store)
    if servers or people:
        log.info("old data deleted", extra={"servers": len(servers), "people": len(people)})
    return len(servers), len(people)


async def _let_copies_go(store: Store) -> None:
    """Copies of before upgrades and restores, in which people stand who were forgotten since."""
    if store.file and store.keeping.copies_days:
        before = (store.now() - store.keeping.copies_days * DAY_MS) / 1000
        old = await asyncio.to_thread(let_go_aside, Path(store.file), before)
        if old:
            log.info("old copies deleted", extra={"copies": len(old)})


async def every_day(store: Store, first: float = FIRST_SECONDS, pause: float = PAUSE_SECONDS) -> None:
    """Do it again and again; what fails is tried the next day."""
    await asyncio.sleep(first)
    while True:
        with guard_errors(log, "keeping", "could not delete old data"):
            await let_go(store)
        await asyncio.sleep(pause)


async def note(store: Store, client: discord.Client) -> None:
    """Note the servers that the client has left, of those that it would hear of.

    The table in a terminal or in browsers is never left: what is played there waits for the next evening. And
    who is only there, on a database of Discord's, has left no server.
    """
    guilds = [guild.id for guild in client.guilds]
    if number_of("guild", HOME) not in guilds:
        await note_servers(store, [*guilds, number_of("guild", HOME)], heard_by(client), store.now())


def heard_by(client: discord.Client) -> Callable[[int], bool]:
    """Return whether a client hears of a server, by its shards; never for a person's own place."""
    count = client.shard_count or 1
    shards: Iterable[int] = getattr(client, "shard_ids", None) or (
        range(count) if client.shard_id is None else (client.shard_id,)
    )
    own_shards = set(shards)
    return lambda guild: not is_own_place(guild) and (guild >> 22) % count in own_shards
