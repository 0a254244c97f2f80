"""Carries what happens in the world to the gateway, as the events that Discord would send.

Owns which events there are, from whom intents keep them, and what a session gets when it opens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bot.local import wire
from bot.local.gateway import DIRECT_MESSAGES, GUILD_MESSAGES, GUILDS, Gateway, GatewaySession
from bot.local.interactions import Interaction, Interactions
from bot.local.seen import Event, EventKind, Json, Message
from bot.local.world import Channel, World

_MESSAGE_EVENTS = {
    EventKind.MESSAGE: "MESSAGE_CREATE",
    EventKind.THINKING: "MESSAGE_CREATE",
    EventKind.EDIT: "MESSAGE_UPDATE",
    EventKind.DELETE: "MESSAGE_DELETE",
}
_NEEDS_CONTENT_INTENT: Json = {"content": "", "embeds": [], "attachments": [], "components": []}


class Relay:
    """One world, told to one gateway; `url` is the address at which sessions are resumed."""

    gateway: Gateway
    interactions: Interactions

    def __init__(self, world: World) -> None:
        self._world = world
        self._known: dict[int, Channel] = {}
        self.url = ""

    def connect(self, gateway: Gateway, interactions: Interactions) -> None:
        """Begin to tell `gateway` what happens."""
        self.gateway = gateway
        self.interactions = interactions
        self._known = dict(self._world.channels)
        self._world.listeners.append(self._tell)

    async def deliver(self, interaction: Interaction) -> None:
        """Send INTERACTION_CREATE."""
        payload = self.interactions.payload(interaction)
        self.gateway.dispatch("INTERACTION_CREATE", payload, interaction.channel.guild_id)

    def _tell(self, event: Event) -> None:
        if event.kind is EventKind.CHANNEL:
            self._tell_channel(event.channel_id)
            return
        name = _MESSAGE_EVENTS.get(event.kind)
        if name is None or event.only_for is not None:
            return
        channel = self._world.channels.get(event.channel_id)
        if channel is None or not self._world.sees(self._world.bot.id, channel):
            return
        intent = DIRECT_MESSAGES if channel.guild_id is None else GUILD_MESSAGES
        if not any(session.intents & intent for session in self.gateway.sessions.values()):
            return
        message = event.message or event.before
        assert message is not None
        guild_field: Json = {} if channel.guild_id is None else {"guild_id": str(channel.guild_id)}
        if event.kind is EventKind.DELETE:
            data: Json = {"id": str(message.id), "channel_id": str(channel.id), **guild_field}
            self.gateway.dispatch(name, data, channel.guild_id, intent)
            return
        data = {**self.interactions.message_json(message), **guild_field}
        guild = self._world.guild_of(channel)
        if guild is not None and message.author.id in guild.members:
            data["member"] = wire.member(guild.members[message.author.id], bare=True) | {
                "mute": False,
                "deaf": False,
            }
        reduced = None if self._readable(channel, message) else {**data, **_NEEDS_CONTENT_INTENT}
        self.gateway.dispatch(name, data, channel.guild_id, intent, reduced=reduced)

    def _readable(self, channel: Channel, message: Message) -> bool:
        bot = self._world.bot
        return channel.guild_id is None or message.author == bot or bot.id in message.pings

    def _tell_channel(self, channel_id: int) -> None:
        before, after = self._known.get(channel_id), self._world.channels.get(channel_id)
        channel = after or before
        if channel is None or not self._world.has_bot(self._world.guild_of(channel)):
            return
        change = "CREATE" if before is None else "UPDATE" if after is not None else "DELETE"
        if after is None:
            del self._known[channel_id]
        else:
            self._known[channel_id] = after
        noun = "THREAD" if channel.is_thread else "CHANNEL"
        data = wire.channel(channel)
        if noun == "THREAD" and change == "CREATE":
            data["newly_created"] = True
        self.gateway.dispatch(f"{noun}_{change}", data, channel.guild_id, GUILDS)

    def ready(self, session: GatewaySession) -> Json:
        """Return READY's data."""
        guilds = [guild.id for guild in self._world.guilds_of_bot() if session.carries(guild.id)]
        return {
            "v": 10,
            "user": wire.own_user(self._world.bot),
            "guilds": [{"id": str(guild), "unavailable": True} for guild in guilds],
            "session_id": session.id,
            "resume_gateway_url": self.url,
            "session_type": "normal",
            "shard": list(session.shard),
            "application": {"id": str(self._world.bot.id), "flags": 0, "flags_new": "0"},
            "private_channels": [],
            "relationships": [],
            "user_settings": {},
            "_trace": [],
        }

    def greet(self, session: GatewaySession) -> Iterator[tuple[str, Json]]:
        """Send GUILD_CREATE for each guild of the session's shard."""
        for guild in self._world.guilds_of_bot():
            if session.carries(guild.id) and session.intents & GUILDS:
                yield "GUILD_CREATE", wire.guild_create(self._world, guild)

    def members(self, request: Json) -> Iterable[Json]:
        """Answer a request for members, by ids or by the beginning of a name."""
        guild = self._world.guilds.get(int(request.get("guild_id") or 0))
        if guild is None:
            return
        ids = request.get("user_ids")
        asked_ids = [int(one_id) for one_id in ids] if isinstance(ids, list) else [int(ids)] if ids else None
        query = str(request.get("query") or "").lower()
        members_found = [
            member
            for member in guild.members.values()
            if (member.user.id in asked_ids if asked_ids is not None else member.user.name.startswith(query))
        ]
        limit = int(request.get("limit") or 0) or len(members_found)
        yield {
            "guild_id": str(guild.id),
            "members": [wire.member(member) for member in members_found[:limit]],
            "chunk_index": 0,
            "chunk_count": 1,
            "not_found": [str(user_id) for user_id in asked_ids or () if user_id not in guild.members],
            "presences": [],
            "nonce": request.get("nonce"),
        }
