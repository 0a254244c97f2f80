"""The people at the table: typing commands, pressing buttons, filling in forms, and what they see of it.

Owns the person's side of an interaction: what a Discord client lets a person do, and what comes back of it. Knows
nothing of HTTP, the gateway's framing, or the bot.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from types import TracebackType
from typing import Any, Self

from bot.local.commands import ClientRefusal, Command
from bot.local.seen import Choice, Event, Kind, Message, Modal, User

__all__ = ["ClientRefusal", "NotAnswered", "Outcome", "Person", "Upload", "Watch"]

DEADLINE = 5.0


class NotAnswered(TimeoutError):  # noqa: N818
    """What was waited for did not come in time; the text says what came instead."""


class Upload:
    """A file that a person attaches to an option or a modal."""

    def __init__(self, filename: str, data: bytes, content_type: str | None = None) -> None:
        self.filename = filename
        self.data = data
        self.content_type = content_type


class Outcome:
    """Everything that one interaction has produced so far, in order; it keeps growing while the bot works.

    `await outcome` is `await outcome.answer()`.
    """

    interaction_id: int
    person: Person
    events: list[Event]

    async def answer(self, deadline: float = DEADLINE) -> Event:
        """The first thing to see: a message, an edit, a deletion, a modal, or "did not respond" (UNANSWERED).

        THINKING and ACKNOWLEDGED are passed over, an answer is still owed. NotAnswered after `deadline`
        seconds.
        """
        raise NotImplementedError

    async def message(self, deadline: float = DEADLINE) -> Message:
        """The message of the answer, new or edited; NotAnswered where the answer is something else."""
        raise NotImplementedError

    async def modal(self, deadline: float = DEADLINE) -> Modal:
        """The modal that the answer opened; NotAnswered where the answer is something else."""
        raise NotImplementedError

    async def acknowledged(self, deadline: float = DEADLINE) -> Event:
        """The first event of any kind: the bot has taken the interaction, or three seconds have passed."""
        raise NotImplementedError

    async def wait_for(self, count: int, deadline: float = DEADLINE) -> list[Event]:
        """The first `count` visible events (THINKING and ACKNOWLEDGED not counted)."""
        raise NotImplementedError

    async def settle(self, quiet: float = 0.05, deadline: float = DEADLINE) -> list[Event]:
        """All events, once the bot has answered and then nothing came for `quiet` seconds."""
        raise NotImplementedError

    @property
    def messages(self) -> list[Message]:
        """The messages this interaction made or changed, each once as it stands now, without deleted ones."""
        raise NotImplementedError


class Watch:
    """What one person can notice, in one channel or everywhere: an async iterator and a context manager."""

    async def next(self, deadline: float | None = None) -> Event:
        """The next event; waits at most `deadline` seconds (None: for ever), then raises NotAnswered."""
        raise NotImplementedError

    def pending(self) -> list[Event]:
        """Take all events that are already there, without waiting."""
        raise NotImplementedError

    def close(self) -> None:
        """Stop watching; an iteration that waits ends."""
        raise NotImplementedError

    def __aiter__(self) -> AsyncIterator[Event]:
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Person:
    """Someone at the table. Made by `LocalServer.person(...)`.

    Channels are given by id or by name ("#table" or "table"); without one, `here` is used, which starts as
    the server's first text channel. Whatever Discord's client would not send raises ClientRefusal.
    """

    user: User
    here: int

    @property
    def id(self) -> int:
        """The user's snowflake."""
        return self.user.id

    @property
    def name(self) -> str:
        """The user's name, unique at this table."""
        return self.user.name

    @property
    def display_name(self) -> str:
        """The name that others see."""
        return self.user.display_name

    def go(self, channel: int | str) -> None:
        """Act in `channel` from now on; ClientRefusal where this person cannot see it."""
        raise NotImplementedError

    def commands(self, channel: int | str | None = None) -> tuple[Command, ...]:
        """What this person can type there now, sub-commands spelled out, sorted by path."""
        raise NotImplementedError

    def command(self, path: str, channel: int | str | None = None) -> Command:
        """The command at `path` ("bag draw", with or without a slash); ClientRefusal names near misses."""
        raise NotImplementedError

    async def slash(
        self,
        path: str,
        options: Mapping[str, Any] | None = None,
        *,
        channel: int | str | None = None,
        deliveries: int = 1,
    ) -> Outcome:
        """Send a slash command.

        Option values may be Python values or the text a person would type: "3", "true", "@bo", "#table", a
        choice's name or value. A Person stands for a user, an Upload for a file. `deliveries` above 1 hands
        the same interaction to the bot that many times.
        """
        raise NotImplementedError

    async def autocomplete(
        self,
        path: str,
        options: Mapping[str, Any] | None = None,
        *,
        focused: str,
        channel: int | str | None = None,
        deadline: float = 3.0,
    ) -> list[Choice]:
        """The bot's suggestions for the option `focused`, given what is typed so far in `options`.

        Values need not be complete or valid, as while typing. NotAnswered when the bot gives none in time.
        """
        raise NotImplementedError

    async def press(
        self, message: Message | int, control: str, *, deliveries: int = 1, stale: bool = False
    ) -> Outcome:
        """Press the button whose custom_id, label or emoji is `control`.

        The message is looked at as it stands now; with `stale` as it stood in the given snapshot, like a
        press that crossed an edit on its way.
        """
        raise NotImplementedError

    async def select(
        self,
        message: Message | int,
        control: str,
        values: str | list[str] | list[Person],
        *,
        deliveries: int = 1,
        stale: bool = False,
    ) -> Outcome:
        """Choose `values` (option values or labels; people or channels for such selects) in a select menu.

        `control` is the menu's custom_id or placeholder.
        """
        raise NotImplementedError

    async def submit(
        self, modal: Modal, values: Mapping[str, Any] | None = None, *, deliveries: int = 1
    ) -> Outcome:
        """Send a form: values by custom_id or label; inputs left out keep what they were pre-filled with."""
        raise NotImplementedError

    async def say(self, content: str, *, channel: int | str | None = None) -> Message:
        """Write an ordinary chat message."""
        raise NotImplementedError

    def messages(self, channel: int | str | None = None) -> list[Message]:
        """What this person can see in the channel now, oldest first, their ephemeral messages included."""
        raise NotImplementedError

    def dismiss(self, message: Message | int) -> None:
        """Dismiss an ephemeral message of one's own; nobody else notices."""
        raise NotImplementedError

    def watch(self, channel: int | str | None = None) -> Watch:
        """Follow what this person can notice from now on, in one channel, or with None everywhere."""
        raise NotImplementedError


_ = (asyncio, Kind)
