"""Check everything the bot needs before it runs: token, permissions, intents, database, clock, disk.

Each finding is one sentence that says what is wrong and what would be right. Nothing is changed, and no one
sees the token.
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

from bot.config import Config, ConfigError, read_token
from bot.replies.dice_faces import face_names
from bot.store.engine import database_url, is_sqlite
from bot.store.errors import StoreError
from bot.store.migration import check_file, revision_of
from bot.store.schema import head, known
from rules.wording import times

PATIENCE_SECONDS = 20.0
"""How long Discord may take to answer all requests."""

CLOCK_SECONDS = 10.0
"""How far the clock may be from Discord's."""

MIN_FREE_BYTES = 200 * 2**20
DATABASE_COPIES = 3
"""How many copies of the database have to fit on the disk: for an upgrade, a backup and growth."""

MIN_CONNECTIONS = 20
"""With fewer connections left for the day, a finding says so."""

NOT_YET_CREATED = "doesn't exist yet; it will be created when the bot first starts."

NEEDED_PERMISSIONS = {
    "View Channels": discord.Permissions(view_channel=True),
    "Send Messages": discord.Permissions(send_messages=True),
    "Send Messages in Threads": discord.Permissions(send_messages_in_threads=True),
    "Attach Files": discord.Permissions(attach_files=True),
}
"""The permissions that the bot needs, by the names that Discord shows."""

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
    """Run all checks and return their findings in order."""
    findings = list(_check_token(config, environment))
    if not any(finding.weight == "wrong" for finding in findings):
        findings += await _check_discord(read_token(config, environment), config)
    findings += await asyncio.to_thread(
        lambda: [*_check_database(config), *_check_disk(config), *_check_health_folder(config)]
    )
    return findings


# ------------------------------------------------------------------------------------ the token


def _check_token(config: Config, environment: Mapping[str, str]) -> Findings:
    try:
        read_token(config, environment)
    except ConfigError as error:
        yield Finding("token", "wrong", str(error))
        return
    file = Path(config.token_file) if config.token_file else None
    if file and file.exists() and stat.S_IMODE(file.stat().st_mode) & 0o077:
        yield Finding(
            "token",
            "look",
            (f"Protect the token file {file} (chmod 600 {file}); others on this machine can read it."),
        )
    yield Finding("token", "fine", "The token is set.")


# ------------------------------------------------------------------------------------ Discord


async def _check_discord(secret: str, config: Config) -> list[Finding]:
    client = discord.Client(intents=discord.Intents.none())
    findings: list[Finding] = []
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            findings.append(await _check_clock(time.time))
            await client.login(secret)
            findings.extend([finding async for finding in _check_application(client, config)])
    except discord.LoginFailure:
        sentence = "Copy the token from the application's page again; Discord doesn't recognise this one."
        findings.append(Finding("token", "wrong", sentence))
    except discord.HTTPException as error:
        sentence = f"Try again later; Discord refused the request (status {error.status})."
        findings.append(Finding("Discord", "wrong", sentence))
    except UNREACHABLE as error:
        sentence = f"Check the network, DNS and firewall; Discord can't be reached ({type(error).__name__})."
        findings.append(Finding("Discord", "wrong", sentence))
    finally:
        await client.close()
    return findings


async def _check_clock(clock: Callable[[], float]) -> Finding:
    """Compare the clock with the date of Discord's answer, halfway between request and answer."""
    asked_at = clock()
    async with (
        aiohttp.ClientSession() as session,
        session.get(Route("GET", "/{what}", what="gateway").url) as reply,
    ):
        date_header = reply.headers.get("Date", "")
    local_time = (asked_at + clock()) / 2
    try:
        offset = local_time - parsedate_to_datetime(date_header).timestamp()
    except ValueError:
        sentence = "The clock couldn't be checked, because Discord didn't send the time."
        return Finding("clock", "look", sentence)
    if abs(offset) <= CLOCK_SECONDS:
        return Finding("clock", "fine", "The clock is right.")
    words = f"{abs(offset):.0f} seconds {'ahead of' if offset > 0 else 'behind'} Discord's clock"
    return Finding("clock", "wrong", f"Synchronise the clock over the network (NTP); it is {words}.")


async def _check_application(client: discord.Client, config: Config) -> AsyncIterator[Finding]:
    assert client.user is not None, "a client that logged in is somebody"
    yield Finding("token", "fine", f"Discord knows the bot as {client.user}.")
    info = await client.application_info()
    flags = info.flags.value
    for name, flag_bits in PRIVILEGED.items():
        if any(flags >> bit & 1 for bit in flag_bits):
            sentence = f"Turn off the {name} intent in the developer portal; the bot doesn't use it."
            yield Finding("intents", "look", sentence)
    for finding in _check_connections(
        await client.http.request(Route("GET", "/{what}/{whose}", what="gateway", whose="bot"))
    ):
        yield finding
    for finding in await _check_dice_emojis(client):
        yield finding
    guilds = await client.http.get_guilds(200)
    if not guilds:
        yield Finding("servers", "look", f"Invite the bot to a server: {_invitation(info.id)}")
    listed = {int(guild["id"]) for guild in guilds}
    for missing in sorted(set(config.guilds) - listed):
        sentence = f"Invite the bot to server {missing} (listed in the settings): {_invitation(info.id)}"
        yield Finding("servers", "wrong", sentence)
    for guild in guilds:
        for finding in await _check_server(client, info.id, guild):
            yield finding


async def _check_dice_emojis(client: discord.Client) -> Findings:
    missing = face_names() - {emoji.name for emoji in await client.fetch_application_emojis()}
    if missing:
        emojis = times(len(missing), "emoji")
        sentence = f"Run python -m bot dice to add {emojis}; until then, cards show dice as numbers."
        return iter([Finding("dice", "look", sentence)])
    return iter([Finding("dice", "fine", "The dice emojis are uploaded.")])


def _check_connections(gateway: Mapping[str, Any]) -> Findings:
    limit = gateway["session_start_limit"]
    if limit["remaining"] < MIN_CONNECTIONS:
        minutes = -(-limit["reset_after"] // 60_000)
        remaining = limit["remaining"]
        connections = times(remaining, "more connection")
        sentence = f"Discord allows {connections} in the next {times(minutes, 'minute')}."
        yield Finding("connections", "look" if remaining else "wrong", sentence)


async def _check_server(client: discord.Client, application: int, guild: Any) -> list[Finding]:
    permissions = discord.Permissions(int(guild["permissions"]))
    name, findings = guild["name"], []
    if not permissions.administrator:
        missing = [words for words, permission in NEEDED_PERMISSIONS.items() if not permissions >= permission]
        if missing:
            sentence = f"Give the bot's role these permissions in {name}: {', '.join(missing)}."
            findings.append(Finding("permissions", "wrong", sentence))
    try:
        await client.http.get_guild_commands(application, int(guild["id"]))
    except discord.Forbidden:
        sentence = f"Invite the bot to {name} again and allow commands: {_invitation(application)}"
        findings.append(Finding("permissions", "wrong", sentence))
    sentence = f"The bot has all the permissions it needs in {name}."
    return findings or [Finding("permissions", "fine", sentence)]


def _invitation(application: int) -> str:
    needs = discord.Permissions(sum(permission.value for permission in NEEDED_PERMISSIONS.values()))
    return discord.utils.oauth_url(application, permissions=needs, scopes=("bot", "applications.commands"))


# ------------------------------------------------------------------------------------ the machine


def _check_database(config: Config) -> Findings:
    try:
        url = database_url(config.database)
        if not is_sqlite(url):
            yield _check_revision(asyncio.run(revision_of(url)))
            return
        path = Path(url.database or "")
        if not path.parent.exists():
            yield Finding("database", "look", f"The folder {path.parent} {NOT_YET_CREATED}")
            return
        check_file(url)
        if not path.exists() or not path.stat().st_size:
            yield Finding("database", "fine", f"The database {NOT_YET_CREATED}")
            return
        yield _check_sqlite(path, url)
    except StoreError as error:
        yield Finding("database", "wrong", str(error))
    except (SQLAlchemyError, OSError) as error:
        yield Finding("database", "wrong", f"The database can't be reached ({type(error).__name__}).")


def _check_sqlite(path: Path, url: URL) -> Finding:
    try:
        with closing(
            sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=2)
        ) as connection:
            (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as error:
        return Finding("database", "wrong", f"The database can't be read: {error}.")
    if verdict != "ok":
        first_fault = verdict.splitlines()[-1]
        sentence = f"Restore a backup (python -m bot restore); the database file is damaged ({first_fault})."
        return Finding("database", "wrong", sentence)
    return _check_revision(asyncio.run(revision_of(url)))


def _check_revision(revision: str) -> Finding:
    if not revision:
        return Finding("database", "fine", "The database is empty; the bot will set it up when it starts.")
    if not known(revision):
        sentence = f"Update the program; the database is from a newer version (revision {revision})."
        return Finding("database", "wrong", sentence)
    if revision != head():
        sentence = (
            f"The database is at revision {revision}; the bot will update it to {head()} when it starts."
        )
        return Finding("database", "look", sentence)
    return Finding("database", "fine", f"The database can be read and is up to date (revision {revision}).")


def _check_disk(config: Config) -> Findings:
    url = database_url(config.database)
    if not is_sqlite(url):
        return
    path = Path(url.database or "").absolute()
    folder = next(parent for parent in path.parents if parent.exists())
    size = path.stat().st_size if path.exists() else 0
    free, needed = shutil.disk_usage(folder).free, max(MIN_FREE_BYTES, DATABASE_COPIES * size)
    if free < needed:
        sentence = (
            f"Free some space; the bot needs {_mib(needed)}, and the disk at {folder} has {_mib(free)} left."
        )
        yield Finding("disk", "wrong", sentence)
    else:
        yield Finding("disk", "fine", f"The disk at {folder} has {_mib(free)} left.")


def _mib(size: int) -> str:
    return f"{size // 2**20} MiB"


def _check_health_folder(config: Config) -> Findings:
    if not config.health_file:
        return
    folder = Path(config.health_file).absolute().parent
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    if not os.access(existing, os.W_OK):
        sentence = f"Give the bot's user write access to {folder}; the bot writes its health_file there."
        yield Finding("health", "wrong", sentence)
    elif existing != folder:
        yield Finding("health", "look", f"The folder {folder} {NOT_YET_CREATED}")
