"""The routes about channels, threads and the messages in them, which the bot uses with its own token.

Owns what the bot's permissions in a channel allow.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from bot.local import wire
from bot.local.checks.messages import EDIT_FLAGS, MESSAGE_FLAGS
from bot.local.clock import time_of
from bot.local.compose import Composer
from bot.local.interactions import Interactions
from bot.local.refusals import Problems, Refused
from bot.local.requests import Call, RequestDesk
from bot.local.seen import Event, EventKind, Json, Message
from bot.local.world import NOTHING, PRIVATE_THREAD, THREAD, Channel, Permission, World

OLD_SECONDS = 3600.0
TWO_WEEKS = 14 * 86_400.0
NONCE_SECONDS = 300.0
P = Permission

_CHANNEL = "/channels/{channel_id}"
_MESSAGE = "/channels/{channel_id}/messages/{message_id}"


@dataclass(frozen=True, slots=True)
class ChannelRoutes:
    """The routes of this module; `old_edits` is (times, seconds): how often an old message can be edited.

    Old means over an hour old. Discord publishes no figures for this limit.
    """

    world: World
    composer: Composer
    interactions: Interactions
    old_edits: tuple[int, float]
    _edits: dict[int, deque[float]] = field(default_factory=dict)
    _nonces: dict[tuple[int, str], Message] = field(default_factory=dict)

    def add_to(self, desk: RequestDesk) -> None:
        """Register every route."""
        for method, template, action in (
            ("GET", _CHANNEL + "/messages/pins", self.pins),
            ("PUT", _CHANNEL + "/messages/pins/{message_id}", self.pin),
            ("DELETE", _CHANNEL + "/messages/pins/{message_id}", self.unpin),
            ("POST", _CHANNEL + "/messages/bulk-delete", self.delete_many),
            ("GET", _CHANNEL, self.channel),
            ("PATCH", _CHANNEL, self.change_channel),
            ("DELETE", _CHANNEL, self.delete_channel),
            ("POST", "/guilds/{guild_id}/channels", self.create_channel),
            ("POST", _CHANNEL + "/typing", self.typing),
            ("GET", _CHANNEL + "/messages", self.messages),
            ("POST", _CHANNEL + "/messages", self.create),
            ("GET", _MESSAGE, self.message),
            ("PATCH", _MESSAGE, self.edit),
            ("DELETE", _MESSAGE, self.delete),
            ("POST", _CHANNEL + "/threads", self.create_thread),
            ("POST", _MESSAGE + "/threads", self.create_thread_on),
            ("PUT", _CHANNEL + "/thread-members/@me", self.join),
            ("GET", _CHANNEL + "/thread-members/{user_id}", self.thread_member),
            ("PUT", _CHANNEL + "/thread-members/{user_id}", self.add_to_thread),
        ):
            desk.add(method, template, action)

    def _may(self, channel: Channel, needed: Permission) -> None:
        permissions = self.world.permissions(self.world.bot.id, channel)
        if not permissions & P.VIEW_CHANNEL:
            raise Refused(403, 50001)
        if needed & ~permissions:
            raise Refused(403, 50013)

    def _channel(self, call: Call, needed: Permission = NOTHING) -> Channel:
        channel = self.world.channels.get(call.number("channel_id", 10003))
        if channel is None:
            raise Refused(404, 10003)
        self._may(channel, needed)
        return channel

    def _message(self, call: Call, channel: Channel) -> Message:
        message = channel.messages.get(call.number("message_id", 10008))
        if message is None or message.ephemeral:
            raise Refused(404, 10008)
        return message

    async def channel(self, call: Call) -> Json:
        """Return one channel or thread."""
        return wire.channel(self._channel(call))

    async def create_channel(self, call: Call) -> Json:
        """Create a text channel."""
        guild = self.world.guilds.get(call.number("guild_id", 10004))
        if guild is None:
            raise Refused(404, 10004)
        if not guild.base_permissions(self.world.bot.id) & P.MANAGE_CHANNELS:
            raise Refused(403, 50013)
        _check_name(call.form)
        call.status = 201
        return wire.channel(self.world.add_channel(call.form["name"], guild))

    async def change_channel(self, call: Call) -> Json:
        """Rename a channel or set its topic; archive, lock or rename a thread."""
        channel = self._channel(call)
        form = call.form
        _check_name(form, required=False)
        if channel.is_thread:
            self._may_change_thread(channel, form)
            channel.archived = bool(form.get("archived", channel.archived))
            channel.locked = bool(form.get("locked", channel.locked))
        else:
            self._may(channel, P.MANAGE_CHANNELS)
            channel.topic = form.get("topic", channel.topic)
        channel.name = form.get("name", channel.name)
        self.world.tell(EventKind.CHANNEL, channel.id)
        return wire.channel(channel)

    def _may_change_thread(self, thread: Channel, form: Json) -> None:
        if thread.archived and form.get("archived") is not False:
            raise Refused(400, 50083)
        owns_thread = thread.owner_id == self.world.bot.id
        if "locked" in form or not owns_thread or (thread.locked and thread.archived):
            self._may(thread, P.MANAGE_THREADS)

    async def delete_channel(self, call: Call) -> Json:
        """Delete a channel or thread."""
        channel = self._channel(call)
        self._may(channel, P.MANAGE_THREADS if channel.is_thread else P.MANAGE_CHANNELS)
        deleted = wire.channel(channel)
        self.world.remove_channel(channel)
        return deleted

    async def typing(self, call: Call) -> None:
        """Show that the bot is typing."""
        channel = self._channel(call, P.SEND_MESSAGES)
        self.world.publish(Event(EventKind.TYPING, self.world.clock.now(), channel.id, user=self.world.bot))

    async def messages(self, call: Call) -> list[Json]:
        """Return messages of a channel, newest first."""
        channel = self._channel(call, P.READ_MESSAGE_HISTORY)
        found_here = [message for message in channel.messages.values() if not message.ephemeral]
        query = call.query
        limit = int(query.get("limit", 50))
        if not 1 <= limit <= 100:
            problems = Problems()
            problems.add(("limit",), "NUMBER_TYPE_MAX", "int value should be between 1 and 100.")
            problems.raise_if_any()
        if "after" in query:
            page = [message for message in found_here if message.id > int(query["after"])][:limit]
        elif "around" in query:
            middle = int(query["around"])
            page = [message for message in found_here if message.id < middle][-(limit // 2) :]
            page += [message for message in found_here if message.id >= middle][: limit - limit // 2]
        else:
            page = [message for message in found_here if message.id < int(query.get("before", 2**64))][
                -limit:
            ]
        return [self.interactions.message_json(message) for message in reversed(page)]

    async def message(self, call: Call) -> Json:
        """Return one message."""
        channel = self._channel(call, P.READ_MESSAGE_HISTORY)
        return self.interactions.message_json(self._message(call, channel))

    async def create(self, call: Call) -> Json:
        """Send a message."""
        channel = self._channel(call)
        self._may_send(channel, call)
        repeated = self._repeated(channel, call.form)
        if repeated is not None:
            return self.interactions.message_json(repeated)
        self._check_reply(channel, call.form)
        message = self.composer.new(
            call.form, call.files, channel_id=channel.id, author=self.world.bot, allowed_flags=MESSAGE_FLAGS
        )
        if channel.archived:
            channel.archived = False
            self.world.tell(EventKind.CHANNEL, channel.id)
        self.world.post(message)
        if call.form.get("enforce_nonce"):
            self._nonces[channel.id, str(call.form.get("nonce"))] = message
        return self.interactions.message_json(message)

    def _may_send(self, channel: Channel, call: Call) -> None:
        needed = P.SEND_MESSAGES_IN_THREADS if channel.is_thread else P.SEND_MESSAGES
        if call.form.get("embeds"):
            needed |= P.EMBED_LINKS
        if call.files:
            needed |= P.ATTACH_FILES
        self._may(channel, needed)
        if channel.locked and not self.world.permissions(self.world.bot.id, channel) & P.MANAGE_THREADS:
            raise Refused(403, 160005)
        if channel.recipient is not None:
            homes = (guild.members.get(channel.recipient.id) for guild in self.world.guilds.values())
            if not any(member is not None and member.accepts_dms for member in homes):
                raise Refused(403, 50007)

    def _repeated(self, channel: Channel, form: Json) -> Message | None:
        """The message already sent with this nonce in the last minutes, when the bot asked for that check."""
        nonce = form.get("nonce")
        if nonce is not None and len(str(nonce)) > 25:
            problems = Problems()
            problems.add(("nonce",), "NONCE_TYPE_TOO_LONG", "Nonce must be at most 25 characters.")
            problems.raise_if_any()
        if not form.get("enforce_nonce"):
            return None
        message = self._nonces.get((channel.id, str(nonce)))
        is_fresh = message is not None and self.world.clock.now() - message.created < NONCE_SECONDS
        return message if is_fresh else None

    def _check_reply(self, channel: Channel, form: Json) -> None:
        reference = form.get("message_reference")
        if not reference:
            return
        replied_to = channel.messages.get(int(reference.get("message_id") or 0))
        if (replied_to is None or replied_to.ephemeral) and reference.get("fail_if_not_exists", True):
            problems = Problems()
            problems.add(("message_reference",), "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
            problems.raise_if_any()

    async def edit(self, call: Call) -> Json:
        """Edit a message of the bot's own."""
        channel = self._channel(call)
        message = self._message(call, channel)
        if message.author != self.world.bot:
            raise Refused(403, 50005)
        if channel.archived:
            raise Refused(400, 50083)
        changed = self.composer.edited(message, call.form, call.files, allowed_flags=EDIT_FLAGS)
        self._count_old_edit(message)
        self.world.edit(changed)
        return self.interactions.message_json(changed)

    def _count_old_edit(self, message: Message) -> None:
        now_seconds = self.world.clock.now()
        if now_seconds - message.created <= OLD_SECONDS:
            return
        times, seconds = self.old_edits
        edits = self._edits.setdefault(message.id, deque())
        while edits and now_seconds - edits[0] > seconds:
            edits.popleft()
        if len(edits) >= times:
            wait = seconds - (now_seconds - edits[0]) if edits else seconds
            raise Refused(429, 30046, extra={"retry_after": round(wait, 3), "global": False})
        edits.append(now_seconds)

    async def delete(self, call: Call) -> None:
        """Delete a message."""
        channel = self._channel(call)
        message = self._message(call, channel)
        if channel.archived:
            raise Refused(400, 50083)
        if message.author != self.world.bot:
            self._may(channel, P.MANAGE_MESSAGES)
        self.world.delete(message)

    async def delete_many(self, call: Call) -> None:
        """Delete 2 to 100 messages that are not over two weeks old."""
        channel = self._channel(call, P.MANAGE_MESSAGES)
        ids = call.form.get("messages")
        problems = Problems()
        problems.length(("messages",), ids, 2, 100)
        problems.raise_if_any()
        numbers = [int(number) for number in ids or ()]
        if any(self.world.clock.now() - time_of(number) > TWO_WEEKS for number in numbers):
            raise Refused(400, 50034)
        for number in numbers:
            message = channel.messages.get(number)
            if message is not None and not message.ephemeral:
                self.world.delete(message)

    async def pins(self, call: Call) -> Json:
        """Return the pinned messages, the latest first."""
        channel = self._channel(call, P.READ_MESSAGE_HISTORY)
        pinned = [message for message in channel.messages.values() if message.pinned]
        items = [
            {"pinned_at": wire.iso(message.created), "message": self.interactions.message_json(message)}
            for message in reversed(pinned)
        ]
        return {"items": items, "has_more": False}

    async def pin(self, call: Call) -> None:
        """Pin a message."""
        self._set_pin(call, True)

    async def unpin(self, call: Call) -> None:
        """Unpin a message."""
        self._set_pin(call, False)

    def _set_pin(self, call: Call, pinned: bool) -> None:
        channel = self._channel(call)
        if channel.guild_id is not None:
            self._may(channel, P.PIN_MESSAGES)
        message = self._message(call, channel)
        if pinned and sum(value.pinned for value in channel.messages.values()) >= 250:
            raise Refused(400, 30003)
        self.world.pin(message, pinned)

    async def create_thread(self, call: Call) -> Json:
        """Create a thread without a message."""
        return self._start_thread(self._channel(call), call, private=call.form.get("type") == PRIVATE_THREAD)

    async def create_thread_on(self, call: Call) -> Json:
        """Create a thread on a message, with the message's id as its own."""
        channel = self._channel(call)
        message = self._message(call, channel)
        if message.id in self.world.channels:
            raise Refused(400, 160004)
        return self._start_thread(channel, call, number=message.id)

    def _start_thread(
        self, channel: Channel, call: Call, *, private: bool = False, number: int | None = None
    ) -> Json:
        if channel.is_thread or channel.guild_id is None:
            raise Refused(400, 50024)
        self._may(channel, P.CREATE_PRIVATE_THREADS if private else P.CREATE_PUBLIC_THREADS)
        form = call.form
        _check_name(form)
        if form.get("type", THREAD) not in (THREAD, PRIVATE_THREAD):
            raise Refused(400, 50024)
        call.status = 201
        thread = self.world.add_thread(channel, form["name"], self.world.bot, private=private, number=number)
        return wire.channel(thread)

    def _thread(self, call: Call, needed: Permission) -> Channel:
        thread = self._channel(call, needed)
        if not thread.is_thread:
            raise Refused(400, 50024)
        if thread.archived:
            raise Refused(400, 50083)
        return thread

    async def join(self, call: Call) -> None:
        """Join a thread."""
        self._thread(call, NOTHING).joined.add(self.world.bot.id)

    async def thread_member(self, call: Call) -> Json:
        """Return a member of a thread, or error 10013 for other people."""
        thread = self._channel(call)
        user_id = call.number("user_id", 10013)
        if not thread.is_thread or user_id not in thread.joined:
            raise Refused(404, 10013)
        joined = wire.iso(time_of(thread.id))
        return {"id": str(thread.id), "user_id": str(user_id), "join_timestamp": joined, "flags": 0}

    async def add_to_thread(self, call: Call) -> None:
        """Add a member to a thread."""
        thread = self._thread(call, P.SEND_MESSAGES_IN_THREADS)
        user_id = call.number("user_id", 10013)
        guild = self.world.guild_of(thread)
        if guild is None or user_id not in guild.members:
            raise Refused(404, 10007)
        thread.joined.add(user_id)


def _check_name(form: Json, *, required: bool = True) -> None:
    problems = Problems()
    if required or "name" in form:
        problems.length(("name",), form.get("name"), 1, 100)
    problems.raise_if_any()
