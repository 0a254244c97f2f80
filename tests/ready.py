"""Waits for a client that was started, however slow the machine is."""

from __future__ import annotations

import asyncio

import discord

PATIENCE_SECONDS = 60


async def until_ready(client: discord.Client, running: asyncio.Task[None]) -> None:
    """Return once the client is ready; what ends it before then is raised."""
    ready = asyncio.create_task(client.wait_until_ready())
    await asyncio.wait({running, ready}, timeout=PATIENCE_SECONDS, return_when=asyncio.FIRST_COMPLETED)
    if running.done():
        ready.cancel()
        running.result()
