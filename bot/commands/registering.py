"""Registers commands with Discord: those of every table for all servers, a game's in servers that show it.

Only differences are sent; many at once as one whole. Failed registrations are tried again later, even after
restarts. New commands are counted because Discord limits them, and a bot that reaches the limit waits a day.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from typing import Any

import aiohttp
import discord
from discord import app_commands

from bot.actions import ACTIONS
from bot.commands.typed import INSTALLABLE
from bot.error_guard import guard_errors
from bot.meter import failed
from bot.store.book import is_own_place
from bot.store.side_tables import (
    Registration,
    Taken,
    registration,
    save_registration,
    servers_with_commands,
    shown_games,
)
from bot.store.store import Store
from bot.table.asking.descriptions import MAX_OPTIONS
from bot.table.game import GAMES
from bot.table.handlers import HANDLERS

log = logging.getLogger(__name__)

MAX_NEW_COMMANDS = 200
"""New commands that a server can get within a day."""

DAY_MS = 86_400_000
MAX_SINGLE_CHANGES = 3
"""Up to this many changed commands are sent one by one."""

PATIENCE_SECONDS = 30.0
CLOSING_SECONDS = 2.0
FIRST_RETRY_MS, LAST_RETRY_MS = 60_000, 3_600_000

TOO_MANY = "Discord won't accept any more new commands for this server today."
NOT_ALLOWED = "Invite the bot again and allow commands; Discord doesn't let it register them here."
NOT_ACCEPTED = "Discord didn't accept this server's commands."

ONLY_FOR_ALL = ("contexts", "integration_types")
"""Fields that Discord accepts only in commands for all servers."""

SLASH = 1
SUBCOMMAND_TYPES = (1, 2)
"""Types of a command, and of commands and groups below one."""

EVERYWHERE = 0
"""Stands for all servers where one is meant."""

PERMANENT_STATUSES = (400, 401, 403, 404)
"""Statuses after which Discord would answer the same again."""

DISCORD_ERRORS = (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError)

Tell = Callable[[str], Awaitable[object]]
Payload = dict[str, Any]


COMMON = frozenset(
    {*("book", "campaign", "crew", "demo", "do", "encounter"), *("games", "help", "odds", "roll", "story")}
)
"""The first words that every server's picker shows. All others are pressed, or typed as lines of `/do`."""


def in_picker(payload: Payload) -> Payload | None:
    """Return a command as the picker shows it, or None if it does not.

    The commands of a game stand below the word of what its players are likeliest to do.
    """
    name, system = payload["name"], game_of_command(payload["name"])
    if payload.get("type", SLASH) != SLASH:
        return payload
    if name in COMMON or (system and ACTIONS[GAMES[system].likely[0]].typed.split()[0] == name):
        return _limit_options(payload)
    return None


def _limit_options(payload: Payload) -> Payload:
    """Return a command, and those below it, with as many options as are shown; needed ones stand first."""
    options = payload.get("options", ())
    if not any(option["type"] in SUBCOMMAND_TYPES for option in options):
        return {**payload, "options": list(options[:MAX_OPTIONS])}
    return {**payload, "options": [_limit_options(option) for option in options]}


def game_of_command(name: str) -> str:
    """Return the game that a top-level command belongs to; empty for those of every table."""
    systems = {
        HANDLERS[kind.command].system
        for kind in ACTIONS.values()
        if kind.typed and kind.typed.split()[0] == name
    }
    return systems.pop() if len(systems) == 1 else ""


def _is_common(name: str) -> bool:
    """Return whether a command is for all servers: those of one game are only if people carry them along."""
    return not game_of_command(name) or name in INSTALLABLE


class Registrar:
    """Keeps Discord's commands as they are wanted.

    everything: all commands are registered for all servers; otherwise those that the picker shows. guilds:
    register in these only.
    """

    def __init__(
        self,
        tree: app_commands.CommandTree[Any],
        store: Store,
        *,
        everything: bool = False,
        guilds: Sequence[int] = (),
    ) -> None:
        self._tree = tree
        self._store = store
        self._everything = everything
        self._guilds = tuple(guilds)
        self._due: dict[int, Tell | None] = {}
        self._present: frozenset[int] = frozenset()
        self._waiting: dict[int, asyncio.Task[None]] = {}
        self._worker: asyncio.Task[None] | None = None
        self._common_ids: dict[str, int] = {}
        self._own_ids: dict[int, dict[str, int]] = {}
        self._payloads: dict[str, Payload] = {}

    # ------------------------------------------------------------- what is wanted

    def _all(self) -> dict[str, Payload]:
        if not self._payloads:
            wanted = [command.to_dict(self._tree) for command in self._tree.get_commands()]
            visible = wanted if self._everything else filter(None, map(in_picker, wanted))
            self._payloads = {payload["name"]: payload for payload in visible}
        return self._payloads

    def _common_payloads(self) -> dict[str, Payload]:
        if self._guilds:
            return {}
        return {name: sent for name, sent in self._all().items() if self._everything or _is_common(name)}

    async def _own(self, guild: int) -> dict[str, Payload]:
        if self._guilds and guild not in self._guilds:
            return {}
        games_shown = await shown_games(self._store, guild)
        common = self._common_payloads()
        return {
            name: {key: value for key, value in payload.items() if key not in ONLY_FOR_ALL}
            for name, payload in self._all().items()
            if name not in common and (self._everything or game_of_command(name) in ("", *games_shown))
        }

    def ids(self, guild: int) -> Mapping[str, int]:
        """Return the numbers of the commands that can be tapped in a server, by their first word."""
        return {**self._common_ids, **self._own_ids.get(guild, {})}

    # ------------------------------------------------------------- for all servers

    async def start(self) -> None:
        """Register what all servers have, or the only ones, where it differs.

        The bot starts although Discord takes nothing new for a while: it goes on with what is registered, and
        asks again later. Raises what Discord answers to commands that it will never take.
        """
        for guild in self._guilds:
            self.changed(guild)
        await self.settle()
        await self._try_registering_for_all(0)

    async def _try_registering_for_all(self, attempt: int) -> None:
        """Register what all servers have. attempt: how often that failed before."""
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await self._register_for_all()
        except DISCORD_ERRORS as error:
            if isinstance(error, discord.HTTPException) and error.status in PERMANENT_STATUSES:
                raise
            wait_ms = min(FIRST_RETRY_MS * 2 ** min(attempt, 10), LAST_RETRY_MS)
            failure = {"error": str(error), "again_ms": wait_ms}
            log.warning("could not register the bot's commands", extra=failure)
            self._after(EVERYWHERE, wait_ms, lambda: self._again_for_all(attempt + 1))

    async def _again_for_all(self, attempt: int) -> None:
        """Try once more, later; what Discord will never take is a fault of the program."""
        try:
            await self._try_registering_for_all(attempt)
        except DISCORD_ERRORS:
            log.exception("could not register the bot's commands")
            failed("registering")

    async def _register_for_all(self) -> None:
        common = self._common_payloads()
        if not common:
            return
        registered = await self._http.get_global_commands(self._application)
        self._common_ids = {command["name"]: int(command["id"]) for command in registered}
        same_names = common.keys() == self._common_ids.keys()
        if same_names and shapes(common.values()) == shapes(registered):
            log.info("the bot's commands are unchanged", extra={"commands": len(common)})
            return
        answer = await self._http.bulk_upsert_global_commands(self._application, list(common.values()))
        self._common_ids = {command["name"]: int(command["id"]) for command in answer}
        log.info("registered the bot's commands", extra={"commands": len(common)})

    @property
    def _http(self) -> Any:
        return self._tree.client.http

    @property
    def _application(self) -> int:
        number: int | None = self._tree.client.application_id
        assert number is not None, "the client is logged in"
        return number

    # ------------------------------------------------------------- for one server

    def look_at_all(self, present: Sequence[int]) -> None:
        """Look at every one of these servers, in which the bot is, of which something is known."""
        self._present = frozenset(present)
        self._begin()

    async def joined(self, guild: int) -> None:
        """Note that the bot came into a server, where nothing is registered any longer."""
        saved = await registration(self._store, guild)
        if saved.taken or saved.due_ms:
            await save_registration(self._store, replace(saved, taken={}, tries=0, due_ms=0, problem=""))
        self.changed(guild)

    async def look_at(self, scope: int, guild: int, tell: Tell) -> None:
        """Register commands again if what was changed is what the server stores."""
        loaded = await self._store.load(scope)
        if loaded is not None and loaded.scope.kind == "library" and not is_own_place(guild):
            self.changed(guild, tell)

    def changed(self, guild: int, tell: Tell | None = None) -> None:
        """Note that a server's commands may differ from what it shows. tell: who hears if that fails."""
        self._due[guild] = tell or self._due.get(guild)
        self._begin()

    def _begin(self) -> None:
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._work(), name="commands")

    async def settle(self) -> None:
        """Wait until everything was tried."""
        if self._worker is not None:
            await self._worker

    async def close(self) -> None:
        """Stop; what waits is found again at the next start."""
        tasks = [*self._waiting.values(), *([self._worker] if self._worker else [])]
        if self._worker is not None:
            await asyncio.wait({self._worker}, timeout=CLOSING_SECONDS)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _work(self) -> None:
        while self._due or self._present:
            if self._present:
                servers = await servers_with_commands(self._store) | set(self._guilds)
                self._due = dict.fromkeys(sorted(servers & self._present)) | self._due
                self._present = frozenset()
                continue
            guild = next(iter(self._due))
            tell = self._due.pop(guild)
            with guard_errors(log, "registering", "could not register a server's commands", guild=guild):
                await self._bring(guild, tell)

    async def _bring(self, guild: int, tell: Tell | None) -> None:
        """Send what differs in one server, if nothing has to be waited for."""
        saved = await registration(self._store, guild)
        own_commands = await self._own(guild)
        self._own_ids[guild] = {name: command.id for name, command in saved.taken.items()}
        now_ms = self._store.now()
        new, altered, removed = differences(own_commands, saved.taken)
        if not (new or altered or removed):
            if saved.problem:
                await save_registration(self._store, replace(saved, tries=0, due_ms=0, problem=""))
            return
        if saved.due_ms > now_ms and tell is None:
            self._retry_later(guild, saved.due_ms - now_ms)
            return
        recent_ms = tuple(made_at for made_at in saved.made_ms if now_ms - made_at < DAY_MS)
        saved = replace(saved, made_ms=recent_ms)
        if len(recent_ms) + len(new) > MAX_NEW_COMMANDS:
            oldest = (
                recent_ms[max(0, len(recent_ms) + len(new) - MAX_NEW_COMMANDS - 1)] if recent_ms else now_ms
            )
            await self._failed(saved, TOO_MANY, oldest + DAY_MS, tell)
            return
        try:
            await self._send(saved, own_commands, new, altered, removed)
        except DISCORD_ERRORS as error:
            failure = {"guild": guild, "error": str(error)}
            log.warning("could not register a server's commands", extra=failure)
            saved = await registration(self._store, guild)
            wait_ms = min(FIRST_RETRY_MS * 2**saved.tries, LAST_RETRY_MS)
            problem = NOT_ALLOWED if isinstance(error, discord.Forbidden) else NOT_ACCEPTED
            await self._failed(saved, problem, now_ms + wait_ms, tell)

    async def _failed(self, saved: Registration, problem: str, due_ms: int, tell: Tell | None) -> None:
        saved = replace(saved, problem=problem, due_ms=due_ms, tries=min(saved.tries + 1, 10))
        await save_registration(self._store, saved)
        self._retry_later(saved.guild_id, due_ms - self._store.now())
        if tell is not None:
            await tell(problem)

    def _retry_later(self, guild: int, wait_ms: int) -> None:
        """Try again after a while; only the last time that was said counts."""

        async def retry() -> None:
            self.changed(guild)

        self._after(guild, wait_ms, retry)

    def _after(self, guild: int, wait_ms: int, callback: Callable[[], Awaitable[None]]) -> None:
        async def wait() -> None:
            await asyncio.sleep(wait_ms / 1000)
            self._waiting.pop(guild, None)
            await callback()

        earlier_task = self._waiting.pop(guild, None)
        if earlier_task is not None:
            earlier_task.cancel()
        self._waiting[guild] = asyncio.create_task(wait(), name=f"retry registering the commands of {guild}")

    async def _send(
        self,
        saved: Registration,
        wanted: Mapping[str, Payload],
        new: Sequence[str],
        altered: Sequence[str],
        gone_names: Sequence[str],
    ) -> None:
        guild, now_ms = saved.guild_id, self._store.now()
        if len(new) + len(altered) + len(gone_names) > MAX_SINGLE_CHANGES:
            async with asyncio.timeout(PATIENCE_SECONDS):
                answer = await self._http.bulk_upsert_guild_commands(
                    self._application, guild, list(wanted.values())
                )
            numbers = {body["name"]: int(body["id"]) for body in answer}
            registered = {name: Taken(numbers[name], shape_of(body)) for name, body in wanted.items()}
            await self._save_success(
                replace(saved, taken=registered, made_ms=(*saved.made_ms, *([now_ms] * len(new))))
            )
            return
        for name in (*gone_names, *altered, *new):
            registered = dict(saved.taken)
            async with asyncio.timeout(PATIENCE_SECONDS):
                if name in gone_names:
                    with suppress(discord.NotFound):
                        await self._http.delete_guild_command(self._application, guild, registered[name].id)
                    del registered[name]
                else:
                    body = await self._http.upsert_guild_command(self._application, guild, wanted[name])
                    registered[name] = Taken(int(body["id"]), shape_of(wanted[name]))
            made_ms = (*saved.made_ms, now_ms) if name in new else saved.made_ms
            saved = replace(saved, taken=registered, made_ms=made_ms)
            await self._save_success(saved)

    async def _save_success(self, saved: Registration) -> None:
        saved = replace(saved, tries=0, due_ms=0, problem="")
        await save_registration(self._store, saved)
        self._own_ids[saved.guild_id] = {name: command.id for name, command in saved.taken.items()}
        log.info(
            "registered a server's commands", extra={"guild": saved.guild_id, "commands": len(saved.taken)}
        )


def differences(
    wanted: Mapping[str, Payload], taken: Mapping[str, Taken]
) -> tuple[list[str], list[str], list[str]]:
    """Return the commands that are new, those that differ, and those that go."""
    new = [name for name in wanted if name not in taken]
    altered = [
        name for name, payload in wanted.items() if name in taken and taken[name].shape != shape_of(payload)
    ]
    return new, altered, [name for name in taken if name not in wanted]


def shape_of(command: Payload) -> str:
    """Return a text that differs whenever what is sent of a command differs."""
    return sha256(json.dumps(command, sort_keys=True).encode()).hexdigest()[:16]


def shapes(commands: Any) -> dict[str, Any]:
    """Return the parts of commands that a person can notice, by name."""
    return {command["name"]: _shape(command) for command in commands}


def _shape(part: Mapping[str, Any]) -> tuple[Any, ...]:
    choices = tuple((choice["name"], choice["value"]) for choice in part.get("choices") or ())
    bounds = tuple(part.get(name) for name in ("min_value", "max_value", "min_length", "max_length"))
    return (
        part["name"],
        part.get("description", ""),
        part.get("type", 1),
        bool(part.get("required")),
        bool(part.get("autocomplete")),
        choices,
        bounds,
        tuple(part.get("contexts") or ()),
        tuple(part.get("integration_types") or ()),
        tuple(_shape(option) for option in part.get("options") or ()),
    )
