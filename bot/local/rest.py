"""The routes about the application, its commands, interactions, webhooks, users and guilds.

Owns the mapping from a route to the world; every refusal comes from the modules that it asks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.local import wire
from bot.local.checks.emojis import check_emoji
from bot.local.checks.events import MAX_EVENTS, check_event
from bot.local.interactions import Interactions
from bot.local.refusals import Refused
from bot.local.registry import Registry, Scope
from bot.local.requests import Action, Call, RequestDesk
from bot.local.seen import Json
from bot.local.world import Emoji, Guild, Permission, World

_EMOJIS = "/applications/{application_id}/emojis"
_EVENTS = "/guilds/{guild_id}/scheduled-events"
_COMMANDS = "/applications/{application_id}/commands"
_GUILD_COMMANDS = "/applications/{application_id}/guilds/{guild_id}/commands"
_WEBHOOK = "/webhooks/{application_id}/{token}"


@dataclass(frozen=True, slots=True)
class Routes:
    """The routes of this module; `gateway_url` is what the gateway endpoint tells."""

    world: World
    registry: Registry
    interactions: Interactions
    gateway_url: Callable[[], str]

    def add_to(self, desk: RequestDesk) -> None:
        """Register every route."""
        with_bot_token: tuple[tuple[str, str, Action], ...] = (
            ("GET", "/users/@me", self.me),
            ("GET", "/users/@me/guilds", self.own_guilds),
            ("GET", "/users/{user_id}", self.user),
            ("POST", "/users/@me/channels", self.open_direct),
            ("GET", "/oauth2/applications/@me", self.application),
            ("GET", "/applications/@me", self.application),
            ("GET", "/gateway/bot", self.gateway_bot),
            ("GET", "/guilds/{guild_id}", self.guild),
            ("GET", "/guilds/{guild_id}/channels", self.guild_channels),
            ("GET", "/guilds/{guild_id}/roles", self.guild_roles),
            ("GET", "/guilds/{guild_id}/members/{user_id}", self.guild_member),
        )
        for method, template, action in with_bot_token:
            desk.add(method, template, action)
        desk.add("GET", _EMOJIS, self.emojis)
        desk.add("POST", _EMOJIS, self.create_emoji)
        desk.add("DELETE", _EMOJIS + "/{emoji_id}", self.delete_emoji)
        desk.add("GET", _EVENTS, self.events)
        desk.add("POST", _EVENTS, self.create_event)
        desk.add("PATCH", _EVENTS + "/{event_id}", self.change_event)
        desk.add("DELETE", _EVENTS + "/{event_id}", self.delete_event)
        for template in (_COMMANDS, _GUILD_COMMANDS):
            desk.add("GET", template, self.commands)
            desk.add("PUT", template, self.overwrite_commands)
            desk.add("POST", template, self.upsert_command)
            desk.add("GET", template + "/{command_id}", self.command)
            desk.add("DELETE", template + "/{command_id}", self.delete_command)
        message = _WEBHOOK + "/messages/{message_id}"
        with_own_token: tuple[tuple[str, str, Action], ...] = (
            ("GET", "/gateway", self.gateway),
            ("POST", "/interactions/{interaction_id}/{token}/callback", self.callback),
            ("POST", _WEBHOOK, self.follow_up),
            ("GET", message, self.webhook_message),
            ("PATCH", message, self.edit_webhook_message),
            ("DELETE", message, self.delete_webhook_message),
        )
        for method, template, action in with_own_token:
            desk.add(method, template, action, needs_token=False)

    async def me(self, _: Call) -> Json:
        """Return the bot itself."""
        return wire.own_user(self.world.bot)

    async def own_guilds(self, _: Call) -> list[Json]:
        """Return the guilds that the bot is in, with its permissions there before those of channels."""
        bot = self.world.bot.id
        return [
            {
                "id": str(guild.id),
                "name": guild.name,
                "icon": None,
                "banner": None,
                "owner": guild.owner_id == bot,
                "permissions": wire.permissions(guild.base_permissions(bot)),
                "features": [],
            }
            for guild in self.world.guilds_of_bot()
        ]

    async def user(self, call: Call) -> Json:
        """Return any user."""
        user = self.world.users.get(call.number("user_id", 10013))
        if user is None:
            raise Refused(404, 10013)
        return wire.user(user)

    async def open_direct(self, call: Call) -> Json:
        """Return the direct message channel with a user."""
        user = self.world.users.get(int(call.form.get("recipient_id") or 0))
        if user is None or user.bot:
            raise Refused(400, 50007)
        return wire.channel(self.world.direct(user))

    async def application(self, _: Call) -> Json:
        """Return the bot's application."""
        return wire.application(self.world)

    async def gateway(self, _: Call) -> Json:
        """Return where the gateway is."""
        return {"url": self.gateway_url()}

    async def gateway_bot(self, _: Call) -> Json:
        """Return where the gateway is, and how many sessions may be started."""
        limit = {"total": 1000, "remaining": 999, "reset_after": 86_400_000, "max_concurrency": 1}
        return {"url": self.gateway_url(), "shards": 1, "session_start_limit": limit}

    def _guild(self, call: Call) -> Guild:
        guild = self.world.guilds.get(call.number("guild_id", 10004))
        if guild is None or not self.world.has_bot(guild):
            raise Refused(404, 10004)
        return guild

    async def guild(self, call: Call) -> Json:
        """Return one guild."""
        guild = self._guild(call)
        count = len(guild.members)
        return wire.guild(guild) | {"approximate_member_count": count, "approximate_presence_count": count}

    async def guild_channels(self, call: Call) -> list[Json]:
        """Return a guild's channels without threads."""
        guild = self._guild(call)
        channels = (channel for channel in self.world.channels.values() if channel.guild_id == guild.id)
        return [wire.channel(channel) for channel in channels if not channel.is_thread]

    async def guild_roles(self, call: Call) -> list[Json]:
        """Return a guild's roles."""
        return [wire.role(role) for role in self._guild(call).roles.values()]

    async def guild_member(self, call: Call) -> Json:
        """Return one member."""
        member = self._guild(call).members.get(call.number("user_id", 10013))
        if member is None:
            raise Refused(404, 10007)
        return wire.member(member)

    def _events(self, call: Call) -> tuple[Guild, dict[int, Json]]:
        """Return a guild with its events, if the bot may make some there."""
        guild = self._guild(call)
        if not guild.base_permissions(self.world.bot.id) & Permission.CREATE_EVENTS:
            raise Refused(403, 50013)
        return guild, guild.events

    async def events(self, call: Call) -> list[Json]:
        """Return a guild's scheduled events."""
        return list(self._guild(call).events.values())

    async def create_event(self, call: Call) -> Json:
        """Create a scheduled event."""
        guild, events = self._events(call)
        event = wire.scheduled_event(self.world, guild, check_event(call.form, self.world.clock.now()))
        if len(events) == MAX_EVENTS:
            raise Refused(400, 30038)
        events[int(event["id"])] = event
        return event

    async def change_event(self, call: Call) -> Json:
        """Change one event."""
        _, events = self._events(call)
        event = events.get(call.number("event_id", 10070))
        if event is None:
            raise Refused(404, 10070)
        event |= check_event({**event, **call.form}, self.world.clock.now())
        return event

    async def delete_event(self, call: Call) -> None:
        """Delete one event."""
        _, events = self._events(call)
        if events.pop(call.number("event_id", 10070), None) is None:
            raise Refused(404, 10070)

    def _scope(self, call: Call) -> Scope:
        if call.number("application_id", 20012) != self.world.bot.id:
            raise Refused(403, 20012)
        if "guild_id" not in call.params:
            return None
        guild_id = call.number("guild_id", 50001)
        if not self.world.has_bot(self.world.guilds.get(guild_id)):
            raise Refused(403, 50001)
        return guild_id

    async def emojis(self, call: Call) -> Json:
        """Return the emojis of the application."""
        self._scope(call)
        return {"items": [wire.emoji(self.world, emoji) for emoji in self.world.emojis.values()]}

    async def create_emoji(self, call: Call) -> Json:
        """Add an emoji."""
        self._scope(call)
        name, image = call.form.get("name"), call.form.get("image")
        check_emoji(name, image, self.world.emojis.values())
        emoji = Emoji(self.world.ids.next(), str(name), str(image))
        self.world.emojis[emoji.id] = emoji
        call.status = 201
        return wire.emoji(self.world, emoji)

    async def delete_emoji(self, call: Call) -> None:
        """Delete one emoji."""
        self._scope(call)
        if self.world.emojis.pop(call.number("emoji_id", 10014), None) is None:
            raise Refused(404, 10014)

    async def commands(self, call: Call) -> list[Json]:
        """Return the registered commands."""
        return self.registry.all(self._scope(call))

    async def overwrite_commands(self, call: Call) -> list[Json]:
        """Replace the registered commands."""
        return self.registry.overwrite(self._scope(call), call.body)

    async def upsert_command(self, call: Call) -> Json:
        """Register one command."""
        return self.registry.upsert(self._scope(call), call.form)

    async def command(self, call: Call) -> Json:
        """Return one registered command."""
        return self.registry.find(self._scope(call), call.params["command_id"])

    async def delete_command(self, call: Call) -> None:
        """Remove one command."""
        self.registry.delete(self._scope(call), call.params["command_id"])

    async def callback(self, call: Call) -> Json | None:
        """Answer an interaction."""
        number = call.number("interaction_id", 10062)
        receipt = self.interactions.answer(number, call.params["token"], call.form, call.files)
        return receipt if call.query.get("with_response", "").lower() in ("1", "true") else None

    async def follow_up(self, call: Call) -> Json | None:
        """Send a further message for an interaction."""
        interaction = self.interactions.with_token(self._token(call))
        message = self.interactions.follow_up(interaction, call.form, call.files)
        waits = call.query.get("wait", "").lower() in ("1", "true")
        return self.interactions.message_json(message) if waits else None

    def _token(self, call: Call) -> str:
        if call.number("application_id", 10015) != self.world.bot.id:
            raise Refused(404, 10015)
        return call.params["token"]

    async def webhook_message(self, call: Call) -> Json:
        """Return one of an interaction's messages."""
        interaction = self.interactions.with_token(self._token(call))
        message = self.interactions.message_of(interaction, call.params["message_id"])
        return self.interactions.message_json(message)

    async def edit_webhook_message(self, call: Call) -> Json:
        """Edit one of an interaction's messages."""
        interaction = self.interactions.with_token(self._token(call))
        message_key = call.params["message_id"]
        return self.interactions.message_json(
            self.interactions.edit(interaction, message_key, call.form, call.files)
        )

    async def delete_webhook_message(self, call: Call) -> None:
        """Delete one of an interaction's messages."""
        interaction = self.interactions.with_token(self._token(call))
        self.interactions.delete(interaction, call.params["message_id"])
