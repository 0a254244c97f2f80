"""The outcome of an interaction, and a view of everything that one person can notice.

Owns waiting, always with a deadline. Causes nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Generator
from types import TracebackType
from typing import Any, Self, TypeVar

from bot.local.interactions import Interaction, Interactions
from bot.local.seen import Event, EventKind, Message, Modal, User
from bot.local.world import World

DEADLINE = 30.0
_VISIBLE = {
    EventKind.MESSAGE,
    EventKind.EDIT,
    EventKind.DELETE,
    EventKind.MODAL,
    EventKind.CHOICES,
    EventKind.UNANSWERED,
}
Found = TypeVar("Found")


class NotAnswered(TimeoutError):
    """What was waited for did not come in time; the text says what came instead."""


class InteractionOutcome:
    """Everything that one interaction has produced so far, in order; it keeps growing while the bot works.

    `await outcome` is `await outcome.answer()`.
    """

    def __init__(self, interactions: Interactions, interaction: Interaction) -> None:
        self._interactions = interactions
        self._interaction = interaction

    @property
    def interaction_id(self) -> int:
        """Return the interaction's snowflake."""
        return self._interaction.id

    @property
    def person(self) -> User:
        """Return the person who acted."""
        return self._interaction.person

    @property
    def events(self) -> list[Event]:
        """Return all events that it caused up to now."""
        return self._interaction.events

    def __await__(self) -> Generator[Any, None, Event]:
        return self.answer().__await__()

    async def _until(self, look: Callable[[], Found | None], deadline: float, what: str) -> Found:
        news = self._interaction.news
        try:
            async with asyncio.timeout(deadline):
                while True:
                    news.clear()
                    value = look()
                    if value is not None:
                        return value
                    await news.wait()
        except TimeoutError:
            kinds = ", ".join(event.kind for event in self.events) or "nothing"
            raise NotAnswered(f"{what} did not arrive within {deadline:g} s (received: {kinds}).") from None

    def _shown(self) -> list[Event]:
        return [event for event in self.events if event.kind in _VISIBLE]

    async def answer(self, deadline: float = DEADLINE) -> Event:
        """Return the first visible event: a message, an edit, a deletion, a modal, or UNANSWERED.

        THINKING and ACKNOWLEDGED are passed over, an answer is still owed. NotAnswered after `deadline`
        seconds.
        """
        return await self._until(lambda: next(iter(self._shown()), None), deadline, "An answer")

    async def message(self, deadline: float = DEADLINE) -> Message:
        """Return the message of the answer, new or edited; NotAnswered where the answer is something else."""
        event = await self.answer(deadline)
        if event.message is None:
            raise NotAnswered(f"Expected a message as the answer, but got {event.kind}.")
        return event.message

    async def modal(self, deadline: float = DEADLINE) -> Modal:
        """Return the modal that the answer opened. Raises NotAnswered if the answer is something else."""
        event = await self.answer(deadline)
        if event.modal is None:
            raise NotAnswered(f"Expected a form as the answer, but got {event.kind}.")
        return event.modal

    async def acknowledged(self, deadline: float = DEADLINE) -> Event:
        """Return the first event of any kind: the bot took the interaction, or three seconds have passed."""
        return await self._until(lambda: next(iter(self.events), None), deadline, "A response")

    async def wait_for(self, count: int, deadline: float = DEADLINE) -> list[Event]:
        """Return the first `count` visible events (THINKING and ACKNOWLEDGED not counted)."""

        def enough() -> list[Event] | None:
            events = self._shown()
            return events[:count] if len(events) >= count else None

        return await self._until(enough, deadline, f"{count} events")

    async def deliver_again(self) -> None:
        """Hand the same interaction to the bot once more, as Discord does now and then."""
        await self._interactions.deliver(self._interaction)

    async def settle(self, quiet: float = 0.05, deadline: float = DEADLINE) -> list[Event]:
        """Return all events, once the bot has answered and then nothing came for `quiet` seconds."""
        await self.answer(deadline)
        while True:
            self._interaction.news.clear()
            try:
                async with asyncio.timeout(quiet):
                    await self._interaction.news.wait()
            except TimeoutError:
                return list(self.events)

    @property
    def messages(self) -> list[Message]:
        """Return the messages that this interaction made or changed, each once in its last state."""
        current = self._interaction.channel.messages
        numbers = dict.fromkeys(event.message.id for event in self.events if event.message is not None)
        return [current[number] for number in numbers if number in current]


class Watch:
    """Everything that one person can notice, in one channel or anywhere, as an async iterator and
    context manager.
    """

    def __init__(self, world: World, person: User, channel_id: int | None) -> None:
        self._world = world
        self._person = person
        self._channel_id = channel_id
        self._queue: asyncio.Queue[Event | None] = asyncio.Queue()
        world.listeners.append(self._noted)

    def _noted(self, event: Event) -> None:
        if self._channel_id not in (None, event.channel_id) or not event.visible_to(self._person.id):
            return
        channel = self._world.channels.get(event.channel_id)
        if channel is None or self._world.sees(self._person.id, channel):
            self._queue.put_nowait(event)

    async def next(self, deadline: float | None = None) -> Event:
        """Return the next event. Raises NotAnswered after `deadline` seconds (None waits for ever)."""
        try:
            async with asyncio.timeout(deadline):
                event = await self._queue.get()
        except TimeoutError:
            raise NotAnswered(f"Nothing happened within {deadline:g} s.") from None
        if event is None:
            raise NotAnswered("No one is watching this channel now.")
        return event

    def pending(self) -> list[Event]:
        """Return all events that have arrived, without waiting."""
        events = [self._queue.get_nowait() for _ in range(self._queue.qsize())]
        return [event for event in events if event is not None]

    def close(self) -> None:
        """Stop watching; an iteration that waits ends."""
        if self._noted in self._world.listeners:
            self._world.listeners.remove(self._noted)
            self._queue.put_nowait(None)

    async def __aiter__(self) -> AsyncIterator[Event]:
        while (event := await self._queue.get()) is not None:
            yield event

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
