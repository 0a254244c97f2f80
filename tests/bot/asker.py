"""Commands asked as Discord asks them: suggestions fetched, options filled in, the action that comes of it.

Nothing is sent; an action is carried out up to the moment when it would be written, so that the table stays
as it is however much is asked.
"""

from __future__ import annotations

import string
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest
from discord import AppCommandOptionType as Kind
from discord import app_commands

from bot.actions import Action
from bot.app import add_commands
from bot.ids import Tag
from bot.replies.reply import Reply, say
from bot.table import desk as desk_module
from bot.table import suggestions
from bot.table.request import Answer
from rules.refusals import Forbidden
from tests.bot.tables import CHANNEL, GUILD, Table

Command = app_commands.Command[Any, ..., Any]
Option = app_commands.Parameter

MAX_COUNT = 25
"""Suggestions that Discord shows at once."""


class _Nobody(discord.Client):
    """A client that never connects: a tree needs one."""


def all_commands() -> dict[str, Command]:
    """Every command that can be typed, by its path."""
    tree: app_commands.CommandTree[Any] = app_commands.CommandTree(_Nobody(intents=discord.Intents.none()))
    add_commands(tree)
    found = tree.walk_commands()
    return {one.qualified_name: one for one in found if isinstance(one, app_commands.Command)}


class WouldBeDone(Exception):
    """The action was taken: all that is left is to write it down."""


@dataclass(frozen=True)
class Outcome:
    """What came of a command: the action, and how it was refused, or what was answered.

    refusal: None where it was taken or only read something.
    """

    action: Action | None
    reply: Reply | None = None
    refusal: Exception | None = None


@dataclass
class Asker:
    """One person who types commands at a table."""

    table: Table
    name: str
    commands: Mapping[str, Command] = field(default_factory=all_commands)
    _caught: list[Any] = field(default_factory=list)

    @classmethod
    @asynccontextmanager
    async def at(cls, table: Table, name: str, patch: pytest.MonkeyPatch) -> AsyncIterator[Asker]:
        """Somebody at the table while nothing is written and nothing sent."""
        asker = cls(table, name)

        async def answer(interaction: Any, action: Action, **_: Any) -> None:
            asker._caught.append(action)

        async def send(interaction: Any, reply: Reply, *_: Any, **__: Any) -> None:
            asker._caught.append(reply)

        async def open_form(interaction: Any, tag: Tag) -> None:
            asker._caught.append(say(f"The form of {tag.action.command}."))

        async def commit(*_: Any, **__: Any) -> None:
            raise WouldBeDone

        kept = desk_module.refused

        def refused(refusal: Exception) -> Reply:
            asker._caught.append(refusal)
            return kept(refusal)

        with patch.context() as scene:
            for module in _command_modules():
                for hook, replacement in (("answer", answer), ("send", send), ("open_form", open_form)):
                    if hasattr(module, hook):
                        scene.setattr(module, hook, replacement)
            scene.setattr(type(table.desk.store), "commit", commit)
            scene.setattr(desk_module, "refused", refused)
            yield asker

    def _interaction(self, path: str, given: Mapping[str, Any]) -> Any:
        user = self.table.actor(self.name).user_id
        return SimpleNamespace(
            id=next(self.table.interactions),
            user=SimpleNamespace(id=user, display_name=self.name),
            guild_id=GUILD,
            guild=None,
            channel=None,
            channel_id=self.table.channel or CHANNEL,
            client=SimpleNamespace(desk=self.table.desk, under_way=set()),
            command=self.commands[path],
            namespace=SimpleNamespace(**given),
            permissions=SimpleNamespace(manage_channels=False, manage_guild=False),
            is_guild_integration=lambda: True,
        )

    async def suggested(self, path: str, option: str, typed: str, given: Mapping[str, Any]) -> list[str]:
        """What Discord would show for an option while something is typed."""
        found = await self._offered(path, option, typed, given)
        assert len(found) <= MAX_COUNT, f"/{path} {option}: more than Discord shows"
        return found

    async def _offered(self, path: str, option: str, typed: str, given: Mapping[str, Any]) -> list[str]:
        command = self.commands[path]
        known = next(one for one in command._params.values() if one.display_name == option)
        found = await cast(Any, known.autocomplete)(self._interaction(path, given), typed)
        assert all(1 <= len(one.name) <= 100 and 1 <= len(str(one.value)) <= 100 for one in found), path
        return [str(one.value) for one in found]

    async def every_suggestion(
        self,
        path: str,
        option: str,
        given: Mapping[str, Any],
        at_first: Sequence[str],
        whole: set[tuple[str, str]],
    ) -> list[str]:
        """All suggestions of an option, those too that only show when more is typed.

        at_first: those that show when nothing is. whole: where it is known that letters show no more than an
        unbounded list does; it is added to.
        """
        found = dict.fromkeys(at_first)
        if len(found) == MAX_COUNT:
            with pytest.MonkeyPatch.context() as scene:
                scene.setattr(suggestions, "MAX_COUNT", sys.maxsize)
                found |= dict.fromkeys(await self._offered(path, option, "", given))
                before = len(found)
                for typed in string.ascii_lowercase if (path, option) not in whole else ():
                    found |= dict.fromkeys(await self._offered(path, option, typed, given))
                if len(found) == before:
                    whole.add((path, option))
        return list(found)

    async def asks(self, path: str, given: Mapping[str, Any]) -> Outcome:
        """Type a command with these options, by the names that Discord shows."""
        command = self.commands[path]
        names = {one.display_name: one.name for one in command.parameters}
        self._caught.clear()
        await command.callback(
            self._interaction(path, given),
            **{names[key]: value for key, value in given.items()},  # type: ignore[arg-type]
        )
        caught = self._caught[-1] if self._caught else None
        if not isinstance(caught, Action):
            return Outcome(None, caught if isinstance(caught, Reply) else None)
        return await self.does(caught)

    async def does(self, action: Action) -> Outcome:
        self._caught.clear()
        try:
            answer: Answer = await self.table.do(self.name, action)
        except WouldBeDone:
            return Outcome(action)
        refusals = [one for one in self._caught if isinstance(one, Exception)]
        return Outcome(action, answer.reply, refusals[-1] if refusals else None)


def _command_modules() -> list[Any]:
    """The modules of all commands, from which others take theirs too, and what asks for lines."""
    import sys

    return [
        module
        for name, module in sys.modules.items()
        if name.startswith("bot.commands.") or name == "bot.panels.asking"
    ]


def usual(option: Option) -> Any:
    """A value for an option that has to be there and is not in question."""
    if option.choices:
        return option.choices[0].value
    match option.type:
        case Kind.integer:
            return max(int(option.min_value or 1), 1)
        case Kind.number:
            return float(max(option.min_value or 1, 1))
        case Kind.boolean:
            return False
        case Kind.user:
            return _somebody()
    return "x"


def _somebody() -> discord.User:
    user = object.__new__(discord.User)
    user.id, user.name, user.global_name = 1, "somebody", None
    return user


def is_refused(outcome: Outcome) -> bool:
    """Whether the values were not understood; what the game forbids was understood."""
    return outcome.refusal is not None and not isinstance(outcome.refusal, (Forbidden, desk_module.Declined))
