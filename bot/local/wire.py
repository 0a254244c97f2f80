"""The world's things as Discord's JSON, complete enough for Discord's own published schemas.

Owns the spelling of every object that leaves the server. Decides nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import count

from bot.local.clock import time_of
from bot.local.seen import AttachedFile, Json, Message, User, walk
from bot.local.world import DM, Channel, Emoji, Guild, GuildRole, Member, Permission, World

ATTACHMENT_SIZE_LIMIT = 10 * 1024 * 1024
_MENTION = re.compile(r"<@!?(\d+)>")
_HALF = re.compile("[\ud800-\udfff]")
_encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


def encode(value: object) -> str:
    """Return compact JSON; half a character, which UTF-8 cannot encode, is escaped."""
    return _HALF.sub(lambda surrogate: f"\\u{ord(surrogate[0]):04x}", _encode(value))


def iso(seconds: float) -> str:
    """Return a moment as Discord writes it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat()


def user(person: User) -> Json:
    """Return a user object."""
    return {
        "id": str(person.id),
        "username": person.name,
        "global_name": None if person.bot else person.display_name,
        "discriminator": "0000" if person.bot else "0",
        "avatar": None,
        "bot": person.bot,
        "public_flags": 0,
        "flags": 0,
        "primary_guild": None,
    }


def own_user(bot: User) -> Json:
    """Return the bot's user object as the bot itself gets it."""
    return {**user(bot), "mfa_enabled": True, "locale": "en-US", "verified": True, "email": None}


def member(person: Member, *, bare: bool = False) -> Json:
    """Return a guild member; `bare` as in `resolved`, without the user."""
    answer: Json = {
        "avatar": None,
        "banner": None,
        "communication_disabled_until": None,
        "flags": 0,
        "joined_at": iso(person.joined),
        "nick": None,
        "pending": False,
        "premium_since": None,
        "roles": [str(role_id) for role_id in person.role_ids],
    }
    return answer if bare else {**answer, "user": user(person.user), "mute": False, "deaf": False}


def role(guild_role: GuildRole) -> Json:
    """Return a role object."""
    return {
        "id": str(guild_role.id),
        "name": guild_role.name,
        "permissions": str(int(guild_role.permissions)),
        "position": guild_role.position,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": False,
        "mentionable": False,
        "icon": None,
        "unicode_emoji": None,
        "flags": 0,
    }


def channel(shown_channel: Channel) -> Json:
    """Return a channel, direct message or thread object."""
    last = next(reversed(shown_channel.messages), None)
    answer: Json = {
        "id": str(shown_channel.id),
        "type": shown_channel.type,
        "flags": 0,
        "last_message_id": None if last is None else str(last),
    }
    if shown_channel.type == DM:
        assert shown_channel.recipient is not None
        return {**answer, "recipients": [user(shown_channel.recipient)]}
    answer |= {"guild_id": str(shown_channel.guild_id), "name": shown_channel.name, "rate_limit_per_user": 0}
    if shown_channel.is_thread:
        return answer | {
            "parent_id": str(shown_channel.parent_id),
            "owner_id": str(shown_channel.owner_id),
            "message_count": len(shown_channel.messages),
            "member_count": 1,
            "total_message_sent": len(shown_channel.messages),
            "thread_metadata": {
                "archived": shown_channel.archived,
                "auto_archive_duration": 1440,
                "archive_timestamp": iso(time_of(shown_channel.id)),
                "locked": shown_channel.locked,
            },
        }
    return answer | {
        "position": shown_channel.position,
        "topic": shown_channel.topic,
        "nsfw": False,
        "parent_id": None,
        "permission_overwrites": [
            {
                "id": str(target),
                "type": int(overwrite.for_member),
                "allow": str(int(overwrite.allow)),
                "deny": str(int(overwrite.deny)),
            }
            for target, overwrite in shown_channel.overwrites.items()
        ],
    }


def guild(shown_guild: Guild) -> Json:
    """Return a guild object as REST sends it."""
    return {
        "id": str(shown_guild.id),
        "name": shown_guild.name,
        "owner_id": str(shown_guild.owner_id),
        "icon": None,
        "description": None,
        "home_header": None,
        "splash": None,
        "discovery_splash": None,
        "features": [],
        "banner": None,
        "application_id": None,
        "region": "local",
        "afk_channel_id": None,
        "afk_timeout": 300,
        "system_channel_id": None,
        "system_channel_flags": 0,
        "widget_enabled": False,
        "widget_channel_id": None,
        "verification_level": 0,
        "roles": [role(guild_role) for guild_role in shown_guild.roles.values()],
        "default_message_notifications": 0,
        "mfa_level": 0,
        "explicit_content_filter": 0,
        "max_presences": None,
        "max_members": 500000,
        "max_stage_video_channel_users": 50,
        "max_video_channel_users": 25,
        "vanity_url_code": None,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "preferred_locale": "en-US",
        "rules_channel_id": None,
        "safety_alerts_channel_id": None,
        "public_updates_channel_id": None,
        "premium_progress_bar_enabled": False,
        "nsfw": False,
        "nsfw_level": 0,
        "emojis": [],
        "stickers": [],
        "incidents_data": None,
        "hub_type": None,
    }


def guild_create(world: World, served: Guild) -> Json:
    """Return a guild as the gateway sends served: with channels, threads and the bot's own member."""
    channels = [
        channel
        for channel in world.channels.values()
        if channel.guild_id == served.id and world.sees(world.bot.id, channel)
    ]
    return guild(served) | {
        "joined_at": iso(served.members[world.bot.id].joined),
        "large": False,
        "unavailable": False,
        "member_count": len(served.members),
        "voice_states": [],
        "members": [member(served.members[world.bot.id])],
        "channels": [channel(each) for each in channels if not each.is_thread],
        "threads": [channel(each) for each in channels if each.is_thread and not each.archived],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def attachment(file: AttachedFile) -> Json:
    """Return a file on a message or in an option."""
    answer: Json = {
        "id": str(file.id),
        "filename": file.filename,
        "size": len(file.data),
        "url": file.url,
        "proxy_url": file.url,
    }
    if file.content_type is not None:
        answer["content_type"] = file.content_type
    if file.description is not None:
        answer["description"] = file.description
    return answer


def mentioned(world: World, content: str, allowed: object = None) -> list[User]:
    """Return the users that a content pings; `wanted` is the request's allowed_mentions."""
    users = [
        world.users[user_id] for user_id in map(int, _MENTION.findall(content)) if user_id in world.users
    ]
    if isinstance(allowed, dict) and "users" not in (allowed.get("parse") or []):
        listed = {int(user_id) for user_id in allowed.get("users") or []}
        users = [user for user in users if user.id in listed]
    return list(dict.fromkeys(users))


def message(world: World, shown_message: Message, *, metadata: Json | None = None) -> Json:
    """Return a message object; `metadata` is the interaction_metadata of an answer."""
    answer: Json = {
        "id": str(shown_message.id),
        "channel_id": str(shown_message.channel_id),
        "type": 20 if metadata is not None and metadata["type"] == 2 else 19 if shown_message.reply_to else 0,
        "author": user(shown_message.author),
        "content": shown_message.content,
        "embeds": list(shown_message.embeds),
        "components": list(shown_message.components),
        "attachments": [attachment(file) for file in shown_message.attachments],
        "flags": shown_message.flags,
        "mentions": [user(world.users[ping]) for ping in shown_message.pings],
        "mention_roles": [],
        "mention_everyone": False,
        "tts": False,
        "pinned": shown_message.pinned,
        "timestamp": iso(shown_message.created),
        "edited_timestamp": None if shown_message.edited is None else iso(shown_message.edited),
    }
    if shown_message.interaction_id is not None:
        answer["application_id"] = answer["webhook_id"] = str(world.bot.id)
        if metadata is not None:
            answer["interaction_metadata"] = metadata
    if shown_message.reply_to is not None:
        answer["message_reference"] = {
            "type": 0,
            "channel_id": str(shown_message.channel_id),
            "message_id": str(shown_message.reply_to),
        }
        original = world.channels[shown_message.channel_id].messages.get(shown_message.reply_to)
        answer["referenced_message"] = None if original is None else message(world, original)
    return answer


def numbered(world: World, components: Iterable[Json], urls: Mapping[str, str]) -> tuple[Json, ...]:
    """Return components as Discord stores them: each with a number `id`, defaults, and media from `urls`."""
    components = list(components)
    used_ids = {part.get("id") for part in walk(components)}
    unused_ids = (number for number in count(1) if number not in used_ids)
    return tuple(_stored(world, component, unused_ids, urls) for component in components)


_DEFAULTS: dict[int, Json] = {
    3: {"min_values": 1, "max_values": 1},
    11: {"description": None, "spoiler": False},
    13: {"name": None, "size": None, "spoiler": False},
    14: {"spacing": 1, "divider": True},
    17: {"accent_color": None, "spoiler": False},
}


def _stored(world: World, component: Json, unused_ids: Iterator[int], urls: Mapping[str, str]) -> Json:
    fields = {key: value for key, value in component.items() if value is not None}
    node: Json = {**_DEFAULTS.get(component["type"], {}), **fields}
    node["id"] = component.get("id") or next(unused_ids)
    for key in ("components", "component", "accessory"):
        inner = component.get(key)
        if isinstance(inner, list):
            node[key] = [_stored(world, child, unused_ids, urls) for child in inner]
        elif isinstance(inner, dict):
            node[key] = _stored(world, inner, unused_ids, urls)
    for key in ("file", "media"):
        if key in component:
            node[key] = _media(world, component[key], urls)
    if "items" in component:
        node["items"] = [
            {"description": None, "spoiler": False, **item, "media": _media(world, item["media"], urls)}
            for item in component["items"]
        ]
    return node


def _media(world: World, media: Json, urls: Mapping[str, str]) -> Json:
    url = str(media.get("url", ""))
    url = urls.get(url, url)
    return {"id": str(world.ids.next()), "url": url, "proxy_url": url}


def embed(raw: Json, urls: Mapping[str, str]) -> Json:
    """Return an embed as Discord stores it; `urls` resolves attachment:// references by file name."""
    node = {key: value for key, value in raw.items() if value is not None}
    node["type"] = "rich"
    if "fields" in node:
        node["fields"] = [{"inline": False, **field} for field in node["fields"]]
    for key in ("image", "thumbnail"):
        picture = node.get(key)
        if isinstance(picture, dict) and "url" in picture:
            url = picture["url"]
            url = urls.get(url.removeprefix("attachment://"), url)
            node[key] = {**picture, "url": url, "proxy_url": url, "width": 0, "height": 0}
    return node


def emoji(world: World, image: Emoji) -> Json:
    """Return an emoji of the application."""
    return {
        "id": str(image.id),
        "name": image.name,
        "roles": [],
        "user": user(world.bot),
        "require_colons": True,
        "managed": False,
        "animated": image.image.startswith("data:image/gif"),
        "available": True,
    }


def scheduled_event(world: World, home: Guild, form: Json) -> Json:
    """Return a scheduled event outside Discord's channels."""
    return {
        "id": str(world.ids.next()),
        "guild_id": str(home.id),
        "channel_id": None,
        "creator_id": str(world.bot.id),
        "creator": user(world.bot),
        "image": None,
        "status": 1,
        "entity_id": None,
        "recurrence_rule": None,
        "user_count": 0,
        "guild_scheduled_event_exceptions": [],
        **form,
    }


def permissions(permission_set: Permission) -> str:
    """Return permissions as the text of their number."""
    return str(int(permission_set))


def application(world: World) -> Json:
    """Return the bot's application, as its owner sees it."""
    return {
        "id": str(world.bot.id),
        "name": world.bot.display_name,
        "icon": None,
        "description": "",
        "type": None,
        "bot": user(world.bot),
        "bot_public": False,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "flags": 0,
        "flags_new": "0",
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "owner": user(world.owner),
        "approximate_guild_count": len(world.guilds),
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "explicit_content_filter": 0,
        "team": None,
        "eligible_oauth2_scopes": [],
    }
