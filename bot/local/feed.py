"""Everything that can be noticed at the table, in order, and the moment when it has come to rest.

Owns the end of waiting: an outcome is complete when the bot has answered and nothing that it began is still
running. Knows nothing of what was typed or of how it is shown.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import replace

from bot.local.people import DEADLINE, InteractionOutcome, NotAnswered
from bot.local.seen import Event, EventKind, Message

MOMENT = 0.005
MOMENTS = 6
"""How many moments, in seconds, pass without anything before what still waits after an answer is left alone.
While the machine does other things one of them is over, but not all."""

Idle = Callable[[], Awaitable[object]]

_NOTICED = {
    EventKind.MESSAGE,
    EventKind.EDIT,
    EventKind.DELETE,
    EventKind.MODAL,
    EventKind.UNANSWERED,
    EventKind.THINKING,
}
_UNSEEN_TASKS = ("discord-ui-view-timeout", "discord-ui-modal-timeout", "answers that arrived")
"""Tasks from which nothing comes that can be noticed: they wait, or keep the books of what was answered."""


class Feed:
    """A listener that keeps events until they are taken.

    `idle` returns once the bot has no work waiting in queues of its own.
    """

    def __init__(self, idle: Idle) -> None:
        self._idle = idle
        self._events: list[Event] = []
        self._arrived = asyncio.Event()
        self._count = 0

    def __call__(self, event: Event) -> None:
        """Hear an event; what people write themselves is not news to them."""
        message = event.message or event.before
        if event.kind in _NOTICED and (message is None or message.author.bot):
            self._events.append(event)
            self._count += 1
            self._arrived.set()

    def take(self) -> list[Event]:
        """Return the events since the last call, as one outcome."""
        events, self._events = self._events, []
        self._arrived.clear()
        return collapsed(events)

    async def next(self) -> None:
        """Return when there is something to take."""
        await self._arrived.wait()

    async def settle(self, outcome: InteractionOutcome, old_tasks: set[asyncio.Task[object]]) -> None:
        """Return when the interaction has been answered and the bot has come to rest.

        `old_tasks` are the tasks that were there before it was sent: tasks that began since are waited for as
        long as the answer is owed; later a task that merely waits (a reminder, a reaction's sixty seconds)
        holds nothing up. Gives up silently after DEADLINE seconds without news: what came so far is the
        outcome.
        """
        try:
            await outcome.acknowledged(DEADLINE)
        except NotAnswered:
            return
        await self.rest(old_tasks)

    async def rest(self, old_tasks: set[asyncio.Task[object]]) -> None:
        """Wait until nothing that began since `old_tasks` is still working."""
        while True:
            await self._finished(old_tasks)
            await self._idle()
            count, running_tasks = self._count, running()
            await asyncio.sleep(0)
            if count == self._count and running() <= running_tasks:
                return

    async def _finished(self, old_tasks: set[asyncio.Task[object]]) -> None:
        idle_rounds = 0
        while idle_rounds < MOMENTS and (new_tasks := _begun_since(old_tasks)):
            count, answered = self._count, self._answered()
            patience = MOMENT if answered else DEADLINE
            finished, _ = await asyncio.wait(new_tasks, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
            if finished or count != self._count:
                idle_rounds = 0
            else:
                idle_rounds += 1 if answered else MOMENTS

    def _answered(self) -> bool:
        return any(event.kind is not EventKind.THINKING for event in self._events)


def running() -> set[asyncio.Task[object]]:
    """Return the tasks that exist now."""
    return asyncio.all_tasks()


def _begun_since(old_tasks: set[asyncio.Task[object]]) -> set[asyncio.Task[object]]:
    new_tasks = asyncio.all_tasks() - old_tasks - {asyncio.current_task()}
    return {task for task in new_tasks if not task.get_name().startswith(_UNSEEN_TASKS)}


def collapsed(events: Iterable[Event]) -> list[Event]:
    """Return one outcome's events in their final state, in an order that no race can change.

    Each message appears once, in its last form: what is new first, by age; then what changed in older
    messages; then what went away. A deferred answer counts as new when it arrives, an edit that changed
    nothing to be seen is left out, and so is a message that came and went.
    """
    forms: list[Event] = []
    messages: dict[int, Event] = {}
    for event in events:
        message = event.message or event.before
        if message is None:
            forms.append(event)
            continue
        joined = _joined(messages.pop(message.id, None), event)
        if joined is not None:
            messages[message.id] = joined
    by_age = [messages[number] for number in sorted(messages) if not _unchanged(messages[number])]
    new = [event for event in by_age if event.kind in _NEW]
    changed = [event for event in by_age if event.kind is EventKind.EDIT]
    deletions = [event for event in by_age if event.kind is EventKind.DELETE]
    return [*new, *forms, *changed, *deletions]


_NEW = (EventKind.MESSAGE, EventKind.THINKING)


def _joined(previous: Event | None, event: Event) -> Event | None:
    if event.kind is EventKind.EDIT and event.before is not None and event.before.loading:
        return replace(event, kind=EventKind.MESSAGE, before=None)
    if previous is None:
        return event
    if event.kind is EventKind.DELETE:
        return None if previous.kind in _NEW else event
    return replace(event, kind=previous.kind, before=previous.before)


def _unchanged(event: Event) -> bool:
    if event.kind is not EventKind.EDIT or event.message is None or event.before is None:
        return False
    return _visible(event.message) == _visible(event.before)


def _visible(message: Message) -> Sequence[object]:
    files = [(file.filename, file.data, file.description) for file in message.attachments]
    return message.content, message.embeds, message.components, files
