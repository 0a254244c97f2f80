"""The local server: a strict stand-in for Discord on this machine, for the real client to connect to.

Owns the putting together, the listening on loopback, and how a client in this process is pointed here.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Self

import yarl
from aiohttp import web

from bot.local.clock import HOME, Clock
from bot.local.compose import Composer
from bot.local.faults import Faults
from bot.local.gateway import PRIVILEGED, Gateway
from bot.local.interactions import ANSWER_SECONDS, Interactions
from bot.local.people import Person
from bot.local.pointing import FILES, GATEWAY, TOKEN, client_settings, gateway_url
from bot.local.registry import Registry
from bot.local.relay import Relay
from bot.local.requests import Record, RequestDesk
from bot.local.rest import Routes
from bot.local.rest_channels import ChannelRoutes
from bot.local.seen import User
from bot.local.world import ALL, EVERYONE, NOTHING, Channel, Guild, Permission, World

MAX_BODY = 32 * 1024 * 1024


class LocalServer:
    """One table: a guild with people and channels, and the addresses at which the bot finds it.

    `heartbeat` is the gateway's interval in seconds, `old_edits` how many times in how many seconds a message
    over an hour old can be edited, `keep_requests` how many requests `requests` remembers, `allowed_intents`
    the privileged intents that are granted, `bot_permissions` what the bot may do beyond everyone.
    """

    def __init__(
        self,
        *,
        bot_name: str = "Adjutant",
        guild_name: str = HOME,
        channels: Sequence[str] = ("table",),
        heartbeat: float = 41.25,
        old_edits: tuple[int, float] = (5, 3600.0),
        keep_requests: int = 1000,
        allowed_intents: int = PRIVILEGED,
        bot_permissions: Permission = EVERYONE,
        answer_seconds: float = ANSWER_SECONDS,
    ) -> None:
        self.token = TOKEN
        self.clock = Clock()
        self.world = World(bot_name, guild_name, self.clock)
        self.faults = Faults()
        self.registry = Registry(self.world)
        self.people: dict[str, Person] = {}
        self._composer = Composer(self.world)
        self._relay = Relay(self.world)
        self.interactions = Interactions(self.world, self._composer, self._relay.deliver, answer_seconds)
        self.gateway = Gateway(
            TOKEN,
            ready=self._relay.ready,
            greet=self._relay.greet,
            members=self._relay.members,
            heartbeat=heartbeat,
            allowed_intents=allowed_intents,
        )
        self._relay.connect(self.gateway, self.interactions)
        self._desk = RequestDesk(TOKEN, self.clock.now, self.faults, keep_requests)
        ChannelRoutes(self.world, self._composer, self.interactions, old_edits).add_to(self._desk)
        Routes(self.world, self.registry, self.interactions, self._gateway_url).add_to(self._desk)
        self._runner: web.AppRunner | None = None
        self.url = ""
        if bot_permissions & ~EVERYONE:
            self.allow(self.world.bot, bot_permissions)
        for name in channels:
            self.world.add_channel(name)

    def _gateway_url(self) -> str:
        return gateway_url(self.url)

    @property
    def requests(self) -> Sequence[Record]:
        """Return the latest requests of the bot, the oldest first."""
        return self._desk.records

    async def start(self, host: str = "127.0.0.1", port: int = 0) -> None:
        """Listen on a loopback address; port 0 takes a free one. ValueError for any other host."""
        if host != "localhost" and not ipaddress.ip_address(host).is_loopback:
            raise ValueError(f"The local server listens on loopback only, not on {host}.")
        app = web.Application(client_max_size=MAX_BODY)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1, handle_signals=False)
        app.router.add_get(GATEWAY, self.gateway.handle)
        app.router.add_get(FILES + "/attachments/{id}/{name}", self._download)
        app.router.add_route("*", "/{anything:.*}", self._desk.handle)
        await self._runner.setup()
        site = web.TCPSite(self._runner, host, port)
        await site.start()
        self.url = str(yarl.URL(site.name).origin())
        self._relay.url = gateway_url(self.url)
        self._composer.files_at = f"{self.url}{FILES}/attachments"

    async def _download(self, request: web.Request) -> web.Response:
        file = self.world.files.get(int(request.match_info["id"]))
        if file is None:
            raise web.HTTPNotFound
        return web.Response(body=file.data, content_type=file.content_type or "application/octet-stream")

    async def stop(self) -> None:
        """Cut every connection and free the port."""
        self.clock.close()
        await self.gateway.close()
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    def client_settings(self) -> AbstractContextManager[None]:
        """Point the discord.py clients of this process here: see `bot.local.pointing.client_settings`."""
        return client_settings(self.url)

    def person(
        self,
        name: str,
        display_name: str | None = None,
        *,
        admin: bool = False,
        permissions: Permission = NOTHING,
        accepts_dms: bool = True,
        guild: Guild | None = None,
    ) -> Person:
        """Return a new person in the guild; ValueError where the name is taken.

        `admin` means every permission, `permissions` those beyond everyone's.
        """
        if name in self.people:
            raise ValueError(f"There is already someone called {name}.")
        guild = guild or self.world.home
        user = User(self.world.ids.named("user", name), name, display_name or name)
        member = self.world.add_member(guild, user, ALL if admin else permissions)
        member.accepts_dms = accepts_dms
        channel_id = next(
            (channel.id for channel in self.world.channels.values() if channel.guild_id == guild.id), 0
        )
        person = Person(self.world, self._composer, self.registry, self.interactions, user, channel_id)
        self.people[name] = person
        return person

    def channel(self, name: str) -> int:
        """Return the id of the home guild's channel or thread of that name, which is made if new.

        Threads may have capitals in their names, which no one has to type.
        """
        name = name.removeprefix("#")
        home = [place for place in self.world.channels.values() if place.guild_id == self.world.home.id]
        same_name = [channel_found for channel_found in home if channel_found.name.lower() == name.lower()]
        same_name.sort(key=lambda channel_found: channel_found.name != name)
        return same_name[0].id if same_name else self.world.add_channel(name).id

    def thread(self, name: str, parent: int, owner: Person | None = None) -> Channel:
        """Create a thread under the channel with the id `parent`, the bot's own unless `owner` is given."""
        user = self.world.bot if owner is None else owner.user
        return self.world.add_thread(self.world.channels[parent], name, user)

    def allow(self, user: User, permissions: Permission) -> None:
        """Grant a member of the home guild further permissions."""
        self.world.add_role(self.world.home, user, permissions)

    def lose_state(self) -> None:
        """Forget all gateway sessions and cut their connections, as a restart of Discord's side would."""
        self.gateway.forget_sessions()


__all__ = ["TOKEN", "LocalServer"]
