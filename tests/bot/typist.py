"""Commands typed without Discord: every command's own function, called with options as Discord gives them.

What is sent is kept as Discord would show it, and what Discord would refuse raises `Refused`.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import SimpleNamespace
from typing import Any

import discord
from discord import AppCommandOptionType, app_commands

from bot.actions import with_text
from bot.app import add_commands
from bot.ids import unpack
from bot.local import refusals
from bot.local.checks.components import TEXT
from bot.local.checks.messages import ANSWER_FLAGS, check_message
from bot.local.seen import COMPONENTS_V2, walk
from bot.panels.answer import answer
from bot.panels.typed import cleaned
from bot.replies.fit import FENCE, NOTHING
from bot.replies.weight import NO_FACES
from tests.bot.shown import items_of
from tests.bot.tables import Table

Command = app_commands.Command[Any, ..., Any]


class Refused(AssertionError):
    """Discord would not take this message."""


class _Nobody(discord.Client):
    """A client that never connects: a tree needs one."""


def the_tree() -> app_commands.CommandTree[Any]:
    tree: app_commands.CommandTree[Any] = app_commands.CommandTree(_Nobody(intents=discord.Intents.none()))
    add_commands(tree)
    return tree


@cache
def commands() -> tuple[Command, ...]:
    """Every command that can be typed, by its whole name."""
    found = [one for one in the_tree().walk_commands() if isinstance(one, app_commands.Command)]
    return tuple(sorted(found, key=lambda one: one.qualified_name))


@dataclass(frozen=True)
class Said:
    """One message that was sent. raw: as it was sent, with the weight of its lines."""

    content: str
    private: bool
    view: Any = None
    files: tuple[Any, ...] = ()
    raw: str = ""

    @property
    def overrides(self) -> list[str]:
        """The ids of the buttons with which an organiser lets a refusal pass."""
        return [item["custom_id"] for item in items_of(self.view) if item.get("label") == "Override..."]

    @property
    def labels(self) -> list[str]:
        """What stands on buttons and menus, and in menus."""
        found = []
        for item in items_of(self.view):
            found += [item.get("label") or "", item.get("placeholder") or ""]
            for option in item.get("options", ()):
                found += [option["label"], option.get("description") or ""]
        return [label for label in found if label]


class _Commands:
    """Commands of which nobody knows the numbers."""

    def ids(self, guild: int) -> Mapping[str, int]:
        return {}

    async def look_at(self, *_: Any) -> None:
        return None


class _Calendar:
    async def look_at(self, *_: Any) -> None:
        """No event is shown."""


class _Menus:
    def changed(self, *_: Any) -> None:
        """No menu is open."""


class _Panels:
    async def answer(self, *_: Any) -> None:
        """No card is shown."""

    def changed(self, scope: int, *, quietly: bool = False, after: object = None) -> None:
        """No panel is shown."""

    def shows(self, scope: int) -> bool:
        return False


@dataclass
class _Response:
    said: list[Said]
    done: bool = False

    def is_done(self) -> bool:
        return self.done

    async def send_message(self, content: str = "", **more: Any) -> None:
        self.done = True
        _keep(self.said, content, **more)

    async def defer(self, **_: Any) -> None:
        self.done = True

    async def send_modal(self, modal: Any) -> None:
        self.done = True
        self.said.append(Said(modal.title, private=True))


def _keep(said: list[Said], content: str, *, ephemeral: bool = True, **more: Any) -> None:
    files = tuple(more.get("files") or more.get("attachments") or ())
    view = more.get("view")
    shown = view if isinstance(view, discord.ui.LayoutView) else None
    body = {"content": content, "components": shown.to_components() if shown else []}
    if shown:
        body["flags"] = COMPONENTS_V2
        content = "\n".join(each["content"] for each in walk(body["components"]) if each["type"] == TEXT)
    if content == NOTHING:
        raise Refused("an empty message")
    json.dumps(body, ensure_ascii=False).encode()
    try:
        check_message(body, allowed_flags=ANSWER_FLAGS, file_names=[file.filename for file in files])
    except refusals.Refused as fault:
        raise Refused(f"{fault}: {content[:60]!r}") from fault
    said.append(Said(unweighed(content), ephemeral, shown, files, content))


def unweighed(content: str) -> str:
    """The words of a message as the eye reads them: without the weight of its headline and its notes."""
    return "\n".join(line.removeprefix("-# ") for line in unbolded(content).split("\n") if line != FENCE)


def unbolded(content: str) -> str:
    """A message without the weight of its headline."""
    head = re.match(r"(?: *\*\*.*\*\*(?:\n|$))+", content)
    return content if head is None else head[0].replace("**", "") + content[head.end() :]


@dataclass
class Typist:
    """Somebody who types commands at a table."""

    table: Table
    known: dict[str, Command] = field(default_factory=lambda: {one.qualified_name: one for one in commands()})
    ids: Iterator[int] = field(default_factory=lambda: itertools.count(900_001))

    def interaction(
        self, who: str, options: dict[str, Any], command: Command | None
    ) -> tuple[Any, list[Said]]:
        """What Discord hands over, and the list that fills with what is sent."""
        actor = self.table.actor(who)
        said: list[Said] = []
        response = _Response(said)

        async def later(content: str = "", **more: Any) -> None:
            _keep(said, content, **more)

        it = SimpleNamespace(
            id=next(self.ids),
            client=SimpleNamespace(
                desk=self.table.desk,
                panels=_Panels(),
                commands=_Commands(),
                calendar=_Calendar(),
                menus=_Menus(),
                under_way=set(),
                faces=NO_FACES,
                patience=None,
            ),
            user=SimpleNamespace(id=actor.user_id, display_name=who),
            guild_id=actor.guild_id,
            is_guild_integration=lambda: True,
            guild=None,
            channel_id=actor.channel_id,
            channel=None,
            message=None,
            permissions=SimpleNamespace(manage_channels=False, manage_guild=False),
            namespace=_Namespace(options),
            command=command,
            response=response,
            followup=SimpleNamespace(send=later),
            edit_original_response=later,
        )
        return it, said

    async def slash(self, who: str, name: str, /, **options: Any) -> list[Said]:
        """Type a command; everything that is sent for it."""
        command = self.known[name]
        options = {name: through_the_door(command, name, value) for name, value in options.items()}
        it, said = self.interaction(who, options, command)
        renamed = {part.display_name: part.name for part in command.parameters}
        call = command.callback(it, **{renamed[key]: value for key, value in options.items()})  # type: ignore[call-arg, arg-type]
        await asyncio.create_task(call)
        return said

    async def press(self, who: str, custom_id: str, *, reason: str = "", chosen: str = "") -> list[Said]:
        """Press the button with this id, or choose from the menu; everything that is sent for it."""
        tag = unpack(custom_id)
        action = tag.action
        if chosen:
            action = with_text(action, {tag.part: (chosen,)})
        it, said = self.interaction(who, {}, None)
        asking = answer(it, action, scope=tag.scope, version=tag.version, reason=reason)
        await asyncio.create_task(asking)
        return said

    async def suggest(self, who: str, name: str, option: str, typed: str, /, **options: Any) -> list[str]:
        """What is suggested for an option, as Discord takes it."""
        command = self.known[name]
        given = {**options, option: typed}
        options = {name: through_the_door(command, name, value) for name, value in given.items()}
        it, _ = self.interaction(who, options, command)
        callback = autocomplete_of(command, option)
        assert callback is not None, f"{name} suggests nothing for {option}"
        found = await callback(it, options[option])
        assert len(found) <= 25
        for choice in found:
            assert 1 <= len(choice.name) <= 100
            assert 1 <= len(choice.value) <= 100
            choice.name.encode()
        return [choice.name for choice in found]


class _Namespace:
    """Options as the library shows them: one that was not given is None, never missing."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.__dict__.update(options)

    def __getattr__(self, name: str) -> None:
        return None


def through_the_door(command: Command, option: str, value: Any) -> Any:
    """What the client makes of an option before a command sees it."""
    return cleaned(command, option, value) if isinstance(value, str) else value


def autocomplete_of(command: Command, option: str) -> Any:
    """The function that suggests for an option, or None."""
    for name, part in command._params.items():
        if option in (name, part.display_name) and callable(part.autocomplete):
            return part.autocomplete
    return None


def text_options(command: Command) -> list[str]:
    """The options of a command that take free text."""
    return [
        part.display_name
        for part in command.parameters
        if part.type is AppCommandOptionType.string and not part.choices
    ]


def bounds(part: app_commands.transformers.CommandParameter | Any) -> list[Any]:
    """The least and the largest value of a numeric option."""
    whole = part.type is AppCommandOptionType.integer
    least = part.min_value if part.min_value is not None else -(2**53)
    most = part.max_value if part.max_value is not None else 2**53
    return [int(least), int(most)] if whole else [float(least), float(most)]
