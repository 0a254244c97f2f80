"""The small world of the local server: guilds, roles, members, channels, threads, messages, files.

Owns the state and who may do what in it, and tells its listeners whatever happens. Knows nothing of HTTP, of
sockets, or of interactions; checks no limits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import IntFlag

from bot.local.clock import Clock, Snowflakes
from bot.local.seen import AttachedFile, Event, EventKind, Json, Message, User

TEXT, DM, THREAD, PRIVATE_THREAD = 0, 1, 11, 12


class Permission(IntFlag):
    """Discord's permission bits, as far as this server asks for them."""

    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    USE_EXTERNAL_EMOJIS = 1 << 18
    MANAGE_ROLES = 1 << 28
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    SEND_MESSAGES_IN_THREADS = 1 << 38
    CREATE_EVENTS = 1 << 44
    PIN_MESSAGES = 1 << 51


NOTHING = Permission(0)
ALL = Permission(sum(Permission))
EVERYONE = (
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.SEND_MESSAGES_IN_THREADS
)


@dataclass(slots=True)
class GuildRole:
    """A named set of permissions; the role with the guild's own id is everyone's."""

    id: int
    name: str
    permissions: Permission
    position: int = 0


@dataclass(slots=True)
class Member:
    """A user in one guild."""

    user: User
    joined: float
    role_ids: list[int] = field(default_factory=list)
    accepts_dms: bool = True


@dataclass(slots=True)
class Overwrite:
    """The permissions that a channel allows and denies to one role or member."""

    for_member: bool
    allow: Permission = NOTHING
    deny: Permission = NOTHING


@dataclass(slots=True)
class Guild:
    """A Discord server with its roles and members."""

    id: int
    name: str
    owner_id: int
    roles: dict[int, GuildRole] = field(default_factory=dict)
    members: dict[int, Member] = field(default_factory=dict)
    events: dict[int, Json] = field(default_factory=dict)

    def base_permissions(self, user_id: int) -> Permission:
        """Return a member's permissions before those of any channel; none for a stranger."""
        member = self.members.get(user_id)
        if member is None:
            return NOTHING
        if user_id == self.owner_id:
            return ALL
        granted = self.roles[self.id].permissions
        for role_id in member.role_ids:
            granted |= self.roles[role_id].permissions
        return ALL if granted & Permission.ADMINISTRATOR else granted


@dataclass(slots=True)
class Channel:
    """A text channel, a direct message, or a thread (which has a parent, and members who `joined`)."""

    id: int
    name: str
    type: int
    guild_id: int | None
    position: int = 0
    topic: str | None = None
    parent_id: int | None = None
    owner_id: int | None = None
    archived: bool = False
    locked: bool = False
    recipient: User | None = None
    joined: set[int] = field(default_factory=set)
    overwrites: dict[int, Overwrite] = field(default_factory=dict)
    messages: dict[int, Message] = field(default_factory=dict, repr=False)

    @property
    def is_thread(self) -> bool:
        """Return whether it hangs under another channel."""
        return self.type in (THREAD, PRIVATE_THREAD)


@dataclass(frozen=True, slots=True)
class Emoji:
    """An emoji of the application; `image` is a data URI."""

    id: int
    name: str
    image: str = field(repr=False)


class World:
    """Everything that exists, one home guild at least; listeners hear each Event after it took effect."""

    def __init__(self, bot_name: str, guild_name: str, clock: Clock) -> None:
        self.clock = clock
        self.ids = Snowflakes(clock)
        self.bot = User(self.ids.named("user", bot_name), bot_name.lower(), bot_name, bot=True)
        self.owner = User(self.ids.named("owner", "host"), "host", "Host")
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.files: dict[int, AttachedFile] = {}
        self.emojis: dict[int, Emoji] = {}
        self.users: dict[int, User] = {self.bot.id: self.bot, self.owner.id: self.owner}
        self.listeners: list[Callable[[Event], None]] = []
        self.home = self.add_guild(guild_name)

    def publish(self, event: Event) -> None:
        """Send an event to every listener."""
        for listener in self.listeners:
            listener(event)

    def tell(
        self,
        kind: EventKind,
        channel_id: int,
        *,
        message: Message | None = None,
        before: Message | None = None,
        cause: int | None = None,
        only_for: int | None = None,
        user: User | None = None,
    ) -> None:
        """Publish an event of now; one about an ephemeral message reaches its one reader only."""
        visible = message or before
        if visible is not None and only_for is None:
            only_for = visible.only_for
        self.publish(
            Event(
                kind=kind,
                at=self.clock.now(),
                channel_id=channel_id,
                message=message,
                before=before,
                interaction_id=cause,
                only_for=only_for,
                user=user,
            )
        )

    def add_guild(self, name: str, *, foreign: bool = False) -> Guild:
        """Return a new guild in which the bot is a member, unless it is a foreign one."""
        guild = Guild(self.ids.named("guild", name), name, self.owner.id)
        guild.roles[guild.id] = GuildRole(guild.id, "@everyone", EVERYONE)
        self.guilds[guild.id] = guild
        self.add_member(guild, self.owner)
        if not foreign:
            self.add_member(guild, self.bot)
        return guild

    def guilds_of_bot(self) -> list[Guild]:
        """Return the guilds in which the bot is a member."""
        return [guild for guild in self.guilds.values() if self.has_bot(guild)]

    def has_bot(self, guild: Guild | None) -> bool:
        """Return whether the bot is a member of a guild."""
        return guild is not None and self.bot.id in guild.members

    def add_member(self, guild: Guild, user: User, permissions: Permission = NOTHING) -> Member:
        """Add `user` to a guild; permissions beyond everyone's come as a separate role."""
        member = Member(user, self.clock.now())
        guild.members[user.id] = member
        self.users[user.id] = user
        if permissions:
            self.add_role(guild, user, permissions)
        return member

    def add_role(self, guild: Guild, user: User, permissions: Permission) -> GuildRole:
        """Return a new role for one member."""
        role = GuildRole(self.ids.next(), user.display_name, permissions, len(guild.roles))
        guild.roles[role.id] = role
        guild.members[user.id].role_ids.append(role.id)
        return role

    def add_channel(self, name: str, guild: Guild | None = None) -> Channel:
        """Return a new text channel."""
        guild = guild or self.home
        position = sum(1 for channel in self.channels.values() if channel.guild_id == guild.id)
        number = self.ids.named("channel", f"{guild.name}#{name}")
        return self._opened(Channel(number, name, TEXT, guild.id, position))

    def add_thread(
        self, parent: Channel, name: str, owner: User, *, private: bool = False, number: int | None = None
    ) -> Channel:
        """Add a thread under `parent`; one that starts on a message has the message's id as its `number`."""
        kind = PRIVATE_THREAD if private else THREAD
        thread = Channel(number or self.ids.next(), name, kind, parent.guild_id, parent_id=parent.id)
        thread.owner_id = owner.id
        thread.joined.add(owner.id)
        return self._opened(thread)

    def direct(self, user: User) -> Channel:
        """Return the direct message channel between the bot and `user`, made at need."""
        for channel in self.channels.values():
            if channel.recipient == user:
                return channel
        channel = Channel(self.ids.next(), user.name, DM, None, recipient=user)
        self.channels[channel.id] = channel
        return channel

    def _opened(self, channel: Channel) -> Channel:
        self.channels[channel.id] = channel
        self.tell(EventKind.CHANNEL, channel.id)
        return channel

    def remove_channel(self, channel: Channel) -> None:
        """Delete a channel with its messages and threads."""
        for thread in [value for value in self.channels.values() if value.parent_id == channel.id]:
            self.remove_channel(thread)
        del self.channels[channel.id]
        self.tell(EventKind.CHANNEL, channel.id)

    def guild_of(self, channel: Channel) -> Guild | None:
        """Return the channel's guild; None for direct messages."""
        return None if channel.guild_id is None else self.guilds[channel.guild_id]

    def permissions(self, user_id: int, channel: Channel) -> Permission:
        """Return the user's permissions in the channel; threads follow their parent, private ones their
        members.
        """
        if channel.guild_id is None:
            members = (self.bot.id, channel.recipient.id if channel.recipient else 0)
            return ALL & ~Permission.ADMINISTRATOR if user_id in members else NOTHING
        guild = self.guilds[channel.guild_id]
        granted = guild.base_permissions(user_id)
        if granted & Permission.ADMINISTRATOR or user_id not in guild.members:
            return granted
        ruling = self.channels[channel.parent_id] if channel.parent_id else channel
        for overwrite in _applying(ruling, guild, user_id):
            granted = granted & ~overwrite.deny | overwrite.allow
        if channel.type == PRIVATE_THREAD and user_id not in channel.joined:
            granted &= ALL if granted & Permission.MANAGE_THREADS else NOTHING
        return granted if granted & Permission.VIEW_CHANNEL else NOTHING

    def overwrite(
        self,
        channel: Channel,
        target: User | GuildRole,
        *,
        allow: Permission = NOTHING,
        deny: Permission = NOTHING,
    ) -> None:
        """Set what `channel` allows and denies to one user or role."""
        channel.overwrites[target.id] = Overwrite(isinstance(target, User), allow, deny)
        self.tell(EventKind.CHANNEL, channel.id)

    def sees(self, user_id: int, channel: Channel) -> bool:
        """Return whether the user can look into the channel."""
        return bool(self.permissions(user_id, channel) & Permission.VIEW_CHANNEL)

    def post(self, message: Message, cause: int | None = None) -> Message:
        """Put a new message into its channel; a deferred one counts as thinking."""
        self.channels[message.channel_id].messages[message.id] = message
        kind = EventKind.THINKING if message.loading else EventKind.MESSAGE
        self.tell(kind, message.channel_id, message=message, cause=cause)
        return message

    def edit(self, message: Message, cause: int | None = None) -> Message:
        """Put a new form of a message in the place of the old one."""
        messages = self.channels[message.channel_id].messages
        before = messages[message.id]
        messages[message.id] = message
        self.tell(EventKind.EDIT, message.channel_id, message=message, before=before, cause=cause)
        return message

    def delete(self, message: Message, cause: int | None = None) -> None:
        """Delete a message."""
        before = self.channels[message.channel_id].messages.pop(message.id)
        self.tell(EventKind.DELETE, message.channel_id, before=before, cause=cause)

    def pin(self, message: Message, pinned: bool) -> Message:
        """Pin or unpin a message."""
        return self.edit(replace(message, pinned=pinned))

    def attach(self, attachments: Iterable[AttachedFile]) -> None:
        """Make files available for download."""
        self.files.update((attachment.id, attachment) for attachment in attachments)


def _applying(channel: Channel, guild: Guild, user_id: int) -> Iterator[Overwrite]:
    everyone = channel.overwrites.get(guild.id)
    if everyone is not None:
        yield everyone
    overwrites = [
        channel.overwrites[role_id]
        for role_id in guild.members[user_id].role_ids
        if role_id in channel.overwrites
    ]
    if overwrites:
        union = Overwrite(False)
        for overwrite in overwrites:
            union.allow |= overwrite.allow
            union.deny |= overwrite.deny
        yield union
    own_overwrite = channel.overwrites.get(user_id)
    if own_overwrite is not None:
        yield own_overwrite
