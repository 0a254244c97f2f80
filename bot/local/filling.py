"""From what a person typed to an interaction's data, with every refusal that Discord's client makes.

Owns the conversion of each option type and the lookup of people, roles, channels and files. Knows only the
registered definition of a command, and the world it is typed in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bot.local import wire
from bot.local.commands import (
    ATTACHMENT,
    BOOLEAN,
    CHANNEL,
    INTEGER,
    KIND_NAMES,
    LARGEST_INTEGER,
    MENTIONABLE,
    NUMBER,
    ROLE,
    STRING,
    USER,
    ClientRefusal,
    Command,
    CommandOption,
)
from bot.local.compose import Composer
from bot.local.lines import number_in
from bot.local.seen import AttachedFile, Json, User
from bot.local.world import Channel, Guild, GuildRole, World

MAX_TEXT = 6000
_YES, _NO = {"true", "yes", "on", "1"}, {"false", "no", "off", "0"}


class Upload:
    """A file that a person attaches to an option or a form."""

    def __init__(self, filename: str, data: bytes, content_type: str | None = None) -> None:
        self.filename = filename
        self.data = data
        self.content_type = content_type


@dataclass(slots=True)
class Filler:
    """Fills in one command or form, in `guild` (None: a direct message), collecting what it refers to."""

    world: World
    composer: Composer
    guild: Guild | None
    resolved: Json

    def command(self, command: Command, values: Mapping[str, Any]) -> Json:
        """Return the data of a slash command, with all options checked."""
        for name in values:
            command.option(name)
        options = []
        for option in command.options:
            value = values.get(option.name)
            if value is not None and value != "":
                options.append({"name": option.name, "type": option.kind, "value": self.value(option, value)})
            elif option.required:
                raise ClientRefusal(
                    f"Enter “{option.name}” ({KIND_NAMES[option.kind]}) for /{command.path}: "
                    f"{option.description}"
                )
        return self._data(command, options)

    def partial(self, command: Command, values: Mapping[str, Any], focused: str) -> Json:
        """Return the data while `focused` is being typed, without options that are not valid yet."""
        if not command.option(focused).autocomplete:
            raise ClientRefusal(f"The option “{focused}” of /{command.path} has no suggestions.")
        options: list[Json] = []
        for name, value in values.items():
            option = command.option(name)
            if name == focused or option.kind == ATTACHMENT or value is None:
                continue
            try:
                options.append({"name": name, "type": option.kind, "value": self.value(option, value)})
            except ClientRefusal:
                continue
        text = str(values.get(focused, ""))
        options.append(
            {"name": focused, "type": command.option(focused).kind, "value": text, "focused": True}
        )
        return self._data(command, options)

    def _data(self, command: Command, options: list[Json]) -> Json:
        first, *path_rest = command.path.split(" ")
        for depth, name in reversed(list(enumerate(path_rest))):
            kind = 1 if depth == len(path_rest) - 1 else 2
            options = [{"name": name, "type": kind, "options": options}]
        data: Json = {"id": str(command.id), "name": first, "type": 1, "options": options}
        if command.guild_id is not None:
            data["guild_id"] = str(command.guild_id)
        if self.resolved:
            data["resolved"] = self.resolved
        return data

    def value(self, option: CommandOption, raw: Any) -> Any:
        """Return one option's value as it is sent."""
        if option.choices:
            return _choice(option, raw)
        value = _CONVERSIONS[option.kind](self, option, raw)
        _check_bounds(option, value)
        return value

    def user(self, raw: Any) -> User:
        """Return the user meant by a User, an id, a mention, "@name", or a name."""
        if isinstance(raw, User):
            return raw
        text = str(raw).strip()
        number = number_in(text.removeprefix("<@").removeprefix("!").removesuffix(">"))
        if number in self.world.users:
            return self.world.users[number]
        name = text.removeprefix("@").casefold()
        for user in self.world.users.values():
            if name in (user.name.casefold(), user.display_name.casefold()):
                return user
        raise ClientRefusal(f"There is no one called “{text}” here.")

    def _role(self, raw: Any) -> GuildRole:
        name = str(raw).strip().removeprefix("<").removeprefix("@").removeprefix("&").removesuffix(">")
        for role in self.guild.roles.values() if self.guild else ():
            if name.casefold() == role.name.removeprefix("@").casefold() or name == str(role.id):
                return role
        raise ClientRefusal(f"There is no role called “{raw}” here.")

    def _channel(self, raw: Any) -> Channel:
        name = str(raw).strip().removeprefix("<").removeprefix("#").removesuffix(">")
        for channel in self.world.channels.values():
            is_here = self.guild is not None and channel.guild_id == self.guild.id
            if is_here and name in (channel.name, str(channel.id)):
                return channel
        raise ClientRefusal(f"There is no channel called “{raw}” here.")

    def file(self, raw: Any) -> AttachedFile:
        """Return a file made available to the bot."""
        if not isinstance(raw, Upload):
            raise ClientRefusal("Enter the path of a file here.")
        if len(raw.data) > wire.ATTACHMENT_SIZE_LIMIT:
            raise ClientRefusal(f"Choose a smaller file. “{raw.filename}” is larger than 10 MiB.")
        upload = self.composer.received(raw.filename, raw.data, raw.content_type)
        self._add("attachments", upload.id, wire.attachment(upload))
        return upload

    def add_user(self, raw: Any) -> str:
        """Refer to a user; the id as text."""
        user = self.user(raw)
        self._add("users", user.id, wire.user(user))
        if self.guild is not None and user.id in self.guild.members:
            permissions = wire.permissions(self.guild.base_permissions(user.id))
            member = wire.member(self.guild.members[user.id], bare=True)
            self._add("members", user.id, {**member, "permissions": permissions})
        return str(user.id)

    def add_role(self, raw: Any) -> str:
        """Refer to a role; the id as text."""
        role = self._role(raw)
        self._add("roles", role.id, wire.role(role))
        return str(role.id)

    def add_channel(self, raw: Any, kinds: tuple[int, ...] = ()) -> str:
        """Add a channel of one of the `kinds` (or of any, if empty) and return its id as text."""
        channel = self._channel(raw)
        if kinds and channel.type not in kinds:
            raise ClientRefusal(f"Choose another channel, because #{channel.name} is the wrong kind.")
        self._add("channels", channel.id, {**wire.channel(channel), "permissions": "0"})
        return str(channel.id)

    def add_mentionable(self, raw: Any) -> str:
        """Refer to a user or else a role; the id as text."""
        try:
            return self.add_user(raw)
        except ClientRefusal:
            return self.add_role(raw)

    def _add(self, kind: str, number: int, value: Json) -> None:
        self.resolved.setdefault(kind, {})[str(number)] = value


def _choice(option: CommandOption, raw: Any) -> str | int | float:
    for choice in option.choices:
        if raw in (choice.value, choice.name) or str(raw).casefold() == choice.name.casefold():
            return choice.value
    for choice in option.choices:
        if str(raw) == str(choice.value):
            return choice.value
    names = ", ".join(choice.name for choice in option.choices)
    raise ClientRefusal(f"Choose one of these for “{option.name}”: {names}. “{raw}” is not one of them.")


def _text(_: Filler, option: CommandOption, raw: Any) -> str:
    if not isinstance(raw, str):
        raise _wrong(option, raw)
    return raw


def _boolean(_: Filler, option: CommandOption, raw: Any) -> bool:
    text = str(raw).strip().casefold()
    if text in _YES | _NO:
        return text in _YES
    raise _wrong(option, raw)


def _number(_: Filler, option: CommandOption, raw: Any) -> int | float:
    is_integer = option.kind == INTEGER
    try:
        if isinstance(raw, bool) or (is_integer and isinstance(raw, float)):
            raise ValueError
        value = int(str(raw)) if is_integer else float(raw)
    except (ValueError, TypeError):
        raise _wrong(option, raw) from None
    if abs(value) > LARGEST_INTEGER or value != value:
        raise ClientRefusal(f"Enter another number for “{option.name}”, because this one is out of range.")
    return value


def _wrong(option: CommandOption, raw: Any) -> ClientRefusal:
    return ClientRefusal(f"“{option.name}” must be {KIND_NAMES[option.kind]} (you entered “{raw}”).")


_CONVERSIONS: dict[int, Callable[[Filler, CommandOption, Any], Any]] = {
    STRING: _text,
    INTEGER: _number,
    NUMBER: _number,
    BOOLEAN: _boolean,
    USER: lambda filler, _, given: filler.add_user(given),
    ROLE: lambda filler, _, given: filler.add_role(given),
    CHANNEL: lambda filler, option, given: filler.add_channel(given, option.channel_types),
    MENTIONABLE: lambda filler, _, given: filler.add_mentionable(given),
    ATTACHMENT: lambda filler, _, given: str(filler.file(given).id),
}


def _check_bounds(option: CommandOption, value: Any) -> None:
    if option.kind == STRING:
        low, high = option.min_length or 0, option.max_length or MAX_TEXT
        if not low <= len(value) <= high:
            raise ClientRefusal(f"“{option.name}” must have {low} to {high} characters.")
    elif option.kind in (INTEGER, NUMBER):
        if option.min_value is not None and value < option.min_value:
            raise ClientRefusal(f"“{option.name}” must be at least {option.min_value:g}.")
        if option.max_value is not None and value > option.max_value:
            raise ClientRefusal(f"“{option.name}” must be at most {option.max_value:g}.")
