"""Keeps the bot connected: whatever the gateway does, it starts again, later each time it fails at once."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable, Coroutine
from typing import Any

import discord

from bot.client import PERMANENT_ERRORS, TEMPORARY_ERRORS
from bot.meter import failed

log = logging.getLogger(__name__)

FIRST_WAIT = 1.0
MAX_WAIT_LENGTH = 300.0
STEADY_SECONDS = 60.0
"""A connection that lasted so long starts the waiting over."""

TOO_FEW_SHARDS = (4010, 4011)
MORE_SHARDS = "Set shards = 0 in the settings; Discord requires more shards for the bot's servers."

FATAL_CLOSE_CODES = (4004, 4010, 4011, 4012, 4013, 4014)


class CannotRun(Exception):
    """Discord does not take this bot; the message tells its keeper what to do."""


async def supervise(
    make: Callable[[], discord.Client],
    token: str,
    *,
    stop: asyncio.Event,
    sleep: Callable[[float], Coroutine[Any, Any, None]] = asyncio.sleep,
) -> None:
    """Run clients one after another until `stop` is set. Raises CannotRun."""
    wait = FIRST_WAIT
    while not stop.is_set():
        began = asyncio.get_running_loop().time()
        await _one_life(make(), token, stop)
        if stop.is_set():
            return
        if asyncio.get_running_loop().time() - began > STEADY_SECONDS:
            wait = FIRST_WAIT
        log.warning("connecting again", extra={"seconds": round(wait, 1)})
        stopping = asyncio.ensure_future(stop.wait())
        pause = asyncio.ensure_future(sleep(wait))
        await asyncio.wait({stopping, pause}, return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        pause.cancel()
        wait = min(MAX_WAIT_LENGTH, wait * 2) * random.uniform(0.9, 1.1)


async def _one_life(client: discord.Client, token: str, stop: asyncio.Event) -> None:
    async with client:
        running = asyncio.create_task(client.start(token))
        stopping = asyncio.create_task(stop.wait())
        await asyncio.wait({running, stopping}, return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        if not running.done():
            await client.close()
        try:
            await running
        except PERMANENT_ERRORS as error:
            raise CannotRun(_advice(error)) from None
        except discord.ConnectionClosed as error:
            if error.code in FATAL_CLOSE_CODES:
                if error.code in TOO_FEW_SHARDS:
                    raise CannotRun(MORE_SHARDS) from None
                raise CannotRun(f"Discord closed the connection for good (code {error.code}).") from None
            log.warning("connection closed", extra={"code": error.code})
        except TEMPORARY_ERRORS as error:
            log.warning("connection failed", extra={"error": f"{type(error).__name__}: {error}"})
        except Exception:
            log.exception("the client failed")
            failed("running")


def _advice(error: Exception) -> str:
    if isinstance(error, discord.LoginFailure):
        return "Copy the token from the application's page again; Discord doesn't recognise this one."
    return "Turn off the intents in the developer portal; the bot doesn't need them."
