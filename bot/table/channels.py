"""The channels and threads of a server, as the person who asks sees them. Knows no client of Discord."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from rules.refusals import InvalidInput


@dataclass(frozen=True, slots=True)
class Where:
    """A channel or a thread. barred: why no game can be played there, in a sentence; empty where one can."""

    id: int
    name: str
    barred: str = ""


class Channels(Protocol):
    """What is asked of the server's channels, for one person."""

    async def seen(self, channel_id: int) -> Where | None:
        """Return the channel or thread of this server, or None if the person can't see it or it is gone."""
        ...

    async def is_gone(self, channel_id: int) -> bool:
        """Return whether the channel no longer exists."""
        ...

    def listed(self) -> Sequence[Where]:
        """Return the channels and threads that the person sees and in which a game can be played, near
        ones first.
        """
        ...

    def holds_threads(self) -> bool:
        """Return whether threads can be created under the channel in which the person is."""
        ...

    async def new_thread(self, name: str) -> Where:
        """Create a thread under the channel. Raises InvalidInput if none can be made."""
        ...

    async def drop_thread(self, thread: Where) -> None:
        """Delete a thread that was made for an action that was refused."""
        ...


class NoChannels:
    """Channels of a table without any. No person sees one, and no thread can be made."""

    async def seen(self, channel_id: int) -> Where | None:
        """Return None, because there is no channel to see."""
        return None

    async def is_gone(self, channel_id: int) -> bool:
        """Return False, because nothing is known of channels."""
        return False

    def listed(self) -> Sequence[Where]:
        """Return no channels."""
        return ()

    def holds_threads(self) -> bool:
        """Return True, because nothing is known of channels."""
        return True

    async def new_thread(self, name: str) -> Where:
        """Raise InvalidInput, because no thread can be made."""
        raise InvalidInput("The bot can't create a thread here.")

    async def drop_thread(self, thread: Where) -> None:
        """Do nothing, because there is no thread."""


@dataclass(frozen=True, slots=True)
class EarlierThread(NoChannels):
    """Channels for an action that is redone: the thread that was created for it still exists."""

    thread: int

    async def new_thread(self, name: str) -> Where:
        """Return the thread that was created the first time."""
        return Where(self.thread, name)


class ChannelRefusal(InvalidInput):
    """A refusal that names a channel so that it can be tapped; it repeats nothing that was just typed."""


def mention(channel_id: int) -> str:
    """Return a channel as Discord shows it: its name, which can be tapped."""
    return f"<#{channel_id}>"
