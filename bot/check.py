"""Looks at everything the bot needs before it runs: token, permissions, intents, database, clock, disk.

Each finding is one sentence that says what is wrong and what would be right. Nothing is changed, and the
token is shown to nobody.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import stat
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, Literal

import aiohttp
import discord
from discord.http import Route
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError

from bot.config import Config, ConfigError, token
from bot.store.engine import database_url, is_sqlite
from bot.store.errors import StoreError
from bot.store.migration import check_file, revision_of
from bot.store.schema import head, known

PATIENCE_SECONDS = 20.0
"""How long Discord may take to answer all that is asked."""

CLOCK_SECONDS = 10.0
"""How far the clock may be from Discord's."""

MIN_FREE = 200 * 2**20
COPIES = 3
"""Times the database that has to be free: the copy of an upgrade, a back-up, and room to grow."""

FEW_STARTS = 20
"""Connections left for a day that are few."""

NEEDED = {
    "View Channels": discord.Permissions(view_channel=True),
    "Send Messages": discord.Permissions(send_messages=True),
    "Send Messages in Threads": discord.Permissions(send_messages_in_threads=True),
    "Attach Files": discord.Permissions(attach_files=True),
}
"""What the bot has to be allowed, by the names that Discord shows."""

PRIVILEGED = {"presence": (12, 13), "server members": (14, 15), "message content": (18, 19)}
"""Bits of an application's flags that tell that a privileged intent is on."""

UNREACHABLE = (aiohttp.ClientError, OSError, TimeoutError)

Weight = Literal["fine", "look", "wrong"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found about one thing. weight: wrong keeps the bot from working, look does not."""

    about: str
    weight: Weight
    sentence: str


Findings = Iterator[Finding]


async def check(config: Config, environment: Mapping[str, str] = os.environ) -> list[Finding]:
    """Look at all of it; the findings in the order in which they were made."""
    found = list(_token(config, environment))
    if not any(one.weight == "wrong" for one in found):
        found += await _discord(token(config, environment), config)
    found += await asyncio.to_thread(lambda: [*_database(config), *_disk(config), *_files(config)])
    return found


# ------------------------------------------------------------------------------------ the token


def _token(config: Config, environment: Mapping[str, str]) -> Findings:
    try:
        token(config, environment)
    except ConfigError as error:
        yield Finding("token", "wrong", str(error))
        return
    file = Path(config.token_file) if config.token_file else None
    if file and file.exists() and stat.S_IMODE(file.stat().st_mode) & 0o077:
        yield Finding(
            "token", "look", f"Others on this machine may read the token file {file}: chmod 600 {file}."
        )
    yield Finding("token", "fine", "There is a token.")


# ------------------------------------------------------------------------------------ Discord


async def _discord(secret: str, config: Config) -> list[Finding]:
    client = discord.Client(intents=discord.Intents.none())
    found: list[Finding] = []
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            found.append(await _clock(time.time))
            await client.login(secret)
            found.extend([one async for one in _application(client, config)])
    except discord.LoginFailure:
        sentence = "Discord does not know this token. Copy it anew from the application's page."
        found.append(Finding("token", "wrong", sentence))
    except discord.HTTPException as error:
        sentence = f"Discord refuses what is asked (status {error.status}). Try again later."
        found.append(Finding("Discord", "wrong", sentence))
    except UNREACHABLE as error:
        sentence = f"Discord cannot be reached ({type(error).__name__}). Look at network, DNS and firewall."
        found.append(Finding("Discord", "wrong", sentence))
    finally:
        await client.close()
    return found


async def _clock(now: Callable[[], float]) -> Finding:
    """The clock against Discord's, as every answer of it tells; half the way there and back is taken off."""
    asked = now()
    async with (
        aiohttp.ClientSession() as session,
        session.get(Route("GET", "/{what}", what="gateway").url) as reply,
    ):
        told = reply.headers.get("Date", "")
    between = (asked + now()) / 2
    try:
        off = between - parsedate_to_datetime(told).timestamp()
    except ValueError:
        return Finding("clock", "look", "Discord did not tell what time it is.")
    if abs(off) <= CLOCK_SECONDS:
        return Finding("clock", "fine", "The clock goes with Discord's.")
    words = f"{abs(off):.0f} seconds {'ahead of' if off > 0 else 'behind'} Discord's"
    return Finding("clock", "wrong", f"The clock is {words}: let it be set over the network (NTP).")


async def _application(client: discord.Client, config: Config) -> AsyncIterator[Finding]:
    """Who the bot is, what it may do in each server, and how often it may still connect today."""
    assert client.user is not None, "a client that logged in is somebody"
    yield Finding("token", "fine", f"Discord knows the bot as {client.user}.")
    info = await client.application_info()
    flags = info.flags.value
    for name, bits in PRIVILEGED.items():
        if any(flags >> bit & 1 for bit in bits):
            sentence = f"The intent {name} is on in the portal. The bot does not use it: switch it off."
            yield Finding("intents", "look", sentence)
    for one in _starts(
        await client.http.request(Route("GET", "/{what}/{whose}", what="gateway", whose="bot"))
    ):
        yield one
    guilds = await client.http.get_guilds(200)
    if not guilds:
        yield Finding("servers", "look", f"The bot is in no server yet. Invite it: {_invitation(info.id)}")
    listed = {int(guild["id"]) for guild in guilds}
    for missing in sorted(set(config.guilds) - listed):
        sentence = f"The settings name the server {missing}, where the bot is not: {_invitation(info.id)}"
        yield Finding("servers", "wrong", sentence)
    for guild in guilds:
        for one in await _guild(client, info.id, guild):
            yield one


def _starts(told: Mapping[str, Any]) -> Findings:
    limit = told["session_start_limit"]
    if limit["remaining"] < FEW_STARTS:
        minutes = limit["reset_after"] // 60_000
        sentence = f"Discord lets the bot connect {limit['remaining']} times more in {minutes} minutes."
        yield Finding("connections", "look" if limit["remaining"] else "wrong", sentence)


async def _guild(client: discord.Client, application: int, guild: Any) -> list[Finding]:
    held = discord.Permissions(int(guild["permissions"]))
    name, found = guild["name"], []
    if not held.administrator:
        missing = [words for words, wanted in NEEDED.items() if not held >= wanted]
        if missing:
            sentence = f"In {name} the bot may not: {', '.join(missing)}. Allow its role that."
            found.append(Finding("permissions", "wrong", sentence))
    try:
        await client.http.get_guild_commands(application, int(guild["id"]))
    except discord.Forbidden:
        sentence = f"In {name} the bot may have no commands. Invite it once more: {_invitation(application)}"
        found.append(Finding("permissions", "wrong", sentence))
    return found or [Finding("permissions", "fine", f"In {name} the bot may do what it needs.")]


def _invitation(application: int) -> str:
    bits = discord.Permissions(sum(wanted.value for wanted in NEEDED.values()))
    return discord.utils.oauth_url(application, permissions=bits, scopes=("bot", "applications.commands"))


# ------------------------------------------------------------------------------------ the machine


def _database(config: Config) -> Findings:
    try:
        url = database_url(config.database)
        if not is_sqlite(url):
            yield _revision(asyncio.run(revision_of(url)))
            return
        path = Path(url.database or "")
        if not path.parent.exists():
            yield Finding(
                "database", "look", f"There is no folder {path.parent} yet: the first start makes it."
            )
            return
        check_file(url)
        if not path.exists() or not path.stat().st_size:
            yield Finding("database", "fine", "There is no database yet: the first start makes it.")
            return
        yield _sqlite(path, url)
    except StoreError as error:
        yield Finding("database", "wrong", str(error))
    except (SQLAlchemyError, OSError) as error:
        yield Finding("database", "wrong", f"The database cannot be reached ({type(error).__name__}).")


def _sqlite(path: Path, url: URL) -> Finding:
    try:
        with closing(
            sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=2)
        ) as connection:
            (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as error:
        return Finding("database", "wrong", f"The database cannot be read: {error}.")
    if found != "ok":
        where = found.splitlines()[-1]
        sentence = f"The database file is damaged ({where}): restore a back-up (python -m bot restore)."
        return Finding("database", "wrong", sentence)
    return _revision(asyncio.run(revision_of(url)))


def _revision(revision: str) -> Finding:
    if not revision:
        return Finding("database", "fine", "There is nothing in the database yet: the first start fills it.")
    if not known(revision):
        sentence = f"The database is of a newer version (revision {revision}): update the program."
        return Finding("database", "wrong", sentence)
    if revision != head():
        sentence = f"The database is at {revision}: the next start brings it to {head()}."
        return Finding("database", "look", sentence)
    return Finding("database", "fine", f"The database is whole and of this version ({revision}).")


def _disk(config: Config) -> Findings:
    url = database_url(config.database)
    if not is_sqlite(url):
        return
    path = Path(url.database or "").absolute()
    folder = next(each for each in path.parents if each.exists())
    size = path.stat().st_size if path.exists() else 0
    free, wanted = shutil.disk_usage(folder).free, max(MIN_FREE, COPIES * size)
    if free < wanted:
        sentence = f"The disk at {folder} has {_mib(free)} left; {_mib(wanted)} are wanted: make room."
        yield Finding("disk", "wrong", sentence)
    else:
        yield Finding("disk", "fine", f"The disk at {folder} has {_mib(free)} left.")


def _mib(size: int) -> str:
    return f"{size // 2**20} MiB"


def _files(config: Config) -> Findings:
    if not config.health_file:
        return
    folder = Path(config.health_file).absolute().parent
    there = next(each for each in (folder, *folder.parents) if each.exists())
    if not os.access(there, os.W_OK):
        sentence = f"The folder {folder} of health_file cannot be written: let the bot's user write it."
        yield Finding("health", "wrong", sentence)
    elif there != folder:
        yield Finding("health", "look", f"There is no folder {folder} yet: the start makes it.")
