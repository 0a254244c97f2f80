"""The people at the table: typing commands, pressing buttons, filling in forms, and what they see of it.

Owns the person's side of an interaction: what a Discord client lets a person do, and what comes of it. Knows
nothing of HTTP, the gateway's framing, or the bot.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bot.local.commands import ClientRefusal, Command
from bot.local.compose import Composer
from bot.local.filing import chosen, submitted
from bot.local.filling import Filler, Upload
from bot.local.interactions import AUTOCOMPLETE, COMMAND, COMPONENT, SUBMIT, Interactions
from bot.local.outcomes import DEADLINE, InteractionOutcome, NotAnswered, Watch
from bot.local.registry import MESSAGE_MENU, USER_MENU, Registry
from bot.local.seen import EventKind, Json, Message, MessageControl, Modal, Suggestion, User
from bot.local.world import DM, Channel, Permission, World

__all__ = ["DEADLINE", "ClientRefusal", "InteractionOutcome", "NotAnswered", "Person", "Upload", "Watch"]

MAX_CHAT = 2000
IN_GUILD, DIRECT = 0, 1
"""Contexts of a command."""

FOR_USERS = 1
"""How a command is installed that people bring along into any server."""


class Person:
    """Someone at the table. Made by `LocalServer.person(...)`.

    Channels are given by id or by name ("#table" or "table"); without one, `here` is used, which starts as
    the server's first text channel. Whatever Discord's client would not send raises ClientRefusal.
    """

    def __init__(
        self,
        world: World,
        composer: Composer,
        registry: Registry,
        interactions: Interactions,
        user: User,
        channel_id: int,
    ) -> None:
        self._world = world
        self._composer = composer
        self._registry = registry
        self._interactions = interactions
        self._dismissed: set[int] = set()
        self.user = user
        self.here = channel_id

    @property
    def id(self) -> int:
        """Return the user's snowflake."""
        return self.user.id

    @property
    def name(self) -> str:
        """Return the user's name, unique at this table."""
        return self.user.name

    @property
    def display_name(self) -> str:
        """Return the name that others see."""
        return self.user.display_name

    def _channel(self, name_or_id: int | str | None) -> Channel:
        if isinstance(name_or_id, str):
            name = name_or_id.strip().removeprefix("#")
            channels = [
                value for value in self._world.channels.values() if value.name == name and value.type != DM
            ]
        else:
            found_channel = self._world.channels.get(self.here if name_or_id is None else name_or_id)
            channels = [] if found_channel is None else [found_channel]
        for channel in channels:
            if self._world.sees(self.id, channel):
                return channel
        raise ClientRefusal(f"There is no channel “{name_or_id}” that {self.display_name} can see.")

    def go(self, channel: int | str) -> None:
        """Act in `channel` from now on; ClientRefusal where this person cannot see it."""
        self.here = self._channel(channel).id

    def commands(self, channel: int | str | None = None) -> tuple[Command, ...]:
        """Return what this person can type there now, with sub-commands, sorted by path."""
        chosen_channel = self._channel(channel)
        typed = self._registry.typed(chosen_channel.guild_id).values()
        return tuple(
            sorted(
                (command for command in typed if self._usable(command.definition, chosen_channel)),
                key=lambda command: command.path,
            )
        )

    def command(self, path: str, channel: int | str | None = None) -> Command:
        """Return the command at `path` ("bag draw", with or without a slash). Raises ClientRefusal."""
        return self._command(path, self._channel(channel))

    def _command(self, path: str, channel: Channel) -> Command:
        path = " ".join(path.removeprefix("/").split())
        command = self._registry.typed(channel.guild_id).get(path)
        if command is not None and self._usable(command.definition, channel):
            return command
        paths = [command.path for command in self.commands(channel.id)]
        similar = [name for name in paths if name.startswith(path + " ")] or difflib.get_close_matches(
            path, paths
        )
        hint = " Did you mean " + ", ".join(f"/{name}" for name in similar) + "?" if similar else ""
        raise ClientRefusal(f"There is no command /{path} here.{hint}")

    def _usable(self, definition: Json, channel: Channel) -> bool:
        """Return whether Discord's client offers a top-level command to this person in a channel."""
        permissions, in_direct = self._world.permissions(self.id, channel), channel.guild_id is None
        contexts = definition["contexts"]
        if not permissions & Permission.USE_APPLICATION_COMMANDS:
            return False
        if contexts is not None and (DIRECT if in_direct else IN_GUILD) not in contexts:
            return False
        if in_direct:
            return definition.get("dm_permission") is not False
        if not self._world.has_bot(self._world.guild_of(channel)):
            return FOR_USERS in definition["integration_types"]
        needed = definition["default_member_permissions"]
        if needed is None or permissions & Permission.ADMINISTRATOR:
            return True
        return int(needed) != 0 and int(permissions) & int(needed) == int(needed)

    def _filler(self, channel: Channel) -> Filler:
        return Filler(self._world, self._composer, self._world.guild_of(channel), {})

    async def _open(
        self, kind: int, channel: Channel, name: str, data: dict[str, Any], deliveries: int, **fields: Any
    ) -> InteractionOutcome:
        if channel.locked and not self._world.permissions(self.id, channel) & Permission.MANAGE_THREADS:
            raise ClientRefusal(f"The thread “{channel.name}” is locked.")
        interaction = await self._interactions.open(
            kind, self.user, channel, name, data, deliveries=deliveries, **fields
        )
        return InteractionOutcome(self._interactions, interaction)

    async def slash(
        self,
        path: str,
        options: Mapping[str, Any] | None = None,
        *,
        channel: int | str | None = None,
        deliveries: int = 1,
    ) -> InteractionOutcome:
        """Send a slash command.

        Option values may be Python values or the text a person would type: "3", "true", "@bo", "#table", a
        choice's name or value. A Person means a user, an Upload a file. `deliveries` above 1 hands the same
        interaction to the bot that many times.
        """
        target = self._channel(channel)
        command = self._command(path, target)
        data = self._filler(target).command(command, _plain(options))
        return await self._open(COMMAND, target, command.path, data, deliveries)

    async def use_on(self, name: str, message: Message | int, *, deliveries: int = 1) -> InteractionOutcome:
        """Choose a command from the menu of a message, as by a right-click."""
        visible = self._look(message, stale=False)
        target = self._world.channels[visible.channel_id]
        resolved = {"messages": {str(visible.id): self._interactions.message_json(visible)}}
        return await self._choose(MESSAGE_MENU, name, target, visible.id, resolved, deliveries)

    async def use_on_person(
        self, name: str, person: Person, *, channel: int | str | None = None, deliveries: int = 1
    ) -> InteractionOutcome:
        """Choose a command from the menu of a person, as by a right-click on their name."""
        target_channel = self._channel(channel)
        filler = self._filler(target_channel)
        filler.add_user(person.user)
        return await self._choose(USER_MENU, name, target_channel, person.id, filler.resolved, deliveries)

    async def _choose(
        self, kind: int, name: str, channel: Channel, target: int, resolved: Json, deliveries: int
    ) -> InteractionOutcome:
        definition = self._registry.menu(channel.guild_id, kind, name)
        if definition is None or not self._usable(definition, channel):
            raise ClientRefusal(f"This menu has no command called “{name}”.")
        data: dict[str, Any] = {
            "id": definition["id"],
            "name": name,
            "type": kind,
            "target_id": str(target),
            "resolved": resolved,
        }
        if "guild_id" in definition:
            data["guild_id"] = definition["guild_id"]
        return await self._open(COMMAND, channel, name, data, deliveries)

    async def autocomplete(
        self,
        path: str,
        options: Mapping[str, Any] | None = None,
        *,
        focused: str,
        channel: int | str | None = None,
        deadline: float = 3.0,
    ) -> list[Suggestion]:
        """Return the bot's suggestions for the option `focused`, given what is typed so far in `options`.

        Values need not be complete or valid, as while typing. NotAnswered when the bot gives none in time.
        """
        target = self._channel(channel)
        command = self._command(path, target)
        data = self._filler(target).partial(command, _plain(options), focused)
        kind = command.option(focused).kind
        outcome = await self._open(AUTOCOMPLETE, target, command.path, data, 1, option_type=kind)
        event = await outcome.answer(deadline)
        if event.kind is not EventKind.CHOICES:
            raise NotAnswered("There are no suggestions, because the application did not respond.")
        return list(event.choices)

    def _look(self, message: Message | int, *, stale: bool) -> Message:
        if stale and isinstance(message, Message):
            return message
        number = message.id if isinstance(message, Message) else message
        channels = self._world.channels
        if isinstance(message, Message) and message.channel_id in channels:
            channels = {message.channel_id: channels[message.channel_id]}
        for channel in channels.values():
            current = channel.messages.get(number)
            if current is not None and self._shows(current, channel):
                return current
        raise ClientRefusal(f"{self.display_name} can't see that message.")

    def _shows(self, message: Message, channel: Channel) -> bool:
        visible = message.visible_to(self.id) and message.id not in self._dismissed
        return visible and self._world.sees(self.id, channel)

    async def press(
        self, message: Message | int, control: str, *, deliveries: int = 1, stale: bool = False
    ) -> InteractionOutcome:
        """Press the button whose custom_id, label or emoji is `control`.

        The message is looked at as it stands now; with `stale` as it stood in the given snapshot, like a
        press that crossed an edit on its way.
        """
        visible = self._look(message, stale=stale)
        button = _find(visible, control, lambda component: component.is_button)
        if button.url is not None:
            raise ClientRefusal(f"“{control}” is a link to {button.url}, so pressing it sends nothing.")
        data = {"custom_id": button.custom_id, "component_type": button.type}
        return await self._touch(visible, button, data, deliveries)

    async def select(
        self,
        message: Message | int,
        control: str,
        values: str | Sequence[str | Person],
        *,
        deliveries: int = 1,
        stale: bool = False,
    ) -> InteractionOutcome:
        """Choose `values` (option values or labels; people or channels for such selects) in a select menu.

        `control` is the menu's custom_id or placeholder.
        """
        visible = self._look(message, stale=stale)
        menu = _find(visible, control, lambda component: not component.is_button)
        filler = self._filler(self._world.channels[visible.channel_id])
        chosen_values = [values] if isinstance(values, str) else [_bare(value) for value in values]
        data: dict[str, Any] = {
            "custom_id": menu.custom_id,
            "component_type": menu.type,
            "values": chosen(filler, menu, chosen_values),
        }
        if filler.resolved:
            data["resolved"] = filler.resolved
        return await self._touch(visible, menu, data, deliveries)

    async def _touch(
        self, message: Message, control: MessageControl, data: dict[str, Any], deliveries: int
    ) -> InteractionOutcome:
        if control.disabled:
            raise ClientRefusal(f"“{control.label or control.custom_id}” is disabled.")
        channel = self._world.channels[message.channel_id]
        return await self._open(COMPONENT, channel, "", data, deliveries, source=message)

    async def submit(
        self, modal: Modal, values: Mapping[str, Any] | None = None, *, deliveries: int = 1
    ) -> InteractionOutcome:
        """Send a form: values by custom_id or label; inputs left out keep what they were pre-filled with."""
        if modal.only_for != self.id:
            raise ClientRefusal(f"This form was not opened for {self.display_name}.")
        channel = self._world.channels[modal.channel_id]
        data = submitted(self._filler(channel), modal, _plain(values))
        opener = self._interactions.get(modal.interaction_id)
        source = None if opener is None else opener.source
        return await self._open(SUBMIT, channel, "", data, deliveries, source=source, opener=opener)

    async def say(self, content: str, *, channel: int | str | None = None) -> Message:
        """Write an ordinary chat message."""
        target = self._channel(channel)
        needed = Permission.SEND_MESSAGES_IN_THREADS if target.is_thread else Permission.SEND_MESSAGES
        if not self._world.permissions(self.id, target) & needed:
            raise ClientRefusal(f"{self.display_name} can't write in #{target.name}.")
        if not content.strip() or len(content) > MAX_CHAT:
            raise ClientRefusal(f"A message must have 1 to {MAX_CHAT} characters.")
        body = {"content": content}
        return self._world.post(
            self._composer.new(body, (), channel_id=target.id, author=self.user, allowed_flags=0)
        )

    def messages(self, channel: int | str | None = None) -> list[Message]:
        """Return what this person can see in the channel now, oldest first, including their private
        messages.
        """
        target = self._channel(channel)
        return [message for message in target.messages.values() if self._shows(message, target)]

    def dismiss(self, message: Message | int) -> None:
        """Dismiss one of your private messages, without anyone noticing."""
        visible = self._look(message, stale=False)
        if not visible.ephemeral:
            raise ClientRefusal("You can only dismiss messages that no one else can see.")
        self._dismissed.add(visible.id)

    def watch(self, channel: int | str | None = None) -> Watch:
        """Follow what this person can notice from now on, in one channel, or with None everywhere."""
        return Watch(self._world, self.user, None if channel is None else self._channel(channel).id)


def _find(message: Message, label: str, fits: Callable[[MessageControl], bool]) -> MessageControl:
    controls = [c for c in message.controls if fits(c)]
    for key in ("custom_id", "label", "placeholder", "emoji"):
        for c in controls:
            if label and getattr(c, key) == label:
                return c
    for c in controls:
        if label and c.label.startswith(f"{label} (only "):
            return c
    labels = ", ".join(f"“{c.label or c.placeholder or c.custom_id}”" for c in controls)
    choices = f"Choose one of these: {labels}. " if labels else ""
    raise ClientRefusal(f"{choices}The message has no “{label}”.")


def _bare(value: Any) -> Any:
    return value.user if isinstance(value, Person) else value


def _plain(values: Mapping[str, Any] | None) -> dict[str, Any]:
    return {
        name: [_bare(item) for item in value] if isinstance(value, list) else _bare(value)
        for name, value in (values or {}).items()
    }
